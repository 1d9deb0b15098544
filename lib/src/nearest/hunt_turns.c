/* Searches for single members in slices, and the ball that grows between these. */
#include "nearest/ball.h"
#include "nearest/hunt.h"

/* Whenever searches have expanded so many nodes, they pause for the ball to grow. The first time it
 * grows by a few nodes, which tell how large it is likely to become. */
enum { EXPANSIONS_IN_TURN = 128, FIRST_NODES = 32 };

static cairn_status begin_ball(cn_hunt *self)
{
    self->ball.has_begun = true;
    return cn_ball_begin(self->search, self->end, self->are_starts ? CN_REVERSE : CN_FORWARD,
                         self->members, self->count);
}

cairn_status cn_hunt_grow_ball(cn_hunt *self, uint64_t expansions)
{
    cn_ball *ball = &self->search->ball;
    cairn_cost cost;
    cairn_status status = self->ball.has_begun ? CAIRN_OK : begin_ball(self);

    if (status == CAIRN_OK)
        status = cn_ball_grow(self->search, expansions, self->best.cost, &cost);
    self->ball.is_idle |= status == CAIRN_E_LIMIT;
    if (status != CAIRN_OK || ball->scratch.is_paused)
        return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
    self->ball.has_decided = true;
    self->least_of_all = cost < self->best.cost ? cost : self->best.cost;
    if (cost < self->best.cost)
        self->ball.nearest = cn_ball_member_at(ball, self->members, cost);
    return CAIRN_OK;
}

/* By all searches, with the present one. */
static uint64_t count_expanded(const cn_hunt *self)
{
    return self->counts.expanded + self->search->scratch.expanded;
}

/* Between two slices of a search: the ball grows until it has cost as much as all searches so far,
 * unless it is likely to cost more before it comes as far as the members that are left are by their
 * bounds. */
static cairn_status grow_ball_in_turn(cn_hunt *self)
{
    const cairn_search *search = self->search;
    const cn_scratch *ball = &search->ball.scratch;
    const uint64_t share = count_expanded(self);
    cairn_status status = self->ball.has_begun ? CAIRN_OK : cn_hunt_grow_ball(self, FIRST_NODES);

    if (status != CAIRN_OK || self->ball.has_decided || self->ball.is_idle ||
        share <= ball->expanded || cn_ball_size_at(&search->ball, self->least_of_rest) > share)
        return status;
    return cn_hunt_grow_ball(self, share - ball->expanded);
}

static void begin_slice(const cn_hunt *self)
{
    const uint64_t until_turn = EXPANSIONS_IN_TURN - count_expanded(self) % EXPANSIONS_IN_TURN;
    const bool is_whole = self->count == 1 || self->ball.is_idle;
    cn_scratch_slice(&self->search->scratch, &self->search->options,
                     is_whole ? UINT64_MAX : until_turn, UINT64_MAX);
}

void cn_hunt_begin_run(const cn_hunt *self)
{
    cn_search_book_expansions(self->search);
    begin_slice(self);
}

cairn_status cn_hunt_take_turns(cn_hunt *self)
{
    const cairn_status status = grow_ball_in_turn(self);
    if (status != CAIRN_OK || self->ball.has_decided)
        cn_scratch_give_up(&self->search->scratch);
    else
        begin_slice(self);
    return status;
}

/* Goes on with the paused search for a path until it has ended or is given up. */
static cairn_status finish_run(cn_hunt *self, cairn_path *path)
{
    cairn_search *search = self->search;
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK && search->scratch.is_paused) {
        status = cn_hunt_take_turns(self);
        if (search->scratch.is_paused)
            status = cn_search_go_on(search, path);
    }
    return status;
}

/* A search that has found no path has been wherever paths lead, and others would go there again:
 * the ball grows by as much as all of them, until it has been there, too, or reaches a member. */
static cairn_status grow_ball_after_failure(cn_hunt *self)
{
    const bool may_decide = self->count > 1 && self->best.cost == CAIRN_UNREACHABLE &&
                            !self->ball.is_idle && !self->ball.has_decided;
    return may_decide ? cn_hunt_grow_ball(self, FIRST_NODES + self->counts.expanded) : CAIRN_OK;
}

void cn_hunt_swap_paths(cairn_search *search)
{
    const cn_path_lists kept = search->members.best;
    search->members.best = search->path;
    search->path = kept;
}

cairn_status cn_hunt_try(cn_hunt *self, uint32_t index)
{
    const cairn_node member = self->members[index];
    const cairn_node start = self->are_starts ? member : self->end;
    const cairn_node goal = self->are_starts ? self->end : member;
    cairn_path path = cn_no_path(self->search->space);

    path.run = self->search->run.number;
    self->member_tried = true;
    cn_hunt_begin_run(self);
    cairn_status status = cn_search_run_below(self->search, start, goal, self->best.cost, &path);
    if (status == CAIRN_OK)
        status = finish_run(self, &path);
    cn_counts_add(&self->counts, &path);
    self->is_dear |= status == CAIRN_E_LIMIT;
    if (status == CAIRN_OK && path.cost < self->best.cost) {
        self->best = path;
        self->best.which = index;
        cn_hunt_swap_paths(self->search);
    }
    if (status == CAIRN_OK)
        status = grow_ball_after_failure(self);
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

cairn_status cn_hunt_try_last(cn_hunt *self, uint32_t index)
{
    self->ball.is_idle = true;
    self->search->members.queue.count = 0;
    return cn_hunt_try(self, index);
}
