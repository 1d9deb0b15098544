#include <string.h>

#include "flood.h"

/* Unreached cells are marked by any cost that is too large; here, by all ones. */
CN_ALWAYS_INLINE void copy_costs(void *to, const void *from, uint32_t count, unsigned bits)
{
    if (bits == 16) {
        memcpy(to, from, count * sizeof(uint16_t));
        return;
    }
    uint32_t *restrict out = to;
    const uint32_t *restrict in = from;
    /* CAIRN_COST_MAX + 1 is the first with a carry into bit 30. */
    for (uint32_t i = 0; i < count; i++)
        out[i] = in[i] | (0u - ((in[i] + 1) >> 30));
}

/* `lanes` is a constant: the width of the tiles, or 0 for planes that have whole rows. */
CN_ALWAYS_INLINE void join_tiles(const cn_plane *plane, uint32_t y, uint32_t width,
                                 uint32_t lanes, unsigned bits, uint8_t *line)
{
    const uint32_t entry_size = bits / 8, step = lanes ? lanes : width;
    const uint8_t *costs = plane->costs;

    for (uint32_t x = 0; x < width; x += step) {
        const uint8_t *from = costs + cn_plane_index(plane, x, y) * entry_size;
        uint8_t *to = line + (size_t)x * entry_size;
        uint32_t count = width - x < step ? width - x : step;
        /* The next rows of a tile lie behind this one, but no processor sees that coming. */
        if (lanes)
            CN_PREFETCH(from + (size_t)4 * step * entry_size);
        if (CN_UNLIKELY(!cn_plane_is_live(plane, x, y)))
            memset(to, 0xff, (size_t)count * entry_size);
        else if (CN_LIKELY(count == lanes))
            copy_costs(to, from, lanes, bits);
        else
            copy_costs(to, from, count, bits);
    }
}

static void line_16(const cn_plane *plane, uint32_t y, uint32_t width, uint8_t *line)
{
    switch (plane->lane_shift) {
    case 3: join_tiles(plane, y, width, 8, 16, line); return;
    case 4: join_tiles(plane, y, width, 16, 16, line); return;
    case 5: join_tiles(plane, y, width, 32, 16, line); return;
    default: join_tiles(plane, y, width, 0, 16, line); return;
    }
}

static void line_32(const cn_plane *plane, uint32_t y, uint32_t width, uint8_t *line)
{
    switch (plane->lane_shift) {
    case 2: join_tiles(plane, y, width, 4, 32, line); return;
    case 3: join_tiles(plane, y, width, 8, 32, line); return;
    case 4: join_tiles(plane, y, width, 16, 32, line); return;
    default: join_tiles(plane, y, width, 0, 32, line); return;
    }
}

void cn_plane_line(const cn_plane *plane, uint32_t y, uint32_t width, void *line)
{
    if (plane->bits == 16)
        line_16(plane, y, width, line);
    else
        line_32(plane, y, width, line);
}
