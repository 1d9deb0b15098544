/* Processes that build a table together, here as threads, write the file of one, byte for byte, at
 * any number of them; and what goes wrong in one ends all, with nothing written. */
#include "support/check.h"
#include "support/crowd.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

/* The same map for each process, and one more for a process alone. */
typedef struct builds {
    cairn_map *maps[CROWD_MAX + 1];
    cairn_build_options build[CROWD_MAX + 1];
    cairn_save_options save;
    const char *path;
} builds;

static cairn_status build(void *context, uint32_t rank, const cairn_team *team)
{
    builds *all = context;
    cairn_build_options options = all->build[rank];
    options.team = team;
    return cairn_build_file(all->maps[rank], all->path, &options, &all->save, NULL);
}

static void for_all(builds *all, const cairn_build_options *options)
{
    for (uint32_t rank = 0; rank <= CROWD_MAX; rank++) {
        all->build[rank] = *options;
        all->build[rank].size = sizeof *options;
        all->build[rank].thread_count = 1 + rank % 2;
    }
}

static void assert_all(const cairn_status *results, uint32_t processes, cairn_status expected)
{
    for (uint32_t rank = 0; rank < processes; rank++)
        assert_int_equal(results[rank], expected);
}

static void assert_same_file_together(builds *all, uint32_t processes)
{
    cairn_status results[CROWD_MAX];

    assert_int_equal(
        cairn_build_file(all->maps[CROWD_MAX], all->path, &all->build[CROWD_MAX], &all->save, NULL),
        CAIRN_OK);
    held_file expected = read_file(all->path);
    remove(all->path);
    crowd_run(processes, build, all, results);
    assert_all(results, processes, CAIRN_OK);
    held_file found = read_file(all->path);
    assert_int_equal(found.size, expected.size);
    assert_memory_equal(found.data, expected.data, found.size);
    free(expected.data);
    free(found.data);
}

static cairn_build_options options_of(uint64_t seed)
{
    return (cairn_build_options){.landmark_count = 1 + (uint32_t)seed % 6,
                                 .seed = seed,
                                 .placement = (cairn_placement)(seed % CAIRN_PLACE_LIST),
                                 .candidate_count = 9};
}

static void every_kind_of_grid_is_built_together(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    const uint64_t kinds = (uint64_t)ORACLE_RULES * TERRAIN_KINDS;
    for (uint64_t seed = 0; seed < seeds_to(2 * kinds); seed = seed_after(seed)) {
        builds all = {.path = path};
        cairn_build_options options = options_of(seed);
        twin both[CROWD_MAX + 1];
        for (uint32_t rank = 0; rank <= CROWD_MAX; rank++) {
            both[rank] = twin_of(seed, (oracle_rule)(seed % ORACLE_RULES),
                                 (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS),
                                 seed % 2 ? CAIRN_METRIC_OCTILE : (cairn_metric){5, 7});
            all.maps[rank] = both[rank].map;
        }
        for_all(&all, &options);
        all.save = (cairn_save_options){.size = sizeof all.save, .codec = (cairn_codec)(seed % 4)};
        assert_same_file_together(&all, 1 + (uint32_t)(seed / 2) % CROWD_MAX);
        for (uint32_t rank = 0; rank <= CROWD_MAX; rank++)
            twin_free(&both[rank]);
    }
    scratch_remove(path);
}

static void every_kind_of_graph_is_built_together(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    for (uint64_t seed = 0; seed < seeds_to(16); seed = seed_after(seed)) {
        builds all = {.path = path, .save = {.size = sizeof all.save}};
        cairn_build_options options = options_of(seed);
        twin both[CROWD_MAX + 1];
        for (uint32_t rank = 0; rank <= CROWD_MAX; rank++) {
            both[rank] = twin_any_graph(seed);
            all.maps[rank] = both[rank].map;
        }
        for_all(&all, &options);
        assert_same_file_together(&all, 2 + (uint32_t)seed % (CROWD_MAX - 1));
        for (uint32_t rank = 0; rank <= CROWD_MAX; rank++)
            twin_free(&both[rank]);
    }
    scratch_remove(path);
}

static void take_maps(builds *all, const picture *drawn, cairn_metric metric)
{
    for (uint32_t rank = 0; rank <= CROWD_MAX; rank++)
        all->maps[rank] = map_of(drawn, metric);
}

static void free_maps(builds *all)
{
    for (uint32_t rank = 0; rank <= CROWD_MAX; rank++)
        cairn_map_free(all->maps[rank]);
}

