/* The regions of a tile, and those of other tiles that they touch (components/components.h). */
#include "components/components.h"

#include <string.h>

#include "base/sets.h"

enum { RUNS_MAX = CN_TILE_CELLS / 2 };

/* The cells of a tile: the last tiles of a row or column have fewer. */
typedef struct frame {
    uint32_t left, top, width, height;
} frame;

static frame frame_of(const cn_regions *regions, uint32_t tile)
{
    const cn_grid *grid = regions->grid;
    frame cells = {.width = CN_TILE_SIDE, .height = CN_TILE_SIDE};
    cn_regions_corner(regions, tile, &cells.left, &cells.top);
    if (cells.width > grid->width - cells.left)
        cells.width = grid->width - cells.left;
    if (cells.height > grid->height - cells.top)
        cells.height = grid->height - cells.top;
    return cells;
}

cairn_status cn_regions_init(cn_regions *regions, const cn_mem *mem, const cn_grid *grid)
{
    const uint32_t across = (grid->width + CN_TILE_SIDE - 1) / CN_TILE_SIDE;
    const uint32_t down = (grid->height + CN_TILE_SIDE - 1) / CN_TILE_SIDE;

    *regions = (cn_regions){.grid = grid, .tiles_across = across, .tile_count = across * down};
    regions->is_straight = cn_rule_joins_straight(grid->rules.rule) && !grid->has_one_way;
    memset(regions->free_block, 0xff, sizeof regions->free_block);
    regions->tiles = cn_array(mem, regions->tile_count, sizeof *regions->tiles);
    regions->labels = cn_zeroed(mem, (size_t)regions->tile_count * CN_TILE_CELLS, 1);
    if (!regions->tiles || !regions->labels) {
        cn_regions_free(regions, mem);
        return CAIRN_E_MEMORY;
    }
    for (uint32_t tile = 0; tile < regions->tile_count; tile++)
        regions->tiles[tile] = (cn_tile){.is_dirty = true};
    return CAIRN_OK;
}

void cn_regions_free(cn_regions *regions, const cn_mem *mem)
{
    cn_release(mem, regions->tiles);
    cn_release(mem, regions->labels);
    cn_release(mem, regions->values);
    *regions = (cn_regions){0};
}

size_t cn_regions_memory(const cn_regions *regions)
{
    const size_t tiles = regions->tile_count;
    return cn_held_size(regions->tiles, tiles, sizeof *regions->tiles) +
           cn_held_size(regions->labels, tiles * CN_TILE_CELLS, 1) +
           cn_held_size(regions->values, regions->value_capacity, sizeof *regions->values);
}

/* ------------------------------------------------------------------------ blocks of values -- */

static void give_block(cn_regions *regions, cn_tile *tile)
{
    if (tile->room == 0)
        return;
    regions->values[tile->value] = regions->free_block[tile->room];
    regions->free_block[tile->room] = tile->value;
    tile->room = 0;
}

static bool take_block(cn_regions *regions, const cn_mem *mem, cn_tile *tile, uint8_t room)
{
    const uint32_t size = UINT32_C(1) << room;

    tile->value = regions->free_block[room];
    if (tile->value != UINT32_MAX) {
        regions->free_block[room] = regions->values[tile->value];
    } else {
        if (!CN_GROW(mem, regions->values, &regions->value_capacity, regions->value_count,
                     (size_t)regions->value_count + size))
            return false;
        tile->value = regions->value_count;
        regions->value_count += size;
    }
    tile->room = room;
    return true;
}

/* Makes room for the values of `count` regions. */
static bool set_count(cn_regions *regions, const cn_mem *mem, cn_tile *tile, unsigned count)
{
    uint8_t room = 0;
    while (count > 1u << room)
        room++;
    if (room != tile->room) {
        give_block(regions, tile);
        tile->count = 0;
        if (room && !take_block(regions, mem, tile, room))
            return false;
    }
    tile->count = (uint16_t)count;
    return true;
}

/* -------------------------------------------------------------------------- regions by runs -- */

/* Open cells next to each other in a row of a tile. */
typedef struct run {
    uint32_t cells;
    uint8_t row;
} run;

/* The open cells of a row of a tile, from the lowest bit. */
static uint32_t open_cells(const cn_grid *grid, uint32_t left, uint32_t y)
{
    return (uint32_t)cn_grid_open_from(grid, left, y) & 0xffffu;
}

