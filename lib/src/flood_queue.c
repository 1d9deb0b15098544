/*
 * Dijkstra's algorithm with two queues. Nodes leave in order of cost, so the costs that straight
 * steps lead to never fall, and neither do those of diagonal steps: two plain queues, one for each
 * kind of step, are sorted by themselves, and the cheaper head is next. With canonical successors
 * each cell enters about once.
 */
#include <string.h>

#include "flood_engine.h"

/* Cost in the high half, direction of arrival and node below. */
typedef uint64_t entry;

enum { ARRIVAL_SHIFT = 28 };

/* A ring; capacity is a power of two. */
typedef struct queue {
    entry *entries;
    size_t capacity;
    size_t head;
    size_t tail;
} queue;

typedef struct state {
    const cairn_map *map;
    unsigned bits;
    void *costs;
    queue straight;
    queue diagonal;
    bool missed;  /* some step cost more than 16 bits hold */
} state;

static entry make_entry(cairn_cost cost, cairn_node node, unsigned arrival)
{
    return (entry)cost << 32 | arrival << ARRIVAL_SHIFT | node;
}

/* Makes room for `count` more entries. */
static bool reserve(queue *ring, const cn_mem *mem, size_t count)
{
    size_t used = ring->tail - ring->head;
    if (CN_LIKELY(used + count <= ring->capacity))
        return true;

    size_t capacity = ring->capacity ? ring->capacity * 2 : 1024;
    while (capacity < used + count)
        capacity *= 2;
    entry *entries = cn_array(mem, capacity, sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < used; i++)
        entries[i] = ring->entries[(ring->head + i) & (ring->capacity - 1)];
    cn_release(mem, ring->entries);
    *ring = (queue){.entries = entries, .capacity = capacity, .head = 0, .tail = used};
    return true;
}

static void push(queue *ring, entry item)
{
    ring->entries[ring->tail++ & (ring->capacity - 1)] = item;
}

static bool is_empty(const queue *ring)
{
    return ring->head == ring->tail;
}

static entry head_of(const queue *ring)
{
    return ring->entries[ring->head & (ring->capacity - 1)];
}

static entry pop_cheaper(queue *straight, queue *diagonal)
{
    bool take_straight =
        is_empty(diagonal) ||
        (!is_empty(straight) && head_of(straight) >> 32 <= head_of(diagonal) >> 32);
    queue *ring = take_straight ? straight : diagonal;
    entry item = head_of(ring);
    ring->head++;
    return item;
}

/* `bits` is a constant where these are inlined. */
CN_ALWAYS_INLINE cairn_cost cost_at(const void *costs, cairn_node node, unsigned bits)
{
    return bits == 16 ? ((const uint16_t *)costs)[node] : ((const uint32_t *)costs)[node];
}

CN_ALWAYS_INLINE void set_cost(void *costs, cairn_node node, cairn_cost cost, unsigned bits)
{
    if (bits == 16)
        ((uint16_t *)costs)[node] = (uint16_t)cost;
    else
        ((uint32_t *)costs)[node] = cost;
}

