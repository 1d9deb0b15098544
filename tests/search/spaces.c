/* Every space finds what the oracle finds, with every bound and in every metric; its path is legal,
 * as corners and as cells. */
#include <string.h>

#include "search/search.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/paths.h"
#include "support/seeds.h"

enum { MAPS = 16 * MAP_KINDS, GOALS = 3, STARTS = 8, BOUNDS = 3, SPACES = 2 };

/* Beside those of the fixtures: where two straight steps cost a diagonal one, or one does. */
static const cairn_metric metrics[] = {
    {2378, 3363}, {29, 41}, {10, 14}, {5, 7}, {1, 1},
    {1, 2},       {2, 3},   {7, 14},  {3, 3}, {40000, 56569},
};

static int sign(int64_t value)
{
    return (value > 0) - (value < 0);
}

/* The cells from one corner to the next; the corners must lie in line. */
static size_t walk(const picture *drawn, uint32_t from, uint32_t to, uint32_t *cells)
{
    int64_t width = drawn->width;
    int64_t across = (int64_t)(to % width) - from % width, down = to / width - from / width;
    assert_true(across == 0 || down == 0 || llabs(across) == llabs(down));
    size_t count = 0;
    while (from != to) {
        from = (uint32_t)((int64_t)from + sign(across) + sign(down) * width);
        cells[count++] = from;
    }
    return count;
}

static void check_corners(const picture *drawn, const cairn_path *path)
{
    uint32_t *cells = malloc(picture_size(drawn) * sizeof *cells);
    size_t count = 1;
    int64_t last = 0;

    assert_true(path->corner_count >= 1);
    cells[0] = path->corners[0];
    for (size_t i = 1; i < path->corner_count; i++) {
        size_t added = walk(drawn, path->corners[i - 1], path->corners[i], cells + count);
        assert_true(added > 0);
        int64_t step = (int64_t)cells[count] - cells[count - 1];
        assert_true(i == 1 || step != last);
        last = step;
        count += added;
    }
    assert_int_equal(count, path->node_count);
    assert_memory_equal(cells, path->nodes, count * sizeof *cells);
    free(cells);
}

static void run_and_check(cairn_search *search, const picture *drawn, oracle_steps steps,
                          cairn_node start, cairn_node goal, uint64_t cost)
{
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_not_equal(path.space, CAIRN_SPACE_AUTO);
    if (path.outcome == CAIRN_PATH_FOUND)
        assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
    assert_shortest_path(drawn, steps, &path, start, goal, cost);
    if (path.outcome == CAIRN_PATH_FOUND)
        check_corners(drawn, &path);
}

static cairn_search *search_in(const cairn_map *map, const cairn_table *table, cairn_space space,
                               cairn_form form)
{
    return search_with(map, table, (cairn_search_options){.space = space, .form = form});
}

static void check_map(const picture *drawn, cairn_metric metric, dice *luck)
{
    cairn_map *map = map_of(drawn, metric);
    oracle_steps steps = steps_of(metric);
    cairn_table *tables[BOUNDS] = {NULL, table_of(map, 1 + dice_below(luck, 8)),
                                   table_of(map, 9 + dice_below(luck, 30))};
    cairn_search *searches[SPACES][BOUNDS];
    for (int space = 0; space < SPACES; space++) {
        for (int i = 0; i < BOUNDS; i++)
            searches[space][i] = search_in(map, tables[i], (cairn_space)(space + 1),
                                           i == 1 ? CAIRN_FORM_CELLS : CAIRN_FORM_CORNERS);
    }
    for (int i = 0; i < GOALS && picture_open_count(drawn); i++) {
        cairn_node goal = dice_open_cell(luck, drawn);
        uint64_t *costs = oracle_costs(drawn, steps, &goal, 1);
        for (int k = 0; k < STARTS; k++) {
            cairn_node start = k ? dice_open_cell(luck, drawn) : goal;
            for (int which = 0; which < SPACES * BOUNDS; which++)
                run_and_check(searches[which / BOUNDS][which % BOUNDS], drawn, steps, start, goal,
                              costs[start]);
        }
        free(costs);
    }
    for (int which = 0; which < SPACES * BOUNDS; which++)
        cairn_search_free(searches[which / BOUNDS][which % BOUNDS]);
    for (int i = 0; i < BOUNDS; i++)
        cairn_table_free(tables[i]);
    cairn_map_free(map);
}

static void check_many(void)
{
    dice luck = {2718};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed + 1000);
        check_map(&drawn, metrics[seed % COUNT_OF(metrics)], &luck);
        picture_free(&drawn);
    }
}

static void every_space_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_many();
}

static void every_instruction_set_agrees_with_the_oracle(void **state)
{
    (void)state;
    static const char *const levels[] = {"off", "avx2"};
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        setenv("CAIRN_SIMD", levels[i], 1);
        check_many();
    }
    unsetenv("CAIRN_SIMD");
}

