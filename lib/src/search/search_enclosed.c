/*
 * Whether avoided nodes enclose an end of a search, as units do that crowd around one. This is
 * found in a window of 64 x 64 cells around the end, so that no search has to seek a way out
 * everywhere else. Most paths meet none of the nodes. So the window is filled before the first
 * search only where nodes are close to the end, elsewhere before the first that is repeated.
 *
 * A row of the window is a word, which is filled as a whole. One-way steps count in both
 * directions, and on hexagons all 8 cells around one count as its neighbours: what is enclosed even
 * so is enclosed.
 */
#include "search/search.h"

enum { SIDE = 64, MIDDLE = SIDE / 2 };

/* The cells around an end of the search. Words are by row; bit i is column left + i. */
typedef struct window {
    const cairn_search *search;
    int64_t left, top;
    int64_t far_column, far_row; /* of the other end, in the window or beyond it */
    uint64_t is_read;            /* by row */
    uint64_t dirty;              /* by row: some cells of it were reached since it was filled */
    uint64_t open[SIDE];
    uint64_t free[SIDE]; /* open, and may be entered */
    uint64_t reached[SIDE];
} window;

/* Bits of the cells from a column on, which may lie before the row by less than a word. */
static uint64_t open_from(const cn_grid *grid, int64_t x, int64_t y)
{
    const uint64_t *before = cn_grid_open_row(grid, (uint32_t)y) - 1;
    return cn_bits_from(before, grid->open_stride, (size_t)(x + SIDE));
}

static uint64_t forbidden_among(const cairn_search *search, uint64_t cells, cairn_node first)
{
    uint64_t forbidden = 0;
    if (search->avoidance.forbids_all)
        return cells;
    for (uint64_t left = cells; left; left &= left - 1) {
        const unsigned i = cn_lowest_bit(left);
        if (cn_avoidance_extra(&search->avoidance, first + i) == CAIRN_UNREACHABLE)
            forbidden |= UINT64_C(1) << i;
    }
    return forbidden;
}

/* Of open cells in a row of the window, those that are on the list. */
static uint64_t listed_among(const cairn_search *search, uint64_t open, cairn_node first)
{
    const uint64_t *bits = search->avoidance.bits;
    const unsigned lowest = cn_lowest_bit(open);
    const size_t words = cn_map_node_count(search->map) / 64 + 1;
    return cn_bits_from(bits, words, (cairn_node)(first + lowest)) << lowest & open;
}

static void read_row(window *self, unsigned row)
{
    const cn_grid *grid = &self->search->map->grid;
    const int64_t y = self->top + row;
    if (self->is_read >> row & 1)
        return;
    self->is_read |= UINT64_C(1) << row;
    self->reached[row] = 0;
    self->open[row] = y >= 0 && y < grid->height ? open_from(grid, self->left, y) : 0;
    self->free[row] = self->open[row];
    if (!self->open[row])
        return;
    const cairn_node first = (cairn_node)(y * grid->width + self->left);
    const uint64_t listed = listed_among(self->search, self->open[row], first);
    self->free[row] &= ~forbidden_among(self->search, listed, first);
    if (y == self->far_row && self->far_column >= self->left &&
        self->far_column < self->left + SIDE)
        self->free[row] |= UINT64_C(1) << (self->far_column - self->left);
}

/* The cells that straight runs along a row reach. To the east an addition carries through those
 * that are free. */
static uint64_t fill_row(uint64_t reached, uint64_t free)
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

/* Reaches cells of one row from another one, next to it. */
static void cross(window *self, unsigned from, unsigned to)
{
    const cairn_rule rule = self->search->map->grid.rules.rule;
    const uint64_t cells = self->reached[from];

    read_row(self, to);
    const uint64_t open = self->open[to], behind = self->open[from];
    const uint64_t east = cells << 1 & passing(rule, behind, open << 1);
    const uint64_t west = cells >> 1 & passing(rule, behind, open >> 1);
    const uint64_t fresh = (cells | east | west) & self->free[to] & ~self->reached[to];
    if (!fresh)
        return;
    self->reached[to] |= fresh;
    self->dirty |= UINT64_C(1) << to;
}

/* Whether a row has reached cells at the border of the window, or the other end. */
static bool leads_out(const window *self, unsigned row)
{
    const uint64_t sides = UINT64_C(1) | UINT64_C(1) << (SIDE - 1);
    if (self->reached[row] & sides || (self->reached[row] && (row == 0 || row == SIDE - 1)))
        return true;
    const int64_t column = self->far_column - self->left;
    return self->top + row == self->far_row && column >= 0 && column < SIDE &&
           self->reached[row] >> column & 1;
}

static uint64_t steps_between(int64_t a, int64_t b)
{
    return (uint64_t)(a < b ? b - a : a - b);
}

/* How many rows are filled before it is given up, without a result: in a maze to fill a window
 * takes longer than to search for an end that is near. */
static uint64_t fills_between(const cn_grid *grid, cairn_node end, cairn_node other)
{
    enum { ALWAYS = 64, EACH_STEP = 4, MOST = 1024 };
    uint32_t x, y, far_x, far_y;
    cn_grid_xy(grid, end, &x, &y);
    cn_grid_xy(grid, other, &far_x, &far_y);
    const uint64_t across = steps_between(x, far_x), down = steps_between(y, far_y);
    const uint64_t fills = ALWAYS + EACH_STEP * (across > down ? across : down);
    return fills < MOST ? fills : MOST;
}

/* Whether it is certain that no steps lead from one end to the border of its window or to the other
 * end; false also where it was given up. */
static bool is_enclosed(const cairn_search *search, cairn_node end, cairn_node other)
{
    const cn_grid *grid = &search->map->grid;
    uint64_t left = fills_between(grid, end, other);
    uint32_t x, y, far_x, far_y;
    window self;

    cn_grid_xy(grid, end, &x, &y);
    cn_grid_xy(grid, other, &far_x, &far_y);
    self.search = search;
    self.left = (int64_t)x - MIDDLE;
    self.top = (int64_t)y - MIDDLE;
    self.far_column = far_x;
    self.far_row = far_y;
    self.is_read = 0;
    self.dirty = UINT64_C(1) << MIDDLE;
    read_row(&self, MIDDLE);
    self.reached[MIDDLE] = UINT64_C(1) << MIDDLE;

    for (; self.dirty && left; left--) {
        const unsigned row = cn_lowest_bit(self.dirty);
        self.dirty &= self.dirty - 1;
        self.reached[row] = fill_row(self.reached[row], self.free[row]);
        if (leads_out(&self, row))
            return false;
        cross(&self, row, row - 1);
        cross(&self, row, row + 1);
    }
    return !self.dirty;
}

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

bool cn_search_is_enclosed(const cairn_search *search, cairn_node start, cairn_node goal)
{
    const unsigned rounds = search->avoidance.rounds;
    if (rounds > 1 || start == goal)
        return false;
    return (is_beside_listed(search, start) == (rounds == 0) && is_enclosed(search, start, goal)) ||
           (is_beside_listed(search, goal) == (rounds == 0) && is_enclosed(search, goal, start));
}
