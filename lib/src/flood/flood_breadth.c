/*
 * Breadth-first search (Moore, "The shortest path through a maze", 1959), for maps on which all
 * steps cost the same: the first path to reach a node is a shortest one, so a queue is enough.
 *
 * On grids where a step depends only on the cell it leads to, cells are visited level by level
 * without a branch that depends on the map. On hexagons, cells of even and of odd rows are kept in
 * separate lists, because their steps lead to different columns. Graphs have one queue, so that the
 * arcs of later nodes can be prefetched.
 */
#include "flood/padded_plane.h"

enum { LISTS = 2, NODES_AHEAD = 32, ARCS_AHEAD = 16 };

typedef struct list {
    uint32_t *items; /* indices of cells in the padded plane, or nodes */
    size_t count;
} list;

typedef struct state {
    cn_plane_memory plane;
    const cairn_map *map;
    unsigned bits;
    cairn_cost step;    /* what each costs */
    cn_padding padding; /* for a grid */
    list now[LISTS];    /* on hexagons by parity of the row, else only the first; for a graph the
                         * queue */
    list next[LISTS];
    uint64_t last; /* no cell that was reached costs more */
} state;

bool cn_flood_breadth_serves(const cairn_map *map)
{
    const cairn_rule rule = map->grid.rules.rule;
    return cn_map_cheapest(map) == cn_map_dearest(map) &&
           (map->graph ||
            (cn_map_is_even(map) &&
             (rule == CAIRN_RULE_4 || rule == CAIRN_RULE_8_ANY || rule == CAIRN_RULE_HEX)));
}

/* What all steps of a map cost. Edits widen the range of a graph's costs for good: where others
 * have undone them, a state that was made before still serves. */
static cairn_cost step_of(const cairn_map *map)
{
    return map->graph ? map->graph->most : map->step[0];
}

/* Takes the steps from the cells of one list to cells at `cost`. Slanting steps of hexagons lead to
 * rows of the other parity. `bits` and `rule` are constants where this is inlined. */
CN_ALWAYS_INLINE void leave(state *self, unsigned parity, uint32_t cost, unsigned bits,
                            cairn_rule rule)
{
    const unsigned across = rule == CAIRN_RULE_HEX ? !parity : parity;
    const int32_t *offset = parity ? self->padding.offset_odd : self->padding.offset;
    const cn_padded_index south = (cn_padded_index)offset[CN_S],
                          southeast = (cn_padded_index)offset[CN_SE],
                          southwest = (cn_padded_index)offset[CN_SW],
                          northeast = (cn_padded_index)offset[CN_NE],
                          northwest = (cn_padded_index)offset[CN_NW];
    const cn_padded_index *cells = self->now[parity].items;
    cn_padded_index *to = self->next[parity].items, *to_across = self->next[across].items;
    size_t filled[LISTS] = {self->next[0].count, self->next[1].count};
    void *costs = self->plane.costs;

    for (size_t i = 0; i < self->now[parity].count; i++) {
        const cn_padded_index at = cells[i];
#define STEP(to, list, index) \
  filled[list] = cn_cost_relax(costs, index, cost, true, to, filled[list], bits)
        STEP(to, parity, at + 1);
        STEP(to, parity, at - 1);
        if (rule != CAIRN_RULE_HEX) {
            STEP(to, parity, at + south);
            STEP(to, parity, at - south);
        }
        if (rule != CAIRN_RULE_4) {
            STEP(to_across, across, at + southeast);
            STEP(to_across, across, at + southwest);
            STEP(to_across, across, at + northeast);
            STEP(to_across, across, at + northwest);
        }
#undef STEP
    }
    self->next[0].count = filled[0];
    self->next[1].count = filled[1];
}

/* Exchanges the lists of two levels; false when the new one is empty. All that a flood reaches is
 * in some list here. */
static bool go_on(state *self)
{
    for (unsigned parity = 0; parity < LISTS; parity++) {
        list done = self->now[parity];
        self->now[parity] = self->next[parity];
        self->next[parity] = (list){done.items, 0};
        cn_plane_hold(&self->plane, self->now[parity].items, self->now[parity].count);
    }
    return self->now[0].count + self->now[1].count > 0;
}

