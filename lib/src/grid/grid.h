/* The cells of a grid and the steps between them. */
#ifndef CN_GRID_GRID_H
#define CN_GRID_GRID_H

#include "base/bits.h"
#include "base/mem.h"
#include "grid/directions.h"
#include "grid/grid_heights.h"
#include "grid/grid_terrain.h"

/* A cell: its column in the lower half, its row in the upper one, each of which fits 16 bits. No
 * division is needed to find them, as it is from a node. */
typedef uint32_t cn_xy;

_Static_assert(CAIRN_SIDE_MAX <= UINT16_MAX, "columns and rows in halves of a word");

#define CN_XY_OF(x, y) ((y) << 16 | (x))
#define CN_X_OF(xy) ((xy)&0xffff)
#define CN_Y_OF(xy) ((xy) >> 16)

/* A rectangle of cells; its borders belong to it. */
typedef struct cn_area {
    uint32_t left, top, right, bottom;
} cn_area;

typedef struct cn_grid {
    uint32_t width;
    uint32_t height;
    uint32_t open_count;
    uint64_t per_row; /* 2^32 / width, rounded down: see cn_grid_xy */
    uint8_t *letters; /* terrain letter of each cell */
    uint8_t *around;  /* bit d: the neighbour in direction d is open; 0 if blocked */
    uint64_t *open;   /* bit x % 64 of word y * open_stride + x / 64: the cell is open. The
                       * words beside a row, and the rows above and below the grid, are
                       * zero. */
    size_t open_stride;
    int32_t offset[CN_DIRECTIONS];     /* to the neighbours; on hexagons from cells of even rows
                                        * only */
    int32_t offset_odd[CN_DIRECTIONS]; /* to the neighbours from cells of odd rows, on hexagons */
    bool open_letter[256];
    bool has_one_way; /* cn_rules_have_one_way of the rules */
    cn_rules rules;
    cn_heights heights;
    uint8_t exits[256]; /* by letter: the directions in which its cells may be left */

    /* By the bits of `around`: the directions of steps that the rule allows. */
    uint8_t moves[256];

    /* By direction of arrival and openness: the steps that a canonical path may take (canonical.h).
     */
    uint8_t canonical[CN_DIRECTIONS + 1][256];
} cn_grid;

/* Whether a letter is one of the Moving AI format, open or blocked. */
bool cn_letter_is_known(uint8_t letter);

/* Makes a grid of the default rules. Takes ownership of `letters` (width * height, from `mem`),
 * also when it fails. */
cairn_status cn_grid_init(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                          uint8_t *letters);

/* Like cn_grid_init, under other rules, to which every letter must be known. */
cairn_status cn_grid_init_ruled(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                                uint8_t *letters, const cn_rules *rules);

/* One row of open cells without steps, for the map of a graph: see cairn_map. */
cairn_status cn_grid_init_row(cn_grid *grid, const cn_mem *mem, uint32_t width, uint8_t *letters);
void cn_grid_free(cn_grid *grid, const cn_mem *mem);

/* The bytes that a grid has taken from its allocator. */
size_t cn_grid_memory(const cn_grid *grid);

/* Changes a cell's letter to one that is known. Returns whether the cell opened or closed: then
 * cn_grid_update_around must follow. */
bool cn_grid_set_letter(cn_grid *grid, cairn_node node, uint8_t letter);

/* Updates `around` after cells of an area have opened or closed. */
void cn_grid_update_around(cn_grid *grid, cn_area area);

/* An area and the cells next to it. */
cn_area cn_grid_grown(const cn_grid *grid, cn_area area);

/* The neighbours that lie on the grid, open or blocked. Returns how many. */
unsigned cn_grid_neighbours(const cn_grid *grid, cairn_node node,
                            cairn_node neighbours[CN_DIRECTIONS]);

CN_ALWAYS_INLINE size_t cn_grid_cell_count(const cn_grid *grid)
{
    return (size_t)grid->width * grid->height;
}

