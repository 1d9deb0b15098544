/*
 * The cells of a uniform grid at which paths may have to turn. A corner is an open cell with a
 * blocked diagonal neighbour between two open ones: where corners are not cut, runs stop there and
 * nowhere else. A few per cent of the open cells of most maps are corners, so that what is kept for
 * each of them takes a small part of what it would take for each cell.
 *
 * A set of corners is a bit for each cell, and the number of corners before each word of bits, so
 * that a corner's number (its rank) is found by counting bits. It never changes.
 *
 * A canonical run is a diagonal run, of any length, and then a straight one that goes on in one of
 * its two directions. A shortest path that turns as early as it can is made of canonical runs from
 * corner to corner (docs/ALGORITHMS.md). So a cell's costs follow from those of the corners that
 * see it: that reach it by one such run with no other member of the set on it.
 */
#ifndef CN_MAP_CORNERS_H
#define CN_MAP_CORNERS_H

#include "grid/grid.h"

typedef struct cn_corners {
    uint32_t count;
    uint32_t width;
    uint32_t height;
    size_t stride;        /* words in a row, with zero ones beside it, as grid.open_stride */
    uint64_t *marks;      /* bit x % 64 of word y * stride + x / 64: the cell is in the set */
    uint32_t *before;     /* by word: how many lie in earlier words */
    cairn_node *nodes;    /* [count] ascending */
    uint64_t *memory;     /* in which the marks lie */
} cn_corners;

#define CN_NO_CORNER UINT32_MAX

/* The corners of a grid and some more open cells, in any order, none where `more` is NULL. */
cairn_status cn_corners_new(const cn_grid *grid, const cn_mem *mem, const cairn_node *more,
                            size_t more_count, cn_corners **corners);
/* How many corners a grid has. */
uint32_t cn_corners_count(const cn_grid *grid);

cairn_status cn_corners_clone(const cn_corners *corners, const cn_mem *mem, cn_corners **copy);
void cn_corners_free(cn_corners *corners, const cn_mem *mem);
size_t cn_corners_memory(const cn_corners *corners);

/* The number of the member of the set in column x and row y. It must be one. */
CN_ALWAYS_INLINE uint32_t cn_corners_rank(const cn_corners *corners, uint32_t x, uint32_t y)
{
    size_t word = y * corners->stride + x / 64;
    uint64_t lower = corners->marks[word] & ((UINT64_C(1) << x % 64) - 1);
    return corners->before[word] + cn_count_bits(lower);
}

/* The same; CN_NO_CORNER where it is none. */
CN_ALWAYS_INLINE uint32_t cn_corners_find(const cn_corners *corners, uint32_t x, uint32_t y)
{
    size_t word = y * corners->stride + x / 64;
    return corners->marks[word] >> x % 64 & 1 ? cn_corners_rank(corners, x, y) : CN_NO_CORNER;
}

/* A member of the set that sees a cell, and the cost from one to the other. */
typedef struct cn_seen_corner {
    uint32_t corner;
    cairn_cost cost;
} cn_seen_corner;

/* Takes those that see a cell, some at a time, some of them more than once. */
typedef void cn_corner_taker(void *context, const cn_seen_corner *seen, size_t count);

/* Finds all that see an open cell. A cell that is in the set is seen by itself alone. The grid must
 * have the openness that the set was made from, and costs be those of the metric. */
void cn_corners_seeing(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context);

#endif
