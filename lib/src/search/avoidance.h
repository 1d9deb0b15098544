/* Nodes that the runs of a search may not enter, or where entering costs more (search_avoid.c). */
#ifndef CN_SEARCH_AVOIDANCE_H
#define CN_SEARCH_AVOIDANCE_H

#include "map/jump_points.h"
#include "map/map_steps.h"

typedef struct cn_avoided {
    cairn_node node;
    cairn_cost extra; /* CAIRN_UNREACHABLE: it may not be entered */
} cn_avoided;

typedef struct cn_avoidance {
    cn_avoided *items; /* ascending, each node once */
    size_t count;
    size_t capacity;
    uint64_t *bits;   /* by node: it is one of them; NULL until there are any */
    cn_jump *jump;    /* planes with them as borders; NULL until they are needed */
    uint64_t version; /* the state of the map that the planes are of */
    uint64_t hash;
    uint64_t frame;
} cn_avoidance;

/* What entering a node costs more; CAIRN_UNREACHABLE: it may not be entered. */
cairn_cost cn_avoidance_extra(const cn_avoidance *self, cairn_node node);

/* Copies the arcs that may be taken, at what they cost. */
cn_arc_span cn_avoidance_arcs(const cn_avoidance *self, cn_arc_span span, cn_arc *scratch);

/* The same for arcs that all lead to one node, each with the node that it leaves. */
cn_arc_span cn_avoidance_arcs_to(const cn_avoidance *self, cairn_node node, cn_arc_span span,
                                 cn_arc *scratch);

void cn_avoidance_free(cn_avoidance *self, const cn_mem *mem);

/* The bytes that it has taken from its allocator. */
size_t cn_avoidance_memory(const cn_avoidance *self, const cairn_map *map);

#endif
