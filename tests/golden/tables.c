/* The decoded tables of the project's maps, pinned: every landmark and every entry, in one hash
 * each that every vector, thread count and flood engine must give. A change of these numbers is a
 * change of every table that users build. */
#include "flood/flood_engine.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/table_hash.h"

enum { ROWS = 6, ENGINES = 4, CANDIDATES = 32 };

static const char *const vectors[] = {"off", "avx2", "avx512"};

static const cn_flood_engine *const engines[ENGINES] = {&cn_flood_tiles, &cn_flood_lists,
                                                        &cn_flood_trees, &cn_flood_bucket};

typedef struct golden {
    const char *map;
    uint64_t octile;
    uint64_t compact;
} golden;

static const golden pinned[] = {
    {"cave", UINT64_C(0xcac18dc9916b0692), UINT64_C(0x214ee6636ec2e6b3)},
    {"corridors", UINT64_C(0x328d21a30166cddc), UINT64_C(0x56619fcb0b335cd1)},
    {"field", UINT64_C(0xe1484f054af24975), UINT64_C(0x0b08d71c5ebc8812)},
    {"maze", UINT64_C(0x007c2f6a72e0bcaf), UINT64_C(0x067f35a3ace3fb31)},
    {"rooms", UINT64_C(0x5fe3007628d34ef9), UINT64_C(0xeb363543f107098d)},
    {"scatter", UINT64_C(0x3344447499fb9f79), UINT64_C(0xc1f1663aec495480)},
    {"town", UINT64_C(0xeb948eaa0868f595), UINT64_C(0x9c9ac66dba772735)},
};

/* Through a file and back, so that the codec is pinned to the same numbers. */
static uint64_t hash_through_a_file(const cairn_map *map, const cairn_table *table,
                                    uint32_t threads)
{
    cairn_save_options saving = {.size = sizeof saving, .thread_count = threads};
    cairn_load_options loading = {.size = sizeof loading, .thread_count = threads};
    uint8_t *bytes;
    size_t size;
    cairn_map *map_again;
    cairn_table *again;
    assert_int_equal(cairn_save_bytes(map, table, &saving, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &loading, &map_again, &again, NULL), CAIRN_OK);
    uint64_t hash = table_hash(again, map_again);
    cairn_table_free(again);
    cairn_map_free(map_again);
    cairn_bytes_free(map, bytes);
    return hash;
}

static cairn_map *load(const char *name, cairn_metric metric)
{
    char path[4096];
    cairn_map_options options = {.size = sizeof options, .metric = metric};
    cairn_map *map;
    snprintf(path, sizeof path, "%s/data/maps/%s.map", CAIRN_TEST_SOURCE_DIR, name);
    assert_int_equal(cairn_map_load(path, &options, &map, NULL), CAIRN_OK);
    return map;
}

static cairn_table *build(cairn_map *map, cairn_metric_choice metric, uint32_t threads)
{
    return table_built(map, (cairn_build_options){
                                .landmark_count = ROWS, .thread_count = threads, .metric = metric});
}

static uint64_t build_and_hash(const char *name, cairn_metric_choice metric, uint32_t threads)
{
    cairn_map *map = load(name, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, metric, threads);
    uint64_t hash = table_hash(table, map);
    assert_true(hash == hash_through_a_file(map, table, threads));
    cairn_table_free(table);
    cairn_map_free(map);
    return hash;
}

/* How many thread counts and vectors give another table; each is shown, so that a wanted change
 * is one run. */
static int differing(const char *name, cairn_metric_choice metric, uint64_t expected)
{
    static const uint32_t threads[] = {1, 2, 5};
    int count = 0;
    for (uint32_t i = 0; i < 9; i++) {
        setenv("CAIRN_SIMD", vectors[i / 3], 1);
        uint64_t hash = build_and_hash(name, metric, threads[i % 3]);
        if (hash == expected)
            continue;
        print_error("%s, metric choice %d, %u threads, %s: 0x%016llx\n", name, (int)metric,
                    threads[i % 3], vectors[i / 3], (unsigned long long)hash);
        count++;
    }
    return count;
}

