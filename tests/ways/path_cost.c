/* What paths cost after edits of their map, against the oracle's arcs: by cells and by corners, on
 * maps of every kind. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

#include "cairn/cairn.h"

enum { MAPS = 6 * STORM_KINDS, EDITS = 8, QUERIES = 6, CELLS_MOST = 4096 };

typedef struct tally {
    unsigned kept, dearer, broken;
} tally;

/* A path of the map as it was. */
typedef struct kept {
    cairn_node cells[CELLS_MOST], corners[CELLS_MOST];
    size_t cell_count, corner_count;
    cairn_cost cost;
} kept;

/* The index of the first node that the ones before it do not lead to. */
static size_t first_unreached(const twin *both, const cairn_node *nodes, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (oracle_arc_path(&both->arcs, nodes + i - 1, 2) == ORACLE_NEVER)
            return i;
    }
    return count;
}

static void assert_cost(const twin *both, const kept *path, tally *sum)
{
    const uint64_t now = oracle_arc_path(&both->arcs, path->cells, path->cell_count);
    const bool starts = twin_is_open(both, path->cells[0]);
    const bool leads = starts && now != ORACLE_NEVER;
    cairn_cost cost, by_corners;
    size_t broken, corner;

    assert_int_equal(cairn_path_cost(both->map, path->cells, path->cell_count, &cost, &broken),
                     CAIRN_OK);
    assert_int_equal(cost, leads ? now : CAIRN_UNREACHABLE);
    assert_int_equal(broken, starts ? first_unreached(both, path->cells, path->cell_count) : 0);
    assert_int_equal(
        cairn_path_cost(both->map, path->corners, path->corner_count, &by_corners, &corner),
        CAIRN_OK);
    assert_int_equal(by_corners, cost);
    assert_int_equal(corner == path->corner_count, leads);
    sum->kept += leads && cost == path->cost;
    sum->dearer += leads && cost > path->cost;
    sum->broken += !leads;
}

static bool find(const twin *both, cairn_search *search, dice *luck, kept *path)
{
    const uint32_t node_count = both->arcs.node_count;
    cairn_path found;
    assert_int_equal(cairn_search_run(search, dice_below(luck, node_count),
                                      dice_below(luck, node_count), &found),
                     CAIRN_OK);
    if (found.outcome != CAIRN_PATH_FOUND || found.node_count > CELLS_MOST)
        return false;
    path->cell_count = found.node_count;
    path->corner_count = found.corner_count;
    path->cost = found.cost;
    for (size_t i = 0; i < found.node_count; i++)
        path->cells[i] = found.nodes[i];
    for (size_t i = 0; i < found.corner_count; i++)
        path->corners[i] = found.corners[i];
    return true;
}

static void live(twin *both, dice *luck, tally *sum)
{
    for (unsigned query = 0; query < QUERIES; query++) {
        cairn_search *search;
        static kept path;
        assert_int_equal(cairn_search_new(both->map, NULL, NULL, &search), CAIRN_OK);
        if (find(both, search, luck, &path)) {
            assert_cost(both, &path, sum);
            for (unsigned edit = 0; edit < EDITS; edit++) {
                storm_edit(both, luck);
                assert_cost(both, &path, sum);
            }
        }
        cairn_search_free(search);
    }
}

static void paths_cost_what_their_steps_do_after_edits(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed * 7877 + 1};
        twin both = storm_twin((unsigned)(seed % STORM_KINDS), seed);
        live(&both, &luck, &sum);
        twin_free(&both);
    }
    print_message("as before %u, dearer %u, broken %u\n", sum.kept, sum.dearer, sum.broken);
    assert_true(sum.kept > 50 && sum.dearer > 10 && sum.broken > 50);
}

/* By the steps of each node; *broken as cairn_path_cost has it. */
static uint64_t cost_by_steps(const cairn_map *map, const kept *path, size_t *broken)
{
    cairn_arc steps[CAIRN_STEPS_MAX];
    uint64_t sum = 0;
    for (*broken = 1; *broken < path->cell_count; ++*broken) {
        const uint32_t count = cairn_steps(map, path->cells[*broken - 1], steps, CAIRN_STEPS_MAX);
        uint32_t i = 0;
        while (i < count && steps[i].to != path->cells[*broken])
            i++;
        if (i == count)
            return ORACLE_NEVER;
        sum += steps[i].cost;
    }
    return sum;
}

