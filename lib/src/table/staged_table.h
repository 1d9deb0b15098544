/*
 * A table under construction. Rows come one at a time, but the entries of a node have to lie
 * together: if each row were written there at once, it would use every cache line of the table.
 * So each row is first stored in long runs, in the memory of the same nodes. When all rows are
 * there, they are transposed in place, some groups of nodes at a time. The memory of groups without
 * open cells is never used.
 */
#ifndef CN_TABLE_STAGED_TABLE_H
#define CN_TABLE_STAGED_TABLE_H

#include "flood/plane.h"
#include "table/table.h"

#define CN_STAGE_EMPTY UINT32_MAX

typedef struct cn_stage {
    const cairn_map *map;
    cairn_table *table;
    uint32_t entry_size;
    uint32_t group_nodes;
    size_t part; /* bytes of a row in one group */
    uint32_t group_count;
    uint32_t open_count;  /* number of groups with an open cell */
    uint32_t *rank;       /* [group]: its index among those, or CN_STAGE_EMPTY */
    uint32_t *groups;     /* [rank]: the group */
    uint32_t chunk_count; /* groups that are transposed together: one per lane */
} cn_stage;

/* For a new table, whose entries are all zero. Map and table must outlive the stage. */
cairn_status cn_stage_init(cn_stage *stage, const cairn_map *map, cairn_table *table);
void cn_stage_free(cn_stage *stage);

/* Stores a row; the entries of its plane must be as wide as the table's. Several threads may store
 * different rows at the same time. */
cairn_status cn_stage_put_row(const cn_stage *stage, uint32_t row, const cn_plane *plane);

/* Transposes the chunks from `first` up to `end` (exclusive), after the last row was stored. Then
 * the entries of their nodes are as in a table. Each chunk is to be transposed once; several
 * threads may transpose different chunks at the same time. */
cairn_status cn_stage_finish(const cn_stage *stage, uint32_t first, uint32_t end);

#endif
