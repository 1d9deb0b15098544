/* Searches: shortest paths, at once or in slices, to one goal or the nearest of many. Part of
 * cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_SEARCH_H
#define CAIRN_SEARCH_H

#include "cairn/bound.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A search over a map, which can be run for any number of queries, one after another. */
typedef struct cairn_search cairn_search;

/* What a search moves along. All give paths of the same cost; they differ in time. */
typedef enum cairn_space {
    CAIRN_SPACE_AUTO = 0, /* the fastest that is exact for the map's rule and costs. On uniform
                           * grids with 8 neighbours where corners are not cut these are jump
                           * points whose runs the map keeps once they were followed, except for
                           * some time after an edit, when they are followed again */
    CAIRN_SPACE_CELLS,    /* every step. Rows at corners (cairn_resident) are read there alone:
                           * other cells take over what their neighbours say, less a step, so that
                           * more nodes are expanded than along full rows, and some again. Such rows
                           * are left out where they would mostly take longer than they save: where
                           * a cell sees more than 8,192 others in the mean, as on open ground, and
                           * beside a heuristic that is not consistent */
    CAIRN_SPACE_JUMP      /* jump points (JPS): straight runs between turning points and borders
                           * of terrain, which are followed again by every search; every grid */
} cairn_space;

/* How much of a path is written out. */
typedef enum cairn_form {
    CAIRN_FORM_CELLS = 0, /* corners and all cells */
    CAIRN_FORM_CORNERS,   /* corners; cells may be missing until cairn_search_cells */
    CAIRN_FORM_NONE       /* the cost alone: no nodes, no corners, and a length of 0 */
} cairn_form;

/* Tie-breaking: which of several nodes with the same f is expanded first. */
typedef enum cairn_ties {
    CAIRN_TIES_LAST = 0, /* the one that was added to the open list last */
    CAIRN_TIES_FIRST,    /* the one that was added first */
    CAIRN_TIES_LARGER_G  /* the one with the larger cost from the start */
} cairn_ties;

typedef struct cairn_search_options {
    size_t size; /* sizeof(cairn_search_options) */
    /* A heuristic of the caller instead of base heuristic and table: called once per discovered
     * node by a search that moves from cell to cell. It must be admissible and consistent: it never
     * exceeds the cost to the goal, and differs between neighbours by no more than the step costs.
     * It returns CAIRN_UNREACHABLE where no path leads to the goal; any other value above
     * CAIRN_COST_MAX counts as that. The table is then neither used nor checked. NULL: Cairn's own
     * bound. */
    cairn_cost (*bound)(void *context, cairn_node node);
    void *bound_context;
    const cairn_allocator *allocator; /* copied; NULL: the map's */
    cairn_space space;                /* CELLS is used where it does not fit the map */
    cairn_form form;
    /* Called with each node as it is expanded, to draw or trace a search, which then moves from
     * cell to cell. NULL: none. */
    void (*on_expand)(void *context, cairn_node node);
    void *expand_context;
    /* Pause after so many expansions; 0: no limit. Not for cairn_search_begin and _resume. */
    uint64_t expansion_limit;
    /* Called every 64 expansions or more often while a search runs; returning true ends it with
     * CAIRN_E_CANCELLED. NULL: none. */
    bool (*cancel)(void *context);
    void *cancel_context;
    /* With `heuristic`, `weight` or `ties` the search moves from cell to cell, which mostly takes
     * longer than jump points, also with a weight; cairn_path.space says so. */
    cairn_heuristic heuristic; /* the base heuristic beside the rows of the table */
    uint32_t weight;           /* of the bound, in thousandths from 1000 to 1000000; 0: 1000 */
    cairn_ties ties;
    bool nearest; /* if no path leads to the goal, return a path to the node nearest to it by the
                   * base heuristic (CAIRN_HEURISTIC_BEST as without a table; CAIRN_COST_MAX at
                   * most) among those that can be reached from the start; of several, the start if
                   * it is one of them, else the one nearest to the start, by the base heuristic
                   * too, then the lowest. (So it is the start on a graph without coordinates, whose
                   * base heuristic is 0.) From a blocked start there is none. That path is
                   * shortest, since it is searched without weight, `bound` and heuristics that are
                   * not admissible. CAIRN_E_LIMIT as for any other goal */
    /* A node that has been expanded is not expanded again when a cheaper path to it is found, as
     * happens with a weight and with bounds that are not consistent: the search expands fewer
     * nodes, and its path may be longer (cairn_path.guarantee is then that of each path; searches
     * that are repeated with an admissible bound reopen nodes). Without effect on other searches,
     * but that those which would reopen nodes beside rows at corners leave these rows out. */
    bool never_reopen;
} cairn_search_options;

