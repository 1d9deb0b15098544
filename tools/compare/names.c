/* What tables are called in reports: by their files, so that no two have the same name. */
#include <stdio.h>
#include <string.h>

#include "compare/compare.h"
#include "kit/output.h"
#include "kit/system.h"

/* The end of a path that is longer by a folder. */
static const char *with_folder(const char *path, const char *end)
{
    do
        end--;
    while (end > path && !strchr(kit_file_separators, end[-1]));
    return end;
}

/* Whether a path ends with these folders and the name of a file. */
static bool ends_with(const char *path, const char *end)
{
    const size_t size = strlen(path), end_size = strlen(end);
    if (size < end_size || strcmp(path + size - end_size, end) != 0)
        return false;
    return size == end_size || strchr(kit_file_separators, path[size - end_size - 1]);
}

/* Whether another table's path ends like that; a table with the very same path does not count. */
static bool is_shared(const comparison *work, size_t table, const char *end)
{
    const char *path = work->table_paths[table];
    for (size_t i = 0; i < work->table_count; i++)
        if (strcmp(work->table_paths[i], path) != 0 && ends_with(work->table_paths[i], end))
            return true;
    return false;
}

/* Which of the tables with the very same path it is; 0: there is no other. */
static size_t number_of(const comparison *work, size_t table)
{
    size_t count = 0, number = 0;
    for (size_t i = 0; i < work->table_count; i++) {
        count += strcmp(work->table_paths[i], work->table_paths[table]) == 0;
        if (i == table)
            number = count;
    }
    return count > 1 ? number : 0;
}

void comparison_name_tables(comparison *work)
{
    for (size_t table = 0; table < work->table_count; table++) {
        const char *path = work->table_paths[table], *end = kit_file_name(path);
        const size_t number = number_of(work, table);
        char *name = work->table_names[table];
        while (end > path && is_shared(work, table, end))
            end = with_folder(path, end);
        if (number)
            snprintf(name, TABLE_NAME_MAX, "%.*s (%zu)", TABLE_NAME_MAX - 24, end, number);
        else
            snprintf(name, TABLE_NAME_MAX, "%s", end);
    }
}
