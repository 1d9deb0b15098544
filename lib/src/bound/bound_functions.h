/*
 * Each kernel of bound_kernels.h as a function that can be chosen at run time, for one node, for
 * many, and with gates: a template of vector code (simd/template.h).
 */
#include "simd/template.h"

static KERNEL cairn_cost NAME(rows)(const void *entries, const void *above, const void *below,
                                    uint32_t lane_count)
{
    return NAME(cn_rows)(entries, above, below, lane_count);
}

INSIDE void NAME(loop)(const cn_rows_view *view, const cairn_node *nodes, size_t count,
                       cairn_cost *most, uint32_t lane_count)
{
    const size_t size = lane_count * (BITS / 8);
    for (size_t i = 0; i < count; i++) {
        size_t later = i + CN_ROWS_AHEAD < count ? i + CN_ROWS_AHEAD : count - 1;
        cn_rows_fetch(view, nodes[later], size);
        most[i] = NAME(cn_rows)(view->entries + nodes[i] * size, view->above, view->below,
                                lane_count);
    }
}

/* The loop is compiled once more for the most frequent number of lanes. */
static KERNEL void NAME(many)(const cn_rows_view *view, const cairn_node *nodes, size_t count,
                              cairn_cost *most)
{
    if (view->lane_count == USUAL_LANES)
        NAME(loop)(view, nodes, count, most, USUAL_LANES);
    else
        NAME(loop)(view, nodes, count, most, view->lane_count);
}

static KERNEL cairn_cost NAME(by_ports)(const cn_gate_view *view, cn_gate_xy at,
                                        const uint8_t *entries, cairn_cost apart, cairn_cost base)
{
    return cn_gate_bound_by_ports(view, at, entries, apart, base, NAME(cn_rows), BITS);
}

static KERNEL cairn_cost NAME(by_parts)(const cn_gate_view *view, cn_gate_xy at,
                                        const uint8_t *entries, cairn_cost base)
{
    return cn_gate_bound_by_parts(view, at, entries, base, NAME(cn_rows), BITS);
}

static KERNEL cairn_cost NAME(outside)(const cn_gate_view *view, cn_gate_xy at,
                                       const uint8_t *entries)
{
    const cairn_cost base = cn_gate_base(view->gates, at, view->aim->goal);
    return cn_gate_bound_outside(view, at, entries, base, NAME(cn_rows), BITS);
}

#include "simd/template_end.h"
