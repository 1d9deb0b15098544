/* The parts that cells which opened have joined, against components of the map without those
 * cells. */
#include "map/map.h"
#include "refresh/joined_parts.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { MAPS = 40, OPENED_MOST = 30 };

/* A map, some of its cells, which opened, and what it was before. */
typedef struct joined {
    picture before;
    picture now;
    uint32_t opened[OPENED_MOST];
    size_t count;
    uint32_t *part;      /* of cells before; UINT32_MAX: blocked */
    uint32_t *component; /* of cells now */
    uint32_t *part_size;
    uint32_t *largest; /* the size of the largest part of a component */
} joined;

static void measure_parts(joined *made, uint32_t part_count, uint32_t component_count)
{
    const uint32_t size = picture_size(&made->now);
    made->part_size = calloc(part_count + 1, sizeof *made->part_size);
    made->largest = calloc(component_count + 1, sizeof *made->largest);
    assert_non_null(made->part_size);
    assert_non_null(made->largest);
    for (uint32_t node = 0; node < size; node++) {
        if (made->part[node] != UINT32_MAX)
            made->part_size[made->part[node]]++;
    }
    for (uint32_t node = 0; node < size; node++) {
        if (made->part[node] == UINT32_MAX)
            continue;
        const uint32_t here = made->part_size[made->part[node]];
        uint32_t *largest = &made->largest[made->component[node]];
        *largest = here > *largest ? here : *largest;
    }
}

static joined joined_of(uint64_t seed)
{
    joined made = {.now = any_map(seed), .before = any_map(seed)};
    const uint32_t size = picture_size(&made.now);
    dice luck = {seed * 2 + 1};
    uint32_t part_count, component_count;

    for (uint32_t tries = 1 + dice_below(&luck, OPENED_MOST); tries; tries--) {
        uint32_t cell = dice_below(&luck, size);
        if (made.before.letters[cell] == '@' ||
            !picture_is_open(&made.now, cell % made.now.width, cell / made.now.width))
            continue;
        made.before.letters[cell] = '@';
        made.opened[made.count++] = cell;
    }
    made.part = oracle_components(&made.before, &part_count);
    made.component = oracle_components(&made.now, &component_count);
    measure_parts(&made, part_count, component_count);
    return made;
}

static void joined_free(joined *made)
{
    picture_free(&made->before);
    picture_free(&made->now);
    free(made->part);
    free(made->component);
    free(made->part_size);
    free(made->largest);
}

/* A search that ended knows the size of its part; one that did not is in the largest. */
static void assert_size(const joined *made, const cn_parts *parts, uint32_t node, bool is_outlying)
{
    const uint32_t size = cn_parts_size(parts, node);
    if (made->component[node] == UINT32_MAX) {
        assert_int_equal(size, UINT32_MAX);
        return;
    }
    if (made->part[node] == UINT32_MAX) {
        assert_int_equal(size, 0);
        assert_true(is_outlying);
        return;
    }
    const uint32_t wanted = made->part_size[made->part[node]];
    const uint32_t largest = made->largest[made->component[node]];
    assert_true(size == wanted || (size == UINT32_MAX && wanted == largest));
    if (wanted < largest)
        assert_true(is_outlying);
    if (size == UINT32_MAX)
        assert_false(is_outlying);
}

static void assert_sizes(const joined *made, const cn_parts *parts, const cn_regions *regions)
{
    for (uint32_t tile = 0; tile < regions->tile_count; tile++) {
        const uint32_t left = tile % regions->tiles_across * CN_TILE_SIDE;
        const uint32_t top = tile / regions->tiles_across * CN_TILE_SIDE;
        bool flags[CN_TILE_CELLS];
        const bool any = cn_parts_find_outlying(parts, tile, flags);
        for (uint32_t cell = 0; cell < CN_TILE_CELLS; cell++) {
            const uint32_t x = left + cell % CN_TILE_SIDE, y = top + cell / CN_TILE_SIDE;
            if (x < made->now.width && y < made->now.height)
                assert_size(made, parts, y * made->now.width + x, any && flags[cell]);
        }
    }
}

static const cn_regions *regions_of(const cairn_map *map)
{
    const cn_components *components;
    assert_int_equal(cn_map_connect(map, &components), CAIRN_OK);
    return &components->regions;
}

