/* What a search keeps between runs, and its preparation for the next run. */
#include "search/search.h"

#include <string.h>

#include "system/clock.h"

enum { PARTS_OF_A_STEP = 8 };

bool cn_search_needs_heap(const cairn_search *search)
{
    const cairn_search_options *options = &search->options;
    return !search->is_consistent || options->ties;
}

static void forget_directory(cn_record_directory *directory)
{
    directory->used = 0;
    if (!directory->count)
        return;
    if (directory->run >> directory->bits == UINT32_MAX >> directory->bits) {
        memset(directory->items, 0, directory->count * sizeof *directory->items);
        directory->run = 0;
    }
    directory->run += 1u << directory->bits;
}

/* When all stamps have been used, they start over, and all records are cleared; likewise the runs
 * of the directory. */
void cn_scratch_forget(cn_scratch *scratch)
{
    forget_directory(&scratch->directory);
    if (scratch->stamp >> CN_STAMP_SHIFT == CN_STAMP_MAX) {
        if (scratch->records)
            memset(scratch->records, 0, scratch->record_count * sizeof *scratch->records);
        scratch->stamp = 0;
    }
    scratch->stamp += 1u << CN_STAMP_SHIFT;
}

void cn_search_forget(cairn_search *search)
{
    cn_scratch_forget(&search->scratch);
}

/* When it grows it gets some room to spare, since edits add corners one after another. */
cairn_status cn_scratch_hold_directory(cn_scratch *scratch, uint32_t count)
{
    const cn_mem *mem = scratch->arcs.mem;
    cn_record_directory *directory = &scratch->directory;
    const size_t room = directory->count ? count + (size_t)count / 16 : count;

    if (count <= directory->count)
        return CAIRN_OK;
    cn_release(mem, directory->items);
    *directory = (cn_record_directory){.items = cn_zeroed(mem, room, sizeof *directory->items)};
    if (!directory->items)
        return CAIRN_E_MEMORY;
    directory->count = room;
    directory->bits = cn_highest_bit(room) + 1;
    directory->run = 1u << directory->bits;
    return CAIRN_OK;
}

size_t cn_scratch_memory(const cn_scratch *scratch)
{
    return cn_open_memory(&scratch->open) +
           cn_held_size(scratch->records, scratch->record_count, sizeof *scratch->records) +
           cn_held_size(scratch->directory.items, scratch->directory.count,
                        sizeof *scratch->directory.items) +
           cn_held_size(scratch->arcs.items, scratch->arcs.capacity, sizeof *scratch->arcs.items);
}

void cn_scratch_free(cn_scratch *scratch)
{
    const cn_mem *mem = scratch->arcs.mem;
    cn_open_free(&scratch->open);
    cn_release(mem, scratch->records);
    cn_release(mem, scratch->directory.items);
    cn_release(mem, scratch->arcs.items);
}

/* New records are zero, and so belong to no run, since a later run may use them by node. */
bool cn_scratch_grow_records(cn_scratch *scratch, size_t more)
{
    const size_t used = scratch->directory.used, before = scratch->record_count;
    void *records = scratch->records;

    if (!cn_grow(scratch->arcs.mem, &records, &scratch->record_count, used, used + more,
                 sizeof *scratch->records))
        return false;
    scratch->records = records;
    if (scratch->record_count > before)
        memset(scratch->records + used, 0,
               (scratch->record_count - used) * sizeof *scratch->records);
    return true;
}

cairn_cost cn_search_base_from_start(const cairn_search *search)
{
    const cn_query *query = &search->query;
    return search->is_general
               ? cn_base_between(query->map, query->heuristic, query->start, query->goal)
               : cn_query_kind_base(query, query->start);
}

/* Makes keys so coarse that usually all of them have buckets at any time. Along jump points, where
 * others wait, no coarser than a small part of a step. */
static unsigned shift_for(const cairn_search *search, cairn_cost base, cairn_cost limit)
{
    uint32_t buckets = search->scratch.open.bucket_count, range = search->open_choice.rise;

    if (buckets == 0 || range + 2 <= buckets)
        return 0;
    if (limit < CAIRN_UNREACHABLE && limit - base < range)
        range = limit - base;
    const unsigned shift = cn_open_shift_for(range, buckets);
    if (search->space != CAIRN_SPACE_JUMP)
        return shift;
    const uint32_t part = search->query.metric.straight / PARTS_OF_A_STEP;
    const unsigned most = part ? cn_highest_bit(part) : 0;
    return shift < most ? shift : most;
}

void cn_search_next(cairn_search *search, cairn_cost base, cairn_cost limit)
{
    cn_scratch *scratch = &search->scratch;
    cn_search_forget(search);
    scratch->limit = limit;
    scratch->shift = shift_for(search, base, limit);
    scratch->is_paused = false;
}

uint64_t cn_table_version(const cairn_table *table)
{
    return table ? table->version : 0;
}

bool cn_search_is_as_begun(const cairn_search *search)
{
    return search->followed.map_version == search->map->version &&
           search->followed.table_version == cn_table_version(search->table);
}

/* ---------------------------------------------------------------------------------- slices -- */

/* How many nodes are expanded between two readings of the clock, and between two calls of a
 * caller's callback alone. */
enum { BETWEEN_TIMES = 4, BETWEEN_CALLS = 64 };

cairn_status cn_scratch_check(cn_scratch *scratch)
{
    const cn_slice *slice = &scratch->slice;
    uint64_t next = slice->expansions;

    if (slice->cancel && slice->cancel(slice->cancel_context))
        return CAIRN_E_CANCELLED;
    scratch->is_paused = scratch->expanded >= slice->expansions ||
                         (slice->end && cn_clock_microseconds() >= slice->end);
    if (slice->end || slice->cancel)
        next = scratch->expanded + (slice->end ? BETWEEN_TIMES : BETWEEN_CALLS);
    scratch->check_at = next < slice->expansions ? next : slice->expansions;
    return CAIRN_OK;
}

/* Without rows so many times as many nodes are expanded, about. */
enum { ROWS_SAVE = 4 };

void cn_search_restart_count(cairn_search *search)
{
    search->worth.spent += search->scratch.expanded;
    search->worth.bare += search->scratch.expanded * (search->followed.uses_rows ? ROWS_SAVE : 1);
    search->scratch.expanded = 0;
}

void cn_scratch_slice(cn_scratch *scratch, const cairn_search_options *options, uint64_t expansions,
                      uint64_t microseconds)
{
    const uint64_t now = microseconds == UINT64_MAX ? 0 : cn_clock_microseconds();
    const uint64_t most = UINT64_MAX - scratch->expanded;

    scratch->slice =
        (cn_slice){.expansions = scratch->expanded + (expansions < most ? expansions : most),
                   .cancel = options->cancel,
                   .cancel_context = options->cancel_context};
    if (microseconds != UINT64_MAX)
        scratch->slice.end = microseconds < UINT64_MAX - now ? now + microseconds : UINT64_MAX;
    scratch->check_at = scratch->slice.cancel ? scratch->expanded : scratch->slice.expansions;
    if (scratch->slice.end)
        scratch->check_at = scratch->expanded + BETWEEN_TIMES;
}

void cn_search_slice(cairn_search *search, uint64_t expansions, uint64_t microseconds)
{
    cn_scratch_slice(&search->scratch, &search->options, expansions, microseconds);
}
