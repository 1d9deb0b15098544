/* The textbook: Dijkstra with a binary heap, double costs, and stale entries skipped. */
#include "peers/peer.h"

#include <math.h>
#include <stdlib.h>

typedef struct item {
    double cost;
    uint32_t node;
} item;

typedef struct heap_state {
    const bench_graph *graph;
    item *items;
    size_t count;
} heap_state;

/* Every arc pushes at most once, so the heap never outgrows their number. */
static void *create(const bench_graph *graph)
{
    heap_state *state = malloc(sizeof *state);
    item *items = malloc(((size_t)graph->arc_count + 1) * sizeof *items);
    if (!state || !items) {
        free(state);
        free(items);
        return NULL;
    }
    *state = (heap_state){.graph = graph, .items = items};
    return state;
}

static void destroy(void *argument)
{
    heap_state *state = argument;
    free(state->items);
    free(state);
}

static void push(heap_state *state, item added)
{
    size_t place = state->count++;
    while (place > 0 && state->items[(place - 1) / 2].cost > added.cost) {
        state->items[place] = state->items[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    state->items[place] = added;
}

static item pop(heap_state *state)
{
    item top = state->items[0];
    item last = state->items[--state->count];
    size_t place = 0;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= state->count)
            break;
        if (child + 1 < state->count && state->items[child + 1].cost < state->items[child].cost)
            child++;
        if (state->items[child].cost >= last.cost)
            break;
        state->items[place] = state->items[child];
        place = child;
    }
    state->items[place] = last;
    return top;
}

static void run(void *argument, uint32_t source, double *costs)
{
    heap_state *state = argument;
    const bench_graph *graph = state->graph;
    for (uint32_t node = 0; node < graph->node_count; node++)
        costs[node] = HUGE_VAL;

    costs[source] = 0;
    push(state, (item){0, source});
    while (state->count > 0) {
        item next = pop(state);
        if (next.cost > costs[next.node])
            continue;
        for (uint32_t arc = graph->arc_start[next.node]; arc < graph->arc_start[next.node + 1];
             arc++) {
            double cost = next.cost + graph->arc_cost[arc];
            uint32_t target = graph->arc_target[arc];
            if (cost >= costs[target])
                continue;
            costs[target] = cost;
            push(state, (item){cost, target});
        }
    }
}

const bench_peer bench_peer_heap = {"binary heap", create, run, destroy};