CN_ALWAYS_INLINE void spread_cells(state *self, cn_flood_end *end, unsigned bits, cairn_rule rule)
{
    const uint32_t step = self->step;
    uint32_t cost = 0;

    while (go_on(self) && !cn_flood_may_end(end, (uint64_t)cost + 1)) {
        cost += step;
        leave(self, 0, cost, bits, rule);
        if (rule == CAIRN_RULE_HEX)
            leave(self, 1, cost, bits, rule);
    }
    self->last = cost;
}

CN_ALWAYS_INLINE void spread_graph(state *self, cn_flood_end *end, unsigned bits, cn_way way)
{
    const cn_graph *graph = self->map->graph;
    const uint32_t *start = way == CN_FORWARD ? graph->out_start : graph->in_start;
    const cn_arc *arcs = way == CN_FORWARD ? graph->out : graph->in;
    const uint32_t step = self->step;
    cairn_node *queue = self->next[0].items;
    size_t filled = self->next[0].count;
    void *costs = self->plane.costs;
    uint32_t level = 0;

    for (size_t head = 0; head < filled; head++) {
        if (head + NODES_AHEAD < filled)
            CN_PREFETCH(&start[queue[head + NODES_AHEAD]]);
        if (head + ARCS_AHEAD < filled)
            cn_graph_fetch(start, arcs, queue[head + ARCS_AHEAD]);
        const cairn_node node = queue[head];
        const uint32_t cost = cn_entry_get(costs, node, bits) + step;
        if (cost != level && cn_flood_may_end(end, (uint64_t)cost - step + 1))
            break;
        level = cost;
        for (uint32_t i = start[node]; i < start[node + 1]; i++)
            filled = cn_cost_relax(costs, arcs[i].to, cost, true, queue, filled, bits);
    }
    self->last = filled ? cn_entry_get(costs, queue[filled - 1], bits) + (uint64_t)step : 0;
    cn_plane_hold(&self->plane, queue, filled);
}

#define DEFINE_SPREAD(name, how, bits, kind)                   \
  static CN_NOINLINE void name(state *self, cn_flood_end *end) \
  {                                                            \
    how(self, end, bits, kind);                                \
  }

DEFINE_SPREAD(four_16, spread_cells, 16, CAIRN_RULE_4)
DEFINE_SPREAD(four_32, spread_cells, 32, CAIRN_RULE_4)
DEFINE_SPREAD(eight_16, spread_cells, 16, CAIRN_RULE_8_ANY)
DEFINE_SPREAD(eight_32, spread_cells, 32, CAIRN_RULE_8_ANY)
DEFINE_SPREAD(hex_16, spread_cells, 16, CAIRN_RULE_HEX)
DEFINE_SPREAD(hex_32, spread_cells, 32, CAIRN_RULE_HEX)
DEFINE_SPREAD(graph_16, spread_graph, 16, CN_FORWARD)
DEFINE_SPREAD(graph_32, spread_graph, 32, CN_FORWARD)
DEFINE_SPREAD(graph_back_16, spread_graph, 16, CN_REVERSE)
DEFINE_SPREAD(graph_back_32, spread_graph, 32, CN_REVERSE)

static void spread(state *self, cn_way way, cn_flood_end *end)
{
    static void (*const all[5][2])(state *, cn_flood_end *) = {
        {four_16, four_32},   {eight_16, eight_32},           {hex_16, hex_32},
        {graph_16, graph_32}, {graph_back_16, graph_back_32},
    };
    const cairn_rule rule = self->map->grid.rules.rule;
    unsigned kind = self->map->graph           ? 3 + (way == CN_REVERSE)
                    : rule == CAIRN_RULE_4     ? 0
                    : rule == CAIRN_RULE_8_ANY ? 1
                                               : 2;
    all[kind][self->bits == 32](self, end);
}

