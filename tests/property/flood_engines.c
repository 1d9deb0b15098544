/* Every flood engine, on every kind of vector that this machine has, against the oracle: the same
 * costs on any map, and the same refusal of costs that do not fit. */
#include "flood_engine.h"

#include "support/check.h"
#include "support/fixtures.h"

enum { SOURCES_MAX = 6, MAPS = 6 * MAP_KINDS };

typedef struct contender {
    const char *vectors;
    const cn_flood_engine *engine;
} contender;

static const contender contenders[] = {
    {"off", &cn_flood_lists}, {"off", &cn_flood_trees},  {"off", &cn_flood_tiles},
    {"avx2", &cn_flood_tiles}, {"avx512", &cn_flood_tiles},
};

static uint64_t largest(const uint64_t *costs, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (costs[i] != ORACLE_NEVER && costs[i] > most)
            most = costs[i];
    return most;
}

static void assert_plane(const picture *drawn, const contender *who, const cn_plane *plane,
                         const uint64_t *expected)
{
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        uint32_t x = node % drawn->width, y = node / drawn->width;
        if (!picture_is_open(drawn, x, y) ||
            cn_plane_at(plane, x, y) == cost_of(expected[node]))
            continue;
        picture_show(drawn);
        print_error("%s, %s, %u bits: column %u, row %u is %u, not %u\n", who->engine->name,
                    who->vectors, plane->bits, x, y, cn_plane_at(plane, x, y),
                    cost_of(expected[node]));
        fail();
    }
}

/* Whether two ways lead anywhere: then the engine for trees must refuse the map. */
static bool has_loop(const picture *drawn)
{
    uint32_t steps = 0, components = 0;
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        uint32_t x = node % drawn->width, y = node / drawn->width;
        steps += picture_is_open(drawn, x, y) && picture_is_open(drawn, x + 1, y);
        steps += picture_is_open(drawn, x, y) && picture_is_open(drawn, x, y + 1);
    }
    free(oracle_components(drawn, &components));
    return steps + components != picture_open_count(drawn);
}

static void check(const picture *drawn, const cairn_map *map, const contender *who, unsigned bits,
                  const cairn_node *sources, size_t count, const uint64_t *expected)
{
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", who->vectors, 1);
    if (who->engine == &cn_flood_tiles && !cn_flood_tiles_exist(bits))
        return;
    cairn_status opened = cn_flooder_open(map, bits, who->engine, &flooder);
    if (who->engine == &cn_flood_trees && has_loop(drawn)) {
        assert_int_equal(opened, CAIRN_E_ARGUMENT);
        assert_null(flooder);
        return;
    }
    assert_int_equal(opened, CAIRN_OK);

    bool fits = largest(expected, picture_size(drawn)) <
                (bits == 16 ? UINT16_MAX : (uint64_t)CAIRN_COST_MAX + 1);
    /* Twice: nothing of a run may be left for the next. */
    for (int run = 0; run < 2; run++) {
        cn_plane plane;
        cairn_status status = cn_flooder_run(flooder, sources, count, &plane);
        if (status != (fits ? CAIRN_OK : CAIRN_E_LIMIT))
            print_error("%s, %s, %u bits\n", who->engine->name, who->vectors, bits);
        assert_int_equal(status, fits ? CAIRN_OK : CAIRN_E_LIMIT);
        if (fits)
            assert_plane(drawn, who, &plane, expected);
    }
    cn_flooder_free(flooder);
}

static void check_all(const picture *drawn, cairn_metric metric, const cairn_node *sources,
                      size_t count)
{
    cairn_map *map = map_of(drawn, metric);
    uint64_t *expected = oracle_costs(drawn, steps_of(metric), sources, count);
    for (size_t i = 0; i < COUNT_OF(contenders); i++) {
        check(drawn, map, &contenders[i], 16, sources, count, expected);
        check(drawn, map, &contenders[i], 32, sources, count, expected);
    }
    free(expected);
    cairn_map_free(map);
}

static size_t choose_sources(dice *luck, const picture *drawn, cairn_node *sources)
{
    size_t count = 1 + dice_below(luck, SOURCES_MAX);
    for (size_t i = 0; i < count; i++)
        sources[i] = dice_open_cell(luck, drawn);
    return count;
}

static void every_engine_gives_the_costs_of_the_oracle(void **state)
{
    (void)state;
    dice luck = {4711};
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed + 31);
        for (size_t i = 0; i < FIXTURE_METRICS && picture_open_count(&drawn); i++) {
            cairn_node sources[SOURCES_MAX];
            size_t count = choose_sources(&luck, &drawn, sources);
            check_all(&drawn, fixture_metrics[i], sources, count);
        }
        picture_free(&drawn);
    }
}

