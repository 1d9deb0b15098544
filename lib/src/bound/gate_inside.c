/* Making gates: what ways through opened cells cost on grids whose steps are not even, where the
 * base heuristic says far too little. */
#include "bound/gate_maker.h"

/* Of more opened cells together the base heuristic tells what ways through them cost. */
enum { OPENED_MAX = 16 };

static const cn_gate_cell *find_in_gate(const cn_gate_maker *self, cairn_node node, uint32_t gate)
{
    const cn_gate_cell *place = cn_gate_find_place(self, node);
    return place && place->gate == gate ? place : NULL;
}

/* Numbers the opened cells of a gate and those of its rim, in their order. */
static void number_places(cn_gate_maker *self, uint32_t gate)
{
    uint32_t opened = 0, rim = 0;
    for (size_t i = self->gate_begin[gate]; i < self->gate_begin[gate + 1]; i++) {
        cn_gate_cell *place = cn_gate_place_at(self, i);
        place->number = place->is_opened ? opened++ : rim++;
    }
    self->inside = (cn_gate_inside){.opened = opened, .rim = rim};
}

static bool reserve_costs(cn_gate_maker *self)
{
    cn_gates *gates = self->gates;
    cn_gate_inside *inside = &self->inside;
    const size_t costs = (size_t)inside->opened * inside->rim;
    const size_t crossings = (size_t)inside->rim * inside->rim;

    if (!CN_GROW(&gates->mem, gates->inner, &gates->inner_room, gates->inner_count,
                 gates->inner_count + costs) ||
        !CN_GROW(&gates->mem, self->across_rim, &self->across_room, 0, crossings))
        return false;
    inside->costs = gates->inner + gates->inner_count;
    for (size_t i = 0; i < costs; i++)
        inside->costs[i] = CAIRN_COST_MAX;
    for (size_t i = 0; i < crossings; i++)
        self->across_rim[i] = CAIRN_COST_MAX;
    return true;
}

/* Lowers the costs from a place to all of a rim to those by way of an opened cell. */
static bool lower_by_way(const cn_gate_inside *inside, cairn_cost *costs, const cn_gate_cell *by,
                         cairn_cost step)
{
    const cairn_cost *rest = inside->costs + (size_t)by->number * inside->rim;
    bool is_lower = false;
    for (uint32_t i = 0; i < inside->rim; i++) {
        is_lower |= step + rest[i] < costs[i];
        cn_gate_lower(&costs[i], step + rest[i]);
    }
    return is_lower;
}

/* Lowers what an opened cell's ways cost to those by its steps; false where they are no less. */
static bool lower_from_opened(const cn_gate_maker *self, const cn_gate_cell *from)
{
    const cn_gate_inside *inside = &self->inside;
    cairn_cost *costs = inside->costs + (size_t)from->number * inside->rim;
    cn_arc scratch[CN_ARCS_SCRATCH];
    bool is_lower = false;

    const cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
    for (size_t k = 0; k < span.count; k++) {
        const cn_arc *arc = &span.arcs[k];
        const cn_gate_cell *to = find_in_gate(self, arc->to, from->gate);
        if (to && to->is_opened) {
            is_lower |= lower_by_way(inside, costs, to, arc->cost);
        } else if (to) {
            is_lower |= arc->cost < costs[to->number];
            cn_gate_lower(&costs[to->number], arc->cost);
        }
    }
    return is_lower;
}

static void cross_from_rim(const cn_gate_maker *self, const cn_gate_cell *from)
{
    const cn_gate_inside *inside = &self->inside;
    cairn_cost *costs = self->across_rim + (size_t)from->number * inside->rim;
    cn_arc scratch[CN_ARCS_SCRATCH];

    const cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
    for (size_t k = 0; k < span.count; k++) {
        const cn_arc *arc = &span.arcs[k];
        const cn_gate_cell *to = find_in_gate(self, arc->to, from->gate);
        if (to && to->is_opened)
            lower_by_way(inside, costs, to, arc->cost);
        else if (to && cn_gate_is_new_step(self, from, to))
            cn_gate_lower(&costs[to->number], arc->cost);
    }
}

/* Finds all costs inside a gate: from opened cells by any number of steps (Bellman, "On a routing
 * problem", 1958), then from cells of the rim. */
static void find_costs(cn_gate_maker *self, size_t first, size_t end)
{
    bool is_lower = true;
    while (is_lower) {
        is_lower = false;
        for (size_t i = first; i < end; i++) {
            const cn_gate_cell *place = cn_gate_place_at(self, i);
            is_lower |= place->is_opened && lower_from_opened(self, place);
        }
    }
    for (size_t i = first; i < end; i++) {
        const cn_gate_cell *place = cn_gate_place_at(self, i);
        if (!place->is_opened)
            cross_from_rim(self, place);
    }
}

static void keep_costs(cn_gate_maker *self, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    const cn_gate_inside *inside = &self->inside;

    for (size_t i = first; i < end; i++) {
        const cn_gate_cell *place = cn_gate_place_at(self, i);
        if (place->is_opened)
            gates->cell_inner[cn_gate_find_opened(gates, place->node)] =
                (uint32_t)gates->inner_count + place->number * inside->rim;
    }
    gates->inner_count += (size_t)inside->opened * inside->rim;
}

cairn_status cn_gate_look_inside(cn_gate_maker *self, uint32_t gate)
{
    const size_t first = self->gate_begin[gate], end = self->gate_begin[gate + 1];

    number_places(self, gate);
    if (cn_map_is_even(self->map) || self->is_free[gate] || self->inside.opened > OPENED_MAX)
        return CAIRN_OK;
    if (!reserve_costs(self))
        return CAIRN_E_MEMORY;
    find_costs(self, first, end);
    keep_costs(self, first, end);
    return CAIRN_OK;
}

cairn_cost cn_gate_cost_across(const cn_gate_maker *self, const cn_gate_cell *from,
                               const cn_gate_cell *to)
{
    const cn_gates *gates = self->gates;
    if (self->inside.costs)
        return self->across_rim[(size_t)from->number * self->inside.rim + to->number];
    return cn_gate_base(gates, cn_gate_place(gates, from->node), cn_gate_place(gates, to->node));
}
