/* The codec of uncompressed numbers: an entry for each open cell. */
#include "base/bytes.h"
#include "codec/codec_parts.h"

cairn_status cn_raw_pack(const cn_codec_layout *layout, const void *plane, cn_packed *packed)
{
    const cn_grid *grid = &layout->map->grid;
    cairn_node node = 0;

    packed->codec_id = CN_CODEC_RAW;
    packed->size = cn_entries_size(layout);
    packed->bytes = cn_array(&layout->mem, packed->size, 1);
    if (!packed->bytes)
        return CAIRN_E_MEMORY;

    uint8_t *to = packed->bytes;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node))
                continue;
            uint32_t entry = cn_entry_stored(plane, y * layout->stride + x, layout->bits);
            if (layout->bits == 16)
                cn_put_u16(to, (uint16_t)entry);
            else
                cn_put_u32(to, entry);
            to += layout->bits / 8;
        }
    }
    return CAIRN_OK;
}

cairn_status cn_raw_unpack(const cn_codec_layout *layout, const uint8_t *bytes, size_t size,
                           unsigned worker, void *plane)
{
    const cn_grid *grid = &layout->map->grid;
    cairn_node node = 0;

    if (size != cn_entries_size(layout))
        return CAIRN_E_FORMAT;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node))
                continue;
            uint32_t entry = layout->bits == 16 ? cn_get_u16(bytes) : cn_get_u32(bytes);
            if (!cn_entry_is_possible(entry, layout->bits))
                return CAIRN_E_FORMAT;
            cn_entry_put(plane, y * layout->stride + x, layout->bits, entry);
            bytes += layout->bits / 8;
        }
        if (!cn_watch_advance(layout->watch, worker, grid->width))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}
