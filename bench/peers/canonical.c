/* Dijkstra's algorithm over canonical orderings: a node is left only by the steps that a canonical
 * path may take after the steps by which it was reached, so that few paths of equal cost are
 * followed (Sturtevant and Rabin, "Canonical orderings on grids", 2016). For grids whose steps
 * have two costs; costs are whole numbers inside, since equal ones must be recognised. */
#include <math.h>
#include <stdlib.h>

#include "map/map.h"
#include "peers/binary_heap.h"
#include "peers/peer.h"

typedef struct canonical_record {
    uint32_t g;       /* UINT32_MAX: not reached */
    uint16_t arrived; /* by which directions; bit CN_NOWHERE: it is the source */
    uint8_t taken;    /* the steps that have been followed */
} canonical_record;

typedef struct canonical_state {
    const bench_graph *graph;
    const cairn_map *map;
    canonical_record *records; /* by cell */
    binary_heap open;
} canonical_state;

static void destroy(void *argument)
{
    canonical_state *state = argument;
    free(state->records);
    free(state->open.items);
    free(state);
}

/* Every arc pushes at most once. */
static void *create(const bench_graph *graph)
{
    canonical_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->graph = graph;
    state->map = graph->map;
    state->records = malloc(cairn_map_node_count(graph->map) * sizeof *state->records);
    state->open.items = malloc(((size_t)graph->arc_count + 1) * sizeof *state->open.items);
    if (state->records && state->open.items)
        return state;
    destroy(state);
    return NULL;
}

static void reach(canonical_state *state, cairn_node cell, uint32_t g, unsigned direction)
{
    canonical_record *record = &state->records[cell];
    if (g > record->g || (g == record->g && record->arrived >> direction & 1))
        return;
    if (g < record->g)
        *record = (canonical_record){.g = g};
    record->arrived |= (uint16_t)(1u << direction);
    heap_push(&state->open, g, cell);
}

/* The steps that any of the arrivals allows, and that have not been followed. */
static unsigned steps_from(const cn_grid *grid, canonical_record *record, cairn_node cell)
{
    unsigned steps = 0;
    for (unsigned left = record->arrived; left; left &= left - 1)
        steps |= grid->canonical[cn_lowest_bit(left)][grid->around[cell]];
    steps &= ~(unsigned)record->taken;
    record->taken |= (uint8_t)steps;
    return steps;
}

static void expand(canonical_state *state, cairn_node cell)
{
    const cn_grid *grid = &state->map->grid;
    const int32_t *offset = cn_grid_offsets(grid, cell);
    canonical_record *record = &state->records[cell];
    const uint32_t g = record->g;

    for (unsigned left = steps_from(grid, record, cell); left; left &= left - 1) {
        const unsigned direction = cn_lowest_bit(left);
        const bool is_slanting = direction >= CN_STRAIGHT && grid->rules.rule != CAIRN_RULE_HEX;
        reach(state, cell + (cairn_node)offset[direction], g + state->map->step[is_slanting],
              direction);
    }
}

static void run(void *argument, uint32_t source, double *costs)
{
    canonical_state *state = argument;
    const uint32_t cells = cairn_map_node_count(state->map);
    const double straight = state->map->step[0];

    for (cairn_node cell = 0; cell < cells; cell++)
        state->records[cell] = (canonical_record){.g = UINT32_MAX};
    reach(state, state->graph->cell_of_node[source], 0, CN_NOWHERE);
    while (state->open.count > 0) {
        heap_item next = heap_pop(&state->open);
        if (next.key <= state->records[next.node].g)
            expand(state, next.node);
    }
    for (uint32_t node = 0; node < state->graph->node_count; node++) {
        const uint32_t g = state->records[state->graph->cell_of_node[node]].g;
        costs[node] = g == UINT32_MAX ? HUGE_VAL : g / straight;
    }
}

const bench_peer bench_peer_canonical = {"canonical Dijkstra", create, run, destroy};
