/* What a run leaves in its records: where these are, what they tell of a node, and the path. That
 * follows the parents from the goal back to the start, and is written as corners and cells. */
#include "search/search.h"

/* --------------------------------------------------------------------------------- records -- */

void cn_search_number_lone_ends(cairn_search *search)
{
    cn_query *query = &search->query;
    const cn_corners *corners = query->corners;

    query->start_number = corners ? corners->count : query->start;
    query->goal_number = corners ? corners->count + 1 : query->goal;
}

void cn_search_number_ends(cairn_search *search)
{
    cn_query *query = &search->query;
    const cn_corners *corners = query->corners;
    uint32_t x, y;

    query->start_number = query->start;
    query->goal_number = query->goal;
    if (!corners)
        return;
    cn_grid_xy(query->grid, query->start, &x, &y);
    query->start_number = cn_corners_find(corners, x, y);
    query->goal_number = cn_corners_find(corners, query->goal_x, query->goal_y);
    if (query->start_number == CN_NO_CORNER)
        query->start_number = corners->count;
    if (query->goal_number == CN_NO_CORNER)
        query->goal_number = query->goal == query->start ? corners->count : corners->count + 1;
}

static uint32_t corner_number_of(const cn_query *query, cairn_node node)
{
    uint32_t x, y;

    if (node == query->start)
        return query->start_number;
    if (node == query->goal)
        return query->goal_number;
    cn_grid_xy(query->grid, node, &x, &y);
    return cn_corners_find(query->corners, x, y);
}

/* The number of a node, as records are indexed; CN_NO_CORNER: it has none. A run may have failed
 * before start and goal got theirs: those of an earlier run may be numbers of another set. */
static uint32_t number_of(const cairn_search *search, cairn_node node)
{
    const cn_query *query = &search->query;
    const cn_scratch *scratch = &search->scratch;

    if (!query->corners)
        return node < scratch->record_count ? node : CN_NO_CORNER;
    if (!cn_search_may_go_on(search))
        return CN_NO_CORNER;
    const uint32_t number = corner_number_of(query, node);
    return number < scratch->directory.count ? number : CN_NO_CORNER;
}

