#include "table/gates.h"

#include <stdlib.h>
#include <string.h>

#include "table/bound.h"

enum {
    CELLS_MAX =
        256, /* of more opened cells no gates are made: they would take longer than searches */
    BORDER_MAX = 128, /* of a gate with a longer border every crossing counts, and costs nothing */
    NO_PORT = UINT32_MAX
};

/* An opened cell, or one of a border. */
typedef struct gate_cell {
    cairn_node node;
    uint32_t gate;
    uint32_t port; /* of a border cell */
    bool is_opened;
} gate_cell;

typedef struct gate_maker {
    cn_gates *gates;
    const cairn_table *table;
    const cairn_map *map;
    gate_cell *places;
    size_t place_count;
    size_t *stack;
    uint32_t *merged; /* by port as it was found: the one that it belongs to */
    uint32_t found;
    uint64_t widths[CN_PORTS_MAX + 1][CN_PORTS_MAX + 1]; /* of two ports if they were one */
} gate_maker;

/* ------------------------------------------------------------------------------ opened cells -- */

static uint32_t seen_bit(cairn_node node)
{
    return (uint32_t)(node * UINT32_C(2654435761)) >> 20;
}

static void see_cell(cn_gates *gates, cairn_node node)
{
    uint32_t bit = seen_bit(node);
    gates->seen[bit / 64] |= UINT64_C(1) << bit % 64;
}

static int compare_cells(const void *one, const void *other)
{
    const cairn_node a = *(const cairn_node *)one, b = *(const cairn_node *)other;
    return (a > b) - (a < b);
}

/* Where a node is among the opened cells; SIZE_MAX: it is none. */
static size_t find_opened(const cn_gates *gates, cairn_node node)
{
    uint32_t bit = seen_bit(node);
    if (CN_LIKELY(!(gates->seen[bit / 64] >> bit % 64 & 1)))
        return SIZE_MAX;
    size_t first = 0, end = gates->cell_count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (gates->cells[middle] < node)
            first = middle + 1;
        else
            end = middle;
    }
    return first < gates->cell_count && gates->cells[first] == node ? first : SIZE_MAX;
}

static bool has_no_entries(const cairn_table *table, cairn_node node)
{
    uint32_t row = 0;
    while (row < table->row_count && cn_table_entry(table, row, node) == 0)
        row++;
    return row == table->row_count;
}

static bool take_opened(cn_gates *gates, cairn_node cell)
{
    if (gates->cell_count == CELLS_MAX)
        return false;
    gates->cells[gates->cell_count++] = cell;
    return true;
}

/* Cells whose opening has been applied to the table, for rows that do not hold it yet. */
static bool take_applied(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    const cn_openings *openings = table->openings;
    size_t first = openings ? openings->count : 0;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE && cn_table_since(table, row) < first)
            first = cn_table_since(table, row);
    }
    const cairn_node *opened = openings ? openings->cells : NULL;
    for (size_t i = first; openings && i < openings->count; i++) {
        if (cn_grid_is_open(&map->grid, opened[i]) && !take_opened(gates, opened[i]))
            return false;
    }
    return true;
}

/* Cells that opened since. Those of the journal that have entries were open when the table was
 * made, and are again. */
static bool take_later(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;
    cn_changes changes = cn_table_changes(table, map, &cells, &count);

    if (changes != CN_CHANGES_KNOWN)
        return changes == CN_CHANGES_NONE;
    for (size_t i = 0; i < count; i++) {
        if (cn_grid_is_open(&map->grid, cells[i]) && has_no_entries(table, cells[i]) &&
            !take_opened(gates, cells[i]))
            return false;
    }
    return true;
}

