/* Queries that avoid other units: a crowd of 16 to 1,000 cells, or of some percent of the map,
 * drawn for each query, or one for all of them; beside the query that avoids nothing, one that
 * avoids the same along jump points, and an edit of the map that closes those cells, the query, and
 * one that opens them again. Every cost is compared with that of a search from cell to cell that
 * avoids the same. (Paths round closed cells are longer, since these block diagonal steps beside
 * them.) */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/kit.h"

enum { ROWS = 16, QUERY_STEP = 20, COUNT_MOST = 1000, REACH = 12, TRIES = 1000 };

typedef struct crowd {
    const char *name;
    size_t count;
    unsigned percent; /* of the open cells, in place of a count; there is no edit of so many */
    bool is_near;     /* around the ends of the query */
    bool is_fixed;    /* the same for all queries */
} crowd;

static const crowd CROWDS[] = {{"16 around the ends", .count = 16, .is_near = true},
                               {"50 around the ends", .count = 50, .is_near = true},
                               {"300 around the ends", .count = 300, .is_near = true},
                               {"50 anywhere", .count = 50},
                               {"1,000 anywhere", .count = 1000},
                               {"1,000, the same", .count = 1000, .is_fixed = true},
                               {"1 %, the same", .percent = 1, .is_fixed = true},
                               {"3 %, the same", .percent = 3, .is_fixed = true},
                               {"6 %, the same", .percent = 6, .is_fixed = true}};

typedef struct crowds_arena {
    cairn_map *map;
    cairn_map *edited;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_search *plain, *avoiding, *along_jumps, *among_edits, *by_cell;
    cn_rng rng;
    size_t count; /* of the present crowd */
    cairn_node *nodes;
    cairn_edit *edits;
} crowds_arena;

/* Seconds of all queries. */
typedef struct crowds_times {
    double plain, avoid, run, along_jumps, edited;
    size_t count, dearer, wrong;
} crowds_times;

/* An open cell within reach of another one, or any. */
static cairn_node draw_cell(crowds_arena *arena, const crowd *like, const cairn_query *query,
                            size_t i)
{
    const uint32_t width = cairn_map_width(arena->map), height = cairn_map_height(arena->map);
    const cairn_node end = i % 2 ? query->start : query->goal;
    cairn_node at = end;

    for (unsigned tries = 0; tries < TRIES; tries++) {
        at = cn_rng_below(&arena->rng, width * height);
        if (like->is_near) {
            const int64_t x = (int64_t)(end % width) + cn_rng_below(&arena->rng, 2 * REACH + 1) -
                              REACH;
            const int64_t y = (int64_t)(end / width) + cn_rng_below(&arena->rng, 2 * REACH + 1) -
                              REACH;
            if (x < 0 || y < 0 || x >= width || y >= height)
                continue;
            at = (cairn_node)(y * width + x);
        }
        if (at != query->start && at != query->goal && cairn_map_is_open(arena->map, at))
            break;
    }
    return at;
}

static void draw_crowd(crowds_arena *arena, const crowd *like, const cairn_query *query)
{
    arena->count = like->percent ? cairn_map_open_count(arena->map) / 100 * like->percent
                                 : like->count;
    for (size_t i = 0; i < arena->count; i++)
        arena->nodes[i] = draw_cell(arena, like, query, i);
}

static cairn_status set_cells(crowds_arena *arena, bool open)
{
    for (size_t i = 0; i < arena->count; i++) {
        uint32_t x = 0, y = 0;
        cairn_node_xy(arena->edited, arena->nodes[i], &x, &y);
        arena->edits[i] = open ? cairn_open(x, y) : cairn_block(x, y);
    }
    return cairn_map_edit(arena->edited, arena->edits, arena->count);
}

static cairn_status ask_among_edits(crowds_arena *arena, const cairn_query *query,
                                    crowds_times *times)
{
    const double begin = bench_thread_now();
    cairn_path path;
    cairn_status status = set_cells(arena, false);
    if (status == CAIRN_OK)
        status = cairn_search_run(arena->among_edits, query->start, query->goal, &path);
    if (status == CAIRN_OK)
        status = set_cells(arena, true);
    times->edited += bench_thread_now() - begin;
    return status;
}

/* Along jump points alone. */
static cairn_status ask_along_jumps(crowds_arena *arena, const cairn_query *query, bool is_new,
                                    crowds_times *times)
{
    cairn_path path;
    cairn_status status = CAIRN_OK;
    if (is_new)
        status = cairn_search_avoid(arena->along_jumps, arena->nodes, NULL, arena->count);
    const double begin = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_search_run(arena->along_jumps, query->start, query->goal, &path);
    times->along_jumps += bench_thread_now() - begin;
    return status;
}

static cairn_status ask(crowds_arena *arena, const crowd *like, const cairn_query *query,
                        bool is_new, crowds_times *times)
{
    cairn_path plain, path, proof;
    const double begin = bench_thread_now();
    cairn_status status = cairn_search_run(arena->plain, query->start, query->goal, &plain);
    const double asked = bench_thread_now();
    if (status == CAIRN_OK && is_new)
        status = cairn_search_avoid(arena->avoiding, arena->nodes, NULL, arena->count);
    const double listed = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_search_run(arena->avoiding, query->start, query->goal, &path);
    const double end = bench_thread_now();
    if (status == CAIRN_OK && is_new)
        status = cairn_search_avoid(arena->by_cell, arena->nodes, NULL, arena->count);
    if (status == CAIRN_OK)
        status = cairn_search_run(arena->by_cell, query->start, query->goal, &proof);
    if (status == CAIRN_OK)
        status = ask_along_jumps(arena, query, is_new, times);
    if (status == CAIRN_OK && !like->percent)
        status = ask_among_edits(arena, query, times);
    if (status != CAIRN_OK)
        return status;
    times->plain += asked - begin;
    times->avoid += listed - asked;
    times->run += end - listed;
    times->count++;
    times->dearer += path.cost > plain.cost;
    times->wrong += path.cost != proof.cost;
    return CAIRN_OK;
}

