/*
 * A first program: a map, its table, a path.
 *
 *     first [MAP]         without MAP: data/maps/town.map
 */
#include <stdio.h>

#include "cairn/cairn.h"

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "data/maps/town.map";
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;
    cairn_path path;
    cairn_error error = {0};
    char text[256];

    cairn_status status = cairn_map_load(name, NULL, &map, &error);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, NULL, &table);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, cairn_node_at(map, 3, 3), cairn_node_at(map, 250, 215),
                                  &path);
    if (status == CAIRN_OK)
        printf("length %.2f, %zu corners, %llu nodes expanded\n", path.length, path.corner_count,
               (unsigned long long)path.expanded);
    error.status = status; /* also where a later call has failed */
    if (status != CAIRN_OK && cairn_error_text(&error, name, text, sizeof text))
        fprintf(stderr, "%s\n", text);

    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
