/* Every rule, terrain and charge, and graphs, against a list of arcs and Bellman and Ford. */
#include "table.h"

#include "support/arcs_oracle.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { MAPS = 2 * MAP_KINDS, ROWS = 3, QUERIES = 12 };

typedef enum ground_kind {
    GROUND_PLAIN, GROUND_ENTERED, GROUND_AVERAGE, GROUND_ONE_WAY, GROUND_KINDS
} ground_kind;

/* A map of one kind, twice: the library's and the oracle's. */
typedef struct twin {
    picture drawn;
    cairn_map *map;
    oracle_arcs arcs;
} twin;

static const char letters_of_ground[] = ".SGK";
static const uint16_t factors_of_ground[] = {1, 3, 2, 255};

static void scatter(picture *drawn, ground_kind kind, dice *luck)
{
    static const char one_way[] = "^v<>";
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        if (!picture_is_open(drawn, node % drawn->width, node / drawn->width))
            drawn->letters[node] = '@';
        else if (kind == GROUND_ONE_WAY && dice_below(luck, 5) == 0)
            drawn->letters[node] = one_way[dice_below(luck, 4)];
        else
            drawn->letters[node] = letters_of_ground[kind == GROUND_PLAIN ? 0
                                                                          : dice_below(luck, 4)];
    }
}

static cairn_alphabet alphabet_of(ground_kind kind)
{
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    if (kind == GROUND_PLAIN)
        return alphabet;
    for (unsigned i = 0; i < sizeof factors_of_ground / sizeof *factors_of_ground; i++)
        alphabet.cost[(uint8_t)letters_of_ground[i]] = factors_of_ground[i];
    if (kind == GROUND_ONE_WAY)
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    return alphabet;
}

static oracle_ground ground_of(ground_kind kind)
{
    cairn_alphabet alphabet = alphabet_of(kind);
    oracle_ground ground = {.average = kind == GROUND_AVERAGE};
    for (unsigned letter = 0; letter < 256; letter++)
        ground.factor[letter] = alphabet.cost[letter] == CAIRN_TERRAIN_BLOCKED
                                    ? 0 : alphabet.cost[letter];
    return ground;
}

/* The arcs of the picture as it is now. */
static void list_arcs(twin *both, oracle_rule rule, ground_kind kind)
{
    oracle_ground ground = ground_of(kind);
    cairn_metric metric = cairn_map_metric(both->map);
    bool halves = ground.average && (metric.straight % 2 || metric.diagonal % 2);
    assert_int_equal(cairn_map_unit(both->map), halves ? 2 : 1);
    both->arcs = oracle_arcs_of(&both->drawn, rule, steps_of(metric), halves ? 2 : 1, &ground);
}

static twin twin_of(uint64_t seed, oracle_rule rule, ground_kind kind, cairn_metric metric)
{
    static const cairn_rule rules[] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ONE_SIDE,
                                       CAIRN_RULE_8_ANY, CAIRN_RULE_HEX};
    dice luck = {seed};
    twin made = {.drawn = random_map((map_kind)(seed % MAP_KINDS), 9 + (uint32_t)(seed % 7),
                                     8 + (uint32_t)(seed % 5), seed)};
    cairn_alphabet alphabet = alphabet_of(kind);
    cairn_map_options options = {.size = sizeof options, .metric = metric, .rule = rules[rule],
                                 .alphabet = &alphabet};

    options.charge = kind == GROUND_AVERAGE ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
    scatter(&made.drawn, kind, &luck);
    assert_int_equal(cairn_map_from_letters(made.drawn.width, made.drawn.height,
                                            made.drawn.letters, &options, &made.map, NULL),
                     CAIRN_OK);
    list_arcs(&made, rule, kind);
    return made;
}

static void twin_free(twin *both)
{
    cairn_map_free(both->map);
    oracle_arcs_free(&both->arcs);
    picture_free(&both->drawn);
}

static bool is_open(const twin *both, uint32_t node)
{
    return cairn_map_is_open(both->map, node);
}

static void assert_costs(const twin *both, const cairn_cost *given, const uint64_t *expected)
{
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (is_open(both, node))
            assert_int_equal(given[node], cost_of(expected[node]));
}

/* Floods both ways from one open cell. */
static void assert_floods(const twin *both, uint32_t node)
{
    cairn_cost *given = calloc(both->arcs.node_count, sizeof *given);
    assert_non_null(given);
    for (oracle_way way = ORACLE_FROM; way <= ORACLE_TO; way++) {
        uint64_t *expected = oracle_arc_costs(&both->arcs, way, &node, 1);
        cairn_status status = way == ORACLE_FROM ? cairn_costs_from(both->map, &node, 1, given)
                                                 : cairn_costs_to(both->map, &node, 1, given);
        assert_int_equal(status, CAIRN_OK);
        assert_costs(both, given, expected);
        free(expected);
    }
    free(given);
}

