/* Level 2: the public map handle. */
#ifndef CN_MAP_H
#define CN_MAP_H

#include "grid.h"

struct cairn_map {
    cn_mem mem;
    cairn_metric metric;
    cn_grid grid;
    uint64_t hash;
};

/* A map around a grid that it takes over, also when it fails. Metric {0, 0}: the default. */
cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map);

bool cn_metric_is_valid(cairn_metric metric);

/* The pairs of cairn_metric_choice CAIRN_METRIC_COMPACT, finest first; ends with {0, 0}. */
extern const cairn_metric cn_metric_compact[];

/* A whole file into memory from `mem`; at most 4 GiB. */
cairn_status cn_read_file(const char *path, const cn_mem *mem, uint8_t **bytes, size_t *size,
                          cairn_error *error);

#endif
