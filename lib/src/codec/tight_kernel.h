/*
 * Finds the tight steps of a block: a template of vector code (simd/template.h), included once for
 * each instruction set and width of entries.
 */
#include "simd/template.h"

/* The largest cost of a reached cell. */
#define MOST (BITS == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX)

/* The results for 64 columns of one row. */
typedef struct NAME(line) {
    uint64_t found[CN_ORIGINS];
    uint64_t unreached;
    uint64_t unreached_above;
    uint64_t improved; /* by a legal step: then the costs are not those of shortest paths */
} NAME(line);

typedef struct NAME(steps) {
    VECTOR straight;
    VECTOR diagonal;
    bool is_uneven; /* a constant: the costs of steps differ, and are here */
    ENTRY cost[CN_ORIGINS][64];
    uint64_t legal[CN_ORIGINS];
} NAME(steps);

/* The costs of the steps from there, from column `part` on. */
INSIDE VECTOR NAME(step)(const NAME(steps) * steps, enum cn_origin origin, unsigned part)
{
    const bool slants = origin != CN_FROM_N && origin != CN_FROM_S && origin < CN_FROM_W;
    if (steps->is_uneven)
        return V(load_any)(steps->cost[origin] + part);
    return slants ? steps->diagonal : steps->straight;
}

INSIDE void NAME(compare)(NAME(line) * line, const NAME(steps) * steps, enum cn_origin origin,
                          VECTOR sum, VECTOR cost, unsigned part)
{
    line->found[origin] |= (uint64_t)V(equal)(sum, cost) << part;
    line->improved |= (uint64_t)V(less)(sum, cost) << part & steps->legal[origin];
}

/* Finds the tight steps of as many columns as a vector has lanes, from `part` on. */
INSIDE void NAME(find_part)(NAME(line) * line, const NAME(steps) * steps, const ENTRY *above,
                            const ENTRY *here, unsigned part)
{
    const VECTOR cost = V(load)(here + part), north = V(load)(above + part);
    const VECTOR w = V(load_any)(here + part - 1), e = V(load_any)(here + part + 1);
    const VECTOR nw = V(load_any)(above + part - 1), ne = V(load_any)(above + part + 1);

    NAME(compare)
    (line, steps, CN_FROM_N, V(add)(north, NAME(step)(steps, CN_FROM_N, part)), cost, part);
    NAME(compare)
    (line, steps, CN_FROM_NW, V(add)(nw, NAME(step)(steps, CN_FROM_NW, part)), cost, part);
    NAME(compare)
    (line, steps, CN_FROM_NE, V(add)(ne, NAME(step)(steps, CN_FROM_NE, part)), cost, part);
    NAME(compare)
    (line, steps, CN_FROM_S, V(add)(cost, NAME(step)(steps, CN_FROM_S, part)), north, part);
    NAME(compare)
    (line, steps, CN_FROM_SW, V(add)(w, NAME(step)(steps, CN_FROM_SW, part)), north, part);
    NAME(compare)
    (line, steps, CN_FROM_SE, V(add)(e, NAME(step)(steps, CN_FROM_SE, part)), north, part);
    NAME(compare)
    (line, steps, CN_FROM_W, V(add)(w, NAME(step)(steps, CN_FROM_W, part)), cost, part);
    NAME(compare)
    (line, steps, CN_FROM_E, V(add)(e, NAME(step)(steps, CN_FROM_E, part)), cost, part);
    line->unreached |= (uint64_t)V(less)(V(all)(MOST), cost) << part;
    line->unreached_above |= (uint64_t)V(less)(V(all)(MOST), north) << part;
}

INSIDE void NAME(find_line)(NAME(line) * line, const NAME(steps) * steps, uint64_t used,
                            const ENTRY *above, const ENTRY *here)
{
    for (unsigned part = 0; part < 64 && used >> part; part += LANES) {
        if (used >> part << (64 - LANES))
            NAME(find_part)(line, steps, above, here, part);
    }
}

