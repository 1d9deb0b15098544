/* Calls that work on several threads and end badly: whichever allocation fails, and wherever the
 * caller stops them, they say so, hand out nothing and keep nothing. Run under the sanitizers as
 * well, which see whether a thread goes on with what is gone. */
#include <unistd.h>

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { ROWS = 6, QUERIES = 100, CODECS = CAIRN_CODEC_SEEDS + 1 };

/* What the calls work on, in the memory that will run out, and how they are to be done. */
typedef struct scene {
    failing_allocator failing;
    cairn_map *map;
    cairn_table *table;
    uint8_t *files[CODECS];
    size_t file_sizes[CODECS];
    char *path;
    cairn_query queries[QUERIES];
    uint32_t thread_count;
    int kind; /* of placement or codec */
    const cairn_progress *progress;
} scene;

static void open_scene(scene *made)
{
    dice luck = {4};
    picture drawn = random_map(MAP_ISLANDS, 70, 40, 3);
    *made = (scene){.path = scratch_file("table.cairn")};
    failing_allocator_init(&made->failing);
    made->map = map_with(&drawn, CAIRN_METRIC_OCTILE, &made->failing.allocator);
    made->table = table_of(made->map, ROWS);
    for (size_t i = 0; i < QUERIES; i++) {
        made->queries[i].start = dice_open_cell(&luck, &drawn);
        made->queries[i].goal = dice_open_cell(&luck, &drawn);
    }
    for (int codec = 0; codec < CODECS; codec++) {
        cairn_save_options options = {.size = sizeof options, .codec = (cairn_codec)codec};
        assert_int_equal(cairn_save_bytes(made->map, made->table, &options, &made->files[codec],
                                          &made->file_sizes[codec]),
                         CAIRN_OK);
    }
    picture_free(&drawn);
}

static void close_scene(scene *from)
{
    for (int codec = 0; codec < CODECS; codec++)
        cairn_bytes_free(from->map, from->files[codec]);
    cairn_table_free(from->table);
    cairn_map_free(from->map);
    assert_int_equal(atomic_load(&from->failing.outstanding), 0);
    scratch_remove(from->path);
}

static cairn_build_options how_to_build(const scene *from)
{
    return (cairn_build_options){.size = sizeof(cairn_build_options),
                                 .landmark_count = ROWS,
                                 .thread_count = from->thread_count,
                                 .placement = (cairn_placement)from->kind,
                                 .candidate_count = 40,
                                 .progress = from->progress};
}

static cairn_status build(scene *from)
{
    cairn_build_options options = how_to_build(from);
    cairn_table *table = from->table;
    cairn_status status = cairn_table_build(from->map, &options, &table);
    assert_true((table != NULL) == (status == CAIRN_OK));
    cairn_table_free(table);
    return status;
}

static cairn_status build_file(scene *from)
{
    cairn_build_options options = how_to_build(from);
    cairn_status status = cairn_build_file(from->map, from->path, &options, NULL, NULL);
    assert_true((access(from->path, F_OK) == 0) == (status == CAIRN_OK));
    unlink(from->path);
    return status;
}

static cairn_status save(scene *from)
{
    cairn_save_options options = {.size = sizeof options,
                                  .codec = (cairn_codec)from->kind,
                                  .thread_count = from->thread_count,
                                  .progress = from->progress};
    uint8_t *bytes = from->files[0];
    size_t size;
    cairn_status status = cairn_save_bytes(from->map, from->table, &options, &bytes, &size);
    assert_true((bytes != NULL) == (status == CAIRN_OK));
    cairn_bytes_free(from->map, bytes);
    return status;
}

static cairn_status load(scene *from)
{
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = from->thread_count,
                                  .allocator = &from->failing.allocator};
    cairn_map *map = from->map;
    cairn_table *table = from->table;
    cairn_status status = cairn_load_bytes(from->files[from->kind], from->file_sizes[from->kind],
                                           &options, &map, &table, NULL);
    assert_true((map != NULL) == (status == CAIRN_OK));
    assert_true((table != NULL) == (status == CAIRN_OK));
    cairn_table_free(table);
    cairn_map_free(map);
    return status;
}

