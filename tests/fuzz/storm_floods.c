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

static void edit(storm_scene *here, const cairn_edit *edits, size_t count)
{
    assert_int_equal(cairn_map_edit(here->both.map, edits, count), CAIRN_OK);
    here->counts->edits += count;
}

/* In one call, after which the map has the version that it had, or in two. */
static void edit_in_calls(storm_scene *here, const cairn_edit *edits, size_t count)
{
    const size_t first = dice_below(&here->luck, 2) ? dice_below(&here->luck, (uint32_t)count + 1)
                                                    : 0;
    edit(here, edits, first);
    edit(here, edits + first, count - first);
}

static void undo_letters(storm_scene *here)
{
    twin *both = &here->both;
    const uint32_t width = both->drawn.width, height = both->drawn.height;
    char *letters = malloc((size_t)width * height);
    cairn_edit edits[STORM_EDITS + 1];
    storm_batch batch;

    assert_non_null(letters);
    memcpy(letters, both->drawn.letters, (size_t)width * height);
    storm_draw(both, &here->luck, &batch);
    memcpy(edits, batch.edits, batch.count * sizeof *edits);
    memcpy(both->drawn.letters, letters, (size_t)width * height);
    edits[batch.count] = cairn_patch_letters(0, 0, width, height, letters);
    edit_in_calls(here, edits, batch.count + 1);
    free(letters);
}

static void undo_arcs(storm_scene *here)
{
    twin *both = &here->both;
    oracle_arcs before = oracle_arcs_copy(&both->arcs);
    cairn_edit edits[2 * STORM_EDITS];
    storm_batch batch;

    storm_draw(both, &here->luck, &batch);
    memcpy(edits, batch.edits, batch.count * sizeof *edits);
    for (size_t i = 0; i < batch.count; i++) {
        const cairn_arc *arc = &batch.edits[i].arc;
        const uint64_t cost = oracle_arc_between(&before, arc->from, arc->to);
        edits[batch.count + i] = cairn_arc_cost(arc->from, arc->to, (cairn_cost)cost);
    }
    edit_in_calls(here, edits, 2 * batch.count);
    oracle_arcs_free(&both->arcs);
    both->arcs = before;
}

void storm_undo(storm_scene *here)
{
    const uint64_t hash = cairn_map_hash(here->both.map);

    if (here->both.drawn.letters)
        undo_letters(here);
    else
        undo_arcs(here);
    here->writes++;
    assert_true(cairn_map_hash(here->both.map) == hash);
}
