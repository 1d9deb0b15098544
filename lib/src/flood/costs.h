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
    cairn_cost *band;    /* rows for fields of grids; NULL until then */
};

/* The flood of cairn_flood_from or cairn_flood_to: its costs as a plane, until the next one. */
cairn_status cn_flood_run(cairn_flood *flood, cn_way way, const cairn_node *nodes,
                          size_t node_count, cn_plane *plane);

/* Rows that are copied together: those of a tile, whose cells lie one after the other. */
enum { CN_FLOOD_BAND = 32 };

/* How many rows those from y on are: fewer at the end of the grid. */
uint32_t cn_flood_band_rows(const cn_grid *grid, uint32_t y);

/* Copies the cells of the rows from y on, at most CN_FLOOD_BAND of them, from a plane into an array
 * of whole rows. */
void cn_flood_copy_band(const cn_grid *grid, const cn_plane *plane, uint32_t y, cairn_cost *costs);

/* The number of the step, or the index of the arc, along which the cost falls by exactly its own
 * cost; CAIRN_FLOW_NONE if there is none. The node is one that is reached. */
uint8_t cn_flow_first_step(const cairn_map *map, const cairn_cost *costs, cairn_node node);

#endif
