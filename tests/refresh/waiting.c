/* Steps with a budget wait while the map changes from one to the next: nothing is written, and
 * every path is a shortest one; they end all the same, when the map has settled. */
#include "table/corner_rows.h"
#include "table/table_state.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { ROWS = 4, SMALL = 1, NODES_LEAST = 32, ROUNDS = 40 };

/* After so many steps without edits none waits any more. */
enum { REST = 16 };

enum { HALLS = 64 };

static cairn_table *table_on(cairn_map *map, cairn_resident resident, bool counts_steps)
{
    const cairn_metric metric = cairn_map_metric(map), none = {0, 0};
    return table_built(map, (cairn_build_options){.landmark_count = ROWS,
                                                  .thread_count = 1,
                                                  .step_metric = counts_steps ? metric : none,
                                                  .resident = resident});
}

static uint64_t row_map_hash(const cairn_map *map, const cairn_table *table)
{
    const cairn_map *row_map;
    assert_int_equal(cn_table_row_map(table, map, &row_map), CAIRN_OK);
    return row_map->hash;
}

/* An edit that changes what the rows tell. */
static void edit_really(twin *both, const cairn_table *table, dice *luck)
{
    const uint64_t before = row_map_hash(both->map, table);
    for (unsigned i = 0; i < 1000 && row_map_hash(both->map, table) == before; i++)
        twin_edit(both, luck);
    assert_true(row_map_hash(both->map, table) != before);
}

static bool is_applied(const cairn_map *map, const cairn_table *table)
{
    const cairn_map *row_map;
    assert_int_equal(cn_table_row_map(table, map, &row_map), CAIRN_OK);
    return cn_table_fits(table, row_map);
}

/* There is something to edit, and the smallest budget is not enough for a row. */
static bool may_wait(const twin *both)
{
    return both->arcs.count > 4 && both->arcs.node_count >= NODES_LEAST;
}

static void assert_goes_on(cairn_status status)
{
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

static void settle(const twin *both, cairn_table *table)
{
    unsigned steps = 0;
    cairn_status status = CAIRN_MORE;
    for (; status == CAIRN_MORE && steps < 100000; steps++)
        status = cairn_refresh_step(table, both->map, CAIRN_CELLS(SMALL));
    assert_int_equal(status, CAIRN_OK);
    assert_table_is_exact(both, table);
}

/* Of any kind of map and table. Some edits undo others. */
static void wait_for_a_quiet_moment(twin *both, cairn_table *table, dice *luck)
{
    for (unsigned i = 0; i < 3 || is_applied(both->map, table); i++) {
        const uint64_t version = cairn_table_version(table);
        edit_really(both, table, luck);
        const cairn_status expected = is_applied(both->map, table) ? CAIRN_OK : CAIRN_MORE;
        assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_CELLS(SMALL)), expected);
        assert_true(cairn_table_version(table) == version);
        assert_search(both, table, luck);
    }
    /* Tables of corners have no edits of a map before all of their rows are exact. */
    const bool at_corners = cairn_table_resident(table) == CAIRN_RESIDENT_CORNERS;
    for (unsigned i = 0; !at_corners && !is_applied(both->map, table); i++) {
        assert_true(i < REST);
        assert_goes_on(cairn_refresh_step(table, both->map, CAIRN_CELLS(SMALL)));
    }
    settle(both, table);
    edit_really(both, table, luck);
    assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_table_is_exact(both, table);
    edit_really(both, table, luck);
    assert_goes_on(cairn_refresh_step(table, both->map, CAIRN_CELLS(0)));
    assert_true(is_applied(both->map, table));
    settle(both, table);
}

static void a_step_waits_until_the_map_settles(void **state)
{
    unsigned played = 0;
    (void)state;
    for (unsigned kind = 0; kind < 3 * STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind / 3, kind / 3 + 40);
        dice luck = {kind + 1};
        const bool at_corners = kind % 3 == 2, counts_steps = kind % 3 == 1;
        if (may_wait(&both) && (!at_corners || cn_corner_rows_suit(both.map)) &&
            (!counts_steps || both.drawn.letters)) {
            cairn_table *table = table_on(
                both.map, at_corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS, counts_steps);
            wait_for_a_quiet_moment(&both, table, &luck);
            cairn_table_free(table);
            played++;
        }
        twin_free(&both);
    }
    assert_true(played > STORM_KINDS / 12);
}

