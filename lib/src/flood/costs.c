/* The floods of the public interface: costs in an array, by node. */
#include <string.h>

#include "base/cpu.h"
#include "flood/costs.h"
#include "simd/vec128.h"
#include "simd/vec512.h"

cairn_status cairn_flood_new(const cairn_map *map, cairn_flood **flood)
{
    if (!flood)
        return CAIRN_E_ARGUMENT;
    *flood = NULL;
    if (!map)
        return CAIRN_E_ARGUMENT;
    cairn_flood *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = map->mem;
    made->map = map;
    made->most = CAIRN_UNREACHABLE;
    *flood = made;
    return CAIRN_OK;
}

cairn_status cairn_flood_use(cairn_flood *flood, const cairn_map *map)
{
    if (!flood || !map)
        return CAIRN_E_ARGUMENT;
    if (flood->map != map && !cn_map_is_alike(flood->map, map))
        return CAIRN_E_MISMATCH;
    flood->map = map;
    return CAIRN_OK;
}

void cairn_flood_free(cairn_flood *flood)
{
    if (!flood)
        return;
    cn_mem mem = flood->mem;
    for (unsigned i = 0; i < CN_FLOOD_WIDTHS; i++)
        cn_kept_flooder_free(&flood->flooder[i]);
    cn_release(&mem, flood->until);
    cn_release(&mem, flood->ends.items);
    cn_release(&mem, flood->written);
    cn_release(&mem, flood->held);
    cn_release(&mem, flood->costs);
    cn_release(&mem, flood->band);
    cn_release(&mem, flood);
}

cairn_status cairn_flood_limit(cairn_flood *flood, cairn_cost most, const cairn_node *nodes,
                               size_t node_count)
{
    if (!flood || (!nodes && node_count))
        return CAIRN_E_ARGUMENT;
    cairn_node *until = node_count ? cn_array(&flood->mem, node_count, sizeof *until) : NULL;
    if (node_count && !until)
        return CAIRN_E_MEMORY;
    if (!cn_map_copy_nodes(flood->map, nodes, node_count, until)) {
        cn_release(&flood->mem, until);
        return CAIRN_E_ARGUMENT;
    }
    cn_release(&flood->mem, flood->until);
    flood->until = until;
    flood->until_count = node_count;
    flood->most = most;
    return CAIRN_OK;
}

/* Makes a flooder for the map as it is now, or lets the one that there is follow the edits. */
static cairn_status prepare(cairn_flood *flood, unsigned bits, cn_flooder **flooder)
{
    cn_kept_flooder *own = &flood->flooder[bits == 32];
    const cairn_status status = cn_kept_flooder_ready(own, flood->map, bits, flood->use);
    *flooder = own->flooder;
    return status;
}

uint32_t cn_flood_band_rows(const cn_grid *grid, uint32_t y)
{
    const uint32_t left = grid->height - y;
    return left < CN_FLOOD_BAND ? left : CN_FLOOD_BAND;
}

/* ------------------------------------------------------------------------------------- tiles -- */

