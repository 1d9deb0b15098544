/* Tables whose rows live at corners: entries of any cell, bounds, copies, faults, and what is
 * refused, against full rows and the oracle. */
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "table/corner_rows.h"

enum { MAPS = 8 * MAP_KINDS };

static cairn_table *corners_of(cairn_map *map, uint32_t rows, uint64_t seed)
{
    cairn_table *table = table_built(map,
                                     (cairn_build_options){.landmark_count = rows,
                                                           .thread_count = 1,
                                                           .seed = seed,
                                                           .resident = CAIRN_RESIDENT_CORNERS});
    assert_int_equal(cairn_table_resident(table), CAIRN_RESIDENT_CORNERS);
    return table;
}

static cairn_cost entry_of(const cairn_table *table, const void *entries, uint32_t row)
{
    if (table->entry_bits == 32)
        return ((const uint32_t *)entries)[row];
    uint16_t entry = ((const uint16_t *)entries)[row];
    return entry == UINT16_MAX ? CAIRN_UNREACHABLE : entry;
}

static void assert_entries(const cairn_table *table, const cairn_map *map, const picture *drawn)
{
    uint32_t entries[CAIRN_ROWS_MAX];

    for (uint32_t row = 0; row < table->row_count; row++) {
        uint64_t *costs = oracle_row(drawn, table, row);
        for (cairn_node node = 0; node < table->node_count; node++) {
            if (!cairn_map_is_open(map, node)) {
                assert_false(cairn_table_holds(table, node));
                continue;
            }
            cairn_cost right = cost_of(costs[node]);
            cn_corner_rows_at(table, map, node, entries);
            assert_int_equal(entry_of(table, entries, row), right);
            for (uint32_t lane = table->row_count; lane < table->lane_count; lane++)
                assert_int_equal(entry_of(table, entries, lane), 0);
            assert_int_equal(cairn_table_cost(table, row, node),
                             cairn_table_holds(table, node) ? right : 0);
        }
        free(costs);
    }
}

static void entries_of_every_cell_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = corners_of(map, 1 + (uint32_t)(seed * 7 % 18), seed), *copy;
        assert_entries(table, map, &drawn);
        assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
        assert_int_equal(table_check(table, map), CAIRN_OK);
        assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
        assert_int_equal(cairn_table_memory(copy), cairn_table_memory(table));
        cairn_table_free(table);
        assert_entries(copy, map, &drawn);
        cairn_table_free(copy);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void assert_same_bounds(const cairn_map *map, const cairn_table *cells,
                               const cairn_table *corners, cairn_node goal)
{
    cairn_bound one, made, other;
    cairn_node nodes[16];
    cairn_cost bounds[16];
    dice luck = {goal};

    assert_int_equal(cairn_bound_to(map, cells, goal, &one), CAIRN_OK);
    assert_int_equal(cairn_bound_to(map, corners, goal, &made), CAIRN_OK);
    other = made;
    memset(&made, 0xee, sizeof made);
    for (int i = 0; i < 16; i++) {
        do
            nodes[i] = dice_below(&luck, cairn_map_node_count(map));
        while (!cairn_map_is_open(map, nodes[i]));
    }
    assert_int_equal(cairn_bounds_at(&other, nodes, 16, bounds), CAIRN_OK);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(cairn_bound_at(&other, nodes[i]), cairn_bound_at(&one, nodes[i]));
        assert_int_equal(bounds[i], cairn_bound_at(&one, nodes[i]));
    }
}

static void bounds_are_those_of_full_rows(void **state)
{
    (void)state;
    dice luck = {3};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *cells = table_with(map, 5, 1, seed), *corners = corners_of(map, 5, seed);
        for (int i = 0; map->grid.open_count && i < 12; i++)
            assert_same_bounds(map, cells, corners, dice_open_cell(&luck, &drawn));
        cairn_table_free(cells);
        cairn_table_free(corners);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void a_wrong_entry_is_found(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 50, 40, 9);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corners_of(map, 4, 0);
    cairn_fault fault;
    cairn_node node = table->corners->nodes[table->corners->count / 2], none = 0;
    cairn_cost right = cairn_table_cost(table, 2, node);

    while (cairn_table_holds(table, none) || !cairn_map_is_open(map, none))
        none++;
    assert_int_equal(cairn_table_set_cost(table, 2, none, 5), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_set_cost(table, 2, node, right + 1), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 0, &fault), CAIRN_E_INEXACT);
    assert_int_equal(fault.row, 2);
    assert_int_equal(fault.node, node);
    assert_int_equal(fault.stored, right + 1);
    assert_int_equal(fault.possible, right);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void assert_refused(cairn_map *map, cairn_metric steps)
{
    const cairn_build_options options = {.size = sizeof options,
                                         .landmark_count = 2,
                                         .step_metric = steps,
                                         .resident = CAIRN_RESIDENT_CORNERS};
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_E_RESIDENT);
    assert_null(table);
    cairn_map_free(map);
}