/* The row that does not fit 16 bits, or a metric, is that of one process. */
static void processes_agree_on_the_width_of_entries(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture row = random_map(MAP_ALL_OPEN, 71, 1, 0), cave = random_map(MAP_CAVE, 90, 60, 5);
    for (uint64_t seed = 0; seed < seeds_to(8); seed = seed_after(seed)) {
        builds all = {.path = path, .save = {.size = sizeof all.save}};
        const cairn_node list[] = {35, 30, 40, 36};
        cairn_build_options options = {.landmark_count = 4, .seed = seed};
        take_maps(&all, &row, (cairn_metric){1300, 1900});
        for_all(&all, &options);
        assert_same_file_together(&all, 4);
        options.placement = CAIRN_PLACE_LIST;
        options.listed = list;
        options.listed_count = 4;
        for_all(&all, &options);
        assert_same_file_together(&all, 3);
        free_maps(&all);
        options = (cairn_build_options){
            .landmark_count = 5, .seed = seed, .metric = CAIRN_METRIC_COMPACT};
        take_maps(&all, &cave, CAIRN_METRIC_OCTILE);
        for_all(&all, &options);
        assert_same_file_together(&all, 3);
        free_maps(&all);
    }
    picture_free(&row);
    picture_free(&cave);
    scratch_remove(path);
}

/* ------------------------------------------------------------------------------- failures -- */

static void write_old_file(const char *path)
{
    write_text(path, "old");
}

static void assert_old_file(const char *path)
{
    held_file kept = read_file(path);
    assert_int_equal(kept.size, 3);
    assert_memory_equal(kept.data, "old", 3);
    free(kept.data);
}

enum { TRIO = 3 };

/* At any allocation of one process; all learn it. */
static void memory_that_one_process_lacks_ends_all(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ROOMS, 24, 18, 3);
    cairn_status results[CROWD_MAX];
    bool struck = true;

    write_old_file(path);
    for (size_t n = 1; struck; n += 3) {
        builds all = {.path = path, .save = {.size = sizeof all.save}};
        const cairn_build_options options = {
            .landmark_count = 4, .placement = CAIRN_PLACE_GREEDY, .candidate_count = 6};
        const uint32_t poor = (uint32_t)(n / 3) % TRIO;
        failing_allocator failing;
        failing_allocator_init(&failing);
        for (uint32_t rank = 0; rank < TRIO; rank++)
            all.maps[rank] = map_with(&drawn, CAIRN_METRIC_OCTILE,
                                      rank == poor ? &failing.allocator : NULL);
        for_all(&all, &options);
        for (uint32_t rank = 0; rank < TRIO; rank++)
            all.build[rank].thread_count = 1;
        failing_allocator_arm(&failing, n);
        crowd_run(TRIO, build, &all, results);
        struck = failing_allocator_struck(&failing);
        assert_all(results, TRIO, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        if (struck)
            assert_old_file(path);
        for (uint32_t rank = 0; rank < TRIO; rank++)
            cairn_map_free(all.maps[rank]);
        assert_int_equal(failing.outstanding, 0);
    }
    picture_free(&drawn);
    scratch_remove(path);
}

typedef struct patience {
    unsigned left; /* calls until it is over */
} patience;

static bool lose_patience(void *context, const char *stage, uint64_t done, uint64_t total)
{
    patience *own = context;
    (void)stage;
    (void)done;
    (void)total;
    return own->left-- > 0;
}

static void one_process_that_stops_ends_all(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ROOMS, 24, 18, 3);
    cairn_status results[CROWD_MAX];

    for (uint32_t rank = 0; rank < TRIO; rank++) {
        for (unsigned calls = 0; calls < 6; calls++) {
            builds all = {.path = path, .save = {.size = sizeof all.save}};
            const cairn_build_options options = {
                .landmark_count = 6, .placement = CAIRN_PLACE_GREEDY, .candidate_count = 8};
            patience own = {calls};
            const cairn_progress progress = {lose_patience, &own};
            write_old_file(path);
            take_maps(&all, &drawn, CAIRN_METRIC_OCTILE);
            for_all(&all, &options);
            all.build[rank].progress = &progress;
            crowd_run(TRIO, build, &all, results);
            assert_all(results, TRIO, results[0]);
            assert_true(results[0] == CAIRN_E_CANCELLED || calls > 2);
            if (results[0] != CAIRN_OK)
                assert_old_file(path);
            free_maps(&all);
        }
    }
    picture_free(&drawn);
    scratch_remove(path);
}

