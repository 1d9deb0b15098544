#include "map/map.h"
#include "refresh/refresh.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"

enum { ROWS = 5 };

/* A map, its table, and the picture that both should follow. */
typedef struct world {
    picture drawn;
    cairn_map *map;
    cairn_table *table;
    dice luck;
} world;

static world world_with(uint64_t seed, uint32_t row_count)
{
    world made = {.drawn = any_map(seed), .luck = {seed * 2 + 1}};
    made.map = map_of(&made.drawn, fixture_metrics[seed % FIXTURE_METRICS]);
    made.table = table_of(made.map, row_count);
    return made;
}

static world world_of(uint64_t seed)
{
    return world_with(seed, 1 + (uint32_t)(seed / 3 % ROWS));
}

static void world_free(world *made)
{
    cairn_table_free(made->table);
    cairn_map_free(made->map);
    picture_free(&made->drawn);
}

static void set_cells(picture *drawn, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      char letter)
{
    for (uint32_t row = y; row < y + height; row++)
        for (uint32_t column = x; column < x + width; column++)
            drawn->letters[row * drawn->width + column] = letter;
}

/* Mostly single cells, sometimes rectangles; both ways. */
static void edit_somewhere(world *made)
{
    const picture *drawn = &made->drawn;
    uint32_t x = dice_below(&made->luck, drawn->width), y = dice_below(&made->luck, drawn->height);
    uint32_t width = 1, height = 1;
    if (dice_below(&made->luck, 4) == 0) {
        width = 1 + dice_below(&made->luck, 10) % (drawn->width - x);
        height = 1 + dice_below(&made->luck, 10) % (drawn->height - y);
    }
    bool is_open = picture_is_open(drawn, x, y);
    char letter = dice_below(&made->luck, 5) ? (is_open ? '@' : '.') : (is_open ? '.' : '@');
    cairn_edit edit = cairn_rectangle(x, y, width, height, letter);
    set_cells(&made->drawn, x, y, width, height, letter);
    assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
}

/* A landmark of some row closes. */
static void close_a_landmark(world *made)
{
    const cairn_node *landmarks;
    uint32_t row = dice_below(&made->luck, cairn_table_row_count(made->table));
    size_t count = cairn_table_landmarks(made->table, row, &landmarks);
    if (count == 0)
        return;
    cairn_node node = landmarks[dice_below(&made->luck, (uint32_t)count)];
    uint32_t x = node % made->drawn.width, y = node / made->drawn.width;
    cairn_edit edit = cairn_block(x, y);
    set_cells(&made->drawn, x, y, 1, 1, '@');
    assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
}

static void assert_exact(const world *made)
{
    const cairn_table *table = made->table;
    uint32_t size = picture_size(&made->drawn);

    assert_int_equal(table_check(table, made->map), CAIRN_OK);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        uint64_t *costs = oracle_row(&made->drawn, table, row);
        assert_int_equal(cairn_table_row_state(table, made->map, row), CAIRN_ROW_FRESH);
        for (uint32_t node = 0; node < size; node++) {
            bool open = picture_is_open(&made->drawn, node % made->drawn.width,
                                        node / made->drawn.width);
            assert_int_equal(cairn_table_cost(table, row, node), open ? cost_of(costs[node]) : 0);
        }
        free(costs);
    }
}

/* Every component has a landmark of the first row, and of each other row unless all its cells are
 * landmarks of earlier ones. */
static void assert_served(const world *made)
{
    const cairn_table *table = made->table;
    for (uint32_t node = 0; node < picture_size(&made->drawn); node++) {
        if (!picture_is_open(&made->drawn, node % made->drawn.width, node / made->drawn.width))
            continue;
        cairn_cost nearest = 1;
        for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
            cairn_cost cost = cairn_table_cost(table, row, node);
            assert_true(cost != CAIRN_UNREACHABLE || nearest == 0);
            nearest = cost < nearest ? cost : nearest;
        }
    }
}

/* In no component two landmarks of a row. */
static void assert_one_each(const world *made)
{
    uint32_t count;
    uint32_t *component = oracle_components(&made->drawn, &count);
    uint32_t *last_row = calloc(count + 1, sizeof *last_row);

    assert_non_null(last_row);
    for (uint32_t row = 0; row < cairn_table_row_count(made->table); row++) {
        const cairn_node *landmarks;
        size_t landmark_count = cairn_table_landmarks(made->table, row, &landmarks);
        for (size_t i = 0; i < landmark_count; i++) {
            assert_int_not_equal(last_row[component[landmarks[i]]], row + 1);
            last_row[component[landmarks[i]]] = row + 1;
        }
    }
    free(last_row);
    free(component);
}

/* By a step between these nodes no row of those listed differs by more than it costs. */
static void assert_step_is_safe(const cairn_table *table, const uint32_t *rows, uint32_t row_count,
                                uint32_t from, uint32_t to, uint64_t cost)
{
    for (uint32_t i = 0; i < row_count; i++) {
        uint64_t a = cairn_table_cost(table, rows[i], from);
        uint64_t b = cairn_table_cost(table, rows[i], to);
        assert_true((a > b ? a - b : b - a) <= cost);
    }
}

