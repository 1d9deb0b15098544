/* The placer, which chooses the landmarks of one row after another. Farthest-first: in each
 * component the cell that is farthest from all landmarks before it. The least cost to any of them
 * is kept for every cell, and lowered by each row that is computed. */
#include "place/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/nodes.h"
#include "base/rng.h"
#include "map/map_parts.h"

/* Chooses in each component the starting cell, by its number in row order, from the seed. */
static void choose_starts(cn_placer *placer)
{
    uint32_t *skip = placer->next;
    cn_rng rng = {placer->seed};

    for (uint32_t i = 0; i < placer->runs.component_count; i++)
        skip[i] = cn_rng_below(&rng, placer->component_size[i]);
    placer->landmark_count = 0;
    for (uint32_t i = 0; i < placer->runs.count; i++) {
        const cn_run *run = &placer->runs.items[i];
        uint32_t *left = &skip[run->component], size = run->end - run->first;
        if (*left == CAIRN_NO_NODE)
            continue;
        if (*left >= size) {
            *left -= size;
            continue;
        }
        placer->landmarks[placer->landmark_count++] = run->first + *left;
        *left = CAIRN_NO_NODE;
    }
}

static void count_cells(cn_placer *placer)
{
    const cn_runs *runs = &placer->runs;
    uint32_t *size = placer->component_size;

    placer->largest = 0;
    placer->minor_count = 0;
    for (uint32_t i = 0; i < runs->count; i++)
        size[runs->items[i].component] += runs->items[i].end - runs->items[i].first;
    for (uint32_t i = 0; i < runs->component_count; i++) {
        placer->minor_count += size[i];
        placer->largest = size[i] > size[placer->largest] ? i : placer->largest;
    }
    if (runs->component_count)
        placer->minor_count -= size[placer->largest];
}

/* The cells that landmarks can serve, on maps other than uniform grids: on directed maps, in each
 * component only the largest strongly connected part. */
static cairn_status find_cores(const cairn_map *map, cn_runs *runs)
{
    const cn_mem *mem = &map->mem;
    uint32_t *label = cn_array(mem, cn_map_node_count(map), sizeof *label), *sizes = NULL;
    uint32_t count = 0;
    cairn_status status = CAIRN_E_MEMORY;

    if (label)
        status = cn_map_components(map, mem, label, &sizes, &count);
    if (status == CAIRN_OK && cn_map_is_directed(map))
        status = cn_map_keep_cores(map, mem, label, sizes, count);
    if (status == CAIRN_OK)
        status = cn_runs_from(&map->grid, mem, label, count, runs);
    cn_release(mem, label);
    cn_release(mem, sizes);
    return status;
}

static cairn_status find_components(cn_placer *placer)
{
    const cairn_map *map = placer->map;
    /* Where every step has a reverse, components are strongly connected. */
    if (!map->graph && cn_map_leads_back(map))
        return cn_runs_new(&map->grid, &map->mem, &placer->runs);
    return find_cores(map, &placer->runs);
}

/* ------------------------------------------------------------------------- whole plans -- */

static int by_node(const void *a_, const void *b_)
{
    const cn_planned *a = *(const cn_planned *const *)a_, *b = *(const cn_planned *const *)b_;
    if (a->component != b->component)
        return a->component < b->component ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Whether the items, all of one component and in the order of their nodes, leave nothing to place:
 * they are as many as rows, or take all of its cells, after which there are no more landmarks. */
static bool fills_component(const cn_placer *placer, const cn_planned *const *items, size_t count)
{
    const uint32_t component = items[0]->component;
    uint32_t cells = 0;

    if (count >= placer->plan->row_count)
        return true;
    for (size_t i = 0; i < count; i++) {
        cells += (i == 0 || items[i]->node != items[i - 1]->node) &&
                 cn_runs_component(&placer->runs, items[i]->node) == component;
    }
    return cells == placer->component_size[component];
}

static uint32_t count_filled(const cn_placer *placer, const cn_planned *const *items)
{
    const size_t count = placer->plan->count;
    uint32_t filled = 0;

    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && items[end]->component == items[first]->component;)
            end++;
        filled += fills_component(placer, items + first, end - first);
    }
    return filled;
}

