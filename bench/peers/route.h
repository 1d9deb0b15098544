/* Other ways to get one path. */
#ifndef BENCH_ROUTE_H
#define BENCH_ROUTE_H

#include <math.h>

#include "kit/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_route {
    double cost; /* HUGE_VAL where there is no path */
    uint64_t expanded;
    uint32_t node_count; /* of the path, which is read out but not kept */
} bench_route;

/* `create` may take as long as it likes and copies the graph; x and y give the column and row of
 * each node and stay the caller's. NULL when there is no memory. */
typedef struct bench_router {
    const char *name;
    void *(*create)(const bench_graph *graph, const uint32_t *x, const uint32_t *y);
    void (*run)(void *state, uint32_t start, uint32_t goal, bench_route *route);
    void (*destroy)(void *state);
    size_t (*bytes)(const void *state); /* of what it keeps beside the graph; NULL: nothing */
} bench_router;

/* The heuristic of all of them: octile distance, and on hexagons, where that may be too high, the
 * number of steps on an empty map. */
static inline double bench_distance(bool is_hex, const uint32_t a[2], const uint32_t b[2])
{
    const double down = fabs((double)a[1] - b[1]);
    double across = fabs((double)a[0] - b[0]);
    if (is_hex) {
        across = fabs(a[0] + (a[1] & 1) / 2.0 - (b[0] + (b[1] & 1) / 2.0));
        return down + fmax(0, across - down / 2);
    }
    return fmax(across, down) + (sqrt(2.0) - 1) * fmin(across, down);
}

extern const bench_router bench_router_textbook;
extern const bench_router bench_router_boost;
extern const bench_router bench_router_jump_plus; /* the last two: 8 neighbours, corners not cut */
extern const bench_router bench_router_goal_bounding; /* create floods from every cell */

#ifdef __cplusplus
}
#endif

#endif
