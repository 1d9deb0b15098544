#include <stdio.h>

#include "advise/advise.h"
#include "kit/say.h"

/* Landmarks that save less than this are not worth a build, a file and their memory. */
static const double worth_while = 1.25;

/* Twice the landmarks have to be this much faster. */
static const double worth_doubling = 1.15;

static bool fits(const advice *work, const trial *of)
{
    return work->budget == 0 || of->memory <= work->budget;
}

/* A trial helps when it certainly expands fewer, and is faster as far as could be measured. */
static bool helps(const trial *of)
{
    return of->fewer.low > 1 && of->fewer.estimate >= worth_while &&
           of->faster.estimate >= worth_while;
}

static const trial *fastest(const advice *work)
{
    const trial *best = NULL;
    for (size_t i = 0; i < work->trial_count; i++) {
        const trial *of = &work->trials[i];
        if (fits(work, of) && helps(of) &&
            (!best || of->faster.estimate > best->faster.estimate))
            best = of;
    }
    return best;
}

/* The first trial that is as fast as wanted. */
static const trial *first_as_fast(const advice *work, double speedup)
{
    for (size_t i = 0; i < work->trial_count; i++) {
        const trial *of = &work->trials[i];
        if (fits(work, of) && helps(of) && of->faster.estimate >= speedup)
            return of;
    }
    return NULL;
}

/* Where it is worth going on to: the first from which no later one is faster by enough for each
 * doubling. With a budget, whatever fits is paid for already: the fastest. */
static const trial *sensible(const advice *work)
{
    if (work->budget)
        return fastest(work);
    for (size_t i = 0; i < work->trial_count; i++) {
        double needed = work->trials[i].faster.estimate;
        bool better = false;
        for (size_t k = i + 1; k < work->trial_count; k++) {
            needed *= worth_doubling;
            better |= work->trials[k].faster.estimate >= needed;
        }
        if (!better && helps(&work->trials[i]))
            return &work->trials[i];
    }
    return NULL;
}

static bool any_fits(const advice *work)
{
    for (size_t i = 0; i < work->trial_count; i++)
        if (fits(work, &work->trials[i]))
            return true;
    return false;
}

static void say_no(advice *work)
{
    const trial *last = &work->trials[work->trial_count - 1];
    if (work->query_count == 0 || work->trial_count == 0)
        snprintf(work->sentence, sizeof work->sentence,
                 "Do not bother: there is nothing to search on this map.");
    else if (!any_fits(work))
        snprintf(work->sentence, sizeof work->sentence,
                 "No table fits %s: a single row takes %s.", kit_bytes(work->budget).text,
                 kit_bytes(work->trials[0].memory).text);
    else if (last->fewer.estimate < worth_while)
        snprintf(work->sentence, sizeof work->sentence,
                 "Do not bother: plain distance is nearly exact on this map; it expands %s cells "
                 "a query, and %u landmark%s still %s.",
                 kit_decimal(work->plain.mean_expanded).text, last->landmark_count,
                 kit_plural(last->landmark_count), kit_decimal(last->mean_expanded).text);
    else
        snprintf(work->sentence, sizeof work->sentence,
                 "Do not bother: the cells that landmarks save do not pay for the time it takes "
                 "to look at them.");
}

static void say_yes(advice *work, bool reached)
{
    const trial *of = work->choice;
    char miss[120] = "", disk[60] = "";
    if (!reached)
        snprintf(miss, sizeof miss, "No table%s is %.3g times as fast; the fastest: ",
                 work->budget ? " that fits" : "", work->speedup);
    if (of->file_size)
        snprintf(disk, sizeof disk, " and %s on disk", kit_bytes(of->file_size).text);
    snprintf(work->sentence, sizeof work->sentence,
             "%s%s %u landmark%s: %s times fewer expansions and %s times the speed of plain "
             "distance for %s in memory%s; the build has paid for itself after %s "
             "queries.",
             miss, reached ? "Take" : "take", of->landmark_count, kit_plural(of->landmark_count),
             kit_decimal(of->fewer.estimate).text, kit_decimal(of->faster.estimate).text,
             kit_bytes(of->memory).text, disk,
             kit_count((uint64_t)of->pays_after + 1).text);
}

void advice_choose(advice *work)
{
    bool reached = true;

    work->choice = work->speedup > 0 ? first_as_fast(work, work->speedup) : sensible(work);
    if (!work->choice && work->speedup > 0) {
        work->choice = fastest(work);
        reached = false;
    }
    if (work->choice)
        say_yes(work, reached);
    else
        say_no(work);
}
