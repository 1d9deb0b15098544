#include <math.h>
#include <stdio.h>

#include "advise/advise.h"
#include "kit/say.h"

/* Landmarks that save less than this are not worth a build, a file and their memory. */
static const double worth_while = 1.25;

/* What cairn build takes. Fewer that are not worth it say nothing about more. */
static const uint32_t usual_count = 16;

/* Twice the landmarks have to be this much faster. */
static const double worth_doubling = 1.15;

static bool fits(const advice *work, const trial *of)
{
    return work->budget == 0 || of->memory <= work->budget;
}

/* A trial helps when it certainly expands fewer, where there are queries enough to tell, and is
 * faster as far as could be measured. */
static bool helps(const trial *of)
{
    return (!kit_interval_is_known(of->ratio) || of->ratio.low > 1) &&
           of->ratio.estimate >= worth_while && of->speedup.estimate >= worth_while;
}

static const trial *fastest(const advice *work)
{
    const trial *best = NULL;
    for (size_t i = 0; i < work->trial_count; i++) {
        const trial *of = &work->trials[i];
        if (fits(work, of) && helps(of) && (!best || of->speedup.estimate > best->speedup.estimate))
            best = of;
    }
    return best;
}

/* The first trial that is as fast as wanted. */
static const trial *first_as_fast(const advice *work, double speedup)
{
    for (size_t i = 0; i < work->trial_count; i++) {
        const trial *of = &work->trials[i];
        if (fits(work, of) && helps(of) && of->speedup.estimate >= speedup)
            return of;
    }
    return NULL;
}

/* How many times as fast the later trial has to be; the last one need not double those before.
 * Where it takes no more memory, since rows fill whole vectors, it need only be faster. */
static double worth_of(const trial *of, const trial *later)
{
    if (later->memory <= of->memory)
        return 1;
    return pow(worth_doubling, log2((double)later->landmark_count / of->landmark_count));
}

/* Where it is worth going on to: the first from which no later one is faster by enough for each
 * doubling. With a budget, whatever fits is paid for already: the fastest. */
static const trial *sensible(const advice *work)
{
    if (work->budget)
        return fastest(work);
    for (size_t i = 0; i < work->trial_count; i++) {
        const trial *of = &work->trials[i];
        bool better = false;
        for (const trial *to = of + 1; to < &work->trials[work->trial_count]; to++)
            better |= to->speedup.estimate >= of->speedup.estimate * worth_of(of, to);
        if (!better && helps(of))
            return of;
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

/* The default search, as a noun in the plural or not: what it is without a table. */
static const char *search_name(const advice *work)
{
    return work->base.space == CAIRN_SPACE_JUMP ? "jump points" : "A*";
}

static bool are_few(const advice *work)
{
    return work->trials[work->trial_count - 1].landmark_count < usual_count;
}

static const char *opening(const advice *work)
{
    return are_few(work) ? "So few are not worth it, more may be" : "Do not bother";
}

/* What is nearest to a gain, where there is none. */
static const trial *best_of_all(const advice *work)
{
    const trial *best = &work->trials[0];
    for (size_t i = 1; i < work->trial_count; i++)
        if (work->trials[i].mean_us < best->mean_us)
            best = &work->trials[i];
    return best;
}

static void say_too_slow(advice *work)
{
    const trial *best = best_of_all(work);
    snprintf(work->sentence, sizeof work->sentence,
             "%s: landmarks %s speed up %s on this map: a query takes %s without, "
             "and %s with %u, the fastest.",
             opening(work), best->mean_us < work->base.mean_us ? "hardly" : "do not",
             search_name(work), kit_seconds(1e-6 * work->base.mean_us).text,
             kit_seconds(1e-6 * best->mean_us).text, best->landmark_count);
}

static void say_no(advice *work)
{
    const trial *last = &work->trials[work->trial_count - 1];
    if (work->query_count == 0 || work->trial_count == 0)
        snprintf(work->sentence, sizeof work->sentence,
                 "Do not bother: there is nothing to search on this map.");
    else if (!any_fits(work))
        snprintf(work->sentence, sizeof work->sentence, "No table fits %s: a single row takes %s.",
                 kit_bytes(work->budget).text, kit_bytes(work->trials[0].memory).text);
    else if (last->ratio.estimate < worth_while)
        snprintf(work->sentence, sizeof work->sentence,
                 "%s: %s expand%s %s nodes a query without landmarks, and %s with %u.",
                 opening(work), search_name(work), work->base.space == CAIRN_SPACE_JUMP ? "" : "s",
                 kit_decimal(work->base.mean_expanded).text, kit_decimal(last->mean_expanded).text,
                 last->landmark_count);
    else
        say_too_slow(work);
}

static void say_yes(advice *work, bool reached)
{
    static const size_t large = (size_t)64 << 20;
    const trial *of = work->choice;
    char miss[120] = "", disk[60] = "";
    const bool may_be_small = of->memory > large && of->resident == CAIRN_RESIDENT_CELLS &&
                              work->base.space == CAIRN_SPACE_JUMP &&
                              cairn_map_rule(work->map) == CAIRN_RULE_8;
    if (!reached)
        snprintf(miss, sizeof miss, "No table%s is %.10g times as fast; the fastest has",
                 work->budget ? " that fits" : "", work->speedup);
    if (of->file_size)
        snprintf(disk, sizeof disk, " and %s on disk", kit_bytes(of->file_size).text);
    snprintf(work->sentence, sizeof work->sentence,
             "%s %u landmark%s: %s times fewer expansions and %s times the speed of %s without "
             "landmarks for %s in memory%s; the build is worth it from %s queries on.%s",
             reached ? "Take" : miss, of->landmark_count, kit_plural(of->landmark_count),
             kit_decimal(of->ratio.estimate).text, kit_decimal(of->speedup.estimate).text,
             search_name(work), kit_bytes(of->memory).text, disk,
             kit_count((uint64_t)of->breaks_even_after + 1).text,
             may_be_small ? " Rows at corners (--resident corners) may take a tenth of the memory."
                          : "");
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
