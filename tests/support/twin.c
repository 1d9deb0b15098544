#include "twin.h"

#include "check.h"
#include "fixtures.h"
#include "seeds.h"

enum { QUERIES = 12 };

static const char letters_of_terrain[] = ".SGK";
static const uint16_t factors_of_terrain[] = {1, 3, 2, 255};
enum { FACTOR_ALIKE = 3 };

/* The side of the squares in which letters and heights are the same: single cells, or some. */
static uint32_t side_of_patches(uint64_t seed)
{
    static const uint32_t sides[] = {1, 3, 7, 20};
    dice luck = {seed + 99};
    return sides[dice_below(&luck, 4)];
}

/* The dice of the patch of a cell. */
static dice patch_of(const picture *drawn, uint32_t node, uint64_t seed)
{
    uint32_t side = side_of_patches(seed);
    uint32_t x = node % drawn->width / side, y = node / drawn->width / side;
    dice luck = {seed * 31 + ((uint64_t)y << 20) + x + 1};
    dice_below(&luck, 4);
    return luck;
}

static void scatter(picture *drawn, terrain_kind kind, uint64_t seed)
{
    static const char one_way[] = "^v<>";
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        dice luck = patch_of(drawn, node, seed);
        if (!picture_is_open(drawn, node % drawn->width, node / drawn->width))
            drawn->letters[node] = '@';
        else if (kind == TERRAIN_ONE_WAY && dice_below(&luck, 5) == 0)
            drawn->letters[node] = one_way[dice_below(&luck, 4)];
        else
            drawn->letters[node] =
                letters_of_terrain[kind == TERRAIN_UNIFORM ? 0 : dice_below(&luck, 4)];
    }
}

static cairn_alphabet alphabet_of(terrain_kind kind)
{
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    if (kind == TERRAIN_UNIFORM)
        return alphabet;
    for (unsigned i = 0; i < COUNT_OF(factors_of_terrain); i++) {
        const uint16_t factor = kind == TERRAIN_ALIKE ? FACTOR_ALIKE : factors_of_terrain[i];
        alphabet.cost[(uint8_t)letters_of_terrain[i]] = factor;
    }
    if (kind == TERRAIN_ONE_WAY)
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    return alphabet;
}

/* In thousandths of a straight step. */
static uint32_t climb_of(terrain_kind kind)
{
    return kind == TERRAIN_HILLS ? 350 : 700;
}

static uint32_t descent_of(terrain_kind kind)
{
    return kind == TERRAIN_HILLS ? 350 : 30;
}

static uint64_t slope_of(uint64_t straight, uint32_t thousandths)
{
    uint64_t cost = (straight * thousandths + 500) / 1000;
    return cost ? cost : 1;
}

static bool is_average(terrain_kind kind)
{
    return kind == TERRAIN_AVERAGE || kind == TERRAIN_HILLS;
}

static oracle_terrain terrain_of(terrain_kind kind)
{
    cairn_alphabet alphabet = alphabet_of(kind);
    oracle_terrain terrain = {.average = is_average(kind)};
    for (unsigned letter = 0; letter < 256; letter++)
        terrain.factor[letter] = alphabet.cost[letter] == CAIRN_TERRAIN_BLOCKED
                                     ? 0
                                     : alphabet.cost[letter];
    return terrain;
}

static void list_steps(twin *both)
{
    oracle_terrain terrain = terrain_of(both->kind);
    cairn_metric metric = cairn_map_metric(both->map);
    bool halves = terrain.average && (metric.straight % 2 || metric.diagonal % 2);
    uint64_t unit = halves ? 2 : 1;
    assert_int_equal(cairn_map_unit(both->map), unit);
    terrain.heights = both->heights;
    terrain.up = slope_of(metric.straight * unit, climb_of(both->kind));
    terrain.down = slope_of(metric.straight * unit, descent_of(both->kind));
    both->arcs = oracle_arcs_of(&both->drawn, both->rule, steps_of(metric), unit, &terrain);
}

void twin_list_steps(twin *both)
{
    oracle_arcs_free(&both->arcs);
    list_steps(both);
}

/* Slopes and cliffs, or plains at several heights. */
static uint16_t *raise(const picture *drawn, uint64_t seed)
{
    uint16_t *heights = calloc(picture_size(drawn) + 1, sizeof *heights);
    assert_non_null(heights);
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        dice luck = patch_of(drawn, node, seed + 1);
        bool is_slope = side_of_patches(seed + 1) == 1;
        heights[node] = (uint16_t)((is_slope ? node % drawn->width : 0) +
                                   dice_below(&luck, node % 7 || !is_slope ? 4 : 300));
    }
    return heights;
}