/* No step makes a usable row differ by more than it costs: bounds hold. */
static void assert_safe(const world *made)
{
    const cairn_table *table = made->table;
    oracle_steps steps = steps_of(cairn_map_metric(made->map));
    const picture *drawn = &made->drawn;
    static const int moves[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    uint32_t *usable = malloc(cairn_table_row_count(table) * sizeof *usable), count = 0;

    assert_non_null(usable);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        if (cairn_table_row_state(table, made->map, row) != CAIRN_ROW_UNSAFE)
            usable[count++] = row;
    }
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        for (unsigned i = 0; i < 4; i++) {
            int64_t x = (int64_t)(node % drawn->width) + moves[i][0];
            int64_t y = (int64_t)(node / drawn->width) + moves[i][1];
            if (!picture_is_open(drawn, x, y))
                continue;
            uint32_t next = (uint32_t)(y * drawn->width + x);
            if (oracle_step_is_legal(drawn, node, next))
                assert_step_is_safe(table, usable, count, node, next,
                                    i < 2 ? steps.straight : steps.diagonal);
        }
    }
    free(usable);
}

static uint64_t *costs_to(const world *made, uint32_t goal)
{
    return oracle_costs(&made->drawn, steps_of(cairn_map_metric(made->map)), &goal, 1);
}

/* A query between random open cells: the search finds the cost of the oracle, along legal steps. */
static void assert_search_optimal(world *made, cairn_search *search)
{
    if (picture_open_count(&made->drawn) == 0)
        return;
    uint32_t start = dice_open_cell(&made->luck, &made->drawn);
    uint32_t goal = dice_open_cell(&made->luck, &made->drawn);
    uint64_t *costs = costs_to(made, goal);
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(costs[start]));
    if (path.cost != CAIRN_UNREACHABLE)
        assert_int_equal(oracle_path_cost(&made->drawn, steps_of(cairn_map_metric(made->map)),
                                          path.nodes, path.node_count),
                         costs[start]);
    assert_true(path.state != CAIRN_ROW_UNSAFE || path.row_count == 0);
    assert_true(path.row_count <= cairn_table_row_count(made->table));
    free(costs);
}

static void assert_bound_admissible(world *made)
{
    if (picture_open_count(&made->drawn) == 0)
        return;
    uint32_t goal = dice_open_cell(&made->luck, &made->drawn);
    uint64_t *costs = costs_to(made, goal);
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(made->map, made->table, goal, &bound), CAIRN_OK);
    for (int i = 0; i < 20; i++) {
        uint32_t node = dice_open_cell(&made->luck, &made->drawn);
        assert_true(cairn_bound_at(&bound, node) <= cost_of(costs[node]));
    }
    free(costs);
}

typedef struct searches {
    cairn_search *search[2];
} searches;

static searches searches_of(const world *made)
{
    static const cairn_space spaces[] = {CAIRN_SPACE_JUMP, CAIRN_SPACE_CELLS};
    searches all;
    for (unsigned i = 0; i < 2; i++) {
        cairn_search_options options = {.size = sizeof options, .space = spaces[i]};
        assert_int_equal(cairn_search_new(made->map, made->table, &options, &all.search[i]),
                         CAIRN_OK);
    }
    return all;
}

static void searches_free(searches *all)
{
    for (unsigned i = 0; i < 2; i++)
        cairn_search_free(all->search[i]);
}

static void assert_searches_hold(world *made, searches *all)
{
    assert_safe(made);
    assert_bound_admissible(made);
    assert_search_optimal(made, all->search[dice_below(&made->luck, 2)]);
}

static void refresh_wholly(world *made)
{
    assert_int_equal(cairn_refresh_step(made->table, made->map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_exact(made);
    assert_served(made);
    assert_one_each(made);
    assert_equal_to_a_rebuilt_one(made->table, made->map);
}

static void a_refreshed_table_equals_a_rebuilt_one(void **state)
{
    /* Vectors of every length, full and not. */
    static const uint32_t row_counts[] = {1, 2, 3, 4, 5, 8, 16, 17, 33, 40};
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(140); seed = seed_after(seed)) {
        world made = world_with(seed, row_counts[seed / 3 % COUNT_OF(row_counts)]);
        for (int round = 0; round < 12; round++) {
            edit_somewhere(&made);
            if (round % 4 == 3)
                close_a_landmark(&made);
            refresh_wholly(&made);
        }
        world_free(&made);
    }
}

static void a_refresh_may_be_cut_anywhere_with_edits_and_optimal_searches_between(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(70); seed = seed_after(seed)) {
        world made = world_of(seed + 1000);
        searches all = searches_of(&made);
        for (int round = 0; round < 60; round++) {
            unsigned what = dice_below(&made.luck, 10);
            if (what < 4)
                edit_somewhere(&made);
            if (what == 4)
                close_a_landmark(&made);
            if (what > 1) {
                cairn_status status = step_now(made.table, made.map,
                                               CAIRN_CELLS(dice_below(&made.luck, 60)));
                assert_true(status == CAIRN_OK || status == CAIRN_MORE);
                if (status == CAIRN_OK)
                    assert_exact(&made);
            }
            assert_searches_hold(&made, &all);
        }
        cairn_status status;
        do {
            status = step_now(made.table, made.map, CAIRN_CELLS(25));
            assert_searches_hold(&made, &all);
        } while (status == CAIRN_MORE);
        assert_int_equal(status, CAIRN_OK);
        assert_exact(&made);
        assert_served(&made);
        assert_equal_to_a_rebuilt_one(made.table, made.map);
        searches_free(&all);
        world_free(&made);
    }
}

