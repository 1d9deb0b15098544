/* Queries of a scenario, one after another: searches in every space and with several tables beside
 * what a library for graphs and a textbook do. Every path of a search is checked against a
 * flood. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/graph.h"
#include "kit/kit.h"
#include "peers/route.h"

/* Every 20th query of a scenario, unless that leaves too few of them. So few are learnt by heart: a
 * processor then knows their branches, and has in its near caches what they read. */
enum { QUERY_STEP = 20, QUERIES_MIN = 50 };

enum { ENTRANTS_MAX = 24, ROUNDS_MAX = 101, TABLES = 4, MAPS_MAX = 256, PASSES_MAX = 1000 };

/* A peer that needs longer than this for a round takes part in one round only. */
static const double PATIENCE = 1.5;

/* The queries are asked as often as it takes for a round to last so long. */
static const double ROUND_SECONDS = 2e-3;

/* What is less fast than this is not worth a table, as cairn advise sees it. */
static const double WORTH_WHILE = 1.25;

typedef struct search_entrant {
    char name[32];
    const bench_router *router; /* a peer, or a search of Cairn */
    void *state;
    cairn_search *search;
    size_t bytes;               /* that the search took, or a peer keeps */
    double prepared;            /* a peer: seconds before its first query */
    const cairn_query *queries; /* of the map in its metric */
    double *best;               /* by query, seconds */
    double round[ROUNDS_MAX];
    unsigned round_count;
    uint64_t expanded; /* over all queries of one round */
    size_t longer;     /* queries whose path is longer than the first peer's */
} search_entrant;

typedef struct search_arena {
    const bench_options *options;
    bool is_uniform;            /* every open letter costs the same */
    cairn_map *map[2];          /* compact, octile */
    cairn_table *table[TABLES]; /* 8, 16 and 32 rows compact, 16 rows octile */
    cairn_scenario *scenario[2];
    bench_graph graph;
    uint32_t *x;
    uint32_t *y;
    size_t query_count;
    size_t query_step;
    double *length; /* by query, of the first entrant */
    search_entrant list[ENTRANTS_MAX];
    size_t count;
} search_arena;

static const uint32_t ROWS[TABLES] = {8, 16, 32, 16};

static cairn_status build_tables(search_arena *arena)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < TABLES; i++) {
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = ROWS[i],
                                       .resident = arena->options->resident,
                                       .metric = i == 0 ? CAIRN_METRIC_COMPACT
                                                        : CAIRN_METRIC_OF_MAP};
        status = cairn_table_build(arena->map[i == TABLES - 1], &options, &arena->table[i]);
    }
    return status;
}

static cairn_status fill_columns(search_arena *arena)
{
    size_t nodes = arena->graph.node_count + 1u;
    arena->x = malloc(nodes * sizeof *arena->x);
    arena->y = malloc(nodes * sizeof *arena->y);
    if (!arena->x || !arena->y)
        return CAIRN_E_MEMORY;
    for (cairn_node cell = 0; cell < cairn_map_node_count(arena->map[0]); cell++) {
        uint32_t node = arena->graph.node_of_cell[cell];
        if (node != UINT32_MAX)
            cairn_node_xy(arena->map[0], cell, &arena->x[node], &arena->y[node]);
    }
    return CAIRN_OK;
}

