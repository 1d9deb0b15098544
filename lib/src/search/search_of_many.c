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
 * common end. So that takes turns with the searches: they pause for its ball (search_ball.c) to
 * grow by as many nodes as they have expanded. Which of the two knows the nearest member first ends
 * the other (ski rental); if it is the ball, one search finds the path.
 */
#include "flood/flood.h"
#include "search/search.h"
#include "table/corner_rows.h"

enum { FINAL = 1 }; /* of queued members whose key is their bound by rows */

/* What the ball does in a hunt. */
typedef struct ball_part {
    bool has_begun;   /* to grow */
    bool is_idle;     /* it does not grow: it would not decide, or nothing is left to decide */
    bool has_decided; /* which member is nearest */
    uint32_t nearest; /* which member it has reached; UINT32_MAX: none */
} ball_part;

typedef struct many_hunt {
    cairn_search *search;
    const cairn_node *members;
    size_t count;
    cairn_node end; /* the other end of all paths */
    const cn_components *components;
    uint32_t component; /* of the common end */
    bool are_starts;    /* the members are starts, and the common end is the goal */
    bool is_flooded;    /* a flood was tried */
    bool has_tried;     /* a member was searched for */
    bool has_joined;    /* one search from many was tried */
    bool is_dear;       /* some path costs more than CAIRN_COST_MAX */
    ball_part ball;
    cairn_cost bound; /* no path to or from a member that is left costs less */
    uint64_t flood;   /* as long as so many expansions; 0: not asked for yet */
    cairn_cost least; /* no path to or from a member costs less */
    cairn_path best;
    cn_counts counts; /* of all searches that have ended */
} many_hunt;

static cairn_cost base_of_member(const many_hunt *self, cairn_node member)
{
    const cairn_map *map = self->search->map;
    const cairn_plain best = cn_base_of(map, CAIRN_PLAIN_BEST);
    return self->are_starts ? cn_base_between(map, best, member, self->end)
                            : cn_base_between(map, best, self->end, member);
}

/* base_of_member on level grids at moderate costs, where x, y is the common end. */
CN_ALWAYS_INLINE cairn_cost level_base(const cn_query *query, bool is_hex, uint32_t x, uint32_t y,
                                       cairn_node member)
{
    uint32_t at_x, at_y;
    cn_grid_xy(query->grid, member, &at_x, &at_y);
    return is_hex ? query->metric.straight * cn_hex_steps(at_x, at_y, x, y)
                  : cn_octile(query->metric, at_x, at_y, x, y);
}

CN_ALWAYS_INLINE void list_level_bases(const many_hunt *self, bool is_hex)
{
    const cn_query *query = &self->search->query;
    cairn_cost *bases = self->search->members.bounds.items;
    uint32_t x, y;

    cn_grid_xy(query->grid, self->end, &x, &y);
    for (size_t i = 0; i < self->count; i++)
        bases[i] = level_base(query, is_hex, x, y, self->members[i]);
}

/* The base heuristics of all members. */
static void list_bases(many_hunt *self)
{
    const cairn_search *search = self->search;
    if (search->is_general || search->map->grid.heights.cells) {
        for (size_t i = 0; i < self->count; i++)
            search->members.bounds.items[i] = base_of_member(self, self->members[i]);
    } else if (search->map->grid.rules.rule == CAIRN_RULE_HEX) {
        list_level_bases(self, true);
    } else {
        list_level_bases(self, false);
    }
}

static uint32_t least_base(const cairn_cost *bases, size_t count)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++)
        least = bases[i] < least ? bases[i] : least;
    while (bases[at] != least)
        at++;
    return at;
}

/* Queues members by their base heuristic, where that is below the cost of the best path. */
static cairn_status queue_members(many_hunt *self, uint32_t tried)
{
    cn_open_list *queue = &self->search->members.queue;
    const cairn_cost *bases = self->search->members.bounds.items, most = self->best.cost;
    for (size_t i = 0; i < self->count; i++) {
        if (CN_LIKELY(bases[i] >= most) || i == tried)
            continue;
        if (!cn_open_reserve(queue, 1))
            return CAIRN_E_MEMORY;
        cn_open_push(queue, CN_OPEN_HEAP, bases[i], (cn_open_item){.label = (uint32_t)i});
    }
    return CAIRN_OK;
}

