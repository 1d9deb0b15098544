/* Reports the progress of long work to the caller's callback, and tells all threads of the work
 * when the caller has cancelled it. */
#ifndef CN_BASE_WATCH_H
#define CN_BASE_WATCH_H

#include <stdatomic.h>

#include "base/base.h"

/* Calls the callback, if there is one; false when it cancels the work. */
bool cn_progress_goes_on(const cairn_progress *progress, const char *stage, uint64_t done,
                         uint64_t total);

typedef struct cn_watch {
    const cairn_progress *progress; /* NULL: nothing is reported */
    const char *stage;
    uint64_t total; /* units of work of this stage; each stage has units of its
                     * own */
    atomic_uint_least64_t done;
    uint64_t told; /* `done` when the callback was called last */
    atomic_bool is_cancelled;
} cn_watch;

void cn_watch_init(cn_watch *watch, const cairn_progress *progress);

/* Begins a stage and calls the callback. False when the work has been cancelled. */
bool cn_watch_stage(cn_watch *watch, const char *stage, uint64_t total);

/* Reports that `units` more are done. Any thread may call it, but only worker 0 of base/tasks.h
 * calls the callback, whenever enough was done since the last time. False when the work has been
 * cancelled. The watch may be NULL. */
bool cn_watch_advance(cn_watch *watch, unsigned worker, uint64_t units);

#endif