static cairn_status examine_plan(cn_placer *placer)
{
    const cn_plan *plan = placer->plan;
    const cn_mem *mem = &placer->map->mem;

    if (!plan || plan->count < placer->runs.component_count || plan->count == 0)
        return CAIRN_OK;
    const cn_planned **items = cn_array(mem, plan->count, sizeof *items);
    if (!items)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < plan->count; i++)
        items[i] = &plan->items[i];
    qsort(items, plan->count, sizeof *items, by_node);
    placer->is_planned = count_filled(placer, items) == placer->runs.component_count;
    cn_release(mem, items);
    return CAIRN_OK;
}

/* ------------------------------------------------------------------------ the placer -- */

cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed)
{
    const cn_mem *mem = &map->mem;

    memset(placer, 0, sizeof *placer);
    placer->map = map;
    placer->plan = plan;
    placer->seed = seed;
    placer->level = cn_cpu_level();
    cairn_status status = find_components(placer);
    const uint32_t component_count = placer->runs.component_count;
    if (status == CAIRN_OK) {
        placer->component_size = cn_zeroed(mem, component_count, sizeof *placer->component_size);
        status = placer->component_size ? CAIRN_OK : CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK) {
        count_cells(placer);
        placer->minor = cn_array(mem, placer->minor_count, sizeof *placer->minor);
        placer->farthest = cn_array(mem, component_count, sizeof *placer->farthest);
        placer->next = cn_array(mem, component_count, sizeof *placer->next);
        placer->landmarks = cn_array(mem, component_count, sizeof *placer->landmarks);
        if (!placer->minor || !placer->farthest || !placer->next || !placer->landmarks)
            status = CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK)
        status = examine_plan(placer);
    if (status != CAIRN_OK) {
        cn_placer_free(placer);
        return status;
    }
    choose_starts(placer);
    return CAIRN_OK;
}

void cn_placer_restart(cn_placer *placer)
{
    if (placer->stage == CN_PLACER_AT_START)
        return;
    placer->stage = CN_PLACER_AT_START;
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
    cn_runs_free(&placer->runs, mem);
    cn_release(mem, placer->nearest);
    cn_release(mem, placer->minor);
    cn_release(mem, placer->chunk_farthest);
    cn_release(mem, placer->farthest);
    cn_release(mem, placer->next);
    cn_release(mem, placer->landmarks);
    memset(placer, 0, sizeof *placer);
}

/* The planned landmarks of this row come before farthest-first ones. */
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
    for (uint32_t i = 0; i < placer->runs.component_count; i++) {
        if (placer->next[i] != CAIRN_NO_NODE)
            placer->landmarks[placer->landmark_count++] = placer->next[i];
    }
    cn_sort_nodes(placer->landmarks, placer->landmark_count);
}

/* ------------------------------------------------------------------------------ chunks -- */

typedef struct chunk {
    uint32_t x, y;          /* its first cell */
    uint32_t width, height; /* in cells, including those beyond the edge of the map */
    uint32_t columns, rows; /* on the map */
    size_t first;           /* the index of its first entry in a plane */
} chunk;

