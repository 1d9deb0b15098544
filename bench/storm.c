/*
 * A storm of edits without any refresh: cells and small rectangles open and close at random, every
 * other edit undoes an earlier one, and queries come between them. The same queries with the table
 * of the first map, and without a table: expansions, the mean processor time of a query, which
 * contains what the edits cost searches, and that of the table divided by the other. Every cost of
 * the one is compared with that of the other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kit/kit.h"

enum {
    ROWS = 16,
    EDITS = 1000000,
    QUERIES = 4, /* in a row */
    SIDE = 3,    /* of rectangles, at most */
    KEPT = 4096  /* edits that may be undone */
};

/* Queries follow each edit at first, and so many later. */
static const unsigned long BETWEEN[] = {1, 10, 100, 1000};

enum { PARTS = sizeof BETWEEN / sizeof *BETWEEN, ROUNDS = 500 };

typedef enum storm_means { TABLE, BARE, STORM_MEANS } storm_means;

/* What an edit covered: the letters that were there. */
typedef struct undone {
    cairn_edit edit;
    char letters[SIDE * SIDE];
} undone;

typedef struct storm {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_search *searches[STORM_MEANS];
    cn_rng rng;
    undone kept[KEPT];
    double seconds[STORM_MEANS];
    double expanded[STORM_MEANS];
    unsigned long edits, queries, wrong;
    size_t next;
} storm;

static uint32_t draw_side(storm *self, uint32_t most)
{
    return 1 + cn_rng_below(&self->rng, most < SIDE ? most : SIDE);
}

/* Draws a rectangle, and notes how to undo it. */
static cairn_edit draw_edit(storm *self, undone *back)
{
    const uint32_t width = draw_side(self, cairn_map_width(self->map));
    const uint32_t height = draw_side(self, cairn_map_height(self->map));
    const uint32_t x = cn_rng_below(&self->rng, cairn_map_width(self->map) - width + 1);
    const uint32_t y = cn_rng_below(&self->rng, cairn_map_height(self->map) - height + 1);

    for (uint32_t i = 0; i < width * height; i++) {
        const cairn_node node = cairn_node_at(self->map, x + i % width, y + i / width);
        back->letters[i] = cairn_map_is_open(self->map, node) ? '.' : '@';
    }
    back->edit = cairn_patch_letters(x, y, width, height, back->letters);
    return cairn_rectangle(x, y, width, height, cn_rng_below(&self->rng, 2) ? '.' : '@');
}

static cairn_status edit_once(storm *self)
{
    undone *back = &self->kept[self->next];
    const bool undoes = self->edits >= KEPT && self->edits % 2;
    cairn_edit edit;

    if (undoes) {
        self->next = (self->next + 1) % KEPT;
        edit = back->edit;
    } else {
        edit = draw_edit(self, back);
        if (self->edits < KEPT)
            self->next = (self->next + 1) % KEPT;
    }
    self->edits++;
    return cairn_map_edit(self->map, &edit, 1);
}

static cairn_status ask_once(storm *self, const cairn_query *query)
{
    cairn_cost cost[STORM_MEANS];
    cairn_path path;

    for (unsigned i = 0; i < STORM_MEANS; i++) {
        const storm_means by = (storm_means)((self->queries + i) % STORM_MEANS);
        const double begin = bench_thread_now();
        cairn_status status = cairn_search_run(self->searches[by], query->start, query->goal,
                                               &path);
        self->seconds[by] += bench_thread_now() - begin;
        if (status != CAIRN_OK)
            return status;
        self->expanded[by] += (double)path.expanded;
        cost[by] = path.cost;
    }
    self->queries++;
    self->wrong += cost[TABLE] != cost[BARE];
    return CAIRN_OK;
}

