/* Placements on every kind of map: exact tables everywhere, and better ones where they search. */
#include "map/map_parts.h"
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { MAPS = MAP_KINDS, ROWS = 3, CANDIDATES = 12 };

static cairn_table *placed(const twin *both, cairn_placement placement, uint32_t rows,
                           uint32_t threads, uint64_t seed)
{
    return table_built(both->map, (cairn_build_options){.landmark_count = rows,
                                                        .thread_count = threads,
                                                        .seed = seed,
                                                        .placement = placement,
                                                        .candidate_count = CANDIDATES});
}

/* The first row has a landmark in each component. */
static void assert_serves_every_component(const twin *both, const cairn_table *table)
{
    const cn_mem mem = cn_mem_from(NULL);
    uint32_t *label = calloc(both->arcs.node_count + 1u, sizeof *label), *sizes, count;
    const cairn_node *landmarks;

    assert_non_null(label);
    assert_int_equal(cn_map_components(both->map, &mem, label, &sizes, &count), CAIRN_OK);
    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(label[landmarks[i]], label[landmarks[j]]);
    cn_release(&mem, sizes);
    free(label);
}

/* Landmarks that are placed alone are those of the table, and as a list give all of them again. */
static void assert_placed_alone(const twin *both, const cairn_table *table,
                                cairn_placement placement, uint64_t seed)
{
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = ROWS,
                                   .seed = seed,
                                   .placement = placement,
                                   .candidate_count = CANDIDATES};
    cairn_node *nodes;
    cairn_table *again;
    assert_int_equal(cairn_landmarks_place(both->map, &options, &nodes, &options.listed_count),
                     CAIRN_OK);
    options.placement = CAIRN_PLACE_LIST;
    options.listed = nodes;
    assert_int_equal(cairn_table_build(both->map, &options, &again), CAIRN_OK);
    assert_same_landmarks(table, again);
    cairn_table_free(again);
    cairn_nodes_free(both->map, nodes);
}

static void assert_placements(const twin *both, uint64_t seed)
{
    dice luck = {seed};
    for (cairn_placement kind = CAIRN_PLACE_AUTO; kind <= CAIRN_PLACE_REFINED; kind++) {
        cairn_table *one = placed(both, kind, ROWS, 1, seed);
        cairn_table *two = placed(both, kind, ROWS, 2, seed);
        assert_same_landmarks(one, two);
        assert_placed_alone(both, one, kind, seed);
        assert_serves_every_component(both, one);
        for (uint32_t row = 0; row < cairn_table_row_count(one); row++)
            assert_row(&both->arcs, both->map, one, row);
        assert_search(both, one, &luck);
        cairn_table_free(one);
        cairn_table_free(two);
    }
}

static void assert_placements_on(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    twin both = twin_of(seed, rule, kind, (cairn_metric){10, 14});
    assert_placements(&both, seed);
    twin_free(&both);
}

static void every_placement_serves_every_kind_of_grid(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), assert_placements_on);
}

/* Random arcs: most graphs have nodes that lead nowhere, or that nothing leads to. */
static void every_placement_serves_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        assert_placements(&both, seed);
        twin_free(&both);
    }
}

