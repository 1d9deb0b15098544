/* The landmarks of rows: those of a row are added and dropped, and chosen for components that have
 * none. */
#ifndef CN_REFRESH_REFRESH_LANDMARKS_H
#define CN_REFRESH_REFRESH_LANDMARKS_H

#include "refresh/refresh_state.h"

/* Gives landmarks to the components of unreachable cells among `dropped` and the cells of the
 * round; their entries become seeds. Does nothing if earlier rows have to be exact first. */
cairn_status cn_refresh_serve(cn_refresh *self);

/* Gives a landmark of a row, whose landmarks are open cells, to every component that has none,
 * without changing entries. For grids. CAIRN_E_LIMIT where there is such a component and an earlier
 * row has costs above the limit; CAIRN_E_MEMORY. */
cairn_status cn_refresh_serve_early(cn_refresh *self, uint32_t row);

/* The cell farthest from the landmarks of all earlier rows, which are exact; of equals the lowest.
 * For the first row, which has no earlier rows, the lowest cell. */
typedef struct cn_choice {
    cairn_node node; /* CAIRN_NO_NODE at first, and while all cells are such landmarks */
    cairn_cost distance;
    uint32_t near_row; /* the row whose landmark was nearest to the last cell; it usually is to the
                        * next one */
} cn_choice;

/* Returns a cost that the cell is not farther away than. */
cairn_cost cn_refresh_consider(const cn_refresh *self, uint32_t row, cairn_node node,
                               cn_choice *best);

/* Whether the cell before or after a cell in its row is blocked or beyond the map. */
bool cn_refresh_ends_run(const cn_refresh *self, cairn_node node);

/* Of the 16 cells of a row from a multiple of 16 on, as bits, those at the ends of runs of open
 * cells, or those between. */
CN_ALWAYS_INLINE unsigned cn_refresh_candidates(const cn_grid *grid, uint32_t x, uint32_t y,
                                                bool at_ends)
{
    const uint64_t *words = cn_grid_open_row(grid, y) + x / 64;
    const uint64_t between = cn_bits_before(words) & cn_bits_behind(words);
    return (words[0] & (at_ends ? ~between : between)) >> x % 64 & 0xffff;
}

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
 * rows lost one is told by CN_ROW_MOVED. */
void cn_refresh_match_pairs(cn_refresh *self);

#endif
