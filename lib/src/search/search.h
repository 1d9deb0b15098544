/* The public search handle, and the functions that the files of a search share. */
#ifndef CN_SEARCH_SEARCH_H
#define CN_SEARCH_SEARCH_H

#include "search/corner_space.h"
#include "search/hunt_state.h"

enum {
    CN_WEIGHT_ONE = 1000 /* weights are in thousandths */
};

/* The landmarks of one component of a map. */
typedef struct cn_landmark_places {
    cn_run_target *items;
    size_t capacity;
    size_t count;         /* more than the capacity: not all are here */
    uint32_t component;   /* CN_NO_COMPONENT: of none */
    uint32_t size;        /* of the component, in cells */
    uint64_t history;     /* of the components: an edit that undoes itself may give them other
                         * numbers, and leaves the version of the map as it is */
    uint64_t map_version; /* of the map and the table when they were listed; 0: of others */
    uint64_t table_version;
} cn_landmark_places;

/* Which rows a search uses. */
typedef enum cn_rows_used {
    CN_ROWS_NONE = 0, /* there is no table, or no row of it may be used */
    CN_ROWS_CROWDED,  /* none: they are at corners where they are not worth it: with very many runs,
                       * or from cell to cell where these see far or beside many avoided nodes */
    CN_ROWS_BY_QUERY, /* none, but for a query for which they are worth it all the same: exact ones
                       * beside very many runs */
    CN_ROWS_SAFE,     /* those that are not CAIRN_ROW_UNSAFE */
    CN_ROWS_ALL,
    CN_ROWS_BY_GATES
} cn_rows_used;

/* What the entries of a goal follow from. */
typedef enum cn_goal_by {
    CN_GOAL_BY_NODE = 0, /* those of its node, or of the corners that see it */
    CN_GOAL_BY_ENDS,     /* those at the ends of its runs: all rows hold the costs of the map */
    CN_GOAL_BY_ENDS_ON_OPEN_GROUND /* the same, and most paths cost hardly more than the base
                                    * heuristic says */
} cn_goal_by;

/* What follows from map, table and the avoided nodes that the run has met. Holds until one of them
 * changes, or something becomes due (search_worth.c); cn_search_follow then finds it again. */
typedef struct cn_followed {
    cn_searcher searcher; /* for the rows, records and open list that were chosen; NULL: nothing is
                           * followed */
    uint64_t map_version; /* 0: nothing is followed, and there is no run to go on with */
    uint64_t table_version;
    size_t met_count;         /* of the avoided nodes, those that the search keeps off */
    const cairn_map *row_map; /* whose costs the rows of the table hold */
    bool is_for_one_run;      /* some of it was chosen for the present run alone */
    bool takes_rows_left_out; /* while it is found: CN_ROWS_BY_QUERY are used */
    cn_rows_used rows;
    cn_goal_by goal_by;
} cn_followed;

/* For what the open list was chosen. Holds until the costs of the map or the table change, or
 * whether its rows may be used. */
typedef struct cn_open_choice {
    uint32_t rise;     /* the most by which f usually grows along one arc */
    unsigned coarsest; /* the largest shift of keys; those that the ring cannot hold wait */
    uint64_t map_hash; /* 0: no open list was chosen */
    const cairn_table *table;
    bool may_use_rows; /* whether rows of it could be used */
    bool was_led;      /* cairn_search_use has been called since; the table may be another one at
                        * the same address */
} cn_open_choice;

