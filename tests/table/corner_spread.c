/* Rows at corners that spread from the landmarks over the members of the set, against those that
 * floods over all cells give. */
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "table/corner_rows.h"
#include "table/corner_spread.h"

enum { MAPS = 12 * MAP_KINDS, MANY_ROWS = 120 };

/* Floods are faster where corners are many: on maps in which they are not, every cell of a picture
 * is a few. */
static picture wide_map(map_kind kind, uint32_t times, uint64_t seed)
{
    return picture_magnified(random_map(kind, 60 + (uint32_t)seed % 9, 50, seed), times);
}

/* A table of rows that floods have computed, as those of a build have. */
static cairn_table *table_by_floods(cairn_map *map, uint32_t rows, uint64_t seed)
{
    return table_built(map, (cairn_build_options){.landmark_count = rows,
                                                  .seed = seed,
                                                  .resident = CAIRN_RESIDENT_CORNERS});
}

static size_t size_of_entries(const cairn_table *table)
{
    return (size_t)table->corners->count * table->lane_count * (table->entry_bits / 8);
}

/* Whether costs spread; the entries are the same then. */
static bool spreads_to_the_same(cairn_table *table, const cairn_map *map)
{
    bool is_done;

    if (!cn_corner_spread_is_faster(table, map, table->row_count))
        return false;
    void *entries = cn_table_entries_for(table, table->corners->count);
    assert_non_null(entries);
    assert_int_equal(cn_corner_spread(table, map, entries, NULL, &is_done), CAIRN_OK);
    if (is_done)
        assert_memory_equal(table->entries, entries, size_of_entries(table));
    cn_release(&table->mem, entries);
    return is_done;
}

/* Every kind of map, as it is and with few corners, rows in vectors of all lengths. */
static void spread_rows_are_those_of_floods(void **state)
{
    (void)state;
    uint32_t done[MAP_KINDS] = {0}, taken = 0;

    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        const uint32_t rows = MANY_ROWS / (1 + 7 * ((uint32_t)seed / MAP_KINDS % 5));
        picture drawn = any_map(seed);
        if (seed / MAP_KINDS % 3)
            drawn = picture_magnified(drawn, 4);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed / MAP_KINDS % FIXTURE_METRICS]);
        cairn_table *table = table_by_floods(map, rows, seed);
        taken++;
        done[seed % MAP_KINDS] += spreads_to_the_same(table, map);
        table->cpu = CN_CPU_PORTABLE;
        spreads_to_the_same(table, map);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    /* Elsewhere nearly every cell is a landmark, or there are no landmarks. */
    static const map_kind wide[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_CLUTTERED, MAP_CAVE,
                                    MAP_ROOMS,    MAP_MAZE,   MAP_ISLANDS};
    for (size_t i = 0; i < sizeof wide / sizeof *wide && taken == MAPS; i++)
        assert_true(done[wide[i]] > 0);
}

static int compare_nodes(const void *a, const void *b)
{
    const cairn_node left = *(const cairn_node *)a, right = *(const cairn_node *)b;
    return (left > right) - (left < right);
}

