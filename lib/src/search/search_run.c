/*
 * Runs of a search: from start and goal to the resulting path. Who calls whom:
 *
 *   cairn_search_run             and cairn_search_begin: a slice of expansions begins
 *     cn_search_run_or_stand_in
 *       cn_search_run_below      to the goal, in a cost below a ceiling
 *         cn_search_follow       search_follow.c: if map, table or what is avoided has changed
 *                                (unless the ends alone tell that there is no path),
 *                                chooses which rows may be used (all, safe ones, all by gates,
 *                                none), where records are, and the compiled search
 *         search_to_goal         decides what needs no search: ends that avoided nodes enclose
 *                                (ask_if_cut_off), a goal in sight, ends that are blocked or not
 *                                connected (ends_decide), rows that prove that there is no path
 *           take_rows_if_worth_it  beside very many runs: rows that other queries leave out
 *           prepare_or_defer_rows  of the rows that may be used: prepares them for the goal, lets
 *                                them wait, or leaves them out where they say nothing
 *           begin_search         limits the cost by that of a path by way of a landmark
 *             continue_search    without that limit, where it was too low
 *               run_core         the compiled search: astar_core.h over a space
 *           conclude             the path, from the records: search_path.c
 *         retry_until_final      search_again with an admissible bound, if another met its limit,
 *                                and as long as its path meets avoided nodes: search_avoid.c
 *       retry_to_stand_in        search_again to a stand-in for the goal, if no path leads there
 *   cn_search_go_on_or_stand_in  for cairn_search_resume (nearest/slices.c)
 *     cn_search_go_on            continue_search, conclude, retry_until_final
 *     retry_to_stand_in
 */
#include "search/search.h"

/* Costs above the limit are an error only if a path leads to the goal. */
static cairn_status judge_limit(cairn_search *search, cairn_status status)
{
    if (status != CAIRN_E_LIMIT || search->query.corners)
        return status;
    const bool leads_there = cn_search_walk(search, search->query.goal);
    cn_scratch_forget(&search->scratch);
    return leads_there ? status : CAIRN_OK;
}

/* So many nodes are expanded before rows are used that may wait. */
enum { EXPANSIONS_WITHOUT_ROWS = 8 };

/* Expands nodes without rows until these are due, or the slice ends. So they are used after the
 * same node wherever slices end. */
static cairn_status run_core_without_rows(cairn_search *search, cairn_cost *cost)
{
    cn_scratch *scratch = &search->scratch;
    const uint64_t end = scratch->slice.expansions, check_at = scratch->check_at;

    if (search->run.rows_due < end)
        scratch->slice.expansions = search->run.rows_due;
    if (scratch->slice.expansions < scratch->check_at)
        scratch->check_at = scratch->slice.expansions;
    cairn_status status = search->searchers->corners_base(&search->query, scratch, cost);
    scratch->slice.expansions = end;
    scratch->check_at = check_at > scratch->expanded ? check_at : scratch->expanded;
    return status;
}

/* Runs the compiled search from the start, or from where it paused: without rows until these are
 * due. */
static cairn_status run_core(cairn_search *search, cairn_cost *cost)
{
    const cn_scratch *scratch = &search->scratch;
    cairn_status status = CAIRN_OK;

    if (search->run.rows_due) {
        status = run_core_without_rows(search, cost);
        if (status != CAIRN_OK || !scratch->is_paused || scratch->expanded < search->run.rows_due)
            return status;
        status = cn_search_end_wait_for_rows(search);
        search->scratch.is_paused = status == CAIRN_OK;
    }
    return status == CAIRN_OK ? search->followed.searcher(&search->query, &search->scratch, cost)
                              : status;
}

/* Whether the path that costs too much may not be the shortest. */
static bool is_worth_another(const cairn_search *search)
{
    return !search->run.is_admissible &&
           (search->query.weight > CN_WEIGHT_ONE || search->scratch.keeps_closed ||
            !cairn_bound_is_admissible(search->map, search->options.heuristic));
}

/* Begins or continues the search below the present limit. Where there is no path below a limit of
 * ours, it goes on without that. */
