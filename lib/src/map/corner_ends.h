/*
 * The corners from which the costs of a cell follow, found along the planes for jump points: those
 * at which runs from the cell turn. The first turn of a shortest path from the cell is one of them,
 * and as costs are the same both ways, a cell costs the least of what they cost and of the runs to
 * them; or of the run to a cell that it sees: one that a diagonal run and then a straight one lead
 * to (docs/ALGORITHMS.md). They are several times fewer than the members of a set that see the cell
 * (grid/corners.h), and found in fewer steps; but costs must be exact, as those of rows are not
 * which are too low.
 */
#ifndef CN_MAP_CORNER_ENDS_H
#define CN_MAP_CORNER_ENDS_H

#include "grid/corners.h"
#include "map/jump_points.h"

/* A cell, and how far diagonal runs lead from it. */
typedef struct cn_viewpoint {
    const cn_grid *grid;
    const cn_jump *jump; /* of the grid, of the shape CN_JUMP_CLASSIC, without borders */
    uint32_t x;
    uint32_t y;
    uint32_t reach[2][2]; /* steps, by whether a run leads to higher rows, and to higher columns */
} cn_viewpoint;

/* Hands over the corners at which runs from an open cell turn, which must be members of the set, at
 * most CN_SEEN_MOST at a time, and fills in the viewpoint. */
void cn_corner_ends(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump,
                    cairn_metric metric, cairn_node node, cn_corner_taker *take, void *context,
                    cn_viewpoint *viewpoint);

/* Whether the cell sees another open one near enough to its diagonals: for cn_viewpoint_sees. */
bool cn_viewpoint_sees_beyond(const cn_viewpoint *viewpoint, uint32_t x, uint32_t y);

/* Whether the cell sees another open one. Inline, as most cells are too far from its diagonals. */
CN_ALWAYS_INLINE bool cn_viewpoint_sees(const cn_viewpoint *viewpoint, uint32_t x, uint32_t y)
{
    const bool is_east = x > viewpoint->x, is_south = y > viewpoint->y;
    const uint32_t across = is_east ? x - viewpoint->x : viewpoint->x - x;
    const uint32_t down = is_south ? y - viewpoint->y : viewpoint->y - y;
    const uint32_t slanting = across < down ? across : down;
    return slanting <= viewpoint->reach[is_south][is_east] &&
           cn_viewpoint_sees_beyond(viewpoint, x, y);
}

#endif
