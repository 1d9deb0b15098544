/*
 * Repairs a flow field and its costs after edits, as rows are repaired (Ramalingam and Reps, "An
 * incremental algorithm for a generalization of the shortest-path problem", 1996): costs that no
 * step supports any more are dropped, and what steps from the costs that are left can lower is
 * lowered in the order of costs. Where that would change many nodes, a flood is faster.
 */
#include "base/heap.h"
#include "base/nodes.h"
#include "flood/costs.h"

typedef struct field_repair {
    const cairn_map *map;
    const cn_mem *mem;
    const cairn_node *targets;
    size_t target_count;
    uint64_t *target_bits; /* by node; NULL: not made yet, or there are few */
    uint8_t *flow;
    cairn_cost *costs;
    cn_nodes unsure;  /* nodes to check for support */
    cn_nodes changed; /* nodes whose cost or steps changed; some several times */
    uint64_t *open;   /* a heap: nodes whose cost fell, in the low half, below the cost */
    size_t open_count;
    size_t open_capacity;
} field_repair;

/* MORE_THAN_A_FLOOD: the repair would take longer than a flood, or cannot tell the result. Some
 * costs may have been changed already; a flood has to compute all of them. */
typedef enum outcome { DONE, NO_MEMORY, MORE_THAN_A_FLOOD } outcome;

/* How many nodes a repair may change. With more, a flood of the whole map is faster: on grids,
 * where it goes by vectors, a node that changes takes 0.25 to 0.75 microseconds and the whole field
 * 2 to 5 nanoseconds an open cell. A repair that is given up then takes at most about two fields;
 * with a lower limit repairs in mazes, whose floods are slow, would take longer in the mean. */
static size_t most_changes(const cairn_map *map)
{
    return 64 + (map->graph ? cn_map_node_count(map) / 32 : cairn_map_open_count(map) / 96);
}

static outcome list_node(const field_repair *self, cn_nodes *list, cairn_node node)
{
    return cn_nodes_add(list, self->mem, node) ? DONE : NO_MEMORY;
}

static outcome list_change(field_repair *self, cairn_node node)
{
    return self->changed.count < most_changes(self->map) ? list_node(self, &self->changed, node)
                                                         : MORE_THAN_A_FLOOD;
}

/* The nodes whose steps an edit of the cell may have changed: on grids its neighbours too. */
static outcome list_around(field_repair *self, cairn_node cell)
{
    cairn_node around[CN_DIRECTIONS];
    const unsigned count = self->map->graph ? 0
                                            : cn_grid_neighbours(&self->map->grid, cell, around);
    outcome done = list_change(self, cell);
    for (unsigned i = 0; i < count && done == DONE; i++)
        done = list_change(self, around[i]);
    return done;
}

enum { FEW_TARGETS = 64 };

/* Without memory each question takes time by the number of targets. */
static void mark_targets(field_repair *self)
{
    const size_t words = cn_map_node_count(self->map) / 64 + 1;
    self->target_bits = cn_zeroed(self->mem, words, sizeof *self->target_bits);
    for (size_t i = 0; self->target_bits && i < self->target_count; i++)
        cn_set_bit(self->target_bits, self->targets[i]);
}

static bool is_target(field_repair *self, cairn_node node)
{
    if (!self->target_bits && self->target_count > FEW_TARGETS)
        mark_targets(self);
    if (self->target_bits)
        return cn_has_bit(self->target_bits, node);
    for (size_t i = 0; i < self->target_count; i++) {
        if (self->targets[i] == node)
            return true;
    }
    return false;
}

static bool is_supported(field_repair *self, cairn_node node)
{
    if (self->costs[node] == 0)
        return is_target(self, node);
    return cn_flow_first_step(self->map, self->costs, node) != CAIRN_FLOW_NONE;
}

/* Drops the cost of a node, which may have been what supported nodes before it. */
static outcome drop(field_repair *self, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    const cn_arc_span span = cn_map_arcs(self->map, node, CN_REVERSE, scratch);
    const cairn_cost cost = self->costs[node];
    outcome done = list_change(self, node);
    self->costs[node] = CAIRN_UNREACHABLE;
    for (size_t i = 0; i < span.count && done == DONE; i++) {
        const cairn_cost before = self->costs[span.arcs[i].to];
        if (before > cost && before != CAIRN_UNREACHABLE)
            done = list_node(self, &self->unsure, span.arcs[i].to);
    }
    return done;
}

static outcome drop_unsupported(field_repair *self)
{
    outcome done = DONE;
    while (self->unsure.count && done == DONE) {
        const cairn_node node = self->unsure.items[--self->unsure.count];
        if (self->costs[node] != CAIRN_UNREACHABLE && !is_supported(self, node))
            done = drop(self, node);
    }
    return done;
}

