/* Three short programs against the public header alone: a pipeline, a game with an A* of its own,
 * a game that wants the search as well. */
#include "cairn/cairn.h"
#include "support/check.h"
#include "support/fixtures.h"

static const char map_path[] = CAIRN_TEST_SOURCE_DIR "/data/maps/rooms.map";

static char *built_table(void)
{
    char *path = scratch_file("rooms.cairn");
    cairn_map *map;
    cairn_table *table;
    cairn_error error;
    assert_int_equal(cairn_map_load(map_path, NULL, &map, &error), CAIRN_OK);
    cairn_build_options options = {.size = sizeof options, .landmark_count = 8};
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_save(map, table, path, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    return path;
}

static void a_pipeline_writes_a_file_that_verifies(void **state)
{
    (void)state;
    char *path = built_table();
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_load(path, NULL, &map, &table, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_row_count(table), 8);
    assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    scratch_remove(path);
}

/* The A* of somebody's own: costs in an array, the open list searched from end to end. */
typedef struct own_search {
    const cairn_map *map;
    cairn_cost *g;
    bool *closed;
    unsigned reopened;
    unsigned expanded;
} own_search;

static cairn_node take_best(own_search *own, const cairn_bound *bound, cairn_node *open,
                            size_t *open_count)
{
    size_t best = 0;
    for (size_t i = 1; i < *open_count; i++)
        if (own->g[open[i]] + cairn_bound_at(bound, open[i]) <
            own->g[open[best]] + cairn_bound_at(bound, open[best]))
            best = i;
    cairn_node node = open[best];
    open[best] = open[--*open_count];
    return node;
}

static void reach(own_search *own, cairn_node to, cairn_cost g, const cairn_bound *bound,
                  cairn_node *open, size_t *open_count)
{
    if (g >= own->g[to] || cairn_bound_at(bound, to) == CAIRN_UNREACHABLE)
        return;
    own->reopened += own->closed[to];
    if (own->g[to] == CAIRN_UNREACHABLE)
        open[(*open_count)++] = to;
    own->g[to] = g;
}

static void expand(own_search *own, cairn_node node, const cairn_bound *bound, cairn_node *open,
                   size_t *open_count)
{
    cairn_metric metric = cairn_map_metric(own->map);
    uint32_t x, y;
    assert_true(cairn_node_xy(own->map, node, &x, &y));
    own->closed[node] = true;
    own->expanded++;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            cairn_node to = cairn_node_at(own->map, x + (uint32_t)dx, y + (uint32_t)dy);
            cairn_node beside = cairn_node_at(own->map, x + (uint32_t)dx, y);
            cairn_node below = cairn_node_at(own->map, x, y + (uint32_t)dy);
            if ((dx == 0 && dy == 0) || !cairn_map_is_open(own->map, to) ||
                !cairn_map_is_open(own->map, beside) || !cairn_map_is_open(own->map, below))
                continue;
            cairn_cost step = dx && dy ? metric.diagonal : metric.straight;
            reach(own, to, own->g[node] + step, bound, open, open_count);
        }
    }
}

static cairn_cost search_own(own_search *own, const cairn_bound *bound, cairn_node start,
                             cairn_node goal)
{
    uint32_t count = cairn_map_node_count(own->map);
    cairn_node *open = malloc(count * sizeof *open);
    size_t open_count = 0;

    own->g = malloc(count * sizeof *own->g);
    own->closed = calloc(count, sizeof *own->closed);
    assert_true(open && own->g && own->closed);
    memset(own->g, 0xff, count * sizeof *own->g);
    reach(own, start, 0, bound, open, &open_count);
    while (open_count) {
        cairn_node node = take_best(own, bound, open, &open_count);
        if (node == goal)
            break;
        expand(own, node, bound, open, &open_count);
    }
    cairn_cost cost = own->g[goal];
    free(own->g);
    free(own->closed);
    free(open);
    return cost;
}

static void a_game_changes_one_line_of_its_own_search(void **state)
{
    (void)state;
    char *path = built_table();
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    assert_int_equal(cairn_load(path, NULL, &map, &table, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
    static const uint32_t cells[][4] = {{3, 3, 150, 130}, {150, 10, 4, 120}, {80, 70, 85, 75}};
    unsigned with_table = 0, without = 0;

    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        cairn_node start = cairn_node_at(map, cells[i][0], cells[i][1]);
        cairn_node goal = cairn_node_at(map, cells[i][2], cells[i][3]);
        while (!cairn_map_is_open(map, start))
            start++;
        while (!cairn_map_is_open(map, goal))
            goal++;
        cairn_bound base, bound;
        own_search slow = {.map = map}, fast = {.map = map};
        cairn_path found;
        assert_int_equal(cairn_bound_to(map, NULL, goal, &base), CAIRN_OK);
        assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
        cairn_cost cost = search_own(&slow, &base, start, goal);
        assert_int_equal(search_own(&fast, &bound, start, goal), cost);
        assert_int_equal(slow.reopened, 0);
        assert_int_equal(fast.reopened, 0);
        assert_int_equal(cairn_search_run(search, start, goal, &found), CAIRN_OK);
        assert_int_equal(found.cost, cost);
        with_table += fast.expanded;
        without += slow.expanded;
    }
    assert_true(with_table * 2 < without);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    scratch_remove(path);
}

static void a_search_borrows_its_path_until_the_next_run(void **state)
{
    (void)state;
    cairn_map *map;
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_map_load(map_path, NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    cairn_node start = 0;
    while (!cairn_map_is_open(map, start))
        start++;
    assert_int_equal(cairn_search_run(search, start, start, &path), CAIRN_OK);
    assert_int_equal(path.node_count, 1);
    assert_int_equal(path.nodes[0], start);
    cairn_search_free(search);
    cairn_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipeline_writes_a_file_that_verifies),
        cmocka_unit_test(a_game_changes_one_line_of_its_own_search),
        cmocka_unit_test(a_search_borrows_its_path_until_the_next_run),
    };
    return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