/* Any steps, edits, copies and files; what is exact in the end is so by the oracle. */
static void live_with_steps(twin *both, cairn_table **table, dice *luck)
{
    static const cairn_budget budgets[] = {CAIRN_CELLS(0),  CAIRN_CELLS(1),    CAIRN_CELLS(30),
                                           CAIRN_CELLS(90), CAIRN_CELLS(2000), CAIRN_UNLIMITED};
    for (unsigned round = 0; round < ROUNDS; round++) {
        cairn_table *copy;
        if (dice_below(luck, 3))
            storm_edit(both, luck);
        const cairn_budget budget = budgets[dice_below(luck, COUNT_OF(budgets))];
        const cairn_status status = cairn_refresh_step(*table, both->map, budget);
        assert_goes_on(status);
        if (status == CAIRN_OK)
            assert_table_is_exact(both, *table);
        if (budget == CAIRN_UNLIMITED)
            assert_int_equal(status, CAIRN_OK);
        if (dice_below(luck, 3) == 0)
            assert_search(both, *table, luck);
        if (dice_below(luck, 8))
            continue;
        assert_int_equal(cairn_table_clone(*table, &copy), CAIRN_OK);
        cairn_table_free(*table);
        *table = copy;
    }
    settle(both, *table);
}

static void steps_edits_and_copies_in_any_order_stay_right(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3 * STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind / 3, kind / 3 + 80);
        dice luck = {kind + 11};
        const bool at_corners = kind % 3 == 2 && cn_corner_rows_suit(both.map);
        cairn_table *table = table_on(
            both.map, at_corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS, kind % 3 == 1);
        live_with_steps(&both, &table, &luck);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* A map for units follows the edits of its map; its table waits for them as well. */
static void a_table_for_units_waits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(20); seed = seed_after(seed)) {
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES), TERRAIN_UNIFORM,
                               (cairn_metric){70, 99}, 30, 24);
        dice luck = {seed + 4};
        cairn_map *units;
        assert_int_equal(
            cairn_map_for_units(both.map, 2 + (uint32_t)(seed % 2), CAIRN_ANCHOR_TOP_LEFT, &units),
            CAIRN_OK);
        cairn_table *table = table_on(units, CAIRN_RESIDENT_CELLS, false);
        for (unsigned i = 0; i < 20; i++) {
            const uint64_t version = cairn_table_version(table), before = cairn_map_hash(units);
            twin_edit(&both, &luck);
            if (cairn_map_hash(units) == before)
                continue;
            assert_goes_on(cairn_refresh_step(table, units, CAIRN_CELLS(SMALL)));
            assert_true(cairn_table_version(table) == version);
        }
        cairn_status status = CAIRN_MORE;
        for (unsigned i = 0; status == CAIRN_MORE && i < 100000; i++)
            status = cairn_refresh_step(table, units, CAIRN_CELLS(SMALL));
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, units, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(units);
        twin_free(&both);
    }
}

/* What readers have, beside the tests' side of the map. Returns whether edits were applied to the
 * table. */
static bool assert_view(cairn_world *world, const twin *both, bool is_exact, dice *luck)
{
    cairn_view view = cairn_world_acquire(world);
    twin same = *both;
    same.map = (cairn_map *)view.map;
    assert_search(&same, view.table, luck);
    if (is_exact)
        assert_table_is_exact(&same, view.table);
    const bool applied = is_applied(view.map, view.table);
    cairn_world_release(world, &view);
    return applied;
}

/* A world of the map, which is one of the tests' own from now on. */
static cairn_world *world_beside(twin *both)
{
    cairn_map *map = both->map;
    cairn_world *world;
    both->map = twin_rebuilt(both);
    assert_int_equal(cairn_world_new(map, table_on(map, CAIRN_RESIDENT_CELLS, false), &world),
                     CAIRN_OK);
    return world;
}

static void a_plain_number_is_no_budget(void **state)
{
    const uint64_t numbers[] = {0, 1, 200, 201, UINT64_MAX >> 2, UINT64_MAX - 1};
    twin both = storm_twin(0, 1);
    cairn_world *world = world_beside(&both);
    cairn_table *table = table_on(both.map, CAIRN_RESIDENT_CELLS, false);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        assert_int_equal(cairn_refresh_step(table, both.map, numbers[i]), CAIRN_E_ARGUMENT);
        assert_int_equal(cairn_world_refresh_step(world, numbers[i]), CAIRN_E_ARGUMENT);
    }
    assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_CELLS(UINT64_MAX)), CAIRN_OK);
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_MICROSECONDS(0)), CAIRN_OK);
    cairn_world_free(world);
    cairn_table_free(table);
    twin_free(&both);
}

