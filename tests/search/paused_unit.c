/* What a search keeps between calls: paused queries, paths, and what their options were. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

/* A wall with a door that is closed, and the long way around it. */
typedef struct house {
    picture drawn;
    cairn_map *map;
    cairn_table *table;
} house;

enum { START = 0, GOAL = 11, DOOR_X = 5, DOOR_Y = 2 };

static house build_house(void)
{
    house made = {.drawn = PICTURE(".....@......", ".....@......", ".....@......", ".....@......",
                                   ".....@......", ".....@......", "............")};
    made.map = map_of(&made.drawn, (cairn_metric){5, 7});
    made.table = table_of(made.map, 3);
    return made;
}

static void leave(house *left)
{
    cairn_table_free(left->table);
    cairn_map_free(left->map);
    picture_free(&left->drawn);
}

static void edit(cairn_map *map, cairn_edit edit)
{
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
}

static cairn_search *cell_search_on(const house *on)
{
    return search_with(on->map, on->table, (cairn_search_options){.space = CAIRN_SPACE_CELLS});
}

static void begin(cairn_search *search)
{
    cairn_path path;
    assert_int_equal(cairn_search_begin(search, START, GOAL, &path), CAIRN_OK);
    assert_int_equal(cairn_search_resume(search, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
}

static void end(cairn_search *search)
{
    cairn_path path;
    assert_int_equal(cairn_search_resume(search, UINT64_MAX, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
}

static void assert_refused(cairn_search *search)
{
    cairn_path path;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_CHANGED);
        assert_int_equal(path.outcome, CAIRN_PATH_NONE);
        assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    }
}

/* ------------------------------------------------------------------------------ changed maps -- */

static void a_paused_search_is_refused_when_its_map_was_edited(void **state)
{
    (void)state;
    house home = build_house();
    cairn_search *search = cell_search_on(&home);

    begin(search);
    edit(home.map, cairn_open(DOOR_X, DOOR_Y));
    assert_refused(search);
    begin(search);
    end(search);
    cairn_search_free(search);
    leave(&home);
}

static void a_paused_search_goes_on_when_its_table_was_refreshed(void **state)
{
    (void)state;
    house home = build_house();
    edit(home.map, cairn_open(DOOR_X, DOOR_Y));
    cairn_search *search = cell_search_on(&home);

    begin(search);
    assert_int_equal(step_now(home.table, home.map, CAIRN_CELLS(2)), CAIRN_MORE);
    end(search);
    begin(search);
    assert_int_equal(cairn_table_rebuild(home.table, home.map), CAIRN_OK);
    end(search);
    cairn_search_free(search);
    leave(&home);
}

/* Rows that become wider lie in other memory, and entries of another size. */
static void a_paused_search_goes_on_when_its_rows_became_wider(void **state)
{
    enum { SIDE = 60 };
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, (cairn_metric){250, 350});
    cairn_table *table = table_of(map, 2);
    assert_int_equal(cairn_table_entry_bits(table), 16);
    for (uint32_t x = 2; x + 2 < SIDE; x += 2)
        edit(map, cairn_rectangle(x, x / 2 % 2, 1, SIDE - 1, '@'));
    for (cairn_space space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
        cairn_table *stale;
        assert_int_equal(cairn_table_clone(table, &stale), CAIRN_OK);
        cairn_search *search = search_with(map, stale, (cairn_search_options){.space = space});
        cairn_search *bare = search_with(map, NULL, (cairn_search_options){0});
        cairn_path path, expected;
        assert_int_equal(cairn_search_run(bare, 0, SIDE * SIDE - 1, &expected), CAIRN_OK);
        assert_int_equal(cairn_search_begin(search, 0, SIDE * SIDE - 1, &path), CAIRN_OK);
        assert_int_equal(cairn_search_resume(search, 5, &path), CAIRN_OK);
        assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
        assert_int_equal(cairn_refresh_step(stale, map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_table_entry_bits(stale), 32);
        assert_int_equal(cairn_search_resume(search, UINT64_MAX, &path), CAIRN_OK);
        assert_int_equal(path.cost, expected.cost);
        cairn_search_free(bare);
        cairn_search_free(search);
        cairn_table_free(stale);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Records are by the corners of the table. */
static void a_paused_search_is_refused_when_its_table_of_corners_was_refreshed(void **state)
{
    (void)state;
    house home = build_house();
    cairn_table *table = table_built(
        home.map, (cairn_build_options){
                      .landmark_count = 3, .thread_count = 1, .resident = CAIRN_RESIDENT_CORNERS});
    edit(home.map, cairn_open(DOOR_X, DOOR_Y));
    cairn_search *search = search_with(home.map, table, (cairn_search_options){0});
    cairn_path path;

    assert_int_equal(cairn_search_begin(search, START, GOAL - 1, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
    assert_int_equal(cairn_refresh_step(table, home.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_refused(search);
    cairn_search_free(search);
    cairn_table_free(table);
    leave(&home);
}

static void a_paused_search_is_refused_when_it_was_led_elsewhere(void **state)
{
    (void)state;
    house home = build_house(), other = build_house();
    cairn_search *search = cell_search_on(&home);

    begin(search);
    assert_int_equal(cairn_search_use(search, other.map, other.table), CAIRN_OK);
    assert_refused(search);
    assert_int_equal(cairn_search_use(search, home.map, home.table), CAIRN_OK);
    assert_refused(search);
    begin(search);
    end(search);
    cairn_search_free(search);
    leave(&home);
    leave(&other);
}

static void a_search_whose_map_took_another_metric_is_refused(void **state)
{
    (void)state;
    house home = build_house();
    cairn_search *search = search_with(home.map, NULL,
                                       (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    cairn_path path;

    begin(search);
    assert_int_equal(cairn_map_set_metric(home.map, (cairn_metric){10, 14}), CAIRN_OK);
    assert_refused(search);
    assert_int_equal(cairn_search_run(search, START, GOAL, &path), CAIRN_E_CHANGED);
    assert_int_equal(cairn_search_use(search, home.map, NULL), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_map_set_metric(home.map, (cairn_metric){5, 7}), CAIRN_OK);
    assert_refused(search);
    begin(search);
    end(search);
    cairn_search_free(search);
    leave(&home);
}

static void a_paused_search_goes_on_where_nothing_changed(void **state)
{
    (void)state;
    house home = build_house();
    cairn_search *search = cell_search_on(&home);

    begin(search);
    edit(home.map, cairn_block(DOOR_X, DOOR_Y));
    edit(home.map, cairn_terrain(0, 0, 'G'));
    assert_int_equal(cairn_refresh_step(home.table, home.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_search_use(search, home.map, home.table), CAIRN_OK);
    end(search);
    cairn_search_free(search);
    leave(&home);
}

static void a_search_that_is_not_paused_is_not_resumed(void **state)
{
    (void)state;
    house home = build_house();
    cairn_search *search = cell_search_on(&home);
    cairn_path path;

    assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
    begin(search);
    assert_int_equal(cairn_search_run(search, START, START, &path), CAIRN_OK);
    assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    cairn_search_free(search);
    leave(&home);
}

static void what_a_path_says_of_its_rows_outlives_a_pause(void **state)
{
    (void)state;
    house home = build_house();
    edit(home.map, cairn_block(1, 1));
    cairn_search *search = cell_search_on(&home);
    cairn_path whole, path;

    assert_int_equal(cairn_search_run(search, START, GOAL, &whole), CAIRN_OK);
    assert_int_equal(whole.row_count, 3);
    assert_int_equal(whole.state, CAIRN_ROW_WEAKER);
    begin(search);
    assert_int_equal(cairn_search_resume(search, UINT64_MAX, &path), CAIRN_OK);
    assert_int_equal(path.row_count, whole.row_count);
    assert_int_equal(path.state, whole.state);
    cairn_search_free(search);
    leave(&home);
}

/* -------------------------------------------------------------------------------- guarantees -- */

/* On an open map octile distance is exact, and proves that Manhattan distance led to a shortest
 * path. */
static void a_bound_that_holds_says_how_good_a_path_is(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", "......", "......");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search =
        search_with(map, NULL, (cairn_search_options){.heuristic = CAIRN_HEURISTIC_MANHATTAN});
    cairn_path path;

    assert_int_equal(cairn_search_run(search, 0, 17, &path), CAIRN_OK);
    assert_int_equal(path.guarantee, 1000);
    assert_int_equal(cairn_search_run(search, 4, 4, &path), CAIRN_OK);
    assert_int_equal(path.guarantee, 1000);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* ------------------------------------------------------------------------------------- cells -- */

static void assert_cells(cairn_search *search, cairn_path *path, size_t count)
{
    assert_int_equal(cairn_search_cells(search, path), CAIRN_OK);
    assert_int_equal(path->node_count, count);
}

static void the_cells_of_a_searchs_own_path_are_there_on_any_map(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule <= ORACLE_RULES; rule++) {
        twin both = rule < ORACLE_RULES
                        ? twin_of(2, (oracle_rule)rule, TERRAIN_UNIFORM, (cairn_metric){5, 7})
                        : twin_graph(1, 20, 60, false, false);
        for (cairn_form form = CAIRN_FORM_CELLS; form <= CAIRN_FORM_CORNERS; form++) {
            cairn_search *search = search_with(both.map, NULL,
                                               (cairn_search_options){.form = form});
            cairn_path path;
            cairn_node goal = cairn_map_node_count(both.map) - 1;
            assert_int_equal(cairn_search_run(search, 0, goal, &path), CAIRN_OK);
            assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
            if (path.outcome == CAIRN_PATH_FOUND)
                assert_int_equal(oracle_arc_path(&both.arcs, path.nodes, path.node_count),
                                 path.cost);
            cairn_search_free(search);
        }
        twin_free(&both);
    }
}

static void the_cells_of_a_path_to_the_nearest_node_are_there(void **state)
{
    (void)state;
    picture drawn = PICTURE("....@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search = search_with(map, NULL, (cairn_search_options){.nearest = true});
    cairn_path path;

    assert_int_equal(cairn_search_run(search, 0, 5, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_cells(search, &path, 4);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Where the base heuristic tells nothing all nodes are equally near, also to the start. */
static void the_start_is_the_nearest_node_of_a_graph_without_coordinates(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 3}, {2, 1, 3}, {3, 4, 1}, {4, 3, 1}};
    cairn_map *map;
    cairn_path path;

    assert_int_equal(cairn_map_from_arcs(5, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){.nearest = true});
    for (cairn_node start = 0; start < 3; start++) {
        assert_int_equal(cairn_search_run(search, start, 4, &path), CAIRN_OK);
        assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
        assert_int_equal(path.cost, 0);
        assert_int_equal(path.node_count, 1);
        assert_int_equal(path.nodes[0], start);
    }
    cairn_search_free(search);
    cairn_map_free(map);
}

static cairn_cost no_way(void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return CAIRN_UNREACHABLE;
}

/* In one go or in slices. */
static void a_bound_that_hides_the_goal_does_not_hide_it_from_nearest(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", ".@@@@.", "......");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search = search_with(map, NULL,
                                       (cairn_search_options){.bound = no_way, .nearest = true});
    cairn_path path;

    assert_int_equal(cairn_search_run(search, 0, 16, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.cost, 30);
    assert_int_equal(cairn_search_begin(search, 0, 16, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.cost, 30);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_cells_of_a_path_to_the_nearest_node_are_there_beside_unsafe_rows(void **state)
{
    (void)state;
    picture drawn = PICTURE("......@.", ".@@@@.@.", "......@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_table *table = table_of(map, 2);
    cairn_search *search = search_with(map, table, (cairn_search_options){.nearest = true});
    cairn_path path;

    edit(map, cairn_open(2, 1));
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_UNSAFE);
    assert_int_equal(cairn_search_run(search, 16, 7, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.space, CAIRN_SPACE_JUMP);
    assert_cells(search, &path, 8);

    /* In sight of the start. */
    assert_int_equal(cairn_search_run(search, 0, 7, &path), CAIRN_OK);
    assert_int_equal(path.space, CAIRN_SPACE_JUMP);
    assert_cells(search, &path, 6);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_path_without_cells_has_none(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    cairn_path path;

    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_cells(search, &path, 0);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_cells_of_a_path_that_is_not_the_last_one_are_refused(void **state)
{
    (void)state;
    house home = build_house();
    cairn_search_options corners = {.form = CAIRN_FORM_CORNERS};
    cairn_search *search = search_with(home.map, home.table, corners);
    cairn_search *other = search_with(home.map, home.table, corners);
    cairn_path zero = {0}, first, last, others;

    assert_int_equal(cairn_search_cells(search, &zero), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run(search, START, GOAL, &first), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, START, GOAL - 1, &last), CAIRN_OK);
    assert_int_equal(cairn_search_run(other, START, GOAL, &others), CAIRN_OK);
    assert_int_equal(cairn_search_run(other, START, GOAL, &others), CAIRN_OK);
    assert_int_equal(cairn_search_cells(search, &zero), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_cells(search, &first), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_cells(search, &others), CAIRN_E_ARGUMENT);
    assert_null(first.nodes);

    /* Edits change nothing about a path that was found. */
    edit(home.map, cairn_block(0, 3));
    assert_int_equal(cairn_search_cells(search, &last), CAIRN_OK);
    assert_true(last.nodes[0] == START && last.nodes[last.node_count - 1] == GOAL - 1);
    cairn_search_free(other);
    cairn_search_free(search);
    leave(&home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paused_search_is_refused_when_its_map_was_edited),
        cmocka_unit_test(a_paused_search_goes_on_when_its_table_was_refreshed),
        cmocka_unit_test(a_paused_search_goes_on_when_its_rows_became_wider),
        cmocka_unit_test(a_paused_search_is_refused_when_its_table_of_corners_was_refreshed),
        cmocka_unit_test(a_paused_search_is_refused_when_it_was_led_elsewhere),
        cmocka_unit_test(a_search_whose_map_took_another_metric_is_refused),
        cmocka_unit_test(a_paused_search_goes_on_where_nothing_changed),
        cmocka_unit_test(a_search_that_is_not_paused_is_not_resumed),
        cmocka_unit_test(what_a_path_says_of_its_rows_outlives_a_pause),
        cmocka_unit_test(a_bound_that_holds_says_how_good_a_path_is),
        cmocka_unit_test(the_cells_of_a_searchs_own_path_are_there_on_any_map),
        cmocka_unit_test(the_cells_of_a_path_to_the_nearest_node_are_there),
        cmocka_unit_test(the_start_is_the_nearest_node_of_a_graph_without_coordinates),
        cmocka_unit_test(a_bound_that_hides_the_goal_does_not_hide_it_from_nearest),
        cmocka_unit_test(the_cells_of_a_path_to_the_nearest_node_are_there_beside_unsafe_rows),
        cmocka_unit_test(a_path_without_cells_has_none),
        cmocka_unit_test(the_cells_of_a_path_that_is_not_the_last_one_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
