/*
 * The largest difference between a node's entries and the goal's, all rows at once.
 *
 * The goal's entries come as two rows, `above` and `below`, so that a lane may be taken in one
 * direction or not at all: the result is the largest of entry - above and below - entry that is
 * positive. Both are the goal's own row where every row counts; `above` is never less than `below`.
 * Counts of lanes are those of a table: full vectors of 16 bytes, or of 32 where there is more
 * than one.
 *
 * Unreachable entries are all ones. Two of them differ by nothing; one of them makes a difference
 * that is at least as true as the other rows', since the node and the goal then lie in different
 * components. 32-bit results above CAIRN_COST_MAX say that there is no path.
 */
#ifndef CN_TABLE_BOUND_ROWS_H
#define CN_TABLE_BOUND_ROWS_H

#include "base/cpu.h"

typedef cairn_cost (*cn_rows_kernel)(const void *entries, const void *above, const void *below,
                                     uint32_t lane_count);

/* The goal's rows and where nodes have theirs: what many evaluations share. */
typedef struct cn_rows_view {
    const uint8_t *entries;
    const void *above;
    const void *below;
    uint32_t lane_count;
} cn_rows_view;

/* What the kernel gives for each of `count` nodes. */
typedef void (*cn_rows_kernel_of_many)(const cn_rows_view *view, const cairn_node *nodes,
                                       size_t count, cairn_cost *most);

/* The kernel for entries of 16 or 32 bits at a level of the processor, which may be lower than
 * what it has. */
cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu);
cn_rows_kernel_of_many cn_rows_kernel_of_many_for(unsigned entry_bits, cn_cpu cpu);

#endif
