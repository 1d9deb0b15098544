#include "grid/corners.h"

#include <string.h>

#include "base/nodes.h"

enum { DIAGONALS_AT_ONCE = 48, ROWS_AT_ONCE = 64 };

/* ------------------------------------------------------------------------------ the set -- */

/* Cells with both straight neighbours open and the cell between them blocked, on one side. */
static uint64_t turns_towards(const uint64_t *row, const uint64_t *beside)
{
    uint64_t before = cn_bits_before(row) & ~cn_bits_before(beside);
    uint64_t behind = cn_bits_behind(row) & ~cn_bits_behind(beside);
    return row[0] & beside[0] & (before | behind);
}

/* The corners among 64 cells of a row. */
static uint64_t corners_in(const cn_grid *grid, uint32_t y, size_t word)
{
    const ptrdiff_t stride = (ptrdiff_t)grid->open_stride;
    const uint64_t *open = cn_grid_open_row(grid, y) + word;
    return turns_towards(open, open - stride) | turns_towards(open, open + stride);
}

bool cn_corners_is_at(const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return corners_in(grid, y, x / 64) >> x % 64 & 1;
}

uint32_t cn_corners_count(const cn_grid *grid)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (size_t word = 0; word < cn_grid_row_words(grid); word++)
            count += cn_count_bits(corners_in(grid, y, word));
    }
    return count;
}

static void mark_corners(cn_corners *corners, const cn_grid *grid)
{
    for (uint32_t y = 0; y < grid->height; y++) {
        uint64_t *marks = corners->marks + y * corners->stride;
        for (size_t word = 0; word < cn_grid_row_words(grid); word++)
            marks[word] = corners_in(grid, y, word);
    }
}

static void mark_more(cn_corners *corners, const cn_grid *grid, const cairn_node *more,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t x, y;
        cn_grid_xy(grid, more[i], &x, &y);
        corners->marks[y * corners->stride + x / 64] |= UINT64_C(1) << x % 64;
    }
}

static size_t word_count(const cn_corners *corners)
{
    return corners->height * corners->stride;
}

/* Some rows of a grid. */
typedef struct row_span {
    uint32_t first;
    uint32_t end;
} row_span;

/* Counts the members, strip by strip. */
static uint32_t count_marks(cn_corners *corners)
{
    uint32_t count = 0;

    for (size_t strip = 0; strip < corners->stride; strip++) {
        for (size_t word = strip; word < word_count(corners); word += corners->stride) {
            corners->own_before[word] = count;
            count += cn_count_bits(corners->marks[word]);
        }
    }
    return count;
}

/* The number of the first member of a strip that is in row y or below. */
static uint32_t number_from(const cn_corners *corners, size_t strip, uint32_t y)
{
    if (y < corners->height)
        return corners->before[y * corners->stride + strip];
    return strip + 1 < corners->stride ? corners->before[strip + 1] : corners->count;
}

/* Lists the members of a strip in some rows. */
static void list_marks(cn_corners *corners, size_t strip, row_span rows)
{
    cairn_node *next = corners->nodes + number_from(corners, strip, rows.first);

    for (uint32_t y = rows.first; y < rows.end; y++) {
        const cairn_node cell = y * corners->width + (cairn_node)strip * 64;
        for (uint64_t left = corners->marks[y * corners->stride + strip]; left; left &= left - 1)
            *next++ = cell + cn_lowest_bit(left);
    }
}

/* Marks have a row without members above and below, where walks end, and words are read one before
 * these and two behind them. */
static size_t mark_words(const cn_corners *corners)
{
    return word_count(corners) + 2 * corners->stride + 3;
}

/* A set without members, and without numbers. */
static cn_corners *new_marks(const cn_mem *mem, uint32_t width, uint32_t height, size_t stride)
{
    cn_corners *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return NULL;
    made->owners = 1;
    made->width = width;
    made->height = height;
    made->stride = stride;
    made->memory = cn_zeroed(mem, mark_words(made), sizeof *made->memory);
    if (!made->memory) {
        cn_corners_free(made, mem);
        return NULL;
    }
    made->marks = made->memory + 1 + made->stride;
    return made;
}

