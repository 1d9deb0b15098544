/*
 * The nearest of several goals, or of several starts. The member of the least bound is tried first;
 * mostly no other bound is below the cost of its path. Entries are read only for members whose base
 * heuristic is that low. If some are left, one search that begins at all of them, with the common
 * end as its goal, finds the nearest of them. Where that cannot be, they are tried in the order of
 * their bounds, each by a search that gives up at the cost of the best path so far (Papadias,
 * Zhang, Mamoulis and Tao, "Query processing in spatial network databases", VLDB 2003, with bounds
 * of landmarks in place of Euclidean ones); where these searches are long, one flood says which
 * member is nearest.
 *
 * Where bounds say little, all of this may take many times as long as Dijkstra's algorithm from the
 * common end. So that takes turns with the searches: they pause for its ball (ball.c) to grow by as
 * many nodes as they have expanded. Which of the two knows the nearest member first ends the other
 * (ski rental); if it is the ball, one search finds the path.
 */
#include "flood/flood.h"
#include "nearest/hunt.h"
#include "system/clock.h"

static bool rows_raise_first(const cn_hunt *self)
{
    return self->first_bound != self->search->members.bases.items[self->first];
}

/* Tries the member of the least base heuristic before all others, unless rows give a larger bound
 * for it: mostly few others are then left. */
static cairn_status try_first(cn_hunt *self)
{
    self->phase = CN_HUNT_CHOOSES;
    if (self->ball.has_decided || rows_raise_first(self))
        return CAIRN_OK;
    self->least_of_all = self->least_of_rest = self->first_bound;
    return cn_hunt_try(self, self->first);
}

/* Finds the bound of the member of the least base heuristic. Rows are prepared for the goal that is
 * then tried. */
static cairn_status list_members(cn_hunt *self)
{
    cairn_search *search = self->search;

    self->phase = CN_HUNT_TRIES_FIRST;
    if (!cn_nodes_reserve(&search->members.bases, &search->mem, self->count))
        return CAIRN_E_MEMORY;
    cn_hunt_list_bases(self);
    self->first = cn_hunt_least_base(search->members.bases.items, self->count);
    const cairn_cost base = search->members.bases.items[self->first];
    const cairn_node goal = self->are_starts ? self->end : self->members[self->first];
    const cairn_status status = cn_hunt_bound(self, base, self->first, goal, &self->first_bound);
    if (status != CAIRN_OK)
        return status;
    if (self->first_bound == 0 && cn_hunt_knows_nothing(self)) {
        self->ball.due = UINT64_MAX;
        return CAIRN_OK;
    }
    return try_first(self);
}

static cairn_status queue_others(cn_hunt *self)
{
    const bool is_done = !rows_raise_first(self) || self->first_bound == CAIRN_UNREACHABLE;
    self->is_queued = true;
    return cn_hunt_queue_members(self, is_done ? self->first : UINT32_MAX);
}

/* Whether a flood may take the place of the searches: once, and of those that cannot go on as one.
 * It cannot avoid nodes. */
static bool may_flood(const cn_hunt *self)
{
    return !self->flood_tried && !cn_hunt_may_join(self) && !self->search->avoidance.count;
}

/* A flood is due when the searches have taken twice as long as it would, whose memory is made for
 * it. How long that is takes a while to tell, so it is asked only where it may be so already. */
static void find_flood_due(cn_hunt *self)
{
    const cairn_map *map = self->search->map;
    if (self->flood_due == UINT64_MAX &&
        self->counts.expanded > map->grid.open_count / CN_CELLS_PER_EXPANSION)
        self->flood_due = 2 * cn_flood_in_expansions(map);
}

/* The cheapest of the members that are still queued, by their costs. */
static uint32_t choose_member(const cn_open_list *queue, const cairn_node *members,
                              const cairn_cost *costs)
{
    uint32_t best = queue->leaves[0].item.label;
    for (size_t i = 1; i < queue->count; i++) {
        const uint32_t index = queue->leaves[i].item.label;
        if (costs[members[index]] < costs[members[best]])
            best = index;
    }
    return best;
}

/* Floods from the common end, and searches for the nearest member alone. Costs beyond the limit
 * leave the queue as it is. */
