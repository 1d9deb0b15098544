/*
 * Repair after edits, beside rebuilding in the same run, in two ways:
 *
 *   by row    Every row by itself. Its time is its share of applying the edit to all rows,
 *             plus its own repair; where an edit splits a component, with finding the parts
 *             and placing landmarks in those that have none. Beside it one row rebuilt by
 *             itself after the same edit: what an update without repair has to do.
 *   whole     All rows in one step, as callers do it: rows that are rebuilt are written some
 *             at a time. Beside it cairn_table_rebuild, after every tenth edit.
 *
 * The machine may be shared, and an edit that takes a microsecond once may take a millisecond when
 * something else runs in between. So all edits of a kind are made and undone in turn, in some
 * passes, each edit from the same state of map and table; the time of an edit is the median of what
 * it took in the passes, and so is that of the rebuilding beside it, which comes right after
 * the repair: row after row, with caches full of what comes next, it would take half as long.
 */
#include "refresh/refresh.h"
#include "refresh/refresh_landmarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/draw.h"
#include "kit/kit.h"

enum {
    ROWS = 16,
    EDITS = 100,
    PATCH = 10,
    TRIES = 1000000, /* to find a door */
    PASSES_MAX = 99,
    EDITS_PER_REBUILD = 10
};

typedef enum scope { BY_ROW, WHOLE, SCOPES } scope;

/* Times of the same work, by pass; then the first is the median. */
typedef struct sample {
    double seconds[PASSES_MAX];
    uint32_t edit;
} sample;

typedef struct samples {
    sample *items;
    size_t count;
    size_t capacity;
    size_t next; /* in this pass */
} samples;

/* An edit and the one that undoes it, DO and UNDO. */
enum { WAYS = 2 };
typedef struct edit_pair {
    cairn_edit edits[WAYS];
    char before[PATCH * PATCH];
} edit_pair;

typedef struct refresh_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    const char *name;
    bool json;
    bool *is_first; /* nothing was printed yet, of any map */
    cn_rng rng;
    size_t landmark_start[ROWS + 1]; /* of the table before any edit, as what follows */
    cairn_node *landmarks;
    void *entries;
    unsigned pass_count;
    unsigned pass;
    samples repairs[SCOPES][WAYS];
    samples rebuilds[SCOPES][WAYS]; /* of one row by itself, one an edit; of all */
} refresh_arena;

/* The row that reaches the largest component. */
static uint32_t last_row(const refresh_arena *arena)
{
    return cairn_table_row_count(arena->table) - 1;
}

/* CAIRN_NO_NODE where the map has hardly any, as in what follows. */
static cairn_node any_cell(refresh_arena *arena)
{
    return bench_any_cell(arena->map, arena->table, last_row(arena), &arena->rng);
}

static cairn_node path_cell(refresh_arena *arena)
{
    return bench_path_cell(arena->map, arena->table, last_row(arena), arena->search, &arena->rng);
}

/* A cell of a passage that is one cell wide. */
static cairn_node door_cell(refresh_arena *arena)
{
    const cn_grid *grid = &arena->map->grid;
    for (unsigned i = 0; i < TRIES; i++) {
        cairn_node node = cn_rng_below(&arena->rng, cairn_map_node_count(arena->map));
        unsigned straight = grid->around[node] & ((1u << CN_STRAIGHT) - 1);
        if ((straight == (1u << CN_E | 1u << CN_W) || straight == (1u << CN_N | 1u << CN_S)) &&
            bench_is_reached(arena->map, arena->table, last_row(arena), node))
            return node;
    }
    return CAIRN_NO_NODE;
}

/* In the first pass the times are listed, in the others they are added to those. */
static cairn_status add_time(samples *all, unsigned pass, uint32_t edit, double seconds)
{
    if (pass > 0 && (all->next == all->count || all->items[all->next].edit != edit))
        return CAIRN_E_MISMATCH;
    if (pass == 0 && all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 1024;
        sample *grown = realloc(all->items, capacity * sizeof *grown);
        if (!grown)
            return CAIRN_E_MEMORY;
        all->items = grown;
        all->capacity = capacity;
    }
    all->count += pass == 0;
    all->items[all->next].edit = edit;
    all->items[all->next++].seconds[pass] = seconds;
    return CAIRN_OK;
}

