/*
 * Label correcting in buckets as wide as the cheapest step, with canonical successors and one list
 * for each direction of arrival: so it is known which steps the cells of a list take, and the loops
 * over a list have no branch that the processor would often predict wrongly. Cells of one bucket
 * cannot improve one another, so each is final when its bucket is processed (Denardo and Fox,
 * "Shortest-route methods: 1. Reaching, pruning, and buckets", Operations Research 27, 1979).
 */
#include "base/budget.h"
#include "flood/padded_plane.h"

enum { BUCKETS = 3 };

typedef struct list {
    cn_padded_index *cells;
    size_t capacity;
    size_t count;
} list;

typedef struct state {
    cn_plane_memory plane;
    const cairn_map *map;
    unsigned bits;
    cn_padding padding;
    uint8_t *around; /* [padded index] */
    uint8_t *turns;  /* bit of a straight direction: after arriving by it there are further
                      * canonical successors; bit of a diagonal one: the step is legal */
    uint8_t turns_by_around[256];
    uint32_t base;      /* what a bucket costs at least that is next */
    unsigned bucket;    /* its lists */
    cairn_status begun; /* whether the sources have filled the first buckets */
    list lists[BUCKETS][CN_DIRECTIONS];
} state;

static cn_padded_index index_of(const state *self, cairn_node node)
{
    return cn_padding_index(&self->padding, &self->map->grid, node);
}

static bool reserve(state *self, list *some, size_t more)
{
    return CN_GROW(&self->map->mem, some->cells, &some->capacity, some->count, some->count + more);
}

/* Takes the further canonical successors of a cell, which are rare, one at a time. */
CN_ALWAYS_INLINE bool take_turns(state *self, cn_padded_index from, unsigned arrival, uint32_t cost,
                                 uint32_t far_bucket, list near[], list far[], unsigned bits)
{
    const cairn_metric metric = self->map->metric;
    unsigned steps = self->map->grid.canonical[arrival][self->around[from]] & ~(1u << arrival);
    for (; steps; steps &= steps - 1) {
        unsigned direction = cn_lowest_bit(steps);
        cn_padded_index at = from + (cn_padded_index)self->padding.offset[direction];
        uint32_t next = cost + (direction < CN_STRAIGHT ? metric.straight : metric.diagonal);
        if (next >= cn_entry_get(self->plane.costs, at, bits))
            continue;
        list *to = &(next >= far_bucket ? far : near)[direction];
        if (!reserve(self, to, 1))
            return false;
        cn_entry_put(self->plane.costs, at, bits, next);
        to->cells[to->count++] = at;
    }
    return true;
}

CN_ALWAYS_INLINE bool spread_straight(state *self, unsigned arrival, uint32_t base, list now[],
                                      list near[], list far[], unsigned bits)
{
    const uint32_t straight = self->map->metric.straight;
    const uint32_t far_bucket = base + 2 * straight;
    const cn_padded_index ahead = (cn_padded_index)self->padding.offset[arrival];
    const cn_padded_index *cells = now[arrival].cells;
    const size_t count = now[arrival].count;
    const uint8_t *turns = self->turns;
    void *costs = self->plane.costs;
    list *to = &near[arrival];

    if (count == 0)
        return true;
    if (!reserve(self, to, count + 1))
        return false;
    cn_padded_index *to_cells = to->cells;
    size_t room = count, filled = to->count;
    for (size_t i = 0; i < count; i++, room--) {
        cn_padded_index from = cells[i];
        uint32_t cost = cn_entry_get(costs, from, bits);
        bool alive = cost >= base;
        filled = cn_cost_relax(costs, from + ahead, cost + straight, alive, to_cells, filled, bits);
        if (CN_LIKELY(!(turns[from] >> arrival & alive)))
            continue;
        to->count = filled;
        if (!take_turns(self, from, arrival, cost, far_bucket, near, far, bits) ||
            !reserve(self, to, room))
            return false;
        to_cells = to->cells;
        filled = to->count;
    }
    to->count = filled;
    now[arrival].count = 0;
    return true;
}

