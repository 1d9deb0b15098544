/* A program of one file, for the build by one compiler line: builds a table and walks by it. */
#include <stdio.h>

#include "cairn/cairn.h"

int main(void)
{
    static const char letters[] = "......"
                                  ".@@@@."
                                  "....@."
                                  ".@@.@."
                                  "......";
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;
    static cairn_path path;

    cairn_status status = cairn_map_from_letters(6, 5, letters, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, NULL, &table);
    if (status == CAIRN_OK)
        status = cairn_table_verify(table, map, 1, NULL);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, cairn_node_at(map, 3, 2), cairn_node_at(map, 5, 2),
                                  &path);
    bool found = status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND;
    if (found)
        printf("%.0f steps\n", path.length);
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return found ? 0 : 1;
}