static void sort_cells(cn_gates *gates)
{
    size_t kept = 0;
    qsort(gates->cells, gates->cell_count, sizeof *gates->cells, compare_cells);
    for (size_t i = 0; i < gates->cell_count; i++) {
        if (kept == 0 || gates->cells[kept - 1] != gates->cells[i])
            gates->cells[kept++] = gates->cells[i];
    }
    gates->cell_count = kept;
    for (size_t i = 0; i < kept; i++)
        see_cell(gates, gates->cells[i]);
}

/* ------------------------------------------------------------------------------------- rows -- */

static uint32_t lane_of_entries(const cn_gates *gates, const void *entries, uint32_t lane)
{
    return gates->entry_bits == 16 ? ((const uint16_t *)entries)[lane]
                                   : ((const uint32_t *)entries)[lane];
}

static void put_lane(const cn_gates *gates, void *entries, uint32_t lane, uint32_t entry)
{
    if (gates->entry_bits == 16)
        ((uint16_t *)entries)[lane] = (uint16_t)entry;
    else
        ((uint32_t *)entries)[lane] = entry;
}

/* Copies a row so that lanes of less use than `least` give no difference. */
static void limit_row(const cn_gates *gates, const void *entries, cn_row_use least, void *above,
                      void *below)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const bool is_used = gates->use[lane] >= least;
        const uint32_t entry = lane_of_entries(gates, entries, lane);
        put_lane(gates, above, lane, is_used ? entry : UINT32_MAX);
        put_lane(gates, below, lane, is_used ? entry : 0);
    }
}

/* Which rows may be used: those that are safe, and those of which it is known which cells opened
 * since they were. */
static void choose_rows(cn_gates *gates, const cairn_table *table)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE &&
            cn_table_since(table, row) == CN_SINCE_UNKNOWN)
            continue;
        gates->use[row] = CN_ROW_WHOLE;
        gates->row_count++;
    }
}

static const uint8_t *border_entries(const cairn_table *table, cairn_node node)
{
    return (const uint8_t *)table->entries + cn_table_index(table, node, 0) * table->entry_bits / 8;
}

/* ----------------------------------------------------------------------------------- places -- */

static int compare_places(const void *one, const void *other)
{
    const gate_cell *a = one, *b = other;
    return (a->node > b->node) - (a->node < b->node);
}

static int compare_gates(const void *one, const void *other)
{
    const gate_cell *a = one, *b = other;
    return a->gate == b->gate ? compare_places(a, b) : (a->gate > b->gate) - (a->gate < b->gate);
}

static gate_cell *find_place(const gate_maker *self, cairn_node node)
{
    const gate_cell wanted = {.node = node};
    return bsearch(&wanted, self->places, self->place_count, sizeof wanted, compare_places);
}

static void add_place(gate_maker *self, cairn_node node, bool is_opened)
{
    self->places[self->place_count++] =
        (gate_cell){.node = node, .gate = UINT32_MAX, .port = NO_PORT, .is_opened = is_opened};
}

static void find_places(gate_maker *self)
{
    const cn_gates *gates = self->gates;
    cn_arc scratch[CN_ARCS_SCRATCH];
    size_t kept = 0;

    for (size_t i = 0; i < gates->cell_count; i++) {
        cn_arc_span span = cn_map_arcs(self->map, gates->cells[i], CN_FORWARD, scratch);
        add_place(self, gates->cells[i], true);
        for (size_t k = 0; k < span.count; k++) {
            if (find_opened(gates, span.arcs[k].to) == SIZE_MAX)
                add_place(self, span.arcs[k].to, false);
        }
    }
    qsort(self->places, self->place_count, sizeof *self->places, compare_places);
    for (size_t i = 0; i < self->place_count; i++) {
        if (kept == 0 || self->places[kept - 1].node != self->places[i].node)
            self->places[kept++] = self->places[i];
    }
    self->place_count = kept;
}