/* The cells of the row above that are connected with some cells of a row. */
static uint32_t above(cn_row_reach reach, uint32_t cells)
{
    return cells | cells >> reach.left | cells << reach.right;
}

/* Lists the runs of a tile, and joins those that are connected. */
static unsigned list_runs(const cn_regions *regions, frame tile, run runs[RUNS_MAX],
                          uint32_t sets[RUNS_MAX])
{
    const cairn_rule rule = regions->grid->rules.rule;
    unsigned count = 0, before = 0, first = 0;

    for (unsigned row = 0; row < tile.height; row++, before = first) {
        const cn_row_reach reach = cn_rule_reach_above(rule, tile.top + row);
        first = count;
        uint32_t cells = open_cells(regions->grid, tile.left, tile.top + row);
        while (cells) {
            uint32_t low = cells & (0 - cells), next = cells & ~(cells + low);
            runs[count] = (run){next, (uint8_t)row};
            sets[count] = count;
            for (unsigned i = before; i < first; i++) {
                if (runs[i].cells & above(reach, next))
                    cn_sets_join(sets, i, count);
            }
            cells ^= next;
            count++;
        }
    }
    return count;
}

/* Numbers the sets in the order of their first runs. */
static unsigned number_sets(uint32_t *sets, unsigned run_count)
{
    unsigned count = 0;
    for (unsigned i = 0; i < run_count; i++)
        sets[i] = sets[i] == i ? count++ : sets[sets[i]];
    return count;
}

static void label_runs(const run *runs, const uint32_t *sets, unsigned run_count, uint8_t *labels)
{
    memset(labels, CN_REGION_BLOCKED, CN_TILE_CELLS);
    for (unsigned i = 0; i < run_count; i++) {
        unsigned x = cn_lowest_bit(runs[i].cells), length = cn_count_bits(runs[i].cells);
        memset(labels + runs[i].row * CN_TILE_SIDE + x, (int)sets[i], length);
    }
}

static bool flood_runs(cn_regions *regions, const cn_mem *mem, uint32_t at)
{
    const unsigned size = regions->tiles[at].size;
    run runs[RUNS_MAX];
    uint32_t sets[RUNS_MAX];
    if (size == 0 || size == CN_TILE_CELLS)
        return set_count(regions, mem, &regions->tiles[at], size > 0);
    unsigned run_count = list_runs(regions, frame_of(regions, at), runs, sets);
    unsigned count = number_sets(sets, run_count);

    if (!set_count(regions, mem, &regions->tiles[at], count))
        return false;
    if (count > 1)
        label_runs(runs, sets, run_count, regions->labels + (size_t)at * CN_TILE_CELLS);
    return true;
}

/* -------------------------------------------------------------------------- regions by steps -- */

/* The directions in which a cell is connected to its neighbours: a step leads there or from
 * there. */
static unsigned joined(const cn_grid *grid, cairn_node node)
{
    return cn_grid_joined_steps(grid, node, grid->moves[grid->around[node]]);
}

/* Where a step of the cell leads. */
static void next_cell(const cn_grid *grid, cairn_node node, unsigned direction, uint32_t *x,
                      uint32_t *y)
{
    cn_grid_xy(grid, node + (cairn_node)cn_grid_offsets(grid, node)[direction], x, y);
}

/* Labels a region from one of its cells. */
static void label_from(const cn_grid *grid, frame tile, uint8_t label, unsigned start,
                       uint8_t *labels)
{
    uint8_t waiting[CN_TILE_CELLS];
    unsigned count = 0;

    labels[start] = label;
    waiting[count++] = (uint8_t)start;
    while (count) {
        unsigned cell = waiting[--count], x = cell % CN_TILE_SIDE, y = cell / CN_TILE_SIDE;
        cairn_node node = (tile.top + y) * grid->width + tile.left + x;
        for (unsigned left = joined(grid, node); left; left &= left - 1) {
            uint32_t next_x, next_y;
            next_cell(grid, node, cn_lowest_bit(left), &next_x, &next_y);
            next_x -= tile.left;
            next_y -= tile.top;
            unsigned next = next_y * CN_TILE_SIDE + next_x;
            if (next_x >= tile.width || next_y >= tile.height || labels[next] != CN_REGION_BLOCKED)
                continue;
            labels[next] = label;
            waiting[count++] = (uint8_t)next;
        }
    }
}

