/* The components of every kind of map, through edits that split and join them, against the arcs. */
#include "map/map_parts.h"

#include <pthread.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { ROUNDS = 12, EDITS_MAX = 6 };

static uint32_t find(uint32_t *set, uint32_t at)
{
    while (set[at] != at)
        at = set[at] = set[set[at]];
    return at;
}

/* By node, the lowest node that arcs join it to; for free. */
static uint32_t *oracle_sets(const oracle_arcs *arcs)
{
    uint32_t *set = malloc((arcs->node_count + 1) * sizeof *set);
    assert_non_null(set);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        set[node] = node;
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t a = find(set, arcs->list[i].from), b = find(set, arcs->list[i].to);
        set[a > b ? a : b] = a > b ? b : a;
    }
    for (uint32_t node = 0; node < arcs->node_count; node++)
        set[node] = find(set, node);
    return set;
}

/* Every set has one number, every number one set, with so many cells. */
static void assert_components(const cairn_map *map, const uint32_t *set)
{
    const uint32_t node_count = cairn_map_node_count(map);
    uint32_t *number = malloc(node_count * sizeof *number), count = 0;
    const cn_components *components;

    assert_non_null(number);
    assert_int_equal(cn_map_connect(map, &components), CAIRN_OK);
    uint32_t *cells = calloc(components->limit + 1, sizeof *cells);
    assert_non_null(cells);
    for (uint32_t node = 0; node < node_count; node++) {
        number[node] = cn_component_of(components, node);
        assert_int_equal(number[node] == CN_NO_COMPONENT, !cairn_map_is_open(map, node));
        if (number[node] == CN_NO_COMPONENT)
            continue;
        assert_in_range(number[node], 0, components->limit - 1);
        assert_int_equal(number[node], number[set[node]]);
        if (set[node] == node) {
            assert_int_equal(cells[number[node]], 0);
            count++;
        }
        cells[number[node]]++;
    }
    for (uint32_t i = 0; i < components->limit; i++) {
        const cn_component *component = &components->items[i];
        assert_int_equal(component->regions ? component->size : 0, cells[i]);
    }
    assert_int_equal(components->count, count);
    free(number);
    free(cells);
}

/* Labels are numbered in the order of the lowest nodes. */
static void assert_labels(const cairn_map *map, const uint32_t *set)
{
    const uint32_t node_count = cairn_map_node_count(map);
    uint32_t *label = malloc(node_count * sizeof *label), *sizes, count, seen = 0;

    assert_non_null(label);
    assert_int_equal(cn_map_components(map, &map->mem, label, &sizes, &count), CAIRN_OK);
    for (uint32_t node = 0; node < node_count; node++) {
        const bool is_open = cairn_map_is_open(map, node);
        const uint32_t expected = set[node] == node ? seen : label[set[node]];
        assert_int_equal(label[node], is_open ? expected : CN_NO_COMPONENT);
        seen += is_open && set[node] == node;
        if (is_open)
            sizes[label[node]]--;
    }
    assert_int_equal(count, seen);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(sizes[i], 0);
    cn_release(&map->mem, sizes);
    free(label);
}

static void labels_are_those_of_the_arcs_on_every_kind_of_grid(void **state)
{
    (void)state;
    const uint64_t kinds = (uint64_t)ORACLE_RULES * TERRAIN_KINDS;
    for (uint64_t seed = 0; seed < seeds_to(8 * kinds); seed = seed_after(seed)) {
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS),
                               (cairn_metric){5, 7}, (uint32_t)(1 + seed * 11 % 80),
                               (uint32_t)(1 + seed * 7 % 30));
        uint32_t *set = oracle_sets(&both.arcs);
        assert_labels(both.map, set);
        free(set);
        twin_free(&both);
    }
}

static void assert_connected(const cairn_map *map, const uint32_t *set, dice *luck)
{
    const uint32_t node_count = cairn_map_node_count(map);
    for (unsigned i = 0; i < 20; i++) {
        uint32_t a = dice_below(luck, node_count), b = dice_below(luck, node_count);
        bool expected = cairn_map_is_open(map, a) && cairn_map_is_open(map, b) && set[a] == set[b];
        assert_int_equal(cairn_connected(map, a, b), expected);
    }
}

