/* Repair on every rule, terrain and charge and on graphs, both ways, against a list of arcs and
 * Bellman and Ford. Grids of the default kind have their own tests in refresh.c. */
#include "refresh/refresh.h"
#include "simd/vec128.h"
#include "table/table.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "support/twin.h"

enum { MAPS = 2 * MAP_KINDS, GRAPHS = 80, ROWS = 3 };

static void assert_exact(const twin *both, const cairn_table *table)
{
    assert_int_equal(table_check(table, both->map), CAIRN_OK);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        assert_int_equal(cairn_table_row_state(table, both->map, row), CAIRN_ROW_FRESH);
        assert_row(&both->arcs, both->map, table, row);
    }
}

/* No arc makes a usable row differ by more than it costs in the row's way. */
static void assert_safe(const twin *both, const cairn_table *table)
{
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        if (cairn_table_row_state(table, both->map, row) == CAIRN_ROW_UNSAFE)
            continue;
        bool leads_back = cairn_table_direction(table, row) == CAIRN_DIRECTION_TO;
        for (size_t i = 0; i < both->arcs.count; i++) {
            const oracle_arc *arc = &both->arcs.list[i];
            uint64_t near = cairn_table_cost(table, row, leads_back ? arc->to : arc->from);
            uint64_t far = cairn_table_cost(table, row, leads_back ? arc->from : arc->to);
            assert_true(near == CAIRN_UNREACHABLE || far <= near + arc->cost);
        }
    }
}

/* Marks what arcs join to the marked nodes, whichever way they lead. */
static void spread_marks(const oracle_arcs *arcs, bool *marked)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < arcs->count; i++) {
            const oracle_arc *arc = &arcs->list[i];
            if (marked[arc->from] == marked[arc->to])
                continue;
            marked[arc->from] = marked[arc->to] = true;
            changed = true;
        }
    }
}

/* The nodes that some way, whichever it leads, joins to a landmark of a row; for free. */
static bool *served_by(const twin *both, const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    bool *marked = calloc(both->arcs.node_count, sizeof *marked);

    assert_non_null(marked);
    for (size_t i = 0; i < count; i++)
        marked[landmarks[i]] = true;
    spread_marks(&both->arcs, marked);
    return marked;
}

/* Every component has a landmark of the first row. */
static void assert_served(const twin *both, const cairn_table *table)
{
    bool *marked = served_by(both, table, 0);
    for (uint32_t node = 0; node < both->arcs.node_count; node++)
        assert_true(marked[node] || !twin_is_open(both, node));
    free(marked);
}

static bool is_listed(const cairn_node *list, size_t count, cairn_node node)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == node)
            return true;
    }
    return false;
}

/* Builds leave out components with one-way cells in some rows, and a rebuild makes up for that: it
 * has the landmarks of the table, and others only where the table's row has none. Returns whether
 * there are others. */
static bool assert_landmarks_kept(const twin *both, const cairn_table *table,
                                  const cairn_table *rebuilt, uint32_t row)
{
    const cairn_node *kept, *all;
    size_t kept_count = cairn_table_landmarks(table, row, &kept);
    size_t count = cairn_table_landmarks(rebuilt, row, &all);
    bool *served = served_by(both, table, row);

    for (size_t i = 0; i < kept_count; i++)
        assert_true(is_listed(all, count, kept[i]));
    for (size_t i = 0; i < count; i++)
        assert_true(served[all[i]] == is_listed(kept, kept_count, all[i]));
    free(served);
    return count > kept_count;
}

/* The table is the one that its landmarks give; see cairn_table_rebuild for one-way cells. */
static void assert_as_rebuilt(const twin *both, const cairn_table *table)
{
    cairn_table *rebuilt;
    bool has_more = false;

    assert_int_equal(cairn_table_clone(table, &rebuilt), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(rebuilt, both->map), CAIRN_OK);
    assert_exact(both, rebuilt);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        has_more |= assert_landmarks_kept(both, table, rebuilt, row);
    assert_true(!has_more || both->kind == TERRAIN_ONE_WAY);
    if (!has_more)
        assert_same_table(rebuilt, table);
    cairn_table_free(rebuilt);
}

static void refresh_wholly(const twin *both, cairn_table *table)
{
    assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_exact(both, table);
    assert_as_rebuilt(both, table);
}

/* Edits, steps of any size and searches in any order; then all that is left. */
static void live_through_edits(twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    dice luck = {seed};

    for (unsigned round = 0; round < 24; round++) {
        if (dice_below(&luck, 3))
            twin_edit(both, &luck);
        cairn_status status = step_now(table, both->map, CAIRN_CELLS(dice_below(&luck, 30)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        if (status == CAIRN_OK)
            assert_exact(both, table);
        assert_safe(both, table);
        if (round % 4 == 0)
            assert_search(both, table, &luck);
    }
    refresh_wholly(both, table);
    if (both->drawn.letters)
        assert_served(both, table);
    for (unsigned round = 0; round < 4; round++) {
        twin_edit(both, &luck);
        refresh_wholly(both, table);
    }
    cairn_table_free(table);
}

static void live_through_edits_of(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    twin both = twin_of(seed, rule, kind, metrics[(seed + rule + kind) % COUNT_OF(metrics)]);
    live_through_edits(&both, seed + 100 * rule + kind);
    twin_free(&both);
}

/* Walls or open ground of up to 6 x 6 cells. */
static cairn_edit edit_of_a_block(const picture *drawn, dice *luck)
{
    const uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    const uint32_t right = drawn->width - x, below = drawn->height - y;
    const uint32_t width = 1 + dice_below(luck, right < 6 ? right : 6);
    const uint32_t height = 1 + dice_below(luck, below < 6 ? below : 6);
    return cairn_rectangle(x, y, width, height, dice_below(luck, 2) ? '@' : '.');
}

/* Grids with one-way cells and many small components, some of which a row has no landmark in. Which
 * rows are repaired and which rebuilt depends on the processor, and changes nothing. */
static void rows_have_the_same_landmarks_on_every_processor(void **state)
{
    enum { LEVELS = CN_CPU_AVX512 + 1 };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
        dice luck = {seed};
        twin both = twin_sized(seed, seed % 2 ? ORACLE_8 : ORACLE_4, TERRAIN_ONE_WAY,
                               fixture_metrics[0], 24, 16);
        cairn_table *tables[LEVELS];
        for (uint32_t node = 0; node < picture_size(&both.drawn); node++) {
            if (dice_below(&luck, 3) == 0)
                twin_set_letter(&both, node, '@');
        }
        for (int level = 0; level < LEVELS; level++) {
            tables[level] = table_of(both.map, 16);
            tables[level]->cpu = level < (int)cn_cpu_level() ? (cn_cpu)level : cn_cpu_level();
        }
        for (unsigned round = 0; round < 8; round++) {
            const cairn_edit edit = edit_of_a_block(&both.drawn, &luck);
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            for (int level = 0; level < LEVELS; level++) {
                assert_int_equal(cairn_refresh_step(tables[level], both.map, CAIRN_UNLIMITED),
                                 CAIRN_OK);
                assert_same_table(tables[level], tables[0]);
            }
        }
        for (int level = 0; level < LEVELS; level++)
            cairn_table_free(tables[level]);
        twin_free(&both);
    }
}

static void every_kind_of_grid_is_repaired_in_steps_cut_anywhere(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), live_through_edits_of);
}

