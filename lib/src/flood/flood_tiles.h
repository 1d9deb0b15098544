/*
 * The tile engines. The map is divided into tiles, as wide as a vector has lanes and TILE_ROWS
 * high, and the entries of each tile lie together, row after row. A tile is settled by sweeps over
 * whole rows: downwards and upwards for vertical and diagonal steps, along a row by strides that
 * double. Over terrain vectors hold what the cells at the ends of steps cost. Where entries at the
 * border of a tile fell, the neighbouring tiles are marked as dirty and wait in a queue. Entries
 * only ever fall, towards the unique fixpoint that Dijkstra's algorithm finds, so the order of the
 * work does not change the result.
 */
#ifndef CN_FLOOD_FLOOD_TILES_H
#define CN_FLOOD_FLOOD_TILES_H

#include "base/cpu.h"
#include "flood/flood_engine.h"

enum { CN_TILE_ROWS = 32, CN_TILE_ROWS_SHIFT = 5 };

/* One row of a tile, a bit per lane. Shifted, the two diagonals also tell which steps lead
 * upwards. */
typedef struct cn_tile_row {
    uint32_t open;
    uint32_t from_left;  /* a step leads here from the row above, one column to the left */
    uint32_t from_right; /* the same from the right; both only between lanes of this tile */
} cn_tile_row;

/* Steps out of a tile over its left and right side: a bit for each row in which they start. */
typedef struct cn_tile_sides {
    uint32_t left, left_down, left_up;
    uint32_t right, right_down, right_up;
} cn_tile_sides;

enum { CN_TILE_LIVE = 1, CN_TILE_QUEUED = 2 };

typedef struct cn_tiles {
    cn_plane_memory plane; /* costs: [tile][row][lane], not initialised unless the tile is live;
                            * live: [tile], of the flags above */
    const cairn_map *map;
    unsigned bits;
    unsigned lane_shift; /* a tile is 1 << lane_shift columns wide */
    uint32_t columns;    /* number of tiles in a row of tiles */
    uint32_t tile_count;
    void *cell_costs;     /* [tile][row][2][lane]: the factor of a cell times the cost of a
                           * straight step, and of a slanting one; NULL where factors are 1 */
    cn_tile_row *rows;    /* [tile][row] */
    cn_tile_sides *sides; /* [tile] */
    uint32_t *dirty;      /* [tile]: rows in which entries fell since the tile was last
                           * settled */
    uint32_t *queue;      /* a ring of tiles that wait, each at most once */
    uint32_t queue_mask;
    uint32_t queue_head;
    uint32_t queue_tail;
} cn_tiles;

/* The functions of an instruction set. */
typedef struct cn_tile_kernel {
    unsigned lane_shift;
    void (*start)(cn_tiles *tiles, const cairn_node *sources, size_t source_count);
    void (*spread)(cn_tiles *tiles);
    void (*spread_uneven)(cn_tiles *tiles, cn_way way);    /* along tiles->cell_costs */
    bool (*exceeds)(const cn_tiles *tiles, uint32_t cost); /* whether a reached cell costs more */
} cn_tile_kernel;

/* For entries of 16 and of 32 bits. Members are NULL where the build lacks the code. */
extern const cn_tile_kernel cn_tile_kernels_avx512[2];
extern const cn_tile_kernel cn_tile_kernels_avx2[2];
extern const cn_tile_kernel cn_tile_kernels_portable[2];

#endif
