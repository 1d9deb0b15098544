/* Floods over terrain: every engine that serves it, on every kind of vector that this machine has,
 * in both directions and both widths of entries, against the oracle; and after edits. */
#include "base/cpu.h"
#include "flood/flood_engine.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { SOURCES_MAX = 4 };

typedef struct contender {
    const char *vectors;
    const cn_flood_engine *engine;
} contender;

static const contender contenders[] = {
    {"off", &cn_flood_bucket},
    {"off", &cn_flood_tiles},
    {"avx2", &cn_flood_tiles},
    {"avx512", &cn_flood_tiles},
};

static const terrain_kind kinds[] = {TERRAIN_ENTERED, TERRAIN_AVERAGE, TERRAIN_ONE_WAY,
                                     TERRAIN_HILLS, TERRAIN_SLOPES};

/* The last two are near the dearest steps that vectors of 32 bits take, and beyond them. */
static const cairn_metric metrics[] = {{1, 1},         {2378, 3363},   {29, 41},
                                       {1, 2},         {18000, 24000}, {65000, 65792},
                                       {32000, 32896}, {70000, 90000}};

/* NULL where the machine or the map is not one for this engine. */
static cn_flooder *open_flooder(const twin *both, const contender *who, unsigned bits)
{
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", who->vectors, 1);
    if (who->engine == &cn_flood_tiles && !cn_flood_tiles_exist(bits))
        return NULL;
    cairn_status opened = cn_flooder_open(both->map, bits, who->engine, &flooder);
    if (who->engine == &cn_flood_tiles && !cn_flood_tiles_serve(both->map, bits)) {
        assert_int_equal(opened, CAIRN_E_ARGUMENT);
        return NULL;
    }
    assert_int_equal(opened, CAIRN_OK);
    return flooder;
}

static bool costs_fit(const twin *both, const uint64_t *expected, unsigned bits)
{
    const uint64_t limit = bits == 16 ? UINT16_MAX : (uint64_t)CAIRN_COST_MAX + 1;
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (expected[node] != ORACLE_NEVER && expected[node] >= limit)
            return false;
    return true;
}

static void assert_plane(const twin *both, const contender *who, const cn_plane *plane,
                         const uint64_t *expected)
{
    const uint32_t width = both->drawn.width;
    for (uint32_t node = 0; node < both->arcs.node_count; node++) {
        cairn_cost given = cn_plane_at(plane, node % width, node / width);
        if (!twin_is_open(both, node) || given == cost_of(expected[node]))
            continue;
        picture_show(&both->drawn);
        fail_msg("%s with %s, rule %d, %u bits: column %u, row %u is %u, not %u", who->engine->name,
                 who->vectors, (int)both->rule, plane->bits, node % width, node / width, given,
                 cost_of(expected[node]));
    }
}

/* A flood until one node is reached, or as far as its cost, ends there in every direction. */
static void check_limited(const twin *both, const contender *who, cn_flooder *flooder,
                          unsigned bits, cn_flood_task task, const uint64_t *expected)
{
    const uint64_t limit = bits == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX;
    const cairn_node last = both->arcs.node_count / 3 + task.sources[0] / 2;
    uint64_t *within = malloc(both->arcs.node_count * sizeof *within);
    cn_plane plane;
    if (task.sources[0] % 2)
        task.most = expected[last] < CAIRN_UNREACHABLE ? (cairn_cost)expected[last]
                                                       : CAIRN_UNREACHABLE;
    else
        task.until = &last, task.until_count = 1, task.most = CAIRN_UNREACHABLE;
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        within[node] = expected[node] <= expected[last] ? expected[node] : ORACLE_NEVER;
    const bool fits = expected[last] <= limit || costs_fit(both, expected, bits);
    assert_int_equal(cn_flooder_run_task(flooder, &task, &plane), fits ? CAIRN_OK : CAIRN_E_LIMIT);
    if (fits)
        assert_plane(both, who, &plane, within);
    free(within);
}

static void check_run(const twin *both, const contender *who, cn_flooder *flooder, unsigned bits,
                      const cairn_node *sources, size_t count)
{
    for (oracle_way way = ORACLE_FROM; way <= ORACLE_TO; way++) {
        cn_plane plane;
        uint64_t *expected = oracle_arc_costs(&both->arcs, way, sources, count);
        bool fits = costs_fit(both, expected, bits);
        check_limited(both, who, flooder, bits,
                      (cn_flood_task){.way = way == ORACLE_FROM ? CN_FORWARD : CN_REVERSE,
                                      .sources = sources,
                                      .source_count = count},
                      expected);
        cairn_status status = (way == ORACLE_FROM ? cn_flooder_run : cn_flooder_run_back)(
            flooder, sources, count, &plane);
        assert_int_equal(status, fits ? CAIRN_OK : CAIRN_E_LIMIT);
        if (fits)
            assert_plane(both, who, &plane, expected);
        free(expected);
    }
}

