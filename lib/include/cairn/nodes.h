/* The nodes of a map: where they lie, which are open and connected, and the steps between them.
 * Part of cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_NODES_H
#define CAIRN_NODES_H

#include "cairn/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The node of a cell; CAIRN_NO_NODE outside the grid. */
CAIRN_API cairn_node cairn_node_at(const cairn_map *map, uint32_t x, uint32_t y);

/* The cell of a node; false, and nothing written, for a node that is not on the map. */
CAIRN_API bool cairn_node_xy(const cairn_map *map, cairn_node node, uint32_t *x, uint32_t *y);

/* The node of a hexagon in axial coordinates (q to the east, r along the rows downwards:
 * q = x - (y - y % 2) / 2, r = y), and the axial coordinates of a node. CAIRN_NO_NODE or false
 * outside the grid. */
CAIRN_API cairn_node cairn_node_at_axial(const cairn_map *map, int32_t q, int32_t r);
CAIRN_API bool cairn_node_axial(const cairn_map *map, cairn_node node, int32_t *q, int32_t *r);

/* The coordinates that a node of a graph was given; false where there are none. */
CAIRN_API bool cairn_node_place(const cairn_map *map, cairn_node node, int32_t *x, int32_t *y);

/* The terrain letter of a cell, 0 for a node that is not on the map; and those of all cells, as
 * many as nodes and without a final zero, as cairn_map_from_letters takes them. Nodes of graphs
 * have a '.'. */
CAIRN_API char cairn_map_letter(const cairn_map *map, cairn_node node);
CAIRN_API cairn_status cairn_map_letters(const cairn_map *map, char *letters);

/* Whether a cell may be entered; false for a node that is not on the map. */
CAIRN_API bool cairn_map_is_open(const cairn_map *map, cairn_node node);

/* Whether steps or arcs join two nodes, whatever their direction; false for a blocked cell and for
 * a node that is not on the map. False proves that no path leads from one to the other. True means
 * that paths lead from each to the other, unless the map has one-way cells or is a graph with arcs
 * that have no reverse arc.
 *
 * Takes constant time: the map keeps its components up to date through edits. The first call, or
 * the first search, finds them; where there is not enough memory for that the result is true. */
CAIRN_API bool cairn_connected(const cairn_map *map, cairn_node a, cairn_node b);

/* What makes nodes one component: that steps join them, whatever their direction, or that each can
 * be reached from each. The two differ only on maps with one-way cells, and on graphs with arcs
 * that have no reverse arc. */
typedef enum cairn_connection { CAIRN_CONNECTED = 0, CAIRN_STRONGLY_CONNECTED } cairn_connection;

/* In place of the number of a component: the cell is blocked. */
#define CAIRN_NO_COMPONENT UINT32_MAX

/* The components of a map: for each of its nodes the number of its component, below `*count`, or
 * CAIRN_NO_COMPONENT. They are numbered by size, the largest first, and of equally large ones that
 * with the first node first; so the nodes of the largest have the number 0. `components` has room
 * for as many numbers as the map has nodes; `count` may be NULL.
 *
 * Each call finds them again, in time in proportion to the nodes and their arcs, and takes up to 30
 * bytes for each node while it runs. The numbers belong to the map as it is now. Whether two nodes
 * are in one component, cairn_connected tells in constant time.
 *
 * CAIRN_E_MEMORY, CAIRN_E_ARGUMENT; then nothing is known of what was written. Several threads may
 * call it at once. (Strongly connected ones: Tarjan, "Depth-first search and linear graph
 * algorithms", 1972.) */
CAIRN_API cairn_status cairn_map_components(const cairn_map *map, cairn_connection connection,
                                            uint32_t *components, uint32_t *count);

/* The most steps that leave a cell of a grid. Nodes of graphs may have more arcs. */
#define CAIRN_STEPS_MAX 8

/* The steps that leave a node, each with what it costs on the map as it is now, under any rule,
 * terrain, heights and one-way cells; on a graph, its arcs. Writes as many as there is room for and
 * returns how many there are: 0 for a blocked cell and for a node that is not on the map. Steps of
 * a cell come in the order of directions that cairn_flood_flow has, from east to north-west, arcs
 * in the order of the nodes that they lead to. `steps` may be NULL where room is 0. Tables and
 * searches use the same costs, so your own A* finds shortest paths on every map if it takes its
 * steps from here and its heuristic from cairn_bound_at. Several threads may call it at once. */
CAIRN_API uint32_t cairn_steps(const cairn_map *map, cairn_node node, cairn_arc *steps,
                               uint32_t room);

/* Like cairn_steps, for the steps that lead to a node: in the order of the directions in which the
 * cells lie that they leave, arcs in that of these nodes. `from` is still where a step begins, and
 * `to` the given node. */
CAIRN_API uint32_t cairn_steps_to(const cairn_map *map, cairn_node node, cairn_arc *steps,
                                  uint32_t room);

#ifdef __cplusplus
}
#endif

#endif
