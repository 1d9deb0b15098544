#include "table_use.h"

#include <stdlib.h>

void fuzz_check_table(const cairn_map *map, const cairn_table *table)
{
    uint32_t rows = cairn_table_row_count(table);

    FUZZ_CHECK(rows > 0 && rows <= CAIRN_ROWS_MAX);
    for (uint32_t row = 0; row < rows; row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            FUZZ_CHECK(cairn_map_is_open(map, landmarks[i]));
            FUZZ_CHECK(i == 0 || landmarks[i] > landmarks[i - 1]);
        }
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
            cairn_cost cost = cairn_table_cost(table, row, node);
            FUZZ_CHECK(cost <= CAIRN_COST_MAX || cost == CAIRN_UNREACHABLE);
        }
    }
}

cairn_status fuzz_check_load(cairn_status status, const cairn_map *map, const cairn_table *table,
                             const cairn_error *error)
{
    if (status == CAIRN_OK) {
        fuzz_check_map(map);
        fuzz_check_table(map, table);
        return status;
    }
    FUZZ_CHECK(!table);
    fuzz_check_refusal(status, error);
    return status;
}

/* Steps of a path lead from open cell to open cell. */
static void check_path(const cairn_map *map, const cairn_path *path, cairn_node start,
                       cairn_node goal)
{
    if (path->outcome != CAIRN_PATH_FOUND)
        return;
    FUZZ_CHECK(path->node_count > 0 && path->nodes[0] == start);
    FUZZ_CHECK(path->nodes[path->node_count - 1] == goal);
    for (size_t i = 0; i < path->node_count; i++)
        FUZZ_CHECK(cairn_map_is_open(map, path->nodes[i]));
}

static void search(const cairn_map *map, const cairn_table *table, cairn_space space, uint32_t pick)
{
    cairn_search_options options = {.size = sizeof options,
                                    .space = space,
                                    .weight = pick & 64 ? 1500 : 0,
                                    .nearest = pick & 128};
    uint32_t count = cairn_map_node_count(map);
    cairn_search *made;

    FUZZ_CHECK(cairn_search_new(map, table, &options, &made) == CAIRN_OK);
    for (uint32_t i = 0; i < 4; i++) {
        cairn_node start = (pick >> i) % count, goal = (pick * (i + 3) >> 7) % count;
        cairn_path path;
        FUZZ_CHECK(cairn_search_run(made, start, goal, &path) == CAIRN_OK);
        check_path(map, &path, start, goal);
    }
    cairn_search_free(made);
}

static bool edit_cells(cairn_map *map, const cairn_table *table, uint32_t pick)
{
    uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
    uint32_t x = pick % width, y = pick / 7 % height, more = pick / 256 % 4, to_x = 0, to_y = 0;
    const cairn_node *landmarks;

    if (cairn_table_landmarks(table, pick % 3, &landmarks) > 0)
        cairn_node_xy(map, landmarks[0], &to_x, &to_y);
    cairn_edit edits[] = {
        pick & 32 ? cairn_block(x, y) : cairn_open(x, y),
        cairn_block(to_x, to_y),
        cairn_rectangle(x, y, (width - x + 1) / 2, (height - y + 1) / 2, pick & 64 ? '@' : '.'),
    };
    /* Refused: a letter that this map does not have. */
    return cairn_map_edit(map, edits, more < 3 ? more + 1 : 1) == CAIRN_OK;
}

/* Of some nodes, the first arc that leaves each. */
static bool edit_arcs(cairn_map *map, uint32_t pick)
{
    bool is_edited = false;

    for (uint32_t i = 0; i < 4; i++) {
        cairn_arc arc;
        if (cairn_steps(map, (pick + i) % cairn_map_node_count(map), &arc, 1) == 0)
            continue;
        const cairn_cost cost = pick >> i & 16 ? arc.cost / 2 + 1 : 2 * (arc.cost % 1000) + 1;
        const cairn_edit edit = cairn_arc_cost(arc.from, arc.to, cost);
        FUZZ_CHECK(cairn_map_edit(map, &edit, 1) == CAIRN_OK);
        is_edited = true;
    }
    return is_edited;
}

/* A table that was exact is so again; of any other, repair makes what it can. */
static void edit_and_repair(cairn_map *map, cairn_table *table, bool is_exact, uint32_t pick)
{
    const bool is_graph = cairn_map_kind_of(map) == CAIRN_MAP_GRAPH;
    if (!(is_graph ? edit_arcs(map, pick) : edit_cells(map, table, pick)))
        return;
    search(map, table, CAIRN_SPACE_AUTO, pick);
    (void)cairn_refresh_step(table, map, CAIRN_CELLS(0)); /* so that the next one does not wait */
    cairn_status status = cairn_refresh_step(table, map, CAIRN_CELLS(200));
    if (status == CAIRN_MORE)
        status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_LIMIT);
    if (status == CAIRN_OK && is_exact) {
        fuzz_check_table(map, table);
        FUZZ_CHECK(cairn_table_verify(table, map, 1, NULL) == CAIRN_OK);
    }
}

void fuzz_save_again(const cairn_map *map, const cairn_table *table)
{
    cairn_save_options options = {.size = sizeof options, .thread_count = 1};
    cairn_load_options limits = {.size = sizeof limits, .thread_count = 1};
    uint8_t *bytes;
    size_t size;
    cairn_map *other;
    cairn_table *again;

    FUZZ_CHECK(cairn_save_bytes(map, table, &options, &bytes, &size) == CAIRN_OK);
    FUZZ_CHECK(cairn_load_bytes(bytes, size, &limits, &other, &again, NULL) == CAIRN_OK);
    cairn_bytes_free(map, bytes);
    FUZZ_CHECK(cairn_map_hash(map) == cairn_map_hash(other));
    FUZZ_CHECK(cairn_table_row_count(table) == cairn_table_row_count(again));
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            FUZZ_CHECK(cairn_table_cost(table, row, node) == cairn_table_cost(again, row, node));
    }
    cairn_table_free(again);
    cairn_map_free(other);
}

void fuzz_use_table(cairn_map *map, cairn_table *table, uint32_t pick)
{
    cairn_fault fault;
    cairn_status status = cairn_table_verify(table, map, 1, &fault);

    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_INEXACT);
    if (status == CAIRN_E_INEXACT) {
        FUZZ_CHECK(fault.row < cairn_table_row_count(table));
        FUZZ_CHECK(fault.node < cairn_map_node_count(map));
    }
    search(map, table, CAIRN_SPACE_AUTO, pick);
    search(map, table, CAIRN_SPACE_CELLS, pick);
    edit_and_repair(map, table, status == CAIRN_OK, pick);
}
