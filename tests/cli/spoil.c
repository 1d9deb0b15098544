/* Makes a table wrong on purpose, for cases about `cairn verify`:
 *
 *     spoil TABLE ROW X Y DELTA OUT
 *
 * writes TABLE to OUT with DELTA added to one entry. */
#include <stdio.h>
#include <stdlib.h>

#include "cairn/cairn.h"

static uint32_t number(const char *text)
{
    return (uint32_t)strtol(text, NULL, 10);
}

int main(int count, char **words)
{
    cairn_map *map;
    cairn_table *table;

    if (count != 7 || cairn_load(words[1], NULL, &map, &table, NULL) != CAIRN_OK)
        return 2;
    uint32_t row = number(words[2]);
    cairn_node node = cairn_node_at(map, number(words[3]), number(words[4]));
    cairn_cost cost = cairn_table_cost(table, row, node) + number(words[5]);
    cairn_status status = cairn_table_set_cost(table, row, node, cost);
    if (status == CAIRN_OK)
        status = cairn_save(map, table, words[6], NULL);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