static void other_maps_and_options_are_refused(void **state)
{
    (void)state;
    char *path = scratch_file("table.cairn");
    picture drawn = random_map(MAP_ROOMS, 24, 18, 3), other = random_map(MAP_ROOMS, 24, 18, 4);
    cairn_status results[CROWD_MAX];
    const cairn_build_options options = {.landmark_count = 4};
    const cairn_query pair = {.start = 0, .goal = 1};

    for (unsigned odd = 0; odd < 6; odd++) {
        builds all = {.path = path, .save = {.size = sizeof all.save}};
        take_maps(&all, &drawn, CAIRN_METRIC_OCTILE);
        for_all(&all, &options);
        cairn_build_options *own = &all.build[odd % TRIO];
        if (odd == 0) {
            cairn_map_free(all.maps[1]);
            all.maps[1] = map_of(&other, CAIRN_METRIC_OCTILE);
        }
        own->seed += odd == 1;
        own->landmark_count += odd == 2;
        own->placement += odd == 3;
        own->metric += odd == 4;
        own->pairs = &pair;
        own->pair_count = odd == 5;
        write_old_file(path);
        crowd_run(TRIO, build, &all, results);
        assert_all(results, TRIO, CAIRN_E_MISMATCH);
        assert_old_file(path);
        free_maps(&all);
    }
    picture_free(&drawn);
    picture_free(&other);
    scratch_remove(path);
}

/* Rank 0 alone writes, and all learn that it could not. */
static void a_file_that_cannot_be_written_ends_all(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ROOMS, 24, 18, 3);
    builds all = {.path = "/nowhere/table.cairn", .save = {.size = sizeof all.save}};
    const cairn_build_options options = {.landmark_count = 4};
    cairn_status results[CROWD_MAX];

    take_maps(&all, &drawn, CAIRN_METRIC_OCTILE);
    for_all(&all, &options);
    crowd_run(TRIO, build, &all, results);
    assert_all(results, TRIO, CAIRN_E_IO);
    free_maps(&all);
    picture_free(&drawn);
}

/* ------------------------------------------------------------------------ landmarks alone -- */

typedef struct placing {
    cairn_map *maps[CROWD_MAX];
    cairn_build_options build;
    cairn_node *nodes[CROWD_MAX];
    size_t counts[CROWD_MAX];
} placing;

static cairn_status place(void *context, uint32_t rank, const cairn_team *team)
{
    placing *all = context;
    cairn_build_options options = all->build;
    options.team = team;
    return cairn_landmarks_place(all->maps[rank], &options, &all->nodes[rank], &all->counts[rank]);
}

static void landmarks_are_placed_together(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 60, 40, 3);
    for (uint64_t seed = 0; seed < CAIRN_PLACE_LIST; seed++) {
        placing all = {.build = options_of(seed)};
        cairn_status results[CROWD_MAX];
        cairn_node *nodes;
        size_t count;
        all.build.size = sizeof all.build;
        for (uint32_t rank = 0; rank < CROWD_MAX; rank++)
            all.maps[rank] = map_of(&drawn, CAIRN_METRIC_OCTILE);
        all.build.metric = seed % 2 ? CAIRN_METRIC_COMPACT : CAIRN_METRIC_OF_MAP;
        cairn_map *alone = map_of(&drawn, CAIRN_METRIC_OCTILE);
        assert_int_equal(cairn_landmarks_place(alone, &all.build, &nodes, &count), CAIRN_OK);
        const cairn_metric metric = cairn_map_metric(alone);
        crowd_run(CROWD_MAX, place, &all, results);
        assert_all(results, CROWD_MAX, CAIRN_OK);
        for (uint32_t rank = 0; rank < CROWD_MAX; rank++) {
            assert_int_equal(cairn_map_metric(all.maps[rank]).straight, metric.straight);
            assert_int_equal(all.counts[rank], count);
            assert_memory_equal(all.nodes[rank], nodes, count * sizeof *nodes);
            cairn_nodes_free(all.maps[rank], all.nodes[rank]);
        }
        cairn_nodes_free(alone, nodes);
        cairn_map_free(alone);
        for (uint32_t rank = 0; rank < CROWD_MAX; rank++)
            cairn_map_free(all.maps[rank]);
    }
    picture_free(&drawn);
}

static void misuse_of_a_team_is_answered(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 20, 20, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_team none = {.processes = 0}, silent = {.processes = 2};
    cairn_build_options options = {.size = sizeof options, .team = &none};
    cairn_table *table;
    cairn_node *nodes;
    size_t count;

    assert_int_equal(cairn_build_file(map, "x", &options, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_landmarks_place(map, &options, &nodes, &count), CAIRN_E_ARGUMENT);
    options.team = &silent;
    assert_int_equal(cairn_build_file(map, "x", &options, NULL, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_grid_is_built_together),
        cmocka_unit_test(every_kind_of_graph_is_built_together),
        cmocka_unit_test(processes_agree_on_the_width_of_entries),
        cmocka_unit_test(memory_that_one_process_lacks_ends_all),
        cmocka_unit_test(one_process_that_stops_ends_all),
        cmocka_unit_test(other_maps_and_options_are_refused),
        cmocka_unit_test(a_file_that_cannot_be_written_ends_all),
        cmocka_unit_test(landmarks_are_placed_together),
        cmocka_unit_test(misuse_of_a_team_is_answered),
    };
    return cmocka_run_group_tests_name("file/team", tests, NULL, NULL);
}
