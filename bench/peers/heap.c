/* The textbook: Dijkstra with a binary heap, double costs, and stale entries skipped. */
#include "peers/peer.h"

#include <math.h>
#include <stdlib.h>

#include "peers/binary_heap.h"

typedef struct heap_state {
    const bench_graph *graph;
    binary_heap open;
} heap_state;

/* Every arc pushes at most once, so the heap never outgrows their number. */
static void *create(const bench_graph *graph)
{
    heap_state *state = malloc(sizeof *state);
    heap_item *items = malloc(((size_t)graph->arc_count + 1) * sizeof *items);
    if (!state || !items) {
        free(state);
        free(items);
        return NULL;
    }
    *state = (heap_state){.graph = graph, .open = {.items = items}};
    return state;
}

static void destroy(void *argument)
{
    heap_state *state = argument;
    free(state->open.items);
    free(state);
}

static void run(void *argument, uint32_t source, double *costs)
{
    heap_state *state = argument;
    const bench_graph *graph = state->graph;
    for (uint32_t node = 0; node < graph->node_count; node++)
        costs[node] = HUGE_VAL;

    costs[source] = 0;
    heap_push(&state->open, 0, source);
    while (state->open.count > 0) {
        heap_item next = heap_pop(&state->open);
        if (next.key > costs[next.node])
            continue;
        for (uint32_t arc = graph->arc_start[next.node]; arc < graph->arc_start[next.node + 1];
             arc++) {
            double cost = next.key + graph->arc_cost[arc];
            uint32_t target = graph->arc_target[arc];
            if (cost >= costs[target])
                continue;
            costs[target] = cost;
            heap_push(&state->open, cost, target);
        }
    }
}

const bench_peer bench_peer_heap = {"binary heap", create, run, destroy};
