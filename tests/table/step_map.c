/* Tables that count steps: exact in what they count, and safe bounds on any map of those steps. */
#include "table/table_state.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { MAPS = MAP_KINDS, ROWS = 3 };

static const cairn_metric counts[] = {{1, 1}, {5, 7}, {1, 2}, {408, 577}};
static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};

static cairn_table *step_table(const twin *both, cairn_metric count, uint64_t seed)
{
    cairn_table *table = table_built(both->map, (cairn_build_options){.landmark_count = ROWS,
                                                                      .thread_count = 1,
                                                                      .seed = seed,
                                                                      .step_metric = count});
    assert_int_equal(cairn_table_metric(table).straight, count.straight);
    assert_int_equal(cairn_table_metric(table).diagonal, count.diagonal);
    return table;
}

static void assert_rows(const twin *both, const cairn_map *map, const cairn_table *table)
{
    const cairn_map *row_map;
    oracle_arcs arcs = twin_step_map_arcs(both, cairn_table_metric(table));

    assert_int_equal(cn_table_row_map(table, map, &row_map), CAIRN_OK);
    assert_int_equal(table_check(table, row_map), CAIRN_OK);
    assert_int_equal(cairn_table_row_count(table), cn_map_is_directed(row_map) ? 2 * ROWS : ROWS);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(&arcs, map, table, row);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    oracle_arcs_free(&arcs);
}

/* Through the file and back, with its map and without. */
static void assert_file(const twin *both, const cairn_table *table)
{
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_load_options load = {.size = sizeof load, .map = both->map};
    cairn_table *loaded;
    cairn_map *map;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(both->map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    cairn_bytes_free(both->map, bytes);
    assert_true(cairn_map_hash(map) == cairn_map_hash(both->map));
    assert_int_equal(cairn_table_counts_steps(loaded), cairn_table_counts_steps(table));
    assert_rows(both, map, loaded);
    cairn_table_free(loaded);
    cairn_map_free(map);

    assert_int_equal(cairn_save_bytes(both->map, table, &save, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &loaded, NULL), CAIRN_OK);
    cairn_bytes_free(both->map, bytes);
    assert_rows(both, both->map, loaded);
    cairn_table_free(loaded);
}

static void assert_step_table(const twin *both, cairn_metric count, uint64_t seed)
{
    cairn_table *table = step_table(both, count, seed);
    dice luck = {seed};
    assert_rows(both, both->map, table);
    assert_search(both, table, &luck);
    assert_file(both, table);
    cairn_table_free(table);
}

static void assert_step_tables(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    twin both = twin_of(seed, rule, kind, metrics[(seed + rule) % COUNT_OF(metrics)]);
    for (unsigned i = 0; i < COUNT_OF(counts); i++)
        assert_step_table(&both, counts[i], seed);
    twin_free(&both);
}

static void rows_hold_steps_and_searches_find_the_cheapest_paths(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), assert_step_tables);
}

static void arcs_of_graphs_count_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        assert_step_table(&both, (cairn_metric){1, 1}, seed);
        twin_free(&both);
    }
}

static void assert_edits(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed + 31 * rule + kind};
    twin both = twin_of(seed, rule, kind, (cairn_metric){10, 14});
    cairn_table *table = step_table(&both, counts[seed % 3], seed);

    edit_search_and_refresh(&both, table, &luck);
    assert_rows(&both, both.map, table);
    cairn_table_free(table);
    twin_free(&both);
}

static void step_tables_follow_edits(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), assert_edits);
}

