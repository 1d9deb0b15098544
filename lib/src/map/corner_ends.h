/*
 * The ends of runs from a cell: the corners at which straight runs turn, from the cell or from its
 * diagonals. They are the successors of a cell in a search along jump points.
 *
 * The costs of a cell follow from those of the ends: the first turn of a shortest path from it is
 * one of them, and costs are the same both ways. So a cell costs the least of what an end and
 * the run to it cost; or of the run to a cell that it sees: one that a diagonal run and then a
 * straight one lead to (docs/ALGORITHMS.md). Ends are several times fewer than the members of a set
 * that see the cell (grid/corners.h), and found in fewer steps; but their costs must be exact, so
 * rows with entries that are too low cannot be used.
 */
#ifndef CN_MAP_CORNER_ENDS_H
#define CN_MAP_CORNER_ENDS_H

#include "grid/corners.h"
#include "map/graph.h"
#include "map/jump_points.h"

/* Where runs are followed. The corners of the grid must be members of the set. */
typedef struct cn_run_field {
    const cn_corners *corners;
    const cn_grid *grid;
    const cn_jump *jump; /* of the grid, of the shape CN_JUMP_CLASSIC, without borders */
    cairn_metric metric;
} cn_run_field;

/* Arcs that are found, with room that grows. */
typedef struct cn_arc_list {
    const cn_mem *mem;
    cn_arc *items;
    size_t count;
    size_t capacity;
} cn_arc_list;

/* Makes room for so many arcs in all; false when there is no memory. */
bool cn_arc_list_grow(cn_arc_list *list, size_t needed);
CN_ALWAYS_INLINE bool cn_arc_list_hold(cn_arc_list *list, size_t needed)
{
    return CN_LIKELY(needed <= list->capacity) || cn_arc_list_grow(list, needed);
}

/* A limit to which ends are kept where there are very many runs, as on open ground: those by way of
 * which every path to a target costs more may be left out. */
typedef struct cn_end_limit {
    cn_xy target;
    cairn_cost most;                         /* CAIRN_UNREACHABLE: not found yet */
    cairn_cost (*find)(const void *context); /* CAIRN_UNREACHABLE: there is none */
    const void *context;
} cn_end_limit;

/* Makes a list of arcs for the ends of every run from an open cell in some directions that a limit
 * does not leave out (NULL: none does): first of straight runs, then of those from each diagonal by
 * their distance. `to` of an arc is the number of the corner, and in the 4 bits from
 * CN_CORNER_ARRIVAL_SHIFT on the direction of arrival; `arrival` is the cell of the corner. `reach`
 * becomes how many steps each of these diagonals leads. False when there is no memory. */
bool cn_corner_ends(const cn_run_field *field, cn_xy xy, unsigned directions, cn_end_limit *limit,
                    cn_arc_list *arcs, uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT]);

/* The same in all directions, but each diagonal ends at the first member of the set on it, which is
 * an end too: where rows of all members are wanted, runs from beyond are that member's. */
bool cn_corner_near_ends(const cn_run_field *field, cn_xy xy, cn_arc_list *arcs,
                         uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT]);

/* Like cn_corner_ends, for a few runs in all directions that leave near the cell. */
enum { CN_SOME_ENDS = CN_STRAIGHT + 2 * (CN_DIRECTIONS - CN_STRAIGHT) };
size_t cn_corner_some_ends(const cn_run_field *field, cn_xy xy, cn_arc arcs[CN_SOME_ENDS]);

/* Whether a cell sees another open one near enough to its diagonals: for cn_cell_sees. */
bool cn_cell_sees_beyond(const cn_run_field *field, cn_xy from, cn_xy to);

/* Whether a cell sees another open one, by the reach of its diagonals. Inline, as most cells are
 * too far from them. */
CN_ALWAYS_INLINE bool cn_cell_sees(const cn_run_field *field, cn_xy from, cn_xy to,
                                   const uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT])
{
    const bool is_west = CN_X_OF(to) < CN_X_OF(from), is_north = CN_Y_OF(to) < CN_Y_OF(from);
    const uint32_t across = is_west ? CN_X_OF(from) - CN_X_OF(to) : CN_X_OF(to) - CN_X_OF(from);
    const uint32_t down = is_north ? CN_Y_OF(from) - CN_Y_OF(to) : CN_Y_OF(to) - CN_Y_OF(from);
    return (across < down ? across : down) <= reach[2 * is_north + is_west] &&
           cn_cell_sees_beyond(field, from, to);
}

#endif
