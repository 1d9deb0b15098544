#include "search/search.h"

#include <string.h>

enum { WEIGHT_ONE = 1000, WEIGHT_MAX = 1000000 };

#define ANY_TARGET
CN_DEFINE_SEARCH(ANY_TARGET, cells_plain, cn_arcs_of_cell, cn_bound_of_plain, NULL, false)
CN_DEFINE_SEARCH(ANY_TARGET, canonical_plain, cn_arcs_canonical, cn_bound_of_plain, NULL, false)
CN_DEFINE_SEARCH(ANY_TARGET, jump_plain, cn_arcs_of_jumps, cn_bound_of_plain, NULL, true)

/* Rows that count steps: a kernel for every processor and width would not pay. */
static cairn_cost bound_of_scaled(const void *context, cairn_node node)
{
    const cn_trip *trip = context;
    return cn_trip_larger(cn_trip_plain(trip, node), cn_trip_rows(trip, node));
}

CN_DEFINE_SEARCH(ANY_TARGET, cells_scaled, cn_arcs_of_cell, bound_of_scaled, cn_reads_rows, false)
CN_DEFINE_SEARCH(ANY_TARGET, canonical_scaled, cn_arcs_canonical, bound_of_scaled, cn_reads_rows,
                 false)
CN_DEFINE_SEARCH(ANY_TARGET, jump_scaled, cn_arcs_of_jumps, bound_of_scaled, cn_reads_rows, true)

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

/* Whether an option is set that only the search of every step knows. */
static bool has_options(const cairn_search_options *options)
{
    return options->bound || options->plain || options->weight > WEIGHT_ONE || options->ties ||
           options->resumable || options->expansion_limit || options->on_expand;
}

/* With these a heap is needed: buckets want keys that never fall, and have one order. */
static bool needs_heap(const cairn_search *search)
{
    const cairn_search_options *options = &search->options;
    return !search->is_consistent || options->ties || options->resumable ||
           options->expansion_limit;
}

static void judge_bound(cairn_search *search)
{
    const cairn_search_options *options = &search->options;
    bool is_own = options->bound != NULL;
    bool is_weighted = options->weight > WEIGHT_ONE;

    search->is_general = has_options(options) || !cn_map_is_classic(search->map) ||
                         !costs_are_moderate(search->map);
    search->is_consistent = !is_own && !is_weighted &&
                            cairn_bound_is_consistent(search->map, options->plain);
    search->guarantee = is_weighted ? options->weight : WEIGHT_ONE;
    if (!is_own && !cairn_bound_is_admissible(search->map, options->plain))
        search->guarantee = 0;
}

/* The fastest space that is exact for the map, unless the caller wants another that is. */
static cairn_space choose_space(const cairn_search *search)
{
    cairn_space wish = search->options.space;
    cairn_metric metric = search->metric;

    if (search->is_general)
        return CAIRN_SPACE_CELLS;
    if (wish == CAIRN_SPACE_CANONICAL && metric.diagonal == 2 * metric.straight)
        return CAIRN_SPACE_CELLS;
    return wish == CAIRN_SPACE_AUTO ? CAIRN_SPACE_JUMP : wish;
}

static cn_searcher choose_searcher(const cairn_search *search)
{
    static const cn_searcher plain[CN_SPACES] = {cells_plain, canonical_plain, jump_plain};
    static const cn_searcher scaled[CN_SPACES] = {cells_scaled, canonical_scaled, jump_scaled};
    const cn_searchers *searchers = search->searchers;
    unsigned space = search->space - 1u;

    if (search->is_general)
        return search->scratch.open.bucket_count ? cn_search_any : cn_search_any_ties;
    if (!search->trip.entries)
        return plain[space];
    if (search->trip.scale.factor)
        return scaled[space];
    return search->table->entry_bits == 16 ? searchers->rows_16[space]
                                           : searchers->rows_32[space];
}

/* With a consistent bound, f rises by at most twice the cost of an arc; by more only where an arc
 * leads to a place from which the way back is dearer. */
static uint32_t rise_of(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    uint32_t side = grid->width > grid->height ? grid->width : grid->height;
    if (search->is_general)
        return 2 * cn_map_dearest(search->map);
    return 2 * search->metric.diagonal * (search->space == CAIRN_SPACE_JUMP ? side : 1);
}

