#include "grid/grid_heights.h"

#include <string.h>

static uint32_t range_of(const uint16_t *cells, size_t count)
{
    uint16_t low = UINT16_MAX, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = cells[i] < low ? cells[i] : low;
        high = cells[i] > high ? cells[i] : high;
    }
    return count ? (uint32_t)(high - low) : 0;
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
    const uint32_t range = range_of(cells, count);
    if (range == 0) {
        cn_release(mem, cells);
        return CAIRN_OK;
    }
    *heights = (cn_heights){cells, from->climb, from->descend, range};
    return CAIRN_OK;
}
