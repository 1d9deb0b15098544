/* Searches that pause while their map is edited, their table repaired and their world published, on
 * every kind of map with every option: an answer is right for the map as it was when the search
 * began, or the search is refused. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

enum { VISITORS = 4, ROUNDS = 120, MAPS = 3 * MAP_KINDS, GRAPHS = 200 };

/* Who searches: one search with options of its own, and the query that it is about. */
typedef struct visitor {
    cairn_search *search;
    cairn_search_options options;
    const cairn_map *map;        /* that it is on */
    const cairn_table *table;    /* NULL with a bound of its own */
    cairn_view view;             /* of the world, while it is held */
    bool is_paused;
    cairn_node start;
    cairn_node goal;
    oracle_arcs arcs;            /* of the map when the query began */
    uint64_t map_version;
    uint64_t table_version;
    uint64_t writes;             /* of the scene then */
} visitor;

typedef struct scene {
    dice luck;
    twin both;
    cairn_table *table;
    cairn_world *world;          /* NULL: visitors are on the twin's map and the table */
    oracle_arcs published;       /* of the world */
    uint64_t writes;             /* calls that may have changed map or table */
    visitor visitors[VISITORS];
} scene;

/* ------------------------------------------------------------------------------------- arcs -- */

static oracle_arcs copy_of(const oracle_arcs *arcs)
{
    oracle_arcs copy = *arcs;
    copy.list = calloc(arcs->count + 1, sizeof *copy.list);
    assert_non_null(copy.list);
    if (arcs->count)
        memcpy(copy.list, arcs->list, arcs->count * sizeof *copy.list);
    return copy;
}

/* Of parallel arcs the cheapest counts. */
static uint64_t cheapest(const oracle_arcs *arcs, uint32_t from, uint32_t to)
{
    uint64_t least = ORACLE_NEVER;
    for (size_t i = 0; i < arcs->count; i++) {
        const oracle_arc *arc = &arcs->list[i];
        if (arc->from == from && arc->to == to && arc->cost < least)
            least = arc->cost;
    }
    return least;
}

