/* The cells around a cell that opened. */
#ifndef CN_COMPONENTS_OPENED_RING_H
#define CN_COMPONENTS_OPENED_RING_H

#include "grid/grid.h"

/* Whether a cell that opened may join components. It does not if the open cells around it to which
 * it has steps are connected among themselves. Of these, cells that are marked by a bit of `later`
 * are not open yet. */
bool cn_opening_joins(const cn_grid *grid, const uint8_t *marks, uint8_t later, cairn_node node);

#endif
