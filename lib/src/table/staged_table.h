/*
 * A table on its way to being finished. Rows come one by one, but the entries of a node
 * shall lie together: written at once, each row would touch every cache line of the table. So rows
 * first wait, each in long runs, in the memory of the nodes that they are about; when all are
 * there, they are turned over in place, some groups of nodes at a time. Groups without an open
 * cell are never touched.
 */
#ifndef CN_TABLE_STAGED_TABLE_H
#define CN_TABLE_STAGED_TABLE_H

#include "table/table.h"

#define CN_STAGE_EMPTY UINT32_MAX

typedef struct cn_stage {
    const cairn_map *map;
    cairn_table *table;
    uint32_t entry_size;
    uint32_t group_nodes;
    size_t part;            /* bytes of a row in one group */
    uint32_t group_count;
    uint32_t open_count;    /* groups with an open cell */
    uint32_t *rank;         /* [group]: which of those it is, or CN_STAGE_EMPTY */
    uint32_t *groups;       /* [rank] */
    uint32_t chunk_count;   /* groups that are turned over together: one per lane */
} cn_stage;

/* For a table that is new: all entries zero. Both must outlive the stage. */
cairn_status cn_stage_init(cn_stage *stage, const cairn_map *map, cairn_table *table);
void cn_stage_free(cn_stage *stage);

/* Takes a row, whose plane has entries as wide as the table's. Different rows at the same time are
 * fine. */
cairn_status cn_stage_put_row(const cn_stage *stage, uint32_t row, const cn_plane *plane);

/* Gives a row back, by node. Entries of blocked cells hold anything or are not written. */
void cn_stage_get_row(const cn_stage *stage, uint32_t row, void *plane);

/* Turns over the chunks `first` up to, not with, `end`, after the last row came: then the entries
 * of their nodes are what a table holds. Every chunk once; different ones at the same time are
 * fine. */
cairn_status cn_stage_finish(const cn_stage *stage, uint32_t first, uint32_t end);

#endif
