/* A file that is built in one go is the file of the table that is built first and saved then, at
 * any thread count and on any vectors; and when something goes wrong, nothing is left. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

static held_file saved_in_two_steps(const picture *drawn, cairn_metric metric,
                                    const cairn_build_options *build,
                                    const cairn_save_options *save, const char *path)
{
    cairn_map *map = map_of(drawn, metric);
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, build, &table), CAIRN_OK);
    assert_int_equal(cairn_save(map, table, path, save), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    return read_file(path);
}

static held_file saved_in_one(const picture *drawn, cairn_metric metric,
                              const cairn_build_options *build, const cairn_save_options *save,
                              const char *path)
{
    cairn_map *map = map_of(drawn, metric);
    assert_int_equal(cairn_build_file(map, path, build, save, NULL), CAIRN_OK);
    cairn_map_free(map);
    return read_file(path);
}

static void assert_same(const picture *drawn, const held_file *expected, const held_file *found)
{
    if (expected->size != found->size || memcmp(expected->data, found->data, found->size) != 0)
        picture_show(drawn);
    assert_int_equal(found->size, expected->size);
    assert_memory_equal(found->data, expected->data, found->size);
}

static void one_step_and_two_give_the_same_bytes(void **state)
{
    (void)state;
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    char *path = scratch_file("table.cairn");
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed + 5);
        cairn_build_options build = {.size = sizeof build,
                                     .landmark_count = 1 + (uint32_t)(seed % 11),
                                     .seed = seed,
                                     .thread_count = 1,
                                     .metric = seed % 3 == 1 ? CAIRN_METRIC_COMPACT : 0};
        cairn_save_options save = {
            .size = sizeof save, .thread_count = 1, .codec = (cairn_codec)(seed % 4)};
        cairn_metric metric = fixture_metrics[seed % FIXTURE_METRICS];
        held_file expected = saved_in_two_steps(&drawn, metric, &build, &save, path);
        for (uint32_t threads = 1; threads <= 4; threads++) {
            setenv("CAIRN_SIMD", vectors[threads % 3], 1);
            build.thread_count = threads;
            held_file found = saved_in_one(&drawn, metric, &build, &save, path);
            assert_same(&drawn, &expected, &found);
            free(found.data);
        }
        unsetenv("CAIRN_SIMD");
        free(expected.data);
        picture_free(&drawn);
    }
    scratch_remove(path);
}

/* Both ways of a build, by other vectors and threads than the first, of a map of any kind. */
static void assert_one_step_and_two_are_the_same(const twin *both, uint64_t seed, const char *path)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = 1 + (uint32_t)(seed % 5),
                                 .seed = seed,
                                 .thread_count = 1};
    cairn_table *table;

    setenv("CAIRN_SIMD", vectors[seed % 3], 1);
    assert_int_equal(cairn_table_build(both->map, &build, &table), CAIRN_OK);
    assert_int_equal(cairn_save(both->map, table, path, NULL), CAIRN_OK);
    cairn_table_free(table);
    held_file expected = read_file(path);
    setenv("CAIRN_SIMD", vectors[(seed + 1) % 3], 1);
    build.thread_count = 1 + (uint32_t)seed % 4;
    assert_int_equal(cairn_build_file(both->map, path, &build, NULL, NULL), CAIRN_OK);
    unsetenv("CAIRN_SIMD");
    held_file found = read_file(path);
    assert_same(&both->drawn, &expected, &found);
    free(expected.data);
    free(found.data);
}

/* Engines mark unreachable cells in ways of their own; rows are packed all the same. */
static void every_kind_of_grid_gives_the_same_bytes(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    const uint64_t kinds = (uint64_t)ORACLE_RULES * TERRAIN_KINDS;
    for (uint64_t seed = 0; seed < seeds_to(4 * kinds); seed = seed_after(seed)) {
        cairn_metric metric = seed / kinds % 2 ? CAIRN_METRIC_OCTILE : (cairn_metric){5, 7};
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS), metric,
                               (uint32_t)(20 + seed * 13 % 90), (uint32_t)(3 + seed * 7 % 30));
        assert_one_step_and_two_are_the_same(&both, seed, path);
        twin_free(&both);
    }
    scratch_remove(path);
}