static outcome lower(field_repair *self, cairn_node node, uint64_t cost)
{
    if (cost >= self->costs[node])
        return DONE;
    if (cost > CAIRN_COST_MAX)
        return MORE_THAN_A_FLOOD; /* the flood returns CAIRN_E_LIMIT */
    if (!CN_GROW(self->mem, self->open, &self->open_capacity, self->open_count,
                 self->open_count + 1))
        return NO_MEMORY;
    self->costs[node] = (cairn_cost)cost;
    cn_heap_push(self->open, &self->open_count, cost << 32 | node);
    return list_change(self, node);
}

/* Takes the steps from a node whose neighbours may have better costs than it. */
static outcome pull(field_repair *self, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    const cn_arc_span span = cn_map_arcs(self->map, node, CN_FORWARD, scratch);
    outcome done = DONE;
    for (size_t i = 0; i < span.count && done == DONE; i++) {
        const cairn_cost there = self->costs[span.arcs[i].to];
        if (there != CAIRN_UNREACHABLE)
            done = lower(self, node, (uint64_t)there + span.arcs[i].cost);
    }
    return done;
}

/* Lowers nodes before one whose cost is final. */
static outcome push(field_repair *self, cairn_node node, cairn_cost cost)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    const cn_arc_span span = cn_map_arcs(self->map, node, CN_REVERSE, scratch);
    outcome done = DONE;
    for (size_t i = 0; i < span.count && done == DONE; i++)
        done = lower(self, span.arcs[i].to, (uint64_t)cost + span.arcs[i].cost);
    return done;
}

static outcome lower_all(field_repair *self)
{
    outcome done = DONE;
    for (size_t i = 0, count = self->changed.count; i < count && done == DONE; i++)
        done = pull(self, self->changed.items[i]);
    while (self->open_count && done == DONE) {
        const uint64_t item = cn_heap_pop(self->open, &self->open_count);
        const cairn_node node = (cairn_node)item;
        const cairn_cost cost = (cairn_cost)(item >> 32);
        if (cost == self->costs[node])
            done = push(self, node, cost);
    }
    return done;
}

static void set_step(field_repair *self, cairn_node node)
{
    self->flow[node] = self->costs[node] == CAIRN_UNREACHABLE
                           ? CAIRN_FLOW_NONE
                           : cn_flow_first_step(self->map, self->costs, node);
}

/* The steps of nodes that changed, and of those before them. */
static void set_steps(field_repair *self)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    for (size_t i = 0; i < self->changed.count; i++) {
        const cairn_node node = self->changed.items[i];
        const cn_arc_span span = cn_map_arcs(self->map, node, CN_REVERSE, scratch);
        set_step(self, node);
        for (size_t arc = 0; arc < span.count; arc++)
            set_step(self, span.arcs[arc].to);
    }
    for (size_t i = 0; i < self->target_count; i++)
        self->flow[self->targets[i]] = CAIRN_FLOW_TARGET;
}

static outcome repair(field_repair *self, const cairn_node *cells, size_t cell_count)
{
    outcome done = DONE;
    for (size_t i = 0; i < cell_count && done == DONE; i++)
        done = list_around(self, cells[i]);
    for (size_t i = 0; i < self->changed.count && done == DONE; i++)
        done = list_node(self, &self->unsure, self->changed.items[i]);
    if (done == DONE)
        done = drop_unsupported(self);
    if (done == DONE)
        done = lower_all(self);
    if (done == DONE)
        set_steps(self);
    cn_release(self->mem, self->unsure.items);
    cn_release(self->mem, self->changed.items);
    cn_release(self->mem, self->open);
    cn_release(self->mem, self->target_bits);
    return done;
}

cairn_status cairn_flow_repair(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                               uint64_t hash, uint8_t *flow, cairn_cost *costs)
{
    if (!flood || !flow || !costs || (!targets && target_count))
        return CAIRN_E_ARGUMENT;
    const cairn_status status = cn_flood_take_ends(flood, targets, target_count);
    if (status != CAIRN_OK)
        return status;
    targets = flood->ends.items;
    const cairn_map *map = flood->map;
    const cairn_node *cells;
    size_t cell_count;
    outcome done = DONE;
    cn_flood_forget(flood, costs);
    if (flood->most != CAIRN_UNREACHABLE || flood->until_count)
        return cairn_flood_flow(flood, targets, target_count, flow, costs);
    switch (cn_map_changes(map, hash, map->fixed_hash, &cells, &cell_count)) {
    case CN_CHANGES_NONE: return CAIRN_OK;
    case CN_CHANGES_KNOWN:
        done = repair(&(field_repair){.map = map,
                                      .mem = &flood->mem,
                                      .targets = targets,
                                      .target_count = target_count,
                                      .flow = flow,
                                      .costs = costs},
                      cells, cell_count);
        break;
    default: done = MORE_THAN_A_FLOOD; break;
    }
    if (done == MORE_THAN_A_FLOOD)
        return cairn_flood_flow(flood, targets, target_count, flow, costs);
    return done == DONE ? CAIRN_OK : CAIRN_E_MEMORY;
}
