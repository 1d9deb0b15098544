/*
 * The repair of rows side by side. Entries of a node lie together, so that each look at a
 * node serves as many rows as a vector has lanes. What is done is what refresh_row.c does one by
 * one (drop, pull, flood), but for the order: every row would have its own, so nodes wait in one
 * queue, each with the rows that it waits for, and may come to wait again. Entries come to the one
 * fixpoint in any order.
 */
#ifndef CN_REFRESH_REFRESH_LANES_H
#define CN_REFRESH_REFRESH_LANES_H

#include "table/table.h"

/* A node, and lanes in which something happened to it. */
typedef struct cn_lanes_visit {
    cairn_node node;
    uint32_t lanes;
} cn_lanes_visit;

/* The work on one block: neighbouring lanes, as many as a vector has. */
typedef struct cn_lanes {
    const cn_grid *grid;
    cairn_metric metric;
    cairn_table *table;
    uint32_t first_lane;      /* of the block */
    uint32_t active;          /* lanes in work: the others are left as they are */
    uint32_t busy;            /* lanes in which any entry was written */
    uint32_t too_wide;        /* lanes with a cost that may not fit 16 bits */

    uint32_t *waits;          /* by node: lanes that it waits for; all zero between uses */
    cairn_node *queue;        /* the nodes that wait: a ring with room for all */
    uint32_t queue_mask;
    uint32_t head;
    uint32_t tail;

    cn_lanes_visit *visits;   /* in the order of the work: entries dropped, or taken further */
    size_t visit_count;
    size_t visit_capacity;
    uint64_t visited;         /* at nodes, so far */
} cn_lanes;

/* What an instruction set brings along. `most`: looks after which to return even if nodes still
 * wait; there is room for as many visits more. */
typedef struct cn_lanes_kernel {
    unsigned lane_count;      /* of a vector; 0 where the build has no such code */

    /* Drops what nothing supports of the nodes that wait, and of those that depended on them. */
    void (*drop)(cn_lanes *self, uint32_t most);

    /* Takes a node's entries from its neighbours where those are less; then it waits. */
    void (*pull)(cn_lanes *self, cairn_node node, uint32_t lanes);

    /* Takes entries of the nodes that wait to their neighbours, until none falls. */
    void (*flood)(cn_lanes *self, uint32_t most);

    /* The lanes in which a node is unreachable. */
    uint32_t (*unreached)(const cn_lanes *self, cairn_node node);
} cn_lanes_kernel;

/* For entries of 16 and of 32 bits. */
extern const cn_lanes_kernel cn_lanes_kernels_avx512[2];
extern const cn_lanes_kernel cn_lanes_kernels_avx2[2];
extern const cn_lanes_kernel cn_lanes_kernels_portable[2];

CN_ALWAYS_INLINE void cn_lanes_wait(cn_lanes *self, cairn_node node, uint32_t lanes)
{
    if (!self->waits[node])
        self->queue[self->tail++ & self->queue_mask] = node;
    self->waits[node] |= lanes;
}

/* The next node in the queue, which must not be empty, and the lanes that it waits for. */
CN_ALWAYS_INLINE cn_lanes_visit cn_lanes_next(cn_lanes *self)
{
    cairn_node node = self->queue[self->head++ & self->queue_mask];
    cn_lanes_visit next = {node, self->waits[node] & self->active};
    self->waits[node] = 0;
    self->visited++;
    return next;
}

#endif
