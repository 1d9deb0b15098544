/*
 * The only A* loop. It knows neither grids nor tables: a space gives the arcs that leave a node and
 * a lower bound on the cost to the goal; the kind of open list is a constant of the space. The loop
 * is inlined into each search, which is defined with a constant space, so that nothing is called
 * through a pointer.
 *
 * A closed node is reopened when a cheaper path to it is found. With a consistent bound and exact
 * keys that never happens; otherwise it keeps the result exact. Where bounds of some nodes say much
 * more than those of others, nodes hand them on, so that few are reopened.
 *
 * The loop ends when no key in the open list is below the cost of the best path to the goal. So
 * keys may be coarser than f (`shift`), and an upper bound on the cost is only an attempt: if no
 * path is found below it, the search is repeated without it.
 */
#ifndef CN_SEARCH_ASTAR_CORE_H
#define CN_SEARCH_ASTAR_CORE_H

#include "grid/grid.h"
#include "search/scratch.h"

/* The arcs that leave a node. What their members hold depends on the space; cn_space_end,
 * cn_space_arrival and cn_space_label tell it for either kind:
 *
 *                        to                                 arrival
 *   with a directory     the node and the direction of the  what `bound_at` is told of the node:
 *                        last step (CN_LABEL_OF)            by corner its cell
 *   otherwise            the node, relative to `origin`     direction of the last step
 *
 * By the origin one list can be used for all nodes with the same steps. CN_NO_ROOM arcs: there is
 * no memory for them. */
#define CN_NO_ROOM (SIZE_MAX / 2)
typedef struct cn_leaving {
    const cn_arc *arcs;
    size_t count;
    cairn_node origin;
} cn_leaving;

/* A node that is about to be expanded. */
typedef struct cn_visit {
    cairn_node node;
    unsigned arrival;
    cn_record *record;
    cn_scratch *scratch;
} cn_visit;

/* Whether a second path of the same cost counts where it arrives in another direction: never; as
 * soon as it does, where only straight directions are told apart; where all of them are. */
typedef enum cn_merging { CN_MERGE_NEVER, CN_MERGE_BY_STRAIGHT, CN_MERGE_BY_ALL } cn_merging;

typedef struct cn_space {
    /* The arcs that leave a node, in the scratch's arcs or in memory of the context. */
    cn_leaving (*arcs)(const void *context, const cn_visit *visit);
    /* A lower bound on the cost from a node to the goal; CAIRN_UNREACHABLE: no path. */
    cairn_cost (*bound)(const void *context, cairn_node node);
    /* In spaces with a directory: what `bound_at` is told of a node (by corner its cell), and the
     * bound of the node. See cn_leaving for what arcs hold then. NULL elsewhere. */
    cn_xy (*xy)(const void *context, cairn_node node);
    cairn_cost (*bound_at)(const void *context, cairn_node node, cn_xy xy);
    /* The address that `bound` reads first, to be prefetched; NULL: nothing to prefetch. It returns
     * an address because compilers drop calls of functions that only prefetch. */
    const void *(*reads)(const void *context, cairn_node node);
    /* Whether `arcs` has prefetched the records and what the bound reads. */
    bool is_fetched;
    /* By how much the bound falls at most along an arc of this cost, in either direction: a node
     * whose own bound says less takes over what its neighbours say (cn_astar_floor). NULL: bounds
     * are taken as they are, as those that are consistent can be. Not with a directory. */
    cairn_cost (*fall)(const void *context, cairn_cost cost);
    cn_open_kind open;
    cn_merging merging;
    /* Whether nodes that are reopened are counted, or left closed if the caller wants that. */
    bool reopens;
} cn_space;

/* Whether a directory tells the records of nodes: where a run discovers few of very many. */
CN_ALWAYS_INLINE bool cn_space_has_directory(const cn_space *space)
{
    return space->bound_at != NULL;
}

