/* Lines of sight on every kind of map under every rule, against lines clipped in fractions. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/sight_oracle.h"

enum { PAIRS = 1000000, SIDE = 13, LARGE_PAIRS = 400 };

static cairn_map *ruled_map(const picture *drawn, oracle_rule rule)
{
    cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
    cairn_map *map;
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, &map, NULL),
        CAIRN_OK);
    return map;
}

static bool *free_cells(const picture *drawn)
{
    bool *is_free = calloc(picture_size(drawn), sizeof *is_free);
    for (uint32_t node = 0; node < picture_size(drawn); node++)
        is_free[node] = picture_is_open(drawn, node % drawn->width, node / drawn->width);
    return is_free;
}

static void assert_pairs(const picture *drawn, oracle_rule rule, uint32_t pairs, dice *luck,
                         uint64_t *visible)
{
    cairn_map *map = ruled_map(drawn, rule);
    bool *is_free = free_cells(drawn);
    oracle_cells cells = {drawn->width, drawn->height, is_free};

    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t a = dice_below(luck, picture_size(drawn));
        uint32_t b = dice_below(luck, picture_size(drawn));
        bool expected = is_free[a] && is_free[b] && oracle_sight(&cells, rule, a, b);
        if (cairn_sight(map, a, b) != expected || cairn_sight(map, b, a) != expected) {
            picture_show(drawn);
            fail_msg("rule %u from %u to %u: not %d", rule, a, b, expected);
        }
        *visible += expected;
    }
    free(is_free);
    cairn_map_free(map);
}

/* A million pairs in all, over all kinds and rules, on small maps, where lines are often free. */
static void a_line_is_free_as_an_exact_rational_test_says(void **state)
{
    (void)state;
    const uint32_t maps = 20 * MAP_KINDS;
    uint64_t visible[ORACLE_RULES] = {0}, taken = 0;
    for (uint64_t seed = 0; seed < seeds_to(maps); seed = seed_after(seed), taken++) {
        dice luck = {seed + 7};
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), 1 + dice_below(&luck, SIDE),
                                   1 + dice_below(&luck, SIDE), seed);
        for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++)
            assert_pairs(&drawn, rule, PAIRS / (maps * ORACLE_RULES) + 1, &luck, &visible[rule]);
        picture_free(&drawn);
    }
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++)
        assert_true(visible[rule] > taken * 20);
}

static void long_lines_are_free_as_an_exact_rational_test_says(void **state)
{
    (void)state;
    uint64_t visible[ORACLE_RULES] = {0}, taken = 0;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed), taken++) {
        dice luck = {seed + 11};
        picture drawn = any_map(seed);
        for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++)
            assert_pairs(&drawn, rule, LARGE_PAIRS, &luck, &visible[rule]);
        picture_free(&drawn);
    }
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++)
        assert_true(visible[rule] > taken * 20);
}

/* One corner under each rule, worked out by hand. */
static void corners_are_passed_as_the_rule_says(void **state)
{
    (void)state;
    const bool passes[ORACLE_RULES][3] = {
        {true, false, false}, {true, false, false}, {true, true, false}, {true, true, true}};
    picture drawn[] = {PICTURE("..", ".."), PICTURE(".@", ".."), PICTURE(".@", "@.")};

    for (oracle_rule rule = 0; rule < ORACLE_HEX; rule++) {
        for (unsigned i = 0; i < COUNT_OF(drawn); i++) {
            cairn_map *map = ruled_map(&drawn[i], rule);
            assert_int_equal(cairn_sight(map, 0, 3), passes[rule][i]);
            cairn_map_free(map);
        }
    }
    for (unsigned i = 0; i < COUNT_OF(drawn); i++)
        picture_free(&drawn[i]);
}

static void nothing_is_seen_beyond_a_map_or_along_a_graph(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}};
    picture drawn = PICTURE("...", ".@.");
    cairn_map *map = ruled_map(&drawn, ORACLE_8), *graph;

    assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &graph, NULL), CAIRN_OK);
    assert_true(cairn_sight(map, 0, 0));
    assert_true(cairn_sight(map, 0, 2));
    assert_false(cairn_sight(map, 3, 5));
    assert_false(cairn_sight(map, 4, 4));
    assert_false(cairn_sight(map, 0, 6));
    assert_false(cairn_sight(map, CAIRN_NO_NODE, 0));
    assert_true(cairn_sight(graph, 1, 1));
    assert_false(cairn_sight(graph, 0, 1));
    cairn_map_free(graph);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The farthest cells that a map can have. */
static void lines_across_the_widest_maps_do_not_overflow(void **state)
{
    (void)state;
    picture drawn = picture_filled(CAIRN_SIDE_MAX, 3, '.');
    const uint32_t last = picture_size(&drawn) - 1;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        cairn_map *map = ruled_map(&drawn, rule);
        assert_true(cairn_sight(map, 0, last));
        const cairn_edit wall = cairn_rectangle(40000, 0, 1, 3, '@');
        assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
        assert_false(cairn_sight(map, 0, last));
        assert_false(cairn_sight(map, last, 0));
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_free_as_an_exact_rational_test_says),
        cmocka_unit_test(long_lines_are_free_as_an_exact_rational_test_says),
        cmocka_unit_test(corners_are_passed_as_the_rule_says),
        cmocka_unit_test(nothing_is_seen_beyond_a_map_or_along_a_graph),
        cmocka_unit_test(lines_across_the_widest_maps_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
