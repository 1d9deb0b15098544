/* Searches right after a wall was opened: two halls and a wall between them that ends at the bottom
 * of the map, so that every way leads around it until a door opens. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

enum { SIDE = 41, WALL = 20, ROWS = 6, ROCK = 17, ROCK_X = 22, ROCK_Y = 12 };
enum { STEEP_SIDE = 90, STEEP_CELLS_MOST = 40 };

typedef struct halls {
    cairn_map *map;
    cairn_table *table;
    cairn_node start, goal;
} halls;

static halls two_halls_in(const cairn_allocator *allocator)
{
    picture drawn = picture_filled(SIDE, SIDE, '.');
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        drawn.letters[y * SIDE + WALL] = '@';
    for (uint32_t i = 0; i < ROCK * ROCK; i++)
        drawn.letters[(ROCK_Y + i / ROCK) * SIDE + ROCK_X + i % ROCK] = '@';
    halls made = {.map = map_with(&drawn, CAIRN_METRIC_OCTILE, allocator)};
    made.table = table_of(made.map, ROWS);
    made.start = cairn_node_at(made.map, WALL - 1, 10);
    made.goal = cairn_node_at(made.map, WALL + 1, 11);
    picture_free(&drawn);
    return made;
}

static halls two_halls(void)
{
    return two_halls_in(NULL);
}

static void free_halls(halls *both)
{
    cairn_table_free(both->table);
    cairn_map_free(both->map);
}

static void open_door(const halls *both)
{
    cairn_edit door = cairn_open(WALL, 2);
    assert_int_equal(cairn_map_edit(both->map, &door, 1), CAIRN_OK);
}

/* A path along cells, of the cost that a flood finds. */
static cairn_path assert_path(const halls *both, const cairn_map *map, const cairn_table *table)
{
    const cairn_search_options options = {.size = sizeof options, .space = CAIRN_SPACE_CELLS};
    cairn_cost *costs = malloc(cairn_map_node_count(map) * sizeof *costs);
    cairn_search *search;
    cairn_path path;

    assert_non_null(costs);
    assert_int_equal(cairn_costs_to(map, &both->goal, 1, costs), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, both->start, both->goal, &path), CAIRN_OK);
    assert_int_equal(path.cost, costs[both->start]);
    cairn_search_free(search);
    free(costs);
    return path;
}

/* All rows are in use though they do not hold the opening, and they are worth it. */
static void assert_by_gates(const halls *both, const cairn_map *map, const cairn_table *table)
{
    cairn_path path = assert_path(both, map, table), bare = assert_path(both, map, NULL);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path.state, CAIRN_ROW_WEAKER);
    assert_int_equal(path.row_count, ROWS);
    assert_true(path.expanded * 3 < bare.expanded);
}

static void rows_serve_as_soon_as_a_door_has_opened(void **state)
{
    (void)state;
    halls both = two_halls();

    open_door(&both);
    assert_int_equal(cairn_table_row_state(both.table, both.map, 0), CAIRN_ROW_UNSAFE);
    assert_by_gates(&both, both.map, both.table);
    free_halls(&both);
}

