/*
 * Tables whose rows live at corners alone, on uniform grids where corners are not cut. Such a table
 * has a set of corners, in which all landmarks are members, too, and entries for its members, in
 * their order. What any other cell's entries would be follows from those of the members that see
 * it: a cheapest path from a landmark comes to the cell by a canonical run from the last member on
 * it. docs/ALGORITHMS.md has the argument.
 *
 * The entries are those of the map that the table was made for. After an edit the table has no
 * rows for the map as it is until they are computed again.
 */
#ifndef CN_TABLE_CORNER_ROWS_H
#define CN_TABLE_CORNER_ROWS_H

#include "base/watch.h"
#include "table/table.h"

/* Whether a map may have such tables. */
bool cn_corner_rows_suit(const cairn_map *map);

/* A table of these rows, computed from their landmarks one at a time: beside what stays, there is
 * memory for one row of the map. The watch, of which a stage has begun, counts entries; NULL: none.
 * CAIRN_E_LIMIT where a cost does not fit the entries, CAIRN_E_CANCELLED, CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_new(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                cn_landmark_lists landmarks, cn_watch *watch,
                                cairn_table **table);

/* Writes the lane_count entries of an open cell of the map that the table fits. */
void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries);

/* As cairn_table_verify; the table fits the map. */
cairn_status cn_corner_rows_verify(const cairn_table *table, const cairn_map *map,
                                   cairn_fault *fault);

/* The entries of a member of the set. */
CN_ALWAYS_INLINE const uint8_t *cn_corner_rows_of(const cairn_table *table, uint32_t corner)
{
    return (const uint8_t *)table->entries +
           (size_t)corner * table->lane_count * (table->entry_bits / 8);
}

#endif
