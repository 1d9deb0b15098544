/* Floods against the oracle: many maps, all metrics, one and several sources, both widths. */
#include "flood.h"

#include "flood_engine.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { MAPS = 16 * MAP_KINDS, SOURCES_MAX = 5 };

static size_t choose_sources(dice *luck, const picture *drawn, cairn_node *sources)
{
    size_t count = 1 + dice_below(luck, SOURCES_MAX);
    if (dice_below(luck, 2))
        count = 1;
    for (size_t i = 0; i < count; i++)
        sources[i] = dice_open_cell(luck, drawn);
    return count;
}

static uint64_t largest(const uint64_t *costs, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (costs[i] != ORACLE_NEVER && costs[i] > most)
            most = costs[i];
    return most;
}

static void assert_plane(const picture *drawn, const cn_plane *plane, const uint64_t *expected)
{
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        cairn_cost cost = cn_plane_at(plane, node % drawn->width, node / drawn->width);
        if (cost != cost_of(expected[node])) {
            picture_show(drawn);
            print_error("node %u: %u, not %u\n", node, cost, cost_of(expected[node]));
        }
        assert_int_equal(cost, cost_of(expected[node]));
    }
}

static void check_width(const picture *drawn, const cairn_map *map, unsigned bits,
                        const cairn_node *sources, size_t count, const uint64_t *expected)
{
    cn_flooder *flooder;
    cn_plane plane;
    bool fits = bits == 32 || largest(expected, picture_size(drawn)) < UINT16_MAX;

    assert_int_equal(cn_flooder_new(map, bits, &flooder), CAIRN_OK);
    /* Twice: nothing of a run may be left for the next. */
    for (int run = 0; run < 2; run++) {
        cairn_status status = cn_flooder_run(flooder, sources, count, &plane);
        assert_int_equal(status, fits ? CAIRN_OK : CAIRN_E_LIMIT);
        if (fits) {
            assert_int_equal(plane.bits, bits);
            assert_plane(drawn, &plane, expected);
        }
    }
    cn_flooder_free(flooder);
}

static void check_map(const picture *drawn, dice *luck)
{
    for (size_t i = 0; i < FIXTURE_METRICS; i++) {
        cairn_node sources[SOURCES_MAX];
        cairn_map *map = map_of(drawn, fixture_metrics[i]);
        size_t count = choose_sources(luck, drawn, sources);
        uint64_t *expected = oracle_costs(drawn, steps_of(fixture_metrics[i]), sources, count);

        check_width(drawn, map, 32, sources, count, expected);
        check_width(drawn, map, 16, sources, count, expected);
        free(expected);
        cairn_map_free(map);
    }
}

static void a_flood_equals_the_oracle_in_every_metric(void **state)
{
    (void)state;
    dice luck = {12345};
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        if (picture_open_count(&drawn))
            check_map(&drawn, &luck);
        picture_free(&drawn);
    }
}

/* Costs well above 16 bits, and at their very edge. */
static void sixteen_bits_hold_65534_and_no_more(void **state)
{
    (void)state;
    for (uint32_t straight = 65520; straight <= 65540; straight++) {
        picture drawn = PICTURE("..@.", "@@@@");
        cairn_map *map = map_of(&drawn, (cairn_metric){straight, straight});
        cn_flooder *flooder;
        cn_plane plane;
        cairn_node source = 0;

        assert_int_equal(cn_flooder_new(map, 16, &flooder), CAIRN_OK);
        cairn_status status = cn_flooder_run(flooder, &source, 1, &plane);
        assert_int_equal(status, straight <= 65534 ? CAIRN_OK : CAIRN_E_LIMIT);
        if (status == CAIRN_OK) {
            assert_int_equal(cn_plane_at(&plane, 1, 0), straight);
            assert_int_equal(cn_plane_at(&plane, 3, 0), CAIRN_UNREACHABLE);
        }
        cn_flooder_free(flooder);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Steps of 2^20: 1023 of them stay below the limit of 2^30 - 2, 1024 do not. */
static void a_cost_above_the_limit_is_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 1200, 1, 0);
    cairn_cost *costs = malloc(1200 * sizeof *costs);
    cairn_node first = 0, middle = 600;
    cairn_map *map = map_of(&drawn, (cairn_metric){1 << 20, 1 << 20});

    assert_non_null(costs);
    assert_int_equal(cairn_costs_from(map, &first, 1, costs), CAIRN_E_LIMIT);
    assert_int_equal(cairn_costs_from(map, &middle, 1, costs), CAIRN_OK);
    assert_int_equal(costs[0], 600u << 20);
    assert_int_equal(costs[1199], 599u << 20);
    cairn_map_free(map);
    free(costs);
    picture_free(&drawn);
}

static void public_costs_equal_the_oracle(void **state)
{
    (void)state;
    dice luck = {99};
    for (uint64_t seed = 1000; seed < 1000 + 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_cost *costs = malloc(picture_size(&drawn) * sizeof *costs);
        cairn_node sources[SOURCES_MAX];
        size_t count = picture_open_count(&drawn) ? choose_sources(&luck, &drawn, sources) : 0;
        uint64_t *expected = oracle_costs(&drawn, steps_of(CAIRN_METRIC_OCTILE), sources, count);

        assert_non_null(costs);
        assert_int_equal(cairn_costs_from(map, sources, count, costs), CAIRN_OK);
        for (uint32_t node = 0; node < picture_size(&drawn); node++)
            assert_int_equal(costs[node], cost_of(expected[node]));
        free(expected);
        free(costs);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void a_source_that_is_no_open_cell_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE(".@");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_cost costs[2];
    cairn_node blocked[] = {0, 1}, outside = 2;

    assert_int_equal(cairn_costs_from(map, blocked, 2, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_costs_from(map, &outside, 1, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_costs_from(map, NULL, 1, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_costs_from(NULL, blocked, 1, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_costs_from(map, blocked, 1, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_equals_the_oracle_in_every_metric),
        cmocka_unit_test(sixteen_bits_hold_65534_and_no_more),
        cmocka_unit_test(a_cost_above_the_limit_is_refused),
        cmocka_unit_test(public_costs_equal_the_oracle),
        cmocka_unit_test(a_source_that_is_no_open_cell_is_refused),
    };
    return cmocka_run_group_tests_name("flood", tests, NULL, NULL);
}