/* A random query on two tables of one map; both refresh as far as it is worth it. */
static void ask_both(world *made, cairn_search *search, cairn_search *twin_search,
                     cairn_table *twin)
{
    cairn_path path, same;
    uint32_t start = dice_open_cell(&made->luck, &made->drawn);
    uint32_t goal = dice_open_cell(&made->luck, &made->drawn);
    uint64_t *costs = costs_to(made, goal);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(cairn_search_run(twin_search, start, goal, &same), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(costs[start]));
    assert_int_equal(path.expanded, same.expanded);
    cairn_status status = cairn_refresh_as_it_pays(made->table, made->map, &path);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    assert_int_equal(cairn_refresh_as_it_pays(twin, made->map, &same), status);
    if (status == CAIRN_OK)
        assert_exact(made);
    free(costs);
}

/* No clock has a say: two tables come to the same entries. */
static void a_refresh_as_it_pays_keeps_searches_optimal_and_repeats_itself(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(70); seed = seed_after(seed)) {
        world made = world_of(seed + 5000);
        cairn_table *twin;
        cairn_search *search, *twin_search;
        assert_int_equal(cairn_table_clone(made.table, &twin), CAIRN_OK);
        assert_int_equal(cairn_search_new(made.map, made.table, NULL, &search), CAIRN_OK);
        assert_int_equal(cairn_search_new(made.map, twin, NULL, &twin_search), CAIRN_OK);
        for (int round = 0; round < 80; round++) {
            if (dice_below(&made.luck, 6) == 0)
                edit_somewhere(&made);
            assert_safe(&made);
            if (picture_open_count(&made.drawn))
                ask_both(&made, search, twin_search, twin);
        }
        assert_memory_equal(twin->entries, made.table->entries,
                            (size_t)twin->node_count * twin->lane_count * twin->entry_bits / 8);
        cairn_search_free(search);
        cairn_search_free(twin_search);
        cairn_table_free(twin);
        world_free(&made);
    }
}

/* What searches are said to lose buys repairs, up to that much and one rebuilt row. */
static void a_refresh_as_it_pays_spends_what_searches_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(70); seed = seed_after(seed)) {
        world made = world_of(seed + 6000);
        cairn_path none = {.expanded = 2, .corner_count = 2}, some = {.expanded = 300};
        uint64_t row = picture_size(&made.drawn);
        edit_somewhere(&made);
        for (int i = 0; i < 50; i++)
            (void)cairn_refresh_as_it_pays(made.table, made.map, &none);
        assert_int_equal(cairn_table_refresh_counts(made.table).cells, 0);

        cairn_status status = CAIRN_MORE;
        for (uint64_t lost = 600; status == CAIRN_MORE; lost += 600) {
            uint64_t before = cairn_table_refresh_counts(made.table).cells;
            status = cairn_refresh_as_it_pays(made.table, made.map, &some);
            uint64_t after = cairn_table_refresh_counts(made.table).cells;
            assert_true(after == before || after <= lost + row);
        }
        assert_int_equal(status, CAIRN_OK);
        assert_exact(&made);
        assert_served(&made);
        assert_equal_to_a_rebuilt_one(made.table, made.map);
        world_free(&made);
    }
}

/* How many searches that expanded so many nodes beside their paths come before a refresh. */
static unsigned searches_before_a_refresh(uint32_t rows_used, uint64_t expanded)
{
    const cairn_edit opening = cairn_open(1, 1);
    picture drawn = PICTURE("........", ".@......", "........");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 2);
    const cairn_path path = {.expanded = expanded, .row_count = rows_used};
    const uint64_t version = cairn_table_version(table);
    unsigned calls = 0;
    assert_int_equal(cairn_map_edit(map, &opening, 1), CAIRN_OK);
    while (cairn_table_version(table) == version && calls < 1000) {
        (void)cairn_refresh_as_it_pays(table, map, &path);
        calls++;
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    return calls;
}

/* Where searches use all rows by gates, fresh ones would hardly save them anything. */
static void a_refresh_waits_eight_times_as_long_where_rows_serve_by_gates(void **state)
{
    (void)state;
    const unsigned without = searches_before_a_refresh(0, 4);
    const unsigned by_gates = searches_before_a_refresh(2, 4);
    assert_in_range(by_gates, 8 * (without - 1) + 1, 8 * without);
}

/* A landmark does not reach every cell of its component here. That the component of such a cell has
 * one is known after a few visits of its cells, also among many islands with landmarks. */
