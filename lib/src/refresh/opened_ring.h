/* The cells around a cell that opened. */
#ifndef CN_REFRESH_OPENED_RING_H
#define CN_REFRESH_OPENED_RING_H

#include "grid/grid.h"

/* Whether a cell that opened may join components. It does not if the open cells around it to which
 * it has steps are connected among themselves. Of these, cells with CN_MARK_LATER are not open
 * yet. */
bool cn_opening_joins(const cn_grid *grid, const uint8_t *marks, cairn_node node);

#endif
