/* Level 4: lower bounds on the cost to one goal. See docs/ALGORITHMS.md for why they hold. */
#ifndef CN_BOUND_H
#define CN_BOUND_H

#include "table.h"

/* The plain distance over an empty map at the map's least cost. */
CN_ALWAYS_INLINE cairn_cost cn_bound_plain(const cairn_bound *bound, cairn_node node)
{
    const cairn_map *map = bound->map;
    uint32_t x, y;
    if (map->roads)
        return cn_roadmap_bound(map->roads, node, bound->goal);
    cn_grid_xy(&map->grid, node, &x, &y);
    if (map->grid.rules.rule == CAIRN_RULE_HEX)
        return map->plain.straight * cn_hex_steps(x, y, bound->goal_x, bound->goal_y);
    return cn_octile(map->plain, x, y, bound->goal_x, bound->goal_y);
}

/* The largest difference in any row. Both operands all ones (unreachable) differ by nothing; one
 * of them makes a difference that is at least as true as the other rows', since the node and the
 * goal then lie in different components. */
CN_ALWAYS_INLINE cairn_cost cn_bound_rows_16(const uint16_t *entries, const uint16_t *goal,
                                             uint32_t lane_count)
{
    uint16_t most = 0;
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint16_t a = entries[lane], b = goal[lane];
        uint16_t difference = (uint16_t)(a > b ? a - b : b - a);
        most = difference > most ? difference : most;
    }
    return most;
}

CN_ALWAYS_INLINE cairn_cost cn_bound_rows_32(const uint32_t *entries, const uint32_t *goal,
                                             uint32_t lane_count)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < lane_count; lane++) {
        uint32_t a = entries[lane], b = goal[lane];
        uint32_t difference = a > b ? a - b : b - a;
        most = difference > most ? difference : most;
    }
    return most > CAIRN_COST_MAX ? CAIRN_UNREACHABLE : most;
}

CN_ALWAYS_INLINE cairn_cost cn_bound_table(const cairn_bound *bound, cairn_node node,
                                           unsigned entry_bits)
{
    const cairn_table *table = bound->table;
    size_t index = cn_table_index(table, node, 0);
    if (entry_bits == 16)
        return cn_bound_rows_16((const uint16_t *)table->entries + index, bound->goal_row,
                                table->lane_count);
    return cn_bound_rows_32((const uint32_t *)table->entries + index, bound->goal_row,
                            table->lane_count);
}

/* Whether a row proves that no path leads from one node to another: it reaches one of them and not
 * the other. Of a directed row only one of the two cases proves it. */
bool cn_bound_separates(const cairn_table *table, cairn_node from, cairn_node to);

/* The same as cn_bound_table for rows in pairs. From a landmark: what the goal is farther than the
 * node; to a landmark: what the node is farther than the goal. Nothing where that is negative. */
cairn_cost cn_bound_pairs(const cairn_bound *bound, cairn_node node);

#endif
