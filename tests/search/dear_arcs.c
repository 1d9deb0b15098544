/* Graphs in which some arcs cost far more than others, before a search is made and after: costs
 * equal the oracle's, and no node is taken again and again. */
#include "search/search.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

enum { SIDE = 16, NODES = SIDE * SIDE, QUERIES = 30 };

/* The cells of a square, each with an arc to and from its neighbours, all at cost 1. */
static twin square(void)
{
    twin made = {.arcs = {.node_count = NODES}};
    cairn_arc *arcs = calloc(4 * NODES, sizeof *arcs);
    made.arcs.list = calloc(4 * NODES, sizeof *made.arcs.list);
    assert_true(arcs && made.arcs.list);
    for (uint32_t node = 0; node < NODES; node++) {
        uint32_t next[] = {node + 1, node + SIDE};
        for (unsigned i = 0; i < COUNT_OF(next); i++) {
            if ((i == 0 && next[i] % SIDE == 0) || next[i] >= NODES)
                continue;
            for (unsigned back = 0; back < 2; back++) {
                cairn_arc arc = {back ? next[i] : node, back ? node : next[i], 1};
                arcs[made.arcs.count] = arc;
                made.arcs.list[made.arcs.count++] = (oracle_arc){arc.from, arc.to, 1};
            }
        }
    }
    assert_int_equal(
        cairn_map_from_arcs(NODES, arcs, made.arcs.count, NULL, NULL, NULL, &made.map, NULL),
        CAIRN_OK);
    free(arcs);
    return made;
}

/* Sets the cost of an arc and of its reverse, the next one of the list. */
static void set_both_ways(twin *both, size_t index, cairn_cost cost)
{
    oracle_arc *there = &both->arcs.list[index], *back = there + 1;
    there->cost = back->cost = cost;
    const cairn_edit edit = cairn_arc_cost(there->from, there->to, cost);
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
}

/* `share` of a hundred arcs get a cost of up to `most`. */
static void make_dear(twin *both, dice *luck, uint32_t share, uint32_t most)
{
    for (size_t i = 0; i < both->arcs.count; i += 2) {
        if (dice_below(luck, 100) < share)
            set_both_ways(both, i, 1 + dice_below(luck, most));
    }
}

/* Whether the search came to what the oracle says: a cost, or that it is above the limit. */
static void assert_outcome(const twin *both, cairn_status status, const cairn_path *path,
                           uint64_t least)
{
    if (least > CAIRN_COST_MAX) {
        assert_int_equal(status, CAIRN_E_LIMIT);
        return;
    }
    assert_int_equal(status, CAIRN_OK);
    assert_int_equal(path->outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path->cost, least);
    assert_int_equal(oracle_arc_path(&both->arcs, path->nodes, path->node_count), least);
}

static cairn_status run_in_steps(cairn_search *search, cairn_node start, cairn_node goal,
                                 cairn_path *path)
{
    cairn_status status = cairn_search_begin(search, start, goal, path);
    while (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED)
        status = cairn_search_resume(search, 7, path);
    return status;
}

/* Expansions of all queries together. */
static uint64_t assert_queries(const twin *both, cairn_search *search, bool in_steps, uint64_t seed)
{
    dice luck = {seed};
    uint64_t expanded = 0;
    for (unsigned i = 0; i < QUERIES; i++) {
        cairn_node start = dice_below(&luck, NODES), goal = dice_below(&luck, NODES);
        cairn_path path;
        uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_FROM, &start, 1);
        cairn_status status = (in_steps ? run_in_steps : cairn_search_run)(search, start, goal,
                                                                           &path);
        assert_outcome(both, status, &path, costs[goal]);
        expanded += status == CAIRN_OK ? path.expanded : 0;
        free(costs);
    }
    return expanded;
}

static const struct {
    uint32_t share;
    uint32_t most;
} raises[] = {{10, 100}, {10, 1 << 26}, {50, 70000}, {90, CAIRN_COST_MAX / 4}, {50, 1 << 27}};

