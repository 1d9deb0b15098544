/* One search that begins at many members. */
#include "nearest/hunt.h"

/* Whether the search, which has followed map and table, may begin at several nodes at once, with
 * records by node: not if its rows are at corners, or it needs a heap, or avoids nodes. */
static bool may_begin_at_many(const cairn_search *search)
{
    return !search->is_general && !(search->table && search->table->corners) &&
           !search->avoidance.count;
}

bool cn_hunt_may_join(const cn_hunt *self)
{
    return !self->join_tried && (self->are_starts || !cn_map_is_directed(self->search->map)) &&
           may_begin_at_many(self->search);
}

/* Takes the members from the queue that may be nearer than the best one, with their bounds. */
static cairn_status take_starts(cn_hunt *self)
{
    cairn_search *search = self->search;
    cn_hunt_starts *starts = &self->starts;
    cairn_status status = CAIRN_OK;
    cn_open_item item;

    search->members.chosen.count = search->members.bounds.count = 0;
    starts->least = CAIRN_UNREACHABLE;
    while (status == CAIRN_OK && cn_hunt_has_hope(self)) {
        cairn_cost bound = cn_open_pop(&search->members.queue, CN_OPEN_HEAP, &item);
        if (item.value != CN_HUNT_FINAL)
            status = cn_hunt_bound(self, bound, item.label, self->end, &bound);
        if (status != CAIRN_OK || bound >= self->best.cost)
            continue;
        starts->least = bound < starts->least ? bound : starts->least;
        if (!cn_nodes_add(&search->members.chosen, &search->mem, item.label) ||
            !cn_nodes_add(&search->members.bounds, &search->mem, bound))
            status = CAIRN_E_MEMORY;
    }
    starts->chosen = search->members.chosen.items;
    starts->bounds = search->members.bounds.items;
    starts->count = search->members.chosen.count;
    return status;
}

/* Puts the members back, to be tried one by one. */
static cairn_status put_back(cn_hunt *self)
{
    const cn_hunt_starts *starts = &self->starts;
    cn_open_list *queue = &self->search->members.queue;
    if (!cn_open_reserve(queue, starts->count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < starts->count; i++)
        cn_open_push(queue, CN_OPEN_HEAP, starts->bounds[i],
                     (cn_open_item){.label = starts->chosen[i], .value = CN_HUNT_FINAL});
    return CAIRN_OK;
}

/* Puts the starts on the empty open list, each with its bound, as the core does with one. */
static bool open_starts(cn_hunt *self)
{
    const cn_hunt_starts *starts = &self->starts;
    cn_scratch *scratch = &self->search->scratch;
    cn_open_list *open = &scratch->open;

    cn_open_reset(open, starts->least >> scratch->shift);
    if (!cn_open_reserve(open, starts->count))
        return false;
    for (size_t i = 0; i < starts->count; i++) {
        const cairn_node node = self->members[starts->chosen[i]];
        const cn_open_item item = {.label = CN_LABEL_OF(node, (uint32_t)CN_NOWHERE)};
        if (cn_scratch_knows(scratch, false, node) || starts->bounds[i] >= scratch->limit)
            continue;
        scratch->records[node] = cn_record_of_start(scratch->stamp, node, starts->bounds[i]);
        cn_open_push(open, CN_OPEN_BUCKETS, starts->bounds[i] >> scratch->shift, item);
        scratch->generated++;
    }
    cn_scratch_begin_prepared(scratch);
    return true;
}

/* The member from which the path that was found leads: the node that is its own parent. */
static uint32_t start_of_path(const cn_hunt *self)
{
    const cairn_search *search = self->search;
    const uint32_t *chosen = self->starts.chosen;
    cairn_node at = search->query.goal, before;
    while ((before = cn_record_parent(&search->scratch.records[at])) != at)
        at = before;
    while (self->members[*chosen] != at)
        chosen++;
    return *chosen;
}

/* Prepares the run from all of the starts to the common end. CAIRN_E_MEMORY. */
static cairn_status begin_run_from_starts(cn_hunt *self)
{
    cairn_search *search = self->search;
    const cn_hunt_starts *starts = &self->starts;
    const cairn_cost ceiling = self->best.cost;

    CN_ASSERT(may_begin_at_many(search));
    cairn_status status = search->query.corners ? cn_search_leave_corners(search) : CAIRN_OK;
    if (status != CAIRN_OK)
        return status;
    cn_search_begin_run(search, self->members[starts->chosen[0]], self->end, ceiling);
    cn_search_number_lone_ends(search);
    search->run.rows_due = 0;
    cn_search_prepare_goal_rows(search);
    cn_search_reset(search, starts->least, ceiling);
    if (!open_starts(self))
        return CAIRN_E_MEMORY;
    self->least_of_rest = starts->least;
    return CAIRN_OK;
}

/* The run has ended, or is paused. Where it met costs above CAIRN_COST_MAX, and found no path, its
 * starts are tried one by one; otherwise the one from which a path costs least, and less than the
 * best one. */
static cairn_status end_run_from_starts(cn_hunt *self, cairn_status status, cairn_path *path)
{
    const cn_hunt_starts *starts = &self->starts;

    self->phase = CN_HUNT_JOINS;
    if (status == CAIRN_OK && self->search->scratch.is_paused)
        return CAIRN_OK;
    self->phase = CN_HUNT_CHOOSES;
    const bool has_path = status == CAIRN_OK && path->cost != CAIRN_UNREACHABLE;
    const uint32_t nearest = has_path ? start_of_path(self) : UINT32_MAX;
    cn_search_report_counts(self->search, path);
    cn_hunt_count(self, path);
    if (status == CAIRN_E_LIMIT)
        return put_back(self);
    self->least_of_all = starts->least < self->least_of_all ? starts->least : self->least_of_all;
    return has_path ? cn_hunt_try_last(self, nearest) : status;
}

cairn_status cn_hunt_go_on_jointly(cn_hunt *self)
{
    cairn_search *search = self->search;
    cairn_path path = cn_no_path(search->space);
    cairn_status status = CAIRN_OK;

    if (cn_hunt_goes_on(self))
        status = search->followed.searcher(&search->query, &search->scratch, &path.cost);
    return end_run_from_starts(self, status, &path);
}

cairn_status cn_hunt_search_jointly(cn_hunt *self)
{
    self->join_tried = true;
    cn_hunt_begin_run(self);
    cairn_status status = cn_search_follow(self->search);
    if (status == CAIRN_OK)
        status = take_starts(self);
    if (status != CAIRN_OK || self->starts.count == 0)
        return status;
    status = begin_run_from_starts(self);
    return status == CAIRN_OK ? cn_hunt_go_on_jointly(self) : status;
}
