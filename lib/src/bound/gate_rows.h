/* Entries, limits and base heuristics of gates: what those who make gates and those who use them
 * share. */
#ifndef CN_BOUND_GATE_ROWS_H
#define CN_BOUND_GATE_ROWS_H

#include "bound/bound.h"
#include "bound/gates.h"

CN_ALWAYS_INLINE uint32_t cn_gate_lane(const cn_gates *gates, const void *entries, uint32_t lane)
{
    return cn_entry_get(entries, lane, gates->entry_bits);
}

CN_ALWAYS_INLINE void cn_gate_put(const cn_gates *gates, void *entries, uint32_t lane,
                                  uint32_t entry)
{
    cn_entry_put(entries, lane, gates->entry_bits, entry);
}

/* How many words the open cells of a grid take, with the zero words around them. */
CN_ALWAYS_INLINE size_t cn_gate_open_words(const cn_grid *grid)
{
    return (grid->height + 2u) * grid->open_stride;
}

enum {
    CN_GATE_CELLS_MAX = 256,  /* of more opened cells no gates are made */
    CN_GATE_LISTED_MAX = 2048 /* so many are listed, from which the next state follows */
};

/* How many rows of entries there are for ports. */
CN_ALWAYS_INLINE size_t cn_gate_port_rows(const cn_gates *gates)
{
    return (gates->is_directed ? 6u : 2u) * (CN_PORTS_MAX + 1u);
}

/* Where a node is among the opened cells; SIZE_MAX: it is none. */
size_t cn_gate_find_opened(const cn_gates *gates, cairn_node node);

/* Copies a goal's row so that lanes of less use than `least` give no difference, and those of rows
 * in pairs only their own. */
void cn_gate_limit_row(const cn_gates *gates, const void *entries, cn_row_use least, void *above,
                       void *below);

