/* Nodes and arcs in compressed rows, forward and reverse. */
#ifndef CN_MAP_GRAPH_H
#define CN_MAP_GRAPH_H

#include "base/mem.h"

typedef struct cn_arc {
    cairn_node to;
    cairn_cost cost;
    uint32_t arrival;  /* below 16: for a search space's own use when the node is expanded */
} cn_arc;

typedef struct cn_arc_span {
    const cn_arc *arcs;
    size_t count;
} cn_arc_span;

/* Positions on a plane, and what a unit of distance costs at least. */
typedef struct cn_places {
    int32_t *x;        /* as given */
    int32_t *y;
    uint32_t *plane_x;  /* scaled, so that squares of distances fit 64 bits */
    uint32_t *plane_y;
    uint32_t cost;      /* the least cost / distance of any arc is cost / distance */
    uint32_t distance;
} cn_places;

typedef struct cn_roadmap {
    uint32_t node_count;
    uint32_t arc_count;   /* without loops, and one for each pair of nodes: the cheapest */
    uint32_t *out_start;  /* [node_count + 1] into out */
    cn_arc *out;          /* by node they leave, then by node they enter */
    uint32_t *in_start;   /* the same reversed; shared with out where that is symmetric */
    cn_arc *in;
    bool is_directed;
    cairn_cost least;     /* of all arc costs; 1 where there is none */
    cairn_cost most;
    cn_places places;     /* x NULL: no coordinates */
    void *bound_context;  /* the user's own plain bound, for spaces of callbacks */
    cairn_cost (*bound)(void *context, cairn_node node, cairn_node goal);
} cn_roadmap;

/* Compresses arcs that are checked already: ends below node_count, costs from 1 to
 * CAIRN_COST_MAX. */
cairn_status cn_roadmap_new(const cn_mem *mem, uint32_t node_count, const cairn_arc *arcs,
                            size_t arc_count, cn_roadmap **roadmap);
void cn_roadmap_free(cn_roadmap *roadmap, const cn_mem *mem);
cairn_status cn_roadmap_clone(const cn_roadmap *roadmap, const cn_mem *mem, cn_roadmap **copy);

/* The same nodes and arcs, each at cost 1, without coordinates. */
cairn_status cn_roadmap_clone_steps(const cn_roadmap *roadmap, const cn_mem *mem,
                                    cn_roadmap **copy);

/* Gives the nodes coordinates, which are copied, and finds the best bound they allow. */
cairn_status cn_roadmap_place(cn_roadmap *roadmap, const cn_mem *mem, const int32_t *x,
                              const int32_t *y);

/* Gives an arc another cost in both its rows; where the roadmap is not directed, the arc back, too.
 * False when there is no such arc. */
bool cn_roadmap_set_cost(cn_roadmap *roadmap, cairn_node from, cairn_node to, cairn_cost cost);

/* An arc's cost; 0 when there is no such arc. */
cairn_cost cn_roadmap_cost(const cn_roadmap *roadmap, cairn_node from, cairn_node to);

/* Lets ways and ways back differ from now on. */
cairn_status cn_roadmap_direct(cn_roadmap *roadmap, const cn_mem *mem);

/* A cost that no path between two nodes undercuts, by their distance on the plane. Consistent:
 * see docs/ALGORITHMS.md. */
cairn_cost cn_roadmap_bound(const cn_roadmap *roadmap, cairn_node node, cairn_node goal);

/* Has the arcs of a node fetched, 15 of them at most: no line of the cache is skipped. */
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