static cairn_status start(state *self, const cairn_node *sources, size_t source_count)
{
    size_t bytes = (size_t)cn_map_node_count(self->map) * self->bits / 8;

    memset(self->costs, 0xff, bytes);
    self->straight.head = self->straight.tail = 0;
    self->diagonal.head = self->diagonal.tail = 0;
    self->missed = false;
    if (!reserve(&self->straight, &self->map->mem, source_count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < source_count; i++) {
        set_cost(self->costs, sources[i], 0, self->bits);
        push(&self->straight, make_entry(0, sources[i], CN_NOWHERE));
    }
    return CAIRN_OK;
}

CN_ALWAYS_INLINE void relax(state *self, queue *ring, cairn_node next, cairn_cost cost,
                            unsigned direction, unsigned bits)
{
    if (cost >= cost_at(self->costs, next, bits)) {
        if (bits == 16 && CN_UNLIKELY(cost >= UINT16_MAX))
            self->missed = true;
        return;
    }
    set_cost(self->costs, next, cost, bits);
    push(ring, make_entry(cost, next, direction));
}

/* An entry whose cost no longer stands was overtaken by a cheaper one. */
CN_ALWAYS_INLINE cairn_status spread(state *self, unsigned bits)
{
    const cn_grid *grid = &self->map->grid;
    const cairn_metric metric = self->map->metric;
    const cairn_cost limit = bits == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX;

    while (!is_empty(&self->straight) || !is_empty(&self->diagonal)) {
        entry item = pop_cheaper(&self->straight, &self->diagonal);
        cairn_node node = (uint32_t)item & ((1u << ARRIVAL_SHIFT) - 1);
        unsigned arrival = (uint32_t)item >> ARRIVAL_SHIFT;
        cairn_cost cost = (cairn_cost)(item >> 32);
        if (cost != cost_at(self->costs, node, bits))
            continue;
        if (CN_UNLIKELY(cost > limit))
            return CAIRN_E_LIMIT;
        if (CN_UNLIKELY(!reserve(&self->straight, &self->map->mem, CN_STRAIGHT) ||
                        !reserve(&self->diagonal, &self->map->mem, CN_STRAIGHT)))
            return CAIRN_E_MEMORY;

        unsigned steps = grid->canonical[arrival][grid->around[node]];
        for (; steps; steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            cairn_node next = node + (cairn_node)grid->offset[direction];
            if (direction < CN_STRAIGHT)
                relax(self, &self->straight, next, cost + metric.straight, direction, bits);
            else
                relax(self, &self->diagonal, next, cost + metric.diagonal, direction, bits);
        }
    }
    return CAIRN_OK;
}

/* Whether a cell was left out because its cost does not fit 16 bits: it lies beside one that was
 * reached. A missed step proves nothing by itself, since another may have led there cheaper. */
static bool left_out(const state *self)
{
    const cn_grid *grid = &self->map->grid;
    const uint16_t *costs = self->costs;
    uint32_t node_count = cn_map_node_count(self->map);

    for (cairn_node node = 0; node < node_count; node++) {
        unsigned steps = costs[node] == UINT16_MAX ? 0 : grid->moves[grid->around[node]];
        for (; steps; steps &= steps - 1) {
            if (costs[node + (cairn_node)grid->offset[cn_lowest_bit(steps)]] == UINT16_MAX)
                return true;
        }
    }
    return false;
}

static CN_NOINLINE cairn_status spread_16(state *self)
{
    return spread(self, 16);
}

static CN_NOINLINE cairn_status spread_32(state *self)
{
    return spread(self, 32);
}

static cairn_status run(void *state_, const cairn_node *sources, size_t source_count,
                        cn_plane *plane)
{
    state *self = state_;
    cairn_status status = start(self, sources, source_count);
    if (status == CAIRN_OK)
        status = self->bits == 16 ? spread_16(self) : spread_32(self);
    if (status == CAIRN_OK && self->missed && left_out(self))
        status = CAIRN_E_LIMIT;
    *plane = (cn_plane){.costs = self->costs,
                        .bits = self->bits,
                        .lane_shift = 31,
                        .band = self->map->grid.width,
                        .columns = 1};
    return status;
}

static void close(void *state_)
{
    state *self = state_;
    const cn_mem *mem = &self->map->mem;
    cn_release(mem, self->straight.entries);
    cn_release(mem, self->diagonal.entries);
    cn_release(mem, self->costs);
    cn_release(mem, self);
}

static cairn_status open(const cairn_map *map, unsigned bits, void **state_)
{
    state *self = cn_zeroed(&map->mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;
    self->map = map;
    self->bits = bits;
    self->costs = cn_array(&map->mem, cn_map_node_count(map), bits / 8);
    if (!self->costs) {
        close(self);
        return CAIRN_E_MEMORY;
    }
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_queue = {
    .name = "queue", .open = open, .run = run, .close = close,
};