/* Whether a step may not have existed before the cells opened. */
static bool is_new_step(const gate_maker *self, const gate_cell *from, const gate_cell *to)
{
    const uint32_t width = self->map->grid.width;
    if (from->is_opened || to->is_opened)
        return true;
    if (self->map->grid.rules.rule == CAIRN_RULE_HEX)
        return false;
    const cairn_node one = from->node / width * width + to->node % width;
    const cairn_node other = to->node / width * width + from->node % width;
    return find_opened(self->gates, one) != SIZE_MAX || find_opened(self->gates, other) != SIZE_MAX;
}

/* The places that can be reached from one by new steps become a gate. */
static void label_gate(gate_maker *self, size_t first, uint32_t gate)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    size_t depth = 0;

    self->places[first].gate = gate;
    self->stack[depth++] = first;
    while (depth) {
        const gate_cell *from = &self->places[self->stack[--depth]];
        cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
        for (size_t k = 0; k < span.count; k++) {
            gate_cell *to = find_place(self, span.arcs[k].to);
            if (!to || to->gate != UINT32_MAX || !(from->is_opened || to->is_opened))
                continue;
            to->gate = gate;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
}

static void label_gates(gate_maker *self)
{
    uint32_t gate = 0;
    for (size_t i = 0; i < self->place_count; i++) {
        if (self->places[i].gate == UINT32_MAX)
            label_gate(self, i, gate++);
    }
}

/* ------------------------------------------------------------------------------------ ports -- */

static uint8_t *high_of(const cn_gates *gates, uint32_t port)
{
    return gates->high + port * gates->lane_size;
}

static uint8_t *low_of(const cn_gates *gates, uint32_t port)
{
    return gates->low + port * gates->lane_size;
}

/* Extends a port by the entries from `low` to `high`. */
static void widen_port(const cn_gates *gates, uint32_t port, const void *low, const void *high)
{
    uint8_t *own_low = low_of(gates, port), *own_high = high_of(gates, port);
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        if (gates->use[lane] == CN_ROW_LEFT_OUT)
            continue;
        const uint32_t least = lane_of_entries(gates, low, lane);
        const uint32_t most = lane_of_entries(gates, high, lane);
        if (least < lane_of_entries(gates, own_low, lane))
            put_lane(gates, own_low, lane, least);
        if (most > lane_of_entries(gates, own_high, lane))
            put_lane(gates, own_high, lane, most);
    }
}

static cn_gate_xy place_of_node(const cn_gates *gates, cairn_node node)
{
    cn_gate_xy at;
    cn_grid_xy(&gates->map->grid, node, &at.x, &at.y);
    return at;
}

/* The base heuristic of the map. */
static cairn_cost base_of_gates(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other)
{
    const cairn_metric metric = gates->map->base_metric;
    return gates->is_hex ? metric.straight * cn_hex_steps(one.x, one.y, other.x, other.y)
                         : cn_octile(metric, one.x, one.y, other.x, other.y);
}

/* Extends a port around its centre by the cells in a radius around a place. */
static void extend_radius(cn_gates *gates, uint32_t port, cn_gate_xy at, cairn_cost radius)
{
    const cairn_cost reach = base_of_gates(gates, gates->centre[port], at) + radius;
    if (reach > gates->radius[port])
        gates->radius[port] = reach;
}

/* A port without cells. Rows that are left out keep the widest interval. */
static void clear_port(const cn_gates *gates, uint32_t port)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const bool is_used = gates->use[lane] != CN_ROW_LEFT_OUT;
        put_lane(gates, low_of(gates, port), lane, is_used ? UINT32_MAX : 0);
        put_lane(gates, high_of(gates, port), lane, is_used ? 0 : UINT32_MAX);
    }
}

/* The entries of a lane that the cells of a port have. */
typedef struct gate_interval {
    uint32_t low;
    uint32_t high;
} gate_interval;

static gate_interval interval_of(const cn_gates *gates, uint32_t port, uint32_t lane)
{
    return (gate_interval){.low = lane_of_entries(gates, low_of(gates, port), lane),
                           .high = lane_of_entries(gates, high_of(gates, port), lane)};
}

