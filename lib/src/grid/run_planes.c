#include "grid/run_planes.h"

#include <string.h>

#include "grid/bit_planes.h"
#include "grid/borders.h"
#include "grid/step_bits.h"

enum { SIDE = 64, BLOCKS_MOST = (CAIRN_SIDE_MAX + SIDE - 1) / SIDE };

/* The planes that are being filled, of a map, in strips of words from west to east. */
typedef struct run_map {
    const cn_grid *grid;
    const uint64_t *borders; /* NULL: there are none */
    const cn_axis *rows, *columns;
    uint8_t *hits;
    /* Bit y % 64 of word y / 64: whether the run that left the last word of row y to the east, or
     * to the west, ends at a turn. */
    uint64_t ahead[BLOCKS_MOST], behind[BLOCKS_MOST];
} run_map;

static bool has_upright_majors(const run_map *map)
{
    return map->grid->rules.rule == CAIRN_RULE_4;
}

/* ------------------------------------------------------------------------------------ turns -- */

/* The cells of a word of a row, those beside them, and which of them are borders. */
typedef struct around_word {
    cn_row_bits above, row, below;
    uint64_t border;
} around_word;

static around_word around(const run_map *map, uint32_t y, size_t word)
{
    const cn_grid *grid = map->grid;
    const uint64_t *row = cn_grid_open_row(grid, y) + word;
    const uint64_t border = map->borders ? cn_borders_of_word(grid, map->borders, y, word) : 0;
    return (around_word){cn_row_bits_at(row - grid->open_stride), cn_row_bits_at(row),
                         cn_row_bits_at(row + grid->open_stride), border & *row};
}

/* Where a straight run may turn to one side of it. Where corners may be cut, a path beside the run
 * reaches the cell diagonally ahead by the one to the side, unless that is blocked; elsewhere it
 * reaches the cell to the side by the one behind that. */
static uint64_t turns_to(cairn_rule rule, uint64_t ahead, uint64_t side_ahead, uint64_t side,
                         uint64_t side_behind)
{
    switch (rule) {
    case CAIRN_RULE_8_ANY: return side_ahead & ~side;
    case CAIRN_RULE_8_ONE_SIDE: return side_ahead & ~side & ahead;
    default: return side & ~side_behind;
    }
}

/* Cells with east and west exchanged. */
static cn_row_bits mirrored(cn_row_bits row)
{
    return (cn_row_bits){row.here, row.behind, row.before};
}

/* Where runs to the east turn, between a row and the ones above and below. */
static uint64_t turns_along(cairn_rule rule, cn_row_bits row, cn_row_bits above, cn_row_bits below)
{
    return turns_to(rule, row.behind, above.behind, above.here, above.before) |
           turns_to(rule, row.behind, below.behind, below.here, below.before);
}

/* Where runs turn that go from the row behind one to that ahead. */
static uint64_t turns_across(cairn_rule rule, cn_row_bits row, cn_row_bits ahead,
                             cn_row_bits behind)
{
    return turns_to(rule, ahead.here, ahead.behind, row.behind, behind.behind) |
           turns_to(rule, ahead.here, ahead.before, row.before, behind.before);
}

static uint64_t turns_east(cairn_rule rule, const around_word *at)
{
    return at->row.here & (at->border | turns_along(rule, at->row, at->above, at->below));
}

static uint64_t turns_west(cairn_rule rule, const around_word *at)
{
    const cn_row_bits above = mirrored(at->above), below = mirrored(at->below);
    return at->row.here & (at->border | turns_along(rule, mirrored(at->row), above, below));
}

static uint64_t turns_south(cairn_rule rule, const around_word *at)
{
    return at->row.here & (at->border | turns_across(rule, at->row, at->below, at->above));
}

static uint64_t turns_north(cairn_rule rule, const around_word *at)
{
    return at->row.here & (at->border | turns_across(rule, at->row, at->above, at->below));
}

/* ------------------------------------------------------------------------------ along rows -- */

static void fill_row(const run_map *map, uint32_t y)
{
    const cairn_rule rule = map->grid->rules.rule;
    for (size_t word = 0; word < cn_grid_row_words(map->grid); word++) {
        const around_word at = around(map, y, word);
        const uint64_t blocked = ~at.row.here;
        const size_t to = y * map->rows->words + word;
        map->rows->stops[to] = (cn_stops){blocked | turns_east(rule, &at),
                                          blocked | turns_west(rule, &at)};
        map->rows->clear[to] = at.row.here & ~at.border;
    }
}

static uint64_t kept_bit(const uint64_t *bits, uint32_t y)
{
    return cn_has_bit(bits, y);
}

