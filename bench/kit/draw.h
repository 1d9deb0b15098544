/* Cells drawn at random. */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include "base/rng.h"
#include "cairn/cairn.h"

/* Whether a cell is open, and reached from a landmark of a row. */
bool bench_is_reached(const cairn_map *map, const cairn_table *table, uint32_t row,
                      cairn_node node);

/* A random cell that is open and reached. CAIRN_NO_NODE where none was drawn, as below. */
cairn_node bench_any_cell(const cairn_map *map, const cairn_table *table, uint32_t row,
                          cn_rng *rng);

/* A cell in the middle part of a shortest path of more than 20 cells between two such cells. */
cairn_node bench_path_cell(const cairn_map *map, const cairn_table *table, uint32_t row,
                           cairn_search *search, cn_rng *rng);

#endif
