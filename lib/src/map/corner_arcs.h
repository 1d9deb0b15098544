/*
 * Where the runs from corners end: at other corners, which follow from the open cells alone. So
 * those of each corner are found once, when a search first expands it, and searches along jump
 * points walk along lines and diagonals only then, from their start and to their goal. One cache
 * line for each corner holds most of its runs, and what else a search reads when it expands it.
 *
 * A corner is left in the directions that a canonical path may take after a straight run that turns
 * there; runs in others, as from a start, are not kept. The rule must be that of CN_JUMP_CLASSIC
 * without borders.
 *
 * Numbers are those of a set of corners, which owns its arcs (corners.h). After edits those of
 * corners that no changed cell is near to are still right; an extension of the set says which.
 */
#ifndef CN_MAP_CORNER_ARCS_H
#define CN_MAP_CORNER_ARCS_H

#include "grid/corners.h"
#include "map/jump_points.h"

/* How many runs a corner has, in the mean of some of the open ones. Among pillars, and on open
 * ground with single obstacles, they are so many that it takes longer to read them all than to
 * follow some, and the rest only where that turns out to be needed (CN_JUMP_MINORS_MOST,
 * search/jump_space.h). */
uint32_t cn_corner_runs_mean(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump);

/* Room for the arcs of the members of a set, on a map with a hash; none is known yet. NULL when
 * there is no memory. */
cn_corner_arcs *cn_corner_arcs_new(const cn_corners *corners, uint64_t hash, const cn_mem *mem);

/* The same, where cn_corner_arcs_copy has still to come to each member before anyone asks for its
 * arcs. So that takes no time in proportion to the set. */
cn_corner_arcs *cn_corner_arcs_for_copies(const cn_corners *corners, uint64_t hash,
                                          const cn_mem *mem);

/* The arcs of a set, on a map with a hash: made on the first call. They belong to the set. Any
 * number of threads may call it at once. CAIRN_E_MEMORY. */
cairn_status cn_corner_arcs_of(const cn_corners *corners, uint64_t hash, const cn_mem *mem,
                               cn_corner_arcs **arcs);

/* How far arcs have been copied; all zero: not at all. */
typedef struct cn_corner_copy {
    uint32_t next; /* member */
    cn_corner_walk walk;
} cn_corner_copy;

/* Copies the arcs that are known of members of another set, or of the set that this one extends, to
 * the next `count` members, of which none is known before; but not those of members that have
 * expired, a bit each by number (NULL: none). Where memory is missing, some are left out. */
void cn_corner_arcs_copy(cn_corner_arcs *arcs, const cn_corners *corners, const cn_corners *known,
                         const cn_corner_arcs *known_arcs, const uint64_t *expired,
                         cn_corner_copy *copy, uint32_t count);

/* Finds the runs of a corner, on the grid of the map with its planes for jump points; the corners
 * of the grid must be members. Returns the directions that are known then: 0 for a member that is
 * no corner, where there are very many runs, no memory, or another thread has begun to add some.
 * Any number of threads may call it at once. */
unsigned cn_corner_arcs_find(cn_corner_arcs *arcs, const cn_corners *corners, const cn_grid *grid,
                             const cn_jump *jump, uint32_t number);

#endif
