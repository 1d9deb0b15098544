/*
 * The parts that cells which opened have joined, and how large they are. Nobody remembers
 * the map as it was, but the cells that opened are known: the parts are searched from their
 * neighbours, all at once and without entering those cells, until only one search of a component
 * has not come to an end. That one is in the largest part. So the work is that of the smaller
 * parts.
 */
#ifndef CN_REFRESH_JOINED_PARTS_H
#define CN_REFRESH_JOINED_PARTS_H

#include "map/map.h"

typedef struct cn_part_visit {
    cairn_node node;
    uint32_t search;
    uint32_t next;         /* of those of its search that wait */
} cn_part_visit;

/* A search; of a cell that opened, one that visits it alone and counts no cells. */
typedef struct cn_part_search {
    uint32_t parent;       /* of a union-find: searches of one part */
    uint32_t component;    /* of another one: searches of one component of the map as it is */
    uint32_t size;         /* of a root: cells */
    uint32_t first, last;  /* of a root: visits that wait */
    uint32_t rivals;       /* of a component's root: searches in it that have not ended */
    uint32_t largest;      /* of a component's root: of the parts whose search ended, the largest */
} cn_part_search;

typedef struct cn_parts {
    const cn_grid *grid;
    cn_mem mem;
    uint32_t *visit_of;    /* by node: counted from 1; 0: not visited */
    cn_part_visit *visits;
    cn_part_search *searches;
    uint32_t visit_count;
    uint32_t search_count;
    size_t visit_capacity;
    size_t search_capacity;
} cn_parts;

/* Of the cells that opened those that are open; a cell may be listed more than once. */
cairn_status cn_parts_find(cn_parts *parts, const cn_mem *mem, const cn_grid *grid,
                           const cairn_node *opened, size_t count);
void cn_parts_free(cn_parts *parts);

/* Cells of the part that a node is in: UINT32_MAX for the largest of its component, when its search
 * did not end, and for what no cell that opened is joined to; 0 for one that opened. */
uint32_t cn_parts_size(const cn_parts *parts, cairn_node node);

/* Whether a node that was visited has opened, or is in another part than the largest of its
 * component: of equals one is the largest. */
bool cn_parts_is_outlying(const cn_parts *parts, cairn_node node);

/* The directions in which steps join a cell to others, whichever way they lead and whatever other
 * cells are. */
unsigned cn_parts_joining_steps(const cn_grid *grid, cairn_node node);

#endif
