/* What searches can do, all at once: lists of avoided nodes, slices, sets of goals and of starts,
 * nearest nodes, weights, base heuristics, callbacks and rows that are behind their map, while the
 * map and the table change and memory runs out, on maps of every kind, on their copies and on maps
 * for units that follow them. Answers are compared with Bellman and Ford on a list of arcs. */
#include "support/avoided.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/many_ends.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/visitor.h"

enum { LIVES = 40 * STORM_KINDS, ROUNDS = 40, SEEKERS = 4, MEMBERS_MOST = 9, SIDE = 12 };

typedef struct tally {
    unsigned found, none, nearest, dear, resumed, refused, spared, gates, any, units, jumps, poor,
        cancelled, joined, seen;
} tally;

/* A map with its table, and what the tests know of its arcs. */
typedef struct place {
    cairn_map *map;
    cairn_table *table;
    oracle_arcs arcs;
} place;

typedef struct seeker {
    cairn_search *search;
    cairn_search_options options;
    const place *at;
    avoided list;
    bool is_paused;
    bool is_void; /* what is paused may not go on, whatever the versions say */
    cairn_node start, goal;
    oracle_arcs arcs; /* when the query began, with what is avoided */
    uint64_t *bounds; /* costs to the goal then, without that */
    uint64_t watched; /* expansions since then */
    bool shows_cells; /* the last call ran it from cell to cell for that query */
    uint64_t map_version, table_version;
    bool was_by_cell; /* its table: a refresh of it does not end a paused search */
} seeker;

enum { BASE, COPY, STATE, UNITS, PLACES }; /* STATE: the published one of a world */

typedef struct scene {
    dice luck;
    twin both;
    place places[PLACES]; /* of a map of its own kind; UNITS may be without a map */
    cairn_world *world;
    cairn_view view;
    seeker seekers[SEEKERS];
    failing_allocator memory; /* of searches */
    unsigned patience;        /* so many calls of cancel are answered by false; 0: all */
    tally *sum;
} scene;

/* ------------------------------------------------------------------------------------ arcs -- */

/* Those that the library tells of a unit map; tests of unit maps hold it to them. */
static oracle_arcs arcs_told_by(const cairn_map *map)
{
    const uint32_t count = cairn_map_node_count(map);
    oracle_arcs arcs = {.node_count = count};
    arcs.list = malloc(((size_t)count * CAIRN_STEPS_MAX + 1) * sizeof *arcs.list);
    for (cairn_node node = 0; node < count; node++) {
        cairn_arc steps[CAIRN_STEPS_MAX];
        const uint32_t most = cairn_steps(map, node, steps, CAIRN_STEPS_MAX);
        for (uint32_t i = 0; i < most; i++)
            arcs.list[arcs.count++] = (oracle_arc){node, steps[i].to, steps[i].cost};
    }
    return arcs;
}

/* ----------------------------------------------------------------------------------- places -- */

static cairn_table *any_table(cairn_map *map, dice *luck)
{
    cairn_build_options options = {.landmark_count = 1 + dice_below(luck, 6), .thread_count = 1};

    if (dice_below(luck, 5) == 0)
        return NULL;
    if (dice_below(luck, 2))
        options.resident = CAIRN_RESIDENT_CORNERS;
    else if (dice_below(luck, 4) == 0)
        options.step_metric = (cairn_metric){1, 1};
    return table_suiting(map, options);
}

static void follow_arcs(scene *here)
{
    for (unsigned i = 0; i < PLACES; i += UNITS) {
        place *at = &here->places[i];
        if (!at->map)
            continue;
        oracle_arcs_free(&at->arcs);
        at->arcs = i == BASE ? oracle_arcs_copy(&here->both.arcs) : arcs_told_by(at->map);
    }
}

static void copy_base(scene *here)
{
    place *base = &here->places[BASE], *copy = &here->places[COPY];
    copy->table = NULL;
    assert_int_equal(cairn_map_clone(base->map, &copy->map), CAIRN_OK);
    if (base->table)
        assert_int_equal(cairn_table_clone(base->table, &copy->table), CAIRN_OK);
    copy->arcs = oracle_arcs_copy(&base->arcs);
}

