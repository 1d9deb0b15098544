/* Maps that are written as text are read as what they are, after edits of any kind. */
#include <errno.h>
#include <stdio.h>

#include "cairn/cairn.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { MAPS = 60, GRAPHS = 40, EDITS = 5 };

/* What a file says, read with some options. */
static cairn_map *written_and_read(const cairn_map *map, const cairn_map_options *options)
{
    char *path = scratch_file("map.txt");
    cairn_map *made;
    assert_int_equal(cairn_map_save(map, path, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_load(path, options, &made, NULL), CAIRN_OK);
    scratch_remove(path);
    return made;
}

static void assert_same_letters(const cairn_map *one, const cairn_map *other)
{
    const uint32_t count = cairn_map_node_count(one);
    char *letters = malloc(count);
    assert_non_null(letters);
    assert_int_equal(cairn_map_letters(other, letters), CAIRN_OK);
    for (uint32_t node = 0; node < count; node++)
        assert_int_equal(letters[node], cairn_map_letter(one, node));
    free(letters);
}

static void grids_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed};
        picture drawn = any_map(seed);
        const cairn_map_options options = {.size = sizeof options,
                                           .metric = fixture_metrics[seed % FIXTURE_METRICS]};
        cairn_map *map = map_of(&drawn, options.metric);
        const uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
        for (unsigned i = 0; i < EDITS; i++) {
            const uint32_t x = dice_below(&luck, width), y = dice_below(&luck, height);
            const cairn_edit edit = dice_below(&luck, 2) ? cairn_block(x, y) : cairn_open(x, y);
            assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        }
        cairn_map *made = written_and_read(map, &options);
        assert_true(cairn_map_hash(made) == cairn_map_hash(map));
        assert_same_letters(map, made);
        cairn_map_free(made);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void terrain_is_read_with_the_same_alphabet(void **state)
{
    (void)state;
    static const char letters[] = ".S^v<> ~@.";
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("S=3,~=9,one-way", 15, &alphabet, NULL), CAIRN_OK);
    alphabet.cost[' '] = CAIRN_TERRAIN_BLOCKED;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    cairn_map *map, *made;
    assert_int_equal(cairn_map_from_letters(5, 2, letters, &options, &map, NULL), CAIRN_OK);
    made = written_and_read(map, &options);
    assert_true(cairn_map_hash(made) == cairn_map_hash(map));
    assert_same_letters(map, made);
    cairn_map_free(made);
    cairn_map_free(map);
}

static void graphs_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed)) {
        dice luck = {seed};
        twin both = twin_any_graph(seed);
        for (unsigned i = 0; i < EDITS; i++)
            twin_edit(&both, &luck);
        cairn_map *made = written_and_read(both.map, NULL);
        assert_true(cairn_map_hash(made) == cairn_map_hash(both.map));
        cairn_map_free(made);
        twin_free(&both);
    }
}

/* A text takes memory for nodes by its length. */
static void graphs_of_many_nodes_and_few_arcs_are_read_as_they_were_written(void **state)
{
    (void)state;
    static const uint32_t counts[] = {65536, 65537, 100000, 1 << 20};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const cairn_arc arc = {.from = counts[i] - 1, .to = 0, .cost = 7};
        for (size_t arc_count = 0; arc_count < 2; arc_count++) {
            cairn_map *map, *made;
            assert_int_equal(
                cairn_map_from_arcs(counts[i], &arc, arc_count, NULL, NULL, NULL, &map, NULL),
                CAIRN_OK);
            made = written_and_read(map, NULL);
            assert_true(cairn_map_hash(made) == cairn_map_hash(map));
            cairn_map_free(made);
            cairn_map_free(map);
        }
    }
}

static bool stop(void *context, const char *stage, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    assert_string_equal(stage, "write");
    return false;
}

static void what_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['\n'] = 1;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    const cairn_progress progress = {.report = stop};
    char *path = scratch_file("map.txt");
    cairn_map *map;

    assert_int_equal(cairn_map_from_letters(2, 1, ".\n", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_save(map, path, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    assert_int_equal(cairn_map_from_letters(2, 1, "..", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_save(map, path, &progress), CAIRN_E_CANCELLED);
    assert_null(fopen(path, "rb"));
    assert_int_equal(cairn_map_save(map, "missing/map.txt", NULL), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    cairn_map_free(map);
    scratch_remove(path);
}

/* No alphabet can tell which ways units on two of them may leave. */
static void units_on_one_way_cells_are_not_written(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['^'] = alphabet.cost['>'] = 1;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    char *path = scratch_file("map.txt");
    cairn_map *map, *units;

    assert_int_equal(cairn_map_from_letters(4, 2, "^>..^>..", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_save(map, path, NULL), CAIRN_OK);
    scratch_remove(path);
    path = scratch_file("map.txt");
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    assert_int_equal(cairn_map_save(units, path, NULL), CAIRN_E_ARGUMENT);
    assert_null(fopen(path, "rb"));
    cairn_map_free(units);
    cairn_map_free(map);
    scratch_remove(path);
}

/* Where nothing is blocked, and `@` is open, units that do not fit stand on another letter. */
static void units_are_written_where_no_letter_is_blocked(void **state)
{
    (void)state;
    enum { SIDE = 8 };
    cairn_alphabet alphabet;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    picture open = picture_filled(SIDE, SIDE, '@');
    cairn_map *map, *units, *again;
    char *path = scratch_file("map.txt");

    cairn_alphabet_init(&alphabet);
    for (unsigned letter = 0; letter < 256; letter++)
        alphabet.cost[letter] = letter == '@' ? 3 : 0;
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, open.letters, &options, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_map_for_units(map, 3, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    assert_int_equal(cairn_map_save(units, path, NULL), CAIRN_OK);
    alphabet.cost['!'] = CAIRN_TERRAIN_BLOCKED;
    assert_int_equal(cairn_map_load(path, &options, &again, NULL), CAIRN_OK);
    for (cairn_node node = 0; node < SIDE * SIDE; node++)
        assert_int_equal(cairn_map_letter(again, node), cairn_map_letter(units, node));
    assert_int_equal(cairn_map_open_count(again), (SIDE - 2) * (SIDE - 2));
    cairn_map_free(again);
    cairn_map_free(units);
    cairn_map_free(map);
    picture_free(&open);
    scratch_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_read_as_they_were_written),
        cmocka_unit_test(terrain_is_read_with_the_same_alphabet),
        cmocka_unit_test(graphs_are_read_as_they_were_written),
        cmocka_unit_test(graphs_of_many_nodes_and_few_arcs_are_read_as_they_were_written),
        cmocka_unit_test(what_cannot_be_written_leaves_nothing),
        cmocka_unit_test(units_on_one_way_cells_are_not_written),
        cmocka_unit_test(units_are_written_where_no_letter_is_blocked),
    };
    return cmocka_run_group_tests_name("map_save", tests, NULL, NULL);
}
