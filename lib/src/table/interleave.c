#include "table/interleave.h"

#include "base/bits.h"
#include "simd/transpose.h"

/* Planes may be in tiles, so cells are copied in blocks of some columns and some map rows. */
enum { CHUNK = CN_PUT_TILE, BAND = CN_PUT_TILE, GROUP = 8 };

typedef struct put {
    cairn_table *table;
    const uint32_t *rows;
    const cn_plane *planes;
    uint32_t count;
    bool in_one; /* the entries that the rows have for a cell fill one vector */
} put;

/* The costs of a chunk, row after row, and a square block of them, cell after cell. */
typedef struct lines {
    uint32_t costs[CHUNK * 16 / sizeof(uint32_t)];
} lines;
typedef struct square {
    uint32_t costs[CN_TRANSPOSE_SIDE(16) * 16 / sizeof(uint32_t)];
} square;

uint32_t cn_table_put_count(const cairn_table *table)
{
    return CN_TRANSPOSE_SIDE(table->entry_bits);
}

CN_ALWAYS_INLINE uint8_t *entries_at(const put *job, cairn_node node, uint32_t row, unsigned bits)
{
    return (uint8_t *)job->table->entries + cn_table_index(job->table, node, row) * (bits / 8);
}

CN_ALWAYS_INLINE uint32_t entry_at(const uint8_t *at, unsigned bits)
{
    uint32_t wide;
    uint16_t narrow;
    if (bits == 16)
        return memcpy(&narrow, at, sizeof narrow), narrow;
    return memcpy(&wide, at, sizeof wide), wide;
}

/* In these inline functions `bits` and `asks` are constants. Returns, if anyone asks, the bits in
 * which the entry changes. */
CN_ALWAYS_INLINE uint32_t copy_entry(uint8_t *to, const uint8_t *from, unsigned bits, bool asks)
{
    const uint32_t changes = asks ? entry_at(to, bits) ^ entry_at(from, bits) : 0;
    memcpy(to, from, bits / 8);
    return changes;
}

/* Copies the entries of one row. Most cells are among open ones, whose bits need not be sought. */
CN_ALWAYS_INLINE bool put_single(const put *job, uint32_t row, cairn_node start, uint32_t open,
                                 const uint8_t *costs, unsigned bits, bool asks)
{
    const size_t size = bits / 8, stride = job->table->lane_count * size;
    const uint32_t all = (1u << GROUP) - 1;
    uint8_t *to = entries_at(job, start, row, bits);
    uint32_t changes = 0;

    for (; open; open >>= GROUP) {
        uint32_t left = open & all;
        if (left == all) {
            for (unsigned i = 0; i < GROUP; i++)
                changes |= copy_entry(to + i * stride, costs + i * size, bits, asks);
            left = 0;
        }
        for (; left; left &= left - 1) {
            const unsigned i = cn_lowest_bit(left);
            changes |= copy_entry(to + i * stride, costs + i * size, bits, asks);
        }
        to += open > all ? GROUP * stride : 0;
        costs += GROUP * size;
    }
    return changes;
}

/* Transposes a square block of rows by cells, and stores it. */
CN_ALWAYS_INLINE bool put_square(const put *job, cairn_node start, uint32_t open,
                                 const uint8_t *costs, unsigned bits, bool asks)
{
    const size_t side = CN_TRANSPOSE_SIDE(bits), size = bits / 8;
    bool differs = false;
    square transposed;

    cn_transpose_square(costs, CHUNK, &transposed, side, bits);
    for (; open; open &= open - 1) {
        unsigned i = cn_lowest_bit(open);
        uint8_t *to = entries_at(job, start + i, job->rows[0], bits);
        const uint8_t *from = (const uint8_t *)&transposed + i * side * size;
        differs = differs || (asks && memcmp(to, from, side * size) != 0);
        memcpy(to, from, side * size);
    }
    return differs;
}

/* The open cells of a chunk, as bits. */
CN_ALWAYS_INLINE uint32_t open_cells(const cn_grid *grid, uint32_t x, uint32_t y)
{
    return (uint32_t)cn_grid_open_from(grid, x, y);
}