static cairn_status open_arena(search_arena *arena, const bench_options *options, const char *name)
{
    cairn_alphabet uniform;
    cairn_alphabet_init(&uniform);
    arena->options = options;
    arena->is_uniform = memcmp(&uniform, &options->terrain, sizeof uniform) == 0;
    for (size_t i = 0; i < 2; i++) {
        arena->map[i] = bench_load_map(options, name, (cairn_metric){0, 0});
        if (!arena->map[i])
            return CAIRN_E_IO;
    }
    cairn_status status = build_tables(arena);
    for (size_t i = 0; status == CAIRN_OK && i < 2; i++)
        status = bench_load_scenario(options, name, arena->map[i], &arena->scenario[i]);
    if (status != CAIRN_OK)
        return status;
    if (bench_graph_init(&arena->graph, arena->map[0]) != 0)
        return CAIRN_E_MEMORY;
    size_t lines = cairn_scenario_count(arena->scenario[0]);
    arena->query_step = lines / QUERY_STEP < QUERIES_MIN ? lines / QUERIES_MIN : QUERY_STEP;
    if (options->every_query || arena->query_step == 0)
        arena->query_step = 1;
    arena->query_count = lines / arena->query_step;
    arena->length = malloc((arena->query_count + 1) * sizeof *arena->length);
    return arena->length ? fill_columns(arena) : CAIRN_E_MEMORY;
}

static void close_arena(search_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++) {
        search_entrant *entrant = &arena->list[i];
        if (entrant->router)
            entrant->router->destroy(entrant->state);
        cairn_search_free(entrant->search);
        free(entrant->best);
    }
    for (size_t i = 0; i < TABLES; i++)
        cairn_table_free(arena->table[i]);
    for (size_t i = 0; i < 2; i++) {
        cairn_scenario_free(arena->scenario[i]);
        cairn_map_free(arena->map[i]);
    }
    bench_graph_free(&arena->graph);
    free(arena->x);
    free(arena->y);
    free(arena->length);
}

static search_entrant *add(search_arena *arena, const char *name, bool octile)
{
    search_entrant *added = &arena->list[arena->count];
    *added = (search_entrant){.queries = cairn_scenario_queries(arena->scenario[octile])};
    snprintf(added->name, sizeof added->name, "%s", name);
    added->best = malloc((arena->query_count + 1) * sizeof *added->best);
    for (size_t i = 0; added->best && i < arena->query_count; i++)
        added->best[i] = HUGE_VAL;
    arena->count++;
    return added;
}

static cairn_status add_peer(search_arena *arena, const bench_router *router)
{
    search_entrant *added = add(arena, router->name, false);
    double begin = bench_thread_now();
    added->state = router->create(&arena->graph, arena->x, arena->y);
    added->prepared = bench_thread_now() - begin;
    if (!added->state)
        return CAIRN_E_MEMORY;
    added->bytes = router->bytes ? router->bytes(added->state) : 0;
    added->router = router;
    return added->best ? CAIRN_OK : CAIRN_E_MEMORY;
}

typedef struct search_kind {
    const char *name;
    cairn_space space;
    int table; /* -1: none */
    cairn_form form;
    bool octile;
    bool on_every_map;
} search_kind;

static const search_kind KINDS[] = {
    {"cells", CAIRN_SPACE_CELLS, -1, CAIRN_FORM_CELLS, false, false},
    {"jump", CAIRN_SPACE_JUMP, -1, CAIRN_FORM_CORNERS, false, true},
    {"jump, runs kept", CAIRN_SPACE_AUTO, -1, CAIRN_FORM_CORNERS, false, true},
    {"cells, 16 rows", CAIRN_SPACE_CELLS, 1, CAIRN_FORM_CELLS, false, false},
    {"jump, 8 rows", CAIRN_SPACE_AUTO, 0, CAIRN_FORM_CORNERS, false, false},
    {"jump, 16 rows", CAIRN_SPACE_AUTO, 1, CAIRN_FORM_CORNERS, false, true},
    {"jump, 32 rows", CAIRN_SPACE_AUTO, 2, CAIRN_FORM_CORNERS, false, false},
    {"jump, 16 rows, afresh", CAIRN_SPACE_JUMP, 1, CAIRN_FORM_CORNERS, false, true},
    {"jump, 16 rows, cells too", CAIRN_SPACE_AUTO, 1, CAIRN_FORM_CELLS, false, false},
    {"jump, octile", CAIRN_SPACE_JUMP, -1, CAIRN_FORM_CORNERS, true, false},
    {"jump, 16 rows, octile", CAIRN_SPACE_AUTO, 3, CAIRN_FORM_CORNERS, true, false},
    {"cells, 16 rows, octile", CAIRN_SPACE_CELLS, 3, CAIRN_FORM_CELLS, true, false},
};