/* A world of a copy. */
static void make_world(scene *here)
{
    const place *base = &here->places[BASE];
    cairn_map *map;
    cairn_table *table = NULL;
    assert_int_equal(cairn_map_clone(base->map, &map), CAIRN_OK);
    if (base->table)
        assert_int_equal(cairn_table_clone(base->table, &table), CAIRN_OK);
    assert_int_equal(cairn_world_new(map, table, &here->world), CAIRN_OK);
}

/* Searches on the state that was published before change over to the one that is published now. */
static void see_state(scene *here)
{
    place *state = &here->places[STATE];
    cairn_view former = here->view;
    here->view = cairn_world_acquire(here->world);
    state->map = (cairn_map *)here->view.map;
    state->table = (cairn_table *)here->view.table;
    for (unsigned i = 0; i < SEEKERS; i++) {
        seeker *self = &here->seekers[i];
        if (self->at != state || former.map == state->map)
            continue;
        self->is_void = true;
        assert_int_equal(cairn_search_use(self->search, state->map, state->table), CAIRN_OK);
    }
    cairn_world_release(here->world, &former);
}

static void publish(scene *here)
{
    oracle_arcs_free(&here->places[STATE].arcs);
    here->places[STATE].arcs = oracle_arcs_copy(&here->places[BASE].arcs);
    assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    see_state(here);
}

static void leave_place(place *at)
{
    cairn_table_free(at->table);
    oracle_arcs_free(&at->arcs);
}

static void set_out(scene *here)
{
    place *base = &here->places[BASE], *units = &here->places[UNITS];
    base->map = here->both.map;
    base->table = any_table(base->map, &here->luck);
    if (here->both.drawn.letters && dice_below(&here->luck, 2) &&
        cairn_map_for_units(base->map, 2, CAIRN_ANCHOR_TOP_LEFT, &units->map) == CAIRN_OK)
        units->table = any_table(units->map, &here->luck);
    follow_arcs(here);
    copy_base(here);
    make_world(here);
    publish(here);
}

/* ---------------------------------------------------------------------------------- seekers -- */

static cairn_cost exact_bound(void *context, cairn_node node)
{
    const uint64_t cost = ((const seeker *)context)->bounds[node];
    return cost == ORACLE_NEVER ? CAIRN_UNREACHABLE : (cairn_cost)cost;
}

static void watch(void *context, cairn_node node)
{
    (void)node;
    ((seeker *)context)->watched++;
}

static bool is_impatient(void *context)
{
    unsigned *patience = context;
    if (*patience > 1)
        --*patience;
    return *patience == 1;
}

/* Those that ask the caller, and a base heuristic of the kind of map. */
static void draw_callbacks(scene *here, seeker *self)
{
    const bool is_graph = !here->both.drawn.letters;
    dice *luck = &here->luck;
    if (dice_below(luck, 8) == 0) {
        self->options.on_expand = watch;
        self->options.expand_context = self;
    }
    if (dice_below(luck, 8) == 0) {
        self->options.bound = exact_bound;
        self->options.bound_context = self;
    }
    if (dice_below(luck, 6) == 0)
        self->options.heuristic = (cairn_heuristic)dice_below(luck, CAIRN_HEURISTIC_SQUARED + 1);
    if (is_graph && self->options.heuristic != CAIRN_HEURISTIC_ZERO)
        self->options.heuristic = CAIRN_HEURISTIC_BEST;
    self->options.cancel = is_impatient;
    self->options.cancel_context = &here->patience;
    self->options.allocator = &here->memory.allocator;
}

static cairn_search_options any_options(dice *luck)
{
    static const uint32_t weights[] = {0, 1300, 4000};
    cairn_search_options options = {.size = sizeof options,
                                    .space = (cairn_space)dice_below(luck, CAIRN_SPACE_JUMP + 1),
                                    .form = (cairn_form)dice_below(luck, CAIRN_FORM_NONE + 1),
                                    .nearest = dice_below(luck, 3) == 0};
    if (dice_below(luck, 4) == 0)
        options.expansion_limit = 1 + dice_below(luck, 9);
    if (dice_below(luck, 3))
        return options;
    options.ties = (cairn_ties)dice_below(luck, 3);
    options.weight = weights[dice_below(luck, COUNT_OF(weights))];
    options.never_reopen = dice_below(luck, 3) == 0;
    return options;
}

