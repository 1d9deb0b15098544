/* Pulled paths on maps of every kind: their lines are free, on one terrain, and never longer. */
#include <math.h>

#include "cairn/cairn.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/sight_oracle.h"
#include "support/twin.h"

enum { QUERIES = 6, MAPS = MAP_KINDS, LISTS = 4, AVOIDED = 24 };

/* Cells on which a line from a cell may lie: open, and like it. */
static bool *like(const twin *both, const bool *is_avoided, uint32_t cell)
{
    const picture *drawn = &both->drawn;
    bool *is_free = calloc(picture_size(drawn), sizeof *is_free);
    for (uint32_t node = 0; node < picture_size(drawn); node++) {
        char letter = drawn->letters[node];
        bool is_one_way = both->kind == TERRAIN_ONE_WAY && strchr("^v<>", letter);
        is_free[node] = twin_is_open(both, node) && !is_one_way &&
                        !(is_avoided && is_avoided[node]) &&
                        (both->kind == TERRAIN_UNIFORM || letter == drawn->letters[cell]) &&
                        (!both->heights || both->heights[node] == both->heights[cell]);
    }
    return is_free;
}

/* The place on the path of the cell, or path->node_count. */
static size_t place_on(const cairn_path *path, cairn_node cell)
{
    size_t at = 0;
    while (at < path->node_count && path->nodes[at] != cell)
        at++;
    return at;
}

/* Whether two steps lead the same way. Each row of hexagons lies half a cell beside the next. */
static bool is_same_way(const twin *both, const cairn_node *step, const cairn_node *other)
{
    const int width = (int)both->drawn.width;
    int across[2], down[2];
    const cairn_node *steps[2] = {step, other};
    for (int i = 0; i < 2; i++) {
        int from = (int)steps[i][0], to = (int)steps[i][1];
        int shift = both->rule == ORACLE_HEX ? to / width % 2 - from / width % 2 : 0;
        across[i] = 2 * (to % width - from % width) + shift;
        down[i] = to / width - from / width;
    }
    return across[0] == across[1] && down[0] == down[1];
}

/* Whether the cells of the path between two of its cells lie on one line of equal steps. */
static bool is_run(const twin *both, const cairn_path *path, cairn_node from, cairn_node to)
{
    size_t first = place_on(path, from), last = place_on(path, to);
    if (first >= last || last == path->node_count)
        return false;
    for (size_t i = first + 1; i < last; i++) {
        if (!is_same_way(both, path->nodes + first, path->nodes + i))
            return false;
    }
    return true;
}

static void assert_lines(const twin *both, const bool *is_avoided, const cairn_path *path,
                         const cairn_node *waypoints, size_t count, double length)
{
    oracle_cells cells = {both->drawn.width, both->drawn.height, NULL};
    double sum = 0;
    for (size_t i = 1; i < count; i++) {
        bool *is_free = like(both, is_avoided, waypoints[i - 1]);
        cells.is_free = is_free;
        assert_true(oracle_sight(&cells, both->rule, waypoints[i - 1], waypoints[i]) ||
                    is_run(both, path, waypoints[i - 1], waypoints[i]));
        sum += oracle_distance(&cells, both->rule, waypoints[i - 1], waypoints[i]);
        free(is_free);
    }
    assert_true(fabs(sum - length) < 1e-9 * (1 + sum));
    assert_true(length <= path->length);
}

/* `is_avoided` NULL: pulled by the map alone. */
static void assert_pulled(const twin *both, cairn_search *search, const bool *is_avoided,
                          dice *luck, uint64_t *saved)
{
    const uint32_t nodes = cairn_map_node_count(both->map);
    cairn_path path;
    size_t count;
    double length;

    assert_int_equal(
        cairn_search_run(search, dice_below(luck, nodes), dice_below(luck, nodes), &path),
        CAIRN_OK);
    assert_int_equal(cairn_search_cells(search, &path), CAIRN_OK);
    cairn_node *waypoints = calloc(path.corner_count + 1, sizeof *waypoints);
    waypoints[path.corner_count] = 4711;
    assert_int_equal(is_avoided ? cairn_search_pull(search, &path, waypoints, &count, &length)
                                : cairn_path_pull(both->map, &path, waypoints, &count, &length),
                     CAIRN_OK);
    assert_int_equal(waypoints[path.corner_count], 4711);
    assert_true(count <= path.corner_count);
    assert_int_equal(count == 0, path.corner_count == 0);
    if (count) {
        assert_int_equal(waypoints[0], path.corners[0]);
        assert_int_equal(waypoints[count - 1], path.corners[path.corner_count - 1]);
        assert_lines(both, is_avoided, &path, waypoints, count, length);
        *saved += path.corner_count - count;
    }
    free(waypoints);
}

