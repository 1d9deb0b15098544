#include "table_hash.h"

#include "check.h"

/* FNV-1a over the four bytes of a number. */
static uint64_t mix(uint64_t hash, uint32_t number)
{
    for (int i = 0; i < 4; i++, number >>= 8)
        hash = (hash ^ (number & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t table_hash_with(const cairn_table *table, const cairn_map *map, const cairn_cost *costs)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    hash = mix(hash, cairn_table_entry_bits(table));
    hash = mix(hash, cairn_table_metric(table).straight);
    hash = mix(hash, cairn_table_metric(table).diagonal);
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++)
            hash = mix(hash, landmarks[i]);
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++, costs++)
            if (cairn_map_is_open(map, node))
                hash = mix(hash, *costs);
    }
    return hash;
}

uint64_t table_hash(const cairn_table *table, const cairn_map *map)
{
    uint32_t rows = cairn_table_row_count(table), nodes = cairn_map_node_count(map);
    cairn_cost *costs = malloc((size_t)rows * nodes * sizeof *costs + 1);
    assert_non_null(costs);
    for (uint32_t row = 0; row < rows; row++)
        for (cairn_node node = 0; node < nodes; node++)
            costs[(size_t)row * nodes + node] = cairn_table_cost(table, row, node);
    uint64_t hash = table_hash_with(table, map, costs);
    free(costs);
    return hash;
}
