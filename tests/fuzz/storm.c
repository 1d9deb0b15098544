/* storm EDITS QUERIES [SEED [STRIDE]]: lets maps live until so many edits were made and so many
 * queries asked, beginning with SEED and going on by STRIDE, so that several processes can share
 * the work. Ends with 0 and a line of counts, or with the seed of the map at fault. */
#include "storm.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/fixtures.h"

enum { REPORT_MAPS = 2000 };

static uint64_t current_seed, seed_stride, wanted_edits, wanted_queries;

static void live(uint64_t seed, storm_counts *counts)
{
    storm_scene here = {.luck = {seed * 0x9e3779b97f4a7c15u + 77}, .counts = counts};
    for (int i = 0; i < 8; i++)
        dice_below(&here.luck, 2);

    const unsigned rounds = storm_any_twin(&here, seed);
    counts->maps++;
    counts->dense += here.is_dense;
    if (dice_below(&here.luck, 4))
        storm_live_on_a_map(&here, rounds);
    else
        storm_live_in_a_world(&here, rounds);
    twin_free(&here.both);
}

/* ----------------------------------------------------------------------------- what both use -- */

bool storm_has_corners(const twin *both)
{
    return both->drawn.letters && both->kind == TERRAIN_UNIFORM && both->rule == ORACLE_8;
}

cairn_table *storm_any_table(storm_scene *here, cairn_map *map)
{
    dice *luck = &here->luck;
    cairn_build_options build = {.seed = dice_below(luck, 1000),
                                 .landmark_count = dice_below(luck, 8) ? 1 + dice_below(luck, 4)
                                                                       : 5 + dice_below(luck, 30),
                                 .thread_count = dice_below(luck, 16) ? 1 : 2,
                                 .placement = (cairn_placement)dice_below(luck, CAIRN_PLACE_LIST),
                                 .candidate_count = 8};

    if (dice_below(luck, 2))
        build.placement = CAIRN_PLACE_FARTHEST;
    if (dice_below(luck, 4) == 0)
        build.step_metric = (cairn_metric){1, 1};
    else if (storm_has_corners(&here->both) && dice_below(luck, 2))
        build.resident = CAIRN_RESIDENT_CORNERS;
    return table_built(map, build);
}

/* ----------------------------------------------------------------------------- landmarks -- */

static uint32_t part_of(const uint32_t *parts, uint32_t node)
{
    while (parts[node] != node)
        node = parts[node];
    return node;
}

uint32_t *storm_parts(const oracle_arcs *arcs)
{
    uint32_t *parts = calloc(arcs->node_count + 1, sizeof *parts);
    assert_non_null(parts);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        parts[node] = node;
    for (size_t i = 0; i < arcs->count; i++)
        parts[part_of(parts, arcs->list[i].from)] = part_of(parts, arcs->list[i].to);
    for (uint32_t node = 0; node < arcs->node_count; node++)
        parts[node] = part_of(parts, node);
    return parts;
}

static void check_pair(const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks, *same;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    assert_int_equal(cairn_table_landmarks(table, row + 1, &same), count);
    assert_memory_equal(landmarks, same, count * sizeof *landmarks);
}

static void check_components_of_row(const twin *both, const uint32_t *parts,
                                    const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    uint8_t *landmarks_in = calloc(both->arcs.node_count + 1, 1);
    assert_non_null(landmarks_in);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(landmarks_in[parts[landmarks[i]]]++, 0);
    for (uint32_t node = 0; row == 0 && node < both->arcs.node_count; node++)
        assert_int_equal(landmarks_in[parts[node]], twin_is_open(both, node));
    free(landmarks_in);
}

void storm_check_table(storm_scene *here, const twin *both, const cairn_table *table)
{
    uint32_t *parts = storm_parts(&both->arcs);
    const bool leads_back = both->kind != TERRAIN_ONE_WAY && both->drawn.letters;
    const uint32_t step = cairn_table_direction(table, 0) == CAIRN_DIRECTION_BOTH ? 1 : 2;

    assert_table_is_exact(both, table);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row += step) {
        if (step == 2)
            check_pair(table, row);
        if (leads_back)
            check_components_of_row(both, parts, table, row);
    }
    free(parts);
    here->counts->tables++;
}

/* ------------------------------------------------------------------------------- options -- */

cairn_search_options storm_any_options(dice *luck)
{
    cairn_search_options options = visitor_options(luck);
    if (dice_below(luck, 2))
        return options;
    return (cairn_search_options){.size = sizeof options,
                                  .space = options.space,
                                  .form = options.form,
                                  .nearest = options.nearest};
}

cairn_budget storm_any_budget(dice *luck)
{
    switch (dice_below(luck, 6)) {
    case 0: return CAIRN_CELLS(0);
    case 1: return CAIRN_CELLS(dice_below(luck, 8));
    case 2: return CAIRN_CELLS(dice_below(luck, 60));
    case 3: return CAIRN_CELLS(dice_below(luck, 2000));
    default: return CAIRN_UNLIMITED;
    }
}

/* ------------------------------------------------------------------------------------- main -- */

static void tell(const char *when, const storm_counts *done)
{
    printf("%s: %llu maps (%llu dense, %llu in worlds), %llu edits, %llu queries (%llu resumes), "
           "%llu lists, %llu walks, %llu refreshes, %llu tables compared, %llu files, %llu clones, "
           "%llu floods\n",
           when, (unsigned long long)done->maps, (unsigned long long)done->dense,
           (unsigned long long)done->worlds, (unsigned long long)done->edits,
           (unsigned long long)done->queries, (unsigned long long)done->resumes,
           (unsigned long long)done->lists, (unsigned long long)done->walks,
           (unsigned long long)done->refreshes, (unsigned long long)done->tables,
           (unsigned long long)done->files, (unsigned long long)done->clones,
           (unsigned long long)done->floods);
    fflush(stdout);
}

static uint64_t number(int count, char **words, int index, uint64_t otherwise)
{
    return index < count ? strtoull(words[index], NULL, 10) : otherwise;
}

static void what_lives_through_anything_is_right(void **state)
{
    storm_counts *done = *state;
    for (; done->edits < wanted_edits || done->queries < wanted_queries;
         current_seed += seed_stride) {
        live(current_seed, done);
        if (done->maps % REPORT_MAPS == 0)
            tell("so far", done);
    }
}

int main(int count, char **words)
{
    storm_counts done = {0};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(what_lives_through_anything_is_right, &done)};

    wanted_edits = number(count, words, 1, 20000);
    wanted_queries = number(count, words, 2, 6000);
    current_seed = number(count, words, 3, 1);
    seed_stride = number(count, words, 4, 1);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    tell(failed ? "before the fault" : "nothing wrong", &done);
    if (failed)
        fprintf(stderr, "at fault: seed %llu; run: storm 1 1 %llu\n",
                (unsigned long long)current_seed, (unsigned long long)current_seed);
    return failed;
}
