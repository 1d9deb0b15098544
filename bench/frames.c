/*
 * Frames of a game whose map changes all the time: doors open and close, units that stand in the
 * way move, paths are asked for, and 200 microseconds are left for repair. The same frames with a
 * table that is repaired so, one that is repaired between queries when it is worth it, one that is
 * rebuilt in every frame with edits, one that is never repaired, and none. Then all of them again
 * where a cell of a wall is opened for good in each frame, too; after the first frames of a long
 * game; and where nothing changes but, once a second or in every seventh frame, a door and a wall.
 *
 * A frame takes what its edits, queries and repair take of the processor. Every cost is compared
 * with that of the base heuristic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kit/kit.h"

enum {
    ROWS = 16,
    FRAMES = 400,
    BEFORE = 8000,     /* frames of a long game that are not measured */
    DOORS = 16,        /* a cell of a wall between two open cells */
    UNIT_COUNT = 24,   /* blocked cells that move */
    MOVES = 6,         /* units that move in a frame */
    DOOR_EVERY = 4,    /* frames in which one door changes */
    CALM_EVERY = 60,   /* those of a game that is calm otherwise */
    OFTEN_EVERY = 7,   /* and of one that is not */
    QUERIES = 8,       /* in a frame */
    BUDGET = 200,      /* microseconds */
    EDITS = 2 * MOVES, /* at most in one call */
    TRIES = 1000000
};

typedef enum means { BARE, REPAIRED, WORTH, REBUILT, NEVER, MEANS } means;

static const char *const NAMES[] = {"base heuristic", "repaired", "when worth it", "rebuilt",
                                    "never repaired"};

typedef struct frames_arena {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_node doors[DOORS];
    unsigned door_count;
    cairn_cost costs[FRAMES * QUERIES]; /* by the base heuristic */
    unsigned wrong;
} frames_arena;

/* What changes. */
typedef enum change { UNITS_AND_DOORS, WALLS_TOO, LATER, CALM, OFTEN, CHANGES } change;

static const char *const CHANGE_NAMES[] = {"units, doors", "and walls", "units, later", "calm",
                                           "often"};

/* One game: a state of map and table, and what moves on it. */
typedef struct game {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    change changes;
    cn_rng rng;
    cairn_node units[UNIT_COUNT];
    unsigned unit_count;
    bool has_no_walls; /* as a long search for one found */
    double seconds[FRAMES];
    double queries; /* seconds of all queries */
} game;

static cairn_edit cell_edit(const cairn_map *map, cairn_node node, bool opens)
{
    uint32_t x = 0, y = 0;
    cairn_node_xy(map, node, &x, &y);
    return opens ? cairn_open(x, y) : cairn_block(x, y);
}

/* Blocked cells with open ones to the left and the right. */
static void choose_doors(frames_arena *arena)
{
    const uint32_t count = cairn_map_node_count(arena->map), width = cairn_map_width(arena->map);
    cn_rng rng = {7};
    for (unsigned i = 0; i < TRIES && arena->door_count < DOORS; i++) {
        const cairn_node at = cn_rng_below(&rng, count);
        if (at % width == 0 || at % width + 1 == width || cairn_map_is_open(arena->map, at) ||
            !cairn_map_is_open(arena->map, at - 1) || !cairn_map_is_open(arena->map, at + 1))
            continue;
        arena->doors[arena->door_count++] = at;
    }
}

/* A unit steps to a neighbour, or to any open cell where it has none. */
static size_t move_unit(game *play, unsigned unit, cairn_edit *edits)
{
    const uint32_t width = cairn_map_width(play->map), count = cairn_map_node_count(play->map);
    const cairn_node from = play->units[unit];
    const int64_t offsets[] = {1, -1, (int64_t)width, -(int64_t)width};
    const int64_t near = (int64_t)from + offsets[cn_rng_below(&play->rng, 4)];
    cairn_node to = near >= 0 && near < (int64_t)count ? (cairn_node)near : from;

    for (unsigned i = 0; i < 64 && !cairn_map_is_open(play->map, to); i++)
        to = cn_rng_below(&play->rng, count);
    if (!cairn_map_is_open(play->map, to))
        return 0;
    play->units[unit] = to;
    edits[0] = cell_edit(play->map, from, true);
    edits[1] = cell_edit(play->map, to, false);
    return 2;
}

/* Whether a cell is one of a wall that has an open one to its left or right, both on the map. */
static bool is_at_wall(const cairn_map *map, cairn_node at)
{
    const uint32_t width = cairn_map_width(map);
    return at % width != 0 && at % width + 1 != width && !cairn_map_is_open(map, at) &&
           (cairn_map_is_open(map, at - 1) || cairn_map_is_open(map, at + 1));
}

