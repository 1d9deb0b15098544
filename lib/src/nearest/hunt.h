/*
 * The state of a hunt: of a run to the nearest of several goals, or from the nearest of several
 * starts, its *members*. The file nearest.c tells how it goes.
 */
#ifndef CN_NEAREST_HUNT_H
#define CN_NEAREST_HUNT_H

#include "search/search.h"

enum { CN_HUNT_FINAL = 1 }; /* of queued members whose key is their bound by rows */

/* What the ball does in a hunt. */
typedef struct cn_ball_part {
    bool has_begun;   /* to grow */
    bool is_idle;     /* it does not grow: it would not decide, or nothing is left to decide */
    bool has_decided; /* which member is nearest */
    uint32_t nearest; /* which member it has reached; UINT32_MAX: none */
} cn_ball_part;

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
    bool is_dear;    /* some path costs more than CAIRN_COST_MAX */
    cn_ball_part ball;
    cairn_cost least_of_all;  /* no path to or from a member costs less */
    cairn_cost least_of_rest; /* and to or from a member that is left */
    uint64_t flood_due;       /* a flood decides after so many expansions; 0: not known yet */
    cairn_path best;
    cn_counts counts; /* of all searches that have ended */
} cn_hunt;

/* Whether a queued member may be nearer than the best one. */
static inline bool cn_hunt_has_hope(const cn_hunt *self)
{
    const cn_open_list *queue = &self->search->members.queue;
    return queue->count && queue->leaves[0].order >> 32 < self->best.cost;
}

/* --------------------------------------------------------------------------- hunt_bounds.c -- */

/* The base heuristics of all members. */
void cn_hunt_list_bases(cn_hunt *self);

/* The index of the first of the least ones. */
uint32_t cn_hunt_least_base(const cairn_cost *bases, size_t count);

/* Queues members by their base heuristic, where that is below the cost of the best path, but for
 * the one that was tried; UINT32_MAX: none was. */
cairn_status cn_hunt_queue_members(cn_hunt *self, uint32_t tried);

/* The bound of a member by rows and base heuristic; CAIRN_UNREACHABLE where no path leads. Rows are
 * prepared for `goal`, which is the member or the common end. */
cairn_status cn_hunt_bound(cn_hunt *self, cairn_cost base, uint32_t index, cairn_node goal,
                           cairn_cost *bound);

/* Finds the bound by rows of a member that was taken from the queue with its base heuristic, and
 * queues it again if that is below the cost of the best path. Where costs are alike in both
 * directions, rows are prepared once for many members. */
cairn_status cn_hunt_refine(cn_hunt *self, cairn_cost base, uint32_t index);

/* Whether nothing tells which member is near: on a graph without coordinates, and without rows. */
bool cn_hunt_knows_nothing(const cn_hunt *self);

/* ---------------------------------------------------------------------------- hunt_turns.c -- */

/* Grows the ball by so many nodes. Once it has reached a member, or the cost of the best path, it
 * has decided; where it meets costs above CAIRN_COST_MAX, searches go on without it. */
cairn_status cn_hunt_grow_ball(cn_hunt *self, uint64_t expansions);

/* The next run begins with a slice. */
void cn_hunt_begin_run(const cn_hunt *self);

/* After a slice: lets the ball grow. Once that has decided, the search is given up; otherwise the
 * next slice begins. */
cairn_status cn_hunt_take_turns(cn_hunt *self);

/* Searches for a path that costs less than the best one. Among avoided nodes it may come upon
 * others, which turn out to lead through some, before it ends. */
cairn_status cn_hunt_try(cn_hunt *self, uint32_t index);

/* Tries the only member that may be nearer than the best one. */
cairn_status cn_hunt_try_last(cn_hunt *self, uint32_t index);

/* Keeps the present path while others are searched for, or makes the one that was kept the present
 * one. */
void cn_hunt_swap_paths(cairn_search *search);

/* ---------------------------------------------------------------------------- hunt_joint.c -- */

/* Whether one search from all members that are left is to decide, in place of one from each, which
 * would go the same ways again. The common end is the goal of that search, so paths have to cost
 * the same in both directions if it is not. */
bool cn_hunt_may_join(const cn_hunt *self);

/* One search from all members that are left to the common end, and one to the nearest of them. If
 * it meets costs above the largest, it does not tell from which members. */
cairn_status cn_hunt_search_jointly(cn_hunt *self);

#endif
