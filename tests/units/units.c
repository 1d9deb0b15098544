/* Maps for units of several cells, of every kind: against bodies drawn cell by cell, whose steps
 * the oracle has for each of their cells. */
#include "support/bodies.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

#include "map/map.h"

enum { SIZES = 4, ROWS = 2, EDITS = 4, CALLS = 12, LINES = 400 };

static void assert_cells(const twin *both, const cairn_map *map, uint32_t size, cairn_anchor of)
{
    cairn_node cells[SIZES * SIZES];
    for (uint32_t node = 0; node < picture_size(&both->drawn); node++) {
        const body unit = body_at(both, node, size, of);
        assert_int_equal(cairn_unit_cells(map, node, cells, SIZES * SIZES), unit.count);
        for (uint32_t i = 0; i < unit.count; i++)
            assert_int_equal(cells[i], unit.cells[i]);
        assert_int_equal(cairn_map_is_open(map, node), body_letter(both, &unit) != '@');
    }
}

/* The map equals one that is derived now. */
static void assert_derived(const twin *both, const cairn_map *map, cairn_anchor of)
{
    cairn_map *again;
    assert_int_equal(cairn_map_for_units(both->map, cairn_map_unit_size(map), of, &again),
                     CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(again));
    assert_true(cn_map_hash_is_right(map));
    assert_true(cn_map_is_alike(map, again));
    for (uint32_t node = 0; node < picture_size(&both->drawn); node++)
        assert_int_equal(cairn_map_letter(map, node), cairn_map_letter(again, node));
    cairn_map_free(again);
}

/* The section that names units is the first one of the file, where there is no stamp, and all that
 * they add to it: what older versions of the library skip, and did not write. */
