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
#include "graph/graph.h"
#include "map/jump_points.h"

/* Where runs are followed. The corners of the grid must be members of the set. */
typedef struct cn_run_field {
    const cn_corners *corners;
    const cn_grid *grid;
    const cn_jump *jump; /* of the grid, of the shape CN_JUMP_CLASSIC, without borders */
    cairn_metric metric;
    cn_cpu cpu;
} cn_run_field;

/* A limit to which ends are kept: those by way of which every path to a target costs more may be
 * left out. */
typedef struct cn_end_limit {
    cn_xy target;
    cairn_cost most; /* CAIRN_UNREACHABLE: none */
    /* Finds another one, where there are very many runs, as on open ground; CAIRN_UNREACHABLE:
     * there is none. NULL: it is not asked, or was already. */
    cairn_cost (*find)(const void *context);
    const void *context;
    bool was_lowered; /* the one that was found is lower */
} cn_end_limit;

/* Makes a list of arcs for the ends of every run from an open cell in some directions that a limit
 * does not leave out (NULL: none does): first of straight runs, then of those from each diagonal by
 * their distance. `to` of an arc is the number of the corner, and in the 4 bits from
 * CN_ARRIVAL_SHIFT on the direction of arrival; `arrival` is the cell of the corner. `reach`
 * becomes how many steps each of these diagonals leads, or within the limit needs to be followed.
 * False when there is no memory. */
bool cn_corner_ends(const cn_run_field *field, cn_xy xy, unsigned directions, cn_end_limit *limit,
                    cn_arc_list *arcs, uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT]);

/* The ends in all directions, but each diagonal ends at the first member of the set on it, which is
 * an end too: where rows of all members are wanted, runs from beyond are that member's. */
bool cn_corner_near_ends(const cn_run_field *field, cn_xy xy, cn_arc_list *arcs);

/* Like cn_corner_ends, for a few runs in all directions that leave near the cell. */
enum { CN_SOME_ENDS = CN_STRAIGHT + 2 * (CN_DIRECTIONS - CN_STRAIGHT) };
size_t cn_corner_some_ends(const cn_run_field *field, cn_xy xy, cn_arc arcs[CN_SOME_ENDS]);

/* A member of the set as the end of straight runs: a run in a direction may lead over so many cells
 * up to it, the member counted and the cell where it begins not. */
typedef struct cn_run_target {
    uint32_t number;
    cn_xy xy;
    uint16_t most[CN_STRAIGHT];
} cn_run_target;

cn_run_target cn_run_target_of(const cn_run_field *field, cn_xy xy);

/* Whether a cell sees a member, by the reach of the cell's diagonals. */
CN_ALWAYS_INLINE bool cn_cell_sees(cn_xy from, const cn_run_target *to,
                                   const uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT])
{
    const uint32_t x = CN_X_OF(from), y = CN_Y_OF(from);
    const uint32_t to_x = CN_X_OF(to->xy), to_y = CN_Y_OF(to->xy);
    const bool is_west = to_x < x, is_north = to_y < y;
    const uint32_t across = is_west ? x - to_x : to_x - x, down = is_north ? y - to_y : to_y - y;
    const uint32_t diagonal = across < down ? across : down;
    if (CN_LIKELY(diagonal > reach[2 * is_north + is_west]))
        return false;
    if (across > down)
        return across - down <= to->most[is_west ? CN_W : CN_E];
    return down - across <= to->most[is_north ? CN_N : CN_S];
}

/* --------------------------------------------------------------------- runs from diagonals -- */

/* A straight run in one number: its direction in the lowest 4 bits; the next 2 are the direction of
 * the diagonal from whose cell it leaves, without CN_STRAIGHT; those from CN_RUN_LENGTH_SHIFT on
 * are the number of steps on the diagonal up to that cell.
 *
 * A processor could not predict in which directions the runs from a cell lead. So no branch depends
 * on that: runs are listed first, as numbers, and their ends are found one after another. */
typedef uint32_t cn_side_run;

enum {
    CN_RUN_DIAGONAL_SHIFT = 4,
    CN_RUN_LENGTH_SHIFT = 8,
    CN_RUN_STEP = 1 << CN_RUN_LENGTH_SHIFT /* one more step on the diagonal */
};

/* A run without a direction, from the cell at which a diagonal begins. */
CN_ALWAYS_INLINE cn_side_run cn_run_from_diagonal(unsigned direction)
{
    return (direction - CN_STRAIGHT) << CN_RUN_DIAGONAL_SHIFT;
}

CN_ALWAYS_INLINE uint32_t cn_run_steps(cn_side_run run)
{
    return run >> CN_RUN_LENGTH_SHIFT;
}

/* A step in a diagonal direction, modulo 2^32. */
#define CN_XY_STEP(x, y) ((cn_xy)(y)*65536u + (cn_xy)(x))

/* The step of the diagonal from which a run leaves. */
CN_ALWAYS_INLINE cn_xy cn_run_diagonal(cn_side_run run)
{
    static const cn_xy steps[] = {CN_XY_STEP(1, 1), CN_XY_STEP(-1, 1), CN_XY_STEP(1, -1),
                                  CN_XY_STEP(-1, -1)};
    return steps[run >> CN_RUN_DIAGONAL_SHIFT & 3];
}

/* The corner at which a run ends, on planes of the shape CN_JUMP_CLASSIC; `from_xy` is the cell
 * from which its diagonal leads. There must be one: a hit tells that. *minors becomes the number of
 * the run's steps. */
CN_ALWAYS_INLINE cn_corner_arc cn_run_end(const cn_corners *corners, const cn_jump *jump,
                                          cn_xy from_xy, cn_side_run run, uint32_t *minors)
{
    const unsigned direction = run & 3;
    const bool is_row = cn_jump_is_row(direction), is_forward = cn_jump_is_forward(direction);
    const unsigned along = is_row ? 0 : 16;
    const cn_xy xy = from_xy + cn_run_steps(run) * cn_run_diagonal(run);
    const cn_axis *lines = &jump->axes[!is_row];
    const size_t line_number = xy >> (16 - along) & 0xffff;
    const cn_stops *line = lines->stops + line_number * lines->words;
    const uint32_t from = xy >> along & 0xffff, first = is_forward ? from + 1 : from - 1;
    const uint64_t ahead = is_forward ? ~UINT64_C(0) << first % 64
                                      : ~UINT64_C(0) >> (63 - first % 64);
    const cn_stops *at = line + first / 64;
    uint64_t bits = (is_forward ? at->forward : at->backward) & ahead;

    while (CN_UNLIKELY(!bits)) {
        at = is_forward ? at + 1 : at - 1;
        bits = is_forward ? at->forward : at->backward;
    }
    const uint32_t stop = (uint32_t)(at - line) * 64 +
                          (is_forward ? cn_lowest_bit(bits) : cn_highest_bit(bits));
    const cn_xy to = xy + ((stop - from) << along);
    const uint32_t number = cn_corners_find(corners, CN_X_OF(to), CN_Y_OF(to));
    *minors = is_forward ? stop - from : from - stop;
    return (cn_corner_arc){CN_LABEL_OF(number, direction), to};
}

#endif