/* The starting cells are nearer than 2^16 to everything, the farthest cells are not: the rows that
 * were packed in 16 bits are void. The seed decides where the start is, so several are tried. */
static void rows_begun_in_too_few_bits_are_begun_again(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ALL_OPEN, 71, 1, 0);
    for (uint64_t seed = 0; seed < seeds_to(12); seed = seed_after(seed)) {
        cairn_build_options build = {
            .size = sizeof build, .landmark_count = 7, .seed = seed, .thread_count = 1};
        cairn_metric metric = {1300, 1900};
        held_file expected = saved_in_two_steps(&drawn, metric, &build, NULL, path);
        build.thread_count = 1 + (uint32_t)seed % 3;
        held_file found = saved_in_one(&drawn, metric, &build, NULL, path);
        assert_same(&drawn, &expected, &found);
        free(expected.data);
        free(found.data);
    }
    picture_free(&drawn);
    scratch_remove(path);
}

/* A cell by itself, tiles away from the rest, is a landmark of row 0; no other row reaches it. */
static void tiles_that_a_row_does_not_reach_are_packed_as_unreachable(void **state)
{
    (void)state;
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_CAVE, 170, 140, 8);
    for (uint32_t node = 0; node < picture_size(&drawn); node++) {
        if (node % drawn.width >= 70 || node / drawn.width >= 70)
            drawn.letters[node] = '@';
    }
    drawn.letters[130 * drawn.width + 150] = '.';
    for (uint32_t i = 0; i < 2 * COUNT_OF(vectors); i++) {
        cairn_build_options build = {.size = sizeof build,
                                     .landmark_count = 5,
                                     .thread_count = 1 + i % 2,
                                     .metric = i % 2 ? CAIRN_METRIC_COMPACT : 0};
        cairn_save_options save = {.size = sizeof save, .codec = CAIRN_CODEC_SEEDS};
        setenv("CAIRN_SIMD", vectors[i / 2], 1);
        held_file expected = saved_in_two_steps(&drawn, CAIRN_METRIC_OCTILE, &build, &save, path);
        held_file found = saved_in_one(&drawn, CAIRN_METRIC_OCTILE, &build, &save, path);
        assert_same(&drawn, &expected, &found);
        free(expected.data);
        free(found.data);
    }
    unsetenv("CAIRN_SIMD");
    picture_free(&drawn);
    scratch_remove(path);
}

/* Two cells by themselves, of which one shares a tile with what a row reaches, and one does not,
 * whatever the width of a tile. Once they are landmarks, no row reaches them. */
static void unreachable_cells_may_lie_on_either_side_of_a_tile(void **state)
{
    (void)state;
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    enum { EDGE = 64 };
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_CAVE, 170, 140, 8);
    for (uint32_t node = 0; node < picture_size(&drawn); node++) {
        uint32_t x = node % drawn.width, y = node / drawn.width;
        if (x >= EDGE || (x >= EDGE - 3 && y >= 39 && y <= 41))
            drawn.letters[node] = '@';
        if ((x == EDGE - 1 || x == EDGE) && y == 40)
            drawn.letters[node] = '.';
    }
    for (uint32_t i = 0; i < 2 * COUNT_OF(vectors); i++) {
        cairn_build_options build = {
            .size = sizeof build, .landmark_count = 8, .thread_count = 1 + i % 2};
        setenv("CAIRN_SIMD", vectors[i / 2], 1);
        held_file expected = saved_in_two_steps(&drawn, CAIRN_METRIC_OCTILE, &build, NULL, path);
        held_file found = saved_in_one(&drawn, CAIRN_METRIC_OCTILE, &build, NULL, path);
        assert_same(&drawn, &expected, &found);
        free(expected.data);
        free(found.data);
    }
    unsetenv("CAIRN_SIMD");
    picture_free(&drawn);
    scratch_remove(path);
}

