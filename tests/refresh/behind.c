/* Tables that lag behind their map further than its journal of edits reaches: no search fails, all
 * are right, and refreshing catches up. */
#include "map/map.h"
#include "table/table_state.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

/* More calls than the journal has marks for, also where some change nothing. */
enum { ROWS = 3, CALLS = 3 * CN_JOURNAL_MARKS, QUERIES = 12 };

static cairn_table *table_that(cairn_map *map, bool counts_steps)
{
    cairn_metric metric = cairn_map_metric(map);
    return table_built(
        map, (cairn_build_options){.landmark_count = ROWS,
                                   .thread_count = 1,
                                   .step_metric = counts_steps ? metric : (cairn_metric){0, 0}});
}

static bool is_behind(const twin *both, const cairn_table *table)
{
    const cairn_map *row_map;
    const cairn_node *cells;
    size_t count;
    assert_int_equal(cn_table_row_map(table, both->map, &row_map), CAIRN_OK);
    return cn_table_changes(table, row_map, &cells, &count) == CN_CHANGES_FORGOTTEN;
}

/* Edits until the journal no longer reaches the table, which takes a map with something to edit. */
static bool leave_behind(twin *both, const cairn_table *table, dice *luck)
{
    storm_edit_often(both, luck, CALLS);
    return is_behind(both, table);
}

static bool draw_ends(const twin *both, dice *luck, uint32_t *start, uint32_t *goal)
{
    *start = dice_below(luck, both->arcs.node_count);
    *goal = dice_below(luck, both->arcs.node_count);
    return twin_is_open(both, *start) && twin_is_open(both, *goal);
}

/* The search may be older than the edits. `is_behind`: no row of a grid is used, and the path says
 * so. Arcs of a graph are compared with entries, so rows may serve. */
static void assert_answers(const twin *both, cairn_search *search, bool is_behind, dice *luck)
{
    uint32_t start, goal;
    cairn_path path;
    for (unsigned i = 0; i < QUERIES; i++) {
        if (!draw_ends(both, luck, &start, &goal))
            continue;
        uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost_of(costs[start]));
        if (path.outcome == CAIRN_PATH_FOUND) {
            assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
            assert_int_equal(path.guarantee, 1000);
        }
        /* Where a goal is seen from the start no row is asked. */
        if (is_behind && !both->map->graph && path.expanded > 1) {
            assert_int_equal(path.state, CAIRN_ROW_UNSAFE);
            assert_int_equal(path.row_count, 0);
        }
        free(costs);
    }
}

static void assert_behind(const twin *both, const cairn_table *table)
{
    cairn_fault fault;
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_row_state state = cairn_table_row_state(table, both->map, row);
        assert_true(state == CAIRN_ROW_UNSAFE || (both->map->graph && state == CAIRN_ROW_WEAKER));
    }
    assert_int_equal(cairn_table_verify(table, both->map, 1, &fault), CAIRN_E_STALE);
}

