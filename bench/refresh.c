/*
 * Repair after edits, beside measuring anew in the same run, in two ways:
 *
 *   by row    Every row by itself. Its time is its share of the look that all rows take at the
 *             edit, plus its own repair; where an edit splits a component, with finding the parts
 *             and placing landmarks in those that have none. Beside it the same row measured anew
 *             by itself, from its landmarks into the table: what an update of this row without
 *             repair has to do.
 *   whole     All rows in one step, as callers do it: rows that are measured anew are written some
 *             at a time. Beside it cairn_table_rebuild.
 */
#include "refresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/kit.h"
#include "rng.h"

enum { ROWS = 16, EDITS = 100, PATCH = 10, TRIES = 1000000, REPEAT_MAX = 99 };

typedef enum scope { BY_ROW, WHOLE, SCOPES } scope;

typedef struct samples {
    double *seconds;
    size_t count;
    size_t capacity;
} samples;

typedef struct refresh_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    const char *name;
    bool json;
    bool is_first;          /* nothing was printed yet, of any map */
    cn_rng rng;
    double flood_seconds;     /* of one row, median */
    double anew_seconds[SCOPES];  /* of one row by itself, of the table; median */
    samples repairs[SCOPES];
} refresh_arena;

static cairn_node random_open(refresh_arena *arena)
{
    cairn_node node;
    do
        node = cn_rng_below(&arena->rng, cairn_map_node_count(arena->map));
    while (!cairn_map_is_open(arena->map, node));
    return node;
}

/* A cell from which the first row, and so the largest component, is reached. */
static cairn_node any_cell(refresh_arena *arena)
{
    cairn_node node;
    do
        node = random_open(arena);
    while (cairn_table_cost(arena->table, ROWS - 1, node) == CAIRN_UNREACHABLE);
    return node;
}

/* A cell in the middle part of some shortest path. */
static cairn_node path_cell(refresh_arena *arena)
{
    for (;;) {
        cairn_path path;
        cairn_node start = any_cell(arena), goal = any_cell(arena);
        if (cairn_search_run(arena->search, start, goal, &path) == CAIRN_OK &&
            path.node_count > 20)
            return path.nodes[path.node_count / 4 +
                              cn_rng_below(&arena->rng, (uint32_t)path.node_count / 2)];
    }
}

/* A cell of a passage that is one cell wide; CAIRN_NO_NODE where the map has hardly any. */
static cairn_node door_cell(refresh_arena *arena)
{
    const cn_grid *grid = &arena->map->grid;
    for (unsigned i = 0; i < TRIES; i++) {
        cairn_node node = cn_rng_below(&arena->rng, cairn_map_node_count(arena->map));
        if (!cairn_map_is_open(arena->map, node))
            continue;
        unsigned straight = grid->around[node] & ((1u << CN_STRAIGHT) - 1);
        if ((straight == (1u << CN_E | 1u << CN_W) || straight == (1u << CN_N | 1u << CN_S)) &&
            cairn_table_cost(arena->table, ROWS - 1, node) != CAIRN_UNREACHABLE)
            return node;
    }
    return CAIRN_NO_NODE;
}

static bool add_sample(samples *all, double seconds)
{
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 1024;
        double *grown = realloc(all->seconds, capacity * sizeof *grown);
        if (!grown)
            return false;
        all->seconds = grown;
        all->capacity = capacity;
    }
    all->seconds[all->count++] = seconds;
    return true;
}

/* Both clocks: on a machine that others use as well, the time of the processor is the smaller. */
typedef struct stopwatch {
    double wall;
    double processor;
} stopwatch;

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static stopwatch start_watch(void)
{
    stopwatch watch = {.processor = processor_time()};
    watch.wall = bench_now();
    return watch;
}

static double elapsed(stopwatch watch)
{
    double wall = bench_now() - watch.wall;
    double processor = processor_time() - watch.processor;
    return processor < wall ? processor : wall;
}

