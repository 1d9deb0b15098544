/*
 * Many tables: maps do not depend on one another, so each thread takes the largest that is left and
 * builds it alone; only a map that is most of the work gets several threads of its own. A thread
 * that waits for the disk leaves its turn to another one.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "kit/clock.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/system.h"

/* Files that are flushed at the same time share what a disk does for each, so there are many; but
 * they hold maps in memory, no more together than a few of the largest. */
enum { THREADS_MAX = 64, WRITERS_MAX = 32, LARGEST_WRITTEN = 4, PROBLEM_MAX = 1024 };

typedef struct crew crew;

/* A thread. */
typedef struct worker {
    crew *all;
    kit_thread thread;
    bool is_started;
    bool has_turn;         /* may compute */
    atomic_bool writes;    /* a temporary file of the library may be there */
    uint64_t written;      /* weight of its task while that is written, without a turn */
    atomic_uint rows_done; /* of the map at hand */
    atomic_uint row_count;
    atomic_uint_least64_t weight;
} worker;

struct crew {
    const build_settings *set;
    build_list *list;
    void (*work)(worker *own, build_task *task);
    build_task **tasks; /* the largest first */
    size_t task_count;
    unsigned thread_count; /* that compute at once */
    unsigned worker_count;
    worker workers[THREADS_MAX + WRITERS_MAX];

    /* Guarded by the lock. */
    kit_mutex lock;
    kit_condition is_over;
    kit_condition turn_is_free; /* or no task is left */
    unsigned turns;             /* that are free */
    uint64_t written;           /* of all workers */
    unsigned busy;              /* workers */
    size_t next;
    size_t done;
    uint64_t weight_done;
    uint64_t weight; /* of all tasks */
    double started;
};

/* ---------------------------------------------------------------------------- the crew -- */

/* With the lock. */
static bool is_task_left(const crew *all)
{
    return all->next < all->task_count && !kit_interrupted();
}

/* With the lock. */
static bool writes_much(const crew *all)
{
    return all->written / LARGEST_WRITTEN > all->tasks[0]->weight;
}

/* Waits for a turn as long as there is something to do. With the lock. */
static void take_turn(worker *own)
{
    const double between_seconds = 1;
    crew *all = own->all;
    while (!own->has_turn && is_task_left(all)) {
        own->has_turn = all->turns > 0 && !writes_much(all);
        if (own->has_turn)
            all->turns--;
        else
            kit_condition_wait(&all->turn_is_free, &all->lock, between_seconds);
    }
}

/* `written`: the weight of a task whose table is being written from now on. */
static void leave_turn(worker *own, uint64_t written)
{
    crew *all = own->all;
    kit_mutex_lock(&all->lock);
    all->turns += own->has_turn;
    own->has_turn = false;
    own->written = written;
    all->written += written;
    kit_condition_wake(&all->turn_is_free);
    kit_mutex_unlock(&all->lock);
}

static build_task *take_task(worker *own, build_task *finished)
{
    crew *all = own->all;
    build_task *task = NULL;

    kit_mutex_lock(&all->lock);
    if (finished) {
        all->done++;
        all->weight_done += finished->weight;
        all->written -= own->written;
        own->written = 0;
        kit_condition_wake(&all->turn_is_free);
        atomic_store(&own->row_count, 0);
    }
    take_turn(own);
    if (is_task_left(all))
        task = all->tasks[all->next++];
    if (!is_task_left(all))
        kit_condition_wake(&all->turn_is_free);
    kit_mutex_unlock(&all->lock);
    return task;
}

static void work(worker *own)
{
    crew *all = own->all;

    for (build_task *task = NULL; (task = take_task(own, task));)
        all->work(own, task);
    leave_turn(own, 0);
    kit_mutex_lock(&all->lock);
    all->busy--;
    kit_condition_wake(&all->is_over);
    kit_mutex_unlock(&all->lock);
}

static void work_aside(void *own)
{
    kit_progress_leave_out();
    work(own);
}