static cairn_status continue_search(cairn_search *search, cairn_path *path)
{
    cn_scratch *scratch = &search->scratch;
    cairn_status status = run_core(search, &path->cost);

    if (status == CAIRN_OK && path->cost == CAIRN_UNREACHABLE && !scratch->is_paused &&
        scratch->first_limit < search->run.ceiling) {
        search->query.limits_first_runs = false;
        cn_search_reset(search, cn_search_base_from_start(search), search->run.ceiling);
        status = run_core(search, &path->cost);
    }
    return status == CAIRN_E_LIMIT && is_worth_another(search) ? status
                                                               : judge_limit(search, status);
}

void cn_search_book_expansions(cairn_search *search)
{
    cn_worth_add(&search->worth, search->scratch.expanded, cn_search_may_use_rows(search));
    search->scratch.expanded = 0;
}

void cn_search_report_counts(const cairn_search *search, cairn_path *path)
{
    const cn_counts counts = cn_scratch_counts(&search->scratch);
    cn_counts_report(&counts, path);
}

/* First searches below the cost of a path by way of a landmark, or on open ground below a guess.
 * The bound at the start is above that only if entries are wrong; then the ceiling is the only
 * limit. */
static cairn_status begin_search(cairn_search *search, cairn_cost upper, cairn_path *path)
{
    const cairn_cost base = cn_search_base_from_start(search);
    if (search->followed.goal_by == CN_GOAL_BY_ENDS_ON_OPEN_GROUND)
        upper = cn_guess(base); /* tables of corners tell no cost by way of a landmark */
    const bool is_bounded = !cn_search_needs_heap(search) && upper <= CAIRN_COST_MAX &&
                            upper >= base && upper < search->run.ceiling;
    if (base >= search->run.ceiling)
        return CAIRN_OK;
    cn_search_reset(search, base, is_bounded ? upper + 1 : search->run.ceiling);
    return continue_search(search, path);
}

static void aim_at(cairn_search *search, cairn_node goal)
{
    cn_query *query = &search->query;
    query->goal = goal;
    cn_grid_xy(query->grid, goal, &query->goal_x, &query->goal_y);
}

void cn_search_aim(cairn_search *search, cairn_node goal)
{
    aim_at(search, goal);
    cn_search_prepare_goal_rows(search);
}

/* Hits on the first cells of the diagonals from a cell: those of one row lie in a line of the
 * cache, or two. */
CN_ALWAYS_INLINE void fetch_diagonals(const cn_query *query, cairn_node node)
{
    enum { ROWS = 3 };
    const uintptr_t hits = (uintptr_t)(query->jump->hits + node);
    const size_t width = query->grid->width;

    for (size_t i = 0; i <= ROWS; i++) {
        CN_PREFETCH((const void *)(hits + i * width));
        CN_PREFETCH((const void *)(hits - i * width));
    }
}

CN_ALWAYS_INLINE void fetch_lines(const void *from, const void *end)
{
    for (const char *at = from; at < (const char *)end; at += CN_CACHE_LINE)
        CN_PREFETCH(at);
}

/* The goal's entries and the scratch lie side by side, and the members behind them. */
_Static_assert(offsetof(cairn_search, goal_entries) < offsetof(cairn_search, scratch) &&
                   offsetof(cairn_search, scratch) < offsetof(cairn_search, members) &&
                   offsetof(cairn_search, members) - offsetof(cairn_search, goal_entries) <
                       sizeof(cn_goal_entries) + sizeof(cn_scratch) + 2 * sizeof(uint64_t),
               "fetch_first fetches what lies from goal_entries to members");

/* Fetches what every run by corner reads, so that a cold cache is waited for once: most of what the
 * search keeps between runs, and what lies around start and goal. To fetch also what takes one more
 * look-up to find costs more than it gains. Inline, as compilers drop calls of functions that only
 * prefetch. */
CN_ALWAYS_INLINE void fetch_first(const cairn_search *search, cairn_node start, cairn_node goal)
{
    const cn_query *query = &search->query;

    fetch_diagonals(query, start);
    fetch_diagonals(query, goal);
    fetch_lines(query, query + 1);
    fetch_lines(&search->goal_entries, &search->members);
    CN_PREFETCH(search->goal_entries.row);
}