static void searches_follow_arcs_that_grow_dear(void **state)
{
    (void)state;
    static const cairn_search_options options[] = {
        {.size = sizeof options[0]},
        {.size = sizeof options[0], .ties = CAIRN_TIES_FIRST},
        {.size = sizeof options[0], .ties = CAIRN_TIES_LARGER_G, .weight = 1000},
        {.size = sizeof options[0], .expansion_limit = 3},
    };
    for (size_t i = 0; i < COUNT_OF(raises) * COUNT_OF(options); i++) {
        const cairn_search_options *chosen = &options[i % COUNT_OF(options)];
        twin both = square();
        dice luck = {i + 1};
        cairn_search *search;
        assert_int_equal(cairn_search_new(both.map, NULL, chosen, &search), CAIRN_OK);
        assert_queries(&both, search, chosen->expansion_limit, i);
        make_dear(&both, &luck, raises[i / COUNT_OF(options)].share,
                  raises[i / COUNT_OF(options)].most);
        uint64_t expanded = assert_queries(&both, search, chosen->expansion_limit, i);
        assert_true(expanded <= (uint64_t)QUERIES * NODES);
        cairn_search_free(search);
        twin_free(&both);
    }
}

static void a_search_may_be_led_to_a_map_with_dearer_arcs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(raises); i++) {
        twin both = square();
        dice luck = {i + 100};
        cairn_map *first;
        cairn_search *search;
        assert_int_equal(cairn_map_clone(both.map, &first), CAIRN_OK);
        assert_int_equal(cairn_search_new(first, NULL, NULL, &search), CAIRN_OK);
        make_dear(&both, &luck, raises[i].share, raises[i].most);
        assert_int_equal(cairn_search_use(search, both.map, NULL), CAIRN_OK);
        assert_true(assert_queries(&both, search, false, i) <= (uint64_t)QUERIES * NODES);
        cairn_search_free(search);
        cairn_map_free(first);
        twin_free(&both);
    }
}

/* Of how dear the few arcs are that no path takes, only the open list knows: nodes are expanded in
 * the same order, each once. */
static void closed_arcs_cost_no_expansions(void **state)
{
    (void)state;
    static const cairn_cost closed[] = {20000, 1 << 20, CAIRN_COST_MAX / 4};
    uint64_t expanded[COUNT_OF(closed)];
    for (size_t i = 0; i < COUNT_OF(closed); i++) {
        twin both = square();
        cairn_search *search;
        assert_int_equal(cairn_search_new(both.map, NULL, NULL, &search), CAIRN_OK);
        for (size_t arc = 0; arc < both.arcs.count; arc += 40)
            set_both_ways(&both, arc, closed[i]);
        expanded[i] = assert_queries(&both, search, i == 2, 5);
        assert_int_equal(search->scratch.shift, 0);
        assert_true(search->scratch.open.bucket_count > 0);
        assert_true(expanded[i] == expanded[0]);
        cairn_search_free(search);
        twin_free(&both);
    }
}

/* A table that was refreshed after the arcs grew dear; and batches. */
static void tables_and_batches_follow_as_well(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(raises); i++) {
        twin both = square();
        dice luck = {i + 200};
        cairn_build_options build = {.size = sizeof build, .landmark_count = 3, .thread_count = 1};
        cairn_table *table;
        cairn_search *search;
        cairn_batch *batch;
        cairn_query queries[QUERIES];
        assert_int_equal(cairn_table_build(both.map, &build, &table), CAIRN_OK);
        assert_int_equal(cairn_search_new(both.map, table, NULL, &search), CAIRN_OK);
        make_dear(&both, &luck, raises[i].share, raises[i].most);
        assert_queries(&both, search, false, i);
        cairn_status rebuilt = cairn_table_rebuild(table, both.map);
        assert_true(rebuilt == CAIRN_OK || rebuilt == CAIRN_E_LIMIT);
        if (rebuilt == CAIRN_OK) {
            assert_true(assert_queries(&both, search, false, i) <= (uint64_t)QUERIES * NODES);
            for (unsigned k = 0; k < QUERIES; k++) {
                queries[k].start = dice_below(&luck, NODES);
                queries[k].goal = dice_below(&luck, NODES);
            }
            assert_int_equal(cairn_search_batch(both.map, table, queries, QUERIES, NULL, 2, &batch),
                             CAIRN_OK);
            for (unsigned k = 0; k < QUERIES; k++) {
                uint64_t *costs = oracle_arc_costs(&both.arcs, ORACLE_FROM, &queries[k].start, 1);
                assert_outcome(&both, CAIRN_OK, &cairn_batch_paths(batch)[k],
                               costs[queries[k].goal]);
                free(costs);
            }
            cairn_batch_free(batch);
        }
        cairn_search_free(search);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Keys are 8,192 wide here. Node 7 is first taken on a way that is a little too dear, before node
 * 6, which waits at the same key, makes it cheaper. */
static void a_way_that_is_too_dear_does_not_hide_a_cheaper_one(void **state)
{
    (void)state;
    const cairn_cost near = CAIRN_COST_MAX - 110, last = 200000000, leg = (near - last) / 4;
    const cairn_cost fourth = near - last - 3 * leg;
    const cairn_arc arcs[] = {{0, 1, leg},
                              {1, 2, leg},
                              {2, 3, leg},
                              {3, 4, fourth},
                              {4, 6, last},
                              {6, 7, 100},
                              {3, 5, fourth + 20000},
                              {5, 7, last - 20000 + 111},
                              {7, 8, 1}};
    cairn_map *map;
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_map_from_arcs(9, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 8, &path), CAIRN_OK);
    assert_int_equal(path.cost, near + 101);
    cairn_search_free(search);
    cairn_map_free(map);
}

