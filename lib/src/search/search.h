/* The public search handle, shared by the files of the search. */
#ifndef CN_SEARCH_SEARCH_H
#define CN_SEARCH_SEARCH_H

#include "search/grid_searchers.h"

enum {
    CN_SAFE_LANES = CAIRN_ROWS_MAX + 16,
    CN_WEIGHT_ONE = 1000  /* weights are in thousandths */
};

typedef struct cn_nodes {
    cairn_node *items;
    size_t count;
    size_t capacity;
} cn_nodes;

struct cairn_search {
    const cairn_map *map;
    const cairn_table *table;
    cairn_search_options options;
    cn_mem mem;
    cairn_metric metric;      /* of the map when the open list was made */
    cairn_space space;        /* what options.space came to */
    cn_cpu cpu;
    const cn_searchers *searchers;
    cn_searcher searcher;     /* of them, for the present run */
    bool is_general;          /* search_general.c serves: another map, or options ask for it */
    bool is_consistent;       /* its bound never falls by more than an arc costs */
    uint32_t guarantee;       /* of its bound; 0: not known, the bound may be too high */
    bool is_stale;            /* the present run uses rows that are not safe: see use_stale_rows */
    uint64_t run;             /* counts the runs, so that paths can be told apart */
    uint64_t map_version;     /* of the map that the present run is on; 0: of none */
    uint64_t table_version;
    cairn_path begun;         /* what the path says from the beginning of the run: which rows */
    uint32_t rise;            /* the most by which f grows along one arc, as a rule */
    uint64_t rise_hash;       /* of the map that it was found for */
    cairn_node asked;         /* the goal of the caller; the trip's own is the nearest node where no
                               * path leads there */
    cn_query query;
    const cairn_map *row_map; /* whose costs the table holds */
    cn_trust trust;           /* of the table, in the present run */
    cn_open_list heap;        /* serves instead of the open list while is_stale */
    uint32_t above[CN_SAFE_LANES];  /* the goal's row where only some rows are safe */
    uint32_t below[CN_SAFE_LANES];
    cn_scratch scratch;
    cn_steps *steps;          /* [CN_STEP_SETS]; NULL where cells do not serve */
    cn_nodes points;          /* the last path as the records have it */
    cn_nodes corners;         /* and where it turns */
    cn_nodes cells;           /* and every cell of it */
};

/* ------------------------------------------------------------------------- search_state.c -- */

/* With these options a heap is needed: buckets want keys that never fall, and have one order. */
bool cn_search_needs_heap(const cairn_search *search);

/* The least shift of keys that fits a range of them into a ring. */
unsigned cn_search_shift_into(uint32_t range, uint32_t buckets);

/* The base heuristic from the start to the goal. */
cairn_cost cn_search_base_from_start(const cairn_search *search);

/* Makes ready for a run below a limit of cost: nothing is known of any node. */
void cn_search_next(cairn_search *search, cairn_cost limit);

/* ------------------------------------------------------------------------ search_follow.c -- */

/* The searches with rows, compiled for a processor. */
const cn_searchers *cn_searchers_for(cn_cpu cpu);

/* The compiled search for space and rows as they are now. */
cn_searcher cn_search_choose(const cairn_search *search);

/* 0 without a table. */
uint64_t cn_search_table_version(const cairn_table *table);

/* The table may have been refreshed since the last run, and the map edited. Searches that pause
 * have a heap, whatever arcs cost. */
cairn_status cn_search_follow(cairn_search *search);

/* -------------------------------------------------------------------------- search_rows.c -- */

/* The goal's entries as the kernels take them. */
void cn_search_prepare_rows(cairn_search *search);

/* Makes a run use all rows, or lets the runs to come do without unsafe ones. The bound is not
 * consistent then: only a heap and a search that may reopen nodes will do. All of it stays in place
 * until the next run begins, since this one may pause. */
void cn_search_use_stale_rows(cairn_search *search, bool wanted);
bool cn_search_wants_stale_rows(const cairn_search *search);

/* Which rows take part, and how good they are. */
void cn_search_report_rows(const cairn_search *search, cairn_path *path);

/* How much longer a path of this cost may be than the shortest, in thousandths; 0: not known. */
uint32_t cn_search_guarantee(const cairn_search *search, cairn_cost cost);

/* Whether the rows prove that no path leads from start to goal; *upper receives the cost of a way
 * over a landmark, which only rows in costs of the map know. */
bool cn_search_rows_settle(const cairn_search *search, cairn_node start, cairn_node goal,
                           cairn_cost *upper);

/* Whether rows do not raise the bound on the start. */
bool cn_search_rows_are_mute(const cairn_search *search);

void cn_search_leave_out_rows(cairn_search *search, cairn_path *path);

/* ------------------------------------------------------------------------------ other files -- */

/* The node nearest to the goal that was asked for, of those that the start leads to: what
 * cairn_search_options.nearest says (search_nearest.c). CAIRN_E_MEMORY. */
cairn_status cn_search_nearest(cairn_search *search, cairn_node *nearest);

/* Visits all that the start leads to, whatever it costs, with its stack in the records, until it
 * comes to `node`; returns whether it did. The records then know what was visited
 * (search_general.c). */
bool cn_search_walk(cairn_search *search, cairn_node node);

/* Reads the path to the goal of the last run out of the records. */
cairn_status cn_search_trace(cairn_search *search, cairn_path *path);

#endif
