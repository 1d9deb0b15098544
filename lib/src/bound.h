/* Level 4: lower bounds on the cost to one goal. See docs/ALGORITHMS.md for why they hold. */
#ifndef CN_BOUND_H
#define CN_BOUND_H

#include "bound_rows.h"
#include "table.h"

/* The distance that CAIRN_PLAIN_BEST stands for; itself for others. */
cairn_plain cn_plain_of(const cairn_map *map, cairn_plain plain);

/* Whether the map has such a distance. */
bool cn_plain_exists(const cairn_map *map, cairn_plain plain);

/* A plain distance between two nodes, never above CAIRN_COST_MAX. `plain` is what cn_plain_of
 * gave. */
cairn_cost cn_plain_between(const cairn_map *map, cairn_plain plain, cairn_node node,
                            cairn_node goal);

/* Whether a safe row proves that no path leads from one node to another: it reaches one of them and
 * not the other. Of a directed row only one of the two cases proves it. Otherwise *upper is the
 * least cost of a way from one to a landmark and on to the other, CAIRN_UNREACHABLE when no row
 * reaches them; where a component has several landmarks of one row, or the row is only weaker than
 * it could be, it may be less than any path costs. */
bool cn_bound_separates(const cairn_table *table, cairn_node from, cairn_node to,
                        cairn_cost *upper);

/* The goal's row as the kernels take it (bound_rows.h), for rows in pairs: room for lane_count
 * entries each. */
void cn_bound_pair_rows(const cairn_table *table, const void *goal_row, void *above, void *below);

#endif