static void assert_older_file(const twin *units, const uint8_t *bytes, size_t size)
{
    const size_t added = cairn_map_unit_size(units->map) > 1 ? 16 + 8 : 0, head = 16;
    uint8_t *older = malloc(size - added);
    cairn_outline outline;
    cairn_map *map;
    memcpy(older, bytes, head);
    memcpy(older + head, bytes + head + added, size - head - added);
    assert_int_equal(added ? memcmp(bytes + head, "UNIT", 4) : 0, 0);
    assert_int_equal(bytes[10], added > 0);
    assert_int_equal(cairn_outline_load_bytes(older, size - added, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.unit_size, 1);
    assert_int_equal(cairn_load_bytes(older, size - added, NULL, &map, NULL, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(units->map));
    assert_int_equal(cairn_map_unit_size(map), 1);
    cairn_map_free(map);
    free(older);
}

/* What a file tells of units. `both` are the cells. */
static void assert_file_names_units(const twin *both, const cairn_map *map, const uint8_t *bytes,
                                    size_t size, cairn_anchor of)
{
    const uint32_t unit_size = cairn_map_unit_size(map);
    cairn_outline outline;
    assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.unit_size, unit_size);
    assert_int_equal(outline.unit_anchor, unit_size > 2 ? of : CAIRN_ANCHOR_TOP_LEFT);
    assert_cells(both, map, unit_size, of);
}

/* What was loaded is for the same units, also in a copy of it, and is saved as it was. */
static void assert_file(const twin *both, const twin *units, const cairn_table *table,
                        cairn_anchor of)
{
    cairn_map *map, *copy;
    cairn_table *loaded;
    uint8_t *bytes, *again;
    size_t size, again_size;
    assert_int_equal(cairn_save_bytes(units->map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &loaded, NULL), CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(units->map));
    assert_int_equal(cairn_map_unit_size(map), cairn_map_unit_size(units->map));
    assert_file_names_units(both, map, bytes, size, of);
    assert_older_file(units, bytes, size);
    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(copy, loaded, NULL, &again, &again_size), CAIRN_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    for (uint32_t row = 0; row < cairn_table_row_count(loaded); row++)
        assert_row(&units->arcs, map, loaded, row);
    assert_int_equal(cairn_table_verify(loaded, map, 1, NULL), CAIRN_OK);
    cairn_bytes_free(copy, again);
    cairn_map_free(copy);
    cairn_map_free(map);
    cairn_table_free(loaded);
    cairn_bytes_free(units->map, bytes);
}

static void assert_units(const twin *both, cairn_map *map, cairn_table *table, cairn_anchor of,
                         dice *luck)
{
    twin units = bodies_twin(both, map, cairn_map_unit_size(map), of);
    assert_cells(both, map, cairn_map_unit_size(map), of);
    assert_derived(both, map, of);
    if (table)
        assert_table_is_exact(&units, table);
    assert_search(&units, table, luck);
    uint32_t node = dice_below(luck, picture_size(&units.drawn));
    for (uint32_t i = 0; i < picture_size(&units.drawn) && !cairn_map_is_open(map, node); i++)
        node = (node + 1) % picture_size(&units.drawn);
    if (cairn_map_is_open(map, node))
        assert_floods(&units, node);
    if (table)
        assert_file(both, &units, table, of);
    bodies_free(&units);
}

static cairn_table *table_for(cairn_map *map, uint64_t seed)
{
    if (cairn_map_open_count(map) == 0)
        return NULL;
    return table_built(
        map, (cairn_build_options){.landmark_count = ROWS, .thread_count = 1, .seed = seed});
}

/* Through edits: before the table is refreshed, searches are right; afterwards every entry is. */
static void assert_followed(twin *both, cairn_map *map, cairn_anchor of, dice *luck)
{
    cairn_table *table = table_for(map, 3);
    assert_units(both, map, table, of, luck);
    for (unsigned i = 0; i < EDITS; i++) {
        storm_edit(both, luck);
        twin units = bodies_twin(both, map, cairn_map_unit_size(map), of);
        assert_derived(both, map, of);
        assert_search(&units, table, luck);
        bodies_free(&units);
        if (table)
            assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    }
    assert_units(both, map, table, of, luck);
    cairn_table_free(table);
}

static void units_move_as_all_their_cells_may_through_all_edits(void **state)
{
    (void)state;
    uint64_t number = 0;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind++) {
        for (uint64_t seed = 0; seed < 24; seed++, number++) {
            if (is_left_out(number))
                continue;
            dice luck = {seed + 17 * kind};
            const cairn_anchor of = seed % 2 ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT;
            twin both = storm_twin(kind, seed);
            cairn_map *map;
            assert_int_equal(
                cairn_map_for_units(both.map, 1 + (uint32_t)(seed + kind) % SIZES, of, &map),
                CAIRN_OK);
            assert_followed(&both, map, of, &luck);
            cairn_map_free(map);
            twin_free(&both);
        }
    }
}

/* Units of any size, on maps that are wider than the runs of anchors which are told at once: after
 * edits they are as if derived once more, which goes another way. */
static void follow_with_large_units(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    dice luck = {seed + 5};
    const cairn_anchor of = seed % 2 ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT;
    const map_kind drawn = seed % 3 ? MAP_ALL_OPEN : MAP_CAVE;
    twin both = twin_sized(drawn + MAP_KINDS * seed, rule, kind, (cairn_metric){5, 7}, 150, 70);
    const uint32_t size = 2 + dice_below(&luck, 1 + dice_below(&luck, CAIRN_UNIT_SIZE_MAX - 1));
    cairn_map *map;

    assert_int_equal(cairn_map_for_units(both.map, size, of, &map), CAIRN_OK);
    for (unsigned i = 0; i < EDITS; i++) {
        storm_edit(&both, &luck);
        assert_derived(&both, map, of);
    }
    cairn_map_free(map);
    twin_free(&both);
}

static void large_units_follow_edits(void **state)
{
    (void)state;
    for_every_kind(3, follow_with_large_units);
}

