/* Real maps, which are not part of the project: found by CAIRN_TEST_DATA, or ../shared/data beside
 * the repository; those that are absent are left out. */
#include <math.h>
#include <unistd.h>

#include "cairn/cairn.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { ROWS = 8, EVERY = 50 };

typedef struct real_map {
    const char *name;
    bool lengths_hold; /* those of wc3maps512 cut corners: no oracle */
} real_map;

static const real_map maps[] = {
    {"dao/arena", true},         {"dao/lak303d", true},           {"dao/brc202d", true},
    {"dao/ost100d", true},       {"bg512/AR0700SR", true},        {"cities/Berlin_0_256", true},
    {"da2/ht_0_hightown", true}, {"mazes/maze512-8-1", true},     {"random/random512-40-2", true},
    {"rooms/8room_005", true},   {"wc3maps512/moonglade", false},
};

typedef struct journey {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_search *base;
    cairn_search *landmarks;
    uint64_t base_expanded;
    uint64_t landmarks_expanded;
} journey;

static void open_journey(journey *way, const char *folder, const char *name)
{
    char path[4096 + 64];
    cairn_build_options options = {.size = sizeof options, .landmark_count = ROWS};

    snprintf(path, sizeof path, "%s/movingai/%s.map", folder, name);
    assert_int_equal(cairn_map_load(path, NULL, &way->map, NULL), CAIRN_OK);
    snprintf(path, sizeof path, "%s/movingai/%s.map.scen", folder, name);
    assert_int_equal(cairn_scenario_load(path, way->map, &way->scenario, NULL), CAIRN_OK);
    assert_true(cairn_scenario_count(way->scenario) > 0);
    assert_int_equal(cairn_table_build(way->map, &options, &way->table), CAIRN_OK);
    assert_int_equal(cairn_table_verify(way->table, way->map, 0, NULL), CAIRN_OK);
    assert_int_equal(cairn_search_new(way->map, NULL, NULL, &way->base), CAIRN_OK);
    assert_int_equal(cairn_search_new(way->map, way->table, NULL, &way->landmarks), CAIRN_OK);
}

static void close_journey(journey *way)
{
    cairn_search_free(way->base);
    cairn_search_free(way->landmarks);
    cairn_scenario_free(way->scenario);
    cairn_table_free(way->table);
    cairn_map_free(way->map);
}

/* Published lengths were added up in single precision. */
static bool is_published_length(double length, double published)
{
    return fabs(length - published) <= 1e-5 * published + 0.006;
}

static void check_query(journey *way, const cairn_query *query, bool lengths_hold)
{
    cairn_path base, landmarks;
    assert_int_equal(cairn_search_run(way->base, query->start, query->goal, &base), CAIRN_OK);
    cairn_cost cost = base.cost;
    double length = base.length;
    assert_int_equal(cairn_search_run(way->landmarks, query->start, query->goal, &landmarks),
                     CAIRN_OK);
    assert_int_equal(landmarks.outcome, base.outcome);
    assert_int_equal(landmarks.cost, cost);
    if (lengths_hold) {
        assert_int_equal(base.outcome, CAIRN_PATH_FOUND);
        assert_true(is_published_length(length, query->length));
        assert_true(is_published_length(landmarks.length, query->length));
    }
    way->base_expanded += base.expanded;
    way->landmarks_expanded += landmarks.expanded;
}

static void check_map(const char *folder, const real_map *real)
{
    journey way = {0};
    open_journey(&way, folder, real->name);
    const cairn_query *queries = cairn_scenario_queries(way.scenario);
    for (size_t i = 0; i < cairn_scenario_count(way.scenario); i += EVERY)
        check_query(&way, &queries[i], real->lengths_hold);
    print_message("%-24s expanded %9llu without, %8llu with %d landmarks\n", real->name,
                  (unsigned long long)way.base_expanded, (unsigned long long)way.landmarks_expanded,
                  ROWS);
    assert_true(way.landmarks_expanded <= way.base_expanded);
    close_journey(&way);
}

static bool is_there(const char *folder, const char *name)
{
    char path[4096 + 64];
    snprintf(path, sizeof path, "%s/movingai/%s.map.scen", folder, name);
    return access(path, R_OK) == 0;
}

static void landmark_costs_and_lengths_on_real_maps_are_the_published_ones(void **state)
{
    (void)state;
    const char *folder = real_data();
    size_t checked = 0;
    for (size_t i = 0; folder && i < COUNT_OF(maps); i++) {
        if (!is_there(folder, maps[i].name))
            continue;
        check_map(folder, &maps[i]);
        checked++;
    }
    if (checked == 0) {
        print_message("no maps at CAIRN_TEST_DATA or ../shared/data: skipped\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landmark_costs_and_lengths_on_real_maps_are_the_published_ones),
    };
    return cmocka_run_group_tests_name("real_maps", tests, NULL, NULL);
}
