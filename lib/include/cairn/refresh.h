/* Refreshing a table after edits of its map. Part of cairn/cairn.h, which has the conventions of
 * all calls. */
#ifndef CAIRN_REFRESH_H
#define CAIRN_REFRESH_H

#include "cairn/search.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much work a step may do: a number of visits of cells, or of microseconds, below 2^62, as the
 * macros below make it. A plain number is no budget, and is refused with CAIRN_E_ARGUMENT. Rows are
 * repaired cell by cell, or rebuilt where that is likely to take less time. A budget is enough for
 * a rebuild if it reaches an estimate by the number of all nodes, including blocked ones; in
 * microseconds it has to be eight times that on grids whose floods go by vectors, and 24 times on
 * graphs. With less, those grids rebuild a row over several steps; on graphs and mazes, and where
 * edits keep ending that, rows are repaired whatever it takes.
 *
 * Steps that count cells do the same on every processor, and so do searches between them; time is
 * never the same twice. So lockstep games and replays give CAIRN_CELLS or CAIRN_UNLIMITED.
 *
 * A step may exceed its budget by what cannot be divided:
 *
 * - applying the edits made since the last step, and making gates, to find out whether to wait;
 * - one rebuild of a row, if the budget is enough, or, where it counts cells, if earlier steps have
 *   saved enough for a flood that cannot pause; before the first one, memory that takes as long
 *   as a flood to set up;
 * - finding the components of a map for which that was never done: 2 to 30 milliseconds for a
 *   million cells (cairn_connected and cairn_world_new do it before);
 * - where cells that open join parts of the map, finding the smaller ones: up to 0.1 microseconds
 *   for each of their cells;
 * - where edits have interrupted a rebuild, or the choice of landmarks for parts that were cut off
 *   or joined, three times: that choice, once in each row, up to 30 milliseconds for a million
 *   cells;
 * - making entries 32 bits wide, once costs no longer fit 16: some 5 nanoseconds for each entry;
 * - on a graph, the arcs of one node: up to 9 milliseconds for a node with half a million;
 * - sorting the cells whose entries were dropped, once or twice in a row: up to 5 milliseconds on
 *   maps of a million cells. */
typedef uint64_t cairn_budget;
#ifdef __cplusplus
#  define CAIRN_BELOW_2_62(count) (static_cast<cairn_budget>(count) << 2 >> 2)
#else
#  define CAIRN_BELOW_2_62(count) ((cairn_budget)(count) << 2 >> 2)
#endif
#define CAIRN_CELLS(count) (CAIRN_BELOW_2_62(count) | UINT64_C(1) << 62)
#define CAIRN_MICROSECONDS(count) (CAIRN_BELOW_2_62(count) | UINT64_C(1) << 63)
#define CAIRN_UNLIMITED UINT64_MAX

/* Does a part of the work that makes a table exact again after edits of its map. First applies the
 * edits made since the last step: this sets entries of cells that opened, moves landmarks whose
 * cell closed to the nearest open cell (see docs/ALGORITHMS.md), and determines the state of every
 * row; CAIRN_CELLS(0) does only that. Then repairs rows, the first row first, until the budget is
 * spent. A component in which a row has no landmark left gets one (with rows at corners alone, if
 * it has a corner that is no landmark of an earlier row). When components are joined, a row keeps
 * one of their landmarks, that of the largest component, or moves it to the cell of the new
 * component that is farthest from the landmarks of all earlier rows. It does not matter whether a
 * landmark comes from a build, from a file or from a refresh; but a component in which a row had
 * none before the edits, as later rows at corners may have none in small ones, gets none.
 *
 * While the map keeps changing from step to step, a step with a budget waits: it does nothing and
 * returns CAIRN_MORE. So in frames that bring edits (units that move, doors) searches use rows as
 * they are, by gates, in games of any length. (The edits are still applied once some 1,000 cells
 * differ from what they were for the table.) Steps work
 *
 * - from the eighth on that finds no other edits; from the first on, if the budget is enough to
 *   rebuild all rows. Each time edits interrupt their work, twice as many have to find none, up to
 *   256; eight again once a step has returned CAIRN_OK;
 * - at once, if searches cannot use three quarters of the rows and the budget is enough to rebuild
 *   one. If such a step does not end the work, 1, 2, 4 to 256 others wait before the next attempt.
 *   With a smaller budget, rows that gates no longer serve come back once the map rests.
 *
 * A step works in the calling thread alone, also with CAIRN_UNLIMITED, and so does
 * cairn_table_rebuild.
 *
 * Returns CAIRN_OK when every entry is exact: the table then equals one that is rebuilt from the
 * same landmarks, byte for byte (on maps with one-way cells cairn_table_rebuild may add others).
 * CAIRN_MORE when work is left; between steps the map may be edited and searched, and paths are
 * shortest. Where it is not known what the table lacks (cairn_map_edit says when), all rows are
 * rebuilt, within the same budgets. CAIRN_E_MISMATCH for the table of another map, CAIRN_E_MEMORY;
 * the table stays safe to use. CAIRN_E_LIMIT when all rows are exact except those with a cost above
 * CAIRN_COST_MAX, and later rows that need exact rows before them to choose a landmark. These rows
 * are tried again after the next edits; until then each step returns CAIRN_E_LIMIT, whatever its
 * budget, and with rows at corners searches do not use them.
 *
 * 16-bit entries become 32 bits wide when a cost no longer fits. Entries are written in place: no
 * other thread may use the table meanwhile (cairn_world allows that), and bounds made before become
 * invalid. Until the table is freed, repairs keep one to three bytes per node, 8 more after a step
 * with CAIRN_UNLIMITED, and rebuilds of rows, here or by cairn_table_rebuild, what a flood takes: 2
 * to 6 bytes per node, over terrain and in mazes up to 13. Steps that rebuilt rows also keep up to
 * three rows, which cairn_table_rebuild gives back. cairn_table_memory does not count these.
 *
 * Rows of a table of corners (cairn_resident) are not repaired: all are computed again, beside the
 * old ones, over as many steps as that takes: little longer than a rebuild, in mazes of corridors
 * one cell wide some four times as long. All become exact with the last of these steps; until then
 * the table stays as it is, and an edit lets the work begin again. A step may exceed its budget by
 * what takes time in proportion to the set of corners, at the beginning, and where table and map
 * have different allocators, by the floods of rows. Meanwhile they take the memory of another table
 * and of one row at every cell. CAIRN_CELLS(0) applies the edits, in time in proportion to the
 * table; the gates that searches make then take longer than those that follow edits which are not
 * applied. A search makes gates after each change of the map, unless it expands so few nodes
 * between two changes that they would take longer than what they save: then it uses no row. A
 * landmark that closed is not moved to the nearest open cell: its component gets one far from those
 * of earlier rows. */