static void assert_row(const twin *both, const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    cairn_way way = cairn_table_way(table, row);
    uint64_t *expected = oracle_arc_costs(&both->arcs,
                                          way == CAIRN_WAY_TO ? ORACLE_TO : ORACLE_FROM,
                                          landmarks, count);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (is_open(both, node))
            assert_int_equal(cairn_table_cost(table, row, node), cost_of(expected[node]));
    free(expected);
}

static void assert_bound(const twin *both, const cairn_table *table, uint32_t goal,
                         const uint64_t *to_goal)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(both->map, table, goal, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (is_open(both, node))
            assert_true(cairn_bound_at(&bound, node) <= cost_of(to_goal[node]));
    for (size_t i = 0; i < both->arcs.count; i++) {
        const oracle_arc *arc = &both->arcs.list[i];
        uint64_t after = cairn_bound_at(&bound, arc->to);
        if (after != CAIRN_UNREACHABLE)
            assert_true(cairn_bound_at(&bound, arc->from) <= arc->cost + after);
    }
}

static void assert_search(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search *search;
    assert_int_equal(cairn_search_new(both->map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++) {
        uint32_t start = dice_below(luck, both->arcs.node_count);
        uint32_t goal = dice_below(luck, both->arcs.node_count);
        cairn_path path;
        if (!is_open(both, start) || !is_open(both, goal))
            continue;
        uint64_t *to_goal = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
        assert_bound(both, table, goal, to_goal);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost_of(to_goal[start]));
        if (path.outcome == CAIRN_PATH_FOUND)
            assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
        free(to_goal);
    }
    cairn_search_free(search);
}

/* Through the file and back: the same map, the same rows; a flipped byte is never taken. */
static void assert_file(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_map *map;
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(both->map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(both->map));
    assert_int_equal(cairn_map_kind_of(map), cairn_map_kind_of(both->map));
    assert_int_equal(cairn_table_row_count(loaded), cairn_table_row_count(table));
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        assert_row(both, loaded, row);
    assert_int_equal(cairn_table_verify(loaded, map, 1, NULL), CAIRN_OK);
    cairn_map_free(map);
    cairn_table_free(loaded);

    bytes[dice_below(luck, (uint32_t)size)] ^= 0x10;
    assert_int_not_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    assert_null(map);
    cairn_bytes_free(both->map, bytes);
}

/* What a bound, a weight and an order of ties may come to. */
static void assert_option(const twin *both, const cairn_table *table,
                          const cairn_search_options *options, uint32_t start, uint32_t goal,
                          uint64_t least)
{
    cairn_search *search;
    cairn_path path;
    uint32_t weight = options->weight ? options->weight : 1000;
    bool admissible = cairn_bound_is_admissible(both->map, options->plain);

    assert_int_equal(cairn_search_new(both->map, table, options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (least == ORACLE_NEVER) {
        assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    } else {
        assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
        assert_int_equal(path.guarantee, admissible ? weight : 0);
        assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
        assert_true(path.cost >= least);
        if (admissible)
            assert_true((uint64_t)path.cost * 1000 <= least * weight);
    }
    cairn_search_free(search);
}

/* Whether no path is cheaper than the distance, from any node to a goal. */
static bool never_exceeds(const twin *both, cairn_plain plain, uint32_t goal,
                          const uint64_t *to_goal)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_with(both->map, NULL, goal, plain, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (is_open(both, node) && cairn_bound_at(&bound, node) > cost_of(to_goal[node]))
            return false;
    return true;
}

static void assert_options(const twin *both, const cairn_table *table, dice *luck)
{
    static const uint32_t weights[] = {0, 1100, 2500};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    bool is_graph = cairn_map_kind_of(both->map) == CAIRN_MAP_GRAPH;

    if (!is_open(both, start) || !is_open(both, goal))
        return;
    uint64_t *to_goal = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    for (cairn_plain plain = CAIRN_PLAIN_BEST; plain <= CAIRN_PLAIN_SQUARED; plain++) {
        cairn_search_options options = {.size = sizeof options, .plain = plain};
        if (is_graph && plain > CAIRN_PLAIN_ZERO && plain != CAIRN_PLAIN_EUCLIDEAN) {
            cairn_search *search;
            assert_int_equal(cairn_search_new(both->map, table, &options, &search),
                             CAIRN_E_ARGUMENT);
            continue;
        }
        if (cairn_bound_is_admissible(both->map, plain))
            assert_true(never_exceeds(both, plain, goal, to_goal));
        for (unsigned ties = CAIRN_TIES_LAST; ties <= CAIRN_TIES_LARGER_G; ties++) {
            for (unsigned weight = 0; weight < COUNT_OF(weights); weight++) {
                options.ties = (cairn_ties)ties;
                options.weight = weights[weight];
                assert_option(both, ties == 1 ? NULL : table, &options, start, goal,
                              to_goal[start]);
            }
        }
    }
    free(to_goal);
}

/* One expansion at a time comes to the same as all at once, and every node can be looked at. */
static void assert_steps(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search_options options = {.size = sizeof options, .resumable = true};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    cairn_search *search;
    cairn_path whole, path;
    cairn_node_info info;
    uint64_t steps = 0;

    assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &whole), CAIRN_OK);
    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED) {
        assert_int_equal(path.expanded, steps++);
        assert_int_equal(cairn_search_look(search, start, &info), CAIRN_OK);
        assert_int_equal(info.state, steps > 1 ? CAIRN_NODE_CLOSED : CAIRN_NODE_OPEN);
        assert_int_equal(info.parent, start);
        assert_true(info.g == 0 && info.f == info.h);
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_OK);
    }
    assert_int_equal(path.outcome, whole.outcome);
    assert_int_equal(path.cost, whole.cost);
    assert_int_equal(path.expanded, whole.expanded);
    assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
    cairn_search_free(search);
}

