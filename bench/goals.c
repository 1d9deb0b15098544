/*
 * The nearest of 100 random goals, and the nearest of 100 random starts: beside the query between
 * the two that turn out to be nearest, and beside Dijkstra's algorithm from the common end, which
 * stops at the nearest one in the library's open list, or does not in a binary heap.
 *
 * Medians over queries of random ends that are open and connected with all members; each is asked
 * several times, and the least time counts. Every cost is compared with that of a flood.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/graph.h"
#include "kit/kit.h"
#include "peers/peer.h"

enum { ROWS = 16, MEMBERS = 100, QUERIES = 101, HEAPS = 5, TIMES = 5 };

/* What is measured of each query, in seconds. */
typedef enum means { TO_ANY, FROM_ANY, ALONE, STOPPED, MEANS } means;

typedef struct goals_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;   /* along the table */
    cairn_search *dijkstra; /* without a heuristic */
    cairn_cost *costs;      /* from the present end */
    cn_rng rng;
    cairn_node end;
    cairn_node members[MEMBERS];
    double seconds[MEANS][QUERIES];
    double shares[2][QUERIES]; /* of TO_ANY and FROM_ANY, in units of ALONE */
    double heap;               /* a flood by a binary heap */
    unsigned wrong;
} goals_arena;

static cairn_node draw_open(goals_arena *arena)
{
    const uint32_t count = cairn_map_node_count(arena->map);
    cairn_node node = cn_rng_below(&arena->rng, count);
    while (!cairn_map_is_open(arena->map, node))
        node = cn_rng_below(&arena->rng, count);
    return node;
}

/* An end that reaches half of the open cells, and members that it reaches. */
static cairn_status draw_query(goals_arena *arena)
{
    const uint32_t count = cairn_map_node_count(arena->map);
    uint32_t open = 0, reached = 0;

    while (reached * 2 <= open) {
        open = reached = 0;
        arena->end = draw_open(arena);
        cairn_status status = cairn_costs_from(arena->map, &arena->end, 1, arena->costs);
        if (status != CAIRN_OK)
            return status;
        for (cairn_node node = 0; node < count; node++) {
            open += cairn_map_is_open(arena->map, node);
            reached += arena->costs[node] != CAIRN_UNREACHABLE;
        }
    }
    for (unsigned i = 0; i < MEMBERS; i++) {
        do
            arena->members[i] = draw_open(arena);
        while (arena->costs[arena->members[i]] == CAIRN_UNREACHABLE);
    }
    return CAIRN_OK;
}

static cairn_cost least_cost(const goals_arena *arena)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    for (unsigned i = 0; i < MEMBERS; i++)
        least = arena->costs[arena->members[i]] < least ? arena->costs[arena->members[i]] : least;
    return least;
}

static cairn_status run_means(const goals_arena *arena, means by, cairn_node nearest,
                              cairn_path *path)
{
    switch (by) {
    case TO_ANY:
        return cairn_search_run_to_any(arena->search, arena->end, arena->members, MEMBERS, path);
    case FROM_ANY:
        return cairn_search_run_from_any(arena->search, arena->members, MEMBERS, arena->end, path);
    case ALONE: return cairn_search_run(arena->search, arena->end, nearest, path);
    default: return cairn_search_run(arena->dijkstra, arena->end, nearest, path);
    }
}

static cairn_status run_query(goals_arena *arena, unsigned number)
{
    const cairn_cost least = least_cost(arena);
    cairn_node nearest = arena->members[0];
    cairn_path path;

    for (means by = 0; by < MEANS; by++) {
        double best = 0;
        for (unsigned i = 0; i < TIMES; i++) {
            double begin = bench_thread_now();
            cairn_status status = run_means(arena, by, nearest, &path);
            double seconds = bench_thread_now() - begin;
            if (status != CAIRN_OK)
                return status;
            best = i == 0 || seconds < best ? seconds : best;
        }
        if (by == TO_ANY)
            nearest = arena->members[path.which];
        arena->wrong += path.cost != least;
        arena->seconds[by][number] = best;
    }
    for (unsigned by = 0; by < 2; by++)
        arena->shares[by][number] = arena->seconds[by][number] / arena->seconds[ALONE][number];
    return CAIRN_OK;
}

