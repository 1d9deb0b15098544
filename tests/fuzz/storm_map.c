/* Lives of a map and its table. */
#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

enum { BATCH = 6, SELDOM = 15, MOST_WEIGHT = 8 };

/* --------------------------------------------------------------------------------- refreshes -- */

/* Rows that are said to be exact are. */
static void check_fresh_rows(const storm_scene *here)
{
    const twin *both = &here->both;
    oracle_arcs steps = {0};
    if (cairn_table_counts_steps(here->table))
        steps = twin_step_map_arcs(both, cairn_table_metric(here->table));
    for (uint32_t row = 0; row < cairn_table_row_count(here->table); row++)
        if (cairn_table_row_state(here->table, both->map, row) == CAIRN_ROW_FRESH)
            assert_row(steps.list ? &steps : &both->arcs, both->map, here->table, row);
    oracle_arcs_free(&steps);
    here->counts->tables++;
}

void storm_check_own_table(storm_scene *here)
{
    storm_check_table(here, &here->both, here->table);
    assert_int_equal(cairn_table_verify(here->table, here->both.map, 1, NULL), CAIRN_OK);
}

/* A cost above the largest is beyond what small maps have. */
static void refreshed(storm_scene *here, cairn_status status)
{
    here->writes++;
    here->counts->refreshes++;
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    if (dice_below(&here->luck, 3))
        return;
    if (status == CAIRN_OK)
        storm_check_own_table(here);
    else
        check_fresh_rows(here);
}

static void refresh(storm_scene *here)
{
    if (here->table)
        refreshed(here, step_now(here->table, here->both.map, storm_any_budget(&here->luck)));
}

void storm_refresh_all(storm_scene *here)
{
    here->writes++;
    assert_int_equal(cairn_refresh_step(here->table, here->both.map, CAIRN_UNLIMITED), CAIRN_OK);
}

static void rebuild(storm_scene *here)
{
    if (!here->table)
        return;
    here->writes++;
    assert_int_equal(cairn_table_rebuild(here->table, here->both.map), CAIRN_OK);
    storm_check_own_table(here);
}

static void refresh_as_it_pays(storm_scene *here)
{
    cairn_search *search;
    cairn_path path;
    if (!here->table)
        return;
    assert_int_equal(cairn_search_new(here->both.map, here->table, NULL, &search), CAIRN_OK);
    for (unsigned i = 0; i < 4; i++) {
        cairn_node start = visitor_node(here->both.map, &here->luck);
        cairn_node goal = visitor_node(here->both.map, &here->luck);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        refreshed(here, cairn_refresh_as_it_pays(here->table, here->both.map, &path));
    }
    cairn_search_free(search);
}

/* ---------------------------------------------------------------------------------- visitors -- */

void storm_enter_all(storm_scene *here)
{
    for (unsigned i = 0; i < STORM_VISITORS; i++)
        visitor_enter(&here->visitors[i], storm_any_options(&here->luck), here->both.map,
                      here->table);
}

void storm_leave_all(storm_scene *here)
{
    storm_leave_flood(here);
    storm_leave_walk(here);
    for (unsigned i = 0; i < STORM_VISITORS; i++)
        visitor_leave(&here->visitors[i]);
}

static void search(storm_scene *here)
{
    visitor *self = &here->visitors[dice_below(&here->luck, STORM_VISITORS)];
    if (self->is_paused && dice_below(&here->luck, 6)) {
        here->counts->resumes++;
        visitor_resume(self, &here->luck, &here->both.arcs, here->writes);
        return;
    }
    here->counts->queries++;
    visitor_ask(self, &here->luck, &here->both.arcs, here->writes);
}

static void search_any(storm_scene *here)
{
    visitor *self = &here->visitors[dice_below(&here->luck, STORM_VISITORS)];
    here->counts->queries++;
    visitor_ask_any(self, &here->luck, &here->both.arcs, here->writes);
}

static void avoid(storm_scene *here)
{
    visitor *self = &here->visitors[dice_below(&here->luck, STORM_VISITORS)];
    here->counts->lists++;
    visitor_avoid(self, &here->luck, &here->both.arcs);
}

