/* Rows that are rebuilt in slices: with budgets that are not enough for a flood a refresh takes
 * little more than rebuilding does, whatever edits have changed, and searches use rows until they
 * are written. */
#include "map/map.h"
#include "flood/flood_engine.h"
#include "refresh/refresh.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { ROWS = 3, SMALL = 5, SIDE = 50, NO_END = 1000000 };

/* Of the kinds of maps that have room for walls. */
static twin ground(uint64_t seed, oracle_rule rule, terrain_kind terrain)
{
    static const map_kind kinds[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_CLUTTERED, MAP_CAVE,
                                     MAP_ROOMS,    MAP_MAZE,   MAP_ISLANDS,   MAP_PILLARS};
    return twin_sized(seed * MAP_KINDS + kinds[seed % COUNT_OF(kinds)], rule, terrain,
                      (cairn_metric){70, 99}, SIDE - (uint32_t)(seed % 3),
                      SIDE - (uint32_t)(seed % 5));
}

static cairn_table *table_on(cairn_map *map, bool counts_steps)
{
    const cairn_metric metric = cairn_map_metric(map), none = {0, 0};
    return table_built(map, (cairn_build_options){.landmark_count = ROWS,
                                                  .thread_count = 1,
                                                  .step_metric = counts_steps ? metric : none});
}

static const cn_sliced_row *sliced_of(const cairn_table *table)
{
    return &((const cn_refresh *)table->refresh)->sliced;
}

