#include "map/map.h"

#include <errno.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

static void nodes_count_row_by_row(void **state)
{
    (void)state;
    picture drawn = PICTURE(".@G", "TSO");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint32_t x = 77, y = 78;

    assert_int_equal(cairn_map_node_count(map), 6);
    assert_int_equal(cairn_map_open_count(map), 3);
    assert_int_equal(cairn_node_at(map, 0, 0), 0);
    assert_int_equal(cairn_node_at(map, 2, 1), 5);
    assert_int_equal(cairn_node_at(map, 3, 0), CAIRN_NO_NODE);
    assert_int_equal(cairn_node_at(map, 0, 2), CAIRN_NO_NODE);
    assert_int_equal(cairn_node_at(map, UINT32_MAX, UINT32_MAX), CAIRN_NO_NODE);
    assert_true(cairn_node_xy(map, 4, &x, &y));
    assert_int_equal(x, 1);
    assert_int_equal(y, 1);
    assert_false(cairn_node_xy(map, 6, &x, &y));
    assert_false(cairn_node_xy(map, CAIRN_NO_NODE, &x, &y));
    assert_int_equal(x, 1);
    assert_int_equal(y, 1);
    assert_int_equal(cairn_map_letter(map, 3), 'T');
    assert_int_equal(cairn_map_letter(map, 6), 0);
    assert_true(cairn_map_is_open(map, 4));
    assert_false(cairn_map_is_open(map, 5));
    assert_false(cairn_map_is_open(map, 6));
    assert_false(cairn_map_is_open(map, CAIRN_NO_NODE));
    cairn_map_free(map);
    picture_free(&drawn);
}

static void letters_that_are_unknown_are_refused_with_their_row(void **state)
{
    (void)state;
    cairn_error error;
    cairn_map *map;
    assert_int_equal(cairn_map_from_letters(2, 2, "...x", NULL, &map, &error), CAIRN_E_FORMAT);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.offset, 3);
    assert_string_equal(error.found, "x");
    assert_null(map);
}

static void sizes_outside_the_limits_are_refused(void **state)
{
    (void)state;
    cairn_error error;
    cairn_map *map;
    assert_int_equal(cairn_map_from_letters(0, 1, ".", NULL, &map, &error), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_from_letters(1, 0, ".", NULL, &map, &error), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_from_letters(65536, 1, ".", NULL, &map, &error), CAIRN_E_LIMIT);
    assert_int_equal(cairn_map_from_letters(1, 65536, ".", NULL, &map, &error), CAIRN_E_LIMIT);
    assert_int_equal(cairn_map_from_letters(65535, 65535, ".", NULL, &map, &error), CAIRN_E_LIMIT);
    assert_null(map);
}

