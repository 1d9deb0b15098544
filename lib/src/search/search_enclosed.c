/*
 * Whether avoided nodes enclose an end of a search, as units do that crowd around one, or locked
 * doors of the rooms around it. What can be reached is filled from both ends in turn, until one
 * meets the other or can go no farther: so no search has to seek a way out everywhere else. Most
 * paths meet none of the nodes. So it is filled before the first search only where nodes are close
 * to an end, and goes on before each that is repeated, for a part of what the searches so far have
 * taken.
 *
 * A block has 64 x 64 cells, whose rows are words, filled as a whole. One-way steps count in both
 * directions, and on hexagons all 8 cells around one count as its neighbours: what is enclosed even
 * so is enclosed.
 */
#include <string.h>

#include "search/search.h"

enum { SIDE = CN_BLOCK_SIDE };

enum { FIRST_CELL = 1 };
#define LAST_CELL (UINT64_C(1) << (SIDE - 1))

/* A word, filled from one end. */
typedef struct place {
    uint32_t column; /* of blocks */
    uint32_t y;
    unsigned end;
} place;

/* ------------------------------------------------------------------------------------ blocks -- */

static uint32_t blocks_across(const cn_grid *grid)
{
    return (grid->width + SIDE - 1u) / SIDE;
}

static size_t blocks_of_grid(const cn_grid *grid)
{
    return blocks_across(grid) * (size_t)((grid->height + SIDE - 1u) / SIDE);
}

static size_t block_number(const cn_grid *grid, place at)
{
    return at.y / SIDE * (size_t)blocks_across(grid) + at.column;
}

static uint64_t forbidden_among(const cn_avoidance *avoided, uint64_t cells, size_t first)
{
    uint64_t forbidden = 0;
    if (avoided->forbids_all)
        return cells;
    for (uint64_t left = cells; left; left &= left - 1) {
        const unsigned i = cn_lowest_bit(left);
        if (cn_avoidance_extra(avoided, (cairn_node)(first + i)) == CAIRN_UNREACHABLE)
            forbidden |= UINT64_C(1) << i;
    }
    return forbidden;
}

static void read_word(const cairn_search *search, cn_filled_block *block, place at)
{
    const cn_grid *grid = &search->map->grid;
    const cn_avoidance *avoided = &search->avoidance;
    const unsigned row = at.y % SIDE;
    const size_t first = at.y * (size_t)grid->width + at.column * SIDE;
    const size_t bit_words = cn_map_node_count(search->map) / 64 + 1;
    const uint64_t open = cn_grid_open_row(grid, at.y)[at.column];
    const uint64_t listed = open ? cn_bits_from(avoided->bits, bit_words, first) & open : 0;

    block->open[row] = open;
    block->free[row] = listed ? open & ~forbidden_among(avoided, listed, first) : open;
}

/* The words below the map are blocked. */
static void read_block(cairn_search *search, cn_filled_block *block, place at)
{
    cn_filling *self = &search->avoidance.filling;
    const uint32_t row = at.y / SIDE;

    *block = (cn_filled_block){.filling = self->number};
    self->left = at.column < self->left ? at.column : self->left;
    self->right = at.column > self->right ? at.column : self->right;
    self->top = row < self->top ? row : self->top;
    self->bottom = row > self->bottom ? row : self->bottom;
    at.y -= at.y % SIDE;
    for (unsigned i = 0; i < SIDE && at.y < search->map->grid.height; i++, at.y++)
        read_word(search, block, at);
}

/* The block of a word, which has been read. */
static cn_filled_block *block_at(cairn_search *search, place at)
{
    cn_filling *self = &search->avoidance.filling;
    cn_filled_block *block = &self->blocks[block_number(&search->map->grid, at)];
    if (block->filling != self->number)
        read_block(search, block, at);
    return block;
}

/* ------------------------------------------------------------------------------------- cells -- */

/* Cells diagonally across from which steps lead into a row, where the cells beside such a step are
 * `ahead`, in the row that it enters, and `beside`, in the row that it leaves. */
static uint64_t passing(cairn_rule rule, uint64_t beside, uint64_t ahead)
{
    switch (rule) {
    case CAIRN_RULE_4: return 0;
    case CAIRN_RULE_8: return beside & ahead;
    case CAIRN_RULE_8_ONE_SIDE: return beside | ahead;
    default: return ~UINT64_C(0);
    }
}

