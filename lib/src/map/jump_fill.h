/*
 * The planes for jump points of a whole map (jump_points.h), 64 cells at a time: for the shape
 * CN_JUMP_CLASSIC without borders, where everything follows from which cells are open. Edits are
 * followed cell by cell.
 */
#ifndef CN_MAP_JUMP_FILL_H
#define CN_MAP_JUMP_FILL_H

#include "map/jump_points.h"

/* Fills stops, clear and hits. CAIRN_E_MEMORY. */
cairn_status cn_jump_fill(cn_jump *jump, const cn_grid *grid, const cn_mem *mem);

#endif