/* The direction of arrival of an arc. */
CN_ALWAYS_INLINE unsigned cn_space_arrival(const cn_space *space, const cn_arc *arc)
{
    return cn_space_has_directory(space) ? CN_ARRIVAL_OF(arc->to) : arc->arrival;
}

/* The node that an arc leads to. */
CN_ALWAYS_INLINE cairn_node cn_space_end(const cn_space *space, cairn_node origin,
                                         const cn_arc *arc)
{
    return cn_space_has_directory(space) ? CN_NODE_OF(arc->to) : origin + arc->to;
}

/* What stands for that in the open list. */
CN_ALWAYS_INLINE uint32_t cn_space_label(const cn_space *space, const cn_arc *arc, cairn_node to)
{
    return cn_space_has_directory(space) ? arc->to : CN_LABEL_OF(to, arc->arrival);
}

/* The bound of the node that an arc leads to. */
CN_ALWAYS_INLINE cairn_cost cn_space_bound(const cn_space *space, const void *context,
                                           const cn_arc *arc, cairn_node to)
{
    return cn_space_has_directory(space) ? space->bound_at(context, to, arc->arrival)
                                         : space->bound(context, to);
}

/* --------------------------------------------------------------------------------- the loop -- */

/* What a record notes of a direction of arrival: its bit, or none. */
CN_ALWAYS_INLINE unsigned cn_astar_arrivals(const cn_space *space, unsigned arrival)
{
    if (space->merging == CN_MERGE_NEVER)
        return 0;
    const unsigned directions = space->merging == CN_MERGE_BY_ALL ? CN_DIRECTIONS : CN_STRAIGHT;
    return 1u << arrival & (CN_BIT(directions) - 1);
}

/* Whether a path of the same cost as the best one arrives in a new direction, which is then
 * recorded. */
CN_ALWAYS_INLINE bool cn_astar_merges(const cn_space *space, cn_record *record, unsigned arrival,
                                      cairn_cost g)
{
    return space->merging != CN_MERGE_NEVER && g == record->g &&
           cn_record_add_arrivals(record, cn_astar_arrivals(space, arrival));
}

/* The key of a value f. Buckets take none below the last one removed, as bounds would give that are
 * not consistent: from a file with wrong entries, or of a callback graph that a search has come to
 * use. Raising a key to that keeps the search exact where bounds are not too high: on a shortest
 * path the first node that is still to be expanded has a key that is not above the cost of the
 * path, and so has the one before it, which was removed last. */
CN_ALWAYS_INLINE uint32_t cn_astar_key(const cn_space *space, const cn_scratch *s, uint64_t f)
{
    const uint32_t key = (uint32_t)(f >> s->shift);
    return space->open == CN_OPEN_BUCKETS && key < s->open.current ? s->open.current : key;
}

/* What the bound of a node less the fall along an arc says at its other end. */
CN_ALWAYS_INLINE cairn_cost cn_astar_less(const cn_space *space, const void *context,
                                          cairn_cost bound, const cn_arc *arc)
{
    const cairn_cost fall = space->fall(context, arc->cost);
    return bound > fall && bound <= CAIRN_COST_MAX ? bound - fall : 0;
}

/* A bound of the node that is expanded, from those of the nodes that its arcs lead to and its own.
 * (Felner, Zahavi, Holte, Schaeffer, Sturtevant and Zhang, "Inconsistent heuristics in theory and
 * practice", 2011: bidirectional pathmax.) */
CN_ALWAYS_INLINE cairn_cost cn_astar_floor(const cn_space *space, const void *context,
                                           const cn_scratch *s, cn_leaving leaving, cairn_node goal,
                                           cairn_node node)
{
    cairn_cost floor = cn_record_bound(cn_scratch_record(s, false, node));
    for (size_t i = 0; i < leaving.count; i++) {
        const cn_arc *arc = &leaving.arcs[i];
        const cairn_node to = cn_space_end(space, leaving.origin, arc);
        if (CN_UNLIKELY(to == goal))
            continue;
        const cairn_cost bound = cn_scratch_knows(s, false, to)
                                     ? cn_record_bound(cn_scratch_record(s, false, to))
                                     : cn_space_bound(space, context, arc, to);
        const cairn_cost less = cn_astar_less(space, context, bound, arc);
        floor = less > floor ? less : floor;
    }
    return floor;
}

