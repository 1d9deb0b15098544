/*
 * Tables of corners, made exact again after edits of their map. Where corners are not too many, the
 * table is renewed as a whole (corner_renewal.h), over as many steps as that takes, and meanwhile
 * stays as it is.
 *
 * Else the edits are applied first. That gives the table the corners of the map as it is; new ones
 * get entries from those that see them, as gates have them (bound/gates.h), so that every row still
 * serves: where a cell opened, by gates. Then the rows are rebuilt one after the other, each by a
 * flood: over all cells if the budget suffices, or over the corners, which takes longer, but can
 * stop anywhere. Until it is rebuilt a row stays as it is.
 */
#ifndef CN_CORNER_REFRESH_CORNER_REFRESH_H
#define CN_CORNER_REFRESH_CORNER_REFRESH_H

#include "table/corner_rows.h"

/* cairn_refresh_step for a table of corners. */
cairn_status cn_corner_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget);

cairn_refresh_counts cn_corner_refresh_counts(const cairn_table *table);

/* Computes all rows again, for the corners of the map as it is, from landmarks as in
 * corner_landmarks.h. After a failure the table is as it was. CAIRN_E_MISMATCH for a map of another
 * size, CAIRN_E_RESIDENT for one that corners do not serve for, CAIRN_E_LIMIT, CAIRN_E_MEMORY. */
cairn_status cn_corner_refresh_rebuild(cairn_table *table, const cairn_map *map);

#endif
