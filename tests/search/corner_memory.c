/* What searches by corner keep: runs that all find once, records with room that grows, memory that
 * is counted and may be missing. */
#include "map/map.h"
#include "search/corner_searches.h"
#include "search/search.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"

/* Each thread finds that the runs of corners are not known yet: of a table, or of the map, without
 * rows or along those at every cell. */
static void the_first_searches_may_run_at_once(void **state)
{
    (void)state;
    dice luck = {14};
    for (uint64_t seed = 0; seed < 12; seed++) {
        picture drawn = picture_magnified(random_map(MAP_ROOMS, 50, 45, seed), 2);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cairn_resident resident = seed % 3 == 1 ? CAIRN_RESIDENT_CELLS
                                                      : CAIRN_RESIDENT_CORNERS;
        cairn_table *table = seed % 3 ? corner_table(map, 4, 0, resident) : NULL;
        cairn_query queries[64];
        cairn_batch *batch;
        for (size_t i = 0; i < COUNT_OF(queries); i++)
            queries[i] = (cairn_query){.start = dice_open_cell(&luck, &drawn),
                                       .goal = dice_open_cell(&luck, &drawn)};
        assert_int_equal(
            cairn_search_batch(map, table, queries, COUNT_OF(queries), NULL, 4, &batch), CAIRN_OK);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        for (size_t i = 0; i < COUNT_OF(queries); i++) {
            cairn_path path;
            assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                             CAIRN_OK);
            assert_int_equal(cairn_batch_paths(batch)[i].cost, path.cost);
            assert_int_equal(cairn_batch_paths(batch)[i].expanded, path.expanded);
        }
        assert_non_null(search->query.corner_arcs);
        cairn_batch_free(batch);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static size_t told_memory(const cairn_table *table, const cairn_search *search)
{
    return cairn_table_memory(table) + cairn_search_memory(search);
}

static uint32_t known_corners(const cairn_table *table)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < table->corners->arcs->count; i++)
        known += cn_corner_known(&table->corners->arcs->runs[i]) != 0;
    return known;
}

/* A search finds the runs from the corners that it expands and no more; they are counted as the
 * table's, and there for all searches. */
static void runs_of_corners_are_found_once(void **state)
{
    (void)state;
    enum { PASSES = 3, PAIRS = 300 };
    dice luck = {18};
    failing_allocator counting;
    picture drawn = random_map(MAP_CLUTTERED, 200, 150, 3);
    failing_allocator_init(&counting);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &counting.allocator);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    const cairn_search_options options = {.form = CAIRN_FORM_NONE};
    cairn_search_free(search_with(map, table, options));
    const size_t others = counting.held - cairn_table_memory(table);
    size_t memory = cairn_table_memory(table);
    uint32_t known = known_corners(table);

    assert_int_equal(known, 0);
    for (int pass = 0; pass < PASSES; pass++) {
        cairn_search *search = search_with(map, table, options);
        dice same = luck;
        uint64_t expanded = 0;
        for (int i = 0; i < PAIRS; i++) {
            const cairn_node start = dice_open_cell(&same, &drawn);
            const cairn_node goal = dice_open_cell(&same, &drawn);
            cairn_path path;
            assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
            expanded += path.expanded;
            assert_int_equal(counting.held, others + told_memory(table, search));
            assert_true(known_corners(table) <= (pass ? known : expanded));
        }
        assert_true(pass ? cairn_table_memory(table) == memory
                         : cairn_table_memory(table) > memory);
        memory = cairn_table_memory(table);
        known = known_corners(table);
        cairn_search_free(search);
    }
    assert_true(known > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(counting.outstanding, 0);
    picture_free(&drawn);
}

static void assert_nothing_is_seen(const cairn_search *search, uint32_t node_count)
{
    cairn_node_info info;
    for (cairn_node node = 0; node < node_count; node++) {
        assert_int_equal(cairn_search_node_info(search, node, &info), CAIRN_OK);
        assert_int_equal(info.state, CAIRN_NODE_UNSEEN);
    }
}

/* A list of avoided nodes gives the search records of cells in place of those of corners. */
static void a_look_finds_nothing_after_a_run_without_memory(void **state)
{
    (void)state;
    dice luck = {7};
    picture drawn = random_map(MAP_ROOMS, 64, 64, 5);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 3, 0, CAIRN_RESIDENT_CORNERS);
    const cairn_node start = dice_open_cell(&luck, &drawn), goal = dice_open_cell(&luck, &drawn);
    bool was_struck = true;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const cairn_node avoided = dice_open_cell(&luck, &drawn);
        cairn_path path;
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        assert_int_equal(cairn_search_avoid(search, &avoided, NULL, 1), CAIRN_OK);
        failing_allocator_arm(&memory, n);
        cairn_status status = cairn_search_run(search, start, goal, &path);
        was_struck = failing_allocator_struck(&memory);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        if (was_struck)
            assert_nothing_is_seen(search, picture_size(&drawn));
        cairn_search_free(search);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Memory is counted, and batches find what single searches find, also after an edit. */
