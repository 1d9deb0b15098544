/*
 * Borders: open cells from which, or next to which, steps cost more or less than elsewhere, or have
 * no reverse: those whose neighbourhood (the 3 x 3 of squares, the 7 of hexagons) has open cells of
 * different factors or heights, or one-way cells. Bit i % 64 of word i / 64 stands for cell i.
 */
#ifndef CN_GRID_BORDERS_H
#define CN_GRID_BORDERS_H

#include "grid/grid.h"

CN_ALWAYS_INLINE size_t cn_border_words(const cn_grid *grid)
{
    return (cn_grid_cell_count(grid) + 63) / 64;
}

/* Finds the borders of a whole grid. */
void cn_borders_fill(const cn_grid *grid, uint64_t *borders);

/* Whether an open cell of row y is a border. */
bool cn_borders_has(const cn_grid *grid, cairn_node node, uint32_t y);

/* The borders among 64 cells of a row, from column 64 * word on. Bits beyond the row are those of
 * other cells. */
CN_ALWAYS_INLINE uint64_t cn_borders_of_word(const cn_grid *grid, const uint64_t *borders,
                                             uint32_t y, size_t word)
{
    return cn_bits_from(borders, cn_border_words(grid), (size_t)y * grid->width + word * 64);
}

#endif
