/* Searches in slices, in every space, on every kind of map and along every kind of table: however
 * they are sliced they find the path of a search that never pauses, by the same expansions. */
#include "system/clock.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { SIDE = 36, QUERIES = 6, SLICE = 8, MAPS = 4, GRAPHS = 60, BETWEEN_TIMES = 4, WALLS = 3 };

typedef enum row_kind { NO_ROWS, ALL_ROWS, STEP_ROWS, CORNER_ROWS, LATE_ROWS, ROW_KINDS } row_kind;

static cairn_table *table_for(cairn_map *map, row_kind kind)
{
    cairn_build_options build = {.size = sizeof build, .landmark_count = 4, .thread_count = 1};
    cairn_table *table;

    if (kind == NO_ROWS)
        return NULL;
    if (kind == STEP_ROWS)
        build.step_metric = (cairn_metric){1, 1};
    if (kind == CORNER_ROWS)
        build.resident = CAIRN_RESIDENT_CORNERS;
    cairn_status status = cairn_table_build(map, &build, &table);
    if (status == CAIRN_E_RESIDENT)
        return NULL;
    assert_int_equal(status, CAIRN_OK);
    return table;
}

static void assert_same(const cairn_path *path, const cairn_path *whole)
{
    assert_int_equal(path->outcome, whole->outcome);
    assert_int_equal(path->cost, whole->cost);
    assert_int_equal(path->expanded, whole->expanded);
    assert_int_equal(path->generated, whole->generated);
    assert_int_equal(path->reopened, whole->reopened);
    assert_int_equal(path->open_peak, whole->open_peak);
    assert_int_equal(path->space, whole->space);
    assert_int_equal(path->state, whole->state);
    assert_int_equal(path->row_count, whole->row_count);
    assert_int_equal(path->guarantee, whole->guarantee);
    assert_int_equal(path->node_count, whole->node_count);
    if (path->node_count)
        assert_memory_equal(path->nodes, whole->nodes, path->node_count * sizeof *path->nodes);
}

/* Each slice but the last expands as many nodes as it may. Returns how many there were. */
static unsigned slice_by(cairn_search *search, cairn_node start, cairn_node goal, unsigned length,
                         cairn_path *path)
{
    unsigned slices = 0;
    assert_int_equal(cairn_search_begin(search, start, goal, path), CAIRN_OK);
    while (path->outcome == CAIRN_PATH_PAUSED) {
        assert_int_equal(path->expanded, (uint64_t)slices++ * length);
        assert_int_equal(path->cost, CAIRN_UNREACHABLE);
        assert_int_equal(cairn_search_resume(search, length, path), CAIRN_OK);
    }
    return slices;
}

/* Returns how many searches were paused. */
static unsigned compare(const cairn_map *map, const cairn_table *table,
                        cairn_search_options options, dice *luck)
{
    cairn_search *search = search_with(map, table, options);
    cairn_search *other = search_with(map, table, options);
    unsigned paused = 0;

    for (unsigned i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_below(luck, cairn_map_node_count(map));
        const cairn_node goal = dice_below(luck, cairn_map_node_count(map));
        cairn_path whole, path;
        assert_int_equal(cairn_search_run(other, start, goal, &whole), CAIRN_OK);
        paused += slice_by(search, start, goal, SLICE, &path) > 1;
        assert_same(&path, &whole);
        slice_by(search, start, goal, 1, &path);
        assert_same(&path, &whole);
        assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
        while (path.outcome == CAIRN_PATH_PAUSED)
            assert_int_equal(cairn_search_resume_for(search, 0, &path), CAIRN_OK);
        assert_same(&path, &whole);
    }
    cairn_search_free(search);
    cairn_search_free(other);
    return paused;
}

/* Opens cells after the rows were computed, so that rows serve by gates or not at all. */
static void open_walls(twin *both, dice *luck)
{
    for (unsigned i = 0; i < WALLS; i++)
        twin_edit(both, luck);
}

static unsigned compare_spaces(twin *both, row_kind kind, uint64_t seed)
{
    static const cairn_search_options options[] = {{.space = CAIRN_SPACE_AUTO},
                                                   {.space = CAIRN_SPACE_CELLS},
                                                   {.space = CAIRN_SPACE_JUMP, .nearest = true},
                                                   {.ties = CAIRN_TIES_FIRST, .weight = 1500}};
    dice luck = {seed};
    unsigned paused = 0;
    cairn_table *table = table_for(both->map, kind);

    if (kind == LATE_ROWS) {
        open_walls(both, &luck);
        if (seed % 2)
            assert_true(cairn_refresh_step(table, both->map, CAIRN_CELLS(0)) <= CAIRN_MORE);
    }
    for (size_t i = 0; i < COUNT_OF(options); i++)
        paused += compare(both->map, table, options[i], &luck);
    cairn_table_free(table);
    return paused;
}

static void slices_find_the_same_on_every_kind_of_grid(void **state)
{
    (void)state;
    unsigned paused = 0, number = 0;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++) {
                if (is_left_out(number++))
                    continue;
                twin both = twin_sized(seed * 7 + kind, (oracle_rule)rule, (terrain_kind)kind,
                                       fixture_metrics[number % FIXTURE_METRICS], SIDE, SIDE);
                for (row_kind rows = 0; rows < ROW_KINDS; rows++)
                    paused += compare_spaces(&both, rows, seed + rule + kind);
                twin_free(&both);
            }
        }
    }
    assert_true(paused > number);
}