/* The record of a row, and the steps from it into the row above. */
INSIDE void NAME(put_line)(const cn_tight_block *block, const NAME(line) * line,
                           const NAME(steps) * steps, unsigned row)
{
    uint64_t *here = block->records + (ptrdiff_t)row * CN_ORIGINS;
    for (unsigned origin = 0; origin < CN_ORIGINS; origin++) {
        const bool is_north = origin >= CN_FROM_S && origin <= CN_FROM_SE;
        const uint64_t unreached = is_north ? line->unreached_above : line->unreached;
        (is_north ? here - CN_ORIGINS : here)[origin] = line->found[origin] & steps->legal[origin] &
                                                        ~unreached;
    }
    *block->reached += cn_count_bits(block->open[row * block->open_stride] & ~line->unreached);
}

/* The costs of steps into a row from the one above it, or the other way round. */
INSIDE void NAME(take_costs)(const cn_tight_block *block, cn_cost_place place, unsigned wanted,
                             enum cn_origin first, NAME(steps) * steps)
{
    cn_step_costs found;
    cn_step_costs_fill(block->layout, place, wanted, &found);
    for (unsigned from = 0; wanted >> from & 1; from++) {
        unsigned origin = from < CN_STEP_BEFORE ? first + from : CN_FROM_W + from - CN_STEP_BEFORE;
        for (unsigned i = 0; i < 64; i++)
            steps->cost[origin][i] = ((const ENTRY *)&found.of[from][i])[block->way];
    }
}

/* The costs of steps between two rows, or along one. */
INSIDE void NAME(join_ends)(const cn_tight_block *block, const cn_end_line *into,
                            const cn_end_line *from, int shift, ENTRY *costs)
{
    const bool average = block->layout->map->grid.rules.charge == CAIRN_CHARGE_AVERAGE;
    const ENTRY *entered = (const ENTRY *)into + 1, *left = (const ENTRY *)from + 1 + shift;
    const ENTRY *counts = block->way == CN_FORWARD ? entered : left;

    for (unsigned part = 0; part < 64; part += LANES) {
        VECTOR cost = V(load_any)(counts + part);
        if (average)
            cost = V(add)(V(load_any)(entered + part), V(load_any)(left + part));
        V(store_any)(costs + part, cost);
    }
}

/* The costs of all steps between row y and the row above it, and along row y, from what each end of
 * a step contributes: `here` in row y, `north` above it. */
INSIDE void NAME(find_costs_by_ends)(const cn_tight_block *block, const cn_end_costs *here,
                                     const cn_end_costs *north, NAME(steps) * steps)
{
    const cn_end_line *straight = &here->of[0], *slanting = &here->of[1];
    NAME(join_ends)(block, straight, &north->of[0], 0, steps->cost[CN_FROM_N]);
    NAME(join_ends)(block, slanting, &north->of[1], -1, steps->cost[CN_FROM_NW]);
    NAME(join_ends)(block, slanting, &north->of[1], 1, steps->cost[CN_FROM_NE]);
    NAME(join_ends)(block, &north->of[0], straight, 0, steps->cost[CN_FROM_S]);
    NAME(join_ends)(block, &north->of[1], slanting, -1, steps->cost[CN_FROM_SW]);
    NAME(join_ends)(block, &north->of[1], slanting, 1, steps->cost[CN_FROM_SE]);
    NAME(join_ends)(block, straight, straight, -1, steps->cost[CN_FROM_W]);
    NAME(join_ends)(block, straight, straight, 1, steps->cost[CN_FROM_E]);
}

/* The ends that are known, by the parity of their row, and the row after the last of these. */
typedef struct NAME(ends) {
    cn_end_costs of[2];
    uint32_t next;
} NAME(ends);

