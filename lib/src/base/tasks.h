/* Independent tasks on several threads, and pipelines. */
#ifndef CN_BASE_TASKS_H
#define CN_BASE_TASKS_H

#include "base/mem.h"

/* A task. `worker` is below the thread count, and no two threads have the same worker at a time. */
typedef cairn_status (*cn_task)(void *context, size_t task, unsigned worker);

/* Threads for tasks: how many, and whose. */
typedef struct cn_crew {
    unsigned count;
    const cairn_pool *pool; /* NULL: they are started for the tasks */
} cn_crew;

enum { CN_THREADS_MAX = 64 };
#define CN_WORTH_THREADS UINT64_MAX /* work that is enough for any number of threads */

/* How many threads to use: `asked`, or for 0 one per processor, but fewer where there is little to
 * do. `work` is the number of entries that all tasks together read or write. At least 1, at most
 * `task_count` and CN_THREADS_MAX. A pool whose `run` is NULL counts as none. */
cn_crew cn_tasks_crew(const cairn_pool *pool, uint32_t asked, size_t task_count, uint64_t work);

/* Runs every task once, in any order, and waits for all. After a failure no further task starts;
 * the status of the failed task with the lowest number is returned. The calling thread works, too;
 * if some threads cannot be started, the others do their work. Worker 0 is the calling thread, or
 * the job of a pool that begins first. */
cairn_status cn_tasks_run(cn_crew crew, size_t task_count, cn_task task, void *context);

/* A pipeline with one serial stage and a parallel tail. Each thread repeatedly enters the serial
 * stage, in which there is at most one thread at a time, and then does its share of the parallel
 * work. One thread, the owner, starts and ends runs of the pipeline; others join them. */
typedef struct cn_pipeline cn_pipeline;

cairn_status cn_pipeline_new(const cn_mem *mem, cn_pipeline **pipeline);
void cn_pipeline_free(cn_pipeline *pipeline);

/* For the owner. Ending a run waits until all threads that joined it have left it. */
void cn_pipeline_start(cn_pipeline *pipeline);
void cn_pipeline_end(cn_pipeline *pipeline);

/* No more runs will be started. */
void cn_pipeline_close(cn_pipeline *pipeline);

/* For the other threads: waits for a run whose number is not *run, and joins it. False when the
 * pipeline was closed first. *run is a variable of the caller, at first 0. */
bool cn_pipeline_join(cn_pipeline *pipeline, uint64_t *run);
void cn_pipeline_leave(cn_pipeline *pipeline);

/* The serial stage: entering waits until no other thread is in it. */
void cn_pipeline_enter_serial(cn_pipeline *pipeline);
void cn_pipeline_exit_serial(cn_pipeline *pipeline);

/* Flags: bits that any thread of the pipeline may raise and lower. Awaiting one waits until it is
 * raised. */
void cn_pipeline_raise(cn_pipeline *pipeline, unsigned flag);
void cn_pipeline_lower(cn_pipeline *pipeline, unsigned flag);
void cn_pipeline_await(cn_pipeline *pipeline, unsigned flag);

#endif
