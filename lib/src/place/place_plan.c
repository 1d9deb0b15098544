#include "place/place.h"

#include <stdlib.h>
#include <string.h>

#include "place/place_candidates.h"

enum { DEFAULT_CANDIDATES = 512 };

static cairn_status plan_add(cn_plan *plan, uint32_t row, uint32_t component, cairn_node node)
{
    if (!CN_GROW(&plan->map->mem, plan->items, &plan->capacity, plan->count, plan->count + 1))
        return CAIRN_E_MEMORY;
    plan->items[plan->count++] = (cn_planned){row, component, node};
    return CAIRN_OK;
}

static int by_row(const void *a_, const void *b_)
{
    const cn_planned *a = a_, *b = b_;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

void cn_plan_free(cn_plan *plan)
{
    if (plan->map)
        cn_release(&plan->map->mem, plan->items);
    memset(plan, 0, sizeof *plan);
}

/* ------------------------------------------------------------------------------- list -- */

/* The i-th listed cell of a component becomes a landmark of row i. */
static cairn_status plan_list(cn_plan *plan, const cn_sites *sites,
                              const cairn_build_options *options)
{
    const cn_mem *mem = &plan->map->mem;
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < options->listed_count; i++) {
        if (!cairn_map_is_open(plan->map, options->listed[i]))
            return CAIRN_E_ARGUMENT;
    }
    uint32_t *rows = cn_zeroed(mem, sites->component_count + 1u, sizeof *rows);
    if (!rows)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < options->listed_count && status == CAIRN_OK; i++) {
        cairn_node node = options->listed[i];
        uint32_t component = sites->component[node], row = rows[component]++;
        if (row < options->landmark_count)
            status = plan_add(plan, row, component, node);
    }
    cn_release(mem, rows);
    return status;
}

/* ------------------------------------------------------------------------ from samples -- */

static size_t candidates_for(const cairn_build_options *options)
{
    size_t count = options->candidate_count ? options->candidate_count : DEFAULT_CANDIDATES;
    bool chooses = options->placement == CAIRN_PLACE_GREEDY ||
                   options->placement == CAIRN_PLACE_REFINED;
    return chooses && count > options->landmark_count ? count : options->landmark_count;
}

/* The candidates: one in eight is farthest-first, but at least as many as there are rows, so that
 * the choice is not worse than farthest-first placement. */
static cairn_status gather_choice(cn_candidates *pool, const cairn_build_options *options)
{
    size_t farthest = pool->capacity / 8;
    if (farthest < options->landmark_count)
        farthest = options->landmark_count;
    cn_candidates_begin_with_farthest(pool, farthest, options->seed);
    cn_place_any(pool, pool->capacity - farthest, options->seed);
    return CAIRN_OK;
}

/* Without coordinates the nodes of a graph have no middle: all candidates are farthest-first. */
static cairn_status gather_border(cn_candidates *pool, const cairn_build_options *options)
{
    const cn_sites *sites = pool->sample->sites;
    if (!sites->map->graph || sites->coordinates)
        return cn_place_border(pool, pool->capacity);
    cn_candidates_begin_with_farthest(pool, pool->capacity, options->seed);
    return CAIRN_OK;
}

static cairn_status gather(cn_candidates *pool, const cairn_build_options *options)
{
    switch (options->placement) {
    case CAIRN_PLACE_RANDOM: return cn_place_random(pool, pool->capacity, options->seed);
    case CAIRN_PLACE_BORDER: return gather_border(pool, options);
    case CAIRN_PLACE_AVOID:
        return cn_place_avoid(pool, pool->capacity, options->seed, options->progress);
    case CAIRN_PLACE_GREEDY:
    case CAIRN_PLACE_REFINED: return gather_choice(pool, options);
    default: CN_ASSERT(false); return CAIRN_E_ARGUMENT; /* the others have no candidates */
    }
}

/* Improves farthest-first rows by exchanges, then sorts the result as candidates of its own. */
static cairn_status refine(cn_candidates *pool, const cairn_build_options *options,
                           uint32_t *chosen)
{
    uint32_t part_count = pool->sample->part_count;
    for (uint32_t row = 0; row < options->landmark_count; row++) {
        for (uint32_t part = 0; part < part_count; part++)
            chosen[row * part_count + part] = row;
    }
    cairn_status status = cn_candidates_swap(pool, options->landmark_count, chosen);
    if (status == CAIRN_OK)
        status = cn_candidates_order(pool, options->landmark_count, chosen);
    return status;
}

