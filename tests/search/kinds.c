/* Every rule, terrain and charge, and graphs, against a list of arcs and Bellman and Ford. */
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { MAPS = 2 * MAP_KINDS, ROWS = 3 };

static void assert_file(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_map *map;
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(both->map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(both->map));
    assert_int_equal(cairn_map_kind_of(map), cairn_map_kind_of(both->map));
    assert_int_equal(cairn_table_row_count(loaded), cairn_table_row_count(table));
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(&both->arcs, map, loaded, row);
    assert_int_equal(cairn_table_verify(loaded, map, 1, NULL), CAIRN_OK);
    cairn_map_free(map);
    cairn_table_free(loaded);

    bytes[dice_below(luck, (uint32_t)size)] ^= 0x10;
    assert_int_not_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    assert_null(map);
    cairn_bytes_free(both->map, bytes);
}

/* What a bound, a weight and an order of ties may come to. */
static void assert_option(const twin *both, const cairn_table *table,
                          const cairn_search_options *options, uint32_t start, uint32_t goal,
                          uint64_t least)
{
    cairn_search *search;
    cairn_path path;
    uint32_t weight = options->weight ? options->weight : 1000;
    bool admissible = cairn_bound_is_admissible(both->map, options->heuristic);
    bool keeps_closed = options->never_reopen &&
                        (weight > 1000 ||
                         !cairn_bound_is_consistent(both->map, options->heuristic));

    assert_int_equal(cairn_search_new(both->map, table, options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (least == ORACLE_NEVER) {
        assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    } else {
        assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
        if (admissible && !keeps_closed)
            assert_int_equal(path.guarantee, weight);
        if (options->never_reopen)
            assert_int_equal(path.reopened, 0);
        assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
        assert_true(path.cost >= least);
        if (path.guarantee)
            assert_true((uint64_t)path.cost * 1000 <= least * path.guarantee);
    }
    cairn_search_free(search);
}

/* Whether no path is cheaper than the distance, from any node to a goal. */
static bool never_exceeds(const twin *both, cairn_heuristic heuristic, uint32_t goal,
                          const uint64_t *to_goal)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_with(both->map, NULL, goal, heuristic, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (twin_is_open(both, node) && cairn_bound_at(&bound, node) > cost_of(to_goal[node]))
            return false;
    return true;
}

/* Whether no step makes the distance to a goal fall by more than it costs. */
static bool falls_no_faster_than_costs(const twin *both, cairn_heuristic heuristic, uint32_t goal)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_with(both->map, NULL, goal, heuristic, &bound), CAIRN_OK);
    for (size_t i = 0; i < both->arcs.count; i++) {
        const oracle_arc *arc = &both->arcs.list[i];
        if (cairn_bound_at(&bound, arc->from) > arc->cost + cairn_bound_at(&bound, arc->to))
            return false;
    }
    return true;
}

static void assert_options(const twin *both, const cairn_table *table, dice *luck)
{
    static const uint32_t weights[] = {0, 1100, 2500};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    bool is_graph = cairn_map_kind_of(both->map) == CAIRN_MAP_GRAPH;

    if (!twin_is_open(both, start) || !twin_is_open(both, goal))
        return;
    uint64_t *to_goal = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    for (cairn_heuristic heuristic = CAIRN_HEURISTIC_BEST; heuristic <= CAIRN_HEURISTIC_SQUARED;
         heuristic++) {
        cairn_search_options options = {.size = sizeof options, .heuristic = heuristic};
        if (is_graph && heuristic > CAIRN_HEURISTIC_ZERO &&
            heuristic != CAIRN_HEURISTIC_EUCLIDEAN) {
            cairn_search *search;
            assert_int_equal(cairn_search_new(both->map, table, &options, &search),
                             CAIRN_E_ARGUMENT);
            continue;
        }
        if (cairn_bound_is_admissible(both->map, heuristic))
            assert_true(never_exceeds(both, heuristic, goal, to_goal));
        if (cairn_bound_is_consistent(both->map, heuristic))
            assert_true(falls_no_faster_than_costs(both, heuristic, goal));
        for (unsigned ties = CAIRN_TIES_LAST; ties <= CAIRN_TIES_LARGER_G; ties++) {
            for (unsigned weight = 0; weight < 2 * COUNT_OF(weights); weight++) {
                options.ties = (cairn_ties)ties;
                options.weight = weights[weight / 2];
                options.never_reopen = weight % 2;
                assert_option(both, ties == 1 ? NULL : table, &options, start, goal,
                              to_goal[start]);
            }
        }
    }
    free(to_goal);
}

