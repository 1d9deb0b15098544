/* Metrics: which are valid, and those for small entries. */
#ifndef CN_BASE_METRIC_H
#define CN_BASE_METRIC_H

#include "base/base.h"

bool cn_metric_is_valid(cairn_metric metric);

CN_ALWAYS_INLINE bool cn_metric_is_same(cairn_metric one, cairn_metric other)
{
    return one.straight == other.straight && one.diagonal == other.diagonal;
}

/* The metrics that CAIRN_METRIC_COMPACT tries, finest first; the last is {0, 0}. They are
 * convergents of sqrt(2): each orders two paths as their true lengths do whenever their numbers of
 * diagonal steps differ by less than its straight cost. */
extern const cairn_metric cn_metric_compact[];

#endif
