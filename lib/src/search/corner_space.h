/*
 * Jump points whose records and entries are indexed by corner: in a set of corners every jump point
 * is a member, so a search needs a record for each of them, and for its start and goal. A node of
 * this space is a rank in the set; start and goal have the next two numbers if they are not in it.
 * Part of grid_spaces.h.
 */
#ifndef CN_SEARCH_CORNER_SPACE_H
#define CN_SEARCH_CORNER_SPACE_H

#include "search/jump_space.h"

CN_ALWAYS_INLINE cairn_node cn_corner_cell(const cn_query *query, uint32_t record)
{
    const cn_corners *corners = query->corners;
    if (CN_LIKELY(record < corners->count))
        return corners->nodes[record];
    return record == query->start_record ? query->start : query->goal;
}

/* The node of a record in any space. */
CN_ALWAYS_INLINE cairn_node cn_record_cell(const cn_query *query, uint32_t record)
{
    return query->corners ? cn_corner_cell(query, record) : record;
}

CN_ALWAYS_INLINE cairn_node cn_cell_of_corner(const void *context, uint32_t record)
{
    return cn_corner_cell(context, record);
}

/* The runs that are known of a corner; NULL: none are. */
CN_ALWAYS_INLINE const cn_corner_runs *cn_corner_runs_of(const cn_query *query, uint32_t record)
{
    const cn_corner_arcs *arcs = query->corner_arcs;
    if (CN_UNLIKELY(!arcs || record >= arcs->count))
        return NULL;
    if (CN_UNLIKELY(query->expired != NULL) && query->expired[record / 64] >> record % 64 & 1)
        return NULL;
    return &arcs->runs[record];
}

/* Writes an arc; column and row are those of the corner that it leaves. */
CN_ALWAYS_INLINE void cn_corner_take(const cn_query *query, const cn_visit *visit,
                                     const cn_corner_runs *runs, size_t place, uint32_t x,
                                     uint32_t y, cn_arc *arc)
{
    const cn_corner_arc *known = cn_corner_arc_at(query->corner_arcs, runs, place);
    const uint32_t to = CN_NODE_OF(known->label);
    uint32_t to_x, to_y;

    CN_PREFETCH(&visit->scratch->records[to]);
    if (query->entries)
        CN_PREFETCH(cn_reads_rows(query, to));
    cn_grid_xy(query->grid, known->cell, &to_x, &to_y);
    *arc = (cn_arc){.to = to,
                    .cost = cn_octile(query->metric, x, y, to_x, to_y),
                    .arrival = CN_PLACED(CN_ARRIVAL_OF(known->label), known->cell)};
}

/* The arcs in some directions, all of which are known, in the order of jumps. */
CN_ALWAYS_INLINE cn_leaving cn_corner_known_arcs(const cn_query *query, const cn_visit *visit,
                                                 const cn_corner_runs *runs, uint32_t x, uint32_t y,
                                                 unsigned steps)
{
    cn_arc *next = visit->scratch->arcs;
    size_t place = cn_count_bits(runs->straight);

    for (unsigned left = runs->straight & steps; left; left &= left - 1) {
        const unsigned before = (left & -left) - 1;
        cn_corner_take(query, visit, runs, cn_count_bits(runs->straight & before), x, y, next++);
    }
    for (unsigned i = 0; i < CN_DIRECTIONS - CN_STRAIGHT; i++) {
        const size_t end = place + runs->slanting[i];
        if (!(steps >> (CN_STRAIGHT + i) & 1))
            place = end;
        for (; place < end; place++)
            cn_corner_take(query, visit, runs, place, x, y, next++);
    }
    return (cn_leaving){visit->scratch->arcs, (size_t)(next - visit->scratch->arcs), 0};
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_known(const cn_query *query, const cn_visit *visit,
                                             const cn_corner_runs *runs, unsigned steps)
{
    cn_record *record = visit->record;
    uint32_t x, y;

    record->mark |= steps;
    cn_grid_xy(query->grid, runs->cell, &x, &y);
    if (record->h == cn_jump_base(query, CN_JUMP_CLASSIC, x, y) &&
        cn_jump_sees_goal(query, false, runs->cell, x, y, steps))
        return cn_jump_to_goal(query, visit);
    return cn_corner_known_arcs(query, visit, runs, x, y, steps);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_corners(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    const cn_corner_runs *runs = cn_corner_runs_of(query, visit->node);

    if (CN_LIKELY(runs != NULL)) {
        const unsigned steps = query->grid->canonical[visit->arrival][runs->around] &
                               ~visit->record->mark;
        if (!steps)
            return (cn_leaving){NULL, 0, 0};
        if (CN_LIKELY(!(steps & ~(unsigned)runs->known)))
            return cn_arcs_of_known(query, visit, runs, steps);
    }
    return cn_jump_arcs_from(query, visit, CN_JUMP_CLASSIC, cn_corner_cell(query, visit->node),
                             query->corners);
}

CN_ALWAYS_INLINE cairn_cost cn_bound_of_corner_base(const void *context, uint32_t record,
                                                    cairn_node cell)
{
    (void)record;
    return cn_query_base(context, cell);
}

/* The start is expanded first, whatever its bound. */
CN_ALWAYS_INLINE bool cn_corner_has_entries(const cn_query *query, uint32_t record)
{
    return CN_LIKELY(record < query->corners->count);
}

#endif
