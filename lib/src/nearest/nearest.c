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

/* Tries the member of the least base heuristic before all others, unless rows give a larger bound
 * for it: mostly few others are then left. Rows are prepared for the goal that is tried. */
static cairn_status begin_hunt(cn_hunt *self)
{
    cairn_search *search = self->search;
    cairn_cost bound;

    if (!cn_nodes_reserve(&search->members.bases, &search->mem, self->count))
        return CAIRN_E_MEMORY;
    cn_hunt_list_bases(self);
    const uint32_t first = cn_hunt_least_base(search->members.bases.items, self->count);
    const cairn_cost base = search->members.bases.items[first];
    const cairn_node goal = self->are_starts ? self->end : self->members[first];
    cairn_status status = cn_hunt_bound(self, base, first, goal, &bound);
    if (status == CAIRN_OK && bound == 0 && cn_hunt_knows_nothing(self))
        status = cn_hunt_grow_ball(self, UINT64_MAX);
    if (status == CAIRN_OK && bound == base && !self->ball.has_decided) {
        self->least_of_all = self->least_of_rest = bound;
        status = cn_hunt_try(self, first);
    }
    if (status != CAIRN_OK || self->ball.has_decided)
        return status;
    const bool is_done = bound == base || bound == CAIRN_UNREACHABLE;
    return cn_hunt_queue_members(self, is_done ? first : UINT32_MAX);
}

/* Whether the searches have taken about as long as a flood would, whose memory is made for it. A
 * flood cannot avoid nodes, so where some are avoided there is none. */
static bool hunt_is_long(cn_hunt *self)
{
    const cairn_map *map = self->search->map;
    if (self->search->avoidance.count ||
        self->counts.expanded <= map->grid.open_count / CN_CELLS_PER_EXPANSION)
        return false;
    if (!self->flood_due)
        self->flood_due = 2 * cn_flood_in_expansions(map);
    return self->counts.expanded > self->flood_due;
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

static cairn_status try_members(cn_hunt *self)
{
    cn_open_list *queue = &self->search->members.queue;
    cairn_status status = CAIRN_OK;
    cn_open_item item;

    while (status == CAIRN_OK && !self->ball.has_decided && cn_hunt_has_hope(self)) {
        if (queue->leaves[0].item.value == CN_HUNT_FINAL && self->member_tried &&
            cn_hunt_may_join(self)) {
            status = cn_hunt_search_jointly(self);
            continue;
        }
        if (!self->flood_tried && !cn_hunt_may_join(self) && hunt_is_long(self)) {
            status = flood_members(self);
            continue;
        }
        const cairn_cost bound = cn_open_pop(queue, CN_OPEN_HEAP, &item);
        if (item.value == CN_HUNT_FINAL) {
            self->least_of_rest = bound;
            self->least_of_all = bound < self->least_of_all ? bound : self->least_of_all;
            status = cn_hunt_has_hope(self) ? cn_hunt_try(self, item.label)
                                            : cn_hunt_try_last(self, item.label);
        } else {
            status = cn_hunt_refine(self, bound, item.label);
        }
    }
    if (status != CAIRN_OK || self->ball.nearest == UINT32_MAX)
        return status;
    return cn_hunt_try_last(self, self->ball.nearest);
}

/* The result for the whole set. */
static void report_hunt(const cn_hunt *self, cairn_path *path)
{
    cn_hunt_swap_paths(self->search);
    *path = self->best;
    cn_counts_report(&self->counts, path);
    if (!self->search->guarantee)
        path->guarantee = cn_ratio(path->cost, self->least_of_all);
}

/* Where no path leads to or from a member, the result is that for the first of them. */
static cairn_status hunt_members(cn_hunt *self, cairn_path *path)
{
    cairn_search *search = self->search;
    cairn_status status = cn_map_connect(search->map, &self->components);

    cn_open_reset(&search->members.queue, 0);
    if (status == CAIRN_OK && cn_grid_is_open(&search->map->grid, self->end)) {
        self->component = cn_component_of(self->components, self->end);
        status = begin_hunt(self);
    }
    if (status == CAIRN_OK)
        status = try_members(self);
    if (status != CAIRN_OK)
        return status;
    if (self->best.cost != CAIRN_UNREACHABLE) {
        report_hunt(self, path);
        return CAIRN_OK;
    }
    if (self->is_dear)
        return CAIRN_E_LIMIT;
    self->ball.is_idle = true;
    cn_hunt_begin_run(self);
    return self->are_starts ? cn_search_run_or_stand_in(search, self->members[0], self->end, path)
                            : cn_search_run_or_stand_in(search, self->end, self->members[0], path);
}

/* The search goes to copies of the members: they are what is checked. */
static cairn_status take_members(cn_hunt *self, cairn_search *search)
{
    if (!cn_nodes_reserve(&search->members.nodes, &search->mem, self->count))
        return CAIRN_E_MEMORY;
    const bool are_on_map = cn_map_copy_nodes(search->map, self->members, self->count,
                                              search->members.nodes.items);
    self->members = search->members.nodes.items;
    return are_on_map ? CAIRN_OK : CAIRN_E_ARGUMENT;
}

static cairn_status run_many(cairn_search *search, cn_hunt *self, cairn_path *path)
{
    cairn_status status = cn_search_check_call(search, self->end, self->end, path);

    if (status != CAIRN_OK)
        return status;
    if (!self->members || self->count == 0 || self->count >= UINT32_MAX || search->options.bound)
        return CAIRN_E_ARGUMENT;
    status = take_members(self, search);
    if (status == CAIRN_E_MEMORY)
        cn_scratch_give_up(&search->scratch);
    if (status != CAIRN_OK)
        return status;
    path->run = ++search->run.number;
    cn_scratch_give_up(&search->scratch);
    cn_search_begin_avoidance(search);
    self->search = search;
    self->least_of_all = CAIRN_UNREACHABLE;
    self->ball.nearest = UINT32_MAX;
    self->best = *path;
    status = hunt_members(self, path);
    return status == CAIRN_OK ? status : cn_search_fail(search, status, path);
}

cairn_status cairn_search_run_to_any(cairn_search *search, cairn_node start,
                                     const cairn_node *goals, size_t count, cairn_path *path)
{
    cn_hunt self = {.members = goals, .count = count, .end = start};
    return run_many(search, &self, path);
}

cairn_status cairn_search_run_from_any(cairn_search *search, const cairn_node *starts, size_t count,
                                       cairn_node goal, cairn_path *path)
{
    cn_hunt self = {.members = starts, .count = count, .end = goal, .are_starts = true};
    return run_many(search, &self, path);
}
