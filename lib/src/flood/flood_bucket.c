/*
 * Dijkstra's algorithm with a ring of buckets (Dial, "Algorithm 360: Shortest-path forest with
 * topological ordering", 1969), on any map and in both directions. A bucket holds a range of
 * 2^shift costs. While that is at most the cheapest arc, nodes of one bucket cannot improve one
 * another. Where the range of arc costs would need too many buckets, they are wider, and the nodes
 * of the first one are spread over a second ring of narrow ones (Denardo and Fox, "Shortest-route
 * methods: 1. Reaching, pruning, and buckets", 1979).
 *
 * On grids without one-way cells and heights, cells whose surroundings have one factor are left by
 * canonical steps alone (grid/canonical.h): those that some direction in which a shortest path
 * arrived allows. All directions are known when a cell is visited, since buckets are narrow.
 *
 * Nodes are removed from a bucket in batches, so that the arcs of the whole batch are fetched while
 * its first node is visited: on large graphs this gains more than anything else.
 */
#include <string.h>

#include "flood/flood_engine.h"

enum { BUCKETS_MIN = 64, BUCKETS_MAX = 1 << 16, BATCH = 16 };

#define NO_SLOT UINT32_MAX
#define NONE_OPEN UINT32_MAX

typedef struct slot {
    cairn_node node;
    cairn_cost cost;
    uint32_t below;
} slot;

typedef struct bucket_ring {
    unsigned shift;
    uint32_t count;   /* of buckets, a power of two; 0: it is not needed */
    uint32_t *tops;   /* by bucket, valid if the bucket's bit in `filled` is set */
    uint64_t *filled; /* a bit per bucket */
} bucket_ring;

typedef struct state {
    cn_plane_memory plane;
    const cairn_map *map;
    unsigned bits;
    bucket_ring wide;
    bucket_ring narrow;    /* of the wide bucket that is open; no buckets if wide ones will do */
    uint32_t open;         /* its costs, shifted; NONE_OPEN */
    uint32_t narrow_from;  /* no narrow bucket before this one has nodes */
    size_t narrow_waiting; /* of those that wait, in narrow buckets */
    slot *slots;
    size_t slot_capacity;
    uint32_t slot_used;
    uint32_t free_slot;
    size_t waiting;
    bool missed;         /* some cost does not fit 16 bits */
    uint8_t *is_uniform; /* by cell: its surroundings have one factor; NULL: no canonical steps */
    uint8_t *arrivals;   /* by cell: directions in which shortest paths arrive, as bits */
} state;

CN_ALWAYS_INLINE cairn_cost cost_at(const state *self, cairn_node node, unsigned bits)
{
    return cn_entry_cost(self->plane.costs, node, bits);
}

CN_ALWAYS_INLINE void set_cost(state *self, cairn_node node, cairn_cost cost, unsigned bits)
{
    cn_entry_put(self->plane.costs, node, bits, cost);
}

CN_ALWAYS_INLINE uint32_t bucket_of(const bucket_ring *ring, cairn_cost cost)
{
    return (cost >> ring->shift) & (ring->count - 1);
}

/* Puts a slot that has node and cost on top of its bucket. */
CN_ALWAYS_INLINE void put(bucket_ring *to, slot *slots, uint32_t at)
{
    const uint32_t bucket = bucket_of(to, slots[at].cost);
    uint64_t *word = &to->filled[bucket / 64], bit = UINT64_C(1) << bucket % 64;

    slots[at].below = *word & bit ? to->tops[bucket] : NO_SLOT;
    to->tops[bucket] = at;
    *word |= bit;
}

CN_ALWAYS_INLINE void push(state *self, cairn_node node, cairn_cost cost)
{
    slot *slots = self->slots;
    uint32_t at = self->free_slot;

    if (at == NO_SLOT)
        at = self->slot_used++;
    else
        self->free_slot = slots[at].below;
    slots[at] = (slot){.node = node, .cost = cost};
    self->waiting++;
    if (CN_LIKELY(cost >> self->wide.shift != self->open)) {
        put(&self->wide, slots, at);
        return;
    }
    put(&self->narrow, slots, at);
    self->narrow_waiting++;
}

