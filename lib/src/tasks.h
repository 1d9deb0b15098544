/* Level 1: independent tasks over threads. */
#ifndef CN_TASKS_H
#define CN_TASKS_H

#include "mem.h"

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

/* A level that one thread raises and others wait for. */
typedef struct cn_gate cn_gate;

/* Level 0. */
cairn_status cn_gate_new(const cn_mem *mem, cn_gate **gate);
void cn_gate_free(cn_gate *gate);

void cn_gate_raise(cn_gate *gate, size_t level);

/* Nobody waits any more, whatever the level. */
void cn_gate_break(cn_gate *gate);

/* Waits for a level; false when the gate was broken first. Without threads there is nobody to wait
 * for: it only looks. */
bool cn_gate_wait(cn_gate *gate, size_t level);

#endif
