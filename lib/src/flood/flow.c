/*
 * Flow fields: from the costs to the nearest target, the first step of a shortest path. Among the
 * steps from a node to a neighbour whose cost is lower by exactly the cost of the step, that with
 * the lowest number is taken. Costs of steps are above zero, so following the field always ends at
 * a target.
 */
#include <string.h>

#include "flood/costs.h"
#include "grid/step_bits.h"
#include "simd/vec128.h"
#include "simd/vec512.h"

/* -------------------------------------------------- grids whose steps have one of two costs -- */

enum { CHUNK = 64 }; /* cells side by side: one word of openness */

/* Costs around some neighbouring cells of a row. */
typedef struct cn_flow_chunk {
    const void *costs;             /* of the first cell; rows above and below lie beside it */
    const int32_t *offset;         /* by direction */
    cairn_cost step[2];            /* straight, diagonal */
    uint64_t steps[CN_DIRECTIONS]; /* the cells that have a step there, whatever costs are */
} cn_flow_chunk;

/* For every cell the lowest direction of those in which it has a step and the cost falls, as bits
 * of that number, and the cells that have none. */
typedef struct cn_flow_bits {
    uint64_t number[3];
    uint64_t none;
} cn_flow_bits;

#define VEC v128
#define BITS 16
#include "flood/flow_kernel.h"

#define VEC v128
#define BITS 32
#include "flood/flow_kernel.h"

#if CN_CPU_X86
#  define VEC v256
#  define BITS 16
#  include "flood/flow_kernel.h"

#  define VEC v256
#  define BITS 32
#  include "flood/flow_kernel.h"

#  define VEC v512
#  define BITS 16
#  include "flood/flow_kernel.h"

#  define VEC v512
#  define BITS 32
#  include "flood/flow_kernel.h"
#endif

typedef void follow_function(const cn_flow_chunk *chunk, uint8_t flow[CHUNK]);

static follow_function *choose_follow(unsigned bits)
{
    static follow_function *const functions[][2] = {
        [CN_CPU_PORTABLE] = {follow_v128_16, follow_v128_32},
#if CN_CPU_X86
        [CN_CPU_AVX2] = {follow_v256_16, follow_v256_32},
        [CN_CPU_AVX512] = {follow_v512_16, follow_v512_32},
#endif
    };
    return functions[cn_cpu_level()][bits == 32];
}

/* A band of rows. Two rows above it and one below are kept as well, so that the neighbours of each
 * chunk of its cells can be read. */
typedef struct even_field {
    const cn_grid *grid;
    uint8_t *flow;                    /* [node] */
    uint8_t *band;                    /* the entries of its first row */
    size_t stride;                    /* entries from row to row of it */
    uint32_t y;                       /* of its first row */
    int32_t offset[2][CN_DIRECTIONS]; /* in the band, for even and for odd rows */
    cairn_cost step[2];
    follow_function *follow;
    unsigned bits; /* of entries */
} even_field;

enum { ROWS_ABOVE = 2, ROWS_BELOW = 1 };

/* Steps between a row and the one above or below it, and the numbers of their directions. On
 * hexagons the cell in the same column lies to one side. */
CN_ALWAYS_INLINE void take_slanting(const cn_grid *grid, uint32_t y, const uint64_t *open,
                                    const uint64_t *beside, uint64_t *straight, uint64_t *east,
                                    uint64_t *west)
{
    const cairn_rule rule = grid->rules.rule;
    const cn_step_bits steps = cn_steps_between(rule, y & 1, cn_row_bits_at(open),
                                                cn_row_bits_at(beside));
    const bool is_hex = rule == CAIRN_RULE_HEX;
    *straight = is_hex ? 0 : steps.straight;
    *east = steps.east | (is_hex && !(y & 1) ? steps.straight : 0);
    *west = steps.west | (is_hex && y & 1 ? steps.straight : 0);
}

/* By direction, the cells of a word of row y that have a step there. */
static void list_steps(const cn_grid *grid, uint32_t y, const uint64_t *open,
                       uint64_t steps[CN_DIRECTIONS])
{
    const cn_row_bits row = cn_row_bits_at(open);
    steps[CN_E] = row.here & row.behind;
    steps[CN_W] = row.here & row.before;
    take_slanting(grid, y, open, open + grid->open_stride, &steps[CN_S], &steps[CN_SE],
                  &steps[CN_SW]);
    take_slanting(grid, y, open, open - grid->open_stride, &steps[CN_N], &steps[CN_NE],
                  &steps[CN_NW]);
}

