/* Making gates: the crossings between ports. */
#include "bound/gate_maker.h"

/* Of a gate with a longer rim every crossing counts, and costs nothing. */
enum { RIM_MAX = 128 };

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

static cairn_status list_crossing(cn_gate_maker *self, cairn_node from, cairn_node to,
                                  cairn_cost cost)
{
    if (!CN_GROW(&self->gates->mem, self->crossings, &self->crossing_room, self->crossing_count,
                 self->crossing_count + 1))
        return CAIRN_E_MEMORY;
    self->crossings[self->crossing_count++] = (cn_gate_crossing){from, to, cost};
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------- grids -- */

/* Lists the crossings that lead to one rim cell from the places of its gate between two. */
static cairn_status list_crossings_to(cn_gate_maker *self, const cn_gate_cell *to, size_t first,
                                      size_t end)
{
    const cn_gates *gates = self->gates;
    uint32_t above[CN_LANES_MAX], below[CN_LANES_MAX];
    cairn_status status = CAIRN_OK;

    cn_gate_limit_row(gates, cn_gate_own_entries(gates, to->node), CN_ROW_BY_GATES, above, below);
    for (size_t i = first; i < end && status == CAIRN_OK; i++) {
        const cn_gate_cell *from = cn_gate_place_at(self, i);
        if (from->is_opened || from == to)
            continue;
        const cairn_cost cost = cn_gate_cost_across(self, from, to);
        if (cost < CAIRN_COST_MAX && gates->rows(cn_gate_own_entries(gates, from->node), above,
                                                 below, gates->lane_count) > cost)
            status = list_crossing(self, from->node, to->node, cost);
    }
    return status;
}

static size_t count_rim(const cn_gate_maker *self, uint32_t gate)
{
    size_t count = 0;
    for (size_t i = self->gate_begin[gate]; i < self->gate_begin[gate + 1]; i++)
        count += !cn_gate_place_at(self, i)->is_opened;
    return count;
}

/* The crossings of a gate whose rim is not too long. A step is crossed once where it costs the
 * same in both directions. */
static cairn_status list_crossings_of(cn_gate_maker *self, uint32_t gate)
{
    const size_t first = self->gate_begin[gate], end = self->gate_begin[gate + 1];
    const size_t before = self->crossing_count;

    self->is_free[gate] = count_rim(self, gate) > RIM_MAX;
    cairn_status status = cn_gate_look_inside(self, gate);
    for (size_t i = first; i < end && !self->is_free[gate] && status == CAIRN_OK; i++) {
        const cn_gate_cell *to = cn_gate_place_at(self, i);
        if (!to->is_opened)
            status = list_crossings_to(self, to, self->gates->is_directed ? first : i, end);
    }
    self->leads[gate] = self->is_free[gate] || self->crossing_count > before;
    return status;
}

cairn_status cn_gate_list_crossings(cn_gate_maker *self)
{
    cairn_status status = CAIRN_OK;
    uint32_t leading = 0;
    for (uint32_t i = 0; i < self->gate_count && status == CAIRN_OK && !self->is_crowded; i++) {
        status = list_crossings_of(self, i);
        leading += self->leads[i];
        self->is_crowded = leading > CN_PORTS_FOUND_MAX;
    }
    return status;
}

/* From one cell of a rim to those of its gate in other parts. */
static void cross_parts_from(const cn_gate_maker *self, const cn_gate_cell *from)
{
    cn_gates *gates = self->gates;
    const cn_gate_xy at = cn_gate_place(gates, from->node);
    const uint32_t part = cn_gate_part_at(&gates->parts, at), port = self->merged[from->port];

    for (size_t i = self->gate_begin[from->gate]; i < self->gate_begin[from->gate + 1]; i++) {
        const cn_gate_cell *to = cn_gate_place_at(self, i);
        const cn_gate_xy there = cn_gate_place(gates, to->node);
        if (!to->is_opened && cn_gate_part_at(&gates->parts, there) != part)
            cn_gate_lower(&gates->across[port][self->merged[to->port]],
                          cn_gate_base(gates, at, there));
    }
}

void cn_gate_cross_parts(const cn_gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++) {
        const cn_gate_cell *from = &self->places[i];
        if (!from->is_opened && self->leads[from->gate] && !self->is_free[from->gate])
            cross_parts_from(self, from);
    }
}

/* The rim of a gate that is not crossed freely, and its ports. */
static void list_rim(cn_gate_maker *self, uint32_t number)
{
    cn_gates *gates = self->gates;
    cn_gate *gate = &gates->items[number];

    *gate = (cn_gate){.first = (uint32_t)gates->rim_count};
    for (size_t i = self->gate_begin[number]; i < self->gate_begin[number + 1]; i++) {
        const cn_gate_cell *place = cn_gate_place_at(self, i);
        if (place->is_opened) {
            gates->cell_gate[cn_gate_find_opened(gates, place->node)] = number;
            continue;
        }
        if (self->leads[number])
            gate->ports |= UINT32_C(1) << self->merged[place->port];
        if (!self->is_free[number])
            gates->rim[gates->rim_count++] = place->node;
    }
    gate->end = (uint32_t)gates->rim_count;
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

void cn_gate_list_rims(cn_gate_maker *self)
{
    for (uint32_t gate = 0; gate < self->gate_count; gate++) {
        list_rim(self, gate);
        if (self->is_free[gate])
            cross_freely(self->gates, self->gates->items[gate].ports);
    }
}

/* ---------------------------------------------------------------------------------- graphs -- */

cairn_status cn_gate_list_arcs(cn_gate_maker *self)
{
    const cn_gates *gates = self->gates;
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < gates->cell_count; i++) {
        const cairn_node from = gates->cells[i];
        cn_arc_span span = cn_map_arcs(self->map, from, CN_FORWARD, NULL);
        for (size_t k = 0; k < span.count && status == CAIRN_OK; k++) {
            const cn_arc *arc = &span.arcs[k];
            if (cn_gate_find_opened(gates, arc->to) != SIZE_MAX &&
                cn_gate_step_breaks(gates, from, arc->to, arc->cost))
                status = list_crossing(self, from, arc->to, arc->cost);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------------ both -- */

void cn_gate_cross(cn_gate_maker *self)
{
    cn_gates *gates = self->gates;
    for (size_t i = 0; i < CN_PORTS_MAX * CN_PORTS_MAX; i++)
        gates->across[i / CN_PORTS_MAX][i % CN_PORTS_MAX] = CAIRN_COST_MAX;
    for (size_t i = 0; i < self->crossing_count; i++) {
        const cn_gate_crossing *crossing = &self->crossings[i];
        const cn_gate_cell *from = cn_gate_find_place(self, crossing->from);
        const cn_gate_cell *to = cn_gate_find_place(self, crossing->to);
        add_crossing(self, from, to, crossing->cost);
        if (!self->map->graph && !gates->is_directed)
            add_crossing(self, to, from, crossing->cost);
    }
}