/* What is done, the rows of maps that are not finished yet included. With the lock. */
static uint64_t weight_done(crew *all)
{
    uint64_t sum = all->weight_done;
    for (unsigned i = 0; i < all->worker_count; i++) {
        worker *own = &all->workers[i];
        unsigned count = atomic_load(&own->row_count);
        if (count)
            sum += atomic_load(&own->weight) / count * atomic_load(&own->rows_done);
    }
    return sum < all->weight ? sum : all->weight;
}

/* "37 of 300, 1:20 left": the time by what the work so far took. With the lock. */
static void show(crew *all)
{
    char part[80], left[40] = "";
    uint64_t done = weight_done(all);
    double elapsed = kit_now() - all->started;
    double share = all->weight ? (double)done / (double)all->weight : 0;

    if (share > 0) {
        unsigned long seconds = (unsigned long)(elapsed * (1 - share) / share + 0.5);
        snprintf(left, sizeof left, ", %lu:%02lu left", seconds / 60, seconds % 60);
    }
    snprintf(part, sizeof part, "%zu of %zu%s", all->done, all->task_count, left);
    kit_progress_step(part, done, all->weight);
}

static bool is_writing(crew *all)
{
    unsigned i = 0;
    while (i < all->worker_count && !atomic_load(&all->workers[i].writes))
        i++;
    return i < all->worker_count;
}

/* Where a signal ends the program, threads that compute need not be waited for: those that write
 * remove their files first. */
static bool wait_for_all(crew *all)
{
    const double between_seconds = 0.1;
    kit_mutex_lock(&all->lock);
    while (all->busy > 0 && (!kit_interrupted() || is_writing(all))) {
        show(all);
        kit_condition_wait(&all->is_over, &all->lock, between_seconds);
    }
    const bool is_over = all->busy == 0;
    if (is_over)
        show(all);
    kit_mutex_unlock(&all->lock);
    return is_over;
}

/* Where no thread can be started, this one does the work. False: a signal ended it before the
 * threads did. */
static bool run(crew *all, void (*with)(worker *own, build_task *task))
{
    all->work = with;
    all->next = all->done = 0;
    all->weight_done = 0;
    all->started = kit_now();
    all->turns = all->thread_count;
    all->busy = all->worker_count;
    for (unsigned i = 0; i < all->worker_count; i++) {
        worker *own = &all->workers[i];
        own->all = all;
        own->is_started = kit_thread_start(&own->thread, work_aside, own);
    }
    for (unsigned i = 0; i < all->worker_count; i++)
        if (!all->workers[i].is_started)
            work(&all->workers[i]);
    if (!wait_for_all(all))
        return false;
    for (unsigned i = 0; i < all->worker_count; i++)
        if (all->workers[i].is_started)
            kit_thread_join(&all->workers[i].thread);
    return true;
}

/* ---------------------------------------------------------------------------- the tasks -- */

/* The report may be written while threads compute. */
static void settle(worker *own, build_task *task, build_state state)
{
    kit_mutex_lock(&own->all->lock);
    task->state = state;
    atomic_store(&own->writes, false);
    kit_mutex_unlock(&own->all->lock);
}

/* The stamp is that of the file as it is before it is loaded: should it change meanwhile, the next
 * call finds another one and builds the table again. */
static void check_task(worker *own, build_task *task)
{
    const crew *all = own->all;
    cairn_outline outline;

    task->stamp = build_stamp(all->list->options, task->map_path);
    if (task->stamp && !all->set->is_forced &&
        cairn_outline_load(task->table_path, &outline, NULL) == CAIRN_OK &&
        outline.stamp == task->stamp) {
        task->file_size = kit_file_size(task->table_path);
        settle(own, task, BUILD_FRESH);
    }
}

static bool hear(void *context, const char *part, uint64_t done, uint64_t total)
{
    worker *own = context;
    if (strcmp(part, "rows") == 0) {
        atomic_store(&own->rows_done, (unsigned)done);
        atomic_store(&own->row_count, (unsigned)total);
    }
    if (strcmp(part, "write") == 0)
        atomic_store(&own->writes, true);
    if (own->has_turn && atomic_load(&own->writes))
        leave_turn(own, atomic_load(&own->weight));
    return !kit_interrupted();
}