/* The least shift of keys that fits a range of them into a ring. */
static unsigned shift_into(uint32_t range, uint32_t buckets)
{
    unsigned shift = 0;
    while ((range >> shift) + 2 > buckets)
        shift++;
    return shift;
}

/* Whether a quarter of the arcs, or of a thousand of them, cost less than `cost`. */
static bool has_many_below(const cairn_map *map, cairn_cost cost)
{
    enum { SAMPLES = 1000 };
    const cn_roadmap *roads = map->roads;
    uint32_t below = 0, seen = 0;

    if (!roads)
        return cn_map_cheapest(map) < cost;
    for (uint32_t i = 0; i < roads->arc_count; i += roads->arc_count / SAMPLES + 1, seen++)
        below += roads->out[i].cost < cost;
    return below * 4 > seen;
}

/* 0: a heap. In keys many times as coarse as most arcs, nodes are taken in no good order and again
 * and again; a few dear arcs among cheap ones come to that. */
static uint32_t choose_bucket_count(const cairn_search *search)
{
    if (search->is_general && needs_heap(search))
        return 0;
    uint32_t count = cn_open_buckets_for((uint64_t)search->rise + 2);
    if (count)
        return count;
    const cairn_cost coarse = 1u << shift_into(search->rise, CN_BUCKETS_MAX);
    return search->is_general && has_many_below(search->map, coarse / 4) ? 0 : CN_BUCKETS_MAX;
}

/* An open list for what arcs cost now. */
static cairn_status follow_costs(cairn_search *search)
{
    cn_open_list *open = &search->scratch.open;
    search->rise = rise_of(search);
    uint32_t count = choose_bucket_count(search);
    if (search->rise_hash == 0 || count != open->bucket_count) {
        cn_open_free(open);
        search->rise_hash = 0;
        cairn_status status = cn_open_init(open, &search->mem, count);
        if (status != CAIRN_OK)
            return status;
        open->ties = search->heap.ties = search->options.ties;
    }
    search->rise_hash = search->map->hash;
    return CAIRN_OK;
}

/* A diagonal run meets at most two straight ones in each of its cells. */
static size_t most_arcs(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    size_t side = grid->width < grid->height ? grid->width : grid->height;
    return CN_ARCS_SCRATCH + (search->space == CAIRN_SPACE_JUMP ? 8 * side : 0);
}

static void init_trip(cairn_search *search)
{
    cn_trip *trip = &search->trip;

    trip->map = search->map;
    trip->grid = &search->map->grid;
    trip->metric = search->metric;
    trip->own_context = search->options.bound_context;
    trip->on_expand = search->options.on_expand;
    trip->expand_context = search->options.expand_context;
}

/* The arcs of every set of steps from a cell. */
static cairn_status init_steps(cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    cn_steps *steps = cn_array(&search->mem, CN_STEP_SETS, sizeof *steps);
    if (!steps)
        return CAIRN_E_MEMORY;

    for (unsigned set = 0; set < CN_STEP_SETS; set++) {
        steps[set].count = 0;
        for (unsigned left = set; left; left &= left - 1) {
            unsigned direction = cn_lowest_bit(left);
            steps[set].arcs[steps[set].count++] = (cn_arc){
                .to = (cairn_node)grid->offset[direction],
                .cost = direction < CN_STRAIGHT ? search->metric.straight
                                                : search->metric.diagonal,
                .arrival = direction};
        }
    }
    search->trip.steps = search->steps = steps;
    return CAIRN_OK;
}

static uint64_t version_of(const cairn_table *table)
{
    return table ? table->version : 0;
}

/* Whether map and table are as the last run found them, and it used the rows that they allow: so it
 * is most of the time, and this costs much less than to look at them again. */
static bool is_followed(const cairn_search *search)
{
    const cairn_table *table = search->table;
    return search->searcher && search->map_version == search->map->version &&
           search->table_version == version_of(table) &&
           (search->trust == CN_TRUST_NONE || search->trip.entries == table->entries);
}

/* The table may have been refreshed since the last run, and the map edited. Searches that pause
 * have a heap, whatever arcs cost. */