/* Puts the sources on the first level; some may be there twice. */
static void start(state *self, const cairn_node *sources, size_t source_count)
{
    const cn_grid *grid = &self->map->grid;
    if (self->map->graph)
        cn_plane_clear_rows(&self->plane, self->bits, cn_padding_infinite(self->bits));
    else
        cn_padding_clear(&self->padding, &self->plane);
    self->next[0].count = self->next[1].count = 0;
    for (size_t i = 0; i < source_count; i++) {
        uint32_t x, y, at = sources[i];
        cn_grid_xy(grid, sources[i], &x, &y);
        list *to = &self->next[grid->rules.rule == CAIRN_RULE_HEX ? y % 2 : 0];
        if (!self->map->graph)
            at = cn_padding_index(&self->padding, grid, sources[i]);
        to->count = cn_cost_relax(self->plane.costs, at, 0, true, to->items, to->count, self->bits);
    }
}

static cairn_status run_breadth(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    state *self = state_;
    start(self, task->sources, task->source_count);
    *plane = self->map->graph
                 ? cn_plane_of_rows(self->plane.costs, self->bits, self->map->grid.width)
                 : cn_padding_plane(&self->padding, self->plane.costs);
    cn_flood_end end = cn_flood_end_of(task, self->map, plane);
    spread(self, task->way, &end);
    cn_plane_take_list(plane, &self->plane);
    plane->may_be_cut = self->last >= cn_padding_infinite(self->bits);
    return CAIRN_OK;
}

static bool update_breadth(void *state_, const cairn_map *map, const cairn_node *cells,
                           size_t cell_count)
{
    state *self = state_;
    self->map = map;
    self->step = step_of(map);
    for (size_t i = 0; i < cell_count && !map->graph; i++)
        cn_padding_read(&self->padding, &map->grid, cells[i], &self->plane);
    return cn_flood_breadth_serves(map);
}

static void close_breadth(void *state_, const cn_mem *mem)
{
    state *self = state_;
    for (unsigned i = 0; i < LISTS; i++) {
        cn_release(mem, self->now[i].items);
        cn_release(mem, self->next[i].items);
    }
    cn_padding_free(&self->padding, mem);
    cn_plane_memory_free(mem, &self->plane);
    cn_release(mem, self);
}

/* Room for all cells that may open, and for one that is written and then not kept. */
static bool take_lists(state *self)
{
    const cairn_map *map = self->map;
    const bool is_grid = !map->graph, is_hex = map->grid.rules.rule == CAIRN_RULE_HEX;
    for (unsigned i = 0; i < (is_grid && is_hex ? 2 : 1); i++) {
        const size_t room = (size_t)cn_map_node_count(map) + 1;
        self->next[i].items = cn_array(&map->mem, room, sizeof(uint32_t));
        self->now[i].items = is_grid ? cn_array(&map->mem, room, sizeof(uint32_t)) : NULL;
        if (!self->next[i].items || (is_grid && !self->now[i].items))
            return false;
    }
    return true;
}

/* CAIRN_E_ARGUMENT for a map on which it does not work. */
static cairn_status open_breadth(const cairn_map *map, unsigned bits, void **state_)
{
    const cn_mem *mem = &map->mem;
    if (!cn_flood_breadth_serves(map))
        return CAIRN_E_ARGUMENT;
    state *self = cn_zeroed(mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;

    self->map = map;
    self->bits = bits;
    self->step = step_of(map);
    cairn_status status =
        map->graph
            ? cn_plane_memory_new(map, (size_t)cn_map_node_count(map) * (bits / 8), 0, &self->plane)
            : cn_padding_init(&self->padding, map, bits, &self->plane);
    if (status == CAIRN_OK && !take_lists(self))
        status = CAIRN_E_MEMORY;
    if (status != CAIRN_OK) {
        close_breadth(self, mem);
        return status;
    }
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_breadth = {
    .name = "breadth",
    .open = open_breadth,
    .run = run_breadth,
    .update = update_breadth,
    .close = close_breadth,
};
