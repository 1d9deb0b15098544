/* Makes gates of their parts. */
#include <string.h>

#include "bound/gate_maker.h"

static void see_cell(cn_gates *gates, cairn_node node)
{
    uint32_t bit = cn_gate_seen_bit(node);
    gates->seen[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Each end of a crossing is a port of its own, and no cell is opened. */
static void find_ends(cn_gate_maker *self)
{
    cn_gates *gates = self->gates;

    for (size_t i = 0; i < self->arc_count; i++) {
        cn_gate_add_port(self, self->arcs[i].from);
        cn_gate_add_port(self, self->arcs[i].to);
    }
    gates->cell_count = 0;
    memset(gates->seen, 0, sizeof gates->seen);
}

enum { PLACES_OF_A_CELL = CN_DIRECTIONS + 1 };

static bool reserve_gates(cn_gates *gates)
{
    const size_t size = (CN_PORTS_MAX + 1) * gates->lane_size;
    gates->cells = cn_array(&gates->mem, CN_GATE_LISTED_MAX, sizeof *gates->cells);
    gates->cell_gate = cn_array(&gates->mem, CN_GATE_CELLS_MAX, sizeof *gates->cell_gate);
    gates->high = cn_array(&gates->mem, cn_gate_port_rows(gates), gates->lane_size);
    if (!gates->cells || !gates->cell_gate || !gates->high)
        return false;
    gates->low = gates->high + size;
    gates->to = gates->from = (cn_port_limits){gates->high, gates->low};
    if (gates->is_directed) {
        gates->to = (cn_port_limits){gates->high + 2 * size, gates->high + 3 * size};
        gates->from = (cn_port_limits){gates->high + 4 * size, gates->high + 5 * size};
    }
    return true;
}

static bool reserve_places(cn_gate_maker *self, size_t count)
{
    const cn_mem *mem = &self->gates->mem;
    for (self->slot_count = 16; self->slot_count <= count;)
        self->slot_count *= 2;
    self->places = cn_array(mem, count, sizeof *self->places);
    self->by_gate = cn_array(mem, count, sizeof *self->by_gate);
    self->slots = cn_zeroed(mem, self->slot_count, sizeof *self->slots);
    self->stack = cn_array(mem, count, sizeof *self->stack);
    self->merged = cn_array(mem, count, sizeof *self->merged);
    return self->places && self->by_gate && self->slots && self->stack && self->merged;
}

static bool reserve_borders(cn_gates *gates)
{
    gates->opened_count = gates->cell_count;
    gates->gates = cn_array(&gates->mem, gates->cell_count, sizeof *gates->gates);
    gates->border = cn_array(&gates->mem, CN_DIRECTIONS * gates->cell_count, sizeof *gates->border);
    return gates->gates && gates->border;
}

static cairn_status make_of_grid(cn_gate_maker *self)
{
    if (!reserve_places(self, PLACES_OF_A_CELL * self->gates->cell_count) ||
        !reserve_borders(self->gates))
        return CAIRN_E_MEMORY;
    cn_gate_find_ports(self);
    cn_gate_find_crossings(self);
    return CAIRN_OK;
}

static cairn_status make_of_graph(cn_gate_maker *self)
{
    self->arc_count = cn_gate_list_arcs(self, NULL);
    self->arcs = cn_array(&self->gates->mem, self->arc_count, sizeof *self->arcs);
    if (!self->arcs || !reserve_places(self, 2 * self->arc_count))
        return CAIRN_E_MEMORY;
    cn_gate_list_arcs(self, self->arcs);
    find_ends(self);
    cn_gate_cross_arcs(self);
    return CAIRN_OK;
}

static void finish_gates(cn_gates *gates)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++)
        gates->has_whole |= gates->use[lane] == CN_ROW_WHOLE;
    cn_gate_sum_up(gates);
    gates->is_usable = true;
}

static cairn_status make_gates(cn_gates *gates, const cairn_map *map)
{
    cn_gate_maker self = {.gates = gates, .map = map};
    cairn_status status = map->roads ? make_of_graph(&self) : make_of_grid(&self);

    if (status == CAIRN_OK)
        finish_gates(gates);
    cn_release(&gates->mem, self.places);
    cn_release(&gates->mem, self.by_gate);
    cn_release(&gates->mem, self.slots);
    cn_release(&gates->mem, self.stack);
    cn_release(&gates->mem, self.merged);
    cn_release(&gates->mem, self.arcs);
    return status;
}

static bool base_is_moderate(const cn_grid *grid, cairn_metric metric)
{
    const uint64_t dearest = metric.straight > metric.diagonal ? metric.straight : metric.diagonal;
    return ((uint64_t)grid->width + grid->height) * dearest <= CAIRN_COST_MAX;
}

cairn_status cn_gates_make(cn_gates *gates, const cairn_table *table, const cairn_map *row_map,
                           const cn_gate_past *past)
{
    cn_gates_free(gates);
    gates->map = row_map;
    gates->entries = table->entries;
    gates->is_hex = row_map->grid.rules.rule == CAIRN_RULE_HEX;
    gates->is_directed = table->is_directed;
    gates->lane_count = table->lane_count;
    gates->entry_bits = table->entry_bits;
    gates->lane_size = (size_t)table->lane_count * table->entry_bits / 8;
    gates->rows = cn_rows_kernel_for(table->entry_bits, table->cpu);
    gates->outside = cn_gate_kernel_for(table->entry_bits, table->cpu);
    gates->metric = row_map->roads ? (cairn_metric){0, 0} : row_map->base_metric;
    gates->is_moderate = base_is_moderate(&row_map->grid, gates->metric);
    cn_gate_choose_rows(gates, table);
    if (gates->row_count == 0)
        return CAIRN_OK;
    if (!reserve_gates(gates))
        return CAIRN_E_MEMORY;
    if (!cn_gate_take_opened(gates, table, row_map, past) || gates->cell_count > CN_GATE_CELLS_MAX)
        return CAIRN_OK;
    for (size_t i = 0; i < gates->cell_count; i++)
        see_cell(gates, gates->cells[i]);
    if (!table->corners)
        return make_gates(gates, row_map);
    cairn_status status = cn_gate_corners_make(table, row_map, gates->cells, gates->cell_count,
                                               past, &gates->at, &gates->is_outgrown);
    return status == CAIRN_OK && gates->at ? make_gates(gates, row_map) : status;
}