static cairn_status choose(cn_plan *plan, cn_candidates *pool, const cairn_build_options *options)
{
    const cn_mem *mem = &plan->map->mem;
    uint32_t part_count = pool->sample->part_count;
    uint32_t *chosen = cn_array(mem, (size_t)options->landmark_count * part_count, sizeof *chosen);
    if (!chosen)
        return CAIRN_E_MEMORY;

    cairn_status status = options->placement == CAIRN_PLACE_REFINED
                              ? refine(pool, options, chosen)
                              : cn_candidates_rank(pool, options->landmark_count, chosen);
    for (uint32_t row = 0; row < options->landmark_count; row++) {
        for (uint32_t part = 0; part < part_count && status == CAIRN_OK; part++) {
            uint32_t candidate = chosen[row * part_count + part];
            status = plan_add(plan, row, pool->sample->parts[part],
                              cn_candidates_at(pool, candidate)[part]);
        }
    }
    cn_release(mem, chosen);
    return status;
}

static cairn_status plan_by_sample(cn_plan *plan, const cn_sites *sites,
                                   const cairn_build_options *options, cn_team *team)
{
    cn_sample sample;
    cn_candidates pool = {0};

    cairn_status status = cn_sample_init(&sample, sites, options, team);
    if (status != CAIRN_OK || sample.part_count == 0) {
        cn_sample_free(&sample);
        return status;
    }
    status = cn_candidates_init(&pool, &sample, candidates_for(options));
    if (status == CAIRN_OK)
        status = gather(&pool, options);
    if (status == CAIRN_OK)
        status = cn_candidates_flood(&pool, options->progress);
    if (status == CAIRN_OK)
        status = choose(plan, &pool, options);
    cn_candidates_free(&pool);
    cn_sample_free(&sample);
    return status;
}

/* A sample has a site of each candidate in each part, and a bit for each candidate and sampled
 * cell. */
static cn_plan_needs needs_of_sample(const cairn_map *map, const cairn_build_options *options,
                                     uint64_t part_count)
{
    enum { PER_QUERY = sizeof(cn_sampled_query) + sizeof(uint32_t) + sizeof(size_t) };
    const uint64_t open_count = map->grid.open_count;
    const uint64_t cell_count = open_count < CN_SAMPLE_CELLS ? open_count : CN_SAMPLE_CELLS;
    const uint64_t words = CN_SAMPLE_QUERIES * ((cell_count + 63) / 64);
    const uint64_t site = sizeof(cairn_node), gain = sizeof(uint64_t) + 1;
    const uint64_t candidates = candidates_for(options);
    const uint64_t cells = (uint64_t)CN_SAMPLE_QUERIES * CN_SAMPLE_CELLS;

    return (cn_plan_needs){
        .shared =
            CN_SAMPLE_QUERIES * PER_QUERY + cells * (sizeof(cairn_node) + sizeof(cairn_cost)) +
            (candidates + 1) * words * sizeof(uint64_t) + candidates * (part_count * site + gain) +
            options->landmark_count * part_count * sizeof(uint32_t),
        .each_thread = (cells + CN_SAMPLE_QUERIES) * sizeof(uint32_t) + open_count / 8};
}

cn_plan_needs cn_plan_needs_of(const cairn_map *map, const cairn_build_options *options)
{
    enum { WHILE_IT_GROWS = 3 };
    const uint64_t open_count = map->grid.open_count;
    const uint64_t part_count = open_count < CN_SAMPLE_QUERIES ? open_count : CN_SAMPLE_QUERIES;
    const bool is_list = options->placement == CAIRN_PLACE_LIST;
    const uint64_t item_count = is_list ? options->listed_count
                                        : options->landmark_count * part_count;
    cn_plan_needs needs = {0};

    if (options->placement == CAIRN_PLACE_FARTHEST)
        return needs;
    if (!is_list)
        needs = needs_of_sample(map, options, part_count);
    needs.shared += item_count * sizeof(cn_planned) * WHILE_IT_GROWS;
    return needs;
}

cairn_status cn_plan_make(cn_plan *plan, const cairn_map *map, const cn_coordinates *coordinates,
                          const cairn_build_options *options, cn_team *team)
{
    cn_sites sites;

    if (plan->map || options->placement == CAIRN_PLACE_FARTHEST)
        return CAIRN_OK;
    if ((unsigned)options->placement > CAIRN_PLACE_LIST)
        return CAIRN_E_ARGUMENT;
    cairn_status status = cn_sites_init(&sites, map, coordinates);
    if (status != CAIRN_OK)
        return status;
    plan->map = map;
    plan->row_count = options->landmark_count;
    status = options->placement == CAIRN_PLACE_LIST ? plan_list(plan, &sites, options)
                                                    : plan_by_sample(plan, &sites, options, team);
    if (status == CAIRN_OK && plan->count)
        qsort(plan->items, plan->count, sizeof(cn_planned), by_row);
    if (status != CAIRN_OK)
        cn_plan_free(plan);
    cn_sites_free(&sites);
    return status;
}
