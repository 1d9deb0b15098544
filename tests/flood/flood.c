/* Every flood engine, on every kind of vector that this machine has, against the oracle: the same
 * costs on any map, from one source and several, in both widths of entries, and the same refusal of
 * costs that do not fit. */
#include "flood/flood_tiles.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { SOURCES_MAX = 6, MAPS = 40 * MAP_KINDS, RULED_MAPS = 5 * MAP_KINDS };

static const char *const vectors[] = {"off", "avx2", "avx512"};

typedef struct contender {
    const char *vectors;
    const cn_flood_engine *engine;
} contender;

static const contender contenders[] = {
    {"off", &cn_flood_lists},    {"off", &cn_flood_trees}, {"off", &cn_flood_bucket},
    {"off", &cn_flood_breadth},  {"off", &cn_flood_tiles}, {"avx2", &cn_flood_tiles},
    {"avx512", &cn_flood_tiles},
};

static const cairn_rule rules[ORACLE_RULES] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ONE_SIDE,
                                               CAIRN_RULE_8_ANY, CAIRN_RULE_HEX};

/* A picture as a map of the library. */
typedef struct setting {
    const picture *drawn;
    oracle_rule rule;
    cairn_metric metric;
    cairn_map *map;
} setting;

/* Runs that trees, and the queue, took part in, and pauses of runs in parts. */
static size_t tree_runs, breadth_runs, pauses;

static setting setting_of(const picture *drawn, oracle_rule rule, cairn_metric metric)
{
    setting made = {drawn, rule, metric, NULL};
    cairn_map_options options = {.size = sizeof options, .metric = metric, .rule = rules[rule]};
    assert_int_equal(cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options,
                                            &made.map, NULL),
                     CAIRN_OK);
    return made;
}

/* Two oracles: the one for the default rule is faster. */
static uint64_t *expected_costs(const setting *on, const cairn_node *sources, size_t count)
{
    if (on->rule == ORACLE_8)
        return oracle_costs(on->drawn, steps_of(on->metric), sources, count);
    twin both = {.rule = on->rule, .kind = TERRAIN_UNIFORM, .drawn = *on->drawn};
    oracle_arcs arcs = twin_step_map_arcs(&both, on->metric);
    uint64_t *costs = oracle_arc_costs(&arcs, ORACLE_FROM, sources, count);
    oracle_arcs_free(&arcs);
    return costs;
}

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
        if (!picture_is_open(drawn, x, y) || cn_plane_at(plane, x, y) == cost_of(expected[node]))
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

/* Whether the order of steps is that of costs, and a step asks for nothing but its ends. */
static bool is_for_a_queue(const setting *on)
{
    return on->rule == ORACLE_4 || on->rule == ORACLE_HEX ||
           (on->rule == ORACLE_8_ANY && on->metric.straight == on->metric.diagonal);
}

static bool is_for_trees(const setting *on)
{
    return (on->rule == ORACLE_8 || on->rule == ORACLE_4) && !has_loop(on->drawn);
}

/* NULL where the machine or the map is not one for this engine. */
static cn_flooder *open_flooder(const setting *on, const contender *who, unsigned bits)
{
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", who->vectors, 1);
    if (who->engine == &cn_flood_tiles && !cn_flood_tiles_exist(bits))
        return NULL;
    cairn_status opened = cn_flooder_open(on->map, bits, who->engine, &flooder);
    if ((who->engine == &cn_flood_lists && on->rule != ORACLE_8) ||
        (who->engine == &cn_flood_trees && !is_for_trees(on)) ||
        (who->engine == &cn_flood_breadth && !is_for_a_queue(on))) {
        assert_int_equal(opened, CAIRN_E_ARGUMENT);
        assert_null(flooder);
        return NULL;
    }
    assert_int_equal(opened, CAIRN_OK);
    assert_string_equal(cn_flooder_engine(flooder), who->engine->name);
    tree_runs += who->engine == &cn_flood_trees;
    breadth_runs += who->engine == &cn_flood_breadth;
    return flooder;
}

static bool fits(const picture *drawn, const uint64_t *expected, unsigned bits)
{
    return largest(expected, picture_size(drawn)) <
           (bits == 16 ? UINT16_MAX : (uint64_t)CAIRN_COST_MAX + 1);
}

/* A flood as far as a cost, or until some nodes are reached, or both: limits from the dice. */
typedef struct ending {
    cairn_cost most;
    cairn_node until[2];
    size_t until_count;
    uint64_t ends_at; /* greater costs are not given */
} ending;

