/* The cells of a grid and the steps between them. */
#ifndef CN_GRID_GRID_H
#define CN_GRID_GRID_H

#include "base/bits.h"
#include "base/mem.h"
#include "grid/directions.h"
#include "grid/grid_heights.h"
#include "grid/grid_terrain.h"

typedef struct cn_grid {
    uint32_t width;
    uint32_t height;
    uint32_t open_count;
    uint64_t per_row;        /* 2^32 / width, rounded down: see cn_grid_xy */
    uint8_t *letters;        /* terrain letter of each cell */
    uint8_t *around;         /* bit d: the neighbour in direction d is open; 0 if blocked */
    uint64_t *open;          /* bit x % 64 of word y * open_stride + x / 64: the cell is open. The
                              * words beside a row, and the rows above and below, are zero. */
    size_t open_stride;
    int32_t offset[CN_DIRECTIONS];      /* from cells of even rows; from all but on hexagons */
    int32_t offset_odd[CN_DIRECTIONS];  /* from cells of odd rows */
    bool open_letter[256];
    cn_rules rules;
    cn_heights heights;
    uint8_t exits[256];      /* by letter: the directions in which its cells may be left */

    /* By the openness around a cell: directions that the rule allows. */
    uint8_t moves[256];

    /* By direction of arrival and openness: the steps that a canonical path may take (canonical.h).
     */
    uint8_t canonical[CN_DIRECTIONS + 1][256];
} cn_grid;

/* Whether a letter is one of the format's: open or blocked. */
bool cn_letter_is_known(uint8_t letter);

/* Takes over `letters` (width * height, from `mem`), also when it fails. */
cairn_status cn_grid_init(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                          uint8_t *letters);

/* The same under other rules than the default. Every letter is known to them. */
cairn_status cn_grid_init_ruled(cn_grid *grid, const cn_mem *mem, uint32_t width, uint32_t height,
                                uint8_t *letters, const cn_rules *rules);

/* One row of open cells without steps: see cairn_map. */
cairn_status cn_grid_init_row(cn_grid *grid, const cn_mem *mem, uint32_t width, uint8_t *letters);
void cn_grid_free(cn_grid *grid, const cn_mem *mem);

/* Changes a cell's letter, which is known; returns whether it opened or closed. */
bool cn_grid_set_letter(cn_grid *grid, cairn_node node, uint8_t letter);

/* The neighbours that lie on the grid, open or not; returns how many. */
unsigned cn_grid_neighbours(const cn_grid *grid, cairn_node node,
                            cairn_node neighbours[CN_DIRECTIONS]);

/* How memory with something for every cell is used: where few are open, blocked regions are left
 * untouched. */
CN_ALWAYS_INLINE cn_use cn_grid_use(const cn_grid *grid)
{
    return grid->open_count >= (uint64_t)grid->width * grid->height / 4 ? CN_USED_ALL_OVER
                                                                        : CN_USED_IN_PARTS;
}

CN_ALWAYS_INLINE bool cn_grid_is_open(const cn_grid *grid, cairn_node node)
{
    return grid->open_letter[grid->letters[node]];
}

/* Words of `open` in a row, without the zero ones beside it. */
CN_ALWAYS_INLINE size_t cn_grid_row_words(const cn_grid *grid)
{
    return grid->open_stride - 2;
}

CN_ALWAYS_INLINE const uint64_t *cn_grid_open_row(const cn_grid *grid, uint32_t y)
{
    return grid->open + y * grid->open_stride;
}

/* Column and row without a division: the estimate of the row is low by at most one. */
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

/* Where the directions lead from a node. Row parity matters on hexagons alone. */
CN_ALWAYS_INLINE const int32_t *cn_grid_offsets(const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    if (grid->rules.rule != CAIRN_RULE_HEX)
        return grid->offset;
    cn_grid_xy(grid, node, &x, &y);
    return y & 1 ? grid->offset_odd : grid->offset;
}

/* The directions in which a node may be left: one-way cells and the rule. */
CN_ALWAYS_INLINE unsigned cn_grid_steps(const cn_grid *grid, cairn_node node)
{
    return grid->moves[grid->around[node]] & grid->exits[grid->letters[node]];
}

CN_ALWAYS_INLINE cairn_cost cn_octile(cairn_metric metric, uint32_t ax, uint32_t ay, uint32_t bx,
                                      uint32_t by)
{
    uint32_t dx = ax > bx ? ax - bx : bx - ax;
    uint32_t dy = ay > by ? ay - by : by - ay;
    uint32_t diagonal = dx < dy ? dx : dy;
    uint32_t longer = dx < dy ? dy : dx;
    return metric.straight * (longer - diagonal) + metric.diagonal * diagonal;
}

/* Steps between hexagons whose columns and rows are counted with odd rows shifted right. */
uint32_t cn_hex_steps(uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by);

/* Labels the components that steps join, one-way cells seen as joined both ways: label[node] is 0,
 * 1, ... in the order of their lowest nodes, CN_NO_COMPONENT for blocked cells. *sizes, from `mem`,
 * has one entry per component and is the caller's. */
#define CN_NO_COMPONENT UINT32_MAX
cairn_status cn_grid_components(const cn_grid *grid, const cn_mem *mem, uint32_t *label,
                                uint32_t **sizes, uint32_t *count);

/* Open cells side by side. */
typedef struct cn_run {
    cairn_node first;
    cairn_node end;       /* the one behind it */
    uint32_t component;
} cn_run;

/* All runs of a grid in the order of their cells, with the components that straight steps join,
 * numbered as in cn_grid_components: a fraction of the memory and time that labels of cells take.
 */
typedef struct cn_runs {
    cn_run *items;
    uint32_t count;
    uint32_t component_count;
} cn_runs;

cairn_status cn_runs_new(const cn_grid *grid, const cn_mem *mem, cn_runs *runs);
void cn_runs_free(cn_runs *runs, const cn_mem *mem);

/* The same of labels, as cn_grid_components gives them. */
cairn_status cn_runs_from(const cn_grid *grid, const cn_mem *mem, const uint32_t *label,
                          uint32_t component_count, cn_runs *runs);

/* The component of a cell; CN_NO_COMPONENT for a blocked one. */
uint32_t cn_runs_component(const cn_runs *runs, cairn_node node);

#endif
