/*
 * Where the runs from corners end: at other corners, which follow from the open cells alone. So
 * they are found once, and a search along jump points walks along lines and diagonals only from its
 * start and to its goal. One cache line for each corner holds most of its runs, and what else a
 * search reads when it expands the corner.
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

/* The arcs of the members of a set, on a grid with its planes for jump points and with the hash of
 * its map; the corners of the grid must be members. `known`, which may be NULL, is an extension of
 * another set, with former arcs: those that still hold are copied. CAIRN_E_MEMORY. */
cairn_status cn_corner_arcs_new(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump,
                                uint64_t hash, const cn_corners *known, const cn_mem *mem,
                                cn_corner_arcs **arcs);

#endif
