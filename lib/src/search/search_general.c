/*
 * Searches on any map with any option: over all steps, with a bound that is dispatched at run time.
 * The faster spaces for grids are in grid_searchers.h, jump_space.h and corner_space.h.
 */
#include "search/search.h"

static cn_arc_span arcs_of_query(const cn_query *query, cairn_node node, cn_arc *scratch)
{
    cn_arc_span span = cn_map_arcs(query->map, node, CN_FORWARD, scratch);
    return query->avoided ? cn_avoidance_arcs(query->avoided, span, scratch) : span;
}

static cn_leaving arcs_of_general(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    visit->record->mark |= CN_EXPANDED;
    if (query->on_expand)
        query->on_expand(query->expand_context, visit->node);
    cn_arc_span span = arcs_of_query(query, visit->node, visit->scratch->arcs.items);
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

/* ----------------------------------------------------------------- walking over everything -- */

bool cn_search_walk(cairn_search *search, cairn_node node)
{
    cn_scratch *scratch = &search->scratch;
    cn_record *records = scratch->records;
    cairn_node top = search->query.start;

    cn_search_next(search, 0, CAIRN_UNREACHABLE);
    records[top].mark = scratch->stamp;
    records[top].h = CAIRN_NO_NODE;
    while (top != CAIRN_NO_NODE) {
        cn_arc_span span = arcs_of_query(&search->query, top, scratch->arcs.items);
        top = records[top].h;
        for (size_t i = 0; i < span.count; i++) {
            cn_record *record = &records[span.arcs[i].to];
            if (span.arcs[i].to == node)
                return true;
            if (cn_scratch_knows(scratch, false, span.arcs[i].to))
                continue;
            record->mark = scratch->stamp;
            record->h = top;
            top = span.arcs[i].to;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------------ in steps -- */

cairn_status cairn_search_look(const cairn_search *search, cairn_node node, cairn_node_info *info)
{
    if (!info)
        return CAIRN_E_ARGUMENT;
    *info = (cairn_node_info){.state = CAIRN_NODE_UNSEEN,
                              .parent = CAIRN_NO_NODE,
                              .g = CAIRN_UNREACHABLE,
                              .h = CAIRN_UNREACHABLE,
                              .f = CAIRN_UNREACHABLE};
    if (!search || node >= cn_map_node_count(search->map))
        return CAIRN_E_ARGUMENT;
    const uint32_t at = cn_search_record_of(search, node);
    if (search->scratch.stamp == 0 || at == CN_NO_CORNER)
        return CAIRN_OK;
    const bool by_directory = search->query.corners != NULL;
    if (!cn_scratch_knows(&search->scratch, by_directory, at))
        return CAIRN_OK;
    const cn_record *record = cn_scratch_record(&search->scratch, by_directory, at);
    info->state = record->mark & CN_EXPANDED ? CAIRN_NODE_CLOSED : CAIRN_NODE_OPEN;
    info->parent = cn_record_cell(&search->query, CN_NODE_OF(record->parent));
    info->g = record->g;
    info->h = record->h;
    info->f = (uint64_t)record->g + record->h;
    return CAIRN_OK;
}
