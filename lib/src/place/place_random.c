#include "place/place_candidates.h"

/* Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005:
 * the placement with which others are compared. */
cairn_status cn_place_random(cn_candidates *pool, size_t count, uint64_t seed)
{
    const cn_sample *sample = pool->sample;
    cn_rng rng = {seed ^ 0x72616e646f6du};

    CN_ASSERT(pool->count + count <= pool->capacity);
    for (size_t i = 0; i < count; i++) {
        cairn_node *nodes = cn_candidates_at(pool, pool->count++);
        for (uint32_t part = 0; part < sample->part_count; part++)
            nodes[part] = cn_sites_draw(sample->sites, sample->parts[part], &rng);
    }
    return CAIRN_OK;
}
