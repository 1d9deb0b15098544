/* The nearest of many goals and of many starts, against a list of arcs and Bellman and Ford: on
 * maps of every kind, through edits that the table lacks, in every space and with tables of
 * corners. */
#include <string.h>

#include "search/search.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/weak_maps.h"

enum { MAPS = 8 * STORM_KINDS, ROUNDS = 3, MEMBERS_MOST = 60 };

typedef struct tally {
    unsigned found, none, gates, joined, balls;
} tally;

static const cairn_search_options CONFIGURATIONS[] = {
    {.size = sizeof *CONFIGURATIONS},
    {.size = sizeof *CONFIGURATIONS, .form = CAIRN_FORM_CORNERS},
    {.size = sizeof *CONFIGURATIONS, .space = CAIRN_SPACE_CELLS},
    {.size = sizeof *CONFIGURATIONS, .ties = CAIRN_TIES_LARGER_G, .expansion_limit = 3},
    {.size = sizeof *CONFIGURATIONS, .weight = 1500},
    {.size = sizeof *CONFIGURATIONS, .weight = 1500, .never_reopen = true},
    {.size = sizeof *CONFIGURATIONS, .heuristic = CAIRN_HEURISTIC_ZERO},
};

/* The least cost between a node and a member, by the costs of the node. */
static uint64_t least_of(const uint64_t *costs, const uint32_t *members, size_t count)
{
    uint64_t least = ORACLE_NEVER;
    for (size_t i = 0; i < count; i++)
        least = costs[members[i]] < least ? costs[members[i]] : least;
    return least;
}

static void assert_ends(const twin *both, cairn_search *search, cairn_path *path, uint32_t first,
                        uint32_t last)
{
    assert_int_equal(cairn_search_cells(search, path), CAIRN_OK);
    assert_int_equal(path->nodes[0], first);
    assert_int_equal(path->nodes[path->node_count - 1], last);
    assert_int_equal(oracle_arc_path(&both->arcs, path->nodes, path->node_count), path->cost);
}

static void assert_result(const cairn_search_options *options, const cairn_path *path,
                          uint64_t least, tally *sum)
{
    const uint64_t weight = options->weight ? options->weight : 1000;
    assert_int_equal(path->outcome == CAIRN_PATH_FOUND, least != ORACLE_NEVER);
    assert_true(path->generated >= path->expanded);
    sum->found += path->outcome == CAIRN_PATH_FOUND;
    sum->none += path->outcome != CAIRN_PATH_FOUND;
    sum->gates += path->state == CAIRN_ROW_WEAKER;
    if (path->outcome != CAIRN_PATH_FOUND)
        return;
    if (!options->never_reopen)
        assert_int_equal(path->guarantee, weight);
    assert_true(path->cost >= least);
    assert_true(!path->guarantee || (uint64_t)path->cost * 1000 <= least * path->guarantee);
}

/* A limit of expansions pauses a run. */
static cairn_status to_the_end(cairn_search *search, cairn_status status, cairn_path *path)
{
    while (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED)
        status = cairn_search_resume(search, 3, path);
    return status;
}

static void assert_to_any(const twin *both, cairn_search *search,
                          const cairn_search_options *options, uint32_t start,
                          const uint32_t *goals, size_t count, tally *sum)
{
    uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_FROM, &start, 1);
    const uint64_t least = least_of(costs, goals, count);
    cairn_path path;

    const cairn_status status = cairn_search_run_to_any(search, start, goals, count, &path);
    assert_int_equal(to_the_end(search, status, &path), CAIRN_OK);
    assert_result(options, &path, least, sum);
    if (path.outcome == CAIRN_PATH_FOUND)
        assert_ends(both, search, &path, start, goals[path.which]);
    free(costs);
}

