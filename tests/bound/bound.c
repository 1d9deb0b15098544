/* Bounds against the oracle: never above the cost, never falling faster than a step costs. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { MAPS = 12 * MAP_KINDS, GOALS = 4 };

static void assert_admissible(const picture *drawn, const cairn_bound *bound, const uint64_t *costs)
{
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        if (costs[node] == ORACLE_NEVER)
            continue;
        cairn_cost h = cairn_bound_at(bound, node);
        if (h > costs[node]) {
            picture_show(drawn);
            print_error("goal %u, node %u: %u above %u\n", bound->goal, node, h,
                        cost_of(costs[node]));
        }
        assert_true(h <= costs[node]);
    }
}

/* For nodes that no path joins to the goal as well: A* may meet them on its way. */
static void assert_consistent(const picture *drawn, oracle_steps steps, const cairn_bound *bound)
{
    for (uint32_t y = 0; y < drawn->height; y++) {
        for (uint32_t x = 0; x < drawn->width; x++) {
            uint32_t from = y * drawn->width + x;
            for (int64_t near = 0; near < 9; near++) {
                int64_t to_x = x + near % 3 - 1, to_y = y + near / 3 - 1;
                if (!picture_is_open(drawn, to_x, to_y))
                    continue;
                uint32_t to = (uint32_t)(to_y * drawn->width + to_x);
                if (!oracle_step_is_legal(drawn, from, to))
                    continue;
                uint64_t step = oracle_path_cost(drawn, steps, (uint32_t[]){from, to}, 2);
                uint64_t h_from = cairn_bound_at(bound, from), h_to = cairn_bound_at(bound, to);
                assert_int_equal(h_from == CAIRN_UNREACHABLE, h_to == CAIRN_UNREACHABLE);
                assert_true(h_from <= step + h_to);
            }
        }
    }
}

/* Bounds of all nodes at once, some of them asked for twice. */
static void assert_same_at_once(const picture *drawn, const cairn_bound *bound)
{
    uint32_t size = picture_size(drawn);
    size_t count = 3 * (size_t)size / 2;
    cairn_node *nodes = calloc(count + 1, sizeof *nodes);
    cairn_cost *bounds = calloc(count + 1, sizeof *bounds);
    assert_non_null(nodes);
    assert_non_null(bounds);
    for (size_t i = 0; i < count; i++)
        nodes[i] = (cairn_node)((i * 7 + 3) % size);
    bounds[count] = 4711;
    assert_int_equal(cairn_bounds_at(bound, nodes, count, bounds), CAIRN_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(bounds[i], cairn_bound_at(bound, nodes[i]));
    assert_int_equal(bounds[count], 4711);
    nodes[count / 2] = size;
    assert_int_equal(cairn_bounds_at(bound, nodes, count, bounds), CAIRN_E_ARGUMENT);
    free(nodes);
    free(bounds);
}

static void check_goal(const picture *drawn, const cairn_map *map, const cairn_table *table,
                       cairn_node goal)
{
    oracle_steps steps = steps_of(cairn_map_metric(map));
    uint64_t *costs = oracle_costs(drawn, steps, &goal, 1);
    cairn_bound base, bound;

    assert_int_equal(cairn_bound_to(map, NULL, goal, &base), CAIRN_OK);
    assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
    assert_int_equal(cairn_bound_at(&base, goal), 0);
    assert_int_equal(cairn_bound_at(&bound, goal), 0);
    assert_admissible(drawn, &base, costs);
    assert_admissible(drawn, &bound, costs);
    assert_consistent(drawn, steps, &base);
    assert_consistent(drawn, steps, &bound);
    assert_same_at_once(drawn, &base);
    assert_same_at_once(drawn, &bound);
    for (uint32_t node = 0; node < picture_size(drawn); node++)
        if (costs[node] != ORACLE_NEVER)
            assert_true(cairn_bound_at(&bound, node) >= cairn_bound_at(&base, node));
    free(costs);
}

static void bounds_are_admissible_and_consistent(void **state)
{
    (void)state;
    dice luck = {4711};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed / MAP_KINDS % FIXTURE_METRICS]);
        cairn_table *table = table_with(map, 1 + dice_below(&luck, 20), 1, seed);

        for (int i = 0; i < GOALS && picture_open_count(&drawn); i++)
            check_goal(&drawn, map, table, dice_open_cell(&luck, &drawn));
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void the_same_for_every_goal_of_a_small_map(void **state)
{
    (void)state;
    picture drawn = PICTURE("....@...", ".@@.@.@.", ".@....@.", ".@@@@@@.", "........", "@@@@@@@@",
                            "..@.....", "..@.....");
    for (size_t i = 0; i < FIXTURE_METRICS; i++) {
        cairn_map *map = map_of(&drawn, fixture_metrics[i]);
        cairn_table *table = table_of(map, 3);
        for (uint32_t goal = 0; goal < picture_size(&drawn); goal++)
            if (picture_is_open(&drawn, goal % 8, goal / 8))
                check_goal(&drawn, map, table, goal);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_for_every_goal_of_a_small_map),
        cmocka_unit_test(bounds_are_admissible_and_consistent),
    };
    return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
