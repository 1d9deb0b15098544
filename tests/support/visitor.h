/* Searches with any options, begun, paused and resumed while map and table change: an answer is
 * right for the map as it was when the search began, or the search is refused, which a table at
 * every cell never is a reason for. */
#ifndef SUPPORT_VISITOR_H
#define SUPPORT_VISITOR_H

#include "twin.h"

/* One search with options of its own, and the query that it is about. */
typedef struct visitor {
    cairn_search *search;
    cairn_search_options options;
    const cairn_map *map;     /* that it is on */
    const cairn_table *table; /* NULL with a bound of its own */
    cairn_view view;          /* of a world, while it is held */
    bool is_paused;
    bool is_sliced; /* the present query was begun in a slice */
    cairn_node start;
    cairn_node goal;
    oracle_arcs arcs; /* of the map when the query began */
    uint64_t map_version;
    uint64_t table_version;
    bool was_by_cell; /* the table: a refresh of it does not end a paused search */
    uint64_t writes;  /* how many calls had changed map or table by then */
} visitor;

/* Options of every kind, most of them such that a search goes step by step and may pause. */
cairn_search_options visitor_options(dice *luck);

/* Makes a search; a base heuristic that the map does not have is replaced by the best. */
void visitor_enter(visitor *self, cairn_search_options options, const cairn_map *map,
                   const cairn_table *table);
void visitor_leave(visitor *self);

/* Leads the search to another map and table; it has to run on a map like its first. A query that is
 * paused on another map is given up. */
void visitor_lead(visitor *self, const cairn_map *map, const cairn_table *table);

/* Leads the search to the published state of a world, or to its draft, in place of what it held;
 * false, and it holds nothing, where a reader is in the way of the draft. */
bool visitor_lead_to(visitor *self, cairn_world *world, bool to_draft);
void visitor_let_go(visitor *self, cairn_world *world);

/* Begins or runs a query. `arcs` are those of the visitor's map now, `writes` counts the calls that
 * may have changed map or table. */
void visitor_ask(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes);

/* Resumes what was paused; `arcs` may be NULL where nobody knows those of now. */
void visitor_resume(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes);

/* Any node, mostly an open one. */
cairn_node visitor_node(const cairn_map *map, dice *luck);

#endif
