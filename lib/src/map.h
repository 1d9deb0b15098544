/* Level 2: the public map handle. */
#ifndef CN_MAP_H
#define CN_MAP_H

#include "grid.h"
#include "metric.h"
#include "roadmap.h"

/* A map of nodes and arcs is kept as a grid of one row whose cells are all open and have no steps,
 * beside its roadmap: tables, placement and files then need not know the difference. */
struct cairn_map {
    cn_mem mem;
    cairn_metric metric;
    cn_grid grid;
    cn_roadmap *roads;   /* NULL for grids */
    uint64_t hash;
    uint32_t unit;       /* units of cost in one of the metric: 1 or 2 */
    cairn_cost step[2];  /* straight, diagonal: times a factor, or times the sum of two */
    cairn_metric plain;  /* what octile distance may take for steps at least; not for hexagons */
};

/* A map around a grid that it takes over, also when it fails. Metric {0, 0}: the default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

/* A map around a roadmap that it takes over, also when it fails. */
cairn_status cn_map_new_roads(const cn_mem *mem, cn_roadmap *roads, cairn_map **map);

/* The components of any map: see cn_grid_components. */
cairn_status cn_map_components(const cairn_map *map, const cn_mem *mem, uint32_t *label,
                               uint32_t **sizes, uint32_t *count);

/* The least and the most that one arc costs; 1 for a map without arcs. */
cairn_cost cn_map_cheapest(const cairn_map *map);
cairn_cost cn_map_dearest(const cairn_map *map);

/* Whether every step costs the metric's straight or diagonal, the same both ways, and leads where
 * grid.offset says. */
CN_ALWAYS_INLINE bool cn_map_is_uniform(const cairn_map *map)
{
    return !map->roads && map->grid.rules.rule != CAIRN_RULE_HEX &&
           cn_rules_are_uniform(&map->grid.rules);
}

/* Whether, besides, diagonal steps need both sides: canonical successors, jump points and the
 * vector floods hold on such maps alone. */
CN_ALWAYS_INLINE bool cn_map_is_classic(const cairn_map *map)
{
    return cn_map_is_uniform(map) && map->grid.rules.rule == CAIRN_RULE_8;
}

CN_ALWAYS_INLINE bool cn_map_is_directed(const cairn_map *map)
{
    return map->roads ? map->roads->is_directed : cn_rules_are_directed(&map->grid.rules);
}

CN_ALWAYS_INLINE uint32_t cn_map_node_count(const cairn_map *map)
{
    return map->grid.width * map->grid.height;
}

#endif
