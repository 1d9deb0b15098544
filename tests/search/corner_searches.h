/* Tables of corners and open maps for tests of searches, and the proof of their paths. */
#ifndef CAIRN_TESTS_CORNER_SEARCHES_H
#define CAIRN_TESTS_CORNER_SEARCHES_H

#include "map/map.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/paths.h"

enum { QUERIES = 40 };

static inline cairn_table *corner_table(cairn_map *map, uint32_t rows, uint64_t seed,
                                        cairn_resident resident)
{
    return table_built(
        map, (cairn_build_options){
                 .landmark_count = rows, .thread_count = 1, .seed = seed, .resident = resident});
}

static inline void assert_shortest(cairn_search *search, const picture *drawn, cairn_metric metric,
                                   cairn_node start, cairn_node goal)
{
    cairn_path path;
    uint64_t *costs = NULL;
    bool open = picture_is_open(drawn, start % drawn->width, start / drawn->width) &&
                picture_is_open(drawn, goal % drawn->width, goal / drawn->width);

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (!open) {
        assert_true(path.outcome == CAIRN_PATH_START_BLOCKED ||
                    path.outcome == CAIRN_PATH_GOAL_BLOCKED);
        return;
    }
    costs = oracle_costs(drawn, steps_of(metric), &start, 1);
    assert_shortest_path(drawn, steps_of(metric), &path, start, goal, costs[goal]);
    free(costs);
}

/* A cell beside a corner, one in a dead end, the corner itself, or any: what goals are like. */
static inline cairn_node any_end(const cairn_map *map, dice *luck)
{
    const cn_corners *corners;
    assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    if (corners->count && dice_below(luck, 2))
        node = corners->nodes[dice_below(luck, corners->count)];
    if (dice_below(luck, 2)) {
        uint32_t x = node % map->grid.width + dice_below(luck, 3);
        uint32_t y = node / map->grid.width + dice_below(luck, 3);
        if (x > 0 && y > 0 && x <= map->grid.width && y <= map->grid.height)
            node = (y - 1) * map->grid.width + x - 1;
    }
    return node;
}

static inline void assert_all_shortest(cairn_search *search, const cairn_map *map,
                                       const picture *drawn, dice *luck, int queries)
{
    cairn_node goal = 0;
    for (int i = 0; i < queries; i++) {
        if (i % 3 == 0)
            goal = any_end(map, luck);
        cairn_node start = i % 7 == 6 ? goal : any_end(map, luck);
        assert_shortest(search, drawn, map->metric, start, goal);
    }
}

/* Opens some blocked cells. */
static inline void open_some(cairn_map *map, picture *drawn, dice *luck)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        const uint32_t node = dice_below(luck, picture_size(drawn));
        edit_letter(map, drawn, node, '.');
    }
}

/* Open ground with single blocked cells. */
static inline picture open_ground(uint32_t side, dice *luck)
{
    picture drawn = picture_filled(side, side, '.');
    for (uint32_t i = 0; i < side * side / 50; i++)
        drawn.letters[dice_below(luck, side * side)] = '@';
    return drawn;
}

static inline void block_any(cairn_map *map, picture *drawn, dice *luck)
{
    edit_letter(map, drawn, dice_open_cell(luck, drawn), '@');
}

#endif
