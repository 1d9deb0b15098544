/*
 * The state of a hunt: of a run to the nearest of several goals, or from the nearest of several
 * starts, its *members*. It is the room nearest that hunts; the search keeps the state from slice
 * to slice.
 */
#ifndef CN_SEARCH_HUNT_STATE_H
#define CN_SEARCH_HUNT_STATE_H

#include "components/components.h"
#include "search/scratch.h"

/* What a hunt does next, unless the ball has to grow before. */
typedef enum cn_hunt_phase {
    CN_HUNT_LISTS = 0,   /* reads the list of members */
    CN_HUNT_TRIES_FIRST, /* tries the member of the least base heuristic */
    CN_HUNT_CHOOSES,     /* which member, or whether something else is tried */
    CN_HUNT_SEARCHES,    /* goes on with a search for one member */
    CN_HUNT_JOINS,       /* goes on with a search from many members */
    CN_HUNT_GIVES_UP,    /* goes on with the run for the first member, since no path leads to any */
    CN_HUNT_ENDS         /* nothing: the result is known */
} cn_hunt_phase;

/* What the ball does in a hunt. */
typedef struct cn_ball_part {
    bool has_begun;   /* to grow */
    bool is_idle;     /* it does not grow: it would not decide, or nothing is left to decide */
    bool has_decided; /* which member is nearest */
    uint32_t nearest; /* which member it has reached; UINT32_MAX: none */
    uint64_t due;     /* it has to grow to so many nodes before anything else is done; 0: it need
                       * not grow */
} cn_ball_part;

/* The end of a slice of a hunt. */
typedef struct cn_hunt_slice {
    uint64_t expansions; /* of searches and ball together, since the hunt began */
    uint64_t end;        /* a time of the clock, in microseconds; 0: none */
} cn_hunt_slice;

/* Some of the members, none of them the common end, from which one search begins, with bounds on
 * the costs to that. */
typedef struct cn_hunt_starts {
    const uint32_t *chosen; /* [count]: indices of members */
    const cairn_cost *bounds;
    size_t count;
    cairn_cost least; /* of the bounds */
} cn_hunt_starts;

typedef struct cn_hunt {
    cairn_search *search;
    const cairn_node *members;
    size_t count;
    cairn_node end; /* the other end of all paths */
    const cn_components *components;
    uint32_t component; /* of the common end */
    bool are_starts;    /* the members are starts, and the common end is the goal */
    bool flood_tried;
    bool member_tried;
    bool join_tried; /* one search from many members */
    bool is_queued;  /* all members that may be near were queued */
    bool is_dear;    /* some path costs more than CAIRN_COST_MAX */
    cn_hunt_phase phase;
    cn_hunt_slice slice;
    uint32_t first;         /* the member of the least base heuristic, with its bound */
    cairn_cost first_bound; /* by rows, too */
    uint32_t tried;         /* the member for which the present search is */
    cn_hunt_starts starts;  /* of the present search from many members */
    uint64_t turn_at;       /* after so many expansions of searches the ball has its turn */
    cn_ball_part ball;
    cairn_cost least_of_all;  /* no path to or from a member costs less */
    cairn_cost least_of_rest; /* and to or from a member that is left */
    uint64_t flood_due;       /* a flood decides after so many expansions; UINT64_MAX: not known */
    cairn_path best;
    cn_counts counts; /* of all searches that have ended */
} cn_hunt;

#endif
