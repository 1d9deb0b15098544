/* Units of several cells on a map, through some of its edits. */
#include "storm.h"

#include "support/bodies.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { ROUNDS = 4, LARGEST = 3, NODES_MOST = 300 };

/* Another unit is in the way, or any nodes are. */
static void avoid(storm_scene *here, const twin *units, visitor *self)
{
    enum { ROOM = (2 * LARGEST - 1) * (2 * LARGEST - 1) };
    cairn_node anchors[ROOM];
    const cairn_node at = visitor_node(units->map, &here->luck);
    const uint32_t count = cairn_unit_anchors(units->map, units->map, at, anchors, ROOM);

    here->counts->lists++;
    if (dice_below(&here->luck, 2) || !count)
        visitor_avoid(self, &here->luck, &units->arcs);
    else
        visitor_avoid_these(self, anchors, count);
}

static void do_something(storm_scene *here, const twin *units, visitor *self, cairn_table *table)
{
    switch (dice_below(&here->luck, 6)) {
    case 0: avoid(here, units, self); break;
    case 1:
        if (table)
            (void)step_now(table, units->map, storm_any_budget(&here->luck));
        here->writes++;
        break;
    case 2: visitor_resume(self, &here->luck, &units->arcs, here->writes); break;
    case 3: visitor_ask_any(self, &here->luck, &units->arcs, here->writes); break;
    default: visitor_ask(self, &here->luck, &units->arcs, here->writes);
    }
    here->counts->queries++;
}

static void live_as_units(storm_scene *here, cairn_map *map, cairn_anchor of)
{
    cairn_table *table = dice_below(&here->luck, 4) ? storm_any_table(here, map) : NULL;
    visitor self;

    visitor_enter(&self, storm_any_options(&here->luck), map, table);
    for (unsigned round = 0; round < ROUNDS; round++) {
        twin units = bodies_twin(&here->both, map, cairn_map_unit_size(map), of);
        for (unsigned i = 0; i < ROUNDS; i++)
            do_something(here, &units, &self, table);
        bodies_free(&units);
        storm_change(here);
    }
    visitor_leave(&self);
    cairn_table_free(table);
}

void storm_try_units(storm_scene *here)
{
    const twin *both = &here->both;
    const cairn_anchor of = dice_below(&here->luck, 2) ? CAIRN_ANCHOR_MIDDLE
                                                       : CAIRN_ANCHOR_TOP_LEFT;
    cairn_map *map;

    if (!both->drawn.letters || both->arcs.node_count > NODES_MOST)
        return;
    assert_int_equal(cairn_map_for_units(both->map, 1 + dice_below(&here->luck, LARGEST), of, &map),
                     CAIRN_OK);
    live_as_units(here, map, of);
    cairn_map_free(map);
}
