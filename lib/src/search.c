#include "search.h"

#include <string.h>

static cairn_cost own_bound(const void *context, cairn_node node)
{
    const cn_trip *trip = context;
    cairn_cost bound = trip->own_bound(trip->own_context, node);
    return bound > CAIRN_COST_MAX ? CAIRN_UNREACHABLE : bound;
}

static cn_arc_span arcs_watched(const void *context, const cn_visit *visit)
{
    const cn_trip *trip = context;
    trip->on_expand(trip->expand_context, visit->node);
    return cn_arcs_of_cell(context, visit);
}

#define ANY_TARGET
CN_DEFINE_SEARCH(ANY_TARGET, cells_plain, cn_arcs_of_cell, cn_bound_of_plain, cn_prefetch_nothing,
                 CN_OPEN_BUCKETS, false)
CN_DEFINE_SEARCH(ANY_TARGET, canonical_plain, cn_arcs_canonical, cn_bound_of_plain,
                 cn_prefetch_nothing, CN_OPEN_BUCKETS, false)
CN_DEFINE_SEARCH(ANY_TARGET, jump_plain, cn_arcs_of_jumps, cn_bound_of_plain, NULL,
                 CN_OPEN_BUCKETS, true)
CN_DEFINE_SEARCH(ANY_TARGET, cells_own, cn_arcs_of_cell, own_bound, cn_prefetch_nothing,
                 CN_OPEN_HEAP, false)
CN_DEFINE_SEARCH(ANY_TARGET, watched, arcs_watched, own_bound, cn_prefetch_nothing,
                 CN_OPEN_BUCKETS, false)
CN_DEFINE_SEARCH(ANY_TARGET, watched_own, arcs_watched, own_bound, cn_prefetch_nothing,
                 CN_OPEN_HEAP, false)

static const cn_searchers *searchers_for(cn_cpu cpu)
{
#if CN_CPU_X86
    if (cpu == CN_CPU_AVX512)
        return &cn_searchers_avx512;
    if (cpu == CN_CPU_AVX2)
        return &cn_searchers_avx2;
#endif
    (void)cpu;
    return &cn_searchers_portable;
}

/* Whether steps across the whole map stay far from CAIRN_COST_MAX. */
static bool costs_are_moderate(const cairn_map *map)
{
    uint64_t span = (uint64_t)map->grid.width + map->grid.height;
    return span * map->metric.diagonal <= CAIRN_COST_MAX / 2;
}

/* The bound by landmarks and plain distance where the latter may not fit 32 bits. */
static cairn_cost careful_bound(void *context, cairn_node node)
{
    const cairn_search *search = context;
    const cn_trip *trip = &search->trip;
    uint32_t x, y;

    cn_grid_xy(trip->grid, node, &x, &y);
    uint64_t across = x > trip->goal_x ? x - trip->goal_x : trip->goal_x - x;
    uint64_t down = y > trip->goal_y ? y - trip->goal_y : trip->goal_y - y;
    uint64_t diagonal = across < down ? across : down;
    uint64_t plain = (across + down - 2 * diagonal) * trip->metric.straight +
                     diagonal * trip->metric.diagonal;
    if (plain > CAIRN_COST_MAX)
        plain = CAIRN_COST_MAX;
    if (!trip->entries)
        return (cairn_cost)plain;
    cn_rows_kernel rows_of = cn_rows_kernel_for(search->table->entry_bits, CN_CPU_PORTABLE);
    cairn_cost rows = rows_of(trip->entries + node * trip->stride, trip->above, trip->below,
                              trip->lane_count);
    return rows > plain ? rows : (cairn_cost)plain;
}

/* The fastest space that is exact for the map, unless the caller wants another that is. */
static cairn_space choose_space(const cairn_search *search)
{
    cairn_space wish = search->options.space;
    cairn_metric metric = search->metric;

    if (search->options.bound || search->options.on_expand || !cn_map_is_uniform(search->map) ||
        !costs_are_moderate(search->map))
        return CAIRN_SPACE_CELLS;
    if (wish == CAIRN_SPACE_CANONICAL && metric.diagonal == 2 * metric.straight)
        return CAIRN_SPACE_CELLS;
    return wish == CAIRN_SPACE_AUTO ? CAIRN_SPACE_JUMP : wish;
}

