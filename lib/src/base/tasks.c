#include "base/tasks.h"

#include <stdatomic.h>

#include "system/clock.h"
#include "system/threads.h"

typedef struct monitor {
    cn_system_lock lock;
    cn_system_condition changed;
    atomic_uint changes; /* number of changes so far; written while the lock is held */
} monitor;

static void monitor_init(monitor *self)
{
    atomic_init(&self->changes, 0);
    cn_lock_init(&self->lock);
    cn_condition_init(&self->changed);
}

static void monitor_free(monitor *self)
{
    cn_condition_free(&self->changed);
    cn_lock_free(&self->lock);
}

static void monitor_lock(monitor *self)
{
    cn_lock_take(&self->lock);
}

static void monitor_unlock(monitor *self)
{
    cn_lock_leave(&self->lock);
}

static void monitor_wake(monitor *self)
{
    atomic_fetch_add(&self->changes, 1);
    cn_condition_wake_all(&self->changed);
}

/* Whether a change happens within a short while. Other threads that are ready to run get the
 * processor. */
static bool changes_soon(monitor *self, unsigned seen)
{
    enum { WHILE_MICROSECONDS = 2000, PAUSES = 32 };
    const uint64_t end = cn_clock_microseconds() + WHILE_MICROSECONDS;

    do {
        for (unsigned i = 0; i < PAUSES; i++) {
            if (atomic_load(&self->changes) != seen)
                return true;
            CN_PAUSE();
        }
        cn_thread_yield();
    } while (cn_clock_microseconds() < end);
    return false;
}

/* Waking a thread that sleeps takes longer than computing a row, and the system may wake it on the
 * processor of another busy thread. So a thread spins for a while before it sleeps. False where
 * waiting cannot change the condition that is waited for: without threads. */
static bool monitor_wait(monitor *self)
{
    if (!CN_HAS_THREADS)
        return false;
    const unsigned seen = atomic_load(&self->changes);
    cn_lock_leave(&self->lock);
    bool changed = changes_soon(self, seen);
    cn_lock_take(&self->lock);
    if (!changed && atomic_load(&self->changes) == seen)
        cn_condition_wait(&self->changed, &self->lock);
    return true;
}

/* To start a thread and wait for it takes as long as to compute about so many entries. */
enum { ENTRIES_A_THREAD = 1 << 16 };

static uint32_t threads_for(uint64_t work)
{
    const unsigned processors = cn_processor_count();
    uint64_t worth = 1 + work / ENTRIES_A_THREAD;
    return worth < processors ? (uint32_t)worth : processors;
}

cn_crew cn_tasks_crew(const cairn_pool *pool, uint32_t asked, size_t task_count, uint64_t work)
{
    if (!CN_HAS_THREADS)
        return (cn_crew){.count = 1};
    if (asked == 0)
        asked = threads_for(work);
    if (asked > CN_THREADS_MAX)
        asked = CN_THREADS_MAX;
    if (asked > task_count)
        asked = task_count ? (uint32_t)task_count : 1;
    return (cn_crew){.count = asked, .pool = pool && pool->run ? pool : NULL};
}

typedef struct task_run {
    cn_task task;
    void *context;
    size_t task_count;
    atomic_size_t next;
    atomic_bool stop;
    atomic_uint jobs; /* of a pool that have begun */
    unsigned job_count;
    cn_system_lock lock;
    size_t failed_task;
    cairn_status status;
} task_run;

typedef struct member {
    task_run *run;
    unsigned worker;
} member;

static void note_failure(task_run *run, size_t task, cairn_status status)
{
    atomic_store(&run->stop, true);
    cn_lock_take(&run->lock);
    if (run->status == CAIRN_OK || task < run->failed_task) {
        run->status = status;
        run->failed_task = task;
    }
    cn_lock_leave(&run->lock);
}

static void work(void *argument)
{
    member *self = argument;
    task_run *run = self->run;

    while (!atomic_load(&run->stop)) {
        size_t task = atomic_fetch_add(&run->next, 1);
        if (task >= run->task_count)
            break;
        cairn_status status = run->task(run->context, task, self->worker);
        if (status != CAIRN_OK)
            note_failure(run, task, status);
    }
}

static void run_on_threads(task_run *run, unsigned thread_count)
{
    member members[CN_THREADS_MAX];
    cn_thread threads[CN_THREADS_MAX];
    unsigned started = 0;

    for (unsigned worker = 1; worker < thread_count && worker < CN_THREADS_MAX; worker++) {
        members[worker] = (member){run, worker};
        if (!cn_thread_start(&threads[started], work, &members[worker]))
            break;
        started++;
    }
    members[0] = (member){run, 0};
    work(&members[0]);
    for (unsigned i = 0; i < started; i++)
        cn_thread_join(&threads[i]);
}

