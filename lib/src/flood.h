/* Level 3: costs from a set of nodes to every node. One interface, several engines behind it,
 * all with the same result. */
#ifndef CN_FLOOD_H
#define CN_FLOOD_H

#include "arcs.h"

/* The result of a flood: the cost of the cell in column x and row y is at [y * stride + x], in
 * entries of `bits`; all ones where unreachable. Belongs to the flooder until its next run. */
typedef struct cn_plane {
    const void *costs;
    size_t stride;
    unsigned bits;  /* 16 or 32 */
} cn_plane;

typedef struct cn_flooder cn_flooder;

/* Scratch memory for floods of one map, by one thread at a time. `bits`: width of the entries. The
 * map must not change while the flooder lives. */
cairn_status cn_flooder_new(const cairn_map *map, unsigned bits, cn_flooder **flooder);
void cn_flooder_free(cn_flooder *flooder);

/* Costs from the nearest source, all open nodes of the map. CAIRN_E_LIMIT when a cost exceeds
 * CAIRN_COST_MAX or does not fit the entries. */
cairn_status cn_flooder_run(cn_flooder *flooder, const cairn_node *sources, size_t source_count,
                            cn_plane *plane);

/* The same from every node to the nearest target. */
cairn_status cn_flooder_run_back(cn_flooder *flooder, const cairn_node *targets,
                                 size_t target_count, cn_plane *plane);

CN_ALWAYS_INLINE cairn_cost cn_plane_at(const cn_plane *plane, uint32_t x, uint32_t y)
{
    size_t index = y * plane->stride + x;
    if (plane->bits == 32)
        return ((const uint32_t *)plane->costs)[index];
    uint16_t cost = ((const uint16_t *)plane->costs)[index];
    return cost == UINT16_MAX ? CAIRN_UNREACHABLE : cost;
}

#endif