static void assert_from_any(const twin *both, cairn_search *search,
                            const cairn_search_options *options, const uint32_t *starts,
                            size_t count, uint32_t goal, tally *sum)
{
    uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    const uint64_t least = least_of(costs, starts, count);
    cairn_path path;

    const cairn_status status = cairn_search_run_from_any(search, starts, count, goal, &path);
    assert_int_equal(to_the_end(search, status, &path), CAIRN_OK);
    assert_result(options, &path, least, sum);
    if (path.outcome == CAIRN_PATH_FOUND)
        assert_ends(both, search, &path, starts[path.which], goal);
    free(costs);
}

static void ask(const twin *both, cairn_search *search, const cairn_search_options *options,
                dice *luck, tally *sum)
{
    const uint32_t node_count = both->arcs.node_count;
    const size_t count = 1 + dice_below(luck, MEMBERS_MOST);
    uint32_t members[MEMBERS_MOST];
    uint32_t end = dice_below(luck, node_count);

    for (unsigned tries = 0; !twin_is_open(both, end) && tries < 20; tries++)
        end = dice_below(luck, node_count);
    for (size_t i = 0; i < count; i++)
        members[i] = dice_below(luck, node_count);
    if (!twin_is_open(both, end))
        return;
    search->members.chosen.count = 0;
    search->ball.scratch.expanded = 0;
    assert_to_any(both, search, options, end, members, count, sum);
    assert_from_any(both, search, options, members, count, end, sum);
    sum->joined += search->members.chosen.count > 0;
    sum->balls += search->ball.scratch.expanded > 0;
}

static void live(twin *both, dice *luck, tally *sum)
{
    cairn_table *table = storm_table(both->map, luck, both->drawn.letters != NULL);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < COUNT_OF(CONFIGURATIONS); i++) {
            cairn_search *search;
            assert_int_equal(cairn_search_new(both->map, table, &CONFIGURATIONS[i], &search),
                             CAIRN_OK);
            ask(both, search, &CONFIGURATIONS[i], luck, sum);
            ask(both, search, &CONFIGURATIONS[i], luck, sum);
            cairn_search_free(search);
        }
        storm_edit(both, luck);
    }
    cairn_table_free(table);
}

static void the_nearest_member_is_found_on_maps_of_every_kind(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed * 6151 + 3};
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        live(&both, &luck, &sum);
        twin_free(&both);
    }
    print_message("found %u, none %u, by gates %u, jointly %u, beside a ball %u\n", sum.found,
                  sum.none, sum.gates, sum.joined, sum.balls);
    assert_true(sum.found > 100 && sum.none > 10 && sum.gates > 0 && sum.joined > 20 &&
                sum.balls > 20);
}

enum { SIDE = 64, HALF = SIDE / 2 };

/* A hall with a wall across it, open at one end; every seventh cell is of a letter of its own. */
static cairn_map *hall_of(const char *terrain)
{
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL), CAIRN_OK);
    for (size_t i = 0; i < picture_size(&drawn); i += 7)
        drawn.letters[i] = 'G';
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        drawn.letters[y * SIDE + HALF] = '@';
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    picture_free(&drawn);
    return map;
}