static chunk chunk_at(const cn_placer *placer, size_t index)
{
    const cn_grid *grid = &placer->map->grid;
    const cn_plane *frame = &placer->frame;
    chunk some = {
        .y = (uint32_t)index, .width = grid->width, .height = 1, .first = index * frame->band};
    if (frame->lane_shift != CN_PLANE_OF_ROWS)
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

/* Prepares a chunk for its first cell of the largest component. */
static void open_chunk(cn_placer *placer, size_t index)
{
    const size_t entry_size = placer->frame.bits / 8;
    const chunk some = chunk_at(placer, index);

    if (placer->chunk_farthest[index])
        return;
    placer->chunk_farthest[index] = CAIRN_UNREACHABLE;
    memset((uint8_t *)placer->nearest + some.first * entry_size, 0,
           (size_t)some.width * some.height * entry_size);
}

/* Sets the entries of a run to infinity. */
static void make_infinite(cn_placer *placer, const cn_run *run)
{
    const cn_plane *frame = &placer->frame;
    const uint32_t lanes = 1u << frame->lane_shift;
    const size_t entry_size = frame->bits / 8;
    uint32_t x, y;

    cn_grid_xy(&placer->map->grid, run->first, &x, &y);
    for (uint32_t end = x + run->end - run->first, count; x < end; x += count) {
        count = end - x < lanes - x % lanes ? end - x : lanes - x % lanes;
        open_chunk(placer,
                   (size_t)(y >> frame->row_shift) * frame->columns + (x >> frame->lane_shift));
        memset((uint8_t *)placer->nearest + cn_plane_index(frame, x, y) * entry_size, 0xff,
               count * entry_size);
    }
}

static void list_minors(cn_placer *placer)
{
    size_t count = 0;

    for (uint32_t i = 0; i < placer->runs.count && count < placer->minor_count; i++) {
        const cn_run *run = &placer->runs.items[i];
        if (run->component == placer->largest)
            continue;
        for (cairn_node node = run->first; node < run->end; node++)
            placer->minor[count++] = (cn_minor){node, run->component, CAIRN_UNREACHABLE};
    }
}

/* Prepares `nearest`, in the layout of the planes, for the time before the first landmark. */
static cairn_status begin_chunks(cn_placer *placer, const cn_plane *plane)
{
    const cn_mem *mem = &placer->map->mem;
    const size_t bands = ((placer->map->grid.height - 1) >> plane->row_shift) + (size_t)1;

    placer->frame = *plane;
    placer->chunk_count = bands * plane->columns;
    cn_release(mem, placer->nearest);
    cn_release(mem, placer->chunk_farthest);
    placer->nearest = cn_array_for(mem, cn_grid_use(&placer->map->grid), bands * plane->band,
                                   plane->bits / 8);
    placer->chunk_farthest = cn_zeroed(mem, placer->chunk_count, sizeof *placer->chunk_farthest);
    if (!placer->nearest || !placer->chunk_farthest)
        return CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < placer->runs.count; i++) {
        if (placer->runs.items[i].component == placer->largest)
            make_infinite(placer, &placer->runs.items[i]);
    }
    list_minors(placer);
    return CAIRN_OK;
}

/* ---------------------------------------------------------------------------- farthest -- */

/* Lowers `nearest` to a row's costs where these are lower. Returns the largest entry afterwards. */
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

static CN_TARGET_AVX512 uint32_t lower_avx512(void *nearest, const void *costs, size_t first,
                                              size_t count, unsigned bits)
{
    return lower(nearest, costs, first, count, bits);
}
#else
#  define lower_avx2 lower_portable
#  define lower_avx512 lower_portable
#endif

static uint32_t lower_chunk(const cn_placer *placer, const cn_plane *plane, const chunk *some)
{
    const size_t count = (size_t)some->width * some->height;
    if (placer->level >= CN_CPU_AVX512)
        return lower_avx512(placer->nearest, plane->costs, some->first, count, plane->bits);
    if (placer->level >= CN_CPU_AVX2)
        return lower_avx2(placer->nearest, plane->costs, some->first, count, plane->bits);
    return lower_portable(placer->nearest, plane->costs, some->first, count, plane->bits);
}

