/* Avoided nodes against a list of arcs that has them at what they cost, and Bellman and Ford: on
 * maps of every kind, in every space, with tables of both kinds, through edits and changes of
 * the list. */
#include "search/search.h"
#include "support/avoided.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { MAPS = 8 * STORM_KINDS, ROUNDS = 4, QUERIES = 3 };

typedef struct tally {
    unsigned found, none, blocked, jumps, dearer;
    unsigned left_out, at_members; /* rows at corners, beside nodes that were met */
} tally;

static const cairn_search_options CONFIGURATIONS[] = {
    {.size = sizeof *CONFIGURATIONS},
    {.size = sizeof *CONFIGURATIONS, .form = CAIRN_FORM_CORNERS},
    {.size = sizeof *CONFIGURATIONS, .space = CAIRN_SPACE_CELLS},
    {.size = sizeof *CONFIGURATIONS, .space = CAIRN_SPACE_JUMP},
    {.size = sizeof *CONFIGURATIONS, .ties = CAIRN_TIES_LARGER_G},
};
enum { SEARCHES = COUNT_OF(CONFIGURATIONS) };

/* Lists of a node or two are few enough for rows at corners. */
static void draw_list(const twin *both, dice *luck, avoided *list)
{
    static const cairn_cost most[] = {4, 3000, 100000};
    list->count = dice_below(luck, dice_below(luck, 2) ? AVOIDED_MOST / 3 : 3);
    const bool all_are = dice_below(luck, 3) == 0;
    for (size_t i = 0; i < list->count; i++) {
        list->nodes[i] = dice_below(luck, both->arcs.node_count);
        list->extra[i] = !all_are && dice_below(luck, 3)
                             ? dice_below(luck, most[dice_below(luck, 3)])
                             : CAIRN_UNREACHABLE;
    }
}

static void assert_query(const oracle_arcs *arcs, const twin *both, cairn_search *search,
                         const avoided *list, uint32_t start, uint32_t goal, tally *sum)
{
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_TO, &goal, 1);
    uint64_t *bare = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    cairn_path path;

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(costs[start]));
    sum->jumps += path.space == CAIRN_SPACE_JUMP;
    sum->dearer += costs[start] > bare[start];
    if (path.outcome == CAIRN_PATH_FOUND) {
        assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
        assert_int_equal(oracle_arc_path(arcs, path.nodes, path.node_count), path.cost);
        sum->found++;
    } else if (start != goal && avoided_extra(list, goal) == CAIRN_UNREACHABLE) {
        assert_int_equal(path.outcome, CAIRN_PATH_GOAL_BLOCKED);
        sum->blocked++;
    } else {
        assert_int_equal(path.outcome, CAIRN_PATH_NONE);
        sum->none++;
    }
    free(costs);
    free(bare);
}

static void assert_any(const oracle_arcs *arcs, const twin *both, cairn_search *search,
                       uint32_t start, dice *luck)
{
    enum { GOALS = 8 };
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_FROM, &start, 1), least = ORACLE_NEVER;
    uint32_t goals[GOALS];
    cairn_path path;

    for (unsigned i = 0; i < GOALS; i++) {
        goals[i] = dice_below(luck, both->arcs.node_count);
        least = costs[goals[i]] < least ? costs[goals[i]] : least;
    }
    assert_int_equal(cairn_search_run_to_any(search, start, goals, GOALS, &path), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(least));
    if (path.outcome == CAIRN_PATH_FOUND) {
        assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
        assert_int_equal(path.nodes[path.node_count - 1], goals[path.which]);
        assert_int_equal(oracle_arc_path(arcs, path.nodes, path.node_count), path.cost);
    }
    free(costs);
}

static void assert_searches(const twin *both, cairn_search *const *searches, const avoided *list,
                            dice *luck, tally *sum)
{
    oracle_arcs arcs = avoided_arcs(list, &both->arcs);
    for (unsigned i = 0; i < SEARCHES; i++) {
        assert_int_equal(cairn_search_avoid(searches[i], list->nodes,
                                            avoided_forbids_all(list) ? NULL : list->extra,
                                            list->count),
                         CAIRN_OK);
        for (unsigned k = 0; k < QUERIES; k++) {
            uint32_t start = dice_below(luck, arcs.node_count);
            uint32_t goal = dice_below(luck, arcs.node_count);
            if (!twin_is_open(both, start) || !twin_is_open(both, goal))
                continue;
            assert_query(&arcs, both, searches[i], list, start, goal, sum);
            assert_any(&arcs, both, searches[i], start, luck);
        }
    }
    oracle_arcs_free(&arcs);
}

