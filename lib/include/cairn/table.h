/* Tables: rows of exact costs to landmarks. Part of cairn/cairn.h, which has the conventions of all
 * calls. */
#ifndef CAIRN_TABLE_H
#define CAIRN_TABLE_H

#include "cairn/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of exact costs. Each row has a *set* of landmarks, one in each connected component, and
 * holds for every node the cost to the nearest of them. So a row serves every component, and memory
 * does not grow with the number of components. Rows are ordered best first: the first k rows are a
 * good table of k rows. */
typedef struct cairn_table cairn_table;

typedef enum cairn_metric_choice {
    CAIRN_METRIC_OF_MAP = 0, /* keep the map's metric */
    CAIRN_METRIC_COMPACT     /* give the map the finest of a few metrics whose costs fit 16 bits; if
                              * there is none, the coarsest, 5/7; graphs keep their metric */
} cairn_metric_choice;

/* Where landmarks go. Every placement serves every component, takes (but for LIST) no cell twice
 * while others are left, and gives the same landmarks for the same seed at any thread count. RANDOM
 * to REFINED examine sampled queries, to order rows by what each saves beyond those before it. */
typedef enum cairn_placement {
    CAIRN_PLACE_AUTO = 0, /* FARTHEST on grids; on graphs REFINED with 64 candidates */
    CAIRN_PLACE_FARTHEST, /* each landmark is the cell farthest from all earlier ones */
    CAIRN_PLACE_RANDOM,   /* cells at random, all equally likely */
    CAIRN_PLACE_BORDER,   /* the farthest cell of each sector around the middle; FARTHEST on graphs
                           * without coordinates */
    CAIRN_PLACE_AVOID,    /* where the bound by earlier landmarks is poor; if nowhere, FARTHEST */
    CAIRN_PLACE_GREEDY,   /* those among many candidates that save most expansions */
    CAIRN_PLACE_REFINED,  /* FARTHEST, then exchanged for candidates while that saves more */
    CAIRN_PLACE_LIST      /* the caller's list, then FARTHEST */
} cairn_placement;

/* For which cells a table has entries in memory, which decides how much memory it takes and what it
 * can do. The file of a table does not depend on it.
 *
 * Corners are open cells with a blocked diagonal neighbour between two open neighbours: a few per
 * cent of all cells. Landmarks count as corners, too. A table of corners, and a search along it,
 * take a small part of the memory that they take with all cells, unless most cells are corners, and
 * searches are still exact. The entries of any other cell are computed from the corners that see
 * it. This takes some tenths of a microsecond for the goal of a search. For each node that is given
 * to cairn_bound_at it takes time by the area in sight: one or two microseconds on maps of games,
 * and 0.07 ms on open ground of 1000 x 1000 cells. The search that first expands a corner finds
 * where the runs from it end, which takes about as long as expanding it without a table, and keeps
 * the result in the table, for all searches.
 *
 * Tables of corners are for grids with 8 neighbours, uniform costs and no cutting of corners, and
 * cannot count steps; otherwise the result is CAIRN_E_RESIDENT. Saving one writes the same file as
 * for a table of all cells, and computes every row again for this.
 *
 * After an edit of the map, searches and bounds use all rows of such a table, as they do with all
 * cells, even if cells have opened (CAIRN_ROW_WEAKER). If edits have made more new corners than the
 * table had when it was made, and more than 8, no row is used until the table is refreshed: make it
 * when the map has its walls. cairn_refresh_step computes all rows again. Among pillars in rows and
 * columns, where very many runs lead from each corner, searches along jump points use none. From
 * cell to cell rows are read at corners alone (CAIRN_SPACE_CELLS). */
typedef enum cairn_resident {
    CAIRN_RESIDENT_CELLS = 0, /* every cell */
    CAIRN_RESIDENT_CORNERS
} cairn_resident;

/* Several processes that build one table together, each with the same map and options and a rank of
 * its own. They divide among them the candidates and sampled queries of a placement, and the rows.
 * The callbacks connect the processes: all call them in the same order, each from one thread at a
 * time, and wait in them for one another.
 *
 * - `agree` takes the status of each process so far, and returns the same status to all: CAIRN_OK
 *   if all gave CAIRN_OK, else the status of the lowest rank that gave another. After any result
 *   but CAIRN_OK, no callback is called again. Every call ends with `agree`, so that no process
 *   waits in vain for one that has failed.
 * - `share` takes an array of `count` items in each process, of which rank r has filled in those
 *   from count * r / processes to count * (r + 1) / processes; afterwards every process has all
 *   items.
 * - `collect` brings the `size` bytes at `mine` of each process to rank 0, whose `all` has room for
 *   them at starts[0], starts[1] ...; `all` and `starts` are NULL in the others.
 *
 * The last two return CAIRN_OK, or what went wrong, in all processes alike. If a process ends
 * early, the callbacks of the others must return, or these processes must end, too. Numbers must
 * have the same form in memory (byte order) on all machines. */
