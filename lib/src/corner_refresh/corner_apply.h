/*
 * The edits of a map taken over by a table of corners, without making any row exact: the table gets
 * the corners of the map as it is. New ones get entries from those that see them, as gates have
 * them (bound/gates.h), so that every row still serves: where a cell opened, by gates. It takes
 * time in proportion to the table.
 */
#ifndef CN_CORNER_REFRESH_CORNER_APPLY_H
#define CN_CORNER_REFRESH_CORNER_APPLY_H

#include "corner_refresh/corner_landmarks.h"

/* The table does not fit the map. *changes becomes how its landmarks change.
 * CAIRN_E_MISMATCH for a table of another map, CAIRN_E_MEMORY: nothing has changed that bounds
 * depend on. */
cairn_status cn_corner_apply(cairn_table *table, const cairn_map *map,
                             cn_landmark_changes *changes);

#endif
