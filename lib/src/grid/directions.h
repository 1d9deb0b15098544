/* The directions of steps on grids, and which of them each rule has. */
#ifndef CN_GRID_DIRECTIONS_H
#define CN_GRID_DIRECTIONS_H

#include "base/base.h"

/* The eight directions; the opposite of d is d ^ 1 for straight ones and 11 - d for diagonals. */
enum { CN_E, CN_W, CN_S, CN_N, CN_SE, CN_SW, CN_NE, CN_NW, CN_DIRECTIONS };

#define CN_BIT(direction) (1u << (direction))

/* Whether directions, as bits, have one among them: 0 or 1. */
#define CN_HAS(directions, direction) ((unsigned)(directions) >> (direction)&1u)

/* A direction of arrival for a start, at which no step led to the cell: all steps are taken. */
enum { CN_NOWHERE = CN_DIRECTIONS };

enum { CN_STRAIGHT = 4 }; /* directions below it are straight */

extern const int8_t cn_step_x[CN_DIRECTIONS];
extern const int8_t cn_step_y[CN_DIRECTIONS];

CN_ALWAYS_INLINE unsigned cn_opposite(unsigned direction)
{
    return direction < CN_STRAIGHT ? direction ^ 1u : 11u - direction;
}

/* A node, or the number of a corner, lies in the bits below this one where a direction of arrival
 * is kept in the same 32 bits. */
enum { CN_ARRIVAL_SHIFT = 28 };

_Static_assert(CAIRN_NODES_MAX <= UINT32_C(1) << CN_ARRIVAL_SHIFT, "room for every node");

/* Both in 32 bits, and each of them. */
#define CN_LABEL_OF(node, arrival) ((uint32_t)(arrival) << CN_ARRIVAL_SHIFT | (node))
#define CN_NODE_OF(label) ((label) & ((1u << CN_ARRIVAL_SHIFT) - 1))
#define CN_ARRIVAL_OF(label) ((label) >> CN_ARRIVAL_SHIFT)

/* Whether a rule has diagonal steps. All steps of hexagons count as straight ones. */
CN_ALWAYS_INLINE bool cn_rule_has_diagonals(cairn_rule rule)
{
    return rule != CAIRN_RULE_4 && rule != CAIRN_RULE_HEX;
}

/* The directions of a rule, as bits. */
unsigned cn_rule_directions(cairn_rule rule);

/* Whether a direction is major, that is, whether canonical paths take it as early as possible:
 * diagonals; up and down where there are no diagonals; every second direction of hexagons. A step
 * in a major direction may be followed by another in the same direction, or by one in the two minor
 * directions beside it, wherever these are legal; a minor step by another in the same direction.
 * What else may follow depends on blocked cells. */
bool cn_rule_is_major(cairn_rule rule, unsigned direction);

/* Whether straight steps alone connect the same cells as all steps do, where none is one-way: a
 * diagonal step needs an open cell beside it, or there is none. */
bool cn_rule_joins_straight(cairn_rule rule);

/* Which cells of the row above are connected with a cell, where none is one-way: those in its own
 * column and in so many columns to the left and to the right of it. Diagonal steps count only if
 * straight ones do not connect the same cells. */
typedef struct cn_row_reach {
    uint32_t left;
    uint32_t right;
} cn_row_reach;

/* How far the cells in row y reach. */
cn_row_reach cn_rule_reach_above(cairn_rule rule, uint32_t y);

#endif
