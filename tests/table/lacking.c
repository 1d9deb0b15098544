/* The list of what a table lacks follows its map: it is what the tests find by comparing letters,
 * however often it is brought up to date, and also where the journal no longer reaches the
 * table. */
#include "table/lacking.h"

#include "map/map.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { ROWS = 2, ROUNDS = 30, OFTEN = 20, LONG = 3 * CN_JOURNAL_MARKS / 2 };

static cairn_table *table_on(cairn_map *map)
{
    return table_built(map, (cairn_build_options){.landmark_count = ROWS, .thread_count = 1});
}

static char *letters_of(const twin *both)
{
    const size_t count = cairn_map_node_count(both->map);
    char *letters = malloc(count);
    assert_non_null(letters);
    memcpy(letters, both->drawn.letters, count);
    return letters;
}

/* Whether cells with these letters are alike to every step. */
static bool are_alike(const twin *both, char one, char other)
{
    const cn_grid *grid = &both->map->grid;
    const uint8_t a = (uint8_t)one, b = (uint8_t)other;
    if (!grid->open_letter[a] || !grid->open_letter[b] || both->map->is_even)
        return grid->open_letter[a] == grid->open_letter[b];
    return grid->rules.factor[a] == grid->rules.factor[b] && grid->exits[a] == grid->exits[b];
}

static void assert_grid(const cn_lacking *list, const twin *both, const char *before)
{
    size_t i = 0;
    for (uint32_t node = 0; node < cairn_map_node_count(both->map); node++) {
        if (are_alike(both, before[node], both->drawn.letters[node]))
            continue;
        assert_true(i < list->cells.count);
        assert_int_equal(list->cells.nodes[i], node);
        assert_true(are_alike(both, (char)list->cells.letters[i], before[node]));
        i++;
    }
    assert_int_equal(list->cells.count, i);
}

static bool is_listed(const cn_lacking *list, uint32_t node)
{
    size_t i = 0;
    while (i < list->cells.count && list->cells.nodes[i] != node)
        i++;
    return i < list->cells.count;
}

/* Nodes whose arcs changed, and perhaps others. */
static void assert_graph(const cn_lacking *list, const twin *both, const oracle_arcs *before)
{
    for (size_t i = 1; i < list->cells.count; i++)
        assert_true(list->cells.nodes[i - 1] < list->cells.nodes[i]);
    for (size_t i = 0; i < both->arcs.count; i++) {
        const oracle_arc *arc = &both->arcs.list[i];
        if (arc->from == arc->to || oracle_arc_between(&both->arcs, arc->from, arc->to) ==
                                        oracle_arc_between(before, arc->from, arc->to))
            continue;
        assert_true(is_listed(list, arc->from));
        assert_true(is_listed(list, arc->to));
    }
}

/* A list that is copied now and then, and begins as somebody's of another table. */
static void follow_storm(twin *both, unsigned calls, dice *luck)
{
    cairn_table *table = table_on(both->map);
    const cn_mem *mem = &table->mem;
    const size_t arcs_size = (both->arcs.count + 1) * sizeof *both->arcs.list;
    oracle_arcs arcs = both->arcs;
    char *letters = both->drawn.letters ? letters_of(both) : NULL;
    cn_lacking list = {.is_known = true, .table_hash = table->map_hash + 1};

    arcs.list = malloc(arcs_size);
    assert_non_null(arcs.list);
    if (both->arcs.count)
        memcpy(arcs.list, both->arcs.list, both->arcs.count * sizeof *arcs.list);
    for (unsigned round = 0; round < ROUNDS; round++) {
        storm_edit_often(both, luck, dice_below(luck, calls));
        assert_int_equal(cn_lacking_follow(&list, mem, table, both->map), CAIRN_OK);
        assert_true(cn_lacking_fits(&list, table, both->map));
        if (letters)
            assert_grid(&list, both, letters);
        else
            assert_graph(&list, both, &arcs);
        if (dice_below(luck, 4))
            continue;
        cn_lacking copy = {.is_known = false};
        assert_int_equal(cn_lacking_copy(&copy, mem, &list), CAIRN_OK);
        cn_lacking_free(&list, mem);
        list = copy;
    }
    cn_lacking_free(&list, mem);
    free(letters);
    free(arcs.list);
    cairn_table_free(table);
}

