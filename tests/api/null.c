/* What every call does with NULL where an object is needed. */
#include "cairn/cairn.h"
#include "support/check.h"

#define REFUSED(call) assert_int_equal(call, CAIRN_E_ARGUMENT)

static void calls_on_maps_refuse_null(void **state)
{
    (void)state;
    REFUSED(cairn_alphabet_parse(NULL, 0, NULL, NULL));
    REFUSED(cairn_map_load(NULL, NULL, NULL, NULL));
    REFUSED(cairn_map_parse(NULL, 0, NULL, NULL, NULL));
    REFUSED(cairn_map_from_letters(0, 0, NULL, NULL, NULL, NULL));
    REFUSED(cairn_map_from_arcs(0, NULL, 0, NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_map_from_callbacks(NULL, NULL, NULL));
    REFUSED(cairn_roads_load(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_roads_parse(NULL, 0, NULL, 0, NULL, NULL, NULL));
    REFUSED(cairn_map_clone(NULL, NULL));
    REFUSED(cairn_map_set_metric(NULL, CAIRN_METRIC_OCTILE));
    cairn_map_use_pool(NULL, NULL);
    REFUSED(cairn_map_edit(NULL, NULL, 0));
    REFUSED(cairn_edits_load(NULL, NULL, NULL));
    REFUSED(cairn_edits_parse(NULL, 0, NULL, NULL));
    REFUSED(cairn_map_for_units(NULL, 0, CAIRN_ANCHOR_TOP_LEFT, NULL));
    REFUSED(cairn_clearance(NULL, CAIRN_ANCHOR_TOP_LEFT, NULL));
}

static void calls_of_floods_and_ways_refuse_null(void **state)
{
    (void)state;
    REFUSED(cairn_flood_new(NULL, NULL));
    REFUSED(cairn_flood_from(NULL, NULL, 0, NULL));
    REFUSED(cairn_flood_to(NULL, NULL, 0, NULL));
    REFUSED(cairn_flood_flow(NULL, NULL, 0, NULL, NULL));
    REFUSED(cairn_flood_limit(NULL, 0, NULL, 0));
    REFUSED(cairn_flood_lend(NULL, NULL));
    REFUSED(cairn_flood_use(NULL, NULL));
    REFUSED(cairn_flood_from_16(NULL, NULL, 0, NULL));
    REFUSED(cairn_flood_to_16(NULL, NULL, 0, NULL));
    REFUSED(cairn_flow_repair(NULL, NULL, 0, 0, NULL, NULL));
    REFUSED(cairn_costs_from(NULL, NULL, 0, NULL));
    REFUSED(cairn_costs_to(NULL, NULL, 0, NULL));
    REFUSED(cairn_path_pull(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_path_cost(NULL, NULL, 0, NULL, NULL));
    REFUSED(cairn_search_pull(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_distances(NULL, NULL, NULL, 1, NULL, 1, 0, NULL));
    REFUSED(cairn_search_batch(NULL, NULL, NULL, 0, NULL, 0, NULL));
    REFUSED(cairn_scenario_load(NULL, NULL, NULL, NULL));
    REFUSED(cairn_scenario_parse(NULL, 0, NULL, NULL, NULL));
    REFUSED(cairn_dynamic_load(NULL, NULL, NULL));
    REFUSED(cairn_dynamic_parse(NULL, 0, NULL, 0, NULL, NULL));
}

static void calls_on_tables_and_files_refuse_null(void **state)
{
    (void)state;
    REFUSED(cairn_table_build(NULL, NULL, NULL));
    REFUSED(cairn_landmarks_place(NULL, NULL, NULL, NULL));
    REFUSED(cairn_table_row(NULL, NULL, 0, NULL));
    REFUSED(cairn_table_set_cost(NULL, 0, 0, 0));
    REFUSED(cairn_table_clone(NULL, NULL));
    REFUSED(cairn_table_verify(NULL, NULL, 0, NULL));
    REFUSED(cairn_map_letters(NULL, NULL));
    REFUSED(cairn_map_components(NULL, CAIRN_CONNECTED, NULL, NULL));
    REFUSED(cairn_save(NULL, NULL, NULL, NULL));
    REFUSED(cairn_map_save(NULL, NULL, NULL));
    REFUSED(cairn_build_file(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_merge(NULL, 0, NULL, NULL, NULL));
    REFUSED(cairn_save_bytes(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_load(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_load_bytes(NULL, 1, NULL, NULL, NULL, NULL));
    REFUSED(cairn_load_from(NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_outline_load(NULL, NULL, NULL));
    REFUSED(cairn_outline_load_bytes(NULL, 0, NULL, NULL));
    REFUSED(cairn_refresh_step(NULL, NULL, CAIRN_UNLIMITED));
    REFUSED(cairn_table_rebuild(NULL, NULL));
    REFUSED(cairn_refresh_as_it_pays(NULL, NULL, NULL));
    REFUSED(cairn_bound_to(NULL, NULL, 0, NULL));
    REFUSED(cairn_bound_with(NULL, NULL, 0, 0, NULL));
    REFUSED(cairn_bounds_at(NULL, NULL, 0, NULL));
}

static void calls_on_searches_and_worlds_refuse_null(void **state)
{
    (void)state;
    REFUSED(cairn_search_new(NULL, NULL, NULL, NULL));
    REFUSED(cairn_search_use(NULL, NULL, NULL));
    REFUSED(cairn_search_run(NULL, 0, 0, NULL));
    REFUSED(cairn_search_begin(NULL, 0, 0, NULL));
    REFUSED(cairn_search_resume(NULL, 0, NULL));
    REFUSED(cairn_search_resume_for(NULL, 0, NULL));
    REFUSED(cairn_search_node_info(NULL, 0, NULL));
    REFUSED(cairn_search_cells(NULL, NULL));
    REFUSED(cairn_search_avoid(NULL, NULL, NULL, 0));
    REFUSED(cairn_search_run_to_any(NULL, 0, NULL, 0, NULL));
    REFUSED(cairn_search_run_from_any(NULL, NULL, 0, 0, NULL));
    REFUSED(cairn_search_begin_to_any(NULL, 0, NULL, 0, NULL));
    REFUSED(cairn_search_begin_from_any(NULL, NULL, 0, 0, NULL));
    REFUSED(cairn_world_new(NULL, NULL, NULL));
    REFUSED(cairn_world_edit(NULL, NULL, 0));
    REFUSED(cairn_world_refresh_step(NULL, CAIRN_UNLIMITED));
    REFUSED(cairn_world_publish(NULL));
    REFUSED(cairn_world_draft(NULL, NULL));
}

/* Objects that every call takes, so that only what is NULL can be what it refuses. */
typedef struct objects {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    cairn_flood *flood;
    cairn_world *world;
    cairn_path path;
} objects;

static const cairn_node NODES[] = {0, 3};

static void make_objects(objects *all)
{
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_map_from_letters(2, 2, "....", NULL, &all->map, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(all->map, NULL, &all->table), CAIRN_OK);
    assert_int_equal(cairn_search_new(all->map, all->table, NULL, &all->search), CAIRN_OK);
    assert_int_equal(cairn_search_run(all->search, 0, 3, &all->path), CAIRN_OK);
    assert_int_equal(cairn_flood_new(all->map, &all->flood), CAIRN_OK);
    assert_int_equal(cairn_map_clone(all->map, &map), CAIRN_OK);
    assert_int_equal(cairn_table_clone(all->table, &table), CAIRN_OK);
    assert_int_equal(cairn_world_new(map, table, &all->world), CAIRN_OK);
}

static void free_objects(objects *all)
{
    cairn_world_free(all->world);
    cairn_flood_free(all->flood);
    cairn_search_free(all->search);
    cairn_table_free(all->table);
    cairn_map_free(all->map);
}

static void one_missing_object_of_a_map_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_map *map;
    cairn_alphabet alphabet;
    uint16_t clearance[4];
    const cairn_arc arc = {0, 1, 1};
    const cairn_edit edit = cairn_block(0, 0);

    make_objects(&all);
    REFUSED(cairn_alphabet_parse(NULL, 5, &alphabet, NULL));
    REFUSED(cairn_alphabet_parse("S=3", 3, NULL, NULL));
    REFUSED(cairn_map_load("a.map", NULL, NULL, NULL));
    REFUSED(cairn_map_parse("a", 1, NULL, NULL, NULL));
    REFUSED(cairn_map_from_letters(2, 2, NULL, NULL, &map, NULL));
    REFUSED(cairn_map_from_letters(2, 2, "....", NULL, NULL, NULL));
    REFUSED(cairn_map_from_arcs(2, NULL, 1, NULL, NULL, NULL, &map, NULL));
    REFUSED(cairn_map_from_arcs(2, &arc, 1, NULL, NULL, NULL, NULL, NULL));
    REFUSED(cairn_roads_load("a.gr", NULL, NULL, NULL, NULL));
    REFUSED(cairn_roads_parse("p sp 1 0", 8, NULL, 0, NULL, NULL, NULL));
    REFUSED(cairn_map_clone(all.map, NULL));
    REFUSED(cairn_map_edit(NULL, &edit, 1));
    REFUSED(cairn_map_check_edits(NULL, &edit, 1, NULL));
    REFUSED(cairn_map_check_edits(all.map, NULL, 1, NULL));
    REFUSED(cairn_map_edit(all.map, NULL, 1));
    REFUSED(cairn_map_for_units(all.map, 2, CAIRN_ANCHOR_TOP_LEFT, NULL));
    REFUSED(cairn_clearance(all.map, CAIRN_ANCHOR_TOP_LEFT, NULL));
    REFUSED(cairn_clearance(NULL, CAIRN_ANCHOR_TOP_LEFT, clearance));
    free_objects(&all);
}

static void one_missing_object_of_a_flood_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_flood *flood;
    uint16_t narrow[4];
    uint8_t flow[4];
    cairn_cost costs[4];

    make_objects(&all);
    REFUSED(cairn_flood_new(all.map, NULL));
    REFUSED(cairn_flood_new(NULL, &flood));
    REFUSED(cairn_flood_use(all.flood, NULL));
    REFUSED(cairn_flood_use(NULL, all.map));
    REFUSED(cairn_flood_limit(all.flood, 9, NULL, 1));
    REFUSED(cairn_flood_limit(NULL, 9, NODES, 1));
    REFUSED(cairn_flood_lend(NULL, costs));
    REFUSED(cairn_flood_from(all.flood, NULL, 1, costs));
    REFUSED(cairn_flood_from(all.flood, NODES, 1, NULL));
    REFUSED(cairn_flood_from(NULL, NODES, 1, costs));
    REFUSED(cairn_flood_to(all.flood, NULL, 1, costs));
    REFUSED(cairn_flood_to(all.flood, NODES, 1, NULL));
    REFUSED(cairn_flood_to(NULL, NODES, 1, costs));
    REFUSED(cairn_flood_from_16(all.flood, NULL, 1, narrow));
    REFUSED(cairn_flood_from_16(all.flood, NODES, 1, NULL));
    REFUSED(cairn_flood_from_16(NULL, NODES, 1, narrow));
    REFUSED(cairn_flood_to_16(all.flood, NULL, 1, narrow));
    REFUSED(cairn_flood_to_16(all.flood, NODES, 1, NULL));
    REFUSED(cairn_flood_to_16(NULL, NODES, 1, narrow));
    REFUSED(cairn_flood_flow(all.flood, NULL, 1, flow, costs));
    REFUSED(cairn_flood_flow(all.flood, NODES, 1, NULL, costs));
    REFUSED(cairn_flood_flow(NULL, NODES, 1, flow, costs));
    REFUSED(cairn_flow_repair(all.flood, NULL, 1, 0, flow, costs));
    REFUSED(cairn_flow_repair(all.flood, NODES, 1, 0, NULL, costs));
    REFUSED(cairn_flow_repair(all.flood, NODES, 1, 0, flow, NULL));
    REFUSED(cairn_flow_repair(NULL, NODES, 1, 0, flow, costs));
    REFUSED(cairn_costs_from(all.map, NULL, 1, costs));
    REFUSED(cairn_costs_from(all.map, NODES, 1, NULL));
    REFUSED(cairn_costs_from(NULL, NODES, 1, costs));
    REFUSED(cairn_costs_to(all.map, NULL, 1, costs));
    REFUSED(cairn_costs_to(all.map, NODES, 1, NULL));
    REFUSED(cairn_costs_to(NULL, NODES, 1, costs));
    free_objects(&all);
}

static void one_missing_object_of_a_way_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_cost costs[4];
    cairn_node waypoints[4];
    size_t count = 4;
    double length;

    make_objects(&all);
    REFUSED(cairn_path_pull(NULL, &all.path, waypoints, &count, &length));
    REFUSED(cairn_path_cost(NULL, waypoints, 1, waypoints, &count));
    REFUSED(cairn_path_cost(all.map, NULL, 1, waypoints, &count));
    REFUSED(cairn_path_cost(all.map, waypoints, 1, NULL, &count));
    REFUSED(cairn_path_pull(all.map, NULL, waypoints, &count, &length));
    REFUSED(cairn_path_pull(all.map, &all.path, waypoints, NULL, &length));
    REFUSED(cairn_distances(NULL, all.table, NODES, 2, NODES, 2, 1, costs));
    REFUSED(cairn_distances(all.map, all.table, NULL, 2, NODES, 2, 1, costs));
    REFUSED(cairn_distances(all.map, all.table, NODES, 2, NULL, 2, 1, costs));
    REFUSED(cairn_distances(all.map, all.table, NODES, 2, NODES, 2, 1, NULL));
    free_objects(&all);
}

static void one_missing_object_of_a_table_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_table *table;
    cairn_node *nodes;
    cairn_fault fault;
    cairn_bound bound;
    cairn_cost cost;
    size_t count;

    make_objects(&all);
    REFUSED(cairn_table_build(all.map, NULL, NULL));
    REFUSED(cairn_table_build(NULL, NULL, &table));
    REFUSED(cairn_landmarks_place(all.map, NULL, NULL, &count));
    REFUSED(cairn_landmarks_place(all.map, NULL, &nodes, NULL));
    REFUSED(cairn_landmarks_place(NULL, NULL, &nodes, &count));
    REFUSED(cairn_table_clone(all.table, NULL));
    REFUSED(cairn_table_verify(NULL, all.map, 1, &fault));
    REFUSED(cairn_table_verify(all.table, NULL, 1, &fault));
    REFUSED(cairn_map_letters(all.map, NULL));
    REFUSED(cairn_map_components(all.map, CAIRN_CONNECTED, NULL, NULL));
    REFUSED(cairn_refresh_step(NULL, all.map, CAIRN_UNLIMITED));
    REFUSED(cairn_refresh_step(all.table, NULL, CAIRN_UNLIMITED));
    REFUSED(cairn_table_rebuild(NULL, all.map));
    REFUSED(cairn_table_rebuild(all.table, NULL));
    REFUSED(cairn_refresh_as_it_pays(NULL, all.map, &all.path));
    REFUSED(cairn_refresh_as_it_pays(all.table, NULL, &all.path));
    REFUSED(cairn_refresh_as_it_pays(all.table, all.map, NULL));
    REFUSED(cairn_bound_to(NULL, all.table, 0, &bound));
    REFUSED(cairn_bound_to(all.map, all.table, 0, NULL));
    REFUSED(cairn_bound_with(NULL, all.table, 0, CAIRN_HEURISTIC_BEST, &bound));
    REFUSED(cairn_bound_with(all.map, all.table, 0, CAIRN_HEURISTIC_BEST, NULL));
    REFUSED(cairn_bounds_at(NULL, NODES, 1, &cost));
    free_objects(&all);
}

static void one_missing_object_of_a_file_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_table *table;
    cairn_map *map;
    cairn_outline outline;
    uint8_t *bytes;
    size_t count;
    const cairn_stream stream = {.read = NULL};
    const char *const parts[] = {"a.part", NULL};

    make_objects(&all);
    REFUSED(cairn_save(NULL, all.table, "a.cairn", NULL));
    REFUSED(cairn_map_save(NULL, "a.map", NULL));
    REFUSED(cairn_map_save(all.map, NULL, NULL));
    REFUSED(cairn_save(all.map, NULL, "a.cairn", NULL));
    REFUSED(cairn_save(all.map, all.table, NULL, NULL));
    REFUSED(cairn_build_file(NULL, "a.cairn", NULL, NULL, NULL));
    REFUSED(cairn_build_file(all.map, NULL, NULL, NULL, NULL));
    REFUSED(cairn_merge(NULL, 1, "a.cairn", NULL, NULL));
    REFUSED(cairn_merge(parts, 1, NULL, NULL, NULL));
    REFUSED(cairn_merge(parts + 1, 1, "a.cairn", NULL, NULL));
    REFUSED(cairn_save_bytes(NULL, all.table, NULL, &bytes, &count));
    REFUSED(cairn_save_bytes(all.map, NULL, NULL, &bytes, &count));
    REFUSED(cairn_save_bytes(all.map, all.table, NULL, NULL, &count));
    REFUSED(cairn_save_bytes(all.map, all.table, NULL, &bytes, NULL));
    REFUSED(cairn_load(NULL, NULL, &map, &table, NULL));
    REFUSED(cairn_load_bytes(NULL, 1, NULL, &map, &table, NULL));
    REFUSED(cairn_load_from(NULL, NULL, &map, &table, NULL));
    REFUSED(cairn_load_from(&stream, NULL, &map, &table, NULL));
    REFUSED(cairn_outline_load("a.cairn", NULL, NULL));
    REFUSED(cairn_outline_load_bytes((const uint8_t *)"a", 1, NULL, NULL));
    REFUSED(cairn_outline_load_bytes(NULL, 1, &outline, NULL));
    free_objects(&all);
}

static void one_missing_object_of_a_search_is_refused(void **state)
{
    (void)state;
    objects all;
    cairn_search *search;
    cairn_batch *batch;
    cairn_world *world;
    cairn_node waypoints[4];
    size_t count = 4;
    double length;
    const cairn_query query = {.start = 0, .goal = 3};

    make_objects(&all);
    REFUSED(cairn_search_new(NULL, all.table, NULL, &search));
    REFUSED(cairn_search_new(all.map, all.table, NULL, NULL));
    REFUSED(cairn_search_use(NULL, all.map, all.table));
    REFUSED(cairn_search_use(all.search, NULL, all.table));
    REFUSED(cairn_search_run(all.search, 0, 3, NULL));
    REFUSED(cairn_search_begin(all.search, 0, 3, NULL));
    REFUSED(cairn_search_node_info(all.search, 0, NULL));
    REFUSED(cairn_search_cells(all.search, NULL));
    REFUSED(cairn_search_cells(NULL, &all.path));
    REFUSED(cairn_search_pull(NULL, &all.path, waypoints, &count, &length));
    REFUSED(cairn_search_pull(all.search, NULL, waypoints, &count, &length));
    REFUSED(cairn_search_pull(all.search, &all.path, waypoints, NULL, &length));
    REFUSED(cairn_search_avoid(NULL, NODES, NULL, 1));
    REFUSED(cairn_search_avoid(all.search, NULL, NULL, 1));
    REFUSED(cairn_search_run_to_any(NULL, 0, NODES, 2, &all.path));
    REFUSED(cairn_search_run_to_any(all.search, 0, NULL, 2, &all.path));
    REFUSED(cairn_search_run_to_any(all.search, 0, NODES, 2, NULL));
    REFUSED(cairn_search_run_from_any(NULL, NODES, 2, 0, &all.path));
    REFUSED(cairn_search_run_from_any(all.search, NULL, 2, 0, &all.path));
    REFUSED(cairn_search_run_from_any(all.search, NODES, 2, 0, NULL));
    REFUSED(cairn_search_begin_to_any(all.search, 0, NULL, 2, &all.path));
    REFUSED(cairn_search_begin_to_any(all.search, 0, NODES, 2, NULL));
    REFUSED(cairn_search_begin_from_any(all.search, NULL, 2, 0, &all.path));
    REFUSED(cairn_search_begin_from_any(all.search, NODES, 2, 0, NULL));
    REFUSED(cairn_search_batch(NULL, all.table, &query, 1, NULL, 1, &batch));
    REFUSED(cairn_search_batch(all.map, all.table, NULL, 1, NULL, 1, &batch));
    REFUSED(cairn_search_batch(all.map, all.table, &query, 1, NULL, 1, NULL));
    REFUSED(cairn_world_new(all.map, all.table, NULL));
    REFUSED(cairn_world_new(NULL, NULL, &world));
    REFUSED(cairn_world_edit(all.world, NULL, 1));
    REFUSED(cairn_world_draft(all.world, NULL));
    free_objects(&all);
}

/* A refused call that would have made something of a type says that it made nothing. */
#define MAKES_NONE(type, call) \
  do {                         \
    type *out = (type *)&mark; \
    REFUSED(call);             \
    assert_null(out);          \
  } while (0)

static void what_was_not_made_is_null(void **state)
{
    (void)state;
    int mark;
    size_t count = 7;
    MAKES_NONE(cairn_map, cairn_map_load(NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_map_parse(NULL, 1, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_map_from_letters(0, 0, NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_map_from_arcs(0, NULL, 0, NULL, NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_map_from_callbacks(NULL, NULL, &out));
    MAKES_NONE(cairn_map, cairn_roads_load(NULL, NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_roads_parse(NULL, 1, NULL, 0, NULL, &out, NULL));
    MAKES_NONE(cairn_map, cairn_map_clone(NULL, &out));
    MAKES_NONE(cairn_map, cairn_map_for_units(NULL, 2, CAIRN_ANCHOR_TOP_LEFT, &out));
    MAKES_NONE(cairn_flood, cairn_flood_new(NULL, &out));
    MAKES_NONE(cairn_scenario, cairn_scenario_load(NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_scenario, cairn_scenario_parse(NULL, 0, NULL, &out, NULL));
    MAKES_NONE(cairn_edits, cairn_edits_load(NULL, &out, NULL));
    MAKES_NONE(cairn_edits, cairn_edits_parse(NULL, 1, &out, NULL));
    MAKES_NONE(cairn_dynamic, cairn_dynamic_load(NULL, &out, NULL));
    MAKES_NONE(cairn_dynamic, cairn_dynamic_parse(NULL, 1, NULL, 0, &out, NULL));
    MAKES_NONE(cairn_table, cairn_table_build(NULL, NULL, &out));
    MAKES_NONE(cairn_table, cairn_table_clone(NULL, &out));
    MAKES_NONE(cairn_node, cairn_landmarks_place(NULL, NULL, &out, &count));
    assert_int_equal(count, 0);
    count = 7;
    MAKES_NONE(uint8_t, cairn_save_bytes(NULL, NULL, NULL, &out, &count));
    assert_int_equal(count, 0);
    MAKES_NONE(cairn_map, cairn_load(NULL, NULL, &out, NULL, NULL));
    MAKES_NONE(cairn_table, cairn_load_bytes(NULL, 1, NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_table, cairn_load_from(NULL, NULL, NULL, &out, NULL));
    MAKES_NONE(cairn_search, cairn_search_new(NULL, NULL, NULL, &out));
    MAKES_NONE(cairn_batch, cairn_search_batch(NULL, NULL, NULL, 0, NULL, 0, &out));
    MAKES_NONE(cairn_world, cairn_world_new(NULL, NULL, &out));
}

static void no_bytes_are_an_empty_file(void **state)
{
    (void)state;
    cairn_map *map;
    cairn_table *table;
    cairn_outline outline;
    cairn_error error;
    assert_int_equal(cairn_load_bytes(NULL, 0, NULL, &map, &table, &error), CAIRN_E_FORMAT);
    assert_string_equal(error.found, "the end of the file");
    assert_null(map);
    assert_null(table);
    assert_int_equal(cairn_outline_load_bytes(NULL, 0, &outline, &error), CAIRN_E_FORMAT);
    assert_string_equal(error.found, "the end of the file");
    assert_int_equal(cairn_map_parse(NULL, 0, NULL, &map, &error), CAIRN_E_FORMAT);
}

static void what_was_not_found_is_zero(void **state)
{
    (void)state;
    static cairn_outline outline;
    cairn_path path;
    cairn_bound bound;
    cairn_fault fault;
    cairn_view view;
    cairn_node_info info;
    cairn_map *map, *other;
    cairn_table *table;

    memset(&path, 0xff, sizeof path);
    REFUSED(cairn_search_run(NULL, 0, 0, &path));
    assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    memset(&path, 0xff, sizeof path);
    REFUSED(cairn_search_resume(NULL, 1, &path));
    assert_true(path.node_count == 0 && path.corner_count == 0 && !path.nodes && !path.corners);
    assert_int_equal(path.cost, CAIRN_UNREACHABLE);
    memset(&info, 0xff, sizeof info);
    REFUSED(cairn_search_node_info(NULL, 0, &info));
    assert_true(info.state == CAIRN_NODE_UNSEEN && info.parent == CAIRN_NO_NODE);
    assert_int_equal(info.g, CAIRN_UNREACHABLE);
    memset(&outline, 0xff, sizeof outline);
    REFUSED(cairn_outline_load(NULL, &outline, NULL));
    assert_int_equal(outline.row_count, 0);
    memset(&fault, 0xff, sizeof fault);
    REFUSED(cairn_table_verify(NULL, NULL, 1, &fault));
    assert_true(fault.row == 0 && fault.node == 0);
    memset(&view, 0xff, sizeof view);
    REFUSED(cairn_world_draft(NULL, &view));
    assert_true(!view.map && !view.table);

    assert_int_equal(cairn_map_from_letters(2, 2, "....", NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(3, 2, "......", NULL, &other, NULL), CAIRN_OK);
    assert_int_equal(cairn_table_build(other, NULL, &table), CAIRN_OK);
    memset(&bound, 0xff, sizeof bound);
    REFUSED(cairn_bound_to(map, NULL, 4, &bound));
    assert_true(!bound.map && !bound.table);
    assert_int_equal(cairn_bound_to(map, table, 0, &bound), CAIRN_E_MISMATCH);
    assert_true(!bound.map && !bound.table);
    REFUSED(cairn_bounds_at(&bound, NULL, 0, NULL));
    cairn_table_free(table);
    cairn_map_free(other);
    cairn_map_free(map);
}

/* Arrays that are not there, or that nothing uses, and counts that no array can have. */
static void counts_without_an_array_are_refused(void **state)
{
    (void)state;
    const cairn_query query = {.start = 0, .goal = 3};
    const cairn_node listed[] = {0, 3};
    cairn_build_options build = {.size = sizeof build, .placement = CAIRN_PLACE_GREEDY};
    cairn_map *map;
    cairn_table *table;
    cairn_batch *batch;
    cairn_bound bound;
    cairn_cost cost;

    assert_int_equal(cairn_map_from_letters(2, 2, "....", NULL, &map, NULL), CAIRN_OK);
    build.pair_count = 2;
    REFUSED(cairn_table_build(map, &build, &table));
    build.placement = CAIRN_PLACE_LIST;
    build.pair_count = 0;
    build.listed_count = 2;
    REFUSED(cairn_table_build(map, &build, &table));
    build.listed = listed;
    build.placement = CAIRN_PLACE_AUTO;
    REFUSED(cairn_table_build(map, &build, &table));
    assert_null(table);
    REFUSED(cairn_search_batch(map, NULL, NULL, 1, NULL, 1, &batch));
    REFUSED(cairn_search_batch(map, NULL, &query, SIZE_MAX, NULL, 1, &batch));
    REFUSED(cairn_distances(map, NULL, NULL, 1, NULL, 1, 1, NULL));
    REFUSED(cairn_map_edit(map, NULL, 1));
    assert_int_equal(cairn_bound_to(map, NULL, 0, &bound), CAIRN_OK);
    REFUSED(cairn_bounds_at(&bound, NULL, 1, &cost));
    REFUSED(cairn_bounds_at(&bound, &query.start, 1, NULL));
    assert_int_equal(cairn_bounds_at(&bound, NULL, 0, NULL), CAIRN_OK);
    cairn_map_free(map);
}

static void what_gives_back_takes_null(void **state)
{
    (void)state;
    cairn_map_free(NULL);
    cairn_scenario_free(NULL);
    cairn_edits_free(NULL);
    cairn_dynamic_free(NULL);
    cairn_flood_free(NULL);
    cairn_table_free(NULL);
    cairn_search_free(NULL);
    cairn_batch_free(NULL);
    cairn_world_free(NULL);
    cairn_bytes_free(NULL, NULL);
    cairn_nodes_free(NULL, NULL);
    cairn_world_release(NULL, NULL);
}

static void a_view_of_no_world_is_empty(void **state)
{
    (void)state;
    cairn_view view = cairn_world_acquire(NULL);
    assert_null(view.map);
    assert_null(view.table);
    cairn_world_release(NULL, &view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_on_maps_refuse_null),
        cmocka_unit_test(calls_of_floods_and_ways_refuse_null),
        cmocka_unit_test(calls_on_tables_and_files_refuse_null),
        cmocka_unit_test(calls_on_searches_and_worlds_refuse_null),
        cmocka_unit_test(one_missing_object_of_a_map_is_refused),
        cmocka_unit_test(one_missing_object_of_a_flood_is_refused),
        cmocka_unit_test(one_missing_object_of_a_way_is_refused),
        cmocka_unit_test(one_missing_object_of_a_table_is_refused),
        cmocka_unit_test(one_missing_object_of_a_file_is_refused),
        cmocka_unit_test(one_missing_object_of_a_search_is_refused),
        cmocka_unit_test(what_was_not_made_is_null),
        cmocka_unit_test(no_bytes_are_an_empty_file),
        cmocka_unit_test(what_was_not_found_is_zero),
        cmocka_unit_test(counts_without_an_array_are_refused),
        cmocka_unit_test(what_gives_back_takes_null),
        cmocka_unit_test(a_view_of_no_world_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
