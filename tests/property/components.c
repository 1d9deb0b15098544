/* The components of every kind of map, through edits that split and join them, against the arcs. */
#include "map/map.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

enum { ROUNDS = 12, EDITS_MAX = 6 };

static uint32_t find(uint32_t *set, uint32_t at)
{
    while (set[at] != at)
        at = set[at] = set[set[at]];
    return at;
}

/* By node, the lowest node that arcs join it to; for free. */
static uint32_t *oracle_sets(const oracle_arcs *arcs)
{
    uint32_t *set = malloc((arcs->node_count + 1) * sizeof *set);
    assert_non_null(set);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        set[node] = node;
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t a = find(set, arcs->list[i].from), b = find(set, arcs->list[i].to);
        set[a > b ? a : b] = a > b ? b : a;
    }
    for (uint32_t node = 0; node < arcs->node_count; node++)
        set[node] = find(set, node);
    return set;
}

/* Every set has one number, every number one set, with so many cells. */
static void assert_components(const cairn_map *map, const uint32_t *set)
{
    const uint32_t node_count = cairn_map_node_count(map);
    uint32_t *number = malloc(node_count * sizeof *number), count = 0;
    const cn_components *components;

    assert_non_null(number);
    assert_int_equal(cn_map_connect(map, &components), CAIRN_OK);
    uint32_t *cells = calloc(components->limit + 1, sizeof *cells);
    assert_non_null(cells);
    for (uint32_t node = 0; node < node_count; node++) {
        number[node] = cn_component_of(components, node);
        assert_int_equal(number[node] == CN_NO_COMPONENT, !cairn_map_is_open(map, node));
        if (number[node] == CN_NO_COMPONENT)
            continue;
        assert_in_range(number[node], 0, components->limit - 1);
        assert_int_equal(number[node], number[set[node]]);
        if (set[node] == node) {
            assert_int_equal(cells[number[node]], 0);
            count++;
        }
        cells[number[node]]++;
    }
    for (uint32_t i = 0; i < components->limit; i++)
        assert_int_equal(cn_component_size(components, i), cells[i]);
    assert_int_equal(components->count, count);
    free(number);
    free(cells);
}

static void assert_connected(const cairn_map *map, const uint32_t *set, dice *luck)
{
    const uint32_t node_count = cairn_map_node_count(map);
    for (unsigned i = 0; i < 20; i++) {
        uint32_t a = dice_below(luck, node_count), b = dice_below(luck, node_count);
        bool expected = cairn_map_is_open(map, a) && cairn_map_is_open(map, b) &&
                        set[a] == set[b];
        assert_int_equal(cairn_connected(map, a, b), expected);
    }
}

static void assert_twin(const twin *both, dice *luck)
{
    uint32_t *set = oracle_sets(&both->arcs);
    cairn_map *copy;

    assert_connected(both->map, set, luck);
    assert_components(both->map, set);
    assert_int_equal(cairn_map_clone(both->map, &copy), CAIRN_OK);
    assert_components(copy, set);
    cairn_map_free(copy);
    free(set);
}

/* Cells one by one, as twin_edit chooses them. */
static void edit_cells(twin *both, dice *luck)
{
    for (uint32_t left = 1 + dice_below(luck, EDITS_MAX); left; left--)
        twin_edit(both, luck);
}

/* A wall with a gate, or a corridor, in one call. */
static void edit_line(twin *both, dice *luck)
{
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    const bool is_row = dice_below(luck, 2);
    const char letter = dice_below(luck, 3) ? '@' : '.';
    const uint32_t line = dice_below(luck, is_row ? height : width);
    const uint32_t length = is_row ? width : height, gate = dice_below(luck, length);
    cairn_edit edits[128];
    uint32_t node = 0;

    for (uint32_t i = 0; i < length; i++) {
        uint32_t x = is_row ? i : line, y = is_row ? line : i;
        node = y * width + x;
        if (i != gate)
            both->drawn.letters[node] = letter;
        edits[i] = cairn_terrain(x, y, both->drawn.letters[node]);
    }
    assert_int_equal(cairn_map_edit(both->map, edits, length), CAIRN_OK);
    twin_set_letter(both, node, both->drawn.letters[node]);
}

static void check_grid(uint64_t seed, oracle_rule rule, ground_kind kind)
{
    dice luck = {seed + 5};
    twin both = twin_sized(seed, rule, kind, CAIRN_METRIC_OCTILE, 10 + dice_below(&luck, 60),
                           10 + dice_below(&luck, 40));

    assert_twin(&both, &luck);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (dice_below(&luck, 2))
            edit_cells(&both, &luck);
        else
            edit_line(&both, &luck);
        assert_twin(&both, &luck);
    }
    twin_free(&both);
}

static void components_are_those_of_the_arcs_through_edits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2 * MAP_KINDS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            check_grid(seed, (oracle_rule)rule, GROUND_PLAIN);
            check_grid(seed + 1000, (oracle_rule)rule, GROUND_ONE_WAY);
        }
        check_grid(seed, (oracle_rule)(seed % ORACLE_RULES),
                   (ground_kind)(seed / ORACLE_RULES % GROUND_KINDS));
    }
}

static void components_of_graphs_are_those_of_the_arcs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dice luck = {seed};
        twin both = twin_any_graph(seed);
        assert_twin(&both, &luck);
        twin_edit(&both, &luck);
        assert_twin(&both, &luck);
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_the_arcs_through_edits),
        cmocka_unit_test(components_of_graphs_are_those_of_the_arcs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
