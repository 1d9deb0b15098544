/* Searches that are watched: they tell of every expansion, and are the searches they would be. */
#include "support/check.h"
#include "support/fixtures.h"

enum { MAPS = 4 * MAP_KINDS };

typedef struct watcher {
    uint64_t calls;
    uint8_t *seen;
} watcher;

static void watch(void *context, cairn_node node)
{
    watcher *by = context;
    by->calls++;
    by->seen[node]++;
}

static void check_query(const cairn_map *map, const cairn_table *table, cairn_node start,
                        cairn_node goal)
{
    watcher by = {0, calloc(cairn_map_node_count(map), 1)};
    cairn_search_options unwatched = {.size = sizeof unwatched, .space = CAIRN_SPACE_CELLS};
    cairn_search_options watched = {
        .size = sizeof watched, .on_expand = watch, .expand_context = &by};
    cairn_search *first, *second;
    cairn_path expected, path;

    assert_int_equal(cairn_search_new(map, table, &unwatched, &first), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, table, &watched, &second), CAIRN_OK);
    assert_int_equal(cairn_search_run(first, start, goal, &expected), CAIRN_OK);
    assert_int_equal(cairn_search_run(second, start, goal, &path), CAIRN_OK);

    assert_int_equal(path.cost, expected.cost);
    assert_int_equal(path.expanded, expected.expanded);
    assert_int_equal(by.calls, path.expanded);
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        assert_true(by.seen[node] == 0 || cairn_map_is_open(map, node));
    /* Every cell of the path but the goal has been expanded. */
    for (size_t i = 0; i + 1 < path.node_count; i++)
        assert_true(by.seen[path.nodes[i]] > 0);
    cairn_search_free(first);
    cairn_search_free(second);
    free(by.seen);
}

static void a_watched_search_tells_of_every_expansion(void **state)
{
    (void)state;
    dice luck = {12};
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[0]);
        cairn_table *table = table_of(map, 3);
        for (int i = 0; i < 4 && picture_open_count(&drawn); i++) {
            cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
            check_query(map, NULL, start, goal);
            check_query(map, table, start, goal);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watched_search_tells_of_every_expansion),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
