#include "bound/gate_parts.h"

/* Only tiles that were visited have cells in other parts than the first. */
static void number_tiles(cn_gate_parts *parts, const cn_parts *found, const uint32_t *numbers)
{
    for (size_t i = 0; i < found->visited.count; i++) {
        const uint32_t tile = found->visited.items[i];
        const uint32_t part = cn_parts_of_tile(found, numbers, tile);
        parts->of_tile[tile] = part < CN_GATE_PARTS_MAX ? part
                                                        : CN_GATE_PARTS_MAX + parts->mixed_count++;
    }
}

static cairn_status label_cells(cn_gate_parts *parts, const cn_mem *mem, const cn_parts *found,
                                const uint32_t *numbers)
{
    parts->of_cell = cn_array(mem, parts->mixed_count, CN_TILE_CELLS);
    if (!parts->of_cell)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < found->visited.count; i++) {
        const uint32_t tile = found->visited.items[i], part = parts->of_tile[tile];
        if (part >= CN_GATE_PARTS_MAX)
            cn_parts_label(found, numbers, tile,
                           parts->of_cell + (size_t)(part - CN_GATE_PARTS_MAX) * CN_TILE_CELLS);
    }
    return CAIRN_OK;
}

/* The tile of an opened cell has several parts. */
static cairn_status label_all(cn_gate_parts *parts, const cn_mem *mem, const cn_parts *found,
                              const uint32_t *numbers)
{
    parts->tiles_across = found->regions->tiles_across;
    parts->tile_count = found->regions->tile_count;
    parts->of_tile = cn_zeroed(mem, parts->tile_count, sizeof *parts->of_tile);
    if (!parts->of_tile)
        return CAIRN_E_MEMORY;
    number_tiles(parts, found, numbers);
    return label_cells(parts, mem, found, numbers);
}

static cairn_status keep_parts(cn_gate_parts *parts, const cn_mem *mem, const cn_parts *found)
{
    uint32_t *numbers = cn_array(mem, found->search_count, sizeof *numbers);
    if (!numbers)
        return CAIRN_E_MEMORY;
    const uint32_t count = cn_parts_number(found, numbers);
    cairn_status status = CAIRN_OK;
    if (count > 0 && count < CN_GATE_PARTS_MAX)
        status = label_all(parts, mem, found, numbers);
    cn_release(mem, numbers);
    return status;
}

cairn_status cn_gate_parts_find(cn_gate_parts *parts, const cn_mem *mem, const cn_regions *regions,
                                const cairn_node *opened, size_t count)
{
    cn_parts found;

    *parts = (cn_gate_parts){.of_tile = NULL};
    cairn_status status = cn_parts_find(&found, mem, regions, opened, count);
    if (status != CAIRN_OK)
        return status;
    status = keep_parts(parts, mem, &found);
    cn_parts_free(&found);
    if (status != CAIRN_OK)
        cn_gate_parts_free(parts, mem);
    return status;
}

void cn_gate_parts_free(cn_gate_parts *parts, const cn_mem *mem)
{
    cn_release(mem, parts->of_tile);
    cn_release(mem, parts->of_cell);
    *parts = (cn_gate_parts){.of_tile = NULL};
}

size_t cn_gate_parts_memory(const cn_gate_parts *parts)
{
    return cn_held_size(parts->of_tile, parts->tile_count, sizeof *parts->of_tile) +
           cn_held_size(parts->of_cell, parts->mixed_count, CN_TILE_CELLS);
}
