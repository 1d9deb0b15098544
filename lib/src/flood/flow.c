/*
 * Flow fields: from the costs to the nearest target, the first step of a shortest path. Among the
 * steps from a node to a neighbour whose cost is lower by exactly the cost of the step, that with
 * the lowest number is taken. Costs of steps are above zero, so following the field always ends at
 * a target.
 */
#include <string.h>

#include "base/cpu.h"
#include "flood/costs.h"

/* The lowest bit of every byte; CAIRN_FLOW_NONE for 0. */
static void list_first_steps(uint8_t first[256])
{
    first[0] = CAIRN_FLOW_NONE;
    for (unsigned steps = 1; steps < 256; steps++)
        first[steps] = (uint8_t)cn_lowest_bit(steps);
}

/* -------------------------------------------------- grids whose steps have one of two costs -- */

enum { CHUNK = 64 }; /* cells side by side: one word of openness */

/* Costs around some neighbouring cells of a row. */
typedef struct flow_chunk {
    const cairn_cost *costs; /* of the first cell; rows above and below lie beside it */
    const int32_t *offset;
    cairn_cost step[2]; /* straight, diagonal */
    uint32_t count;
} flow_chunk;

/* Bit d of an entry: in direction d the cost falls by exactly the cost of a step. Neighbours to
 * which no step leads are compared as well: the caller masks them out. */
CN_ALWAYS_INLINE void compare_neighbours(const flow_chunk *chunk, uint32_t count,
                                         uint32_t *restrict falls)
{
    const uint32_t *restrict here = chunk->costs;
    const uint32_t *restrict to[CN_DIRECTIONS];
    const uint32_t straight = chunk->step[0], diagonal = chunk->step[1];
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        to[direction] = here + chunk->offset[direction];

    for (uint32_t x = 0; x < count; x++) {
        const uint32_t by_straight = here[x] - straight, by_diagonal = here[x] - diagonal;
        falls[x] = (to[CN_E][x] == by_straight ? 1u << CN_E : 0u) |
                   (to[CN_W][x] == by_straight ? 1u << CN_W : 0u) |
                   (to[CN_S][x] == by_straight ? 1u << CN_S : 0u) |
                   (to[CN_N][x] == by_straight ? 1u << CN_N : 0u) |
                   (to[CN_SE][x] == by_diagonal ? 1u << CN_SE : 0u) |
                   (to[CN_SW][x] == by_diagonal ? 1u << CN_SW : 0u) |
                   (to[CN_NE][x] == by_diagonal ? 1u << CN_NE : 0u) |
                   (to[CN_NW][x] == by_diagonal ? 1u << CN_NW : 0u);
    }
}

/* Whole chunks have a constant length, so that compilers vectorise the loop. */
CN_ALWAYS_INLINE void compare_chunk(const flow_chunk *chunk, uint32_t falls[CHUNK])
{
    if (chunk->count == CHUNK)
        compare_neighbours(chunk, CHUNK, falls);
    else
        compare_neighbours(chunk, chunk->count, falls);
}

static void compare_portable(const flow_chunk *chunk, uint32_t falls[CHUNK])
{
    compare_chunk(chunk, falls);
}

#if CN_CPU_X86
CN_TARGET_AVX2 static void compare_avx2(const flow_chunk *chunk, uint32_t falls[CHUNK])
{
    compare_chunk(chunk, falls);
}

CN_TARGET_AVX512 static void compare_avx512(const flow_chunk *chunk, uint32_t falls[CHUNK])
{
    compare_chunk(chunk, falls);
}
#endif

typedef void compare_function(const flow_chunk *chunk, uint32_t falls[CHUNK]);

static compare_function *choose_compare(void)
{
#if CN_CPU_X86
    switch (cn_cpu_level()) {
    case CN_CPU_AVX512: return compare_avx512;
    case CN_CPU_AVX2: return compare_avx2;
    default: break;
    }
#endif
    return compare_portable;
}

/* What all inner rows of a grid have in common. */
typedef struct even_field {
    const cn_grid *grid;
    const cairn_cost *costs; /* [node] */
    uint8_t *flow;           /* [node] */
    cairn_cost step[2];
    compare_function *compare;
    uint8_t first[256];
} even_field;