static void pulled_paths_are_free_and_never_longer(void **state)
{
    (void)state;
    const cairn_metric metric = CAIRN_METRIC_OCTILE;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        for (terrain_kind kind = 0; kind < TERRAIN_KINDS; kind++) {
            uint64_t saved = 0;
            for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
                twin both = twin_of(seed + 100 * kind, rule, kind, metric);
                dice luck = {seed};
                cairn_search *search;
                assert_int_equal(cairn_search_new(both.map, NULL, NULL, &search), CAIRN_OK);
                for (unsigned i = 0; i < QUERIES; i++)
                    assert_pulled(&both, search, NULL, &luck, &saved);
                cairn_search_free(search);
                twin_free(&both);
            }
            assert_true(kind != TERRAIN_UNIFORM || saved > 0);
        }
    }
}

/* At first there is no list; then some cells may not be entered and some cost more; another list
 * replaces it; then there is none again, and the lines are those of the map. */
static void lines_keep_off_avoided_nodes(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < ORACLE_RULES * TERRAIN_KINDS; turn++) {
        uint64_t saved = 0;
        for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
            twin both = twin_of(seed, turn % ORACLE_RULES, turn / ORACLE_RULES,
                                CAIRN_METRIC_OCTILE);
            const uint32_t nodes = cairn_map_node_count(both.map);
            bool *is_avoided = calloc(nodes, sizeof *is_avoided);
            dice luck = {seed};
            cairn_search *search;
            assert_int_equal(cairn_search_new(both.map, NULL, NULL, &search), CAIRN_OK);
            for (unsigned list = 0; list < LISTS; list++) {
                cairn_node avoided[AVOIDED];
                cairn_cost extra[AVOIDED];
                const size_t count = list > 0 && list + 1 < LISTS ? AVOIDED : 0;
                memset(is_avoided, 0, nodes * sizeof *is_avoided);
                for (size_t i = 0; i < count; i++) {
                    avoided[i] = dice_below(&luck, nodes);
                    extra[i] = i % 2 ? CAIRN_UNREACHABLE : 1 + dice_below(&luck, 10000);
                    is_avoided[avoided[i]] = true;
                }
                assert_int_equal(cairn_search_avoid(search, avoided, extra, count), CAIRN_OK);
                for (unsigned i = 0; i < QUERIES; i++)
                    assert_pulled(&both, search, is_avoided, &luck, &saved);
            }
            cairn_search_free(search);
            free(is_avoided);
            twin_free(&both);
        }
        assert_true(turn / ORACLE_RULES != TERRAIN_UNIFORM || saved > 0);
    }
}

static void paths_of_graphs_stay_as_they_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        dice luck = {seed};
        const uint32_t nodes = cairn_map_node_count(both.map);
        cairn_node *waypoints = calloc(nodes, sizeof *waypoints);
        cairn_search *search;
        cairn_path path;
        size_t count;
        double length;
        assert_int_equal(cairn_search_new(both.map, NULL, NULL, &search), CAIRN_OK);
        assert_int_equal(
            cairn_search_run(search, dice_below(&luck, nodes), dice_below(&luck, nodes), &path),
            CAIRN_OK);
        assert_int_equal(cairn_path_pull(both.map, &path, waypoints, &count, &length), CAIRN_OK);
        assert_int_equal(count, path.corner_count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(waypoints[i], path.corners[i]);
        assert_true(length == path.length);
        const cairn_node avoided = dice_below(&luck, nodes);
        assert_int_equal(cairn_search_avoid(search, &avoided, NULL, 1), CAIRN_OK);
        assert_int_equal(
            cairn_search_run(search, dice_below(&luck, nodes), dice_below(&luck, nodes), &path),
            CAIRN_OK);
        assert_int_equal(cairn_search_pull(search, &path, waypoints, &count, &length), CAIRN_OK);
        assert_int_equal(count, path.corner_count);
        assert_true(length == path.length);
        cairn_search_free(search);
        free(waypoints);
        twin_free(&both);
    }
}

