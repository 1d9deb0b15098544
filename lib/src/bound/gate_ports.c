/* Making gates: cells of rims, the gates that they belong to, and their ports. */
#include <string.h>

#include "bound/gate_maker.h"

/* ----------------------------------------------------------------------------------- places -- */

static uint32_t *find_slot(const cn_gate_maker *self, cairn_node node)
{
    const size_t most = self->slot_count - 1;
    size_t slot = node * UINT32_C(2654435761) >> 7 & most;
    while (self->slots[slot] && self->places[self->slots[slot] - 1].node != node)
        slot = (slot + 1) & most;
    return &self->slots[slot];
}

cn_gate_cell *cn_gate_find_place(const cn_gate_maker *self, cairn_node node)
{
    const uint32_t place = *find_slot(self, node);
    return place ? &self->places[place - 1] : NULL;
}

/* Adds a node to the places, unless it is one. */
static void add_place(cn_gate_maker *self, cairn_node node, bool is_opened)
{
    uint32_t *slot = find_slot(self, node);
    if (*slot)
        return;
    self->places[self->place_count++] = (cn_gate_cell){
        .node = node, .gate = UINT32_MAX, .port = CN_NO_PORT, .is_opened = is_opened};
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

static void add_places(cn_gate_maker *self)
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

bool cn_gate_is_new_step(const cn_gate_maker *self, const cn_gate_cell *from,
                         const cn_gate_cell *to)
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
static void label_gate(cn_gate_maker *self, size_t first, uint32_t gate)
{
    cairn_node beside[CN_DIRECTIONS];
    size_t depth = 0;

    self->places[first].gate = gate;
    self->stack[depth++] = first;
    while (depth) {
        const cn_gate_cell *from = &self->places[self->stack[--depth]];
        const unsigned count = cells_beside(self->map, from->node, beside);
        for (unsigned k = 0; k < count; k++) {
            cn_gate_cell *to = cn_gate_find_place(self, beside[k]);
            if (!to || to->gate != UINT32_MAX || !(from->is_opened || to->is_opened))
                continue;
            to->gate = gate;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
}

static void label_gates(cn_gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++) {
        if (self->places[i].gate == UINT32_MAX)
            label_gate(self, i, self->gate_count++);
    }
}

/* Brings the places of each gate together, by counting. */
static void group_places(cn_gate_maker *self)
{
    size_t *begin = self->gate_begin;

    memset(begin, 0, (self->gate_count + 1) * sizeof *begin);
    for (size_t i = 0; i < self->place_count; i++)
        begin[self->places[i].gate]++;
    for (uint32_t gate = 0; gate < self->gate_count; gate++)
        begin[gate + 1] += begin[gate];
    for (size_t i = self->place_count; i-- > 0;)
        self->by_gate[--begin[self->places[i].gate]] = (uint32_t)i;
    begin[self->gate_count] = self->place_count;
}

void cn_gate_find_places(cn_gate_maker *self)
{
    add_places(self);
    label_gates(self);
    group_places(self);
}

/* ------------------------------------------------------------------------------------ ports -- */

/* Extends a port by the entries from `low` to `high`. */
static void widen_port(const cn_gates *gates, uint32_t port, const void *low, const void *high)
{
    uint8_t *own_low = cn_gate_low_of(gates, port), *own_high = cn_gate_high_of(gates, port);
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
        cn_cost_capped((uint64_t)cn_gate_base(gates, gates->centre[port], at) + radius);
    if (reach > gates->radius[port])
        gates->radius[port] = reach;
}

/* A port without cells. Rows that are left out keep the widest interval. */
static void clear_port(const cn_gates *gates, uint32_t port)
{
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const bool is_used = gates->use[lane] != CN_ROW_LEFT_OUT;
        cn_gate_put(gates, cn_gate_low_of(gates, port), lane, is_used ? UINT32_MAX : 0);
        cn_gate_put(gates, cn_gate_high_of(gates, port), lane, is_used ? 0 : UINT32_MAX);
    }
}

/* What the highest entries of one port have over the lowest of another, at most, in rows that are
 * used. */
static uint32_t height_over(const cn_gate_maker *self, uint32_t one, uint32_t other)
{
    const cn_gates *gates = self->gates;
    return gates->rows(cn_gate_row(gates, self->tops, one), cn_gate_low_of(gates, other),
                       cn_gate_none, gates->lane_count);
}

static void take_top(cn_gate_maker *self, uint32_t port)
{
    const cn_gates *gates = self->gates;
    uint8_t *top = cn_gate_row(gates, self->tops, port);
    for (uint32_t lane = 0; lane < gates->lane_count; lane++)
        cn_gate_put(gates, top, lane,
                    gates->use[lane] ? cn_gate_lane(gates, cn_gate_high_of(gates, port), lane) : 0);
    self->widths[port][port] = height_over(self, port, port);
}

/* The widths of the widest interval that a port would have as one with each of the others. */
static void measure_port(cn_gate_maker *self, uint32_t port)
{
    const cn_gates *gates = self->gates;
    uint32_t(*widths)[CN_PORTS_MAX + 1] = self->widths;

    take_top(self, port);
    for (uint32_t other = 0; other < gates->port_count; other++) {
        const uint32_t up = height_over(self, port, other), down = height_over(self, other, port);
        uint32_t widest = up > down ? up : down;
        widest = widths[port][port] > widest ? widths[port][port] : widest;
        widest = widths[other][other] > widest ? widths[other][other] : widest;
        if (other != port)
            widths[port][other] = widths[other][port] = widest;
    }
}

/* Widths are known once there were too many ports. */
static void measure_ports(cn_gate_maker *self)
{
    const uint32_t last = self->gates->port_count - 1;
    for (uint32_t port = 0; port < last && !self->is_measured; port++)
        take_top(self, port);
    measure_port(self, last);
    for (uint32_t port = 0; port < last && !self->is_measured; port++)
        measure_port(self, port);
    self->is_measured = true;
}

/* Merges the two ports that are nearest to each other; the last one takes the free place. */
static void merge_nearest(cn_gate_maker *self)
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
    widen_port(gates, one, cn_gate_low_of(gates, other), cn_gate_high_of(gates, other));
    extend_radius(gates, one, gates->centre[other], gates->radius[other]);
    gates->centre[other] = gates->centre[last];
    gates->radius[other] = gates->radius[last];
    memcpy(cn_gate_low_of(gates, other), cn_gate_low_of(gates, last), gates->lane_size);
    memcpy(cn_gate_high_of(gates, other), cn_gate_high_of(gates, last), gates->lane_size);
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
static uint32_t begin_port(cn_gate_maker *self, cn_gate_cell *place)
{
    cn_gates *gates = self->gates;
    const uint32_t port = gates->port_count++;
    const uint8_t *entries = cn_gate_own_entries(gates, place->node);

    clear_port(gates, port);
    widen_port(gates, port, entries, entries);
    gates->centre[port] = cn_gate_place(gates, place->node);
    gates->radius[port] = 0;
    place->port = self->found;
    return port;
}

static void end_port(cn_gate_maker *self, uint32_t port)
{
    self->merged[self->found++] = port;
    if (self->gates->port_count <= CN_PORTS_MAX)
        return;
    measure_ports(self);
    merge_nearest(self);
}

/* What rows in use say of a way from one cell to another. */
static cairn_cost rows_between(const cn_gates *gates, cairn_node from, cairn_node to)
{
    uint32_t above[CN_LANES_MAX], below[CN_LANES_MAX];
    cn_gate_limit_row(gates, cn_gate_own_entries(gates, to), CN_ROW_BY_GATES, above, below);
    return gates->rows(cn_gate_own_entries(gates, from), above, below, gates->lane_count);
}

/* Where entries at the ends of a step differ by more than so many times its base heuristic, one
 * port of both cells would tell little of either. With 4 the ports of terrain of nine factors would
 * soon be too many. */
enum { STEEP = 16 };

static bool is_steep(const cn_gates *gates, const cn_gate_cell *one, const cn_gate_cell *other)
{
    const cairn_cost base = cn_gate_base(gates, cn_gate_place(gates, one->node),
                                         cn_gate_place(gates, other->node));
    return rows_between(gates, one->node, other->node) / STEEP > base ||
           rows_between(gates, other->node, one->node) / STEEP > base;
}

static bool is_kept_apart(cn_gate_maker *self, const cn_gate_cell *one, const cn_gate_cell *other)
{
    if (self->joins_steep || !is_steep(self->gates, one, other))
        return false;
    self->has_steep = true;
    return true;
}

/* The rim cells that old steps connect with the first one, inside its gate, become a port. */
static void flood_port(cn_gate_maker *self, size_t first)
{
    cn_gates *gates = self->gates;
    const uint32_t port = begin_port(self, &self->places[first]);
    cn_arc scratch[CN_ARCS_SCRATCH];
    size_t depth = 0;

    self->stack[depth++] = first;
    while (depth) {
        const cn_gate_cell *from = &self->places[self->stack[--depth]];
        const uint8_t *entries = cn_gate_own_entries(gates, from->node);
        widen_port(gates, port, entries, entries);
        extend_radius(gates, port, cn_gate_place(gates, from->node), 0);
        cn_arc_span span = cn_map_arcs(self->map, from->node, CN_FORWARD, scratch);
        for (size_t k = 0; k < span.count; k++) {
            cn_gate_cell *to = cn_gate_find_place(self, span.arcs[k].to);
            if (!to || to->gate != from->gate || to->port != CN_NO_PORT ||
                cn_gate_is_new_step(self, from, to) || is_kept_apart(self, from, to))
                continue;
            to->port = self->found;
            self->stack[depth++] = (size_t)(to - self->places);
        }
    }
    end_port(self, port);
}

static void find_ports(cn_gate_maker *self)
{
    for (size_t i = 0; i < self->place_count && !self->is_crowded; i++) {
        const cn_gate_cell *place = &self->places[i];
        if (!place->is_opened && place->port == CN_NO_PORT && self->leads[place->gate])
            flood_port(self, i);
        self->is_crowded = self->found > CN_PORTS_FOUND_MAX;
    }
}

static void forget_ports(cn_gate_maker *self)
{
    for (size_t i = 0; i < self->place_count; i++)
        self->places[i].port = CN_NO_PORT;
    self->gates->port_count = 0;
    self->found = 0;
    self->is_crowded = false;
    self->is_measured = false;
}

/* Whether the entries of a port's cells differ by more than so small a part of the greatest one
 * that it tells little of the others. */
static bool is_wide(const cn_gates *gates, uint32_t port)
{
    enum { PARTS = 16 };
    uint32_t widest = 0, most = 0;

    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const cn_gate_interval all = cn_gate_interval_of(gates, port, lane);
        if (gates->use[lane] == CN_ROW_LEFT_OUT)
            continue;
        widest = all.high - all.low > widest ? all.high - all.low : widest;
        most = all.high > most ? all.high : most;
    }
    return widest > most / PARTS;
}

/* Too many ports are fewer where steep steps join their cells. That serves where they hardly become
 * wider by it. */
static void join_ports(cn_gate_maker *self)
{
    forget_ports(self);
    self->joins_steep = true;
    find_ports(self);
    for (uint32_t port = 0; port < self->gates->port_count && !self->is_crowded; port++)
        self->is_crowded = is_wide(self->gates, port);
}

void cn_gate_find_ports(cn_gate_maker *self)
{
    find_ports(self);
    if (self->is_crowded && self->has_steep)
        join_ports(self);
}

void cn_gate_add_port(cn_gate_maker *self, cairn_node node)
{
    const size_t count = self->place_count;
    add_place(self, node, false);
    if (self->place_count > count)
        end_port(self, begin_port(self, &self->places[count]));
}