void cn_search_begin_run(cairn_search *search, cairn_node start, cairn_node goal,
                         cairn_cost ceiling)
{
    cn_query *query = &search->query;
    cn_present_run *run = &search->run;

    run->asked = goal;
    run->ceiling = ceiling;
    run->is_guess = false;
    run->guesses = 0;
    run->is_admissible = false;
    cn_search_book_expansions(search);
    search->scratch.generated = search->scratch.followed = 0;
    search->scratch.reopened = 0;
    search->scratch.open.peak = 0;
    search->avoidance.filling.goal = CAIRN_NO_NODE;
    cn_scratch_give_up(&search->scratch);
    search->scratch.keeps_closed = search->options.never_reopen && !search->is_consistent;
    query->own_bound = search->options.bound;
    query->weight = search->options.weight ? search->options.weight : CN_WEIGHT_ONE;
    query->start = start;
    aim_at(search, goal);
}

/* What the path that was found costs, beside rows that are read at corners alone: a cheaper path to
 * one of its nodes may have been found after the goal. */
static cairn_cost cost_of_records(const cairn_search *search)
{
    const cn_query *query = &search->query;
    cairn_cost cost = 0;
    cairn_node at = query->goal;

    CN_ASSERT(query->corner_table && !query->corners);
    while (at != query->start) {
        const cairn_node from = cn_record_parent(cn_scratch_record(&search->scratch, false, at));
        uint32_t x, y, from_x, from_y;
        cn_grid_xy(query->grid, at, &x, &y);
        cn_grid_xy(query->grid, from, &from_x, &from_y);
        cost += cn_octile(query->metric, x, y, from_x, from_y);
        if (query->avoided)
            cost += cn_avoidance_extra_if_met(query->avoided, at);
        at = from;
    }
    return cost;
}

/* Fills in the result of a search that has ended or paused. */
static cairn_status conclude(cairn_search *search, cairn_path *path)
{
    cairn_status status = CAIRN_OK;

    if (search->scratch.is_paused) {
        path->outcome = CAIRN_PATH_PAUSED;
    } else if (path->cost != CAIRN_UNREACHABLE) {
        path->outcome = search->query.goal == search->run.asked ? CAIRN_PATH_FOUND
                                                                : CAIRN_PATH_NEAREST;
        if (search->query.corner_table)
            path->cost = cost_of_records(search);
        path->guarantee = search->run.is_admissible ? CN_WEIGHT_ONE
                                                    : cn_search_guarantee(search, path->cost);
        status = cn_search_trace(search, path);
    }
    cn_search_report_counts(search, path);
    return status;
}

/* Whether the search has found that no path leads to the caller's goal, or to the guess, and
 * another node is to stand in for it. */
static bool wants_stand_in(const cairn_search *search, const cairn_path *path)
{
    return search->options.nearest &&
           (search->query.goal == search->run.asked || search->run.is_guess) &&
           path->cost == CAIRN_UNREACHABLE && !search->scratch.is_paused &&
           path->outcome != CAIRN_PATH_START_BLOCKED;
}

/* Whether two cells are in different components. */
static bool are_apart(const cairn_map *map, cairn_node start, cairn_node goal)
{
    const cn_components *components;
    return cn_map_connect(map, &components) == CAIRN_OK &&
           cn_component_of(components, start) != cn_component_of(components, goal);
}

/* Whether the goal may not be entered. */
static bool is_forbidden(const cairn_search *search, cairn_node start, cairn_node goal)
{
    const cn_avoidance *avoided = &search->avoidance;
    return avoided->count && start != goal &&
           cn_avoidance_extra(avoided, goal) == CAIRN_UNREACHABLE;
}

/* Whether start and goal alone tell that there is no path: *outcome. */
static bool ends_decide(const cairn_search *search, cairn_node start, cairn_node goal,
                        cairn_outcome *outcome)
{
    const cn_grid *grid = &search->map->grid;

    *outcome = CAIRN_PATH_NONE;
    if (!cn_grid_is_open(grid, start))
        *outcome = CAIRN_PATH_START_BLOCKED;
    else if (!cn_grid_is_open(grid, goal) || is_forbidden(search, start, goal))
        *outcome = CAIRN_PATH_GOAL_BLOCKED;
    else
        return are_apart(search->map, start, goal);
    return true;
}

static void clear_path(const cairn_search *search, cairn_path *path)
{
    if (path)
        *path = cn_no_path(search ? search->space : CAIRN_SPACE_CELLS);
}

cairn_status cn_search_fail(const cairn_search *search, cairn_status status, cairn_path *path)
{
    clear_path(search, path);
    return status;
}