/* Terrain that changes into other terrain changes no step: nothing is to be repaired. */
static void terrain_alone_leaves_step_tables_fresh(void **state)
{
    (void)state;
    twin both = twin_of(MAP_ALL_OPEN, ORACLE_8, TERRAIN_ENTERED, (cairn_metric){10, 14});
    cairn_table *table = step_table(&both, (cairn_metric){1, 1}, 0);
    cairn_edit edit = cairn_terrain(1, 1,
                                    both.drawn.letters[both.drawn.width + 1] == 'K' ? 'S' : 'K');
    uint64_t hash = cairn_map_hash(both.map);

    assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
    assert_true(cairn_map_hash(both.map) != hash);
    assert_int_equal(cairn_table_row_state(table, both.map, 0), CAIRN_ROW_FRESH);
    assert_int_equal(cairn_table_verify(table, both.map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    twin_free(&both);
}

/* A file without its map serves a map of the same steps, whatever they cost there. */
static void one_table_serves_every_map_of_its_steps(void **state)
{
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    dice luck = {1};
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin uniform = twin_of(seed, ORACLE_8, TERRAIN_UNIFORM, (cairn_metric){5, 7});
        twin marsh = twin_of(seed, ORACLE_8, TERRAIN_ENTERED, (cairn_metric){2378, 3363});
        twin other = twin_of(seed, ORACLE_8_ANY, TERRAIN_UNIFORM, (cairn_metric){5, 7});
        cairn_load_options load = {.size = sizeof load, .map = marsh.map};
        cairn_table *table = step_table(&uniform, (cairn_metric){1, 1}, seed), *loaded;
        uint8_t *bytes;
        size_t size;

        assert_int_equal(cairn_save_bytes(uniform.map, table, &save, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &loaded, NULL), CAIRN_OK);
        assert_rows(&marsh, marsh.map, loaded);
        assert_search(&marsh, loaded, &luck);
        cairn_table_free(loaded);
        load.map = other.map;
        assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &loaded, NULL),
                         CAIRN_E_MISMATCH);
        cairn_bytes_free(uniform.map, bytes);
        cairn_table_free(table);
        twin_free(&uniform);
        twin_free(&marsh);
        twin_free(&other);
    }
}