static void memory_is_counted_and_searches_run_at_once(void **state)
{
    (void)state;
    failing_allocator memory;
    dice luck = {12};
    picture drawn = random_map(MAP_ROOMS, 90, 70, 2);
    failing_allocator_init(&memory);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &memory.allocator);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_table_memory(table));
    cairn_search *search = search_with(map, table, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 60);
    edit_any(map, &drawn, &luck);
    assert_all_shortest(search, map, &drawn, &luck, 60);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_table_memory(table) +
                                      cairn_search_memory(search));
    cairn_search_free(search);

    cairn_query queries[50];
    cairn_batch *batch;
    for (size_t i = 0; i < COUNT_OF(queries); i++)
        queries[i] = (cairn_query){.start = any_end(map, &luck), .goal = any_end(map, &luck)};
    assert_int_equal(cairn_search_batch(map, table, queries, COUNT_OF(queries), NULL, 3, &batch),
                     CAIRN_OK);
    search = search_with(map, NULL, (cairn_search_options){0});
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        cairn_path path;
        assert_int_equal(cairn_search_run(search, queries[i].start, queries[i].goal, &path),
                         CAIRN_OK);
        assert_int_equal(cairn_batch_paths(batch)[i].cost, path.cost);
    }
    cairn_batch_free(batch);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(memory.outstanding, 0);
    picture_free(&drawn);
}

/* An edit gives back the memory of the runs that a map keeps. */
static void runs_of_a_map_are_gone_with_an_edit(void **state)
{
    (void)state;
    failing_allocator memory;
    dice luck = {18};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 2), 2);
    failing_allocator_init(&memory);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &memory.allocator);
    block_any(map, &drawn, &luck);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    assert_all_shortest(search, map, &drawn, &luck, 60);
    const size_t runs = cn_corner_arcs_memory(search->query.corner_arcs);
    const size_t before = cairn_map_memory(map);
    assert_true(runs > 64 * (size_t)search->query.corners->count);
    assert_int_equal(memory.held, before + cairn_search_memory(search));
    block_any(map, &drawn, &luck);
    assert_int_equal(cairn_map_memory(map) + runs, before);
    assert_int_equal(memory.held, cairn_map_memory(map) + cairn_search_memory(search));
    assert_all_shortest(search, map, &drawn, &luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    assert_int_equal(memory.outstanding, 0);
    picture_free(&drawn);
}

static void fail_each_allocation(picture drawn, bool has_table)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = has_table ? corner_table(map, 3, 0, CAIRN_RESIDENT_CORNERS) : NULL;
    cairn_search *search = NULL;
    dice luck = {13};
    for (size_t n = 1; !search; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_search_new(map, table, NULL, &search);
        assert_int_equal(status, search ? CAIRN_OK : CAIRN_E_MEMORY);
    }
    assert_non_null(search->query.corners);
    failing_allocator_arm(&failing, 0);
    edit_any(map, &drawn, &luck);
    cairn_status status = CAIRN_E_MEMORY;
    for (size_t n = 1; status != CAIRN_OK; n++) {
        cairn_path path;
        failing_allocator_arm(&failing, n);
        status = cairn_search_run(search, 0, 41, &path);
        assert_true(status == CAIRN_OK || status == CAIRN_E_MEMORY);
    }
    failing_allocator_arm(&failing, 0);
    assert_all_shortest(search, map, &drawn, &luck, 30);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

/* A search that is about to have its records by the corners of its map has them by cell after a
 * failure, or by corner, but not some of each. */
static bool fail_at_first_corners(picture *drawn, dice *luck, size_t n)
{
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    cairn_path path;
    for (unsigned i = 0; i < 4; i++)
        block_any(map, drawn, luck);
    const cairn_node open = dice_open_cell(luck, drawn);
    assert_int_equal(cairn_search_run(search, open, open, &path), CAIRN_OK);
    assert_null(search->query.corners);
    search->worth.spent = search->worth.corner_runs_due;
    failing_allocator_arm(&failing, n);
    cairn_status status = cairn_search_run(search, open, open, &path);
    const bool was_struck = failing_allocator_struck(&failing);
    assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
    if (was_struck)
        assert_nothing_is_seen(search, picture_size(drawn));
    failing_allocator_arm(&failing, 0);
    assert_int_equal(cairn_search_run(search, open, open, &path), CAIRN_OK);
    assert_non_null(search->query.corner_arcs);
    assert_all_shortest(search, map, drawn, luck, 10);
    cairn_search_free(search);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    return was_struck;
}

static void corners_come_later_where_there_is_no_memory(void **state)
{
    (void)state;
    dice luck = {16};
    picture drawn = picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2);
    size_t n = 1;
    while (fail_at_first_corners(&drawn, &luck, n))
        n++;
    assert_true(n > 3);
    picture_free(&drawn);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    fail_each_allocation(random_map(MAP_CAVE, 40, 30, 5), true);
    fail_each_allocation(picture_magnified(random_map(MAP_ROOMS, 45, 35, 5), 2), false);
}

/* Asks for a path between any two cells while the n-th allocation fails, and then again; whether an
 * allocation failed. The search has its memory from the allocator. */
