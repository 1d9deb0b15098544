/*
 * The clearance of cells: the size of the largest unit that fits there. Where the top left cell
 * stands for the unit it is one more than the least clearance of the cells to the right, below and
 * diagonally below. Where the middle does, a unit covers every smaller one with the same middle,
 * and every one with the next middle that is smaller by two: so only a few sizes have to be tried,
 * given the clearance of the cell to the left.
 */
#include "cairn/units.h"

#include "grid/bodies.h"
#include "map/map.h"

static uint16_t least_of(uint16_t a, uint16_t b, uint16_t c)
{
    const uint16_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* The row of `clearance` from the row below it, which is NULL for the last row. */
static void fill_row(const cn_grid *grid, uint32_t y, const uint16_t *below, uint16_t *clearance)
{
    const uint32_t width = grid->width;
    const uint32_t shift = grid->rules.rule == CAIRN_RULE_HEX && y % 2 ? 1 : 0;
    for (uint32_t x = width; x-- > 0;) {
        const uint32_t under = x + shift;
        const bool is_open = cn_grid_is_open(grid, y * width + x);
        if (!is_open || !below || x + 1 == width || under + 1 >= width)
            clearance[x] = is_open;
        else
            clearance[x] =
                (uint16_t)(least_of(clearance[x + 1], below[under], below[under + 1]) + 1);
    }
}

static void fill_top_left(const cn_grid *grid, uint16_t *clearance)
{
    const uint16_t *below = NULL;
    for (uint32_t y = grid->height; y-- > 0;) {
        uint16_t *row = clearance + (size_t)y * grid->width;
        fill_row(grid, y, below, row);
        below = row;
    }
}

/* Whether a unit whose middle is a cell stands, given clearances by the top left cell. */
static bool stands(const cn_grid *grid, const uint16_t *top_left, cairn_node node, uint32_t size)
{
    const cn_bodies bodies = {
        .size = size, .before = (size - 1) / 2, .is_hex = grid->rules.rule == CAIRN_RULE_HEX};
    cairn_node first;
    return cn_body_at(&bodies, grid, node, &first) && top_left[first] >= size;
}

static void fill_by_middle(const cn_grid *grid, const uint16_t *top_left, uint16_t *clearance)
{
    const cairn_node count = grid->width * grid->height;
    for (cairn_node node = 0; node < count; node++) {
        const uint32_t left = node % grid->width ? clearance[node - 1] : 0;
        uint32_t size = left > 2 ? left - 2 : 0;
        while (stands(grid, top_left, node, size + 1))
            size++;
        clearance[node] = (uint16_t)size;
    }
}

cairn_status cairn_clearance(const cairn_map *map, cairn_anchor anchor, uint16_t *clearance)
{
    if (!map || map->graph || !clearance || (unsigned)anchor > CAIRN_ANCHOR_MIDDLE)
        return CAIRN_E_ARGUMENT;
    const cn_grid *grid = &map->grid;
    const uint32_t count = cn_map_node_count(map);
    if (anchor == CAIRN_ANCHOR_TOP_LEFT) {
        fill_top_left(grid, clearance);
        return CAIRN_OK;
    }
    uint16_t *top_left = cn_array(&map->mem, count, sizeof *top_left);
    if (!top_left)
        return CAIRN_E_MEMORY;
    fill_top_left(grid, top_left);
    fill_by_middle(grid, top_left, clearance);
    cn_release(&map->mem, top_left);
    return CAIRN_OK;
}