static cn_corners *new_set(const cn_mem *mem, uint32_t width, uint32_t height, size_t stride)
{
    cn_corners *made = new_marks(mem, width, height, stride);
    if (!made)
        return NULL;
    made->own_before = cn_array(mem, word_count(made), sizeof *made->own_before);
    if (!made->own_before) {
        cn_corners_free(made, mem);
        return NULL;
    }
    made->numbered = made->marks;
    made->before = made->own_before;
    return made;
}

cairn_status cn_corners_new(const cn_grid *grid, const cn_mem *mem, const cairn_node *more,
                            size_t more_count, cn_corners **corners)
{
    cn_corners *made = new_set(mem, grid->width, grid->height, grid->open_stride);

    *corners = NULL;
    if (!made)
        return CAIRN_E_MEMORY;
    mark_corners(made, grid);
    mark_more(made, grid, more, more_count);
    made->count = made->late_from = count_marks(made);
    made->nodes = cn_array(mem, made->count, sizeof *made->nodes);
    if (!made->nodes) {
        cn_corners_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    for (size_t strip = 0; strip < made->stride; strip++)
        list_marks(made, strip, (row_span){0, made->height});
    *corners = made;
    return CAIRN_OK;
}

/* Marks the corners around a cell. */
static void mark_around(cn_corners *corners, const cn_grid *grid, row_span rows, uint32_t x)
{
    const size_t first = (x ? x - 1 : 0) / 64;
    const size_t last = (x + 1 < grid->width ? x + 1 : x) / 64;
    for (uint32_t y = rows.first; y < rows.end; y++) {
        for (size_t word = first; word <= last; word++)
            corners->marks[y * corners->stride + word] = corners_in(grid, y, word);
    }
}

/* Marks the corners around all changed cells; returns the rows where marks may differ. */
static row_span mark_changed(cn_corners *corners, const cn_grid *grid, const cairn_node *changed,
                             size_t count)
{
    row_span all = {grid->height, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t x, y;
        cn_grid_xy(grid, changed[i], &x, &y);
        const row_span rows = {y ? y - 1 : 0, y + 2 < grid->height ? y + 2 : grid->height};
        mark_around(corners, grid, rows, x);
        all.first = rows.first < all.first ? rows.first : all.first;
        all.end = rows.end > all.end ? rows.end : all.end;
    }
    return all.first < all.end ? all : (row_span){0, 0};
}

/* How many members a strip has in some rows. */
static uint32_t count_in(const cn_corners *corners, size_t strip, row_span rows)
{
    uint32_t count = 0;
    for (uint32_t y = rows.first; y < rows.end; y++)
        count += cn_count_bits(corners->marks[y * corners->stride + strip]);
    return count;
}

/* Counts the members before the words of a row from those before the row above it, which has the
 * members of the former set unless it is among the rows whose marks may differ. */
static void count_row(cn_corners *made, const cn_corners *former, row_span rows, uint32_t y)
{
    const size_t stride = made->stride;
    const bool differs = y > rows.first && y <= rows.end;
    const uint32_t *was = former->before + y * stride;
    const uint64_t *above = made->marks + (y - 1) * stride;
    uint32_t *before = made->own_before + y * stride;

    for (size_t strip = 0; strip < stride && differs; strip++)
        before[strip] = (before - stride)[strip] + cn_count_bits(above[strip]);
    for (size_t strip = 0; strip < stride && !differs; strip++)
        before[strip] = (before - stride)[strip] + (was[strip] - (was - stride)[strip]);
}

static void count_changed(cn_corners *made, const cn_corners *former, row_span rows)
{
    uint32_t gained = 0;

    for (size_t strip = 0; strip < made->stride; strip++) {
        made->own_before[strip] = former->before[strip] + gained;
        gained += count_in(made, strip, rows) - count_in(former, strip, rows);
    }
    made->count = made->late_from = former->count + gained;
    for (uint32_t y = 1; y < made->height; y++)
        count_row(made, former, rows, y);
}

/* Copies the members of a strip in some rows, where both sets have the same. */
static void copy_nodes(cn_corners *made, const cn_corners *former, size_t strip, row_span rows)
{
    const uint32_t first = number_from(made, strip, rows.first);
    const uint32_t end = number_from(made, strip, rows.end);
    memcpy(made->nodes + first, former->nodes + number_from(former, strip, rows.first),
           (end - first) * sizeof *made->nodes);
}

static void list_changed(cn_corners *made, const cn_corners *former, row_span rows)
{
    for (size_t strip = 0; strip < made->stride; strip++) {
        copy_nodes(made, former, strip, (row_span){0, rows.first});
        list_marks(made, strip, rows);
        copy_nodes(made, former, strip, (row_span){rows.end, made->height});
    }
}

cairn_status cn_corners_derive(const cn_corners *former, const cn_grid *grid, const cn_mem *mem,
                               const cairn_node *changed, size_t changed_count,
                               cn_corners **corners)
{
    cn_corners *made = new_set(mem, former->width, former->height, former->stride);

    *corners = NULL;
    if (!made)
        return CAIRN_E_MEMORY;
    memcpy(made->marks, former->marks, word_count(made) * sizeof *made->marks);
    const row_span rows = mark_changed(made, grid, changed, changed_count);
    count_changed(made, former, rows);
    made->nodes = cn_array(mem, made->count, sizeof *made->nodes);
    if (!made->nodes) {
        cn_corners_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    list_changed(made, former, rows);
    *corners = made;
    return CAIRN_OK;
}

cairn_status cn_corners_clone(const cn_corners *corners, const cn_mem *mem, cn_corners **copy)
{
    cn_corners *made = new_set(mem, corners->width, corners->height, corners->stride);

    *copy = NULL;
    if (made)
        made->nodes = cn_array(mem, corners->count, sizeof *made->nodes);
    if (!made || !made->nodes) {
        cn_corners_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    made->count = made->late_from = corners->count;
    memcpy(made->marks, corners->marks, word_count(made) * sizeof *made->marks);
    memcpy(made->own_before, corners->before, word_count(made) * sizeof *made->before);
    memcpy(made->nodes, corners->nodes, made->count * sizeof *made->nodes);
    *copy = made;
    return CAIRN_OK;
}

static void mark_extension(cn_corners *made, const cn_corners *corners, const cn_grid *grid)
{
    const uint64_t *open = cn_grid_open_row(grid, 0);

    for (size_t word = 0; word < word_count(made); word++)
        made->marks[word] = corners->marks[word] & open[word];
    for (uint32_t i = corners->count; i < made->count; i++) {
        const uint32_t x = made->nodes[i] % made->width, y = made->nodes[i] / made->width;
        const size_t word = y * made->stride + x / 64;
        made->marks[word] |= open[word] & UINT64_C(1) << x % 64;
    }
}

cairn_status cn_corners_extend(const cn_corners *corners, const cn_grid *grid, const cn_mem *mem,
                               const cairn_node *late, size_t late_count, cn_corners **extension)
{
    cn_corners *made = new_marks(mem, corners->width, corners->height, corners->stride);

    *extension = NULL;
    if (made)
        made->nodes = cn_array(mem, corners->count + late_count, sizeof *made->nodes);
    if (!made || !made->nodes) {
        cn_corners_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    made->count = corners->count + (uint32_t)late_count;
    made->late_from = corners->count;
    made->numbered = corners->marks;
    made->before = corners->before;
    memcpy(made->nodes, corners->nodes, corners->count * sizeof *made->nodes);
    if (late_count)
        memcpy(made->nodes + corners->count, late, late_count * sizeof *late);
    mark_extension(made, corners, grid);
    *extension = made;
    return CAIRN_OK;
}

uint32_t cn_corners_find_late(const cn_corners *corners, cairn_node node)
{
    const uint32_t late = corners->count - corners->late_from;
    const size_t place = late ? cn_nodes_find(corners->nodes + corners->late_from, late, node)
                              : SIZE_MAX;
    return place == SIZE_MAX ? CN_NO_CORNER : corners->late_from + (uint32_t)place;
}

cn_corners *cn_corners_share(cn_corners *corners)
{
    corners->owners++;
    return corners;
}

void cn_corner_arcs_free(cn_corner_arcs *arcs)
{
    if (!arcs)
        return;
    const cn_mem mem = arcs->mem;
    for (size_t i = 0; i < CN_CORNER_CHUNKS; i++)
        cn_release(&mem, arcs->chunks[i]);
    cn_release(&mem, arcs->runs);
    cn_release(&mem, arcs);
}

/* Other threads may add chunks at the same time. */
size_t cn_corner_arcs_memory(const cn_corner_arcs *arcs)
{
    size_t chunks = 0;

    if (!arcs)
        return 0;
    while (chunks < CN_CORNER_CHUNKS &&
           atomic_load_explicit(&arcs->chunks[chunks], memory_order_relaxed))
        chunks++;
    return cn_block_size(1, sizeof *arcs) + cn_block_size(arcs->count, sizeof *arcs->runs) +
           chunks * cn_block_size((size_t)1 << arcs->chunk_shift, sizeof(cn_corner_arc));
}

void cn_corners_free(cn_corners *corners, const cn_mem *mem)
{
    if (!corners || --corners->owners)
        return;
    cn_corner_arcs_free(corners->arcs);
    cn_release(mem, corners->expired);
    cn_release(mem, corners->memory);
    cn_release(mem, corners->own_before);
    cn_release(mem, corners->nodes);
    cn_release(mem, corners);
}

/* Words of a bit for each member that is not late. */
static size_t number_words(const cn_corners *corners)
{
    return (corners->late_from + 63u) / 64;
}

size_t cn_corners_memory(const cn_corners *corners)
{
    return cn_block_size(1, sizeof *corners) + cn_corner_arcs_memory(corners->arcs) +
           (corners->expired ? cn_block_size(number_words(corners), sizeof(uint64_t)) : 0) +
           cn_block_size(mark_words(corners), sizeof *corners->memory) +
           (corners->own_before ? cn_block_size(word_count(corners), sizeof *corners->before) : 0) +
           cn_block_size(corners->count, sizeof *corners->nodes);
}

uint64_t cn_corners_memory_of(const cn_grid *grid, uint32_t count)
{
    const cn_corners set = {.height = grid->height, .stride = grid->open_stride};
    return cn_block_size(1, sizeof set) + cn_block_size(mark_words(&set), sizeof *set.memory) +
           cn_block_size(word_count(&set), sizeof *set.before) +
           cn_block_size(count, sizeof *set.nodes);
}

/* ------------------------------------------------------------------------------ in sight -- */

/* Members of the set that were reached in one row, as bits from column `x` on. */
typedef struct met_row {
    uint64_t members;
    int64_t x;
    uint32_t y;
} met_row;

/* Canonical runs are followed backwards from a cell, in each of its four quadrants: a straight run
 * leads to clear cells of its row, on one side, and of its column, above or below; from each of
 * them a diagonal leads on, away from both. The diagonals of a quadrant are walked together, a row
 * of the map at a time: what they have reached in it are bits side by side, of which each belongs
 * to one diagonal. Those of the row come first, from the farthest to the nearest and the cell
 * itself, then those of the column, which begin when the walk comes to their rows. */
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
    return cn_grid_open_row(self->grid, y)[x / 64] >> x % 64 & 1;
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
                        cairn_metric metric, cairn_node node)
{
    self->corners = corners;
    self->grid = grid;
    self->metric = metric;
    self->stopping = ~UINT64_C(0);
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
    begin_sight(&self, corners, grid, metric, node);
    self.take = take;
    self.context = context;
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
    begin_sight(&self, corners, grid, metric, node);
    self.take = take;
    self.context = context;
    see_around(&self);
    end_sight(&self);
}

uint64_t cn_corners_in_sight(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                             cairn_node node, cn_corner_taker *take, void *context)
{
    sight self;
    begin_sight(&self, corners, grid, metric, node);
    self.stopping = 0;
    self.take = take;
    self.context = context;
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
    const size_t size = number_words(extension) * sizeof *extension->expired;
    const cn_corner_arcs *arcs = atomic_load_explicit(&corners->arcs, memory_order_acquire);

    if (!arcs || (former && former->former_arcs != arcs))
        return CAIRN_OK;
    extension->expired = cn_zeroed(mem, number_words(extension), sizeof *extension->expired);
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