static bool run_and_fail(cairn_search *search, failing_allocator *memory, size_t n,
                         const picture *drawn, dice *luck, cairn_status *status)
{
    const cairn_node start = dice_open_cell(luck, drawn), goal = dice_open_cell(luck, drawn);
    cairn_path path;
    failing_allocator_arm(memory, n);
    *status = cairn_search_run(search, start, goal, &path);
    const bool was_struck = failing_allocator_struck(memory);
    assert_true(*status == CAIRN_OK || (was_struck && *status == CAIRN_E_MEMORY));
    failing_allocator_arm(memory, 0);
    assert_shortest(search, drawn, search->map->metric, start, goal);
    assert_int_equal(memory->held, cairn_search_memory(search));
    return was_struck;
}

/* A start on open ground has more runs than there was room for; also where its goal has, the goal's
 * entries are found without room. */
static void room_for_arcs_grows_where_there_are_many(void **state)
{
    (void)state;
    enum { SIDE = 200, ARCS_MOST = 4 * SIDE };
    dice luck = {43};
    picture drawn = open_ground(SIDE, &luck);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 4, 0, CAIRN_RESIDENT_CORNERS);
    cairn_status status;
    bool was_struck = true;
    size_t grown = 0;
    for (size_t n = 1; was_struck; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const size_t capacity = search->scratch.arcs.capacity;
        assert_in_range(capacity, 1, ARCS_MOST / 10);
        was_struck = run_and_fail(search, &memory, n, &drawn, &luck, &status);
        grown += search->scratch.arcs.capacity > capacity;
        cairn_search_free(search);
    }
    assert_true(grown > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* No record that a run has not written may look like one of a later run. */
static void assert_records_are_of_former_runs(const cairn_search *search)
{
    const cn_scratch *scratch = &search->scratch;
    for (size_t i = scratch->directory.used; i < scratch->record_count; i++)
        assert_true(scratch->records[i].mark >> CN_STAMP_SHIFT <= scratch->stamp >> CN_STAMP_SHIFT);
}

/* A run has records for what it discovers, in room that grows, and not for all corners. */
static void room_for_records_grows_with_what_a_run_discovers(void **state)
{
    (void)state;
    dice luck = {47};
    picture drawn = random_map(MAP_CAVE, 150, 150, 8);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = corner_table(map, 1, 0, CAIRN_RESIDENT_CORNERS);
    cairn_status status;
    bool was_struck = true;
    size_t grown = 0, failed = 0, less = 0;
    for (size_t n = 1; was_struck || !grown; n++) {
        failing_allocator memory;
        failing_allocator_init(&memory);
        cairn_search *search = search_with(map, table,
                                           (cairn_search_options){.allocator = &memory.allocator});
        const size_t room = search->scratch.record_count;
        was_struck = run_and_fail(search, &memory, n, &drawn, &luck, &status);
        failed += status == CAIRN_E_MEMORY;
        assert_records_are_of_former_runs(search);
        grown += search->scratch.record_count > room;
        less += search->scratch.record_count < table->corners->count / 4;
        cairn_search_free(search);
    }
    assert_true(grown > 0 && failed > 0 && less > 0);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* What former runs with the same stamps left in the directory counts for nothing. */
static void stamps_of_the_directory_start_over(void **state)
{
    (void)state;
    dice luck = {51};
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = corner_table(map, 2, seed, CAIRN_RESIDENT_CORNERS);
        cairn_search *search = search_with(map, table, (cairn_search_options){0});
        cn_record_directory *directory = &search->scratch.directory;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        directory->stamp = UINT32_MAX >> directory->bits << directory->bits;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        assert_in_range(directory->stamp >> directory->bits, 0, 60);
        assert_records_are_of_former_runs(search);
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* The same for the stamps of records, where each node has one. */
static void stamps_of_records_start_over(void **state)
{
    (void)state;
    dice luck = {52};
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_search *search = search_with(map, NULL,
                                           (cairn_search_options){.space = CAIRN_SPACE_CELLS});
        assert_all_shortest(search, map, &drawn, &luck, 20);
        search->scratch.stamp = CN_STAMP_MAX << CN_STAMP_SHIFT;
        assert_all_shortest(search, map, &drawn, &luck, 20);
        assert_in_range(search->scratch.stamp >> CN_STAMP_SHIFT, 1, 60);
        cairn_search_free(search);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* All cases, or those of a pattern: the thread sanitizer wants those with threads. */
int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_searches_may_run_at_once),
        cmocka_unit_test(runs_of_corners_are_found_once),
        cmocka_unit_test(a_look_finds_nothing_after_a_run_without_memory),
        cmocka_unit_test(memory_is_counted_and_searches_run_at_once),
        cmocka_unit_test(runs_of_a_map_are_gone_with_an_edit),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(corners_come_later_where_there_is_no_memory),
        cmocka_unit_test(room_for_arcs_grows_where_there_are_many),
        cmocka_unit_test(room_for_records_grows_with_what_a_run_discovers),
        cmocka_unit_test(stamps_of_the_directory_start_over),
        cmocka_unit_test(stamps_of_records_start_over),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    return cmocka_run_group_tests_name("corner_memory", tests, NULL, NULL);
}
