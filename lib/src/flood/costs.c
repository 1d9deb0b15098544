/* The floods of the public interface: costs in an array, by node. */
#include <string.h>

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
    *flood = made;
    return CAIRN_OK;
}

void cairn_flood_free(cairn_flood *flood)
{
    if (!flood)
        return;
    cn_mem mem = flood->mem;
    cn_flooder_free(flood->flooder);
    cn_release(&mem, flood->costs);
    cn_release(&mem, flood->band);
    cn_release(&mem, flood);
}

/* Makes a flooder for the map as it is now. */
static cairn_status prepare(cairn_flood *flood)
{
    const uint64_t version = cairn_map_version(flood->map);
    if (flood->flooder && flood->version == version)
        return CAIRN_OK;
    cn_flooder_free(flood->flooder);
    flood->flooder = NULL;
    flood->version = version;
    return cn_flooder_new(flood->map, 32, &flood->flooder);
}

uint32_t cn_flood_band_rows(const cn_grid *grid, uint32_t y)
{
    const uint32_t left = grid->height - y;
    return left < CN_FLOOD_BAND ? left : CN_FLOOD_BAND;
}

/* ------------------------------------------------------------------------------------- tiles -- */

/* How the rows of a tile are copied. */
typedef struct cn_tile_copy {
    uint32_t lanes; /* columns of a tile */
    uint32_t row_count;
    uint32_t stride; /* from row to row of the array */
} cn_tile_copy;

#define VEC v128
#define BITS 32
#include "flood/copy_kernel.h"

#if CN_CPU_X86
#  define VEC v256
#  define BITS 32
#  include "flood/copy_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "flood/copy_kernel.h"
#endif

typedef void copy_function(const cn_tile_copy *copy, const cairn_cost *from, cairn_cost *to);

/* Tiles are as wide as the vectors of the engine that made them. */
static copy_function *function_for(const cn_plane *plane)
{
#if CN_CPU_X86
    if (plane->lane_shift == 4)
        return copy_tile_v512_32;
    if (plane->lane_shift == 3)
        return copy_tile_v256_32;
#endif
    (void)plane;
    return copy_tile_v128_32;
}

static void fill_unreachable(const cn_tile_copy *copy, cairn_cost *to)
{
    for (uint32_t row = 0; row < copy->row_count; row++, to += copy->stride)
        memset(to, 0xff, copy->lanes * sizeof *to);
}

/* Copies the whole tiles of a row of tiles, of which the map has `copy->row_count` rows from y on.
 * Returns the columns that are left. */
static uint32_t copy_tiles(const cn_grid *grid, const cn_plane *plane, uint32_t y,
                           cairn_cost *costs)
{
    const cn_tile_copy copy = {.lanes = 1u << plane->lane_shift,
                               .row_count = cn_flood_band_rows(grid, y),
                               .stride = grid->width};
    copy_function *const copy_tile = function_for(plane);
    const uint32_t end = grid->width & ~(copy.lanes - 1);
    for (uint32_t x = 0; x < end; x += copy.lanes) {
        if (cn_plane_is_live(plane, x, y))
            copy_tile(&copy, (const cairn_cost *)plane->costs + cn_plane_index(plane, x, y),
                      costs + x);
        else
            fill_unreachable(&copy, costs + x);
    }
    return end;
}

static void copy_band_of_tiles(const cn_grid *grid, const cn_plane *plane, uint32_t y,
                               cairn_cost *costs)
{
    const uint32_t copied = copy_tiles(grid, plane, y, costs);
    for (uint32_t row = 0; row < cn_flood_band_rows(grid, y); row++, costs += grid->width) {
        for (uint32_t x = copied; x < grid->width; x++)
            costs[x] = cn_plane_at(plane, x, y + row);
    }
}

/* ------------------------------------------------------------------------ rows without tiles -- */

enum { CHUNK = 64 }; /* cells side by side: one word of openness */

