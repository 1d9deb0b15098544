/* Makes gates: finds the opened cells, their borders, ports and crossings. */
#include <string.h>

#include "table/gate_rows.h"

#define NO_PORT UINT32_MAX

enum {
    CHANGES_MAX = 4096,
    BORDER_MAX = 128 /* of a gate with a longer border every crossing counts, and costs nothing */
};

/* A cell of a gate: an opened one, or one of its border. */
typedef struct gate_cell {
    cairn_node node;
    uint32_t gate;
    uint32_t port; /* of a border cell */
    bool is_opened;
} gate_cell;

/* An arc of a graph whose cost fell below what entries at its ends allow: a crossing. */
typedef struct gate_arc {
    cairn_node from;
    cairn_node to;
    cairn_cost cost;
} gate_arc;

typedef struct gate_maker {
    cn_gates *gates;
    const cairn_map *map;
    gate_cell *places; /* opened cells first */
    size_t place_count;
    uint32_t
        *slots; /* by a hash of the node, or behind it: the number of its place plus 1; 0: free */
    size_t slot_count; /* a power of two, and more than there may be places */
    size_t *stack;
    uint32_t *merged; /* by port as it was found: the one that it belongs to */
    uint32_t found;
    uint32_t gate_count;
    gate_cell *by_gate; /* the places of one gate after another */
    gate_arc *arcs;     /* of a graph */
    size_t arc_count;
    uint64_t widths[CN_PORTS_MAX + 1][CN_PORTS_MAX + 1]; /* of two ports if they were one */
} gate_maker;

/* The entries of a cell that need not be put together: of any in a table of all cells, of a member
 * in a table of corners, and there all cells of borders are members. */
CN_ALWAYS_INLINE const uint8_t *own_entries(const cn_gates *gates, cairn_node node)
{
    return cn_gates_entries(gates, node, NULL);
}

/* Whether entries at the ends of a step differ by more than it costs, in some row that is used. */
static bool step_breaks(const cn_gates *gates, cairn_node from, cairn_node to, cairn_cost cost)
{
    uint32_t above[CN_GATE_LANES], below[CN_GATE_LANES];
    cn_gate_limit_row(gates, own_entries(gates, to), CN_ROW_BY_GATES, above, below);
    return gates->rows(own_entries(gates, from), above, below, gates->lane_count) > cost;
}

/* ------------------------------------------------------------------------------ opened cells -- */

static void see_cell(cn_gates *gates, cairn_node node)
{
    uint32_t bit = cn_gate_seen_bit(node);
    gates->seen[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool has_no_entries(const cairn_table *table, cairn_node node)
{
    uint32_t row = 0;
    if (table->corners)
        return !cairn_table_holds(table, node);
    while (row < table->row_count && cn_table_entry(table, row, node) == 0)
        row++;
    return row == table->row_count;
}

static bool steps_break(const cn_gates *gates, cairn_node node, cn_way way)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(gates->map, node, way, scratch);
    for (size_t i = 0; i < span.count; i++) {
        const cn_arc *arc = &span.arcs[i];
        if (way == CN_FORWARD ? step_breaks(gates, node, arc->to, arc->cost)
                              : step_breaks(gates, arc->to, node, arc->cost))
            return true;
    }
    return false;
}

/* Whether a changed cell may have steps that cost less than entries allow. A cell that has entries
 * was open for the table: then only its own steps can have become cheaper, and at uniform costs
 * none can. */
static bool is_cheaper(const cn_gates *gates, const cairn_table *table, cairn_node cell)
{
    const cairn_map *map = gates->map;
    if (map->roads)
        return true;
    if (!cn_grid_is_open(&map->grid, cell))
        return false;
    if (has_no_entries(table, cell))
        return true;
    return !map->is_even && (steps_break(gates, cell, CN_FORWARD) ||
                             (gates->is_directed && steps_break(gates, cell, CN_REVERSE)));
}

/* The index of a cell among `count` cells in ascending order, or the one that it would have. */
static size_t place_among(const cairn_node *cells, size_t count, cairn_node cell)
{
    size_t first = 0, end = count;
    if (count && cells[count - 1] < cell)
        return count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (cells[middle] < cell)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Sorts the opened cells and drops doubles. By insertion, since most are in order: those of a
 * former state come first. */
static void sort_cells(cn_gates *gates)
{
    cairn_node *cells = gates->cells;
    size_t kept = 0;
    for (size_t i = 0; i < gates->cell_count; i++) {
        const cairn_node cell = cells[i];
        const size_t at = place_among(cells, kept, cell);
        if (at < kept && cells[at] == cell)
            continue;
        memmove(&cells[at + 1], &cells[at], (kept - at) * sizeof *cells);
        cells[at] = cell;
        kept++;
    }
    gates->cell_count = kept;
}

/* Adds a cell to the list; false where there are too many. */
static bool take_opened(cn_gates *gates, cairn_node cell)
{
    if (gates->cell_count == CN_GATE_LISTED_MAX)
        sort_cells(gates);
    if (gates->cell_count == CN_GATE_LISTED_MAX)
        return false;
    gates->cells[gates->cell_count++] = cell;
    return true;
}

/* Adds the cells whose opening has been applied to the table, while some row does not hold it. */
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
        if ((map->roads || cn_grid_is_open(&map->grid, opened[i])) &&
            !take_opened(gates, opened[i]))
            return false;
    }
    return true;
}