/* Every kind of map, each with its own unit size: nothing is edited. */
static void units_fit_where_all_their_cells_do(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
            const cairn_anchor of = seed / MAP_KINDS ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT;
            twin both = twin_of(seed, rule, (terrain_kind)(seed % TERRAIN_KINDS),
                                CAIRN_METRIC_OCTILE);
            dice luck = {seed};
            cairn_map *map;
            assert_int_equal(cairn_map_for_units(both.map, 1 + (uint32_t)(seed % 3), of, &map),
                             CAIRN_OK);
            assert_units(&both, map, NULL, of, &luck);
            cairn_map_free(map);
            twin_free(&both);
        }
    }
}

/* Two unit maps of different sizes, and tables of steps, follow the same calls. */
static void several_unit_maps_follow_one_map(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind++) {
        if (is_left_out(kind))
            continue;
        dice luck = {kind};
        twin both = storm_twin(kind, kind);
        cairn_map *two, *three, *copy;
        const cairn_map *steps;
        assert_int_equal(cairn_map_for_units(both.map, 2, CAIRN_ANCHOR_TOP_LEFT, &two), CAIRN_OK);
        assert_int_equal(cairn_map_for_units(both.map, 3, CAIRN_ANCHOR_MIDDLE, &three), CAIRN_OK);
        assert_int_equal(cn_map_step_map(two, (cairn_metric){1, 1}, &steps), CAIRN_OK);
        storm_edit_often(&both, &luck, CALLS);
        assert_derived(&both, two, CAIRN_ANCHOR_TOP_LEFT);
        assert_derived(&both, three, CAIRN_ANCHOR_MIDDLE);
        assert_true(cn_map_hash_is_right(steps));
        for (cairn_node node = 0; node < cairn_map_node_count(two); node++)
            assert_int_equal(cairn_map_letter(two, node), cairn_map_letter(steps, node));

        assert_int_equal(cairn_map_clone(two, &copy), CAIRN_OK);
        assert_true(cairn_map_hash(copy) == cairn_map_hash(two));
        assert_int_equal(cairn_map_unit_size(copy), 2);
        cairn_map_free(two);
        storm_edit_often(&both, &luck, CALLS);
        assert_derived(&both, three, CAIRN_ANCHOR_MIDDLE);
        const uint64_t hash = cairn_map_hash(three);
        twin_free(&both);
        assert_true(cairn_map_hash(three) == hash);
        cairn_map_free(three);
        cairn_map_free(copy);
    }
}

static void assert_unnamed_units_serve(const cairn_map *map, const uint8_t *bytes, size_t size)
{
    const uint32_t count = cairn_map_node_count(map), width = cairn_map_width(map);
    char *letters = malloc(count);
    cairn_table *loaded;
    cairn_map *unnamed;
    for (cairn_node node = 0; node < count; node++)
        letters[node] = cairn_map_letter(map, node);
    assert_int_equal(cairn_map_from_letters(width, count / width, letters, NULL, &unnamed, NULL),
                     CAIRN_OK);
    const cairn_load_options options = {.size = sizeof options, .map = unnamed};
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &loaded, NULL), CAIRN_OK);
    cairn_table_free(loaded);
    cairn_map_free(unnamed);
    free(letters);
}

/* A map of the same cells that does not name its units is the map of the table as well. */
static void check_sizes(picture drawn)
{
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *units[3] = {map};
    for (uint32_t size = 2; size <= COUNT_OF(units); size++)
        assert_int_equal(cairn_map_for_units(map, size, CAIRN_ANCHOR_TOP_LEFT, &units[size - 1]),
                         CAIRN_OK);
    for (unsigned of = 0; of < COUNT_OF(units); of++) {
        const cairn_save_options bare = {.size = sizeof bare, .map_part = CAIRN_MAP_LEFT_OUT};
        cairn_table *table = table_of(units[of], 2), *loaded;
        cairn_error error;
        uint8_t *bytes;
        char found[24];
        size_t size;
        assert_int_equal(cairn_save_bytes(units[of], table, &bare, &bytes, &size), CAIRN_OK);
        for (unsigned on = 0; on < COUNT_OF(units); on++) {
            const cairn_load_options options = {.size = sizeof options, .map = units[on]};
            assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &loaded, &error),
                             on == of ? CAIRN_OK : CAIRN_E_MISMATCH);
            cairn_table_free(loaded);
            snprintf(found, sizeof found, "size %u, not %u", on + 1, of + 1);
            if (on != of)
                assert_string_equal(error.found, found);
        }
        assert_unnamed_units_serve(units[of], bytes, size);
        cairn_bytes_free(units[of], bytes);
        cairn_table_free(table);
    }
    cairn_map_free(units[2]);
    cairn_map_free(units[1]);
    cairn_map_free(map);
}

