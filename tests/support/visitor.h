/* Searches with any options, begun, paused and resumed while map and table change: an answer is
 * right for the map as it was when the search began, or the search is refused, which a table at
 * every cell never is a reason for. */
#ifndef SUPPORT_VISITOR_H
#define SUPPORT_VISITOR_H

#include "avoided.h"
#include "many_ends.h"
#include "twin.h"

/* One search with options of its own, and the query that it is about. */
typedef struct visitor {
    cairn_search *search;
    cairn_search_options options;
    const cairn_map *map;     /* that it is on */
    const cairn_table *table; /* NULL with a bound of its own */
    bool was_consistent;      /* the base heuristic, on the map that the search was made on */
    cairn_view view;          /* of a world, while it is held */
    bool is_paused;
    bool is_sliced; /* the present query was begun in a slice */
    cairn_node start;
    cairn_node goal;
    many_ends ends;   /* a count of 0: the query has one start and one goal */
    oracle_arcs arcs; /* of the map when the query began */
    oracle_arcs ways; /* the same with what is avoided */
    avoided listed;
    cairn_node centre;  /* that the list was drawn around */
    bool avoids_others; /* than when the query began */
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
 * paused on another map or table is given up. */
void visitor_lead(visitor *self, const cairn_map *map, const cairn_table *table);

/* Leads the search to the published state of a world, or to its draft, in place of what it held;
 * false, and it holds nothing, where a reader is in the way of the draft. */
bool visitor_lead_to(visitor *self, cairn_world *world, bool to_draft);
void visitor_let_go(visitor *self, cairn_world *world);

/* Makes the search avoid other nodes, or none; now and then a list that is refused changes nothing.
 * What it is on must be held. `arcs` say which nodes lie next to each other. */
void visitor_avoid(visitor *self, dice *luck, const oracle_arcs *arcs);

/* The same with nodes that may not be entered. */
void visitor_avoid_these(visitor *self, const cairn_node *nodes, size_t count);

/* Begins or runs a query. `arcs` are those of the visitor's map now, `writes` counts the calls that
 * may have changed map or table. */
void visitor_ask(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes);

/* Begins or runs one to the nearest of some goals, or from the nearest of some starts. */
void visitor_ask_any(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes);

/* Resumes what was paused; `arcs` may be NULL where nobody knows those of now. */
void visitor_resume(visitor *self, dice *luck, const oracle_arcs *arcs, uint64_t writes);

/* Of the table that the search is on; 0 without one. */
static inline uint64_t visitor_table_version(const visitor *self)
{
    return self->table ? cairn_table_version(self->table) : 0;
}

/* Fails where the result of a call about the present query is wrong. Of one with many ends, start
 * and goal become those of the path. */
void visitor_check_answer(visitor *self, cairn_status status, cairn_path *path);

/* Fails unless `end` is what stands in for a goal that no path leads to: no node that the start
 * leads to, at these costs, is nearer to the goal; of those that are as near, none is nearer to the
 * start, nor as near to it and of a lower number. Nothing is nearer to the start than itself. */
void assert_stands_in(const cairn_map *map, const uint64_t *costs, cairn_node start,
                      cairn_node goal, cairn_node end);

/* Any node, mostly an open one. */
cairn_node visitor_node(const cairn_map *map, dice *luck);

#endif
