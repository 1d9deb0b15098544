/* Candidates at random (Goldberg and Harrelson, "Computing the shortest path: A* search meets graph
 * theory", SODA 2005: the placement with which others are compared). */
#include "base/bits.h"
#include "place/place_candidates.h"

void cn_place_any(cn_candidates *pool, size_t count, uint64_t seed)
{
    const cn_sample *sample = pool->sample;
    cn_rng rng = {seed ^ 0x72616e646f6du};

    CN_ASSERT(pool->count + count <= pool->capacity);
    for (size_t i = 0; i < count; i++) {
        cairn_node *nodes = cn_candidates_at(pool, pool->count++);
        for (uint32_t part = 0; part < sample->part_count; part++)
            nodes[part] = cn_sites_draw(sample->sites, sample->parts[part], &rng);
    }
}

/* Draws by `again` until a cell comes that is not used, in a component that has one. So what is
 * drawn twice in a component changes nothing in others. */
static cairn_node take_unused(const cn_sites *sites, uint32_t component, cairn_node drawn,
                              cn_rng *again, uint64_t *used)
{
    while (cn_has_bit(used, drawn))
        drawn = cn_sites_draw(sites, component, again);
    cn_set_bit(used, drawn);
    return drawn;
}

cairn_status cn_place_random(cn_candidates *pool, size_t count, uint64_t seed)
{
    const cn_sample *sample = pool->sample;
    const cn_sites *sites = sample->sites;
    const size_t words = cn_map_node_count(sites->map) / 64 + 1;
    uint64_t *used = cn_zeroed(&sites->map->mem, words, sizeof *used);
    cn_rng again = {seed ^ 0x616761696eu};

    if (!used)
        return CAIRN_E_MEMORY;
    CN_ASSERT(pool->count == 0);
    cn_place_any(pool, count, seed);
    for (size_t i = 0; i < count; i++) {
        cairn_node *nodes = cn_candidates_at(pool, i);
        for (uint32_t part = 0; part < sample->part_count; part++) {
            const uint32_t component = sample->parts[part];
            if (i < sites->component_size[component])
                nodes[part] = take_unused(sites, component, nodes[part], &again, used);
        }
    }
    cn_release(&sites->map->mem, used);
    return CAIRN_OK;
}
