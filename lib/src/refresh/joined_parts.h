/*
 * The parts that opened cells have joined, and their sizes. The map as it was is not stored, but
 * the cells that opened are known. The parts are searched from the neighbours of these cells, all
 * at once and without entering the opened cells, until only one search in a component has not
 * ended. That one is in the largest part, so the work is that of the smaller parts. Cells beside
 * one another in a row are visited together.
 */
#ifndef CN_REFRESH_JOINED_PARTS_H
#define CN_REFRESH_JOINED_PARTS_H

#include "map/map.h"

enum { CN_PARTS_BLOCK = 1024 }; /* nodes whose visits are numbered in one piece of memory */

/* Of cells in a row of the map. */
typedef struct cn_part_visit {
    cairn_node node; /* the first one */
    uint32_t count;
    uint32_t search;
    uint32_t next; /* the next visit of the same search that has not been expanded */
} cn_part_visit;

/* A search. That of an opened cell visits only this cell, and counts no cells. */
typedef struct cn_part_search {
    uint32_t size;        /* of a root: number of cells */
    uint32_t first, last; /* of a root: visits that have not been expanded */
    uint32_t rivals;      /* of a component's root: searches in it that have not ended */
    uint32_t largest;     /* of a component's root: the largest of the parts whose search has
                           * ended */
} cn_part_search;

typedef struct cn_parts {
    const cn_grid *grid;
    cn_mem mem;
    uint32_t **visit_of; /* by node, in blocks: the number of its visit, from 1; 0: not visited */
    cn_part_visit *visits;
    uint32_t visit_count;
    size_t visit_capacity;
    size_t visited; /* cells */

    cn_part_search *searches; /* with room for all that may begin */
    uint32_t *parent;         /* by search: those of one part are a set (base/sets.h) */
    uint32_t *component;      /* by search: and so are those of one component of the present map */
    uint32_t search_count;
} cn_parts;

/* `opened` may contain blocked cells, which are ignored, and a cell more than once. */
cairn_status cn_parts_find(cn_parts *parts, const cn_mem *mem, const cn_grid *grid,
                           const cairn_node *opened, size_t count);
void cn_parts_free(cn_parts *parts);

/* The number of a node's visit, from 1; 0: it was not visited. */
CN_ALWAYS_INLINE uint32_t cn_parts_visit_of(const cn_parts *parts, cairn_node node)
{
    const uint32_t *block = parts->visit_of[node / CN_PARTS_BLOCK];
    return block ? block[node % CN_PARTS_BLOCK] : 0;
}

/* The number of cells in the part of a node. UINT32_MAX for the largest part of its component, if
 * its search did not end, and for parts that no opened cell connects; 0 for an opened cell. */
uint32_t cn_parts_size(const cn_parts *parts, cairn_node node);

/* Whether a visited node has opened, or is in a part other than the largest of its component; of
 * equal parts one counts as the largest. */
bool cn_parts_is_outlying(const cn_parts *parts, cairn_node node);

/* The directions in which steps connect a cell to others, in either direction of the step, whatever
 * other cells are. */
unsigned cn_parts_joining_steps(const cn_grid *grid, cairn_node node);

#endif
