/*
 * Makes a table exact again after edits of its map. docs/ALGORITHMS.md says why it is safe. The
 * files of this room:
 *
 *  refresh_state.h      the state between steps: pending cells, the current row, components
 *  refresh.c            steps; which row is next
 *  refresh_choice.c     whether a row is repaired or rebuilt
 *  refresh_policy.c     when steps wait; cairn_refresh_as_it_pays: how much a refresh may spend
 *  refresh_edits.c      applying edits: entries of cells that opened, and the state of every row,
 *                       by what refresh_compare.c finds
 *  refresh_refuge.c     landmarks whose cell closed
 *  refresh_row.c        the repair of one row, which can stop and continue at any point
 *  refresh_lanes.c      the repair of rows side by side, to the end
 *  refresh_rebuild.c    rebuilds by floods of whole rows, several of which are written together;
 *                       in slices, where a budget is not enough for a flood
 *  refresh_landmarks.c  lists of landmarks, and components that have none
 *  refresh_farthest.c   the cells that become landmarks, sought over several steps
 *  refresh_joins.c      landmarks that are superfluous because components were joined: whether they
 *                       may have been is found by components/opened_ring.c, and which parts
 *                       by components/joined_parts.c
 *  refresh_outliers.c   landmarks that move to another cell of such a component
 *
 * Tables of corners have a room of their own: corner_refresh.
 */
#ifndef CN_REFRESH_REFRESH_H
#define CN_REFRESH_REFRESH_H

#include "refresh/refresh_state.h"

/* -------------------------------------------------------- for other rooms (refresh_policy.c) -- */

/* Sees to it that the edits of a map are not forgotten for a table that is not refreshed: keeps the
 * list of what it lacks, or applies them. A status as of cairn_refresh_step. */
cairn_status cn_refresh_keep_up(cairn_table *table, const cairn_map *map);

/* ------------------------------------------------------------------------- steps (refresh.c) -- */

/* cairn_refresh_step that does not wait. */
cairn_status cn_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget);

/* A step that ends with the first row that it makes exact; not of tables of corners. While it
 * returns CAIRN_MORE the map must not change, because it keeps the state for rebuilding rows. */
cairn_status cn_refresh_one_row(cairn_table *table, const cairn_map *map);

/* ------------------------------------------------------ repair or rebuild (refresh_choice.c) -- */

/* So many visits of a row, which are few, are always worth it. */
enum { CN_REFRESH_VISITS_LEAST = 64 };

/* After how many visits the repair of a row is given up, by whether rows may be rebuilt at once in
 * this step. */
uint64_t cn_refresh_visit_limit(const cn_refresh *self, bool may_rebuild);

/* How many cells the repair of the current row may visit before it is asked again whether to give
 * up; 0: give up now. While entries are being dropped, each visit may add the cost of a dropped
 * entry; where landmarks are chosen, a repair is not given up. */
uint64_t cn_refresh_visits_worth(const cn_refresh *self);

/* Marks rows to be rebuilt that have lost landmarks of large parts. */
void cn_refresh_rebuild_lost(cn_refresh *self);

/* Whether cells have changed in so many places that few rows would be repaired; then rows with
 * pending cells are to be rebuilt. */
bool cn_refresh_changes_are_everywhere(cn_refresh *self);
void cn_refresh_give_up_repairs(cn_refresh *self);

/* ------------------------------------------------------------------- edits (refresh_edits.c) -- */

/* The cells that changed since edits were last applied to the table: as cn_table_changes, but known
 * for longer, and on grids without cells that are again what they were. */
cn_changes cn_refresh_changes(const cn_refresh *self, const cairn_node **cells, size_t *count);

/* Applies the edits of the map to the table. CAIRN_E_MISMATCH for the table of another map. */
cairn_status cn_refresh_apply_edits(cn_refresh *self);

/* Like cn_refresh_apply_edits, but marks all rows to be rebuilt, on any map of the same size. */
cairn_status cn_refresh_apply_unknown(cn_refresh *self);

/* ----------------------------------------------------------- repair of a row (refresh_row.c) -- */

/* Begins the repair of a row. */
void cn_refresh_begin_row(cn_refresh *self, uint32_t row);

/* Records that a row is exact, except for the cells of `pending` from `end` on. */
void cn_refresh_finish_row(cn_refresh *self, uint32_t row, size_t end, bool is_rebuild);

/* Begins the last phases of a repair, when all entries of the row have just been computed;
 * `unsettled` lists the open cells that are unreachable. */
void cn_refresh_begin_computed(cn_refresh *self, uint32_t row);

/* Continues the repair until it is finished (phase CN_PHASE_NONE), no visits are left, a cost does
 * not fit, or earlier rows have to be exact first. */
