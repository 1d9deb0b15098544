#include "base/tasks.h"

#include <stdatomic.h>
#include <time.h>

#include "support/check.h"

enum { TASKS = 200 };

/* Assertions jump, which they must not do on a worker thread: tasks note, and tests check. */
typedef struct notes {
    atomic_int runs[TASKS];
    atomic_int busy[CN_THREADS_MAX];
    atomic_int shared_worker;
    atomic_int worker_too_high;
    atomic_int failed_later;
    unsigned thread_count;
    size_t fails_from;
} notes;

static notes *new_notes(unsigned thread_count, size_t fails_from)
{
    notes *seen = calloc(1, sizeof *seen);
    assert_non_null(seen);
    seen->thread_count = thread_count;
    seen->fails_from = fails_from;
    return seen;
}

static cairn_status note(void *context, size_t task, unsigned worker)
{
    notes *seen = context;
    if (worker >= seen->thread_count) {
        atomic_fetch_add(&seen->worker_too_high, 1);
        return CAIRN_OK;
    }
    if (atomic_fetch_add(&seen->busy[worker], 1) != 0)
        atomic_fetch_add(&seen->shared_worker, 1);
    atomic_fetch_add(&seen->runs[task], 1);
    atomic_fetch_sub(&seen->busy[worker], 1);
    if (task == seen->fails_from)
        return CAIRN_E_LIMIT;
    return task > seen->fails_from ? CAIRN_E_IO : CAIRN_OK;
}

static void every_task_runs_once_at_any_thread_count(void **state)
{
    (void)state;
    static const unsigned counts[] = {1, 2, 3, 8, CN_THREADS_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        notes *seen = new_notes(counts[i], SIZE_MAX);
        assert_int_equal(cn_tasks_run((cn_crew){.count = counts[i]}, TASKS, note, seen), CAIRN_OK);
        for (size_t task = 0; task < TASKS; task++)
            assert_int_equal(atomic_load(&seen->runs[task]), 1);
        assert_int_equal(atomic_load(&seen->shared_worker), 0);
        assert_int_equal(atomic_load(&seen->worker_too_high), 0);
        free(seen);
    }
}

static void no_tasks_is_no_work(void **state)
{
    (void)state;
    notes *seen = new_notes(2, 0);
    assert_int_equal(cn_tasks_run((cn_crew){.count = 2}, 0, note, seen), CAIRN_OK);
    assert_int_equal(atomic_load(&seen->runs[0]), 0);
    free(seen);
}

static void one_thread_stops_at_the_first_failure(void **state)
{
    (void)state;
    notes *seen = new_notes(1, 50);
    assert_int_equal(cn_tasks_run((cn_crew){.count = 1}, TASKS, note, seen), CAIRN_E_LIMIT);
    for (size_t task = 0; task < TASKS; task++)
        assert_int_equal(atomic_load(&seen->runs[task]), task <= 50);
    free(seen);
}

/* Fails late, after a task with a higher number has failed; not for ever, if there is none. */
static cairn_status fail_in_reverse(void *context, size_t task, unsigned worker)
{
    notes *seen = context;
    (void)worker;
    atomic_fetch_add(&seen->runs[task], 1);
    if (task < seen->fails_from)
        return CAIRN_OK;
    if (task > seen->fails_from) {
        atomic_store(&seen->failed_later, 1);
        return CAIRN_E_IO;
    }
    for (int i = 0; i < 2000 && !atomic_load(&seen->failed_later); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return CAIRN_E_LIMIT;
}

/* Tasks start in order, so whichever others fail as well, task 50 has run and is the lowest. */
static void the_failure_with_the_lowest_number_is_reported(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        notes *seen = new_notes(4, 50);
        assert_int_equal(cn_tasks_run((cn_crew){.count = 4}, TASKS, fail_in_reverse, seen),
                         CAIRN_E_LIMIT);
        for (size_t task = 0; task <= 50; task++)
            assert_int_equal(atomic_load(&seen->runs[task]), 1);
        free(seen);
    }
}

