/*
 * Maps in two halves, each with landmarks of its own, between which a door opens and closes: real
 * maps with a wall from top to bottom through the middle, as squares and hexagons, level and with
 * terrain in patches.
 *
 * Right after the door has opened random queries from the left half to the right one: the first
 * one, and all in the mean, with the table as it was, once it is refreshed, and without a table.
 * Then the refreshes after the door has opened and after it has closed, in steps of 200
 * microseconds: the longest step and all of them, beside a build. Every cost is compared with a
 * flood's, and every table is verified.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/kit.h"

enum { ROWS = 16, QUERIES = 100, BUDGET = 200, DOOR = 3, PATCH = 16, FACTORS = 5, TRIES = 100000 };

typedef struct ground {
    const char *name;
    cairn_rule rule;
    bool has_terrain;
    cairn_charge charge;
} ground;

static const ground GROUNDS[] = {
    {"squares", CAIRN_RULE_8, false, CAIRN_CHARGE_ENTERED},
    {"hexagons", CAIRN_RULE_HEX, false, CAIRN_CHARGE_ENTERED},
    {"terrain, mean", CAIRN_RULE_8, true, CAIRN_CHARGE_AVERAGE},
    {"terrain, entered", CAIRN_RULE_8, true, CAIRN_CHARGE_ENTERED},
    {"hexagons, entered", CAIRN_RULE_HEX, true, CAIRN_CHARGE_ENTERED},
};

/* How queries are answered. */
typedef enum means { AS_IT_WAS, REFRESHED, NO_TABLE, MEANS } means;

typedef struct halves {
    cairn_map *map;
    cairn_table *table;
    cairn_node door; /* its first cell */
    cairn_node starts[QUERIES], goals[QUERIES];
    cairn_cost costs[QUERIES]; /* of floods */
    double build;              /* seconds */
} halves;

/* What was measured, in seconds. */
typedef struct figures {
    double first, queries[MEANS];
    uint64_t expanded[MEANS];
    double longest_open, open, longest_close, close;
    unsigned wrong;
} figures;

static char letter_of(const cairn_map *map, const ground *kind, uint32_t x, uint32_t y)
{
    if (!cairn_map_is_open(map, cairn_node_at(map, x, y)) || x == cairn_map_width(map) / 2)
        return '@';
    return kind->has_terrain ? (char)('1' + (x / PATCH * 7 + y / PATCH * 3) % FACTORS) : '.';
}

/* The map as such ground, with a wall. */
static cairn_status draw(const cairn_map *map, const ground *kind, cairn_map **drawn)
{
    const uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
    cairn_alphabet alphabet;
    char *letters = malloc((size_t)width * height);

    if (!letters)
        return CAIRN_E_MEMORY;
    cairn_alphabet_init(&alphabet);
    for (unsigned i = 0; i < FACTORS; i++)
        alphabet.cost['1' + i] = (uint16_t)(1 + i);
    for (uint32_t i = 0; i < width * height; i++)
        letters[i] = letter_of(map, kind, i % width, i / width);
    const cairn_map_options options = {.size = sizeof options,
                                       .rule = kind->rule,
                                       .charge = kind->charge,
                                       .alphabet = kind->has_terrain ? &alphabet : NULL};
    const cairn_status status = cairn_map_from_letters(width, height, letters, &options, drawn,
                                                       NULL);
    free(letters);
    return status;
}

static cairn_status set_door(const halves *self, bool is_open)
{
    const uint32_t width = cairn_map_width(self->map);
    const cairn_edit edit = cairn_rectangle(self->door % width, self->door / width, 1, DOOR,
                                            is_open ? '.' : '@');
    return cairn_map_edit(self->map, &edit, 1);
}

/* Draws a cell that is connected with one on its side of the wall. */
static cairn_node draw_connected(const cairn_map *map, cairn_node with, cn_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        const cairn_node node = cn_rng_below(rng, cairn_map_node_count(map));
        if (cairn_map_is_open(map, node) && cairn_connected(map, node, with))
            return node;
    }
    return CAIRN_NO_NODE;
}

/* How many of some random cells are connected with a cell; 0 for a blocked one. */
static unsigned sample_connected(const cairn_map *map, cairn_node with)
{
    enum { SAMPLE = 256 };
    cn_rng rng = {1};
    unsigned count = 0;
    for (unsigned i = 0; i < SAMPLE; i++)
        count += cairn_connected(map, cn_rng_below(&rng, cairn_map_node_count(map)), with);
    return count;
}

