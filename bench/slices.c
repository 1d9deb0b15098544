/* Searches in slices beside whole ones: what slices of a few expansions cost, and how long slices
 * of a given time take. Every sliced search must find the same cost by the same expansions. And
 * searches after edits whose table is refreshed between their slices, beside searches along the
 * table as it was before, and as it is in the end: all of the same cost. */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/kit.h"

enum {
    QUERY_STEP = 20,
    ROUNDS_MAX = 101,
    SLICE = 8,
    SLICE_MICROSECONDS = 50,
    LATE = 60,
    EDITS = 60,            /* cells that open or close before a query, and are then put back */
    REFRESH_CELLS = 10000, /* visits between two slices */
};

typedef struct slices_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_search *search;
} slices_arena;

typedef struct tally {
    uint64_t cost;
    uint64_t expanded;
} tally;

/* By slices of so many expansions; 0: in one. */
static cairn_status ask(cairn_search *search, const cairn_query *query, uint64_t slice,
                        cairn_path *path)
{
    if (!slice)
        return cairn_search_run(search, query->start, query->goal, path);
    cairn_status status = cairn_search_begin(search, query->start, query->goal, path);
    while (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED)
        status = cairn_search_resume(search, slice, path);
    return status;
}

static cairn_status ask_all(const slices_arena *arena, uint64_t slice, double *seconds, tally *sum)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    const double begin = bench_thread_now();
    cairn_status status = CAIRN_OK;

    *sum = (tally){0};
    for (size_t i = QUERY_STEP / 2; status == CAIRN_OK && i < count; i += QUERY_STEP) {
        cairn_path path;
        status = ask(arena->search, &queries[i], slice, &path);
        sum->cost += path.cost;
        sum->expanded += path.expanded;
    }
    *seconds = bench_thread_now() - begin;
    return status;
}

/* How many slices of time there were, and how many of them took too long. */
static cairn_status slice_by_time(const slices_arena *arena, uint64_t *slices, uint64_t *late)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    cairn_status status = CAIRN_OK;

    for (size_t i = QUERY_STEP / 2; status == CAIRN_OK && i < count; i += QUERY_STEP) {
        cairn_path path;
        status = cairn_search_begin(arena->search, queries[i].start, queries[i].goal, &path);
        while (status == CAIRN_OK && path.outcome == CAIRN_PATH_PAUSED) {
            const double begin = bench_thread_now();
            status = cairn_search_resume_for(arena->search, SLICE_MICROSECONDS, &path);
            const double spent = (bench_thread_now() - begin) * 1e6;
            ++*slices;
            *late += spent > LATE;
        }
    }
    return status;
}

/* Expansions along the table before the refresh, beside it, and after it. */
typedef struct beside {
    uint64_t before, during, after;
} beside;

static cairn_status refresh_between_slices(const slices_arena *arena, const cairn_query *query,
                                           cairn_path *path)
{
    cairn_status status = cairn_search_begin(arena->search, query->start, query->goal, path);
    while (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED) {
        status = cairn_refresh_step(arena->table, arena->map, CAIRN_CELLS(REFRESH_CELLS));
        if (status == CAIRN_OK || status == CAIRN_MORE)
            status = cairn_search_resume(arena->search, SLICE, path);
    }
    return status;
}

static cairn_status ask_beside_refresh(const slices_arena *arena, const cairn_query *query,
                                       beside *sum)
{
    cairn_path path;
    cairn_status status = ask(arena->search, query, 0, &path);
    const cairn_cost cost = path.cost;
    sum->before += path.expanded;
    if (status == CAIRN_OK)
        status = refresh_between_slices(arena, query, &path);
    if (status == CAIRN_OK && path.cost != cost)
        status = CAIRN_E_INEXACT;
    sum->during += path.expanded;
    if (status == CAIRN_OK)
        status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    if (status == CAIRN_OK)
        status = ask(arena->search, query, 0, &path);
    sum->after += path.expanded;
    return status == CAIRN_OK && path.cost != cost ? CAIRN_E_INEXACT : status;
}

/* Draws cells that become what they are not, but for the ends of a query. */
static void draw_edits(const slices_arena *arena, const cairn_query *query, cn_rng *rng,
                       cairn_edit change[EDITS], cairn_edit back[EDITS])
{
    const uint32_t width = cairn_map_width(arena->map);
    for (size_t i = 0; i < EDITS; i++) {
        cairn_node node;
        do
            node = cn_rng_below(rng, cairn_map_node_count(arena->map));
        while (node == query->start || node == query->goal);
        const char is = cairn_map_letter(arena->map, node);
        const char other = cairn_map_is_open(arena->map, node) ? '@' : '.';
        change[i] = cairn_terrain(node % width, node / width, other);
        back[i] = cairn_terrain(node % width, node / width, is);
    }
}

