/*
 * Traffic on a graph: arcs become dearer than they were for the table, and nothing is refreshed.
 * Delling and Wagner, "Landmark-based routing in dynamic graphs", 2007, leave a table alone as long
 * as no arc costs less than it did for it. More arcs of all rise with each step; in the last one
 * some fall to half of what they were for the table. Queries along the table, beside the base
 * heuristic alone, and the first one, which finds out what the edits mean for the table.
 *
 * A query is counted as wrong if its cost is not that of the base heuristic.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/kit.h"

enum { ROWS = 16, PAIRS = 500, REPEATS_MOST = 32 };

/* By step: how many of 1,000 arcs become dearer, by up to their own cost; how many arcs fall. */
static const struct {
    unsigned rise;
    unsigned fall;
} STEPS[] = {{0, 0}, {10, 0}, {50, 0}, {200, 0}, {1000, 0}, {0, 8}};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

typedef struct traffic_arena {
    const char *name;
    cairn_map *map;
    cairn_table *table;
    cairn_search *with, *without;
    cairn_arc *arcs; /* at first */
    size_t arc_count;
    cairn_edit *edits;
    cairn_node pairs[PAIRS][2];
    cn_rng rng;
} traffic_arena;

/* What was measured after one step. */
typedef struct traffic_figures {
    size_t edited;
    double edit_us, first_us;
    double us[2][REPEATS_MOST]; /* a query with the table, and without */
    uint64_t expanded[2];
    uint64_t rows;
    unsigned wrong;
} traffic_figures;

static cairn_status list_arcs(traffic_arena *arena)
{
    const uint32_t nodes = cairn_map_node_count(arena->map);
    size_t count = 0;

    for (cairn_node node = 0; node < nodes; node++)
        count += cairn_steps(arena->map, node, NULL, 0);
    arena->arcs = malloc((count + 1) * sizeof *arena->arcs);
    arena->edits = malloc((count + 1) * sizeof *arena->edits);
    if (!arena->arcs || !arena->edits)
        return CAIRN_E_MEMORY;
    for (cairn_node node = 0; node < nodes; node++)
        arena->arc_count += cairn_steps(arena->map, node, arena->arcs + arena->arc_count,
                                        (uint32_t)(count - arena->arc_count));
    for (size_t i = 0; i < 2 * PAIRS; i++)
        arena->pairs[i / 2][i % 2] = cn_rng_below(&arena->rng, nodes);
    return CAIRN_OK;
}

static cairn_status open_arena(traffic_arena *arena, const bench_options *options)
{
    const cairn_build_options wishes = {
        .size = sizeof wishes, .landmark_count = ROWS, .thread_count = 1};
    cairn_status status = bench_load_graph(options, arena->name, &arena->map);

    if (status == CAIRN_OK)
        status = list_arcs(arena);
    if (status == CAIRN_OK)
        status = cairn_table_build(arena->map, &wishes, &arena->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, NULL, &arena->with);
    return status == CAIRN_OK ? cairn_search_new(arena->map, NULL, NULL, &arena->without) : status;
}

static void close_arena(traffic_arena *arena)
{
    cairn_search_free(arena->with);
    cairn_search_free(arena->without);
    cairn_table_free(arena->table);
    cairn_map_free(arena->map);
    free(arena->arcs);
    free(arena->edits);
}

static cairn_edit edit_arc(const cairn_arc *arc, cairn_cost cost)
{
    return cairn_arc_cost(arc->from, arc->to, cost);
}

static size_t choose_edits(traffic_arena *arena, unsigned step)
{
    size_t count = 0;
    for (size_t i = 0; i < arena->arc_count; i++) {
        const cairn_arc *arc = &arena->arcs[i];
        if (cn_rng_below(&arena->rng, 1000) < STEPS[step].rise)
            arena->edits[count++] = edit_arc(arc,
                                             arc->cost + cn_rng_below(&arena->rng, arc->cost) + 1);
    }
    for (unsigned i = 0; i < STEPS[step].fall && arena->arc_count; i++) {
        const cairn_arc *arc = &arena->arcs[cn_rng_below(&arena->rng, (uint32_t)arena->arc_count)];
        arena->edits[count++] = edit_arc(arc, arc->cost / 2 + 1);
    }
    return count;
}

