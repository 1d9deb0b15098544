/* Whether searches go by corner, use rows at corners, make gates and keep runs follows from what is
 * worth it: by what was expanded between changes of the map, and by the map. */
#include "map/map.h"
#include "search/corner_searches.h"
#include "search/search.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"

/* Slices, several goals and avoided nodes, beside a search from cell to cell. */
static void assert_meets_the_rest(cairn_search *search, cairn_search *cells, cairn_node start,
                                  cairn_node goal)
{
    cairn_path path, other;

    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 7, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.cost, other.cost);

    const cairn_node goals[] = {goal, goal - 40, start + 100};
    assert_int_equal(cairn_search_run_to_any(search, start, goals, COUNT_OF(goals), &path),
                     CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(cells, start, goals, COUNT_OF(goals), &other),
                     CAIRN_OK);
    assert_int_equal(path.cost, other.cost);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    const cairn_node on_path = path.nodes[path.node_count / 2];
    assert_int_equal(cairn_search_avoid(search, &on_path, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(cells, &on_path, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.cost, other.cost);
    assert_int_equal(cairn_search_avoid(search, NULL, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(cells, NULL, NULL, 0), CAIRN_OK);
}

/* Pillars in rows and columns, so many cells apart. */
static picture pillars(uint32_t side, uint32_t apart)
{
    picture drawn = picture_filled(side, side, '.');
    for (uint32_t y = 1; y < side; y += apart) {
        for (uint32_t x = 1; x < side; x += apart)
            drawn.letters[y * side + x] = '@';
    }
    return drawn;
}

/* Among pillars each corner has hundreds of runs: searches along jump points use no rows there, nor
 * do those from cell to cell, since cells see far. */
static void rows_at_corners_are_left_out_among_pillars(void **state)
{
    enum { SIDE = 400, APART = 4 };
    (void)state;
    dice luck = {21};
    picture drawn = pillars(SIDE, APART);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 3, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    cairn_search *cells = search_with(map, table,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    const cairn_node start = cairn_node_at(map, 3, 7), goal = cairn_node_at(map, 370, 201);
    const cairn_node boards[] = {cairn_node_at(map, 9, 8), cairn_node_at(map, 1, 1)};
    cairn_path path, other;

    for (unsigned edits = 0; edits < 3; edits++) {
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.row_count, 0);
        assert_int_equal(path.state, CAIRN_ROW_FRESH);
        assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
        assert_int_equal(other.row_count, 0);
        assert_int_equal(other.cost, path.cost);
        assert_all_shortest(search, map, &drawn, &luck, 2);
        if (edits == 2)
            break;
        const char letter = edits ? '.' : '@';
        const cairn_edit edit = cairn_terrain(boards[edits] % SIDE, boards[edits] / SIDE, letter);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        drawn.letters[boards[edits]] = letter;
        if (edits)
            assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    }
    assert_meets_the_rest(search, cells, start, goal);

    /* Once they are gone, which is noticed after some changes, rows are used again. */
    for (unsigned i = 0; i < 64; i++) {
        const cairn_edit edit = cairn_terrain(2, 2, i % 2 ? '.' : '@');
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    const cairn_edit clear = cairn_rectangle(0, 0, SIDE, SIDE, '.');
    const cairn_edit wall = cairn_rectangle(200, 0, 1, SIDE - 1, '@');
    assert_int_equal(cairn_map_edit(map, &clear, 1), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.row_count, 3);
    cairn_search_free(cells);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static cairn_path run_of(cairn_search *search, cairn_node start, cairn_node goal)
{
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    return path;
}

/* From cell to cell they are used where cells see little: as found on open ground, and again after
 * some changes. */
static void rows_at_corners_are_left_out_where_cells_see_far(void **state)
{
    enum { SIDE = 200, ROOM = 20, CHANGES = 64 };
    (void)state;
    dice luck = {25};
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 0);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 3, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table,
                                       (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    cairn_search *weighted = search_with(map, table, (cairn_search_options){.weight = 1200});

    assert_all_shortest(search, map, &drawn, &luck, 5);
    assert_int_equal(run_of(search, 0, SIDE * SIDE - 1).row_count, 0);
    assert_int_equal(run_of(search, 0, SIDE * SIDE - 1).state, CAIRN_ROW_FRESH);
    assert_int_equal(run_of(weighted, 0, SIDE * SIDE - 1).row_count, 0);
    for (unsigned i = 0; i < CHANGES; i++)
        edit_letter(map, &drawn, SIDE + 1, i % 2 ? '.' : '@');
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        if ((x % ROOM == 0 && y % ROOM != 3) || (y % ROOM == 0 && x % ROOM != 3))
            edit_letter(map, &drawn, i, '@');
    }
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_all_shortest(search, map, &drawn, &luck, 5);
    const cairn_node start = SIDE + 1, goal = (SIDE - 2) * SIDE + SIDE - 2;
    assert_int_equal(run_of(search, start, goal).row_count, 3);
    assert_int_equal(run_of(weighted, start, goal).row_count, 3);
    cairn_search_free(weighted);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A wall among them that leaves one gap at its end. */
static picture walled_pillars(uint32_t side)
{
    enum { APART = 4 };
    picture drawn = pillars(side, APART);
    for (uint32_t y = 0; y + 1 < side; y++)
        drawn.letters[y * side + side / 2] = '@';
    return drawn;
}

/* Beside very many runs each query judges whether rows are worth it: those that lead around a wall
 * use them, others do not. After an edit none does, until the table is refreshed. */
static void rows_beside_many_runs_serve_queries_that_lead_around(void **state)
{
    enum { SIDE = 400, ROW = 40 };
    (void)state;
    dice luck = {24};
    picture drawn = walled_pillars(SIDE);
    const cairn_node start = ROW * SIDE + SIDE / 4, goal = (ROW + 7) * SIDE + SIDE / 4 * 3;
    const cairn_node near = (ROW + 90) * SIDE + SIDE / 4 + 60, edited = 300 * SIDE + 20;
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    cairn_search *bare = search_with(map, NULL, (cairn_search_options){0});
    cairn_search *cells = search_with(map, NULL,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});

    assert_int_equal(search->followed.rows, CN_ROWS_BY_QUERY);
    for (unsigned edits = 0; edits < 2; edits++) {
        for (unsigned i = 0; i < 2; i++) {
            const cairn_path around = run_of(search, start, goal);
            assert_int_equal(around.row_count, 4);
            assert_int_equal(around.state, CAIRN_ROW_FRESH);
            assert_true(around.expanded * 3 < run_of(bare, start, goal).expanded);
            assert_int_equal(run_of(search, start, near).row_count, 0);
        }
        assert_all_shortest(search, map, &drawn, &luck, 5);
        assert_meets_the_rest(search, cells, start, goal);
        const char letter = edits ? '.' : '@';
        const cairn_edit edit = cairn_terrain(edited % SIDE, edited / SIDE, letter);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        drawn.letters[edited] = letter;
        assert_int_equal(run_of(search, start, goal).row_count, 0);
        assert_all_shortest(search, map, &drawn, &luck, 2);
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    }
    cairn_search_free(cells);
    cairn_search_free(bare);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Without memory to keep runs from corners it goes on. */
static bool fail_at_rows_by_query(const picture *drawn, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = 8 * drawn->width + 3, goal = 10 * drawn->width + drawn->width - 3;
    cairn_path path;

    assert_int_equal(search->followed.rows, CN_ROWS_BY_QUERY);
    failing_allocator_arm(&failing, n);
    const cairn_status status = cairn_search_run(search, start, goal, &path);
    const bool was_struck = failing_allocator_struck(&failing);
    assert_true(status == CAIRN_OK || (was_struck && status == CAIRN_E_MEMORY));
    failing_allocator_arm(&failing, 0);
    const cairn_path found = run_of(search, start, goal);
    assert_int_equal(found.row_count, 4);
    assert_true(status != CAIRN_OK || found.cost == path.cost);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    return was_struck;
}

static void rows_are_taken_for_a_query_without_memory(void **state)
{
    (void)state;
    picture drawn = walled_pillars(400);
    size_t n = 1;
    while (fail_at_rows_by_query(&drawn, n))
        n++;
    assert_true(n > 3);
    picture_free(&drawn);
}

/* A query that ends at its start, once map and table are followed. */
static void follow_now(cairn_search *search, const picture *drawn, dice *luck)
{
    const cairn_node node = dice_open_cell(luck, drawn);
    cairn_path path;
    assert_int_equal(cairn_search_run(search, node, node, &path), CAIRN_OK);
}

/* Nor are map and table followed where no path leads from start to goal. */
static void ends_apart_are_told_before_anything_is_followed(void **state)
{
    (void)state;
    picture drawn = picture_filled(21, 9, '.');
    for (uint32_t y = 0; y < drawn.height; y++)
        drawn.letters[y * drawn.width + 10] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CELLS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = cairn_node_at(map, 1, 1), goal = cairn_node_at(map, 19, 1);
    const cairn_node wall = cairn_node_at(map, 10, 4);
    const cairn_edit close = cairn_block(3, 3), open = cairn_open(10, 4);
    cairn_path path, fresh;
    cairn_node_info info;

    assert_int_equal(cairn_search_run(search, start, goal, &fresh), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &close, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(path.space, fresh.space);
    assert_int_equal(path.row_count, fresh.row_count);
    assert_int_equal(path.state, fresh.state);
    assert_false(cn_search_is_as_begun(search));
    assert_int_equal(cairn_search_node_info(search, start, &info), CAIRN_OK);
    assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
    assert_int_equal(cairn_search_run(search, start, wall, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_GOAL_BLOCKED);
    assert_false(cn_search_is_as_begun(search));

    assert_int_equal(cairn_map_edit(map, &open, 1), CAIRN_OK);
    drawn.letters[3 * drawn.width + 3] = '@';
    drawn.letters[wall] = '.';
    assert_shortest(search, &drawn, map->metric, start, goal);
    assert_true(cn_search_is_as_begun(search));

    /* But a table of another map is refused first. */
    cairn_map *other = map_of(&drawn, (cairn_metric){1, 1});
    cairn_table *strange = corner_table(other, 1, 0, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_use(search, map, strange), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, cairn_node_at(map, 10, 1), &path),
                     CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_use(search, map, table), CAIRN_OK);
    cairn_table_free(strange);
    cairn_map_free(other);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* What was expanded on another map, or before an edit, does not count for this one. */
static void corners_are_not_found_right_after_a_change(void **state)
{
    (void)state;
    dice luck = {17};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *other;
    assert_int_equal(cairn_map_clone(map, &other), CAIRN_OK);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_non_null(search->query.corners);
    assert_int_equal(cairn_search_use(search, other, NULL), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    while (!search->query.corners)
        assert_all_shortest(search, other, &drawn, &luck, 1);

    /* What another search has found is there at once. */
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_non_null(search->query.corner_arcs);
    assert_int_equal(cairn_search_use(search, other, NULL), CAIRN_OK);
    block_any(other, &drawn, &luck);
    assert_int_equal(cairn_search_avoid(search, NULL, NULL, 0), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    cairn_search_free(search);
    cairn_map_free(other);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Where queries between two changes expanded enough, those after the next one are expected to. */
static void corners_are_found_at_once_where_they_were_worth_it_before(void **state)
{
    (void)state;
    dice luck = {18};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    do
        assert_all_shortest(search, map, &drawn, &luck, 1);
    while (!search->query.corners);
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_non_null(search->query.corner_arcs);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    assert_all_shortest(search, map, &drawn, &luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Cells that are corners for what has changed need entries, which take long: until searches have
 * expanded as much, they do without the table; and where one leaves it, nothing is due any more. */
static void gates_at_corners_are_made_where_they_are_worth_it(void **state)
{
    (void)state;
    dice luck = {20};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 6), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    int without = 0;

    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    do {
        assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_int_equal(search->query.gate_view != NULL, search->worth.gates_due == UINT64_MAX);
        without += search->query.gate_view == NULL;
    } while (!search->query.gate_view);
    assert_true(without > 2);

    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    assert_true(search->worth.gates_due < UINT64_MAX);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    assert_true(search->worth.gates_due == UINT64_MAX);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* On open ground what sees a cell is looked for in most of the map. So gates wait there also for
 * the first change after a refresh, until as much was expanded. */
static void gates_on_open_ground_wait_after_a_refresh(void **state)
{
    enum { SIDE = 300 };
    (void)state;
    dice luck = {22};
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 0);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_edit wall = cairn_rectangle(SIDE / 2, 0, 1, SIDE - 1, '@');
    const cairn_node start = cairn_node_at(map, SIDE / 2 - 9, 8);
    const cairn_node goal = cairn_node_at(map, SIDE / 2 + 9, 8);

    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        drawn.letters[y * SIDE + SIDE / 2] = '@';
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    for (int i = 0; i < 3; i++) {
        block_any(map, &drawn, &luck);
        assert_shortest(search, &drawn, map->metric, start, goal);
        assert_null(search->query.gate_view);
        assert_true(search->worth.gates_due > 20 && search->worth.gates_due < 80);
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_shortest(search, &drawn, map->metric, start, goal);
        assert_non_null(search->query.entries);
    }

    edit_letter(map, &drawn, cairn_node_at(map, SIDE / 2, SIDE / 3), '.');
    do
        assert_all_shortest(search, map, &drawn, &luck, 1);
    while (!search->query.gate_view);
    assert_true(search->worth.bare > 20);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Along a table of step costs a search has its records by cell; without it by corner. */
static void searches_without_their_table_go_by_corner(void **state)
{
    (void)state;
    dice luck = {23};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table =
        table_built(map, (cairn_build_options){.landmark_count = 4, .step_metric = {1, 1}});
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_true(search->query.scale.factor > 0);
    assert_null(search->query.corners);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_non_null(search->query.corners);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void build_wall(cairn_map *map, picture *drawn, dice *luck)
{
    const uint32_t length = 10 + dice_below(luck, 30);
    const bool is_row = dice_below(luck, 2);
    const uint32_t width = is_row ? length : 1, height = is_row ? 1 : length;
    const uint32_t x = dice_below(luck, drawn->width - width);
    const uint32_t y = dice_below(luck, drawn->height - height);
    const cairn_edit wall = cairn_rectangle(x, y, width, height, '@');

    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    for (uint32_t i = 0; i < length; i++)
        drawn->letters[(is_row ? y : y + i) * drawn->width + (is_row ? x + i : x)] = '@';
}

/* A table at every cell of a small map that was open once: its rows raise the bounds of some
 * queries, by cell; others go without them, by corner when that is worth it. */
static void queries_for_which_rows_say_nothing_go_by_corner(void **state)
{
    enum { SIDE = 70, WALLS = 16, QUERIES_OF_EACH = 150 };
    (void)state;
    dice luck = {19};
    for (uint64_t seed = 0; seed < seeds_to(6); seed = seed_after(seed)) {
        picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = corner_table(map, 2, seed, CAIRN_RESIDENT_CELLS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        unsigned along_rows = 0, by_cell = 0, by_corner = 0;
        for (int i = 0; i < WALLS; i++)
            build_wall(map, &drawn, &luck);
        for (int i = 0; i < QUERIES_OF_EACH; i++) {
            assert_all_shortest(search, map, &drawn, &luck, 1);
            along_rows += search->query.entries != NULL;
            by_cell += !search->query.entries && !search->query.corners;
            by_corner += !search->query.entries && search->query.corners;
            assert_true(!search->query.entries || !search->query.corners);
        }
        assert_true(along_rows > 0 && by_cell > 0 && by_corner > 0);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static bool fail_at_mute_rows(picture *drawn, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = corner_table(map, 2, 0, CAIRN_RESIDENT_CELLS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = 8 * drawn->width + 1, goal = 20 * drawn->width + 39;
    const cairn_edit wall = cairn_rectangle(20, 5, 1, 20, '@');
    cairn_path path;
    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.row_count, 0);
    search->worth.spent = UINT32_MAX;
    failing_allocator_arm(&failing, n);
    cairn_status status = cairn_search_run(search, start, goal, &path);
    const bool was_struck = failing_allocator_struck(&failing);
    assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
    failing_allocator_arm(&failing, 0);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_non_null(search->query.corner_arcs);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    return was_struck;
}

static void rows_that_say_nothing_are_left_out_without_memory(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 40, 30, 0);
    size_t n = 1;
    while (fail_at_mute_rows(&drawn, n))
        n++;
    assert_true(n > 3);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_at_corners_are_left_out_among_pillars),
        cmocka_unit_test(rows_at_corners_are_left_out_where_cells_see_far),
        cmocka_unit_test(rows_beside_many_runs_serve_queries_that_lead_around),
        cmocka_unit_test(rows_are_taken_for_a_query_without_memory),
        cmocka_unit_test(ends_apart_are_told_before_anything_is_followed),
        cmocka_unit_test(corners_are_not_found_right_after_a_change),
        cmocka_unit_test(searches_without_their_table_go_by_corner),
        cmocka_unit_test(queries_for_which_rows_say_nothing_go_by_corner),
        cmocka_unit_test(rows_that_say_nothing_are_left_out_without_memory),
        cmocka_unit_test(corners_are_found_at_once_where_they_were_worth_it_before),
        cmocka_unit_test(gates_at_corners_are_made_where_they_are_worth_it),
        cmocka_unit_test(gates_on_open_ground_wait_after_a_refresh),
    };
    return cmocka_run_group_tests_name("corner_worth", tests, NULL, NULL);
}