/* Repairs row by row, with the clock. */
static cairn_status time_rows(refresh_arena *arena, samples *times)
{
    stopwatch watch = start_watch();
    cairn_status status = cairn_refresh_step(arena->table, arena->map, CAIRN_CELLS(0));
    double share = elapsed(watch) / ROWS;
    unsigned rows = 0;
    while (status == CAIRN_MORE) {
        watch = start_watch();
        status = cn_refresh_one_row(arena->table, arena->map);
        if (status == CAIRN_MORE && (++rows, !add_sample(times, share + elapsed(watch))))
            return CAIRN_E_MEMORY;
    }
    /* Rows that the edit did not concern are done after the look. */
    while (status == CAIRN_OK && rows++ < ROWS) {
        if (!add_sample(times, share))
            return CAIRN_E_MEMORY;
    }
    return status;
}

static cairn_status time_whole(refresh_arena *arena, samples *times)
{
    stopwatch watch = start_watch();
    cairn_status status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    return status == CAIRN_OK && !add_sample(times, elapsed(watch)) ? CAIRN_E_MEMORY : status;
}

/* Applies an edit and repairs; the time goes to the samples where it is wanted. */
static cairn_status time_edit(refresh_arena *arena, const cairn_edit *edit, scope of,
                              bool wanted)
{
    samples *times = &arena->repairs[of];
    size_t kept = times->count;
    cairn_status status = cairn_map_edit(arena->map, edit, 1);
    if (status == CAIRN_OK)
        status = (of == BY_ROW ? time_rows : time_whole)(arena, times);
    if (!wanted)
        times->count = kept;
    return status;
}