/* The allocation hint for arrays with one element per cell: where few cells are open, those of
 * blocked regions are never written. */
CN_ALWAYS_INLINE cn_use cn_grid_use(const cn_grid *grid)
{
    return grid->open_count >= cn_grid_cell_count(grid) / 4 ? CN_USED_ALL_OVER : CN_USED_IN_PARTS;
}

CN_ALWAYS_INLINE bool cn_grid_is_open(const cn_grid *grid, cairn_node node)
{
    return grid->open_letter[grid->letters[node]];
}

/* Words of `open` in a row, without the zero words beside it. */
CN_ALWAYS_INLINE size_t cn_grid_row_words(const cn_grid *grid)
{
    return grid->open_stride - 2;
}

CN_ALWAYS_INLINE const uint64_t *cn_grid_open_row(const cn_grid *grid, uint32_t y)
{
    return grid->open + y * grid->open_stride;
}

/* Bit i: the cell i columns on is open, up to the last one of the same word. */
CN_ALWAYS_INLINE uint64_t cn_grid_open_from(const cn_grid *grid, uint32_t x, uint32_t y)
{
    return cn_grid_open_row(grid, y)[x / 64] >> x % 64;
}

/* Whether the bit of a cell is set among those of open ones. */
CN_ALWAYS_INLINE bool cn_grid_shows(const cn_grid *grid, cairn_node node)
{
    const uint32_t x = node % grid->width, y = node / grid->width;
    return cn_grid_open_from(grid, x, y) & 1;
}

/* Column and row of a node. Instead of a division, an estimate of the row that is at most one too
 * low. */
CN_ALWAYS_INLINE void cn_grid_xy(const cn_grid *grid, cairn_node node, uint32_t *x, uint32_t *y)
{
    uint32_t row = (uint32_t)(node * grid->per_row >> 32);
    uint32_t column = node - row * grid->width;
    if (column >= grid->width) {
        column -= grid->width;
        row++;
    }
    *x = column;
    *y = row;
}

/* The offset from a node of row y to its neighbour in a direction. */
CN_ALWAYS_INLINE ptrdiff_t cn_grid_offset(const cn_grid *grid, uint32_t y, unsigned direction)
{
    return y & 1 ? grid->offset_odd[direction] : grid->offset[direction];
}

/* The offsets from a node to its neighbours. Only on hexagons they depend on the row. */
CN_ALWAYS_INLINE const int32_t *cn_grid_offsets(const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    if (grid->rules.rule != CAIRN_RULE_HEX)
        return grid->offset;
    cn_grid_xy(grid, node, &x, &y);
    return y & 1 ? grid->offset_odd : grid->offset;
}

/* The directions in which a node may be left, by the rule and by one-way cells. */
CN_ALWAYS_INLINE unsigned cn_grid_steps(const cn_grid *grid, cairn_node node)
{
    return grid->moves[grid->around[node]] & grid->exits[grid->letters[node]];
}

/* The directions, among some of those that the rule allows, in which a step leads from a node to
 * its neighbour or back. */
CN_ALWAYS_INLINE unsigned cn_grid_joined_steps(const cn_grid *grid, cairn_node node, unsigned among)
{
    const int32_t *offset = cn_grid_offsets(grid, node);
    unsigned steps = among & grid->exits[grid->letters[node]];

    for (unsigned left = among & ~steps; left; left &= left - 1) {
        const unsigned direction = cn_lowest_bit(left);
        const uint8_t letter = grid->letters[node + (cairn_node)offset[direction]];
        steps |= (unsigned)(grid->exits[letter] >> cn_opposite(direction) & 1) << direction;
    }
    return steps;
}

/* Octile distance, which must fit 32 bits. It does so between cells that a path connects whose cost
 * does. (The second factor of the sum is most often negative: it wraps around, and the sum wraps
 * back.) */
