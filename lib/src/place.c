#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "rng.h"

/* The cells that start: in each component the cell whose number, in row order, the seed gives. */
static void choose_starts(cn_placer *placer, uint64_t seed)
{
    uint32_t *skip = placer->next;
    cn_rng rng = {seed};
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
    placer->component = cn_array(mem, node_count, sizeof *placer->component);
    if (!placer->component)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_map_components(map, mem, placer->component,
                                            &placer->component_size, &placer->component_count);
    if (status == CAIRN_OK && cn_map_is_directed(map))
        status = cn_map_keep_cores(map, mem, placer->component, placer->component_size,
                                   placer->component_count);
    if (status == CAIRN_OK) {
        placer->nearest = cn_array(mem, node_count, sizeof *placer->nearest);
        placer->next = cn_array(mem, placer->component_count, sizeof *placer->next);
        placer->landmarks = cn_array(mem, placer->component_count, sizeof *placer->landmarks);
        if (!placer->nearest || !placer->next || !placer->landmarks)
            status = CAIRN_E_MEMORY;
    }
    if (status != CAIRN_OK) {
        cn_placer_free(placer);
        return status;
    }
    memset(placer->nearest, 0xff, (size_t)node_count * sizeof *placer->nearest);
    choose_starts(placer, seed);
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

/* Finds, in each component, the first of the cells with the largest `nearest`, after lowering
 * those by the plane. */
static void choose_farthest(cn_placer *placer, const cn_plane *plane)
{
    const cn_grid *grid = &placer->map->grid;
    cairn_node node = 0;

    memset(placer->next, 0xff, placer->component_count * sizeof *placer->next);
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            uint32_t component = placer->component[node];
            if (component == CN_NO_COMPONENT)
                continue;
            cairn_cost cost = cn_plane_at(plane, x, y);
            if (cost < placer->nearest[node])
                placer->nearest[node] = cost;
            cairn_node best = placer->next[component];
            cairn_cost most = best == CAIRN_NO_NODE ? 0 : placer->nearest[best];
            if (placer->nearest[node] > most)
                placer->next[component] = node;
        }
    }
}

cairn_cost cn_placer_start(cn_placer *placer, const cn_plane *plane)
{
    uint32_t node_count = cn_map_node_count(placer->map);
    cairn_cost longest = 0;

    choose_farthest(placer, plane);
    /* A component of one cell has nothing farther than its start. */
    for (size_t i = 0; i < placer->landmark_count; i++) {
        cairn_node start = placer->landmarks[i];
        uint32_t component = placer->component[start];
        if (placer->next[component] == CAIRN_NO_NODE)
            placer->next[component] = start;
        else if (placer->nearest[placer->next[component]] > longest)
            longest = placer->nearest[placer->next[component]];
    }
    collect_landmarks(placer);
    memset(placer->nearest, 0xff, (size_t)node_count * sizeof *placer->nearest);
    return longest;
}

void cn_placer_add_row(cn_placer *placer, const cn_plane *plane)
{
    placer->row++;
    choose_farthest(placer, plane);
    collect_landmarks(placer);
}