static void search_batch(storm_scene *here)
{
    const twin *both = &here->both;
    const cairn_search_options options = {
        .size = sizeof options,
        .space = (cairn_space)dice_below(&here->luck, CAIRN_SPACE_JUMP + 1)};
    cairn_query queries[BATCH] = {{0}};
    cairn_batch *batch;

    for (unsigned i = 0; i < BATCH; i++) {
        queries[i].start = visitor_node(both->map, &here->luck);
        queries[i].goal = visitor_node(both->map, &here->luck);
    }
    assert_int_equal(cairn_search_batch(both->map, here->table, queries, BATCH, &options,
                                        1 + dice_below(&here->luck, 2), &batch),
                     CAIRN_OK);
    for (unsigned i = 0; i < BATCH; i++) {
        const cairn_path *path = &cairn_batch_paths(batch)[i];
        uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_FROM, &queries[i].start, 1);
        if (twin_is_open(both, queries[i].start) && twin_is_open(both, queries[i].goal))
            assert_int_equal(path->cost, cost_of(costs[queries[i].goal]));
        if (path->outcome == CAIRN_PATH_FOUND)
            assert_int_equal(oracle_arc_path(&both->arcs, path->nodes, path->node_count),
                             path->cost);
        free(costs);
    }
    cairn_batch_free(batch);
    here->counts->queries += BATCH;
}

/* -------------------------------------------------------------------------------------- life -- */

/* What a life is without leaves others of these things more of it: faults that need several of them
 * are met then. */
static void do_something_seldom(storm_scene *here)
{
    const unsigned thing = dice_below(&here->luck, SELDOM);
    if (here->without >> thing & 1)
        return;
    switch (thing) {
    case 0: storm_clone(here); return;
    case 1: storm_save_and_load(here); return;
    case 2: storm_build_again(here); return;
    case 3: rebuild(here); return;
    case 4: refresh_as_it_pays(here); return;
    case 5: search_batch(here); return;
    case 6: storm_check_bounds(here); return;
    case 7: storm_change_metric(here); return;
    case 8: storm_try_corners(here); return;
    case 9:
    case 10: storm_undo(here); return;
    case 11:
    case 12: storm_flood(here); return;
    case 13: storm_try_units(here); return;
    default: storm_check_map(here);
    }
}

/* How often a life does each of these things beside the others; a dense one draws that for itself.
 */
typedef struct deed {
    void (*make)(storm_scene *here);
    unsigned usual;
} deed;

static const deed deeds[] = {{storm_change, 8},        {refresh, 6},   {search, 16},
                             {search_any, 2},          {avoid, 3},     {storm_walk_on, 3},
                             {do_something_seldom, 2}, {storm_undo, 0}};
enum { DEEDS = COUNT_OF(deeds) };

static void draw_weights(storm_scene *here, unsigned *weights)
{
    for (unsigned i = 0; i < DEEDS; i++)
        weights[i] = here->is_dense ? dice_below(&here->luck, MOST_WEIGHT) : deeds[i].usual;
    weights[0] += 1;
}

static void do_something(storm_scene *here, const unsigned *weights)
{
    unsigned all = 0, which = 0;
    for (unsigned i = 0; i < DEEDS; i++)
        all += weights[i];
    unsigned left = dice_below(&here->luck, all);
    while (left >= weights[which])
        left -= weights[which++];
    deeds[which].make(here);
}

void storm_live_on_a_map(storm_scene *here, unsigned rounds)
{
    unsigned weights[DEEDS];

    here->table = storm_any_table(here, here->both.map);
    storm_enter_all(here);
    here->without = dice_below(&here->luck, 2) ? dice_below(&here->luck, 1u << SELDOM) : 0;
    draw_weights(here, weights);
    for (unsigned round = 0; round < rounds; round++) {
        if (here->without && !here->is_dense && dice_below(&here->luck, 3) == 0)
            do_something_seldom(here);
        do_something(here, weights);
    }
    if (here->table) {
        storm_refresh_all(here);
        storm_check_own_table(here);
    }
    storm_check_map(here);
    storm_leave_all(here);
    cairn_table_free(here->table);
}
