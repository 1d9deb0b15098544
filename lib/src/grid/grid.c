#include "grid/grid.h"

#include <string.h>

#include "base/bytes.h"
#include "grid/canonical.h"

bool cn_letter_is_known(uint8_t letter)
{
    return letter && strchr(".GS@OTW", letter);
}

static void fill_open_letters(cn_grid *grid)
{
    for (unsigned letter = 0; letter < 256; letter++) {
        grid->open_letter[letter] = cn_rules_open(&grid->rules, letter);
        grid->exits[letter] = grid->rules.exits[letter];
    }
}

/* The two straight directions between which a diagonal one lies. */
static unsigned sides_of(unsigned diagonal)
{
    unsigned horizontal = cn_step_x[diagonal] > 0 ? CN_E : CN_W;
    unsigned vertical = cn_step_y[diagonal] > 0 ? CN_S : CN_N;
    return CN_BIT(horizontal) | CN_BIT(vertical);
}

static bool passes_corner(cairn_rule rule, unsigned around, unsigned diagonal)
{
    unsigned sides = sides_of(diagonal);
    switch (rule) {
    case CAIRN_RULE_4: return false;
    case CAIRN_RULE_8: return (around & sides) == sides;
    case CAIRN_RULE_8_ONE_SIDE: return around & sides;
    default: return true;
    }
}

static uint8_t legal_moves(cairn_rule rule, unsigned around)
{
    unsigned moves = around & cn_rule_directions(rule) & (CN_BIT(CN_STRAIGHT) - 1);
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++) {
        if (around & CN_BIT(direction) && passes_corner(rule, around, direction))
            moves |= CN_BIT(direction);
    }
    return (uint8_t)moves;
}

static void fill_steps(cn_grid *grid)
{
    for (unsigned around = 0; around < 256; around++)
        grid->moves[around] = legal_moves(grid->rules.rule, around);
    cn_canonical_fill(grid->rules.rule, grid->moves, grid->canonical);
}

/* Hexagons: compared with a row, the rows above and below are shifted by half a cell, to the right
 * of even rows and to the left of odd ones, and there is no step straight up or down. */
static int hex_step_x(unsigned direction, uint32_t y)
{
    int x = cn_step_x[direction];
    if (direction < CN_STRAIGHT)
        return x;
    return y & 1 ? (x > 0) : -(x < 0);
}

static bool has_direction(cairn_rule rule, unsigned direction)
{
    return rule != CAIRN_RULE_HEX || (direction != CN_S && direction != CN_N);
}

static int step_x(const cn_grid *grid, unsigned direction, uint32_t y)
{
    return grid->rules.rule == CAIRN_RULE_HEX ? hex_step_x(direction, y) : cn_step_x[direction];
}

static uint8_t openness_around(const cn_grid *grid, uint32_t x, uint32_t y)
{
    unsigned around = 0;
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        if (!has_direction(grid->rules.rule, direction))
            continue;
        int64_t near_x = (int64_t)x + step_x(grid, direction, y);
        int64_t near_y = (int64_t)y + cn_step_y[direction];
        if (near_x >= 0 && near_x < grid->width && near_y >= 0 && near_y < grid->height &&
            cn_grid_is_open(grid, (cairn_node)(near_y * grid->width + near_x)))
            around |= CN_BIT(direction);
    }
    return (uint8_t)around;
}

/* Rows of bytes, one for each cell, 1 where it is open, with zeros on both sides. */
enum { BESIDE = 8, AT_ONCE = 8 };

/* The open letters. If there are few, many cells are compared with each of them at once. */
enum { FEW_LETTERS = 4 };
typedef struct open_letters {
    uint8_t letters[FEW_LETTERS];
    unsigned count; /* FEW_LETTERS + 1 if there are more */
} open_letters;

static open_letters list_open_letters(const cn_grid *grid)
{
    open_letters few = {.count = 0};
    for (unsigned letter = 0; letter < 256 && few.count <= FEW_LETTERS; letter++) {
        if (!grid->open_letter[letter])
            continue;
        if (few.count < FEW_LETTERS)
            few.letters[few.count] = (uint8_t)letter;
        few.count++;
    }
    return few;
}

