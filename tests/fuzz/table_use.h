/* What the harnesses of table files do with whatever was loaded. */
#ifndef FUZZ_TABLE_USE_H
#define FUZZ_TABLE_USE_H

#include "fuzz.h"

/* Bytes that map and table may take, and all the memory that loading them may. */
enum { FUZZ_TABLE_LIMIT = 256 << 10, FUZZ_LOADING_LIMIT = 24 << 20 };

/* Loads, and checks what came of it; CAIRN_OK when there is a table. */
cairn_status fuzz_check_load(cairn_status status, const cairn_map *map, const cairn_table *table,
                             const cairn_error *error);

/* Landmarks are open cells in order and entries are costs. */
void fuzz_check_table(const cairn_map *map, const cairn_table *table);

/* Searches, edits and repairs with it: entries may be wrong, so answers may, but nothing more. */
void fuzz_use_table(cairn_map *map, cairn_table *table, uint32_t pick);

/* It comes back from a file of its own as it is. */
void fuzz_save_again(const cairn_map *map, const cairn_table *table);

#endif
