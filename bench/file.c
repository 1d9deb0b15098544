/* The file of a table: its size, and how long loading it takes, beside the same entries as plain
 * arrays deflated by zlib, and beside rebuilding the rows from their landmarks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "kit/kit.h"
#include "table/table.h"

enum { ROWS = 16, REPEATS_MAX = 101, MAPS_MAX = 256, METRICS = 2 };

static const char *const METRIC_NAMES[METRICS] = {"octile", "compact"};

/* The entries of the open cells, row after row, as a program without Cairn would keep them. */
typedef struct plain_array {
    uint8_t *bytes;
    size_t size;
    uint8_t *packed;
    size_t packed_size;
} plain_array;

typedef struct file_arena {
    cairn_map *map;
    cairn_table *table;
    uint8_t *file;
    size_t file_size;
    plain_array plain;
    cairn_node *landmarks; /* of all rows, as cairn_build_options lists them */
    size_t landmark_count;
} file_arena;

typedef struct file_result {
    size_t entries;
    size_t file_size;
    size_t packed_size;
    unsigned entry_bits;
    double load, inflate, rebuild; /* seconds, on one thread */
    bool agrees;
} file_result;

/* ----------------------------------------------------------------------------------- the arena */

static cairn_status gather_plain(file_arena *arena)
{
    const cairn_table *table = arena->table;
    unsigned width = cairn_table_entry_bits(table) / 8;
    uint32_t row_count = cairn_table_row_count(table);
    plain_array *plain = &arena->plain;

    plain->size = (size_t)cairn_map_open_count(arena->map) * row_count * width;
    uint8_t *to = plain->bytes = malloc(plain->size + 1);
    if (!to)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < row_count; row++) {
        for (cairn_node node = 0; node < cairn_map_node_count(arena->map); node++) {
            if (!cairn_map_is_open(arena->map, node))
                continue;
            cairn_cost cost = cairn_table_cost(table, row, node);
            for (unsigned byte = 0; byte < width; byte++)
                *to++ = (uint8_t)(cost >> 8 * byte);
        }
    }
    return CAIRN_OK;
}

static cairn_status deflate_plain(plain_array *plain)
{
    uLongf size = compressBound((uLong)plain->size);
    plain->packed = malloc(size);
    if (!plain->packed ||
        compress2(plain->packed, &size, plain->bytes, (uLong)plain->size, 9) != Z_OK)
        return CAIRN_E_MEMORY;
    plain->packed_size = size;
    return CAIRN_OK;
}

static cairn_status list_landmarks(file_arena *arena)
{
    uint32_t row_count = cairn_table_row_count(arena->table);
    size_t count = 0;
    const cairn_node *nodes;

    for (uint32_t row = 0; row < row_count; row++)
        count += cairn_table_landmarks(arena->table, row, &nodes);
    arena->landmarks = malloc((count + 1) * sizeof *arena->landmarks);
    if (!arena->landmarks)
        return CAIRN_E_MEMORY;
    /* Rows in pairs have the same landmarks. */
    uint32_t step = cairn_map_is_directed(arena->map) ? 2 : 1;
    for (uint32_t row = 0; row < row_count; row += step) {
        count = cairn_table_landmarks(arena->table, row, &nodes);
        memcpy(arena->landmarks + arena->landmark_count, nodes, count * sizeof *nodes);
        arena->landmark_count += count;
    }
    return CAIRN_OK;
}

static cairn_status open_arena(file_arena *arena, const bench_options *options, const char *name,
                               cairn_metric_choice metric)
{
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = ROWS,
                                 .placement = CAIRN_PLACE_FARTHEST,
                                 .metric = metric};
    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    cairn_status status = cairn_table_build(arena->map, &build, &arena->table);
    if (status == CAIRN_OK)
        status = cairn_save_bytes(arena->map, arena->table, NULL, &arena->file, &arena->file_size);
    if (status == CAIRN_OK)
        status = gather_plain(arena);
    if (status == CAIRN_OK)
        status = deflate_plain(&arena->plain);
    return status == CAIRN_OK ? list_landmarks(arena) : status;
}