static void catch_up(const twin *both, cairn_table *table, cairn_search *search, dice *luck)
{
    cairn_status status;
    unsigned steps = 0;
    do {
        status = step_now(table, both->map, CAIRN_CELLS(dice_below(luck, 40)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        if (search && ++steps % 16 == 0)
            assert_answers(both, search, false, luck);
    } while (status == CAIRN_MORE);
    assert_table_is_exact(both, table);
    assert_file_gives_back(both, table, CAIRN_CODEC_BEST);
}

static void live_behind(twin *both, bool counts_steps, dice *luck)
{
    cairn_table *table = table_that(both->map, counts_steps);
    cairn_search *old, *young;
    cairn_bound bound;

    assert_int_equal(cairn_search_new(both->map, table, NULL, &old), CAIRN_OK);
    const bool lags = leave_behind(both, table, luck);
    if (lags)
        assert_behind(both, table);
    assert_int_equal(cairn_search_new(both->map, table, NULL, &young), CAIRN_OK);
    assert_answers(both, old, lags, luck);
    assert_answers(both, young, lags, luck);
    assert_int_equal(cairn_bound_to(both->map, table, 0, &bound), CAIRN_OK);
    assert_search(both, table, luck);
    catch_up(both, table, old, luck);
    assert_answers(both, young, false, luck);
    cairn_search_free(old);
    cairn_search_free(young);
    cairn_table_free(table);
}

static void searches_go_on_and_refreshes_catch_up_on_every_kind_of_map(void **state)
{
    unsigned behind = 0, played = 0;
    (void)state;
    for (unsigned kind = 0; kind < 2 * STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind / 2, kind / 2 + 5);
        dice luck = {kind + 1};
        live_behind(&both, kind % 2, &luck);
        behind += both.map->journal.is_partial;
        played++;
        twin_free(&both);
    }
    /* All but maps that have nothing to edit. */
    assert_true(behind > 3 * played / 4);
}

static void refreshing_as_it_pays_catches_up(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind, kind + 5);
        dice luck = {kind + 1};
        cairn_table *table = table_that(both.map, false);
        cairn_search *search;
        const cairn_path lost = {.expanded = 100000, .corner_count = 2};
        cairn_status status = CAIRN_MORE;

        assert_int_equal(cairn_search_new(both.map, table, NULL, &search), CAIRN_OK);
        leave_behind(&both, table, &luck);
        for (unsigned i = 0; i < 1000 && status == CAIRN_MORE; i++)
            status = cairn_refresh_as_it_pays(table, both.map, &lost);
        assert_int_equal(status, CAIRN_OK);
        assert_table_is_exact(&both, table);
        assert_answers(&both, search, false, &luck);
        cairn_search_free(search);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Taken into a world while it is behind, and edited there. */
static void a_world_goes_on_with_a_table_that_is_behind(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        twin both = storm_twin(kind, kind + 5);
        dice luck = {kind + 1};
        cairn_table *table = table_that(both.map, false);
        cairn_world *world;
        storm_batch batch;

        leave_behind(&both, table, &luck);
        assert_int_equal(cairn_world_new(both.map, table, &world), CAIRN_OK);
        for (unsigned round = 0; round < 6; round++) {
            storm_draw(&both, &luck, &batch);
            assert_int_equal(cairn_world_edit(world, batch.edits, batch.count), CAIRN_OK);
            if (round % 3 == 2)
                assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
            cairn_view view = cairn_world_acquire(world);
            both.map = (cairn_map *)(uintptr_t)view.map;
            if (both.drawn.letters)
                twin_list_steps(&both);
            assert_search(&both, view.table, &luck);
            if (round % 3 == 2)
                assert_table_is_exact(&both, view.table);
            cairn_world_release(world, &view);
        }
        cairn_world_free(world);
        both.map = NULL;
        twin_free(&both);
    }
}

/* Neither clones nor another metric in between make the map forget that it had a past. */
static void copies_and_other_metrics_remember_that_there_was_a_past(void **state)
{
    static const cairn_metric other = {1000, 1414};
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind++) {
        twin both = storm_twin(kind, kind + 5);
        dice luck = {kind + 1};
        cairn_table *table = table_that(both.map, false);
        cairn_metric metric = cairn_map_metric(both.map);
        cairn_map *copy;

        leave_behind(&both, table, &luck);
        assert_int_equal(cairn_map_clone(both.map, &copy), CAIRN_OK);
        cairn_map_free(both.map);
        both.map = copy;
        assert_search(&both, table, &luck);
        catch_up(&both, table, NULL, &luck);

        storm_edit(&both, &luck);
        assert_int_equal(cairn_map_set_metric(both.map, other), CAIRN_OK);
        assert_int_equal(cairn_map_set_metric(both.map, metric), CAIRN_OK);
        assert_search(&both, table, &luck);
        catch_up(&both, table, NULL, &luck);
        cairn_table_free(table);
        twin_free(&both);
    }
}

static void set_arc(twin *both, const oracle_arc *arc, uint64_t cost)
{
    const cairn_edit edit = cairn_arc_cost(arc->from, arc->to, (cairn_cost)cost);
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    twin_set_arc(both, arc->from, arc->to, cost);
}

/* Searches use all rows, but for those to whose goal these say nothing or no path leads. */
static void assert_uses_all_rows(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search *search;
    cairn_path path;
    unsigned used = 0;
    assert_int_equal(cairn_search_new(both->map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++) {
        const uint32_t start = dice_below(luck, both->arcs.node_count);
        const uint32_t goal = dice_below(luck, both->arcs.node_count);
        uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost_of(costs[start]));
        used += costs[start] == ORACLE_NEVER || path.row_count == cairn_table_row_count(table);
        free(costs);
    }
    assert_true(used * 4 > QUERIES * 3);
    cairn_search_free(search);
}

