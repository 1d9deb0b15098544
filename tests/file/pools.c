/* Work on the threads of a caller gives what it gives on threads of the library: builds with every
 * placement, files, loads, checks and batches, on every kind of map, whatever the pool does with
 * the jobs. Run under the thread sanitizer as well. */
#include <stdatomic.h>

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/small_pool.h"
#include "support/twin.h"

enum { ROWS = 6, CANDIDATES = 40, QUERIES = 70, SIDE = 16, THREADS = 4, GRAPHS = 10, ROUNDS = 1 };

/* All that comes out of the work on a map. */
typedef struct results {
    uint8_t *saved, *built;
    size_t saved_size, built_size;
    cairn_cost costs[QUERIES];
    uint64_t expanded;
} results;

static void ask_all(const cairn_map *map, const cairn_table *table, uint64_t seed, results *found)
{
    cairn_query queries[QUERIES];
    cairn_batch *batch;
    dice luck = {seed};
    for (size_t i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_below(&luck, cairn_map_node_count(map));
        queries[i] = (cairn_query){.start = start,
                                   .goal = dice_below(&luck, cairn_map_node_count(map))};
    }
    assert_int_equal(cairn_search_batch(map, table, queries, QUERIES, NULL, THREADS, &batch),
                     CAIRN_OK);
    for (size_t i = 0; i < QUERIES; i++) {
        found->costs[i] = cairn_batch_paths(batch)[i].cost;
        found->expanded += cairn_batch_paths(batch)[i].expanded;
    }
    cairn_batch_free(batch);
}

/* What was saved is loaded again, on the threads of the pool or on others. */
static void load(const results *found, const cairn_pool *pool, uint64_t seed, results *again)
{
    const cairn_load_options options = {
        .size = sizeof options, .thread_count = THREADS, .pool = pool};
    const cairn_save_options save = {.size = sizeof save, .thread_count = THREADS};
    cairn_map *map;
    cairn_table *table;
    *again = (results){0};
    assert_int_equal(
        cairn_load_bytes(found->saved, found->saved_size, &options, &map, &table, NULL), CAIRN_OK);
    ask_all(map, table, seed, again);
    assert_int_equal(cairn_save_bytes(map, table, &save, &again->saved, &again->saved_size),
                     CAIRN_OK);
    assert_int_equal(again->saved_size, found->saved_size);
    assert_memory_equal(again->saved, found->saved, found->saved_size);
    assert_int_equal(again->expanded, found->expanded);
    cairn_bytes_free(map, again->saved);
    cairn_table_free(table);
    cairn_map_free(map);
}

static results work_on(cairn_map *map, const cairn_pool *pool, uint64_t seed, const char *path)
{
    const cairn_build_options build = {.size = sizeof build,
                                       .landmark_count = ROWS,
                                       .candidate_count = CANDIDATES,
                                       .thread_count = THREADS,
                                       .seed = seed,
                                       .placement = seed % 3 == 0   ? CAIRN_PLACE_GREEDY
                                                    : seed % 3 == 1 ? CAIRN_PLACE_REFINED
                                                                    : CAIRN_PLACE_AUTO,
                                       .step_metric = seed % 5 == 4 ? (cairn_metric){1, 1}
                                                                    : (cairn_metric){0, 0}};
    const cairn_save_options save = {.size = sizeof save, .thread_count = THREADS};
    results found = {0}, again;
    cairn_table *table;

    cairn_map_use_pool(map, pool);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, THREADS, NULL), CAIRN_OK);
    uint8_t *bytes;
    assert_int_equal(cairn_save_bytes(map, table, &save, &bytes, &found.saved_size), CAIRN_OK);
    found.saved = malloc(found.saved_size);
    memcpy(found.saved, bytes, found.saved_size);
    cairn_bytes_free(map, bytes);
    ask_all(map, table, seed, &found);
    assert_int_equal(cairn_build_file(map, path, &build, &save, NULL), CAIRN_OK);
    const held_file built = read_file(path);
    found.built = built.data;
    found.built_size = built.size;
    cairn_table_free(table);
    load(&found, pool, seed, &again);
    return found;
}

static void drop(results *found)
{
    free(found->saved);
    free(found->built);
}

static void assert_same(const results *found, const results *expected)
{
    assert_int_equal(found->saved_size, expected->saved_size);
    assert_memory_equal(found->saved, expected->saved, expected->saved_size);
    assert_int_equal(found->built_size, expected->built_size);
    assert_memory_equal(found->built, expected->built, expected->built_size);
    assert_memory_equal(found->costs, expected->costs, sizeof expected->costs);
    assert_int_equal(found->expanded, expected->expanded);
}

static void compare_with(pool_kind kind, twin *both, uint64_t seed, const results *expected,
                         const char *path)
{
    small_pool *pool = small_pool_new(kind);
    const cairn_pool by = small_pool_for(pool);
    results found = work_on(both->map, &by, seed, path);
    assert_same(&found, expected);
    assert_true(small_pool_runs(pool) > 5);
    assert_int_equal(small_pool_jobs(pool) > 0, kind != POOL_NONE);
    drop(&found);
    small_pool_free(pool);
}

