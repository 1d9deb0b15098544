#include "bound/gate_parts.h"

#include <string.h>

/* Only tiles that were visited have cells in other parts than the first. */
static void number_tiles(cn_gate_parts *parts, const cn_parts *found)
{
    for (size_t i = 0; i < found->visited.count; i++) {
        const uint32_t tile = found->visited.items[i], part = cn_parts_of_tile(found, tile);
        parts->of_tile[tile] = part == CN_PART_SEVERAL ? CN_GATE_PARTS_MAX + parts->mixed_count++
                                                       : part;
    }
}

/* The tile of an opened cell has several parts, so that there is such a tile. An opened cell is in
 * none itself; it counts to the first for when it has closed again, and nobody asks it before. */
static cairn_status label_cells(cn_gate_parts *parts, const cn_mem *mem, const cn_parts *found)
{
    uint32_t labels[CN_TILE_CELLS];

    parts->of_cell = cn_array(mem, parts->mixed_count, CN_TILE_CELLS);
    if (!parts->of_cell)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < found->visited.count; i++) {
        const uint32_t tile = found->visited.items[i], part = parts->of_tile[tile];
        if (part < CN_GATE_PARTS_MAX)
            continue;
        uint8_t *cells = parts->of_cell + (size_t)(part - CN_GATE_PARTS_MAX) * CN_TILE_CELLS;
        cn_parts_label(found, tile, labels);
        for (uint32_t cell = 0; cell < CN_TILE_CELLS; cell++)
            cells[cell] = labels[cell] == CN_PART_OPENED ? 0 : (uint8_t)labels[cell];
    }
    return CAIRN_OK;
}

static cairn_status keep_parts(cn_gate_parts *parts, const cn_mem *mem, const cn_parts *found)
{
    if (found->part_count == 0 || found->part_count >= CN_GATE_PARTS_MAX)
        return CAIRN_OK;
    parts->tiles_across = found->regions->tiles_across;
    parts->tile_count = found->regions->tile_count;
    parts->of_tile = cn_zeroed(mem, parts->tile_count, sizeof *parts->of_tile);
    if (!parts->of_tile)
        return CAIRN_E_MEMORY;
    number_tiles(parts, found);
    return label_cells(parts, mem, found);
}

/* Forgets what was known, and notes the opened cells. */
static cairn_status keep_opened(cn_gate_parts *parts, const cn_mem *mem, const cn_nodes *opened)
{
    *parts = (cn_gate_parts){.opened = cn_array(mem, opened->count, sizeof *parts->opened)};
    if (!parts->opened)
        return CAIRN_E_MEMORY;
    memcpy(parts->opened, opened->items, opened->count * sizeof *parts->opened);
    parts->opened_count = opened->count;
    return CAIRN_OK;
}

cairn_status cn_gate_parts_find(cn_gate_parts *parts, const cn_mem *mem, const cn_regions *regions,
                                const cn_nodes *opened)
{
    cn_parts found;

    cairn_status status = keep_opened(parts, mem, opened);
    if (status == CAIRN_OK)
        status = cn_parts_find(&found, mem, regions, opened->items, opened->count);
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

bool cn_gate_parts_hold(const cn_gate_parts *past, const cn_grid *grid, const cairn_node *changed,
                        size_t changed_count, const cn_nodes *opened)
{
    const cn_nodes former = {.items = past->opened, .count = past->opened_count};
    if (!past->opened)
        return false;
    if (!past->of_tile)
        return are_among(grid, opened->items, opened->count, &former);
    return are_among(grid, former.items, former.count, opened) &&
           are_among(grid, changed, changed_count, opened);
}

static cairn_status copy_labels(cn_gate_parts *parts, const cn_mem *mem, const cn_gate_parts *past)
{
    const size_t cells = (size_t)past->mixed_count * CN_TILE_CELLS;
    parts->tiles_across = past->tiles_across;
    parts->tile_count = past->tile_count;
    parts->mixed_count = past->mixed_count;
    parts->of_tile = cn_array(mem, past->tile_count, sizeof *parts->of_tile);
    parts->of_cell = cn_array(mem, past->mixed_count, CN_TILE_CELLS);
    if (!parts->of_tile || !parts->of_cell)
        return CAIRN_E_MEMORY;
    memcpy(parts->of_tile, past->of_tile, past->tile_count * sizeof *parts->of_tile);
    memcpy(parts->of_cell, past->of_cell, cells);
    return CAIRN_OK;
}

cairn_status cn_gate_parts_copy(cn_gate_parts *parts, const cn_mem *mem, const cn_gate_parts *past,
                                const cn_nodes *opened)
{
    cairn_status status = keep_opened(parts, mem, opened);
    if (status == CAIRN_OK && past->of_tile)
        status = copy_labels(parts, mem, past);
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
