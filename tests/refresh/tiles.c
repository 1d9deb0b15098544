/* Rebuilt rows are written only where they may differ from the table. On maps of many tiles, after
 * edits whose repair was given up, at once or with other edits coming in between, tables equal
 * rebuilt ones byte for byte. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { ROWS = 6, SIDE_LEAST = 70, SIDE_MORE = 60, EDITS_MOST = 4, ROUNDS = 12 };

/* Rows rebuilt in all tests of this file so far. */
static uint64_t rebuilt;

/* Edits cells next to one another, so that passages open and close. */
static void edit_around(twin *both, dice *luck)
{
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    const uint32_t x = dice_below(luck, width), y = dice_below(luck, height);
    const char letter = dice_below(luck, 2) ? '@' : '.';
    cairn_edit edits[EDITS_MOST];
    const size_t count = 1 + dice_below(luck, EDITS_MOST);

    for (size_t i = 0; i < count; i++) {
        const uint32_t right = x + dice_below(luck, 4), below = y + dice_below(luck, 4);
        edits[i] = cairn_terrain(right < width ? right : x, below < height ? below : y, letter);
    }
    assert_int_equal(cairn_map_edit(both->map, edits, count), CAIRN_OK);
}

/* Steps without a limit, or limited ones that edits interrupt. */
static void live(twin *both, uint64_t seed, bool in_steps)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    dice luck = {seed + 1};

    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t steps = in_steps ? dice_below(&luck, 3) : 0;
        edit_around(both, &luck);
        for (uint32_t i = 0; i < steps; i++)
            step_now(table, both->map, CAIRN_CELLS(1 + dice_below(&luck, 20000)));
        if (in_steps && round % 4 != 3)
            continue;
        assert_int_equal(step_now(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
        if (both->kind != TERRAIN_ONE_WAY) /* whose rebuilds may add landmarks */
            assert_equal_to_a_rebuilt_one(table, both->map);
        else
            assert_int_equal(cairn_table_verify(table, both->map, 1, NULL), CAIRN_OK);
    }
    rebuilt += cairn_table_refresh_counts(table).rows_rebuilt;
    cairn_table_free(table);
}

static twin large_twin(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed};
    const uint32_t width = SIDE_LEAST + dice_below(&luck, SIDE_MORE);
    const uint32_t height = SIDE_LEAST + dice_below(&luck, SIDE_MORE);
    return twin_sized(seed, rule, kind, fixture_metrics[seed % FIXTURE_METRICS], width, height);
}

static void check_kind(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    if (seed % MAP_KINDS < MAP_SPARSE) /* small or empty */
        return;
    twin both = large_twin(seed, rule, kind);
    live(&both, seed, (seed + rule + kind) % 2);
    twin_free(&both);
}

static void rows_equal_rebuilt_ones_on_every_kind(void **state)
{
    (void)state;
    for_every_kind(MAP_KINDS, check_kind);
    assert_true(rebuilt > 50);
}

static void rows_equal_rebuilt_ones_on_default_grids(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(6 * MAP_KINDS); seed = seed_after(seed))
        check_kind(seed, ORACLE_8, TERRAIN_UNIFORM);
}

/* A corridor of one cell, in the two parts of which landmarks lie at the ends. Once a door opens
 * the second row has one landmark, far from it, and on the way are cells whose costs stay as they
 * are. */
static void check_corridor(uint32_t length, uint32_t door, bool is_upright)
{
    picture drawn = picture_filled(is_upright ? 1 : length, is_upright ? length : 1, '.');
    drawn.letters[door] = '@';
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    cairn_table *table = table_with(map, ROWS, 1, length);
    const cairn_edit edit = cairn_open(is_upright ? 0 : door, is_upright ? door : 0);

    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(step_now(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A corridor with its landmark at one end, near which it is closed: the larger part gets a landmark
 * at its other end, and in its middle costs stay as they are. */
static void check_cut(uint32_t length, uint32_t cut, bool is_upright)
{
    picture drawn = picture_filled(is_upright ? 1 : length, is_upright ? length : 1, '.');
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    const cairn_node landmark = length - 1;
    const cairn_build_options options = {.size = sizeof options,
                                         .thread_count = 1,
                                         .placement = CAIRN_PLACE_LIST,
                                         .listed = &landmark,
                                         .listed_count = 1};
    const cairn_edit edit = cairn_block(is_upright ? 0 : cut, is_upright ? cut : 0);
    cairn_table *table;

    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(step_now(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    rebuilt += cairn_table_refresh_counts(table).rows_rebuilt;
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void rows_of_parts_that_are_cut_off_are_exact(void **state)
{
    (void)state;
    rebuilt = 0;
    for (uint32_t length = 600; length < 1300; length++) {
        check_cut(length, length - 2, length % 2);
        check_cut(length, length - 5, length % 2 == 0);
    }
    assert_true(rebuilt > 1000);
}

static void landmarks_that_move_change_cells_beyond_those_that_stay(void **state)
{
    (void)state;
    for (uint32_t length = 66; length < 200; length++) {
        for (uint32_t door = 1 + length % 7; door + 1 < length; door += 7) {
            check_corridor(length, door, false);
            check_corridor(length, door, true);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_equal_rebuilt_ones_on_every_kind),
        cmocka_unit_test(rows_equal_rebuilt_ones_on_default_grids),
        cmocka_unit_test(landmarks_that_move_change_cells_beyond_those_that_stay),
        cmocka_unit_test(rows_of_parts_that_are_cut_off_are_exact),
    };
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
