/* What a flood engine is. flood.c picks one by map and processor. */
#ifndef CN_FLOOD_FLOOD_ENGINE_H
#define CN_FLOOD_FLOOD_ENGINE_H

#include "flood/flood.h"

typedef struct cn_flood_engine {
    const char *name;
    /* Makes the engine's scratch memory, from the map's allocator. It begins with the
     * cn_plane_memory of the plane, of which nothing is expected before a run. CAIRN_E_ARGUMENT for
     * a map that is not one for the engine. */
    cairn_status (*open)(const cairn_map *map, unsigned bits, void **state);
    cairn_status (*run)(void *state, const cairn_node *sources, size_t source_count,
                        cn_plane *plane);
    /* Costs to the nearest source instead; NULL: for maps where both are the same. */
    cairn_status (*run_back)(void *state, const cairn_node *sources, size_t source_count,
                             cn_plane *plane);
    /* Takes over a map that differs from the engine's in `cells`, which may have opened, closed or
     * changed their arcs. False, or NULL: the engine has to be opened anew. */
    bool (*update)(void *state, const cairn_map *map, const cairn_node *cells, size_t cell_count);
    /* The map may be gone by then; `mem` is its allocator. */
    void (*close)(void *state, const cn_mem *mem);
} cn_flood_engine;

/* A ring of buckets: any map (flood_bucket.c). */
extern const cn_flood_engine cn_flood_bucket;

/* A plain queue (flood_breadth.c): graphs, and grids of most rules, on which all steps cost the
 * same. */
extern const cn_flood_engine cn_flood_breadth;
bool cn_flood_breadth_serves(const cairn_map *map);

/* One list for each direction of arrival (flood_lists.c): cn_map_is_classic. */
extern const cn_flood_engine cn_flood_lists;

/* Vectors of cells in tiles (flood_tiles.c): cn_map_is_even, where the processor has such
 * vectors. */
extern const cn_flood_engine cn_flood_tiles;
bool cn_flood_tiles_exist(unsigned bits);

/* Trees (flood_trees.c): maps of 4 neighbours, or of 8 that do not cut corners, without loops. */
extern const cn_flood_engine cn_flood_trees;
bool cn_flood_trees_may_serve(const cairn_map *map);

/* As cn_flooder_new, with the engine named. CAIRN_E_ARGUMENT: see its `open`. */
cairn_status cn_flooder_open(const cairn_map *map, unsigned bits, const cn_flood_engine *engine,
                             cn_flooder **flooder);
const char *cn_flooder_engine(const cn_flooder *flooder);

#endif