/* All pairs: what random pairs on large maps would take long to meet. */
static void every_pair_of_small_maps_agrees_with_the_oracle(void **state)
{
    (void)state;
    dice luck = {161803};
    for (uint64_t seed = 0; seed < seeds_to(40 * COUNT_OF(metrics)); seed = seed_after(seed)) {
        cairn_metric metric = metrics[seed % COUNT_OF(metrics)];
        oracle_steps steps = steps_of(metric);
        map_kind kind = seed / COUNT_OF(metrics) % 2 ? MAP_SPARSE : MAP_CLUTTERED;
        picture drawn = random_map(kind, 3 + dice_below(&luck, 7), 3 + dice_below(&luck, 7), seed);
        cairn_map *map = map_of(&drawn, metric);
        cairn_table *table = table_of(map, 2);
        cairn_search *searches[] = {search_in(map, NULL, CAIRN_SPACE_AUTO, 0),
                                    search_in(map, NULL, CAIRN_SPACE_JUMP, 0),
                                    search_in(map, table, CAIRN_SPACE_JUMP, 0)};
        for (cairn_node goal = 0; goal < picture_size(&drawn); goal++) {
            if (!cairn_map_is_open(map, goal))
                continue;
            uint64_t *costs = oracle_costs(&drawn, steps, &goal, 1);
            for (cairn_node start = 0; start < picture_size(&drawn); start++) {
                for (size_t i = 0; i < COUNT_OF(searches) && cairn_map_is_open(map, start); i++)
                    run_and_check(searches[i], &drawn, steps, start, goal, costs[start]);
            }
            free(costs);
        }
        for (size_t i = 0; i < COUNT_OF(searches); i++)
            cairn_search_free(searches[i]);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Whether a diagonal with very many runs has paused in the last run by cell: at a node that is no
 * corner, or at which no straight run has arrived. */
static bool has_paused(const cairn_search *by_cell, cairn_node start, cairn_node goal)
{
    const cairn_map *map = by_cell->map;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        if (node == start || node == goal || !cn_scratch_knows(&by_cell->scratch, false, node))
            continue;
        const cn_record *record = cn_scratch_record(&by_cell->scratch, false, node);
        if (!cn_corners_is_at(&map->grid, node) || record->parent >> CN_ARRIVAL_SHIFT == 0)
            return true;
    }
    return false;
}

static bool are_alike(const cairn_path *one, const cairn_path *other)
{
    return one->expanded == other->expanded && one->generated == other->generated &&
           one->corner_count == other->corner_count &&
           (!one->corner_count ||
            memcmp(one->corners, other->corners, one->corner_count * sizeof *one->corners) == 0);
}

/* Where diagonals pause other nodes are expanded. */
static void assert_same_run(cairn_search *by_cell, cairn_search *by_corner, cairn_node start,
                            cairn_node goal)
{
    cairn_path one, other;
    assert_int_equal(cairn_search_run(by_cell, start, goal, &one), CAIRN_OK);
    assert_int_equal(cairn_search_run(by_corner, start, goal, &other), CAIRN_OK);
    assert_int_equal(one.outcome, other.outcome);
    assert_int_equal(one.cost, other.cost);
    assert_true(are_alike(&one, &other) || has_paused(by_cell, start, goal));
}

static void assert_same_runs(cairn_map *map, cairn_search *by_cell, cairn_search *by_corner,
                             dice *luck, int queries)
{
    const cairn_node count = cairn_map_node_count(map);
    for (int i = 0; i < queries; i++)
        assert_same_run(by_cell, by_corner, dice_below(luck, count), dice_below(luck, count));
}

static void flip_some_cells(cairn_map *map, dice *luck)
{
    cairn_edit edits[4];
    const size_t count = 1 + dice_below(luck, COUNT_OF(edits));
    for (size_t i = 0; i < count; i++) {
        uint32_t x, y;
        const cairn_node node = dice_below(luck, cairn_map_node_count(map));
        cairn_node_xy(map, node, &x, &y);
        edits[i] = cairn_map_is_open(map, node) ? cairn_block(x, y) : cairn_open(x, y);
    }
    assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
}

/* A search without rows has its records by the corners of its map, and keeps where runs end, but
 * for some time after an edit. It finds the same paths in the same way as one that follows every
 * run again. */
static void jump_points_by_corner_are_those_by_cell(void **state)
{
    enum { ROUNDS = 6, QUERIES = 60 };
    (void)state;
    dice luck = {577215};
    unsigned by_corner_count = 0, by_cell_count = 0, returned = 0;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = picture_magnified(any_map(seed + 4000), 1 + seed / MAP_KINDS % 4);
        cairn_map *map = map_of(&drawn, metrics[seed % COUNT_OF(metrics)]);
        cairn_search *by_cell = search_in(map, NULL, CAIRN_SPACE_JUMP, CAIRN_FORM_CORNERS);
        cairn_search *by_corner = search_in(map, NULL, CAIRN_SPACE_AUTO, CAIRN_FORM_CORNERS);
        for (int round = 0; round < ROUNDS; round++) {
            assert_same_runs(map, by_cell, by_corner, &luck, round % 3 == 1 ? 1 : QUERIES);
            assert_null(by_cell->query.corners);
            by_corner_count += by_corner->query.corners != NULL;
            by_cell_count += by_corner->query.corners == NULL;
            returned += round && by_corner->query.corners != NULL;
            flip_some_cells(map, &luck);
        }
        cairn_search_free(by_corner);
        cairn_search_free(by_cell);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(by_corner_count && by_cell_count && returned);
}

/* Searches of a map with pillars discover few nodes for each that they expand, and agree. */
static void assert_runs_pause(const picture *drawn, const cairn_map_options *options, dice *luck)
{
    enum { QUERIES = 40, PER_NODE = 40, OF_START = 80 };
    cairn_map *map;
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, options, &map, NULL),
        CAIRN_OK);
    cairn_table *table = table_of(map, 4);
    cairn_search *searches[] = {
        search_in(map, NULL, CAIRN_SPACE_CELLS, 0), search_in(map, NULL, CAIRN_SPACE_AUTO, 0),
        search_in(map, NULL, CAIRN_SPACE_JUMP, 0), search_in(map, table, CAIRN_SPACE_AUTO, 0)};
    for (unsigned i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_open_cell(luck, drawn);
        const cairn_node goal = dice_open_cell(luck, drawn);
        cairn_path path, other;
        assert_int_equal(cairn_search_run(searches[0], start, goal, &path), CAIRN_OK);
        for (size_t k = 1; k < COUNT_OF(searches); k++) {
            assert_int_equal(cairn_search_run(searches[k], start, goal, &other), CAIRN_OK);
            assert_int_equal(other.cost, path.cost);
            assert_true(other.generated <= PER_NODE * other.expanded + OF_START);
        }
    }
    for (size_t i = 0; i < COUNT_OF(searches); i++)
        cairn_search_free(searches[i]);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* A search expands hardly more among pillars than it has to, however many runs leave a diagonal;
 * so too where one cell is of other terrain. */
