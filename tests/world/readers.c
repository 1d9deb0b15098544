/* Readers search in a world while a writer edits, repairs and publishes it: every answer must be
 * right for the very state that the reader holds, by costs that an oracle found for that state
 * before it was published. The thread sanitizer watches the readers that run at once. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "map/map.h"
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum {
    READERS = 3,
    SOURCES = 3,
    VERSIONS = 24,
    HELD = 3, /* views of one reader */
    LEAST_LOOKS = 60
};

typedef struct arena {
    twin both;  /* the writer's: the oracle's map, and one beside the world */
    twin units; /* what the oracle knows of units of 2 x 2 cells, in a world of such */
    bool has_units;
    cairn_map *cells; /* of which the world has copies */
    cairn_world *world;
    uint32_t node_count;
    uint32_t sources[SOURCES];
    cairn_cost *costs[VERSIONS + 1][SOURCES]; /* by version; there before it is published */
    uint64_t version;                         /* that was published last */
    atomic_bool done;
    atomic_uint wrong;
} arena;

/* What the table of a world holds. */
typedef enum arena_table {
    OF_COSTS,
    OF_STEPS,
    AT_CORNERS,
    OF_UNITS,
    OF_UNITS_AT_CORNERS
} arena_table;

/* A thread that checks states, some of them for long. */
typedef struct reader {
    arena *here;
    cairn_search *search;
    cairn_search *pausing; /* goes on in steps */
    dice luck;
    cairn_view held[HELD];
    pthread_t thread;
} reader;

/* --------------------------------------------------------------------------------- the arena -- */

/* Units stand where all four cells are open; at uniform costs they move there like cells. */
static void list_units(arena *here)
{
    const picture *cells = &here->both.drawn;
    const uint32_t width = cells->width;
    for (uint32_t node = 0; node < picture_size(cells); node++) {
        const bool is_within = node % width + 1 < width && node / width + 1 < cells->height;
        const bool is_open = is_within && twin_is_open(&here->both, node) &&
                             twin_is_open(&here->both, node + 1) &&
                             twin_is_open(&here->both, node + width) &&
                             twin_is_open(&here->both, node + width + 1);
        here->units.drawn.letters[node] = is_open ? '.' : '@';
    }
    twin_list_steps(&here->units);
}

static void draw_units(arena *here)
{
    here->units = here->both;
    here->units.arcs = (oracle_arcs){0};
    here->units.drawn = picture_filled(here->both.drawn.width, here->both.drawn.height, '@');
    list_units(here);
}

static cairn_cost *costs_from(const arena *here, uint32_t source)
{
    const oracle_arcs *arcs = here->has_units ? &here->units.arcs : &here->both.arcs;
    uint64_t *known = oracle_arc_costs(arcs, ORACLE_FROM, &source, 1);
    cairn_cost *costs = calloc(here->node_count, sizeof *costs);
    assert_non_null(costs);
    for (uint32_t node = 0; node < here->node_count; node++)
        costs[node] = cost_of(known[node]);
    free(known);
    return costs;
}

static void tell_costs(arena *here, uint64_t version)
{
    if (here->has_units)
        list_units(here);
    for (size_t i = 0; i < SOURCES; i++) {
        free(here->costs[version][i]);
        here->costs[version][i] = costs_from(here, here->sources[i]);
    }
}

/* A copy of the twin's map, or a map for units made of one. */
static cairn_map *map_of_world(arena *here)
{
    cairn_map *map;
    if (here->has_units) {
        draw_units(here);
        assert_int_equal(cairn_map_clone(here->both.map, &here->cells), CAIRN_OK);
        assert_int_equal(cairn_map_for_units(here->cells, 2, CAIRN_ANCHOR_TOP_LEFT, &map),
                         CAIRN_OK);
    } else {
        assert_int_equal(cairn_map_clone(here->both.map, &map), CAIRN_OK);
    }
    return map;
}

