/* Tables of corners while their map is edited: a random storm of edits, steps of every length and
 * queries, beside full rows and against the oracle. Nothing is ever wrong, and what a step calls
 * exact equals a table that is rebuilt. */
#include "corner_refresh/corner_landmarks.h"
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/tables.h"
#include "table/table.h"

enum { MAPS = 6 * MAP_KINDS, ROUNDS = 14 };

typedef struct scene {
    picture drawn;
    cairn_map *map;
    cairn_table *table;
    cairn_table *full; /* with rows at every cell */
    cairn_search *search;
    cairn_search *other; /* along cells */
    cairn_search *paused;
    dice luck;
} scene;

static cairn_table *build(cairn_map *map, uint32_t rows, cairn_resident resident)
{
    return table_built(map, (cairn_build_options){
                                .landmark_count = rows, .thread_count = 1, .resident = resident});
}

static cairn_search *open_search(const scene *here, cairn_search_options options)
{
    return search_with(here->map, here->table, options);
}

static void open_scene(scene *here, picture drawn, cairn_metric metric, uint64_t seed)
{
    static const cairn_search_options others[] = {
        {.space = CAIRN_SPACE_CELLS}, {.weight = 1200}, {.nearest = true}};
    *here = (scene){.drawn = drawn, .map = map_of(&drawn, metric), .luck = {seed + 1}};
    const uint32_t rows = 1 + dice_below(&here->luck, 18);
    here->table = build(here->map, rows, CAIRN_RESIDENT_CORNERS);
    here->full = build(here->map, rows, CAIRN_RESIDENT_CELLS);
    here->search = open_search(here, (cairn_search_options){0});
    here->other = open_search(here, others[seed % COUNT_OF(others)]);
    here->paused = open_search(here, (cairn_search_options){0});
}

static void close_scene(scene *here)
{
    cairn_search_free(here->search);
    cairn_search_free(here->other);
    cairn_search_free(here->paused);
    cairn_table_free(here->table);
    cairn_table_free(here->full);
    cairn_map_free(here->map);
    picture_free(&here->drawn);
}

/* ---------------------------------------------------------------------------------- edits -- */

static void edit_node(scene *here, cairn_node node, char letter)
{
    edit_letter(here->map, &here->drawn, node, letter);
}

static void edit_cell(scene *here, char letter)
{
    edit_node(here, dice_below(&here->luck, cairn_map_node_count(here->map)), letter);
}

static void close_landmark(scene *here)
{
    const cairn_node *landmarks;
    const uint32_t row = dice_below(&here->luck, cairn_table_row_count(here->table));
    const size_t count = cairn_table_landmarks(here->table, row, &landmarks);
    if (count)
        edit_node(here, landmarks[dice_below(&here->luck, (uint32_t)count)], '@');
}

/* Sometimes cells only close. */
static void edit_some(scene *here)
{
    const bool may_open = dice_below(&here->luck, 3);
    const uint32_t count = 1 + dice_below(&here->luck, 6);

    for (uint32_t i = 0; i < count; i++)
        edit_cell(here, may_open && dice_below(&here->luck, 2) ? '.' : '@');
    if (dice_below(&here->luck, 5) == 0)
        close_landmark(here);
}

/* -------------------------------------------------------------------------------- queries -- */

static void assert_path(const scene *here, cairn_search *search, cairn_node start, cairn_node goal,
                        uint64_t right)
{
    const oracle_steps steps = steps_of(here->map->metric);
    cairn_path path;

    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    if (path.outcome != CAIRN_PATH_FOUND) {
        assert_int_equal(right, ORACLE_NEVER);
        return;
    }
    assert_int_equal(oracle_path_cost(&here->drawn, steps, path.nodes, path.node_count), path.cost);
    if (search == here->search || path.guarantee == 1000)
        assert_int_equal(path.cost, cost_of(right));
    else
        assert_true(path.guarantee && path.cost * UINT64_C(1000) <= right * path.guarantee);
}

/* The bound at every cell is at most its cost, and along a step it falls by no more than the step
 * costs. */
static void assert_bounds(const scene *here, const uint64_t *costs, cairn_node goal)
{
    cairn_bound bound;

    assert_int_equal(cairn_bound_to(here->map, here->table, goal, &bound), CAIRN_OK);
    for (cairn_node node = 0; node < cairn_map_node_count(here->map); node++) {
        if (!cairn_map_is_open(here->map, node))
            continue;
        const cairn_cost says = cairn_bound_at(&bound, node);
        assert_true(costs[node] == ORACLE_NEVER || says <= costs[node]);
        cairn_arc steps[CAIRN_STEPS_MAX];
        const size_t count = cairn_steps(here->map, node, steps, CAIRN_STEPS_MAX);
        for (size_t i = 0; costs[node] != ORACLE_NEVER && i < count; i++)
            assert_true(says <= cairn_bound_at(&bound, steps[i].to) + (uint64_t)steps[i].cost);
    }
}