static void misuse_is_answered_with_a_status(void **state)
{
    (void)state;
    cairn_map *map;
    cairn_map_options odd = {.size = 3};
    assert_int_equal(cairn_map_parse("", 0, NULL, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_parse(NULL, 5, NULL, &map, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_load(NULL, NULL, &map, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_from_letters(1, 1, NULL, NULL, &map, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_from_letters(1, 1, ".", &odd, &map, NULL), CAIRN_E_ARGUMENT);
    assert_null(map);
    cairn_map_free(NULL);
}

static void a_metric_is_a_pair_that_a_diagonal_step_makes_sense_in(void **state)
{
    (void)state;
    static const cairn_metric right[] = {{1, 1}, {1, 2}, {5, 7}, {10, 14}, {2378, 3363}};
    static const cairn_metric wrong[] = {
        {0, 1}, {1, 0}, {2, 1}, {1, 3}, {10, 21}, {UINT32_MAX, UINT32_MAX}, {1u << 31, 1u << 31}};
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, (cairn_metric){0, 0});

    assert_int_equal(cairn_map_metric(map).straight, 2378);
    assert_int_equal(cairn_map_metric(map).diagonal, 3363);
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        assert_int_equal(cairn_map_set_metric(map, right[i]), CAIRN_OK);
        assert_int_equal(cairn_map_metric(map).diagonal, right[i].diagonal);
    }
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        cairn_map_options options = {.size = sizeof options, .metric = wrong[i]};
        cairn_map *none;
        assert_int_equal(cairn_map_set_metric(map, wrong[i]), CAIRN_E_ARGUMENT);
        assert_int_equal(cairn_map_from_letters(1, 1, ".", &options, &none, NULL),
                         CAIRN_E_ARGUMENT);
        assert_null(none);
        assert_int_equal(cairn_map_metric(map).straight, 2378);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

static void compact_metrics_go_from_fine_to_coarse_and_follow_the_square_root_of_two(void **state)
{
    (void)state;
    const cairn_metric *metric = cn_metric_compact;
    for (; metric->straight; metric++) {
        assert_true(cn_metric_is_valid(*metric));
        /* A fraction d / s is as near to the square root of two as its size allows when
         * d^2 - 2 s^2 is as small as that. */
        int64_t excess = (int64_t)metric->diagonal * metric->diagonal -
                         2 * (int64_t)metric->straight * metric->straight;
        assert_in_range(excess + 2, 0, 4);
        if (metric != cn_metric_compact)
            assert_true(metric->straight < metric[-1].straight);
    }
    assert_true(metric - cn_metric_compact >= 5);
}

static uint64_t hash_of(const picture *drawn, cairn_metric metric)
{
    cairn_map *map = map_of(drawn, metric);
    uint64_t hash = cairn_map_hash(map);
    cairn_map_free(map);
    return hash;
}

static void the_hash_knows_every_cell_the_size_and_the_metric(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CLUTTERED, 13, 11, 5);
    uint64_t hash = hash_of(&drawn, CAIRN_METRIC_OCTILE);

    assert_true(hash == hash_of(&drawn, CAIRN_METRIC_OCTILE));
    assert_true(hash != hash_of(&drawn, (cairn_metric){5, 7}));
    assert_true(hash != hash_of(&drawn, (cairn_metric){2378, 3362}));
    for (uint32_t node = 0; node < picture_size(&drawn); node++) {
        char before = drawn.letters[node];
        bool open = picture_is_open(&drawn, node % 13, node / 13);
        drawn.letters[node] = open ? '@' : '.';
        assert_true(hash != hash_of(&drawn, CAIRN_METRIC_OCTILE));
        /* Another letter of the same kind costs the same. */
        drawn.letters[node] = open ? 'S' : 'W';
        assert_true(hash == hash_of(&drawn, CAIRN_METRIC_OCTILE));
        drawn.letters[node] = before;
    }
    picture turned = {drawn.height, drawn.width, drawn.letters};
    assert_true(hash != hash_of(&turned, CAIRN_METRIC_OCTILE));
    picture_free(&drawn);
}

static void the_hash_follows_the_metric_of_the_map(void **state)
{
    (void)state;
    picture drawn = PICTURE("..", ".@");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    assert_int_equal(cairn_map_set_metric(map, (cairn_metric){5, 7}), CAIRN_OK);
    assert_true(cairn_map_hash(map) == hash_of(&drawn, (cairn_metric){5, 7}));
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_length_counts_straight_steps(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, (cairn_metric){10, 14});
    assert_true(cairn_length(map, 0) == 0.0);
    assert_true(cairn_length(map, 25) == 2.5);
    assert_true(cairn_length(map, CAIRN_UNREACHABLE) > 1e300);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_file_is_loaded_as_its_text_is_parsed(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 33, 17, 3);
    size_t size;
    char *text = picture_text(&drawn, "\n", &size), *path = scratch_file("cave.map");
    cairn_map *map;
    cairn_error error;

    write_file(path, text, size);
    assert_int_equal(cairn_map_load(path, NULL, &map, &error), CAIRN_OK);
    assert_true(cairn_map_hash(map) == hash_of(&drawn, CAIRN_METRIC_OCTILE));
    cairn_map_free(map);
    scratch_remove(path);
    free(text);
    picture_free(&drawn);
}

/* The six steps of a hexagon, as axial coordinates have them whatever the row. */
static void hexagons_have_axial_coordinates(void **state)
{
    static const int steps[6][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}};
    enum { SIDE = 5, NODES = SIDE * SIDE };
    cairn_map_options options = {.size = sizeof options, .rule = CAIRN_RULE_HEX};
    char letters[NODES];
    cairn_cost costs[NODES];
    cairn_map *map;
    int32_t q, r;

    (void)state;
    memset(letters, '.', sizeof letters);
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, letters, &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_rule(map), CAIRN_RULE_HEX);
    for (cairn_node node = 0; node < NODES; node++) {
        unsigned beside = 0;
        assert_true(cairn_node_axial(map, node, &q, &r));
        assert_int_equal(cairn_node_at_axial(map, q, r), node);
        assert_int_equal(cairn_costs_from(map, &node, 1, costs), CAIRN_OK);
        for (unsigned i = 0; i < COUNT_OF(steps); i++) {
            cairn_node to = cairn_node_at_axial(map, q + steps[i][0], r + steps[i][1]);
            if (to == CAIRN_NO_NODE)
                continue;
            assert_int_equal(costs[to], CAIRN_METRIC_OCTILE.straight);
            beside++;
        }
        for (cairn_node to = 0; to < NODES; to++)
            beside -= costs[to] == CAIRN_METRIC_OCTILE.straight;
        assert_int_equal(beside, 0);
    }
    assert_false(cairn_node_axial(map, NODES, &q, &r));
    assert_int_equal(cairn_node_at_axial(map, 0, -1), CAIRN_NO_NODE);
    cairn_map_free(map);
}