/* The present run, or the last one: from its beginning until the next one begins. */
typedef struct cn_present_run {
    uint64_t number;     /* of the call, by which its path is recognised */
    cairn_path begun;    /* the path as it was at the beginning, with the rows used */
    cairn_node asked;    /* the goal of the caller; query.goal is the node that stands in for it if
                         * no path leads there */
    cairn_cost ceiling;  /* only paths that cost less matter */
    bool is_paused_hunt; /* the hunt can go on: no other run has begun since */
    bool is_guess;       /* query.goal stands in for `asked` only if a path leads to it */
    unsigned guesses;    /* so many nodes have been tried in its place */
    bool is_admissible;  /* the bound is admissible, without weight */
    cairn_heuristic heuristic; /* the base heuristic that it may use */
    uint64_t rows_due; /* the rows are used once so many nodes have been expanded; 0: they are in
                        * use */
} cn_present_run;

/* The gates for the goal of the present run, in memory that is kept for other goals. */
typedef struct cn_goal_gates {
    cn_gate_aim aim;
    cn_gate_limits *limits;             /* NULL until there are gates */
    cn_gate_view view;                  /* what bounds are made from: it points to the others */
    cn_gate_way ways[CN_PORTS_MAX + 1]; /* of the view */
    size_t inside_count;                /* costs for which there is room in view.inside */
} cn_goal_gates;

/* What is worth it, by how much has been expanded from one change of the map to the next. */
typedef struct cn_worth {
    uint64_t spent;         /* nodes expanded since the map changed */
    uint64_t spent_version; /* the version of that map; 0: the search has got another map since */
    uint64_t spent_before;  /* nodes expanded between the last two changes of the map; very many
                             * where it has not changed yet; 0 where it was another map */
    uint64_t bare;          /* about as many nodes would have been expanded without a table since
                             * the map changed */
    uint64_t bare_before;   /* the same between the last two changes, also of another map */
    uint64_t gates_version; /* of the map when `lacked_nothing` was found; 0: it was not yet */
    bool lacked_nothing;    /* before the last change the table was up to date */
    uint64_t gates_due;     /* gates are made once `bare` is so much; UINT64_MAX: they are made, or
                             * not needed */
    /* The runs are kept once so many nodes have been expanded since the map changed; UINT64_MAX:
     * they are kept, or never will be. */
    uint64_t corner_runs_due;
    /* Records that are not needed are freed once so many nodes have been expanded since the map
     * changed; UINT64_MAX: there are none. */
    uint64_t trim_due;
    /* Of the map when `runs_of_a_corner` was found, which serves for some changes; 0: it was not
     * yet. */
    uint64_t judged_version;
    uint32_t runs_of_a_corner; /* in the mean */
    uint64_t sight_version;    /* the same of `cells_in_sight` */
    uint64_t cells_in_sight;   /* of a cell, in the mean */
    uint64_t far_version;      /* the same of `sees_far` */
    bool sees_far;             /* a cell, in the mean */
} cn_worth;

/* The entries of one goal. Those from a table of corners serve for its next runs too, until map or
 * table change; the memory is kept. */
typedef struct cn_goal_entries {
    cairn_node goal;     /* whose entries `row` holds; CAIRN_NO_NODE: none */
    uint32_t lane_count; /* entries for which each of the next three, parts of one block, has
                          * room */
    uint32_t *row;       /* the goal's entries, computed from a table of corners */
    uint32_t *above;     /* the limits that follow from them where only some rows are safe */
    uint32_t *below;
} cn_goal_entries;

/* A path, in memory that is kept for the next one. */
typedef struct cn_path_lists {
    cn_nodes points; /* its nodes, from the records */
    cn_nodes corners;
    cn_nodes cells; /* all of them */
} cn_path_lists;

/* Lists of a run with many members, several goals or several starts (room nearest); the memory is
 * kept for the next such run. */
typedef struct cn_run_members {
    cn_open_list queue; /* a heap of members */
    cn_nodes nodes;
    cn_nodes taken;     /* the next members, before they are checked */
    cn_numbers bases;   /* the base heuristics of all members */
    cn_numbers chosen;  /* indices of the members from which one search begins */
    cn_numbers bounds;  /* of these */
    cn_path_lists best; /* the path of the best member */
} cn_run_members;