static void live(twin *both, dice *luck, tally *sum)
{
    cairn_table *table = storm_table(both->map, luck, true);
    cairn_search *searches[SEARCHES];
    cairn_map *copy = NULL;
    avoided list;

    for (unsigned i = 0; i < SEARCHES; i++)
        assert_int_equal(cairn_search_new(both->map, table, &CONFIGURATIONS[i], &searches[i]),
                         CAIRN_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        draw_list(both, luck, &list);
        assert_searches(both, searches, &list, luck, sum);
        if (dice_below(luck, 2))
            storm_edit(both, luck);
        cairn_map *former = copy;
        copy = NULL;
        if (dice_below(luck, 2))
            assert_int_equal(cairn_map_clone(both->map, &copy), CAIRN_OK);
        for (unsigned i = 0; i < SEARCHES; i++)
            assert_int_equal(cairn_search_use(searches[i], copy ? copy : both->map, table),
                             CAIRN_OK);
        cairn_map_free(former);
        assert_searches(both, searches, &list, luck, sum);
    }
    for (unsigned i = 0; i < SEARCHES; i++)
        cairn_search_free(searches[i]);
    cairn_map_free(copy);
    cairn_table_free(table);
}

static void paths_that_avoid_nodes_are_shortest_on_maps_of_every_kind(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed * 4099 + 5};
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        live(&both, &luck, &sum);
        twin_free(&both);
    }
    print_message("found %u, none %u, blocked %u, by jump points %u, dearer %u\n", sum.found,
                  sum.none, sum.blocked, sum.jumps, sum.dearer);
    assert_true(sum.found > 100 && sum.none > 10 && sum.blocked > 10);
    assert_true(sum.jumps > 100 && sum.dearer > 100);
}

/* A run in slices of a few expansions costs what the oracle says. */
static void assert_slices(const oracle_arcs *arcs, cairn_search *search, uint32_t start,
                          uint32_t goal)
{
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_TO, &goal, 1);
    cairn_path path;

    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 2, &path), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(costs[start]));
    free(costs);
}

/* An open cell within some columns and rows of a node, if one is met. */
static uint32_t open_cell_near(const twin *both, dice *luck, uint32_t node)
{
    enum { REACH = 5, TRIES = 20 };
    const uint32_t width = both->drawn.width;
    for (unsigned i = 0; i < TRIES; i++) {
        const uint32_t x = node % width + dice_below(luck, 2 * REACH + 1) - REACH;
        const uint32_t y = node / width + dice_below(luck, 2 * REACH + 1) - REACH;
        if (x < width && y < both->drawn.height && picture_is_open(&both->drawn, x, y))
            return y * width + x;
    }
    return dice_open_cell(luck, &both->drawn);
}

static void ask_beside(const twin *both, cairn_search *search, const avoided *list, dice *luck,
                       tally *sum)
{
    enum { STARTS = 4 };
    oracle_arcs arcs = avoided_arcs(list, &both->arcs);
    for (unsigned i = 0; i < STARTS; i++) {
        const uint32_t node = list->nodes[dice_below(luck, (uint32_t)list->count)];
        const uint32_t start = open_cell_near(both, luck, node);
        const uint32_t goal = i % 2 ? open_cell_near(both, luck, node)
                                    : dice_open_cell(luck, &both->drawn);
        assert_query(&arcs, both, search, list, start, goal, sum);
        if (search->avoidance.met_count) {
            sum->left_out += search->followed.rows == CN_ROWS_CROWDED;
            sum->at_members += search->query.corner_table != NULL;
        }
        assert_slices(&arcs, search, goal, start);
        assert_any(&arcs, both, search, start, luck);
    }
    oracle_arcs_free(&arcs);
}

/* With a few nodes in the list runs that meet some read rows at corners alone; with more of them
 * searches go from cell to cell, and leave these out: while the map and the table change. */