/* Prefetches the entries of a chunk, each of which is in another cache line. */
CN_ALWAYS_INLINE void fetch(const put *job, cairn_node start, uint32_t open, unsigned bits)
{
    for (; open; open &= open - 1)
        CN_PREFETCH_TO_WRITE(entries_at(job, start + cn_lowest_bit(open), job->rows[0], bits));
}

/* Where entries differed from what was put. */
enum { ABOVE = 1, BELOW = 2, LEFT = 4, RIGHT = 8 };

/* Whether the entries of a cell differ from those of a chunk. */
CN_ALWAYS_INLINE bool differs_at(const put *job, cairn_node start, unsigned i, const uint8_t *line,
                                 unsigned bits)
{
    const size_t size = bits / 8;
    uint32_t changes = 0;
    for (uint32_t k = 0; k < job->count; k++)
        changes |= entry_at(entries_at(job, start + i, job->rows[k], bits), bits) ^
                   entry_at(line + (k * CHUNK + i) * size, bits);
    return changes;
}

/* Returns the sides at which entries differed. */
CN_ALWAYS_INLINE unsigned put_chunk(const put *job, uint32_t x, uint32_t y, uint32_t open,
                                    unsigned bits, bool asks)
{
    const uint32_t width = job->table->width, side = CN_TRANSPOSE_SIDE(bits);
    const cairn_node start = y * width + x;
    unsigned sides = 0;
    lines costs;
    uint8_t *line = (uint8_t *)&costs;

    for (uint32_t k = 0; k < job->count; k++)
        cn_plane_get(&job->planes[k], &(cn_plane_run){x, y, width - x < CHUNK ? width - x : CHUNK,
                                                      UINT32_MAX, line + k * CHUNK * (bits / 8)});
    if (asks && open & 1 && differs_at(job, start, 0, line, bits))
        sides |= LEFT;
    if (asks && open >> (CHUNK - 1) && differs_at(job, start, CHUNK - 1, line, bits))
        sides |= RIGHT;
    for (uint32_t k = 0; k < job->count && !job->in_one; k++)
        if (put_single(job, job->rows[k], start, open, line + k * CHUNK * (bits / 8), bits, asks))
            sides |= ABOVE | BELOW;
    for (uint32_t i = 0; i < CHUNK && job->in_one; i += side)
        if (put_square(job, start + i, open >> i & ((1u << side) - 1), line + i * (bits / 8), bits,
                       asks))
            sides |= ABOVE | BELOW;
    return sides;
}

/* Puts the chunks below each other, from row `top` on. The entries of one are fetched while those
 * of the chunk above are written. Returns the sides at which entries differed. */
CN_ALWAYS_INLINE unsigned put_column(const put *job, const cn_grid *grid, uint32_t x, uint32_t top,
                                     uint32_t end, unsigned bits, bool asks)
{
    uint32_t open = open_cells(grid, x, top);
    unsigned sides = 0;

    fetch(job, top * grid->width + x, open, bits);
    for (uint32_t y = top, next; y < end; y++, open = next) {
        next = y + 1 < end ? open_cells(grid, x, y + 1) : 0;
        fetch(job, (y + 1) * grid->width + x, next, bits);
        if (open)
            sides |= put_chunk(job, x, y, open, bits, asks) &
                     ~(unsigned)((y > top ? ABOVE : 0) | (y + 1 < end ? BELOW : 0));
    }
    return sides;
}

CN_ALWAYS_INLINE void put_part(const put *job, const cn_grid *grid, uint32_t first, uint32_t last,
                               unsigned bits)
{
    for (uint32_t top = first; top < last; top += BAND) {
        const uint32_t end = last - top < BAND ? last : top + BAND;
        for (uint32_t x = 0; x < grid->width; x += CHUNK)
            put_column(job, grid, x, top, end, bits, false);
    }
}

static put job_for(cairn_table *table, const uint32_t *rows, const cn_plane *planes, uint32_t count)
{
    CN_ASSERT(count > 0 && count <= cn_table_put_count(table));
    CN_ASSERT(planes->bits == table->entry_bits);
    put job = {.table = table,
               .rows = rows,
               .planes = planes,
               .count = count,
               .in_one = count == cn_table_put_count(table)};
    for (uint32_t k = 0; k < count; k++) {
        cn_table_mark_row(table, rows[k]);
        job.in_one = job.in_one && rows[k] == rows[0] + k;
    }
    return job;
}