/* One expansion at a time comes to the same as all at once, and every node can be examined. */
static void assert_steps(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search_options options = {.size = sizeof options, .space = CAIRN_SPACE_CELLS};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    cairn_search *search;
    cairn_path whole, path;
    cairn_node_info info;
    uint64_t steps = 0;

    assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &whole), CAIRN_OK);
    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED) {
        assert_int_equal(path.expanded, steps++);
        assert_int_equal(cairn_search_node_info(search, start, &info), CAIRN_OK);
        assert_int_equal(info.state, steps > 1 ? CAIRN_NODE_CLOSED : CAIRN_NODE_OPEN);
        assert_int_equal(info.parent, start);
        assert_true(info.g == 0 && info.f == info.h);
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_OK);
    }
    assert_int_equal(path.outcome, whole.outcome);
    assert_int_equal(path.cost, whole.cost);
    assert_int_equal(path.expanded, whole.expanded);
    assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
    cairn_search_free(search);
}

/* Where no path leads, the nearest node that one leads to. */
static void assert_nearest(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search_options options = {.size = sizeof options, .nearest = true};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    cairn_search *search;
    cairn_path path;
    cairn_bound bound;

    if (!twin_is_open(both, start))
        return;
    uint64_t *from_start = oracle_arc_costs(&both->arcs, ORACLE_FROM, &start, 1);
    assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome,
                     from_start[goal] == ORACLE_NEVER ? CAIRN_PATH_NEAREST : CAIRN_PATH_FOUND);
    assert_true(path.node_count > 0 && path.nodes[0] == start);
    uint32_t end = path.nodes[path.node_count - 1];
    assert_int_equal(path.cost, from_start[end]);
    assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
    assert_int_equal(cairn_bound_to(both->map, NULL, goal, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (from_start[node] != ORACLE_NEVER)
            assert_true(cairn_bound_at(&bound, node) >= cairn_bound_at(&bound, end));
    cairn_search_free(search);
    free(from_start);
}

static void spoil_entries(const twin *both, cairn_table *table, dice *luck)
{
    const uint32_t rows = cairn_table_row_count(table);
    const cairn_cost most = cairn_table_entry_bits(table) == 16 ? UINT16_MAX - 1u : 100000;
    const bool hides = dice_below(luck, 2);

    for (unsigned i = 0; i < 4 * ROWS; i++) {
        const uint32_t node = dice_below(luck, both->arcs.node_count);
        if (!twin_is_open(both, node))
            continue;
        const cairn_cost cost = hides ? CAIRN_UNREACHABLE : dice_below(luck, most);
        const cairn_status status = cairn_table_set_cost(table, dice_below(luck, rows), node, cost);
        assert_true(status == CAIRN_OK || status == CAIRN_E_ARGUMENT); /* not at a corner */
    }
}

static void run_in_slices(cairn_search *search, uint32_t start, uint32_t goal, cairn_path *path)
{
    assert_int_equal(cairn_search_begin(search, start, goal, path), CAIRN_OK);
    for (unsigned slices = 0; path->outcome == CAIRN_PATH_PAUSED; slices++) {
        assert_true(slices < 100000);
        assert_int_equal(cairn_search_resume(search, 7, path), CAIRN_OK);
    }
}

/* As a file may hold them that was made to: nothing is promised but that searches end, and that
 * what they find is a path. */
static void assert_search_among_wrong_entries(const twin *both, cairn_table *table, dice *luck)
{
    static const cairn_space spaces[] = {CAIRN_SPACE_AUTO, CAIRN_SPACE_CELLS, CAIRN_SPACE_JUMP};

    spoil_entries(both, table, luck);
    for (unsigned i = 0; i < 4 * COUNT_OF(spaces); i++) {
        const cairn_search_options options = {
            .size = sizeof options, .space = spaces[i / 4], .nearest = i % 2};
        const uint32_t start = dice_below(luck, both->arcs.node_count);
        const uint32_t goal = dice_below(luck, both->arcs.node_count);
        cairn_search *search;
        cairn_path path;
        assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
        if (i % 4 < 2)
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        else
            run_in_slices(search, start, goal, &path);
        if (path.outcome == CAIRN_PATH_FOUND)
            assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
        cairn_search_free(search);
    }
}

static void assert_wrong_entries(const twin *both, uint64_t seed)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = ROWS, .seed = seed};
    dice luck = {seed};

    for (unsigned i = 0; i < 2; i++) {
        cairn_table *table;
        options.resident = i ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS;
        const cairn_status status = cairn_table_build(both->map, &options, &table);
        if (status == CAIRN_E_RESIDENT)
            continue;
        assert_int_equal(status, CAIRN_OK);
        assert_search_among_wrong_entries(both, table, &luck);
        cairn_table_free(table);
    }
}

