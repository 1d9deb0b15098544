/* The numbers of components that callers get, on every kind of map, against the arcs. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/twin.h"

/* What a map should have: by node the first node of its component, for free. */
typedef uint32_t *firsts_of(const twin *both);

static uint32_t *blank_firsts(const twin *both)
{
    uint32_t *first = malloc((both->arcs.node_count + 1) * sizeof *first);
    assert_non_null(first);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        first[node] = CAIRN_NO_NODE;
    return first;
}

/* Joined by arcs in any direction: the lower of both ends, until nothing changes. */
static uint32_t *connected_firsts(const twin *both)
{
    uint32_t *first = blank_firsts(both);
    bool has_changed = true;

    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        first[node] = twin_is_open(both, node) ? node : CAIRN_NO_NODE;
    while (has_changed) {
        has_changed = false;
        for (size_t i = 0; i < both->arcs.count; i++) {
            uint32_t *a = &first[both->arcs.list[i].from], *b = &first[both->arcs.list[i].to];
            has_changed = has_changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    return first;
}

/* Paths lead there and back. */
static uint32_t *strong_firsts(const twin *both)
{
    uint32_t *first = blank_firsts(both);

    for (uint32_t node = 0; node < both->arcs.node_count; node++) {
        if (first[node] != CAIRN_NO_NODE || !twin_is_open(both, node))
            continue;
        uint64_t *there = oracle_arc_costs(&both->arcs, ORACLE_FROM, &node, 1);
        uint64_t *back = oracle_arc_costs(&both->arcs, ORACLE_TO, &node, 1);
        for (uint32_t other = node; other < both->arcs.node_count; other++) {
            if (there[other] != ORACLE_NEVER && back[other] != ORACLE_NEVER)
                first[other] = node;
        }
        free(there);
        free(back);
    }
    return first;
}

/* How many components come before that of a node: larger ones, and as large ones that begin
 * earlier. */
static uint32_t place_of(const uint32_t *first, const uint32_t *size, uint32_t count, uint32_t node)
{
    const uint32_t own = first[node];
    uint32_t before = 0;
    for (uint32_t other = 0; other < count; other++) {
        if (first[other] == other)
            before += size[other] > size[own] || (size[other] == size[own] && other < own);
    }
    return before;
}

static void assert_numbers(const twin *both, cairn_connection connection, firsts_of *expect)
{
    const uint32_t node_count = cairn_map_node_count(both->map);
    uint32_t *numbers = malloc((node_count + 1) * sizeof *numbers), count = 0, expected = 0;
    uint32_t *first = expect(both), *size = calloc(node_count + 1, sizeof *size);

    assert_true(numbers && size);
    for (uint32_t node = 0; node < node_count; node++) {
        if (first[node] == CAIRN_NO_NODE)
            continue;
        size[first[node]]++;
        expected += first[node] == node;
    }
    numbers[node_count] = 77;
    assert_int_equal(cairn_map_components(both->map, connection, numbers, &count), CAIRN_OK);
    assert_int_equal(count, expected);
    assert_int_equal(numbers[node_count], 77);
    for (uint32_t node = 0; node < node_count; node++) {
        if (first[node] == CAIRN_NO_NODE)
            assert_int_equal(numbers[node], CAIRN_NO_COMPONENT);
        else if (first[node] != node)
            assert_int_equal(numbers[node], numbers[first[node]]);
        else
            assert_int_equal(numbers[node], place_of(first, size, node_count, node));
    }
    free(numbers);
    free(first);
    free(size);
}

static void assert_both(const twin *both)
{
    assert_numbers(both, CAIRN_CONNECTED, connected_firsts);
    assert_numbers(both, CAIRN_STRONGLY_CONNECTED, strong_firsts);
}

static void check_grid(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed};
    twin both = twin_of(seed, rule, kind, CAIRN_METRIC_OCTILE);
    assert_both(&both);
    for (unsigned round = 0; round < 3; round++) {
        storm_edit(&both, &luck);
        assert_both(&both);
    }
    twin_free(&both);
}

static void numbers_are_those_of_the_arcs_on_every_kind_of_grid(void **state)
{
    (void)state;
    for_every_kind(seeds_to(6), check_grid);
}

static void numbers_of_graphs_are_those_of_the_arcs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(120); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        assert_both(&both);
        twin_free(&both);
    }
}