/* The first cell of a chunk whose entry is the largest of all. */
static void seek_in_chunk(cn_placer *placer, size_t index)
{
    const chunk some = chunk_at(placer, index);
    const cairn_cost wanted = placer->farthest[placer->largest];

    for (uint32_t row = 0; row < some.rows; row++) {
        const size_t entry = some.first + (size_t)row * some.width;
        for (uint32_t i = 0; i < some.columns; i++) {
            const cairn_cost cost = cn_entry_get(placer->nearest, entry + i, placer->frame.bits);
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
        /* A tile that is not live was not reached: there is nothing to lower. */
        if (!plane->live || plane->live[i]) {
            const chunk some = chunk_at(placer, i);
            placer->chunk_farthest[i] = lower_chunk(placer, plane, &some);
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

/* Lowers the costs to the nearest landmark by those of the plane, then finds in each component the
 * first of the cells with the largest of them. */
static void choose_farthest(cn_placer *placer, const cn_plane *plane)
{
    memset(placer->next, 0xff, placer->runs.component_count * sizeof *placer->next);
    memset(placer->farthest, 0, placer->runs.component_count * sizeof *placer->farthest);
    if (placer->runs.component_count == 0)
        return;
    choose_in_largest(placer, plane);
    choose_in_others(placer, plane);
}

/* Whether a cost is above `most`. Costs do not use the highest bit. */
CN_ALWAYS_INLINE bool has_above(const void *costs, size_t first, uint32_t count, cairn_cost most,
                                unsigned bits)
{
    uint32_t signs = 0;
    for (uint32_t i = 0; i < count; i++)
        signs |= most - cn_entry_get(costs, first + i, bits);
    return signs >> 31;
}

CN_ALWAYS_INLINE void start_in_run(cn_placer *placer, const cn_plane *plane, const cn_run *run,
                                   unsigned bits)
{
    cairn_cost *farthest = &placer->farthest[run->component];
    const uint32_t lanes = 1u << plane->lane_shift;
    cairn_node node = run->first;
    uint32_t x, y;

    cn_grid_xy(&placer->map->grid, node, &x, &y);
    for (uint32_t count; node < run->end; node += count, x += count) {
        const size_t first = cn_plane_index(plane, x, y);
        count = run->end - node < lanes - x % lanes ? run->end - node : lanes - x % lanes;
        if (!has_above(plane->costs, first, count, *farthest, bits))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t cost = cn_entry_get(plane->costs, first + i, bits);
            if (cost <= *farthest)
                continue;
            *farthest = cost;
            placer->next[run->component] = node + i;
        }
    }
}

static void start_in_runs(cn_placer *placer, const cn_plane *plane)
{
    const cn_runs *runs = &placer->runs;
    if (plane->bits == 16) {
        for (uint32_t i = 0; i < runs->count; i++)
            start_in_run(placer, plane, &runs->items[i], 16);
    } else {
        for (uint32_t i = 0; i < runs->count; i++)
            start_in_run(placer, plane, &runs->items[i], 32);
    }
}

/* The largest cost, of the components in which all cells are reached. */
static cairn_cost longest_reached(const cn_placer *placer, const cn_plane *plane)
{
    cairn_cost longest = 0;
    for (uint32_t i = 0; i < placer->runs.component_count; i++) {
        const cairn_cost farthest = placer->farthest[i];
        longest = farthest <= plane->most && farthest > longest ? farthest : longest;
    }
    return longest;
}

/* Takes the costs from the starting cells, which have reached all cells of the runs, unless no two
 * nodes of a component reach each other. */
cairn_cost cn_placer_start(cn_placer *placer, const cn_plane *plane)
{
    memset(placer->farthest, 0, placer->runs.component_count * sizeof *placer->farthest);
    /* In a component of one cell the landmark is the starting cell. */
    for (size_t i = 0; i < placer->landmark_count; i++) {
        cairn_node start = placer->landmarks[i];
        placer->next[cn_runs_component(&placer->runs, start)] = start;
    }
    start_in_runs(placer, plane);
    collect_landmarks(placer);
    placer->stage = CN_PLACER_HAS_FIRST;
    return longest_reached(placer, plane);
}

static void collect_planned(cn_placer *placer)
{
    memset(placer->next, 0xff, placer->runs.component_count * sizeof *placer->next);
    collect_landmarks(placer);
}

void cn_placer_start_planned(cn_placer *placer)
{
    collect_planned(placer);
    placer->stage = CN_PLACER_HAS_FIRST;
}

cairn_status cn_placer_add_row(cn_placer *placer, const cn_plane *plane)
{
    placer->row++;
    if (placer->is_planned) {
        collect_planned(placer);
        return CAIRN_OK;
    }
    if (placer->stage == CN_PLACER_HAS_FIRST) {
        cairn_status status = begin_chunks(placer, plane);
        if (status != CAIRN_OK)
            return status;
        placer->stage = CN_PLACER_HAS_ROWS;
    }
    choose_farthest(placer, plane);
    collect_landmarks(placer);
    return CAIRN_OK;
}
