/* Searches for single members, the ball that grows between these, and where their slices end. */
#include "nearest/ball.h"
#include "nearest/hunt.h"

/* Whenever searches have expanded so many nodes, they pause for the ball to grow. The first time it
 * grows by a few nodes, which tell how large it is likely to become. */
enum { EXPANSIONS_IN_TURN = 128, FIRST_NODES = 32 };

static uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* By all searches, with the present one. */
static uint64_t expanded_by_searches(const cn_hunt *self)
{
    return self->counts.expanded + self->search->scratch.expanded;
}

static uint64_t expanded_by_ball(const cn_hunt *self)
{
    return self->ball.has_begun ? self->search->ball.scratch.expanded : 0;
}

uint64_t cn_hunt_expanded(const cn_hunt *self)
{
    return expanded_by_searches(self) + expanded_by_ball(self);
}

static uint64_t left_of_slice(const cn_hunt *self)
{
    const uint64_t expanded = cn_hunt_expanded(self);
    return self->slice.expansions > expanded ? self->slice.expansions - expanded : 0;
}

/* -------------------------------------------------------------------------------- the ball -- */

static cairn_status begin_ball(cn_hunt *self)
{
    self->ball.has_begun = true;
    return cn_ball_begin(self->search, self->end, self->are_starts ? CN_REVERSE : CN_FORWARD,
                         self->members, self->count);
}

static void end_ball(cn_hunt *self, cairn_cost cost)
{
    const cn_ball *ball = &self->search->ball;

    self->ball.has_decided = true;
    self->least_of_all = cost < self->best.cost ? cost : self->best.cost;
    if (cost < self->best.cost)
        self->ball.nearest = cn_ball_member_at(ball, self->members, cost);
}

cairn_status cn_hunt_grow_ball(cn_hunt *self)
{
    const cn_scratch *scratch = &self->search->ball.scratch;
    cairn_cost cost;
    cairn_status status = self->ball.has_begun ? CAIRN_OK : begin_ball(self);

    if (status == CAIRN_OK) {
        const uint64_t more = less_of(self->ball.due - scratch->expanded, left_of_slice(self));
        status = cn_ball_grow(self->search, more, self->slice.end, self->best.cost, &cost);
    }
    if (status == CAIRN_OK && scratch->is_paused && scratch->expanded < self->ball.due)
        return CAIRN_OK;
    self->ball.due = 0;
    self->ball.is_idle |= status == CAIRN_E_LIMIT;
    if (status == CAIRN_OK && !scratch->is_paused)
        end_ball(self, cost);
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

/* ------------------------------------------------------------------------------- the turns -- */

static uint64_t next_turn(const cn_hunt *self)
{
    const bool is_whole = self->count == 1 || self->ball.is_idle;
    const uint64_t turns = expanded_by_searches(self) / EXPANSIONS_IN_TURN;
    return is_whole ? UINT64_MAX : (turns + 1) * EXPANSIONS_IN_TURN;
}

/* Between two slices of a search: the ball is due to grow until it has cost as much as all searches
 * so far, unless it is likely to cost more before it comes as far as the members that are left are
 * by their bounds. */
static void take_turn(cn_hunt *self)
{
    const cairn_search *search = self->search;
    const uint64_t share = expanded_by_searches(self);

    if (share < self->turn_at)
        return;
    if (!self->ball.has_begun) {
        self->ball.due = FIRST_NODES;
        return;
    }
    self->turn_at = next_turn(self);
    if (!self->ball.is_idle && share > search->ball.scratch.expanded &&
        cn_ball_size_at(&search->ball, self->least_of_rest) <= share)
        self->ball.due = share;
}

/* A search that has found no path has been wherever paths lead, and others would go there again:
 * the ball grows by as much as all of them, until it has been there, too, or reaches a member. */
static void take_turn_after_failure(cn_hunt *self)
{
    if (self->count > 1 && self->best.cost == CAIRN_UNREACHABLE && !self->ball.is_idle &&
        !self->ball.has_decided)
        self->ball.due = expanded_by_ball(self) + FIRST_NODES + self->counts.expanded;
}

static void begin_slice(cn_hunt *self)
{
    const uint64_t until_turn = self->turn_at - expanded_by_searches(self);
    cn_scratch_slice(&self->search->scratch, &self->search->options,
                     less_of(until_turn, left_of_slice(self)), self->slice.end);
}

void cn_hunt_begin_run(cn_hunt *self)
{
    cn_search_book_expansions(self->search);
    self->turn_at = next_turn(self);
    begin_slice(self);
}

bool cn_hunt_goes_on(cn_hunt *self)
{
    const bool is_in_vain = self->ball.has_decided && !self->ball.is_idle;

    if (is_in_vain) {
        cn_scratch_give_up(&self->search->scratch);
        return false;
    }
    take_turn(self);
    if (self->ball.due)
        return false;
    begin_slice(self);
    return true;
}

/* ------------------------------------------------------------------- searches for one member -- */

void cn_hunt_count(cn_hunt *self, const cairn_path *path)
{
    cn_counts_add(&self->counts, path);
    cn_search_book_expansions(self->search);
}

void cn_hunt_swap_paths(cairn_search *search)
{
    const cn_path_lists kept = search->members.best;
    search->members.best = search->path;
    search->path = kept;
}

/* The search for the member that is tried has ended, or is paused. */
static cairn_status end_trying(cn_hunt *self, cairn_status status, const cairn_path *path)
{
    self->phase = CN_HUNT_SEARCHES;
    if (status == CAIRN_OK && self->search->scratch.is_paused)
        return CAIRN_OK;
    self->phase = CN_HUNT_CHOOSES;
    cn_hunt_count(self, path);
    self->is_dear |= status == CAIRN_E_LIMIT;
    if (status == CAIRN_OK && path->cost < self->best.cost) {
        self->best = *path;
        self->best.which = self->tried;
        cn_hunt_swap_paths(self->search);
    }
    if (status == CAIRN_OK)
        take_turn_after_failure(self);
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

cairn_status cn_hunt_try(cn_hunt *self, uint32_t index)
{
    const cairn_node member = self->members[index];
    const cairn_node start = self->are_starts ? member : self->end;
    const cairn_node goal = self->are_starts ? self->end : member;
    cairn_path path = cn_no_path(self->search->space);

    path.run = self->search->run.number;
    self->member_tried = true;
    self->tried = index;
    cn_hunt_begin_run(self);
    const cairn_status status = cn_search_run_below(self->search, start, goal, self->best.cost,
                                                    &path);
    return end_trying(self, status, &path);
}

cairn_status cn_hunt_go_on_trying(cn_hunt *self)
{
    cairn_search *search = self->search;
    cairn_path path = cn_no_path(search->space);
    cairn_status status = CAIRN_OK;

    if (cn_hunt_goes_on(self))
        status = cn_search_go_on(search, &path);
    else
        cn_search_report_counts(search, &path);
    return end_trying(self, status, &path);
}

cairn_status cn_hunt_try_last(cn_hunt *self, uint32_t index)
{
    self->ball.is_idle = true;
    self->search->members.queue.count = 0;
    return cn_hunt_try(self, index);
}