static void fill_open_row(const cn_grid *grid, const open_letters *few, uint32_t y, uint8_t *row)
{
    const uint32_t width = grid->width;
    memset(row - BESIDE, 0, width + 2 * BESIDE);
    if (y >= grid->height)
        return;
    const uint8_t *letters = grid->letters + (size_t)y * width;
    for (unsigned i = 0; i < few->count && few->count <= FEW_LETTERS; i++) {
        uint8_t letter = few->letters[i];
        for (uint32_t x = 0; x < width; x++)
            row[x] |= letters[x] == letter;
    }
    for (uint32_t x = 0; x < width && few->count > FEW_LETTERS; x++)
        row[x] = grid->open_letter[letters[x]];
}

/* Turns such a row of bytes into bits. */
static void fill_open_bits(cn_grid *grid, uint32_t y, const uint8_t *row)
{
    uint64_t *open = grid->open + y * grid->open_stride;
    for (uint32_t x = 0; x < grid->width; x += AT_ONCE) {
        /* The product moves byte i to bit 56 + i. */
        uint64_t bits = cn_get_u64(row + x) * 0x0102040810204080u >> 56;
        open[x / 64] |= bits << x % 64;
    }
    for (size_t word = 0; word < cn_grid_row_words(grid); word++)
        grid->open_count += cn_count_bits(open[word]);
}

/* By how many columns the slanting steps of a row shift, and whether there are steps straight up
 * and down. */
typedef struct row_steps {
    int east;
    int west;
    uint64_t straight; /* all bits set, or none */
} row_steps;

/* Eight cells at a time: whether a neighbour is open becomes a bit of the cell's byte. */
CN_ALWAYS_INLINE uint64_t openness_around_eight(row_steps steps, const uint8_t *above,
                                                const uint8_t *row, const uint8_t *below)
{
    uint64_t straight = cn_eight_at(below) << CN_S | cn_eight_at(above) << CN_N;
    uint64_t around = cn_eight_at(row + 1) << CN_E | cn_eight_at(row - 1) << CN_W |
                      cn_eight_at(below + steps.east) << CN_SE |
                      cn_eight_at(below + steps.west) << CN_SW |
                      cn_eight_at(above + steps.east) << CN_NE |
                      cn_eight_at(above + steps.west) << CN_NW | (straight & steps.straight);
    return around & cn_eight_at(row) * 0xff;
}

/* Some cells of a row of the map. */
typedef struct row_part {
    uint32_t left, y, width;
} row_part;

static void fill_around_row(cn_grid *grid, row_part part, const uint8_t *above, const uint8_t *row,
                            const uint8_t *below)
{
    const row_steps steps = {step_x(grid, CN_SE, part.y), step_x(grid, CN_SW, part.y),
                             has_direction(grid->rules.rule, CN_S) ? UINT64_MAX : 0};
    const uint32_t width = part.width;
    uint8_t *around = grid->around + (size_t)part.y * grid->width + part.left;
    uint32_t x = 0;
    uint64_t eight;

    for (; x + AT_ONCE <= width; x += AT_ONCE) {
        eight = openness_around_eight(steps, above + x, row + x, below + x);
        memcpy(around + x, &eight, sizeof eight);
    }
    if (x < width) {
        eight = openness_around_eight(steps, above + x, row + x, below + x);
        memcpy(around + x, &eight, width - x);
    }
}

static cairn_status fill_around_eight(cn_grid *grid, const cn_mem *mem)
{
    size_t row_size = grid->width + 2 * BESIDE;
    uint8_t *memory = cn_array(mem, row_size, 3);
    if (!memory)
        return CAIRN_E_MEMORY;

    uint8_t *above = memory + BESIDE, *row = above + row_size, *below = row + row_size;
    open_letters few = list_open_letters(grid);
    fill_open_row(grid, &few, UINT32_MAX, above);
    fill_open_row(grid, &few, 0, row);
    for (uint32_t y = 0; y < grid->height; y++) {
        uint8_t *oldest = above;
        fill_open_row(grid, &few, y + 1, below);
        fill_around_row(grid, (row_part){0, y, grid->width}, above, row, below);
        fill_open_bits(grid, y, row);
        above = row;
        row = below;
        below = oldest;
    }
    cn_release(mem, memory);
    return CAIRN_OK;
}

