/* Every flood engine, on every kind of vector that this machine has, against the oracle: the same
 * costs on any map, from one source and several, in both widths of entries, and the same refusal of
 * costs that do not fit. */
#include "flood_engine.h"

#include "support/check.h"
#include "support/fixtures.h"

enum { SOURCES_MAX = 6, MAPS = 40 * MAP_KINDS };

static const char *const vectors[] = {"off", "avx2", "avx512"};

typedef struct contender {
    const char *vectors;
    const cn_flood_engine *engine;
} contender;

static const contender contenders[] = {
    {"off", &cn_flood_lists}, {"off", &cn_flood_trees},  {"off", &cn_flood_bucket},
    {"off", &cn_flood_tiles}, {"avx2", &cn_flood_tiles}, {"avx512", &cn_flood_tiles},
};

/* Runs that trees took part in. */
static size_t tree_runs;

static uint64_t largest(const uint64_t *costs, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (costs[i] != ORACLE_NEVER && costs[i] > most)
            most = costs[i];
    return most;
}

static void assert_plane(const picture *drawn, const char *who, const cn_plane *plane,
                         const uint64_t *expected)
{
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        uint32_t x = node % drawn->width, y = node / drawn->width;
        if (!picture_is_open(drawn, x, y) ||
            cn_plane_at(plane, x, y) == cost_of(expected[node]))
            continue;
        picture_show(drawn);
        fail_msg("%s, %u bits: column %u, row %u is %u, not %u", who, plane->bits, x, y,
                 cn_plane_at(plane, x, y), cost_of(expected[node]));
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

/* NULL where the machine or the map is not one for this engine. */
static cn_flooder *open_flooder(const picture *drawn, const cairn_map *map, const contender *who,
                                unsigned bits)
{
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", who->vectors, 1);
    if (who->engine == &cn_flood_tiles && !cn_flood_tiles_exist(bits))
        return NULL;
    cairn_status opened = cn_flooder_open(map, bits, who->engine, &flooder);
    if (who->engine == &cn_flood_trees && has_loop(drawn)) {
        assert_int_equal(opened, CAIRN_E_ARGUMENT);
        assert_null(flooder);
        return NULL;
    }
    assert_int_equal(opened, CAIRN_OK);
    assert_string_equal(cn_flooder_engine(flooder), who->engine->name);
    tree_runs += who->engine == &cn_flood_trees;
    return flooder;
}

static void check(const picture *drawn, const cairn_map *map, const contender *who, unsigned bits,
                  const cairn_node *sources, size_t count, const uint64_t *expected)
{
    char name[64];
    snprintf(name, sizeof name, "%s with %s", who->engine->name, who->vectors);
    cn_flooder *flooder = open_flooder(drawn, map, who, bits);
    if (!flooder)
        return;

    bool fits = largest(expected, picture_size(drawn)) <
                (bits == 16 ? UINT16_MAX : (uint64_t)CAIRN_COST_MAX + 1);
    /* Twice: nothing of a run may be left for the next. */
    for (int run = 0; run < 2; run++) {
        cn_plane plane;
        cairn_status status = cn_flooder_run(flooder, sources, count, &plane);
        if (status != (fits ? CAIRN_OK : CAIRN_E_LIMIT))
            fail_msg("%s, %u bits: status %d", name, bits, (int)status);
        if (!fits)
            continue;
        assert_int_equal(plane.bits, bits);
        assert_plane(drawn, name, &plane, expected);
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

static void check_from(const picture *drawn, cairn_metric metric, cairn_node source)
{
    check_all(drawn, metric, &source, 1);
}

/* One source as often as several. */
static size_t choose_sources(dice *luck, const picture *drawn, cairn_node *sources)
{
    size_t count = dice_below(luck, 2) ? 1 : 2 + dice_below(luck, SOURCES_MAX - 1);
    for (size_t i = 0; i < count; i++)
        sources[i] = dice_open_cell(luck, drawn);
    return count;
}

static void every_engine_gives_the_costs_of_the_oracle(void **state)
{
    (void)state;
    dice luck = {4711};
    tree_runs = 0;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        for (size_t i = 0; i < FIXTURE_METRICS && picture_open_count(&drawn); i++) {
            cairn_node sources[SOURCES_MAX];
            size_t count = choose_sources(&luck, &drawn, sources);
            check_all(&drawn, fixture_metrics[i], sources, count);
        }
        picture_free(&drawn);
    }
    assert_true(tree_runs > MAPS);
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
    for (uint32_t straight = 930; straight <= 942; straight++) {
        check_from(&corridor, (cairn_metric){straight, straight + straight / 3}, 0);
        check_from(&ground, (cairn_metric){straight, straight + 13}, 0);
    }
    for (uint32_t i = 0; i < 8; i++) {
        cairn_metric wide = {(CAIRN_COST_MAX - 3 + i) / 70, (CAIRN_COST_MAX - 3 + i) / 70 + i};
        check_from(&corridor, wide, 0);
        check_from(&ground, wide, 0);
    }
    picture_free(&ground);
    picture_free(&corridor);
}

/* One step whose cost alone is around what 16 bits hold, and around twice that. */
static void sixteen_bits_hold_steps_of_65534_and_no_more(void **state)
{
    (void)state;
    picture corridor = PICTURE("..@.", "@@@@");
    picture ground = PICTURE("....", "....", ".@..");
    static const cairn_metric metrics[] = {{65534, 65535}, {65535, 65536}, {65536, 131072},
                                           {40000, 80000}, {1 << 23, 1 << 24}};
    for (uint32_t i = 0; i < 31; i++) {
        check_from(&corridor, (cairn_metric){65520 + i, 65520 + i}, 0);
        check_from(&corridor, (cairn_metric){131056 + i, 131056 + i}, 0);
    }
    check_from(&corridor, (cairn_metric){1 << 24, 1 << 24}, 0);
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        check_from(&ground, metrics[i], 5);
    picture_free(&ground);
    picture_free(&corridor);
}

/* Around a ring the two ways meet at 4 x 14,000; a fifth step does not fit, and is not needed. */
static void a_step_that_does_not_fit_matters_only_where_no_other_leads(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", ".@.", "...");
    for (cairn_node source = 0; source < 9; source++)
        if (source != 4)
            check_from(&drawn, (cairn_metric){14000, 14000}, source);
    picture_free(&drawn);
}

/* 1023 steps of 2^20 stay below the limit of 2^30 - 2, 1024 do not; steps of 2^24 would wrap around
 * 32 bits. */
static void costs_above_the_limit_are_refused(void **state)
{
    (void)state;
    picture corridor = random_map(MAP_ALL_OPEN, 1200, 1, 0);
    picture band = random_map(MAP_ALL_OPEN, 1200, 3, 0);
    static const cairn_node sources[] = {0, 175, 176, 177, 600, 1022, 1023, 1024, 1199};
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        check_from(&corridor, (cairn_metric){1 << 20, 1 << 20}, sources[i]);
        check_from(&band, (cairn_metric){1 << 24, 1 << 24}, sources[i]);
    }
    picture_free(&band);
    picture_free(&corridor);
}

static void the_library_chooses_trees_only_for_mazes(void **state)
{
    (void)state;
    static const struct {
        map_kind kind;
        bool trees;
    } claims[] = {{MAP_MAZE, true}, {MAP_ALL_OPEN, false}, {MAP_CLUTTERED, false}};
    for (size_t i = 0; i < COUNT_OF(claims) * COUNT_OF(vectors); i++) {
        picture drawn = random_map(claims[i / COUNT_OF(vectors)].kind, 61, 61, 3);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cn_flooder *flooder;
        setenv("CAIRN_SIMD", vectors[i % COUNT_OF(vectors)], 1);
        assert_int_equal(cn_flooder_new(map, 32, &flooder), CAIRN_OK);
        assert_int_equal(strcmp(cn_flooder_engine(flooder), "trees") == 0,
                         claims[i / COUNT_OF(vectors)].trees);
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
    assert_plane(&drawn, cn_flooder_engine(flooder), &plane, expected);
    cn_flooder_free(flooder);
    cairn_map_free(map);
    free(expected);
    picture_free(&drawn);
}

/* Costs from one open cell, of a flooder that follows the map. */
static void assert_follows(const picture *drawn, cn_flooder *flooder, dice *luck)
{
    cairn_node source = dice_open_cell(luck, drawn);
    uint64_t *expected = oracle_costs(drawn, steps_of(CAIRN_METRIC_OCTILE), &source, 1);
    cn_plane plane;
    assert_int_equal(cn_flooder_run(flooder, &source, 1, &plane), CAIRN_OK);
    assert_plane(drawn, "a flooder that follows edits", &plane, expected);
    free(expected);
}

/* Cells close and open again in any order; others that open may close a loop. */
static void trees_follow_cells_that_close_and_open_again(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        picture drawn = random_map(MAP_MAZE, 9 + 2 * (uint32_t)(seed % 13), 21, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        dice luck = {seed + 1};
        cn_flooder *flooder;
        uint32_t first_count = picture_open_count(&drawn), size = picture_size(&drawn);
        char *first = malloc(size);
        assert_non_null(first);
        memcpy(first, drawn.letters, size);
        assert_int_equal(cn_flooder_open(map, 32, &cn_flood_trees, &flooder), CAIRN_OK);
        for (unsigned round = 0; round < 60; round++) {
            cairn_node cells[5];
            for (unsigned i = 0; i < COUNT_OF(cells); i++) {
                do
                    cells[i] = dice_below(&luck, size);
                while (first[cells[i]] != '.');
                uint32_t x = cells[i] % drawn.width, y = cells[i] / drawn.width;
                bool opens = !picture_is_open(&drawn, x, y) || picture_open_count(&drawn) < 9;
                drawn.letters[cells[i]] = opens ? '.' : '@';
                cairn_edit edit = opens ? cairn_open(x, y) : cairn_block(x, y);
                assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
            }
            assert_true(cn_flooder_update(flooder, map, cells, COUNT_OF(cells)));
            assert_follows(&drawn, flooder, &luck);
        }
        cairn_node wall = 0;
        while (wall < size && first[wall] == '.')
            wall++;
        assert_true(first_count < size);
        cairn_edit edit = cairn_open(wall % drawn.width, wall / drawn.width);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        assert_false(cn_flooder_update(flooder, map, &wall, 1));
        cn_flooder_free(flooder);
        cairn_map_free(map);
        picture_free(&drawn);
        free(first);
    }
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
        for (size_t i = 0; i < COUNT_OF(vectors); i++) {
            setenv("CAIRN_SIMD", vectors[i], 1);
            assert_int_equal(cairn_costs_from(map, sources, count, costs), CAIRN_OK);
            for (uint32_t node = 0; node < picture_size(&drawn); node++)
                assert_int_equal(costs[node], cost_of(expected[node]));
        }
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
        cmocka_unit_test(every_engine_gives_the_costs_of_the_oracle),
        cmocka_unit_test(large_maps_give_the_same_costs),
        cmocka_unit_test(many_components_are_flooded_at_once),
        cmocka_unit_test(costs_at_the_edge_are_held_or_refused),
        cmocka_unit_test(sixteen_bits_hold_steps_of_65534_and_no_more),
        cmocka_unit_test(a_step_that_does_not_fit_matters_only_where_no_other_leads),
        cmocka_unit_test(costs_above_the_limit_are_refused),
        cmocka_unit_test(the_library_chooses_trees_only_for_mazes),
        cmocka_unit_test(corridors_in_a_circle_are_flooded_as_well),
        cmocka_unit_test(trees_follow_cells_that_close_and_open_again),
        cmocka_unit_test(public_costs_equal_the_oracle),
        cmocka_unit_test(a_source_that_is_no_open_cell_is_refused),
    };
    return cmocka_run_group_tests_name("flood", tests, NULL, NULL);
}
