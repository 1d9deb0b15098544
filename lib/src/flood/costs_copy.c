/* Costs out of planes, into arrays. */
#include "flood/costs_copy.h"

#include <string.h>

#include "base/cpu.h"

uint32_t cn_flood_band_rows(const cn_grid *grid, uint32_t y)
{
    const uint32_t left = grid->height - y;
    return left < CN_FLOOD_BAND ? left : CN_FLOOD_BAND;
}

/* ------------------------------------------------------------------------------------- tiles -- */

enum {
    ROWS_AT_ONCE = 8, /* rows of a tile that are copied before the next tile: so few that the cache
                       * lines to which both write are still in the cache */
    LANES_MOST = 32
};

/* How the rows of a tile are copied. */
typedef struct cn_tile_copy {
    uint32_t columns; /* those of the tile that lie on the map */
    uint32_t row_count;
    size_t stride; /* from row to row of the array */
    uint32_t most; /* costs above it are not wanted */
} cn_tile_copy;

#define TEMPLATE "flood/copy_kernel.h"
#include "simd/instances.h"

typedef uint32_t copy_function(const cn_tile_copy *copy, const void *from, void *to, uint32_t held);

/* Tiles are as wide as the vectors of the engine that made them. */
static copy_function *function_for(const cn_costs_copy *self)
{
    static copy_function *const whole[CN_CPU_LEVELS][2] = CN_INSTANCES(copy_tile);
    static copy_function *const low[CN_CPU_LEVELS] = {
        copy_low_v128_32,
#if CN_CPU_X86
        copy_low_v256_32,
        copy_low_v512_32,
#endif
    };
    const cn_plane *plane = self->plane;
    cn_cpu level = CN_CPU_PORTABLE;
#if CN_CPU_X86
    if (plane->lane_shift == (plane->bits == 32 ? 4 : 5))
        level = CN_CPU_AVX512;
    if (plane->lane_shift == (plane->bits == 32 ? 3 : 4))
        level = CN_CPU_AVX2;
#endif
    return self->bits < plane->bits ? low[level] : whole[level][plane->bits == 32];
}

static void *entry_of(void *costs, size_t at, unsigned bits)
{
    return (uint8_t *)costs + at * (bits / 8);
}

/* Copies some rows of tiles of a band, which lie side by side. */
typedef struct cn_band_copy {
    const cn_costs_copy *self;
    cn_tile_copy tile;
    uint32_t x; /* where the first tile begins, */
    uint32_t end;
    uint32_t y;
    uint32_t first; /* the first of the rows, counted in its tile */
    void *costs;    /* where its costs go */
} cn_band_copy;

/* Fills some rows of tiles side by side that are not live. */
static void fill_unreachable(const cn_band_copy *band, uint32_t x, uint32_t columns)
{
    const unsigned bits = band->self->bits;
    for (uint32_t row = 0; columns && row < band->tile.row_count; row++)
        memset(entry_of(band->costs, row * band->tile.stride + x, bits), 0xff,
               columns * (bits / 8));
}

/* Copies the columns of a tile that lie on the map: first all columns, into a buffer. */
static void copy_columns(const cn_band_copy *band, const void *from, uint32_t x)
{
    const unsigned bits = band->self->bits;
    const uint32_t lanes = 1u << band->self->plane->lane_shift;
    uint32_t whole[ROWS_AT_ONCE * LANES_MOST];
    cn_tile_copy tile = band->tile;
    tile.stride = lanes;
    function_for(band->self)(&tile, from, whole, UINT32_MAX);
    for (uint32_t row = 0; row < tile.row_count; row++)
        memcpy(entry_of(band->costs, row * band->tile.stride + x, bits),
               entry_of(whole, (size_t)row * lanes, bits), band->tile.columns * (bits / 8));
}

/* Writes rows of a live tile. `held` has a bit for each row of the array that may hold costs;
 * returns these bits as they are afterwards. */