static void keep_bit(uint64_t *bits, uint32_t y, uint64_t value)
{
    bits[y / 64] = (bits[y / 64] & ~(UINT64_C(1) << y % 64)) | value << y % 64;
}

/* Whether the run that leaves a word to the next one ends at a turn. A line ends with a stop. Where
 * the word has none, that run is the one that left the word before. */
static uint64_t ends_ahead(run_map *map, uint32_t y, size_t word)
{
    const cn_stops *line = map->rows->stops + y * map->rows->words;
    if (word > 0 && !line[word].forward)
        return kept_bit(map->ahead, y);
    uint64_t ends = 0;
    while (++word < map->rows->words && !line[word].forward)
        continue;
    if (word < map->rows->words)
        ends = cn_grid_open_row(map->grid, y)[word] >> cn_lowest_bit(line[word].forward) & 1;
    keep_bit(map->ahead, y, ends);
    return ends;
}

static uint64_t ends_behind(run_map *map, uint32_t y, size_t word)
{
    const cn_stops *line = map->rows->stops + y * map->rows->words;
    const uint64_t stops = word > 0 ? line[word - 1].backward : 0;
    uint64_t ends = word > 0 ? kept_bit(map->behind, y) : 0;
    if (stops)
        ends = cn_grid_open_row(map->grid, y)[word - 1] >> cn_highest_bit(stops) & 1;
    keep_bit(map->behind, y, ends);
    return ends;
}

/* Cells from which a run to the east ends at a turn. It passes on from a turn to the cells behind
 * it, by twice as many with each step. */
static uint64_t hits_east(run_map *map, uint32_t y, size_t word)
{
    const uint64_t open = cn_grid_open_row(map->grid, y)[word];
    const uint64_t ahead = ends_ahead(map, y, word) << (SIDE - 1);
    const cn_stops *stops = &map->rows->stops[y * map->rows->words + word];
    uint64_t ends = open & (stops->forward | ahead), through = open;

    for (unsigned step = 1; step < SIDE; step *= 2) {
        ends |= through & ends >> step;
        through &= through >> step;
    }
    return open & (ends >> 1 | ahead);
}

static uint64_t hits_west(run_map *map, uint32_t y, size_t word)
{
    const uint64_t open = cn_grid_open_row(map->grid, y)[word];
    const uint64_t behind = ends_behind(map, y, word);
    const cn_stops *stops = &map->rows->stops[y * map->rows->words + word];
    uint64_t ends = open & (stops->backward | behind), through = open;

    for (unsigned step = 1; step < SIDE; step *= 2) {
        ends |= through & ends << step;
        through &= through << step;
    }
    return open & (ends << 1 | behind);
}

/* --------------------------------------------------------------------------- along columns -- */

/* Cells whose words are the same in their rows and in their columns, by row. */
typedef struct run_block {
    uint64_t open[SIDE], clear[SIDE];
    uint64_t south[SIDE], north[SIDE]; /* stops */
    uint64_t hits[CN_STRAIGHT][SIDE];
} run_block;

/* Of a row: the cells at which a run to the north has ended at a turn, or from which one will. */
static uint64_t pass_north(cairn_rule rule, const around_word *at, uint64_t ends_above)
{
    return at->row.here & (turns_north(rule, at) | ends_above);
}

/* Finds for each block of a strip what its first row gets from above. */
static void pass_down_strip(const run_map *map, size_t word, uint64_t from_above[BLOCKS_MOST])
{
    uint64_t ends = 0;
    for (uint32_t y = 0; y < map->grid->height; y++) {
        if (y % SIDE == 0)
            from_above[y / SIDE] = ends;
        const around_word at = around(map, y, word);
        ends = pass_north(map->grid->rules.rule, &at, ends);
    }
}

/* Fills the stops of a row of a block, and its hits but those to the south, where runs up and down
 * are minor. Returns what the next row gets from above. */
static uint64_t fill_minor_columns(const run_map *map, const around_word *at, uint32_t row,
                                   uint64_t ends_above, run_block *block)
{
    const cairn_rule rule = map->grid->rules.rule;
    block->south[row] = ~at->row.here | turns_south(rule, at);
    block->north[row] = ~at->row.here | turns_north(rule, at);
    block->hits[CN_N][row] = at->row.here & ends_above;
    return pass_north(rule, at, ends_above);
}

/* Fills the planes of runs along columns where these are major: hits say which steps are legal. */
static void fill_major_columns(const around_word *at, uint32_t row, bool is_first, run_block *block)
{
    const uint64_t leaves = block->hits[CN_E][row] | block->hits[CN_W][row];
    block->south[row] = ~at->row.here | at->border | leaves;
    block->north[row] = is_first ? ~UINT64_C(0) : block->south[row];
    block->hits[CN_S][row] = at->row.here & at->below.here;
    block->hits[CN_N][row] = at->row.here & at->above.here;
}