CN_ALWAYS_INLINE cairn_cost cn_gate_limited(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

/* The base heuristic of a grid, without heights, or CAIRN_COST_MAX where that is less; nothing on a
 * graph. */
CN_ALWAYS_INLINE cairn_cost cn_gate_base(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other)
{
    const cairn_metric metric = gates->metric;
    if (CN_LIKELY(gates->is_moderate))
        return gates->is_hex ? metric.straight * cn_hex_steps(one.x, one.y, other.x, other.y)
                             : cn_octile(metric, one.x, one.y, other.x, other.y);
    return cn_gate_limited(gates->is_hex ? (uint64_t)metric.straight *
                                               cn_hex_steps(one.x, one.y, other.x, other.y)
                                         : cn_octile_wide(metric, one.x, one.y, other.x, other.y));
}

/* The least that the base heuristic allows between a cell and one of a port. */
CN_ALWAYS_INLINE cairn_cost cn_gate_base_to_port(const cn_gates *gates, uint32_t port,
                                                 cn_gate_xy at)
{
    const cairn_cost base = cn_gate_base(gates, gates->centre[port], at);
    return base > gates->radius[port] ? base - gates->radius[port] : 0;
}

CN_ALWAYS_INLINE uint8_t *cn_gate_row(const cn_gates *gates, uint8_t *rows, uint32_t port)
{
    return rows + port * gates->lane_size;
}

/* Limits for kernels that are to give only what entries have over others. */
extern const uint32_t cn_gate_none[CN_LANES_MAX];

/* The least that rows allow from one interval of entries to another: how far they lie apart. In
 * rows of pairs the limits leave each lane one direction. */
CN_ALWAYS_INLINE cairn_cost cn_gate_apart(const cn_gates *gates, const void *from_above,
                                          const void *from_below, const void *to_above,
                                          const void *to_below)
{
    const cairn_cost falls = gates->rows(from_below, to_above, cn_gate_none, gates->lane_count);
    const cairn_cost rises = gates->rows(to_below, from_above, cn_gate_none, gates->lane_count);
    return cn_gate_limited(falls > rises ? falls : rises);
}

CN_ALWAYS_INLINE void cn_gate_lower(cairn_cost *cost, cairn_cost other)
{
    *cost = other < *cost ? other : *cost;
}

/* The kernel of the rows is a constant where what follows is inlined (bound_functions.h). */

/* The least cost by old steps from a node to a port; `base` is what the base heuristic allows. */
CN_ALWAYS_INLINE cairn_cost cn_gate_reach_port(const cn_gates *gates, uint32_t port,
                                               cairn_cost base, const void *entries,
                                               cn_rows_kernel rows)
{
    const cairn_cost apart = rows(entries, cn_gate_row(gates, gates->to.above, port),
                                  cn_gate_row(gates, gates->to.below, port), gates->lane_count);
    return apart > base ? cn_gate_limited(apart) : base;
}

/* How much of the cost from a node to a port a witness shows. */
CN_ALWAYS_INLINE uint32_t cn_gate_shown(const cn_gate_witness *witness, const void *entries,
                                        unsigned bits)
{
    const uint32_t entry = cn_entry_get(entries, witness->lane, bits);
    const uint32_t over = entry > witness->above ? entry - witness->above : 0;
    return entry < witness->below ? witness->below - entry : over;
}

/* The witness that shows most of the cost from a node to a port. */
cn_gate_witness cn_gate_find_witness(const cn_gates *gates, uint32_t port, const void *entries);

/* Lowers a bound to that of going by old steps to a port, and on. Nearly always that is more, which
 * one lane shows: mostly the one that showed it for the node before. */
CN_ALWAYS_INLINE void cn_gate_go_by(const cn_gate_view *view, uint32_t i, cn_gate_xy at,
                                    const void *entries, cairn_cost *least, cn_rows_kernel rows)
{
    const cn_gates *gates = view->gates;
    const uint32_t port = view->aim->port[i], room = *least - view->aim->rest[i];
    const cairn_cost base = cn_gate_base_to_port(gates, port, at);
    if (base >= room)
        return;
    const cairn_cost reach = cn_gate_reach_port(gates, port, base, entries, rows);
    if (reach < room)
        *least = reach + view->aim->rest[i];
    else if (view->witnesses)
        view->witnesses[i] = cn_gate_find_witness(gates, port, entries);
}

/* From a cell by old steps to a port, and on. */
CN_ALWAYS_INLINE cairn_cost cn_gate_bound_by_ports(const cn_gate_view *view, cn_gate_xy at,
                                                   const void *entries, cairn_cost least,
                                                   cn_rows_kernel rows, unsigned bits)
{
    const cn_gate_aim *aim = view->aim;
    for (uint32_t i = 0; i < aim->count && aim->rest[i] < least; i++) {
        if (!view->witnesses ||
            cn_gate_shown(&view->witnesses[i], entries, bits) < least - aim->rest[i])
            cn_gate_go_by(view, i, at, entries, &least, rows);
    }
    return least;
}

/* From a node that is not opened. The base heuristic is part of the bound, since that from ports
 * contains it. */
CN_ALWAYS_INLINE cairn_cost cn_gate_bound_outside(const cn_gate_view *view, cn_gate_xy at,
                                                  const uint8_t *entries, cn_rows_kernel rows,
                                                  unsigned bits)
{
    const cn_gates *gates = view->gates;
    const cn_gate_aim *aim = view->aim;
    const cn_gate_limits *limits = view->limits;
    const uint32_t lanes = gates->lane_count;
    const cairn_cost base = cn_gate_base(gates, at, aim->goal);
    cairn_cost least = CAIRN_COST_MAX;

    if (CN_LIKELY(!aim->is_inside))
        least = cn_gate_limited(rows(entries, limits->above, limits->below, lanes));
    if (least <= base)
        return base;
    least = cn_gate_bound_by_ports(view, at, entries, least, rows, bits);
    if (gates->has_whole && !aim->is_inside) {
        const cairn_cost whole = rows(entries, limits->whole_above, limits->whole_below, lanes);
        least = least > whole ? least : cn_gate_limited(whole);
    }
    return least > base ? least : base;
}

#endif