/* Raises the bound of a node by the floor of one from which an arc leads there: also of one that
 * has been expanded, so that fewer are expanded again. With a weight, or wrong entries, a cheaper
 * path to such a node may be kept and not be followed, so that a path costs less than its goal. */
CN_ALWAYS_INLINE void cn_astar_raise(const cn_space *space, const void *context, cn_record *record,
                                     const cn_arc *arc, cairn_cost floor)
{
    const cairn_cost less = cn_astar_less(space, context, floor, arc);
    if (less > cn_record_bound(record))
        cn_record_set_bound(record, less);
}

/* Uses a path of cost `g` to a node: discovers the node, improves it, or ignores the path. `floor`
 * is a bound of its parent, for spaces with a `fall`. */
CN_ALWAYS_INLINE void cn_astar_reach(const cn_space *space, const void *context, cn_scratch *s,
                                     const cn_arc *arc, cairn_node to, cairn_cost g,
                                     cairn_node parent, cairn_cost floor)
{
    const unsigned arrival = cn_space_arrival(space, arc);
    const bool by_directory = cn_space_has_directory(space);
    const bool known = cn_scratch_knows(s, by_directory, to);
    cn_record *record = known ? cn_scratch_record(s, by_directory, to)
                              : cn_scratch_new_record(s, by_directory, to);

    if (!known)
        cn_record_set_bound(record, cn_space_bound(space, context, arc, to));
    if (space->fall)
        cn_astar_raise(space, context, record, arc, floor);
    if (space->reopens && known && g < record->g && cn_record_is_expanded(record)) {
        if (s->keeps_closed)
            return;
        s->reopened++;
    }
    if (!known || g < record->g)
        cn_record_reach(record, s->stamp, parent, g, cn_astar_arrivals(space, arrival));
    else if (!cn_astar_merges(space, record, arrival, g))
        return;
    uint64_t f = (uint64_t)g + cn_record_bound(record);
    if (f >= s->limit)
        return;
    cn_open_item item = {.label = cn_space_label(space, arc, to), .value = g};
    cn_open_push(&s->open, space->open, cn_astar_key(space, s, f), item);
    s->generated++;
}

/* The goal is never added to the open list: its cost becomes the limit for other paths. */
CN_ALWAYS_INLINE void cn_astar_reach_goal(cn_scratch *s, bool by_directory, cairn_node goal,
                                          cairn_cost g, cairn_node parent)
{
    if (g >= s->limit)
        return;
    cn_record *record = cn_scratch_knows(s, by_directory, goal)
                            ? cn_scratch_record(s, by_directory, goal)
                            : cn_scratch_new_record(s, by_directory, goal);
    *record = cn_record_of_goal(s->stamp, parent, g);
    s->limit = g;
}

CN_ALWAYS_INLINE void cn_astar_take(const cn_space *space, const void *context, cn_scratch *s,
                                    cn_leaving leaving, cairn_node goal, cairn_cost g,
                                    cairn_node parent)
{
    const bool by_directory = cn_space_has_directory(space);

    for (size_t i = 0; !space->is_fetched && i < leaving.count; i++) {
        cairn_node to = cn_space_end(space, leaving.origin, &leaving.arcs[i]);
        CN_PREFETCH(&s->records[to]);
        if (space->reads)
            CN_PREFETCH(space->reads(context, to));
    }
    const cairn_cost floor = space->fall ? cn_astar_floor(space, context, s, leaving, goal, parent)
                                         : 0;
    for (size_t i = 0; i < leaving.count; i++) {
        const cn_arc *arc = &leaving.arcs[i];
        cairn_node to = cn_space_end(space, leaving.origin, arc);
        if (CN_UNLIKELY(to == goal))
            cn_astar_reach_goal(s, by_directory, goal, g + arc->cost, parent);
        else
            cn_astar_reach(space, context, s, arc, to, g + arc->cost, parent, floor);
    }
}