static cairn_status edit_and_ask(traffic_arena *arena, unsigned step, traffic_figures *found)
{
    cairn_path path;
    found->edited = choose_edits(arena, step);
    const double begin = bench_thread_now();
    cairn_status status = cairn_map_edit(arena->map, arena->edits, found->edited);
    const double middle = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_search_run(arena->with, arena->pairs[0][0], arena->pairs[0][1], &path);
    found->edit_us = 1e6 * (middle - begin);
    found->first_us = 1e6 * (bench_thread_now() - middle);
    return status;
}

/* All queries, in one round; the costs are noted or compared. */
static cairn_status ask_all(const traffic_arena *arena, bool with, unsigned round,
                            traffic_figures *found, cairn_cost *costs)
{
    cairn_search *search = with ? arena->with : arena->without;
    cairn_status status = CAIRN_OK;
    cairn_path path;

    found->expanded[!with] = found->rows = 0;
    const double begin = bench_thread_now();
    for (size_t i = 0; i < PAIRS && status == CAIRN_OK; i++) {
        status = cairn_search_run(search, arena->pairs[i][0], arena->pairs[i][1], &path);
        found->expanded[!with] += path.expanded;
        found->rows += path.row_count;
        found->wrong += with && path.cost != costs[i];
        costs[i] = path.cost;
    }
    found->us[!with][round] = 1e6 * (bench_thread_now() - begin) / PAIRS;
    return status;
}

static void print_step(const bench_options *options, const traffic_arena *arena, unsigned step,
                       traffic_figures *found, bool *is_first)
{
    const double with = bench_median(found->us[0], options->repeat);
    const double without = bench_median(found->us[1], options->repeat);
    const double expanded = (double)found->expanded[0] / PAIRS;
    const double plain = (double)found->expanded[1] / PAIRS;
    const char *form = options->json
                           ? "%s{\"map\": \"%s\", \"dearer\": %u, \"fallen\": %u, \"edited\": %zu, "
                             "\"edit_us\": %.1f, \"first_us\": %.1f, \"rows\": %.1f, \"us\": %.2f, "
                             "\"expanded\": %.1f, \"base_us\": %.2f, \"base_expanded\": %.1f, "
                             "\"wrong\": %u}"
                           : "%s%-22s %5u %4u %7zu %9.1f %9.1f %5.1f %9.2f %9.1f %9.2f %9.1f %5u\n";

    printf(form, options->json && !*is_first ? ",\n" : "", arena->name, STEPS[step].rise,
           STEPS[step].fall, found->edited, found->edit_us, found->first_us,
           (double)found->rows / PAIRS, with, expanded, without, plain, found->wrong);
    fflush(stdout);
    *is_first = false;
}

static cairn_status run_step(const bench_options *options, traffic_arena *arena, unsigned step,
                             bool *is_first)
{
    traffic_figures *found = calloc(1, sizeof *found);
    cairn_cost *costs = malloc(PAIRS * sizeof *costs);
    cairn_status status = found && costs ? edit_and_ask(arena, step, found) : CAIRN_E_MEMORY;

    for (unsigned round = 0; round < options->repeat && status == CAIRN_OK; round++) {
        status = ask_all(arena, false, round, found, costs);
        if (status == CAIRN_OK)
            status = ask_all(arena, true, round, found, costs);
    }
    if (status == CAIRN_OK)
        print_step(options, arena, step, found, is_first);
    if (status == CAIRN_OK && found->wrong)
        status = CAIRN_E_INEXACT;
    free(found);
    free(costs);
    return status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    traffic_arena arena = {.name = name, .rng = {5}};
    cairn_status status = open_arena(&arena, options);

    for (unsigned step = 0; step < STEP_COUNT && status == CAIRN_OK; step++)
        status = run_step(options, &arena, step, is_first);
    close_arena(&arena);
    return status;
}

int bench_traffic(const bench_options *options)
{
    if (options->repeat > REPEATS_MOST)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("%-22s %5s %4s %7s %9s %9s %5s %9s %9s %9s %9s %5s\n", "graph", "rose", "fell",
               "edited", "edit us", "first us", "rows", "query us", "expanded", "no table",
               "expanded", "wrong");
    return bench_run_maps(options, run_map);
}
