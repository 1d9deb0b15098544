#include "grid/borders.h"

#include <string.h>

#include "grid/step_bits.h"
#include "simd/vec128.h"

/* What tells open cells apart: the same for two cells if steps cost alike from one to the other and
 * back and within each; ONE_WAY if the cell is one-way. */
enum { ONE_WAY = 0 };

static uint32_t ground_of(const cn_grid *grid, cairn_node node)
{
    const uint8_t letter = grid->letters[node];
    const uint32_t height = grid->heights.cells ? grid->heights.cells[node] : 0;
    return grid->exits[letter] == 0xff ? height << 16 | grid->rules.factor[letter] : ONE_WAY;
}

bool cn_borders_has(const cn_grid *grid, cairn_node node, uint32_t y)
{
    const uint32_t ground = ground_of(grid, node);
    bool found = ground == ONE_WAY;
    for (unsigned left = grid->around[node]; left && !found; left &= left - 1) {
        const cairn_node next = node + (cairn_node)cn_grid_offset(grid, y, cn_lowest_bit(left));
        found = ground_of(grid, next) != ground;
    }
    return found;
}

/* ---------------------------------------------------------------------------- 64 at a time -- */

enum { SIDE = 64 };

/* The cells of a word of a row, and those before and behind it. */
typedef struct ground_row {
    uint32_t ground[SIDE + 2];
    cn_row_bits open;
} ground_row;

static void load_row(const cn_grid *grid, uint32_t y, size_t word, ground_row *row)
{
    const size_t left = word * SIDE, rest = grid->width - left;
    const size_t begin = left == 0, end = rest < SIDE + 1 ? rest + 1 : SIDE + 2;
    const cairn_node before = (cairn_node)(y * (size_t)grid->width + left) - 1;

    row->open = cn_row_bits_at(cn_grid_open_row(grid, y) + word);
    for (size_t i = begin; i < end; i++)
        row->ground[i] = ground_of(grid, before + (cairn_node)i);
}

/* Bit i: a[i] and b[i] differ. */
static uint64_t differing(const uint32_t a[SIDE], const uint32_t b[SIDE])
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < SIDE; i += v128_lanes_32) {
        const v128_vector_32 one = v128_load_any_32(a + i), other = v128_load_any_32(b + i);
        bits |= (uint64_t)(v128_less_32(one, other) | v128_less_32(other, one)) << i;
    }
    return bits;
}

/* The cells of a row that differ from an open neighbour in a direction; `to` is the row of that. */
static uint64_t differs_to(const cn_grid *grid, uint32_t y, unsigned direction,
                           const ground_row *from, const ground_row *to)
{
    const ptrdiff_t across = cn_grid_offset(grid, y, direction) -
                             cn_step_y[direction] * (ptrdiff_t)grid->width;
    const uint64_t open = across < 0 ? to->open.before : across ? to->open.behind : to->open.here;
    return from->open.here & open ? open & differing(from->ground + 1, to->ground + 1 + across) : 0;
}

/* Bits of `borders` from `first` on. */
static void add_bits(uint64_t *borders, size_t first, uint64_t bits)
{
    const unsigned shift = first % 64;
    borders[first / 64] |= bits << shift;
    if (shift && bits >> (64 - shift))
        borders[first / 64 + 1] |= bits >> (64 - shift);
}

/* Of three rows, the middle one is y. */
static uint64_t borders_of(const cn_grid *grid, uint32_t y, const ground_row *rows[3])
{
    static const uint32_t one_way[SIDE] = {ONE_WAY};
    const unsigned near = grid->rules.rule == CAIRN_RULE_HEX ? cn_rule_directions(CAIRN_RULE_HEX)
                                                             : 0xff;
    uint64_t found = grid->has_one_way ? ~differing(rows[1]->ground + 1, one_way) : 0;
    for (unsigned left = near; left; left &= left - 1) {
        const unsigned direction = cn_lowest_bit(left);
        found |= differs_to(grid, y, direction, rows[1], rows[1 + cn_step_y[direction]]);
    }
    return found & rows[1]->open.here;
}

/* Rows beside the grid have no open cells. */
static void fill_strip(const cn_grid *grid, size_t word, uint64_t *borders)
{
    ground_row loaded[3] = {{{0}, {0}}};

    load_row(grid, 0, word, &loaded[1]);
    for (uint32_t y = 0; y < grid->height; y++) {
        ground_row *const next = &loaded[(y + 2) % 3];
        if (y + 1 < grid->height)
            load_row(grid, y + 1, word, next);
        else
            next->open = (cn_row_bits){0};
        const ground_row *rows[] = {&loaded[y % 3], &loaded[(y + 1) % 3], next};
        add_bits(borders, y * (size_t)grid->width + word * SIDE, borders_of(grid, y, rows));
    }
}

void cn_borders_fill(const cn_grid *grid, uint64_t *borders)
{
    memset(borders, 0, cn_border_words(grid) * sizeof *borders);
    for (size_t word = 0; word < cn_grid_row_words(grid); word++)
        fill_strip(grid, word, borders);
}
