/* Lines of sight between cells of a grid, in whole numbers. */
#ifndef CN_WAYS_SIGHT_H
#define CN_WAYS_SIGHT_H

#include "cairn/ways.h"
#include "map/map.h"
#include "search/avoidance.h"

/* Which cells a line may cross. */
typedef struct cn_sight {
    const cairn_map *map;
    bool is_even;    /* every open cell; false: only cells like `like` */
    cairn_node like; /* crossed cells have its factor and its height, and are not one-way */
    const cn_avoidance *avoided; /* nor are they any of these; NULL: none */
} cn_sight;

/* Whether the line between two cells of a grid is free. */
bool cn_sight_is_free(const cn_sight *sight, cairn_node from, cairn_node to);

#endif
