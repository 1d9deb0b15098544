/* Files loaded with their rows at corners: the same table, the same refusals, and no more memory on
 * the way than one row of every cell. */
#include "base/cpu.h"
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "table/table.h"

enum { MAPS = 4 * MAP_KINDS };

static held_file file_of(const cairn_map *map, const cairn_table *table, cairn_map_part part)
{
    const cairn_save_options options = {.size = sizeof options, .map_part = part};
    uint8_t *bytes;
    held_file file;
    assert_int_equal(cairn_save_bytes(map, table, &options, &bytes, &file.size), CAIRN_OK);
    file.data = malloc(file.size);
    memcpy(file.data, bytes, file.size);
    cairn_bytes_free(map, bytes);
    return file;
}

static cairn_load_options at_corners(void)
{
    return (cairn_load_options){
        .size = sizeof(cairn_load_options), .thread_count = 1, .resident = CAIRN_RESIDENT_CORNERS};
}

/* Landmarks and entries are those of the first rows of a full table. */
static void assert_same_table(const cairn_table *corners, const cairn_table *cells)
{
    assert_int_equal(cairn_table_resident(corners), CAIRN_RESIDENT_CORNERS);
    assert_int_equal(corners->entry_bits, cells->entry_bits);
    for (uint32_t row = 0; row < corners->row_count; row++) {
        const cairn_node *one, *other;
        size_t count = cairn_table_landmarks(corners, row, &one);
        assert_int_equal(count, cairn_table_landmarks(cells, row, &other));
        if (count)
            assert_memory_equal(one, other, count * sizeof *one);
        for (cairn_node node = 0; node < cells->node_count; node++) {
            if (cairn_table_holds(corners, node))
                assert_int_equal(cairn_table_cost(corners, row, node),
                                 cairn_table_cost(cells, row, node));
        }
    }
}

static void a_loaded_table_is_that_of_the_file(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]), *read;
        cairn_table *cells = table_with(map, 7, 1, seed), *corners;
        cairn_map_part part = seed % 2 ? CAIRN_MAP_LEFT_OUT : CAIRN_MAP_INCLUDED;
        held_file file = file_of(map, cells, part);
        cairn_load_options options = at_corners();
        options.row_count = seed % 3 ? 0 : 3;
        options.map = map;
        assert_int_equal(cairn_load_bytes(file.data, file.size, &options,
                                          part == CAIRN_MAP_INCLUDED ? &read : NULL, &corners,
                                          NULL),
                         CAIRN_OK);
        assert_int_equal(corners->row_count, seed % 3 ? 7 : 3);
        assert_same_table(corners, cells);
        assert_int_equal(cairn_table_verify(corners, map, 1, NULL), CAIRN_OK);
        if (part == CAIRN_MAP_INCLUDED)
            cairn_map_free(read);
        cairn_table_free(corners);
        cairn_table_free(cells);
        cairn_map_free(map);
        free(file.data);
        picture_free(&drawn);
    }
}

/* Whichever of its rows, and however packed. */
static void a_saved_table_is_the_file_of_all_cells(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *cells = table_with(map, 5, 1, seed), *corners;
        const cairn_build_options build = {.size = sizeof build,
                                           .landmark_count = 5,
                                           .thread_count = 1,
                                           .seed = seed,
                                           .resident = CAIRN_RESIDENT_CORNERS};
        const cairn_save_options save = {.size = sizeof save,
                                         .codec = (cairn_codec)(seed % 4),
                                         .row_count = seed % 3 ? 0 : 2,
                                         .thread_count = 2};
        uint8_t *one, *other;
        size_t one_size, other_size;
        assert_int_equal(cairn_table_build(map, &build, &corners), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(map, cells, &save, &one, &one_size), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(map, corners, &save, &other, &other_size), CAIRN_OK);
        assert_int_equal(one_size, other_size);
        assert_memory_equal(one, other, one_size);
        cairn_bytes_free(map, one);
        cairn_bytes_free(map, other);
        cairn_table_free(corners);
        cairn_table_free(cells);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void a_table_behind_its_map_is_not_saved(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 40, 30, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *twin;
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 2, .resident = CAIRN_RESIDENT_CORNERS};
    dice luck = {1};
    cairn_node cell = dice_open_cell(&luck, &drawn);
    cairn_edit edit = cairn_block(cell % 40, cell / 40);
    cairn_table *table;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    drawn.letters[0] = drawn.letters[0] == '.' ? '@' : '.';
    twin = map_of(&drawn, CAIRN_METRIC_OCTILE);
    assert_int_equal(cairn_save_bytes(twin, table, NULL, &bytes, &size), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_E_STALE);
    cairn_table_free(table);
    cairn_map_free(twin);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_damaged_row_is_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 60, 50, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *read;
    cairn_table *cells = table_of(map, 4), *corners;
    held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    cairn_load_options options = at_corners();
    cairn_error error;

    enum { END_SECTION = 16 };
    file.data[file.size - END_SECTION - 3] ^= 1;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, &error),
                     CAIRN_E_FORMAT);
    assert_string_equal(error.found, "row 3");
    assert_null(corners);
    assert_null(read);
    options.resident = (cairn_resident)2;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_ARGUMENT);
    cairn_table_free(cells);
    cairn_map_free(map);
    free(file.data);
    picture_free(&drawn);
}

