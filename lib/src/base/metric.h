/* The pair of step costs, and which pairs there are. */
#ifndef CN_BASE_METRIC_H
#define CN_BASE_METRIC_H

#include "base/base.h"

bool cn_metric_is_valid(cairn_metric metric);

/* The pairs that CAIRN_METRIC_COMPACT tries, finest first; ends with {0, 0}. Convergents of
 * sqrt(2): each orders two paths rightly while they differ by fewer diagonal steps than its
 * straight cost (5/7: fewer than 5). */
extern const cairn_metric cn_metric_compact[];

#endif
