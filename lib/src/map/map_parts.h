/*
 * The parts of a map as labels of its nodes, found once: connected components, and the largest
 * strongly connected part of each. Of the other ways to find components, cn_runs_new (grid) knows
 * those of grids by runs of cells, which take less memory, and cn_map_connect (components) keeps
 * them while the map is edited.
 */
#ifndef CN_MAP_MAP_PARTS_H
#define CN_MAP_MAP_PARTS_H

#include "map/map.h"

/* The connected components of any map, where arcs count in both directions: see
 * cn_grid_components. */
cairn_status cn_map_components(const cairn_map *map, const cn_mem *mem, uint32_t *label,
                               uint32_t **sizes, uint32_t *count);

/* On a directed map, keeps the labels only of the nodes in the largest strongly connected part of
 * each component (Tarjan, "Depth-first search and linear graph algorithms", 1972); the others lose
 * theirs. Components in which no two nodes reach each other are left as they are. `label` and
 * `sizes` are those of cn_map_components. */
cairn_status cn_map_keep_cores(const cairn_map *map, const cn_mem *mem, uint32_t *label,
                               uint32_t *sizes, uint32_t count);

#endif
