/* The parts that cells which opened have joined, against components of the map without those cells,
 * under every rule and terrain. */
#include "map/map.h"
#include "components/joined_parts.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { MAPS = 12, OPENED_MOST = 30 };

/* The components of a map whose nodes arcs connect in whatever direction. */
typedef struct components {
    uint32_t *of;   /* by node: the component's root */
    uint32_t *size; /* by root: of its open cells */
} components;

static uint32_t root_of(uint32_t *of, uint32_t node)
{
    while (of[node] != node)
        node = of[node] = of[of[node]];
    return node;
}

static components components_of(const twin *both)
{
    const uint32_t count = both->arcs.node_count;
    components found = {calloc(count, sizeof *found.of), calloc(count, sizeof *found.size)};
    assert_non_null(found.of);
    assert_non_null(found.size);
    for (uint32_t node = 0; node < count; node++)
        found.of[node] = node;
    for (size_t i = 0; i < both->arcs.count; i++) {
        const oracle_arc *arc = &both->arcs.list[i];
        found.of[root_of(found.of, arc->from)] = root_of(found.of, arc->to);
    }
    for (uint32_t node = 0; node < count; node++) {
        found.of[node] = root_of(found.of, node);
        found.size[found.of[node]] += twin_is_open(both, node);
    }
    return found;
}

static void components_free(components *found)
{
    free(found->of);
    free(found->size);
}

/* A map, some of its cells, which opened, and what it was before. */
typedef struct joined {
    twin now;
    cairn_node opened[OPENED_MOST];
    char letters[OPENED_MOST]; /* theirs now */
    size_t count;
    components before, after;
    bool *was_open;    /* by node */
    uint32_t *largest; /* by root of a component now: the size of its largest part */
    uint32_t *label;   /* by root of a component before: that of its cells; UINT32_MAX: none yet */
} joined;

static void set_opened(joined *made, bool open)
{
    for (size_t i = 0; i < made->count; i++)
        made->now.drawn.letters[made->opened[i]] = open ? made->letters[i] : '@';
    twin_list_steps(&made->now);
}

static void draw_opened(joined *made, uint64_t seed)
{
    dice luck = {seed * 2 + 1};
    for (uint32_t tries = 1 + dice_below(&luck, OPENED_MOST); tries; tries--) {
        const cairn_node cell = dice_below(&luck, made->now.arcs.node_count);
        if (!twin_is_open(&made->now, cell))
            continue;
        made->letters[made->count] = made->now.drawn.letters[cell];
        made->opened[made->count++] = cell;
    }
}

/* A cell may be drawn twice. */
static joined joined_of(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    joined made = {.now = twin_sized(seed, rule, kind, fixture_metrics[0], 61, 37)};
    const uint32_t count = made.now.arcs.node_count;
    made.was_open = calloc(count, sizeof *made.was_open);
    made.largest = calloc(count, sizeof *made.largest);
    made.label = malloc(count * sizeof *made.label);
    assert_non_null(made.was_open);
    assert_non_null(made.largest);
    assert_non_null(made.label);
    memset(made.label, 0xff, count * sizeof *made.label);
    draw_opened(&made, seed);
    made.after = components_of(&made.now);
    set_opened(&made, false);
    made.before = components_of(&made.now);
    for (uint32_t node = 0; node < count; node++) {
        uint32_t *largest = &made.largest[made.after.of[node]];
        const uint32_t part = made.before.size[made.before.of[node]];
        made.was_open[node] = twin_is_open(&made.now, node);
        *largest = part > *largest ? part : *largest;
    }
    set_opened(&made, true);
    return made;
}

static void joined_free(joined *made)
{
    twin_free(&made->now);
    components_free(&made->before);
    components_free(&made->after);
    free(made->was_open);
    free(made->largest);
    free(made->label);
}

/* A search that ended knows the size of its part; one that did not is in the largest. */
static void assert_size(const joined *made, const cn_parts *parts, uint32_t node, bool is_outlying)
{
    const uint32_t size = cn_parts_size(parts, node);
    if (!twin_is_open(&made->now, node)) {
        assert_int_equal(size, UINT32_MAX);
        return;
    }
    if (!made->was_open[node]) {
        assert_int_equal(size, 0);
        assert_true(is_outlying);
        return;
    }
    const uint32_t wanted = made->before.size[made->before.of[node]];
    const uint32_t largest = made->largest[made->after.of[node]];
    assert_true(size == wanted || (size == UINT32_MAX && wanted == largest));
    if (wanted < largest)
        assert_true(is_outlying);
    if (size == UINT32_MAX)
        assert_false(is_outlying);
}

/* Cells of a part have its label, which no other part of their component has; `all` is that of all
 * cells of their tile. */
static void assert_label(const joined *made, const cn_parts *parts, uint32_t node, uint32_t label,
                         bool any, uint32_t all)
{
    assert_size(made, parts, node, label != 0);
    if (!twin_is_open(&made->now, node))
        return;
    assert_true(any || label == 0);
    assert_true(all == label || all == CN_PART_SEVERAL);
    if (!made->was_open[node]) {
        assert_int_equal(label, CN_PART_OPENED);
        return;
    }
    assert_in_range(label, 0, parts->part_count);
    uint32_t *seen = &made->label[made->before.of[node]];
    assert_true(*seen == UINT32_MAX || *seen == label);
    *seen = label;
}

/* No two parts have the same label, but that 0 is one of each component now. */
static void assert_labels_differ(const joined *made, const cn_parts *parts)
{
    const uint32_t count = made->now.arcs.node_count;
    bool *taken = calloc(parts->part_count + (size_t)1, sizeof *taken);
    bool *has_largest = calloc(count, sizeof *has_largest);
    assert_true(taken && has_largest);
    for (uint32_t node = 0; node < count; node++) {
        const uint32_t label = made->label[node];
        if (label == UINT32_MAX)
            continue;
        bool *mark = label ? &taken[label] : &has_largest[made->after.of[node]];
        assert_false(*mark);
        *mark = true;
    }
    free(taken);
    free(has_largest);
}

static void assert_sizes(const joined *made, const cn_parts *parts, const cn_regions *regions)
{
    const picture *drawn = &made->now.drawn;
    for (uint32_t tile = 0; tile < regions->tile_count; tile++) {
        uint32_t labels[CN_TILE_CELLS];
        const bool any = cn_parts_label(parts, tile, labels);
        const uint32_t all = cn_parts_of_tile(parts, tile);
        uint32_t left, top;
        cn_regions_corner(regions, tile, &left, &top);
        for (uint32_t cell = 0; cell < CN_TILE_CELLS; cell++) {
            const uint32_t x = left + cell % CN_TILE_SIDE, y = top + cell / CN_TILE_SIDE;
            if (x < drawn->width && y < drawn->height)
                assert_label(made, parts, y * drawn->width + x, labels[cell], any, all);
        }
    }
}

static const cn_regions *regions_of(const cairn_map *map)
{
    const cn_components *of_map;
    assert_int_equal(cn_map_connect(map, &of_map), CAIRN_OK);
    return &of_map->regions;
}

static void assert_parts(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    joined made = joined_of(seed, rule, kind);
    const cairn_map *map = made.now.map;
    const cn_regions *regions = regions_of(map);
    cn_parts parts;
    assert_int_equal(cn_parts_find(&parts, &map->mem, regions, made.opened, made.count), CAIRN_OK);
    assert_sizes(&made, &parts, regions);
    assert_labels_differ(&made, &parts);
    cn_parts_free(&parts);
    joined_free(&made);
}

static void parts_are_the_components_that_were(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), assert_parts);
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
