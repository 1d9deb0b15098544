/* Edits, and edits that others undo, of a map or of a map and a world. */
#include "storm.h"

#include <inttypes.h>

#include "support/check.h"
#include "support/fixtures.h"

enum { MILDEST = 100000000 };

static bool can_be_text(const cairn_edit *edits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const cairn_edit *edit = &edits[i];
        if (edit->kind != CAIRN_EDIT_ARC && (edit->kind != CAIRN_EDIT_FILL || !edit->width))
            return false;
    }
    return count <= STORM_EDITS;
}

static int print_edit(char *text, size_t room, const cairn_edit *edit)
{
    if (edit->kind == CAIRN_EDIT_ARC)
        return snprintf(text, room, "cost %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", edit->arc.from,
                        edit->arc.to, edit->arc.cost);
    return snprintf(text, room, "rect %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %c\n",
                    edit->x, edit->y, edit->width, edit->height, edit->letter);
}

/* On the map by text. */
static void edit_by_text(cairn_map *map, const cairn_edit *items, size_t count)
{
    char text[STORM_EDITS * 60];
    size_t size = 0;
    cairn_edits *edits;

    for (size_t i = 0; i < count; i++)
        size += (size_t)print_edit(text + size, sizeof text - size, &items[i]);
    assert_int_equal(cairn_edits_parse(text, size, &edits, NULL), CAIRN_OK);
    assert_int_equal(cairn_edits_count(edits), count);
    assert_int_equal(cairn_map_edit(map, cairn_edits_items(edits), count), CAIRN_OK);
    cairn_edits_free(edits);
}

/* A world is edited beside the twin's own map. */
static void make(storm_scene *here, const cairn_edit *edits, size_t count)
{
    if (can_be_text(edits, count) && dice_below(&here->luck, 8) == 0)
        edit_by_text(here->both.map, edits, count);
    else
        assert_int_equal(cairn_map_edit(here->both.map, edits, count), CAIRN_OK);
    if (here->world)
        assert_int_equal(cairn_world_edit(here->world, edits, count), CAIRN_OK);
    here->counts->edits += count;
}

/* Costs that stay so near to those of before that coordinates go on telling much of them. */
static void draw_mild_costs(twin *both, dice *luck, storm_batch *batch)
{
    const oracle_arcs *arcs = &both->arcs;
    memset(batch, 0, sizeof *batch);
    for (unsigned left = 1 + dice_below(luck, STORM_EDITS); arcs->count && left; left--) {
        const oracle_arc arc = arcs->list[dice_below(luck, (uint32_t)arcs->count)];
        const uint32_t now = cost_of(arc.cost), cost = 1 + now / 2 + dice_below(luck, now + 1);
        if (arc.from == arc.to || cost > MILDEST)
            continue;
        batch->edits[batch->count++] = cairn_arc_cost(arc.from, arc.to, cost);
        twin_set_arc(both, arc.from, arc.to, cost);
    }
}

static void draw(storm_scene *here, storm_batch *batch)
{
    if (here->is_mild)
        draw_mild_costs(&here->both, &here->luck, batch);
    else
        storm_draw(&here->both, &here->luck, batch);
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

/* Whether a reader of a world is in the way of its draft. */
static bool must_wait(storm_scene *here)
{
    if (!here->world)
        return false;
    const cairn_status status = cairn_world_edit(here->world, NULL, 0);
    here->writes++;
    if (status != CAIRN_BUSY)
        assert_int_equal(status, CAIRN_OK);
    return status == CAIRN_BUSY;
}

void storm_change(storm_scene *here)
{
    storm_batch batch;
    if (must_wait(here))
        return;
    for (unsigned calls = calls_of_edits(&here->luck); calls > 0; calls--) {
        draw(here, &batch);
        make(here, batch.edits, batch.count);
    }
    here->writes++;
    if (here->both.drawn.letters)
        twin_list_steps(&here->both);
}

/* ------------------------------------------------------------------------------------ undone -- */

/* In one call, after which the map has the version that it had, or in two. */
static void make_in_calls(storm_scene *here, const cairn_edit *edits, size_t count)
{
    const size_t first = dice_below(&here->luck, 2) ? dice_below(&here->luck, (uint32_t)count + 1)
                                                    : 0;
    make(here, edits, first);
    make(here, edits + first, count - first);
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
    make_in_calls(here, edits, batch.count + 1);
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
    make_in_calls(here, edits, 2 * batch.count);
    oracle_arcs_free(&both->arcs);
    both->arcs = before;
}

void storm_undo(storm_scene *here)
{
    const uint64_t hash = cairn_map_hash(here->both.map);

    if (must_wait(here))
        return;
    if (here->both.drawn.letters)
        undo_letters(here);
    else
        undo_arcs(here);
    here->writes++;
    assert_true(cairn_map_hash(here->both.map) == hash);
}