static void edit_world(cairn_world *world, twin *both, dice *luck)
{
    storm_batch batch;
    storm_draw(both, luck, &batch);
    assert_int_equal(cairn_world_edit(world, batch.edits, batch.count), CAIRN_OK);
    if (both->drawn.letters)
        twin_list_steps(both);
}

static cairn_status step_and_publish(cairn_world *world, cairn_budget budget)
{
    const cairn_status status = cairn_world_refresh_step(world, budget);
    assert_goes_on(status);
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    return status;
}

/* A writer edits in every frame; in the end frames without edits make all exact. */
static void live_in_a_busy_world(twin *both, dice *luck)
{
    cairn_world *world = world_beside(both);
    cairn_status status = CAIRN_MORE;
    unsigned waited = 0;

    for (unsigned frame = 0; frame < 30; frame++) {
        edit_world(world, both, luck);
        status = step_and_publish(world, CAIRN_CELLS(SMALL));
        if (frame % 6 == 0)
            waited += !assert_view(world, both, false, luck);
    }
    for (unsigned frame = 0; status == CAIRN_MORE && frame < 100000; frame++)
        status = step_and_publish(world, CAIRN_CELLS(SMALL));
    assert_int_equal(status, CAIRN_OK);
    assert_true(waited > 0);
    assert_view(world, both, true, luck);
    cairn_world_free(world);
}

static void a_world_waits_too(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind, kind + 60);
        dice luck = {kind + 3};
        if (may_wait(&both))
            live_in_a_busy_world(&both, &luck);
        twin_free(&both);
    }
}

/* Where a budget is enough for rows that no search can use, steps do not wait. */
static void rows_that_do_not_serve_are_made_in_spite_of_edits(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind, kind + 20);
        dice luck = {kind + 9};
        cairn_table *table = table_on(both.map, CAIRN_RESIDENT_CELLS, false), *copy;
        if (may_wait(&both)) {
            edit_really(&both, table, &luck);
            (void)step_now(table, both.map, CAIRN_CELLS(SMALL));
            for (uint32_t row = 0; row < table->row_count; row++)
                cn_table_set_state(table, row, CAIRN_ROW_UNSAFE);
            assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
            edit_really(&both, copy, &luck);
            assert_int_equal(cairn_refresh_step(copy, both.map, CAIRN_CELLS(1000000)), CAIRN_OK);
            assert_table_is_exact(&both, copy);
            cairn_table_free(copy);
        }
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Edits in every other frame, each of which is published: the frames between make all exact. */
static void a_world_goes_on_in_frames_without_edits(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind, kind + 90);
        dice luck = {kind + 7};
        cairn_world *world = world_beside(&both);
        for (unsigned frame = 0; frame < 10; frame++) {
            edit_world(world, &both, &luck);
            (void)step_and_publish(world, CAIRN_CELLS(1000000));
            assert_int_equal(step_and_publish(world, CAIRN_CELLS(1000000)), CAIRN_OK);
            assert_view(world, &both, true, &luck);
        }
        cairn_world_free(world);
        twin_free(&both);
    }
}

/* Halls of 7 x 7 cells with a door in the middle of each wall. */
static picture halls(void)
{
    picture drawn = picture_filled(HALLS, HALLS, '.');
    for (uint32_t y = 0; y < HALLS; y++) {
        for (uint32_t x = 0; x < HALLS; x++) {
            const bool is_wall = x % 8 == 7 || y % 8 == 7, is_door = x % 8 == 3 || y % 8 == 3;
            if (is_wall && !is_door)
                drawn.letters[y * HALLS + x] = '@';
        }
    }
    return drawn;
}

/* Shuts a door that is open, or opens one that is shut. */
static void turn_a_door(cairn_map *map, picture *drawn, dice *luck)
{
    const uint32_t across = 8 * dice_below(luck, HALLS / 8 - 1) + 7;
    const uint32_t along = 8 * dice_below(luck, HALLS / 8) + 3;
    const bool upright = dice_below(luck, 2);
    const uint32_t x = upright ? across : along, y = upright ? along : across;
    char *letter = &drawn->letters[y * HALLS + x];
    *letter = *letter == '.' ? '@' : '.';
    const cairn_edit edit = cairn_terrain(x, y, *letter);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
}