/* Adds the start to the empty open list; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_astar_begin(const cn_space *space, const void *context, cn_scratch *s,
                                     cairn_node start, unsigned arrival, cairn_node goal)
{
    const bool by_directory = cn_space_has_directory(space);
    const cn_arc first = {.to = space->bound_at ? CN_LABEL_OF(start, arrival) : start,
                          .arrival = space->bound_at ? space->xy(context, start) : arrival};

    s->first_limit = s->limit;
    s->is_cut = false;
    cn_open_reset(&s->open, cn_space_bound(space, context, &first, start) >> s->shift);
    if (!cn_open_reserve(&s->open, 1) || !cn_scratch_reserve_records(s, by_directory, 1))
        return false;
    if (start == goal)
        cn_astar_reach_goal(s, by_directory, goal, 0, start);
    else
        cn_astar_reach(space, context, s, &first, start, 0, start, 0);
    return true;
}

/* The result of a search that has ended. */
CN_ALWAYS_INLINE cairn_status cn_astar_result(const cn_scratch *s, cairn_cost *cost)
{
    if (!cn_scratch_has_path(s))
        return s->is_cut ? CAIRN_E_LIMIT : CAIRN_OK;
    if (s->limit > CAIRN_COST_MAX)
        return CAIRN_E_LIMIT;
    *cost = s->limit;
    return CAIRN_OK;
}

/* Finds a shortest path with cost below s->limit from `start`, at which it arrives in direction
 * `arrival`, to `goal`. The cost is CAIRN_UNREACHABLE when there is none. Otherwise the parents in
 * the records lead from the goal back to the start, which is its own parent. Where
 * s->is_paused is left set, the next call continues. CAIRN_E_LIMIT for costs above CAIRN_COST_MAX,
 * CAIRN_E_MEMORY, CAIRN_E_CANCELLED. */
CN_ALWAYS_INLINE cairn_status cn_astar_run(const cn_space *space, const void *context,
                                           cn_scratch *s, cairn_node start, unsigned arrival,
                                           cairn_node goal, cairn_cost *cost)
{
    const bool by_directory = cn_space_has_directory(space);
    const unsigned shift = s->shift;
    cn_visit visit = {.scratch = s};
    cn_open_item item;

    *cost = CAIRN_UNREACHABLE;
    if (!s->is_paused && !cn_astar_begin(space, context, s, start, arrival, goal))
        return CAIRN_E_MEMORY;
    s->is_paused = false;

    while (s->open.count) {
        if (CN_UNLIKELY(s->expanded >= s->check_at)) {
            cairn_status status = cn_scratch_check(s);
            if (status != CAIRN_OK || s->is_paused)
                return status;
        }
        uint64_t least = cn_open_pop(&s->open, space->open, &item);
        if (least << shift >= s->limit)
            break;
        visit.node = CN_NODE_OF(item.label);
        visit.arrival = CN_ARRIVAL_OF(item.label);
        visit.record = cn_scratch_record(s, by_directory, visit.node);
        if (item.value != visit.record->g ||
            (uint64_t)item.value + cn_record_bound(visit.record) >= s->limit)
            continue;
        /* Where keys are coarse, a cheaper path to the node may be found later. */
        if (CN_UNLIKELY(item.value > CAIRN_COST_MAX)) {
            s->is_cut = true;
            continue;
        }
        cn_leaving leaving = space->arcs(context, &visit);
        if (CN_UNLIKELY(!cn_open_reserve(&s->open, leaving.count) ||
                        !cn_scratch_reserve_records(s, by_directory, leaving.count)))
            return CAIRN_E_MEMORY;
        cn_astar_take(space, context, s, leaving, goal, item.value, visit.node);
        s->expanded++;
    }
    return cn_astar_result(s, cost);
}

#endif
