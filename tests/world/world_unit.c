/* Worlds: who finds what, when the writer is sent away, and what it costs to follow. */
#include "map/map.h"
#include "table/table_replica.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/tables.h"

enum { ROWS = 4 };

typedef struct made {
    picture drawn;
    cairn_world *world;
} made;

static void make(made *here, map_kind kind, cairn_metric metric, const cairn_allocator *allocator)
{
    here->drawn = random_map(kind, 90, 60, 5);
    cairn_map *map = map_with(&here->drawn, metric, allocator);
    cairn_table *table = table_of(map, ROWS);
    assert_int_equal(cairn_world_new(map, table, &here->world), CAIRN_OK);
}

static void unmake(made *here)
{
    cairn_world_free(here->world);
    picture_free(&here->drawn);
}

static cairn_view view_of(cairn_world *world)
{
    return cairn_world_acquire(world);
}

static void edit(cairn_world *world, cairn_edit edit)
{
    assert_int_equal(cairn_world_edit(world, &edit, 1), CAIRN_OK);
}

/* Both sides of a world that nobody reads, after the last publication. */
static void assert_sides_are_alike(cairn_world *world)
{
    cairn_view view = view_of(world), draft;
    assert_int_equal(cairn_world_draft(world, &draft), CAIRN_OK);
    assert_true(view.map != draft.map && view.table != draft.table);
    assert_true(cairn_map_hash(view.map) == cairn_map_hash(draft.map));
    assert_same_table(view.table, draft.table);
    cairn_world_release(world, &view);
}

static void refresh_and_publish(cairn_world *world)
{
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
}

static void readers_find_what_was_published_last_and_keep_it(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_ALL_OPEN, CAIRN_METRIC_OCTILE, NULL);
    cairn_view before = view_of(here.world);
    edit(here.world, cairn_block(3, 0));
    cairn_view still = view_of(here.world);
    assert_int_equal(still.version, 0);
    assert_true(cairn_map_is_open(still.map, 3));
    refresh_and_publish(here.world);
    cairn_view after = view_of(here.world);
    assert_int_equal(after.version, 1);
    assert_false(cairn_map_is_open(after.map, 3));
    assert_true(cairn_map_is_open(before.map, 3));
    cairn_world_release(here.world, &before);
    cairn_world_release(here.world, &still);
    cairn_world_release(here.world, &after);
    assert_sides_are_alike(here.world);
    unmake(&here);
}

static void the_writer_is_sent_away_while_the_former_state_is_read(void **state)
{
    (void)state;
    made here;
    cairn_view draft;
    cairn_edit closes = cairn_block(5, 5);
    make(&here, MAP_CAVE, CAIRN_METRIC_OCTILE, NULL);
    cairn_view one = view_of(here.world), two = view_of(here.world);
    edit(here.world, cairn_block(3, 3));
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(cairn_world_edit(here.world, &closes, 1), CAIRN_BUSY);
        assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_UNLIMITED), CAIRN_BUSY);
        assert_int_equal(cairn_world_draft(here.world, &draft), CAIRN_BUSY);
        assert_null(draft.map);
        cairn_world_release(here.world, round ? &two : &one);
    }
    /* A reader of the published state is in nobody's way. */
    cairn_view late = view_of(here.world);
    assert_int_equal(cairn_world_edit(here.world, &closes, 1), CAIRN_OK);
    refresh_and_publish(here.world);
    assert_int_equal(late.version, 1);
    assert_int_equal(cairn_world_edit(here.world, &closes, 1), CAIRN_BUSY);
    cairn_world_release(here.world, &late);
    assert_int_equal(cairn_world_edit(here.world, &closes, 1), CAIRN_OK);
    refresh_and_publish(here.world);
    assert_sides_are_alike(here.world);
    unmake(&here);
}

/* An allocator that exchanges two edits whenever memory is asked for, as another thread might. */
typedef struct meddler {
    cairn_allocator allocator;
    cairn_edit *edits; /* NULL: nothing is exchanged */
} meddler;