/* A row of the band or one of those above it. */
static uint8_t *entries_at(const even_field *field, uint32_t y)
{
    const ptrdiff_t row_size = (ptrdiff_t)(field->stride * (field->bits / 8));
    return field->band + ((ptrdiff_t)y - (ptrdiff_t)field->y) * row_size;
}

static void follow_chunk(const even_field *field, uint32_t y, uint32_t x, uint32_t count)
{
    const cn_grid *grid = field->grid;
    const uint64_t *open = cn_grid_open_row(grid, y) + x / CHUNK;
    const cairn_node node = y * grid->width + x;
    cn_flow_chunk chunk = {.costs = entries_at(field, y) + x * (field->bits / 8),
                           .offset = field->offset[y & 1],
                           .step = {field->step[0], field->step[1]}};
    uint8_t flow[CHUNK];
    list_steps(grid, y, open, chunk.steps);
    if (count == CHUNK) {
        field->follow(&chunk, field->flow + node);
        return;
    }
    field->follow(&chunk, flow);
    memcpy(field->flow + node, flow, count);
}

static void follow_row(const even_field *field, uint32_t y)
{
    const cn_grid *grid = field->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    for (uint32_t x = 0; x < grid->width; x += CHUNK) {
        const uint32_t left = grid->width - x, count = left < CHUNK ? left : CHUNK;
        if (open[x / CHUNK])
            follow_chunk(field, y, x, count);
        else
            memset(field->flow + y * grid->width + x, CAIRN_FLOW_NONE, count);
    }
}

/* Rows of an odd number of lines of the cache, so that rows one above the other lie in different
 * places of it. */
static size_t stride_of(const cn_grid *grid)
{
    enum { LINE = 64 / sizeof(uint16_t) };
    return ((grid->width / LINE + 1) | 1) * LINE;
}

/* For entries of 32 bits or 16. */
static void *take_band(cairn_flood *flood)
{
    const size_t stride = stride_of(&flood->map->grid),
                 row_count = ROWS_ABOVE + CN_FLOOD_BAND + ROWS_BELOW;
    if (!flood->band)
        flood->band = cn_zeroed(&flood->mem, row_count * stride + 2 * CHUNK, sizeof(uint32_t));
    return flood->band;
}

/* Where neighbours lie in the band, given where they lie on the map. */
static void place_neighbours(even_field *field)
{
    const cn_grid *grid = field->grid;
    const int32_t further = (int32_t)field->stride - (int32_t)grid->width;
    for (uint32_t odd = 0; odd < 2; odd++) {
        const int32_t *offset = cn_grid_offsets(grid, odd * grid->width);
        for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
            field->offset[odd][direction] = offset[direction] + cn_step_y[direction] * further;
    }
}

/* The rows whose neighbours are all there: from the last one before the band up to the last one but
 * one of it, or the last one of the map. */
static void follow_band(const even_field *field, uint32_t row_count)
{
    const uint32_t end = field->y + row_count, height = field->grid->height;
    for (uint32_t y = field->y - (field->y > 0); y < end - (end < height); y++)
        follow_row(field, y);
}

/* Differences of at most a step follow from the lower bits. Where a flood ends early, neighbours
 * of what it reached have no cost, and all bits count. */
static unsigned bits_that_tell(const cairn_flood *flood)
{
    const bool is_whole = flood->most == CAIRN_UNREACHABLE && !flood->until_count;
    return is_whole && cn_step_cost(flood->map, CN_SE, 1, 1) <= INT16_MAX ? 16 : 32;
}

/* Band after band, while each is in the cache. */
static void follow_bands_of(even_field *field, const cn_plane *plane, cairn_cost *costs)
{
    const cn_grid *grid = field->grid;
    const cn_costs_copy copy = {grid, plane, NULL, field->stride, field->bits},
                        whole = {grid, plane, NULL, grid->width, plane->bits};
    const size_t above = ROWS_ABOVE * field->stride * (field->bits / 8);
    for (; field->y < grid->height; field->y += CN_FLOOD_BAND) {
        cn_flood_copy_band(&copy, field->y, field->band);
        if (costs)
            cn_flood_copy_band(&whole, field->y, costs + (size_t)field->y * grid->width);
        follow_band(field, cn_flood_band_rows(grid, field->y));
        memcpy(field->band - above, entries_at(field, field->y + CN_FLOOD_BAND - ROWS_ABOVE),
               above);
    }
}

