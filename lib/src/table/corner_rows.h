/*
 * Tables with entries only for corners, on uniform grids where corners are not cut. Such a table
 * has a set of corners, which also contains all landmarks, and entries for its members, in their
 * order. The entries of any other cell follow from those of the members that see it: a shortest
 * path from a landmark reaches the cell by a canonical run from the last member on it.
 * docs/ALGORITHMS.md has the proof.
 *
 * The entries are those of the map for which the table was made. After an edit the table has no
 * rows for the map as it is until they are computed again.
 */
#ifndef CN_TABLE_CORNER_ROWS_H
#define CN_TABLE_CORNER_ROWS_H

#include "base/watch.h"
#include "table/table.h"

/* Whether a map can have such tables. */
bool cn_corner_rows_suit(const cairn_map *map);

/* A table of these rows, which are computed from their landmarks one at a time, so that temporarily
 * memory for one row of the map is needed. The watch, at which a stage has begun, counts entries;
 * it may be NULL. CAIRN_E_LIMIT where a cost does not fit the entries, CAIRN_E_CANCELLED,
 * CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_new(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                cn_landmark_lists landmarks, cn_watch *watch, cairn_table **table);

/* Computes the lane_count entries of an open cell. The table must fit the map. */
void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries);

/* Like cairn_table_verify; the table must fit the map. */
cairn_status cn_corner_rows_verify(const cairn_table *table, const cairn_map *map,
                                   cairn_fault *fault);

/* The entries of a member of the set. */
CN_ALWAYS_INLINE const uint8_t *cn_corner_rows_of(const cairn_table *table, uint32_t corner)
{
    return (const uint8_t *)table->entries +
           (size_t)corner * table->lane_count * (table->entry_bits / 8);
}

#endif
