/*
 * Which members of a set of corners see a cell, and whose arcs expire when cells change.
 *
 * Canonical runs are followed backwards from a cell, in each of its four quadrants: a straight run
 * leads to clear cells of its row, on one side, and of its column, above or below; from each of
 * them a diagonal leads on, away from both. The diagonals of a quadrant are walked together, a row
 * of the map at a time: what they have reached in it are bits side by side, of which each belongs
 * to one diagonal. Those of the row come first, from the farthest to the nearest and the cell
 * itself, then those of the column, which begin when the walk comes to their rows.
 */
#include "grid/corners.h"

#include <string.h>

enum { DIAGONALS_AT_ONCE = 48, ROWS_AT_ONCE = 64 };

/* Members of the set that were reached in one row, as bits from column `x` on. */
typedef struct met_row {
    uint64_t members;
    int64_t x;
    uint32_t y;
} met_row;

typedef struct sight {
    const cn_corners *corners;
    const cn_grid *grid;
    cairn_metric metric;
    uint32_t x;
    uint32_t y;
    uint64_t stopping; /* all ones; 0: members do not stop runs */
    cn_corner_taker *take;
    void *context;
    uint64_t walked; /* rows, by all diagonals that are walked together */
    size_t count;
    cn_seen_corner seen[CN_SEEN_MOST];
    size_t row_count;
    met_row rows[ROWS_AT_ONCE];
} sight;

static void hand_over(sight *self)
{
    if (self->count)
        self->take(self->context, self->seen, self->count);
    self->count = 0;
}

CN_ALWAYS_INLINE void add_seen(sight *self, uint32_t x, uint32_t y)
{
    if (CN_UNLIKELY(self->count == CN_SEEN_MOST))
        hand_over(self);
    self->seen[self->count++] = (cn_seen_corner){cn_corners_find(self->corners, x, y),
                                                 cn_octile(self->metric, x, y, self->x, self->y)};
}

/* 57 bits of a row from column `x` on, and some more. They may begin or end beside the map, by
 * less than a word. */
CN_ALWAYS_INLINE uint64_t window(const uint64_t *row, int64_t x)
{
    const uint64_t at = (uint64_t)(x + 64);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bits;
    memcpy(&bits, (const char *)(row - 1) + at / 8, sizeof bits);
    return bits >> at % 8;
#else
    const uint64_t *words = row - 1 + at / 64;
    return at % 64 ? words[0] >> at % 64 | words[1] << (64 - at % 64) : words[0];
#endif
}

static void take_met_rows(sight *self)
{
    for (size_t i = 0; i < self->row_count; i++) {
        const met_row *row = &self->rows[i];
        for (uint64_t left = row->members; left; left &= left - 1)
            add_seen(self, (uint32_t)(row->x + cn_lowest_bit(left)), row->y);
    }
    self->row_count = 0;
}

/* Some diagonals of a quadrant: `count` of them from the number `first` on; the cell itself is
 * number `level`, so many clear cells lying in its row. */
typedef struct diagonals {
    uint32_t first;
    uint32_t count;
    uint32_t level;
    int across;
    int down;
} diagonals;

/* The bits of the lowest `count` of them. Columns ascend with bits; to the east numbers descend. */
CN_ALWAYS_INLINE uint64_t bits_of(const diagonals *some, uint32_t count)
{
    uint64_t bits = (UINT64_C(1) << count) - 1;
    return some->across < 0 ? bits : bits << (some->count - count);
}

/* The walk of some diagonals: where it is, and what it reads there. */
typedef struct stroll {
    uint64_t reached; /* the diagonals that have not ended, from column x on */
    uint64_t here;    /* the cells beside them in this row, that lie ahead */
    int64_t x;
    uint32_t y;
    const uint64_t *open; /* of this row */
    const uint64_t *marks;
} stroll;

/* Walks to the next row, where every bit stands for the next column, and takes the members of the
 * set out of what is reached there. The windows begin two columns before the first bit, so that one
 * of each row serves for two steps. A processor could not predict whether there are members, so no
 * branch depends on it. */
