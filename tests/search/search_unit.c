#include "search/search.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

static cairn_search *new_search(const cairn_map *map, const cairn_table *table)
{
    cairn_search *search;
    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    return search;
}

static cairn_path run(cairn_search *search, cairn_node start, cairn_node goal)
{
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    return path;
}

static void a_path_goes_around_the_wall(void **state)
{
    (void)state;
    picture drawn = PICTURE("...", ".@.", "...");
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search = new_search(map, NULL);
    cairn_path path = run(search, 3, 5);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.cost, 20);
    assert_int_equal(path.node_count, 5);
    assert_true(path.length == 4.0);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_path_from_a_cell_to_itself_is_that_cell(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 1);
    cairn_search *search = new_search(map, table);
    cairn_path path = run(search, 1, 1);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.cost, 0);
    assert_true(path.length == 0.0);
    assert_int_equal(path.node_count, 1);
    assert_int_equal(path.nodes[0], 1);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void assert_no_path(const cairn_path *path, cairn_outcome outcome)
{
    assert_int_equal(path->outcome, outcome);
    assert_int_equal(path->cost, CAIRN_UNREACHABLE);
    assert_int_equal(path->node_count, 0);
    assert_null(path->nodes);
}

static void no_path_is_an_answer(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@...", "..@...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    /* The left part has only four cells: row 4 reaches the right part alone. */
    cairn_table *table = table_of(map, 5);
    cairn_search *searches[] = {new_search(map, NULL), new_search(map, table)};
    for (size_t i = 0; i < COUNT_OF(searches); i++) {
        cairn_path path = run(searches[i], 0, 4);
        assert_no_path(&path, CAIRN_PATH_NONE);
        /* Nothing needs to be searched to know. */
        assert_int_equal(path.expanded, 0);
        path = run(searches[i], 2, 0);
        assert_no_path(&path, CAIRN_PATH_START_BLOCKED);
        path = run(searches[i], 0, 8);
        assert_no_path(&path, CAIRN_PATH_GOAL_BLOCKED);
        path = run(searches[i], 0, 7);
        assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
        cairn_search_free(searches[i]);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void nodes_outside_the_map_are_misuse(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_search *search = new_search(map, NULL);
    cairn_path path;
    assert_int_equal(cairn_search_run(search, 2, 0, &path), CAIRN_E_ARGUMENT);
    assert_no_path(&path, CAIRN_PATH_NONE);
    assert_int_equal(cairn_search_run(search, 0, CAIRN_NO_NODE, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run(NULL, 0, 0, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run(search, 0, 0, NULL), CAIRN_E_ARGUMENT);
    cairn_search_free(search);
    assert_int_equal(cairn_search_new(NULL, NULL, NULL, &search), CAIRN_E_ARGUMENT);
    cairn_search_free(NULL);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void landmarks_expand_less_where_the_base_heuristic_is_misled(void **state)
{
    (void)state;
    picture drawn = PICTURE(".................", ".@@@@@@@@@@@@@@@.", ".@.............@.",
                            ".@.............@.", ".@.............@.", ".@.............@.",
                            ".@@@@@@@.@@@@@@@.", ".................");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 4);
    cairn_search *base = new_search(map, NULL), *landmarks = new_search(map, table);
    cairn_node start = cairn_node_at(map, 8, 2), goal = cairn_node_at(map, 8, 0);
    cairn_path slow = run(base, start, goal), fast = run(landmarks, start, goal);

    assert_int_equal(slow.cost, fast.cost);
    assert_true(fast.expanded < slow.expanded);
    cairn_search_free(base);
    cairn_search_free(landmarks);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_same_search_counts_the_same_every_time(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 50, 40, 11);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 8);
    cairn_search *search = new_search(map, table), *other = new_search(map, table);
    dice luck = {3};
    for (int i = 0; i < 200; i++) {
        cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
        cairn_path first = run(search, start, goal);
        cairn_path again = run(i % 2 ? search : other, start, goal);
        assert_int_equal(first.expanded, again.expanded);
        assert_int_equal(first.generated, again.generated);
        assert_int_equal(first.open_peak, again.open_peak);
        assert_int_equal(first.cost, again.cost);
    }
    cairn_search_free(search);
    cairn_search_free(other);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_search_notices_that_the_metric_of_its_map_changed(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_search *search = new_search(map, NULL);
    cairn_path path;
    assert_int_equal(cairn_map_set_metric(map, (cairn_metric){5, 7}), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 1, &path), CAIRN_E_CHANGED);
    cairn_map *other = map_of(&drawn, (cairn_metric){5, 7});
    assert_int_equal(cairn_search_use(search, other, NULL), CAIRN_E_MISMATCH);
    cairn_search_free(search);
    cairn_map_free(other);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Near goals too, for which no bound is needed. */
static void a_search_notices_that_its_table_became_one_of_another_map(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "...."), other_drawn = PICTURE("....", ".@..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_map *other = map_of(&other_drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 2);
    cairn_search *search = new_search(map, table);
    cairn_path path;
    assert_int_equal(run(search, 0, 1).outcome, CAIRN_PATH_FOUND);
    assert_int_equal(cairn_table_rebuild(table, other), CAIRN_OK);
    for (cairn_node goal = 0; goal < 4; goal++)
        assert_int_equal(cairn_search_run(search, 0, goal, &path), CAIRN_E_MISMATCH);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(other);
    cairn_map_free(map);
    picture_free(&other_drawn);
    picture_free(&drawn);
}

static cairn_cost counting_bound(void *context, cairn_node node)
{
    ((uint32_t *)context)[node]++;
    return 0;
}

static void the_callers_bound_is_asked_once_per_discovered_node(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CLUTTERED, 20, 20, 9);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint32_t *calls = calloc(picture_size(&drawn), sizeof *calls);
    cairn_search_options options = {
        .size = sizeof options, .bound = counting_bound, .bound_context = calls};
    cairn_search *search;
    dice luck = {1};
    cairn_node start = dice_open_cell(&luck, &drawn);
    bool asked = false;

    assert_non_null(calls);
    assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
    run(search, start, dice_open_cell(&luck, &drawn));
    for (uint32_t node = 0; node < picture_size(&drawn); node++) {
        /* The start is asked about once more, to begin the open list at its key. */
        assert_true(calls[node] <= (node == start ? 2u : 1u));
        asked = asked || (calls[node] && node != start);
    }
    assert_true(asked);
    cairn_search_free(search);
    cairn_map_free(map);
    free(calls);
    picture_free(&drawn);
}

static cairn_cost bound_of_detour(void *context, cairn_node node)
{
    (void)context;
    return node == 1 ? 11 : 0;
}

/* The way from 0 by 1 to 2 is the cheaper one; the bound lets 2 be expanded before 1. */
static void closed_nodes_stay_closed_if_the_caller_says_so(void **state)
{
    (void)state;
    static const cairn_arc arcs[] = {{0, 1, 1}, {0, 2, 3}, {1, 2, 1}, {2, 3, 10}};
    cairn_search_options options = {.size = sizeof options, .bound = bound_of_detour};
    cairn_map *map;

    assert_int_equal(cairn_map_from_arcs(4, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    for (unsigned never = 0; never < 2; never++) {
        cairn_search *search;
        options.never_reopen = never;
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        const cairn_path path = run(search, 0, 3);
        assert_int_equal(path.cost, never ? 13 : 12);
        assert_int_equal(path.reopened, !never);
        assert_int_equal(path.guarantee, never ? 0 : 1000);
        cairn_search_free(search);
    }
    cairn_map_free(map);
}

/* 4 has no way from 0: the path to the node nearest to it is shortest all the same, and so is one
 * that fits where the first that was found does not. */
static void searches_that_are_repeated_open_closed_nodes(void **state)
{
    (void)state;
    enum { MOST = CAIRN_COST_MAX / 4, LINKS = 4 };
    static const cairn_arc arcs[] = {{0, 1, 1}, {0, 2, 3}, {1, 2, 1}, {2, 3, 10}, {4, 3, 1}};
    cairn_arc chain[3 + LINKS] = {{0, 1, 1}, {0, 2, 3}, {1, 2, 1}};
    cairn_search_options options = {
        .size = sizeof options, .bound = bound_of_detour, .nearest = true, .never_reopen = true};
    cairn_search *search;
    cairn_cost left = CAIRN_COST_MAX - 2;
    cairn_path path;
    cairn_map *map;

    assert_int_equal(cairn_map_from_arcs(5, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
    assert_int_equal(run(search, 0, 4).outcome, CAIRN_PATH_NEAREST);
    cairn_search_free(search);
    cairn_map_free(map);

    for (uint32_t i = 0; i < LINKS; i++) {
        const cairn_cost cost = left < MOST ? left : MOST;
        chain[3 + i] = (cairn_arc){2 + i, 3 + i, cost};
        left -= cost;
    }
    assert_int_equal(left, 0);
    assert_int_equal(
        cairn_map_from_arcs(3 + LINKS, chain, COUNT_OF(chain), NULL, NULL, NULL, &map, NULL),
        CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 2 + LINKS, &path), CAIRN_OK);
    assert_int_equal(path.cost, CAIRN_COST_MAX);
    cairn_search_free(search);
    cairn_map_free(map);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = random_map(MAP_CLUTTERED, 40, 30, 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 3);
    cairn_search_options options = {.size = sizeof options, .allocator = &failing.allocator};
    uint32_t component_count;
    uint32_t *component = oracle_components(&drawn, &component_count);
    dice luck = {8};
    cairn_node start = dice_open_cell(&luck, &drawn), goal = start;
    while (goal == start || component[goal] != component[start])
        goal = dice_open_cell(&luck, &drawn);
    bool failed_in_new = false, failed_in_run = false;

    for (size_t n = 1;; n++) {
        cairn_search *search = (cairn_search *)"";
        cairn_path path;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_new(map, table, &options, &search);
        if (status != CAIRN_OK) {
            assert_int_equal(status, CAIRN_E_MEMORY);
            assert_null(search);
            assert_int_equal(atomic_load(&failing.outstanding), 0);
            failed_in_new = true;
            continue;
        }
        status = cairn_search_run(search, start, goal, &path);
        bool struck = failing_allocator_struck(&failing);
        if (struck) {
            assert_int_equal(status, CAIRN_E_MEMORY);
            assert_no_path(&path, CAIRN_PATH_NONE);
            failed_in_run = true;
        }
        /* The search is as good as new after a failure. */
        failing_allocator_arm(&failing, 0);
        path = run(search, start, goal);
        assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
        cairn_search_free(search);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
        if (!struck)
            break;
    }
    assert_true(failed_in_new && failed_in_run);
    free(component);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Rows that are walked to and fro; the last cell lies behind a wall, or not. */
static picture snake(bool is_closed)
{
    picture drawn = picture_filled(40, 41, '.');
    for (uint32_t y = 1; y < drawn.height; y += 2) {
        uint32_t gap = y % 4 == 1 ? drawn.width - 1 : 0;
        for (uint32_t x = 0; x < drawn.width; x++)
            drawn.letters[y * drawn.width + x] = x == gap ? '.' : '@';
    }
    if (is_closed)
        drawn.letters[picture_size(&drawn) - 2] = '@';
    return drawn;
}

static void costs_above_the_limit_are_refused_where_a_path_leads_on(void **state)
{
    (void)state;
    static const cairn_metric metrics[] = {{5000000, 6500000}, {1 << 23, 11900000}};
    for (int i = 0; i < 16; i++) {
        bool is_closed = i & 1, resumes = i >= 12;
        picture drawn = snake(is_closed);
        cairn_map *map = map_of(&drawn, metrics[i / 2 % 2]);
        cairn_search_options options = {.size = sizeof options, .space = (cairn_space)(i / 4 % 3)};
        cairn_search *search;
        cairn_path path;
        cairn_node goal = picture_size(&drawn) - 1;
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        cairn_status status = resumes ? cairn_search_begin(search, 0, goal, &path)
                                      : cairn_search_run(search, 0, goal, &path);
        assert_int_equal(path.outcome == CAIRN_PATH_PAUSED, resumes && !is_closed);
        if (path.outcome == CAIRN_PATH_PAUSED)
            status = cairn_search_resume(search, UINT64_MAX, &path);
        assert_int_equal(status, is_closed ? CAIRN_OK : CAIRN_E_LIMIT);
        assert_no_path(&path, CAIRN_PATH_NONE);
        cairn_search_free(search);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* What the run before has seen is no answer for this one. */
static void a_look_finds_nothing_where_nothing_was_searched(void **state)
{
    (void)state;
    const cairn_search_options cells = {.size = sizeof cells, .space = CAIRN_SPACE_CELLS};
    picture drawn = picture_filled(12, 9, '.');
    drawn.letters[5] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node ends[][2] = {{5, 40}, {40, 5}};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        cairn_search *search;
        cairn_node_info info;
        assert_int_equal(cairn_search_new(map, NULL, &cells, &search), CAIRN_OK);
        assert_int_equal(run(search, 0, 100).outcome, CAIRN_PATH_FOUND);
        assert_int_not_equal(run(search, ends[i][0], ends[i][1]).outcome, CAIRN_PATH_FOUND);
        for (cairn_node node = 0; node < picture_size(&drawn); node++) {
            assert_int_equal(cairn_search_node_info(search, node, &info), CAIRN_OK);
            assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
        }
        cairn_search_free(search);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_look_at_a_goal_in_sight_finds_both_ends(void **state)
{
    (void)state;
    picture drawn = picture_filled(20, 20, '.');
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_search *search = new_search(map, NULL);
    cairn_node_info start, goal;
    const cairn_path path = run(search, 0, 399);
    assert_int_equal(path.space, CAIRN_SPACE_JUMP);
    assert_int_equal(cairn_search_node_info(search, 0, &start), CAIRN_OK);
    assert_int_equal(cairn_search_node_info(search, 399, &goal), CAIRN_OK);
    assert_true(start.state == CAIRN_NODE_CLOSED && start.parent == 0 && start.g == 0);
    assert_int_equal(start.f, path.cost);
    assert_true(goal.state != CAIRN_NODE_UNSEEN && goal.parent == 0 && goal.g == path.cost);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* With records by corner, which a search for every cell does not have. */
static void what_a_look_finds_after_an_edit(void **state)
{
    (void)state;
    picture drawn = picture_filled(20, 20, '.');
    memset(drawn.letters + 5 * 20, '@', 15);
    memset(drawn.letters + 12 * 20 + 5, '@', 15);
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    const cairn_edit closing = cairn_block(3, 15);
    for (cairn_space space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
        cairn_search *search = search_with(map, NULL, (cairn_search_options){.space = space});
        cairn_node_info before, after;
        run(search, 0, 399);
        assert_int_equal(cairn_search_node_info(search, 0, &before), CAIRN_OK);
        assert_int_equal(before.state, CAIRN_NODE_CLOSED);
        assert_int_equal(cairn_map_edit(map, &closing, 1), CAIRN_OK);
        assert_int_equal(cairn_search_node_info(search, 0, &after), CAIRN_OK);
        assert_int_equal(after.state,
                         space == CAIRN_SPACE_AUTO ? CAIRN_NODE_UNSEEN : CAIRN_NODE_CLOSED);
        const cairn_edit opening = cairn_open(3, 15);
        assert_int_equal(cairn_map_edit(map, &opening, 1), CAIRN_OK);
        cairn_search_free(search);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Whether costs above the limit matter is found by a walk without costs, which is not shown. */
static void a_look_tells_of_costs_alone(void **state)
{
    (void)state;
    enum { CHAIN = 8 };
    cairn_arc arcs[CHAIN];
    cairn_search *search;
    cairn_node_info info;
    cairn_map *map;
    for (cairn_node i = 0; i + 1 < CHAIN; i++)
        arcs[i] = (cairn_arc){i, i + 1, CAIRN_COST_MAX / 4};
    arcs[CHAIN - 1] = (cairn_arc){CHAIN, 0, 1};
    assert_int_equal(cairn_map_from_arcs(CHAIN + 1, arcs, CHAIN, NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(run(search, 0, CHAIN).outcome, CAIRN_PATH_NONE);
    for (cairn_node node = 0; node <= CHAIN; node++) {
        assert_int_equal(cairn_search_node_info(search, node, &info), CAIRN_OK);
        assert_true(info.state == CAIRN_NODE_UNSEEN || info.h == 0);
    }
    cairn_search_free(search);
    cairn_map_free(map);
}

/* Also where the goal is in sight, which takes no search. */
static void only_paths_below_a_ceiling_are_found(void **state)
{
    (void)state;
    picture drawn = PICTURE("......", ".@@@@.", "......");
    const cairn_node goals[] = {1, 5, 16, 17};
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});

    for (cairn_space space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
        cairn_search *search = search_with(map, NULL, (cairn_search_options){.space = space});
        for (size_t i = 0; i < COUNT_OF(goals); i++) {
            const cairn_cost cost = run(search, 0, goals[i]).cost;
            cairn_path path = cn_no_path(space);
            assert_int_equal(cn_search_run_below(search, 0, goals[i], cost, &path), CAIRN_OK);
            assert_no_path(&path, CAIRN_PATH_NONE);
            assert_int_equal(cn_search_run_below(search, 0, goals[i], cost + 1, &path), CAIRN_OK);
            assert_int_equal(path.cost, cost);
        }
        cairn_search_free(search);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_goes_around_the_wall),
        cmocka_unit_test(a_path_from_a_cell_to_itself_is_that_cell),
        cmocka_unit_test(no_path_is_an_answer),
        cmocka_unit_test(nodes_outside_the_map_are_misuse),
        cmocka_unit_test(landmarks_expand_less_where_the_base_heuristic_is_misled),
        cmocka_unit_test(the_same_search_counts_the_same_every_time),
        cmocka_unit_test(a_search_notices_that_the_metric_of_its_map_changed),
        cmocka_unit_test(a_search_notices_that_its_table_became_one_of_another_map),
        cmocka_unit_test(the_callers_bound_is_asked_once_per_discovered_node),
        cmocka_unit_test(costs_above_the_limit_are_refused_where_a_path_leads_on),
        cmocka_unit_test(closed_nodes_stay_closed_if_the_caller_says_so),
        cmocka_unit_test(searches_that_are_repeated_open_closed_nodes),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(a_look_finds_nothing_where_nothing_was_searched),
        cmocka_unit_test(a_look_at_a_goal_in_sight_finds_both_ends),
        cmocka_unit_test(what_a_look_finds_after_an_edit),
        cmocka_unit_test(a_look_tells_of_costs_alone),
        cmocka_unit_test(only_paths_below_a_ceiling_are_found),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
