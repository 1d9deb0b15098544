#include "bound/gate_parts.h"

#include <string.h>

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

/* Forgets what was known, and notes the opened cells. */
static cairn_status keep_opened(cn_gate_parts *parts, const cn_mem *mem, const cairn_node *opened,
                                size_t count)
{
    *parts = (cn_gate_parts){.opened = cn_array(mem, count, sizeof *parts->opened)};
    if (!parts->opened)
        return CAIRN_E_MEMORY;
    memcpy(parts->opened, opened, count * sizeof *opened);
    parts->opened_count = count;
    return CAIRN_OK;
}

cairn_status cn_gate_parts_find(cn_gate_parts *parts, const cn_mem *mem, const cn_regions *regions,
                                const cairn_node *opened, size_t count)
{
    cn_parts found;

    cairn_status status = keep_opened(parts, mem, opened, count);
    if (status == CAIRN_OK)
        status = cn_parts_find(&found, mem, regions, opened, count);
    if (status == CAIRN_OK) {
        status = keep_parts(parts, mem, &found);
        cn_parts_free(&found);
    }
    if (status != CAIRN_OK)
        cn_gate_parts_free(parts, mem);
    return status;
}

/* Whether all nodes of a list that are open are in another one. */
static bool are_among(const cn_grid *grid, const cairn_node *nodes, size_t count,
                      const cn_nodes *others)
{
    size_t i = 0;
    while (i < count && (!cn_grid_is_open(grid, nodes[i]) ||
                         cn_nodes_find(others->items, others->count, nodes[i]) != SIZE_MAX))
        i++;
    return i == count;
}

static bool still_hold(const cn_gate_parts *past, const cn_grid *grid, const cn_nodes *changed,
                       const cn_nodes *opened)
{
    const cn_nodes former = {.items = past->opened, .count = past->opened_count};
    if (!past->opened)
        return false;
    if (!past->of_tile)
        return are_among(grid, opened->items, opened->count, &former);
    return are_among(grid, former.items, former.count, opened) &&
           are_among(grid, changed->items, changed->count, opened);
}

static cairn_status copy_parts(cn_gate_parts *parts, const cn_mem *mem, const cn_gate_parts *past)
{
    const size_t cells = (size_t)past->mixed_count * CN_TILE_CELLS;
    parts->of_tile = cn_array(mem, past->tile_count, sizeof *parts->of_tile);
    parts->of_cell = cn_array(mem, past->mixed_count, CN_TILE_CELLS);
    if (!parts->of_tile || !parts->of_cell)
        return CAIRN_E_MEMORY;
    memcpy(parts->of_tile, past->of_tile, past->tile_count * sizeof *parts->of_tile);
    memcpy(parts->of_cell, past->of_cell, cells);
    parts->tiles_across = past->tiles_across;
    parts->tile_count = past->tile_count;
    parts->mixed_count = past->mixed_count;
    return CAIRN_OK;
}

cairn_status cn_gate_parts_take(cn_gate_parts *parts, const cn_mem *mem, const cn_gate_parts *past,
                                const cn_grid *grid, const cn_nodes *changed,
                                const cn_nodes *opened, bool *is_taken)
{
    *is_taken = still_hold(past, grid, changed, opened);
    if (!*is_taken)
        return CAIRN_OK;
    cairn_status status = keep_opened(parts, mem, opened->items, opened->count);
    if (status == CAIRN_OK && past->of_tile)
        status = copy_parts(parts, mem, past);
    if (status != CAIRN_OK)
        cn_gate_parts_free(parts, mem);
    return status;
}

void cn_gate_parts_free(cn_gate_parts *parts, const cn_mem *mem)
{
    cn_release(mem, parts->of_tile);
    cn_release(mem, parts->of_cell);
    cn_release(mem, parts->opened);
    *parts = (cn_gate_parts){.of_tile = NULL};
}

size_t cn_gate_parts_memory(const cn_gate_parts *parts)
{
    return cn_held_size(parts->of_tile, parts->tile_count, sizeof *parts->of_tile) +
           cn_held_size(parts->of_cell, parts->mixed_count, CN_TILE_CELLS) +
           cn_held_size(parts->opened, parts->opened_count, sizeof *parts->opened);
}