static cairn_status follow_bands(cairn_flood *flood, const cn_plane *plane, cairn_cost *costs,
                                 uint8_t *flow)
{
    const cairn_map *map = flood->map;
    const unsigned bits = bits_that_tell(flood);
    even_field field = {.grid = &map->grid,
                        .flow = flow,
                        .band = take_band(flood),
                        .stride = stride_of(&map->grid),
                        .step = {cn_step_cost(map, CN_E, 1, 1), cn_step_cost(map, CN_SE, 1, 1)},
                        .follow = choose_follow(bits),
                        .bits = bits};
    if (!field.band)
        return CAIRN_E_MEMORY;
    field.band += (CHUNK + ROWS_ABOVE * field.stride) * (bits / 8);
    place_neighbours(&field);
    follow_bands_of(&field, plane, costs);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- any map -- */

uint8_t cn_flow_first_step(const cairn_map *map, const cairn_cost *costs, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(map, node, CN_FORWARD, scratch);
    unsigned steps = map->roads ? 0 : cn_grid_steps(&map->grid, node);

    for (size_t i = 0; i < span.count; i++, steps &= steps - 1) {
        const cn_arc *arc = &span.arcs[i];
        if (costs[arc->to] != CAIRN_UNREACHABLE && costs[arc->to] + arc->cost == costs[node])
            return (uint8_t)(map->roads ? i : cn_lowest_bit(steps));
    }
    return CAIRN_FLOW_NONE;
}

static void follow_nodes(const cairn_map *map, const cairn_cost *costs, uint8_t *flow)
{
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        flow[node] = costs[node] == CAIRN_UNREACHABLE ? CAIRN_FLOW_NONE
                                                      : cn_flow_first_step(map, costs, node);
}

static cairn_status follow_each(cairn_flood *flood, const cn_plane *plane, cairn_cost *costs,
                                uint8_t *flow)
{
    const cairn_map *map = flood->map;
    if (!costs && !flood->costs)
        flood->costs = cn_array(&flood->mem, cairn_map_node_count(map), sizeof *costs);
    if (!costs)
        costs = flood->costs;
    if (!costs)
        return CAIRN_E_MEMORY;
    const cn_costs_copy copy = {&map->grid, plane, NULL, map->grid.width, plane->bits};
    for (uint32_t y = 0; y < map->grid.height; y += CN_FLOOD_BAND)
        cn_flood_copy_band(&copy, y, costs + (size_t)y * map->grid.width);
    follow_nodes(map, costs, flow);
    return CAIRN_OK;
}

/* Whether all numbers of steps are below CAIRN_FLOW_TARGET. */
static bool steps_have_numbers(const cairn_map *map)
{
    for (cairn_node node = 0; map->roads && node < cairn_map_node_count(map); node++) {
        if (cn_roadmap_out(map->roads, node).count > CAIRN_FLOW_TARGET)
            return false;
    }
    return true;
}

cairn_status cairn_flood_flow(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                              uint8_t *flow, cairn_cost *costs)
{
    if (!flood || !flow || (!targets && target_count))
        return CAIRN_E_ARGUMENT;
    const cairn_map *map = flood->map;
    if (!steps_have_numbers(map))
        return CAIRN_E_LIMIT;
    cn_plane plane;
    cairn_status status = cn_flood_take_ends(flood, targets, target_count);
    const cn_flood_call call = {CN_REVERSE, flood->ends, target_count, 32};
    if (status == CAIRN_OK)
        status = cn_flood_run(flood, &call, &plane);
    cn_flood_forget(flood, costs);
    if (status == CAIRN_OK)
        status = (cn_map_is_even(map) ? follow_bands : follow_each)(flood, &plane, costs, flow);
    for (size_t i = 0; i < target_count && status == CAIRN_OK; i++)
        flow[flood->ends[i]] = CAIRN_FLOW_TARGET;
    return status;
}

cairn_node cairn_flow_next(const cairn_map *map, const uint8_t *flow, cairn_node node)
{
    if (node >= cairn_map_node_count(map))
        return CAIRN_NO_NODE;
    const unsigned step = flow[node];
    if (map->roads) {
        cn_arc_span span = cn_roadmap_out(map->roads, node);
        return step < span.count ? span.arcs[step].to : CAIRN_NO_NODE;
    }
    if (step >= CN_DIRECTIONS || !(cn_grid_steps(&map->grid, node) >> step & 1))
        return CAIRN_NO_NODE;
    return node + (cairn_node)cn_grid_offsets(&map->grid, node)[step];
}