static void pause_at(scene *here, cairn_node start, cairn_node goal, uint64_t right)
{
    cairn_path path;
    assert_int_equal(cairn_search_begin(here->paused, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(here->paused, 1 + dice_below(&here->luck, 9), &path),
                         CAIRN_OK);
    assert_int_equal(path.cost, cost_of(right));
}

/* Some queries by the search alone. */
static void ask_along(scene *here)
{
    enum { GOALS = 4 };
    for (unsigned i = 0; i < GOALS; i++) {
        const cairn_node goal = dice_open_cell(&here->luck, &here->drawn);
        const cairn_node start = dice_open_cell(&here->luck, &here->drawn);
        uint64_t *costs = oracle_costs(&here->drawn, steps_of(here->map->metric), &goal, 1);
        assert_path(here, here->search, start, goal, costs[start]);
        free(costs);
    }
}

static void ask(scene *here)
{
    if (!picture_open_count(&here->drawn))
        return;
    const cairn_node goal = dice_open_cell(&here->luck, &here->drawn);
    uint64_t *costs = oracle_costs(&here->drawn, steps_of(here->map->metric), &goal, 1);

    for (int i = 0; i < 6; i++) {
        const cairn_node start = dice_open_cell(&here->luck, &here->drawn);
        assert_path(here, here->search, start, goal, costs[start]);
        assert_path(here, here->search, goal, start, costs[start]);
        assert_path(here, here->other, start, goal, costs[start]);
        if (i == 0)
            pause_at(here, start, goal, costs[start]);
    }
    if (dice_below(&here->luck, 3) == 0)
        assert_bounds(here, costs, goal);
    free(costs);
}

/* ---------------------------------------------------------------------------------- steps -- */

static void assert_is_exact(const scene *here)
{
    assert_int_equal(table_check(here->table, here->map), CAIRN_OK);
    assert_int_equal(cairn_table_verify(here->table, here->map, 1, NULL), CAIRN_OK);
    for (uint32_t row = 0; row < cairn_table_row_count(here->table); row++)
        assert_int_equal(cairn_table_row_state(here->table, here->map, row), CAIRN_ROW_FRESH);
    assert_equal_to_a_rebuilt_one(here->table, here->map);
}

static cairn_budget any_budget(dice *luck)
{
    switch (dice_below(luck, 6)) {
    case 0: return CAIRN_CELLS(0);
    case 1: return CAIRN_CELLS(1 + dice_below(luck, 40));
    case 2: return CAIRN_CELLS(40 + dice_below(luck, 4000));
    case 3: return CAIRN_MICROSECONDS(dice_below(luck, 30));
    case 4: return CAIRN_CELLS(100000);
    default: return CAIRN_UNLIMITED;
    }
}

static void step(scene *here)
{
    const cairn_status status = step_now(here->table, here->map, any_budget(&here->luck));
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    if (status == CAIRN_OK)
        assert_is_exact(here);
}

static void step_as_it_pays(scene *here)
{
    const cairn_path lost = {.expanded = dice_below(&here->luck, 20000), .corner_count = 2};
    const cairn_status status = cairn_refresh_as_it_pays(here->table, here->map, &lost);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    if (status == CAIRN_OK)
        assert_is_exact(here);
}

/* The life goes on with a copy, which does not know what was begun. */
static void go_on_with_a_copy(scene *here)
{
    cairn_table *copy;
    assert_int_equal(cairn_table_clone(here->table, &copy), CAIRN_OK);
    assert_int_equal(cairn_search_use(here->search, here->map, copy), CAIRN_OK);
    assert_int_equal(cairn_search_use(here->other, here->map, copy), CAIRN_OK);
    assert_int_equal(cairn_search_use(here->paused, here->map, copy), CAIRN_OK);
    cairn_table_free(here->table);
    here->table = copy;
}

static void do_something(scene *here)
{
    switch (dice_below(&here->luck, 9)) {
    case 0: step_as_it_pays(here); return;
    case 1: go_on_with_a_copy(here); return;
    case 2:
        assert_int_equal(cairn_table_rebuild(here->table, here->map), CAIRN_OK);
        assert_is_exact(here);
        return;
    case 3: return;
    default: step(here); return;
    }
}

/* Paths along rows at corners cost what those along full rows do: both are shortest. */
static void compare_with_full_rows(scene *here)
{
    cairn_path path;
    cairn_search *search;
    const cairn_search_options options = {.size = sizeof options};

    if (!picture_open_count(&here->drawn))
        return;
    assert_int_equal(cairn_refresh_step(here->full, here->map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_search_new(here->map, here->full, &options, &search), CAIRN_OK);
    for (int i = 0; i < 10; i++) {
        const cairn_node start = dice_open_cell(&here->luck, &here->drawn);
        const cairn_node goal = dice_open_cell(&here->luck, &here->drawn);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        const cairn_cost cost = path.cost;
        assert_int_equal(cairn_search_run(here->search, start, goal, &path), CAIRN_OK);
        assert_int_equal(path.cost, cost);
    }
    cairn_search_free(search);
}

static void every_query_is_exact_at_every_moment(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        scene here;
        open_scene(&here, any_map(seed), fixture_metrics[seed % FIXTURE_METRICS], seed);
        for (int round = 0; round < ROUNDS; round++) {
            if (dice_below(&here.luck, 2))
                edit_some(&here);
            do_something(&here);
            ask(&here);
        }
        compare_with_full_rows(&here);
        close_scene(&here);
    }
}

/* Among many corners rows are flooded one after another, for twice the cells of the map and more,
 * whatever a step may do. Until the last one all rows serve as they are, or none where gates have
 * no room for what opened. */
static void small_steps_take_little_longer_than_a_rebuild(void **state)
{
    enum { SIDE = 100, CELLS_PER_VISIT = 16, STEPS_PER_QUERY = 8 };
    (void)state;
    const map_kind kinds[] = {MAP_SPARSE, MAP_MAZE, MAP_ROOMS, MAP_CAVE};
    unsigned served_by_gates = 0;
    for (size_t i = 0; i < 2 * COUNT_OF(kinds); i++) {
        const bool opens = i % 2;
        scene here;
        cairn_path path;
        unsigned steps = 0;
        open_scene(&here, random_map(kinds[i / 2], SIDE, SIDE, 4), CAIRN_METRIC_OCTILE, 3);
        const uint32_t rows = cairn_table_row_count(here.table);
        do
            edit_cell(&here, opens ? '.' : '@');
        while (cairn_table_row_state(here.table, here.map, 0) == CAIRN_ROW_FRESH);

        while (step_now(here.table, here.map, CAIRN_CELLS(100)) == CAIRN_MORE) {
            assert_int_equal(cairn_table_refresh_counts(here.table).rows_rebuilt, 0);
            if (steps++ % STEPS_PER_QUERY)
                continue;
            const cairn_node start = dice_open_cell(&here.luck, &here.drawn);
            const cairn_node goal = dice_open_cell(&here.luck, &here.drawn);
            assert_int_equal(cairn_search_run(here.search, start, goal, &path), CAIRN_OK);
            if (path.expanded <= 1 || path.outcome != CAIRN_PATH_FOUND)
                continue;
            assert_true(path.row_count == rows || (opens && path.row_count == 0));
            served_by_gates += opens && path.row_count == rows;
        }
        ask(&here);
        const cairn_refresh_counts counts = cairn_table_refresh_counts(here.table);
        assert_int_equal(counts.rows_rebuilt, rows);
        assert_in_range(counts.cells, 10, 4ull * rows * SIDE * SIDE / CELLS_PER_VISIT);
        assert_is_exact(&here);
        close_scene(&here);
    }
    assert_true(served_by_gates > 10);
}

/* How many nodes the same queries expand with rows and without. */
typedef struct expansions {
    uint64_t with_rows, without;
} expansions;

static expansions count_expansions(scene *here, cairn_row_state state)
{
    const cairn_search_options options = {.size = sizeof options};
    expansions sum = {0, 0};
    cairn_search *bare, *search; /* new ones make gates at once */
    cairn_path path;

    assert_int_equal(cairn_search_new(here->map, NULL, &options, &bare), CAIRN_OK);
    assert_int_equal(cairn_search_new(here->map, here->table, &options, &search), CAIRN_OK);
    for (int i = 0; i < 60; i++) {
        const cairn_node start = dice_open_cell(&here->luck, &here->drawn);
        const cairn_node goal = dice_open_cell(&here->luck, &here->drawn);
        assert_int_equal(cairn_search_run(bare, start, goal, &path), CAIRN_OK);
        sum.without += path.expanded;
        const cairn_cost cost = path.cost;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        sum.with_rows += path.expanded;
        assert_int_equal(path.cost, cost);
        assert_int_equal(path.reopened, 0);
        if (path.expanded > 1) {
            assert_int_equal(path.state, state);
            assert_int_equal(path.row_count, cairn_table_row_count(here->table));
        }
    }
    cairn_search_free(bare);
    cairn_search_free(search);
    return sum;
}

/* Where cells only closed all rows stay in use, new corners included. */
static void rows_stay_in_use_where_cells_close(void **state)
{
    (void)state;
    scene here;
    open_scene(&here, random_map(MAP_ROOMS, 60, 60, 4), CAIRN_METRIC_OCTILE, 5);
    for (int i = 0; i < 20; i++)
        edit_cell(&here, '@');
    const expansions before = count_expansions(&here, CAIRN_ROW_WEAKER);
    assert_true(before.with_rows * 10 < before.without * 8);
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
    for (uint32_t row = 0; row < cairn_table_row_count(here.table); row++)
        assert_int_equal(cairn_table_row_state(here.table, here.map, row), CAIRN_ROW_WEAKER);
    const expansions after = count_expansions(&here, CAIRN_ROW_WEAKER);
    assert_true(after.with_rows * 10 < after.without * 8);
    ask(&here);
    close_scene(&here);
}

/* And where some opened, by gates: before the edits are applied, and after. */
static void rows_serve_right_after_cells_opened(void **state)
{
    (void)state;
    scene here;
    open_scene(&here, random_map(MAP_ROOMS, 60, 60, 4), CAIRN_METRIC_OCTILE, 5);
    for (int i = 0; i < 20; i++)
        edit_cell(&here, i % 5 ? '@' : '.');
    for (unsigned applied = 0; applied < 2; applied++) {
        const expansions sum = count_expansions(&here, CAIRN_ROW_WEAKER);
        assert_true(sum.with_rows * 10 < sum.without * 8);
        ask(&here);
        for (int i = 0; i < 5; i++)
            edit_cell(&here, i % 2 ? '@' : '.');
        ask(&here);
        assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
        assert_int_equal(cairn_table_row_state(here.table, here.map, 0), CAIRN_ROW_UNSAFE);
        const uint64_t version = cairn_table_version(here.table);
        assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
        assert_true(cairn_table_version(here.table) == version);
    }
    close_scene(&here);
}

/* What followed from the rows while a corner of the table was closed, for corners that are new,
 * does not outlast its opening. */
static void corners_may_close_and_open_again(void **state)
{
    (void)state;
    scene here;
    open_scene(&here, random_map(MAP_ROOMS, 40, 40, 6), CAIRN_METRIC_OCTILE, 7);
    for (uint32_t i = 0; i < here.table->corners->count; i++) {
        const cairn_node corner = here.table->corners->nodes[i];
        const cairn_node other = dice_open_cell(&here.luck, &here.drawn);
        edit_node(&here, corner, '@');
        edit_node(&here, other, '@');
        ask(&here);
        edit_node(&here, corner, '.');
        ask(&here);
        edit_node(&here, other, '.');
    }
    assert_int_equal(cairn_table_row_state(here.table, here.map, 0), CAIRN_ROW_FRESH);
    close_scene(&here);
}

/* Steps that apply an edit and its undoing give the table another set each time, although the map
 * is again what it was when the flood of a row paused. */
static void an_undone_edit_leaves_no_flood_half_done(void **state)
{
    (void)state;
    scene here;
    open_scene(&here, random_map(MAP_ROOMS, 40, 30, 6), CAIRN_METRIC_OCTILE, 7);
    for (int i = 0; i < 60; i++) {
        const cairn_node stale = dice_open_cell(&here.luck, &here.drawn);
        edit_node(&here, stale, '@');
        step_now(here.table, here.map, CAIRN_CELLS(1 + dice_below(&here.luck, 70)));
        const cairn_node undone = dice_open_cell(&here.luck, &here.drawn);
        edit_node(&here, undone, '@');
        assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
        edit_node(&here, undone, '.');
        while (step_now(here.table, here.map, CAIRN_CELLS(70)) == CAIRN_MORE)
            ;
        assert_is_exact(&here);
        edit_node(&here, stale, '.');
    }
    close_scene(&here);
}

/* Costs that no longer fit 16 bits. */
static void entries_become_wider(void **state)
{
    (void)state;
    scene here;
    picture drawn = picture_filled(40, 41, '.');
    open_scene(&here, drawn, CAIRN_METRIC_OCTILE, 1);
    assert_int_equal(cairn_table_entry_bits(here.table), 32);
    close_scene(&here);
    drawn = picture_filled(40, 41, '.');
    open_scene(&here, drawn, (cairn_metric){100, 141}, 1);
    assert_int_equal(cairn_table_entry_bits(here.table), 16);
    for (uint32_t y = 1; y < 41; y += 2) {
        for (uint32_t x = 0; x < 39; x++)
            edit_node(&here, y * 40 + (y / 2 % 2 ? x + 1 : x), '@');
    }
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
    for (int i = 0; i < 10; i++)
        ask(&here);
    while (step_now(here.table, here.map, CAIRN_CELLS(90)) == CAIRN_MORE)
        ask(&here);
    assert_int_equal(cairn_table_entry_bits(here.table), 32);
    assert_is_exact(&here);
    close_scene(&here);
}

static void a_step_without_memory_leaves_the_table_safe(void **state)
{
    (void)state;
    failing_allocator failing;
    picture drawn = random_map(MAP_CAVE, 40, 30, 5);
    dice luck = {15};
    failing_allocator_init(&failing);
    for (unsigned of = 0; of < 3; of++) {
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
        cairn_table *table = build(map, 3, CAIRN_RESIDENT_CORNERS);
        scene here = {.drawn = drawn, .map = map, .table = table, .luck = luck};
        const cairn_budget budgets[] = {CAIRN_CELLS(0), CAIRN_CELLS(60), CAIRN_UNLIMITED};
        cairn_status status = CAIRN_E_MEMORY;
        edit_some(&here);
        for (size_t n = 1; status != CAIRN_OK; n++) {
            failing_allocator_arm(&failing, n);
            do
                status = step_now(table, map, budgets[of]);
            while (status == CAIRN_MORE && of);
            assert_true(status == CAIRN_OK || status == CAIRN_E_MEMORY || !of);
            failing_allocator_arm(&failing, 0);
            if (status == CAIRN_MORE)
                status = CAIRN_OK;
            here.search = open_search(&here, (cairn_search_options){0});
            for (int i = 0; i < 5; i++) {
                const cairn_node goal = dice_open_cell(&luck, &drawn);
                const cairn_node start = dice_open_cell(&luck, &drawn);
                uint64_t *costs = oracle_costs(&drawn, steps_of(map->metric), &goal, 1);
                assert_path(&here, here.search, start, goal, costs[start]);
                free(costs);
            }
            cairn_search_free(here.search);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        assert_int_equal(failing.outstanding, 0);
    }
    picture_free(&drawn);
}

/* Corners are rare, so that rows are computed at once. */
static picture large_rooms(uint64_t seed)
{
    enum { TIMES = 6 };
    const map_kind kinds[] = {MAP_CAVE, MAP_ROOMS, MAP_ISLANDS, MAP_SPARSE};
    return picture_magnified(random_map(kinds[seed % COUNT_OF(kinds)], 18, 14, seed), TIMES);
}

static cairn_status step_to_the_end(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    cairn_status status;
    do
        status = cairn_refresh_step(table, map, budget);
    while (status == CAIRN_MORE);
    return status;
}

/* The n-th allocation of the steps after an edit fails; true: it was never asked for. */
static bool step_with_so_many_allocations(size_t n, cairn_budget budget)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    scene here = {.drawn = large_rooms(1), .luck = {n}};
    here.map = map_with(&here.drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    here.table = build(here.map, 8, CAIRN_RESIDENT_CORNERS);
    here.search = open_search(&here, (cairn_search_options){0});
    ask_along(&here);
    edit_node(&here, dice_open_cell(&here.luck, &here.drawn), '@');
    ask_along(&here);
    failing_allocator_arm(&failing, n);
    const cairn_status status = step_to_the_end(here.table, here.map, budget);
    const bool struck = failing_allocator_struck(&failing);
    failing_allocator_arm(&failing, 0);
    assert_true(status == CAIRN_OK || (status == CAIRN_E_MEMORY && struck));
    ask_along(&here);
    assert_int_equal(step_to_the_end(here.table, here.map, budget), CAIRN_OK);
    assert_is_exact(&here);
    cairn_search_free(here.search);
    cairn_table_free(here.table);
    cairn_map_free(here.map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&here.drawn);
    return !struck;
}

static size_t count_held(const cairn_table *table, const cairn_map *map)
{
    size_t count = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        count += cairn_table_holds(table, node);
    return count;
}

/* After a step in which the n-th allocation fails, the next one leaves the table as large as a
 * rebuilt one; true: it was never asked for. */
static bool step_and_drop_members(uint64_t seed, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    scene here = {.drawn = random_map(MAP_SPARSE, 32, 19, seed), .luck = {seed}};
    here.map = map_with(&here.drawn, (cairn_metric){5, 7}, &failing.allocator);
    here.table = build(here.map, 1, CAIRN_RESIDENT_CORNERS);
    for (unsigned i = 0; i < 8; i++)
        edit_node(&here, dice_below(&here.luck, picture_size(&here.drawn)), i % 2 ? '@' : '.');
    failing_allocator_arm(&failing, n);
    const cairn_status status = cairn_refresh_step(here.table, here.map, CAIRN_UNLIMITED);
    const bool struck = failing_allocator_struck(&failing);
    failing_allocator_arm(&failing, 0);
    assert_true(status == CAIRN_OK || (status == CAIRN_E_MEMORY && struck));
    const size_t before = count_held(here.table, here.map);
    const uint64_t version = cairn_table_version(here.table);
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_UNLIMITED), CAIRN_OK);
    const size_t held = count_held(here.table, here.map);
    assert_true(held == before || cairn_table_version(here.table) != version);
    assert_int_equal(cairn_table_rebuild(here.table, here.map), CAIRN_OK);
    assert_int_equal(held, count_held(here.table, here.map));
    cairn_table_free(here.table);
    cairn_map_free(here.map);
    picture_free(&here.drawn);
    return !struck;
}

