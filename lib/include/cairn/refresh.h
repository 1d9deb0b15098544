/* Refreshing a table after edits of its map. Part of cairn/cairn.h, which says what holds for all
 * of them. */
#ifndef CAIRN_REFRESH_H
#define CAIRN_REFRESH_H

#include "cairn/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much a step may do: a number of cells to look at, or of microseconds. A step may exceed it
 * by one batch of new edits and, where it is large enough to measure a row anew (as the number of
 * all nodes says, blocked ones included), by that. Smaller steps repair cell by cell. */
typedef uint64_t cairn_budget;
#ifdef __cplusplus
#  define CAIRN_CELLS(count) (static_cast<cairn_budget>(count) << 1)
#else
#  define CAIRN_CELLS(count) ((cairn_budget)(count) << 1)
#endif
#define CAIRN_MICROSECONDS(count) (CAIRN_CELLS(count) | 1)
#define CAIRN_UNLIMITED UINT64_MAX

/* Brings a table towards its edited map. First takes the edits made since the last step: entries of
 * cells that opened, landmarks that closed (each moves to the nearest open cell, see
 * docs/ALGORITHMS.md), and the state of every row; CAIRN_CELLS(0) does only that. Then repairs
 * rows, first row first, until the budget is spent. A component that no landmark of a row is left
 * in gets one. Of components that are joined a row keeps one landmark, that of the largest, or
 * takes the cell that is farthest from those of all earlier rows: of a landmark that a build
 * placed, a file held or a refresh added alike.
 *
 * Returns CAIRN_OK when every entry is exact again: the table then equals one measured anew from
 * the same landmarks, byte for byte. CAIRN_MORE when work is left; between steps, edits and
 * searches are welcome, and searches are optimal. Edits that the map's journal no longer tells of
 * leave no row worth repairing: all are rebuilt, within the same budgets. CAIRN_E_MISMATCH for a
 * map that the table is not of, CAIRN_E_LIMIT for a cost above CAIRN_COST_MAX, CAIRN_E_MEMORY; the
 * table stays safe to use.
 *
 * 16-bit entries become 32 bits wide when a cost no longer fits. Entries are written in place: no
 * other thread may use the table meanwhile (for that there is cairn_world), and bounds made before
 * are void. Beside the table, repairs keep a byte per node, 8 to 12 more once a step had no budget,
 * and memory for one more row once one was measured anew. */
CAIRN_API cairn_status cairn_refresh_step(cairn_table *table, const cairn_map *map,
                                          cairn_budget budget);

/* Measures every row anew from its landmarks, on the map as it is, which may be any map of the same
 * size on which costs are the same both ways, or not, as on the table's own (cairn_map_is_directed;
 * else CAIRN_E_MISMATCH); landmarks move as they do in cairn_refresh_step. A component with one-way
 * cells that had no landmark in a row, since builds choose among cells that all reach one another,
 * gets one wherever that row is measured anew. */
CAIRN_API cairn_status cairn_table_rebuild(cairn_table *table, const cairn_map *map);

/* What refreshing has done so far, over the life of a table. */
typedef struct cairn_refresh_counts {
    uint64_t cells;            /* looks at cells; without a budget one may serve as many rows as the
                                * processor's vectors hold, so that the count depends on those */
    uint64_t rows_repaired;    /* rows that became exact by repair */
    uint64_t rows_rebuilt;     /* rows that were measured anew */
    uint64_t landmarks_moved;
    uint64_t landmarks_added;
    uint64_t landmarks_dropped;  /* since their components were joined to others */
} cairn_refresh_counts;
CAIRN_API cairn_refresh_counts cairn_table_refresh_counts(const cairn_table *table);

/* Refreshes as far as pays, where the time of refreshing and of searching count together: to be
 * called after every search along the table, instead of cairn_refresh_step, with the path that the
 * search gave. Nothing is to be called after an edit.
 *
 * It waits until searches since the last edit have expanded as much beside their paths as a refresh
 * is expected to cost, and spends no more than they have: both are counted in nodes and cells, so
 * the same queries and edits give the same table on every machine. A map that changes more often
 * than a refresh pays is then searched with what is safe of the table, at no cost. Not for programs
 * whose frames have time to spare: they refresh in steps, and search faster.
 *
 * Returns what cairn_refresh_step does, and has its conditions; CAIRN_MORE also where nothing was
 * done since it does not pay yet. */
CAIRN_API cairn_status cairn_refresh_as_it_pays(cairn_table *table, const cairn_map *map,
                                                const cairn_path *path);

#ifdef __cplusplus
}
#endif

#endif
