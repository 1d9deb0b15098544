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

enum { CN_GATE_CELLS_MAX = 256 }; /* of more opened cells no gates are made */

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

/* The base heuristic where gates->is_octile does not hold. */
cairn_cost cn_gate_other_base(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other);

/* The base heuristic of a grid, without heights, or CAIRN_COST_MAX where that is less; nothing on a
 * graph. */
CN_ALWAYS_INLINE cairn_cost cn_gate_base(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other)
{
    return CN_LIKELY(gates->is_octile) ? cn_octile(gates->metric, one.x, one.y, other.x, other.y)
                                       : cn_gate_other_base(gates, one, other);
}

/* The least that the base heuristic allows between a cell and one of a port. */
CN_ALWAYS_INLINE cairn_cost cn_gate_base_to_port(const cn_gates *gates, uint32_t port,
                                                 cn_gate_xy at)
{
    const cairn_cost base = cn_gate_base(gates, gates->centre[port], at);
    return base > gates->radius[port] ? base - gates->radius[port] : 0;
}

/* Whether a port lies in one of some parts. */
CN_ALWAYS_INLINE bool cn_gate_same_part(const cn_gates *gates, uint32_t port, uint32_t parts)
{
    return !gates->parts.of_tile || gates->port_parts[port] & parts;
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
    return cn_cost_capped(falls > rises ? falls : rises);
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
    return apart > base ? cn_cost_capped(apart) : base;
}

/* How much of the cost from a node to a port the way's lane shows. */
CN_ALWAYS_INLINE uint32_t cn_gate_shown(const cn_gate_way *way, const void *entries, unsigned bits)
{
    const uint32_t entry = cn_entry_get(entries, way->lane, bits);
    const uint32_t over = entry > way->above ? entry - way->above : 0;
    const uint32_t under = entry < way->below ? way->below - entry : 0;
    return over | under;
}

/* Takes the lane that shows most of the cost from a node to a port, if one shows any. */
void cn_gate_show_most(const cn_gates *gates, uint32_t port, const void *entries, cn_gate_way *way);

/* Lowers a bound to that of going by old steps to the port of a way, and on. */
CN_ALWAYS_INLINE void cn_gate_go_by(const cn_gate_view *view, uint32_t i, cn_gate_xy at,
                                    const void *entries, cairn_cost *least, cn_rows_kernel rows)
{
    const cn_gates *gates = view->gates;
    cn_gate_way *way = &view->ways[i];
    const uint32_t port = view->aim->port[i], room = *least - way->rest;
    const cairn_cost base = cn_gate_base_to_port(gates, port, at);
    if (base >= room)
        return;
    const cairn_cost reach = cn_gate_reach_port(gates, port, base, entries, rows);
    if (reach < room)
        *least = reach + way->rest;
    else
        cn_gate_show_most(gates, port, entries, way);
}

/* Rows that also hold without gates raise what the ways by ports lower: those by ports in some of
 * the given parts. */
CN_ALWAYS_INLINE cairn_cost cn_gate_go_by_ports(const cn_gate_view *view, cn_gate_xy at,
                                                const uint8_t *entries, cairn_cost apart,
                                                cairn_cost base, uint32_t parts,
                                                cn_rows_kernel rows, unsigned bits)
{
    const cn_gates *gates = view->gates;
    const cn_gate_limits *limits = view->limits;
    cairn_cost least = apart;

    for (uint32_t i = 0; view->ways[i].rest < least; i++) {
        if (parts != UINT32_MAX && !(gates->port_parts[view->aim->port[i]] & parts))
            continue;
        if (cn_gate_shown(&view->ways[i], entries, bits) < least - view->ways[i].rest)
            cn_gate_go_by(view, i, at, entries, &least, rows);
    }
    if (least < apart && gates->has_whole && !view->aim->is_inside) {
        const cairn_cost whole = rows(entries, limits->whole_above, limits->whole_below,
                                      gates->lane_count);
        least = least > whole ? least : cn_cost_capped(whole);
    }
    return least > base ? least : base;
}

/* The kernel by_ports. */
CN_ALWAYS_INLINE cairn_cost cn_gate_bound_by_ports(const cn_gate_view *view, cn_gate_xy at,
                                                   const uint8_t *entries, cairn_cost apart,
                                                   cairn_cost base, cn_rows_kernel rows,
                                                   unsigned bits)
{
    return cn_gate_go_by_ports(view, at, entries, apart, base, UINT32_MAX, rows, bits);
}

/* The kernel by_parts. Rows tell nothing of the goal in another part than the node, and nothing of
 * ports in others. */
CN_ALWAYS_INLINE cairn_cost cn_gate_bound_by_parts(const cn_gate_view *view, cn_gate_xy at,
                                                   const uint8_t *entries, cairn_cost base,
                                                   cn_rows_kernel rows, unsigned bits)
{
    const cn_gates *gates = view->gates;
    const cn_gate_limits *limits = view->limits;
    const uint32_t part = cn_gate_part_at(&gates->parts, at);
    cairn_cost apart = CAIRN_COST_MAX;

    if (!view->aim->is_inside && part == view->aim->part)
        apart = cn_cost_capped(rows(entries, limits->above, limits->below, gates->lane_count));
    if (apart <= base)
        return base;
    return cn_gate_go_by_ports(view, at, entries, apart, base, UINT32_C(1) << part, rows, bits);
}

/* The kernel outside, with what the base heuristic allows. Nearly always one lane of each port
 * shows that no way by it is shorter. */
CN_ALWAYS_INLINE cairn_cost cn_gate_bound_outside(const cn_gate_view *view, cn_gate_xy at,
                                                  const uint8_t *entries, cairn_cost base,
                                                  cn_rows_kernel rows, unsigned bits)
{
    const cn_gates *gates = view->gates;
    const cn_gate_limits *limits = view->limits;
    cairn_cost apart = CAIRN_COST_MAX;

    if (CN_UNLIKELY(gates->parts.of_tile))
        return gates->kernels.by_parts(view, at, entries, base);
    if (CN_LIKELY(!view->aim->is_inside))
        apart = cn_cost_capped(rows(entries, limits->above, limits->below, gates->lane_count));
    if (apart <= base)
        return base;
    for (const cn_gate_way *way = view->ways; way->rest < apart; way++) {
        if (cn_gate_shown(way, entries, bits) < apart - way->rest)
            return gates->kernels.by_ports(view, at, entries, apart, base);
    }
    return apart;
}

#endif
