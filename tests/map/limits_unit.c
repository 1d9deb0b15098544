/* Costs at the limits of 32 bits: right, or refused. */
#include "support/check.h"
#include "support/fixtures.h"

enum { DEAREST = CAIRN_COST_MAX / 4, NODES = 6 };

/* A road of the dearest arcs both ways, with so many nodes. */
static cairn_map *road_of(uint32_t nodes)
{
    cairn_arc arcs[2 * NODES];
    size_t count = 0;
    cairn_map *map;
    for (cairn_node node = 0; node + 1 < nodes; node++) {
        arcs[count++] = (cairn_arc){node, node + 1, DEAREST};
        arcs[count++] = (cairn_arc){node + 1, node, DEAREST};
    }
    assert_int_equal(cairn_map_from_arcs(nodes, arcs, count, NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    return map;
}

static cairn_status go(const cairn_map *map, const cairn_table *table, uint32_t weight,
                       cairn_node goal, cairn_path *path)
{
    cairn_search_options options = {.size = sizeof options, .weight = weight};
    cairn_search *search;
    assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
    cairn_status status = cairn_search_run(search, 0, goal, path);
    cairn_search_free(search);
    return status;
}

static void costs_up_to_the_limit_are_exact(void **state)
{
    cairn_map *map = road_of(NODES - 1);
    cairn_cost costs[NODES];
    cairn_table *table;
    cairn_path path;

    (void)state;
    assert_int_equal(cairn_costs_from(map, &(cairn_node){0}, 1, costs), CAIRN_OK);
    for (uint32_t node = 0; node < NODES - 1; node++)
        assert_int_equal(costs[node], node * (cairn_cost)DEAREST);
    assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    for (uint32_t weight = 1000; weight <= 1000000; weight *= 10) {
        assert_int_equal(go(map, table, weight, NODES - 2, &path), CAIRN_OK);
        assert_int_equal(path.cost, 4 * (cairn_cost)DEAREST);
    }
    cairn_table_free(table);
    cairn_map_free(map);
}

static void costs_beyond_the_limit_are_refused(void **state)
{
    cairn_map *map = road_of(NODES);
    cairn_build_options steps = {.size = sizeof steps, .step_metric = {1, 1}};
    cairn_cost costs[NODES];
    cairn_table *table;
    cairn_path path;

    (void)state;
    assert_int_equal(cairn_costs_from(map, &(cairn_node){0}, 1, costs), CAIRN_E_LIMIT);
    assert_int_equal(cairn_costs_to(map, &(cairn_node){0}, 1, costs), CAIRN_E_LIMIT);
    assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_E_LIMIT);
    assert_null(table);
    assert_int_equal(go(map, NULL, 0, NODES - 1, &path), CAIRN_E_LIMIT);
    assert_int_equal(go(map, NULL, 0, NODES - 2, &path), CAIRN_OK);
    assert_int_equal(path.cost, 4 * (cairn_cost)DEAREST);

    /* Steps are few, whatever they cost; the bound is cut where no path can be. */
    assert_int_equal(cairn_table_build(map, &steps, &table), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    for (uint32_t weight = 1000; weight <= 1000000; weight *= 10) {
        assert_int_equal(go(map, table, weight, NODES - 1, &path), CAIRN_E_LIMIT);
        assert_int_equal(go(map, table, weight, NODES - 2, &path), CAIRN_OK);
        assert_int_equal(path.cost, 4 * (cairn_cost)DEAREST);
    }
    cairn_table_free(table);
    cairn_map_free(map);
}

/* The goal is walled off; of the cells before the wall, the last cost more than can be told. */
static void the_nearest_may_not_cost_more_than_the_limit(void **state)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {
        .size = sizeof options, .alphabet = &alphabet, .metric = {4096, 4096}};
    cairn_search_options nearest = {.size = sizeof nearest, .nearest = true};
    cairn_search *search;
    cairn_map *map;
    cairn_path path;

    (void)state;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['.'] = 65534;
    assert_int_equal(cairn_map_from_letters(10, 1, ".......@..", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, &nearest, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 2, 9, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.cost, 4u * 4096 * 65534);
    assert_int_equal(path.nodes[path.node_count - 1], 6);
    assert_int_equal(cairn_search_run(search, 0, 9, &path), CAIRN_E_LIMIT);
    assert_int_equal(cairn_search_run(search, 0, 5, &path), CAIRN_E_LIMIT);
    cairn_search_free(search);
    cairn_map_free(map);
}

static void terrain_times_metric_is_exact_or_refused(void **state)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {
        .size = sizeof options, .alphabet = &alphabet, .metric = {4096, 4096}};
    cairn_cost costs[NODES];
    cairn_table *table;
    cairn_map *map;

    (void)state;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['.'] = 65534;
    for (cairn_rule rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        options.rule = rule;
        options.metric = (cairn_metric){4096, 4096};
        assert_int_equal(cairn_map_from_letters(5, 1, ".....", &options, &map, NULL), CAIRN_OK);
        assert_int_equal(cairn_costs_from(map, &(cairn_node){0}, 1, costs), CAIRN_OK);
        assert_int_equal(costs[4], 4u * 4096 * 65534);
        assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        assert_int_equal(cairn_map_set_metric(map, (cairn_metric){4097, 4097}), CAIRN_E_LIMIT);
        assert_int_equal(cairn_map_metric(map).straight, 4096);
        cairn_table_free(table);
        cairn_map_free(map);

        assert_int_equal(cairn_map_from_letters(6, 1, "......", &options, &map, NULL), CAIRN_OK);
        assert_int_equal(cairn_costs_from(map, &(cairn_node){0}, 1, costs), CAIRN_E_LIMIT);
        assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_E_LIMIT);
        cairn_map_free(map);
        options.metric = (cairn_metric){4097, 4097};
        assert_int_equal(cairn_map_from_letters(5, 1, ".....", &options, &map, NULL),
                         CAIRN_E_LIMIT);
    }
}