static void roads_and_their_places_are_loaded_as_their_texts_are_parsed(void **state)
{
    static const char roads[] = "p sp 3 3\na 1 2 30\na 2 3 40\na 3 1 90\n";
    static const char places[] = "p aux sp co 3\nv 1 0 0\nv 2 3 -7\nv 3 5 9\n";
    char *roads_path = scratch_file("city.gr"), *places_path = scratch_file("city.co");
    cairn_map *parsed, *loaded;
    int32_t x, y;

    (void)state;
    write_text(roads_path, roads);
    write_text(places_path, places);
    assert_int_equal(
        cairn_roads_parse(roads, sizeof roads - 1, places, sizeof places - 1, NULL, &parsed, NULL),
        CAIRN_OK);
    assert_int_equal(cairn_roads_load(roads_path, places_path, NULL, &loaded, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(loaded) == cairn_map_hash(parsed));
    assert_true(cairn_node_place(loaded, 1, &x, &y) && x == 3 && y == -7);
    cairn_map_free(loaded);
    assert_int_equal(cairn_roads_load(roads_path, NULL, NULL, &loaded, NULL), CAIRN_OK);
    assert_false(cairn_node_place(loaded, 1, &x, &y));
    cairn_map_free(loaded);
    cairn_map_free(parsed);
    scratch_remove(places_path);
    cairn_error error;
    assert_int_equal(cairn_roads_load(roads_path, "/no/such.co", NULL, &loaded, &error),
                     CAIRN_E_IO);
    assert_null(loaded);
    assert_string_equal(error.expected, "the file of places");
    scratch_remove(roads_path);
}

static void a_file_that_is_not_there_is_an_input_error(void **state)
{
    (void)state;
    cairn_map *map = (cairn_map *)"";
    cairn_error error;
    assert_int_equal(cairn_map_load("/no/such.map", NULL, &map, &error), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(error.status, CAIRN_E_IO);
    assert_null(map);
}

static void each_allocation_of_a_parse_may_fail(void **state)
{
    (void)state;
    static const char text[] = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map_options options = {.size = sizeof options, .allocator = &failing.allocator};

    for (size_t n = 1;; n++) {
        cairn_map *map = (cairn_map *)"";
        cairn_error error;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_map_parse(text, sizeof text - 1, &options, &map, &error);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_true(n > 3);
            cairn_map_free(map);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_int_equal(error.status, CAIRN_E_MEMORY);
        assert_null(map);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

/* Costs from node 0 tell whether two maps have the same steps. */
static void assert_same_map(const cairn_map *map)
{
    cairn_map *copy;
    uint32_t count = cairn_map_node_count(map);
    cairn_cost costs[16], copied[16];
    cairn_node source = 0;

    assert_true(count <= 16);
    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    assert_int_equal(cairn_map_hash(copy), cairn_map_hash(map));
    assert_int_equal(cairn_costs_from(map, &source, 1, costs), CAIRN_OK);
    assert_int_equal(cairn_costs_from(copy, &source, 1, copied), CAIRN_OK);
    assert_memory_equal(costs, copied, count * sizeof *costs);
    cairn_map_free(copy);
}

static void a_copy_is_the_same_map_of_any_kind(void **state)
{
    (void)state;
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 7}, {2, 0, 1}, {0, 2, 40}};
    static const int32_t x[] = {0, 3, 9}, y[] = {0, 4, 4};
    cairn_map *map;

    for (int rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
        assert_int_equal(cairn_map_from_letters(4, 3, ".S...@..G...", &options, &map, NULL),
                         CAIRN_OK);
        assert_same_map(map);
        cairn_map_free(map);
    }
    assert_int_equal(cairn_map_from_arcs(3, arcs, 4, x, y, NULL, &map, NULL), CAIRN_OK);
    assert_same_map(map);
    cairn_map_free(map);
}

/* A graph whose last dear arc became cheap, so that it is now its own step map: the copy
 * still knows what it was before. */
static void a_copy_of_a_map_that_became_even_remembers_its_edits(void **state)
{
    (void)state;
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 1}, {2, 1, 1}};
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map_options options = {.size = sizeof options, .allocator = &failing.allocator};
    cairn_build_options build = {.size = sizeof build, .landmark_count = 1};
    cairn_edit cheaper = cairn_arc_cost(0, 1, 1);
    cairn_map *map, *copy;
    cairn_table *table, *steps;

    assert_int_equal(cairn_map_from_arcs(3, arcs, 4, NULL, NULL, &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    build.step_metric = (cairn_metric){1, 1};
    assert_int_equal(cairn_table_build(map, &build, &steps), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &cheaper, 1), CAIRN_OK);
    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, copy, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, copy, 1, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_verify(steps, copy, 1, NULL), CAIRN_OK);
    cairn_table_free(steps);
    cairn_table_free(table);
    cairn_map_free(copy);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

static void heights_come_with_every_way_to_make_a_map(void **state)
{
    static const char text[] = "type octile\nheight 1\nwidth 3\nmap\n...\n";
    static const uint16_t cells[] = {5, 7, 7};
    cairn_heights heights = {3, 1, cells, 100, 0}, known;
    cairn_map_options options = {.size = sizeof options, .metric = {10, 14}, .heights = &heights};
    cairn_cost costs[3];
    cairn_map *map, *copy, *other;

    (void)state;
    assert_int_equal(cairn_map_parse(text, sizeof text - 1, &options, &map, NULL), CAIRN_OK);
    assert_true(cairn_map_is_directed(map));
    assert_int_equal(cairn_costs_from(map, &(cairn_node){0}, 1, costs), CAIRN_OK);
    assert_int_equal(costs[2], 22);
    assert_int_equal(cairn_costs_to(map, &(cairn_node){0}, 1, costs), CAIRN_OK);
    assert_int_equal(costs[2], 20);
    assert_true(cairn_map_heights(map, &known));
    assert_true(known.width == 3 && known.height == 1 && known.climb == 100 && !known.descend);
    assert_memory_equal(known.cells, cells, sizeof cells);

    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    assert_true(cairn_map_hash(copy) == cairn_map_hash(map));
    assert_int_equal(cairn_map_from_letters(3, 1, "...", &options, &other, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(other) == cairn_map_hash(map));
    cairn_map_free(other);
    heights.climb = 101;
    assert_int_equal(cairn_map_from_letters(3, 1, "...", &options, &other, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(other) != cairn_map_hash(map));
    cairn_map_free(other);
    cairn_map_free(copy);
    cairn_map_free(map);
}

static void heights_that_change_nothing_are_none(void **state)
{
    static const uint16_t level[] = {9, 9}, steep[] = {0, 65535};
    cairn_heights heights = {2, 1, level, 100, 100}, known;
    cairn_map_options options = {.size = sizeof options, .heights = &heights};
    cairn_map *map, *even;

    (void)state;
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_OK);
    options.heights = NULL;
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &even, NULL), CAIRN_OK);
    assert_false(cairn_map_heights(map, &known));
    assert_null(known.cells);
    assert_true(cairn_map_hash(map) == cairn_map_hash(even));
    cairn_map_free(map);
    cairn_map_free(even);

    options.heights = &heights;
    heights.width = 1;
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_E_ARGUMENT);
    heights = (cairn_heights){2, 1, NULL, 1, 1};
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_E_ARGUMENT);
    heights = (cairn_heights){2, 1, steep, UINT32_MAX, 0};
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_E_LIMIT);
    heights.climb = 1722;
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_set_metric(map, (cairn_metric){1 << 23, 1 << 23}), CAIRN_E_LIMIT);
    cairn_map_free(map);
}