/* Memory that is counted into a size_t. */
static void *allocate_counted(void *context, size_t size)
{
    *(size_t *)context += size;
    return malloc(size);
}

static void release_counted(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static cairn_status add_search(search_arena *arena, const search_kind *kind)
{
    search_entrant *added = add(arena, kind->name, kind->octile);
    if (!added->best)
        return CAIRN_E_MEMORY;
    cairn_allocator counted = {allocate_counted, release_counted, &added->bytes};
    cairn_search_options options = {
        .size = sizeof options, .space = kind->space, .form = kind->form, .allocator = &counted};
    return cairn_search_new(arena->map[kind->octile],
                            kind->table < 0 ? NULL : arena->table[kind->table], &options,
                            &added->search);
}

/* Those of jump points are for one rule, and jumps of 16 bits. */
static bool may_jump_plus(const search_arena *arena)
{
    return arena->options->rule == CAIRN_RULE_8 && cairn_map_width(arena->map[0]) <= INT16_MAX &&
           cairn_map_height(arena->map[0]) <= INT16_MAX;
}

static cairn_status add_peers(search_arena *arena)
{
    const bench_options *options = arena->options;
    bool every_map = options->every_map;
    cairn_status status = CAIRN_OK;
#ifdef BENCH_BOOST
    if (!every_map)
        status = add_peer(arena, &bench_router_boost);
#endif
    if (status == CAIRN_OK && !every_map)
        status = add_peer(arena, &bench_router_textbook);
    if (status == CAIRN_OK && may_jump_plus(arena))
        status = add_peer(arena, &bench_router_jump_plus);
    if (status == CAIRN_OK && may_jump_plus(arena) && options->all_pairs)
        status = add_peer(arena, &bench_router_goal_bounding);
    return status;
}

static cairn_status add_entrants(search_arena *arena)
{
    bool every_map = arena->options->every_map;
    cairn_status status = arena->is_uniform ? add_peers(arena) : CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < sizeof KINDS / sizeof *KINDS; i++) {
        if (!every_map || KINDS[i].on_every_map)
            status = add_search(arena, &KINDS[i]);
    }
    return status;
}

/* The length of the path, and how many nodes were expanded. */
static cairn_status ask(const search_arena *arena, const search_entrant *entrant,
                        const cairn_query *query, double *length, uint64_t *expanded)
{
    if (entrant->router) {
        const uint32_t *node_of = arena->graph.node_of_cell;
        bench_route route;
        entrant->router->run(entrant->state, node_of[query->start], node_of[query->goal], &route);
        *length = route.cost;
        *expanded = route.expanded;
        return CAIRN_OK;
    }
    cairn_path path;
    cairn_status status = cairn_search_run(entrant->search, query->start, query->goal, &path);
    double found = arena->is_uniform ? path.length : (double)path.cost;
    *length = path.outcome == CAIRN_PATH_FOUND ? found : HUGE_VAL;
    *expanded = path.expanded;
    return status;
}

static bool is_sound(const search_arena *arena, const cairn_query *query)
{
    return cairn_map_is_open(arena->map[0], query->start) &&
           cairn_map_is_open(arena->map[0], query->goal);
}

typedef enum clock_use { CLOCK_PER_ROUND, CLOCK_PER_QUERY } clock_use;

/* Whether queries take so long that reading the thread's clock costs nothing beside them: cold
 * ones, and those of peers that find nothing out beforehand. */
static bool are_long(const search_arena *arena, const search_entrant *entrant)
{
    return arena->options->cold || (entrant->router && !entrant->router->bytes);
}

/* For one query. */
static double read_clock(const search_arena *arena, const search_entrant *entrant, clock_use use)
{
    if (use == CLOCK_PER_ROUND)
        return 0;
    return are_long(arena, entrant) ? bench_thread_now() : bench_now();
}