static void fewer_rows_than_measured_may_be_written(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_CAVE, 60, 40, 3);
    cairn_build_options build = {.size = sizeof build, .landmark_count = 9, .thread_count = 2};
    cairn_save_options save = {.size = sizeof save};
    for (save.row_count = 1; save.row_count <= 9; save.row_count++) {
        held_file expected = saved_in_two_steps(&drawn, CAIRN_METRIC_OCTILE, &build, &save, path);
        held_file found = saved_in_one(&drawn, CAIRN_METRIC_OCTILE, &build, &save, path);
        assert_same(&drawn, &expected, &found);
        free(expected.data);
        free(found.data);
    }
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    save.row_count = 10;
    assert_int_equal(cairn_build_file(map, path, &build, &save, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&drawn);
    scratch_remove(path);
}

static void the_summary_is_that_of_the_table(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ROOMS, 50, 33, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_build_summary summary;
    cairn_table *table;
    assert_int_equal(cairn_build_file(map, path, NULL, NULL, &summary), CAIRN_OK);
    assert_int_equal(cairn_load(path, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_int_equal(summary.row_count, cairn_table_row_count(table));
    assert_int_equal(summary.entry_bits, cairn_table_entry_bits(table));
    assert_int_equal(summary.table_memory, cairn_table_memory(table));
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    scratch_remove(path);
}

static bool stop_at_row(void *context, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)total;
    return done < *(const uint64_t *)context;
}

/* Often, since it depends on the threads whether someone is at work on the rows that go. */
static void a_build_that_is_cancelled_leaves_no_file(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_CAVE, 60, 40, 3);
    for (uint64_t round = 0; round < 80; round++) {
        uint64_t row = 1 + round % 8;
        cairn_progress progress = {stop_at_row, &row};
        cairn_build_options build = {.size = sizeof build,
                                     .landmark_count = 8,
                                     .thread_count = 1 + (uint32_t)row % 3,
                                     .progress = &progress};
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        assert_int_equal(cairn_build_file(map, path, &build, NULL, NULL), CAIRN_E_CANCELLED);
        assert_null(fopen(path, "rb"));
        cairn_map_free(map);
    }
    picture_free(&drawn);
    scratch_remove(path);
}

/* Each allocation fails in turn: with one thread, so that they come in the same order, and with
 * several, so that whoever waits for the one that failed is told. */
