/* Level 4: building for someone who takes the rows one by one. */
#ifndef CN_BUILD_H
#define CN_BUILD_H

#include "table.h"

typedef struct cn_row_taker {
    /* Before the first row. `table` has everything but entries and landmarks. */
    cairn_status (*begin)(void *context, const cairn_table *table);
    /* After a beginning whose rows are void: the build failed, or 16 bits turned out to be too few
     * and it begins again. The table is gone when this returns. */
    void (*give_up)(void *context);
    /* Row after row, in the plane of the flooder's last run. The landmarks are gone afterwards, and
     * so is the plane, unless its memory was traded: then it is not to be changed before the next
     * row comes. */
    cairn_status (*take)(void *context, uint32_t row, cn_flooder *flooder, const cn_plane *plane,
                         const cairn_node *landmarks, size_t landmark_count);
    void *context;
} cn_row_taker;

/* As cairn_table_build. With a taker, which may be NULL, the table has no entries: whoever uses it
 * must know that. */
cairn_status cn_table_build(cairn_map *map, const cairn_build_options *options,
                            const cn_row_taker *taker, cairn_table **table);

#endif
