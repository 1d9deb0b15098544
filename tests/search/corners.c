/* Searches along tables whose rows live at corners find shortest paths, whatever their ends, their
 * options, and what was edited. */
#include "map/map.h"
#include "search/search.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "table/corner_rows.h"

enum { MAPS = 10 * MAP_KINDS, QUERIES = 40 };

static cairn_table *build(cairn_map *map, uint32_t rows, uint64_t seed, cairn_resident resident)
{
    const cairn_build_options options = {.size = sizeof options,
                                         .landmark_count = rows,
                                         .thread_count = 1,
                                         .seed = seed,
                                         .resident = resident};
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    return table;
}

static void assert_shortest(cairn_search *search, const picture *drawn, cairn_metric metric,
                            cairn_node start, cairn_node goal)
{
    cairn_path path;
    uint64_t *costs = NULL;
    bool open = picture_is_open(drawn, start % drawn->width, start / drawn->width) &&
                picture_is_open(drawn, goal % drawn->width, goal / drawn->width);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (!open) {
        assert_true(path.outcome == CAIRN_PATH_START_BLOCKED ||
                    path.outcome == CAIRN_PATH_GOAL_BLOCKED);
        return;
    }
    costs = oracle_costs(drawn, steps_of(metric), &start, 1);
    assert_int_equal(path.cost, cost_of(costs[goal]));
    assert_int_equal(path.outcome,
                     costs[goal] == ORACLE_NEVER ? CAIRN_PATH_NONE : CAIRN_PATH_FOUND);
    if (path.outcome == CAIRN_PATH_FOUND) {
        assert_int_equal(path.nodes[0], start);
        assert_int_equal(path.nodes[path.node_count - 1], goal);
        assert_int_equal(oracle_path_cost(drawn, steps_of(metric), path.nodes, path.node_count),
                         costs[goal]);
    }
    free(costs);
}

/* A cell beside a corner, one in a dead end, the corner itself, or any: what goals are like. */
static cairn_node any_end(const cairn_map *map, dice *luck)
{
    const cn_corners *corners;
    assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    if (corners->count && dice_below(luck, 2))
        node = corners->nodes[dice_below(luck, corners->count)];
    if (dice_below(luck, 2)) {
        uint32_t x = node % map->grid.width + dice_below(luck, 3);
        uint32_t y = node / map->grid.width + dice_below(luck, 3);
        if (x > 0 && y > 0 && x <= map->grid.width && y <= map->grid.height)
            node = (y - 1) * map->grid.width + x - 1;
    }
    return node;
}

static void assert_all_shortest(cairn_search *search, const cairn_map *map, const picture *drawn,
                                dice *luck, int queries)
{
    cairn_node goal = 0;
    for (int i = 0; i < queries; i++) {
        if (i % 3 == 0)
            goal = any_end(map, luck);
        cairn_node start = i % 7 == 6 ? goal : any_end(map, luck);
        assert_shortest(search, drawn, map->metric, start, goal);
    }
}