/* A map whose one-way cells a build left out of the third row: its repair leaves them out as well,
 * a rebuild does not. */
static void a_repaired_row_has_the_landmarks_that_it_had(void **state)
{
    (void)state;
    twin both = twin_of(344, ORACLE_HEX, TERRAIN_ONE_WAY, (cairn_metric){2378, 3363});
    live_through_edits(&both, 344 + 100 * ORACLE_HEX + TERRAIN_ONE_WAY);
    twin_free(&both);
}

static twin any_graph(uint64_t seed)
{
    uint32_t nodes = 2 + (uint32_t)(seed * 7 % 90);
    return twin_graph(seed, nodes, (uint32_t)(nodes * (1 + seed % 4)) / 2 * 2, seed % 3 == 0,
                      seed % 2);
}

static void arcs_of_graphs_take_other_costs_in_steps_cut_anywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed)) {
        twin both = any_graph(seed);
        live_through_edits(&both, seed);
        twin_free(&both);
    }
}

/* ------------------------------------------------------------------------------------ doors -- */

enum { DOORS = 8, DOOR_ROUNDS = 40 };

/* Cells that take another letter and their own again. */
typedef struct doors {
    uint32_t cells[DOORS];
    char letters[DOORS];
    unsigned count;
} doors;

static doors doors_of(const twin *both, dice *luck)
{
    doors made = {.count = 0};
    while (made.count < DOORS) {
        uint32_t cell = dice_below(luck, picture_size(&both->drawn));
        made.cells[made.count] = cell;
        made.letters[made.count++] = both->drawn.letters[cell];
    }
    return made;
}

static char other_letter(const twin *both, char letter, dice *luck)
{
    static const char one_way[] = "^v<>";
    if (letter == '@')
        return '.';
    return both->kind == TERRAIN_ONE_WAY && dice_below(luck, 2) ? one_way[dice_below(luck, 4)]
                                                                : '@';
}

static cairn_edit use_door(twin *both, const doors *all, dice *luck)
{
    unsigned door = dice_below(luck, all->count);
    uint32_t cell = all->cells[door];
    char own = all->letters[door];
    bool is_own = both->drawn.letters[cell] == own;
    return twin_set_letter(both, cell, is_own ? other_letter(both, own, luck) : own);
}

/* By node the lowest node that arcs, whichever way they lead, join it to; for free. */
static uint32_t *lowest_joined(const oracle_arcs *arcs)
{
    uint32_t *lowest = malloc((arcs->node_count + 1) * sizeof *lowest);
    assert_non_null(lowest);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        lowest[node] = node;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < arcs->count; i++) {
            uint32_t *one = &lowest[arcs->list[i].from], *other = &lowest[arcs->list[i].to];
            changed = changed || *one != *other;
            *one = *other = *one < *other ? *one : *other;
        }
    }
    return lowest;
}

/* In no component two landmarks of a row. */
static void assert_one_each(const twin *both, const cairn_table *table)
{
    uint32_t *lowest = lowest_joined(&both->arcs);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            for (size_t other = 0; other < i; other++)
                assert_int_not_equal(lowest[landmarks[i]], lowest[landmarks[other]]);
        }
    }
    free(lowest);
}

static void assert_settled(const twin *both, const cairn_table *table)
{
    assert_exact(both, table);
    assert_one_each(both, table);
    assert_equal_to_a_rebuilt_one(table, both->map);
}

/* A table whose every component has the landmarks that rebuilding gives it: builds choose among
 * cells that all reach one another. */
static cairn_table *settled_table(const twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    assert_int_equal(cairn_table_rebuild(table, both->map), CAIRN_OK);
    return table;
}