static void rows_at_corners_beside_few_and_many_nodes(void **state)
{
    enum { MAPS_OF_ROWS = 3 * MAP_KINDS, LISTS = 10, LONG = 40, HIGH = 36, LOGARITHMS = 7 };
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS_OF_ROWS); seed = seed_after(seed)) {
        twin both = twin_sized(seed, ORACLE_8, TERRAIN_UNIFORM, CAIRN_METRIC_OCTILE, LONG, HIGH);
        const cairn_build_options options = {
            .size = sizeof options, .landmark_count = 3, .resident = CAIRN_RESIDENT_CORNERS};
        dice luck = {seed + 77};
        cairn_table *table;
        avoided list;

        assert_int_equal(cairn_table_build(both.map, &options, &table), CAIRN_OK);
        cairn_search *search = search_with(both.map, table, (cairn_search_options){0});
        for (unsigned i = 0; i < LISTS && picture_open_count(&both.drawn); i++) {
            list.count = 1u << dice_below(&luck, LOGARITHMS);
            for (size_t k = 0; k < list.count; k++) {
                list.nodes[k] = dice_below(&luck, both.arcs.node_count);
                list.extra[k] = dice_below(&luck, 4) ? CAIRN_UNREACHABLE : dice_below(&luck, 9000);
            }
            assert_int_equal(cairn_search_avoid(search, list.nodes, list.extra, list.count),
                             CAIRN_OK);
            ask_beside(&both, search, &list, &luck, &sum);
            storm_edit(&both, &luck);
            if (picture_open_count(&both.drawn))
                ask_beside(&both, search, &list, &luck, &sum);
            if (dice_below(&luck, 2))
                (void)step_now(table, both.map, CAIRN_CELLS(dice_below(&luck, 3000)));
        }
        cairn_search_free(search);
        cairn_table_free(table);
        twin_free(&both);
    }
    print_message("by jump points %u, left out %u, at members %u\n", sum.jumps, sum.left_out,
                  sum.at_members);
    assert_true(sum.left_out > 10 && sum.at_members > 10 && sum.jumps > 10);
}

/* How many runs met some of a crowd, and how many met more of it later on. */
typedef struct crowd_tally {
    unsigned runs, partly, again;
} crowd_tally;

static crowd_tally crowds;

/* Crowds, in each of which many stand close together, and some more. */
static void draw_crowds(const twin *both, dice *luck, avoided *list)
{
    enum { CROWDS = 4, SPREAD = 9 };
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    const bool all_are = dice_below(luck, 2);

    list->count = dice_below(luck, 3) ? AVOIDED_MOST - dice_below(luck, AVOIDED_MOST / 2)
                                      : 1 + dice_below(luck, 12);
    for (size_t i = 0; i < list->count; i++) {
        const bool is_new = i % (AVOIDED_MOST / CROWDS) == 0 || dice_below(luck, 5) == 0;
        const uint32_t centre = is_new ? dice_below(luck, width * height)
                                       : list->nodes[i - i % (AVOIDED_MOST / CROWDS)];
        const uint32_t x = centre % width + dice_below(luck, SPREAD);
        const uint32_t y = centre / width + dice_below(luck, SPREAD);
        list->nodes[i] = (y < height ? y : height - 1) * width + (x < width ? x : width - 1);
        list->extra[i] = all_are || dice_below(luck, 4) ? CAIRN_UNREACHABLE
                                                        : 1 + dice_below(luck, 5000);
    }
}

