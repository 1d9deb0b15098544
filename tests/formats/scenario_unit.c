#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

static cairn_map *small_map(const cairn_allocator *allocator)
{
    picture drawn = PICTURE("....", ".@..", "....");
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, allocator);
    picture_free(&drawn);
    return map;
}

static void assert_reads(const char *text, size_t count)
{
    cairn_map *map = small_map(NULL);
    cairn_scenario *scenario;
    cairn_error error;

    assert_int_equal(cairn_scenario_parse(text, strlen(text), map, &scenario, &error), CAIRN_OK);
    assert_int_equal(cairn_scenario_count(scenario), count);
    if (count == 2) {
        const cairn_query *queries = cairn_scenario_queries(scenario);
        assert_int_equal(queries[0].bucket, 0);
        assert_int_equal(queries[0].start, 1);
        assert_int_equal(queries[0].goal, 11);
        assert_true(queries[0].length > 2.82842 && queries[0].length < 2.82843);
        assert_int_equal(queries[1].bucket, 12);
        assert_int_equal(queries[1].start, 4);
        assert_int_equal(queries[1].goal, 5);
        assert_true(queries[1].length == 0.0);
    }
    cairn_scenario_free(scenario);
    cairn_map_free(map);
}

static void queries_come_in_file_order_with_any_line_ends(void **state)
{
    (void)state;
    assert_reads("version 1\n0\tmaps/a/b.map\t4\t3\t1\t0\t3\t2\t2.82842712\n"
                 "12\tb.map\t4\t3\t0\t1\t1\t1\t0\n",
                 2);
    assert_reads("version 1.0\r\n0\tb.map\t4\t3\t1\t0\t3\t2\t2.82842712\r\n"
                 "12\tb.map\t4\t3\t0\t1\t1\t1\t0.0",
                 2);
    assert_reads("0 b.map 4 3 1 0 3 2 2.82842712\n\n12 b.map 4 3 0 1 1 1 0\n\n", 2);
}

static void a_scenario_may_be_empty(void **state)
{
    (void)state;
    assert_reads("version 1\n", 0);
    assert_reads("", 0);
}

typedef struct broken {
    const char *text;
    uint64_t line;
} broken;

static void a_broken_line_is_refused_with_its_number(void **state)
{
    (void)state;
    static const broken examples[] = {
        {"version 2\n", 1},
        {"version\n", 1},
        {"version 1\nx\tb.map\t4\t3\t1\t0\t3\t2\t2.8\n", 2},
        {"version 1\n-1\tb.map\t4\t3\t1\t0\t3\t2\t2.8\n", 2},
        {"0\n", 1},
        {"0\tb.map\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t2\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t2\t2.8\textra\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t2\tfar\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t2\t-2.8\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t2\tnan\n", 1},
        {"0\tb.map\t5\t3\t1\t0\t3\t2\t2.8\n", 1},
        {"0\tb.map\t4\t4\t1\t0\t3\t2\t2.8\n", 1},
        {"0\tb.map\t4\t3\t4\t0\t3\t2\t2.8\n", 1},
        {"0\tb.map\t4\t3\t1\t3\t3\t2\t2.8\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t-1\t2\t2.8\n", 1},
        {"0\tb.map\t4\t3\t1\t0\t3\t4294967298\t2.8\n", 1},
        {"version 1\n\n0\tb.map\t4\t3\t1\t0\t3\t2\t2.8\nversion 1\n", 4},
    };
    cairn_map *map = small_map(NULL);
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        const char *text = examples[i].text;
        cairn_scenario *scenario = (cairn_scenario *)"";
        cairn_error error;
        assert_int_equal(cairn_scenario_parse(text, strlen(text), map, &scenario, &error),
                         CAIRN_E_FORMAT);
        assert_int_equal(error.line, examples[i].line);
        assert_non_null(error.expected);
        assert_null(scenario);
    }
    cairn_map_free(map);
}

static void misuse_is_answered_with_a_status(void **state)
{
    (void)state;
    cairn_map *map = small_map(NULL);
    cairn_scenario *scenario;
    assert_int_equal(cairn_scenario_parse("", 0, NULL, &scenario, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_scenario_parse("", 0, map, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_scenario_parse(NULL, 9, map, &scenario, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_scenario_load("/no/such.scen", map, &scenario, NULL), CAIRN_E_IO);
    assert_null(scenario);
    cairn_scenario_free(NULL);
    cairn_map_free(map);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = small_map(&failing.allocator);
    size_t before = atomic_load(&failing.outstanding);
    char text[100 * 32] = "";
    for (int i = 0; i < 99; i++)
        strcat(text, "0 b.map 4 3 1 0 3 2 2.8284\n");

    for (size_t n = 1;; n++) {
        cairn_scenario *scenario = (cairn_scenario *)"";
        cairn_error error;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_scenario_parse(text, strlen(text), map, &scenario, &error);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_int_equal(cairn_scenario_count(scenario), 99);
            assert_true(n > 2);
            cairn_scenario_free(scenario);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
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
        cmocka_unit_test(a_scenario_may_be_empty),
        cmocka_unit_test(a_broken_line_is_refused_with_its_number),
        cmocka_unit_test(misuse_is_answered_with_a_status),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