/* Where no path leads, the nearest node that one leads to. */
static void assert_nearest(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search_options options = {.size = sizeof options, .nearest = true};
    uint32_t start = dice_below(luck, both->arcs.node_count);
    uint32_t goal = dice_below(luck, both->arcs.node_count);
    cairn_search *search;
    cairn_path path;
    cairn_bound bound;

    if (!is_open(both, start))
        return;
    uint64_t *from_start = oracle_arc_costs(&both->arcs, ORACLE_FROM, &start, 1);
    assert_int_equal(cairn_search_new(both->map, table, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, from_start[goal] == ORACLE_NEVER ? CAIRN_PATH_NEAREST
                                                                    : CAIRN_PATH_FOUND);
    assert_true(path.node_count > 0 && path.nodes[0] == start);
    uint32_t end = path.nodes[path.node_count - 1];
    assert_int_equal(path.cost, from_start[end]);
    assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
    assert_int_equal(cairn_bound_to(both->map, NULL, goal, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (from_start[node] != ORACLE_NEVER)
            assert_true(cairn_bound_at(&bound, node) >= cairn_bound_at(&bound, end));
    cairn_search_free(search);
    free(from_start);
}

static void assert_tables(twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    uint32_t rows = cairn_table_row_count(table);
    dice luck = {seed};

    assert_int_equal(rows, cairn_map_is_directed(both->map) ? 2 * ROWS : ROWS);
    assert_int_equal(cn_table_check(table, both->map), CAIRN_OK);
    for (uint32_t row = 0; row < rows; row++)
        assert_row(both, table, row);
    assert_int_equal(cairn_table_verify(table, both->map, 1, NULL), CAIRN_OK);
    assert_search(both, table, &luck);
    assert_search(both, NULL, &luck);
    assert_options(both, table, &luck);
    assert_steps(both, table, &luck);
    assert_nearest(both, table, &luck);
    assert_file(both, table, &luck);

    for (unsigned i = 0; i < 4; i++) {
        uint32_t node = dice_below(&luck, both->arcs.node_count);
        uint32_t row = dice_below(&luck, rows);
        cairn_cost cost = cairn_table_cost(table, row, node);
        if (!is_open(both, node) || cost == CAIRN_UNREACHABLE)
            continue;
        assert_int_equal(cairn_table_set_cost(table, row, node, cost + 1), CAIRN_OK);
        assert_int_equal(cairn_table_verify(table, both->map, 1, NULL), CAIRN_E_INEXACT);
        assert_int_equal(cairn_table_set_cost(table, row, node, cost), CAIRN_OK);
    }
    cairn_table_free(table);
}

static void every_rule_and_terrain_gives_the_oracles_costs(void **state)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < GROUND_KINDS; kind++) {
                cairn_metric metric = metrics[(seed + rule + kind) % COUNT_OF(metrics)];
                twin both = twin_of(seed, (oracle_rule)rule, (ground_kind)kind, metric);
                for (uint32_t node = 0; node < both.arcs.node_count; node++) {
                    if (!is_open(&both, node))
                        continue;
                    assert_floods(&both, node);
                    break;
                }
                assert_tables(&both, seed);
                twin_free(&both);
            }
        }
    }
}

