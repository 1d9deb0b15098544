/*
 * A copy of a table that follows it. What is written into a table is noted by blocks of
 * nodes (cn_table_mark); later the same blocks are copied, some at a time, which takes as long as
 * what changed is large. docs/decisions/readers.md has the reasons.
 */
#ifndef CN_TABLE_TABLE_REPLICA_H
#define CN_TABLE_TABLE_REPLICA_H

#include "table/table.h"

/* Notes for a table and its copies, as if all were the same now. CAIRN_E_MEMORY. */
cairn_status cn_dirty_init(cn_dirty *dirty, const cn_mem *mem, const cairn_table *table);
void cn_dirty_free(cn_dirty *dirty, const cn_mem *mem);

/* What is left to be copied. */
typedef struct cn_follow {
    const cairn_table *from;
    cairn_table *to;
    cn_dirty *dirty;
    uint32_t next;       /* of all blocks, or of those that are marked */
    bool has_frame;
} cn_follow;

/* Copies `most` blocks at most; true when nothing is left: the tables are the same then, and the
 * notes begin anew. Not what refreshing remembers. The frame must be there. `map` is the ground of
 * the table that is copied; it tells which cells are open. */
bool cn_follow_blocks(cn_follow *follow, const cairn_map *map, uint32_t most);

/* Copies all but entries: what they are as wide as, landmarks, states. CAIRN_E_MEMORY leaves the
 * copy as it was, or with part of that; both may be tried again. */
cairn_status cn_follow_frame(cn_follow *follow);

#endif