static void other_maps_are_refused(void **state)
{
    (void)state;
    const cairn_map_options terms = {.size = sizeof terms, .rule = CAIRN_RULE_8_ANY};
    const cairn_build_options steps = {
        .size = sizeof steps, .landmark_count = 2, .step_metric = {1, 1}};
    cairn_load_options options = at_corners();
    cairn_map *map, *read;
    cairn_table *cells, *corners;

    assert_int_equal(cairn_map_from_letters(3, 2, "......", &terms, &map, NULL), CAIRN_OK);
    cells = table_of(map, 2);
    held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_RESIDENT);
    assert_null(corners);
    free(file.data);
    cairn_table_free(cells);
    cairn_map_free(map);

    assert_int_equal(cairn_map_from_letters(3, 2, "......", NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &steps, &cells), CAIRN_OK);
    file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_RESIDENT);
    free(file.data);
    cairn_table_free(cells);
    cairn_map_free(map);
}

/* A file may list every cell as a landmark of every row: what its members see is not tried for each
 * pair of them, so that it loads in the time that floods take. */
static void a_file_of_all_landmarks_loads_by_floods(void **state)
{
    enum { SIDE = 96, ROWS = 256, CELLS = SIDE * SIDE };
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, (cairn_metric){1, 1}), *read;
    cairn_node *nodes = malloc((size_t)ROWS * CELLS * sizeof *nodes);
    size_t start[ROWS + 1];
    cairn_table *cells, *corners;
    assert_non_null(nodes);
    for (uint32_t row = 0; row <= ROWS; row++)
        start[row] = (size_t)row * CELLS;
    for (size_t i = 0; i < (size_t)ROWS * CELLS; i++)
        nodes[i] = (cairn_node)(i % CELLS);
    assert_int_equal(cn_table_new(map, &map->mem, ROWS, 16, &cells), CAIRN_OK);
    assert_int_equal(cn_table_set_landmarks(cells, start, nodes), CAIRN_OK);
    free(nodes);
    held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    const cairn_load_options options = at_corners();
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_OK);
    assert_int_equal(corners->corners->count, CELLS);
    for (cairn_node node = 0; node < CELLS; node += 97)
        assert_int_equal(cairn_table_cost(corners, node % ROWS, node), 0);
    cairn_cost cost = 77;
    assert_int_equal(cairn_table_row(corners, read, 0, &cost), CAIRN_E_RESIDENT);
    assert_int_equal(cost, 77);
    cairn_table_free(corners);
    cairn_map_free(read);
    cairn_table_free(cells);
    cairn_map_free(map);
    free(file.data);
    picture_free(&drawn);
}

/* Rows as wide as the limit allows: more of them at corners than at every cell. */
static void a_limit_of_memory_chooses_rows(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 200, 150, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *read;
    cairn_table *cells = table_of(map, 16), *corners;
    held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    cairn_load_options options = at_corners();

    options.memory_limit = 200 * 150 * 17;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_OK);
    assert_int_equal(corners->row_count, 16);
    assert_in_range(cairn_map_memory(read) + cairn_table_memory(corners), 1, options.memory_limit);
    assert_same_table(corners, cells);
    cairn_table_free(corners);
    cairn_map_free(read);
    options.resident = CAIRN_RESIDENT_CELLS;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_LIMIT);
    options = at_corners();
    options.memory_limit = 200 * 150;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_LIMIT);
    cairn_table_free(cells);
    cairn_map_free(map);
    free(file.data);
    picture_free(&drawn);
}

