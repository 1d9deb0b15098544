/*
 * Scenarios of version 2, whose map changes between queries: edits, refreshing and queries share
 * one time, as in the dynamic track of the Grid-Based Path Planning Competition. The same scenario
 * without a table, and with one that is repaired after every change, rebuilt, refreshed between
 * queries where that is worth it, and left as it is. Milliseconds of processor time, without the
 * build of the table; every cost is compared with that of the base heuristic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

enum { ROWS = 16, ROUNDS_MOST = 32 };

typedef enum dynamic_means {
    BARE,
    REPAIRED,
    REBUILT,
    WORTH_IT,
    NEVER,
    DYNAMIC_MEANS
} dynamic_means;

static const char *const NAMES[] = {"base heuristic", "repaired", "rebuilt", "when worth it",
                                    "never refreshed"};

typedef enum dynamic_part { EDITS, REFRESH, QUERIES, TOGETHER, DYNAMIC_PARTS } dynamic_part;

/* The rounds of one way. */
typedef struct dynamic_runs {
    double ms[DYNAMIC_PARTS][ROUNDS_MOST];
    unsigned long long expanded;
    unsigned long long rows; /* used, over all queries */
} dynamic_runs;

/* One run through a scenario. */
typedef struct dynamic_run {
    dynamic_means by;
    cairn_resident resident;
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    cairn_edit *edits;
    cairn_cost *costs; /* by query, those of the base heuristic */
    size_t asked;
    size_t wrong;
    double seconds[DYNAMIC_PARTS];
    dynamic_runs *sum;
} dynamic_run;

static cairn_status open_run(dynamic_run *self, const cairn_dynamic *scenario)
{
    const uint32_t width = cairn_dynamic_width(scenario), height = cairn_dynamic_height(scenario);
    const size_t count = (size_t)width * height;
    const cairn_build_options wishes = {.size = sizeof wishes,
                                        .landmark_count = ROWS,
                                        .thread_count = 1,
                                        .resident = self->resident};
    const cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_CORNERS};
    char *letters = malloc(count);

    self->edits = malloc(cairn_dynamic_count(scenario) * sizeof *self->edits);
    if (!letters || !self->edits) {
        free(letters);
        return CAIRN_E_MEMORY;
    }
    memset(letters, '.', count);
    cairn_status status = cairn_map_from_letters(width, height, letters, NULL, &self->map, NULL);
    free(letters);
    if (status == CAIRN_OK && self->by != BARE)
        status = cairn_table_build(self->map, &wishes, &self->table);
    return status == CAIRN_OK ? cairn_search_new(self->map, self->table, &options, &self->search)
                              : status;
}

static void close_run(dynamic_run *self)
{
    cairn_search_free(self->search);
    cairn_table_free(self->table);
    cairn_map_free(self->map);
    free(self->edits);
}

static cairn_status ask_event(dynamic_run *self, const cairn_query *query)
{
    cairn_path path;
    const double begin = bench_thread_now();
    cairn_status status = cairn_search_run(self->search, query->start, query->goal, &path);
    const double middle = bench_thread_now();

    self->seconds[QUERIES] += middle - begin;
    if (status != CAIRN_OK)
        return status;
    if (self->by == WORTH_IT)
        status = cairn_refresh_as_it_pays(self->table, self->map, &path);
    self->seconds[REFRESH] += bench_thread_now() - middle;
    if (self->by == BARE)
        self->costs[self->asked] = path.cost;
    self->wrong += self->costs[self->asked++] != path.cost;
    self->sum->expanded += path.expanded;
    self->sum->rows += path.row_count;
    return status == CAIRN_MORE ? CAIRN_OK : status;
}

static cairn_status edit_and_refresh(dynamic_run *self, size_t count)
{
    const double begin = bench_thread_now();
    cairn_status status = cairn_map_edit(self->map, self->edits, count);
    const double middle = bench_thread_now();

    self->seconds[EDITS] += middle - begin;
    if (status == CAIRN_OK && self->by == REPAIRED)
        status = cairn_refresh_step(self->table, self->map, CAIRN_UNLIMITED);
    if (status == CAIRN_OK && self->by == REBUILT)
        status = cairn_table_rebuild(self->table, self->map);
    self->seconds[REFRESH] += bench_thread_now() - middle;
    return status;
}

/* Edits that follow one another are one change. */
static cairn_status run_events(dynamic_run *self, const cairn_dynamic *scenario)
{
    const cairn_event *events = cairn_dynamic_events(scenario);
    const size_t count = cairn_dynamic_count(scenario);
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < count && status == CAIRN_OK;) {
        size_t changes = 0;
        while (i < count && events[i].kind == CAIRN_EVENT_EDIT)
            self->edits[changes++] = events[i++].edit;
        if (changes)
            status = edit_and_refresh(self, changes);
        else
            status = ask_event(self, &events[i++].query);
    }
    return status;
}