/* Both clocks: on a machine that others use as well, the time of the processor is the smaller. */
typedef struct stopwatch {
    double wall;
    double processor;
} stopwatch;

static stopwatch start_watch(void)
{
    stopwatch watch = {.processor = bench_thread_now()};
    watch.wall = bench_now();
    return watch;
}

static double elapsed(stopwatch watch)
{
    double wall = bench_now() - watch.wall;
    double processor = bench_thread_now() - watch.processor;
    return processor < wall ? processor : wall;
}

/* Repairs row by row, with the clock. */
static cairn_status time_rows(refresh_arena *arena, uint32_t edit, samples *times)
{
    const uint32_t row_count = cairn_table_row_count(arena->table);
    stopwatch watch = start_watch();
    cairn_status status = cairn_refresh_step(arena->table, arena->map, CAIRN_CELLS(0));
    double share = elapsed(watch) / row_count;
    uint32_t rows = 0;

    for (bool more = status == CAIRN_MORE; more && rows < row_count; rows++) {
        watch = start_watch();
        status = cn_refresh_one_row(arena->table, arena->map);
        more = status == CAIRN_MORE;
        if (status == CAIRN_OK || more)
            status = add_time(times, arena->pass, edit, share + elapsed(watch));
        if (status != CAIRN_OK)
            return status;
    }
    /* Rows that the edit did not concern are done once it is applied. */
    for (; status == CAIRN_OK && rows < row_count; rows++)
        status = add_time(times, arena->pass, edit, share);
    return status;
}

static cairn_status time_whole(refresh_arena *arena, uint32_t edit, samples *times)
{
    stopwatch watch = start_watch();
    cairn_status status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    double seconds = elapsed(watch);
    return status == CAIRN_OK ? add_time(times, arena->pass, edit, seconds) : status;
}

static bool has_landmark(const refresh_arena *arena, uint32_t row, cairn_node node)
{
    size_t i = arena->landmark_start[row];
    while (i < arena->landmark_start[row + 1] && arena->landmarks[i] != node)
        i++;
    return i < arena->landmark_start[row + 1];
}

/* Gives a row the landmarks that it had before any edit; false when it has them. */
static cairn_status restore_landmarks(refresh_arena *arena, uint32_t row, bool *has_changed)
{
    const cairn_table *table = arena->table;
    cairn_status status = CAIRN_OK;

    for (size_t i = table->landmark_start[row + 1]; i > table->landmark_start[row]; i--) {
        if (has_landmark(arena, row, table->landmarks[i - 1]))
            continue;
        cn_refresh_remove_landmark(table->refresh, row, i - 1);
        *has_changed = true;
    }
    for (size_t i = arena->landmark_start[row];
         status == CAIRN_OK && i < arena->landmark_start[row + 1]; i++) {
        if (cn_table_find_landmark(table, row, arena->landmarks[i]) != SIZE_MAX)
            continue;
        status = cn_refresh_add_landmarks(table->refresh, row, &arena->landmarks[i], 1);
        *has_changed = true;
    }
    return status;
}

static size_t entries_size(const cairn_table *table)
{
    return (size_t)table->node_count * table->lane_count * table->entry_bits / 8;
}

/* Landmarks that moved stay when an edit is undone. */
static cairn_status restore(refresh_arena *arena)
{
    cairn_status status = CAIRN_OK;
    bool has_changed = false;

    for (uint32_t row = 0; status == CAIRN_OK && row < arena->table->row_count; row++)
        status = restore_landmarks(arena, row, &has_changed);
    if (status == CAIRN_OK && has_changed)
        memcpy(arena->table->entries, arena->entries, entries_size(arena->table));
    return status;
}

static cairn_status keep_table(refresh_arena *arena)
{
    const cairn_table *table = arena->table;
    size_t count = table->landmark_start[table->row_count];

    arena->landmarks = malloc((count + 1) * sizeof *arena->landmarks);
    arena->entries = malloc(entries_size(table));
    if (!arena->landmarks || !arena->entries)
        return CAIRN_E_MEMORY;
    memcpy(arena->landmarks, table->landmarks, count * sizeof *arena->landmarks);
    memcpy(arena->landmark_start, table->landmark_start,
           (table->row_count + 1) * sizeof *arena->landmark_start);
    memcpy(arena->entries, table->entries, entries_size(table));
    return CAIRN_OK;
}