static bool same_arcs(const oracle_arcs *one, const oracle_arcs *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        const oracle_arc *a = &one->list[i], *b = &other->list[i];
        if (a->from != b->from || a->to != b->to)
            return false;
        if (a->cost != b->cost && a->from != a->to &&
            cheapest(one, a->from, a->to) != cheapest(other, a->from, a->to))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------- visitors -- */

static cairn_cost no_bound(void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return 0;
}

static cairn_search_options any_options(dice *luck)
{
    static const uint32_t weights[] = {0, 0, 1300, 4000};
    cairn_search_options options = {
        .size = sizeof options,
        .space = (cairn_space)dice_below(luck, CAIRN_SPACE_JUMP + 1),
        .form = (cairn_form)dice_below(luck, 2),
        .stale = (cairn_stale)dice_below(luck, 2),
        .ties = (cairn_ties)dice_below(luck, 3),
        .weight = weights[dice_below(luck, COUNT_OF(weights))],
        .nearest = dice_below(luck, 4) == 0,
        .resumable = dice_below(luck, 4) > 0};

    if (dice_below(luck, 3) == 0)
        options.plain = (cairn_plain)dice_below(luck, CAIRN_PLAIN_SQUARED + 1);
    if (dice_below(luck, 12) == 0)
        options.bound = no_bound;
    if (dice_below(luck, 3) == 0)
        options.expansion_limit = 1 + dice_below(luck, 20);
    return options;
}

/* Graphs do not have every plain distance. */
static void enter(visitor *self, dice *luck, const cairn_map *map, const cairn_table *table)
{
    *self = (visitor){.options = any_options(luck), .map = map};
    cairn_status status = cairn_search_new(map, table, &self->options, &self->search);
    if (status == CAIRN_E_ARGUMENT) {
        self->options.plain = CAIRN_PLAIN_BEST;
        status = cairn_search_new(map, table, &self->options, &self->search);
    }
    assert_int_equal(status, CAIRN_OK);
    self->table = self->options.bound ? NULL : table;
}

static void leave(visitor *self)
{
    cairn_search_free(self->search);
    oracle_arcs_free(&self->arcs);
}

static bool can_pause(const visitor *self)
{
    return self->options.resumable || self->options.expansion_limit;
}

static uint64_t table_version(const cairn_table *table)
{
    return table ? cairn_table_version(table) : 0;
}

/* ----------------------------------------------------------------------------------- answers -- */

static void assert_path(const visitor *self, const cairn_path *path, cairn_node end)
{
    assert_true(path->node_count > 0);
    assert_int_equal(path->nodes[0], self->start);
    assert_int_equal(path->nodes[path->node_count - 1], end);
    assert_int_equal(oracle_arc_path(&self->arcs, path->nodes, path->node_count), path->cost);
}

/* The guarantee is true, and as good as theory has it. */
static void assert_guarantee(const visitor *self, const cairn_path *path, uint64_t least)
{
    const cairn_search_options *options = &self->options;
    bool is_stale = path->state == CAIRN_ROW_UNSAFE && path->row_count > 0;
    bool holds = options->bound || cairn_bound_is_admissible(self->map, options->plain);

    assert_true(path->cost >= least);
    if (path->guarantee)
        assert_true(path->cost * UINT64_C(1000) <= least * path->guarantee);
    if (holds && !is_stale)
        assert_int_equal(path->guarantee, options->weight ? options->weight : 1000);
    if (is_stale)
        assert_int_equal(options->stale, CAIRN_STALE_USE);
}

static void assert_found(const visitor *self, const cairn_path *path, const uint64_t *costs)
{
    switch (path->outcome) {
    case CAIRN_PATH_FOUND:
        assert_path(self, path, self->goal);
        assert_guarantee(self, path, costs[self->goal]);
        return;
    case CAIRN_PATH_NEAREST: {
        assert_true(self->options.nearest && costs[self->goal] == ORACLE_NEVER);
        cairn_node end = path->nodes[path->node_count - 1];
        assert_path(self, path, end);
        assert_int_equal(path->cost, costs[end]);
        return;
    }
    default:
        assert_true(!self->options.nearest && costs[self->goal] == ORACLE_NEVER);
        assert_int_equal(path->outcome, cairn_map_is_open(self->map, self->goal)
                                            ? CAIRN_PATH_NONE : CAIRN_PATH_GOAL_BLOCKED);
    }
}

/* A search of the same options that never pauses comes to the same. */
static void assert_as_without_pause(const visitor *self, const cairn_path *path)
{
    cairn_search_options options = self->options;
    cairn_search *search;
    cairn_path whole;

    options.resumable = true;
    options.expansion_limit = 0;
    assert_int_equal(cairn_search_new(self->map, self->table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, self->start, self->goal, &whole), CAIRN_OK);
    assert_int_equal(path->outcome, whole.outcome);
    assert_int_equal(path->cost, whole.cost);
    assert_int_equal(path->state, whole.state);
    assert_int_equal(path->row_count, whole.row_count);
    assert_int_equal(path->guarantee, whole.guarantee);
    assert_int_equal(path->space, whole.space);
    assert_int_equal(path->expanded, whole.expanded);
    assert_int_equal(path->generated, whole.generated);
    cairn_search_free(search);
}

static void assert_answer(visitor *self, cairn_path *path)
{
    self->is_paused = path->outcome == CAIRN_PATH_PAUSED;
    assert_int_equal(cairn_search_cells(self->search, path), CAIRN_OK);
    if (self->is_paused) {
        assert_true(can_pause(self) && path->node_count == 0);
        return;
    }
    if (!cairn_map_is_open(self->map, self->start)) {
        assert_int_equal(path->outcome, CAIRN_PATH_START_BLOCKED);
        return;
    }
    uint64_t *costs = oracle_arc_costs(&self->arcs, ORACLE_FROM, &self->start, 1);
    assert_found(self, path, costs);
    free(costs);
    if (can_pause(self))
        assert_as_without_pause(self, path);
}

/* ----------------------------------------------------------------------------------- queries -- */

/* Mostly an open one. */
static cairn_node any_node(const cairn_map *map, dice *luck)
{
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    for (unsigned i = 0; i < 8 && !cairn_map_is_open(map, node); i++)
        node = dice_below(luck, cairn_map_node_count(map));
    return node;
}

/* Begins or runs a query; `arcs` are those of the visitor's map. */
static void ask(scene *here, visitor *self, const oracle_arcs *arcs)
{
    cairn_path path;

    oracle_arcs_free(&self->arcs);
    self->arcs = copy_of(arcs);
    self->start = any_node(self->map, &here->luck);
    self->goal = any_node(self->map, &here->luck);
    self->map_version = cairn_map_version(self->map);
    self->table_version = table_version(self->table);
    self->writes = here->writes;
    bool begins = can_pause(self) && dice_below(&here->luck, 4);
    cairn_status status = begins
                              ? cairn_search_begin(self->search, self->start, self->goal, &path)
                              : cairn_search_run(self->search, self->start, self->goal, &path);
    assert_int_equal(status, CAIRN_OK);
    assert_answer(self, &path);
}

/* Whether a paused search may go on: by what the versions say, which must not be less than the
 * arcs do, nor more than the calls. */
static bool may_go_on(const scene *here, const visitor *self, const oracle_arcs *now)
{
    bool same = self->map_version == cairn_map_version(self->map) &&
                self->table_version == table_version(self->table);
    if (now && !same_arcs(now, &self->arcs))
        assert_false(same);
    if (self->writes == here->writes)
        assert_true(same);
    return same;
}

static void resume(scene *here, visitor *self, const oracle_arcs *now)
{
    cairn_path path;
    uint64_t expansions = dice_below(&here->luck, 4) ? dice_below(&here->luck, 12) : UINT64_MAX;
    cairn_status status = cairn_search_resume(self->search, expansions, &path);

    if (!self->is_paused) {
        assert_int_equal(status, CAIRN_E_ARGUMENT);
    } else if (may_go_on(here, self, now)) {
        assert_int_equal(status, CAIRN_OK);
        assert_answer(self, &path);
    } else {
        assert_int_equal(status, CAIRN_E_CHANGED);
        assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    }
}

/* ----------------------------------------------------------------------- a map and its table -- */

/* What a file gives back of a table, for the same map. */
static cairn_table *loaded_again(const cairn_map *map, cairn_table *table)
{
    cairn_load_options options = {.size = sizeof options, .map = map};
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &loaded, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_table_free(table);
    return loaded;
}

static cairn_table *any_table(cairn_map *map, uint64_t seed)
{
    cairn_table *table;
    cairn_build_options build = {.size = sizeof build, .landmark_count = seed % 7 ? 3 : 40,
                                 .thread_count = 1, .seed = seed};
    if (seed % 6 == 5)
        return NULL;
    if (seed % 4 == 3)
        build.flat_metric = (cairn_metric){1, 1};
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    return seed % 3 == 1 ? loaded_again(map, table) : table;
}

/* What is there already. */
static void edit_nothing(scene *here)
{
    const twin *both = &here->both;
    cairn_edit edit;

    if (both->drawn.letters) {
        uint32_t node = dice_below(&here->luck, picture_size(&both->drawn));
        edit = cairn_terrain(node % both->drawn.width, node / both->drawn.width,
                             both->drawn.letters[node]);
    } else if (both->arcs.count == 0 || both->arcs.list[0].from == both->arcs.list[0].to) {
        return;
    } else {
        const oracle_arc *arc = &both->arcs.list[0];
        uint64_t cost = cheapest(&both->arcs, arc->from, arc->to);
        edit = cairn_arc_cost(arc->from, arc->to, (cairn_cost)cost);
    }
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
}

static void refresh(scene *here, cairn_budget budget)
{
    if (!here->table)
        return;
    here->writes++;
    cairn_status status = cairn_refresh_step(here->table, here->both.map, budget);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

static void change_something(scene *here)
{
    switch (dice_below(&here->luck, 9)) {
    case 0:
    case 1:
        here->writes++;
        twin_edit(&here->both, &here->luck);
        return;
    case 2:
    case 3: refresh(here, CAIRN_CELLS(dice_below(&here->luck, 8))); return;
    case 4: refresh(here, CAIRN_CELLS(dice_below(&here->luck, 60))); return;
    case 5: refresh(here, CAIRN_UNLIMITED); return;
    case 6: edit_nothing(here); return;
    case 7:
        here->writes++;
        if (here->table)
            assert_int_equal(cairn_table_rebuild(here->table, here->both.map), CAIRN_OK);
        return;
    default: return;
    }
}

static void live_on_a_map(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both};
    here.table = any_table(both.map, seed);
    for (unsigned i = 0; i < VISITORS; i++)
        enter(&here.visitors[i], &here.luck, both.map, here.table);

    for (unsigned round = 0; round < ROUNDS; round++) {
        visitor *self = &here.visitors[dice_below(&here.luck, VISITORS)];
        switch (dice_below(&here.luck, 6)) {
        case 0: change_something(&here); break;
        case 1: ask(&here, self, &here.both.arcs); break;
        default:
            if (self->is_paused && dice_below(&here.luck, 6))
                resume(&here, self, &here.both.arcs);
            else
                ask(&here, self, &here.both.arcs);
        }
    }
    for (unsigned i = 0; i < VISITORS; i++)
        leave(&here.visitors[i]);
    cairn_table_free(here.table);
    twin_free(&here.both);
}

static twin grid_of(uint64_t seed, unsigned rule, unsigned kind)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    return twin_of(seed, (oracle_rule)rule, (terrain_kind)kind,
                   metrics[(seed + rule + kind) % COUNT_OF(metrics)]);
}

