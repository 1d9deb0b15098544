/* Several searches over the same queries: what was measured, and the reports made from it. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <stdio.h>

#include "cairn/cairn.h"
#include "kit/heuristic.h"
#include "kit/say.h"
#include "kit/stats.h"

/* How often what is timed is done, where once does not take long. */
enum { PASSES = 3, LONG_PASS_SECONDS = 10 };

/* One search of one query. */
typedef struct run_result {
    cairn_outcome outcome;
    cairn_cost cost;
    double length;
    cairn_cost bound; /* at the start; CAIRN_UNREACHABLE: none was taken */
    uint64_t expanded;
    uint64_t generated;
    uint64_t open_peak;
    uint64_t reopened;
    uint32_t guarantee;
    double time_us;
} run_result;

/* The base heuristic and every table along three spaces and as asked for, and the exact
 * heuristic. */
enum { TABLES_MAX = 8, SEARCHES_MAX = 4 * (1 + TABLES_MAX) + 1 };

/* Room for the longest path with a number, and for the name of a search with it. */
enum { TABLE_NAME_MAX = FILENAME_MAX + 24, SEARCH_NAME_MAX = TABLE_NAME_MAX + 8 };

/* One way of searching, and its result for every query. The first is the one that the others are
 * measured against. */
typedef struct contender {
    char name[SEARCH_NAME_MAX];
    const cairn_table *table; /* NULL: none */
    cairn_space space;
    bool is_asked; /* searches as comparison.asked says */
    cairn_search *search;
    cairn_cost *goal_costs; /* exact costs to the goal; NULL for a bound of Cairn's own */
    run_result *results;
} contender;

typedef enum wrong_kind {
    WRONG_NOT,
    WRONG_START_BLOCKED,
    WRONG_GOAL_BLOCKED,
    WRONG_NO_PATH,
    WRONG_LENGTH, /* not the published length */
    WRONG_COST    /* not the cost that the first search found */
} wrong_kind;

typedef struct comparison {
    const char *table_paths[TABLES_MAX];
    char table_names[TABLES_MAX][TABLE_NAME_MAX]; /* no two alike */
    uint64_t table_sizes[TABLES_MAX];             /* of the files, in bytes */
    const char *scenario_path;
    char *const *words; /* of the command line, behind the command's name; ends with NULL */
    uint32_t every;
    const cairn_map *map;
    const cairn_table *tables[TABLES_MAX];
    size_t table_count;
    double rebuild_us[TABLES_MAX]; /* to rebuild all rows; with several tables alone */
    kit_wish asked;
    const char *edits_path; /* NULL: the map is that of the tables */
    size_t edit_count;
    bool is_refreshed; /* every row was repaired */
    double refresh_us; /* which took so long */

    cairn_query *queries; /* those taken, in order of bucket; see comparison_sort_into_buckets */
    uint32_t *numbers;    /* their places in the scenario, from 1 */
    size_t query_count;
    size_t stride; /* from a query to the one that is measured next; 1: one after another */

    contender searches[SEARCHES_MAX];
    size_t search_count;

    wrong_kind *wrong; /* of each query */
    size_t wrong_lengths;
    size_t wrong_costs;
} comparison;

/* Totals of one search over a range of queries. */
typedef struct totals {
    uint64_t expanded;
    uint64_t generated;
    uint64_t open_peak; /* the largest */
    double time_us;
} totals;

/* What is known of the bound of one search, and what became of its paths. */
typedef struct bound_facts {
    const char *base;    /* the name of the base heuristic; of a user's own or exact bound */
    bool admissible;     /* no path is longer than the shortest */
    bool consistent;     /* no node opens twice */
    bool reopens;        /* it is not, and closed nodes do not stay closed */
    uint32_t weight;     /* in thousandths */
    uint32_t guarantee;  /* in thousandths of the least cost; 0: none */
    uint64_t reopened;   /* nodes */
    size_t longer_count; /* queries whose path is not the cheapest */
    double longer_mean;  /* cost by the least cost, geometric mean over all queries */
    double longer_most;
    size_t limited_count; /* queries that the limit ended */
} bound_facts;

bound_facts comparison_bound(const comparison *work, const contender *search);

/* The sentence that says so. */
void comparison_bound_text(const comparison *work, const contender *search, char *text,
                           size_t size);

/* Names the tables by their files: by as many folders of their paths as it takes to tell them
 * apart, and by numbers where even the paths are the same. */
void comparison_name_tables(comparison *work);

/* Takes every Nth query of the scenario. */
cairn_status comparison_take(comparison *work, const cairn_scenario *scenario);

/* Queries on graphs come without buckets, and get them once the searches have run: the queries of a
 * bucket make the first search expand 2^bucket nodes or more, and fewer than twice as many; those
 * that expand none are in bucket 0. Sorts queries and results by them. */
cairn_status comparison_sort_into_buckets(comparison *work);

/* Adds base heuristic and the tables along the spaces of which a bit is set (1 << CAIRN_SPACE_...,
 * cells always) and, when asked for, the exact heuristic along cells. */
cairn_status comparison_add_searches(comparison *work, bool exact, unsigned spaces);

/* Runs everything and judges it. */
cairn_status comparison_run(comparison *work);

void comparison_free(comparison *work);

totals comparison_totals(const contender *search, size_t first, size_t end);

/* Whether the queries come with lengths: as those of a scenario of a grid do, but not of the map
 * after edits. */
bool comparison_has_lengths(const comparison *work);

/* Whether lengths are wrong since the table's map has other steps, units or costs than those of
 * published scenarios: the sentence that says so. */
enum { OTHER_STEPS_ROOM = 240 };
bool comparison_other_steps(const comparison *work, char *text, size_t size);

/* Where there are queries for such a table. */
const char *comparison_other_queries(const comparison *work);

/* Whether some search may find longer paths than others: one that was asked for. */
bool comparison_may_be_longer(const comparison *work);

/* The end of the range of queries, from `first`, with buckets at most `bucket`. */
size_t comparison_range_end(const comparison *work, size_t first, uint32_t bucket);

/* What the buckets from `low` to `high` are called: of a graph, by how many nodes are expanded. */
void comparison_buckets_text(const comparison *work, uint32_t low, uint32_t high, char *text,
                             size_t size);

/* How many times fewer nodes a search expands than another, in the geometric mean over the queries
 * that have a path, with its interval. False when there was no memory. */
bool comparison_paired(const comparison *work, const contender *of, const contender *against,
                       kit_interval *ratio);

/* The same of all expansions of one and of the other. */
kit_text comparison_of_totals(const comparison *work, const contender *of,
                              const contender *against);

/* The search with a table along cells. */
const contender *comparison_with(const comparison *work, const cairn_table *table);

/* What was done to the map and the tables first; nothing where no edits were asked for. */
void comparison_edits_text(const comparison *work, char *text, size_t size);

/* Says on standard error that a scenario holds no queries, which is no failure. In a team only the
 * first process does this. */
void comparison_tell_of_no_queries(const char *scenario_path);

/* What is wrong with a query, in a few words. */
const char *wrong_text(wrong_kind kind);

/* Reports on standard output. False when there was no memory. */
bool comparison_print_text(const comparison *work);
bool comparison_print_json(const comparison *work);

/* False, with a complaint, when the file could not be written. */
bool comparison_write_csv(const comparison *work, const char *path);

#endif
