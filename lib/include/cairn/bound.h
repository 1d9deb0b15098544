/* Lower bounds on a remaining cost, for an A* of your own. Part of cairn/cairn.h, which says what
 * holds for all of them. */
#ifndef CAIRN_BOUND_H
#define CAIRN_BOUND_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lower bound on the cost to one goal, for an A* of your own. By value; takes no memory; valid
 * while its map and table live unchanged (cairn_bound_is_current). The members are private. */
typedef struct cairn_bound {
    const void *map;
    const void *table;
    const void *goal_row;
    cairn_cost (*rows)(const void *, const void *, const void *, uint32_t);
    cairn_node goal;
    uint32_t goal_x;
    uint32_t goal_y;
    uint32_t plain;
    uint32_t scale;
    uint32_t scale_shift;
    uint32_t apart_from;
    uint64_t map_version;
    uint64_t table_version;
} cairn_bound;

/* Distances over an empty map, in units of its cheapest steps. */
typedef enum cairn_plain {
    CAIRN_PLAIN_BEST = 0,   /* what the map's rule, costs and coordinates make of it */
    CAIRN_PLAIN_ZERO,
    CAIRN_PLAIN_MANHATTAN,  /* straight steps alone */
    CAIRN_PLAIN_CHEBYSHEV,  /* diagonal steps cost what straight ones do */
    CAIRN_PLAIN_OCTILE,
    CAIRN_PLAIN_EUCLIDEAN,  /* as the crow flies, rounded down; of graphs: BEST */
    CAIRN_PLAIN_HEX,
    CAIRN_PLAIN_SQUARED     /* the square of the Euclidean: never admissible */
} cairn_plain;

/* Whether a plain distance never exceeds the cost of a path on maps of this rule and metric, and
 * whether it differs between neighbours by no more than the step between them. The first keeps
 * paths shortest, the second keeps closed nodes closed. Both false for a distance that the map does
 * not have (a graph has BEST, ZERO and EUCLIDEAN). */
CAIRN_API bool cairn_bound_is_admissible(const cairn_map *map, cairn_plain plain);
CAIRN_API bool cairn_bound_is_consistent(const cairn_map *map, cairn_plain plain);

/* Prepares the bound for a goal. `table` may be NULL: plain distance only. Returns
 * CAIRN_E_ARGUMENT for a goal that is not on the map, CAIRN_E_MISMATCH for a table of another
 * map (see cairn_search_new). On an edited map only rows that are still safe are used, be it none.
 * Once per query; tens of nanoseconds, and as long as it takes to look at the edits that the table
 * has not taken. */
CAIRN_API cairn_status cairn_bound_to(const cairn_map *map, const cairn_table *table,
                                      cairn_node goal, cairn_bound *bound);

/* The same with another plain distance, which may not be admissible. */
CAIRN_API cairn_status cairn_bound_with(const cairn_map *map, const cairn_table *table,
                                        cairn_node goal, cairn_plain plain, cairn_bound *bound);

/* Whether map and table, which must still live, are as they were when the bound was made. The calls
 * below must not be made with a bound that is no longer current: entries may have moved to other
 * memory. One comparison, or two. */
CAIRN_API bool cairn_bound_is_current(const cairn_bound *bound);

/* A cost that no path from `node` to the goal can undercut; CAIRN_UNREACHABLE where the table
 * proves that there is none. The node must be on the map. Admissible and consistent: a node that
 * A* has closed never opens again. Once per discovered node; one or two cache lines. */
CAIRN_API cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node);

/* The same for `count` nodes, in any order and number: bounds[i] is that of nodes[i]. For callers
 * that know beforehand what they will ask for (targets sorted by their bound, a heuristic looked at
 * over a whole map): entries of later nodes are fetched while earlier ones are compared. The arrays
 * must not overlap. */
CAIRN_API void cairn_bounds_at(const cairn_bound *bound, const cairn_node *nodes, size_t count,
                               cairn_cost *bounds);

#ifdef __cplusplus
}
#endif

#endif
