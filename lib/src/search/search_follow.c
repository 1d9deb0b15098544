/* Before each run a search checks whether its map and table have changed, and chooses the rows, the
 * place of records, the open list and the compiled search for their present state. */
#include "search/search.h"

#include "bound/gate_shelf.h"
#include "table/corner_rows.h"

/* The most buckets of searches along jump points. Along a table of corners more than these gain
 * nothing; without one the larger number saves a third of the time on large maps. */
enum { BUCKETS_ALONG_JUMPS = 2048, BUCKETS_ALONG_CORNERS = 512 };

/* The fewest buckets beside which keys wait elsewhere. */
enum { BUCKETS_AT_LEAST = 2048 };

/* No limit to the shift of keys. */
enum { COARSE_AS_NEEDED = 32 };

/* Where more of the cells are corners, runs are short, and reading them from memory takes longer
 * than following them. Along rows the records of all cells of a smaller map lie in near caches, and
 * are found sooner than those by corner. */
enum { CELLS_FOR_A_CORNER = 16, CELLS_ALONG_ROWS = 8192 };

/* Along a table of corners records of all cells, from a time at which its rows could not be used,
 * are kept only up to RECORDS_IN_VAIN for each corner. Searches by corner begin with room for
 * RECORDS_AT_FIRST. */
enum { RECORDS_IN_VAIN = 8, RECORDS_AT_FIRST = 64 };

/* -------------------------------------------------------------------------- the open list -- */

bool cn_search_needs_heap(const cairn_search *search)
{
    const cairn_search_options *options = &search->options;
    return !search->is_consistent || options->ties;
}

/* With a consistent bound f rises along an arc by at most twice its cost. (More only where the arc
 * leads to a node from which the reverse is dearer.) */
static uint32_t rise_of(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    uint32_t side = grid->width > grid->height ? grid->width : grid->height;
    if (search->is_general)
        return 2 * cn_map_dearest(search->map);
    return 2 * search->query.metric.diagonal * (search->space == CAIRN_SPACE_JUMP ? side : 1);
}

/* Keys along jump points are no coarser than so small a part of a straight step. Of equal keys the
 * last comes first: along rows on slopes, where costs differ finely and bounds are close, coarse
 * ones let nodes be expanded along dearer paths first, and again along cheaper ones. So there they
 * are no coarser than a small part of the dearest step, either; much finer ones only wait. */
enum { PARTS_OF_A_STEP = 8, PARTS_OF_THE_DEAREST = 1024 };

static unsigned coarsest_along_jumps(const cairn_search *search)
{
    const uint32_t level = search->query.metric.straight / PARTS_OF_A_STEP;
    uint32_t part = level;
    if (search->map->grid.heights.cells && cn_search_may_use_rows(search)) {
        const uint32_t sloping = cn_map_dearest(search->map) / PARTS_OF_THE_DEAREST;
        part = sloping < level ? sloping : level;
    }
    return part ? cn_highest_bit(part) : 0;
}

/* Costs of arcs by their highest bits: of all arcs, or of a sample of about a thousand. */
typedef struct cost_sample {
    uint32_t counts[32];
    uint32_t size;
} cost_sample;

static cost_sample sample_costs(const cairn_map *map)
{
    enum { SAMPLES = 1000 };
    const cn_graph *graph = map->graph;
    cost_sample sample = {0};

    if (!graph) {
        sample.counts[cn_highest_bit(cn_map_cheapest(map))] = sample.size = 1;
        return sample;
    }
    for (uint32_t i = 0; i < graph->arc_count; i += graph->arc_count / SAMPLES + 1, sample.size++)
        sample.counts[cn_highest_bit(graph->out[i].cost)]++;
    return sample;
}

/* The least bit such that more than so many of a hundred arcs cost less than 1 << bit. */
static unsigned bit_above(const cost_sample *sample, uint32_t percent)
{
    unsigned bit = 0;
    for (uint32_t below = 0; bit < 32 && below * 100 <= sample->size * percent; bit++)
        below += sample->counts[bit];
    return bit;
}

/* Where the dearest arcs would make keys more than four times as coarse as a quarter of the arcs,
 * nodes would be expanded in a poor order, and repeatedly. There keys are as fine as costs, the
 * ring is for nearly all arcs, and what the others lead to waits. */