static void a_table_for_units_of_another_size_is_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 40, 30, 1), narrow = PICTURE(".....");
    check_sizes(drawn);
    check_sizes(narrow); /* no larger unit fits, so that their maps are the same but for the size */
    picture_free(&narrow);
    picture_free(&drawn);
}

/* ---------------------------------------------------------------------------------- worlds -- */

/* A world of a map for units, and what a reader holds of it. `both` are the cells, whose map is the
 * caller's own: it takes the same edits. */
typedef struct carts {
    twin both;
    cairn_world *world;
    cairn_anchor of;
    uint32_t size;
    dice luck;
    twin published; /* the units, without a map */
    cairn_view view;
    twin seen; /* as in the view */
} carts;

static twin units_now(const carts *here)
{
    return bodies_twin(&here->both, here->both.map, here->size, here->of);
}

static void assert_view(const carts *here, const cairn_view *view, const twin *units)
{
    twin seen = *units;
    dice luck = here->luck;
    seen.map = (cairn_map *)(uintptr_t)view->map;
    for (uint32_t node = 0; node < picture_size(&seen.drawn); node++)
        assert_int_equal(cairn_map_is_open(view->map, node), seen.drawn.letters[node] != '@');
    assert_search(&seen, view->table, &luck);
}

static void leave_view(carts *here)
{
    if (!here->view.map)
        return;
    assert_view(here, &here->view, &here->seen);
    cairn_world_release(here->world, &here->view);
    bodies_free(&here->seen);
}

static void enter_view(carts *here)
{
    leave_view(here);
    here->view = cairn_world_acquire(here->world);
    here->seen = here->published;
    here->seen.arcs = oracle_arcs_copy(&here->published.arcs);
    here->seen.drawn = picture_filled(here->both.drawn.width, here->both.drawn.height, '@');
    memcpy(here->seen.drawn.letters, here->published.drawn.letters,
           picture_size(&here->seen.drawn));
    here->seen.heights = NULL;
    assert_int_equal(cairn_map_unit_size(here->view.map), here->size);
    assert_view(here, &here->view, &here->seen);
}

static void edit_cells(carts *here)
{
    storm_batch batch;
    storm_draw(&here->both, &here->luck, &batch);
    if (cairn_world_edit(here->world, NULL, 0) == CAIRN_BUSY)
        leave_view(here);
    assert_int_equal(cairn_map_edit(here->both.map, batch.edits, batch.count), CAIRN_OK);
    assert_int_equal(cairn_world_edit(here->world, batch.edits, batch.count), CAIRN_OK);
}

static void publish_units(carts *here)
{
    cairn_view draft;
    twin_list_steps(&here->both);
    if (cairn_world_edit(here->world, NULL, 0) == CAIRN_BUSY)
        leave_view(here);
    assert_int_equal(cairn_world_draft(here->world, &draft), CAIRN_OK);
    assert_derived(&here->both, draft.map, here->of);
    assert_int_equal(cairn_world_publish(here->world), CAIRN_OK);
    bodies_free(&here->published);
    here->published = units_now(here);
}