/* The widest interval of two ports together. */
static uint64_t width_of_both(const cn_gates *gates, uint32_t one, uint32_t other)
{
    uint64_t widest = 0;
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const gate_interval a = interval_of(gates, one, lane);
        const gate_interval b = interval_of(gates, other, lane);
        if (gates->use[lane] == CN_ROW_LEFT_OUT)
            continue;
        const uint64_t width = (uint64_t)(a.high > b.high ? a.high : b.high) -
                               (a.low < b.low ? a.low : b.low);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void measure_port(gate_maker *self, uint32_t port)
{
    for (uint32_t other = 0; other < self->gates->port_count; other++) {
        if (other != port)
            self->widths[port][other] = self->widths[other][port] = width_of_both(self->gates, port,
                                                                                  other);
    }
}

/* Merges the two ports that are nearest to each other; the last one takes the free place. */
static void merge_nearest(gate_maker *self)
{
    cn_gates *gates = self->gates;
    const uint32_t last = gates->port_count - 1;
    uint32_t one = 0, other = 1;

    for (uint32_t a = 0; a < gates->port_count; a++) {
        for (uint32_t b = a + 1; b < gates->port_count; b++) {
            if (self->widths[a][b] < self->widths[one][other])
                one = a, other = b;
        }
    }
    widen_port(gates, one, low_of(gates, other), high_of(gates, other));
    extend_radius(gates, one, gates->centre[other], gates->radius[other]);
    gates->centre[other] = gates->centre[last];
    gates->radius[other] = gates->radius[last];
    memcpy(low_of(gates, other), low_of(gates, last), gates->lane_size);
    memcpy(high_of(gates, other), high_of(gates, last), gates->lane_size);
    for (uint32_t i = 0; i < self->found; i++) {
        if (self->merged[i] == other)
            self->merged[i] = one;
        if (self->merged[i] == last)
            self->merged[i] = other;
    }
    gates->port_count--;
    measure_port(self, one);
    if (other < gates->port_count)
        measure_port(self, other);
}

/* The border cells that can be reached from one by old steps, inside its gate, become a port. */
static void flood_port(gate_maker *self, size_t first)
{
    cn_gates *gates = self->gates;
    const uint32_t port = gates->port_count++;
    cn_arc scratch[CN_ARCS_SCRATCH];
    size_t depth = 0;

    clear_port(gates, port);
    gates->centre[port] = place_of_node(gates, self->places[first].node);
    gates->radius[port] = 0;
    self->places[first].port = self->found;
    self->stack[depth++] = first;
    while (depth) {
        const gate_cell *from = &self->places[self->stack[--depth]];
        const uint8_t *entries = border_entries(self->table, from->node);
        widen_port(gates, port, entries, entries);
        extend_radius(gates, port, place_of_node(gates, from->node), 0);
        cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
        for (size_t k = 0; k < span.count; k++) {
            gate_cell *to = find_place(self, span.arcs[k].to);
            if (!to || to->gate != from->gate || to->port != NO_PORT || is_new_step(self, from, to))
                continue;
            to->port = self->found;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
    self->merged[self->found++] = port;
    measure_port(self, port);
}

static void find_ports(gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++) {
        if (self->places[i].is_opened || self->places[i].port != NO_PORT)
            continue;
        flood_port(self, i);
        if (self->gates->port_count > CN_PORTS_MAX)
            merge_nearest(self);
    }
}

/* -------------------------------------------------------------------------------- crossings -- */

/* The rows whose entries a crossing of that cost may change do not hold without gates. */
static void split_rows(cn_gates *gates, const void *from, const void *to, cairn_cost cost)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const uint32_t a = lane_of_entries(gates, from, lane), b = lane_of_entries(gates, to, lane);
        if (gates->use[lane] == CN_ROW_WHOLE && (a > b ? a - b : b - a) > cost)
            gates->use[lane] = CN_ROW_BY_GATES;
    }
}

