/*
 * What readers beside a writer cost: the same edits repaired in a table of one's own, and in a
 * world, where they are published and the other copy follows. Beside it what else would bring the
 * second copy up to date: to repair it as well (which takes the first column again), to compare all
 * entries, to copy map and table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/draw.h"
#include "kit/kit.h"
#include "table/table.h"

enum { ROWS = 16, EDITS = 100, PATCH = 10, READS = 1000000, QUERIES = 2000, ROUNDS_MAX = 99 };

/* What is timed of each edit. */
typedef enum part { ALONE, DRAFT, PUBLISH, FOLLOW, PARTS } part;

typedef struct publish_arena {
    const char *name;
    bool json;
    bool *is_first; /* nothing was printed yet, of any map */
    cairn_map *map; /* those of one's own */
    cairn_table *table;
    cairn_world *world;
    cairn_search *search;
    cn_rng rng;
    double clone_seconds;   /* of map and table */
    double compare_seconds; /* of all entries */
    double read_seconds;    /* to come and to leave */
    double use_seconds;     /* to lead a search to the other side */
    double times[PARTS][2 * EDITS];
    size_t count;
} publish_arena;

static cairn_node path_cell(publish_arena *arena)
{
    return bench_path_cell(arena->map, arena->table, 0, arena->search, &arena->rng);
}

static cairn_status time_alone(publish_arena *arena, const cairn_edit *edit)
{
    double start = bench_now();
    cairn_status status = cairn_map_edit(arena->map, edit, 1);
    if (status == CAIRN_OK)
        status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    arena->times[ALONE][arena->count] = bench_now() - start;
    return status;
}

static cairn_status time_world(publish_arena *arena, const cairn_edit *edit)
{
    double times[PARTS];
    times[DRAFT] = bench_now();
    cairn_status status = cairn_world_edit(arena->world, edit, 1);
    if (status == CAIRN_OK)
        status = cairn_world_refresh_step(arena->world, CAIRN_UNLIMITED);
    times[PUBLISH] = bench_now();
    if (status == CAIRN_OK)
        status = cairn_world_publish(arena->world);
    times[FOLLOW] = bench_now();
    if (status == CAIRN_OK)
        status = cairn_world_refresh_step(arena->world, CAIRN_UNLIMITED);
    const double end = bench_now();
    arena->times[DRAFT][arena->count] = times[PUBLISH] - times[DRAFT];
    arena->times[PUBLISH][arena->count] = times[FOLLOW] - times[PUBLISH];
    arena->times[FOLLOW][arena->count] = end - times[FOLLOW];
    return status;
}

static cairn_status time_edit(publish_arena *arena, const cairn_edit *edit)
{
    cairn_status status = time_alone(arena, edit);
    if (status == CAIRN_OK)
        status = time_world(arena, edit);
    arena->count++;
    return status;
}

/* Edits that find no place are not timed, here and in what follows. */
static cairn_status time_cell(publish_arena *arena)
{
    uint32_t x, y;
    if (!cairn_node_xy(arena->map, path_cell(arena), &x, &y))
        return CAIRN_OK;
    cairn_edit closes = cairn_block(x, y), opens = cairn_open(x, y);
    cairn_status status = time_edit(arena, &closes);
    return status == CAIRN_OK ? time_edit(arena, &opens) : status;
}

static cairn_status time_patch(publish_arena *arena)
{
    char before[PATCH * PATCH];
    uint32_t x, y, width = cairn_map_width(arena->map), height = cairn_map_height(arena->map);
    if (width < PATCH || height < PATCH || !cairn_node_xy(arena->map, path_cell(arena), &x, &y))
        return CAIRN_OK;
    x = x + PATCH > width ? width - PATCH : x;
    y = y + PATCH > height ? height - PATCH : y;
    for (uint32_t i = 0; i < PATCH * PATCH; i++)
        before[i] = cairn_map_letter(arena->map, (y + i / PATCH) * width + x + i % PATCH);
    cairn_edit closes = cairn_rectangle(x, y, PATCH, PATCH, '@');
    cairn_edit opens = cairn_patch_letters(x, y, PATCH, PATCH, before);
    cairn_status status = time_edit(arena, &closes);
    return status == CAIRN_OK ? time_edit(arena, &opens) : status;
}

