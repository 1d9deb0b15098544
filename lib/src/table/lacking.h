/*
 * What a table lacks of its map: the cells that differ now from what they were when edits were last
 * applied to the table. Such a list follows the map from one state to the next, so that the journal
 * of the map need not reach back to the table, and a cell that a unit enters and leaves is not on
 * it.
 */
#ifndef CN_TABLE_LACKING_H
#define CN_TABLE_LACKING_H

#include "map/journal.h"
#include "table/table.h"

/* All zero: nothing is known. */
typedef struct cn_lacking {
    bool is_known;       /* these are all */
    uint64_t table_hash; /* of the map whose costs the table holds */
    uint64_t map_hash;   /* of the map as it was when the list last followed it */
    uint64_t map_fixed_hash;
    cn_former_cells cells; /* ascending, with what they were for the table; of a graph nodes whose
                            * arcs have changed, with letters that mean nothing */
} cn_lacking;

/* Makes a list, of which nothing need be known, one of the map as it is now: from the list itself
 * where it is of this state of the table, or else from the journal of the map. It is not known then
 * where the map has forgotten what changed, or very many cells have. After CAIRN_E_MEMORY it is one
 * of a former state. */
cairn_status cn_lacking_follow(cn_lacking *self, const cn_mem *mem, const cairn_table *table,
                               const cairn_map *map);

/* Makes an empty list a copy of another one. CAIRN_E_MEMORY: it stays empty. */
cairn_status cn_lacking_copy(cn_lacking *self, const cn_mem *mem, const cn_lacking *from);

/* Whether all is known that a table lacks of its map as it is now. */
bool cn_lacking_fits(const cn_lacking *self, const cairn_table *table, const cairn_map *map);

/* The place of a cell on the list; SIZE_MAX: it is not there. */
size_t cn_lacking_find(const cn_lacking *self, cairn_node cell);

void cn_lacking_free(cn_lacking *self, const cn_mem *mem);

/* The bytes that it has taken from its allocator. */
size_t cn_lacking_memory(const cn_lacking *self);

#endif
