/*
 * Bringing a table up to date with its edited map. See docs/ALGORITHMS.md for why it is
 * safe. In short:
 *
 *   refresh_state.c   what is known between steps: rows in wait, the row in work, components
 *   refresh.c         the steps a caller takes; which row is next
 *   refresh_edits.c    a look at the changed cells in all rows at once: entries for cells that
 *                     opened, landmarks that moved, and what each row is still good for
 *   refresh_row.c     the repair of one row, stopped and resumed at any point
 *   refresh_lanes.c   the repair of rows side by side, in one go
 *   refresh_rebuild.c    the same by floods of whole rows, which are written some at a time
 *   refresh_landmarks.c  landmarks of a row: lists, and components that have none
 *   refresh_joins.c    landmarks that are one too many, since components were joined
 *   joined_parts.c     which parts were joined
 */
#ifndef CN_REFRESH_REFRESH_H
#define CN_REFRESH_REFRESH_H

#include "refresh/refresh_state.h"

/* A step that ends with the first row that it makes exact, for those who time rows. Until it
 * returns something else than CAIRN_MORE the map must not change: what serves to measure rows anew
 * is kept. */
cairn_status cn_refresh_one_row(cairn_table *table, const cairn_map *map);

/* Takes the map's edits and measures a row anew by itself, for those who time that; on classic
 * maps, with no row in work. */
cairn_status cn_refresh_rebuild_one(cairn_table *table, const cairn_map *map, uint32_t row);

/* Takes the map's edits into the table. CAIRN_E_MISMATCH for a map that the table is not of. */
cairn_status cn_refresh_note(cn_refresh *self);

/* Drops all rows: they will be measured anew. Does what cn_refresh_note does, on any map of the
 * same size. */
cairn_status cn_refresh_note_all(cn_refresh *self);

/* Begins the repair of a row. */
void cn_refresh_begin_row(cn_refresh *self, uint32_t row);

/* A row is exact, but for the cells of `pending` from `end` on. */
void cn_refresh_finish_row(cn_refresh *self, uint32_t row, size_t end, bool is_rebuild);

/* Begins the end of a repair: all entries of the row were just measured; `dropped` lists the open
 * cells that are unreachable. */
void cn_refresh_begin_measured(cn_refresh *self, uint32_t row);

/* Goes on with it until it is done (phase CN_PHASE_NONE), `left` is spent, a cost is too wide, or
 * it wants earlier rows. */
cairn_status cn_refresh_work_row(cn_refresh *self);

/* Measures a row anew, on maps where no row is in work or that are classic. Components without a
 * landmark get one. On classic maps the row is then measured, and is written when `at_once` rows
 * are; on others the end of its repair begins. Costs too large for 16 bits make the table 32 bits
 * wide. */
cairn_status cn_refresh_measure_row(cn_refresh *self, uint32_t row);

/* Writes the rows that were measured: then they are exact. */
void cn_refresh_write_measured(cn_refresh *self);

/* Makes the table 32 bits wide. */
cairn_status cn_refresh_widen(cn_refresh *self);

/* Repairs the rows that wait for it, side by side, as far as that is possible and pays: others are
 * left to wait, or to be measured anew. With no row in work. */
cairn_status cn_refresh_side_by_side(cn_refresh *self);
void cn_refresh_close_lanes(cn_refresh *self);

/* Gives back what is not worth keeping between steps, or all that measuring needs. */
void cn_refresh_shrink_rebuild(cn_refresh *self);
void cn_refresh_close_rebuild(cn_refresh *self);

/* Forgets the row in work; its entries are in no defined state. */
void cn_refresh_abort_row(cn_refresh *self);

/* Gives landmarks to the components of unreachable cells among `dropped` and the cells of the
 * round; their entries become seeds. Does nothing where that wants earlier rows first. */
cairn_status cn_refresh_settle(cn_refresh *self);

/* Gives a landmark to every component that has none; entries are not touched. For maps on which
 * straight steps make the components; the components must be known. */
cairn_status cn_refresh_settle_early(cn_refresh *self, uint32_t row);

/* Whether cells that were edited may join components; sure where it says that they do not. */
bool cn_refresh_may_join(cn_refresh *self, const cairn_node *cells, size_t count);

/* Leaves every row one landmark in a component: that of the largest of the parts that cells which
 * opened have joined; in one part one that did not move; of equals the lowest. The entries of those
 * that are removed, which were 0, become 1, which nothing supports and no step forbids; `joined`
 * lists the nodes. CAIRN_E_MEMORY changes nothing. */
typedef struct cn_opened {
    const cairn_node *cells;  /* that may have opened; they may be those that wait */
    size_t count;
    size_t changed;           /* cells, for which the caller wants room among those that wait */
} cn_opened;

cairn_status cn_refresh_drop_joined(cn_refresh *self, const cn_opened *opened);

/* Whether components of a row were joined and all earlier rows are exact. Then the row, or pair,
 * takes in each of them the cell that is farthest from the landmarks of all earlier rows, if in the
 * smaller parts there is one that is farther than its landmark. */
bool cn_refresh_may_spread(const cn_refresh *self, uint32_t row);
cairn_status cn_refresh_spread(cn_refresh *self, uint32_t row);

/* The cell farthest from the landmarks of all earlier rows, which are exact: the lowest among
 * equals. The first row, which has none before it, takes the lowest. */
typedef struct cn_choice {
    cairn_node node;    /* CAIRN_NO_NODE at first, and while all are such landmarks */
    cairn_cost distance;
    uint32_t near_row;  /* whose landmark was nearest to the last cell, and mostly is to the next */
} cn_choice;

void cn_refresh_consider(const cn_refresh *self, uint32_t row, cairn_node node, cn_choice *best);

/* Whether the cell before a cell in its row, or the one behind, is blocked or beyond the map. */
bool cn_refresh_ends_run(const cn_refresh *self, cairn_node node);

/* Adds a landmark to a row, removes one, or has another take its place. */
cairn_status cn_refresh_add_landmark(cn_refresh *self, uint32_t row, cairn_node node);
void cn_refresh_remove_landmark(cn_refresh *self, uint32_t row, size_t index);
void cn_refresh_replace_landmark(cn_refresh *self, uint32_t row, size_t index, cairn_node node);

/* Removes the landmarks of a row that are closed cells: those that nobody found when they closed,
 * since their entries, from a file that nobody verified, were not 0. Floods begin at open cells. */
void cn_refresh_drop_closed(cn_refresh *self, uint32_t row);

/* Position of a node among a row's landmarks (into table->landmarks); SIZE_MAX when it is none. */
size_t cn_refresh_find_landmark(const cairn_table *table, uint32_t row, cairn_node node);

#endif
