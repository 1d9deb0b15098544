/*
 * Flow fields: from the costs to the nearest target, the first step of a shortest path. Among the
 * steps from a node to a neighbour whose cost is lower by exactly the cost of the step, that with
 * the lowest number is taken. Costs of steps are above zero, so following the field always ends at
 * a target.
 */
#include <string.h>

#include "flood/costs.h"
#include "grid/step_bits.h"

/* ------------------------------------------------------------------------------------ grids -- */

enum { CHUNK = 64 }; /* cells side by side: one word of openness */

/* Costs around some neighbouring cells of a row. */
typedef struct cn_flow_chunk {
    const void *costs;             /* of the first cell; rows above and below lie beside it */
    const int32_t *offset;         /* by direction */
    uint64_t steps[CN_DIRECTIONS]; /* the cells that have a step there, whatever costs are */
    cairn_cost step[2];            /* on even maps: straight, diagonal */
    /* On others, what lies as `costs` do: */
    const void *cells[2]; /* what a straight and a diagonal step costs by the cell that it enters */
    bool pays_left;       /* and as much by the cell that it leaves */
    const void *rising;   /* heights times the cost of a unit up; NULL: the map is level */
    const void *falling;  /* and down */
} cn_flow_chunk;

/* For every cell the lowest direction of those in which it has a step and the cost falls, as bits
 * of that number, and the cells that have none. */
typedef struct cn_flow_bits {
    uint64_t number[3];
    uint64_t none;
} cn_flow_bits;

#define TEMPLATE "flood/flow_kernel.h"
#include "simd/instances.h"

typedef void follow_function(const cn_flow_chunk *chunk, uint8_t flow[CHUNK]);

static follow_function *choose_follow(unsigned bits, bool is_even)
{
    static follow_function *const even[CN_CPU_LEVELS][2] = CN_INSTANCES(follow);
    static follow_function *const uneven[CN_CPU_LEVELS][2] = CN_INSTANCES(follow_uneven);
    return (is_even ? even : uneven)[cn_cpu_level()][bits == 32];
}

/* What there is of each cell. */
enum { COSTS, STRAIGHT, SLANTING, RISING, FALLING, LAYERS_MAX };

/* A band of rows. Two rows above it and one below are kept as well, so that the neighbours of each
 * chunk of its cells can be read. */
typedef struct field {
    const cairn_map *map;
    const cn_grid *grid;              /* of the map */
    uint8_t *flow;                    /* [node] */
    uint8_t *layers[LAYERS_MAX];      /* the entries of its first row */
    unsigned layer_count;             /* even maps: costs alone; heights: all */
    size_t stride;                    /* entries from row to row of it */
    uint32_t y;                       /* of its first row */
    int32_t offset[2][CN_DIRECTIONS]; /* in the band, for even and for odd rows */
    follow_function *follow;
    unsigned bits; /* of entries */
} field;

enum { ROWS_ABOVE = 2, ROWS_BELOW = 1 };

/* Steps between a row and the one above or below it, and the numbers of their directions. On
 * hexagons the cell in the same column lies to one side. */
CN_ALWAYS_INLINE void take_slanting(const cn_grid *grid, uint32_t y, const uint64_t *open,
                                    const uint64_t *beside, uint64_t *straight, uint64_t *east,
                                    uint64_t *west)
{
    const cairn_rule rule = grid->rules.rule;
    const cn_step_bits steps = cn_steps_between(rule, y & 1, cn_row_bits_at(open),
                                                cn_row_bits_at(beside));
    const bool is_hex = rule == CAIRN_RULE_HEX;
    *straight = is_hex ? 0 : steps.straight;
    *east = steps.east | (is_hex && !(y & 1) ? steps.straight : 0);
    *west = steps.west | (is_hex && y & 1 ? steps.straight : 0);
}

/* By direction, the cells of a word of row y that have a step there. */
static void list_steps(const cn_grid *grid, uint32_t y, const uint64_t *open,
                       uint64_t steps[CN_DIRECTIONS])
{
    const cn_row_bits row = cn_row_bits_at(open);
    steps[CN_E] = row.here & row.behind;
    steps[CN_W] = row.here & row.before;
    take_slanting(grid, y, open, open + grid->open_stride, &steps[CN_S], &steps[CN_SE],
                  &steps[CN_SW]);
    take_slanting(grid, y, open, open - grid->open_stride, &steps[CN_N], &steps[CN_NE],
                  &steps[CN_NW]);
}

