/* Queries on graphs, in the .p2p format of the DIMACS challenge. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/twin.h"

static cairn_map *small_graph(const cairn_allocator *allocator)
{
    static const char text[] = "p sp 4 3\na 1 2 3\na 2 3 4\na 3 4 5\n";
    const cairn_map_options options = {.size = sizeof options, .allocator = allocator};
    cairn_map *map;
    assert_int_equal(cairn_map_parse(text, sizeof text - 1, &options, &map, NULL), CAIRN_OK);
    return map;
}

static void assert_reads(const char *text, size_t count)
{
    cairn_map *map = small_graph(NULL);
    cairn_scenario *scenario;
    cairn_error error;

    assert_int_equal(cairn_scenario_parse(text, strlen(text), map, &scenario, &error), CAIRN_OK);
    assert_int_equal(cairn_scenario_count(scenario), count);
    if (count == 2) {
        const cairn_query *queries = cairn_scenario_queries(scenario);
        assert_int_equal(queries[0].start, 0);
        assert_int_equal(queries[0].goal, 3);
        assert_int_equal(queries[1].start, 2);
        assert_int_equal(queries[1].goal, 2);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(queries[i].bucket, 0);
            assert_true(queries[i].length == CAIRN_LENGTH_NONE);
        }
    }
    cairn_scenario_free(scenario);
    cairn_map_free(map);
}

static void queries_come_in_file_order_with_any_line_ends(void **state)
{
    (void)state;
    assert_reads("p aux sp p2p 2\nq 1 4\nq 3 3\n", 2);
    assert_reads("c of\tus\r\n\r\np  aux sp p2p 2 \r\nc\r\nq 1\t4\r\n q 3 3", 2);
    assert_reads("\xef\xbb\xbf"
                 "c\np aux sp p2p 2\nq 1 4\n\n\nq 3 3\nc the end\n\x1a",
                 2);
}

static void there_may_be_no_query(void **state)
{
    (void)state;
    assert_reads("p aux sp p2p 0\n", 0);
    assert_reads("p aux sp p2p 0\nc none", 0);
}

static void a_graph_by_callbacks_has_queries_too(void **state)
{
    (void)state;
    static const char text[] = "p aux sp p2p 1\nq 20 1\n";
    twin both = twin_callback_graph(3, 20, 50, false);
    cairn_scenario *scenario;
    assert_int_equal(cairn_scenario_parse(text, sizeof text - 1, both.map, &scenario, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_scenario_queries(scenario)->start, 19);
    assert_int_equal(cairn_scenario_queries(scenario)->goal, 0);
    cairn_scenario_free(scenario);
    twin_free(&both);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] = "p aux sp p2p 2\nq 1 4\nq 3 3\n";
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = small_graph(&failing.allocator);
    size_t before = atomic_load(&failing.outstanding);

    for (size_t n = 1;; n++) {
        cairn_scenario *scenario = (cairn_scenario *)"";
        cairn_error error;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_scenario_parse(text, sizeof text - 1, map, &scenario, &error);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_int_equal(n, 3);
            cairn_scenario_free(scenario);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_int_equal(error.status, CAIRN_E_MEMORY);
        assert_null(scenario);
        assert_int_equal(atomic_load(&failing.outstanding), before);
    }
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_come_in_file_order_with_any_line_ends),
        cmocka_unit_test(there_may_be_no_query),
        cmocka_unit_test(a_graph_by_callbacks_has_queries_too),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("queries on roads", tests, NULL, NULL);
}
