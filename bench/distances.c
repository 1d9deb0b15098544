/*
 * Costs between 1,000 random cells and 1,000 others, on one thread: as a matrix, by a flood from
 * each of the cells, and by searches for paths, of which a thousand are timed. Every cost of the
 * matrix is compared with the floods.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kit/kit.h"
#include "base/rng.h"

enum { CELLS = 1000, ROWS = 16, ROUNDS_MAX = 64 };

typedef struct distances_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_node sources[CELLS];
    cairn_node targets[CELLS];
    cairn_cost *matrix; /* [CELLS * CELLS] */
    cairn_cost *costs;  /* [node] */
    uint64_t wrong;
} distances_arena;

/* Microseconds a pair. */
typedef struct distances_times {
    double matrix, floods, path;
} distances_times;

static cairn_node random_open(const cairn_map *map, cn_rng *rng)
{
    cairn_node node;
    do
        node = cn_rng_below(rng, cairn_map_node_count(map));
    while (!cairn_map_is_open(map, node));
    return node;
}

static cairn_status time_matrix(distances_arena *arena, double *seconds)
{
    const double begin = bench_thread_now();
    cairn_status status = cairn_distances(arena->map, arena->table, arena->sources, CELLS,
                                          arena->targets, CELLS, 1, arena->matrix);
    *seconds = bench_thread_now() - begin;
    return status;
}

static cairn_status time_floods(distances_arena *arena, double *seconds)
{
    cairn_flood *flood;
    cairn_status status = cairn_flood_new(arena->map, &flood);
    *seconds = 0;
    for (size_t i = 0; status == CAIRN_OK && i < CELLS; i++) {
        const double begin = bench_thread_now();
        status = cairn_flood_from(flood, &arena->sources[i], 1, arena->costs);
        *seconds += bench_thread_now() - begin;
        for (size_t j = 0; status == CAIRN_OK && j < CELLS; j++)
            arena->wrong += arena->matrix[i * CELLS + j] != arena->costs[arena->targets[j]];
    }
    cairn_flood_free(flood);
    return status;
}

static cairn_status time_paths(distances_arena *arena, double *seconds)
{
    cairn_search *search;
    cairn_path path;
    cairn_status status = cairn_search_new(arena->map, arena->table, NULL, &search);
    const double begin = bench_thread_now();
    for (size_t i = 0; status == CAIRN_OK && i < CELLS; i++)
        status = cairn_search_run(search, arena->sources[i], arena->targets[i], &path);
    *seconds = bench_thread_now() - begin;
    cairn_search_free(search);
    return status;
}

static cairn_status run_round(distances_arena *arena, distances_times *times)
{
    cairn_status status = time_matrix(arena, &times->matrix);
    if (status == CAIRN_OK)
        status = time_floods(arena, &times->floods);
    if (status == CAIRN_OK)
        status = time_paths(arena, &times->path);
    times->matrix *= 1e6 / CELLS / CELLS;
    times->floods *= 1e6 / CELLS / CELLS;
    times->path *= 1e6 / CELLS;
    return status;
}

static cairn_status run_rounds(distances_arena *arena, unsigned rounds, distances_times *times)
{
    double all[3][ROUNDS_MAX];
    cairn_status status = CAIRN_OK;
    for (unsigned i = 0; status == CAIRN_OK && i < rounds; i++) {
        status = run_round(arena, times);
        all[0][i] = times->matrix;
        all[1][i] = times->floods;
        all[2][i] = times->path;
    }
    times->matrix = bench_median(all[0], rounds);
    times->floods = bench_median(all[1], rounds);
    times->path = bench_median(all[2], rounds);
    return status == CAIRN_OK && arena->wrong ? CAIRN_E_INEXACT : status;
}

static cairn_status open_distances(distances_arena *arena, const bench_options *options,
                                   const char *name)
{
    const cairn_build_options wishes = {
        .size = sizeof wishes, .landmark_count = ROWS, .thread_count = 1};
    cn_rng rng = {1};
    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    if (cairn_map_open_count(arena->map) == 0)
        return CAIRN_E_ARGUMENT;
    for (size_t i = 0; i < CELLS; i++) {
        arena->sources[i] = random_open(arena->map, &rng);
        arena->targets[i] = random_open(arena->map, &rng);
    }
    arena->matrix = malloc((size_t)CELLS * CELLS * sizeof *arena->matrix);
    arena->costs = malloc(cairn_map_node_count(arena->map) * sizeof *arena->costs);
    return arena->matrix && arena->costs ? cairn_table_build(arena->map, &wishes, &arena->table)
                                         : CAIRN_E_MEMORY;
}

static cairn_status run_distances(const bench_options *options, const char *name, bool *is_first)
{
    static distances_arena arena;
    distances_times times;
    arena = (distances_arena){0};
    cairn_status status = open_distances(&arena, options, name);
    if (status == CAIRN_OK)
        status = run_rounds(&arena, options->repeat, &times);
    if (status == CAIRN_OK && options->json)
        printf("%s{\"map\": \"%s\", \"matrix_us\": %.4f, \"floods_us\": %.4f, \"path_us\": %.4f}",
               *is_first ? "\n" : ",\n", name, times.matrix, times.floods, times.path);
    else if (status == CAIRN_OK)
        printf("%-18s %10.3f %10.3f %10.3f %10.2f %10.3f\n", name, times.matrix, times.floods,
               times.path, times.matrix / times.floods, times.matrix / times.path);
    *is_first = false;
    cairn_table_free(arena.table);
    cairn_map_free(arena.map);
    free(arena.matrix);
    free(arena.costs);
    return status;
}

int bench_distances(const bench_options *options)
{
    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("microseconds a pair:\n%-18s %10s %10s %10s %10s %10s\n", "map", "matrix", "floods",
               "path", "of floods", "of a path");
    return bench_run_maps(options, run_distances);
}
