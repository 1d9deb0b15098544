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

/* A belt with a few slots: one thread fills them, in order, others take what is there. */
typedef struct cn_belt cn_belt;

cairn_status cn_belt_new(const cn_mem *mem, size_t slot_count, cn_belt **belt);
void cn_belt_free(cn_belt *belt);

/* For the filling thread: a free slot to fill and offer, or, where there is none, one that was
 * offered, as cn_belt_take gives it; waits for either. */
typedef enum cn_belt_find { CN_BELT_TO_FILL, CN_BELT_TO_WORK_ON } cn_belt_find;
cn_belt_find cn_belt_claim(cn_belt *belt, size_t *slot);
void cn_belt_offer(cn_belt *belt, size_t slot);

/* No more will come. */
void cn_belt_close(cn_belt *belt);

/* Takes the slot that was offered first. False when none is offered: at once for CN_BELT_LOOK, for
 * CN_BELT_WAIT not before the belt is closed. */
typedef enum cn_belt_patience { CN_BELT_LOOK, CN_BELT_WAIT } cn_belt_patience;
bool cn_belt_take(cn_belt *belt, cn_belt_patience patience, size_t *slot);

/* Done with a slot: it is free again. */
void cn_belt_release(cn_belt *belt, size_t slot);

/* For the filling thread, when none is offered: waits until nobody is at work. */
void cn_belt_clear(cn_belt *belt);

/* A flag beside the belt. */
void cn_belt_signal(cn_belt *belt, bool raised);
void cn_belt_await_signal(cn_belt *belt);

#endif
