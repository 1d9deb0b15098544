/* The decoded tables of the project's maps, pinned: every landmark and every entry, in one hash
 * each. A change of these numbers is a change of every table that users build. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/table_hash.h"

enum { ROWS = 6 };

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

static uint64_t build_and_hash(const char *name, cairn_metric_choice metric, uint32_t threads)
{
    char path[4096];
    cairn_build_options options = {.size = sizeof options, .landmark_count = ROWS,
                                   .thread_count = threads, .metric = metric};
    cairn_map *map;
    cairn_table *table;
    snprintf(path, sizeof path, "%s/data/maps/%s.map", CAIRN_TEST_SOURCE_DIR, name);
    assert_int_equal(cairn_map_load(path, NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
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
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    int count = 0;
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t threads = i % 3 + 1;
        setenv("CAIRN_SIMD", vectors[i / 3], 1);
        uint64_t hash = build_and_hash(name, metric, threads);
        if (hash == expected)
            continue;
        print_error("%s, metric choice %d, %u threads, %s: 0x%016llx\n", name, (int)metric,
                    threads, vectors[i / 3], (unsigned long long)hash);
        count++;
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_in_the_octile_metric_are_the_pinned_ones),
        cmocka_unit_test(tables_in_the_compact_metric_are_the_pinned_ones),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