static cairn_status follow_table(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_trip *trip = &search->trip;
    cairn_status status = CAIRN_OK;

    if (is_followed(search))
        return CAIRN_OK;
    if (search->rise_hash != search->map->hash)
        status = follow_costs(search);
    if (status != CAIRN_OK)
        return status;
    search->trust = CN_TRUST_NONE;
    if (table) {
        status = cn_table_ground(table, search->map, &search->ground);
        if (status != CAIRN_OK)
            return status;
        search->trust = cn_table_trust(table, cn_table_lag(table, search->ground));
        trip->scale = cn_scale_of(table, search->map);
    }
    if (search->trust == CN_TRUST_STRANGER)
        return CAIRN_E_MISMATCH;
    trip->entries = NULL;
    if (search->trust != CN_TRUST_NONE) {
        trip->entries = table->entries;
        trip->stride = table->lane_count * table->entry_bits / 8;
        trip->lane_count = table->lane_count;
        trip->entry_bits = table->entry_bits;
        trip->rows = cn_rows_kernel_for(table->entry_bits, search->cpu);
    }
    search->searcher = choose_searcher(search);
    search->map_version = search->map->version;
    search->table_version = version_of(table);
    return CAIRN_OK;
}

static cairn_status init(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    const cairn_map *map = search->map;
    const cn_components *components;

    judge_bound(search);
    search->space = choose_space(search);
    search->cpu = cn_cpu_level();
    search->searchers = searchers_for(search->cpu);
    init_trip(search);
    cairn_status status = follow_table(search);
    if (status == CAIRN_OK)
        status = cn_map_connect(map, &components);
    if (status == CAIRN_OK && search->space == CAIRN_SPACE_JUMP)
        status = cn_map_jump(map, &search->trip.jump);
    else if (status == CAIRN_OK && !search->is_general)
        status = init_steps(search);
    if (status != CAIRN_OK)
        return status;
    scratch->records = cn_zeroed(&search->mem, cn_map_node_count(map), sizeof(cn_record));
    scratch->arcs = cn_array(&search->mem, most_arcs(search), sizeof(cn_arc));
    return scratch->records && scratch->arcs ? CAIRN_OK : CAIRN_E_MEMORY;
}

cairn_status cairn_search_use(cairn_search *search, const cairn_map *map, const cairn_table *table)
{
    if (!search || !map)
        return CAIRN_E_ARGUMENT;
    if (search->options.bound)
        table = NULL;
    if (search->map == map && search->table == table)
        return CAIRN_OK;
    if (search->map != map && !cn_map_is_alike(search->map, map))
        return CAIRN_E_MISMATCH;
    const cn_components *components;
    const cn_jump *jump = NULL;
    cairn_status status = cn_map_connect(map, &components);
    if (status == CAIRN_OK && search->space == CAIRN_SPACE_JUMP)
        status = cn_map_jump(map, &jump);
    if (status != CAIRN_OK)
        return status;
    search->map = map;
    search->table = table;
    search->searcher = NULL;
    search->map_version = 0;
    search->trip.map = map;
    search->trip.grid = &map->grid;
    search->trip.jump = jump;
    return CAIRN_OK;
}