static void steps_keep_their_budget_where_cells_are_one_way(void **state)
{
    (void)state;
    enum { SIDE = 100, BUDGET = 500, EDITED = 6 };
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_alphabet alphabet;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 4};
    cairn_map *map;
    cairn_table *table;

    for (uint32_t i = 0; i < picture_size(&drawn); i++)
        drawn.letters[i] = i % SIDE % 8 == 4 ? '>' : '.';
    for (uint32_t x = 0; x < SIDE; x++) {
        drawn.letters[(SIDE - 2) * SIDE + x] = '@';
        drawn.letters[(SIDE - 1) * SIDE + x] = x % 2 ? '@' : '.';
    }
    cairn_alphabet_init(&alphabet);
    alphabet.cost['>'] = 1;
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    for (uint32_t i = 0; i < EDITED; i++) {
        const cairn_edit edit = cairn_block(10 + 13 * i, 20 + 7 * i);
        cairn_status status = CAIRN_MORE;
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        while (status == CAIRN_MORE) {
            const uint64_t before = cairn_table_refresh_counts(table).cells;
            status = step_now(table, map, CAIRN_CELLS(BUDGET));
            assert_in_range(cairn_table_refresh_counts(table).cells - before, 0, 2 * BUDGET);
        }
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Two tables take the same edits, one of them bit by bit. */
static void budgets_do_not_decide_where_landmarks_go(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(100); seed = seed_after(seed)) {
        world made = world_of(seed + 5000);
        cairn_table *slow;
        assert_int_equal(cairn_table_clone(made.table, &slow), CAIRN_OK);
        for (int round = 0; round < 15; round++) {
            edit_somewhere(&made);
            if (round % 3 == 2)
                close_a_landmark(&made);
            assert_int_equal(cairn_refresh_step(made.table, made.map, CAIRN_UNLIMITED), CAIRN_OK);
            while (step_now(slow, made.map, CAIRN_CELLS(20)) == CAIRN_MORE)
                continue;
            assert_same_landmarks(slow, made.table);
        }
        cairn_table_free(slow);
        world_free(&made);
    }
}