static bool take_cheaper(cn_gates *gates, const cairn_table *table, const cairn_node *cells,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_cheaper(gates, table, cells[i]) && !take_opened(gates, cells[i]))
            return false;
    }
    return true;
}

/* Adds the cells that opened or became cheaper since edits were last applied to the table. False
 * where very many changed: to examine them would take longer than searches without gates. */
static bool take_later(cn_gates *gates, const cairn_table *table, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;
    cn_changes changes = cn_table_changes(table, map, &cells, &count);

    if (changes != CN_CHANGES_KNOWN)
        return changes == CN_CHANGES_NONE;
    return count <= CHANGES_MAX && take_cheaper(gates, table, cells, count);
}

/* Adds the cells of a former state of the map that are still open; the table has not changed since
 * then. */
static bool take_former(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                        const cn_gates *past)
{
    if (map->roads)
        return take_cheaper(gates, table, past->cells, past->listed_count);
    for (size_t i = 0; i < past->listed_count; i++) {
        if (cn_grid_is_open(&map->grid, past->cells[i]) && !take_opened(gates, past->cells[i]))
            return false;
    }
    return true;
}

/* Does what take_later does, from the list of a former state and what changed since then; *fits is
 * then its result. False where the list is not whole or the changes are not known, and on terrain,
 * where a cell beside one that changed may count as cheaper as well. */
static bool take_later_by_past(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                               const cn_gate_past *past, bool *fits)
{
    const cairn_node *cells;
    size_t count;

    if (!past || !past->gates->is_listed || !(map->roads || map->is_even))
        return false;
    const cn_changes changes = cn_map_changes(map, past->map_hash, past->map_frame, &cells, &count);
    if (changes == CN_CHANGES_NONE)
        count = 0;
    else if (changes != CN_CHANGES_KNOWN || count > CHANGES_MAX)
        return false;
    *fits = take_former(gates, table, map, past->gates) && take_cheaper(gates, table, cells, count);
    return true;
}

/* All opened cells; false where they are not known, or too many. */
static bool take_all(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                     const cn_gate_past *past)
{
    bool fits = take_applied(gates, table, map);
    if (fits && !take_later_by_past(gates, table, map, past, &fits))
        fits = take_later(gates, table, map);
    if (!fits)
        return false;
    sort_cells(gates);
    gates->listed_count = gates->cell_count;
    gates->is_listed = true;
    return true;
}

/* Which rows may be used: safe ones, and those for which it is known which cells have opened since
 * they were safe. */
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

/* ----------------------------------------------------------------------------------- places -- */

static uint32_t *find_slot(const gate_maker *self, cairn_node node)
{
    const size_t most = self->slot_count - 1;
    size_t slot = node * UINT32_C(2654435761) >> 7 & most;
    while (self->slots[slot] && self->places[self->slots[slot] - 1].node != node)
        slot = (slot + 1) & most;
    return &self->slots[slot];
}

static gate_cell *find_place(const gate_maker *self, cairn_node node)
{
    const uint32_t place = *find_slot(self, node);
    return place ? &self->places[place - 1] : NULL;
}

