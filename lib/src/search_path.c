#include "search.h"

static bool reserve(cairn_search *search, cn_nodes *nodes, size_t count)
{
    void *items = nodes->items;
    bool grown = cn_grow(&search->mem, &items, &nodes->capacity, 0, count, sizeof *nodes->items);
    nodes->items = items;
    return grown;
}

/* The nodes that the search went through, start first. */
static cairn_status read_points(cairn_search *search)
{
    const cn_record *records = search->scratch.records;
    cn_nodes *points = &search->points;
    cairn_node start = search->trip.start, goal = search->trip.goal;

    points->count = 1;
    for (cairn_node node = goal; node != start; node = CN_NODE_OF(records[node].parent))
        points->count++;
    if (!reserve(search, points, points->count))
        return CAIRN_E_MEMORY;

    cairn_node node = goal;
    for (size_t i = points->count; i-- > 1; node = CN_NODE_OF(records[node].parent))
        points->items[i] = node;
    points->items[0] = start;
    return CAIRN_OK;
}

/* A path being turned into corners. */
typedef struct corner_writer {
    const cn_grid *grid;
    cn_nodes *corners;
    int32_t last_offset;       /* of the steps that lead to the last corner; 0 at the start */
    uint64_t steps[2];         /* straight, diagonal */
} corner_writer;

/* `length` equal steps onwards; a run in the same direction as the last one prolongs it. */
static cairn_node add_run(corner_writer *out, cairn_node from, int32_t offset, uint32_t length)
{
    if (length == 0)
        return from;
    cairn_node to = (cairn_node)(from + (int64_t)offset * length);
    if (offset == out->last_offset)
        out->corners->count--;
    out->corners->items[out->corners->count++] = to;
    out->last_offset = offset;
    return to;
}

/* A diagonal run and then a straight one. */
static void add_leg(corner_writer *out, cairn_node from, cairn_node to)
{
    uint32_t ax, ay, bx, by;
    cn_grid_xy(out->grid, from, &ax, &ay);
    cn_grid_xy(out->grid, to, &bx, &by);
    uint32_t across = bx > ax ? bx - ax : ax - bx, down = by > ay ? by - ay : ay - by;
    uint32_t diagonal = across < down ? across : down;
    uint32_t straight = (across < down ? down : across) - diagonal;
    int32_t width = (int32_t)out->grid->width;
    int32_t step_x = bx > ax ? 1 : -1, step_y = by > ay ? width : -width;

    cairn_node turn = add_run(out, from, step_x + step_y, diagonal);
    add_run(out, turn, across > down ? step_x : step_y, straight);
    out->steps[0] += straight;
    out->steps[1] += diagonal;
}

/* Straight and diagonal steps are counted apart and added once, so that rounding does not depend
 * on their order. */
static cairn_status write_corners(cairn_search *search, cairn_path *path)
{
    static const double root_2 = 1.41421356237309504880;
    const cn_nodes *points = &search->points;
    cn_nodes *corners = &search->corners;
    corner_writer out = {.grid = &search->map->grid, .corners = corners};

    if (!reserve(search, corners, 2 * points->count))
        return CAIRN_E_MEMORY;
    corners->items[0] = points->items[0];
    corners->count = 1;
    for (size_t i = 1; i < points->count; i++)
        add_leg(&out, points->items[i - 1], points->items[i]);
    path->corners = corners->items;
    path->corner_count = corners->count;
    path->length = (double)out.steps[0] + root_2 * (double)out.steps[1];
    return CAIRN_OK;
}

static uint32_t steps_between(const cn_grid *grid, cairn_node a, cairn_node b, int32_t *offset)
{
    uint32_t ax, ay, bx, by;
    cn_grid_xy(grid, a, &ax, &ay);
    cn_grid_xy(grid, b, &bx, &by);
    uint32_t across = bx > ax ? bx - ax : ax - bx, down = by > ay ? by - ay : ay - by;
    int32_t width = (int32_t)grid->width;
    *offset = (across ? (bx > ax ? 1 : -1) : 0) + (down ? (by > ay ? width : -width) : 0);
    return across > down ? across : down;
}

static cairn_status write_cells(cairn_search *search)
{
    const cn_grid *grid = &search->map->grid;
    const cn_nodes *corners = &search->corners;
    cn_nodes *cells = &search->cells;
    size_t count = 1;
    int32_t offset;

    for (size_t i = 1; i < corners->count; i++)
        count += steps_between(grid, corners->items[i - 1], corners->items[i], &offset);
    if (!reserve(search, cells, count))
        return CAIRN_E_MEMORY;

    cairn_node node = corners->items[0];
    cells->items[0] = node;
    cells->count = 1;
    for (size_t i = 1; i < corners->count; i++) {
        uint32_t steps = steps_between(grid, node, corners->items[i], &offset);
        for (; steps; steps--) {
            node = (cairn_node)(node + (cairn_node)offset);
            cells->items[cells->count++] = node;
        }
    }
    return CAIRN_OK;
}

cairn_status cairn_search_cells(cairn_search *search, cairn_path *path)
{
    if (!search || !path)
        return CAIRN_E_ARGUMENT;
    if (path->outcome != CAIRN_PATH_FOUND || path->corners != search->corners.items)
        return CAIRN_E_ARGUMENT;
    if (path->nodes)
        return CAIRN_OK;
    cairn_status status = write_cells(search);
    if (status != CAIRN_OK)
        return status;
    path->nodes = search->cells.items;
    path->node_count = search->cells.count;
    return CAIRN_OK;
}

/* On hexagons and graphs every node is a corner. */
static void take_points(cairn_search *search, cairn_path *path)
{
    const cn_nodes *points = &search->points;
    path->corners = path->nodes = points->items;
    path->corner_count = path->node_count = points->count;
    path->length = search->map->roads ? (double)path->cost : (double)(points->count - 1);
}

cairn_status cn_search_trace(cairn_search *search, cairn_path *path)
{
    cairn_status status = read_points(search);
    if (status == CAIRN_OK &&
        (search->map->roads || search->map->grid.rules.rule == CAIRN_RULE_HEX)) {
        take_points(search, path);
        return CAIRN_OK;
    }
    if (status == CAIRN_OK)
        status = write_corners(search, path);
    if (status != CAIRN_OK)
        return status;
    if (path->space != CAIRN_SPACE_JUMP) {
        path->nodes = search->points.items;
        path->node_count = search->points.count;
        return CAIRN_OK;
    }
    return search->options.form == CAIRN_FORM_CORNERS ? status : cairn_search_cells(search, path);
}