static cairn_cost capped(uint64_t cost)
{
    return cost < CAIRN_UNREACHABLE ? (cairn_cost)cost : CAIRN_UNREACHABLE;
}

static ending choose_ending(const picture *drawn, const uint64_t *expected)
{
    static dice luck = {2026};
    ending made = {.most = CAIRN_UNREACHABLE, .ends_at = CAIRN_UNREACHABLE};
    uint64_t dearest = 0;
    if (dice_below(&luck, 2))
        made.most = capped(expected[dice_open_cell(&luck, drawn)]) - dice_below(&luck, 2);
    if (dice_below(&luck, 2))
        made.until_count = 1 + dice_below(&luck, 2);
    for (size_t i = 0; i < made.until_count; i++) {
        made.until[i] = dice_open_cell(&luck, drawn);
        const uint64_t cost = expected[made.until[i]];
        dearest = cost > dearest ? cost : dearest;
    }
    made.ends_at = made.until_count && dearest < made.most ? dearest : made.most;
    return made;
}

static uint64_t *costs_within(const uint64_t *expected, size_t count, uint64_t most)
{
    uint64_t *within = malloc(count * sizeof *within);
    assert_non_null(within);
    for (size_t i = 0; i < count; i++)
        within[i] = expected[i] <= most ? expected[i] : ORACLE_NEVER;
    return within;
}

static void check_limited(const setting *on, const char *name, cn_flooder *flooder, unsigned bits,
                          const cn_flood_task *sources, const uint64_t *expected)
{
    const ending end = choose_ending(on->drawn, expected);
    cn_flood_task task = *sources;
    cn_plane plane;
    task.most = end.most;
    task.until = end.until;
    task.until_count = end.until_count;

    uint64_t *within = costs_within(expected, picture_size(on->drawn), end.ends_at);
    const bool fitting = fits(on->drawn, within, bits);
    assert_int_equal(cn_flooder_run_task(flooder, &task, &plane),
                     fitting ? CAIRN_OK : CAIRN_E_LIMIT);
    if (fitting)
        assert_plane(on->drawn, name, &plane, within);
    free(within);
}

/* A run in parts, after another one that was given up on its way. */
static void check_parts(const setting *on, const char *name, cn_flooder *flooder, unsigned bits,
                        const cn_flood_task *task, const uint64_t *expected)
{
    static dice luck = {1812};
    const cairn_node elsewhere = dice_open_cell(&luck, on->drawn);
    const uint64_t part = 1 + dice_below(&luck, dice_below(&luck, 2) ? 30 : 3000);
    uint64_t cells = part;
    cairn_status status = CAIRN_MORE;
    cn_plane plane;

    if (!cn_flooder_may_pause(flooder))
        return;
    cn_flooder_begin(flooder, task->way, &elsewhere, 1);
    cn_flooder_resume(flooder, task->way, &cells, &plane);
    cn_flooder_begin(flooder, task->way, task->sources, task->source_count);
    while (status == CAIRN_MORE) {
        cells = part;
        status = cn_flooder_resume(flooder, task->way, &cells, &plane);
        assert_true(cells < part || status != CAIRN_MORE);
        pauses += status == CAIRN_MORE;
    }
    const bool fitting = fits(on->drawn, expected, bits);
    assert_int_equal(status, fitting ? CAIRN_OK : CAIRN_E_LIMIT);
    if (fitting)
        assert_plane(on->drawn, name, &plane, expected);
}

/* One run, there or back, which comes to the same, after one that ended earlier. */
static void check_run(const setting *on, const contender *who, cn_flooder *flooder, unsigned bits,
                      const cairn_node *sources, size_t count, const uint64_t *expected)
{
    char name[80];
    cn_plane plane;
    bool back = count % 2 == 0, fitting = fits(on->drawn, expected, bits);
    const cn_flood_task sources_alone = {
        .way = back ? CN_REVERSE : CN_FORWARD, .sources = sources, .source_count = count};
    snprintf(name, sizeof name, "%s with %s, rule %d", who->engine->name, who->vectors,
             (int)on->rule);
    check_limited(on, name, flooder, bits, &sources_alone, expected);
    check_parts(on, name, flooder, bits, &sources_alone, expected);
    cairn_status status = (back ? cn_flooder_run_back : cn_flooder_run)(flooder, sources, count,
                                                                        &plane);
    if (status != (fitting ? CAIRN_OK : CAIRN_E_LIMIT))
        fail_msg("%s, %u bits: status %d", name, bits, (int)status);
    if (!fitting)
        return;
    assert_int_equal(plane.bits, bits);
    assert_plane(on->drawn, name, &plane, expected);
}

