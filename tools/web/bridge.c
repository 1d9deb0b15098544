#include "bridge.h"

#include <stdlib.h>
#include <string.h>

enum { BASE, LANDMARKS, KINDS };

/* How a search ended, as the page reads it: numbers in this order. */
enum { OUTCOME, COST, LENGTH, EXPANDED, CELLS, ROWS, ROW_STATE, REPORT_SIZE };

/* What a search knows of a node, in this order. */
enum { STATE, PARENT, G, H, F, LOOK_SIZE };

typedef struct run {
    cairn_search *stepped; /* along cells, and may be seen_node at */
    cairn_search *fast;    /* the library's default */
    cairn_path path;
    double report[REPORT_SIZE];
} run;

static cairn_map *map;
static cairn_table *table;
static cairn_flood *flood;
static uint8_t *flow; /* NULL: no field was made for the map */
static run runs[KINDS];
static cairn_search_options choice = {.size = sizeof choice, .space = CAIRN_SPACE_CELLS};
static cairn_error error;

/* Memory that the page writes to, and that answers are written to. */
static void *room;
static uint8_t *bytes;
static cairn_cost *costs;
static cairn_node *nodes;
static double seen_node[LOOK_SIZE];

/* ----------------------------------------------------------------------------------- map -- */

static void close_searches(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        cairn_search_free(runs[kind].stepped);
        cairn_search_free(runs[kind].fast);
        runs[kind] = (run){0};
    }
}

static void close_table(void)
{
    close_searches();
    cairn_table_free(table);
    table = NULL;
}

static void close_flow(void)
{
    cairn_flood_free(flood);
    free(flow);
    flood = NULL;
    flow = NULL;
}

static void close_map(void)
{
    close_table();
    close_flow();
    cairn_map_free(map);
    free(bytes);
    free(costs);
    free(nodes);
    map = NULL;
    bytes = NULL;
    costs = NULL;
    nodes = NULL;
}

static cairn_status make_answers(void)
{
    uint32_t count = cairn_map_node_count(map);
    bytes = malloc(count);
    costs = malloc(count * sizeof *costs);
    nodes = malloc(count * sizeof *nodes);
    if (!bytes || !costs || !nodes)
        return CAIRN_E_MEMORY;
    for (cairn_node node = 0; node < count; node++)
        nodes[node] = node;
    return CAIRN_OK;
}

void *demo_room(uint32_t size)
{
    void *grown = realloc(room, size);
    room = grown ? grown : room;
    return grown;
}

int demo_open_map(uint32_t size, uint32_t terrain_size, uint32_t rule)
{
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options,
                                 .rule = (cairn_rule)rule,
                                 .charge = CAIRN_CHARGE_AVERAGE,
                                 .alphabet = &alphabet};
    close_map();
    cairn_alphabet_init(&alphabet);
    cairn_status status = cairn_alphabet_parse((const char *)room + size, terrain_size, &alphabet,
                                               &error);
    if (status == CAIRN_OK)
        status = cairn_map_parse(room, size, &options, &map, &error);
    if (status == CAIRN_OK && cairn_map_kind_of(map) != CAIRN_MAP_GRID) {
        error = (cairn_error){.expected = "a grid", .found = "roads"};
        status = CAIRN_E_FORMAT;
    }
    if (status == CAIRN_OK)
        status = make_answers();
    if (status != CAIRN_OK)
        close_map();
    return (int)status;
}

uint32_t demo_error_line(void)
{
    return (uint32_t)error.line;
}

const char *demo_error_expected(void)
{
    return error.expected ? error.expected : "";
}

const char *demo_error_found(void)
{
    return error.found;
}

const char *demo_status_text(int status)
{
    return cairn_status_text((cairn_status)status);
}

uint32_t demo_width(void)
{
    return cairn_map_width(map);
}

uint32_t demo_height(void)
{
    return cairn_map_height(map);
}

const uint8_t *demo_letters(void)
{
    uint32_t count = cairn_map_node_count(map);
    for (cairn_node node = 0; node < count; node++)
        bytes[node] = (uint8_t)cairn_map_letter(map, node);
    return bytes;
}

uint32_t demo_straight_cost(void)
{
    return cairn_map_metric(map).straight * cairn_map_unit(map);
}

int demo_edit(uint32_t x, uint32_t y, uint32_t width, uint32_t height, int letter)
{
    cairn_edit edit = cairn_rectangle(x, y, width, height, (char)letter);
    return (int)cairn_map_edit(map, &edit, 1);
}

/* --------------------------------------------------------------------------------- table -- */

int demo_build(uint32_t row_count, uint32_t listed_count)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = row_count};
    if (listed_count > 0) {
        options.placement = CAIRN_PLACE_LIST;
        options.listed = room;
        options.listed_count = listed_count;
    }
    close_table();
    return row_count > 0 ? (int)cairn_table_build(map, &options, &table) : CAIRN_OK;
}

uint32_t demo_row_count(void)
{
    return table ? cairn_table_row_count(table) : 0;
}

const cairn_node *demo_landmarks(uint32_t row)
{
    const cairn_node *found;
    cairn_table_landmarks(table, row, &found);
    return found;
}

uint32_t demo_landmark_count(uint32_t row)
{
    const cairn_node *found;
    return (uint32_t)cairn_table_landmarks(table, row, &found);
}

