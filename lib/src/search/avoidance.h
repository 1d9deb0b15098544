/* Nodes that the runs of a search may not enter, or where entering costs more (search_avoid.c). */
#ifndef CN_SEARCH_AVOIDANCE_H
#define CN_SEARCH_AVOIDANCE_H

#include "base/nodes.h"
#include "map/jump_points.h"
#include "map/map_steps.h"

typedef struct cn_avoided {
    cairn_node node;
    cairn_cost extra; /* CAIRN_UNREACHABLE: it may not be entered */
    bool is_met;      /* the present run takes it into account */
} cn_avoided;

/* Planes of jump points in which some nodes are borders. */
typedef struct cn_avoidance_planes {
    cn_jump *jump;    /* NULL until they are needed */
    cn_nodes borders; /* ascending */
    uint64_t *bits;   /* by node: it is one of these; NULL until there are planes */
    uint64_t version; /* the state of the map that the planes are of */
    uint64_t hash;
    uint64_t fixed_hash;
} cn_avoidance_planes;

/* 64 x 64 cells, as far as they have been filled from either end (search_enclosed.c). The 64 of a
 * row are a word. */
enum { CN_BLOCK_SIDE = 64 };
typedef struct cn_filled_block {
    uint32_t filling;    /* the number of the filling that the rest is of */
    uint64_t dirty[2];   /* by row: cells have been reached from which steps may lead on */
    uint64_t left[2][2]; /* by row: steps have led on to the block in the west, in the east */
    uint64_t open[CN_BLOCK_SIDE];
    uint64_t free[CN_BLOCK_SIDE]; /* open, and may be entered */
    uint64_t reached[2][CN_BLOCK_SIDE];
} cn_filled_block;

/* Blocks with dirty rows. */
typedef struct cn_block_queue {
    size_t first, count;
    uint32_t *blocks; /* room for all; NULL until they are needed */
} cn_block_queue;

/* The end that cannot go farther than what has been reached from it. */
typedef enum cn_dry_end { CN_DRY_NEITHER = 0, CN_DRY_START, CN_DRY_GOAL } cn_dry_end;

/* What can be reached from the start of a run, and from its goal. */
typedef struct cn_filling {
    cn_filled_block *blocks; /* by row; NULL until they are needed */
    size_t capacity;         /* of blocks, once there are any */
    cn_block_queue queues[2];
    uint32_t number;
    cairn_node goal; /* CAIRN_NO_NODE: it has not begun in the present run */
    bool is_over;    /* the two meet */
    cn_dry_end dry;
    uint32_t left, right, top, bottom; /* columns and rows of the outermost blocks in use */
} cn_filling;

/* Cells of one block. */
typedef struct cn_block_cells {
    uint32_t column; /* of blocks */
    uint32_t row;
    uint64_t cells[CN_BLOCK_SIDE];
} cn_block_cells;

/* Where no path from the start leads, as searches of a run for something that stands in for its
 * goal have found; or all that can be reached from it. */
typedef struct cn_enclosed {
    cn_block_cells *blocks;
    size_t count, capacity;
    bool is_around_start; /* the latter */
} cn_enclosed;

typedef struct cn_avoidance {
    cn_avoided *items; /* ascending, each node once */
    size_t count;
    size_t capacity;
    size_t strips;    /* of neighbours in a row of the map, that they make up */
    bool forbids_all; /* none of them may be entered */
    uint64_t *bits;   /* by node: it is one of them; NULL until there are any */
    size_t met_count; /* of the items: 0 where the present run has met none of them */
    unsigned rounds;  /* how often the present run has met some that it had not met before */
    cn_avoidance_planes planes;
    cn_filling filling;
    cn_enclosed enclosed; /* of the present run */
} cn_avoidance;

/* What entering a node costs more; CAIRN_UNREACHABLE: it may not be entered. */
cairn_cost cn_avoidance_extra(const cn_avoidance *self, cairn_node node);

/* The same in a run that keeps off the nodes alone that it has met: among jump points no others may
 * cost more, since canonical paths around them are only found from borders. */
cairn_cost cn_avoidance_extra_if_met(const cn_avoidance *self, cairn_node node);

/* Copies the arcs that may be taken, at what they cost. */
cn_arc_span cn_avoidance_arcs(const cn_avoidance *self, cn_arc_span span, cn_arc *scratch);

/* The same for arcs that all lead to one node, each with the node that it leaves. */
cn_arc_span cn_avoidance_arcs_to(const cn_avoidance *self, cairn_node node, cn_arc_span span,
                                 cn_arc *scratch);

void cn_avoidance_free(cn_avoidance *self, const cn_mem *mem);

/* The bytes that it has taken from its allocator. */
size_t cn_avoidance_memory(const cn_avoidance *self, const cairn_map *map);

#endif