/* Several tiles each way, whatever the vectors. */
static void large_maps_give_the_same_costs(void **state)
{
    (void)state;
    static const map_kind kinds[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_CLUTTERED, MAP_BROKEN,
                                     MAP_CAVE,     MAP_ROOMS,  MAP_MAZE,      MAP_ISLANDS};
    dice luck = {1};
    for (size_t i = 0; i < 2 * COUNT_OF(kinds); i++) {
        picture drawn = random_map(kinds[i / 2], 97 + dice_below(&luck, 100),
                                   65 + dice_below(&luck, 100), i);
        cairn_node sources[SOURCES_MAX];
        size_t count = picture_open_count(&drawn) ? choose_sources(&luck, &drawn, sources) : 0;
        if (count)
            check_all(&drawn, i % 2 ? CAIRN_METRIC_OCTILE : (cairn_metric){17, 24}, sources,
                      count);
        picture_free(&drawn);
    }
}

/* One source in each of more components than a byte counts. */
static void many_components_are_flooded_at_once(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CHESSBOARD, 45, 37, 0);
    size_t count = 0;
    cairn_node *sources = malloc(picture_size(&drawn) * sizeof *sources);
    assert_non_null(sources);
    for (uint32_t node = 0; node < picture_size(&drawn); node += 2)
        sources[count++] = node;
    assert_true(count > 255);
    check_all(&drawn, (cairn_metric){5, 7}, sources, count);
    check_all(&drawn, (cairn_metric){5, 7}, sources, 1);
    free(sources);
    picture_free(&drawn);
}

/* Straight costs around the one whose sum just fits, on a corridor that crosses tiles, and on open
 * ground with both kinds of step. */
static void costs_at_the_edge_are_held_or_refused(void **state)
{
    (void)state;
    picture corridor = random_map(MAP_ALL_OPEN, 71, 1, 0);
    picture ground = random_map(MAP_ALL_OPEN, 70, 70, 0);
    cairn_node first = 0;
    for (uint32_t straight = 930; straight <= 942; straight++) {
        check_all(&corridor, (cairn_metric){straight, straight + straight / 3}, &first, 1);
        check_all(&ground, (cairn_metric){straight, straight + 13}, &first, 1);
    }
    for (uint32_t i = 0; i < 8; i++) {
        cairn_metric wide = {(CAIRN_COST_MAX - 3 + i) / 70, (CAIRN_COST_MAX - 3 + i) / 70 + i};
        check_all(&corridor, wide, &first, 1);
        check_all(&ground, wide, &first, 1);
    }
    picture_free(&ground);
    picture_free(&corridor);
}

/* Steps that alone do not fit 16 bits. */
static void steps_of_more_than_sixteen_bits_are_refused_there(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....", ".@..");
    cairn_node source = 5;
    static const cairn_metric metrics[] = {{65534, 65535}, {65535, 65536}, {65536, 131072},
                                           {40000, 80000}, {1 << 23, 1 << 24}};
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        check_all(&drawn, metrics[i], &source, 1);
    picture_free(&drawn);
}

static void the_library_chooses_trees_only_for_mazes(void **state)
{
    (void)state;
    static const struct {
        map_kind kind;
        bool trees;
    } claims[] = {{MAP_MAZE, true}, {MAP_ALL_OPEN, false}, {MAP_CLUTTERED, false}};
    for (size_t i = 0; i < COUNT_OF(claims); i++) {
        picture drawn = random_map(claims[i].kind, 61, 61, 3);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cn_flooder *flooder;
        assert_int_equal(cn_flooder_new(map, 32, &flooder), CAIRN_OK);
        assert_int_equal(strcmp(cn_flooder_engine(flooder), "trees") == 0, claims[i].trees);
        cn_flooder_free(flooder);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A ring has as few moves as a maze, but is none. */
static void corridors_in_a_circle_are_flooded_as_well(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", ".@@@@.", ".@..@.", ".@@@@.", "......");
    uint64_t *expected = oracle_costs(&drawn, steps_of(CAIRN_METRIC_OCTILE), (uint32_t[]){0}, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cn_flooder *flooder;
    cn_plane plane;
    cairn_node source = 0;
    assert_int_equal(cn_flooder_new(map, 32, &flooder), CAIRN_OK);
    assert_int_equal(cn_flooder_run(flooder, &source, 1, &plane), CAIRN_OK);
    assert_plane(&drawn, &contenders[0], &plane, expected);
    cn_flooder_free(flooder);
    cairn_map_free(map);
    free(expected);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_gives_the_costs_of_the_oracle),
        cmocka_unit_test(large_maps_give_the_same_costs),
        cmocka_unit_test(many_components_are_flooded_at_once),
        cmocka_unit_test(costs_at_the_edge_are_held_or_refused),
        cmocka_unit_test(steps_of_more_than_sixteen_bits_are_refused_there),
        cmocka_unit_test(the_library_chooses_trees_only_for_mazes),
        cmocka_unit_test(corridors_in_a_circle_are_flooded_as_well),
    };
    return cmocka_run_group_tests_name("flood engines", tests, NULL, NULL);
}
