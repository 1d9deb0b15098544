/* Avoided nodes all around an end of a search, with and without a gap, in the doors of a room
 * around it, and strewn in mazes and where four of the blocks meet in which it is filled what
 * can be reached; on maps of every kind, against the oracle's arcs without them. */
#include "search/search.h"
#include "support/avoided.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/visitor.h"

enum { WIDTH = 150, HEIGHT = 90, LISTS = 6, REACH = 6 };

static const map_kind map_kinds[] = {MAP_ALL_OPEN, MAP_CAVE, MAP_MAZE, MAP_SPARSE, MAP_ROOMS};

typedef struct tally {
    unsigned found, none;    /* queries with a path, and without */
    unsigned at_once, soon;  /* of the latter: without an expansion; after the first search */
    unsigned stood_in, told; /* nodes that stood in for goals; of these by what was enclosed */
} tally;

static tally sum;

/* A square around a cell; some have a gap. */
static void draw_ring(const picture *drawn, dice *luck, uint32_t centre, avoided *list)
{
    const int width = (int)drawn->width, height = (int)drawn->height;
    const int reach = 1 + (int)dice_below(luck, REACH);
    const bool has_gap = dice_below(luck, 2), has_extras = dice_below(luck, 3) == 0;
    const int x = (int)centre % width, y = (int)centre / width;
    const uint32_t gap = dice_below(luck, 8 * (uint32_t)reach);
    uint32_t number = 0;

    list->count = 0;
    for (int down = -reach; down <= reach; down++) {
        for (int across = -reach; across <= reach; across++) {
            const bool is_ring = abs(down) == reach || abs(across) == reach;
            const int to_x = x + across, to_y = y + down;
            if (!is_ring || (number++ == gap && has_gap) || to_x < 0 || to_y < 0 || to_x >= width ||
                to_y >= height)
                continue;
            list->nodes[list->count] = (cairn_node)(to_y * width + to_x);
            list->extra[list->count++] = has_extras && dice_below(luck, 20) == 0
                                             ? 1 + dice_below(luck, 9000)
                                             : CAIRN_UNREACHABLE;
        }
    }
}

/* Where no path leads to the goal, one leads to what stands in for it. */
static void assert_stand_in(const oracle_arcs *arcs, const cairn_search *beside,
                            const avoided *list, uint32_t start, uint32_t goal)
{
    const cairn_search_options options = {.space = beside->options.space, .nearest = true};
    cairn_search *search = search_with((cairn_map *)beside->map, NULL, options);
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_FROM, &start, 1);
    cairn_path path;

    assert_int_equal(cairn_search_avoid(search, list->nodes, list->extra, list->count), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (path.outcome != CAIRN_PATH_START_BLOCKED) {
        const cairn_node end = path.nodes[path.node_count - 1];
        assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
        assert_int_equal(path.cost, costs[end]);
        assert_int_equal(oracle_arc_path(arcs, path.nodes, path.node_count), path.cost);
        assert_stands_in(search->map, costs, start, goal, end);
        sum.stood_in++;
        sum.told += search->avoidance.enclosed.count > 0;
    }
    free(costs);
    cairn_search_free(search);
}

static void assert_query(const oracle_arcs *arcs, cairn_search *search, const avoided *list,
                         uint32_t start, uint32_t goal)
{
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_TO, &goal, 1);
    cairn_path path;

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    assert_int_equal(path.cost, cost_of(costs[start]));
    sum.found += path.outcome == CAIRN_PATH_FOUND;
    sum.none += path.outcome == CAIRN_PATH_NONE;
    sum.at_once += path.outcome == CAIRN_PATH_NONE && path.expanded == 0;
    sum.soon += path.outcome == CAIRN_PATH_NONE && path.expanded && search->avoidance.rounds == 1;
    free(costs);
    if (path.cost == CAIRN_UNREACHABLE)
        assert_stand_in(arcs, search, list, start, goal);
}

static void assert_rings(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {(seed * ORACLE_RULES + rule) * TERRAIN_KINDS + kind + 7};
    twin both = twin_sized(map_kinds[seed], rule, kind, CAIRN_METRIC_OCTILE, WIDTH, HEIGHT);
    cairn_search *search = search_with(both.map, NULL,
                                       (cairn_search_options){.space = CAIRN_SPACE_JUMP});
    avoided list;

    for (unsigned i = 0; i < LISTS; i++) {
        const uint32_t ends[] = {dice_below(&luck, both.arcs.node_count),
                                 dice_below(&luck, both.arcs.node_count)};
        if (!twin_is_open(&both, ends[0]) || !twin_is_open(&both, ends[1]))
            continue;
        draw_ring(&both.drawn, &luck, ends[dice_below(&luck, 2)], &list);
        oracle_arcs arcs = avoided_arcs(&list, &both.arcs);
        assert_int_equal(cairn_search_avoid(search, list.nodes, list.extra, list.count), CAIRN_OK);
        assert_query(&arcs, search, &list, ends[0], ends[1]);
        oracle_arcs_free(&arcs);
    }
    cairn_search_free(search);
    twin_free(&both);
}

