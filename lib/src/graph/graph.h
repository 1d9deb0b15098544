/* Arcs, and roadmaps: nodes and arcs as compressed rows (CSR), forward and reverse. */
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
CN_ALWAYS_INLINE bool cn_arc_list_hold(cn_arc_list *list, size_t needed)
{
    return CN_LIKELY(needed <= list->capacity) || cn_arc_list_grow(list, needed);
}

/* Coordinates of nodes on a plane, and the least cost of a unit of distance. */
typedef struct cn_places {
    int32_t *x; /* as given */
    int32_t *y;
    uint32_t *plane_x; /* scaled so that squares of distances fit 64 bits */
    uint32_t *plane_y;
    uint32_t cost; /* cost / distance is the least ratio of any arc's cost to its distance */
    uint32_t distance;
} cn_places;

typedef struct cn_roadmap {
    uint32_t node_count;
    uint32_t arc_count;  /* without loops; of parallel arcs only the cheapest */
    uint32_t *out_start; /* [node_count + 1] into out */
    cn_arc *out;         /* by the node that they leave, then by the node that they enter */
    uint32_t *in_start;  /* the same for reversed arcs; shared with out_start and out where each
                          * arc equals its reverse */
    cn_arc *in;
    bool is_directed;
    cairn_cost least; /* of all arc costs; 1 where there is none */
    cairn_cost most;
    cn_places places;    /* x NULL: no coordinates */
    void *bound_context; /* the callback of a cairn_own_graph, for the base heuristic */
    cairn_cost (*bound)(void *context, cairn_node node, cairn_node goal);
} cn_roadmap;

/* Compresses arcs that have been checked: ends below node_count, costs from 1 to CAIRN_COST_MAX.
 * The array is sorted meanwhile, and means nothing afterwards. */
cairn_status cn_roadmap_new(const cn_mem *mem, uint32_t node_count, cairn_arc *arcs,
                            size_t arc_count, cn_roadmap **roadmap);
void cn_roadmap_free(cn_roadmap *roadmap, const cn_mem *mem);
cairn_status cn_roadmap_clone(const cn_roadmap *roadmap, const cn_mem *mem, cn_roadmap **copy);

/* A copy in which every arc costs 1, without coordinates: the roadmap of a step map. */
cairn_status cn_roadmap_clone_steps(const cn_roadmap *roadmap, const cn_mem *mem,
                                    cn_roadmap **copy);

/* Gives the nodes coordinates, which are copied, and computes the best base heuristic from them. */
cairn_status cn_roadmap_place(cn_roadmap *roadmap, const cn_mem *mem, const int32_t *x,
                              const int32_t *y);

/* Changes the cost of an arc in both its rows and, where the roadmap is not directed, that of the
 * reverse arc. False when there is no such arc. */
bool cn_roadmap_set_cost(cn_roadmap *roadmap, cairn_node from, cairn_node to, cairn_cost cost);

/* The cost of an arc; 0 when there is no such arc. */
cairn_cost cn_roadmap_cost(const cn_roadmap *roadmap, cairn_node from, cairn_node to);

/* Whether each arc costs the same as its reverse now. Edits may have made a directed roadmap so. */
bool cn_roadmap_is_symmetric(const cn_roadmap *roadmap);

/* Makes an undirected roadmap directed: from now on an arc may cost other than its reverse. */
cairn_status cn_roadmap_direct(cn_roadmap *roadmap, const cn_mem *mem);

/* The base heuristic from coordinates: a cost that no path between two nodes undercuts, by their
 * distance on the plane. Consistent: see docs/ALGORITHMS.md. */
cairn_cost cn_roadmap_bound(const cn_roadmap *roadmap, cairn_node node, cairn_node goal);

/* Prefetches the arcs of a node, at most 15, so that no cache line between them is skipped. */
CN_ALWAYS_INLINE void cn_roadmap_fetch(const uint32_t *start, const cn_arc *arcs, cairn_node node)
{
    const cn_arc *first = &arcs[start[node]], *end = &arcs[start[node + 1]];
    CN_PREFETCH(first);
    CN_PREFETCH(first + (end - first) / 2);
    CN_PREFETCH(end - 1);
}

static inline cn_arc_span cn_roadmap_out(const cn_roadmap *roadmap, cairn_node node)
{
    uint32_t first = roadmap->out_start[node];
    return (cn_arc_span){roadmap->out + first, roadmap->out_start[node + 1] - first};
}

static inline cn_arc_span cn_roadmap_in(const cn_roadmap *roadmap, cairn_node node)
{
    uint32_t first = roadmap->in_start[node];
    return (cn_arc_span){roadmap->in + first, roadmap->in_start[node + 1] - first};
}

#endif
