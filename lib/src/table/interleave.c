/* Puts rows, which are computed one by one in planes, into the table, where the entries of a cell
 * lie together. */
#include "base/bits.h"
#include "table/table.h"
#include "simd/transpose.h"

/* Planes may be in tiles, so cells are copied in blocks of some columns and some map rows. */
enum { CHUNK = 32, BAND = 32, GROUP = 8 };

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

CN_ALWAYS_INLINE void copy_entry(uint8_t *to, const uint8_t *from, unsigned bits)
{
    memcpy(to, from, bits / 8);
}

/* Copies the entries of one row. Most cells are among open ones, whose bits need not be sought. */
CN_ALWAYS_INLINE void put_single(const put *job, uint32_t row, cairn_node start, uint32_t open,
                                 const uint8_t *costs, unsigned bits)
{
    const size_t size = bits / 8, stride = job->table->lane_count * size;
    const uint32_t all = (1u << GROUP) - 1;
    uint8_t *to = entries_at(job, start, row, bits);

    for (; open; open >>= GROUP) {
        uint32_t left = open & all;
        if (left == all) {
            for (unsigned i = 0; i < GROUP; i++)
                copy_entry(to + i * stride, costs + i * size, bits);
            left = 0;
        }
        for (; left; left &= left - 1) {
            const unsigned i = cn_lowest_bit(left);
            copy_entry(to + i * stride, costs + i * size, bits);
        }
        to += open > all ? GROUP * stride : 0;
        costs += GROUP * size;
    }
}

/* Transposes a square block of rows by cells, and stores it. */
CN_ALWAYS_INLINE void put_square(const put *job, cairn_node start, uint32_t open,
                                 const uint8_t *costs, unsigned bits)
{
    const size_t side = CN_TRANSPOSE_SIDE(bits), size = bits / 8;
    square turned;

    cn_transpose_square(costs, CHUNK, &turned, side, bits);
    for (; open; open &= open - 1) {
        unsigned i = cn_lowest_bit(open);
        memcpy(entries_at(job, start + i, job->rows[0], bits),
               (const uint8_t *)&turned + i * side * size, side * size);
    }
}

/* The open cells of a chunk, as bits. */
CN_ALWAYS_INLINE uint32_t open_cells(const cn_grid *grid, uint32_t x, uint32_t y)
{
    return (uint32_t)(cn_grid_open_row(grid, y)[x / 64] >> x % 64);
}

/* Prefetches the entries of a chunk, each of which is in another cache line. */
CN_ALWAYS_INLINE void fetch(const put *job, cairn_node start, uint32_t open, unsigned bits)
{
    for (; open; open &= open - 1)
        CN_PREFETCH_TO_WRITE(entries_at(job, start + cn_lowest_bit(open), job->rows[0], bits));
}

CN_ALWAYS_INLINE void put_chunk(const put *job, uint32_t x, uint32_t y, uint32_t open,
                                unsigned bits)
{
    const uint32_t width = job->table->width, side = CN_TRANSPOSE_SIDE(bits);
    const cairn_node start = y * width + x;
    lines costs;
    uint8_t *line = (uint8_t *)&costs;

    for (uint32_t k = 0; k < job->count; k++)
        cn_plane_get(&job->planes[k], &(cn_plane_run){x, y, width - x < CHUNK ? width - x : CHUNK,
                                                      UINT32_MAX, line + k * CHUNK * (bits / 8)});
    for (uint32_t k = 0; k < job->count && !job->in_one; k++)
        put_single(job, job->rows[k], start, open, line + k * CHUNK * (bits / 8), bits);
    for (uint32_t i = 0; i < CHUNK && job->in_one; i += side)
        put_square(job, start + i, open >> i & ((1u << side) - 1), line + i * (bits / 8), bits);
}

/* Puts the chunks below each other, from row `top` on. The entries of one are fetched while those
 * of the chunk above are written. */
CN_ALWAYS_INLINE void put_column(const put *job, const cn_grid *grid, uint32_t x, uint32_t top,
                                 uint32_t end, unsigned bits)
{
    uint32_t open = open_cells(grid, x, top);

    fetch(job, top * grid->width + x, open, bits);
    for (uint32_t y = top, next; y < end; y++, open = next) {
        next = y + 1 < end ? open_cells(grid, x, y + 1) : 0;
        fetch(job, (y + 1) * grid->width + x, next, bits);
        if (open)
            put_chunk(job, x, y, open, bits);
    }
}

CN_ALWAYS_INLINE void put_part(const put *job, const cn_grid *grid, uint32_t first, uint32_t last,
                               unsigned bits)
{
    for (uint32_t top = first; top < last; top += BAND) {
        const uint32_t end = last - top < BAND ? last : top + BAND;
        for (uint32_t x = 0; x < grid->width; x += CHUNK)
            put_column(job, grid, x, top, end, bits);
    }
}

void cn_table_put_rows(cairn_table *table, const cairn_map *map, const uint32_t *rows,
                       const cn_plane *planes, uint32_t count)
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
    if (table->entry_bits == 16)
        put_part(&job, &map->grid, 0, map->grid.height, 16);
    else
        put_part(&job, &map->grid, 0, map->grid.height, 32);
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
