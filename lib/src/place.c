#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "rng.h"

/* The cells that start: in each component the cell whose number, in row order, the seed gives. */
static void choose_starts(cn_placer *placer)
{
    uint32_t *skip = placer->next;
    cn_rng rng = {placer->seed};
    uint32_t node_count = cn_map_node_count(placer->map);

    for (uint32_t i = 0; i < placer->component_count; i++)
        skip[i] = cn_rng_below(&rng, placer->component_size[i]);
    placer->landmark_count = 0;
    for (cairn_node node = 0; node < node_count; node++) {
        uint32_t component = placer->component[node];
        if (component != CN_NO_COMPONENT && skip[component]-- == 0)
            placer->landmarks[placer->landmark_count++] = node;
    }
}

cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed)
{
    const cn_mem *mem = &map->mem;
    uint32_t node_count = cn_map_node_count(map);

    memset(placer, 0, sizeof *placer);
    placer->map = map;
    placer->plan = plan;
    placer->seed = seed;
    placer->level = cn_cpu_level();
    placer->component = cn_array(mem, node_count, sizeof *placer->component);
    if (!placer->component)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_grid_components(&map->grid, mem, placer->component,
                                             &placer->component_size, &placer->component_count);
    if (status == CAIRN_OK) {
        placer->farthest = cn_array(mem, placer->component_count, sizeof *placer->farthest);
        placer->next = cn_array(mem, placer->component_count, sizeof *placer->next);
        placer->landmarks = cn_array(mem, placer->component_count, sizeof *placer->landmarks);
        if (!placer->farthest || !placer->next || !placer->landmarks)
            status = CAIRN_E_MEMORY;
    }
    if (status != CAIRN_OK) {
        cn_placer_free(placer);
        return status;
    }
    choose_starts(placer);
    return CAIRN_OK;
}

void cn_placer_restart(cn_placer *placer)
{
    placer->row = 0;
    placer->planned = 0;
    choose_starts(placer);
}

void cn_placer_free(cn_placer *placer)
{
    if (!placer->map)
        return;
    const cn_mem *mem = &placer->map->mem;
    cn_release(mem, placer->component_size);
    cn_release(mem, placer->component);
    cn_release(mem, placer->nearest);
    cn_release(mem, placer->chunk_component);
    cn_release(mem, placer->chunk_farthest);
    cn_release(mem, placer->farthest);
    cn_release(mem, placer->next);
    cn_release(mem, placer->landmarks);
    memset(placer, 0, sizeof *placer);
}

static int compare_nodes(const void *a_, const void *b_)
{
    cairn_node a = *(const cairn_node *)a_, b = *(const cairn_node *)b_;
    return (a > b) - (a < b);
}

/* What the plan says of this row goes before what is farthest. */
static void obey_plan(cn_placer *placer)
{
    const cn_plan *plan = placer->plan;
    if (!plan)
        return;
    const cn_planned *items = plan->items;
    for (; placer->planned < plan->count && items[placer->planned].row == placer->row;
         placer->planned++) {
        cairn_node node = items[placer->planned].node;
        placer->next[placer->component[node]] = node;
    }
}

/* The chosen cells of all components, in node order. */
static void collect_landmarks(cn_placer *placer)
{
    obey_plan(placer);
    placer->landmark_count = 0;
    for (uint32_t i = 0; i < placer->component_count; i++) {
        if (placer->next[i] != CAIRN_NO_NODE)
            placer->landmarks[placer->landmark_count++] = placer->next[i];
    }
    qsort(placer->landmarks, placer->landmark_count, sizeof(cairn_node), compare_nodes);
}

/* ------------------------------------------------------------------------------ chunks -- */

/* Beside CN_NO_COMPONENT (no open cell) and the number of a component. */
#define SEVERAL_COMPONENTS (CN_NO_COMPONENT - 1)

typedef struct chunk {
    uint32_t x, y;           /* its first cell */
    uint32_t width, height;  /* in cells, beyond the map's edge as well */
    size_t first;            /* entry in a plane */
    size_t count;            /* of entries */
} chunk;

static bool is_linear(const cn_plane *plane)
{
    return plane->lane_shift == 31;
}

static chunk chunk_at(const cn_placer *placer, size_t index)
{
    const cn_plane *frame = &placer->frame;
    const uint32_t width = placer->map->grid.width;
    if (is_linear(frame))
        return (chunk){.y = (uint32_t)index, .width = width, .height = 1,
                       .first = index * frame->band, .count = width};
    size_t count = (size_t)1 << (frame->lane_shift + frame->row_shift);
    return (chunk){.x = (uint32_t)(index % frame->columns) << frame->lane_shift,
                   .y = (uint32_t)(index / frame->columns) << frame->row_shift,
                   .width = 1u << frame->lane_shift,
                   .height = 1u << frame->row_shift,
                   .first = index * count,
                   .count = count};
}

/* Its cells lie one after another in the plane; those beyond the map's edge do not count. */
typedef struct chunk_cell {
    size_t entry;
    cairn_node node;
} chunk_cell;