static void assert_twin(const twin *both, dice *luck)
{
    uint32_t *set = oracle_sets(&both->arcs);
    cairn_map *copy;

    assert_connected(both->map, set, luck);
    assert_components(both->map, set);
    assert_int_equal(cairn_map_clone(both->map, &copy), CAIRN_OK);
    assert_components(copy, set);
    cairn_map_free(copy);
    free(set);
}

/* What one node leads to: by node, whether a path does; for free. */
static bool *oracle_reach(const oracle_arcs *arcs, uint32_t start)
{
    bool *reached = calloc(arcs->node_count, sizeof *reached), grown = true;
    assert_non_null(reached);
    reached[start] = true;
    while (grown) {
        grown = false;
        for (size_t i = 0; i < arcs->count; i++) {
            const oracle_arc *arc = &arcs->list[i];
            if (reached[arc->from] && !reached[arc->to])
                grown = reached[arc->to] = true;
        }
    }
    return reached;
}

static cairn_cost distance_between(const cairn_map *map, uint32_t from, uint32_t to)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(map, NULL, to, &bound), CAIRN_OK);
    return cairn_bound_at(&bound, from);
}

/* Nearest to the goal, then to the start, then the lowest; the start before all of these. */
static uint32_t oracle_nearest(const cairn_map *map, const bool *reached, uint32_t start,
                               uint32_t goal)
{
    uint32_t best = start;
    cairn_cost least = distance_between(map, start, goal), from_start = 0;
    for (uint32_t node = 0; node < cairn_map_node_count(map); node++) {
        cairn_cost distance = reached[node] ? distance_between(map, node, goal) : least + 1;
        if (distance > least)
            continue;
        cairn_cost other = distance_between(map, start, node);
        if (distance == least && other >= from_start)
            continue;
        best = node;
        least = distance;
        from_start = other;
    }
    return best;
}

/* Searches that live through the edits; the one that is watched counts all its expansions. */
typedef struct searches {
    cairn_search *search;
    cairn_search *nearest;
    cairn_search *watched;
    uint64_t *expanded;
} searches;

static void count_one(void *context, cairn_node node)
{
    (void)node;
    ++*(uint64_t *)context;
}

static searches searches_on(const cairn_map *map)
{
    searches made = {.expanded = calloc(1, sizeof *made.expanded)};
    cairn_search_options options = {.size = sizeof options, .nearest = true};
    assert_non_null(made.expanded);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &made.search), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, &options, &made.nearest), CAIRN_OK);
    options.on_expand = count_one;
    options.expand_context = made.expanded;
    assert_int_equal(cairn_search_new(map, NULL, &options, &made.watched), CAIRN_OK);
    return made;
}

static void searches_free(searches *with)
{
    cairn_search_free(with->search);
    cairn_search_free(with->nearest);
    cairn_search_free(with->watched);
    free(with->expanded);
}

/* All expansions of a search for the nearest node. */
static uint64_t work_of(const searches *with, uint32_t start, uint32_t goal)
{
    cairn_path path;
    *with->expanded = 0;
    assert_int_equal(cairn_search_run(with->watched, start, goal, &path), CAIRN_OK);
    return *with->expanded;
}

