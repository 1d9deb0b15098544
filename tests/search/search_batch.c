/* Many queries at once, and one search again and again. */
#include <stdatomic.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { QUERIES = 300, CALM_RUNS = 40 };

static cairn_query *random_queries(const picture *drawn, dice *luck)
{
    cairn_query *queries = calloc(QUERIES, sizeof *queries);
    for (size_t i = 0; i < QUERIES; i++) {
        queries[i].start = dice_open_cell(luck, drawn);
        queries[i].goal = dice_open_cell(luck, drawn);
    }
    return queries;
}

static void assert_same_path(const cairn_path *a, const cairn_path *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->cost, b->cost);
    assert_int_equal(a->expanded, b->expanded);
    assert_int_equal(a->space, b->space);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->corner_count, b->corner_count);
    if (a->node_count)
        assert_memory_equal(a->nodes, b->nodes, a->node_count * sizeof *a->nodes);
    if (a->corner_count)
        assert_memory_equal(a->corners, b->corners, a->corner_count * sizeof *a->corners);
}

static void a_batch_gives_what_single_runs_give_in_order_on_any_number_of_threads(void **state)
{
    (void)state;
    dice luck = {7};
    picture drawn = random_map(MAP_CAVE, 90, 70, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 6);
    cairn_query *queries = random_queries(&drawn, &luck);
    for (uint32_t threads = 0; threads <= 5; threads++) {
        for (int space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
            cairn_search_options options = {
                .size = sizeof options, .space = (cairn_space)space, .form = threads % 2};
            cairn_search *search;
            cairn_batch *batch;
            assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
            assert_int_equal(
                cairn_search_batch(map, table, queries, QUERIES, &options, threads, &batch),
                CAIRN_OK);
            for (size_t i = 0; i < QUERIES; i++) {
                cairn_path path;
                assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                                 CAIRN_OK);
                assert_same_path(&path, &cairn_batch_paths(batch)[i]);
            }
            cairn_batch_free(batch);
            cairn_search_free(search);
        }
    }
    free(queries);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* ------------------------------------------------------------------------ maps of every kind -- */

enum { LIVES = 2 * STORM_KINDS, FEW = 50 };

static cairn_search_options any_options(dice *luck)
{
    return (cairn_search_options){.size = sizeof(cairn_search_options),
                                  .space = (cairn_space)dice_below(luck, CAIRN_SPACE_JUMP + 1),
                                  .form = (cairn_form)dice_below(luck, CAIRN_FORM_NONE + 1),
                                  .expansion_limit = dice_below(luck, 3) ? 0 : 4,
                                  .weight = dice_below(luck, 3) ? 0 : 1700,
                                  .ties = (cairn_ties)dice_below(luck, 3),
                                  .nearest = dice_below(luck, 2),
                                  .never_reopen = dice_below(luck, 3) == 0};
}

/* Of cells or of corners, which lacks the edits that are made then. */
static cairn_table *stale_table(twin *both, dice *luck)
{
    cairn_build_options options = {.landmark_count = 1 + dice_below(luck, 6), .thread_count = 1};
    if (dice_below(luck, 2))
        options.resident = CAIRN_RESIDENT_CORNERS;
    cairn_table *table = table_suiting(both->map, options);
    storm_edit_often(both, luck, dice_below(luck, 3));
    return table;
}

/* Blocked cells and nodes without a path are among the ends. */
static void assert_batch(const twin *both, const cairn_table *table, dice *luck)
{
    const cairn_search_options options = any_options(luck);
    const uint32_t node_count = cairn_map_node_count(both->map);
    cairn_query queries[FEW] = {{0}};
    cairn_search *search;
    cairn_batch *batch;

    for (size_t i = 0; i < FEW; i++) {
        queries[i].start = dice_below(luck, node_count);
        queries[i].goal = dice_below(luck, node_count);
    }
    assert_int_equal(cairn_search_batch(both->map, table, queries, FEW, &options,
                                        1 + dice_below(luck, 4), &batch),
                     CAIRN_OK);
    assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
    for (size_t i = 0; i < FEW; i++) {
        const cairn_path *one = &cairn_batch_paths(batch)[i];
        cairn_path path;
        assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                         CAIRN_OK);
        assert_same_path(&path, one);
        assert_int_equal(path.state, one->state);
        assert_int_equal(path.row_count, one->row_count);
        assert_int_equal(path.guarantee, one->guarantee);
        assert_true(path.length == one->length);
    }
    cairn_batch_free(batch);
    cairn_search_free(search);
}

