/* The work of A* without landmarks, of which these can save a part: a sample. */
#ifndef CN_PLACE_PLACE_SAMPLE_H
#define CN_PLACE_PLACE_SAMPLE_H

#include "bound/bound.h"
#include "base/tasks.h"
#include "base/team.h"
#include "place/place_sites.h"

/* The base heuristic, which a search has without landmarks. */
CN_ALWAYS_INLINE cairn_cost cn_place_base(const cairn_map *map, cairn_node a, cairn_node b)
{
    uint32_t ax, ay, bx, by;
    if (!cn_map_is_classic(map))
        return cn_base_between(map, cn_base_of(map, CAIRN_HEURISTIC_BEST), a, b);
    cn_grid_xy(&map->grid, a, &ax, &ay);
    cn_grid_xy(&map->grid, b, &bx, &by);
    return cn_octile_capped(map->metric, ax, ay, bx, by);
}

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

#endif
