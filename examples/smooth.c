/*
 * Pulls a path straight:
 *
 *     smooth [MAP]        without MAP: data/maps/town.map
 *
 * Units that may walk at any angle follow the lines between waypoints. None crosses a blocked cell,
 * nor one that the search avoids, where another unit stands.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cairn/cairn.h"

static cairn_status show(const cairn_map *map, const cairn_search *search, const cairn_path *path)
{
    cairn_node *waypoints = malloc(path->corner_count * sizeof *waypoints);
    size_t count = 0;
    double length = 0;
    cairn_status status = CAIRN_E_MEMORY;

    if (waypoints)
        status = cairn_search_pull(search, path, waypoints, &count, &length);
    printf("%zu corners, length %.2f\n", path->corner_count, path->length);
    if (status == CAIRN_OK && count > 0)
        printf("pulled straight: %zu lines, length %.2f\n", count - 1, length);
    for (size_t i = 1; status == CAIRN_OK && i < count; i++) {
        if (!cairn_sight(map, waypoints[i - 1], waypoints[i]))
            printf("line %zu is a part of the path itself\n", i);
    }
    free(waypoints);
    return status;
}

/* The path, and the one with another unit at its middle corner. */
static cairn_status show_both(const cairn_map *map, cairn_search *search)
{
    const cairn_node start = cairn_node_at(map, 3, 3), goal = cairn_node_at(map, 250, 215);
    cairn_path path;
    cairn_status status = cairn_search_run(search, start, goal, &path);
    if (status != CAIRN_OK || path.outcome != CAIRN_PATH_FOUND)
        return status;
    status = show(map, search, &path);
    if (status == CAIRN_OK)
        status = cairn_search_avoid(search, &path.corners[path.corner_count / 2], NULL, 1);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, start, goal, &path);
    if (status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND)
        status = show(map, search, &path);
    return status;
}

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "data/maps/town.map";
    cairn_map *map = NULL;
    cairn_search *search = NULL;

    cairn_status status = cairn_map_load(name, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, NULL, NULL, &search);
    if (status == CAIRN_OK)
        status = show_both(map, search);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s: %s\n", name, cairn_status_text(status));
    cairn_search_free(search);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
