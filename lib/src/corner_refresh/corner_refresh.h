/*
 * Tables of corners, made exact again after edits of their map. A table is renewed as a whole
 * (corner_renewal.h), over as many steps as that takes, and meanwhile stays as it is. A step
 * without a budget takes over the edits alone (corner_apply.h).
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
