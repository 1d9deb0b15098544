/*
 * The tile engines. The map is divided into tiles, as wide as a vector has lanes and CN_TILE_ROWS
 * high, and the entries of each tile lie together, row after row. A tile is settled by sweeps over
 * whole rows: downwards and upwards for vertical and diagonal steps, along a row by strides that
 * double. Over terrain vectors hold what the cells at the ends of steps cost, and on rough ground
 * what slopes add, and which steps one-way cells allow. Where entries at the border of a tile fell,
 * the neighbouring tiles are marked as dirty and wait in buckets by the least cost that fell there
 * (Meyer and Sanders, "Delta-stepping", 2003). Entries only ever fall, towards the unique fixpoint
 * that Dijkstra's algorithm finds, so the order of the work does not change the result; but in the
 * order of their costs tiles are visited less often, and those that wait lie near each other.
 */
#ifndef CN_FLOOD_FLOOD_TILES_H
#define CN_FLOOD_FLOOD_TILES_H

#include "base/bits.h"
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

/* A tile that waits for its visit is in the list of one bucket. */
typedef struct cn_tile_wait {
    uint32_t dirty;    /* rows in which entries fell since the tile was last settled */
    uint32_t bucket;   /* 0: the tile does not wait */
    uint32_t next;     /* in the list of the bucket; of the last tile: the first */
    uint32_t previous; /* of the first tile: the last */
} cn_tile_wait;

/* Lists of tiles by cost, in a ring: waiting tiles are in buckets `now` to now + BUCKETS - 1. */
enum { CN_TILE_BUCKETS = 64 };
typedef struct cn_tile_queue {
    unsigned shift;                  /* a bucket holds 1 << shift costs */
    uint32_t now;                    /* the number of the bucket that is being emptied, from 1 */
    uint64_t filled;                 /* bit i: the list at place i of the ring is not empty */
    uint32_t first[CN_TILE_BUCKETS]; /* tiles, by place in the ring */
} cn_tile_queue;

typedef struct cn_tiles {
    cn_plane_memory plane; /* costs: [tile][row][lane], not initialised unless the tile is live;
                            * live: [tile], 1 or 0 */
    const cairn_map *map;
    unsigned bits;
    unsigned lane_shift; /* a tile is 1 << lane_shift columns wide */
    uint32_t columns;    /* number of tiles in a row of tiles */
    uint32_t tile_count;
    void *cell_costs;     /* [tile][row][2][lane]: the factor of a cell times the cost of a
                           * straight step, and of a slanting one; NULL where steps are even */
    void *slopes;         /* [tile][row][2][lane]: how far a cell lies above the lowest, times the
                           * cost of a unit up, and times that of a unit down; NULL: level */
    uint32_t *exits;      /* [tile][row][direction], a bit per lane: the cells that may be left in
                           * a direction; on hexagons "south" and "north" are the steps to the same
                           * column; NULL where no cell is one-way */
    cn_tile_row *rows;    /* [tile][row] */
    cn_tile_sides *sides; /* [tile] */
    cn_tile_wait *waits;  /* [tile] */
    cn_tile_queue queue;
    uint64_t visits_left;   /* of tiles, before the flood pauses */
    uint32_t most_crossing; /* the greatest cost that a step from tile to tile has led to */
} cn_tiles;

CN_ALWAYS_INLINE void cn_tile_enqueue(cn_tiles *tiles, uint32_t tile, uint32_t bucket)
{
    cn_tile_queue *queue = &tiles->queue;
    cn_tile_wait *wait = &tiles->waits[tile];
    const unsigned place = bucket % CN_TILE_BUCKETS;

    wait->bucket = bucket;
    wait->next = wait->previous = tile;
    if (queue->filled >> place & 1) {
        wait->next = queue->first[place];
        wait->previous = tiles->waits[wait->next].previous;
        tiles->waits[wait->previous].next = tile;
        tiles->waits[wait->next].previous = tile;
        return;
    }
    queue->filled |= UINT64_C(1) << place;
    queue->first[place] = tile;
}

CN_ALWAYS_INLINE void cn_tile_dequeue(cn_tiles *tiles, uint32_t tile)
{
    cn_tile_queue *queue = &tiles->queue;
    cn_tile_wait *wait = &tiles->waits[tile];
    const unsigned place = wait->bucket % CN_TILE_BUCKETS;

    if (wait->next == tile)
        queue->filled ^= UINT64_C(1) << place;
    else if (queue->first[place] == tile)
        queue->first[place] = wait->next;
    tiles->waits[wait->previous].next = wait->next;
    tiles->waits[wait->next].previous = wait->previous;
    wait->bucket = 0;
}

/* Some entries of a tile have fallen, the least of them to `cost`. */
CN_ALWAYS_INLINE void cn_tile_wake(cn_tiles *tiles, uint32_t tile, uint32_t rows, uint32_t cost)
{
    cn_tile_queue *queue = &tiles->queue;
    cn_tile_wait *wait = &tiles->waits[tile];
    const uint32_t last = queue->now + CN_TILE_BUCKETS - 1;
    uint32_t bucket = (cost >> queue->shift) + 1;

    bucket = bucket < queue->now ? queue->now : bucket > last ? last : bucket;
    wait->dirty |= rows;
    if (wait->bucket && wait->bucket <= bucket)
        return;
    if (wait->bucket)
        cn_tile_dequeue(tiles, tile);
    cn_tile_enqueue(tiles, tile, bucket);
}

/* The tile that has waited longest in the lowest bucket; false when none waits. */
CN_ALWAYS_INLINE bool cn_tile_next(cn_tiles *tiles, uint32_t *tile)
{
    cn_tile_queue *queue = &tiles->queue;
    const unsigned place = queue->now % CN_TILE_BUCKETS;

    if (!queue->filled)
        return false;
    if (!(queue->filled >> place & 1))
        queue->now += cn_lowest_bit(queue->filled >> place | queue->filled << 1 << (63 - place));
    *tile = queue->first[queue->now % CN_TILE_BUCKETS];
    cn_tile_dequeue(tiles, *tile);
    return true;
}

/* Leaves a tile that was to be next, and those that still wait, as they are. */
CN_ALWAYS_INLINE void cn_tile_give_up(cn_tiles *tiles, uint32_t tile)
{
    do
        tiles->waits[tile].dirty = 0;
    while (cn_tile_next(tiles, &tile));
}

/* All entries below it are final: a tile waits in the bucket of what fell in it, or in an earlier
 * one. */
CN_ALWAYS_INLINE uint64_t cn_tile_floor(const cn_tile_queue *queue)
{
    return (uint64_t)(queue->now - 1) << queue->shift;
}

/* The functions of an instruction set. */
typedef struct cn_tile_kernel {
    unsigned lane_shift;
    void (*start)(cn_tiles *tiles, const cairn_node *sources, size_t source_count);
    void (*spread)(cn_tiles *tiles, cn_flood_end *end);
    void (*spread_uneven)(cn_tiles *tiles, cn_flood_end *end, cn_way way); /* along cell_costs */
    void (*spread_rough)(cn_tiles *tiles, cn_flood_end *end, cn_way way);  /* and slopes, exits */
    bool (*exceeds)(const cn_tiles *tiles, uint32_t cost); /* whether a reached cell costs more */
} cn_tile_kernel;

/* By cn_cpu, for entries of 16 and of 32 bits. Members are NULL where the build lacks the code. */
extern const cn_tile_kernel cn_tile_kernels[CN_CPU_LEVELS][2];

#endif
