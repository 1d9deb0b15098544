/* Placements: what each promises on any map. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"

enum { MAPS = 4 * MAP_KINDS };

static cairn_table *placed(cairn_map *map, cairn_placement placement, uint32_t rows,
                           uint32_t threads, uint64_t seed)
{
    return table_built(map, (cairn_build_options){.landmark_count = rows,
                                                  .thread_count = threads,
                                                  .seed = seed,
                                                  .placement = placement,
                                                  .candidate_count = 24});
}

/* The first row has exactly one landmark in each component. */
static void assert_serves_every_component(const picture *drawn, const cairn_table *table)
{
    uint32_t component_count;
    uint32_t *component = oracle_components(drawn, &component_count);
    bool *served = calloc(component_count + 1u, sizeof *served);
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, 0, &landmarks);

    assert_int_equal(count, component_count);
    for (size_t i = 0; i < count; i++) {
        assert_false(served[component[landmarks[i]]]);
        served[component[landmarks[i]]] = true;
    }
    free(served);
    free(component);
}

static void every_placement_serves_every_component_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        for (cairn_placement kind = CAIRN_PLACE_AUTO; kind <= CAIRN_PLACE_LIST; kind++) {
            cairn_table *table = placed(map, kind, 5, 1, seed);
            assert_serves_every_component(&drawn, table);
            assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
            cairn_table_free(table);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void one_seed_gives_one_placement_at_any_thread_count(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[0]);
        for (cairn_placement kind = CAIRN_PLACE_AUTO; kind <= CAIRN_PLACE_REFINED; kind++) {
            cairn_table *one = placed(map, kind, 6, 1, seed);
            cairn_table *three = placed(map, kind, 6, 3, seed);
            assert_same_landmarks(one, three);
            cairn_table_free(one);
            cairn_table_free(three);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static bool has_landmark(const cairn_table *table, uint32_t row, cairn_node node)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    for (size_t i = 0; i < count; i++)
        if (landmarks[i] == node)
            return true;
    return false;
}

static void listed_cells_fill_the_rows_of_their_component_in_order(void **state)
{
    (void)state;
    picture drawn = PICTURE("....@...", "....@...", "....@...");
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    const cairn_node list[] = {9, 7, 0, 18};
    cairn_build_options options = {.size = sizeof options,
                                   .placement = CAIRN_PLACE_LIST,
                                   .landmark_count = 4,
                                   .listed = list,
                                   .listed_count = 4};
    cairn_table *table;

    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_true(has_landmark(table, 0, 9) && has_landmark(table, 0, 7));
    assert_true(has_landmark(table, 1, 0));
    assert_true(has_landmark(table, 2, 18));
    /* The right part has one listed cell, and goes on by itself. */
    const cairn_node *landmarks;
    assert_int_equal(cairn_table_landmarks(table, 1, &landmarks), 2);
    cairn_table_free(table);

    options.landmark_count = 0;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_table_row_count(table), 4);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_listed_cell_that_is_blocked_or_nowhere_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@", "...");
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    for (cairn_node node = 2; node <= 6; node += 4) {
        cairn_build_options options = {.size = sizeof options,
                                       .placement = CAIRN_PLACE_LIST,
                                       .listed = &node,
                                       .listed_count = 1};
        cairn_table *table;
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_E_ARGUMENT);
        assert_null(table);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

static uint64_t expanded_in_all(const cairn_map *map, const cairn_table *table)
{
    cairn_search *search;
    cairn_path path;
    dice luck = {99};
    uint64_t sum = 0;

    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    for (int i = 0; i < 400; i++) {
        cairn_node start = dice_below(&luck, cairn_map_node_count(map));
        cairn_node goal = dice_below(&luck, cairn_map_node_count(map));
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        sum += path.expanded;
    }
    cairn_search_free(search);
    return sum;
}

/* Greedy coverage of what A* must expand: on maps where there is something to choose, it beats
 * chance clearly. */
static void greedy_landmarks_expand_less_than_random_ones(void **state)
{
    (void)state;
    static const map_kind kinds[] = {MAP_CAVE, MAP_ROOMS, MAP_MAZE};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        picture drawn = random_map(kinds[i], 64, 64, 7);
        cairn_map *map = map_of(&drawn, fixture_metrics[0]);
        cairn_table *random = placed(map, CAIRN_PLACE_RANDOM, 4, 1, 3);
        cairn_table *greedy = placed(map, CAIRN_PLACE_GREEDY, 4, 1, 3);
        assert_true(expanded_in_all(map, greedy) < expanded_in_all(map, random));
        cairn_table_free(random);
        cairn_table_free(greedy);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_placement_serves_every_component_exactly),
        cmocka_unit_test(one_seed_gives_one_placement_at_any_thread_count),
        cmocka_unit_test(listed_cells_fill_the_rows_of_their_component_in_order),
        cmocka_unit_test(a_listed_cell_that_is_blocked_or_nowhere_is_refused),
        cmocka_unit_test(greedy_landmarks_expand_less_than_random_ones),
    };
    return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