static void the_thread_count_is_never_more_than_tasks_or_the_limit(void **state)
{
    (void)state;
    assert_int_equal(cn_tasks_crew(NULL, 1, 100, CN_WORTH_THREADS).count, 1);
    assert_int_equal(cn_tasks_crew(NULL, 3, 100, CN_WORTH_THREADS).count, 3);
    assert_int_equal(cn_tasks_crew(NULL, 3, 2, CN_WORTH_THREADS).count, 2);
    assert_int_equal(cn_tasks_crew(NULL, 3, 0, CN_WORTH_THREADS).count, 1);
    assert_int_equal(cn_tasks_crew(NULL, 0, 0, CN_WORTH_THREADS).count, 1);
    assert_int_equal(cn_tasks_crew(NULL, UINT32_MAX, 100000, CN_WORTH_THREADS).count,
                     CN_THREADS_MAX);
    assert_in_range(cn_tasks_crew(NULL, 0, 100000, CN_WORTH_THREADS).count, 1, CN_THREADS_MAX);
    assert_int_equal(cn_tasks_crew(NULL, 0, 100000, 1000).count, 1);
    assert_int_equal(cn_tasks_crew(NULL, 3, 100000, 1000).count, 3);
}

enum { RUNS = 200, TURNS = 20, FINISHED = 1 };

/* `turns` is only accessed in the serial stage: the thread sanitizer would report a race. */
typedef struct runs {
    cn_pipeline *pipeline;
    unsigned turns;
    atomic_int holders;
    atomic_int held_by_two;
    atomic_int running;
    atomic_int ran_after_the_end;
    atomic_int ended;
} runs;

static bool take_turn(runs *seen)
{
    cn_pipeline_enter_serial(seen->pipeline);
    if (atomic_fetch_add(&seen->holders, 1) != 0)
        atomic_fetch_add(&seen->held_by_two, 1);
    bool is_left = seen->turns < TURNS;
    seen->turns += is_left;
    atomic_fetch_sub(&seen->holders, 1);
    cn_pipeline_exit_serial(seen->pipeline);
    return is_left;
}

static void own_runs(runs *seen)
{
    for (unsigned run = 0; run < RUNS; run++) {
        seen->turns = 0;
        cn_pipeline_start(seen->pipeline);
        while (take_turn(seen))
            continue;
        cn_pipeline_end(seen->pipeline);
        if (atomic_load(&seen->running) != 0)
            atomic_fetch_add(&seen->ran_after_the_end, 1);
        atomic_fetch_add(&seen->ended, seen->turns == TURNS);
    }
    cn_pipeline_close(seen->pipeline);
    cn_pipeline_raise(seen->pipeline, FINISHED);
}

static cairn_status run_all(void *context, size_t task, unsigned worker)
{
    runs *seen = context;
    uint64_t run = 0, before = 0;
    (void)task;

    if (worker == 0) {
        if (atomic_load(&seen->ended) == 0) /* else it has the task of one who came too late */
            own_runs(seen);
        return CAIRN_OK;
    }
    for (; cn_pipeline_join(seen->pipeline, &run); before = run) {
        atomic_fetch_add(&seen->running, 1);
        if (run <= before)
            atomic_fetch_add(&seen->ran_after_the_end, 1);
        while (take_turn(seen))
            continue;
        atomic_fetch_sub(&seen->running, 1);
        cn_pipeline_leave(seen->pipeline);
    }
    cn_pipeline_await(seen->pipeline, FINISHED);
    return CAIRN_OK;
}

static void one_thread_is_in_the_serial_stage_and_runs_end_when_all_have_left(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        runs seen = {.turns = 0};
        cn_mem mem = cn_mem_from(NULL);
        assert_int_equal(cn_pipeline_new(&mem, &seen.pipeline), CAIRN_OK);
        assert_int_equal(cn_tasks_run((cn_crew){.count = threads}, threads, run_all, &seen),
                         CAIRN_OK);
        assert_int_equal(atomic_load(&seen.held_by_two), 0);
        assert_int_equal(atomic_load(&seen.ran_after_the_end), 0);
        assert_int_equal(atomic_load(&seen.ended), RUNS);
        cn_pipeline_free(seen.pipeline);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_at_any_thread_count),
        cmocka_unit_test(no_tasks_is_no_work),
        cmocka_unit_test(one_thread_stops_at_the_first_failure),
        cmocka_unit_test(the_failure_with_the_lowest_number_is_reported),
        cmocka_unit_test(one_thread_is_in_the_serial_stage_and_runs_end_when_all_have_left),
        cmocka_unit_test(the_thread_count_is_never_more_than_tasks_or_the_limit),
    };
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
