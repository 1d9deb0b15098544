/* Copies costs out of the planes of floods, into arrays of the whole map or of some of its rows. */
#ifndef CN_FLOOD_COSTS_COPY_H
#define CN_FLOOD_COSTS_COPY_H

#include "flood/plane.h"

/* Rows that are copied together: those of a tile, whose cells lie one after the other. */
enum { CN_FLOOD_BAND = 32 };

/* Cells side by side that are copied together where there are no tiles: one word of openness. */
enum { CN_FLOOD_CHUNK = 64 };

/* How many rows those from y on are: fewer at the end of the grid. */
uint32_t cn_flood_band_rows(const cn_grid *grid, uint32_t y);

/* Where costs are copied from, and what is known of the array that they are copied to. */
typedef struct cn_costs_copy {
    const cn_grid *grid;
    const cn_plane *plane;
    uint32_t *written; /* see cairn_flood; NULL: nothing is known */
    size_t stride;     /* entries from row to row of that array */
    unsigned bits;     /* of its entries: those of the plane, or the lower 16 of its 32 */
} cn_costs_copy;

/* Copies the cells of the rows from y on, at most CN_FLOOD_BAND of them, to an array that begins
 * with them. */
void cn_flood_copy_band(const cn_costs_copy *copy, uint32_t y, void *costs);

/* The same for all rows of the map. */
void cn_flood_copy_all(const cn_costs_copy *copy, void *costs);

/* Copies a listed part of a plane to an array of the whole map: a tile, or the cost of a node. */
void cn_flood_copy_part(const cn_costs_copy *copy, uint32_t part, void *costs);

/* The part, as lists other than the plane's own have it, at an index of that one. */
uint32_t cn_flood_part_of(const cn_costs_copy *copy, size_t at);

#endif