/* --------------------------------------------------------------------------------- edits -- */

static void edit_somewhere(twin *both, oracle_rule rule, ground_kind kind, dice *luck)
{
    static const char letters[] = "@@@.SGK^v<>";
    uint32_t node = dice_below(luck, picture_size(&both->drawn));
    unsigned choice = kind == GROUND_PLAIN ? 4 : kind == GROUND_ONE_WAY ? 11 : 7;
    char letter = letters[dice_below(luck, choice)];
    cairn_edit edit = cairn_terrain(node % both->drawn.width, node / both->drawn.width, letter);

    both->drawn.letters[node] = letter;
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    oracle_arcs_free(&both->arcs);
    list_arcs(both, rule, kind);
}

static void edits_of_every_kind_of_map_keep_searches_optimal_and_refresh_exact(void **state)
{
    static const cairn_budget budgets[] = {CAIRN_CELLS(0), CAIRN_CELLS(30), CAIRN_UNLIMITED};
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            for (unsigned kind = 0; kind < GROUND_KINDS; kind++) {
                dice luck = {seed + 31 * rule + kind};
                twin both = twin_of(seed, (oracle_rule)rule, (ground_kind)kind,
                                    (cairn_metric){10, 14});
                cairn_table *table = table_with(both.map, ROWS, 1, seed);
                for (unsigned round = 0; round < 6; round++) {
                    edit_somewhere(&both, (oracle_rule)rule, (ground_kind)kind, &luck);
                    assert_search(&both, table, &luck);
                    cairn_status status = cairn_refresh_step(table, both.map, budgets[round % 3]);
                    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
                    assert_search(&both, table, &luck);
                }
                assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
                for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
                    assert_row(&both, table, row);
                assert_int_equal(cn_table_check(table, both.map), CAIRN_OK);
                cairn_table_free(table);
                twin_free(&both);
            }
        }
    }
}

/* ------------------------------------------------------------------------------- graphs -- */

static twin graph_of(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric, bool placed)
{
    dice luck = {seed};
    twin made = {.arcs = {.node_count = nodes}};
    cairn_arc *list = calloc(arcs + 1u, sizeof *list);
    int32_t *x = calloc(nodes, sizeof *x), *y = calloc(nodes, sizeof *y);
    static const uint32_t scales[] = {1, 3, 1000, 10000000};
    uint32_t most = scales[seed % COUNT_OF(scales)];

    assert_true(list && x && y);
    made.arcs.list = calloc(arcs + 1u, sizeof *made.arcs.list);
    assert_non_null(made.arcs.list);
    for (uint32_t i = 0; i < arcs; i++) {
        bool back = symmetric && i % 2;
        cairn_arc arc = {dice_below(&luck, nodes), dice_below(&luck, nodes),
                         1 + dice_below(&luck, most)};
        if (back)
            arc = (cairn_arc){list[i - 1].to, list[i - 1].from, list[i - 1].cost};
        list[i] = arc;
        made.arcs.list[made.arcs.count++] = (oracle_arc){arc.from, arc.to, arc.cost};
    }
    for (uint32_t node = 0; node < nodes; node++) {
        x[node] = (int32_t)dice_below(&luck, 2000000000) - 1000000000;
        y[node] = (int32_t)dice_below(&luck, 1u << (seed % 31)) - 500;
    }
    assert_int_equal(cairn_map_from_arcs(nodes, list, arcs, placed ? x : NULL, placed ? y : NULL,
                                         NULL, &made.map), CAIRN_OK);
    free(list);
    free(x);
    free(y);
    return made;
}

static void graphs_give_the_oracles_costs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint32_t nodes = 1 + (uint32_t)(seed * 7 % 90);
        uint32_t arcs = (uint32_t)(nodes * (seed % 5)) / 2 * 2;
        twin both = graph_of(seed, nodes, arcs, seed % 3 == 0, seed % 2);
        if (seed % 3 == 0)
            assert_false(cairn_map_is_directed(both.map));
        assert_floods(&both, 0);
        assert_tables(&both, seed);
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_and_terrain_gives_the_oracles_costs),
        cmocka_unit_test(
            edits_of_every_kind_of_map_keep_searches_optimal_and_refresh_exact),
        cmocka_unit_test(graphs_give_the_oracles_costs),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
