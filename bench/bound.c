/* One evaluation of 16 rows of 16 bits, the cells in the order in which a search meets them: every
 * kernel beside a loop over the rows. */
#include <stdio.h>
#include <stdlib.h>

#include "bound_rows.h"
#include "kit/kit.h"
#include "table.h"

enum { ROWS = 16, REPEATS_MAX = 101, KERNELS_MAX = 4 };

typedef struct bound_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_node *order;       /* open cells by their cost to the first landmark: a wave */
    size_t count;
    const void *goal;        /* the row of entries of a cell in the middle of the wave */
} bound_arena;

typedef uint64_t bound_loop(const bound_arena *arena);

/* What is written without a thought for vectors; the attribute keeps the compiler from them. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline, optimize("no-tree-vectorize")))
#endif
static uint64_t plain_loop(const bound_arena *arena)
{
    const uint16_t *goal = arena->goal;
    uint64_t sum = 0;
    for (size_t i = 0; i < arena->count; i++) {
        const uint16_t *entries =
            (const uint16_t *)arena->table->entries + (size_t)arena->order[i] * ROWS;
        unsigned most = 0;
        for (unsigned row = 0; row < ROWS; row++) {
            unsigned difference = entries[row] > goal[row] ? (unsigned)entries[row] - goal[row]
                                                           : (unsigned)goal[row] - entries[row];
            most = difference > most ? difference : most;
        }
        sum += most;
    }
    return sum;
}

#define DEFINE_LOOP(target, cpu)                                                                 \
    target static CN_NOINLINE uint64_t loop_##cpu(const bound_arena *arena)                      \
    {                                                                                            \
        const uint16_t *entries = arena->table->entries;                                         \
        uint64_t sum = 0;                                                                        \
        for (size_t i = 0; i < arena->count; i++)                                                \
            sum += cn_rows_16_##cpu(entries + (size_t)arena->order[i] * ROWS, arena->goal,       \
                                    arena->goal, ROWS);                                          \
        return sum;                                                                              \
    }

#define ANY_TARGET
DEFINE_LOOP(ANY_TARGET, portable)
#if CN_CPU_X86
DEFINE_LOOP(CN_TARGET_AVX2, avx2)
DEFINE_LOOP(CN_TARGET_AVX512, avx512)
#endif

static const struct {
    const char *name;
    cn_cpu level;
    bound_loop *run;
} LOOPS[] = {
    {"plain loop", CN_CPU_PORTABLE, plain_loop},
    {"generic vectors", CN_CPU_PORTABLE, loop_portable},
#if CN_CPU_X86
    {"AVX2", CN_CPU_AVX2, loop_avx2},
    {"AVX-512", CN_CPU_AVX512, loop_avx512},
#endif
};
enum { LOOP_COUNT = sizeof LOOPS / sizeof *LOOPS };

static const uint16_t *entries_of(const bound_arena *arena, cairn_node node)
{
    return (const uint16_t *)arena->table->entries + (size_t)node * ROWS;
}

/* A counting sort by the first row. */
static cairn_status sort_as_wave(bound_arena *arena)
{
    uint32_t nodes = cairn_map_node_count(arena->map);
    uint32_t *place = calloc(UINT16_MAX + 2, sizeof *place);
    arena->order = malloc((cairn_map_open_count(arena->map) + 1u) * sizeof *arena->order);
    if (!place || !arena->order) {
        free(place);
        return CAIRN_E_MEMORY;
    }
    for (cairn_node node = 0; node < nodes; node++) {
        if (cairn_map_is_open(arena->map, node))
            place[entries_of(arena, node)[0] + 1]++;
    }
    for (size_t cost = 0; cost < UINT16_MAX; cost++)
        place[cost + 1] += place[cost];
    for (cairn_node node = 0; node < nodes; node++) {
        if (cairn_map_is_open(arena->map, node))
            arena->order[place[entries_of(arena, node)[0]]++] = node;
    }
    arena->count = cairn_map_open_count(arena->map);
    arena->goal = entries_of(arena, arena->order[arena->count / 2]);
    free(place);
    return CAIRN_OK;
}

static cairn_status open_arena(bound_arena *arena, const bench_options *options, const char *name)
{
    cairn_build_options build = {
        .size = sizeof build, .landmark_count = ROWS, .metric = CAIRN_METRIC_COMPACT};
    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    cairn_status status = cairn_table_build(arena->map, &build, &arena->table);
    if (status == CAIRN_OK && arena->table->entry_bits != 16)
        status = CAIRN_E_LIMIT;
    return status == CAIRN_OK ? sort_as_wave(arena) : status;
}

static void run(const bench_options *options, const bound_arena *arena, const char *name,
                bool first)
{
    static double seconds[LOOP_COUNT][REPEATS_MAX];
    uint64_t sum[LOOP_COUNT] = {0};
    for (unsigned round = 0; round < options->repeat; round++) {
        for (size_t i = 0; i < LOOP_COUNT && LOOPS[i].level <= cn_cpu_level(); i++) {
            double begin = bench_now();
            sum[i] = LOOPS[i].run(arena);
            seconds[i][round] = bench_now() - begin;
        }
    }
    double plain = 0;
    printf(options->json ? "%s{\"map\":\"%s\",\"runs\":[" : "%s\n%s\n",
           options->json && !first ? "," : "", name);
    for (size_t i = 0; i < LOOP_COUNT && LOOPS[i].level <= cn_cpu_level(); i++) {
        double each = bench_median(seconds[i], options->repeat) / (double)arena->count * 1e9;
        plain = i == 0 ? each : plain;
        printf(options->json ? "%s{\"name\":\"%s\",\"ns\":%.3f,\"ratio\":%.2f,\"agrees\":%s}"
                             : "%s  %-16s %6.2f ns %6.1f x  agrees: %s\n",
               options->json && i ? "," : "", LOOPS[i].name, each, plain / each,
               sum[i] == sum[0] ? "true" : "false");
    }
    if (options->json)
        printf("]}");
}

int bench_bound(const bench_options *options)
{
    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    int code = 0;
    for (size_t i = 0; i < options->map_count; i++) {
        bound_arena arena = {0};
        cairn_status status = open_arena(&arena, options, options->maps[i]);
        if (status == CAIRN_OK)
            run(options, &arena, options->maps[i], i == 0);
        else
            code = bench_failed(options->maps[i], status);
        free(arena.order);
        cairn_table_free(arena.table);
        cairn_map_free(arena.map);
    }
    return code;
}
