/* Level 4: rows of costs, interleaved so that one node's entries lie together. */
#ifndef CN_TABLE_H
#define CN_TABLE_H

#include "arcs.h"
#include "flood.h"

struct cairn_table {
    cn_mem mem;
    cairn_metric metric;
    uint64_t map_hash;
    uint32_t width;            /* of the grid the nodes lie on */
    uint32_t height;
    uint32_t node_count;
    uint32_t row_count;
    bool is_directed;          /* rows in pairs with the same landmarks: costs from, costs to */
    uint32_t lane_count;       /* row_count rounded up to full vectors; spare lanes are 0 */
    uint32_t entry_bits;       /* 16 or 32 */
    void *entries;             /* [node_count][lane_count]; all ones: unreachable */
    size_t *landmark_start;    /* [row_count + 1] into landmarks */
    cairn_node *landmarks;     /* by row, ascending */
};

/* A table for `map` with all entries zero (blocked cells stay so) and no landmarks. */
cairn_status cn_table_new(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                          uint32_t entry_bits, cairn_table **table);

/* Gives rows 0 .. row_count-1 their landmarks: `start` has row_count + 1 entries. Copied. */
cairn_status cn_table_set_landmarks(cairn_table *table, const size_t *start,
                                    const cairn_node *landmarks);

/* Copies a plane into a row, open cells only. */
void cn_table_put_row(cairn_table *table, const cairn_map *map, uint32_t row,
                      const cn_plane *plane);

/* Which way a row's costs lead: forward from the landmarks (of symmetric maps: and back). */
CN_ALWAYS_INLINE cn_way cn_table_way(const cairn_table *table, uint32_t row)
{
    return table->is_directed && (row & 1) ? CN_REVERSE : CN_FORWARD;
}

/* Whether the table was made for this map. */
bool cn_table_fits(const cairn_table *table, const cairn_map *map);

/* The structural validator: counts, widths, landmarks open and ascending, entries of landmarks
 * zero. Used by the decoder, the tests and the fuzzers. */
cairn_status cn_table_check(const cairn_table *table, const cairn_map *map);

CN_ALWAYS_INLINE size_t cn_table_index(const cairn_table *table, cairn_node node, uint32_t row)
{
    return (size_t)node * table->lane_count + row;
}

CN_ALWAYS_INLINE cairn_cost cn_table_entry(const cairn_table *table, uint32_t row,
                                           cairn_node node)
{
    size_t index = cn_table_index(table, node, row);
    if (table->entry_bits == 32)
        return ((const uint32_t *)table->entries)[index];
    uint16_t cost = ((const uint16_t *)table->entries)[index];
    return cost == UINT16_MAX ? CAIRN_UNREACHABLE : cost;
}

#endif
