/* Landmarks that are chosen over many small steps: they are those that one step chooses, whatever
 * comes between. */
#include "map/map.h"
#include "refresh/refresh.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { ROWS = 3, SIDE = 56, NO_END = 1000000 };

/* What was under way between steps: by user and stage of the search for landmarks. */
static unsigned paused[CN_FARTHEST_MOVES + 1][CN_FARTHEST_BETWEEN + 1];

static twin ground(uint64_t seed, oracle_rule rule, terrain_kind terrain)
{
    static const map_kind kinds[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_CLUTTERED, MAP_CAVE,
                                     MAP_ROOMS,    MAP_MAZE,   MAP_ISLANDS,   MAP_PILLARS};
    return twin_sized(seed * MAP_KINDS + kinds[seed % COUNT_OF(kinds)], rule, terrain,
                      (cairn_metric){70, 99}, SIDE + (uint32_t)(seed % 9), SIDE);
}

static cn_refresh *refresh_of(const cairn_table *table)
{
    return table->refresh;
}

/* Refreshes a table by small budgets, for so many steps at most. Returns whether all rows are
 * exact. */
static bool make_steps(const cairn_map *map, cairn_table *table, unsigned most, dice *luck)
{
    cairn_status status = CAIRN_MORE;
    for (unsigned i = 0; i < most && status == CAIRN_MORE; i++) {
        status = step_now(table, map, CAIRN_CELLS(1 + dice_below(luck, 30)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        const cn_farthest *farthest = &refresh_of(table)->farthest;
        paused[farthest->user][farthest->stage]++;
    }
    return status == CAIRN_OK;
}

static void assert_same_landmarks(const cairn_table *one, const cairn_table *other)
{
    assert_int_equal(cairn_table_row_count(one), cairn_table_row_count(other));
    for (uint32_t row = 0; row < cairn_table_row_count(one); row++) {
        const cairn_node *here, *there;
        const size_t count = cairn_table_landmarks(one, row, &here);
        assert_int_equal(cairn_table_landmarks(other, row, &there), count);
        if (count)
            assert_memory_equal(here, there, count * sizeof *here);
    }
}

/* Draws the letters of a column: a wall without a gap, with one, or what was there. */
static void set_column(twin *both, uint32_t x, const char *letters, bool is_wall, uint32_t gap)
{
    cairn_edit edits[SIDE];
    const uint32_t width = both->drawn.width;
    assert_int_equal(both->drawn.height, SIDE);
    for (uint32_t y = 0; y < SIDE; y++) {
        const char letter = is_wall && y != gap ? '@' : letters[y * width + x];
        both->drawn.letters[y * width + x] = letter;
        edits[y] = cairn_rectangle(x, y, 1, 1, letter);
    }
    assert_int_equal(cairn_map_edit(both->map, edits, SIDE), CAIRN_OK);
}

/* Halves of a map, and thirds, are cut off and joined again. */
static void cut_or_join(twin *both, const char *letters, dice *luck)
{
    const uint32_t x = both->drawn.width / 3 * (1 + dice_below(luck, 2));
    const uint32_t gap = dice_below(luck, 4) == 0 ? dice_below(luck, both->drawn.height)
                                                  : UINT32_MAX;
    set_column(both, x, letters, dice_below(luck, 2), gap);
}

static void assert_rows(twin *both, const cairn_table *table)
{
    twin_list_steps(both);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(&both->arcs, both->map, table, row);
}

static char *letters_of(const twin *both)
{
    const size_t size = (size_t)both->drawn.width * both->drawn.height;
    char *letters = malloc(size);
    assert_non_null(letters);
    memcpy(letters, both->drawn.letters, size);
    return letters;
}

static void choose_in_small_steps(uint64_t seed, oracle_rule rule, terrain_kind terrain)
{
    twin both = ground(seed, rule, terrain);
    dice luck = {seed * 31 + rule * 7 + terrain};
    char *letters = letters_of(&both);
    cairn_table *at_once = table_with(both.map, ROWS, 1, 5),
                *slowly = table_with(both.map, ROWS, 1, 5);

    for (unsigned round = 0; round < 6; round++) {
        cut_or_join(&both, letters, &luck);
        assert_int_equal(cairn_refresh_step(at_once, both.map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_true(make_steps(both.map, slowly, NO_END, &luck));
        assert_same_landmarks(at_once, slowly);
    }
    assert_rows(&both, slowly);
    cairn_table_free(at_once);
    cairn_table_free(slowly);
    free(letters);
    twin_free(&both);
}

static void small_steps_choose_what_one_chooses(void **state)
{
    (void)state;
    memset(paused, 0, sizeof paused);
    for_every_kind(seeds_to(2), choose_in_small_steps);
    assert_true(paused[CN_FARTHEST_SERVES][CN_FARTHEST_LISTS] > 0);
    assert_true(paused[CN_FARTHEST_SERVES][CN_FARTHEST_AT_ENDS] > 0);
    assert_true(paused[CN_FARTHEST_MOVES][CN_FARTHEST_LISTS] > 0);
    assert_true(paused[CN_FARTHEST_MOVES][CN_FARTHEST_AT_ENDS] > 0);
    assert_true(paused[CN_FARTHEST_SERVES_EARLY][CN_FARTHEST_AT_ENDS] > 0 ||
                cn_cpu_level() == CN_CPU_PORTABLE);
}

/* The next step is on another map that is the same, whose components have other numbers. */
static void continue_on_another(uint64_t seed, oracle_rule rule, terrain_kind terrain)
{
    twin both = ground(seed, rule, terrain);
    dice luck = {seed * 37 + rule * 7 + terrain};
    char *letters = letters_of(&both);
    cairn_table *at_once = table_with(both.map, ROWS, 1, 5),
                *slowly = table_with(both.map, ROWS, 1, 5);

    for (unsigned round = 0; round < 6; round++) {
        cut_or_join(&both, letters, &luck);
        assert_int_equal(cairn_refresh_step(at_once, both.map, CAIRN_UNLIMITED), CAIRN_OK);
        twin_list_steps(&both);
        cairn_map *other = twin_rebuilt(&both);
        assert_true(cairn_map_hash(other) == cairn_map_hash(both.map));
        while (!make_steps(both.map, slowly, 1 + dice_below(&luck, 200), &luck) &&
               !make_steps(other, slowly, 1 + dice_below(&luck, 200), &luck))
            continue;
        assert_same_landmarks(at_once, slowly);
        cairn_map_free(other);
    }
    cairn_table_free(at_once);
    cairn_table_free(slowly);
    free(letters);
    twin_free(&both);
}

static void the_map_may_be_another_that_is_the_same(void **state)
{
    (void)state;
    for_every_kind(seeds_to(2), continue_on_another);
}

/* Edits between all steps end searches for landmarks again and again. */
static void interrupt(uint64_t seed, oracle_rule rule, terrain_kind terrain)
{
    twin both = ground(seed, rule, terrain);
    dice luck = {seed * 41 + rule * 7 + terrain};
    char *letters = letters_of(&both);
    cairn_table *table = table_with(both.map, ROWS, 1, 5);
    const uint32_t far = both.drawn.width * both.drawn.height - 1;

    set_column(&both, both.drawn.width / 2, letters, true, UINT32_MAX);
    for (unsigned round = 0; round < 60; round++) {
        if (round == 30)
            set_column(&both, both.drawn.width / 2, letters, false, 0);
        both.drawn.letters[far] = round % 2 ? '@' : letters[far];
        const cairn_edit edit = cairn_rectangle(both.drawn.width - 1, SIDE - 1, 1, 1,
                                                both.drawn.letters[far]);
        assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
        (void)make_steps(both.map, table, 4, &luck);
        assert_in_range(refresh_of(table)->work_lost, 0, CN_LOST_MOST + 1);
    }
    assert_true(make_steps(both.map, table, NO_END, &luck));
    assert_rows(&both, table);
    cairn_table_free(table);
    free(letters);
    twin_free(&both);
}

static void edits_may_interrupt(void **state)
{
    (void)state;
    for_every_kind(seeds_to(1), interrupt);
}

/* A pen of fewer cells than are sought by tiles is shut, and has more than a step may visit. */
static void pens_are_examined_once(void **state)
{
    enum { PEN = 24 };
    (void)state;
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        const cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
        picture drawn = random_map(MAP_ALL_OPEN, 8 * SIDE, SIDE, 1);
        dice luck = {rule + 1};
        cairn_map *map;
        for (uint32_t i = 0; i <= PEN; i++)
            drawn.letters[PEN * drawn.width + i] = drawn.letters[i * drawn.width + PEN] = '@';
        drawn.letters[3 * drawn.width + PEN] = '.';
        assert_int_equal(
            cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
            CAIRN_OK);
        cairn_table *table = table_with(map, ROWS, 1, 5);
        const cairn_edit shut = cairn_block(PEN, 3);
        assert_int_equal(cairn_map_edit(map, &shut, 1), CAIRN_OK);
        assert_true(make_steps(map, table, NO_END, &luck));
        const cairn_refresh_counts counts = cairn_table_refresh_counts(table);
        assert_in_range(counts.rows_rebuilt, 0, 1); /* whose landmark was in the pen */
        assert_in_range(counts.cells, PEN * PEN, ROWS * 20 * PEN * PEN);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Small steps, in half of which an allocation fails. Returns how many failed. */
static unsigned make_failing_steps(const cairn_map *map, cairn_table *table,
                                   failing_allocator *failing, dice *luck)
{
    cairn_status status = CAIRN_MORE;
    unsigned failed = 0;
    while (status != CAIRN_OK) {
        failing_allocator_arm(failing, dice_below(luck, 2) ? 1 + dice_below(luck, 5) : 0);
        status = step_now(table, map, CAIRN_CELLS(30));
        failing_allocator_arm(failing, 0);
        failed += status == CAIRN_E_MEMORY;
        assert_true(status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_E_MEMORY);
    }
    return failed;
}

static void memory_may_end_while_landmarks_are_chosen(void **state)
{
    (void)state;
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        const cairn_map_options options = {
            .size = sizeof options, .rule = (cairn_rule)rule, .allocator = &failing.allocator};
        picture drawn = random_map(MAP_SPARSE, SIDE, SIDE, rule);
        dice luck = {rule + 1};
        cairn_map *map;
        assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                         CAIRN_OK);
        cairn_table *at_once = table_with(map, ROWS, 1, 5), *slowly = table_with(map, ROWS, 1, 5);
        const cairn_edit edits[] = {cairn_rectangle(SIDE / 2, 0, 1, SIDE, '@'),
                                    cairn_rectangle(SIDE / 2, 5, 1, 3, '.')};
        unsigned failed = 0;
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(cairn_map_edit(map, &edits[i % COUNT_OF(edits)], 1), CAIRN_OK);
            assert_int_equal(cairn_refresh_step(at_once, map, CAIRN_UNLIMITED), CAIRN_OK);
            failed += make_failing_steps(map, slowly, &failing, &luck);
            assert_same_landmarks(at_once, slowly);
        }
        assert_true(failed > 4);
        cairn_table_free(at_once);
        cairn_table_free(slowly);
        cairn_map_free(map);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
        picture_free(&drawn);
    }
}

/* A world is published after every small step: its sides, between which the draft changes, have the
 * same components. */
static void worlds_do_not_lose_what_was_found(void **state)
{
    (void)state;
    twin both = ground(0, ORACLE_8, TERRAIN_UNIFORM);
    char *letters = letters_of(&both);
    set_column(&both, both.drawn.width / 2, letters, true, 3); /* it was edited before */
    cairn_map *map;
    cairn_world *world;
    cairn_view draft;
    assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
    assert_int_equal(cairn_world_new(map, table_with(map, ROWS, 1, 5), &world), CAIRN_OK);
    cairn_view view = cairn_world_acquire(world);
    (void)cairn_connected(view.map, 0, 1); /* as a reader's search does */
    cairn_world_release(world, &view);
    const cairn_edit door = cairn_block(both.drawn.width / 2, 3);
    assert_int_equal(cairn_world_edit(world, &door, 1), CAIRN_OK);
    memset(paused, 0, sizeof paused);
    cairn_status status = CAIRN_MORE;
    while (status == CAIRN_MORE) {
        status = world_step_now(world, CAIRN_CELLS(20));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        assert_int_equal(cairn_world_draft(world, &draft), CAIRN_OK);
        const cn_refresh *refresh = draft.table->refresh;
        if (refresh) {
            assert_int_equal(refresh->work_lost, 0);
            paused[refresh->farthest.user][refresh->farthest.stage]++;
        }
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    }
    assert_true(paused[CN_FARTHEST_SERVES_EARLY][CN_FARTHEST_AT_ENDS] > 1 ||
                paused[CN_FARTHEST_SERVES][CN_FARTHEST_AT_ENDS] > 1);
    cairn_world_free(world);
    free(letters);
    twin_free(&both);
}

/* Edits that change nothing, and of terrain that is there already. */
static void edits_without_effect_do_not_interrupt(void **state)
{
    (void)state;
    twin both = ground(0, ORACLE_8, TERRAIN_UNIFORM);
    dice luck = {3};
    char *letters = letters_of(&both);
    cairn_table *table = table_with(both.map, ROWS, 1, 5);
    const cairn_edit none = cairn_rectangle(0, 0, 1, 1, letters[0]);
    set_column(&both, both.drawn.width / 2, letters, true, UINT32_MAX);
    memset(paused, 0, sizeof paused);
    while (!make_steps(both.map, table, 1, &luck)) {
        assert_int_equal(cairn_map_edit(both.map, &none, 1), CAIRN_OK);
        assert_int_equal(refresh_of(table)->work_lost, 0);
    }
    assert_true(paused[CN_FARTHEST_SERVES_EARLY][CN_FARTHEST_AT_ENDS] > 1 ||
                paused[CN_FARTHEST_SERVES][CN_FARTHEST_AT_ENDS] > 1);
    cairn_table_free(table);
    free(letters);
    twin_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_steps_choose_what_one_chooses),
        cmocka_unit_test(the_map_may_be_another_that_is_the_same),
        cmocka_unit_test(edits_may_interrupt),
        cmocka_unit_test(pens_are_examined_once),
        cmocka_unit_test(memory_may_end_while_landmarks_are_chosen),
        cmocka_unit_test(worlds_do_not_lose_what_was_found),
        cmocka_unit_test(edits_without_effect_do_not_interrupt),
    };
    return cmocka_run_group_tests_name("farthest", tests, NULL, NULL);
}