static bool options_are_valid(const cairn_map *map, const cairn_search_options *options)
{
    return (unsigned)options->space <= CAIRN_SPACE_JUMP &&
           (unsigned)options->form <= CAIRN_FORM_CORNERS &&
           (unsigned)options->stale <= CAIRN_STALE_USE &&
           (unsigned)options->ties <= CAIRN_TIES_LARGER_G &&
           cn_plain_exists(map, options->plain) &&
           (options->weight == 0 ||
            (options->weight >= WEIGHT_ONE && options->weight <= WEIGHT_MAX));
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
    if (!options_are_valid(map, &known))
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
    cn_release(&mem, search->steps);
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

static cairn_cost plain_from_start(const cairn_search *search)
{
    const cn_trip *trip = &search->trip;
    return search->is_general ? cn_plain_between(trip->map, trip->plain, trip->start, trip->goal)
                              : cn_trip_plain(trip, trip->start);
}

/* Keys so coarse that all of them fit the ring of buckets at any time, as a rule: open_list.h says
 * what becomes of the others. */
static unsigned shift_for(const cairn_search *search, cairn_cost limit)
{
    uint32_t buckets = search->scratch.open.bucket_count, range = search->rise;

    if (buckets == 0 || range + 2 <= buckets)
        return 0;
    if (limit < CAIRN_UNREACHABLE && limit - plain_from_start(search) < range)
        range = limit - plain_from_start(search);
    return shift_into(range, buckets);
}

void cn_search_next(cairn_search *search, cairn_cost limit)
{
    cn_scratch *scratch = &search->scratch;
    next_stamp(search);
    scratch->limit = limit;
    scratch->shift = shift_for(search, limit);
    scratch->is_paused = false;
}

static cairn_status search_below(cairn_search *search, cairn_cost limit, cairn_path *path)
{
    cn_search_next(search, limit);
    return search->searcher(&search->trip, &search->scratch, &path->cost);
}

/* Costs above the limit are no error where nothing leads to the goal. */
static cairn_status judge_limit(cairn_search *search, cairn_status status)
{
    bool is_dear = status == CAIRN_E_LIMIT;
    return is_dear && !cn_search_walk(search, search->trip.goal) ? CAIRN_OK : status;
}

static void report_counts(const cairn_search *search, cairn_path *path)
{
    const cn_scratch *scratch = &search->scratch;
    path->expanded = scratch->expanded;
    path->generated = scratch->generated;
    path->reopened = scratch->reopened;
    path->open_peak = scratch->open.peak;
}

/* First below what the way over a landmark costs; the bound on the start may already be above
 * that only when the table does not keep its word, and then the limit is left out. */
static cairn_status search_between(cairn_search *search, cairn_cost upper, cairn_path *path)
{
    cairn_status status = CAIRN_OK;

    if (!needs_heap(search) && upper <= CAIRN_COST_MAX && upper >= plain_from_start(search))
        status = search_below(search, upper + 1, path);
    if (status == CAIRN_OK && path->cost == CAIRN_UNREACHABLE)
        status = search_below(search, CAIRN_UNREACHABLE, path);
    return judge_limit(search, status);
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

static void aim_at(cairn_search *search, cairn_node goal)
{
    cn_trip *trip = &search->trip;
    trip->goal = goal;
    cn_grid_xy(trip->grid, goal, &trip->goal_x, &trip->goal_y);
}

static void set_ends(cairn_search *search, cairn_node start, cairn_node goal)
{
    cn_trip *trip = &search->trip;
    search->scratch.expanded = 0;
    search->scratch.generated = 0;
    search->scratch.reopened = 0;
    search->scratch.is_paused = false;
    search->asked = goal;
    trip->own_bound = search->options.bound;
    trip->plain = cn_plain_of(search->map, search->options.plain);
    trip->weight = search->options.weight ? search->options.weight : WEIGHT_ONE;
    trip->start = start;
    aim_at(search, goal);
}

static void prepare_rows(cairn_search *search)
{
    cn_trip *trip = &search->trip;
    if (!trip->entries)
        return;
    trip->above = trip->entries + trip->goal * trip->stride;
    trip->below = trip->above;
    if (search->table->is_directed) {
        cn_bound_pair_rows(search->table, trip->above, search->above, search->below);
        trip->above = search->above;
        trip->below = search->below;
    } else if (search->trust == CN_TRUST_SOME) {
        leave_out_unsafe(search);
    }
}

/* What a row says of the cost from one node to another. Of a directed row only the difference that
 * its own direction bounds; where one end is unreachable there is nothing to be learned. */
static cairn_cost row_says(const cairn_table *table, uint32_t row, cairn_node from, cairn_node to)
{
    cairn_cost a = cn_table_entry(table, row, from), b = cn_table_entry(table, row, to);
    bool leads_back = cn_table_way(table, row) == CN_REVERSE;

    if (a == CAIRN_UNREACHABLE || b == CAIRN_UNREACHABLE)
        return 0;
    if (table->is_directed && (a > b) != leads_back)
        return 0;
    return a > b ? a - b : b - a;
}

/* What the rows said before the edits that made some of them unsafe. */
static cairn_cost stale_bound(void *context, cairn_node node)
{
    const cairn_search *search = context;
    const cairn_table *table = search->table;
    cairn_cost most = cn_plain_between(search->map, search->trip.plain, node, search->trip.goal);

    for (uint32_t row = 0; row < table->row_count; row++) {
        cairn_cost says = row_says(table, row, node, search->trip.goal);
        most = cn_trip_larger(most, cn_scale_up(search->trip.scale, says));
    }
    return most;
}

static void swap_open_lists(cairn_search *search)
{
    cn_open_list open = search->scratch.open;
    search->scratch.open = search->heap;
    search->heap = open;
}

/* Makes a run use all rows, or lets the runs to come do without unsafe ones. The bound is not
 * consistent then: only a heap and a search that may reopen nodes will do. All of it stays in place
 * until the next run begins, since this one may pause. */
static void use_stale_rows(cairn_search *search, bool wanted)
{
    cn_trip *trip = &search->trip;

    if (search->is_stale == wanted)
        return;
    search->is_stale = wanted;
    trip->own_bound = wanted ? stale_bound : search->options.bound;
    trip->own_context = wanted ? search : search->options.bound_context;
    search->searcher = wanted ? cn_search_any_ties : NULL;
    swap_open_lists(search);
}

static bool wants_stale_rows(const cairn_search *search)
{
    const cairn_table *table = search->table;
    return search->options.stale == CAIRN_STALE_USE && table && table->unsafe_count &&
           search->trip.goal == search->asked && cn_table_fits(table, search->ground);
}

/* Which rows take part, and how good they are. */
static void report_rows(const cairn_search *search, cairn_path *path)
{
    const cairn_table *table = search->table;
    bool with_unsafe = search->is_stale;

    if (!table)
        return;
    if (search->trust == CN_TRUST_NONE && !with_unsafe) {
        path->state = CAIRN_ROW_UNSAFE;
        return;
    }
    uint8_t most = 0;
    if (table->unsafe_count == 0) {
        path->row_count = table->row_count;
        for (uint32_t row = 0; row < table->row_count; row++)
            most = table->row_state[row] > most ? table->row_state[row] : most;
    }
    for (uint32_t row = 0; table->unsafe_count && row < table->row_count; row++) {
        uint8_t state = table->row_state[row];
        if (state == CAIRN_ROW_UNSAFE && !with_unsafe)
            continue;
        path->row_count++;
        most = state > most ? state : most;
    }
    path->state = (cairn_row_state)most;
    if (path->state == CAIRN_ROW_FRESH && !cn_table_fits(table, search->ground))
        path->state = CAIRN_ROW_WEAKER;
}

/* Where the bound that a search went by may be too high, one that is not may still tell something:
 * no path costs less than it says of the start. */
static uint32_t guarantee_of(const cairn_search *search, cairn_cost cost)
{
    const cn_trip *trip = &search->trip;
    cairn_bound bound;

    if (search->guarantee && !search->is_stale)
        return search->guarantee;
    if (cairn_bound_to(search->map, search->table, trip->goal, &bound) != CAIRN_OK)
        return 0;
    cairn_cost least = cairn_bound_at(&bound, trip->start);
    if (least == 0)
        return cost == 0 ? WEIGHT_ONE : 0;
    uint64_t guarantee = ((uint64_t)cost * WEIGHT_ONE + least - 1) / least;
    return guarantee <= UINT32_MAX ? (uint32_t)guarantee : 0;
}

/* What a search that has ended or paused came to. */
static cairn_status conclude(cairn_search *search, cairn_path *path)
{
    cairn_status status = CAIRN_OK;

    if (search->scratch.is_paused) {
        path->outcome = CAIRN_PATH_PAUSED;
    } else if (path->cost != CAIRN_UNREACHABLE) {
        path->outcome = search->trip.goal == search->asked ? CAIRN_PATH_FOUND
                                                           : CAIRN_PATH_NEAREST;
        path->guarantee = path->outcome == CAIRN_PATH_NEAREST ? WEIGHT_ONE
                                                              : guarantee_of(search, path->cost);
        status = cn_search_trace(search, path);
    }
    report_counts(search, path);
    return status;
}

/* Whether the search has found out that no path leads to the goal that was asked for, and another
 * one is to be found in its place. */
static bool wants_nearest(const cairn_search *search, const cairn_path *path)
{
    return search->options.nearest && search->trip.goal == search->asked &&
           path->cost == CAIRN_UNREACHABLE && !search->scratch.is_paused &&
           path->outcome != CAIRN_PATH_START_BLOCKED;
}

/* The way over a landmark has a cost that only rows in costs of the map know. */
static bool rows_settle(const cairn_search *search, cairn_node start, cairn_node goal,
                        cairn_cost *upper)
{
    bool apart = cn_bound_separates(search->table, start, goal, upper);
    if (search->trip.scale.factor)
        *upper = CAIRN_UNREACHABLE;
    return apart;
}

/* Whether no step joins the components of two cells: then no search is needed to know. */
static bool are_apart(const cairn_map *map, cairn_node start, cairn_node goal)
{
    const cn_components *components;
    return cn_map_connect(map, &components) == CAIRN_OK &&
           cn_component_of(components, start) != cn_component_of(components, goal);
}

/* Whether the ends alone say how the search comes out; *outcome is then how. */
static bool is_settled(const cairn_search *search, cairn_node start, cairn_node goal,
                       cairn_cost *upper, cairn_outcome *outcome)
{
    const cn_grid *grid = &search->map->grid;

    *upper = CAIRN_UNREACHABLE;
    *outcome = CAIRN_PATH_NONE;
    if (!cn_grid_is_open(grid, start))
        *outcome = CAIRN_PATH_START_BLOCKED;
    else if (!cn_grid_is_open(grid, goal))
        *outcome = CAIRN_PATH_GOAL_BLOCKED;
    else if (!are_apart(search->map, start, goal))
        return search->trip.entries && rows_settle(search, start, goal, upper);
    return true;
}

/* Whether rows raise the bound on the start. */
static bool rows_are_mute(const cairn_search *search)
{
    return cn_trip_rows(&search->trip, search->trip.start) <= plain_from_start(search);
}

static void leave_out_rows(cairn_search *search, cairn_path *path)
{
    search->trip.entries = NULL;
    search->searcher = choose_searcher(search);
    path->row_count = 0;
    path->state = CAIRN_ROW_FRESH;
}

static cairn_status check_call(const cairn_search *search, cairn_node start, cairn_node goal,
                               cairn_path *path)
{
    if (!search || !path)
        return CAIRN_E_ARGUMENT;
    *path = (cairn_path){.outcome = CAIRN_PATH_NONE,
                         .cost = CAIRN_UNREACHABLE,
                         .space = search->space};
    const cairn_map *map = search->map;
    if (start >= cn_map_node_count(map) || goal >= cn_map_node_count(map))
        return CAIRN_E_ARGUMENT;
    if (search->metric.straight != map->metric.straight ||
        search->metric.diagonal != map->metric.diagonal)
        return CAIRN_E_CHANGED;
    return CAIRN_OK;
}

/* Whether a diagonal and then a straight run lead from start to goal: then that is a shortest path,
 * and no bound is needed to know. */
static bool goal_is_in_sight(const cairn_search *search)
{
    const cn_trip *trip = &search->trip;
    uint32_t x, y;

    if (search->space != CAIRN_SPACE_JUMP || trip->start == trip->goal ||
        search->scratch.pause_at == 0)
        return false;
    cn_grid_xy(trip->grid, trip->start, &x, &y);
    return cn_jump_sees_goal(trip, trip->start, x, y,
                             trip->grid->moves[trip->grid->around[trip->start]]);
}

static cairn_status go_straight(cairn_search *search, cairn_path *path)
{
    const cn_trip *trip = &search->trip;
    cn_scratch *scratch = &search->scratch;

    scratch->records[trip->goal].parent = trip->start;
    scratch->expanded = 1;
    scratch->generated = 1;
    scratch->open.peak = 1;
    path->cost = cn_trip_plain(trip, trip->start);
    return conclude(search, path);
}

/* A search from the start to the goal that is aimed at. */
static cairn_status go(cairn_search *search, cairn_path *path)
{
    const cn_trip *trip = &search->trip;
    cairn_cost upper;

    if (goal_is_in_sight(search))
        return go_straight(search, path);
    bool settled = is_settled(search, trip->start, trip->goal, &upper, &path->outcome);
    use_stale_rows(search, wants_stale_rows(search));
    if (path->outcome == CAIRN_PATH_NONE)
        report_rows(search, path);
    prepare_rows(search);
    /* Rows that are too low say nothing of the way over a landmark. */
    if (path->state != CAIRN_ROW_FRESH)
        upper = CAIRN_UNREACHABLE;
    if (path->state == CAIRN_ROW_WEAKER && rows_are_mute(search))
        leave_out_rows(search, path);
    if (search->is_stale)
        path->space = CAIRN_SPACE_CELLS;
    search->begun = *path;
    if (settled)
        return CAIRN_OK;
    cairn_status status = search_between(search, upper, path);
    return status == CAIRN_OK ? conclude(search, path) : status;
}

/* A bound that holds takes the place of one that does not, and of the caller's own, which is one to
 * the goal that was asked for. */
static void go_by_a_safe_bound(cairn_search *search)
{
    cn_trip *trip = &search->trip;
    trip->own_bound = NULL;
    trip->weight = WEIGHT_ONE;
    if (!cairn_bound_is_admissible(search->map, search->options.plain))
        trip->plain = cn_plain_of(search->map, CAIRN_PLAIN_BEST);
}

static cairn_status go_nearest(cairn_search *search, cairn_path *path)
{
    cairn_node nearest;
    cairn_status status = cn_search_nearest(search, &nearest);
    if (status != CAIRN_OK)
        return status;
    use_stale_rows(search, false);
    status = follow_table(search);
    if (status != CAIRN_OK)
        return status;
    go_by_a_safe_bound(search);
    aim_at(search, nearest);
    path->outcome = CAIRN_PATH_NONE;
    path->state = CAIRN_ROW_FRESH;
    path->row_count = 0;
    return go(search, path);
}

static cairn_status run(cairn_search *search, cairn_node start, cairn_node goal,
                        cairn_path *path)
{
    use_stale_rows(search, false);
    set_ends(search, start, goal);
    cairn_status status = follow_table(search);
    if (status != CAIRN_OK)
        return status;
    status = go(search, path);
    return status == CAIRN_OK && wants_nearest(search, path) ? go_nearest(search, path) : status;
}

static cairn_status fail(const cairn_search *search, cairn_status status, cairn_path *path)
{
    *path = (cairn_path){.outcome = CAIRN_PATH_NONE,
                         .cost = CAIRN_UNREACHABLE,
                         .space = search->space};
    return status;
}

static cairn_status run_until(cairn_search *search, cairn_node start, cairn_node goal,
                              uint64_t pause_at, cairn_path *path)
{
    cairn_status status = check_call(search, start, goal, path);
    if (status != CAIRN_OK)
        return status;
    path->run = ++search->run;
    search->scratch.pause_at = pause_at;
    status = run(search, start, goal, path);
    return status == CAIRN_OK ? status : fail(search, status, path);
}

cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                              cairn_path *path)
{
    uint64_t limit = search ? search->options.expansion_limit : 0;
    return run_until(search, start, goal, limit ? limit : UINT64_MAX, path);
}

static bool is_resumable(const cairn_search *search)
{
    return search && (search->options.resumable || search->options.expansion_limit);
}

cairn_status cairn_search_begin(cairn_search *search, cairn_node start, cairn_node goal,
                                cairn_path *path)
{
    if (!is_resumable(search))
        return CAIRN_E_ARGUMENT;
    return run_until(search, start, goal, 0, path);
}

/* Whether map and table are what the records and the bound of the paused search were made from. */
static bool is_as_begun(const cairn_search *search)
{
    return search->map_version == search->map->version &&
           search->table_version == version_of(search->table);
}

cairn_status cairn_search_resume(cairn_search *search, uint64_t expansions, cairn_path *path)
{
    if (!is_resumable(search) || !path)
        return CAIRN_E_ARGUMENT;
    cn_scratch *scratch = &search->scratch;
    if (!scratch->is_paused || !is_as_begun(search))
        return fail(search, scratch->is_paused ? CAIRN_E_CHANGED : CAIRN_E_ARGUMENT, path);

    *path = search->begun;
    path->run = ++search->run;
    uint64_t most = UINT64_MAX - scratch->expanded;
    scratch->pause_at = scratch->expanded + (expansions < most ? expansions : most);
    cairn_status status = judge_limit(search, search->searcher(&search->trip, scratch,
                                                               &path->cost));
    if (status == CAIRN_OK)
        status = conclude(search, path);
    if (status == CAIRN_OK && wants_nearest(search, path))
        status = go_nearest(search, path);
    return status == CAIRN_OK ? status : fail(search, status, path);
}
