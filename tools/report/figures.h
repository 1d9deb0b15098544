/* The charts of the report, each with its numbers as a table below. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include <stdio.h>

#include "compare/compare.h"

/* Queries worth a picture: found, and among the harder half for the base heuristic. Indices; all
 * equal when there is but one; false when there is none. */
typedef struct picks {
    size_t best;
    size_t median;
    size_t worst;
} picks;

bool figures_pick(const comparison *work, picks *chosen);

/* One of both: what is a length in steps on a grid is a cost on a graph. */
const char *figure_words(const comparison *work, const char *of_grid, const char *of_graph);

/* Each writes a figure. False when there was no memory. */
bool figure_scatter(const comparison *work, FILE *file);
bool figure_by_length(const comparison *work, FILE *file);
bool figure_histogram(const comparison *work, FILE *file);
bool figure_times(const comparison *work, FILE *file);

/* What its lines say, as far as they are there. */
void figure_times_caption(const comparison *work, char *text, size_t size);

/* About one query: nodes expanded up to each cost, and costs and bounds along its path. */
cairn_status figure_explored(const comparison *work, size_t query, FILE *file);
cairn_status figure_along_path(const comparison *work, size_t query, FILE *file);

#endif