CAIRN_API cairn_status cairn_refresh_step(cairn_table *table, const cairn_map *map,
                                          cairn_budget budget);

/* Rebuilds every row from its landmarks on the map as it is now. The map may be any map of the same
 * size whose costs are directed if and only if those of the table's own map are
 * (cairn_map_is_directed; else CAIRN_E_MISMATCH). Landmarks move as they do in cairn_refresh_step.
 * Builds place landmarks only in strongly connected parts of maps with one-way cells; a component
 * that has none in a row for this reason gets one here, as in a step that does not know the edits.
 * CAIRN_E_RESIDENT for a table of corners and a map that cannot have one, CAIRN_E_LIMIT for a cost
 * above CAIRN_COST_MAX, CAIRN_E_MEMORY; the table then stays safe to use. */
CAIRN_API cairn_status cairn_table_rebuild(cairn_table *table, const cairn_map *map);

/* What refreshing has done so far, over the life of a table. */
typedef struct cairn_refresh_counts {
    uint64_t cells;         /* visits of cells; without a budget one visit may repair as many
                             * rows as fit a vector of the processor, so the count depends on
                             * it */
    uint64_t rows_repaired; /* rows that became exact by repair */
    uint64_t rows_rebuilt;  /* rows that were computed from their landmarks again */
    uint64_t landmarks_moved;
    uint64_t landmarks_added;
    uint64_t landmarks_dropped; /* because their components were joined to others */
} cairn_refresh_counts;
CAIRN_API cairn_refresh_counts cairn_table_refresh_counts(const cairn_table *table);

/* Refreshes only as far as is worth it when refreshing and searching share one time budget. To be
 * called after every search that used the table, with the path that it returned, instead of
 * cairn_refresh_step; no call is needed after an edit.
 *
 * It waits until what the searches since the last edit have lost is as much as a refresh is
 * expected to cost, and spends no more than that. Lost are the nodes that they expanded beside
 * their paths; of those of a search that used rows which are not fresh (CAIRN_ROW_WEAKER), one in
 * eight, since fresh rows would hardly save more. Nodes and cells are counted, so the same queries
 * and edits give the same table on every machine. A map that changes more often than a refresh is
 * worth it is searched with the rows as they are, and nothing is spent on it. (This is the
 * ski-rental problem: see docs/ALGORITHMS.md.) A program with idle time in its frames should call
 * cairn_refresh_step instead.
 *
 * Results and conditions are those of cairn_refresh_step. The result is CAIRN_MORE also when
 * nothing was done because it is not worth it yet. When it is, one call may take as long as the
 * searches before it together. */
CAIRN_API cairn_status cairn_refresh_as_it_pays(cairn_table *table, const cairn_map *map,
                                                const cairn_path *path);

#ifdef __cplusplus
}
#endif

#endif
