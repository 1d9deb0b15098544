/*
 * The searches with landmark rows, as they are and by gates: a template of vector code
 * (simd/template.h), included once for each instruction set and width of entries.
 */
#include "bound/gate_rows.h"
#include "simd/template.h"

INSIDE cairn_cost NAME(rows_of)(const cn_query *query, cairn_node node)
{
    return NAME(cn_rows)(query->entries + node * query->stride, query->above, query->below,
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

INSIDE cairn_cost NAME(bound_of_corner)(const void *context, uint32_t number, cn_xy xy)
{
    const cn_query *query = context;
    const cairn_cost base = cn_corner_base(query, xy);

    if (!cn_corner_has_entries(query, number))
        return base;
    return NAME(larger)(base, NAME(cn_rows)(cn_corner_entries(query, number, xy), query->above,
                                            query->below, query->lane_count));
}

/* From a node at a place, with entries. The bound by gates contains the base heuristic. */
INSIDE cairn_cost NAME(by_gates)(const cn_gate_view *view, cairn_node node, cn_gate_xy at,
                                 const uint8_t *entries, cairn_cost base)
{
    if (CN_UNLIKELY(cn_gate_may_be_opened(view->gates, node)))
        return cn_gates_bound(view, node);
    return cn_gate_bound_outside(view, at, entries, base, NAME(cn_rows), BITS);
}

INSIDE cairn_cost NAME(node_by_gates)(const cn_query *query, cairn_node node, cairn_cost base)
{
    cn_gate_xy at;
    cn_grid_xy(query->grid, node, &at.x, &at.y);
    return NAME(by_gates)(query->gate_view, node, at, query->entries + node * query->stride, base);
}

INSIDE cairn_cost NAME(gates_of)(const void *context, cairn_node node)
{
    return NAME(node_by_gates)(context, node, cn_query_base(context, node));
}

INSIDE cairn_cost NAME(gates_of_hex)(const void *context, cairn_node node)
{
    return NAME(node_by_gates)(context, node, cn_query_hex_base(context, node));
}

INSIDE cairn_cost NAME(gates_of_corner)(const void *context, uint32_t number, cn_xy xy)
{
    const cn_query *query = context;
    const cairn_cost base = cn_corner_base(query, xy);
    const cn_gate_xy at = {CN_X_OF(xy), CN_Y_OF(xy)};
    const cairn_node node = at.y * query->grid->width + at.x;

    if (!cn_corner_has_entries(query, number))
        return base;
    return NAME(by_gates)(query->gate_view, node, at,
                          query->has_entries_by_node
                              ? query->entries + node * query->stride
                              : cn_gates_corner_row(query->gate_view->gates, number),
                          base);
}

CN_DEFINE_SEARCHES_OF(KERNEL, CN_JOINED_TWO(VEC, BITS), NAME(bound_of), NAME(bound_of_hex),
                      cn_reads_rows)
CN_DEFINE_CORNER_SEARCH(KERNEL, NAME(corners), NAME(bound_of_corner), cn_reads_rows)
CN_DEFINE_SEARCHES_OF(KERNEL, NAME(gates), NAME(gates_of), NAME(gates_of_hex), cn_reads_rows)
CN_DEFINE_CORNER_SEARCH(KERNEL, NAME(corners_gates), NAME(gates_of_corner), NULL)

#include "simd/template_end.h"