/* After a step that has applied the edits. */
static cairn_status rebuild_row(cairn_table *table, uint32_t row)
{
    cn_refresh *refresh = table->refresh;
    refresh->computed.at_once = 1;
    table->version++;
    return cn_refresh_rebuild_row(refresh, row);
}

/* Rows take turns. */
static cairn_status time_row_rebuild(refresh_arena *arena, uint32_t edit, samples *times)
{
    cairn_status status = cairn_refresh_step(arena->table, arena->map, CAIRN_CELLS(0));
    stopwatch watch = start_watch();
    if (status == CAIRN_OK || status == CAIRN_MORE)
        status = rebuild_row(arena->table, (edit + arena->pass) % arena->table->row_count);
    double seconds = elapsed(watch);
    if (status == CAIRN_OK)
        status = cairn_refresh_step(arena->table, arena->map, CAIRN_UNLIMITED);
    return status == CAIRN_OK ? add_time(times, arena->pass, edit, seconds) : status;
}

static cairn_status time_rebuild(refresh_arena *arena, uint32_t edit, samples *times)
{
    stopwatch watch = start_watch();
    cairn_status status = cairn_table_rebuild(arena->table, arena->map);
    double seconds = elapsed(watch);
    return status == CAIRN_OK ? add_time(times, arena->pass, edit, seconds) : status;
}

typedef cairn_status timed_work(refresh_arena *arena, uint32_t edit, samples *times);

/* An edit and what is to be timed after it; then it is undone, and the same after that. */
static cairn_status time_pair(refresh_arena *arena, const edit_pair *pairs, uint32_t edit,
                              timed_work *work, samples times[WAYS])
{
    cairn_status status = CAIRN_OK;
    for (unsigned way = 0; status == CAIRN_OK && way < WAYS; way++) {
        status = cairn_map_edit(arena->map, &pairs[edit].edits[way], 1);
        if (status == CAIRN_OK)
            status = work(arena, edit, &times[way]);
    }
    return status == CAIRN_OK ? restore(arena) : status;
}

static cairn_status time_edit(refresh_arena *arena, const edit_pair *pairs, uint32_t edit)
{
    static timed_work *const repair[SCOPES] = {time_rows, time_whole};
    static timed_work *const measure[SCOPES] = {time_row_rebuild, time_rebuild};
    cairn_status status = CAIRN_OK;

    for (scope of = BY_ROW; status == CAIRN_OK && of < SCOPES; of++) {
        status = time_pair(arena, pairs, edit, repair[of], arena->repairs[of]);
        if (status == CAIRN_OK && (of == BY_ROW || edit % EDITS_PER_REBUILD == 0))
            status = time_pair(arena, pairs, edit, measure[of], arena->rebuilds[of]);
    }
    return status;
}

static int compare_seconds(const void *a_, const void *b_)
{
    double a = ((const sample *)a_)->seconds[0], b = ((const sample *)b_)->seconds[0];
    return (a > b) - (a < b);
}

typedef struct figures {
    double median, p95, p99, worst;
    uint32_t worst_edit;
} figures;

static void take_medians(samples *times, unsigned pass_count)
{
    for (size_t i = 0; i < times->count; i++)
        times->items[i].seconds[0] = bench_median(times->items[i].seconds, pass_count);
}

static figures figures_of(samples *times)
{
    sample *items = times->items;
    size_t count = times->count;

    qsort(items, count, sizeof *items, compare_seconds);
    return (figures){items[count / 2].seconds[0], items[count * 95 / 100].seconds[0],
                     items[count * 99 / 100].seconds[0], items[count - 1].seconds[0],
                     items[count - 1].edit};
}

/* How many times as long as rebuilding a row after the same edit any row took. */
static double worst_row(const samples *repairs, const samples *rebuilds)
{
    double worst = 0;
    for (size_t i = 0; i < repairs->count; i++) {
        double times = repairs->items[i].seconds[0] /
                       rebuilds->items[repairs->items[i].edit].seconds[0];
        worst = times > worst ? times : worst;
    }
    return worst;
}

