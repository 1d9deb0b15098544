/* Units of several cells on a grid: which cells a unit covers, and the letter that stands for
 * them. */
#ifndef CN_GRID_BODIES_H
#define CN_GRID_BODIES_H

#include "cairn/units.h"
#include "grid/grid.h"

typedef struct cn_bodies {
    uint32_t size;
    uint32_t before;      /* columns and rows of a unit before its anchor */
    bool is_hex;          /* each row of a unit begins south-east of the one above */
    bool has_equal_cells; /* all open letters have one factor, and none is one-way */
    uint8_t blocked_letter;
    cn_rules rules; /* of the map for units */
} cn_bodies;

/* Which cells units cover, where only the map for units is known, whose grid this is, and not the
 * map that it was made of. */
void cn_bodies_of(cn_bodies *bodies, const cn_grid *grid, uint32_t size, cairn_anchor anchor);

/* The same with the letters of the map for units, whose grid is not made yet, from the grid that it
 * is made of. CAIRN_E_LIMIT where there are not enough letters. */
cairn_status cn_bodies_init(cn_bodies *bodies, const cn_grid *grid, uint32_t size,
                            cairn_anchor anchor);

/* Which cell of a unit is its anchor. The middle of 2 x 2 cells is the top left one. */
CN_ALWAYS_INLINE cairn_anchor cn_bodies_anchor(const cn_bodies *bodies)
{
    return bodies->before > 0 ? CAIRN_ANCHOR_MIDDLE : CAIRN_ANCHOR_TOP_LEFT;
}

/* Finds the first cell of the first row of a unit; false where it reaches beyond the grid. */
bool cn_body_at(const cn_bodies *bodies, const cn_grid *grid, cairn_node anchor, cairn_node *first);

/* The first cell of the next row, given that of a row. */
CN_ALWAYS_INLINE cairn_node cn_body_next_row(const cn_bodies *bodies, const cn_grid *grid,
                                             cairn_node first)
{
    uint32_t x, y;
    if (!bodies->is_hex)
        return first + grid->width;
    cn_grid_xy(grid, first, &x, &y);
    return first + grid->width + (y & 1);
}

/* The letters that anchors in a row have on the map for units, at most CN_BODIES_AT_ONCE, from one
 * cell on. */
enum { CN_BODIES_AT_ONCE = 64 };
void cn_body_letters_from(const cn_bodies *bodies, const cn_grid *grid, uint32_t x, uint32_t y,
                          uint32_t count, uint8_t *letters);

/* The letters of all anchors; false where there is no memory. */
bool cn_body_letters(const cn_bodies *bodies, const cn_grid *grid, const cn_mem *mem,
                     uint8_t *letters);

/* The largest height below a unit; where it reaches beyond the grid, that of the anchor. */
uint16_t cn_body_height(const cn_bodies *bodies, const cn_grid *grid, cairn_node anchor);

/* An area that holds the anchors of all units that cover a cell of a given one. */
cn_area cn_bodies_around(const cn_bodies *bodies, const cn_grid *grid, const cn_area *area);

#endif