/* Of these steps from the cells of a word, those that one-way cells allow. */
static void keep_exits(const cn_grid *grid, cairn_node first, uint64_t open,
                       uint64_t steps[CN_DIRECTIONS])
{
    for (; open; open &= open - 1) {
        const unsigned at = cn_lowest_bit(open);
        const unsigned exits = grid->exits[grid->letters[first + at]];
        for (unsigned left = ~exits & 0xff; left; left &= left - 1)
            steps[cn_lowest_bit(left)] &= ~(UINT64_C(1) << at);
    }
}

/* The entries of a cell in the band, or in one of the rows above it. */
static uint8_t *entries_at(const field *self, unsigned layer, uint32_t y, uint32_t x)
{
    const ptrdiff_t row = (ptrdiff_t)y - (ptrdiff_t)self->y, stride = (ptrdiff_t)self->stride;
    return self->layers[layer] + (row * stride + (ptrdiff_t)x) * (ptrdiff_t)(self->bits / 8);
}

static cn_flow_chunk chunk_of(const field *self, uint32_t y, uint32_t x)
{
    const cairn_map *map = self->map;
    cn_flow_chunk chunk = {.costs = entries_at(self, COSTS, y, x),
                           .offset = self->offset[y & 1],
                           .step = {map->step[0], map->step[1]},
                           .pays_left = map->grid.rules.charge == CAIRN_CHARGE_AVERAGE};
    if (self->layer_count > STRAIGHT) {
        chunk.cells[0] = entries_at(self, STRAIGHT, y, x);
        chunk.cells[1] = entries_at(self, SLANTING, y, x);
    }
    if (self->layer_count > RISING) {
        chunk.rising = entries_at(self, RISING, y, x);
        chunk.falling = entries_at(self, FALLING, y, x);
    }
    return chunk;
}

static void follow_chunk(const field *self, uint32_t y, uint32_t x, uint32_t count)
{
    const cn_grid *grid = self->grid;
    const uint64_t *open = cn_grid_open_row(grid, y) + x / CHUNK;
    const cairn_node node = y * grid->width + x;
    cn_flow_chunk chunk = chunk_of(self, y, x);
    uint8_t flow[CHUNK];
    list_steps(grid, y, open, chunk.steps);
    if (grid->has_one_way)
        keep_exits(grid, node, *open, chunk.steps);
    if (count == CHUNK) {
        self->follow(&chunk, self->flow + node);
        return;
    }
    self->follow(&chunk, flow);
    memcpy(self->flow + node, flow, count);
}

static void follow_row(const field *self, uint32_t y)
{
    const cn_grid *grid = self->grid;
    const uint64_t *open = cn_grid_open_row(grid, y);
    for (uint32_t x = 0; x < grid->width; x += CHUNK) {
        const uint32_t left = grid->width - x, count = left < CHUNK ? left : CHUNK;
        if (open[x / CHUNK])
            follow_chunk(self, y, x, count);
        else
            memset(self->flow + y * grid->width + x, CAIRN_FLOW_NONE, count);
    }
}

/* Rows of an odd number of lines of the cache, so that rows one above the other lie in different
 * places of it. */
static size_t stride_of(const cn_grid *grid)
{
    enum { LINE = CN_CACHE_LINE / sizeof(uint16_t) };
    return ((grid->width / LINE + 1) | 1) * LINE;
}

static size_t layer_entries(const cn_grid *grid)
{
    return (ROWS_ABOVE + CN_FLOOD_BAND + ROWS_BELOW) * stride_of(grid) + 2 * CHUNK;
}

/* Memory for entries of 32 bits or 16. */
static bool take_layers(field *self, cairn_flood *flood)
{
    const size_t count = layer_entries(self->grid);
    if (!flood->band)
        flood->band = cn_zeroed(&flood->mem, self->layer_count * count, sizeof(uint32_t));
    for (unsigned layer = 0; flood->band && layer < self->layer_count; layer++)
        self->layers[layer] = (uint8_t *)flood->band +
                              (layer * count + CHUNK + ROWS_ABOVE * self->stride) *
                                  (self->bits / 8);
    return flood->band;
}