static void rings_around_an_end_are_found_at_once_and_gaps_in_them(void **state)
{
    (void)state;
    sum = (tally){0};
    for_every_kind(COUNT_OF(map_kinds), assert_rings);
    print_message("found %u, none %u, of these %u at once, %u soon; %u stood in, %u told\n",
                  sum.found, sum.none, sum.at_once, sum.soon, sum.stood_in, sum.told);
    assert_true(sum.found > sum.none / 3 && sum.at_once > sum.none / 4 && sum.soon > sum.none / 8);
}

/* Walls in a square around a cell, with doors in which units stand; in one of two rooms one door is
 * free. */
static void build_room(twin *both, dice *luck, uint32_t centre, avoided *doors)
{
    enum { NEAREST = 26, REACHES = 12, DOORS = 3 };
    const int width = (int)both->drawn.width, height = (int)both->drawn.height;
    const int reach = NEAREST + (int)dice_below(luck, REACHES), side = 2 * reach + 1;
    const int left = (int)centre % width - reach, top = (int)centre / width - reach;
    uint32_t number = 0, door_at[DOORS];

    doors->count = 0;
    for (unsigned i = 0; i < DOORS; i++)
        door_at[i] = dice_below(luck, 8 * (uint32_t)reach);
    for (int i = 0; i < side * side; i++) {
        const int across = i % side, down = i / side, x = left + across, y = top + down;
        if (across && down && across + 1 < side && down + 1 < side)
            continue;
        const uint32_t wall = number++;
        if (x < 0 || y < 0 || x >= width || y >= height)
            continue;
        const bool is_door = wall == door_at[0] || wall == door_at[1] || wall == door_at[2];
        const cairn_edit edit = is_door ? cairn_open((uint32_t)x, (uint32_t)y)
                                        : cairn_block((uint32_t)x, (uint32_t)y);
        assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
        both->drawn.letters[y * width + x] = is_door ? '.' : '@';
        if (is_door && (doors->count || dice_below(luck, 2))) {
            doors->extra[doors->count] = CAIRN_UNREACHABLE;
            doors->nodes[doors->count++] = (cairn_node)(y * width + x);
        }
    }
    twin_list_steps(both);
}

static void assert_room(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    enum { QUERIES = 6, OFF = 9 };
    dice luck = {(seed * ORACLE_RULES + rule) * TERRAIN_KINDS + kind + 11};
    twin both = twin_sized(map_kinds[seed], rule, kind, CAIRN_METRIC_OCTILE, WIDTH, HEIGHT);
    cairn_search *search = search_with(both.map, NULL,
                                       (cairn_search_options){.space = CAIRN_SPACE_JUMP});
    const uint32_t centre = dice_below(&luck, both.arcs.node_count);
    avoided doors;

    build_room(&both, &luck, centre, &doors);
    oracle_arcs arcs = avoided_arcs(&doors, &both.arcs);
    assert_int_equal(cairn_search_avoid(search, doors.nodes, doors.extra, doors.count), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++) {
        const uint32_t other = dice_below(&luck, both.arcs.node_count);
        const uint32_t off = dice_below(&luck, OFF) * both.drawn.width + dice_below(&luck, OFF);
        const uint32_t near = (i / 2 % 2 ? centre + off : both.arcs.node_count + centre - off) %
                              both.arcs.node_count;
        if (!twin_is_open(&both, near) || !twin_is_open(&both, other))
            continue;
        assert_query(&arcs, search, &doors, i % 2 ? other : near, i % 2 ? near : other);
    }
    oracle_arcs_free(&arcs);
    cairn_search_free(search);
    twin_free(&both);
}

static void large_rooms_whose_doors_are_avoided(void **state)
{
    (void)state;
    sum = (tally){0};
    for_every_kind(COUNT_OF(map_kinds), assert_room);
    print_message("found %u, none %u, of these %u soon; %u stood in, %u told\n", sum.found,
                  sum.none, sum.soon, sum.stood_in, sum.told);
    assert_true(sum.found > sum.none / 2 && sum.none > sum.found / 10 && sum.soon > 0);
}

/* Makes the map that of the picture. */
static void use_drawn(twin *both)
{
    twin_list_steps(both);
    cairn_map *map = twin_rebuilt(both);
    cairn_map_free(both->map);
    both->map = map;
}

enum { CORNER = 64, AROUND = 8, CORNER_WIDTH = 75, CORNER_HEIGHT = 73 };

static cairn_node any_near_corner(dice *luck)
{
    const uint32_t x = CORNER - AROUND + dice_below(luck, 2 * AROUND);
    const uint32_t y = CORNER - AROUND + dice_below(luck, 2 * AROUND);
    return y * CORNER_WIDTH + x;
}

