#include "flood/padded_plane.h"

void cn_frame_read(cn_frame *frame, const cn_grid *grid, cairn_node node)
{
    frame->open[cn_frame_place(frame, grid, node)] = cn_grid_is_open(grid, node) ? 0xff : 0;
}

void cn_frame_clear(const cn_frame *frame, void *costs, unsigned bits)
{
    const uint8_t *open = frame->open;
    uint16_t *narrow = costs;
    uint32_t *wide = costs;

    for (size_t i = 0; i < frame->place_count && bits == 16; i++)
        narrow[i] = (uint16_t)(open[i] * 0x101u);
    for (size_t i = 0; i < frame->place_count && bits == 32; i++)
        wide[i] = open[i] ? CN_PLANE_INFINITE : 0;
}

cn_plane cn_frame_plane(const cn_frame *frame, const void *costs, unsigned bits)
{
    const size_t first = (frame->stride + 1) * (bits / 8);
    return cn_plane_of_rows((const uint8_t *)costs + first, bits, frame->stride);
}

void cn_frame_free(cn_frame *frame, const cn_mem *mem)
{
    cn_release(mem, frame->open);
    frame->open = NULL;
}

/* The offset of a step in the padded plane, whose rows are longer than those of the grid. */
static int32_t widened(const cn_frame *frame, const cn_grid *grid, unsigned direction,
                       int32_t offset)
{
    return offset + cn_step_y[direction] * (int32_t)(frame->stride - grid->width);
}

cairn_status cn_frame_init(cn_frame *frame, const cairn_map *map, unsigned bits,
                           cn_plane_memory *memory)
{
    const cn_grid *grid = &map->grid;
    frame->stride = (size_t)grid->width + 2;
    frame->place_count = frame->stride * ((size_t)grid->height + 2);
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        frame->offset[direction] = widened(frame, grid, direction, grid->offset[direction]);
        frame->offset_odd[direction] = widened(frame, grid, direction, grid->offset_odd[direction]);
    }
    frame->open = cn_zeroed(&map->mem, frame->place_count, 1);
    cairn_status status = frame->open
                              ? cn_plane_memory_new(map, frame->place_count * (bits / 8), 0, memory)
                              : CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cn_frame_free(frame, &map->mem);
        return status;
    }
    cairn_node node = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        uint8_t *open = frame->open + (y + 1) * frame->stride + 1;
        for (uint32_t x = 0; x < grid->width; x++, node++)
            open[x] = cn_grid_is_open(grid, node) ? 0xff : 0;
    }
    return CAIRN_OK;
}