static void close_arena(file_arena *arena)
{
    free(arena->plain.bytes);
    free(arena->plain.packed);
    free(arena->landmarks);
    cairn_bytes_free(arena->map, arena->file);
    cairn_table_free(arena->table);
    cairn_map_free(arena->map);
}

/* ----------------------------------------------------------------------------------- comparing */

/* Blocked cells hold zero in both, and so do lanes without a row. */
static bool same_entries(const cairn_table *one, const cairn_table *other)
{
    size_t count = (size_t)one->node_count * one->lane_count;
    return one->lane_count == other->lane_count && one->entry_bits == other->entry_bits &&
           memcmp(one->entries, other->entries, count * one->entry_bits / 8) == 0;
}

/* Map and table, from bytes in memory. */
static double time_load(const file_arena *arena, bool *agrees)
{
    cairn_load_options options = {.size = sizeof options, .thread_count = 1};
    cairn_map *map;
    cairn_table *table;
    double begin = bench_now();
    cairn_status status = cairn_load_bytes(arena->file, arena->file_size, &options, &map, &table,
                                           NULL);
    double seconds = bench_now() - begin;

    *agrees = *agrees && status == CAIRN_OK && same_entries(table, arena->table);
    cairn_table_free(table);
    cairn_map_free(map);
    return seconds;
}

/* Into an array; it would still have to be laid out for queries. */
static double time_inflate(const plain_array *plain, bool *agrees)
{
    double begin = bench_now();
    uint8_t *bytes = malloc(plain->size + 1);
    uLongf size = (uLongf)plain->size;
    int result = bytes ? uncompress(bytes, &size, plain->packed, (uLong)plain->packed_size)
                       : Z_MEM_ERROR;
    double seconds = bench_now() - begin;

    *agrees = *agrees && result == Z_OK && memcmp(bytes, plain->bytes, plain->size) == 0;
    free(bytes);
    return seconds;
}

/* The map is there already. */
static double time_rebuild(const file_arena *arena, bool *agrees)
{
    cairn_build_options build = {.size = sizeof build,
                                 .thread_count = 1,
                                 .placement = CAIRN_PLACE_LIST,
                                 .landmark_count = ROWS,
                                 .listed = arena->landmarks,
                                 .listed_count = arena->landmark_count};
    cairn_table *table;
    double begin = bench_now();
    cairn_status status = cairn_table_build(arena->map, &build, &table);
    double seconds = bench_now() - begin;

    *agrees = *agrees && status == CAIRN_OK && same_entries(table, arena->table);
    cairn_table_free(table);
    return seconds;
}

static file_result compare(const file_arena *arena, unsigned repeat)
{
    static double load[REPEATS_MAX], inflate[REPEATS_MAX], rebuild[REPEATS_MAX];
    file_result result = {
        .entries = (size_t)cairn_map_open_count(arena->map) * cairn_table_row_count(arena->table),
        .file_size = arena->file_size,
        .packed_size = arena->plain.packed_size,
        .entry_bits = cairn_table_entry_bits(arena->table),
        .agrees = true,
    };

    for (unsigned round = 0; round < repeat; round++) {
        load[round] = time_load(arena, &result.agrees);
        inflate[round] = time_inflate(&arena->plain, &result.agrees);
        rebuild[round] = time_rebuild(arena, &result.agrees);
    }
    result.load = bench_median(load, repeat);
    result.inflate = bench_median(inflate, repeat);
    result.rebuild = bench_median(rebuild, repeat);
    return result;
}

/* ---------------------------------------------------------------------------------- the report */

/* 0 where no cell is open. */
static double bits_per_entry(const file_result *result)
{
    return result->entries ? 8.0 * (double)result->file_size / (double)result->entries : 0;
}

static double times_smaller(const file_result *result)
{
    return (double)result->packed_size / (double)result->file_size;
}