static void assert_tables(twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    uint32_t rows = cairn_table_row_count(table);
    dice luck = {seed};

    assert_int_equal(rows, cairn_map_is_directed(both->map) ? 2 * ROWS : ROWS);
    assert_int_equal(table_check(table, both->map), CAIRN_OK);
    for (uint32_t row = 0; row < rows; row++)
        assert_row(&both->arcs, both->map, table, row);
    assert_int_equal(cairn_table_verify(table, both->map, 1, NULL), CAIRN_OK);
    assert_search(both, table, &luck);
    assert_search(both, NULL, &luck);
    assert_options(both, table, &luck);
    assert_steps(both, table, &luck);
    assert_nearest(both, table, &luck);
    assert_file(both, table, &luck);

    for (unsigned i = 0; i < 4; i++) {
        uint32_t node = dice_below(&luck, both->arcs.node_count);
        uint32_t row = dice_below(&luck, rows);
        cairn_cost cost = cairn_table_cost(table, row, node);
        if (!twin_is_open(both, node) || cost == CAIRN_UNREACHABLE)
            continue;
        assert_int_equal(cairn_table_set_cost(table, row, node, cost + 1), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, both->map, 1, NULL), CAIRN_E_INEXACT);
        assert_int_equal(cairn_table_set_cost(table, row, node, cost), CAIRN_OK);
    }
    cairn_table_free(table);
    assert_wrong_entries(both, seed);
}

static void assert_kind(uint64_t seed, oracle_rule rule, terrain_kind kind, cairn_metric metric)
{
    twin both = twin_of(seed, rule, kind, metric);
    uint32_t node = 0;
    while (node < both.arcs.node_count && !twin_is_open(&both, node))
        node++;
    if (node < both.arcs.node_count)
        assert_floods(&both, node);
    assert_tables(&both, seed);
    twin_free(&both);
}

static void assert_kind_in_every_metric(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    for (unsigned i = 0; i < COUNT_OF(metrics); i++)
        assert_kind(seed, rule, kind, metrics[i]);
}

static void every_rule_and_terrain_gives_the_oracles_costs(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAP_KINDS), assert_kind_in_every_metric);
}

/* --------------------------------------------------------------------------------- edits -- */

static void assert_edits(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed + 31 * rule + kind};
    twin both = twin_of(seed, rule, kind, (cairn_metric){10, 14});
    cairn_table *table = table_with(both.map, ROWS, 1, seed);

    edit_search_and_refresh(&both, table, &luck);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(&both.arcs, both.map, table, row);
    assert_int_equal(table_check(table, both.map), CAIRN_OK);
    cairn_table_free(table);
    twin_free(&both);
}

static void edits_of_every_kind_of_map_keep_searches_optimal_and_refresh_exact(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), assert_edits);
}

/* ------------------------------------------------------------------------------- graphs -- */

static void graphs_give_the_oracles_costs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        if (seed % 3 == 0)
            assert_false(cairn_map_is_directed(both.map));
        assert_floods(&both, 0);
        assert_tables(&both, seed);
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_and_terrain_gives_the_oracles_costs),
        cmocka_unit_test(edits_of_every_kind_of_map_keep_searches_optimal_and_refresh_exact),
        cmocka_unit_test(graphs_give_the_oracles_costs),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
