/* What paths cost that programs keep while the map is edited. */
#include "map/map_steps.h"
#include "ways/sight.h"

/* Steps in one direction from a cell to another. */
typedef struct step_run {
    unsigned direction;
    uint32_t steps; /* 0: no such run joins the two */
} step_run;

/* A single step; in a direction that hexagons do not have where none is legal. On maps of one or
 * two columns several directions lead to the same number, of which one at most is that of a
 * step. */
static step_run hex_run(const cn_grid *grid, cairn_node from, cairn_node to)
{
    const int32_t *offsets = cn_grid_offsets(grid, from);
    uint32_t x, y, to_x, to_y;
    step_run run = {CN_S, 1};

    cn_grid_xy(grid, from, &x, &y);
    cn_grid_xy(grid, to, &to_x, &to_y);
    if (cn_hex_steps(x, y, to_x, to_y) != 1)
        return (step_run){0, 0};
    for (unsigned left = cn_grid_steps(grid, from); left; left &= left - 1) {
        if (from + (cairn_node)offsets[cn_lowest_bit(left)] == to)
            run.direction = cn_lowest_bit(left);
    }
    return run;
}

static step_run square_run(const cn_grid *grid, cairn_node from, cairn_node to)
{
    uint32_t x, y, to_x, to_y;
    unsigned direction = 0;

    cn_grid_xy(grid, from, &x, &y);
    cn_grid_xy(grid, to, &to_x, &to_y);
    const int64_t across = (int64_t)to_x - x, down = (int64_t)to_y - y;
    const int64_t columns = across < 0 ? -across : across, rows = down < 0 ? -down : down;
    if (columns && rows && columns != rows)
        return (step_run){0, 0};
    while (cn_step_x[direction] != cn_sign_of(across) || cn_step_y[direction] != cn_sign_of(down))
        direction++;
    return (step_run){direction, (uint32_t)(columns > rows ? columns : rows)};
}

static const uint64_t BROKEN = UINT64_MAX;

/* What the steps of a run cost; BROKEN where one of them is not legal. */
static uint64_t cost_of_run(const cairn_map *map, cairn_node from, step_run run)
{
    const cn_grid *grid = &map->grid;
    uint64_t cost = 0;

    for (uint32_t i = 0; i < run.steps; i++) {
        const cairn_node next = from + (cairn_node)cn_grid_offsets(grid, from)[run.direction];
        if (!(cn_grid_steps(grid, from) >> run.direction & 1))
            return BROKEN;
        cost += cn_grid_step_cost(map, from, next, run.direction);
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
    const step_run run = map->grid.rules.rule == CAIRN_RULE_HEX ? hex_run(&map->grid, from, to)
                                                                : square_run(&map->grid, from, to);
    if (!run.steps)
        return CAIRN_E_ARGUMENT;
    *cost = cost_of_run(map, from, run);
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
