/*
 * The rows of a table of corners, one after another and each by a flood over all cells, over any
 * number of steps.
 */
#ifndef CN_CORNER_REFRESH_CORNER_ROW_FLOODS_H
#define CN_CORNER_REFRESH_CORNER_ROW_FLOODS_H

#include "flood/flood.h"
#include "table/corner_rows.h"

typedef enum cn_row_flood_phase {
    CN_ROW_NOT_BEGUN = 0,
    CN_ROW_FLOOD,
    CN_ROW_PUT
} cn_row_flood_phase;

/* All zero: nothing has begun. */
typedef struct cn_corner_row_floods {
    cn_kept_flooder flooder;
    uint32_t row;
    cn_row_flood_phase phase;
    cn_priced_run run;
    cn_plane plane;     /* of the flooder */
    cn_corner_copy put; /* how far the row has been put into the table */
    uint32_t beyond;    /* rows that were left out */
} cn_corner_row_floods;

/* Begins with the first row again. What floods need is kept. */
void cn_corner_row_floods_begin(cn_corner_row_floods *self);

/* Goes on for work that takes as long as floods take for so many entries, of which *work becomes
 * what is left. The entries of the table are its own; where costs do not fit 16 bits they become 32
 * bits wide. A row with costs above CAIRN_COST_MAX is left out: it is unsafe. Floods do not pause
 * where the table has another allocator than the map, nor without a limit. CAIRN_MORE,
 * CAIRN_E_MEMORY. Table and map must be as they were; another map may equal the former one. */
cairn_status cn_corner_row_floods_run(cn_corner_row_floods *self, cairn_table *table,
                                      const cairn_map *map, cn_budget_kind kind, uint64_t *work);

/* Frees what floods need; the row begins again. */
void cn_corner_row_floods_end(cn_corner_row_floods *self);

#endif
