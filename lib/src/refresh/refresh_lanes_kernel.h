/*
 * A kernel for rows side by side: a template of vector code (simd/template.h), included once for
 * each instruction set and width of entries.
 */
#include "simd/template.h"

#define NEVER ((ENTRY)-1)
#define LANES_MASK ((uint32_t)((UINT64_C(1) << LANES) - 1))
#define AHEAD 6 /* nodes; the entries around one are fetched so much earlier */

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

/* Steps in every direction from a node. */
typedef struct NAME(steps) {
    const cn_lanes *lanes;
    cairn_node node;
    const int32_t *offsets;
    unsigned legal; /* directions, as bits */
    VECTOR straight;
    VECTOR slanting; /* costs, where all steps of a kind cost the same */
} NAME(steps);

INSIDE NAME(steps) NAME(steps_of)(const cn_lanes *self, cairn_node node)
{
    return (NAME(steps)){self,
                         node,
                         cn_grid_offsets(self->grid, node),
                         self->grid->moves[self->grid->around[node]],
                         V(all)((ENTRY)self->step[0]),
                         V(all)((ENTRY)self->step[1])};
}

/* What a step costs, by lane, and the lanes in which there is one. */
typedef struct NAME(step) {
    VECTOR cost;
    uint32_t lanes;
} NAME(step);

/* The steps by which entries go to the neighbour in a direction, or come from it. In tables of
 * directed costs the even rows hold costs from landmarks, so that entries go along steps, and the
 * odd ones costs to them. */
INSIDE NAME(step)
    NAME(step_between)(const NAME(steps) * steps, unsigned direction, cairn_node next, bool goes)
{
    const cn_lanes *self = steps->lanes;
    if (CN_LIKELY(!self->is_uneven))
        return (NAME(step)){direction < CN_STRAIGHT ? steps->straight : steps->slanting,
                            LANES_MASK};
    const cn_lanes_step out = cn_lanes_step_of(self, steps->node, next, direction);
    if (!self->table->is_directed)
        return (NAME(step)){V(all)((ENTRY)out.cost), LANES_MASK};
    const cn_lanes_step back = cn_lanes_step_of(self, next, steps->node, cn_opposite(direction));
    const cn_lanes_step even = goes ? out : back, odd = goes ? back : out;
    const uint32_t even_lanes = UINT32_C(0x55555555) >> (self->first_lane & 1);
    const ENTRY costs[2] = {(ENTRY)even.cost, (ENTRY)odd.cost};
    return (NAME(step)){V(pairs)(costs, self->first_lane),
                        ((even.is_legal ? even_lanes : 0) | (odd.is_legal ? ~even_lanes : 0)) &
                            LANES_MASK};
}

/* The lanes of reached nodes whose costs, which steps led to, do not fit the entries. */
INSIDE uint32_t NAME(do_not_fit)(const cn_lanes *self, VECTOR costs)
{
    if (sizeof(ENTRY) == sizeof(uint16_t))
        return V(equal)(costs, V(all)(NEVER));
    return self->may_exceed ? V(less)(V(all)((ENTRY)CAIRN_COST_MAX), costs) : 0;
}

/* Fetches the entries around a node. */
INSIDE void NAME(fetch)(const cn_lanes *self, cairn_node node)
{
    const ENTRY *here = NAME(cell_at)(self, node);
    const ptrdiff_t column = (ptrdiff_t)self->table->lane_count;
    const ptrdiff_t row = (ptrdiff_t)self->grid->width * column;
    for (ptrdiff_t beside = -column; beside <= column; beside += column) {
        CN_PREFETCH(here + beside - row);
        CN_PREFETCH(here + beside);
        CN_PREFETCH(here + beside + row);
    }
}

INSIDE void NAME(fetch_ahead)(const cn_lanes *self)
{
    if (self->tail - self->head > AHEAD)
        NAME(fetch)(self, self->queue[(self->head + AHEAD) & self->queue_mask]);
}

/* The lanes in which no neighbour's entry plus the step from there equals the node's entry. */
INSIDE uint32_t NAME(unsupported)(const cn_lanes *self, cairn_node node, VECTOR own, uint32_t lanes)
{
    const VECTOR never = V(all)(NEVER);
    const NAME(steps) steps = NAME(steps_of)(self, node);

    for (unsigned left = steps.legal; left && lanes; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = node + (cairn_node)steps.offsets[direction];
        VECTOR from = V(load)(NAME(cell_at)(self, next));
        const NAME(step) step = NAME(step_between)(&steps, direction, next, false);
        VECTOR sum = V(add)(from, step.cost);
        lanes &= ~(V(equal)(sum, own) & step.lanes) | V(equal)(from, never);
    }
    return lanes;
}

/* Queues the neighbours whose entries may have come from a node's entry. */
INSIDE void NAME(suspect)(cn_lanes *self, cairn_node node, VECTOR own, uint32_t lanes)
{
    const NAME(steps) steps = NAME(steps_of)(self, node);

    for (unsigned left = steps.legal; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = node + (cairn_node)steps.offsets[direction];
        VECTOR there = V(load)(NAME(cell_at)(self, next));
        const NAME(step) step = NAME(step_between)(&steps, direction, next, true);
        VECTOR sum = V(add)(own, step.cost);
        uint32_t from_here = lanes & step.lanes & V(equal)(there, sum);
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

INSIDE void NAME(pull_one)(cn_lanes *self, cairn_node node, uint32_t lanes)
{
    const VECTOR never = V(all)(NEVER);
    const NAME(steps) steps = NAME(steps_of)(self, node);
    VECTOR own = V(load)(NAME(cell_at)(self, node)), least = own;
    uint32_t reached = 0;

    self->visited++;
    for (unsigned left = steps.legal; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = node + (cairn_node)steps.offsets[direction];
        VECTOR from = V(load)(NAME(cell_at)(self, next));
        const NAME(step) step = NAME(step_between)(&steps, direction, next, false);
        VECTOR sum = V(add)(from, step.cost);
        uint32_t here = lanes & step.lanes & ~V(equal)(from, never);
        least = V(min)(least, V(either)(sum, V(ones)(~here)));
        reached |= here;
    }
    self->too_wide |= reached & (V(equal)(least, never) | NAME(do_not_fit)(self, least));
    uint32_t fell = ~V(equal)(least, own) & lanes;
    if (!fell)
        return;
    NAME(write)(self, node, least, fell);
    cn_lanes_wait(self, node, fell);
}

static KERNEL void NAME(pull)(cn_lanes *self, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (count - i > AHEAD)
            NAME(fetch)(self, self->visits[i + AHEAD].node);
        NAME(pull_one)(self, self->visits[i].node, self->visits[i].lanes);
    }
}

INSIDE void NAME(spread)(cn_lanes *self, cn_lanes_visit at)
{
    const VECTOR own = V(load)(NAME(cell_at)(self, at.node));
    const NAME(steps) steps = NAME(steps_of)(self, at.node);

    for (unsigned left = steps.legal; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node next = at.node + (cairn_node)steps.offsets[direction];
        VECTOR there = V(load)(NAME(cell_at)(self, next));
        const NAME(step) step = NAME(step_between)(&steps, direction, next, true);
        VECTOR sum = V(add)(own, step.cost);
        VECTOR least = V(min_where)(there, at.lanes & step.lanes, sum);
        uint32_t fell = ~V(equal)(least, there) & at.lanes;
        self->too_wide |= NAME(do_not_fit)(self, least) & at.lanes & step.lanes;
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
#undef LANES_MASK
#undef AHEAD
#include "simd/template_end.h"