static size_t choose_sources(dice *luck, const twin *both, cairn_node *sources)
{
    size_t count = dice_below(luck, 2) ? 1 : 2 + dice_below(luck, SOURCES_MAX - 1);
    for (size_t i = 0; i < count; i++) {
        do
            sources[i] = dice_below(luck, both->arcs.node_count);
        while (!twin_is_open(both, sources[i]));
    }
    return count;
}

static bool has_open_cells(const twin *both)
{
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (twin_is_open(both, node))
            return true;
    return false;
}

/* Twice: nothing of a run may be left for the next. */
static void check_all(const twin *both, const cairn_node *sources, size_t count)
{
    for (size_t i = 0; i < COUNT_OF(contenders) * 2; i++) {
        const unsigned bits = i % 2 ? 16 : 32;
        cn_flooder *flooder = open_flooder(both, &contenders[i / 2], bits);
        for (int run = 0; run < 2 && flooder; run++)
            check_run(both, &contenders[i / 2], flooder, bits, sources, count);
        cn_flooder_free(flooder);
    }
}

static void every_engine_gives_the_costs_of_the_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(COUNT_OF(kinds) * MAP_KINDS); seed = seed_after(seed)) {
        dice luck = {seed + 1};
        for (oracle_rule rule = ORACLE_8; rule < ORACLE_RULES; rule++) {
            const terrain_kind kind = kinds[(seed / MAP_KINDS + rule) % COUNT_OF(kinds)];
            cairn_node sources[SOURCES_MAX];
            twin both = twin_sized(seed, rule, kind, metrics[(seed + rule) % COUNT_OF(metrics)],
                                   1 + dice_below(&luck, 70), 1 + dice_below(&luck, 70));
            if (has_open_cells(&both))
                check_all(&both, sources, choose_sources(&luck, &both, sources));
            twin_free(&both);
        }
    }
}

/* Several tiles each way, in terrain of single cells and of patches that cross their borders. */
static void large_maps_give_the_same_costs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        dice luck = {seed + 7};
        cairn_node sources[SOURCES_MAX];
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               kinds[seed / ORACLE_RULES % COUNT_OF(kinds)], (cairn_metric){2, 3},
                               97 + dice_below(&luck, 60), 65 + dice_below(&luck, 60));
        if (has_open_cells(&both))
            check_all(&both, sources, choose_sources(&luck, &both, sources));
        twin_free(&both);
    }
}

/* Letters change, cells close and open; what an engine keeps of the map follows. */
static void engines_follow_edits(void **state)
{
    (void)state;
    enum { ROUNDS = 4, EDITS = 6 };
    const size_t cases = COUNT_OF(contenders) * ORACLE_RULES * COUNT_OF(kinds);
    for (size_t i = 0; i < cases; i = seed_after(i)) {
        const contender *who = &contenders[i % COUNT_OF(contenders)];
        const unsigned bits = i / 3 % 2 ? 16 : 32;
        twin both = twin_sized(MAP_SPARSE, (oracle_rule)(i / COUNT_OF(contenders) % ORACLE_RULES),
                               kinds[i / COUNT_OF(contenders) / ORACLE_RULES], (cairn_metric){2, 3},
                               66, 68);
        dice luck = {i + 1};
        cn_flooder *flooder = open_flooder(&both, who, bits);
        for (unsigned round = 0; round < ROUNDS && flooder; round++) {
            cairn_node cells[EDITS], sources[SOURCES_MAX];
            for (unsigned k = 0; k < EDITS; k++) {
                cairn_edit edit = twin_edit(&both, &luck);
                cells[k] = edit.y * both.drawn.width + edit.x;
            }
            assert_true(cn_flooder_update(flooder, both.map, cells, EDITS));
            check_run(&both, who, flooder, bits, sources, choose_sources(&luck, &both, sources));
        }
        cn_flooder_free(flooder);
        twin_free(&both);
    }
}

/* As builds do: an engine that cannot follow is opened again. Only buckets, which would be too wide
 * for cheaper arcs, may say so. */
static void update_or_reopen(const twin *both, const contender *who, unsigned bits,
                             cairn_node edited, cn_flooder **flooder)
{
    if (cn_flooder_update(*flooder, both->map, &edited, 1))
        return;
    assert_ptr_equal(who->engine, &cn_flood_bucket);
    cn_flooder_free(*flooder);
    *flooder = open_flooder(both, who, bits);
}