/* Adds the seconds of the queries to *seconds where the clock is read for each. */
static cairn_status run_queries(search_arena *arena, search_entrant *entrant, clock_use use,
                                double *seconds)
{
    cairn_status status = CAIRN_OK;

    entrant->expanded = 0;
    entrant->longer = 0;
    for (size_t i = 0; status == CAIRN_OK && i < arena->query_count; i++) {
        size_t line = i * arena->query_step + arena->query_step / 2;
        const cairn_query *query = &entrant->queries[line];
        double length;
        uint64_t expanded;
        if (!is_sound(arena, query)) {
            entrant->best[i] = 0;
            continue;
        }
        if (arena->options->cold && !bench_read_other_memory())
            return CAIRN_E_MEMORY;
        double begin = read_clock(arena, entrant, use);
        status = ask(arena, entrant, query, &length, &expanded);
        double spent = read_clock(arena, entrant, use) - begin;
        *seconds += spent;
        if (use == CLOCK_PER_QUERY && spent < entrant->best[i])
            entrant->best[i] = spent;
        entrant->expanded += expanded;
        if (entrant == arena->list)
            arena->length[i] = length;
        /* Lengths are those of every metric; costs are compared in the first one's. */
        if (arena->is_uniform || entrant->queries == arena->list->queries)
            entrant->longer += length > arena->length[i] * (1 + 1e-9) + 1e-9;
    }
    return status;
}

/* Reading the clock before and after a query costs as much as a short query: a round is timed
 * as a whole after one that times its queries and fetches what the entrant before has driven out
 * of the cache. Long queries are timed by both at once. */
static cairn_status run_round(search_arena *arena, search_entrant *entrant)
{
    double *round = &entrant->round[entrant->round_count++], seconds = 0;
    cairn_status status = run_queries(arena, entrant, CLOCK_PER_QUERY, &seconds);
    *round = seconds;
    if (are_long(arena, entrant))
        return status;

    double enough = ROUND_SECONDS / seconds, ignored = 0;
    unsigned passes = enough < 1 ? 1 : enough < PASSES_MAX ? (unsigned)enough : PASSES_MAX;
    double begin = bench_thread_now();
    for (unsigned pass = 0; status == CAIRN_OK && pass < passes; pass++)
        status = run_queries(arena, entrant, CLOCK_PER_ROUND, &ignored);
    *round = (bench_thread_now() - begin) / passes;
    return status;
}

static cairn_status run_rounds(search_arena *arena)
{
    cairn_status status = CAIRN_OK;
    for (unsigned round = 0; round < arena->options->repeat; round++) {
        for (size_t i = 0; status == CAIRN_OK && i < arena->count; i++) {
            search_entrant *entrant = &arena->list[i];
            if (round && entrant->router && entrant->round[0] > PATIENCE)
                continue;
            status = run_round(arena, entrant);
        }
    }
    return status;
}

/* -------------------------------------------------------------------------------- checks -- */

/* Whether the steps of a path are those of the map, and cost what the path says. */
static bool is_legal(const cairn_map *map, const cairn_path *path)
{
    cairn_arc steps[8];
    uint64_t cost = 0;
    for (size_t i = 1; i < path->node_count; i++) {
        uint32_t count = cairn_steps(map, path->nodes[i - 1], steps, 8), at = 0;
        while (at < count && steps[at].to != path->nodes[i])
            at++;
        if (at == count)
            return false;
        cost += steps[at].cost;
    }
    return cost == path->cost;
}

/* Whether an entrant finds a legal path of the least cost. */
static bool is_right(const search_entrant *entrant, const cairn_map *map, const cairn_query *query,
                     const cairn_cost *costs)
{
    cairn_path path;
    if (cairn_search_run(entrant->search, query->start, query->goal, &path) != CAIRN_OK ||
        cairn_search_cells(entrant->search, &path) != CAIRN_OK || path.cost != costs[query->start])
        return false;
    return path.outcome != CAIRN_PATH_FOUND || is_legal(map, &path);
}