static void mark_for_rebuilding(cairn_table *table, const cairn_map *map)
{
    assert_int_equal(step_now(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
    cn_refresh *self = table->refresh;
    for (uint32_t row = 0; row < table->row_count; row++)
        self->row_work[row] |= CN_WORK_REBUILD | CN_WORK_PENDING;
}

/* A wall with a gap, or without. */
static void build_wall(twin *both, uint32_t x, bool is_whole)
{
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    for (uint32_t y = 0; y < height; y++)
        both->drawn.letters[y * width + x] = is_whole || y ? '@' : '.';
    const cairn_edit edits[] = {cairn_rectangle(x, 0, 1, 1, is_whole ? '@' : '.'),
                                cairn_rectangle(x, 1, 1, height - 1, '@')};
    assert_int_equal(cairn_map_edit(both->map, edits, COUNT_OF(edits)), CAIRN_OK);
    twin_list_steps(both);
}

typedef struct course {
    unsigned steps;
    unsigned flooding; /* steps after which a flood was paused */
    unsigned writing;  /* steps after which a row was written in part */
} course;

/* Small steps until all is done, or so many. */
static course make_steps(const twin *both, cairn_table *table, unsigned most, dice *luck)
{
    course made = {0};
    cairn_status status = CAIRN_MORE;
    while (status == CAIRN_MORE && made.steps < most) {
        status = step_now(table, both->map, CAIRN_CELLS(1 + dice_below(luck, 2 * SMALL)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        made.steps++;
        const cn_sliced_row *sliced = sliced_of(table);
        made.flooding += sliced->phase == CN_SLICES_FLOOD;
        made.writing += sliced->phase == CN_SLICES_WRITE;
        if (sliced->phase == CN_SLICES_WRITE)
            assert_int_equal(table->row_state[sliced->row], CAIRN_ROW_UNSAFE);
        if (made.steps % 256 == 0)
            assert_search(both, table, luck);
    }
    return made;
}

static bool pauses(const twin *both, const cairn_table *table)
{
    const cairn_map *row_map;
    assert_int_equal(cn_table_row_map(table, both->map, &row_map), CAIRN_OK);
    return cn_flood_goes_by_tiles(row_map, table->entry_bits);
}

/* Every row is rebuilt; edits, copies of landmarks and unlimited steps come in the middle. */
static void rows_become_exact_in_slices(void **state)
{
    unsigned sliced = 0;
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind = (unsigned)seed_after(kind)) {
        twin both = ground(kind, (oracle_rule)(kind % ORACLE_RULES),
                           (terrain_kind)(kind / ORACLE_RULES));
        dice luck = {kind + 1};
        cairn_table *table = table_on(both.map, kind % 2);
        for (unsigned round = 0; round < 4; round++) {
            build_wall(&both, 10 + 9 * round, round % 2);
            mark_for_rebuilding(table, both.map);
            const unsigned most = round < 2 ? 1 + dice_below(&luck, 40) : NO_END;
            const course made = make_steps(&both, table, most, &luck);
            if (most == NO_END) {
                assert_table_is_exact(&both, table);
                assert_true(!pauses(&both, table) || (made.flooding && made.writing));
                sliced += made.flooding > 0;
            } else if (round == 1) {
                assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
                assert_table_is_exact(&both, table);
            }
        }
        cairn_table_free(table);
        twin_free(&both);
    }
    assert_true(sliced > 0 || cn_cpu_level() == CN_CPU_PORTABLE);
}

/* Edits in every few steps end the flood of a row again and again: after some of these, rows are
 * repaired, which edits do not end. */
static void edits_do_not_keep_rows_from_becoming_exact(void **state)
{
    (void)state;
    twin both = ground(3, ORACLE_8, TERRAIN_UNIFORM);
    dice luck = {9};
    cairn_table *table = table_on(both.map, false);
    unsigned exact = 0;
    for (unsigned round = 0; round < 400 && !exact; round++) {
        if (round)
            (void)twin_edit(&both, &luck);
        else
            build_wall(&both, SIDE / 2, false);
        if (round == 0)
            mark_for_rebuilding(table, both.map);
        (void)make_steps(&both, table, round < 10 ? 8 : 40, &luck);
        for (uint32_t row = 0; row < ROWS; row++)
            exact += table->row_state[row] == CAIRN_ROW_FRESH;
    }
    assert_true(exact > 0);
    (void)make_steps(&both, table, NO_END, &luck);
    assert_table_is_exact(&both, table);
    /* Once rows are exact, others are rebuilt in slices as before. */
    build_wall(&both, SIDE / 3, false);
    mark_for_rebuilding(table, both.map);
    assert_true(make_steps(&both, table, NO_END, &luck).flooding || !pauses(&both, table));
    assert_table_is_exact(&both, table);
    cairn_table_free(table);
    twin_free(&both);
}

/* Steps on two maps that are the same, of which one has another allocator than the table, come to
 * an end. */
static void steps_on_maps_of_two_allocators_end(void **state)
{
    enum { STEPS_MOST = 20000 };
    (void)state;
    twin both = ground(0, ORACLE_8, TERRAIN_UNIFORM);
    failing_allocator counted;
    failing_allocator_init(&counted);
    cairn_map *other = map_with(&both.drawn, CAIRN_METRIC_OCTILE, &counted.allocator);
    assert_int_equal(cairn_map_set_metric(other, cairn_map_metric(both.map)), CAIRN_OK);
    cairn_table *table = table_on(both.map, false);
    const uint32_t height = both.drawn.height;
    const cairn_edit wall = cairn_rectangle(SIDE / 2, 1, 1, height - 1, '@');
    unsigned steps = 0;

    build_wall(&both, SIDE / 2, false);
    assert_int_equal(cairn_map_edit(other, &wall, 1), CAIRN_OK);
    assert_true(cairn_map_hash(other) == cairn_map_hash(both.map));
    mark_for_rebuilding(table, both.map);
    while (steps < STEPS_MOST &&
           step_now(table, steps % 2 ? other : both.map, CAIRN_CELLS(SMALL)) == CAIRN_MORE)
        steps++;
    assert_in_range(steps, 1, STEPS_MOST - 1);
    assert_table_is_exact(&both, table);
    cairn_table_free(table);
    cairn_map_free(other);
    twin_free(&both);
    assert_int_equal(atomic_load(&counted.outstanding), 0);
}

/* The work of small steps in all, in visits, beside what rebuilding in slices takes. */
static void small_steps_take_little_more_than_rebuilding(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(16); seed = seed_after(seed)) {
        twin both = ground(seed, ORACLE_8, TERRAIN_UNIFORM);
        dice luck = {seed + 5};
        cairn_table *table = table_on(both.map, false);
        build_wall(&both, 5 + dice_below(&luck, SIDE - 10), seed % 2);
        const uint64_t before = cairn_table_refresh_counts(table).cells;
        (void)make_steps(&both, table, NO_END, &luck);
        assert_table_is_exact(&both, table);
        const cairn_refresh_counts counts = cairn_table_refresh_counts(table);
        const uint64_t each = cn_refresh_visits_of_slices(table->refresh);
        if (pauses(&both, table))
            assert_in_range(counts.cells - before, 1, ROWS * (2 * each + 500));
        cairn_table_free(table);
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_exact_in_slices),
        cmocka_unit_test(edits_do_not_keep_rows_from_becoming_exact),
        cmocka_unit_test(steps_on_maps_of_two_allocators_end),
        cmocka_unit_test(small_steps_take_little_more_than_rebuilding),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