static void print_json(const char *name, figures times, double rebuilds, double worst)
{
    printf(", \"%s\": {\"median_us\": %.3f, \"p95_us\": %.3f, \"p99_us\": %.3f, "
           "\"worst_us\": %.3f, \"worst_edit\": %u, \"rebuild_us\": %.2f, "
           "\"worst_by_rebuild\": %.3f}",
           name, times.median * 1e6, times.p95 * 1e6, times.p99 * 1e6, times.worst * 1e6,
           (unsigned)times.worst_edit, rebuilds * 1e6, worst);
}

static void print_samples(refresh_arena *arena, const char *what, unsigned way)
{
    for (scope of = BY_ROW; of < SCOPES; of++) {
        take_medians(&arena->repairs[of][way], arena->pass_count);
        take_medians(&arena->rebuilds[of][way], arena->pass_count);
    }
    double worst = worst_row(&arena->repairs[BY_ROW][way], &arena->rebuilds[BY_ROW][way]);
    figures row = figures_of(&arena->repairs[BY_ROW][way]);
    figures whole = figures_of(&arena->repairs[WHOLE][way]);
    double row_rebuilt = figures_of(&arena->rebuilds[BY_ROW][way]).median;
    double rebuilt = figures_of(&arena->rebuilds[WHOLE][way]).median;

    if (arena->json) {
        printf("%s{\"map\": \"%s\", \"edit\": \"%s\"", *arena->is_first ? "" : ",\n", arena->name,
               what);
        print_json("row", row, row_rebuilt, worst);
        print_json("whole", whole, rebuilt, whole.worst / rebuilt);
        printf("}");
    } else {
        printf("%-16s %-16s %8.2f %8.2f %7.0f %7.0f %7.0f %6.0f %6.1f %5.1f %8.2f |"
               " %7.1f %7.0f %7.0f %7.0f %6.1f %5.1f %8.2f\n",
               arena->name, what, row.median * 1e6, row.p95 * 1e6, row.p99 * 1e6, row.worst * 1e6,
               row_rebuilt * 1e6, row_rebuilt / row.median, row_rebuilt / row.p95,
               row_rebuilt / row.p99, worst, whole.median * 1e6, whole.p95 * 1e6, whole.worst * 1e6,
               rebuilt * 1e6, rebuilt / whole.median, rebuilt / whole.p95, whole.worst / rebuilt);
    }
    fflush(stdout);
    *arena->is_first = false;
}

/* Edits of one kind and those that undo them. */
typedef struct edit_kind {
    const char *name[WAYS];
    const char *cells; /* where they are */
    cairn_node (*choose)(refresh_arena *arena);
    bool is_patch;
} edit_kind;

static void make_patch(const refresh_arena *arena, edit_pair *pair, uint32_t x, uint32_t y)
{
    const uint32_t columns = cairn_map_width(arena->map), rows = cairn_map_height(arena->map);
    const uint32_t width = columns < PATCH ? columns : PATCH, height = rows < PATCH ? rows : PATCH;

    x = x + width > columns ? columns - width : x;
    y = y + height > rows ? rows - height : y;
    for (uint32_t cell = 0; cell < width * height; cell++)
        pair->before[cell] = cairn_map_letter(arena->map,
                                              (y + cell / width) * columns + x + cell % width);
    pair->edits[0] = cairn_rectangle(x, y, width, height, '@');
    pair->edits[1] = cairn_patch_letters(x, y, width, height, pair->before);
}

/* False where the map has hardly any cell of the kind. */
static bool choose_pair(refresh_arena *arena, const edit_kind *kind, edit_pair *pair)
{
    uint32_t x, y;

    cairn_node node = kind->choose(arena);
    if (node == CAIRN_NO_NODE)
        return false;
    cairn_node_xy(arena->map, node, &x, &y);
    pair->edits[0] = cairn_block(x, y);
    pair->edits[1] = cairn_open(x, y);
    if (kind->is_patch)
        make_patch(arena, pair, x, y);
    return true;
}

