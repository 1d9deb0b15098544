/* Steps whose budget counts cells leave the same tables on every processor, and so searches find
 * the same paths between them, on every kind of map: what lockstep games and replays need. */
#include "table/corner_rows.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { ROUNDS = 60, ROWS = 6 };

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3) ^ hash >> 29;
}

/* What searches and the states of rows tell. */
static uint64_t told_by(const twin *both, const cairn_table *table, cairn_search *search,
                        dice *luck)
{
    uint64_t hash = cairn_map_hash(both->map);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
        hash = mixed(hash, cairn_table_row_state(table, both->map, row));
    for (unsigned i = 0; i < 4; i++) {
        cairn_node ends[2];
        cairn_path path;
        if (twin_draw_nodes(both, luck, ends, 2) < 2)
            continue;
        const cairn_status status = cairn_search_run(search, ends[0], ends[1], &path);
        hash = mixed(hash, (uint64_t)status);
        if (status != CAIRN_OK)
            continue;
        hash = mixed(hash, path.expanded);
        for (size_t k = 0; k < path.node_count; k++)
            hash = mixed(hash, path.nodes[k]);
        if (dice_below(luck, 8) == 0)
            hash = mixed(
                hash, (uint64_t)cairn_refresh_as_it_pays((cairn_table *)table, both->map, &path));
    }
    return hash;
}

/* Edits, steps and queries, of which all follow from the seed; what each round told. */
static void live(twin *both, cairn_resident resident, uint64_t seed, uint64_t *told)
{
    static const uint64_t cells[] = {0, 1, 1, 7, 40, 300};
    dice luck = {seed};
    cairn_search *search;
    cairn_table *table = table_built(
        both->map,
        (cairn_build_options){.landmark_count = ROWS, .thread_count = 1, .resident = resident});
    assert_int_equal(cairn_search_new(both->map, table, NULL, &search), CAIRN_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned steps = 1 + dice_below(&luck, 12);
        uint64_t hash = 0;
        if (dice_below(&luck, 3) == 0)
            storm_edit(both, &luck);
        for (unsigned i = 0; i < steps; i++) {
            const cairn_budget budget = CAIRN_CELLS(cells[dice_below(&luck, COUNT_OF(cells))]);
            hash = mixed(hash, (uint64_t)cairn_refresh_step(table, both->map, budget));
            hash = mixed(hash, cairn_table_version(table));
        }
        told[round] = mixed(hash, told_by(both, table, search, &luck));
    }
    cairn_search_free(search);
    cairn_table_free(table);
}

/* Twins of one seed are equal. */
static void check_alike(twin (*made)(uint64_t seed), uint64_t seed, cairn_resident resident)
{
    static const char *const vectors[] = {"off", "avx2", "avx512"};
    uint64_t told[COUNT_OF(vectors)][ROUNDS];
    for (size_t i = 0; i < COUNT_OF(vectors); i++) {
        setenv("CAIRN_SIMD", vectors[i], 1);
        twin both = made(seed);
        live(&both, resident, seed + 1, told[i]);
        twin_free(&both);
        assert_memory_equal(told[i], told[0], sizeof told[0]);
    }
    unsetenv("CAIRN_SIMD");
}

static twin small_one(uint64_t seed)
{
    return storm_twin((unsigned)(seed % STORM_KINDS), seed);
}

static twin large_one(uint64_t seed)
{
    static const cairn_metric metrics[] = {{2378, 3363}, {5, 7}};
    return twin_sized(seed, ORACLE_8, TERRAIN_UNIFORM, metrics[seed % 2], 90, 80);
}

static bool may_be_at_corners(twin (*made)(uint64_t seed), uint64_t seed)
{
    twin both = made(seed);
    const bool may_be = cn_corner_rows_suit(both.map);
    twin_free(&both);
    return may_be;
}

static void check_residents(twin (*made)(uint64_t seed), uint64_t seed)
{
    check_alike(made, seed, CAIRN_RESIDENT_CELLS);
    if (may_be_at_corners(made, seed))
        check_alike(made, seed, CAIRN_RESIDENT_CORNERS);
}

static void steps_that_count_cells_are_alike_on_every_kind_of_map(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(3 * STORM_KINDS); seed = seed_after(seed))
        check_residents(small_one, seed);
}

static void steps_that_count_cells_are_alike_on_larger_maps(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(2 * MAP_KINDS); seed = seed_after(seed))
        check_residents(large_one, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_count_cells_are_alike_on_every_kind_of_map),
        cmocka_unit_test(steps_that_count_cells_are_alike_on_larger_maps),
    };
    return cmocka_run_group_tests_name("alike", tests, NULL, NULL);
}
