#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

void storm_leave_walk(storm_scene *here)
{
    storm_walk *self = &here->walk;
    if (self->view.map)
        cairn_world_release(here->world, &self->view);
    oracle_arcs_free(&self->arcs);
    free(self->costs);
    free(self->to_goal);
    free(self->is_closed);
    *self = (storm_walk){.is_on = false};
}

static void reserve(storm_walk *self)
{
    const uint32_t count = self->arcs.node_count;
    self->costs = malloc((count + 1u) * sizeof *self->costs);
    self->to_goal = malloc((count + 1u) * sizeof *self->to_goal);
    self->is_closed = calloc(count + 1u, sizeof *self->is_closed);
    assert_true(self->costs && self->to_goal && self->is_closed);
    for (cairn_node node = 0; node < count; node++) {
        self->costs[node] = ORACLE_NEVER;
        self->to_goal[node] = cairn_bound_at(&self->bound, node);
    }
    self->costs[self->start] = 0;
}

/* Mostly the best one, and only such as never has closed nodes opened again. */
static cairn_heuristic any_heuristic(dice *luck, const cairn_map *map)
{
    const cairn_heuristic drawn = (cairn_heuristic)dice_below(luck, CAIRN_HEURISTIC_SQUARED + 1);
    if (dice_below(luck, 4) || !cairn_bound_is_consistent(map, drawn) ||
        !cairn_bound_is_admissible(map, drawn))
        return CAIRN_HEURISTIC_BEST;
    return drawn;
}

static void begin(storm_scene *here)
{
    storm_walk *self = &here->walk;
    const cairn_map *map = here->both.map;
    const cairn_table *table = here->table;

    if (here->world) {
        self->view = cairn_world_acquire(here->world);
        map = self->view.map;
        table = self->view.table;
    }
    self->is_on = true;
    self->arcs = oracle_arcs_copy(here->world ? &here->published : &here->both.arcs);
    self->writes = here->writes;
    self->start = visitor_node(map, &here->luck);
    self->goal = visitor_node(map, &here->luck);
    assert_int_equal(
        cairn_bound_with(map, table, self->goal, any_heuristic(&here->luck, map), &self->bound),
        CAIRN_OK);
    reserve(self);
    here->counts->walks++;
    if (!cairn_map_is_open(map, self->start))
        storm_leave_walk(here);
}

/* Whether map and table are as they were; where they are, so is what the bound tells. A state of a
 * world that is held stays. */
static bool may_go_on(const storm_scene *here)
{
    const storm_walk *self = &here->walk;
    const bool is_current = cairn_bound_is_current(&self->bound);

    if (here->world || self->writes == here->writes)
        assert_true(is_current);
    if (!is_current)
        return false;
    if (!here->world)
        assert_true(oracle_arcs_are_same(&here->both.arcs, &self->arcs));
    for (cairn_node node = 0; node < self->arcs.node_count; node++)
        assert_int_equal(cairn_bound_at(&self->bound, node), self->to_goal[node]);
    return true;
}

static cairn_node cheapest_open(const storm_walk *self)
{
    uint64_t least = ORACLE_NEVER;
    cairn_node best = CAIRN_NO_NODE;
    for (cairn_node node = 0; node < self->arcs.node_count; node++) {
        if (self->is_closed[node] || self->costs[node] == ORACLE_NEVER ||
            self->to_goal[node] == CAIRN_UNREACHABLE)
            continue;
        const uint64_t f = self->costs[node] + self->to_goal[node];
        if (f >= least)
            continue;
        least = f;
        best = node;
    }
    return best;
}

static void expand(storm_walk *self, cairn_node node)
{
    self->is_closed[node] = true;
    for (size_t i = 0; i < self->arcs.count; i++) {
        const oracle_arc *arc = &self->arcs.list[i];
        const uint64_t cost = self->costs[node] + arc->cost;
        if (arc->from != node || cost >= self->costs[arc->to])
            continue;
        assert_false(self->is_closed[arc->to]);
        self->costs[arc->to] = cost;
    }
}

static void arrive(const storm_walk *self)
{
    uint64_t *costs = oracle_arc_costs(&self->arcs, ORACLE_FROM, &self->start, 1);
    assert_true(self->costs[self->goal] == costs[self->goal]);
    free(costs);
}

void storm_walk_on(storm_scene *here)
{
    storm_walk *self = &here->walk;

    if (!self->is_on) {
        begin(here);
        return;
    }
    if (!may_go_on(here)) {
        storm_leave_walk(here);
        return;
    }
    for (unsigned left = dice_below(&here->luck, 8); left; left--) {
        const cairn_node node = cheapest_open(self);
        if (node == CAIRN_NO_NODE || node == self->goal) {
            arrive(self);
            storm_leave_walk(here);
            return;
        }
        expand(self, node);
    }
}