typedef enum cairn_outcome {
    CAIRN_PATH_FOUND = 0,
    CAIRN_PATH_NONE, /* no path leads from start to goal */
    CAIRN_PATH_START_BLOCKED,
    CAIRN_PATH_GOAL_BLOCKED,
    CAIRN_PATH_NEAREST, /* no path leads to the goal, or it is blocked: this one leads to the node
                         * nearest to it */
    CAIRN_PATH_PAUSED   /* the slice has ended: cairn_search_resume continues */
} cairn_outcome;

typedef struct cairn_path {
    cairn_outcome outcome;
    cairn_cost cost;           /* in the metric; CAIRN_UNREACHABLE when there is no path */
    double length;             /* straight steps + sqrt(2) * diagonal steps; on graphs the cost,
                                * with extras (cairn_search_avoid); 0 when there is no path */
    const cairn_node *nodes;   /* from start to goal; borrowed until the search is run, begun,
                                * resumed or freed */
    size_t node_count;         /* 0 when there is no path, or only corners are wanted */
    uint64_t expanded;         /* nodes removed from the open list and expanded */
    uint64_t generated;        /* nodes put on the open list */
    uint64_t open_peak;        /* most entries on the open list at once */
    const cairn_node *corners; /* start, every cell where the direction changes, goal; on hexagons
                                * and graphs all nodes of the path; borrowed */
    size_t corner_count;
    cairn_space space;     /* what the search moved along; never CAIRN_SPACE_AUTO */
    cairn_row_state state; /* the worst state of the rows that were used; WEAKER also if rows that
                            * have not been repaired yet were used by gates, that is, by taking
                            * cells that opened for gates between two sides of a wall. If no row
                            * was used: UNSAFE if that is because of edits (the path is still
                            * shortest), else FRESH */
    uint32_t row_count;    /* how many rows were used */
    uint32_t guarantee;    /* a path that was found costs at most guarantee / 1000 times the
                            * least cost. Normally 1000, or the weight. With a base heuristic
                            * that is not admissible, and where never_reopen has an effect, it
                            * is the cost divided by an admissible bound; 0 where that is zero */
    uint64_t reopened;     /* closed nodes that were opened again because a cheaper path to them
                            * was found; 0 with a consistent heuristic without weight, but for
                            * rows that are read at corners alone (cairn_resident) */
    uint64_t run;          /* private: which run of the search the path is from */
    size_t which;          /* which of the goals of cairn_search_run_to_any, or of the starts of
                            * cairn_search_run_from_any, this path has: an index into their list */
} cairn_path;

/* Makes a search over a map. `table` may be NULL: base heuristic only. Both must outlive the
 * search; they may be edited and refreshed between runs.
 *
 * It keeps 16 bytes for each node, and what the open list and paths have grown to. Where the map
 * keeps the runs of jump points, or the table is one of corners whose rows can be used, 4 bytes for
 * each corner suffice, and 16 to 32 for each that a run has discovered. What the search once took
 * for each node it then gives back only beside a table of corners, after some time and if nothing
 * is avoided. Runs take 64 bytes or more for each corner, in cairn_map_memory. A map keeps them
 * unless more than one cell in 16 is a corner, corners have many runs, or it has fewer than 8,192
 * cells and the table has entries for all of them; and not right after an edit.
 *
 * CAIRN_E_MISMATCH for a table of another map: one that differs in what edits do not change (size,
 * rule, metric, meaning of letters, heights, the ends of arcs), or whose cells or arc costs this
 * map never had. A table that lacks edits of its map, however many, is no mismatch. Once the
 * journal has dropped its oldest edits, former states of the map are no longer known; then the
 * table of any state that edits can lead to counts as one that lacks edits. CAIRN_E_ARGUMENT also
 * for a weight out of its range and a heuristic that the map does not have. (Hart, Nilsson and
 * Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968; for what a
 * search moves along see docs/ALGORITHMS.md.) */