/* Cells of a row to which steps lead from those reached in the row before or behind. `behind` are
 * the open ones there, `ahead` those of the row itself. */
static uint64_t across(cairn_rule rule, uint64_t cells, uint64_t behind, uint64_t ahead)
{
    return cells | (cells << 1 & passing(rule, behind, ahead << 1)) |
           (cells >> 1 & passing(rule, behind, ahead >> 1));
}

/* The cells that straight runs along a row reach. To the east an addition carries through those
 * that are free. */
static uint64_t run_along(uint64_t reached, uint64_t free)
{
    uint64_t to_west = free | reached;
    const uint64_t east = (to_west + reached) ^ to_west;
    uint64_t west = reached;
    for (unsigned step = 1; step < SIDE; step *= 2) {
        west |= to_west & west >> step;
        to_west &= to_west >> step;
    }
    return (east & free) | west;
}

/* ----------------------------------------------------------------------------------- filling -- */

static void wait_in_queue(cairn_search *search, place at)
{
    cn_block_queue *queue = &search->avoidance.filling.queues[at.end];
    const cn_grid *grid = &search->map->grid;
    const size_t room = blocks_of_grid(grid), last = queue->first + queue->count++;
    queue->blocks[last < room ? last : last - room] = (uint32_t)block_number(grid, at);
}

/* Reaches those of some cells of a word that are free. */
static void reach(cairn_search *search, place at, uint64_t cells)
{
    cn_filled_block *block = block_at(search, at);
    const unsigned row = at.y % SIDE;
    const uint64_t fresh = cells & block->free[row] & ~block->reached[at.end][row];
    if (!fresh)
        return;
    if (!block->dirty[at.end])
        wait_in_queue(search, at);
    block->dirty[at.end] |= UINT64_C(1) << row;
    block->reached[at.end][row] |= fresh;
}

/* Reaches the word in a row of another block, north or south of a word. */
static void leave_for(cairn_search *search, place at, uint32_t y, uint64_t cells)
{
    const place to = {at.column, y, at.end};
    if (y >= search->map->grid.height)
        return;
    reach(search, to,
          across(search->map->grid.rules.rule, cells, block_at(search, at)->open[at.y % SIDE],
                 block_at(search, to)->open[y % SIDE]));
}

/* Reaches the word to the west (-1) or to the east (1) from the outermost cell of a word; where the
 * cell there is not free, cells diagonally across. */
static void leave_sideways(cairn_search *search, place at, int side)
{
    const cn_grid *grid = &search->map->grid;
    const uint64_t cell = side < 0 ? LAST_CELL : FIRST_CELL;
    place to = {at.column + (uint32_t)side, at.y, at.end};
    if (to.column >= blocks_across(grid))
        return;
    const uint64_t behind = block_at(search, to)->open[to.y % SIDE];
    if (block_at(search, to)->free[to.y % SIDE] & cell) {
        reach(search, to, cell);
        return;
    }
    for (to.y = at.y - (at.y > 0); to.y <= at.y + 1 && to.y < grid->height; to.y++) {
        const place next = {at.column, to.y, at.end};
        const uint64_t open = block_at(search, next)->open[to.y % SIDE];
        const uint64_t ahead = side < 0 ? open << (SIDE - 1) : open >> (SIDE - 1);
        if (to.y != at.y)
            reach(search, to, cell & passing(grid->rules.rule, behind, ahead));
    }
}

/* Reaches the words around one in other blocks. */
static void leave(cairn_search *search, place at, uint64_t cells)
{
    cn_filled_block *block = block_at(search, at);
    const uint64_t bit = UINT64_C(1) << at.y % SIDE;

    if (at.y % SIDE == 0)
        leave_for(search, at, at.y - 1, cells);
    if (at.y % SIDE == SIDE - 1)
        leave_for(search, at, at.y + 1, cells);
    for (unsigned side = 0; side < 2; side++) {
        if (!(cells & (side ? LAST_CELL : FIRST_CELL)) || block->left[at.end][side] & bit)
            continue;
        block->left[at.end][side] |= bit;
        leave_sideways(search, at, side ? 1 : -1);
    }
}

/* Reaches a word of the same block, next to one whose cells have been reached. */
static void spread(cn_filled_block *block, cairn_rule rule, unsigned end, unsigned from,
                   unsigned to)
{
    const uint64_t cells = across(rule, block->reached[end][from], block->open[from],
                                  block->open[to]);
    const uint64_t fresh = cells & block->free[to] & ~block->reached[end][to];
    block->reached[end][to] |= fresh;
    block->dirty[end] |= (uint64_t)(fresh != 0) << to;
}

