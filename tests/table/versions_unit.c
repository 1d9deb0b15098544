/* What is held between calls can tell whether its map and its table are still the same. */
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/table_hash.h"
#include "support/tables.h"
#include "support/twin.h"

static cairn_map *small_map(void)
{
    picture drawn = PICTURE("......", ".@@@@.", "......", "....@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    picture_free(&drawn);
    return map;
}

static void edit(cairn_map *map, cairn_edit edit)
{
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
}

static void the_version_of_a_map_grows_when_costs_change_and_only_then(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    uint64_t version = cairn_map_version(map);

    assert_true(version > 0);
    edit(map, cairn_block(1, 1));
    edit(map, cairn_terrain(0, 0, 'G'));
    cairn_edit outside = cairn_block(9, 9);
    assert_int_equal(cairn_map_edit(map, &outside, 1), CAIRN_E_ARGUMENT);
    assert_true(cairn_map_version(map) == version);

    edit(map, cairn_block(0, 0));
    assert_true(cairn_map_version(map) > version);
    version = cairn_map_version(map);
    edit(map, cairn_open(0, 0));
    assert_true(cairn_map_version(map) > version);
    version = cairn_map_version(map);
    assert_int_equal(cairn_map_set_metric(map, (cairn_metric){10, 14}), CAIRN_OK);
    assert_true(cairn_map_version(map) > version);
    cairn_map_free(map);
}

static void the_version_of_a_graph_grows_with_the_cost_of_an_arc(void **state)
{
    (void)state;
    twin both = twin_graph(3, 8, 20, false, false);
    const oracle_arc *arc = &both.arcs.list[0];
    uint64_t version = cairn_map_version(both.map);

    edit(both.map, cairn_arc_cost(arc->from, arc->to, 4000));
    assert_true(cairn_map_version(both.map) > version);
    version = cairn_map_version(both.map);
    edit(both.map, cairn_arc_cost(arc->from, arc->to, 4000));
    assert_true(cairn_map_version(both.map) == version);
    twin_free(&both);
}

static void the_version_of_a_table_grows_when_it_is_written(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    uint64_t version = cairn_table_version(table);

    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_true(cairn_table_version(table) == version);
    edit(map, cairn_open(2, 1));
    assert_true(cairn_table_version(table) == version);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_true(cairn_table_version(table) > version);
    version = cairn_table_version(table);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_true(cairn_table_version(table) == version);
    for (cairn_status status = CAIRN_MORE; status == CAIRN_MORE;) {
        status = step_now(table, map, CAIRN_CELLS(1));
        assert_true(cairn_table_version(table) > version);
        version = cairn_table_version(table);
    }
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_OK);
    assert_true(cairn_table_version(table) == version);
    assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
    assert_true(cairn_table_version(table) > version);
    version = cairn_table_version(table);
    assert_int_equal(cairn_table_set_cost(table, 0, 0, 3), CAIRN_OK);
    assert_true(cairn_table_version(table) > version);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* A refused call writes nothing, so that bounds and paused searches stay what they are. */
static void the_version_of_a_table_stays_when_another_map_is_refused(void **state)
{
    (void)state;
    for (unsigned resident = 0; resident < 2; resident++) {
        cairn_map *map = small_map(), *other = small_map();
        cairn_build_options options = {
            .size = sizeof options, .landmark_count = 2, .resident = (cairn_resident)resident};
        cairn_table *table;
        cairn_bound bound;
        edit(map, cairn_block(0, 0));
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        assert_int_equal(cairn_bound_to(map, table, 23, &bound), CAIRN_OK);
        const uint64_t version = cairn_table_version(table);
        assert_int_equal(cairn_refresh_step(table, other, CAIRN_UNLIMITED), CAIRN_E_MISMATCH);
        assert_int_equal(cairn_refresh_step(table, other, CAIRN_CELLS(0)), CAIRN_E_MISMATCH);
        assert_true(cairn_table_version(table) == version);
        assert_true(cairn_bound_is_current(&bound));
        cairn_table_free(table);
        cairn_map_free(other);
        cairn_map_free(map);
    }
}

/* Of any kind of map: a table whose version is the same is the same, byte for byte. */
static void compare_versions_with_tables(twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, 3, 1, seed);
    dice luck = {seed};
    uint64_t version = cairn_table_version(table);
    uint64_t hash = table_hash(table, both->map);

    for (unsigned round = 0; round < 30; round++) {
        if (dice_below(&luck, 3) == 0)
            twin_edit(both, &luck);
        step_now(table, both->map, CAIRN_CELLS(dice_below(&luck, 3) ? dice_below(&luck, 40) : 0));
        uint64_t now = table_hash(table, both->map);
        if (cairn_table_version(table) == version)
            assert_true(now == hash);
        version = cairn_table_version(table);
        hash = now;
    }
    cairn_table_free(table);
    twin_free(both);
}

