/*
 * Maps for units of 1, 2 and 3 cells: the time to derive them, and to edit and to repair a table of
 * 16 rows after each of 1,000 edits of a cell, which turn a random one from open to blocked or
 * back: the mean, the median, how many of the 16,000 rows changed so much that they were rebuilt,
 * how many edits that were, and the mean of the others. Every repetition draws other cells.
 * Afterwards the map is compared with one that is derived then, every entry of the table is proved,
 * and queries are run: each cell of the unit has to be allowed each step of a path by the map of
 * cells, and each cost is compared with a flood's.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kit/kit.h"
#include "base/rng.h"

enum { SIZES = 3, EDITS = 1000, UNIT_ROWS = 16, QUERIES = 100 };

typedef struct units_arena {
    cairn_map *map;
    cairn_map *units; /* the map itself for size 1 */
    cairn_table *table;
    cn_rng rng;
} units_arena;

/* What maps for units of a size take, over all repetitions. */
typedef struct units_times {
    double derive, edit, repair; /* seconds, together */
    double *each;                /* of every edit and its repair */
    size_t count;                /* edits so far */
    size_t heavy;                /* those after which rows were rebuilt */
    double light;                /* seconds of the others */
    uint64_t rebuilt;            /* rows */
    uint64_t wrong;
} units_times;

static bool has_step(const cairn_map *map, cairn_node from, cairn_node to)
{
    cairn_arc steps[CAIRN_STEPS_MAX];
    const uint32_t count = cairn_steps(map, from, steps, CAIRN_STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].to == to)
            return true;
    }
    return false;
}

static bool may_move(const units_arena *arena, cairn_node from, cairn_node to)
{
    cairn_node before[SIZES * SIZES], after[SIZES * SIZES];
    const uint32_t count = cairn_unit_cells(arena->units, from, before, SIZES * SIZES);
    if (count == 0 || cairn_unit_cells(arena->units, to, after, SIZES * SIZES) != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_step(arena->map, before[i], after[i]))
            return false;
    }
    return true;
}

static cairn_status check_query(units_arena *arena, cairn_search *search, cairn_cost *costs,
                                uint64_t *wrong)
{
    const uint32_t nodes = cairn_map_node_count(arena->units);
    const cairn_node start = cn_rng_below(&arena->rng, nodes);
    const cairn_node goal = cn_rng_below(&arena->rng, nodes);
    cairn_path path;
    if (!cairn_map_is_open(arena->units, start) || !cairn_map_is_open(arena->units, goal))
        return CAIRN_OK;
    cairn_status status = cairn_search_run(search, start, goal, &path);
    if (status == CAIRN_OK)
        status = cairn_costs_to(arena->units, &goal, 1, costs);
    if (status != CAIRN_OK)
        return status;
    *wrong += path.cost != costs[start];
    for (size_t i = 1; i < path.node_count; i++)
        *wrong += !may_move(arena, path.nodes[i - 1], path.nodes[i]);
    return CAIRN_OK;
}

static cairn_status check_queries(units_arena *arena, uint64_t *wrong)
{
    cairn_cost *costs = malloc(cairn_map_node_count(arena->units) * sizeof *costs);
    cairn_search *search = NULL;
    cairn_status status = costs ? cairn_search_new(arena->units, arena->table, NULL, &search)
                                : CAIRN_E_MEMORY;
    for (unsigned i = 0; status == CAIRN_OK && i < QUERIES; i++)
        status = check_query(arena, search, costs, wrong);
    cairn_search_free(search);
    free(costs);
    return status;
}

static cairn_status check_all(units_arena *arena, uint32_t size, uint64_t *wrong)
{
    cairn_map *rebuilt = NULL;
    cairn_status status = cairn_table_verify(arena->table, arena->units, 1, NULL);
    if (status == CAIRN_OK && size > 1)
        status = cairn_map_for_units(arena->map, size, CAIRN_ANCHOR_TOP_LEFT, &rebuilt);
    if (status == CAIRN_OK && size > 1)
        *wrong += cairn_map_hash(rebuilt) != cairn_map_hash(arena->units);
    cairn_map_free(rebuilt);
    return status == CAIRN_OK ? check_queries(arena, wrong) : status;
}

static cairn_status edit_cell(units_arena *arena, units_times *times)
{
    const uint32_t x = cn_rng_below(&arena->rng, cairn_map_width(arena->map));
    const uint32_t y = cn_rng_below(&arena->rng, cairn_map_height(arena->map));
    const bool is_open = cairn_map_is_open(arena->map, cairn_node_at(arena->map, x, y));
    const cairn_edit edit = is_open ? cairn_block(x, y) : cairn_open(x, y);
    const uint64_t rebuilt = cairn_table_refresh_counts(arena->table).rows_rebuilt;
    const double begin = bench_thread_now();
    cairn_status status = cairn_map_edit(arena->map, &edit, 1);
    const double edited = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_refresh_step(arena->table, arena->units, CAIRN_UNLIMITED);
    const double repaired = bench_thread_now();
    times->edit += edited - begin;
    times->repair += repaired - edited;
    times->each[times->count++] = repaired - begin;
    if (cairn_table_refresh_counts(arena->table).rows_rebuilt > rebuilt)
        times->heavy++;
    else
        times->light += repaired - begin;
    return status;
}