static void assert_query(const twin *both, const searches *with, uint32_t start, uint32_t goal)
{
    const bool is_connected = cairn_connected(both->map, start, goal);
    bool *reached = oracle_reach(&both->arcs, start);
    cairn_path plain, path;

    assert_int_equal(cairn_search_run(with->search, start, goal, &plain), CAIRN_OK);
    assert_int_equal(plain.outcome == CAIRN_PATH_FOUND, reached[goal]);
    if (!is_connected)
        assert_int_equal(plain.expanded, 0);
    assert_int_equal(cairn_search_run(with->nearest, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.space, plain.space);
    if (reached[goal])
        assert_int_equal(path.expanded, plain.expanded);
    /* Where paths lead back, components tell that no path leads to the goal. */
    else if (both->kind != TERRAIN_ONE_WAY && !both->is_directed)
        assert_int_equal(work_of(with, start, goal),
                         work_of(with, start, path.nodes[path.node_count - 1]));
    assert_int_equal(path.outcome, reached[goal] ? CAIRN_PATH_FOUND : CAIRN_PATH_NEAREST);
    assert_int_equal(path.nodes[0], start);
    assert_int_equal(path.nodes[path.node_count - 1],
                     reached[goal] ? goal : oracle_nearest(both->map, reached, start, goal));
    free(reached);
}

static void assert_queries(const twin *both, const searches *with, dice *luck)
{
    const uint32_t node_count = cairn_map_node_count(both->map);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t start = dice_below(luck, node_count);
        if (cairn_map_is_open(both->map, start))
            assert_query(both, with, start, dice_below(luck, node_count));
    }
}

/* Cells one by one, as twin_edit chooses them. */
static void edit_cells(twin *both, dice *luck)
{
    for (uint32_t left = 1 + dice_below(luck, EDITS_MAX); left; left--)
        twin_edit(both, luck);
}

/* A wall with a gate, or a corridor, in one call. */
static void edit_line(twin *both, dice *luck)
{
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    const bool is_row = dice_below(luck, 2);
    const char letter = dice_below(luck, 3) ? '@' : '.';
    const uint32_t line = dice_below(luck, is_row ? height : width);
    const uint32_t length = is_row ? width : height, gate = dice_below(luck, length);
    cairn_edit edits[128];
    uint32_t node = 0;

    for (uint32_t i = 0; i < length; i++) {
        uint32_t x = is_row ? i : line, y = is_row ? line : i;
        node = y * width + x;
        if (i != gate)
            both->drawn.letters[node] = letter;
        edits[i] = cairn_terrain(x, y, both->drawn.letters[node]);
    }
    assert_int_equal(cairn_map_edit(both->map, edits, length), CAIRN_OK);
    twin_set_letter(both, node, both->drawn.letters[node]);
}

static void check_grid(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed + 5};
    twin both = twin_sized(seed, rule, kind, CAIRN_METRIC_OCTILE, 10 + dice_below(&luck, 60),
                           10 + dice_below(&luck, 40));
    searches with = searches_on(both.map);

    assert_twin(&both, &luck);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (dice_below(&luck, 2))
            edit_cells(&both, &luck);
        else
            edit_line(&both, &luck);
        assert_twin(&both, &luck);
        assert_queries(&both, &with, &luck);
    }
    searches_free(&with);
    twin_free(&both);
}

static void components_are_those_of_the_arcs_through_edits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
            check_grid(seed, (oracle_rule)rule, TERRAIN_UNIFORM);
            check_grid(seed + 1000, (oracle_rule)rule, TERRAIN_ONE_WAY);
        }
        check_grid(seed, (oracle_rule)(seed % ORACLE_RULES),
                   (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS));
    }
}

static void components_of_graphs_are_those_of_the_arcs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        dice luck = {seed};
        twin both = twin_any_graph(seed);
        assert_twin(&both, &luck);
        searches with = searches_on(both.map);
        assert_queries(&both, &with, &luck);
        twin_edit(&both, &luck);
        assert_twin(&both, &luck);
        assert_queries(&both, &with, &luck);
        searches_free(&with);
        twin_free(&both);
    }
}

/* The lowest anchors that steps join anchors to; for free. */
static uint32_t *sets_of_steps(const cairn_map *map)
{
    const uint32_t node_count = cairn_map_node_count(map);
    oracle_arcs joined = {.node_count = node_count};
    joined.list = malloc(8 * (size_t)node_count * sizeof *joined.list);
    assert_non_null(joined.list);
    for (uint32_t node = 0; node < node_count; node++) {
        cairn_arc arcs[8];
        const size_t count = cairn_steps(map, node, arcs, 8);
        for (size_t i = 0; i < count; i++)
            joined.list[joined.count++] = (oracle_arc){.from = node, .to = arcs[i].to};
    }
    uint32_t *set = oracle_sets(&joined);
    free(joined.list);
    return set;
}