static cairn_status run_once(dynamic_run self, const cairn_dynamic *scenario, unsigned round)
{
    dynamic_runs *sum = self.sum;

    sum->expanded = sum->rows = 0;
    cairn_status status = open_run(&self, scenario);
    if (status == CAIRN_OK)
        status = run_events(&self, scenario);
    close_run(&self);
    self.seconds[TOGETHER] = self.seconds[EDITS] + self.seconds[REFRESH] + self.seconds[QUERIES];
    for (unsigned part = 0; part < DYNAMIC_PARTS; part++)
        sum->ms[part][round] = 1e3 * self.seconds[part];
    return status == CAIRN_OK && self.wrong ? CAIRN_E_INEXACT : status;
}

/* Together, divided by the same round of the fastest of the ways that know no counts. */
static double beside_least(const dynamic_runs *all, unsigned by, unsigned rounds)
{
    double ratios[ROUNDS_MOST];
    for (unsigned round = 0; round < rounds; round++) {
        double least = all[BARE].ms[TOGETHER][round];
        for (unsigned other = REPAIRED; other <= REBUILT; other++) {
            const double ms = all[other].ms[TOGETHER][round];
            least = ms < least ? ms : least;
        }
        ratios[round] = least > 0 ? all[by].ms[TOGETHER][round] / least : 1;
    }
    return bench_median(ratios, rounds);
}

static void print_way(const bench_options *options, const char *name, dynamic_runs *all,
                      unsigned by, unsigned rounds, bool *is_first)
{
    const double times = beside_least(all, by, rounds);
    double ms[DYNAMIC_PARTS];

    for (unsigned part = 0; part < DYNAMIC_PARTS; part++) {
        double copy[ROUNDS_MOST];
        memcpy(copy, all[by].ms[part], rounds * sizeof *copy);
        ms[part] = bench_median(copy, rounds);
    }
    if (options->json)
        printf("%s{\"map\": \"%s\", \"refresh\": \"%s\", \"edits_ms\": %.2f, \"refresh_ms\": %.2f, "
               "\"queries_ms\": %.2f, \"together_ms\": %.2f, \"expanded\": %llu, \"rows\": %llu, "
               "\"beside_least\": %.3f}",
               *is_first ? "" : ",\n", name, NAMES[by], ms[EDITS], ms[REFRESH], ms[QUERIES],
               ms[TOGETHER], all[by].expanded, all[by].rows, times);
    else
        printf("%-26s %-16s %8.1f %8.1f %8.1f %9.1f %10llu %7.2f\n", name, NAMES[by], ms[EDITS],
               ms[REFRESH], ms[QUERIES], ms[TOGETHER], all[by].expanded, times);
    fflush(stdout);
    *is_first = false;
}

static cairn_status run_rounds(const bench_options *options, const cairn_dynamic *scenario,
                               unsigned rounds, dynamic_runs *all)
{
    cairn_cost *costs = malloc((cairn_dynamic_count(scenario) + 1) * sizeof *costs);
    cairn_status status = costs ? CAIRN_OK : CAIRN_E_MEMORY;

    for (unsigned round = 0; status == CAIRN_OK && round < rounds; round++) {
        for (dynamic_means by = 0; status == CAIRN_OK && by < DYNAMIC_MEANS; by++) {
            const dynamic_run run = {
                .by = by, .resident = options->resident, .costs = costs, .sum = &all[by]};
            status = run_once(run, scenario, round);
        }
    }
    free(costs);
    return status;
}

static cairn_status run_scenario(const bench_options *options, const char *name, bool *is_first)
{
    static dynamic_runs all[DYNAMIC_MEANS];
    cairn_dynamic *scenario;
    char path[4096];

    snprintf(path, sizeof path, "%s/movingai/%s.scen", options->data, name);
    cairn_status status = cairn_dynamic_load(path, &scenario, NULL);
    if (status != CAIRN_OK)
        return status;
    status = run_rounds(options, scenario, options->repeat, all);
    for (unsigned by = 0; status == CAIRN_OK && by < DYNAMIC_MEANS; by++)
        print_way(options, name, all, by, options->repeat, is_first);
    cairn_dynamic_free(scenario);
    return status;
}

int bench_dynamic(const bench_options *options)
{
    if (options->repeat > ROUNDS_MOST)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("%-26s %-16s %8s %8s %8s %9s %10s %7s\n", "scenario", "table", "edits", "refresh",
               "queries", "together", "expanded", "ratio");
    return bench_run_maps(options, run_scenario);
}