static cairn_map *grid_of(const twin *both, cairn_metric metric)
{
    static const cairn_rule rules[] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ONE_SIDE,
                                       CAIRN_RULE_8_ANY, CAIRN_RULE_HEX};
    const picture *drawn = &both->drawn;
    cairn_alphabet alphabet = alphabet_of(both->kind);
    cairn_heights heights = {drawn->width, drawn->height, both->heights, climb_of(both->kind),
                             descent_of(both->kind)};
    cairn_map_options options = {.size = sizeof options,
                                 .metric = metric,
                                 .rule = rules[both->rule],
                                 .alphabet = &alphabet,
                                 .heights = both->heights ? &heights : NULL};
    cairn_map *map;

    options.charge = is_average(both->kind) ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, &map, NULL),
        CAIRN_OK);
    return map;
}

twin twin_sized(uint64_t seed, oracle_rule rule, terrain_kind kind, cairn_metric metric,
                uint32_t width, uint32_t height)
{
    twin made = {.rule = rule,
                 .kind = kind,
                 .drawn = random_map((map_kind)(seed % MAP_KINDS), width, height, seed)};

    if (kind == TERRAIN_HILLS || kind == TERRAIN_SLOPES)
        made.heights = raise(&made.drawn, seed);
    scatter(&made.drawn, kind, seed);
    made.map = grid_of(&made, metric);
    list_steps(&made);
    return made;
}

twin twin_of(uint64_t seed, oracle_rule rule, terrain_kind kind, cairn_metric metric)
{
    return twin_sized(seed, rule, kind, metric, 9 + (uint32_t)(seed % 7), 8 + (uint32_t)(seed % 5));
}

void twin_free(twin *both)
{
    cairn_map_free(both->map);
    oracle_arcs_free(&both->arcs);
    picture_free(&both->drawn);
    free(both->heights);
    free(both->x);
    free(both->y);
}

bool twin_is_open(const twin *both, uint32_t node)
{
    const picture *drawn = &both->drawn;
    if (node >= both->arcs.node_count)
        return false;
    return !drawn->letters || strchr(".SGK^v<>", drawn->letters[node]) != NULL;
}

size_t twin_draw_nodes(const twin *both, dice *luck, cairn_node *nodes, unsigned draws)
{
    size_t count = 0;
    for (; draws > 0; draws--) {
        cairn_node node = dice_below(luck, cairn_map_node_count(both->map));
        if (twin_is_open(both, node))
            nodes[count++] = node;
    }
    return count;
}

static void assert_costs(const twin *both, const cairn_cost *given, const uint64_t *expected)
{
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (twin_is_open(both, node))
            assert_int_equal(given[node], cost_of(expected[node]));
}

/* Floods both ways from one open cell. */
void assert_floods(const twin *both, uint32_t node)
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

void assert_row(const oracle_arcs *arcs, const cairn_map *map, const cairn_table *table,
                uint32_t row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    for (size_t i = 1; i < count; i++)
        assert_true(landmarks[i - 1] < landmarks[i]);
    cairn_direction way = cairn_table_direction(table, row);
    uint64_t *expected = oracle_arc_costs(arcs, way == CAIRN_DIRECTION_TO ? ORACLE_TO : ORACLE_FROM,
                                          landmarks, count);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        if (cairn_map_is_open(map, node) && cairn_table_holds(table, node))
            assert_int_equal(cairn_table_cost(table, row, node), cost_of(expected[node]));
    free(expected);
}

static void assert_bound(const twin *both, const cairn_table *table, uint32_t goal,
                         const uint64_t *to_goal)
{
    cairn_bound bound;
    assert_int_equal(cairn_bound_to(both->map, table, goal, &bound), CAIRN_OK);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        if (twin_is_open(both, node))
            assert_true(cairn_bound_at(&bound, node) <= cost_of(to_goal[node]));
    for (size_t i = 0; i < both->arcs.count; i++) {
        const oracle_arc *arc = &both->arcs.list[i];
        uint64_t after = cairn_bound_at(&bound, arc->to);
        if (after != CAIRN_UNREACHABLE)
            assert_true(cairn_bound_at(&bound, arc->from) <= arc->cost + after);
    }
}

