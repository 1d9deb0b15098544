/* What `cairn advise` measures and what it makes of it. Searches of this program go through a wrap
 * (see CMakeLists.txt) that may make them wait as a busy machine would. */
#include <string.h>
#include <time.h>

#include "advise/advise.h"
#include "kit/clock.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { WAIT_MILLISECONDS = 5, QUERIES = 100, NODES_MAX = 20 * 20 };

static size_t wait_count;           /* searches that waited */
static size_t asks_from[NODES_MAX]; /* searches, by start */
static bool waits;

cairn_status __real_cairn_search_run(cairn_search *, cairn_node, cairn_node, cairn_path *);
cairn_status __wrap_cairn_search_run(cairn_search *, cairn_node, cairn_node, cairn_path *);

cairn_status __wrap_cairn_search_run(cairn_search *search, cairn_node start, cairn_node goal,
                                     cairn_path *path)
{
    const struct timespec pause = {.tv_nsec = WAIT_MILLISECONDS * 1000000L};
    asks_from[start]++;
    if (waits) {
        nanosleep(&pause, NULL);
        wait_count++;
    }
    return __real_cairn_search_run(search, start, goal, path);
}

static advice advice_on(const picture *drawn, uint32_t most)
{
    return (advice){.map_path = "a map",
                    .map = map_of(drawn, CAIRN_METRIC_OCTILE),
                    .query_limit = QUERIES,
                    .most = most,
                    .every = 1};
}

static void measure(advice *work)
{
    assert_int_equal(advice_draw(work), CAIRN_OK);
    assert_int_equal(advice_measure(work), CAIRN_OK);
}

static void release(advice *work)
{
    advice_free(work);
    cairn_map_free(work->map);
}

/* Waiting is as long as 5,000 such queries: a quarter of it would show. */
static void time_in_which_another_has_the_processor_is_no_search_time(void **state)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    picture drawn = picture_filled(20, 20, '.');
    advice work = advice_on(&drawn, 1);
    (void)state;
    waits = true;
    measure(&work);
    waits = false;
    assert_true(wait_count >= 2 * QUERIES);
    assert_true(work.base.mean_us < WAIT_MILLISECONDS * 1000 / 4);
    assert_true(work.trials[0].mean_us < WAIT_MILLISECONDS * 1000 / 4);
    release(&work);
    picture_free(&drawn);
#else
    (void)state;
    skip();
#endif
}

/* Whether the asks from each node are the same share of all as its queries are of all queries. */
static void assert_asked_alike(const advice *work)
{
    size_t queries_from[NODES_MAX] = {0}, asks = 0;
    for (size_t i = 0; i < work->query_count; i++)
        queries_from[work->queries[i].start]++;
    for (size_t node = 0; node < NODES_MAX; node++)
        asks += asks_from[node];
    assert_true(asks >= 2 * work->query_count);
    for (size_t node = 0; node < NODES_MAX; node++)
        assert_int_equal(asks_from[node] * work->query_count, asks * queries_from[node]);
}

/* Groups of any size, and fewer queries than groups. */
static void every_query_is_asked_as_often_as_any_other(void **state)
{
    static const uint32_t counts[] = {1, 7, 39, 40, 41, 100, 159};
    picture drawn = picture_filled(20, 20, '.');
    (void)state;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        advice work = advice_on(&drawn, 1);
        work.query_limit = counts[i];
        memset(asks_from, 0, sizeof asks_from);
        measure(&work);
        assert_int_equal(work.query_count, counts[i]);
        assert_asked_alike(&work);
        release(&work);
    }
    picture_free(&drawn);
}

/* In a chain of arcs no path leads back: each node is strongly connected with itself alone. */
static void pairs_follow_arcs_that_have_no_reverse(void **state)
{
    enum { NODES = 40 };
    cairn_arc arcs[NODES - 1];
    advice work = {.query_limit = QUERIES};
    size_t steps = 0;
    (void)state;
    for (cairn_node node = 0; node + 1 < NODES; node++)
        arcs[node] = (cairn_arc){.from = node, .to = node + 1, .cost = 1};
    assert_int_equal(cairn_map_from_arcs(NODES, arcs, NODES - 1, NULL, NULL, NULL, &work.map, NULL),
                     CAIRN_OK);
    assert_int_equal(advice_draw(&work), CAIRN_OK);
    assert_int_equal(work.query_count, QUERIES);
    for (size_t i = 0; i < work.query_count; i++) {
        assert_true(work.queries[i].start <= work.queries[i].goal);
        steps += work.queries[i].goal - work.queries[i].start;
    }
    assert_true(steps > 2 * QUERIES);
    release(&work);
}

