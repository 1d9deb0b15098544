/* Heights of the cells of a grid, and what slopes cost. */
#ifndef CN_GRID_GRID_HEIGHTS_H
#define CN_GRID_GRID_HEIGHTS_H

#include "base/mem.h"

typedef struct cn_heights {
    uint16_t *cells;  /* in row order; NULL: the grid is level, or slopes cost nothing */
    uint32_t climb;   /* for a unit up, in thousandths of a straight step */
    uint32_t descend; /* for a unit down */
    uint32_t lowest;  /* the smallest height */
    uint32_t range;   /* the largest height minus the smallest */
} cn_heights;

/* Copies heights for `count` cells, unless they change no cost. */
cairn_status cn_heights_init(cn_heights *heights, const cn_mem *mem, const cairn_heights *from,
                             size_t count);

/* Whether a slope costs more in one direction than in the other. */
CN_ALWAYS_INLINE bool cn_heights_are_directed(const cn_heights *heights)
{
    return heights->cells && heights->climb != heights->descend;
}

#endif
