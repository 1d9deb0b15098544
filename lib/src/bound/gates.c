#include "bound/gates.h"

#include <string.h>

#include "base/nodes.h"
#include "bound/gate_rows.h"

const uint32_t cn_gate_none[CN_LANES_MAX];

/* ------------------------------------------------------------------------------ opened cells -- */

size_t cn_gate_find_opened(const cn_gates *gates, cairn_node node)
{
    if (CN_LIKELY(!cn_gate_may_be_opened(gates, node)))
        return SIZE_MAX;
    return cn_nodes_find(gates->cells, gates->cell_count, node);
}

/* The same text for both widths; the loops are vectorised by compilers. In rows of pairs one lane
 * in two is compared in each direction. */
#define DEFINE_LIMIT(name, entry)                                                          \
  static void name(const cn_gates *gates, const entry *restrict entries, cn_row_use least, \
                   entry *restrict above, entry *restrict below)                           \
  {                                                                                        \
    const unsigned any = !gates->is_directed;                                              \
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {                            \
      const unsigned is_used = gates->use[lane] >= least;                                  \
      const unsigned is_above = is_used & (any | (lane & 1));                              \
      const unsigned is_below = is_used & (any | (~lane & 1));                             \
      above[lane] = (entry)(entries[lane] | (entry)(is_above - 1));                        \
      below[lane] = (entry)(entries[lane] & (entry)(0 - is_below));                        \
    }                                                                                      \
  }

DEFINE_LIMIT(limit_16, uint16_t)
DEFINE_LIMIT(limit_32, uint32_t)

void cn_gate_limit_row(const cn_gates *gates, const void *entries, cn_row_use least, void *above,
                       void *below)
{
    if (gates->entry_bits == 16)
        limit_16(gates, entries, least, above, below);
    else
        limit_32(gates, entries, least, above, below);
}

/* ------------------------------------------------------------------------------------- goals -- */

/* The niche in which a goal lies; NULL: it lies in none. */
static const cn_gate *niche_of(const cn_gates *gates, cairn_node goal)
{
    const size_t cell = cn_gate_find_opened(gates, goal);
    const cn_gate *gate = cell == SIZE_MAX ? NULL : &gates->items[gates->cell_gate[cell]];
    return gate && !gate->ports && gate->first < gate->end ? gate : NULL;
}

/* Widens limits by those of another cell. */
static void widen_limits(const cn_gates *gates, const void *entries, cn_row_use least, void *above,
                         void *below)
{
    uint32_t other_above[CN_LANES_MAX], other_below[CN_LANES_MAX];

    cn_gate_limit_row(gates, entries, least, other_above, other_below);
    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        const uint32_t high = cn_gate_lane(gates, other_above, lane);
        const uint32_t low = cn_gate_lane(gates, other_below, lane);
        if (high > cn_gate_lane(gates, above, lane))
            cn_gate_put(gates, above, lane, high);
        if (low < cn_gate_lane(gates, below, lane))
            cn_gate_put(gates, below, lane, low);
    }
}

/* The limits of a goal: its entries or, in a niche, which has none of its own, the intervals of
 * those of its rim, since every way to it ends there by old steps. */
static void limit_goal(const cn_gates *gates, cairn_node goal, const void *entries,
                       cn_row_use least, void *above, void *below)
{
    const cn_gate *niche = niche_of(gates, goal);
    if (!niche) {
        cn_gate_limit_row(gates, entries, least, above, below);
        return;
    }
    cn_gate_limit_row(gates, cn_gate_own_entries(gates, gates->rim[niche->first]), least, above,
                      below);
    for (uint32_t i = niche->first + 1; i < niche->end; i++)
        widen_limits(gates, cn_gate_own_entries(gates, gates->rim[i]), least, above, below);
}

