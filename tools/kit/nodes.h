/* Maps and their nodes in words: cells of a grid by column and row, nodes of a graph by number. */
#ifndef KIT_NODES_H
#define KIT_NODES_H

#include "args.h"
#include "cairn/cairn.h"
#include "json.h"
#include "say.h"

typedef struct kit_phrase {
    char text[96];
} kit_phrase;

/* "256 x 224, 35,264 open cells" (of a map for units "25,131 places for units of 2 x 2"), or
 * "4 nodes, 5 arcs". */
kit_phrase kit_map_size(const cairn_map *map);

/* "3,4", or "17"; "" for no node of the map. */
kit_text kit_node_text(const cairn_map *map, cairn_node node);

/* [3, 4], or 17. */
void kit_json_node(kit_json *json, const char *name, const cairn_map *map, cairn_node node);

/* "cell" or "cells" of a grid, "node" or "nodes" of a graph, by how many there are. */
const char *kit_cells_word(const cairn_map *map, uint64_t count);

/* The node that was asked for; false, with a complaint about what `name` calls, where the map has
 * none like it. */
bool kit_find_node(const char *name, const cairn_map *map, kit_cell cell, cairn_node *node);

#endif
