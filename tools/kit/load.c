#include "load.h"

#include <stdio.h>
#include <string.h>

#include "exits.h"
#include "say.h"

int kit_load_table(const char *path, cairn_map **map, cairn_table **table)
{
    cairn_error error;
    if (cairn_load(path, NULL, map, table, &error) != CAIRN_OK)
        return kit_refuse(path, &error);
    return KIT_EXIT_OK;
}

int kit_load_map(const char *path, cairn_metric metric, cairn_map **map)
{
    cairn_error error;
    cairn_map_options options = {.size = sizeof options, .metric = metric};
    if (cairn_map_load(path, &options, map, &error) != CAIRN_OK)
        return kit_refuse(path, &error);
    return KIT_EXIT_OK;
}

/* A table starts with a byte that no text has; a file that cannot be read is left to the loader
 * to complain about. */
static bool is_table(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    int first = fgetc(file);
    fclose(file);
    return first >= 0x80;
}

int kit_load_either(const char *path, cairn_map **map, cairn_table **table)
{
    *table = NULL;
    if (is_table(path))
        return kit_load_table(path, map, table);
    return kit_load_map(path, (cairn_metric){0, 0}, map);
}