CN_ALWAYS_INLINE bool spread_diagonal(state *self, unsigned arrival, uint32_t base, list now[],
                                      list near[], list far[], unsigned bits)
{
    const cairn_metric metric = self->map->metric;
    const uint32_t far_bucket = base + 2 * metric.straight;
    const unsigned across = cn_step_x[arrival] > 0 ? CN_E : CN_W;
    const unsigned along = cn_step_y[arrival] > 0 ? CN_S : CN_N;
    const cn_padded_index to_across = (cn_padded_index)self->padding.offset[across];
    const cn_padded_index to_along = (cn_padded_index)self->padding.offset[along];
    const cn_padded_index ahead = (cn_padded_index)self->padding.offset[arrival];
    const cn_padded_index *cells = now[arrival].cells;
    const size_t count = now[arrival].count;
    const uint8_t *turns = self->turns;
    void *costs = self->plane.costs;
    list *next[2] = {&near[arrival], &far[arrival]};

    if (count == 0)
        return true;
    if (!reserve(self, &near[across], count + 1) || !reserve(self, &near[along], count + 1) ||
        !reserve(self, next[0], count + 1) || !reserve(self, next[1], count + 1))
        return false;
    size_t filled_across = near[across].count, filled_along = near[along].count;
    size_t filled[2] = {next[0]->count, next[1]->count};
    cn_padded_index *across_cells = near[across].cells, *along_cells = near[along].cells;
    cn_padded_index *next_cells[2] = {next[0]->cells, next[1]->cells};
    for (size_t i = 0; i < count; i++) {
        cn_padded_index from = cells[i];
        uint32_t cost = cn_entry_get(costs, from, bits);
        bool alive = cost >= base;
        filled_across = cn_cost_relax(costs, from + to_across, cost + metric.straight, alive,
                                      across_cells, filled_across, bits);
        filled_along = cn_cost_relax(costs, from + to_along, cost + metric.straight, alive,
                                     along_cells, filled_along, bits);
        uint32_t reached = cost + metric.diagonal;
        unsigned later = reached >= far_bucket;
        filled[later] = cn_cost_relax(costs, from + ahead, reached,
                                      alive & (turns[from] >> arrival), next_cells[later],
                                      filled[later], bits);
    }
    near[across].count = filled_across;
    near[along].count = filled_along;
    next[0]->count = filled[0];
    next[1]->count = filled[1];
    now[arrival].count = 0;
    return true;
}

/* Notes what is in the lists of a bucket as reached. */
static void hold(state *self, const list lists[CN_DIRECTIONS])
{
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        cn_plane_hold(&self->plane, lists[direction].cells, lists[direction].count);
}

static void hold_waiting(state *self)
{
    for (unsigned i = 0; i < BUCKETS; i++)
        hold(self, self->lists[i]);
}

static size_t count_in(const list lists[CN_DIRECTIONS])
{
    size_t count = 0;
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        count += lists[direction].count;
    return count;
}

static bool is_empty(const state *self)
{
    size_t count = 0;
    for (unsigned bucket = 0; bucket < BUCKETS; bucket++)
        count += count_in(self->lists[bucket]);
    return count == 0;
}

/* Takes the steps from the cells of the next bucket. */
CN_ALWAYS_INLINE bool spread_bucket(state *self, unsigned bits)
{
    list *now = self->lists[self->bucket];
    list *near = self->lists[(self->bucket + 1) % BUCKETS];
    list *far = self->lists[(self->bucket + 2) % BUCKETS];

    hold(self, now);
    for (unsigned arrival = CN_STRAIGHT; arrival < CN_DIRECTIONS; arrival++) {
        if (!spread_diagonal(self, arrival, self->base, now, near, far, bits))
            return false;
    }
    for (unsigned arrival = 0; arrival < CN_STRAIGHT; arrival++) {
        if (!spread_straight(self, arrival, self->base, now, near, far, bits))
            return false;
    }
    self->bucket = (self->bucket + 1) % BUCKETS;
    self->base += self->map->metric.straight;
    return true;
}

CN_ALWAYS_INLINE cairn_status spread(state *self, cn_flood_end *end, uint64_t *cells, unsigned bits)
{
    while (!is_empty(self) && !cn_flood_may_end(end, self->base)) {
        const size_t count = count_in(self->lists[self->bucket]) + 1;
        if (*cells == 0)
            return CAIRN_MORE;
        cn_spend(cells, count);
        if (!spread_bucket(self, bits))
            return CAIRN_E_MEMORY;
    }
    hold_waiting(self);
    return CAIRN_OK;
}

static CN_NOINLINE cairn_status spread_16(state *self, cn_flood_end *end, uint64_t *cells)
{
    return spread(self, end, cells, 16);
}

static CN_NOINLINE cairn_status spread_32(state *self, cn_flood_end *end, uint64_t *cells)
{
    return spread(self, end, cells, 32);
}

/* Sources cost 0, so that no step improves them; their steps fill the first buckets. */
static cairn_status start(state *self, const cairn_node *sources, size_t source_count)
{
    self->base = self->map->metric.straight;
    self->bucket = 1;
    cn_padding_clear(&self->padding, &self->plane);
    for (unsigned i = 0; i < BUCKETS * CN_DIRECTIONS; i++)
        self->lists[i / CN_DIRECTIONS][i % CN_DIRECTIONS].count = 0;
    for (size_t i = 0; i < source_count; i++) {
        cn_entry_put(self->plane.costs, index_of(self, sources[i]), self->bits, 0);
        cn_plane_hold_one(&self->plane, index_of(self, sources[i]));
    }
    for (size_t i = 0; i < source_count; i++) {
        if (!take_turns(self, index_of(self, sources[i]), CN_NOWHERE, 0,
                        2 * self->map->metric.straight, self->lists[1], self->lists[2], self->bits))
            return CAIRN_E_MEMORY;
    }
    return CAIRN_OK;
}

