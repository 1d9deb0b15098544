/*
 * A kernel for rows side by side: a template of vector code (simd/template.h), included once for
 * each instruction set and width of entries.
 */
#include "simd/template.h"

#define NEVER ((ENTRY)-1)
#define AHEAD 6 /* places in the queue; the entries around a node are fetched so much earlier */

INSIDE ENTRY *NAME(cell_at)(const cn_lanes *self, cairn_node node)
{
    return (ENTRY *)self->table->entries + cn_table_index(self->table, node, self->first_lane);
}

INSIDE void NAME(write)(cn_lanes *self, cairn_node node, VECTOR entries, uint32_t lanes)
{
    self->busy |= lanes;
    cn_table_mark(self->table, node);
    V(store)(NAME(cell_at)(self, node), entries);
}

INSIDE void NAME(fetch_ahead)(const cn_lanes *self)
{
    if (self->tail - self->head <= AHEAD)
        return;
    const ENTRY *here = NAME(cell_at)(self, self->queue[(self->head + AHEAD) & self->queue_mask]);
    const ptrdiff_t column = (ptrdiff_t)self->table->lane_count;
    const ptrdiff_t row = (ptrdiff_t)self->grid->width * column;
    for (ptrdiff_t beside = -column; beside <= column; beside += column) {
        CN_PREFETCH(here + beside - row);
        CN_PREFETCH(here + beside);
        CN_PREFETCH(here + beside + row);
    }
}

/* The lanes in which no neighbour's entry plus the step from there equals the node's entry. */
INSIDE uint32_t NAME(unsupported)(const cn_lanes *self, cairn_node node, VECTOR own, uint32_t lanes)
{
    const cn_grid *grid = self->grid;
    const VECTOR never = V(all)(NEVER);
    const VECTOR straight = V(all)((ENTRY)self->metric.straight);
    const VECTOR diagonal = V(all)((ENTRY)self->metric.diagonal);

    for (unsigned left = grid->moves[grid->around[node]]; left && lanes; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        VECTOR from = V(load)(NAME(cell_at)(self, node + (cairn_node)grid->offset[direction]));
        VECTOR sum = V(add)(from, direction < CN_STRAIGHT ? straight : diagonal);
        lanes &= ~V(equal)(sum, own) | V(equal)(from, never);
    }
    return lanes;
}

/* Queues the neighbours whose entries may have come from a node's entry. */
INSIDE void NAME(suspect)(cn_lanes *self, cairn_node node, VECTOR own, uint32_t lanes)
{
    const cn_grid *grid = self->grid;
    const VECTOR straight = V(add)(own, V(all)((ENTRY)self->metric.straight));
    const VECTOR diagonal = V(add)(own, V(all)((ENTRY)self->metric.diagonal));

    for (unsigned left = grid->moves[grid->around[node]]; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = node + (cairn_node)grid->offset[direction];
        VECTOR there = V(load)(NAME(cell_at)(self, next));
        uint32_t from_here = lanes & V(equal)(there, direction < CN_STRAIGHT ? straight : diagonal);
        if (from_here)
            cn_lanes_wait(self, next, from_here);
    }
}

static KERNEL void NAME(drop)(cn_lanes *self, uint32_t most)
{
    const VECTOR never = V(all)(NEVER), zero = V(all)(0);

    for (; most && self->head != self->tail; most--) {
        NAME(fetch_ahead)(self);
        cn_lanes_visit at = cn_lanes_next(self);
        VECTOR own = V(load)(NAME(cell_at)(self, at.node));
        /* Landmarks and blocked cells are 0. */
        at.lanes &= ~(V(equal)(own, never) | V(equal)(own, zero));
        at.lanes = NAME(unsupported)(self, at.node, own, at.lanes);
        if (!at.lanes)
            continue;
        self->visits[self->visit_count++] = at;
        NAME(write)(self, at.node, V(either)(own, V(ones)(at.lanes)), at.lanes);
        NAME(suspect)(self, at.node, own, at.lanes);
    }
}

static KERNEL void NAME(pull)(cn_lanes *self, cairn_node node, uint32_t lanes)
{
    const cn_grid *grid = self->grid;
    const VECTOR never = V(all)(NEVER);
    const VECTOR straight = V(all)((ENTRY)self->metric.straight);
    const VECTOR diagonal = V(all)((ENTRY)self->metric.diagonal);
    VECTOR own = V(load)(NAME(cell_at)(self, node)), least = own;
    uint32_t reached = 0;

    self->visited++;
    for (unsigned left = grid->moves[grid->around[node]]; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        VECTOR from = V(load)(NAME(cell_at)(self, node + (cairn_node)grid->offset[direction]));
        VECTOR sum = V(add)(from, direction < CN_STRAIGHT ? straight : diagonal);
        uint32_t here = lanes & ~V(equal)(from, never);
        least = V(min)(least, V(either)(sum, V(ones)(~here)));
        reached |= here;
    }
    self->too_wide |= reached & V(equal)(least, never);
    uint32_t fell = ~V(equal)(least, own) & lanes;
    if (!fell)
        return;
    NAME(write)(self, node, least, fell);
    cn_lanes_wait(self, node, fell);
}

INSIDE void NAME(spread)(cn_lanes *self, cn_lanes_visit at)
{
    const cn_grid *grid = self->grid;
    const VECTOR never = V(all)(NEVER), outside = V(ones)(~at.lanes);
    const VECTOR own = V(load)(NAME(cell_at)(self, at.node));
    const VECTOR straight = V(either)(outside, V(add)(own, V(all)((ENTRY)self->metric.straight)));
    const VECTOR diagonal = V(either)(outside, V(add)(own, V(all)((ENTRY)self->metric.diagonal)));

    for (unsigned left = grid->moves[grid->around[at.node]]; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = at.node + (cairn_node)grid->offset[direction];
        VECTOR there = V(load)(NAME(cell_at)(self, next));
        VECTOR least = V(min)(there, direction < CN_STRAIGHT ? straight : diagonal);
        uint32_t fell = ~V(equal)(least, there) & at.lanes;
        if (sizeof(ENTRY) == sizeof(uint16_t))
            self->too_wide |= V(equal)(least, never) & at.lanes;
        if (!fell)
            continue;
        NAME(write)(self, next, least, fell);
        cn_lanes_wait(self, next, fell);
    }
}

static KERNEL void NAME(flood)(cn_lanes *self, uint32_t most)
{
    for (; most && self->head != self->tail; most--) {
        NAME(fetch_ahead)(self);
        cn_lanes_visit at = cn_lanes_next(self);
        if (!at.lanes)
            continue;
        self->visits[self->visit_count++] = at;
        NAME(spread)(self, at);
    }
}

static KERNEL uint32_t NAME(unreached)(const cn_lanes *self, cairn_node node)
{
    return V(equal)(V(load)(NAME(cell_at)(self, node)), V(all)(NEVER));
}

#undef NEVER
#undef AHEAD
#include "simd/template_end.h"
