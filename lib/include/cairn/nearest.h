/* Shortest paths to the nearest of many goals, and from the nearest of many starts. Part of
 * cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_NEAREST_H
#define CAIRN_NEAREST_H

#include "cairn/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Finds a shortest path to the nearest of `count` goals, which may be in any order, blocked, out
 * of reach or listed twice; path->which says which of them it leads to. Which of several that are
 * equally near may depend on what the search has been asked before, and on the processor. Where
 * no path leads to any of them, the result is that of cairn_search_run for the first one, also
 * with `nearest`. With `weight` the path costs at most so many times what the nearest goal does.
 *
 * Mostly takes little more than a run to the nearest goal alone, since bounds of the table rule
 * other goals out. If they do not, as where goals lie close together and far away, one search from
 * all of these goals at once decides (with records by corner or costs that are directed: several
 * searches, or a flood of the whole map). Beside longer searches Dijkstra's algorithm goes on from
 * the start for as many nodes, until it reaches a goal. So even with poor bounds it takes, beside
 * the reading of the list and the run to the nearest goal alone, about twice as long as that
 * algorithm, or as long as it takes for the whole map where that seems far from a goal, as in
 * corridors and before dear steps. It takes 4 bytes for each node and 16 to 32 for each that it
 * discovers, which the search keeps.
 *
 * Counts in the path are those of all searches together (where no path leads to any goal, of the
 * last one), without Dijkstra's algorithm and floods. The expansion limit of the search also counts
 * what that algorithm expands; cairn_search_resume goes on after it. cairn_search_node_info answers
 * for the last of the searches, which may have gone the other way round.
 *
 * CAIRN_E_ARGUMENT for an empty list, for a node that is not on the map, and for searches with
 * `bound`; otherwise errors are those of cairn_search_run. */
CAIRN_API cairn_status cairn_search_run_to_any(cairn_search *search, cairn_node start,
                                               const cairn_node *goals, size_t count,
                                               cairn_path *path);

/* The same in the other direction: a shortest path to a goal from the nearest of `count` starts. */
CAIRN_API cairn_status cairn_search_run_from_any(cairn_search *search, const cairn_node *starts,
                                                 size_t count, cairn_node goal, cairn_path *path);

/* The same in slices, as cairn_search_begin: cairn_search_resume and cairn_search_resume_for go on.
 * The list is copied, and read in this call. What Dijkstra's algorithm expands counts for
 * `expansions`, too, and resume_for may end after fewer than 4; a flood of the whole map is not
 * sliced. In the end the path is the one that a run without slices finds, with the same counts,
 * where the search has been asked the same before and no other search has used map and table
 * meanwhile. While it is paused, only the outcome and the counts of the path mean anything. */
CAIRN_API cairn_status cairn_search_begin_to_any(cairn_search *search, cairn_node start,
                                                 const cairn_node *goals, size_t count,
                                                 cairn_path *path);
CAIRN_API cairn_status cairn_search_begin_from_any(cairn_search *search, const cairn_node *starts,
                                                   size_t count, cairn_node goal, cairn_path *path);

#ifdef __cplusplus
}
#endif

#endif
