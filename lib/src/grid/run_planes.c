#include "grid/run_planes.h"

#include <string.h>

#include "grid/bit_planes.h"

enum { SIDE = 64, BLOCKS_MOST = (CAIRN_SIDE_MAX + SIDE - 1) / SIDE };

/* The cells of a word of a row, and those beside them. */
typedef struct around_word {
    uint64_t open, west, east;
    uint64_t above, above_west, above_east;
    uint64_t below, below_west, below_east;
} around_word;

static around_word around(const cn_grid *grid, uint32_t y, size_t word)
{
    const uint64_t *row = cn_grid_open_row(grid, y) + word;
    const uint64_t *above = row - grid->open_stride, *below = row + grid->open_stride;
    return (around_word){row[0],   cn_bits_before(row),   cn_bits_behind(row),
                         above[0], cn_bits_before(above), cn_bits_behind(above),
                         below[0], cn_bits_before(below), cn_bits_behind(below)};
}

/* A run turns where a cell beside it is open and the one before that is blocked. */
static uint64_t turns_north(const around_word *at)
{
    return at->open & ((at->east & ~at->below_east) | (at->west & ~at->below_west));
}

static uint64_t turns_south(const around_word *at)
{
    return at->open & ((at->east & ~at->above_east) | (at->west & ~at->above_west));
}

static uint64_t turns_east(const around_word *at)
{
    return at->open & ((at->above & ~at->above_west) | (at->below & ~at->below_west));
}

static uint64_t turns_west(const around_word *at)
{
    return at->open & ((at->above & ~at->above_east) | (at->below & ~at->below_east));
}

static void fill_row(const cn_grid *grid, const cn_axis *rows, uint32_t y)
{
    for (size_t word = 0; word < cn_grid_row_words(grid); word++) {
        const around_word at = around(grid, y, word);
        const size_t to = y * rows->words + word;
        rows->stops[to] = (cn_stops){~at.open | turns_east(&at), ~at.open | turns_west(&at)};
        rows->clear[to] = at.open;
    }
}

/* ------------------------------------------------------------------------------ along rows -- */

/* Whether a run that leaves a word to the next one ends at a turn. A line ends with a stop. */
static uint64_t ends_ahead(const cn_axis *rows, size_t line, size_t word)
{
    while (++word < rows->words) {
        const uint64_t stops = rows->stops[line + word].forward;
        if (stops)
            return rows->clear[line + word] >> cn_lowest_bit(stops) & 1;
    }
    return 0;
}

static uint64_t ends_behind(const cn_axis *rows, size_t line, size_t word)
{
    while (word-- > 0) {
        const uint64_t stops = rows->stops[line + word].backward;
        if (stops)
            return rows->clear[line + word] >> cn_highest_bit(stops) & 1;
    }
    return 0;
}

/* Cells from which a run to the east ends at a turn. It passes on from a turn to the cells behind
 * it, by twice as many with each step. */
static uint64_t hits_east(const cn_axis *rows, size_t line, size_t word)
{
    const uint64_t open = rows->clear[line + word];
    const uint64_t ahead = ends_ahead(rows, line, word) << (SIDE - 1);
    uint64_t ends = open & (rows->stops[line + word].forward | ahead), through = open;

    for (unsigned step = 1; step < SIDE; step *= 2) {
        ends |= through & ends >> step;
        through &= through >> step;
    }
    return open & (ends >> 1 | ahead);
}

static uint64_t hits_west(const cn_axis *rows, size_t line, size_t word)
{
    const uint64_t open = rows->clear[line + word];
    const uint64_t behind = ends_behind(rows, line, word);
    uint64_t ends = open & (rows->stops[line + word].backward | behind), through = open;

    for (unsigned step = 1; step < SIDE; step *= 2) {
        ends |= through & ends << step;
        through &= through << step;
    }
    return open & (ends << 1 | behind);
}

/* --------------------------------------------------------------------------- along columns -- */

/* Cells whose words are the same in their rows and in their columns, by row. */
typedef struct run_block {
    uint64_t open[SIDE], south[SIDE], north[SIDE]; /* stops */
    uint64_t hits_north[SIDE];
} run_block;

/* Of a row: the cells at which a run to the north has ended at a turn, or from which one will. */
static uint64_t pass_north(const around_word *at, uint64_t ends_above)
{
    return at->open & (turns_north(at) | ends_above);
}