static carts open_carts(unsigned kind, uint64_t seed)
{
    carts here = {.both = storm_twin(kind, seed),
                  .of = seed % 2 ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT,
                  .size = 2 + (uint32_t)(seed + kind) % (SIZES - 1),
                  .luck = {seed + 31 * kind}};
    const bool may_have_corners = here.both.kind == TERRAIN_UNIFORM && here.both.rule == ORACLE_8;
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = ROWS,
                                   .resident = may_have_corners && seed % 4 / 2
                                                   ? CAIRN_RESIDENT_CORNERS
                                                   : CAIRN_RESIDENT_CELLS};
    cairn_table *table = NULL;
    cairn_map *map;
    assert_int_equal(cairn_map_for_units(here.both.map, here.size, here.of, &map), CAIRN_OK);
    if (cairn_map_open_count(map) && seed % 3)
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_world_new(map, table, &here.world), CAIRN_OK);
    here.published = units_now(&here);
    return here;
}

static void close_carts(carts *here)
{
    leave_view(here);
    assert_int_equal(cairn_world_refresh_step(here->world, CAIRN_UNLIMITED), CAIRN_OK);
    publish_units(here);
    cairn_view view = cairn_world_acquire(here->world);
    assert_view(here, &view, &here->published);
    if (view.table)
        assert_int_equal(cairn_table_verify(view.table, view.map, 1, NULL), CAIRN_OK);
    cairn_world_release(here->world, &view);
    cairn_world_free(here->world);
    bodies_free(&here->published);
    twin_free(&here->both);
}

/* Readers keep what they hold, and find what was published last; the caller's map goes on by
 * itself. */
static void worlds_of_units_follow_edits_of_cells(void **state)
{
    (void)state;
    uint64_t number = 0;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind++) {
        for (uint64_t seed = 0; seed < 8; seed++, number++) {
            if (is_left_out(number))
                continue;
            carts here = open_carts(kind, seed);
            for (unsigned i = 0; i < 6 * CALLS; i++) {
                switch (dice_below(&here.luck, 6)) {
                case 0: publish_units(&here); break;
                case 1: enter_view(&here); break;
                case 2: leave_view(&here); break;
                case 3:
                    (void)world_step_now(here.world, CAIRN_CELLS(dice_below(&here.luck, 60)));
                    break;
                default: edit_cells(&here);
                }
            }
            close_carts(&here);
        }
    }
}

/* Until there is a world the map for units follows the edits of its own. */
static void without_memory_there_is_no_world_of_units(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 30, 20, 3);
    const cairn_edit edit = cairn_rectangle(3, 3, 9, 9, '.');
    bool struck = true;

    for (size_t n = 1; struck; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator), *units;
        cairn_world *world;
        assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_MIDDLE, &units), CAIRN_OK);
        cairn_table *table = table_of(units, 2);
        const uint64_t before = cairn_map_hash(units);
        failing_allocator_arm(&failing, n);
        const cairn_status status = cairn_world_new(units, table, &world);
        struck = failing_allocator_struck(&failing);
        assert_true(struck || n > 15);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        assert_int_equal(cairn_map_hash(units) != before, struck);
        cairn_world_free(status == CAIRN_OK ? world : NULL);
        if (struck) {
            cairn_table_free(table);
            cairn_map_free(units);
        }
        cairn_map_free(map);
        assert_int_equal(failing.outstanding, 0);
    }
    picture_free(&drawn);
}

static void clearance_is_the_size_of_the_largest_unit(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        for (uint64_t seed = 0; seed < seeds_to(MAP_KINDS); seed = seed_after(seed)) {
            twin both = twin_of(seed, rule, TERRAIN_UNIFORM, CAIRN_METRIC_OCTILE);
            const uint32_t count = picture_size(&both.drawn);
            uint16_t *clearance = calloc(count, sizeof *clearance);
            for (unsigned of = 0; of <= CAIRN_ANCHOR_MIDDLE; of++) {
                assert_int_equal(cairn_clearance(both.map, (cairn_anchor)of, clearance), CAIRN_OK);
                for (uint32_t node = 0; node < count; node++) {
                    uint32_t size = 0;
                    body unit;
                    do
                        unit = body_at(&both, node, ++size, (cairn_anchor)of);
                    while (size < CAIRN_UNIT_SIZE_MAX && body_letter(&both, &unit) != '@');
                    if (size < CAIRN_UNIT_SIZE_MAX)
                        assert_int_equal(clearance[node], size - 1);
                }
            }
            free(clearance);
            twin_free(&both);
        }
    }
}