static void compare_pools(twin *both, uint64_t seed)
{
    char *path = scratch_file("table.cairn");
    results expected = work_on(both->map, NULL, seed, path);
    compare_with(POOL_THREADS, both, seed, &expected, path);
    compare_with((pool_kind)(seed % POOL_KINDS), both, seed, &expected, path);
    drop(&expected);
    scratch_remove(path);
}

static void ask_two(const cairn_map *map)
{
    const cairn_query queries[64 * 2] = {{.start = 0}};
    cairn_batch *batch;
    assert_int_equal(cairn_search_batch(map, NULL, queries, COUNT_OF(queries), NULL, 2, &batch),
                     CAIRN_OK);
    cairn_batch_free(batch);
}

/* What is made of a map works on its pool, until it is given another. */
static void assert_pool_of_map(cairn_map *map, cairn_map *made, const small_pool *pool)
{
    const unsigned runs = small_pool_runs(pool);
    ask_two(made);
    assert_int_equal(small_pool_runs(pool), runs + 1);
    cairn_map_use_pool(made, NULL);
    ask_two(made);
    assert_int_equal(small_pool_runs(pool), runs + 1);
    ask_two(map);
    assert_int_equal(small_pool_runs(pool), runs + 2);
    cairn_map_free(made);
}

static void copies_and_maps_for_units_have_the_pool_of_their_map(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ISLANDS, 20, 20, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *made;
    small_pool *pool = small_pool_new(POOL_THREADS);
    const cairn_pool by = small_pool_for(pool);
    cairn_map_use_pool(map, &by);
    assert_int_equal(cairn_map_clone(map, &made), CAIRN_OK);
    assert_pool_of_map(map, made, pool);
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &made), CAIRN_OK);
    assert_pool_of_map(map, made, pool);
    cairn_map_free(map);
    picture_free(&drawn);
    small_pool_free(pool);
}

static void results_on_a_pool_are_the_same_on_every_kind_of_map(void **state)
{
    (void)state;
    unsigned number = MAP_KINDS / 2; /* a third of the kinds under sanitizers */
    for (uint64_t seed = 0; seed < seeds_to(ROUNDS); seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++) {
                if (is_left_out(number++))
                    continue;
                twin both = twin_sized(seed * 5 + kind, (oracle_rule)rule, (terrain_kind)kind,
                                       fixture_metrics[number % FIXTURE_METRICS], SIDE, SIDE);
                compare_pools(&both, number);
                twin_free(&both);
            }
        }
    }
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed++) {
        if (seed > 1 && is_left_out(number++))
            continue;
        twin both = twin_graph(seed, 60, 200, seed % 2, seed % 3);
        compare_pools(&both, seed);
        twin_free(&both);
    }
}

/* ---------------------------------------------------------------------------- bad endings -- */

/* Never called by two threads at once. */
typedef struct reporter {
    atomic_int inside;
    atomic_int met;
    unsigned calls;
    unsigned stop_at;
} reporter;

static bool report(void *context, const char *stage, uint64_t done, uint64_t total)
{
    reporter *self = context;
    (void)stage, (void)done, (void)total;
    if (atomic_fetch_add(&self->inside, 1))
        atomic_fetch_add(&self->met, 1);
    const bool goes_on = ++self->calls != self->stop_at;
    atomic_fetch_sub(&self->inside, 1);
    return goes_on;
}

static cairn_status build_watched(cairn_map *map, const char *path, reporter *by)
{
    const cairn_progress progress = {report, by};
    const cairn_build_options build = {.size = sizeof build,
                                       .landmark_count = ROWS,
                                       .candidate_count = CANDIDATES,
                                       .thread_count = THREADS,
                                       .placement = CAIRN_PLACE_REFINED,
                                       .progress = &progress};
    return cairn_build_file(map, path, &build, NULL, NULL);
}

static void work_on_a_pool_is_cancelled_wherever_it_is(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    for (pool_kind kind = 0; kind < POOL_KINDS; kind++) {
        small_pool *pool = small_pool_new(kind);
        const cairn_pool by = small_pool_for(pool);
        picture drawn = random_map(MAP_ISLANDS, 70, 40, 3);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_map_use_pool(map, &by);
        reporter all = {0};
        assert_int_equal(build_watched(map, path, &all), CAIRN_OK);
        assert_int_equal(all.met, 0);
        for (unsigned at = 1; at <= all.calls; at += 1 + at / 4) {
            reporter some = {.stop_at = at};
            const cairn_status status = build_watched(map, path, &some);
            assert_int_equal(status, some.calls < at ? CAIRN_OK : CAIRN_E_CANCELLED);
            assert_int_equal(some.met, 0);
        }
        cairn_map_free(map);
        picture_free(&drawn);
        small_pool_free(pool);
    }
    scratch_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_on_a_pool_are_the_same_on_every_kind_of_map),
        cmocka_unit_test(copies_and_maps_for_units_have_the_pool_of_their_map),
        cmocka_unit_test(work_on_a_pool_is_cancelled_wherever_it_is),
    };
    return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