enum { FORK_LENGTH = 5, FORK_NODES = 2 * FORK_LENGTH, FORK_GOAL = FORK_NODES - 1 };

/* Two chains from node 0 to the last one: over even nodes a path that costs more than fits, over
 * odd ones a path that fits. */
static twin fork_in_the_road(void)
{
    twin made = {.arcs = {.node_count = FORK_NODES}};
    cairn_arc arcs[FORK_NODES];
    made.arcs.list = calloc(FORK_NODES, sizeof *made.arcs.list);
    assert_non_null(made.arcs.list);
    for (uint32_t node = 0; node < FORK_GOAL; node++) {
        const bool is_dear = node % 2 == 0;
        const uint32_t to = node + 2 < FORK_NODES ? node + 2 : FORK_GOAL;
        const cairn_cost cost = is_dear ? CAIRN_COST_MAX / 4 : CAIRN_COST_MAX / (FORK_LENGTH + 1);
        arcs[made.arcs.count] = (cairn_arc){node, to, cost};
        made.arcs.list[made.arcs.count++] = (oracle_arc){node, to, cost};
    }
    arcs[made.arcs.count] = (cairn_arc){0, 1, CAIRN_COST_MAX / (FORK_LENGTH + 1)};
    made.arcs.list[made.arcs.count++] = (oracle_arc){0, 1, CAIRN_COST_MAX / (FORK_LENGTH + 1)};
    assert_int_equal(
        cairn_map_from_arcs(FORK_NODES, arcs, made.arcs.count, NULL, NULL, NULL, &made.map, NULL),
        CAIRN_OK);
    return made;
}

/* Of the path that fits it tells all, of the other one nothing. */
static cairn_cost lure(void *context, cairn_node node)
{
    const uint64_t *to_goal = context;
    return node % 2 ? (cairn_cost)to_goal[node] : 0;
}

/* The path that a weight leads to may cost more than fits, where the shortest one does not. */
static void weights_lose_no_path_that_fits(void **state)
{
    static const uint32_t weights[] = {0, 1000, 2000, 5000, 1000000};
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(weights); i++) {
        twin both = fork_in_the_road();
        cairn_node goal = FORK_GOAL;
        uint64_t *costs = oracle_arc_costs(&both.arcs, ORACLE_TO, &goal, 1);
        const cairn_search_options options = {.size = sizeof options,
                                              .bound = lure,
                                              .bound_context = costs,
                                              .weight = weights[i / 2]};
        cairn_search *search;
        cairn_path path;

        assert_true(costs[0] < CAIRN_COST_MAX);
        assert_int_equal(cairn_search_new(both.map, NULL, &options, &search), CAIRN_OK);
        const cairn_status status = (i % 2 ? run_in_steps : cairn_search_run)(search, 0, goal,
                                                                              &path);
        assert_outcome(&both, status, &path, costs[0]);
        assert_true(path.guarantee >= 1000);
        cairn_search_free(search);
        free(costs);
        twin_free(&both);
    }
}

static void set_cost(twin *both, cairn_node from, cairn_node to, cairn_cost cost)
{
    const cairn_edit edit = cairn_arc_cost(from, to, cost);
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    for (size_t i = 0; i < both->arcs.count; i++) {
        if (both->arcs.list[i].from == from && both->arcs.list[i].to == to)
            both->arcs.list[i].cost = cost;
    }
}

/* Sets the costs of the path over even nodes. */
static void set_even_costs(twin *both, cairn_cost cost)
{
    for (cairn_node node = 0; node < FORK_GOAL; node += 2)
        set_cost(both, node, node + 2 < FORK_NODES ? node + 2 : FORK_GOAL, cost);
}

/* Rows that hold neither what became dearer nor what became cheaper lead a weight over the path
 * that does not fit; the second search goes by the same gates, in slices or not. */
