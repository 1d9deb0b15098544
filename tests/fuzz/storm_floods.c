/* Floods that keep their memory through a life, and edits that are undone. */
#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

enum { SOURCES = 3 };

void storm_leave_flood(storm_scene *here)
{
    cairn_flood_free(here->flood);
    here->flood = NULL;
}

static void check_costs(const twin *both, oracle_way way, const cairn_node *sources, size_t count,
                        const cairn_cost *costs)
{
    uint64_t *known = oracle_arc_costs(&both->arcs, way, sources, count);
    for (cairn_node node = 0; node < both->arcs.node_count; node++)
        assert_int_equal(costs[node], cost_of(known[node]));
    free(known);
}

void storm_flood(storm_scene *here)
{
    const twin *both = &here->both;
    const oracle_way way = dice_below(&here->luck, 2) ? ORACLE_FROM : ORACLE_TO;
    cairn_node sources[SOURCES];
    const size_t count = 1 + dice_below(&here->luck, SOURCES);

    for (size_t i = 0; i < count; i++) {
        sources[i] = visitor_node(both->map, &here->luck);
        if (!twin_is_open(both, sources[i]))
            return;
    }
    if (!here->flood)
        assert_int_equal(cairn_flood_new(both->map, &here->flood), CAIRN_OK);
    cairn_cost *costs = calloc(both->arcs.node_count + 1u, sizeof *costs);
    assert_non_null(costs);
    assert_int_equal((way == ORACLE_FROM ? cairn_flood_from : cairn_flood_to)(here->flood, sources,
                                                                              count, costs),
                     CAIRN_OK);
    check_costs(both, way, sources, count, costs);
    free(costs);
    here->counts->floods++;
}