/* Adds a node to the places, unless it is one. */
static void add_place(gate_maker *self, cairn_node node, bool is_opened)
{
    uint32_t *slot = find_slot(self, node);
    if (*slot)
        return;
    self->places[self->place_count++] =
        (gate_cell){.node = node, .gate = UINT32_MAX, .port = NO_PORT, .is_opened = is_opened};
    *slot = (uint32_t)self->place_count;
}

/* The cells to which steps join a cell of a grid; with one-way cells all open ones beside it. */
static unsigned cells_beside(const cairn_map *map, cairn_node node, cairn_node *beside)
{
    const int32_t *offset = cn_grid_offsets(&map->grid, node);
    cairn_node around[CN_DIRECTIONS];
    unsigned count = 0;

    if (cn_map_leads_back(map)) {
        for (unsigned left = cn_grid_steps(&map->grid, node); left; left &= left - 1)
            beside[count++] = node + (cairn_node)offset[cn_lowest_bit(left)];
        return count;
    }
    const unsigned all = cn_grid_neighbours(&map->grid, node, around);
    for (unsigned i = 0; i < all; i++) {
        if (cn_grid_is_open(&map->grid, around[i]))
            beside[count++] = around[i];
    }
    return count;
}

static void find_places(gate_maker *self)
{
    const cn_gates *gates = self->gates;
    cairn_node beside[CN_DIRECTIONS];

    for (size_t i = 0; i < gates->cell_count; i++)
        add_place(self, gates->cells[i], true);
    for (size_t i = 0; i < gates->cell_count; i++) {
        const unsigned count = cells_beside(self->map, gates->cells[i], beside);
        for (unsigned k = 0; k < count; k++)
            add_place(self, beside[k], false);
    }
}

/* Whether a step may not have existed before the cells opened. */
static bool is_new_step(const gate_maker *self, const gate_cell *from, const gate_cell *to)
{
    const uint32_t width = self->map->grid.width;
    if (from->is_opened || to->is_opened)
        return true;
    if (self->map->grid.rules.rule == CAIRN_RULE_HEX)
        return false;
    const uint32_t from_x = from->node % width, to_x = to->node % width;
    const cairn_node one = from->node - from_x + to_x, other = to->node - to_x + from_x;
    if (one == from->node || one == to->node)
        return false;
    return cn_gate_find_opened(self->gates, one) != SIZE_MAX ||
           cn_gate_find_opened(self->gates, other) != SIZE_MAX;
}

/* The places that new steps connect with the first one become a gate. */
static void label_gate(gate_maker *self, size_t first, uint32_t gate)
{
    cairn_node beside[CN_DIRECTIONS];
    size_t depth = 0;

    self->places[first].gate = gate;
    self->stack[depth++] = first;
    while (depth) {
        const gate_cell *from = &self->places[self->stack[--depth]];
        const unsigned count = cells_beside(self->map, from->node, beside);
        for (unsigned k = 0; k < count; k++) {
            gate_cell *to = find_place(self, beside[k]);
            if (!to || to->gate != UINT32_MAX || !(from->is_opened || to->is_opened))
                continue;
            to->gate = gate;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
}

static void label_gates(gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++) {
        if (self->places[i].gate == UINT32_MAX)
            label_gate(self, i, self->gate_count++);
    }
}

/* ------------------------------------------------------------------------------------ ports -- */

static uint8_t *high_of(const cn_gates *gates, uint32_t port)
{
    return cn_gate_row(gates, gates->high, port);
}

static uint8_t *low_of(const cn_gates *gates, uint32_t port)
{
    return cn_gate_row(gates, gates->low, port);
}

/* Extends a port by the entries from `low` to `high`. */
static void widen_port(const cn_gates *gates, uint32_t port, const void *low, const void *high)
{
    uint8_t *own_low = low_of(gates, port), *own_high = high_of(gates, port);
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        if (gates->use[lane] == CN_ROW_LEFT_OUT)
            continue;
        const uint32_t least = cn_gate_lane(gates, low, lane);
        const uint32_t most = cn_gate_lane(gates, high, lane);
        if (least < cn_gate_lane(gates, own_low, lane))
            cn_gate_put(gates, own_low, lane, least);
        if (most > cn_gate_lane(gates, own_high, lane))
            cn_gate_put(gates, own_high, lane, most);
    }
}