static void add_crossing(cn_gates *gates, uint32_t from, uint32_t to, cairn_cost cost)
{
    if (cost < gates->across[from][to])
        gates->across[from][to] = gates->across[to][from] = cost;
}

/* The crossings from one border cell to those after it. */
static void cross_from(gate_maker *self, size_t from, size_t end)
{
    cn_gates *gates = self->gates;
    uint32_t above[CN_GATE_LANES], below[CN_GATE_LANES];
    const gate_cell *places = self->places, *one = &places[from];
    const uint8_t *entries = border_entries(self->table, one->node);
    const cn_gate_xy at = place_of_node(gates, one->node);

    limit_row(gates, entries, CN_ROW_BY_GATES, above, below);
    for (size_t i = from + 1; i < end; i++) {
        if (places[i].is_opened)
            continue;
        const uint8_t *others = border_entries(self->table, places[i].node);
        cairn_cost cost = base_of_gates(gates, at, place_of_node(gates, places[i].node));
        if (gates->rows(others, above, below, gates->lane_count) <= cost)
            continue;
        add_crossing(gates, self->merged[one->port], self->merged[places[i].port], cost);
        split_rows(gates, entries, others, cost);
    }
}

/* Every port of a gate to every other one, at no cost. */
static void cross_freely(gate_maker *self, uint32_t ports)
{
    cn_gates *gates = self->gates;
    for (uint32_t from = 0; from < gates->port_count; from++) {
        for (uint32_t to = 0; to < gates->port_count; to++) {
            if (ports >> from & ports >> to & 1)
                add_crossing(gates, from, to, 0);
        }
    }
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        if (gates->use[lane] == CN_ROW_WHOLE)
            gates->use[lane] = CN_ROW_BY_GATES;
    }
}

/* The crossings of the gate whose places are those from `first` to `end`. */
static void cross_gate(gate_maker *self, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    uint32_t ports = 0;
    size_t border = 0;

    for (size_t i = first; i < end; i++) {
        if (self->places[i].is_opened)
            continue;
        ports |= UINT32_C(1) << self->merged[self->places[i].port];
        border++;
    }
    for (size_t i = first; i < end; i++) {
        if (self->places[i].is_opened)
            gates->cell_ports[find_opened(gates, self->places[i].node)] = ports;
        else if (border <= BORDER_MAX)
            cross_from(self, i, end);
    }
    if (border > BORDER_MAX)
        cross_freely(self, ports);
}

static void find_crossings(gate_maker *self)
{
    cn_gates *gates = self->gates;

    for (size_t i = 0; i < CN_PORTS_MAX * CN_PORTS_MAX; i++)
        gates->across[i / CN_PORTS_MAX][i % CN_PORTS_MAX] = CAIRN_COST_MAX;
    qsort(self->places, self->place_count, sizeof *self->places, compare_gates);
    for (size_t first = 0, end; first < self->place_count; first = end) {
        for (end = first + 1; end < self->place_count; end++) {
            if (self->places[end].gate != self->places[first].gate)
                break;
        }
        cross_gate(self, first, end);
    }
    for (uint32_t lane = 0; lane < gates->lane_count; lane++)
        gates->has_whole |= gates->use[lane] == CN_ROW_WHOLE;
}

static cairn_cost limited(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

/* The least that the base heuristic allows. */
static cairn_cost base_to_port(const cn_gates *gates, uint32_t port, cn_gate_xy at)
{
    const cairn_cost base = base_of_gates(gates, gates->centre[port], at);
    return base > gates->radius[port] ? base - gates->radius[port] : 0;
}

/* The least that rows allow between cells of two ports. */
static cairn_cost gap_between(const cn_gates *gates, uint32_t one, uint32_t other)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const gate_interval a = interval_of(gates, one, lane);
        const gate_interval b = interval_of(gates, other, lane);
        if (a.low > b.high && a.low - b.high > most)
            most = a.low - b.high;
        if (b.low > a.high && b.low - a.high > most)
            most = b.low - a.high;
    }
    const cairn_cost base = base_to_port(gates, one, gates->centre[other]);
    const cairn_cost apart = base > gates->radius[other] ? base - gates->radius[other] : 0;
    return most > apart ? limited(most) : apart;
}

