#include "build/team_build.h"

static uint64_t add_words(uint64_t hash, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = cn_mix(hash + words[i]);
    return hash;
}

static uint64_t add_queries(uint64_t hash, const cairn_build_options *build)
{
    for (size_t i = 0; i < build->pair_count; i++) {
        const uint64_t ends[] = {build->pairs[i].start, build->pairs[i].goal};
        hash = add_words(hash, ends, 2);
    }
    for (size_t i = 0; i < build->listed_count; i++)
        hash = cn_mix(hash + build->listed[i]);
    return hash;
}

/* A hash of the map, of all options that shape a table, and of how numbers lie in memory. */
static uint64_t hash_of(const cairn_map *map, const cairn_build_options *build, uint64_t more)
{
    const union {
        uint8_t bytes[8];
        uint64_t number;
    } order = {{1, 2, 3, 4, 5, 6, 7, sizeof(size_t)}};
    const uint64_t words[] = {order.number,
                              map->hash,
                              cn_map_is_directed(map),
                              build->landmark_count,
                              build->seed,
                              (uint64_t)build->placement,
                              (uint64_t)build->metric,
                              build->candidate_count,
                              build->step_metric.straight,
                              build->step_metric.diagonal,
                              build->pair_count,
                              build->listed_count,
                              more};
    return add_queries(add_words(0, words, sizeof words / sizeof *words), build);
}

cairn_status cn_team_meet(cn_team *team, const cairn_map *map, const cairn_build_options *build,
                          uint64_t more)
{
    if (!team->processes)
        return CAIRN_OK;
    return cn_team_compare(team, hash_of(map, build, more));
}