/* The world takes copies, so that the twin remains. */
static void open_arena(arena *here, twin both, arena_table of, uint64_t seed)
{
    cairn_table *table;
    dice luck = {seed};
    cairn_build_options build = {
        .size = sizeof build, .landmark_count = seed % 5 ? 3 : 40, .seed = seed};

    *here = (arena){.both = both,
                    .has_units = of == OF_UNITS || of == OF_UNITS_AT_CORNERS,
                    .node_count = both.arcs.node_count};
    cairn_map *map = map_of_world(here);
    if (of == AT_CORNERS || of == OF_UNITS_AT_CORNERS)
        build.resident = CAIRN_RESIDENT_CORNERS;
    if (of == OF_STEPS)
        build.step_metric = (cairn_metric){1, 1};
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_int_equal(cairn_world_new(map, table, &here->world), CAIRN_OK);
    for (size_t i = 0; i < SOURCES; i++)
        here->sources[i] = dice_below(&luck, here->node_count);
    tell_costs(here, 0);
}

static void close_arena(arena *here)
{
    cairn_world_free(here->world);
    for (size_t version = 0; version <= VERSIONS; version++) {
        for (size_t i = 0; i < SOURCES; i++)
            free(here->costs[version][i]);
    }
    if (here->has_units) {
        oracle_arcs_free(&here->units.arcs);
        picture_free(&here->units.drawn);
        cairn_map_free(here->cells);
    }
    twin_free(&here->both);
}

/* ---------------------------------------------------------------------------------- readers -- */

static void open_reader(reader *made, arena *here, uint64_t seed)
{
    *made = (reader){.here = here, .luck = {seed}};
    cairn_view view = cairn_world_acquire(here->world);
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &made->search), CAIRN_OK);
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &made->pausing), CAIRN_OK);
    cairn_world_release(here->world, &view);
}

static void let_go(reader *self, size_t which)
{
    cairn_world_release(self->here->world, &self->held[which]);
}

static void close_reader(reader *self)
{
    for (size_t i = 0; i < HELD; i++)
        let_go(self, i);
    cairn_search_free(self->search);
    cairn_search_free(self->pausing);
}

/* The same query in steps, between which the writer goes on. */
static bool paused_query_is_right(reader *self, const cairn_view *view, cairn_node start,
                                  cairn_node goal, cairn_cost cost)
{
    cairn_path path;
    if (cairn_search_use(self->pausing, view->map, view->table) != CAIRN_OK ||
        cairn_search_begin(self->pausing, start, goal, &path) != CAIRN_OK)
        return false;
    while (path.outcome == CAIRN_PATH_PAUSED) {
        if (cairn_search_resume(self->pausing, 1 + dice_below(&self->luck, 9), &path) != CAIRN_OK)
            return false;
    }
    return path.cost == cost;
}

/* Components of the view, which the first to ask finds, maybe several threads at once. */
static bool components_are_right(const arena *here, const cairn_view *view, cairn_node start,
                                 cairn_node goal, cairn_cost cost)
{
    const bool joined = cairn_connected(view->map, start, goal);
    const bool leads_back = here->both.drawn.letters ? here->both.kind != TERRAIN_ONE_WAY
                                                     : !here->both.is_directed;
    return cost == CAIRN_UNREACHABLE ? !joined || !leads_back : joined;
}

static bool answers(const cairn_map *map, const cairn_table *table, cairn_node start,
                    cairn_node goal, cairn_cost cost)
{
    cairn_search *search;
    cairn_path path;
    if (cairn_search_new(map, table, NULL, &search) != CAIRN_OK)
        return false;
    const bool is_right = cairn_search_run(search, start, goal, &path) == CAIRN_OK &&
                          path.cost == cost;
    cairn_search_free(search);
    return is_right;
}

static bool can_be_saved(const cairn_view *view)
{
    uint8_t *bytes;
    size_t size;
    const cairn_status status = cairn_save_bytes(view->map, view->table, NULL, &bytes, &size);
    if (status == CAIRN_OK)
        cairn_bytes_free(view->map, bytes);
    return status == CAIRN_OK || status == CAIRN_E_STALE;
}

/* What else takes map and table as constant. */
static bool copies_are_right(const cairn_view *view, cairn_node start, cairn_node goal,
                             cairn_cost cost)
{
    cairn_map *map;
    cairn_table *table;
    if (cairn_map_clone(view->map, &map) != CAIRN_OK)
        return false;
    bool is_right = cairn_table_clone(view->table, &table) == CAIRN_OK;
    if (is_right) {
        is_right = answers(map, table, start, goal, cost) && cairn_table_memory(view->table) &&
                   cairn_map_memory(view->map);
        cairn_table_free(table);
    }
    cairn_map_free(map);
    return is_right;
}