static void paused_searches_are_right_or_refused_on_every_kind_of_grid(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++)
                live_on_a_map(grid_of(seed, rule, kind), seed * 31 + 7 * rule + kind);
        }
    }
}

static void paused_searches_are_right_or_refused_on_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++)
        live_on_a_map(twin_any_graph(seed), seed);
}

/* -------------------------------------------------------------------------------- guarantees -- */

enum { CHANGES = 6, QUERIES = 12 };

/* Edits that the table has noted, so that unsafe rows are used, or that it has not. */
static void assert_guarantees(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both};
    here.table = any_table(both.map, seed);

    for (unsigned i = 0; i < VISITORS; i++) {
        visitor *self = &here.visitors[i];
        enter(self, &here.luck, both.map, here.table);
        for (unsigned change = 0; change < CHANGES; change++) {
            twin_edit(&here.both, &here.luck);
            if (change % 3 < 2)
                refresh(&here, CAIRN_CELLS(dice_below(&here.luck, 3)));
            for (unsigned query = 0; query < QUERIES; query++)
                ask(&here, self, &here.both.arcs);
        }
        refresh(&here, CAIRN_UNLIMITED);
        leave(self);
    }
    cairn_table_free(here.table);
    twin_free(&here.both);
}

static void guarantees_are_true_on_every_kind_of_map(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAP_KINDS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++)
                assert_guarantees(grid_of(seed, rule, kind), seed * 37 + 5 * rule + kind);
        }
    }
    for (uint64_t seed = 0; seed < GRAPHS; seed++)
        assert_guarantees(twin_any_graph(seed), seed);
}