static void without_memory_there_is_no_file_and_no_leak(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ISLANDS, 30, 20, 3);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        for (size_t n = 1;; n++) {
            failing_allocator failing;
            failing_allocator_init(&failing);
            cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
            cairn_build_options build = {
                .size = sizeof build, .landmark_count = 6, .thread_count = threads};
            failing_allocator_arm(&failing, n);
            cairn_status status = cairn_build_file(map, path, &build, NULL, NULL);
            bool struck = failing_allocator_struck(&failing);
            if (status != (struck ? CAIRN_E_MEMORY : CAIRN_OK))
                print_error("allocation %u, %u threads: status %d\n", (unsigned)n, threads,
                            (int)status);
            assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
            cairn_map_free(map);
            assert_int_equal(atomic_load(&failing.outstanding), 0);
            if (!struck)
                break;
            assert_null(fopen(path, "rb"));
        }
        remove(path);
    }
    picture_free(&drawn);
    scratch_remove(path);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("..", "..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_save_options save = {.size = sizeof save, .codec = (cairn_codec)99};
    assert_int_equal(cairn_build_file(NULL, "x", NULL, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_build_file(map, NULL, NULL, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_build_file(map, "x", NULL, &save, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_build_file(map, "/no/such/folder/x", NULL, NULL, NULL), CAIRN_E_IO);
    cairn_map_free(map);
    picture_free(&drawn);
}

enum { WIDE = 180, HIGH = 120, GROUNDS = 4 };

/* On even ground, terrain, slopes, and ground that may be one-way, by the number. */
static cairn_map *map_counted_by(const picture *drawn, oracle_rule rule, unsigned ground,
                                 failing_allocator *memory)
{
    static const cairn_rule rules[ORACLE_RULES] = {
        CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ONE_SIDE, CAIRN_RULE_8_ANY, CAIRN_RULE_HEX};
    static const char *const terrain[GROUNDS] = {"", "S=3", "", "one-way"};
    static uint16_t cells[WIDE * HIGH];
    const cairn_heights slopes = {drawn->width, drawn->height, cells, 300, 200};
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(
        cairn_alphabet_parse(terrain[ground], strlen(terrain[ground]), &alphabet, NULL), CAIRN_OK);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        cells[i] = (uint16_t)(i % 13);
    const cairn_map_options options = {.size = sizeof options,
                                       .rule = rules[rule],
                                       .alphabet = &alphabet,
                                       .heights = ground == 2 ? &slopes : NULL,
                                       .allocator = &memory->allocator};
    failing_allocator_init(memory);
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, &map, NULL),
        CAIRN_OK);
    return map;
}

/* What the same options take with a limit: never more than was counted, and that not in vain where
 * one thread works (several need not hold all of theirs at the same time). */
static void assert_build_keeps_to(cairn_map *map, failing_allocator *memory,
                                  cairn_build_options build, unsigned most_times, const char *path)
{
    const cairn_save_options save = {.size = sizeof save};
    cairn_build_summary summary;
    build.memory_limit = 1;
    assert_int_equal(cairn_build_file(map, path, &build, &save, &summary), CAIRN_E_LIMIT);
    const uint64_t least = summary.memory;
    build.memory_limit = least - 1;
    assert_int_equal(cairn_build_file(map, path, &build, &save, &summary), CAIRN_E_LIMIT);
    for (unsigned more = 0; more < 2; more++) {
        build.memory_limit = least << more;
        memory->peak = memory->held;
        assert_int_equal(cairn_build_file(map, path, &build, &save, &summary), CAIRN_OK);
        assert_in_range(summary.memory, memory->peak, build.memory_limit);
        assert_true(more || summary.memory <= most_times * memory->peak);
    }
}

static void builds_keep_to_a_limit_of_memory(void **state)
{
    (void)state;
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    static const cairn_placement placements[] = {CAIRN_PLACE_AUTO, CAIRN_PLACE_AVOID,
                                                 CAIRN_PLACE_GREEDY};
    char *path = scratch_file("table.cairn");
    for (uint64_t seed = 0; seed < GROUNDS * MAP_KINDS; seed += seed < MAP_KINDS ? 1 : 3) {
        if (is_left_out(MAP_KINDS + seed))
            continue;
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), WIDE, HIGH, seed);
        failing_allocator memory;
        cairn_map *map = map_counted_by(&drawn, (oracle_rule)(seed % ORACLE_RULES),
                                        (unsigned)(seed / MAP_KINDS), &memory);
        cairn_build_options build = {.size = sizeof build,
                                     .landmark_count = 3,
                                     .candidate_count = 4,
                                     .thread_count = 1 + (uint32_t)(seed % 3),
                                     .placement = placements[seed % 3]};
        setenv("CAIRN_SIMD", vectors[seed / 3 % 3], 1);
        assert_build_keeps_to(map, &memory, build, 6, path);
        unsetenv("CAIRN_SIMD");
        cairn_map_free(map);
        picture_free(&drawn);
    }
    scratch_remove(path);
}

/* What each candidate saves is kept until landmarks are chosen: nearly all that small maps take. */
static void candidates_count_in_a_limit_of_memory(void **state)
{
    (void)state;
    static const cairn_placement placements[] = {CAIRN_PLACE_GREEDY, CAIRN_PLACE_REFINED};
    char *path = scratch_file("table.cairn");
    for (unsigned i = 0; i < 4; i++) {
        picture drawn = random_map(MAP_MAZE, 60, 50, i);
        failing_allocator memory;
        cairn_map *map = map_counted_by(&drawn, (oracle_rule)i, 0, &memory);
        const cairn_build_options build = {.size = sizeof build,
                                           .landmark_count = 3,
                                           .candidate_count = (uint32_t)seeds_to(1000),
                                           .thread_count = 1 + i / 2,
                                           .placement = placements[i % 2]};
        assert_build_keeps_to(map, &memory, build, 6, path);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    scratch_remove(path);
}

/* A ring: by default its landmarks are chosen among candidates. */
static void graphs_keep_to_a_limit_of_memory(void **state)
{
    (void)state;
    enum { NODES = 30 };
    cairn_arc arcs[NODES];
    char *path = scratch_file("table.cairn");
    for (uint32_t i = 0; i < NODES; i++)
        arcs[i] = (cairn_arc){i, (i + 1) % NODES, 1 + i * 1000};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        const cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
        const cairn_build_options build = {
            .size = sizeof build, .landmark_count = 10, .thread_count = threads};
        cairn_map *map;
        assert_int_equal(cairn_map_from_arcs(NODES, arcs, NODES, NULL, NULL, &options, &map, NULL),
                         CAIRN_OK);
        assert_build_keeps_to(map, &memory, build, 6, path);
        cairn_map_free(map);
    }
    scratch_remove(path);
}