/* Extends a port around its centre by the cells in a radius around a place. */
static void extend_radius(cn_gates *gates, uint32_t port, cn_gate_xy at, cairn_cost radius)
{
    const cairn_cost reach =
        cn_gate_limited((uint64_t)cn_gate_base(gates, gates->centre[port], at) + radius);
    if (reach > gates->radius[port])
        gates->radius[port] = reach;
}

/* A port without cells. Rows that are left out keep the widest interval. */
static void clear_port(const cn_gates *gates, uint32_t port)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const bool is_used = gates->use[lane] != CN_ROW_LEFT_OUT;
        cn_gate_put(gates, low_of(gates, port), lane, is_used ? UINT32_MAX : 0);
        cn_gate_put(gates, high_of(gates, port), lane, is_used ? 0 : UINT32_MAX);
    }
}

/* The least and the greatest entry of a port's cells in one lane. */
typedef struct gate_interval {
    uint32_t low;
    uint32_t high;
} gate_interval;

static gate_interval interval_of(const cn_gates *gates, uint32_t port, uint32_t lane)
{
    return (gate_interval){.low = cn_gate_lane(gates, low_of(gates, port), lane),
                           .high = cn_gate_lane(gates, high_of(gates, port), lane)};
}

/* The width of the widest interval that two ports would have as one. */
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

/* Begins a port with its first cell. */
static uint32_t begin_port(gate_maker *self, gate_cell *place)
{
    cn_gates *gates = self->gates;
    const uint32_t port = gates->port_count++;
    const uint8_t *entries = own_entries(gates, place->node);

    clear_port(gates, port);
    widen_port(gates, port, entries, entries);
    gates->centre[port] = cn_gate_place(gates, place->node);
    gates->radius[port] = 0;
    place->port = self->found;
    return port;
}

static void end_port(gate_maker *self, uint32_t port)
{
    self->merged[self->found++] = port;
    measure_port(self, port);
    if (self->gates->port_count > CN_PORTS_MAX)
        merge_nearest(self);
}

