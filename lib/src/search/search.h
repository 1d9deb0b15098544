/* The public search handle, shared by the files of the search. */
#ifndef CN_SEARCH_SEARCH_H
#define CN_SEARCH_SEARCH_H

#include "search/grid_searchers.h"

enum { CN_SAFE_LANES = CAIRN_ROWS_MAX + 16 };

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
    cn_trip trip;
    const cairn_map *ground;  /* whose costs the table holds */
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

/* Makes ready for a run below a limit of cost: nothing is known of any node. */
void cn_search_next(cairn_search *search, cairn_cost limit);

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