/* The first bucket at or after `from` that is not empty, around the ring; there must be one. */
CN_ALWAYS_INLINE uint32_t first_filled(const bucket_ring *ring, uint32_t from)
{
    const uint32_t words = ring->count / 64;
    uint32_t word = from / 64;
    uint64_t bits = ring->filled[word] & (~UINT64_C(0) << from % 64);
    while (!bits) {
        word = (word + 1) & (words - 1);
        bits = ring->filled[word];
    }
    return word * 64 + cn_lowest_bit(bits);
}

/* Removes at most BATCH nodes from a bucket. */
CN_ALWAYS_INLINE unsigned take(state *self, bucket_ring *ring, uint32_t bucket, slot *batch)
{
    slot *slots = self->slots;
    uint32_t first = ring->tops[bucket], last = first, next = first;
    unsigned count = 0;

    for (; next != NO_SLOT && count < BATCH; next = slots[next].below) {
        batch[count++] = slots[next];
        last = next;
    }
    ring->tops[bucket] = next;
    if (next == NO_SLOT)
        ring->filled[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    slots[last].below = self->free_slot;
    self->free_slot = first;
    self->waiting -= count;
    return count;
}

/* Spreads the nodes of a wide bucket over the narrow ones. */
static void open_wide(state *self, uint32_t bucket)
{
    slot *slots = self->slots;
    uint32_t next, at = self->wide.tops[bucket];

    self->wide.filled[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    self->open = slots[at].cost >> self->wide.shift;
    self->narrow_from = 0;
    for (; at != NO_SLOT; at = next) {
        next = slots[at].below;
        put(&self->narrow, slots, at);
        self->narrow_waiting++;
    }
}

static unsigned take_narrow(state *self, uint32_t *from, slot *batch)
{
    if (!self->narrow_waiting) {
        *from = first_filled(&self->wide, *from);
        open_wide(self, *from);
    }
    self->narrow_from = first_filled(&self->narrow, self->narrow_from);
    const unsigned count = take(self, &self->narrow, self->narrow_from, batch);
    self->narrow_waiting -= count;
    return count;
}

/* Removes at most BATCH nodes from the first bucket at or after `from` that is not empty, or from
 * the first narrow one in it. */
CN_ALWAYS_INLINE unsigned take_batch(state *self, uint32_t *from, slot *batch)
{
    if (CN_UNLIKELY(self->narrow.count))
        return take_narrow(self, from, batch);
    *from = first_filled(&self->wide, *from);
    return take(self, &self->wide, *from, batch);
}

static bool reserve(state *self, size_t more)
{
    size_t needed = self->waiting + more;
    if (CN_LIKELY(needed <= self->slot_capacity))
        return true;
    if (needed >= NO_SLOT)
        return false;
    return CN_GROW(&self->map->mem, self->slots, &self->slot_capacity, self->slot_used, needed);
}

/* Unreachable cells of 32 bits are above every cost, also after a step: see CN_PLANE_INFINITE. */
enum { UNREACHED_16 = UINT16_MAX, UNREACHED_32 = 0x7f7f7f7f };

static cairn_status start(state *self, const cairn_node *sources, size_t source_count)
{
    cn_plane_clear_rows(&self->plane, self->bits, self->bits == 16 ? UNREACHED_16 : UNREACHED_32);
    memset(self->wide.filled, 0, self->wide.count / 8);
    if (self->narrow.count)
        memset(self->narrow.filled, 0, self->narrow.count / 8);
    self->open = NONE_OPEN;
    self->narrow_waiting = 0;
    self->slot_used = 0;
    self->free_slot = NO_SLOT;
    self->waiting = 0;
    self->missed = false;
    if (!reserve(self, source_count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < source_count; i++) {
        set_cost(self, sources[i], 0, self->bits);
        push(self, sources[i], 0);
    }
    return CAIRN_OK;
}

/* Prefetches what is needed of each node. */
CN_ALWAYS_INLINE void fetch(const state *self, const slot *batch, unsigned count, cn_way way)
{
    const cn_graph *graph = self->map->graph;
    const uint32_t *start = way == CN_FORWARD ? graph->out_start : graph->in_start;
    const cn_arc *arcs = way == CN_FORWARD ? graph->out : graph->in;

    for (unsigned i = 0; i < count; i++)
        CN_PREFETCH(&start[batch[i].node]);
    for (unsigned i = 0; i < count; i++)
        cn_graph_fetch(start, arcs, batch[i].node);
}

/* `bits`, `way` and `is_grid` are constants where this is inlined. */
CN_ALWAYS_INLINE bool leave(state *self, slot item, unsigned bits, cn_way way, bool is_grid)
{
    const cairn_map *map = self->map;
    const cairn_cost limit = cn_entry_most(bits);
    cn_arc scratch[CN_ARCS_SCRATCH];

    if (item.cost != cost_at(self, item.node, bits))
        return true;
    cn_arc_span span = is_grid             ? cn_grid_arcs(map, item.node, way, scratch)
                       : way == CN_FORWARD ? cn_graph_out(map->graph, item.node)
                                           : cn_graph_in(map->graph, item.node);
    if (CN_UNLIKELY(!reserve(self, span.count)))
        return false;
    for (size_t i = 0; i < span.count; i++) {
        cairn_node next = span.arcs[i].to;
        cairn_cost cost = item.cost + span.arcs[i].cost;
        if (cost >= cost_at(self, next, bits))
            continue;
        if (CN_UNLIKELY(cost > limit)) {
            self->missed = true;
            continue;
        }
        set_cost(self, next, cost, bits);
        push(self, next, cost);
    }
    return true;
}

/* ------------------------------------------------------------------------ canonical steps -- */

static bool cell_is_uniform(const cn_grid *grid, cairn_node node)
{
    const uint16_t factor = grid->rules.factor[grid->letters[node]];
    uint32_t x, y;

    cn_grid_xy(grid, node, &x, &y);
    for (uint32_t row = y - 1; row != y + 2; row++) {
        for (uint32_t column = x - 1; column != x + 2; column++) {
            if (row >= grid->height || column >= grid->width)
                continue;
            uint8_t letter = grid->letters[row * grid->width + column];
            if (grid->open_letter[letter] && grid->rules.factor[letter] != factor)
                return false;
        }
    }
    return true;
}

/* The steps by which a cell is left, for all directions in which shortest paths arrive. */
CN_ALWAYS_INLINE unsigned steps_of(const state *self, slot item)
{
    const cn_grid *grid = &self->map->grid;
    const unsigned around = grid->around[item.node];
    unsigned steps = 0;

    if (item.cost == 0 || !self->is_uniform[item.node])
        return grid->moves[around];
    for (unsigned left = self->arrivals[item.node]; left; left &= left - 1)
        steps |= grid->canonical[cn_lowest_bit(left)][around];
    return steps;
}

/* A path arrives at a cell. A cell that waits already waits for all paths of its cost. */
CN_ALWAYS_INLINE void arrive(state *self, cairn_node node, unsigned direction, cairn_cost cost,
                             unsigned bits)
{
    const cairn_cost limit = cn_entry_most(bits);
    const cairn_cost known = cost_at(self, node, bits);

    if (cost > known)
        return;
    if (CN_UNLIKELY(cost > limit)) {
        self->missed = true;
        return;
    }
    if (cost == known) {
        self->arrivals[node] |= (uint8_t)(1u << direction);
        return;
    }
    self->arrivals[node] = (uint8_t)(1u << direction);
    set_cost(self, node, cost, bits);
    push(self, node, cost);
}

/* `bits` and `way` are constants. */
CN_ALWAYS_INLINE bool leave_cell(state *self, slot item, unsigned bits, cn_way way)
{
    const cn_grid *grid = &self->map->grid;
    const int32_t *offsets = cn_grid_offsets(grid, item.node);
    const uint32_t here = grid->rules.factor[grid->letters[item.node]];

    if (item.cost != cost_at(self, item.node, bits))
        return true;
    if (CN_UNLIKELY(!reserve(self, CN_DIRECTIONS)))
        return false;
    for (unsigned steps = steps_of(self, item); steps; steps &= steps - 1) {
        unsigned direction = cn_lowest_bit(steps);
        cairn_node next = item.node + (cairn_node)offsets[direction];
        uint32_t there = grid->rules.factor[grid->letters[next]];
        uint32_t left = way == CN_FORWARD ? here : there;
        uint32_t entered = way == CN_FORWARD ? there : here;
        cairn_cost cost = item.cost + cn_step_cost(self->map, direction, left, entered);
        arrive(self, next, direction, cost, bits);
    }
    return true;
}

/* Cells of one bucket cannot improve one another if it holds no more costs than the cheapest step
 * has. */
static bool has_canonical_steps(const state *self)
{
    return cn_map_ends_tell_costs(self->map) &&
           UINT64_C(1) << self->wide.shift <= cn_map_cheapest(self->map);
}

static bool find_uniform_cells(state *self)
{
    const size_t count = cn_map_node_count(self->map);

    if (!has_canonical_steps(self))
        return true;
    self->is_uniform = cn_array(&self->map->mem, count, 1);
    self->arrivals = cn_array(&self->map->mem, count, 1);
    for (size_t node = 0; self->is_uniform && node < count; node++)
        self->is_uniform[node] = cell_is_uniform(&self->map->grid, (cairn_node)node);
    return self->is_uniform && self->arrivals;
}

static void update_uniform_cells(state *self, const cairn_node *cells, size_t cell_count)
{
    const cn_grid *grid = &self->map->grid;
    uint32_t x, y;

    for (size_t i = 0; self->is_uniform && i < cell_count; i++) {
        cn_grid_xy(grid, cells[i], &x, &y);
        for (uint32_t row = y - 1; row != y + 2; row++) {
            for (uint32_t column = x - 1; column != x + 2; column++) {
                cairn_node node = row * grid->width + column;
                if (row < grid->height && column < grid->width)
                    self->is_uniform[node] = cell_is_uniform(grid, node);
            }
        }
    }
}

/* ---------------------------------------------------------------------------------- the ring -- */

/* The steps that are taken from a node. */
typedef enum moves { CANONICAL_STEPS, ALL_STEPS, ARCS } moves;

/* No cost will fall below that of the bucket that the batch is from. */
CN_ALWAYS_INLINE uint64_t floor_of(const state *self, const slot *batch)
{
    return batch[0].cost >> self->wide.shift << self->wide.shift;
}

/* Notes the nodes of a batch, or those that still wait and some others, as reached. */
static void hold(state *self, const slot *slots, size_t count)
{
    for (size_t i = 0; i < count && self->plane.held_count != CN_HELD_ALL; i++)
        cn_plane_hold_one(&self->plane, slots[i].node);
}

/* `bits`, `way` and `by` are constants. */
CN_ALWAYS_INLINE cairn_status spread(state *self, cn_flood_end *end, unsigned bits, cn_way way,
                                     moves by)
{
    slot batch[BATCH];
    uint32_t from = 0;

    while (self->waiting) {
        const uint32_t before = from;
        unsigned count = take_batch(self, &from, batch);
        if (from != before && cn_flood_may_end(end, floor_of(self, batch)))
            break;
        hold(self, batch, count);
        if (by == ARCS)
            fetch(self, batch, count, way);
        for (unsigned i = 0; i < count; i++) {
            const bool left = by == CANONICAL_STEPS
                                  ? leave_cell(self, batch[i], bits, way)
                                  : leave(self, batch[i], bits, way, by == ALL_STEPS);
            if (CN_UNLIKELY(!left))
                return CAIRN_E_MEMORY;
        }
    }
    return CAIRN_OK;
}

#define DEFINE_SPREAD(name, bits, way, by)                             \
  static CN_NOINLINE cairn_status name(state *self, cn_flood_end *end) \
  {                                                                    \
    return spread(self, end, bits, way, by);                           \
  }

DEFINE_SPREAD(cells_16, 16, CN_FORWARD, CANONICAL_STEPS)
DEFINE_SPREAD(cells_32, 32, CN_FORWARD, CANONICAL_STEPS)
DEFINE_SPREAD(cells_back_16, 16, CN_REVERSE, CANONICAL_STEPS)
DEFINE_SPREAD(cells_back_32, 32, CN_REVERSE, CANONICAL_STEPS)
DEFINE_SPREAD(grid_16, 16, CN_FORWARD, ALL_STEPS)
DEFINE_SPREAD(grid_32, 32, CN_FORWARD, ALL_STEPS)
DEFINE_SPREAD(grid_back_16, 16, CN_REVERSE, ALL_STEPS)
DEFINE_SPREAD(grid_back_32, 32, CN_REVERSE, ALL_STEPS)
DEFINE_SPREAD(graph_16, 16, CN_FORWARD, ARCS)
DEFINE_SPREAD(graph_32, 32, CN_FORWARD, ARCS)
DEFINE_SPREAD(graph_back_16, 16, CN_REVERSE, ARCS)
DEFINE_SPREAD(graph_back_32, 32, CN_REVERSE, ARCS)

static cairn_status spread_this(state *self, cn_way way, cn_flood_end *end)
{
    static cairn_status (*const all[3][2][2])(state *, cn_flood_end *) = {
        {{cells_16, cells_32}, {cells_back_16, cells_back_32}},
        {{grid_16, grid_32}, {grid_back_16, grid_back_32}},
        {{graph_16, graph_32}, {graph_back_16, graph_back_32}},
    };
    const moves by = self->map->graph ? ARCS : self->is_uniform ? CANONICAL_STEPS : ALL_STEPS;
    return all[by][way][self->bits == 32](self, end);
}

static cairn_status run_bucket(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    state *self = state_;
    cairn_status status = start(self, task->sources, task->source_count);
    *plane = cn_plane_of_rows(self->plane.costs, self->bits, self->map->grid.width);
    cn_flood_end end = cn_flood_end_of(task, self->map, plane);
    if (status == CAIRN_OK)
        status = spread_this(self, task->way, &end);
    hold(self, self->slots, self->slot_used);
    cn_plane_take_list(plane, &self->plane);
    /* A cost that did not fit proves nothing by itself, since another path to the node may be
     * cheaper. */
    plane->may_be_cut = self->missed;
    return status;
}

/* Buckets as wide as the cheapest arc allows, or wider if the dearest one makes that necessary. */
static void choose_buckets(state *self)
{
    const cairn_cost cheapest = cn_map_cheapest(self->map), dearest = cn_map_dearest(self->map);
    bucket_ring *wide = &self->wide, *narrow = &self->narrow;

    narrow->shift = cn_highest_bit(cheapest);
    wide->shift = narrow->shift;
    while ((dearest >> wide->shift) + 2 > BUCKETS_MAX)
        wide->shift++;
    wide->count = BUCKETS_MIN;
    while (wide->count < (dearest >> wide->shift) + 2)
        wide->count *= 2;
    if (wide->shift > narrow->shift) {
        narrow->count = 1u << (wide->shift - narrow->shift);
        if (narrow->count < BUCKETS_MIN)
            narrow->count = BUCKETS_MIN;
    }
}

/* The state holds nothing about the map except that the costs of its arcs suit the rings, which is
 * checked. */
static bool update_bucket(void *state_, const cairn_map *map, const cairn_node *cells,
                          size_t cell_count)
{
    state *self = state_;
    self->map = map;
    update_uniform_cells(self, cells, cell_count);
    return cn_map_cheapest(map) >> self->narrow.shift > 0 &&
           (cn_map_dearest(map) >> self->wide.shift) + 2 <= self->wide.count;
}

static bool reserve_ring(bucket_ring *ring, const cn_mem *mem)
{
    ring->tops = cn_array(mem, ring->count, sizeof *ring->tops);
    ring->filled = cn_array(mem, ring->count / 64, sizeof *ring->filled);
    return ring->tops && ring->filled;
}

static void free_ring(const bucket_ring *ring, const cn_mem *mem)
{
    cn_release(mem, ring->tops);
    cn_release(mem, ring->filled);
}

static void close_bucket(void *state_, const cn_mem *mem)
{
    state *self = state_;
    cn_plane_memory_free(mem, &self->plane);
    free_ring(&self->wide, mem);
    free_ring(&self->narrow, mem);
    cn_release(mem, self->slots);
    cn_release(mem, self->is_uniform);
    cn_release(mem, self->arrivals);
    cn_release(mem, self);
}

static cairn_status open_bucket(const cairn_map *map, unsigned bits, void **state_)
{
    state *self = cn_zeroed(&map->mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;
    self->map = map;
    self->bits = bits;
    choose_buckets(self);
    const bool has_rings = reserve_ring(&self->wide, &map->mem) &&
                           (!self->narrow.count || reserve_ring(&self->narrow, &map->mem));
    cairn_status status = cn_plane_memory_new(map, (size_t)cn_map_node_count(map) * (bits / 8), 0,
                                              &self->plane);
    if (status != CAIRN_OK || !has_rings || !find_uniform_cells(self)) {
        close_bucket(self, &map->mem);
        return CAIRN_E_MEMORY;
    }
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_bucket = {
    .name = "bucket",
    .open = open_bucket,
    .run = run_bucket,
    .update = update_bucket,
    .close = close_bucket,
};
