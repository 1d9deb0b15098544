/* Tables of corners, rebuilt on the map as it is. */
#ifndef CN_REFRESH_REFRESH_CORNERS_H
#define CN_REFRESH_REFRESH_CORNERS_H

#include "table/corner_rows.h"

/* Computes all rows again, for the corners of the map as it is. Of the landmarks of a row each
 * component keeps the first that is still open; a component without one gets its first cell. After
 * a failure the table is as it was. CAIRN_E_MISMATCH for a map of another size, CAIRN_E_RESIDENT
 * for one that corners do not serve for, CAIRN_E_LIMIT, CAIRN_E_MEMORY. */
cairn_status cn_refresh_corners(cairn_table *table, const cairn_map *map);

#endif