/* The nodes within some cost of one of them, as Dijkstra's algorithm finds them beside the searches
 * of a run with many members, until it reaches one of these (nearest/ball.c). The memory is
 * kept. */
typedef struct cn_ball {
    cn_scratch scratch; /* records by directory */
    const cairn_map *map;
    const cn_avoidance *avoided;
    cairn_node center;
    cn_way way;
} cn_ball;

struct cairn_search {
    /* From the making of the search to its end, but for cairn_search_use: */
    const cairn_map *map;
    const cairn_table *table;
    cairn_search_options options;
    cn_mem mem;
    cairn_metric metric; /* of the map when the search was made */
    cairn_space space;   /* the space chosen for options.space and the avoided nodes */
    const cn_searchers *searchers;
    bool is_general;    /* the search on any map is used, because of the map or the options */
    bool is_consistent; /* the bound never falls by more than an arc costs */
    uint32_t guarantee; /* cairn_path.guarantee of all paths; 0: the bound may be too high, and each
                         * path has its own */
    cn_steps *steps;    /* [CN_STEP_SETS]; NULL where no space over cells is used */

    cn_followed followed;
    cn_open_choice open_choice;
    cn_present_run run;
    cn_query query; /* what follows from map and table, as long as `followed`, and what is set for
                     * each run */
    cn_avoidance avoidance; /* until cairn_search_avoid */
    cn_goal_gates goal_gates;
    cn_worth worth;
    cn_landmark_places places; /* like `followed`, of one component at a time */

    /* Every run reads what lies from here to `members`: fetch_first in search_run.c, which checks
     * the order. */
    cn_goal_entries goal_entries;
    cn_scratch scratch; /* of the present run; the memory is kept */
    cn_run_members members;
    cn_ball ball;
    cn_hunt hunt;       /* the last one */
    cn_numbers lifted;  /* items that are out of the open list for a moment: label, value */
    cn_path_lists path; /* the last one, which callers read until the next run */
};

/* The result of a search in a space that has found no path. */
static inline cairn_path cn_no_path(cairn_space space)
{
    return (cairn_path){.outcome = CAIRN_PATH_NONE, .cost = CAIRN_UNREACHABLE, .space = space};
}

/* From now on nothing is followed, what is paused cannot go on, and what is known of nodes is no
 * longer told; the next run finds out everything. */
static inline void cn_search_unfollow(cairn_search *search)
{
    search->followed.searcher = NULL;
    search->followed.map_version = 0;
}

/* Whether no rows are used, although nothing speaks against their entries. */
static inline bool cn_search_leaves_rows_out(const cairn_search *search)
{
    return search->followed.rows == CN_ROWS_CROWDED || search->followed.rows == CN_ROWS_BY_QUERY;
}

/* Whether some rows may be used; a run may leave them out all the same. */
static inline bool cn_search_may_use_rows(const cairn_search *search)
{
    return search->followed.rows >= CN_ROWS_SAFE;
}

/* Whether map and table are those from which records and bound of the last run were made. */
static inline bool cn_search_is_as_begun(const cairn_search *search)
{
    return search->followed.map_version == search->map->version &&
           search->followed.table_version == cn_table_version(search->table);
}

/* Whether a paused run may go on: its map is as it was, and its table too, or at least the records
 * do not depend on that. */
static inline bool cn_search_may_go_on(const cairn_search *search)
{
    if (search->followed.map_version != search->map->version)
        return false; /* nor need there be a table */
    return search->query.has_entries_by_node ||
           search->followed.table_version == cn_table_version(search->table);
}

/* ----------------------------------------------------------------------------- searchers.c -- */

/* The searches with rows, compiled for a processor. */
const cn_searchers *cn_searchers_for(cn_cpu cpu);

/* The compiled search for the present space and rows. */
cn_searcher cn_search_choose_searcher(const cairn_search *search);

/* -------------------------------------------------------------------------- search_worth.c -- */