static void *allocate_and_meddle(void *context, size_t size)
{
    cairn_edit *edits = ((meddler *)context)->edits;
    if (edits) {
        const cairn_edit first = edits[0];
        edits[0] = edits[1];
        edits[1] = first;
    }
    return malloc(size);
}

static void release_meddled(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void edits_that_change_while_they_are_read_leave_the_sides_alike(void **state)
{
    (void)state;
    char letters[90 * 20];
    meddler other = {.allocator = {allocate_and_meddle, release_meddled, NULL}};
    const cairn_edit pairs[][2] = {
        {cairn_block(3, 0), cairn_block(4, 0)},
        {cairn_patch_letters(1, 1, 5, 1, letters), cairn_patch_letters(0, 20, 90, 20, letters)},
        {cairn_block(7, 0), cairn_rectangle(80, 50, 1000, 1000, '@')},
    };
    made here;

    memset(letters, '@', sizeof letters);
    other.allocator.context = &other;
    make(&here, MAP_ALL_OPEN, CAIRN_METRIC_OCTILE, &other.allocator);
    for (int round = 0; round < 2 * (int)(sizeof pairs / sizeof *pairs); round++) {
        cairn_edit edits[2];
        memcpy(edits, pairs[round / 2], sizeof edits);
        other.edits = edits;
        const cairn_status status = cairn_world_edit(here.world, edits, 1);
        assert_true(status == CAIRN_OK || status == CAIRN_E_ARGUMENT);
        other.edits = NULL;
        refresh_and_publish(here.world);
        assert_sides_are_alike(here.world);
    }
    unmake(&here);
}

static void nothing_new_is_not_published(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_ROOMS, CAIRN_METRIC_OCTILE, NULL);
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    cairn_view view = view_of(here.world);
    assert_int_equal(view.version, 0);
    cairn_world_release(here.world, &view);
    edit(here.world, cairn_block(1, 1));
    refresh_and_publish(here.world);
    assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    view = view_of(here.world);
    assert_int_equal(view.version, 1);
    cairn_world_release(here.world, &view);
    unmake(&here);
}

