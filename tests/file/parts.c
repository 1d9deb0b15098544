/* Parts of a table, merged in any order, are the file of the whole, byte for byte, on every kind of
 * map; and what does not go together is refused by name. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { PARTS_MAX = 4 };

static void assert_same_files(const char *expected, const char *found)
{
    held_file a = read_file(expected), b = read_file(found);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    free(a.data);
    free(b.data);
}

/* A folder with names for a whole table, what is merged, and parts. */
typedef struct folder {
    char *whole;
    char *merged;
    char *parts[PARTS_MAX];
} folder;

static char *beside(const char *path, const char *name)
{
    const size_t length = (size_t)(strrchr(path, '/') + 1 - path);
    char *made = malloc(length + strlen(name) + 1);
    assert_non_null(made);
    memcpy(made, path, length);
    strcpy(made + length, name);
    return made;
}

static folder new_folder(void)
{
    folder made = {.whole = scratch_file("whole")};
    made.merged = beside(made.whole, "merged");
    for (unsigned i = 0; i < PARTS_MAX; i++) {
        char name[] = {'p', (char)('0' + i), 0};
        made.parts[i] = beside(made.whole, name);
    }
    return made;
}

static void free_folder(folder *names)
{
    remove(names->merged);
    for (unsigned i = 0; i < PARTS_MAX; i++) {
        remove(names->parts[i]);
        free(names->parts[i]);
    }
    free(names->merged);
    scratch_remove(names->whole);
}

static void build_part(cairn_map *map, cairn_build_options build, const cairn_save_options *save,
                       uint32_t part, uint32_t count, const char *path)
{
    build.part = part;
    build.part_count = count;
    assert_int_equal(cairn_build_file(map, path, &build, save, NULL), CAIRN_OK);
}

/* In an order that the seed decides. */
static cairn_status merge_parts(const folder *names, uint32_t count, uint64_t seed,
                                cairn_merge_fault *fault)
{
    const char *paths[PARTS_MAX];
    dice luck = {seed};

    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = dice_below(&luck, i + 1);
        paths[i] = paths[place];
        paths[place] = names->parts[i];
    }
    return cairn_merge(paths, count, names->merged, NULL, fault);
}

/* The file of a part is a table of its rows. */
static void assert_rows_of_whole(const cairn_map *map, const folder *names, const char *part)
{
    const cairn_load_options options = {.size = sizeof options, .map = map};
    cairn_outline outline;
    cairn_table *whole, *few;

    assert_int_equal(cairn_outline_load(part, &outline, NULL), CAIRN_OK);
    assert_int_equal(cairn_load(names->whole, &options, NULL, &whole, NULL), CAIRN_OK);
    assert_int_equal(cairn_load(part, &options, NULL, &few, NULL), CAIRN_OK);
    assert_int_equal(outline.part.row_count, cairn_table_row_count(whole));
    assert_int_equal(outline.row_count, cairn_table_row_count(few));
    for (uint32_t row = 0; row < outline.row_count; row++)
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            assert_int_equal(cairn_table_cost(few, row, node),
                             cairn_table_cost(whole, outline.part.first_row + row, node));
    cairn_table_free(whole);
    cairn_table_free(few);
}

static void assert_parts_are_the_whole(cairn_map *map, const cairn_build_options *build,
                                       const cairn_save_options *save, const folder *names,
                                       uint64_t seed)
{
    const uint32_t most = build->landmark_count < PARTS_MAX ? build->landmark_count : PARTS_MAX;
    const uint32_t count = 1 + (uint32_t)(seed / 2) % most;
    cairn_build_options by_part = *build;
    cairn_merge_fault fault;

    assert_int_equal(cairn_build_file(map, names->whole, build, save, NULL), CAIRN_OK);
    for (uint32_t i = 0; i < count; i++) {
        by_part.thread_count = 1 + (uint32_t)(seed + i) % 3;
        build_part(map, by_part, save, i + 1, count, names->parts[i]);
    }
    assert_rows_of_whole(map, names, names->parts[seed % count]);
    assert_int_equal(merge_parts(names, count, seed, &fault), CAIRN_OK);
    assert_same_files(names->whole, names->merged);
}