static cairn_status open_wall(game *play)
{
    const uint32_t count = cairn_map_node_count(play->map);
    for (unsigned i = 0; i < TRIES && !play->has_no_walls; i++) {
        const cairn_node at = cn_rng_below(&play->rng, count);
        if (!is_at_wall(play->map, at))
            continue;
        const cairn_edit opened = cell_edit(play->map, at, true);
        return cairn_map_edit(play->map, &opened, 1);
    }
    play->has_no_walls = true;
    return CAIRN_OK;
}

static cairn_status turn_door(const frames_arena *arena, game *play)
{
    if (arena->door_count == 0)
        return CAIRN_OK;
    const cairn_node door = arena->doors[cn_rng_below(&play->rng, arena->door_count)];
    const cairn_edit turned = cell_edit(play->map, door, !cairn_map_is_open(play->map, door));
    return cairn_map_edit(play->map, &turned, 1);
}

static cairn_status move_units(game *play)
{
    cairn_edit edits[EDITS];
    cairn_status status = CAIRN_OK;

    for (unsigned i = 0; status == CAIRN_OK && i < MOVES && play->unit_count; i++) {
        size_t count = move_unit(play, cn_rng_below(&play->rng, play->unit_count), edits);
        status = cairn_map_edit(play->map, edits, count);
    }
    return status;
}

static unsigned edits_every(change changes)
{
    return changes == CALM ? CALM_EVERY : changes == OFTEN ? OFTEN_EVERY : 1;
}

static bool brings_edits(const game *play, unsigned frame)
{
    return frame % edits_every(play->changes) == 0;
}

static cairn_status edit_frame(const frames_arena *arena, game *play, unsigned frame)
{
    const bool has_units = edits_every(play->changes) == 1;
    if (!brings_edits(play, frame))
        return CAIRN_OK;
    cairn_status status = has_units ? move_units(play) : CAIRN_OK;
    if (status == CAIRN_OK && (!has_units || play->changes == WALLS_TOO))
        status = open_wall(play);
    return status == CAIRN_OK && (!has_units || frame % DOOR_EVERY == 0) ? turn_door(arena, play)
                                                                         : status;
}

static cairn_status repair_frame(game *play, means by)
{
    cairn_status status = CAIRN_OK;
    if (by == REPAIRED)
        status = cairn_refresh_step(play->table, play->map, CAIRN_MICROSECONDS(BUDGET));
    return status == CAIRN_MORE ? CAIRN_OK : status;
}

static cairn_status query_frame(frames_arena *arena, game *play, means by, unsigned frame)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const uint32_t count = (uint32_t)cairn_scenario_count(arena->scenario);
    cairn_status status = CAIRN_OK;
    cairn_path path;

    for (unsigned i = 0; status == CAIRN_OK && i < QUERIES && count; i++) {
        const cairn_query *query = &queries[cn_rng_below(&play->rng, count)];
        cairn_cost *cost = &arena->costs[frame * QUERIES + i];
        status = cairn_search_run(play->search, query->start, query->goal, &path);
        if (by == BARE)
            *cost = path.cost;
        arena->wrong += path.cost != *cost;
        if (status == CAIRN_OK && by == WORTH)
            status = cairn_refresh_as_it_pays(play->table, play->map, &path);
        status = status == CAIRN_MORE ? CAIRN_OK : status;
    }
    return status;
}

static cairn_status run_frame(frames_arena *arena, game *play, means by, unsigned frame)
{
    const double begin = bench_thread_now();
    cairn_status status = edit_frame(arena, play, frame);
    if (status == CAIRN_OK && by == REBUILT && brings_edits(play, frame))
        status = cairn_table_rebuild(play->table, play->map);
    const double edited = bench_thread_now();
    if (status == CAIRN_OK)
        status = query_frame(arena, play, by, frame);
    play->queries += bench_thread_now() - edited;
    if (status == CAIRN_OK)
        status = repair_frame(play, by);
    play->seconds[frame] = bench_thread_now() - begin;
    return status;
}