/* A path of units of 2 x 2 cells, while cells of the map below open and close. */
static void play_units(cairn_map *cells, cairn_map *units, dice *luck, tally *sum)
{
    enum { ROUNDS = 60, SIDE = 40 };
    static kept path;
    cairn_search *search;
    cairn_path found;

    assert_int_equal(cairn_search_new(units, NULL, NULL, &search), CAIRN_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        assert_int_equal(cairn_search_run(search, dice_below(luck, SIDE * SIDE),
                                          dice_below(luck, SIDE * SIDE), &found),
                         CAIRN_OK);
        path.cell_count = found.node_count;
        for (size_t i = 0; i < found.node_count; i++)
            path.cells[i] = found.nodes[i];
        const uint32_t at = found.node_count
                                ? found.nodes[dice_below(luck, (uint32_t)found.node_count)]
                                : dice_below(luck, SIDE * SIDE);
        const cairn_edit edit = dice_below(luck, 2) ? cairn_open(at % SIDE, at / SIDE)
                                                    : cairn_block(at % SIDE, at / SIDE);
        assert_int_equal(cairn_map_edit(cells, &edit, 1), CAIRN_OK);
        cairn_cost cost;
        size_t broken, expected;
        assert_int_equal(cairn_path_cost(units, path.cells, path.cell_count, &cost, &broken),
                         CAIRN_OK);
        if (path.cell_count < 2 || !cairn_map_is_open(units, path.cells[0]))
            continue;
        const uint64_t now = cost_by_steps(units, &path, &expected);
        assert_int_equal(cost, now == ORACLE_NEVER ? CAIRN_UNREACHABLE : now);
        assert_int_equal(broken, expected);
        sum->kept += now != ORACLE_NEVER;
        sum->broken += now == ORACLE_NEVER;
    }
    cairn_search_free(search);
}

static void paths_of_units_follow_the_cells_below(void **state)
{
    enum { MAPS_OF_UNITS = 20, SIDE = 40 };
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < MAPS_OF_UNITS; seed++) {
        picture drawn = random_map(MAP_SPARSE, SIDE, SIDE, seed);
        cairn_map *cells = map_of(&drawn, CAIRN_METRIC_OCTILE), *units;
        dice luck = {seed + 3};
        assert_int_equal(cairn_map_for_units(cells, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
        play_units(cells, units, &luck, &sum);
        cairn_map_free(units);
        cairn_map_free(cells);
        picture_free(&drawn);
    }
    print_message("as before %u, broken %u\n", sum.kept, sum.broken);
    assert_true(sum.kept > 50 && sum.broken > 5);
}

static void lists_that_are_no_paths_are_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", ".@..", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node knight[] = {0, 6}, beyond[] = {0, 12}, blocked[] = {5, 6}, same[] = {4, 4, 8};
    const cairn_node through[] = {4, 7, 12};
    cairn_cost cost;
    size_t broken;

    assert_int_equal(cairn_path_cost(map, knight, 2, &cost, &broken), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_path_cost(map, beyond, 2, &cost, &broken), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_path_cost(map, through, 3, &cost, &broken), CAIRN_E_ARGUMENT);
    assert_int_equal(cost, CAIRN_UNREACHABLE);
    assert_int_equal(cairn_path_cost(map, through, 2, &cost, &broken), CAIRN_OK);
    assert_true(cost == CAIRN_UNREACHABLE && broken == 1);
    assert_int_equal(cairn_path_cost(map, blocked, 2, &cost, &broken), CAIRN_OK);
    assert_true(cost == CAIRN_UNREACHABLE && broken == 0);
    assert_int_equal(cairn_path_cost(map, same, 3, &cost, NULL), CAIRN_OK);
    assert_int_equal(cost, CAIRN_METRIC_OCTILE.straight);
    assert_int_equal(cairn_path_cost(map, NULL, 0, &cost, &broken), CAIRN_OK);
    assert_true(cost == 0 && broken == 0);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Costs that exceed 32 bits on the way are no sign of a broken path. */
static void paths_that_became_too_dear_are_over_the_limit(void **state)
{
    enum { LENGTH = 3000 };
    (void)state;
    picture drawn = picture_filled(LENGTH, 1, '.');
    cairn_map *map = map_of(&drawn, (cairn_metric){1000000, 1400000});
    const cairn_node ends[] = {0, LENGTH - 1}, near[] = {0, 1000};
    cairn_cost cost;

    assert_int_equal(cairn_path_cost(map, ends, 2, &cost, NULL), CAIRN_E_LIMIT);
    assert_int_equal(cost, CAIRN_UNREACHABLE);
    assert_int_equal(cairn_path_cost(map, near, 2, &cost, NULL), CAIRN_OK);
    assert_int_equal(cost, 1000000000);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_cost_what_their_steps_do_after_edits),
        cmocka_unit_test(paths_of_units_follow_the_cells_below),
        cmocka_unit_test(lists_that_are_no_paths_are_refused),
        cmocka_unit_test(paths_that_became_too_dear_are_over_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