static void arcs_that_cost_nothing_or_too_much_are_refused(void **state)
{
    cairn_arc arc = {0, 1, 0};
    cairn_map *map;

    (void)state;
    assert_int_equal(cairn_map_from_arcs(2, &arc, 1, NULL, NULL, NULL, &map, NULL),
                     CAIRN_E_ARGUMENT);
    arc.cost = DEAREST + 1;
    assert_int_equal(cairn_map_from_arcs(2, &arc, 1, NULL, NULL, NULL, &map, NULL), CAIRN_E_LIMIT);
    arc.cost = UINT32_MAX;
    assert_int_equal(cairn_map_from_arcs(2, &arc, 1, NULL, NULL, NULL, &map, NULL), CAIRN_E_LIMIT);
    assert_null(map);
}

/* ------------------------------------------------------------------ edits beyond the limit -- */

static const cairn_metric dearest = {CAIRN_METRIC_MAX, CAIRN_METRIC_MAX};

static cairn_table *rows_of(cairn_map *map, cairn_resident resident)
{
    return table_built(
        map, (cairn_build_options){.landmark_count = 3, .thread_count = 1, .resident = resident});
}

static void edit_at(picture *drawn, cairn_map *map, uint32_t x, uint32_t y, char letter)
{
    const cairn_edit edit = cairn_terrain(x, y, letter);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    drawn->letters[y * drawn->width + x] = letter;
}

/* Every cost is the oracle's, or refused where that is beyond the limit. */
static void assert_costs(const picture *drawn, cairn_search *search, dice *luck)
{
    const uint32_t start = dice_open_cell(luck, drawn);
    uint64_t *costs = oracle_costs(drawn, steps_of(dearest), &start, 1);
    cairn_path path;

    for (unsigned i = 0; i < 60; i++) {
        const uint32_t goal = dice_open_cell(luck, drawn);
        const uint32_t column = start % drawn->width, other = goal % drawn->width;
        if (i % 4 && (column > other ? column - other : other - column) > 40)
            continue;
        const cairn_status status = cairn_search_run(search, start, goal, &path);
        if (costs[goal] != ORACLE_NEVER && costs[goal] > CAIRN_COST_MAX) {
            assert_int_equal(status, CAIRN_E_LIMIT);
            continue;
        }
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(path.cost, cost_of(costs[goal]));
    }
    free(costs);
}

