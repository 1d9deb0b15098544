/* The oracle itself, on answers that were counted by hand. */
#include "support/check.h"
#include "support/oracle.h"
#include "support/random_maps.h"

static void costs_are_those_counted_by_hand(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        0, 10, 20, 10, ORACLE_NEVER, 30, 20, 30, 40,
    };
    picture map = PICTURE("...", ".@.", "...");
    uint32_t source = 0;
    uint64_t *costs = oracle_costs(&map, (oracle_steps){10, 14}, &source, 1);
    for (size_t node = 0; node < COUNT_OF(expected); node++)
        assert_true(costs[node] == expected[node]);
    free(costs);
    picture_free(&map);
}

static void a_diagonal_step_needs_both_cells_beside_it(void **state)
{
    (void)state;
    picture open = PICTURE("..", ".."), one = PICTURE(".@", ".."), two = PICTURE(".@", "@.");
    assert_true(oracle_step_is_legal(&open, 0, 3));
    assert_false(oracle_step_is_legal(&one, 0, 3));
    assert_false(oracle_step_is_legal(&two, 0, 3));
    assert_true(oracle_step_is_legal(&one, 0, 2));
    assert_false(oracle_step_is_legal(&one, 0, 1));
    assert_false(oracle_step_is_legal(&open, 0, 0));
    picture_free(&open);
    picture_free(&one);
    picture_free(&two);
}

static void the_edge_of_the_map_does_not_wrap_around(void **state)
{
    (void)state;
    picture map = PICTURE("...", "...");
    assert_false(oracle_step_is_legal(&map, 2, 3));
    picture_free(&map);
}

static void several_sources_give_the_nearest(void **state)
{
    (void)state;
    picture map = PICTURE(".......");
    uint32_t sources[] = {0, 5};
    uint64_t *costs = oracle_costs(&map, (oracle_steps){1, 1}, sources, 2);
    static const uint64_t expected[] = {0, 1, 2, 2, 1, 0, 1};
    for (size_t node = 0; node < COUNT_OF(expected); node++)
        assert_true(costs[node] == expected[node]);
    free(costs);
    picture_free(&map);
}

static void a_path_is_added_up_and_its_steps_are_checked(void **state)
{
    (void)state;
    picture map = PICTURE("...", ".@.", "...");
    uint32_t round[] = {0, 3, 6, 7}, through[] = {0, 4}, jump[] = {0, 2};
    assert_true(oracle_path_cost(&map, (oracle_steps){5, 7}, round, 4) == 15);
    assert_true(oracle_path_cost(&map, (oracle_steps){5, 7}, round, 1) == 0);
    assert_true(oracle_path_cost(&map, (oracle_steps){5, 7}, through, 2) == ORACLE_NEVER);
    assert_true(oracle_path_cost(&map, (oracle_steps){5, 7}, jump, 2) == ORACLE_NEVER);
    picture_free(&map);
}

static void every_kind_of_map_is_what_its_name_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5 * MAP_KINDS; seed++) {
        picture map = any_map(seed), again = any_map(seed);
        map_kind kind = (map_kind)(seed % MAP_KINDS);
        uint32_t size = picture_size(&map), open = picture_open_count(&map), count;
        free(oracle_components(&map, &count));

        assert_int_equal(map.width, again.width);
        assert_memory_equal(map.letters, again.letters, size);
        if (kind == MAP_ONE_CELL)
            assert_true(size == 1 && open == 1);
        if (kind == MAP_ALL_BLOCKED)
            assert_int_equal(open, 0);
        if (kind == MAP_ALL_OPEN)
            assert_int_equal(open, size);
        if (kind == MAP_ONE_ROW)
            assert_int_equal(map.height, 1);
        if (kind == MAP_ONE_COLUMN)
            assert_int_equal(map.width, 1);
        if (kind == MAP_MAZE)
            assert_int_equal(count, 1);
        if (kind == MAP_CHESSBOARD)
            assert_int_equal(count, open);
        picture_free(&map);
        picture_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_those_counted_by_hand),
        cmocka_unit_test(a_diagonal_step_needs_both_cells_beside_it),
        cmocka_unit_test(the_edge_of_the_map_does_not_wrap_around),
        cmocka_unit_test(several_sources_give_the_nearest),
        cmocka_unit_test(a_path_is_added_up_and_its_steps_are_checked),
        cmocka_unit_test(every_kind_of_map_is_what_its_name_says),
    };
    return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
