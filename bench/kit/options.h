/* The words after a subject on the command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdio.h>

#include "kit/kit.h"

enum { BENCH_MAPS_MAX = 256 }; /* room of bench_options.maps */

/* The options that not all subjects know. */
enum {
    BENCH_EVERY_MAP = 1,
    BENCH_EVERY_ENGINE = 2,
    BENCH_EVERY_QUERY = 4,
    BENCH_RESIDENT = 8,
    BENCH_COLD = 16,
    BENCH_ALL_PAIRS = 32,
    BENCH_REPEAT = 64
};

/* Reads options, up to NULL; `known` are those of the list above that the subject knows. False,
 * with a line on stderr, for one that is not understood. */
bool bench_parse(const char *subject, unsigned known, char **words, bench_options *options);

/* Takes all maps of the data folder; their names are never freed. */
void bench_take_every_map(bench_options *options);

/* For the help: words from a column on, after `length` characters of their first line; the names of
 * options of a set, on one line; and all options with their words. */
void bench_print_words(FILE *to, int length, int column, const char *words);
void bench_print_names(FILE *to, int column, unsigned known);
void bench_print_options(FILE *to);

#endif
