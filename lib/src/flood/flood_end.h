/* Where floods end that need not reach every node. */
#ifndef CN_FLOOD_FLOOD_END_H
#define CN_FLOOD_FLOOD_END_H

#include "flood/flood.h"

/* When a flood may end. */
typedef struct cn_flood_end {
    const cairn_map *map;
    const cn_plane *plane;
    cairn_cost most;
    const cairn_node *until;
    size_t until_count;
    size_t waiting; /* of them; the others have their final costs */
} cn_flood_end;

cn_flood_end cn_flood_end_of(const cn_flood_task *task, const cairn_map *map,
                             const cn_plane *plane);

/* Whether a flood may end when all costs below `floor` are final, and none will fall below it. The
 * floor never falls. */
bool cn_flood_may_end(cn_flood_end *end, uint64_t floor);

#endif
