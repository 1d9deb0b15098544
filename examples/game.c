/*
 * A game that uses Cairn's own search and edits its map while it runs: a gate closes, the next
 * paths are shortest again, and the table is repaired a little in every frame.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 7 };

/* Two halls behind a wall with two gates. */
static const char level[] = "......@....."
                            "......@....."
                            "............"
                            "......@....."
                            "......@....."
                            "......@....."
                            "............";

static unsigned frames;

static void next_frame(void)
{
    frames++;
}

static cairn_status show_path(const cairn_map *map, cairn_search *search, const char *when)
{
    cairn_node start = cairn_node_at(map, 1, 2);
    cairn_node goal = cairn_node_at(map, 10, 2);
    cairn_path path;

    cairn_status status = cairn_search_run(search, start, goal, &path);
    if (status != CAIRN_OK)
        return status;
    printf("%s: length %.2f, corners", when, path.length);
    for (size_t i = 0; i < path.corner_count; i++) {
        uint32_t x, y;
        cairn_node_xy(map, path.corners[i], &x, &y);
        printf(" %u,%u", x, y);
    }
    printf("\n");
    return CAIRN_OK;
}

/* A unit stands in the gate: without an edit of the map, the next queries go around it. */
static cairn_status avoid_a_unit(const cairn_map *map, cairn_search *search)
{
    const cairn_node unit = cairn_node_at(map, 6, 2);
    cairn_status status = cairn_search_avoid(search, &unit, NULL, 1);
    if (status == CAIRN_OK)
        status = show_path(map, search, "unit in the gate");
    return status == CAIRN_OK ? cairn_search_avoid(search, NULL, NULL, 0) : status;
}

static cairn_status close_the_gate(cairn_map *map, cairn_table *table, cairn_search *search)
{
    cairn_edit edits[] = {cairn_block(6, 2), cairn_terrain(3, 3, 'T')};
    cairn_status status = cairn_map_edit(map, edits, 2);
    if (status == CAIRN_OK)
        status = show_path(map, search, "gate closed");
    if (status != CAIRN_OK)
        return status;
    while ((status = cairn_refresh_step(table, map, CAIRN_MICROSECONDS(200))) == CAIRN_MORE)
        next_frame();
    return status;
}

int main(void)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = 4};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, level, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = show_path(map, search, "gate open");
    if (status == CAIRN_OK)
        status = avoid_a_unit(map, search);
    if (status == CAIRN_OK)
        status = close_the_gate(map, table, search);
    if (status == CAIRN_OK)
        status = show_path(map, search, "table repaired");
    if (status != CAIRN_OK)
        fprintf(stderr, "%s\n", cairn_status_text(status));
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