static uint32_t choose_bucket_count_beyond(const cairn_search *search, unsigned *coarsest)
{
    enum { MANY = 25, NEARLY_ALL = 90 };
    if (!search->is_general)
        return CN_BUCKETS_MAX;
    const cost_sample sample = sample_costs(search->map);
    if (bit_above(&sample, MANY) + 2 > cn_open_shift_for(search->open_choice.rise, CN_BUCKETS_MAX))
        return CN_BUCKETS_MAX;
    *coarsest = 0;
    const uint64_t serving = UINT64_C(2) << bit_above(&sample, NEARLY_ALL);
    if (serving >= CN_BUCKETS_MAX)
        return CN_BUCKETS_MAX;
    return serving > BUCKETS_AT_LEAST ? (uint32_t)serving : BUCKETS_AT_LEAST;
}

/* 0: a heap. Along jump points f may rise far, but mostly rises little: so few buckets serve, which
 * stay in the cache, and what is beyond them waits. */
static uint32_t choose_bucket_count(const cairn_search *search, unsigned *coarsest)
{
    *coarsest = COARSE_AS_NEEDED;
    if (search->is_general && cn_search_needs_heap(search))
        return 0;
    uint32_t count = cn_open_buckets_for((uint64_t)search->open_choice.rise + 2);
    if (search->space == CAIRN_SPACE_JUMP) {
        const bool at_corners = cn_search_may_use_rows(search) && search->table->corners &&
                                !search->followed.takes_rows_left_out;
        const uint32_t most = at_corners ? BUCKETS_ALONG_CORNERS : BUCKETS_ALONG_JUMPS;
        *coarsest = coarsest_along_jumps(search);
        return count && count < most ? count : most;
    }
    return count ? count : choose_bucket_count_beyond(search, coarsest);
}

/* Chooses an open list for the present costs of arcs. */
static cairn_status follow_costs(cairn_search *search)
{
    cn_open_list *open = &search->scratch.open;
    cn_open_choice *choice = &search->open_choice;
    choice->rise = rise_of(search);
    uint32_t count = choose_bucket_count(search, &choice->coarsest);
    if (choice->map_hash == 0 || count != open->bucket_count) {
        const size_t peak = open->peak;
        cn_open_free(open);
        choice->map_hash = 0;
        cairn_status status = cn_open_init(open, &search->mem, count);
        open->peak = peak;
        if (status != CAIRN_OK)
            return status;
        open->ties = search->options.ties;
    }
    choice->map_hash = search->map->hash;
    choice->table = search->table;
    choice->may_use_rows = cn_search_may_use_rows(search);
    choice->was_led = false;
    return CAIRN_OK;
}

static bool costs_are_followed(const cairn_search *search)
{
    const cn_open_choice *choice = &search->open_choice;
    return !choice->was_led && choice->map_hash == search->map->hash &&
           choice->table == search->table && choice->may_use_rows == cn_search_may_use_rows(search);
}

/* Makes keys so coarse that usually all of them have buckets at any time, but not coarser than was
 * chosen: others wait. */
static unsigned shift_for(const cairn_search *search, cairn_cost base, cairn_cost limit)
{
    uint32_t buckets = search->scratch.open.bucket_count, range = search->open_choice.rise;

    if (buckets == 0 || range + 2 <= buckets)
        return 0;
    if (limit < CAIRN_UNREACHABLE && limit - base < range)
        range = limit - base;
    const unsigned shift = cn_open_shift_for(range, buckets);
    const unsigned most = search->open_choice.coarsest;
    return shift < most ? shift : most;
}

void cn_search_reset(cairn_search *search, cairn_cost base, cairn_cost limit)
{
    cn_scratch *scratch = &search->scratch;
    cn_scratch_forget(scratch);
    scratch->limit = limit;
    scratch->shift = shift_for(search, base, limit);
    scratch->is_paused = false;
}

/* --------------------------------------------------------------------- records and corners -- */

/* Whether there are far more records than corners: those of all cells are left, and are not needed
 * for the next run that meets avoided nodes. */
static bool has_far_more_records(const cairn_search *search)
{
    const cn_corners *corners = search->query.corners;
    return !search->avoidance.count && cn_search_may_use_rows(search) && search->table->corners &&
           corners && search->scratch.record_count / RECORDS_IN_VAIN > corners->count;
}

/* Whether they are freed now: they are kept for some time, since the next edit may need them. */
static bool judge_records(cairn_search *search)
{
    const bool are_many = has_far_more_records(search);
    const bool is_due = are_many && cn_worth_judge_if_trim_is_due(&search->worth, search->map);
    if (is_due || !are_many)
        search->worth.trim_due = UINT64_MAX;
    return is_due;
}