static void find_gaps(cn_gates *gates)
{
    for (uint32_t one = 0; one < gates->port_count; one++) {
        for (uint32_t other = 0; other < gates->port_count; other++)
            gates->between[one][other] = one == other ? 0 : gap_between(gates, one, other);
    }
}

static void lower_cost(cairn_cost *cost, cairn_cost other)
{
    *cost = other < *cost ? other : *cost;
}

/* Costs here are at most CAIRN_COST_MAX, so that sums of two fit. */
static void lower_costs(cairn_cost *costs, cairn_cost first, const cairn_cost *rest, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        lower_cost(&costs[i], first + rest[i]);
}

/* From where a crossing ended to where a later one ends: by old steps and the crossing, and then by
 * any number of both (Floyd, "Algorithm 97: shortest path", 1962). */
static void follow_crossings(const cn_gates *gates, cairn_cost (*later)[CN_PORTS_MAX])
{
    const uint32_t count = gates->port_count;
    for (uint32_t from = 0; from < count; from++) {
        for (uint32_t by = 0; by < count; by++)
            later[from][by] = CAIRN_COST_MAX;
        for (uint32_t by = 0; by < count; by++)
            lower_costs(later[from], gates->between[from][by], gates->across[by], count);
    }
    for (uint32_t by = 0; by < count; by++) {
        for (uint32_t from = 0; from < count; from++)
            lower_costs(later[from], later[from][by], later[by], count);
    }
}

/* Makes `across` the costs of one crossing or several. */
static void join_crossings(cn_gates *gates)
{
    cairn_cost later[CN_PORTS_MAX][CN_PORTS_MAX], single[CN_PORTS_MAX];

    follow_crossings(gates, later);
    for (uint32_t from = 0; from < gates->port_count; from++) {
        memcpy(single, gates->across[from], sizeof single);
        for (uint32_t by = 0; by < gates->port_count; by++)
            lower_costs(gates->across[from], single[by], later[by], gates->port_count);
    }
}

/* ----------------------------------------------------------------------------------- making -- */

bool cn_gates_suit(const cairn_table *table, const cairn_map *row_map)
{
    return !table->corners && !table->is_directed && cn_map_is_even(row_map) &&
           !cn_map_is_directed(row_map);
}

void cn_gates_free(cn_gates *gates)
{
    const cn_mem mem = gates->mem;
    cn_release(&mem, gates->cells);
    cn_release(&mem, gates->cell_ports);
    cn_release(&mem, gates->high);
    cn_release(&mem, gates->low);
    *gates = (cn_gates){.mem = mem};
}

size_t cn_gates_memory(const cn_gates *gates)
{
    const size_t rows = cn_block_size(CN_PORTS_MAX + 1, gates->lane_size);
    return gates->cells ? cn_block_size(CELLS_MAX, sizeof *gates->cells) +
                              cn_block_size(CELLS_MAX, sizeof *gates->cell_ports) + 2 * rows
                        : 0;
}

static bool reserve_gates(cn_gates *gates)
{
    gates->cells = cn_array(&gates->mem, CELLS_MAX, sizeof *gates->cells);
    gates->cell_ports = cn_array(&gates->mem, CELLS_MAX, sizeof *gates->cell_ports);
    gates->high = cn_array(&gates->mem, CN_PORTS_MAX + 1, gates->lane_size);
    gates->low = cn_array(&gates->mem, CN_PORTS_MAX + 1, gates->lane_size);
    return gates->cells && gates->cell_ports && gates->high && gates->low;
}

