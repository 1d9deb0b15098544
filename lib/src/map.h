/* Level 2: the public map handle. */
#ifndef CN_MAP_H
#define CN_MAP_H

#include "grid.h"
#include "metric.h"

struct cairn_map {
    cn_mem mem;
    cairn_metric metric;
    cn_grid grid;
    uint64_t hash;
};

/* A map around a grid that it takes over, also when it fails. Metric {0, 0}: the default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

CN_ALWAYS_INLINE uint32_t cn_map_node_count(const cairn_map *map)
{
    return map->grid.width * map->grid.height;
}

#endif