/* Between a node and the goal that rows are prepared for. */
static cairn_cost bound_by_rows(const cairn_search *search, cairn_node node)
{
    const cn_query *query = &search->query;
    uint32_t entries[CN_LANES_MAX];

    if (!query->entries)
        return 0;
    if (query->has_entries_by_node || query->gate_view)
        return cn_query_rows(query, node);
    cn_corner_rows_at(search->table, search->map, node, entries);
    return query->rows(entries, query->above, query->below, query->lane_count);
}

/* The bound of a member by rows and base heuristic; CAIRN_UNREACHABLE where no path leads. Rows are
 * prepared for `goal`, which is the member or the common end. */
static cairn_status bound_member(many_hunt *self, cairn_cost base, uint32_t index, cairn_node goal,
                                 cairn_cost *bound)
{
    cairn_search *search = self->search;
    const cairn_node member = self->members[index];

    *bound = CAIRN_UNREACHABLE;
    if (!cn_grid_is_open(&search->map->grid, member) ||
        cn_component_of(self->components, member) != self->component)
        return CAIRN_OK;
    cairn_status status = cn_search_follow(search);
    if (status != CAIRN_OK)
        return status;
    cn_search_aim(search, goal);
    *bound = cn_larger_cost(base, bound_by_rows(search, goal == member ? self->end : member));
    return CAIRN_OK;
}

/* Where costs are alike in both directions, rows are prepared once for many members. */
static cairn_status refine_member(many_hunt *self, cairn_cost base, uint32_t index)
{
    const bool is_reverse = !self->are_starts && cn_map_is_directed(self->search->map);
    cairn_cost bound;
    cairn_status status = bound_member(self, base, index,
                                       is_reverse ? self->members[index] : self->end, &bound);
    if (status == CAIRN_OK && bound < self->best.cost)
        cn_open_push(&self->search->members.queue, CN_OPEN_HEAP, bound,
                     (cn_open_item){.label = index, .value = FINAL});
    return status;
}

/* -------------------------------------------------------------------------------- the ball -- */

/* Whenever searches have expanded so many nodes, they pause for the ball to grow. The first time it
 * grows by a few nodes, which tell how large it is likely to become. */
enum { EXPANSIONS_IN_TURN = 128, FIRST_NODES = 32 };

static cairn_status begin_ball(many_hunt *self)
{
    self->ball.has_begun = true;
    return cn_ball_begin(self->search, self->end, self->are_starts ? CN_REVERSE : CN_FORWARD,
                         self->members, self->count);
}

/* Grows the ball by so many nodes. Once it has reached a member, or the cost of the best path, it
 * has decided; where it meets costs above CAIRN_COST_MAX, searches go on without it. */
static cairn_status grow_ball(many_hunt *self, uint64_t expansions)
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
    self->least = cost < self->best.cost ? cost : self->best.cost;
    if (cost < self->best.cost)
        self->ball.nearest = cn_ball_member_at(ball, self->members, cost);
    return CAIRN_OK;
}

/* By all searches, with the present one. */
static uint64_t count_expanded(const many_hunt *self)
{
    return self->counts.expanded + self->search->scratch.expanded;
}

/* Between two slices of a search: the ball grows until it has cost as much as all searches so far,
 * unless it is likely to cost more before it comes as far as the members that are left are by their
 * bounds. */
static cairn_status grow_ball_in_turn(many_hunt *self)
{
    const cairn_search *search = self->search;
    const cn_scratch *ball = &search->ball.scratch;
    const uint64_t share = count_expanded(self);
    cairn_status status = self->ball.has_begun ? CAIRN_OK : grow_ball(self, FIRST_NODES);

    if (status != CAIRN_OK || self->ball.has_decided || self->ball.is_idle ||
        share <= ball->expanded || cn_ball_size_at(&search->ball, self->bound) > share)
        return status;
    return grow_ball(self, share - ball->expanded);
}