/* Where neighbours lie in the band, given where they lie on the map. */
static void place_neighbours(field *self)
{
    const cn_grid *grid = self->grid;
    const int32_t further = (int32_t)self->stride - (int32_t)grid->width;
    for (uint32_t odd = 0; odd < 2; odd++) {
        const int32_t *offset = cn_grid_offsets(grid, odd * grid->width);
        for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
            self->offset[odd][direction] = offset[direction] + cn_step_y[direction] * further;
    }
}

/* Fills a row of the band with what its cells cost by their letters and, if there are heights, with
 * what these cost up and down. `bits` is a constant. */
CN_ALWAYS_INLINE void fill_ground(const field *self, uint32_t y, unsigned bits)
{
    const cairn_map *map = self->map;
    const cn_heights *heights = &self->grid->heights;
    const size_t first = (size_t)y * self->grid->width;
    const uint8_t *letters = self->grid->letters + first;
    uint8_t *rows[LAYERS_MAX];

    for (unsigned layer = 0; layer < self->layer_count; layer++)
        rows[layer] = entries_at(self, layer, y, 0);
    for (uint32_t x = 0; x < self->grid->width; x++) {
        const uint32_t factor = self->grid->rules.factor[letters[x]];
        cn_entry_put(rows[STRAIGHT], x, bits, factor * map->step[0]);
        cn_entry_put(rows[SLANTING], x, bits, factor * map->step[1]);
    }
    for (uint32_t x = 0; heights->cells && x < self->grid->width; x++) {
        const uint32_t above = heights->cells[first + x] - heights->lowest;
        cn_entry_put(rows[RISING], x, bits, above * map->slope[0]);
        cn_entry_put(rows[FALLING], x, bits, above * map->slope[1]);
    }
}

/* Brings rows of the map into the band. */
static void fill_band(const field *self, const cn_plane *plane, cairn_cost *costs)
{
    const cn_grid *grid = self->grid;
    const uint32_t end = self->y + cn_flood_band_rows(grid, self->y);
    const cn_costs_copy copy = {grid, plane, NULL, self->stride, self->bits},
                        whole = {grid, plane, NULL, grid->width, plane->bits};
    cn_flood_copy_band(&copy, self->y, self->layers[COSTS]);
    if (costs)
        cn_flood_copy_band(&whole, self->y, costs + (size_t)self->y * grid->width);
    for (uint32_t y = self->y; self->layer_count > STRAIGHT && y < end; y++) {
        if (self->bits == 16)
            fill_ground(self, y, 16);
        else
            fill_ground(self, y, 32);
    }
}

/* The rows whose neighbours are all there: from the last one before the band up to the last one but
 * one of it, or the last one of the map. */
static void follow_band(const field *self)
{
    const uint32_t end = self->y + cn_flood_band_rows(self->grid, self->y);
    const uint32_t height = self->grid->height;
    for (uint32_t y = self->y - (self->y > 0); y < end - (end < height); y++)
        follow_row(self, y);
}

/* Makes the last rows of the band those above it. */
static void keep_last_rows(const field *self)
{
    const size_t size = ROWS_ABOVE * self->stride * (self->bits / 8);
    for (unsigned layer = 0; layer < self->layer_count; layer++)
        memcpy(self->layers[layer] - size,
               entries_at(self, layer, self->y + CN_FLOOD_BAND - ROWS_ABOVE, 0), size);
}

/* Differences of at most a step follow from the lower bits, if each step has a reverse. Where a
 * flood ends early, neighbours of what it reached have no cost, and all bits count. */
static unsigned bits_that_tell(const cairn_flood *flood)
{
    const bool is_whole = flood->most == CAIRN_UNREACHABLE && !flood->until_count;
    return is_whole && cn_map_leads_back(flood->map) && cn_map_dearest(flood->map) <= INT16_MAX
               ? 16
               : 32;
}