static void a_batch_gives_what_single_runs_give_on_maps_of_every_kind(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(LIVES); seed = seed_after(seed)) {
        dice luck = {seed * 31 + 1};
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        cairn_table *table = stale_table(&both, &luck);
        for (unsigned round = 0; round < 3; round++)
            assert_batch(&both, table, &luck);
        cairn_table_free(table);
        twin_free(&both);
    }
}

static void a_batch_with_a_wrong_query_fails_as_a_whole(void **state)
{
    (void)state;
    picture drawn = picture_filled(20, 20, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_query queries[40] = {{0}};
    cairn_batch *batch;
    queries[33].goal = 400;
    assert_int_equal(cairn_search_batch(map, NULL, queries, 40, NULL, 2, &batch), CAIRN_E_ARGUMENT);
    assert_null(batch);
    assert_int_equal(cairn_search_batch(map, NULL, queries, 33, NULL, 2, &batch), CAIRN_OK);
    assert_int_equal(cairn_batch_count(batch), 33);
    cairn_batch_free(batch);
    assert_int_equal(cairn_search_batch(map, NULL, NULL, 0, NULL, 2, &batch), CAIRN_OK);
    assert_int_equal(cairn_batch_count(batch), 0);
    cairn_batch_free(batch);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_batch_without_memory_leaves_nothing(void **state)
{
    (void)state;
    dice luck = {8};
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = random_map(MAP_ROOMS, 40, 40, 1);
    cairn_query *queries = random_queries(&drawn, &luck);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    bool struck = true;
    for (size_t n = 1; struck; n += 1 + n / 8) {
        cairn_batch *batch;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_batch(map, NULL, queries, QUERIES, NULL, 1, &batch);
        struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_batch_free(batch);
    }
    failing_allocator_arm(&failing, 0);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    free(queries);
    picture_free(&drawn);
}

/* The second time over the same queries, everything that a run needs is there. */
static void a_warm_search_allocates_nothing(void **state)
{
    (void)state;
    dice luck = {9};
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = random_map(MAP_CAVE, 120, 100, 5);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = table_of(map, 4);
    cairn_query *queries = random_queries(&drawn, &luck);
    for (int kind = 0; kind < 6; kind++) {
        cairn_search_options options = {.size = sizeof options, .space = (cairn_space)(kind / 2)};
        cairn_search *search;
        cairn_path path;
        assert_int_equal(cairn_search_new(map, kind % 2 ? table : NULL, &options, &search),
                         CAIRN_OK);
        for (size_t i = 0; i < QUERIES; i++)
            cairn_search_run(search, queries[i].start, queries[i].goal, &path);
        failing_allocator_arm(&failing, 0);
        size_t before = atomic_load(&failing.outstanding);
        for (size_t i = 0; i < CALM_RUNS * QUERIES; i++)
            cairn_search_run(search, queries[i % QUERIES].start, queries[i % QUERIES].goal, &path);
        assert_int_equal(atomic_load(&failing.calls), 0);
        assert_int_equal(atomic_load(&failing.outstanding), before);
        cairn_search_free(search);
    }
    free(queries);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_gives_what_single_runs_give_in_order_on_any_number_of_threads),
        cmocka_unit_test(a_batch_gives_what_single_runs_give_on_maps_of_every_kind),
        cmocka_unit_test(a_batch_with_a_wrong_query_fails_as_a_whole),
        cmocka_unit_test(a_batch_without_memory_leaves_nothing),
        cmocka_unit_test(a_warm_search_allocates_nothing),
    };
    return cmocka_run_group_tests_name("search_batch", tests, NULL, NULL);
}
