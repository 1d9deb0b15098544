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
} state;

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

/* Gives every cell its cost. False when a cost is too large: of a cell and its parent only one was
 * reached. */
CN_ALWAYS_INLINE bool descend(state *self, unsigned bits)
{
    const uint32_t straight = self->map->metric.straight;
    const uint32_t infinite = bits == 16 ? INFINITE_16 : INFINITE_32;
    const cairn_node *nodes = self->nodes;
    const rank *parents = self->parents;
    uint32_t *costs = self->costs;
    void *plane = self->plane.costs;
    bool fits = true;

    for (rank at = 0; at < self->count; at++) {
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

/* In this order no cost is final before the last one: the end of a task is not made use of. */
static cairn_status run_trees(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    state *self = state_;
    const uint32_t infinite = self->bits == 16 ? INFINITE_16 : INFINITE_32;

    for (rank at = 0; at < self->count; at++)
        self->costs[at] = infinite;
    for (size_t i = 0; i < task->source_count; i++)
        climb(self, self->ranks[task->sources[i]]);
    bool fits = self->bits == 16 ? descend(self, 16) : descend(self, 32);
    *plane = cn_plane_of_rows(self->plane.costs, self->bits, self->map->grid.width);
    plane->may_be_cut = !fits;
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