static cairn_status fill_around(cn_grid *grid, const cn_mem *mem)
{
    cairn_node node = 0;
    if (grid->rules.rule != CAIRN_RULE_HEX)
        return fill_around_eight(grid, mem);
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node))
                continue;
            grid->around[node] = openness_around(grid, x, y);
            grid->open[y * grid->open_stride + x / 64] |= UINT64_C(1) << x % 64;
            grid->open_count++;
        }
    }
    return CAIRN_OK;
}

static void fill_offsets(cn_grid *grid)
{
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        int32_t down = cn_step_y[direction] * (int32_t)grid->width;
        grid->offset[direction] = down + step_x(grid, direction, 0);
        grid->offset_odd[direction] = down + step_x(grid, direction, 1);
    }
}

static bool is_neighbour(const cn_grid *grid, uint32_t x, uint32_t y, unsigned direction)
{
    int64_t near_x = (int64_t)x + step_x(grid, direction, y);
    int64_t near_y = (int64_t)y + cn_step_y[direction];
    return has_direction(grid->rules.rule, direction) && near_x >= 0 && near_x < grid->width &&
           near_y >= 0 && near_y < grid->height;
}

unsigned cn_grid_neighbours(const cn_grid *grid, cairn_node node,
                            cairn_node neighbours[CN_DIRECTIONS])
{
    uint32_t x, y;
    unsigned count = 0;

    cn_grid_xy(grid, node, &x, &y);
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        if (is_neighbour(grid, x, y, direction))
            neighbours[count++] = node + (cairn_node)cn_grid_offsets(grid, node)[direction];
    }
    return count;
}

bool cn_grid_set_letter(cn_grid *grid, cairn_node node, uint8_t letter)
{
    bool open = grid->open_letter[letter], was_open = cn_grid_is_open(grid, node);
    uint32_t x, y;

    grid->letters[node] = letter;
    if (open == was_open)
        return false;
    cn_grid_xy(grid, node, &x, &y);
    grid->open[y * grid->open_stride + x / 64] ^= UINT64_C(1) << x % 64;
    grid->open_count += open ? 1u : UINT32_MAX;
    return true;
}

cn_area cn_grid_grown(const cn_grid *grid, cn_area area)
{
    area.left -= area.left > 0;
    area.top -= area.top > 0;
    area.right += area.right + 1 < grid->width;
    area.bottom += area.bottom + 1 < grid->height;
    return area;
}

/* The columns of a row, without the cells beside them, that are updated at once. */
enum { UPDATED_MOST = 64 };

/* Some cells of a row and the cells on both sides as bytes, 1 where they are open. */
typedef struct open_bytes {
    uint8_t cells[UPDATED_MOST + 2 * BESIDE];
} open_bytes;

static void fill_open_bytes(const cn_grid *grid, uint32_t y, uint32_t left, uint32_t right,
                            open_bytes *row)
{
    const uint32_t first = left - (left > 0), end = right + 1 + (right + 1 < grid->width);
    *row = (open_bytes){{0}};
    for (uint32_t x = first; x < end && y < grid->height; x++)
        row->cells[BESIDE + x - left] = cn_grid_is_open(grid, y * grid->width + x);
}

/* At most UPDATED_MOST columns. */
static void update_around_eight(cn_grid *grid, cn_area area)
{
    open_bytes rows[3];

    fill_open_bytes(grid, area.top - 1, area.left, area.right, &rows[0]);
    fill_open_bytes(grid, area.top, area.left, area.right, &rows[1]);
    for (uint32_t y = area.top, at = 0; y <= area.bottom; y++, at = (at + 1) % 3) {
        const open_bytes *above = &rows[at], *row = &rows[(at + 1) % 3];
        open_bytes *below = &rows[(at + 2) % 3];
        fill_open_bytes(grid, y + 1, area.left, area.right, below);
        fill_around_row(grid, (row_part){area.left, y, area.right - area.left + 1},
                        above->cells + BESIDE, row->cells + BESIDE, below->cells + BESIDE);
    }
}

