/* Edits that make the costs of some rows too large: a corridor round a block of walls, with
 * landmarks at its corners and at the middle of its sides. Where it closes at one place it becomes
 * twice as long from there, and too long from some landmarks. All other rows are made exact. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/tables.h"

enum { WIDTH = 69, HEIGHT = 3, ROWS = 4, STEPS_MOST = 4000 };

static const cairn_metric large = {1 << 23, 3 << 22};

/* Steps of some cells repair and rebuild cell by cell, longer ones also by floods. */
static const cairn_budget budgets[] = {CAIRN_UNLIMITED, CAIRN_CELLS(1000), CAIRN_CELLS(40),
                                       CAIRN_CELLS(5)};

static picture corridor(void)
{
    picture drawn = picture_filled(WIDTH, HEIGHT, '.');
    for (uint32_t x = 1; x + 1 < WIDTH; x++)
        drawn.letters[WIDTH + x] = '@';
    return drawn;
}

static cairn_table *table_at(cairn_map *map, const cairn_node *landmarks, cairn_resident resident)
{
    return table_built(map, (cairn_build_options){.thread_count = 1,
                                                  .resident = resident,
                                                  .placement = CAIRN_PLACE_LIST,
                                                  .listed = landmarks,
                                                  .listed_count = ROWS});
}

static cairn_status refresh(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    cairn_status status = CAIRN_MORE;
    for (unsigned steps = 0; status == CAIRN_MORE; steps++) {
        assert_true(steps < STEPS_MOST);
        status = step_now(table, map, budget);
    }
    return status;
}

static void set_cell(cairn_map *map, picture *drawn, uint32_t x, uint32_t y, char letter)
{
    const cairn_edit edit = letter == '@' ? cairn_block(x, y) : cairn_open(x, y);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    drawn->letters[y * WIDTH + x] = letter;
}

/* A table of corners holds entries of some cells, which are not 0 but at a landmark. */
static void assert_exact_row(const cairn_table *table, const picture *drawn, uint32_t row)
{
    const bool is_whole = cairn_table_resident(table) == CAIRN_RESIDENT_CELLS;
    uint64_t *costs = oracle_row(drawn, table, row);
    uint32_t held = 0;
    for (cairn_node node = 0; node < WIDTH * HEIGHT; node++) {
        const cairn_cost cost = cairn_table_cost(table, row, node);
        held += cost != 0;
        if (drawn->letters[node] == '.' && (is_whole || cost != 0))
            assert_int_equal(cost, cost_of(costs[node]));
    }
    assert_true(held >= 3);
    free(costs);
}

static bool is_fresh(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    return cairn_table_row_state(table, map, row) == CAIRN_ROW_FRESH;
}

/* A table of a corridor that has closed between two of the landmarks, whose rows are beyond the
 * limit; the other two, in its middle, are exact. */
static cairn_table *table_with_rows_beyond(picture *drawn, cairn_map **map, cairn_resident resident,
                                           cairn_budget budget)
{
    const cairn_node landmarks[ROWS] = {0, WIDTH - 1, 2 * WIDTH, 2 * WIDTH - 1};
    *drawn = corridor();
    *map = map_of(drawn, large);
    cairn_table *table = table_at(*map, landmarks, resident);
    set_cell(*map, drawn, 0, 1, '@');
    assert_int_equal(refresh(table, *map, budget), CAIRN_E_LIMIT);
    return table;
}

