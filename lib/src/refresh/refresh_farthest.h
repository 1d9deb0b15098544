/*
 * Where landmarks are put: in the cell of a component that is farthest from the landmarks of all
 * earlier rows, which are exact. It is sought in many components at once, tile by tile, over as
 * many steps as the visits that are left to each ask for, and again from the beginning if the map
 * has changed meanwhile.
 */
#ifndef CN_REFRESH_REFRESH_FARTHEST_H
#define CN_REFRESH_REFRESH_FARTHEST_H

#include "refresh/refresh_state.h"

/* Considers a cell. Returns a cost that it is not farther away than. */
cairn_cost cn_farthest_consider(const cn_refresh *self, uint32_t row, cairn_node node,
                                cn_choice *best);

/* Whether a cell has a known distance. Where costs are directed, it has if all earlier landmarks
 * reach it and it reaches them. */
bool cn_farthest_is_reached(const cn_refresh *self, uint32_t row, cairn_node node);

/* Whether the cell before or after a cell in its row is blocked or beyond the map. */
bool cn_farthest_ends_run(const cn_refresh *self, cairn_node node);

/* Of the 16 cells of a row from a multiple of 16 on, as bits, those at the ends of runs of open
 * cells, or those between. */
CN_ALWAYS_INLINE unsigned cn_farthest_candidates(const cn_grid *grid, uint32_t x, uint32_t y,
                                                 bool at_ends)
{
    const uint64_t *words = cn_grid_open_row(grid, y) + x / 64;
    const uint64_t between = cn_bits_before(words) & cn_bits_behind(words);
    return (words[0] & (at_ends ? ~between : between)) >> x % 64 & 0xffff;
}

/* Goes on with a search for landmarks of a row, or begins it: then its stage is CN_FARTHEST_LISTS,
 * in which nothing is sought. What another search had found is lost. CAIRN_E_MEMORY. */
cairn_status cn_farthest_go_on(cn_refresh *self, cn_farthest_user user, uint32_t row);

/* Makes room for what is known of each component, of which nothing is known yet. Does nothing where
 * there is. CAIRN_E_MEMORY. */
cairn_status cn_farthest_choose(cn_refresh *self);

/* Seeks a cell of a component. */
void cn_farthest_want(cn_refresh *self, uint32_t component);

/* Whether there are visits left; also if too many searches were lost for another pause. */
bool cn_farthest_has_visits(const cn_refresh *self);

/* Seeks the farthest cells, in place of which callers had listed others. Only cells at the ends of
 * runs are considered, since the farthest cell is usually one of them; other cells only if all of
 * those are landmarks of earlier rows, and not for landmarks that move. Returns whether all have
 * been considered; otherwise visits are spent. */
bool cn_farthest_seek(cn_refresh *self);

/* Ends the search that is under way, if there is one, and frees its memory: because it has found
 * what it sought, or is lost. */
void cn_farthest_end(cn_refresh *self);
void cn_farthest_lose(cn_refresh *self);

#endif