/* Edits in a third of all tiles: no repair is begun, and landmarks are those of one that was. */
static void edits_everywhere_rebuild_all_rows(void **state)
{
    enum { SIDE = 400, EDITS = 700, ROWS_HERE = 3 };
    (void)state;
    const map_kind kinds[] = {MAP_SPARSE, MAP_CAVE, MAP_ROOMS, MAP_BROKEN};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        picture drawn = random_map(kinds[i], SIDE, SIDE, i);
        cairn_map *map = map_of(&drawn, fixture_metrics[0]);
        cairn_table *at_once = table_of(map, ROWS_HERE), *by_steps;
        cairn_edit edits[EDITS];
        dice luck = {i + 1};
        for (size_t k = 0; k < EDITS; k++) {
            const uint32_t x = dice_below(&luck, SIDE), y = dice_below(&luck, SIDE);
            edits[k] = picture_is_open(&drawn, x, y) ? cairn_block(x, y) : cairn_open(x, y);
        }
        assert_int_equal(cairn_map_edit(map, edits, EDITS), CAIRN_OK);
        assert_int_equal(cairn_table_clone(at_once, &by_steps), CAIRN_OK);
        assert_int_equal(cairn_refresh_step(at_once, map, CAIRN_UNLIMITED), CAIRN_OK);
        const cairn_refresh_counts counts = cairn_table_refresh_counts(at_once);
        assert_int_equal(counts.rows_repaired, 0);
        assert_int_equal(counts.rows_rebuilt, ROWS_HERE);
        if (kinds[i] != MAP_BROKEN) /* which visits cells for landmarks */
            assert_in_range(counts.cells, 0, EDITS);
        while (step_now(by_steps, map, CAIRN_CELLS(100000)) == CAIRN_MORE)
            ;
        assert_same_table(at_once, by_steps);
        assert_equal_to_a_rebuilt_one(at_once, map);
        cairn_table_free(by_steps);
        cairn_table_free(at_once);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void small_and_large_budgets_mix(void **state)
{
    (void)state;
    static const cairn_budget budgets[] = {CAIRN_CELLS(0),        CAIRN_CELLS(3),
                                           CAIRN_CELLS(100000),   CAIRN_UNLIMITED,
                                           CAIRN_MICROSECONDS(5), CAIRN_MICROSECONDS(100000)};
    for (uint64_t seed = 0; seed < seeds_to(100); seed = seed_after(seed)) {
        world made = world_of(seed + 3000);
        for (int round = 0; round < 40; round++) {
            for (uint32_t i = dice_below(&made.luck, 4); i > 0; i--)
                edit_somewhere(&made);
            cairn_budget budget = budgets[dice_below(&made.luck, COUNT_OF(budgets))];
            cairn_status status = step_now(made.table, made.map, budget);
            assert_true(status == CAIRN_OK || status == CAIRN_MORE);
            assert_safe(&made);
            if (status == CAIRN_OK)
                assert_exact(&made);
        }
        refresh_wholly(&made);
        world_free(&made);
    }
}

/* A map on which walls change most of a row, so that repairs are given up, and cut off parts. */
static world wide_world_of(uint64_t seed)
{
    static const map_kind kinds[] = {MAP_ROOMS,    MAP_CAVE,   MAP_ISLANDS,
                                     MAP_ALL_OPEN, MAP_BROKEN, MAP_MAZE};
    world made = {.drawn = random_map(kinds[seed % COUNT_OF(kinds)], 97, 80, seed),
                  .luck = {seed * 2 + 1}};
    made.map = map_of(&made.drawn, fixture_metrics[seed % FIXTURE_METRICS]);
    made.table = table_of(made.map, 11 + 9 * (uint32_t)(seed / 6 % 3));
    return made;
}

/* A long wall, or its opening. */
static void wall_somewhere(world *made)
{
    const picture *drawn = &made->drawn;
    uint32_t x = dice_below(&made->luck, drawn->width), y = dice_below(&made->luck, drawn->height);
    uint32_t length = 1 + dice_below(&made->luck, 60);
    bool upright = dice_below(&made->luck, 2);
    uint32_t width = upright ? 1 : 1 + (length - 1) % (drawn->width - x);
    uint32_t height = upright ? 1 + (length - 1) % (drawn->height - y) : 1;
    char letter = dice_below(&made->luck, 3) ? '@' : '.';
    cairn_edit edit = cairn_rectangle(x, y, width, height, letter);
    set_cells(&made->drawn, x, y, width, height, letter);
    assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
}

/* Tables repair what is worth it, by the vectors of every processor; another is repaired all at
 * random points, row by row; a last one has every row measured. */
static void repairs_that_are_given_up_and_cut_change_nothing(void **state)
{
    enum { CUT = CN_CPU_AVX512, REBUILT, COPIES };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(36); seed = seed_after(seed)) {
        world made = wide_world_of(seed);
        cairn_table *copies[COPIES];
        for (int i = 0; i < COPIES; i++)
            assert_int_equal(cairn_table_clone(made.table, &copies[i]), CAIRN_OK);
        for (cn_cpu level = CN_CPU_PORTABLE; level < CN_CPU_AVX512; level++)
            copies[level]->cpu = level < made.table->cpu ? level : made.table->cpu;
        for (int round = 0; round < 12; round++) {
            for (uint32_t i = dice_below(&made.luck, 3) + 1; i > 0; i--)
                wall_somewhere(&made);
            close_a_landmark(&made);
            assert_int_equal(cairn_refresh_step(made.table, made.map, CAIRN_UNLIMITED), CAIRN_OK);
            static const uint32_t budgets[] = {30, 600, 2000, 9000};
            while (step_now(copies[CUT], made.map,
                            CAIRN_CELLS(budgets[dice_below(&made.luck, 4)])) == CAIRN_MORE)
                continue;
            for (int i = 0; i < CUT; i++)
                assert_int_equal(cairn_refresh_step(copies[i], made.map, CAIRN_UNLIMITED),
                                 CAIRN_OK);
            (void)cairn_refresh_step(copies[REBUILT], made.map, CAIRN_CELLS(0));
            assert_int_equal(cairn_table_rebuild(copies[REBUILT], made.map), CAIRN_OK);
            for (int i = 0; i < COPIES; i++)
                assert_same_table(copies[i], made.table);
        }
        assert_exact(&made);
        assert_served(&made);
        for (int i = 0; i < COPIES; i++)
            cairn_table_free(copies[i]);
        world_free(&made);
    }
}

/* Walls one after another, each open at one end, make an open map one long winding way. */
static void costs_that_outgrow_16_bits_widen_the_table(void **state)
{
    enum { SIDE = 31, FULL = 16 };
    (void)state;
    for (unsigned gap_first = 0; gap_first < 2; gap_first++) {
        world made = {.drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 1)};
        made.map = map_of(&made.drawn, (cairn_metric){1000, 1414});
        made.table = table_of(made.map, FULL);
        assert_int_equal(made.table->entry_bits, 16);
        for (uint32_t x = 1; x < SIDE; x += 2) {
            uint32_t y = x / 2 % 2 == gap_first;
            cairn_edit edit = cairn_rectangle(x, y, 1, SIDE - 1, '@');
            set_cells(&made.drawn, x, y, 1, SIDE - 1, '@');
            assert_int_equal(cairn_map_edit(made.map, &edit, 1), CAIRN_OK);
            refresh_wholly(&made);
        }
        assert_int_equal(made.table->entry_bits, 32);
        world_free(&made);
    }
}

/* Each vector of a cell's entries lists the cells that its rows do not reach: once, not those that
 * others listed as well. */
static void cut_off_cells_are_looked_at_once_for_each_row(void **state)
{
    enum { SIDE = 40, MANY = 128, LOOKS_MOST = 60000 };
    (void)state;
    for (cn_cpu level = CN_CPU_PORTABLE; level <= CN_CPU_AVX512; level++) {
        world made = {.drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 1)};
        made.map = map_of(&made.drawn, fixture_metrics[0]);
        made.table = table_of(made.map, MANY);
        made.table->cpu = level < made.table->cpu ? level : made.table->cpu;
        cairn_edit edits[] = {cairn_rectangle(18, 18, 4, 3, '@'),
                              cairn_rectangle(19, 19, 2, 1, '.')};
        set_cells(&made.drawn, 18, 18, 4, 3, '@');
        set_cells(&made.drawn, 19, 19, 2, 1, '.');
        assert_int_equal(cairn_map_edit(made.map, edits, COUNT_OF(edits)), CAIRN_OK);
        refresh_wholly(&made);
        assert_true(cairn_table_refresh_counts(made.table).cells < LOOKS_MOST);
        world_free(&made);
    }
}