/* Edits made every arc cost what it counts: the file says so. */
static void a_graph_whose_arcs_came_to_cost_one_goes_through_a_file(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 7}, {1, 2, 1}, {2, 1, 1}};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = ROWS, .step_metric = {1, 1}};
    const cairn_edit edits[] = {cairn_arc_cost(0, 1, 1), cairn_arc_cost(1, 0, 1)};
    cairn_map *map, *loaded_map;
    cairn_table *table, *loaded;
    uint8_t *bytes;
    size_t size;
    (void)state;

    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, edits, COUNT_OF(edits)), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &loaded_map, &loaded, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_verify(loaded, loaded_map, 1, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_table_free(loaded);
    cairn_map_free(loaded_map);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* And before its table is built: the table counts no steps, as one that is loaded. */
static void a_graph_whose_arcs_came_to_cost_one_is_its_own_step_map(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 9}, {1, 2, 1}};
    const cairn_build_options options = {
        .size = sizeof options, .landmark_count = ROWS, .step_metric = {1, 1}};
    const cairn_edit to_one = cairn_arc_cost(0, 1, 1), to_five = cairn_arc_cost(0, 1, 5);
    cairn_map *map;
    cairn_table *table;
    (void)state;

    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &to_one, 1), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_false(cairn_table_counts_steps(table));
    assert_int_equal(cairn_map_edit(map, &to_five, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_cost(table, 0, 0) + cairn_table_cost(table, 0, 2), 6);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void assert_file_keeps_directions(const cairn_map *map, const cairn_table *table)
{
    cairn_map *copy, *loaded_map;
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;
    const cairn_edit edit = cairn_arc_cost(1, 0, 9);

    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &loaded_map, &loaded, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    assert_true(cairn_map_is_directed(loaded_map));
    assert_int_equal(cairn_table_row_count(loaded), cairn_table_row_count(table));
    assert_int_equal(cairn_table_counts_steps(loaded), cairn_table_counts_steps(table));
    assert_int_equal(cairn_table_verify(loaded, loaded_map, 1, NULL), CAIRN_OK);

    /* The arc in the other direction keeps its cost. */
    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    assert_int_equal(cairn_map_edit(copy, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_map_edit(loaded_map, &edit, 1), CAIRN_OK);
    assert_true(cairn_map_hash(copy) == cairn_map_hash(loaded_map));
    assert_int_equal(cairn_refresh_step(loaded, loaded_map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(loaded, loaded_map, 1, NULL), CAIRN_OK);
    cairn_table_free(loaded);
    cairn_map_free(loaded_map);
    cairn_map_free(copy);
}

/* Edits gave each arc the cost of its reverse: the graph is directed all the same. */
static void a_graph_that_edits_made_symmetric_stays_directed_in_its_file(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 1}, {1, 0, 7}, {1, 2, 1}, {2, 1, 1}};
    (void)state;
    for (cairn_cost cost = 1; cost <= 4; cost += 3) {
        const cairn_edit edits[] = {cairn_arc_cost(0, 1, cost), cairn_arc_cost(1, 0, cost)};
        for (uint32_t steps = 0; steps <= 1; steps++) {
            const cairn_build_options options = {
                .size = sizeof options, .landmark_count = ROWS, .step_metric = {steps, steps}};
            cairn_map *map;
            cairn_table *table;
            assert_int_equal(
                cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                CAIRN_OK);
            assert_int_equal(cairn_map_edit(map, edits, COUNT_OF(edits)), CAIRN_OK);
            assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
            assert_file_keeps_directions(map, table);
            cairn_table_free(table);
            cairn_map_free(map);
        }
    }
}

/* Copies follow edits of their own. */
static void copies_of_map_and_table_stand_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = twin_of(seed, ORACLE_8, TERRAIN_ENTERED, (cairn_metric){10, 14});
        cairn_table *table = step_table(&both, (cairn_metric){1, 1}, seed), *table_copy;
        cairn_map *map_copy;
        dice luck = {seed};

        assert_int_equal(cairn_map_clone(both.map, &map_copy), CAIRN_OK);
        assert_int_equal(cairn_table_clone(table, &table_copy), CAIRN_OK);
        assert_rows(&both, map_copy, table_copy);
        for (unsigned i = 0; i < 5; i++)
            twin_edit(&both, &luck);
        assert_int_equal(cairn_table_verify(table_copy, map_copy, 1, NULL), CAIRN_OK);
        assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_rows(&both, both.map, table);
        cairn_map_free(map_copy);
        cairn_table_free(table_copy);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* On open ground of random factors rows that count steps say less than the base heuristic, or
 * hardly more, and are left out. */
static void rows_of_steps_are_left_out_where_they_say_little(void **state)
{
    enum { WIDTH = 60, QUERIES = 20 };
    (void)state;
    for (unsigned kind = TERRAIN_ENTERED; kind <= TERRAIN_AVERAGE; kind++) {
        twin both = twin_sized(MAP_ALL_OPEN, ORACLE_8, (terrain_kind)kind, metrics[3], WIDTH,
                               WIDTH);
        cairn_table *table = step_table(&both, (cairn_metric){1, 1}, 0);
        cairn_search *search = search_with(both.map, table, (cairn_search_options){0});
        cairn_search *bare = search_with(both.map, NULL, (cairn_search_options){0});
        dice luck = {kind};
        for (unsigned i = 0; i < QUERIES; i++) {
            const cairn_node start = dice_below(&luck, WIDTH * WIDTH);
            const cairn_node goal = dice_below(&luck, WIDTH * WIDTH);
            cairn_path path, other;
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
            assert_int_equal(cairn_search_run(bare, start, goal, &other), CAIRN_OK);
            assert_int_equal(path.cost, other.cost);
            assert_int_equal(path.expanded, other.expanded);
        }
        cairn_search_free(search);
        cairn_search_free(bare);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* In a corridor that winds they say much more, on the slopes of a hill as anywhere. */
static void rows_of_steps_serve_where_ways_wind(void **state)
{
    enum { WIDTH = 40, BEND = 4 };
    (void)state;
    picture drawn = picture_filled(WIDTH, WIDTH, '.');
    uint16_t heights[WIDTH * WIDTH];
    const cairn_heights hill = {WIDTH, WIDTH, heights, 500, 500};
    const cairn_map_options options = {.size = sizeof options, .heights = &hill};
    cairn_map *map;
    cairn_path path, other;
    for (uint32_t i = 0; i < WIDTH * WIDTH; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH;
        heights[i] = (uint16_t)(x / BEND);
        if (x % BEND == BEND - 1 && y != (x / BEND % 2 ? 0 : WIDTH - 1))
            drawn.letters[i] = '@';
    }
    assert_int_equal(cairn_map_from_letters(WIDTH, WIDTH, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    cairn_table *table =
        table_built(map, (cairn_build_options){.landmark_count = ROWS, .step_metric = {1, 1}});
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    cairn_search *bare = search_with(map, NULL, (cairn_search_options){0});
    const cairn_node start = WIDTH / 2 * WIDTH + WIDTH / 2, goal = start + 2 * BEND;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(bare, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.cost, other.cost);
    assert_true(path.row_count > 0 && path.expanded < other.expanded);
    cairn_search_free(search);
    cairn_search_free(bare);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void wrong_wishes_are_refused(void **state)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = 1};
    twin both = twin_of(MAP_ALL_OPEN, ORACLE_8, TERRAIN_UNIFORM, (cairn_metric){10, 14});
    twin graph = twin_graph(1, 10, 20, false, false);
    cairn_table *table;

    (void)state;
    options.step_metric = (cairn_metric){2, 1};
    assert_int_equal(cairn_table_build(both.map, &options, &table), CAIRN_E_ARGUMENT);
    options.step_metric = (cairn_metric){0, 1};
    assert_int_equal(cairn_table_build(both.map, &options, &table), CAIRN_E_ARGUMENT);
    options.step_metric = (cairn_metric){5, 7};
    assert_int_equal(cairn_table_build(graph.map, &options, &table), CAIRN_E_ARGUMENT);
    options.metric = CAIRN_METRIC_COMPACT;
    assert_int_equal(cairn_table_build(both.map, &options, &table), CAIRN_E_ARGUMENT);
    assert_null(table);

    /* What the map costs anyhow is an ordinary table. */
    options.metric = CAIRN_METRIC_OF_MAP;
    options.step_metric = (cairn_metric){10, 14};
    assert_int_equal(cairn_table_build(both.map, &options, &table), CAIRN_OK);
    assert_false(cairn_table_counts_steps(table));
    cairn_table_free(table);
    twin_free(&both);
    twin_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_hold_steps_and_searches_find_the_cheapest_paths),
        cmocka_unit_test(arcs_of_graphs_count_one),
        cmocka_unit_test(step_tables_follow_edits),
        cmocka_unit_test(terrain_alone_leaves_step_tables_fresh),
        cmocka_unit_test(one_table_serves_every_map_of_its_steps),
        cmocka_unit_test(a_graph_whose_arcs_came_to_cost_one_goes_through_a_file),
        cmocka_unit_test(a_graph_whose_arcs_came_to_cost_one_is_its_own_step_map),
        cmocka_unit_test(a_graph_that_edits_made_symmetric_stays_directed_in_its_file),
        cmocka_unit_test(copies_of_map_and_table_stand_alone),
        cmocka_unit_test(rows_of_steps_are_left_out_where_they_say_little),
        cmocka_unit_test(rows_of_steps_serve_where_ways_wind),
        cmocka_unit_test(wrong_wishes_are_refused),
    };
    return cmocka_run_group_tests_name("step_map", tests, NULL, NULL);
}