cairn_status cn_search_check_call(const cairn_search *search, cairn_node start, cairn_node goal,
                                  cairn_path *path)
{
    clear_path(search, path);
    if (!search || !path)
        return CAIRN_E_ARGUMENT;
    const cairn_map *map = search->map;
    if (start >= cn_map_node_count(map) || goal >= cn_map_node_count(map))
        return CAIRN_E_ARGUMENT;
    return cn_metric_is_same(search->metric, map->metric) ? CAIRN_OK : CAIRN_E_CHANGED;
}

/* Whether a major run followed by a minor one leads from start to goal, at the cost of the base
 * heuristic: this is then a shortest path, and needs no bound. Neighbours are left to the search
 * where terrain may lie between them. */
static bool goal_is_in_sight(const cairn_search *search)
{
    const cn_query *query = &search->query;
    bool has_borders = query->jump && query->jump->borders;
    uint32_t x, y;

    if (search->space != CAIRN_SPACE_JUMP || query->start == query->goal)
        return false;
    cn_grid_xy(query->grid, query->start, &x, &y);
    if (!cn_jump_sees_goal(query, has_borders, query->start, x, y,
                           cn_grid_steps(query->grid, query->start)))
        return false;
    if (!has_borders)
        return true;
    const cn_jump_shape shape = query->jump->shape;
    const cairn_metric metric = cn_jump_metric(query, shape, query->start);
    const cn_leg leg = cn_jump_leg(shape, x, y, query->goal_x, query->goal_y);
    return leg.majors + leg.minors > 1 &&
           cn_jump_leg_cost(query, shape, metric, x, y) == cn_query_kind_base(query, query->start);
}

/* The result where it is known that there is no path below the ceiling. */
static cairn_status conclude_without(cairn_search *search, cairn_path *path)
{
    path->space = search->space;
    search->run.rows_due = 0;
    search->run.begun = *path;
    cn_scratch_forget(&search->scratch);
    return CAIRN_OK;
}

static cairn_status take_straight_way(cairn_search *search, cairn_path *path)
{
    const cn_query *query = &search->query;
    cn_scratch *scratch = &search->scratch;
    const bool by_directory = query->corners != NULL;

    if (cn_query_kind_base(query, query->start) >= search->run.ceiling)
        return conclude_without(search, path);
    path->cost = cn_query_kind_base(query, query->start);
    cn_search_number_lone_ends(search);
    cn_scratch_forget(scratch);
    cn_record *first = cn_scratch_new_record(scratch, by_directory, query->start_number);
    cn_record *last = cn_scratch_new_record(scratch, by_directory, query->goal_number);
    *first = cn_record_of_start(scratch->stamp, query->start_number, path->cost);
    *last = cn_record_of_goal(scratch->stamp, query->start_number, path->cost);
    cn_record_take_all_steps(first);
    scratch->expanded++;
    scratch->generated++;
    if (!scratch->open.peak)
        scratch->open.peak = 1;
    return conclude(search, path);
}

/* Goes on without the rows, in this run alone. CAIRN_E_MEMORY. */
static cairn_status go_on_without_mute_rows(cairn_search *search, cairn_path *path)
{
    path->row_count = 0;
    path->state = cn_search_edits_mute_rows(search) ? CAIRN_ROW_UNSAFE : CAIRN_ROW_FRESH;
    cairn_status status = cn_search_follow_mute(search);
    cn_search_number_ends(search);
    return status;
}

/* Takes rows that most queries leave out, where they are worth it. CAIRN_E_MEMORY. */
static cairn_status take_rows_if_worth_it(cairn_search *search)
{
    if (search->followed.rows != CN_ROWS_BY_QUERY || !cn_search_rows_are_worth_it(search))
        return CAIRN_OK;
    const cairn_status status = cn_search_follow_worth(search);
    if (status == CAIRN_OK)
        cn_search_number_ends(search);
    return status;
}

/* Prepares the rows for the goal, lets them wait where the search may end before it needs them, or
 * leaves them out where they say nothing; and chooses the base heuristic beside them. The cost of a
 * path by way of a landmark, *upper, is given up where it is not certain. */