static const place *any_place(scene *here)
{
    return &here->places[dice_below(&here->luck, here->places[UNITS].map ? PLACES : UNITS)];
}

static void enter(scene *here, seeker *self)
{
    const bool may_be_unit = here->places[UNITS].map && dice_below(&here->luck, 3) == 0;
    *self = (seeker){.options = any_options(&here->luck),
                     .at = &here->places[may_be_unit ? UNITS : BASE]};
    draw_callbacks(here, self);
    assert_int_equal(
        cairn_search_new(self->at->map, self->at->table, &self->options, &self->search), CAIRN_OK);
}

/* A map for units may differ from the one below it in its cells alone, or in more. */
static void change_place(scene *here, seeker *self)
{
    const place *to = any_place(here), *units = &here->places[UNITS];
    const bool may_differ = (to == units) != (self->at == units);
    const cairn_status status = cairn_search_use(self->search, to->map, to->table);
    if (may_differ && status == CAIRN_E_MISMATCH)
        return;
    assert_int_equal(status, CAIRN_OK);
    here->sum->joined += may_differ;
    self->is_void |= to != self->at;
    self->at = to;
}

/* Often the most, or nearly. */
static cairn_cost any_extra(dice *luck, cairn_cost most)
{
    if (dice_below(luck, 3) == 0)
        return CAIRN_UNREACHABLE;
    return dice_below(luck, 2) ? dice_below(luck, most) : most - dice_below(luck, 3);
}

static void draw_list(dice *luck, uint32_t node_count, avoided *list)
{
    static const cairn_cost most[] = {4, 3000, 100000, CAIRN_COST_MAX};
    list->count = dice_below(luck, 3) ? dice_below(luck, AVOIDED_MOST / 3) : dice_below(luck, 3);
    const cairn_cost scale = most[dice_below(luck, COUNT_OF(most))];
    for (size_t i = 0; i < list->count; i++) {
        list->nodes[i] = dice_below(luck, node_count);
        list->extra[i] = any_extra(luck, scale);
    }
}

/* The next call may find no memory, or be cancelled. */
static void make_hard(scene *here)
{
    const unsigned how = dice_below(&here->luck, 16);
    failing_allocator_arm(&here->memory, how < 2 ? 1 + dice_below(&here->luck, 8) : 0);
    here->patience = how == 2 ? 2 + dice_below(&here->luck, 3) : 0;
}

/* Whether the call was one of these; no search is paused then. */
static bool has_failed(scene *here, cairn_status status)
{
    const bool is_poor = failing_allocator_struck(&here->memory), is_late = here->patience == 1;
    failing_allocator_arm(&here->memory, 0);
    here->patience = 0;
    assert_int_equal(status == CAIRN_E_MEMORY, is_poor);
    assert_int_equal(status == CAIRN_E_CANCELLED, is_late);
    here->sum->poor += is_poor;
    here->sum->cancelled += is_late;
    return is_poor || is_late;
}

/* Without memory everything stays as it is. */
static void change_list(scene *here, seeker *self)
{
    avoided list;
    draw_list(&here->luck, self->at->arcs.node_count, &list);
    make_hard(here);
    if (has_failed(here, cairn_search_avoid(self->search, list.nodes, list.extra, list.count)))
        return;
    self->list = list;
    self->is_void = true;
}

/* Of the table that it uses: none beside a bound of the caller. */
static uint64_t table_version_of(const seeker *self)
{
    const cairn_table *table = self->options.bound ? NULL : self->at->table;
    return table ? cairn_table_version(table) : 0;
}

static bool is_by_cell(const cairn_table *table)
{
    return table && cairn_table_resident(table) == CAIRN_RESIDENT_CELLS;
}

