#include "map/jump_points.h"

#define HAS(around, direction) ((unsigned)(around) >> (direction) & 1u)

/* Bit d: a run in direction d stops at a cell with this openness around it. */
static unsigned turns(unsigned around)
{
    unsigned n = HAS(around, CN_N), s = HAS(around, CN_S);
    unsigned e = HAS(around, CN_E), w = HAS(around, CN_W);
    unsigned ne = HAS(around, CN_NE), nw = HAS(around, CN_NW);
    unsigned se = HAS(around, CN_SE), sw = HAS(around, CN_SW);

    return ((n & ~nw) | (s & ~sw)) << CN_E | ((n & ~ne) | (s & ~se)) << CN_W |
           ((e & ~ne) | (w & ~nw)) << CN_S | ((e & ~se) | (w & ~sw)) << CN_N;
}

static void set_bit(uint64_t *word, uint32_t at, bool value)
{
    uint64_t bit = UINT64_C(1) << at % 64;
    *word = value ? *word | bit : *word & ~bit;
}

static void update_cell(cn_jump *jump, const cn_grid *grid, uint32_t x, uint32_t y)
{
    cairn_node node = y * grid->width + x;
    bool open = cn_grid_is_open(grid, node);
    unsigned around = grid->around[node];
    unsigned stops = open ? turns(around) : 0xf;
    size_t in_row = y * jump->row_words + x / 64, in_column = x * jump->column_words + y / 64;

    set_bit(&jump->rows[in_row].forward, x, HAS(stops, CN_E));
    set_bit(&jump->rows[in_row].backward, x, HAS(stops, CN_W));
    set_bit(&jump->columns[in_column].forward, y, HAS(stops, CN_S));
    set_bit(&jump->columns[in_column].backward, y, HAS(stops, CN_N));
    set_bit(&jump->open_rows[in_row], x, open);
    set_bit(&jump->open_columns[in_column], y, open);
    jump->hits[node] = (uint8_t)((jump->hits[node] & 0xfu) | (grid->moves[around] & 0xf0u));
}

/* Whether a run from the cell behind `node` ends at a turn, given whether one from `node` does. */
static unsigned hit_behind(const cn_grid *grid, cairn_node node, unsigned direction, unsigned hit)
{
    if (!cn_grid_is_open(grid, node))
        return 0;
    return HAS(turns(grid->around[node]), direction) | hit;
}

/* Gives cells their hits in one direction, the last of a run first: `count` cells from `node` on,
 * each `step` behind the one before, given the hit of the first. With `sure` less than `count`,
 * cells after the first `sure` are right already unless the one before them changed. */
static void update_line(cn_jump *jump, const cn_grid *grid, cairn_node node, ptrdiff_t step,
                        uint32_t count, uint32_t sure, unsigned direction, unsigned hit)
{
    for (uint32_t i = 0; i < count; i++) {
        unsigned mine = cn_grid_is_open(grid, node) ? hit : 0;
        if (i >= sure && HAS(jump->hits[node], direction) == mine)
            return;
        jump->hits[node] = (uint8_t)((jump->hits[node] & ~(1u << direction)) | mine << direction);
        hit = hit_behind(grid, node, direction, hit);
        node += (cairn_node)step;
    }
}

static void update_row(cn_jump *jump, const cn_grid *grid, uint32_t y)
{
    cairn_node first = y * grid->width;
    uint32_t width = grid->width;
    update_line(jump, grid, first + width - 1, -1, width, width, CN_E, 0);
    update_line(jump, grid, first, 1, width, width, CN_W, 0);
}

/* The hit of a cell whose next one in the direction is `ahead`. */
static unsigned hit_before(const cn_jump *jump, const cn_grid *grid, cairn_node ahead,
                           unsigned direction)
{
    return hit_behind(grid, ahead, direction, HAS(jump->hits[ahead], direction));
}

/* Runs along a row that end in or pass through its cells `left` to `right`. */
static void update_row_part(cn_jump *jump, const cn_grid *grid, uint32_t y, uint32_t left,
                            uint32_t right)
{
    cairn_node first = y * grid->width;
    uint32_t width = grid->width, sure = right - left + 1;
    unsigned east = right + 1 < width ? hit_before(jump, grid, first + right + 1, CN_E) : 0;
    unsigned west = left > 0 ? hit_before(jump, grid, first + left - 1, CN_W) : 0;

    update_line(jump, grid, first + right, -1, right + 1, sure, CN_E, east);
    update_line(jump, grid, first + left, 1, width - left, sure, CN_W, west);
}