CAIRN_API cairn_status cairn_search_new(const cairn_map *map, const cairn_table *table,
                                        const cairn_search_options *options, cairn_search **search);
CAIRN_API void cairn_search_free(cairn_search *search);

/* How many bytes the search has allocated so far. Map and table, which several searches may share,
 * are not included (cairn_map_memory, cairn_table_memory). */
CAIRN_API size_t cairn_search_memory(const cairn_search *search);

/* Makes the next runs use another map and its table: a copy, or another state of a cairn_world. The
 * map may differ from the former one only in its cells or arc costs. Takes less than a tenth of a
 * microsecond, since nothing is cleared or allocated except for planes of jump points and
 * components, if the map does not have them yet. Map and table must outlive the next runs, and the
 * former ones this call; the former map must still have the metric of the search. They may come
 * from a file that was loaded meanwhile.
 *
 * CAIRN_E_MISMATCH for a map that differs in more, or that has another metric than the search was
 * made in, CAIRN_E_MEMORY; the search then keeps its former map and table. A table of another map
 * makes the next run fail. */
CAIRN_API cairn_status cairn_search_use(cairn_search *search, const cairn_map *map,
                                        const cairn_table *table);

/* Finds a shortest path by A* with the larger of the base heuristic and the bound of the table. A
 * blocked start or goal is an outcome, not an error; CAIRN_E_ARGUMENT is for nodes that are not on
 * the map. CAIRN_E_CHANGED if the map has got another metric since the search was made, which then
 * has to be replaced by a new one; CAIRN_E_LIMIT if the shortest path costs more than
 * CAIRN_COST_MAX (if only a path found with a weight or a given heuristic does, the search is
 * repeated without these), CAIRN_E_MEMORY if the open list could not grow, CAIRN_E_CANCELLED if
 * `cancel` of the options asked for it. */
CAIRN_API cairn_status cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                                        cairn_path *path);

/* Makes the next runs avoid nodes (other units, danger) without an edit of the map: entering
 * nodes[i] costs extra[i] more than the step does; if extra[i] is CAIRN_UNREACHABLE or `extra` is
 * NULL, it may not be entered. A goal that may not be entered counts as blocked; a start need not
 * be entered, so a run from such a node to itself finds it. Diagonal steps beside avoided nodes
 * remain legal. If a node is listed twice, the larger extra counts. The list is copied and stays
 * until the next call; a count of 0 ends avoiding.
 *
 * Paths are shortest among those that may be taken; costs, and path->cost, include the extras.
 * Which of several is found may depend on what the search was asked before. Bounds of the table
 * hold, since costs only rise, and the search still moves along jump points. A run begins as if
 * nothing was avoided, which is all that it needs if its path meets none of the nodes, and is
 * repeated with those that were met and others near them, a few times at most; counts are those of
 * all together. Nodes that enclose the start or the goal are found before it is repeated, unless
 * what they enclose is large, or before it begins where they are close; that takes 2.1 kB for each
 * block of 64 * 64 cells, the last ones included. The first repeated run takes up to 2 bytes a
 * cell, 10 on maps with terrain, and each some microseconds for every node that it meets and the
 * last one did not, on open ground 0.1 for each column or row of the map.
 *
 * Searches that move from cell to cell keep off all nodes at once, as do all runs with a list of
 * more than one cell in 16. Under the default rule at uniform cost CAIRN_SPACE_AUTO moves from cell
 * to cell beside so many scattered nodes that this is faster: about 1 for 250 cells on open ground,
 * 1 for 25 to 50 in caves, of the cells that are open when it is set. There it leaves out rows that
 * are kept at corners alone.
 *
 * A paused search cannot be resumed (CAIRN_E_CHANGED). The call reads the map, as a run does: the
 * view of a cairn_world must not have been released.
 *
 * CAIRN_E_ARGUMENT for a node that is not on the map, and for any other extra above CAIRN_COST_MAX;
 * CAIRN_E_MEMORY. After a failure the former list stays. */