/* The anchors at which a unit shares a cell with another one, found by comparing all of their
 * cells. */
static void assert_anchors(const twin *both, const cairn_map *units, const cairn_map *others,
                           cairn_anchor of)
{
    const uint32_t nodes = picture_size(&both->drawn), size = cairn_map_unit_size(units);
    enum { MOST = 2 * SIZES - 1 };
    cairn_node anchors[MOST * MOST];
    bool *is_taken = malloc(nodes);

    for (uint32_t at = 0; at < nodes; at++) {
        const body other = body_at(both, at, cairn_map_unit_size(others), of);
        const uint32_t count = cairn_unit_anchors(units, others, at, anchors, MOST * MOST);
        uint32_t found = 0;
        memset(is_taken, 0, nodes);
        for (uint32_t i = 0; i < other.count; i++)
            is_taken[other.cells[i]] = true;
        for (uint32_t node = 0; node < nodes; node++) {
            const body unit = body_at(both, node, size, of);
            bool meets = false;
            for (uint32_t i = 0; i < unit.count; i++)
                meets |= is_taken[unit.cells[i]];
            if (meets)
                assert_true(found < count && anchors[found++] == node);
        }
        assert_int_equal(found, count);
        assert_int_equal(cairn_unit_anchors(units, others, at, NULL, 0), count);
    }
    free(is_taken);
}

/* Copies and maps from files know their units: their anchors are the same, also after the map that
 * they were made of is gone. */
static void assert_same_anchors(cairn_map *units, const cairn_map *others)
{
    cairn_table *table = table_of(units, 1);
    cairn_map *made[2];
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cairn_map_clone(units, &made[0]), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(units, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &made[1], NULL, NULL), CAIRN_OK);
    for (unsigned i = 0; i < COUNT_OF(made); i++) {
        for (cairn_node at = 0; at < cairn_map_node_count(units); at++) {
            cairn_node expected[64], found[64];
            const uint32_t count = cairn_unit_anchors(units, others, at, expected, 64);
            assert_int_equal(cairn_unit_anchors(made[i], others, at, found, 64), count);
            assert_true(count <= 64);
            assert_memory_equal(found, expected, count * sizeof *found);
            assert_int_equal(cairn_unit_anchors(others, made[i], at, NULL, 0),
                             cairn_unit_anchors(others, units, at, NULL, 0));
        }
        cairn_map_free(made[i]);
    }
    cairn_bytes_free(units, bytes);
    cairn_table_free(table);
}

static void anchors_are_those_of_units_that_meet(void **state)
{
    (void)state;
    static const cairn_rule rules[] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_HEX};
    for (unsigned turn = 0; turn < COUNT_OF(rules) * 2 * SIZES * SIZES; turn++) {
        const cairn_rule rule = rules[turn % COUNT_OF(rules)];
        const unsigned pair = turn / COUNT_OF(rules);
        const cairn_anchor of = pair % 2 ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT;
        const cairn_map_options options = {.size = sizeof options, .rule = rule};
        picture drawn = random_map(MAP_SPARSE, 9 + pair % 3, 8 + pair % 2, pair);
        twin both = {.drawn = drawn, .rule = rule == CAIRN_RULE_HEX ? ORACLE_HEX : ORACLE_8};
        cairn_map *units, *others;

        assert_int_equal(cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options,
                                                &both.map, NULL),
                         CAIRN_OK);
        assert_int_equal(cairn_map_for_units(both.map, 1 + pair / 2 % SIZES, of, &units), CAIRN_OK);
        assert_int_equal(cairn_map_for_units(both.map, 1 + pair / 2 / SIZES, of, &others),
                         CAIRN_OK);
        assert_anchors(&both, units, others, of);
        assert_anchors(&both, units, both.map, of);
        assert_anchors(&both, both.map, others, of);
        assert_anchors(&both, both.map, both.map, of);
        if (cairn_map_open_count(units))
            assert_same_anchors(units, others);
        cairn_map_free(others);
        cairn_map_free(units);
        cairn_map_free(both.map);
        picture_free(&drawn);
    }
}

