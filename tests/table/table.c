/* Tables against the oracle, and the certificate against every small mistake. */
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/tables.h"

enum { MAPS = 10 * MAP_KINDS };

static cairn_metric metric_for(uint64_t seed)
{
    return fixture_metrics[seed / MAP_KINDS % FIXTURE_METRICS];
}

static void assert_drawn_row(const picture *drawn, const cairn_table *table, uint32_t row)
{
    uint64_t *expected = oracle_row(drawn, table, row);
    for (uint32_t node = 0; node < picture_size(drawn); node++)
        if (picture_is_open(drawn, node % drawn->width, node / drawn->width))
            assert_int_equal(cairn_table_cost(table, row, node), cost_of(expected[node]));
    free(expected);
}

static void assert_whole_row(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    const uint32_t count = cairn_map_node_count(map);
    cairn_cost *costs = malloc((count + 1) * sizeof *costs);
    costs[count] = 77;
    assert_int_equal(cairn_table_row(table, map, row, costs), CAIRN_OK);
    for (cairn_node node = 0; node < count; node++)
        assert_int_equal(costs[node], cairn_map_is_open(map, node)
                                          ? cairn_table_cost(table, row, node)
                                          : CAIRN_UNREACHABLE);
    assert_int_equal(costs[count], 77);
    free(costs);
}

static void rows_are_the_oracles_costs_to_their_landmarks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        uint32_t rows = 1 + (uint32_t)(seed % 9);
        cairn_table *table = table_with(map, rows, 0, seed);

        assert_int_equal(cairn_table_row_count(table), rows);
        assert_int_equal(table_check(table, map), CAIRN_OK);
        assert_true(cairn_table_map_hash(table) == cairn_map_hash(map));
        for (uint32_t row = 0; row < rows; row++) {
            assert_drawn_row(&drawn, table, row);
            assert_whole_row(table, map, row);
        }
        assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void entries_are_16_bits_wide_just_where_every_cost_fits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_of(map, 4);
        bool fits = true;
        for (uint32_t row = 0; row < 4; row++) {
            uint64_t *costs = oracle_row(&drawn, table, row);
            for (uint32_t node = 0; node < picture_size(&drawn); node++)
                fits = fits && (costs[node] == ORACLE_NEVER || costs[node] < UINT16_MAX);
            free(costs);
        }
        assert_int_equal(cairn_table_entry_bits(table), fits ? 16 : 32);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* How many landmarks of a row lie in each component; each must be open, in ascending order. */
static void assert_landmarks(const picture *drawn, const cairn_table *table)
{
    uint32_t component_count;
    uint32_t *component = oracle_components(drawn, &component_count);
    uint32_t *seen = calloc(component_count + 1, sizeof *seen);

    assert_non_null(seen);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            assert_true(landmarks[i] < picture_size(drawn));
            assert_true(i == 0 || landmarks[i] > landmarks[i - 1]);
            uint32_t name = component[landmarks[i]];
            assert_int_not_equal(name, UINT32_MAX);
            /* One in each component, in every row from the first until it has no more. */
            assert_int_equal(seen[name], row);
            seen[name]++;
        }
        if (row == 0)
            assert_int_equal(count, component_count);
    }
    free(seen);
    free(component);
}

static void every_row_has_at_most_one_landmark_in_each_component(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        cairn_table *table = table_with(map, 6, 1, seed);
        assert_landmarks(&drawn, table);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static bool is_landmark(const cairn_table *table, uint32_t rows, cairn_node node)
{
    for (uint32_t row = 0; row < rows; row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++)
            if (landmarks[i] == node)
                return true;
    }
    return false;
}

/* Among all earlier landmarks, no open cell lies farther from its nearest than the new one of
 * its component does; and a component without a new one has nothing but landmarks. */
