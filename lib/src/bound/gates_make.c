/* Makes gates of their parts. */
#include <string.h>

#include "bound/gate_maker.h"

static void see_cell(cn_gates *gates, cairn_node node)
{
    uint32_t bit = cn_gate_seen_bit(node);
    cn_set_bit(gates->seen, bit);
}

/* Each end of a crossing is a port of its own, and no cell is opened. */
static void find_ends(cn_gate_maker *self)
{
    const cn_gate_crossing *crossings = self->crossings;
    cn_gates *gates = self->gates;

    for (size_t i = 0; i < self->crossing_count; i++) {
        cn_gate_add_port(self, crossings[i].from);
        cn_gate_add_port(self, crossings[i].to);
    }
    gates->cell_count = 0;
    memset(gates->seen, 0, sizeof gates->seen);
}

/* Of so many gates too many lead on, mostly. */
enum { GATES_MOST = 96 };

enum { PLACES_OF_A_CELL = CN_DIRECTIONS + 1 };

static bool reserve_gates(cn_gates *gates)
{
    const size_t size = (CN_PORTS_MAX + 1) * gates->lane_size;
    gates->cells = cn_array(&gates->mem, CN_GATE_CELLS_MAX, sizeof *gates->cells);
    gates->cell_gate = cn_array(&gates->mem, CN_GATE_CELLS_MAX, sizeof *gates->cell_gate);
    gates->cell_inner = cn_array(&gates->mem, CN_GATE_CELLS_MAX, sizeof *gates->cell_inner);
    gates->high = cn_array(&gates->mem, cn_gate_port_rows(gates), gates->lane_size);
    if (!gates->cells || !gates->cell_gate || !gates->cell_inner || !gates->high)
        return false;
    memset(gates->cell_inner, 0xff, CN_GATE_CELLS_MAX * sizeof *gates->cell_inner);
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
    self->slots = cn_zeroed(mem, self->slot_count, sizeof *self->slots);
    self->merged = cn_array(mem, count, sizeof *self->merged);
    self->tops = cn_array(mem, CN_PORTS_MAX + 1, self->gates->lane_size);
    return self->places && self->slots && self->merged && self->tops;
}

/* What places of a grid need beside. */
static bool reserve_gates_of(cn_gate_maker *self, size_t places)
{
    cn_gates *gates = self->gates;
    const cn_mem *mem = &gates->mem;
    const size_t count = gates->cell_count;

    gates->opened_count = count;
    gates->items = cn_array(mem, count, sizeof *gates->items);
    gates->rim = cn_array(mem, CN_DIRECTIONS * count, sizeof *gates->rim);
    self->stack = cn_array(mem, places, sizeof *self->stack);
    self->by_gate = cn_array(mem, places, sizeof *self->by_gate);
    self->gate_begin = cn_array(mem, count + 1, sizeof *self->gate_begin);
    self->leads = cn_array(mem, count, sizeof *self->leads);
    self->is_free = cn_array(mem, count, sizeof *self->is_free);
    return gates->items && gates->rim && self->stack && self->by_gate && self->gate_begin &&
           self->leads && self->is_free;
}

/* The opened cells of gates that lead on, which ascend. */
static size_t list_leading(const cn_gate_maker *self, cairn_node *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < self->place_count; i++) {
        const cn_gate_cell *place = &self->places[i];
        if (place->is_opened && self->leads[place->gate])
            cells[count++] = place->node;
    }
    return count;
}

/* The parts in which the cells of each port are. */
static void place_ports(const cn_gate_maker *self)
{
    cn_gates *gates = self->gates;
    memset(gates->port_parts, 0, sizeof gates->port_parts);
    for (size_t i = 0; i < self->place_count; i++) {
        const cn_gate_cell *place = &self->places[i];
        if (place->port == CN_NO_PORT)
            continue;
        const uint32_t part = cn_gate_part_at(&gates->parts, cn_gate_place(gates, place->node));
        gates->port_parts[self->merged[place->port]] |= UINT32_C(1) << part;
    }
}

/* Whether the parts of the past are still valid. */
static bool parts_still_hold(const cn_gate_maker *self, const cn_nodes *opened)
{
    const cn_gate_past *past = self->past;
    const cairn_node *changed;
    size_t count;

    if (!past || !past->gates)
        return false;
    const cn_changes changes = cn_map_changes(self->map, past->map_hash, past->map_fixed_hash,
                                              &changed, &count);
    return (changes == CN_CHANGES_KNOWN || changes == CN_CHANGES_NONE) &&
           cn_gate_parts_hold(&past->gates->parts, &self->map->grid, changed, count, opened);
}

