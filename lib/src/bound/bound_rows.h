/*
 * The largest difference between a node's entries and the goal's, over all rows at once.
 *
 * The goal's entries are given as two rows, `above` and `below`, so that a lane can be used in one
 * direction only or not at all: the result is the largest of entry - above and below - entry that
 * is positive, or 0. Where all rows are used in both directions, both are the goal's own row;
 * `above` is never less than `below`. Numbers of lanes are those of a table: whole vectors of 16
 * bytes, or of 32 if there are more than one.
 *
 * In unreachable entries all bits are set. Two of them have the difference 0; if only one entry is
 * unreachable, node and goal lie in different components, so no bound is too large. 32-bit results
 * above CAIRN_COST_MAX mean that there is no path.
 */
#ifndef CN_BOUND_BOUND_ROWS_H
#define CN_BOUND_BOUND_ROWS_H

#include "base/cpu.h"

typedef cairn_cost (*cn_rows_kernel)(const void *entries, const void *above, const void *below,
                                     uint32_t lane_count);

/* The goal's rows and the entries of all nodes, for many evaluations. */
typedef struct cn_rows_view {
    const uint8_t *entries;
    const void *above;
    const void *below;
    uint32_t lane_count;
} cn_rows_view;

/* Computes the result of the kernel for each of `count` nodes. */
typedef void (*cn_rows_kernel_of_many)(const cn_rows_view *view, const cairn_node *nodes,
                                       size_t count, cairn_cost *most);

/* The kernel for entries of 16 or 32 bits and a level of the processor, which may be lower than
 * what the processor has. */
cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu);
cn_rows_kernel_of_many cn_rows_kernel_of_many_for(unsigned entry_bits, cn_cpu cpu);

#endif
