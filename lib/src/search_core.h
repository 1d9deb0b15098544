/*
 * Level 5: the one A* loop. It knows neither grids nor tables: a space gives the arcs that leave a
 * node and a lower bound on what remains; which open list serves is a constant of the space. The
 * loop is inlined into each search that is defined with a constant space, so that nothing is
 * called through a pointer.
 *
 * A node that was closed opens again when a cheaper way to it is found. With a consistent bound
 * that never happens; with others it is what keeps the result right.
 */
#ifndef CN_SEARCH_CORE_H
#define CN_SEARCH_CORE_H

#include "arcs.h"
#include "open_list.h"

typedef struct cn_space {
    /* The arcs that leave a node, given how it was arrived at; in `scratch` (room for 16) or in
     * the graph's own memory. */
    cn_arc_span (*arcs)(const void *graph, cairn_node node, unsigned arrival, cn_arc *scratch);
    /* A lower bound on the cost from a node to the goal; CAIRN_UNREACHABLE: no path. */
    cairn_cost (*bound)(const void *context, cairn_node node);
    cn_open_kind open;
} cn_space;

enum { CN_ARRIVAL_SHIFT = 28 };

#define CN_NODE_OF(label) ((label) & ((1u << CN_ARRIVAL_SHIFT) - 1))
#define CN_ARRIVAL_OF(label) ((label) >> CN_ARRIVAL_SHIFT)

/* What a search knows of a node. Records of earlier searches carry another stamp, so that nothing
 * has to be cleared. */
typedef struct cn_record {
    cairn_cost g;         /* cost of the cheapest way found so far */
    cairn_cost h;         /* the bound, computed when the node was discovered */
    uint32_t stamp;
    cairn_node parent;
} cn_record;

typedef struct cn_scratch {
    cn_open_list open;
    cn_record *records;   /* by node */
    uint32_t stamp;       /* of this search; never 0, which zeroed records carry */
    uint64_t expanded;
    uint64_t generated;
} cn_scratch;

/* Takes a way of cost `g` to a node: discovers the node, or improves it, or drops the way. */
CN_ALWAYS_INLINE void cn_search_reach(const cn_space *space, const void *context, cn_scratch *s,
                                      const cn_arc *arc, cairn_cost g, cairn_node parent)
{
    cn_record *record = &s->records[arc->to];
    if (record->stamp != s->stamp) {
        record->stamp = s->stamp;
        record->h = space->bound(context, arc->to);
    } else if (g >= record->g) {
        return;
    }
    record->g = g;
    record->parent = parent;
    if (record->h == CAIRN_UNREACHABLE)
        return;
    cn_open_item item = {.label = arc->arrival << CN_ARRIVAL_SHIFT | arc->to, .value = g};
    cn_open_push(&s->open, space->open, g + record->h, item);
    s->generated++;
}

CN_ALWAYS_INLINE void cn_search_prefetch(const cn_scratch *s, cn_arc_span span)
{
    for (size_t i = 0; i < span.count; i++)
        CN_PREFETCH(&s->records[span.arcs[i].to]);
}

/* A cheapest path from `start`, which is arrived at as `arrival`, to `goal`. The cost is
 * CAIRN_UNREACHABLE when there is none; else the records hold the way back by their parents.
 * CAIRN_E_LIMIT for costs above CAIRN_COST_MAX, CAIRN_E_MEMORY. */
CN_ALWAYS_INLINE cairn_status cn_search_core(const cn_space *space, const void *graph,
                                             const void *context, cn_scratch *s,
                                             cairn_node start, unsigned arrival, cairn_node goal,
                                             cairn_cost *cost)
{
    const cn_arc first = {.to = start, .cost = 0, .arrival = arrival};
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_open_item item;

    *cost = CAIRN_UNREACHABLE;
    s->expanded = 0;
    s->generated = 0;
    cn_open_reset(&s->open, space->bound(context, start));
    if (!cn_open_reserve(&s->open, 1))
        return CAIRN_E_MEMORY;
    cn_search_reach(space, context, s, &first, 0, CAIRN_NO_NODE);

    while (s->open.count) {
        cn_open_pop(&s->open, space->open, &item);
        cairn_node node = CN_NODE_OF(item.label);
        cairn_cost g = item.value;
        if (g != s->records[node].g)
            continue;
        if (node == goal) {
            *cost = g;
            return CAIRN_OK;
        }
        if (CN_UNLIKELY(g > CAIRN_COST_MAX))
            return CAIRN_E_LIMIT;

        s->expanded++;
        cn_arc_span span = space->arcs(graph, node, CN_ARRIVAL_OF(item.label), scratch);
        if (CN_UNLIKELY(!cn_open_reserve(&s->open, span.count)))
            return CAIRN_E_MEMORY;
        cn_search_prefetch(s, span);
        for (size_t i = 0; i < span.count; i++)
            cn_search_reach(space, context, s, &span.arcs[i], g + span.arcs[i].cost, node);
    }
    return CAIRN_OK;
}

#endif
