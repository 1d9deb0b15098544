/* Edits of every kind on maps of every kind. They are made on what the tests know of the map, and
 * left to the caller for the library's: in one call, one by one, through a world or a text. */
#ifndef SUPPORT_STORM_H
#define SUPPORT_STORM_H

#include "twin.h"

/* Grids of every rule with every terrain; graphs. */
typedef enum storm_graph {
    STORM_DIRECTED,
    STORM_UNDIRECTED,
    STORM_PLACED,
    STORM_PLACED_UNDIRECTED,
    STORM_OWN,
    STORM_OWN_UNDIRECTED,
    STORM_GRAPHS
} storm_graph;

enum { STORM_GRIDS = ORACLE_RULES * TERRAIN_KINDS, STORM_KINDS = STORM_GRIDS + STORM_GRAPHS };

/* A small map of a kind below STORM_KINDS. */
twin storm_twin(unsigned kind, uint64_t seed);

/* None one time in four; else one of a few rows, at corners one time in two if `may_be_at_corners`
 * and the map has such tables. */
cairn_table *storm_table(cairn_map *map, dice *luck, bool may_be_at_corners);

/* Edits that belong together. They point into the batch, which must stay where it is. */
enum { STORM_EDITS = 5, STORM_SIDE = 6 };
typedef struct storm_batch {
    cairn_edit edits[STORM_EDITS];
    size_t count;
    uint8_t data[STORM_EDITS][STORM_SIDE * STORM_SIDE];
} storm_batch;

/* Draws edits and makes them on the tests' side: single cells, rectangles of one letter, bits and
 * letters, some of them empty; of graphs, costs of arcs. None where a graph has no arc. The steps
 * that the oracle has of a grid follow when twin_list_steps is called: after every batch that would
 * take longer than all else. */
void storm_draw(twin *both, dice *luck, storm_batch *batch);

/* The same, in one call of cairn_map_edit, and twin_list_steps. */
void storm_edit(twin *both, dice *luck);

/* So many such calls, and then twin_list_steps. */
void storm_edit_often(twin *both, dice *luck, unsigned calls);

/* The map equals one rebuilt from what the tests know of it. */
void assert_map_equals_a_rebuilt_one(const twin *both);

/* Every row is exact by the oracle. */
void assert_table_is_exact(const twin *both, const cairn_table *table);

/* A file of map and table is read again, with the map in it and without, and holds both. */
void assert_file_gives_back(const twin *both, const cairn_table *table, cairn_codec codec);

#endif
