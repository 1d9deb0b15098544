/* Evaluations of 16 rows of 16 bits, the cells in the order in which a search meets them: every
 * kernel beside a loop over the rows, and the calls that users make. */
#include <stdio.h>
#include <stdlib.h>

#include "bound/bound_kernels.h"
#include "kit/kit.h"
#include "table/table.h"

enum { ROWS = 16, REPEATS_MAX = 101 };

typedef struct bound_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_node *order; /* open cells by their cost to the first landmark: a wave */
    size_t count;
    cairn_bound bound; /* to a cell in the middle of the wave */
    cn_rows_view view; /* the same goal's rows */
    cairn_cost *most;  /* what the last loop came to, by place in the order */
} bound_arena;

typedef void bound_loop(const bound_arena *arena);

/* What is written without a thought for vectors; the attribute keeps the compiler from them. */
#if defined(__GNUC__) && !defined(__clang__)
#  define SCALAR_LOOP __attribute__((noinline, optimize("no-tree-vectorize")))
#else
#  define SCALAR_LOOP CN_NOINLINE
#endif

CN_ALWAYS_INLINE cairn_cost scalar_rows(const bound_arena *arena, cairn_node node)
{
    const uint16_t *goal = arena->view.above;
    const uint16_t *entries = (const uint16_t *)arena->view.entries + (size_t)node * ROWS;
    unsigned most = 0;
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned difference = entries[row] > goal[row] ? (unsigned)entries[row] - goal[row]
                                                       : (unsigned)goal[row] - entries[row];
        most = difference > most ? difference : most;
    }
    return most;
}

SCALAR_LOOP static void scalar_loop(const bound_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++)
        arena->most[i] = scalar_rows(arena, arena->order[i]);
}

SCALAR_LOOP static void scalar_loop_ahead(const bound_arena *arena)
{
    size_t last = arena->count - 1;
    for (size_t i = 0; i <= last; i++) {
        size_t later = i + CN_ROWS_AHEAD < last ? i + CN_ROWS_AHEAD : last;
        cn_rows_fetch(&arena->view, arena->order[later], ROWS * sizeof(uint16_t));
        arena->most[i] = scalar_rows(arena, arena->order[i]);
    }
}

/* The loops that cairn_bounds_at runs. */
static void run_kernel(const bound_arena *arena, cn_cpu cpu)
{
    cn_rows_kernel_of_many_for(16, cpu)(&arena->view, arena->order, arena->count, arena->most);
}

static void kernel_portable(const bound_arena *arena)
{
    run_kernel(arena, CN_CPU_PORTABLE);
}

#if CN_CPU_X86
static void kernel_avx2(const bound_arena *arena)
{
    run_kernel(arena, CN_CPU_AVX2);
}

static void kernel_avx512(const bound_arena *arena)
{
    run_kernel(arena, CN_CPU_AVX512);
}
#endif

/* A whole bound: base heuristic as well, and whether there is a path at all. */
static void whole_bounds(const bound_arena *arena)
{
    for (size_t i = 0; i < arena->count; i++)
        arena->most[i] = cairn_bound_at(&arena->bound, arena->order[i]);
}

static void whole_bounds_at_once(const bound_arena *arena)
{
    cairn_bounds_at(&arena->bound, arena->order, arena->count, arena->most);
}

static const struct {
    const char *name;
    cn_cpu level;
    bound_loop *run;
    bool is_whole;
} LOOPS[] = {
    {"scalar loop", CN_CPU_PORTABLE, scalar_loop, false},
    {"scalar loop, fetching ahead", CN_CPU_PORTABLE, scalar_loop_ahead, false},
    {"generic vectors", CN_CPU_PORTABLE, kernel_portable, false},
#if CN_CPU_X86
    {"AVX2", CN_CPU_AVX2, kernel_avx2, false},
    {"AVX-512", CN_CPU_AVX512, kernel_avx512, false},
#endif
    {"cairn_bound_at", CN_CPU_PORTABLE, whole_bounds, true},
    {"cairn_bounds_at", CN_CPU_PORTABLE, whole_bounds_at_once, true},
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
    free(place);
    return CAIRN_OK;
}

static cairn_status aim(bound_arena *arena)
{
    cairn_node goal = arena->order[arena->count / 2];
    const void *row = entries_of(arena, goal);

    arena->most = calloc(arena->count, sizeof *arena->most);
    if (!arena->most)
        return CAIRN_E_MEMORY;
    arena->view = (cn_rows_view){arena->table->entries, row, row, ROWS};
    return cairn_bound_to(arena->map, arena->table, goal, &arena->bound);
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
    if (status == CAIRN_OK && cairn_map_open_count(arena->map) == 0)
        status = CAIRN_E_ARGUMENT;
    if (status == CAIRN_OK)
        status = sort_as_wave(arena);
    return status == CAIRN_OK ? aim(arena) : status;
}

static uint64_t sum_of(const bound_arena *arena)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < arena->count; i++)
        sum += arena->most[i];
    return sum;
}

/* Ratios are to the scalar loop; sums agree with the first loop that computes the same. */
static void run(const bench_options *options, const bound_arena *arena, const char *name,
                bool first)
{
    static double seconds[LOOP_COUNT][REPEATS_MAX];
    uint64_t sum[LOOP_COUNT] = {0}, expected[2] = {0};
    for (unsigned round = 0; round < options->repeat; round++) {
        for (size_t i = 0; i < LOOP_COUNT; i++) {
            if (LOOPS[i].level > cn_cpu_level())
                continue;
            double begin = bench_now();
            LOOPS[i].run(arena);
            seconds[i][round] = bench_now() - begin;
            sum[i] = sum_of(arena);
        }
    }
    double scalar = 0;
    printf(options->json ? "%s{\"map\":\"%s\",\"runs\":[" : "%s\n%s\n",
           options->json && !first ? "," : "", name);
    for (size_t i = 0; i < LOOP_COUNT; i++) {
        if (LOOPS[i].level > cn_cpu_level())
            continue;
        double each = bench_median(seconds[i], options->repeat) / (double)arena->count * 1e9;
        uint64_t *same = &expected[LOOPS[i].is_whole];
        scalar = i == 0 ? each : scalar;
        *same = *same ? *same : sum[i];
        printf(options->json ? "%s{\"name\":\"%s\",\"ns\":%.3f,\"ratio\":%.2f,\"agrees\":%s}"
                             : "%s  %-27s %6.2f ns %6.1f x  agrees: %s\n",
               options->json && i ? "," : "", LOOPS[i].name, each, scalar / each,
               sum[i] == *same ? "true" : "false");
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
        free(arena.most);
        cairn_table_free(arena.table);
        cairn_map_free(arena.map);
    }
    return code;
}