/* Of a new search: as long as the map stays as it is, corners are worth it. */
void cn_worth_begin(cn_worth *worth, const cairn_map *map);

/* Adds what was expanded, along rows or without. */
void cn_worth_add(cn_worth *worth, uint64_t expanded, bool by_rows);

/* Counts what is expanded since the last change of the map, if there was one. */
void cn_worth_count_from_change(cn_worth *worth, const cairn_map *map);

/* Judges whether it is worth it to find the corners of the map as it is, and to keep their runs, or
 * from when on it will be. */
bool cn_worth_judge_if_runs_are_due(cn_worth *worth, const cairn_map *map);

/* Whether records that are not needed have been kept long enough; sets when they will have been. */
bool cn_worth_judge_if_trim_is_due(cn_worth *worth, const cairn_map *map);

/* Judges whether rows at corners are not worth it: these have very many runs. CAIRN_E_MEMORY. */
cairn_status cn_worth_judge_if_rows_are_crowded(cn_worth *worth, const cairn_map *map,
                                                const cn_corners *corners, bool *are_crowded);

/* Judges whether cells of the map see so far that to put entries together for a goal, from those of
 * all corners that see it, takes longer than rows at corners mostly save from cell to cell. */
bool cn_worth_judge_if_sight_is_far(cn_worth *worth, const cairn_map *map);

/* Judges whether corners of the map have many runs. */
bool cn_worth_judge_if_runs_are_many(cn_worth *worth, const cairn_map *map, const cn_jump *jump,
                                     const cn_corners *corners);

/* Judges whether nodes that make up so many strips in rows of the map, as borders of jump points,
 * add too many runs. CAIRN_E_MEMORY. */
cairn_status cn_worth_judge_if_strips_are_many(cn_worth *worth, const cairn_map *map, size_t strips,
                                               bool *are_many);

/* Judges whether it is worth it to make gates for a table of corners, or from when on it will be;
 * other tables always get theirs. */
bool cn_worth_judge_if_gates_are_due(cn_worth *worth, const cairn_table *table,
                                     const cairn_map *row_map);

/* ------------------------------------------------------------------------- search_follow.c -- */

/* Adapts the search to the present state of table and map. */
cairn_status cn_search_follow(cairn_search *search);

/* Adapts a run that may go on to its table, which may have been refreshed while it was paused.
 * CAIRN_E_MEMORY, or any other error of rows that are used. */
cairn_status cn_search_follow_refresh(cairn_search *search);

/* Has records by node in place of those by the corners of the map, until it follows again.
 * CAIRN_E_MEMORY. */
cairn_status cn_search_leave_corners(cairn_search *search);

/* Adapts it, until it does so again, to a query for which rows are worth it that others leave out:
 * CN_ROWS_BY_QUERY. CAIRN_E_MEMORY, or any other error of rows that are used. */
cairn_status cn_search_follow_worth(cairn_search *search);

/* Adapts it, until it does so again, to a query for which the rows say nothing. CAIRN_E_MEMORY. */
cairn_status cn_search_follow_mute(cairn_search *search);

/* Whether the options need a heap: buckets need keys that never fall, and have only one order. */
bool cn_search_needs_heap(const cairn_search *search);

/* Prepares a run with a limit of cost, in which no node is known yet; `base` is the base heuristic
 * from the start, which is not used if the limit is CAIRN_UNREACHABLE. */
void cn_search_reset(cairn_search *search, cairn_cost base, cairn_cost limit);

/* -------------------------------------------------------------------------- search_rows.c -- */

/* Prepares the goal's entries for the kernels. */
void cn_search_prepare_goal_rows(cairn_search *search);

/* In a table of corners that holds every edit: the lane_count entries of an open cell in the
 * component of the goal. Not within a run. */
void cn_search_corner_entries(cairn_search *search, cairn_node node, void *entries);