void cn_table_put_rows(cairn_table *table, const cairn_map *map, const uint32_t *rows,
                       const cn_plane *planes, uint32_t count)
{
    const put job = job_for(table, rows, planes, count);
    if (table->entry_bits == 16)
        put_part(&job, &map->grid, 0, map->grid.height, 16);
    else
        put_part(&job, &map->grid, 0, map->grid.height, 32);
}

/* --------------------------------------------------------------------- where entries differ -- */

cairn_status cn_put_tiles_new(const cn_mem *mem, uint32_t width, uint32_t height,
                              cn_put_tiles *tiles)
{
    const uint32_t across = (width - 1) / CN_PUT_TILE + 1, down = (height - 1) / CN_PUT_TILE + 1;
    const size_t count = (size_t)across * down;
    *tiles = (cn_put_tiles){.across = across,
                            .down = down,
                            .is_listed = cn_zeroed(mem, count, sizeof *tiles->is_listed),
                            .list = cn_array(mem, count, sizeof *tiles->list)};
    return tiles->is_listed && tiles->list ? CAIRN_OK : CAIRN_E_MEMORY;
}

void cn_put_tiles_free(const cn_mem *mem, cn_put_tiles *tiles)
{
    cn_release(mem, tiles->is_listed);
    cn_release(mem, tiles->list);
    *tiles = (cn_put_tiles){.list = NULL};
}

void cn_put_tiles_keep(cn_put_tiles *tiles, uint32_t count)
{
    while (tiles->count > count)
        tiles->is_listed[tiles->list[--tiles->count]] = false;
}

/* The tiles that have a side or a corner in common with one at one of these sides. */
static void list_beside(cn_put_tiles *tiles, uint32_t column, uint32_t row, unsigned sides)
{
    const uint32_t left = column - (sides & LEFT && column > 0);
    const uint32_t right = column + (sides & RIGHT && column + 1 < tiles->across);
    const uint32_t above = row - (sides & ABOVE && row > 0);
    const uint32_t below = row + (sides & BELOW && row + 1 < tiles->down);

    for (uint32_t y = above; y <= below; y++) {
        for (uint32_t x = left; x <= right; x++)
            cn_put_tiles_list(tiles, x, y);
    }
}

CN_ALWAYS_INLINE void put_tiles(const put *job, const cn_grid *grid, cn_put_tiles *tiles,
                                unsigned bits)
{
    for (uint32_t i = 0; i < tiles->count; i++) {
        const uint32_t column = tiles->list[i] % tiles->across;
        const uint32_t row = tiles->list[i] / tiles->across, top = row * BAND;
        const uint32_t end = grid->height - top < BAND ? grid->height : top + BAND;
        list_beside(tiles, column, row,
                    put_column(job, grid, column * CHUNK, top, end, bits, true));
    }
}

void cn_table_put_differing(cairn_table *table, const cairn_map *map, const uint32_t *rows,
                            const cn_plane *planes, uint32_t count, cn_put_tiles *tiles)
{
    const put job = job_for(table, rows, planes, count);
    if (table->entry_bits == 16)
        put_tiles(&job, &map->grid, tiles, 16);
    else
        put_tiles(&job, &map->grid, tiles, 32);
}

/* Marks the blocks of so many nodes. */
static void mark_nodes(const cairn_table *table, cairn_node first, uint32_t count)
{
    if (!table->dirty || count == 0)
        return;
    for (uint64_t node = first; node < (uint64_t)first + count; node += 1u << table->dirty->shift)
        cn_table_mark(table, (cairn_node)node);
    cn_table_mark(table, first + count - 1);
}

void cn_table_put_part(cairn_table *table, const cairn_map *map, uint32_t row,
                       const cn_plane *plane, uint32_t first, uint32_t end)
{
    const put job = {.table = table, .rows = &row, .planes = plane, .count = 1};
    mark_nodes(table, first * table->width, (end - first) * table->width);
    if (table->entry_bits == 16)
        put_part(&job, &map->grid, first, end, 16);
    else
        put_part(&job, &map->grid, first, end, 32);
}
