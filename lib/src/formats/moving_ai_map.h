/* The Moving AI .map format. */
#ifndef CN_FORMATS_MOVING_AI_MAP_H
#define CN_FORMATS_MOVING_AI_MAP_H

#include "grid/grid.h"

/* Reads the text of a .map file. If `memory` is not NULL, the text begins a block of `mem`,
 * *memory, and may be overwritten; where the grid keeps that block, *memory becomes NULL. */
cairn_status cn_moving_ai_parse(const cn_mem *mem, const char *text, size_t size, uint8_t **memory,
                                const cn_rules *rules, cn_grid *grid, cairn_error *error);

#endif