static void large_graphs_are_not_counted_as_grids(void **state)
{
    (void)state;
    const uint32_t node_count = (uint32_t)seeds_to(20000), arc_count = 4 * node_count;
    static const cairn_placement placements[] = {CAIRN_PLACE_AUTO, CAIRN_PLACE_FARTHEST};
    cairn_arc *arcs = malloc(arc_count * sizeof *arcs);
    char *path = scratch_file("table.cairn");
    dice luck = {5};
    for (uint32_t i = 0; i < arc_count; i++) {
        const uint32_t to = i < node_count ? i + 1 : dice_below(&luck, node_count);
        arcs[i] = (cairn_arc){i % node_count, to % node_count, 1 + dice_below(&luck, 1000)};
    }
    for (size_t i = 0; i < COUNT_OF(placements); i++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        const cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
        const cairn_build_options build = {.size = sizeof build,
                                           .landmark_count = 16,
                                           .thread_count = 1,
                                           .placement = placements[i]};
        cairn_map *map;
        assert_int_equal(
            cairn_map_from_arcs(node_count, arcs, arc_count, NULL, NULL, &options, &map, NULL),
            CAIRN_OK);
        assert_build_keeps_to(map, &memory, build, 3, path);
        cairn_map_free(map);
    }
    scratch_remove(path);
    free(arcs);
}

/* A table that counts steps has a map of its own, which is made during the build. */
static void step_maps_count_in_a_limit_of_memory(void **state)
{
    (void)state;
    enum { SIDE = 500 };
    static char letters[SIDE * SIDE];
    char *path = scratch_file("table.cairn");
    failing_allocator memory;
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['a'] = 3;
    failing_allocator_init(&memory);
    dice luck = {1};
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        letters[i] = dice_below(&luck, 5) ? '.' : '@';
    const cairn_map_options options = {.size = sizeof options,
                                       .rule = CAIRN_RULE_HEX,
                                       .alphabet = &alphabet,
                                       .allocator = &memory.allocator};
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 8, .step_metric = {1, 1}};
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, letters, &options, &map, NULL), CAIRN_OK);
    assert_build_keeps_to(map, &memory, build, 6, path);
    cairn_map_free(map);
    scratch_remove(path);
}

/* All cases, or those of a pattern: the thread sanitizer wants those with threads. */
int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_and_two_give_the_same_bytes),
        cmocka_unit_test(builds_keep_to_a_limit_of_memory),
        cmocka_unit_test(candidates_count_in_a_limit_of_memory),
        cmocka_unit_test(graphs_keep_to_a_limit_of_memory),
        cmocka_unit_test(large_graphs_are_not_counted_as_grids),
        cmocka_unit_test(step_maps_count_in_a_limit_of_memory),
        cmocka_unit_test(every_kind_of_grid_gives_the_same_bytes),
        cmocka_unit_test(rows_begun_in_too_few_bits_are_begun_again),
        cmocka_unit_test(tiles_that_a_row_does_not_reach_are_packed_as_unreachable),
        cmocka_unit_test(unreachable_cells_may_lie_on_either_side_of_a_tile),
        cmocka_unit_test(fewer_rows_than_measured_may_be_written),
        cmocka_unit_test(the_summary_is_that_of_the_table),
        cmocka_unit_test(a_build_that_is_cancelled_leaves_no_file),
        cmocka_unit_test(without_memory_there_is_no_file_and_no_leak),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    return cmocka_run_group_tests_name("build file", tests, NULL, NULL);
}