static bool takes_own_bound(const cairn_search *search)
{
    return search->options.bound || !costs_are_moderate(search->map);
}

static cn_searcher choose_searcher(const cairn_search *search)
{
    static const cn_searcher plain[CN_SPACES] = {cells_plain, canonical_plain, jump_plain};
    const cn_searchers *searchers = search->searchers;
    unsigned space = search->space - 1u;

    if (search->options.on_expand)
        return takes_own_bound(search) ? watched_own : watched;
    if (takes_own_bound(search))
        return cells_own;
    if (!search->trip.entries)
        return plain[space];
    return search->table->entry_bits == 16 ? searchers->rows_16[space]
                                           : searchers->rows_32[space];
}

/* With a consistent bound, f rises by at most twice the cost of an arc. */
static uint32_t rise_of(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    uint32_t side = grid->width > grid->height ? grid->width : grid->height;
    return 2 * search->metric.diagonal * (search->space == CAIRN_SPACE_JUMP ? side : 1);
}

/* The caller's own bound is taken at its word, but only a heap is safe when the word is broken. */
static cairn_status init_open_list(cairn_search *search)
{
    uint32_t buckets = 0;
    if (!takes_own_bound(search)) {
        search->rise = rise_of(search);
        buckets = cn_open_buckets_for(search->rise + 2);
        if (buckets == 0)
            buckets = CN_BUCKETS_MAX;
    }
    return cn_open_init(&search->scratch.open, &search->mem, buckets);
}

/* A diagonal run meets at most two straight ones in each of its cells. */
static size_t most_arcs(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    size_t side = grid->width < grid->height ? grid->width : grid->height;
    return CN_DIRECTIONS + (search->space == CAIRN_SPACE_JUMP ? 8 * side : 0);
}

static void init_trip(cairn_search *search)
{
    cn_trip *trip = &search->trip;

    trip->grid = &search->map->grid;
    trip->metric = search->metric;
    trip->own_bound = search->options.bound;
    trip->own_context = search->options.bound_context;
    if (!search->options.bound) {
        trip->own_bound = careful_bound;
        trip->own_context = search;
    }
    trip->on_expand = search->options.on_expand;
    trip->expand_context = search->options.expand_context;
}

/* The table may have been refreshed since the last run, and the map edited. */
static cairn_status follow_table(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_trip *trip = &search->trip;

    search->trust = table ? cn_table_trust(table, search->map) : CN_TRUST_NONE;
    if (search->trust == CN_TRUST_STRANGER)
        return CAIRN_E_MISMATCH;
    trip->entries = NULL;
    if (search->trust != CN_TRUST_NONE) {
        trip->entries = table->entries;
        trip->stride = table->lane_count * table->entry_bits / 8;
        trip->lane_count = table->lane_count;
    }
    search->searcher = choose_searcher(search);
    return CAIRN_OK;
}

static cairn_status init(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    const cairn_map *map = search->map;

    search->space = choose_space(search);
    search->searchers = searchers_for(cn_cpu_level());
    init_trip(search);
    cairn_status status = follow_table(search);
    if (status == CAIRN_OK)
        status = init_open_list(search);
    if (status == CAIRN_OK && search->space == CAIRN_SPACE_JUMP)
        status = cn_map_jump(map, &search->trip.jump);
    if (status != CAIRN_OK)
        return status;
    scratch->records = cn_zeroed(&search->mem, cn_map_node_count(map), sizeof(cn_record));
    scratch->arcs = cn_array(&search->mem, most_arcs(search), sizeof(cn_arc));
    return scratch->records && scratch->arcs ? CAIRN_OK : CAIRN_E_MEMORY;
}

cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                              const cairn_search_options *options, cairn_search **search)
{
    cairn_search_options known;

    if (!map || !search)
        return CAIRN_E_ARGUMENT;
    *search = NULL;
    if (!cn_options_copy(&known, sizeof known, options))
        return CAIRN_E_ARGUMENT;
    if ((unsigned)known.space > CAIRN_SPACE_JUMP || (unsigned)known.form > CAIRN_FORM_CORNERS)
        return CAIRN_E_ARGUMENT;
    if ((unsigned)known.stale > CAIRN_STALE_USE)
        return CAIRN_E_ARGUMENT;
    cn_mem mem = known.allocator ? cn_mem_from(known.allocator) : map->mem;
    cairn_search *made = cn_zeroed(&mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->map = map;
    made->table = known.bound ? NULL : table;
    made->options = known;
    made->mem = mem;
    made->metric = map->metric;
    made->scratch.open.mem = mem;
    cn_open_init(&made->heap, &mem, 0);
    cairn_status status = init(made);
    if (status != CAIRN_OK) {
        cairn_search_free(made);
        return status;
    }
    *search = made;
    return CAIRN_OK;
}

void cairn_search_free(cairn_search *search)
{
    if (!search)
        return;
    cn_mem mem = search->mem;
    cn_open_free(&search->scratch.open);
    cn_open_free(&search->heap);
    cn_release(&mem, search->scratch.records);
    cn_release(&mem, search->scratch.arcs);
    cn_release(&mem, search->points.items);
    cn_release(&mem, search->corners.items);
    cn_release(&mem, search->cells.items);
    cn_release(&mem, search);
}

/* When all stamps have been used, they begin anew. */
static void next_stamp(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    if (scratch->stamp >> CN_STAMP_SHIFT == CN_STAMP_MAX) {
        memset(scratch->records, 0,
               cn_map_node_count(search->map) * sizeof *scratch->records);
        scratch->stamp = 0;
    }
    scratch->stamp += 1u << CN_STAMP_SHIFT;
}

/* Keys so coarse that all of them fit the ring of buckets at any time. */
static unsigned shift_for(const cairn_search *search, cairn_cost limit)
{
    const cn_trip *trip = &search->trip;
    uint32_t buckets = search->scratch.open.bucket_count, range = search->rise;
    unsigned shift = 0;

    if (buckets == 0)
        return 0;
    if (limit < CAIRN_UNREACHABLE && limit - cn_trip_plain(trip, trip->start) < range)
        range = limit - cn_trip_plain(trip, trip->start);
    while ((range >> shift) + 2 > buckets)
        shift++;
    return shift;
}

static cairn_status search_below(cairn_search *search, cairn_cost limit, cairn_path *path)
{
    cn_scratch *scratch = &search->scratch;
    next_stamp(search);
    scratch->limit = limit;
    scratch->shift = shift_for(search, limit);
    return search->searcher(&search->trip, scratch, &path->cost);
}

/* First below what the way over a landmark costs; the bound on the start may already be above
 * that only when the table does not keep its word, and then the limit is left out. */
static cairn_status search_between(cairn_search *search, cairn_cost upper, cairn_path *path)
{
    cn_scratch *scratch = &search->scratch;
    cairn_status status = CAIRN_OK;

    scratch->expanded = 0;
    scratch->generated = 0;
    if (upper <= CAIRN_COST_MAX && upper >= cn_trip_plain(&search->trip, search->trip.start))
        status = search_below(search, upper + 1, path);
    if (status == CAIRN_OK && path->cost == CAIRN_UNREACHABLE)
        status = search_below(search, CAIRN_UNREACHABLE, path);
    path->expanded = scratch->expanded;
    path->generated = scratch->generated;
    path->open_peak = scratch->open.peak;
    return status;
}

/* In a lane that may not be used, no entry is above the one row or below the other. */
static void leave_out_unsafe(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_trip *trip = &search->trip;
    size_t width = table->entry_bits / 8;

    memcpy(search->above, trip->above, table->lane_count * width);
    memcpy(search->below, trip->below, table->lane_count * width);
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] != CAIRN_ROW_UNSAFE)
            continue;
        memset((uint8_t *)search->above + row * width, 0xff, width);
        memset((uint8_t *)search->below + row * width, 0, width);
    }
    trip->above = search->above;
    trip->below = search->below;
}

static void aim(cairn_search *search, cairn_node start, cairn_node goal)
{
    cn_trip *trip = &search->trip;
    trip->start = start;
    trip->goal = goal;
    cn_grid_xy(trip->grid, goal, &trip->goal_x, &trip->goal_y);
    if (!trip->entries)
        return;
    trip->above = trip->entries + goal * trip->stride;
    trip->below = trip->above;
    if (search->trust == CN_TRUST_SOME)
        leave_out_unsafe(search);
}

/* What the rows said before the edits that made some of them unsafe. Where one end is unreachable
 * there is nothing to be learned from them. */
