/*
 * Jump points whose records and entries are by corner: in a set of corners every jump point is a
 * member, so a search needs records for these alone, and for its start and goal. A node of this
 * space is a number in the set; start and goal have the next two numbers if they are not in it. In
 * an arc `to` is a label, and `arrival` the cell arrived at (cn_leaving), from which a bound is
 * found without a look-up.
 */
#ifndef CN_SEARCH_CORNER_SPACE_H
#define CN_SEARCH_CORNER_SPACE_H

#include "map/corner_ends.h"
#include "search/jump_space.h"

/* In a set of at most so many corners queries are short: it is not worth it to prefetch what they
 * read of corners, and rows may wait (cn_search_rows_may_wait). */
enum { CN_CORNERS_FEW = 128 };

/* The runs that are known of a corner; NULL: none are. */
CN_ALWAYS_INLINE const cn_corner_runs *cn_corner_runs_of(const cn_query *query, uint32_t number)
{
    const cn_corner_arcs *arcs = query->corner_arcs;
    if (CN_UNLIKELY(!arcs || number >= arcs->count))
        return NULL;
    if (CN_UNLIKELY(query->expired != NULL) && cn_has_bit(query->expired, number))
        return NULL;
    return &arcs->runs[number];
}

/* The cell of an expanded corner is where its runs are, in a line of the cache that was read. */
CN_ALWAYS_INLINE cairn_node cn_corner_cell(const cn_query *query, uint32_t number)
{
    const cn_corners *corners = query->corners;
    const cn_corner_runs *runs = cn_corner_runs_of(query, number);
    if (CN_LIKELY(runs && cn_corner_known(runs)))
        return CN_Y_OF(runs->xy) * query->grid->width + CN_X_OF(runs->xy);
    if (CN_LIKELY(number < corners->count))
        return corners->nodes[number];
    return number == query->start_number ? query->start : query->goal;
}

/* The cell of a number in any space. */
CN_ALWAYS_INLINE cairn_node cn_query_cell(const cn_query *query, uint32_t number)
{
    return query->corners ? cn_corner_cell(query, number) : number;
}

CN_ALWAYS_INLINE cn_xy cn_xy_of_corner(const void *context, uint32_t number)
{
    const cn_query *query = context;
    uint32_t x, y;
    cn_grid_xy(query->grid, cn_corner_cell(query, number), &x, &y);
    return CN_XY_OF(x, y);
}

CN_ALWAYS_INLINE cairn_cost cn_corner_base(const cn_query *query, cn_xy xy)
{
    return cn_octile(query->metric, CN_X_OF(xy), CN_Y_OF(xy), query->goal_x, query->goal_y);
}

CN_ALWAYS_INLINE cn_run_field cn_query_run_field(const cn_query *query)
{
    return (cn_run_field){query->corners, query->grid, query->jump, query->metric, query->cpu};
}

/* The entries of a corner at a cell. */
CN_ALWAYS_INLINE const uint8_t *cn_corner_entries(const cn_query *query, uint32_t number, cn_xy xy)
{
    const cairn_node node = CN_Y_OF(xy) * query->grid->width + CN_X_OF(xy);
    return query->entries + (query->has_entries_by_node ? node : number) * query->stride;
}

/* Fetches what is read of a corner that was found. */
CN_ALWAYS_INLINE void cn_corner_fetch(const cn_query *query, const cn_visit *visit, uint32_t to,
                                      cn_xy xy)
{
    CN_PREFETCH(&visit->scratch->directory.items[to]);
    if (query->entries)
        CN_PREFETCH(cn_corner_entries(query, to, xy));
    if (query->corner_arcs)
        CN_PREFETCH(&query->corner_arcs->runs[to]);
}

/* Writes an arc, which has a label already. */
CN_ALWAYS_INLINE void cn_corner_take(const cn_query *query, const cn_visit *visit,
                                     const cn_corner_runs *runs, size_t i, cn_arc *arc)
{
    const cn_corner_arc *known = cn_corner_arc_at(query->corner_arcs, runs, i);

    cn_corner_fetch(query, visit, CN_NODE_OF(known->label), known->xy);
    *arc = (cn_arc){.to = known->label,
                    .cost = cn_octile(query->metric, CN_X_OF(runs->xy), CN_Y_OF(runs->xy),
                                      CN_X_OF(known->xy), CN_Y_OF(known->xy)),
                    .arrival = known->xy};
}

/* How many of 4 bits are set. */
CN_ALWAYS_INLINE unsigned cn_count_few(unsigned bits)
{
    return (unsigned)(UINT64_C(0x4332322132212110) >> 4 * bits & 0xf);
}

/* The arcs in some directions, all of which are known, in the order of jumps. */
CN_ALWAYS_INLINE cn_leaving cn_corner_known_arcs(const cn_query *query, const cn_visit *visit,
                                                 const cn_corner_runs *runs, unsigned steps)
{
    cn_arc_list *list = &visit->scratch->arcs;

    if (CN_UNLIKELY(!cn_arc_list_reserve(list, runs->ends[CN_DIRECTIONS - CN_STRAIGHT])))
        return (cn_leaving){NULL, CN_NO_ROOM, 0};
    cn_arc *next = list->items;
    for (unsigned left = runs->straight & steps; left; left &= left - 1) {
        const unsigned before = (left & -left) - 1;
        cn_corner_take(query, visit, runs, cn_count_few(runs->straight & before), next++);
    }
    for (unsigned left = steps >> CN_STRAIGHT; left; left &= left - 1) {
        const uint8_t *ends = runs->ends + cn_lowest_bit(left);
        for (size_t i = ends[0]; i < ends[1]; i++)
            cn_corner_take(query, visit, runs, i, next++);
    }
    return (cn_leaving){list->items, (size_t)(next - list->items), 0};
}

