/* Several searches over the same queries: what was measured, and the reports made from it. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include "cairn/cairn.h"
#include "kit/progress.h"

/* One search of one query. */
typedef struct run_result {
    cairn_outcome outcome;
    cairn_cost cost;
    double length;
    uint64_t expanded;
    uint64_t generated;
    uint64_t open_peak;
    double time_us;
} run_result;

enum { SEARCHES_MAX = 7 };

/* One way of searching, and its result for every query. The first is the one that the others are
 * measured against. */
typedef struct contender {
    const char *name;
    cairn_search *search;
    cairn_cost *goal_costs;  /* exact costs to the goal; NULL for a bound of Cairn's own */
    run_result *results;
} contender;

typedef enum wrong_kind {
    WRONG_NOT,
    WRONG_START_BLOCKED,
    WRONG_GOAL_BLOCKED,
    WRONG_NO_PATH,
    WRONG_LENGTH,  /* not the published length */
    WRONG_COST     /* not the cost that the first search found */
} wrong_kind;

typedef struct comparison {
    const char *table_path;
    const char *scenario_path;
    uint32_t every;
    const cairn_map *map;
    const cairn_table *table;

    cairn_query *queries;    /* those taken, in order of bucket */
    uint32_t *numbers;       /* their places in the scenario, from 1 */
    size_t query_count;

    contender searches[SEARCHES_MAX];
    size_t search_count;

    wrong_kind *wrong;       /* of each query */
    size_t wrong_lengths;
    size_t wrong_costs;
} comparison;

/* Totals of one search over a range of queries. */
typedef struct totals {
    uint64_t expanded;
    uint64_t generated;
    uint64_t open_peak;      /* the largest */
    double time_us;
} totals;

/* Takes every Nth query of the scenario. */
cairn_status comparison_take(comparison *work, const cairn_scenario *scenario);

/* Adds plain distance and landmarks along the spaces of which a bit is set (1 << CAIRN_SPACE_...,
 * cells always) and, when asked for, the exact heuristic along cells. */
cairn_status comparison_add_searches(comparison *work, bool exact, unsigned spaces);

/* Runs everything and judges it. */
cairn_status comparison_run(comparison *work, kit_progress *progress);

void comparison_free(comparison *work);

totals comparison_totals(const contender *search, size_t first, size_t end);

/* The end of the range of queries, from `first`, with buckets at most `bucket`. */
size_t comparison_range_end(const comparison *work, size_t first, uint32_t bucket);

/* What is wrong with a query, in a few words. */
const char *wrong_text(wrong_kind kind);

/* Reports on standard output. False when there was no memory. */
bool comparison_print_text(const comparison *work);
bool comparison_print_json(const comparison *work);

/* False, with a complaint, when the file could not be written. */
bool comparison_write_csv(const comparison *work, const char *path);

#endif
