/*
 * Pens: parts of a map whose doors are closed while a table is built, saved or loaded, so that each
 * has a landmark in every row. Once the doors open the table is to guide searches like one that was
 * built on the open map: they expand a tenth more nodes at most.
 */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/tables.h"

enum { QUERIES = 120, ROWS = 16 };

/* A map, and what closes and opens its pens: rectangles whose outlines are walls. */
typedef struct yard {
    const char *name;
    cairn_map *map;
    cairn_table *table;
    cairn_edit *doors;
    size_t door_count;
} yard;

static bool is_outline(uint32_t at, uint32_t first, uint32_t size)
{
    return at == first || at == first + size - 1;
}

/* Pens lie in as many columns as rows, and are half as wide and high as the map leaves room for. */
static bool is_fence(const cairn_map *map, uint32_t across, cairn_node node)
{
    const uint32_t x = node % cairn_map_width(map), y = node / cairn_map_width(map);
    const uint32_t wide = cairn_map_width(map) / across, high = cairn_map_height(map) / across;
    const uint32_t left = x / wide * wide + wide / 4, top = y / high * high + high / 4;
    const bool within = x >= left && x < left + wide / 2 && y >= top && y < top + high / 2;
    return within && (is_outline(x, left, wide / 2) || is_outline(y, top, high / 2));
}

static yard yard_of(const char *path, uint32_t pens_across)
{
    yard made = {.name = path};
    assert_int_equal(cairn_map_load(path, NULL, &made.map, NULL), CAIRN_OK);
    const uint32_t width = cairn_map_width(made.map);
    const uint32_t count = width * cairn_map_height(made.map);
    made.doors = calloc(count, sizeof *made.doors);
    assert_non_null(made.doors);
    for (cairn_node node = 0; node < count; node++) {
        if (cairn_map_is_open(made.map, node) && is_fence(made.map, pens_across, node))
            made.doors[made.door_count++] = cairn_block(node % width, node / width);
    }
    return made;
}

static void yard_free(yard *made)
{
    cairn_table_free(made->table);
    cairn_map_free(made->map);
    free(made->doors);
}

static void set_doors(yard *made, char letter)
{
    for (size_t i = 0; i < made->door_count; i++)
        made->doors[i].letter = letter;
    assert_int_equal(cairn_map_edit(made->map, made->doors, made->door_count), CAIRN_OK);
}

static cairn_table *built(cairn_map *map)
{
    return table_built(map, (cairn_build_options){.landmark_count = ROWS});
}

static void refresh(yard *made)
{
    assert_int_equal(cairn_refresh_step(made->table, made->map, CAIRN_UNLIMITED), CAIRN_OK);
}

static void go_through_a_file(yard *made)
{
    uint8_t *bytes;
    size_t size;
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_save_bytes(made->map, made->table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &table, NULL), CAIRN_OK);
    cairn_bytes_free(made->map, bytes);
    cairn_table_free(made->table);
    cairn_map_free(made->map);
    made->map = map;
    made->table = table;
}

static uint64_t expansions(cairn_map *map, const cairn_table *table, cairn_space space)
{
    const uint32_t count = cairn_map_width(map) * cairn_map_height(map);
    cairn_search_options options = {.size = sizeof options, .space = space};
    cairn_search *search;
    uint64_t expanded = 0;
    dice luck = {1};

    assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
    for (unsigned query = 0; query < QUERIES;) {
        cairn_node start = dice_below(&luck, count), goal = dice_below(&luck, count);
        cairn_path path;
        if (!cairn_map_is_open(map, start) || !cairn_map_is_open(map, goal))
            continue;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        expanded += path.outcome == CAIRN_PATH_FOUND ? path.expanded : 0;
        query++;
    }
    cairn_search_free(search);
    return expanded;
}

static void assert_as_good_as_built(const yard *made)
{
    static const cairn_space spaces[] = {CAIRN_SPACE_CELLS, CAIRN_SPACE_JUMP};
    cairn_table *open = built(made->map);
    for (unsigned i = 0; i < COUNT_OF(spaces); i++) {
        uint64_t expanded = expansions(made->map, made->table, spaces[i]);
        uint64_t wanted = expansions(made->map, open, spaces[i]);
        if (10 * expanded > 11 * wanted)
            fail_msg("%s: %llu nodes expanded, %llu after a build", made->name,
                     (unsigned long long)expanded, (unsigned long long)wanted);
    }
    cairn_table_free(open);
}

/* Ways in which doors are closed before they open. */
typedef enum history {
    BUILT_CLOSED,
    BUILT_AND_LOADED_CLOSED,
    CLOSED_AND_SAVED,
    OPENED_ONE_BY_ONE,
    HISTORIES
} history;

