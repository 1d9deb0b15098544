/*
 * Tables with entries only for corners, on uniform grids where corners are not cut. Such a table
 * has a set of corners, which also contains all landmarks, and entries for its members, in their
 * order. The entries of any other cell follow from those of the members that see it: a shortest
 * path from a landmark reaches the cell by a canonical run from the last member on it.
 * docs/ALGORITHMS.md has the proof.
 *
 * After an edit the set is extended, in the gates of the table (gates.h), until the edit is
 * applied: then the set becomes that of the map as it is, with entries for new members that are put
 * together like those of any cell. Such a row says as much as one with entries at every cell: what
 * its members give to a cell differs between two cells by no more than a path between them costs.
 */
#ifndef CN_TABLE_CORNER_ROWS_H
#define CN_TABLE_CORNER_ROWS_H

#include "base/watch.h"
#include "flood/flood.h"
#include "map/corner_arcs.h"
#include "grid/corner_view.h"
#include "table/table.h"

/* Whether a map can have such tables. */
bool cn_corner_rows_suit(const cairn_map *map);

/* A table of these rows, which are computed from their landmarks one at a time, so that temporarily
 * memory for one row of the map is needed. The watch, at which a stage has begun, counts entries;
 * it may be NULL. CAIRN_E_LIMIT where a cost does not fit the entries, CAIRN_E_CANCELLED,
 * CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_new(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                cn_landmark_lists landmarks, cn_watch *watch, cairn_table **table);

/* Such a table with entries that are all zero. */
cairn_status cn_corner_rows_empty(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                  cn_landmark_lists landmarks, cairn_table **table);

/* Computes the lane_count entries of an open cell. The table must fit the map. */
void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries);

/* The view of the set and entries of a table, which must fit the map. */
CN_ALWAYS_INLINE cn_corner_view cn_corner_view_of(const cairn_table *table, const cairn_map *map)
{
    return (cn_corner_view){.corners = table->corners,
                            .grid = &map->grid,
                            .metric = map->metric,
                            .entries = table->entries,
                            .row_count = table->row_count,
                            .lane_count = table->lane_count,
                            .bits = table->entry_bits,
                            .kernel = cn_corner_kernel_for(table->entry_bits, table->cpu)};
}

/* Room for where the runs from members of the table's set end, which searches find one after
 * another. It is made on the first call, if the table fits the map; NULL: there is none. It belongs
 * to the set, and holds for a map with its hash. Any number of threads may call it at once.
 * CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_arcs(const cairn_table *table, const cairn_map *map,
                                 cn_corner_arcs **arcs);

/* Whether searches have found any. */
bool cn_corner_rows_has_arcs(const cairn_table *table);

/* Gives the next `count` members of another set, of the map as it is, those that are known and lead
 * where they did: of the table's set, where these are of this map, else what its extension says.
 * That may be NULL. Nobody else may use that set before all of its members are done.
 * CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_take_arcs(const cairn_table *table, const cairn_map *map,
                                      const cn_corners *extension, cn_corners *corners,
                                      cn_corner_copy *copy, uint32_t count);

/* A table without landmarks, whose set are the corners alone, for rows that are put one after
 * another. CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_open(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                 cairn_table **table);

/* Gives it landmarks when all rows are there. The entries of those that are no corners follow from
 * the corners that see them; *is_complete is false, and the table of no use, where that takes
 * longer than floods. CAIRN_E_MEMORY. */
cairn_status cn_corner_rows_close(cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, bool *is_complete);

/* Writes a row, whose costs are those of all cells. The entries must be the table's own. */
void cn_corner_rows_put(cairn_table *table, uint32_t row, const cn_plane *plane);

/* The entries of the next `count` members alone. */
void cn_corner_rows_put_some(cairn_table *table, uint32_t row, const cn_plane *plane,
                             cn_corner_copy *copy, uint32_t count);

/* Computes the costs of a row from its landmarks. */
cairn_status cn_corner_rows_flood(const cairn_table *table, cn_flooder *flooder, uint32_t row,
                                  cn_plane *plane);

/* Another set for a table, with entries for its members. */
typedef struct cn_corner_draft {
    cn_corners *corners;
    void *entries;
} cn_corner_draft;

/* Makes the set for a map as it is now, which also has the landmarks and late members of `known`.
 * All get the entries that follow from `known`, those of cells that are blocked on its grid
 * unreachable ones; without `known`, which may be NULL, none. CAIRN_E_MEMORY: there is no draft. */
cairn_status cn_corner_draft_make(const cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, const cn_corner_view *known,
                                  cn_corner_draft *draft);
void cn_corner_draft_free(cn_corner_draft *draft, const cn_mem *mem);

/* Makes them those of the table, which gets ownership. */
void cn_corner_draft_adopt(cn_corner_draft *draft, cairn_table *table);

/* Like cairn_table_verify; the table must fit the map. */
cairn_status cn_corner_rows_verify(const cairn_table *table, const cairn_map *map,
                                   cairn_fault *fault);

#endif
