/* Searches along tables whose rows live at corners find shortest paths, whatever their ends and
 * options. */
#include "map/map.h"
#include "search/corner_searches.h"
#include "search/search.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "table/corner_rows.h"

enum { MAPS = 10 * MAP_KINDS };

static void every_path_is_shortest(void **state)
{
    (void)state;
    dice luck = {1};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = corner_table(map, 1 + (uint32_t)(seed % 17), seed,
                                          CAIRN_RESIDENT_CORNERS);
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
        cairn_table *table = corner_table(map, 1 + (uint32_t)(seed * 5 % 18), seed,
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
    made.cells = corner_table(made.map, rows, seed, CAIRN_RESIDENT_CELLS);
    made.corners = corner_table(made.map, rows, seed, CAIRN_RESIDENT_CORNERS);
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
        cairn_table *table = corner_table(map, 1 + (uint32_t)seed % 9, seed, CAIRN_RESIDENT_CELLS);
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
        cairn_table *table = corner_table(map, 8, 0, CAIRN_RESIDENT_CORNERS);
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
    cairn_table *table = table_built(map,
                                     (cairn_build_options){.landmark_count = 1,
                                                           .thread_count = 1,
                                                           .placement = CAIRN_PLACE_LIST,
                                                           .listed = &landmark,
                                                           .listed_count = 1,
                                                           .resident = CAIRN_RESIDENT_CORNERS});
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
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
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
        {.space = CAIRN_SPACE_CELLS},        {.form = CAIRN_FORM_CELLS, .nearest = true},
        {.ties = CAIRN_TIES_LARGER_G},       {.weight = 1000},
        {.heuristic = CAIRN_HEURISTIC_ZERO}, {.bound = no_bound},
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

/* What searches from cell to cell expand: beside a table of corners, and without a table. */
typedef struct cell_work {
    uint64_t along_corners;
    uint64_t without;
    unsigned by_gates;
} cell_work;

/* A path costs at least what the shortest does, and no more than its guarantee allows. */
static void assert_guarantee(const cairn_map *map, const cairn_path *path,
                             const cairn_path *shortest)
{
    cairn_cost cost;
    assert_int_equal(path->outcome, shortest->outcome);
    if (path->outcome != CAIRN_PATH_FOUND)
        return;
    assert_int_equal(cairn_path_cost(map, path->nodes, path->node_count, &cost, NULL), CAIRN_OK);
    assert_int_equal(path->cost, cost);
    assert_true(path->cost >= shortest->cost);
    assert_true(!path->guarantee ||
                (uint64_t)path->cost * CN_WEIGHT_ONE <= (uint64_t)shortest->cost * path->guarantee);
}

static void ask_along_cells(const cairn_map *map, const cairn_table *table,
                            cairn_search_options options, dice *luck, cell_work *work)
{
    enum { ENDS = 8 };
    cairn_search *along_corners = search_with(map, table, options);
    cairn_search *without = search_with(map, NULL, options);
    cairn_search *exact = search_with(map, NULL, (cairn_search_options){0});

    for (int i = 0; i < ENDS; i++) {
        const cairn_node start = any_end(map, luck), goal = any_end(map, luck);
        cairn_path path, other, shortest;
        assert_int_equal(cairn_search_run(along_corners, start, goal, &path), CAIRN_OK);
        assert_int_equal(cairn_search_run(without, start, goal, &other), CAIRN_OK);
        assert_int_equal(cairn_search_run(exact, start, goal, &shortest), CAIRN_OK);
        assert_int_equal(path.space, CAIRN_SPACE_CELLS);
        assert_guarantee(map, &path, &shortest);
        work->along_corners += path.expanded;
        work->without += other.expanded;
        work->by_gates += along_corners->query.gate_view != NULL;
    }
    cairn_search_free(along_corners);
    cairn_search_free(without);
    cairn_search_free(exact);
}

/* From cell to cell the rows speak at corners alone, and nodes hand bounds on: with every option
 * paths keep their guarantee, also after edits, and less is expanded than without a table. Where
 * bounds are not consistent, or nodes must stay closed, rows are left out. */
static void cells_hand_bounds_on(void **state)
{
    (void)state;
    static const cairn_search_options options[] = {
        {.space = CAIRN_SPACE_CELLS},           {.weight = 1500},
        {.ties = CAIRN_TIES_LARGER_G},          {.heuristic = CAIRN_HEURISTIC_ZERO},
        {.heuristic = CAIRN_HEURISTIC_SQUARED}, {.weight = 1500, .never_reopen = true},
    };
    dice luck = {5};
    cell_work work[COUNT_OF(options)] = {{0}};
    for (uint64_t seed = 0; seed < seeds_to(6 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), 60, 50, seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = corner_table(map, 6, seed, CAIRN_RESIDENT_CORNERS);
        for (unsigned edits = 0; map->grid.open_count && edits < 3; edits++) {
            for (size_t i = 0; i < COUNT_OF(options); i++)
                ask_along_cells(map, table, options[i], &luck, &work[i]);
            edit_letter(map, &drawn, dice_below(&luck, picture_size(&drawn)), edits ? '@' : '.');
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        const bool leaves_rows_out = i + 2 >= COUNT_OF(options);
        assert_true(leaves_rows_out ? work[i].along_corners == work[i].without
                                    : work[i].along_corners < work[i].without);
        assert_int_equal(work[i].by_gates > 0, !leaves_rows_out);
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
        cairn_table *table = corner_table(map, 2, 0, CAIRN_RESIDENT_CORNERS);
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

/* Slice by slice, with rows that wait and others: the same nodes, and the same path. */
static void slices_end_anywhere(void **state)
{
    (void)state;
    dice luck = {15};
    uint64_t with_few_corners = 0, longer = 0;
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = seed % 4 ? any_map(seed) : parted_ground(40, 25, &luck);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cairn_table *table = corner_table(map, 1 + (uint32_t)(seed % 9), seed,
                                          CAIRN_RESIDENT_CORNERS);
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
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
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
            assert_int_equal(cairn_search_node_info(search, node, &info), CAIRN_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_is_shortest),
        cmocka_unit_test(entries_of_goals_are_those_of_all_members_in_sight),
        cmocka_unit_test(work_is_that_along_full_rows),
        cmocka_unit_test(rows_at_every_cell_go_by_corner),
        cmocka_unit_test(rows_by_gates_go_by_corner),
        cmocka_unit_test(paths_may_cost_more_than_guessed),
        cmocka_unit_test(nodes_known_without_rows_get_their_bounds),
        cmocka_unit_test(slices_of_no_time_expand_four_nodes),
        cmocka_unit_test(starts_on_open_ground_are_left_towards_the_goal),
        cmocka_unit_test(a_way_by_two_landmarks_of_a_row_limits_nothing),
        cmocka_unit_test(every_option_serves),
        cmocka_unit_test(cells_hand_bounds_on),
        cmocka_unit_test(paths_are_shortest_on_maps_of_the_longest_sides),
        cmocka_unit_test(slices_end_anywhere),
        cmocka_unit_test(a_look_names_cells),
    };
    return cmocka_run_group_tests_name("corners", tests, NULL, NULL);
}