INSIDE void NAME(find_costs)(const cn_tight_block *block, uint32_t y, NAME(ends) * ends,
                             NAME(steps) * steps)
{
    if (cn_map_ends_tell_costs(block->layout->map)) {
        if (ends->next != y)
            cn_end_costs_fill(block->layout, y - 1, block->word, &ends->of[(y - 1) & 1]);
        cn_end_costs_fill(block->layout, y, block->word, &ends->of[y & 1]);
        ends->next = y + 1;
        NAME(find_costs_by_ends)(block, &ends->of[y & 1], &ends->of[(y - 1) & 1], steps);
        return;
    }
    const unsigned next_row = (1 << CN_STEP_BEFORE) - 1, all = (1 << CN_STEPS_FROM) - 1;
    NAME(take_costs)(block, (cn_cost_place){y, y - 1, block->word}, all, CN_FROM_N, steps);
    NAME(take_costs)(block, (cn_cost_place){y - 1, y, block->word}, next_row, CN_FROM_S, steps);
}

/* The steps between row y and the one above it, where the cells of both have one factor. */
INSIDE bool NAME(take_factor)(const cn_tight_block *block, uint32_t y, NAME(steps) * steps)
{
    uint32_t factor = cn_factor_at(block->layout, (cn_cost_place){y, y - 1, block->word});
    if (factor == CN_FACTORS_DIFFER)
        return false;
    steps->straight = V(all)((ENTRY)cn_even_step_cost(block->layout, false, factor));
    steps->diagonal = V(all)((ENTRY)cn_even_step_cost(block->layout, true, factor));
    return true;
}

INSIDE bool NAME(find_in)(const cn_tight_block *block, bool is_uneven)
{
    NAME(steps) steps, within; /* all, and those inside one factor */
    NAME(ends) ends;
    uint64_t improved = 0;
    steps.straight = V(all)((ENTRY)block->step[0]);
    steps.diagonal = V(all)((ENTRY)block->step[1]);
    steps.is_uneven = is_uneven;
    within.is_uneven = false;
    ends.next = UINT32_MAX;

    for (unsigned row = 0; row < block->row_count; row++) {
        const ptrdiff_t at = (ptrdiff_t)(row * block->open_stride);
        const uint64_t *open = block->open + at;
        const ENTRY *above = (const ENTRY *)block->lines + row * block->line_entries;
        const uint64_t *north = open - block->open_stride, used = *open | *north;
        if (!used)
            continue;
        const cn_step_bits from = cn_steps_from(block->rule, block->y + row, open, north);
        const cn_step_bits back = cn_steps_from(block->rule, block->y + row - 1, north, open);
        const uint64_t legal[CN_ORIGINS] = {
            [CN_FROM_N] = from.straight,
            [CN_FROM_NW] = from.west,
            [CN_FROM_NE] = from.east,
            [CN_FROM_S] = back.straight,
            [CN_FROM_SW] = back.west,
            [CN_FROM_SE] = back.east,
            [CN_FROM_W] = *open & cn_bits_before(open),
            [CN_FROM_E] = *open & cn_bits_behind(open),
        };
        NAME(line) line = {{0}, 0, 0, 0};
        memcpy(steps.legal, legal, sizeof legal);
        if (is_uneven && NAME(take_factor)(block, block->y + row, &within)) {
            memcpy(within.legal, legal, sizeof legal);
            NAME(find_line)(&line, &within, used, above, above + block->line_entries);
        } else {
            if (is_uneven)
                NAME(find_costs)(block, block->y + row, &ends, &steps);
            NAME(find_line)(&line, &steps, used, above, above + block->line_entries);
        }
        NAME(put_line)(block, &line, &steps, row);
        improved |= line.improved;
    }
    return !improved;
}

static KERNEL bool NAME(find)(const cn_tight_block *block)
{
    return NAME(find_in)(block, false);
}

static KERNEL bool NAME(find_uneven)(const cn_tight_block *block)
{
    return NAME(find_in)(block, true);
}

#undef MOST
#include "simd/template_end.h"
