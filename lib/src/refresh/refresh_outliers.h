/*
 * Rows that take another cell for a landmark: after components were joined, the landmark of a row
 * may be in a corner of the new component. So some cells of the smaller parts, the outliers, are
 * remembered until all rows before this row are exact: if one of them is farther from the landmarks
 * of these rows than the row's own landmark is, the row moves its landmark to the farthest cell of
 * all, as in placement. Landmarks that were removed are outliers too; where it was not examined
 * which parts were joined, there are no others.
 */
#ifndef CN_REFRESH_REFRESH_OUTLIERS_H
#define CN_REFRESH_REFRESH_OUTLIERS_H

#include "components/joined_parts.h"
#include "refresh/refresh_state.h"

/* Lists outliers of the smaller parts in components where `is_joined`, and makes room for so many
 * more. They are appended to those of earlier joins, for which rows still have to be examined, or
 * take their place: of parts there are never more than the map has cells. CAIRN_E_MEMORY. */
cairn_status cn_refresh_list_outliers(cn_refresh *self, const cn_parts *parts,
                                      const bool *is_joined, size_t more);

/* Lists a landmark that was removed; there is room for it. */
void cn_refresh_add_outlier(cn_refresh *self, cairn_node node);

/* cn_refresh_may_move_landmarks tells whether components of a row were joined and all earlier rows
 * are exact. Then cn_refresh_move_landmarks moves the landmark in each of these components, for the
 * row or pair, to the cell that is farthest from the landmarks of all earlier rows, if some cell in
 * the smaller parts is farther than the landmark. */
bool cn_refresh_may_move_landmarks(const cn_refresh *self, uint32_t row);
cairn_status cn_refresh_move_landmarks(cn_refresh *self, uint32_t row);

#endif
