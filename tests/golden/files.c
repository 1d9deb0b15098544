/* Files that earlier versions wrote, by the version of the format. They are never written again:
 * what could be read once can be read forever. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/table_hash.h"

typedef struct golden_file {
    const char *name;
    const char *map_name; /* a file with its map, where it has none; NULL where it has */
    uint64_t map_hash;
    uint64_t table_hash;
} golden_file;

/* Every codec, kind of map, kind of rows, coding of letters and width of entries. */
static const golden_file files[] = {
    {"1.0/raw.cairn", NULL, UINT64_C(0x6015c8c04bb8b1b6), UINT64_C(0xb13f36498d1f6656)},
    {"1.0/predictor.cairn", NULL, UINT64_C(0x6015c8c04bb8b1b6), UINT64_C(0xb13f36498d1f6656)},
    {"1.0/seeds-16.cairn", NULL, UINT64_C(0x31ec7c733949bcd6), UINT64_C(0x768d6eabd5d32e74)},
    {"1.0/seeds-32.cairn", NULL, UINT64_C(0x07cfd2d54f9eacd8), UINT64_C(0x247fd6530e78d5d3)},
    {"1.0/ruled-seeds-16.cairn", NULL, UINT64_C(0xb5c8d2ac49c13565), UINT64_C(0xde6bb7f65a78051e)},
    {"1.0/ruled-seeds-32.cairn", NULL, UINT64_C(0x485a02eebab5278f), UINT64_C(0x14f19032cf55ab37)},
    {"1.0/ruled-terrain.cairn", NULL, UINT64_C(0x40588baabd678886), UINT64_C(0x02dcda2a2e24915b)},
    {"1.0/ruled-directed.cairn", NULL, UINT64_C(0x59aedd28849a8ebe), UINT64_C(0xda7569374062a4fd)},
    {"1.0/letters.cairn", NULL, UINT64_C(0x6015c8c04bb8b1b6), UINT64_C(0xb13f36498d1f6656)},
    {"1.0/bare.cairn", "1.0/predictor.cairn", UINT64_C(0x6015c8c04bb8b1b6),
     UINT64_C(0xb13f36498d1f6656)},
    {"1.0/terrain.cairn", NULL, UINT64_C(0x72f97ae8307564b3), UINT64_C(0xcd9a2b0e7fd4224f)},
    {"1.0/directed.cairn", NULL, UINT64_C(0xf55c62cf7d4ae7fe), UINT64_C(0xf61ad76732bd2ee8)},
    {"1.0/one-way-predictor.cairn", NULL, UINT64_C(0x4895f785ccf0c70e),
     UINT64_C(0xec5c15bddfc1da9c)},
    {"1.0/steps.cairn", NULL, UINT64_C(0x081cb5adc8136b19), UINT64_C(0x70d6709b6b27e889)},
    {"1.0/hex.cairn", NULL, UINT64_C(0x479ef35ee206a16a), UINT64_C(0x886aa0d3f78bdcb2)},
    {"1.0/roads.cairn", NULL, UINT64_C(0x3b364e8249044e54), UINT64_C(0xa89fb386d381a0c6)},
};

static void load(const char *name, const cairn_map *own, cairn_map **map, cairn_table **table)
{
    char path[4096];
    cairn_load_options options = {.size = sizeof options, .map = own};
    cairn_error error = {0};
    snprintf(path, sizeof path, "%s/tests/golden/files/%s", CAIRN_TEST_SOURCE_DIR, name);
    cairn_status status = cairn_load(path, &options, map, table, &error);
    if (status != CAIRN_OK)
        fail_msg("%s: byte %llu: expected %s", name, (unsigned long long)error.offset,
                 error.expected);
}

/* How many numbers differ; each is shown. */
static int check(const golden_file *file)
{
    cairn_map *map;
    cairn_table *table;
    int wrong = 0;

    load(file->map_name ? file->map_name : file->name, NULL, &map, NULL);
    load(file->name, map, NULL, &table);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    if (cairn_map_hash(map) != file->map_hash || table_hash(table, map) != file->table_hash) {
        print_error("%s: 0x%016llx 0x%016llx\n", file->name,
                    (unsigned long long)cairn_map_hash(map),
                    (unsigned long long)table_hash(table, map));
        wrong = 1;
    }
    cairn_table_free(table);
    cairn_map_free(map);
    return wrong;
}

static void files_of_every_version_are_read_as_they_were(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(files); i++)
        wrong += check(&files[i]);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_every_version_are_read_as_they_were),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