/* ---------------------------------------------------------------------------------- answers -- */

static cairn_cost apart(const cairn_map *map, cairn_node from, cairn_node to)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, NULL, to, &bound), CAIRN_OK);
    return cairn_bound_at(&bound, from);
}

static void assert_ends(seeker *self, cairn_path *path, const oracle_arcs *arcs, cairn_node start,
                        cairn_node goal)
{
    if (self->options.form == CAIRN_FORM_NONE) {
        assert_int_equal(path->node_count, 0);
        return;
    }
    assert_int_equal(cairn_search_cells(self->search, path), CAIRN_OK);
    assert_int_equal(path->nodes[0], start);
    assert_int_equal(path->nodes[path->node_count - 1], goal);
    assert_int_equal(oracle_arc_path(arcs, path->nodes, path->node_count), path->cost);
}

/* No node that can be reached is nearer to the goal. */
static void assert_nearest(seeker *self, cairn_path *path, const uint64_t *costs)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    for (cairn_node node = 0; node < self->arcs.node_count; node++) {
        if (costs[node] == ORACLE_NEVER)
            continue;
        const cairn_cost away = apart(self->at->map, node, self->goal);
        least = away < least ? away : least;
    }
    if (self->options.form == CAIRN_FORM_NONE)
        return;
    const cairn_node end = path->corners[path->corner_count - 1];
    assert_int_equal(apart(self->at->map, end, self->goal), least);
    assert_int_equal(path->cost, costs[end]);
    assert_ends(self, path, &self->arcs, self->start, end);
}

static bool is_admissible(const seeker *self)
{
    return self->options.bound || cairn_bound_is_admissible(self->at->map, self->options.heuristic);
}

/* Whether cheaper paths to closed nodes may be ignored. */
static bool keeps_closed(const seeker *self)
{
    return self->options.never_reopen &&
           (self->options.weight || self->options.bound ||
            !cairn_bound_is_consistent(self->at->map, self->options.heuristic));
}

/* A bound that is too high may lead to a path that is too dear. */
static bool is_dear(const seeker *self, uint64_t least)
{
    const uint64_t weight = self->options.weight ? self->options.weight : 1000;
    return least != ORACLE_NEVER &&
           (least * weight / 1000 > CAIRN_COST_MAX || !is_admissible(self) || keeps_closed(self));
}

static void assert_cost(const seeker *self, const cairn_path *path, uint64_t least)
{
    assert_true(path->cost >= least);
    assert_true(!path->guarantee || path->cost * UINT64_C(1000) <= least * path->guarantee);
    assert_true(path->guarantee || !is_admissible(self) || keeps_closed(self));
    if (self->options.never_reopen)
        assert_int_equal(path->reopened, 0);
    if (!self->options.weight && is_admissible(self) && !keeps_closed(self))
        assert_int_equal(path->cost, least);
}

static void assert_unfound(const seeker *self, const cairn_path *path)
{
    const cairn_map *map = self->at->map;
    assert_int_equal(path->cost, CAIRN_UNREACHABLE);
    if (!cairn_map_is_open(map, self->start))
        assert_int_equal(path->outcome, CAIRN_PATH_START_BLOCKED);
    else if (!cairn_map_is_open(map, self->goal) ||
             (self->start != self->goal &&
              avoided_extra(&self->list, self->goal) == CAIRN_UNREACHABLE))
        assert_int_equal(path->outcome, CAIRN_PATH_GOAL_BLOCKED);
    else
        assert_int_equal(path->outcome, CAIRN_PATH_NONE);
}

