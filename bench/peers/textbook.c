/* The textbook's A*: a binary heap, double costs, arrays cleared for every query. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "peers/binary_heap.h"
#include "peers/route.h"

typedef struct textbook {
    const bench_graph *graph;
    const uint32_t *x;
    const uint32_t *y;
    double *cost;
    uint32_t *parent;
    bool *closed;
    binary_heap open;
} textbook;

static void destroy(void *argument)
{
    textbook *state = argument;
    free(state->cost);
    free(state->parent);
    free(state->closed);
    free(state->open.items);
    free(state);
}

/* Every arc pushes at most once, so the heap never outgrows their number. */
static void *create(const bench_graph *graph, const uint32_t *x, const uint32_t *y)
{
    textbook *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    *state = (textbook){.graph = graph, .x = x, .y = y};
    state->cost = malloc((graph->node_count + 1) * sizeof *state->cost);
    state->parent = malloc((graph->node_count + 1) * sizeof *state->parent);
    state->closed = malloc((graph->node_count + 1) * sizeof *state->closed);
    state->open.items = malloc(((size_t)graph->arc_count + 2) * sizeof *state->open.items);
    if (state->cost && state->parent && state->closed && state->open.items)
        return state;
    destroy(state);
    return NULL;
}

static double distance(const textbook *state, uint32_t a, uint32_t b)
{
    return bench_distance(state->graph->is_hex, (const uint32_t[]){state->x[a], state->y[a]},
                          (const uint32_t[]){state->x[b], state->y[b]});
}

static void clear(textbook *state)
{
    for (uint32_t node = 0; node < state->graph->node_count; node++)
        state->cost[node] = HUGE_VAL;
    memset(state->closed, 0, state->graph->node_count * sizeof *state->closed);
    state->open.count = 0;
}

static void expand(textbook *state, uint32_t node, uint32_t goal)
{
    const bench_graph *graph = state->graph;
    for (uint32_t arc = graph->arc_start[node]; arc < graph->arc_start[node + 1]; arc++) {
        uint32_t next = graph->arc_target[arc];
        double cost = state->cost[node] + graph->arc_cost[arc];
        if (state->closed[next] || cost >= state->cost[next])
            continue;
        state->cost[next] = cost;
        state->parent[next] = node;
        heap_push(&state->open, cost + distance(state, next, goal), next);
    }
}

static void run(void *argument, uint32_t start, uint32_t goal, bench_route *route)
{
    textbook *state = argument;
    *route = (bench_route){.cost = HUGE_VAL};
    clear(state);
    state->cost[start] = 0;
    heap_push(&state->open, distance(state, start, goal), start);
    while (state->open.count) {
        uint32_t node = heap_pop(&state->open).node;
        if (state->closed[node])
            continue;
        if (node == goal)
            break;
        state->closed[node] = true;
        route->expanded++;
        expand(state, node, goal);
    }
    route->cost = state->cost[goal];
    if (route->cost == HUGE_VAL)
        return;
    route->node_count = 1;
    for (uint32_t node = goal; node != start; node = state->parent[node])
        route->node_count++;
}

const bench_router bench_router_textbook = {"textbook A*", create, run, destroy, NULL};
