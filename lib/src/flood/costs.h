/* The object of cairn/flood.h. */
#ifndef CN_FLOOD_COSTS_H
#define CN_FLOOD_COSTS_H

#include "cairn/flood.h"
#include "flood/flood.h"

struct cairn_flood {
    cn_mem mem;
    const cairn_map *map;
    uint64_t version;    /* of the map that the flooder is for */
    cn_flooder *flooder; /* NULL until the first run */
    cairn_cost *costs;   /* [node], for fields without costs for the caller; NULL until then */
};

/* cairn_flood_from or cairn_flood_to. */
cairn_status cn_flood_run(cairn_flood *flood, cn_way way, const cairn_node *nodes,
                          size_t node_count, cairn_cost *costs);

#endif
