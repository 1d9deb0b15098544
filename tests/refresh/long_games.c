/* Games that last for longer than any journal: units that stand in the way move in every frame, and
 * doors open now and then. No row is lost meanwhile, all paths are shortest, and when the map
 * settles the table is exact again. */
#include "map/map.h"
#include "table/corner_rows.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum {
    ROWS = 4,
    UNITS = 5,
    FRAMES = CN_JOURNAL_MARKS + 500,
    FRAMES_BETWEEN = 200,   /* questions */
    READERS_BETWEEN = 1500, /* more than a journal holds, or a list follows */
    OPEN_LEAST = 60,
    QUERIES = 12
};

/* What a table is asked for between edits. */
typedef enum care { STEPS, SMALL_STEPS, SEARCHES, CARES } care;

typedef struct game {
    twin both;
    dice luck;
    uint32_t units[UNITS];
    char below[UNITS];           /* the letters of the cells that they stand on */
    cairn_edit edits[4 * UNITS]; /* of a frame, and before the first one */
    size_t edit_count;
} game;

static bool is_free(const game *here, uint32_t node)
{
    return node < here->both.arcs.node_count && twin_is_open(&here->both, node);
}

static void set(game *here, uint32_t node, char letter)
{
    const uint32_t width = here->both.drawn.width;
    here->both.drawn.letters[node] = letter;
    here->edits[here->edit_count++] = cairn_terrain(node % width, node / width, letter);
}

static void enter(game *here, unsigned unit, uint32_t node)
{
    here->units[unit] = node;
    here->below[unit] = here->both.drawn.letters[node];
    set(here, node, '@');
}

static void move(game *here, unsigned unit)
{
    const uint32_t node = dice_below(&here->luck, here->both.arcs.node_count);
    if (!is_free(here, node))
        return;
    set(here, here->units[unit], here->below[unit]);
    enter(here, unit, node);
}

static size_t open_cells(const twin *both)
{
    size_t count = 0;
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        count += twin_is_open(both, node);
    return count;
}

static bool is_playable(const twin *both)
{
    return open_cells(both) >= OPEN_LEAST;
}

static game game_on(twin both, uint64_t seed)
{
    game made = {.both = both, .luck = {seed + 1}};
    for (unsigned unit = 0; unit < UNITS;) {
        const uint32_t node = dice_below(&made.luck, both.arcs.node_count);
        if (is_free(&made, node))
            enter(&made, unit++, node);
    }
    return made;
}

/* One of the cells that have always been blocked, for good. */
static void open_wall(game *here)
{
    for (unsigned tries = 0; tries < 1000; tries++) {
        const uint32_t node = dice_below(&here->luck, here->both.arcs.node_count);
        bool is_unit = false;
        for (unsigned unit = 0; unit < UNITS; unit++)
            is_unit = is_unit || here->units[unit] == node;
        if (is_unit || twin_is_open(&here->both, node))
            continue;
        set(here, node, '.');
        return;
    }
}

/* -------------------------------------------------------------------------- one map's own -- */

static cairn_table *table_on(cairn_map *map, unsigned which)
{
    const cairn_metric metric = cairn_map_metric(map), none = {0, 0};
    const bool at_corners = which == 2 && cn_corner_rows_suit(map);
    return table_built(map, (cairn_build_options){.landmark_count = ROWS,
                                                  .thread_count = 1,
                                                  .step_metric = which == 1 ? metric : none,
                                                  .resident = at_corners ? CAIRN_RESIDENT_CORNERS
                                                                         : CAIRN_RESIDENT_CELLS});
}

/* Whether rows could be used; every path is a shortest one. */
static bool uses_rows(game *here, const cairn_map *map, const cairn_table *table)
{
    const oracle_arcs *arcs = &here->both.arcs;
    cairn_search *search;
    bool all = true;

    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++) {
        const uint32_t start = dice_below(&here->luck, arcs->node_count);
        const uint32_t goal = dice_below(&here->luck, arcs->node_count);
        cairn_path path;
        if (!is_free(here, start) || !is_free(here, goal))
            continue;
        uint64_t *costs = oracle_arc_costs(arcs, ORACLE_TO, &goal, 1);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost_of(costs[start]));
        all = all && path.state != CAIRN_ROW_UNSAFE;
        free(costs);
    }
    cairn_search_free(search);
    return all;
}

/* So many units move, drawn from all. */
static void play_frame(game *here, unsigned pace)
{
    for (unsigned unit = 0; unit < UNITS; unit++)
        if (dice_below(&here->luck, UNITS) < pace)
            move(here, unit);
}

static void apply_frame(game *here)
{
    assert_int_equal(cairn_map_edit(here->both.map, here->edits, here->edit_count), CAIRN_OK);
    here->edit_count = 0;
}

