/*
 * The searches with landmark rows: a template of vector code (simd/template.h), included once for
 * each instruction set and width of entries.
 */
#include "simd/template.h"

INSIDE cairn_cost NAME(rows_of)(const cn_query *query, uint32_t record)
{
    return NAME(cn_rows)(query->entries + record * query->stride, query->above, query->below,
                         query->lane_count);
}

/* Differences of entries of 16 bits never exceed CAIRN_COST_MAX. */
INSIDE cairn_cost NAME(larger)(cairn_cost base, cairn_cost rows)
{
    if (BITS == 32)
        return cn_larger_cost(base, rows);
    return rows > base ? rows : base;
}

INSIDE cairn_cost NAME(bound_of)(const void *context, cairn_node node)
{
    return NAME(larger)(cn_query_base(context, node), NAME(rows_of)(context, node));
}

INSIDE cairn_cost NAME(bound_of_hex)(const void *context, cairn_node node)
{
    return NAME(larger)(cn_query_hex_base(context, node), NAME(rows_of)(context, node));
}

INSIDE cairn_cost NAME(bound_of_corner)(const void *context, uint32_t record, cn_xy xy)
{
    const bool has_rows = cn_corner_has_entries(context, record);
    return NAME(larger)(cn_corner_base(context, xy), has_rows ? NAME(rows_of)(context, record) : 0);
}

CN_DEFINE_SEARCHES_OF(KERNEL, CN_JOINED_TWO(VEC, BITS), NAME(bound_of), NAME(bound_of_hex),
                      cn_reads_rows)
CN_DEFINE_CORNER_SEARCH(KERNEL, NAME(corners), NAME(bound_of_corner), cn_reads_rows)

#include "simd/template_end.h"
