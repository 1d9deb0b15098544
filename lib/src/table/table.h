/* Tables: rows of costs, interleaved so that the entries of one node lie together. */
#ifndef CN_TABLE_TABLE_H
#define CN_TABLE_TABLE_H

#include "map/map_steps.h"
#include "base/cpu.h"
#include "base/entries.h"
#include "table/shelf.h"

/* What searches have lost and refreshing has cost since the last edit of the map, counted in visits
 * of cells; see refresh_policy.c. */
typedef struct cn_account {
    uint64_t map_hash;
    uint64_t row_cost;   /* expected cost of repairing a row */
    uint64_t apply_cost; /* and of applying the edits */
    uint32_t stale_rows; /* the number of rows to repair; all of them until the edits are
                          * applied */
    bool is_examined;    /* the next one is known */
    bool is_applied;     /* the edits have been applied, or cannot make rows unsafe */
    uint64_t lost;
    uint64_t spent;
} cn_account;

/* What steps of refreshing keep from one to the next: see refresh_policy.c. */
typedef struct cn_pace {
    uint64_t map_hash;     /* of the map at the last step; 0: there was none */
    uint32_t quiet;        /* so many steps since have found no other edits */
    uint32_t quiet_needed; /* so many have to, before a step works; 0: as few as possible */
    bool is_behind;        /* the last step left work */
    uint32_t waits;        /* how many steps wait after the last one that did not end */
    uint32_t waits_left;   /* and how many of these are still to come */
} cn_pace;

struct cairn_table {
    cn_mem mem;

    /* The states of the rows on the map with map_hash. All zero: all rows are exact. */
    uint8_t row_state[CAIRN_ROWS_MAX]; /* cairn_row_state */
    uint32_t unsafe_count;
    cn_account account;
    cn_pace pace;

    cairn_metric metric;
    uint64_t map_hash;       /* of the map whose costs the rows hold */
    uint64_t map_fixed_hash; /* of the same map */
    uint64_t version;        /* cairn_table_version */
    bool counts_steps;       /* the rows hold the costs of a step map: see cn_map_step_map */
    uint32_t width;          /* of the grid with the nodes */
    uint32_t height;
    uint32_t node_count;
    uint32_t row_count;
    bool is_directed;    /* rows come in pairs with the same landmarks: costs from them, costs
                          * to them */
    bool lost_landmarks; /* rows that are not exact may hold costs to landmarks that were removed
                          * since their components had been joined to others */
    uint32_t lane_count; /* row_count rounded up to whole vectors; the entries of spare lanes
                          * are 0 */
    uint32_t entry_bits; /* 16 or 32 */
    cn_use use;          /* allocation hint for the entries */
    cn_cpu cpu;          /* the instruction set for bounds; determined once, because the
                          * environment can lower it */

    /* From here on what no other table has: see cn_table_copy_head. */
    cn_corners *corners;    /* the nodes that have entries; NULL: every node has */
    void *entries;          /* [node_count][lane_count]; all bits set: unreachable */
    uint32_t *sharers;      /* of a table of corners: so many tables of one thread have the same
                             * entries; NULL: no other one has */
    size_t *landmark_start; /* [row_count + 1] into landmarks */
    cairn_node *landmarks;  /* row after row, each ascending */
    struct cn_openings *openings; /* see table_state.h; NULL: none were needed yet */
    cn_gate_shelf shelf;          /* it may change where the table is constant */
    void *refresh;                /* the state of refreshing; NULL until it is first needed */
    void (*free_refresh)(void *refresh);
    struct cn_dirty *dirty; /* what was written since a replica was equal; NULL: there is
                             * none */
};

/* What a table is of and how large it is, apart from its entries. */
typedef struct cn_table_shape {
    const cairn_map *map; /* whose costs the table holds: see cn_table_row_map */
    uint32_t row_count;
    uint32_t entry_bits;
    bool is_directed; /* as in cairn_table */
} cn_table_shape;

/* The landmarks of several rows. */
typedef struct cn_landmark_lists {
    const size_t *start;     /* one more than rows, into nodes */
    const cairn_node *nodes; /* by row, ascending; NULL where there are none */
} cn_landmark_lists;

/* What was written since a copy of the table was the same, by blocks of nodes (table_replica.h). */
typedef struct cn_dirty {
    uint8_t *marks;   /* by block */
    uint32_t *blocks; /* the marked ones, in the order of the first write */
    uint32_t count;
    unsigned shift; /* a node's block is node >> shift */
    uint32_t lines; /* bit i: cache line i of every open cell's entries is dirty */
    bool landmarks;
} cn_dirty;

/* Memory for entries is allocated for groups of nodes, a power of 2, whose entries fill at most so
 * many bytes. */
enum { CN_TABLE_GROUP_SIZE = 4096 };

CN_ALWAYS_INLINE uint32_t cn_table_group_nodes(uint32_t lane_count, uint32_t entry_bits)
{
    uint32_t nodes = 1;
    while (2 * nodes * lane_count * (entry_bits / 8) <= CN_TABLE_GROUP_SIZE)
        nodes *= 2;
    return nodes;
}