static cairn_status time_passes(refresh_arena *arena, const edit_pair *pairs)
{
    cairn_status status = CAIRN_OK;

    for (arena->pass = 0; status == CAIRN_OK && arena->pass < arena->pass_count; arena->pass++) {
        for (unsigned i = 0; i < SCOPES * WAYS; i++)
            arena->repairs[i / WAYS][i % WAYS].next = arena->rebuilds[i / WAYS][i % WAYS].next = 0;
        for (uint32_t i = 0; status == CAIRN_OK && i < EDITS; i++)
            status = time_edit(arena, pairs, i);
    }
    return status;
}

static cairn_status measure_kind(refresh_arena *arena, const edit_kind *kind)
{
    static edit_pair pairs[EDITS];

    for (unsigned i = 0; i < SCOPES * WAYS; i++)
        arena->repairs[i / WAYS][i % WAYS].count = arena->rebuilds[i / WAYS][i % WAYS].count = 0;
    for (size_t i = 0; i < EDITS; i++) {
        if (choose_pair(arena, kind, &pairs[i]))
            continue;
        fprintf(stderr, "cairn-bench: %s: \"%s\" and \"%s\" left out: hardly any %s\n", arena->name,
                kind->name[0], kind->name[1], kind->cells);
        return CAIRN_OK;
    }
    cairn_status status = time_passes(arena, pairs);
    for (unsigned way = 0; status == CAIRN_OK && way < WAYS; way++)
        print_samples(arena, kind->name[way], way);
    return status;
}

static cairn_status measure_map(refresh_arena *arena)
{
    static const char reached[] = "open cell from which a landmark of every row is reached";
    static const char on_path[] = "shortest path of more than 20 cells";
    static const edit_kind kinds[] = {
        {{"cell closes", "cell opens"}, reached, any_cell, false},
        {{"on path closes", "on path opens"}, on_path, path_cell, false},
        {{"door closes", "door opens"}, "passage that is one cell wide", door_cell, false},
        {{"patch closes", "patch opens"}, reached, any_cell, true},
        {{"path patch close", "path patch opens"}, on_path, path_cell, true}};

    /* The first one sets things up, and does not count. */
    cairn_status status = cairn_table_rebuild(arena->table, arena->map);
    if (status == CAIRN_OK)
        status = keep_table(arena);
    for (size_t i = 0; status == CAIRN_OK && i < sizeof kinds / sizeof *kinds; i++)
        status = measure_kind(arena, &kinds[i]);
    return status == CAIRN_OK ? cairn_table_verify(arena->table, arena->map, 1, NULL) : status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    static refresh_arena arena;
    cairn_build_options build = {.size = sizeof build, .landmark_count = ROWS};
    cairn_map *map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!map)
        return CAIRN_E_IO;

    arena = (refresh_arena){.map = map,
                            .name = name,
                            .json = options->json,
                            .is_first = is_first,
                            .rng = {7},
                            .pass_count = options->repeat};
    cairn_status status = cairn_table_build(arena.map, &build, &arena.table);
    if (status == CAIRN_OK)
        status = cairn_search_new(arena.map, arena.table, NULL, &arena.search);
    if (status == CAIRN_OK)
        status = measure_map(&arena);
    cairn_search_free(arena.search);
    cairn_table_free(arena.table);
    cairn_map_free(arena.map);
    free(arena.landmarks);
    free(arena.entries);
    for (unsigned i = 0; i < SCOPES * WAYS; i++) {
        free(arena.repairs[i / WAYS][i % WAYS].items);
        free(arena.rebuilds[i / WAYS][i % WAYS].items);
    }
    return status;
}

int bench_refresh(const bench_options *options)
{
    if (options->repeat > PASSES_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("Microseconds for a table of %d rows: each row by itself | all rows in one step; "
               "built: without repair.\n%d edits of a kind, each the median of %u passes from the "
               "same state; x med, x p95, x p99: rebuilding takes so many times longer;\nrebuilds: "
               "the most that an edit took, in rebuilds after the same edit | in median ones.\n"
               "%-16s %-16s %8s %8s %7s %7s %7s %6s %6s %5s %8s | %7s %7s %7s %7s %6s %5s %8s\n",
               ROWS, EDITS, options->repeat, "map", "edit", "median", "p95", "p99", "worst",
               "built", "x med", "x p95", "x p99", "rebuilds", "median", "p95", "worst", "built",
               "x med", "x p95", "rebuilds");
    return bench_run_maps(options, run_map);
}
