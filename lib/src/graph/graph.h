/* Arcs, and graphs: nodes and arcs as compressed rows (CSR), forward and reverse. */
#ifndef CN_GRAPH_GRAPH_H
#define CN_GRAPH_GRAPH_H

#include "base/mem.h"

typedef struct cn_arc {
    cairn_node to;
    cairn_cost cost;
    uint32_t arrival; /* what a search keeps of the arc for when the node is expanded: the direction
                       * of the last step or, at the ends of runs from corners, the cell */
} cn_arc;

typedef struct cn_arc_span {
    const cn_arc *arcs;
    size_t count;
} cn_arc_span;

/* Arcs that are found, with room that grows. */
typedef struct cn_arc_list {
    const cn_mem *mem;
    cn_arc *items;
    size_t count;
    size_t capacity;
} cn_arc_list;

/* Makes room for so many arcs in all; false when there is no memory. */
bool cn_arc_list_grow(cn_arc_list *list, size_t needed);
CN_ALWAYS_INLINE bool cn_arc_list_reserve(cn_arc_list *list, size_t needed)
{
    return CN_LIKELY(needed <= list->capacity) || cn_arc_list_grow(list, needed);
}

/* Coordinates of nodes on a plane, and the least cost of a unit of distance. */
typedef struct cn_coordinates {
    int32_t *x; /* as given */
    int32_t *y;
    uint32_t *plane_x; /* scaled so that squares of distances fit 64 bits */
    uint32_t *plane_y;
    uint32_t cost; /* cost / distance is the least ratio of any arc's cost to its distance */
    uint32_t distance;
} cn_coordinates;

typedef struct cn_graph {
    uint32_t node_count;
    uint32_t arc_count;  /* without loops; of parallel arcs only the cheapest */
    uint32_t *out_start; /* [node_count + 1] into out */
    cn_arc *out;         /* by the node that they leave, then by the node that they enter */
    uint32_t *in_start;  /* the same for reversed arcs; shared with out_start and out where each
                          * arc equals its reverse */
    cn_arc *in;
    bool is_directed; /* an arc may cost other than its reverse, or have none. Edits that make
                       * costs alike leave it so */
    cairn_cost least; /* of all arc costs, and those that edits have set; 1 where there is none */
    cairn_cost most;
    cn_coordinates coordinates; /* x NULL: no coordinates */
    void *bound_context;        /* the callback of a cairn_callback_graph, for the base heuristic */
    cairn_cost (*bound)(void *context, cairn_node node, cairn_node goal);
} cn_graph;

/* Compresses arcs that have been checked: ends below node_count, costs from 1 to CAIRN_COST_MAX.
 * The array is sorted meanwhile, and means nothing afterwards. */
cairn_status cn_graph_new(const cn_mem *mem, uint32_t node_count, cairn_arc *arcs, size_t arc_count,
                          cn_graph **graph);
void cn_graph_free(cn_graph *graph, const cn_mem *mem);

/* The bytes that a graph has taken from its allocator; 0 for NULL. */
size_t cn_graph_memory(const cn_graph *graph);

cairn_status cn_graph_clone(const cn_graph *graph, const cn_mem *mem, cn_graph **copy);

/* A copy in which every arc costs 1, without coordinates: the graph of a step map. */
cairn_status cn_graph_clone_steps(const cn_graph *graph, const cn_mem *mem, cn_graph **copy);

/* Gives the nodes coordinates, which are copied, and computes the best base heuristic from them. */
cairn_status cn_graph_place(cn_graph *graph, const cn_mem *mem, const int32_t *x, const int32_t *y);

/* Changes the cost of an arc in both its rows and, where the graph is not directed, that of the
 * reverse arc. False when there is no such arc. cn_graph_take_cost must follow once the cost stays:
 * until then it is not among those that decide the base heuristic. */
bool cn_graph_set_cost(cn_graph *graph, cairn_node from, cairn_node to, cairn_cost cost);
void cn_graph_take_cost(cn_graph *graph, cairn_node from, cairn_node to);

/* The cost of an arc; 0 when there is no such arc. */
cairn_cost cn_graph_cost(const cn_graph *graph, cairn_node from, cairn_node to);

/* Whether each arc costs the same as its reverse now. Edits may have made a directed graph so. */
bool cn_graph_is_symmetric(const cn_graph *graph);

/* Makes an undirected graph directed: from now on an arc may cost other than its reverse. */
cairn_status cn_graph_direct(cn_graph *graph, const cn_mem *mem);

/* The base heuristic from coordinates: a cost that no path between two nodes undercuts, by their
 * distance on the plane. Consistent: see docs/ALGORITHMS.md. */
cairn_cost cn_graph_bound(const cn_graph *graph, cairn_node node, cairn_node goal);

/* Prefetches the arcs of a node, at most 15, so that no cache line between them is skipped. */
CN_ALWAYS_INLINE void cn_graph_fetch(const uint32_t *start, const cn_arc *arcs, cairn_node node)
{
    const cn_arc *first = &arcs[start[node]], *end = &arcs[start[node + 1]];
    CN_PREFETCH(first);
    CN_PREFETCH(first + (end - first) / 2);
    CN_PREFETCH(end - 1);
}

static inline cn_arc_span cn_graph_out(const cn_graph *graph, cairn_node node)
{
    uint32_t first = graph->out_start[node];
    return (cn_arc_span){graph->out + first, graph->out_start[node + 1] - first};
}

static inline cn_arc_span cn_graph_in(const cn_graph *graph, cairn_node node)
{
    uint32_t first = graph->in_start[node];
    return (cn_arc_span){graph->in + first, graph->in_start[node + 1] - first};
}

#endif
