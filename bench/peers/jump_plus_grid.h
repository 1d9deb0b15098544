/* What JPS+ computes beforehand: for each cell and direction how far a search may jump, and for
 * goal bounding the box of the goals that a first step leads to. */
#ifndef PEERS_JUMP_PLUS_GRID_H
#define PEERS_JUMP_PLUS_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* East, south-east, south and so on: slanting ones are odd. */
enum { PLUS_DIRECTIONS = 8, PLUS_MAP_CELLS_MAX = 32767 };
extern const int PLUS_RIGHT[PLUS_DIRECTIONS];
extern const int PLUS_DOWN[PLUS_DIRECTIONS];

/* Of a straight and of a slanting step. */
extern const uint32_t PLUS_COST[2];

/* A map with blocked cells around it. */
typedef struct plus_grid {
    uint32_t width; /* of the map */
    uint32_t stride;
    uint32_t cell_count;
    int32_t offset[PLUS_DIRECTIONS];
    bool *open;
    /* By cell: steps to the next jump point, or less than 1: no further than so many free steps. */
    int16_t (*jump)[PLUS_DIRECTIONS];
} plus_grid;

typedef struct plus_box {
    uint16_t left, top, right, bottom;
} plus_box;

/* False without memory, or where a row or column is too long for the jumps. */
bool plus_grid_init(plus_grid *grid, const cairn_map *map);
void plus_grid_free(plus_grid *grid);

/* The steps that may follow a step in a direction, or PLUS_DIRECTIONS at a start; bits. */
unsigned plus_successors(const plus_grid *grid, uint32_t cell, unsigned arrived);

/* By cell and direction, of all canonical shortest paths from the cell. A flood from every cell.
 * NULL without memory. */
plus_box (*plus_boxes(const plus_grid *grid))[PLUS_DIRECTIONS];

static inline uint32_t plus_cell(const plus_grid *grid, cairn_node node)
{
    return (node / grid->width + 1) * grid->stride + node % grid->width + 1;
}

static inline int plus_column(const plus_grid *grid, uint32_t cell)
{
    return (int)(cell % grid->stride);
}

static inline int plus_row(const plus_grid *grid, uint32_t cell)
{
    return (int)(cell / grid->stride);
}

static inline uint32_t plus_distance(const plus_grid *grid, uint32_t a, uint32_t b)
{
    const int right = plus_column(grid, a) - plus_column(grid, b);
    const int down = plus_row(grid, a) - plus_row(grid, b);
    const uint32_t x = (uint32_t)(right < 0 ? -right : right);
    const uint32_t y = (uint32_t)(down < 0 ? -down : down);
    const uint32_t slanting = x < y ? x : y, all = x < y ? y : x;
    return slanting * PLUS_COST[1] + (all - slanting) * PLUS_COST[0];
}

#endif
