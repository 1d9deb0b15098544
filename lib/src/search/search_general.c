/*
 * Searches on any map with any option: all steps, one bound that looks at what it is made of each
 * time it is asked. The fast spaces of uniform grids are in grid_spaces.h.
 */
#include "search/search.h"

/* The low byte of a mark says nothing else here; it falls back to 0 when a node opens again. */
enum { EXPANDED = 1 };

static cn_leaving arcs_of_any(const void *context, const cn_visit *visit)
{
    const cn_trip *trip = context;
    visit->record->mark |= EXPANDED;
    if (trip->on_expand)
        trip->on_expand(trip->expand_context, visit->node);
    cn_arc_span span = cn_map_arcs(trip->map, visit->node, CN_FORWARD, visit->scratch->arcs);
    return (cn_leaving){span.arcs, span.count, 0};
}

static cairn_cost bare_bound(const cn_trip *trip, cairn_node node)
{
    if (trip->own_bound) {
        cairn_cost bound = trip->own_bound(trip->own_context, node);
        return bound > CAIRN_COST_MAX ? CAIRN_UNREACHABLE : bound;
    }
    cairn_cost plain = cn_plain_between(trip->map, trip->plain, node, trip->goal);
    return trip->entries ? cn_trip_larger(plain, cn_trip_rows(trip, node)) : plain;
}

/* A weighted bound that would not fit is cut: less weight gives the same guarantee. */
static cairn_cost bound_of_any(const void *context, cairn_node node)
{
    const cn_trip *trip = context;
    cairn_cost bound = bare_bound(trip, node);
    if (trip->weight == CN_WEIGHT_ONE || bound == CAIRN_UNREACHABLE)
        return bound;
    uint64_t weighted = (uint64_t)bound * trip->weight / CN_WEIGHT_ONE;
    return weighted > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)weighted;
}

static const void *reads_of_any(const void *context, cairn_node node)
{
    const cn_trip *trip = context;
    return trip->entries ? cn_reads_rows(trip, node) : trip;
}

cairn_status cn_search_any(const cn_trip *trip, cn_scratch *scratch, cairn_cost *cost)
{
    static const cn_space space = {.arcs = arcs_of_any, .bound = bound_of_any,
                                   .reads = reads_of_any, .open = CN_OPEN_BUCKETS};
    return cn_search_core(&space, trip, scratch, trip->start, CN_NOWHERE, trip->goal, cost);
}

cairn_status cn_search_any_ties(const cn_trip *trip, cn_scratch *scratch, cairn_cost *cost)
{
    static const cn_space space = {.arcs = arcs_of_any, .bound = bound_of_any,
                                   .reads = reads_of_any, .open = CN_OPEN_HEAP,
                                   .pauses = true};
    return cn_search_core(&space, trip, scratch, trip->start, CN_NOWHERE, trip->goal, cost);
}

/* ------------------------------------------------------------------------------ everything -- */

bool cn_search_walk(cairn_search *search, cairn_node node)
{
    cn_scratch *scratch = &search->scratch;
    cn_record *records = scratch->records;
    cairn_node top = search->trip.start;

    cn_search_next(search, CAIRN_UNREACHABLE);
    records[top].mark = scratch->stamp;
    records[top].h = CAIRN_NO_NODE;
    while (top != CAIRN_NO_NODE) {
        cn_arc_span span = cn_map_arcs(search->map, top, CN_FORWARD, scratch->arcs);
        top = records[top].h;
        for (size_t i = 0; i < span.count; i++) {
            cn_record *record = &records[span.arcs[i].to];
            if (span.arcs[i].to == node)
                return true;
            if (cn_search_knows(scratch, record))
                continue;
            record->mark = scratch->stamp;
            record->h = top;
            top = span.arcs[i].to;
        }
    }
    return false;
}

/* ------------------------------------------------------------------------------ stepping -- */

cairn_status cairn_search_look(const cairn_search *search, cairn_node node, cairn_node_info *info)
{
    if (!search || !info || node >= cn_map_node_count(search->map))
        return CAIRN_E_ARGUMENT;
    const cn_record *record = &search->scratch.records[node];
    *info = (cairn_node_info){.state = CAIRN_NODE_UNSEEN, .parent = CAIRN_NO_NODE,
                              .g = CAIRN_UNREACHABLE, .h = CAIRN_UNREACHABLE,
                              .f = CAIRN_UNREACHABLE};
    if (search->scratch.stamp == 0 || !cn_search_knows(&search->scratch, record))
        return CAIRN_OK;
    info->state = record->mark & EXPANDED ? CAIRN_NODE_CLOSED : CAIRN_NODE_OPEN;
    info->parent = CN_NODE_OF(record->parent);
    info->g = record->g;
    info->h = record->h;
    info->f = (uint64_t)record->g + record->h;
    return CAIRN_OK;
}