cairn_status cairn_search_node_info(const cairn_search *search, cairn_node node,
                                    cairn_node_info *info)
{
    if (!info)
        return CAIRN_E_ARGUMENT;
    *info = (cairn_node_info){.state = CAIRN_NODE_UNSEEN,
                              .parent = CAIRN_NO_NODE,
                              .g = CAIRN_UNREACHABLE,
                              .h = CAIRN_UNREACHABLE,
                              .f = CAIRN_UNREACHABLE};
    if (!search || node >= cn_map_node_count(search->map))
        return CAIRN_E_ARGUMENT;
    const uint32_t at = number_of(search, node);
    if (search->scratch.stamp == 0 || at == CN_NO_CORNER)
        return CAIRN_OK;
    const bool by_directory = search->query.corners != NULL;
    if (!cn_scratch_knows(&search->scratch, by_directory, at))
        return CAIRN_OK;
    const cn_record *record = cn_scratch_record(&search->scratch, by_directory, at);
    info->state = cn_record_is_expanded(record) ? CAIRN_NODE_CLOSED : CAIRN_NODE_OPEN;
    info->parent = cn_query_cell(&search->query, cn_record_parent(record));
    info->g = record->g;
    info->h = cn_record_bound(record);
    info->f = (uint64_t)info->g + info->h;
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------------------ paths -- */

static void turn_round(cn_nodes *points)
{
    for (size_t low = 0, high = points->count; low + 1 < high;) {
        cairn_node other = points->items[--high];
        points->items[high] = points->items[low];
        points->items[low++] = other;
    }
}

/* The nodes that the search expanded or jumped to along the path, start first. */
static cairn_status read_points(cairn_search *search)
{
    const cn_scratch *scratch = &search->scratch;
    const cn_query *query = &search->query;
    const bool by_directory = query->corners != NULL;
    cn_nodes *points = &search->path.points;
    uint32_t at = query->goal_number;

    points->count = 0;
    while (at != query->start_number) {
        const cairn_node node = at == query->goal_number ? query->goal : cn_query_cell(query, at);
        if (!cn_nodes_add(points, &search->mem, node))
            return CAIRN_E_MEMORY;
        at = cn_record_parent(cn_scratch_record(scratch, by_directory, at));
    }
    if (!cn_nodes_add(points, &search->mem, query->start))
        return CAIRN_E_MEMORY;
    turn_round(points);
    return CAIRN_OK;
}

static cn_jump_shape shape_of(const cairn_search *search)
{
    return search->query.jump ? search->query.jump->shape : CN_JUMP_CLASSIC;
}

/* The state while a path is written. */
typedef struct path_writer {
    const cn_mem *mem;
    cn_nodes *corners;
    cn_nodes *cells; /* NULL: only corners are written */
    cairn_node node; /* the last corner */
    uint32_t x, y;   /* of the last point */
    uint32_t width;
    int32_t heading;     /* the offset of the last run; 0 at the start */
    uint64_t steps[2];   /* straight, diagonal */
    cn_jump_shape shape; /* of the runs between points; any where they are neighbours */
    bool failed;
} path_writer;

/* Cells are written some at a time; the last ones of a run may lie beyond its end. */
enum { CELLS_AT_ONCE = 4 };

/* Writes the cells of a run behind the first one. */
CN_ALWAYS_INLINE void add_cells(path_writer *out, cairn_node offset, uint32_t length)
{
    cn_nodes *cells = out->cells;
    const size_t needed = cells->count + length + CELLS_AT_ONCE;

    if (CN_UNLIKELY(needed > cells->capacity) && !cn_nodes_reserve(cells, out->mem, needed)) {
        out->failed = true;
        return;
    }
    cairn_node *next = cells->items + cells->count;
    cairn_node from = out->node;
    for (uint32_t i = 0; i < length; i += CELLS_AT_ONCE) {
        for (uint32_t k = 0; k < CELLS_AT_ONCE; k++)
            next[i + k] = from + (k + 1) * offset;
        from += CELLS_AT_ONCE * offset;
    }
    cells->count += length;
}

/* Adds a run of `length` equal steps. A run in the same direction as the last one extends it. */
CN_ALWAYS_INLINE void add_run(path_writer *out, int32_t step_x, int32_t step_y, uint32_t length)
{
    const int32_t heading = 3 * step_y + step_x;
    const cairn_node offset = (cairn_node)step_y * out->width + (cairn_node)step_x;

    if (length == 0)
        return;
    if (heading == out->heading)
        out->corners->count--;
    out->heading = heading;
    if (out->cells)
        add_cells(out, offset, length);
    out->node += length * offset;
    out->corners->items[out->corners->count++] = out->node;
    out->steps[step_x && step_y] += length;
}

/* Adds a major run followed by a minor one, as cn_jump_leg has them. Short paths take as long to
 * write as to find, so this one is written out. */
CN_ALWAYS_INLINE void add_leg(path_writer *out, uint32_t x, uint32_t y)
{
    const uint32_t across = cn_apart_by(x, out->x);
    const uint32_t down = cn_apart_by(y, out->y);
    const uint32_t diagonal = across < down ? across : down;
    const int32_t step_x = x > out->x ? 1 : -1, step_y = y > out->y ? 1 : -1;

    out->x = x;
    out->y = y;
    if (out->shape == CN_JUMP_CROSS) {
        add_run(out, 0, step_y, down);
        add_run(out, step_x, 0, across);
        return;
    }
    add_run(out, step_x, step_y, diagonal);
    if (across > down)
        add_run(out, step_x, 0, across - down);
    else
        add_run(out, 0, step_y, down - across);
}

static void add_legs(path_writer *out, const cn_grid *grid, const cn_nodes *points)
{
    uint32_t x, y;

    cn_grid_xy(grid, out->node, &out->x, &out->y);
    for (size_t i = 1; i < points->count; i++) {
        cn_grid_xy(grid, points->items[i], &x, &y);
        add_leg(out, x, y);
    }
}

/* Makes a list begin with the start; false when there is no memory. */
static bool begin_list(cairn_search *search, cn_nodes *list, size_t room)
{
    list->count = 0;
    if (!cn_nodes_reserve(list, &search->mem, room))
        return false;
    list->items[list->count++] = search->path.points.items[0];
    return true;
}

/* Writes the corners of the path that leads over the points, or these and all cells. Straight and
 * diagonal steps are counted separately and added once, so that the rounded length does not depend
 * on their order. */
static cairn_status write_path(cairn_search *search, bool has_cells, cairn_path *path)
{
    const cn_nodes *points = &search->path.points;
    path_writer out = {.mem = &search->mem,
                       .corners = &search->path.corners,
                       .cells = has_cells ? &search->path.cells : NULL,
                       .node = points->items[0],
                       .width = search->map->grid.width,
                       .shape = shape_of(search)};

    if (!begin_list(search, out.corners, 2 * points->count) ||
        (has_cells && !begin_list(search, out.cells, 1)))
        return CAIRN_E_MEMORY;
    add_legs(&out, &search->map->grid, points);
    if (out.failed)
        return CAIRN_E_MEMORY;
    path->corners = out.corners->items;
    path->corner_count = out.corners->count;
    path->length = (double)out.steps[0] + CN_ROOT_2 * (double)out.steps[1];
    if (has_cells) {
        path->nodes = out.cells->items;
        path->node_count = out.cells->count;
    }
    return CAIRN_OK;
}

/* Each search counts its runs, and its paths lie in its own memory. */
static bool is_of_last_run(const cairn_search *search, const cairn_path *path)
{
    return path->run > 0 && path->run == search->run.number &&
           (!path->corners || path->corners == search->path.corners.items ||
            path->corners == search->path.points.items ||
            path->corners == search->path.cells.items);
}

cairn_status cairn_search_cells(cairn_search *search, cairn_path *path)
{
    if (!search || !path || !is_of_last_run(search, path))
        return CAIRN_E_ARGUMENT;
    if (path->nodes || !path->corners)
        return CAIRN_OK;
    return write_path(search, true, path);
}

/* On hexagons and graphs every node is a corner. */
static void take_nodes(cairn_search *search, const cn_nodes *nodes, cairn_path *path)
{
    path->corners = path->nodes = nodes->items;
    path->corner_count = path->node_count = nodes->count;
    path->length = search->map->graph ? (double)path->cost : (double)(nodes->count - 1);
}

/* The cells of a run of hexagons, the one where it begins left out. */
static void write_hex_run(cairn_search *search, uint32_t *x, uint32_t *y, unsigned direction,
                          uint32_t length)
{
    cn_nodes *cells = &search->path.cells;
    for (uint32_t i = 1; i <= length; i++) {
        uint32_t at_x = cn_jump_x(CN_JUMP_HEX, *x, *y, direction, i);
        uint32_t at_y = cn_jump_y(*y, direction, i);
        cells->items[cells->count++] = at_y * search->map->grid.width + at_x;
    }
    *x = cn_jump_x(CN_JUMP_HEX, *x, *y, direction, length);
    *y = cn_jump_y(*y, direction, length);
}

/* Every cell between the points, which runs of hexagons join. */
static cairn_status write_hexagons(cairn_search *search, cairn_path *path)
{
    const cn_grid *grid = &search->map->grid;
    const cn_nodes *points = &search->path.points;
    uint32_t x, y, to_x, to_y;
    size_t count = 1;

    cn_grid_xy(grid, points->items[0], &x, &y);
    for (size_t i = 1; i < points->count; i++, x = to_x, y = to_y) {
        cn_grid_xy(grid, points->items[i], &to_x, &to_y);
        count += cn_hex_steps(x, y, to_x, to_y);
    }
    if (!cn_nodes_reserve(&search->path.cells, &search->mem, count))
        return CAIRN_E_MEMORY;
    cn_grid_xy(grid, points->items[0], &x, &y);
    search->path.cells.items[0] = points->items[0];
    search->path.cells.count = 1;
    for (size_t i = 1; i < points->count; i++) {
        cn_grid_xy(grid, points->items[i], &to_x, &to_y);
        cn_leg leg = cn_jump_leg(CN_JUMP_HEX, x, y, to_x, to_y);
        write_hex_run(search, &x, &y, leg.major, leg.majors);
        write_hex_run(search, &x, &y, leg.minor, leg.minors);
    }
    take_nodes(search, &search->path.cells, path);
    return CAIRN_OK;
}

static cairn_status trace_squares(cairn_search *search, cairn_path *path)
{
    const bool has_runs = path->space == CAIRN_SPACE_JUMP;
    const bool has_cells = has_runs && search->options.form == CAIRN_FORM_CELLS;
    cairn_status status = write_path(search, has_cells, path);

    if (status == CAIRN_OK && !has_runs) {
        path->nodes = search->path.points.items;
        path->node_count = search->path.points.count;
    }
    return status;
}

cairn_status cn_search_trace(cairn_search *search, cairn_path *path)
{
    bool is_hex = search->map->grid.rules.rule == CAIRN_RULE_HEX;
    if (search->options.form == CAIRN_FORM_NONE)
        return CAIRN_OK;
    cairn_status status = read_points(search);
    if (status != CAIRN_OK)
        return status;
    if (is_hex && path->space == CAIRN_SPACE_JUMP)
        return write_hexagons(search, path);
    if (!is_hex && !search->map->graph)
        return trace_squares(search, path);
    take_nodes(search, &search->path.points, path);
    return CAIRN_OK;
}

cairn_status cn_search_list_cells(cairn_search *search, const cn_nodes **cells)
{
    cairn_path path = {0};
    *cells = &search->path.cells;
    cairn_status status = read_points(search);
    if (status != CAIRN_OK)
        return status;
    return search->map->grid.rules.rule == CAIRN_RULE_HEX ? write_hexagons(search, &path)
                                                          : write_path(search, true, &path);
}
