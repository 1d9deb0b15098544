#include "bound/bound.h"

#include <stddef.h>
#include <string.h>

#include "table/corner_rows.h"
#include "bound/gate_shelf.h"

_Static_assert(sizeof(cn_gate_aim) <= sizeof(((cairn_bound *)0)->gate_aim), "room for an aim");

static cn_scale scale_by(uint64_t cost, uint32_t count)
{
    cn_scale scale = {.shift = 31};
    while ((cost << scale.shift) / count > UINT32_MAX)
        scale.shift--;
    scale.factor = (uint32_t)((cost << scale.shift) / count);
    return scale;
}

/* The smaller of two ratios: the cheapest straight and the cheapest diagonal step, each divided by
 * what the rows count for it. */
cn_scale cn_scale_of(const cairn_table *table, const cairn_map *map)
{
    if (CN_LIKELY(!table->counts_steps))
        return (cn_scale){0};
    const cairn_rule rule = map->grid.rules.rule;
    cairn_metric metric = table->metric;
    uint64_t straight = cn_map_cheapest(map), diagonal = map->base_metric.diagonal;
    if (map->graph || !cn_rule_has_diagonals(rule) ||
        straight * metric.diagonal <= diagonal * metric.straight)
        return scale_by(straight, metric.straight);
    return scale_by(diagonal, metric.diagonal);
}

/* The least difference that an unreachable entry can make: if it is the node's, at least its
 * difference to the largest of the goal's entries; if it is the goal's, there is no limit. */
static uint32_t least_apart_16(const uint16_t *goal, uint32_t lane_count)
{
    uint16_t most = 0;
    for (uint32_t lane = 0; lane < lane_count; lane++)
        most = goal[lane] > most ? goal[lane] : most;
    return (uint32_t)UINT16_MAX - most;
}

static const uint8_t *entries_of(const cairn_table *table, cairn_node node)
{
    return cn_table_entries_at(table, node, 0);
}

/* The goal's own entries may be in the struct itself, which callers may copy. */
static const void *goal_row_of(const cairn_bound *bound)
{
    return bound->goal_row ? bound->goal_row : bound->goal_entries;
}

cairn_status cairn_bound_to(const cairn_map *map, const cairn_table *table, cairn_node goal,
                            cairn_bound *bound)
{
    return cairn_bound_with(map, table, goal, CAIRN_HEURISTIC_BEST, bound);
}

/* Finds the goal's entries. Of a table of corners they are put together. */
static void take_goal_row(cairn_bound *bound, const cn_gates *gates)
{
    const cairn_table *table = bound->table;
    uint32_t room[CN_LANES_MAX];

    if (!table->corners)
        bound->goal_row = entries_of(table, bound->goal);
    else if (gates)
        memcpy(bound->goal_entries, cn_gates_entries(gates, bound->goal, room), gates->lane_size);
    else
        cn_corner_rows_at(table, bound->map, bound->goal, bound->goal_entries);
}

/* Prepares the gates of a table that does not hold every edit. */
static void bound_by_gates(cairn_bound *bound, const cn_gates *gates)
{
    const void *entries = goal_row_of(bound);
    cn_gate_limits limits;
    cn_gate_aim aim;

    cn_gates_limit(gates, bound->goal, entries, &limits);
    cn_gates_aim(gates, bound->goal, &limits, &aim);
    memcpy(bound->gate_aim, &aim, sizeof aim);
    bound->gates = gates;
}

/* Without gates a table that does not hold every edit gives nothing unless some rows are safe. */
static bool rows_serve(const cairn_bound *bound, const cn_gates *gates, cn_trust trust)
{
    const cairn_table *table = bound->table;
    const cairn_map *map = bound->map;
    if (table->corners && !cn_grid_is_open(&map->grid, bound->goal))
        return false;
    return gates || trust != CN_TRUST_NONE;
}

/* Takes the rows of the bound's table, as far as they serve. */
static cairn_status take_rows(cairn_bound *bound, cairn_heuristic heuristic)
{
    const cairn_map *map = bound->map, *row_map;
    const cairn_table *table = bound->table;
    const cn_gates *gates;
    cn_trust trust;
    cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status == CAIRN_OK)
        status = cn_gates_of(table, row_map, &trust, &gates);
    if (status != CAIRN_OK)
        return status;
    if (!rows_serve(bound, gates, trust)) {
        bound->table = NULL;
        return CAIRN_OK;
    }
    bound->table_version = table->version;
    take_goal_row(bound, gates);
    if (gates)
        bound_by_gates(bound, gates);
    bound->heuristic = cn_base_beside(map, table, bound->gates, heuristic);
    cn_scale scale = cn_scale_of(table, map);
    bound->scale = scale.factor;
    bound->scale_shift = scale.shift;
    if (!table->is_directed && trust == CN_TRUST_ALL)
        bound->rows = cn_rows_kernel_for(table->entry_bits, table->cpu);
    if (table->entry_bits == 16)
        bound->apart_from = least_apart_16(goal_row_of(bound), table->lane_count);
    return CAIRN_OK;
}

