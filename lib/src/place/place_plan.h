/* Placements that choose landmarks before any row is computed. */
#ifndef CN_PLACE_PLACE_PLAN_H
#define CN_PLACE_PLACE_PLAN_H

#include "bound/bound.h"
#include "place/place.h"
#include "base/rng.h"
#include "base/tasks.h"
#include "base/team.h"

/* ------------------------------------------------------------------------------ sites -- */

/* Where landmarks can be placed: the open cells, grouped by component; on directed maps only those
 * of the largest strongly connected part of each component. */
typedef struct cn_sites {
    const cairn_map *map;
    uint32_t component_count;
    uint32_t *component;      /* of each node; CN_NO_COMPONENT where blocked */
    uint32_t *component_size; /* number of its cells in the list */
    cairn_node *cells;        /* by component, ascending within each */
    uint32_t *first;          /* [component_count + 1] into cells */
} cn_sites;

cairn_status cn_sites_init(cn_sites *sites, const cairn_map *map);
void cn_sites_free(cn_sites *sites);

/* The base heuristic, which a search has without landmarks. */
CN_ALWAYS_INLINE cairn_cost cn_place_base(const cairn_map *map, cairn_node a, cairn_node b)
{
    uint32_t ax, ay, bx, by;
    if (!cn_map_is_classic(map))
        return cn_base_between(map, cn_base_of(map, CAIRN_PLAIN_BEST), a, b);
    cn_grid_xy(&map->grid, a, &ax, &ay);
    cn_grid_xy(&map->grid, b, &bx, &by);
    return cn_octile_capped(map->metric, ax, ay, bx, by);
}

/* A random cell of a component; all are equally likely. */
cairn_node cn_sites_draw(const cn_sites *sites, uint32_t component, cn_rng *rng);

/* ----------------------------------------------------------------------------- sample -- */

/* The most queries, and the most cells of each. */
enum { CN_SAMPLE_QUERIES = 256, CN_SAMPLE_CELLS = 256 };

/* A query, and some of the cells that A* with the base heuristic must expand for it: those whose
 * cost from the start + base heuristic to the goal < cost of the query. */
typedef struct cn_sampled_query {
    cairn_node start;
    cairn_node goal;
    uint32_t component;
    uint32_t cell_count; /* how many cells are in the sample */
    uint32_t first_word; /* of their bits, 64 a word, among those of all queries */
    uint64_t weight;     /* of each cell in the sample: how many cells it stands for, times
                          * 1024 */
} cn_sampled_query;

/* A sample of the work of A* on the map, of which landmarks can save a part. */
typedef struct cn_sample {
    const cn_sites *sites;
    cn_crew crew;
    cn_team *team; /* among whose processes queries and candidates are divided */
    size_t query_count;
    cn_sampled_query *queries; /* by component */
    cairn_node *cells;         /* [query_count][CN_SAMPLE_CELLS] */
    cairn_cost *needed;        /* the bound from which on the cell is not expanded */
    size_t word_count;         /* of a bit for each cell of all queries */
    uint32_t part_count;       /* number of components with queries */
    uint32_t *parts;           /* the component of each part */
    size_t *part_start;        /* [part_count + 1] into queries */
} cn_sample;

/* Uses the pairs of the options as queries, or draws queries by the seed: the start among all open
 * cells, the goal among those of its component. */
cairn_status cn_sample_init(cn_sample *sample, const cn_sites *sites,
                            const cairn_build_options *options, cn_team *team);
void cn_sample_free(cn_sample *sample);

/* Candidates: each is one site in each part, with the sampled cells that landmarks there save. */
typedef struct cn_candidates {
    const cn_sample *sample;
    cn_cpu level;
    size_t count;
    size_t capacity;
    size_t farthest_count; /* the first ones, which are placed while they are measured */
    uint64_t seed;         /* of these */
    cairn_node *nodes;     /* [capacity][part_count] */
    uint64_t *saved;       /* [capacity][word_count of the sample] */
} cn_candidates;

cairn_status cn_candidates_init(cn_candidates *pool, const cn_sample *sample, size_t capacity);
void cn_candidates_free(cn_candidates *pool);

/* The sites of a candidate; those of a new candidate are to be filled in. */
cairn_node *cn_candidates_at(const cn_candidates *pool, size_t candidate);

/* The bits of a candidate. */
uint64_t *cn_candidates_saved(const cn_candidates *pool, size_t candidate);

/* Places the farthest-first candidates and computes the bits of all, by a flood for each. */
cairn_status cn_candidates_flood(cn_candidates *pool, const cairn_progress *progress);

/* In each part the best candidates, in order of what each saves beyond those before it: the greedy
 * algorithm for coverage (Nemhauser, Wolsey and Fisher, "An analysis of approximations for
 * maximizing submodular set functions", 1978; for landmarks: Fuchs, "On preprocessing the
 * ALT-algorithm", 2010). chosen[row][part] becomes the index of a candidate. When none saves more,
 * the first candidates are chosen. There must be at least as many candidates as rows. */
cairn_status cn_candidates_rank(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* Exchanges chosen candidates for others while that saves more, in each part. */
cairn_status cn_candidates_swap(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* Sorts the chosen candidates by what each saves beyond those before it. */
cairn_status cn_candidates_order(const cn_candidates *pool, uint32_t row_count, uint32_t *chosen);

/* ------------------------------------------------------------------------- placements -- */

/* Each adds `count` candidates of its kind to the pool. Farthest-first ones come first of all, and
 * get their sites from cn_candidates_flood. */
void cn_candidates_begin_with_farthest(cn_candidates *pool, size_t count, uint64_t seed);
cairn_status cn_place_random(cn_candidates *pool, size_t count, uint64_t seed);
cairn_status cn_place_border(cn_candidates *pool, size_t count);
cairn_status cn_place_avoid(cn_candidates *pool, size_t count, uint64_t seed,
                            const cairn_progress *progress);

#endif