static void print_times(publish_arena *arena, const char *what)
{
    double sum[PARTS] = {0}, median[PARTS], p95[PARTS];
    static const char *const names[PARTS] = {"alone", "draft", "publish", "follow"};

    for (part of = 0; of < PARTS; of++) {
        double *times = arena->times[of];
        bench_sort(times, arena->count);
        for (size_t i = 0; i < arena->count; i++)
            sum[of] += times[i];
        median[of] = times[arena->count / 2];
        p95[of] = times[arena->count * 95 / 100];
    }
    if (arena->json) {
        printf("%s{\"map\": \"%s\", \"edit\": \"%s\"", *arena->is_first ? "" : ",\n", arena->name,
               what);
        for (part of = 0; of < PARTS; of++)
            printf(", \"%s\": {\"median_us\": %.3f, \"p95_us\": %.3f, \"sum_us\": %.1f}", names[of],
                   median[of] * 1e6, p95[of] * 1e6, sum[of] * 1e6);
        printf(", \"clone_us\": %.1f, \"compare_us\": %.1f, \"read_ns\": %.2f, \"use_ns\": %.2f}",
               arena->clone_seconds * 1e6, arena->compare_seconds * 1e6, arena->read_seconds * 1e9,
               arena->use_seconds * 1e9);
    } else {
        printf("%-14s %-6s", arena->name, what);
        for (part of = 0; of < PARTS; of++)
            printf(" | %8.2f %8.1f %8.0f", median[of] * 1e6, p95[of] * 1e6,
                   sum[of] / (double)arena->count * 1e6);
        printf(" | %5.2f %5.2f %5.2f | %7.0f %7.0f %7.1f | %5.1f %5.1f\n", sum[DRAFT] / sum[ALONE],
               sum[FOLLOW] / sum[ALONE], median[FOLLOW] / median[ALONE], arena->clone_seconds * 1e6,
               arena->compare_seconds * 1e6, arena->clone_seconds / median[FOLLOW],
               arena->read_seconds * 1e9, arena->use_seconds * 1e9);
    }
    *arena->is_first = false;
    arena->count = 0;
}

typedef cairn_status edit_timer(publish_arena *arena);

static cairn_status measure_edits(publish_arena *arena, edit_timer *timer, const char *what)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; status == CAIRN_OK && i < EDITS && arena->count == 2 * i; i++)
        status = timer(arena);
    if (status == CAIRN_OK && arena->count == 0)
        fprintf(stderr, "cairn-bench: %s: %s left out: hardly any\n", arena->name, what);
    else if (status == CAIRN_OK)
        print_times(arena, what);
    return status;
}

/* ---------------------------------------------------------------------- what does not change -- */

static cairn_status time_clone(publish_arena *arena, double *seconds)
{
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    double start = bench_now();
    cairn_status status = cairn_map_clone(arena->map, &map);
    if (status == CAIRN_OK)
        status = cairn_table_clone(arena->table, &table);
    *seconds = bench_now() - start;
    cairn_table_free(table);
    cairn_map_free(map);
    return status;
}

/* Page by page, as the first difference would be found. */
static cairn_status time_compare(publish_arena *arena, double *seconds)
{
    const cairn_view view = cairn_world_acquire(arena->world);
    const size_t size = (size_t)view.table->node_count * view.table->lane_count *
                        view.table->entry_bits / 8;
    const uint8_t *one = view.table->entries, *other = arena->table->entries;
    unsigned differing = 0;
    double start = bench_now();
    for (size_t at = 0; at < size; at += CN_TABLE_GROUP_SIZE)
        differing += memcmp(one + at, other + at,
                            size - at < CN_TABLE_GROUP_SIZE ? size - at : CN_TABLE_GROUP_SIZE) != 0;
    *seconds = bench_now() - start;
    cairn_view left = view;
    cairn_world_release(arena->world, &left);
    return differing == 0 ? CAIRN_OK : CAIRN_E_MISMATCH;
}

static void time_reads(publish_arena *arena)
{
    double start = bench_now();
    for (unsigned i = 0; i < READS; i++) {
        cairn_view view = cairn_world_acquire(arena->world);
        cairn_world_release(arena->world, &view);
    }
    arena->read_seconds = (bench_now() - start) / READS;
}