/* Fills in how many rows are used, and their states. */
void cn_search_report_rows(const cairn_search *search, cairn_path *path);

/* By how much a path of this cost may exceed the shortest, in thousandths; 0: not known. */
uint32_t cn_search_guarantee(const cairn_search *search, cairn_cost cost);

/* A cost in thousandths of one that no path undercuts, rounded up; 0: not known. */
uint32_t cn_ratio(cairn_cost cost, cairn_cost least);

/* The base heuristic from the start to the goal. */
cairn_cost cn_search_base_from_start(const cairn_search *search);

/* Chooses the base heuristic beside the rows that are used. */
void cn_search_choose_heuristic(cairn_search *search);

/* Whether the rows decide the query, which then needs no search: they prove that no path leads from
 * start to goal. *upper becomes the cost of a path by way of a landmark, or CAIRN_UNREACHABLE: it
 * is known only from rows that hold costs of the map. */
bool cn_search_rows_decide(const cairn_search *search, cairn_node start, cairn_node goal,
                           cairn_cost *upper);

/* Whether rows in this state do not raise the bound at the start above the base heuristic, or gates
 * leave little of what they say there; false where that is not judged. */
bool cn_search_rows_are_mute(const cairn_search *search, cairn_row_state state);

/* Of rows that are mute: whether that is because of edits. */
bool cn_search_edits_mute_rows(const cairn_search *search);

/* Whether rows that most queries leave out, CN_ROWS_BY_QUERY, are worth it for this one: about what
 * they say at the start is clearly above the base heuristic. */
bool cn_search_rows_are_worth_it(const cairn_search *search);

/* Makes room for the landmarks of a component, and forgets those of the last one if map or table
 * have changed. To be called when they may have. CAIRN_E_MEMORY. */
cairn_status cn_search_reserve_places(cairn_search *search);

/* Whether most paths cost hardly more than the base heuristic says, as far as some entries tell:
 * then a run first searches below a guess, so that few runs from the start need to be followed. */
bool cn_search_ground_is_open(const cairn_table *table, const cairn_map *map);

/* The guess below which a run on open ground first searches, by the base heuristic at its start. */
cairn_cost cn_guess(cairn_cost base);

/* Whether runs begin without rows: on open ground with few corners most goals are found before the
 * entries of the goal would be put together. */
bool cn_search_rows_may_wait(const cairn_search *search);

/* From here on a run has rows: nodes in the open list get their bounds. CAIRN_E_MEMORY. */
cairn_status cn_search_end_wait_for_rows(cairn_search *search);

/* --------------------------------------------------------------------------- search_run.c -- */

/* Counts the nodes that were expanded as ones of the present state of the map, and begins to count
 * at 0. */
void cn_search_book_expansions(cairn_search *search);

/* Checks what a run is called with, and makes the path one that was not found. */
cairn_status cn_search_check_call(const cairn_search *search, cairn_node start, cairn_node goal,
                                  cairn_path *path);

/* Makes the path, if there is one, that of a run that failed; returns the status. The search may be
 * NULL. */
cairn_status cn_search_fail(const cairn_search *search, cairn_status status, cairn_path *path);

/* Prepares the rows for a goal, without a run. The search must have followed map and table. */
void cn_search_aim(cairn_search *search, cairn_node goal);

/* Begins a run from start to goal, in which only paths that cost less than the ceiling matter. */
void cn_search_begin_run(cairn_search *search, cairn_node start, cairn_node goal,
                         cairn_cost ceiling);

/* Fills in what the run has done so far. */
void cn_search_report_counts(const cairn_search *search, cairn_path *path);

/* A run from start to goal that finds only paths which cost less than the ceiling. */
cairn_status cn_search_run_below(cairn_search *search, cairn_node start, cairn_node goal,
                                 cairn_cost ceiling, cairn_path *path);

/* Goes on with such a run, for which another slice has begun. */
cairn_status cn_search_go_on(cairn_search *search, cairn_path *path);

