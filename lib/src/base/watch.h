/* Tells the caller's progress callback how far a piece of work is, and every thread of the
 * work when the caller asked to stop. */
#ifndef CN_BASE_WATCH_H
#define CN_BASE_WATCH_H

#include <stdatomic.h>

#include "base/base.h"

typedef struct cn_watch {
    const cairn_progress *progress;  /* NULL: nobody is told */
    const char *stage;
    uint64_t total;                  /* units of work of this stage; what a unit is, is its own */
    atomic_uint_least64_t done;
    uint64_t told;                   /* `done` when the callback was called last */
    atomic_bool is_cancelled;
} cn_watch;

void cn_watch_init(cn_watch *watch, const cairn_progress *progress);

/* Begins a stage, and calls the callback. False when the work was cancelled. */
bool cn_watch_stage(cn_watch *watch, const char *stage, uint64_t total);

/* So many units more are done. Any thread may call it; worker 0, which is the thread that made the
 * call, calls the callback when enough was done since the last time. False when the work was
 * cancelled. The watch may be NULL. */
bool cn_watch_advance(cn_watch *watch, unsigned worker, uint64_t units);

#endif