static cairn_map *map_under(cairn_rule rule, uint16_t factor)
{
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['S'] = factor;
    const cairn_map_options options = {.size = sizeof options, .rule = rule, .alphabet = &alphabet};
    assert_int_equal(cairn_map_from_letters(4, 3, "..S..@....S.", &options, &map, NULL), CAIRN_OK);
    return map;
}

static void other_maps_are_refused(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 1, 3}, {1, 0, 3}};
    cairn_map *graph;
    assert_refused(map_under(CAIRN_RULE_4, 1), (cairn_metric){0, 0});
    assert_refused(map_under(CAIRN_RULE_8_ANY, 1), (cairn_metric){0, 0});
    assert_refused(map_under(CAIRN_RULE_HEX, 1), (cairn_metric){0, 0});
    assert_refused(map_under(CAIRN_RULE_8, 3), (cairn_metric){0, 0});
    assert_refused(map_under(CAIRN_RULE_8, 3), (cairn_metric){1, 1});
    assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &graph, NULL), CAIRN_OK);
    assert_refused(graph, (cairn_metric){0, 0});
}

/* Landmarks that closed included, and components that were cut off or joined. */
static void a_rebuilt_table_is_exact_on_the_edited_map(void **state)
{
    (void)state;
    dice luck = {14};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = corners_of(map, 1 + (uint32_t)(seed % 5), seed);
        for (int i = 0; i < 3; i++) {
            const cairn_node *landmarks;
            uint64_t version = cairn_table_version(table);
            edit_any(map, &drawn, &luck);
            if (cairn_table_landmarks(table, 0, &landmarks))
                edit_letter(map, &drawn, landmarks[0], '@');
            assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
            assert_true(cairn_table_version(table) > version);
            assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_FRESH);
            assert_int_equal(table_check(table, map), CAIRN_OK);
            assert_entries(table, map, &drawn);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void a_failed_rebuild_leaves_the_table(void **state)
{
    (void)state;
    failing_allocator failing;
    picture drawn = random_map(MAP_CAVE, 30, 20, 5);
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator), *other;
    const cairn_build_options options = {.size = sizeof options,
                                         .landmark_count = 3,
                                         .thread_count = 1,
                                         .resident = CAIRN_RESIDENT_CORNERS};
    cairn_table *table;
    cairn_status status = CAIRN_E_MEMORY;
    dice luck = {15};

    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(3, 2, "......", NULL, &other, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(table, other), CAIRN_E_MISMATCH);
    edit_any(map, &drawn, &luck);
    for (size_t n = 1; status != CAIRN_OK; n++) {
        failing_allocator_arm(&failing, n);
        status = cairn_table_rebuild(table, map);
        assert_true(status == CAIRN_OK || status == CAIRN_E_MEMORY);
    }
    failing_allocator_arm(&failing, 0);
    assert_entries(table, map, &drawn);
    assert_int_equal(failing.held, cairn_map_memory(map) + cairn_table_memory(table));
    cairn_table_free(table);
    cairn_map_free(other);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    failing_allocator failing;
    picture drawn = random_map(MAP_CAVE, 30, 20, 5);
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    const cairn_build_options options = {.size = sizeof options,
                                         .landmark_count = 3,
                                         .thread_count = 1,
                                         .resident = CAIRN_RESIDENT_CORNERS};
    cairn_table *table = NULL, *copy = NULL;

    for (size_t n = 1; !table; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_table_build(map, &options, &table);
        assert_int_equal(status, table ? CAIRN_OK : CAIRN_E_MEMORY);
    }
    assert_int_equal(failing.held, cairn_map_memory(map) + cairn_table_memory(table));
    for (size_t n = 1; !copy; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_table_clone(table, &copy);
        assert_int_equal(status, copy ? CAIRN_OK : CAIRN_E_MEMORY);
    }
    failing_allocator_arm(&failing, 0);
    assert_entries(copy, map, &drawn);
    cairn_table_free(copy);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_every_cell_are_exact),
        cmocka_unit_test(bounds_are_those_of_full_rows),
        cmocka_unit_test(a_wrong_entry_is_found),
        cmocka_unit_test(other_maps_are_refused),
        cmocka_unit_test(a_rebuilt_table_is_exact_on_the_edited_map),
        cmocka_unit_test(a_failed_rebuild_leaves_the_table),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests_name("corner_rows", tests, NULL, NULL);
}