/* The door goes where the smaller of the parts that it connects is largest. */
static bool find_door(halves *self)
{
    const uint32_t width = cairn_map_width(self->map), height = cairn_map_height(self->map);
    unsigned most = 0;
    for (uint32_t y = 1; y + DOOR < height; y++) {
        const cairn_node node = cairn_node_at(self->map, width / 2, y);
        const unsigned left = sample_connected(self->map, node - 1);
        const unsigned right = sample_connected(self->map, node + 1);
        const unsigned least = left < right ? left : right;
        self->door = least > most ? node : self->door;
        most = least > most ? least : most;
    }
    return most > 0;
}

static cairn_status draw_queries(halves *self)
{
    cn_rng rng = {1};
    for (unsigned i = 0; i < QUERIES; i++) {
        self->starts[i] = draw_connected(self->map, self->door - 1, &rng);
        self->goals[i] = draw_connected(self->map, self->door + 1, &rng);
        if (self->starts[i] == CAIRN_NO_NODE || self->goals[i] == CAIRN_NO_NODE)
            return CAIRN_E_ARGUMENT;
    }
    return CAIRN_OK;
}

/* The costs of the queries once the door is open. */
static cairn_status flood_queries(halves *self)
{
    cairn_cost *costs = malloc(cairn_map_node_count(self->map) * sizeof *costs);
    cairn_status status = costs ? CAIRN_OK : CAIRN_E_MEMORY;
    for (unsigned i = 0; i < QUERIES && status == CAIRN_OK; i++) {
        status = cairn_costs_to(self->map, &self->goals[i], 1, costs);
        self->costs[i] = status == CAIRN_OK ? costs[self->starts[i]] : 0;
    }
    free(costs);
    return status;
}

static cairn_status run_queries(const halves *self, cairn_search *search, means by, figures *out)
{
    cairn_status status = CAIRN_OK;
    cairn_path path;

    for (unsigned i = 0; i < QUERIES && status == CAIRN_OK; i++) {
        const double begin = bench_thread_now();
        status = cairn_search_run(search, self->starts[i], self->goals[i], &path);
        const double seconds = bench_thread_now() - begin;
        out->first = i == 0 && by == AS_IT_WAS ? seconds : out->first;
        out->queries[by] += seconds / QUERIES;
        out->expanded[by] += path.expanded / QUERIES;
        out->wrong += status == CAIRN_OK && path.cost != self->costs[i];
    }
    return status;
}

static cairn_status refresh(const halves *self, double *longest, double *all)
{
    cairn_status status = CAIRN_MORE;
    while (status == CAIRN_MORE) {
        const double begin = bench_thread_now();
        status = cairn_refresh_step(self->table, self->map, CAIRN_MICROSECONDS(BUDGET));
        const double seconds = bench_thread_now() - begin;
        *longest = seconds > *longest ? seconds : *longest;
        *all += seconds;
    }
    return status == CAIRN_OK ? cairn_table_verify(self->table, self->map, 1, NULL) : status;
}

/* The searches have run before the door opens, as those of a game have. */
static cairn_status measure(halves *self, cairn_search *along, cairn_search *without, figures *out)
{
    cairn_path path;
    cairn_status status = cairn_search_run(along, self->starts[0], self->starts[1], &path);
    if (status == CAIRN_OK)
        status = cairn_search_run(without, self->starts[0], self->starts[1], &path);
    if (status == CAIRN_OK)
        status = set_door(self, true);
    if (status == CAIRN_OK)
        status = flood_queries(self);
    if (status == CAIRN_OK)
        status = run_queries(self, along, AS_IT_WAS, out);
    if (status == CAIRN_OK)
        status = run_queries(self, without, NO_TABLE, out);
    if (status == CAIRN_OK)
        status = refresh(self, &out->longest_open, &out->open);
    if (status == CAIRN_OK)
        status = run_queries(self, along, REFRESHED, out);
    if (status == CAIRN_OK)
        status = set_door(self, false);
    return status == CAIRN_OK ? refresh(self, &out->longest_close, &out->close) : status;
}

static cairn_status open_halves(halves *self, const cairn_map *map, const ground *kind)
{
    const cairn_build_options wishes = {
        .size = sizeof wishes, .landmark_count = ROWS, .thread_count = 1};
    cairn_status status = draw(map, kind, &self->map);
    if (status == CAIRN_OK && !find_door(self))
        status = CAIRN_E_ARGUMENT;
    if (status == CAIRN_OK)
        status = draw_queries(self);
    const double begin = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_table_build(self->map, &wishes, &self->table);
    self->build = bench_thread_now() - begin;
    return status;
}

