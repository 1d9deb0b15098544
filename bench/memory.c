/* What map, table and search take in memory, as their allocator counts it, how long a query takes,
 * and how long the file takes to load: rows at every cell beside rows at corners, in one run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

enum { ROWS = 16, ROUNDS_MAX = 101, QUERIES_MOST = 400, COLD_QUERIES = 60 };

static const cairn_resident WAYS[] = {CAIRN_RESIDENT_CELLS, CAIRN_RESIDENT_CORNERS};
static const char *const WAY_NAMES[] = {"cells", "corners"};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

/* One way to keep rows, with a map of its own. */
typedef struct memory_way {
    cairn_allocator allocator;
    size_t held; /* bytes that the allocator has given and not got back */
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    size_t map_bytes, table_bytes, search_bytes;
    double hot[ROUNDS_MAX]; /* by round, seconds for a query */
    double cold[ROUNDS_MAX];
    double load[ROUNDS_MAX]; /* seconds for the file of map and table */
    cairn_resident resident;
    uint64_t expanded;
    uint64_t cost;
} memory_way;

typedef struct memory_arena {
    const bench_options *options;
    memory_way ways[WAY_COUNT];
    cairn_map *map; /* whose memory is not counted: the scenario lies in it */
    cairn_scenario *scenario;
    const cairn_query **queries;
    size_t query_count;
    uint8_t *file;
    size_t file_size;
} memory_arena;

/* ------------------------------------------------------------------------------ counting -- */

enum { HEADROOM = 64 };

static void *allocate(void *context, size_t size)
{
    memory_way *way = context;
    char *block = malloc(size + HEADROOM);
    if (!block)
        return NULL;
    memcpy(block, &size, sizeof size);
    way->held += size;
    return block + HEADROOM;
}

static void release(void *context, void *memory)
{
    memory_way *way = context;
    char *block = (char *)memory - HEADROOM;
    size_t size;
    memcpy(&size, block, sizeof size);
    way->held -= size;
    free(block);
}

/* ------------------------------------------------------------------------------- running -- */

static cairn_status open_way(memory_way *way, const bench_options *options, const char *name,
                             cairn_resident resident)
{
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = ROWS, .thread_count = 1, .resident = resident};
    char path[4096];
    way->resident = resident;
    way->allocator = (cairn_allocator){allocate, release, way};
    const cairn_map_options terms = {.size = sizeof terms, .allocator = &way->allocator};
    int length = snprintf(path, sizeof path, "%s/movingai/%s.map", options->data, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return CAIRN_E_LIMIT;
    cairn_status status = cairn_map_load(path, &terms, &way->map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(way->map, &build, &way->table);
    return status == CAIRN_OK ? cairn_search_new(way->map, way->table, NULL, &way->search) : status;
}

static cairn_status take_queries(memory_arena *arena, const char *name)
{
    arena->map = bench_load_map(arena->options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    cairn_status status = bench_load_scenario(arena->options, name, arena->map, &arena->scenario);
    if (status != CAIRN_OK)
        return status;
    size_t count = cairn_scenario_count(arena->scenario), step = count / QUERIES_MOST + 1;
    arena->query_count = count / step;
    arena->queries = malloc((arena->query_count + 1) * sizeof *arena->queries);
    if (!arena->queries)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < arena->query_count; i++)
        arena->queries[i] = cairn_scenario_queries(arena->scenario) + i * step;
    return CAIRN_OK;
}

static cairn_status ask(memory_way *way, const cairn_query *query, double *seconds)
{
    cairn_path path;
    double begin = bench_thread_now();
    cairn_status status = cairn_search_run(way->search, query->start, query->goal, &path);
    *seconds += bench_thread_now() - begin;
    way->expanded += path.expanded;
    way->cost += path.cost;
    return status;
}

/* All queries several times, so that a clock can tell; the first pass of a run warms the caches. */
static cairn_status run_hot(const memory_arena *arena, memory_way *way, double *each)
{
    enum { PASSES = 4 };
    cairn_status status = CAIRN_OK;
    double ignored = 0;
    way->expanded = way->cost = 0;
    for (size_t i = 0; i < arena->query_count && status == CAIRN_OK; i++)
        status = ask(way, arena->queries[i], &ignored);
    double begin = bench_thread_now();
    for (size_t i = 0; i < PASSES * arena->query_count && status == CAIRN_OK; i++) {
        const cairn_query *query = arena->queries[i % arena->query_count];
        cairn_path path;
        status = cairn_search_run(way->search, query->start, query->goal, &path);
    }
    *each = (bench_thread_now() - begin) / (double)(PASSES * arena->query_count);
    return status;
}

static cairn_status run_cold(const memory_arena *arena, memory_way *way, double *each)
{
    size_t count = arena->query_count < COLD_QUERIES ? arena->query_count : COLD_QUERIES;
    cairn_status status = CAIRN_OK;
    double seconds = 0;
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (!bench_read_other_memory())
            return CAIRN_E_MEMORY;
        status = ask(way, arena->queries[i * arena->query_count / count], &seconds);
    }
    *each = seconds / (double)count;
    return status;
}

