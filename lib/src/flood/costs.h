/* The object of cairn/flood.h. */
#ifndef CN_FLOOD_COSTS_H
#define CN_FLOOD_COSTS_H

#include "base/nodes.h"
#include "cairn/flood.h"
#include "flood/costs_copy.h"
#include "flood/flood.h"

enum { CN_FLOOD_WIDTHS = 2 }; /* entries of 16 bits and of 32 */

struct cairn_flood {
    cn_mem mem;
    const cairn_map *map;
    cn_kept_flooder flooder[CN_FLOOD_WIDTHS]; /* by width, from the first run of it on */
    cn_flood_use use;                         /* of its flooders */
    cairn_cost most;                          /* the limits of floods: see cn_flood_task */
    cairn_node *until;
    size_t until_count;
    cn_nodes ends;     /* copies of the caller's nodes from or to which the present call floods */
    void *lent;        /* an array of the caller that only these floods write to; NULL: none */
    uint32_t *written; /* by block of it: the rows, as bits, that may hold costs. A block is a
                        * tile of the plane, or CN_FLOOD_CHUNK cells of a row where it has no
                        * tiles. */
    unsigned written_bits;  /* the entries of the plane to whose blocks `written` refers, */
    unsigned written_lanes; /* and its lane_shift */
    uint32_t *held;         /* tiles, or nodes where planes have none: no other part of the array */
    size_t held_room;       /* holds costs */
    size_t held_count;      /* CN_HELD_ALL: these are not listed */
    cairn_cost *costs;      /* [node], for fields without costs for the caller; NULL until then */
    void *band;             /* rows for fields of grids; NULL until then */
};

/* What a public call asks for. */
typedef struct cn_flood_call {
    cn_way way;
    const cairn_node *nodes;
    size_t node_count;
    unsigned bits;
} cn_flood_call;

/* Copies a caller's nodes to `ends`, and checks the copies, which nobody else can change:
 * CAIRN_E_ARGUMENT where one is not an open node of the map, CAIRN_E_MEMORY. */
cairn_status cn_flood_take_ends(cairn_flood *flood, const cairn_node *nodes, size_t count);

/* The flood of a call, whose nodes are open: its costs as a plane, until the next one. */
cairn_status cn_flood_run(cairn_flood *flood, const cn_flood_call *call, cn_plane *plane);

/* To be called when something else than a flood has written to an array: if it is the one that was
 * lent, nothing is known of its contents any more. */
void cn_flood_forget(cairn_flood *flood, const void *costs);

/* The number of the step, or the index of the arc, along which the cost falls by exactly its own
 * cost; CAIRN_FLOW_NONE if there is none. The node is one that is reached. */
uint8_t cn_flow_first_step(const cairn_map *map, const cairn_cost *costs, cairn_node node);

#endif