/* Everything is blocked but for cells around the corner of the blocks. */
static void wall_off_corner(twin *both, dice *luck)
{
    for (uint32_t node = 0; node < both->arcs.node_count; node++) {
        const uint32_t x = node % CORNER_WIDTH + AROUND, y = node / CORNER_WIDTH + AROUND;
        const bool is_near = x >= CORNER && x < CORNER + 2 * AROUND && y >= CORNER &&
                             y < CORNER + 2 * AROUND;
        if (!is_near || dice_below(luck, 4) == 0)
            both->drawn.letters[node] = '@';
        else if (dice_below(luck, 2))
            both->drawn.letters[node] = '.';
    }
    use_drawn(both);
}

static void strew_avoided(dice *luck, avoided *list)
{
    enum { MOST = 60 };
    list->count = 0;
    for (unsigned left = dice_below(luck, MOST); left; left--) {
        list->nodes[list->count] = any_near_corner(luck);
        list->extra[list->count++] = dice_below(luck, 20) ? CAIRN_UNREACHABLE
                                                          : 1 + dice_below(luck, 9000);
    }
}

static void assert_corner(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    enum { QUERIES = 12 };
    dice luck = {(seed * ORACLE_RULES + rule) * TERRAIN_KINDS + kind + 23};
    twin both = twin_sized(MAP_ALL_OPEN, rule, kind, CAIRN_METRIC_OCTILE, CORNER_WIDTH,
                           CORNER_HEIGHT);
    avoided list;

    wall_off_corner(&both, &luck);
    cairn_search *search = search_with(both.map, NULL,
                                       (cairn_search_options){.space = CAIRN_SPACE_JUMP});
    for (unsigned i = 0; i < LISTS; i++) {
        strew_avoided(&luck, &list);
        oracle_arcs arcs = avoided_arcs(&list, &both.arcs);
        assert_int_equal(cairn_search_avoid(search, list.nodes, list.extra, list.count), CAIRN_OK);
        for (unsigned query = 0; query < QUERIES; query++) {
            const cairn_node start = any_near_corner(&luck), goal = any_near_corner(&luck);
            if (twin_is_open(&both, start) && twin_is_open(&both, goal))
                assert_query(&arcs, search, &list, start, goal);
        }
        oracle_arcs_free(&arcs);
    }
    cairn_search_free(search);
    twin_free(&both);
}

static void avoided_nodes_strewn_where_blocks_meet(void **state)
{
    (void)state;
    sum = (tally){0};
    for_every_kind(5, assert_corner);
    print_message("found %u, none %u, of these %u at once, %u soon; %u stood in, %u told\n",
                  sum.found, sum.none, sum.at_once, sum.soon, sum.stood_in, sum.told);
    assert_true(sum.found > sum.none / 2 && sum.none > sum.found / 8 && sum.at_once > sum.none / 3);
}

/* In a maze with loops what can be reached goes in and out of the same words. */
static void assert_maze(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    enum { MAZE_WIDTH = 201, MAZE_HEIGHT = 61, HOLES = 120, FEW = 25, QUERIES = 12 };
    dice luck = {(seed * ORACLE_RULES + rule) * TERRAIN_KINDS + kind + 31};
    twin both = twin_sized(MAP_MAZE, rule, kind, CAIRN_METRIC_OCTILE, MAZE_WIDTH, MAZE_HEIGHT);
    avoided list;

    for (unsigned i = 0; i < HOLES; i++)
        both.drawn.letters[dice_below(&luck, both.arcs.node_count)] = '.';
    use_drawn(&both);
    cairn_search *search = search_with(both.map, NULL,
                                       (cairn_search_options){.space = CAIRN_SPACE_JUMP});
    for (unsigned i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_open_cell(&luck, &both.drawn);
        const cairn_node goal = dice_open_cell(&luck, &both.drawn);
        for (list.count = 0; list.count < FEW; list.count++) {
            list.nodes[list.count] = dice_open_cell(&luck, &both.drawn);
            list.extra[list.count] = CAIRN_UNREACHABLE;
        }
        oracle_arcs arcs = avoided_arcs(&list, &both.arcs);
        assert_int_equal(cairn_search_avoid(search, list.nodes, NULL, list.count), CAIRN_OK);
        if (twin_is_open(&both, start) && twin_is_open(&both, goal))
            assert_query(&arcs, search, &list, start, goal);
        oracle_arcs_free(&arcs);
    }
    cairn_search_free(search);
    twin_free(&both);
}

static void avoided_nodes_strewn_in_mazes(void **state)
{
    (void)state;
    sum = (tally){0};
    for_every_kind(4, assert_maze);
    print_message("found %u, none %u, of these %u soon; %u stood in, %u told\n", sum.found,
                  sum.none, sum.soon, sum.stood_in, sum.told);
    assert_true(sum.found > sum.none / 8 && sum.none > sum.found / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_rooms_whose_doors_are_avoided),
        cmocka_unit_test(avoided_nodes_strewn_where_blocks_meet),
        cmocka_unit_test(avoided_nodes_strewn_in_mazes),
        cmocka_unit_test(rings_around_an_end_are_found_at_once_and_gaps_in_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
