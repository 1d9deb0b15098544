#include "base/watch.h"

bool cn_progress_goes_on(const cairn_progress *progress, const char *stage, uint64_t done,
                         uint64_t total)
{
    return !progress || !progress->report ||
           progress->report(progress->context, stage, done, total);
}

void cn_watch_init(cn_watch *watch, const cairn_progress *progress)
{
    watch->progress = progress && progress->report ? progress : NULL;
    watch->stage = "";
    watch->total = 0;
    watch->told = 0;
    atomic_init(&watch->done, 0);
    atomic_init(&watch->is_cancelled, false);
}

static bool tell(cn_watch *watch, uint64_t done)
{
    watch->told = done;
    if (atomic_load_explicit(&watch->is_cancelled, memory_order_relaxed))
        return false;
    if (cn_progress_goes_on(watch->progress, watch->stage, done, watch->total))
        return true;
    atomic_store_explicit(&watch->is_cancelled, true, memory_order_relaxed);
    return false;
}

bool cn_watch_stage(cn_watch *watch, const char *stage, uint64_t total)
{
    watch->stage = stage;
    watch->total = total;
    atomic_store_explicit(&watch->done, 0, memory_order_relaxed);
    return tell(watch, 0);
}

bool cn_watch_advance(cn_watch *watch, unsigned worker, uint64_t units)
{
    enum { BETWEEN_CALLS = 1 << 16 };

    if (!watch || !watch->progress)
        return true;
    uint64_t done = atomic_fetch_add_explicit(&watch->done, units, memory_order_relaxed) + units;
    if (worker == 0 && (done - watch->told >= BETWEEN_CALLS || done == watch->total))
        return tell(watch, done);
    return !atomic_load_explicit(&watch->is_cancelled, memory_order_relaxed);
}
