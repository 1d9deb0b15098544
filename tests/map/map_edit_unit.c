#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/storm.h"

static const char letters[] = ".GS@OTW";

static void assert_same_map(const cairn_map *map, const picture *drawn)
{
    cairn_map *fresh = map_of(drawn, cairn_map_metric(map));
    uint32_t count = cairn_map_node_count(map);

    assert_int_equal(cairn_map_open_count(map), cairn_map_open_count(fresh));
    assert_true(cairn_map_hash(map) == cairn_map_hash(fresh));
    assert_memory_equal(map->grid.letters, fresh->grid.letters, count);
    assert_memory_equal(map->grid.around, fresh->grid.around, count);
    assert_memory_equal(map->grid.open, fresh->grid.open,
                        drawn->height * fresh->grid.open_stride * sizeof(uint64_t));
    cairn_map_free(fresh);
}

/* Jump planes follow edits locally; rebuilt they must be the same, bit by bit. */
static void assert_same_planes(const cairn_map *map, const picture *drawn)
{
    cairn_map *fresh = map_of(drawn, cairn_map_metric(map));
    const cn_jump *followed, *made;

    assert_int_equal(cn_map_jump(map, &followed), CAIRN_OK);
    assert_int_equal(cn_map_jump(fresh, &made), CAIRN_OK);
    assert_memory_equal(followed->hits, made->hits, picture_size(drawn));
    assert_memory_equal(followed->stops, made->stops, made->word_count * sizeof *made->stops);
    assert_memory_equal(followed->clear, made->clear, made->word_count * sizeof *made->clear);
    cairn_map_free(fresh);
}

/* A rectangle on the picture and its edit of any kind; `data` receives what the edit points to. */
static cairn_edit random_edit(dice *luck, picture *drawn, uint8_t *data)
{
    uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    uint32_t width = dice_below(luck, 5) % (drawn->width - x + 1);
    uint32_t height = dice_below(luck, 5) % (drawn->height - y + 1);
    unsigned kind = dice_below(luck, 3);
    char fill = letters[dice_below(luck, 7)];

    memset(data, 0, 32);
    for (uint32_t i = 0; i < width * height; i++) {
        char *cell = &drawn->letters[(y + i / width) * drawn->width + x + i % width];
        bool was_open = strchr(".GS", *cell) != NULL, open = dice_below(luck, 2);
        char letter = letters[dice_below(luck, 7)];
        if (kind == CAIRN_EDIT_FILL)
            *cell = fill;
        if (kind == CAIRN_EDIT_LETTERS)
            data[i] = (uint8_t)(*cell = letter);
        if (kind == CAIRN_EDIT_BITS) {
            data[i / 8] |= (uint8_t)(open << i % 8);
            if (open != was_open)
                *cell = open ? '.' : '@';
        }
    }
    if (kind == CAIRN_EDIT_FILL)
        return cairn_rectangle(x, y, width, height, fill);
    if (kind == CAIRN_EDIT_BITS)
        return cairn_patch_bits(x, y, width, height, data);
    return cairn_patch_letters(x, y, width, height, (const char *)data);
}

