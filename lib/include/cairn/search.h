/* Searches: shortest paths, one at a time, in steps, or many at once. Part of cairn/cairn.h,
 * which says what holds for all of them. */
#ifndef CAIRN_SEARCH_H
#define CAIRN_SEARCH_H

#include "cairn/bound.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_search cairn_search;

/* What a search moves along. All give paths of the same cost; they differ in time. */
typedef enum cairn_space {
    CAIRN_SPACE_AUTO = 0,   /* the fastest that is exact for the map's rule and costs */
    CAIRN_SPACE_CELLS,      /* every step */
    CAIRN_SPACE_CANONICAL,  /* of the steps that make paths of equal cost, one */
    CAIRN_SPACE_JUMP        /* jump points: straight and diagonal runs from turn to turn */
} cairn_space;

/* How much of a path is written out. */
typedef enum cairn_form {
    CAIRN_FORM_CELLS = 0,  /* corners and every cell */
    CAIRN_FORM_CORNERS     /* corners; cells only when cairn_search_cells asks for them */
} cairn_form;

/* What to do with rows that an edit made unsafe, until they are repaired. */
typedef enum cairn_stale {
    CAIRN_STALE_LEAVE_OUT = 0,  /* paths stay optimal */
    CAIRN_STALE_USE             /* for a few frames of speed: a path may then cost more than the
                                 * best one (path.state says so, path.guarantee how much at most),
                                 * and the search goes cell by cell, from its begin to its end.
                                 * Edits that the table has not taken yet leave all rows out. */
} cairn_stale;

/* Which of the nodes with the same f comes first. */
typedef enum cairn_ties {
    CAIRN_TIES_LAST = 0,   /* the one that was added last */
    CAIRN_TIES_FIRST,      /* the one that was added first */
    CAIRN_TIES_LARGER_G    /* the one farther from the start */
} cairn_ties;

typedef struct cairn_search_options {
    size_t size;                       /* sizeof(cairn_search_options) */
    /* A bound of the caller's own instead of plain distance and table: called once per discovered
     * node. It must never exceed the true cost, nor differ between neighbours by more than the
     * step costs (admissible and consistent). NULL: Cairn's own bound. */
    cairn_cost (*bound)(void *context, cairn_node node);
    void *bound_context;
    const cairn_allocator *allocator;  /* copied; NULL: the map's */
    cairn_space space;                 /* where it does not fit the map, cells are taken */
    cairn_form form;
    cairn_stale stale;
    /* Called with each node as it is expanded, for pictures: the search then moves along cells.
     * NULL: nothing is called. */
    void (*on_expand)(void *context, cairn_node node);
    void *expand_context;
    /* Any of the following but `nearest` leaves the fast spaces for one that takes every step. */
    cairn_plain plain;                 /* the plain distance beside the table's rows */
    uint32_t weight;                   /* of the bound, in thousandths from 1000; 0: 1000 */
    cairn_ties ties;
    bool nearest;                      /* where no path leads to the goal: one to the node that is
                                        * nearest to it by plain distance (CAIRN_PLAIN_BEST), of
                                        * those that the start leads to; of several, the one nearest
                                        * to the start, then the lowest. CAIRN_E_LIMIT as for any
                                        * other goal. The path is a shortest one: weight, stale
                                        * rows and bounds that may be too high are left out, and
                                        * the caller's own bound */
    bool resumable;                    /* for cairn_search_begin and cairn_search_resume */
    uint64_t expansion_limit;          /* pause after so many; 0: none; makes it resumable */
} cairn_search_options;

typedef enum cairn_outcome {
    CAIRN_PATH_FOUND = 0,
    CAIRN_PATH_NONE,           /* no path leads from start to goal */
    CAIRN_PATH_START_BLOCKED,
    CAIRN_PATH_GOAL_BLOCKED,
    CAIRN_PATH_NEAREST,        /* none leads to the goal: the path to the node nearest to it */
    CAIRN_PATH_PAUSED          /* the expansion limit was reached: cairn_search_resume goes on */
} cairn_outcome;

typedef struct cairn_path {
    cairn_outcome outcome;
    cairn_cost cost;          /* in the metric; CAIRN_UNREACHABLE when there is no path */
    double length;            /* straight steps + sqrt(2) * diagonal steps */
    const cairn_node *nodes;  /* from start to goal; borrowed until the next run or free */
    size_t node_count;        /* 0 when there is no path, or only corners are wanted */
    uint64_t expanded;        /* nodes taken from the open list and expanded */
    uint64_t generated;       /* nodes put on the open list */
    uint64_t open_peak;       /* most entries on the open list at once */
    const cairn_node *corners;  /* start, every cell where the direction changes, goal; borrowed */
    size_t corner_count;
    cairn_space space;        /* what the search moved along; never CAIRN_SPACE_AUTO */
    cairn_row_state state;    /* the worst state of the rows that were used. Where none was: UNSAFE
                               * when edits left none to be used (the path is then as short as
                               * without a table), else FRESH */
    uint32_t row_count;       /* how many rows were used */
    uint32_t guarantee;       /* of a path that was found: its cost is at most guarantee / 1000 of
                               * the least. 1000, or the weight; with a plain distance that is not
                               * admissible, or with unsafe rows, what can be told from a bound that
                               * holds; 0 where nothing is known */
    uint64_t reopened;        /* closed nodes that a cheaper way opened again; 0 with a bound that
                               * is consistent, and has no weight */
    uint64_t run;             /* of the search, from which the path is; private */
} cairn_path;

