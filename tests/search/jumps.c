/* Jump points under every rule, at uniform costs and on every terrain, on all pairs of cells of
 * small maps: the costs of an oracle, legal steps, and paths whose corners lie in line. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { SMALL_MAPS = 360, LARGE_MAPS = 4 * MAP_KINDS, QUERIES = 40, EDITED_MAPS = 120, EDITS = 6 };

static const cairn_metric metrics[] = {{2378, 3363}, {1, 1}, {10, 14}, {1, 2}, {40000, 56569}};

/* Without a table and with one, cells wanted and corners alone. */
enum { SEARCHES = 4 };
typedef struct bench {
    cairn_table *table;
    cairn_search *searches[SEARCHES];
} bench;

static bench bench_of(const twin *both)
{
    bench made = {.table = table_of(both->map, 2)};
    for (unsigned i = 0; i < SEARCHES; i++) {
        cairn_search_options options = {.size = sizeof options,
                                        .space = i % 2 ? CAIRN_SPACE_JUMP : CAIRN_SPACE_AUTO,
                                        .form = i % 2 ? CAIRN_FORM_CELLS : CAIRN_FORM_CORNERS};
        assert_int_equal(
            cairn_search_new(both->map, i / 2 ? made.table : NULL, &options, &made.searches[i]),
            CAIRN_OK);
    }
    return made;
}

static void bench_free(bench *made)
{
    for (unsigned i = 0; i < SEARCHES; i++)
        cairn_search_free(made->searches[i]);
    cairn_table_free(made->table);
}

static bool is_in_line(const twin *both, cairn_node from, cairn_node to)
{
    int64_t width = both->drawn.width, across = (int64_t)(to % width) - from % width;
    int64_t down = to / width - from / width;
    return across == 0 || down == 0 || llabs(across) == llabs(down);
}

static void check_query(const twin *both, cairn_search *search, cairn_node start, cairn_node goal,
                        uint64_t cost)
{
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.space, CAIRN_SPACE_JUMP);
    assert_int_equal(path.cost, cost_of(cost));
    assert_int_equal(path.outcome, cost == ORACLE_NEVER ? CAIRN_PATH_NONE : CAIRN_PATH_FOUND);
    if (cost == ORACLE_NEVER)
        return;
    assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
    assert_int_equal(path.nodes[0], start);
    assert_int_equal(path.nodes[path.node_count - 1], goal);
    assert_true(oracle_arc_path(&both->arcs, path.nodes, path.node_count) == cost);
    assert_int_equal(path.corners[0], start);
    assert_int_equal(path.corners[path.corner_count - 1], goal);
    for (size_t i = 1; i < path.corner_count && both->rule != ORACLE_HEX; i++)
        assert_true(is_in_line(both, path.corners[i - 1], path.corners[i]));
}

static void check_goal(const twin *both, const bench *searches, cairn_node goal, cairn_node start)
{
    uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    cairn_node first = start == CAIRN_NO_NODE ? 0 : start;
    cairn_node last = start == CAIRN_NO_NODE ? both->arcs.node_count - 1 : start;
    for (cairn_node from = first; from <= last; from++) {
        for (unsigned i = 0; i < SEARCHES && twin_is_open(both, from); i++)
            check_query(both, searches->searches[i], from, goal, costs[from]);
    }
    free(costs);
}

/* Every rule meets every terrain; every second map is of uniform costs. */
static terrain_kind terrain_of(uint64_t seed)
{
    uint64_t round = seed / ORACLE_RULES;
    return round % 2 ? (terrain_kind)(round / 2 % TERRAIN_KINDS) : TERRAIN_UNIFORM;
}

static void check_small(uint64_t seed, dice *luck)
{
    uint32_t width = 2 + dice_below(luck, 7), height = 2 + dice_below(luck, 7);
    map_kind kind = seed / ORACLE_RULES % 2 ? MAP_SPARSE : MAP_CLUTTERED;
    uint64_t drawn = seed - seed % MAP_KINDS + kind;
    twin both = twin_sized(drawn, (oracle_rule)(seed % ORACLE_RULES), terrain_of(seed),
                           metrics[seed % 7 % COUNT_OF(metrics)], width, height);
    bench searches = bench_of(&both);
    for (cairn_node goal = 0; goal < both.arcs.node_count; goal++) {
        if (twin_is_open(&both, goal))
            check_goal(&both, &searches, goal, CAIRN_NO_NODE);
    }
    bench_free(&searches);
    twin_free(&both);
}

