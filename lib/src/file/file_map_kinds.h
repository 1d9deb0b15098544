/* Maps in the file other than uniform grids without corner cutting (docs/FORMAT.md). */
#ifndef CN_FILE_FILE_MAP_KINDS_H
#define CN_FILE_FILE_MAP_KINDS_H

#include "io/buffer.h"
#include "map/map.h"

/* Appends the payload of the section MAP. */
void cn_other_map_pack(const cairn_map *map, cn_buffer *buffer);

/* Reads the whole payload, which has at least CN_MAP_HEAD_SIZE bytes. Fills *grid or *graph, and
 * makes the other empty. CAIRN_E_FORMAT for invalid bytes, CAIRN_E_VERSION for an unknown kind,
 * CAIRN_E_LIMIT for a graph that could take more memory than memory_limit. */
cairn_status cn_other_map_unpack(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                 uint64_t memory_limit, cn_grid *grid, cn_graph **graph);

/* What such a payload says about costs, without unpacking its cells or arcs: all of *outline but
 * the metric and whether arcs are directed. CAIRN_E_FORMAT, CAIRN_E_VERSION, CAIRN_E_MEMORY. */
cairn_status cn_other_map_outline(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                  cairn_map_outline *outline);

#endif