static void members_that_serve_no_row_go_whichever_allocation_fails(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 5; seed++) {
        size_t n = 1;
        while (!step_and_drop_members(seed, n))
            n++;
        assert_true(n > 20);
    }
}

static void a_step_that_computes_rows_at_once_survives_failed_allocations(void **state)
{
    const cairn_budget budgets[] = {CAIRN_CELLS(60), CAIRN_UNLIMITED};
    (void)state;
    for (unsigned of = 0; of < COUNT_OF(budgets); of++) {
        size_t n = 1;
        while (!step_with_so_many_allocations(n, budgets[of]))
            n++;
        assert_true(n > 20);
    }
}

/* The same map at another place: what follows from its cells lies elsewhere. */
static cairn_status step_on_a_copy(const scene *here, cairn_budget budget)
{
    cairn_map *copy;
    assert_int_equal(cairn_map_clone(here->map, &copy), CAIRN_OK);
    const cairn_status status = step_now(here->table, copy, budget);
    cairn_map_free(copy);
    return status;
}

/* Steps until the table is exact, between which it serves as it is. Returns how many. */
static unsigned renew_in_slices(scene *here)
{
    enum { EDITS_END = 90 }; /* edits that never end may let no step do so */
    unsigned steps = 1;
    for (;; steps++) {
        const cairn_budget budget = CAIRN_CELLS(1 + dice_below(&here->luck, 400));
        const cairn_status status = dice_below(&here->luck, 4) == 0
                                        ? step_on_a_copy(here, budget)
                                        : step_now(here->table, here->map, budget);
        if (status == CAIRN_OK)
            return steps;
        assert_int_equal(status, CAIRN_MORE);
        if (dice_below(&here->luck, 8) == 0)
            ask(here);
        if (steps < EDITS_END && dice_below(&here->luck, 30) == 0)
            edit_some(here);
    }
}