/* A search that pauses meanwhile goes on as if nothing had happened. */
static void assert_pulled_in_a_pause(cairn_search *search, const cairn_map *map)
{
    cairn_path first, path;
    cairn_node waypoints[20];
    size_t count;
    assert_int_equal(cairn_search_begin(search, 40, 49, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_PAUSED);
    cairn_search *other;
    assert_int_equal(cairn_search_new(map, NULL, NULL, &other), CAIRN_OK);
    assert_int_equal(cairn_search_run(other, 0, 9, &first), CAIRN_OK);
    assert_int_equal(cairn_search_pull(search, &first, waypoints, &count, NULL), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_OK);
    const cairn_cost cost = path.cost;
    const uint64_t expanded = path.expanded;
    assert_int_equal(cairn_search_run(search, 40, 49, &path), CAIRN_OK);
    assert_true(path.cost == cost && path.expanded == expanded);
    cairn_search_free(other);
}

/* The list of avoided nodes goes with a search to another map: here a view of a world, whose cells
 * stay while the next state is published. */
static void lines_are_those_of_the_map_that_the_search_uses(void **state)
{
    (void)state;
    picture open = picture_filled(10, 5, '.'),
            walled = PICTURE("..........", "..........", "....@.....", "....@.....", "....@.....");
    cairn_map *map = map_of(&open, CAIRN_METRIC_OCTILE);
    cairn_map *own = map_of(&walled, CAIRN_METRIC_OCTILE);
    const cairn_node corner = 14;
    const cairn_edit edit = cairn_rectangle(4, 0, 1, 2, '@');
    cairn_search *search;
    cairn_world *world;
    cairn_path path;
    cairn_node waypoints[20];
    size_t count;

    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 40, 49, &path), CAIRN_OK);
    assert_int_equal(cairn_search_pull(search, &path, waypoints, &count, NULL), CAIRN_OK);
    assert_int_equal(count, 2);
    assert_int_equal(cairn_search_avoid(search, &corner, NULL, 1), CAIRN_OK);
    assert_int_equal(cairn_world_new(own, NULL, &world), CAIRN_OK);
    cairn_view view = cairn_world_acquire(world);
    assert_int_equal(cairn_world_edit(world, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    assert_int_equal(cairn_search_use(search, view.map, view.table), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 40, 49, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(cairn_search_pull(search, &path, waypoints, &count, NULL), CAIRN_OK);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++)
        assert_true(waypoints[i] != corner);
    assert_pulled_in_a_pause(search, view.map);
    cairn_world_release(world, &view);
    cairn_search_free(search);
    cairn_world_free(world);
    cairn_map_free(map);
    picture_free(&open);
    picture_free(&walled);
}

/* Around the end of a wall: a line to its end, and one behind it. */
static void a_path_around_a_wall_has_one_turn(void **state)
{
    (void)state;
    picture drawn = PICTURE("..........", "..........", "....@.....", "....@.....", "....@.....");
    cairn_map *map;
    cairn_search *search;
    cairn_path path;
    cairn_node waypoints[20];
    size_t count;
    double length;

    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, NULL, &map, NULL),
        CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 40, 49, &path), CAIRN_OK);
    assert_true(path.corner_count <= 20);
    assert_int_equal(cairn_path_pull(map, &path, waypoints, &count, &length), CAIRN_OK);
    assert_true(count >= 3 && count <= 4);
    assert_true(length < path.length);
    assert_int_equal(cairn_path_pull(map, &path, waypoints, &count, NULL), CAIRN_OK);
    cairn_search_free(search);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void what_is_no_path_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE(".....", ".....");
    const cairn_node jump[] = {0, 7}, outside[] = {0, 10}, twice[] = {1, 1};
    cairn_map *map;
    cairn_node waypoints[2];
    cairn_path path = {.corner_count = 2};
    size_t count = 1;

    assert_int_equal(cairn_map_from_letters(5, 2, drawn.letters, NULL, &map, NULL), CAIRN_OK);
    for (unsigned i = 0; i < 3; i++) {
        path.corners = (const cairn_node *[]){jump, outside, twice}[i];
        assert_int_equal(cairn_path_pull(map, &path, waypoints, &count, NULL), CAIRN_E_ARGUMENT);
        assert_int_equal(count, 0);
    }
    assert_int_equal(cairn_path_pull(map, &path, NULL, &count, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_path_pull(map, NULL, waypoints, &count, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_path_pull(NULL, &path, waypoints, &count, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_pull(NULL, &path, waypoints, &count, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_path_pull(map, &path, waypoints, NULL, NULL), CAIRN_E_ARGUMENT);
    path.corners = NULL;
    assert_int_equal(cairn_path_pull(map, &path, waypoints, &count, NULL), CAIRN_E_ARGUMENT);
    path = (cairn_path){.outcome = CAIRN_PATH_NONE};
    assert_int_equal(cairn_path_pull(map, &path, NULL, &count, NULL), CAIRN_OK);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_paths_are_free_and_never_longer),
        cmocka_unit_test(lines_keep_off_avoided_nodes),
        cmocka_unit_test(lines_are_those_of_the_map_that_the_search_uses),
        cmocka_unit_test(paths_of_graphs_stay_as_they_are),
        cmocka_unit_test(a_path_around_a_wall_has_one_turn),
        cmocka_unit_test(what_is_no_path_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