/* A run keeps off the nodes alone that it meets, and what lies near them. */
static void assert_crowds(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    enum { WIDTH = 48, HEIGHT = 36, LISTS = 3, RUNS = 6 };
    dice luck = {seed * 31 + 7};
    tally sum = {0};
    avoided list;
    twin both = twin_sized(seed, rule, kind, CAIRN_METRIC_OCTILE, WIDTH, HEIGHT);
    cairn_table *table = storm_table(both.map, &luck, true);
    const cairn_search_options options = {.size = sizeof options,
                                          .form = (cairn_form)dice_below(&luck, 2),
                                          .space = seed % 2 ? CAIRN_SPACE_JUMP : CAIRN_SPACE_AUTO};
    cairn_search *search;

    assert_int_equal(cairn_search_new(both.map, table, &options, &search), CAIRN_OK);
    for (unsigned i = 0; i < LISTS; i++) {
        draw_crowds(&both, &luck, &list);
        oracle_arcs arcs = avoided_arcs(&list, &both.arcs);
        assert_int_equal(cairn_search_avoid(search, list.nodes, list.extra, list.count), CAIRN_OK);
        for (unsigned k = 0; k < RUNS; k++) {
            const uint32_t start = dice_below(&luck, WIDTH * HEIGHT);
            const uint32_t goal = dice_below(&luck, WIDTH * HEIGHT);
            if (!twin_is_open(&both, start) || !twin_is_open(&both, goal))
                continue;
            assert_query(&arcs, &both, search, &list, start, goal, &sum);
            crowds.runs++;
            crowds.partly += search->avoidance.met_count > 0 &&
                             search->avoidance.met_count < search->avoidance.count;
            crowds.again += search->avoidance.rounds > 1;
            if (k + 2 == RUNS)
                assert_any(&arcs, &both, search, start, &luck);
        }
        if (i == 0)
            storm_edit(&both, &luck);
        oracle_arcs_free(&arcs);
    }
    cairn_search_free(search);
    cairn_table_free(table);
    twin_free(&both);
}

static void runs_keep_off_the_crowds_that_they_meet(void **state)
{
    (void)state;
    crowds = (crowd_tally){0};
    for_every_kind(6, assert_crowds);
    print_message("of %u runs %u met some of a crowd, and %u more of it\n", crowds.runs,
                  crowds.partly, crowds.again);
    assert_true(crowds.partly > crowds.runs / 20 && crowds.again > crowds.runs / 50);
}

enum { SIDE = 40, GAP = 20 };

/* A wall of units across a hall, with one gap; and the way through it. */
static size_t wall_of(const cairn_map *map, cairn_node *wall)
{
    size_t count = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        if (y != GAP)
            wall[count++] = cairn_node_at(map, SIDE / 2, y);
    }
    return count;
}

static void a_goal_cut_off_by_units_has_a_nearest_node(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_node wall[SIDE];
    size_t count = wall_of(map, wall);
    const cairn_search_options near = {.size = sizeof near, .nearest = true};
    cairn_search *search;
    cairn_path path;

    wall[count++] = cairn_node_at(map, SIDE / 2, GAP);
    assert_int_equal(cairn_search_new(map, NULL, &near, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, wall, NULL, count), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, cairn_node_at(map, 2, GAP),
                                      cairn_node_at(map, SIDE - 3, GAP), &path),
                     CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], cairn_node_at(map, SIDE / 2 - 1, GAP));
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The far end of the hall is not seen: what can be reached need not be found first. */
static void the_node_nearest_to_a_goal_under_a_unit_takes_no_visit_of_the_map(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node start = cairn_node_at(map, 2, GAP), goal = cairn_node_at(map, 8, GAP);
    const cairn_search_options near = {
        .size = sizeof near, .space = CAIRN_SPACE_CELLS, .nearest = true};
    cairn_search *search;
    cairn_path path;

    assert_int_equal(cairn_search_new(map, NULL, &near, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, &goal, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], goal - 1);
    assert_int_equal(search->scratch.records[SIDE * SIDE - 1].mark, 0);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

enum { POCKET = 5 }; /* side of the ring around it */

/* A ring of units, and one in its middle. */
static size_t ring_of(const cairn_map *map, uint32_t x, uint32_t y, cairn_node *ring)
{
    size_t count = 0;
    for (uint32_t i = 0; i < POCKET * POCKET; i++) {
        const uint32_t across = i % POCKET, down = i / POCKET;
        const bool is_edge = across % (POCKET - 1) == 0 || down % (POCKET - 1) == 0;
        if (is_edge || (across == POCKET / 2 && down == POCKET / 2))
            ring[count++] = cairn_node_at(map, x + across, y + down);
    }
    return count;
}

/* In one go or in slices. */
static void a_pocket_behind_units_holds_no_nearest_node(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node start = cairn_node_at(map, 2, GAP);
    const cairn_node goal = cairn_node_at(map, 22, GAP);
    const cairn_search_options near = {.size = sizeof near, .nearest = true};
    cairn_node ring[POCKET * POCKET];
    const size_t count = ring_of(map, 20, GAP - 2, ring);
    cairn_search *search;
    cairn_path path;

    assert_int_equal(cairn_search_new(map, NULL, &near, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, ring, NULL, count), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], goal - 3);
    const uint64_t expanded = path.expanded;

    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], goal - 3);
    assert_int_equal(path.expanded, expanded);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The searches that are repeated beside a path may be smaller than the first. */