typedef struct cairn_team {
    uint32_t processes;
    uint32_t rank; /* below `processes` */
    cairn_status (*agree)(void *context, cairn_status status);
    cairn_status (*share)(void *context, void *items, size_t item_size, size_t count);
    cairn_status (*collect)(void *context, const void *mine, size_t size, void *all,
                            const size_t *starts);
    void *context;
} cairn_team;

typedef struct cairn_build_options {
    size_t size;             /* sizeof(cairn_build_options) */
    uint32_t landmark_count; /* sets of landmarks: a row for each or, where costs are directed, a
                              * pair (cairn_direction); 0: 16; at most CAIRN_ROWS_MAX rows */
    uint32_t thread_count;   /* 0: by processors and work */
    uint64_t seed;           /* the same seed gives the same table */
    cairn_placement placement;
    cairn_metric_choice metric;
    const cairn_progress *progress; /* NULL: none */

    /* The queries for placements that examine samples; these use at most 256 of them, evenly spread
     * over the array. None: random queries. Pairs off the map or without a path are skipped. */
    const cairn_query *pairs;
    size_t pair_count;

    /* How many candidates GREEDY and REFINED evaluate, each by computing all costs from it. This
     * limits their work by a count instead of a time, so that the result does not depend on the
     * machine. 0: 512, of AUTO 64; at most CAIRN_CANDIDATES_MAX. */
    uint32_t candidate_count;

    /* The landmarks of LIST, open cells: the first of each component is in row 0, the second in
     * row 1, and so on, as far as there are rows. Rows beyond them are placed farthest-first. With
     * landmark_count 0 there are as many sets of landmarks as listed cells, 16 if none is listed.
     * None for other placements. */
    const cairn_node *listed;
    size_t listed_count;

    /* {0, 0}: rows hold costs of the map. Otherwise the table *counts steps*: its rows hold costs
     * on the step map, which has the same steps as the map, every straight step at `straight` and
     * every diagonal one at `diagonal`; on a graph every arc costs 1, and the pair must be {1, 1}.
     * Searches multiply the bound of such rows by the least that a step costs on the map: paths
     * stay shortest, but the bound is weaker. In return entries are small, the table fits every map
     * with the same steps whatever they cost, and grids with terrain or directed costs get the
     * fast engines, the small files and the local repair of uniform maps. When such a table is to
     * be used with a map other than the one it was built or loaded with, use it once (for a search,
     * a bound or a refresh) before cells of that map open or close; otherwise the journal of the
     * map does not cover these edits and all rows have to be rebuilt. For a map whose steps cost
     * just this, rows hold costs of the map as with {0, 0}: the table counts no steps. Not with
     * CAIRN_METRIC_COMPACT. */
    cairn_metric step_metric;

    cairn_resident resident; /* of the table in memory; cairn_build_file makes none */

    /* For cairn_build_file alone: which part of the table to build, from 1, of how many. The file
     * has a few of the rows, one after another; cairn_merge makes the whole table of all parts. The
     * build of each part places all landmarks, which takes long if rows have to be computed for
     * that: cairn_landmarks_place does it once for all parts. {0, 0}: the whole table.
     * CAIRN_E_ARGUMENT for more parts than landmark_count, since each has at least a row. */
    uint32_t part;
    uint32_t part_count;

    /* For cairn_build_file and cairn_landmarks_place alone: processes that make the same call. Rank
     * 0 writes the file, and all processes get the landmarks; both are the same as from a single
     * process, byte for byte. Each process has in memory what it needs for its own rows, and rank 0
     * also all packed rows. When something fails in one process, all return its status;
     * CAIRN_E_MISMATCH where their maps or options differ. Not with `part`. NULL: this process
     * alone. */
    const cairn_team *team;

    /* For cairn_build_file alone: bytes that it may take together with the map. As many rows as fit
     * are in flight at the same time, each computed and packed by a thread. If not even one fits,
     * the result is CAIRN_E_LIMIT before any work. Packed rows are kept until the end. For those
     * packed as seeds a bit per entry is counted, several times what they take on game maps; for
     * others the size of their entries. 0: no limit. */
    uint64_t memory_limit;
} cairn_build_options;