static void assert_farthest(const picture *drawn, const cairn_table *table, uint32_t row)
{
    uint32_t component_count, size = picture_size(drawn);
    uint32_t *component = oracle_components(drawn, &component_count);
    uint64_t *reach = calloc(component_count + 1, sizeof *reach);
    uint64_t *nearest = malloc(size * sizeof *nearest);
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);

    assert_non_null(reach);
    assert_non_null(nearest);
    memset(nearest, 0xff, size * sizeof *nearest);
    for (uint32_t earlier = 0; earlier < row; earlier++) {
        uint64_t *costs = oracle_row(drawn, table, earlier);
        for (uint32_t node = 0; node < size; node++)
            nearest[node] = costs[node] < nearest[node] ? costs[node] : nearest[node];
        free(costs);
    }
    for (size_t i = 0; i < count; i++)
        reach[component[landmarks[i]]] = nearest[landmarks[i]];
    for (uint32_t node = 0; node < size; node++) {
        if (component[node] == UINT32_MAX)
            continue;
        assert_true(nearest[node] <= reach[component[node]]);
        if (reach[component[node]] == 0)
            assert_true(is_landmark(table, row, node));
    }
    free(nearest);
    free(reach);
    free(component);
}

static void each_landmark_is_the_cell_farthest_from_all_earlier_ones(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        cairn_table *table = table_with(map, 5, 1, seed);
        for (uint32_t row = 1; row < 5; row++)
            assert_farthest(&drawn, table, row);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void one_seed_gives_one_table_at_any_thread_count(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        cairn_table *one = table_with(map, 6, 1, seed);
        for (uint32_t threads = 2; threads <= 3; threads++) {
            cairn_table *more = table_with(map, 6, threads, seed);
            assert_same_table(one, more);
            cairn_table_free(more);
        }
        cairn_table_free(one);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void other_seeds_give_other_landmarks(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 40, 40, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *first = table_with(map, 1, 1, 0);
    const cairn_node *of_first, *of_other;
    bool differs = false;

    assert_true(cairn_table_landmarks(first, 0, &of_first) > 0);
    for (uint64_t seed = 1; seed < 20 && !differs; seed++) {
        cairn_table *other = table_with(map, 1, 1, seed);
        size_t count = cairn_table_landmarks(other, 0, &of_other);
        differs = memcmp(of_first, of_other, count * sizeof *of_first) != 0;
        cairn_table_free(other);
    }
    assert_true(differs);
    cairn_table_free(first);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_first_rows_of_a_large_table_are_the_small_table(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        cairn_table *large = table_with(map, 12, 2, seed);
        for (uint32_t rows = 1; rows < 12; rows += 5) {
            cairn_table *small = table_with(map, rows, 1, seed);
            assert_same_rows(small, large);
            cairn_table_free(small);
        }
        cairn_table_free(large);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void assert_rejected(cairn_table *table, const cairn_map *map, const picture *drawn,
                            uint32_t row, cairn_node node, cairn_cost wrong)
{
    cairn_cost right = cairn_table_cost(table, row, node);
    cairn_fault fault;

    if (cairn_table_set_cost(table, row, node, wrong) != CAIRN_OK)
        return;
    cairn_status status = cairn_table_verify(table, map, 1, &fault);
    if (status != CAIRN_E_INEXACT || fault.row != row || fault.node != node) {
        picture_show(drawn);
        print_error("row %u, node %u: %u for %u; named row %u, node %u\n", row, node, wrong, right,
                    fault.row, fault.node);
    }
    assert_int_equal(status, CAIRN_E_INEXACT);
    assert_int_equal(fault.row, row);
    assert_int_equal(fault.node, node);
    assert_int_equal(fault.stored, wrong);
    assert_int_equal(fault.possible, right);
    assert_int_equal(cairn_table_set_cost(table, row, node, right), CAIRN_OK);
}

static void reject_every_entry(cairn_table *table, const cairn_map *map, const picture *drawn)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        for (uint32_t node = 0; node < picture_size(drawn); node++) {
            if (!picture_is_open(drawn, node % drawn->width, node / drawn->width))
                continue;
            cairn_cost right = cairn_table_cost(table, row, node);
            if (right != CAIRN_UNREACHABLE) {
                assert_rejected(table, map, drawn, row, node, right + 1);
                assert_rejected(table, map, drawn, row, node, CAIRN_UNREACHABLE);
            } else {
                assert_rejected(table, map, drawn, row, node, 0);
                assert_rejected(table, map, drawn, row, node, 60000);
            }
            if (right != 0 && right != CAIRN_UNREACHABLE)
                assert_rejected(table, map, drawn, row, node, right - 1);
        }
    }
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
}

static void every_entry_that_is_off_is_found_and_named(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6 * MAP_KINDS; seed++) {
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), 9, 7, seed);
        cairn_map *map = map_of(&drawn, metric_for(seed));
        cairn_table *table = table_with(map, 3, 1, seed);
        reject_every_entry(table, map, &drawn);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Every entry of a component raised by one: only the landmark, whose cost is 0, gives it away. */
static void a_whole_row_that_is_off_is_found(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 20, 20, 4);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 2);
    cairn_fault fault;

    for (uint32_t node = 0; node < picture_size(&drawn); node++) {
        cairn_cost cost = cairn_table_cost(table, 1, node);
        if (cairn_map_is_open(map, node) && cost != CAIRN_UNREACHABLE)
            assert_int_equal(cairn_table_set_cost(table, 1, node, cost + 1), CAIRN_OK);
    }
    assert_int_equal(cairn_table_verify(table, map, 2, &fault), CAIRN_E_INEXACT);
    assert_int_equal(fault.row, 1);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_lowest_faulty_row_is_named_at_any_thread_count(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 30, 30, 4);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 16);

    for (uint32_t row = 5; row < 16; row++)
        assert_int_equal(cairn_table_set_cost(table, row, 2 * row, 3), CAIRN_OK);
    for (uint32_t threads = 0; threads <= 8; threads++) {
        cairn_fault fault;
        assert_int_equal(cairn_table_verify(table, map, threads, &fault), CAIRN_E_INEXACT);
        assert_int_equal(fault.row, 5);
        assert_int_equal(fault.stored, 3);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Makes some entry of a row wrong; false where no open node was drawn. */
static bool spoil(const twin *both, cairn_table *table, uint32_t row, dice *luck)
{
    const cairn_node node = dice_below(luck, both->arcs.node_count);
    if (!twin_is_open(both, node))
        return false;
    const cairn_cost right = cairn_table_cost(table, row, node);
    const cairn_cost other[] = {0, right + 1, right - 1, right + 7, CAIRN_UNREACHABLE};
    const cairn_cost wrong = other[dice_below(luck, COUNT_OF(other))];
    return wrong != right && cairn_table_set_cost(table, row, node, wrong) == CAIRN_OK;
}

/* Rows from and to landmarks, of any number, that are verified together. */
static void the_lowest_of_several_wrong_rows_is_named_on_maps_of_every_kind(void **state)
{
    (void)state;
    unsigned named = 0;
    for (uint64_t seed = 0; seed < seeds_to(12 * STORM_KINDS); seed = seed_after(seed)) {
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        dice luck = {seed + 5};
        cairn_table *table = table_with(both.map, 1 + dice_below(&luck, 40), 1, seed);
        const uint32_t rows = cairn_table_row_count(table);
        uint32_t lowest = UINT32_MAX;
        bool is_spoilt[CAIRN_ROWS_MAX] = {false};

        assert_int_equal(cairn_table_verify(table, both.map, 1, NULL), CAIRN_OK);
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t row = dice_below(&luck, rows);
            if (is_spoilt[row] || !spoil(&both, table, row, &luck))
                continue;
            is_spoilt[row] = true;
            lowest = row < lowest ? row : lowest;
        }
        for (unsigned threads = 1; threads <= 5 && lowest != UINT32_MAX; threads += 2) {
            cairn_fault fault;
            assert_int_equal(cairn_table_verify(table, both.map, threads, &fault), CAIRN_E_INEXACT);
            assert_int_equal(fault.row, lowest);
            assert_int_equal(fault.stored, cairn_table_cost(table, fault.row, fault.node));
            assert_int_not_equal(fault.stored, fault.possible);
            named++;
        }
        cairn_table_free(table);
        twin_free(&both);
    }
    assert_true(named > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_oracles_costs_to_their_landmarks),
        cmocka_unit_test(entries_are_16_bits_wide_just_where_every_cost_fits),
        cmocka_unit_test(every_row_has_at_most_one_landmark_in_each_component),
        cmocka_unit_test(each_landmark_is_the_cell_farthest_from_all_earlier_ones),
        cmocka_unit_test(one_seed_gives_one_table_at_any_thread_count),
        cmocka_unit_test(other_seeds_give_other_landmarks),
        cmocka_unit_test(the_first_rows_of_a_large_table_are_the_small_table),
        cmocka_unit_test(every_entry_that_is_off_is_found_and_named),
        cmocka_unit_test(a_whole_row_that_is_off_is_found),
        cmocka_unit_test(the_lowest_faulty_row_is_named_at_any_thread_count),
        cmocka_unit_test(the_lowest_of_several_wrong_rows_is_named_on_maps_of_every_kind),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
