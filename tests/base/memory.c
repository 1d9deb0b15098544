/* The whole way from a map file to a path, with each allocation failing in turn. */
#include <unistd.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

typedef struct journey {
    failing_allocator failing;
    const char *map_path;
    const char *table_path;
    uint32_t thread_count;
    cairn_metric_choice metric;
    cairn_metric step_metric;
    cairn_map *map;
    cairn_table *table;
    cairn_map *map_again;
    cairn_table *table_again;
    cairn_search *search;
    cairn_path path;
    const char *stage;
} journey;

static cairn_status load_map(journey *way)
{
    cairn_map_options options = {.size = sizeof options, .allocator = &way->failing.allocator};
    cairn_error error;
    way->map = (cairn_map *)"";
    return cairn_map_load(way->map_path, &options, &way->map, &error);
}

static cairn_status build(journey *way)
{
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = 5,
                                   .thread_count = way->thread_count,
                                   .metric = way->metric,
                                   .step_metric = way->step_metric};
    way->table = (cairn_table *)"";
    return cairn_table_build(way->map, &options, &way->table);
}

static cairn_status save(journey *way)
{
    cairn_save_options options = {.size = sizeof options, .thread_count = way->thread_count};
    return cairn_save(way->map, way->table, way->table_path, &options);
}

static cairn_status load(journey *way)
{
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = way->thread_count,
                                  .allocator = &way->failing.allocator};
    cairn_error error;
    way->map_again = (cairn_map *)"";
    way->table_again = (cairn_table *)"";
    return cairn_load(way->table_path, &options, &way->map_again, &way->table_again, &error);
}

static cairn_status find(journey *way)
{
    way->search = (cairn_search *)"";
    cairn_status status = cairn_search_new(way->map_again, way->table_again, NULL, &way->search);
    if (status != CAIRN_OK)
        return status;
    return cairn_search_run(way->search, 0, cairn_map_node_count(way->map) - 1, &way->path);
}

/* Stops at the first failure, as a program would. */
static cairn_status travel(journey *way)
{
    static const struct {
        const char *name;
        cairn_status (*run)(journey *);
    } stages[] = {
        {"map", load_map}, {"build", build}, {"save", save}, {"load", load}, {"search", find}};
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < COUNT_OF(stages); i++) {
        way->stage = stages[i].name;
        status = stages[i].run(way);
    }
    return status;
}

static void assert_nothing_was_handed_out(const journey *way)
{
    if (strcmp(way->stage, "map") == 0)
        assert_null(way->map);
    if (strcmp(way->stage, "build") == 0)
        assert_null(way->table);
    if (strcmp(way->stage, "save") == 0)
        assert_int_not_equal(access(way->table_path, F_OK), 0);
    if (strcmp(way->stage, "load") == 0) {
        assert_null(way->map_again);
        assert_null(way->table_again);
    }
}

static void go_home(journey *way)
{
    cairn_search_free(way->search);
    cairn_table_free(way->table_again);
    cairn_map_free(way->map_again);
    cairn_table_free(way->table);
    cairn_map_free(way->map);
    unlink(way->table_path);
    assert_int_equal(atomic_load(&way->failing.outstanding), 0);
}

static void write_map(const picture *drawn, const char *path)
{
    size_t size;
    char *text = picture_text(drawn, "\n", &size);
    write_file(path, text, size);
    free(text);
}

static void fail_each_in_turn(uint32_t thread_count, cairn_metric_choice metric,
                              cairn_metric step_metric)
{
    picture drawn = random_map(MAP_SPARSE, 60, 50, 3);
    char *map_path = scratch_file("any.map"), *table_path = scratch_file("any.cairn");
    bool failed[5] = {false};
    static const char *const names[] = {"map", "build", "save", "load", "search"};

    drawn.letters[0] = drawn.letters[picture_size(&drawn) - 1] = '.';
    write_map(&drawn, map_path);
    for (size_t n = 1;; n++) {
        journey way = {.map_path = map_path,
                       .table_path = table_path,
                       .thread_count = thread_count,
                       .metric = metric,
                       .step_metric = step_metric};
        failing_allocator_init(&way.failing);
        failing_allocator_arm(&way.failing, n);
        cairn_status status = travel(&way);
        bool struck = failing_allocator_struck(&way.failing);
        if (status != (struck ? CAIRN_E_MEMORY : CAIRN_OK))
            print_error("allocation %u, %s: status %d\n", (unsigned)n, way.stage, (int)status);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        for (size_t i = 0; struck && i < COUNT_OF(names); i++)
            failed[i] = failed[i] || strcmp(names[i], way.stage) == 0;
        if (struck)
            assert_nothing_was_handed_out(&way);
        go_home(&way);
        if (!struck)
            break;
    }
    for (size_t i = 0; i < COUNT_OF(failed); i++)
        assert_true(failed[i]);
    scratch_remove(map_path);
    scratch_remove(table_path);
    picture_free(&drawn);
}

static void every_allocation_may_fail_on_one_thread(void **state)
{
    (void)state;
    fail_each_in_turn(1, CAIRN_METRIC_OF_MAP, (cairn_metric){0, 0});
}

static void every_allocation_may_fail_on_two_threads(void **state)
{
    (void)state;
    fail_each_in_turn(2, CAIRN_METRIC_OF_MAP, (cairn_metric){0, 0});
}

static void every_allocation_may_fail_in_the_compact_metric(void **state)
{
    (void)state;
    fail_each_in_turn(1, CAIRN_METRIC_COMPACT, (cairn_metric){0, 0});
}

static void every_allocation_may_fail_where_rows_count_steps(void **state)
{
    (void)state;
    fail_each_in_turn(1, CAIRN_METRIC_OF_MAP, (cairn_metric){1, 1});
}

/* Rows without an entry, which are flooded for the file, are kept raw, since that is no larger. */
static void every_allocation_may_fail_while_nothing_is_packed(void **state)
{
    cairn_build_options options = {.size = sizeof options,
                                   .thread_count = 1,
                                   .landmark_count = 1,
                                   .resident = CAIRN_RESIDENT_CORNERS};
    failing_allocator failing;
    cairn_map_options described = {.size = sizeof described, .allocator = &failing.allocator};
    cairn_status status = CAIRN_E_MEMORY;
    cairn_map *map;
    cairn_table *table;

    (void)state;
    failing_allocator_init(&failing);
    assert_int_equal(cairn_map_from_letters(1, 1, "@", &described, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    for (size_t n = 1; status != CAIRN_OK; n++) {
        uint8_t *bytes;
        size_t size;
        failing_allocator_arm(&failing, n);
        status = cairn_save_bytes(map, table, NULL, &bytes, &size);
        assert_int_equal(status, failing_allocator_struck(&failing) ? CAIRN_E_MEMORY : CAIRN_OK);
        if (status == CAIRN_OK)
            cairn_bytes_free(map, bytes);
    }
    cairn_table_free(table);
    cairn_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_on_one_thread),
        cmocka_unit_test(every_allocation_may_fail_on_two_threads),
        cmocka_unit_test(every_allocation_may_fail_in_the_compact_metric),
        cmocka_unit_test(every_allocation_may_fail_where_rows_count_steps),
        cmocka_unit_test(every_allocation_may_fail_while_nothing_is_packed),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