/* Where cells are one-way, neighbours need not be connected. */
static bool flood_steps(cn_regions *regions, const cn_mem *mem, uint32_t at)
{
    const cn_grid *grid = regions->grid;
    const frame tile = frame_of(regions, at);
    uint8_t *labels = regions->labels + (size_t)at * CN_TILE_CELLS;
    unsigned count = 0;

    memset(labels, CN_REGION_BLOCKED, CN_TILE_CELLS);
    for (unsigned y = 0; y < tile.height; y++) {
        for (uint32_t open = open_cells(grid, tile.left, tile.top + y); open; open &= open - 1) {
            unsigned cell = y * CN_TILE_SIDE + cn_lowest_bit(open);
            if (labels[cell] == CN_REGION_BLOCKED)
                label_from(grid, tile, (uint8_t)count++, cell, labels);
        }
    }
    return set_count(regions, mem, &regions->tiles[at], count);
}

static uint16_t count_cells(const cn_regions *regions, uint32_t at)
{
    const frame tile = frame_of(regions, at);
    unsigned count = 0;
    for (uint32_t y = tile.top; y < tile.top + tile.height; y++)
        count += cn_count_bits(open_cells(regions->grid, tile.left, y));
    return (uint16_t)count;
}

bool cn_regions_flood(cn_regions *regions, const cn_mem *mem, uint32_t tile)
{
    regions->tiles[tile].size = count_cells(regions, tile);
    bool done = regions->grid->has_one_way ? flood_steps(regions, mem, tile)
                                           : flood_runs(regions, mem, tile);
    for (unsigned i = 0; done && i < regions->tiles[tile].count; i++)
        *cn_region_value(regions, cn_region_of(tile, i)) = UINT32_MAX;
    return done;
}

uint32_t cn_region_size(const cn_regions *regions, cn_region region)
{
    const uint32_t at = cn_region_tile(region);
    const uint8_t *labels = regions->labels + (size_t)at * CN_TILE_CELLS;
    const uint8_t number = (uint8_t)cn_region_number(region);
    uint8_t in_column[CN_TILE_SIDE] = {0}; /* a vector of bytes */
    uint32_t size = 0;

    if (regions->tiles[at].count < 2)
        return regions->tiles[at].size;
    for (unsigned y = 0; y < CN_TILE_SIDE; y++, labels += CN_TILE_SIDE) {
        for (unsigned x = 0; x < CN_TILE_SIDE; x++)
            in_column[x] = (uint8_t)(in_column[x] + (labels[x] == number));
    }
    for (unsigned x = 0; x < CN_TILE_SIDE; x++)
        size += in_column[x];
    return size;
}

/* ----------------------------------------------------------------------- across the borders -- */

typedef struct region_list {
    const cn_regions *regions;
    cn_region *items;
    unsigned count;
} region_list;

static void add(region_list *list, cn_region region)
{
    if (list->count == 0 || list->items[list->count - 1] != region)
        list->items[list->count++] = region;
}

/* Cells next to each other in a row or a column: `count` cells from x, y on, at most as many as a
 * tile is wide. */
typedef struct line {
    uint32_t x, y, count;
    bool is_row;
} line;

static line border_of(frame tile, unsigned direction)
{
    switch (direction) {
    case CN_E: return (line){tile.left + tile.width - 1, tile.top, tile.height, false};
    case CN_W: return (line){tile.left, tile.top, tile.height, false};
    case CN_S: return (line){tile.left, tile.top + tile.height - 1, tile.width, true};
    default: return (line){tile.left, tile.top, tile.width, true};
    }
}

/* Moves a line of cells by one step; false at the edge of the grid. */
static bool move(const cn_grid *grid, line *cells, unsigned direction)
{
    cells->x = (uint32_t)((int64_t)cells->x + cn_step_x[direction]);
    cells->y = (uint32_t)((int64_t)cells->y + cn_step_y[direction]);
    return cells->x < grid->width && cells->y < grid->height;
}

/* Bit i: cell i of the line is open. */
static uint32_t open_in(const cn_grid *grid, line cells)
{
    const uint32_t shift = cells.x % CN_TILE_SIDE;
    uint32_t open = 0;
    if (cells.is_row)
        return open_cells(grid, cells.x - shift, cells.y);
    const uint64_t *word = cn_grid_open_row(grid, cells.y) + cells.x / 64;
    for (uint32_t i = 0; i < cells.count; i++, word += grid->open_stride)
        open |= (uint32_t)(*word >> cells.x % 64 & 1) << i;
    return open;
}

