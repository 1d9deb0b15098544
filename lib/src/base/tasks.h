/* Independent tasks over threads. */
#ifndef CN_BASE_TASKS_H
#define CN_BASE_TASKS_H

#include "base/mem.h"

/* One task; `worker` is below the thread count and belongs to one thread at a time. */
typedef cairn_status (*cn_task)(void *context, size_t task, unsigned worker);

/* How many threads to use: `asked`, or one per processor for 0; at least 1, at most `tasks` and
 * CN_THREADS_MAX. */
enum { CN_THREADS_MAX = 64 };
unsigned cn_tasks_threads(uint32_t asked, size_t task_count);

/* Runs every task once, in no order, and waits. After a failure no further task starts; the
 * status of the failed task with the lowest number among those that ran is returned. Threads
 * that cannot be started are done without: the calling thread works too. */
cairn_status cn_tasks_run(unsigned thread_count, size_t task_count, cn_task task, void *context);

/* Races: work of which one part goes on in turns, by whoever has the baton, while the others are
 * busy with theirs. One thread, the owner, starts and ends races; others join them. */
typedef struct cn_pipeline cn_pipeline;

cairn_status cn_pipeline_new(const cn_mem *mem, cn_pipeline **pipeline);
void cn_pipeline_free(cn_pipeline *pipeline);

/* For the owner. Ending a race waits until all who joined it have left. */
void cn_pipeline_start(cn_pipeline *pipeline);
void cn_pipeline_end(cn_pipeline *pipeline);

/* No more races will come. */
void cn_pipeline_close(cn_pipeline *pipeline);

/* For the others: waits for a race that is not number *race, and joins it; false when the relay was
 * closed first. *race begins as 0 and is the caller's own. */
bool cn_pipeline_join(cn_pipeline *pipeline, uint64_t *run);
void cn_pipeline_leave(cn_pipeline *pipeline);

/* The baton: waits until nobody else has it. */
void cn_pipeline_enter_serial(cn_pipeline *pipeline);
void cn_pipeline_exit_serial(cn_pipeline *pipeline);

/* Flags beside the races, bits that everybody may raise or lower, and wait for one at a time. */
void cn_pipeline_raise(cn_pipeline *pipeline, unsigned flag);
void cn_pipeline_lower(cn_pipeline *pipeline, unsigned flag);
void cn_pipeline_await(cn_pipeline *pipeline, unsigned flag);

#endif