static void only_goals_that_may_be_nearer_are_searched_for(void **state)
{
    (void)state;
    cairn_map *map = hall_of("");
    cairn_table *table = table_of(map, 4);
    uint32_t goals[HALF];
    cairn_search *search;
    cairn_path any, alone;

    /* Behind the wall, at many times the base heuristic, but for the last one. */
    for (uint32_t i = 0; i < HALF; i++)
        goals[i] = cairn_node_at(map, HALF + 1, i);
    goals[HALF - 1] = cairn_node_at(map, 2, 40);
    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    const cairn_node start = cairn_node_at(map, HALF - 1, 5);
    assert_int_equal(cairn_search_run_to_any(search, start, goals, HALF, &any), CAIRN_OK);
    assert_int_equal(any.which, HALF - 1);
    assert_int_equal(cairn_search_run(search, start, goals[HALF - 1], &alone), CAIRN_OK);
    assert_int_equal(any.cost, alone.cost);
    assert_int_equal(any.expanded, alone.expanded);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* Goals behind the wall, without a table: every one of them seems near. What decides is a search to
 * one, a search from all of them or a flood, and a search to the nearest. */
static void check_hall(const char *terrain)
{
    cairn_map *map = hall_of(terrain);
    uint32_t goals[HALF];
    cairn_search *search;
    cairn_path any, alone;

    for (uint32_t i = 0; i < HALF; i++)
        goals[i] = cairn_node_at(map, HALF + 1 + i / 8, i);
    const cairn_node start = cairn_node_at(map, HALF - 1, 0);
    const cairn_search_options by_cells = {.size = sizeof by_cells, .space = CAIRN_SPACE_CELLS};
    assert_int_equal(cairn_search_new(map, NULL, &by_cells, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(search, start, goals, HALF, &any), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goals[any.which], &alone), CAIRN_OK);
    assert_int_equal(any.cost, alone.cost);
    assert_true(any.expanded <= 4 * alone.expanded);
    cairn_search_free(search);
    cairn_map_free(map);
}

static void where_bounds_are_poor_few_searches_decide(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        setenv("CAIRN_SIMD", vectors[i], 1);
        check_hall("");
        check_hall("G=2");
        check_hall("one-way");
    }
    unsetenv("CAIRN_SIMD");
}

/* On a graph without coordinates and table the one search is that to the nearest member: no other
 * is tried, however the list is ordered. */
static void where_nothing_is_known_the_nearest_alone_is_searched_for(void **state)
{
    enum { NODES = 3000, GOALS = 40 };
    (void)state;
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        twin both = twin_graph(3, NODES, 4 * NODES, symmetric, false);
        dice luck = {symmetric + 1};
        tally sum = {0};
        uint32_t members[GOALS];
        cairn_search *search;
        cairn_path any, alone;

        assert_int_equal(cairn_search_new(both.map, NULL, NULL, &search), CAIRN_OK);
        for (unsigned round = 0; round < 8; round++) {
            for (size_t i = 0; i < GOALS; i++)
                members[i] = dice_below(&luck, NODES);
            const uint32_t end = dice_below(&luck, NODES);
            assert_to_any(&both, search, CONFIGURATIONS, end, members, GOALS, &sum);
            assert_from_any(&both, search, CONFIGURATIONS, members, GOALS, end, &sum);
            assert_int_equal(cairn_search_run_to_any(search, end, members, GOALS, &any), CAIRN_OK);
            assert_int_equal(cairn_search_run(search, end, members[any.which], &alone), CAIRN_OK);
            assert_true(any.cost == alone.cost && any.expanded == alone.expanded);
        }
        assert_true(sum.found > 8);
        cairn_search_free(search);
        twin_free(&both);
    }
}

/* ------------------------------------------------------------------------- weak bounds -- */

static cairn_status run_either(cairn_search *search, bool are_starts, cairn_node end,
                               const cairn_node *members, size_t count, cairn_path *path)
{
    return are_starts ? cairn_search_run_from_any(search, members, count, end, path)
                      : cairn_search_run_to_any(search, end, members, count, path);
}

/* How many nodes are nearer than the nearest member: what must be expanded without bounds. */
static uint64_t count_nearer(const cairn_map *map, bool are_starts, cairn_node end,
                             const cairn_node *members, size_t count)
{
    const uint32_t node_count = cairn_map_node_count(map);
    cairn_cost *costs = malloc(node_count * sizeof *costs), least = CAIRN_UNREACHABLE;
    uint64_t nearer = 0;

    assert_non_null(costs);
    assert_int_equal(are_starts ? cairn_costs_to(map, &end, 1, costs)
                                : cairn_costs_from(map, &end, 1, costs),
                     CAIRN_OK);
    for (size_t i = 0; i < count; i++)
        least = costs[members[i]] < least ? costs[members[i]] : least;
    for (uint32_t node = 0; node < node_count; node++)
        nearer += costs[node] < least;
    free(costs);
    return nearer;
}

/* Searches expand about as many nodes as are nearer than the nearest member before that is known;
 * then one leads to it. */