/* A search that was never paused comes to the same. */
static void assert_as_whole(const seeker *self, const cairn_path *path)
{
    cairn_search_options options = self->options;
    cairn_search *search;
    cairn_path whole;

    options.expansion_limit = 0;
    assert_int_equal(cairn_search_new(self->at->map, self->at->table, &options, &search), CAIRN_OK);
    assert_int_equal(
        cairn_search_avoid(search, self->list.nodes, self->list.extra, self->list.count), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, self->start, self->goal, &whole), CAIRN_OK);
    assert_int_equal(path->outcome, whole.outcome);
    /* A new search makes gates at once; one for which they may not be worth it waits. */
    const bool waits = self->at->table && whole.row_count > 0 && path->row_count == 0 &&
                       cairn_table_resident(self->at->table) == CAIRN_RESIDENT_CORNERS;
    if (!waits) {
        assert_int_equal(path->cost, whole.cost);
        assert_int_equal(path->state, whole.state);
        assert_int_equal(path->row_count, whole.row_count);
    }
    /* What earlier runs have met of a list, later ones that meet some of it begin with; and which
     * space is chosen beside it depends on the cells that were open when it was set. */
    const bool has_met = self->list.count &&
                         (path->space == CAIRN_SPACE_JUMP || whole.space == CAIRN_SPACE_JUMP);
    if (!waits && !has_met) {
        assert_int_equal(path->expanded, whole.expanded);
        assert_int_equal(path->generated, whole.generated);
    }
    cairn_search_free(search);
}

static void assert_outcome(tally *sum, seeker *self, cairn_path *path, const uint64_t *costs)
{
    const uint64_t least = costs[self->goal];

    sum->gates += path->state == CAIRN_ROW_WEAKER;
    sum->jumps += path->space == CAIRN_SPACE_JUMP && self->list.count;
    if (path->outcome == CAIRN_PATH_FOUND) {
        sum->found++;
        assert_cost(self, path, least);
        assert_ends(self, path, &self->arcs, self->start, self->goal);
    } else if (path->outcome == CAIRN_PATH_NEAREST) {
        sum->nearest++;
        assert_true(self->options.nearest && least == ORACLE_NEVER);
        assert_nearest(self, path, costs);
    } else {
        sum->none++;
        assert_unfound(self, path);
    }
}

/* A path to a nearest node may be too dear as well. */
static void assert_dear(tally *sum, const seeker *self, uint64_t least)
{
    assert_true(is_dear(self, least) || (least == ORACLE_NEVER && self->options.nearest));
    sum->dear++;
}

static void assert_answer(scene *here, seeker *self, cairn_status status, cairn_path *path)
{
    uint64_t *costs = oracle_arc_costs(&self->arcs, ORACLE_FROM, &self->start, 1);

    if (self->options.on_expand && status == CAIRN_OK)
        assert_int_equal(self->watched, path->expanded);
    self->is_paused = status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED;
    self->shows_cells = status == CAIRN_OK && path->space == CAIRN_SPACE_CELLS;
    if (status == CAIRN_E_LIMIT) {
        assert_dear(here->sum, self, costs[self->goal]);
    } else if (self->is_paused) {
        assert_int_equal(path->cost, CAIRN_UNREACHABLE);
    } else {
        assert_int_equal(status, CAIRN_OK);
        assert_outcome(here->sum, self, path, costs);
        if (self->table_version == table_version_of(self))
            assert_as_whole(self, path);
    }
    here->sum->units += self->at == &here->places[UNITS];
    free(costs);
}

/* ---------------------------------------------------------------------------------- queries -- */

/* Often a node that is avoided. */
static cairn_node any_goal(scene *here, const seeker *self)
{
    if (self->list.count && dice_below(&here->luck, 3) == 0)
        return self->list.nodes[dice_below(&here->luck, (uint32_t)self->list.count)];
    return visitor_node(self->at->map, &here->luck);
}

static void prepare(scene *here, seeker *self)
{
    oracle_arcs_free(&self->arcs);
    free(self->bounds);
    self->arcs = avoided_arcs(&self->list, &self->at->arcs);
    self->start = visitor_node(self->at->map, &here->luck);
    self->goal = any_goal(here, self);
    self->bounds = oracle_arc_costs(&self->at->arcs, ORACLE_TO, &self->goal, 1);
    self->watched = 0;
    self->shows_cells = false;
    self->map_version = cairn_map_version(self->at->map);
    self->table_version = table_version_of(self);
    self->was_by_cell = is_by_cell(self->at->table);
    self->is_void = false;
}