static cairn_status flood_members(cn_hunt *self)
{
    cairn_search *search = self->search;
    cn_open_list *queue = &search->members.queue;
    cairn_cost *costs = cn_array(&search->mem, cn_map_node_count(search->map), sizeof *costs);

    self->flood_tried = true;
    if (!costs)
        return CAIRN_E_MEMORY;
    cairn_status status = self->are_starts ? cairn_costs_to(search->map, &self->end, 1, costs)
                                           : cairn_costs_from(search->map, &self->end, 1, costs);
    if (status == CAIRN_OK) {
        const uint32_t index = choose_member(queue, self->members, costs);
        if (costs[self->members[index]] < self->best.cost)
            status = cn_hunt_try_last(self, index);
        queue->count = 0;
    }
    cn_release(&search->mem, costs);
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

/* The result for the whole set. */
static void report_hunt(const cn_hunt *self, cairn_path *path)
{
    cn_hunt_swap_paths(self->search);
    *path = self->best;
    path->run = self->search->run.number;
    cn_counts_report(&self->counts, path);
    if (!self->search->guarantee)
        path->guarantee = cn_ratio(path->cost, self->least_of_all);
}

/* The run for the first member has ended, or is paused: the result is that of the whole set. */
static cairn_status end_giving_up(cn_hunt *self, cairn_status status)
{
    self->phase = self->search->scratch.is_paused ? CN_HUNT_GIVES_UP : CN_HUNT_ENDS;
    return status;
}

static cairn_status give_up(cn_hunt *self, cairn_path *path)
{
    const cairn_node start = self->are_starts ? self->members[0] : self->end;
    const cairn_node goal = self->are_starts ? self->end : self->members[0];

    self->ball.is_idle = true;
    *path = cn_no_path(self->search->space);
    path->run = self->search->run.number;
    cn_hunt_begin_run(self);
    return end_giving_up(self, cn_search_run_or_stand_in(self->search, start, goal, path));
}

static cairn_status go_on_giving_up(cn_hunt *self, cairn_path *path)
{
    const bool goes_on = cn_hunt_goes_on(self);
    CN_ASSERT(goes_on);
    (void)goes_on;
    return end_giving_up(self, cn_search_go_on_or_stand_in(self->search, path));
}

/* Once no member is left: the one that the ball has reached is tried, if there is one. Where no
 * path leads to or from a member, the result is that for the first of them. */
static cairn_status conclude(cn_hunt *self, cairn_path *path)
{
    const uint32_t nearest = self->ball.nearest;

    self->ball.nearest = UINT32_MAX;
    if (nearest != UINT32_MAX)
        return cn_hunt_try_last(self, nearest);
    if (self->best.cost == CAIRN_UNREACHABLE)
        return self->is_dear ? CAIRN_E_LIMIT : give_up(self, path);
    report_hunt(self, path);
    self->phase = CN_HUNT_ENDS;
    return CAIRN_OK;
}

static cairn_status take_member(cn_hunt *self)
{
    cn_open_item item;
    const cairn_cost bound = cn_open_pop(&self->search->members.queue, CN_OPEN_HEAP, &item);

    if (item.value != CN_HUNT_FINAL)
        return cn_hunt_refine(self, bound, item.label);
    self->least_of_rest = bound;
    self->least_of_all = bound < self->least_of_all ? bound : self->least_of_all;
    return cn_hunt_has_hope(self) ? cn_hunt_try(self, item.label)
                                  : cn_hunt_try_last(self, item.label);
}

static cairn_status choose(cn_hunt *self, cairn_path *path)
{
    const cn_open_list *queue = &self->search->members.queue;

    const cairn_status status = self->is_queued || self->ball.has_decided ? CAIRN_OK
                                                                          : queue_others(self);
    if (status != CAIRN_OK)
        return status;
    if (self->ball.has_decided || !cn_hunt_has_hope(self))
        return conclude(self, path);
    if (queue->leaves[0].item.value == CN_HUNT_FINAL && self->member_tried &&
        cn_hunt_may_join(self))
        return cn_hunt_search_jointly(self);
    if (may_flood(self))
        find_flood_due(self);
    if (may_flood(self) && self->counts.expanded > self->flood_due)
        return flood_members(self);
    return take_member(self);
}

static cairn_status take_step(cn_hunt *self, cairn_path *path)
{
    if (self->ball.due)
        return cn_hunt_grow_ball(self);
    switch (self->phase) {
    case CN_HUNT_LISTS: return list_members(self);
    case CN_HUNT_TRIES_FIRST: return try_first(self);
    case CN_HUNT_SEARCHES: return cn_hunt_go_on_trying(self);
    case CN_HUNT_JOINS: return cn_hunt_go_on_jointly(self);
    case CN_HUNT_GIVES_UP: return go_on_giving_up(self, path);
    default: return choose(self, path);
    }
}

/* Whether the slice has ended: its time, or its expansions where some are wanted. */
static bool slice_has_ended(const cn_hunt *self)
{
    const bool wants_expansions = self->ball.due || self->search->scratch.is_paused;
    return (wants_expansions && cn_hunt_expanded(self) >= self->slice.expansions) ||
           (self->slice.end && cn_clock_microseconds() >= self->slice.end);
}

static void report_pause(const cn_hunt *self, cairn_path *path)
{
    const cairn_search *search = self->search;
    cn_counts counts = self->counts;

    *path = cn_no_path(search->space);
    path->outcome = CAIRN_PATH_PAUSED;
    path->run = search->run.number;
    if (search->scratch.is_paused)
        cn_search_report_counts(search, path);
    cn_counts_add(&counts, path);
    cn_counts_report(&counts, path);
}

/* Takes steps until the result is known or the slice ends. Numbers of components may have changed
 * since the last slice. */
static cairn_status run_slice(cn_hunt *self, cairn_path *path)
{
    cairn_search *search = self->search;
    cairn_status status = cn_map_connect(search->map, &self->components);

    if (status == CAIRN_OK && cn_grid_is_open(&search->map->grid, self->end))
        self->component = cn_component_of(self->components, self->end);
    if (status == CAIRN_OK)
        do
            status = take_step(self, path);
        while (status == CAIRN_OK && self->phase != CN_HUNT_ENDS && !slice_has_ended(self));
    search->run.is_paused_hunt = status == CAIRN_OK && self->phase != CN_HUNT_ENDS;
    if (search->run.is_paused_hunt)
        report_pause(self, path);
    if (status == CAIRN_OK)
        return CAIRN_OK;
    cn_scratch_give_up(&search->scratch);
    return cn_search_fail(search, status, path);
}

/* The search goes to copies of the members: they are what is checked. Those of a paused run are
 * kept until then. */
static cairn_status take_members(cairn_search *search, const cairn_node *members, size_t count)
{
    cn_run_members *kept = &search->members;
    const cn_nodes former = kept->nodes;

    if (!members || count == 0 || count >= UINT32_MAX || search->options.bound)
        return CAIRN_E_ARGUMENT;
    if (!cn_nodes_reserve(&kept->taken, &search->mem, count))
        return CAIRN_E_MEMORY;
    if (!cn_map_copy_nodes(search->map, members, count, kept->taken.items))
        return CAIRN_E_ARGUMENT;
    kept->nodes = kept->taken;
    kept->taken = former;
    return CAIRN_OK;
}

/* Nothing is left of the last run. */
static void end_last_run(cairn_search *search)
{
    search->run.is_paused_hunt = false;
    cn_scratch_give_up(&search->scratch);
}

/* The first slice of a hunt, which the search keeps. */
static cairn_status begin_hunt(cairn_search *search, const cairn_node *members, size_t count,
                               cairn_node end, bool are_starts, uint64_t expansions,
                               cairn_path *path)
{
    cairn_status status = cn_search_check_call(search, end, end, path);
    if (status == CAIRN_OK)
        status = take_members(search, members, count);
    if (status == CAIRN_OK || status == CAIRN_E_MEMORY)
        end_last_run(search);
    if (status != CAIRN_OK)
        return status;
    path->run = ++search->run.number;
    search->hunt = (cn_hunt){.search = search,
                             .members = search->members.nodes.items,
                             .count = count,
                             .end = end,
                             .are_starts = are_starts,
                             .flood_due = UINT64_MAX,
                             .slice.expansions = expansions,
                             .ball.nearest = UINT32_MAX,
                             .least_of_all = CAIRN_UNREACHABLE,
                             .best = *path};
    cn_search_book_expansions(search);
    cn_search_begin_avoidance(search);
    cn_open_reset(&search->members.queue, 0);
    if (!cn_grid_is_open(&search->map->grid, end)) {
        search->hunt.is_queued = true;
        search->hunt.phase = CN_HUNT_CHOOSES;
    }
    return run_slice(&search->hunt, path);
}

cairn_status cn_hunt_resume(cairn_search *search, cn_hunt_slice slice, cairn_path *path)
{
    cn_hunt *self = &search->hunt;
    const uint64_t expanded = cn_hunt_expanded(self);
    self->slice = slice;
    if (slice.expansions < UINT64_MAX - expanded)
        self->slice.expansions += expanded;
    return run_slice(self, path);
}

static uint64_t expansions_of_run(const cairn_search *search)
{
    return search && search->options.expansion_limit ? search->options.expansion_limit : UINT64_MAX;
}

cairn_status cairn_search_run_to_any(cairn_search *search, cairn_node start,
                                     const cairn_node *goals, size_t count, cairn_path *path)
{
    return begin_hunt(search, goals, count, start, false, expansions_of_run(search), path);
}

cairn_status cairn_search_begin_to_any(cairn_search *search, cairn_node start,
                                       const cairn_node *goals, size_t count, cairn_path *path)
{
    return begin_hunt(search, goals, count, start, false, 0, path);
}

cairn_status cairn_search_run_from_any(cairn_search *search, const cairn_node *starts, size_t count,
                                       cairn_node goal, cairn_path *path)
{
    return begin_hunt(search, starts, count, goal, true, expansions_of_run(search), path);
}

cairn_status cairn_search_begin_from_any(cairn_search *search, const cairn_node *starts,
                                         size_t count, cairn_node goal, cairn_path *path)
{
    return begin_hunt(search, starts, count, goal, true, 0, path);
}