/* On a uniform map the search without landmarks is that along jump points, as with them. */
static void landmarks_are_compared_with_the_search_that_the_library_takes_without(void **state)
{
    picture drawn = picture_filled(20, 20, '.');
    advice work = advice_on(&drawn, 1);
    (void)state;
    measure(&work);
    assert_int_equal(work.base.space, CAIRN_SPACE_JUMP);
    assert_int_equal(work.trials[0].space, CAIRN_SPACE_JUMP);
    release(&work);
    picture_free(&drawn);
}

/* Trials as they might have been measured. */
static advice measured(double ratio, double speedup, cairn_space space)
{
    advice work = {.query_count = 10, .trial_count = 2};
    work.base = (trial){.space = space, .mean_expanded = 100, .mean_us = 1};
    for (uint32_t i = 0; i < 2; i++)
        work.trials[i] = (trial){.landmark_count = 16 * (i + 1),
                                 .space = space,
                                 .mean_expanded = 100 / ratio,
                                 .mean_us = 1 / speedup,
                                 .memory = 1000 * (i + 1),
                                 .ratio = {ratio, ratio, ratio},
                                 .speedup = {speedup, speedup, speedup}};
    return work;
}

static void landmarks_that_do_not_speed_up_jump_points_are_said_not_to(void **state)
{
    advice jump = measured(3, 1.1, CAIRN_SPACE_JUMP), cells = measured(3, 0.9, CAIRN_SPACE_CELLS);
    (void)state;
    advice_choose(&jump);
    advice_choose(&cells);
    assert_null(jump.choice);
    assert_null(cells.choice);
    assert_string_equal(jump.sentence,
                        "Do not bother: landmarks hardly speed up jump points on this map: a query "
                        "takes 1.00 us without, and 0.91 us with 16, the fastest.");
    assert_non_null(strstr(cells.sentence, "do not speed up A* on this map"));
}

static void a_speed_that_no_table_has_is_said_with_the_fastest(void **state)
{
    advice work = measured(3, 2, CAIRN_SPACE_JUMP);
    (void)state;
    work.speedup = 1000;
    advice_choose(&work);
    assert_ptr_equal(work.choice, &work.trials[0]);
    assert_non_null(strstr(work.sentence, "No table is 1000 times as fast; the fastest has 16 "
                                          "landmarks: 3.00 times fewer expansions"));
}

static void nodes_without_landmarks_stand_beside_those_with_them(void **state)
{
    advice work = measured(1.1, 1.1, CAIRN_SPACE_JUMP);
    (void)state;
    advice_choose(&work);
    assert_non_null(strstr(work.sentence, "jump points expand 100 nodes a query without landmarks, "
                                          "and 90.9 with 32."));
}

static void fewer_landmarks_than_usual_say_nothing_about_more(void **state)
{
    advice work = measured(3, 1.1, CAIRN_SPACE_JUMP);
    (void)state;
    work.trial_count = 1;
    work.trials[0].landmark_count = 8;
    advice_choose(&work);
    assert_null(work.choice);
    assert_non_null(
        strstr(work.sentence, "So few are not worth it, more may be: landmarks hardly"));
}

static void landmarks_that_speed_up_jump_points_are_advised_over_them(void **state)
{
    advice work = measured(3, 2, CAIRN_SPACE_JUMP);
    (void)state;
    advice_choose(&work);
    assert_ptr_equal(work.choice, &work.trials[0]);
    assert_non_null(strstr(work.sentence, "2.00 times the speed of jump points without landmarks"));
}

/* Few rows fill one vector, whatever their number. */
static void more_landmarks_are_taken_where_they_take_no_more_memory(void **state)
{
    advice work = measured(3, 2, CAIRN_SPACE_JUMP);
    (void)state;
    work.trials[1].speedup.estimate = 2.1;
    advice_choose(&work);
    assert_ptr_equal(work.choice, &work.trials[0]);
    work.trials[1].memory = work.trials[0].memory;
    advice_choose(&work);
    assert_ptr_equal(work.choice, &work.trials[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_in_which_another_has_the_processor_is_no_search_time),
        cmocka_unit_test(every_query_is_asked_as_often_as_any_other),
        cmocka_unit_test(pairs_follow_arcs_that_have_no_reverse),
        cmocka_unit_test(landmarks_are_compared_with_the_search_that_the_library_takes_without),
        cmocka_unit_test(landmarks_that_do_not_speed_up_jump_points_are_said_not_to),
        cmocka_unit_test(a_speed_that_no_table_has_is_said_with_the_fastest),
        cmocka_unit_test(nodes_without_landmarks_stand_beside_those_with_them),
        cmocka_unit_test(fewer_landmarks_than_usual_say_nothing_about_more),
        cmocka_unit_test(landmarks_that_speed_up_jump_points_are_advised_over_them),
        cmocka_unit_test(more_landmarks_are_taken_where_they_take_no_more_memory),
    };
    return cmocka_run_group_tests_name("advise", tests, NULL, NULL);
}
