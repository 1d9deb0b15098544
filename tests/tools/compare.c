/* What `cairn compare` measures. Searches of this program go through a wrap (see CMakeLists.txt)
 * that makes them wait as a busy machine would. */
#include <stdlib.h>
#include <time.h>

#include "compare/compare.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { WAIT_MILLISECONDS = 5, QUERIES = 10 };

static size_t wait_count;

cairn_status __real_cairn_search_run(cairn_search *, cairn_node, cairn_node, cairn_path *);
cairn_status __wrap_cairn_search_run(cairn_search *, cairn_node, cairn_node, cairn_path *);

cairn_status __wrap_cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                                     cairn_path *path)
{
    const struct timespec pause = {.tv_nsec = WAIT_MILLISECONDS * 1000000L};
    nanosleep(&pause, NULL);
    wait_count++;
    return __real_cairn_search_run(search, start, goal, path);
}

static comparison comparison_on(const cairn_map *map, const cairn_table *table)
{
    comparison work = {.map = map, .tables = {table}, .table_count = 1, .query_count = QUERIES};
    work.table_paths[0] = "a.cairn";
    work.stride = 1;
    work.edits_path = "edits"; /* lengths are not published */
    work.queries = calloc(QUERIES, sizeof *work.queries);
    work.numbers = calloc(QUERIES, sizeof *work.numbers);
    work.wrong = calloc(QUERIES, sizeof *work.wrong);
    for (cairn_node i = 0; i < QUERIES; i++)
        work.queries[i] = (cairn_query){.start = i, .goal = 399 - i};
    return work;
}

/* Waiting is as long as hundreds of such queries: a quarter of it would show. */
static void time_in_which_another_has_the_processor_is_no_search_time(void **state)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    picture drawn = picture_filled(20, 20, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 1);
    comparison work = comparison_on(map, table);
    (void)state;
    assert_int_equal(comparison_add_searches(&work, false, 1u << CAIRN_SPACE_CELLS), CAIRN_OK);
    assert_int_equal(comparison_run(&work), CAIRN_OK);
    assert_true(wait_count >= 2 * QUERIES);
    assert_int_equal(work.wrong_costs, 0);
    for (size_t i = 0; i < work.search_count; i++) {
        const totals sum = comparison_totals(&work.searches[i], 0, QUERIES);
        assert_true(sum.time_us > 0);
        assert_true(sum.time_us < QUERIES * WAIT_MILLISECONDS * 1000 / 4);
    }
    comparison_free(&work);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
#else
    (void)state;
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_in_which_another_has_the_processor_is_no_search_time),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