/* ------------------------------------------------------------------------------------ worlds -- */

static void let_go(scene *here, visitor *self)
{
    cairn_world_release(here->world, &self->view);
}

/* Leads a visitor to a view, of the published state or of the draft; what it was about is given up
 * where that is another map. */
static void lead(scene *here, visitor *self)
{
    bool to_draft = dice_below(&here->luck, 4) == 0;
    let_go(here, self);
    if (to_draft) {
        here->writes++;
        cairn_status status = cairn_world_draft(here->world, &self->view);
        if (status == CAIRN_BUSY)
            return;
        assert_int_equal(status, CAIRN_OK);
    } else {
        self->view = cairn_world_acquire(here->world);
    }
    if (self->view.map != self->map) {
        self->map_version = 0;
        self->writes = UINT64_MAX;
    }
    self->map = self->view.map;
    self->table = self->options.bound ? NULL : self->view.table;
    assert_int_equal(cairn_search_use(self->search, self->view.map, self->view.table), CAIRN_OK);
    if (!self->is_paused || dice_below(&here->luck, 2))
        ask(here, self, to_draft ? &here->both.arcs : &here->published);
}

/* The world takes an edit where no reader is in the way. */
static void edit_world(scene *here)
{
    cairn_status status = cairn_world_edit(here->world, NULL, 0);
    here->writes++;
    if (status == CAIRN_BUSY)
        return;
    assert_int_equal(status, CAIRN_OK);
    cairn_edit edit = twin_edit(&here->both, &here->luck);
    if (edit.kind != CAIRN_EDIT_ARC || edit.arc.cost > 0)
        assert_int_equal(cairn_world_edit(here->world, &edit, 1), CAIRN_OK);
}

