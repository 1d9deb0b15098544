/* Searches against the oracle: the cost is the least, the path is legal and costs just that. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/paths.h"
#include "support/seeds.h"

enum { MAPS = 12 * MAP_KINDS, GOALS = 3, STARTS = 8 };

static void run_and_check(cairn_search *search, const picture *drawn, const cairn_map *map,
                          cairn_node start, cairn_node goal, uint64_t cost)
{
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_shortest_path(drawn, steps_of(cairn_map_metric(map)), &path, start, goal, cost);
    if (path.outcome != CAIRN_PATH_FOUND)
        return;
    assert_true(path.generated >= path.expanded);
    if (path.space == CAIRN_SPACE_CELLS)
        assert_true(path.expanded + 1 >= path.node_count);
    assert_true(path.open_peak >= 1 || start == goal);
}

static cairn_cost no_bound(void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return 0;
}

/* The exact cost, in an array: the best bound of a caller's own there can be. */
static cairn_cost perfect_bound(void *context, cairn_node node)
{
    return cost_of(((const uint64_t *)context)[node]);
}

static cairn_search *search_by(const cairn_map *map, const cairn_table *table,
                               cairn_cost (*bound)(void *, cairn_node), void *context)
{
    return search_with(map, table,
                       (cairn_search_options){.bound = bound, .bound_context = context});
}

static void check_goal(const picture *drawn, const cairn_map *map, cairn_search *searches[3],
                       cairn_node goal, dice *luck)
{
    uint64_t *costs = oracle_costs(drawn, steps_of(cairn_map_metric(map)), &goal, 1);
    cairn_search *perfect = search_by(map, NULL, perfect_bound, costs);

    for (int i = 0; i < STARTS; i++) {
        cairn_node start = i ? dice_open_cell(luck, drawn) : goal;
        for (int kind = 0; kind < 3; kind++)
            run_and_check(searches[kind], drawn, map, start, goal, costs[start]);
        run_and_check(perfect, drawn, map, start, goal, costs[start]);
    }
    cairn_search_free(perfect);
    free(costs);
}

static void check_map(const picture *drawn, cairn_metric metric, uint32_t rows, dice *luck)
{
    cairn_map *map = map_of(drawn, metric);
    cairn_table *table = table_of(map, rows);
    cairn_search *searches[] = {
        search_by(map, NULL, NULL, NULL),
        search_by(map, table, NULL, NULL),
        search_by(map, NULL, no_bound, NULL),
    };
    for (int i = 0; i < GOALS && picture_open_count(drawn); i++)
        check_goal(drawn, map, searches, dice_open_cell(luck, drawn), luck);
    for (size_t i = 0; i < COUNT_OF(searches); i++)
        cairn_search_free(searches[i]);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void every_search_finds_a_legal_path_of_the_oracles_cost(void **state)
{
    (void)state;
    dice luck = {31337};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_metric metric = fixture_metrics[seed / MAP_KINDS % FIXTURE_METRICS];
        check_map(&drawn, metric, 1 + dice_below(&luck, 20), &luck);
        picture_free(&drawn);
    }
}

/* Steps so dear that the open list cannot be an array of buckets. */
static void dear_steps_take_the_other_open_list_to_the_same_result(void **state)
{
    (void)state;
    static const cairn_metric dear[] = {{40000, 56569}, {1 << 20, 1 << 20}, {1 << 19, 1 << 20}};
    dice luck = {5};
    for (uint64_t seed = 0; seed < 2 * MAP_KINDS; seed++) {
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), 23, 17, seed);
        check_map(&drawn, dear[seed % COUNT_OF(dear)], 5, &luck);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_search_finds_a_legal_path_of_the_oracles_cost),
        cmocka_unit_test(dear_steps_take_the_other_open_list_to_the_same_result),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