/* The path to a goal again, while a node beside it may not be entered. */
static bool avoiding_query_is_right(reader *self, cairn_node start, cairn_node goal,
                                    cairn_cost cost)
{
    const cairn_node avoided = dice_below(&self->luck, self->here->node_count);
    cairn_path path;
    bool crosses = avoided == start || avoided == goal;
    if (cairn_search_run(self->search, start, goal, &path) != CAIRN_OK || path.cost != cost)
        return false;
    for (size_t i = 0; i < path.node_count; i++)
        crosses |= path.nodes[i] == avoided;
    if (cairn_search_avoid(self->search, &avoided, NULL, 1) != CAIRN_OK ||
        cairn_search_run(self->search, start, goal, &path) != CAIRN_OK)
        return false;
    const bool is_right = crosses || path.cost == cost;
    return cairn_search_avoid(self->search, NULL, NULL, 0) == CAIRN_OK && is_right;
}

static bool nearest_is_right(reader *self, const cairn_view *view, uint32_t source)
{
    const arena *here = self->here;
    const cairn_cost *costs = here->costs[view->version][source];
    cairn_node goals[3];
    cairn_cost least = CAIRN_UNREACHABLE;
    cairn_path path;
    for (size_t i = 0; i < 3; i++) {
        goals[i] = dice_below(&self->luck, here->node_count);
        if (goals[i] == here->sources[source])
            return true; /* the oracle starts from blocked cells as well */
        if (costs[goals[i]] < least)
            least = costs[goals[i]];
    }
    return cairn_search_run_to_any(self->search, here->sources[source], goals, 3, &path) ==
               CAIRN_OK &&
           path.cost == least;
}

static bool query_is_right(reader *self, const cairn_view *view)
{
    const arena *here = self->here;
    uint32_t source = dice_below(&self->luck, SOURCES), start = here->sources[source];
    uint32_t goal = dice_below(&self->luck, here->node_count);
    cairn_path path;
    cairn_bound bound;

    if (goal == start)
        return true;
    cairn_cost cost = here->costs[view->version][source][goal];
    if (!components_are_right(here, view, start, goal, cost))
        return false;
    if (dice_below(&self->luck, 3) == 0)
        return paused_query_is_right(self, view, start, goal, cost);
    if (dice_below(&self->luck, 12) == 0)
        return copies_are_right(view, start, goal, cost);
    if (dice_below(&self->luck, 60) == 0)
        return can_be_saved(view);
    if (dice_below(&self->luck, 6) == 0)
        return avoiding_query_is_right(self, start, goal, cost);
    if (dice_below(&self->luck, 6) == 0)
        return nearest_is_right(self, view, source);
    return cairn_search_run(self->search, start, goal, &path) == CAIRN_OK && path.cost == cost &&
           cairn_bound_to(view->map, view->table, goal, &bound) == CAIRN_OK &&
           (!cairn_map_is_open(view->map, start) || cairn_bound_at(&bound, start) <= cost);
}

/* Takes, keeps or leaves one of its views, and asks on it. No assertion: this runs in threads. */
static void ask(reader *self)
{
    size_t which = dice_below(&self->luck, HELD);
    cairn_view *view = &self->held[which];
    bool right = true;

    if (!view->map)
        *view = cairn_world_acquire(self->here->world);
    right = cairn_search_use(self->search, view->map, view->table) == CAIRN_OK;
    for (uint32_t i = dice_below(&self->luck, 4); right && i < 4; i++)
        right = query_is_right(self, view);
    if (!right)
        atomic_fetch_add(&self->here->wrong, 1);
    if (dice_below(&self->luck, 3))
        let_go(self, which);
}

/* Leaves the processors to the others. */
static void nap(void)
{
    const struct timespec moment = {.tv_nsec = 20000};
    nanosleep(&moment, NULL);
}

static void *read_along(void *self_)
{
    reader *self = self_;
    for (int i = 0; i < LEAST_LOOKS || !atomic_load(&self->here->done); i++) {
        ask(self);
        if (i >= LEAST_LOOKS)
            nap();
    }
    for (size_t i = 0; i < HELD; i++)
        let_go(self, i);
    return NULL;
}

/* -------------------------------------------------------------------------------- the writer -- */

static cairn_budget any_budget(dice *luck)
{
    static const cairn_budget budgets[] = {CAIRN_CELLS(0),        CAIRN_CELLS(2),
                                           CAIRN_CELLS(30),       CAIRN_CELLS(5000),
                                           CAIRN_MICROSECONDS(3), CAIRN_UNLIMITED};
    return budgets[dice_below(luck, COUNT_OF(budgets))];
}