/* `table` is repaired in steps cut anywhere, `swift` in whole ones from time to time. */
static void use_doors(twin *both, const doors *all, cairn_table *table, cairn_table *swift,
                      dice *luck)
{
    for (unsigned round = 0; round < DOOR_ROUNDS; round++) {
        use_door(both, all, luck);
        cairn_status status = step_now(table, both->map, CAIRN_CELLS(dice_below(luck, 50)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        assert_safe(both, table);
        if (round % 5 == 0)
            assert_search(both, table, luck);
        if (round % 4 == 0)
            assert_int_equal(cairn_refresh_step(swift, both->map, CAIRN_UNLIMITED), CAIRN_OK);
        if (status == CAIRN_OK)
            assert_settled(both, table);
    }
}

static void leave_doors(twin *both, const doors *all)
{
    for (unsigned door = 0; door < all->count; door++)
        twin_set_letter(both, all->cells[door], all->letters[door]);
}

static void live_with_doors(twin *both, uint64_t seed)
{
    cairn_table *table = settled_table(both, seed), *swift;
    dice luck = {seed * 2 + 1};
    doors all = doors_of(both, &luck);

    assert_int_equal(cairn_table_clone(table, &swift), CAIRN_OK);
    for (unsigned times = 0; times < 2 && all.count; times++) {
        use_doors(both, &all, table, swift, &luck);
        leave_doors(both, &all);
        while (step_now(table, both->map, CAIRN_CELLS(dice_below(&luck, 50))) == CAIRN_MORE)
            assert_safe(both, table);
        assert_settled(both, table);
        assert_int_equal(cairn_refresh_step(swift, both->map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_settled(both, swift);
    }
    cairn_table_free(table);
    cairn_table_free(swift);
}

static void live_with_doors_of(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {2378, 3363}};
    twin both = twin_of(seed, rule, kind, metrics[(seed + rule + kind) % COUNT_OF(metrics)]);
    live_with_doors(&both, seed + 100 * rule + kind);
    twin_free(&both);
}

static void doors_that_come_and_go_leave_one_landmark_in_each_component(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), live_with_doors_of);
}

/* Doors are used, steps cut anywhere and shown or not; then all are left, and all is shown. */
static void use_doors_of_world(twin *both, const doors *all, cairn_world *world, dice *luck)
{
    for (unsigned round = 0; round < DOOR_ROUNDS; round++) {
        cairn_edit edit = use_door(both, all, luck);
        assert_int_equal(cairn_world_edit(world, &edit, 1), CAIRN_OK);
        cairn_status status = world_step_now(world, CAIRN_CELLS(dice_below(luck, 90)));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        if (dice_below(luck, 2))
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
    }
    for (unsigned door = 0; door < all->count; door++) {
        cairn_edit edit = twin_set_letter(both, all->cells[door], all->letters[door]);
        assert_int_equal(cairn_world_edit(world, &edit, 1), CAIRN_OK);
    }
    assert_int_equal(cairn_world_refresh_step(world, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
}

static void both_tables_of_a_world_have_one_landmark_in_each_component(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = twin_of(seed, (oracle_rule)(seed % ORACLE_RULES),
                            (terrain_kind)(seed / 2 % TERRAIN_KINDS), (cairn_metric){10, 14});
        cairn_table *table = settled_table(&both, seed);
        cairn_map *map;
        cairn_world *world;
        dice luck = {seed * 2 + 1};
        doors all = doors_of(&both, &luck);
        assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
        assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
        if (all.count)
            use_doors_of_world(&both, &all, world, &luck);
        cairn_view view = cairn_world_acquire(world);
        assert_settled(&both, view.table);
        cairn_world_release(world, &view);
        assert_int_equal(cairn_world_draft(world, &view), CAIRN_OK);
        assert_settled(&both, view.table);
        cairn_world_free(world);
        twin_free(&both);
    }
}

static void edit_and_refresh(cairn_map *map, cairn_table *table, const cairn_edit *edits,
                             size_t count)
{
    assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
}

/* A corridor of nine cells with its landmark at the left end. */
static void open_corridor(cairn_map **map, cairn_table **table)
{
    static const cairn_node left_end[] = {0};
    cairn_build_options build = {
        .size = sizeof build, .placement = CAIRN_PLACE_LIST, .listed = left_end, .listed_count = 1};
    assert_int_equal(cairn_map_from_letters(9, 1, ".........", NULL, map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(*map, &build, table), CAIRN_OK);
}

static void edit_corridor(cairn_map *map, cairn_table *table, const cairn_edit *edits, size_t count)
{
    edit_and_refresh(map, table, edits, count);
    assert_equal_to_a_rebuilt_one(table, map);
}

static void assert_landmarks(const cairn_table *table, const cairn_node *wanted, size_t count)
{
    const cairn_node *landmarks;
    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), count);
    assert_memory_equal(landmarks, wanted, count * sizeof *wanted);
}

/* The corridor falls into three, and becomes one again in two orders; two parts are equal. */
static void of_landmarks_that_are_joined_that_of_the_largest_part_stays(void **state)
{
    static const cairn_node all[] = {0, 4, 7}, two[2][2] = {{0, 7}, {0, 4}}, one[2] = {0, 4};
    static const uint32_t columns[] = {3, 6};
    (void)state;
    for (unsigned first = 0; first < 2; first++) {
        cairn_map *map;
        cairn_table *table;
        open_corridor(&map, &table);
        const cairn_edit close[] = {cairn_block(columns[0], 0), cairn_block(columns[1], 0)};
        const cairn_edit open[] = {cairn_open(columns[first], 0), cairn_open(columns[!first], 0)};
        edit_corridor(map, table, close, 2);
        assert_landmarks(table, all, 3);
        edit_corridor(map, table, &open[0], 1);
        assert_landmarks(table, two[first], 2);
        edit_corridor(map, table, &open[1], 1);
        assert_landmarks(table, &one[first], 1);

        cairn_refresh_counts counts = cairn_table_refresh_counts(table);
        assert_int_equal(counts.landmarks_added, 2);
        assert_int_equal(counts.landmarks_dropped, 2);
        assert_int_equal(counts.landmarks_moved, 0);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* Of two rows whose landmarks are side by side in the larger part the second takes the far end once
 * that is joined. */
static void a_row_takes_the_farthest_cell_where_a_smaller_part_holds_a_farther_one(void **state)
{
    static const cairn_node listed[] = {8, 7, 0, 1}, first[] = {8}, second[] = {0};
    cairn_build_options build = {.size = sizeof build,
                                 .placement = CAIRN_PLACE_LIST,
                                 .listed = listed,
                                 .listed_count = 4,
                                 .landmark_count = 2};
    const cairn_edit open = cairn_open(3, 0);
    const cairn_node *landmarks;
    cairn_map *map;
    cairn_table *table;
    (void)state;
    assert_int_equal(cairn_map_from_letters(9, 1, "...@.....", NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    edit_corridor(map, table, &open, 1);
    assert_landmarks(table, first, 1);
    assert_int_equal(cairn_table_landmarks(table, 1, &landmarks), 1);
    assert_int_equal(landmarks[0], second[0]);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* A pocket closes whose landmark is alone in it; it moves to a component that has one, which
 * stays. */
static void a_landmark_that_moves_to_ground_that_has_one_goes(void **state)
{
    static const cairn_node two[] = {2, 8}, one[] = {8};
    cairn_build_options build = {.size = sizeof build,
                                 .placement = CAIRN_PLACE_LIST,
                                 .listed = two,
                                 .listed_count = 2,
                                 .landmark_count = 1};
    const cairn_edit close = cairn_rectangle(0, 0, 5, 1, '@');
    cairn_map *map;
    cairn_table *table;
    (void)state;
    assert_int_equal(cairn_map_from_letters(9, 1, "...@.....", NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_landmarks(table, two, 2);
    assert_int_equal(cairn_map_edit(map, &close, 1), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
    assert_landmarks(table, one, 1);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* Its cell closes and opens again after the door beside it, before the table takes note of any. */
static void a_landmark_that_was_added_may_close_and_open_unseen(void **state)
{
    static const cairn_node three[] = {0, 2, 4}, two[] = {0, 4};
    cairn_map *map;
    cairn_table *table;
    (void)state;
    open_corridor(&map, &table);
    const cairn_edit close[] = {cairn_block(1, 0), cairn_block(3, 0)};
    const cairn_edit open[] = {cairn_open(1, 0), cairn_block(2, 0), cairn_open(2, 0)};
    edit_corridor(map, table, close, 2);
    assert_landmarks(table, three, 3);
    edit_corridor(map, table, open, 3);
    assert_landmarks(table, two, 2);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* Wherever one comes from, it moves to an open cell beside it where it closes, or goes. */
static void a_landmark_that_was_added_moves_like_others(void **state)
{
    static const cairn_node two[] = {0, 4}, other[] = {0, 5}, one[] = {0};
    cairn_map *map;
    cairn_table *table;
    (void)state;
    open_corridor(&map, &table);
    const cairn_edit edits[] = {cairn_block(3, 0), cairn_block(4, 0),
                                cairn_open(3, 0),  cairn_rectangle(3, 0, 6, 1, '@'),
                                cairn_open(5, 0),  cairn_block(5, 0)};
    edit_corridor(map, table, &edits[0], 1);
    assert_landmarks(table, two, 2);
    edit_corridor(map, table, &edits[1], 1);
    assert_landmarks(table, other, 2);
    edit_corridor(map, table, &edits[2], 1);
    assert_landmarks(table, other, 2);
    edit_corridor(map, table, &edits[3], 1);
    assert_landmarks(table, one, 1);
    edit_corridor(map, table, &edits[4], 1);
    assert_landmarks(table, other, 2);
    edit_corridor(map, table, &edits[5], 1);
    assert_landmarks(table, one, 1);
    assert_int_equal(cairn_table_refresh_counts(table).landmarks_moved, 3);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* A copy of a table in the midst of its repair ends like any other: exact, every component with its
 * landmarks. One-way cells are left out: what a component is differs there by way. */
static void copies_made_in_the_midst_of_a_repair_end_like_others(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++) {
            if (kind == TERRAIN_ONE_WAY)
                continue;
            twin both = twin_of(seed, ORACLE_8, (terrain_kind)kind, (cairn_metric){10, 14});
            cairn_table *table = table_with(both.map, ROWS, 1, seed), *copy;
            dice luck = {seed};
            for (unsigned round = 0; round < 10; round++) {
                twin_edit(&both, &luck);
                step_now(table, both.map, CAIRN_CELLS(dice_below(&luck, 20)));
                assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
                refresh_wholly(&both, copy);
                assert_served(&both, copy);
                cairn_table_free(copy);
            }
            cairn_table_free(table);
            twin_free(&both);
        }
    }
}

/* A corridor with a cell that cannot be left, walls that part it, and one on a landmark. */
static void assert_parts_are_repaired_without(size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    picture drawn = picture_filled(33, 1, '.');
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_table *table;
    const cairn_build_options build = {.size = sizeof build, .landmark_count = 1, .seed = 3};
    const cairn_map_options options = {
        .size = sizeof options, .allocator = &failing.allocator, .alphabet = &alphabet};
    const cairn_edit first[] = {cairn_block(11, 0), cairn_terrain(27, 0, '^')};
    const cairn_edit walls[] = {cairn_block(18, 0), cairn_block(21, 0), cairn_block(27, 0),
                                cairn_block(32, 0)};
    const cairn_edit later[] = {cairn_block(28, 0), cairn_open(32, 0)};
    const cairn_node *landmarks, *same;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(33, 1, drawn.letters, &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    edit_and_refresh(map, table, first, COUNT_OF(first));
    assert_int_equal(cairn_map_edit(map, walls, COUNT_OF(walls)), CAIRN_OK);
    failing_allocator_arm(&failing, n);
    step_now(table, map, CAIRN_CELLS(2402));
    failing_allocator_arm(&failing, 0);
    edit_and_refresh(map, table, later, COUNT_OF(later));
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    const size_t count = cairn_table_landmarks(table, 0, &landmarks);
    assert_int_equal(cairn_table_landmarks(table, 1, &same), count);
    assert_memory_equal(landmarks, same, count * sizeof *landmarks);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

/* Memory ends when one row of a pair has moved a landmark, or when some of the parts have got one,
 * and an edit comes before what is left is done. */
static void landmarks_are_in_both_rows_and_flooded_though_memory_ends(void **state)
{
    (void)state;
    for (size_t n = 1; n < 40; n++)
        assert_parts_are_repaired_without(n);
}

/* Two rows whose landmarks moved to the same cell, which closes while another one opens; then it
 * opens again, and one beside it. */
static void assert_shared_landmarks_are_kept_without(size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    const cairn_node listed[] = {0, 4};
    const cairn_build_options build = {.size = sizeof build,
                                       .placement = CAIRN_PLACE_LIST,
                                       .listed = listed,
                                       .listed_count = COUNT_OF(listed)};
    const cairn_map_options options = {.size = sizeof options, .allocator = &failing.allocator};
    const cairn_edit ends[] = {cairn_rectangle(0, 0, 2, 1, '@'), cairn_rectangle(3, 0, 2, 1, '@')};
    const cairn_edit walls[] = {cairn_block(2, 0), cairn_open(1, 0)};
    const cairn_edit later = cairn_rectangle(2, 0, 2, 1, '.');
    cairn_map *map;
    cairn_table *table;

    assert_int_equal(cairn_map_from_letters(5, 1, ".....", &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    edit_and_refresh(map, table, ends, COUNT_OF(ends));
    assert_int_equal(cairn_map_edit(map, walls, COUNT_OF(walls)), CAIRN_OK);
    failing_allocator_arm(&failing, n);
    cairn_refresh_step(table, map, CAIRN_CELLS(0));
    failing_allocator_arm(&failing, 0);
    edit_and_refresh(map, table, &later, 1);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

/* Memory ends when one row has moved the landmark and the other has not. */
static void a_landmark_that_one_row_has_moved_is_still_open_in_the_other(void **state)
{
    (void)state;
    for (size_t n = 1; n < 8; n++)
        assert_shared_landmarks_are_kept_without(n);
}

/* Rows for both ways are not made of rows for one, nor the other way round. */
static void a_table_is_not_rebuilt_on_a_map_of_other_ways(void **state)
{
    twin level = twin_of(MAP_ALL_OPEN, ORACLE_8, TERRAIN_UNIFORM, (cairn_metric){10, 14});
    twin slopes = twin_of(MAP_ALL_OPEN, ORACLE_8, TERRAIN_SLOPES, (cairn_metric){10, 14});
    cairn_table *one = table_of(level.map, ROWS), *two = table_of(slopes.map, ROWS);
    (void)state;

    assert_int_equal(cairn_table_rebuild(one, slopes.map), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_table_rebuild(two, level.map), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_table_verify(one, level.map, 1, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_verify(two, slopes.map, 1, NULL), CAIRN_OK);
    cairn_table_free(one);
    cairn_table_free(two);
    twin_free(&level);
    twin_free(&slopes);
}

enum { FRAMED = 64 };

/* Terrain of two factors; one blocked cell has its own height, which no cost depends on. */
static cairn_map *framed_map(const char *alphabet, bool has_heights, uint16_t height_of_blocked)
{
    enum { BLOCKED = FRAMED * FRAMED / 2 };
    char letters[FRAMED * FRAMED];
    uint16_t heights[FRAMED * FRAMED];
    const cairn_heights slopes = {FRAMED, FRAMED, heights, 200, 100};
    cairn_alphabet terrain;
    cairn_map *map;
    cairn_alphabet_init(&terrain);
    assert_int_equal(cairn_alphabet_parse(alphabet, strlen(alphabet), &terrain, NULL), CAIRN_OK);
    for (uint32_t i = 0; i < FRAMED * FRAMED; i++) {
        letters[i] = i == BLOCKED ? '@' : i % 7 ? '.' : 'a';
        heights[i] = i == BLOCKED ? height_of_blocked : (uint16_t)(100 + i * 37 % 11);
    }
    const cairn_map_options options = {
        .size = sizeof options, .alphabet = &terrain, .heights = has_heights ? &slopes : NULL};
    assert_int_equal(cairn_map_from_letters(FRAMED, FRAMED, letters, &options, &map, NULL),
                     CAIRN_OK);
    return map;
}

/* Rebuilds a table on one map, then on the other, which differs in what no cost depends on yet. */
static void check_frames(cairn_map *before, cairn_map *after, const cairn_edit *edit)
{
    cairn_table *table = table_of(before, ROWS);
    assert_true(cairn_map_hash(before) == cairn_map_hash(after));
    assert_int_equal(cairn_table_rebuild(table, before), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(table, after), CAIRN_OK);
    assert_int_equal(cairn_map_edit(after, edit, 1), CAIRN_OK);
    assert_int_equal(cairn_table_rebuild(table, after), CAIRN_OK);
    assert_int_equal(cairn_table_verify(table, after, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(before);
    cairn_map_free(after);
}

static void rebuilding_follows_maps_whose_hashes_are_the_same(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    const cairn_edit one_way = cairn_rectangle(30, 5, 1, 50, '<');
    const cairn_edit open = cairn_open(0, FRAMED / 2);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        setenv("CAIRN_SIMD", vectors[i], 1);
        check_frames(framed_map("a=3", false, 0), framed_map("a=3,one-way", false, 0), &one_way);
        check_frames(framed_map("a=3", true, 100), framed_map("a=3", true, 10), &open);
    }
}

/* A cell that nothing leads to, behind a one-way cell, is no reason to give a row up. */
static void rows_go_on_past_cells_that_one_way_cells_close_off(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    const cairn_edit edit = cairn_block(12, 10);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        picture drawn = picture_filled(40, 30, '.');
        for (uint32_t y = 9; y <= 11; y++)
            memset(drawn.letters + y * drawn.width + 9, '@', 2);
        drawn.letters[10 * drawn.width + 10] = '.';
        drawn.letters[10 * drawn.width + 11] = '>';
        cairn_alphabet alphabet;
        cairn_alphabet_init(&alphabet);
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
        const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
        cairn_map *map;
        setenv("CAIRN_SIMD", vectors[i], 1);
        assert_int_equal(
            cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
            CAIRN_OK);
        cairn_table *table = table_of(map, ROWS);
        edit_and_refresh(map, table, &edit, 1);
        assert_int_equal(cairn_table_refresh_counts(table).rows_rebuilt, 0);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static cairn_refresh_counts counts_after_single_changes(twin *both, uint64_t seed)
{
    cairn_table *table = table_with(both->map, ROWS, 1, seed);
    dice luck = {seed};
    for (unsigned round = 0; round < 20; round++) {
        twin_edit(both, &luck);
        assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
    }
    cairn_refresh_counts counts = cairn_table_refresh_counts(table);
    cairn_table_free(table);
    return counts;
}

/* All rows are repaired at once, by vectors of any length. */
static void rows_of_every_kind_are_repaired_side_by_side(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    static const cairn_metric metrics[] = {{1, 1}, {2378, 3363}, {40, 57}, {1 << 20, 3 << 19}};
    static const terrain_kind kinds[] = {TERRAIN_UNIFORM, TERRAIN_ENTERED, TERRAIN_AVERAGE,
                                         TERRAIN_ONE_WAY, TERRAIN_HILLS,   TERRAIN_SLOPES,
                                         TERRAIN_ALIKE};
    enum { MANY = 32 };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(8 * MAP_KINDS); seed = seed_after(seed)) {
        const terrain_kind kind = kinds[seed / 7 % COUNT_OF(kinds)];
        const bool is_even = kind == TERRAIN_UNIFORM || kind == TERRAIN_ALIKE;
        const cairn_metric metric = metrics[seed / 2 % (COUNT_OF(metrics) - !is_even)];
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES), kind, metric,
                               30 + (uint32_t)(seed % 17), 25);
        dice luck = {seed + 1};
        setenv("CAIRN_SIMD", vectors[seed % COUNT_OF(vectors)], 1);
        cairn_table *table = table_with(both.map, MANY, 1, seed);
        for (unsigned round = 0; round < 4; round++) {
            for (unsigned edits = dice_below(&luck, 12); edits > 0; edits--)
                twin_edit(&both, &luck);
            assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
            assert_exact(&both, table);
        }
        assert_as_rebuilt(&both, table);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* A repair without a budget takes memory for rows side by side where the processor has vectors;
 * also where as many steps as there are cells would cost more than costs may be. */
static void grids_of_every_kind_are_repaired_side_by_side(void **state)
{
    (void)state;
    setenv("CAIRN_SIMD", "avx2", 1);
    for (oracle_rule rule = ORACLE_8; rule < ORACLE_RULES; rule++) {
        for (terrain_kind kind = TERRAIN_UNIFORM; kind < TERRAIN_KINDS; kind++) {
            const cairn_metric dear = {1 << 18, 3 << 17}, metric = {5, 7};
            const bool is_dear = kind == TERRAIN_UNIFORM && rule % 2;
            twin both = twin_sized(MAP_ALL_OPEN, rule, kind, is_dear ? dear : metric, 60, 61);
            cairn_table *table = table_with(both.map, 16, 1, 3);
            cairn_edit edit = cairn_block(30, 30);
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
            const cn_refresh *refresh = table->refresh;
            assert_int_equal(refresh->lanes.waits != NULL, CN_HAS_VECTORS);
            cairn_table_free(table);
            twin_free(&both);
        }
    }
}

/* A room, and a loop of corridor at its upper edge. */
static picture room_with_loop(void)
{
    picture drawn = picture_filled(64, 77, '.');
    for (uint32_t y = 0; y < 37; y++) {
        for (uint32_t x = 0; x < drawn.width; x++) {
            const bool is_loop = y > 1 && (x == 2 || x == 4 || (x == 3 && y == 2));
            drawn.letters[y * drawn.width + x] = is_loop ? '.' : '@';
        }
    }
    return drawn;
}

/* Where one end of the loop closes, some of its cells are farther from landmarks across the room
 * than costs or entries may be. */
static void check_loop(const char *terrain, cairn_metric metric, cairn_status closed)
{
    enum { ACROSS = 8 };
    const cairn_edit close = cairn_block(2, 36), open = cairn_open(2, 36);
    picture drawn = room_with_loop();
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL), CAIRN_OK);
    const cairn_map_options ground = {
        .size = sizeof ground, .metric = metric, .alphabet = &alphabet};
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &ground, &map, NULL),
        CAIRN_OK);
    cairn_node corner[ACROSS];
    for (uint32_t i = 0; i < ACROSS; i++)
        corner[i] = cairn_node_at(map, 56 + i, 76);
    cairn_table *table = table_built(map, (cairn_build_options){.thread_count = 1,
                                                                .placement = CAIRN_PLACE_LIST,
                                                                .listed = corner,
                                                                .listed_count = ACROSS});
    const uint32_t bits = cairn_table_entry_bits(table);
    assert_int_equal(cairn_map_edit(map, &close, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), closed);
    assert_int_equal(cairn_table_entry_bits(table), 32);
    if (closed == CAIRN_OK) {
        assert_int_equal(bits, 16);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    }
    edit_and_refresh(map, table, &open, 1);
    assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_repair_side_by_side_refuses_costs_that_are_too_large(void **state)
{
    const cairn_metric dear = {1 << 23, 3 << 22}, moderate = {1 << 9, 3 << 8};
    (void)state;
    setenv("CAIRN_SIMD", "avx2", 1);
    check_loop("", dear, CAIRN_E_LIMIT);
    check_loop("one-way", dear, CAIRN_E_LIMIT);
    check_loop("", moderate, CAIRN_OK);
    check_loop("one-way", moderate, CAIRN_OK);
}

/* Walls one after another, each open at one end, make open ground one long winding way. */
static void check_widening(terrain_kind kind, oracle_rule rule)
{
    enum { SIDE = 31, LANDMARKS = 16 };
    const cairn_metric metric = kind == TERRAIN_UNIFORM ? (cairn_metric){180, 255}
                                                        : (cairn_metric){30, 42};
    twin both = twin_sized(MAP_ALL_OPEN, rule, kind, metric, SIDE, SIDE);
    cairn_table *table = table_with(both.map, LANDMARKS, 1, 3);
    assert_int_equal(cairn_table_entry_bits(table), 16);
    for (uint32_t x = 1; x < SIDE; x += 2) {
        const cairn_edit edit = cairn_rectangle(x, x / 2 % 2, 1, SIDE - 1, '@');
        edit_and_refresh(both.map, table, &edit, 1);
        assert_int_equal(cairn_table_verify(table, both.map, 1, NULL), CAIRN_OK);
    }
    assert_int_equal(cairn_table_entry_bits(table), 32);
    cairn_table_free(table);
    twin_free(&both);
}

static void costs_of_every_kind_that_outgrow_16_bits_widen_the_table(void **state)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(vectors) * TERRAIN_KINDS; i++) {
        setenv("CAIRN_SIMD", vectors[i % COUNT_OF(vectors)], 1);
        check_widening((terrain_kind)(i / COUNT_OF(vectors)), (oracle_rule)(i % ORACLE_RULES));
    }
}

/* A single change mostly leaves most of a row as it is: it is repaired, not rebuilt. */
static void single_changes_are_mostly_repaired(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
        for (unsigned kind = 0; kind < TERRAIN_KINDS; kind++) {
            uint64_t repaired = 0, rebuilt = 0;
            for (uint64_t seed = 0; seed < MAPS; seed++) {
                twin both = twin_of(seed, (oracle_rule)rule, (terrain_kind)kind,
                                    (cairn_metric){10, 14});
                cairn_refresh_counts counts = counts_after_single_changes(&both, seed);
                repaired += counts.rows_repaired;
                rebuilt += counts.rows_rebuilt;
                twin_free(&both);
            }
            assert_true(repaired > rebuilt);
        }
    }
}

/* The bound by coordinates of a graph follows arcs that grow cheaper, and a table of pairs
 * stays one when edits make all arcs equal to their reverse, through a file as well. */
static void a_graph_whose_ways_became_equal_goes_through_a_file(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 7}, {1, 2, 4}, {2, 1, 4}};
    static const int32_t x[] = {0, 10, 20}, y[] = {0, 0, 5};
    cairn_map *map, *again_map, *copy;
    cairn_table *table, *again;
    uint8_t *bytes;
    size_t size;
    (void)state;

    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), x, y, NULL, &map, NULL),
                     CAIRN_OK);
    assert_true(cairn_map_is_directed(map));
    table = table_of(map, 2);
    cairn_edit edit = cairn_arc_cost(1, 0, 5);
    edit_and_refresh(map, table, &edit, 1);
    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, &again_map, &again, NULL), CAIRN_OK);
    assert_true(cairn_map_is_directed(again_map));
    assert_true(cairn_map_hash(again_map) == cairn_map_hash(map));
    assert_int_equal(cairn_table_verify(again, again_map, 1, NULL), CAIRN_OK);

    /* A map of the same arcs that never differed: the rows serve, but such a file would not. */
    static const cairn_arc equal[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 4}, {2, 1, 4}};
    uint8_t *none;
    assert_int_equal(cairn_map_from_arcs(3, equal, COUNT_OF(equal), x, y, NULL, &copy, NULL),
                     CAIRN_OK);
    assert_true(cairn_map_hash(copy) == cairn_map_hash(map) && !cairn_map_is_directed(copy));
    assert_int_equal(cairn_table_verify(table, copy, 1, NULL), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(copy, table, NULL, &none, &size), CAIRN_E_MISMATCH);
    cairn_map_free(copy);

    /* One way alone, on what came from the file and on a copy. */
    assert_int_equal(cairn_map_clone(again_map, &copy), CAIRN_OK);
    edit = cairn_arc_cost(0, 1, 1);
    assert_int_equal(cairn_map_edit(again_map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_map_edit(copy, &edit, 1), CAIRN_OK);
    assert_true(cairn_map_hash(again_map) == cairn_map_hash(copy));
    assert_int_equal(cairn_refresh_step(again, again_map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(again, copy, 1, NULL), CAIRN_OK);
    cairn_map_free(copy);
    cairn_bytes_free(map, bytes);
    cairn_table_free(again);
    cairn_map_free(again_map);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void wrong_edits_of_arcs_change_nothing(void **state)
{
    static const struct {
        cairn_edit edit;
        cairn_status status;
    } wrong[] = {
        {{.kind = CAIRN_EDIT_ARC, .arc = {0, 2, 3}}, CAIRN_E_ARGUMENT},
        {{.kind = CAIRN_EDIT_ARC, .arc = {9, 0, 3}}, CAIRN_E_ARGUMENT},
        {{.kind = CAIRN_EDIT_ARC, .arc = {0, 9, 3}}, CAIRN_E_ARGUMENT},
        {{.kind = CAIRN_EDIT_ARC, .arc = {0, 1, 0}}, CAIRN_E_ARGUMENT},
        {{.kind = CAIRN_EDIT_ARC, .arc = {0, 1, CAIRN_COST_MAX / 4 + 1}}, CAIRN_E_LIMIT},
        {{.kind = CAIRN_EDIT_FILL, .width = 1, .height = 1, .letter = '@'}, CAIRN_E_ARGUMENT},
    };
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 2, 4}};
    cairn_map *map;
    (void)state;

    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    uint64_t hash = cairn_map_hash(map);
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        const cairn_edit edits[] = {cairn_arc_cost(0, 1, 9), wrong[i].edit};
        assert_int_equal(cairn_map_edit(map, edits, 2), wrong[i].status);
        assert_true(cairn_map_hash(map) == hash);
    }
    cairn_map_free(map);

    picture drawn = random_map(MAP_CAVE, 9, 9, 1);
    cairn_edit edit = cairn_arc_cost(0, 1, 3);
    map = map_of(&drawn, (cairn_metric){10, 14});
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* An open map whose first letter may be one-way. */
static cairn_map *open_map(uint32_t side, cairn_rule rule, bool is_one_way,
                           const cairn_allocator *allocator)
{
    picture drawn = picture_filled(side, side, '.');
    cairn_alphabet alphabet;
    const cairn_map_options options = {
        .size = sizeof options, .alphabet = &alphabet, .rule = rule, .allocator = allocator};
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    if (is_one_way) {
        assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
        drawn.letters[0] = '>';
    }
    assert_int_equal(cairn_map_from_letters(side, side, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    picture_free(&drawn);
    return map;
}

/* What stays open are cells in every other row and column, which no step joins. */
static void scatter(cairn_map *map, uint32_t side)
{
    picture drawn = picture_filled(side, side, '@');
    for (uint32_t y = 0; y < side; y += 2) {
        for (uint32_t x = 0; x < side; x += 2)
            drawn.letters[y * side + x] = '.';
    }
    const cairn_edit patch = cairn_patch_letters(0, 0, side, side, drawn.letters);
    assert_int_equal(cairn_map_edit(map, &patch, 1), CAIRN_OK);
    picture_free(&drawn);
}

/* Returns how many allocations the refresh took; *struck: the n-th failed. */
static size_t refresh_scattered(uint32_t side, cairn_rule rule, bool is_one_way, size_t n,
                                bool *struck)
{
    failing_allocator memory;
    failing_allocator_init(&memory);
    cairn_map *map = open_map(side, rule, is_one_way, &memory.allocator);
    cairn_table *table = table_of(map, ROWS);
    scatter(map, side);
    failing_allocator_arm(&memory, n);
    cairn_status status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
    const size_t calls = atomic_load(&memory.calls);
    *struck = failing_allocator_struck(&memory);
    assert_int_equal(status, *struck ? CAIRN_E_MEMORY : CAIRN_OK);
    failing_allocator_arm(&memory, 0);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(table_check(table, map), CAIRN_OK);
    const cairn_node *nodes;
    const uint32_t first_alone = is_one_way ? 2 : 1;
    for (uint32_t row = 0; row < first_alone; row++)
        assert_int_equal(cairn_table_landmarks(table, row, &nodes), side * side / 4);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&memory.outstanding), 0);
    return calls;
}

/* As many landmarks are added as there are cells, with few allocations, whichever of them fails. */
static void many_parts_get_their_landmarks_at_once(void **state)
{
    static const cairn_rule rules[] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ANY,
                                       CAIRN_RULE_HEX};
    enum { LARGE = 64, SMALL = 8, CALLS_MOST = 200 };
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(rules); i++) {
        bool struck;
        const cairn_rule rule = rules[i / 2];
        assert_in_range(refresh_scattered(LARGE, rule, i % 2, 0, &struck), 1, CALLS_MOST);
        size_t n = 1;
        do
            refresh_scattered(SMALL, rule, i % 2, n++, &struck);
        while (struck);
        assert_true(n > 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_grid_is_repaired_in_steps_cut_anywhere),
        cmocka_unit_test(a_repaired_row_has_the_landmarks_that_it_had),
        cmocka_unit_test(rows_have_the_same_landmarks_on_every_processor),
        cmocka_unit_test(arcs_of_graphs_take_other_costs_in_steps_cut_anywhere),
        cmocka_unit_test(doors_that_come_and_go_leave_one_landmark_in_each_component),
        cmocka_unit_test(both_tables_of_a_world_have_one_landmark_in_each_component),
        cmocka_unit_test(of_landmarks_that_are_joined_that_of_the_largest_part_stays),
        cmocka_unit_test(a_row_takes_the_farthest_cell_where_a_smaller_part_holds_a_farther_one),
        cmocka_unit_test(a_landmark_that_moves_to_ground_that_has_one_goes),
        cmocka_unit_test(a_landmark_that_was_added_may_close_and_open_unseen),
        cmocka_unit_test(a_landmark_that_was_added_moves_like_others),
        cmocka_unit_test(copies_made_in_the_midst_of_a_repair_end_like_others),
        cmocka_unit_test(landmarks_are_in_both_rows_and_flooded_though_memory_ends),
        cmocka_unit_test(many_parts_get_their_landmarks_at_once),
        cmocka_unit_test(a_landmark_that_one_row_has_moved_is_still_open_in_the_other),
        cmocka_unit_test(a_table_is_not_rebuilt_on_a_map_of_other_ways),
        cmocka_unit_test(rebuilding_follows_maps_whose_hashes_are_the_same),
        cmocka_unit_test(rows_go_on_past_cells_that_one_way_cells_close_off),
        cmocka_unit_test(rows_of_every_kind_are_repaired_side_by_side),
        cmocka_unit_test(grids_of_every_kind_are_repaired_side_by_side),
        cmocka_unit_test(a_repair_side_by_side_refuses_costs_that_are_too_large),
        cmocka_unit_test(costs_of_every_kind_that_outgrow_16_bits_widen_the_table),
        cmocka_unit_test(single_changes_are_mostly_repaired),
        cmocka_unit_test(a_graph_whose_ways_became_equal_goes_through_a_file),
        cmocka_unit_test(wrong_edits_of_arcs_change_nothing),
    };
    return cmocka_run_group_tests_name("refresh_kinds", tests, NULL, NULL);
}
