/* Level 4: lower bounds on the cost to one goal. See docs/ALGORITHMS.md for why they hold. */
#ifndef CN_BOUND_H
#define CN_BOUND_H

#include "bound_rows.h"
#include "table.h"

/* The plain distance over an empty map, in the map's metric. */
CN_ALWAYS_INLINE cairn_cost cn_bound_plain(const cairn_bound *bound, cairn_node node)
{
    const cairn_map *map = bound->map;
    uint32_t x, y;
    cn_grid_xy(&map->grid, node, &x, &y);
    return cn_octile(map->metric, x, y, bound->goal_x, bound->goal_y);
}

/* Whether a safe row reaches one of two nodes and not the other: then no path joins them. Otherwise
 * *upper is the least cost of a way from one to a landmark and on to the other, CAIRN_UNREACHABLE
 * when no row reaches them; where a component has several landmarks of one row, or the row is only
 * weaker than it could be, it may be less than any path costs. */
bool cn_bound_separates(const cairn_table *table, cairn_node a, cairn_node b, cairn_cost *upper);

#endif
