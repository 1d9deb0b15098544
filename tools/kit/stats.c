#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rng.h"
#include "say.h"

enum { RESAMPLES = 1000 };

static int compare_values(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

double kit_percentile(double *values, size_t count, double share)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare_values);
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return values[count - 1];
    double part = place - (double)below;
    return values[below] * (1 - part) + values[below + 1] * part;
}

static kit_interval without_interval(double estimate)
{
    return (kit_interval){estimate, NAN, NAN};
}

static double ratio(double over, double under)
{
    return under > 0 ? over / under : over > 0 ? INFINITY : 1;
}

static double resampled(const double *over, const double *under, size_t count, kit_rng *rng)
{
    double sum_over = 0, sum_under = 0;
    for (size_t i = 0; i < count; i++) {
        size_t drawn = kit_rng_below(rng, (uint32_t)count);
        sum_over += over[drawn];
        sum_under += under[drawn];
    }
    return ratio(sum_over, sum_under);
}

kit_interval kit_ratio_of_means(const double *over, const double *under, size_t count,
                                uint64_t seed)
{
    double ratios[RESAMPLES];
    double sum_over = 0, sum_under = 0;
    kit_rng rng = {seed};

    if (count == 0)
        return without_interval(NAN);
    for (size_t i = 0; i < count; i++) {
        sum_over += over[i];
        sum_under += under[i];
    }
    if (count == 1)
        return without_interval(ratio(sum_over, sum_under));
    for (size_t i = 0; i < RESAMPLES; i++)
        ratios[i] = resampled(over, under, count, &rng);
    return (kit_interval){
        .estimate = ratio(sum_over, sum_under),
        .low = kit_percentile(ratios, RESAMPLES, 0.025),
        .high = kit_percentile(ratios, RESAMPLES, 0.975),
    };
}

/* Where a clock saw no time, a ratio counts as 1. */
static double log_of(double value)
{
    return value > 0 ? log(value) : 0;
}

/* The 97.5 % quantile of Student's t distribution: a table, then its expansion by the normal
 * distribution (Cornish and Fisher, 1938). */
static double t_quantile(size_t degrees)
{
    static const double few[] = {0,      12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                 2.4469, 2.3646,  2.3060, 2.2622, 2.2281};
    const double z = 1.959964, n = (double)degrees;
    if (degrees < sizeof few / sizeof *few)
        return few[degrees];
    return z + (pow(z, 3) + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

kit_interval kit_geometric_mean(const double *values, size_t count)
{
    double sum = 0, squares = 0;

    if (count == 0)
        return without_interval(NAN);
    for (size_t i = 0; i < count; i++)
        sum += log_of(values[i]);
    double mean = sum / (double)count;
    if (count == 1)
        return without_interval(exp(mean));
    for (size_t i = 0; i < count; i++)
        squares += (log_of(values[i]) - mean) * (log_of(values[i]) - mean);
    double error = sqrt(squares / (double)(count - 1) / (double)count);
    double reach = t_quantile(count - 1) * error;
    return (kit_interval){exp(mean), exp(mean - reach), exp(mean + reach)};
}

bool kit_interval_is_known(kit_interval of)
{
    return !isnan(of.low);
}

kit_interval_text kit_interval_range(kit_interval of)
{
    kit_interval_text to = {"-"};
    if (kit_interval_is_known(of))
        snprintf(to.text, sizeof to.text, "%s to %s", kit_decimal(of.low).text,
                 kit_decimal(of.high).text);
    return to;
}

kit_interval_text kit_interval_remark(kit_interval of)
{
    kit_interval_text to = {""};
    if (kit_interval_is_known(of))
        snprintf(to.text, sizeof to.text, "; 95 %%: %.3f to %.3f", of.low, of.high);
    return to;
}
