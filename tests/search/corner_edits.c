/* Searches along tables of corners, and along others by corner, while maps are edited and change
 * places. */
#include "map/map.h"
#include "search/corner_searches.h"
#include "search/search.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"

/* The bound of a caller's own A* is never above the cost. */
static void assert_bounds_hold(const cairn_map *map, const cairn_table *table, const picture *drawn,
                               dice *luck)
{
    const cairn_node goal = dice_open_cell(luck, drawn);
    uint64_t *costs = oracle_costs(drawn, steps_of(CAIRN_METRIC_OCTILE), &goal, 1);
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
    for (cairn_node node = 0; node < picture_size(drawn); node++) {
        if (cairn_map_is_open(map, node) && costs[node] != ORACLE_NEVER)
            assert_true(cairn_bound_at(&bound, node) <= costs[node]);
    }
    free(costs);
}

/* A table of an empty map knows no corner of what is built there later: its rows are used until
 * there are more new corners than it has members, and again when it is refreshed. */
static void a_map_may_outgrow_the_corners_of_its_table(void **state)
{
    enum { SIDE = 60, BLOCKS = 60 };
    (void)state;
    dice luck = {15};
    for (uint64_t seed = 0; seed < seeds_to(12); seed = seed_after(seed)) {
        picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = corner_table(map, 4, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        unsigned used = 0, unused = 0;
        for (int i = 0; i < BLOCKS; i++) {
            block_any(map, &drawn, &luck);
            assert_all_shortest(search, map, &drawn, &luck, i ? 4 : QUERIES);
            if (i % 10 == 9)
                assert_bounds_hold(map, table, &drawn, &luck);
            used += cn_search_may_use_rows(search) && !unused;
            unused += !cn_search_may_use_rows(search);
        }
        assert_true(used > 0 && unused > 0);
        cairn_status status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(search->scratch.record_count, SIDE * SIDE);
        for (int i = 0; i < 20 && !cn_search_may_use_rows(search); i++)
            assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_true(cn_search_may_use_rows(search));
        assert_int_equal(search->scratch.record_count, SIDE * SIDE);
        for (int i = 0; i < 500 && search->scratch.record_count == SIDE * SIDE; i++)
            assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_true(search->scratch.record_count < SIDE * SIDE / 4);
        assert_bounds_hold(map, table, &drawn, &luck);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The copies of a world have outgrown tables, too; readers find shortest paths before and after the
 * writer has refreshed. */
static void a_world_may_outgrow_the_corners_of_its_table(void **state)
{
    enum { SIDE = 60, ROUNDS = 6, BLOCKS = 15 };
    (void)state;
    dice luck = {19};
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 3, CAIRN_RESIDENT_CORNERS);
    cairn_world *world;
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    cairn_view view = cairn_world_acquire(world);
    cairn_search *search = search_with(view.map, view.table, (cairn_search_options){0});
    cairn_world_release(world, &view);
    for (int round = 0; round < ROUNDS; round++) {
        cairn_edit edits[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            const cairn_node node = dice_open_cell(&luck, &drawn);
            edits[i] = cairn_block(node % SIDE, node / SIDE);
            drawn.letters[node] = '@';
        }
        assert_int_equal(cairn_world_edit(world, edits, BLOCKS), CAIRN_OK);
        if (round == ROUNDS - 1)
            assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
        view = cairn_world_acquire(world);
        assert_int_equal(cairn_search_use(search, view.map, view.table), CAIRN_OK);
        assert_all_shortest(search, view.map, &drawn, &luck, 10);
        assert_bounds_hold(view.map, view.table, &drawn, &luck);
        cairn_world_release(world, &view);
    }
    assert_true(cn_search_may_use_rows(search));
    cairn_search_free(search);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* After an edit there are no rows until they are rebuilt. */
static void paths_are_shortest_after_edits(void **state)
{
    (void)state;
    dice luck = {6};
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = corner_table(map, 4, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (int i = 0; i < 6; i++) {
            assert_all_shortest(search, map, &drawn, &luck, 5);
            edit_any(map, &drawn, &luck);
            if (dice_below(&luck, 3) == 0)
                assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
        }
        assert_all_shortest(search, map, &drawn, &luck, 5);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void rows_serve_through_an_edit_and_when_it_is_undone(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 60, 50, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    dice luck = {8};
    cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
    cairn_node cell = dice_open_cell(&luck, &drawn);
    cairn_path path;
    cairn_node_info info;
    while (start == cell || goal == cell || start == goal)
        cell = dice_open_cell(&luck, &drawn), start = dice_open_cell(&luck, &drawn);
    cairn_edit block = cairn_block(cell % 60, cell / 60), open = cairn_open(cell % 60, cell / 60);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.state, CAIRN_ROW_FRESH);
    assert_int_equal(path.row_count, 4);
    assert_int_equal(cairn_map_edit(map, &block, 1), CAIRN_OK);
    assert_int_equal(cairn_search_node_info(search, start, &info), CAIRN_OK);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_UNSAFE);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (path.expanded > 1) {
        assert_int_equal(path.state, CAIRN_ROW_WEAKER);
        assert_int_equal(path.row_count, 4);
    }
    assert_int_equal(cairn_map_edit(map, &open, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.state, CAIRN_ROW_FRESH);
    assert_int_equal(path.row_count, 4);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* One search goes along tables of both kinds, and none, and over copies of its map. */
static void a_search_changes_between_tables(void **state)
{
    (void)state;
    dice luck = {9};
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *twin;
        assert_int_equal(cairn_map_clone(map, &twin), CAIRN_OK);
        cairn_table *tables[] = {corner_table(map, 4, seed, CAIRN_RESIDENT_CORNERS),
                                 corner_table(map, 4, seed, CAIRN_RESIDENT_CELLS), NULL,
                                 corner_table(map, 9, seed, CAIRN_RESIDENT_CORNERS)};
        for (unsigned space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
            const cairn_search_options options = {.space = (cairn_space)space};
            cairn_search *search = search_with(map, tables[space], options);
            for (unsigned i = 0; i < 8; i++) {
                assert_all_shortest(search, map, &drawn, &luck, 4);
                assert_true(search->scratch.record_count <= 2 * cn_map_node_count(map) + 32u);
                assert_int_equal(
                    cairn_search_use(search, i % 2 ? map : twin, tables[dice_below(&luck, 4)]),
                    CAIRN_OK);
            }
            cairn_search_free(search);
        }
        for (size_t i = 0; i < COUNT_OF(tables); i++)
            cairn_table_free(tables[i]);
        cairn_map_free(twin);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The cost from a start to the nearest of some goals, by the oracle. */
static cairn_cost least_cost(const picture *drawn, cairn_metric metric, cairn_node start,
                             const cairn_node *goals, size_t count)
{
    uint64_t *costs = oracle_costs(drawn, steps_of(metric), &start, 1);
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        least = costs[goals[i]] < least ? costs[goals[i]] : least;
    free(costs);
    return cost_of(least);
}

/* What a search along rows at every cell goes through while it goes by corner, by cell and back. */
typedef struct cell_rows_play {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    picture drawn;
    dice luck;
    unsigned by_corner, by_cell, by_gates; /* states in which rows were used so; by corner */
} cell_rows_play;

static void ask_for_nearest(cell_rows_play *play)
{
    enum { GOALS = 20 };
    cairn_node goals[GOALS];
    cairn_path path;
    const cairn_node start = dice_open_cell(&play->luck, &play->drawn);
    for (size_t i = 0; i < GOALS; i++)
        goals[i] = any_end(play->map, &play->luck);
    assert_int_equal(cairn_search_run_to_any(play->search, start, goals, GOALS, &path), CAIRN_OK);
    assert_int_equal(path.cost, least_cost(&play->drawn, play->map->metric, start, goals, GOALS));
}

/* Beside avoided cells costs are those of a search without rows, from cell to cell. */
static void ask_beside_avoided(cell_rows_play *play)
{
    cairn_search *plain = search_with(play->map, NULL,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    cairn_node avoided[3];
    for (size_t i = 0; i < COUNT_OF(avoided); i++)
        avoided[i] = dice_open_cell(&play->luck, &play->drawn);
    assert_int_equal(cairn_search_avoid(play->search, avoided, NULL, COUNT_OF(avoided)), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(plain, avoided, NULL, COUNT_OF(avoided)), CAIRN_OK);
    for (int i = 0; i < 5; i++) {
        const cairn_node start = any_end(play->map, &play->luck);
        const cairn_node goal = any_end(play->map, &play->luck);
        cairn_path one, other;
        assert_int_equal(cairn_search_run(play->search, start, goal, &one), CAIRN_OK);
        assert_int_equal(cairn_search_run(plain, start, goal, &other), CAIRN_OK);
        assert_int_equal(one.cost, other.cost);
        assert_int_equal(one.outcome, other.outcome);
    }
    assert_int_equal(cairn_search_avoid(play->search, NULL, NULL, 0), CAIRN_OK);
    cairn_search_free(plain);
}

/* Goes on with copies of map and table. */
static void move_to_copies(cell_rows_play *play)
{
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_map_clone(play->map, &map), CAIRN_OK);
    assert_int_equal(cairn_table_clone(play->table, &table), CAIRN_OK);
    assert_int_equal(cairn_search_use(play->search, map, table), CAIRN_OK);
    cairn_table_free(play->table);
    cairn_map_free(play->map);
    play->map = map;
    play->table = table;
}

static void play_turn(cell_rows_play *play)
{
    const cairn_budget budgets[] = {CAIRN_CELLS(0), CAIRN_CELLS(300), CAIRN_UNLIMITED};
    cairn_status status;

    if (dice_below(&play->luck, 2)) /* as after many expansions */
        play->search->worth.spent += cairn_map_node_count(play->map);
    switch (dice_below(&play->luck, 8)) {
    case 0:
        for (uint32_t edits = 1 + dice_below(&play->luck, 3); edits > 0; edits--)
            edit_any(play->map, &play->drawn, &play->luck);
        break;
    case 1:
        status = cairn_refresh_step(play->table, play->map,
                                    budgets[dice_below(&play->luck, COUNT_OF(budgets))]);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        break;
    case 2: ask_beside_avoided(play); break;
    case 3: move_to_copies(play); break;
    case 4: ask_for_nearest(play); break;
    default: assert_all_shortest(play->search, play->map, &play->drawn, &play->luck, 12);
    }
    play->by_corner += play->search->query.entries && play->search->query.corners;
    play->by_cell += play->search->query.entries && !play->search->query.corners;
    play->by_gates += play->search->query.gate_view && play->search->query.corners;
}

static void rows_at_every_cell_go_by_corner_and_by_cell_through_edits(void **state)
{
    enum { TURNS = 40 };
    (void)state;
    unsigned by_corner = 0, by_cell = 0, by_gates = 0;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        cell_rows_play play = {
            .drawn = random_map((map_kind)(MAP_CLUTTERED + seed % 8), 110, 80, seed),
            .luck = {seed + 1}};
        play.map = map_of(&play.drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        play.table = corner_table(play.map, 1 + (uint32_t)(seed % 9), seed, CAIRN_RESIDENT_CELLS);
        play.search = search_with(play.map, play.table, (cairn_search_options){0});
        for (int turn = 0; play.map->grid.open_count > 1000 && turn < TURNS; turn++)
            play_turn(&play);
        by_corner += play.by_corner;
        by_cell += play.by_cell;
        by_gates += play.by_gates;
        cairn_search_free(play.search);
        cairn_table_free(play.table);
        cairn_map_free(play.map);
        picture_free(&play.drawn);
    }
    assert_true(by_corner > 0 && by_cell > 0 && by_gates > 0);
}

/* A wall opens and closes in one call, or a cell the other way round. */
static void edit_and_undo(cairn_map *map, picture *drawn, dice *luck)
{
    const uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    const cairn_edit both[] = {cairn_open(x, y), cairn_block(x, y), cairn_open(x, y)};
    const bool is_open = drawn->letters[y * drawn->width + x] == '.';
    assert_int_equal(cairn_map_edit(map, both + is_open, 2), CAIRN_OK);
}

/* From a cell to the nearest of some, and to it from the nearest. */
static void assert_nearest(cairn_search *search, const picture *drawn, dice *luck)
{
    cairn_node ends[6];
    const cairn_node one = dice_open_cell(luck, drawn);
    uint64_t *costs = oracle_costs(drawn, steps_of(CAIRN_METRIC_OCTILE), &one, 1);
    uint64_t least = ORACLE_NEVER;
    cairn_path path;
    for (unsigned i = 0; i < COUNT_OF(ends); i++) {
        ends[i] = dice_open_cell(luck, drawn);
        least = costs[ends[i]] < least ? costs[ends[i]] : least;
    }
    const cairn_cost right = least == ORACLE_NEVER ? CAIRN_UNREACHABLE : (cairn_cost)least;
    assert_int_equal(cairn_search_run_to_any(search, one, ends, COUNT_OF(ends), &path), CAIRN_OK);
    assert_int_equal(path.cost, right);
    assert_int_equal(cairn_search_run_from_any(search, ends, COUNT_OF(ends), one, &path), CAIRN_OK);
    assert_int_equal(path.cost, right);
    free(costs);
}

/* An edit that undoes itself leaves the version of the map as it is, and may give other numbers to
 * its components all the same: what is kept by these numbers is not taken for that of others. */
static void an_edit_that_undoes_itself_changes_no_path(void **state)
{
    enum { WIDTH = 9, HEIGHT = 7, ROUNDS = 12 };
    (void)state;
    for (uint64_t seed = 0; seed < 20 * seeds_to(12); seed++) {
        dice luck = {seed + 1};
        picture drawn = picture_filled(WIDTH, HEIGHT, '.');
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            drawn.letters[i] = dice_below(&luck, 100) < 35 ? '@' : '.';
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = corner_table(map, 4, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        const uint64_t version = cairn_map_version(map);
        for (unsigned round = 0; round < ROUNDS; round++) {
            edit_and_undo(map, &drawn, &luck);
            assert_all_shortest(search, map, &drawn, &luck, 3);
            assert_nearest(search, &drawn, &luck);
        }
        assert_true(cairn_map_version(map) == version);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_every_cell_go_by_corner_and_by_cell_through_edits),
        cmocka_unit_test(paths_are_shortest_after_edits),
        cmocka_unit_test(a_map_may_outgrow_the_corners_of_its_table),
        cmocka_unit_test(a_world_may_outgrow_the_corners_of_its_table),
        cmocka_unit_test(rows_serve_through_an_edit_and_when_it_is_undone),
        cmocka_unit_test(a_search_changes_between_tables),
        cmocka_unit_test(an_edit_that_undoes_itself_changes_no_path),
    };
    return cmocka_run_group_tests_name("corner_edits", tests, NULL, NULL);
}
