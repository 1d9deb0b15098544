#include "flood/padded_plane.h"

static void clear_place(const cn_frame *frame, cn_place place, void *costs, unsigned bits)
{
    cn_entry_put(costs, place, bits, frame->open[place] ? cn_frame_infinite(bits) : 0);
}

void cn_frame_read(cn_frame *frame, const cn_grid *grid, cairn_node node, cn_plane_memory *memory)
{
    const cn_place place = cn_frame_place(frame, grid, node);
    frame->open[place] = cn_grid_is_open(grid, node) ? 0xff : 0;
    cn_plane_hold_one(memory, place);
}

static void clear_all(const cn_frame *frame, void *costs, unsigned bits)
{
    const uint8_t *open = frame->open;
    uint16_t *narrow = costs;
    uint32_t *wide = costs;

    for (size_t i = 0; i < frame->place_count && bits == 16; i++)
        narrow[i] = (uint16_t)(open[i] * 0x101u);
    for (size_t i = 0; i < frame->place_count && bits == 32; i++)
        wide[i] = open[i] ? CN_PLANE_INFINITE : 0;
}

void cn_frame_clear(const cn_frame *frame, cn_plane_memory *memory, unsigned bits)
{
    if (memory->held_count == CN_HELD_ALL)
        clear_all(frame, memory->costs, bits);
    else
        for (size_t i = 0; i < memory->held_count; i++)
            clear_place(frame, memory->held[i], memory->costs, bits);
    memory->held_count = 0;
}

cn_plane cn_frame_plane(const cn_frame *frame, const void *costs, unsigned bits)
{
    const size_t first = (frame->stride + 1) * (bits / 8);
    cn_plane plane = cn_plane_of_rows((const uint8_t *)costs + first, bits, frame->stride);
    plane.held_from = frame->stride + 1;
    return plane;
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