static void fill_word(cairn_search *search, cn_filled_block *block, place at)
{
    const cairn_rule rule = search->map->grid.rules.rule;
    const unsigned row = at.y % SIDE;
    const uint64_t cells = run_along(block->reached[at.end][row], block->free[row]);

    block->reached[at.end][row] = cells;
    search->avoidance.filling.is_over |= (cells & block->reached[!at.end][row]) != 0;
    if (row > 0)
        spread(block, rule, at.end, row, row - 1);
    if (row < SIDE - 1)
        spread(block, rule, at.end, row, row + 1);
    if (cells & (FIRST_CELL | LAST_CELL) || row == 0 || row == SIDE - 1)
        leave(search, at, cells);
}

/* Fills words of the block that waits longest, at most so many; returns how many it has filled. */
static uint64_t fill_block(cairn_search *search, unsigned end, uint64_t most)
{
    cn_filling *self = &search->avoidance.filling;
    cn_block_queue *queue = &self->queues[end];
    const cn_grid *grid = &search->map->grid;
    const uint32_t number = queue->blocks[queue->first], columns = blocks_across(grid);
    place at = {number % columns, number / columns * SIDE, end};
    cn_filled_block *block = &self->blocks[number];
    uint64_t filled = 0;

    for (; block->dirty[end] && filled < most && !self->is_over; filled++) {
        const unsigned row = cn_lowest_bit(block->dirty[end]);
        at.y = at.y / SIDE * SIDE + row;
        fill_word(search, block, at);
        block->dirty[end] &= ~(UINT64_C(1) << row);
    }
    if (!block->dirty[end]) {
        queue->first = queue->first + 1 < blocks_of_grid(grid) ? queue->first + 1 : 0;
        queue->count--;
    }
    return filled;
}

static bool reserve(cairn_search *search)
{
    cn_filling *self = &search->avoidance.filling;
    const size_t count = blocks_of_grid(&search->map->grid);

    self->capacity = count;
    if (!self->blocks)
        self->blocks = cn_zeroed(&search->mem, count, sizeof *self->blocks);
    for (unsigned end = 0; end < 2; end++) {
        if (!self->queues[end].blocks)
            self->queues[end].blocks = cn_array(&search->mem, count, sizeof(uint32_t));
    }
    return self->blocks && self->queues[0].blocks && self->queues[1].blocks;
}

/* The end is free, also where it is listed. */
static void begin_at(cairn_search *search, cairn_node node, unsigned end)
{
    cn_block_queue *queue = &search->avoidance.filling.queues[end];
    uint32_t x, y;
    cn_grid_xy(&search->map->grid, node, &x, &y);
    const place at = {x / SIDE, y, end};
    const uint64_t cell = UINT64_C(1) << x % SIDE;

    queue->first = queue->count = 0;
    block_at(search, at)->free[y % SIDE] |= cell;
    reach(search, at, cell);
}

static void begin(cairn_search *search, cairn_node start, cairn_node goal)
{
    cn_filling *self = &search->avoidance.filling;
    if (++self->number == 0) {
        for (size_t i = 0; i < blocks_of_grid(&search->map->grid); i++)
            self->blocks[i].filling = 0;
        self->number = 1;
    }
    self->goal = goal;
    self->is_over = start == goal;
    self->dry = CN_DRY_NEITHER;
    self->left = self->top = UINT32_MAX;
    self->right = self->bottom = 0;
    begin_at(search, start, 0);
    begin_at(search, goal, 1);
}

/* ---------------------------------------------------------------------------------- decision -- */

/* Whether nodes are listed close to an end, as where others crowd around it. */
static bool is_beside_listed(const cairn_search *search, cairn_node end)
{
    enum { NEAR = 3 };
    const cn_grid *grid = &search->map->grid;
    uint32_t x, y;

    cn_grid_xy(grid, end, &x, &y);
    const uint32_t left = x > NEAR ? x - NEAR : 0, top = y > NEAR ? y - NEAR : 0;
    for (uint32_t at_y = top; at_y <= y + NEAR && at_y < grid->height; at_y++) {
        for (uint32_t at_x = left; at_x <= x + NEAR && at_x < grid->width; at_x++) {
            if (cn_has_bit(search->avoidance.bits, at_y * (size_t)grid->width + at_x))
                return true;
        }
    }
    return false;
}