static size_t records_at_first(const cn_corners *corners)
{
    return corners->count + 2u < RECORDS_AT_FIRST ? corners->count + 2u : RECORDS_AT_FIRST;
}

/* Makes room for the records of all nodes or, by corner, of the first ones that are discovered. */
static cairn_status reserve_records(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    const cn_corners *corners = search->query.corners;
    const size_t count = corners ? records_at_first(corners) : cn_map_node_count(search->map);
    const bool frees = judge_records(search);

    if (corners && cn_scratch_reserve_directory(scratch, corners->count + 2u) != CAIRN_OK)
        return CAIRN_E_MEMORY;
    if (scratch->records && count <= scratch->record_count && !frees)
        return CAIRN_OK;
    cn_release(&search->mem, scratch->records);
    scratch->record_count = 0;
    scratch->records = cn_zeroed(&search->mem, count, sizeof *scratch->records);
    if (!scratch->records)
        return CAIRN_E_MEMORY;
    scratch->record_count = count;
    return CAIRN_OK;
}

/* The arcs of corners that are known on the map as it is. */
static cairn_status follow_corner_arcs(cairn_search *search)
{
    const cn_corners *extension = search->query.corners;
    cn_query *query = &search->query;
    cn_corner_arcs *arcs;

    cairn_status status = cn_corner_rows_arcs(search->table, search->map, &arcs);
    if (status == CAIRN_OK && arcs && arcs->hash == search->map->hash) {
        query->corner_arcs = query->found_arcs = arcs;
    } else if (status == CAIRN_OK && extension->former_arcs) {
        query->corner_arcs = extension->former_arcs;
        query->expired = extension->expired;
    }
    return status;
}

static void use_records_by_node(cairn_search *search)
{
    cn_query *query = &search->query;

    query->corners = NULL;
    query->corner_arcs = NULL;
    query->found_arcs = NULL;
    query->expired = NULL;
    query->corner_table = NULL;
    search->worth.corner_runs_due = UINT64_MAX;
    search->followed.goal_by = CN_GOAL_BY_NODE;
}

/* Records by the corners of the map. */
static cairn_status follow_map_corners(cairn_search *search)
{
    const cairn_map *map = search->map;
    cn_query *query = &search->query;
    cn_corner_arcs *arcs;

    cairn_status status = cn_map_corners(map, &query->corners);
    if (status == CAIRN_OK)
        status = cn_corner_arcs_of(query->corners, map->hash, &map->mem, &arcs);
    if (status == CAIRN_OK)
        query->corner_arcs = query->found_arcs = arcs;
    return status;
}

static bool suits_corners(const cairn_search *search)
{
    const cairn_map *map = search->map;
    const cn_query *query = &search->query;
    return search->space == CAIRN_SPACE_JUMP && search->options.space == CAIRN_SPACE_AUTO &&
           !query->scale.factor && !query->avoided && cn_corner_rows_suit(map) &&
           (!query->entries || cn_map_node_count(map) >= CELLS_ALONG_ROWS);
}

/* Jump points without rows of a table of corners have their records by cell for some time after
 * their map has changed, along rows of small maps, and where there are very many corners, or very
 * many runs from them. */
static cairn_status follow_by_map(cairn_search *search)
{
    const cairn_map *map = search->map;
    const cn_corners *corners;

    if (!suits_corners(search) || !cn_worth_judge_if_runs_are_due(&search->worth, map))
        return CAIRN_OK;
    cairn_status status = cn_map_corners(map, &corners);
    if (status == CAIRN_OK && corners->count <= cn_map_node_count(map) / CELLS_FOR_A_CORNER &&
        !cn_worth_judge_if_runs_are_many(&search->worth, map, search->query.jump, corners))
        status = follow_map_corners(search);
    return status;
}

/* Along a table of corners jump points have their records by corner where its rows may be used: of
 * its set, after edits of its extension. Other searches read entries of its members by cell. */
