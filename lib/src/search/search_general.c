/*
 * Searches on any map with any option: all steps, one bound that looks at what it is made of each
 * time it is asked. The fast spaces of uniform grids are in grid_spaces.h.
 */
#include "search/search.h"

/* The low byte of a mark says nothing else here; it falls back to 0 when a node opens again. */
enum { EXPANDED = 1, WEIGHT_ONE = 1000 };

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
    if (trip->weight == WEIGHT_ONE || bound == CAIRN_UNREACHABLE)
        return bound;
    uint64_t weighted = (uint64_t)bound * trip->weight / WEIGHT_ONE;
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

/* -------------------------------------------------------------------------- nearest node -- */

/* Of all nodes that were reached at no more than the highest cost, the one nearest to the goal; of
 * several, the cheapest to reach, then the lowest. */
static cairn_node nearest_of(const cairn_search *search, cairn_node goal)
{
    const cn_scratch *scratch = &search->scratch;
    const cairn_map *map = search->map;
    cairn_plain plain = cn_plain_of(map, CAIRN_PLAIN_BEST);
    cairn_node best = search->trip.start;
    cairn_cost least = cn_plain_between(map, plain, best, goal);

    for (cairn_node node = 0; node < cn_map_node_count(map); node++) {
        const cn_record *record = &scratch->records[node];
        if (!cn_search_knows(scratch, record) || record->g > CAIRN_COST_MAX)
            continue;
        cairn_cost distance = cn_plain_between(map, plain, node, goal);
        if (distance > least ||
            (distance == least && record->g >= scratch->records[best].g))
            continue;
        best = node;
        least = distance;
    }
    return best;
}

/* Everything that the start leads to is reached with a bound that rules nothing out, the cheapest
 * first: where costs exceed the limit, all nodes below it have been reached. */
cairn_status cn_search_nearest(cairn_search *search, cairn_node goal, cairn_path *path)
{
    cn_scratch *scratch = &search->scratch;
    cn_trip before = search->trip, *trip = &search->trip;
    cairn_cost cost;

    trip->plain = CAIRN_PLAIN_ZERO;
    trip->entries = NULL;
    trip->own_bound = NULL;
    trip->weight = WEIGHT_ONE;
    trip->goal = CAIRN_NO_NODE;
    scratch->pause_at = UINT64_MAX;
    cn_search_next(search, CAIRN_UNREACHABLE);
    cairn_status status = cn_search_any_ties(trip, scratch, &cost);
    *trip = before;
    if (status != CAIRN_OK && status != CAIRN_E_LIMIT)
        return status;

    trip->goal = nearest_of(search, goal);
    path->outcome = CAIRN_PATH_NEAREST;
    path->cost = scratch->records[trip->goal].g;
    return cn_search_trace(search, path);
}

/* ------------------------------------------------------------------- dearer than the limit -- */

bool cn_search_leads_to_goal(cairn_search *search)
{
    cn_scratch *scratch = &search->scratch;
    cn_record *records = scratch->records;
    cairn_node goal = search->trip.goal, top = search->trip.start;

    cn_search_next(search, CAIRN_UNREACHABLE);
    records[top].mark = scratch->stamp;
    records[top].h = CAIRN_NO_NODE;
    while (top != CAIRN_NO_NODE) {
        cn_arc_span span = cn_map_arcs(search->map, top, CN_FORWARD, scratch->arcs);
        top = records[top].h;
        for (size_t i = 0; i < span.count; i++) {
            cn_record *record = &records[span.arcs[i].to];
            if (span.arcs[i].to == goal)
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