/* From finer to coarser, as builds try them; also between edits. */
static void engines_follow_the_metric_of_the_map(void **state)
{
    (void)state;
    static const cairn_metric coarser[] = {{408, 577}, {29, 41}, {5, 7}};
    for (size_t i = 0; i < COUNT_OF(contenders) * COUNT_OF(kinds) * 2; i++) {
        const contender *who = &contenders[i % COUNT_OF(contenders)];
        const unsigned bits = i / COUNT_OF(contenders) / COUNT_OF(kinds) ? 16 : 32;
        const terrain_kind kind = kinds[i / COUNT_OF(contenders) % COUNT_OF(kinds)];
        twin both = twin_sized(MAP_SPARSE, ORACLE_8, kind, CAIRN_METRIC_OCTILE, 40, 37);
        dice luck = {i + 1};
        cn_flooder *flooder = open_flooder(&both, who, bits);
        for (size_t k = 0; k < COUNT_OF(coarser) && flooder; k++) {
            cairn_node sources[SOURCES_MAX];
            assert_int_equal(cairn_map_set_metric(both.map, coarser[k]), CAIRN_OK);
            cairn_edit edit = twin_edit(&both, &luck);
            update_or_reopen(&both, who, bits, edit.y * both.drawn.width + edit.x, &flooder);
            check_run(&both, who, flooder, bits, sources, choose_sources(&luck, &both, sources));
        }
        cn_flooder_free(flooder);
        twin_free(&both);
    }
}

/* A build tries one metric after another until costs fit 16 bits, with one engine. Returns whether
 * it tried several. */
static bool check_compact(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    twin both = twin_sized(seed, rule, kind, CAIRN_METRIC_OCTILE, 61, 57);
    cairn_table *table = table_built(
        both.map, (cairn_build_options){.landmark_count = 3, .metric = CAIRN_METRIC_COMPACT});
    const bool is_coarser = cairn_map_metric(both.map).straight < CAIRN_METRIC_OCTILE.straight;
    twin_list_steps(&both);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(&both.arcs, both.map, table, row);
    cairn_table_free(table);
    twin_free(&both);
    return is_coarser;
}

static void tables_in_compact_metrics_are_exact(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    static const map_kind drawn[] = {MAP_SPARSE, MAP_CLUTTERED, MAP_MAZE};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vectors) * ORACLE_RULES; i++) {
        const oracle_rule rule = (oracle_rule)(i % ORACLE_RULES);
        unsigned coarser = 0;
        setenv("CAIRN_SIMD", vectors[i / ORACLE_RULES], 1);
        for (size_t k = 0; k < COUNT_OF(drawn) * TERRAIN_KINDS; k++)
            coarser += check_compact(drawn[k / TERRAIN_KINDS], rule, k % TERRAIN_KINDS);
        assert_true(coarser > TERRAIN_KINDS);
    }
}

static bool tiles_serve(terrain_kind kind, cairn_metric metric, unsigned bits)
{
    twin both = twin_of(MAP_ALL_OPEN, ORACLE_8, kind, metric);
    bool serve = cn_flood_tiles_serve(both.map, bits);
    twin_free(&both);
    return serve;
}

/* Sums of 32 bits would wrap around where a step costs more than 2^24: 255 * 65,793 is the most. */
static void vectors_serve_terrain_of_steps_that_can_be_added_up(void **state)
{
    (void)state;
    const cairn_metric most = {65793, 65793}, more = {65793, 65794}, usual = {2378, 3363};
    assert_true(tiles_serve(TERRAIN_ENTERED, most, 32));
    assert_false(tiles_serve(TERRAIN_ENTERED, more, 32));
    assert_true(tiles_serve(TERRAIN_ENTERED, more, 16));
    assert_true(tiles_serve(TERRAIN_AVERAGE, usual, 32));
    assert_true(tiles_serve(TERRAIN_ONE_WAY, usual, 32));
    assert_true(tiles_serve(TERRAIN_ONE_WAY, usual, 16));
}

enum { PLATEAU = 40, LOWEST = 50000 };

/* A plateau of which one cell in eight is a pit, `depth` deep; a unit up costs 6, and down 1. */
static cairn_map *plateau(uint32_t depth, dice *luck)
{
    char letters[PLATEAU * PLATEAU];
    uint16_t heights[PLATEAU * PLATEAU];
    const cairn_heights slopes = {PLATEAU, PLATEAU, heights, 60, 10};
    const cairn_map_options options = {
        .size = sizeof options, .metric = {100, 141}, .heights = &slopes};
    cairn_map *map;
    memset(letters, '.', sizeof letters);
    for (size_t i = 0; i < COUNT_OF(heights); i++)
        heights[i] = (uint16_t)(LOWEST + (i && dice_below(luck, 8) == 0 ? 0 : depth));
    assert_int_equal(cairn_map_from_letters(PLATEAU, PLATEAU, letters, &options, &map, NULL),
                     CAIRN_OK);
    return map;
}

