/* Tables: rows of exact costs to landmarks. Part of cairn/cairn.h, which says what holds for all
 * of them. */
#ifndef CAIRN_TABLE_H
#define CAIRN_TABLE_H

#include "cairn/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of exact costs. Row k holds the cost to the nearest node of a *set* of landmarks, one in
 * each connected component, so that every component is served and memory does not grow with
 * their number. Rows are ordered best first: the first k rows are a good table of k rows. */
typedef struct cairn_table cairn_table;

typedef enum cairn_metric_choice {
    CAIRN_METRIC_OF_MAP = 0,  /* keep the map's metric */
    CAIRN_METRIC_COMPACT      /* give the map the finest known pair whose costs fit 16 bits; where
                               * none does, the coarsest, 5/7; of a graph: as CAIRN_METRIC_OF_MAP */
} cairn_metric_choice;

/* Where landmarks go. Every placement serves every component, and gives the same landmarks for the
 * same seed at any thread count. All but the first and the last two look at sampled queries, to
 * order the rows by what each saves beyond those before it. */
typedef enum cairn_placement {
    CAIRN_PLACE_FARTHEST = 0,  /* each landmark is the cell farthest from all earlier ones */
    CAIRN_PLACE_RANDOM,        /* any cells, every one as likely */
    CAIRN_PLACE_BORDER,        /* the farthest cell of each sector around the middle */
    CAIRN_PLACE_AVOID,         /* where the bound of the earlier ones is poor */
    CAIRN_PLACE_GREEDY,        /* those among many candidates that save most expansions */
    CAIRN_PLACE_REFINED,       /* farthest, then swapped for candidates while that saves more */
    CAIRN_PLACE_LIST           /* the caller's, then farthest */
} cairn_placement;

typedef struct cairn_build_options {
    size_t size;                         /* sizeof(cairn_build_options) */
    uint32_t landmark_count;             /* rows, or pairs of rows; 0: 16; at most CAIRN_ROWS_MAX
                                          * rows */
    uint32_t thread_count;               /* 0: one per processor */
    uint64_t seed;                       /* one seed, same table, at any thread count */
    cairn_placement placement;
    cairn_metric_choice metric;
    const cairn_progress *progress;      /* NULL: none */

    /* The queries that a placement with samples looks at: a spread of at most 256 of them. None:
     * random ones. Pairs without a path between them are passed over. */
    const cairn_query *pairs;
    size_t pair_count;

    /* How many candidates GREEDY and REFINED measure, one flood each: their budget of work, counted
     * instead of timed so that the result does not depend on the machine. 0: 512. */
    uint32_t candidate_count;

    /* The landmarks of LIST, open cells: the first of each component is in row 0, the second in
     * row 1, and so on. Rows beyond them are placed farthest-first. With landmark_count 0 there
     * are as many rows as listed cells. */
    const cairn_node *listed;
    size_t listed_count;

    /* A table that counts steps: its rows hold costs on the map without its terrain, every
     * straight step at `straight`, every diagonal one at `diagonal`, and every arc of a graph,
     * whose pair is 1/1, at 1. {1, 1} is breadth-first search. Searches multiply the rows' bound
     * by the least that such a step costs on the map: paths stay shortest, the bound is weaker.
     * In return entries are small, a table suits every map of the same steps whatever they cost,
     * and on grids the fast engines, the small files and the local repair of uniform maps serve
     * for terrain and for directed costs. With a map that was made apart from it such a table is
     * best used once (a search, a bound, a refresh) before cells of that map open or close: after
     * that it is one that is behind further than the journal reaches. {0, 0}: rows hold the costs
     * of the map. Not with CAIRN_METRIC_COMPACT. */
    cairn_metric flat_metric;
} cairn_build_options;

/* Places landmarks on the map and measures their rows. With CAIRN_METRIC_COMPACT the map takes
 * the metric that was chosen; otherwise the map is not changed. The table does not point into
 * the map, and is the caller's, for cairn_table_free. Entries are 16 bits wide where every cost
 * fits, else 32.
 *
 * CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX and for more rows than CAIRN_ROWS_MAX,
 * CAIRN_E_ARGUMENT for a listed cell that is not open, CAIRN_E_CANCELLED. The sources of the
 * placements are in docs/ALGORITHMS.md. */
CAIRN_API cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                                         cairn_table **table);

CAIRN_API void cairn_table_free(cairn_table *table);