static void a_second_search_goes_by_gates(void **state)
{
    static const uint32_t weights[] = {1000, 2000, 5000, 1000000};
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(weights); i++) {
        const cairn_search_options options = {.size = sizeof options, .weight = weights[i / 2]};
        const cairn_build_options wishes = {.size = sizeof wishes, .landmark_count = 4};
        twin both = fork_in_the_road();
        cairn_search *search;
        cairn_table *table;
        cairn_path path;

        set_even_costs(&both, 1);
        assert_int_equal(cairn_table_build(both.map, &wishes, &table), CAIRN_OK);
        assert_int_equal(cairn_search_new(both.map, table, &options, &search), CAIRN_OK);
        set_even_costs(&both, CAIRN_COST_MAX / 4);
        set_cost(&both, FORK_GOAL - 2, FORK_GOAL, CAIRN_COST_MAX / (FORK_LENGTH + 2));
        cairn_node goal = FORK_GOAL;
        uint64_t *costs = oracle_arc_costs(&both.arcs, ORACLE_TO, &goal, 1);
        const cairn_status status = (i % 2 ? run_in_steps : cairn_search_run)(search, 0, goal,
                                                                              &path);
        assert_outcome(&both, status, &path, costs[0]);
        assert_int_equal(path.row_count, cairn_table_row_count(table));
        assert_int_equal(path.state, CAIRN_ROW_WEAKER);
        assert_int_equal(path.guarantee, 1000); /* it was not the first search */
        cairn_search_free(search);
        cairn_table_free(table);
        free(costs);
        twin_free(&both);
    }
}

typedef struct known_costs {
    const uint64_t *to_goal;
    cairn_cost most; /* what is said of costs above it */
} known_costs;

static cairn_cost tell_cost(void *context, cairn_node node)
{
    const known_costs *known = context;
    const uint64_t cost = known->to_goal[node];
    return cost > known->most ? known->most : (cairn_cost)cost;
}

/* The caller's bound may be any number: above the limit of costs too, up to the one that says that
 * no path leads to the goal. */
static void bounds_of_callers_above_the_limit_count_as_costs_above_it(void **state)
{
    static const cairn_cost most[] = {CAIRN_COST_MAX, CAIRN_COST_MAX + 1, 1u << 31,
                                      CAIRN_UNREACHABLE - 1, CAIRN_UNREACHABLE};
    twin both = square();
    dice luck = {7};
    unsigned dear = 0;

    (void)state;
    make_dear(&both, &luck, 90, CAIRN_COST_MAX / 4);
    for (unsigned i = 0; i < QUERIES * COUNT_OF(most); i++) {
        const cairn_node start = dice_below(&luck, NODES), goal = dice_below(&luck, NODES);
        uint64_t *costs = oracle_arc_costs(&both.arcs, ORACLE_TO, &goal, 1);
        known_costs known = {costs, most[i % COUNT_OF(most)]};
        const cairn_search_options options = {.size = sizeof options,
                                              .bound = tell_cost,
                                              .bound_context = &known,
                                              .weight = i % 2 ? 3000 : 0};
        cairn_search *search;
        cairn_path path;

        assert_int_equal(cairn_search_new(both.map, NULL, &options, &search), CAIRN_OK);
        const cairn_status status = cairn_search_run(search, start, goal, &path);
        dear += costs[start] > CAIRN_COST_MAX;
        if (costs[start] <= CAIRN_COST_MAX)
            assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
        else if (known.most != CAIRN_UNREACHABLE)
            assert_int_equal(status, CAIRN_E_LIMIT);
        else
            assert_int_equal(path.outcome, CAIRN_PATH_NONE);
        cairn_search_free(search);
        free(costs);
    }
    assert_true(dear > QUERIES / 2);
    twin_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_lose_no_path_that_fits),
        cmocka_unit_test(a_second_search_goes_by_gates),
        cmocka_unit_test(bounds_of_callers_above_the_limit_count_as_costs_above_it),
        cmocka_unit_test(searches_follow_arcs_that_grow_dear),
        cmocka_unit_test(a_search_may_be_led_to_a_map_with_dearer_arcs),
        cmocka_unit_test(closed_arcs_cost_no_expansions),
        cmocka_unit_test(tables_and_batches_follow_as_well),
        cmocka_unit_test(a_way_that_is_too_dear_does_not_hide_a_cheaper_one),
    };
    return cmocka_run_group_tests_name("dear_arcs", tests, NULL, NULL);
}
