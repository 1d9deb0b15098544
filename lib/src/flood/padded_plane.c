#include "flood/padded_plane.h"

static void clear_cell(const cn_padding *padding, cn_padded_index index, void *costs)
{
    const unsigned bits = padding->bits;
    cn_entry_put(costs, index, bits, padding->open[index] ? cn_padding_infinite(bits) : 0);
}

void cn_padding_read(cn_padding *padding, const cn_grid *grid, cairn_node node,
                     cn_plane_memory *memory)
{
    const cn_padded_index index = cn_padding_index(padding, grid, node);
    padding->open[index] = cn_grid_is_open(grid, node) ? 0xff : 0;
    cn_plane_hold_one(memory, index);
}

static void clear_all(const cn_padding *padding, void *costs)
{
    const uint8_t *open = padding->open;
    uint16_t *narrow = costs;
    uint32_t *wide = costs;

    if (padding->bits == 16) {
        for (size_t i = 0; i < padding->cell_count; i++)
            narrow[i] = (uint16_t)(open[i] * 0x101u);
    } else {
        for (size_t i = 0; i < padding->cell_count; i++)
            wide[i] = open[i] ? CN_PLANE_INFINITE : 0;
    }
}

void cn_padding_clear(const cn_padding *padding, cn_plane_memory *memory)
{
    if (memory->held_count == CN_HELD_ALL)
        clear_all(padding, memory->costs);
    else
        for (size_t i = 0; i < memory->held_count; i++)
            clear_cell(padding, memory->held[i], memory->costs);
    memory->held_count = 0;
}

cn_plane cn_padding_plane(const cn_padding *padding, const void *costs)
{
    const unsigned bits = padding->bits;
    const size_t first = (padding->stride + 1) * (bits / 8);
    cn_plane plane = cn_plane_of_rows((const uint8_t *)costs + first, bits, padding->stride);
    plane.held_from = padding->stride + 1;
    return plane;
}

void cn_padding_free(cn_padding *padding, const cn_mem *mem)
{
    cn_release(mem, padding->open);
    padding->open = NULL;
}

/* The offset of a step in the padded plane, whose rows are longer than those of the grid. */
static int32_t widened(const cn_padding *padding, const cn_grid *grid, unsigned direction,
                       int32_t offset)
{
    return offset + cn_step_y[direction] * (int32_t)(padding->stride - grid->width);
}

cairn_status cn_padding_init(cn_padding *padding, const cairn_map *map, unsigned bits,
                             cn_plane_memory *memory)
{
    const cn_grid *grid = &map->grid;
    padding->bits = bits;
    padding->stride = (size_t)grid->width + 2;
    padding->cell_count = padding->stride * ((size_t)grid->height + 2);
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        padding->offset[direction] = widened(padding, grid, direction, grid->offset[direction]);
        padding->offset_odd[direction] = widened(padding, grid, direction,
                                                 grid->offset_odd[direction]);
    }
    padding->open = cn_zeroed(&map->mem, padding->cell_count, 1);
    cairn_status status = padding->open ? cn_plane_memory_new(map, padding->cell_count * (bits / 8),
                                                              0, memory)
                                        : CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        cn_padding_free(padding, &map->mem);
        return status;
    }
    cairn_node node = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        uint8_t *open = padding->open + (y + 1) * padding->stride + 1;
        for (uint32_t x = 0; x < grid->width; x++, node++)
            open[x] = cn_grid_is_open(grid, node) ? 0xff : 0;
    }
    return CAIRN_OK;
}
