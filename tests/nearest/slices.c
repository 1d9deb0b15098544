/* Runs to and from the nearest of many nodes in slices, beside the same runs in one go. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/many_ends.h"
#include "support/seeds.h"
#include "support/storm.h"
#include "support/weak_maps.h"

#include "search/search.h"

typedef struct tally {
    unsigned found, none, paused, joined, balls;
} tally;

static cairn_node open_node(const cairn_map *map, dice *luck)
{
    cairn_node node = dice_below(luck, cairn_map_node_count(map));
    for (unsigned tries = 0; !cairn_map_is_open(map, node) && tries < 20; tries++)
        node = dice_below(luck, cairn_map_node_count(map));
    return node;
}

static many_ends draw_question(const cairn_map *map, dice *luck)
{
    many_ends asked = {.count = 1 + dice_below(luck, MANY_ENDS_MOST),
                       .are_starts = dice_below(luck, 2)};
    asked.other = open_node(map, luck);
    for (size_t i = 0; i < asked.count; i++)
        asked.nodes[i] = dice_below(luck, cairn_map_node_count(map));
    return asked;
}

static uint64_t in_ball(const cairn_search *search)
{
    return search->ball.scratch.expanded;
}

/* A slice expands no more than it may, in searches and ball together; what is told of it grows. */
static cairn_status take_slice(cairn_search *search, dice *luck, cairn_path *path)
{
    const cairn_path before = *path;
    const uint64_t ball_before = in_ball(search);
    if (dice_below(luck, 5) == 0)
        return cairn_search_resume_for(search, dice_below(luck, 3), path);
    const uint64_t most = dice_below(luck, dice_below(luck, 2) ? 4 : 300);
    const cairn_status status = cairn_search_resume(search, most, path);
    if (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED) {
        const uint64_t balls = in_ball(search) >= ball_before ? in_ball(search) - ball_before
                                                              : in_ball(search);
        assert_true(path->expanded >= before.expanded && path->generated >= before.generated);
        assert_true(path->expanded - before.expanded + balls <= most);
    }
    return status;
}

static void ask_in_slices(cairn_search *search, const many_ends *asked, dice *luck, tally *sum,
                          cairn_path *path)
{
    assert_int_equal(many_ends_begin(asked, search, path), CAIRN_OK);
    while (path->outcome == CAIRN_PATH_PAUSED) {
        assert_int_equal(path->cost, CAIRN_UNREACHABLE);
        assert_int_equal(path->node_count + path->corner_count, 0);
        sum->paused++;
        assert_int_equal(take_slice(search, luck, path), CAIRN_OK);
    }
    cairn_path after;
    assert_int_equal(cairn_search_resume(search, 1, &after), CAIRN_E_ARGUMENT);
}

static void assert_same(const cairn_path *path, const cairn_path *whole)
{
    assert_int_equal(path->outcome, whole->outcome);
    assert_int_equal(path->cost, whole->cost);
    assert_int_equal(path->which, whole->which);
    assert_int_equal(path->expanded, whole->expanded);
    assert_int_equal(path->generated, whole->generated);
    assert_int_equal(path->open_peak, whole->open_peak);
    assert_int_equal(path->reopened, whole->reopened);
    assert_int_equal(path->guarantee, whole->guarantee);
    assert_int_equal(path->row_count, whole->row_count);
    assert_int_equal(path->state, whole->state);
    assert_int_equal(path->corner_count, whole->corner_count);
    for (size_t i = 0; i < path->corner_count; i++)
        assert_int_equal(path->corners[i], whole->corners[i]);
}

/* Two searches that are asked the same: one in one go, one in slices. */
static void ask(cairn_search *whole, cairn_search *sliced, dice *luck, tally *sum)
{
    const many_ends asked = draw_question(whole->map, luck);
    cairn_path path, expected;

    sliced->members.chosen.count = 0;
    sliced->ball.scratch.expanded = 0;
    assert_int_equal(many_ends_run(&asked, whole, &expected), CAIRN_OK);
    ask_in_slices(sliced, &asked, luck, sum, &path);
    assert_same(&path, &expected);
    sum->found += path.outcome == CAIRN_PATH_FOUND;
    sum->none += path.outcome != CAIRN_PATH_FOUND;
    sum->joined += sliced->members.chosen.count > 0;
    sum->balls += in_ball(sliced) > 0;
}

static const cairn_search_options CONFIGURATIONS[] = {
    {.size = sizeof *CONFIGURATIONS},
    {.size = sizeof *CONFIGURATIONS, .space = CAIRN_SPACE_CELLS},
    {.size = sizeof *CONFIGURATIONS, .form = CAIRN_FORM_CORNERS, .nearest = true},
    {.size = sizeof *CONFIGURATIONS, .ties = CAIRN_TIES_LARGER_G},
    {.size = sizeof *CONFIGURATIONS, .weight = 1500},
};