/* Terrain and metric are the defaults, so only the slope can be what is too much. */
static void a_slope_that_costs_too_much_is_named(void **state)
{
    static const uint16_t steep[] = {0, 65535};
    cairn_heights heights = {2, 1, steep, UINT32_MAX, 0};
    cairn_map_options options = {.size = sizeof options, .heights = &heights};
    cairn_error error;
    cairn_map *map;

    (void)state;
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, &error), CAIRN_E_LIMIT);
    assert_non_null(strstr(error.expected, "climb or descent"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slope_that_costs_too_much_is_named),
        cmocka_unit_test(heights_come_with_every_way_to_make_a_map),
        cmocka_unit_test(heights_that_change_nothing_are_none),
        cmocka_unit_test(nodes_count_row_by_row),
        cmocka_unit_test(letters_that_are_unknown_are_refused_with_their_row),
        cmocka_unit_test(sizes_outside_the_limits_are_refused),
        cmocka_unit_test(misuse_is_answered_with_a_status),
        cmocka_unit_test(a_metric_is_a_pair_that_a_diagonal_step_makes_sense_in),
        cmocka_unit_test(compact_metrics_go_from_fine_to_coarse_and_follow_the_square_root_of_two),
        cmocka_unit_test(the_hash_knows_every_cell_the_size_and_the_metric),
        cmocka_unit_test(the_hash_follows_the_metric_of_the_map),
        cmocka_unit_test(a_length_counts_straight_steps),
        cmocka_unit_test(a_file_is_loaded_as_its_text_is_parsed),
        cmocka_unit_test(hexagons_have_axial_coordinates),
        cmocka_unit_test(roads_and_their_places_are_loaded_as_their_texts_are_parsed),
        cmocka_unit_test(a_file_that_is_not_there_is_an_input_error),
        cmocka_unit_test(a_copy_is_the_same_map_of_any_kind),
        cmocka_unit_test(a_copy_of_a_map_that_became_even_remembers_its_edits),
        cmocka_unit_test(each_allocation_of_a_parse_may_fail),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