static void begin_slice(const many_hunt *self)
{
    const uint64_t until_turn = EXPANSIONS_IN_TURN - count_expanded(self) % EXPANSIONS_IN_TURN;
    const bool is_whole = self->count == 1 || self->ball.is_idle;
    cn_scratch_slice(&self->search->scratch, &self->search->options,
                     is_whole ? UINT64_MAX : until_turn, UINT64_MAX);
}

/* The next run begins with a slice. */
static void begin_run(const many_hunt *self)
{
    cn_search_restart_count(self->search);
    begin_slice(self);
}

/* After a slice: lets the ball grow. Once that has decided, the search is given up; otherwise the
 * next slice begins. */
static cairn_status take_turns(many_hunt *self)
{
    const cairn_status status = grow_ball_in_turn(self);
    if (status != CAIRN_OK || self->ball.has_decided)
        self->search->scratch.is_paused = false;
    else
        begin_slice(self);
    return status;
}

/* Goes on with the paused search for a path until it has ended or is given up. */
static cairn_status finish_run(many_hunt *self, cairn_path *path)
{
    cairn_search *search = self->search;
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK && search->scratch.is_paused) {
        status = take_turns(self);
        if (search->scratch.is_paused)
            status = cn_search_go_on(search, path);
    }
    return status;
}

/* Keeps the present path while others are searched for, or makes the one that was kept the present
 * one. */
static void swap_paths(cairn_search *search)
{
    const cn_path_lists kept = search->members.best;
    search->members.best = search->path;
    search->path = kept;
}

/* Searches for a path that costs less than the best one. Among avoided nodes it may come upon
 * others, which turn out to lead through some, before it ends. */