/* Band after band, while each is in the cache. */
static cairn_status follow_cells(cairn_flood *flood, const cn_plane *plane, cairn_cost *costs,
                                 uint8_t *flow)
{
    const cairn_map *map = flood->map;
    const cn_grid *grid = &map->grid;
    const bool is_even = cn_map_is_even(map);
    const unsigned bits = bits_that_tell(flood);
    field self = {.map = map,
                  .grid = grid,
                  .flow = flow,
                  .layer_count = is_even               ? STRAIGHT
                                 : grid->heights.cells ? LAYERS_MAX
                                                       : RISING,
                  .stride = stride_of(grid),
                  .follow = choose_follow(bits, is_even),
                  .bits = bits};
    if (!take_layers(&self, flood))
        return CAIRN_E_MEMORY;
    place_neighbours(&self);
    for (; self.y < grid->height; self.y += CN_FLOOD_BAND) {
        fill_band(&self, plane, costs);
        follow_band(&self);
        keep_last_rows(&self);
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------- graphs -- */

uint8_t cn_flow_first_step(const cairn_map *map, const cairn_cost *costs, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(map, node, CN_FORWARD, scratch);
    unsigned steps = map->graph ? 0 : cn_grid_steps(&map->grid, node);

    for (size_t i = 0; i < span.count; i++, steps &= steps - 1) {
        const cn_arc *arc = &span.arcs[i];
        if (costs[arc->to] != CAIRN_UNREACHABLE && costs[arc->to] + arc->cost == costs[node])
            return (uint8_t)(map->graph ? i : cn_lowest_bit(steps));
    }
    return CAIRN_FLOW_NONE;
}

static void follow_nodes(const cairn_map *map, const cairn_cost *costs, uint8_t *flow)
{
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        flow[node] = costs[node] == CAIRN_UNREACHABLE ? CAIRN_FLOW_NONE
                                                      : cn_flow_first_step(map, costs, node);
}

static cairn_status follow_arcs(cairn_flood *flood, const cn_plane *plane, cairn_cost *costs,
                                uint8_t *flow)
{
    const cairn_map *map = flood->map;
    if (!costs && !flood->costs)
        flood->costs = cn_array(&flood->mem, cairn_map_node_count(map), sizeof *costs);
    if (!costs)
        costs = flood->costs;
    if (!costs)
        return CAIRN_E_MEMORY;
    const cn_costs_copy copy = {&map->grid, plane, NULL, map->grid.width, plane->bits};
    for (uint32_t y = 0; y < map->grid.height; y += CN_FLOOD_BAND)
        cn_flood_copy_band(&copy, y, costs + (size_t)y * map->grid.width);
    follow_nodes(map, costs, flow);
    return CAIRN_OK;
}

/* Whether all numbers of steps are below CAIRN_FLOW_TARGET. */
static bool steps_have_numbers(const cairn_map *map)
{
    for (cairn_node node = 0; map->graph && node < cairn_map_node_count(map); node++) {
        if (cn_graph_out(map->graph, node).count > CAIRN_FLOW_TARGET)
            return false;
    }
    return true;
}

cairn_status cairn_flood_flow(cairn_flood *flood, const cairn_node *targets, size_t target_count,
                              uint8_t *flow, cairn_cost *costs)
{
    if (!flood || !flow || (!targets && target_count))
        return CAIRN_E_ARGUMENT;
    const cairn_map *map = flood->map;
    if (!steps_have_numbers(map))
        return CAIRN_E_LIMIT;
    cn_plane plane;
    cairn_status status = cn_flood_take_ends(flood, targets, target_count);
    const cn_flood_call call = {CN_REVERSE, flood->ends.items, target_count, 32};
    if (status == CAIRN_OK)
        status = cn_flood_run(flood, &call, &plane);
    cn_flood_forget(flood, costs);
    if (status == CAIRN_OK)
        status = (map->graph ? follow_arcs : follow_cells)(flood, &plane, costs, flow);
    for (size_t i = 0; i < target_count && status == CAIRN_OK; i++)
        flow[flood->ends.items[i]] = CAIRN_FLOW_TARGET;
    return status;
}

cairn_node cairn_flow_next(const cairn_map *map, const uint8_t *flow, cairn_node node)
{
    if (node >= cairn_map_node_count(map))
        return CAIRN_NO_NODE;
    const unsigned step = flow[node];
    if (map->graph) {
        cn_arc_span span = cn_graph_out(map->graph, node);
        return step < span.count ? span.arcs[step].to : CAIRN_NO_NODE;
    }
    if (step >= CN_DIRECTIONS || !(cn_grid_steps(&map->grid, node) >> step & 1))
        return CAIRN_NO_NODE;
    return node + (cairn_node)cn_grid_offsets(&map->grid, node)[step];
}