CN_ALWAYS_INLINE void stroll_on(sight *self, stroll *at, int across, int down, ptrdiff_t stride,
                                uint64_t stopping)
{
    at->open += stride;
    at->marks += stride;
    const uint64_t next = window(at->open, at->x - 2), marks = window(at->marks, at->x - 2);
    at->x += across;
    at->y += (uint32_t)down;
    at->reached &= at->here & next >> 2 & next >> (2 + across);
    at->here = next >> (2 + 2 * across);

    const uint64_t members = at->reached & marks >> (2 + across);
    self->rows[self->row_count] = (met_row){members, at->x, at->y};
    self->row_count += members != 0;
    if (CN_UNLIKELY(self->row_count == ROWS_AT_ONCE))
        take_met_rows(self);
    at->reached &= ~(members & stopping);
}

/* Walks the rows in which diagonals begin, one in each, then goes on until all have ended. */
CN_ALWAYS_INLINE void walk(sight *self, const diagonals *some)
{
    const int across = some->across, down = some->down;
    const ptrdiff_t stride = down * (ptrdiff_t)self->grid->open_stride;
    const uint64_t stopping = self->stopping;
    const uint32_t row = some->first > some->level ? some->first - some->level : 0;
    uint32_t begun = some->level + row - some->first + 1;
    begun = begun < some->count ? begun : some->count;
    stroll at = {.reached = bits_of(some, begun),
                 .x = (int64_t)self->x + across * ((int64_t)some->level - some->first + row)};
    at.x -= across < 0 ? 0 : some->count - 1;
    at.y = down > 0 ? self->y + row : self->y - row;
    at.open = cn_grid_open_row(self->grid, at.y);
    at.marks = self->corners->marks + at.y * self->corners->stride;
    at.here = window(at.open, at.x - 2) >> (2 + across);

    for (; begun < some->count; begun++) {
        stroll_on(self, &at, across, down, stride, stopping);
        at.reached |= UINT64_C(1) << (across < 0 ? begun : some->count - begun - 1);
    }
    while (at.reached)
        stroll_on(self, &at, across, down, stride, stopping);
    self->walked += down > 0 ? at.y - self->y : self->y - at.y;
}

static void see_quadrant(sight *self, uint32_t level, uint32_t upright, int across, int down)
{
    for (uint32_t first = 0; first <= level + upright; first += DIAGONALS_AT_ONCE) {
        const uint32_t left = level + upright + 1 - first;
        const diagonals some = {first, left < DIAGONALS_AT_ONCE ? left : DIAGONALS_AT_ONCE, level,
                                across, down};
        walk(self, &some);
    }
}

static bool is_member(const sight *self, uint32_t x, uint32_t y)
{
    return self->corners->marks[y * self->corners->stride + x / 64] >> x % 64 & 1;
}

static bool is_open_at(const sight *self, uint32_t x, uint32_t y)
{
    return cn_grid_open_from(self->grid, x, y) & 1;
}

/* How many clear cells follow the cell in a straight direction: open ones before the first member
 * of the set, which is taken. */
static uint32_t clear_cells(sight *self, int across, int down)
{
    uint32_t x = self->x, y = self->y, length = 0;

    for (;; length++) {
        x += (uint32_t)across;
        y += (uint32_t)down;
        if (x >= self->grid->width || y >= self->grid->height)
            return length;
        const bool stops = is_member(self, x, y);
        if (stops)
            add_seen(self, x, y);
        if ((stops && self->stopping) || !is_open_at(self, x, y))
            return length;
    }
}

static void see_around(sight *self)
{
    const uint32_t east = clear_cells(self, 1, 0), west = clear_cells(self, -1, 0);
    const uint32_t south = clear_cells(self, 0, 1), north = clear_cells(self, 0, -1);

    see_quadrant(self, east, south, 1, 1);
    see_quadrant(self, east, north, 1, -1);
    see_quadrant(self, west, south, -1, 1);
    see_quadrant(self, west, north, -1, -1);
}