static void assert_effort(cairn_search *search, const cairn_map *map, bool are_starts,
                          cairn_node end, const cairn_node *members, size_t count)
{
    enum { SOME = 256 };
    const uint64_t nearer = count_nearer(map, are_starts, end, members, count);
    cairn_path path, alone;

    search->ball.scratch.expanded = 0;
    assert_int_equal(run_either(search, are_starts, end, members, count, &path), CAIRN_OK);
    const cairn_node nearest = members[path.which];
    if (path.outcome != CAIRN_PATH_FOUND)
        return;
    assert_int_equal(
        cairn_search_run(search, are_starts ? nearest : end, are_starts ? end : nearest, &alone),
        CAIRN_OK);
    assert_int_equal(path.cost, alone.cost);
    assert_true(path.expanded <= alone.expanded + nearer + SOME);
    assert_true(search->ball.scratch.expanded <= nearer + SOME);
}

static void where_bounds_are_weak_no_more_is_expanded_than_without(void **state)
{
    enum { MEMBERS = 60, QUERIES = 12 };
    (void)state;
    for (size_t kind = 0; kind < WEAK_KINDS; kind++) {
        cairn_map *map = WEAK_MAPS[kind](kind + 1);
        const uint32_t node_count = cairn_map_node_count(map);
        cairn_search *search;
        dice luck = {kind + 1};
        cairn_node members[MEMBERS];

        assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
        for (unsigned query = 0; query < QUERIES; query++) {
            cairn_node end = dice_below(&luck, node_count);
            for (size_t i = 0; i < MEMBERS; i++)
                members[i] = dice_below(&luck, node_count);
            while (!cairn_map_is_open(map, end))
                end = dice_below(&luck, node_count);
            assert_effort(search, map, query % 2, end, members, MEMBERS);
        }
        assert_true(search->ball.scratch.generated > 0);
        cairn_search_free(search);
        cairn_map_free(map);
    }
}

/* The least cost of a path to or from a member, by a search for each. */
static cairn_cost least_alone(cairn_search *search, bool are_starts, cairn_node end,
                              const cairn_node *members, size_t count)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    cairn_path path;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cairn_search_run(search, are_starts ? members[i] : end,
                                          are_starts ? end : members[i], &path),
                         CAIRN_OK);
        least = path.cost < least ? path.cost : least;
    }
    return least;
}

/* Around many nodes that may not be entered, or at a price; the members and the end are some of
 * them. */
static void a_ball_avoids_what_its_search_avoids(void **state)
{
    enum { MEMBERS = 30, AVOIDED = 4000, QUERIES = 8 };
    (void)state;
    for (size_t kind = 0; kind < WEAK_KINDS; kind++) {
        cairn_map *map = WEAK_MAPS[kind](kind + 1);
        const uint32_t node_count = cairn_map_node_count(map);
        static cairn_node avoided[AVOIDED];
        static cairn_cost extra[AVOIDED];
        cairn_search *search;
        cairn_node members[MEMBERS];
        dice luck = {kind + 1};
        uint64_t in_balls = 0;

        assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
        for (size_t i = 0; i < AVOIDED; i++) {
            avoided[i] = dice_below(&luck, node_count);
            extra[i] = dice_below(&luck, 2) ? CAIRN_UNREACHABLE : dice_below(&luck, 5000);
        }
        assert_int_equal(cairn_search_avoid(search, avoided, extra, AVOIDED), CAIRN_OK);
        for (unsigned query = 0; query < QUERIES; query++) {
            const cairn_node end = query % 3 ? dice_below(&luck, node_count) : avoided[query];
            cairn_path path;
            for (size_t i = 0; i < MEMBERS; i++)
                members[i] = i % 2 ? dice_below(&luck, node_count) : avoided[i + MEMBERS * query];
            search->ball.scratch.expanded = 0;
            assert_int_equal(run_either(search, query % 2, end, members, MEMBERS, &path), CAIRN_OK);
            in_balls += search->ball.scratch.expanded;
            assert_int_equal(path.cost, least_alone(search, query % 2, end, members, MEMBERS));
        }
        assert_true(in_balls > 0);
        cairn_search_free(search);
        cairn_map_free(map);
    }
}