static uint64_t rows_done(const cairn_table *table)
{
    const cairn_refresh_counts counts = cairn_table_refresh_counts(table);
    return counts.rows_repaired + counts.rows_rebuilt;
}

/* Gates serve for all rows. Frames without edits, of which there is one in so many, are too few to
 * repair these. */
static void rows_that_serve_outlast_a_quiet_frame_among_others(void **state)
{
    enum { FRAMES = 240, LONG = 400 };
    (void)state;
    for (unsigned every = 2; every < 30; every += 9) {
        picture drawn = halls();
        cairn_map *map = map_of(&drawn, (cairn_metric){70, 99});
        cairn_table *table = table_on(map, CAIRN_RESIDENT_CELLS, false);
        dice luck = {every};
        const uint64_t version = cairn_table_version(table);
        for (unsigned frame = 1; frame < FRAMES; frame++) {
            if (frame % every || frame < 4)
                turn_a_door(map, &drawn, &luck);
            assert_goes_on(cairn_refresh_step(table, map, CAIRN_CELLS(LONG)));
            assert_true(cairn_table_version(table) == version);
        }
        cairn_status status = CAIRN_MORE;
        for (unsigned i = 0; i < REST && cairn_table_version(table) == version; i++)
            status = cairn_refresh_step(table, map, CAIRN_CELLS(LONG));
        assert_true(cairn_table_version(table) != version);
        for (unsigned i = 0; status == CAIRN_MORE && i < 10000; i++)
            status = cairn_refresh_step(table, map, CAIRN_CELLS(LONG));
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Edits that come at intervals too short for a refresh: after some attempts none is made any more,
 * until the map rests for longer. */
static void attempts_end_where_edits_keep_interrupting_them(void **state)
{
    enum { PERIODS = 4, FRAMES = 2000, ATTEMPTS_LAST = 700 };
    static const unsigned periods[PERIODS] = {3, 9, 20, 60};
    (void)state;
    for (unsigned kind = 0; kind < 2 * PERIODS; kind++) {
        picture drawn = halls();
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_on(map, kind % 2 ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS,
                                      false);
        const unsigned period = periods[kind / 2];
        dice luck = {kind};
        uint64_t worked = 0, work = 0;
        for (unsigned frame = 0; frame < FRAMES; frame++) {
            if (frame % period == 0)
                turn_a_door(map, &drawn, &luck);
            assert_goes_on(cairn_refresh_step(table, map, CAIRN_CELLS(SMALL)));
            const uint64_t so_far = cairn_table_refresh_counts(table).cells;
            worked += frame < ATTEMPTS_LAST && so_far != work;
            assert_true(frame < ATTEMPTS_LAST || so_far == work);
            work = so_far;
        }
        assert_true(period == periods[0] ? worked == 0 : worked > 0);
        cairn_status status = CAIRN_MORE;
        for (unsigned i = 0; status == CAIRN_MORE && i < 100000; i++)
            status = cairn_refresh_step(table, map, CAIRN_CELLS(SMALL));
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* How many steps a door that closes or opens takes, of a table or of a world of another one. */
static unsigned steps_for_a_door(cairn_map *map, cairn_table *table, cairn_world *world,
                                 bool closes)
{
    const cairn_edit edit = closes ? cairn_block(7, 11) : cairn_open(7, 11);
    const cairn_budget budget = CAIRN_CELLS(300);
    cairn_status status = CAIRN_MORE;
    unsigned steps = 0;
    assert_int_equal(world ? cairn_world_edit(world, &edit, 1) : cairn_map_edit(map, &edit, 1),
                     CAIRN_OK);
    for (; status == CAIRN_MORE; steps++)
        status = world ? cairn_world_refresh_step(world, budget)
                       : cairn_refresh_step(table, map, budget);
    assert_int_equal(status, CAIRN_OK);
    return steps;
}

/* Edits that come alone, with no step between the last that is needed and the next edit: each takes
 * as many as the first did, whether or not a step came before that. */
static void edits_that_come_alone_stay_so(void **state)
{
    (void)state;
    for (unsigned in_a_world = 0; in_a_world < 2; in_a_world++) {
        picture drawn = halls();
        cairn_map *map = map_of(&drawn, (cairn_metric){70, 99}), *shared;
        cairn_table *table = table_on(map, CAIRN_RESIDENT_CELLS, false), *copy;
        cairn_world *world = NULL;
        assert_int_equal(cairn_map_clone(map, &shared), CAIRN_OK);
        assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
        assert_int_equal(cairn_world_new(shared, copy, &world), CAIRN_OK);
        cairn_world *used = in_a_world ? world : NULL;
        if (!in_a_world)
            assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_OK);
        const unsigned to_close = steps_for_a_door(map, table, used, true);
        const unsigned to_open = steps_for_a_door(map, table, used, false);
        for (unsigned i = 0; i < 20; i++) {
            assert_int_equal(steps_for_a_door(map, table, used, true), to_close);
            assert_int_equal(steps_for_a_door(map, table, used, false), to_open);
        }
        cairn_world_free(world);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Rows that no search can use, and edits in every frame, which come before a step has made all of
 * them: more and more steps leave them alone. */
static void steps_that_edits_overtake_become_rare(void **state)
{
    enum { FRAMES = 500, WORKS_MOST = 12 };
    (void)state;
    picture drawn = halls();
    cairn_map *map = map_of(&drawn, (cairn_metric){70, 99});
    cairn_table *table = table_on(map, CAIRN_RESIDENT_CELLS, false);
    dice luck = {5};
    unsigned works = 0;

    turn_a_door(map, &drawn, &luck);
    (void)step_now(table, map, CAIRN_CELLS(SMALL));
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        const uint64_t before = rows_done(table);
        for (uint32_t row = 0; row < table->row_count; row++)
            cn_table_set_state(table, row, CAIRN_ROW_UNSAFE);
        turn_a_door(map, &drawn, &luck);
        assert_goes_on(cairn_refresh_step(table, map, CAIRN_CELLS(HALLS * HALLS / 16 + 1)));
        works += rows_done(table) != before;
    }
    assert_true(works > 2 && works <= WORKS_MOST);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Floods of graphs take many times as long for a node as those of grids. So this budget is enough
 * for a row of a grid with as many cells, and for none of these: rows whose repair is long are not
 * rebuilt at once, which no step could divide. */
static void rows_of_graphs_are_not_rebuilt_in_a_short_step(void **state)
{
    enum { NODES = 20000, EDITS = 1000, STEPS_MOST = 100000, SHORT = 100 };
    (void)state;
    twin both = twin_graph(3, NODES, 4 * NODES, false, false);
    cairn_table *table = table_on(both.map, CAIRN_RESIDENT_CELLS, false);
    dice luck = {4};
    cairn_status status = CAIRN_MORE;
    for (unsigned i = 0; i < EDITS; i++)
        twin_edit(&both, &luck);
    for (unsigned i = 0; status == CAIRN_MORE && i < STEPS_MOST; i++)
        status = cairn_refresh_step(table, both.map, CAIRN_MICROSECONDS(SHORT));
    assert_int_equal(status, CAIRN_OK);
    assert_int_equal(cairn_table_refresh_counts(table).rows_rebuilt, 0);
    assert_true(cairn_table_refresh_counts(table).rows_repaired > 0);
    assert_int_equal(cairn_table_verify(table, both.map, 0, NULL), CAIRN_OK);
    cairn_table_free(table);
    twin_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_waits_until_the_map_settles),
        cmocka_unit_test(a_plain_number_is_no_budget),
        cmocka_unit_test(steps_edits_and_copies_in_any_order_stay_right),
        cmocka_unit_test(a_table_for_units_waits),
        cmocka_unit_test(a_world_waits_too),
        cmocka_unit_test(rows_that_do_not_serve_are_made_in_spite_of_edits),
        cmocka_unit_test(a_world_goes_on_in_frames_without_edits),
        cmocka_unit_test(rows_that_serve_outlast_a_quiet_frame_among_others),
        cmocka_unit_test(steps_that_edits_overtake_become_rare),
        cmocka_unit_test(attempts_end_where_edits_keep_interrupting_them),
        cmocka_unit_test(edits_that_come_alone_stay_so),
        cmocka_unit_test(rows_of_graphs_are_not_rebuilt_in_a_short_step),
    };
    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
