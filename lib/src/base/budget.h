/* What a step may still do. */
#ifndef CN_BASE_BUDGET_H
#define CN_BASE_BUDGET_H

#include "base/base.h"
#include "system/clock.h"

enum {
    CN_SLICE_CELLS = 256,            /* cells between two reads of the clock */
    CN_NODES_REBUILT_PER_VISIT = 16, /* cells of a row that a rebuild computes in the time in which
                                      * a repair visits one */
    CN_NODES_PER_MICROSECOND = 400   /* nodes of a row that are rebuilt in a microsecond */
};

/* Takes from what is left, as far as it lasts. */
static inline void cn_spend(uint64_t *left, uint64_t cost)
{
    *left -= cost < *left ? cost : *left;
}

/* What ends a step. Where work is counted, a step does the same on every processor. */
typedef enum cn_budget_kind {
    CN_BUDGET_COUNTED,
    CN_BUDGET_TIMED,
    CN_BUDGET_UNLIMITED
} cn_budget_kind;

typedef struct cn_allowance {
    bool is_time;
    bool is_unlimited;
    uint64_t left;    /* visits of cells; not where it is time */
    uint64_t end;     /* the time of the clock at which it ends; where it is time */
    bool may_rebuild; /* enough to rebuild a row */
    bool one_row;     /* stop when a row is exact */
} cn_allowance;

/* What a budget counts is in its two uppermost bits. */
static inline bool cn_budget_is_time(cairn_budget budget)
{
    return budget >> 62 == 2;
}

static inline uint64_t cn_budget_count(cairn_budget budget)
{
    return budget & UINT64_MAX >> 2;
}

/* Whether it was made by the macros, and is no plain number. */
static inline bool cn_budget_is_valid(cairn_budget budget)
{
    return budget == CAIRN_UNLIMITED || budget >> 62 == 1 || cn_budget_is_time(budget);
}

/* Whether a budget is enough to rebuild so many nodes of rows. */
static inline bool cn_budget_covers(cairn_budget budget, uint64_t nodes)
{
    const uint64_t rate = cn_budget_is_time(budget) ? CN_NODES_PER_MICROSECOND
                                                    : CN_NODES_REBUILT_PER_VISIT;
    return budget == CAIRN_UNLIMITED || cn_budget_count(budget) >= nodes / rate;
}

/* What a budget allows, on a map of so many nodes. */
static inline cn_allowance cn_allow(uint64_t nodes, cairn_budget budget)
{
    cn_allowance allowance = {.is_unlimited = budget == CAIRN_UNLIMITED,
                              .is_time = cn_budget_is_time(budget),
                              .left = cn_budget_count(budget),
                              .may_rebuild = cn_budget_covers(budget, nodes)};
    if (allowance.is_time)
        allowance.end = cn_clock_microseconds() + cn_budget_count(budget);
    return allowance;
}

/* How many cells may be visited before the next call; 0: nothing is left. */
static inline uint64_t cn_allowance_slice(const cn_allowance *allowance)
{
    if (!allowance->is_time)
        return allowance->left;
    return cn_clock_microseconds() < allowance->end ? CN_SLICE_CELLS : 0;
}

static inline cn_budget_kind cn_allowance_kind(const cn_allowance *allowance)
{
    return allowance->is_unlimited ? CN_BUDGET_UNLIMITED
           : allowance->is_time    ? CN_BUDGET_TIMED
                                   : CN_BUDGET_COUNTED;
}

static inline void cn_allowance_spend(cn_allowance *allowance, uint64_t cells)
{
    if (!allowance->is_time && !allowance->is_unlimited)
        cn_spend(&allowance->left, cells);
}

/* What is left, as a budget. */
static inline cairn_budget cn_allowance_rest(const cn_allowance *allowance)
{
    if (allowance->is_unlimited)
        return CAIRN_UNLIMITED;
    if (!allowance->is_time)
        return CAIRN_CELLS(allowance->left);
    const uint64_t now = cn_clock_microseconds();
    return CAIRN_MICROSECONDS(now < allowance->end ? allowance->end - now : 0);
}

static inline void cn_allowance_spend_rebuild(cn_allowance *allowance, uint64_t nodes)
{
    cn_allowance_spend(allowance, nodes / CN_NODES_REBUILT_PER_VISIT);
}

#endif
