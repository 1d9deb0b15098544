#include "grid/grid_heights.h"

#include <string.h>

static void find_range(cn_heights *heights, size_t count)
{
    uint16_t low = UINT16_MAX, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = heights->cells[i] < low ? heights->cells[i] : low;
        high = heights->cells[i] > high ? heights->cells[i] : high;
    }
    heights->lowest = low;
    heights->range = count ? (uint32_t)(high - low) : 0;
}

cairn_status cn_heights_init(cn_heights *heights, const cn_mem *mem, const cairn_heights *from,
                             size_t count)
{
    *heights = (cn_heights){0};
    if (from->climb == 0 && from->descend == 0)
        return CAIRN_OK;
    uint16_t *cells = cn_array(mem, count, sizeof *cells);
    if (!cells)
        return CAIRN_E_MEMORY;
    /* The range is that of the copy, also where another thread writes to the heights. */
    memcpy(cells, from->cells, count * sizeof *cells);
    *heights = (cn_heights){.cells = cells, .climb = from->climb, .descend = from->descend};
    find_range(heights, count);
    if (heights->range == 0) {
        cn_release(mem, cells);
        *heights = (cn_heights){0};
    }
    return CAIRN_OK;
}