static void every_path_is_shortest(void **state)
{
    (void)state;
    dice luck = {1};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = build(map, 1 + (uint32_t)(seed % 17), seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        assert_all_shortest(search, map, &drawn, &luck, QUERIES);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* For goals in all components, which have more landmarks together than are examined for each
 * goal, or fewer; in sight of landmarks, and where these are corners or beside them. */
static void entries_of_goals_are_those_of_all_members_in_sight(void **state)
{
    (void)state;
    uint64_t by_ends = 0;
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = build(map, 1 + (uint32_t)(seed * 5 % 18), seed,
                                   CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (cairn_node goal = 0; goal < cairn_map_node_count(map); goal++) {
            uint32_t entries[CAIRN_ROWS_MAX];
            if (!cairn_map_is_open(map, goal))
                continue;
            cn_search_aim(search, goal);
            cn_corner_rows_at(table, map, goal, entries);
            assert_memory_equal(search->goal_entries.row, entries, search->query.stride);
            by_ends += search->places.component != CN_NO_COMPONENT;
        }
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(by_ends > 0);
}

/* One map, and a table of each kind that has the same landmarks. */
typedef struct twins {
    picture drawn;
    cairn_map *map;
    cairn_table *cells;
    cairn_table *corners;
} twins;

static twins twins_of(picture drawn, cairn_metric metric, uint32_t rows, uint64_t seed)
{
    twins made = {.drawn = drawn, .map = map_of(&drawn, metric)};
    made.cells = build(made.map, rows, seed, CAIRN_RESIDENT_CELLS);
    made.corners = build(made.map, rows, seed, CAIRN_RESIDENT_CORNERS);
    return made;
}

static void twins_free(twins *made)
{
    cairn_table_free(made->cells);
    cairn_table_free(made->corners);
    cairn_map_free(made->map);
    picture_free(&made->drawn);
}

/* What a search along each finds: by_cells and by_corners. Along cells records are by cell, too. */
typedef struct twin_searches {
    cairn_search *along_cells;
    cairn_search *along_corners;
    cairn_path by_cells;
    cairn_path by_corners;
} twin_searches;

static twin_searches searches_of(const twins *made, cairn_search_options options)
{
    cairn_search_options by_cell = options;
    if (options.space == CAIRN_SPACE_AUTO)
        by_cell.space = CAIRN_SPACE_JUMP;
    return (twin_searches){.along_cells = search_with(made->map, made->cells, by_cell),
                           .along_corners = search_with(made->map, made->corners, options)};
}

static void run_both(twin_searches *both, cairn_node start, cairn_node goal)
{
    assert_int_equal(cairn_search_run(both->along_cells, start, goal, &both->by_cells), CAIRN_OK);
    assert_int_equal(cairn_search_run(both->along_corners, start, goal, &both->by_corners),
                     CAIRN_OK);
    assert_int_equal(both->by_cells.cost, both->by_corners.cost);
    assert_int_equal(both->by_cells.outcome, both->by_corners.outcome);
    assert_int_equal(both->by_cells.guarantee, both->by_corners.guarantee);
}

static void searches_free(twin_searches *both)
{
    cairn_search_free(both->along_cells);
    cairn_search_free(both->along_corners);
}

/* The same nodes are expanded but for ties: bounds are those of full rows. */
static void work_is_that_along_full_rows(void **state)
{
    (void)state;
    dice luck = {2};
    uint64_t by_cells = 0, by_corners = 0;
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = random_map((map_kind)(MAP_CLUTTERED + seed % 8), 120, 90, seed);
        twins made = twins_of(drawn, CAIRN_METRIC_OCTILE, 8, seed);
        twin_searches both = searches_of(&made, (cairn_search_options){0});
        for (int i = 0; made.map->grid.open_count && i < QUERIES; i++) {
            run_both(&both, dice_open_cell(&luck, &drawn), dice_open_cell(&luck, &drawn));
            assert_int_equal(both.by_cells.row_count, both.by_corners.row_count);
            by_cells += both.by_cells.expanded;
            by_corners += both.by_corners.expanded;
        }
        assert_true(cairn_search_memory(both.along_corners) <
                    cairn_search_memory(both.along_cells));
        searches_free(&both);
        twins_free(&made);
    }
    assert_in_range(by_corners, by_cells * 9 / 10, by_cells * 11 / 10);
}

/* Opens some blocked cells. */
static void open_some(cairn_map *map, picture *drawn, dice *luck)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        const uint32_t node = dice_below(luck, picture_size(drawn));
        const cairn_edit edit = cairn_open(node % drawn->width, node / drawn->width);
        drawn->letters[node] = '.';
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
}

/* Rows at every cell serve searches that go by corner, in little memory: the same nodes are
 * expanded but for ties, also in slices and where only costs are wanted. With `by_gates` cells have
 * opened since. */
static void assert_rows_go_by_corner(bool by_gates)
{
    dice luck = {5};
    uint64_t by_cell = 0, by_corner = 0;
    unsigned went_by_corner = 0;
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = random_map((map_kind)(MAP_CLUTTERED + seed % 8), 120, 90, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 1 + (uint32_t)seed % 9, seed, CAIRN_RESIDENT_CELLS);
        if (by_gates)
            open_some(map, &drawn, &luck);
        cairn_search *by_cells = search_with(map, table,
                                             (cairn_search_options){.space = CAIRN_SPACE_JUMP});
        cairn_search *by_corners =
            search_with(map, table, (cairn_search_options){.form = (cairn_form)(seed % 3)});
        for (int i = 0; map->grid.open_count && i < QUERIES; i++) {
            const cairn_node start = dice_open_cell(&luck, &drawn);
            const cairn_node goal = dice_open_cell(&luck, &drawn);
            cairn_path one, other;
            assert_int_equal(cairn_search_run(by_cells, start, goal, &one), CAIRN_OK);
            assert_int_equal(cairn_search_begin(by_corners, start, goal, &other), CAIRN_OK);
            while (other.outcome == CAIRN_PATH_PAUSED)
                assert_int_equal(cairn_search_resume(by_corners, 3, &other), CAIRN_OK);
            assert_int_equal(one.cost, other.cost);
            assert_int_equal(one.outcome, other.outcome);
            assert_int_equal(one.row_count, other.row_count);
            by_cell += one.expanded;
            by_corner += other.expanded;
            went_by_corner += by_corners->query.entries && by_corners->query.corners &&
                              by_gates == (by_corners->query.gate_view != NULL);
        }
        if (by_corners->query.corners)
            assert_true(cairn_search_memory(by_corners) < cairn_search_memory(by_cells));
        cairn_search_free(by_cells);
        cairn_search_free(by_corners);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(went_by_corner > QUERIES);
    assert_in_range(by_corner, by_cell * 9 / 10, by_cell * 11 / 10);
}

static void rows_at_every_cell_go_by_corner(void **state)
{
    (void)state;
    assert_rows_go_by_corner(false);
}

static void rows_by_gates_go_by_corner(void **state)
{
    (void)state;
    assert_rows_go_by_corner(true);
}

/* Open ground with single blocked cells. */
static picture open_ground(uint32_t side, dice *luck)
{
    picture drawn = picture_filled(side, side, '.');
    for (uint32_t i = 0; i < side * side / 50; i++)
        drawn.letters[dice_below(luck, side * side)] = '@';
    return drawn;
}

static void starts_on_open_ground_are_left_towards_the_goal(void **state)
{
    (void)state;
    dice luck = {31};
    uint64_t by_cells = 0, by_corners = 0;
    picture drawn = open_ground(200, &luck);
    twins made = twins_of(drawn, CAIRN_METRIC_OCTILE, 16, 0);
    twin_searches both = searches_of(&made, (cairn_search_options){0});
    for (int i = 0; i < 5 * QUERIES; i++) {
        run_both(&both, dice_open_cell(&luck, &drawn), dice_open_cell(&luck, &drawn));
        by_cells += both.by_cells.generated;
        by_corners += both.by_corners.generated;
    }
    assert_in_range(by_corners, 1, 2 * by_cells);
    searches_free(&both);
    twins_free(&made);
}

/* Two parts of open ground, with a wall of some length from the upper edge on between them. */
static picture parted_ground(uint32_t side, uint32_t length, dice *luck)
{
    picture drawn = open_ground(side, luck);
    for (uint32_t y = 0; y < side; y++)
        drawn.letters[y * side + side / 2] = y < length ? '@' : '.';
    return drawn;
}

/* Searches on open ground begin below a guess, with few corners without rows: behind a wall it is
 * too low. */
static void paths_may_cost_more_than_guessed(void **state)
{
    (void)state;
    dice luck = {43};
    for (uint32_t side = 40; side <= 120; side += 80) {
        int guessed = 0, too_low = 0;
        picture drawn = parted_ground(side, side / 2, &luck);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 8, 0, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (int i = 0; i < 3 * QUERIES; i++) {
            const cairn_node start = dice_open_cell(&luck, &drawn);
            assert_shortest(search, &drawn, map->metric, start, dice_open_cell(&luck, &drawn));
            const cairn_cost guess = cn_guess(cn_search_base_from_start(search));
            guessed += search->scratch.first_limit == guess + 1;
            too_low += search->scratch.first_limit == CAIRN_UNREACHABLE &&
                       search->scratch.limit > guess;
        }
        assert_true(search->followed.goal_by == CN_GOAL_BY_ENDS_ON_OPEN_GROUND);
        assert_int_equal(cn_search_rows_may_wait(search), side == 40);
        assert_true(guessed > 0 && too_low > 0);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A table whose rows have a landmark in each of two parts of one component. */
static cairn_table *table_with_pairs(const cairn_map *map, const picture *drawn, dice *luck)
{
    enum { ROWS = 3 };
    const uint32_t side = drawn->width;
    size_t start[ROWS + 1] = {0};
    cairn_node nodes[2 * ROWS];
    cairn_table *table;
    for (uint32_t row = 0; row < ROWS; row++) {
        cairn_node *pair = nodes + 2 * row;
        do
            pair[0] = dice_open_cell(luck, drawn), pair[1] = dice_open_cell(luck, drawn);
        while (pair[0] >= pair[1] || (pair[0] % side < side / 2) == (pair[1] % side < side / 2));
        start[row + 1] = 2 * (row + 1);
    }
    const cn_table_shape shape = {map, ROWS, 32, false};
    assert_int_equal(
        cn_corner_rows_new(map, &map->mem, shape, (cn_landmark_lists){start, nodes}, NULL, &table),
        CAIRN_OK);
    return table;
}

/* A row says what a path from the start to one landmark and one from another landmark to the goal
 * cost, between which there is no way. Files may have such rows. */
static void a_way_by_two_landmarks_of_a_row_limits_nothing(void **state)
{
    (void)state;
    enum { SIDE = 120 };
    dice luck = {41};
    int repeated = 0;
    picture drawn = parted_ground(SIDE, SIDE - 4, &luck);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_with_pairs(map, &drawn, &luck);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    for (int i = 0; i < 3 * QUERIES; i++) {
        const cairn_node start = dice_open_cell(&luck, &drawn);
        assert_shortest(search, &drawn, map->metric, start, dice_open_cell(&luck, &drawn));
        repeated += search->followed.goal_by != CN_GOAL_BY_NODE && !search->query.limits_first_runs;
    }
    assert_in_range(repeated, 1, 3 * QUERIES - 1);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A search along one row with a listed landmark. */
static void assert_shortest_along_one_row(picture drawn, cairn_metric metric, cairn_node landmark,
                                          cairn_node start, cairn_node goal)
{
    cairn_map *map = map_of(&drawn, metric);
    const cairn_build_options options = {.size = sizeof options,
                                         .landmark_count = 1,
                                         .thread_count = 1,
                                         .placement = CAIRN_PLACE_LIST,
                                         .listed = &landmark,
                                         .listed_count = 1,
                                         .resident = CAIRN_RESIDENT_CORNERS};
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    assert_shortest(search, &drawn, metric, start, goal);
    assert_true(cn_search_rows_may_wait(search) && !search->run.rows_due);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Before rows are used a node is found that costs more than guessed, or one is expanded that is not
 * the cheapest of its key; later, by rows, a cheaper path leads to it. */
static void nodes_known_without_rows_get_their_bounds(void **state)
{
    (void)state;
    assert_shortest_along_one_row(PICTURE("................", /* from (14, 1) to (0, 4) */
                                          "................", "...........@....",
                                          "@....@.@.@......", "..@.............",
                                          "........@......."),
                                  CAIRN_METRIC_OCTILE, 15, 1 * 16 + 14, 4 * 16);
    assert_shortest_along_one_row(PICTURE("...@...................", /* from (12, 4) to (0, 3) */
                                          "...@....@..@...........", "...@........@..........",
                                          ".@.........@...........", ".@.........@..........."),
                                  (cairn_metric){1000, 1999}, 4 * 23 + 22, 4 * 23 + 12, 3 * 23);
}

/* Returns how often searches paused. */
static int slices_of_no_time(picture drawn, dice *luck)
{
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    int pauses = 0;
    for (int i = 0; i < 10 * QUERIES; i++) {
        const cairn_node start = dice_open_cell(luck, &drawn), goal = dice_open_cell(luck, &drawn);
        uint64_t before = 0;
        cairn_path path;
        assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
        while (path.outcome == CAIRN_PATH_PAUSED) {
            assert_int_equal(cairn_search_resume_for(search, 0, &path), CAIRN_OK);
            assert_true(path.outcome != CAIRN_PATH_PAUSED || path.expanded >= before + 4);
            before = path.expanded;
            pauses += path.outcome == CAIRN_PATH_PAUSED;
        }
    }
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    return pauses;
}

/* Also where the search goes on without its guess, and from where on it has rows. */
static void slices_of_no_time_expand_four_nodes(void **state)
{
    (void)state;
    dice luck = {47};
    picture walled = picture_filled(24, 24, '.');
    for (uint32_t y = 0; y < 8; y++)
        walled.letters[y * 24 + 12] = '@';
    slices_of_no_time(walled, &luck);
    assert_true(slices_of_no_time(parted_ground(40, 25, &luck), &luck) > 0);
}

static cairn_cost no_bound(void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return 0;
}

static void every_option_serves(void **state)
{
    (void)state;
    static const cairn_search_options options[] = {
        {.space = CAIRN_SPACE_CELLS},  {.form = CAIRN_FORM_CELLS, .nearest = true},
        {.ties = CAIRN_TIES_LARGER_G}, {.weight = 1000},
        {.plain = CAIRN_PLAIN_ZERO},   {.bound = no_bound},
    };
    dice luck = {4};
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        twins made = twins_of(any_map(seed), fixture_metrics[seed % FIXTURE_METRICS], 6, seed);
        for (size_t i = 0; made.map->grid.open_count && i < COUNT_OF(options); i++) {
            twin_searches both = searches_of(&made, options[i]);
            for (int k = 0; k < 8; k++) {
                run_both(&both, any_end(made.map, &luck), any_end(made.map, &luck));
                assert_int_equal(both.by_cells.space, both.by_corners.space);
            }
            searches_free(&both);
        }
        twins_free(&made);
    }
}

/* A weighted search does the same work along either: its bounds are the same. */
static void weighted_searches_are_the_same(void **state)
{
    (void)state;
    dice luck = {5};
    for (uint64_t seed = 0; seed < 2 * MAP_KINDS; seed++) {
        twins made = twins_of(any_map(seed), CAIRN_METRIC_OCTILE, 6, seed);
        twin_searches both = searches_of(&made, (cairn_search_options){.weight = 1500});
        for (int k = 0; made.map->grid.open_count && k < 8; k++) {
            run_both(&both, any_end(made.map, &luck), any_end(made.map, &luck));
            assert_int_equal(both.by_cells.expanded, both.by_corners.expanded);
        }
        searches_free(&both);
        twins_free(&made);
    }
}

static void edit(cairn_map *map, picture *drawn, dice *luck)
{
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    char letter = dice_below(luck, 2) ? '.' : '@';
    cairn_edit change = cairn_terrain(node % drawn->width, node / drawn->width, letter);
    assert_int_equal(cairn_map_edit(map, &change, 1), CAIRN_OK);
    drawn->letters[node] = letter;
}

/* The bound of a caller's own A* is never above the cost. */
static void assert_bounds_hold(const cairn_map *map, const cairn_table *table, const picture *drawn,
                               dice *luck)
{
    const cairn_node goal = dice_open_cell(luck, drawn);
    uint64_t *costs = oracle_costs(drawn, steps_of(CAIRN_METRIC_OCTILE), &goal, 1);
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
    for (cairn_node node = 0; node < picture_size(drawn); node++) {
        if (cairn_map_is_open(map, node) && costs[node] != ORACLE_NEVER)
            assert_true(cairn_bound_at(&bound, node) <= costs[node]);
    }
    free(costs);
}

static void block_any(cairn_map *map, picture *drawn, dice *luck)
{
    const cairn_node node = dice_open_cell(luck, drawn);
    const cairn_edit change = cairn_block(node % drawn->width, node / drawn->width);
    assert_int_equal(cairn_map_edit(map, &change, 1), CAIRN_OK);
    drawn->letters[node] = '@';
}

/* A table of an empty map knows no corner of what is built there later: its rows are used until
 * there are more new corners than it has members, and again when it is refreshed. */
static void a_map_may_outgrow_the_corners_of_its_table(void **state)
{
    enum { SIDE = 60, BLOCKS = 60 };
    (void)state;
    dice luck = {15};
    for (uint64_t seed = 0; seed < seeds_to(12); seed = seed_after(seed)) {
        picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 4, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        unsigned used = 0, unused = 0;
        for (int i = 0; i < BLOCKS; i++) {
            block_any(map, &drawn, &luck);
            assert_all_shortest(search, map, &drawn, &luck, 4);
            if (i % 10 == 9)
                assert_bounds_hold(map, table, &drawn, &luck);
            used += cn_search_may_use_rows(search) && !unused;
            unused += !cn_search_may_use_rows(search);
        }
        assert_true(used > 0 && unused > 0);
        cairn_status status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(search->scratch.record_count, SIDE * SIDE);
        for (int i = 0; i < 20 && !cn_search_may_use_rows(search); i++)
            assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_true(cn_search_may_use_rows(search));
        assert_int_equal(search->scratch.record_count, SIDE * SIDE);
        for (int i = 0; i < 500 && search->scratch.record_count == SIDE * SIDE; i++)
            assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_true(search->scratch.record_count < SIDE * SIDE / 4);
        assert_bounds_hold(map, table, &drawn, &luck);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The copies of a world have outgrown tables, too; readers find shortest paths before and after the
 * writer has refreshed. */
static void a_world_may_outgrow_the_corners_of_its_table(void **state)
{
    enum { SIDE = 60, ROUNDS = 6, BLOCKS = 15 };
    (void)state;
    dice luck = {19};
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 3, CAIRN_RESIDENT_CORNERS);
    cairn_world *world;
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    cairn_view view = cairn_world_acquire(world);
    cairn_search *search = search_with(view.map, view.table, (cairn_search_options){0});
    cairn_world_release(world, &view);
    for (int round = 0; round < ROUNDS; round++) {
        cairn_edit edits[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            const cairn_node node = dice_open_cell(&luck, &drawn);
            edits[i] = cairn_block(node % SIDE, node / SIDE);
            drawn.letters[node] = '@';
        }
        assert_int_equal(cairn_world_edit(world, edits, BLOCKS), CAIRN_OK);
        if (round == ROUNDS - 1)
            assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
        view = cairn_world_acquire(world);
        assert_int_equal(cairn_search_use(search, view.map, view.table), CAIRN_OK);
        assert_all_shortest(search, view.map, &drawn, &luck, 10);
        assert_bounds_hold(view.map, view.table, &drawn, &luck);
        cairn_world_release(world, &view);
    }
    assert_true(cn_search_may_use_rows(search));
    cairn_search_free(search);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* After an edit there are no rows until they are rebuilt. */
static void paths_are_shortest_after_edits(void **state)
{
    (void)state;
    dice luck = {6};
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 4, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (int i = 0; i < 6; i++) {
            assert_all_shortest(search, map, &drawn, &luck, 5);
            edit(map, &drawn, &luck);
            if (dice_below(&luck, 3) == 0)
                assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
        }
        assert_all_shortest(search, map, &drawn, &luck, 5);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void rows_serve_through_an_edit_and_when_it_is_undone(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 60, 50, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    dice luck = {8};
    cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
    cairn_node cell = dice_open_cell(&luck, &drawn);
    cairn_path path;
    cairn_node_info info;
    while (start == cell || goal == cell || start == goal)
        cell = dice_open_cell(&luck, &drawn), start = dice_open_cell(&luck, &drawn);
    cairn_edit block = cairn_block(cell % 60, cell / 60), open = cairn_open(cell % 60, cell / 60);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.state, CAIRN_ROW_FRESH);
    assert_int_equal(path.row_count, 4);
    assert_int_equal(cairn_map_edit(map, &block, 1), CAIRN_OK);
    assert_int_equal(cairn_search_look(search, start, &info), CAIRN_OK);
    assert_int_equal(cairn_table_row_state(table, map, 0), CAIRN_ROW_UNSAFE);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (path.expanded > 1) {
        assert_int_equal(path.state, CAIRN_ROW_WEAKER);
        assert_int_equal(path.row_count, 4);
    }
    assert_int_equal(cairn_map_edit(map, &open, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.state, CAIRN_ROW_FRESH);
    assert_int_equal(path.row_count, 4);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* One search goes along tables of both kinds, and none, and over copies of its map. */
static void a_search_changes_between_tables(void **state)
{
    (void)state;
    dice luck = {9};
    for (uint64_t seed = 0; seed < seeds_to(3 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *twin;
        assert_int_equal(cairn_map_clone(map, &twin), CAIRN_OK);
        cairn_table *tables[] = {build(map, 4, seed, CAIRN_RESIDENT_CORNERS),
                                 build(map, 4, seed, CAIRN_RESIDENT_CELLS), NULL,
                                 build(map, 9, seed, CAIRN_RESIDENT_CORNERS)};
        for (unsigned space = CAIRN_SPACE_AUTO; space <= CAIRN_SPACE_JUMP; space++) {
            const cairn_search_options options = {.space = (cairn_space)space};
            cairn_search *search = search_with(map, tables[space], options);
            for (unsigned i = 0; i < 8; i++) {
                assert_all_shortest(search, map, &drawn, &luck, 4);
                assert_true(search->scratch.record_count <= 2 * cn_map_node_count(map) + 32u);
                assert_int_equal(
                    cairn_search_use(search, i % 2 ? map : twin, tables[dice_below(&luck, 4)]),
                    CAIRN_OK);
            }
            cairn_search_free(search);
        }
        for (size_t i = 0; i < COUNT_OF(tables); i++)
            cairn_table_free(tables[i]);
        cairn_map_free(twin);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A long map whose short lines have a blocked cell here and there. */
static picture long_map(bool is_high, dice *luck)
{
    enum { SHORT = 5, EVERY = 7 };
    picture drawn = random_map(MAP_ALL_OPEN, is_high ? SHORT : CAIRN_SIDE_MAX,
                               is_high ? CAIRN_SIDE_MAX : SHORT, 1);
    for (uint32_t i = 3; i < CAIRN_SIDE_MAX; i += EVERY) {
        const uint32_t other = 1 + dice_below(luck, SHORT - 2);
        drawn.letters[is_high ? i * SHORT + other : other * CAIRN_SIDE_MAX + i] = '@';
    }
    return drawn;
}

/* Columns and rows of corners fill half a word. */
static void paths_are_shortest_on_maps_of_the_longest_sides(void **state)
{
    enum { ENDS = 40 };
    (void)state;
    dice luck = {13};
    for (int is_high = 0; is_high < 2; is_high++) {
        picture drawn = long_map(is_high, &luck);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 2, 0, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        const cairn_node goal = dice_open_cell(&luck, &drawn);
        uint64_t *costs = oracle_costs(&drawn, steps_of(CAIRN_METRIC_OCTILE), &goal, 1);
        for (int i = 0; i < ENDS; i++) {
            const cairn_node other = dice_open_cell(&luck, &drawn);
            cairn_path to, from;
            assert_int_equal(cairn_search_run(search, other, goal, &to), CAIRN_OK);
            assert_int_equal(to.cost, cost_of(costs[other]));
            assert_int_equal(cairn_search_run(search, goal, other, &from), CAIRN_OK);
            assert_int_equal(from.cost, to.cost);
            assert_int_equal(to.outcome, CAIRN_PATH_FOUND);
        }
        free(costs);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The cost from a start to the nearest of some goals, by the oracle. */
static cairn_cost least_cost(const picture *drawn, cairn_metric metric, cairn_node start,
                             const cairn_node *goals, size_t count)
{
    uint64_t *costs = oracle_costs(drawn, steps_of(metric), &start, 1);
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        least = costs[goals[i]] < least ? costs[goals[i]] : least;
    free(costs);
    return cost_of(least);
}

/* What a search along rows at every cell goes through while it goes by corner, by cell and back. */
typedef struct cell_rows_play {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    picture drawn;
    dice luck;
    unsigned by_corner, by_cell, by_gates; /* states in which rows were used so; by corner */
} cell_rows_play;

static void ask_for_nearest(cell_rows_play *play)
{
    enum { GOALS = 20 };
    cairn_node goals[GOALS];
    cairn_path path;
    const cairn_node start = dice_open_cell(&play->luck, &play->drawn);
    for (size_t i = 0; i < GOALS; i++)
        goals[i] = any_end(play->map, &play->luck);
    assert_int_equal(cairn_search_run_to_any(play->search, start, goals, GOALS, &path), CAIRN_OK);
    assert_int_equal(path.cost, least_cost(&play->drawn, play->map->metric, start, goals, GOALS));
}

/* Beside avoided cells costs are those of a search without rows, from cell to cell. */
static void ask_beside_avoided(cell_rows_play *play)
{
    cairn_search *plain = search_with(play->map, NULL,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    cairn_node avoided[3];
    for (size_t i = 0; i < COUNT_OF(avoided); i++)
        avoided[i] = dice_open_cell(&play->luck, &play->drawn);
    assert_int_equal(cairn_search_avoid(play->search, avoided, NULL, COUNT_OF(avoided)), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(plain, avoided, NULL, COUNT_OF(avoided)), CAIRN_OK);
    for (int i = 0; i < 5; i++) {
        const cairn_node start = any_end(play->map, &play->luck);
        const cairn_node goal = any_end(play->map, &play->luck);
        cairn_path one, other;
        assert_int_equal(cairn_search_run(play->search, start, goal, &one), CAIRN_OK);
        assert_int_equal(cairn_search_run(plain, start, goal, &other), CAIRN_OK);
        assert_int_equal(one.cost, other.cost);
        assert_int_equal(one.outcome, other.outcome);
    }
    assert_int_equal(cairn_search_avoid(play->search, NULL, NULL, 0), CAIRN_OK);
    cairn_search_free(plain);
}

/* Goes on with copies of map and table. */
static void move_to_copies(cell_rows_play *play)
{
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_map_clone(play->map, &map), CAIRN_OK);
    assert_int_equal(cairn_table_clone(play->table, &table), CAIRN_OK);
    assert_int_equal(cairn_search_use(play->search, map, table), CAIRN_OK);
    cairn_table_free(play->table);
    cairn_map_free(play->map);
    play->map = map;
    play->table = table;
}

static void play_turn(cell_rows_play *play)
{
    const cairn_budget budgets[] = {CAIRN_CELLS(0), CAIRN_CELLS(300), CAIRN_UNLIMITED};
    cairn_status status;

    if (dice_below(&play->luck, 2)) /* as after many expansions */
        play->search->worth.spent += cairn_map_node_count(play->map);
    switch (dice_below(&play->luck, 8)) {
    case 0:
        for (uint32_t edits = 1 + dice_below(&play->luck, 3); edits > 0; edits--)
            edit(play->map, &play->drawn, &play->luck);
        break;
    case 1:
        status = cairn_refresh_step(play->table, play->map,
                                    budgets[dice_below(&play->luck, COUNT_OF(budgets))]);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        break;
    case 2: ask_beside_avoided(play); break;
    case 3: move_to_copies(play); break;
    case 4: ask_for_nearest(play); break;
    default: assert_all_shortest(play->search, play->map, &play->drawn, &play->luck, 12);
    }
    play->by_corner += play->search->query.entries && play->search->query.corners;
    play->by_cell += play->search->query.entries && !play->search->query.corners;
    play->by_gates += play->search->query.gate_view && play->search->query.corners;
}

static void rows_at_every_cell_go_by_corner_and_by_cell_through_edits(void **state)
{
    enum { TURNS = 40 };
    (void)state;
    unsigned by_corner = 0, by_cell = 0, by_gates = 0;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        cell_rows_play play = {
            .drawn = random_map((map_kind)(MAP_CLUTTERED + seed % 8), 110, 80, seed),
            .luck = {seed + 1}};
        play.map = map_of(&play.drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        play.table = build(play.map, 1 + (uint32_t)(seed % 9), seed, CAIRN_RESIDENT_CELLS);
        play.search = search_with(play.map, play.table, (cairn_search_options){0});
        for (int turn = 0; play.map->grid.open_count > 1000 && turn < TURNS; turn++)
            play_turn(&play);
        by_corner += play.by_corner;
        by_cell += play.by_cell;
        by_gates += play.by_gates;
        cairn_search_free(play.search);
        cairn_table_free(play.table);
        cairn_map_free(play.map);
        picture_free(&play.drawn);
    }
    assert_true(by_corner > 0 && by_cell > 0 && by_gates > 0);
}

/* Each thread finds that the runs of corners are not known yet: of a table, or of the map, without
 * rows or along those at every cell. */
static void the_first_searches_may_run_at_once(void **state)
{
    (void)state;
    dice luck = {14};
    for (uint64_t seed = 0; seed < 12; seed++) {
        picture drawn = picture_magnified(random_map(MAP_ROOMS, 50, 45, seed), 2);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cairn_resident resident = seed % 3 == 1 ? CAIRN_RESIDENT_CELLS
                                                      : CAIRN_RESIDENT_CORNERS;
        cairn_table *table = seed % 3 ? build(map, 4, 0, resident) : NULL;
        cairn_query queries[64];
        cairn_batch *batch;
        for (size_t i = 0; i < COUNT_OF(queries); i++)
            queries[i] = (cairn_query){.start = dice_open_cell(&luck, &drawn),
                                       .goal = dice_open_cell(&luck, &drawn)};
        assert_int_equal(
            cairn_search_batch(map, table, NULL, 4, queries, COUNT_OF(queries), &batch), CAIRN_OK);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (size_t i = 0; i < COUNT_OF(queries); i++) {
            cairn_path path;
            assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                             CAIRN_OK);
            assert_int_equal(cairn_batch_paths(batch)[i].cost, path.cost);
            assert_int_equal(cairn_batch_paths(batch)[i].expanded, path.expanded);
        }
        assert_non_null(search->query.corner_arcs);
        cairn_batch_free(batch);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static size_t told_memory(const cairn_table *table, const cairn_search *search)
{
    return cairn_table_memory(table) + cairn_search_memory(search);
}

static uint32_t known_corners(const cairn_table *table)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < table->corners->arcs->count; i++)
        known += cn_corner_known(&table->corners->arcs->runs[i]) != 0;
    return known;
}

/* A search finds the runs from the corners that it expands and no more; they are counted as the
 * table's, and there for all searches. */
static void runs_of_corners_are_found_once(void **state)
{
    (void)state;
    enum { PASSES = 3, PAIRS = 300 };
    dice luck = {18};
    failing_allocator counting;
    picture drawn = random_map(MAP_CLUTTERED, 200, 150, 3);
    failing_allocator_init(&counting);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &counting.allocator);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    const cairn_search_options options = {.form = CAIRN_FORM_NONE};
    cairn_search_free(search_with(map, table, options));
    const size_t others = counting.held - cairn_table_memory(table);
    size_t memory = cairn_table_memory(table);
    uint32_t known = known_corners(table);

    assert_int_equal(known, 0);
    for (int pass = 0; pass < PASSES; pass++) {
        cairn_search *search = search_with(map, table, options);
        dice same = luck;
        uint64_t expanded = 0;
        for (int i = 0; i < PAIRS; i++) {
            const cairn_node start = dice_open_cell(&same, &drawn);
            const cairn_node goal = dice_open_cell(&same, &drawn);
            cairn_path path;
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
            expanded += path.expanded;
            assert_int_equal(counting.held, others + told_memory(table, search));
            assert_true(known_corners(table) <= (pass ? known : expanded));
        }
        assert_true(pass ? cairn_table_memory(table) == memory
                         : cairn_table_memory(table) > memory);
        memory = cairn_table_memory(table);
        known = known_corners(table);
        cairn_search_free(search);
    }
    assert_true(known > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(counting.outstanding, 0);
    picture_free(&drawn);
}

/* Slice by slice, with rows that wait and others: the same nodes, and the same path. */
static void slices_end_anywhere(void **state)
{
    (void)state;
    dice luck = {15};
    uint64_t with_few_corners = 0, longer = 0;
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = seed % 4 ? any_map(seed) : parted_ground(40, 25, &luck);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = build(map, 1 + (uint32_t)(seed % 9), seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *whole = search_with(map, table, (cairn_search_options){0});
        cairn_search *slices = search_with(map, table, (cairn_search_options){0});
        for (int i = 0; map->grid.open_count && i < 12; i++) {
            const cairn_node start = any_end(map, &luck), goal = any_end(map, &luck);
            const uint64_t slice = 1 + dice_below(&luck, 5);
            cairn_path at_once, path;
            assert_int_equal(cairn_search_run(whole, start, goal, &at_once), CAIRN_OK);
            assert_int_equal(cairn_search_begin(slices, start, goal, &path), CAIRN_OK);
            while (path.outcome == CAIRN_PATH_PAUSED)
                assert_int_equal(cairn_search_resume(slices, slice, &path), CAIRN_OK);
            assert_int_equal(path.outcome, at_once.outcome);
            assert_int_equal(path.cost, at_once.cost);
            assert_int_equal(path.expanded, at_once.expanded);
            assert_int_equal(path.generated, at_once.generated);
            assert_int_equal(path.open_peak, at_once.open_peak);
            assert_int_equal(path.node_count, at_once.node_count);
            if (path.node_count)
                assert_memory_equal(path.nodes, at_once.nodes,
                                    path.node_count * sizeof *path.nodes);
            with_few_corners += cn_search_rows_may_wait(whole) && path.expanded > 8;
            longer += !cn_search_rows_may_wait(whole) && path.expanded > 8;
        }
        cairn_search_free(whole);
        cairn_search_free(slices);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(with_few_corners > 0 && longer > 0);
}

/* What a search tells of a node while it is there to be asked. */
static void a_look_names_cells(void **state)
{
    (void)state;
    dice luck = {10};
    picture drawn = random_map(MAP_CAVE, 80, 60, 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    for (int i = 0; i < 50; i++) {
        cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
        cairn_path path;
        cairn_node_info info;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        if (path.outcome != CAIRN_PATH_FOUND || path.expanded < 2)
            continue;
        cairn_node node = goal;
        for (int steps = 0; node != start && steps < 10000; steps++) {
            assert_int_equal(cairn_search_look(search, node, &info), CAIRN_OK);
            assert_int_not_equal(info.state, CAIRN_NODE_UNSEEN);
            assert_true(cairn_map_is_open(map, info.parent));
            node = info.parent;
        }
        assert_int_equal(node, start);
    }
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void assert_nothing_is_seen(const cairn_search *search, uint32_t node_count)
{
    cairn_node_info info;
    for (cairn_node node = 0; node < node_count; node++) {
        assert_int_equal(cairn_search_look(search, node, &info), CAIRN_OK);
        assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
    }
}

/* A list of avoided nodes gives the search records of cells in place of those of corners. */
static void a_look_finds_nothing_after_a_run_without_memory(void **state)
{
    (void)state;
    dice luck = {7};
    picture drawn = random_map(MAP_ROOMS, 64, 64, 5);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 3, 0, CAIRN_RESIDENT_CORNERS);
    const cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
    bool was_struck = true;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const cairn_node avoided = dice_open_cell(&luck, &drawn);
        cairn_path path;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(cairn_search_avoid(search, &avoided, NULL, 1), CAIRN_OK);
        failing_allocator_arm(&memory, n);
        cairn_status status = cairn_search_run(search, start, goal, &path);
        was_struck = failing_allocator_struck(&memory);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        if (was_struck)
            assert_nothing_is_seen(search, picture_size(&drawn));
        cairn_search_free(search);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Memory is counted, and batches find what single searches find, also after an edit. */
static void memory_is_counted_and_searches_run_at_once(void **state)
{
    (void)state;
    failing_allocator memory;
    dice luck = {12};
    picture drawn = random_map(MAP_ROOMS, 90, 70, 2);
    failing_allocator_init(&memory);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &memory.allocator);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_table_memory(table));
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 60);
    edit(map, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 60);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_table_memory(table) +
                                      cairn_search_memory(search));
    cairn_search_free(search);

    cairn_query queries[50];
    cairn_batch *batch;
    for (size_t i = 0; i < COUNT_OF(queries); i++)
        queries[i] = (cairn_query){.start = any_end(map, &luck), .goal = any_end(map, &luck)};
    assert_int_equal(cairn_search_batch(map, table, NULL, 3, queries, COUNT_OF(queries), &batch),
                     CAIRN_OK);
    search = search_with(map, NULL, (cairn_search_options){0});
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        cairn_path path;
        assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                         CAIRN_OK);
        assert_int_equal(cairn_batch_paths(batch)[i].cost, path.cost);
    }
    cairn_batch_free(batch);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(memory.outstanding, 0);
    picture_free(&drawn);
}

/* An edit gives back the memory of the runs that a map keeps. */
static void runs_of_a_map_are_gone_with_an_edit(void **state)
{
    (void)state;
    failing_allocator memory;
    dice luck = {18};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 2), 2);
    failing_allocator_init(&memory);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &memory.allocator);
    block_any(map, &drawn, &luck);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 60);
    const size_t runs = cn_corner_arcs_memory(search->query.corner_arcs);
    const size_t before = cairn_map_memory(map);
    assert_true(runs > 64 * (size_t)search->query.corners->count);
    assert_int_equal(memory.held, before + cairn_search_memory(search));
    block_any(map, &drawn, &luck);
    assert_int_equal(cairn_map_memory(map) + runs, before);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_search_memory(search));
    assert_all_shortest(search, map, &drawn, &luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    assert_int_equal(memory.outstanding, 0);
    picture_free(&drawn);
}

static void fail_each_allocation(picture drawn, bool has_table)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = has_table ? build(map, 3, 0, CAIRN_RESIDENT_CORNERS) : NULL;
    cairn_search *search = NULL;
    dice luck = {13};
    for (size_t n = 1; !search; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_new(map, table, NULL, &search);
        assert_int_equal(status, search ? CAIRN_OK : CAIRN_E_MEMORY);
    }
    assert_non_null(search->query.corners);
    failing_allocator_arm(&failing, 0);
    edit(map, &drawn, &luck);
    cairn_status status = CAIRN_E_MEMORY;
    for (size_t n = 1; status != CAIRN_OK; n++) {
        cairn_path path;
        failing_allocator_arm(&failing, n);
        status = cairn_search_run(search, 0, 41, &path);
        assert_true(status == CAIRN_OK || status == CAIRN_E_MEMORY);
    }
    failing_allocator_arm(&failing, 0);
    assert_all_shortest(search, map, &drawn, &luck, 30);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

/* A search that is about to have its records by the corners of its map has them by cell after a
 * failure, or by corner, but not some of each. */
static bool fail_at_first_corners(picture *drawn, dice *luck, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    cairn_path path;
    for (unsigned i = 0; i < 4; i++)
        block_any(map, drawn, luck);
    const cairn_node open = dice_open_cell(luck, drawn);
    assert_int_equal(cairn_search_run(search, open, open, &path), CAIRN_OK);
    assert_null(search->query.corners);
    search->worth.spent = search->worth.corner_runs_due;
    failing_allocator_arm(&failing, n);
    cairn_status status = cairn_search_run(search, open, open, &path);
    const bool was_struck = failing_allocator_struck(&failing);
    assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
    if (was_struck)
        assert_nothing_is_seen(search, picture_size(drawn));
    failing_allocator_arm(&failing, 0);
    assert_int_equal(cairn_search_run(search, open, open, &path), CAIRN_OK);
    assert_non_null(search->query.corner_arcs);
    assert_all_shortest(search, map, drawn, luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    return was_struck;
}

static void corners_come_later_where_there_is_no_memory(void **state)
{
    (void)state;
    dice luck = {16};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    size_t n = 1;
    while (fail_at_first_corners(&drawn, &luck, n))
        n++;
    assert_true(n > 3);
    picture_free(&drawn);
}

/* Slices, several goals and avoided nodes, beside a search from cell to cell. */
static void assert_meets_the_rest(cairn_search *search, cairn_search *cells, cairn_node start,
                                  cairn_node goal)
{
    cairn_path path, other;

    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 7, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.cost, other.cost);

    const cairn_node goals[] = {goal, goal - 40, start + 100};
    assert_int_equal(cairn_search_run_to_any(search, start, goals, COUNT_OF(goals), &path),
                     CAIRN_OK);
    assert_int_equal(cairn_search_run_to_any(cells, start, goals, COUNT_OF(goals), &other),
                     CAIRN_OK);
    assert_int_equal(path.cost, other.cost);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    const cairn_node on_path = path.nodes[path.node_count / 2];
    assert_int_equal(cairn_search_avoid(search, &on_path, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(cells, &on_path, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
    assert_int_equal(path.cost, other.cost);
    assert_int_equal(cairn_search_avoid(search, NULL, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_search_avoid(cells, NULL, NULL, 0), CAIRN_OK);
}

/* Among pillars each corner has hundreds of runs: searches along jump points use no rows there. */
static void rows_at_corners_are_left_out_among_pillars(void **state)
{
    enum { SIDE = 400, APART = 4 };
    (void)state;
    dice luck = {21};
    picture drawn = picture_filled(SIDE, SIDE, '.');
    for (uint32_t y = 1; y < SIDE; y += APART) {
        for (uint32_t x = 1; x < SIDE; x += APART)
            drawn.letters[y * SIDE + x] = '@';
    }
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 3, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    cairn_search *cells = search_with(map, table,
                                      (cairn_search_options){.space = CAIRN_SPACE_CELLS});
    const cairn_node start = cairn_node_at(map, 3, 7), goal = cairn_node_at(map, 370, 201);
    const cairn_node boards[] = {cairn_node_at(map, 9, 8), cairn_node_at(map, 1, 1)};
    cairn_path path, other;

    for (unsigned edits = 0; edits < 3; edits++) {
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.row_count, 0);
        assert_int_equal(path.state, CAIRN_ROW_FRESH);
        assert_int_equal(cairn_search_run(cells, start, goal, &other), CAIRN_OK);
        assert_int_equal(other.row_count, 3);
        assert_int_equal(other.cost, path.cost);
        assert_all_shortest(search, map, &drawn, &luck, 2);
        if (edits == 2)
            break;
        const char letter = edits ? '.' : '@';
        const cairn_edit edit = cairn_terrain(boards[edits] % SIDE, boards[edits] / SIDE, letter);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        drawn.letters[boards[edits]] = letter;
        if (edits)
            assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    }
    assert_meets_the_rest(search, cells, start, goal);

    /* Once they are gone, which is noticed after some changes, rows are used again. */
    for (unsigned i = 0; i < 64; i++) {
        const cairn_edit edit = cairn_terrain(2, 2, i % 2 ? '.' : '@');
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    }
    const cairn_edit clear = cairn_rectangle(0, 0, SIDE, SIDE, '.');
    const cairn_edit wall = cairn_rectangle(200, 0, 1, SIDE - 1, '@');
    assert_int_equal(cairn_map_edit(map, &clear, 1), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.row_count, 3);
    cairn_search_free(cells);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A query that ends at its start, once map and table are followed. */
static void follow_now(cairn_search *search, const picture *drawn, dice *luck)
{
    const cairn_node node = dice_open_cell(luck, drawn);
    cairn_path path;
    assert_int_equal(cairn_search_run(search, node, node, &path), CAIRN_OK);
}

/* Nor are map and table followed where no path leads from start to goal. */
static void ends_apart_are_told_before_anything_is_followed(void **state)
{
    (void)state;
    picture drawn = picture_filled(21, 9, '.');
    for (uint32_t y = 0; y < drawn.height; y++)
        drawn.letters[y * drawn.width + 10] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CELLS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = cairn_node_at(map, 1, 1), goal = cairn_node_at(map, 19, 1);
    const cairn_node wall = cairn_node_at(map, 10, 4);
    const cairn_edit close = cairn_block(3, 3), open = cairn_open(10, 4);
    cairn_path path, fresh;
    cairn_node_info info;

    assert_int_equal(cairn_search_run(search, start, goal, &fresh), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &close, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(path.space, fresh.space);
    assert_int_equal(path.row_count, fresh.row_count);
    assert_int_equal(path.state, fresh.state);
    assert_false(cn_search_is_as_begun(search));
    assert_int_equal(cairn_search_look(search, start, &info), CAIRN_OK);
    assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
    assert_int_equal(cairn_search_run(search, start, wall, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_GOAL_BLOCKED);
    assert_false(cn_search_is_as_begun(search));

    assert_int_equal(cairn_map_edit(map, &open, 1), CAIRN_OK);
    drawn.letters[3 * drawn.width + 3] = '@';
    drawn.letters[wall] = '.';
    assert_shortest(search, &drawn, map->metric, start, goal);
    assert_true(cn_search_is_as_begun(search));

    /* But a table of another map is refused first. */
    cairn_map *other = map_of(&drawn, (cairn_metric){1, 1});
    cairn_table *strange = build(other, 1, 0, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_use(search, map, strange), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, cairn_node_at(map, 10, 1), &path),
                     CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_use(search, map, table), CAIRN_OK);
    cairn_table_free(strange);
    cairn_map_free(other);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* What was expanded on another map, or before an edit, does not count for this one. */
static void corners_are_not_found_right_after_a_change(void **state)
{
    (void)state;
    dice luck = {17};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *other;
    assert_int_equal(cairn_map_clone(map, &other), CAIRN_OK);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_non_null(search->query.corners);
    assert_int_equal(cairn_search_use(search, other, NULL), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    while (!search->query.corners)
        assert_all_shortest(search, other, &drawn, &luck, 1);

    /* What another search has found is there at once. */
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_non_null(search->query.corner_arcs);
    assert_int_equal(cairn_search_use(search, other, NULL), CAIRN_OK);
    block_any(other, &drawn, &luck);
    assert_int_equal(cairn_search_avoid(search, NULL, NULL, 0), CAIRN_OK);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    cairn_search_free(search);
    cairn_map_free(other);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Where queries between two changes expanded enough, those after the next one are expected to. */
static void corners_are_found_at_once_where_they_were_worth_it_before(void **state)
{
    (void)state;
    dice luck = {18};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    do
        assert_all_shortest(search, map, &drawn, &luck, 1);
    while (!search->query.corners);
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_non_null(search->query.corner_arcs);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    block_any(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_null(search->query.corners);
    assert_all_shortest(search, map, &drawn, &luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Cells that are corners for what has changed need entries, which take long: until searches have
 * expanded as much, they do without the table; and where one leaves it, nothing is due any more. */
static void gates_at_corners_are_made_where_they_are_worth_it(void **state)
{
    (void)state;
    dice luck = {20};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 6), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    int without = 0;

    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    do {
        assert_all_shortest(search, map, &drawn, &luck, 1);
        assert_int_equal(search->query.gate_view != NULL, search->worth.gates_due == UINT64_MAX);
        without += search->query.gate_view == NULL;
    } while (!search->query.gate_view);
    assert_true(without > 2);

    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    open_some(map, &drawn, &luck);
    follow_now(search, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    assert_true(search->worth.gates_due < UINT64_MAX);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    assert_all_shortest(search, map, &drawn, &luck, 1);
    assert_true(search->worth.gates_due == UINT64_MAX);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Along a table of step costs a search has its records by cell; without it by corner. */
static void searches_without_their_table_go_by_corner(void **state)
{
    (void)state;
    dice luck = {23};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_build_options options = {
        .size = sizeof options, .landmark_count = 4, .flat_metric = {1, 1}};
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_true(search->query.scale.factor > 0);
    assert_null(search->query.corners);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    assert_all_shortest(search, map, &drawn, &luck, 10);
    assert_non_null(search->query.corners);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void build_wall(cairn_map *map, picture *drawn, dice *luck)
{
    const uint32_t length = 10 + dice_below(luck, 30);
    const bool is_row = dice_below(luck, 2);
    const uint32_t width = is_row ? length : 1, height = is_row ? 1 : length;
    const uint32_t x = dice_below(luck, drawn->width - width);
    const uint32_t y = dice_below(luck, drawn->height - height);
    const cairn_edit wall = cairn_rectangle(x, y, width, height, '@');

    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    for (uint32_t i = 0; i < length; i++)
        drawn->letters[(is_row ? y : y + i) * drawn->width + (is_row ? x + i : x)] = '@';
}

/* A table at every cell of a small map that was open once: its rows raise the bounds of some
 * queries, by cell; others go without them, by corner when that is worth it. */
static void queries_for_which_rows_say_nothing_go_by_corner(void **state)
{
    enum { SIDE = 70, WALLS = 16, QUERIES_OF_EACH = 150 };
    (void)state;
    dice luck = {19};
    for (uint64_t seed = 0; seed < seeds_to(6); seed = seed_after(seed)) {
        picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 2, seed, CAIRN_RESIDENT_CELLS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        unsigned along_rows = 0, by_cell = 0, by_corner = 0;
        for (int i = 0; i < WALLS; i++)
            build_wall(map, &drawn, &luck);
        for (int i = 0; i < QUERIES_OF_EACH; i++) {
            assert_all_shortest(search, map, &drawn, &luck, 1);
            along_rows += search->query.entries != NULL;
            by_cell += !search->query.entries && !search->query.corners;
            by_corner += !search->query.entries && search->query.corners;
            assert_true(!search->query.entries || !search->query.corners);
        }
        assert_true(along_rows > 0 && by_cell > 0 && by_corner > 0);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static bool fail_at_mute_rows(picture *drawn, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = build(map, 2, 0, CAIRN_RESIDENT_CELLS);
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    const cairn_node start = 8 * drawn->width + 1, goal = 20 * drawn->width + 39;
    const cairn_edit wall = cairn_rectangle(20, 5, 1, 20, '@');
    cairn_path path;
    assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.row_count, 0);
    search->worth.spent = UINT32_MAX;
    failing_allocator_arm(&failing, n);
    cairn_status status = cairn_search_run(search, start, goal, &path);
    const bool was_struck = failing_allocator_struck(&failing);
    assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
    failing_allocator_arm(&failing, 0);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_non_null(search->query.corner_arcs);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    return was_struck;
}

static void rows_that_say_nothing_are_left_out_without_memory(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 40, 30, 0);
    size_t n = 1;
    while (fail_at_mute_rows(&drawn, n))
        n++;
    assert_true(n > 3);
    picture_free(&drawn);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    fail_each_allocation(random_map(MAP_CAVE, 40, 30, 5), true);
    fail_each_allocation(picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2), false);
}

/* Asks for a path between any two cells while the n-th allocation fails, and then again; whether an
 * allocation failed. The search has its memory from the allocator. */
static bool run_and_fail(cairn_search *search, failing_allocator *memory, size_t n,
                         const picture *drawn, dice *luck, cairn_status *status)
{
    const cairn_node start = dice_open_cell(luck, drawn), goal = dice_open_cell(luck, drawn);
    cairn_path path;
    failing_allocator_arm(memory, n);
    *status = cairn_search_run(search, start, goal, &path);
    const bool was_struck = failing_allocator_struck(memory);
    assert_true(*status == CAIRN_OK || (was_struck && *status == CAIRN_E_MEMORY));
    failing_allocator_arm(memory, 0);
    assert_shortest(search, drawn, search->map->metric, start, goal);
    assert_int_equal(memory->held, cairn_search_memory(search));
    return was_struck;
}

/* A start on open ground has more runs than there was room for; also where its goal has, the goal's
 * entries are found without room. */
static void room_for_arcs_grows_where_there_are_many(void **state)
{
    (void)state;
    enum { SIDE = 200, ARCS_MOST = 4 * SIDE };
    dice luck = {43};
    picture drawn = open_ground(SIDE, &luck);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_status status;
    bool was_struck = true;
    size_t grown = 0;
    for (size_t n = 1; was_struck; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const size_t capacity = search->scratch.arcs.capacity;
        assert_in_range(capacity, 1, ARCS_MOST / 10);
        was_struck = run_and_fail(search, &memory, n, &drawn, &luck, &status);
        grown += search->scratch.arcs.capacity > capacity;
        cairn_search_free(search);
    }
    assert_true(grown > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* No record that a run has not written may look like one of a later run. */
static void assert_records_are_of_former_runs(const cairn_search *search)
{
    const cn_scratch *scratch = &search->scratch;
    for (size_t i = scratch->directory.used; i < scratch->record_count; i++)
        assert_true(scratch->records[i].mark >> CN_STAMP_SHIFT <= scratch->stamp >> CN_STAMP_SHIFT);
}

/* A run has records for what it discovers, in room that grows, and not for all corners. */
static void room_for_records_grows_with_what_a_run_discovers(void **state)
{
    (void)state;
    dice luck = {47};
    picture drawn = random_map(MAP_CAVE, 150, 150, 8);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, 1, 0, CAIRN_RESIDENT_CORNERS);
    cairn_status status;
    bool was_struck = true;
    size_t grown = 0, failed = 0, less = 0;
    for (size_t n = 1; was_struck || !grown; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const size_t room = search->scratch.record_count;
        was_struck = run_and_fail(search, &memory, n, &drawn, &luck, &status);
        failed += status == CAIRN_E_MEMORY;
        assert_records_are_of_former_runs(search);
        grown += search->scratch.record_count > room;
        less += search->scratch.record_count < table->corners->count / 4;
        cairn_search_free(search);
    }
    assert_true(grown > 0 && failed > 0 && less > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* What former runs with the same numbers left in the directory counts for nothing. */
static void numbers_of_runs_start_over(void **state)
{
    (void)state;
    dice luck = {51};
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = build(map, 2, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        cn_record_directory *directory = &search->scratch.directory;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        directory->run = UINT32_MAX >> directory->bits << directory->bits;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        assert_in_range(directory->run >> directory->bits, 0, 60);
        assert_records_are_of_former_runs(search);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The same for the stamps of records, where each node has one. */
static void stamps_of_records_start_over(void **state)
{
    (void)state;
    dice luck = {52};
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_search *search = search_with(map, NULL,
                                           (cairn_search_options){.space = CAIRN_SPACE_CELLS});
        assert_all_shortest(search, map, &drawn, &luck, 20);
        search->scratch.stamp = CN_STAMP_MAX << CN_STAMP_SHIFT;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        assert_in_range(search->scratch.stamp >> CN_STAMP_SHIFT, 1, 60);
        cairn_search_free(search);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* All cases, or those of a pattern: the thread sanitizer wants those with threads. */
int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_is_shortest),
        cmocka_unit_test(entries_of_goals_are_those_of_all_members_in_sight),
        cmocka_unit_test(work_is_that_along_full_rows),
        cmocka_unit_test(rows_at_every_cell_go_by_corner),
        cmocka_unit_test(rows_by_gates_go_by_corner),
        cmocka_unit_test(rows_at_every_cell_go_by_corner_and_by_cell_through_edits),
        cmocka_unit_test(paths_may_cost_more_than_guessed),
        cmocka_unit_test(nodes_known_without_rows_get_their_bounds),
        cmocka_unit_test(slices_of_no_time_expand_four_nodes),
        cmocka_unit_test(starts_on_open_ground_are_left_towards_the_goal),
        cmocka_unit_test(a_way_by_two_landmarks_of_a_row_limits_nothing),
        cmocka_unit_test(every_option_serves),
        cmocka_unit_test(weighted_searches_are_the_same),
        cmocka_unit_test(paths_are_shortest_after_edits),
        cmocka_unit_test(a_map_may_outgrow_the_corners_of_its_table),
        cmocka_unit_test(a_world_may_outgrow_the_corners_of_its_table),
        cmocka_unit_test(rows_serve_through_an_edit_and_when_it_is_undone),
        cmocka_unit_test(a_search_changes_between_tables),
        cmocka_unit_test(paths_are_shortest_on_maps_of_the_longest_sides),
        cmocka_unit_test(slices_end_anywhere),
        cmocka_unit_test(the_first_searches_may_run_at_once),
        cmocka_unit_test(runs_of_corners_are_found_once),
        cmocka_unit_test(a_look_names_cells),
        cmocka_unit_test(a_look_finds_nothing_after_a_run_without_memory),
        cmocka_unit_test(memory_is_counted_and_searches_run_at_once),
        cmocka_unit_test(runs_of_a_map_are_gone_with_an_edit),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(corners_come_later_where_there_is_no_memory),
        cmocka_unit_test(rows_at_corners_are_left_out_among_pillars),
        cmocka_unit_test(ends_apart_are_told_before_anything_is_followed),
        cmocka_unit_test(corners_are_not_found_right_after_a_change),
        cmocka_unit_test(searches_without_their_table_go_by_corner),
        cmocka_unit_test(queries_for_which_rows_say_nothing_go_by_corner),
        cmocka_unit_test(rows_that_say_nothing_are_left_out_without_memory),
        cmocka_unit_test(corners_are_found_at_once_where_they_were_worth_it_before),
        cmocka_unit_test(gates_at_corners_are_made_where_they_are_worth_it),
        cmocka_unit_test(room_for_arcs_grows_where_there_are_many),
        cmocka_unit_test(room_for_records_grows_with_what_a_run_discovers),
        cmocka_unit_test(numbers_of_runs_start_over),
        cmocka_unit_test(stamps_of_records_start_over),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    return cmocka_run_group_tests_name("corners", tests, NULL, NULL);
}