static void ask(scene *here, seeker *self)
{
    cairn_path path;
    prepare(here, self);
    make_hard(here);
    cairn_status status = dice_below(&here->luck, 2)
                              ? cairn_search_run(self->search, self->start, self->goal, &path)
                              : cairn_search_begin(self->search, self->start, self->goal, &path);
    if (has_failed(here, status))
        self->is_paused = false;
    else
        assert_answer(here, self, status, &path);
}

static void resume(scene *here, seeker *self)
{
    const bool may_go_on = !self->is_void &&
                           self->map_version == cairn_map_version(self->at->map) &&
                           (self->table_version == table_version_of(self) ||
                            (self->was_by_cell && is_by_cell(self->at->table)));
    cairn_path path;
    make_hard(here);
    cairn_status status = dice_below(&here->luck, 3)
                              ? cairn_search_resume(self->search, dice_below(&here->luck, 9), &path)
                              : cairn_search_resume_for(self->search, dice_below(&here->luck, 3),
                                                        &path);
    if (has_failed(here, status)) {
        assert_true(self->is_paused && may_go_on);
        self->is_paused = false;
    } else if (!self->is_paused) {
        assert_int_equal(status, CAIRN_E_ARGUMENT);
    } else if (!may_go_on) {
        assert_int_equal(status, CAIRN_E_CHANGED);
        here->sum->refused++;
    } else {
        here->sum->resumed++;
        here->sum->spared += self->table_version != table_version_of(self);
        assert_answer(here, self, status, &path);
    }
}

/* A set of goals or starts, and the node at the other end. */
typedef struct members {
    many_ends ends;
    uint64_t least; /* cost between the end and one of them */
} members;

static void draw_members(scene *here, seeker *self, members *set)
{
    const cairn_map *map = self->at->map;
    set->ends.are_starts = dice_below(&here->luck, 2);
    set->ends.count = 1 + dice_below(&here->luck, MEMBERS_MOST);
    set->ends.other = self->start;
    set->least = ORACLE_NEVER;
    uint64_t *costs = oracle_arc_costs(&self->arcs, set->ends.are_starts ? ORACLE_TO : ORACLE_FROM,
                                       &set->ends.other, 1);
    for (size_t i = 0; i < set->ends.count; i++) {
        const cairn_node node = set->ends.nodes[i] = visitor_node(map, &here->luck);
        const bool is_open = cairn_map_is_open(map, node) &&
                             cairn_map_is_open(map, set->ends.other);
        set->least = is_open && costs[node] < set->least ? costs[node] : set->least;
    }
    free(costs);
    self->start = set->ends.are_starts ? set->ends.nodes[0] : set->ends.other;
    self->goal = set->ends.are_starts ? set->ends.other : set->ends.nodes[0];
}

/* Where no path leads to any of them the result is that for the first. */
static void assert_none_found(scene *here, seeker *self, cairn_path *path)
{
    uint64_t *costs = oracle_arc_costs(&self->arcs, ORACLE_FROM, &self->start, 1);
    assert_outcome(here->sum, self, path, costs);
    free(costs);
}

/* In one go, but for a limit of expansions, or in slices. */
static cairn_status find_any(scene *here, const seeker *self, const members *set, cairn_path *path)
{
    cairn_status status = dice_below(&here->luck, 2)
                              ? many_ends_run(&set->ends, self->search, path)
                              : many_ends_begin(&set->ends, self->search, path);
    while (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED) {
        here->sum->resumed++;
        make_hard(here);
        status = dice_below(&here->luck, 4)
                     ? cairn_search_resume(self->search, dice_below(&here->luck, 99), path)
                     : cairn_search_resume_for(self->search, dice_below(&here->luck, 3), path);
    }
    return status;
}