/* Its memory is not counted. */
static cairn_status make_file(memory_arena *arena, const memory_way *way)
{
    uint8_t *bytes;
    cairn_status status = cairn_save_bytes(way->map, way->table, NULL, &bytes, &arena->file_size);
    if (status != CAIRN_OK)
        return status;
    arena->file = malloc(arena->file_size);
    if (arena->file)
        memcpy(arena->file, bytes, arena->file_size);
    cairn_bytes_free(way->map, bytes);
    return arena->file ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status run_load(const memory_arena *arena, memory_way *way, double *seconds)
{
    const cairn_load_options options = {
        .size = sizeof options, .thread_count = 1, .resident = way->resident};
    cairn_map *map;
    cairn_table *table;
    double begin = bench_thread_now();
    cairn_status status = cairn_load_bytes(arena->file, arena->file_size, &options, &map, &table,
                                           NULL);
    *seconds = bench_thread_now() - begin;
    if (status == CAIRN_OK) {
        cairn_table_free(table);
        cairn_map_free(map);
    }
    return status;
}

/* What is neither of the table nor of the search is of the map. */
static void note_bytes(memory_way *way)
{
    way->table_bytes = cairn_table_memory(way->table);
    way->search_bytes = cairn_search_memory(way->search);
    way->map_bytes = way->held - way->table_bytes - way->search_bytes;
}

static cairn_status run(memory_arena *arena)
{
    cairn_status status = CAIRN_OK;
    for (unsigned round = 0; round < arena->options->repeat; round++) {
        for (size_t i = 0; i < WAY_COUNT && status == CAIRN_OK; i++) {
            memory_way *way = &arena->ways[i];
            status = run_cold(arena, way, &way->cold[round]);
            if (status == CAIRN_OK)
                status = run_hot(arena, way, &way->hot[round]);
            if (status == CAIRN_OK)
                status = run_load(arena, way, &way->load[round]);
            note_bytes(way);
        }
    }
    return status;
}

/* ------------------------------------------------------------------------------- printing -- */

static void print_way(const memory_arena *arena, memory_way *way, const char *name)
{
    const unsigned rounds = arena->options->repeat;
    double hot = bench_median(way->hot, rounds) * 1e6, cold = bench_median(way->cold, rounds) * 1e6;
    double load = bench_median(way->load, rounds) * 1e3;
    double expanded = (double)way->expanded / (double)arena->query_count;
    const char *agrees = way->cost == arena->ways[0].cost ? "true" : "false";
    printf(arena->options->json
               ? "\"%s\":{\"map\":%zu,\"table\":%zu,\"search\":%zu,\"us\":%.3f,\"cold_us\":%.3f,"
                 "\"load_ms\":%.3f,\"expanded\":%.1f,\"agrees\":%s}"
               : "  %-8s map %9zu  table %9zu  search %9zu bytes  %8.2f us  cold %8.2f us  "
                 "load %8.2f ms  %8.1f expanded  agrees: %s\n",
           name, way->map_bytes, way->table_bytes, way->search_bytes, hot, cold, load, expanded,
           agrees);
}

static size_t total(const memory_way *way)
{
    return way->map_bytes + way->table_bytes + way->search_bytes;
}

static void print_arena(memory_arena *arena, const char *name, bool first)
{
    memory_way *ways = arena->ways;
    const bool json = arena->options->json;
    printf(json ? "%s{\"map\":\"%s\",\"rows\":%u,\"entry_bits\":%u,\"queries\":%zu,"
                : "%s\n%s: %u rows of %u bits, %zu queries\n",
           json && !first ? "," : "", name, ROWS, cairn_table_entry_bits(ways[0].table),
           arena->query_count);
    for (size_t i = 0; i < WAY_COUNT; i++) {
        print_way(arena, &ways[i], WAY_NAMES[i]);
        printf("%s", json ? "," : "");
    }
    printf(json ? "\"bytes_ratio\":%.2f}" : "  cells take %.2f x the bytes of corners\n",
           (double)total(&ways[0]) / (double)total(&ways[1]));
    fflush(stdout);
}

static void close_arena(memory_arena *arena)
{
    cairn_scenario_free(arena->scenario);
    for (size_t i = 0; i < WAY_COUNT; i++) {
        cairn_search_free(arena->ways[i].search);
        cairn_table_free(arena->ways[i].table);
        cairn_map_free(arena->ways[i].map);
    }
    cairn_map_free(arena->map);
    free(arena->file);
    free(arena->queries);
    free(arena);
}

static int measure(const bench_options *options, const char *name, bool first)
{
    memory_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return bench_failed(name, CAIRN_E_MEMORY);
    arena->options = options;
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < WAY_COUNT && status == CAIRN_OK; i++)
        status = open_way(&arena->ways[i], options, name, WAYS[i]);
    if (status == CAIRN_OK)
        status = take_queries(arena, name);
    if (status == CAIRN_OK)
        status = make_file(arena, &arena->ways[0]);
    if (status == CAIRN_OK && arena->query_count) {
        status = run(arena);
        if (status == CAIRN_OK)
            print_arena(arena, name, first);
    }
    close_arena(arena);
    return status == CAIRN_OK ? 0 : bench_failed(name, status);
}

int bench_memory(const bench_options *options)
{
    if (options->repeat > ROUNDS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = measure(options, options->maps[i], i == 0);
        code = one > code ? one : code;
    }
    return code;
}