/* Arcs become dearer, in more calls than the journal of the map holds, and nobody asks meanwhile;
 * later one falls below what it was for the table, and rises again. */
static void rows_of_a_graph_serve_however_long_arcs_rise(void **state)
{
    enum { NODES = 300, ARCS = 900 };
    (void)state;
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        twin both = twin_graph(3 + symmetric, NODES, ARCS, symmetric, symmetric);
        dice luck = {symmetric + 1};
        cairn_table *table = table_that(both.map, false);
        const oracle_arc first = both.arcs.list[0];

        for (unsigned i = 0; i < CALLS; i++) {
            const oracle_arc arc = both.arcs.list[dice_below(&luck, (uint32_t)both.arcs.count)];
            if (arc.from != arc.to)
                set_arc(&both, &arc, arc.cost + 1);
        }
        assert_true(is_behind(&both, table));
        assert_uses_all_rows(&both, table, &luck);
        for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
            assert_int_equal(cairn_table_row_state(table, both.map, row), CAIRN_ROW_WEAKER);
        set_arc(&both, &first, 1);
        assert_uses_all_rows(&both, table, &luck);
        set_arc(&both, &first, first.cost + 5);
        assert_uses_all_rows(&both, table, &luck);
        for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
            assert_int_equal(cairn_table_row_state(table, both.map, row), CAIRN_ROW_WEAKER);
        catch_up(&both, table, NULL, &luck);
        cairn_table_free(table);
        twin_free(&both);
    }
}

static void set_letter(cairn_map *map, uint32_t x, uint32_t y, char letter)
{
    const cairn_edit edit = cairn_terrain(x, y, letter);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
}

/* Opens a cell by the first of so many edits that the journal no longer reaches back to it. */
static void open_unnoticed(cairn_map *map, uint32_t x)
{
    set_letter(map, x, 0, '.');
    for (unsigned i = 0; i < CALLS; i++)
        set_letter(map, 10, 1, "@."[i % 2]);
}

static void assert_is_file(const cairn_map *map, const cairn_table *table)
{
    uint8_t *bytes;
    size_t size;
    cairn_map *same;
    cairn_table *loaded;
    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &same, &loaded, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_verify(loaded, same, 1, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_table_free(loaded);
    cairn_map_free(same);
}

static cairn_map *lane_with_a_blocked_end(unsigned rule)
{
    const cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
    picture drawn = PICTURE("......................................@@",
                            "......................................@@");
    cairn_map *map;
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
        CAIRN_OK);
    picture_free(&drawn);
    return map;
}

/* Opens the end, refreshes some rows, closes and opens the end again, and refreshes all. Returns
 * how many rows were exact in between. */
static uint32_t open_within_a_refresh(unsigned rule, uint64_t cells)
{
    cairn_map *map = lane_with_a_blocked_end(rule);
    cairn_table *table = table_of(map, 4);
    const uint32_t end = cairn_map_width(map) - 1;
    const cairn_node *landmarks;
    uint32_t exact = 0;

    open_unnoticed(map, end);
    cairn_status status = step_now(table, map, CAIRN_CELLS(cells));
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        exact += cairn_table_row_state(table, map, row) == CAIRN_ROW_FRESH;
    set_letter(map, 10, 1, '@');
    set_letter(map, end, 0, '@');
    set_letter(map, end, 0, '.');
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 2);
    assert_int_equal(landmarks[1], end);
    assert_is_file(map, table);
    cairn_table_free(table);
    cairn_map_free(map);
    return exact;
}

/* The cell is a landmark of the rows that are exact already, and was 0 in those that wait: taken
 * for a blocked one it became a landmark twice, and the table could not be saved. */
static void a_cell_that_opened_is_not_blocked_to_rows_that_wait(void **state)
{
    (void)state;
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        uint32_t seen = 0;
        for (uint64_t cells = 0; cells < 64; cells++)
            seen |= 1u << open_within_a_refresh(rule, cells);
        assert_true(seen & 1u << 1);
    }
}