static void update_around_each(cn_grid *grid, cn_area area)
{
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        for (uint32_t x = area.left; x <= area.right; x++) {
            const cairn_node node = y * grid->width + x;
            grid->around[node] = cn_grid_is_open(grid, node) ? openness_around(grid, x, y) : 0;
        }
    }
}

void cn_grid_update_around(cn_grid *grid, cn_area area)
{
    cn_area part = cn_grid_grown(grid, area);
    if (grid->rules.rule == CAIRN_RULE_HEX) {
        update_around_each(grid, part);
        return;
    }
    const uint32_t right = part.right;
    for (; part.left <= right; part.left += UPDATED_MOST) {
        part.right = right - part.left < UPDATED_MOST ? right : part.left + UPDATED_MOST - 1;
        update_around_eight(grid, part);
    }
}

cairn_status cn_grid_init(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                          uint8_t *letters)
{
    cn_rules rules;
    cn_rules_default(&rules);
    return cn_grid_init_ruled(grid, mem, width, height, letters, &rules);
}

/* Everything but which cells are open, of which nothing is set yet. */
static cairn_status init_frame(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                               uint8_t *letters, const cn_rules *rules)
{
    CN_ASSERT(width > 0 && height > 0 && (uint64_t)width * height <= CAIRN_NODES_MAX);

    memset(grid, 0, sizeof *grid);
    grid->letters = letters;
    grid->width = width;
    grid->height = height;
    grid->per_row = (UINT64_C(1) << 32) / width;
    grid->rules = *rules;
    grid->has_one_way = cn_rules_have_one_way(rules);
    fill_offsets(grid);
    fill_open_letters(grid);
    fill_steps(grid);

    grid->open_stride = (width + 63u) / 64 + 2;
    uint64_t *open = cn_zeroed(mem, (height + 2u) * grid->open_stride, sizeof *open);
    grid->open = open ? open + grid->open_stride + 1 : NULL;
    grid->around = cn_zeroed(mem, (size_t)width * height, 1);
    if (grid->open && grid->around)
        return CAIRN_OK;
    cn_grid_free(grid, mem);
    return CAIRN_E_MEMORY;
}

cairn_status cn_grid_init_ruled(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                                uint8_t *letters, const cn_rules *rules)
{
    cairn_status status = init_frame(grid, mem, width, height, letters, rules);
    if (status == CAIRN_OK)
        status = fill_around(grid, mem);
    if (status != CAIRN_OK)
        cn_grid_free(grid, mem);
    return status;
}

cairn_status cn_grid_init_row(cn_grid *grid, const cn_mem *mem, uint32_t width, uint8_t *letters)
{
    cn_rules rules;
    cn_rules_default(&rules);
    memset(letters, '.', width);
    cairn_status status = init_frame(grid, mem, width, 1, letters, &rules);
    for (uint32_t x = 0; x < width && status == CAIRN_OK; x++)
        cn_set_bit(grid->open, x);
    grid->open_count = status == CAIRN_OK ? width : 0;
    return status;
}

void cn_grid_free(cn_grid *grid, const cn_mem *mem)
{
    cn_release(mem, grid->letters);
    cn_release(mem, grid->around);
    cn_release(mem, grid->heights.cells);
    if (grid->open)
        cn_release(mem, grid->open - grid->open_stride - 1);
    memset(grid, 0, sizeof *grid);
}

size_t cn_grid_memory(const cn_grid *grid)
{
    const size_t cells = cn_grid_cell_count(grid);
    return cn_held_size(grid->letters, cells, 1) + cn_held_size(grid->around, cells, 1) +
           cn_held_size(grid->heights.cells, cells, sizeof *grid->heights.cells) +
           cn_held_size(grid->open, (grid->height + 2u) * grid->open_stride, sizeof *grid->open);
}