static cairn_status prepare_or_defer_rows(cairn_search *search, cairn_path *path, cairn_cost *upper)
{
    cn_query *query = &search->query;
    const bool rows_wait = cn_search_rows_may_wait(search);
    cairn_status status = CAIRN_OK;

    search->run.rows_due = 0;
    query->limits_first_runs = search->followed.goal_by != CN_GOAL_BY_NODE && !rows_wait;
    if (rows_wait)
        search->run.rows_due = search->scratch.expanded + EXPANSIONS_WITHOUT_ROWS;
    else
        cn_search_prepare_goal_rows(search);
    /* Rows that may be too low do not give that cost, and the path may lead through avoided
     * nodes. */
    if (path->state != CAIRN_ROW_FRESH || query->avoided)
        *upper = CAIRN_UNREACHABLE;
    if (cn_search_rows_are_mute(search, path->state))
        status = go_on_without_mute_rows(search, path);
    cn_search_choose_heuristic(search);
    return status;
}

/* Whether avoided nodes are known to keep start and goal apart: *is_cut_off. CAIRN_E_MEMORY. */
static cairn_status ask_if_cut_off(cairn_search *search, bool *is_cut_off)
{
    const cn_grid *grid = &search->map->grid;
    const cairn_node start = search->query.start, goal = search->query.goal;

    *is_cut_off = false;
    if (!search->avoidance.count || search->map->graph || !cn_grid_is_open(grid, start) ||
        !cn_grid_is_open(grid, goal) || is_forbidden(search, start, goal))
        return CAIRN_OK;
    return cn_search_seek_enclosure(search, start, goal, is_cut_off);
}

/* A search from the start to query.goal. */
static cairn_status search_to_goal(cairn_search *search, cairn_heuristic heuristic,
                                   cairn_path *path)
{
    cn_query *query = &search->query;
    cairn_cost upper = CAIRN_UNREACHABLE;
    bool is_cut_off;

    search->run.heuristic = heuristic;
    query->heuristic = cn_base_of(search->map, heuristic);
    path->space = search->space;
    cairn_status status = ask_if_cut_off(search, &is_cut_off);
    if (status != CAIRN_OK)
        return status;
    if (is_cut_off) {
        path->outcome = CAIRN_PATH_NONE;
        return conclude_without(search, path);
    }
    if (!is_forbidden(search, query->start, query->goal) && goal_is_in_sight(search))
        return take_straight_way(search, path);
    cn_search_number_ends(search);
    if (ends_decide(search, query->start, query->goal, &path->outcome))
        return conclude_without(search, path);
    status = take_rows_if_worth_it(search);
    if (status != CAIRN_OK)
        return status;
    cn_search_report_rows(search, path);
    if (query->entries && cn_search_rows_decide(search, query->start, query->goal, &upper))
        return conclude_without(search, path);
    status = prepare_or_defer_rows(search, path, &upper);
    search->run.begun = *path;
    if (status == CAIRN_OK)
        status = begin_search(search, upper, path);
    return status == CAIRN_OK ? conclude(search, path) : status;
}

/* Searches once more, as the run is set up now. */
static cairn_status search_again(cairn_search *search, cairn_node goal, cairn_path *path)
{
    const cairn_heuristic heuristic = search->options.heuristic;
    const bool keeps_heuristic = !search->run.is_admissible ||
                                 cairn_bound_is_admissible(search->map, heuristic);
    const cairn_status status = cn_search_follow(search);

    if (status != CAIRN_OK)
        return status;
    aim_at(search, goal);
    *path = cn_no_path(search->space);
    path->run = search->run.number;
    cn_search_report_counts(search, path);
    return search_to_goal(search, keeps_heuristic ? heuristic : CAIRN_HEURISTIC_BEST, path);
}

/* Searches once more, with an admissible bound. It is not the `bound` of the options, which is
 * meant for the caller's goal. */
static cairn_status search_by_safe_bound(cairn_search *search, cairn_node goal, cairn_path *path)
{
    search->run.is_admissible = true;
    search->scratch.keeps_closed = false;
    search->query.own_bound = NULL;
    search->query.weight = CN_WEIGHT_ONE;
    return search_again(search, goal, path);
}

/* The result of a search or, if that met costs above the limit which the shortest path need not
 * have, of another one by an admissible bound. */
static cairn_status retry_by_safe_bound(cairn_search *search, cairn_status status, cairn_path *path)
{
    return status == CAIRN_E_LIMIT && is_worth_another(search)
               ? search_by_safe_bound(search, search->query.goal, path)
               : status;
}

/* The result of a search that needs no more searches to the same goal: neither by an admissible
 * bound, nor for avoided nodes that it has met. */