static void rows_whose_costs_are_too_large_hold_back_no_others(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(budgets); i++) {
        picture drawn;
        cairn_map *map;
        cairn_table *table = table_with_rows_beyond(&drawn, &map, (cairn_resident)(i % 2),
                                                    budgets[i / 2]);
        for (uint32_t row = 0; row < ROWS; row++) {
            assert_int_equal(is_fresh(table, map, row), row % 2);
            if (row % 2)
                assert_exact_row(table, &drawn, row);
        }
        const cairn_refresh_counts before = cairn_table_refresh_counts(table);
        assert_int_equal(step_now(table, map, budgets[i / 2]), CAIRN_E_LIMIT);
        const cairn_refresh_counts after = cairn_table_refresh_counts(table);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_E_LIMIT);

        set_cell(map, &drawn, 0, 1, '.');
        assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
        assert_int_equal(refresh(table, map, budgets[i / 2]), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Edits that are applied and undone leave no row exact: those that can be are computed again. */
static void rows_are_tried_again_after_edits_that_were_undone(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(budgets); i++) {
        picture drawn;
        cairn_map *map;
        cairn_table *table = table_with_rows_beyond(&drawn, &map, (cairn_resident)(i % 2),
                                                    budgets[i / 2]);
        const uint64_t hash = cairn_map_hash(map);
        for (unsigned turn = 0; turn < 2; turn++) {
            set_cell(map, &drawn, 0, 1, turn ? '@' : '.');
            assert_int_equal(cairn_refresh_step(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
        }
        assert_true(cairn_map_hash(map) == hash);
        assert_int_equal(refresh(table, map, budgets[i / 2]), CAIRN_E_LIMIT);
        for (uint32_t row = 0; row < ROWS; row++)
            assert_int_equal(is_fresh(table, map, row), row % 2);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Steps wait for as few quiet frames after a refresh that left such rows out as after any other,
 * also where edits have interrupted many before. */
static void steps_wait_no_longer_where_such_rows_are(void **state)
{
    enum { LONG = 300, STEPS_MOST_ALONE = 60 };
    const cairn_node landmarks[ROWS] = {0, WIDTH - 1, 2 * WIDTH, 2 * WIDTH - 1};
    (void)state;
    for (unsigned resident = 0; resident < 2; resident++) {
        picture drawn = corridor();
        cairn_map *map = map_of(&drawn, large);
        cairn_table *table = table_at(map, landmarks, (cairn_resident)resident);
        set_cell(map, &drawn, 0, 1, '@');
        for (unsigned quiet = 9; quiet < LONG; quiet = 2 * quiet - 1) {
            set_cell(map, &drawn, WIDTH / 2, 1, quiet % 4 == 1 ? '.' : '@');
            for (unsigned step = 0; step < quiet; step++)
                (void)cairn_refresh_step(table, map, CAIRN_CELLS(40));
        }
        for (unsigned step = 0; step < LONG; step++)
            (void)cairn_refresh_step(table, map, CAIRN_CELLS(40));
        for (unsigned edit = 0; edit < 4; edit++) {
            unsigned steps = 0;
            set_cell(map, &drawn, WIDTH / 3, 1, edit % 2 ? '@' : '.');
            while (cairn_refresh_step(table, map, CAIRN_CELLS(40)) == CAIRN_MORE)
                steps++;
            assert_in_range(steps, 0, STEPS_MOST_ALONE);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Rows are computed one after another and written together: one whose costs are too large must not
 * spoil those that wait to be written. */
static void rebuilt_rows_that_wait_are_not_spoiled_by_such_a_row(void **state)
{
    const cairn_node landmarks[ROWS] = {WIDTH - 1, 2 * WIDTH, 2 * WIDTH - 1, 0};
    (void)state;
    picture drawn = corridor();
    cairn_map *map = map_of(&drawn, large);
    cairn_table *table = table_at(map, landmarks, CAIRN_RESIDENT_CELLS);
    set_cell(map, &drawn, 0, 1, '@');
    assert_int_equal(cairn_table_rebuild(table, map), CAIRN_E_LIMIT);
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_int_equal(is_fresh(table, map, row), row % 2 == 0);
        if (row % 2 == 0)
            assert_exact_row(table, &drawn, row);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A cell between two that close is a component, which gets a landmark in each row: far from those
 * of earlier rows, whose costs have to be known. */
static void a_landmark_is_not_chosen_by_costs_that_are_too_large(void **state)
{
    const cairn_node landmarks[ROWS] = {WIDTH - 1, 9, 2 * WIDTH - 1, 3 * WIDTH - 1};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(budgets); i++) {
        picture drawn = corridor();
        cairn_map *map = map_of(&drawn, large);
        cairn_table *table = table_at(map, landmarks, CAIRN_RESIDENT_CELLS);
        set_cell(map, &drawn, 10, 0, '@');
        set_cell(map, &drawn, 12, 0, '@');
        assert_int_equal(refresh(table, map, budgets[i]), CAIRN_E_LIMIT);
        assert_true(is_fresh(table, map, 0));
        assert_exact_row(table, &drawn, 0);
        for (uint32_t row = 1; row < ROWS; row++)
            assert_false(is_fresh(table, map, row));
        set_cell(map, &drawn, 10, 0, '.');
        set_cell(map, &drawn, 12, 0, '.');
        assert_int_equal(refresh(table, map, budgets[i]), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        assert_equal_to_a_rebuilt_one(table, map);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* What a straight step into a cell costs. */
static uint64_t step_cost(const picture *drawn, uint32_t to)
{
    return (uint64_t)large.straight << (drawn->letters[to] == 'S');
}

/* Costs from a cell, or to it: lowered along straight steps until none falls. */
static uint64_t *straight_costs(const picture *drawn, uint32_t cell, bool back)
{
    const uint32_t beside[] = {1, WIDTH};
    uint64_t *costs = malloc(WIDTH * HEIGHT * sizeof *costs);
    assert_non_null(costs);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        costs[i] = i == cell ? 0 : UINT64_MAX / 2;
    for (bool fell = true; fell;) {
        fell = false;
        for (uint32_t i = 0; i < 4 * WIDTH * HEIGHT; i++) {
            const uint32_t low = i / 4, high = low + beside[i & 1];
            const uint32_t from = i & 2 ? low : high, to = i & 2 ? high : low;
            if (high >= WIDTH * HEIGHT || (!(i & 1) && high % WIDTH == 0) ||
                drawn->letters[low] == '@' || drawn->letters[high] == '@' ||
                costs[from] + step_cost(drawn, back ? from : to) >= costs[to])
                continue;
            costs[to] = costs[from] + step_cost(drawn, back ? from : to);
            fell = true;
        }
    }
    return costs;
}

static void assert_exact_pair(const cairn_table *table, const picture *drawn, uint32_t row)
{
    const cairn_node *landmarks;
    assert_int_equal(cairn_table_landmarks(table, row, &landmarks), 1);
    uint64_t *costs = straight_costs(drawn, landmarks[0], row % 2);
    for (cairn_node node = 0; node < WIDTH * HEIGHT; node++) {
        if (drawn->letters[node] != '@')
            assert_int_equal(cairn_table_cost(table, row, node), costs[node]);
    }
    free(costs);
}

/* Where costs depend on the direction: rows that are exact say so though others are not. */
static void exact_pairs_say_so_beside_others_that_are_not(void **state)
{
    const cairn_node landmarks[ROWS] = {0, WIDTH - 1, 2 * WIDTH, 2 * WIDTH - 1};
    cairn_alphabet alphabet;
    (void)state;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("S=2", 3, &alphabet, NULL), CAIRN_OK);
    const cairn_map_options options = {.size = sizeof options,
                                       .metric = large,
                                       .charge = CAIRN_CHARGE_ENTERED,
                                       .alphabet = &alphabet};
    for (unsigned i = 0; i < COUNT_OF(budgets); i++) {
        picture drawn = corridor();
        cairn_map *map;
        drawn.letters[WIDTH / 3] = drawn.letters[2 * WIDTH + WIDTH / 2] = 'S';
        assert_int_equal(cairn_map_from_letters(WIDTH, HEIGHT, drawn.letters, &options, &map, NULL),
                         CAIRN_OK);
        assert_true(cairn_map_is_directed(map));
        cairn_table *table = table_at(map, landmarks, CAIRN_RESIDENT_CELLS);
        set_cell(map, &drawn, 0, 1, '@');
        assert_int_equal(refresh(table, map, budgets[i]), CAIRN_E_LIMIT);
        for (uint32_t row = 0; row < 2 * ROWS; row++) {
            assert_int_equal(is_fresh(table, map, row), row / 2 % 2);
            if (row / 2 % 2)
                assert_exact_pair(table, &drawn, row);
        }
        set_cell(map, &drawn, 0, 1, '.');
        assert_int_equal(refresh(table, map, budgets[i]), CAIRN_OK);
        for (uint32_t row = 0; row < 2 * ROWS; row++)
            assert_exact_pair(table, &drawn, row);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A writer goes on editing while rows of its table wait for other edits. */
static void a_world_goes_on_with_such_rows(void **state)
{
    const cairn_node landmarks[ROWS] = {0, WIDTH - 1, 2 * WIDTH, 2 * WIDTH - 1};
    const cairn_edit close = cairn_block(0, 1), open = cairn_open(0, 1);
    (void)state;
    picture drawn = corridor();
    cairn_map *map = map_of(&drawn, large);
    cairn_table *table = table_at(map, landmarks, CAIRN_RESIDENT_CELLS);
    cairn_world *world;
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(cairn_world_edit(world, i % 2 ? &open : &close, 1), CAIRN_OK);
        if (i % 64 == 62)
            assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_E_LIMIT);
    }
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* Strips of open ground become too long for the first rows, and a closed room needs a landmark from
 * the later ones, which they choose by the first. To visit it takes longer than a step. */
static void steps_that_are_shorter_than_a_search_for_a_landmark_end(void **state)
{
    enum { SIDE = 200, STEPS = 20000 };
    const cairn_edit edits[] = {
        cairn_rectangle(0, 66, SIDE - 1, 1, '@'), cairn_rectangle(1, 133, SIDE - 1, 1, '@'),
        cairn_rectangle(70, 80, 50, 1, '@'),      cairn_rectangle(70, 120, 50, 1, '@'),
        cairn_rectangle(70, 80, 1, 41, '@'),      cairn_rectangle(119, 80, 1, 41, '@')};
    static const cairn_budget short_ones[] = {CAIRN_MICROSECONDS(5), CAIRN_MICROSECONDS(50),
                                              CAIRN_CELLS(1000)};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(short_ones); i++) {
        cairn_alphabet alphabet;
        cairn_alphabet_init(&alphabet);
        assert_int_equal(cairn_alphabet_parse("S=2", 3, &alphabet, NULL), CAIRN_OK);
        const cairn_map_options options = {.size = sizeof options,
                                           .alphabet = &alphabet,
                                           .charge = CAIRN_CHARGE_AVERAGE,
                                           .metric = {2000000, 2800000}};
        picture drawn = picture_filled(SIDE, SIDE, '.');
        cairn_map *map;
        drawn.letters[SIDE * SIDE - 1] = 'S';
        assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                         CAIRN_OK);
        cairn_table *table = table_of(map, 8);
        assert_int_equal(cairn_map_edit(map, edits, COUNT_OF(edits)), CAIRN_OK);
        cairn_status status = CAIRN_MORE;
        for (unsigned steps = 0; status == CAIRN_MORE && steps < STEPS; steps++)
            status = cairn_refresh_step(table, map, short_ones[i]);
        assert_int_equal(status, CAIRN_E_LIMIT);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Arc by arc from node 0 to node 6, which the dear arc from node 4 reaches first, at a cost that is
 * above the limit, and two cheap ones later, at one that is not. The arcs to the other nodes are
 * more than the journal holds, so that the row is rebuilt, in the shorter steps little by little.
 * */
static void a_cheaper_way_past_a_dear_arc_counts(void **state)
{
    enum { FAR = 6, NODES = 6000 };
    static const cairn_cost quarters[] = {CAIRN_COST_MAX / 4, UINT16_MAX / 4};
    static cairn_arc arcs[2 * NODES];
    static cairn_edit edits[NODES];
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(quarters) * COUNT_OF(budgets); i++) {
        const cairn_cost far = quarters[i % 2] - 100,
                         most = i % 2 ? UINT16_MAX - 1 : CAIRN_COST_MAX;
        const cairn_arc ways[] = {{0, 1, far - 5000}, {1, 2, far}, {2, 3, far},  {3, 4, far},
                                  {4, FAR, 500},      {4, 5, 100}, {5, FAR, 200}};
        const cairn_build_options options = {.size = sizeof options,
                                             .placement = CAIRN_PLACE_LIST,
                                             .listed = &(cairn_node){0},
                                             .listed_count = 1};
        cairn_map *map;
        cairn_table *table;
        for (unsigned at = 0; at < NODES; at++) {
            const bool is_way = at < COUNT_OF(ways);
            const cairn_arc way = is_way ? ways[at] : (cairn_arc){0, at, 1};
            arcs[2 * at] = way;
            arcs[2 * at + 1] = (cairn_arc){way.to, way.from, way.cost};
            edits[at] = cairn_arc_cost(way.from, way.to, is_way ? way.cost : 2);
        }
        edits[0].arc.cost = far;
        assert_int_equal(
            cairn_map_from_arcs(NODES, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
            CAIRN_OK);
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        const unsigned bits = cairn_table_entry_bits(table);
        assert_int_equal(bits, i % 2 ? 16 : 32);
        assert_true(4 * (uint64_t)far + 500 > most && 4 * (uint64_t)far + 300 <= most);
        assert_int_equal(cairn_map_edit(map, edits, NODES), CAIRN_OK);
        assert_int_equal(refresh(table, map, budgets[i / 2]), CAIRN_OK);
        assert_int_equal(cairn_table_refresh_counts(table).rows_rebuilt, 1);
        assert_int_equal(cairn_table_cost(table, 0, FAR), 4 * far + 300);
        assert_int_equal(cairn_table_entry_bits(table), bits);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_whose_costs_are_too_large_hold_back_no_others),
        cmocka_unit_test(rows_are_tried_again_after_edits_that_were_undone),
        cmocka_unit_test(steps_wait_no_longer_where_such_rows_are),
        cmocka_unit_test(rebuilt_rows_that_wait_are_not_spoiled_by_such_a_row),
        cmocka_unit_test(exact_pairs_say_so_beside_others_that_are_not),
        cmocka_unit_test(a_landmark_is_not_chosen_by_costs_that_are_too_large),
        cmocka_unit_test(a_world_goes_on_with_such_rows),
        cmocka_unit_test(steps_that_are_shorter_than_a_search_for_a_landmark_end),
        cmocka_unit_test(a_cheaper_way_past_a_dear_arc_counts),
    };
    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