static void all_rows_are_computed_in_slices(void **state)
{
    enum { SCENES = 16, CHANGES = 4 };
    (void)state;
    unsigned steps = 0;
    for (uint64_t seed = 0; seed < seeds_to(SCENES); seed = seed_after(seed)) {
        scene here;
        open_scene(&here, large_rooms(seed), CAIRN_METRIC_OCTILE, seed);
        for (unsigned change = 0; change < CHANGES; change++) {
            edit_some(&here);
            ask(&here);
            steps += renew_in_slices(&here);
            assert_is_exact(&here);
            ask(&here);
        }
        close_scene(&here);
    }
    assert_true(steps > 40);
}

/* Also of a table that was behind its map. */
static void rows_that_a_rebuild_computes_are_counted(void **state)
{
    (void)state;
    scene here;
    open_scene(&here, random_map(MAP_ROOMS, 40, 30, 6), CAIRN_METRIC_OCTILE, 7);
    edit_node(&here, dice_open_cell(&here.luck, &here.drawn), '@');
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_int_equal(cairn_table_rebuild(here.table, here.map), CAIRN_OK);
    assert_int_equal(cairn_table_refresh_counts(here.table).rows_rebuilt,
                     cairn_table_row_count(here.table));
    close_scene(&here);
}

static void other_maps_are_refused(void **state)
{
    (void)state;
    scene here;
    cairn_map *larger, *stranger;
    open_scene(&here, random_map(MAP_CAVE, 30, 30, 1), CAIRN_METRIC_OCTILE, 1);
    picture drawn = random_map(MAP_CAVE, 31, 30, 1), twin = random_map(MAP_CAVE, 30, 30, 2);
    larger = map_of(&drawn, CAIRN_METRIC_OCTILE);
    stranger = map_of(&twin, CAIRN_METRIC_OCTILE);
    assert_int_equal(cairn_refresh_step(here.table, larger, CAIRN_UNLIMITED), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_refresh_step(here.table, stranger, CAIRN_UNLIMITED), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_is_exact(&here);
    cairn_map_free(larger);
    cairn_map_free(stranger);
    picture_free(&drawn);
    picture_free(&twin);
    close_scene(&here);
}

/* A pen of 5 x 5 cells in a corner of the map has a landmark of each row. When it opens, rows keep
 * those of the rest, all but the first one. */
static void a_small_part_does_not_take_the_landmarks(void **state)
{
    (void)state;
    enum { SIDE = 40, PEN = 5, DOOR = PEN / 2 * SIDE + PEN };
    for (int at_once = 0; at_once < 2; at_once++) {
        scene here;
        picture drawn = picture_filled(SIDE, SIDE, '.');
        uint32_t inside = 0;
        for (uint32_t i = 0; i <= PEN; i++)
            drawn.letters[PEN * SIDE + i] = drawn.letters[i * SIDE + PEN] = '@';
        open_scene(&here, drawn, CAIRN_METRIC_OCTILE, 5);
        edit_node(&here, DOOR, '.');
        assert_int_equal(at_once ? cairn_table_rebuild(here.table, here.map)
                                 : cairn_refresh_step(here.table, here.map, CAIRN_UNLIMITED),
                         CAIRN_OK);
        for (uint32_t row = 0; row < cairn_table_row_count(here.table); row++) {
            const cairn_node *landmarks;
            assert_int_equal(cairn_table_landmarks(here.table, row, &landmarks), 1);
            inside += landmarks[0] % SIDE < PEN && landmarks[0] / SIDE < PEN;
        }
        assert_in_range(inside, 0, 1);
        assert_true(cairn_table_row_count(here.table) > 2);
        assert_is_exact(&here);
        close_scene(&here);
    }
}

/* ---------------------------------------------------------------------------------- files -- */

/* Puts the first rows of the table, from a file, in place of map and table. */
static void reload(scene *here, uint32_t rows)
{
    const cairn_load_options options = {
        .size = sizeof options, .row_count = rows, .resident = CAIRN_RESIDENT_CORNERS};
    cairn_map *map;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cairn_save_bytes(here->map, here->table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, &map, &table, NULL), CAIRN_OK);
    cairn_bytes_free(here->map, bytes);
    assert_int_equal(cairn_table_row_count(table), rows);
    assert_int_equal(cairn_search_use(here->search, map, table), CAIRN_OK);
    assert_int_equal(cairn_search_use(here->other, map, table), CAIRN_OK);
    assert_int_equal(cairn_search_use(here->paused, map, table), CAIRN_OK);
    cairn_table_free(here->table);
    cairn_map_free(here->map);
    here->map = map;
    here->table = table;
}