/* A dead end is a poor landmark, but it is the caller's. */
static void listed_nodes_are_landmarks_wherever_they_lie(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 7}, {2, 3, 1}, {4, 0, 2}};
    static const cairn_node listed[] = {3, 4, 0};
    cairn_build_options options = {.size = sizeof options,
                                   .placement = CAIRN_PLACE_LIST,
                                   .listed = listed,
                                   .listed_count = COUNT_OF(listed)};
    const cairn_node *landmarks;
    cairn_table *table;
    cairn_map *map;

    (void)state;
    assert_int_equal(cairn_map_from_arcs(5, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    for (uint32_t row = 0; row < 6; row++) {
        assert_int_equal(cairn_table_landmarks(table, row, &landmarks), 1);
        assert_int_equal(landmarks[0], listed[row / 2]);
    }
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* The nodes that may become landmarks, by component. */
typedef struct places {
    uint32_t *label; /* CN_NO_COMPONENT where none may */
    uint32_t *left;  /* how many are no landmark yet */
    uint32_t component_count;
    bool *taken; /* by node */
} places;

static places places_of(const twin *both)
{
    const cn_mem mem = cn_mem_from(NULL);
    const uint32_t count = both->arcs.node_count;
    places all = {.label = calloc(count + 1u, sizeof *all.label),
                  .taken = calloc(count + 1u, sizeof *all.taken)};
    assert_true(all.label && all.taken);
    assert_int_equal(cn_map_components(both->map, &mem, all.label, &all.left, &all.component_count),
                     CAIRN_OK);
    if (cn_map_is_directed(both->map))
        assert_int_equal(
            cn_map_keep_cores(both->map, &mem, all.label, all.left, all.component_count), CAIRN_OK);
    return all;
}

static void places_free(places *all)
{
    const cn_mem mem = cn_mem_from(NULL);
    cn_release(&mem, all->left);
    free(all->label);
    free(all->taken);
}

/* Each component that has nodes left gets one of them. */
static void assert_takes_new_places(places *all, const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(table, row, &landmarks);
    uint32_t wanted = 0, taken = 0;
    for (uint32_t i = 0; i < all->component_count; i++)
        wanted += all->left[i] > 0;
    for (size_t i = 0; i < count; i++) {
        if (all->taken[landmarks[i]])
            continue;
        all->taken[landmarks[i]] = true;
        all->left[all->label[landmarks[i]]]--;
        taken++;
    }
    assert_int_equal(taken, wanted);
}

static void assert_no_landmark_comes_twice(const twin *both, uint64_t seed)
{
    enum { MANY_ROWS = 10 };
    for (cairn_placement kind = CAIRN_PLACE_AUTO; kind < CAIRN_PLACE_LIST; kind++) {
        cairn_table *table = placed(both, kind, MANY_ROWS, 1, seed);
        const uint32_t rows_each = cairn_table_row_count(table) / MANY_ROWS;
        places all = places_of(both);
        for (uint32_t row = 0; row < MANY_ROWS; row++)
            assert_takes_new_places(&all, table, row * rows_each);
        places_free(&all);
        cairn_table_free(table);
    }
}

static void assert_no_landmark_comes_twice_on(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    twin both = twin_of(seed, rule, kind, (cairn_metric){10, 14});
    assert_no_landmark_comes_twice(&both, seed);
    twin_free(&both);
}

/* Also where a component has fewer nodes than there are rows, and where bounds are exact. */
static void no_landmark_comes_twice_while_its_component_has_nodes_left(void **state)
{
    (void)state;
    for_every_kind(seeds_to(4), assert_no_landmark_comes_twice_on);
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        assert_no_landmark_comes_twice(&both, seed);
        twin_free(&both);
    }
}

/* No search expands more than it must there, and so `avoid` has nothing to avoid. */
static void on_open_ground_avoid_goes_to_the_farthest_cells(void **state)
{
    enum { SIDE = 24, AVOIDING_ROWS = 8 };
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 0);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_built(map, (cairn_build_options){.landmark_count = AVOIDING_ROWS,
                                                                .placement = CAIRN_PLACE_AVOID});
    uint64_t nearest[SIDE * SIDE];
    const cairn_node *landmarks;

    memset(nearest, 0xff, sizeof nearest);
    for (uint32_t row = 0; row < AVOIDING_ROWS; row++) {
        uint64_t most = 0, *costs = oracle_row(&drawn, table, row);
        for (uint32_t node = 0; node < SIDE * SIDE; node++)
            most = nearest[node] > most ? nearest[node] : most;
        assert_int_equal(cairn_table_landmarks(table, row, &landmarks), 1);
        assert_true(nearest[landmarks[0]] == most);
        for (uint32_t node = 0; node < SIDE * SIDE; node++)
            nearest[node] = costs[node] < nearest[node] ? costs[node] : nearest[node];
        free(costs);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A square of nodes, each with arcs to its neighbours; the numbers of the nodes tell nothing of
 * where they are. */
enum { LATTICE = 32, LATTICE_NODES = LATTICE * LATTICE };

typedef struct lattice {
    int32_t x[LATTICE_NODES], y[LATTICE_NODES]; /* by node */
    cairn_node at[LATTICE][LATTICE];            /* by y and x */
    cairn_arc arcs[4 * LATTICE_NODES];
    size_t arc_count;
} lattice;

static void add_both(lattice *all, cairn_node one, cairn_node other)
{
    all->arcs[all->arc_count++] = (cairn_arc){one, other, 10};
    all->arcs[all->arc_count++] = (cairn_arc){other, one, 10};
}

static void number_nodes(lattice *all, uint64_t seed)
{
    cairn_node numbers[LATTICE_NODES];
    dice luck = {seed};

    for (uint32_t i = 0; i < LATTICE_NODES; i++) {
        const uint32_t k = dice_below(&luck, i + 1);
        numbers[i] = i;
        const cairn_node other = numbers[k];
        numbers[k] = i;
        numbers[i] = other;
    }
    for (uint32_t i = 0; i < LATTICE_NODES; i++) {
        all->at[i / LATTICE][i % LATTICE] = numbers[i];
        all->x[numbers[i]] = (int32_t)(i % LATTICE);
        all->y[numbers[i]] = (int32_t)(i / LATTICE);
    }
}

static cairn_map *lattice_map(lattice *all, uint64_t seed, bool with_coordinates)
{
    cairn_map *map;

    all->arc_count = 0;
    number_nodes(all, seed);
    for (unsigned y = 0; y < LATTICE; y++) {
        for (unsigned x = 0; x < LATTICE; x++) {
            if (x + 1 < LATTICE)
                add_both(all, all->at[y][x], all->at[y][x + 1]);
            if (y + 1 < LATTICE)
                add_both(all, all->at[y][x], all->at[y + 1][x]);
        }
    }
    assert_int_equal(cairn_map_from_arcs(LATTICE_NODES, all->arcs, all->arc_count,
                                         with_coordinates ? all->x : NULL,
                                         with_coordinates ? all->y : NULL, NULL, &map, NULL),
                     CAIRN_OK);
    return map;
}

/* Two of eight landmarks in each quarter, all of them at its border. */
static void assert_spread_around(const lattice *all, const cairn_table *table)
{
    unsigned in_quarter[4] = {0};
    const cairn_node *landmarks;

    for (uint32_t row = 0; row < 8; row++) {
        assert_int_equal(cairn_table_landmarks(table, row, &landmarks), 1);
        const int32_t x = all->x[landmarks[0]], y = all->y[landmarks[0]];
        assert_true(x % (LATTICE - 1) == 0 || y % (LATTICE - 1) == 0);
        in_quarter[(x >= LATTICE / 2) + 2 * (y >= LATTICE / 2)]++;
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(in_quarter[i], 2);
}

/* Also those of a table that counts steps, whose map has no coordinates. */
static void border_landmarks_of_graphs_lie_around_the_middle_of_their_coordinates(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        lattice all;
        cairn_map *map = lattice_map(&all, i / 2, true);
        cairn_table *table = table_built(map, (cairn_build_options){.landmark_count = 8,
                                                                    .placement = CAIRN_PLACE_BORDER,
                                                                    .step_metric = {i % 2, i % 2}});
        assert_spread_around(&all, table);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

static int by_number(const void *a_, const void *b_)
{
    const cairn_node *a = a_, *b = b_;
    return (*a > *b) - (*a < *b);
}

/* All landmarks, by number, on a map of one component. */
static cairn_node *landmarks_of(cairn_map *map, cairn_placement placement, uint64_t seed)
{
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = ROWS, .seed = seed, .placement = placement};
    cairn_node *nodes;
    size_t count;

    assert_int_equal(cairn_landmarks_place(map, &options, &nodes, &count), CAIRN_OK);
    assert_int_equal(count, ROWS);
    qsort(nodes, count, sizeof *nodes, by_number);
    return nodes;
}

static void without_coordinates_border_landmarks_are_the_farthest_ones(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        lattice all;
        cairn_map *map = lattice_map(&all, seed, false);
        cairn_node *border = landmarks_of(map, CAIRN_PLACE_BORDER, seed);
        cairn_node *farthest = landmarks_of(map, CAIRN_PLACE_FARTHEST, seed);
        assert_memory_equal(border, farthest, ROWS * sizeof *border);
        cairn_nodes_free(map, border);
        cairn_nodes_free(map, farthest);
        cairn_map_free(map);
    }
}

static uint64_t expansions(const cairn_map *map, const cairn_table *table)
{
    uint32_t node_count = cairn_map_node_count(map);
    cairn_search *search;
    cairn_path path;
    uint64_t sum = 0;
    dice luck = {7};

    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < 300; i++) {
        uint32_t start = dice_below(&luck, node_count), goal = dice_below(&luck, node_count);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        sum += path.expanded;
    }
    cairn_search_free(search);
    return sum;
}

/* A cave of some size, with terrain, under a rule; `placement` gives the landmarks. */
static uint64_t expansions_of(cairn_rule rule, bool terrain, cairn_placement placement,
                              uint64_t seed)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options, .rule = rule, .alphabet = &alphabet};
    cairn_build_options build = {.size = sizeof build,
                                 .landmark_count = 4,
                                 .seed = seed,
                                 .candidate_count = 64,
                                 .placement = placement};
    picture drawn = random_map(MAP_CAVE, 60, 50, seed);
    cairn_table *table;
    cairn_map *map;
    dice luck = {seed};

    cairn_alphabet_init(&alphabet);
    alphabet.cost['S'] = 3;
    for (uint32_t node = 0; terrain && node < picture_size(&drawn); node++)
        if (drawn.letters[node] == '.' && dice_below(&luck, 3) == 0)
            drawn.letters[node] = 'S';
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
        CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    uint64_t sum = expansions(map, table);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    return sum;
}