/* The border cells that old steps connect with the first one, inside its gate, become a port. */
static void flood_port(gate_maker *self, size_t first)
{
    cn_gates *gates = self->gates;
    const uint32_t port = begin_port(self, &self->places[first]);
    cn_arc scratch[CN_ARCS_SCRATCH];
    size_t depth = 0;

    self->stack[depth++] = first;
    while (depth) {
        const gate_cell *from = &self->places[self->stack[--depth]];
        const uint8_t *entries = own_entries(gates, from->node);
        widen_port(gates, port, entries, entries);
        extend_radius(gates, port, cn_gate_place(gates, from->node), 0);
        cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
        for (size_t k = 0; k < span.count; k++) {
            gate_cell *to = find_place(self, span.arcs[k].to);
            if (!to || to->gate != from->gate || to->port != NO_PORT || is_new_step(self, from, to))
                continue;
            to->port = self->found;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
    end_port(self, port);
}

static void find_ports(gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++) {
        if (!self->places[i].is_opened && self->places[i].port == NO_PORT)
            flood_port(self, i);
    }
}

/* -------------------------------------------------------------------------------- crossings -- */

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

static void add_crossing(gate_maker *self, const gate_cell *from, const gate_cell *to,
                         cairn_cost cost)
{
    cn_gates *gates = self->gates;
    cn_gate_lower(&gates->across[self->merged[from->port]][self->merged[to->port]], cost);
    split_rows(gates, own_entries(gates, from->node), own_entries(gates, to->node), cost);
}

/* The crossings that lead to one border cell from the others. */
static void cross_to(gate_maker *self, const gate_cell *to, const gate_cell *first,
                     const gate_cell *end)
{
    const cn_gates *gates = self->gates;
    uint32_t above[CN_GATE_LANES], below[CN_GATE_LANES];
    const cn_gate_xy at = cn_gate_place(gates, to->node);

    cn_gate_limit_row(gates, own_entries(gates, to->node), CN_ROW_BY_GATES, above, below);
    for (const gate_cell *from = first; from < end; from++) {
        if (from->is_opened || from == to)
            continue;
        const cairn_cost cost = cn_gate_base(gates, at, cn_gate_place(gates, from->node));
        if (gates->rows(own_entries(gates, from->node), above, below, gates->lane_count) <= cost)
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

static void list_border(gate_maker *self, cn_gate *gate, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    for (size_t i = first; i < end; i++) {
        const gate_cell *place = &self->by_gate[i];
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
static void cross_gate(gate_maker *self, size_t first, size_t end)
{
    cn_gates *gates = self->gates;
    const gate_cell *places = self->by_gate;
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
static void group_places(gate_maker *self)
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

static void find_crossings(gate_maker *self)
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

/* Lists the arcs that are crossings, or only counts them; both ends of an arc that an edit changed
 * are listed cells. */
static size_t list_arcs(gate_maker *self, gate_arc *arcs)
{
    const cn_gates *gates = self->gates;
    size_t count = 0;

    for (size_t i = 0; i < gates->cell_count; i++) {
        const cairn_node from = gates->cells[i];
        cn_arc_span span = cn_map_arcs(self->map, from, CN_FORWARD, NULL);
        for (size_t k = 0; k < span.count; k++) {
            const cn_arc *arc = &span.arcs[k];
            if (cn_gate_find_opened(gates, arc->to) == SIZE_MAX ||
                !step_breaks(gates, from, arc->to, arc->cost))
                continue;
            if (arcs)
                arcs[count] = (gate_arc){from, arc->to, arc->cost};
            count++;
        }
    }
    return count;
}

/* Each end of a crossing is a port of its own, and no cell is opened. */
static void find_ends(gate_maker *self)
{
    cn_gates *gates = self->gates;

    for (size_t i = 0; i < self->arc_count; i++) {
        add_place(self, self->arcs[i].from, false);
        add_place(self, self->arcs[i].to, false);
    }
    for (size_t i = 0; i < self->place_count; i++)
        end_port(self, begin_port(self, &self->places[i]));
    gates->cell_count = 0;
    memset(gates->seen, 0, sizeof gates->seen);
}

static void cross_arcs(gate_maker *self)
{
    clear_crossings(self->gates);
    for (size_t i = 0; i < self->arc_count; i++) {
        const gate_arc *arc = &self->arcs[i];
        add_crossing(self, find_place(self, arc->from), find_place(self, arc->to), arc->cost);
    }
}

/* ------------------------------------------------------------------------- from port to port -- */

/* The least that rows allow from a cell of one port to one of another. */
static cairn_cost gap_between(const cn_gates *gates, uint32_t one, uint32_t other)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const gate_interval a = interval_of(gates, one, lane);
        const gate_interval b = interval_of(gates, other, lane);
        const bool rises = !gates->is_directed || !(lane & 1);
        const bool falls = !gates->is_directed || lane & 1;
        if (falls && a.low > b.high && a.low - b.high > most)
            most = a.low - b.high;
        if (rises && b.low > a.high && b.low - a.high > most)
            most = b.low - a.high;
    }
    const cairn_cost base = cn_gate_base_to_port(gates, one, gates->centre[other]);
    const cairn_cost apart = base > gates->radius[other] ? base - gates->radius[other] : 0;
    return most > apart ? cn_gate_limited(most) : apart;
}

static void find_gaps(cn_gates *gates)
{
    for (uint32_t one = 0; one < gates->port_count; one++) {
        gates->between[one][one] = 0;
        for (uint32_t other = 0; other < one; other++) {
            const cairn_cost gap = gap_between(gates, one, other);
            gates->between[one][other] = gap;
            gates->between[other][one] = gates->is_directed ? gap_between(gates, other, one) : gap;
        }
    }
}

/* Lowers costs to those of going on by `rest` after `first`. They are at most CAIRN_COST_MAX, so
 * that sums of two fit 31 bits: every processor compares numbers with a sign in vectors. */
static void lower_costs(cairn_cost *costs, cairn_cost first, const cairn_cost *rest, uint32_t count)
{
    int32_t *to = (int32_t *)costs;
    const int32_t *from = (const int32_t *)rest, begin = (int32_t)first;

    if (first >= CAIRN_COST_MAX)
        return;
    for (uint32_t i = 0; i < count; i++)
        to[i] = begin + from[i] < to[i] ? begin + from[i] : to[i];
}

/* Costs from the port where a crossing ended to the port where the next one ends: by old steps, and
 * that crossing. There are few crossings. */
static void follow_one(const cn_gates *gates, cairn_cost (*later)[CN_PORTS_MAX])
{
    const uint32_t count = gates->port_count;
    for (uint32_t i = 0; i < count * CN_PORTS_MAX; i++)
        later[i / CN_PORTS_MAX][i % CN_PORTS_MAX] = CAIRN_COST_MAX;
    for (uint32_t by = 0; by < count; by++) {
        for (uint32_t to = 0; to < count; to++) {
            const cairn_cost crossed = gates->across[by][to];
            for (uint32_t from = 0; crossed < CAIRN_COST_MAX && from < count; from++)
                cn_gate_lower(&later[from][to], gates->between[from][by] + crossed);
        }
    }
}

/* The same after any number of further crossings (Floyd, "Algorithm 97: shortest path", 1962). */
static void follow_crossings(const cn_gates *gates, cairn_cost (*later)[CN_PORTS_MAX])
{
    const uint32_t count = gates->port_count;
    follow_one(gates, later);
    for (uint32_t by = 0; by < count; by++) {
        for (uint32_t from = 0; from < count; from++)
            lower_costs(later[from], later[from][by], later[by], count);
    }
}

/* Makes `across` the costs of one crossing or several, from before the first to after the last. */
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

/* The limits that kernels compare entries with, where each row gives only one of its differences:
 * rows of costs from landmarks and, in odd lanes, to them. */
static void limit_ports(const cn_gates *gates)
{
    for (uint32_t port = 0; gates->is_directed && port < gates->port_count; port++) {
        for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
            const gate_interval all = interval_of(gates, port, lane);
            const bool is_back = lane & 1;
            cn_gate_put(gates, cn_gate_row(gates, gates->to.above, port), lane,
                        is_back ? all.high : UINT32_MAX);
            cn_gate_put(gates, cn_gate_row(gates, gates->to.below, port), lane,
                        is_back ? 0 : all.low);
            cn_gate_put(gates, cn_gate_row(gates, gates->from.above, port), lane,
                        is_back ? UINT32_MAX : all.high);
            cn_gate_put(gates, cn_gate_row(gates, gates->from.below, port), lane,
                        is_back ? all.low : 0);
        }
    }
}

/* ----------------------------------------------------------------------------------- making -- */

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

static bool reserve_places(gate_maker *self, size_t count)
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

static cairn_status make_of_grid(gate_maker *self)
{
    if (!reserve_places(self, PLACES_OF_A_CELL * self->gates->cell_count) ||
        !reserve_borders(self->gates))
        return CAIRN_E_MEMORY;
    find_places(self);
    label_gates(self);
    find_ports(self);
    find_crossings(self);
    return CAIRN_OK;
}

static cairn_status make_of_graph(gate_maker *self)
{
    self->arc_count = list_arcs(self, NULL);
    self->arcs = cn_array(&self->gates->mem, self->arc_count, sizeof *self->arcs);
    if (!self->arcs || !reserve_places(self, 2 * self->arc_count))
        return CAIRN_E_MEMORY;
    list_arcs(self, self->arcs);
    find_ends(self);
    cross_arcs(self);
    return CAIRN_OK;
}

static void finish_gates(cn_gates *gates)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++)
        gates->has_whole |= gates->use[lane] == CN_ROW_WHOLE;
    find_gaps(gates);
    join_crossings(gates);
    limit_ports(gates);
    gates->is_usable = true;
}

static cairn_status make_gates(cn_gates *gates, const cairn_map *map)
{
    gate_maker self = {.gates = gates, .map = map};
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
    choose_rows(gates, table);
    if (gates->row_count == 0)
        return CAIRN_OK;
    if (!reserve_gates(gates))
        return CAIRN_E_MEMORY;
    if (!take_all(gates, table, row_map, past) || gates->cell_count > CN_GATE_CELLS_MAX)
        return CAIRN_OK;
    for (size_t i = 0; i < gates->cell_count; i++)
        see_cell(gates, gates->cells[i]);
    if (!table->corners)
        return make_gates(gates, row_map);
    cairn_status status = cn_gate_corners_make(table, row_map, gates->cells, gates->cell_count,
                                               past ? past->gates->at : NULL, &gates->at);
    return status == CAIRN_OK && gates->at ? make_gates(gates, row_map) : status;
}

/* ----------------------------------------------------------------------------------- keeping -- */

/* What the table lacks of its map. Where that was harmless for a former state, only what changed
 * since then is examined. */
static cn_lag find_lag(const cairn_table *table, const cairn_map *map, const cn_kept_gates *former)
{
    const cairn_node *cells;
    size_t count;

    if (former && former->lag == CN_LAG_HARMLESS && !cn_table_fits(table, map) &&
        cn_map_changes(map, former->map_hash, former->map_frame, &cells, &count) ==
            CN_CHANGES_KNOWN)
        return cn_table_any_cheaper(table, map, cells, count) ? CN_LAG_HARMFUL : CN_LAG_HARMLESS;
    return cn_table_lag(table, map);
}

static cairn_status make_kept(const cairn_table *table, const cairn_map *map,
                              const cn_kept_gates *former, cn_kept_gates **kept)
{
    cn_kept_gates *made = cn_zeroed(&table->mem, 1, sizeof *made);

    *kept = made;
    if (!made)
        return CAIRN_E_MEMORY;
    made->gates.mem = table->mem;
    made->map = map;
    made->map_version = map->version;
    made->map_hash = map->hash;
    made->map_frame = map->frame;
    made->table_version = table->version;
    made->lag = find_lag(table, map, former);
    if (made->lag == CN_LAG_STRANGER)
        return CAIRN_E_MISMATCH;
    if (cn_table_trust(table, made->lag) == CN_TRUST_ALL)
        return CAIRN_OK;
    const cn_gate_past past = {former ? &former->gates : NULL, former ? former->map_hash : 0,
                               former ? former->map_frame : 0};
    return cn_gates_make(&made->gates, table, map, former ? &past : NULL);
}

/* Puts gates on the shelf. Where another thread has done so meanwhile, those stay, and these are
 * freed. */
static const cn_kept_gates *keep_gates(const cairn_table *table, cn_kept_gates *made)
{
    cn_gate_shelf_lock(table);
    cn_kept_gates *there = cn_gate_shelf_find(table, made->map);
    cn_kept_gates *gone = there ? made : cn_gate_shelf_put(table, made);
    cn_gate_shelf_unlock(table);
    cn_kept_gates_free(gone);
    return there ? there : made;
}

/* Takes the gates of the map as it is from the shelf or, where there are none, makes them out of
 * those of a former state, which are freed. */
static cairn_status find_kept(const cairn_table *table, const cairn_map *map,
                              const cn_kept_gates **kept)
{
    cn_kept_gates *made;

    cn_gate_shelf_lock(table);
    *kept = cn_gate_shelf_find(table, map);
    cn_kept_gates *former = *kept ? NULL : cn_gate_shelf_take(table, map);
    cn_gate_shelf_unlock(table);
    if (*kept)
        return CAIRN_OK;
    const bool is_past = former && former->table_version == table->version;
    cairn_status status = make_kept(table, map, is_past ? former : NULL, &made);
    cn_kept_gates_free(former);
    if (status == CAIRN_OK)
        *kept = keep_gates(table, made);
    else
        cn_kept_gates_free(made);
    return status;
}

cairn_status cn_gates_of(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                         const cn_gates **gates)
{
    const cn_kept_gates *kept;

    *gates = NULL;
    *trust = CN_TRUST_ALL;
    if (cn_table_fits(table, row_map) && table->unsafe_count == 0) {
        *trust = cn_table_trust(table, cn_table_lag(table, row_map));
        return *trust == CN_TRUST_STRANGER ? CAIRN_E_MISMATCH : CAIRN_OK;
    }
    cairn_status status = find_kept(table, row_map, &kept);
    if (status != CAIRN_OK)
        return status;
    *trust = cn_table_trust(table, kept->lag);
    if (kept->gates.is_usable)
        *gates = &kept->gates;
    return CAIRN_OK;
}