CN_ALWAYS_INLINE cairn_cost cn_octile(cairn_metric metric, uint32_t ax, uint32_t ay, uint32_t bx,
                                      uint32_t by)
{
    const int32_t across = (int32_t)(ax - bx), down = (int32_t)(ay - by);
    const uint32_t dx = (uint32_t)(across < 0 ? -across : across);
    const uint32_t dy = (uint32_t)(down < 0 ? -down : down);
    const uint32_t diagonal = dx < dy ? dx : dy;
    return metric.straight * (dx + dy) + (metric.diagonal - 2 * metric.straight) * diagonal;
}

/* cn_octile where the cost may not fit 32 bits. */
CN_ALWAYS_INLINE uint64_t cn_octile_wide(cairn_metric metric, uint32_t ax, uint32_t ay, uint32_t bx,
                                         uint32_t by)
{
    const uint64_t dx = cn_apart_by(ax, bx), dy = cn_apart_by(ay, by);
    const uint64_t diagonal = dx < dy ? dx : dy, longer = dx < dy ? dy : dx;
    return metric.straight * (longer - diagonal) + metric.diagonal * diagonal;
}

/* Octile distance, of at most CAIRN_COST_MAX. */
CN_ALWAYS_INLINE cairn_cost cn_octile_capped(cairn_metric metric, uint32_t ax, uint32_t ay,
                                             uint32_t bx, uint32_t by)
{
    return cn_cost_capped(cn_octile_wide(metric, ax, ay, bx, by));
}

/* The number of steps between hexagons, given by columns and rows; odd rows are shifted right. */
CN_ALWAYS_INLINE uint32_t cn_hex_steps(uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by)
{
    int64_t rows = (int64_t)by - ay;
    int64_t columns = ((int64_t)bx - by / 2) - ((int64_t)ax - ay / 2);
    int64_t along = columns < 0 ? -columns : columns, down = rows < 0 ? -rows : rows;
    int64_t across = columns + rows < 0 ? -(columns + rows) : columns + rows;
    return (uint32_t)((along + down + across) / 2);
}

/* Labels connected components, where one-way cells count as connected in both directions:
 * label[node] is 0, 1, ... in the order of the lowest nodes, CN_NO_COMPONENT for blocked cells.
 * *sizes, from `mem`, has one entry per component; the caller frees it. */
#define CN_NO_COMPONENT CAIRN_NO_COMPONENT
cairn_status cn_grid_components(const cn_grid *grid, const cn_mem *mem, uint32_t *label,
                                uint32_t **sizes, uint32_t *count);

/* A run of open cells that lie next to each other in a row. */
typedef struct cn_run {
    cairn_node first;
    cairn_node end; /* the cell after the last */
    uint32_t component;
} cn_run;

/* All runs of a grid in the order of their cells, with their components, numbered as in
 * cn_grid_components. They take a fraction of the memory and time of one label per cell. */
typedef struct cn_runs {
    cn_run *items;
    uint32_t count;
    uint32_t component_count;
} cn_runs;

cairn_status cn_runs_new(const cn_grid *grid, const cn_mem *mem, cn_runs *runs);

/* Adds the runs of some columns of a row, where the last one may end behind these, each in a
 * component of its own. False when there is no memory. */
bool cn_runs_add(cn_runs *runs, const cn_mem *mem, size_t *capacity, const cn_grid *grid,
                 uint32_t y, uint32_t from, uint32_t end);
void cn_runs_free(cn_runs *runs, const cn_mem *mem);

/* The runs for given labels, as from cn_grid_components. */
cairn_status cn_runs_from(const cn_grid *grid, const cn_mem *mem, const uint32_t *label,
                          uint32_t component_count, cn_runs *runs);

/* The component of a cell; CN_NO_COMPONENT for a blocked one. */
uint32_t cn_runs_component(const cn_runs *runs, cairn_node node);

#endif