/* Rows, two for each landmark set where costs are directed (see cairn_way); width of an entry. */
CAIRN_API uint32_t cairn_table_row_count(const cairn_table *table);
CAIRN_API uint32_t cairn_table_entry_bits(const cairn_table *table); /* 16 or 32 */

/* What the rows count in: the metric of the map, or the pair of a table that counts steps (see
 * cairn_build_options.flat_metric), which cairn_table_is_flat tells; such a table carries the hash
 * of its map without terrain in that metric. */
CAIRN_API cairn_metric cairn_table_metric(const cairn_table *table);
CAIRN_API bool cairn_table_is_flat(const cairn_table *table);
CAIRN_API uint64_t cairn_table_map_hash(const cairn_table *table);
CAIRN_API size_t cairn_table_memory(const cairn_table *table);       /* bytes */

/* The version of a table: a number that grows whenever anything is written into it, be it entries,
 * landmarks or the states of rows: with every refresh that has work to do, every rebuild and every
 * cairn_table_set_cost. A refresh of a fresh table leaves it. Used as cairn_map_version is. */
CAIRN_API uint64_t cairn_table_version(const cairn_table *table);

/* Which costs a row holds. On maps where a way and the way back cost the same, a row serves both;
 * on others rows come in pairs with the same landmarks, costs from them and costs to them, and a
 * build of n landmarks gives 2 n rows. */
typedef enum cairn_way {
    CAIRN_WAY_BOTH = 0,
    CAIRN_WAY_FROM,      /* from the nearest landmark to the node */
    CAIRN_WAY_TO         /* from the node to the nearest landmark */
} cairn_way;

/* For a row that the table has. */
CAIRN_API cairn_way cairn_table_way(const cairn_table *table, uint32_t row);

/* The landmarks of a row, one per component that has one, ascending; valid until something is
 * written into the table (cairn_table_version). Returns their number; 0 for a row that is not
 * there. */
CAIRN_API size_t cairn_table_landmarks(const cairn_table *table, uint32_t row,
                                       const cairn_node **landmarks);

/* The exact cost between an open node and the landmarks of a row; CAIRN_UNREACHABLE where there is
 * none. Entries of blocked cells mean nothing: they take no memory, and read as 0. */
CAIRN_API cairn_cost cairn_table_cost(const cairn_table *table, uint32_t row, cairn_node node);

/* Overwrites one entry, for tests and experiments: the table is then what the caller made it.
 * CAIRN_E_ARGUMENT for a row, a node or a cost that the table has no room for. */
CAIRN_API cairn_status cairn_table_set_cost(cairn_table *table, uint32_t row, cairn_node node,
                                            cairn_cost cost);

/* What a row is good for on its map as it is now. */
typedef enum cairn_row_state {
    CAIRN_ROW_FRESH = 0,  /* exact */
    CAIRN_ROW_WEAKER,     /* some costs rose: entries may be low, bounds hold, and are used */
    CAIRN_ROW_UNSAFE      /* some costs fell: left out of bounds until it is repaired */
} cairn_row_state;

/* The state of a row for the map, edits that the table has not taken yet included: until
 * cairn_refresh_step takes them and finds out which rows are safe, any cell that was blocked for
 * the table and is open makes all of them unsafe, and so does an open cell, or an arc, whose cost
 * changed. CAIRN_ROW_UNSAFE too for a row that does not exist and for a map that the table is not
 * of. */
CAIRN_API cairn_row_state cairn_table_row_state(const cairn_table *table, const cairn_map *map,
                                                uint32_t row);

/* A copy of its own, in the memory of the map that the table was made with. */
CAIRN_API cairn_status cairn_table_clone(const cairn_table *table, cairn_table **copy);

/* What cairn_table_verify found wrong. */
typedef struct cairn_fault {
    uint32_t row;
    cairn_node node;
    cairn_cost stored;
    cairn_cost possible;  /* what the neighbours (or a landmark) prove the entry should be at
                           * most; CAIRN_UNREACHABLE when nothing supports it */
} cairn_fault;

/* The certificate that every entry is exact: each entry is 0 at a landmark or is supported by a
 * neighbour (entry = neighbour's entry + cost of the step), no step can improve any entry, and
 * only unreachable cells are marked so. Together these prove that all entries are shortest-path
 * costs. Returns CAIRN_OK, CAIRN_E_MISMATCH (not a table of this map), or CAIRN_E_INEXACT with
 * *fault filled. `fault` may be NULL. `thread_count` 0: one per processor. */
CAIRN_API cairn_status cairn_table_verify(const cairn_table *table, const cairn_map *map,
                                          uint32_t thread_count, cairn_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