static void assert_anchors(cairn_map *units)
{
    uint32_t *set = sets_of_steps(units);
    assert_components(units, set);
    assert_labels(units, set);
    free(set);
}

/* Units on one-way cells that lead apart cannot move: every anchor of a tile may be a component. */
static void anchors_that_no_step_leaves_are_components(void **state)
{
    (void)state;
    enum { SIDE = 56, EDITS = 12 };
    const char letters[] = "^v<>.@";
    char drawn[SIDE * SIDE];
    dice luck = {7};
    cairn_map_options options = {.size = sizeof options};
    cairn_alphabet alphabet;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    options.alphabet = &alphabet;
    for (uint32_t round = 0; round < 8; round++) {
        cairn_map *map, *units;
        options.rule = (cairn_rule)(round % 4);
        for (uint32_t node = 0; node < SIDE * SIDE; node++)
            drawn[node] = round < 4 ? "^v"[(node / SIDE + node) % 2]
                                    : letters[dice_below(&luck, 4)];
        assert_int_equal(cairn_map_from_letters(SIDE, SIDE, drawn, &options, &map, NULL), CAIRN_OK);
        assert_int_equal(
            cairn_map_for_units(map, round < 4 ? 2 : 12, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
        assert_anchors(units);
        for (uint32_t i = 0; i < EDITS; i++) {
            const uint32_t size = 1 + dice_below(&luck, 4);
            const cairn_edit edit = cairn_rectangle(dice_below(&luck, SIDE - 4),
                                                    dice_below(&luck, SIDE - 4), size, size,
                                                    letters[dice_below(&luck, sizeof letters - 1)]);
            assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
            assert_anchors(units);
        }
        cairn_map_free(units);
        cairn_map_free(map);
    }
}

/* A call with edits in several places: cells, and walls or gaps that may part or join. */
static void edit_many_places(cairn_map *map, const char *letters, dice *luck)
{
    enum { MOST = 12 };
    const uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
    const size_t count = 2 + dice_below(luck, MOST - 1);
    cairn_edit edits[MOST];
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = dice_below(luck, width), y = dice_below(luck, height);
        const unsigned shape = dice_below(luck, 6);
        const uint32_t across = shape == 0 ? width - x : shape == 2 ? 1 + (width - x) / 3 : 1;
        const uint32_t down = shape == 1 ? height - y : shape == 2 ? 1 + (height - y) / 3 : 1;
        const char letter = letters[dice_below(luck, (uint32_t)strlen(letters))];
        edits[i] = cairn_rectangle(x, y, across, down, letter);
    }
    assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
}

static void play_with_many_places(uint64_t seed, unsigned rule)
{
    dice luck = {seed + 1};
    picture drawn = random_map((map_kind)(seed % MAP_KINDS), 1 + dice_below(&luck, 120),
                               1 + dice_below(&luck, 120), seed);
    const bool one_way = seed / MAP_KINDS % 3 == 2;
    cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
    cairn_alphabet alphabet;
    cairn_map *map;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    options.alphabet = one_way ? &alphabet : NULL;
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
        CAIRN_OK);
    assert_anchors(map);
    for (unsigned round = 0; round < ROUNDS; round++) {
        edit_many_places(map, one_way ? "@@..^v<>" : "@@@..", &luck);
        assert_anchors(map);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Edits far from one another break a component at several places, or at none. */
static void a_call_may_edit_many_places(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(15 * MAP_KINDS); seed = seed_after(seed))
        play_with_many_places(seed, (unsigned)(seed % ORACLE_RULES));
}

/* Two long corridors side by side with some rungs between them, which calls cut and mend at several
 * places: parts in the middle end before those on both sides of them do. */
static void play_with_ladders(uint64_t seed)
{
    enum { LONGEST = 1500, CUTS = 6 };
    dice luck = {seed + 1};
    const uint32_t width = 100 + dice_below(&luck, LONGEST - 100), rungs = dice_below(&luck, 4);
    const cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)(seed % 5)};
    char letters[3 * LONGEST];
    cairn_edit edits[CUTS];
    cairn_map *map;

    memset(letters, '.', 3 * width);
    memset(letters + width, '@', width);
    for (uint32_t i = 0; i < rungs; i++)
        letters[width + dice_below(&luck, width)] = '.';
    assert_int_equal(cairn_map_from_letters(width, 3, letters, &options, &map, NULL), CAIRN_OK);
    assert_anchors(map);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t count = 2 + dice_below(&luck, CUTS - 1);
        for (size_t i = 0; i < count; i++)
            edits[i] = cairn_terrain(dice_below(&luck, width), 2 * dice_below(&luck, 2),
                                     "@@@."[dice_below(&luck, 4)]);
        assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
        assert_anchors(map);
    }
    cairn_map_free(map);
}