/* Until readers have left what is to be written. */
static void edit(arena *here, dice *luck)
{
    cairn_edit made = twin_edit(&here->both, luck);
    if (made.kind == CAIRN_EDIT_ARC && made.arc.cost == 0)
        return;
    cairn_status status;
    while ((status = cairn_world_edit(here->world, &made, 1)) == CAIRN_BUSY)
        nap();
    assert_int_equal(status, CAIRN_OK);
}

static void repair(arena *here, cairn_budget budget)
{
    cairn_status status;
    while ((status = world_step_now(here->world, budget)) == CAIRN_BUSY)
        nap();
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

/* A version that may be repaired wholly, in part or not at all. */
static void make_version(arena *here, dice *luck)
{
    for (uint32_t i = dice_below(luck, 6); i < 6; i++) {
        if (dice_below(luck, 2))
            edit(here, luck);
        if (dice_below(luck, 3))
            repair(here, any_budget(luck));
    }
    tell_costs(here, here->version + 1);
}

/* What was not changed is not published again, and its costs are reported again. */
static void publish(arena *here)
{
    cairn_view before = cairn_world_acquire(here->world);
    assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    cairn_view after = cairn_world_acquire(here->world);
    assert_int_equal(before.version, here->version);
    assert_true(after.version == before.version || after.version == before.version + 1);
    here->version = after.version;
    cairn_world_release(here->world, &before);
    cairn_world_release(here->world, &after);
}

/* ------------------------------------------------------------------------------- both sides -- */

static void assert_same_jump(const cairn_map *one, const cairn_map *other)
{
    const cn_jump *a = one->jump, *b = other->jump;
    if (!a || !b)
        return;
    assert_memory_equal(a->hits, b->hits, cn_map_node_count(one));
    assert_memory_equal(a->stops, b->stops, a->word_count * sizeof *a->stops);
    assert_memory_equal(a->clear, b->clear, a->word_count * sizeof *a->clear);
    if (a->borders) {
        size_t words = cn_border_words(&one->grid);
        assert_memory_equal(a->borders, b->borders, words * sizeof *a->borders);
        assert_memory_equal(a->border_steps, b->border_steps,
                            (size_t)cn_map_node_count(one) * CN_DIRECTIONS);
    }
}

static void assert_same_map(const cairn_map *one, const cairn_map *other)
{
    assert_true(cairn_map_hash(one) == cairn_map_hash(other));
    assert_memory_equal(one->grid.letters, other->grid.letters, cn_map_node_count(one));
    assert_memory_equal(one->grid.around, other->grid.around, cn_map_node_count(one));
    assert_same_jump(one, other);
}

/* With nobody reading: the whole rest of the work, and both copies alike and exact. */
static void assert_both_sides_are_rebuilt_ones(arena *here)
{
    cairn_map *derived = NULL;
    cairn_view view, draft;

    if (here->has_units)
        assert_int_equal(cairn_map_for_units(here->both.map, 2, CAIRN_ANCHOR_TOP_LEFT, &derived),
                         CAIRN_OK);
    assert_int_equal(cairn_world_refresh_step(here->world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    view = cairn_world_acquire(here->world);
    assert_int_equal(cairn_world_draft(here->world, &draft), CAIRN_OK);
    assert_true(view.map != draft.map && view.table != draft.table);
    assert_same_map(view.map, derived ? derived : here->both.map);
    assert_same_map(draft.map, derived ? derived : here->both.map);
    assert_same_table(view.table, draft.table);
    if (view.table->corners)
        assert_true(view.table->corners == draft.table->corners &&
                    view.table->entries == draft.table->entries);
    assert_equal_to_a_rebuilt_one(view.table, view.map);
    for (uint32_t row = 0; row < cairn_table_row_count(view.table); row++) {
        assert_int_equal(cairn_table_row_state(view.table, view.map, row), CAIRN_ROW_FRESH);
        assert_int_equal(cairn_table_row_state(draft.table, draft.map, row), CAIRN_ROW_FRESH);
    }
    cairn_world_release(here->world, &view);
    cairn_map_free(derived);
}

/* -------------------------------------------------------------------------------- the tests -- */

typedef void scene(arena *here, uint64_t seed);

/* In one thread, so that who holds what is known: the writer is told to come again while a view
 * before the published one is held, and then alone. */
static bool someone_holds_the_draft(const arena *here, const reader *readers)
{
    for (size_t i = 0; i < READERS * HELD; i++) {
        const cairn_view *view = &readers[i / HELD].held[i % HELD];
        if (view->map && view->version < here->version)
            return true;
    }
    return false;
}

static void take_turns(arena *here, uint64_t seed)
{
    reader readers[READERS];
    dice luck = {seed};

    for (size_t i = 0; i < READERS; i++)
        open_reader(&readers[i], here, seed + i);
    for (int round = 0; round < VERSIONS; round++) {
        for (uint32_t i = dice_below(&luck, 4); i > 0; i--)
            ask(&readers[dice_below(&luck, READERS)]);
        while (someone_holds_the_draft(here, readers)) {
            assert_int_equal(cairn_world_refresh_step(here->world, CAIRN_UNLIMITED), CAIRN_BUSY);
            ask(&readers[dice_below(&luck, READERS)]);
        }
        make_version(here, &luck);
        publish(here);
        assert_int_equal(atomic_load(&here->wrong), 0);
    }
    for (size_t i = 0; i < READERS; i++)
        close_reader(&readers[i]);
}

static void run_at_once(arena *here, uint64_t seed)
{
    reader readers[READERS];
    dice luck = {seed};

    for (size_t i = 0; i < READERS; i++)
        open_reader(&readers[i], here, seed + i);
    for (size_t i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i].thread, NULL, read_along, &readers[i]), 0);
    for (int round = 0; round < VERSIONS; round++) {
        make_version(here, &luck);
        publish(here);
    }
    atomic_store(&here->done, true);
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        close_reader(&readers[i]);
    }
}

