/* Floods against the oracle: every engine, many maps, all metrics, one and several sources, both
 * widths. */
#include "flood.h"

#include "flood_engine.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { MAPS = 40 * MAP_KINDS, SOURCES_MAX = 5 };

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

/* NULL-terminated: those that this machine can run. */
static const cn_flood_engine **engines_for(unsigned bits)
{
    static const cn_flood_engine *engines[] = {&cn_flood_lists, &cn_flood_trees, NULL, NULL};
    engines[2] = cn_flood_tiles_exist(bits) ? &cn_flood_tiles : NULL;
    return engines;
}

/* NULL where the map is not one for this engine. */
static cn_flooder *open_flooder(const cairn_map *map, unsigned bits,
                                const cn_flood_engine *engine)
{
    cn_flooder *flooder;
    cairn_status status = cn_flooder_open(map, bits, engine, &flooder);
    if (engine == &cn_flood_trees && status == CAIRN_E_ARGUMENT) {
        assert_null(flooder);
        return NULL;
    }
    assert_int_equal(status, CAIRN_OK);
    assert_string_equal(cn_flooder_engine(flooder), engine->name);
    return flooder;
}

static void assert_plane(const picture *drawn, const cn_flood_engine *engine,
                         const cn_plane *plane, const uint64_t *expected)
{
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        uint32_t x = node % drawn->width, y = node / drawn->width;
        if (!picture_is_open(drawn, x, y))
            continue;
        cairn_cost cost = cn_plane_at(plane, x, y);
        if (cost != cost_of(expected[node])) {
            picture_show(drawn);
            print_error("%s, node %u: %u, not %u\n", engine->name, node, cost,
                        cost_of(expected[node]));
        }
        assert_int_equal(cost, cost_of(expected[node]));
    }
}

static bool check_engine(const picture *drawn, const cairn_map *map,
                         const cn_flood_engine *engine, unsigned bits,
                         const cairn_node *sources, size_t count, const uint64_t *expected)
{
    cn_flooder *flooder = open_flooder(map, bits, engine);
    cn_plane plane;
    bool fits = bits == 32 || largest(expected, picture_size(drawn)) < UINT16_MAX;

    if (!flooder)
        return false;
    /* Twice: nothing of a run may be left for the next. */
    for (int run = 0; run < 2; run++) {
        cairn_status status = cn_flooder_run(flooder, sources, count, &plane);
        if (status != (fits ? CAIRN_OK : CAIRN_E_LIMIT))
            print_error("%s, %u bits: status %d\n", engine->name, bits, (int)status);
        assert_int_equal(status, fits ? CAIRN_OK : CAIRN_E_LIMIT);
        if (fits) {
            assert_int_equal(plane.bits, bits);
            assert_plane(drawn, engine, &plane, expected);
        }
    }
    cn_flooder_free(flooder);
    return true;
}

/* Returns how often the engine for trees took part. */
static size_t check_map(const picture *drawn, dice *luck)
{
    size_t trees = 0;
    for (size_t i = 0; i < FIXTURE_METRICS; i++) {
        cairn_node sources[SOURCES_MAX];
        cairn_map *map = map_of(drawn, fixture_metrics[i]);
        size_t count = choose_sources(luck, drawn, sources);
        uint64_t *expected = oracle_costs(drawn, steps_of(fixture_metrics[i]), sources, count);

        for (unsigned bits = 16; bits <= 32; bits += 16)
            for (const cn_flood_engine **engine = engines_for(bits); *engine; engine++)
                trees += check_engine(drawn, map, *engine, bits, sources, count, expected) &&
                         *engine == &cn_flood_trees;
        free(expected);
        cairn_map_free(map);
    }
    return trees;
}

static void a_flood_equals_the_oracle_in_every_metric(void **state)
{
    (void)state;
    dice luck = {12345};
    size_t trees = 0;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        if (picture_open_count(&drawn))
            trees += check_map(&drawn, &luck);
        picture_free(&drawn);
    }
    assert_true(trees > MAPS);
}