static void parts_are_the_components_that_were(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS * MAP_KINDS); seed = seed_after(seed)) {
        joined made = joined_of(seed);
        cairn_map *map = map_of(&made.now, fixture_metrics[0]);
        const cn_regions *regions = regions_of(map);
        cn_parts parts;
        assert_int_equal(cn_parts_find(&parts, &map->mem, regions, made.opened, made.count),
                         CAIRN_OK);
        assert_sizes(&made, &parts, regions);
        cn_parts_free(&parts);
        cairn_map_free(map);
        joined_free(&made);
    }
}

/* The search takes as long as the smaller part is large, not the larger one. */
static void of_the_largest_part_no_more_is_visited_than_of_the_others(void **state)
{
    picture drawn = picture_filled(200, 50, '.');
    const uint32_t door = 25 * 200 + 5;
    cn_parts parts;
    (void)state;
    for (uint32_t y = 0; y < 50; y++)
        drawn.letters[y * 200 + 5] = '@';
    drawn.letters[door] = '.';
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    assert_int_equal(cn_parts_find(&parts, &map->mem, regions_of(map), &door, 1), CAIRN_OK);
    assert_int_equal(cn_parts_size(&parts, 0), 250);
    assert_true(parts.visit_count < 1000);
    cn_parts_free(&parts);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A repair would visit each cell behind the wall for each row, until it is given up. */
static void rows_that_lose_the_landmark_of_half_a_map_are_rebuilt_at_once(void **state)
{
    const cairn_build_options options = {.size = sizeof options, .landmark_count = 4};
    picture drawn = picture_filled(200, 50, '.');
    const cairn_edit opens = cairn_open(100, 25);
    cairn_table *table;
    (void)state;
    for (uint32_t y = 0; y < 50; y++)
        drawn.letters[y * 200 + 100] = '@';
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &opens, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    const cairn_refresh_counts counts = cairn_table_refresh_counts(table);
    assert_int_equal(counts.landmarks_dropped, 4);
    assert_int_equal(counts.rows_rebuilt, 4);
    assert_true(counts.cells < 200 * 50 / 3);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

enum { ROOM = 5, ROOMS = 6, SIDE = ROOM * ROOMS };

/* Doors of rooms open and close while a repair goes on from one side of a world to the other, whose
 * components have other numbers. */
static void joins_are_spread_on_both_sides_of_a_world(void **state)
{
    const cairn_build_options options = {.size = sizeof options, .landmark_count = 6};
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        picture drawn = picture_filled(SIDE, SIDE, '.');
        dice luck = {seed + 1};
        cairn_table *table;
        cairn_world *world;
        cairn_view draft;
        for (uint32_t node = 0; node < SIDE * SIDE; node++) {
            if (node % SIDE % ROOM == 0 || node / SIDE % ROOM == 0)
                drawn.letters[node] = '@';
        }
        cairn_map *map = map_of(&drawn, fixture_metrics[0]);
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
        for (unsigned i = 0; i < 200; i++) {
            const uint32_t wall = ROOM * dice_below(&luck, ROOMS), along = dice_below(&luck, SIDE);
            const cairn_edit edit = cairn_terrain(i % 2 ? wall : along, i % 2 ? along : wall,
                                                  dice_below(&luck, 3) ? '.' : '@');
            const cairn_budget budget = CAIRN_CELLS(dice_below(&luck, 400));
            assert_int_equal(cairn_world_edit(world, &edit, 1), CAIRN_OK);
            const cairn_status status = world_step_now(world, budget);
            assert_true(status == CAIRN_OK || status == CAIRN_MORE);
            if (dice_below(&luck, 2))
                cairn_world_publish(world);
        }
        assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
        assert_int_equal(cairn_world_draft(world, &draft), CAIRN_OK);
        assert_int_equal(cairn_table_verify(draft.table, draft.map, 1, NULL), CAIRN_OK);
        cairn_world_release(world, &draft);
        cairn_world_free(world);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_components_that_were),
        cmocka_unit_test(of_the_largest_part_no_more_is_visited_than_of_the_others),
        cmocka_unit_test(rows_that_lose_the_landmark_of_half_a_map_are_rebuilt_at_once),
        cmocka_unit_test(joins_are_spread_on_both_sides_of_a_world),
    };
    return cmocka_run_group_tests_name("joined_parts", tests, NULL, NULL);
}