static cairn_status time_heap(goals_arena *arena)
{
    double *costs = malloc(cairn_map_node_count(arena->map) * sizeof *costs), seconds[HEAPS];
    bench_graph graph = {0};
    void *state = NULL;

    if (costs && bench_graph_init(&graph, arena->map) == 0)
        state = bench_peer_heap.create(&graph);
    for (unsigned i = 0; state && i < HEAPS; i++) {
        double begin = bench_thread_now();
        bench_peer_heap.run(state, graph.node_of_cell[arena->end], costs);
        seconds[i] = bench_thread_now() - begin;
    }
    if (state) {
        bench_peer_heap.destroy(state);
        arena->heap = bench_median(seconds, HEAPS);
    }
    bench_graph_free(&graph);
    free(costs);
    return state ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status open_arena(goals_arena *arena, const bench_options *options, const char *name)
{
    const cairn_build_options wishes = {
        .size = sizeof wishes, .landmark_count = ROWS, .thread_count = 1};
    const cairn_search_options bare = {.size = sizeof bare, .heuristic = CAIRN_HEURISTIC_ZERO};

    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    arena->costs = malloc(cairn_map_node_count(arena->map) * sizeof *arena->costs);
    cairn_status status = arena->costs ? CAIRN_OK : CAIRN_E_MEMORY;
    if (status == CAIRN_OK && cairn_map_open_count(arena->map) == 0)
        status = CAIRN_E_ARGUMENT;
    if (status == CAIRN_OK)
        status = cairn_table_build(arena->map, &wishes, &arena->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, NULL, &arena->search);
    return status == CAIRN_OK ? cairn_search_new(arena->map, NULL, &bare, &arena->dijkstra)
                              : status;
}

static void print_map(goals_arena *arena, const char *name, bool json, bool *is_first)
{
    double us[MEANS], shares[2];
    for (means by = 0; by < MEANS; by++)
        us[by] = 1e6 * bench_median(arena->seconds[by], QUERIES);
    for (unsigned by = 0; by < 2; by++)
        shares[by] = bench_median(arena->shares[by], QUERIES);
    const double heap = 1e6 * arena->heap;
    if (json)
        printf("%s{\"map\": \"%s\", \"to_any_us\": %.2f, \"from_any_us\": %.2f, "
               "\"alone_us\": %.2f, \"dijkstra_stopped_us\": %.1f, \"dijkstra_heap_us\": %.1f, "
               "\"to_any_share\": %.2f, \"from_any_share\": %.2f, \"wrong\": %u}",
               *is_first ? "" : ",\n", name, us[TO_ANY], us[FROM_ANY], us[ALONE], us[STOPPED], heap,
               shares[TO_ANY], shares[FROM_ANY], arena->wrong);
    else
        printf("%-22s %8.2f %8.2f %8.2f %8.2f %8.2f %10.1f %10.1f %6u\n", name, us[TO_ANY],
               us[FROM_ANY], us[ALONE], shares[TO_ANY], shares[FROM_ANY], us[STOPPED], heap,
               arena->wrong);
    *is_first = false;
    fflush(stdout);
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    goals_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return CAIRN_E_MEMORY;
    arena->rng = (cn_rng){1};
    cairn_status status = open_arena(arena, options, name);
    for (unsigned i = 0; status == CAIRN_OK && i < QUERIES; i++) {
        status = draw_query(arena);
        if (status == CAIRN_OK)
            status = run_query(arena, i);
    }
    if (status == CAIRN_OK)
        status = time_heap(arena);
    if (status == CAIRN_OK)
        print_map(arena, name, options->json, is_first);
    if (status == CAIRN_OK && arena->wrong)
        status = CAIRN_E_INEXACT;
    cairn_search_free(arena->search);
    cairn_search_free(arena->dijkstra);
    cairn_table_free(arena->table);
    cairn_map_free(arena->map);
    free(arena->costs);
    free(arena);
    return status;
}

int bench_goals(const bench_options *options)
{
    if (!options->json)
        printf("%-22s %8s %8s %8s %8s %8s %10s %10s %6s\n", "map", "to us", "from us", "alone",
               "to/al.", "from/al.", "stopped", "heap", "wrong");
    return bench_run_maps(options, run_map);
}
