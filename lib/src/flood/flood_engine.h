/* The interface of a flood engine. flood.c chooses one by map and processor. */
#ifndef CN_FLOOD_FLOOD_ENGINE_H
#define CN_FLOOD_FLOOD_ENGINE_H

#include "flood/flood.h"
#include "flood/flood_end.h"

typedef struct cn_flood_engine {
    const char *name;
    /* Allocates the engine's state from the map's allocator. The state begins with the
     * cn_plane_memory of the plane, whose contents before a run do not matter. CAIRN_E_ARGUMENT for
     * a map on which the engine does not work. */
    cairn_status (*open)(const cairn_map *map, unsigned bits, void **state);
    /* May end where the task allows it. Costs that do not fit the entries are left out, and the
     * plane says that there may be some. */
    cairn_status (*run)(void *state, const cn_flood_task *task, cn_plane *plane);
    /* The same for all costs, in parts: CAIRN_MORE when about so many cells have been visited, from
     * which *cells is reduced. The sources are needed by `begin` alone. NULL: the engine cannot. */
    void (*begin)(void *state, const cn_flood_task *task);
    cairn_status (*resume)(void *state, const cn_flood_task *task, uint64_t *cells,
                           cn_plane *plane);
    /* Adapts the state to a map that differs from the engine's in `cells`, which have opened,
     * closed or changed their arcs. False, or NULL: the engine has to be closed and opened
     * again. */
    bool (*update)(void *state, const cairn_map *map, const cairn_node *cells, size_t cell_count);
    /* The map may not exist any more; `mem` is its allocator. */
    void (*close)(void *state, const cn_mem *mem);
} cn_flood_engine;

/* A ring of buckets, for any map (flood_bucket.c). */
extern const cn_flood_engine cn_flood_bucket;

/* Breadth-first search (flood_breadth.c), for graphs and grids of most rules on which all steps
 * cost the same. */
extern const cn_flood_engine cn_flood_breadth;
bool cn_flood_breadth_serves(const cairn_map *map);

/* One list for each direction of arrival (flood_lists.c), for maps with cn_map_is_classic. */
extern const cn_flood_engine cn_flood_lists;

/* Vectors of cells in tiles (flood_tiles.c), for grids, where the processor has such vectors. */
extern const cn_flood_engine cn_flood_tiles;
bool cn_flood_tiles_exist(unsigned bits);
bool cn_flood_tiles_serve(const cairn_map *map, unsigned bits);

/* Trees (flood_trees.c), for maps without loops that have 4 neighbours, or 8 without cutting of
 * corners. */
extern const cn_flood_engine cn_flood_trees;
bool cn_flood_trees_may_serve(const cairn_map *map);

/* Whether cn_flooder_new would choose that engine for many runs. */
bool cn_flood_goes_by_tiles(const cairn_map *map, unsigned bits);

/* Like cn_flooder_new, with a given engine. For CAIRN_E_ARGUMENT see its `open`. */
cairn_status cn_flooder_open(const cairn_map *map, unsigned bits, const cn_flood_engine *engine,
                             cn_flooder **flooder);
const char *cn_flooder_engine(const cn_flooder *flooder);

#endif