static void rows_serve_while_they_wait_for_their_repair(void **state)
{
    (void)state;
    halls both = two_halls();
    cairn_table *copy;

    open_door(&both);
    assert_int_equal(cairn_refresh_step(both.table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_by_gates(&both, both.map, both.table);
    assert_int_equal(cairn_table_clone(both.table, &copy), CAIRN_OK);
    assert_by_gates(&both, both.map, copy);
    cairn_table_free(copy);
    free_halls(&both);
}

static void a_row_in_repair_is_left_out_and_fresh_rows_leave_their_gates(void **state)
{
    (void)state;
    halls both = two_halls();
    cairn_status status = CAIRN_MORE;
    unsigned left_out = 0;

    open_door(&both);
    while (status == CAIRN_MORE) {
        status = step_now(both.table, both.map, CAIRN_CELLS(200));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        cairn_path path = assert_path(&both, both.map, both.table);
        assert_in_range(path.row_count, 1, ROWS);
        left_out += path.row_count < ROWS;
    }
    assert_true(left_out > 0);
    assert_int_equal(assert_path(&both, both.map, both.table).state, CAIRN_ROW_FRESH);
    free_halls(&both);
}

static void readers_of_a_world_have_gates_too(void **state)
{
    (void)state;
    halls both = two_halls();
    const cairn_edit edits[] = {cairn_open(WALL, 2), cairn_open(WALL, 1)};
    cairn_world *world;

    assert_int_equal(cairn_world_new(both.map, both.table, &world), CAIRN_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(cairn_world_edit(world, &edits[i], 1), CAIRN_OK);
        assert_int_equal(cairn_world_refresh_step(world, CAIRN_CELLS(0)), CAIRN_MORE);
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    }
    cairn_view view = cairn_world_acquire(world);
    assert_by_gates(&both, view.map, view.table);
    cairn_world_release(world, &view);
    cairn_world_free(world);
}

static void a_door_that_closes_again_leaves_no_gate(void **state)
{
    (void)state;
    halls both = two_halls();
    const cairn_edit back = cairn_block(WALL, 2);
    cairn_path before = assert_path(&both, both.map, both.table);

    open_door(&both);
    assert_by_gates(&both, both.map, both.table);
    assert_int_equal(cairn_map_edit(both.map, &back, 1), CAIRN_OK);
    cairn_path after = assert_path(&both, both.map, both.table);
    assert_int_equal(after.expanded, before.expanded);
    assert_int_equal(after.state, CAIRN_ROW_FRESH);
    free_halls(&both);
}

static void very_many_opened_cells_take_no_gates(void **state)
{
    (void)state;
    halls both = two_halls();
    const cairn_edit rock = cairn_rectangle(ROCK_X, ROCK_Y, ROCK, ROCK, '.');

    assert_int_equal(cairn_map_edit(both.map, &rock, 1), CAIRN_OK);
    cairn_path path = assert_path(&both, both.map, both.table);
    assert_int_equal(path.row_count, 0);
    assert_int_equal(path.state, CAIRN_ROW_UNSAFE);
    free_halls(&both);
}

/* What each caller of gates says when memory runs out. */
static cairn_status ask(const halls *both, cairn_search *search, bool by_bound)
{
    cairn_bound bound;
    cairn_path path;
    return by_bound ? cairn_bound_to(both->map, both->table, both->goal, &bound)
                    : cairn_search_run(search, both->start, both->goal, &path);
}

/* Whichever allocation fails, search and bound say so, and the next run finds the path. */
static void each_allocation_of_gates_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    halls both = two_halls_in(&failing.allocator);
    cairn_search *search;
    cairn_path path;

    open_door(&both);
    for (unsigned by_bound = 0; by_bound < 2; by_bound++) {
        bool was_struck = true;
        for (size_t n = 1; was_struck; n++) {
            const cairn_edit other = cairn_terrain(WALL, 3 + by_bound, n % 2 ? '.' : '@');
            assert_int_equal(cairn_search_new(both.map, both.table, NULL, &search), CAIRN_OK);
            assert_int_equal(cairn_map_edit(both.map, &other, 1), CAIRN_OK);
            failing_allocator_arm(&failing, n);
            cairn_status status = ask(&both, search, by_bound);
            was_struck = failing_allocator_struck(&failing);
            assert_true(was_struck || n > 6);
            assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
            failing_allocator_arm(&failing, 0);
            assert_int_equal(cairn_search_run(search, both.start, both.goal, &path), CAIRN_OK);
            assert_int_equal(path.row_count, ROWS);
            cairn_search_free(search);
        }
    }
    free_halls(&both);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

/* What a search and a bound make for a table is counted, and made once. */
static void gates_are_made_once_for_a_table(void **state)
{
    (void)state;
    failing_allocator counted;
    failing_allocator_init(&counted);
    halls both = two_halls_in(&counted.allocator);
    cairn_bound bound, bare;
    cairn_cost bounds[SIDE];
    cairn_node row[SIDE];

    open_door(&both);
    const size_t before = counted.held, table_before = cairn_table_memory(both.table);
    const size_t map_before = cairn_map_memory(both.map);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(cairn_bound_to(both.map, both.table, both.goal, &bound), CAIRN_OK);
        assert_by_gates(&both, both.map, both.table);
        assert_int_equal(cairn_bound_to(both.map, NULL, both.goal, &bare), CAIRN_OK);
        assert_true(cairn_bound_at(&bound, both.start) > 3 * cairn_bound_at(&bare, both.start));
        const size_t made = cairn_table_memory(both.table) - table_before;
        assert_true(made > 0);
        assert_int_equal(counted.held - before, made + cairn_map_memory(both.map) - map_before);
    }
    for (uint32_t x = 0; x < SIDE; x++)
        row[x] = cairn_node_at(both.map, x, 2);
    cairn_bounds_at(&bound, row, SIDE, bounds);
    for (uint32_t x = 0; x < SIDE; x++)
        assert_int_equal(bounds[x], cairn_bound_at(&bound, row[x]));
    free_halls(&both);
    assert_int_equal(counted.held, 0);
}

/* The door opens among more edits than the journal holds; only a later one is listed. */
static void rows_that_lack_more_than_is_listed_are_left_out(void **state)
{
    enum { MORE_THAN_A_JOURNAL = 10000 };
    (void)state;
    halls both = two_halls();
    cairn_edit later = cairn_open(WALL, SIDE - 4);

    open_door(&both);
    for (uint32_t i = 0; i < MORE_THAN_A_JOURNAL; i++) {
        cairn_edit edit = i % 2 ? cairn_open(0, SIDE - 1) : cairn_block(0, SIDE - 1);
        assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
    }
    assert_int_equal(cairn_refresh_step(both.table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_int_equal(cairn_map_edit(both.map, &later, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(both.table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_int_equal(assert_path(&both, both.map, both.table).row_count, 0);
    free_halls(&both);
}

/* Ground of two factors far apart, one cell in four of the dear one. */
static cairn_map *steep_ground(cairn_rule rule, cairn_charge charge, picture *drawn)
{
    cairn_alphabet alphabet;
    const cairn_map_options options = {
        .size = sizeof options, .rule = rule, .charge = charge, .alphabet = &alphabet};
    dice luck = {5};
    cairn_map *map;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("S=1000", 6, &alphabet, NULL), CAIRN_OK);
    *drawn = picture_filled(STEEP_SIDE, STEEP_SIDE, '.');
    for (uint32_t i = 0; i < STEEP_SIDE * STEEP_SIDE; i++)
        drawn->letters[i] = "...S"[dice_below(&luck, 4)];
    assert_int_equal(
        cairn_map_from_letters(STEEP_SIDE, STEEP_SIDE, drawn->letters, &options, &map, NULL),
        CAIRN_OK);
    return map;
}

static uint64_t expanded_in_all(const cairn_map *map, const cairn_table *table)
{
    enum { QUERIES = 20 };
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    dice luck = {9};
    uint64_t sum = 0;
    for (unsigned i = 0; i < QUERIES; i++) {
        cairn_path path;
        const cairn_node start = dice_below(&luck, STEEP_SIDE * STEEP_SIDE);
        const cairn_node goal = dice_below(&luck, STEEP_SIDE * STEEP_SIDE);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        sum += path.expanded;
    }
    cairn_search_free(search);
    return sum;
}

/* Some cells close, their edits are applied, and they open again. */
static void open_some_again(cairn_map *map, cairn_table *table, const picture *drawn,
                            uint32_t count)
{
    dice luck = {count};
    cairn_edit open[STEEP_CELLS_MOST];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell = dice_below(&luck, STEEP_SIDE * STEEP_SIDE);
        const uint32_t x = cell % STEEP_SIDE, y = cell / STEEP_SIDE;
        const cairn_edit block = cairn_block(x, y);
        open[i] = cairn_terrain(x, y, drawn->letters[cell]);
        assert_int_equal(cairn_map_edit(map, &block, 1), CAIRN_OK);
    }
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, open, count), CAIRN_OK);
}

/* A few cells that open cost few expansions. After many, rows either save much or are not used. */
static void openings_cost_little_where_factors_are_far_apart(void **state)
{
    static const uint32_t counts[] = {1, 6, STEEP_CELLS_MOST};
    (void)state;
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        for (unsigned i = 0; i < 2 * COUNT_OF(counts); i++) {
            picture drawn;
            const cairn_charge charge = i % 2 ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
            cairn_map *map = steep_ground((cairn_rule)rule, charge, &drawn);
            cairn_table *table = table_of(map, ROWS);
            const uint32_t count = counts[i / 2];
            const uint64_t bare = expanded_in_all(map, NULL), fresh = expanded_in_all(map, table);
            assert_true(fresh * 4 < bare);
            open_some_again(map, table, &drawn, count);
            const uint64_t by_gates = expanded_in_all(map, table);
            if (count < STEEP_CELLS_MOST)
                assert_true(by_gates * 2 < fresh * 3);
            else
                assert_true(by_gates * 2 < bare || by_gates == bare);
            cairn_table_free(table);
            cairn_map_free(map);
            picture_free(&drawn);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_serve_as_soon_as_a_door_has_opened),
        cmocka_unit_test(rows_serve_while_they_wait_for_their_repair),
        cmocka_unit_test(a_row_in_repair_is_left_out_and_fresh_rows_leave_their_gates),
        cmocka_unit_test(readers_of_a_world_have_gates_too),
        cmocka_unit_test(a_door_that_closes_again_leaves_no_gate),
        cmocka_unit_test(very_many_opened_cells_take_no_gates),
        cmocka_unit_test(each_allocation_of_gates_may_fail),
        cmocka_unit_test(gates_are_made_once_for_a_table),
        cmocka_unit_test(rows_that_lack_more_than_is_listed_are_left_out),
        cmocka_unit_test(openings_cost_little_where_factors_are_far_apart),
    };
    return cmocka_run_group_tests_name("gates", tests, NULL, NULL);
}
