#include "map/corners.h"

#include <string.h>

/* ------------------------------------------------------------------------------ the set -- */

/* Bit i of the result: bit i - 1, or bit i + 1, of the row. */
static uint64_t bits_before(const uint64_t *words)
{
    return words[0] << 1 | words[-1] >> 63;
}

static uint64_t bits_behind(const uint64_t *words)
{
    return words[0] >> 1 | words[1] << 63;
}

/* Cells with both straight neighbours open and the cell between them blocked, on one side. */
static uint64_t turns_towards(const uint64_t *row, const uint64_t *beside)
{
    uint64_t before = bits_before(row) & ~bits_before(beside);
    uint64_t behind = bits_behind(row) & ~bits_behind(beside);
    return row[0] & beside[0] & (before | behind);
}

/* The corners among 64 cells of a row. */
static uint64_t corners_in(const cn_grid *grid, uint32_t y, size_t word)
{
    const ptrdiff_t stride = (ptrdiff_t)grid->open_stride;
    const uint64_t *open = cn_grid_open_row(grid, y) + word;
    return turns_towards(open, open - stride) | turns_towards(open, open + stride);
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

static void count_marks(cn_corners *corners)
{
    for (size_t word = 0; word < corners->height * corners->stride; word++) {
        corners->before[word] = corners->count;
        corners->count += cn_count_bits(corners->marks[word]);
    }
}

static void list_marks(cn_corners *corners)
{
    cairn_node *next = corners->nodes;

    for (uint32_t y = 0; y < corners->height; y++) {
        const uint64_t *marks = corners->marks + y * corners->stride;
        for (size_t word = 0; word < corners->stride; word++) {
            cairn_node first = y * corners->width + (cairn_node)word * 64;
            for (uint64_t left = marks[word]; left; left &= left - 1)
                *next++ = first + cn_lowest_bit(left);
        }
    }
}

static size_t word_count(const cn_corners *corners)
{
    return corners->height * corners->stride;
}

/* An empty set. Words are read one before the first row and two after the last. */
static cn_corners *new_set(const cn_mem *mem, uint32_t width, uint32_t height, size_t stride)
{
    cn_corners *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return NULL;
    made->width = width;
    made->height = height;
    made->stride = stride;
    made->memory = cn_zeroed(mem, word_count(made) + 3, sizeof *made->memory);
    made->before = cn_array(mem, word_count(made), sizeof *made->before);
    if (!made->memory || !made->before) {
        cn_corners_free(made, mem);
        return NULL;
    }
    made->marks = made->memory + 1;
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
    count_marks(made);
    made->nodes = cn_array(mem, made->count, sizeof *made->nodes);
    if (!made->nodes) {
        cn_corners_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    list_marks(made);
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
    made->count = corners->count;
    memcpy(made->marks, corners->marks, word_count(made) * sizeof *made->marks);
    memcpy(made->before, corners->before, word_count(made) * sizeof *made->before);
    memcpy(made->nodes, corners->nodes, made->count * sizeof *made->nodes);
    *copy = made;
    return CAIRN_OK;
}

void cn_corners_free(cn_corners *corners, const cn_mem *mem)
{
    if (!corners)
        return;
    cn_release(mem, corners->memory);
    cn_release(mem, corners->before);
    cn_release(mem, corners->nodes);
    cn_release(mem, corners);
}

size_t cn_corners_memory(const cn_corners *corners)
{
    return cn_block_size(1, sizeof *corners) +
           cn_block_size(word_count(corners) + 3, sizeof *corners->memory) +
           cn_block_size(word_count(corners), sizeof *corners->before) +
           cn_block_size(corners->count, sizeof *corners->nodes);
}

/* ------------------------------------------------------------------------------ in sight -- */

enum { LANES = 64, SEEN_AT_ONCE = 32 };

/* Finds all members that see one cell, by following canonical runs backwards from it. A straight
 * run consists of cells in a line with it, up to 64 at a time; from each, one of two diagonals
 * leads back. The diagonals of a straight run are followed together, one row of the map at a time:
 * the cells that they have reached in it are neighbouring bits. */
typedef struct sight {
    const cn_corners *corners;
    const cn_grid *grid;
    cairn_metric metric;
    uint32_t x;
    uint32_t y;
    cn_corner_taker *take;
    void *context;
    size_t count;
    cn_seen_corner seen[SEEN_AT_ONCE];
} sight;

static void flush(sight *self)
{
    if (self->count)
        self->take(self->context, self->seen, self->count);
    self->count = 0;
}

static void add_seen(sight *self, uint32_t x, uint32_t y)
{
    if (self->count == SEEN_AT_ONCE)
        flush(self);
    self->seen[self->count++] = (cn_seen_corner){
        cn_corners_rank(self->corners, x, y), cn_octile(self->metric, x, y, self->x, self->y)};
}

/* Bits of a row from column `x` on, which may begin or end beyond the map. */
CN_ALWAYS_INLINE uint64_t bits_from(const uint64_t *row, int64_t x)
{
    ptrdiff_t word = (ptrdiff_t)((x + LANES) / LANES) - 1;
    unsigned shift = (unsigned)((x + LANES) % LANES);
    return shift ? row[word] >> shift | row[word + 1] << (LANES - shift) : row[word];
}

/* Removes the members of the set from the cells reached in a row, and reports them. */
static uint64_t take_members(sight *self, uint64_t reached, int64_t x, uint32_t y)
{
    const uint64_t *marks = self->corners->marks + y * self->corners->stride;
    uint64_t members = reached & bits_from(marks, x);

    for (uint64_t left = members; left; left &= left - 1)
        add_seen(self, (uint32_t)(x + cn_lowest_bit(left)), y);
    return reached & ~members;
}

/* The cells that diagonal steps reach from the cells of a row, beginning with column `x`: in the
 * next row up or down, one column further. */
CN_ALWAYS_INLINE uint64_t step(const cn_grid *grid, uint64_t reached, int64_t x, uint32_t y,
                               int across, int down)
{
    const uint64_t *row = cn_grid_open_row(grid, y);
    const uint64_t *next = row + down * (ptrdiff_t)grid->open_stride;
    return reached & bits_from(next, x + across) & bits_from(next, x) & bits_from(row, x + across);
}

/* Follows diagonals from neighbouring cells, which are not members themselves. */
static void walk_diagonals(sight *self, uint64_t reached, int64_t x, uint32_t y, int across,
                           int down)
{
    while (reached) {
        reached = step(self->grid, reached, x, y, across, down);
        x += across;
        y += (uint32_t)down;
        if (reached)
            reached = take_members(self, reached, x, y);
    }
}

static bool is_clear(const sight *self, uint32_t x, uint32_t y)
{
    return cn_grid_open_row(self->grid, y)[x / LANES] >> x % LANES & 1 &&
           cn_corners_find(self->corners, x, y) == CN_NO_CORNER;
}

/* How many open cells follow the cell in a straight direction before the first member of the set,
 * which is reported, or before a blocked cell. */
static uint32_t clear_cells(sight *self, int across, int down)
{
    uint32_t x = self->x, y = self->y, length = 0;

    for (;; length++) {
        x += (uint32_t)across;
        y += (uint32_t)down;
        if (x >= self->grid->width || y >= self->grid->height)
            return length;
        if (is_clear(self, x, y))
            continue;
        if (cn_corners_find(self->corners, x, y) != CN_NO_CORNER)
            add_seen(self, x, y);
        return length;
    }
}

/* Follows straight runs along the row, from the east or from the west, beginning with the cell
 * itself. */
static void see_along_row(sight *self, int across)
{
    uint32_t cells = clear_cells(self, across, 0) + 1;

    for (uint32_t done = 0; done < cells; done += LANES) {
        uint32_t count = cells - done < LANES ? cells - done : LANES;
        uint64_t reached = ~UINT64_C(0) >> (LANES - count);
        int64_t x = across > 0 ? (int64_t)self->x + done : (int64_t)self->x - done - (count - 1);
        walk_diagonals(self, reached, x, self->y, across, 1);
        walk_diagonals(self, reached, x, self->y, across, -1);
    }
}

/* Follows straight runs along the column that begin in up to 64 of its cells, of which the nearest
 * is `first` cells away. Each joins the diagonals when these reach its row. */
static void see_along_part(sight *self, uint32_t first, uint32_t count, int across, int down)
{
    int64_t x = across < 0 ? self->x : (int64_t)self->x - (LANES - 1);
    uint32_t y = down > 0 ? self->y + first : self->y - first;
    uint64_t reached = 0;

    for (uint32_t i = 0; i < count || reached; i++) {
        if (i < count)
            reached |= UINT64_C(1) << (across < 0 ? i : LANES - 1 - i);
        reached = step(self->grid, reached, x, y, across, down);
        x += across;
        y += (uint32_t)down;
        if (reached)
            reached = take_members(self, reached, x, y);
    }
}

static void see_along_column(sight *self, int down)
{
    uint32_t cells = clear_cells(self, 0, down);

    for (uint32_t done = 0; done < cells; done += LANES) {
        uint32_t count = cells - done < LANES ? cells - done : LANES;
        see_along_part(self, done + 1, count, 1, down);
        see_along_part(self, done + 1, count, -1, down);
    }
}

void cn_corners_seeing(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context)
{
    sight self;
    self.corners = corners;
    self.grid = grid;
    self.metric = metric;
    self.take = take;
    self.context = context;
    self.count = 0;
    cn_grid_xy(grid, node, &self.x, &self.y);

    if (cn_corners_find(corners, self.x, self.y) != CN_NO_CORNER) {
        add_seen(&self, self.x, self.y);
    } else {
        see_along_row(&self, 1);
        see_along_row(&self, -1);
        see_along_column(&self, 1);
        see_along_column(&self, -1);
    }
    flush(&self);
}
