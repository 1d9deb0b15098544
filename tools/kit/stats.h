/* Intervals that hold the truth 95 times in a hundred. */
#ifndef KIT_STATS_H
#define KIT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of fewer than two values there is no interval: `low` and `high` are NAN. Of none, `estimate` is
 * NAN too. */
typedef struct kit_interval {
    double estimate;
    double low;
    double high;
} kit_interval;

/* The ratio of two means over the same queries, by the percentiles of `count` queries drawn with
 * replacement a thousand times (Efron, "Bootstrap methods", 1979). Same seed, same interval. */
kit_interval kit_ratio_of_means(const double *over, const double *under, size_t count,
                                uint64_t seed);

/* The geometric mean of values above 0, with the interval of Student's t distribution of
 * their logarithms. */
kit_interval kit_geometric_mean(const double *values, size_t count);

/* Whether there is an interval. */
bool kit_interval_is_known(kit_interval of);

typedef struct kit_interval_text {
    char text[96];
} kit_interval_text;

/* "1.02 to 1.31"; "-" where there is none. */
kit_interval_text kit_interval_range(kit_interval of);

/* "; 95 %: 1.023 to 1.314", behind what the estimate is of; empty where there is none. */
kit_interval_text kit_interval_remark(kit_interval of);

/* The value below which a share of `count` values lies, 0 <= share <= 1; sorts them. */
double kit_percentile(double *values, size_t count, double share);

#endif
