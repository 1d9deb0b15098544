#include "map/jump_fill.h"

#include <string.h>

#include "base/bytes.h"

enum { BLOCK_SIDE = 64, BLOCK_SHIFTS = 6 };

/* A word of open cells in its row, with the rows above and below. */
typedef struct word_at {
    const uint64_t *row, *above, *below;
} word_at;

static word_at word_of(const cn_grid *grid, uint32_t y, size_t word)
{
    const uint64_t *row = cn_grid_open_row(grid, y) + word;
    return (word_at){row, row - grid->open_stride, row + grid->open_stride};
}

/* ------------------------------------------------------------------------------------ turns -- */

/* Runs along the row turn at a cell beside an open one, if the cell before that one is blocked. */
static uint64_t turns_east(word_at at)
{
    return at.row[0] &
           ((at.above[0] & ~cn_bits_before(at.above)) | (at.below[0] & ~cn_bits_before(at.below)));
}

static uint64_t turns_west(word_at at)
{
    return at.row[0] &
           ((at.above[0] & ~cn_bits_behind(at.above)) | (at.below[0] & ~cn_bits_behind(at.below)));
}

/* The same for runs that come from the row `from`, above or below. */
static uint64_t turns_from(const uint64_t *row, const uint64_t *from)
{
    return row[0] & ((cn_bits_before(row) & ~cn_bits_before(from)) |
                     (cn_bits_behind(row) & ~cn_bits_behind(from)));
}

/* ------------------------------------------------------------------------------------ stops -- */

/* Bit j of word i becomes bit i of word j: quarters of ever smaller blocks change places. */
static void transpose(uint64_t block[BLOCK_SIDE])
{
    uint64_t mask = UINT32_MAX;

    for (unsigned half = BLOCK_SIDE / 2; half; half /= 2, mask ^= mask << half) {
        for (unsigned i = 0; i < BLOCK_SIDE; i = ((i | half) + 1) & ~half) {
            const uint64_t moved = (block[i] >> half ^ block[i | half]) & mask;
            block[i] ^= moved << half;
            block[i | half] ^= moved;
        }
    }
}

/* Runs stop where they turn, and at blocked cells, as all beyond the map are. */
static void fill_row(const cn_jump *jump, const cn_grid *grid, uint32_t y)
{
    const cn_axis *rows = &jump->axes[0];

    for (size_t word = 0; word < rows->words; word++) {
        const word_at at = word_of(grid, y, word);
        const uint64_t open = word < cn_grid_row_words(grid) ? at.row[0] : 0;
        rows->clear[y * rows->words + word] = open;
        rows->stops[y * rows->words + word] = (cn_stops){
            .forward = ~open | (open ? turns_east(at) : 0),
            .backward = ~open | (open ? turns_west(at) : 0),
        };
    }
}

/* The cells of a word of each column, as rows at first. */
typedef struct column_block {
    uint64_t clear[BLOCK_SIDE], forward[BLOCK_SIDE], backward[BLOCK_SIDE];
} column_block;

static void take_rows(const cn_grid *grid, uint32_t top, size_t word, column_block *block)
{
    for (uint32_t i = 0; i < BLOCK_SIDE; i++) {
        block->clear[i] = 0;
        block->forward[i] = block->backward[i] = UINT64_MAX;
        if (top + i >= grid->height)
            continue;
        const word_at at = word_of(grid, top + i, word);
        block->clear[i] = at.row[0];
        block->forward[i] = ~at.row[0] | turns_from(at.row, at.above);
        block->backward[i] = ~at.row[0] | turns_from(at.row, at.below);
    }
    transpose(block->clear);
    transpose(block->forward);
    transpose(block->backward);
}

static void fill_columns(const cn_jump *jump, const cn_grid *grid, uint32_t left, size_t down)
{
    const cn_axis *columns = &jump->axes[1];
    column_block block;

    take_rows(grid, (uint32_t)down * BLOCK_SIDE, left / BLOCK_SIDE, &block);
    for (uint32_t i = 0; i < BLOCK_SIDE && left + i < grid->width; i++) {
        const size_t at = (left + i) * columns->words + down;
        columns->clear[at] = block.clear[i];
        columns->stops[at] = (cn_stops){block.forward[i], block.backward[i]};
    }
}

static void fill_stops(const cn_jump *jump, const cn_grid *grid)
{
    for (uint32_t y = 0; y < grid->height; y++)
        fill_row(jump, grid, y);
    for (size_t down = 0; down < jump->axes[1].words; down++) {
        for (uint32_t left = 0; left < grid->width; left += BLOCK_SIDE)
            fill_columns(jump, grid, left, down);
    }
}

/* ------------------------------------------------------------------------------------- hits -- */

/* The hits of a row, and those to the south of every row. */
typedef struct hit_rows {
    size_t words;
    uint64_t *east, *west, *north;
    uint64_t *south;
} hit_rows;

