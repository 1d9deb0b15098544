/* Entries, limits and base heuristics of gates: what those who make gates and those who use them
 * share. */
#ifndef CN_TABLE_GATE_ROWS_H
#define CN_TABLE_GATE_ROWS_H

#include "table/bound.h"
#include "table/gates.h"

CN_ALWAYS_INLINE uint32_t cn_gate_lane(const cn_gates *gates, const void *entries, uint32_t lane)
{
    return gates->entry_bits == 16 ? ((const uint16_t *)entries)[lane]
                                   : ((const uint32_t *)entries)[lane];
}

CN_ALWAYS_INLINE void cn_gate_put(const cn_gates *gates, void *entries, uint32_t lane,
                                  uint32_t entry)
{
    if (gates->entry_bits == 16)
        ((uint16_t *)entries)[lane] = (uint16_t)entry;
    else
        ((uint32_t *)entries)[lane] = entry;
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
uint32_t cn_gate_seen_bit(cairn_node node);

/* Copies a goal's row so that lanes of less use than `least` give no difference, and those of rows
 * in pairs only their own. */
void cn_gate_limit_row(const cn_gates *gates, const void *entries, cn_row_use least, void *above,
                       void *below);

CN_ALWAYS_INLINE cn_gate_xy cn_gate_place(const cn_gates *gates, cairn_node node)
{
    cn_gate_xy at;
    cn_grid_xy(&gates->map->grid, node, &at.x, &at.y);
    return at;
}

/* The base heuristic of a grid, without heights; nothing on a graph. */
CN_ALWAYS_INLINE cairn_cost cn_gate_base(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other)
{
    const cairn_metric metric = gates->map->base_metric;
    if (gates->map->roads)
        return 0;
    return gates->is_hex ? metric.straight * cn_hex_steps(one.x, one.y, other.x, other.y)
                         : cn_octile(metric, one.x, one.y, other.x, other.y);
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

CN_ALWAYS_INLINE cairn_cost cn_gate_limited(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

CN_ALWAYS_INLINE void cn_gate_lower(cairn_cost *cost, cairn_cost other)
{
    *cost = other < *cost ? other : *cost;
}

#endif
