/*
 * Replicas: a copy that follows a table. Writes to the table mark blocks of nodes as dirty
 * (cn_table_mark). Later the dirty blocks are copied, some at a time, which takes time in
 * proportion to what changed. docs/decisions/readers.md has the reasons.
 */
#ifndef CN_TABLE_TABLE_REPLICA_H
#define CN_TABLE_TABLE_REPLICA_H

#include "table/table.h"

/* Marks for a table and its replica, which are equal now. CAIRN_E_MEMORY. */
cairn_status cn_dirty_init(cn_dirty *dirty, const cn_mem *mem, const cairn_table *table);
void cn_dirty_free(cn_dirty *dirty, const cn_mem *mem);

/* A replica, `to`, and what has still to be copied to it. */
typedef struct cn_replica {
    const cairn_table *from;
    cairn_table *to;
    cn_dirty *dirty;
    uint32_t next; /* among all blocks, or among those that are marked */
    bool has_rest;
} cn_replica;

/* Copies at most `most` blocks. True when nothing is left: the tables are then equal, and all marks
 * are cleared. The state of refreshing is not copied. cn_replica_copy_rest must have been called
 * before. `map` is the row map of the table that is copied; it tells which cells are open. */
bool cn_replica_copy_blocks(cn_replica *replica, const cairn_map *map, uint32_t most);

/* Copies everything but the entries: their width, landmarks, states of rows. After CAIRN_E_MEMORY
 * the replica is unchanged, or changed in part; the call can then be repeated. */
cairn_status cn_replica_copy_rest(cn_replica *replica);

#endif