static cairn_status measure_ground(const cairn_map *map, const ground *kind, double *build,
                                   figures *out)
{
    halves self = {.map = NULL};
    cairn_search *along = NULL, *without = NULL;
    cairn_status status = open_halves(&self, map, kind);
    if (status == CAIRN_OK)
        status = cairn_search_new(self.map, self.table, NULL, &along);
    if (status == CAIRN_OK)
        status = cairn_search_new(self.map, NULL, NULL, &without);
    if (status == CAIRN_OK)
        status = measure(&self, along, without, out);
    *build = self.build;
    cairn_search_free(along);
    cairn_search_free(without);
    cairn_table_free(self.table);
    cairn_map_free(self.map);
    return status;
}

static void print_figures(const bench_options *options, const char *name, const ground *kind,
                          double build, const figures *out)
{
    static bool has_printed = false;
    const double us = 1e6, ms = 1e3;
    const double *q = out->queries;
    const unsigned long long expanded[MEANS] = {out->expanded[AS_IT_WAS], out->expanded[REFRESHED],
                                                out->expanded[NO_TABLE]};
    if (options->json)
        printf("%s{\"map\": \"%s\", \"ground\": \"%s\", \"first_us\": %.1f, \"as_it_was_us\": "
               "%.1f, \"refreshed_us\": %.1f, \"no_table_us\": %.1f, \"as_it_was_expanded\": %llu, "
               "\"refreshed_expanded\": %llu, \"no_table_expanded\": %llu, \"longest_open_ms\": "
               "%.3f, \"open_ms\": %.3f, \"longest_close_ms\": %.3f, \"close_ms\": %.3f, "
               "\"build_ms\": %.3f, \"wrong\": %u}",
               has_printed ? ",\n" : "\n", name, kind->name, out->first * us, q[AS_IT_WAS] * us,
               q[REFRESHED] * us, q[NO_TABLE] * us, expanded[AS_IT_WAS], expanded[REFRESHED],
               expanded[NO_TABLE], out->longest_open * ms, out->open * ms, out->longest_close * ms,
               out->close * ms, build * ms, out->wrong);
    else
        printf("%-16s %-18s %7.0f %7.0f %7.0f %7.0f %7llu %7llu %7llu %8.2f %7.1f %8.2f %7.1f "
               "%7.1f %5u\n",
               name, kind->name, out->first * us, q[AS_IT_WAS] * us, q[REFRESHED] * us,
               q[NO_TABLE] * us, expanded[AS_IT_WAS], expanded[REFRESHED], expanded[NO_TABLE],
               out->longest_open * ms, out->open * ms, out->longest_close * ms, out->close * ms,
               build * ms, out->wrong);
    fflush(stdout);
    has_printed = true;
}

static cairn_status run_map(const bench_options *options, const char *name)
{
    cairn_map *map = bench_load_map(options, name, (cairn_metric){0, 0});
    cairn_status status = map ? CAIRN_OK : CAIRN_E_IO;
    for (size_t i = 0; status == CAIRN_OK && i < sizeof GROUNDS / sizeof *GROUNDS; i++) {
        figures out = {.first = 0};
        double build = 0;
        status = measure_ground(map, &GROUNDS[i], &build, &out);
        if (status == CAIRN_OK)
            print_figures(options, name, &GROUNDS[i], build, &out);
        status = status == CAIRN_OK && out.wrong ? CAIRN_E_INEXACT : status;
    }
    cairn_map_free(map);
    return status;
}

int bench_halves(const bench_options *options)
{
    if (!options->json)
        printf("%-16s %-18s %7s %7s %7s %7s %7s %7s %7s %8s %7s %8s %7s %7s %5s\n"
               "%-16s %-18s %7s %7s %7s %7s %7s %7s %7s %8s %7s %8s %7s %7s %5s\n",
               "", "", "first", "as it", "after", "no", "", "", "", "longest", "all", "longest",
               "all", "", "", "map", "ground", "us", "was us", "us", "table", "expand", "after",
               "none", "open ms", "ms", "close ms", "ms", "build", "wrong");
    for (size_t i = 0; i < options->map_count; i++) {
        const cairn_status status = run_map(options, options->maps[i]);
        if (status != CAIRN_OK)
            return bench_failed(options->maps[i], status);
    }
    return 0;
}
