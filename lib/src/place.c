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

static void count_minors(cn_placer *placer)
{
    const uint32_t *size = placer->component_size;
    placer->largest = 0;
    placer->minor_count = 0;
    for (uint32_t i = 0; i < placer->component_count; i++) {
        placer->minor_count += size[i];
        placer->largest = size[i] > size[placer->largest] ? i : placer->largest;
    }
    if (placer->component_count)
        placer->minor_count -= size[placer->largest];
}

static cairn_status label_components(cn_placer *placer)
{
    const cairn_map *map = placer->map;
    const cn_mem *mem = &map->mem;

    cn_release(mem, placer->component_size);
    placer->component_size = NULL;
    placer->component = cn_array(mem, cn_map_node_count(map), sizeof *placer->component);
    if (!placer->component)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_map_components(map, mem, placer->component,
                                            &placer->component_size, &placer->component_count);
    if (status == CAIRN_OK && cn_map_is_directed(map))
        status = cn_map_keep_cores(map, mem, placer->component, placer->component_size,
                                   placer->component_count);
    return status;
}

cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed)
{
    const cn_mem *mem = &map->mem;

    memset(placer, 0, sizeof *placer);
    placer->map = map;
    placer->plan = plan;
    placer->seed = seed;
    placer->level = cn_cpu_level();
    cairn_status status = label_components(placer);
    if (status == CAIRN_OK) {
        count_minors(placer);
        placer->minor = cn_array(mem, placer->minor_count, sizeof *placer->minor);
        placer->farthest = cn_array(mem, placer->component_count, sizeof *placer->farthest);
        placer->next = cn_array(mem, placer->component_count, sizeof *placer->next);
        placer->landmarks = cn_array(mem, placer->component_count, sizeof *placer->landmarks);
        if (!placer->minor || !placer->farthest || !placer->next || !placer->landmarks)
            status = CAIRN_E_MEMORY;
    }
    if (status != CAIRN_OK) {
        cn_placer_free(placer);
        return status;
    }
    choose_starts(placer);
    return CAIRN_OK;
}

cairn_status cn_placer_restart(cn_placer *placer)
{
    cairn_status status = placer->component ? CAIRN_OK : label_components(placer);
    if (status != CAIRN_OK || placer->stage == CN_PLACER_AT_START)
        return status;
    placer->stage = CN_PLACER_AT_START;
    placer->row = 0;
    placer->planned = 0;
    choose_starts(placer);
    return CAIRN_OK;
}