/* Where a row has more landmarks it is not examined which components have several: that would take
 * longer than the mostly small parts of such maps are worth. */
enum { LANDMARKS_EXAMINED = 4096 };

/* Whether the component of an opened cell has several landmarks of a row. */
static bool has_several_landmarks(const cairn_table *table, const cn_components *components,
                                  cairn_node opened)
{
    const uint32_t component = cn_component_of(components, opened);
    size_t several = 0;
    for (size_t i = 0; i < table->landmark_start[1] && several < 2; i++)
        several += cn_component_of(components, table->landmarks[i]) == component;
    return several == 2;
}

/* Whether entries of the component of some opened cell may be costs to several landmarks. Otherwise
 * they can be compared, and it has no parts. */
static bool may_have_parts(const cairn_table *table, const cn_components *components,
                           const cn_nodes *opened)
{
    bool may = table->lost_landmarks;
    uint32_t examined = CN_NO_COMPONENT;
    for (size_t i = 0; i < opened->count && !may; i++) {
        const uint32_t component = cn_component_of(components, opened->items[i]);
        may = component != examined && has_several_landmarks(table, components, opened->items[i]);
        examined = component;
    }
    return may;
}

static cairn_status search_parts(cn_gate_maker *self, const cn_nodes *opened)
{
    const cairn_table *table = self->table;
    const size_t landmarks = table->landmark_start[1];
    const cn_components *components;
    if (!table->lost_landmarks && (landmarks < 2 || landmarks > LANDMARKS_EXAMINED))
        return CAIRN_OK;
    const cairn_status status = cn_map_connect(self->map, &components);
    if (status != CAIRN_OK || !may_have_parts(table, components, opened))
        return status;
    return cn_gate_parts_find(&self->gates->parts, &self->gates->mem, &components->regions, opened);
}

/* Finds the parts of the map that gates which lead on connect. With one-way cells a rim may have
 * cells that no step joins to it. */
static cairn_status find_parts(cn_gate_maker *self)
{
    cn_gates *gates = self->gates;
    cairn_node cells[CN_GATE_CELLS_MAX];

    if (gates->port_count < 2 || !cn_map_leads_back(self->map))
        return CAIRN_OK;
    const cn_nodes opened = {.items = cells, .count = list_leading(self, cells)};
    const cairn_status status = parts_still_hold(self, &opened)
                                    ? cn_gate_parts_copy(&gates->parts, &gates->mem,
                                                         &self->past->gates->parts, &opened)
                                    : search_parts(self, &opened);
    if (status != CAIRN_OK || !gates->parts.of_tile)
        return status;
    place_ports(self);
    cn_gate_cross_parts(self);
    return CAIRN_OK;
}

static cairn_status make_of_grid(cn_gate_maker *self)
{
    const size_t places = PLACES_OF_A_CELL * self->gates->cell_count;
    if (!reserve_places(self, places) || !reserve_gates_of(self, places))
        return CAIRN_E_MEMORY;
    cn_gate_find_places(self);
    cairn_status status = cn_gate_list_crossings(self);
    if (status == CAIRN_OK && !self->is_crowded)
        cn_gate_find_ports(self);
    if (status != CAIRN_OK || self->is_crowded)
        return status;
    cn_gate_cross(self);
    cn_gate_list_rims(self);
    return find_parts(self);
}

static cairn_status make_of_graph(cn_gate_maker *self)
{
    cairn_status status = cn_gate_list_arcs(self);
    if (status != CAIRN_OK)
        return status;
    if (!reserve_places(self, 2 * self->crossing_count))
        return CAIRN_E_MEMORY;
    find_ends(self);
    cn_gate_cross(self);
    return CAIRN_OK;
}

static void finish_gates(cn_gates *gates)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++)
        gates->has_whole |= gates->use[lane] == CN_ROW_WHOLE;
    cn_gate_sum_up(gates);
    gates->is_usable = true;
}