static void clear_bound(cairn_bound *bound)
{
    memset(bound, 0, offsetof(cairn_bound, goal_entries));
}

cairn_status cairn_bound_with(const cairn_map *map, const cairn_table *table, cairn_node goal,
                              cairn_heuristic heuristic, cairn_bound *bound)
{
    if (!bound)
        return CAIRN_E_ARGUMENT;
    clear_bound(bound);
    if (!map || goal >= cn_map_node_count(map) || !cn_base_exists(map, heuristic))
        return CAIRN_E_ARGUMENT;
    bound->map = map;
    bound->table = table;
    bound->goal = goal;
    bound->heuristic = cn_base_of(map, heuristic);
    bound->map_version = map->version;
    cn_grid_xy(&map->grid, goal, &bound->goal_x, &bound->goal_y);
    cairn_status status = table ? take_rows(bound, heuristic) : CAIRN_OK;
    if (status != CAIRN_OK)
        clear_bound(bound);
    return status;
}

bool cairn_bound_is_current(const cairn_bound *bound)
{
    const cairn_map *map = bound->map;
    const cairn_table *table = bound->table;
    return map && bound->map_version == map->version &&
           (!table || bound->table_version == table->version);
}

/* The goal's row as kernels take it, where a lane may give only one of its differences, or none. */
typedef struct row_limits {
    uint32_t above[CN_LANES_MAX]; /* entries as wide as the table's */
    uint32_t below[CN_LANES_MAX];
} row_limits;

CN_ALWAYS_INLINE cn_rows_view view_of_all(const cairn_bound *bound)
{
    const cairn_table *table = bound->table;
    const void *goal = goal_row_of(bound);
    return (cn_rows_view){table->entries, goal, goal, table->lane_count};
}

static cn_rows_view view_of_some(const cairn_bound *bound, row_limits *room)
{
    const cairn_table *table = bound->table;
    cn_bound_limits(table, goal_row_of(bound), room->above, room->below);
    return (cn_rows_view){table->entries, room->above, room->below, table->lane_count};
}

/* In 16 bits the difference to an unreachable entry may be as small as a cost. So where a
 * difference is large enough, the entries have to be examined. Where a lane may not give a
 * difference, one of the limits is on either side, so that an entry cannot differ from both. */
static bool separates_16(const cn_rows_view *view, const uint16_t *entries)
{
    const uint16_t *above = view->above, *below = view->below;
    unsigned apart = 0;
    for (uint32_t lane = 0; lane < view->lane_count; lane++) {
        const unsigned is_reached = entries[lane] != UINT16_MAX;
        const unsigned above_is = above[lane] != UINT16_MAX, below_is = below[lane] != UINT16_MAX;
        apart |= (is_reached ^ above_is) & (is_reached ^ below_is);
    }
    return apart != 0;
}

/* Whether a difference that a kernel returned proves that no path leads to the goal. */
static bool proves_apart(const cairn_bound *bound, const cn_rows_view *view, const void *entries,
                         cairn_cost rows)
{
    const cairn_table *table = bound->table;
    if (table->entry_bits == 32)
        return rows > CAIRN_COST_MAX;
    return rows >= bound->apart_from && separates_16(view, entries);
}

/* Not inlined, so that the usual case needs no room on the stack for limits. */
static CN_NOINLINE cairn_cost bound_of_some(const cairn_bound *bound, const void *entries)
{
    const cairn_table *table = bound->table;
    row_limits room;
    const cn_rows_view view = view_of_some(bound, &room);
    cairn_cost rows = cn_rows_kernel_for(table->entry_bits, table->cpu)(
        entries, view.above, view.below, view.lane_count);
    return proves_apart(bound, &view, entries, rows) ? CAIRN_UNREACHABLE : rows;
}

