/* Costs to every node, and flow fields, which give for every node the step towards the nearest
 * target, for any number of units to follow. Part of cairn/cairn.h, which has the conventions of
 * all calls. */
#ifndef CAIRN_FLOOD_H
#define CAIRN_FLOOD_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An object that computes floods of one map and keeps its memory between them. It belongs to one
 * thread at a time; several threads may each have one for the same map. The map must outlive it,
 * and may be edited or get another metric between two floods. */
typedef struct cairn_flood cairn_flood;

/* Makes such an object, from the allocator of the map. CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_flood_new(const cairn_map *map, cairn_flood **flood);
CAIRN_API void cairn_flood_free(cairn_flood *flood);

/* Makes the next floods those of another map: a copy, or another state of a cairn_world. The map
 * may differ from the former one only in its cells or arc costs, and must outlive the next floods;
 * the former one needs only exist until this call. Limits and the array that is lent stay.
 * CAIRN_E_MISMATCH for a map that differs in more; the object then keeps its former map. */
CAIRN_API cairn_status cairn_flood_use(cairn_flood *flood, const cairn_map *map);

/* Limits the floods of the object from now on: to the nodes whose cost is at most `most` and, if
 * `node_count` is not 0, at most the cost of the dearest of `nodes`, so that a flood ends when all
 * of these are reached. Nodes beyond the limit get the cost CAIRN_UNREACHABLE and the step
 * CAIRN_FLOW_NONE, so that results are the same everywhere; the others get what they would without
 * a limit. If one of `nodes` is blocked or not reached, they do not limit the flood.
 * CAIRN_UNREACHABLE and no nodes: no limit, as at first. `nodes` are copied. Returns
 * CAIRN_E_ARGUMENT for a node that is not on the map, CAIRN_E_MEMORY; after a failure nothing has
 * changed.
 *
 * A flood of costs takes time for the nodes that it reaches and, if the array is not lent, for
 * filling it. To that, the first flood of an object and one after a flood of most of the map add
 * time for every node, but none takes much longer than without a limit. In mazes without loops
 * floods of more than about a hundredth of the cells take as long as whole ones. To write a flow
 * field takes time for the whole map, whatever the limit. */
CAIRN_API cairn_status cairn_flood_limit(cairn_flood *flood, cairn_cost most,
                                         const cairn_node *nodes, size_t node_count);

/* Lends the object an array of cairn_map_node_count costs, of 16 bits or of 32: until another one
 * or NULL is lent, only calls with this object may write to it. Floods into it do not rewrite parts
 * of the map that are blocked or unreached and were so the last time: on maps of which most is
 * blocked, and for floods with a limit, this saves more than half of the time. It is used by the
 * calls that get it as their `costs`; its contents when it is lent do not matter. After
 * CAIRN_E_MEMORY the array that was lent before still is. */
CAIRN_API cairn_status cairn_flood_lend(cairn_flood *flood, void *costs);

/* Computes the costs from the nearest of `source_count` nodes to every node: `costs` receives
 * cairn_map_node_count values, CAIRN_UNREACHABLE where no path leads (everywhere, if there are no
 * sources). Returns CAIRN_E_ARGUMENT for a source that is blocked or not on the map, CAIRN_E_LIMIT
 * for a node within the limit of the object whose cost is above CAIRN_COST_MAX, CAIRN_E_MEMORY;
 * after a failure the values are undefined. */
CAIRN_API cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources,
                                        size_t source_count, cairn_cost *costs);

/* The same in the other direction: from every node to the nearest of `target_count` nodes. */
CAIRN_API cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets,
                                      size_t target_count, cairn_cost *costs);

/* No finite cost, in 16 bits: there is no path. */
#define CAIRN_UNREACHABLE_16 UINT16_MAX

/* The two calls above with costs of 16 bits, in less time and half the memory: CAIRN_UNREACHABLE_16
 * where no path leads. CAIRN_E_LIMIT for a node within the limit of the object whose cost is above
 * 65,534: with 65,534 or less as the limit there is none. The default metric reaches 27 steps,
 * 10/14 more than 4,000. */
CAIRN_API cairn_status cairn_flood_from_16(cairn_flood *flood, const cairn_node *sources,
                                           size_t source_count, uint16_t *costs);
CAIRN_API cairn_status cairn_flood_to_16(cairn_flood *flood, const cairn_node *targets,
                                         size_t target_count, uint16_t *costs);

/* Like cairn_flood_from and cairn_flood_to without a limit, for a single flood that needs no
 * object. */
CAIRN_API cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources,
                                        size_t source_count, cairn_cost *costs);
CAIRN_API cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets,
                                      size_t target_count, cairn_cost *costs);

/* Entries of a flow field that are not steps: of a target, and of a node from which no path leads
 * to a target, such as a blocked cell. */
#define CAIRN_FLOW_TARGET 254
#define CAIRN_FLOW_NONE 255

/* A flow field: `flow` receives cairn_map_node_count bytes, for each node the first step of a
 * shortest path to the nearest target. On a grid a step is its direction: 0 east, 1 west, 2 south,
 * 3 north, 4 south-east, 5 south-west, 6 north-east, 7 north-west (y grows southwards; a hexagon
 * has neighbours in directions 0, 1, 4, 5, 6, 7). On a graph it is the index of the arc in
 * cairn_steps. cairn_flow_next tells the node that a step leads to. If there are several shortest
 * paths, the field has the first step with the lowest number, so that it is the same on every
 * processor. `costs` receives the results of cairn_flood_to, and may be NULL. Returns what
 * cairn_flood_to returns, and CAIRN_E_LIMIT for a graph where a node has more than 254 arcs. */
CAIRN_API cairn_status cairn_flood_flow(cairn_flood *flood, const cairn_node *targets,
                                        size_t target_count, uint8_t *flow, cairn_cost *costs);

/* Makes a field follow edits of the map: `flow` and `costs` are what cairn_flood_flow, or this
 * call, wrote without a limit for the same targets when the map had the hash `hash`
 * (cairn_map_hash), and become what cairn_flood_flow gives now. Takes time for the nodes whose
 * cost changes; where these are many, or the journal of edits does not reach back so far,
 * everything is computed again. Objects with a limit compute everything again, whatever the arrays
 * hold. Returns what cairn_flood_flow returns. After CAIRN_E_ARGUMENT, as for a target that is
 * blocked now, nothing has changed; after CAIRN_E_MEMORY and CAIRN_E_LIMIT the arrays are
 * undefined, and cairn_flood_flow has to fill them. */
CAIRN_API cairn_status cairn_flow_repair(cairn_flood *flood, const cairn_node *targets,
                                         size_t target_count, uint64_t hash, uint8_t *flow,
                                         cairn_cost *costs);

/* The node to which the field leads from a node; CAIRN_NO_NODE for targets, for nodes without a
 * path, and for steps that an edit of the map has taken away. So a field that lags behind edits
 * never leads into a wall. The call reads the map: that of a cairn_world only while its view is
 * held. Several threads may call it at once. */
CAIRN_API cairn_node cairn_flow_next(const cairn_map *map, const uint8_t *flow, cairn_node node);

#ifdef __cplusplus
}
#endif

#endif