static void runs_among_pillars_pause(void **state)
{
    enum { RULES = CAIRN_RULE_HEX + 1, SIDE = 400 };
    (void)state;
    dice luck = {1618};
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['S'] = 3;
    for (unsigned rule = 0; rule < RULES; rule++) {
        const cairn_map_options options = {
            .size = sizeof options, .rule = (cairn_rule)rule, .alphabet = &alphabet};
        picture drawn = random_map(MAP_PILLARS, SIDE, SIDE, rule);
        assert_runs_pause(&drawn, &options, &luck);
        drawn.letters[dice_open_cell(&luck, &drawn)] = 'S';
        assert_runs_pause(&drawn, &options, &luck);
        picture_free(&drawn);
    }
}

/* On long slopes, where bounds of rows are close and costs differ finely, jump points along rows
 * expand about as many nodes as cells do: none is expanded again and again. */
static void nodes_on_long_slopes_are_expanded_about_once(void **state)
{
    enum { WIDE = 12000, HIGH = 8, CELLS = WIDE * HIGH, QUERIES = 6 };
    static char letters[CELLS];
    static uint16_t levels[CELLS];
    (void)state;
    dice luck = {3};
    const cairn_heights heights = {WIDE, HIGH, levels, 500, 50};
    const cairn_map_options options = {.size = sizeof options, .heights = &heights};
    const cairn_search_options by_cells = {.size = sizeof by_cells, .space = CAIRN_SPACE_CELLS};
    uint64_t cells = 0, jumps = 0;
    cairn_map *map;

    memset(letters, '.', CELLS);
    for (unsigned i = 0; i < CELLS; i++)
        levels[i] = (uint16_t)dice_below(&luck, 9);
    assert_int_equal(cairn_map_from_letters(WIDE, HIGH, letters, &options, &map, NULL), CAIRN_OK);
    cairn_table *table = table_of(map, 4);
    cairn_search *walk = search_with(map, table, by_cells);
    cairn_search *jump = search_with(map, table, (cairn_search_options){.size = sizeof by_cells});
    for (unsigned i = 0; i < QUERIES; i++) {
        const uint32_t start = dice_below(&luck, CELLS), goal = dice_below(&luck, CELLS);
        cairn_path one, other;
        assert_int_equal(cairn_search_run(walk, start, goal, &one), CAIRN_OK);
        assert_int_equal(cairn_search_run(jump, start, goal, &other), CAIRN_OK);
        assert_int_equal(one.cost, other.cost);
        cells += one.expanded;
        jumps += other.expanded;
    }
    assert_in_range(jumps, 1, 2 * cells);
    cairn_search_free(walk);
    cairn_search_free(jump);
    cairn_table_free(table);
    cairn_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_space_agrees_with_the_oracle),
        cmocka_unit_test(every_instruction_set_agrees_with_the_oracle),
        cmocka_unit_test(every_pair_of_small_maps_agrees_with_the_oracle),
        cmocka_unit_test(jump_points_by_corner_are_those_by_cell),
        cmocka_unit_test(runs_among_pillars_pause),
        cmocka_unit_test(nodes_on_long_slopes_are_expanded_about_once),
    };
    return cmocka_run_group_tests_name("spaces", tests, NULL, NULL);
}
