/*
 * Lines of sight. On squares a line visits one cell after another, each time across the border that
 * it meets first: borders between columns lie at (2 i + 1) / (2 dx) of the line, those between rows
 * at (2 j + 1) / (2 dy), and multiplied by 2 dx dy both are whole numbers. Where they are equal the
 * line passes through a corner. (Amanatides and Woo, "A fast voxel traversal algorithm for ray
 * tracing", Eurographics 1987.)
 *
 * Hexagons are tested one by one, row after row, by the separating axis theorem. In coordinates in
 * which a hexagon is 2 wide and 4 high, and rows are 3 apart, its borders have the slopes 1 and -1,
 * and all is whole numbers.
 */
#include "ways/sight.h"
#include "ways/step_run.h"

static bool is_like(const cairn_map *map, cairn_node node, cairn_node like)
{
    const cn_grid *grid = &map->grid;
    const uint8_t letter = grid->letters[node];
    const uint16_t *heights = grid->heights.cells;
    return grid->rules.factor[letter] == grid->rules.factor[grid->letters[like]] &&
           grid->exits[letter] == 0xff && (!heights || heights[node] == heights[like]);
}

static bool may_cross(const cn_sight *sight, int64_t x, int64_t y)
{
    const cn_grid *grid = &sight->map->grid;
    if (x < 0 || x >= grid->width || y < 0 || y >= grid->height)
        return false;
    const cairn_node node = (cairn_node)(y * grid->width + x);
    return cn_grid_is_open(grid, node) &&
           (sight->is_even || is_like(sight->map, node, sight->like)) &&
           (!sight->avoided || cn_avoidance_extra(sight->avoided, node) == 0);
}

/* Whether a line may pass between two cells that meet at a corner. */
static bool passes_between(cairn_rule rule, bool one, bool other)
{
    switch (rule) {
    case CAIRN_RULE_8_ANY: return true;
    case CAIRN_RULE_8_ONE_SIDE: return one || other;
    default: return one && other;
    }
}

typedef struct sight_line {
    int64_t x, y; /* where it starts */
    int64_t across, down;
} sight_line;

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Examines every cell of the line but the first, which is open. */
static bool square_line_is_free(const cn_sight *sight, const sight_line *line)
{
    const cairn_rule rule = sight->map->grid.rules.rule;
    const int64_t step_x = cn_sign_of(line->across), step_y = cn_sign_of(line->down);
    const int64_t columns = size_of(line->across), rows = size_of(line->down);
    int64_t x = line->x, y = line->y, i = 0, j = 0;

    while (i < columns || j < rows) {
        const int64_t order = (2 * i + 1) * rows - (2 * j + 1) * columns;
        const bool goes_across = order <= 0, goes_down = order >= 0;
        if (goes_across && goes_down &&
            !passes_between(rule, may_cross(sight, x + step_x, y), may_cross(sight, x, y + step_y)))
            return false;
        x += goes_across ? step_x : 0;
        y += goes_down ? step_y : 0;
        i += goes_across;
        j += goes_down;
        if (!may_cross(sight, x, y))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------- hexagons -- */

typedef struct sight_range {
    int64_t least, most;
} sight_range;

static sight_range range_of(int64_t a, int64_t b)
{
    return a < b ? (sight_range){a, b} : (sight_range){b, a};
}

static bool reaches(sight_range range, int64_t centre, int64_t radius)
{
    return range.least <= centre + radius && centre - radius <= range.most;
}

/* Whether a line touches the hexagon around (x, y), in the coordinates above. */
static bool touches(const sight_line *line, int64_t x, int64_t y)
{
    const int64_t to_x = line->x + line->across, to_y = line->y + line->down;
    const int64_t side = line->across * (y - line->y) - line->down * (x - line->x);
    const int64_t slant = size_of(line->across) + size_of(line->down);
    const int64_t upright = 2 * size_of(line->across);
    return reaches(range_of(line->x, to_x), x, 1) &&
           reaches(range_of(line->x + line->y, to_x + to_y), x + y, 2) &&
           reaches(range_of(line->x - line->y, to_x - to_y), x - y, 2) &&
           size_of(side) <= (slant > upright ? slant : upright);
}

/* The columns around which a line lies while it crosses a row of hexagons, and some more. */
static sight_range columns_near(const sight_line *line, int64_t row)
{
    sight_range range = range_of(line->x, line->x + line->across);
    if (size_of(line->down) > 4) {
        const int64_t above = 3 * row - 2 - line->y, below = 3 * row + 2 - line->y;
        const sight_range part = range_of(line->x + line->across * above / line->down,
                                          line->x + line->across * below / line->down);
        range.least = part.least > range.least ? part.least : range.least;
        range.most = part.most < range.most ? part.most : range.most;
    }
    return (sight_range){(range.least - 3) / 2, (range.most + 3) / 2};
}

static bool hex_row_is_free(const cn_sight *sight, const sight_line *line, int64_t row)
{
    const sight_range columns = columns_near(line, row);
    for (int64_t x = columns.least; x <= columns.most; x++) {
        if (touches(line, 2 * x + (row & 1), 3 * row) && !may_cross(sight, x, row))
            return false;
    }
    return true;
}

static bool hex_line_is_free(const cn_sight *sight, const sight_line *cells)
{
    const int64_t to_x = cells->x + cells->across, to_y = cells->y + cells->down;
    const int64_t x = 2 * cells->x + (cells->y & 1);
    const sight_line line = {x, 3 * cells->y, 2 * to_x + (to_y & 1) - x, 3 * cells->down};
    const sight_range rows = range_of(cells->y, to_y);

    for (int64_t row = rows.least; row <= rows.most; row++) {
        if (!hex_row_is_free(sight, &line, row))
            return false;
    }
    return true;
}

bool cn_sight_is_free(const cn_sight *sight, cairn_node from, cairn_node to)
{
    const cn_grid *grid = &sight->map->grid;
    uint32_t x, y, to_x, to_y;
    cn_grid_xy(grid, from, &x, &y);
    cn_grid_xy(grid, to, &to_x, &to_y);
    const sight_line line = {x, y, (int64_t)to_x - x, (int64_t)to_y - y};

    if (!may_cross(sight, x, y))
        return false;
    return grid->rules.rule == CAIRN_RULE_HEX ? hex_line_is_free(sight, &line)
                                              : square_line_is_free(sight, &line);
}

bool cairn_sight(const cairn_map *map, cairn_node a, cairn_node b)
{
    if (!cairn_map_is_open(map, a) || !cairn_map_is_open(map, b))
        return false;
    if (map->graph || a == b)
        return a == b;
    return cn_sight_is_free(&(cn_sight){.map = map, .is_even = true}, a, b);
}
