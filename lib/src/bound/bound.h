/* Lower bounds on the cost to one goal. See docs/ALGORITHMS.md for why they hold. */
#ifndef CN_BOUND_BOUND_H
#define CN_BOUND_BOUND_H

#include "bound/bound_rows.h"
#include "bound/gates.h"
#include "table/table.h"

/* The base heuristic that CAIRN_HEURISTIC_BEST stands for on the map; others unchanged. */
cairn_heuristic cn_base_of(const cairn_map *map, cairn_heuristic heuristic);

/* The base heuristic beside a table's rows, which may be NULL, and are used by gates unless these
 * are NULL: of a graph nothing where many rows of costs are in use, which coordinates hardly ever
 * exceed. See docs/decisions/graph-defaults.md. */
cairn_heuristic cn_base_beside(const cairn_map *map, const cairn_table *table,
                               const cn_gates *gates, cairn_heuristic heuristic);

/* Whether the map has such a base heuristic. */
bool cn_base_exists(const cairn_map *map, cairn_heuristic heuristic);

/* A base heuristic between two nodes, never above CAIRN_COST_MAX. `heuristic` is a result of
 * cn_base_of. */
cairn_cost cn_base_between(const cairn_map *map, cairn_heuristic heuristic, cairn_node node,
                           cairn_node goal);

/* The same on a grid, where that may be more than a cost can be. */
uint64_t cn_base_uncapped(const cairn_map *map, cairn_heuristic heuristic, cairn_node node,
                          cairn_node goal);

/* Turns a lower bound in the costs of a table that counts steps into one in costs of the map: a
 * factor, as a fraction of 2^shift that is rounded down. No step costs less than the factor times
 * what it counts, so the bound stays admissible; costs of steps are integers, so rounding down
 * keeps it consistent. Below 2^32, so that products fit 64 bits. */
typedef struct cn_scale {
    uint32_t factor; /* 0: the rows hold costs of the map */
    unsigned shift;
} cn_scale;

cn_scale cn_scale_of(const cairn_table *table, const cairn_map *map);

/* A bound that is too large is limited: a path of that cost would be refused in any case. */
CN_ALWAYS_INLINE cairn_cost cn_scale_up(cn_scale scale, cairn_cost rows)
{
    if (scale.factor == 0 || rows > CAIRN_COST_MAX)
        return rows;
    return cn_cost_capped((uint64_t)rows * scale.factor >> scale.shift);
}

/* Whether a safe row proves that no path leads from one node to another, because it reaches only
 * one of them; in a directed row only one of the two cases is a proof. Otherwise *upper is the
 * least cost of a path by way of a landmark, CAIRN_UNREACHABLE when no row reaches both. It may be
 * too low where a component has several landmarks of one row, and from rows that are weaker. */
bool cn_bound_separates(const cairn_table *table, cairn_node from, cairn_node to,
                        cairn_cost *upper);

/* The least cost of a path by way of a landmark, from rows of 16 bits that are all safe, without a
 * branch in the loop. Where both nodes are unreachable, the sum is larger than that of any two
 * costs; where only one is, the cost is not to be used. */
CN_ALWAYS_INLINE cairn_cost cn_bound_least_sum_16(const uint16_t *from, const uint16_t *to,
                                                  uint32_t row_count)
{
    uint32_t least = 2 * UINT16_MAX;
    for (uint32_t row = 0; row < row_count; row++) {
        const uint32_t sum = (uint32_t)from[row] + to[row];
        least = sum < least ? sum : least;
    }
    return least == 2 * UINT16_MAX ? CAIRN_UNREACHABLE : least;
}

/* The goal's row as the kernels take it (bound_rows.h) where not all differences count: with rows
 * in pairs, or rows that are not safe. Room for lane_count entries each. */
void cn_bound_limits(const cairn_table *table, const void *goal_row, void *above, void *below);

#endif