CN_ALWAYS_INLINE bool cell_of(const cn_placer *placer, const chunk *some, uint32_t column,
                              uint32_t row, chunk_cell *cell)
{
    const cn_grid *grid = &placer->map->grid;
    if (some->x + column >= grid->width || some->y + row >= grid->height)
        return false;
    *cell = (chunk_cell){some->first + (size_t)row * some->width + column,
                         (some->y + row) * grid->width + some->x + column};
    return true;
}

CN_ALWAYS_INLINE cairn_cost nearest_at(const cn_placer *placer, size_t entry)
{
    return placer->frame.bits == 16 ? ((const uint16_t *)placer->nearest)[entry]
                                    : ((const uint32_t *)placer->nearest)[entry];
}

/* The components of a chunk: none, one, or several. */
static uint32_t component_of(const cn_placer *placer, const chunk *some)
{
    const cn_grid *grid = &placer->map->grid;
    const uint32_t columns = grid->width - some->x < some->width ? grid->width - some->x
                                                                 : some->width;
    uint32_t found = CN_NO_COMPONENT;

    for (uint32_t y = some->y; y < some->y + some->height && y < grid->height; y++) {
        const uint32_t *component = placer->component + (size_t)y * grid->width + some->x;
        for (uint32_t i = 0; i < columns; i++) {
            if (component[i] == CN_NO_COMPONENT || component[i] == found)
                continue;
            if (found != CN_NO_COMPONENT)
                return SEVERAL_COMPONENTS;
            found = component[i];
        }
    }
    return found;
}

/* Makes the open cells of a chunk far. */
static void make_far(const cn_placer *placer, const chunk *some)
{
    const cn_grid *grid = &placer->map->grid;
    const uint32_t columns = grid->width - some->x < some->width ? grid->width - some->x
                                                                 : some->width;
    const size_t entry_size = placer->frame.bits / 8;

    memset((uint8_t *)placer->nearest + some->first * entry_size, 0, some->count * entry_size);
    for (uint32_t row = 0; row < some->height && some->y + row < grid->height; row++) {
        const uint32_t *component =
            placer->component + (size_t)(some->y + row) * grid->width + some->x;
        size_t entry = some->first + (size_t)row * some->width;
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t far = component[i] == CN_NO_COMPONENT ? 0 : UINT32_MAX;
            if (placer->frame.bits == 16)
                ((uint16_t *)placer->nearest)[entry + i] = (uint16_t)far;
            else
                ((uint32_t *)placer->nearest)[entry + i] = far;
        }
    }
}

static bool has_frame_of(const cn_placer *placer, const cn_plane *plane)
{
    const cn_plane *frame = &placer->frame;
    return frame->bits == plane->bits && frame->lane_shift == plane->lane_shift &&
           frame->row_shift == plane->row_shift && frame->band == plane->band;
}

/* Memory in the shape of the planes that come, and no landmark so far. */
static cairn_status begin_chunks(cn_placer *placer, const cn_plane *plane)
{
    const cn_mem *mem = &placer->map->mem;
    if (!has_frame_of(placer, plane)) {
        size_t bands = ((placer->map->grid.height - 1) >> plane->row_shift) + (size_t)1;
        placer->frame = *plane;
        placer->chunk_count = bands * plane->columns;
        cn_release(mem, placer->nearest);
        cn_release(mem, placer->chunk_component);
        cn_release(mem, placer->chunk_farthest);
        placer->nearest = cn_array(mem, bands * plane->band, plane->bits / 8);
        placer->chunk_component =
            cn_array(mem, placer->chunk_count, sizeof *placer->chunk_component);
        placer->chunk_farthest =
            cn_array(mem, placer->chunk_count, sizeof *placer->chunk_farthest);
        if (!placer->nearest || !placer->chunk_component || !placer->chunk_farthest)
            return CAIRN_E_MEMORY;
    }
    for (size_t i = 0; i < placer->chunk_count; i++) {
        const chunk some = chunk_at(placer, i);
        placer->chunk_component[i] = component_of(placer, &some);
        placer->chunk_farthest[i] = UINT32_MAX;
        if (placer->chunk_component[i] != CN_NO_COMPONENT)
            make_far(placer, &some);
    }
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------- farthest -- */

/* Lowers `nearest` to a row's costs; returns the largest that is left. */
CN_ALWAYS_INLINE uint32_t lower_16(uint16_t *restrict nearest, const uint16_t *restrict costs,
                                   size_t count)
{
    uint16_t most = 0;
    for (size_t i = 0; i < count; i++) {
        nearest[i] = costs[i] < nearest[i] ? costs[i] : nearest[i];
        most = nearest[i] > most ? nearest[i] : most;
    }
    return most;
}

CN_ALWAYS_INLINE uint32_t lower_32(uint32_t *restrict nearest, const uint32_t *restrict costs,
                                   size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        nearest[i] = costs[i] < nearest[i] ? costs[i] : nearest[i];
        most = nearest[i] > most ? nearest[i] : most;
    }
    return most;
}