static bool reserve_places(gate_maker *self, size_t count)
{
    const cn_mem *mem = &self->gates->mem;
    self->places = cn_array(mem, count, sizeof *self->places);
    self->stack = cn_array(mem, count, sizeof *self->stack);
    self->merged = cn_array(mem, count, sizeof *self->merged);
    return self->places && self->stack && self->merged;
}

static void find_gates(gate_maker *self)
{
    find_places(self);
    label_gates(self);
    find_ports(self);
    find_crossings(self);
    find_gaps(self->gates);
    join_crossings(self->gates);
    self->gates->is_usable = true;
}

static cairn_status make_gates(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    gate_maker self = {.gates = gates, .table = table, .map = map};
    cairn_status status = CAIRN_E_MEMORY;

    if (reserve_places(&self, (CN_DIRECTIONS + 1u) * gates->cell_count)) {
        find_gates(&self);
        status = CAIRN_OK;
    }
    cn_release(&gates->mem, self.places);
    cn_release(&gates->mem, self.stack);
    cn_release(&gates->mem, self.merged);
    return status;
}

cairn_status cn_gates_make(cn_gates *gates, const cairn_table *table, const cairn_map *row_map)
{
    cn_gates_free(gates);
    gates->map = row_map;
    gates->is_hex = row_map->grid.rules.rule == CAIRN_RULE_HEX;
    gates->lane_count = table->lane_count;
    gates->entry_bits = table->entry_bits;
    gates->lane_size = (size_t)table->lane_count * table->entry_bits / 8;
    gates->rows = cn_rows_kernel_for(table->entry_bits, table->cpu);
    choose_rows(gates, table);
    if (gates->row_count == 0)
        return CAIRN_OK;
    if (!reserve_gates(gates))
        return CAIRN_E_MEMORY;
    if (!take_applied(gates, table, row_map) || !take_later(gates, table, row_map))
        return CAIRN_OK;
    sort_cells(gates);
    return make_gates(gates, table, row_map);
}

/* ------------------------------------------------------------------------------------- goals -- */

/* The least cost from a cell to one of a port by old steps. */
static cairn_cost reach_port(const cn_gates *gates, uint32_t port, cn_gate_xy at,
                             const void *entries)
{
    const cairn_cost rows = gates->rows(entries, high_of(gates, port), low_of(gates, port),
                                        gates->lane_count);
    const cairn_cost base = base_to_port(gates, port, at);
    return rows > base ? limited(rows) : base;
}

/* From a port to the nearest of some ports by old steps. */
static cairn_cost reach_ports(const cn_gates *gates, uint32_t port, uint32_t ports)
{
    cairn_cost least = CAIRN_COST_MAX;
    for (uint32_t left = ports; left; left &= left - 1)
        lower_cost(&least, gates->between[port][cn_lowest_bit(left)]);
    return least;
}

static void find_rests(cn_gate_aim *aim)
{
    const cn_gates *gates = aim->gates;
    for (uint32_t port = 0; port < gates->port_count; port++) {
        cairn_cost least = aim->goal_ports >> port & 1 ? 0 : CAIRN_COST_MAX;
        for (uint32_t to = 0; to < gates->port_count; to++)
            lower_cost(&least, gates->across[port][to] + aim->direct[to]);
        aim->crossed[port] = least;
    }
}

/* Whether the way by a port can be below what the rows say without gates. From any cell they say no
 * more than to the port and on to the goal from the entry of the port that is farthest from the
 * goal's. */
static bool may_lower(const cn_gate_aim *aim, uint32_t port)
{
    const cn_gates *gates = aim->gates;
    if (aim->is_inside || aim->crossed[port] >= CAIRN_COST_MAX)
        return aim->crossed[port] < CAIRN_COST_MAX;
    const cairn_cost high = gates->rows(high_of(gates, port), aim->above, aim->below,
                                        gates->lane_count);
    const cairn_cost low = gates->rows(low_of(gates, port), aim->above, aim->below,
                                       gates->lane_count);
    return aim->crossed[port] < (high > low ? high : low);
}

