/* A table in one number: what its rows count in, every landmark and every entry. */
#ifndef SUPPORT_TABLE_HASH_H
#define SUPPORT_TABLE_HASH_H

#include "cairn/cairn.h"

uint64_t table_hash(const cairn_table *table, const cairn_map *map);

/* The same with the entries taken from elsewhere: `costs` of every node, row after row. */
uint64_t table_hash_with(const cairn_table *table, const cairn_map *map, const cairn_cost *costs);

#endif