static cairn_status check_query(search_arena *arena, size_t line, bool octile, cairn_cost *costs)
{
    const cairn_map *map = arena->map[octile];
    const cairn_query *query = &cairn_scenario_queries(arena->scenario[octile])[line];
    if (!is_sound(arena, query))
        return CAIRN_OK;
    cairn_status status = cairn_costs_to(map, &query->goal, 1, costs);
    for (size_t i = 0; status == CAIRN_OK && i < arena->count; i++) {
        const search_entrant *entrant = &arena->list[i];
        if (!entrant->search || entrant->queries != cairn_scenario_queries(arena->scenario[octile]))
            continue;
        if (!is_right(entrant, map, query, costs))
            status = CAIRN_E_INEXACT;
    }
    return status;
}

/* Every path of every search against the costs of a flood. */
static cairn_status check_all(search_arena *arena)
{
    cairn_cost *costs = malloc(cairn_map_node_count(arena->map[0]) * sizeof *costs);
    cairn_status status = costs ? CAIRN_OK : CAIRN_E_MEMORY;
    for (size_t i = 0; status == CAIRN_OK && i < arena->query_count; i++) {
        size_t line = i * arena->query_step + arena->query_step / 2;
        for (int octile = 0; octile < 2 && status == CAIRN_OK; octile++)
            status = check_query(arena, line, octile, costs);
    }
    free(costs);
    return status;
}

static void print_entrant(search_arena *arena, search_entrant *entrant, double peer)
{
    size_t n = arena->query_count;
    double total = bench_median(entrant->round, entrant->round_count);
    double *best = entrant->best;
    bench_sort(best, n);
    double each = total / (double)n;
    double expanded = (double)entrant->expanded / (double)n;
    if (arena->options->json) {
        printf("%s{\"name\":\"%s\",\"us\":%.3f,\"p50\":%.3f,\"p95\":%.3f,\"p99\":%.3f,"
               "\"expanded\":%.1f,\"ns_per_expansion\":%.2f,\"ratio\":%.2f,\"longer\":%zu,"
               "\"bytes\":%zu,\"prepared\":%.3f}",
               entrant == arena->list ? "" : ",", entrant->name, each * 1e6, best[n / 2] * 1e6,
               best[n * 95 / 100] * 1e6, best[n * 99 / 100] * 1e6, expanded, each * 1e9 / expanded,
               peer / each, entrant->longer, entrant->bytes, entrant->prepared);
        return;
    }
    printf("  %-25s %10.2f us  p50 %9.2f p95 %9.2f p99 %9.2f  %9.1f exp %7.1f ns %8.1f x"
           "  longer %zu",
           entrant->name, each * 1e6, best[n / 2] * 1e6, best[n * 95 / 100] * 1e6,
           best[n * 99 / 100] * 1e6, expanded, each * 1e9 / expanded, peer / each, entrant->longer);
    if (entrant->bytes)
        printf("  %zu KiB", entrant->bytes / 1024);
    if (entrant->router)
        printf("  prepared in %.2f s", entrant->prepared);
    printf("\n");
}

static void print_arena(search_arena *arena, const char *name, bool first)
{
    cairn_metric metric = cairn_map_metric(arena->map[0]);
    if (arena->options->json)
        printf("%s{\"map\":\"%s\",\"metric\":\"%u/%u\",\"queries\":%zu,\"runs\":[",
               first ? "" : ",", name, metric.straight, metric.diagonal, arena->query_count);
    else
        printf("\n%s: %zu queries, %u open cells, compact %u/%u; every path checked; "
               "ratio to %s\n",
               name, arena->query_count, cairn_map_open_count(arena->map[0]), metric.straight,
               metric.diagonal, arena->list->name);
    search_entrant *peer = arena->list;
    double each = bench_median(peer->round, peer->round_count) / (double)arena->query_count;
    for (size_t i = 0; i < arena->count; i++)
        print_entrant(arena, &arena->list[i], each);
    if (arena->options->json)
        printf("]}");
    fflush(stdout);
}

