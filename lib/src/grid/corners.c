#include "grid/corners.h"

#include <string.h>

#include "base/nodes.h"

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

size_t cn_corners_memory(const cn_corners *corners)
{
    return cn_block_size(1, sizeof *corners) + cn_corner_arcs_memory(corners->arcs) +
           (corners->expired ? cn_block_size(cn_corners_expired_words(corners), sizeof(uint64_t))
                             : 0) +
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