/* Places landmarks on the map and computes their rows. With CAIRN_METRIC_COMPACT the map is set to
 * the metric that was chosen; otherwise the map is not changed. The table does not point into the
 * map. The caller frees it with cairn_table_free. Entries have 16 bits where all fit, else 32.
 *
 * CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX, for more rows than CAIRN_ROWS_MAX and for more
 * candidates than CAIRN_CANDIDATES_MAX, CAIRN_E_ARGUMENT for a listed cell that is not open, for a
 * list with another placement than LIST, and for options that are for cairn_build_file alone,
 * CAIRN_E_RESIDENT, CAIRN_E_CANCELLED. The sources of the placements are in docs/ALGORITHMS.md. */
CAIRN_API cairn_status cairn_table_build(cairn_map *map, const cairn_build_options *options,
                                         cairn_table **table);

/* Frees the table. Its searches must be freed before, and bounds on it must not be used afterwards;
 * it may be freed before or after its map. */
CAIRN_API void cairn_table_free(cairn_table *table);

/* Places the landmarks of the table that a build with these options would make, without making the
 * table: those of row 0, then those of row 1, and so on; those of a pair of rows only once. With
 * them as the list of CAIRN_PLACE_LIST, and the same number of rows, a build on this map gives the
 * same table, and no row waits for another, so that parts of it can be built at the same time.
 * Takes the memory of a row or two and, if landmarks depend on earlier rows, the time to compute
 * these. With CAIRN_METRIC_COMPACT the map is set to the metric that was chosen. The caller frees
 * *nodes with cairn_nodes_free, which gets the same map, before that is freed. Returns what
 * cairn_table_build would, but where no row is computed for this, a cost above CAIRN_COST_MAX is
 * found by the build alone. */
CAIRN_API cairn_status cairn_landmarks_place(cairn_map *map, const cairn_build_options *options,
                                             cairn_node **nodes, size_t *count);
CAIRN_API void cairn_nodes_free(const cairn_map *map, cairn_node *nodes);

/* The number of rows, two for each set of landmarks where costs are directed (see cairn_direction),
 * and the width of an entry. */
CAIRN_API uint32_t cairn_table_row_count(const cairn_table *table);
CAIRN_API uint32_t cairn_table_entry_bits(const cairn_table *table); /* 16 or 32 */

/* For which cells the table has entries, and whether a node, also a blocked one, is among them. */
CAIRN_API cairn_resident cairn_table_resident(const cairn_table *table);
CAIRN_API bool cairn_table_holds(const cairn_table *table, cairn_node node);

/* The metric of the rows: that of the map or, in a table that counts steps, the step_metric of
 * cairn_build_options; whether the table counts steps; and the hash of the map that its rows are
 * exact for (cairn_map_hash), which is that of the step map where it counts steps. */
CAIRN_API cairn_metric cairn_table_metric(const cairn_table *table);
CAIRN_API bool cairn_table_counts_steps(const cairn_table *table);
CAIRN_API uint64_t cairn_table_map_hash(const cairn_table *table);

/* The bytes that the table has taken from its allocator, without what refreshing keeps. It grows
 * while searches add to a table of corners what they find about each corner, and by the gates that
 * searches and bounds make for a map with edits that the table lacks; these go when that map or the
 * table changes or is freed. Any thread may call this while none changes the table. */
CAIRN_API size_t cairn_table_memory(const cairn_table *table);

/* The version of a table: a number that grows whenever entries, landmarks or states of rows are
 * written, that is, with every refresh that does some work, every rebuild and every
 * cairn_table_set_cost. A refresh of a fresh table, and a step that waits, do not change it. For
 * the same uses as cairn_map_version; never 0. */
CAIRN_API uint64_t cairn_table_version(const cairn_table *table);

/* The direction of the costs in a row. On maps where a path and its reverse cost the same, a row
 * serves for both; on others rows come in pairs with the same landmarks, costs from them and costs
 * to them, and a build of n landmarks gives 2 n rows. */
typedef enum cairn_direction {
    CAIRN_DIRECTION_BOTH = 0,
    CAIRN_DIRECTION_FROM, /* from the nearest landmark of the row to the node */
    CAIRN_DIRECTION_TO    /* from the node to the nearest landmark of the row */
} cairn_direction;

