#include "search/scratch.h"

#include <string.h>

#include "system/clock.h"

void cn_counts_add(cn_counts *counts, const cairn_path *path)
{
    counts->expanded += path->expanded;
    counts->generated += path->generated;
    counts->reopened += path->reopened;
    if (path->open_peak > counts->open_peak)
        counts->open_peak = path->open_peak;
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

void cn_scratch_slice(cn_scratch *scratch, const cairn_search_options *options, uint64_t expansions,
                      uint64_t end)
{
    const uint64_t most = UINT64_MAX - scratch->expanded;

    scratch->slice =
        (cn_slice){.expansions = scratch->expanded + (expansions < most ? expansions : most),
                   .end = end,
                   .cancel = options->cancel,
                   .cancel_context = options->cancel_context};
    scratch->check_at = scratch->slice.cancel ? scratch->expanded : scratch->slice.expansions;
    if (end && expansions > BETWEEN_TIMES)
        scratch->check_at = scratch->expanded + BETWEEN_TIMES;
}

/* --------------------------------------------------------------------------------- records -- */

static void forget_directory(cn_record_directory *directory)
{
    directory->used = 0;
    if (!directory->count)
        return;
    if (directory->stamp >> directory->bits == UINT32_MAX >> directory->bits) {
        memset(directory->items, 0, directory->count * sizeof *directory->items);
        directory->stamp = 0;
    }
    directory->stamp += 1u << directory->bits;
}

/* Records are cleared when all of their stamps have been used, which then start over; likewise the
 * items of the directory. */
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

/* When it grows it gets some room to spare, since edits add corners one after another. */
cairn_status cn_scratch_reserve_directory(cn_scratch *scratch, uint32_t count)
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
    directory->stamp = 1u << directory->bits;
    return CAIRN_OK;
}

/* New records are zero, and so belong to no run, since a later run may use them by node. */
bool cn_scratch_grow_records(cn_scratch *scratch, size_t more)
{
    const size_t used = scratch->directory.used, before = scratch->record_count;
    if (!CN_GROW(scratch->arcs.mem, scratch->records, &scratch->record_count, used, used + more))
        return false;
    if (scratch->record_count > before)
        memset(scratch->records + used, 0,
               (scratch->record_count - used) * sizeof *scratch->records);
    return true;
}