static int compare_seconds(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

typedef struct figures {
    double median, p95, p99, worst;
} figures;

static figures figures_of(samples *times)
{
    size_t count = times->count;
    qsort(times->seconds, count, sizeof *times->seconds, compare_seconds);
    return (figures){times->seconds[count / 2], times->seconds[count * 95 / 100],
                     times->seconds[count * 99 / 100], times->seconds[count - 1]};
}

static void print_json(const char *name, figures times, double anew)
{
    printf(", \"%s\": {\"median_us\": %.3f, \"p95_us\": %.3f, \"p99_us\": %.3f, "
           "\"worst_us\": %.3f, \"anew_us\": %.2f}", name, times.median * 1e6, times.p95 * 1e6,
           times.p99 * 1e6, times.worst * 1e6, anew * 1e6);
}

static void print_samples(refresh_arena *arena, const char *what)
{
    if (arena->repairs[BY_ROW].count == 0)
        return;
    figures row = figures_of(&arena->repairs[BY_ROW]), whole = figures_of(&arena->repairs[WHOLE]);
    double row_anew = arena->anew_seconds[BY_ROW], whole_anew = arena->anew_seconds[WHOLE];

    if (arena->json) {
        printf("%s{\"map\": \"%s\", \"edit\": \"%s\", \"flood_us\": %.2f",
               arena->is_first ? "" : ",\n", arena->name, what, arena->flood_seconds * 1e6);
        print_json("row", row, row_anew);
        print_json("whole", whole, whole_anew);
        printf("}");
    } else {
        printf("%-16s %-16s %8.2f %8.2f %7.0f %7.0f %7.0f %6.0f %6.1f %5.1f %5.2f |"
               " %7.1f %7.0f %7.0f %7.0f %6.1f %5.1f %5.2f\n", arena->name, what,
               row.median * 1e6, row.p95 * 1e6, row.p99 * 1e6, row.worst * 1e6, row_anew * 1e6,
               row_anew / row.median, row_anew / row.p95, row_anew / row.p99, row.worst / row_anew,
               whole.median * 1e6, whole.p95 * 1e6, whole.worst * 1e6, whole_anew * 1e6,
               whole_anew / whole.median, whole_anew / whole.p95, whole.worst / whole_anew);
    }
    arena->repairs[BY_ROW].count = arena->repairs[WHOLE].count = 0;
    arena->is_first = false;
}

/* Each edit and the one that undoes it: half of the rounds ask for the times of the first ones, the
 * other half for those of the second ones. */
static cairn_status time_pair(refresh_arena *arena, const cairn_edit edits[2], unsigned way)
{
    cairn_status status = CAIRN_OK;
    for (scope of = BY_ROW; status == CAIRN_OK && of < SCOPES; of++) {
        status = time_edit(arena, &edits[0], of, way == 0);
        if (status == CAIRN_OK)
            status = time_edit(arena, &edits[1], of, way == 1);
    }
    return status;
}

typedef cairn_node chooser(refresh_arena *arena);

/* Closes chosen cells one after the other, opening each again before the next. */
static cairn_status measure_cells(refresh_arena *arena, chooser *choose, const char *const what[2])
{
    static cairn_node cells[EDITS];
    for (unsigned way = 0; way < 2; way++) {
        for (size_t i = 0; i < EDITS; i++) {
            if (way == 0)
                cells[i] = choose(arena);
            if (cells[i] == CAIRN_NO_NODE)
                return CAIRN_OK;
            uint32_t x, y;
            cairn_node_xy(arena->map, cells[i], &x, &y);
            const cairn_edit edits[2] = {cairn_block(x, y), cairn_open(x, y)};
            cairn_status status = time_pair(arena, edits, way);
            if (status != CAIRN_OK)
                return status;
        }
        print_samples(arena, what[way]);
    }
    return CAIRN_OK;
}

static cairn_status measure_patches(refresh_arena *arena, chooser *choose,
                                    const char *const what[2])
{
    for (unsigned way = 0; way < 2; way++) {
        for (size_t i = 0; i < EDITS; i++) {
            char before[PATCH * PATCH];
            uint32_t x, y, width = cairn_map_width(arena->map);
            uint32_t height = cairn_map_height(arena->map);
            cairn_node_xy(arena->map, choose(arena), &x, &y);
            x = x + PATCH > width ? width - PATCH : x;
            y = y + PATCH > height ? height - PATCH : y;
            for (uint32_t cell = 0; cell < PATCH * PATCH; cell++)
                before[cell] = cairn_map_letter(
                    arena->map, (y + cell / PATCH) * width + x + cell % PATCH);
            const cairn_edit edits[2] = {cairn_rectangle(x, y, PATCH, PATCH, '@'),
                                         cairn_patch_letters(x, y, PATCH, PATCH, before)};
            cairn_status status = time_pair(arena, edits, way);
            if (status != CAIRN_OK)
                return status;
        }
        print_samples(arena, what[way]);
    }
    return CAIRN_OK;
}

/* Floods of all rows from their own landmarks. */
static cairn_status time_floods(refresh_arena *arena, double *seconds)
{
    cn_flooder *flooder;
    cairn_status status = cn_flooder_new(arena->map, arena->table->entry_bits, &flooder);
    double start = bench_now();

    for (uint32_t row = 0; status == CAIRN_OK && row < ROWS; row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(arena->table, row, &landmarks);
        cn_plane plane;
        status = cn_flooder_run(flooder, landmarks, count, &plane);
    }
    *seconds = (bench_now() - start) / ROWS;
    cn_flooder_free(flooder);
    return status;
}

/* Every row measured anew, each by itself. */
static cairn_status time_single_rows(refresh_arena *arena, samples *times)
{
    cairn_status status = cn_refresh_distrust(arena->table, arena->map);
    for (uint32_t row = 0; status == CAIRN_OK && row < ROWS; row++) {
        double start = bench_now();
        status = cn_refresh_one_row(arena->table, arena->map);
        if ((status == CAIRN_OK || status == CAIRN_MORE) &&
            !add_sample(times, bench_now() - start))
            status = CAIRN_E_MEMORY;
        status = status == CAIRN_MORE ? CAIRN_OK : status;
    }
    return status == CAIRN_OK ? cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED)
                              : status;
}

