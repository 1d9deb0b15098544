/* The directions of steps on grids, and which of them a rule knows. */
#ifndef CN_GRID_DIRECTIONS_H
#define CN_GRID_DIRECTIONS_H

#include "base/base.h"

/* The eight directions; the opposite of d is d ^ 1 for straight ones and 11 - d for diagonals. */
enum cn_direction { CN_E, CN_W, CN_S, CN_N, CN_SE, CN_SW, CN_NE, CN_NW, CN_DIRECTIONS };

/* As a direction of arrival: a start, from which every step counts. */
enum { CN_NOWHERE = CN_DIRECTIONS };

enum { CN_STRAIGHT = 4 };  /* directions below it are straight */

extern const int8_t cn_step_x[CN_DIRECTIONS];
extern const int8_t cn_step_y[CN_DIRECTIONS];

CN_ALWAYS_INLINE unsigned cn_opposite(unsigned direction)
{
    return direction < CN_STRAIGHT ? direction ^ 1u : 11u - direction;
}

/* The directions that a rule knows, as bits. */
unsigned cn_rule_directions(cairn_rule rule);

/* Whether canonical paths take a direction as early as they can: diagonals; up and down where
 * there are none; every second one of hexagons. A step in it may be followed by another of the same
 * direction, or by one of the two minor directions beside it, wherever these are legal; a minor
 * step by another of the same direction. Whatever else may follow depends on blocked cells. */
bool cn_rule_is_major(cairn_rule rule, unsigned direction);

#endif
