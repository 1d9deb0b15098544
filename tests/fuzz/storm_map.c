/* Lives of a map and its table. */
#include "storm.h"

#include <inttypes.h>

#include "support/check.h"
#include "support/fixtures.h"

enum { PAIRS = 20, BATCH = 6, FLAWLESS_MOST = 600 };

/* ------------------------------------------------------------------------------------ edits -- */

static bool can_be_text(const storm_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        const cairn_edit *edit = &batch->edits[i];
        if (edit->kind != CAIRN_EDIT_ARC && (edit->kind != CAIRN_EDIT_FILL || !edit->width))
            return false;
    }
    return true;
}

static int print_edit(char *text, size_t room, const cairn_edit *edit)
{
    if (edit->kind == CAIRN_EDIT_ARC)
        return snprintf(text, room, "cost %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", edit->arc.from,
                        edit->arc.to, edit->arc.cost);
    return snprintf(text, room, "rect %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %c\n",
                    edit->x, edit->y, edit->width, edit->height, edit->letter);
}

static void edit_by_text(cairn_map *map, const storm_batch *batch)
{
    char text[STORM_EDITS * 60];
    size_t size = 0;
    cairn_edits *edits;

    for (size_t i = 0; i < batch->count; i++)
        size += (size_t)print_edit(text + size, sizeof text - size, &batch->edits[i]);
    assert_int_equal(cairn_edits_parse(text, size, &edits, NULL), CAIRN_OK);
    assert_int_equal(cairn_edits_count(edits), batch->count);
    assert_int_equal(cairn_map_edit(map, cairn_edits_items(edits), batch->count), CAIRN_OK);
    cairn_edits_free(edits);
}

/* Mostly one call; sometimes more than a journal of a small map holds. */
static unsigned calls_of_edits(dice *luck)
{
    if (dice_below(luck, 700) == 0)
        return 5000;
    if (dice_below(luck, 60) == 0)
        return 200;
    return dice_below(luck, 3) ? 1 : 1 + dice_below(luck, 12);
}

static void edit(storm_scene *here)
{
    storm_batch batch;
    for (unsigned calls = calls_of_edits(&here->luck); calls > 0; calls--) {
        storm_draw(&here->both, &here->luck, &batch);
        if (can_be_text(&batch) && dice_below(&here->luck, 8) == 0)
            edit_by_text(here->both.map, &batch);
        else
            assert_int_equal(cairn_map_edit(here->both.map, batch.edits, batch.count), CAIRN_OK);
        here->counts->edits += batch.count;
    }
    here->writes++;
    if (here->both.drawn.letters)
        twin_list_steps(&here->both);
}

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

static void check_table(storm_scene *here)
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
        check_table(here);
    else
        check_fresh_rows(here);
}

static void refresh(storm_scene *here)
{
    if (here->table)
        refreshed(here, step_now(here->table, here->both.map, storm_any_budget(&here->luck)));
}

static void refresh_all(storm_scene *here)
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
    check_table(here);
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

static void enter_all(storm_scene *here)
{
    for (unsigned i = 0; i < STORM_VISITORS; i++)
        visitor_enter(&here->visitors[i], storm_any_options(&here->luck), here->both.map,
                      here->table);
}

static void leave_all(storm_scene *here)
{
    storm_leave_flood(here);
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

/* -------------------------------------------------------------------------- what a map tells -- */

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

static void check_map(storm_scene *here)
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

static void check_bounds(storm_scene *here)
{
    assert_search(&here->both, here->table, &here->luck);
}

/* A table of corners, where the map allows one: searches along it are exact before an edit, after
 * it, and while rows are rebuilt. */
static void try_corners(storm_scene *here)
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
        edit(here);
    }
    cairn_table_free(table);
}

/* ----------------------------------------------------------------------------- other objects -- */

/* The life goes on with another map, or the same, and another table. */
static void go_on_with(storm_scene *here, cairn_map *map, cairn_table *table)
{
    leave_all(here);
    if (map != here->both.map)
        cairn_map_free(here->both.map);
    if (table != here->table)
        cairn_table_free(here->table);
    here->both.map = map;
    here->table = table;
    here->writes++;
    enter_all(here);
}

static void clone(storm_scene *here)
{
    cairn_map *map = here->both.map;
    cairn_table *table = here->table;
    if (dice_below(&here->luck, 3))
        assert_int_equal(cairn_map_clone(here->both.map, &map), CAIRN_OK);
    if (table && dice_below(&here->luck, 3))
        assert_int_equal(cairn_table_clone(here->table, &table), CAIRN_OK);
    here->counts->clones++;
    go_on_with(here, map, table);
}

static bool is_fresh(const storm_scene *here)
{
    for (uint32_t row = 0; row < cairn_table_row_count(here->table); row++)
        if (cairn_table_row_state(here->table, here->both.map, row) != CAIRN_ROW_FRESH)
            return false;
    return true;
}