/* Behind a dear node bounds are far too low, and in a corridor no ball grows as on a plane. */
static void goals_behind_a_dear_node_are_not_each_searched_for(void **state)
{
    enum { LENGTH = 3000, GOALS = 150, DEAR = LENGTH - GOALS - 100 };
    (void)state;
    const cairn_node dear = DEAR;
    const cairn_cost extra = 100000000;
    cairn_node goals[GOALS];
    picture drawn = picture_filled(LENGTH, 1, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    for (unsigned has_rows = 0; has_rows < 2; has_rows++) {
        cairn_search_options options = {.size = sizeof options, .space = CAIRN_SPACE_CELLS};
        const cairn_build_options build = {.size = sizeof build, .landmark_count = 2};
        cairn_table *table = NULL;
        cairn_search *search;
        cairn_path path;
        if (has_rows)
            assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
        assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
        assert_int_equal(cairn_search_avoid(search, &dear, &extra, 1), CAIRN_OK);
        for (uint32_t i = 0; i < GOALS; i++)
            goals[i] = LENGTH - GOALS + i;
        assert_int_equal(cairn_search_run_to_any(search, 0, goals, GOALS, &path), CAIRN_OK);
        assert_int_equal(path.which, 0);
        assert_int_equal(path.cost, goals[0] * CAIRN_METRIC_OCTILE.straight + extra);
        assert_in_range(path.expanded, LENGTH / 2, 2 * LENGTH);
        cairn_search_free(search);
        cairn_table_free(table);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

static bool cancel_at_zero(void *left)
{
    return (*(unsigned *)left)-- == 0;
}

/* However often the caller is asked before, in searches and in the ball. Then no search is paused,
 * and the next one finds the same. */
static void a_call_may_be_cancelled_anywhere(void **state)
{
    enum { MEMBERS = 60, OFTEN = 1000000 };
    (void)state;
    for (size_t kind = 0; kind < WEAK_KINDS; kind++) {
        cairn_map *map = WEAK_MAPS[kind](kind + 1);
        unsigned left = OFTEN;
        const cairn_search_options options = {
            .size = sizeof options, .cancel = cancel_at_zero, .cancel_context = &left};
        cairn_search *search;
        cairn_node members[MEMBERS], end = 0;
        cairn_path path, again;
        dice luck = {kind + 7};

        while (!cairn_map_is_open(map, end))
            end++;
        for (size_t i = 0; i < MEMBERS; i++)
            members[i] = dice_below(&luck, cairn_map_node_count(map));
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        assert_int_equal(cairn_search_run_to_any(search, end, members, MEMBERS, &path), CAIRN_OK);
        const unsigned calls = OFTEN - left;
        assert_true(calls > 2);
        for (unsigned at = 0; at < calls; at++) {
            left = at;
            assert_int_equal(cairn_search_run_to_any(search, end, members, MEMBERS, &again),
                             CAIRN_E_CANCELLED);
            assert_int_equal(cairn_search_resume(search, 1, &again), CAIRN_E_ARGUMENT);
        }
        left = OFTEN;
        assert_int_equal(cairn_search_run_to_any(search, end, members, MEMBERS, &again), CAIRN_OK);
        assert_true(again.cost == path.cost && again.expanded == path.expanded);
        assert_int_equal(cairn_search_resume(search, 1, &again), CAIRN_E_ARGUMENT);
        cairn_search_free(search);
        cairn_map_free(map);
    }
}

/* A weighted search or one whose heuristic may be too high is given up as well; what it has
 * promised of the path holds. */
static void the_ball_serves_every_option(void **state)
{
    enum { MEMBERS = 40, QUERIES = 6, WEIGHT = 3000 };
    static const cairn_search_options all[] = {
        {.size = sizeof *all, .weight = WEIGHT},
        {.size = sizeof *all, .ties = CAIRN_TIES_FIRST},
        {.size = sizeof *all, .space = CAIRN_SPACE_CELLS, .form = CAIRN_FORM_NONE},
        {.size = sizeof *all, .nearest = true, .expansion_limit = 5},
    };
    (void)state;
    for (size_t kind = 0; kind < WEAK_KINDS; kind++) {
        cairn_map *map = WEAK_MAPS[kind](kind + 1);
        const uint32_t node_count = cairn_map_node_count(map);
        dice luck = {kind + 1};
        cairn_node members[MEMBERS];

        for (size_t i = 0; i < COUNT_OF(all) * QUERIES; i++) {
            const cairn_search_options *options = &all[i % COUNT_OF(all)];
            cairn_search *search, *plain;
            cairn_path path, best;
            cairn_node end = dice_below(&luck, node_count);
            for (size_t member = 0; member < MEMBERS; member++)
                members[member] = dice_below(&luck, node_count);
            assert_int_equal(cairn_search_new(map, NULL, options, &search), CAIRN_OK);
            assert_int_equal(cairn_search_new(map, NULL, NULL, &plain), CAIRN_OK);
            const cairn_status status = run_either(search, i % 2, end, members, MEMBERS, &path);
            assert_int_equal(to_the_end(search, status, &path), CAIRN_OK);
            assert_int_equal(run_either(plain, i % 2, end, members, MEMBERS, &best), CAIRN_OK);
            if (best.outcome == CAIRN_PATH_FOUND)
                assert_true(path.outcome == CAIRN_PATH_FOUND && path.cost >= best.cost &&
                            (uint64_t)path.cost * 1000 <= (uint64_t)best.cost * path.guarantee);
            cairn_search_free(search);
            cairn_search_free(plain);
        }
        cairn_map_free(map);
    }
}

static void calls_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    cairn_map *map = hall_of("");
    cairn_search *search;
    cairn_path path;
    const cairn_node goals[] = {3, SIDE * SIDE};

    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(search, 0, goals, 0, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run_to_any(search, 0, goals, 2, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(cairn_search_run_to_any(search, SIDE * SIDE, goals, 1, &path),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run_from_any(search, NULL, 1, 0, &path), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run_from_any(search, goals, 1, 0, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run_to_any(NULL, 0, goals, 1, &path), CAIRN_E_ARGUMENT);
    cairn_search_free(search);
    cairn_map_free(map);
}

/* What no path leads to is said of the first goal. */
static void goals_out_of_reach_are_answered_like_the_first(void **state)
{
    (void)state;
    cairn_map *map = hall_of("");
    const cairn_search_options near = {.size = sizeof near, .nearest = true};
    const cairn_node wall = cairn_node_at(map, HALF, 3), goals[] = {SIDE - 1, wall};
    const cairn_edit shut = cairn_block(HALF, SIDE - 1);
    cairn_search *searches[2];
    cairn_path path;

    assert_int_equal(cairn_map_edit(map, &shut, 1), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &searches[0]), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, &near, &searches[1]), CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(searches[0], 0, goals, 2, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(cairn_search_run_to_any(searches[0], wall, goals, 2, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_START_BLOCKED);
    assert_int_equal(cairn_search_run_to_any(searches[0], 0, &wall, 1, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_GOAL_BLOCKED);
    assert_int_equal(cairn_search_run_to_any(searches[1], 0, goals, 2, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], HALF - 1);
    for (unsigned i = 0; i < 2; i++)
        cairn_search_free(searches[i]);
    cairn_map_free(map);
}

/* A picture of corridors that wind from row to row. */
static picture snake(uint32_t side)
{
    picture drawn = picture_filled(side, side, '.');
    for (uint32_t y = 1; y < side; y += 2) {
        for (uint32_t x = 0; x < side; x++) {
            if (x != (y % 4 == 1 ? side - 1 : 0))
                drawn.letters[y * side + x] = '@';
        }
    }
    return drawn;
}

/* Some goals within a few cells. */
static void draw_cluster(dice *luck, uint32_t side, cairn_node *goals, size_t count)
{
    enum { WIDE = 8, HIGH = 5 };
    const uint32_t x = dice_below(luck, side - WIDE), y = dice_below(luck, side - HIGH);
    for (size_t i = 0; i < count; i++)
        goals[i] = (y + dice_below(luck, HIGH)) * side + x + dice_below(luck, WIDE);
}

static void assert_nearest(cairn_search *search, const cairn_map *map, cairn_node start,
                           const cairn_node *goals, size_t count)
{
    cairn_cost *costs = malloc(cairn_map_node_count(map) * sizeof *costs), least = UINT32_MAX;
    cairn_path path;

    assert_non_null(costs);
    assert_int_equal(cairn_costs_from(map, &start, 1, costs), CAIRN_OK);
    for (size_t i = 0; i < count; i++)
        least = costs[goals[i]] < least ? costs[goals[i]] : least;
    assert_int_equal(cairn_search_run_to_any(search, start, goals, count, &path), CAIRN_OK);
    assert_int_equal(path.cost, least);
    if (path.outcome == CAIRN_PATH_FOUND) {
        assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
        assert_int_equal(path.nodes[0], start);
        assert_int_equal(path.nodes[path.node_count - 1], goals[path.which]);
    }
    free(costs);
}

/* In the middle of a call a map may come to keep runs; then records are by corner. */
static void runs_that_fall_due_change_nothing(void **state)
{
    enum { SNAKE = 24, ROOMS = 120, GOALS = 40, TRIALS = 150, CALLS = 12 };
    (void)state;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        const uint32_t side = seed % 3 ? SNAKE : ROOMS;
        picture drawn = seed % 3 ? snake(side) : random_map(MAP_ROOMS, side, side, seed);
        cairn_map *map = map_of(&drawn, (cairn_metric){1, 1});
        dice luck = {seed * 31 + 7};
        cairn_search *search;
        assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
        const cairn_edit shut = cairn_block(dice_below(&luck, side), 0);
        assert_int_equal(cairn_map_edit(map, &shut, 1), CAIRN_OK);
        for (unsigned call = 0; call < CALLS; call++) {
            cairn_node goals[GOALS], start = dice_open_cell(&luck, &drawn);
            draw_cluster(&luck, side, goals, GOALS);
            if (cairn_map_is_open(map, start))
                assert_nearest(search, map, start, goals, GOALS);
        }
        cairn_search_free(search);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Few entries of corners are read before rows are used, which takes the open list apart. */
static void a_path_outlives_what_was_tried_after_it(void **state)
{
    enum { WIDE = 40, OBSTACLES = 25, GOALS = 12, MAPS_HERE = 150, CALLS = 200 };
    (void)state;
    for (uint64_t seed = 0; seed < MAPS_HERE; seed++) {
        picture drawn = picture_filled(WIDE, WIDE, '.');
        dice luck = {seed * 17 + 1};
        for (unsigned i = 0; i < OBSTACLES; i++)
            drawn.letters[dice_below(&luck, WIDE * WIDE)] = '@';
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cairn_build_options build = {
            .size = sizeof build, .landmark_count = 2, .resident = CAIRN_RESIDENT_CORNERS};
        const cairn_search_options corners = {.size = sizeof corners, .form = CAIRN_FORM_CORNERS};
        cairn_table *table;
        cairn_search *search;
        assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
        assert_int_equal(cairn_search_new(map, table, &corners, &search), CAIRN_OK);
        for (unsigned call = 0; call < CALLS; call++) {
            cairn_node goals[GOALS], start = dice_open_cell(&luck, &drawn);
            draw_cluster(&luck, WIDE, goals, GOALS);
            assert_nearest(search, map, start, goals, GOALS);
        }
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Costs above the largest do not hide that no path leads to the goal. */
static void dear_ways_that_lead_nowhere_are_no_error(void **state)
{
    enum { LONG = 101 };
    (void)state;
    picture drawn = snake(LONG);
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options, .metric = {400000, 500000}};
    cairn_map *map;
    cairn_search *search;
    cairn_path path;
    const cairn_node starts[] = {0, 1, 2}, goal = LONG * LONG - 1;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    options.alphabet = &alphabet;
    drawn.letters[goal - 1] = '<';
    assert_int_equal(cairn_map_from_letters(LONG, LONG, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(cairn_search_run_from_any(search, starts, 3, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    cairn_map *map = hall_of("");
    cairn_node goals[HALF];
    bool was_struck = true;
    cairn_path path;

    for (uint32_t i = 0; i < HALF; i++)
        goals[i] = cairn_node_at(map, HALF + 1, i);
    for (size_t n = 1; was_struck; n++) {
        failing_allocator failing;
        cairn_search *search;
        failing_allocator_init(&failing);
        const cairn_search_options options = {
            .size = sizeof options, .space = CAIRN_SPACE_CELLS, .allocator = &failing.allocator};
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_run_to_any(search, 0, goals, HALF, &path);
        was_struck = failing_allocator_struck(&failing);
        assert_true(was_struck || n > 8);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cairn_search_run_to_any(search, 0, goals, HALF, &path), CAIRN_OK);
        assert_int_equal(path.which, HALF - 1);
        assert_int_equal(cairn_search_memory(search), atomic_load(&failing.held));
        cairn_search_free(search);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    cairn_map_free(map);
}

/* Searches to one goal after the other would each visit all that can be reached. */
static void that_no_goal_can_be_reached_is_found_by_few_searches(void **state)
{
    (void)state;
    enum { LEFT = 3, POCKET_HEIGHT = 2, RIGHT = 50, LOW_SIDE = 20, GOALS = 60 };
    picture drawn = picture_filled(LEFT + RIGHT, LOW_SIDE, '.');
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_search *search;
    cairn_node goals[GOALS];
    cairn_path path;

    for (uint32_t y = 0; y < LOW_SIDE; y++) {
        for (uint32_t x = 0; x <= LEFT; x++)
            drawn.letters[y * drawn.width + x] = x < LEFT && y < POCKET_HEIGHT ? '.' : '@';
    }
    drawn.letters[LEFT] = '<';
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
        CAIRN_OK);
    for (uint32_t i = 0; i < GOALS; i++)
        goals[i] = cairn_node_at(map, LEFT + 1 + i % (RIGHT - 1), i % LOW_SIDE);
    const cairn_search_options cells = {.size = sizeof cells, .space = CAIRN_SPACE_CELLS};
    assert_int_equal(cairn_search_new(map, NULL, &cells, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(search, 0, goals, GOALS, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_in_range(search->worth.spent + search->scratch.expanded, LEFT * POCKET_HEIGHT,
                    4 * LEFT * POCKET_HEIGHT);

    goals[GOALS - 1] = cairn_node_at(map, LEFT - 1, 0);
    assert_int_equal(cairn_search_run_to_any(search, 0, goals, GOALS, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.which, GOALS - 1);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_member_is_found_on_maps_of_every_kind),
        cmocka_unit_test(only_goals_that_may_be_nearer_are_searched_for),
        cmocka_unit_test(where_bounds_are_poor_few_searches_decide),
        cmocka_unit_test(where_nothing_is_known_the_nearest_alone_is_searched_for),
        cmocka_unit_test(where_bounds_are_weak_no_more_is_expanded_than_without),
        cmocka_unit_test(that_no_goal_can_be_reached_is_found_by_few_searches),
        cmocka_unit_test(a_ball_avoids_what_its_search_avoids),
        cmocka_unit_test(goals_behind_a_dear_node_are_not_each_searched_for),
        cmocka_unit_test(a_call_may_be_cancelled_anywhere),
        cmocka_unit_test(the_ball_serves_every_option),
        cmocka_unit_test(runs_that_fall_due_change_nothing),
        cmocka_unit_test(a_path_outlives_what_was_tried_after_it),
        cmocka_unit_test(dear_ways_that_lead_nowhere_are_no_error),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(calls_that_make_no_sense_are_refused),
        cmocka_unit_test(goals_out_of_reach_are_answered_like_the_first),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
