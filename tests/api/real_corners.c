/* Rows at corners on real maps, which are not part of the project: found by CAIRN_TEST_DATA, or
 * ../shared/data beside the repository; those that are absent are left out. Every line of the
 * scenarios is exact: with fresh rows, while rows are rebuilt after a thousand edits, and after. */
#include <math.h>
#include <unistd.h>

#include "cairn/cairn.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { ROWS = 16, EDITS = 1000, EDITS_AT_ONCE = 50, LINES_PER_STEP = 20 };

static const char *const maps[] = {"dao/lak303d",    "dao/brc202d", "dao/orz900d",
                                   "bg512/AR0700SR", "sc1/Aurora",  "sc1/Cauldron"};

typedef struct site {
    cairn_map *map;
    cairn_table *table;
    cairn_scenario *scenario;
    cairn_search *base;
    cairn_search *corners;
    dice luck;
    uint64_t base_expanded;
    uint64_t expanded;
} site;

static void open_site(site *here, const char *folder, const char *name)
{
    char path[4096 + 64];
    const cairn_build_options options = {
        .size = sizeof options, .landmark_count = ROWS, .resident = CAIRN_RESIDENT_CORNERS};

    *here = (site){.luck = {17}};
    snprintf(path, sizeof path, "%s/movingai/%s.map", folder, name);
    assert_int_equal(cairn_map_load(path, NULL, &here->map, NULL), CAIRN_OK);
    snprintf(path, sizeof path, "%s/movingai/%s.map.scen", folder, name);
    assert_int_equal(cairn_scenario_load(path, here->map, &here->scenario, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(here->map, &options, &here->table), CAIRN_OK);
    assert_int_equal(cairn_search_new(here->map, NULL, NULL, &here->base), CAIRN_OK);
    assert_int_equal(cairn_search_new(here->map, here->table, NULL, &here->corners), CAIRN_OK);
}

static void close_site(site *here)
{
    cairn_search_free(here->base);
    cairn_search_free(here->corners);
    cairn_scenario_free(here->scenario);
    cairn_table_free(here->table);
    cairn_map_free(here->map);
}

static void assert_line(site *here, const cairn_query *query, bool is_edited)
{
    cairn_path base, path;
    assert_int_equal(cairn_search_run(here->base, query->start, query->goal, &base), CAIRN_OK);
    assert_int_equal(cairn_search_run(here->corners, query->start, query->goal, &path), CAIRN_OK);
    assert_int_equal(path.outcome, base.outcome);
    assert_int_equal(path.cost, base.cost);
    /* Published lengths were added up in single precision. */
    if (!is_edited)
        assert_true(fabs(path.length - query->length) <= 1e-5 * query->length + 0.006);
    here->base_expanded += base.expanded;
    here->expanded += path.expanded;
}

/* With a step before every few lines; the time of a step does not suffice for a row. */
static void assert_lines(site *here, bool is_edited)
{
    const cairn_query *queries = cairn_scenario_queries(here->scenario);
    for (size_t i = 0; i < cairn_scenario_count(here->scenario); i++) {
        if (is_edited && i % LINES_PER_STEP == 0) {
            const cairn_budget budget = i % (3 * LINES_PER_STEP) ? CAIRN_MICROSECONDS(100)
                                                                 : CAIRN_MICROSECONDS(2500);
            const cairn_status status = step_now(here->table, here->map, budget);
            assert_true(status == CAIRN_OK || status == CAIRN_MORE);
        }
        if (!is_left_out(i))
            assert_line(here, &queries[i], is_edited);
    }
}

/* Cells change their state, so that about as many open as close. */
static void edit_some(site *here)
{
    const uint32_t width = cairn_map_width(here->map);
    cairn_edit edits[EDITS_AT_ONCE];

    for (size_t i = 0; i < EDITS_AT_ONCE; i++) {
        const cairn_node node = dice_below(&here->luck, cairn_map_node_count(here->map));
        edits[i] = cairn_map_is_open(here->map, node) ? cairn_block(node % width, node / width)
                                                      : cairn_open(node % width, node / width);
    }
    assert_int_equal(cairn_map_edit(here->map, edits, EDITS_AT_ONCE), CAIRN_OK);
}

static void edit_and_ask(site *here)
{
    const cairn_query *queries = cairn_scenario_queries(here->scenario);
    const size_t count = cairn_scenario_count(here->scenario);

    for (int done = 0; done < EDITS; done += EDITS_AT_ONCE) {
        edit_some(here);
        for (int i = 0; i < 5; i++)
            assert_line(here, &queries[dice_below(&here->luck, (uint32_t)count)], true);
        const cairn_status status = step_now(here->table, here->map, CAIRN_CELLS(2000));
        assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    }
}

static void check_corners(const char *folder, const char *name)
{
    site here;
    open_site(&here, folder, name);
    assert_lines(&here, false);
    print_message("%-16s expanded %9llu without, %8llu with %d rows at corners\n", name,
                  (unsigned long long)here.base_expanded, (unsigned long long)here.expanded, ROWS);
    assert_true(here.expanded < here.base_expanded);
    edit_and_ask(&here);
    assert_lines(&here, true);
    assert_int_equal(cairn_refresh_step(here.table, here.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_table_verify(here.table, here.map, 0, NULL), CAIRN_OK);
    here.base_expanded = here.expanded = 0;
    assert_lines(&here, true);
    print_message("%-16s expanded %9llu without, %8llu after %d edits\n", name,
                  (unsigned long long)here.base_expanded, (unsigned long long)here.expanded, EDITS);
    assert_true(here.expanded < here.base_expanded);
    close_site(&here);
}

static void every_line_is_exact_along_rows_at_corners(void **state)
{
    (void)state;
    const char *folder = real_data();
    char path[4096 + 64];
    size_t checked = 0;
    for (size_t i = 0; folder && i < COUNT_OF(maps); i++) {
        snprintf(path, sizeof path, "%s/movingai/%s.map.scen", folder, maps[i]);
        if (access(path, R_OK) != 0)
            continue;
        check_corners(folder, maps[i]);
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
        cmocka_unit_test(every_line_is_exact_along_rows_at_corners),
    };
    return cmocka_run_group_tests_name("real_corners", tests, NULL, NULL);
}