/* Finds for each block of a strip what its first row gets from above. */
static void pass_down_strip(const cn_grid *grid, size_t word, uint64_t from_above[BLOCKS_MOST])
{
    uint64_t ends = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        const around_word at = around(grid, y, word);
        if (y % SIDE == 0)
            from_above[y / SIDE] = ends;
        ends = pass_north(&at, ends);
    }
}

/* Returns how many rows the block has. */
static uint32_t fill_block(const cn_grid *grid, uint32_t top, size_t word, uint64_t ends_above,
                           run_block *block)
{
    const uint32_t count = grid->height - top < SIDE ? grid->height - top : SIDE;

    for (uint32_t row = 0; row < count; row++) {
        const around_word at = around(grid, top + row, word);
        block->open[row] = at.open;
        block->south[row] = ~at.open | turns_south(&at);
        block->north[row] = ~at.open | turns_north(&at);
        block->hits_north[row] = at.open & ends_above;
        ends_above = pass_north(&at, ends_above);
    }
    for (uint32_t row = count; row < SIDE; row++) {
        block->open[row] = 0;
        block->south[row] = block->north[row] = ~UINT64_C(0);
    }
    return count;
}

static void write_columns(const cn_axis *columns, run_block *block, uint32_t top, uint32_t left,
                          uint32_t width)
{
    cn_transpose_bits(block->open);
    cn_transpose_bits(block->south);
    cn_transpose_bits(block->north);
    for (uint32_t x = 0; x < width; x++) {
        const size_t to = (left + x) * columns->words + top / SIDE;
        columns->stops[to] = (cn_stops){block->south[x], block->north[x]};
        columns->clear[to] = block->open[x];
    }
}

/* The hits of 64 cells: straight runs that end at turns, and diagonal steps. */
static void write_hits(const cn_grid *grid, const cn_axis *rows, uint32_t y, size_t word,
                       const uint64_t upright[2], uint8_t *hits)
{
    const around_word at = around(grid, y, word);
    const uint32_t left = (uint32_t)word * SIDE;
    const uint32_t width = grid->width - left < SIDE ? grid->width - left : SIDE;
    const size_t line = y * rows->words;
    uint8_t bytes[SIDE];
    uint64_t planes[CN_DIRECTIONS] = {[CN_E] = hits_east(rows, line, word),
                                      [CN_W] = hits_west(rows, line, word),
                                      [CN_S] = upright[0],
                                      [CN_N] = upright[1],
                                      [CN_SE] = at.open & at.east & at.below & at.below_east,
                                      [CN_SW] = at.open & at.west & at.below & at.below_west,
                                      [CN_NE] = at.open & at.east & at.above & at.above_east,
                                      [CN_NW] = at.open & at.west & at.above & at.above_west};
    cn_bytes_of_planes(planes, bytes);
    memcpy(hits + (size_t)y * grid->width + left, bytes, width);
}

/* Writes the hits of a block from below; returns what the block above gets. */
static uint64_t write_block_hits(const cn_grid *grid, const cn_axis *rows, const run_block *block,
                                 uint32_t top, uint32_t count, size_t word, uint64_t ends_below,
                                 uint8_t *hits)
{
    for (uint32_t row = count; row-- > 0;) {
        const uint64_t open = block->open[row];
        const uint64_t upright[2] = {open & ends_below, block->hits_north[row]};
        write_hits(grid, rows, top + row, word, upright, hits);
        ends_below = open & (block->south[row] | ends_below);
    }
    return ends_below;
}

static void fill_strip(const cn_grid *grid, const cn_axis *rows, const cn_axis *columns,
                       size_t word, uint8_t *hits)
{
    const uint32_t left = (uint32_t)word * SIDE;
    const uint32_t width = grid->width - left < SIDE ? grid->width - left : SIDE;
    uint64_t from_above[BLOCKS_MOST], ends_below = 0;
    run_block block;

    pass_down_strip(grid, word, from_above);
    for (uint32_t i = (grid->height - 1) / SIDE + 1; i-- > 0;) {
        const uint32_t top = i * SIDE;
        const uint32_t count = fill_block(grid, top, word, from_above[i], &block);
        ends_below = write_block_hits(grid, rows, &block, top, count, word, ends_below, hits);
        write_columns(columns, &block, top, left, width);
    }
}

void cn_run_planes_fill(const cn_grid *grid, const cn_axis *rows, const cn_axis *columns,
                        uint8_t *hits)
{
    for (uint32_t y = 0; y < grid->height; y++)
        fill_row(grid, rows, y);
    for (size_t word = 0; word < cn_grid_row_words(grid); word++)
        fill_strip(grid, rows, columns, word, hits);
}
