/*
 * The parts that opened cells have joined, and their sizes. The map as it was is not stored, but
 * the cells that opened are known. The parts are searched from the neighbours of these cells, all
 * at once and without entering the opened cells, until only one search in a component has not
 * ended. That one is in the largest part, so the work is that of the smaller parts. The search goes
 * from region to region (components/components.h), and from cell to cell in the tiles where cells
 * opened, whose regions these have joined.
 */
#ifndef CN_COMPONENTS_JOINED_PARTS_H
#define CN_COMPONENTS_JOINED_PARTS_H

#include "base/nodes.h"
#include "components/components.h"

/* A region or, in a tile with opened cells, a cell: the tile, and in the low byte the number of the
 * region or the place of the cell in the tile. */
typedef uint32_t cn_part_place;

#define CN_PART_OPENED UINT32_MAX
#define CN_PART_SEVERAL (UINT32_MAX - 1)

typedef struct cn_part_visit {
    cn_part_place place;
    uint32_t search;
    uint32_t next; /* the next visit of the same search that has not been expanded */
} cn_part_visit;

typedef struct cn_part_tile {
    uint32_t numbers; /* where those of its places begin, from 1; 0: none was visited */
    bool is_by_cells; /* it has opened cells */
} cn_part_tile;

/* A search. That of an opened cell visits only this cell, and counts no cells. */
typedef struct cn_part_search {
    uint32_t size;        /* of a root: number of cells */
    uint32_t first, last; /* of a root: visits that have not been expanded */
    uint32_t rivals;      /* of a component's root: searches in it that have not ended */
    uint32_t largest;     /* of a component's root: the largest of the parts whose search has
                           * ended */
    uint32_t label;       /* once all are over: see cn_parts_label */
} cn_part_search;

typedef struct cn_parts {
    const cn_regions *regions;
    cn_mem mem;
    cn_part_tile *tiles;
    cn_nodes visited;  /* tiles, in which places were visited */
    uint32_t *numbers; /* by place: of its visit, from 1; 0: not visited */
    uint32_t number_count;
    size_t number_capacity;
    cn_part_visit *visits;
    uint32_t visit_count;
    size_t visit_capacity;
    uint32_t opened_count; /* the first visits are those of opened cells */

    cn_part_search *searches; /* with room for all that may begin */
    uint32_t *parent;         /* by search: those of one part are a set (base/sets.h) */
    uint32_t *component;      /* by search: and so are those of one component of the present map */
    uint32_t search_count;
    uint32_t part_count; /* of parts that are not the largest of their component: their numbers are
                          * those from 1 up to this */
} cn_parts;

/* `opened` may contain blocked cells, which are ignored, and a cell more than once; it is empty for
 * a graph. The regions are those of the map as it is. */
cairn_status cn_parts_find(cn_parts *parts, const cn_mem *mem, const cn_regions *regions,
                           const cairn_node *opened, size_t count);
void cn_parts_free(cn_parts *parts);

/* The number of cells in the part of a node. UINT32_MAX for the largest part of its component, if
 * its search did not end, for parts that no opened cell connects, and for blocked cells; 0 for an
 * opened cell. */
uint32_t cn_parts_size(const cn_parts *parts, cairn_node node);

/* The part of each cell of a tile: its number, 0 for the largest part of its component (of equal
 * ones one) and for parts that no opened cell connects, or CN_PART_OPENED. Returns whether any is
 * not 0. What blocked cells get means nothing. */
bool cn_parts_label(const cn_parts *parts, uint32_t tile, uint32_t labels[CN_TILE_CELLS]);

/* The label that all cells of a tile have; CN_PART_SEVERAL: they may have several. */
uint32_t cn_parts_of_tile(const cn_parts *parts, uint32_t tile);

#endif
