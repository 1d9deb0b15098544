/*
 * A plane with a padding of blocked cells around the map, for engines that go from cell to cell and
 * then need not check for the border. Blocked cells have cost 0, so that no step improves them.
 */
#ifndef CN_FLOOD_PADDED_PLANE_H
#define CN_FLOOD_PADDED_PLANE_H

#include "flood/flood_engine.h"

/* The index of a cell in such a plane. */
typedef uint32_t cn_padded_index;

/* A number above all costs that entries of 16 or 32 bits hold. */
CN_ALWAYS_INLINE uint32_t cn_padding_infinite(unsigned bits)
{
    return bits == 16 ? UINT16_MAX : CN_PLANE_INFINITE;
}

typedef struct cn_padding {
    unsigned bits; /* of the entries of the plane */
    size_t stride;
    size_t cell_count;             /* with the padding */
    int32_t offset[CN_DIRECTIONS]; /* from cells of even rows; the same for all rows except on
                                    * hexagons */
    int32_t offset_odd[CN_DIRECTIONS];
    uint8_t *open; /* [padded index]: all bits set, or zero */
} cn_padding;

/* The padding of a map, and memory for a plane of its costs. CAIRN_E_MEMORY: nothing is allocated.
 * */
cairn_status cn_padding_init(cn_padding *padding, const cairn_map *map, unsigned bits,
                             cn_plane_memory *memory);
void cn_padding_free(cn_padding *padding, const cn_mem *mem);

/* Updates whether a cell of the map is open, also in the plane when it is next cleared. */
void cn_padding_read(cn_padding *padding, const cn_grid *grid, cairn_node node,
                     cn_plane_memory *memory);

/* Marks all cells as not reached. */
void cn_padding_clear(const cn_padding *padding, cn_plane_memory *memory);

/* The plane of costs in such memory. */
cn_plane cn_padding_plane(const cn_padding *padding, const void *costs);

CN_ALWAYS_INLINE cn_padded_index cn_padding_index(const cn_padding *padding, const cn_grid *grid,
                                                  cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return (cn_padded_index)((y + 1) * padding->stride + x + 1);
}

/* Stores a cost and appends its cell if that improves the cell. It does so without a branch, which
 * the processor would often predict wrongly. Always writes to `to[count]`; returns the new
 * count. `bits` is a constant. */
CN_ALWAYS_INLINE size_t cn_cost_relax(void *costs, uint32_t at, uint32_t cost, bool alive,
                                      uint32_t *to, size_t count, unsigned bits)
{
    uint32_t before = cn_entry_get(costs, at, bits);
    size_t better = (cost < before) & alive;
    cn_entry_put(costs, at, bits, better ? cost : before);
    to[count] = at;
    return count + better;
}

#endif