/* What a search moves along where nobody asks for anything else. */
static cairn_space space_of(const twin *both)
{
    return both->drawn.letters ? CAIRN_SPACE_JUMP : CAIRN_SPACE_CELLS;
}

void assert_search(const twin *both, const cairn_table *table, dice *luck)
{
    cairn_search *search;
    assert_int_equal(cairn_search_new(both->map, table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++) {
        uint32_t start = dice_below(luck, both->arcs.node_count);
        uint32_t goal = dice_below(luck, both->arcs.node_count);
        cairn_path path;
        if (!twin_is_open(both, start) || !twin_is_open(both, goal))
            continue;
        uint64_t *to_goal = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
        assert_bound(both, table, goal, to_goal);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost_of(to_goal[start]));
        assert_int_equal(path.space, space_of(both));
        if (path.outcome == CAIRN_PATH_FOUND)
            assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
        free(to_goal);
    }
    cairn_search_free(search);
}

static void set_arcs(oracle_arcs *arcs, uint32_t from, uint32_t to, uint64_t cost)
{
    for (size_t i = 0; i < arcs->count; i++)
        if (arcs->list[i].from == from && arcs->list[i].to == to)
            arcs->list[i].cost = cost;
}

void twin_set_arc(twin *both, uint32_t from, uint32_t to, uint64_t cost)
{
    set_arcs(&both->arcs, from, to, cost);
    if (!both->is_directed)
        set_arcs(&both->arcs, to, from, cost);
}

void twin_publish(const twin *both, cairn_world *world, oracle_arcs *published)
{
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    oracle_arcs_free(published);
    *published = oracle_arcs_copy(&both->arcs);
}

static cairn_edit no_arc(void)
{
    return cairn_arc_cost(0, 0, 0);
}

/* Parallel arcs are one to the library. */
static cairn_edit edit_arc(twin *both, dice *luck)
{
    static const uint32_t scales[] = {1, 5, 1000, 70000};
    if (both->arcs.count == 0)
        return no_arc();
    oracle_arc arc = both->arcs.list[dice_below(luck, (uint32_t)both->arcs.count)];
    uint32_t cost = 1 + dice_below(luck, scales[dice_below(luck, COUNT_OF(scales))]);
    if (arc.from == arc.to)
        return no_arc();
    cairn_edit edit = cairn_arc_cost(arc.from, arc.to, cost);
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    twin_set_arc(both, arc.from, arc.to, cost);
    return edit;
}

cairn_edit twin_edit(twin *both, dice *luck)
{
    if (!both->drawn.letters)
        return edit_arc(both, luck);
    static const char letters[] = "@@@.SGK^v<>";
    uint32_t node = dice_below(luck, picture_size(&both->drawn));
    unsigned choice = both->kind == TERRAIN_UNIFORM ? 4 : both->kind == TERRAIN_ONE_WAY ? 11 : 7;
    return twin_set_letter(both, node, letters[dice_below(luck, choice)]);
}

cairn_edit twin_set_letter(twin *both, uint32_t node, char letter)
{
    cairn_edit edit = cairn_terrain(node % both->drawn.width, node / both->drawn.width, letter);

    both->drawn.letters[node] = letter;
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    twin_list_steps(both);
    return edit;
}

static void place(twin *both, uint64_t seed, dice *luck)
{
    const uint32_t nodes = both->arcs.node_count;
    both->x = calloc(nodes, sizeof *both->x);
    both->y = calloc(nodes, sizeof *both->y);
    assert_true(both->x && both->y);
    for (uint32_t node = 0; node < nodes; node++) {
        both->x[node] = (int32_t)dice_below(luck, 2000000000) - 1000000000;
        both->y[node] = (int32_t)dice_below(luck, 1u << (seed % 31)) - 500;
    }
}

/* A graph without the library's map. */
static twin list_graph(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric, bool placed)
{
    static const uint32_t scales[] = {1, 3, 1000, 10000000};
    dice luck = {seed};
    twin made = {.arcs = {.node_count = nodes}};
    uint32_t most = scales[seed % COUNT_OF(scales)];

    made.arcs.list = calloc(arcs + 1u, sizeof *made.arcs.list);
    assert_non_null(made.arcs.list);
    for (uint32_t i = 0; i < arcs; i++) {
        oracle_arc arc = {dice_below(&luck, nodes), dice_below(&luck, nodes),
                          1 + dice_below(&luck, most)};
        const oracle_arc *last = i ? &made.arcs.list[i - 1] : NULL;
        if (symmetric && i % 2)
            arc = (oracle_arc){last->to, last->from, last->cost};
        made.arcs.list[made.arcs.count++] = arc;
    }
    if (placed)
        place(&made, seed, &luck);
    made.is_directed = !oracle_arcs_are_symmetric(&made.arcs);
    return made;
}