/* -------------------------------------------------------------------- tables of other maps -- */

static void assert_refused(const cairn_map *map, cairn_table *table)
{
    cairn_bound bound;
    cairn_search *search;
    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_bound_to(map, table, 0, &bound), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_E_MISMATCH);
}

/* However often the map was edited: its heights, rule, letters, metric or size are not those. */
static void a_table_of_a_map_that_edits_cannot_make_is_refused(void **state)
{
    enum { SEED = 5 };
    (void)state;
    twin hills = twin_of(SEED, ORACLE_8, TERRAIN_HILLS, (cairn_metric){10, 14});
    const struct {
        oracle_rule rule;
        terrain_kind kind;
        cairn_metric metric;
        uint64_t seed;
    } others[] = {
        {ORACLE_8, TERRAIN_HILLS, {5, 7}, SEED},
        {ORACLE_8_ANY, TERRAIN_HILLS, {10, 14}, SEED},
        {ORACLE_8, TERRAIN_AVERAGE, {10, 14}, SEED},
        {ORACLE_8, TERRAIN_UNIFORM, {10, 14}, SEED},
        {ORACLE_8, TERRAIN_HILLS, {10, 14}, SEED + 1},
        /* Same size: 35 is a multiple of the lengths of both cycles. Other heights. */
        {ORACLE_8, TERRAIN_HILLS, {10, 14}, SEED + 35},
    };
    dice luck = {1};
    storm_edit_often(&hills, &luck, CALLS);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        twin other = twin_of(others[i].seed, others[i].rule, others[i].kind, others[i].metric);
        cairn_table *table = table_that(other.map, false);
        assert_refused(hills.map, table);
        cairn_table_free(table);
        twin_free(&other);
    }
    twin_free(&hills);
}

static void a_table_of_a_graph_with_other_arcs_is_refused(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 4}, {2, 0, 4}};
    static const cairn_arc others[] = {{0, 1, 5}, {2, 1, 4}, {2, 0, 4}};
    cairn_map *map, *other;
    (void)state;
    assert_int_equal(cairn_map_from_arcs(3, arcs, 3, NULL, NULL, NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_arcs(3, others, 3, NULL, NULL, NULL, &other, NULL), CAIRN_OK);
    cairn_table *table = table_that(other, false);
    cairn_search *search;
    for (unsigned i = 0; i < CALLS; i++) {
        cairn_edit edit = cairn_arc_cost(0, 1, 1 + i);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    assert_refused(map, table);
    assert_int_equal(cairn_search_new(other, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_E_MISMATCH);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    cairn_map_free(other);
}

/* Other cells are told as long as the map knows all that it ever was. */
static void a_table_of_other_cells_is_refused_by_a_map_that_knows_its_past(void **state)
{
    picture drawn = PICTURE("......", "......"), wall = PICTURE("..@...", "......");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_map *other = map_of(&wall, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(other, 2);
    (void)state;
    assert_refused(map, table);
    for (unsigned i = 0; i < CN_JOURNAL_MARKS / 2; i++) {
        cairn_edit edit = cairn_terrain(0, 0, "@."[i % 2]);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        if (i % 512 == 0)
            assert_refused(map, table);
    }
    assert_refused(map, table);
    cairn_table_free(table);
    cairn_map_free(map);
    cairn_map_free(other);
    picture_free(&drawn);
    picture_free(&wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_go_on_and_refreshes_catch_up_on_every_kind_of_map),
        cmocka_unit_test(rows_of_a_graph_serve_however_long_arcs_rise),
        cmocka_unit_test(refreshing_as_it_pays_catches_up),
        cmocka_unit_test(a_world_goes_on_with_a_table_that_is_behind),
        cmocka_unit_test(copies_and_other_metrics_remember_that_there_was_a_past),
        cmocka_unit_test(a_cell_that_opened_is_not_blocked_to_rows_that_wait),
        cmocka_unit_test(a_table_of_a_map_that_edits_cannot_make_is_refused),
        cmocka_unit_test(a_table_of_a_graph_with_other_arcs_is_refused),
        cmocka_unit_test(a_table_of_other_cells_is_refused_by_a_map_that_knows_its_past),
    };
    return cmocka_run_group_tests_name("behind", tests, NULL, NULL);
}
