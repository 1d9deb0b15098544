/* What answers of a visitor's search must be. */
#include "visitor.h"

#include "check.h"
#include "fixtures.h"

static void assert_path(const visitor *self, const cairn_path *path, cairn_node end)
{
    assert_true(path->node_count > 0);
    assert_int_equal(path->nodes[0], self->start);
    assert_int_equal(path->nodes[path->node_count - 1], end);
    assert_int_equal(oracle_arc_path(&self->ways, path->nodes, path->node_count), path->cost);
}

/* Whether cheaper paths to nodes that have been expanded may have been ignored. */
static bool may_keep_closed(const visitor *self)
{
    const cairn_search_options *options = &self->options;
    return options->never_reopen &&
           (options->weight > 1000 || options->bound || !self->was_consistent);
}

/* The guarantee is true, and as good as theory has it. */
static void assert_guarantee(const visitor *self, const cairn_path *path, uint64_t least)
{
    const cairn_search_options *options = &self->options;
    bool holds = options->bound || cairn_bound_is_admissible(self->map, options->heuristic);

    assert_true(path->cost >= least);
    if (path->guarantee)
        assert_true(path->cost * UINT64_C(1000) <= least * path->guarantee);
    if (options->never_reopen)
        assert_int_equal(path->reopened, 0);
    if (holds && !may_keep_closed(self))
        assert_int_equal(path->guarantee, options->weight ? options->weight : 1000);
}

/* The best base heuristic. */
static cairn_cost apart(const cairn_map *map, cairn_node from, cairn_node to)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, NULL, to, &bound), CAIRN_OK);
    return cairn_bound_at(&bound, from);
}

void assert_stands_in(const cairn_map *map, const uint64_t *costs, cairn_node start,
                      cairn_node goal, cairn_node end)
{
    const cairn_cost away = apart(map, end, goal), gone = apart(map, start, end);
    cairn_bound to_goal;

    assert_true(costs[end] != ORACLE_NEVER);
    assert_int_equal(cairn_bound_to(map, NULL, goal, &to_goal), CAIRN_OK);
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        if (costs[node] == ORACLE_NEVER)
            continue;
        cairn_cost other = cairn_bound_at(&to_goal, node);
        assert_true(other >= away);
        if (other > away || end == start)
            continue;
        cairn_cost way = apart(map, start, node);
        assert_true(way > gone || (way == gone && node >= end));
    }
}

static bool may_enter(const visitor *self, cairn_node node)
{
    return cairn_map_is_open(self->map, node) &&
           avoided_extra(&self->listed, node) != CAIRN_UNREACHABLE;
}

static void assert_found(const visitor *self, const cairn_path *path, const uint64_t *costs)
{
    switch (path->outcome) {
    case CAIRN_PATH_FOUND:
        assert_path(self, path, self->goal);
        assert_guarantee(self, path, costs[self->goal]);
        return;
    case CAIRN_PATH_NEAREST: {
        assert_true(self->options.nearest && costs[self->goal] == ORACLE_NEVER);
        cairn_node end = path->nodes[path->node_count - 1];
        assert_path(self, path, end);
        assert_int_equal(path->cost, costs[end]);
        assert_stands_in(self->map, costs, self->start, self->goal, end);
        return;
    }
    default:
        assert_true(!self->options.nearest && costs[self->goal] == ORACLE_NEVER);
        assert_int_equal(path->outcome,
                         may_enter(self, self->goal) ? CAIRN_PATH_NONE : CAIRN_PATH_GOAL_BLOCKED);
    }
}

/* Whether a search along a table of corners does without gates, for which they may not be worth it.
 * A new one makes them at once. */
static bool waits_for_gates(const visitor *self, const cairn_path *path, const cairn_path *by_new)
{
    return self->table && cairn_table_resident(self->table) == CAIRN_RESIDENT_CORNERS &&
           path->row_count == 0 && by_new->row_count > 0;
}

/* A new search of the same options that never pauses. */
static void run_whole(const visitor *self, cairn_path *path)
{
    const avoided *listed = &self->listed;
    cairn_search_options options = self->options;
    cairn_search *search;

    options.expansion_limit = 0;
    assert_int_equal(cairn_search_new(self->map, self->table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, listed->nodes, listed->extra, listed->count),
                     CAIRN_OK);
    assert_int_equal(cairn_search_run(search, self->start, self->goal, path), CAIRN_OK);
    cairn_search_free(search);
}

/* Beside avoided nodes a search begins with those that it has met before, in the space that was the
 * faster one when they were listed. Its open list is one for the map that it was made on. */
