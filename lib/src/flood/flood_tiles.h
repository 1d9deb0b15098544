/*
 * The tile engines. The map is cut into tiles of one vector's lanes by TILE_ROWS rows, and
 * each tile's entries lie together, row after row. A tile is settled by sweeps of whole rows: down
 * and up for vertical and diagonal steps, along a row by doubling strides. Where entries on its
 * border fell, the neighbours are told and wait in a queue. Entries only ever fall, towards the one
 * fixpoint that Dijkstra's algorithm finds: the order of the work does not change the result.
 */
#ifndef CN_FLOOD_FLOOD_TILES_H
#define CN_FLOOD_FLOOD_TILES_H

#include "base/cpu.h"
#include "flood/flood_engine.h"

enum { CN_TILE_ROWS = 32, CN_TILE_ROWS_SHIFT = 5 };

/* One row of a tile, a bit per lane. The same two diagonals, shifted, tell of steps upwards. */
typedef struct cn_tile_row {
    uint32_t open;
    uint32_t from_left;   /* a step leads here from the row above, one column to the left */
    uint32_t from_right;  /* the same from the right; only between lanes of this tile */
} cn_tile_row;

/* Steps out of a tile over its left and right side, a bit per row they start from. */
typedef struct cn_tile_sides {
    uint32_t left, left_down, left_up;
    uint32_t right, right_down, right_up;
} cn_tile_sides;

enum { CN_TILE_LIVE = 1, CN_TILE_QUEUED = 2 };

typedef struct cn_tiles {
    cn_plane_memory plane;   /* costs: [tile][row][lane], unwritten unless the tile is live; live:
                              * [tile], of the flags above */
    const cairn_map *map;
    unsigned bits;
    unsigned lane_shift;     /* a tile is 1 << lane_shift columns wide */
    uint32_t columns;        /* of tiles */
    uint32_t tile_count;
    cn_tile_row *rows;       /* [tile][row] */
    cn_tile_sides *sides;    /* [tile] */
    uint32_t *dirty;         /* [tile]: rows that fell since the tile was last settled */
    uint32_t *queue;         /* a ring of waiting tiles, each at most once */
    uint32_t queue_mask;
    uint32_t queue_head;
    uint32_t queue_tail;
} cn_tiles;

/* What an instruction set brings along. */
typedef struct cn_tile_kernel {
    unsigned lane_shift;
    void (*start)(cn_tiles *tiles, const cairn_node *sources, size_t source_count);
    void (*spread)(cn_tiles *tiles);
    bool (*exceeds)(const cn_tiles *tiles, uint32_t cost);  /* some reached cell costs more */
} cn_tile_kernel;

/* For entries of 16 and of 32 bits; NULL members where the build has no such code. */
extern const cn_tile_kernel cn_tile_kernels_avx512[2];
extern const cn_tile_kernel cn_tile_kernels_avx2[2];
extern const cn_tile_kernel cn_tile_kernels_portable[2];

#endif