static void a_call_may_cut_corridors_at_several_places(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(100); seed = seed_after(seed))
        play_with_ladders(seed);
}

/* Asks before anybody has. */
static void *ask(void *context)
{
    const cairn_map *map = context;
    const uint32_t node_count = cairn_map_node_count(map);
    uintptr_t joined = 0;
    for (uint32_t node = 0; node < node_count; node += 7)
        joined += cairn_connected(map, node, node_count - 1 - node);
    return (void *)joined;
}

static void threads_may_ask_for_components_at_once(void **state)
{
    enum { THREADS = 4 };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(20); seed = seed_after(seed)) {
        picture drawn = random_map(MAP_ISLANDS, 90, 70, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        pthread_t threads[THREADS];
        void *answer, *expected;

        for (unsigned i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, ask, map), 0);
        expected = NULL;
        for (unsigned i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(threads[i], &answer), 0);
            assert_true(i == 0 || answer == expected);
            expected = answer;
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void assert_picture(const cairn_map *map, const picture *drawn)
{
    uint32_t count, *component = oracle_components(drawn, &count);
    uint32_t *first = calloc(count + 1, sizeof *first);
    assert_non_null(first);
    for (uint32_t node = picture_size(drawn); node-- > 0;) {
        if (component[node] != UINT32_MAX)
            first[component[node]] = node;
    }
    for (uint32_t node = 0; node < picture_size(drawn); node++)
        component[node] = component[node] == UINT32_MAX ? node : first[component[node]];
    assert_components(map, component);
    free(component);
    free(first);
}

/* An edit that finds no memory for them is made all the same. */
static void components_that_found_no_memory_are_found_later(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        picture drawn = random_map(MAP_BROKEN, 60, 50, n);
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
        const char letter = n % 2 ? '.' : '@';
        const cairn_edit edits[] = {cairn_rectangle(20, 0, 3, 50, letter),
                                    cairn_rectangle(52, 0, 1, 50, letter)};
        const size_t count = 1 + n / 2 % 2;

        failing_allocator_arm(&failing, n % 3 ? 0 : n / 3);
        cairn_connected(map, 0, 1);
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_map_edit(map, edits, count);
        failing_allocator_arm(&failing, 0);
        assert_true(status == CAIRN_OK || status == CAIRN_E_MEMORY);
        for (uint32_t y = 0; y < 50 && status == CAIRN_OK; y++) {
            memset(drawn.letters + y * 60 + 20, letter, 3);
            if (count == 2)
                drawn.letters[y * 60 + 52] = letter;
        }
        assert_picture(map, &drawn);
        cairn_map_free(map);
        picture_free(&drawn);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_those_of_the_arcs_through_edits),
        cmocka_unit_test(components_of_graphs_are_those_of_the_arcs),
        cmocka_unit_test(anchors_that_no_step_leaves_are_components),
        cmocka_unit_test(a_call_may_edit_many_places),
        cmocka_unit_test(a_call_may_cut_corridors_at_several_places),
        cmocka_unit_test(labels_are_those_of_the_arcs_on_every_kind_of_grid),
        cmocka_unit_test(threads_may_ask_for_components_at_once),
        cmocka_unit_test(components_that_found_no_memory_are_found_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
