/*
 * Queries of a scenario right after walls were opened, with the table as it was: nothing is
 * refreshed. Beside them the same queries with a table that was rebuilt, and without a table. The
 * search along the old table has answered all of them before, as that of a game would have.
 *
 * The openings are straight, at most three cells long, and lead through walls between two cells
 * that are at least 60 straight steps apart. Each number of them is drawn several times; the
 * expansions and the time of all queries are divided by those with the rebuilt table, and the
 * figures are medians over the draws. Every cost is compared with that of a flood.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "base/rng.h"

enum {
    ROWS = 16,
    EVERY = 20, /* lines of the scenario */
    APART = 60, /* straight steps */
    WALL = 3,   /* cells */
    DRAWS = 9,
    TRIES = 4000000,      /* to find a wall */
    TRIES_PER_CELL = 100, /* after which hardly any cell was left out */
    TIMES = 3             /* each query: the least time counts */
};

static const unsigned COUNTS[] = {1, 4, 16};

/* How a query is answered. */
typedef enum means { REBUILT, BEHIND, BARE, MEANS } means;

typedef struct openings_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_cost *costs;
    cn_rng rng;
    const char *name;
    bool json;
    bool *is_first;
} openings_arena;

typedef struct totals {
    double expanded[MEANS];
    double seconds[MEANS];
    unsigned wrong;
} totals;

/* An opening through the wall at a blocked cell, to the right or downwards. */
static bool choose_wall(const openings_arena *arena, cairn_node at, bool is_down, cairn_edit *edit)
{
    const cairn_map *map = arena->map;
    const uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
    const uint32_t x = at % width, y = at / width, step = is_down ? width : 1;
    const uint32_t room = is_down ? height - 1 - y : width - 1 - x;
    uint32_t length = 1;
    cairn_bound bound;

    if ((is_down ? y : x) == 0 || cairn_map_is_open(map, at) || !cairn_map_is_open(map, at - step))
        return false;
    while (length <= WALL && length < room && !cairn_map_is_open(map, at + length * step))
        length++;
    if (length > WALL || length > room || !cairn_map_is_open(map, at + length * step) ||
        cairn_bound_to(map, arena->table, at - step, &bound) != CAIRN_OK)
        return false;
    cairn_cost apart = cairn_bound_at(&bound, at + length * step);
    *edit = cairn_rectangle(x, y, is_down ? 1 : length, is_down ? length : 1, '.');
    return apart != CAIRN_UNREACHABLE && apart >= APART * cairn_map_metric(map).straight;
}

/* Opens walls of a copy of the map; fewer where the map has hardly any. */
static cairn_status open_walls(openings_arena *arena, cairn_map *map, unsigned count)
{
    cairn_status status = CAIRN_OK;
    const uint64_t enough = TRIES_PER_CELL * (uint64_t)cairn_map_node_count(map);
    for (unsigned i = 0; status == CAIRN_OK && count && i < TRIES && i < enough; i++) {
        cairn_edit edit;
        cairn_node at = cn_rng_below(&arena->rng, cairn_map_node_count(map));
        if (!choose_wall(arena, at, cn_rng_below(&arena->rng, 2), &edit))
            continue;
        status = cairn_map_edit(map, &edit, 1);
        count--;
    }
    return status;
}

static cairn_status time_query(cairn_search *search, const cairn_query *query, means by,
                               totals *sum, cairn_cost *cost)
{
    double least = 0;
    cairn_path path;

    for (unsigned i = 0; i < TIMES; i++) {
        double begin = bench_thread_now();
        cairn_status status = cairn_search_run(search, query->start, query->goal, &path);
        double seconds = bench_thread_now() - begin;
        if (status != CAIRN_OK)
            return status;
        least = i == 0 || seconds < least ? seconds : least;
    }
    sum->seconds[by] += least;
    sum->expanded[by] += (double)path.expanded;
    *cost = path.cost;
    return CAIRN_OK;
}

static cairn_status run_queries(openings_arena *arena, const cairn_map *map,
                                cairn_search *const *searches, totals *sum)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; status == CAIRN_OK && i < count; i += EVERY) {
        status = cairn_costs_to(map, &queries[i].goal, 1, arena->costs);
        for (means by = 0; status == CAIRN_OK && by < MEANS; by++) {
            cairn_cost cost;
            status = time_query(searches[by], &queries[i], by, sum, &cost);
            sum->wrong += status == CAIRN_OK && cost != arena->costs[queries[i].start];
        }
    }
    return status;
}

static cairn_status rebuild_copy(const openings_arena *arena, const cairn_map *map,
                                 cairn_table **rebuilt)
{
    cairn_status status = cairn_table_clone(arena->table, rebuilt);
    return status == CAIRN_OK ? cairn_table_rebuild(*rebuilt, map) : status;
}