/* Where a unit sees, each of its cells does; by rules whose corners ask for one open side the sides
 * may differ from cell to cell, else the reverse is true as well. */
static void assert_sight(const twin *both, const cairn_map *units, dice *luck, unsigned *seen)
{
    cairn_node from[SIZES * SIZES], to[SIZES * SIZES];
    const uint32_t nodes = picture_size(&both->drawn);
    for (unsigned i = 0; i < LINES; i++) {
        const cairn_node a = dice_below(luck, nodes), b = dice_below(luck, nodes);
        const uint32_t count = cairn_unit_cells(units, a, from, SIZES * SIZES);
        bool all_see = count > 0 && cairn_unit_cells(units, b, to, SIZES * SIZES) == count;
        for (uint32_t k = 0; all_see && k < count; k++)
            all_see = cairn_sight(both->map, from[k], to[k]);
        const bool sees = cairn_sight(units, a, b);
        assert_true(all_see || !sees);
        assert_true(sees || !all_see || both->rule == ORACLE_8_ONE_SIDE);
        *seen += sees && a != b;
    }
}

static void units_see_as_all_their_cells_do(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        unsigned seen = 0;
        for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
            twin both = twin_of(seed, rule, TERRAIN_UNIFORM, CAIRN_METRIC_OCTILE);
            dice luck = {seed};
            cairn_map *units;
            assert_int_equal(cairn_map_for_units(both.map, 2 + (uint32_t)(seed % 2),
                                                 CAIRN_ANCHOR_MIDDLE, &units),
                             CAIRN_OK);
            assert_sight(&both, units, &luck, &seen);
            cairn_map_free(units);
            twin_free(&both);
        }
        assert_true(seen > 0);
    }
}

