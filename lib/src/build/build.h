/* Building for someone who takes the rows one by one. */
#ifndef CN_BUILD_BUILD_H
#define CN_BUILD_BUILD_H

#include "table/table.h"

/* The rows of a build that is under way. */
typedef struct cn_rows cn_rows;

typedef struct cn_measured_row {
    uint32_t row;
    cn_plane plane;          /* of the flooder's last run: there until its next, or after a trade
                              * as long as the memory */
    const cairn_node *landmarks;  /* there until the next row is measured */
    size_t landmark_count;
} cn_measured_row;

/* Measures the next row, by any thread, but one row after another: each says where the next one's
 * landmarks are. */
bool cn_rows_are_left(const cn_rows *rows);
cairn_status cn_rows_measure(cn_rows *rows, cn_measured_row *row);

/* What measures them: its memory may be traded between rows. */
cn_flooder *cn_rows_flooder(const cn_rows *rows);

/* Tells the progress callback that so many rows are measured: only for the thread that asked for
 * the build. CAIRN_E_CANCELLED when it asks to stop. */
cairn_status cn_rows_report(const cn_rows *rows, uint32_t done);

typedef struct cn_row_taker {
    /* Before the first row. `table` has everything but entries and landmarks. */
    cairn_status (*begin)(void *context, const cairn_table *table);
    /* Measures all rows and does with them what it likes. */
    cairn_status (*take)(void *context, cn_rows *rows);
    /* After a beginning whose rows are void: the build failed, or 16 bits turned out to be too few
     * and it begins again. The table is gone when this returns. */
    void (*give_up)(void *context);
    void *context;
} cn_row_taker;

/* As cairn_table_build. With a taker, which may be NULL, the table has no entries: whoever uses it
 * must know that. */
cairn_status cn_table_build(cairn_map *map, const cairn_build_options *options,
                            const cn_row_taker *taker, cairn_table **table);

#endif
