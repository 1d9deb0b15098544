/*
 * Maps without loops, such as mazes with a single path between any two cells: each component is a
 * tree. Its cells are kept in breadth-first order from a root. A run first passes costs from the
 * sources up to the root; then every cell, in that order, gets its cost from its parent.
 *
 * When a cell closes, its children become roots, and so does the cell itself, which no source can
 * reach; when it opens again they are connected as before. So the order can be used for every map
 * whose open cells are among those of the map for which it was made.
 */
#include <string.h>

#include "flood/flood_engine.h"

/* Of so many open cells one is reached by steps before a run goes over all cells in their order. */
enum { CELLS_PER_STEP = 128, STEPS_ALWAYS = 64 };

#define INFINITE_16 UINT16_MAX
#define INFINITE_32 ((uint32_t)CAIRN_COST_MAX + 1)

/* The index of a cell in that order. */
typedef uint32_t rank;

typedef struct state {
    cn_plane_memory plane; /* [node] */
    const cairn_map *map;
    unsigned bits;
    uint32_t count;    /* of open cells */
    cairn_node *nodes; /* [rank] */
    rank *parents;     /* [rank]; a root is its own parent */
    rank *ranks;       /* [node], of open cells */
    uint32_t *costs;   /* [rank] */
    uint32_t depth;    /* steps from the cell that is farthest from its root */
} state;

/* Of the component that was added last: its last cell is as far from the root as any. */
static void measure_depth(state *self)
{
    rank last = self->count - 1;
    uint32_t depth = 0;
    for (; self->parents[last] != last; last = self->parents[last])
        depth++;
    self->depth = depth > self->depth ? depth : self->depth;
}

/* Adds a component to the order; false if it has a loop. */
static bool walk(state *self, cairn_node root)
{
    const cn_grid *grid = &self->map->grid;
    rank next = self->count;

    self->parents[next] = next;
    self->ranks[root] = next;
    self->nodes[self->count++] = root;
    for (; next < self->count; next++) {
        cairn_node node = self->nodes[next];
        unsigned steps = grid->moves[grid->around[node]];
        for (; steps; steps &= steps - 1) {
            cairn_node other = node + (cairn_node)grid->offset[cn_lowest_bit(steps)];
            if (self->nodes[self->parents[next]] == other)
                continue;
            if (self->ranks[other] != UINT32_MAX)
                return false;
            self->parents[self->count] = next;
            self->ranks[other] = self->count;
            self->nodes[self->count++] = other;
        }
    }
    measure_depth(self);
    return true;
}

static bool walk_all(state *self)
{
    uint32_t node_count = cn_map_node_count(self->map);
    memset(self->ranks, 0xff, (size_t)node_count * sizeof *self->ranks);
    for (cairn_node node = 0; node < node_count; node++) {
        if (cn_grid_is_open(&self->map->grid, node) && self->ranks[node] == UINT32_MAX &&
            !walk(self, node))
            return false;
    }
    return true;
}

static void climb(state *self, rank from)
{
    const uint32_t straight = self->map->metric.straight;
    uint32_t cost = 0;
    self->costs[from] = 0;
    while (self->parents[from] != from) {
        from = self->parents[from];
        cost += straight;
        if (cost >= self->costs[from])
            return;
        self->costs[from] = cost;
    }
}

/* Passes costs from all sources up to the roots at once: all cells come after their parents. */
static void climb_together(state *self, const cn_flood_task *task)
{
    const uint32_t straight = self->map->metric.straight;
    const rank *parents = self->parents;
    uint32_t *costs = self->costs;

    for (size_t i = 0; i < task->source_count; i++)
        costs[self->ranks[task->sources[i]]] = 0;
    for (rank at = self->count; at-- > 0;) {
        const uint32_t cost = costs[at] + straight, above = costs[parents[at]];
        costs[parents[at]] = cost < above ? cost : above;
    }
}

/* One after another where their ways together are shorter than the list of all cells. */
static void climb_from(state *self, const cn_flood_task *task)
{
    if (task->source_count * (uint64_t)self->depth > self->count) {
        climb_together(self, task);
        return;
    }
    for (size_t i = 0; i < task->source_count; i++)
        climb(self, self->ranks[task->sources[i]]);
}

