/* Readers search while a writer edits and repairs: two versions of map and table, of which one is
 * published. Run under the thread sanitizer as well. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "support/check.h"
#include "support/fixtures.h"

enum { READERS = 3, ROUNDS = 40, QUERIES = 400 };

typedef struct version {
    cairn_map *map;
    cairn_table *table;
    atomic_int readers;
} version;

typedef struct shared {
    version versions[2];
    atomic_int current;
    atomic_bool done;
    atomic_uint wrong;
} shared;

/* Counts itself in; looks again in case the version was given up just before. */
static int enter(shared *both)
{
    for (;;) {
        int number = atomic_load(&both->current);
        atomic_fetch_add(&both->versions[number].readers, 1);
        if (atomic_load(&both->current) == number)
            return number;
        atomic_fetch_sub(&both->versions[number].readers, 1);
    }
}

static void leave(shared *both, int number)
{
    atomic_fetch_sub(&both->versions[number].readers, 1);
}

/* The landmarks and plain distance must agree, on whatever version the reader found. */
static bool query_is_right(cairn_search *with, cairn_search *without, cairn_node start,
                           cairn_node goal)
{
    cairn_path a, b;
    return cairn_search_run(with, start, goal, &a) == CAIRN_OK &&
           cairn_search_run(without, start, goal, &b) == CAIRN_OK && a.cost == b.cost &&
           a.outcome == b.outcome;
}

/* Searches are made before anyone edits: making one reads the map. */
typedef struct reader {
    shared *both;
    cairn_search *with[2];
    cairn_search *without[2];
    pthread_t thread;
} reader;

static void open_reader(reader *made, shared *both)
{
    made->both = both;
    for (int i = 0; i < 2; i++) {
        const version *of = &both->versions[i];
        assert_int_equal(cairn_search_new(of->map, of->table, NULL, &made->with[i]), CAIRN_OK);
        assert_int_equal(cairn_search_new(of->map, NULL, NULL, &made->without[i]), CAIRN_OK);
    }
}

static void close_reader(reader *made)
{
    for (int i = 0; i < 2; i++) {
        cairn_search_free(made->with[i]);
        cairn_search_free(made->without[i]);
    }
}

static void *read_along(void *self_)
{
    reader *self = self_;
    shared *both = self->both;
    dice luck = {99};
    for (int query = 0; query < QUERIES || !atomic_load(&both->done); query++) {
        int number = enter(both);
        uint32_t count = cairn_map_node_count(both->versions[number].map);
        if (!query_is_right(self->with[number], self->without[number], dice_below(&luck, count),
                            dice_below(&luck, count)))
            atomic_fetch_add(&both->wrong, 1);
        leave(both, number);
    }
    return NULL;
}

static void bring_up_to_date(version *of, const cairn_edit *edits, size_t count)
{
    assert_int_equal(cairn_map_edit(of->map, edits, count), CAIRN_OK);
    cairn_status status = CAIRN_MORE;
    while (status == CAIRN_MORE)
        status = cairn_refresh_step(of->table, of->map, CAIRN_CELLS(500));
    assert_int_equal(status, CAIRN_OK);
}

static void write_along(shared *both, dice *luck)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t x = dice_below(luck, 50), y = dice_below(luck, 30);
        cairn_edit edits[] = {cairn_rectangle(x, y, 6, 4, '@'),
                              cairn_rectangle(60 - x, 35 - y, 3, 3, '.')};
        int number = atomic_load(&both->current);
        version *spare = &both->versions[!number], *old = &both->versions[number];

        bring_up_to_date(spare, edits, COUNT_OF(edits));
        atomic_store(&both->current, !number);
        while (atomic_load(&old->readers) > 0)
            sched_yield();
        bring_up_to_date(old, edits, COUNT_OF(edits));
    }
    atomic_store(&both->done, true);
}

static void readers_search_while_a_writer_repairs(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 64, 40, 5);
    shared both = {0};
    reader readers[READERS];
    dice luck = {11};

    both.versions[0].map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    both.versions[0].table = table_of(both.versions[0].map, 4);
    assert_int_equal(cairn_map_clone(both.versions[0].map, &both.versions[1].map), CAIRN_OK);
    assert_int_equal(cairn_table_clone(both.versions[0].table, &both.versions[1].table),
                     CAIRN_OK);
    for (int i = 0; i < READERS; i++)
        open_reader(&readers[i], &both);
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i].thread, NULL, read_along, &readers[i]), 0);
    write_along(&both, &luck);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        close_reader(&readers[i]);
    }

    assert_int_equal(atomic_load(&both.wrong), 0);
    assert_true(cairn_map_hash(both.versions[0].map) == cairn_map_hash(both.versions[1].map));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cairn_table_verify(both.versions[i].table, both.versions[i].map, 1, NULL),
                         CAIRN_OK);
        cairn_table_free(both.versions[i].table);
        cairn_map_free(both.versions[i].map);
    }
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_search_while_a_writer_repairs),
    };
    return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
