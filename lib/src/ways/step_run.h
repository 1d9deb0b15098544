/* Runs of equal steps, as they join the corners of a path. */
#ifndef CN_WAYS_STEP_RUN_H
#define CN_WAYS_STEP_RUN_H

#include "grid/grid.h"

typedef struct cn_step_run {
    int64_t x, y;
    int64_t step_x, step_y;
    int64_t steps; /* of that many equal steps; -1: the ends are not joined by one run */
} cn_step_run;

static inline int64_t cn_sign_of(int64_t value)
{
    return (value > 0) - (value < 0);
}

/* The run from a cell to another, whatever is blocked. On hexagons it has one step. */
static inline cn_step_run cn_run_between(const cn_grid *grid, cairn_node from, cairn_node to)
{
    uint32_t x, y, to_x, to_y;
    cn_grid_xy(grid, from, &x, &y);
    cn_grid_xy(grid, to, &to_x, &to_y);
    const int64_t across = (int64_t)to_x - x, down = (int64_t)to_y - y;
    const int64_t columns = across < 0 ? -across : across, rows = down < 0 ? -down : down;
    const bool is_hex = grid->rules.rule == CAIRN_RULE_HEX;
    const bool is_run = is_hex ? cn_hex_steps(x, y, to_x, to_y) == 1
                               : columns == 0 || rows == 0 || columns == rows;
    const int64_t steps = is_hex ? 1 : columns > rows ? columns : rows;
    return (cn_step_run){x, y, cn_sign_of(across), cn_sign_of(down), is_run ? steps : -1};
}

#endif
