/* Which cells a search expands, without and with landmarks. */
#ifndef RENDER_EXPLORE_H
#define RENDER_EXPLORE_H

#include "cairn/cairn.h"

typedef struct exploration {
    uint8_t *marks; /* by node: bits EXPLORED_* of scene.h */
    uint64_t base_count;
    uint64_t landmarks_count;
    cairn_node *path; /* empty when there is none */
    size_t path_count;
} exploration;

/* Runs both searches; without a table only the one with the base heuristic. */
cairn_status explore(const cairn_map *map, const cairn_table *table, cairn_node start,
                     cairn_node goal, exploration *to);
void exploration_free(exploration *of);

#endif
