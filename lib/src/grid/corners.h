/*
 * The cells of a uniform grid at which shortest paths may have to turn. A corner is an open cell
 * with a blocked diagonal neighbour between two open ones: where corners are not cut, runs stop
 * there and nowhere else. On most maps a few per cent of the open cells are corners, so data for
 * corners take a small part of what data for all cells would.
 *
 * A set of corners has a bit for each cell, and the number of corners before each word of bits, so
 * that a corner's number (its rank) is found by counting bits. Numbers go through one strip of 64
 * columns, a word wide, after another, and in a strip row by row: so what a search keeps by number
 * of corners near one another lies close together. A set never changes. Several owners may share
 * it, whose number is counted without a lock: only one thread at a time may share or free it. An
 * extension has all members of another set, under their numbers, and late ones behind them.
 *
 * A canonical run is a diagonal run, of any length, followed by a straight one in one of its two
 * directions. A shortest path that turns as early as possible consists of canonical runs from
 * corner to corner (docs/ALGORITHMS.md). So the costs of a cell follow from those of the corners
 * that see it: that reach it by one such run without another member of the set on it.
 */
#ifndef CN_GRID_CORNERS_H
#define CN_GRID_CORNERS_H

#include <stdatomic.h>

#include "grid/grid.h"

/* The end of a run. */
typedef struct cn_corner_arc {
    uint32_t label; /* the number of a corner; in the 4 bits above, the direction of arrival */
    cn_xy xy;
} cn_corner_arc;

enum { CN_CORNER_ARCS_FIRST = 6, CN_CORNER_CHUNKS = 64 };

/* The runs from a corner: straight ones by direction, then those that leave from diagonals, by the
 * direction of the diagonal and on it by their distance, as jumps find them. */
typedef struct cn_corner_runs {
    cn_xy xy;
    uint32_t more;          /* the place of those that are not here */
    uint8_t around;         /* openness around the cell, as in a grid */
    _Atomic(uint8_t) known; /* bit d: the arcs in direction d are here; written last; 0: nothing
                             * else may be read */
    uint8_t straight;       /* bit d: a run in the straight direction d ends at a corner */
    uint8_t ends[5]; /* how many runs there are up to the straight ones, and up to those from each
                      * diagonal */
    cn_corner_arc first[CN_CORNER_ARCS_FIRST];
} cn_corner_runs;

/* The arcs of a set, which are added while it is used. What is there does not move. */
typedef struct cn_corner_arcs {
    uint64_t hash; /* of the map whose runs they are */
    uint32_t count;
    unsigned chunk_shift; /* chunks have room for 1 << chunk_shift arcs */
    cn_corner_runs *runs; /* [count] by number */
    _Atomic(cn_corner_arc *) chunks[CN_CORNER_CHUNKS]; /* for those that no line has room for; NULL
                                                        * behind the last one */
    uint32_t more_count;                               /* places that are taken in chunks */
    _Atomic(bool) is_busy;                             /* a thread adds runs */
    cn_mem mem;
} cn_corner_arcs;

typedef struct cn_corners {
    uint32_t owners; /* each frees it once */
    uint32_t count;
    uint32_t width;
    uint32_t height;
    size_t stride;   /* words in a row, with zero words beside it, like grid.open_stride */
    uint64_t *marks; /* bit x % 64 of word y * stride + x / 64: the cell is in the set, and of an
                      * extension also open where runs are followed */
    const uint64_t *numbered; /* the same of all members that are not late; usually the marks */
    const uint32_t *before; /* by word: how many of these are in words that are numbered earlier */
    uint32_t late_from;     /* the number of the first late member; usually the count */
    cairn_node *nodes;      /* [count] by number; late ones ascend */
    uint64_t *memory;       /* the block that contains the marks */
    uint32_t *own_before;   /* NULL: those of another set */
    _Atomic(cn_corner_arcs *) arcs;    /* NULL until a search first needs some */
    const cn_corner_arcs *former_arcs; /* of an extension: those of the set; NULL: none */
    uint64_t *expired; /* with them, by number: bit i % 64 of word i / 64: those of member i
                        * may lead elsewhere now */
} cn_corners;

#define CN_NO_CORNER UINT32_MAX

/* How long `expired` is. */
static inline size_t cn_corners_expired_words(const cn_corners *corners)
{
    return (corners->late_from + 63u) / 64;
}

/* The set of the corners of a grid and some more open cells, in any order; `more` may be NULL. */
cairn_status cn_corners_new(const cn_grid *grid, const cn_mem *mem, const cairn_node *more,
                            size_t more_count, cn_corners **corners);

/* What cn_corners_new makes without more cells, made of the set of an earlier state of the grid,
 * since which only some cells have changed. */
cairn_status cn_corners_derive(const cn_corners *former, const cn_grid *grid, const cn_mem *mem,
                               const cairn_node *changed, size_t changed_count,
                               cn_corners **corners);

/* How many corners a grid has. */
uint32_t cn_corners_count(const cn_grid *grid);

/* Whether an open cell is a corner. */
bool cn_corners_is_at(const cn_grid *grid, cairn_node node);

/* An extension by `late` members, which ascend and are in the set not yet. It refers to the set,
 * which must exist as long. Its members are seen only where they are open on the given grid, which
 * is the one for cn_corners_seeing and cn_corners_around. */