/* The first so many rows; pairs of rows stay together. */
static uint32_t any_rows(dice *luck, const cairn_table *table)
{
    uint32_t together = cairn_table_direction(table, 0) == CAIRN_DIRECTION_BOTH ? 1 : 2;
    return (1 + dice_below(luck, cairn_table_row_count(table) / together)) * together;
}

static cairn_save_options any_save(dice *luck, const cairn_table *table)
{
    cairn_save_options save = {.size = sizeof save,
                               .thread_count = 1,
                               .codec = (cairn_codec)dice_below(luck, CAIRN_CODEC_SEEDS + 1),
                               .map_part = (cairn_map_part)dice_below(luck, 2)};
    if (dice_below(luck, 6) == 0)
        save.row_count = any_rows(luck, table);
    return save;
}

/* Goes on with what a file gives back: all rows or the first ones, with its map or along ours. */
static void load(storm_scene *here, const uint8_t *bytes, size_t size, bool has_map)
{
    cairn_load_options options = {
        .size = sizeof options, .thread_count = 1, .map = has_map ? NULL : here->both.map};
    cairn_map *map = here->both.map;
    cairn_table *table;
    if (dice_below(&here->luck, 6) == 0)
        options.row_count = any_rows(&here->luck, here->table);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, has_map ? &map : NULL, &table, NULL),
                     CAIRN_OK);
    go_on_with(here, map, table);
    check_table(here);
}

/* A table that is behind is refused, and can be saved once it is not. */
static void save_and_load(storm_scene *here)
{
    uint8_t *bytes;
    size_t size;
    if (!here->table)
        return;
    cairn_save_options save = any_save(&here->luck, here->table);
    bool fresh = is_fresh(here);
    cairn_status status = cairn_save_bytes(here->both.map, here->table, &save, &bytes, &size);
    if (!fresh)
        assert_int_equal(status, CAIRN_E_STALE);
    if (status == CAIRN_E_STALE) {
        refresh_all(here);
        status = cairn_save_bytes(here->both.map, here->table, &save, &bytes, &size);
    }
    assert_int_equal(status, CAIRN_OK);
    cairn_map *saved = here->both.map, *kept = NULL;
    assert_int_equal(cairn_map_clone(saved, &kept), CAIRN_OK);
    load(here, bytes, size, save.map_part == CAIRN_MAP_INCLUDED);
    cairn_bytes_free(kept, bytes);
    cairn_map_free(kept);
    here->counts->files++;
}

static void build_again(storm_scene *here)
{
    cairn_table *table = dice_below(&here->luck, 8) ? storm_any_table(here, here->both.map) : NULL;
    go_on_with(here, here->both.map, table);
}

/* Tables in another metric are of no use any more. */
static void change_metric(storm_scene *here)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {99, 140}, {1000, 1414}};
    cairn_metric metric = metrics[dice_below(&here->luck, COUNT_OF(metrics))];
    if (!here->both.drawn.letters)
        return;
    leave_all(here);
    assert_int_equal(cairn_map_set_metric(here->both.map, metric), CAIRN_OK);
    twin_list_steps(&here->both);
    cairn_table_free(here->table);
    here->table = storm_any_table(here, here->both.map);
    here->writes++;
    enter_all(here);
}

/* -------------------------------------------------------------------------------------- life -- */

/* What a life is without leaves others of these things more of it: faults that need several of them
 * are met then. */
static void do_something_seldom(storm_scene *here, unsigned without)
{
    const unsigned thing = dice_below(&here->luck, 14);
    if (without >> thing & 1)
        return;
    switch (thing) {
    case 0: clone(here); return;
    case 1: save_and_load(here); return;
    case 2: build_again(here); return;
    case 3: rebuild(here); return;
    case 4: refresh_as_it_pays(here); return;
    case 5: search_batch(here); return;
    case 6: check_bounds(here); return;
    case 7: change_metric(here); return;
    case 8: try_corners(here); return;
    case 9:
    case 10: storm_undo(here); return;
    case 11:
    case 12: storm_flood(here); return;
    default: check_map(here);
    }
}

void storm_live_on_a_map(storm_scene *here, unsigned rounds)
{
    here->table = storm_any_table(here, here->both.map);
    enter_all(here);
    const unsigned without = dice_below(&here->luck, 2) ? dice_below(&here->luck, 1u << 14) : 0;
    for (unsigned round = 0; round < rounds; round++) {
        if (without && dice_below(&here->luck, 3) == 0)
            do_something_seldom(here, without);
        switch (dice_below(&here->luck, 16)) {
        case 0:
        case 1:
        case 2:
        case 3: edit(here); break;
        case 4:
        case 5:
        case 6: refresh(here); break;
        case 7: do_something_seldom(here, without); break;
        default: search(here);
        }
    }
    if (here->table) {
        refresh_all(here);
        check_table(here);
    }
    check_map(here);
    leave_all(here);
    cairn_table_free(here->table);
}