/* Of the queries of a scenario, each after edits of its own. */
static cairn_status ask_all_beside_refresh(const slices_arena *arena, beside *sum)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    cn_rng rng = {1};
    cairn_edit change[EDITS], back[EDITS];
    cairn_status status = CAIRN_OK;

    for (size_t i = QUERY_STEP / 2; status == CAIRN_OK && i < count; i += QUERY_STEP) {
        draw_edits(arena, &queries[i], &rng, change, back);
        status = cairn_map_edit(arena->map, change, EDITS);
        if (status == CAIRN_OK)
            status = ask_beside_refresh(arena, &queries[i], sum);
        if (status == CAIRN_OK)
            status = cairn_map_edit(arena->map, back, EDITS);
        if (status == CAIRN_OK)
            status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    }
    return status;
}

static cairn_status measure_beside_refresh(const slices_arena *arena, const bench_options *options,
                                           const char *name)
{
    beside sum = {0};
    const cairn_status status = ask_all_beside_refresh(arena, &sum);
    if (status != CAIRN_OK)
        return status;
    const double before = (double)sum.before, during = (double)sum.during;
    if (options->json)
        printf(",{\"map\":\"%s\",\"stale\":%llu,\"beside_refresh\":%llu,\"refreshed\":%llu}", name,
               (unsigned long long)sum.before, (unsigned long long)sum.during,
               (unsigned long long)sum.after);
    else
        printf("  %-22s beside a refresh: %llu expansions, %.3f x before, %.3f x after\n", name,
               (unsigned long long)sum.during, during / before, during / (double)sum.after);
    fflush(stdout);
    return CAIRN_OK;
}

static cairn_status measure(const slices_arena *arena, const bench_options *options,
                            const char *name, uint32_t rows)
{
    double whole[ROUNDS_MAX], sliced[ROUNDS_MAX];
    tally one, other;
    uint64_t slices = 0, late = 0;
    cairn_status status = ask_all(arena, 0, whole, &one);

    for (unsigned i = 0; status == CAIRN_OK && i < options->repeat; i++) {
        status = ask_all(arena, 0, &whole[i], &one);
        if (status == CAIRN_OK)
            status = ask_all(arena, SLICE, &sliced[i], &other);
        if (status == CAIRN_OK && (one.cost != other.cost || one.expanded != other.expanded))
            status = CAIRN_E_INEXACT;
        if (status == CAIRN_OK)
            status = slice_by_time(arena, &slices, &late);
    }
    if (status != CAIRN_OK)
        return status;
    const double base = bench_median(whole, options->repeat);
    const double over = bench_median(sliced, options->repeat) / base - 1;
    if (options->json)
        printf("{\"map\":\"%s\",\"rows\":%u,\"overhead\":%.4f,\"slices\":%llu,\"late\":%llu}", name,
               rows, over, (unsigned long long)slices, (unsigned long long)late);
    else
        printf("  %-22s %2u rows: by %d expansions %+5.1f %%; %llu slices of %d us, "
               "%llu above %d us\n",
               name, rows, SLICE, over * 100, (unsigned long long)slices, SLICE_MICROSECONDS,
               (unsigned long long)late, LATE);
    fflush(stdout);
    return CAIRN_OK;
}

static cairn_status open_arena(slices_arena *arena, const bench_options *options, const char *name)
{
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 16, .resident = options->resident};

    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    cairn_status status = bench_load_scenario(options, name, arena->map, &arena->scenario);
    return status == CAIRN_OK ? cairn_table_build(arena->map, &build, &arena->table) : status;
}

static void close_arena(slices_arena *arena)
{
    cairn_search_free(arena->search);
    cairn_scenario_free(arena->scenario);
    cairn_table_free(arena->table);
    cairn_map_free(arena->map);
}

static int slice_map(const bench_options *options, const char *name, bool first)
{
    const cairn_search_options corners = {.size = sizeof corners, .form = CAIRN_FORM_CORNERS};
    slices_arena arena = {0};
    cairn_status status = open_arena(&arena, options, name);

    for (uint32_t rows = 0; status == CAIRN_OK && rows <= 16; rows += 16) {
        cairn_search_free(arena.search);
        arena.search = NULL;
        status = cairn_search_new(arena.map, rows ? arena.table : NULL, &corners, &arena.search);
        if (status == CAIRN_OK && options->json && !(first && rows == 0))
            printf(",");
        if (status == CAIRN_OK)
            status = measure(&arena, options, name, rows);
    }
    if (status == CAIRN_OK && options->resident == CAIRN_RESIDENT_CELLS)
        status = measure_beside_refresh(&arena, options, name);
    close_arena(&arena);
    return status == CAIRN_OK ? 0 : bench_failed(name, status);
}

int bench_slices(const bench_options *options)
{
    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = slice_map(options, options->maps[i], i == 0);
        code = one > code ? one : code;
    }
    return code;
}
