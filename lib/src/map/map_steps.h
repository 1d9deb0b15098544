/*
 * The arcs of a node on any map, with their costs: floods, proofs and searches get the steps of a
 * map from here. Code for maps whose steps have few costs, and for many cells at once, computes the
 * same costs by itself: flood/flood_breadth.c, flood_lists.c, flood_trees.c, flood_tiles.c with
 * flood_tiles_kernel.h and flow.c with flow_kernel.h, refresh/refresh_row.c, refresh_lanes.c with
 * refresh_lanes_kernel.h, codec/step_costs.c, search/search_setup.c, and runs along jump points.
 *
 * On terrain a step costs base * factor of the entered cell, or half of base * (sum of both
 * factors), where base is the metric's cost times the map's unit, so that the half is a whole
 * number. Each unit of height up or down adds its cost.
 */
#ifndef CN_MAP_MAP_STEPS_H
#define CN_MAP_MAP_STEPS_H

#include "map/map.h"

/* Costs from nodes, along arcs, or to nodes, against them: what cairn_direction says of rows. */
typedef enum cn_way { CN_FORWARD, CN_REVERSE } cn_way;

enum { CN_ARCS_SCRATCH = 16 };

CN_ALWAYS_INLINE cairn_cost cn_step_cost(const cairn_map *map, unsigned direction,
                                         uint32_t left_factor, uint32_t entered_factor)
{
    cairn_cost base = map->step[direction >= CN_STRAIGHT];
    return map->grid.rules.charge == CAIRN_CHARGE_AVERAGE ? base * (left_factor + entered_factor)
                                                          : base * entered_factor;
}

CN_ALWAYS_INLINE cairn_cost cn_slope_cost(const cairn_map *map, cairn_node from, cairn_node to)
{
    const uint16_t *heights = map->grid.heights.cells;
    if (!heights)
        return 0;
    uint32_t before = heights[from], after = heights[to];
    return after > before ? map->slope[0] * (after - before) : map->slope[1] * (before - after);
}

/* What a step between two neighbours costs. */
CN_ALWAYS_INLINE cairn_cost cn_grid_step_cost(const cairn_map *map, cairn_node from, cairn_node to,
                                              unsigned direction)
{
    const cn_grid *grid = &map->grid;
    const uint32_t left = grid->rules.factor[grid->letters[from]];
    const uint32_t entered = grid->rules.factor[grid->letters[to]];
    return cn_step_cost(map, direction, left, entered) + cn_slope_cost(map, from, to);
}

/* The steps of a grid: forward, those that leave the node, each with the cell that it leads to; in
 * reverse, those that lead to the node, each with the cell that it leaves. */
CN_ALWAYS_INLINE cn_arc_span cn_grid_arcs(const cairn_map *map, cairn_node node, cn_way way,
                                          cn_arc *scratch)
{
    const cn_grid *grid = &map->grid;
    const int32_t *offset = cn_grid_offsets(grid, node);
    unsigned steps = way == CN_FORWARD ? cn_grid_steps(grid, node)
                                       : grid->moves[grid->around[node]];
    uint32_t here = grid->rules.factor[grid->letters[node]];
    size_t count = 0;

    for (; steps; steps &= steps - 1) {
        unsigned direction = cn_lowest_bit(steps);
        cairn_node next = node + (cairn_node)offset[direction];
        uint8_t letter = grid->letters[next];
        uint32_t there = grid->rules.factor[letter];
        if (way == CN_REVERSE && !(grid->exits[letter] >> cn_opposite(direction) & 1))
            continue;
        scratch[count].to = next;
        scratch[count].cost =
            way == CN_FORWARD
                ? cn_step_cost(map, direction, here, there) + cn_slope_cost(map, node, next)
                : cn_step_cost(map, direction, there, here) + cn_slope_cost(map, next, node);
        scratch[count].arrival = 0;
        count++;
    }
    return (cn_arc_span){scratch, count};
}

CN_ALWAYS_INLINE cn_arc_span cn_map_arcs(const cairn_map *map, cairn_node node, cn_way way,
                                         cn_arc *scratch)
{
    if (map->graph)
        return way == CN_FORWARD ? cn_graph_out(map->graph, node) : cn_graph_in(map->graph, node);
    return cn_grid_arcs(map, node, way, scratch);
}

#endif
