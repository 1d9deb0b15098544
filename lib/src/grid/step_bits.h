/* Which steps a rule has between neighbouring rows of cells, for 64 cells at a time. */
#ifndef CN_GRID_STEP_BITS_H
#define CN_GRID_STEP_BITS_H

#include "base/bits.h"

/* Some cells of a row, and the same bits for the cells before and behind each. */
typedef struct cn_row_bits {
    uint64_t here;
    uint64_t before;
    uint64_t behind;
} cn_row_bits;

CN_ALWAYS_INLINE cn_row_bits cn_row_bits_at(const uint64_t *words)
{
    return (cn_row_bits){words[0], cn_bits_before(words), cn_bits_behind(words)};
}

/* Cells that a step from the row above or below leads to. */
typedef struct cn_step_bits {
    uint64_t straight; /* from the cell in the same column */
    uint64_t west;     /* from the column before */
    uint64_t east;     /* from the column behind */
} cn_step_bits;

/* The steps into a row from one next to it, given which cells of both are open. On hexagons, rows
 * that are shifted to the right have steps from the same column and the one behind, the others from
 * the same column and the one before; `is_shifted` says which of the two the row that is entered
 * is. */
CN_ALWAYS_INLINE cn_step_bits cn_steps_between(cairn_rule rule, bool is_shifted, cn_row_bits into,
                                               cn_row_bits from)
{
    cn_step_bits steps = {into.here & from.here, into.here & from.before, into.here & from.behind};
    switch (rule) {
    case CAIRN_RULE_4: steps.west = steps.east = 0; break;
    case CAIRN_RULE_8:
        steps.west &= into.before & from.here;
        steps.east &= into.behind & from.here;
        break;
    case CAIRN_RULE_8_ONE_SIDE:
        steps.west &= into.before | from.here;
        steps.east &= into.behind | from.here;
        break;
    case CAIRN_RULE_HEX:
        steps.west = is_shifted ? 0 : steps.west;
        steps.east = is_shifted ? steps.east : 0;
        break;
    default: break;
    }
    return steps;
}

#endif