/* With placements that need rows before them, and with a list that needs none. */
static void assert_both_ways(cairn_map *map, const folder *names, uint64_t seed)
{
    static const cairn_placement placements[] = {CAIRN_PLACE_FARTHEST, CAIRN_PLACE_GREEDY,
                                                 CAIRN_PLACE_AVOID, CAIRN_PLACE_RANDOM};
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = 1 + (uint32_t)seed % 5,
                                 .seed = seed,
                                 .placement = placements[seed % 4],
                                 .candidate_count = 8};
    const cairn_save_options save = {.size = sizeof save,
                                     .codec = (cairn_codec)(seed / 3 % 4),
                                     .map_part = (cairn_map_part)(seed % 7 == 6),
                                     .stamp = seed % 3};
    cairn_node *nodes;

    assert_parts_are_the_whole(map, &build, &save, names, seed);
    assert_int_equal(cairn_landmarks_place(map, &build, &nodes, &build.listed_count), CAIRN_OK);
    build.placement = CAIRN_PLACE_LIST;
    build.listed = nodes;
    assert_parts_are_the_whole(map, &build, &save, names, seed + 1);
    cairn_nodes_free(map, nodes);
}

static void merged_parts_of_any_grid_are_the_whole(void **state)
{
    (void)state;
    folder names = new_folder();
    const uint64_t kinds = (uint64_t)ORACLE_RULES * TERRAIN_KINDS;
    for (uint64_t seed = 0; seed < seeds_to(kinds); seed = seed_after(seed)) {
        cairn_metric metric = seed / 4 % 2 ? CAIRN_METRIC_OCTILE : (cairn_metric){5, 7};
        twin both = twin_of(seed, (oracle_rule)(seed % ORACLE_RULES),
                            (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS), metric);
        cairn_map *units;
        assert_int_equal(cairn_map_for_units(both.map, 1 + (uint32_t)(seed % 3),
                                             (cairn_anchor)(seed / 3 % 2), &units),
                         CAIRN_OK);
        assert_both_ways(cairn_map_open_count(units) ? units : both.map, &names, seed);
        cairn_map_free(units);
        twin_free(&both);
    }
    free_folder(&names);
}

static void merged_parts_of_any_graph_are_the_whole(void **state)
{
    (void)state;
    folder names = new_folder();
    for (uint64_t seed = 0; seed < seeds_to(16); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        assert_both_ways(both.map, &names, seed);
        twin_free(&both);
    }
    free_folder(&names);
}

/* No part alone knows whether the rows of the others fit 16 bits, or which metric they take. */
static void parts_agree_on_the_width_of_entries(void **state)
{
    (void)state;
    folder names = new_folder();
    picture drawn = random_map(MAP_ALL_OPEN, 71, 1, 0), cave = random_map(MAP_CAVE, 90, 60, 5);
    for (uint64_t seed = 0; seed < seeds_to(8); seed = seed_after(seed)) {
        cairn_build_options build = {.size = sizeof build, .landmark_count = 4, .seed = seed};
        const cairn_save_options save = {.size = sizeof save};
        cairn_map *map = map_of(&drawn, (cairn_metric){1300, 1900});
        assert_parts_are_the_whole(map, &build, &save, &names, seed);
        cairn_map_free(map);
        map = map_of(&cave, CAIRN_METRIC_OCTILE);
        build.metric = CAIRN_METRIC_COMPACT;
        assert_parts_are_the_whole(map, &build, &save, &names, seed);
        cairn_map_free(map);
    }
    picture_free(&drawn);
    picture_free(&cave);
    free_folder(&names);
}

/* ------------------------------------------------------------------------------- refusals -- */

typedef struct stranger {
    const char *what;
    cairn_metric metric;
    cairn_build_options build;
    cairn_save_options save;
    uint32_t count;
    bool is_of_another_map;
} stranger;

