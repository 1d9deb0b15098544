/* What a map tells, and tables that are made for a moment. */
#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

enum { PAIRS = 20, FLAWLESS_MOST = 600 };

static void check_components(const storm_scene *here)
{
    const twin *both = &here->both;
    dice luck = here->luck;
    uint32_t *parts = storm_parts(&both->arcs);
    for (unsigned i = 0; i < PAIRS; i++) {
        cairn_node a = dice_below(&luck, both->arcs.node_count);
        cairn_node b = dice_below(&luck, both->arcs.node_count);
        bool joined = twin_is_open(both, a) && twin_is_open(both, b) && parts[a] == parts[b];
        assert_int_equal(cairn_connected(both->map, a, b), joined);
    }
    free(parts);
}

static void check_letters(const twin *both)
{
    uint32_t open = 0;
    for (cairn_node node = 0; node < both->arcs.node_count; node++) {
        open += twin_is_open(both, node);
        assert_int_equal(cairn_map_is_open(both->map, node), twin_is_open(both, node));
        if (both->drawn.letters)
            assert_int_equal(cairn_map_letter(both->map, node), both->drawn.letters[node]);
    }
    assert_int_equal(cairn_map_open_count(both->map), open);
}

void storm_check_map(storm_scene *here)
{
    check_letters(&here->both);
    check_components(here);
    if (cairn_map_node_count(here->both.map) < FLAWLESS_MOST) {
        cairn_node node = visitor_node(here->both.map, &here->luck);
        if (twin_is_open(&here->both, node))
            assert_floods(&here->both, node);
    }
    if (dice_below(&here->luck, 4) == 0)
        assert_map_equals_a_rebuilt_one(&here->both);
}

void storm_check_bounds(storm_scene *here)
{
    assert_search(&here->both, here->table, &here->luck);
}

/* A table of corners, where the map allows one: searches along it are exact before an edit, after
 * it, and while rows are rebuilt. */
void storm_try_corners(storm_scene *here)
{
    const twin *both = &here->both;
    const bool has_corners = storm_has_corners(both);
    cairn_build_options build = {.size = sizeof build,
                                 .thread_count = 1,
                                 .landmark_count = 1 + dice_below(&here->luck, 6),
                                 .resident = CAIRN_RESIDENT_CORNERS};
    cairn_table *table;
    cairn_status status = cairn_table_build(both->map, &build, &table);

    assert_int_equal(status, has_corners ? CAIRN_OK : CAIRN_E_RESIDENT);
    if (!has_corners)
        return;
    assert_int_equal(cairn_table_resident(table), CAIRN_RESIDENT_CORNERS);
    for (unsigned round = 0; round < 6; round++) {
        const cairn_budget budget = CAIRN_CELLS(dice_below(&here->luck, 500));
        visitor self;
        if (dice_below(&here->luck, 2))
            status = step_now(table, both->map, budget);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        assert_search(both, table, &here->luck);
        visitor_enter(&self, storm_any_options(&here->luck), both->map, table);
        visitor_ask(&self, &here->luck, &both->arcs, here->writes);
        visitor_leave(&self);
        here->counts->queries++;
        storm_change(here);
    }
    cairn_table_free(table);
}
