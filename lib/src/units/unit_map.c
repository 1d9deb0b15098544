/*
 * Maps for units of several cells. A unit map is a map whose letters follow from those of another:
 * cn_body_letters says how when it is made, and cn_body_letters_from for anchors near the cells of
 * each edit (cairn_map_edit).
 */
#include "cairn/units.h"

#include "map/map.h"

/* CAIRN_OK and no heights where the map has none. */
static cairn_status heights_of(const cairn_map *map, const cn_bodies *bodies, uint16_t **cells)
{
    const uint32_t count = cn_map_node_count(map);
    *cells = NULL;
    if (!map->grid.heights.cells)
        return CAIRN_OK;
    *cells = cn_array(&map->mem, count, sizeof **cells);
    for (cairn_node node = 0; *cells && node < count; node++)
        (*cells)[node] = cn_body_height(bodies, &map->grid, node);
    return *cells ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status make_grid(const cairn_map *map, const cn_bodies *bodies, cn_grid *grid)
{
    uint8_t *letters = cn_array(&map->mem, cn_map_node_count(map), 1);
    if (!letters || !cn_body_letters(bodies, &map->grid, &map->mem, letters)) {
        cn_release(&map->mem, letters);
        return CAIRN_E_MEMORY;
    }
    return cn_grid_init_ruled(grid, &map->mem, map->grid.width, map->grid.height, letters,
                              &bodies->rules);
}

static cairn_status make_map(const cairn_map *map, const cn_bodies *bodies, cairn_map **made)
{
    const cn_heights *from = &map->grid.heights;
    cairn_map_options options = {.metric = map->metric};
    cairn_heights heights = {map->grid.width, map->grid.height, NULL, from->climb, from->descend};
    uint16_t *cells;
    cn_grid grid;

    cairn_status status = heights_of(map, bodies, &cells);
    if (status == CAIRN_OK)
        status = make_grid(map, bodies, &grid);
    heights.cells = cells;
    options.heights = cells ? &heights : NULL;
    if (status == CAIRN_OK)
        status = cn_map_from_grid(&grid, &options, &map->mem, made);
    cn_release(&map->mem, cells);
    return status;
}

cairn_status cairn_map_for_units(cairn_map *map, uint32_t size, cairn_anchor anchor,
                                 cairn_map **units)
{
    if (!units)
        return CAIRN_E_ARGUMENT;
    *units = NULL;
    if (!map || map->graph || map->bodies || size == 0 || (unsigned)anchor > CAIRN_ANCHOR_MIDDLE)
        return CAIRN_E_ARGUMENT;
    if (size > CAIRN_UNIT_SIZE_MAX)
        return CAIRN_E_LIMIT;
    cn_bodies *bodies = cn_array(&map->mem, 1, sizeof *bodies);
    if (!bodies)
        return CAIRN_E_MEMORY;

    cairn_map *made = NULL;
    cairn_status status = cn_bodies_init(bodies, &map->grid, size, anchor);
    if (status == CAIRN_OK)
        status = make_map(map, bodies, &made);
    if (status != CAIRN_OK) {
        cn_release(&map->mem, bodies);
        return status;
    }
    made->bodies = bodies;
    made->pool = map->pool;
    cn_units_attach(made, map);
    *units = made;
    return CAIRN_OK;
}

uint32_t cairn_map_unit_size(const cairn_map *map)
{
    return map->bodies ? map->bodies->size : 1;
}

/* Columns and rows of a unit before its anchor. */
static uint32_t cells_before(const cairn_map *units)
{
    return units->bodies ? units->bodies->before : 0;
}

static uint32_t list_cells(const cairn_map *units, cairn_node first, cairn_node *cells,
                           uint32_t room)
{
    const cn_bodies *bodies = units->bodies;
    uint32_t count = 0;
    for (uint32_t row = 0; row < bodies->size; row++) {
        for (uint32_t column = 0; column < bodies->size; column++, count++) {
            if (count < room)
                cells[count] = first + column;
        }
        if (row + 1 < bodies->size)
            first = cn_body_next_row(bodies, &units->grid, first);
    }
    return count;
}

uint32_t cairn_unit_cells(const cairn_map *units, cairn_node anchor, cairn_node *cells,
                          uint32_t room)
{
    cairn_node first;
    if (anchor >= cn_map_node_count(units))
        return 0;
    if (units->bodies)
        return cn_body_at(units->bodies, &units->grid, anchor, &first)
                   ? list_cells(units, first, cells, room)
                   : 0;
    if (room)
        cells[0] = anchor;
    return 1;
}

/* Whether the unit at a node lies on the map as a whole. */
static bool is_on_map(const cairn_map *units, cairn_node anchor)
{
    cairn_node first;
    return !units->bodies || cn_body_at(units->bodies, &units->grid, anchor, &first);
}

/* The node so many columns and rows from a cell; on hexagons columns lean as units do, each row
 * south-east of the one above. CAIRN_NO_NODE beyond the grid. */
static cairn_node node_beside(const cn_grid *grid, int64_t x, int64_t y, int64_t columns,
                              int64_t rows)
{
    const int64_t to_y = y + rows;
    if (to_y < 0 || to_y >= grid->height)
        return CAIRN_NO_NODE;
    const int64_t lean = grid->rules.rule == CAIRN_RULE_HEX ? to_y / 2 - y / 2 : 0;
    const int64_t to_x = x + columns + lean;
    return to_x < 0 || to_x >= grid->width ? CAIRN_NO_NODE
                                           : (cairn_node)(to_y * grid->width + to_x);
}

/* The anchors that are from `least` to `most` columns and rows away from a cell. */
static uint32_t list_anchors(const cairn_map *units, cairn_node at, int64_t least, int64_t most,
                             cairn_node *anchors, uint32_t room)
{
    uint32_t x, y, count = 0;
    cn_grid_xy(&units->grid, at, &x, &y);
    for (int64_t rows = least; rows <= most; rows++) {
        for (int64_t columns = least; columns <= most; columns++) {
            const cairn_node anchor = node_beside(&units->grid, x, y, columns, rows);
            if (anchor == CAIRN_NO_NODE || !is_on_map(units, anchor))
                continue;
            if (count < room)
                anchors[count] = anchor;
            count++;
        }
    }
    return count;
}

static bool have_same_nodes(const cairn_map *one, const cairn_map *other)
{
    return !one->graph == !other->graph && cn_map_node_count(one) == cn_map_node_count(other) &&
           one->grid.width == other->grid.width && one->grid.rules.rule == other->grid.rules.rule;
}

uint32_t cairn_unit_anchors(const cairn_map *units, const cairn_map *others, cairn_node at,
                            cairn_node *anchors, uint32_t room)
{
    if (!have_same_nodes(units, others) || at >= cn_map_node_count(units) || !is_on_map(others, at))
        return 0;
    if (units->bodies || others->bodies) {
        const int64_t shift = (int64_t)cells_before(units) - cells_before(others);
        return list_anchors(units, at, shift - (cairn_map_unit_size(units) - 1),
                            shift + cairn_map_unit_size(others) - 1, anchors, room);
    }
    if (room)
        anchors[0] = at;
    return 1;
}