/* The view is made again after the call: that is cheaper than keeping it across the call. */
CN_ALWAYS_INLINE cairn_cost bound_of_entries(const cairn_bound *bound, const void *entries)
{
    if (!bound->rows)
        return bound_of_some(bound, entries);
    const cn_rows_view all = view_of_all(bound);
    cairn_cost rows = bound->rows(entries, all.above, all.below, all.lane_count);
    const cn_rows_view again = view_of_all(bound);
    return proves_apart(bound, &again, entries, rows) ? CAIRN_UNREACHABLE : rows;
}

/* Blocked cells have entries of 0 in tables of every cell; here they say nothing. */
static CN_NOINLINE cairn_cost bound_of_corners(const cairn_bound *bound, cairn_node node)
{
    const cairn_map *map = bound->map;
    uint32_t entries[CN_LANES_MAX];

    if (!cn_grid_is_open(&map->grid, node))
        return 0;
    cn_corner_rows_at(bound->table, map, node, entries);
    return bound_of_entries(bound, entries);
}

static cairn_cost bound_of_rows(const cairn_bound *bound, cairn_node node)
{
    const cairn_table *table = bound->table;
    return table->corners ? bound_of_corners(bound, node)
                          : bound_of_entries(bound, entries_of(table, node));
}

/* The larger of the base heuristic and the bound of the rows. */
static cairn_cost with_base(const cairn_bound *bound, cairn_node node, cairn_cost rows)
{
    if (rows > CAIRN_COST_MAX)
        return CAIRN_UNREACHABLE;
    rows = cn_scale_up((cn_scale){bound->scale, bound->scale_shift}, rows);
    cairn_cost base = cn_base_between(bound->map, (cairn_heuristic)bound->heuristic, node,
                                      bound->goal);
    return rows > base ? rows : base;
}

/* The goal's row is written out for all nodes of a call: it would be too large to keep. */
static CN_NOINLINE void bounds_by_gates(const cairn_bound *bound, const cairn_node *nodes,
                                        size_t count, cairn_cost *bounds)
{
    cn_gate_limits limits;
    cn_gate_aim aim;
    cn_gate_way ways[CN_PORTS_MAX + 1];
    const cn_gate_view view = {.gates = bound->gates, .aim = &aim, .limits = &limits, .ways = ways};

    memcpy(&aim, bound->gate_aim, sizeof aim);
    cn_gates_limit(view.gates, bound->goal, goal_row_of(bound), &limits);
    cn_gate_begin_ways(&view);
    for (size_t i = 0; i < count; i++)
        bounds[i] = with_base(bound, nodes[i], cn_gates_bound(&view, nodes[i]));
}

/* The bound by gates, by some rows, or without a table. Not inlined, so that the usual case has
 * only one condition to check. */
static CN_NOINLINE cairn_cost bound_of_few(const cairn_bound *bound, cairn_node node)
{
    if (bound->gates) {
        cairn_cost by_gates;
        bounds_by_gates(bound, &node, 1, &by_gates);
        return by_gates;
    }
    return with_base(bound, node, bound->table ? bound_of_rows(bound, node) : 0);
}

/* There is a kernel where all rows serve: then there is a table, and there are no gates. */
cairn_cost cairn_bound_at(const cairn_bound *bound, cairn_node node)
{
    if (CN_UNLIKELY(!bound->rows))
        return bound_of_few(bound, node);
    return with_base(bound, node, bound_of_rows(bound, node));
}

/* First the rows, then base heuristics, for so many nodes at a time that their entries are still in
 * the cache where a large difference makes it necessary to examine them. */
enum { NODES_AT_ONCE = 1024 };

static void bounds_of_some(const cairn_bound *bound, const cn_rows_view *view,
                           const cairn_node *nodes, size_t count, cairn_cost *bounds)
{
    const cairn_table *table = bound->table;
    cn_rows_kernel_of_many_for(table->entry_bits, table->cpu)(view, nodes, count, bounds);
    for (size_t i = 0; i < count; i++) {
        bool apart = proves_apart(bound, view, entries_of(table, nodes[i]), bounds[i]);
        bounds[i] = with_base(bound, nodes[i], apart ? CAIRN_UNREACHABLE : bounds[i]);
    }
}

static void bounds_one_by_one(const cairn_bound *bound, const cairn_node *nodes, size_t count,
                              cairn_cost *bounds)
{
    for (size_t i = 0; i < count; i++)
        bounds[i] = cairn_bound_at(bound, nodes[i]);
}