/* The nearest of several goals, and from the nearest of several starts. Returns how many rows were
 * used. */
static uint32_t ask_nearest(scene *here)
{
    enum { GOALS = 7 };
    cairn_node ends[GOALS];
    cairn_path to, from;
    if (!picture_open_count(&here->drawn))
        return 0;
    for (int i = 0; i < GOALS; i++)
        ends[i] = dice_open_cell(&here->luck, &here->drawn);
    uint64_t *costs = oracle_costs(&here->drawn, steps_of(here->map->metric), ends, GOALS);
    const cairn_node one = dice_open_cell(&here->luck, &here->drawn);
    assert_int_equal(cairn_search_run_to_any(here->search, one, ends, GOALS, &to), CAIRN_OK);
    assert_int_equal(to.cost, cost_of(costs[one]));
    const uint32_t rows = to.row_count;
    if (to.outcome == CAIRN_PATH_FOUND)
        assert_int_equal(to.nodes[to.node_count - 1], ends[to.which]);
    assert_int_equal(cairn_search_run_from_any(here->search, ends, GOALS, one, &from), CAIRN_OK);
    assert_int_equal(from.cost, cost_of(costs[one]));
    if (from.outcome == CAIRN_PATH_FOUND)
        assert_int_equal(from.nodes[0], ends[from.which]);
    free(costs);
    return rows;
}