static uint32_t copy_tile(const cn_band_copy *band, uint32_t x, uint32_t held)
{
    const cn_plane *plane = band->self->plane;
    const uint8_t *from = (const uint8_t *)plane->costs +
                          cn_plane_index(plane, x, band->y) * (plane->bits / 8);
    if (band->tile.columns == 1u << plane->lane_shift)
        return function_for(band->self)(&band->tile, from,
                                        entry_of(band->costs, x, band->self->bits), held);
    copy_columns(band, from, x);
    return UINT32_MAX;
}

static uint32_t *notes_at(const cn_band_copy *band, size_t tile)
{
    return band->self->written ? &band->self->written[tile] : NULL;
}

/* Tiles side by side that are not live are filled together: `waiting` columns of them lie before
 * x. */
static void copy_rows_of_tiles(cn_band_copy *band)
{
    const cn_plane *plane = band->self->plane;
    const uint32_t lanes = 1u << plane->lane_shift, end = band->end;
    const uint32_t rows = ((1u << band->tile.row_count) - 1) << band->first;
    size_t tile = (size_t)(band->y / CN_FLOOD_BAND) * plane->columns + band->x / lanes;
    uint32_t waiting = 0;
    for (uint32_t x = band->x; x < end; x += lanes, tile++) {
        uint32_t *notes = notes_at(band, tile);
        const uint32_t held = (notes ? *notes & rows : rows) >> band->first;
        uint32_t holds = 0;
        band->tile.columns = end - x < lanes ? end - x : lanes;
        if (plane->live[tile])
            holds = copy_tile(band, x, held);
        if (notes)
            *notes = (*notes & ~rows) | (holds << band->first & rows);
        if (!plane->live[tile] && held) {
            waiting += band->tile.columns;
            continue;
        }
        fill_unreachable(band, x - waiting, waiting);
        waiting = 0;
    }
    fill_unreachable(band, end - waiting, waiting);
}

/* Copies the costs of the cells from column x to before `end` of a plane in tiles. */
static void copy_tiles(const cn_costs_copy *self, uint32_t x, uint32_t end, uint32_t y, void *costs)
{
    const cn_plane *plane = self->plane;
    const cairn_cost most = cn_plane_most(plane->bits);
    const uint32_t row_count = cn_flood_band_rows(self->grid, y);
    cn_band_copy band = {
        .self = self,
        .x = x,
        .end = end,
        .tile = {.stride = self->stride, .most = plane->most < most ? plane->most : most}};
    for (; band.first < row_count; band.first += ROWS_AT_ONCE) {
        const uint32_t left = row_count - band.first;
        band.tile.row_count = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        band.y = y + band.first;
        band.costs = entry_of(costs, band.first * self->stride, self->bits);
        copy_rows_of_tiles(&band);
    }
}

/* ------------------------------------------------------------------------ rows without tiles -- */

/* Makes costs of a chunk unreachable: those above `most`, and those of blocked cells, which have a
 * bit. */
typedef void cover_function(void *costs, uint64_t blocked, uint32_t most);

static cover_function *choose_cover(unsigned bits)
{
    static cover_function *const functions[CN_CPU_LEVELS][2] = CN_INSTANCES(cover_chunk);
    return functions[cn_cpu_level()][bits == 32];
}

/* Does what a cover_function does, for fewer cells than a chunk has, at the end of a row. */
static void cover_some(const cn_plane_run *run, uint64_t blocked, unsigned bits, cairn_cost most)
{
    uint32_t *wide = run->entries;
    uint16_t *narrow = run->entries;
    for (uint32_t i = 0; i < run->count; i++) {
        const bool is_covered = (blocked >> i & 1) || (bits == 32 ? wide[i] : narrow[i]) > most;
        if (is_covered && bits == 32)
            wide[i] = CAIRN_UNREACHABLE;
        else if (is_covered)
            narrow[i] = CAIRN_UNREACHABLE_16;
    }
}

/* Copies some neighbouring cells of a row, of which `open` has a bit for each open one. The entries
 * of the others are undefined. */
CN_ALWAYS_INLINE void copy_chunk(const cn_plane *plane, const cn_plane_run *run, uint64_t open,
                                 cover_function *cover)
{
    const cairn_cost fitting = cn_plane_most(plane->bits);
    const cairn_cost most = plane->most < fitting ? plane->most : fitting;
    cn_plane_get(plane, run);
    if (run->count == CN_FLOOD_CHUNK)
        cover(run->entries, ~open, most);
    else
        cover_some(run, ~open, plane->bits, most);
}

