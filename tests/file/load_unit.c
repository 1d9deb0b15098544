/* Loading tables that takes long: it says how far it is, and stops when it is asked to. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/tables.h"

typedef struct watcher {
    uint64_t calls;
    uint64_t stop_at;     /* the call that asks to stop; 0: none does */
    uint64_t calls_after; /* since one did */
    uint64_t done;
    uint64_t longest; /* units done from one call to the next */
    bool sound;
    const char *stage;
} watcher;

static bool watch(void *context, const char *stage, uint64_t done, uint64_t total)
{
    watcher *self = context;
    bool goes_on = self->stage && strcmp(stage, self->stage) == 0 && done > 0;
    uint64_t before = goes_on ? self->done : 0;

    if (done < before || done > total)
        self->sound = false;
    else if (done - before > self->longest)
        self->longest = done - before;
    self->stage = stage;
    self->done = done;
    self->calls++;
    if (!self->stop_at || self->calls < self->stop_at)
        return true;
    self->calls_after += self->calls > self->stop_at;
    return false;
}

typedef struct file {
    uint8_t *bytes;
    size_t size;
} file;

static file saved(const cairn_map *map, const cairn_table *table, cairn_codec codec)
{
    cairn_save_options options = {.size = sizeof options, .codec = codec};
    file made;
    assert_int_equal(cairn_save_bytes(map, table, &options, &made.bytes, &made.size), CAIRN_OK);
    return made;
}

static cairn_status load(const file *from, uint32_t threads, watcher *by,
                         const cairn_allocator *allocator, cairn_map **map, cairn_table **table)
{
    cairn_progress progress = {watch, by};
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = threads,
                                  .allocator = allocator,
                                  .progress = &progress};
    cairn_error error;
    cairn_status status = cairn_load_bytes(from->bytes, from->size, &options, map, table, &error);
    assert_int_equal(error.status, status);
    return status;
}

/* Whatever call asks to stop, it is the last one, and nothing is left. */
static void check_every_stop(const file *from, uint64_t calls)
{
    failing_allocator memory;
    cairn_map *map;
    cairn_table *table;

    for (uint64_t stop = 1; stop <= calls; stop++) {
        watcher by = {.stop_at = stop, .sound = true};
        failing_allocator_init(&memory);
        assert_int_equal(load(from, 1, &by, &memory.allocator, &map, &table), CAIRN_E_CANCELLED);
        assert_null(map);
        assert_null(table);
        assert_int_equal(by.calls_after, 0);
        assert_int_equal(memory.outstanding, 0);
    }
}

static void check_file(const file *from, const cairn_table *expected)
{
    watcher by = {.sound = true}, by_many = {.sound = true};
    cairn_map *map;
    cairn_table *table;

    assert_int_equal(load(from, 1, &by, NULL, &map, &table), CAIRN_OK);
    assert_true(by.sound);
    assert_true(by.calls > 0);
    assert_same_rows(table, expected);
    cairn_table_free(table);
    cairn_map_free(map);
    check_every_stop(from, by.calls);

    assert_int_equal(load(from, 3, &by_many, NULL, &map, &table), CAIRN_OK);
    assert_true(by_many.sound);
    cairn_table_free(table);
    cairn_map_free(map);
}

static const cairn_codec codecs[] = {CAIRN_CODEC_BEST, CAIRN_CODEC_RAW, CAIRN_CODEC_PREDICTOR};
enum { CODECS = sizeof codecs / sizeof *codecs };

static void check_map(cairn_map *map)
{
    cairn_table *table = table_of(map, 3);
    for (unsigned i = 0; i < CODECS; i++) {
        file made = saved(map, table, codecs[i]);
        check_file(&made, table);
        cairn_bytes_free(map, made.bytes);
    }
    cairn_table_free(table);
}

static void any_load_can_be_stopped_at_any_call(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        if (picture_open_count(&drawn)) {
            cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
            check_map(map);
            cairn_map_free(map);
        }
        picture_free(&drawn);
    }
}

static cairn_map *ring_of(uint32_t count)
{
    cairn_arc *arcs = malloc(2 * count * sizeof *arcs);
    cairn_map *map;
    for (uint32_t i = 0; i < count; i++) {
        arcs[2 * i] = (cairn_arc){i, (i + 1) % count, 3};
        arcs[2 * i + 1] = (cairn_arc){i, (i + 2) % count, 5 + i % 3};
    }
    assert_int_equal(cairn_map_from_arcs(count, arcs, 2 * count, NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    free(arcs);
    return map;
}

/* An open hall with a dot of another letter, so that its letters are modelled. */
static cairn_map *hall_of(uint32_t width, uint32_t height)
{
    picture drawn = picture_filled(width, height, '.');
    drawn.letters[width + 3] = '@';
    cairn_map *map = map_of(&drawn, fixture_metrics[0]);
    picture_free(&drawn);
    return map;
}

/* A call at least every so many entries, or cells: some milliseconds. */
enum { OFTEN = 1 << 18 };

/* Without a search for good landmarks, which would take longer than all loads. */
static cairn_table *table_of_spread_nodes(cairn_map *map)
{
    enum { ROWS = 6 };
    cairn_node nodes[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        nodes[i] = cairn_map_node_count(map) / ROWS * i;
    return table_built(map, (cairn_build_options){.placement = CAIRN_PLACE_LIST,
                                                  .listed = nodes,
                                                  .listed_count = ROWS,
                                                  .thread_count = 1});
}

static void check_often(cairn_map *map, uint64_t least_calls)
{
    cairn_table *table = table_of_spread_nodes(map);
    for (unsigned i = 0; i < CODECS; i++) {
        file made = saved(map, table, codecs[i]);
        watcher by = {.sound = true};
        cairn_map *own;
        cairn_table *back;
        assert_int_equal(load(&made, 1, &by, NULL, &own, &back), CAIRN_OK);
        assert_true(by.sound);
        assert_true(by.longest < OFTEN);
        assert_true(by.calls > least_calls);
        cairn_table_free(back);
        cairn_map_free(own);
        cairn_bytes_free(map, made.bytes);
    }
    cairn_table_free(table);
}

static void long_loads_of_grids_tell_often_how_far_they_are(void **state)
{
    (void)state;
    cairn_map *map = hall_of(1100, 700);
    check_often(map, 60);
    cairn_map_free(map);
}

static void long_loads_of_graphs_tell_often_how_far_they_are(void **state)
{
    (void)state;
    cairn_map *map = ring_of(100000), *small = ring_of(4000);
    check_often(map, 6);
    check_map(small);
    cairn_map_free(small);
    cairn_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_load_can_be_stopped_at_any_call),
        cmocka_unit_test(long_loads_of_grids_tell_often_how_far_they_are),
        cmocka_unit_test(long_loads_of_graphs_tell_often_how_far_they_are),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