static void every_pair_of_small_maps_costs_what_the_oracle_says(void **state)
{
    (void)state;
    dice luck = {31};
    for (uint64_t seed = 0; seed < seeds_to(SMALL_MAPS); seed = seed_after(seed))
        check_small(seed, &luck);
}

/* Lines of more than a word, on every kind of map. */
static void check_large(uint64_t seed, dice *luck)
{
    picture sizes = any_map(seed);
    twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES), terrain_of(seed / 2),
                           metrics[seed % 3], sizes.width, sizes.height);
    bench searches = bench_of(&both);
    for (unsigned i = 0; i < QUERIES && picture_open_count(&both.drawn); i++)
        check_goal(&both, &searches, dice_open_cell(luck, &both.drawn),
                   dice_open_cell(luck, &both.drawn));
    bench_free(&searches);
    twin_free(&both);
    picture_free(&sizes);
}

static void larger_maps_agree_on_every_instruction_set(void **state)
{
    (void)state;
    static const char *const levels[] = {"off", "avx2", NULL};
    dice luck = {32};
    for (uint64_t seed = 0; seed < seeds_to(LARGE_MAPS); seed = seed_after(seed)) {
        const char *level = levels[seed % COUNT_OF(levels)];
        if (level)
            setenv("CAIRN_SIMD", level, 1);
        else
            unsetenv("CAIRN_SIMD");
        check_large(seed, &luck);
    }
    unsetenv("CAIRN_SIMD");
}

/* Open, closed and other letters between queries of the same searches. */
static void edits_between_queries_leave_paths_exact(void **state)
{
    (void)state;
    dice luck = {33};
    for (uint64_t seed = 0; seed < seeds_to(EDITED_MAPS); seed = seed_after(seed)) {
        twin both = twin_of(seed, (oracle_rule)(seed % ORACLE_RULES),
                            (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS), metrics[0]);
        bench searches = bench_of(&both);
        for (unsigned i = 0; i < EDITS; i++) {
            twin_edit(&both, &luck);
            cairn_node goal = dice_below(&luck, both.arcs.node_count);
            if (twin_is_open(&both, goal))
                check_goal(&both, &searches, goal, CAIRN_NO_NODE);
        }
        bench_free(&searches);
        twin_free(&both);
    }
}

/* On a chessboard of blocks most cells of a diagonal are left by runs, all over the map. A search
 * that may cut corners puts few of their ends on its list for each node that it expands. */
static void diagonals_across_a_chessboard_break_off(void **state)
{
    enum { SIDE = 240, BLOCK = 2, ARCS_MOST = 4 };
    (void)state;
    picture drawn = picture_filled(SIDE, SIDE, '.');
    const cairn_map_options options = {.size = sizeof options, .rule = CAIRN_RULE_8_ANY};
    dice luck = {1};
    uint64_t expanded = 0, generated = 0;
    cairn_map *map;

    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        drawn.letters[i] = (i % SIDE / BLOCK + i / SIDE / BLOCK) % 2 ? '@' : '.';
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    for (unsigned i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_below(&luck, SIDE * SIDE);
        const cairn_node goal = dice_below(&luck, SIDE * SIDE);
        cairn_path path;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        expanded += path.expanded;
        generated += path.generated;
    }
    assert_true(expanded > QUERIES && generated < ARCS_MOST * expanded);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_small_maps_costs_what_the_oracle_says),
        cmocka_unit_test(larger_maps_agree_on_every_instruction_set),
        cmocka_unit_test(edits_between_queries_leave_paths_exact),
        cmocka_unit_test(diagonals_across_a_chessboard_break_off),
    };
    return cmocka_run_group_tests_name("jumps", tests, NULL, NULL);
}