static void take_care(const game *here, cairn_table *table, care how)
{
    if (how == SEARCHES)
        return;
    const cairn_budget budget = how == STEPS ? CAIRN_CELLS(1000000) : CAIRN_CELLS(1);
    const cairn_status status = cairn_refresh_step(table, here->both.map, budget);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

/* Plays frames, each of which is a call; returns whether rows could be used throughout. */
static bool play(game *here, cairn_table *table, unsigned frames, care how)
{
    bool all = true;
    for (unsigned frame = 0; frame < frames; frame++) {
        play_frame(here, 1 + dice_below(&here->luck, UNITS));
        apply_frame(here);
        take_care(here, table, how);
        if (frame % FRAMES_BETWEEN)
            continue;
        twin_list_steps(&here->both);
        all = uses_rows(here, here->both.map, table) && all;
    }
    twin_list_steps(&here->both);
    return uses_rows(here, here->both.map, table) && all;
}

/* A copy of the map, whose journal does not reach the table, is told by the table what this lacks.
 * */
static bool a_copy_uses_rows(game *here, const cairn_table *table)
{
    cairn_map *copy;
    assert_int_equal(cairn_map_clone(here->both.map, &copy), CAIRN_OK);
    const bool used = uses_rows(here, copy, table);
    cairn_map_free(copy);
    return used;
}

static void settle(const game *here, cairn_table *table)
{
    cairn_status status = CAIRN_MORE;
    for (unsigned steps = 0; status == CAIRN_MORE && steps < 100000; steps++)
        status = cairn_refresh_step(table, here->both.map, CAIRN_CELLS(500));
    assert_int_equal(status, CAIRN_OK);
    assert_table_is_exact(&here->both, table);
}

static twin playable_twin(unsigned kind)
{
    twin both = storm_twin(kind, kind);
    for (uint64_t seed = kind + 1; !is_playable(&both); seed++) {
        twin_free(&both);
        both = storm_twin(kind, seed);
    }
    return both;
}

/* Units keep no row from serving; a wall that opened hardly ever does. */
static void rows_serve_in_a_game_without_end(void **state)
{
    unsigned played = 0, served = 0;
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind = (unsigned)seed_after(kind)) {
        twin both = playable_twin(kind);
        const care how = (care)(kind % CARES);
        cairn_table *table = table_on(both.map, (kind / CARES) % 3);
        game here = game_on(both, kind);
        assert_true(play(&here, table, FRAMES, how));
        assert_true(a_copy_uses_rows(&here, table));
        open_wall(&here);
        served += play(&here, table, FRAMES / 10, how);
        played++;
        settle(&here, table);
        cairn_table_free(table);
        twin_free(&here.both);
    }
    assert_true(served > played / 2);
}

/* ---------------------------------------------------------------------------------- worlds -- */

static void edit_world(game *here, cairn_world *world)
{
    assert_int_equal(cairn_world_edit(world, here->edits, here->edit_count), CAIRN_OK);
    here->edit_count = 0;
}

/* A reader looks at what was published last, which has all edits. */
static bool readers_use_rows(game *here, cairn_world *world)
{
    twin_list_steps(&here->both);
    cairn_view view = cairn_world_acquire(world);
    const bool used = uses_rows(here, view.map, view.table);
    cairn_world_release(world, &view);
    return used;
}

/* Edits in every frame, some of which are published together; a writer may make steps. */
static bool play_in_world(game *here, cairn_world *world, bool steps)
{
    bool all = true;
    for (unsigned frame = 0; frame < FRAMES; frame++) {
        play_frame(here, UNITS);
        edit_world(here, world);
        if (steps)
            (void)cairn_world_refresh_step(world, CAIRN_CELLS(1000000));
        const bool is_asked = frame % READERS_BETWEEN == 0;
        if (is_asked || dice_below(&here->luck, 3) == 0)
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
        if (is_asked)
            all = readers_use_rows(here, world) && all;
    }
    return all;
}

static void rows_serve_in_a_world_without_end(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind = (unsigned)seed_after(kind)) {
        twin both = playable_twin(kind);
        cairn_table *table = table_on(both.map, kind % 3);
        cairn_map *map = both.map;
        cairn_world *world;
        cairn_status status = CAIRN_MORE;

        both.map = twin_rebuilt(&both);
        assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
        game here = game_on(both, kind);
        assert_true(play_in_world(&here, world, kind % 2));
        while (status == CAIRN_MORE)
            status = cairn_world_refresh_step(world, CAIRN_CELLS(500));
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
        assert_true(readers_use_rows(&here, world));
        cairn_world_free(world);
        twin_free(&here.both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_serve_in_a_game_without_end),
        cmocka_unit_test(rows_serve_in_a_world_without_end),
    };
    return cmocka_run_group_tests_name("long_games", tests, NULL, NULL);
}