static cairn_status open_rows(hit_rows *rows, const cn_grid *grid, const cn_mem *mem)
{
    const size_t words = cn_grid_row_words(grid);
    uint64_t *memory = cn_zeroed(mem, (grid->height + (size_t)3) * words, sizeof *memory);

    *rows = (hit_rows){words, memory, memory + words, memory + 2 * words, memory + 3 * words};
    return memory ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* Every open cell that open ones connect to a bit, in the direction of lower bits or of higher. */
static uint64_t filled_down(uint64_t open, uint64_t bits)
{
    for (unsigned i = 0; i < BLOCK_SHIFTS; i++) {
        bits |= open & bits >> (1u << i);
        open &= open >> (1u << i);
    }
    return bits;
}

static uint64_t filled_up(uint64_t open, uint64_t bits)
{
    for (unsigned i = 0; i < BLOCK_SHIFTS; i++) {
        bits |= open & bits << (1u << i);
        open &= open << (1u << i);
    }
    return bits;
}

/* Runs hit a turn from the cells that lead to it, but not from the turn itself. */
static void hit_along(const cn_grid *grid, uint32_t y, hit_rows *rows)
{
    uint64_t before = 0;

    for (size_t i = rows->words; i-- > 0;) {
        const word_at at = word_of(grid, y, i);
        const uint64_t next = before << 63;
        const uint64_t filled = filled_down(at.row[0], turns_east(at) | (next & at.row[0]));
        rows->east[i] = at.row[0] & (filled >> 1 | next);
        before = filled & 1;
    }
    before = 0;
    for (size_t i = 0; i < rows->words; i++) {
        const word_at at = word_of(grid, y, i);
        const uint64_t filled = filled_up(at.row[0], turns_west(at) | (before & at.row[0]));
        rows->west[i] = at.row[0] & (filled << 1 | before);
        before = filled >> 63;
    }
}

/* From each row to the one below it, which is complete. */
static void hit_south(const cn_grid *grid, hit_rows *rows)
{
    for (uint32_t y = grid->height - 1; y-- > 0;) {
        uint64_t *south = rows->south + y * rows->words;
        for (size_t i = 0; i < rows->words; i++) {
            const word_at at = word_of(grid, y, i);
            south[i] = at.row[0] & (turns_from(at.below, at.row) | south[i + rows->words]);
        }
    }
}

/* From a row to the one above it, whose hits are in the same place. */
static void hit_north(const cn_grid *grid, uint32_t y, hit_rows *rows)
{
    for (size_t i = 0; i < rows->words && y > 0; i++) {
        const word_at at = word_of(grid, y, i);
        rows->north[i] = at.row[0] & (turns_from(at.above, at.row) | rows->north[i]);
    }
}

/* The diagonal steps that are legal: over four open cells. */
static void diagonals_of(word_at at, uint64_t bits[CN_DIRECTIONS])
{
    const uint64_t east = at.row[0] & cn_bits_behind(at.row);
    const uint64_t west = at.row[0] & cn_bits_before(at.row);
    bits[CN_SE] = east & at.below[0] & cn_bits_behind(at.below);
    bits[CN_SW] = west & at.below[0] & cn_bits_before(at.below);
    bits[CN_NE] = east & at.above[0] & cn_bits_behind(at.above);
    bits[CN_NW] = west & at.above[0] & cn_bits_before(at.above);
}

/* Eight cells, a byte each, from a byte of bits for each direction: moves each bit by as much as
 * its place in a square of 8 x 8 bits changes. */
static uint64_t bytes_of(const uint64_t bits[CN_DIRECTIONS], unsigned first)
{
    uint64_t square = 0;
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        square |= (bits[direction] >> first & 0xff) << 8 * direction;
    uint64_t moved = (square ^ square >> 7) & 0x00aa00aa00aa00aau;
    square ^= moved ^ moved << 7;
    moved = (square ^ square >> 14) & 0x0000cccc0000ccccu;
    square ^= moved ^ moved << 14;
    moved = (square ^ square >> 28) & 0x00000000f0f0f0f0u;
    return square ^ moved ^ moved << 28;
}

static void write_hits(uint8_t *hits, uint32_t count, const uint64_t bits[CN_DIRECTIONS])
{
    for (uint32_t x = 0; x < count; x += 8) {
        uint8_t eight[8];
        cn_put_u64(eight, bytes_of(bits, x));
        memcpy(hits + x, eight, count - x < 8 ? count - x : 8);
    }
}

static void write_row(const cn_jump *jump, const cn_grid *grid, uint32_t y, const hit_rows *rows)
{
    uint8_t *hits = jump->hits + (size_t)y * grid->width;

    for (size_t i = 0; i < rows->words; i++) {
        const uint32_t left = (uint32_t)i * BLOCK_SIDE;
        uint64_t bits[CN_DIRECTIONS] = {[CN_E] = rows->east[i],
                                        [CN_W] = rows->west[i],
                                        [CN_S] = rows->south[y * rows->words + i],
                                        [CN_N] = rows->north[i]};
        diagonals_of(word_of(grid, y, i), bits);
        write_hits(hits + left, grid->width - left < BLOCK_SIDE ? grid->width - left : BLOCK_SIDE,
                   bits);
    }
}

cairn_status cn_jump_fill(cn_jump *jump, const cn_grid *grid, const cn_mem *mem)
{
    hit_rows rows;
    cairn_status status = open_rows(&rows, grid, mem);

    if (status != CAIRN_OK)
        return status;
    fill_stops(jump, grid);
    hit_south(grid, &rows);
    for (uint32_t y = 0; y < grid->height; y++) {
        hit_along(grid, y, &rows);
        hit_north(grid, y, &rows);
        write_row(jump, grid, y, &rows);
    }
    cn_release(mem, rows.east);
    return CAIRN_OK;
}