/* Threads for a map by its share of the work. */
static uint32_t threads_for(const crew *all, const build_task *task)
{
    if (all->task_count == 1)
        return all->set->thread_count;
    double share = all->weight ? (double)task->weight / (double)all->weight : 0;
    uint32_t count = (uint32_t)(share * all->thread_count + 0.5);
    return count ? count : 1;
}

static void open_line(kit_json *json, const build_task *task, const char *state)
{
    *json = (kit_json){.file = stdout, .is_line = true};
    kit_json_open(json, NULL, '{');
    kit_json_text(json, "map", task->map_path);
    kit_json_text(json, "table", task->table_path);
    kit_json_text(json, "state", state);
}

/* A line of JSON as soon as a map is done. */
static void print_line(const crew *all, const build_task *task, const build_job *job,
                       const char *problem)
{
    kit_json json;
    kit_progress_hold();
    open_line(&json, task, task->state == BUILD_DONE ? "built" : "failed");
    if (task->state == BUILD_DONE)
        build_json_members(&json, all->set, job);
    else
        kit_json_text(&json, "error", problem);
    kit_json_close(&json, '}');
    fflush(stdout);
    kit_progress_release();
}

static void build_task_table(worker *own, build_task *task)
{
    const crew *all = own->all;
    const cairn_progress progress = {.report = hear, .context = own};
    char problem[PROBLEM_MAX];
    build_job job = {.map_path = task->map_path,
                     .table_path = task->table_path,
                     .stamp = task->stamp,
                     .thread_count = threads_for(all, task),
                     .progress = &progress,
                     .is_one_of_many = true};

    atomic_store(&own->weight, task->weight);
    kit_complaints_kept(problem, sizeof problem);
    int code = build_one(all->set, &job);
    kit_complaints_kept(NULL, 0);
    settle(own, task,
           code == KIT_EXIT_OK                ? BUILD_DONE
           : !kit_interrupted() || problem[0] ? BUILD_FAILED
                                              : BUILD_WAITS);
    task->file_size = job.file_size;
    if (all->set->json && task->state != BUILD_WAITS)
        print_line(all, task, &job, problem);
    cairn_map_free(job.map);
}

static int by_weight(const void *left, const void *right)
{
    const build_task *const *a = left, *const *b = right;
    if ((*a)->weight != (*b)->weight)
        return (*a)->weight > (*b)->weight ? -1 : 1;
    return (*a > *b) - (*a < *b);
}

/* The tasks that wait, the largest first. */
static void line_up(crew *all)
{
    unsigned threads = all->set->thread_count;

    all->task_count = 0;
    all->weight = 0;
    for (size_t i = 0; i < all->list->count; i++) {
        build_task *task = &all->list->tasks[i];
        if (task->state != BUILD_WAITS)
            continue;
        all->tasks[all->task_count++] = task;
        all->weight += task->weight;
    }
    qsort(all->tasks, all->task_count, sizeof *all->tasks, by_weight);
    if (threads == 0)
        threads = kit_processor_count();
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    unsigned workers = threads + WRITERS_MAX;
    all->thread_count = threads < all->task_count ? threads : (unsigned)all->task_count;
    all->worker_count = workers < all->task_count ? workers : (unsigned)all->task_count;
}

/* --------------------------------------------------------------------------- the report -- */

typedef struct counts {
    size_t of[BUILD_FAILED + 1]; /* by state */
    uint64_t bytes;
} counts;

static counts count_tasks(const build_list *list)
{
    counts all = {{0}, 0};
    for (size_t i = 0; i < list->count; i++) {
        all.of[list->tasks[i].state]++;
        all.bytes += list->tasks[i].file_size;
    }
    return all;
}

static void print_fresh(const build_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        kit_json json;
        if (list->tasks[i].state != BUILD_FRESH)
            continue;
        open_line(&json, &list->tasks[i], "up to date");
        kit_json_count(&json, "file_bytes", list->tasks[i].file_size);
        kit_json_close(&json, '}');
    }
}

