/* Making gates: the crossings between ports. */
#include <string.h>

#include "bound/gate_maker.h"

/* Of a gate with a longer border every crossing counts, and costs nothing. */
enum { BORDER_MAX = 128 };

/* Rows whose entries at the ends of a crossing differ by more than it costs hold by gates alone. */
static void split_rows(cn_gates *gates, const void *from, const void *to, cairn_cost cost)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const uint32_t a = cn_gate_lane(gates, from, lane), b = cn_gate_lane(gates, to, lane);
        const bool rises = !gates->is_directed || !(lane & 1);
        const bool falls = !gates->is_directed || lane & 1;
        if (gates->use[lane] == CN_ROW_WHOLE &&
            ((rises && b > a && b - a > cost) || (falls && a > b && a - b > cost)))
            gates->use[lane] = CN_ROW_BY_GATES;
    }
}

static void add_crossing(cn_gate_maker *self, const cn_gate_cell *from, const cn_gate_cell *to,
                         cairn_cost cost)
{
    cn_gates *gates = self->gates;
    cn_gate_lower(&gates->across[self->merged[from->port]][self->merged[to->port]], cost);
    split_rows(gates, cn_gate_own_entries(gates, from->node), cn_gate_own_entries(gates, to->node),
               cost);
}

/* The crossings that lead to one border cell from the others. */
static void cross_to(cn_gate_maker *self, const cn_gate_cell *to, const cn_gate_cell *first,
                     const cn_gate_cell *end)
{
    const cn_gates *gates = self->gates;
    uint32_t above[CN_LANES_MAX], below[CN_LANES_MAX];
    const cn_gate_xy at = cn_gate_place(gates, to->node);

    cn_gate_limit_row(gates, cn_gate_own_entries(gates, to->node), CN_ROW_BY_GATES, above, below);
    for (const cn_gate_cell *from = first; from < end; from++) {
        if (from->is_opened || from == to)
            continue;
        const cairn_cost cost = cn_gate_base(gates, at, cn_gate_place(gates, from->node));
        if (gates->rows(cn_gate_own_entries(gates, from->node), above, below, gates->lane_count) <=
            cost)
            continue;
        add_crossing(self, from, to, cost);
        if (!gates->is_directed)
            add_crossing(self, to, from, cost);
    }
}

/* Every port of a gate to every other one, at no cost. */
static void cross_freely(cn_gates *gates, uint32_t ports)
{
    for (uint32_t from = 0; from < gates->port_count; from++) {
        for (uint32_t to = 0; to < gates->port_count; to++) {
            if (ports >> from & ports >> to & 1)
                gates->across[from][to] = 0;
        }
    }
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        if (gates->use[lane] == CN_ROW_WHOLE)
            gates->use[lane] = CN_ROW_BY_GATES;
    }
}

static void list_border(cn_gate_maker *self, cn_gate *gate, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    for (size_t i = first; i < end; i++) {
        const cn_gate_cell *place = &self->by_gate[i];
        if (place->is_opened) {
            gates->cell_gate[cn_gate_find_opened(gates, place->node)] = place->gate;
            continue;
        }
        gate->ports |= UINT32_C(1) << self->merged[place->port];
        gates->border[gates->border_count++] = place->node;
    }
    gate->end = (uint32_t)gates->border_count;
}

/* The crossings of the gate whose places are those from `first` to `end`. A step is crossed once
 * where it costs the same in both directions. */
static void cross_gate(cn_gate_maker *self, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    const cn_gate_cell *places = self->by_gate;
    cn_gate *gate = &gates->gates[places[first].gate];

    *gate = (cn_gate){.first = (uint32_t)gates->border_count};
    list_border(self, gate, first, end);
    if (gate->end - gate->first > BORDER_MAX) {
        gates->border_count = gate->end = gate->first;
        cross_freely(gates, gate->ports);
        return;
    }
    for (size_t i = first; i < end; i++) {
        if (!places[i].is_opened)
            cross_to(self, &places[i], &places[gates->is_directed ? first : i], &places[end]);
    }
}

static void clear_crossings(cn_gates *gates)
{
    for (size_t i = 0; i < CN_PORTS_MAX * CN_PORTS_MAX; i++)
        gates->across[i / CN_PORTS_MAX][i % CN_PORTS_MAX] = CAIRN_COST_MAX;
}

/* Brings the places of each gate together, by counting: the stack, which is free now, holds where
 * each gate begins. */
static void group_places(cn_gate_maker *self)
{
    size_t *begin = self->stack, sum = 0;

    memset(begin, 0, self->gate_count * sizeof *begin);
    for (size_t i = 0; i < self->place_count; i++)
        begin[self->places[i].gate]++;
    for (uint32_t gate = 0; gate < self->gate_count; gate++) {
        const size_t count = begin[gate];
        begin[gate] = sum;
        sum += count;
    }
    for (size_t i = 0; i < self->place_count; i++)
        self->by_gate[begin[self->places[i].gate]++] = self->places[i];
}

void cn_gate_find_crossings(cn_gate_maker *self)
{
    clear_crossings(self->gates);
    group_places(self);
    for (size_t first = 0, end; first < self->place_count; first = end) {
        for (end = first + 1; end < self->place_count; end++) {
            if (self->by_gate[end].gate != self->by_gate[first].gate)
                break;
        }
        cross_gate(self, first, end);
    }
}

/* ---------------------------------------------------------------------------------- graphs -- */

size_t cn_gate_list_arcs(cn_gate_maker *self, cn_gate_arc *arcs)
{
    const cn_gates *gates = self->gates;
    size_t count = 0;

    for (size_t i = 0; i < gates->cell_count; i++) {
        const cairn_node from = gates->cells[i];
        cn_arc_span span = cn_map_arcs(self->map, from, CN_FORWARD, NULL);
        for (size_t k = 0; k < span.count; k++) {
            const cn_arc *arc = &span.arcs[k];
            if (cn_gate_find_opened(gates, arc->to) == SIZE_MAX ||
                !cn_gate_step_breaks(gates, from, arc->to, arc->cost))
                continue;
            if (arcs)
                arcs[count] = (cn_gate_arc){from, arc->to, arc->cost};
            count++;
        }
    }
    return count;
}

void cn_gate_cross_arcs(cn_gate_maker *self)
{
    clear_crossings(self->gates);
    for (size_t i = 0; i < self->arc_count; i++) {
        const cn_gate_arc *arc = &self->arcs[i];
        add_crossing(self, cn_gate_find_place(self, arc->from), cn_gate_find_place(self, arc->to),
                     arc->cost);
    }
}