/* The same along a column. */
static void update_column_part(cn_jump *jump, const cn_grid *grid, uint32_t x, uint32_t top,
                               uint32_t bottom)
{
    ptrdiff_t width = (ptrdiff_t)grid->width;
    uint32_t sure = bottom - top + 1;
    cairn_node low = x + bottom * grid->width, high = x + top * grid->width;
    unsigned south = bottom + 1 < grid->height
                         ? hit_before(jump, grid, low + grid->width, CN_S) : 0;
    unsigned north = top > 0 ? hit_before(jump, grid, high - grid->width, CN_N) : 0;

    update_line(jump, grid, low, -width, bottom + 1, sure, CN_S, south);
    update_line(jump, grid, high, width, grid->height - top, sure, CN_N, north);
}

static void update_cells(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        for (uint32_t x = area.left; x <= area.right; x++)
            update_cell(jump, grid, x, y);
    }
}

/* What is around the cells beside the area has changed too. */
static cn_area grown(const cn_grid *grid, cn_area area)
{
    area.left -= area.left > 0;
    area.top -= area.top > 0;
    area.right += area.right + 1 < grid->width;
    area.bottom += area.bottom + 1 < grid->height;
    return area;
}

void cn_jump_update(cn_jump *jump, const cn_grid *grid, cn_area area)
{
    area = grown(grid, area);
    update_cells(jump, grid, area);
    for (uint32_t y = area.top; y <= area.bottom; y++)
        update_row_part(jump, grid, y, area.left, area.right);
    for (uint32_t x = area.left; x <= area.right; x++)
        update_column_part(jump, grid, x, area.top, area.bottom);
}

/* Hits of the whole map, row by row: columns are walked along the rows. */
static void build_hits(cn_jump *jump, const cn_grid *grid)
{
    size_t width = grid->width;
    cairn_node node_count = grid->width * grid->height;

    for (uint32_t y = 0; y < grid->height; y++)
        update_row(jump, grid, y);
    for (cairn_node node = grid->width; node < node_count; node++) {
        unsigned hit = HAS(jump->hits[node - width], CN_N);
        if (cn_grid_is_open(grid, node))
            jump->hits[node] |= (uint8_t)(hit_behind(grid, node - grid->width, CN_N, hit) << CN_N);
    }
    for (cairn_node node = node_count - grid->width; node-- > 0;) {
        unsigned hit = HAS(jump->hits[node + width], CN_S);
        if (cn_grid_is_open(grid, node))
            jump->hits[node] |= (uint8_t)(hit_behind(grid, node + grid->width, CN_S, hit) << CN_S);
    }
}

cairn_status cn_jump_new(const cn_grid *grid, const cn_mem *mem, cn_jump **jump)
{
    *jump = NULL;
    cn_jump *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->row_words = (grid->width + 63) / 64;
    made->column_words = (grid->height + 63) / 64;
    size_t in_rows = made->row_words * grid->height, in_columns = made->column_words * grid->width;
    made->rows = cn_zeroed(mem, in_rows, sizeof *made->rows);
    made->columns = cn_zeroed(mem, in_columns, sizeof *made->columns);
    made->open_rows = cn_zeroed(mem, in_rows, sizeof *made->open_rows);
    made->open_columns = cn_zeroed(mem, in_columns, sizeof *made->open_columns);
    made->hits = cn_zeroed(mem, (size_t)grid->width * grid->height, 1);
    if (!made->rows || !made->columns || !made->open_rows || !made->open_columns || !made->hits) {
        cn_jump_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    update_cells(made, grid, (cn_area){0, 0, grid->width - 1, grid->height - 1});
    build_hits(made, grid);
    *jump = made;
    return CAIRN_OK;
}

void cn_jump_free(cn_jump *jump, const cn_mem *mem)
{
    if (!jump)
        return;
    cn_release(mem, jump->rows);
    cn_release(mem, jump->columns);
    cn_release(mem, jump->open_rows);
    cn_release(mem, jump->open_columns);
    cn_release(mem, jump->hits);
    cn_release(mem, jump);
}

size_t cn_jump_memory(const cn_jump *jump, const cn_grid *grid)
{
    size_t words = jump->row_words * grid->height + jump->column_words * grid->width;
    return sizeof *jump + words * (sizeof(cn_stops) + sizeof(uint64_t)) +
           (size_t)grid->width * grid->height;
}