void cn_gates_limit(const cn_gates *gates, cairn_node goal, const void *entries,
                    cn_gate_limits *limits)
{
    limit_goal(gates, goal, entries, CN_ROW_BY_GATES, limits->above, limits->below);
    if (gates->has_whole)
        limit_goal(gates, goal, entries, CN_ROW_WHOLE, limits->whole_above, limits->whole_below);
}

/* The least cost by old steps from a port to a goal that is not inside a gate. */
static cairn_cost leave_port(const cn_gates *gates, uint32_t port, const cn_gate_aim *aim,
                             const cn_gate_limits *limits)
{
    if (!cn_gate_same_part(gates, port, UINT32_C(1) << aim->part))
        return CAIRN_COST_MAX;
    const cairn_cost rows = cn_gate_apart(gates, cn_gate_row(gates, gates->from.above, port),
                                          cn_gate_row(gates, gates->from.below, port),
                                          limits->above, limits->below);
    const cairn_cost base = cn_gate_base_to_port(gates, port, aim->goal);
    return rows > base ? rows : base;
}

/* From a port to the nearest of some ports by old steps. */
static cairn_cost reach_ports(const cn_gates *gates, uint32_t port, uint32_t ports)
{
    cairn_cost least = CAIRN_COST_MAX;
    for (uint32_t left = ports; left; left &= left - 1)
        cn_gate_lower(&least, gates->between[port][cn_lowest_bit(left)]);
    return least;
}

static void find_rests(const cn_gates *gates, cn_gate_aim *aim)
{
    for (uint32_t port = 0; port < gates->port_count; port++) {
        cairn_cost least = aim->goal_ports >> port & 1 ? 0 : CAIRN_COST_MAX;
        for (uint32_t to = 0; to < gates->port_count; to++)
            cn_gate_lower(&least, gates->across[port][to] + aim->direct[to]);
        aim->crossed[port] = least;
    }
}

/* Whether a port has cells in other parts than the goal. */
static bool is_of_others(const cn_gates *gates, const cn_gate_aim *aim, uint32_t port)
{
    return gates->parts.of_tile && gates->port_parts[port] & ~(UINT32_C(1) << aim->part);
}

/* Whether a way through a port can cost less than the bound that the rows give without gates. From
 * no cell is that bound greater than the bound to the port, plus that to the goal from the end of
 * the port's interval of entries that is farther from the goal's entry. From another part than the
 * goal's the rows give no such bound. */
static bool may_lower(const cn_gates *gates, const cn_gate_aim *aim, const cn_gate_limits *limits,
                      uint32_t port)
{
    if (aim->is_inside || is_of_others(gates, aim, port) || aim->crossed[port] >= CAIRN_COST_MAX)
        return aim->crossed[port] < CAIRN_COST_MAX;
    const cairn_cost high = gates->rows(cn_gate_row(gates, gates->high, port), limits->above,
                                        limits->below, gates->lane_count);
    const cairn_cost low = gates->rows(cn_gate_row(gates, gates->low, port), limits->above,
                                       limits->below, gates->lane_count);
    return aim->crossed[port] < (high > low ? high : low);
}