static void publish(scene *here)
{
    here->writes++;
    assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    oracle_arcs_free(&here->published);
    here->published = copy_of(&here->both.arcs);
}

static void write_world(scene *here)
{
    cairn_budget budget = dice_below(&here->luck, 3) ? CAIRN_CELLS(dice_below(&here->luck, 40))
                                                     : CAIRN_UNLIMITED;
    switch (dice_below(&here->luck, 4)) {
    case 0: publish(here); return;
    case 1: {
        here->writes++;
        cairn_status status = cairn_world_refresh_step(here->world, budget);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_BUSY);
        return;
    }
    default: edit_world(here);
    }
}

static void live_in_a_world(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both, .published = copy_of(&both.arcs)};
    cairn_map *map;

    assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
    here.table = any_table(map, seed);
    assert_int_equal(cairn_world_new(map, here.table, &here.world), CAIRN_OK);
    for (unsigned i = 0; i < VISITORS; i++)
        enter(&here.visitors[i], &here.luck, map, here.table);
    for (unsigned i = 0; i < VISITORS; i++)
        lead(&here, &here.visitors[i]);
    for (unsigned round = 0; round < ROUNDS; round++) {
        visitor *self = &here.visitors[dice_below(&here.luck, VISITORS)];
        switch (dice_below(&here.luck, 8)) {
        case 0:
        case 1: write_world(&here); break;
        case 2: lead(&here, self); break;
        case 3: let_go(&here, self); break;
        default: resume(&here, self, NULL);
        }
    }
    for (unsigned i = 0; i < VISITORS; i++) {
        let_go(&here, &here.visitors[i]);
        leave(&here.visitors[i]);
    }
    cairn_world_free(here.world);
    oracle_arcs_free(&here.published);
    twin_free(&here.both);
}

static void paused_searches_are_right_or_refused_in_worlds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            unsigned kind = (unsigned)(seed + rule) % TERRAIN_KINDS;
            live_in_a_world(grid_of(seed, rule, kind), seed * 31 + rule);
        }
    }
    for (uint64_t seed = 0; seed < GRAPHS / 2; seed++)
        live_in_a_world(twin_any_graph(seed), seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paused_searches_are_right_or_refused_on_every_kind_of_grid),
        cmocka_unit_test(paused_searches_are_right_or_refused_on_graphs),
        cmocka_unit_test(paused_searches_are_right_or_refused_in_worlds),
        cmocka_unit_test(guarantees_are_true_on_every_kind_of_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