static void slices_find_the_same_on_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        for (row_kind rows = 0; rows < ROW_KINDS; rows++)
            compare_spaces(&both, rows, seed);
        twin_free(&both);
    }
}

/* ------------------------------------------------------------------------------------- time -- */

typedef struct watcher {
    uint64_t calls;
    uint64_t cancel_at; /* 0: never */
    uint64_t length;    /* of the slice */
    uint64_t end;       /* of the slice at the latest; 0: not known yet */
    bool is_late;       /* a call of this slice saw that it had ended */
    bool went_on;       /* another call came after that */
} watcher;

static bool watch(void *context)
{
    watcher *self = context;
    self->went_on |= self->is_late;
    const uint64_t now = cn_clock_microseconds();
    if (!self->end)
        self->end = now + self->length;
    self->is_late |= now >= self->end;
    return ++self->calls == self->cancel_at;
}

/* The callback comes before each reading of the clock: one that saw the end of the slice is the
 * last of it, and no more nodes are expanded than between two readings. */
static void assert_ends_in_time(cairn_search *search, watcher *by, cairn_node start,
                                cairn_node goal)
{
    cairn_path path;
    by->is_late = false;
    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    for (uint64_t i = 0; path.outcome == CAIRN_PATH_PAUSED; i++) {
        const uint64_t expanded = path.expanded;
        *by = (watcher){.length = i % 4 * 5};
        assert_int_equal(cairn_search_resume_for(search, by->length, &path), CAIRN_OK);
        assert_false(by->went_on);
        const uint64_t checks = by->calls;
        assert_in_range(path.expanded - expanded, checks * BETWEEN_TIMES,
                        (checks + 1) * BETWEEN_TIMES);
        if (path.outcome == CAIRN_PATH_PAUSED)
            assert_int_equal(path.expanded - expanded, checks * BETWEEN_TIMES);
    }
}

static twin field_of(uint64_t seed)
{
    return twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                      (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS), CAIRN_METRIC_OCTILE,
                      SIDE, SIDE);
}

static void a_slice_of_time_ends_at_the_first_reading_of_the_clock_after_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ORACLE_RULES * TERRAIN_KINDS; seed++) {
        twin both = field_of(seed);
        watcher by = {0};
        cairn_search *search = search_with(
            both.map, NULL, (cairn_search_options){.cancel = watch, .cancel_context = &by});
        dice luck = {seed};
        for (unsigned i = 0; i < QUERIES; i++) {
            const cairn_node goal = dice_below(&luck, cairn_map_node_count(both.map));
            assert_ends_in_time(search, &by, dice_below(&luck, cairn_map_node_count(both.map)),
                                goal);
        }
        cairn_search_free(search);
        twin_free(&both);
    }
}

/* ------------------------------------------------------------------------------ cancelling -- */

static void assert_cancelled(cairn_search *search, watcher *by, cairn_node start, cairn_node goal)
{
    cairn_path whole, path;
    *by = (watcher){0};
    assert_int_equal(cairn_search_run(search, start, goal, &whole), CAIRN_OK);
    const uint64_t calls = by->calls;
    assert_true(calls >= whole.expanded / 64);
    for (uint64_t at = 1; at <= calls; at++) {
        *by = (watcher){.cancel_at = at};
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_E_CANCELLED);
        assert_int_equal(path.cost, CAIRN_UNREACHABLE);
        assert_int_equal(by->calls, at);
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
    }
    *by = (watcher){0};
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.cost, whole.cost);
    assert_int_equal(path.expanded, whole.expanded);
}

static void a_search_ends_when_its_caller_cancels_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ORACLE_RULES * TERRAIN_KINDS; seed++) {
        twin both = field_of(seed);
        watcher by = {0};
        cairn_search *search = search_with(
            both.map, NULL,
            (cairn_search_options){.cancel = watch, .cancel_context = &by, .nearest = seed % 2});
        dice luck = {seed};
        for (unsigned i = 0; i < QUERIES; i++) {
            const cairn_node goal = dice_below(&luck, cairn_map_node_count(both.map));
            assert_cancelled(search, &by, dice_below(&luck, cairn_map_node_count(both.map)), goal);
        }
        cairn_search_free(search);
        twin_free(&both);
    }
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void a_batch_ends_when_its_caller_cancels_it(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", ".@@@@.", "......");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_query queries[] = {{.start = 0, .goal = 17}, {.start = 17, .goal = 0}};
    const cairn_search_options options = {.size = sizeof options, .cancel = always};
    cairn_batch *batch;
    for (unsigned threads = 1; threads < 3; threads++)
        assert_int_equal(cairn_search_batch(map, NULL, queries, 2, &options, threads, &batch),
                         CAIRN_E_CANCELLED);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_find_the_same_on_every_kind_of_grid),
        cmocka_unit_test(slices_find_the_same_on_graphs),
        cmocka_unit_test(a_slice_of_time_ends_at_the_first_reading_of_the_clock_after_it),
        cmocka_unit_test(a_search_ends_when_its_caller_cancels_it),
        cmocka_unit_test(a_batch_ends_when_its_caller_cancels_it),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