/* Queries from a cell to itself, which take no search: with and without a change of sides. */
static cairn_status time_use(publish_arena *arena)
{
    const cairn_view view = cairn_world_acquire(arena->world);
    cairn_view left = view;
    cairn_node cell = bench_any_cell(arena->map, arena->table, 0, &arena->rng);
    cairn_path path;
    cairn_status status = CAIRN_OK;
    double seconds[2];

    if (cell == CAIRN_NO_NODE) {
        cairn_world_release(arena->world, &left);
        return CAIRN_OK;
    }

    /* The first run on a map makes its jump planes. */
    status = cairn_search_use(arena->search, view.map, view.table);
    if (status == CAIRN_OK)
        status = cairn_search_use(arena->search, arena->map, arena->table);
    for (unsigned way = 0; way < 2; way++) {
        double start = bench_now();
        for (unsigned i = 0; status == CAIRN_OK && i < QUERIES; i++) {
            if (way)
                status = i % 2 ? cairn_search_use(arena->search, arena->map, arena->table)
                               : cairn_search_use(arena->search, view.map, view.table);
            if (status == CAIRN_OK)
                status = cairn_search_run(arena->search, cell, cell, &path);
        }
        seconds[way] = (bench_now() - start) / QUERIES;
    }
    arena->use_seconds = seconds[1] - seconds[0];
    cairn_world_release(arena->world, &left);
    if (status == CAIRN_OK)
        status = cairn_search_use(arena->search, arena->map, arena->table);
    return status;
}

static cairn_status measure_rest(publish_arena *arena, unsigned repeat)
{
    double clone[ROUNDS_MAX], compare[ROUNDS_MAX];
    cairn_status status = CAIRN_OK;

    for (unsigned round = 0; status == CAIRN_OK && round < repeat; round++) {
        status = time_clone(arena, &clone[round]);
        if (status == CAIRN_OK)
            status = time_compare(arena, &compare[round]);
    }
    if (status != CAIRN_OK)
        return status;
    arena->clone_seconds = bench_median(clone, repeat);
    arena->compare_seconds = bench_median(compare, repeat);
    time_reads(arena);
    return time_use(arena);
}

/* ------------------------------------------------------------------------------- the subject -- */

static cairn_status open_arena(publish_arena *arena)
{
    cairn_build_options build = {.size = sizeof build, .landmark_count = ROWS};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_status status = cairn_table_build(arena->map, &build, &arena->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, NULL, &arena->search);
    if (status == CAIRN_OK)
        status = cairn_map_clone(arena->map, &map);
    if (status == CAIRN_OK)
        status = cairn_table_clone(arena->table, &table);
    if (status == CAIRN_OK)
        status = cairn_world_new(map, table, &arena->world);
    if (status != CAIRN_OK) {
        cairn_table_free(table);
        cairn_map_free(map);
    }
    return status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    publish_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return CAIRN_E_MEMORY;
    *arena = (publish_arena){.name = name, .json = options->json, .is_first = is_first, .rng = {7}};
    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    cairn_status status = arena->map ? open_arena(arena) : CAIRN_E_IO;
    if (status == CAIRN_OK)
        status = measure_rest(arena, options->repeat);
    if (status == CAIRN_OK)
        status = measure_edits(arena, time_cell, "cell");
    if (status == CAIRN_OK)
        status = measure_edits(arena, time_patch, "patch");
    cairn_search_free(arena->search);
    cairn_world_free(arena->world);
    cairn_table_free(arena->table);
    cairn_map_free(arena->map);
    free(arena);
    return status;
}

int bench_publish(const bench_options *options)
{
    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("%d rows; microseconds for an edit of cells on shortest paths, closed and opened "
               "again: median, p95,\nmean | shares of the time alone: draft, follow, follow by "
               "medians | map and table cloned, entries\ncompared, clone / follow | nanoseconds to "
               "come and leave, to lead a search to the other side\n%-14s %-6s | %26s | %26s "
               "| %26s | %26s\n",
               ROWS, "map", "edit", "alone", "draft", "publish", "follow");
    return bench_run_maps(options, run_map);
}