static void a_list_is_what_differs(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4 * STORM_KINDS; kind = (unsigned)seed_after(kind)) {
        twin both = storm_twin(kind % STORM_KINDS, kind + 3);
        dice luck = {kind + 1};
        follow_storm(&both, kind % 2 ? 3 : OFTEN, &luck);
        twin_free(&both);
    }
}

/* Followed often enough, a list is known for longer than any journal; otherwise it begins again
 * where the journal reaches the table, and is not known where it does not. */
static void a_list_outlives_the_journal(void **state)
{
    (void)state;
    twin both = storm_twin(0, 4);
    dice luck = {7};
    cairn_table *table = table_on(both.map);
    const cn_mem *mem = &table->mem;
    char *letters = letters_of(&both);
    cn_lacking often = {.is_known = false}, never = {.is_known = false};

    for (unsigned i = 0; i < LONG / OFTEN; i++) {
        storm_edit_often(&both, &luck, OFTEN);
        assert_int_equal(cn_lacking_follow(&often, mem, table, both.map), CAIRN_OK);
    }
    assert_true(often.is_known);
    assert_grid(&often, &both, letters);
    assert_int_equal(cn_lacking_follow(&never, mem, table, both.map), CAIRN_OK);
    assert_false(never.is_known);
    assert_false(cn_lacking_fits(&never, table, both.map));
    assert_int_equal(cn_lacking_memory(&never) > 0, never.cells.nodes != NULL);
    assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cn_lacking_follow(&never, mem, table, both.map), CAIRN_OK);
    assert_true(cn_lacking_fits(&never, table, both.map));
    assert_int_equal(never.cells.count, 0);
    storm_edit_often(&both, &luck, LONG);
    assert_int_equal(cn_lacking_follow(&often, mem, table, both.map), CAIRN_OK);
    assert_false(often.is_known);
    cn_lacking_free(&often, mem);
    cn_lacking_free(&never, mem);
    free(letters);
    cairn_table_free(table);
    twin_free(&both);
}

static void a_list_may_find_no_memory(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    twin both = storm_twin(0, 5);
    dice luck = {9};
    cairn_table *table = table_on(both.map);
    char *letters = letters_of(&both);
    const cn_mem mem = {failing.allocator};

    storm_edit_often(&both, &luck, OFTEN);
    for (size_t n = 1;; n++) {
        cn_lacking list = {.is_known = false}, copy = {.is_known = false};
        failing_allocator_arm(&failing, n);
        const bool followed = cn_lacking_follow(&list, &mem, table, both.map) == CAIRN_OK;
        const bool copied = followed && cn_lacking_copy(&copy, &mem, &list) == CAIRN_OK;
        const bool struck = failing_allocator_struck(&failing);
        assert_int_equal(copied, !struck);
        assert_true(copied || !copy.cells.nodes);
        assert_true(cn_lacking_fits(&list, table, both.map) == followed);
        if (followed)
            assert_grid(&list, &both, letters);
        if (copied)
            assert_grid(&copy, &both, letters);
        cn_lacking_free(&list, &mem);
        cn_lacking_free(&copy, &mem);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
        if (!struck)
            break;
    }
    free(letters);
    cairn_table_free(table);
    twin_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_is_what_differs),
        cmocka_unit_test(a_list_outlives_the_journal),
        cmocka_unit_test(a_list_may_find_no_memory),
    };
    return cmocka_run_group_tests_name("lacking", tests, NULL, NULL);
}