static cairn_status try_member(many_hunt *self, uint32_t index)
{
    const cairn_node member = self->members[index];
    const cairn_node start = self->are_starts ? member : self->end;
    const cairn_node goal = self->are_starts ? self->end : member;
    cairn_path path = cn_no_path(self->search->space);

    path.run = self->search->run.number;
    self->has_tried = true;
    begin_run(self);
    cairn_status status = cn_search_run_below(self->search, start, goal, self->best.cost, &path);
    if (status == CAIRN_OK)
        status = finish_run(self, &path);
    cn_counts_add(&self->counts, &path);
    self->is_dear |= status == CAIRN_E_LIMIT;
    if (status == CAIRN_OK && path.cost < self->best.cost) {
        self->best = path;
        self->best.which = index;
        swap_paths(self->search);
    }
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

/* Tries the only member that may be nearer than the best one. */
static cairn_status try_last_member(many_hunt *self, uint32_t index)
{
    self->ball.is_idle = true;
    self->search->members.queue.count = 0;
    return try_member(self, index);
}

/* Whether nothing tells which member is near: on a graph without coordinates, and without rows. */
static bool knows_nothing(const many_hunt *self)
{
    const cairn_cost *bases = self->search->members.bounds.items;
    size_t i = 0;

    if (self->count == 1 || self->search->query.entries)
        return false;
    while (i < self->count && bases[i] == 0)
        i++;
    return i == self->count;
}

/* Tries the member of the least base heuristic before all others, unless rows give a larger bound
 * for it: mostly few others are then left. Rows are prepared for the goal that is tried. */
static cairn_status begin_hunt(many_hunt *self)
{
    cairn_search *search = self->search;
    cairn_cost bound;

    if (!cn_numbers_reserve(&search->members.bounds, &search->mem, self->count))
        return CAIRN_E_MEMORY;
    list_bases(self);
    const uint32_t first = least_base(search->members.bounds.items, self->count);
    const cairn_cost base = search->members.bounds.items[first];
    const cairn_node goal = self->are_starts ? self->end : self->members[first];
    cairn_status status = bound_member(self, base, first, goal, &bound);
    if (status == CAIRN_OK && bound == 0 && knows_nothing(self))
        status = grow_ball(self, UINT64_MAX);
    if (status == CAIRN_OK && bound == base && !self->ball.has_decided) {
        self->least = self->bound = bound;
        status = try_member(self, first);
    }
    if (status != CAIRN_OK || self->ball.has_decided)
        return status;
    const bool is_done = bound == base || bound == CAIRN_UNREACHABLE;
    return queue_members(self, is_done ? first : UINT32_MAX);
}

/* Whether the searches have taken about as long as a flood would, whose memory is made for it. A
 * flood cannot avoid nodes, so where some are avoided there is none. */
static bool hunt_is_long(many_hunt *self)
{
    const cairn_map *map = self->search->map;
    if (self->search->avoidance.count ||
        self->counts.expanded <= map->grid.open_count / CN_CELLS_PER_EXPANSION)
        return false;
    if (!self->flood)
        self->flood = 2 * cn_flood_in_expansions(map);
    return self->counts.expanded > self->flood;
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
static cairn_status flood_members(many_hunt *self)
{
    cairn_search *search = self->search;
    cn_open_list *queue = &search->members.queue;
    cairn_cost *costs = cn_array(&search->mem, cn_map_node_count(search->map), sizeof *costs);

    self->is_flooded = true;
    if (!costs)
        return CAIRN_E_MEMORY;
    cairn_status status = self->are_starts ? cairn_costs_to(search->map, &self->end, 1, costs)
                                           : cairn_costs_from(search->map, &self->end, 1, costs);
    if (status == CAIRN_OK) {
        const uint32_t index = choose_member(queue, self->members, costs);
        if (costs[self->members[index]] < self->best.cost)
            status = try_last_member(self, index);
        queue->count = 0;
    }
    cn_release(&search->mem, costs);
    return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
}

/* Whether a queued member may be nearer than the best one. */
static bool has_hope(const many_hunt *self)
{
    const cn_open_list *queue = &self->search->members.queue;
    return queue->count && queue->leaves[0].order >> 32 < self->best.cost;
}

/* ---------------------------------------------------------------- one search from many -- */

/* Some of the members, none of them the common end, with bounds on the costs to that. */
typedef struct many_starts {
    const uint32_t *chosen; /* [count]: indices of members */
    const cairn_cost *bounds;
    size_t count;
    cairn_cost least; /* of the bounds */
} many_starts;

/* Whether the search, which has followed map and table, may begin at several nodes at once, with
 * records by node: not if its rows are at corners, or it needs a heap, or avoids nodes. */
static bool may_begin_at_many(const cairn_search *search)
{
    return !search->is_general && !(search->table && search->table->corners) &&
           !search->avoidance.count;
}

/* Whether one search from all members that are left is to decide, in place of one from each, which
 * would go the same ways again. The common end is the goal of that search, so paths have to cost
 * the same in both directions if it is not. */
static bool may_join(const many_hunt *self)
{
    return !self->has_joined && (self->are_starts || !cn_map_is_directed(self->search->map)) &&
           may_begin_at_many(self->search);
}

static bool add_number(cairn_search *search, cn_numbers *numbers, uint32_t number)
{
    if (!cn_numbers_reserve(numbers, &search->mem, numbers->count + 1))
        return false;
    numbers->items[numbers->count++] = number;
    return true;
}

/* Takes the members from the queue that may be nearer than the best one, with their bounds. */
static cairn_status take_starts(many_hunt *self, many_starts *starts)
{
    cairn_search *search = self->search;
    cairn_status status = CAIRN_OK;
    cn_open_item item;

    search->members.chosen.count = search->members.bounds.count = 0;
    starts->least = CAIRN_UNREACHABLE;
    while (status == CAIRN_OK && has_hope(self)) {
        cairn_cost bound = cn_open_pop(&search->members.queue, CN_OPEN_HEAP, &item);
        if (item.value != FINAL)
            status = bound_member(self, bound, item.label, self->end, &bound);
        if (status != CAIRN_OK || bound >= self->best.cost)
            continue;
        starts->least = bound < starts->least ? bound : starts->least;
        if (!add_number(search, &search->members.chosen, item.label) ||
            !add_number(search, &search->members.bounds, bound))
            status = CAIRN_E_MEMORY;
    }
    starts->chosen = search->members.chosen.items;
    starts->bounds = search->members.bounds.items;
    starts->count = search->members.chosen.count;
    return status;
}

/* Puts the members back, to be tried one by one. */
static cairn_status put_back(many_hunt *self, const many_starts *starts)
{
    cn_open_list *queue = &self->search->members.queue;
    if (!cn_open_reserve(queue, starts->count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < starts->count; i++)
        cn_open_push(queue, CN_OPEN_HEAP, starts->bounds[i],
                     (cn_open_item){.label = starts->chosen[i], .value = FINAL});
    return CAIRN_OK;
}

/* Puts the starts on the empty open list, each with its bound, as the core does with one. */
static bool open_starts(many_hunt *self, const many_starts *starts)
{
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
        scratch->records[node] =
            (cn_record){.h = starts->bounds[i], .mark = scratch->stamp, .parent = node};
        cn_open_push(open, CN_OPEN_BUCKETS, starts->bounds[i] >> scratch->shift, item);
    }
    scratch->first_limit = scratch->limit;
    scratch->is_cut = false;
    scratch->is_paused = true;
    return true;
}

/* The member from which the path that was found leads: the node that is its own parent. */
static uint32_t start_of_path(const many_hunt *self, const many_starts *starts)
{
    const cairn_search *search = self->search;
    cairn_node at = search->query.goal, before;
    size_t i = 0;
    while ((before = CN_NODE_OF(search->scratch.records[at].parent)) != at)
        at = before;
    while (self->members[starts->chosen[i]] != at)
        i++;
    return starts->chosen[i];
}

/* One run from all of the starts to the common end: *nearest is the member from which a path costs
 * least, and less than the best one; UINT32_MAX: from none. CAIRN_E_LIMIT where the run met costs
 * above CAIRN_COST_MAX, and found no path. */
static cairn_status run_from_starts(many_hunt *self, const many_starts *starts, uint32_t *nearest)
{
    cairn_search *search = self->search;
    const cairn_cost ceiling = self->best.cost;
    cairn_path path = cn_no_path(search->space);

    CN_ASSERT(may_begin_at_many(search));
    *nearest = UINT32_MAX;
    cairn_status status = search->query.corners ? cn_search_leave_corners(search) : CAIRN_OK;
    if (status != CAIRN_OK)
        return status;
    cn_search_set_ends(search, self->members[starts->chosen[0]], self->end, ceiling);
    cn_search_set_records(search);
    search->run.rows_due = 0;
    cn_search_prepare_rows(search);
    cn_search_reset(search, starts->least, ceiling);
    if (!open_starts(self, starts))
        return CAIRN_E_MEMORY;
    self->bound = starts->least;
    status = search->followed.searcher(&search->query, &search->scratch, &path.cost);
    while (status == CAIRN_OK && search->scratch.is_paused) {
        status = take_turns(self);
        if (search->scratch.is_paused)
            status = search->followed.searcher(&search->query, &search->scratch, &path.cost);
    }
    if (status == CAIRN_OK && path.cost != CAIRN_UNREACHABLE)
        *nearest = start_of_path(self, starts);
    cn_search_report_counts(search, &path);
    cn_counts_add(&self->counts, &path);
    return status;
}

static cairn_status begin_joint_run(many_hunt *self)
{
    self->has_joined = true;
    begin_run(self);
    return cn_search_follow(self->search);
}

/* One search from all members that are left to the common end, and one to the nearest of them. If
 * it meets costs above the largest, it does not tell from which members. */
static cairn_status search_jointly(many_hunt *self)
{
    uint32_t nearest;
    many_starts starts;

    cairn_status status = begin_joint_run(self);
    if (status == CAIRN_OK)
        status = take_starts(self, &starts);
    if (status != CAIRN_OK || starts.count == 0)
        return status;
    status = run_from_starts(self, &starts, &nearest);
    if (status == CAIRN_E_LIMIT)
        return put_back(self, &starts);
    self->least = starts.least < self->least ? starts.least : self->least;
    return status == CAIRN_OK && nearest != UINT32_MAX ? try_last_member(self, nearest) : status;
}

/* ---------------------------------------------------------------------------- the hunt -- */

static cairn_status try_members(many_hunt *self)
{
    cn_open_list *queue = &self->search->members.queue;
    cairn_status status = CAIRN_OK;
    cn_open_item item;

    while (status == CAIRN_OK && !self->ball.has_decided && has_hope(self)) {
        if (queue->leaves[0].item.value == FINAL && self->has_tried && may_join(self)) {
            status = search_jointly(self);
            continue;
        }
        if (!self->is_flooded && !may_join(self) && hunt_is_long(self)) {
            status = flood_members(self);
            continue;
        }
        const cairn_cost bound = cn_open_pop(queue, CN_OPEN_HEAP, &item);
        if (item.value == FINAL) {
            self->bound = bound;
            self->least = bound < self->least ? bound : self->least;
            status = has_hope(self) ? try_member(self, item.label)
                                    : try_last_member(self, item.label);
        } else {
            status = refine_member(self, bound, item.label);
        }
    }
    if (status != CAIRN_OK || self->ball.nearest == UINT32_MAX)
        return status;
    return try_last_member(self, self->ball.nearest);
}

/* The result for the whole set. */
static void report_hunt(const many_hunt *self, cairn_path *path)
{
    swap_paths(self->search);
    *path = self->best;
    cn_counts_report(&self->counts, path);
    if (!self->search->guarantee)
        path->guarantee = cn_ratio(path->cost, self->least);
}

/* Where no path leads to or from a member, the result is that for the first of them. */
static cairn_status hunt_members(many_hunt *self, cairn_path *path)
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
    begin_run(self);
    return self->are_starts ? cn_search_query(search, self->members[0], self->end, path)
                            : cn_search_query(search, self->end, self->members[0], path);
}

/* The search goes to copies of the members: they are what is checked. */
static cairn_status take_members(many_hunt *self, cairn_search *search)
{
    if (!cn_nodes_reserve(&search->members.nodes, &search->mem, self->count))
        return CAIRN_E_MEMORY;
    const bool are_on_map = cn_map_copy_nodes(search->map, self->members, self->count,
                                              search->members.nodes.items);
    self->members = search->members.nodes.items;
    return are_on_map ? CAIRN_OK : CAIRN_E_ARGUMENT;
}

static cairn_status run_many(cairn_search *search, many_hunt *self, cairn_path *path)
{
    cairn_status status = cn_search_check_call(search, self->end, self->end, path);

    if (status != CAIRN_OK)
        return status;
    if (!self->members || self->count == 0 || self->count >= UINT32_MAX || search->options.bound)
        return CAIRN_E_ARGUMENT;
    status = take_members(self, search);
    if (status == CAIRN_E_MEMORY)
        search->scratch.is_paused = false;
    if (status != CAIRN_OK)
        return status;
    path->run = ++search->run.number;
    search->scratch.is_paused = false;
    cn_search_put_off_avoided(search);
    self->search = search;
    self->least = CAIRN_UNREACHABLE;
    self->ball.nearest = UINT32_MAX;
    self->best = *path;
    status = hunt_members(self, path);
    return status == CAIRN_OK ? status : cn_search_fail(search, status, path);
}

cairn_status cairn_search_run_to_any(cairn_search *search, cairn_node start,
                                     const cairn_node *goals, size_t count, cairn_path *path)
{
    many_hunt self = {.members = goals, .count = count, .end = start};
    return run_many(search, &self, path);
}

cairn_status cairn_search_run_from_any(cairn_search *search, const cairn_node *starts, size_t count,
                                       cairn_node goal, cairn_path *path)
{
    many_hunt self = {.members = starts, .count = count, .end = goal, .are_starts = true};
    return run_many(search, &self, path);
}