static void a_table_of_the_same_version_holds_the_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAP_KINDS; seed++) {
        twin graph = twin_any_graph(seed);
        compare_versions_with_tables(&graph, seed);
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            twin grid = twin_of(seed, (oracle_rule)rule, (terrain_kind)(seed % TERRAIN_KINDS),
                                (cairn_metric){5, 7});
            compare_versions_with_tables(&grid, seed);
        }
    }
}

static void a_bound_is_current_until_its_map_or_its_table_changes(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    cairn_bound along, base;

    assert_int_equal(cairn_bound_to(map, table, 23, &along), CAIRN_OK);
    assert_int_equal(cairn_bound_to(map, NULL, 23, &base), CAIRN_OK);
    assert_true(cairn_bound_is_current(&along) && cairn_bound_is_current(&base));
    assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
    assert_false(cairn_bound_is_current(&along));
    assert_true(cairn_bound_is_current(&base));
    assert_int_equal(cairn_bound_to(map, table, 23, &along), CAIRN_OK);
    edit(map, cairn_block(0, 0));
    assert_false(cairn_bound_is_current(&along) || cairn_bound_is_current(&base));
    assert_false(cairn_bound_is_current(&(cairn_bound){.map = NULL}));
    cairn_table_free(table);
    cairn_map_free(map);
}

/* A side that becomes the draft again has changed for who kept what was made from it. */
static void states_of_a_world_change_when_they_are_written_again(void **state)
{
    (void)state;
    cairn_map *map = small_map();
    cairn_table *table = table_of(map, 2);
    cairn_world *world;
    cairn_bound bound;
    cairn_edit door = cairn_open(2, 1);

    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    cairn_view view = cairn_world_acquire(world);
    assert_int_equal(cairn_bound_to(view.map, view.table, 23, &bound), CAIRN_OK);
    const uint64_t map_version = cairn_map_version(view.map);
    const uint64_t table_version = cairn_table_version(view.table);
    const cairn_view before = view;
    assert_int_equal(cairn_world_edit(world, &door, 1), CAIRN_OK);
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    assert_true(cairn_bound_is_current(&bound));
    cairn_world_release(world, &view);
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_true(cairn_map_version(before.map) > map_version);
    assert_true(cairn_table_version(before.table) > table_version);
    assert_false(cairn_bound_is_current(&bound));
    cairn_world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_of_a_map_grows_when_costs_change_and_only_then),
        cmocka_unit_test(the_version_of_a_graph_grows_with_the_cost_of_an_arc),
        cmocka_unit_test(the_version_of_a_table_grows_when_it_is_written),
        cmocka_unit_test(the_version_of_a_table_stays_when_another_map_is_refused),
        cmocka_unit_test(a_table_of_the_same_version_holds_the_same_bytes),
        cmocka_unit_test(a_bound_is_current_until_its_map_or_its_table_changes),
        cmocka_unit_test(states_of_a_world_change_when_they_are_written_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
