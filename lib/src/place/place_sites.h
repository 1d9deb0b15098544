/* Sites: where landmarks can be placed. */
#ifndef CN_PLACE_PLACE_SITES_H
#define CN_PLACE_PLACE_SITES_H

#include "base/rng.h"
#include "map/map.h"

/* The open cells, grouped by component; on directed maps only those of the largest strongly
 * connected part of each component. */
typedef struct cn_sites {
    const cairn_map *map;
    const cn_coordinates *coordinates; /* of the nodes of a graph; NULL: there are none */
    uint32_t component_count;
    uint32_t *component;      /* of each node; CN_NO_COMPONENT where blocked */
    uint32_t *component_size; /* number of its cells in the list */
    cairn_node *cells;        /* by component, ascending within each */
    uint32_t *first;          /* [component_count + 1] into cells */
} cn_sites;

cairn_status cn_sites_init(cn_sites *sites, const cairn_map *map,
                           const cn_coordinates *coordinates);
void cn_sites_free(cn_sites *sites);

/* A random cell of a component; all are equally likely. */
cairn_node cn_sites_draw(const cn_sites *sites, uint32_t component, cn_rng *rng);

#endif
