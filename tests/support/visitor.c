#include "visitor.h"

#include "check.h"
#include "fixtures.h"

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
    self->was_consistent = cairn_bound_is_consistent(map, self->options.heuristic);
}

void visitor_leave(visitor *self)
{
    cairn_search_free(self->search);
    oracle_arcs_free(&self->arcs);
    oracle_arcs_free(&self->ways);
}

void visitor_lead(visitor *self, const cairn_map *map, const cairn_table *table)
{
    const cairn_table *used = self->options.bound ? NULL : table;
    if (map != self->map || used != self->table) {
        self->map_version = 0;
        self->writes = UINT64_MAX;
    }
    self->map = map;
    self->table = used;
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

static bool is_by_cell(const cairn_table *table)
{
    return table && cairn_table_resident(table) == CAIRN_RESIDENT_CELLS;
}

/* ------------------------------------------------------------------------------------ lists -- */

/* Too large a node, or an extra above the largest cost. */
static void assert_refusal(visitor *self, dice *luck)
{
    const bool is_node = dice_below(luck, 2);
    const cairn_node nodes[] = {0, is_node ? cairn_map_node_count(self->map) : 0};
    const cairn_cost extra[] = {1, is_node ? 1 : CAIRN_COST_MAX + 1};
    assert_int_equal(cairn_search_avoid(self->search, nodes, extra, 2), CAIRN_E_ARGUMENT);
}

static void take_list(visitor *self, bool tells_extra)
{
    const avoided *listed = &self->listed;
    assert_int_equal(cairn_search_avoid(self->search, listed->nodes,
                                        tells_extra ? listed->extra : NULL, listed->count),
                     CAIRN_OK);
    self->avoids_others = true;
}

void visitor_avoid(visitor *self, dice *luck, const oracle_arcs *arcs)
{
    if (dice_below(luck, 12) == 0) {
        assert_refusal(self, luck);
        return;
    }
    self->centre = visitor_node(self->map, luck);
    avoided_draw(&self->listed, luck, arcs, self->centre);
    take_list(self, !avoided_forbids_all(&self->listed) || dice_below(luck, 4) == 0);
}

void visitor_avoid_these(visitor *self, const cairn_node *nodes, size_t count)
{
    avoided *listed = &self->listed;
    assert_true(count && count <= AVOIDED_MOST);
    self->centre = nodes[count / 2];
    listed->count = count;
    for (size_t i = 0; i < count; i++) {
        listed->nodes[i] = nodes[i];
        listed->extra[i] = CAIRN_UNREACHABLE;
    }
    take_list(self, false);
}

/* ----------------------------------------------------------------------------------- queries -- */

cairn_node visitor_node(const cairn_map *map, dice *luck)
{
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    for (unsigned i = 0; i < 8 && !cairn_map_is_open(map, node); i++)
        node = dice_below(luck, cairn_map_node_count(map));
    return node;
}

/* Often that of the last query, or where the list is. */
static cairn_node any_end(const visitor *self, dice *luck, cairn_node former)
{
    const avoided *listed = &self->listed;
    if (self->arcs.list && dice_below(luck, 4) == 0)
        return former;
    if (listed->count && dice_below(luck, 3) == 0)
        return self->centre;
    if (listed->count && dice_below(luck, 6) == 0)
        return listed->nodes[dice_below(luck, (uint32_t)listed->count)];
    return visitor_node(self->map, luck);
}

static void draw_query(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes)
{
    self->start = any_end(self, luck, self->start);
    self->goal = any_end(self, luck, self->goal);
    oracle_arcs_free(&self->arcs);
    oracle_arcs_free(&self->ways);
    self->arcs = oracle_arcs_copy(arcs);
    self->ways = avoided_arcs(&self->listed, arcs);
    self->ends.count = 0;
    self->avoids_others = false;
    self->map_version = cairn_map_version(self->map);
    self->table_version = visitor_table_version(self);
    self->was_by_cell = is_by_cell(self->table);
    self->writes = writes;
}

void visitor_ask(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes)
{
    cairn_path path;

    draw_query(self, luck, arcs, writes);
    bool begins = dice_below(luck, 4) > 0;
    self->is_sliced = begins || self->options.expansion_limit;
    cairn_status status = begins ? cairn_search_begin(self->search, self->start, self->goal, &path)
                                 : cairn_search_run(self->search, self->start, self->goal, &path);
    visitor_check_answer(self, status, &path);
}

static void draw_ends(visitor *self, dice *luck)
{
    enum { SOME = 6, ENDS = 40 };
    many_ends *ends = &self->ends;
    ends->count = 1 + dice_below(luck, dice_below(luck, 3) ? SOME : ENDS);
    ends->are_starts = dice_below(luck, 2);
    ends->other = ends->are_starts ? self->goal : self->start;
    for (size_t i = 0; i < ends->count; i++)
        ends->nodes[i] = any_end(self, luck, self->goal);
}

void visitor_ask_any(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes)
{
    cairn_path path;

    if (self->options.bound) {
        const cairn_node end = 0;
        cairn_status status = cairn_search_run_to_any(self->search, 0, &end, 1, &path);
        assert_int_equal(status, CAIRN_E_ARGUMENT);
        return;
    }
    draw_query(self, luck, arcs, writes);
    draw_ends(self, luck);
    const bool begins = dice_below(luck, 2);
    self->is_sliced = begins || self->options.expansion_limit;
    cairn_status status = begins ? many_ends_begin(&self->ends, self->search, &path)
                                 : many_ends_run(&self->ends, self->search, &path);
    visitor_check_answer(self, status, &path);
}

/* Whether a paused search may go on: by what the versions say, which must not be less than the
 * arcs do, nor more than the calls. */
static bool may_go_on(const visitor *self, const oracle_arcs *now, uint64_t writes)
{
    const bool same_map = self->map_version == cairn_map_version(self->map);
    const bool same_table = self->table_version == visitor_table_version(self);
    if (now && !oracle_arcs_are_same(now, &self->arcs))
        assert_false(same_map);
    if (self->writes == writes)
        assert_true(same_map && same_table);
    if (self->avoids_others)
        return false;
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
        visitor_check_answer(self, status, &path);
    } else {
        assert_int_equal(status, CAIRN_E_CHANGED);
        assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    }
}
