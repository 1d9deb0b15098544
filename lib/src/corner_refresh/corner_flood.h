/*
 * A flood over the members of a set of corners, which can stop after any of them and continue:
 * Dijkstra's algorithm along canonical runs. It takes several times as long as a flood over all
 * cells, and the memory of the members alone.
 */
#ifndef CN_CORNER_REFRESH_CORNER_FLOOD_H
#define CN_CORNER_REFRESH_CORNER_FLOOD_H

#include "table/corner_rows.h"

typedef struct cn_corner_flood {
    cairn_cost *costs; /* by member; NULL: there is no flood */
    uint32_t count;
    uint64_t *heap; /* a cost, and in the low half the member */
    size_t heap_count;
    size_t heap_capacity;
    cairn_cost farthest; /* the greatest cost of a member whose successors are known */
    bool is_short;       /* of memory */
} cn_corner_flood;

/* Begins a flood from the landmarks of a row, which are members. CAIRN_E_MEMORY: there is none. */
cairn_status cn_corner_flood_begin(cn_corner_flood *flood, const cairn_table *table, uint32_t row);

/* Continues until *cells, which it reduces, is 0. CAIRN_MORE: members are left; CAIRN_OK: all costs
 * are known; CAIRN_E_MEMORY: the flood is gone. Set and map must be as they were. */
cairn_status cn_corner_flood_run(cn_corner_flood *flood, const cairn_table *table,
                                 const cairn_map *map, uint64_t *cells);

void cn_corner_flood_end(cn_corner_flood *flood, const cn_mem *mem);

#endif