static void greedy_landmarks_expand_less_than_random_ones_on_hexagons_and_terrain(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 2; kind++) {
        uint64_t greedy = 0, random = 0;
        for (uint64_t seed = 0; seed < 6; seed++) {
            cairn_rule rule = kind == 0 ? CAIRN_RULE_HEX : CAIRN_RULE_8;
            greedy += expansions_of(rule, kind == 1, CAIRN_PLACE_GREEDY, seed);
            random += expansions_of(rule, kind == 1, CAIRN_PLACE_RANDOM, seed);
        }
        assert_true(greedy * 100 < random * 95);
    }
}

/* Without options a grid is placed farthest-first, a graph refined among 64 candidates. */
static void defaults_follow_the_kind_of_map(void **state)
{
    (void)state;
    twin maps[] = {twin_of(4, ORACLE_8, TERRAIN_ENTERED, (cairn_metric){10, 14}),
                   twin_graph(5, 200, 700, true, true), twin_callback_graph(6, 150, 600, false)};
    for (unsigned i = 0; i < COUNT_OF(maps); i++) {
        const bool is_graph = cairn_map_kind_of(maps[i].map) == CAIRN_MAP_GRAPH;
        cairn_build_options build = {.size = sizeof build, .landmark_count = 5, .seed = 3};
        cairn_table *by_default, *asked;
        assert_int_equal(cairn_table_build(maps[i].map, &build, &by_default), CAIRN_OK);
        build.placement = is_graph ? CAIRN_PLACE_REFINED : CAIRN_PLACE_FARTHEST;
        build.candidate_count = 64;
        assert_int_equal(cairn_table_build(maps[i].map, &build, &asked), CAIRN_OK);
        assert_same_landmarks(by_default, asked);
        cairn_table_free(by_default);
        cairn_table_free(asked);
        twin_free(&maps[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_placement_serves_every_kind_of_grid),
        cmocka_unit_test(every_placement_serves_graphs),
        cmocka_unit_test(no_landmark_comes_twice_while_its_component_has_nodes_left),
        cmocka_unit_test(on_open_ground_avoid_goes_to_the_farthest_cells),
        cmocka_unit_test(border_landmarks_of_graphs_lie_around_the_middle_of_their_coordinates),
        cmocka_unit_test(without_coordinates_border_landmarks_are_the_farthest_ones),
        cmocka_unit_test(defaults_follow_the_kind_of_map),
        cmocka_unit_test(listed_nodes_are_landmarks_wherever_they_lie),
        cmocka_unit_test(greedy_landmarks_expand_less_than_random_ones_on_hexagons_and_terrain),
    };
    return cmocka_run_group_tests_name("place_kinds", tests, NULL, NULL);
}