static cairn_status open_game(const frames_arena *arena, means by, game *play)
{
    cairn_status status = cairn_map_clone(arena->map, &play->map);
    const uint32_t count = cairn_map_node_count(arena->map);

    play->rng = (cn_rng){3};
    if (status == CAIRN_OK && by != BARE)
        status = cairn_table_clone(arena->table, &play->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(play->map, play->table, NULL, &play->search);
    for (unsigned i = 0; status == CAIRN_OK && i < TRIES && play->unit_count < UNIT_COUNT; i++) {
        const cairn_node at = cn_rng_below(&play->rng, count);
        if (!cairn_map_is_open(play->map, at))
            continue;
        const cairn_edit block = cell_edit(play->map, at, false);
        play->units[play->unit_count++] = at;
        status = cairn_map_edit(play->map, &block, 1);
    }
    return status;
}

/* Frames with one query, none of which rebuilds a table. */
static cairn_status play_before(const frames_arena *arena, game *play, means by)
{
    const cairn_query *queries = cairn_scenario_queries(arena->scenario);
    const uint32_t count = (uint32_t)cairn_scenario_count(arena->scenario);
    cairn_status status = CAIRN_OK;
    cairn_path path;

    for (unsigned frame = 0; status == CAIRN_OK && frame < BEFORE && count; frame++) {
        const cairn_query *query = &queries[cn_rng_below(&play->rng, count)];
        status = edit_frame(arena, play, frame);
        if (status == CAIRN_OK)
            status = cairn_search_run(play->search, query->start, query->goal, &path);
        if (status == CAIRN_OK && by == WORTH)
            status = cairn_refresh_as_it_pays(play->table, play->map, &path);
        if (status == CAIRN_OK || status == CAIRN_MORE)
            status = repair_frame(play, by);
    }
    return status;
}

static void print_game(const char *map, game *play, means by, unsigned wrong,
                       const bench_options *options, bool *is_first)
{
    double mean = 0;
    for (unsigned i = 0; i < FRAMES; i++)
        mean += 1e6 * play->seconds[i] / FRAMES;
    bench_sort(play->seconds, FRAMES);
    const double late = 1e6 * play->seconds[FRAMES * 99 / 100];
    const double worst = 1e6 * play->seconds[FRAMES - 1];
    const double query = 1e6 * play->queries / (FRAMES * QUERIES);
    if (options->json)
        printf("%s{\"map\": \"%s\", \"changes\": \"%s\", \"table\": \"%s\", \"mean_us\": %.1f, "
               "\"late_us\": %.1f, \"worst_us\": %.1f, \"query_us\": %.2f, \"wrong\": %u}",
               *is_first ? "" : ",\n", map, CHANGE_NAMES[play->changes], NAMES[by], mean, late,
               worst, query, wrong);
    else
        printf("%-18s %-13s %-16s %10.1f %10.1f %10.1f %10.2f %6u\n", map,
               CHANGE_NAMES[play->changes], NAMES[by], mean, late, worst, query, wrong);
    fflush(stdout);
    *is_first = false;
}

static cairn_status run_game(frames_arena *arena, change changes, means by, const char *name,
                             const bench_options *options, bool *is_first)
{
    game *play = calloc(1, sizeof *play);
    if (!play)
        return CAIRN_E_MEMORY;
    play->changes = changes;
    cairn_status status = open_game(arena, by, play);
    arena->wrong = 0;
    if (status == CAIRN_OK && changes == LATER)
        status = play_before(arena, play, by);
    for (unsigned frame = 0; status == CAIRN_OK && frame < FRAMES; frame++)
        status = run_frame(arena, play, by, frame);
    if (status == CAIRN_OK)
        print_game(name, play, by, arena->wrong, options, is_first);
    cairn_search_free(play->search);
    cairn_table_free(play->table);
    cairn_map_free(play->map);
    free(play);
    return status == CAIRN_OK && arena->wrong ? CAIRN_E_INEXACT : status;
}

static cairn_status open_arena(frames_arena *arena, const bench_options *options, const char *name)
{
    const cairn_build_options wishes = {.size = sizeof wishes,
                                        .landmark_count = ROWS,
                                        .thread_count = 1,
                                        .resident = options->resident};

    arena->map = bench_load_map(options, name, (cairn_metric){0, 0});
    if (!arena->map)
        return CAIRN_E_IO;
    choose_doors(arena);
    cairn_status status = bench_load_scenario(options, name, arena->map, &arena->scenario);
    return status == CAIRN_OK ? cairn_table_build(arena->map, &wishes, &arena->table) : status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    frames_arena *arena = calloc(1, sizeof *arena);
    cairn_status status = arena ? open_arena(arena, options, name) : CAIRN_E_MEMORY;

    for (unsigned i = 0; status == CAIRN_OK && i < CHANGES * MEANS; i++)
        status = run_game(arena, (change)(i / MEANS), (means)(i % MEANS), name, options, is_first);
    if (arena) {
        cairn_table_free(arena->table);
        cairn_scenario_free(arena->scenario);
        cairn_map_free(arena->map);
    }
    free(arena);
    return status;
}

int bench_frames(const bench_options *options)
{
    if (!options->json)
        printf("%-18s %-13s %-16s %10s %10s %10s %10s %6s\n", "map", "changes", "table", "mean us",
               "99 %", "worst", "a query", "wrong");
    return bench_run_maps(options, run_map);
}