cairn_status cn_refresh_work_row(cn_refresh *self);

/* Forgets the row that is being repaired; its entries are undefined. */
void cn_refresh_abort_row(cn_refresh *self);

/* --------------------------------------------- repair of rows side by side (refresh_lanes.c) -- */

/* Repairs the rows that need it side by side, as far as that is possible and worth it. The other
 * rows still need repair, or are to be rebuilt. Not while a row is being repaired. */
cairn_status cn_refresh_side_by_side(cn_refresh *self);
void cn_refresh_close_lanes(cn_refresh *self);

/* ------------------------------------------------------- rebuilding rows (refresh_rebuild.c) -- */

/* Rebuilds a row, when no row is being repaired or landmarks are chosen early. Components without a
 * landmark get one. Where they are chosen early the row is computed and waits until `at_once` rows
 * can be written together; elsewhere the last phases of its repair begin. Costs too large for 16
 * bits make the table 32 bits wide. */
cairn_status cn_refresh_rebuild_row(cn_refresh *self, uint32_t row);

/* Chooses the landmarks that a row needs before it is rebuilt, at once. CAIRN_E_LIMIT where an
 * earlier row that this needs has costs above the limit; CAIRN_E_MEMORY. */
cairn_status cn_refresh_ready_landmarks(cn_refresh *self, uint32_t row);

/* Rebuilding a row in slices, for budgets that are not enough for a flood. While a row is begun,
 * when no other is being repaired, cn_refresh_next_slice continues with it for `visits_left`;
 * it becomes exact or, where landmarks are not chosen early, the last phases of its repair begin.
 * cn_refresh_begin_slices: *begun is false where the map's engine for floods cannot pause.
 * CAIRN_E_LIMIT as of cn_refresh_ready_landmarks; CAIRN_E_MEMORY. */
bool cn_refresh_may_slice(const cn_refresh *self);
cairn_status cn_refresh_begin_slices(cn_refresh *self, uint32_t row, bool *begun);
cairn_status cn_refresh_next_slice(cn_refresh *self);

/* What rebuilding a row in slices takes, in visits of a repair. */
uint64_t cn_refresh_visits_of_slices(const cn_refresh *self);

/* Drops a row that was begun if the map has changed since, or the flooder does not serve it; and
 * one that is not flooded yet if it may be rebuilt at once. */
void cn_refresh_check_slices(cn_refresh *self, bool may_rebuild);

/* Tells that a repair that is given up may have written at these nodes, or beside them. */
void cn_refresh_touch(cn_refresh *self, const cairn_node *nodes, size_t count);

/* Writes the rows that were computed, which makes them exact. */
void cn_refresh_write_computed(cn_refresh *self);

/* Makes the table 32 bits wide. */
cairn_status cn_refresh_widen(cn_refresh *self);

/* Frees what is not worth keeping between steps; the planes of rows that wait to be written, when
 * none does; everything that rebuilding needs. */
void cn_refresh_shrink_rebuild(cn_refresh *self);
void cn_refresh_free_waiting(cn_refresh *self);
void cn_refresh_close_rebuild(cn_refresh *self);

/* -------------------------------------------------- landmarks that closed (refresh_refuge.c) -- */

/* Moves the landmarks that were at a node, whose cell has closed, over cells that the edits of this
 * call have closed. */
cairn_status cn_refresh_move_landmarks_from(cn_refresh *self, cairn_node node);

/* Moves the landmarks of all rows that are in blocked cells, over any of these. Where a row has
 * many, they are dropped: components that lack one get others later. */
cairn_status cn_refresh_move_closed_landmarks(cn_refresh *self);

/* --------------------------------------------- components that were joined (refresh_joins.c) -- */

/* Whether edited cells may have joined components. If it says no, that is certain. */
bool cn_refresh_may_join(cn_refresh *self, const cairn_node *cells, size_t count);

/* Cells that may have opened. */
typedef struct cn_opened {
    const cairn_node *cells; /* may point into `pending` */
    size_t count;
    size_t changed; /* for so many cells the caller wants room in `pending` */
} cn_opened;

/* Leaves each row one landmark in a component. Of the parts that opened cells have joined, that of
 * the largest is kept; of several in one part one that did not move; of equals the lowest. The
 * entries of removed landmarks, which were 0, become 1, which nothing supports and no step forbids;
 * `joined` lists these nodes. After CAIRN_E_MEMORY nothing has changed. */
cairn_status cn_refresh_drop_joined(cn_refresh *self, const cn_opened *opened);

/* Whether a budget is enough to rebuild so many rows of the map whose costs they hold. */
bool cn_refresh_budget_covers(const cairn_map *row_map, cairn_budget budget, uint32_t rows);

#endif