/* The labels of a line of cells in a tile, and how far apart they are. */
static const uint8_t *labels_of(const cn_regions *regions, uint32_t tile, line cells)
{
    return regions->labels + (size_t)tile * CN_TILE_CELLS + cells.y % CN_TILE_SIDE * CN_TILE_SIDE +
           cells.x % CN_TILE_SIDE;
}

static uint32_t label_step(line cells)
{
    return cells.is_row ? 1 : CN_TILE_SIDE;
}

/* Bit i: cell i of a line in a region's tile is in the region. */
static uint32_t region_in(const cn_regions *regions, cn_region region, line cells)
{
    const uint32_t tile = cn_region_tile(region), step = label_step(cells);
    const uint8_t *label = labels_of(regions, tile, cells);
    uint32_t of_region = 0;
    if (regions->tiles[tile].count < 2)
        return open_in(regions->grid, cells);
    for (uint32_t i = 0; i < cells.count; i++, label += step)
        of_region |= (uint32_t)(*label == cn_region_number(region)) << i;
    return of_region;
}

/* Adds the regions of those cells of a line whose bits are set. */
static void add_line(region_list *list, line cells, uint32_t which)
{
    const cn_regions *regions = list->regions;
    const uint32_t tile = cn_regions_tile_at(regions, cells.x, cells.y);
    const uint8_t *label = labels_of(regions, tile, cells);
    if (regions->tiles[tile].count < 2 && which)
        add(list, cn_region_of(tile, 0));
    for (; regions->tiles[tile].count > 1 && which; which &= which - 1)
        add(list, cn_region_of(tile, label[cn_lowest_bit(which) * label_step(cells)]));
}

/* Adds the regions of other tiles to which steps of a cell lead. */
static void add_steps(region_list *list, uint32_t tile, uint32_t x, uint32_t y)
{
    const cn_grid *grid = list->regions->grid;
    const cairn_node node = y * grid->width + x;
    uint32_t next_x, next_y;

    for (unsigned steps = joined(grid, node); steps; steps &= steps - 1) {
        next_cell(grid, node, cn_lowest_bit(steps), &next_x, &next_y);
        if (cn_regions_tile_at(list->regions, next_x, next_y) != tile)
            add(list, cn_region_at(list->regions, next_x, next_y));
    }
}

static void add_steps_of(region_list *list, cn_region region, line border)
{
    for (uint32_t left = region_in(list->regions, region, border); left; left &= left - 1) {
        uint32_t i = cn_lowest_bit(left);
        add_steps(list, cn_region_tile(region), border.is_row ? border.x + i : border.x,
                  border.is_row ? border.y : border.y + i);
    }
}

unsigned cn_region_neighbours(const cn_regions *regions, cn_region region,
                              cn_region neighbours[CN_REGION_NEIGHBOURS])
{
    const frame tile = frame_of(regions, cn_region_tile(region));
    region_list list = {.regions = regions, .items = neighbours};

    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
        line border = border_of(tile, direction), beyond = border;
        if (!regions->is_straight)
            add_steps_of(&list, region, border);
        else if (move(regions->grid, &beyond, direction))
            add_line(&list, beyond,
                     region_in(regions, region, border) & open_in(regions->grid, beyond));
    }
    return list.count;
}

static void add_corners(region_list *list, frame tile)
{
    for (unsigned direction = CN_STRAIGHT; direction < CN_DIRECTIONS; direction++) {
        line corner = {tile.left + (cn_step_x[direction] > 0 ? tile.width - 1 : 0),
                       tile.top + (cn_step_y[direction] > 0 ? tile.height - 1 : 0), 1, false};
        if (move(list->regions->grid, &corner, direction))
            add_line(list, corner, open_in(list->regions->grid, corner));
    }
}

unsigned cn_regions_around(const cn_regions *regions, uint32_t at,
                           cn_region around[CN_REGION_NEIGHBOURS])
{
    const frame tile = frame_of(regions, at);
    region_list list = {.regions = regions, .items = around};

    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
        line beyond = border_of(tile, direction);
        if (move(regions->grid, &beyond, direction))
            add_line(&list, beyond, open_in(regions->grid, beyond));
    }
    if (!regions->is_straight)
        add_corners(&list, tile);
    return list.count;
}
