/* The parts of a hunt (search/hunt_state.h); the file nearest.c tells how it goes. */
#ifndef CN_NEAREST_HUNT_H
#define CN_NEAREST_HUNT_H

#include "cairn/nearest.h"
#include "search/search.h"

enum { CN_HUNT_FINAL = 1 }; /* of queued members whose key is their bound by rows */

/* Whether a queued member may be nearer than the best one. */
static inline bool cn_hunt_has_hope(const cn_hunt *self)
{
    const cn_open_list *queue = &self->search->members.queue;
    return queue->count && queue->leaves[0].order >> 32 < self->best.cost;
}

/* ------------------------------------------------------------------------------- nearest.c -- */

/* Goes on with the paused hunt of a search, for a slice of so many expansions more. */
cairn_status cn_hunt_resume(cairn_search *search, cn_hunt_slice slice, cairn_path *path);

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

/* Of searches and ball together, since the hunt began. */
uint64_t cn_hunt_expanded(const cn_hunt *self);

/* Lets the ball grow until it has as many nodes as it is due to have, or the slice ends. Once it
 * has reached a member, or the cost of the best path, it has decided; where it meets costs above
 * CAIRN_COST_MAX, searches go on without it. */
cairn_status cn_hunt_grow_ball(cn_hunt *self);

/* The next run begins with a slice. */
void cn_hunt_begin_run(cn_hunt *self);

/* Before the search that is paused goes on: whether it does, in a slice that begins. It does not
 * where the ball is due to grow before, or has decided; then it is given up. */
bool cn_hunt_goes_on(cn_hunt *self);

/* Counts what a search has done that has ended or was given up. */
void cn_hunt_count(cn_hunt *self, const cairn_path *path);

/* Searches for a path that costs less than the best one. Among avoided nodes it may come upon
 * others, which turn out to lead through some, before it ends. */
cairn_status cn_hunt_try(cn_hunt *self, uint32_t index);

/* Goes on with that. */
cairn_status cn_hunt_go_on_trying(cn_hunt *self);

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

/* Goes on with that. */
cairn_status cn_hunt_go_on_jointly(cn_hunt *self);

#endif
