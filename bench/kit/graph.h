/* A map as the graph that a library for general graphs would be given. */
#ifndef BENCH_GRAPH_H
#define BENCH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cairn_map;

/* Open cells are numbered in row order; the arcs of node v are arc_start[v] up to, not with,
 * arc_start[v + 1]. Costs are 1 and, along a diagonal of a square, sqrt(2). */
typedef struct bench_graph {
    uint32_t node_count;
    uint32_t arc_count;
    uint32_t *arc_start;
    uint32_t *arc_target;
    double *arc_cost;
    bool costs_are_equal;
    bool is_hex;            /* cells are hexagons, and odd rows lie half a cell further right */
    uint32_t *node_of_cell; /* UINT32_MAX for a blocked one */
    uint32_t *cell_of_node;
    const struct cairn_map *map; /* that it was made of */
} bench_graph;

int bench_graph_init(bench_graph *graph, const struct cairn_map *map);
void bench_graph_free(bench_graph *graph);

#ifdef __cplusplus
}
#endif

#endif
