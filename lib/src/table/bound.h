/* Lower bounds on the cost to one goal. See docs/ALGORITHMS.md for why they hold. */
#ifndef CN_TABLE_BOUND_H
#define CN_TABLE_BOUND_H

#include "table/bound_rows.h"
#include "table/table.h"

/* The distance that CAIRN_PLAIN_BEST stands for; itself for others. */
cairn_plain cn_base_of(const cairn_map *map, cairn_plain plain);

/* Whether the map has such a distance. */
bool cn_base_exists(const cairn_map *map, cairn_plain plain);

/* A plain distance between two nodes, never above CAIRN_COST_MAX. `plain` is what cn_base_of
 * gave. */
cairn_cost cn_base_between(const cairn_map *map, cairn_plain plain, cairn_node node,
                           cairn_node goal);

/* What makes a lower bound on costs of the map out of one on costs of a table that counts steps: a
 * factor, as a fraction of 2^shift that is rounded down. Since no step costs less than so many
 * times what it counts, the bound stays admissible; since costs of steps are whole, rounding down
 * keeps it consistent. Below 2^32, so that products fit 64 bits. */
typedef struct cn_scale {
    uint32_t factor;  /* 0: costs are those of the map */
    unsigned shift;
} cn_scale;

cn_scale cn_scale_of(const cairn_table *table, const cairn_map *map);

/* A bound that is too large is cut: a path of that cost is beyond the limit anyhow. */
CN_ALWAYS_INLINE cairn_cost cn_scale_up(cn_scale scale, cairn_cost rows)
{
    if (scale.factor == 0 || rows > CAIRN_COST_MAX)
        return rows;
    uint64_t cost = (uint64_t)rows * scale.factor >> scale.shift;
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

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