/* Rows of a table are wiped and written again from what floods give, some at once. */
static void rows_written_together_are_those_written_alone(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(200); seed = seed_after(seed)) {
        world made = world_of(seed);
        cairn_table_free(made.table);
        made.table = table_of(made.map, 1 + dice_below(&made.luck, 20));
        cairn_table *copy, *table = made.table;
        cn_flooder *flooder;
        cn_plane planes[CN_PUT_MOST];
        cn_plane_memory kept[CN_PUT_MOST] = {{.costs = NULL}};
        uint32_t rows[CN_PUT_MOST], count = 0, most = cn_table_put_count(table);
        bool all = dice_below(&made.luck, 2);
        assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
        assert_int_equal(cn_flooder_new(made.map, table->entry_bits, CN_FLOOD_MANY, &flooder),
                         CAIRN_OK);
        uint32_t first = all ? dice_below(&made.luck, table->row_count) : 0;
        for (uint32_t row = first; row < table->row_count && count < most; row++) {
            const cairn_node *landmarks;
            if (!all && dice_below(&made.luck, 2) && row + 1 < table->row_count)
                continue;
            size_t landmark_count = cairn_table_landmarks(table, row, &landmarks);
            assert_int_equal(cn_flooder_run(flooder, landmarks, landmark_count, &planes[count]),
                             CAIRN_OK);
            assert_int_equal(cn_flooder_trade(flooder, &kept[count]), CAIRN_OK);
            rows[count++] = row;
            for (cairn_node node = 0; node < table->node_count; node++) {
                if (cairn_map_is_open(made.map, node))
                    assert_int_equal(cairn_table_set_cost(copy, row, node, 77), CAIRN_OK);
            }
        }
        if (count)
            cn_table_put_rows(copy, made.map, rows, planes, count);
        assert_same_table(copy, table);
        for (uint32_t i = 0; i < count; i++)
            cn_plane_memory_free(&made.map->mem, &kept[i]);
        cn_flooder_free(flooder);
        cairn_table_free(copy);
        world_free(&made);
    }
}

/* Whatever allocation fails, the table stays safe, and the next steps make it exact. */
static void a_refresh_without_memory_stays_safe_and_goes_on(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
        world made = {.drawn = any_map(seed), .luck = {seed + 7}};
        failing_allocator failing;
        failing_allocator_init(&failing);
        made.map = map_with(&made.drawn, fixture_metrics[seed % FIXTURE_METRICS],
                            &failing.allocator);
        made.table = table_of(made.map, 1 + (uint32_t)(seed % ROWS));
        for (size_t n = 1; n < 40; n++) {
            edit_somewhere(&made);
            close_a_landmark(&made);
            failing_allocator_arm(&failing, n);
            cairn_status status = step_now(made.table, made.map,
                                           n % 2 ? CAIRN_UNLIMITED : CAIRN_CELLS(99));
            bool struck = failing_allocator_struck(&failing);
            failing_allocator_arm(&failing, 0);
            assert_true(status == (struck ? CAIRN_E_MEMORY : status));
            if (status == CAIRN_OK)
                assert_int_equal(table_check(made.table, made.map), CAIRN_OK);
            assert_safe(&made);
        }
        refresh_wholly(&made);
        world_free(&made);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
}

/* Two landmarks close, memory ends while they move, and the cells open again: the map is that of
 * the table, and its rows are not what they were. */