enum {
    CHUNK = 64,       /* cells side by side: one word of openness */
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

#define VEC v128
#define BITS 16
#include "flood/copy_kernel.h"

#define VEC v128
#define BITS 32
#include "flood/copy_kernel.h"

#if CN_CPU_X86
#  define VEC v256
#  define BITS 16
#  include "flood/copy_kernel.h"

#  define VEC v256
#  define BITS 32
#  include "flood/copy_kernel.h"

#  define VEC v512
#  define BITS 16
#  include "flood/copy_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "flood/copy_kernel.h"
#endif

typedef uint32_t copy_function(const cn_tile_copy *copy, const void *from, void *to, uint32_t held);

/* Tiles are as wide as the vectors of the engine that made them. */
static copy_function *function_for(const cn_costs_copy *self)
{
    static copy_function *const functions[][3] = {
        [CN_CPU_PORTABLE] = {copy_tile_v128_16, copy_tile_v128_32, copy_low_v128_32},
#if CN_CPU_X86
        [CN_CPU_AVX2] = {copy_tile_v256_16, copy_tile_v256_32, copy_low_v256_32},
        [CN_CPU_AVX512] = {copy_tile_v512_16, copy_tile_v512_32, copy_low_v512_32},
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
    return functions[level][self->bits < plane->bits ? 2 : plane->bits == 32];
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
    const bool is_wide = bits == 32;
#if CN_CPU_X86
    switch (cn_cpu_level()) {
    case CN_CPU_AVX512: return is_wide ? cover_chunk_v512_32 : cover_chunk_v512_16;
    case CN_CPU_AVX2: return is_wide ? cover_chunk_v256_32 : cover_chunk_v256_16;
    default: break;
    }
#endif
    return is_wide ? cover_chunk_v128_32 : cover_chunk_v128_16;
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
    if (run->count == CHUNK)
        cover(run->entries, ~open, most);
    else
        cover_some(run, ~open, plane->bits, most);
}

/* Copies the lower 16 bits of some neighbouring cells of a row, as copy_chunk does whole costs. */
static void copy_low_chunk(const cn_plane *plane, const cn_plane_run *run, uint64_t open,
                           cover_function *cover)
{
    uint32_t costs[CHUNK];
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
    size_t block = (size_t)y * ((grid->width - 1) / CHUNK + 1);
    for (; run.x < grid->width; run.x += CHUNK, block++) {
        run.count = grid->width - run.x < CHUNK ? grid->width - run.x : CHUNK;
        run.entries = entry_of(costs, run.x, self->bits);
        const bool holds = open[run.x / CHUNK] != 0;
        if (holds && self->bits < self->plane->bits)
            copy_low_chunk(self->plane, &run, open[run.x / CHUNK], cover);
        else if (holds)
            copy_chunk(self->plane, &run, open[run.x / CHUNK], cover);
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

/* ------------------------------------------------------------------------------------ lists -- */

/* Copies a listed part of a plane to an array of the whole map: a tile, or the cost of a node. */
static void copy_part(const cn_costs_copy *self, uint32_t part, void *costs)
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
        self->written[(size_t)y * ((grid->width - 1) / CHUNK + 1) + x / CHUNK] = true;
}

/* What a part of the plane's own list is in other lists. */
static uint32_t part_of(const cn_costs_copy *self, size_t at)
{
    const cn_plane *plane = self->plane;
    const size_t entry = plane->held[at] - plane->held_from;
    return plane->live ? plane->held[at]
                       : (uint32_t)(entry / plane->band * self->grid->width + entry % plane->band);
}

/* Copies the parts that the flood reached, to an array that holds costs in listed parts alone. */
static void copy_parts(cairn_flood *flood, const cn_costs_copy *self, void *costs)
{
    const cn_plane *plane = self->plane;
    for (size_t i = 0; self->written && i < flood->held_count; i++) {
        if (!plane->live || !plane->live[flood->held[i]])
            copy_part(self, flood->held[i], costs);
    }
    for (size_t i = 0; i < plane->held_count; i++)
        copy_part(self, part_of(self, i), costs);
}

static void copy_all(const cn_costs_copy *self, void *costs)
{
    const cn_grid *grid = self->grid;
    for (uint32_t y = 0; y < grid->height; y += CN_FLOOD_BAND)
        cn_flood_copy_band(self, y, entry_of(costs, (size_t)y * grid->width, self->bits));
}

/* Lists the parts of the array that is lent that hold costs, which have been copied. */
static void list_parts(cairn_flood *flood, const cn_costs_copy *copy)
{
    const cn_plane *plane = copy->plane;
    flood->held_count = CN_HELD_ALL;
    if (!plane->held || plane->held_count > flood->held_room)
        return;
    for (size_t i = 0; i < plane->held_count; i++)
        flood->held[i] = part_of(copy, i);
    flood->held_count = plane->held_count;
}

/* ------------------------------------------------------------------------------ lent arrays -- */

/* A number of blocks that is enough for the planes of every engine. */
static size_t blocks_of(const cn_grid *grid)
{
    enum { LEAST_LANES = 4 };
    const size_t tiles = ((size_t)grid->width / LEAST_LANES + 1) *
                         (grid->height / CN_FLOOD_BAND + 1);
    const size_t chunks = ((size_t)grid->width / CHUNK + 1) * grid->height;
    return tiles > chunks ? tiles : chunks;
}

void cn_flood_forget(cairn_flood *flood, const void *costs)
{
    if (flood->lent != costs || !flood->lent)
        return;
    memset(flood->written, 0xff, blocks_of(&flood->map->grid) * sizeof *flood->written);
    flood->held_count = CN_HELD_ALL;
}

/* Memory for what is known of such an array. */
static bool take_notes(cairn_flood *flood)
{
    const cairn_map *map = flood->map;
    if (!flood->written)
        flood->written = cn_array(&flood->mem, blocks_of(&map->grid), sizeof *flood->written);
    flood->held_room = cn_plane_held_most(map, 0);
    if (!flood->held)
        flood->held = cn_array(&flood->mem, flood->held_room, sizeof *flood->held);
    return flood->written && flood->held;
}

cairn_status cairn_flood_lend(cairn_flood *flood, void *costs)
{
    if (!flood)
        return CAIRN_E_ARGUMENT;
    if (costs && !take_notes(flood))
        return CAIRN_E_MEMORY;
    flood->lent = costs;
    cn_flood_forget(flood, costs);
    return CAIRN_OK;
}

/* What is known of the array to which costs go: by block, the rows that may hold some. NULL for an
 * array that was not lent. */
static uint32_t *notes_of(cairn_flood *flood, const cn_plane *plane, const void *costs)
{
    if (!costs || costs != flood->lent)
        return NULL;
    if (flood->written_bits != plane->bits || flood->written_lanes != plane->lane_shift)
        cn_flood_forget(flood, costs);
    flood->written_bits = plane->bits;
    flood->written_lanes = plane->lane_shift;
    return flood->written;
}

/* -------------------------------------------------------------------------------- the floods -- */

cairn_status cn_flood_take_ends(cairn_flood *flood, const cairn_node *nodes, size_t count)
{
    if (!cn_nodes_reserve(&flood->ends, &flood->mem, count))
        return CAIRN_E_MEMORY;
    return cn_map_copy_nodes(flood->map, nodes, count, flood->ends.items) &&
                   cn_map_all_open(flood->map, flood->ends.items, count)
               ? CAIRN_OK
               : CAIRN_E_ARGUMENT;
}

cairn_status cn_flood_run(cairn_flood *flood, const cn_flood_call *call, cn_plane *plane)
{
    const cn_flood_task task = {.way = call->way,
                                .sources = call->nodes,
                                .source_count = call->node_count,
                                .most = flood->most,
                                .until = flood->until,
                                .until_count = flood->until_count};
    cn_flooder *flooder;
    const cairn_status status = prepare(flood, call->bits, &flooder);
    return status == CAIRN_OK ? cn_flooder_run_task(flooder, &task, plane) : status;
}

/* Writes the costs of a flood, where that suffices only those that it reached. */
static void copy_costs(cairn_flood *flood, const cn_plane *plane, void *costs)
{
    const cn_grid *grid = &flood->map->grid;
    const cn_costs_copy copy = {grid, plane, notes_of(flood, plane, costs), grid->width,
                                plane->bits};
    if (!plane->held || (copy.written && flood->held_count == CN_HELD_ALL)) {
        copy_all(&copy, costs);
    } else {
        if (!copy.written)
            memset(costs, 0xff, (size_t)cn_map_node_count(flood->map) * (plane->bits / 8));
        copy_parts(flood, &copy, costs);
    }
    if (copy.written)
        list_parts(flood, &copy);
}

/* A call with nodes of the caller. */
static cairn_status run(cairn_flood *flood, cn_flood_call call, void *costs)
{
    cn_plane plane;
    if (!flood || !costs || (!call.nodes && call.node_count))
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_flood_take_ends(flood, call.nodes, call.node_count);
    call.nodes = flood->ends.items;
    if (status == CAIRN_OK)
        status = cn_flood_run(flood, &call, &plane);
    if (status != CAIRN_OK)
        return status;
    copy_costs(flood, &plane, costs);
    return CAIRN_OK;
}

cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run(flood, (cn_flood_call){CN_FORWARD, sources, source_count, 32}, costs);
}

cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run(flood, (cn_flood_call){CN_REVERSE, targets, target_count, 32}, costs);
}

cairn_status cairn_flood_from_16(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                                 uint16_t *costs)
{
    return run(flood, (cn_flood_call){CN_FORWARD, sources, source_count, 16}, costs);
}

cairn_status cairn_flood_to_16(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                               uint16_t *costs)
{
    return run(flood, (cn_flood_call){CN_REVERSE, targets, target_count, 16}, costs);
}

static cairn_status run_once(const cairn_map *map, cn_flood_call call, cairn_cost *costs)
{
    cairn_flood *flood;
    cairn_status status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK) {
        flood->use = CN_FLOOD_ONE;
        status = run(flood, call, costs);
    }
    cairn_flood_free(flood);
    return status;
}

cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run_once(map, (cn_flood_call){CN_FORWARD, sources, source_count, 32}, costs);
}

cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run_once(map, (cn_flood_call){CN_REVERSE, targets, target_count, 32}, costs);
}
