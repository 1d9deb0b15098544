#include "flood/flood_tiles.h"

#include <string.h>

#include "base/budget.h"
#include "grid/step_bits.h"

typedef struct state {
    cn_tiles tiles;
    const cn_tile_kernel *kernel;
    cairn_cost step[2]; /* by which the costs of cells were filled */
    cairn_cost slope[2];
} state;

static const cn_tile_kernel *kernel_for(unsigned bits)
{
    const size_t width = bits == 16 ? 0 : 1;
    cn_cpu level = cn_cpu_level();
    while (level > CN_CPU_PORTABLE && !cn_tile_kernels[level][width].spread)
        level--;
    return &cn_tile_kernels[level][width];
}

bool cn_flood_tiles_exist(unsigned bits)
{
    return kernel_for(bits)->spread != NULL;
}

/* The open cells in one row of a tile. */
static uint32_t open_lanes(const cn_grid *grid, uint32_t x, uint32_t y, unsigned lane_count)
{
    if (y >= grid->height)
        return 0;
    uint64_t open = cn_grid_open_from(grid, x, y);
    return (uint32_t)(open & ((UINT64_C(1) << lane_count) - 1));
}

/* The masks of row y, given the open lanes of that row and of the row above. */
static cn_tile_row row_of(const cn_grid *grid, uint32_t y, uint32_t open, uint32_t above)
{
    const uint64_t into = open, from = above;
    cn_step_bits steps = cn_steps_between(grid->rules.rule, y & 1,
                                          (cn_row_bits){into, into << 1, into >> 1},
                                          (cn_row_bits){from, from << 1, from >> 1});
    return (cn_tile_row){open, (uint32_t)steps.west, (uint32_t)steps.east};
}

static void fill_rows(cn_tiles *tiles)
{
    const cn_grid *grid = &tiles->map->grid;
    const unsigned lanes = 1u << tiles->lane_shift;

    for (uint32_t tile = 0; tile < tiles->tile_count; tile++) {
        uint32_t x = tile % tiles->columns * lanes;
        uint32_t y = tile / tiles->columns * CN_TILE_ROWS;
        uint32_t above = y > 0 ? open_lanes(grid, x, y - 1, lanes) : 0;
        cn_tile_row *rows = tiles->rows + (size_t)tile * CN_TILE_ROWS;
        for (unsigned row = 0; row < CN_TILE_ROWS; row++) {
            uint32_t open = open_lanes(grid, x, y + row, lanes);
            rows[row] = row_of(grid, y + row, open, above);
            above = open;
        }
    }
}

/* One lane of all rows of a tile, and of the rows above and below it in the bits next to them. */
static uint64_t column_of(const cn_tiles *tiles, uint32_t tile, unsigned lane)
{
    const cn_tile_row *rows = tiles->rows + (size_t)tile * CN_TILE_ROWS;
    uint64_t column = 0;

    for (unsigned row = 0; row < CN_TILE_ROWS; row++)
        column |= (uint64_t)(rows[row].open >> lane & 1) << (row + 1);
    if (tile >= tiles->columns) {
        const cn_tile_row *above = rows - (size_t)tiles->columns * CN_TILE_ROWS;
        column |= above[CN_TILE_ROWS - 1].open >> lane & 1;
    }
    if (tile + tiles->columns < tiles->tile_count) {
        const cn_tile_row *below = rows + (size_t)tiles->columns * CN_TILE_ROWS;
        column |= (uint64_t)(below->open >> lane & 1) << (CN_TILE_ROWS + 1);
    }
    return column;
}

/* The steps from one column into the next, with rows as bits; bit 1 is an even row. */
static cn_step_bits column_steps(cairn_rule rule, uint64_t first, uint64_t second)
{
    const uint64_t even_rows = 0xaaaaaaaaaaaaaaaau;
    bool is_hex = rule == CAIRN_RULE_HEX;
    cn_step_bits steps = cn_steps_between(is_hex ? CAIRN_RULE_8_ANY : rule, false,
                                          (cn_row_bits){second, second << 1, second >> 1},
                                          (cn_row_bits){first, first << 1, first >> 1});
    if (is_hex) { /* only from shifted rows to those that are not */
        steps.west &= even_rows;
        steps.east &= even_rows;
    }
    return steps;
}