static void the_peak_is_that_of_all_searches_of_a_run(void **state)
{
    (void)state;
    unsigned repeated = 0;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
        dice luck = {seed + 71};
        picture drawn = random_map((map_kind)(MAP_CLUTTERED + seed % 8), 60, 50, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cairn_search_options jumps = {.size = sizeof jumps, .space = CAIRN_SPACE_JUMP};
        const cairn_node start = dice_open_cell(&luck, &drawn);
        const cairn_node goal = dice_open_cell(&luck, &drawn);
        cairn_arc steps[8];
        cairn_node around[8];
        cairn_cost extra[8];
        cairn_search *search;
        cairn_path plain, path;

        const size_t count = cairn_steps(map, start, steps, 8);
        for (size_t i = 0; i < count; i++) {
            around[i] = steps[i].to;
            extra[i] = dice_below(&luck, 3) ? CAIRN_UNREACHABLE : 1 + dice_below(&luck, 9000);
        }
        assert_int_equal(cairn_search_new(map, NULL, &jumps, &search), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, start, goal, &plain), CAIRN_OK);
        assert_int_equal(cairn_search_avoid(search, around, extra, count), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        if (plain.expanded > 1 && path.expanded > plain.expanded) {
            assert_true(path.open_peak >= plain.open_peak);
            repeated++;
        }
        cairn_search_free(search);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(repeated > 0);
}

enum { WIDE = 200, LOW = 60, LEFT_END = 80, WALLED_IN = 100, RIGHT_END = 121, UNIT = 75 };

/* Two corridors that end beside a goal which is walled in, joined far below it. */
static picture corridors(void)
{
    picture drawn = picture_filled(WIDE, LOW, '@');
    for (uint32_t x = 0; x < WIDE; x++) {
        if (x <= LEFT_END || x == WALLED_IN || x >= RIGHT_END)
            drawn.letters[x] = '.';
        drawn.letters[(LOW - 1) * WIDE + x] = '.';
    }
    for (uint32_t y = 0; y < LOW; y++)
        drawn.letters[y * WIDE] = drawn.letters[y * WIDE + WIDE - 1] = '.';
    return drawn;
}

/* A unit shuts off the end that is nearest; the other one is next, although far from that. */
static void the_second_nearest_node_is_sought_around_the_goal(void **state)
{
    (void)state;
    picture drawn = corridors();
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node unit = cairn_node_at(map, UNIT, 0);
    const cairn_search_options near = {.size = sizeof near, .nearest = true};
    cairn_search *search;
    cairn_path path;

    assert_int_equal(cairn_search_new(map, NULL, &near, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, &unit, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, cairn_node_at(map, WALLED_IN, 0), &path),
                     CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    assert_int_equal(path.corners[path.corner_count - 1], cairn_node_at(map, RIGHT_END, 0));
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_paused_search_ends_with_a_new_list(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_node wall[SIDE];
    const size_t count = wall_of(map, wall);
    const cairn_search_options slow = {
        .size = sizeof slow, .space = CAIRN_SPACE_CELLS, .expansion_limit = 5};
    cairn_search *search;
    cairn_path path;

    assert_int_equal(cairn_search_new(map, NULL, &slow, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, SIDE * SIDE - 1, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
    assert_int_equal(cairn_search_avoid(search, wall, NULL, count), CAIRN_OK);
    assert_int_equal(cairn_search_resume(search, 1000, &path), CAIRN_E_CHANGED);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Sees no node of the map. */
static void assert_all_unseen(const cairn_search *search, const cairn_map *map)
{
    cairn_node_info info;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        assert_int_equal(cairn_search_node_info(search, node, &info), CAIRN_OK);
        assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
    }
}

/* Beside very many borders runs would be short. One strip of as many nodes leaves room for them. */
static void long_scattered_lists_are_avoided_along_cells(void **state)
{
    (void)state;
    enum { STEP = 7 };
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_built(map, (cairn_build_options){.landmark_count = 4});
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = cairn_node_at(map, 1, 1), goal = cairn_node_at(map, SIDE - 2, 7);
    cairn_node nodes[SIDE * SIDE / STEP];
    size_t count = 0;
    cairn_path path, bare;

    assert_int_equal(cairn_search_run(search, start, goal, &bare), CAIRN_OK);
    assert_int_equal(bare.space, CAIRN_SPACE_JUMP);
    for (unsigned scattered = 0; scattered < 2; scattered++) {
        for (count = 0; count < COUNT_OF(nodes); count++)
            nodes[count] = (cairn_node)(scattered ? STEP * count : count + 9 * SIDE);
        assert_int_equal(cairn_search_avoid(search, nodes, NULL, count), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.space, scattered ? CAIRN_SPACE_CELLS : CAIRN_SPACE_JUMP);
        assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    }
    assert_int_equal(cairn_search_avoid(search, NULL, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.space, CAIRN_SPACE_JUMP);
    assert_int_equal(path.cost, bare.cost);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Of nodes in every so many cells, what a run sees beside a search along cells without a table. */
static cairn_path assert_path_beside(const cairn_map *map, const cairn_table *table, unsigned step)
{
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    cairn_search *plain = search_with(map, NULL,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    const cairn_node start = cairn_node_at(map, 1, 1), goal = cairn_node_at(map, 55, 52);
    const size_t count = cairn_map_node_count(map) / step;
    cairn_node *nodes = calloc(count, sizeof *nodes);
    cairn_path path, other;

    assert_non_null(nodes);
    for (size_t i = 0; i < count; i++)
        nodes[i] = (cairn_node)(step * i + 9);
    assert_int_equal(cairn_search_avoid(search, nodes, NULL, count), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(plain, nodes, NULL, count), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(plain, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.cost, other.cost);
    path.nodes = path.corners = NULL;
    cairn_search_free(search);
    cairn_search_free(plain);
    free(nodes);
    return path;
}

/* Rooms of 7 x 7 with doors, or open ground. */
static cairn_map *map_of_rooms(bool has_walls, cairn_table **full, cairn_table **at_corners)
{
    enum { ROOM = 8, LONG = 64 };
    picture drawn = picture_filled(LONG, LONG, '.');
    for (uint32_t i = 0; has_walls && i < LONG * LONG; i++) {
        const uint32_t x = i % LONG % ROOM, y = i / LONG % ROOM;
        if ((x == 0 && y != 4) || (y == 0 && x != 4))
            drawn.letters[i] = '@';
    }
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_build_options options = {.size = sizeof options, .landmark_count = 4};
    assert_int_equal(cairn_table_build(map, &options, full), CAIRN_OK);
    options.resident = CAIRN_RESIDENT_CORNERS;
    assert_int_equal(cairn_table_build(map, &options, at_corners), CAIRN_OK);
    picture_free(&drawn);
    return map;
}

/* Borders make the more runs the farther corners see. Rows at corners serve as long as searches go
 * along jump points. */
static void the_more_is_seen_the_fewer_nodes_are_many(void **state)
{
    (void)state;
    for (unsigned has_walls = 0; has_walls < 2; has_walls++) {
        cairn_table *full, *at_corners;
        cairn_map *map = map_of_rooms(has_walls, &full, &at_corners);
        const cairn_space many = has_walls ? CAIRN_SPACE_JUMP : CAIRN_SPACE_CELLS;
        assert_int_equal(assert_path_beside(map, full, 50).space, many);
        assert_int_equal(assert_path_beside(map, at_corners, 50).space, many);
        assert_int_equal(assert_path_beside(map, at_corners, 50).row_count, has_walls ? 4 : 0);
        assert_int_equal(assert_path_beside(map, full, 11).space, CAIRN_SPACE_CELLS);
        assert_int_equal(assert_path_beside(map, full, 11).row_count, 4);
        assert_int_equal(assert_path_beside(map, at_corners, 11).space, CAIRN_SPACE_CELLS);
        assert_int_equal(assert_path_beside(map, at_corners, 11).row_count, 0);
        assert_int_equal(assert_path_beside(map, at_corners, 1500).space, CAIRN_SPACE_JUMP);
        assert_int_equal(assert_path_beside(map, at_corners, 1500).row_count, has_walls ? 4 : 0);
        cairn_table_free(full);
        cairn_table_free(at_corners);
        cairn_map_free(map);
    }
}

/* The records of the last run may be by corner, those of the next one by cell. */
static void another_list_leaves_nothing_seen(void **state)
{
    enum { WIDTH = 64, HEIGHT = 16, WALL = 30, STEP = 7 };
    (void)state;
    picture drawn = picture_filled(WIDTH, HEIGHT, '.');
    for (uint32_t y = 0; y + 1 < HEIGHT; y++)
        drawn.letters[y * WIDTH + WALL] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    cairn_node nodes[WIDTH * HEIGHT / STEP];
    cairn_node_info info;
    cairn_path path;

    for (size_t i = 0; i < COUNT_OF(nodes); i++)
        nodes[i] = (cairn_node)(STEP * i);
    assert_int_equal(cairn_search_run(search, 5, 60, &path), CAIRN_OK);
    assert_non_null(search->query.corners);
    assert_int_equal(cairn_search_node_info(search, 60, &info), CAIRN_OK);
    assert_int_not_equal(info.state, CAIRN_NODE_UNSEEN);
    assert_int_equal(cairn_search_avoid(search, nodes, NULL, COUNT_OF(nodes)), CAIRN_OK);
    assert_int_equal(search->space, CAIRN_SPACE_CELLS);
    assert_all_unseen(search, map);
    assert_int_equal(cairn_search_run(search, 5, 60, &path), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, nodes, NULL, COUNT_OF(nodes)), CAIRN_OK);
    assert_all_unseen(search, map);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void lists_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node nodes[] = {3, SIDE * SIDE};
    const cairn_cost extra[] = {CAIRN_COST_MAX + 1, 0};
    cairn_search *search;
    cairn_path path;

    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, nodes, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(search, nodes, NULL, 2), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_avoid(search, nodes, extra, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_avoid(search, NULL, extra, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_avoid(NULL, nodes, NULL, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_GOAL_BLOCKED);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_node wall[SIDE];
    const size_t count = wall_of(map, wall);
    bool was_struck = true;
    cairn_path path;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator failing;
        cairn_search *search;
        failing_allocator_init(&failing);
        const cairn_search_options options = {.size = sizeof options,
                                              .allocator = &failing.allocator};
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_avoid(search, wall, NULL, count);
        if (status == CAIRN_OK)
            status = cairn_search_run(search, 5, 35, &path);
        was_struck = failing_allocator_struck(&failing);
        assert_true(was_struck || n > 8);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cairn_search_avoid(search, wall, NULL, count), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, 5, 35, &path), CAIRN_OK);
        assert_true(path.cost > 2u * GAP * CAIRN_METRIC_OCTILE.straight / 2);
        assert_int_equal(cairn_search_memory(search), atomic_load(&failing.held));
        cairn_search_free(search);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_avoid_nodes_are_shortest_on_maps_of_every_kind),
        cmocka_unit_test(rows_at_corners_beside_few_and_many_nodes),
        cmocka_unit_test(runs_keep_off_the_crowds_that_they_meet),
        cmocka_unit_test(a_goal_cut_off_by_units_has_a_nearest_node),
        cmocka_unit_test(the_node_nearest_to_a_goal_under_a_unit_takes_no_visit_of_the_map),
        cmocka_unit_test(a_pocket_behind_units_holds_no_nearest_node),
        cmocka_unit_test(the_peak_is_that_of_all_searches_of_a_run),
        cmocka_unit_test(the_second_nearest_node_is_sought_around_the_goal),
        cmocka_unit_test(a_paused_search_ends_with_a_new_list),
        cmocka_unit_test(long_scattered_lists_are_avoided_along_cells),
        cmocka_unit_test(the_more_is_seen_the_fewer_nodes_are_many),
        cmocka_unit_test(another_list_leaves_nothing_seen),
        cmocka_unit_test(lists_that_make_no_sense_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("avoid", tests, NULL, NULL);
}