static void what_differs_is_named(void **state)
{
    (void)state;
    static const stranger strangers[] = {
        {.what = "map", .is_of_another_map = true},
        {.what = "map", .save.map_part = CAIRN_MAP_LEFT_OUT},
        {.what = "metric", .metric = {10, 14}},
        {.what = "metric", .build.step_metric = {1, 1}},
        {.what = "rows", .build.landmark_count = 7},
        {.what = "parts", .count = 4},
        {.what = "seed", .build.seed = 1},
        {.what = "codec", .save.codec = CAIRN_CODEC_RAW},
        {.what = "landmarks", .build = {.placement = CAIRN_PLACE_LIST, .listed_count = 2}},
        {.what = "stamp", .save.stamp = 8}};
    folder names = new_folder();
    picture drawn = random_map(MAP_CAVE, 40, 30, 3), other = random_map(MAP_CAVE, 40, 30, 3);
    drawn.letters[0] = drawn.letters[5] = other.letters[0] = '.';
    other.letters[5] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 6};
    for (uint32_t i = 0; i < 3; i++)
        build_part(map, build, NULL, i + 1, 3, names.parts[i]);
    write_text(names.merged, "as it was");
    dice luck = {1};
    const cairn_node list[] = {dice_open_cell(&luck, &drawn), dice_open_cell(&luck, &drawn)};

    for (size_t i = 0; i < COUNT_OF(strangers); i++) {
        stranger odd = strangers[i];
        cairn_map *of = map_of(odd.is_of_another_map ? &other : &drawn,
                               odd.metric.straight ? odd.metric : CAIRN_METRIC_OCTILE);
        odd.build.size = sizeof odd.build;
        odd.build.landmark_count += odd.build.landmark_count ? 0 : 6;
        odd.build.listed = list;
        odd.save.size = sizeof odd.save;
        build_part(of, odd.build, &odd.save, 2, odd.count ? odd.count : 3, names.parts[3]);
        const char *paths[] = {names.parts[0], names.parts[2], names.parts[3]};
        cairn_merge_fault fault;
        assert_int_equal(cairn_merge(paths, 3, names.merged, NULL, &fault), CAIRN_E_MISMATCH);
        assert_string_equal(fault.what, odd.what);
        assert_int_equal(fault.file, 2);
        assert_int_equal(fault.other, 0);
        assert_int_equal(fault.missing, 0);
        cairn_map_free(of);
    }
    held_file kept = read_file(names.merged);
    assert_memory_equal(kept.data, "as it was", kept.size);
    free(kept.data);
    cairn_map_free(map);
    picture_free(&drawn);
    picture_free(&other);
    free_folder(&names);
}

static void missing_double_and_other_files_are_named(void **state)
{
    (void)state;
    folder names = new_folder();
    picture drawn = random_map(MAP_ROOMS, 30, 20, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 6};
    const char *const two[] = {names.parts[2], names.parts[0]},
                      *const twice[] = {names.parts[2], names.parts[0], names.parts[2]},
                      *const no_part[] = {names.parts[0], names.whole},
                      *const no_file[] = {names.parts[0], names.parts[3]};
    cairn_merge_fault fault;

    assert_int_equal(cairn_build_file(map, names.whole, &build, NULL, NULL), CAIRN_OK);
    for (uint32_t i = 0; i < 3; i++)
        build_part(map, build, NULL, i + 1, 3, names.parts[i]);
    assert_int_equal(cairn_merge(two, 2, names.merged, NULL, &fault), CAIRN_E_MISMATCH);
    assert_int_equal(fault.missing, 2);
    assert_int_equal(cairn_merge(twice, 3, names.merged, NULL, &fault), CAIRN_E_MISMATCH);
    assert_string_equal(fault.what, "part");
    assert_int_equal(fault.file, 2);
    assert_int_equal(fault.other, 0);
    assert_int_equal(cairn_merge(no_part, 2, names.merged, NULL, &fault), CAIRN_E_MISMATCH);
    assert_int_equal(fault.file, 1);
    assert_int_equal(fault.error.status, CAIRN_E_MISMATCH);
    assert_int_equal(cairn_merge(no_file, 2, names.merged, NULL, &fault), CAIRN_E_IO);
    assert_int_equal(fault.file, 1);
    assert_int_equal(fault.error.status, CAIRN_E_IO);
    assert_int_equal(cairn_merge(two, 0, names.merged, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_merge(two, 2, names.merged, NULL, NULL), CAIRN_E_MISMATCH);
    assert_null(fopen(names.merged, "rb"));
    cairn_map_free(map);
    picture_free(&drawn);
    free_folder(&names);
}

/* Lists of landmarks that are long enough to be packed by another library, in a file made in memory
 * of one's own; merging knows no allocator. */
static void parts_of_any_memory_are_merged_to_the_same_bytes(void **state)
{
    (void)state;
    folder names = new_folder();
    picture drawn = random_map(MAP_DUST, 400, 400, 3);
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 2};
    for (unsigned own = 0; own < 2; own++) {
        failing_allocator counted;
        failing_allocator_init(&counted);
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, own ? &counted.allocator : NULL);
        assert_parts_are_the_whole(map, &build, NULL, &names, 2);
        cairn_map_free(map);
        assert_int_equal(counted.outstanding, 0);
    }
    picture_free(&drawn);
    free_folder(&names);
}