/* The steps between a tile and the next one to its right. */
static void fill_side(cn_tiles *tiles, uint32_t tile)
{
    const unsigned last = (1u << tiles->lane_shift) - 1;

    if ((tile + 1) % tiles->columns == 0)
        return;
    uint64_t first = column_of(tiles, tile, last), second = column_of(tiles, tile + 1, 0);
    cn_step_bits steps = column_steps(tiles->map->grid.rules.rule, first, second);
    cn_tile_sides *own = &tiles->sides[tile], *right = &tiles->sides[tile + 1];
    own->right = right->left = (uint32_t)((first & second) >> 1);
    own->right_down = (uint32_t)(steps.west >> 2);
    own->right_up = (uint32_t)steps.east;
    right->left_down = (uint32_t)(steps.east >> 1);
    right->left_up = (uint32_t)(steps.west >> 1);
}

static void fill_sides(cn_tiles *tiles)
{
    for (uint32_t tile = 0; tile + 1 < tiles->tile_count; tile++)
        fill_side(tiles, tile);
}

/* ------------------------------------------------------------------------- costs of cells -- */

/* The most that slopes can cost from one cell to another. */
static uint64_t slope_most(const cairn_map *map)
{
    const cairn_cost *slope = map->slope;
    return (uint64_t)(slope[0] > slope[1] ? slope[0] : slope[1]) * map->grid.heights.range;
}

bool cn_flood_tiles_serve(const cairn_map *map, unsigned bits)
{
    if (map->graph)
        return false;
    if (bits == 16)
        return slope_most(map) < UINT16_MAX;
    return cn_map_is_even(map) || cn_map_dearest(map) <= CN_STEP_MAX_32;
}

static void put_entry(const cn_tiles *tiles, void *entries, size_t at, uint64_t value)
{
    const uint32_t most = cn_entry_unreachable(tiles->bits);
    cn_entry_put(entries, at, tiles->bits, value < most ? (uint32_t)value : most);
}

/* The part of a row of the map that lies in a tile. */
typedef struct strip {
    size_t row;       /* that of the tile, of all rows of tiles */
    cairn_node first; /* the first cell */
    uint32_t open;    /* lanes */
    uint32_t y;
} strip;

static strip strip_of(const cn_tiles *tiles, uint32_t tile, uint32_t y)
{
    const cn_grid *grid = &tiles->map->grid;
    const uint32_t x = tile % tiles->columns << tiles->lane_shift;
    return (strip){.row = (size_t)tile * CN_TILE_ROWS + y % CN_TILE_ROWS,
                   .first = (cairn_node)((size_t)y * grid->width + x),
                   .open = open_lanes(grid, x, y, 1u << tiles->lane_shift),
                   .y = y};
}

/* Blocked cells, and lanes beyond the map, cost nothing and are as low as any cell: no step leads
 * there. */
static void fill_cell_costs(cn_tiles *tiles, const strip *part)
{
    const cn_grid *grid = &tiles->map->grid;
    const cn_heights *heights = &grid->heights;
    const unsigned lanes = 1u << tiles->lane_shift;
    const size_t at = part->row * 2 * lanes;

    for (unsigned lane = 0; lane < lanes; lane++) {
        const bool is_open = part->open >> lane & 1;
        const cairn_node cell = part->first + lane;
        const uint64_t factor = is_open ? grid->rules.factor[grid->letters[cell]] : 0;
        put_entry(tiles, tiles->cell_costs, at + lane, factor * tiles->map->step[0]);
        put_entry(tiles, tiles->cell_costs, at + lanes + lane, factor * tiles->map->step[1]);
        if (!tiles->slopes)
            continue;
        const uint64_t above = is_open ? heights->cells[cell] - heights->lowest : 0;
        put_entry(tiles, tiles->slopes, at + lane, above * tiles->map->slope[0]);
        put_entry(tiles, tiles->slopes, at + lanes + lane, above * tiles->map->slope[1]);
    }
}