static void close_doors(yard *made, history past)
{
    if (past == CLOSED_AND_SAVED)
        made->table = built(made->map);
    set_doors(made, '@');
    if (past == CLOSED_AND_SAVED)
        refresh(made);
    else
        made->table = built(made->map);
    if (past == CLOSED_AND_SAVED || past == BUILT_AND_LOADED_CLOSED)
        go_through_a_file(made);
}

static void open_doors(yard *made, history past)
{
    const size_t together = past == OPENED_ONE_BY_ONE ? made->door_count / 16 + 1
                                                      : made->door_count;
    yard some = *made;
    for (size_t i = 0; i < made->door_count; i += together) {
        some.doors = made->doors + i;
        some.door_count = made->door_count - i < together ? made->door_count - i : together;
        set_doors(&some, '.');
        refresh(&some);
    }
}

static void assert_pens_do_no_harm(const char *path, uint32_t pens_across, history past)
{
    yard made = yard_of(path, pens_across);
    close_doors(&made, past);
    open_doors(&made, past);
    assert_equal_to_a_rebuilt_one(made.table, made.map);
    assert_as_good_as_built(&made);
    yard_free(&made);
}

static void doors_that_were_closed_cost_nothing_once_they_open(void **state)
{
    (void)state;
    for (history past = 0; past < HISTORIES; past++) {
        assert_pens_do_no_harm(CAIRN_TEST_SOURCE_DIR "/data/maps/town.map", 4, past);
        assert_pens_do_no_harm(CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map", 2, past);
    }
}

static void doors_of_a_large_map_cost_nothing_once_they_open(void **state)
{
    char path[1000];
    (void)state;
    if (!real_data()) {
        print_message("no maps at CAIRN_TEST_DATA or ../shared/data: skipped\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/movingai/dao/orz900d.map", real_data());
    assert_pens_do_no_harm(path, 2, BUILT_AND_LOADED_CLOSED);
}

/* A file says nothing of where landmarks come from: from it all goes on as in memory. */
static void a_table_from_a_file_goes_on_like_the_one_in_memory(void **state)
{
    yard one = yard_of(CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map", 3), other = one;
    (void)state;
    one.table = built(one.map);
    set_doors(&one, '@');
    refresh(&one);
    assert_int_equal(cairn_map_clone(one.map, &other.map), CAIRN_OK);
    assert_int_equal(cairn_table_clone(one.table, &other.table), CAIRN_OK);
    go_through_a_file(&other);
    set_doors(&one, '.');
    set_doors(&other, '.');
    refresh(&one);
    refresh(&other);
    assert_same_table(other.table, one.table);
    cairn_table_free(other.table);
    cairn_map_free(other.map);
    yard_free(&one);
}

/* Walls are drawn over by costly ground, and that by plain ground. */
static void terrain_in_place_of_walls_costs_nothing_afterwards(void **state)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    yard made = yard_of(CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map", 2);
    (void)state;
    cairn_map_free(made.map);
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("M=5", 3, &alphabet, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_load(made.name, &options, &made.map, NULL), CAIRN_OK);
    set_doors(&made, '@');
    made.table = built(made.map);
    set_doors(&made, 'M');
    refresh(&made);
    assert_as_good_as_built(&made);
    set_doors(&made, '.');
    refresh(&made);
    assert_as_good_as_built(&made);
    assert_equal_to_a_rebuilt_one(made.table, made.map);
    yard_free(&made);
}

/* Costs that depend on the direction though every cell has the factor 1: steps up are dearer than
 * steps down, or some cells are one-way. */
static void doors_among_slopes_and_one_way_cells_cost_nothing_once_open(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        yard made = yard_of(CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map", 2);
        const uint32_t width = cairn_map_width(made.map), height = cairn_map_height(made.map);
        cairn_alphabet alphabet;
        uint16_t *levels = calloc((size_t)width * height, sizeof *levels);
        const cairn_heights heights = {width, height, levels, 700, 30};
        cairn_map_options options = {
            .size = sizeof options, .alphabet = &alphabet, .heights = kind == 0 ? &heights : NULL};
        assert_non_null(levels);
        for (cairn_node node = 0; node < width * height; node++)
            levels[node] = (uint16_t)(node % width / 3 + node / width);
        cairn_alphabet_init(&alphabet);
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
        cairn_map_free(made.map);
        assert_int_equal(cairn_map_load(made.name, &options, &made.map, NULL), CAIRN_OK);
        for (cairn_node node = 0; kind == 1 && node < width * height; node += 97) {
            const cairn_edit one_way = cairn_terrain(node % width, node / width, '>');
            if (cairn_map_is_open(made.map, node))
                assert_int_equal(cairn_map_edit(made.map, &one_way, 1), CAIRN_OK);
        }
        assert_true(cairn_map_is_directed(made.map));
        set_doors(&made, '@');
        made.table = built(made.map);
        set_doors(&made, '.');
        refresh(&made);
        assert_as_good_as_built(&made);
        assert_equal_to_a_rebuilt_one(made.table, made.map);
        free(levels);
        yard_free(&made);
    }
}

static void a_rebuild_after_doors_open_is_as_good_as_a_build(void **state)
{
    yard made = yard_of(CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map", 2);
    (void)state;
    set_doors(&made, '@');
    made.table = built(made.map);
    set_doors(&made, '.');
    assert_int_equal(cairn_table_rebuild(made.table, made.map), CAIRN_OK);
    assert_as_good_as_built(&made);
    assert_equal_to_a_rebuilt_one(made.table, made.map);
    yard_free(&made);
}

static bool has_landmark(const cairn_table *table, uint32_t row, cairn_node node)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    while (count > 0 && landmarks[count - 1] != node)
        count--;
    return count > 0;
}

static void edit_and_refresh(cairn_map *map, cairn_table *table, cairn_edit edit)
{
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
}

/* Walls drive the landmarks of both rows into cell 1. Then a smaller part joins: row 1 takes its
 * farthest cell and waits to be measured. Now cell 1 is 0 in both rows, and a landmark of row 0
 * alone; it must not be taken for a blocked cell. */
static void a_landmark_that_gave_way_is_not_taken_for_a_blocked_cell(void **state)
{
    (void)state;
    picture drawn = picture_filled(80, 1, '@');
    memcpy(drawn.letters, "....@..", 7);
    cairn_map *map = map_of(&drawn, (cairn_metric){1, 1});
    cairn_table *table = table_of(map, 2);
    const cairn_edit joins = cairn_open(4, 0);
    const cairn_edit others[] = {cairn_block(1, 0), cairn_open(1, 0), cairn_block(3, 0)};

    edit_and_refresh(map, table, cairn_block(0, 0));
    edit_and_refresh(map, table, cairn_rectangle(2, 0, 2, 1, '@'));
    edit_and_refresh(map, table, cairn_rectangle(0, 0, 4, 1, '.'));
    assert_true(has_landmark(table, 0, 1) && has_landmark(table, 1, 1));
    assert_int_equal(cairn_map_edit(map, &joins, 1), CAIRN_OK);
    for (unsigned step = 0; step < 400 && has_landmark(table, 1, 1); step++)
        assert_int_equal(step_now(table, map, CAIRN_CELLS(1)), CAIRN_MORE);
    assert_true(has_landmark(table, 0, 1) && !has_landmark(table, 1, 1));
    assert_int_equal(cairn_map_edit(map, others, COUNT_OF(others)), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    assert_equal_to_a_rebuilt_one(table, map);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Pairs of cells side by side, with walls between. */
static cairn_map *islands(uint32_t width)
{
    char *letters = malloc(width);
    cairn_map *map;
    for (uint32_t x = 0; x < width; x++)
        letters[x] = x % 3 == 2 ? '@' : '.';
    assert_int_equal(cairn_map_from_letters(width, 1, letters, NULL, &map, NULL), CAIRN_OK);
    free(letters);
    return map;
}

/* In whichever of their two cells the landmarks of these components were: they close, and a rebuilt
 * table has a landmark in the cell that is left. */
static void components_whose_landmarks_closed_get_others(void **state)
{
    (void)state;
    for (uint32_t closed = 1; closed <= 20; closed++) {
        cairn_map *map = islands(60);
        cairn_table *table = built(map);
        const cairn_node *landmarks;
        const size_t count = cairn_table_landmarks(table, 0, &landmarks);
        cairn_edit edits[20];
        assert_int_equal(count, 20);
        for (uint32_t i = 0; i < closed; i++)
            edits[i] = cairn_block(landmarks[i], 0);
        assert_int_equal(cairn_map_edit(map, edits, closed), CAIRN_OK);
        assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 20);
        for (uint32_t i = 0; i < 20; i++)
            assert_int_equal(landmarks[i] / 3, i);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_that_were_closed_cost_nothing_once_they_open),
        cmocka_unit_test(doors_of_a_large_map_cost_nothing_once_they_open),
        cmocka_unit_test(a_table_from_a_file_goes_on_like_the_one_in_memory),
        cmocka_unit_test(terrain_in_place_of_walls_costs_nothing_afterwards),
        cmocka_unit_test(doors_among_slopes_and_one_way_cells_cost_nothing_once_open),
        cmocka_unit_test(a_rebuild_after_doors_open_is_as_good_as_a_build),
        cmocka_unit_test(a_landmark_that_gave_way_is_not_taken_for_a_blocked_cell),
        cmocka_unit_test(components_whose_landmarks_closed_get_others),
    };
    return cmocka_run_group_tests_name("pens", tests, NULL, NULL);
}
