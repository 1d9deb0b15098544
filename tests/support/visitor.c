#include "visitor.h"

#include "check.h"
#include "fixtures.h"

static bool same_arcs(const oracle_arcs *one, const oracle_arcs *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        const oracle_arc *a = &one->list[i], *b = &other->list[i];
        if (a->from != b->from || a->to != b->to)
            return false;
        if (a->cost != b->cost && a->from != a->to &&
            oracle_arc_between(one, a->from, a->to) != oracle_arc_between(other, a->from, a->to))
            return false;
    }
    return true;
}

static cairn_cost no_bound(void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return 0;
}

cairn_search_options visitor_options(dice *luck)
{
    static const uint32_t weights[] = {0, 0, 1300, 4000};
    cairn_search_options options = {.size = sizeof options,
                                    .space = (cairn_space)dice_below(luck, CAIRN_SPACE_JUMP + 1),
                                    .form = (cairn_form)dice_below(luck, 2),
                                    .nearest = dice_below(luck, 4) == 0};

    if (dice_below(luck, 3) == 0)
        options.expansion_limit = 1 + dice_below(luck, 20);
    if (dice_below(luck, 2))
        return options; /* which the fast spaces have */
    options.ties = (cairn_ties)dice_below(luck, 3);
    options.weight = weights[dice_below(luck, COUNT_OF(weights))];
    if (dice_below(luck, 3) == 0)
        options.heuristic = (cairn_heuristic)dice_below(luck, CAIRN_HEURISTIC_SQUARED + 1);
    if (dice_below(luck, 12) == 0)
        options.bound = no_bound;
    options.never_reopen = dice_below(luck, 4) == 0;
    return options;
}

void visitor_enter(visitor *self, cairn_search_options options, const cairn_map *map,
                   const cairn_table *table)
{
    *self = (visitor){.options = options, .map = map};
    cairn_status status = cairn_search_new(map, table, &self->options, &self->search);
    if (status == CAIRN_E_ARGUMENT) {
        self->options.heuristic = CAIRN_HEURISTIC_BEST;
        status = cairn_search_new(map, table, &self->options, &self->search);
    }
    assert_int_equal(status, CAIRN_OK);
    self->table = self->options.bound ? NULL : table;
}

void visitor_leave(visitor *self)
{
    cairn_search_free(self->search);
    oracle_arcs_free(&self->arcs);
}

void visitor_lead(visitor *self, const cairn_map *map, const cairn_table *table)
{
    if (map != self->map) {
        self->map_version = 0;
        self->writes = UINT64_MAX;
    }
    self->map = map;
    self->table = self->options.bound ? NULL : table;
    assert_int_equal(cairn_search_use(self->search, map, table), CAIRN_OK);
}

bool visitor_lead_to(visitor *self, cairn_world *world, bool to_draft)
{
    cairn_status status = CAIRN_OK;
    visitor_let_go(self, world);
    if (to_draft)
        status = cairn_world_draft(world, &self->view);
    else
        self->view = cairn_world_acquire(world);
    if (status == CAIRN_BUSY)
        return false;
    assert_int_equal(status, CAIRN_OK);
    visitor_lead(self, self->view.map, self->view.table);
    return true;
}

void visitor_let_go(visitor *self, cairn_world *world)
{
    cairn_world_release(world, &self->view);
}

static uint64_t table_version(const cairn_table *table)
{
    return table ? cairn_table_version(table) : 0;
}

static bool is_by_cell(const cairn_table *table)
{
    return table && cairn_table_resident(table) == CAIRN_RESIDENT_CELLS;
}

/* ----------------------------------------------------------------------------------- answers -- */

static void assert_path(const visitor *self, const cairn_path *path, cairn_node end)
{
    assert_true(path->node_count > 0);
    assert_int_equal(path->nodes[0], self->start);
    assert_int_equal(path->nodes[path->node_count - 1], end);
    assert_int_equal(oracle_arc_path(&self->arcs, path->nodes, path->node_count), path->cost);
}

/* Whether cheaper paths to nodes that have been expanded may have been ignored. */
static bool may_keep_closed(const visitor *self)
{
    const cairn_search_options *options = &self->options;
    return options->never_reopen && (options->weight > 1000 || options->bound ||
                                     !cairn_bound_is_consistent(self->map, options->heuristic));
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

/* No node that the start leads to is nearer to the goal; of those that are as near, none is nearer
 * to the start, nor as near to it and of a lower number. Nothing is nearer to the start than
 * itself. */
static void assert_nearest(const visitor *self, cairn_node end, const uint64_t *costs)
{
    const cairn_cost away = apart(self->map, end, self->goal);
    const cairn_cost gone = apart(self->map, self->start, end);

    for (cairn_node node = 0; node < self->arcs.node_count; node++) {
        if (costs[node] == ORACLE_NEVER)
            continue;
        cairn_cost other = apart(self->map, node, self->goal);
        assert_true(other >= away);
        if (other > away || end == self->start)
            continue;
        cairn_cost way = apart(self->map, self->start, node);
        assert_true(way > gone || (way == gone && node >= end));
    }
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
        assert_nearest(self, end, costs);
        return;
    }
    default:
        assert_true(!self->options.nearest && costs[self->goal] == ORACLE_NEVER);
        assert_int_equal(path->outcome, cairn_map_is_open(self->map, self->goal)
                                            ? CAIRN_PATH_NONE
                                            : CAIRN_PATH_GOAL_BLOCKED);
    }
}