static void sort_ports(const cn_gates *gates, cn_gate_aim *aim, const cn_gate_limits *limits)
{
    const cairn_cost *crossed = aim->crossed;
    aim->count = 0;
    for (uint32_t port = 0; port < gates->port_count; port++) {
        if (!may_lower(gates, aim, limits, port))
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

void cn_gates_aim(const cn_gates *gates, cairn_node goal, const cn_gate_limits *limits,
                  cn_gate_aim *aim)
{
    const size_t cell = cn_gate_find_opened(gates, goal);
    const bool is_opened = cell != SIZE_MAX;

    aim->goal = cn_gate_place(gates, goal);
    aim->is_inside = is_opened && !niche_of(gates, goal);
    aim->goal_gate = is_opened ? gates->cell_gate[cell] : UINT32_MAX;
    aim->goal_ports = aim->is_inside ? gates->items[aim->goal_gate].ports : 0;
    aim->part = gates->parts.of_tile && !aim->is_inside ? cn_gate_part_at(&gates->parts, aim->goal)
                                                        : 0;
    for (uint32_t port = 0; port < gates->port_count; port++)
        aim->direct[port] = aim->is_inside ? reach_ports(gates, port, aim->goal_ports)
                                           : leave_port(gates, port, aim, limits);
    find_rests(gates, aim);
    sort_ports(gates, aim, limits);
}

/* ------------------------------------------------------------------------------------ bounds -- */

cairn_cost cn_gate_other_base(const cn_gates *gates, cn_gate_xy one, cn_gate_xy other)
{
    const cairn_metric metric = gates->metric;
    return cn_cost_capped(gates->is_hex ? (uint64_t)metric.straight *
                                              cn_hex_steps(one.x, one.y, other.x, other.y)
                                        : cn_octile_wide(metric, one.x, one.y, other.x, other.y));
}

static void show_by_lane(const cn_gates *gates, uint32_t port, uint32_t lane, cn_gate_way *way)
{
    way->lane = lane;
    way->above = cn_gate_lane(gates, cn_gate_row(gates, gates->to.above, port), lane);
    way->below = cn_gate_lane(gates, cn_gate_row(gates, gates->to.below, port), lane);
}

void cn_gate_show_most(const cn_gates *gates, uint32_t port, const void *entries, cn_gate_way *way)
{
    cn_gate_way other = *way;
    uint32_t most = 0;

    for (uint32_t lane = 0; lane < gates->lane_count; lane++) {
        show_by_lane(gates, port, lane, &other);
        const uint32_t shown = cn_gate_shown(&other, entries, gates->entry_bits);
        if (shown > most) {
            *way = other;
            most = shown;
        }
    }
}

void cn_gate_begin_ways(const cn_gate_view *view)
{
    const cn_gate_aim *aim = view->aim;
    for (uint32_t i = 0; i < aim->count; i++)
        view->ways[i] = (cn_gate_way){.rest = aim->rest[i], .above = UINT32_MAX};
    view->ways[aim->count] = (cn_gate_way){.rest = CAIRN_COST_MAX};
}

/* From a node that is not opened. */
static cairn_cost bound_outside(const cn_gate_view *view, cairn_node node)
{
    uint32_t room[CN_LANES_MAX];
    return view->gates->kernels.outside(view, cn_gate_place(view->gates, node),
                                        cn_gates_entries(view->gates, node, room));
}

/* From a gate that is crossed at no cost: by any of its ports. */
static cairn_cost bound_of_gate(const cn_gate_view *view, const cn_gate *gate)
{
    const cn_gates *gates = view->gates;
    const cn_gate_aim *aim = view->aim;
    cairn_cost least = CAIRN_COST_MAX;

    for (uint32_t left = gate->ports; left; left &= left - 1) {
        const unsigned port = cn_lowest_bit(left);
        cn_gate_lower(&least, aim->direct[port]);
        for (uint32_t to = 0; to < gates->port_count; to++)
            cn_gate_lower(&least, gates->between[port][to] + aim->crossed[to]);
    }
    return least;
}

static cairn_cost bound_of_rim(const cn_gate_view *view, uint32_t place)
{
    const cairn_node node = view->gates->rim[place];
    if (!view->inside)
        return bound_outside(view, node);
    if (view->inside[place] == CAIRN_UNREACHABLE)
        view->inside[place] = bound_outside(view, node);
    return view->inside[place];
}

/* From an opened cell: to any cell of the rim, and on; or to a goal in the same gate. */
static cairn_cost bound_inside(const cn_gate_view *view, cairn_node node, size_t cell)
{
    const cn_gates *gates = view->gates;
    const cn_gate *gate = &gates->items[gates->cell_gate[cell]];
    const cn_gate_xy at = cn_gate_place(gates, node);
    const cairn_cost base = cn_gate_base(gates, at, view->aim->goal);
    const uint32_t inner = gates->cell_inner[cell];
    cairn_cost least = CAIRN_COST_MAX;

    if (gates->cell_gate[cell] == view->aim->goal_gate)
        return base;
    if (gate->first == gate->end) {
        least = bound_of_gate(view, gate);
        return least > base ? least : base;
    }
    for (uint32_t i = gate->first; i < gate->end; i++) {
        const cairn_cost cost = inner == CN_NO_INNER
                                    ? cn_gate_base(gates, at, cn_gate_place(gates, gates->rim[i]))
                                    : gates->inner[inner + i - gate->first];
        if (cost < least)
            cn_gate_lower(&least, cost + bound_of_rim(view, i));
    }
    return least;
}

cairn_cost cn_gates_bound(const cn_gate_view *view, cairn_node node)
{
    const size_t cell = cn_gate_find_opened(view->gates, node);
    return cell == SIZE_MAX ? bound_outside(view, node) : bound_inside(view, node, cell);
}

/* ----------------------------------------------------------------------------------- corners -- */

void cn_gate_corners_free(cn_gate_corners *extension, const cn_mem *mem)
{
    if (!extension)
        return;
    cn_corners_free(extension->corners, mem);
    cn_release(mem, extension->view.late);
    cn_release(mem, extension->open);
    cn_release(mem, extension);
}

static size_t gate_corners_memory(const cn_gate_corners *extension)
{
    const cn_corner_view *view = &extension->view;
    const size_t late = extension->corners->count - extension->corners->late_from;
    return cn_block_size(1, sizeof *extension) + cn_corners_memory(extension->corners) +
           cn_block_size(cn_gate_open_words(&extension->grid), sizeof *extension->open) +
           cn_block_size(late, view->lane_count * (view->bits / 8));
}

const uint8_t *cn_gate_corners_at(const cn_gate_corners *extension, cairn_node node, void *room)
{
    const cn_corner_view *view = &extension->view;
    uint32_t x, y;

    cn_grid_xy(&extension->grid, node, &x, &y);
    const uint32_t corner = cn_corners_find(extension->corners, x, y);
    if (corner != CN_NO_CORNER)
        return cn_corner_view_row(view, corner);
    if (cn_grid_shows(&extension->grid, node))
        cn_corner_view_at(view, node, room);
    else
        memset(room, 0, view->lane_count * (view->bits / 8));
    return room;
}

/* ------------------------------------------------------------------------------------ memory -- */

void cn_gates_free(cn_gates *gates)
{
    const cn_mem mem = gates->mem;
    cn_release(&mem, gates->cells);
    cn_release(&mem, gates->cell_gate);
    cn_release(&mem, gates->cell_inner);
    cn_release(&mem, gates->inner);
    cn_release(&mem, gates->items);
    cn_release(&mem, gates->rim);
    cn_release(&mem, gates->high);
    cn_gate_parts_free(&gates->parts, &mem);
    cn_gate_corners_free(gates->extension, &mem);
    *gates = (cn_gates){.mem = mem};
}

size_t cn_gates_memory(const cn_gates *gates)
{
    const size_t places = CN_DIRECTIONS * gates->opened_count;
    return cn_held_size(gates->cells, CN_GATE_CELLS_MAX, sizeof *gates->cells) +
           cn_held_size(gates->cell_gate, CN_GATE_CELLS_MAX, sizeof *gates->cell_gate) +
           cn_held_size(gates->cell_inner, CN_GATE_CELLS_MAX, sizeof *gates->cell_inner) +
           cn_held_size(gates->inner, gates->inner_room, sizeof *gates->inner) +
           cn_held_size(gates->items, gates->opened_count, sizeof *gates->items) +
           cn_held_size(gates->rim, places, sizeof *gates->rim) +
           cn_held_size(gates->high, cn_gate_port_rows(gates), gates->lane_size) +
           cn_gate_parts_memory(&gates->parts) +
           (gates->extension ? gate_corners_memory(gates->extension) : 0);
}