static void fill_exits(cn_tiles *tiles, const strip *part)
{
    const cn_grid *grid = &tiles->map->grid;
    uint32_t *exits = tiles->exits + part->row * CN_DIRECTIONS;

    memset(exits, 0, CN_DIRECTIONS * sizeof *exits);
    for (uint32_t left = part->open; left; left &= left - 1) {
        const unsigned lane = cn_lowest_bit(left);
        const unsigned ways = grid->exits[grid->letters[part->first + lane]];
        for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
            exits[direction] |= (ways >> direction & 1) << lane;
    }
    if (grid->rules.rule == CAIRN_RULE_HEX) {
        exits[CN_S] = exits[part->y & 1 ? CN_SW : CN_SE];
        exits[CN_N] = exits[part->y & 1 ? CN_NW : CN_NE];
    }
}

static void fill_ground(cn_tiles *tiles, uint32_t tile, uint32_t y)
{
    const strip part = strip_of(tiles, tile, y);
    if (tiles->cell_costs)
        fill_cell_costs(tiles, &part);
    if (tiles->exits)
        fill_exits(tiles, &part);
}

/* Once for each metric of the map, which builds may change between runs. */
static void fill_all_ground(state *self)
{
    cn_tiles *tiles = &self->tiles;
    const cairn_map *map = tiles->map;
    if (memcmp(self->step, map->step, sizeof self->step) == 0 &&
        memcmp(self->slope, map->slope, sizeof self->slope) == 0)
        return;
    memcpy(self->step, map->step, sizeof self->step);
    memcpy(self->slope, map->slope, sizeof self->slope);
    for (uint32_t tile = 0; tile < tiles->tile_count; tile++) {
        uint32_t y = tile / tiles->columns * CN_TILE_ROWS;
        for (unsigned row = 0; row < CN_TILE_ROWS; row++)
            fill_ground(tiles, tile, y + row);
    }
}

/* ---------------------------------------------------------------------------------- edits -- */

/* Updates a row of a tile, which lies on the map, from the map's letters. */
static void read_row(cn_tiles *tiles, uint32_t tile, uint32_t y)
{
    const cn_grid *grid = &tiles->map->grid;
    const unsigned lanes = 1u << tiles->lane_shift;
    uint32_t x = tile % tiles->columns * lanes;
    uint32_t above = y > 0 ? open_lanes(grid, x, y - 1, lanes) : 0;

    tiles->rows[(size_t)tile * CN_TILE_ROWS + y % CN_TILE_ROWS] =
        row_of(grid, y, open_lanes(grid, x, y, lanes), above);
    fill_ground(tiles, tile, y);
}

/* Updates the sides whose steps may cross the first or last column of a tile in row y: those of the
 * same row of tiles, and of the one that begins or ends next to y. */
static void read_side(cn_tiles *tiles, uint32_t tile, uint32_t y)
{
    fill_side(tiles, tile);
    if (y % CN_TILE_ROWS == 0 && tile >= tiles->columns)
        fill_side(tiles, tile - tiles->columns);
    if (y % CN_TILE_ROWS == CN_TILE_ROWS - 1 && tile + tiles->columns < tiles->tile_count)
        fill_side(tiles, tile + tiles->columns);
}

static bool update_tiles(void *state_, const cairn_map *map, const cairn_node *cells,
                         size_t cell_count)
{
    cn_tiles *tiles = &((state *)state_)->tiles;
    const uint32_t last = (1u << tiles->lane_shift) - 1;
    uint32_t x, y;

    if (!cn_flood_tiles_serve(map, tiles->bits))
        return false;
    tiles->map = map;
    for (size_t i = 0; i < cell_count; i++) {
        cn_grid_xy(&map->grid, cells[i], &x, &y);
        uint32_t column = x >> tiles->lane_shift;
        read_row(tiles, (y >> CN_TILE_ROWS_SHIFT) * tiles->columns + column, y);
        if (y + 1 < map->grid.height)
            read_row(tiles, ((y + 1) >> CN_TILE_ROWS_SHIFT) * tiles->columns + column, y + 1);
    }
    for (size_t i = 0; i < cell_count; i++) {
        cn_grid_xy(&map->grid, cells[i], &x, &y);
        uint32_t tile = (y >> CN_TILE_ROWS_SHIFT) * tiles->columns + (x >> tiles->lane_shift);
        if ((x & last) == last)
            read_side(tiles, tile, y);
        if ((x & last) == 0 && x > 0)
            read_side(tiles, tile - 1, y);
    }
    return true;
}

