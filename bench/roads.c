/* Graphs with coordinates, road networks above all: what each placement is worth, and what the
 * coordinates are beside the rows. */
#include <stdio.h>
#include <stdlib.h>

#include "kit/kit.h"

enum { PAIRS = 1000, SEEDS = 3, SEARCHES = 2, REPEATS_MAX = 101 };

typedef struct arena {
    cairn_map *map;
    cairn_node pairs[PAIRS][2];
} arena;

static const struct {
    const char *name;
    cairn_placement placement;
    uint32_t candidate_count;
} PLACEMENTS[] = {{"farthest", CAIRN_PLACE_FARTHEST, 0},    {"random", CAIRN_PLACE_RANDOM, 0},
                  {"border", CAIRN_PLACE_BORDER, 0},        {"avoid", CAIRN_PLACE_AVOID, 0},
                  {"greedy 64", CAIRN_PLACE_GREEDY, 64},    {"refined 64", CAIRN_PLACE_REFINED, 64},
                  {"refined 512", CAIRN_PLACE_REFINED, 512}};
enum { PLACEMENT_COUNT = sizeof PLACEMENTS / sizeof *PLACEMENTS };

static const uint32_t ROWS[] = {4, 8, 16};

static cairn_status open_arena(const bench_options *options, arena *here, const char *name)
{
    uint64_t state = 88172645463325252u;
    cairn_status status = bench_load_graph(options, name, &here->map);

    for (size_t i = 0; i < 2 * PAIRS && status == CAIRN_OK; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        here->pairs[i / 2][i % 2] = (cairn_node)((state >> 20) % cairn_map_node_count(here->map));
    }
    return status;
}

static cairn_status run_all(const arena *here, cairn_search *search, uint64_t *expanded)
{
    cairn_path path;
    cairn_status status = CAIRN_OK;
    *expanded = 0;
    for (size_t i = 0; i < PAIRS && status == CAIRN_OK; i++) {
        status = cairn_search_run(search, here->pairs[i][0], here->pairs[i][1], &path);
        *expanded += path.expanded;
    }
    return status;
}

/* ------------------------------------------------------------------------------- placements -- */

/* Nodes expanded by a query along tables of some seeds, and the seconds to build one. */
static cairn_status try_placement(const arena *here, unsigned which, uint32_t rows,
                                  double *expanded, double *seconds)
{
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = rows,
                                 .thread_count = 1,
                                 .placement = PLACEMENTS[which].placement,
                                 .candidate_count = PLACEMENTS[which].candidate_count};
    cairn_status status = CAIRN_OK;
    *expanded = *seconds = 0;
    for (; build.seed < SEEDS && status == CAIRN_OK; build.seed++) {
        cairn_table *table = NULL;
        cairn_search *search = NULL;
        uint64_t count = 0;
        double started = bench_thread_now();
        status = cairn_table_build(here->map, &build, &table);
        *seconds += (bench_thread_now() - started) / SEEDS;
        if (status == CAIRN_OK)
            status = cairn_search_new(here->map, table, NULL, &search);
        if (status == CAIRN_OK)
            status = run_all(here, search, &count);
        *expanded += (double)count / PAIRS / SEEDS;
        cairn_search_free(search);
        cairn_table_free(table);
    }
    return status;
}

