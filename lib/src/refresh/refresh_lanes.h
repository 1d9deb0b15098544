/*
 * The repair of rows side by side. Entries of a node lie together, so that one visit of a node
 * repairs as many rows as a vector has lanes. The phases are those of refresh_row.c (drop, pull,
 * flood), but the order differs, because each row would have its own: nodes wait in one queue, each
 * with the rows for which it waits, and may be queued again. The entries reach the same fixpoint in
 * any order.
 */
#ifndef CN_REFRESH_REFRESH_LANES_H
#define CN_REFRESH_REFRESH_LANES_H

#include "map/map_steps.h"
#include "table/table.h"

/* A node, and the lanes in which its entry changed. */
typedef struct cn_lanes_visit {
    cairn_node node;
    uint32_t lanes;
} cn_lanes_visit;

/* The work on one block: as many neighbouring lanes as a vector has. */
typedef struct cn_lanes {
    const cairn_map *map;
    const cn_grid *grid; /* of the map */
    cairn_cost step[2];  /* straight, slanting, where all steps of a kind cost the same */
    bool is_uneven;      /* they do not, or some cells are one-way */
    bool may_exceed;     /* a path may cost more than CAIRN_COST_MAX */
    cairn_table *table;
    uint32_t first_lane; /* of the block */
    uint32_t active;     /* lanes in work; the others are not changed */
    uint32_t busy;       /* lanes in which any entry was written */
    uint32_t too_wide;   /* lanes with a cost that may not fit: they do not spread further */

    uint32_t *waits;   /* by node: the lanes for which it waits; all zero between uses */
    cairn_node *queue; /* the nodes that wait: a ring with room for all nodes */
    uint32_t queue_mask;
    uint32_t head;
    uint32_t tail;

    cn_lanes_visit *visits; /* in the order of the work: nodes whose entries were dropped, pending
                             * ones, and those whose entries spread further */
    size_t visit_count;
    size_t visit_capacity;
    uint64_t visited; /* number of visits so far */
} cn_lanes;

/* The functions of an instruction set. After `most` visits they return even if nodes still wait;
 * `visits` has room for so many more. */
typedef struct cn_lanes_kernel {
    unsigned lane_count; /* of a vector; 0 where the build lacks the code */

    /* Drops entries that nothing supports, of the nodes that wait and of nodes that depended on
     * these. */
    void (*drop)(cn_lanes *self, uint32_t most);

    /* Computes the entries of the first visits from their neighbours where that lowers them; the
     * nodes then wait. */
    void (*pull)(cn_lanes *self, size_t count);

    /* Spreads the entries of nodes that wait to their neighbours, until none falls. */
    void (*flood)(cn_lanes *self, uint32_t most);

    /* The lanes in which a node is unreachable. */
    uint32_t (*unreached)(const cn_lanes *self, cairn_node node);
} cn_lanes_kernel;

/* By cn_cpu, for entries of 16 and of 32 bits. All zero where the build lacks the code. */
extern const cn_lanes_kernel cn_lanes_kernels[CN_CPU_LEVELS][2];

typedef struct cn_lanes_step {
    cairn_cost cost;
    bool is_legal;
} cn_lanes_step;

/* A step between two open cells that no corner forbids. */
CN_ALWAYS_INLINE cn_lanes_step cn_lanes_step_of(const cn_lanes *self, cairn_node from,
                                                cairn_node to, unsigned direction)
{
    const cn_grid *grid = &self->map->grid;
    return (cn_lanes_step){cn_grid_step_cost(self->map, from, to, direction),
                           grid->exits[grid->letters[from]] >> direction & 1};
}

CN_ALWAYS_INLINE void cn_lanes_wait(cn_lanes *self, cairn_node node, uint32_t lanes)
{
    if (!self->waits[node])
        self->queue[self->tail++ & self->queue_mask] = node;
    self->waits[node] |= lanes;
}

/* Removes the next node from the queue, which must not be empty. Returns it with the lanes for
 * which it waits. */
CN_ALWAYS_INLINE cn_lanes_visit cn_lanes_next(cn_lanes *self)
{
    cairn_node node = self->queue[self->head++ & self->queue_mask];
    cn_lanes_visit next = {node, self->waits[node] & self->active & ~self->too_wide};
    self->waits[node] = 0;
    self->visited++;
    return next;
}

#endif