void cn_placer_free(cn_placer *placer)
{
    if (!placer->map)
        return;
    const cn_mem *mem = &placer->map->mem;
    cn_release(mem, placer->component_size);
    cn_release(mem, placer->component);
    cn_release(mem, placer->nearest);
    cn_release(mem, placer->minor);
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
        placer->next[items[placer->planned].component] = items[placer->planned].node;
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

typedef struct chunk {
    uint32_t x, y;           /* its first cell */
    uint32_t width, height;  /* in cells, beyond the map's edge as well */
    uint32_t columns, rows;  /* on the map */
    size_t first;            /* entry in a plane */
} chunk;

static chunk chunk_at(const cn_placer *placer, size_t index)
{
    const cn_grid *grid = &placer->map->grid;
    const cn_plane *frame = &placer->frame;
    chunk some = {.y = (uint32_t)index, .width = grid->width, .height = 1,
                  .first = index * frame->band};
    if (frame->lane_shift != 31)
        some = (chunk){.x = (uint32_t)(index % frame->columns) << frame->lane_shift,
                       .y = (uint32_t)(index / frame->columns) << frame->row_shift,
                       .width = 1u << frame->lane_shift,
                       .height = 1u << frame->row_shift,
                       .first = index << (frame->lane_shift + frame->row_shift)};
    some.columns = grid->width - some.x < some.width ? grid->width - some.x : some.width;
    some.rows = grid->height - some.y < some.height ? grid->height - some.y : some.height;
    return some;
}

static cairn_node node_at(const cn_placer *placer, const chunk *some, uint32_t row)
{
    return (some->y + row) * placer->map->grid.width + some->x;
}

static bool holds_largest(const cn_placer *placer, const chunk *some)
{
    for (uint32_t row = 0; row < some->rows; row++) {
        const uint32_t *component = placer->component + node_at(placer, some, row);
        for (uint32_t i = 0; i < some->columns; i++) {
            if (component[i] == placer->largest)
                return true;
        }
    }
    return false;
}

/* Makes the cells of the largest component far, all others uninteresting. */
static void make_far(const cn_placer *placer, const chunk *some)
{
    const size_t entry_size = placer->frame.bits / 8;
    const uint32_t largest = placer->largest;

    memset((uint8_t *)placer->nearest + some->first * entry_size, 0,
           (size_t)some->width * some->height * entry_size);
    for (uint32_t row = 0; row < some->rows; row++) {
        const uint32_t *component = placer->component + node_at(placer, some, row);
        size_t entry = some->first + (size_t)row * some->width;
        if (placer->frame.bits == 16) {
            uint16_t *nearest = (uint16_t *)placer->nearest + entry;
            for (uint32_t i = 0; i < some->columns; i++)
                nearest[i] = component[i] == largest ? UINT16_MAX : 0;
        } else {
            uint32_t *nearest = (uint32_t *)placer->nearest + entry;
            for (uint32_t i = 0; i < some->columns; i++)
                nearest[i] = component[i] == largest ? UINT32_MAX : 0;
        }
    }
}

static void list_minors(cn_placer *placer)
{
    const cn_grid *grid = &placer->map->grid;
    size_t count = 0;
    cairn_node node = 0;

    for (uint32_t y = 0; y < grid->height && count < placer->minor_count; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            uint32_t component = placer->component[node];
            if (component == CN_NO_COMPONENT || component == placer->largest)
                continue;
            placer->minor[count++] = (cn_minor){node, component, CAIRN_UNREACHABLE};
        }
    }
}

static bool has_frame_of(const cn_placer *placer, const cn_plane *plane)
{
    const cn_plane *frame = &placer->frame;
    return placer->nearest && frame->bits == plane->bits &&
           frame->lane_shift == plane->lane_shift && frame->band == plane->band;
}

static cairn_status take_frame(cn_placer *placer, const cn_plane *plane)
{
    const cn_mem *mem = &placer->map->mem;
    const size_t bands = ((placer->map->grid.height - 1) >> plane->row_shift) + (size_t)1;

    placer->frame = *plane;
    placer->chunk_count = bands * plane->columns;
    cn_release(mem, placer->nearest);
    cn_release(mem, placer->chunk_farthest);
    placer->nearest = cn_array(mem, bands * plane->band, plane->bits / 8);
    placer->chunk_farthest = cn_array(mem, placer->chunk_count, sizeof *placer->chunk_farthest);
    return placer->nearest && placer->chunk_farthest ? CAIRN_OK : CAIRN_E_MEMORY;
}