static void live(twin *both, dice *luck, tally *sum)
{
    enum { ROUNDS = 3, QUESTIONS = 3 };
    cairn_table *table = storm_table(both->map, luck, both->drawn.letters != NULL);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t how = 0; how < COUNT_OF(CONFIGURATIONS); how++) {
            cairn_search *whole, *sliced;
            assert_int_equal(cairn_search_new(both->map, table, &CONFIGURATIONS[how], &whole),
                             CAIRN_OK);
            assert_int_equal(cairn_search_new(both->map, table, &CONFIGURATIONS[how], &sliced),
                             CAIRN_OK);
            for (unsigned i = 0; i < QUESTIONS; i++)
                ask(whole, sliced, luck, sum);
            cairn_search_free(whole);
            cairn_search_free(sliced);
        }
        storm_edit(both, luck);
    }
    cairn_table_free(table);
}

static void slices_find_what_one_run_finds_on_maps_of_every_kind(void **state)
{
    enum { MAPS = 6 * STORM_KINDS };
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed * 3571 + 5};
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        live(&both, &luck, &sum);
        twin_free(&both);
    }
    print_message("found %u, none %u, pauses %u, jointly %u, beside a ball %u\n", sum.found,
                  sum.none, sum.paused, sum.joined, sum.balls);
    assert_true(sum.found > 50 && sum.none > 5 && sum.paused > 500 && sum.joined > 5 &&
                sum.balls > 5);
}

/* There the ball decides, or a flood. */
static void slices_find_what_one_run_finds_where_bounds_are_weak(void **state)
{
    enum { QUESTIONS = 12 };
    (void)state;
    tally sum = {0};
    for (size_t kind = 0; kind < WEAK_KINDS; kind++) {
        cairn_map *map = WEAK_MAPS[kind](kind + 1);
        for (size_t how = 0; how < COUNT_OF(CONFIGURATIONS); how++) {
            cairn_search *whole, *sliced;
            dice luck = {kind * 31 + how};
            assert_int_equal(cairn_search_new(map, NULL, &CONFIGURATIONS[how], &whole), CAIRN_OK);
            assert_int_equal(cairn_search_new(map, NULL, &CONFIGURATIONS[how], &sliced), CAIRN_OK);
            for (unsigned i = 0; i < QUESTIONS; i++)
                ask(whole, sliced, &luck, &sum);
            cairn_search_free(whole);
            cairn_search_free(sliced);
        }
        cairn_map_free(map);
    }
    assert_true(sum.balls > 50 && sum.paused > 5000);
}

/* ------------------------------------------------------------------------- what ends a pause -- */

enum { SIDE = 60 };

/* A question that has been begun in a cave and is paused. */
typedef struct paused {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    many_ends asked;
    cairn_path path;
} paused;

static paused begin_paused(const cairn_search_options *options, cairn_resident resident)
{
    picture drawn = random_map(MAP_CAVE, SIDE, SIDE, 5);
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 2, .resident = resident};
    paused here = {.map = map_of(&drawn, CAIRN_METRIC_OCTILE)};
    dice luck = {11};

    picture_free(&drawn);
    assert_int_equal(cairn_table_build(here.map, &build, &here.table), CAIRN_OK);
    assert_int_equal(cairn_search_new(here.map, here.table, options, &here.search), CAIRN_OK);
    do {
        here.asked = draw_question(here.map, &luck);
        assert_int_equal(many_ends_begin(&here.asked, here.search, &here.path), CAIRN_OK);
    } while (here.path.outcome != CAIRN_PATH_PAUSED);
    return here;
}

static void end_paused(paused *here)
{
    cairn_search_free(here->search);
    cairn_table_free(here->table);
    cairn_map_free(here->map);
}

static void assert_cannot_go_on(paused *here, cairn_status expected)
{
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(cairn_search_resume(here->search, 5, &here->path), expected);
        assert_int_equal(here->path.outcome, CAIRN_PATH_NONE);
    }
}

/* It is the one of the list as it was in the call that began, whatever becomes of that. */
static void assert_goes_on(paused *here)
{
    cairn_search *plain;
    cairn_path expected;

    assert_int_equal(cairn_search_new(here->map, NULL, NULL, &plain), CAIRN_OK);
    assert_int_equal(many_ends_run(&here->asked, plain, &expected), CAIRN_OK);
    assert_int_equal(cairn_search_resume(here->search, UINT64_MAX, &here->path), CAIRN_OK);
    assert_int_equal(here->path.outcome, expected.outcome);
    assert_int_equal(here->path.cost, expected.cost);
    cairn_search_free(plain);
}

static cairn_edit edit_somewhere(const cairn_map *map)
{
    cairn_node node = 0;
    while (!cairn_map_is_open(map, node))
        node++;
    return cairn_block(node % SIDE, node / SIDE);
}