static void what_has_no_units_is_refused(void **state)
{
    (void)state;
    twin both = storm_twin(0, 1), graph = storm_twin(STORM_GRIDS, 1);
    cairn_map *units, *more;
    cairn_world *world;
    uint16_t clearance[1];
    cairn_edit edit = cairn_block(0, 0);

    assert_int_equal(cairn_map_for_units(NULL, 2, CAIRN_ANCHOR_MIDDLE, &units), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_for_units(both.map, 0, CAIRN_ANCHOR_MIDDLE, &units),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_for_units(both.map, 2, (cairn_anchor)2, &units), CAIRN_E_ARGUMENT);
    assert_int_equal(
        cairn_map_for_units(both.map, CAIRN_UNIT_SIZE_MAX + 1, CAIRN_ANCHOR_MIDDLE, &units),
        CAIRN_E_LIMIT);
    assert_int_equal(cairn_map_for_units(graph.map, 2, CAIRN_ANCHOR_MIDDLE, &units),
                     CAIRN_E_ARGUMENT);
    assert_null(units);
    assert_int_equal(cairn_clearance(graph.map, CAIRN_ANCHOR_MIDDLE, clearance), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_clearance(both.map, CAIRN_ANCHOR_MIDDLE, NULL), CAIRN_E_ARGUMENT);

    assert_int_equal(
        cairn_map_for_units(both.map, CAIRN_UNIT_SIZE_MAX, CAIRN_ANCHOR_MIDDLE, &units), CAIRN_OK);
    assert_int_equal(cairn_map_for_units(units, 2, CAIRN_ANCHOR_MIDDLE, &more), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_map_edit(units, &edit, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_new(both.map, NULL, &world), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_unit_cells(units, CAIRN_NO_NODE, NULL, 0), 0);
    assert_int_equal(cairn_unit_cells(both.map, 0, NULL, 0), 1);
    assert_int_equal(cairn_unit_anchors(units, both.map, CAIRN_NO_NODE, NULL, 0), 0);
    assert_int_equal(cairn_unit_anchors(units, graph.map, 0, NULL, 0), 0);
    assert_int_equal(cairn_unit_anchors(graph.map, graph.map, 0, NULL, 0), 1);
    cairn_map *line, *road;
    assert_int_equal(cairn_map_from_letters(3, 1, "...", NULL, &line, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_arcs(3, NULL, 0, NULL, NULL, NULL, &road, NULL), CAIRN_OK);
    assert_int_equal(cairn_unit_anchors(line, road, 1, NULL, 0), 0);
    assert_int_equal(cairn_unit_anchors(road, line, 1, NULL, 0), 0);
    cairn_map_free(line);
    cairn_map_free(road);
    twin_free(&both);
    assert_int_equal(cairn_map_edit(units, &edit, 1), CAIRN_OK);
    cairn_map_free(units);
    twin_free(&graph);
}

/* A map whose letters are all open, and one that has none left for what one-way cells need. */
static void letters_are_found_or_missed(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    cairn_map *map, *units;
    memset(&alphabet, 0, sizeof alphabet);
    alphabet.cost['.'] = 1;
    cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    assert_int_equal(cairn_map_from_letters(2, 2, "....", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    assert_int_equal(cairn_map_open_count(units), 1);
    assert_int_equal(cairn_map_letter(units, 3), '@');
    cairn_map_free(units);
    cairn_map_free(map);

    for (unsigned letter = 0; letter < 256; letter++)
        alphabet.cost[letter] = (uint16_t)(1 + letter);
    assert_int_equal(cairn_map_from_letters(2, 2, "....", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_E_LIMIT);
    cairn_map_free(map);
}

/* Every allocation of deriving, editing and repairing may fail: then nothing was edited, and later
 * the same works. */
static void without_memory_both_maps_stay_as_they_were(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 30, 20, 3);
    const cairn_edit edit = cairn_rectangle(3, 3, 9, 9, '.');
    bool struck = true;

    for (size_t n = 1; struck; n++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator), *units;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_map_for_units(map, 2, CAIRN_ANCHOR_MIDDLE, &units);
        if (status == CAIRN_OK) {
            const uint64_t before = cairn_map_hash(map), units_before = cairn_map_hash(units);
            status = cairn_map_edit(map, &edit, 1);
            assert_int_equal(cairn_map_hash(map) == before, status != CAIRN_OK);
            assert_int_equal(cairn_map_hash(units) == units_before, status != CAIRN_OK);
        }
        struck = failing_allocator_struck(&failing);
        assert_true(struck || n > 6);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_map_free(units);
        cairn_map_free(map);
        assert_int_equal(failing.outstanding, 0);
    }
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_move_as_all_their_cells_may_through_all_edits),
        cmocka_unit_test(large_units_follow_edits),
        cmocka_unit_test(units_fit_where_all_their_cells_do),
        cmocka_unit_test(several_unit_maps_follow_one_map),
        cmocka_unit_test(a_table_for_units_of_another_size_is_refused),
        cmocka_unit_test(worlds_of_units_follow_edits_of_cells),
        cmocka_unit_test(without_memory_there_is_no_world_of_units),
        cmocka_unit_test(clearance_is_the_size_of_the_largest_unit),
        cmocka_unit_test(anchors_are_those_of_units_that_meet),
        cmocka_unit_test(units_see_as_all_their_cells_do),
        cmocka_unit_test(what_has_no_units_is_refused),
        cmocka_unit_test(letters_are_found_or_missed),
        cmocka_unit_test(without_memory_both_maps_stay_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
