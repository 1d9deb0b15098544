#include "base/metric.h"

const cairn_metric cn_metric_compact[] = {
    {2378, 3363}, {408, 577}, {70, 99}, {29, 41}, {17, 24}, {12, 17}, {5, 7}, {0, 0},
};

/* A step must cost far less than CAIRN_COST_MAX. */
bool cn_metric_is_valid(cairn_metric metric)
{
    return metric.straight > 0 && metric.straight <= metric.diagonal &&
           metric.diagonal <= CAIRN_METRIC_MAX && metric.diagonal <= 2 * metric.straight;
}