cairn_status cairn_bounds_at(const cairn_bound *bound, const cairn_node *nodes, size_t count,
                             cairn_cost *bounds)
{
    if (!bound || !bound->map || (count && (!nodes || !bounds)))
        return CAIRN_E_ARGUMENT;
    const cairn_table *table = bound->table;
    const bool by_rows = table && !table->corners && !bound->gates;
    cairn_node taken[NODES_AT_ONCE];
    row_limits room;
    cn_rows_view view = {0};

    if (by_rows)
        view = bound->rows ? view_of_all(bound) : view_of_some(bound, &room);
    for (size_t done = 0, some; done < count; done += some) {
        some = count - done < NODES_AT_ONCE ? count - done : NODES_AT_ONCE;
        if (!cn_map_copy_nodes(bound->map, nodes + done, some, taken))
            return CAIRN_E_ARGUMENT;
        if (by_rows)
            bounds_of_some(bound, &view, taken, some, bounds + done);
        else if (bound->gates)
            bounds_by_gates(bound, taken, some, bounds + done);
        else
            bounds_one_by_one(bound, taken, some, bounds + done);
    }
    return CAIRN_OK;
}

/* Which of a lane's differences count: for rows from landmarks where the goal's entry is larger,
 * for rows to landmarks where the node's is, for others both; none of rows that are not safe. No
 * entry is above all ones, or below zero. */
void cn_bound_limits(const cairn_table *table, const void *goal_row, void *above, void *below)
{
    for (uint32_t lane = 0; lane < table->lane_count; lane++) {
        const bool is_safe = lane >= table->row_count || table->row_state[lane] != CAIRN_ROW_UNSAFE;
        const bool has_above = is_safe && (!table->is_directed || lane & 1);
        const bool has_below = is_safe && (!table->is_directed || !(lane & 1));
        if (table->entry_bits == 16) {
            uint16_t goal = ((const uint16_t *)goal_row)[lane];
            ((uint16_t *)above)[lane] = has_above ? goal : UINT16_MAX;
            ((uint16_t *)below)[lane] = has_below ? goal : 0;
        } else {
            uint32_t goal = ((const uint32_t *)goal_row)[lane];
            ((uint32_t *)above)[lane] = has_above ? goal : UINT32_MAX;
            ((uint32_t *)below)[lane] = has_below ? goal : 0;
        }
    }
}

static void lower(cairn_cost *upper, cairn_cost there, cairn_cost back)
{
    if (there != CAIRN_UNREACHABLE && back != CAIRN_UNREACHABLE && there + back < *upper)
        *upper = there + back;
}

static bool pairs_separate(const cairn_table *table, cairn_node from, cairn_node to,
                           cairn_cost *upper)
{
    for (uint32_t row = 0; row < table->row_count; row += 2) {
        cairn_cost out_from = cn_table_entry(table, row, from);
        cairn_cost out_to = cn_table_entry(table, row, to);
        cairn_cost back_from = cn_table_entry(table, row + 1, from);
        cairn_cost back_to = cn_table_entry(table, row + 1, to);
        if ((out_from != CAIRN_UNREACHABLE && out_to == CAIRN_UNREACHABLE) ||
            (back_from == CAIRN_UNREACHABLE && back_to != CAIRN_UNREACHABLE))
            return true;
        lower(upper, back_from, out_to);
    }
    return false;
}

/* Whether some row reaches one of two nodes and not the other, without a branch in the loop. */
static bool reach_differs_16(const uint16_t *from, const uint16_t *to, uint32_t row_count)
{
    uint32_t apart = 0;
    for (uint32_t row = 0; row < row_count; row++)
        apart |= (uint32_t)(from[row] == UINT16_MAX) ^ (uint32_t)(to[row] == UINT16_MAX);
    return apart != 0;
}

bool cn_bound_separates(const cairn_table *table, cairn_node from, cairn_node to, cairn_cost *upper)
{
    *upper = CAIRN_UNREACHABLE;
    if (table->is_directed)
        return pairs_separate(table, from, to, upper);
    if (table->entry_bits == 16 && table->unsafe_count == 0) {
        const uint16_t *first = (const uint16_t *)table->entries + cn_table_index(table, from, 0);
        const uint16_t *last = (const uint16_t *)table->entries + cn_table_index(table, to, 0);
        *upper = cn_bound_least_sum_16(first, last, table->row_count);
        return reach_differs_16(first, last, table->row_count);
    }
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (table->row_state[row] == CAIRN_ROW_UNSAFE)
            continue;
        cairn_cost there = cn_table_entry(table, row, from);
        cairn_cost back = cn_table_entry(table, row, to);
        if ((there == CAIRN_UNREACHABLE) != (back == CAIRN_UNREACHABLE))
            return true;
        lower(upper, there, back);
    }
    return false;
}