/* Whether vectors serve the map; if so, they give the costs of buckets. */
static bool check_plateau(uint32_t depth, unsigned bits, const char *vectors)
{
    dice luck = {depth};
    cairn_map *map = plateau(depth, &luck);
    const cairn_node source = 0;
    cn_flooder *buckets, *tiles;
    cn_plane expected, given;
    const bool serve = cn_flood_tiles_serve(map, bits);
    setenv("CAIRN_SIMD", vectors, 1);
    assert_int_equal(cn_flooder_open(map, bits, &cn_flood_bucket, &buckets), CAIRN_OK);
    assert_int_equal(cn_flooder_run(buckets, &source, 1, &expected), CAIRN_OK);
    if (serve && cn_flood_tiles_exist(bits)) {
        assert_int_equal(cn_flooder_open(map, bits, &cn_flood_tiles, &tiles), CAIRN_OK);
        assert_int_equal(cn_flooder_run(tiles, &source, 1, &given), CAIRN_OK);
        for (cairn_node node = 0; node < PLATEAU * PLATEAU; node++)
            assert_int_equal(cn_plane_cost_of(&given, map, node),
                             cn_plane_cost_of(&expected, map, node));
        cn_flooder_free(tiles);
    }
    cn_flooder_free(buckets);
    cairn_map_free(map);
    return serve;
}

/* A climb out of a pit must fit 16 bits, since vectors subtract heights, times what they cost. */
static void vectors_serve_slopes_whose_costs_fit(void **state)
{
    enum { LAST = 65534 / 6 };
    (void)state;
    for (size_t i = 1; i < COUNT_OF(contenders); i++) {
        assert_true(check_plateau(LAST / 2, 16, contenders[i].vectors));
        assert_true(check_plateau(LAST, 16, contenders[i].vectors));
        assert_false(check_plateau(LAST + 1, 16, contenders[i].vectors));
        assert_true(check_plateau(LAST / 2, 32, contenders[i].vectors));
        assert_true(check_plateau(LAST + 1, 32, contenders[i].vectors));
    }
}

static const char *chosen_for(map_kind kind, terrain_kind terrain, const char *simd)
{
    twin both = twin_sized(kind, ORACLE_8, terrain, CAIRN_METRIC_OCTILE, 61, 61);
    cn_flooder *flooder;
    setenv("CAIRN_SIMD", simd, 1);
    assert_int_equal(cn_flooder_new(both.map, 32, CN_FLOOD_MANY, &flooder), CAIRN_OK);
    const char *name = cn_flooder_engine(flooder);
    cn_flooder_free(flooder);
    twin_free(&both);
    return name;
}

/* Without vectors buckets are as fast, in clutter faster than short vectors; but on slopes and
 * beside one-way cells they go by all steps. */
static void the_library_chooses_tiles_where_vectors_are_long(void **state)
{
    (void)state;
    setenv("CAIRN_SIMD", "off", 1);
    assert_string_equal(chosen_for(MAP_ALL_OPEN, TERRAIN_AVERAGE, "off"), "bucket");
    const char *rough = cn_flood_tiles_exist(32) ? "tiles" : "bucket";
    assert_string_equal(chosen_for(MAP_ALL_OPEN, TERRAIN_ONE_WAY, "off"), rough);
    assert_string_equal(chosen_for(MAP_ALL_OPEN, TERRAIN_SLOPES, "off"), rough);
    assert_string_equal(chosen_for(MAP_CLUTTERED, TERRAIN_SLOPES, "off"), "bucket");
    setenv("CAIRN_SIMD", "avx2", 1);
    if (cn_cpu_level() != CN_CPU_AVX2)
        return;
    assert_string_equal(chosen_for(MAP_ALL_OPEN, TERRAIN_AVERAGE, "avx2"), "tiles");
    assert_string_equal(chosen_for(MAP_CLUTTERED, TERRAIN_AVERAGE, "avx2"), "bucket");
    assert_string_equal(chosen_for(MAP_CLUTTERED, TERRAIN_HILLS, "avx2"), "tiles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_gives_the_costs_of_the_oracle),
        cmocka_unit_test(large_maps_give_the_same_costs),
        cmocka_unit_test(engines_follow_edits),
        cmocka_unit_test(engines_follow_the_metric_of_the_map),
        cmocka_unit_test(tables_in_compact_metrics_are_exact),
        cmocka_unit_test(vectors_serve_terrain_of_steps_that_can_be_added_up),
        cmocka_unit_test(vectors_serve_slopes_whose_costs_fit),
        cmocka_unit_test(the_library_chooses_tiles_where_vectors_are_long),
    };
    return cmocka_run_group_tests_name("terrain", tests, NULL, NULL);
}