static void ask_any(scene *here, seeker *self)
{
    members set;
    cairn_path path;

    if (self->options.bound)
        return;
    prepare(here, self);
    draw_members(here, self, &set);
    self->is_paused = false;
    here->sum->any++;
    make_hard(here);
    const cairn_status status = find_any(here, self, &set, &path);
    if (has_failed(here, status))
        return;
    if (status == CAIRN_E_LIMIT) {
        assert_dear(here->sum, self, set.least);
        return;
    }
    assert_int_equal(status, CAIRN_OK);
    if (path.outcome != CAIRN_PATH_FOUND) {
        assert_true(set.least == ORACLE_NEVER);
        assert_none_found(here, self, &path);
        return;
    }
    const cairn_node member = set.ends.nodes[path.which];
    assert_cost(self, &path, set.least);
    assert_ends(self, &path, &self->arcs, set.ends.are_starts ? member : set.ends.other,
                set.ends.are_starts ? set.ends.other : member);
}

/* ------------------------------------------------------------------------------------- life -- */

static void refresh(scene *here)
{
    static const uint32_t budgets[] = {0, 6, 60, 600};
    const cairn_budget budget = CAIRN_CELLS(budgets[dice_below(&here->luck, COUNT_OF(budgets))]);
    const unsigned which = dice_below(&here->luck, PLACES);
    const place *at = &here->places[which];
    if (!at->table)
        return;
    const cairn_status status = which == STATE ? world_step_now(here->world, budget)
                                               : step_now(at->table, at->map, budget);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

static void edit(scene *here)
{
    storm_batch batch;
    storm_draw(&here->both, &here->luck, &batch);
    assert_int_equal(cairn_map_edit(here->both.map, batch.edits, batch.count), CAIRN_OK);
    assert_int_equal(cairn_world_edit(here->world, batch.edits, batch.count), CAIRN_OK);
    if (here->both.drawn.letters)
        twin_list_steps(&here->both);
    follow_arcs(here);
}

static void rebuild(scene *here)
{
    const place *at = &here->places[dice_below(&here->luck, PLACES)];
    if (at->table && at != &here->places[STATE])
        assert_int_equal(cairn_table_rebuild(at->table, at->map), CAIRN_OK);
}

/* The copy becomes one of the present state; searches on the former one change over before. */
static void copy_again(scene *here)
{
    place former = here->places[COPY];
    copy_base(here);
    if (here->places[BASE].table && dice_below(&here->luck, 2))
        assert_true(step_now(here->places[BASE].table, here->places[COPY].map,
                             CAIRN_CELLS(dice_below(&here->luck, 300))) <= CAIRN_MORE);
    for (unsigned i = 0; i < SEEKERS; i++) {
        seeker *self = &here->seekers[i];
        if (self->at != &here->places[COPY])
            continue;
        self->is_void = true;
        assert_int_equal(cairn_search_use(self->search, self->at->map, self->at->table), CAIRN_OK);
    }
    leave_place(&former);
    cairn_map_free(former.map);
}

/* An arc leads to a node that was seen from its parent, which may be cheaper and open again by now.
 */
static void assert_look(scene *here, const seeker *self, cairn_node node)
{
    cairn_node_info info, parent;
    assert_int_equal(cairn_search_node_info(self->search, node, &info), CAIRN_OK);
    if (!self->shows_cells || info.state == CAIRN_NODE_UNSEEN)
        return;
    here->sum->seen++;
    if (info.parent == node) {
        assert_true(node == self->start && info.g == 0);
        return;
    }
    assert_int_equal(cairn_search_node_info(self->search, info.parent, &parent), CAIRN_OK);
    assert_int_not_equal(parent.state, CAIRN_NODE_UNSEEN);
    assert_true(info.g >= parent.g + oracle_arc_between(&self->arcs, info.parent, node));
}

/* Whatever has changed since the last run. */
static void look_at_all(scene *here)
{
    for (unsigned i = 0; i < SEEKERS; i++) {
        const seeker *self = &here->seekers[i];
        assert_look(here, self, dice_below(&here->luck, self->at->arcs.node_count));
    }
}

static void do_something(scene *here)
{
    seeker *self = &here->seekers[dice_below(&here->luck, SEEKERS)];
    switch (dice_below(&here->luck, 16)) {
    case 0:
    case 1: edit(here); return;
    case 2:
    case 3: refresh(here); return;
    case 4:
    case 5: change_list(here, self); return;
    case 6: change_place(here, self); return;
    case 7: copy_again(here); return;
    case 8: ask_any(here, self); return;
    case 9: publish(here); return;
    case 10: rebuild(here); return;
    default:
        if (self->is_paused && dice_below(&here->luck, 5))
            resume(here, self);
        else
            ask(here, self);
    }
}

static void leave(scene *here)
{
    for (unsigned i = 0; i < SEEKERS; i++) {
        cairn_search_free(here->seekers[i].search);
        oracle_arcs_free(&here->seekers[i].arcs);
        free(here->seekers[i].bounds);
    }
    assert_int_equal(atomic_load(&here->memory.outstanding), 0);
    cairn_world_release(here->world, &here->view);
    cairn_world_free(here->world);
    here->places[STATE].table = NULL;
    for (unsigned i = 0; i < PLACES; i++)
        leave_place(&here->places[i]);
    cairn_map_free(here->places[COPY].map);
    cairn_map_free(here->places[UNITS].map);
}

static void live(scene *here)
{
    failing_allocator_init(&here->memory);
    set_out(here);
    for (unsigned i = 0; i < SEEKERS; i++)
        enter(here, &here->seekers[i]);
    for (unsigned round = 0; round < ROUNDS; round++) {
        do_something(here);
        look_at_all(here);
    }
    leave(here);
}

/* A third of the maps are of one cost, where corners and gates serve; half of these obey the
 * default rule. */
static unsigned kind_of(uint64_t seed)
{
    if (seed % 3)
        return (unsigned)(seed % STORM_KINDS);
    return seed % 2 ? 0 : (unsigned)(seed % ORACLE_RULES);
}

static void searches_are_right_whatever_meets(void **state)
{
    (void)state;
    tally sum = {0};
    uint64_t lives = 0, least;
    for (uint64_t seed = 0; seed < seeds_to(LIVES); seed = seed_after(seed), lives++) {
        scene here = {.luck = {seed * 7919 + 3}, .sum = &sum};
        here.both = storm_twin(kind_of(seed), seed);
        live(&here);
        twin_free(&here.both);
    }
    print_message(
        "found %u, none %u, nearest %u, dear %u, resumed %u (%u beside a refresh), refused %u, "
        "weaker %u, of sets %u, of units %u, jumps beside lists %u, without memory %u, "
        "cancelled %u, led to units %u, seen %u\n",
        sum.found, sum.none, sum.nearest, sum.dear, sum.resumed, sum.spared, sum.refused, sum.gates,
        sum.any, sum.units, sum.jumps, sum.poor, sum.cancelled, sum.joined, sum.seen);
    least = lives / 4;
    assert_true(sum.found > least && sum.none > least && sum.nearest > least && sum.dear > 0);
    assert_true(sum.resumed > least && sum.refused > least && sum.gates > least && sum.any > least);
    assert_true(sum.units > least && sum.jumps > least && sum.poor > least);
    assert_true(sum.spared > least / 10);
    assert_true(sum.cancelled > least / 4 && sum.joined > least / 4 && sum.seen > least);
}

/* ---------------------------------------------------------------------- paused and failed -- */

static void a_set_of_goals_ends_a_paused_search_even_without_memory(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node goals[] = {SIDE - 1, SIDE * SIDE - 1};
    bool was_struck = true;
    cairn_path path;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        const cairn_search_options options = {
            .size = sizeof options, .allocator = &failing.allocator, .space = CAIRN_SPACE_CELLS};
        cairn_search *search;
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        assert_int_equal(cairn_search_begin(search, 0, SIDE * SIDE - 1, &path), CAIRN_OK);
        assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
        failing_allocator_arm(&failing, n);
        const cairn_status status = cairn_search_run_to_any(search, 0, goals, COUNT_OF(goals),
                                                            &path);
        was_struck = failing_allocator_struck(&failing);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
        cairn_search_free(search);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_are_right_whatever_meets),
        cmocka_unit_test(a_set_of_goals_ends_a_paused_search_even_without_memory),
    };
    return cmocka_run_group_tests_name("meetings", tests, NULL, NULL);
}