/* Whether a search along a table of corners does without gates, for which they may not be worth it.
 * A new one makes them at once. */
static bool waits_for_gates(const visitor *self, const cairn_path *path, const cairn_path *by_new)
{
    return self->table && cairn_table_resident(self->table) == CAIRN_RESIDENT_CORNERS &&
           path->row_count == 0 && by_new->row_count > 0;
}

/* A search of the same options that never pauses comes to the same. */
static void assert_as_without_pause(const visitor *self, const cairn_path *path)
{
    cairn_search_options options = self->options;
    cairn_search *search;
    cairn_path whole;

    options.expansion_limit = 0;
    assert_int_equal(cairn_search_new(self->map, self->table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, self->start, self->goal, &whole), CAIRN_OK);
    cairn_search_free(search);
    assert_int_equal(path->outcome, whole.outcome);
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

static void assert_answer(visitor *self, cairn_path *path)
{
    self->is_paused = path->outcome == CAIRN_PATH_PAUSED;
    assert_int_equal(cairn_search_cells(self->search, path), CAIRN_OK);
    if (self->is_paused) {
        assert_int_equal(path->node_count, 0);
        return;
    }
    if (!cairn_map_is_open(self->map, self->start)) {
        assert_int_equal(path->outcome, CAIRN_PATH_START_BLOCKED);
        return;
    }
    uint64_t *costs = oracle_arc_costs(&self->arcs, ORACLE_FROM, &self->start, 1);
    assert_found(self, path, costs);
    free(costs);
    if (self->is_sliced && self->table_version == table_version(self->table))
        assert_as_without_pause(self, path);
}

/* ----------------------------------------------------------------------------------- queries -- */

cairn_node visitor_node(const cairn_map *map, dice *luck)
{
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    for (unsigned i = 0; i < 8 && !cairn_map_is_open(map, node); i++)
        node = dice_below(luck, cairn_map_node_count(map));
    return node;
}

void visitor_ask(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes)
{
    cairn_path path;

    oracle_arcs_free(&self->arcs);
    self->arcs = oracle_arcs_copy(arcs);
    self->start = visitor_node(self->map, luck);
    self->goal = visitor_node(self->map, luck);
    self->map_version = cairn_map_version(self->map);
    self->table_version = table_version(self->table);
    self->was_by_cell = is_by_cell(self->table);
    self->writes = writes;
    bool begins = dice_below(luck, 4) > 0;
    self->is_sliced = begins || self->options.expansion_limit;
    cairn_status status = begins ? cairn_search_begin(self->search, self->start, self->goal, &path)
                                 : cairn_search_run(self->search, self->start, self->goal, &path);
    assert_int_equal(status, CAIRN_OK);
    assert_answer(self, &path);
}

/* Whether a paused search may go on: by what the versions say, which must not be less than the
 * arcs do, nor more than the calls. */
static bool may_go_on(const visitor *self, const oracle_arcs *now, uint64_t writes)
{
    const bool same_map = self->map_version == cairn_map_version(self->map);
    const bool same_table = self->table_version == table_version(self->table);
    if (now && !same_arcs(now, &self->arcs))
        assert_false(same_map);
    if (self->writes == writes)
        assert_true(same_map && same_table);
    return same_map && (same_table || (self->was_by_cell && is_by_cell(self->table)));
}

void visitor_resume(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes)
{
    cairn_path path;
    uint64_t expansions = dice_below(luck, 4) ? dice_below(luck, 12) : UINT64_MAX;
    cairn_status status = dice_below(luck, 8)
                              ? cairn_search_resume(self->search, expansions, &path)
                              : cairn_search_resume_for(self->search, dice_below(luck, 9), &path);

    if (!self->is_paused) {
        assert_int_equal(status, CAIRN_E_ARGUMENT);
    } else if (may_go_on(self, arcs, writes)) {
        assert_int_equal(status, CAIRN_OK);
        assert_answer(self, &path);
    } else {
        assert_int_equal(status, CAIRN_E_CHANGED);
        assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    }
}