static cairn_status retry_until_final(cairn_search *search, cairn_status status, cairn_path *path)
{
    bool must_repeat;

    status = retry_by_safe_bound(search, status, path);
    status = cn_search_meet_avoided(search, status, path, &must_repeat);
    while (must_repeat) {
        status = search_again(search, search->query.goal, path);
        status = retry_by_safe_bound(search, status, path);
        status = cn_search_meet_avoided(search, status, path, &must_repeat);
    }
    return status;
}

/* Finds the stand-in for the goal, and searches for a path to it. Where bounds hid a path to the
 * goal, that is the goal itself; if they were admissible, so that entries must be wrong, another
 * search would find none either. */
static cairn_status search_to_stand_in(cairn_search *search, cairn_path *path)
{
    cairn_node node;
    const cairn_status status = cn_search_stand_in(search, &node);
    if (status != CAIRN_OK || (search->run.is_admissible && node == search->run.asked))
        return status;
    return retry_until_final(search, search_by_safe_bound(search, node, path), path);
}

/* The result of a search or, if no path leads to its goal and the options say so, of another one
 * to the node that stands in for it; of more where those were guesses. */
static cairn_status retry_to_stand_in(cairn_search *search, cairn_status status, cairn_path *path)
{
    bool is_next = true;
    while (status == CAIRN_OK && is_next && wants_stand_in(search, path)) {
        status = search_to_stand_in(search, path);
        is_next = search->run.is_guess;
    }
    return status;
}

/* Whether the ends may decide before the search follows map and table: something has changed since
 * the last run, and an earlier run has found that the table is one of the map. */
static bool may_follow_later(const cairn_search *search)
{
    return search->followed.searcher && !cn_search_is_as_begun(search);
}

cairn_status cn_search_run_below(cairn_search *search, cairn_node start, cairn_node goal,
                                 cairn_cost ceiling, cairn_path *path)
{
    if (search->query.corners && search->scratch.directory.count > CN_CORNERS_FEW)
        fetch_first(search, start, goal);
    cn_search_begin_run(search, start, goal, ceiling);
    if (may_follow_later(search) && ends_decide(search, start, goal, &path->outcome))
        return conclude_without(search, path);
    cairn_status status = cn_search_follow(search);
    if (status == CAIRN_OK)
        status = search_to_goal(search, search->options.heuristic, path);
    return retry_until_final(search, status, path);
}

cairn_status cn_search_go_on(cairn_search *search, cairn_path *path)
{
    *path = search->run.begun;
    path->run = search->run.number;
    cairn_status status = continue_search(search, path);
    if (status == CAIRN_OK)
        status = conclude(search, path);
    return retry_until_final(search, status, path);
}

cairn_status cn_search_run_or_stand_in(cairn_search *search, cairn_node start, cairn_node goal,
                                       cairn_path *path)
{
    const cairn_status status = cn_search_run_below(search, start, goal, CAIRN_UNREACHABLE, path);
    return retry_to_stand_in(search, status, path);
}

static cairn_status run_until(cairn_search *search, cairn_node start, cairn_node goal,
                              uint64_t expansions, cairn_path *path)
{
    cairn_status status = cn_search_check_call(search, start, goal, path);
    if (status != CAIRN_OK)
        return status;
    path->run = ++search->run.number;
    search->run.is_paused_hunt = false;
    cn_search_book_expansions(search);
    cn_scratch_slice(&search->scratch, &search->options, expansions, 0);
    cn_search_begin_avoidance(search);
    status = cn_search_run_or_stand_in(search, start, goal, path);
    return status == CAIRN_OK ? status : cn_search_fail(search, status, path);
}

cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                              cairn_path *path)
{
    uint64_t limit = search ? search->options.expansion_limit : 0;
    return run_until(search, start, goal, limit ? limit : UINT64_MAX, path);
}

cairn_status cairn_search_begin(cairn_search *search, cairn_node start, cairn_node goal,
                                cairn_path *path)
{
    return run_until(search, start, goal, 0, path);
}

cairn_status cn_search_catch_up(cairn_search *search)
{
    if (cn_search_is_as_begun(search))
        return CAIRN_OK;
    const cairn_status status = cn_search_follow_refresh(search);
    if (status != CAIRN_OK)
        cn_scratch_give_up(&search->scratch);
    return status;
}

cairn_status cn_search_go_on_or_stand_in(cairn_search *search, cairn_path *path)
{
    const cairn_status status = cn_search_go_on(search, path);
    return retry_to_stand_in(search, status, path);
}