/* Copies some neighbouring cells of a row, of which `open` has a bit for each open one. The entries
 * of the others are undefined. */
static void copy_chunk(const cn_plane *plane, const cn_plane_run *run, uint64_t open)
{
    cairn_cost *costs = run->entries;
    uint64_t blocked = ~open & (run->count < CHUNK ? (UINT64_C(1) << run->count) - 1 : UINT64_MAX);
    if (!open) {
        memset(costs, 0xff, run->count * sizeof *costs);
        return;
    }
    cn_plane_get(plane, run);
    for (; blocked; blocked &= blocked - 1)
        costs[cn_lowest_bit(blocked)] = CAIRN_UNREACHABLE;
}

static void copy_row(const cn_grid *grid, const cn_plane *plane, uint32_t y, cairn_cost *costs)
{
    const uint64_t *open = cn_grid_open_row(grid, y);
    cn_plane_run run = {.y = y, .never = CAIRN_UNREACHABLE};
    for (; run.x < grid->width; run.x += CHUNK) {
        run.count = grid->width - run.x < CHUNK ? grid->width - run.x : CHUNK;
        run.entries = costs + run.x;
        copy_chunk(plane, &run, open[run.x / CHUNK]);
    }
}

void cn_flood_copy_band(const cn_grid *grid, const cn_plane *plane, uint32_t y, cairn_cost *costs)
{
    if (plane->live) {
        copy_band_of_tiles(grid, plane, y, costs);
        return;
    }
    for (uint32_t end = y + cn_flood_band_rows(grid, y); y < end; y++, costs += grid->width)
        copy_row(grid, plane, y, costs);
}

/* -------------------------------------------------------------------------------- the floods -- */

static bool are_open(const cairn_map *map, const cairn_node *nodes, size_t node_count)
{
    for (size_t i = 0; i < node_count; i++) {
        if (!cairn_map_is_open(map, nodes[i]))
            return false;
    }
    return true;
}

cairn_status cn_flood_run(cairn_flood *flood, cn_way way, const cairn_node *nodes,
                          size_t node_count, cn_plane *plane)
{
    if (!are_open(flood->map, nodes, node_count))
        return CAIRN_E_ARGUMENT;
    const cairn_status status = prepare(flood);
    if (status != CAIRN_OK)
        return status;
    return way == CN_FORWARD ? cn_flooder_run(flood->flooder, nodes, node_count, plane)
                             : cn_flooder_run_back(flood->flooder, nodes, node_count, plane);
}

static cairn_status run(cairn_flood *flood, cn_way way, const cairn_node *nodes, size_t node_count,
                        cairn_cost *costs)
{
    cn_plane plane;
    if (!flood || !costs || (!nodes && node_count))
        return CAIRN_E_ARGUMENT;
    const cn_grid *grid = &flood->map->grid;
    cairn_status status = cn_flood_run(flood, way, nodes, node_count, &plane);
    for (uint32_t y = 0; y < grid->height && status == CAIRN_OK; y += CN_FLOOD_BAND)
        cn_flood_copy_band(grid, &plane, y, costs + (size_t)y * grid->width);
    return status;
}

cairn_status cairn_flood_from(cairn_flood *flood, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run(flood, CN_FORWARD, sources, source_count, costs);
}

cairn_status cairn_flood_to(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run(flood, CN_REVERSE, targets, target_count, costs);
}

static cairn_status run_once(const cairn_map *map, cn_way way, const cairn_node *nodes,
                             size_t node_count, cairn_cost *costs)
{
    cairn_flood *flood;
    cairn_status status = cairn_flood_new(map, &flood);
    if (status == CAIRN_OK)
        status = run(flood, way, nodes, node_count, costs);
    cairn_flood_free(flood);
    return status;
}

cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources, size_t source_count,
                              cairn_cost *costs)
{
    return run_once(map, CN_FORWARD, sources, source_count, costs);
}

cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return run_once(map, CN_REVERSE, targets, target_count, costs);
}
