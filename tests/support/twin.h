/* One map of any kind twice: the library's, and the oracle's as a list of arcs. */
#ifndef SUPPORT_TWIN_H
#define SUPPORT_TWIN_H

#include "cairn/cairn.h"

#include "arcs_oracle.h"
#include "random_maps.h"

typedef enum terrain_kind {
    TERRAIN_UNIFORM,
    TERRAIN_ENTERED,
    TERRAIN_AVERAGE,
    TERRAIN_ONE_WAY,
    TERRAIN_HILLS,  /* heights, the same both ways, and factors */
    TERRAIN_SLOPES, /* heights that are dearer upwards, and factors */
    TERRAIN_KINDS,
    TERRAIN_ALIKE /* for some tests: several letters, all of the same factor, which is not 1 */
} terrain_kind;

typedef struct twin {
    oracle_rule rule;
    terrain_kind kind;
    picture drawn;     /* without letters: a graph */
    uint16_t *heights; /* by cell; NULL: level */
    int32_t *x, *y;    /* by node; NULL: no coordinates */
    bool is_directed;  /* of graphs: some arc costs something else than the arc back */
    cairn_map *map;
    oracle_arcs arcs;
} twin;

/* A small grid, and an arc list of random arcs (of symmetric ones: every other one the reverse). */
twin twin_of(uint64_t seed, oracle_rule rule, terrain_kind kind, cairn_metric metric);
twin twin_sized(uint64_t seed, oracle_rule rule, terrain_kind kind, cairn_metric metric,
                uint32_t width, uint32_t height);
twin twin_graph(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric, bool placed);

/* Makes a check for every kind of grid: for seeds below `count` under each rule and terrain, as far
 * as they are not left out (seeds.h). */
void for_every_kind(uint64_t count,
                    void (*check)(uint64_t seed, oracle_rule rule, terrain_kind kind));

/* The same kind of graph, which the library asks for by a callback. */
twin twin_callback_graph(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric);

/* A graph whose size, density, symmetry and coordinates follow from the seed; from one node without
 * arcs to 90 nodes with four times as many. */
twin twin_any_graph(uint64_t seed);
void twin_free(twin *both);

bool twin_is_open(const twin *both, uint32_t node);

/* Draws nodes, and keeps the open ones: none now and then. Returns how many. */
size_t twin_draw_nodes(const twin *both, dice *luck, cairn_node *nodes, unsigned draws);

/* Gives one cell another letter, or one arc another cost, on both sides. Returns the edit;
 * where the graph has no arc to edit, one of an arc at no cost. */
cairn_edit twin_edit(twin *both, dice *luck);

/* Gives a cell of a grid another letter, on both sides. */
cairn_edit twin_set_letter(twin *both, uint32_t node, char letter);

/* The library's map rebuilt from what the tests know of it. */
cairn_map *twin_rebuilt(const twin *both);

/* Lists the steps of the picture after letters of it were changed. */
void twin_list_steps(twin *both);

/* What an arc costs to the oracle from now on, and the arc back where the graph is not directed. */
void twin_set_arc(twin *both, uint32_t from, uint32_t to, uint64_t cost);

/* Publishes a world around a copy of the map, and notes the arcs that it has from now on. */
void twin_publish(const twin *both, cairn_world *world, oracle_arcs *published);

/* The same steps at costs of their own: straight and diagonal of a grid, 1 for arcs of a graph. */
oracle_arcs twin_step_map_arcs(const twin *both, cairn_metric metric);

/* Floods both ways from one open cell. */
void assert_floods(const twin *both, uint32_t node);

/* A row of a table against arcs; its landmarks are ascending, none of them twice. */
void assert_row(const oracle_arcs *arcs, const cairn_map *map, const cairn_table *table,
                uint32_t row);

/* The bound never exceeds a cost nor falls by more than an arc costs; searches find least costs. */
void assert_search(const twin *both, const cairn_table *table, dice *luck);

/* Edits the map some times, and refreshes the table by no budget, by a small one and to the end in
 * turn: searches before and after find least costs. In the end the table is fresh. */
void edit_search_and_refresh(twin *both, cairn_table *table, dice *luck);

#endif
