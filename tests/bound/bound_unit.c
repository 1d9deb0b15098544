#include "bound/bound.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

static void the_base_heuristic_is_the_bound_without_a_table(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", ".@@@@.", "......");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, NULL, cairn_node_at(map, 4, 2), &bound), CAIRN_OK);
    assert_int_equal(cairn_bound_at(&bound, cairn_node_at(map, 4, 2)), 0);
    assert_int_equal(cairn_bound_at(&bound, cairn_node_at(map, 4, 0)), 10);
    assert_int_equal(cairn_bound_at(&bound, cairn_node_at(map, 0, 0)), 2 * 7 + 2 * 5);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A corridor that turns back: its ends lie side by side, and the base heuristic sees one step. */
static void a_landmark_at_the_end_of_a_corridor_makes_the_bound_exact(void **state)
{
    (void)state;
    picture drawn = PICTURE("........", ".@@@@@@@", "........");
    for (size_t i = 0; i < FIXTURE_METRICS; i++) {
        cairn_metric metric = fixture_metrics[i];
        cairn_map *map = map_of(&drawn, metric);
        cairn_table *table = table_of(map, 2);
        cairn_bound bound;
        assert_int_equal(cairn_bound_to(map, table, cairn_node_at(map, 7, 2), &bound), CAIRN_OK);
        assert_int_equal(cairn_bound_at(&bound, cairn_node_at(map, 7, 0)), 16 * metric.straight);
        assert_int_equal(cairn_bound_at(&bound, cairn_node_at(map, 0, 1)), 8 * metric.straight);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

static void a_row_that_reaches_one_side_only_proves_that_there_is_no_path(void **state)
{
    (void)state;
    static const cairn_metric metrics[] = {{5, 7}, {2378, 3363}, {1 << 20, 1 << 20}};
    picture drawn = PICTURE("...@....", "...@....");
    for (size_t i = 0; i < COUNT_OF(metrics); i++) {
        cairn_map *map = map_of(&drawn, metrics[i]);
        /* The left part runs out of landmarks after six rows. */
        cairn_table *table = table_of(map, 7);
        cairn_bound bound;
        cairn_cost upper;
        assert_true(cn_bound_separates(table, 0, 7, &upper));
        assert_false(cn_bound_separates(table, 0, 2, &upper));
        assert_int_equal(cairn_bound_to(map, table, 0, &bound), CAIRN_OK);
        assert_int_equal(cairn_bound_at(&bound, 7), CAIRN_UNREACHABLE);
        assert_int_not_equal(cairn_bound_at(&bound, 2), CAIRN_UNREACHABLE);
        assert_int_equal(cairn_bound_to(map, table, 7, &bound), CAIRN_OK);
        assert_int_equal(cairn_bound_at(&bound, 0), CAIRN_UNREACHABLE);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

/* Every lane must count, whichever vectors they are read in. */
static void the_largest_difference_of_any_row_is_the_bound(void **state)
{
    (void)state;
    static const uint32_t row_counts[] = {1, 3, 4, 7, 8, 9, 16, 17, 31, 33, 64, 256};
    static const cn_mem heap = {{0}};
    picture drawn = random_map(MAP_ALL_OPEN, 3, 1, 0);
    cairn_map *map = map_of(&drawn, (cairn_metric){1, 1});

    for (uint32_t bits = 16; bits <= 32; bits += 16) {
        for (size_t i = 0; i < COUNT_OF(row_counts); i++) {
            cairn_table *table;
            cairn_bound bound;
            cairn_cost most = bits == 16 ? 65534 : CAIRN_COST_MAX;
            assert_int_equal(cn_table_new(map, &heap, row_counts[i], bits, &table), CAIRN_OK);
            assert_int_equal(cairn_bound_to(map, table, 2, &bound), CAIRN_OK);
            for (uint32_t row = 0; row < row_counts[i]; row++) {
                cairn_table_set_cost(table, row, 0, most);
                cairn_table_set_cost(table, row, 2, most - 1000);
                assert_int_equal(cairn_bound_at(&bound, 0), 1000);
                cairn_table_set_cost(table, row, 0, 7);
                cairn_table_set_cost(table, row, 2, most);
                assert_int_equal(cairn_bound_at(&bound, 0), most - 7);
                cairn_table_set_cost(table, row, 0, 5);
                cairn_table_set_cost(table, row, 2, 5);
                assert_int_equal(cairn_bound_at(&bound, 0), 2);
            }
            cairn_table_free(table);
        }
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* How often the bounds by default are above those without coordinates; they are what `heuristic`
 * gives. */
static unsigned count_above_rows(const cairn_map *map, const cairn_table *table,
                                 cairn_heuristic heuristic)
{
    const uint32_t count = cairn_map_node_count(map);
    unsigned above = 0;
    for (cairn_node goal = 0; goal < count; goal++) {
        cairn_bound by_default, same, rows;
        assert_int_equal(cairn_bound_to(map, table, goal, &by_default), CAIRN_OK);
        assert_int_equal(cairn_bound_with(map, table, goal, heuristic, &same), CAIRN_OK);
        assert_int_equal(cairn_bound_with(map, table, goal, CAIRN_HEURISTIC_ZERO, &rows), CAIRN_OK);
        for (cairn_node node = 0; node < count; node++) {
            cairn_cost bound = cairn_bound_at(&by_default, node);
            assert_int_equal(bound, cairn_bound_at(&same, node));
            above += bound > cairn_bound_at(&rows, node);
        }
    }
    return above;
}

/* Nodes of a square, so that costs are about their distances. */
static cairn_map *square_graph(uint32_t side)
{
    picture drawn = picture_filled(side, side, '.');
    cairn_map *grid = map_of(&drawn, (cairn_metric){100, 142}), *map;
    cairn_arc arcs[8 * 100];
    int32_t x[100], y[100];
    size_t count = 0;
    for (cairn_node node = 0; node < side * side; node++) {
        x[node] = (int32_t)(node % side);
        y[node] = (int32_t)(node / side);
        count += cairn_steps(grid, node, arcs + count, 8);
    }
    assert_int_equal(cairn_map_from_arcs(side * side, arcs, count, x, y, NULL, &map, NULL),
                     CAIRN_OK);
    cairn_map_free(grid);
    picture_free(&drawn);
    return map;
}

/* The map keeps its version, so that bounds stay current. */
static void costs_that_a_call_undoes_change_no_bound(void **state)
{
    enum { SIDE = 10 };
    (void)state;
    cairn_map *map = square_graph(SIDE);
    const cairn_node goal = SIDE * SIDE - 1;
    cairn_arc steps[8];
    cairn_bound bound;
    assert_true(cairn_steps(map, 0, steps, 8) > 0);
    const cairn_edit undone[] = {cairn_arc_cost(0, steps[0].to, 1),
                                 cairn_arc_cost(0, steps[0].to, steps[0].cost)};

    assert_int_equal(cairn_bound_to(map, NULL, goal, &bound), CAIRN_OK);
    const cairn_cost before = cairn_bound_at(&bound, 0);
    assert_int_equal(cairn_map_edit(map, undone, 2), CAIRN_OK);
    assert_true(before > 0 && cairn_bound_is_current(&bound));
    assert_int_equal(cairn_bound_at(&bound, 0), before);
    assert_int_equal(cairn_map_edit(map, undone, 1), CAIRN_OK);
    assert_false(cairn_bound_is_current(&bound));
    assert_int_equal(cairn_bound_to(map, NULL, goal, &bound), CAIRN_OK);
    assert_true(cairn_bound_at(&bound, 0) < before);
    cairn_map_free(map);
}

static void coordinates_count_where_less_than_four_landmarks_are_in_use(void **state)
{
    (void)state;
    cairn_map *map = square_graph(10);
    const cairn_edit cheaper = cairn_arc_cost(0, 1, 50);
    assert_true(count_above_rows(map, NULL, CAIRN_HEURISTIC_EUCLIDEAN) > 0);
    for (uint32_t rows = 1; rows < 6; rows++) {
        cairn_table *table = table_of(map, rows);
        unsigned above = count_above_rows(
            map, table, rows < 4 ? CAIRN_HEURISTIC_EUCLIDEAN : CAIRN_HEURISTIC_ZERO);
        assert_int_equal(above > 0, rows < 4);
        cairn_table_free(table);
    }
    /* Rows that the edit made too high are in use by gates. */
    cairn_table *table = table_of(map, 5);
    assert_int_equal(cairn_map_edit(map, &cheaper, 1), CAIRN_OK);
    assert_int_equal(count_above_rows(map, table, CAIRN_HEURISTIC_ZERO), 0);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(count_above_rows(map, table, CAIRN_HEURISTIC_ZERO), 0);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* The search takes the same base heuristic: it expands as many nodes. */
static void searches_by_default_take_the_base_heuristic_of_bounds(void **state)
{
    (void)state;
    cairn_map *map = square_graph(10);
    for (uint32_t rows = 2; rows < 6; rows += 2) {
        cairn_table *table = table_of(map, rows);
        cairn_search_options same = {.size = sizeof same,
                                     .heuristic = rows < 4 ? CAIRN_HEURISTIC_EUCLIDEAN
                                                           : CAIRN_HEURISTIC_ZERO};
        cairn_search *by_default, *other;
        cairn_path path, expected;
        assert_int_equal(cairn_search_new(map, table, NULL, &by_default), CAIRN_OK);
        assert_int_equal(cairn_search_new(map, table, &same, &other), CAIRN_OK);
        for (cairn_node goal = 0; goal < 100; goal++) {
            assert_int_equal(cairn_search_run(by_default, 45, goal, &path), CAIRN_OK);
            assert_int_equal(cairn_search_run(other, 45, goal, &expected), CAIRN_OK);
            assert_int_equal(path.cost, expected.cost);
            assert_int_equal(path.expanded, expected.expanded);
        }
        cairn_search_free(by_default);
        cairn_search_free(other);
        cairn_table_free(table);
    }
    cairn_map_free(map);
}

static void misuse_is_answered_with_a_status(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, NULL, 2, &bound), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_bound_to(map, NULL, CAIRN_NO_NODE, &bound), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_bound_to(NULL, NULL, 0, &bound), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_bound_to(map, NULL, 0, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_heuristic_is_the_bound_without_a_table),
        cmocka_unit_test(a_landmark_at_the_end_of_a_corridor_makes_the_bound_exact),
        cmocka_unit_test(a_row_that_reaches_one_side_only_proves_that_there_is_no_path),
        cmocka_unit_test(the_largest_difference_of_any_row_is_the_bound),
        cmocka_unit_test(costs_that_a_call_undoes_change_no_bound),
        cmocka_unit_test(coordinates_count_where_less_than_four_landmarks_are_in_use),
        cmocka_unit_test(searches_by_default_take_the_base_heuristic_of_bounds),
        cmocka_unit_test(misuse_is_answered_with_a_status),
    };
    return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
