/* Costs from many nodes to many, on maps of every kind, and what stands in for blocked ends. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { SEEDS = 6, MOST = 9, LARGE = 220 };

static void draw_nodes(dice *luck, uint32_t nodes, cairn_node *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        list[i] = dice_below(luck, nodes);
}

static void assert_matrix(const twin *both, const cairn_table *table, size_t rows, size_t columns,
                          dice *luck)
{
    const uint32_t nodes = cairn_map_node_count(both->map);
    cairn_node sources[MOST], targets[MOST];
    cairn_cost costs[MOST * MOST + 1], again[MOST * MOST];

    draw_nodes(luck, nodes, sources, rows);
    draw_nodes(luck, nodes, targets, columns);
    costs[rows * columns] = 4711;
    assert_int_equal(cairn_distances(both->map, table, sources, rows, targets, columns, 1, costs),
                     CAIRN_OK);
    assert_int_equal(cairn_distances(both->map, table, sources, rows, targets, columns, 3, again),
                     CAIRN_OK);
    assert_memory_equal(costs, again, rows * columns * sizeof *costs);
    assert_int_equal(costs[rows * columns], 4711);
    for (size_t i = 0; i < rows; i++) {
        uint64_t *expected = oracle_arc_costs(&both->arcs, ORACLE_FROM, &sources[i], 1);
        for (size_t j = 0; j < columns; j++) {
            bool is_open = twin_is_open(both, sources[i]) && twin_is_open(both, targets[j]);
            assert_int_equal(costs[i * columns + j],
                             is_open ? cost_of(expected[targets[j]]) : CAIRN_UNREACHABLE);
        }
        free(expected);
    }
}

static void distances_are_those_of_the_oracle(void **state)
{
    (void)state;
    uint64_t number = 0;
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        for (uint64_t seed = 0; seed < SEEDS; seed++, number++) {
            if (is_left_out(number))
                continue;
            dice luck = {seed + 31 * kind};
            twin both = storm_twin(kind, seed);
            cairn_table *table = NULL;
            if (cairn_map_open_count(both.map) && seed % 2)
                table = table_of(both.map, 2);
            assert_matrix(&both, table, 1 + dice_below(&luck, MOST), 1 + dice_below(&luck, MOST),
                          &luck);
            storm_edit(&both, &luck);
            assert_matrix(&both, table, 1 + dice_below(&luck, MOST), 1 + dice_below(&luck, MOST),
                          &luck);
            cairn_table_free(table);
            twin_free(&both);
        }
    }
}

/* So large that a few pairs are searched for, and many are flooded. */
static void searches_and_floods_give_the_same(void **state)
{
    (void)state;
    enum { MANY = 60 };
    for (uint64_t seed = 0; seed < 2; seed++) {
        dice luck = {seed};
        picture drawn = random_map(seed ? MAP_SPARSE : MAP_CAVE, LARGE, LARGE, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_of(map, 4);
        cairn_node nodes[MANY];
        static cairn_cost all[MANY * MANY], few[2 * 3], down[MANY * 2];

        draw_nodes(&luck, picture_size(&drawn), nodes, MANY);
        assert_int_equal(cairn_distances(map, NULL, nodes, MANY, nodes, MANY, 2, all), CAIRN_OK);
        assert_int_equal(cairn_distances(map, table, nodes, 2, nodes + 4, 3, 2, few), CAIRN_OK);
        assert_int_equal(cairn_distances(map, table, nodes, MANY, nodes, 2, 2, down), CAIRN_OK);
        for (size_t i = 0; i < 2; i++) {
            for (size_t j = 0; j < 3; j++)
                assert_int_equal(few[i * 3 + j], all[i * MANY + 4 + j]);
        }
        for (size_t i = 0; i < MANY; i++) {
            for (size_t j = 0; j < 2; j++)
                assert_int_equal(down[i * 2 + j], all[i * MANY + j]);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Kinds of maps on which floods take over from searches. */
enum { CLUTTER, CLUTTER_WITH_ROWS, PATCHES, ONE_WAY, ROADS, TAKEN_OVER };

/* The steps of a grid as a graph. */
static cairn_map *roads_of(const cairn_map *grid)
{
    const uint32_t nodes = cairn_map_node_count(grid);
    cairn_arc *arcs = malloc((size_t)nodes * CAIRN_STEPS_MAX * sizeof *arcs);
    size_t count = 0;
    cairn_map *roads;

    for (cairn_node node = 0; node < nodes; node++)
        count += cairn_steps(grid, node, arcs + count, CAIRN_STEPS_MAX);
    assert_int_equal(cairn_map_from_arcs(nodes, arcs, count, NULL, NULL, NULL, &roads, NULL),
                     CAIRN_OK);
    free(arcs);
    return roads;
}

static cairn_map *large_grid(unsigned kind)
{
    picture drawn = random_map(MAP_CLUTTERED, LARGE, LARGE, 1 + kind);
    cairn_alphabet alphabet;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    cairn_map *map;
    dice luck = {kind};

    for (uint32_t i = 0; i < picture_size(&drawn); i++) {
        const bool is_patch = i / LARGE / 8 % 3 == i % LARGE / 8 % 3;
        if (drawn.letters[i] == '.' && kind == PATCHES && is_patch)
            drawn.letters[i] = 'G';
        if (drawn.letters[i] == '.' && kind == ONE_WAY && dice_below(&luck, 8) == 0)
            drawn.letters[i] = ">^"[i % 2];
    }
    cairn_alphabet_init(&alphabet);
    alphabet.cost['G'] = 3;
    alphabet.cost['>'] = alphabet.cost['^'] = 1;
    assert_int_equal(cairn_map_from_letters(LARGE, LARGE, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    picture_free(&drawn);
    return map;
}

/* So many pairs on maps so cluttered that floods take over from searches: from the rows of the
 * matrix, or to its columns. */
static void floods_that_take_over_from_searches_give_the_same(void **state)
{
    (void)state;
    enum { MANY = 60, SOME = 10, FEW = 4 };
    for (unsigned kind = 0; kind < TAKEN_OVER; kind++) {
        dice luck = {kind};
        cairn_map *grid = large_grid(kind), *map = kind == ROADS ? roads_of(grid) : grid;
        cairn_table *table = kind == CLUTTER_WITH_ROWS ? table_of(map, 2) : NULL;
        cairn_node nodes[MANY];
        static cairn_cost all[MANY * MANY], some[SOME * SOME];

        draw_nodes(&luck, cairn_map_node_count(map), nodes, MANY);
        assert_int_equal(cairn_distances(map, NULL, nodes, MANY, nodes, MANY, 1, all), CAIRN_OK);
        for (unsigned i = 0; i < 6; i++) {
            const size_t rows = i % 3 == 1 ? FEW : SOME, columns = i % 3 == 2 ? FEW : SOME;
            assert_int_equal(cairn_distances(map, table, nodes, rows, nodes + MANY / 2, columns,
                                             1 + i % 2, some),
                             CAIRN_OK);
            for (size_t at = 0; at < rows * columns; at++)
                assert_int_equal(some[at], all[at / columns * MANY + MANY / 2 + at % columns]);
        }
        cairn_table_free(table);
        if (map != grid)
            cairn_map_free(map);
        cairn_map_free(grid);
    }
}

/* A chain whose ends are too far apart: only what is asked for has to fit. */
static void costs_that_nobody_asks_for_may_be_too_dear(void **state)
{
    (void)state;
    enum { CHAIN = 7, REACH = 4 };
    const cairn_cost step = CAIRN_COST_MAX / 4;
    cairn_arc arcs[2 * (CHAIN - 1)];
    cairn_map *map;

    for (cairn_node i = 0; i + 1 < CHAIN; i++) {
        arcs[2 * i] = (cairn_arc){i, i + 1, step};
        arcs[2 * i + 1] = (cairn_arc){i + 1, i, step};
    }
    assert_int_equal(
        cairn_map_from_arcs(CHAIN + 1, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
        CAIRN_OK);
    for (cairn_node to = 0; to <= CHAIN; to++) {
        const cairn_node targets[] = {to, 1};
        for (size_t count = 1; count <= 2; count++) {
            cairn_cost costs[2];
            const cairn_node from = 0;
            const cairn_status expected = to > REACH && to < CHAIN ? CAIRN_E_LIMIT : CAIRN_OK;
            assert_int_equal(cairn_distances(map, NULL, &from, 1, targets, count, 1, costs),
                             expected);
            if (expected == CAIRN_OK)
                assert_int_equal(costs[0], to < CHAIN ? to * step : CAIRN_UNREACHABLE);
            assert_int_equal(cairn_distances(map, NULL, targets, count, &from, 1, 1, costs),
                             expected);
        }
    }
    cairn_map_free(map);
}

/* By floods where `count` nodes are asked for, or by searches. */
static void assert_without_memory(uint32_t side, size_t count)
{
    picture drawn = random_map(MAP_ALL_OPEN, side, side, 1);
    bool was_struck = true;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        const cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
        const cairn_node nodes[] = {3, side + 4};
        cairn_cost costs[4];
        cairn_map *map;
        assert_int_equal(cairn_map_from_letters(side, side, drawn.letters, &options, &map, NULL),
                         CAIRN_OK);
        failing_allocator_arm(&memory, n);
        const cairn_status status = cairn_distances(map, NULL, nodes, count, nodes + 2 - count,
                                                    count, 1, costs);
        was_struck = failing_allocator_struck(&memory);
        assert_true(was_struck || n > 4);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_map_free(map);
        assert_int_equal(atomic_load(&memory.outstanding), 0);
    }
    picture_free(&drawn);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_without_memory(12, 2);
    assert_without_memory(70, 1);
}

/* Of a large map nearly all is blocked: to make a flooder would take more memory, and longer, than
 * all searches. These take what one search does. */
static void few_costs_on_a_large_map_take_searches_alone(void **state)
{
    (void)state;
    enum { SIDE = 600, MANY = 8 };
    failing_allocator memory;
    failing_allocator_init(&memory);
    const cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
    picture drawn = picture_filled(SIDE, SIDE, '@');
    cairn_node nodes[MANY];
    cairn_cost costs[MANY * MANY];
    cairn_map *map;
    for (uint32_t i = 0; i < MANY; i++) {
        nodes[i] = SIDE * SIDE / 2 + i * i;
        memset(drawn.letters + nodes[i], '.', i);
        drawn.letters[nodes[i]] = '.';
    }
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    size_t calls[2] = {0, 0};
    for (unsigned turn = 0; turn < 4; turn++) { /* what the map keeps is there from the first on */
        failing_allocator_arm(&memory, 0);
        if (turn % 2) {
            assert_int_equal(cairn_distances(map, NULL, nodes, MANY, nodes, MANY, 1, costs),
                             CAIRN_OK);
        } else {
            const cairn_search_options wishes = {.size = sizeof wishes, .form = CAIRN_FORM_NONE};
            cairn_search *search;
            cairn_path path;
            assert_int_equal(cairn_search_new(map, NULL, &wishes, &search), CAIRN_OK);
            for (unsigned i = 0; i < MANY * MANY; i++)
                assert_int_equal(cairn_search_run(search, nodes[i / MANY], nodes[i % MANY], &path),
                                 CAIRN_OK);
            cairn_search_free(search);
        }
        calls[turn % 2] = atomic_load(&memory.calls);
    }
    assert_int_equal(calls[1], calls[0] + 1); /* the copies of the nodes */
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The cost of a path, and no path. */
static void a_search_without_form_gives_the_cost_alone(void **state)
{
    (void)state;
    const cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_NONE};
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        dice luck = {kind};
        twin both = storm_twin(kind, 5);
        cairn_search *search, *whole;
        assert_int_equal(cairn_search_new(both.map, NULL, &options, &search), CAIRN_OK);
        assert_int_equal(cairn_search_new(both.map, NULL, NULL, &whole), CAIRN_OK);
        for (unsigned i = 0; i < 5; i++) {
            const uint32_t nodes = cairn_map_node_count(both.map);
            const cairn_node start = dice_below(&luck, nodes), goal = dice_below(&luck, nodes);
            cairn_path path, expected;
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
            assert_int_equal(cairn_search_run(whole, start, goal, &expected), CAIRN_OK);
            assert_int_equal(path.cost, expected.cost);
            assert_int_equal(path.outcome, expected.outcome);
            assert_int_equal(path.expanded, expected.expanded);
            assert_true(path.node_count == 0 && path.corner_count == 0 && path.length == 0);
            assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
            assert_int_equal(path.node_count, 0);
        }
        cairn_search_free(whole);
        cairn_search_free(search);
        twin_free(&both);
    }
}

/* How many steps lead from one cell to another where nothing is blocked, and what they cost. */
static oracle_arcs empty_arcs(const twin *both, oracle_steps steps)
{
    picture empty = picture_filled(both->drawn.width, both->drawn.height, '.');
    oracle_terrain terrain = {.factor = {['.'] = 1}};
    oracle_arcs arcs = oracle_arcs_of(&empty, both->rule, steps, 1, &terrain);
    picture_free(&empty);
    return arcs;
}

static cairn_node nearest_of(const twin *both, const uint64_t *steps, const uint64_t *costs,
                             uint32_t limit, cairn_node with)
{
    cairn_node best = CAIRN_NO_NODE;
    for (uint32_t node = 0; node < picture_size(&both->drawn); node++) {
        if (!twin_is_open(both, node) || steps[node] > limit ||
            (with != CAIRN_NO_NODE && !cairn_connected(both->map, node, with)))
            continue;
        if (best == CAIRN_NO_NODE || costs[node] < costs[best])
            best = node;
    }
    return best;
}

static void assert_nearest(const twin *both, dice *luck, unsigned tries, uint32_t most)
{
    oracle_arcs by_steps = empty_arcs(both, (oracle_steps){1, 1});
    oracle_arcs by_costs = empty_arcs(both, steps_of(cairn_map_metric(both->map)));
    for (unsigned i = 0; i < tries; i++) {
        const uint32_t nodes = picture_size(&both->drawn), limit = dice_below(luck, most);
        const cairn_node node = dice_below(luck, nodes);
        const cairn_node with = i % 2 ? dice_below(luck, nodes) : CAIRN_NO_NODE;
        uint64_t *steps = oracle_arc_costs(&by_steps, ORACLE_TO, &node, 1);
        uint64_t *costs = oracle_arc_costs(&by_costs, ORACLE_TO, &node, 1);
        assert_int_equal(cairn_nearest_open(both->map, node, limit, with),
                         nearest_of(both, steps, costs, limit, with));
        free(costs);
        free(steps);
    }
    oracle_arcs_free(&by_costs);
    oracle_arcs_free(&by_steps);
}

static void the_nearest_open_cell_stands_in_for_one_that_is_blocked_or_apart(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
            twin both = twin_of(seed, rule, (terrain_kind)(seed % 4), CAIRN_METRIC_OCTILE);
            dice luck = {seed};
            assert_nearest(&both, &luck, 8, 9);
            assert_int_equal(cairn_nearest_open(both.map, CAIRN_NO_NODE, 3, CAIRN_NO_NODE),
                             CAIRN_NO_NODE);
            twin_free(&both);
        }
    }
}

/* Several words of openness in a row, nearly all blocked; equal costs of steps, so that many cells
 * are as near as each other. */
static void the_nearest_open_cell_is_found_far_away(void **state)
{
    static const uint32_t sides[][2] = {{197, 23}, {128, 40}, {19, 150}, {1, 190}};
    static const cairn_metric metrics[] = {{2378, 3363}, {1, 1}, {5, 10}};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(sides) * ORACLE_RULES; i++) {
        const uint32_t *side = sides[i / ORACLE_RULES];
        twin both = twin_sized(MAP_ALL_OPEN, (oracle_rule)(i % ORACLE_RULES), TERRAIN_UNIFORM,
                               metrics[i % COUNT_OF(metrics)], side[0], side[1]);
        dice luck = {i};
        const cairn_edit all = cairn_rectangle(0, 0, side[0], side[1], '@');
        assert_int_equal(cairn_map_edit(both.map, &all, 1), CAIRN_OK);
        memset(both.drawn.letters, '@', picture_size(&both.drawn));
        for (unsigned cell = 0; cell < 12; cell++) {
            const uint32_t x = dice_below(&luck, side[0]), y = dice_below(&luck, side[1]);
            const cairn_edit edit = cairn_open(x, y);
            both.drawn.letters[y * side[0] + x] = '.';
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            assert_nearest(&both, &luck, 3, 300);
        }
        twin_free(&both);
    }
}

/* Steps that cost so much that the base heuristic of both cells is above every cost. */
static void the_nearest_open_cell_is_found_at_any_cost(void **state)
{
    enum { WIDE = 1000, LEFT = 200, RIGHT = 999, WANTED = 400, FACTOR = 3000 };
    picture drawn = picture_filled(WIDE, 1, '@');
    cairn_alphabet costly;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &costly};
    cairn_map *map;
    (void)state;

    cairn_alphabet_init(&costly);
    costly.cost['.'] = costly.cost['G'] = costly.cost['S'] = FACTOR;
    drawn.letters[0] = drawn.letters[LEFT] = drawn.letters[RIGHT] = '.';
    assert_int_equal(cairn_map_from_letters(WIDE, 1, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_nearest_open(map, WANTED, UINT32_MAX, CAIRN_NO_NODE), LEFT);
    assert_int_equal(cairn_nearest_open(map, 700, UINT32_MAX, CAIRN_NO_NODE), RIGHT);
    assert_int_equal(cairn_nearest_open(map, 1, UINT32_MAX, CAIRN_NO_NODE), 0);
    assert_int_equal(cairn_nearest_open(map, WIDE - 2, UINT32_MAX, CAIRN_NO_NODE), RIGHT);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Whether searches or floods would give the costs, or there are none. */
static void a_table_of_another_map_is_refused_at_once(void **state)
{
    enum { SIDE = 70, MANY = 60 };
    (void)state;
    picture drawn = random_map(MAP_CAVE, SIDE, SIDE, 1),
            other = random_map(MAP_CAVE, SIDE, SIDE, 2);
    picture turned = random_map(MAP_CAVE, SIDE / 2, SIDE * 2, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const picture *const strange[] = {&other, &turned};
    static const cairn_metric none, even = {1, 1};
    cairn_node nodes[MANY];
    static cairn_cost costs[MANY * MANY];

    draw_nodes(&(dice){1}, picture_size(&drawn), nodes, MANY);
    for (unsigned i = 0; i < 2 * COUNT_OF(strange); i++) {
        cairn_map *its = map_of(strange[i / 2], CAIRN_METRIC_OCTILE);
        cairn_table *table = table_built(
            its, (cairn_build_options){.landmark_count = 2, .step_metric = i % 2 ? even : none});
        for (size_t count = 0; count <= MANY; count += MANY / 2) {
            assert_int_equal(cairn_distances(map, table, nodes, count, nodes, count, 1, costs),
                             CAIRN_E_MISMATCH);
            assert_int_equal(cairn_distances(its, table, nodes, count, nodes, count, 1, costs),
                             CAIRN_OK);
        }
        cairn_table_free(table);
        cairn_map_free(its);
    }
    cairn_map_free(map);
    picture_free(&drawn);
    picture_free(&other);
    picture_free(&turned);
}

static void what_is_not_on_the_map_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", "...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node nodes[] = {0, 6};
    cairn_cost cost;
    assert_int_equal(cairn_distances(NULL, NULL, nodes, 1, nodes, 1, 1, &cost), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_distances(map, NULL, nodes, 1, nodes + 1, 1, 1, &cost),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_distances(map, NULL, nodes + 1, 1, nodes, 1, 1, &cost),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_distances(map, NULL, NULL, 1, nodes, 1, 1, &cost), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_distances(map, NULL, nodes, 1, nodes, 1, 1, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_distances(map, NULL, NULL, 0, nodes, 1, 1, NULL), CAIRN_OK);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_oracle),
        cmocka_unit_test(searches_and_floods_give_the_same),
        cmocka_unit_test(floods_that_take_over_from_searches_give_the_same),
        cmocka_unit_test(costs_that_nobody_asks_for_may_be_too_dear),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(few_costs_on_a_large_map_take_searches_alone),
        cmocka_unit_test(a_search_without_form_gives_the_cost_alone),
        cmocka_unit_test(the_nearest_open_cell_stands_in_for_one_that_is_blocked_or_apart),
        cmocka_unit_test(the_nearest_open_cell_is_found_far_away),
        cmocka_unit_test(the_nearest_open_cell_is_found_at_any_cost),
        cmocka_unit_test(what_is_not_on_the_map_is_refused),
        cmocka_unit_test(a_table_of_another_map_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
