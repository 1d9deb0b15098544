/* Gates go with their map: tables that many short-lived copies of a map have searched with keep
 * nothing of them, whichever of maps and table is freed first, and while other threads search. */
#include <pthread.h>
#include <stdatomic.h>

#include "table/corner_rows.h"
#include "table/table.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { GRIDS = 2, GRAPHS = 30, STEPS = 16, COPIES = 5, ROWS = 5 };

static cairn_table *behind_table(const twin *both, dice *luck)
{
    const bool at_corners = cn_corner_rows_suit(both->map) && dice_below(luck, 2);
    const bool counts_steps = !at_corners && dice_below(luck, 3) == 0;
    return table_built(both->map,
                       (cairn_build_options){
                           .landmark_count = ROWS,
                           .thread_count = 1,
                           .step_metric = !counts_steps         ? (cairn_metric){0, 0}
                                          : both->drawn.letters ? (cairn_metric){5, 7}
                                                                : (cairn_metric){1, 1},
                           .resident = at_corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS});
}

/* A copy of a map after an edit that the table lacks, with which paths were found. */
static cairn_map *searched_copy(twin *both, const cairn_table *table, dice *luck)
{
    twin copy = *both;
    assert_int_equal(cairn_map_clone(both->map, &copy.map), CAIRN_OK);
    const cairn_edit edit = twin_edit(both, luck);
    const cairn_status status = cairn_map_edit(copy.map, &edit, 1);
    assert_true(status == CAIRN_OK || !both->drawn.letters); /* a graph may have no arc */
    copy.arcs = both->arcs;
    assert_search(&copy, table, luck);
    return copy.map;
}

static void use_copies(twin *both, cairn_table *table, dice *luck)
{
    cairn_map *copies[COPIES] = {NULL};
    const bool tables_go_first = dice_below(luck, 4) == 0;

    for (unsigned step = 0; step < STEPS; step++) {
        cairn_map **place = &copies[dice_below(luck, COPIES)];
        cairn_map_free(*place);
        *place = searched_copy(both, table, luck);
        if (dice_below(luck, 6) == 0)
            assert_int_equal(cairn_table_rebuild(table, copies[0] ? copies[0] : *place), CAIRN_OK);
    }
    if (tables_go_first)
        cairn_table_free(table);
    for (unsigned i = 0; i < COPIES; i++)
        cairn_map_free(copies[i]);
    if (tables_go_first)
        return;
    assert_null(table->shelf.first);
    assert_int_equal(table->shelf.memory, 0);
    cairn_table_free(table);
}

static void check_copies(twin *both, uint64_t seed)
{
    dice luck = {seed};
    use_copies(both, behind_table(both, &luck), &luck);
    twin_free(both);
}

static void check_copies_of_grid(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    twin both = twin_of(seed, rule, kind, (cairn_metric){5, 7});
    check_copies(&both, seed);
}

static void gates_go_with_copies_of_every_kind(void **state)
{
    (void)state;
    for_every_kind(GRIDS, check_copies_of_grid);
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed)) {
        twin both = twin_any_graph(seed);
        check_copies(&both, seed);
    }
}

/* --------------------------------------------------------------------------------- threads -- */

enum { THREADS = 3, ROUNDS = 30, LEFT = 4 };

typedef struct copier {
    const cairn_map *map;
    const cairn_table *table;
    dice luck;
    atomic_uint wrong;
    cairn_map *left[LEFT]; /* copies that outlive the thread */
    pthread_t thread;
} copier;

static cairn_cost cost_on(const cairn_map *map, const cairn_table *table, cairn_node start,
                          cairn_node goal)
{
    cairn_search *search;
    cairn_path path;
    cairn_status status = cairn_search_new(map, table, NULL, &search);
    if (status != CAIRN_OK)
        return 0;
    status = cairn_search_run(search, start, goal, &path);
    cairn_search_free(search);
    return status == CAIRN_OK ? path.cost : 0;
}

static void search_copy(copier *self, unsigned round)
{
    const uint32_t width = cairn_map_width(self->map), count = width * cairn_map_height(self->map);
    const cairn_node start = dice_below(&self->luck, count), goal = dice_below(&self->luck, count);
    cairn_map **place = &self->left[round % LEFT], *copy;
    cairn_edit edits[3];

    for (unsigned i = 0; i < 3; i++)
        edits[i] = cairn_open(dice_below(&self->luck, width),
                              dice_below(&self->luck, cairn_map_height(self->map)));
    if (cairn_map_clone(self->map, &copy) != CAIRN_OK ||
        cairn_map_edit(copy, edits, 3) != CAIRN_OK) {
        self->wrong++;
        return;
    }
    self->wrong += cost_on(copy, self->table, start, goal) != cost_on(copy, NULL, start, goal);
    cairn_map_free(*place);
    *place = copy;
}

static void *search_copies(void *context)
{
    copier *self = context;
    for (unsigned round = 0; round < ROUNDS; round++)
        search_copy(self, round);
    return NULL;
}

static void *free_copies(void *context)
{
    copier *self = context;
    for (unsigned i = 0; i < LEFT; i++)
        cairn_map_free(self->left[i]);
    return NULL;
}

static void run_all(copier *copiers, void *(*work)(void *), void (*meanwhile)(cairn_table *),
                    cairn_table *table)
{
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&copiers[i].thread, NULL, work, &copiers[i]), 0);
    if (meanwhile)
        meanwhile(table);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(copiers[i].thread, NULL), 0);
}

/* Maps are freed while others are searched, and in the end beside the table. */
static void run_copiers(uint64_t seed, cairn_resident resident)
{
    failing_allocator memory;
    failing_allocator_init(&memory);
    picture drawn = random_map(MAP_ROOMS, 40, 30, seed);
    cairn_map *map = map_with(&drawn, (cairn_metric){5, 7}, &memory.allocator);
    const cairn_build_options options = {
        .size = sizeof options, .landmark_count = ROWS, .thread_count = 1, .resident = resident};
    copier copiers[THREADS] = {{.map = NULL}};
    cairn_table *table;

    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        copiers[i].map = map;
        copiers[i].table = table;
        copiers[i].luck = (dice){seed * THREADS + i + 1};
    }
    run_all(copiers, search_copies, NULL, NULL);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(copiers[i].wrong, 0);
    run_all(copiers, free_copies, cairn_table_free, table);
    cairn_map_free(map);
    picture_free(&drawn);
    assert_int_equal(memory.outstanding, 0);
}

static void copies_go_while_others_are_searched(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(20); seed = seed_after(seed))
        run_copiers(seed, seed % 2 ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_go_with_copies_of_every_kind),
        cmocka_unit_test(copies_go_while_others_are_searched),
    };
    return cmocka_run_group_tests_name("gate_shelf", tests, NULL, NULL);
}