static void an_edited_map_is_the_map_of_its_picture(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dice luck = {seed + 1};
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        for (int round = 0; round < 20; round++) {
            cairn_edit edits[3];
            uint8_t data[3][32];
            size_t count = dice_below(&luck, 4);
            for (size_t i = 0; i < count; i++)
                edits[i] = random_edit(&luck, &drawn, data[i]);
            assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
            assert_same_map(map, &drawn);
            assert_same_planes(map, &drawn);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void single_cells_open_and_close(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", ".@.", "...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_edit edits[] = {cairn_open(1, 1), cairn_block(0, 2), cairn_terrain(2, 2, 'S')};

    assert_int_equal(cairn_map_edit(map, edits, 3), CAIRN_OK);
    assert_int_equal(cairn_map_letter(map, 4), '.');
    assert_int_equal(cairn_map_letter(map, 6), '@');
    assert_int_equal(cairn_map_letter(map, 8), 'S');
    cairn_map_free(map);
    picture_free(&drawn);
}

static void an_edit_that_is_refused_changes_nothing(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", "...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint64_t hash = cairn_map_hash(map);
    const cairn_edit off[] = {cairn_block(3, 0),
                              cairn_block(0, 2),
                              cairn_block(UINT32_MAX, 0),
                              cairn_rectangle(1, 0, UINT32_MAX, 1, '@'),
                              cairn_rectangle(1, 1, 2, 2, '@'),
                              cairn_patch_bits(0, 0, 1, 1, NULL)};

    for (size_t i = 0; i < COUNT_OF(off); i++) {
        cairn_edit edits[] = {cairn_block(0, 0), off[i]};
        assert_int_equal(cairn_map_edit(map, edits, 2), CAIRN_E_ARGUMENT);
    }
    cairn_edit strange = cairn_terrain(0, 0, 'x');
    assert_int_equal(cairn_map_edit(map, &strange, 1), CAIRN_E_FORMAT);
    strange = cairn_patch_letters(0, 0, 3, 1, "..x");
    assert_int_equal(cairn_map_edit(map, &strange, 1), CAIRN_E_FORMAT);
    assert_int_equal(cairn_map_edit(NULL, NULL, 0), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_edit(map, NULL, 1), CAIRN_E_ARGUMENT);
    assert_true(cairn_map_hash(map) == hash);
    assert_same_map(map, &drawn);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The line that is said of a list whose second edit is refused; its number is checked. */
static void assert_second_refused(const cairn_map *map, cairn_edit legal, cairn_edit edit,
                                  const char *expected)
{
    const cairn_edit edits[] = {legal, edit, edit};
    const uint64_t hash = cairn_map_hash(map);
    cairn_error error;
    char line[200];

    const cairn_status status = cairn_map_check_edits(map, edits, COUNT_OF(edits), &error);
    cairn_error_text(&error, "list", line, sizeof line);
    assert_string_equal(line, expected);
    assert_true(status != CAIRN_OK && error.status == status && error.line == 2);
    assert_int_equal(cairn_map_check_edits(map, edits, COUNT_OF(edits), NULL), status);
    assert_int_equal(cairn_map_check_edits(map, edits, 1, &error), CAIRN_OK);
    assert_true(error.status == CAIRN_OK && error.line == 0);
    assert_true(cairn_map_hash(map) == hash);
    if (!map->cells_map)
        assert_int_equal(cairn_map_edit((cairn_map *)map, edits, COUNT_OF(edits)), status);
}

static void a_list_is_told_its_first_wrong_edit(void **state)
{
    (void)state;
    const cairn_edit legal = cairn_block(0, 0), arc = cairn_arc_cost(0, 1, 5);
    const cairn_edit strange = {.kind = (cairn_edit_kind)9};
    const cairn_arc arcs[] = {{0, 1, 7}, {1, 2, 7}};
    picture drawn = PICTURE("...", "...");
    cairn_map *ground = map_of(&drawn, CAIRN_METRIC_OCTILE), *units, *roads;

    assert_int_equal(cairn_map_for_units(ground, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    cairn_map *const maps[] = {ground, units};
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        assert_second_refused(maps[i], legal, cairn_rectangle(1, 1, 2, 2, '@'),
                              "list:2: expected cells of the map, found \"2 x 2 at 1,1 of 3 x 2\"");
        assert_second_refused(maps[i], legal, cairn_rectangle(1, 0, UINT32_MAX, 1, '.'),
                              "list:2: expected cells of the map, found "
                              "\"4294967295 x 1 at 1,0 of 3 x 2\"");
        assert_second_refused(maps[i], legal, cairn_terrain(0, 0, '\n'),
                              "list:2: expected a letter that this map knows, found \"\\x0a\"");
        assert_second_refused(maps[i], legal, cairn_patch_letters(0, 0, 3, 1, "..x"),
                              "list:2: expected a letter that this map knows, found \"x\"");
        assert_second_refused(maps[i], legal, cairn_patch_bits(0, 0, 1, 1, NULL),
                              "list:2: expected bits or letters, found \"NULL\"");
        assert_second_refused(maps[i], legal, strange,
                              "list:2: expected a kind of edit, found \"another number\"");
        assert_second_refused(maps[i], legal, arc,
                              "list:2: expected an edit of cells, found \"the cost of an arc\"");
    }
    assert_int_equal(cairn_map_from_arcs(3, arcs, 2, NULL, NULL, NULL, &roads, NULL), CAIRN_OK);
    assert_second_refused(roads, arc, legal,
                          "list:2: expected the cost of an arc, found \"an edit of cells\"");
    for (cairn_cost cost = 0; cost <= 1u << 28; cost += 1u << 28) {
        char line[120];
        snprintf(line, sizeof line, "list:2: expected a cost from 1 to 268435455, found \"%u\"",
                 cost);
        assert_second_refused(roads, arc, cairn_arc_cost(0, 1, cost), line);
    }
    cairn_map_free(roads);
    cairn_map_free(units);
    cairn_map_free(ground);
    picture_free(&drawn);
}

static void the_journal_lists_what_changed_since_a_hash(void **state)
{
    (void)state;
    picture drawn = picture_filled(20, 10, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint64_t first = cairn_map_hash(map);
    const cairn_node *cells;
    size_t count;

    cairn_edit edit = cairn_block(3, 0);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    uint64_t second = cairn_map_hash(map);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_true(cairn_map_hash(map) == second);
    edit = cairn_rectangle(5, 1, 2, 1, 'T');
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);

    assert_int_equal(cn_map_changes(map, first, map->fixed_hash, &cells, &count), CN_CHANGES_KNOWN);
    assert_int_equal(count, 3);
    assert_int_equal(cells[0], 3);
    assert_int_equal(cells[1], 25);
    assert_int_equal(cells[2], 26);
    assert_int_equal(cn_map_changes(map, second, map->fixed_hash, &cells, &count),
                     CN_CHANGES_KNOWN);
    assert_int_equal(count, 2);
    assert_int_equal(cn_map_changes(map, cairn_map_hash(map), map->fixed_hash, &cells, &count),
                     CN_CHANGES_NONE);
    assert_int_equal(cn_map_changes(map, 12345, map->fixed_hash, &cells, &count),
                     CN_CHANGES_STRANGER);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Whenever the journal is full, the last thousand of its cells stay. */
static void a_full_journal_keeps_the_last_cells(void **state)
{
    enum { SIDE = 50, LAST = 1000, EDITS = 20000 };
    static uint64_t hashes[LAST];
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node *cells;
    size_t count;

    for (uint32_t i = 0; i < EDITS; i++) {
        const uint32_t cell = i * 7 % (SIDE * SIDE), x = cell % SIDE, y = cell / SIDE;
        const bool is_open = cairn_map_is_open(map, cell);
        const cairn_edit edit = is_open ? cairn_block(x, y) : cairn_open(x, y);
        if (i >= LAST) {
            assert_int_equal(cn_map_changes(map, hashes[i % LAST], map->fixed_hash, &cells, &count),
                             CN_CHANGES_KNOWN);
            assert_int_equal(count, LAST);
            assert_int_equal(cells[0], (i - LAST) * 7 % (SIDE * SIDE));
        }
        hashes[i % LAST] = cairn_map_hash(map);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_long_journal_forgets_its_beginning(void **state)
{
    (void)state;
    picture drawn = picture_filled(100, 100, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint64_t first = cairn_map_hash(map), before = 0;
    const cairn_node *cells;
    size_t count;

    cairn_edit lasting = cairn_block(99, 99);
    assert_int_equal(cairn_map_edit(map, &lasting, 1), CAIRN_OK);
    for (int round = 0; round < 5; round++) {
        cairn_edit edit = cairn_rectangle(0, 0, 30, 30 + (uint32_t)round, "@."[round % 2]);
        before = cairn_map_hash(map);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    assert_int_equal(cn_map_changes(map, before, map->fixed_hash, &cells, &count),
                     CN_CHANGES_KNOWN);
    for (int round = 0; round < 40; round++) {
        cairn_edit edit = cairn_rectangle(0, 0, 40, 40, ".@"[round % 2]);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    assert_int_equal(cn_map_changes(map, first, map->fixed_hash, &cells, &count),
                     CN_CHANGES_FORGOTTEN);
    assert_int_equal(cn_map_changes(map, 12345, map->fixed_hash, &cells, &count),
                     CN_CHANGES_STRANGER);

    cairn_edit whole = cairn_rectangle(0, 0, 100, 100, '.');
    assert_int_equal(cairn_map_edit(map, &whole, 1), CAIRN_OK);
    whole.letter = '@';
    before = cairn_map_hash(map);
    assert_int_equal(cairn_map_edit(map, &whole, 1), CAIRN_OK);
    assert_int_equal(cn_map_changes(map, before, map->fixed_hash, &cells, &count),
                     CN_CHANGES_FORGOTTEN);
    assert_int_equal(cairn_map_open_count(map), 0);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void an_edit_without_memory_changes_nothing(void **state)
{
    (void)state;
    picture drawn = picture_filled(8, 8, '.');
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_edit edit = cairn_rectangle(2, 2, 3, 3, '@');

    for (size_t n = 1;; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_map_edit(map, &edit, 1);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_true(n > 1);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_same_map(map, &drawn);
    }
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    picture_free(&drawn);
}

/* The journal of the map has room and that of the units has not, or the other way round. */
static void an_edit_without_memory_forgets_nothing(void **state)
{
    enum { SIDE = 200, EDITS = 60, AGO = 40 };
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *units, *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    const cairn_edit large = cairn_rectangle(50, 50, 100, 100, '@');
    const cairn_node *cells;
    uint64_t past = 0;
    size_t count, known;

    for (unsigned i = 0; i < EDITS; i++) {
        const cairn_edit edit = cairn_rectangle(3 * i, i, 20, 20, i % 2 ? '.' : '@');
        past = i == EDITS - AGO ? cairn_map_hash(map) : past;
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    assert_int_equal(cn_map_changes(map, past, map->fixed_hash, &cells, &known), CN_CHANGES_KNOWN);
    for (size_t n = 1;; n++) {
        failing_allocator_arm(&failing, n);
        const cairn_status status = cairn_map_edit(map, &large, 1);
        const cn_changes changes = cn_map_changes(map, past, map->fixed_hash, &cells, &count);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            assert_int_equal(changes, CN_CHANGES_FORGOTTEN);
            assert_true(n > 1);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_int_equal(changes, CN_CHANGES_KNOWN);
        assert_int_equal(count, known);
    }
    cairn_map_free(units);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    picture_free(&drawn);
}

/* Arcs that became cheaper, and dear again, lower it for good. */
static void a_copy_of_a_graph_has_its_base_heuristic(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        twin both = storm_twin(STORM_GRIDS + STORM_PLACED + seed % 2, seed);
        dice luck = {seed};
        cairn_map *copy;
        storm_edit_often(&both, &luck, 20);
        assert_int_equal(cairn_map_clone(both.map, &copy), CAIRN_OK);
        for (cairn_node goal = 0; goal < cairn_map_node_count(copy); goal++) {
            cairn_bound one, other;
            assert_int_equal(cairn_bound_to(both.map, NULL, goal, &one), CAIRN_OK);
            assert_int_equal(cairn_bound_to(copy, NULL, goal, &other), CAIRN_OK);
            for (cairn_node node = 0; node < cairn_map_node_count(copy); node++)
                assert_int_equal(cairn_bound_at(&one, node), cairn_bound_at(&other, node));
        }
        cairn_map_free(copy);
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edited_map_is_the_map_of_its_picture),
        cmocka_unit_test(single_cells_open_and_close),
        cmocka_unit_test(an_edit_that_is_refused_changes_nothing),
        cmocka_unit_test(a_list_is_told_its_first_wrong_edit),
        cmocka_unit_test(the_journal_lists_what_changed_since_a_hash),
        cmocka_unit_test(a_long_journal_forgets_its_beginning),
        cmocka_unit_test(a_full_journal_keeps_the_last_cells),
        cmocka_unit_test(an_edit_without_memory_changes_nothing),
        cmocka_unit_test(an_edit_without_memory_forgets_nothing),
        cmocka_unit_test(a_copy_of_a_graph_has_its_base_heuristic),
    };
    return cmocka_run_group_tests_name("map_edit", tests, NULL, NULL);
}