/* What a search finds out for later queries, it knows. */
static cairn_status run_before(const openings_arena *arena, cairn_search *search)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    cairn_status status = CAIRN_OK;
    cairn_path path;

    for (size_t i = 0; status == CAIRN_OK && i < count; i += EVERY)
        status = cairn_search_run(search, queries[i].start, queries[i].goal, &path);
    return status;
}

static cairn_status run_opened(openings_arena *arena, cairn_map *map, unsigned count, totals *sum)
{
    cairn_search *searches[MEANS] = {NULL};
    cairn_table *rebuilt = NULL;
    cairn_status status = cairn_search_new(map, arena->table, NULL, &searches[BEHIND]);

    if (status == CAIRN_OK)
        status = run_before(arena, searches[BEHIND]);
    if (status == CAIRN_OK)
        status = open_walls(arena, map, count);
    if (status == CAIRN_OK)
        status = rebuild_copy(arena, map, &rebuilt);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, rebuilt, NULL, &searches[REBUILT]);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, NULL, NULL, &searches[BARE]);
    if (status == CAIRN_OK)
        status = run_queries(arena, map, searches, sum);
    for (means by = 0; by < MEANS; by++)
        cairn_search_free(searches[by]);
    cairn_table_free(rebuilt);
    return status;
}

static cairn_status run_draw(openings_arena *arena, unsigned count, totals *sum)
{
    cairn_map *map = NULL;
    cairn_status status = cairn_map_clone(arena->map, &map);

    if (status == CAIRN_OK)
        status = run_opened(arena, map, count, sum);
    cairn_map_free(map);
    return status;
}

typedef struct ratios {
    double expanded[MEANS][DRAWS];
    double seconds[MEANS][DRAWS];
} ratios;

static void print_ratios(const openings_arena *arena, unsigned count, ratios *all, unsigned wrong)
{
    const double behind = bench_median(all->expanded[BEHIND], DRAWS);
    const double bare = bench_median(all->expanded[BARE], DRAWS);
    const double behind_time = bench_median(all->seconds[BEHIND], DRAWS);
    const double bare_time = bench_median(all->seconds[BARE], DRAWS);
    if (arena->json)
        printf("%s{\"map\": \"%s\", \"openings\": %u, \"expanded\": %.3f, \"expanded_bare\": %.3f, "
               "\"time\": %.3f, \"time_bare\": %.3f, \"wrong\": %u}",
               *arena->is_first ? "" : ",\n", arena->name, count, behind, bare, behind_time,
               bare_time, wrong);
    else
        printf("%-16s %8u %10.2f %10.2f %10.2f %10.2f %8u\n", arena->name, count, behind, bare,
               behind_time, bare_time, wrong);
    fflush(stdout);
    *arena->is_first = false;
}

static double divided(double value, double by)
{
    return by > 0 ? value / by : 1;
}

static cairn_status run_count(openings_arena *arena, unsigned count)
{
    cairn_status status = CAIRN_OK;
    unsigned wrong = 0;
    ratios all;

    for (unsigned draw = 0; status == CAIRN_OK && draw < DRAWS; draw++) {
        totals sum = {{0}, {0}, 0};
        status = run_draw(arena, count, &sum);
        for (means by = 0; by < MEANS; by++) {
            all.expanded[by][draw] = divided(sum.expanded[by], sum.expanded[REBUILT]);
            all.seconds[by][draw] = divided(sum.seconds[by], sum.seconds[REBUILT]);
        }
        wrong += sum.wrong;
    }
    if (status == CAIRN_OK)
        print_ratios(arena, count, &all, wrong);
    return status == CAIRN_OK && wrong ? CAIRN_E_INEXACT : status;
}

static cairn_status open_arena(openings_arena *arena, const bench_options *options)
{
    const cairn_build_options wishes = {.size = sizeof wishes,
                                        .landmark_count = ROWS,
                                        .thread_count = 1,
                                        .resident = options->resident};

    arena->map = bench_load_map(options, arena->name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    arena->costs = malloc(cairn_map_node_count(arena->map) * sizeof *arena->costs);
    cairn_status status = arena->costs ? CAIRN_OK : CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = bench_load_scenario(options, arena->name, arena->map, &arena->scenario);
    return status == CAIRN_OK ? cairn_table_build(arena->map, &wishes, &arena->table) : status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    openings_arena arena = {.name = name, .rng = {1}, .json = options->json, .is_first = is_first};
    cairn_status status = open_arena(&arena, options);

    for (size_t i = 0; status == CAIRN_OK && i < sizeof COUNTS / sizeof *COUNTS; i++)
        status = run_count(&arena, COUNTS[i]);
    cairn_table_free(arena.table);
    cairn_scenario_free(arena.scenario);
    cairn_map_free(arena.map);
    free(arena.costs);
    return status;
}

int bench_openings(const bench_options *options)
{
    if (!options->json)
        printf("%-16s %8s %10s %10s %10s %10s %8s\n", "map", "openings", "expanded", "no table",
               "time", "no table", "wrong");
    return bench_run_maps(options, run_map);
}