/* Copies the lower 16 bits of some neighbouring cells of a row, as copy_chunk does whole costs. */
static void copy_low_chunk(const cn_plane *plane, const cn_plane_run *run, uint64_t open,
                           cover_function *cover)
{
    uint32_t costs[CN_FLOOD_CHUNK];
    uint16_t *low = run->entries;
    cn_plane_run wide = *run;
    wide.entries = costs;
    copy_chunk(plane, &wide, open, cover);
    for (uint32_t i = 0; i < run->count; i++)
        low[i] = (uint16_t)costs[i];
}

static void copy_row(const cn_costs_copy *self, cover_function *cover, uint32_t y, void *costs)
{
    const cn_grid *grid = self->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    cn_plane_run run = {.y = y, .never = CAIRN_UNREACHABLE};
    size_t block = (size_t)y * ((grid->width - 1) / CN_FLOOD_CHUNK + 1);
    for (; run.x < grid->width; run.x += CN_FLOOD_CHUNK, block++) {
        run.count = grid->width - run.x < CN_FLOOD_CHUNK ? grid->width - run.x : CN_FLOOD_CHUNK;
        run.entries = entry_of(costs, run.x, self->bits);
        const bool holds = open[run.x / CN_FLOOD_CHUNK] != 0;
        if (holds && self->bits < self->plane->bits)
            copy_low_chunk(self->plane, &run, open[run.x / CN_FLOOD_CHUNK], cover);
        else if (holds)
            copy_chunk(self->plane, &run, open[run.x / CN_FLOOD_CHUNK], cover);
        else if (!self->written || self->written[block])
            memset(run.entries, 0xff, run.count * (size_t)(self->bits / 8));
        if (self->written)
            self->written[block] = holds;
    }
}

void cn_flood_copy_band(const cn_costs_copy *self, uint32_t y, void *costs)
{
    if (self->plane->live) {
        copy_tiles(self, 0, self->grid->width, y, costs);
        return;
    }
    cover_function *const cover = choose_cover(self->plane->bits);
    for (uint32_t row = 0; row < cn_flood_band_rows(self->grid, y); row++)
        copy_row(self, cover, y + row, entry_of(costs, row * self->stride, self->bits));
}

/* ----------------------------------------------------------------------- parts, and all -- */

void cn_flood_copy_part(const cn_costs_copy *self, uint32_t part, void *costs)
{
    const cn_plane *plane = self->plane;
    const cn_grid *grid = self->grid;
    uint32_t x, y;
    if (plane->live) {
        const uint32_t lanes = 1u << plane->lane_shift;
        x = part % plane->columns * lanes;
        y = part / plane->columns * CN_FLOOD_BAND;
        copy_tiles(self, x, grid->width - x < lanes ? grid->width : x + lanes, y,
                   entry_of(costs, (size_t)y * grid->width, plane->bits));
        return;
    }
    cn_grid_xy(grid, part, &x, &y);
    cn_entry_put(costs, part, plane->bits,
                 cn_grid_is_open(grid, part) ? cn_plane_at(plane, x, y) : CAIRN_UNREACHABLE);
    if (self->written)
        self->written[(size_t)y * ((grid->width - 1) / CN_FLOOD_CHUNK + 1) + x / CN_FLOOD_CHUNK] =
            true;
}

uint32_t cn_flood_part_of(const cn_costs_copy *self, size_t at)
{
    const cn_plane *plane = self->plane;
    const size_t entry = plane->held[at] - plane->held_from;
    return plane->live ? plane->held[at]
                       : (uint32_t)(entry / plane->band * self->grid->width + entry % plane->band);
}

void cn_flood_copy_all(const cn_costs_copy *self, void *costs)
{
    const cn_grid *grid = self->grid;
    for (uint32_t y = 0; y < grid->height; y += CN_FLOOD_BAND)
        cn_flood_copy_band(self, y, entry_of(costs, (size_t)y * grid->width, self->bits));
}
