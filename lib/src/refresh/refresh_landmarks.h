/* The landmarks of rows: those of a row are added and dropped, and chosen for components that have
 * none. */
#ifndef CN_REFRESH_REFRESH_LANDMARKS_H
#define CN_REFRESH_REFRESH_LANDMARKS_H

#include "refresh/refresh_state.h"

/* Gives landmarks to the components of unreachable cells among `unsettled` and the cells of the
 * round; their entries become seeds. Does nothing if earlier rows have to be exact first. For
 * grids. CAIRN_MORE when visits are spent: it is to be called again. CAIRN_E_MEMORY. */
cairn_status cn_refresh_serve(cn_refresh *self);

/* Gives a landmark of a row, whose landmarks are open cells, to every component that has none,
 * without changing entries. For grids. CAIRN_MORE as above; CAIRN_E_LIMIT where there is such a
 * component and an earlier row has costs above the limit; CAIRN_E_MEMORY. */
cairn_status cn_refresh_serve_early(cn_refresh *self, uint32_t row);

/* Adds landmarks to a row, which ascend and are not there. CAIRN_E_MEMORY. */
cairn_status cn_refresh_add_landmarks(cn_refresh *self, uint32_t row, const cairn_node *nodes,
                                      size_t count);

/* Removes a landmark from a row, or replaces it by a cell that is none. */
void cn_refresh_remove_landmark(cn_refresh *self, uint32_t row, size_t index);
void cn_refresh_replace_landmark(cn_refresh *self, uint32_t row, size_t index, cairn_node node);

/* Removes all landmarks of a row but those that stay by a test, and returns how many. To remove one
 * moves those of all later rows: there may be tens of thousands in each. */
typedef bool cn_landmark_test(const cn_refresh *self, uint32_t row, cairn_node landmark,
                              void *context);
size_t cn_refresh_filter_landmarks(cn_refresh *self, uint32_t row, cn_landmark_test *stays,
                                   void *context);

/* Removes the landmarks of a row that are blocked cells. Such a landmark is not found when its cell
 * closes if its entry, in a table from a file that was not verified, is not 0. Floods must begin at
 * open cells. */
void cn_refresh_drop_closed(cn_refresh *self, uint32_t row);

/* Raises the entry of a cell that is no longer a landmark: if it were 0 in every row, the cell
 * would be taken for a blocked one. */
void cn_refresh_raise_entry(cn_refresh *self, uint32_t row, cairn_node node);

/* Removes landmarks that only one row of a pair has: memory may have ended between the two. Which
 * rows lost one is told by CN_WORK_MOVED. */
void cn_refresh_match_pairs(cn_refresh *self);

#endif
