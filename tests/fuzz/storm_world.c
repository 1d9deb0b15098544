/* Lives of a world around a map and its table, with readers that hold on to its states. */
#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

/* Leads a visitor to the published state or to the draft, where no reader is in the way. */
static void lead(storm_scene *here, visitor *self)
{
    bool to_draft = dice_below(&here->luck, 4) == 0;
    here->writes += to_draft;
    if (!visitor_lead_to(self, here->world, to_draft))
        return;
    if (self->is_paused && dice_below(&here->luck, 2))
        return;
    const oracle_arcs *arcs = to_draft ? &here->both.arcs : &here->published;
    here->counts->queries++;
    if (dice_below(&here->luck, 8))
        visitor_ask(self, &here->luck, arcs, here->writes);
    else
        visitor_ask_any(self, &here->luck, arcs, here->writes);
}

static void avoid(storm_scene *here, visitor *self)
{
    if (!self->view.map)
        return;
    here->counts->lists++;
    visitor_avoid(self, &here->luck, &here->both.arcs);
}

/* The draft is the map that the twin has, and its table exact. */
static void check_draft(storm_scene *here)
{
    cairn_view draft;
    assert_int_equal(cairn_world_draft(here->world, &draft), CAIRN_OK);
    assert_true(cairn_map_hash(draft.map) == cairn_map_hash(here->both.map));
    twin both = here->both;
    cairn_map *map;
    assert_int_equal(cairn_map_clone(draft.map, &map), CAIRN_OK);
    both.map = map;
    if (draft.table)
        storm_check_table(here, &both, draft.table);
    cairn_map_free(map);
}

static void refresh(storm_scene *here)
{
    cairn_status status = world_step_now(here->world, storm_any_budget(&here->luck));
    here->writes++;
    here->counts->refreshes++;
    assert_true(status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_BUSY);
    if (status == CAIRN_OK && dice_below(&here->luck, 4) == 0)
        check_draft(here);
}

/* What a reader sees can be saved where it is fresh, and is then what was saved. */
static void save(storm_scene *here)
{
    cairn_view view = cairn_world_acquire(here->world);
    cairn_map *map;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;
    cairn_status status = CAIRN_E_STALE;

    if (view.table)
        status = cairn_save_bytes(view.map, view.table, NULL, &bytes, &size);
    if (status != CAIRN_E_STALE) {
        assert_int_equal(status, CAIRN_OK);
        assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &table, NULL), CAIRN_OK);
        assert_true(cairn_map_hash(map) == cairn_map_hash(view.map));
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_bytes_free(view.map, bytes);
        cairn_table_free(table);
        cairn_map_free(map);
        here->counts->files++;
    }
    cairn_world_release(here->world, &view);
}

static void write(storm_scene *here)
{
    switch (dice_below(&here->luck, 8)) {
    case 0:
        here->writes++;
        twin_publish(&here->both, here->world, &here->published);
        return;
    case 1:
    case 2: refresh(here); return;
    case 3: storm_undo(here); return;
    default: storm_change(here);
    }
}

static void open_world(storm_scene *here)
{
    cairn_map *map;
    assert_int_equal(cairn_map_clone(here->both.map, &map), CAIRN_OK);
    here->counts->clones++;
    here->counts->worlds++;
    here->table = dice_below(&here->luck, 8) ? storm_any_table(here, map) : NULL;
    assert_int_equal(cairn_world_new(map, here->table, &here->world), CAIRN_OK);
    here->published = oracle_arcs_copy(&here->both.arcs);
    for (unsigned i = 0; i < STORM_VISITORS; i++) {
        visitor *self = &here->visitors[i];
        visitor_enter(self, storm_any_options(&here->luck), map, here->table);
        lead(here, self);
    }
}

static void close_world(storm_scene *here)
{
    storm_leave_walk(here);
    for (unsigned i = 0; i < STORM_VISITORS; i++) {
        visitor_let_go(&here->visitors[i], here->world);
        visitor_leave(&here->visitors[i]);
    }
    for (unsigned side = 0; side < 2; side++) {
        assert_int_equal(cairn_world_refresh_step(here->world, CAIRN_UNLIMITED), CAIRN_OK);
        check_draft(here);
        assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    }
    cairn_world_free(here->world);
    oracle_arcs_free(&here->published);
}

void storm_live_in_a_world(storm_scene *here, unsigned rounds)
{
    open_world(here);
    for (unsigned round = 0; round < rounds; round++) {
        visitor *self = &here->visitors[dice_below(&here->luck, STORM_VISITORS)];
        switch (dice_below(&here->luck, 20)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4: write(here); break;
        case 5:
        case 6:
        case 7:
        case 8:
        case 9:
        case 10: lead(here, self); break;
        case 11: visitor_let_go(self, here->world); break;
        case 12: save(here); break;
        case 13:
        case 14: avoid(here, self); break;
        case 15:
        case 16: storm_walk_on(here); break;
        default: here->counts->resumes++; visitor_resume(self, &here->luck, NULL, here->writes);
        }
    }
    close_world(here);
}