static void print_result(const bench_options *options, const char *metric,
                         const file_result *result, bool first)
{
    const char *text = "  %-8s %2u bits | %8zu bytes, %6.3f bits per entry, deflated %9zu (%5.1f x)"
                       " | load %7.2f ms, inflate %7.2f (%5.2f), rebuild %7.2f (%5.2f) %s\n";
    const char *json = "{\"metric\":\"%s\",\"entry_bits\":%u,\"file_bytes\":%zu,"
                       "\"bits_per_entry\":%.4f,\"deflated_bytes\":%zu,\"smaller\":%.2f,"
                       "\"load_ms\":%.4f,\"inflate_ms\":%.4f,\"load_by_inflate\":%.4f,"
                       "\"rebuild_ms\":%.4f,\"load_by_rebuild\":%.4f,\"agrees\":%s}";

    if (options->json && !first)
        printf(",");
    printf(options->json ? json : text, metric, result->entry_bits, result->file_size,
           bits_per_entry(result), result->packed_size, times_smaller(result), result->load * 1e3,
           result->inflate * 1e3, result->load / result->inflate, result->rebuild * 1e3,
           result->load / result->rebuild,
           options->json ? (result->agrees ? "true" : "false") : (result->agrees ? "" : "DIFFERS"));
    fflush(stdout);
}

/* Figures of the maps of games, whose medians end the report. */
typedef struct medians {
    double bits[MAPS_MAX], smaller[MAPS_MAX], by_inflate[MAPS_MAX], by_rebuild[MAPS_MAX];
    size_t count;
} medians;

static bool is_of_a_game(const char *name)
{
    static const char *const sets[] = {"dao/", "da2/", "bg512/", "sc1/", "wc3maps512/"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (strncmp(name, sets[i], strlen(sets[i])) == 0)
            return true;
    }
    return false;
}

static void note(medians *over, const file_result *result)
{
    over->bits[over->count] = bits_per_entry(result);
    over->smaller[over->count] = times_smaller(result);
    over->by_inflate[over->count] = result->load / result->inflate;
    over->by_rebuild[over->count] = result->load / result->rebuild;
    over->count++;
}

static void print_medians(const char *metric, medians *over)
{
    size_t count = over->count;
    if (!count)
        return;
    printf("%smedian of %zu maps of games, %s: %.3f bits per entry, %.1f x smaller, load / inflate"
           " %.2f, load / rebuild %.2f\n",
           metric == METRIC_NAMES[0] ? "\n" : "", count, metric, bench_median(over->bits, count),
           bench_median(over->smaller, count), bench_median(over->by_inflate, count),
           bench_median(over->by_rebuild, count));
}

static int run_map(const bench_options *options, const char *name, bool first,
                   medians over[METRICS])
{
    int code = 0;
    bool is_graph = bench_is_roads(name);

    printf(options->json ? "%s{\"map\":\"%s\",\"rows\":%d,\"runs\":[" : "%s\n%s, %d landmarks\n",
           options->json && !first ? "," : "", name, ROWS);
    for (size_t i = 0; i < (is_graph ? 1 : METRICS); i++) {
        file_arena arena = {0};
        cairn_status status = open_arena(&arena, options, name,
                                         i ? CAIRN_METRIC_COMPACT : CAIRN_METRIC_OF_MAP);
        if (status == CAIRN_OK) {
            file_result result = compare(&arena, options->repeat);
            print_result(options, is_graph ? "roads" : METRIC_NAMES[i], &result, i == 0);
            if (is_of_a_game(name))
                note(&over[i], &result);
            code = result.agrees ? code : 1;
        } else {
            code = bench_failed(name, status);
        }
        close_arena(&arena);
    }
    if (options->json)
        printf("]}");
    return code;
}

int bench_file(const bench_options *options)
{
    static medians over[METRICS];
    if (options->repeat > REPEATS_MAX || options->map_count > MAPS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);

    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        int one = run_map(options, options->maps[i], i == 0, over);
        code = one > code ? one : code;
    }
    for (size_t i = 0; i < METRICS && !options->json; i++)
        print_medians(METRIC_NAMES[i], &over[i]);
    return code;
}
