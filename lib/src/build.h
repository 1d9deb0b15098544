/* Level 4: building with something to do beside. */
#ifndef CN_BUILD_H
#define CN_BUILD_H

#include "table_stage.h"

/* What else happens to the rows while later ones are measured. */
typedef struct cn_build_hooks {
    /* Before the first row. Comes again when 16 bits turned out to be too few: then all that was
     * is void. */
    cairn_status (*begin)(void *context, const cn_stage *stage);
    /* A row is staged. Different rows come at the same time, each `worker` in one thread. */
    cairn_status (*row)(void *context, uint32_t row, unsigned worker);
    void *context;
} cn_build_hooks;

/* As cairn_table_build. `hooks` may be NULL. */
cairn_status cn_table_build(cairn_map *map, const cairn_build_options *options,
                            const cn_build_hooks *hooks, cairn_table **table);

#endif