/* Loads within smaller and smaller limits, down to the least one. */
static void assert_loads_keep_to_limits(const held_file *file)
{
    cairn_load_options options = at_corners();
    cairn_status status = CAIRN_OK;
    for (options.memory_limit = 1 << 22; status == CAIRN_OK;
         options.memory_limit -= options.memory_limit / 32) {
        cairn_map *map;
        cairn_table *table;
        status = cairn_load_bytes(file->data, file->size, &options, &map, &table, NULL);
        if (status == CAIRN_OK)
            assert_in_range(cairn_map_memory(map) + cairn_table_memory(table), 1,
                            options.memory_limit);
        cairn_map_free(map);
        cairn_table_free(table);
    }
    assert_int_equal(status, CAIRN_E_LIMIT);
}

/* Words and tiles are wider than such maps. */
static void narrow_maps_keep_to_a_limit_of_memory(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {11, 9}, {1, 180}, {3, 900}, {900, 2}, {17, 200}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        picture drawn = random_map(MAP_SPARSE, sizes[i][0], sizes[i][1], i);
        drawn.letters[0] = '.';
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_of(map, 16);
        held_file file = file_of(map, table, CAIRN_MAP_INCLUDED);
        assert_loads_keep_to_limits(&file);
        free(file.data);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Beside map and table: one row of entries, what the engine of its flood keeps, a little more. */
static void loading_takes_one_row_more(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAP_KINDS; seed++) {
        picture drawn = random_map((map_kind)seed, 400, 300, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *read;
        cairn_table *cells = table_of(map, 16), *corners;
        held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
        cairn_load_options options = at_corners();
        failing_allocator memory;
        failing_allocator_init(&memory);
        options.allocator = &memory.allocator;
        size_t row = (size_t)cells->node_count * cells->entry_bits / 8;
        assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                         CAIRN_OK);
        size_t stays = cairn_map_memory(read) + cairn_table_memory(corners);
        assert_int_equal(memory.held, stays);
        bool is_game = seed == MAP_CAVE || seed == MAP_ROOMS;
        size_t game = cn_cpu_level() == CN_CPU_PORTABLE ? row * 2 : row * 3 / 2;
        size_t beside = is_game ? game : cells->node_count * 16u;
        assert_true(memory.peak <= stays + beside + file.size + (1 << 16));
        cairn_table_free(corners);
        cairn_map_free(read);
        assert_int_equal(memory.outstanding, 0);
        cairn_table_free(cells);
        cairn_map_free(map);
        free(file.data);
        picture_free(&drawn);
    }
}

static bool stop_at_rows(void *context, const char *stage, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    return strcmp(stage, "rows") != 0 || done == 0;
}

static void loading_is_cancelled_between_rows(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 300, 300, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *read;
    cairn_table *cells = table_of(map, 4), *corners;
    held_file file = file_of(map, cells, CAIRN_MAP_INCLUDED);
    const cairn_progress progress = {.report = stop_at_rows};
    cairn_load_options options = at_corners();
    options.progress = &progress;
    assert_int_equal(cairn_load_bytes(file.data, file.size, &options, &read, &corners, NULL),
                     CAIRN_E_CANCELLED);
    assert_null(corners);
    cairn_table_free(cells);
    cairn_map_free(map);
    free(file.data);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_table_is_that_of_the_file),
        cmocka_unit_test(a_saved_table_is_the_file_of_all_cells),
        cmocka_unit_test(a_table_behind_its_map_is_not_saved),
        cmocka_unit_test(a_damaged_row_is_refused),
        cmocka_unit_test(other_maps_are_refused),
        cmocka_unit_test(a_file_of_all_landmarks_loads_by_floods),
        cmocka_unit_test(a_limit_of_memory_chooses_rows),
        cmocka_unit_test(narrow_maps_keep_to_a_limit_of_memory),
        cmocka_unit_test(loading_takes_one_row_more),
        cmocka_unit_test(loading_is_cancelled_between_rows),
    };
    return cmocka_run_group_tests_name("resident", tests, NULL, NULL);
}