/* Returns how many rows the block has. */
static uint32_t fill_block(run_map *map, uint32_t top, size_t word, uint64_t ends_above,
                           run_block *block)
{
    const uint32_t left = map->grid->height - top, count = left < SIDE ? left : SIDE;

    for (uint32_t row = 0; row < count; row++) {
        const around_word at = around(map, top + row, word);
        block->open[row] = at.row.here;
        block->clear[row] = at.row.here & ~at.border;
        block->hits[CN_E][row] = hits_east(map, top + row, word);
        block->hits[CN_W][row] = hits_west(map, top + row, word);
        if (has_upright_majors(map))
            fill_major_columns(&at, row, top + row == 0, block);
        else
            ends_above = fill_minor_columns(map, &at, row, ends_above, block);
    }
    for (uint32_t row = count; row < SIDE; row++) {
        block->clear[row] = 0;
        block->south[row] = block->north[row] = ~UINT64_C(0);
    }
    return count;
}

/* The hits to the south of a block, from below; returns what the block above gets. */
static uint64_t pass_up_block(run_block *block, uint32_t count, uint64_t ends_below)
{
    for (uint32_t row = count; row-- > 0;) {
        block->hits[CN_S][row] = block->open[row] & ends_below;
        ends_below = block->open[row] & (block->south[row] | ends_below);
    }
    return ends_below;
}

/* The cells of a strip of words. */
typedef struct strip {
    size_t word;
    uint32_t left, width;
} strip;

static void leave_one_way(const cn_grid *grid, const uint8_t *letters, uint32_t count,
                          uint8_t *hits)
{
    for (uint32_t i = 0; grid->has_one_way && i < count; i++)
        hits[i] &= grid->exits[letters[i]];
}

static void write_hits(const run_map *map, strip at, uint32_t y, const run_block *block)
{
    const cn_grid *grid = map->grid;
    const around_word cells = around(map, y, at.word);
    const cn_step_bits up = cn_steps_between(grid->rules.rule, false, cells.row, cells.above);
    const cn_step_bits down = cn_steps_between(grid->rules.rule, false, cells.row, cells.below);
    const size_t first = (size_t)y * grid->width + at.left;
    uint8_t bytes[SIDE];
    uint64_t planes[CN_DIRECTIONS] = {
        [CN_SE] = down.east, [CN_SW] = down.west, [CN_NE] = up.east, [CN_NW] = up.west};
    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++)
        planes[direction] = block->hits[direction][y % SIDE];
    cn_bytes_of_planes(planes, bytes);
    leave_one_way(grid, grid->letters + first, at.width, bytes);
    memcpy(map->hits + first, bytes, at.width);
}

static void write_columns(const run_map *map, strip at, uint32_t top, run_block *block)
{
    cn_transpose_bits(block->clear);
    cn_transpose_bits(block->south);
    cn_transpose_bits(block->north);
    for (uint32_t x = 0; x < at.width; x++) {
        const size_t to = (at.left + x) * map->columns->words + top / SIDE;
        map->columns->stops[to] = (cn_stops){block->south[x], block->north[x]};
        map->columns->clear[to] = block->clear[x];
    }
}

static void fill_strip(run_map *map, strip at)
{
    uint64_t from_above[BLOCKS_MOST] = {0}, ends_below = 0;
    run_block block;

    if (!has_upright_majors(map))
        pass_down_strip(map, at.word, from_above);
    for (uint32_t i = (map->grid->height - 1) / SIDE + 1; i-- > 0;) {
        const uint32_t top = i * SIDE;
        const uint32_t count = fill_block(map, top, at.word, from_above[i], &block);
        if (!has_upright_majors(map))
            ends_below = pass_up_block(&block, count, ends_below);
        for (uint32_t row = 0; row < count; row++)
            write_hits(map, at, top + row, &block);
        write_columns(map, at, top, &block);
    }
}

void cn_run_planes_fill(const cn_grid *grid, const uint64_t *borders, const cn_axis *rows,
                        const cn_axis *columns, uint8_t *hits)
{
    run_map map = {
        .grid = grid, .borders = borders, .rows = rows, .columns = columns, .hits = hits};

    for (uint32_t y = 0; y < grid->height; y++)
        fill_row(&map, y);
    for (size_t word = 0; word < cn_grid_row_words(grid); word++) {
        const uint32_t left = (uint32_t)word * SIDE, rest = grid->width - left;
        fill_strip(&map, (strip){word, left, rest < SIDE ? rest : SIDE});
    }
}