/* A row with several landmarks in one component, as edits that join components leave it. */
static void rows_with_many_landmarks_spread(void **state)
{
    (void)state;
    dice luck = {7};
    for (uint64_t seed = 0; seed < 8; seed++) {
        picture drawn = wide_map(seed % 2 ? MAP_CAVE : MAP_ISLANDS, 4, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        size_t start[17];
        cairn_node nodes[16 * 5];
        for (uint32_t row = 0; row <= 16; row++)
            start[row] = 5 * row;
        for (uint32_t row = 0; row < 16; row++) {
            for (uint32_t i = 0; i < 5; i++)
                nodes[5 * row + i] = dice_open_cell(&luck, &drawn);
            qsort(nodes + 5 * row, 5, sizeof *nodes, compare_nodes);
        }
        cn_table_shape shape = {map, 16, 32, false};
        cairn_table *table;
        bool is_done;
        assert_int_equal(cn_corner_rows_new(map, &map->mem, shape,
                                            (cn_landmark_lists){start, nodes}, NULL, &table),
                         CAIRN_OK);
        assert_int_equal(cn_corner_spread(table, map, table->entries, NULL, &is_done), CAIRN_OK);
        assert_true(is_done);
        assert_int_equal(cn_corner_rows_verify(table, map, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A corridor that winds over the whole map: some of its cells cost more than 16 bits hold, though
 * no run does. */
static cairn_map *winding_map(cairn_metric metric)
{
    const uint32_t width = 64, height = 399;
    picture drawn = picture_filled(width, height, '.');
    for (uint32_t y = 1; y < height; y += 2) {
        for (uint32_t x = 0; x < width; x++)
            drawn.letters[y * width + x] = x == (y / 2 % 2 ? 0 : width - 1) ? '.' : '@';
    }
    cairn_map *map = map_of(&drawn, metric);
    picture_free(&drawn);
    return map;
}

static void costs_that_do_not_fit_are_left_to_floods(void **state)
{
    (void)state;
    static const struct {
        uint32_t straight;
        bool fits;
    } tried[] = {{1, true}, {4, true}, {5, false}, {6, false}, {100, false}};

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const uint32_t straight = tried[i].straight;
        cairn_map *map = winding_map((cairn_metric){straight, straight + straight / 3});
        const size_t start[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        const cairn_node nodes[] = {0, 64 * 398, 63, 64 * 200, 31, 64 * 100, 64 * 300, 5};
        cn_table_shape shape = {map, 8, 16, false};
        cairn_table *table;
        cairn_status status = cn_corner_rows_new(map, &map->mem, shape,
                                                 (cn_landmark_lists){start, nodes}, NULL, &table);
        /* The corridor has 12,998 steps. */
        assert_int_equal(status, 12998 * straight < UINT16_MAX ? CAIRN_OK : CAIRN_E_LIMIT);
        if (status == CAIRN_OK) {
            bool is_done;
            assert_true(cn_corner_spread_is_faster(table, map, 8));
            assert_int_equal(cn_corner_spread(table, map, table->entries, NULL, &is_done),
                             CAIRN_OK);
            assert_int_equal(is_done, tried[i].fits);
            cairn_table_free(table);
        }
        cairn_map_free(map);
    }
}

/* Where rows cannot be computed at once, steps find that out, and go on with floods, within their
 * budgets. */
static void steps_keep_to_their_budget(void **state)
{
    enum { BUDGET = 100, ROWS = 8 };
    (void)state;
    cairn_map *map = winding_map((cairn_metric){5, 6});
    cairn_table *table = table_by_floods(map, ROWS, 1);
    const cairn_edit edit = cairn_rectangle(20, 0, 1, 1, '@');
    cairn_status status = CAIRN_MORE;
    uint64_t before = 0;

    assert_int_equal(table->entry_bits, 16);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_true(cn_corner_spread_is_faster(table, map, ROWS));
    while (status == CAIRN_MORE) {
        assert_int_equal(cairn_table_refresh_counts(table).rows_rebuilt, 0);
        status = step_now(table, map, CAIRN_CELLS(BUDGET));
        const uint64_t cells = cairn_table_refresh_counts(table).cells;
        assert_in_range(cells - before, 1, 3 * BUDGET / 2);
        before = cells;
    }
    assert_int_equal(status, CAIRN_OK);
    assert_int_equal(cairn_table_refresh_counts(table).rows_rebuilt, ROWS);
    assert_true(before > 2 * BUDGET);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
}

static bool count_reports(void *context, const char *stage, uint64_t done, uint64_t total)
{
    uint64_t *last = context;
    assert_string_equal(stage, "rows");
    assert_in_range(done, *last, total);
    *last = done;
    return true;
}

static bool stop_after_some(void *context, const char *stage, uint64_t done, uint64_t total)
{
    (void)context;
    (void)stage;
    return done < total / 3;
}

static void progress_is_reported_and_cancels(void **state)
{
    (void)state;
    picture drawn = wide_map(MAP_CAVE, 8, 5);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_by_floods(map, 16, 5);
    uint64_t last = 0, total = (uint64_t)table->node_count * table->row_count;
    const cairn_progress all = {.report = count_reports, .context = &last};
    const cairn_progress some = {.report = stop_after_some};
    cn_watch watch;
    bool is_done;

    cn_watch_init(&watch, &all);
    assert_true(cn_watch_stage(&watch, "rows", total));
    assert_int_equal(cn_corner_spread(table, map, table->entries, &watch, &is_done), CAIRN_OK);
    assert_true(is_done);
    assert_int_equal(last, total);
    cn_watch_init(&watch, &some);
    assert_true(cn_watch_stage(&watch, "rows", total));
    assert_int_equal(cn_corner_spread(table, map, table->entries, &watch, &is_done),
                     CAIRN_E_CANCELLED);
    assert_false(is_done);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    picture drawn = wide_map(MAP_ISLANDS, 4, 2);
    failing_allocator memory;
    failing_allocator_init(&memory);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_by_floods(map, 64, 2);
    cn_mem mem = table->mem;
    bool is_done = false;

    table->mem.allocator = memory.allocator;
    for (size_t n = 1; !is_done; n++) {
        failing_allocator_arm(&memory, n);
        cairn_status status = cn_corner_spread(table, map, table->entries, NULL, &is_done);
        assert_int_equal(status, is_done ? CAIRN_OK : CAIRN_E_MEMORY);
        assert_int_equal(memory.outstanding, 0);
    }
    table->mem = mem;
    assert_int_equal(cn_corner_rows_verify(table, map, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread_rows_are_those_of_floods),
        cmocka_unit_test(rows_with_many_landmarks_spread),
        cmocka_unit_test(costs_that_do_not_fit_are_left_to_floods),
        cmocka_unit_test(steps_keep_to_their_budget),
        cmocka_unit_test(progress_is_reported_and_cancels),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("corner_spread", tests, NULL, NULL);
}