static cairn_status storm_round(storm *self, unsigned long edits)
{
    const cairn_query *queries = cairn_scenario_queries(self->scenario);
    const uint32_t count = (uint32_t)cairn_scenario_count(self->scenario);
    cairn_status status = CAIRN_OK;

    for (unsigned long i = 0; status == CAIRN_OK && i < edits; i++)
        status = edit_once(self);
    for (unsigned i = 0; status == CAIRN_OK && i < QUERIES && count; i++)
        status = ask_once(self, &queries[cn_rng_below(&self->rng, count)]);
    return status;
}

static void print_storm(const bench_options *options, const char *name, const storm *self,
                        bool *is_first)
{
    const double count = self->queries ? (double)self->queries : 1;
    const double with = 1e6 * self->seconds[TABLE] / count;
    const double without = 1e6 * self->seconds[BARE] / count;
    const double times = without > 0 ? with / without : 1;

    if (options->json)
        printf("%s{\"map\": \"%s\", \"edits\": %lu, \"queries\": %lu, \"expanded\": %.1f, "
               "\"expanded_bare\": %.1f, \"us\": %.2f, \"us_bare\": %.2f, \"time\": %.3f, "
               "\"wrong\": %lu}",
               *is_first ? "" : ",\n", name, self->edits, self->queries,
               self->expanded[TABLE] / count, self->expanded[BARE] / count, with, without, times,
               self->wrong);
    else
        printf("%-16s %9lu %8lu %10.1f %10.1f %10.2f %10.2f %6.2f %6lu\n", name, self->edits,
               self->queries, self->expanded[TABLE] / count, self->expanded[BARE] / count, with,
               without, times, self->wrong);
    fflush(stdout);
    *is_first = false;
}

static cairn_status open_storm(storm *self, const bench_options *options, const char *name)
{
    const cairn_build_options wishes = {.size = sizeof wishes,
                                        .landmark_count = ROWS,
                                        .thread_count = 1,
                                        .resident = options->resident};

    self->rng = (cn_rng){11};
    self->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!self->map)
        return CAIRN_E_IO;
    cairn_status status = bench_load_scenario(options, name, self->map, &self->scenario);
    if (status == CAIRN_OK)
        status = cairn_table_build(self->map, &wishes, &self->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(self->map, self->table, NULL, &self->searches[TABLE]);
    return status == CAIRN_OK ? cairn_search_new(self->map, NULL, NULL, &self->searches[BARE])
                              : status;
}

static void close_storm(storm *self)
{
    for (unsigned by = 0; by < STORM_MEANS; by++)
        cairn_search_free(self->searches[by]);
    cairn_table_free(self->table);
    cairn_scenario_free(self->scenario);
    cairn_map_free(self->map);
    free(self);
}

/* As many as were promised, but on small maps not many for each cell. */
static unsigned long edits_for(const cairn_map *map)
{
    const unsigned long many = 8 * (unsigned long)cairn_map_node_count(map);
    return many < EDITS ? many : EDITS;
}

/* The rounds of each part, of which the last one goes on to the end of the storm. */
static cairn_status run_storm(const bench_options *options, const char *name, bool *is_first)
{
    storm *self = calloc(1, sizeof *self);
    cairn_status status = self ? open_storm(self, options, name) : CAIRN_E_MEMORY;
    const unsigned long edits = status == CAIRN_OK ? edits_for(self->map) : 0;

    for (unsigned part = 0; status == CAIRN_OK && part < PARTS; part++) {
        const bool is_last = part + 1 == PARTS;
        for (unsigned i = 0; status == CAIRN_OK && (is_last ? self->edits < edits : i < ROUNDS);
             i++)
            status = storm_round(self, BETWEEN[part]);
        if (status == CAIRN_OK)
            print_storm(options, name, self, is_first);
    }
    if (status == CAIRN_OK && self->wrong)
        status = CAIRN_E_INEXACT;
    if (self)
        close_storm(self);
    return status;
}

int bench_storm(const bench_options *options)
{
    if (!options->json)
        printf("%-16s %9s %8s %10s %10s %10s %10s %6s %6s\n", "map", "edits", "queries", "expanded",
               "no table", "us", "no table", "ratio", "wrong");
    return bench_run_maps(options, run_storm);
}
