/* What the ways to make a map share: reading the options, and the map around the grid. */
#ifndef CN_MAP_MAP_MAKE_H
#define CN_MAP_MAP_MAKE_H

#include "map/map.h"

/* The options of the caller, complete, and what follows from them. CAIRN_E_ARGUMENT for a metric,
 * a rule or letters that make no sense. */
cairn_status cn_map_read_options(const cairn_map_options *from, cairn_map_options *options,
                                 cn_rules *rules, cn_mem *mem);

/* The options for a graph, of which only the allocator counts. */
cairn_status cn_graph_read_options(const cairn_map_options *from, cn_mem *mem);

/* A map around a grid that it takes over, also when it fails, with the heights of the options. */
cairn_status cn_map_from_grid(cn_grid *grid, const cairn_map_options *options, const cn_mem *mem,
                              cairn_map **map);

/* Says of a failure of cn_map_from_grid what the metric should have been. */
cairn_status cn_map_refuse_metric(cairn_status status, cairn_error *error);

#endif
