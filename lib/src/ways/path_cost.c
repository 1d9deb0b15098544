/* What paths cost that programs keep while the map is edited. */
#include "map/map_steps.h"
#include "ways/step_run.h"

/* The direction of a run. On hexagons that of a legal step, or one that they do not have: on maps
 * of one or two columns several lead to the same number, of which one at most is that of a step. */
static unsigned direction_of(const cn_grid *grid, const cn_step_run *run, cairn_node from,
                             cairn_node to)
{
    unsigned direction = 0, left;

    if (grid->rules.rule != CAIRN_RULE_HEX) {
        while (cn_step_x[direction] != run->step_x || cn_step_y[direction] != run->step_y)
            direction++;
        return direction;
    }
    const int32_t *offsets = cn_grid_offsets(grid, from);
    for (left = cn_grid_steps(grid, from); left; left &= left - 1) {
        if (from + (cairn_node)offsets[cn_lowest_bit(left)] == to)
            return cn_lowest_bit(left);
    }
    return CN_S;
}

static const uint64_t BROKEN = UINT64_MAX;

/* What so many steps in a direction cost; BROKEN where one of them is not legal. */
static uint64_t cost_of_steps(const cairn_map *map, cairn_node from, unsigned direction,
                              int64_t steps)
{
    const cn_grid *grid = &map->grid;
    uint64_t cost = 0;

    for (; steps; steps--) {
        const cairn_node next = from + (cairn_node)cn_grid_offsets(grid, from)[direction];
        if (!(cn_grid_steps(grid, from) >> direction & 1))
            return BROKEN;
        cost += cn_grid_step_cost(map, from, next, direction);
        from = next;
    }
    return cost;
}

static uint64_t cost_of_arc(const cairn_map *map, cairn_node from, cairn_node to)
{
    const cn_arc_span span = cn_graph_out(map->graph, from);
    uint64_t least = BROKEN;
    for (size_t i = 0; i < span.count; i++) {
        if (span.arcs[i].to == to && span.arcs[i].cost < least)
            least = span.arcs[i].cost;
    }
    return least;
}

/* Between two nodes in turn, which may be the same. */
static cairn_status cost_between(const cairn_map *map, cairn_node from, cairn_node to,
                                 uint64_t *cost)
{
    *cost = 0;
    if (from == to)
        return CAIRN_OK;
    if (map->graph) {
        *cost = cost_of_arc(map, from, to);
        return CAIRN_OK;
    }
    const cn_step_run run = cn_run_between(&map->grid, from, to);
    if (run.steps < 0)
        return CAIRN_E_ARGUMENT;
    *cost = cost_of_steps(map, from, direction_of(&map->grid, &run, from, to), run.steps);
    return CAIRN_OK;
}

/* The whole list is checked, also behind what is broken. */
static cairn_status add_steps(const cairn_map *map, const cairn_node *nodes, size_t count,
                              uint64_t *sum, size_t *broken)
{
    for (size_t i = 0; i < count; i++) {
        cairn_status status = CAIRN_OK;
        uint64_t cost = 0;
        if (nodes[i] >= cn_map_node_count(map))
            return CAIRN_E_ARGUMENT;
        if (i)
            status = cost_between(map, nodes[i - 1], nodes[i], &cost);
        else if (!cn_grid_is_open(&map->grid, nodes[i]))
            cost = BROKEN;
        if (status != CAIRN_OK)
            return status;
        if (cost != BROKEN)
            *sum = *sum > CAIRN_COST_MAX ? *sum : *sum + cost;
        else if (*broken == count)
            *broken = i;
    }
    return CAIRN_OK;
}

cairn_status cairn_path_cost(const cairn_map *map, const cairn_node *nodes, size_t count,
                             cairn_cost *cost, size_t *broken)
{
    size_t first_broken = count;
    uint64_t sum = 0;

    if (cost)
        *cost = CAIRN_UNREACHABLE;
    if (broken)
        *broken = 0;
    if (!map || !cost || (count && !nodes))
        return CAIRN_E_ARGUMENT;
    const cairn_status status = add_steps(map, nodes, count, &sum, &first_broken);
    if (status != CAIRN_OK)
        return status;
    if (broken)
        *broken = first_broken;
    if (first_broken < count)
        return CAIRN_OK;
    if (sum > CAIRN_COST_MAX)
        return CAIRN_E_LIMIT;
    *cost = (cairn_cost)sum;
    return CAIRN_OK;
}