/* A run, and where no path leads to the goal and the options say so another one to the node that
 * stands in for it. */
cairn_status cn_search_run_or_stand_in(cairn_search *search, cairn_node start, cairn_node goal,
                                       cairn_path *path);

/* Before a paused run goes on: uses the rows as they are now, if the table was refreshed since.
 * After an error the run cannot go on. */
cairn_status cn_search_catch_up(cairn_search *search);

/* Goes on with a run of cn_search_run_or_stand_in, for which another slice has begun. */
cairn_status cn_search_go_on_or_stand_in(cairn_search *search, cairn_path *path);

/* -------------------------------------------------------------------------- search_path.c -- */

/* Sets the numbers of start and goal, two different nodes, in a run that meets no other node or has
 * its records by node. */
void cn_search_number_lone_ends(cairn_search *search);

/* Sets the numbers of start and goal in any run: by corner, either may be one that the run meets as
 * a corner, whose number it then has. */
void cn_search_number_ends(cairn_search *search);

/* Reads the path of the last run from the records. */
cairn_status cn_search_trace(cairn_search *search, cairn_path *path);

/* Lists the cells of that path along jump points, start first. CAIRN_E_MEMORY. */
cairn_status cn_search_list_cells(cairn_search *search, const cn_nodes **cells);

/* -------------------------------------------------------------------------- search_avoid.c -- */

/* Makes the query keep off the avoided nodes that were met, on its map as it is now.
 * CAIRN_E_MEMORY. */
cairn_status cn_search_follow_avoidance(cairn_search *search);

/* The next run keeps off all avoided nodes. */
void cn_search_take_avoided(cairn_search *search);

/* The next run keeps off those avoided nodes alone that its path meets; off all where it does not
 * move along jump points or the list is long. */
void cn_search_begin_avoidance(cairn_search *search);

/* Whether it is certain that avoided nodes enclose one of two open ends, so that no path leads from
 * one to the other. It is looked for as long as it is worth it, and goes on in the next call of the
 * same run to the same goal. Before the first search only ends with avoided nodes close to them are
 * examined. For grids, and where some nodes are avoided (search_enclosed.c). CAIRN_E_MEMORY. */
cairn_status cn_search_seek_enclosure(cairn_search *search, cairn_node start, cairn_node goal,
                                      bool *is_enclosed);

/* After a search from query.start has found no path to query.goal: where the goal is enclosed, or
 * the start, becomes part of avoidance.enclosed. Not learned on graphs, and where one-way steps or
 * hexagons leave more than the search may take. CAIRN_E_MEMORY. */
cairn_status cn_search_learn_enclosed(cairn_search *search, bool *is_learned);

bool cn_enclosed_has(const cn_enclosed *self, uint32_t x, uint32_t y);

/* After a search: *must_repeat tells whether its path leads through avoided nodes that were put
 * off, or they are needed to tell what its failure means. Those are met now, and it has to be run
 * again. Returns the status of the search, CAIRN_OK in place of a failure that another run decides.
 * CAIRN_E_MEMORY. */
cairn_status cn_search_meet_avoided(cairn_search *search, cairn_status status,
                                    const cairn_path *path, bool *must_repeat);

/* ---------------------------------------------------------------------- search_stand_in.c -- */

/* Visits everything that can be reached from the start, at any cost, until it finds `node`; returns
 * whether it does. The stack is kept in the records, which afterwards tell what was visited. */
bool cn_search_walk(cairn_search *search, cairn_node node);

/* Chooses the node that stands in for the goal of the caller, to which no path leads: see
 * cairn_search_options.nearest. It is a guess, as `is_guess` then says, where a path may not lead
 * to it either; if that search fails, the next call is certain. CAIRN_E_MEMORY. */
cairn_status cn_search_stand_in(cairn_search *search, cairn_node *node);

#endif