/* In a corridor of two cells. */
static void check_edge(const cn_flood_engine *engine, uint32_t straight)
{
    picture drawn = PICTURE("..@.", "@@@@");
    cairn_map *map = map_of(&drawn, (cairn_metric){straight, straight});
    cn_flooder *flooder = open_flooder(map, 16, engine);
    cn_plane plane;
    cairn_node source = 0;

    assert_non_null(flooder);
    cairn_status status = cn_flooder_run(flooder, &source, 1, &plane);
    if (status != (straight <= 65534 ? CAIRN_OK : CAIRN_E_LIMIT))
        print_error("%s, steps of %u: status %d\n", engine->name, straight, (int)status);
    assert_int_equal(status, straight <= 65534 ? CAIRN_OK : CAIRN_E_LIMIT);
    if (status == CAIRN_OK) {
        assert_int_equal(cn_plane_at(&plane, 1, 0), straight);
        assert_int_equal(cn_plane_at(&plane, 3, 0), CAIRN_UNREACHABLE);
    }
    cn_flooder_free(flooder);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void sixteen_bits_hold_65534_and_no_more(void **state)
{
    (void)state;
    for (const cn_flood_engine **engine = engines_for(16); *engine; engine++) {
        for (uint32_t straight = 65520; straight <= 65550; straight++)
            check_edge(*engine, straight);
        for (uint32_t straight = 131060; straight <= 131080; straight++)
            check_edge(*engine, straight);
        check_edge(*engine, 1 << 24);
    }
}

/* Around a ring the two ways meet at 4 x 14,000; a fifth step does not fit, and is not needed. */
static void a_step_that_does_not_fit_matters_only_where_no_other_leads(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", ".@.", "...");
    cairn_map *map = map_of(&drawn, (cairn_metric){14000, 14000});

    for (const cn_flood_engine **engine = engines_for(16); *engine; engine++) {
        cn_flooder *flooder = open_flooder(map, 16, *engine);
        cn_plane plane;
        if (!flooder)
            continue;
        for (cairn_node source = 0; source < 9; source++) {
            if (source == 4)
                continue;
            assert_int_equal(cn_flooder_run(flooder, &source, 1, &plane), CAIRN_OK);
            assert_int_equal(cn_plane_at(&plane, 2 - source % 3, 2 - source / 3), 56000);
        }
        cn_flooder_free(flooder);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Steps of 2^20: 1023 of them stay below the limit of 2^30 - 2, 1024 do not. */
static void a_cost_above_the_limit_is_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 1200, 1, 0);
    cairn_map *map = map_of(&drawn, (cairn_metric){1 << 20, 1 << 20});
    cairn_node first = 0, last = 1023, middle = 600;

    for (const cn_flood_engine **engine = engines_for(32); *engine; engine++) {
        cn_flooder *flooder = open_flooder(map, 32, *engine);
        cn_plane plane;
        if (!flooder)
            continue;
        assert_int_equal(cn_flooder_run(flooder, &first, 1, &plane), CAIRN_E_LIMIT);
        assert_int_equal(cn_flooder_run(flooder, &middle, 1, &plane), CAIRN_OK);
        assert_int_equal(cn_plane_at(&plane, 0, 0), 600u << 20);
        assert_int_equal(cn_plane_at(&plane, 1199, 0), 599u << 20);
        assert_int_equal(cn_flooder_run(flooder, &last, 1, &plane), CAIRN_OK);
        assert_int_equal(cn_plane_at(&plane, 0, 0), 1023u << 20);
        cn_flooder_free(flooder);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Far above what 32 bits hold: nothing may wrap around. */
static void costs_that_would_overflow_are_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 1200, 3, 0);
    cairn_map *map = map_of(&drawn, (cairn_metric){1 << 24, 1 << 24});
    for (const cn_flood_engine **engine = engines_for(32); *engine; engine++) {
        cn_flooder *flooder = open_flooder(map, 32, *engine);
        cn_plane plane;
        if (!flooder)
            continue;
        for (cairn_node source = 0; source < 1200; source += 399)
            assert_int_equal(cn_flooder_run(flooder, &source, 1, &plane), CAIRN_E_LIMIT);
        cn_flooder_free(flooder);
    }
    cairn_map_free(map);
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
        cmocka_unit_test(a_step_that_does_not_fit_matters_only_where_no_other_leads),
        cmocka_unit_test(a_cost_above_the_limit_is_refused),
        cmocka_unit_test(costs_that_would_overflow_are_refused),
        cmocka_unit_test(public_costs_equal_the_oracle),
        cmocka_unit_test(a_source_that_is_no_open_cell_is_refused),
    };
    return cmocka_run_group_tests_name("flood", tests, NULL, NULL);
}