static void begin_sight(sight *self, const cn_corners *corners, const cn_grid *grid,
                        cairn_metric metric, cairn_node node, cn_corner_taker *take, void *context)
{
    self->corners = corners;
    self->grid = grid;
    self->metric = metric;
    self->stopping = ~UINT64_C(0);
    self->take = take;
    self->context = context;
    self->walked = 0;
    self->count = 0;
    self->row_count = 0;
    cn_grid_xy(grid, node, &self->x, &self->y);
}

static void end_sight(sight *self)
{
    take_met_rows(self);
    hand_over(self);
}

void cn_corners_seeing(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context)
{
    sight self;
    begin_sight(&self, corners, grid, metric, node, take, context);
    if (is_member(&self, self.x, self.y))
        add_seen(&self, self.x, self.y);
    else
        see_around(&self);
    end_sight(&self);
}

void cn_corners_around(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context)
{
    sight self;
    begin_sight(&self, corners, grid, metric, node, take, context);
    see_around(&self);
    end_sight(&self);
}

uint64_t cn_corners_in_sight(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                             cairn_node node, cn_corner_taker *take, void *context)
{
    sight self;
    begin_sight(&self, corners, grid, metric, node, take, context);
    self.stopping = 0;
    if (is_member(&self, self.x, self.y))
        add_seen(&self, self.x, self.y);
    if (is_open_at(&self, self.x, self.y))
        see_around(&self);
    end_sight(&self);
    return self.walked;
}

/* ---------------------------------------------------------------------------- expired arcs -- */

enum { CHANGED_MOST = 64, AROUND_MOST = CHANGED_MOST * (CN_DIRECTIONS + 1) };

static void expire_seen(void *context, const cn_seen_corner *seen, size_t count)
{
    cn_corners *extension = context;
    for (size_t i = 0; i < count; i++)
        cn_set_bit(extension->expired, seen[i].corner);
}

static size_t add_once(cairn_node *cells, size_t count, cairn_node cell)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i] == cell)
            return count;
    }
    cells[count] = cell;
    return count + 1;
}

/* The changed cells and their neighbours, each once. */
static size_t cells_around(const cn_grid *grid, const cairn_node *changed, size_t changed_count,
                           cairn_node cells[AROUND_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < changed_count; i++) {
        cairn_node around[CN_DIRECTIONS];
        const unsigned most = cn_grid_neighbours(grid, changed[i], around);
        count = add_once(cells, count, changed[i]);
        for (unsigned k = 0; k < most; k++)
            count = add_once(cells, count, around[k]);
    }
    return count;
}

cairn_status cn_corners_keep_arcs(cn_corners *extension, const cn_corners *corners,
                                  const cn_corners *former, const cn_grid *grid, const cn_mem *mem,
                                  const cairn_node *changed, size_t changed_count)
{
    cairn_node cells[AROUND_MOST];
    const size_t size = cn_corners_expired_words(extension) * sizeof *extension->expired;
    const cn_corner_arcs *arcs = atomic_load_explicit(&corners->arcs, memory_order_acquire);

    if (!arcs || (former && former->former_arcs != arcs))
        return CAIRN_OK;
    extension->expired = cn_zeroed(mem, cn_corners_expired_words(extension),
                                   sizeof *extension->expired);
    if (!extension->expired)
        return CAIRN_E_MEMORY;
    extension->former_arcs = arcs;
    if (changed_count > CHANGED_MOST) {
        memset(extension->expired, 0xff, size);
        return CAIRN_OK;
    }
    if (former)
        memcpy(extension->expired, former->expired, size);
    const size_t count = cells_around(grid, changed, changed_count, cells);
    /* Where a run leads follows from the neighbours of its cells. A run is as before up to its
     * first cell with changed neighbours. So the arcs that expire are those of corners from which a
     * run leads to such a cell now. */
    for (size_t i = 0; i < count; i++)
        cn_corners_in_sight(corners, grid, (cairn_metric){0, 0}, cells[i], expire_seen, extension);
    return CAIRN_OK;
}
