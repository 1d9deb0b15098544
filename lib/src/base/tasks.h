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
typedef struct cn_relay cn_relay;

cairn_status cn_relay_new(const cn_mem *mem, cn_relay **relay);
void cn_relay_free(cn_relay *relay);

/* For the owner. Ending a race waits until all who joined it have left. */
void cn_relay_start(cn_relay *relay);
void cn_relay_end(cn_relay *relay);

/* No more races will come. */
void cn_relay_close(cn_relay *relay);

/* For the others: waits for a race that is not number *race, and joins it; false when the relay was
 * closed first. *race begins as 0 and is the caller's own. */
bool cn_relay_join(cn_relay *relay, uint64_t *race);
void cn_relay_leave(cn_relay *relay);

/* The baton: waits until nobody else has it. */
void cn_relay_take(cn_relay *relay);
void cn_relay_pass(cn_relay *relay);

/* Flags beside the races, bits that everybody may raise or lower, and wait for one at a time. */
void cn_relay_raise(cn_relay *relay, unsigned flag);
void cn_relay_lower(cn_relay *relay, unsigned flag);
void cn_relay_await(cn_relay *relay, unsigned flag);

#endif