static cairn_status print_placements(const bench_options *options, const arena *here)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        for (unsigned which = 0; which < PLACEMENT_COUNT && status == CAIRN_OK; which++) {
            double expanded, seconds;
            status = try_placement(here, which, ROWS[i], &expanded, &seconds);
            if (status == CAIRN_OK)
                printf(options->json ? "%s{\"landmarks\":%u,\"placement\":\"%s\","
                                       "\"expanded\":%.1f,\"build_ms\":%.3f}"
                                     : "%s  %2u landmarks %-12s expanded %8.1f  build %8.2f ms\n",
                       options->json && i + which > 0 ? "," : "", ROWS[i], PLACEMENTS[which].name,
                       expanded, 1e3 * seconds);
            fflush(stdout);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------ coordinates -- */

/* Rounds take turns, so that both see the same machine. */
static cairn_status time_searches(const bench_options *options, const arena *here,
                                  cairn_search *const search[SEARCHES], uint64_t expanded[SEARCHES],
                                  double micros[SEARCHES])
{
    double times[SEARCHES][REPEATS_MAX];
    cairn_status status = CAIRN_OK;
    for (unsigned round = 0; round < options->repeat; round++) {
        for (unsigned i = 0; i < SEARCHES && status == CAIRN_OK; i++) {
            double started = bench_thread_now();
            status = run_all(here, search[i], &expanded[i]);
            times[i][round] = 1e6 * (bench_thread_now() - started) / PAIRS;
        }
    }
    for (unsigned i = 0; i < SEARCHES; i++)
        micros[i] = bench_median(times[i], options->repeat);
    return status;
}

static void print_coordinates(const bench_options *options, uint32_t rows,
                              const uint64_t expanded[SEARCHES], const double micros[SEARCHES])
{
    printf(options->json ? "%s{\"landmarks\":%u,\"with\":{\"expanded\":%.1f,\"us\":%.2f},"
                           "\"without\":{\"expanded\":%.1f,\"us\":%.2f}}"
                         : "%s  %2u landmarks, with coordinates %8.1f expanded %7.2f us, "
                           "without %8.1f expanded %7.2f us\n",
           options->json && rows > 0 ? "," : "", rows, (double)expanded[0] / PAIRS, micros[0],
           (double)expanded[1] / PAIRS, micros[1]);
    fflush(stdout);
}

static cairn_status weigh_coordinates(const bench_options *options, const arena *here,
                                      uint32_t rows)
{
    cairn_build_options build = {.size = sizeof build, .landmark_count = rows, .thread_count = 1};
    cairn_search_options with = {.size = sizeof with, .heuristic = CAIRN_HEURISTIC_EUCLIDEAN};
    cairn_search_options without = {.size = sizeof without, .heuristic = CAIRN_HEURISTIC_ZERO};
    cairn_search *search[SEARCHES] = {NULL, NULL};
    cairn_table *table = NULL;
    uint64_t expanded[SEARCHES];
    double micros[SEARCHES];
    cairn_status status = rows ? cairn_table_build(here->map, &build, &table) : CAIRN_OK;

    if (status == CAIRN_OK)
        status = cairn_search_new(here->map, table, &with, &search[0]);
    if (status == CAIRN_OK)
        status = cairn_search_new(here->map, table, &without, &search[1]);
    if (status == CAIRN_OK)
        status = time_searches(options, here, search, expanded, micros);
    if (status == CAIRN_OK)
        print_coordinates(options, rows, expanded, micros);
    cairn_search_free(search[0]);
    cairn_search_free(search[1]);
    cairn_table_free(table);
    return status;
}

static int bench_network(const bench_options *options, const char *name)
{
    static const uint32_t rows[] = {0, 1, 2, 4, 16};
    arena here = {0};
    cairn_status status = open_arena(options, &here, name);

    if (status == CAIRN_OK)
        printf(options->json ? "{\"graph\":\"%s\",\"nodes\":%u,\"placements\":["
                             : "\n%s: %u nodes\n",
               name, cairn_map_node_count(here.map));
    if (status == CAIRN_OK)
        status = print_placements(options, &here);
    if (options->json)
        printf("],\"coordinates\":[");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == CAIRN_OK; i++)
        status = weigh_coordinates(options, &here, rows[i]);
    if (options->json)
        printf("]}");
    cairn_map_free(here.map);
    return status == CAIRN_OK ? 0 : bench_failed(name, status);
}

int bench_roads(const bench_options *options)
{
    int code = 0;
    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    for (size_t i = 0; i < options->map_count && code == 0; i++) {
        if (options->json && i > 0)
            printf(",");
        code = bench_network(options, options->maps[i]);
    }
    return code;
}