CN_ALWAYS_INLINE bool cn_corner_sees_goal(const cn_query *query, cn_xy xy, unsigned steps)
{
    const uint32_t x = CN_X_OF(xy), y = CN_Y_OF(xy);
    return cn_jump_sees_goal(query, false, y * query->grid->width + x, x, y, steps);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_known(const cn_query *query, const cn_visit *visit,
                                             const cn_corner_runs *runs, unsigned steps)
{
    cn_record *record = visit->record;

    cn_record_take_steps(record, steps);
    if (cn_record_bound(record) == cn_corner_base(query, runs->xy) &&
        cn_corner_sees_goal(query, runs->xy, steps))
        return cn_jump_to_goal(query, visit);
    return cn_corner_known_arcs(query, visit, runs, steps);
}

/* The ends of the runs from a start, below the limit of the search. If a lower limit is found
 * meanwhile (cn_end_limit.find), the search goes on below that one. */
CN_ALWAYS_INLINE bool cn_ends_from_start(const cn_query *query, const cn_run_field *field, cn_xy xy,
                                         cn_scratch *scratch)
{
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];
    const bool is_limited = scratch->limit != CAIRN_UNREACHABLE;
    cn_end_limit limit = {.target = CN_XY_OF(query->goal_x, query->goal_y),
                          .most = is_limited ? scratch->limit - 1 : CAIRN_UNREACHABLE,
                          .find = query->limits_first_runs ? cn_query_corner_way : NULL,
                          .context = query};
    const bool has_room = cn_corner_ends(field, xy, (1u << CN_DIRECTIONS) - 1,
                                         is_limited || query->limits_first_runs ? &limit : NULL,
                                         &scratch->arcs, reach);

    if (limit.most < scratch->limit)
        scratch->limit = scratch->first_limit = limit.most + 1;
    return has_room;
}

/* The arcs of a start, and of a corner whose arcs are not known. */
CN_ALWAYS_INLINE cn_leaving cn_arcs_of_unknown(const cn_query *query, const cn_visit *visit)
{
    const cn_run_field field = cn_query_run_field(query);
    const cn_xy xy = cn_xy_of_corner(query, visit->node);
    const cairn_node cell = CN_Y_OF(xy) * query->grid->width + CN_X_OF(xy);
    cn_record *record = visit->record;
    const unsigned canonical = query->grid->canonical[visit->arrival][query->grid->around[cell]];
    const unsigned steps = cn_record_take_steps(record, canonical);
    cn_arc_list *list = &visit->scratch->arcs;
    const bool is_start = visit->arrival == CN_NOWHERE; /* which does not see the goal */
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];

    if (!is_start && cn_record_bound(record) == cn_corner_base(query, xy) &&
        cn_corner_sees_goal(query, xy, steps))
        return cn_jump_to_goal(query, visit);
    const bool has_room = is_start ? cn_ends_from_start(query, &field, xy, visit->scratch)
                                   : cn_corner_ends(&field, xy, steps, NULL, list, reach);
    if (CN_UNLIKELY(!has_room))
        return (cn_leaving){NULL, CN_NO_ROOM, 0};
    for (size_t i = 0; i < list->count && query->corners->count > CN_CORNERS_FEW; i++)
        cn_corner_fetch(query, visit, CN_NODE_OF(list->items[i].to), list->items[i].arrival);
    return (cn_leaving){list->items, list->count, 0};
}

/* The directions in which the runs of a corner are known, or could be found. */
CN_ALWAYS_INLINE unsigned cn_corner_learn(const cn_query *query, const cn_corner_runs *runs,
                                          uint32_t number)
{
    const unsigned known = cn_corner_known(runs);
    if (CN_LIKELY(known) || !query->found_arcs)
        return known;
    return cn_corner_arcs_find(query->found_arcs, query->corners, query->grid, query->jump, number);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_corners(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    const cn_corner_runs *runs = cn_corner_runs_of(query, visit->node);
    const unsigned known = runs ? cn_corner_learn(query, runs, visit->node) : 0;

    if (CN_LIKELY(known)) {
        const unsigned canonical = query->grid->canonical[visit->arrival][runs->around];
        const unsigned steps = cn_record_untaken_steps(visit->record, canonical);
        if (!steps)
            return (cn_leaving){NULL, 0, 0};
        if (CN_LIKELY(!(steps & ~known)))
            return cn_arcs_of_known(query, visit, runs, steps);
    }
    return cn_arcs_of_unknown(query, visit);
}

CN_ALWAYS_INLINE cairn_cost cn_bound_of_corner_base(const void *context, uint32_t number, cn_xy xy)
{
    (void)number;
    return cn_corner_base(context, xy);
}

/* Not a start and a goal that are no members, in a table of corners. The start is expanded first,
 * whatever its bound. */
CN_ALWAYS_INLINE bool cn_corner_has_entries(const cn_query *query, uint32_t number)
{
    return CN_LIKELY(number < query->corners->count) || query->has_entries_by_node;
}

#endif
