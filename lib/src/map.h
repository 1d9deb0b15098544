/* Level 2: the public map handle. */
#ifndef CN_MAP_H
#define CN_MAP_H

#include <stdatomic.h>

#include "grid.h"
#include "journal.h"
#include "jump.h"
#include "metric.h"

struct cairn_map {
    cn_mem mem;
    cairn_metric metric;
    cn_grid grid;
    uint64_t hash;
    cn_journal journal;  /* what cairn_map_edit did to it */
    _Atomic(cn_jump *) jump;  /* NULL until a search first asks for it */
};

/* A map around a grid that it takes over, also when it fails. Metric {0, 0}: the default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

/* The hash of a map is that of its size and metric plus one number for each open cell, so that an
 * edit changes it at the cost of the edit. The mixer is the finalizer of SplitMix64. */
CN_ALWAYS_INLINE uint64_t cn_map_mix(uint64_t word)
{
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
    word = (word ^ word >> 27) * 0x94d049bb133111ebu;
    return word ^ word >> 31;
}

CN_ALWAYS_INLINE uint64_t cn_map_cell_hash(cairn_node node)
{
    return cn_map_mix((node + UINT64_C(1)) * 0x9e3779b97f4a7c15u);
}

/* What happened to a map since it had a certain hash. */
typedef enum cn_changes {
    CN_CHANGES_NONE,       /* it has that hash now */
    CN_CHANGES_KNOWN,      /* the cells that opened or closed are listed */
    CN_CHANGES_FORGOTTEN,  /* it had that hash, but the journal no longer reaches back so far */
    CN_CHANGES_STRANGER    /* it never had, as far as is known */
} cn_changes;

/* *cells stay valid until the next edit; a cell may be listed more than once, and may be back to
 * what it was. */
cn_changes cn_map_changes(const cairn_map *map, uint64_t hash, const cairn_node **cells,
                          size_t *count);

CN_ALWAYS_INLINE uint32_t cn_map_node_count(const cairn_map *map)
{
    return map->grid.width * map->grid.height;
}

/* Whether every open cell costs the same, steps lead to the 8 neighbours and no corner is cut:
 * what canonical successors and jump points rest on. */
CN_ALWAYS_INLINE bool cn_map_is_uniform(const cairn_map *map)
{
    (void)map;
    return true;
}

/* The map's jump planes, made now if they are not there yet; any number of threads may ask at
 * once. They belong to the map. CAIRN_E_MEMORY. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump);

#endif