/* Every byte of a part counts: with one changed, the merge is refused. */
static void a_damaged_part_is_refused(void **state)
{
    (void)state;
    folder names = new_folder();
    picture drawn = random_map(MAP_CAVE, 16, 12, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 2};
    const char *const paths[] = {names.parts[0], names.parts[1]};

    for (uint32_t i = 0; i < 2; i++)
        build_part(map, build, NULL, i + 1, 2, names.parts[i]);
    held_file good = read_file(names.parts[1]);
    for (size_t at = 0; at < good.size; at++) {
        good.data[at] ^= 0x10;
        write_file(names.parts[1], good.data, good.size);
        good.data[at] ^= 0x10;
        cairn_merge_fault fault;
        assert_int_not_equal(cairn_merge(paths, 2, names.merged, NULL, &fault), CAIRN_OK);
        assert_null(fopen(names.merged, "rb"));
    }
    for (size_t size = 0; size < good.size; size++) {
        write_file(names.parts[1], good.data, size);
        assert_int_not_equal(cairn_merge(paths, 2, names.merged, NULL, NULL), CAIRN_OK);
    }
    free(good.data);
    cairn_map_free(map);
    picture_free(&drawn);
    free_folder(&names);
}

static void misuse_of_parts_is_answered(void **state)
{
    (void)state;
    folder names = new_folder();
    picture drawn = random_map(MAP_CAVE, 16, 12, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    static const uint32_t wrong[][2] = {{0, 2}, {3, 2}, {1, 0}, {1, 5}};
    cairn_build_options build = {.size = sizeof build, .landmark_count = 4};
    const cairn_save_options few = {.size = sizeof few, .row_count = 2};
    cairn_table *table;
    cairn_node *nodes;
    size_t count;

    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        build.part = wrong[i][0];
        build.part_count = wrong[i][1];
        assert_int_equal(cairn_build_file(map, names.whole, &build, NULL, NULL), CAIRN_E_ARGUMENT);
    }
    build.part = build.part_count = 2;
    assert_int_equal(cairn_build_file(map, names.whole, &build, &few, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_landmarks_place(map, &build, &nodes, &count), CAIRN_E_ARGUMENT);
    build.part = build.part_count = 0;
    build.memory_limit = 1 << 30;
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_landmarks_place(map, &build, &nodes, &count), CAIRN_E_ARGUMENT);
    assert_null(fopen(names.whole, "rb"));
    cairn_map_free(map);
    picture_free(&drawn);
    free_folder(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_parts_of_any_grid_are_the_whole),
        cmocka_unit_test(merged_parts_of_any_graph_are_the_whole),
        cmocka_unit_test(parts_agree_on_the_width_of_entries),
        cmocka_unit_test(what_differs_is_named),
        cmocka_unit_test(missing_double_and_other_files_are_named),
        cmocka_unit_test(parts_of_any_memory_are_merged_to_the_same_bytes),
        cmocka_unit_test(a_damaged_part_is_refused),
        cmocka_unit_test(misuse_of_parts_is_answered),
    };
    return cmocka_run_group_tests_name("file/parts", tests, NULL, NULL);
}