static void landmarks_that_moved_in_vain_are_made_good(void **state)
{
    (void)state;
    const cairn_node corners[] = {0, 7};
    for (size_t n = 1; n < 20; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        world made = {.drawn = picture_filled(8, 4, '.'), .luck = {n}};
        made.map = map_with(&made.drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
        cairn_build_options options = {.size = sizeof options,
                                       .placement = CAIRN_PLACE_LIST,
                                       .listed = corners,
                                       .listed_count = 2};
        assert_int_equal(cairn_table_build(made.map, &options, &made.table), CAIRN_OK);
        cairn_edit edits[] = {cairn_block(3, 3), cairn_block(0, 0), cairn_block(7, 0),
                              cairn_open(0, 0), cairn_open(7, 0)};
        made.drawn.letters[3 * 8 + 3] = '@';
        assert_int_equal(cairn_map_edit(made.map, edits, 1), CAIRN_OK);
        assert_int_equal(cairn_refresh_step(made.table, made.map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_map_edit(made.map, &edits[1], 2), CAIRN_OK);
        failing_allocator_arm(&failing, n);
        cairn_refresh_step(made.table, made.map, CAIRN_UNLIMITED);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cairn_map_edit(made.map, &edits[3], 2), CAIRN_OK);
        while (step_now(made.table, made.map, CAIRN_CELLS(9)) == CAIRN_MORE)
            continue;
        assert_exact(&made);
        world_free(&made);
    }
}

/* A landmark moves in vain to a cell at which another row has one. When the map is again what it
 * was, a later row takes the cell that is free now. */
static void cells_that_landmarks_left_in_vain_serve_later_rows(void **state)
{
    enum { PART = 8 }; /* two cells, at which two rows have their landmarks */
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        world made = {.drawn = picture_filled(10, 1, '.'), .luck = {n}};
        made.drawn.letters[PART - 1] = '@';
        made.map = map_with(&made.drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
        made.table = table_of(made.map, 6);
        for (uint32_t i = 0; i < 2; i++) {
            const cairn_edit close = cairn_block(PART + i, 0), open = cairn_open(PART + i, 0);
            assert_int_equal(cairn_map_edit(made.map, &close, 1), CAIRN_OK);
            failing_allocator_arm(&failing, n);
            step_now(made.table, made.map, CAIRN_UNLIMITED);
            failing_allocator_arm(&failing, 0);
            assert_int_equal(cairn_map_edit(made.map, &open, 1), CAIRN_OK);
            refresh_wholly(&made);
            assert_exact(&made);
        }
        world_free(&made);
    }
}

/* ------------------------------------------------------------------------------------ doors -- */

/* Walls and passages, one to three cells broad. */
static void edit_lines(world *made)
{
    const picture *drawn = &made->drawn;
    uint32_t x = dice_below(&made->luck, drawn->width), y = dice_below(&made->luck, drawn->height);
    uint32_t length = 1 + dice_below(&made->luck, 12), breadth = 1 + dice_below(&made->luck, 3);
    bool lies = dice_below(&made->luck, 2);
    uint32_t width = 1 + ((lies ? length : breadth) - 1) % (drawn->width - x);
    uint32_t height = 1 + ((lies ? breadth : length) - 1) % (drawn->height - y);
    char letter = dice_below(&made->luck, 3) ? '@' : '.';
    cairn_edit edit = cairn_rectangle(x, y, width, height, letter);
    set_cells(&made->drawn, x, y, width, height, letter);
    assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
}

/* The map becomes what it was, all of it at once or column by column. */
static void undo_all(world *made, const char *letters, bool at_once)
{
    const uint32_t width = made->drawn.width, height = made->drawn.height;
    for (uint32_t x = 0; x < width; x++) {
        for (uint32_t y = 0; y < height; y++) {
            cairn_edit edit = cairn_terrain(x, y, letters[y * width + x]);
            if (!at_once)
                assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
        }
        if (!at_once && x % 3 == 0)
            step_now(made->table, made->map, CAIRN_CELLS(dice_below(&made->luck, 400)));
    }
    cairn_edit all = cairn_patch_letters(0, 0, width, height, letters);
    assert_int_equal(cairn_map_edit(made->map, &all, 1), CAIRN_OK);
    memcpy(made->drawn.letters, letters, (size_t)width * height);
}

static void walls_that_come_and_go_leave_one_landmark_in_each_component(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(24); seed = seed_after(seed)) {
        world made = seed % 4 ? world_of(seed + 9000) : wide_world_of(seed / 4);
        searches all = searches_of(&made);
        picture before = picture_filled(made.drawn.width, made.drawn.height, '.');
        memcpy(before.letters, made.drawn.letters, picture_size(&made.drawn));
        for (unsigned round = 0; round < 24; round++) {
            for (uint32_t i = dice_below(&made.luck, 3); i > 0; i--)
                edit_lines(&made);
            cairn_status status = step_now(made.table, made.map,
                                           round % 3 ? CAIRN_CELLS(dice_below(&made.luck, 900))
                                                     : CAIRN_UNLIMITED);
            assert_true(status == CAIRN_OK || status == CAIRN_MORE);
            assert_searches_hold(&made, &all);
            if (status == CAIRN_OK) {
                assert_exact(&made);
                assert_one_each(&made);
            }
            if (status == CAIRN_OK && round % 2)
                assert_equal_to_a_rebuilt_one(made.table, made.map);
        }
        undo_all(&made, before.letters, seed % 2);
        while (step_now(made.table, made.map, CAIRN_CELLS(4000)) == CAIRN_MORE)
            assert_searches_hold(&made, &all);
        refresh_wholly(&made);
        searches_free(&all);
        picture_free(&before);
        world_free(&made);
    }
}

/* A hall in two, joined by a door. */
static void set_door(world *made, char letter)
{
    cairn_edit edit = cairn_terrain(6, 4, letter);
    made->drawn.letters[4 * made->drawn.width + 6] = letter;
    assert_int_equal(cairn_map_edit(made->map, &edit, 1), CAIRN_OK);
}

/* Memory ends while a door is taken note of or rows are repaired, and the door may turn back before
 * that is tried again: in the end the table is as if there had been enough. */
