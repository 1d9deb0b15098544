/* Results of many comparisons, as lines of a CSV file: one line for each search of each table and
 * scenario. Files can be appended to, resumed and merged. */
#ifndef COMPARE_RESULTS_H
#define COMPARE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kit/stats.h"

/* One line. The members are those of the columns, in results.c, and where it was read. */
typedef struct result {
    const char *file;     /* NULL: it was not read, but measured */
    uint64_t line_number; /* of the file */
    char *table;
    char *scenario;
    char *settings; /* how queries were chosen and searched */
    char *search;   /* its name */
    uint64_t input; /* fingerprint of both files */
    uint64_t map_hash;
    uint64_t nodes;
    uint64_t rows;
    uint64_t table_bytes;
    uint64_t queries;
    uint64_t wrong_lengths;
    uint64_t wrong_costs;
    uint64_t searches; /* lines of this table and scenario */
    uint64_t paths;    /* queries that have one, over which the ratios are */
    uint64_t expanded; /* totals over all queries */
    uint64_t generated;
    uint64_t open_peak;
    double time_us;
    double expansion_ratio; /* of the first search to this one, geometric mean over queries */
    double speed_up;        /* the same of times */
    double least_ratio;     /* of expansions */
    uint64_t least_query;   /* the line of the scenario with it */
    double slowest_us;
    uint64_t slowest_query;
} result;

/* Lines in order; those of one table and scenario, a unit, stand together and are complete. */
typedef struct results {
    result *lines;
    size_t count;
    size_t room;
    uint64_t total; /* of all counts of the lines that were read: so no sum of some wraps */
} results;

/* Adds a line, whose texts become the list's; false without memory. */
bool results_add(results *list, const result *line);
void results_free(results *list);

/* Drops the last lines, so that `count` are left. */
void results_cut(results *list, size_t count);

/* Reads a file. Of a unit that is not complete at its end, as a program leaves it that was killed,
 * nothing is taken; *whole is the size of the file before it. An exit code: what is wrong elsewhere
 * is refused with its line. */
int results_read(const char *path, results *list, uint64_t *whole);

/* The first line of the unit with the table, scenario, settings and input of a line; NULL: none. */
const result *results_find(const results *list, const result *like);

/* Whether two lines are of units with the same table, scenario and settings. */
bool results_are_alike(const result *one, const result *other);

/* A file that units are appended to. */
typedef struct results_file {
    const char *path;
    FILE *file; /* NULL: it is not open */
    uint64_t size;
} results_file;

/* Opens or creates it for this program alone, reads what is there, and cuts off what is not
 * complete. An exit code; to be closed in any case. */
int results_open(results_file *to, const char *path, results *list);
void results_close(results_file *to);

/* Appends the lines from `first` on, all or none. An exit code. */
int results_append(results_file *to, const results *list, size_t first);

/* The lines from `first` on as text. */
void results_put(FILE *file, const results *list, size_t first, bool with_head);

/* Writes all of a list as a new file, whole or not at all. An exit code. */
int results_write(const char *path, const results *list);

/* ------------------------------------------------------------------------------- summary */

/* What a search is worth over all scenarios of one set of tables: those of one folder. */
typedef struct summary_line {
    const char *folder;
    size_t folder_size; /* of its name in `folder`, which is the path of a table; 0: none */
    size_t set;         /* the number of the folder */
    size_t place;       /* among the searches */
    const char *search;
    size_t scenario_count;        /* that have paths */
    kit_interval expansion_ratio; /* geometric means over scenarios, each of one weight */
    kit_interval speed_up;
    const result *least; /* the scenario that gains least */
    const result *least_query;
    const result *slowest;
    uint64_t expanded;
    double time_us;
    uint64_t queries;
} summary_line;

/* A search in two sets, over the scenarios that both have: how many times fewer nodes the second
 * expands, and how many times faster it is. */
typedef struct summary_pair {
    const summary_line *first, *second;
    size_t scenario_count;
    kit_interval expansion_ratio;
    kit_interval speed_up;
} summary_pair;

typedef struct summary {
    const results *from;
    summary_line *lines;
    size_t line_count;
    summary_pair *pairs;
    size_t pair_count;
    size_t set_count;  /* folders */
    size_t unit_count; /* tables with scenarios */
    uint64_t queries;
    uint64_t wrong_lengths;
    uint64_t wrong_costs;
} summary;

/* False without memory. Refers to the results; to be freed. */
bool summary_make(summary *made, const results *from);

/* Of which costs all searches agree, at the end of a sentence: every one, but perhaps of those that
 * were asked for, by a weight or a base heuristic. */
const char *summary_agreement(const summary *of);
void summary_free(summary *made);

/* Room for a folder, and for the name of a search. */
enum { SUMMARY_NAME_MAX = FILENAME_MAX + 32 };

/* Whether a line tells what one before it does: that of the first search, against which all are
 * measured, in a further set with as many scenarios. */
bool summary_repeats(const summary *of, const summary_line *line);

/* "k16: landmarks", or without the folder where there is but one, or one line tells of all sets. */
void summary_name(const summary *of, const summary_line *line, char *text, size_t size);

/* The name of a line's scenario, without its folder. */
const char *result_scenario(const result *line);

/* On standard output. False without memory. */
bool summary_print_text(const summary *of);
void summary_print_json(const summary *of);

#endif
