/* For a build that leaves out codecs: says of each file whether it can be read, or what is missing,
 * and whether the table of the first one that can comes back from a file of its own. */
#include <stdio.h>

#include "cairn/cairn.h"

static void write_and_read(const cairn_map *map, const cairn_table *table)
{
    uint8_t *bytes;
    size_t size;
    cairn_table *again = NULL;

    cairn_status status = cairn_save_bytes(map, table, NULL, &bytes, &size);
    if (status == CAIRN_OK)
        status = cairn_load_bytes(bytes, size, NULL, NULL, &again, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_verify(again, map, 1, NULL);
    printf(", written and read: %s\n", cairn_status_text(status));
    cairn_table_free(again);
    cairn_bytes_free(map, bytes);
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        if (cairn_load(words[i], NULL, &map, &table, &error) == CAIRN_OK) {
            printf("read");
            write_and_read(map, table);
        } else {
            printf("expected %s, found %s\n", error.expected, error.found);
        }
        cairn_table_free(table);
        cairn_map_free(map);
    }
    return 0;
}