/* How many words may be filled now. */
static uint64_t words_allowed(const cairn_search *search, cairn_node start, cairn_node goal)
{
    enum { FIRST = 128, MOST = 4096 };
    const unsigned rounds = search->avoidance.rounds;
    if (rounds == 0)
        return is_beside_listed(search, start) || is_beside_listed(search, goal) ? FIRST : 0;
    const uint64_t expanded = search->scratch.expanded;
    const uint64_t words = rounds == 1 ? FIRST + expanded / 2 : 4 * (FIRST + expanded);
    return words < MOST ? words : MOST;
}

/* The end that cannot go farther, as is found by filling at most so many words. */
static cn_dry_end fill(cairn_search *search, uint64_t most)
{
    enum { TURN = 16 };
    cn_filling *self = &search->avoidance.filling;
    for (unsigned end = 0; most && !self->is_over; end = !end) {
        if (!self->queues[end].count)
            return end ? CN_DRY_GOAL : CN_DRY_START;
        const uint64_t filled = fill_block(search, end, most < TURN ? most : TURN);
        most -= most == UINT64_MAX ? 0 : filled;
    }
    return CN_DRY_NEITHER;
}

/* Fills so many words more from both ends. CAIRN_E_MEMORY. */
static cairn_status go_on_filling(cairn_search *search, cairn_node start, cairn_node goal,
                                  uint64_t most)
{
    cn_filling *self = &search->avoidance.filling;
    if (!reserve(search))
        return CAIRN_E_MEMORY;
    if (self->goal != goal)
        begin(search, start, goal);
    if (!self->dry)
        self->dry = fill(search, most);
    return CAIRN_OK;
}

cairn_status cn_search_seek_enclosure(cairn_search *search, cairn_node start, cairn_node goal,
                                      bool *is_enclosed)
{
    const uint64_t most = words_allowed(search, start, goal);
    cairn_status status = CAIRN_OK;

    *is_enclosed = false;
    if (!most)
        return CAIRN_OK;
    status = go_on_filling(search, start, goal, most);
    *is_enclosed = status == CAIRN_OK && search->avoidance.filling.dry;
    return status;
}

/* -------------------------------------------------------------------------- what is enclosed -- */

/* Appends what a block has of what was reached from an end. */
static bool append(cn_enclosed *self, const cn_mem *mem, const cn_filled_block *block,
                   uint32_t column, uint32_t row, unsigned end)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < SIDE; i++)
        any |= block->reached[end][i];
    if (!any)
        return true;
    if (!CN_GROW(mem, self->blocks, &self->capacity, self->count, self->count + 1))
        return false;
    cn_block_cells *added = &self->blocks[self->count++];
    *added = (cn_block_cells){.column = column, .row = row};
    memcpy(added->cells, block->reached[end], sizeof added->cells);
    return true;
}

/* Appends what was reached from the end that is dry. */
static bool keep_enclosed(cairn_search *search)
{
    const cn_filling *filling = &search->avoidance.filling;
    cn_enclosed *self = &search->avoidance.enclosed;
    const size_t columns = blocks_across(&search->map->grid);
    bool ok = true;

    if (filling->dry == CN_DRY_START || self->is_around_start)
        self->count = 0;
    self->is_around_start = filling->dry == CN_DRY_START;
    for (uint32_t row = filling->top; row <= filling->bottom; row++) {
        for (uint32_t column = filling->left; ok && column <= filling->right; column++) {
            const cn_filled_block *block = &filling->blocks[row * columns + column];
            if (block->filling == filling->number)
                ok = append(self, &search->mem, block, column, row, filling->dry == CN_DRY_GOAL);
        }
    }
    return ok;
}

cairn_status cn_search_learn_enclosed(cairn_search *search, bool *is_learned)
{
    const cn_query *query = &search->query;
    const cairn_status status = go_on_filling(search, query->start, query->goal, UINT64_MAX);

    *is_learned = status == CAIRN_OK && search->avoidance.filling.dry;
    if (status != CAIRN_OK || !*is_learned)
        return status;
    return keep_enclosed(search) ? CAIRN_OK : CAIRN_E_MEMORY;
}

bool cn_enclosed_has(const cn_enclosed *self, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < self->count; i++) {
        const cn_block_cells *block = &self->blocks[i];
        if (block->column == x / SIDE && block->row == y / SIDE &&
            block->cells[y % SIDE] >> x % SIDE & 1)
            return true;
    }
    return false;
}