static void print_summary(const crew *all, const counts *found, double seconds)
{
    size_t count = all->list->count, ready = found->of[BUILD_DONE] + found->of[BUILD_FRESH];
    printf("maps    %s: %s built, %s up to date, %s failed\n", kit_count(count).text,
           kit_count(found->of[BUILD_DONE]).text, kit_count(found->of[BUILD_FRESH]).text,
           kit_count(found->of[BUILD_FAILED]).text);
    const char *only = count == 1 && ready == 1 ? all->list->tasks[0].table_path : NULL;
    printf("tables  %s, %s bytes\n", only ? only : kit_count(ready).text,
           kit_count(found->bytes).text);
    if (found->of[BUILD_DONE])
        printf("time    %s on %u thread%s\n", kit_seconds(seconds).text, all->thread_count,
               kit_plural(all->thread_count));
    else
        printf("time    %s\n", kit_seconds(seconds).text);
}

static void name_failures(const build_list *list, const counts *found)
{
    size_t failed = found->of[BUILD_FAILED];
    if (failed == 0)
        return;
    kit_complain("build: no table of %s of %s map%s:", kit_count(failed).text,
                 kit_count(list->count).text, kit_plural(list->count));
    for (size_t i = 0; i < list->count; i++)
        if (list->tasks[i].state == BUILD_FAILED)
            kit_complain("  %s", list->tasks[i].map_path);
}

static int report(crew *all, double seconds)
{
    kit_mutex_lock(&all->lock);
    const counts found = count_tasks(all->list);
    kit_mutex_unlock(&all->lock);
    if (kit_interrupted())
        kit_complain("build: interrupted: %s of %s maps have their tables; the same call goes on "
                     "with the others",
                     kit_count(found.of[BUILD_DONE] + found.of[BUILD_FRESH]).text,
                     kit_count(all->list->count).text);
    else if (!all->set->json)
        print_summary(all, &found, seconds);
    name_failures(all->list, &found);
    return found.of[BUILD_FAILED] ? KIT_EXIT_IO : KIT_EXIT_OK;
}

/* ----------------------------------------------------------------------------- the call -- */

static void build_waiting(crew *all)
{
    kit_progress_begin("checking");
    line_up(all);
    if (run(all, check_task)) {
        kit_progress_begin("maps");
        line_up(all);
        if (all->set->json)
            print_fresh(all->list);
        run(all, build_task_table);
    }
    kit_progress_end();
}

static int build_list_of(const build_settings *set, build_list *list)
{
    double started = kit_now();
    crew *all = calloc(1, sizeof *all);
    build_task **tasks = calloc(list->count, sizeof *tasks);
    int code = KIT_EXIT_OK;

    if (all && tasks) {
        all->set = set;
        all->list = list;
        all->tasks = tasks;
        kit_mutex_init(&all->lock);
        kit_condition_init(&all->is_over);
        kit_condition_init(&all->turn_is_free);
        kit_interrupt_hold();
        build_waiting(all);
        code = report(all, kit_now() - started);
        kit_interrupt_release();
        kit_condition_free(&all->turn_is_free);
        kit_condition_free(&all->is_over);
        kit_mutex_free(&all->lock);
    } else {
        code = kit_fail("build", CAIRN_E_MEMORY);
    }
    free(tasks);
    free(all);
    return code;
}

/* Options whose files are read for every map, and for the hash that tells which tables are up to
 * date; complains. */
static void look_for_pipes(void *context, const char *path)
{
    bool *found = context;
    if (*found || !kit_is_pipe(path))
        return;
    kit_complain("build: %s is read for every map and for its table's hash; expected a file, found "
                 "a pipe or a device",
                 path);
    *found = true;
}

int build_many(const build_settings *set)
{
    build_list list;
    bool has_pipe = false;
    build_visit_files(set, look_for_pipes, &has_pipe);
    int code = has_pipe ? KIT_EXIT_USAGE : kit_map_choice_check(&set->map);
    if (code != KIT_EXIT_OK)
        return code;
    code = build_list_take(&list, set);
    if (code == KIT_EXIT_OK && !kit_output_is_possible(set->depfile_path))
        code = KIT_EXIT_IO;
    if (code == KIT_EXIT_OK) {
        list.options = build_stamp_options(set);
        code = build_list_of(set, &list);
        if (set->depfile_path && build_write_depfile(set, &list) != KIT_EXIT_OK)
            code = KIT_EXIT_IO;
    }
    if (code != KIT_EXIT_OK)
        build_list_remove_folders(&list);
    build_list_free(&list);
    return code;
}