/* The landmarks of every other placement. */
static void placements_give_the_pinned_tables(void **state)
{
    (void)state;
    static const struct {
        cairn_placement placement;
        uint64_t hash;
    } placements[] = {
        {CAIRN_PLACE_RANDOM, UINT64_C(0xccb6b563f6c27864)},
        {CAIRN_PLACE_BORDER, UINT64_C(0x425e14dc1de1b161)},
        {CAIRN_PLACE_AVOID, UINT64_C(0x9d75c3f63ab18b65)},
        {CAIRN_PLACE_GREEDY, UINT64_C(0x3890105f52d584d9)},
        {CAIRN_PLACE_REFINED, UINT64_C(0x3890105f52d584d9)},
    };
    int wrong = 0;

    for (size_t i = 0; i < COUNT_OF(placements); i++) {
        cairn_map *map = load("rooms", CAIRN_METRIC_OCTILE);
        cairn_table *table = table_built(map,
                                         (cairn_build_options){.landmark_count = ROWS,
                                                               .thread_count = 2,
                                                               .placement = placements[i].placement,
                                                               .candidate_count = CANDIDATES});
        const uint64_t hash = table_hash(table, map);
        if (hash != placements[i].hash) {
            print_error("placement %d: 0x%016llx\n", (int)placements[i].placement,
                        (unsigned long long)hash);
            wrong++;
        }
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_int_equal(wrong, 0);
}

static void put_row(const cairn_map *map, const cn_plane *plane, cairn_cost *costs)
{
    uint32_t width = cairn_map_width(map);
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        costs[node] = cn_plane_at(plane, node % width, node / width);
}

/* The entries as this engine gives them. False where engine and map, or machine, do not fit. */
static bool flood_rows(const cairn_map *map, const cairn_table *table,
                       const cn_flood_engine *engine, cairn_cost *costs)
{
    unsigned bits = cairn_table_entry_bits(table);
    cn_flooder *flooder;
    if (engine == &cn_flood_tiles && !cn_flood_tiles_exist(bits))
        return false;
    cairn_status opened = cn_flooder_open(map, bits, engine, &flooder);
    if (engine == &cn_flood_trees && opened == CAIRN_E_ARGUMENT)
        return false;
    assert_int_equal(opened, CAIRN_OK);
    for (uint32_t row = 0; row < ROWS; row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        cn_plane plane;
        assert_int_equal(cn_flooder_run(flooder, landmarks, count, &plane), CAIRN_OK);
        put_row(map, &plane, costs + (size_t)row * cairn_map_node_count(map));
    }
    cn_flooder_free(flooder);
    return true;
}

/* How many engines, floods from the landmarks of a table, give other entries than the pinned ones.
 * `ran` counts those that took part, by engine. */
static int engines_that_differ(const char *name, cairn_metric_choice metric, uint64_t expected,
                               size_t *ran)
{
    cairn_map *first = load(name, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(first, metric, 1);
    cairn_map *map = load(name, cairn_table_metric(table));
    cairn_cost *costs = malloc((size_t)ROWS * cairn_map_node_count(map) * sizeof *costs);
    int count = 0;
    assert_non_null(costs);
    for (size_t i = 0; i < ENGINES * COUNT_OF(vectors); i++) {
        const cn_flood_engine *engine = engines[i % ENGINES];
        setenv("CAIRN_SIMD", vectors[i / ENGINES], 1);
        if (!flood_rows(map, table, engine, costs))
            continue;
        ran[i % ENGINES]++;
        uint64_t hash = table_hash_with(table, map, costs);
        if (hash == expected)
            continue;
        print_error("%s, metric choice %d, %s, %s: 0x%016llx\n", name, (int)metric, engine->name,
                    vectors[i / ENGINES], (unsigned long long)hash);
        count++;
    }
    free(costs);
    cairn_map_free(map);
    cairn_table_free(table);
    cairn_map_free(first);
    return count;
}

static void tables_in_the_octile_metric_are_the_pinned_ones(void **state)
{
    (void)state;
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(pinned); i++)
        count += differing(pinned[i].map, CAIRN_METRIC_OF_MAP, pinned[i].octile);
    assert_int_equal(count, 0);
}

static void tables_in_the_compact_metric_are_the_pinned_ones(void **state)
{
    (void)state;
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(pinned); i++)
        count += differing(pinned[i].map, CAIRN_METRIC_COMPACT, pinned[i].compact);
    assert_int_equal(count, 0);
}

/* Each flood engine by itself, also where the library would take another. */
static void every_engine_floods_the_pinned_entries(void **state)
{
    (void)state;
    int count = 0;
    size_t ran[ENGINES] = {0};
    for (size_t i = 0; i < COUNT_OF(pinned); i++) {
        count += engines_that_differ(pinned[i].map, CAIRN_METRIC_OF_MAP, pinned[i].octile, ran);
        count += engines_that_differ(pinned[i].map, CAIRN_METRIC_COMPACT, pinned[i].compact, ran);
    }
    assert_int_equal(count, 0);
    for (size_t i = 0; i < ENGINES; i++)
        assert_true(ran[i] > 0 || (engines[i] == &cn_flood_tiles && !cn_flood_tiles_exist(32)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_in_the_octile_metric_are_the_pinned_ones),
        cmocka_unit_test(tables_in_the_compact_metric_are_the_pinned_ones),
        cmocka_unit_test(placements_give_the_pinned_tables),
        cmocka_unit_test(every_engine_floods_the_pinned_entries),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
