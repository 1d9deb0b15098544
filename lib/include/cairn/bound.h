/* Lower bounds on the cost to a goal, as the heuristic of your own A*. Part of cairn/cairn.h, which
 * has the conventions of all calls. */
#ifndef CAIRN_BOUND_H
#define CAIRN_BOUND_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A lower bound on the cost to one goal. A value that owns no memory; valid while its map and table
 * exist and are not changed (cairn_bound_is_current). The members are private. */
typedef struct cairn_bound {
    const void *map;
    const void *table;
    const void *goal_row;
    cairn_cost (*rows)(const void *, const void *, const void *, uint32_t);
    cairn_node goal;
    uint32_t goal_x;
    uint32_t goal_y;
    uint32_t heuristic;
    uint32_t scale;
    uint32_t scale_shift;
    uint32_t apart_from;
    uint64_t map_version;
    uint64_t table_version;
    const void *gates;
    uint32_t goal_entries[CAIRN_ROWS_MAX]; /* of a table of corners */
    uint32_t gate_aim[112];
} cairn_bound;

/* Base heuristics: distances on an empty map where each step has the least cost that it has on the
 * real map. If there are heights, all but ZERO also count the climb or descent between the two
 * cells. */
typedef enum cairn_heuristic {
    /* Octile distance (with 4 neighbours Manhattan) or hexagonal; on graphs from the callback, or
     * from coordinates, but not beside four or more landmarks, which they hardly improve. */
    CAIRN_HEURISTIC_BEST = 0,
    CAIRN_HEURISTIC_ZERO,
    CAIRN_HEURISTIC_MANHATTAN, /* straight steps alone */
    CAIRN_HEURISTIC_CHEBYSHEV, /* diagonal steps cost what straight ones do */
    CAIRN_HEURISTIC_OCTILE,
    CAIRN_HEURISTIC_EUCLIDEAN, /* the straight line, rounded down; on graphs from coordinates */
    CAIRN_HEURISTIC_HEX,
    CAIRN_HEURISTIC_SQUARED /* the square of the Euclidean distance, at most CAIRN_COST_MAX (from
                             * some 670 cells on in the default metric): not admissible */
} cairn_heuristic;

/* Whether a base heuristic is admissible, that is, never exceeds the cost of a path on maps of this
 * rule and metric; and whether it is consistent, that is, differs between neighbours by no more
 * than the step between them costs. With an admissible one paths are shortest, with a consistent
 * one A* never reopens a closed node. Both are false for a heuristic that the map does not have (a
 * graph has BEST, ZERO and EUCLIDEAN). */
CAIRN_API bool cairn_bound_is_admissible(const cairn_map *map, cairn_heuristic heuristic);
CAIRN_API bool cairn_bound_is_consistent(const cairn_map *map, cairn_heuristic heuristic);

/* Prepares the bound for a goal, once per query. `table` may be NULL: base heuristic only. Returns
 * CAIRN_E_ARGUMENT for a goal that is not on the map, CAIRN_E_MISMATCH for a table of another map
 * (see cairn_search_new). On an edited map rows are used as in searches: those that are still safe
 * as always, others by gates. The first call after an edit makes the gates for all calls and
 * searches of the table, in tens of microseconds (CAIRN_E_MEMORY). Otherwise a call takes tens of
 * nanoseconds, with gates up to some microseconds, and the time to examine the edits that have not
 * been applied to the table. With a table of corners (cairn_resident) it takes time by the area
 * in sight, one or two microseconds on maps of games and 0.07 ms on open ground of 1000 x 1000
 * cells, and so does the bound of each node that is no corner. */
CAIRN_API cairn_status cairn_bound_to(const cairn_map *map, const cairn_table *table,
                                      cairn_node goal, cairn_bound *bound);

/* Like cairn_bound_to with a given base heuristic, which need not be admissible. CAIRN_E_ARGUMENT
 * also for one that the map does not have. */
CAIRN_API cairn_status cairn_bound_with(const cairn_map *map, const cairn_table *table,
                                        cairn_node goal, cairn_heuristic heuristic,
                                        cairn_bound *bound);

/* Whether map and table, which must still exist, have not changed since the bound was made. False
 * for a bound that is all zero. The calls below must not be made with a bound that is no longer
 * current: entries may have moved to other memory. Takes two comparisons. */
CAIRN_API bool cairn_bound_is_current(const cairn_bound *bound);

/* A lower bound on the cost of any path from `node` to the goal; CAIRN_UNREACHABLE where the table
 * proves that there is no path. Mostly it proves nothing: rows have a landmark in each component,
 * so that a search which relies on bounds alone expands all that its start can reach. Ask
 * cairn_connected before it begins. The node must be on the map. The bound is admissible, unless
 * cairn_bound_with was given a base heuristic that is not, and consistent where
 * cairn_bound_is_consistent says so. To be called once per discovered node; it reads the entries of
 * the node, a cache line for 16 rows of 32 bits or 32 rows of 16.
 *
 * Blocked nodes are not refused: no path leads from there, so that every value is a lower bound.
 * Without a table it is the base heuristic, with one mostly CAIRN_UNREACHABLE. */
CAIRN_API cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node);

/* The bounds of `count` nodes in any order: bounds[i] is that of nodes[i]. For callers that know
 * the nodes beforehand (to sort targets by their bound, or to draw a heuristic over a whole map):
 * entries of later nodes are fetched while earlier ones are compared. The arrays must not
 * overlap. CAIRN_E_ARGUMENT for a bound that was not made, and for a node that is not on the map:
 * the bounds are then undefined. */
CAIRN_API cairn_status cairn_bounds_at(const cairn_bound *bound, const cairn_node *nodes,
                                       size_t count, cairn_cost *bounds);

#ifdef __cplusplus
}
#endif

#endif