/* The first time, which sets things up, does not count. */
static cairn_status measure_anew(refresh_arena *arena, unsigned repeat)
{
    double flood[REPEAT_MAX], rebuild[REPEAT_MAX];
    samples *single = &arena->repairs[BY_ROW];
    cairn_status status = cairn_table_rebuild(arena->table, arena->map);

    repeat = repeat < REPEAT_MAX ? repeat : REPEAT_MAX;
    for (unsigned round = 0; status == CAIRN_OK && round < repeat; round++) {
        status = time_floods(arena, &flood[round]);
        if (status == CAIRN_OK)
            status = time_single_rows(arena, single);
        double start = bench_now();
        if (status == CAIRN_OK)
            status = cairn_table_rebuild(arena->table, arena->map);
        rebuild[round] = bench_now() - start;
    }
    if (status != CAIRN_OK)
        return status;
    arena->flood_seconds = bench_median(flood, repeat);
    arena->anew_seconds[BY_ROW] = figures_of(single).median;
    arena->anew_seconds[WHOLE] = bench_median(rebuild, repeat);
    single->count = 0;
    return CAIRN_OK;
}

static cairn_status measure_map(refresh_arena *arena, unsigned repeat)
{
    static const char *const cell[2] = {"cell closes", "cell opens"};
    static const char *const on_path[2] = {"on path closes", "on path opens"};
    static const char *const door[2] = {"door closes", "door opens"};
    static const char *const patch[2] = {"patch closes", "patch opens"};
    static const char *const path_patch[2] = {"path patch close", "path patch opens"};

    cairn_status status = measure_anew(arena, repeat);
    if (status == CAIRN_OK)
        status = measure_cells(arena, any_cell, cell);
    if (status == CAIRN_OK)
        status = measure_cells(arena, path_cell, on_path);
    if (status == CAIRN_OK)
        status = measure_cells(arena, door_cell, door);
    if (status == CAIRN_OK)
        status = measure_patches(arena, any_cell, patch);
    if (status == CAIRN_OK)
        status = measure_patches(arena, path_cell, path_patch);
    if (status == CAIRN_OK)
        status = cairn_table_verify(arena->table, arena->map, 1, NULL);
    return status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool is_first)
{
    refresh_arena arena = {.name = name, .json = options->json, .is_first = is_first,
                           .rng = {7}};
    cairn_build_options build = {.size = sizeof build, .landmark_count = ROWS};
    arena.map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena.map)
        return CAIRN_E_IO;

    cairn_status status = cairn_table_build(arena.map, &build, &arena.table);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena.map, arena.table, NULL, &arena.search);
    if (status == CAIRN_OK)
        status = measure_map(&arena, options->repeat);
    cairn_search_free(arena.search);
    cairn_table_free(arena.table);
    cairn_map_free(arena.map);
    free(arena.repairs[BY_ROW].seconds);
    free(arena.repairs[WHOLE].seconds);
    return status;
}

int bench_refresh(const bench_options *options)
{
    if (!options->json)
        printf("Microseconds for a table of %d rows: each row by itself | all rows in one step; "
               "anew: without repair.\n%-16s %-16s %8s %8s %7s %7s %7s %6s %6s %5s %5s | "
               "%7s %7s %7s %7s %6s %5s %5s\n", ROWS, "map", "edit", "median", "p95", "p99",
               "worst", "anew", "a/med", "a/p95", "a/p99", "wrst", "median", "p95", "worst", "anew",
               "a/med", "a/p95", "wrst");
    for (size_t i = 0; i < options->map_count; i++) {
        cairn_status status = run_map(options, options->maps[i], i == 0);
        if (status != CAIRN_OK)
            return bench_failed(options->maps[i], status);
    }
    return 0;
}