static void assert_refused(const picture *drawn, cairn_map *map, cairn_table *table,
                           cairn_budget budget, dice *luck)
{
    cairn_status status = CAIRN_MORE;
    cairn_search *search;

    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < 3000 && status == CAIRN_MORE; i++) {
        status = step_now(table, map, budget);
        if (i % 256 == 0)
            assert_costs(drawn, search, luck);
    }
    assert_int_equal(status, CAIRN_E_LIMIT);
    assert_costs(drawn, search, luck);
    cairn_search_free(search);
}

enum { ROOM = 11, ROOMS = 30, LOW = 9 };

/* With doors in these rows, which are closed. */
static picture rooms_in_a_row(dice *luck, uint8_t *rows)
{
    picture drawn = picture_filled(ROOM * ROOMS, LOW, '.');
    for (uint32_t i = 0; i < picture_size(&drawn); i++) {
        if (i % ROOM == ROOM - 1 || (i % ROOM % 9 && dice_below(luck, 10) == 0))
            drawn.letters[i] = '@';
    }
    for (uint32_t room = 0; room < ROOMS; room++)
        rows[room] = (uint8_t)dice_below(luck, LOW);
    return drawn;
}

static void change_doors(picture *drawn, cairn_map *map, const uint8_t *rows, char letter)
{
    for (uint32_t room = 0; room < ROOMS; room++)
        edit_at(drawn, map, (room + 1) * ROOM - 1, rows[room], letter);
}

/* Doors are farther from one another than costs can tell, and are taken together: where rows serve
 * by gates, and where they are repaired, nothing wraps around. */
static void rooms_that_are_joined_beyond_the_limit_are_searched_right(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        dice luck = {seed + 1};
        uint8_t rows[ROOMS];
        picture drawn = rooms_in_a_row(&luck, rows);
        cairn_map *map = map_of(&drawn, dearest);
        cairn_table *table = rows_of(map, seed % 2 ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS);
        cairn_search *search;

        change_doors(&drawn, map, rows, '.');
        assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
        for (unsigned i = 0; i < 20; i++)
            assert_costs(&drawn, search, &luck);
        cairn_search_free(search);
        assert_refused(&drawn, map, table, CAIRN_CELLS(40), &luck);
        assert_refused(&drawn, map, table, CAIRN_CELLS(40), &luck);
        assert_refused(&drawn, map, table, CAIRN_UNLIMITED, &luck);
        assert_refused(&drawn, map, table, CAIRN_UNLIMITED, &luck);
        change_doors(&drawn, map, rows, '@');
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A single cell that opened costs too much, and nothing else changes. */
static void a_cell_that_opens_beyond_the_limit_is_refused(void **state)
{
    enum { LAST = CAIRN_COST_MAX / CAIRN_METRIC_MAX + 1 };
    const cairn_node first = 0;
    const cairn_budget budgets[] = {CAIRN_CELLS(3), CAIRN_UNLIMITED};
    const cairn_build_options options = {.size = sizeof options,
                                         .placement = CAIRN_PLACE_LIST,
                                         .listed = &first,
                                         .listed_count = 1,
                                         .thread_count = 1};
    dice luck = {1};

    (void)state;
    for (unsigned i = 0; i < COUNT_OF(budgets); i++) {
        picture drawn = picture_filled(LAST + 1, 1, '.');
        drawn.letters[LAST] = '@';
        cairn_map *map = map_of(&drawn, dearest);
        cairn_table *table;
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        edit_at(&drawn, map, LAST, 0, '.');
        assert_refused(&drawn, map, table, budgets[i], &luck);
        assert_refused(&drawn, map, table, budgets[i], &luck);
        edit_at(&drawn, map, LAST, 0, '@');
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_up_to_the_limit_are_exact),
        cmocka_unit_test(costs_beyond_the_limit_are_refused),
        cmocka_unit_test(the_nearest_may_not_cost_more_than_the_limit),
        cmocka_unit_test(terrain_times_metric_is_exact_or_refused),
        cmocka_unit_test(arcs_that_cost_nothing_or_too_much_are_refused),
        cmocka_unit_test(rooms_that_are_joined_beyond_the_limit_are_searched_right),
        cmocka_unit_test(a_cell_that_opens_beyond_the_limit_is_refused),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