/* Makes a search over a map. `table` may be NULL: plain distance. Both must outlive the search;
 * they may be edited and refreshed between runs. Takes the memory that a run needs, once: 16 bytes
 * for each node, and what open list and paths grow to. CAIRN_E_MISMATCH for a table of another map:
 * one that differs from this in what edits leave as it is (size, rule, metric, terrain letters,
 * heights, the ends of arcs), or of cells or costs of arcs that this map never had. A table that is
 * only behind its map is no mismatch, however far. Where the journal of edits has lost its
 * beginning nobody knows what the map once was: then a table of any map that edits could have made
 * of it is taken for one that is behind.
 * (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost
 * paths", 1968; for what a search moves along see docs/ALGORITHMS.md.) */
CAIRN_API cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                                        const cairn_search_options *options,
                                        cairn_search **search);
CAIRN_API void cairn_search_free(cairn_search *search);

/* Lets the runs to come go over another map, which differs from the first in its cells or arc costs
 * alone, and along its table: a copy, or another state of a cairn_world. Nothing is cleared, and no
 * memory is taken but for planes of jump points and components that the map has not got yet: it
 * costs less than a tenth of a microsecond. Map and table must outlive the runs, the ones before
 * this call.
 * CAIRN_E_MISMATCH for a map that is not alike, CAIRN_E_MEMORY; the search then stays where it was.
 * A table of another map is found out by the next run. */
CAIRN_API cairn_status cairn_search_use(cairn_search *search, const cairn_map *map,
                                        const cairn_table *table);

/* A shortest path: A* with the best bound there is. A blocked end is an outcome, not an error;
 * CAIRN_E_ARGUMENT is for nodes that are not on the map. CAIRN_E_CHANGED where the map has taken
 * another metric since the search was made. CAIRN_E_LIMIT where a path leads to the
 * goal and costs more than CAIRN_COST_MAX. CAIRN_E_MEMORY when the open list could not grow. */
CAIRN_API cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                                        cairn_path *path);

/* A search that stops on the way, for options with `resumable`. begin leaves the start on the open
 * list; resume expands at most `expansions` more nodes. While there is more to do the outcome is
 * CAIRN_PATH_PAUSED. Counts in the path are those since begin.
 *
 * What a paused search knows is true of its map and table as they were when it began. resume
 * returns CAIRN_E_CHANGED, and does nothing, once one of them has another version
 * (cairn_map_version, cairn_table_version) or cairn_search_use led the search elsewhere: it is then
 * to begin again. A view of a cairn_world stays acquired until the search has ended.
 * CAIRN_E_ARGUMENT where no search is paused. */
CAIRN_API cairn_status cairn_search_begin(cairn_search *search, cairn_node start, cairn_node goal,
                                          cairn_path *path);
CAIRN_API cairn_status cairn_search_resume(cairn_search *search, uint64_t expansions,
                                           cairn_path *path);

typedef enum cairn_node_state {
    CAIRN_NODE_UNSEEN = 0,
    CAIRN_NODE_OPEN,
    CAIRN_NODE_CLOSED
} cairn_node_state;

/* What a search with any of the options after `form` but `nearest`, or on a map that is no uniform
 * grid of rule CAIRN_RULE_8, knows of a node. */
typedef struct cairn_node_info {
    cairn_node_state state;
    cairn_node parent;   /* of the start: itself; CAIRN_NO_NODE when unseen */
    cairn_cost g;
    cairn_cost h;        /* with its weight; CAIRN_UNREACHABLE: known to lead nowhere */
    uint64_t f;
} cairn_node_info;

/* Of the last run, or between two steps, whatever became of the map since. CAIRN_E_ARGUMENT for a
 * node that is not on the map. */
CAIRN_API cairn_status cairn_search_look(const cairn_search *search, cairn_node node,
                                         cairn_node_info *info);

/* Writes out the cells of the path of the last run of this search, when they are not there yet: on
 * any map, whatever the outcome. They are those of the path as it was found, whatever became of the
 * map since. CAIRN_E_ARGUMENT when the path is not that path, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_search_cells(cairn_search *search, cairn_path *path);

/* The answers to many queries. */
typedef struct cairn_batch cairn_batch;

/* Runs every query, over `thread_count` threads (0: one per processor) with a search each. The
 * bucket and the length of a query are not read. A bound of the caller's own is called from
 * several threads at once. Fails as a whole when one query does, with the status of one that did.
 * *batch is the caller's, for cairn_batch_free, before its map is freed. */
CAIRN_API cairn_status cairn_search_batch(const cairn_map *map, const cairn_table *table,
                                          const cairn_search_options *options,
                                          uint32_t thread_count, const cairn_query *queries,
                                          size_t query_count, cairn_batch **batch);
CAIRN_API void cairn_batch_free(cairn_batch *batch);

/* One path per query, in the order of the queries; they and their nodes belong to the batch. */
CAIRN_API const cairn_path *cairn_batch_paths(const cairn_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