/* Pools may call it more often than they were asked to. */
static void work_as_job(void *argument)
{
    task_run *run = argument;
    member self = {run, atomic_fetch_add(&run->jobs, 1)};
    if (self.worker < run->job_count)
        work(&self);
}

/* When the pool has returned nobody else is at work. */
static void run_on_pool(task_run *run, const cairn_pool *pool, unsigned job_count)
{
    member self = {run, 0};
    run->job_count = job_count;
    pool->run(pool->context, job_count, work_as_job, run);
    work(&self);
}

cairn_status cn_tasks_run(cn_crew by, size_t task_count, cn_task task, void *context)
{
    task_run run = {.task = task, .context = context, .task_count = task_count};

    atomic_init(&run.next, 0);
    atomic_init(&run.stop, false);
    atomic_init(&run.jobs, 0);
    cn_lock_init(&run.lock);
    if (by.pool && by.count > 1)
        run_on_pool(&run, by.pool, by.count);
    else
        run_on_threads(&run, by.count);
    cn_lock_free(&run.lock);
    return run.status;
}

/* ---------------------------------------------------------------------------- pipelines -- */

struct cn_pipeline {
    cn_mem mem;
    monitor monitor;
    uint64_t run;     /* number of the latest run; 0: none */
    unsigned running; /* threads that have joined it and not left it */
    unsigned flags;
    bool open; /* the run may be joined */
    bool closed;
    bool serial_is_busy;
};

cairn_status cn_pipeline_new(const cn_mem *mem, cn_pipeline **pipeline)
{
    cn_pipeline *made = cn_zeroed(mem, 1, sizeof *made);
    *pipeline = made;
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = *mem;
    monitor_init(&made->monitor);
    return CAIRN_OK;
}

void cn_pipeline_free(cn_pipeline *pipeline)
{
    if (!pipeline)
        return;
    cn_mem mem = pipeline->mem;
    monitor_free(&pipeline->monitor);
    cn_release(&mem, pipeline);
}

void cn_pipeline_start(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    pipeline->run++;
    pipeline->open = true;
    monitor_wake(&pipeline->monitor);
    monitor_unlock(&pipeline->monitor);
}

void cn_pipeline_end(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    pipeline->open = false;
    while (pipeline->running > 0 && monitor_wait(&pipeline->monitor))
        continue;
    monitor_unlock(&pipeline->monitor);
}

void cn_pipeline_close(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    pipeline->closed = true;
    monitor_wake(&pipeline->monitor);
    monitor_unlock(&pipeline->monitor);
}

bool cn_pipeline_join(cn_pipeline *pipeline, uint64_t *run)
{
    monitor_lock(&pipeline->monitor);
    while (!pipeline->closed && (!pipeline->open || pipeline->run == *run) &&
           monitor_wait(&pipeline->monitor))
        continue;
    bool joins = !pipeline->closed && pipeline->open;
    pipeline->running += joins;
    *run = pipeline->run;
    monitor_unlock(&pipeline->monitor);
    return joins;
}

void cn_pipeline_leave(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    pipeline->running--;
    monitor_wake(&pipeline->monitor);
    monitor_unlock(&pipeline->monitor);
}

void cn_pipeline_enter_serial(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    while (pipeline->serial_is_busy && monitor_wait(&pipeline->monitor))
        continue;
    pipeline->serial_is_busy = true;
    monitor_unlock(&pipeline->monitor);
}

void cn_pipeline_exit_serial(cn_pipeline *pipeline)
{
    monitor_lock(&pipeline->monitor);
    pipeline->serial_is_busy = false;
    monitor_wake(&pipeline->monitor);
    monitor_unlock(&pipeline->monitor);
}

static void set_flag(cn_pipeline *pipeline, unsigned flag, bool raised)
{
    monitor_lock(&pipeline->monitor);
    pipeline->flags = raised ? pipeline->flags | flag : pipeline->flags & ~flag;
    monitor_wake(&pipeline->monitor);
    monitor_unlock(&pipeline->monitor);
}

void cn_pipeline_raise(cn_pipeline *pipeline, unsigned flag)
{
    set_flag(pipeline, flag, true);
}

void cn_pipeline_lower(cn_pipeline *pipeline, unsigned flag)
{
    set_flag(pipeline, flag, false);
}

void cn_pipeline_await(cn_pipeline *pipeline, unsigned flag)
{
    monitor_lock(&pipeline->monitor);
    while (!(pipeline->flags & flag) && monitor_wait(&pipeline->monitor))
        continue;
    monitor_unlock(&pipeline->monitor);
}
