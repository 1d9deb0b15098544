/* Other ways to get all costs from one node. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "kit/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `create` may take as long as it likes and copies the graph; NULL when there is no memory.
 * `run` fills `costs`, one per node, HUGE_VAL where unreachable. */
typedef struct bench_peer {
    const char *name;
    void *(*create)(const bench_graph *graph);
    void (*run)(void *state, uint32_t source, double *costs);
    void (*destroy)(void *state);
} bench_peer;

extern const bench_peer bench_peer_heap;
extern const bench_peer bench_peer_canonical; /* for grids whose steps have two costs */
extern const bench_peer bench_peer_boost;
extern const bench_peer bench_peer_boost_predecessors; /* records the step to each node as well */
extern const bench_peer bench_peer_boost_breadth;      /* counts arcs */

#ifdef __cplusplus
}
#endif

#endif
