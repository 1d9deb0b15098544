/* What programs do with paths and ends beside a search: lines of sight, paths pulled straight along
 * them, open cells that stand in for blocked ones. Part of cairn/cairn.h, which has the conventions
 * of all calls. */
#ifndef CAIRN_WAYS_H
#define CAIRN_WAYS_H

#include "cairn/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the straight line between the centres of two cells is free: no blocked cell lies on it.
 * Where it passes through a corner at which four cells meet, the two cells beside it count as they
 * do for a diagonal step of the map's rule: with CAIRN_RULE_8 and CAIRN_RULE_4 both must be open,
 * with CAIRN_RULE_8_ONE_SIDE one of them, with CAIRN_RULE_8_ANY none. On hexagons the line may not
 * touch a blocked cell at all, not even its border, and what lies beyond the map counts as blocked.
 * On a map for units of several cells a line that is free is free for the centre of each cell of
 * the unit. Only openness counts, not terrain, heights and one-way cells. Computed in whole
 * numbers, without rounding, in time in proportion to the cells on the line.
 *
 * False for a blocked cell, for a node that is not on the map, and between different nodes of a
 * graph. The line from b to a is the same as that from a to b. Several threads may call it at
 * once. */
CAIRN_API bool cairn_sight(const cairn_map *map, cairn_node a, cairn_node b);

/* Pulls a path straight: `waypoints` receives cells from the start to the goal that straight lines
 * join, at any angle. Each line either is free by cairn_sight and stays on cells of one factor and,
 * where heights cost anything, of one height, none of them one-way, or is a run of steps of the
 * path. So units that follow the lines never cross a blocked cell, nor terrain other than that of
 * the path. `waypoints` has room for path->corner_count nodes and must not be the path's own;
 * *count becomes their number, 0 for a path without nodes. *length, which may be NULL, becomes the
 * length of all lines, in units of a straight step (a graph: path->length). It is never greater
 * than path->length. It is usually less than that of any path along the grid's steps, but not the
 * least at any angle: the lines are chosen along this path only. Takes about as long as
 * finding the path without a table.
 *
 * Lines depend on the map alone: they may lead through nodes that the search avoided, which
 * cairn_search_pull prevents. The path must be one on this map as it is now. On a graph the
 * waypoints are the nodes of the path. CAIRN_E_ARGUMENT for a path whose corners are not on the map
 * or are not joined by runs of steps in one direction. Several threads may call it at once. */
CAIRN_API cairn_status cairn_path_pull(const cairn_map *map, const cairn_path *path,
                                       cairn_node *waypoints, size_t *count, double *length);

/* The same on the map of a search, whose last list of nodes to avoid (cairn_search_avoid) counts:
 * each line keeps off these nodes, also those that may be entered at an extra cost above zero, or
 * is a run of steps of the path, which may enter the latter. Errors are those of cairn_path_pull.
 * The search is not changed, but no other thread may use it meanwhile. The call reads the map, as a
 * run does: the view of a cairn_world must not have been released. */
CAIRN_API cairn_status cairn_search_pull(const cairn_search *search, const cairn_path *path,
                                         cairn_node *waypoints, size_t *count, double *length);

/* What a path costs on the map as it is now: whether one that is kept still leads to its end after
 * edits, and whether it has become dearer. `nodes` are those of a path, or its corners, which runs
 * of steps in one direction join: path->nodes or path->corners of a search, or what a program has
 * made of them. *cost becomes the sum of all steps, without what a search avoids. If a step no
 * longer leads from one to the next, or the first node is blocked, *cost is CAIRN_UNREACHABLE, and
 * *broken, which may be NULL, the index of the first of `nodes` that is not reached; otherwise
 * *broken is `count`. An empty path costs 0, and so does a node that is listed twice in
 * turn. Takes some nanoseconds a step.
 *
 * CAIRN_E_ARGUMENT for a node that is not on the map, and for two in turn that no such run joins on
 * a grid, whatever is blocked; CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX. Several threads may
 * call it at once. */
CAIRN_API cairn_status cairn_path_cost(const cairn_map *map, const cairn_node *nodes, size_t count,
                                       cairn_cost *cost, size_t *broken);

/* Finds the open cell nearest to a node, for a start or a goal on which something stands, or that
 * lies in a closed room: the nearest by the base heuristic from the cell to the node, of several
 * the lowest, at most `steps` steps away on an empty map. If `connected_with` is not CAIRN_NO_NODE
 * (but the other end of the path, say), only cells count that are connected with it
 * (cairn_connected). An open node that counts is itself the nearest, and a node of a graph always,
 * whatever it is connected with. Returns CAIRN_NO_NODE if there is no such cell, and for a node
 * that is not on the map. Several threads may call it at once. */
CAIRN_API cairn_node cairn_nearest_open(const cairn_map *map, cairn_node node, uint32_t steps,
                                        cairn_node connected_with);

#ifdef __cplusplus
}
#endif

#endif