/* Whether a step from some reached cell might exceed the limit: the engine does not take such
 * steps. Inside a tile a path from a source, or from the cell where it entered the tile, has no
 * more steps than the tile has cells. */
static bool comes_near_limit(const state *self)
{
    const cn_tiles *tiles = &self->tiles;
    const uint32_t limit = cn_entry_most(tiles->bits);
    const uint32_t step = cn_map_dearest(tiles->map);
    const uint64_t in_tile = (uint64_t)step << (tiles->lane_shift + CN_TILE_ROWS_SHIFT);
    if ((uint64_t)tiles->map->grid.open_count * step <= limit ||
        tiles->most_crossing + in_tile <= limit)
        return false;
    return step >= limit || self->kernel->exceeds(tiles, limit - step);
}

/* Narrow enough that tiles are visited nearly in the order of their costs, and wide enough that the
 * ring reaches over a few tiles. Between 4 and 64 steps, widths hardly differ. */
static unsigned bucket_shift(const cairn_map *map)
{
    enum { STEPS = 16 };
    return cn_highest_bit((uint64_t)cn_map_cheapest(map) * STEPS);
}

static cn_plane plane_of(const cn_tiles *tiles)
{
    return (cn_plane){.costs = tiles->plane.costs,
                      .bits = tiles->bits,
                      .most = cn_plane_most(tiles->bits),
                      .lane_shift = tiles->lane_shift,
                      .row_shift = CN_TILE_ROWS_SHIFT,
                      .band = (size_t)tiles->columns << (tiles->lane_shift + CN_TILE_ROWS_SHIFT),
                      .columns = tiles->columns,
                      .live = tiles->plane.live};
}

/* Makes all tiles as they were before the last run, also where it paused. */
static void clear_tiles(cn_tiles *tiles)
{
    cn_plane_memory *plane = &tiles->plane;
    uint32_t waiting;
    if (cn_tile_next(tiles, &waiting))
        cn_tile_give_up(tiles, waiting);
    if (plane->held_count == CN_HELD_ALL)
        memset(plane->live, 0, tiles->tile_count);
    else
        for (size_t i = 0; i < plane->held_count; i++)
            plane->live[plane->held[i]] = 0;
    plane->held_count = 0;
}

static void begin_tiles(void *state_, const cn_flood_task *task)
{
    state *self = state_;
    cn_tiles *tiles = &self->tiles;

    clear_tiles(tiles);
    tiles->queue = (cn_tile_queue){.shift = bucket_shift(tiles->map), .now = 1};
    tiles->most_crossing = 0;
    self->kernel->start(tiles, task->sources, task->source_count);
    if (tiles->cell_costs)
        fill_all_ground(self);
}

static void run_kernel(state *self, const cn_flood_task *task, cn_plane *plane)
{
    cn_tiles *tiles = &self->tiles;
    cn_flood_end end = cn_flood_end_of(task, tiles->map, plane);
    if (tiles->slopes || tiles->exits)
        self->kernel->spread_rough(tiles, &end, task->way);
    else if (tiles->cell_costs)
        self->kernel->spread_uneven(tiles, &end, task->way);
    else
        self->kernel->spread(tiles, &end);
}

static cairn_status resume_tiles(void *state_, const cn_flood_task *task, uint64_t *cells,
                                 cn_plane *plane)
{
    state *self = state_;
    cn_tiles *tiles = &self->tiles;
    const unsigned shift = tiles->lane_shift + CN_TILE_ROWS_SHIFT;
    const uint64_t visits = (*cells >> shift) + 1;

    tiles->visits_left = visits;
    *plane = plane_of(tiles);
    run_kernel(self, task, plane);
    cn_spend(cells, (visits - tiles->visits_left) << shift);
    if (tiles->queue.filled)
        return CAIRN_MORE;
    cn_plane_take_list(plane, &tiles->plane);
    plane->may_be_cut = task->most > plane->most && comes_near_limit(self);
    return CAIRN_OK;
}

