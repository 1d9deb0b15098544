/*
 * Where straight runs stop on squares: for the whole map, a word of 64 cells at a time.
 * map/jump_points.h says what the planes mean, and updates them cell by cell, also on hexagons.
 */
#ifndef CN_GRID_RUN_PLANES_H
#define CN_GRID_RUN_PLANES_H

#include "grid/grid.h"

/* Minor runs stop at turns. Major runs that have lines (all but diagonals) stop at turns, at cells
 * from which a minor run leaves that ends at a turn, and at the last cell of a line or after it.
 * Both stop at blocked cells. */
typedef struct cn_stops {
    uint64_t forward; /* runs to higher columns or rows */
    uint64_t backward;
} cn_stops;

/* Parallel lines of cells. The index of a cell in its line is its column, in a row, or else its
 * row. */
typedef struct cn_axis {
    size_t words;    /* of 64 cells in a line */
    cn_stops *stops; /* [count][words] */
    uint64_t *clear; /* which cells are open and no borders, in the same layout */
    size_t count;
    size_t fold; /* lines whose numbers are equal in these bits share their words, without sharing a
                  * bit in which both lie on the map; all bits: no two do */
} cn_axis;

/* Fills the words of all rows and columns that hold cells, and the bytes of hits. `borders` is NULL
 * or as in grid/borders.h. */
void cn_run_planes_fill(const cn_grid *grid, const uint64_t *borders, const cn_axis *rows,
                        const cn_axis *columns, uint8_t *hits);

#endif