static void an_edit_a_list_or_another_run_ends_a_pause(void **state)
{
    (void)state;
    const cairn_node node = 3;
    cairn_path other;

    paused here = begin_paused(NULL, CAIRN_RESIDENT_CELLS);
    const cairn_edit edit = edit_somewhere(here.map);
    assert_int_equal(cairn_map_edit(here.map, &edit, 1), CAIRN_OK);
    assert_cannot_go_on(&here, CAIRN_E_CHANGED);
    end_paused(&here);

    here = begin_paused(NULL, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_avoid(here.search, &node, NULL, 1), CAIRN_OK);
    assert_cannot_go_on(&here, CAIRN_E_CHANGED);
    end_paused(&here);

    here = begin_paused(NULL, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_use(here.search, here.map, NULL), CAIRN_OK);
    assert_cannot_go_on(&here, CAIRN_E_CHANGED);
    end_paused(&here);

    here = begin_paused(NULL, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_run(here.search, here.asked.other, here.asked.other, &other),
                     CAIRN_OK);
    assert_cannot_go_on(&here, CAIRN_E_ARGUMENT);
    end_paused(&here);
}

static void calls_that_are_refused_leave_a_pause(void **state)
{
    (void)state;
    const cairn_node beyond[] = {1, SIDE * SIDE};
    cairn_path other;

    paused here = begin_paused(NULL, CAIRN_RESIDENT_CELLS);
    assert_int_equal(cairn_search_run_to_any(here.search, 0, beyond, 2, &other), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_begin_to_any(here.search, 0, beyond, 2, &other),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_begin_from_any(here.search, beyond, 0, 0, &other),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_begin_from_any(here.search, NULL, 1, 0, &other),
                     CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_begin(here.search, 0, SIDE * SIDE, &other), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_search_begin_to_any(NULL, 0, beyond, 1, &other), CAIRN_E_ARGUMENT);
    assert_goes_on(&here);
    end_paused(&here);
}

/* Rows at every cell change beside it; those at corners end it. */
static void a_refresh_ends_a_pause_of_rows_at_corners_alone(void **state)
{
    (void)state;
    for (unsigned by_corners = 0; by_corners < 2; by_corners++) {
        paused here = begin_paused(NULL,
                                   by_corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS);
        const cairn_edit edit = edit_somewhere(here.map);
        assert_int_equal(cairn_map_edit(here.map, &edit, 1), CAIRN_OK);
        assert_int_equal(many_ends_begin(&here.asked, here.search, &here.path), CAIRN_OK);
        assert_int_equal(here.path.outcome, CAIRN_PATH_PAUSED);
        assert_int_equal(cairn_table_rebuild(here.table, here.map), CAIRN_OK);
        if (by_corners)
            assert_cannot_go_on(&here, CAIRN_E_CHANGED);
        else
            assert_goes_on(&here);
        end_paused(&here);
    }
}

static void a_limit_of_expansions_pauses_a_run(void **state)
{
    (void)state;
    const cairn_search_options limited = {.size = sizeof limited, .expansion_limit = 2};
    paused here = begin_paused(&limited, CAIRN_RESIDENT_CELLS);
    assert_int_equal(many_ends_run(&here.asked, here.search, &here.path), CAIRN_OK);
    assert_int_equal(here.path.outcome, CAIRN_PATH_PAUSED);
    assert_int_equal(here.path.expanded, 2);
    assert_goes_on(&here);
    end_paused(&here);
}

/* In any slice; then no search is paused. */
static void every_allocation_of_a_slice_may_fail(void **state)
{
    (void)state;
    cairn_map *map = WEAK_MAPS[0](3);
    bool was_struck = true;

    for (size_t n = 1; was_struck; n++) {
        failing_allocator failing;
        cairn_search *search;
        cairn_path path;
        dice luck = {5};
        const many_ends asked = draw_question(map, &luck);

        failing_allocator_init(&failing);
        const cairn_search_options options = {.size = sizeof options,
                                              .allocator = &failing.allocator};
        assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
        failing_allocator_arm(&failing, n);
        cairn_status status = many_ends_begin(&asked, search, &path);
        while (status == CAIRN_OK && path.outcome == CAIRN_PATH_PAUSED)
            status = cairn_search_resume(search, 50, &path);
        was_struck = failing_allocator_struck(&failing);
        assert_int_equal(status, was_struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(cairn_search_resume(search, 1, &path), CAIRN_E_ARGUMENT);
        assert_int_equal(cairn_search_memory(search), atomic_load(&failing.held));
        cairn_search_free(search);
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    cairn_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_find_what_one_run_finds_on_maps_of_every_kind),
        cmocka_unit_test(slices_find_what_one_run_finds_where_bounds_are_weak),
        cmocka_unit_test(an_edit_a_list_or_another_run_ends_a_pause),
        cmocka_unit_test(calls_that_are_refused_leave_a_pause),
        cmocka_unit_test(a_refresh_ends_a_pause_of_rows_at_corners_alone),
        cmocka_unit_test(a_limit_of_expansions_pauses_a_run),
        cmocka_unit_test(every_allocation_of_a_slice_may_fail),
    };
    return cmocka_run_group_tests_name("nearest/slices", tests, NULL, NULL);
}