/* Gives every cell its cost. False when a cost is too large: of a cell and its parent only one was
 * reached. */
CN_ALWAYS_INLINE bool descend(state *self, unsigned bits)
{
    const uint32_t straight = self->map->metric.straight;
    const uint32_t infinite = bits == 16 ? INFINITE_16 : INFINITE_32;
    const cairn_node *nodes = self->nodes;
    const rank *parents = self->parents;
    const rank count = self->count;
    uint32_t *costs = self->costs;
    void *plane = self->plane.costs;
    bool fits = true;

    for (rank at = 0; at < count; at++) {
        uint32_t above = costs[parents[at]];
        uint32_t cost = above + straight < costs[at] ? above + straight : costs[at];
        fits &= (cost < infinite) == (above < infinite);
        costs[at] = cost;
        if (bits == 16)
            ((uint16_t *)plane)[nodes[at]] = (uint16_t)cost;
        else
            ((uint32_t *)plane)[nodes[at]] = cost;
    }
    return fits;
}

static CN_NOINLINE bool descend_16(state *self)
{
    return descend(self, 16);
}

static CN_NOINLINE bool descend_32(state *self)
{
    return descend(self, 32);
}

static uint32_t infinite_of(const state *self)
{
    return self->bits == 16 ? INFINITE_16 : INFINITE_32;
}

static void run_over_all(state *self, const cn_flood_task *task, cn_plane *plane)
{
    const uint32_t infinite = infinite_of(self);

    self->plane.held_count = CN_HELD_ALL;
    for (rank at = 0; at < self->count; at++)
        self->costs[at] = infinite;
    climb_from(self, task);
    *plane = cn_plane_of_rows(self->plane.costs, self->bits, self->map->grid.width);
    plane->may_be_cut = !(self->bits == 16 ? descend_16(self) : descend_32(self));
}

/* A cell is reached, for the first time or again. False where that are more than should be. */
static bool reach(state *self, cairn_node node, uint32_t cost)
{
    cn_plane_memory *plane = &self->plane;
    if (cn_entry_get(plane->costs, node, self->bits) < infinite_of(self))
        return true;
    cn_entry_put(plane->costs, node, self->bits, cost);
    cn_plane_hold_one(plane, node);
    return plane->held_count <= self->map->grid.open_count / CELLS_PER_STEP + STEPS_ALWAYS;
}

/* Goes from a cell to those beside it. */
static bool leave(state *self, cairn_node node, cn_plane *plane)
{
    const cn_grid *grid = &self->map->grid;
    const uint32_t cost = cn_entry_get(plane->costs, node, self->bits);
    const uint32_t next = cost + self->map->metric.straight;
    unsigned steps = grid->moves[grid->around[node]];
    bool fits = true;

    plane->may_be_cut |= next >= infinite_of(self);
    for (; steps && next < infinite_of(self) && fits; steps &= steps - 1)
        fits = reach(self, node + (cairn_node)grid->offset[cn_lowest_bit(steps)], next);
    return fits;
}

/* Breadth-first search; the list of what is reached is its queue. False after some cells, since in
 * their order all take less time. */
static bool run_by_steps(state *self, const cn_flood_task *task, cn_plane *plane)
{
    cn_plane_memory *own = &self->plane;
    cn_flood_end end = cn_flood_end_of(task, self->map, plane);
    uint32_t level = 0;
    bool fits = true;

    *plane = cn_plane_of_rows(own->costs, self->bits, self->map->grid.width);
    cn_plane_clear_rows(own, self->bits, infinite_of(self));
    for (size_t i = 0; i < task->source_count && fits; i++)
        fits = reach(self, task->sources[i], 0);
    for (size_t head = 0; fits && head < own->held_count; head++) {
        const cairn_node node = own->held[head];
        const uint32_t cost = cn_entry_get(plane->costs, node, self->bits);
        if ((head == 0 || cost != level) && cn_flood_may_end(&end, (uint64_t)cost + 1))
            break;
        level = cost;
        fits = leave(self, node, plane);
    }
    cn_plane_take_list(plane, own);
    return fits;
}