/* Opens some cells of a world and closes others, and publishes them without a refresh. */
static void edit_world(scene *here, cairn_world *world)
{
    for (int i = 0; i < 5; i++) {
        const char letter = dice_below(&here->luck, 3) ? '.' : '@';
        const cairn_node node = dice_below(&here->luck, cairn_map_node_count(here->map));
        const cairn_edit change = cairn_terrain(node % here->drawn.width, node / here->drawn.width,
                                                letter);
        assert_int_equal(cairn_world_edit(world, &change, 1), CAIRN_OK);
        here->drawn.letters[node] = letter;
    }
    assert_int_equal(cairn_world_publish(world), CAIRN_OK);
}

/* Returns how many rows were used. */
static uint32_t ask_in_a_world(scene *here)
{
    cairn_world *world;
    uint32_t rows = 0;
    assert_int_equal(cairn_world_new(here->map, here->table, &world), CAIRN_OK);
    for (int i = 0; i < 4; i++) {
        edit_world(here, world);
        cairn_view view = cairn_world_acquire(world);
        assert_int_equal(cairn_search_use(here->search, view.map, view.table), CAIRN_OK);
        for (int k = 0; k < 4; k++) {
            const uint32_t used = ask_nearest(here);
            rows = used > rows ? used : rows;
        }
        cairn_world_release(world, &view);
        if (i % 2)
            assert_in_range(world_step_now(world, CAIRN_CELLS(90)), CAIRN_OK, CAIRN_MORE);
    }
    cairn_search_free(here->search);
    cairn_world_free(world);
    return rows;
}