static cairn_cost stale_bound(void *context, cairn_node node)
{
    const cairn_search *search = context;
    const cairn_table *table = search->table;
    cairn_cost most = cn_trip_plain(&search->trip, node);

    for (uint32_t row = 0; row < table->row_count; row++) {
        cairn_cost a = cn_table_entry(table, row, node);
        cairn_cost b = cn_table_entry(table, row, search->trip.goal);
        cairn_cost difference = a > b ? a - b : b - a;
        if (difference > most && a != CAIRN_UNREACHABLE && b != CAIRN_UNREACHABLE)
            most = difference;
    }
    return most;
}

static void swap_open_lists(cairn_search *search)
{
    cn_open_list open = search->scratch.open;
    search->scratch.open = search->heap;
    search->heap = open;
}

/* The bound is not consistent then: only a heap and a search that may reopen nodes will do. */
static cairn_status run_stale(cairn_search *search, cairn_path *path)
{
    cn_trip *trip = &search->trip;
    cn_trip before = *trip;

    trip->own_bound = stale_bound;
    trip->own_context = search;
    search->searcher = cells_own;
    swap_open_lists(search);
    path->space = CAIRN_SPACE_CELLS;
    cairn_status status = search_between(search, CAIRN_UNREACHABLE, path);
    swap_open_lists(search);
    trip->own_bound = before.own_bound;
    trip->own_context = before.own_context;
    return status;
}

static bool uses_stale_rows(const cairn_search *search)
{
    const cairn_table *table = search->table;
    return search->options.stale == CAIRN_STALE_USE && table && table->unsafe_count &&
           cn_table_fits(table, search->map);
}

/* Which rows take part, and how good they are. */
static void report_rows(const cairn_search *search, cairn_path *path)
{
    const cairn_table *table = search->table;
    bool with_unsafe = uses_stale_rows(search);

    if (!table || (search->trust == CN_TRUST_NONE && !with_unsafe))
        return;
    for (uint32_t row = 0; row < table->row_count; row++) {
        cairn_row_state state = (cairn_row_state)table->row_state[row];
        if (state == CAIRN_ROW_UNSAFE && !with_unsafe)
            continue;
        path->row_count++;
        if (state > path->state)
            path->state = state;
    }
    if (path->state == CAIRN_ROW_FRESH && !cn_table_fits(table, search->map))
        path->state = CAIRN_ROW_WEAKER;
}

static cairn_status run_between(cairn_search *search, cairn_node start, cairn_node goal,
                                cairn_path *path)
{
    cairn_cost upper = CAIRN_UNREACHABLE;

    cairn_status status = follow_table(search);
    if (status != CAIRN_OK)
        return status;
    report_rows(search, path);
    if (search->trip.entries && cn_bound_separates(search->table, start, goal, &upper))
        return CAIRN_OK;
    aim(search, start, goal);
    status = uses_stale_rows(search) ? run_stale(search, path)
                                     : search_between(search, upper, path);
    if (status != CAIRN_OK || path->cost == CAIRN_UNREACHABLE)
        return status;
    path->outcome = CAIRN_PATH_FOUND;
    return cn_search_trace(search, path);
}

cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                              cairn_path *path)
{
    if (!search || !path)
        return CAIRN_E_ARGUMENT;
    const cairn_path none = {.outcome = CAIRN_PATH_NONE,
                             .cost = CAIRN_UNREACHABLE,
                             .space = search->space};
    *path = none;

    const cairn_map *map = search->map;
    if (start >= cn_map_node_count(map) || goal >= cn_map_node_count(map))
        return CAIRN_E_ARGUMENT;
    if (search->metric.straight != map->metric.straight ||
        search->metric.diagonal != map->metric.diagonal)
        return CAIRN_E_MISMATCH;
    if (!cn_grid_is_open(&map->grid, start)) {
        path->outcome = CAIRN_PATH_START_BLOCKED;
        return CAIRN_OK;
    }
    if (!cn_grid_is_open(&map->grid, goal)) {
        path->outcome = CAIRN_PATH_GOAL_BLOCKED;
        return CAIRN_OK;
    }

    cairn_status status = run_between(search, start, goal, path);
    if (status != CAIRN_OK)
        *path = none;
    return status;
}
