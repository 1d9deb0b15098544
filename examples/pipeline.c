/*
 * Offline: makes the table file that a game ships from the text of a map.
 *
 *     pipeline data/maps/town.map town.cairn
 */
#include <stdio.h>

#include "cairn/cairn.h"

static int complain(const char *path, const cairn_error *error)
{
    char line[400];

    cairn_error_text(error, path, line, sizeof line);
    fprintf(stderr, "%s\n", line);
    return 1;
}

static cairn_status build(cairn_map *map, const char *table_path)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = 16};
    cairn_table *table = NULL;

    cairn_status status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        status = cairn_table_verify(table, map, 0, NULL);
    if (status == CAIRN_OK)
        status = cairn_save(map, table, table_path, NULL);
    if (status == CAIRN_OK)
        printf("%u rows of %u open cells\n", cairn_table_row_count(table),
               cairn_map_open_count(map));
    cairn_table_free(table);
    return status;
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: pipeline MAP TABLE\n");
        return 2;
    }
    const char *map_path = words[1];
    const char *table_path = words[2];
    cairn_map *map;
    cairn_error error;

    if (cairn_map_load(map_path, NULL, &map, &error) != CAIRN_OK)
        return complain(map_path, &error);

    cairn_status status = build(map, table_path);
    if (status != CAIRN_OK)
        fprintf(stderr, "%s: %s\n", table_path, cairn_status_text(status));
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