static void follow_chunk(const even_field *field, cairn_node node, uint32_t count)
{
    const cn_grid *grid = field->grid;
    const uint8_t *around = grid->around + node;
    uint8_t *flow = field->flow + node;
    uint32_t falls[CHUNK];
    flow_chunk chunk = {.costs = field->costs + node,
                        .offset = cn_grid_offsets(grid, node),
                        .step = {field->step[0], field->step[1]},
                        .count = count};
    field->compare(&chunk, falls);
    for (uint32_t x = 0; x < count; x++)
        flow[x] = field->first[falls[x] & grid->moves[around[x]]];
}

/* Rows at the upper and the lower edge that are left to the other way: the cell diagonally before
 * the first one of a row lies two rows above it in memory. */
enum { EDGE = 2 };

/* A row with EDGE others above and below, so that whatever its cells are compared with can be
 * read. */
static void follow_row(const even_field *field, uint32_t y)
{
    const cn_grid *grid = field->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    for (uint32_t x = 0; x < grid->width; x += CHUNK) {
        const uint32_t left = grid->width - x, count = left < CHUNK ? left : CHUNK;
        if (open[x / CHUNK])
            follow_chunk(field, y * grid->width + x, count);
        else
            memset(field->flow + y * grid->width + x, CAIRN_FLOW_NONE, count);
    }
}

static void follow_inner_rows(const cairn_map *map, const cairn_cost *costs, uint8_t *flow)
{
    even_field field = {.grid = &map->grid,
                        .costs = costs,
                        .flow = flow,
                        .step = {cn_step_cost(map, CN_E, 1, 1), cn_step_cost(map, CN_SE, 1, 1)},
                        .compare = choose_compare()};
    list_first_steps(field.first);
    for (uint32_t y = EDGE; y + EDGE < map->grid.height; y++)
        follow_row(&field, y);
}

/* --------------------------------------------------------------------------------- any map -- */

/* The number of the step, or the index of the arc, along which the cost falls by exactly its own
 * cost. */
static uint8_t first_step(const cairn_map *map, const cairn_cost *costs, cairn_node node)
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

static void follow_nodes(const cairn_map *map, const cairn_cost *costs, cairn_node from,
                         cairn_node end, uint8_t *flow)
{
    for (cairn_node node = from; node < end; node++)
        flow[node] = costs[node] == CAIRN_UNREACHABLE ? CAIRN_FLOW_NONE
                                                      : first_step(map, costs, node);
}

static void follow_all(const cairn_map *map, const cairn_cost *costs, uint8_t *flow)
{
    const cairn_node end = cairn_map_node_count(map), width = map->grid.width;
    if (!cn_map_is_even(map) || map->grid.height < 2 * EDGE) {
        follow_nodes(map, costs, 0, end, flow);
        return;
    }
    follow_nodes(map, costs, 0, EDGE * width, flow);
    follow_inner_rows(map, costs, flow);
    follow_nodes(map, costs, end - EDGE * width, end, flow);
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

/* The array of costs for a field: the caller's, or one of the flood's own. */
static cairn_cost *costs_of(cairn_flood *flood, cairn_cost *costs)
{
    if (!costs && !flood->costs)
        flood->costs = cn_array(&flood->mem, cairn_map_node_count(flood->map), sizeof *costs);
    return costs ? costs : flood->costs;
}

cairn_status cairn_flood_flow(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                              uint8_t *flow, cairn_cost *costs)
{
    if (!flood || !flow || (!targets && target_count))
        return CAIRN_E_ARGUMENT;
    if (!steps_have_numbers(flood->map))
        return CAIRN_E_LIMIT;
    costs = costs_of(flood, costs);
    if (!costs)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_flood_run(flood, CN_REVERSE, targets, target_count, costs);
    if (status != CAIRN_OK)
        return status;
    follow_all(flood->map, costs, flow);
    for (size_t i = 0; i < target_count; i++)
        flow[targets[i]] = CAIRN_FLOW_TARGET;
    return CAIRN_OK;
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