/* Rows of a file, also the first ones alone, serve right after cells of the loaded map opened: for
 * the nearest of several goals, and in a world. */
static void rows_of_files_serve_right_after_edits(void **state)
{
    (void)state;
    uint32_t most = 0;
    for (uint64_t seed = 0; seed < MAP_KINDS; seed++) {
        scene here;
        open_scene(&here, random_map((map_kind)seed, 33, 30, seed), CAIRN_METRIC_OCTILE, seed);
        const uint32_t rows = cairn_table_row_count(here.table);
        reload(&here, 1 + dice_below(&here.luck, rows));
        for (int i = 0; i < 4; i++) {
            edit_cell(&here, '.');
            edit_some(&here);
            ask(&here);
            const uint32_t used = ask_nearest(&here);
            most = used > most ? used : most;
        }
        cairn_search_free(here.other);
        cairn_search_free(here.paused);
        const uint32_t used = ask_in_a_world(&here);
        most = used > most ? used : most;
        cairn_table_free(here.full);
        picture_free(&here.drawn);
    }
    assert_true(most > 1);
}

/* A table of a file that holds no map, in memory of another allocator than the map's. */
static cairn_table *reloaded(const cairn_map *map, const cairn_table *table,
                             cairn_resident resident)
{
    const cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    const cairn_load_options load = {.size = sizeof load, .map = map, .resident = resident};
    char *path = scratch_file("rows.cairn");
    cairn_table *made;
    assert_int_equal(cairn_save(map, table, path, &save), CAIRN_OK);
    assert_int_equal(cairn_load(path, &load, NULL, &made, NULL), CAIRN_OK);
    scratch_remove(path);
    return made;
}

/* Steps that a budget ends come to an end, whatever memory the table is in. */
static void small_steps_end_in_memory_of_any_allocator(void **state)
{
    enum { STEPS_MOST = 10000 };
    (void)state;
    for (int resident = CAIRN_RESIDENT_CELLS; resident <= CAIRN_RESIDENT_CORNERS; resident++) {
        failing_allocator counted;
        failing_allocator_init(&counted);
        picture drawn = random_map(MAP_ROOMS, 60, 60, 4);
        cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &counted.allocator);
        cairn_table *built = build(map, 4, CAIRN_RESIDENT_CELLS);
        cairn_table *table = reloaded(map, built, (cairn_resident)resident);
        unsigned steps = 0;
        for (uint32_t x = 5; x < 50; x++) {
            const cairn_edit wall = cairn_block(x, 30);
            assert_int_equal(cairn_map_edit(map, &wall, 1), CAIRN_OK);
        }
        while (steps < STEPS_MOST && step_now(table, map, CAIRN_CELLS(100)) == CAIRN_MORE)
            steps++;
        assert_in_range(steps, 2, STEPS_MOST - 1);
        assert_equal_to_a_rebuilt_one(table, map);
        cairn_table_free(table);
        cairn_table_free(built);
        cairn_map_free(map);
        picture_free(&drawn);
        assert_int_equal(atomic_load(&counted.outstanding), 0);
    }
}