static cairn_status follow_corners(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_query *query = &search->query;

    query->has_entries_by_node = table && !table->corners;
    if (!table || !table->corners)
        return follow_by_map(search);
    if (search->space != CAIRN_SPACE_JUMP || query->avoided)
        query->corner_table = query->entries ? table : NULL;
    else if (query->gate_view)
        query->corners = query->gate_view->gates->extension->corners;
    else if (query->entries)
        query->corners = table->corners;
    else
        return follow_by_map(search);
    if (query->corners == table->corners && cn_table_is_fresh(table, search->followed.row_map))
        search->followed.goal_by = cn_search_ground_is_open(table, search->map)
                                       ? CN_GOAL_BY_ENDS_ON_OPEN_GROUND
                                       : CN_GOAL_BY_ENDS;
    if (search->space != CAIRN_SPACE_JUMP || !query->entries)
        return CAIRN_OK;
    cairn_status status = cn_search_reserve_places(search);
    return status == CAIRN_OK && query->corners ? follow_corner_arcs(search) : status;
}

/* ------------------------------------------------------------------------------------ rows -- */

/* Room for bounds of the cells at gates. */
static cairn_status reserve_view(cairn_search *search, const cn_gates *gates)
{
    cn_goal_gates *self = &search->goal_gates;
    cn_gate_view *view = &self->view;
    if (!view->inside || gates->rim_count > self->inside_count) {
        cn_release(&search->mem, view->inside);
        view->inside = cn_array(&search->mem, gates->rim_count, sizeof *view->inside);
        self->inside_count = gates->rim_count;
    }
    view->gates = gates;
    view->aim = &self->aim;
    if (!self->limits)
        self->limits = cn_array(&search->mem, 1, sizeof *self->limits);
    view->limits = self->limits;
    view->ways = self->ways;
    return view->inside && self->limits ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* Room for the goal's entries. */
static cairn_status reserve_lanes(cairn_search *search)
{
    const uint32_t count = search->table->lane_count;
    cn_goal_entries *self = &search->goal_entries;

    if (self->row && count <= self->lane_count)
        return CAIRN_OK;
    cn_release(&search->mem, self->row);
    self->lane_count = count;
    self->row = cn_array(&search->mem, 3 * (size_t)count, sizeof *self->row);
    if (!self->row)
        return CAIRN_E_MEMORY;
    self->above = self->row + count;
    self->below = self->above + count;
    return CAIRN_OK;
}

static cairn_status bind_rows(cairn_search *search)
{
    const cairn_table *table = search->table;
    cn_query *query = &search->query;

    query->entries = table->entries;
    query->stride = table->lane_count * table->entry_bits / 8;
    query->lane_count = table->lane_count;
    query->row_count = table->row_count;
    query->entry_bits = table->entry_bits;
    query->rows = cn_rows_kernel_for(table->entry_bits, query->cpu);
    return reserve_lanes(search);
}

/* Whether each query judges rows beside very many runs. */
static bool queries_judge_rows(const cairn_search *search)
{
    return cn_table_is_fresh(search->table, search->followed.row_map) &&
           !search->avoidance.met_count;
}

/* Whether rows at corners are left out from cell to cell: beside many avoided nodes, where cells
 * see far, and with a heuristic of the caller that does not allow nodes to hand bounds on. */
static bool cells_leave_rows_out(cairn_search *search)
{
    const bool is_beside_many = search->options.space == CAIRN_SPACE_AUTO && !search->is_general;
    return is_beside_many || !cairn_bound_is_consistent(search->map, search->options.heuristic) ||
           cn_worth_judge_if_sight_is_far(&search->worth, search->map);
}

/* Whether nodes would have to be reopened that the caller wants closed, beside rows that are read
 * at corners alone: from cell to cell, or where avoided nodes were met. */
static bool may_not_reopen(const cairn_search *search)
{
    return search->options.never_reopen &&
           (search->space != CAIRN_SPACE_JUMP || search->avoidance.met_count);
}

/* How rows at corners are left out where they cost more than most queries save by them;
 * CN_ROWS_NONE: they are not. */
static cairn_status judge_rows(cairn_search *search, cn_rows_used *left)
{
    const cn_corners *corners = search->table->corners;
    bool are_crowded = false;
    cairn_status status = CAIRN_OK;

    *left = CN_ROWS_NONE;
    if (!corners)
        return CAIRN_OK;
    if (search->space == CAIRN_SPACE_JUMP)
        status = cn_worth_judge_if_rows_are_crowded(&search->worth, search->map, corners,
                                                    &are_crowded);
    else
        are_crowded = cells_leave_rows_out(search);
    if (may_not_reopen(search))
        *left = CN_ROWS_CROWDED;
    else if (are_crowded)
        *left = search->space == CAIRN_SPACE_JUMP && queries_judge_rows(search) ? CN_ROWS_BY_QUERY
                                                                                : CN_ROWS_CROWDED;
    return status;
}

static cn_rows_used rows_of(cn_trust trust, const cn_gates *gates)
{
    return gates                    ? CN_ROWS_BY_GATES
           : trust == CN_TRUST_ALL  ? CN_ROWS_ALL
           : trust == CN_TRUST_SOME ? CN_ROWS_SAFE
                                    : CN_ROWS_NONE;
}

/* Finds out which rows may be used, and the gates that they need, if these are due or there
 * already. */
static cairn_status judge_by_gates(cairn_search *search, const cn_gates **gates)
{
    const cairn_map *row_map = search->followed.row_map;
    cn_trust trust = CN_TRUST_NONE;
    bool are_made = true;
    const cairn_status status =
        cn_worth_judge_if_gates_are_due(&search->worth, search->table, row_map)
            ? cn_gates_of(search->table, row_map, &trust, gates)
            : cn_gates_if_made(search->table, row_map, &trust, gates, &are_made);
    if (are_made)
        search->worth.gates_due = UINT64_MAX;
    if (status == CAIRN_OK && are_made)
        search->followed.rows = rows_of(trust, *gates);
    return status;
}

/* Uses none of the rows; the list of what the table lacks is kept up to date all the same. */
static cairn_status leave_rows(cairn_search *search, cn_rows_used left)
{
    const cn_gates *gates = NULL;
    cn_trust trust;
    bool are_made;
    search->followed.rows = left;
    return cn_gates_if_made(search->table, search->followed.row_map, &trust, &gates, &are_made);
}

static cairn_status choose_rows(cairn_search *search, const cn_gates **gates)
{
    cn_rows_used left;
    cairn_status status = cn_table_row_map(search->table, search->map, &search->followed.row_map);
    if (status == CAIRN_OK)
        status = judge_rows(search, &left);
    if (status != CAIRN_OK)
        return status;
    const bool are_used = left == CN_ROWS_NONE ||
                          (left == CN_ROWS_BY_QUERY && search->followed.takes_rows_left_out);
    return are_used ? judge_by_gates(search, gates) : leave_rows(search, left);
}

/* Chooses the rows that are used, and binds the query to them. */
static cairn_status choose_and_bind_rows(cairn_search *search)
{
    const cn_gates *gates = NULL;
    cairn_status status = CAIRN_OK;

    search->followed.rows = CN_ROWS_NONE;
    search->query.entries = NULL;
    search->query.gate_view = NULL;
    search->query.scale = (cn_scale){0};
    search->worth.gates_due = UINT64_MAX;
    if (!search->table)
        return CAIRN_OK;
    status = choose_rows(search, &gates);
    if (status == CAIRN_OK && gates)
        status = reserve_view(search, gates);
    if (status == CAIRN_OK && gates)
        search->query.gate_view = &search->goal_gates.view;
    if (status == CAIRN_OK)
        search->query.scale = cn_scale_of(search->table, search->map);
    return status == CAIRN_OK && cn_search_may_use_rows(search) ? bind_rows(search) : status;
}

/* ------------------------------------------------------------------------------- following -- */

/* From each cell of a major run at most two minor ones leave. The four diagonals through a cell
 * have at most twice the cells of the shorter side; the other major runs, those of a row or a
 * column, or of hexagons, have no more than one cell in each row and column. Searches by corner
 * make room when they need it. */
static size_t most_arcs(const cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    const size_t width = grid->width, height = grid->height;
    const bool has_diagonals = cn_rule_has_diagonals(grid->rules.rule);
    const size_t cells = has_diagonals ? 2 * (width < height ? width : height) : width + height;
    if (search->query.corners)
        return 1;
    return CN_ARCS_SCRATCH + (search->space == CAIRN_SPACE_JUMP ? 2 * cells : 0);
}

static cairn_status reserve_arcs(cairn_search *search)
{
    cn_arc_list *arcs = &search->scratch.arcs;
    arcs->count = 0;
    return cn_arc_list_reserve(arcs, most_arcs(search)) ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status reserve_room(cairn_search *search)
{
    const cairn_status status = reserve_records(search);
    return status == CAIRN_OK ? reserve_arcs(search) : status;
}

/* Chooses the compiled search, for map and table as they are. */
static void choose_searcher(cairn_search *search)
{
    cn_query *query = &search->query;

    query->is_direct = !query->corner_table && !query->gate_view && !query->scale.factor;
    search->followed.searcher = cn_search_choose_searcher(search);
    search->followed.map_version = search->map->version;
    search->followed.table_version = cn_table_version(search->table);
}

static cairn_status follow_state(cairn_search *search)
{
    cn_worth_count_from_change(&search->worth, search->map);
    if (!cn_search_is_as_begun(search))
        search->goal_entries.goal = CAIRN_NO_NODE;
    use_records_by_node(search); /* the corners of the last run may be gone */
    cairn_status status = choose_and_bind_rows(search);
    if (status == CAIRN_OK && !costs_are_followed(search))
        status = follow_costs(search);
    if (status == CAIRN_OK)
        status = cn_search_follow_avoidance(search);
    if (status == CAIRN_OK)
        status = follow_corners(search);
    if (status == CAIRN_OK)
        status = reserve_room(search);
    if (status != CAIRN_OK)
        return status;
    choose_searcher(search);
    search->followed.is_for_one_run = false;
    return CAIRN_OK;
}

cairn_status cn_search_follow_worth(cairn_search *search)
{
    search->followed.takes_rows_left_out = true;
    const cairn_status status = follow_state(search);
    search->followed.takes_rows_left_out = false;
    search->followed.is_for_one_run = true;
    if (status != CAIRN_OK)
        cn_search_unfollow(search);
    return status;
}

/* The records of all cells are still there where they are needed again. */
static void take_rows_back(cairn_search *search)
{
    search->query.entries = search->table->entries;
    if (!suits_corners(search))
        use_records_by_node(search);
    search->followed.searcher = cn_search_choose_searcher(search);
}

/* After a failure the records may be others than those of the compiled search. */
static void choose_or_unfollow(cairn_search *search, cairn_status status)
{
    if (status == CAIRN_OK)
        search->followed.searcher = cn_search_choose_searcher(search);
    else
        cn_search_unfollow(search);
}

cairn_status cn_search_follow_mute(cairn_search *search)
{
    search->query.entries = NULL;
    cairn_status status = follow_by_map(search);
    if (status == CAIRN_OK)
        status = reserve_records(search);
    cn_scratch_forget(&search->scratch);
    if (status != CAIRN_OK)
        use_records_by_node(search);
    choose_or_unfollow(search, status);
    return status;
}

/* The map is the same, so no bound of a known node is too high. They stay as they are, and the
 * search remains exact: cn_astar_key. */
cairn_status cn_search_follow_refresh(cairn_search *search)
{
    const cairn_status status = choose_and_bind_rows(search);

    if (status != CAIRN_OK) {
        cn_search_unfollow(search);
        return status;
    }
    choose_searcher(search);
    search->followed.is_for_one_run = true;
    cn_search_prepare_goal_rows(search);
    cn_search_choose_heuristic(search);
    return CAIRN_OK;
}

cairn_status cn_search_leave_corners(cairn_search *search)
{
    use_records_by_node(search);
    search->followed.is_for_one_run = true;
    const cairn_status status = reserve_room(search);
    cn_scratch_forget(&search->scratch);
    choose_or_unfollow(search, status);
    return status;
}

/* Whether map, table and what is avoided are as in the last run, and nothing has become due since
 * (search_worth.c). That is the usual case, and checking it is much cheaper than examining them
 * again. */
static bool nothing_to_follow(const cairn_search *search)
{
    return search->followed.searcher && !search->followed.is_for_one_run &&
           cn_search_is_as_begun(search) &&
           search->followed.met_count == search->avoidance.met_count &&
           search->worth.spent < search->worth.corner_runs_due &&
           search->worth.spent < search->worth.trim_due &&
           search->worth.bare < search->worth.gates_due;
}

/* Whether the last run left out the rows because they were mute (cn_search_rows_are_mute). */
static bool rows_were_mute(const cairn_search *search)
{
    return cn_search_may_use_rows(search) && !search->query.entries;
}

/* Adapts the search to a table that may have been refreshed and a map that may have been edited.
 * Then the last run is forgotten, whose records may be numbered otherwise; where nothing has
 * changed they stay. After a failure no compiled search is set, since the old one may not match the
 * records. */
cairn_status cn_search_follow(cairn_search *search)
{
    cairn_status status = CAIRN_OK;

    if (!nothing_to_follow(search))
        status = follow_state(search);
    else if (rows_were_mute(search))
        take_rows_back(search);
    else
        return CAIRN_OK;
    cn_scratch_forget(&search->scratch);
    if (status != CAIRN_OK)
        cn_search_unfollow(search);
    return status;
}
