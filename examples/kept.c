/*
 * Values that a game keeps between frames: they are computed again only when the map or the table
 * from which they were computed has changed, within a budget of memory. A path that is kept is
 * checked after an edit.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 7, CORNERS = 32, MEMORY_BUDGET = 512 * 1024 };

static const char level[] = "......@....."
                            "......@....."
                            "............"
                            "......@....."
                            "......@....."
                            "......@....."
                            "............";

/* The distance from a monster, a bound, and the way of a unit. */
typedef struct knowledge {
    cairn_flood *flood;
    uint64_t map_version;   /* of the map when `distance` was computed; 0: never */
    uint64_t table_version; /* of the table when its state was shown */
    cairn_cost distance[WIDTH * HEIGHT];
    cairn_bound bound;
    cairn_node corners[CORNERS];
    size_t corner_count;
} knowledge;

static cairn_status update(const cairn_map *map, const cairn_table *table, knowledge *known)
{
    const cairn_node monster = cairn_node_at(map, 0, 6);
    cairn_status status = CAIRN_OK;

    if (known->map_version != cairn_map_version(map)) {
        status = cairn_flood_to(known->flood, &monster, 1, known->distance);
        known->map_version = cairn_map_version(map);
        printf("to the monster: %.2f\n",
               cairn_length(map, known->distance[cairn_node_at(map, 8, 2)]));
    }
    if (known->table_version != cairn_table_version(table)) {
        known->table_version = cairn_table_version(table);
        printf("row 0 is %s\n",
               cairn_table_row_state(table, map, 0) == CAIRN_ROW_FRESH ? "exact" : "not exact");
    }
    if (status == CAIRN_OK && (!known->bound.map || !cairn_bound_is_current(&known->bound)))
        status = cairn_bound_to(map, table, cairn_node_at(map, 10, 2), &known->bound);
    return status;
}

/* The level as it is after edits, as a saved game would hold it. */
static void show(const cairn_map *map)
{
    char letters[WIDTH * HEIGHT];
    if (cairn_map_letters(map, letters) != CAIRN_OK)
        return;
    for (int y = 0; y < HEIGHT; y++)
        printf("%.*s\n", WIDTH, letters + y * WIDTH);
}

/* A unit is on its way through the gate. */
static cairn_status set_out(const cairn_map *map, cairn_search *search, knowledge *known)
{
    cairn_path path;
    const cairn_status status = cairn_search_run(search, cairn_node_at(map, 3, 0),
                                                 cairn_node_at(map, 10, 0), &path);

    known->corner_count = path.corner_count < CORNERS ? path.corner_count : 0;
    for (size_t i = 0; i < known->corner_count; i++)
        known->corners[i] = path.corners[i];
    return status;
}

/* Whether its path still leads there. */
static cairn_status check_way(const cairn_map *map, const knowledge *known)
{
    cairn_cost cost;
    size_t broken;
    const cairn_status status = cairn_path_cost(map, known->corners, known->corner_count, &cost,
                                                &broken);

    if (status == CAIRN_OK && broken < known->corner_count)
        printf("the way is closed before its corner %zu\n", broken + 1);
    else if (status == CAIRN_OK)
        printf("the way is open: %.2f\n", cairn_length(map, cost));
    return status;
}

static cairn_status play(cairn_map *map, cairn_table *table, cairn_search *search, knowledge *known)
{
    const cairn_edit gate = cairn_block(6, 2);

    cairn_status status = update(map, table, known);
    if (status == CAIRN_OK)
        status = set_out(map, search, known);
    if (status == CAIRN_OK)
        status = check_way(map, known);
    if (status == CAIRN_OK)
        status = cairn_map_edit(map, &gate, 1);
    if (status == CAIRN_OK)
        status = check_way(map, known);
    if (status == CAIRN_OK)
        status = cairn_refresh_step(table, map, CAIRN_UNLIMITED);
    if (status == CAIRN_OK)
        status = update(map, table, known);
    size_t memory = cairn_map_memory(map) + cairn_table_memory(table) + cairn_search_memory(search);
    printf("memory %s its budget\n", memory <= MEMORY_BUDGET ? "within" : "beyond");
    return status;
}

int main(void)
{
    cairn_build_options build = {.size = sizeof build, .landmark_count = 4};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;
    knowledge known = {.table_version = UINT64_MAX};

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, level, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &build, &table);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = cairn_flood_new(map, &known.flood);
    if (status == CAIRN_OK)
        status = play(map, table, search, &known);
    if (status == CAIRN_OK)
        show(map);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_flood_free(known.flood);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
