/* Tables checked, and compared with one another. */
#ifndef SUPPORT_TABLES_H
#define SUPPORT_TABLES_H

#include "cairn/cairn.h"

/* CAIRN_E_FORMAT: the structure of a table is not sound, that is counts, widths, landmarks open and
 * ascending, entries of landmarks zero. CAIRN_E_MISMATCH for the table of another map. */
cairn_status table_check(const cairn_table *table, const cairn_map *map);

/* The rows of `table` have the landmarks of the same rows of `full`, which may have more. */
void assert_same_landmarks(const cairn_table *table, const cairn_table *full);

/* And the same entries. */
void assert_same_rows(const cairn_table *table, const cairn_table *full);

/* Both tables are the same, byte for byte. */
void assert_same_table(const cairn_table *one, const cairn_table *other);

/* The table is the one that its landmarks give on the map as it is, byte for byte. */
void assert_equal_to_a_rebuilt_one(const cairn_table *table, const cairn_map *map);

#endif