/* Allocates entries of the given number of lanes and width, all zero; NULL when there is no
 * memory. */
void *cn_table_entries_new(const cairn_table *table, uint32_t lane_count, uint32_t entry_bits);

/* Allocates zero entries for so many nodes, in the width and lanes of the table; NULL when there is
 * no memory. */
void *cn_table_entries_for(const cairn_table *table, uint32_t node_count);

/* Gives a table other entries, of which it becomes the only owner. */
void cn_table_set_entries(cairn_table *table, void *entries);

/* Makes a table an owner of the entries of another one as well. CAIRN_E_MEMORY: nothing has
 * changed. */
cairn_status cn_table_share_entries(cairn_table *to, cairn_table *from);

/* Makes `to`, which has nothing yet, a table like another one, for which other threads may make
 * gates or copies meanwhile. Entries, landmarks and all else that a table owns are not copied. */
void cn_table_copy_head(cairn_table *to, const cairn_table *from);

/* What a table takes from its allocator. */
uint64_t cn_table_memory_for(uint32_t node_count, uint32_t row_count, uint32_t entry_bits,
                             uint64_t landmark_count);

/* Makes 16-bit entries 32 bits wide. */
cairn_status cn_table_widen(cairn_table *table);

/* A table for `map` without landmarks, whose entries are all zero, as those of blocked cells
 * stay. */
cairn_status cn_table_new(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                          uint32_t entry_bits, cairn_table **table);

/* Makes such a table with entries for the members of a set alone (corner_rows.h). It takes
 * ownership of the set, also when it fails. */
cairn_status cn_table_new_at(const cairn_map *map, const cn_mem *mem, uint32_t row_count,
                             uint32_t entry_bits, cn_corners *corners, cairn_table **table);

/* Gives rows 0 .. row_count-1 their landmarks: `start` has row_count + 1 entries. Copied. */
cairn_status cn_table_set_landmarks(cairn_table *table, const size_t *start,
                                    const cairn_node *landmarks);

/* Position of a node among a row's landmarks (into table->landmarks); SIZE_MAX when it is none. */
size_t cn_table_find_landmark(const cairn_table *table, uint32_t row, cairn_node node);

/* Which way a row's costs lead: forward from the landmarks (of symmetric maps: and back). */
CN_ALWAYS_INLINE cn_way cn_row_way(bool is_directed, uint32_t row)
{
    return is_directed && (row & 1) ? CN_REVERSE : CN_FORWARD;
}

CN_ALWAYS_INLINE cn_way cn_table_way(const cairn_table *table, uint32_t row)
{
    return cn_row_way(table->is_directed, row);
}

/* Whether every landmark is an open cell, and they ascend. Files with other landmarks are
 * refused. */
bool cn_table_landmarks_are_open(const cairn_table *table, const cairn_map *map);

/* Whether both rows of each pair have the same landmarks, as rows of directed costs must. */
bool cn_landmark_pairs_are_alike(cn_landmark_lists lists, uint32_t row_count);

/* The three calls below mark what has been written into a table: the entries of one node; those of
 * a row in any number of open cells; the lists of landmarks. Whatever writes into a table must call
 * them. */
CN_ALWAYS_INLINE void cn_table_mark(const cairn_table *table, cairn_node node)
{
    cn_dirty *dirty = table->dirty;
    if (CN_LIKELY(!dirty))
        return;
    uint32_t block = node >> dirty->shift;
    if (!dirty->marks[block])
        dirty->blocks[dirty->count++] = block;
    dirty->marks[block] = 1;
}

CN_ALWAYS_INLINE void cn_table_mark_row(const cairn_table *table, uint32_t row)
{
    if (table->dirty)
        table->dirty->lines |= 1u << row * (table->entry_bits / 8) / CN_CACHE_LINE;
}

CN_ALWAYS_INLINE void cn_table_mark_landmarks(const cairn_table *table)
{
    if (table->dirty)
        table->dirty->landmarks = true;
}

/* 0 without a table. */
CN_ALWAYS_INLINE uint64_t cn_table_version(const cairn_table *table)
{
    return table ? table->version : 0;
}

/* A place is a node or, in a table of corners, the number of a corner. */
CN_ALWAYS_INLINE size_t cn_table_index(const cairn_table *table, uint32_t place, uint32_t row)
{
    return (size_t)place * table->lane_count + row;
}

/* The entries of a place from a row on. */
CN_ALWAYS_INLINE void *cn_table_entries_at(const cairn_table *table, uint32_t place, uint32_t row)
{
    return (uint8_t *)table->entries + cn_table_index(table, place, row) * (table->entry_bits / 8);
}

CN_ALWAYS_INLINE cairn_cost cn_table_entry(const cairn_table *table, uint32_t row, uint32_t place)
{
    return cn_entry_cost(table->entries, cn_table_index(table, place, row), table->entry_bits);
}

/* Drops the gates that are kept for the table. */
void cn_table_drop_gates(const cairn_table *table);

#endif