static void a_view_that_was_released_is_empty(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_ROOMS, CAIRN_METRIC_OCTILE, NULL);
    cairn_view view = view_of(here.world), other = view_of(here.world), draft;
    cairn_world_release(here.world, &view);
    assert_null(view.map);
    assert_null(view.table);
    cairn_world_release(here.world, &view);
    cairn_world_release(here.world, NULL);
    assert_int_equal(cairn_world_draft(here.world, &draft), CAIRN_OK);
    assert_int_equal(draft.version, 1);
    cairn_world_release(here.world, &draft);
    edit(here.world, cairn_block(1, 1));
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_UNLIMITED), CAIRN_BUSY);
    cairn_world_release(here.world, &other);
    assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_UNLIMITED), CAIRN_OK);
    unmake(&here);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "...."), strange = PICTURE("...@", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_map *other = map_of(&strange, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(other, 1);
    cairn_world *world = (cairn_world *)"";
    cairn_view view = {.map = map};
    cairn_edit outside = cairn_block(4, 0), letters = cairn_patch_letters(0, 0, 2, 2, NULL);

    assert_int_equal(cairn_world_new(NULL, NULL, &world), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_new(map, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_E_MISMATCH);
    assert_null(world);
    assert_int_equal(cairn_world_new(map, NULL, &world), CAIRN_OK);
    assert_int_equal(cairn_world_edit(NULL, &outside, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_edit(world, NULL, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_edit(world, &outside, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_edit(world, &letters, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_refresh_step(NULL, CAIRN_UNLIMITED), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_publish(NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_world_draft(NULL, &view), CAIRN_E_ARGUMENT);
    assert_null(view.map);
    assert_int_equal(cairn_world_draft(world, NULL), CAIRN_E_ARGUMENT);
    cairn_world_release(NULL, &view);
    cairn_world_free(NULL);
    cairn_world_free(world);
    cairn_table_free(table);
    cairn_map_free(other);
    picture_free(&drawn);
    picture_free(&strange);
}

static void a_world_needs_no_table(void **state)
{
    (void)state;
    picture drawn = PICTURE(".....", ".....");
    cairn_world *world;
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_world_new(map_of(&drawn, (cairn_metric){1, 2}), NULL, &world), CAIRN_OK);
    edit(world, cairn_rectangle(2, 0, 1, 2, '@'));
    refresh_and_publish(world);
    cairn_view view = view_of(world);
    assert_null(view.table);
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 4, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    cairn_search_free(search);
    cairn_world_release(world, &view);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* Data of edits are the caller's again at once. */
static void edits_are_kept_until_both_sides_have_them(void **state)
{
    (void)state;
    made here;
    char letters[] = "@.@.@.";
    uint8_t bits[] = {0x2d};
    make(&here, MAP_ALL_OPEN, CAIRN_METRIC_OCTILE, NULL);
    cairn_edit edits[] = {cairn_patch_letters(10, 10, 3, 2, letters),
                          cairn_patch_bits(20, 20, 3, 2, bits), cairn_block(0, 0)};
    assert_int_equal(cairn_world_edit(here.world, edits, COUNT_OF(edits)), CAIRN_OK);
    memset(letters, 'x', sizeof letters);
    bits[0] = 0;
    memset(edits, 0, sizeof edits);
    edit(here.world, cairn_open(0, 0));
    refresh_and_publish(here.world);
    assert_sides_are_alike(here.world);
    cairn_view draft;
    assert_int_equal(cairn_world_draft(here.world, &draft), CAIRN_OK);
    assert_false(cairn_map_is_open(draft.map, cairn_node_at(draft.map, 12, 10)));
    assert_false(cairn_map_is_open(draft.map, cairn_node_at(draft.map, 21, 20)));
    assert_true(cairn_map_is_open(draft.map, 0));
    unmake(&here);
}

/* 16 bits until a wall makes the way so long that costs need 32. */
static void tables_that_grow_wider_are_followed(void **state)
{
    (void)state;
    picture drawn = picture_filled(40, 3, '.');
    cairn_map *map = map_of(&drawn, (cairn_metric){1000, 1400});
    cairn_table *table = table_of(map, 2);
    cairn_world *world;
    assert_int_equal(cairn_table_entry_bits(table), 16);
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    for (uint32_t x = 1; x < 39; x += 2)
        edit(world, cairn_rectangle(x, x % 4 == 1 ? 0 : 1, 1, 2, '@'));
    cairn_view narrow = view_of(world);
    refresh_and_publish(world);
    cairn_view wide = view_of(world);
    assert_int_equal(cairn_table_entry_bits(wide.table), 32);
    assert_int_equal(cairn_table_entry_bits(narrow.table), 16);
    cairn_world_release(world, &narrow);
    cairn_world_release(world, &wide);
    assert_sides_are_alike(world);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* The repair goes on where it was when a part of it was published. */
static void a_repair_goes_on_over_publications(void **state)
{
    (void)state;
    made here;
    cairn_status status;
    cairn_view draft;
    uint64_t published = 0;
    make(&here, MAP_CAVE, CAIRN_METRIC_OCTILE, NULL);
    edit(here.world, cairn_rectangle(40, 20, 2, 2, '@'));
    edit(here.world, cairn_rectangle(10, 40, 1, 1, '@'));
    while ((status = world_step_now(here.world, CAIRN_CELLS(100))) == CAIRN_MORE) {
        assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
        cairn_view view = view_of(here.world);
        published = view.version;
        assert_int_equal(cairn_table_refresh_counts(view.table).cells, 0);
        cairn_world_release(here.world, &view);
        assert_true(published < 10000);
    }
    assert_int_equal(status, CAIRN_OK);
    assert_true(published > 3);
    assert_int_equal(cairn_world_draft(here.world, &draft), CAIRN_OK);
    assert_equal_to_a_rebuilt_one(draft.table, draft.map);
    cairn_refresh_counts counts = cairn_table_refresh_counts(draft.table);
    assert_int_equal(counts.rows_rebuilt + counts.rows_repaired, ROWS);
    unmake(&here);
}

/* Any number of steps copies what changed; a budget of nothing, too, comes to its end. */
static void what_changed_is_copied_in_steps(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_CAVE, CAIRN_METRIC_OCTILE, NULL);
    edit(here.world, cairn_rectangle(0, 0, 90, 30, '.'));
    refresh_and_publish(here.world);
    static const cairn_budget small[] = {CAIRN_CELLS(0), CAIRN_MICROSECONDS(0)};
    unsigned steps = 1;
    while (world_step_now(here.world, small[steps % 2]) == CAIRN_MORE)
        steps++;
    assert_in_range(steps, 2, 90 * 60);
    assert_sides_are_alike(here.world);

    /* The map may be edited on the way. */
    edit(here.world, cairn_rectangle(0, 30, 90, 30, '.'));
    refresh_and_publish(here.world);
    assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_CELLS(0)), CAIRN_MORE);
    edit(here.world, cairn_rectangle(0, 10, 89, 1, '@'));
    assert_int_equal(cairn_world_refresh_step(here.world, CAIRN_CELLS(0)), CAIRN_MORE);
    refresh_and_publish(here.world);
    assert_sides_are_alike(here.world);
    cairn_view view = view_of(here.world);
    assert_equal_to_a_rebuilt_one(view.table, view.map);
    cairn_world_release(here.world, &view);
    unmake(&here);
}

/* Cells that close before they are published, after rows were rebuilt and without examining
 * them by the table: when they open again the map is the one that the table knows. */
static void cells_that_were_closed_for_a_while_are_exact(void **state)
{
    (void)state;
    picture drawn = picture_filled(64, 24, '.');
    cairn_world *world;
    for (uint32_t y = 0; y < 23; y++)
        drawn.letters[y * 64 + 31] = '@';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 16);
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    edit(world, cairn_rectangle(31, 0, 1, 23, '.'));
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    edit(world, cairn_rectangle(0, 2, 24, 4, '@'));
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    assert_sides_are_alike(world);
    edit(world, cairn_rectangle(0, 2, 24, 4, '.'));
    refresh_and_publish(world);
    assert_sides_are_alike(world);
    cairn_view view = view_of(world);
    assert_int_equal(cairn_table_verify(view.table, view.map, 1, NULL), CAIRN_OK);
    assert_equal_to_a_rebuilt_one(view.table, view.map);
    cairn_world_release(world, &view);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* For longer than maps remember edits. */
static void a_table_that_is_never_refreshed_stays_safe(void **state)
{
    (void)state;
    enum { SIDE = 12, EDITS = 3 * CN_JOURNAL_MARKS };
    picture drawn = picture_filled(SIDE, SIDE, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 2);
    cairn_world *world;
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
    cairn_view view = view_of(world);
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &search), CAIRN_OK);
    cairn_world_release(world, &view);
    /* Cells of one row in the order of the Gray code, so that no state of the map comes twice. */
    for (unsigned i = 1; i < EDITS; i++) {
        unsigned bit = 0;
        while (!(i >> bit & 1))
            bit++;
        cairn_node cell = (bit / 10 + 4) * SIDE + bit % 10;
        bool was_open = drawn.letters[cell] == '.';
        drawn.letters[cell] = was_open ? '@' : '.';
        edit(world, cairn_terrain(bit % 10, bit / 10 + 4, was_open ? '@' : '.'));
        if (i % 7)
            continue;
        assert_int_equal(cairn_world_publish(world), CAIRN_OK);
        view = view_of(world);
        assert_int_equal(cairn_search_use(search, view.map, view.table), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, 0, SIDE * SIDE - 1, &path), CAIRN_OK);
        cairn_world_release(world, &view);
    }
    refresh_and_publish(world);
    assert_sides_are_alike(world);
    view = view_of(world);
    assert_equal_to_a_rebuilt_one(view.table, view.map);
    cairn_world_release(world, &view);
    cairn_search_free(search);
    cairn_world_free(world);
    picture_free(&drawn);
}

/* A search of a thread goes from state to state, and takes no memory for it. */
static void searches_change_sides_without_memory(void **state)
{
    (void)state;
    made here;
    failing_allocator failing;
    failing_allocator_init(&failing);
    make(&here, MAP_CAVE, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_search *search;
    cairn_view view = view_of(here.world);
    dice luck = {3};
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &search), CAIRN_OK);
    cairn_world_release(here.world, &view);
    for (int round = 0; round < 20; round++) {
        size_t before = atomic_load(&failing.calls);
        view = view_of(here.world);
        assert_int_equal(cairn_search_use(search, view.map, view.table), CAIRN_OK);
        assert_int_equal(atomic_load(&failing.calls), before);
        for (int query = 0; query < 20; query++) {
            cairn_node start = dice_below(&luck, 90 * 60), goal = dice_below(&luck, 90 * 60);
            cairn_cost *costs = calloc(90 * 60, sizeof *costs);
            cairn_path path;
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
            if (cairn_map_is_open(view.map, start)) {
                assert_int_equal(cairn_costs_from(view.map, &start, 1, costs), CAIRN_OK);
                if (cairn_map_is_open(view.map, goal))
                    assert_int_equal(path.cost, costs[goal]);
            }
            free(costs);
        }
        cairn_world_release(here.world, &view);
        edit(here.world,
             cairn_terrain(dice_below(&luck, 90), dice_below(&luck, 60), round % 2 ? '@' : '.'));
        if (round % 3) {
            cairn_status status = world_step_now(here.world, CAIRN_CELLS(40));
            assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        }
        assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    }
    cairn_search_free(search);
    unmake(&here);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

static void searches_go_to_maps_that_are_alike_alone(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "...."), wider = PICTURE(".....", ".....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *twin;
    cairn_map *wide = map_of(&wider, CAIRN_METRIC_OCTILE),
              *coarse = map_of(&drawn, (cairn_metric){5, 7});
    cairn_table *wrong = table_of(wide, 1);
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_map_clone(map, &twin), CAIRN_OK);
    cairn_edit wall = cairn_rectangle(1, 0, 1, 2, '@');
    assert_int_equal(cairn_map_edit(twin, &wall, 1), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, NULL, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_search_use(NULL, twin, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_use(search, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_use(search, wide, NULL), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_use(search, coarse, NULL), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    assert_int_equal(cairn_search_use(search, twin, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_NONE);
    assert_int_equal(cairn_search_use(search, map, wrong), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_search_use(search, map, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, 0, 3, &path), CAIRN_OK);
    assert_int_equal(path.outcome, CAIRN_PATH_FOUND);
    cairn_search_free(search);
    cairn_table_free(wrong);
    cairn_map_free(coarse);
    cairn_map_free(wide);
    cairn_map_free(twin);
    cairn_map_free(map);
    picture_free(&drawn);
    picture_free(&wider);
}

/* ----------------------------------------------------------------- failures of the allocator -- */

/* More edits than the journal of a map holds, all of which close cells. */
static void rows_of_a_table_that_is_never_refreshed_stay_in_use(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_ALL_OPEN, CAIRN_METRIC_OCTILE, NULL);
    for (uint32_t y = 1; y < 60; y++) {
        for (uint32_t x = 1; x < 89; x++)
            edit(here.world, cairn_block(x, y));
        assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    }
    cairn_view view = view_of(here.world);
    for (uint32_t row = 0; row < ROWS; row++)
        assert_int_equal(cairn_table_row_state(view.table, view.map, row), CAIRN_ROW_WEAKER);
    cairn_world_release(here.world, &view);
    unmake(&here);
}

static uint64_t draft_version(cairn_world *world)
{
    cairn_view draft;
    assert_int_equal(cairn_world_draft(world, &draft), CAIRN_OK);
    return cairn_table_version(draft.table);
}

/* So many edits have not been applied to the table that the next call does so. */
static void edits_are_applied_by_no_refused_call_and_published(void **state)
{
    (void)state;
    made here;
    make(&here, MAP_ALL_OPEN, CAIRN_METRIC_OCTILE, NULL);
    const cairn_edit beyond = cairn_block(90, 60);
    for (uint32_t i = 0; i < CN_JOURNAL_CELLS / (90 * 60) + 2; i++)
        edit(here.world, cairn_rectangle(0, 0, 90, 60, i % 2 ? '.' : '@'));
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    edit(here.world, cairn_rectangle(0, 0, 90, 60, '.'));
    edit(here.world, cairn_rectangle(9, 9, 50, 50, '@'));
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);

    const uint64_t version = draft_version(here.world);
    assert_int_equal(cairn_world_edit(here.world, &beyond, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(draft_version(here.world), version);
    assert_int_equal(cairn_world_edit(here.world, NULL, 0), CAIRN_OK);
    assert_int_not_equal(draft_version(here.world), version);
    assert_int_equal(cairn_world_publish(here.world), CAIRN_OK);
    cairn_view view = view_of(here.world);
    assert_int_equal(view.version, 3);
    cairn_world_release(here.world, &view);
    assert_sides_are_alike(here.world);
    unmake(&here);
}

static void making_a_world_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = random_map(MAP_CAVE, 30, 20, 5);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = table_of(map, ROWS);
    size_t before = atomic_load(&failing.outstanding);
    cairn_world *world;
    for (size_t n = 1;; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_world_new(map, table, &world);
        if (!failing_allocator_struck(&failing)) {
            assert_int_equal(status, CAIRN_OK);
            break;
        }
        assert_int_equal(status, CAIRN_E_MEMORY);
        assert_null(world);
        assert_int_equal(atomic_load(&failing.outstanding), before);
    }
    cairn_world_free(world);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    picture_free(&drawn);
}

/* A writer under a failing allocator. */
typedef struct writer {
    cairn_world *world;
    const cairn_map *maps[2]; /* of both sides */
    unsigned refusals;        /* calls that found no memory, and were made again */
    unsigned losses;          /* maps that lost their components, to find them again when asked */
} writer;

static writer writer_of(cairn_world *world)
{
    cairn_view draft, view = view_of(world);
    writer self = {.world = world, .maps = {view.map}};
    assert_int_equal(cairn_world_draft(world, &draft), CAIRN_OK);
    self.maps[1] = draft.map;
    cairn_world_release(world, &view);
    return self;
}

static unsigned connected_maps(const writer *self)
{
    return (self->maps[0]->components ? 1u : 0u) + (self->maps[1]->components ? 1u : 0u);
}

/* Makes a call, and once more where it found no memory. Where components alone found none the call
 * goes on without. */
#define TRY(self, call, wanted)                            \
  do {                                                     \
    const unsigned before = connected_maps(self);          \
    cairn_status status = (call);                          \
    (self)->losses += connected_maps(self) < before;       \
    if (status == CAIRN_E_MEMORY) {                        \
      (self)->refusals++;                                  \
      status = (call);                                     \
    }                                                      \
    assert_true(status == (wanted) || status == CAIRN_OK); \
  } while (0)

/* What a writer does. */
static void do_a_round(writer *self, unsigned round)
{
    cairn_edit edits[] = {cairn_patch_letters(4, 4, 3, 2, round % 2 ? "@.@@.@" : "......"),
                          cairn_terrain(round * 7 % 30, round * 5 % 20, round % 3 ? '.' : '@')};
    cairn_view draft;
    TRY(self, cairn_world_edit(self->world, edits, COUNT_OF(edits)), CAIRN_OK);
    TRY(self, world_step_now(self->world, CAIRN_CELLS(60)), CAIRN_MORE);
    TRY(self, cairn_world_refresh_step(self->world, CAIRN_UNLIMITED), CAIRN_OK);
    TRY(self, cairn_world_publish(self->world), CAIRN_OK);
    TRY(self, cairn_world_draft(self->world, &draft), CAIRN_OK);
}

/* Every search on what is published is right, whatever failed before. */
static void assert_searches_are_right(cairn_world *world)
{
    cairn_view view = view_of(world);
    uint32_t count = cairn_map_node_count(view.map);
    cairn_cost *costs = calloc(count, sizeof *costs);
    cairn_search *search;
    cairn_node start = 0;
    while (!cairn_map_is_open(view.map, start))
        start++;
    assert_int_equal(cairn_search_new(view.map, view.table, NULL, &search), CAIRN_OK);
    assert_int_equal(cairn_costs_from(view.map, &start, 1, costs), CAIRN_OK);
    for (cairn_node goal = 0; goal < count; goal += 7) {
        cairn_path path;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        if (cairn_map_is_open(view.map, goal))
            assert_int_equal(path.cost, costs[goal]);
    }
    cairn_search_free(search);
    free(costs);
    cairn_world_release(world, &view);
}

static cairn_world *world_on(const picture *drawn, const cairn_allocator *allocator)
{
    cairn_map *map = map_with(drawn, (cairn_metric){900, 1300}, allocator);
    cairn_world *world;
    assert_int_equal(cairn_world_new(map, table_of(map, ROWS), &world), CAIRN_OK);
    assert_searches_are_right(world);
    return world;
}

enum { WRITER_ROUNDS = 4 };

/* What the rounds come to where nothing fails. */
static cairn_world *undisturbed(const picture *drawn)
{
    cairn_world *world = world_on(drawn, NULL);
    writer self = writer_of(world);
    for (unsigned round = 0; round < WRITER_ROUNDS; round++)
        do_a_round(&self, round);
    assert_int_equal(self.refusals + self.losses, 0);
    return world;
}

static void assert_same_state(cairn_world *world, cairn_world *other)
{
    cairn_view view = view_of(world), same = view_of(other);
    assert_true(cairn_map_hash(view.map) == cairn_map_hash(same.map));
    assert_int_equal(view.version, same.version);
    assert_same_table(view.table, same.table);
    cairn_world_release(world, &view);
    cairn_world_release(other, &same);
}

/* The n-th allocation of some rounds fails, for every n: the call says so and changed nothing, so
 * that it can be made again and all comes to what it comes to without failures. Only components may
 * be lost without a word, since they are found again when they are asked for. */
static void each_allocation_of_a_writer_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = random_map(MAP_CAVE, 30, 20, 5);
    cairn_world *other = undisturbed(&drawn);
    unsigned refusals = 0, losses = 0;
    bool struck = true;
    for (size_t n = 1; struck; n++) {
        cairn_world *world = world_on(&drawn, &failing.allocator);
        writer self = writer_of(world);
        failing_allocator_arm(&failing, n);
        for (unsigned round = 0; round < WRITER_ROUNDS; round++)
            do_a_round(&self, round);
        struck = failing_allocator_struck(&failing);
        assert_int_equal(self.refusals + self.losses, struck);
        refusals += self.refusals;
        losses += self.losses;
        failing_allocator_arm(&failing, 0);
        assert_same_state(world, other);
        assert_sides_are_alike(world);
        assert_searches_are_right(world);
        cairn_world_free(world);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    assert_true(refusals > losses && losses > 0);
    cairn_world_free(other);
    picture_free(&drawn);
}

/* ---------------------------------------------------------------------------- what is copied -- */

/* A door that few entries depend on: as many blocks are noted as hold entries that differ. */
static void no_more_than_what_was_written_is_copied(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 300, 200, 9);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, ROWS), *copy;
    cn_dirty dirty;
    cn_mem mem = cn_mem_from(NULL);
    assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
    assert_int_equal(cn_dirty_init(&dirty, &mem, table), CAIRN_OK);
    table->dirty = &dirty;
    cairn_node cell = 100 * 300 + 150;
    while (!cairn_map_is_open(map, cell))
        cell++;
    cairn_edit door = cairn_block(cell % 300, cell / 300);
    assert_int_equal(cairn_map_edit(map, &door, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(dirty.lines, 0);
    const uint32_t blocks = dirty.count;
    const size_t size = (size_t)table->lane_count * table->entry_bits / 8 << dirty.shift;
    uint32_t differing = 0;
    for (uint32_t block = 0; block < (table->node_count - 1) >> dirty.shift; block++)
        differing += memcmp((uint8_t *)table->entries + block * size,
                            (uint8_t *)copy->entries + block * size, size) != 0;
    assert_in_range(differing, 1, blocks);
    assert_in_range(blocks, 1, 2 * differing + 8);

    cn_replica replica = {.from = table, .to = copy, .dirty = &dirty};
    assert_int_equal(cn_replica_copy_rest(&replica), CAIRN_OK);
    for (uint32_t i = 1; i < blocks; i++)
        assert_false(cn_replica_copy_blocks(&replica, map, 1));
    assert_true(cn_replica_copy_blocks(&replica, map, 1));
    assert_same_table(copy, table);
    assert_int_equal(dirty.count, 0);
    cn_dirty_free(&dirty, &mem);
    cairn_table_free(copy);
    table->dirty = NULL;
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A replica that gets wider entries leaves those that it shares to the other table. */
static void shared_entries_outlive_a_replica_that_grows_wider(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 40, 30, 9);
    cairn_map *map = map_of(&drawn, (cairn_metric){5, 7});
    cairn_table *table = table_of(map, ROWS), *copy, *other;
    cn_dirty dirty;
    cn_mem mem = cn_mem_from(NULL);
    assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
    assert_int_equal(cairn_table_clone(table, &other), CAIRN_OK);
    assert_int_equal(cn_table_share_entries(other, copy), CAIRN_OK);
    assert_int_equal(*copy->sharers, 2);
    assert_int_equal(table->entry_bits, 16);
    assert_int_equal(cn_table_widen(table), CAIRN_OK);
    assert_int_equal(cn_dirty_init(&dirty, &mem, table), CAIRN_OK);
    cn_replica replica = {.from = table, .to = copy, .dirty = &dirty};
    assert_int_equal(cn_replica_copy_rest(&replica), CAIRN_OK);
    assert_null(copy->sharers);
    assert_int_equal(*other->sharers, 1);
    for (cairn_node node = 0; node < table->node_count; node++)
        assert_int_equal(cairn_table_cost(other, 0, node), cairn_table_cost(table, 0, node));
    cn_dirty_free(&dirty, &mem);
    cairn_table_free(copy);
    cairn_table_free(other);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_find_what_was_published_last_and_keep_it),
        cmocka_unit_test(the_writer_is_sent_away_while_the_former_state_is_read),
        cmocka_unit_test(edits_that_change_while_they_are_read_leave_the_sides_alike),
        cmocka_unit_test(nothing_new_is_not_published),
        cmocka_unit_test(a_view_that_was_released_is_empty),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(a_world_needs_no_table),
        cmocka_unit_test(edits_are_kept_until_both_sides_have_them),
        cmocka_unit_test(tables_that_grow_wider_are_followed),
        cmocka_unit_test(a_repair_goes_on_over_publications),
        cmocka_unit_test(what_changed_is_copied_in_steps),
        cmocka_unit_test(cells_that_were_closed_for_a_while_are_exact),
        cmocka_unit_test(a_table_that_is_never_refreshed_stays_safe),
        cmocka_unit_test(searches_change_sides_without_memory),
        cmocka_unit_test(searches_go_to_maps_that_are_alike_alone),
        cmocka_unit_test(rows_of_a_table_that_is_never_refreshed_stay_in_use),
        cmocka_unit_test(edits_are_applied_by_no_refused_call_and_published),
        cmocka_unit_test(making_a_world_may_fail),
        cmocka_unit_test(each_allocation_of_a_writer_may_fail),
        cmocka_unit_test(no_more_than_what_was_written_is_copied),
        cmocka_unit_test(shared_entries_outlive_a_replica_that_grows_wider),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
