/* Level 3: what a flood engine is. flood.c picks one by map and processor. */
#ifndef CN_FLOOD_ENGINE_H
#define CN_FLOOD_ENGINE_H

#include "flood.h"

typedef struct cn_flood_engine {
    const char *name;
    /* Makes the engine's scratch memory, from the map's allocator. */
    cairn_status (*open)(const cairn_map *map, unsigned bits, void **state);
    cairn_status (*run)(void *state, const cairn_node *sources, size_t source_count,
                        cn_plane *plane);
    void (*close)(void *state);
} cn_flood_engine;

/* Two sorted queues over canonical successors: any map, any processor (flood_queue.c). */
extern const cn_flood_engine cn_flood_queue;

/* Vectors of cells in tiles (flood_tiles.c), where the processor has such vectors. */
extern const cn_flood_engine cn_flood_tiles;
bool cn_flood_tiles_exist(unsigned bits);

#endif