/* No landmark so far, and costs in the shape of the planes that come. */
static cairn_status begin_chunks(cn_placer *placer, const cn_plane *plane)
{
    cairn_status status = has_frame_of(placer, plane) ? CAIRN_OK : take_frame(placer, plane);
    if (status != CAIRN_OK)
        return status;

    for (size_t i = 0; i < placer->chunk_count; i++) {
        const chunk some = chunk_at(placer, i);
        bool holds = holds_largest(placer, &some);
        placer->chunk_farthest[i] = holds ? CAIRN_UNREACHABLE : 0;
        if (holds)
            make_far(placer, &some);
    }
    list_minors(placer);
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

CN_ALWAYS_INLINE uint32_t lower(void *nearest, const void *costs, size_t first, size_t count,
                                unsigned bits)
{
    if (bits == 16)
        return lower_16((uint16_t *)nearest + first, (const uint16_t *)costs + first, count);
    return lower_32((uint32_t *)nearest + first, (const uint32_t *)costs + first, count);
}

static uint32_t lower_portable(void *nearest, const void *costs, size_t first, size_t count,
                               unsigned bits)
{
    return lower(nearest, costs, first, count, bits);
}

#if CN_CPU_X86
static CN_TARGET_AVX2 uint32_t lower_avx2(void *nearest, const void *costs, size_t first,
                                          size_t count, unsigned bits)
{
    return lower(nearest, costs, first, count, bits);
}
#else
#  define lower_avx2 lower_portable
#endif

/* The first cell of a chunk whose entry is the largest of all. */
static void seek_in_chunk(cn_placer *placer, size_t index)
{
    const chunk some = chunk_at(placer, index);
    const cairn_cost wanted = placer->farthest[placer->largest];

    for (uint32_t row = 0; row < some.rows; row++) {
        const size_t entry = some.first + (size_t)row * some.width;
        for (uint32_t i = 0; i < some.columns; i++) {
            cairn_cost cost = placer->frame.bits == 16
                                  ? ((const uint16_t *)placer->nearest)[entry + i]
                                  : ((const uint32_t *)placer->nearest)[entry + i];
            if (cost != wanted)
                continue;
            cairn_node node = node_at(placer, &some, row) + i;
            if (node < placer->next[placer->largest])
                placer->next[placer->largest] = node;
            return;
        }
    }
}

static void choose_in_largest(cn_placer *placer, const cn_plane *plane)
{
    cairn_cost most = 0;

    for (size_t i = 0; i < placer->chunk_count; i++) {
        if (placer->chunk_farthest[i] == 0)
            continue;
        /* What is not live was not reached: nothing to lower. */
        if (!plane->live || plane->live[i]) {
            const chunk some = chunk_at(placer, i);
            placer->chunk_farthest[i] =
                (placer->level >= CN_CPU_AVX2 ? lower_avx2 : lower_portable)(
                    placer->nearest, plane->costs, some.first,
                    (size_t)some.width * some.height, plane->bits);
        }
        most = placer->chunk_farthest[i] > most ? placer->chunk_farthest[i] : most;
    }
    placer->farthest[placer->largest] = most;
    for (size_t i = 0; i < placer->chunk_count && most > 0; i++) {
        if (placer->chunk_farthest[i] == most)
            seek_in_chunk(placer, i);
    }
}

static void choose_in_others(cn_placer *placer, const cn_plane *plane)
{
    const uint32_t width = placer->map->grid.width;
    for (size_t i = 0; i < placer->minor_count; i++) {
        cn_minor *cell = &placer->minor[i];
        cairn_cost cost = cn_plane_at(plane, cell->node % width, cell->node / width);
        if (cost < cell->nearest)
            cell->nearest = cost;
        if (cell->nearest > placer->farthest[cell->component]) {
            placer->farthest[cell->component] = cell->nearest;
            placer->next[cell->component] = cell->node;
        }
    }
}

/* Finds, in each component, the first of the cells with the largest cost to the nearest landmark,
 * after lowering those by the plane. */
static void choose_farthest(cn_placer *placer, const cn_plane *plane)
{
    memset(placer->next, 0xff, placer->component_count * sizeof *placer->next);
    memset(placer->farthest, 0, placer->component_count * sizeof *placer->farthest);
    if (placer->component_count == 0)
        return;
    choose_in_largest(placer, plane);
    choose_in_others(placer, plane);
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
    placer->stage = CN_PLACER_HAS_FIRST;
    return CAIRN_OK;
}

/* From here on only a plan asks for the component of a node. */
static void forget_components(cn_placer *placer)
{
    if (placer->plan && placer->plan->count > 0)
        return;
    cn_release(&placer->map->mem, placer->component);
    placer->component = NULL;
}

cairn_status cn_placer_add_row(cn_placer *placer, const cn_plane *plane)
{
    if (placer->stage == CN_PLACER_HAS_FIRST) {
        cairn_status status = begin_chunks(placer, plane);
        if (status != CAIRN_OK)
            return status;
        placer->stage = CN_PLACER_HAS_ROWS;
        forget_components(placer);
    }
    placer->row++;
    choose_farthest(placer, plane);
    collect_landmarks(placer);
    return CAIRN_OK;
}