static void the_largest_comes_first_and_of_equal_ones_the_earlier(void **state)
{
    (void)state;
    const uint32_t none = CAIRN_NO_COMPONENT;
    const uint32_t expected[] = {1, none, 0, 0, 1, none, none, 0, none, 2, none, 0};
    uint32_t numbers[12], count = 0;
    cairn_map *map;

    assert_int_equal(cairn_map_from_letters(4, 3,
                                            ".@.."
                                            ".@@."
                                            "@.@.",
                                            NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_map_components(map, CAIRN_CONNECTED, numbers, &count), CAIRN_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_int_equal(cairn_map_components(map, CAIRN_STRONGLY_CONNECTED, numbers, NULL), CAIRN_OK);
    assert_memory_equal(numbers, expected, sizeof expected);
    cairn_map_free(map);
}

static void a_map_that_is_blocked_has_none(void **state)
{
    (void)state;
    uint32_t numbers[4] = {0}, count = 7;
    cairn_map *map;

    assert_int_equal(cairn_map_from_letters(2, 2, "@@@@", NULL, &map, NULL), CAIRN_OK);
    for (unsigned kind = CAIRN_CONNECTED; kind <= CAIRN_STRONGLY_CONNECTED; kind++) {
        assert_int_equal(cairn_map_components(map, (cairn_connection)kind, numbers, &count),
                         CAIRN_OK);
        assert_int_equal(count, 0);
        assert_int_equal(numbers[3], CAIRN_NO_COMPONENT);
    }
    cairn_map_free(map);
}

static void what_is_no_question_is_refused(void **state)
{
    (void)state;
    uint32_t numbers[1];
    cairn_map *map;

    assert_int_equal(cairn_map_from_letters(1, 1, ".", NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_components(NULL, CAIRN_CONNECTED, numbers, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_components(map, CAIRN_CONNECTED, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_components(map, (cairn_connection)2, numbers, NULL),
                     CAIRN_E_ARGUMENT);
    cairn_map_free(map);
}

static void fail_at_every_allocation(cairn_map *map, cairn_connection connection,
                                     failing_allocator *failing)
{
    uint32_t *numbers = malloc(cairn_map_node_count(map) * sizeof *numbers), count;
    const size_t before = failing->outstanding;
    cairn_status status = CAIRN_E_MEMORY;

    assert_non_null(numbers);
    for (size_t n = 1; status != CAIRN_OK; n++) {
        failing_allocator_arm(failing, n);
        status = cairn_map_components(map, connection, numbers, &count);
        assert_int_equal(status, failing_allocator_struck(failing) ? CAIRN_E_MEMORY : CAIRN_OK);
        assert_int_equal(failing->outstanding, before);
    }
    failing_allocator_arm(failing, 0);
    free(numbers);
}

static void no_memory_is_told(void **state)
{
    (void)state;
    const char *const maps[] = {"..@..", ".>@<."};
    for (unsigned i = 0; i < 2; i++) {
        failing_allocator failing;
        cairn_alphabet one_way;
        cairn_map *map;
        failing_allocator_init(&failing);
        cairn_alphabet_init(&one_way);
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &one_way, NULL), CAIRN_OK);
        const cairn_map_options options = {
            .size = sizeof options, .allocator = &failing.allocator, .alphabet = &one_way};
        assert_int_equal(cairn_map_from_letters(5, 1, maps[i], &options, &map, NULL), CAIRN_OK);
        fail_at_every_allocation(map, CAIRN_CONNECTED, &failing);
        fail_at_every_allocation(map, CAIRN_STRONGLY_CONNECTED, &failing);
        cairn_map_free(map);
        assert_int_equal(failing.outstanding, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_arcs_on_every_kind_of_grid),
        cmocka_unit_test(numbers_of_graphs_are_those_of_the_arcs),
        cmocka_unit_test(the_largest_comes_first_and_of_equal_ones_the_earlier),
        cmocka_unit_test(a_map_that_is_blocked_has_none),
        cmocka_unit_test(what_is_no_question_is_refused),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