static void doors_without_memory_leave_one_landmark_in_each_component(void **state)
{
    (void)state;
    for (size_t n = 1; n < 60; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        world made = {.drawn = picture_filled(14, 9, '.'), .luck = {n}};
        set_cells(&made.drawn, 6, 0, 1, 9, '@');
        made.drawn.letters[4 * 14 + 6] = '.';
        made.map = map_with(&made.drawn, fixture_metrics[n % FIXTURE_METRICS], &failing.allocator);
        made.table = table_of(made.map, ROWS);
        for (unsigned round = 0; round < 24; round++) {
            set_door(&made, round % 2 ? '.' : '@');
            failing_allocator_arm(&failing, 1 + (n + round * 7) % 29);
            cairn_refresh_step(made.table, made.map, round % 4 ? CAIRN_UNLIMITED : CAIRN_CELLS(9));
            failing_allocator_arm(&failing, 0);
            assert_safe(&made);
            if (round % 3 == 0) {
                set_door(&made, round % 2 ? '@' : '.');
                step_now(made.table, made.map, CAIRN_CELLS(dice_below(&made.luck, 90)));
                assert_safe(&made);
            }
            if (dice_below(&made.luck, 2))
                refresh_wholly(&made);
        }
        set_door(&made, '.');
        refresh_wholly(&made);
        world_free(&made);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
}

static void a_table_that_lags_too_far_is_rebuilt(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(28); seed = seed_after(seed)) {
        world made = world_of(seed);
        for (int round = 0; round < 3000; round++)
            edit_somewhere(&made);
        refresh_wholly(&made);
        world_free(&made);
    }
}

static void assert_landmarks_ascend(const cairn_table *table)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        const size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 1; i < count; i++)
            assert_true(landmarks[i - 1] < landmarks[i]);
    }
}

/* Entries from a file that nobody verified may be anything, those of landmarks too. Repair cannot
 * make them right, but does no harm, and rebuilding does. */
static void wrong_entries_do_no_harm(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(300); seed = seed_after(seed)) {
        world made = world_of(seed);
        uint32_t rows = cairn_table_row_count(made.table), count = cairn_map_node_count(made.map);
        for (uint32_t times = count / 4 + 1; times; times--) {
            uint32_t row = dice_below(&made.luck, rows);
            const cairn_node *landmarks;
            size_t landmark_count = cairn_table_landmarks(made.table, row, &landmarks);
            cairn_node node = times % 2 || !landmark_count ? dice_below(&made.luck, count)
                                                           : landmarks[times / 2 % landmark_count];
            const cairn_cost cost = times % 8 ? dice_below(&made.luck, 60000) : CAIRN_UNREACHABLE;
            (void)cairn_table_set_cost(made.table, row, node, cost);
        }
        for (int round = 0; round < 6; round++) {
            close_a_landmark(&made);
            edit_somewhere(&made);
            cairn_status status = step_now(made.table, made.map,
                                           round % 2 ? CAIRN_UNLIMITED : CAIRN_CELLS(9));
            assert_true(status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_E_LIMIT);
            assert_landmarks_ascend(made.table);
        }
        for (uint32_t row = 0; row < rows; row++) {
            for (cairn_node node = 0; node < count; node++) {
                cairn_cost cost = cairn_table_cost(made.table, row, node);
                assert_true(cost <= CAIRN_COST_MAX || cost == CAIRN_UNREACHABLE);
            }
        }
        assert_int_equal(cairn_table_rebuild(made.table, made.map), CAIRN_OK);
        assert_int_equal(cairn_table_verify(made.table, made.map, 1, NULL), CAIRN_OK);
        world_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refreshed_table_equals_a_rebuilt_one),
        cmocka_unit_test(a_refresh_may_be_cut_anywhere_with_edits_and_optimal_searches_between),
        cmocka_unit_test(a_refresh_as_it_pays_keeps_searches_optimal_and_repeats_itself),
        cmocka_unit_test(a_refresh_as_it_pays_spends_what_searches_lost),
        cmocka_unit_test(a_refresh_waits_eight_times_as_long_where_rows_serve_by_gates),
        cmocka_unit_test(steps_keep_their_budget_where_cells_are_one_way),
        cmocka_unit_test(budgets_do_not_decide_where_landmarks_go),
        cmocka_unit_test(edits_everywhere_rebuild_all_rows),
        cmocka_unit_test(small_and_large_budgets_mix),
        cmocka_unit_test(repairs_that_are_given_up_and_cut_change_nothing),
        cmocka_unit_test(costs_that_outgrow_16_bits_widen_the_table),
        cmocka_unit_test(cut_off_cells_are_looked_at_once_for_each_row),
        cmocka_unit_test(rows_written_together_are_those_written_alone),
        cmocka_unit_test(a_refresh_without_memory_stays_safe_and_goes_on),
        cmocka_unit_test(landmarks_that_moved_in_vain_are_made_good),
        cmocka_unit_test(cells_that_landmarks_left_in_vain_serve_later_rows),
        cmocka_unit_test(walls_that_come_and_go_leave_one_landmark_in_each_component),
        cmocka_unit_test(doors_without_memory_leave_one_landmark_in_each_component),
        cmocka_unit_test(a_table_that_lags_too_far_is_rebuilt),
        cmocka_unit_test(wrong_entries_do_no_harm),
    };
    return cmocka_run_group_tests_name("refresh", tests, NULL, NULL);
}