cairn_status cn_corners_extend(const cn_corners *corners, const cn_grid *grid, const cn_mem *mem,
                               const cairn_node *late, size_t late_count, cn_corners **extension);

/* Lets an extension of a set tell which of the set's arcs still hold, after cells have changed
 * since these were found, or since `former`, another extension, told; that may be NULL. The grid is
 * the map's as it is now. Where very many cells changed, none is said to hold. CAIRN_E_MEMORY. */
cairn_status cn_corners_keep_arcs(cn_corners *extension, const cn_corners *corners,
                                  const cn_corners *former, const cn_grid *grid, const cn_mem *mem,
                                  const cairn_node *changed, size_t changed_count);

void cn_corner_arcs_free(cn_corner_arcs *arcs);
size_t cn_corner_arcs_memory(const cn_corner_arcs *arcs);

/* Makes one more owner of a set, which each frees. */
cn_corners *cn_corners_share(cn_corners *corners);
cairn_status cn_corners_clone(const cn_corners *corners, const cn_mem *mem, cn_corners **copy);
void cn_corners_free(cn_corners *corners, const cn_mem *mem);
size_t cn_corners_memory(const cn_corners *corners);

/* The bytes of a set of so many members that would be made now. */
uint64_t cn_corners_memory_of(const cn_grid *grid, uint32_t count);

/* The number of a late member; CN_NO_CORNER for other cells. */
uint32_t cn_corners_find_late(const cn_corners *corners, cairn_node node);

/* The number of the member of the set in column x and row y; CN_NO_CORNER for a cell that is not in
 * the set. */
CN_ALWAYS_INLINE uint32_t cn_corners_find(const cn_corners *corners, uint32_t x, uint32_t y)
{
    const size_t word = y * corners->stride + x / 64;
    const uint64_t numbered = corners->numbered[word];
    if (CN_LIKELY(numbered >> x % 64 & 1))
        return corners->before[word] + cn_count_bits(numbered & ((UINT64_C(1) << x % 64) - 1));
    if (CN_LIKELY(corners->late_from == corners->count))
        return CN_NO_CORNER;
    return cn_corners_find_late(corners, y * corners->width + x);
}

/* The number of the member that is this node. In loops cn_grid_xy and cn_corners_find are
 * faster. */
CN_ALWAYS_INLINE uint32_t cn_corners_find_node(const cn_corners *corners, cairn_node node)
{
    return cn_corners_find(corners, node % corners->width, node / corners->width);
}

/* Where the members of a set are that are not late, one after another by their numbers. */
typedef struct cn_corner_walk {
    cairn_node first; /* the first cell of the row */
    uint32_t y;
} cn_corner_walk;

/* The cell of the next member, without a division. */
CN_ALWAYS_INLINE cn_xy cn_corner_walk_to(cn_corner_walk *walk, uint32_t width, cairn_node node)
{
    if (node < walk->first)
        *walk = (cn_corner_walk){0, 0};
    for (; node - walk->first >= width; walk->y++)
        walk->first += width;
    return CN_XY_OF(node - walk->first, walk->y);
}

/* A member of the set that sees a cell, and the cost between them. */
typedef struct cn_seen_corner {
    uint32_t corner;
    cairn_cost cost;
} cn_seen_corner;

enum { CN_SEEN_MOST = 32 };

/* Receives the members that see a cell, at most so many at a time; one may come more than once. */
typedef void cn_corner_taker(void *context, const cn_seen_corner *seen, size_t count);

/* Finds all members that see an open cell. A member is seen only by itself. The grid must have the
 * same open cells as when the set was made or extended, and the costs of the metric. */
void cn_corners_seeing(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context);

/* Like cn_corners_seeing, but never the cell itself, which may be a member: finds the members from
 * which a shortest path to the cell may lead over no other member. */
void cn_corners_around(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                       cairn_node node, cn_corner_taker *take, void *context);

/* Finds all members from which a canonical run leads to the cell, over other members too; the cell
 * itself is one if it is a member. Of a blocked cell nothing else is found. Returns how many rows
 * of the map were walked, by many diagonals together. */
uint64_t cn_corners_in_sight(const cn_corners *corners, const cn_grid *grid, cairn_metric metric,
                             cairn_node node, cn_corner_taker *take, void *context);

/* The directions in which the runs of a corner are known; only then others may be read. */
CN_ALWAYS_INLINE unsigned cn_corner_known(const cn_corner_runs *runs)
{
    return atomic_load_explicit(&runs->known, memory_order_acquire);
}

/* The place of arcs that no line has room for; its chunk must exist. */
CN_ALWAYS_INLINE cn_corner_arc *cn_corner_more(const cn_corner_arcs *arcs, uint32_t place)
{
    cn_corner_arc *chunk = atomic_load_explicit(&arcs->chunks[place >> arcs->chunk_shift],
                                                memory_order_relaxed);
    return chunk + (place & ((1u << arcs->chunk_shift) - 1));
}

CN_ALWAYS_INLINE const cn_corner_arc *cn_corner_arc_at(const cn_corner_arcs *arcs,
                                                       const cn_corner_runs *runs, size_t i)
{
    return CN_LIKELY(i < CN_CORNER_ARCS_FIRST)
               ? &runs->first[i]
               : cn_corner_more(arcs, runs->more) + (i - CN_CORNER_ARCS_FIRST);
}

#endif
