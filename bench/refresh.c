/*
 * Repair of single rows after edits, beside measuring the same rows anew in the same run. A row's
 * time is its share of the look that all rows take at the edit, plus its own repair; where an edit
 * splits a component, with finding the parts and placing landmarks in those that have none.
 * Two ways of measuring anew are shown: the flood alone, by the fastest engine, and a row's share
 * of cairn_table_rebuild, which is what an update without repair has to do.
 */
#include "refresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kit/kit.h"
#include "rng.h"

enum { ROWS = 16, EDITS = 100, PATCH = 10, TRIES = 1000000, REPEAT_MAX = 99 };

typedef struct refresh_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    const char *name;
    bool json;
    bool is_first;          /* nothing was printed yet, of any map */
    cn_rng rng;
    double flood_seconds;   /* of one row, median */
    double row_seconds;     /* of one row with writing it, median */
    double *seconds;        /* of repairs */
    size_t count;
    size_t capacity;
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

static bool add_sample(refresh_arena *arena, double seconds)
{
    if (arena->count == arena->capacity) {
        size_t capacity = arena->capacity ? arena->capacity * 2 : 1024;
        double *grown = realloc(arena->seconds, capacity * sizeof *grown);
        if (!grown)
            return false;
        arena->seconds = grown;
        arena->capacity = capacity;
    }
    arena->seconds[arena->count++] = seconds;
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

/* Applies an edit and repairs row by row, with the clock. */
static cairn_status time_edit(refresh_arena *arena, const cairn_edit *edit)
{
    cairn_status status = cairn_map_edit(arena->map, edit, 1);
    if (status != CAIRN_OK)
        return status;
    stopwatch watch = start_watch();
    status = cairn_refresh_step(arena->table, arena->map, CAIRN_CELLS(0));
    double share = elapsed(watch) / ROWS;
    unsigned rows = 0;
    while (status == CAIRN_MORE) {
        watch = start_watch();
        status = cn_refresh_one_row(arena->table, arena->map);
        if (status == CAIRN_MORE && (++rows, !add_sample(arena, share + elapsed(watch))))
            return CAIRN_E_MEMORY;
    }
    /* Rows that the edit did not concern are done after the look. */
    while (status == CAIRN_OK && rows++ < ROWS) {
        if (!add_sample(arena, share))
            return CAIRN_E_MEMORY;
    }
    return status;
}

static int compare_seconds(const void *a_, const void *b_)
{
    double a = *(const double *)a_, b = *(const double *)b_;
    return (a > b) - (a < b);
}

static void print_samples(refresh_arena *arena, const char *what)
{
    size_t count = arena->count;
    if (count == 0)
        return;
    qsort(arena->seconds, count, sizeof *arena->seconds, compare_seconds);
    double median = arena->seconds[count / 2], p95 = arena->seconds[count * 95 / 100];
    double p99 = arena->seconds[count * 99 / 100], worst = arena->seconds[count - 1];
    double row = arena->row_seconds, flood = arena->flood_seconds;

    if (arena->json)
        printf("%s{\"map\": \"%s\", \"edit\": \"%s\", \"samples\": %zu, \"median_us\": %.3f, "
               "\"p95_us\": %.3f, \"p99_us\": %.3f, \"worst_us\": %.3f, \"row_us\": %.2f, "
               "\"flood_us\": %.2f}", arena->is_first ? "" : ",\n", arena->name, what, count,
               median * 1e6, p95 * 1e6, p99 * 1e6, worst * 1e6, row * 1e6, flood * 1e6);
    else
        printf("%-16s %-16s %8.2f %8.2f %8.1f %8.0f %8.0f %8.0f %7.0f %7.1f %7.1f %7.2f %7.2f\n",
               arena->name, what, median * 1e6, p95 * 1e6, p99 * 1e6, worst * 1e6, flood * 1e6,
               row * 1e6, row / median, row / p95, row / p99, worst / row, worst / flood);
    arena->count = 0;
    arena->is_first = false;
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
            size_t kept = arena->count;
            cairn_status status = time_edit(arena, &edits[0]);
            if (status == CAIRN_OK && way == 1)
                arena->count = kept;
            kept = arena->count;
            if (status == CAIRN_OK)
                status = time_edit(arena, &edits[1]);
            if (status != CAIRN_OK)
                return status;
            if (way == 0)
                arena->count = kept;
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
            cairn_status status = time_edit(arena, &edits[0]);
            size_t closed = arena->count;
            if (way == 1)
                closed = arena->count -= ROWS;
            if (status == CAIRN_OK)
                status = time_edit(arena, &edits[1]);
            if (status != CAIRN_OK)
                return status;
            if (way == 0)
                arena->count = closed;
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

/* Every row measured anew in the table: by the engine alone, and as cairn_table_rebuild does it.
 * The first time, which sets things up, does not count. */
static cairn_status measure_anew(refresh_arena *arena, unsigned repeat)
{
    double flood[REPEAT_MAX], rebuild[REPEAT_MAX];
    cairn_status status = cairn_table_rebuild(arena->table, arena->map);

    repeat = repeat < REPEAT_MAX ? repeat : REPEAT_MAX;
    for (unsigned round = 0; status == CAIRN_OK && round < repeat; round++) {
        status = time_floods(arena, &flood[round]);
        double start = bench_now();
        if (status == CAIRN_OK)
            status = cairn_table_rebuild(arena->table, arena->map);
        rebuild[round] = (bench_now() - start) / ROWS;
    }
    if (status != CAIRN_OK)
        return status;
    arena->flood_seconds = bench_median(flood, repeat);
    arena->row_seconds = bench_median(rebuild, repeat);
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
    arena->count = 0;
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
    free(arena.seconds);
    return status;
}

int bench_refresh(const bench_options *options)
{
    if (!options->json)
        printf("Microseconds per row of a table of %d rows; flood, row: measured anew, without and "
               "with writing it.\n%-16s %-16s %8s %8s %8s %8s %8s %8s %7s %7s %7s %7s %7s\n", ROWS,
               "map", "edit", "median", "p95", "p99", "worst", "flood", "row", "row/med",
               "row/p95", "row/p99", "wrst/row", "wrst/fl");
    for (size_t i = 0; i < options->map_count; i++) {
        cairn_status status = run_map(options, options->maps[i], i == 0);
        if (status != CAIRN_OK)
            return bench_failed(options->maps[i], status);
    }
    return 0;
}