/* Whether a step from some reached cell might exceed the limit: no cell of the last bucket costs as
 * much as the next one begins at. */
static bool comes_near_limit(const state *self)
{
    return (uint64_t)self->base + self->map->metric.diagonal >= cn_padding_infinite(self->bits);
}

static void begin_lists(void *state_, const cn_flood_task *task)
{
    state *self = state_;
    hold_waiting(self); /* of a run that paused */
    self->begun = start(self, task->sources, task->source_count);
}

static cairn_status resume_lists(void *state_, const cn_flood_task *task, uint64_t *cells,
                                 cn_plane *plane)
{
    state *self = state_;
    *plane = cn_padding_plane(&self->padding, self->plane.costs);
    cn_flood_end end = cn_flood_end_of(task, self->map, plane);
    cairn_status status = self->begun;
    if (status == CAIRN_OK)
        status = (self->bits == 16 ? spread_16 : spread_32)(self, &end, cells);
    cn_plane_take_list(plane, &self->plane);
    plane->may_be_cut = comes_near_limit(self);
    return status;
}

static cairn_status run_lists(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    uint64_t cells = UINT64_MAX;
    begin_lists(state_, task);
    return resume_lists(state_, task, &cells, plane);
}

static void close_lists(void *state_, const cn_mem *mem)
{
    state *self = state_;
    for (unsigned i = 0; i < BUCKETS * CN_DIRECTIONS; i++)
        cn_release(mem, self->lists[i / CN_DIRECTIONS][i % CN_DIRECTIONS].cells);
    cn_padding_free(&self->padding, mem);
    cn_release(mem, self->around);
    cn_release(mem, self->turns);
    cn_plane_memory_free(mem, &self->plane);
    cn_release(mem, self);
}

static uint8_t turns_of(const cn_grid *grid, uint8_t around)
{
    unsigned turns = grid->moves[around] & ~((1u << CN_STRAIGHT) - 1);
    for (unsigned arrival = 0; arrival < CN_STRAIGHT; arrival++) {
        if (grid->canonical[arrival][around] & ~(1u << arrival))
            turns |= 1u << arrival;
    }
    return (uint8_t)turns;
}

CN_ALWAYS_INLINE void fill_cell(state *self, cairn_node node, cn_padded_index at)
{
    const cn_grid *grid = &self->map->grid;
    self->around[at] = grid->around[node];
    self->turns[at] = self->turns_by_around[grid->around[node]];
}

static void fill_cells(state *self)
{
    const cn_grid *grid = &self->map->grid;
    cairn_node node = 0;

    for (unsigned around = 0; around < 256; around++)
        self->turns_by_around[around] = turns_of(grid, (uint8_t)around);
    for (uint32_t y = 0; y < grid->height; y++) {
        cn_padded_index at = (cn_padded_index)((y + 1) * self->padding.stride + 1);
        for (uint32_t x = 0; x < grid->width; x++, node++, at++)
            fill_cell(self, node, at);
    }
}

static bool update_lists(void *state_, const cairn_map *map, const cairn_node *cells,
                         size_t cell_count)
{
    state *self = state_;
    cairn_node around[CN_DIRECTIONS];

    self->map = map;
    for (size_t i = 0; i < cell_count; i++) {
        unsigned count = cn_grid_neighbours(&map->grid, cells[i], around);
        cn_padding_read(&self->padding, &map->grid, cells[i], &self->plane);
        fill_cell(self, cells[i], index_of(self, cells[i]));
        for (unsigned k = 0; k < count; k++)
            fill_cell(self, around[k], index_of(self, around[k]));
    }
    return true;
}

static cairn_status open_lists(const cairn_map *map, unsigned bits, void **state_)
{
    const cn_mem *mem = &map->mem;
    if (!cn_map_is_classic(map))
        return CAIRN_E_ARGUMENT;
    state *self = cn_zeroed(mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;

    self->map = map;
    self->bits = bits;
    cairn_status status = cn_padding_init(&self->padding, map, bits, &self->plane);
    self->around = cn_zeroed(mem, self->padding.cell_count, 1);
    self->turns = cn_zeroed(mem, self->padding.cell_count, 1);
    if (status != CAIRN_OK || !self->around || !self->turns) {
        close_lists(self, mem);
        return CAIRN_E_MEMORY;
    }
    fill_cells(self);
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_lists = {
    .name = "lists",
    .open = open_lists,
    .run = run_lists,
    .begin = begin_lists,
    .resume = resume_lists,
    .update = update_lists,
    .close = close_lists,
};