static void free_maker(const cn_gate_maker *self)
{
    const cn_mem *mem = &self->gates->mem;
    cn_release(mem, self->places);
    cn_release(mem, self->slots);
    cn_release(mem, self->stack);
    cn_release(mem, self->merged);
    cn_release(mem, self->tops);
    cn_release(mem, self->by_gate);
    cn_release(mem, self->gate_begin);
    cn_release(mem, self->leads);
    cn_release(mem, self->is_free);
    cn_release(mem, self->across_rim);
    cn_release(mem, self->crossings);
}

static cairn_status make_gates(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                               const cn_gate_past *past)
{
    cn_gate_maker self = {.gates = gates, .table = table, .map = map, .past = past};
    cairn_status status = map->graph ? make_of_graph(&self) : make_of_grid(&self);

    if (status == CAIRN_OK && !self.is_crowded)
        finish_gates(gates);
    free_maker(&self);
    return status;
}

static bool base_is_octile(const cn_grid *grid, cairn_metric metric)
{
    const uint64_t dearest = metric.straight > metric.diagonal ? metric.straight : metric.diagonal;
    return grid->rules.rule != CAIRN_RULE_HEX &&
           ((uint64_t)grid->width + grid->height) * dearest <= CAIRN_COST_MAX;
}

void cn_gates_prepare(cn_gates *gates, const cairn_table *table, const cairn_map *row_map)
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
    gates->kernels = cn_gate_kernels_for(table->entry_bits, table->cpu);
    gates->metric = row_map->graph ? (cairn_metric){0, 0} : row_map->base_metric;
    gates->is_octile = base_is_octile(&row_map->grid, gates->metric);
    cn_gate_choose_rows(gates, table);
}

/* Opened cells before which, in their row and in the one above, none is opened: hardly fewer than
 * there are gates, and few in a patch. Of a graph it is not known. */
static size_t count_heads(const cn_gates *gates)
{
    const uint32_t width = gates->map->grid.width;
    size_t count = 0;
    for (size_t i = 0; i < gates->cell_count && !gates->map->graph; i++) {
        const cairn_node cell = gates->cells[i];
        bool is_head = true;
        for (unsigned k = 0; k < 4 && is_head; k++)
            is_head = cn_gate_find_opened(gates, k ? cell - width - 2 + k : cell - 1) == SIZE_MAX;
        count += is_head;
    }
    return count;
}

/* Makes gates for the rows in use; not usable where too many cells opened for them. */
static cairn_status make_for_rows(cn_gates *gates, const cairn_table *table,
                                  const cn_lacking *lacking, const cn_cheaper *cheaper,
                                  const cn_gate_past *past)
{
    const cairn_map *row_map = gates->map;
    if (!cn_gate_take_opened(gates, table, row_map, cheaper))
        return CAIRN_OK;
    for (size_t i = 0; i < gates->cell_count; i++)
        see_cell(gates, gates->cells[i]);
    if (count_heads(gates) > GATES_MOST)
        return CAIRN_OK;
    if (!table->corners)
        return make_gates(gates, table, row_map, past);
    cairn_status status = cn_gate_corners_make(table, row_map, gates->cells, gates->cell_count,
                                               lacking, past, &gates->extension,
                                               &gates->is_outgrown);
    return status == CAIRN_OK && gates->extension ? make_gates(gates, table, row_map, past)
                                                  : status;
}

/* Forgets what was made for rows of which some are left out now. */
static void begin_again(cn_gates *gates)
{
    cn_release(&gates->mem, gates->items);
    cn_release(&gates->mem, gates->rim);
    gates->items = NULL;
    gates->rim = NULL;
    gates->opened_count = gates->rim_count = gates->inner_count = 0;
    memset(gates->cell_inner, 0xff, CN_GATE_CELLS_MAX * sizeof *gates->cell_inner);
    gates->port_count = 0;
    memset(gates->seen, 0, sizeof gates->seen);
    cn_gate_parts_free(&gates->parts, &gates->mem);
}

cairn_status cn_gates_make(cn_gates *gates, const cairn_table *table, const cn_lacking *lacking,
                           const cn_cheaper *cheaper, const cn_gate_past *past)
{
    if (gates->row_count == 0)
        return CAIRN_OK;
    if (!reserve_gates(gates))
        return CAIRN_E_MEMORY;
    cairn_status status = make_for_rows(gates, table, lacking, cheaper, past);
    while (status == CAIRN_OK && !gates->is_usable && !table->corners &&
           cn_gate_leave_out_oldest(gates, table)) {
        begin_again(gates);
        status = make_for_rows(gates, table, lacking, cheaper, NULL);
    }
    return status;
}