/* On a copy of the map, whose jump planes the threads then make together. */
static cairn_status search_batch(scene *from)
{
    cairn_map *map;
    cairn_status status = cairn_map_clone(from->map, &map);
    if (status != CAIRN_OK)
        return status;
    cairn_search_options options = {.size = sizeof options, .space = (cairn_space)from->kind};
    cairn_batch *batch = (cairn_batch *)(void *)from;
    status = cairn_search_batch(map, from->table, from->queries, QUERIES, &options,
                                from->thread_count, &batch);
    assert_true((batch != NULL) == (status == CAIRN_OK));
    cairn_batch_free(batch);
    cairn_map_free(map);
    return status;
}

typedef struct call {
    cairn_status (*run)(scene *from);
    int kinds;
    bool can_be_stopped;
} call;

static const call calls[] = {
    {build, CAIRN_PLACE_LIST + 1, true},
    {build_file, CAIRN_PLACE_LIST + 1, true},
    {save, CODECS, true},
    {load, CODECS, false},
    {search_batch, CAIRN_SPACE_JUMP + 1, false},
};

/* Early allocations one by one, later ones at growing distances: there may be many. Sanitizers take
 * some of them, and the first that does not fail. */
static void without_memory_nothing_is_handed_out_and_nothing_kept(void **state)
{
    (void)state;
    scene from;
    open_scene(&from);
    size_t before = atomic_load(&from.failing.outstanding);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (from.kind = 0; from.kind < calls[i].kinds; from.kind++) {
            bool struck = true;
            for (size_t n = 1; struck; n += 1 + n / 16) {
                if (is_left_out(n))
                    continue;
                from.thread_count = 2 + (uint32_t)n % 3;
                failing_allocator_arm(&from.failing, n);
                cairn_status status = calls[i].run(&from);
                struck = failing_allocator_struck(&from.failing);
                assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
                assert_int_equal(atomic_load(&from.failing.outstanding), before);
            }
        }
    }
    failing_allocator_arm(&from.failing, 0);
    close_scene(&from);
}

/* How often the caller lets the work go on. */
static bool go_on(void *context, const char *stage, uint64_t done, uint64_t total)
{
    unsigned *patience = context;
    (void)stage;
    (void)done;
    (void)total;
    if (*patience == 0)
        return false;
    --*patience;
    return true;
}

static void a_call_that_is_stopped_hands_out_nothing_and_keeps_nothing(void **state)
{
    (void)state;
    scene from;
    open_scene(&from);
    size_t before = atomic_load(&from.failing.outstanding);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (from.kind = 0; calls[i].can_be_stopped && from.kind < calls[i].kinds; from.kind++) {
            cairn_status status = CAIRN_E_CANCELLED;
            for (unsigned n = 0; status != CAIRN_OK; n++) {
                unsigned patience = n;
                if (is_left_out(n))
                    continue;
                const cairn_progress progress = {go_on, &patience};
                from.thread_count = 2 + n % 3;
                from.progress = &progress;
                status = calls[i].run(&from);
                assert_true(status == CAIRN_OK || status == CAIRN_E_CANCELLED);
                assert_int_equal(atomic_load(&from.failing.outstanding), before);
            }
        }
        from.progress = NULL;
    }
    close_scene(&from);
}

/* Every row has a wrong entry, and threads find them in any order. */
static void the_fault_of_the_first_row_is_named_at_any_thread_count(void **state)
{
    (void)state;
    scene from;
    open_scene(&from);
    for (uint32_t row = 1; row < ROWS; row++) {
        cairn_cost cost = cairn_table_cost(from.table, row, from.queries[row].start);
        assert_int_equal(cairn_table_set_cost(from.table, row, from.queries[row].start, cost + 1),
                         CAIRN_OK);
    }
    for (uint32_t threads = 1; threads <= 40; threads++) {
        cairn_fault fault;
        assert_int_equal(cairn_table_verify(from.table, from.map, 1 + threads % 5, &fault),
                         CAIRN_E_INEXACT);
        assert_int_equal(fault.row, 1);
        assert_int_equal(fault.node, from.queries[1].start);
    }
    close_scene(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_nothing_is_handed_out_and_nothing_kept),
        cmocka_unit_test(a_call_that_is_stopped_hands_out_nothing_and_keeps_nothing),
        cmocka_unit_test(the_fault_of_the_first_row_is_named_at_any_thread_count),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