static void sort_ports(cn_gate_aim *aim)
{
    const cairn_cost *crossed = aim->crossed;
    aim->count = 0;
    for (uint32_t port = 0; port < aim->gates->port_count; port++) {
        if (!may_lower(aim, port))
            continue;
        uint32_t at = aim->count++;
        for (; at > 0 && aim->rest[at - 1] > crossed[port]; at--) {
            aim->rest[at] = aim->rest[at - 1];
            aim->port[at] = aim->port[at - 1];
        }
        aim->rest[at] = crossed[port];
        aim->port[at] = (uint8_t)port;
    }
}

void cn_gates_aim(const cn_gates *gates, cn_gate_aim *aim, cairn_node goal, const void *entries)
{
    const size_t inside = find_opened(gates, goal);
    const cn_gate_xy at = place_of_node(gates, goal);

    aim->gates = gates;
    aim->is_inside = inside != SIZE_MAX;
    aim->goal_ports = aim->is_inside ? gates->cell_ports[inside] : 0;
    for (uint32_t port = 0; port < gates->port_count; port++)
        aim->direct[port] = aim->is_inside ? reach_ports(gates, port, aim->goal_ports)
                                           : reach_port(gates, port, at, entries);
    find_rests(aim);
    if (!aim->is_inside)
        limit_row(gates, entries, CN_ROW_BY_GATES, aim->above, aim->below);
    if (!aim->is_inside && gates->has_whole)
        limit_row(gates, entries, CN_ROW_WHOLE, aim->whole_above, aim->whole_below);
    sort_ports(aim);
}

/* From an opened cell: in its gate to a port, or to a goal in the same gate. */
static cairn_cost bound_inside(const cn_gate_aim *aim, size_t cell)
{
    const cn_gates *gates = aim->gates;
    const uint32_t ports = gates->cell_ports[cell];
    cairn_cost least = CAIRN_COST_MAX;

    if (aim->is_inside && (ports & aim->goal_ports || ports == aim->goal_ports))
        return 0;
    for (uint32_t left = ports; left; left &= left - 1) {
        const unsigned port = cn_lowest_bit(left);
        lower_cost(&least, aim->direct[port]);
        for (uint32_t to = 0; to < gates->port_count; to++)
            lower_cost(&least, gates->between[port][to] + aim->crossed[to]);
    }
    return least;
}

/* From a cell by old steps to a port, and on. */
static cairn_cost bound_by_ports(const cn_gate_aim *aim, cairn_node node, const void *entries,
                                 cairn_cost least)
{
    const cn_gates *gates = aim->gates;
    const cn_gate_xy at = place_of_node(gates, node);
    for (uint32_t i = 0; i < aim->count && aim->rest[i] < least; i++) {
        const uint32_t port = aim->port[i];
        if (base_to_port(gates, port, at) + aim->rest[i] < least)
            lower_cost(&least, reach_port(gates, port, at, entries) + aim->rest[i]);
    }
    return least;
}

cairn_cost cn_gates_bound(const cn_gate_aim *aim, cairn_node node, const void *entries)
{
    const cn_gates *gates = aim->gates;
    const size_t inside = find_opened(gates, node);

    if (inside != SIZE_MAX)
        return bound_inside(aim, inside);
    cairn_cost least = CAIRN_COST_MAX;
    if (!aim->is_inside)
        least = limited(gates->rows(entries, aim->above, aim->below, gates->lane_count));
    if (aim->count && aim->rest[0] < least)
        least = bound_by_ports(aim, node, entries, least);
    if (gates->has_whole && !aim->is_inside) {
        cairn_cost whole = gates->rows(entries, aim->whole_above, aim->whole_below,
                                       gates->lane_count);
        least = least > whole ? least : limited(whole);
    }
    return least;
}