static cairn_status open_units(units_arena *arena, const bench_options *options, const char *name,
                               uint32_t size, units_times *times)
{
    const cairn_build_options wishes = {
        .size = sizeof wishes, .landmark_count = UNIT_ROWS, .thread_count = 1};
    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    arena->units = arena->map;
    const double begin = bench_thread_now();
    cairn_status status = CAIRN_OK;
    if (size > 1)
        status = cairn_map_for_units(arena->map, size, CAIRN_ANCHOR_TOP_LEFT, &arena->units);
    times->derive += bench_thread_now() - begin;
    return status == CAIRN_OK ? cairn_table_build(arena->units, &wishes, &arena->table) : status;
}

static void close_units(units_arena *arena)
{
    cairn_table_free(arena->table);
    if (arena->units != arena->map)
        cairn_map_free(arena->units);
    cairn_map_free(arena->map);
}

static cairn_status run_once(const bench_options *options, const char *name, uint32_t size,
                             uint64_t seed, units_times *times)
{
    units_arena arena = {.rng = {seed}};
    cairn_status status = open_units(&arena, options, name, size, times);
    for (unsigned i = 0; status == CAIRN_OK && i < EDITS; i++)
        status = edit_cell(&arena, times);
    if (status == CAIRN_OK) {
        times->rebuilt += cairn_table_refresh_counts(arena.table).rows_rebuilt;
        status = check_all(&arena, size, &times->wrong);
    }
    close_units(&arena);
    return status;
}

static double mean_us(const units_times *times)
{
    return (times->edit + times->repair) / (double)times->count * 1e6;
}

/* Medians and means; `of_cells` is the mean of size 1. */
static void print_times(const bench_options *options, const char *name, uint32_t size,
                        units_times *times, double of_cells)
{
    static bool has_printed = false;
    const double edits = (double)times->count;
    const double median = bench_median(times->each, times->count) * 1e6;
    const double rebuilt = (double)times->rebuilt / edits * EDITS;
    const double heavy = (double)times->heavy / edits * EDITS;
    const double light = times->light / (edits - (double)times->heavy) * 1e6;
    if (options->json)
        printf("%s{\"map\": \"%s\", \"size\": %u, \"derive_ms\": %.3f, \"edit_us\": %.3f, "
               "\"repair_us\": %.3f, \"median_us\": %.3f, \"rebuilt\": %.1f, \"heavy\": %.1f, "
               "\"light_us\": %.3f, \"wrong\": %llu}",
               has_printed ? ",\n" : "\n", name, size, times->derive / options->repeat * 1e3,
               times->edit / edits * 1e6, times->repair / edits * 1e6, median, rebuilt, heavy,
               light, (unsigned long long)times->wrong);
    else
        printf("%-18s %4u %10.2f %10.2f %10.2f %10.2f %10.2f %8.1f %6.1f %8.2f %6llu\n", name, size,
               times->derive / options->repeat * 1e3, times->edit / edits * 1e6,
               times->repair / edits * 1e6, mean_us(times) / of_cells, median, rebuilt, heavy,
               light, (unsigned long long)times->wrong);
    has_printed = true;
}

/* The sizes take turns, so that a machine whose speed changes slows all of them alike. */
static cairn_status run_map(const bench_options *options, const char *name, units_times *times)
{
    cairn_status status = CAIRN_OK;
    for (unsigned i = 0; status == CAIRN_OK && i < options->repeat; i++) {
        for (uint32_t size = 1; status == CAIRN_OK && size <= SIZES; size++)
            status = run_once(options, name, size, i + 1, &times[size - 1]);
    }
    return status;
}

static cairn_status measure_map(const bench_options *options, const char *name)
{
    units_times times[SIZES] = {{.each = NULL}};
    double *each = malloc(sizeof(double) * EDITS * options->repeat * SIZES);
    for (uint32_t i = 0; i < SIZES && each; i++)
        times[i].each = each + (size_t)EDITS * options->repeat * i;
    cairn_status status = each ? run_map(options, name, times) : CAIRN_E_MEMORY;
    for (uint32_t i = 0; status == CAIRN_OK && i < SIZES; i++) {
        print_times(options, name, i + 1, &times[i], mean_us(&times[0]));
        status = times[i].wrong ? CAIRN_E_INEXACT : status;
    }
    free(each);
    return status;
}

int bench_units(const bench_options *options)
{
    if (!options->json)
        printf("%-18s %4s %10s %10s %10s %10s %10s %8s %6s %8s %6s\n", "map", "size", "derive ms",
               "edit us", "repair us", "of size 1", "median us", "rebuilt", "edits", "others",
               "wrong");
    for (size_t i = 0; i < options->map_count; i++) {
        cairn_status status = measure_map(options, options->maps[i]);
        if (status != CAIRN_OK)
            return bench_failed(options->maps[i], status);
    }
    return 0;
}