static cairn_map *graph_of(const twin *both)
{
    const oracle_arcs *arcs = &both->arcs;
    cairn_arc *list = calloc(arcs->count + 1, sizeof *list);
    cairn_map *map;
    assert_non_null(list);
    for (size_t i = 0; i < arcs->count; i++)
        list[i] = (cairn_arc){arcs->list[i].from, arcs->list[i].to, cost_of(arcs->list[i].cost)};
    assert_int_equal(cairn_map_from_arcs(arcs->node_count, list, arcs->count, both->x, both->y,
                                         NULL, &map, NULL),
                     CAIRN_OK);
    free(list);
    return map;
}

twin twin_graph(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric, bool placed)
{
    twin made = list_graph(seed, nodes, arcs, symmetric, placed);
    made.map = graph_of(&made);
    assert_int_equal(cairn_map_is_directed(made.map), made.is_directed);
    return made;
}

static uint32_t give_arcs(void *context, cairn_node node, cairn_arc *arcs, uint32_t room)
{
    const oracle_arcs *all = context;
    uint32_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].from != node)
            continue;
        if (count < room)
            arcs[count] = (cairn_arc){node, all->list[i].to, cost_of(all->list[i].cost)};
        count++;
    }
    return count;
}

/* Holds whatever arcs cost. */
static cairn_cost least_cost(void *context, cairn_node node, cairn_node goal)
{
    (void)context;
    return node != goal;
}

twin twin_callback_graph(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric)
{
    twin made = list_graph(seed, nodes, arcs, symmetric, false);
    cairn_callback_graph graph = {.size = sizeof graph,
                                  .node_count = nodes,
                                  .arcs = give_arcs,
                                  .bound = least_cost,
                                  .context = &made.arcs};
    assert_int_equal(cairn_map_from_callbacks(&graph, NULL, &made.map), CAIRN_OK);
    return made;
}

cairn_map *twin_rebuilt(const twin *both)
{
    return both->drawn.letters ? grid_of(both, cairn_map_metric(both->map)) : graph_of(both);
}

twin twin_any_graph(uint64_t seed)
{
    uint32_t nodes = 1 + (uint32_t)(seed * 7 % 90);
    uint32_t arcs = (uint32_t)(nodes * (seed % 5)) / 2 * 2;
    return twin_graph(seed, nodes, arcs, seed % 3 == 0, seed % 2);
}

/* Every arc at 1. */
static oracle_arcs counted_arcs(const oracle_arcs *arcs)
{
    oracle_arcs copy = oracle_arcs_copy(arcs);
    for (size_t i = 0; i < copy.count; i++)
        copy.list[i].cost = 1;
    return copy;
}

oracle_arcs twin_step_map_arcs(const twin *both, cairn_metric metric)
{
    oracle_terrain terrain = terrain_of(both->kind);

    if (!both->drawn.letters)
        return counted_arcs(&both->arcs);
    terrain.average = false;
    for (unsigned letter = 0; letter < 256; letter++)
        terrain.factor[letter] = terrain.factor[letter] != 0;
    return oracle_arcs_of(&both->drawn, both->rule, steps_of(metric), 1, &terrain);
}

void for_every_kind(uint64_t count,
                    void (*check)(uint64_t seed, oracle_rule rule, terrain_kind kind))
{
    for (uint64_t number = 0; number < count * ORACLE_RULES * TERRAIN_KINDS; number++) {
        if (!is_left_out(number))
            check(number / TERRAIN_KINDS / ORACLE_RULES,
                  (oracle_rule)(number / TERRAIN_KINDS % ORACLE_RULES),
                  (terrain_kind)(number % TERRAIN_KINDS));
    }
}

void edit_search_and_refresh(twin *both, cairn_table *table, dice *luck)
{
    static const cairn_budget budgets[] = {CAIRN_CELLS(0), CAIRN_CELLS(30), CAIRN_UNLIMITED};
    for (unsigned round = 0; round < 6; round++) {
        twin_edit(both, luck);
        assert_search(both, table, luck);
        cairn_status status = step_now(table, both->map, budgets[round % 3]);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        assert_search(both, table, luck);
    }
    assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
}