/* What was not measured is null or a dash. */
static void print_edited(const crowd *like, double edited, bool json)
{
    if (!like->percent)
        printf(json ? "%.2f" : "%10.1f", edited);
    else if (json)
        printf("null");
    else
        printf("%10s", "-");
}

static void print_times(const char *name, const crowd *like, const crowds_times *times,
                        const bench_options *options, bool *is_first)
{
    const double each = 1e6 / (double)times->count, plain = times->plain * each;
    const double avoid = times->avoid * each, run = times->run * each;
    const double along_jumps = times->along_jumps * each;
    const double dearer = 100.0 * (double)times->dearer / (double)times->count;
    if (options->json)
        printf("%s{\"map\": \"%s\", \"crowd\": \"%s\", \"plain_us\": %.2f, \"avoid_us\": %.2f, "
               "\"run_us\": %.2f, \"jump_us\": %.2f, \"edited_us\": ",
               *is_first ? "" : ",\n", name, like->name, plain, avoid, run, along_jumps);
    else
        printf("%-22s %-20s %8.1f %8.1f %8.1f %8.2f %8.1f ", name, like->name, plain, avoid, run,
               (avoid + run) / plain, along_jumps);
    print_edited(like, times->edited * each, options->json);
    printf(options->json ? ", \"dearer_percent\": %.1f, \"wrong\": %zu}" : " %9.0f %6zu\n", dearer,
           times->wrong);
    fflush(stdout);
    *is_first = false;
}

static cairn_status measure(crowds_arena *arena, const crowd *like, const char *name,
                            const bench_options *options, bool *is_first)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const size_t count = cairn_scenario_count(arena->scenario);
    crowds_times times = {0};
    cairn_status status = CAIRN_OK;

    arena->rng = (cn_rng){11};
    for (unsigned round = 0; round < options->repeat; round++) {
        for (size_t i = QUERY_STEP / 2; status == CAIRN_OK && i < count; i += QUERY_STEP) {
            const bool is_new = !like->is_fixed || times.count == 0;
            if (is_new)
                draw_crowd(arena, like, &queries[i]);
            status = ask(arena, like, &queries[i], is_new, &times);
        }
    }
    if (status == CAIRN_OK && times.count)
        print_times(name, like, &times, options, is_first);
    return status == CAIRN_OK && times.wrong ? CAIRN_E_INEXACT : status;
}

static cairn_status open_arena(crowds_arena *arena, const bench_options *options, const char *name)
{
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = ROWS, .resident = options->resident};
    const cairn_search_options by_cell = {.size = sizeof by_cell, .space = CAIRN_SPACE_CELLS};
    const cairn_search_options along_jumps = {.size = sizeof along_jumps,
                                              .space = CAIRN_SPACE_JUMP};

    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    const size_t most = cairn_map_node_count(arena->map) + COUNT_MOST;
    arena->nodes = calloc(most, sizeof *arena->nodes);
    arena->edits = calloc(COUNT_MOST, sizeof *arena->edits);
    if (!arena->nodes || !arena->edits)
        return CAIRN_E_MEMORY;
    cairn_status status = bench_load_scenario(options, name, arena->map, &arena->scenario);
    if (status == CAIRN_OK)
        status = cairn_table_build(arena->map, &build, &arena->table);
    if (status == CAIRN_OK)
        status = cairn_map_clone(arena->map, &arena->edited);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, NULL, &arena->plain);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, NULL, &arena->avoiding);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, arena->table, &along_jumps, &arena->along_jumps);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->edited, arena->table, NULL, &arena->among_edits);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena->map, NULL, &by_cell, &arena->by_cell);
    return status;
}

static void close_arena(crowds_arena *arena)
{
    cairn_search_free(arena->plain);
    cairn_search_free(arena->avoiding);
    cairn_search_free(arena->along_jumps);
    cairn_search_free(arena->among_edits);
    cairn_search_free(arena->by_cell);
    cairn_scenario_free(arena->scenario);
    cairn_table_free(arena->table);
    cairn_map_free(arena->edited);
    cairn_map_free(arena->map);
    free(arena->nodes);
    free(arena->edits);
    free(arena);
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    crowds_arena *arena = calloc(1, sizeof *arena);
    cairn_status status = arena ? open_arena(arena, options, name) : CAIRN_E_MEMORY;

    for (size_t i = 0; status == CAIRN_OK && i < sizeof CROWDS / sizeof *CROWDS; i++)
        status = measure(arena, &CROWDS[i], name, options, is_first);
    if (arena)
        close_arena(arena);
    return status;
}

int bench_crowds(const bench_options *options)
{
    if (!options->json)
        printf("%-22s %-20s %8s %8s %8s %8s %8s %10s %9s %6s\n", "map", "crowd", "plain us",
               "avoid", "run", "ratio", "jump us", "edited us", "dearer %", "wrong");
    return bench_run_maps(options, run_map);
}