CN_ALWAYS_INLINE uint32_t lower(void *nearest, const void *costs, const chunk *some,
                                unsigned bits)
{
    if (bits == 16)
        return lower_16((uint16_t *)nearest + some->first, (const uint16_t *)costs + some->first,
                        some->count);
    return lower_32((uint32_t *)nearest + some->first, (const uint32_t *)costs + some->first,
                    some->count);
}

#if CN_CPU_X86
static CN_TARGET_AVX2 uint32_t lower_avx2(void *nearest, const void *costs, const chunk *some,
                                          unsigned bits)
{
    return lower(nearest, costs, some, bits);
}
#endif

static uint32_t lower_chunk(const cn_placer *placer, const cn_plane *plane, const chunk *some)
{
#if CN_CPU_X86
    if (placer->level >= CN_CPU_AVX2)
        return lower_avx2(placer->nearest, plane->costs, some, plane->bits);
#endif
    return lower(placer->nearest, plane->costs, some, plane->bits);
}

/* Cell by cell, where a chunk has cells of several components. */
static void seek_in_mixed(cn_placer *placer, const chunk *some)
{
    chunk_cell cell;
    for (uint32_t row = 0; row < some->height; row++) {
        for (uint32_t column = 0; column < some->width; column++) {
            if (!cell_of(placer, some, column, row, &cell))
                break;
            uint32_t component = placer->component[cell.node];
            cairn_cost cost = nearest_at(placer, cell.entry);
            if (component == CN_NO_COMPONENT || cost == 0 || cost < placer->farthest[component])
                continue;
            if (cost > placer->farthest[component] || cell.node < placer->next[component])
                placer->next[component] = cell.node;
            placer->farthest[component] = cost;
        }
    }
}

/* The first cell of a chunk whose entry is the largest of its component. */
static void seek_in_pure(cn_placer *placer, size_t index)
{
    const chunk some = chunk_at(placer, index);
    const uint32_t component = placer->chunk_component[index];
    chunk_cell cell;

    for (uint32_t row = 0; row < some.height; row++) {
        for (uint32_t column = 0; column < some.width; column++) {
            if (!cell_of(placer, &some, column, row, &cell))
                break;
            if (nearest_at(placer, cell.entry) != placer->farthest[component])
                continue;
            if (cell.node < placer->next[component])
                placer->next[component] = cell.node;
            return;
        }
    }
}

static void visit_chunk(cn_placer *placer, const cn_plane *plane, size_t index)
{
    const uint32_t component = placer->chunk_component[index];
    const chunk some = chunk_at(placer, index);
    if (component == CN_NO_COMPONENT)
        return;

    /* What is not live was not reached: nothing to lower. */
    if (!plane->live || plane->live[index])
        placer->chunk_farthest[index] = lower_chunk(placer, plane, &some);
    if (component == SEVERAL_COMPONENTS) {
        seek_in_mixed(placer, &some);
    } else if (placer->chunk_farthest[index] > placer->farthest[component]) {
        placer->farthest[component] = placer->chunk_farthest[index];
        placer->next[component] = CAIRN_NO_NODE;
    }
}

/* Finds, in each component, the first of the cells with the largest `nearest`, after lowering
 * those by the plane. */
static void choose_farthest(cn_placer *placer, const cn_plane *plane)
{
    memset(placer->next, 0xff, placer->component_count * sizeof *placer->next);
    memset(placer->farthest, 0, placer->component_count * sizeof *placer->farthest);
    for (size_t i = 0; i < placer->chunk_count; i++)
        visit_chunk(placer, plane, i);
    for (size_t i = 0; i < placer->chunk_count; i++) {
        uint32_t component = placer->chunk_component[i];
        if (component < placer->component_count && placer->chunk_farthest[i] != 0 &&
            placer->chunk_farthest[i] == placer->farthest[component])
            seek_in_pure(placer, i);
    }
}

cairn_status cn_placer_start(cn_placer *placer, const cn_plane *plane, cairn_cost *longest)
{
    *longest = 0;
    cairn_status status = begin_chunks(placer, plane);
    if (status != CAIRN_OK)
        return status;
    choose_farthest(placer, plane);
    /* A component of one cell has nothing farther than its start. */
    for (size_t i = 0; i < placer->landmark_count; i++) {
        cairn_node start = placer->landmarks[i];
        uint32_t component = placer->component[start];
        if (placer->next[component] == CAIRN_NO_NODE)
            placer->next[component] = start;
        else if (placer->farthest[component] > *longest)
            *longest = placer->farthest[component];
    }
    collect_landmarks(placer);
    placer->fresh = true;
    return CAIRN_OK;
}

cairn_status cn_placer_add_row(cn_placer *placer, const cn_plane *plane)
{
    if (placer->fresh) {
        cairn_status status = begin_chunks(placer, plane);
        if (status != CAIRN_OK)
            return status;
        placer->fresh = false;
    }
    placer->row++;
    choose_farthest(placer, plane);
    collect_landmarks(placer);
    return CAIRN_OK;
}
