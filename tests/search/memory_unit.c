/* What map, table and search say they hold is what their allocator gave them. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

/* All that a search may make a map find out. */
static void use(cairn_map *map, const cairn_table *table, const cairn_search_options *options,
                failing_allocator *memory)
{
    size_t before = memory->held, map_before = cairn_map_memory(map);
    cairn_search *search;
    cairn_path path;
    dice luck = {11};

    assert_int_equal(cairn_search_new(map, table, options, &search), CAIRN_OK);
    for (int i = 0; i < 20; i++) {
        cairn_node start = dice_below(&luck, cairn_map_node_count(map));
        cairn_node goal = dice_below(&luck, cairn_map_node_count(map));
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    }
    assert_int_equal(memory->held - before,
                     cairn_search_memory(search) + cairn_map_memory(map) - map_before);
    cairn_search_free(search);
}

static void assert_memory_of(cairn_map *map, failing_allocator *memory)
{
    cairn_table *table;
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 5, .thread_count = 1};
    const cairn_search_options general = {.size = sizeof general, .ties = CAIRN_TIES_FIRST};
    const cairn_search_options cells = {.size = sizeof cells, .space = CAIRN_SPACE_CELLS};

    assert_int_equal(memory->held, cairn_map_memory(map));
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_int_equal(memory->held, cairn_map_memory(map) + cairn_table_memory(table));
    use(map, table, NULL, memory);
    use(map, table, &general, memory);
    use(map, table, &cells, memory);
    assert_int_equal(memory->held, cairn_map_memory(map) + cairn_table_memory(table));
    cairn_table_free(table);
    assert_int_equal(memory->held, cairn_map_memory(map));
}

static void memory_of_grids_is_counted_to_the_byte(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_map *map = map_with(&drawn, fixture_metrics[seed % FIXTURE_METRICS],
                                  &memory.allocator);
        assert_memory_of(map, &memory);
        cairn_edit edit = cairn_rectangle(0, 0, (drawn.width + 1u) / 2, 1, '.');
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        assert_memory_of(map, &memory);
        cairn_map_free(map);
        assert_int_equal(memory.held, 0);
        picture_free(&drawn);
    }
}

static void memory_of_graphs_is_counted_to_the_byte(void **state)
{
    (void)state;
    enum { NODES = 30 };
    for (int directed = 0; directed < 2; directed++) {
        cairn_arc arcs[2 * NODES];
        int32_t x[NODES], y[NODES];
        for (uint32_t i = 0; i < NODES; i++) {
            arcs[2 * i] = (cairn_arc){i, (i + 1) % NODES, 3 + i};
            arcs[2 * i + 1] = (cairn_arc){(i + 1) % NODES, i, 3 + i + (uint32_t)directed};
            x[i] = (int32_t)i;
            y[i] = 0;
        }
        failing_allocator memory;
        failing_allocator_init(&memory);
        const cairn_map_options options = {.size = sizeof options, .allocator = &memory.allocator};
        const cairn_build_options steps = {.size = sizeof steps, .step_metric = {1, 1}};
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(
            cairn_map_from_arcs(NODES, arcs, COUNT_OF(arcs), x, y, &options, &map, NULL), CAIRN_OK);
        assert_memory_of(map, &memory);
        assert_int_equal(cairn_table_build(map, &steps, &table), CAIRN_OK);
        assert_int_equal(memory.held, cairn_map_memory(map) + cairn_table_memory(table));
        cairn_table_free(table);
        cairn_map_free(map);
        assert_int_equal(memory.held, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_grids_is_counted_to_the_byte),
        cmocka_unit_test(memory_of_graphs_is_counted_to_the_byte),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
