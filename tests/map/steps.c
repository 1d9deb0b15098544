/* The steps that a map tells, against the oracle's list of arcs. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/storm.h"

enum { SEEDS = 6, ROUNDS = 4, ROOM = 512 };

/* Ends of the oracle's arcs that leave a node, or that end in it: each end counts once. */
static uint32_t count_ends(const oracle_arcs *arcs, uint32_t node, bool forward)
{
    bool *seen = calloc(arcs->node_count, sizeof *seen);
    uint32_t count = 0;
    for (size_t i = 0; i < arcs->count; i++) {
        uint32_t here = forward ? arcs->list[i].from : arcs->list[i].to;
        uint32_t there = forward ? arcs->list[i].to : arcs->list[i].from;
        if (here != node || there == node || seen[there])
            continue;
        seen[there] = true;
        count++;
    }
    free(seen);
    return count;
}

static void assert_steps(const twin *both, cairn_node node)
{
    static cairn_arc steps[ROOM], back[ROOM];
    uint32_t count = cairn_steps(both->map, node, steps, ROOM);
    uint32_t back_count = cairn_steps_to(both->map, node, back, ROOM);
    assert_int_equal(count, count_ends(&both->arcs, node, true));
    assert_int_equal(back_count, count_ends(&both->arcs, node, false));
    if (cairn_map_kind_of(both->map) == CAIRN_MAP_GRID)
        assert_true(count <= CAIRN_STEPS_MAX && back_count <= CAIRN_STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(steps[i].from, node);
        assert_true(steps[i].cost == oracle_arc_between(&both->arcs, node, steps[i].to));
    }
    for (uint32_t i = 0; i < back_count; i++) {
        assert_int_equal(back[i].to, node);
        assert_true(back[i].cost == oracle_arc_between(&both->arcs, back[i].from, node));
    }
}

static void steps_are_those_of_the_oracle_after_every_edit(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            twin both = storm_twin(kind, seed);
            dice luck = {seed * STORM_KINDS + kind + 1};
            for (unsigned round = 0; round < ROUNDS; round++) {
                for (cairn_node node = 0; node < cairn_map_node_count(both.map); node++)
                    assert_steps(&both, node);
                storm_edit(&both, &luck);
            }
            twin_free(&both);
        }
    }
}

static void no_more_steps_are_written_than_there_is_room_for(void **state)
{
    (void)state;
    picture drawn = picture_filled(3, 3, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_arc steps[CAIRN_STEPS_MAX + 1], all[CAIRN_STEPS_MAX];
    assert_int_equal(cairn_steps(map, 4, NULL, 0), 8);
    assert_int_equal(cairn_steps(map, 4, all, CAIRN_STEPS_MAX), 8);
    memset(steps, 0xff, sizeof steps);
    assert_int_equal(cairn_steps(map, 4, steps, 3), 8);
    assert_memory_equal(steps, all, 3 * sizeof *steps);
    assert_int_equal(steps[3].cost, UINT32_MAX);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void nothing_leaves_what_is_no_open_node(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_arc steps[CAIRN_STEPS_MAX];
    assert_int_equal(cairn_steps(map, 2, steps, CAIRN_STEPS_MAX), 0);
    assert_int_equal(cairn_steps_to(map, 2, steps, CAIRN_STEPS_MAX), 0);
    assert_int_equal(cairn_steps(map, 3, steps, CAIRN_STEPS_MAX), 0);
    assert_int_equal(cairn_steps(map, CAIRN_NO_NODE, steps, CAIRN_STEPS_MAX), 0);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_oracle_after_every_edit),
        cmocka_unit_test(no_more_steps_are_written_than_there_is_room_for),
        cmocka_unit_test(nothing_leaves_what_is_no_open_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