/* The direction of a row, which must exist. */
CAIRN_API cairn_direction cairn_table_direction(const cairn_table *table, uint32_t row);

/* The landmarks of a row in ascending order, one per component that has one; valid until something
 * is written into the table (cairn_table_version). Returns how many; 0 for no row of the table. */
CAIRN_API size_t cairn_table_landmarks(const cairn_table *table, uint32_t row,
                                       const cairn_node **landmarks);

/* The entry of a row for an open node: the cost between it and the nearest landmark of the row, or
 * CAIRN_UNREACHABLE where there is no path. For a blocked cell it means nothing: mostly 0, or the
 * cost before the cell was closed. 0 for a node that a table of corners does not hold,
 * CAIRN_UNREACHABLE for a row or a node that does not exist. */
CAIRN_API cairn_cost cairn_table_cost(const cairn_table *table, uint32_t row, cairn_node node);

/* All entries of a row: `costs` receives one for each node of the map, CAIRN_UNREACHABLE also for
 * the cells that are blocked on it now. A table that lacks edits has its entries as they were;
 * those of cells that were blocked then mean nothing. CAIRN_E_ARGUMENT for a row that does not
 * exist, CAIRN_E_MISMATCH for the table of another map, CAIRN_E_RESIDENT for a table of corners:
 * cairn_costs_from the landmarks of the row, or cairn_costs_to, gives the costs of all cells. */
CAIRN_API cairn_status cairn_table_row(const cairn_table *table, const cairn_map *map, uint32_t row,
                                       cairn_cost *costs);

/* Overwrites one entry, for tests and experiments. After that nothing is promised about bounds and
 * paths. CAIRN_E_ARGUMENT for a row or a node that the table does not hold, and for a cost that its
 * entries cannot hold. */
CAIRN_API cairn_status cairn_table_set_cost(cairn_table *table, uint32_t row, cairn_node node,
                                            cairn_cost cost);

/* How far a row is valid on its map as the map is now. */
typedef enum cairn_row_state {
    CAIRN_ROW_FRESH = 0, /* exact */
    CAIRN_ROW_WEAKER,    /* some costs rose, or landmarks moved: entries may be too low, or those of
                          * former landmarks; bounds use it and are still right */
    CAIRN_ROW_UNSAFE     /* some costs may have fallen: until it is repaired, its entries alone
                          * prove nothing; bounds and searches use it by gates, or leave it out */
} cairn_row_state;

/* The state of a row on the map, including edits that have not been applied to the table yet. Until
 * cairn_refresh_step applies them and finds out which rows they affect, one cell that has opened is
 * enough to make all rows unsafe, and so is one open cell, or one arc, whose cost has fallen:
 * searches compare costs with entries. Other edits make them weaker. In a table that counts steps
 * only cells that open or close count. CAIRN_ROW_UNSAFE also for a row that does not exist and for
 * another map's table. */
CAIRN_API cairn_row_state cairn_table_row_state(const cairn_table *table, const cairn_map *map,
                                                uint32_t row);

/* An independent copy, from the allocator of the map that the table was made with. What it lacks of
 * an edited map it knows by the journal alone (cairn_map_edit). CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_table_clone(const cairn_table *table, cairn_table **copy);

/* What cairn_table_verify found wrong. */
typedef struct cairn_fault {
    uint32_t row;
    cairn_node node;
    cairn_cost stored;
    cairn_cost possible; /* the least cost that the entries of neighbours, or a landmark, give;
                          * CAIRN_UNREACHABLE when none gives a cost */
} cairn_fault;

/* Proves that every entry is exact, by three checks: each entry is 0 at a landmark or is supported
 * by a neighbour (entry = neighbour's entry + cost of the step), no step improves any entry, and
 * only unreachable cells are marked so. Together these prove that all entries are shortest-path
 * costs. Returns CAIRN_OK, CAIRN_E_MISMATCH (not a table of this map), CAIRN_E_STALE (edits of the
 * map have not been applied to it), or CAIRN_E_INEXACT with *fault filled; for a table of corners
 * also CAIRN_E_LIMIT where a cost is above CAIRN_COST_MAX. `fault` may be NULL. `thread_count` 0:
 * by processors and work. */
CAIRN_API cairn_status cairn_table_verify(const cairn_table *table, const cairn_map *map,
                                          uint32_t thread_count, cairn_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