/* Twice: nothing of a run may be left for the next. */
static void check(const setting *on, const contender *who, unsigned bits, const cairn_node *sources,
                  size_t count, const uint64_t *expected)
{
    cn_flooder *flooder = open_flooder(on, who, bits);
    for (int run = 0; run < 2 && flooder; run++)
        check_run(on, who, flooder, bits, sources, count, expected);
    cn_flooder_free(flooder);
}

static void check_ruled(const picture *drawn, oracle_rule rule, cairn_metric metric,
                        const cairn_node *sources, size_t count)
{
    setting on = setting_of(drawn, rule, metric);
    uint64_t *expected = expected_costs(&on, sources, count);
    for (size_t i = 0; i < COUNT_OF(contenders); i++) {
        check(&on, &contenders[i], 16, sources, count, expected);
        check(&on, &contenders[i], 32, sources, count, expected);
    }
    free(expected);
    cairn_map_free(on.map);
}

static void check_all(const picture *drawn, cairn_metric metric, const cairn_node *sources,
                      size_t count)
{
    check_ruled(drawn, ORACLE_8, metric, sources, count);
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
    tree_runs = pauses = 0;
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
    assert_true(pauses > 100 * MAPS);
}

static void every_engine_gives_the_costs_of_the_oracle_under_every_rule(void **state)
{
    (void)state;
    static const cairn_metric metrics[] = {{1, 1}, {2378, 3363}, {5, 7}, {1, 2}, {3, 3}};
    dice luck = {815};
    tree_runs = breadth_runs = 0;
    for (uint64_t seed = 0; seed < RULED_MAPS; seed++) {
        picture drawn = any_map(seed);
        for (oracle_rule rule = ORACLE_4; rule < ORACLE_RULES && picture_open_count(&drawn);
             rule++) {
            cairn_node sources[SOURCES_MAX];
            size_t count = choose_sources(&luck, &drawn, sources);
            check_ruled(&drawn, rule, metrics[seed % COUNT_OF(metrics)], sources, count);
            check_ruled(&drawn, rule, (cairn_metric){1, 1}, sources, count);
        }
        picture_free(&drawn);
    }
    assert_true(tree_runs > RULED_MAPS);
    assert_true(breadth_runs > 8 * RULED_MAPS);
}

