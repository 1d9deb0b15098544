/* How much work a search in slices of time does between two readings of the clock: a slice of 50
 * microseconds ends at the first reading after that time, so it is late by no more than what lies
 * between two. On maps of every kind that is less than 6,000 basic blocks, which take about 10
 * microseconds, in all but one case of a thousand. */
#include "steps/count.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { SIDE = 384, QUERIES = 40, STEPS_MOST = 6000 };

/* The pieces of work between two readings, and between a call's ends and a reading. */
typedef struct pieces {
    uint64_t count;
    uint64_t large;
    uint64_t largest;
} pieces;

static void add_piece(pieces *all)
{
    const uint64_t steps = steps_taken();
    all->count++;
    all->large += steps > STEPS_MOST;
    all->largest = steps > all->largest ? steps : all->largest;
}

/* The library calls it where it reads the clock. */
static bool watch(void *context)
{
    add_piece(context);
    return false;
}

static void search_in_slices(cairn_search *search, dice *luck, const picture *drawn, pieces *all)
{
    cairn_path path;
    const cairn_node start = dice_open_cell(luck, drawn), goal = dice_open_cell(luck, drawn);
    const pieces before = *all;
    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    *all = before; /* a search begins before its first slice */
    while (path.outcome == CAIRN_PATH_PAUSED) {
        steps_taken();
        assert_int_equal(cairn_search_resume_for(search, 50, &path), CAIRN_OK);
        add_piece(all);
    }
}

static void search_map(map_kind kind, const cairn_build_options *build, pieces *all)
{
    picture drawn = random_map(kind, SIDE, SIDE, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = NULL;
    cairn_search *search;
    dice luck = {kind};
    const cairn_search_options options = {
        .size = sizeof options, .cancel = watch, .cancel_context = all};
    if (build)
        assert_int_equal(cairn_table_build(map, build, &table), CAIRN_OK);
    assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
    for (unsigned i = 0; i < QUERIES; i++)
        search_in_slices(search, &luck, &drawn, all);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void slices_end_within_a_few_thousand_steps(void **state)
{
    (void)state;
    static const map_kind kinds[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_CLUTTERED,
                                     MAP_CAVE,     MAP_ROOMS,  MAP_MAZE};
    const cairn_build_options builds[] = {
        {.size = sizeof *builds, .landmark_count = 16, .thread_count = 1},
        {.size = sizeof *builds,
         .landmark_count = 16,
         .thread_count = 1,
         .resident = CAIRN_RESIDENT_CORNERS}};
    pieces all = {0};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        search_map(kinds[i], NULL, &all);
        for (size_t k = 0; k < COUNT_OF(builds); k++)
            search_map(kinds[i], &builds[k], &all);
    }
    print_message("%llu pieces, %llu of more than %d steps; the largest has %llu\n",
                  (unsigned long long)all.count, (unsigned long long)all.large, STEPS_MOST,
                  (unsigned long long)all.largest);
    assert_true(all.count > 1000);
    assert_true(all.large * 1000 <= all.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_end_within_a_few_thousand_steps),
    };
    return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