/* Whether a run may well end after a few cells. From some cell of each component, a path leads as
 * far as the deepest cell is from its root, and half as far from any other. */
static bool may_be_short(const state *self, const cn_flood_task *task)
{
    return task->until_count || task->most / self->map->metric.straight < self->depth / 2;
}

/* In their order no cost is final before the last one. */
static cairn_status run_trees(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    state *self = state_;
    if (!may_be_short(self, task) || !run_by_steps(self, task, plane))
        run_over_all(self, task, plane);
    return CAIRN_OK;
}

/* Finds the parent of a cell: the only neighbour that comes earlier in the order. */
static void hang(state *self, cairn_node node)
{
    const cn_grid *grid = &self->map->grid;
    const rank own = self->ranks[node];

    self->parents[own] = own;
    if (!cn_grid_is_open(grid, node))
        return;
    for (unsigned steps = grid->moves[grid->around[node]]; steps; steps &= steps - 1) {
        rank other = self->ranks[node + (cairn_node)grid->offset[cn_lowest_bit(steps)]];
        if (other < own)
            self->parents[own] = other;
    }
}

static bool update_trees(void *state_, const cairn_map *map, const cairn_node *cells,
                         size_t cell_count)
{
    state *self = state_;
    cairn_node around[CN_DIRECTIONS];

    for (size_t i = 0; i < cell_count; i++) {
        if (cn_grid_is_open(&map->grid, cells[i]) && self->ranks[cells[i]] == UINT32_MAX)
            return false;
    }
    self->map = map;
    for (size_t i = 0; i < cell_count; i++) {
        unsigned count = cn_grid_neighbours(&map->grid, cells[i], around);
        if (self->ranks[cells[i]] != UINT32_MAX)
            hang(self, cells[i]);
        for (unsigned k = 0; k < count; k++) {
            if (self->ranks[around[k]] != UINT32_MAX)
                hang(self, around[k]);
        }
    }
    return true;
}

static void close_trees(void *state_, const cn_mem *mem)
{
    state *self = state_;
    cn_release(mem, self->nodes);
    cn_release(mem, self->parents);
    cn_release(mem, self->ranks);
    cn_release(mem, self->costs);
    cn_plane_memory_free(mem, &self->plane);
    cn_release(mem, self);
}

/* Where slanting steps need both cells beside them open, or there are none, all steps of a map
 * without loops are straight. */
bool cn_flood_trees_may_serve(const cairn_map *map)
{
    return cn_map_is_classic(map) ||
           (cn_map_is_uniform(map) && map->grid.rules.rule == CAIRN_RULE_4);
}

/* CAIRN_E_ARGUMENT for a map with a loop, or with another rule. */
static cairn_status open_trees(const cairn_map *map, unsigned bits, void **state_)
{
    const cn_mem *mem = &map->mem;
    if (!cn_flood_trees_may_serve(map))
        return CAIRN_E_ARGUMENT;
    const size_t node_count = cn_map_node_count(map), open_count = map->grid.open_count;
    state *self = cn_zeroed(mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;

    self->map = map;
    self->bits = bits;
    self->nodes = cn_array(mem, open_count + 1, sizeof *self->nodes);
    self->parents = cn_array(mem, open_count + 1, sizeof *self->parents);
    self->ranks = cn_array(mem, node_count, sizeof *self->ranks);
    self->costs = cn_array(mem, open_count + 1, sizeof *self->costs);
    cairn_status status = cn_plane_memory_new(map, node_count * (bits / 8), 0, &self->plane);
    /* Floods write open cells alone; readers go over the blocked ones between them as well. */
    if (status == CAIRN_OK)
        memset(self->plane.costs, 0xff, node_count * (bits / 8));
    if (!self->nodes || !self->parents || !self->ranks || !self->costs)
        status = CAIRN_E_MEMORY;
    else if (status == CAIRN_OK && !walk_all(self))
        status = CAIRN_E_ARGUMENT;
    if (status != CAIRN_OK) {
        close_trees(self, &map->mem);
        return status;
    }
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_trees = {
    .name = "trees",
    .open = open_trees,
    .run = run_trees,
    .update = update_trees,
    .close = close_trees,
};