static bool may_count_otherwise(const visitor *self, const cairn_path *path)
{
    const bool may_choose = path->space == CAIRN_SPACE_JUMP ||
                            self->options.space == CAIRN_SPACE_AUTO;
    return (self->listed.count && may_choose) ||
           self->was_consistent != cairn_bound_is_consistent(self->map, self->options.heuristic);
}

/* A search without pause comes to the same. */
static void assert_as_without_pause(const visitor *self, const cairn_path *path)
{
    cairn_path whole;

    run_whole(self, &whole);
    assert_int_equal(path->outcome, whole.outcome);
    if (may_count_otherwise(self, path))
        return;
    assert_int_equal(path->space, whole.space);
    if (waits_for_gates(self, path, &whole))
        return;
    assert_int_equal(path->cost, whole.cost);
    assert_int_equal(path->state, whole.state);
    assert_int_equal(path->row_count, whole.row_count);
    assert_int_equal(path->guarantee, whole.guarantee);
    assert_int_equal(path->expanded, whole.expanded);
    assert_int_equal(path->generated, whole.generated);
}

/* Only where a path costs more than the most that can be: one to the goal, or to a node that stands
 * in for it. */
static void assert_limit(visitor *self, const uint64_t *costs)
{
    const uint64_t to_goal = costs[self->goal];
    bool is_beyond = to_goal != ORACLE_NEVER && to_goal > CAIRN_COST_MAX;
    for (uint32_t node = 0; self->options.nearest && node < self->ways.node_count; node++)
        is_beyond |= to_goal == ORACLE_NEVER && costs[node] != ORACLE_NEVER &&
                     costs[node] > CAIRN_COST_MAX;
    assert_true(is_beyond);
    self->is_paused = false;
}

static void assert_end(visitor *self, cairn_status status, cairn_path *path)
{
    uint64_t *costs = oracle_arc_costs(&self->ways, ORACLE_FROM, &self->start, 1);
    if (status == CAIRN_E_LIMIT) {
        assert_limit(self, costs);
    } else {
        assert_int_equal(status, CAIRN_OK);
        assert_found(self, path, costs);
        if (self->is_sliced && self->table_version == visitor_table_version(self))
            assert_as_without_pause(self, path);
    }
    free(costs);
}

static void assert_answer(visitor *self, cairn_status status, cairn_path *path)
{
    if (!cairn_map_is_open(self->map, self->start))
        assert_int_equal(path->outcome, CAIRN_PATH_START_BLOCKED);
    else
        assert_end(self, status, path);
}

/* ------------------------------------------------------------------------------ many ends -- */

static uint64_t least_of(const visitor *self)
{
    const many_ends *ends = &self->ends;
    const oracle_way way = ends->are_starts ? ORACLE_TO : ORACLE_FROM;
    uint64_t *costs = oracle_arc_costs(&self->ways, way, &ends->other, 1);
    uint64_t least = ORACLE_NEVER;
    for (size_t i = 0; i < ends->count; i++) {
        const bool is_open = cairn_map_is_open(self->map,
                                               ends->are_starts ? ends->nodes[i] : ends->other);
        if (is_open && costs[ends->nodes[i]] < least)
            least = costs[ends->nodes[i]];
    }
    free(costs);
    return least;
}

/* The result of a run with many ends. Where no path leads to any, it is that for the first. */
static void assert_any(visitor *self, cairn_status status, cairn_path *path)
{
    const many_ends *ends = &self->ends;
    const uint64_t least = least_of(self);
    const size_t which = status == CAIRN_OK && least != ORACLE_NEVER ? path->which : 0;

    assert_true(which < ends->count);
    *(ends->are_starts ? &self->start : &self->goal) = ends->nodes[which];
    if (status == CAIRN_OK && least != ORACLE_NEVER) {
        assert_int_equal(path->outcome, CAIRN_PATH_FOUND);
        assert_path(self, path, self->goal);
        assert_guarantee(self, path, least);
    } else if (status == CAIRN_E_LIMIT && least != ORACLE_NEVER) {
        assert_true(least > CAIRN_COST_MAX);
    } else {
        self->is_sliced = false; /* it counts otherwise than a run for the first alone */
        assert_answer(self, status, path);
    }
}

/* ------------------------------------------------------------------------------------ either -- */

void visitor_check_answer(visitor *self, cairn_status status, cairn_path *path)
{
    self->is_paused = status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED;
    if (status == CAIRN_OK)
        assert_int_equal(cairn_search_cells(self->search, path), CAIRN_OK);
    if (self->is_paused)
        assert_int_equal(path->node_count, 0);
    else if (self->ends.count)
        assert_any(self, status, path);
    else
        assert_answer(self, status, path);
}
