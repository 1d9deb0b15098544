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

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_corners(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    return cn_jump_arcs_from(query, visit, CN_JUMP_CLASSIC, cn_corner_cell(query, visit->node),
                             query->corners);
}

CN_ALWAYS_INLINE cairn_cost cn_corner_base(const cn_query *query, uint32_t record)
{
    return cn_query_base(query, cn_corner_cell(query, record));
}

CN_ALWAYS_INLINE cairn_cost cn_bound_of_corner_base(const void *context, uint32_t record)
{
    return cn_corner_base(context, record);
}

/* The start is expanded first, whatever its bound. */
CN_ALWAYS_INLINE bool cn_corner_has_entries(const cn_query *query, uint32_t record)
{
    return CN_LIKELY(record < query->corners->count);
}

#endif
