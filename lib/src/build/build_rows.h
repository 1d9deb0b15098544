/*
 * The rows of a table that is being built, pulled one after another by whoever consumes them: open,
 * next as long as rows are left, close. No row is kept here.
 *
 * Whether all costs fit 16 bits shows at a late row, if at all. A row that does not fit is answered
 * with CAIRN_E_LIMIT; the consumer drops what it has and restarts, and the rows come again from the
 * first one on, in entries of 32 bits or in a coarser metric.
 */
#ifndef CN_BUILD_BUILD_ROWS_H
#define CN_BUILD_BUILD_ROWS_H

#include "base/team.h"
#include "flood/flood.h"
#include "table/table.h"

typedef struct cn_rows cn_rows;

typedef struct cn_built_row {
    uint32_t index;
    cn_way way;
    cn_plane plane;              /* of the flooder's last run: valid until its next, or after a
                                  * trade as long as the memory */
    const cairn_node *landmarks; /* ascending; valid until the next row */
    size_t landmark_count;
} cn_built_row;

/* Puts what AUTO and zero mean on this map in their place. */
void cn_rows_complete(const cairn_map *map, cairn_build_options *options);

/* Plans the landmarks for complete options of cairn_table_build, and begins. May change the
 * metric of the map, which must stay as it is until closing. *rows is NULL after a failure.
 * CAIRN_E_LIMIT: the costs fit no entries. All processes of the team plan together, and from then
 * on each has rows of its own; the team must outlive them. */
cairn_status cn_rows_open(cairn_map *map, const cairn_build_options *options, cn_team *team,
                          cn_rows **rows);

/* `status`: what became of the table. After CAIRN_OK the map keeps the metric of the rows, else it
 * gets back the one it had. NULL is allowed. */
void cn_rows_close(cn_rows *rows, cairn_status status);

/* The rows as they come since the last restart. */
cn_table_shape cn_rows_shape(const cn_rows *rows);
uint32_t cn_rows_done(const cn_rows *rows); /* how many were given or passed */
bool cn_rows_are_left(const cn_rows *rows);

/* Computes the next row: by any thread, but one at a time, since each row's costs say where the
 * next one's landmarks are. */
cairn_status cn_rows_next(cn_rows *rows, cn_built_row *row);

/* Leaves the next row out, and goes on to the one after it. It is computed only where that one's
 * landmarks follow from its costs, or where these may be too large for 16 bits and no other process
 * of the team computes it, which would refuse them. */
cairn_status cn_rows_pass(cn_rows *rows, bool is_computed_elsewhere);

/* Whether the rows come again, which they do after CAIRN_E_LIMIT (see above), unless there is
 * nothing coarser to try, or no memory. *status is what became of them, and then of the restart. */
bool cn_rows_restart(cn_rows *rows, cairn_status *status);

/* What computes the rows: its memory may be traded between them, but not kept over a restart. */
cn_flooder *cn_rows_flooder(const cn_rows *rows);

/* The landmarks of all rows so far; valid until a restart, and until closing. */
cn_landmark_lists cn_rows_landmarks(const cn_rows *rows);

/* Tells the progress callback that so many rows are done: only for the thread that asked for the
 * build. CAIRN_E_CANCELLED when it asks to stop. */
cairn_status cn_rows_report(const cn_rows *rows, uint32_t done);

#endif
