/* Costs to every node, and flow fields: for every node the step towards the nearest target, which
 * any number of units can follow. Part of cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_FLOOD_H
#define CAIRN_FLOOD_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory for floods of one map, kept from one to the next. Belongs to one thread at a time; several
 * threads may each have one of the same map. The map must exist as long, and may be edited between
 * two floods: the next one then prepares itself again. */
typedef struct cairn_flood cairn_flood;

CAIRN_API cairn_status cairn_flood_new(const cairn_map *map, cairn_flood **flood);
CAIRN_API void cairn_flood_free(cairn_flood *flood);

/* Costs from the nearest of `source_count` nodes to every node: `costs` receives
 * cairn_map_node_count values, CAIRN_UNREACHABLE where no path leads.
 * Returns CAIRN_E_ARGUMENT for a source that is blocked or not on the map, CAIRN_E_LIMIT for a
 * cost above CAIRN_COST_MAX, CAIRN_E_MEMORY; after a failure the values are undefined. */
CAIRN_API cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources,
                                        size_t source_count, cairn_cost *costs);

/* The same in the other direction: from every node to the nearest of `target_count` nodes. */
CAIRN_API cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets,
                                      size_t target_count, cairn_cost *costs);

/* The same two for a single flood, without an object to keep. */
CAIRN_API cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources,
                                        size_t source_count, cairn_cost *costs);
CAIRN_API cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets,
                                      size_t target_count, cairn_cost *costs);

/* What an entry of a flow field is where it is no step: a target, and a node from which no path
 * leads to one (blocked cells among them). */
#define CAIRN_FLOW_TARGET 254
#define CAIRN_FLOW_NONE 255

/* A flow field: `flow` receives cairn_map_node_count bytes, for each node the first step of a
 * cheapest path to the nearest target. On a grid a step is its direction: 0 east, 1 west, 2 south,
 * 3 north, 4 south-east, 5 south-west, 6 north-east, 7 north-west (y grows southwards; a hexagon
 * has neighbours in directions 0, 1, 4, 5, 6, 7). On a graph it is the index of the arc in
 * cairn_steps. cairn_flow_next tells the node that a step leads to. Of several steps of cheapest
 * paths the field has the one with the lowest number, so that it is the same on every processor.
 * `costs` receives what cairn_flood_to gives, and may be NULL.
 * Returns what cairn_flood_to returns, and CAIRN_E_LIMIT for a graph where a node has more than 254
 * arcs. */
CAIRN_API cairn_status cairn_flood_flow(cairn_flood *flood, const cairn_node *targets,
                                        size_t target_count, uint8_t *flow, cairn_cost *costs);

/* The node to which the field leads from a node; CAIRN_NO_NODE for targets, for nodes without a
 * path, and for steps that an edit of the map has taken away. Several threads may call it at once.
 */
CAIRN_API cairn_node cairn_flow_next(const cairn_map *map, const uint8_t *flow, cairn_node node);

#ifdef __cplusplus
}
#endif

#endif
