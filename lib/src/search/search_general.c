/*
 * Searches on any map with any option: over all steps, with a bound that is dispatched at run time.
 * The faster spaces for grids are in grid_searchers.h, jump_space.h and corner_space.h.
 */
#include "search/search.h"

static cn_leaving arcs_of_general(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    visit->record->mark |= CN_EXPANDED;
    if (query->on_expand)
        query->on_expand(query->expand_context, visit->node);
    cn_arc_span span = cn_query_arcs(query, visit->node, visit->scratch->arcs.items);
    return (cn_leaving){span.arcs, span.count, 0};
}

static cairn_cost bare_bound(const cn_query *query, cairn_node node)
{
    if (query->own_bound) {
        const cairn_cost bound = query->own_bound(query->own_context, node);
        return bound > CAIRN_COST_MAX && bound != CAIRN_UNREACHABLE ? CAIRN_COST_MAX : bound;
    }
    cairn_cost base = cn_base_between(query->map, query->heuristic, node, query->goal);
    return query->entries ? cn_larger_cost(base, cn_query_rows(query, node)) : base;
}

/* A weighted bound that would not fit is limited: with less weight the same guarantee holds. */
static cairn_cost bound_of_general(const void *context, cairn_node node)
{
    const cn_query *query = context;
    cairn_cost bound = bare_bound(query, node);
    if (query->weight == CN_WEIGHT_ONE || bound == CAIRN_UNREACHABLE)
        return bound;
    uint64_t weighted = (uint64_t)bound * query->weight / CN_WEIGHT_ONE;
    return weighted > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)weighted;
}

static const void *reads_of_general(const void *context, cairn_node node)
{
    const cn_query *query = context;
    return query->entries ? cn_reads_rows(query, node) : query;
}

cairn_status cn_search_general(const cn_query *query, cn_scratch *scratch, cairn_cost *cost)
{
    static const cn_space space = {.arcs = arcs_of_general,
                                   .bound = bound_of_general,
                                   .reads = reads_of_general,
                                   .open = CN_OPEN_BUCKETS};
    return cn_astar_run(&space, query, scratch, query->start, CN_NOWHERE, query->goal, cost);
}

cairn_status cn_search_general_ties(const cn_query *query, cn_scratch *scratch, cairn_cost *cost)
{
    static const cn_space space = {.arcs = arcs_of_general,
                                   .bound = bound_of_general,
                                   .reads = reads_of_general,
                                   .open = CN_OPEN_HEAP,
                                   .reopens = true};
    return cn_astar_run(&space, query, scratch, query->start, CN_NOWHERE, query->goal, cost);
}