/* Columns of cells that one row joins. */
static picture comb(uint32_t side)
{
    picture drawn = picture_filled(side, side, '@');
    for (uint32_t y = 0; y < side; y++) {
        for (uint32_t x = 0; x < side; x += y ? 2 : 1)
            drawn.letters[y * side + x] = '.';
    }
    return drawn;
}

/* How many landmarks of a row are in the component of a cell, and the last of them. */
static unsigned landmarks_beside(const cairn_map *map, const cn_corner_landmarks *lists,
                                 uint32_t row, cairn_node cell, cairn_node *last)
{
    unsigned count = 0;
    for (size_t i = lists->start[row]; i < lists->start[row + 1]; i++) {
        if (!cairn_connected(map, lists->nodes[i], cell))
            continue;
        *last = lists->nodes[i];
        count++;
    }
    return count;
}

/* Runs of cells are listed of those parts alone that lack a landmark. */
static void a_part_that_is_cut_off_gets_landmarks_in_memory_of_its_size(void **state)
{
    enum { SIDE = 256, ROWS = 5, CUT = SIDE / 2 * SIDE + SIDE / 2 };
    (void)state;
    failing_allocator counted;
    failing_allocator_init(&counted);
    picture drawn = comb(SIDE);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &counted.allocator);
    cairn_table *table = build(map, ROWS, CAIRN_RESIDENT_CORNERS);
    const cairn_node ends[] = {0, CUT + SIDE};
    cn_corner_landmarks lists;
    cairn_node last;

    assert_true(cairn_connected(map, ends[0], ends[1]));
    edit_letter(map, &drawn, CUT, '@');
    assert_false(cairn_connected(map, ends[0], ends[1]));
    const size_t held = atomic_load(&counted.held);
    atomic_store(&counted.peak, held);
    assert_int_equal(cn_corner_landmarks_list(table, map, &lists), CAIRN_OK);
    assert_true(atomic_load(&counted.peak) - held < SIDE * SIDE / 2);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < COUNT_OF(ends); i++)
            assert_int_equal(landmarks_beside(map, &lists, row, ends[i], &last), 1);
    }
    cn_corner_landmarks_free(&lists, &table->mem);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
    assert_int_equal(atomic_load(&counted.outstanding), 0);
}

/* In a part with very many runs only some of them are tried: landmarks still lie far apart. */
static void landmarks_of_a_large_part_lie_far_apart(void **state)
{
    enum { SIDE = 256, ROWS = 3 };
    (void)state;
    picture drawn = comb(SIDE);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = build(map, ROWS, CAIRN_RESIDENT_CORNERS);
    cn_corner_landmarks lists;
    cairn_node found[ROWS] = {0};

    for (size_t i = 0; i < table->landmark_start[ROWS]; i++)
        edit_letter(map, &drawn, table->landmarks[i], '@');
    assert_int_equal(cn_corner_landmarks_list(table, map, &lists), CAIRN_OK);
    for (uint32_t row = 0; row < ROWS; row++) {
        assert_int_equal(landmarks_beside(map, &lists, row, SIDE / 2, &found[row]), 1);
        for (uint32_t other = 0; other < row; other++) {
            const uint32_t across = cn_apart_by(found[row] % SIDE, found[other] % SIDE);
            const uint32_t down = cn_apart_by(found[row] / SIDE, found[other] / SIDE);
            assert_true(across + down > SIDE * 3 / 4);
        }
    }
    cn_corner_landmarks_free(&lists, &table->mem);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_query_is_exact_at_every_moment),
        cmocka_unit_test(small_steps_take_little_longer_than_a_rebuild),
        cmocka_unit_test(rows_stay_in_use_where_cells_close),
        cmocka_unit_test(rows_serve_right_after_cells_opened),
        cmocka_unit_test(corners_may_close_and_open_again),
        cmocka_unit_test(an_undone_edit_leaves_no_flood_half_done),
        cmocka_unit_test(entries_become_wider),
        cmocka_unit_test(a_step_without_memory_leaves_the_table_safe),
        cmocka_unit_test(a_step_that_computes_rows_at_once_survives_failed_allocations),
        cmocka_unit_test(members_that_serve_no_row_go_whichever_allocation_fails),
        cmocka_unit_test(all_rows_are_computed_in_slices),
        cmocka_unit_test(rows_that_a_rebuild_computes_are_counted),
        cmocka_unit_test(other_maps_are_refused),
        cmocka_unit_test(a_small_part_does_not_take_the_landmarks),
        cmocka_unit_test(a_part_that_is_cut_off_gets_landmarks_in_memory_of_its_size),
        cmocka_unit_test(landmarks_of_a_large_part_lie_far_apart),
        cmocka_unit_test(rows_of_files_serve_right_after_edits),
        cmocka_unit_test(small_steps_end_in_memory_of_any_allocator),
    };
    return cmocka_run_group_tests_name("corner_edits", tests, NULL, NULL);
}