/* Around what the entries hold, from both sides, where paths may be joined by corners alone. */
static void costs_at_the_edge_are_held_or_refused_under_every_rule(void **state)
{
    (void)state;
    picture drawn[] = {random_map(MAP_ALL_OPEN, 41, 1, 0), random_map(MAP_SPARSE, 37, 35, 3),
                       random_map(MAP_CHESSBOARD, 36, 38, 0), random_map(MAP_BROKEN, 40, 33, 5)};
    for (size_t i = 0; i < COUNT_OF(drawn); i++) {
        dice luck = {i};
        cairn_node source = dice_open_cell(&luck, &drawn[i]);
        for (oracle_rule rule = ORACLE_4; rule < ORACLE_RULES; rule++) {
            setting on = setting_of(&drawn[i], rule, (cairn_metric){1, 1});
            uint64_t *steps = expected_costs(&on, &source, 1);
            uint64_t most = largest(steps, picture_size(&drawn[i]));
            for (uint32_t k = 0; k < 5 && most; k++) {
                cairn_cost narrow = (cairn_cost)((UINT16_MAX - 2 + k) / most);
                cairn_cost wide = (cairn_cost)((CAIRN_COST_MAX - 2 + (uint64_t)k) / most);
                check_ruled(&drawn[i], rule, (cairn_metric){narrow, narrow}, &source, 1);
                check_ruled(&drawn[i], rule, (cairn_metric){narrow + 1, narrow + 1}, &source, 1);
                if (wide < 1 << 24)
                    check_ruled(&drawn[i], rule, (cairn_metric){wide, wide + k % 2}, &source, 1);
                if (wide < 1 << 24)
                    check_ruled(&drawn[i], rule, (cairn_metric){wide + 1, wide + 1}, &source, 1);
            }
            free(steps);
            cairn_map_free(on.map);
        }
        picture_free(&drawn[i]);
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
            check_all(&drawn, i % 2 ? CAIRN_METRIC_OCTILE : (cairn_metric){17, 24}, sources, count);
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
 * map with both kinds of step. */
static void costs_at_the_edge_are_held_or_refused(void **state)
{
    (void)state;
    picture corridor = random_map(MAP_ALL_OPEN, 71, 1, 0);
    picture field = random_map(MAP_ALL_OPEN, 70, 70, 0);
    for (uint32_t straight = 930; straight <= 942; straight++) {
        check_from(&corridor, (cairn_metric){straight, straight + straight / 3}, 0);
        check_from(&field, (cairn_metric){straight, straight + 13}, 0);
    }
    for (uint32_t i = 0; i < 8; i++) {
        cairn_metric wide = {(CAIRN_COST_MAX - 3 + i) / 70, (CAIRN_COST_MAX - 3 + i) / 70 + i};
        check_from(&corridor, wide, 0);
        check_from(&field, wide, 0);
    }
    picture_free(&field);
    picture_free(&corridor);
}

/* One step whose cost alone is around what 16 bits hold, and around twice that. */
static void sixteen_bits_hold_steps_of_65534_and_no_more(void **state)
{
    (void)state;
    picture corridor = PICTURE("..@.", "@@@@");
    picture field = PICTURE("....", "....", ".@..");
    static const cairn_metric metrics[] = {
        {65534, 65535}, {65535, 65536}, {65536, 131072}, {40000, 80000}, {1 << 23, 1 << 24}};
    for (uint32_t i = 0; i < 31; i++) {
        check_from(&corridor, (cairn_metric){65520 + i, 65520 + i}, 0);
        check_from(&corridor, (cairn_metric){131056 + i, 131056 + i}, 0);
    }
    check_from(&corridor, (cairn_metric){1 << 24, 1 << 24}, 0);
    for (size_t i = 0; i < COUNT_OF(metrics); i++)
        check_from(&field, metrics[i], 5);
    picture_free(&field);
    picture_free(&corridor);
}

/* Level upon level, until one is one too many: 3 x 21,845 and 1,024 x 2^20. */
static void levels_end_where_costs_do(void **state)
{
    (void)state;
    picture corridor = random_map(MAP_ALL_OPEN, 1200, 1, 0);
    picture crossing = PICTURE("@.@@", "....", "@..@");
    for (oracle_rule rule = ORACLE_4; rule < ORACLE_RULES; rule++) {
        for (cairn_node source = 174; source < 178; source++)
            check_ruled(&corridor, rule, (cairn_metric){1 << 20, 1 << 20}, &source, 1);
        for (cairn_node source = 4; source < 8; source++)
            check_ruled(&crossing, rule, (cairn_metric){21845, 21845}, &source, 1);
    }
    picture_free(&crossing);
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

/* Whether a flood has put no cost at all on a cell. */
static bool is_left_alone(cn_plane plane, uint32_t x, uint32_t y)
{
    plane.most = cn_plane_most(plane.bits);
    return cn_plane_at(&plane, x, y) == CAIRN_UNREACHABLE;
}

/* Puts something into a plane that no flood has, where the last one has not been. */
static void mark(const cn_plane *plane, uint32_t x, uint32_t y)
{
    const size_t tile = (size_t)(y >> plane->row_shift) * plane->columns + (x >> plane->lane_shift);
    cn_entry_put((void *)plane->costs, cn_plane_index(plane, x, y), plane->bits, 4711);
    if (plane->live)
        ((uint8_t *)plane->live)[tile] = 1;
}

/* The second flood of a flooder lists the little that it has reached, and the third one clears no
 * more than that. */
static void assert_little_is_cleared(cn_flooder *flooder, const picture *drawn)
{
    enum { REACH = 10, PER_COLUMN = 3 * REACH };
    static const cairn_node sources[] = {2 * REACH, 2 * REACH, 5 * REACH};
    const uint32_t x = drawn->width - 1, y = drawn->height - 1;
    cn_plane plane;
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        const cn_flood_task task = {.sources = &sources[i], .source_count = 1, .most = REACH};
        assert_int_equal(cn_flooder_run_task(flooder, &task, &plane), CAIRN_OK);
        assert_int_equal(cn_plane_at(&plane, sources[i] + REACH, 0), REACH);
        assert_true(plane.held && plane.held_count < PER_COLUMN * PER_COLUMN);
        if (i == 1)
            mark(&plane, x, y);
    }
    assert_true(is_left_alone(plane, sources[0], 0) && is_left_alone(plane, REACH, 0));
    plane.most = cn_plane_most(plane.bits);
    assert_int_equal(cn_plane_at(&plane, x, y), 4711);
}

static void a_flood_clears_where_the_last_one_has_been(void **state)
{
    (void)state;
    picture drawn[] = {random_map(MAP_ALL_OPEN, 200, 200, 0), random_map(MAP_ALL_OPEN, 9000, 1, 0)};
    for (unsigned i = 0; i < COUNT_OF(drawn) * ORACLE_RULES; i++) {
        const picture *own = &drawn[i / ORACLE_RULES];
        setting on = setting_of(own, (oracle_rule)(i % ORACLE_RULES), (cairn_metric){1, 1});
        for (size_t k = 0; k < 2 * COUNT_OF(contenders); k++) {
            cn_flooder *flooder = open_flooder(&on, &contenders[k / 2], k % 2 ? 16 : 32);
            if (flooder)
                assert_little_is_cleared(flooder, own);
            cn_flooder_free(flooder);
        }
        cairn_map_free(on.map);
    }
    for (size_t i = 0; i < COUNT_OF(drawn); i++)
        picture_free(&drawn[i]);
}

/* Floods stop some way behind the last cost that is needed. */
static void a_flood_with_an_end_leaves_far_cells_alone(void **state)
{
    (void)state;
    enum { SIDE = 200 };
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 0);
    for (oracle_rule rule = ORACLE_8; rule < ORACLE_RULES; rule++) {
        setting on = setting_of(&drawn, rule, (cairn_metric){1, 1});
        const cairn_node source = 0, until = 10;
        for (size_t i = 0; i < 4 * COUNT_OF(contenders); i++) {
            cn_flooder *flooder = open_flooder(&on, &contenders[i / 4], i % 2 ? 16 : 32);
            const cn_flood_task task = {.sources = &source,
                                        .source_count = 1,
                                        .most = i / 2 % 2 ? CAIRN_UNREACHABLE : 10,
                                        .until = &until,
                                        .until_count = i / 2 % 2};
            cn_plane plane;
            if (!flooder)
                continue;
            assert_int_equal(cn_flooder_run_task(flooder, &task, &plane), CAIRN_OK);
            assert_int_equal(cn_plane_at(&plane, 10, 0), 10);
            assert_true(is_left_alone(plane, SIDE - 1, SIDE - 1));
            assert_true(is_left_alone(plane, SIDE / 2, 0));
            cn_flooder_free(flooder);
        }
        cairn_map_free(on.map);
    }
    picture_free(&drawn);
}

static const char *chosen_for(map_kind kind, oracle_rule rule, cairn_metric metric,
                              const char *simd)
{
    picture drawn = random_map(kind, 61, 61, 3);
    setting on = setting_of(&drawn, rule, metric);
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", simd, 1);
    assert_int_equal(cn_flooder_new(on.map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
    const char *name = cn_flooder_engine(flooder);
    cn_flooder_free(flooder);
    cairn_map_free(on.map);
    picture_free(&drawn);
    return name;
}

/* Without vectors, and where walls stand close, the queue; trees know nothing of hexagons. */
static void the_library_chooses_a_queue_where_all_steps_cost_the_same(void **state)
{
    (void)state;
    const cairn_metric unit = {1, 1}, octile = CAIRN_METRIC_OCTILE;
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        assert_string_equal(chosen_for(MAP_CLUTTERED, ORACLE_4, octile, vectors[i]), "breadth");
        assert_string_equal(chosen_for(MAP_CLUTTERED, ORACLE_HEX, octile, vectors[i]), "breadth");
        assert_string_equal(chosen_for(MAP_CLUTTERED, ORACLE_8_ANY, unit, vectors[i]), "breadth");
        assert_string_equal(chosen_for(MAP_MAZE, ORACLE_4, octile, vectors[i]), "trees");
        assert_string_equal(chosen_for(MAP_MAZE, ORACLE_HEX, octile, vectors[i]), "breadth");
    }
    assert_string_equal(chosen_for(MAP_ALL_OPEN, ORACLE_4, octile, "off"), "breadth");
    assert_string_equal(chosen_for(MAP_ALL_OPEN, ORACLE_HEX, unit, "off"), "breadth");
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
        assert_int_equal(cn_flooder_new(map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
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
    assert_int_equal(cn_flooder_new(map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
    assert_int_equal(cn_flooder_run(flooder, &source, 1, &plane), CAIRN_OK);
    assert_plane(&drawn, cn_flooder_engine(flooder), &plane, expected);
    cn_flooder_free(flooder);
    cairn_map_free(map);
    free(expected);
    picture_free(&drawn);
}

/* Costs from some open cells, of a flooder that follows the map. */
static void assert_follows(const picture *drawn, cn_flooder *flooder, dice *luck)
{
    cairn_node sources[SOURCES_MAX];
    const size_t count = choose_sources(luck, drawn, sources);
    uint64_t *expected = oracle_costs(drawn, steps_of(CAIRN_METRIC_OCTILE), sources, count);
    cn_plane plane;
    assert_int_equal(cn_flooder_run(flooder, sources, count, &plane), CAIRN_OK);
    assert_plane(drawn, "a flooder that follows edits", &plane, expected);
    free(expected);
}

/* Cells close and open again in any order; others that open may close a loop. */
static void trees_follow_cells_that_close_and_open_again(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
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

/* Random arcs, none of them a loop, all at one cost; on both sides. */
static twin graph_of_equal_arcs(dice *luck, uint32_t cost)
{
    uint32_t nodes = 2 + dice_below(luck, 60), count = dice_below(luck, 3 * nodes);
    bool symmetric = dice_below(luck, 2);
    twin made = {.arcs = {.node_count = nodes}};
    cairn_arc *arcs = calloc(2 * (size_t)count + 1, sizeof *arcs);
    made.arcs.list = calloc(2 * (size_t)count + 1, sizeof *made.arcs.list);
    assert_true(arcs && made.arcs.list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = dice_below(luck, nodes);
        uint32_t to = (from + 1 + dice_below(luck, nodes - 1)) % nodes;
        for (unsigned back = 0; back <= symmetric; back++) {
            cairn_arc arc = {back ? to : from, back ? from : to, cost};
            arcs[made.arcs.count] = arc;
            made.arcs.list[made.arcs.count++] = (oracle_arc){arc.from, arc.to, cost};
        }
    }
    assert_int_equal(
        cairn_map_from_arcs(nodes, arcs, made.arcs.count, NULL, NULL, NULL, &made.map, NULL),
        CAIRN_OK);
    free(arcs);
    return made;
}

static void check_graph(const twin *both, cn_flooder *flooder, oracle_way way, unsigned bits,
                        const cairn_node *sources, size_t count)
{
    cn_plane plane;
    uint64_t *expected = oracle_arc_costs(&both->arcs, way, sources, count);
    bool fitting = largest(expected, both->arcs.node_count) <
                   (bits == 16 ? UINT16_MAX : (uint64_t)CAIRN_COST_MAX + 1);
    assert_int_equal((way == ORACLE_FROM ? cn_flooder_run : cn_flooder_run_back)(flooder, sources,
                                                                                 count, &plane),
                     fitting ? CAIRN_OK : CAIRN_E_LIMIT);
    for (uint32_t node = 0; node < both->arcs.node_count && fitting; node++)
        assert_int_equal(cn_plane_at(&plane, node, 0), cost_of(expected[node]));
    free(expected);
}

static void graphs_of_equal_arcs_go_by_levels(void **state)
{
    (void)state;
    static const uint32_t costs[] = {1, 7, 21845, 9000, 1 << 26};
    for (uint64_t seed = 0; seed < seeds_to(600); seed = seed_after(seed)) {
        dice luck = {seed + 1};
        twin both = graph_of_equal_arcs(&luck, costs[seed % COUNT_OF(costs)]);
        const cn_flood_engine *engine = seed % 8 ? &cn_flood_breadth : &cn_flood_bucket;
        const unsigned bits = dice_below(&luck, 2) ? 16 : 32;
        cn_flooder *flooder;
        assert_int_equal(cn_flooder_open(both.map, bits, engine, &flooder), CAIRN_OK);
        for (unsigned run = 0; run < 4; run++) {
            cairn_node sources[SOURCES_MAX];
            size_t count = 1 + dice_below(&luck, SOURCES_MAX);
            for (size_t i = 0; i < count; i++)
                sources[i] = dice_below(&luck, both.arcs.node_count);
            check_graph(&both, flooder, run % 2 ? ORACLE_TO : ORACLE_FROM, bits, sources, count);
        }
        cn_flooder_free(flooder);
        twin_free(&both);
    }
}

/* Within a bucket that is as wide as the dearest arcs make necessary, cheap ones lead far. */
static void cheap_arcs_beside_dear_ones_are_flooded_in_order(void **state)
{
    (void)state;
    const uint32_t sizes[] = {300, (uint32_t)seeds_to(20000)};
    static const cairn_cost dearest[] = {1 << 16, 1 << 20, 1 << 24, 1 << 28};
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(dearest); i++) {
        const uint32_t nodes = sizes[i / COUNT_OF(dearest)], count = 4 * nodes;
        const cairn_cost most = dearest[i % COUNT_OF(dearest)];
        cairn_arc *arcs = calloc(count, sizeof *arcs);
        twin both = {.arcs = {.node_count = nodes, .count = count}};
        dice luck = {i + 1};
        cn_flooder *flooder;
        both.arcs.list = calloc(count, sizeof *both.arcs.list);
        assert_true(arcs && both.arcs.list);
        for (uint32_t k = 0; k < count; k++) {
            const cairn_cost cost = 1 + dice_below(&luck, dice_below(&luck, 10) < 3 ? most : 3);
            arcs[k] = (cairn_arc){k % nodes, dice_below(&luck, nodes), cost};
            both.arcs.list[k] = (oracle_arc){arcs[k].from, arcs[k].to, cost};
        }
        assert_int_equal(cairn_map_from_arcs(nodes, arcs, count, NULL, NULL, NULL, &both.map, NULL),
                         CAIRN_OK);
        assert_int_equal(cn_flooder_open(both.map, 32, &cn_flood_bucket, &flooder), CAIRN_OK);
        for (unsigned way = 0; way < 2; way++) {
            const cairn_node sources[] = {dice_below(&luck, nodes), dice_below(&luck, nodes)};
            check_graph(&both, flooder, way ? ORACLE_TO : ORACLE_FROM, 32, sources, 1 + way);
        }
        cn_flooder_free(flooder);
        free(arcs);
        twin_free(&both);
    }
}

/* An arc that gets another cost than the others ends the order by levels. */
static void a_graph_whose_arcs_differ_is_not_for_a_queue(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 5}, {0, 2, 5}};
    cairn_map *map;
    cn_flooder *flooder;
    const cairn_node ends[] = {0, 2};
    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cn_flooder_new(map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
    assert_string_equal(cn_flooder_engine(flooder), cn_flood_breadth.name);
    assert_true(cn_flooder_update(flooder, map, ends, COUNT_OF(ends)));
    cairn_edit edit = cairn_arc_cost(0, 2, 11);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_false(cn_flooder_update(flooder, map, ends, COUNT_OF(ends)));
    cn_flooder_free(flooder);
    assert_int_equal(cn_flooder_open(map, 32, &cn_flood_breadth, &flooder), CAIRN_E_ARGUMENT);
    assert_int_equal(cn_flooder_new(map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
    assert_string_equal(cn_flooder_engine(flooder), cn_flood_bucket.name);
    cn_flooder_free(flooder);
    cairn_map_free(map);
}

/* Edits that undo others give a map its former hash. */
static void arcs_that_cost_the_same_again_are_flooded_at_that_cost(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 5}, {2, 0, 5}};
    const cairn_edit there = cairn_arc_cost(1, 2, 11), back = cairn_arc_cost(1, 2, 5);
    const cairn_node source = 0;
    cairn_cost costs[3];
    cairn_map *map;
    cairn_flood *flood;
    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &there, 1), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &back, 1), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    assert_int_equal(costs[1], 5);
    assert_int_equal(costs[2], 10);
    cairn_flood_free(flood);
    cairn_map_free(map);
}

/* Some cells close, some open. */
static size_t edit_cells(picture *drawn, cairn_map *map, dice *luck, cairn_node *cells, size_t room)
{
    size_t count = 1 + dice_below(luck, (uint32_t)room);
    for (size_t i = 0; i < count; i++) {
        cells[i] = dice_below(luck, picture_size(drawn));
        uint32_t x = cells[i] % drawn->width, y = cells[i] / drawn->width;
        bool opens = !picture_is_open(drawn, x, y) || picture_open_count(drawn) < 2;
        drawn->letters[cells[i]] = opens ? '.' : '@';
        cairn_edit edit = opens ? cairn_open(x, y) : cairn_block(x, y);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    return count;
}

/* What an engine keeps of a map follows edits, also at the borders of tiles. */
static void engines_follow_edits_under_every_rule(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(contenders) * ORACLE_RULES * 2; i++) {
        const contender *who = &contenders[i / (ORACLE_RULES * 2)];
        picture drawn = random_map(MAP_SPARSE, 66, 68, i);
        setting on = setting_of(&drawn, (oracle_rule)(i / 2 % ORACLE_RULES), (cairn_metric){1, 1});
        unsigned bits = i % 2 ? 16 : 32;
        dice luck = {i + 1};
        cn_flooder *flooder = open_flooder(&on, who, bits);
        for (unsigned round = 0; round < 12 && flooder; round++) {
            cairn_node cells[40], source;
            size_t count = edit_cells(&drawn, on.map, &luck, cells, COUNT_OF(cells));
            assert_true(cn_flooder_update(flooder, on.map, cells, count));
            source = dice_open_cell(&luck, &drawn);
            uint64_t *expected = expected_costs(&on, &source, 1);
            check_run(&on, who, flooder, bits, &source, 1, expected);
            free(expected);
        }
        cn_flooder_free(flooder);
        cairn_map_free(on.map);
        picture_free(&drawn);
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

/* What a queue of tiles holds, as a plain list in the order of arrival. */
typedef struct waiting {
    uint32_t tile;
    uint32_t bucket;
} waiting;

enum { QUEUE_TILES = 40 };

static void wake_plainly(waiting *list, size_t *count, uint32_t tile, uint32_t bucket)
{
    for (size_t i = 0; i < *count; i++) {
        if (list[i].tile != tile)
            continue;
        if (list[i].bucket <= bucket)
            return;
        memmove(list + i, list + i + 1, (--*count - i) * sizeof *list);
        break;
    }
    list[(*count)++] = (waiting){tile, bucket};
}

static uint32_t next_plainly(waiting *list, size_t *count)
{
    size_t best = 0;
    for (size_t i = 1; i < *count; i++)
        best = list[i].bucket < list[best].bucket ? i : best;
    uint32_t tile = list[best].tile;
    memmove(list + best, list + best + 1, (--*count - best) * sizeof *list);
    return tile;
}

static void tiles_are_visited_in_the_order_of_their_costs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        dice luck = {seed};
        cn_tile_wait waits[QUEUE_TILES] = {{0}};
        waiting list[QUEUE_TILES];
        size_t count = 0;
        const unsigned shift = dice_below(&luck, 8);
        cn_tiles tiles = {.waits = waits, .queue = {.shift = shift, .now = 1}};
        uint32_t rows[QUEUE_TILES] = {0}, tile, level = 1;
        for (unsigned step = 0; step < 1000; step++) {
            const uint32_t more = dice_below(&luck, 1u << (shift + dice_below(&luck, 8)));
            uint32_t bucket = level + (more >> shift), row = 1u << dice_below(&luck, 32);
            tile = dice_below(&luck, QUEUE_TILES);
            bucket = bucket < level + CN_TILE_BUCKETS ? bucket : level + CN_TILE_BUCKETS - 1;
            cn_tile_wake(&tiles, tile, row, ((level - 1) << shift) + more);
            wake_plainly(list, &count, tile, bucket);
            rows[tile] |= row;
            if (dice_below(&luck, 3))
                continue;
            assert_true(cn_tile_next(&tiles, &tile));
            level = tiles.queue.now;
            assert_int_equal(tile, next_plainly(list, &count));
            assert_int_equal(waits[tile].dirty, rows[tile]);
            rows[tile] = waits[tile].dirty = 0;
        }
        for (; count > 0;) {
            assert_true(cn_tile_next(&tiles, &tile));
            assert_int_equal(tile, next_plainly(list, &count));
        }
        assert_false(cn_tile_next(&tiles, &tile));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_gives_the_costs_of_the_oracle),
        cmocka_unit_test(every_engine_gives_the_costs_of_the_oracle_under_every_rule),
        cmocka_unit_test(costs_at_the_edge_are_held_or_refused_under_every_rule),
        cmocka_unit_test(tiles_are_visited_in_the_order_of_their_costs),
        cmocka_unit_test(large_maps_give_the_same_costs),
        cmocka_unit_test(many_components_are_flooded_at_once),
        cmocka_unit_test(costs_at_the_edge_are_held_or_refused),
        cmocka_unit_test(sixteen_bits_hold_steps_of_65534_and_no_more),
        cmocka_unit_test(levels_end_where_costs_do),
        cmocka_unit_test(a_step_that_does_not_fit_matters_only_where_no_other_leads),
        cmocka_unit_test(costs_above_the_limit_are_refused),
        cmocka_unit_test(a_flood_with_an_end_leaves_far_cells_alone),
        cmocka_unit_test(a_flood_clears_where_the_last_one_has_been),
        cmocka_unit_test(the_library_chooses_trees_only_for_mazes),
        cmocka_unit_test(the_library_chooses_a_queue_where_all_steps_cost_the_same),
        cmocka_unit_test(corridors_in_a_circle_are_flooded_as_well),
        cmocka_unit_test(trees_follow_cells_that_close_and_open_again),
        cmocka_unit_test(graphs_of_equal_arcs_go_by_levels),
        cmocka_unit_test(cheap_arcs_beside_dear_ones_are_flooded_in_order),
        cmocka_unit_test(a_graph_whose_arcs_differ_is_not_for_a_queue),
        cmocka_unit_test(arcs_that_cost_the_same_again_are_flooded_at_that_cost),
        cmocka_unit_test(engines_follow_edits_under_every_rule),
        cmocka_unit_test(public_costs_equal_the_oracle),
        cmocka_unit_test(a_source_that_is_no_open_cell_is_refused),
    };
    return cmocka_run_group_tests_name("flood", tests, NULL, NULL);
}