static cairn_status run_tiles(void *state_, const cn_flood_task *task, cn_plane *plane)
{
    uint64_t cells = UINT64_MAX;
    begin_tiles(state_, task);
    return resume_tiles(state_, task, &cells, plane);
}

static void close_tiles(void *state_, const cn_mem *mem)
{
    state *self = state_;
    cn_plane_memory_free(mem, &self->tiles.plane);
    cn_release(mem, self->tiles.cell_costs);
    cn_release(mem, self->tiles.slopes);
    cn_release(mem, self->tiles.exits);
    cn_release(mem, self->tiles.rows);
    cn_release(mem, self->tiles.sides);
    cn_release(mem, self->tiles.waits);
    cn_release(mem, self);
}

/* Memory for what steps over uneven ground cost; false if there is none left. */
static bool take_ground(cn_tiles *tiles, size_t tile_size, const cn_mem *mem)
{
    const cn_grid *grid = &tiles->map->grid;
    const size_t rows = (size_t)tiles->tile_count * CN_TILE_ROWS;
    if (cn_map_is_even(tiles->map))
        return true;
    tiles->cell_costs = cn_array_for(mem, CN_USED_ALL_OVER, tiles->tile_count, 2 * tile_size);
    if (grid->heights.cells)
        tiles->slopes = cn_array_for(mem, CN_USED_ALL_OVER, tiles->tile_count, 2 * tile_size);
    if (grid->has_one_way)
        tiles->exits = cn_array(mem, rows * CN_DIRECTIONS, sizeof *tiles->exits);
    return tiles->cell_costs && (tiles->slopes || !grid->heights.cells) &&
           (tiles->exits || !grid->has_one_way);
}

static bool take_memory(cn_tiles *tiles, const cn_mem *mem)
{
    size_t tile_count = tiles->tile_count;
    tiles->rows = cn_array(mem, tile_count * CN_TILE_ROWS, sizeof *tiles->rows);
    tiles->sides = cn_zeroed(mem, tile_count, sizeof *tiles->sides);
    tiles->waits = cn_zeroed(mem, tile_count, sizeof *tiles->waits);
    size_t tile_size = (size_t)(tiles->bits / 8) << (tiles->lane_shift + CN_TILE_ROWS_SHIFT);
    return take_ground(tiles, tile_size, mem) && tiles->rows && tiles->sides && tiles->waits &&
           cn_plane_memory_new(tiles->map, tile_count * tile_size, tile_count, &tiles->plane) ==
               CAIRN_OK;
}

static cairn_status open_tiles(const cairn_map *map, unsigned bits, void **state_)
{
    if (!cn_flood_tiles_serve(map, bits))
        return CAIRN_E_ARGUMENT;
    state *self = cn_zeroed(&map->mem, 1, sizeof *self);
    if (!self)
        return CAIRN_E_MEMORY;

    cn_tiles *tiles = &self->tiles;
    self->kernel = kernel_for(bits);
    tiles->map = map;
    tiles->bits = bits;
    tiles->lane_shift = self->kernel->lane_shift;
    tiles->columns = ((map->grid.width - 1) >> tiles->lane_shift) + 1;
    tiles->tile_count = tiles->columns * (((map->grid.height - 1) >> CN_TILE_ROWS_SHIFT) + 1);
    if (!take_memory(tiles, &map->mem)) {
        close_tiles(self, &map->mem);
        return CAIRN_E_MEMORY;
    }
    fill_rows(tiles);
    fill_sides(tiles);
    *state_ = self;
    return CAIRN_OK;
}

const cn_flood_engine cn_flood_tiles = {
    .name = "tiles",
    .open = open_tiles,
    .run = run_tiles,
    .begin = begin_tiles,
    .resume = resume_tiles,
    .update = update_tiles,
    .close = close_tiles,
};