/* ------------------------------------------------------------------------- over all maps -- */

/* How many times as fast as `base` an entrant is. */
typedef struct search_claim {
    const char *base;
    const char *name;
    double ratio[MAPS_MAX];
    const char *map[MAPS_MAX];
    size_t count;
} search_claim;

static search_claim claims[] = {
    {.base = "Boost A*", .name = "jump, 16 rows"},
    {.base = "JPS+", .name = "jump, 16 rows"},
    {.base = "JPS+, goal bounding", .name = "jump, 16 rows"},
    {.base = "jump", .name = "jump, 16 rows"},
    {.base = "jump", .name = "jump, runs kept"},
    {.base = "jump, runs kept", .name = "jump, 16 rows"},
    {.base = "jump, 16 rows, afresh", .name = "jump, 16 rows"},
    {.base = "cells, 16 rows", .name = "jump, 16 rows"},
    {.base = "jump, 32 rows", .name = "jump, 8 rows"},
    {.base = "jump, 16 rows", .name = "jump, 16 rows, octile"},
    {.base = "cells, 16 rows", .name = "cells, 16 rows, octile"},
};
enum { CLAIMS = sizeof claims / sizeof *claims };

static search_entrant *find_entrant(search_arena *arena, const char *name)
{
    for (size_t i = 0; i < arena->count; i++) {
        if (strcmp(arena->list[i].name, name) == 0)
            return &arena->list[i];
    }
    return NULL;
}

static void note_claims(search_arena *arena, const char *map)
{
    for (size_t i = 0; i < CLAIMS; i++) {
        search_claim *claim = &claims[i];
        search_entrant *base = find_entrant(arena, claim->base);
        search_entrant *entrant = find_entrant(arena, claim->name);
        if (!base || !entrant || claim->count == MAPS_MAX)
            continue;
        claim->map[claim->count] = map;
        claim->ratio[claim->count++] = bench_median(base->round, base->round_count) /
                                       bench_median(entrant->round, entrant->round_count);
    }
}

static void print_claims(void)
{
    printf("\nover all maps\n");
    for (size_t i = 0; i < CLAIMS; i++) {
        search_claim *claim = &claims[i];
        size_t least = 0, hardly = 0;
        for (size_t map = 0; map < claim->count; map++) {
            least = claim->ratio[map] < claim->ratio[least] ? map : least;
            hardly += claim->ratio[map] < WORTH_WHILE;
        }
        if (claim->count == 0)
            continue;
        const char *slowest = claim->map[least];
        double worst = claim->ratio[least];
        printf("  %-25s to %-15s median %8.2f x  least %8.2f x  %s; below %.2f x on %zu of %zu\n",
               claim->name, claim->base, bench_median(claim->ratio, claim->count), worst, slowest,
               WORTH_WHILE, hardly, claim->count);
    }
}

static int search_map(const bench_options *options, const char *name, bool first)
{
    search_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return bench_failed(name, CAIRN_E_MEMORY);
    cairn_status status = open_arena(arena, options, name);
    if (status == CAIRN_OK)
        status = add_entrants(arena);
    if (status == CAIRN_OK)
        status = run_rounds(arena);
    if (status == CAIRN_OK)
        status = check_all(arena);
    if (status == CAIRN_OK && arena->query_count) {
        print_arena(arena, name, first);
        note_claims(arena, name);
    }
    close_arena(arena);
    free(arena);
    return status == CAIRN_OK ? 0 : bench_failed(name, status);
}

int bench_search(const bench_options *options)
{
    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = search_map(options, options->maps[i], i == 0);
        code = one > code ? one : code;
    }
    if (!options->json)
        print_claims();
    return code;
}