CAIRN_API cairn_status cairn_search_avoid(cairn_search *search, const cairn_node *nodes,
                                          const cairn_cost *extra, size_t count);

/* A search in slices, in any space and with any options. begin (and its forms for the nearest of
 * many nodes, cairn/nearest.h) puts the start on the open list, and ends the search where jump
 * points see the goal from there; resume expands at most `expansions` more nodes; resume_for goes
 * on for about so many microseconds, at least 4 expansions, and reads the clock every 4. Until the
 * search has ended the outcome is CAIRN_PATH_PAUSED. In the end the path is the one that
 * cairn_search_run finds, with the same counts, which are those since begin. Work that a search
 * does only once is not sliced: preparing for a map or table that has changed, in begin; writing
 * out a path; and, with `nearest`, finding what can be reached, where one-way steps keep the search
 * from the node that would be nearest without them, or avoided nodes from a large part of the map.
 *
 * A paused search is valid for its map as it was when it began. Once that has another version
 * (cairn_map_version) or cairn_search_use gave it others, resume does nothing but return
 * CAIRN_E_CHANGED, each time, and the search has to begin again. Beside a refresh of a table at
 * every cell it goes on with the rows as they are then: counts may differ, `row_count` and `state`
 * are those of the beginning. A refresh of a table of corners ends it as an edit does. A view of a
 * cairn_world must stay acquired until the search has ended. CAIRN_E_ARGUMENT if no search is
 * paused; other errors are those of cairn_search_run, and after them no search is paused. A call
 * that begins a search and is refused (CAIRN_E_ARGUMENT, CAIRN_E_CHANGED) leaves a paused one. */
CAIRN_API cairn_status cairn_search_begin(cairn_search *search, cairn_node start, cairn_node goal,
                                          cairn_path *path);
CAIRN_API cairn_status cairn_search_resume(cairn_search *search, uint64_t expansions,
                                           cairn_path *path);
CAIRN_API cairn_status cairn_search_resume_for(cairn_search *search, uint64_t microseconds,
                                               cairn_path *path);

typedef enum cairn_node_state {
    CAIRN_NODE_UNSEEN = 0,
    CAIRN_NODE_OPEN,
    CAIRN_NODE_CLOSED
} cairn_node_state;

/* The state of a node in a search. */
typedef struct cairn_node_info {
    cairn_node_state state;
    cairn_node parent; /* of the start: itself; CAIRN_NO_NODE when unseen */
    cairn_cost g; /* of the cheapest path that was found: not always the least, even of a closed
                   * node, where costs differ widely and the open list takes them in steps */
    cairn_cost h; /* weighted; CAIRN_UNREACHABLE: the goal cannot be reached from here */
    uint64_t f;   /* g + h, in 64 bits */
} cairn_node_info;

/* The state of a node after the last run, or while a search is paused; later edits of the map do
 * not change it, except that with records by corner (CAIRN_SPACE_AUTO) no node has been seen then.
 * After a run that ended without a search, no node has been seen, nor once the list of avoided
 * nodes has changed. A search along jump points sees these alone; one from which no step was left
 * to take stays open. Of an unseen node g, h and f are CAIRN_UNREACHABLE, as after an error.
 * CAIRN_E_ARGUMENT for a node that is not on the map. */
CAIRN_API cairn_status cairn_search_node_info(const cairn_search *search, cairn_node node,
                                              cairn_node_info *info);

/* Writes the cells of the path of the last run of this search, if they have not been written yet.
 * They are those of the path as it was found, even if the map has been edited since. Works on any
 * map, and for any outcome, but writes nothing where there are no corners either (no path, or
 * CAIRN_FORM_NONE). CAIRN_E_ARGUMENT when `path` is not from the last run, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_search_cells(cairn_search *search, cairn_path *path);

#ifdef __cplusplus
}
#endif

#endif