int demo_row_state(uint32_t row)
{
    return (int)cairn_table_row_state(table, map, row);
}

const cairn_cost *demo_row_costs(uint32_t row)
{
    uint32_t count = cairn_map_node_count(map);
    for (cairn_node node = 0; node < count; node++)
        costs[node] = cairn_table_cost(table, row, node);
    return costs;
}

uint32_t demo_row_cost(uint32_t row, cairn_node node)
{
    return cairn_table_cost(table, row, node);
}

int demo_refresh(uint32_t cells)
{
    return table ? (int)cairn_refresh_step(table, map, CAIRN_CELLS(cells)) : CAIRN_OK;
}

double demo_refreshed_cells(void)
{
    return table ? (double)cairn_table_refresh_counts(table).cells : 0;
}

const cairn_cost *demo_bounds(int kind, cairn_node goal)
{
    cairn_bound bound;
    if (cairn_bound_with(map, kind == LANDMARKS ? table : NULL, goal, choice.plain, &bound) !=
        CAIRN_OK)
        return NULL;
    cairn_bounds_at(&bound, nodes, cairn_map_node_count(map), costs);
    return costs;
}

const cairn_cost *demo_exact_costs(cairn_node goal)
{
    return cairn_costs_to(map, &goal, 1, costs) == CAIRN_OK ? costs : NULL;
}

/* ------------------------------------------------------------------------------ searches -- */

void demo_choose(int heuristic, uint32_t weight, int ties)
{
    choice.plain = (cairn_plain)heuristic;
    choice.weight = weight;
    choice.ties = (cairn_ties)ties;
    close_searches();
}

int demo_is_admissible(void)
{
    return cairn_bound_is_admissible(map, choice.plain);
}

static cairn_status make_searches(int kind)
{
    const cairn_table *rows = kind == LANDMARKS ? table : NULL;
    const cairn_search_options corners = {.size = sizeof corners, .form = CAIRN_FORM_CORNERS};
    run *self = &runs[kind];

    if (self->stepped)
        return CAIRN_OK;
    cairn_status status = cairn_search_new(map, rows, &choice, &self->stepped);
    return status == CAIRN_OK ? cairn_search_new(map, rows, &corners, &self->fast) : status;
}

static void tell(run *self)
{
    const cairn_path *path = &self->path;
    self->report[OUTCOME] = (double)path->outcome;
    self->report[COST] = (double)path->cost;
    self->report[LENGTH] = path->length;
    self->report[EXPANDED] = (double)path->expanded;
    self->report[CELLS] = (double)path->node_count;
    self->report[ROWS] = (double)path->row_count;
    self->report[ROW_STATE] = (double)path->state;
}

int demo_begin(int kind, cairn_node start, cairn_node goal)
{
    run *self = &runs[kind];
    cairn_status status = make_searches(kind);
    if (status == CAIRN_OK)
        status = cairn_search_begin(self->stepped, start, goal, &self->path);
    tell(self);
    return (int)status;
}

int demo_resume(int kind, uint32_t expansions)
{
    run *self = &runs[kind];
    cairn_status status = self->path.outcome == CAIRN_PATH_PAUSED
                              ? cairn_search_resume(self->stepped, expansions, &self->path)
                              : CAIRN_OK;
    tell(self);
    return (int)status;
}

const double *demo_report(int kind)
{
    return runs[kind].report;
}

const cairn_node *demo_path_cells(int kind)
{
    return runs[kind].path.nodes;
}

const uint8_t *demo_states(int kind)
{
    uint32_t count = cairn_map_node_count(map);
    cairn_node_info info;
    for (cairn_node node = 0; node < count; node++) {
        cairn_status status = cairn_search_look(runs[kind].stepped, node, &info);
        bytes[node] = status == CAIRN_OK ? (uint8_t)info.state : CAIRN_NODE_UNSEEN;
    }
    return bytes;
}

const double *demo_look(int kind, cairn_node node)
{
    cairn_node_info info;
    memset(seen_node, 0, sizeof seen_node);
    if (!runs[kind].stepped || cairn_search_look(runs[kind].stepped, node, &info) != CAIRN_OK)
        return seen_node;
    seen_node[STATE] = (double)info.state;
    seen_node[PARENT] = (double)info.parent;
    seen_node[G] = (double)info.g;
    seen_node[H] = (double)info.h;
    seen_node[F] = (double)info.f;
    return seen_node;
}

double demo_run_fast(int kind, cairn_node start, cairn_node goal, uint32_t times)
{
    cairn_path path = {.expanded = 0};
    cairn_status status = make_searches(kind);
    while (status == CAIRN_OK && times-- > 0)
        status = cairn_search_run(runs[kind].fast, start, goal, &path);
    return status == CAIRN_OK ? (double)path.expanded : -1;
}

/* --------------------------------------------------------------------------------- crowd -- */

int demo_flow(cairn_node target)
{
    cairn_status status = flood ? CAIRN_OK : cairn_flood_new(map, &flood);
    if (!flow)
        flow = malloc(cairn_map_node_count(map));
    if (status == CAIRN_OK && !flow)
        status = CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = cairn_flood_flow(flood, &target, 1, flow, NULL);
    if (status != CAIRN_OK)
        close_flow();
    return (int)status;
}

cairn_node demo_flow_next(cairn_node node)
{
    return flow ? cairn_flow_next(map, flow, node) : CAIRN_NO_NODE;
}
