/*
 * The parts of a map that are connected through gates alone: where a door has opened between halves
 * of a map, or a wall has broken into a closed room. Entries of cells in two of them cannot be
 * compared, since they are costs to two landmarks; but whatever way leads from one to the other
 * goes by ports, and each port lies in one part, or in some if it was merged.
 */
#ifndef CN_BOUND_GATE_PARTS_H
#define CN_BOUND_GATE_PARTS_H

#include "components/joined_parts.h"

enum { CN_GATE_PARTS_MAX = 32 };

/* A cell by column and row. */
typedef struct cn_gate_xy {
    uint32_t x;
    uint32_t y;
} cn_gate_xy;

typedef struct cn_gate_parts {
    uint32_t tiles_across;
    uint32_t tile_count;
    uint32_t *of_tile;    /* the part of its cells; or CN_GATE_PARTS_MAX and the number of a tile
                           * with several. NULL: there is only one part */
    uint8_t *of_cell;     /* in tiles with several: [number][cell in row order] */
    uint32_t mixed_count; /* of these */
    cairn_node *opened;   /* the cells that connect parts, if there are several, ascending; NULL: it
                           * was not examined whether there are */
    size_t opened_count;
} cn_gate_parts;

/* The part of a cell that is not opened. */
CN_ALWAYS_INLINE uint32_t cn_gate_part_at(const cn_gate_parts *parts, cn_gate_xy at)
{
    const uint32_t part =
        parts->of_tile[at.y / CN_TILE_SIDE * parts->tiles_across + at.x / CN_TILE_SIDE];
    if (CN_LIKELY(part < CN_GATE_PARTS_MAX))
        return part;
    return parts->of_cell[(size_t)(part - CN_GATE_PARTS_MAX) * CN_TILE_CELLS +
                          at.y % CN_TILE_SIDE * CN_TILE_SIDE + at.x % CN_TILE_SIDE];
}

/* Finds the parts that some opened cells, which ascend, connect. There is only one where they would
 * be more than CN_GATE_PARTS_MAX. CAIRN_E_MEMORY. */
cairn_status cn_gate_parts_find(cn_gate_parts *parts, const cn_mem *mem, const cn_regions *regions,
                                const cn_nodes *opened);
void cn_gate_parts_free(cn_gate_parts *parts, const cn_mem *mem);

/* Whether parts of a former state of the map, which differs from it in `changed`, are valid for
 * these opened cells: where no other cells have opened since, what was separate still is. That only
 * one part was found is valid where no other cell might connect several. */
bool cn_gate_parts_hold(const cn_gate_parts *past, const cn_grid *grid, const cairn_node *changed,
                        size_t changed_count, const cn_nodes *opened);
cairn_status cn_gate_parts_copy(cn_gate_parts *parts, const cn_mem *mem, const cn_gate_parts *past,
                                const cn_nodes *opened);

/* The bytes that they have taken from their allocator. */
size_t cn_gate_parts_memory(const cn_gate_parts *parts);

#endif