static void play(scene *of, twin both, arena_table table, uint64_t seed)
{
    arena here;
    open_arena(&here, both, table, seed);
    of(&here, seed);
    assert_int_equal(atomic_load(&here.wrong), 0);
    assert_both_sides_are_rebuilt_ones(&here);
    close_arena(&here);
}

/* Maps of every kind under every rule and every terrain, graphs, units, and tables of corners of
 * cells and of units; every `step`th of them, less those that are left out. */
static void play_everywhere(scene *of, uint64_t step)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    static const oracle_rule unit_rules[] = {ORACLE_8, ORACLE_4, ORACLE_8_ONE_SIDE, ORACLE_8_ANY};
    for (uint64_t seed = 0; seed < 10 * (uint64_t)ORACLE_RULES * TERRAIN_KINDS; seed += step) {
        if (is_left_out(seed / step))
            continue;
        oracle_rule rule = (oracle_rule)(seed % ORACLE_RULES);
        terrain_kind kind = (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS);
        play(of, twin_of(seed, rule, kind, metrics[seed % COUNT_OF(metrics)]),
             seed % 3 == 1 ? OF_STEPS : OF_COSTS, seed);
    }
    for (uint64_t seed = 0; seed < 6 * MAP_KINDS; seed += step) {
        if (!is_left_out(seed / step))
            play(of, twin_of(seed, ORACLE_8, TERRAIN_UNIFORM, metrics[seed % COUNT_OF(metrics)]),
                 AT_CORNERS, seed);
    }
    for (uint64_t seed = 0; seed < 40; seed += step) {
        if (!is_left_out(seed / step))
            play(of,
                 twin_of(seed, unit_rules[seed % COUNT_OF(unit_rules)], TERRAIN_UNIFORM,
                         metrics[seed % COUNT_OF(metrics)]),
                 seed % 8 ? OF_UNITS : OF_UNITS_AT_CORNERS, seed);
    }
    for (uint64_t seed = 0; seed < 100; seed += step)
        if (!is_left_out(seed / step))
            play(of, twin_any_graph(seed), seed % 4 == 3 ? OF_STEPS : OF_COSTS, seed);
}

static void views_keep_their_state_over_publications(void **state)
{
    (void)state;
    play_everywhere(take_turns, 1);
}

static void readers_search_while_a_writer_repairs(void **state)
{
    (void)state;
    play_everywhere(run_at_once, 13);
}

/* All cases, or those of a pattern: the thread sanitizer wants those with threads. */
int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_keep_their_state_over_publications),
        cmocka_unit_test(readers_search_while_a_writer_repairs),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
