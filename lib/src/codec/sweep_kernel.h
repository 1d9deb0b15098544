/*
 * A sweep over one row of cells: a template of vector code (simd/template.h), included once for
 * each instruction set, width of entries and size of a chunk. The including file also defines
 * CHUNK, that size in bytes; it finds the function as sweep_VEC_BITS_CHUNK.
 */
#include "simd/template.h"

#define SWEEP(name) CN_JOINED_TWO(NAME(name), CHUNK)
enum { SWEEP(parts) = CHUNK / sizeof(VECTOR) };

/* A chunk in registers. */
typedef struct SWEEP(chunk) {
    VECTOR part[SWEEP(parts)];
} SWEEP(chunk);

INSIDE SWEEP(chunk) SWEEP(load)(const uint8_t *from)
{
    SWEEP(chunk) chunk;
    for (unsigned i = 0; i < SWEEP(parts); i++)
        chunk.part[i] = V(load_any)(from + i * sizeof(VECTOR));
    return chunk;
}

INSIDE void SWEEP(store)(uint8_t *to, SWEEP(chunk) chunk)
{
    for (unsigned i = 0; i < SWEEP(parts); i++)
        V(store_any)(to + i * sizeof(VECTOR), chunk.part[i]);
}

INSIDE SWEEP(chunk) SWEEP(add)(SWEEP(chunk) a, SWEEP(chunk) b)
{
    for (unsigned i = 0; i < SWEEP(parts); i++)
        a.part[i] = V(add)(a.part[i], b.part[i]);
    return a;
}

INSIDE SWEEP(chunk) SWEEP(min)(SWEEP(chunk) a, SWEEP(chunk) b)
{
    for (unsigned i = 0; i < SWEEP(parts); i++)
        a.part[i] = V(min)(a.part[i], b.part[i]);
    return a;
}

INSIDE SWEEP(chunk) SWEEP(max)(SWEEP(chunk) a, SWEEP(chunk) b)
{
    for (unsigned i = 0; i < SWEEP(parts); i++)
        a.part[i] = V(max)(a.part[i], b.part[i]);
    return a;
}

/* Illegal steps come from "never", and between unconnected cells the step costs "never": so there
 * is no branch in the loops, and two operations lead from one cell to the next. */
INSIDE SWEEP(chunk) SWEEP(forward_word)(const cn_sweep_line *line, const cn_sweep_steps *steps,
                                        size_t word, SWEEP(chunk) last)
{
    const SWEEP(chunk) straight = SWEEP(load)(steps->straight);
    const SWEEP(chunk) diagonal = SWEEP(load)(steps->diagonal);
    const size_t size = line->cell_size;
    const uint64_t joined = cn_bits_before(line->open + word);
    const cn_step_bits from = cn_steps_from(line->rule, line->y, line->open + word,
                                            line->open_from + word);

    for (uint64_t open = line->open[word]; open; open &= open - 1) {
        unsigned bit = cn_lowest_bit(open);
        size_t at = (word * 64 + bit) * size;
        const uint8_t *other = line->from + at;
        SWEEP(chunk) cost = SWEEP(load)(line->cells + at);
        SWEEP(chunk) n = SWEEP(load)(from.straight >> bit & 1 ? other : steps->never);
        SWEEP(chunk) w = SWEEP(load)(from.west >> bit & 1 ? other - size : steps->never);
        SWEEP(chunk) e = SWEEP(load)(from.east >> bit & 1 ? other + size : steps->never);
        SWEEP(chunk) slant = SWEEP(add)(SWEEP(min)(w, e), diagonal);
        cost = SWEEP(min)(cost, SWEEP(min)(SWEEP(add)(n, straight), slant));
        last = SWEEP(add)(last, SWEEP(load)(steps->along[joined >> bit & 1]));
        last = SWEEP(min)(cost, last);
        SWEEP(store)(line->cells + at, last);
    }
    return last;
}

INSIDE void SWEEP(forward)(const cn_sweep_line *line)
{
    SWEEP(chunk) last = SWEEP(load)(line->steps->never);
    for (size_t word = 0; word < line->words; word++)
        last = SWEEP(forward_word)(line, line->steps, word, last);
}

/* What goes from cell to cell in a backward sweep. */
typedef struct SWEEP(backward_state) {
    SWEEP(chunk) last;
    SWEEP(chunk) greatest;
} SWEEP(backward_state);

INSIDE void SWEEP(backward_word)(const cn_sweep_line *line, const cn_sweep_steps *steps,
                                 size_t word, SWEEP(backward_state) * state)
{
    uint64_t open = line->open[word], joined = cn_bits_behind(line->open + word);
    while (open) {
        unsigned bit = cn_highest_bit(open);
        uint8_t *at = line->cells + (word * 64 + bit) * line->cell_size;
        SWEEP(chunk)
        last = SWEEP(add)(state->last, SWEEP(load)(steps->along[joined >> bit & 1]));
        state->last = SWEEP(min)(SWEEP(load)(at), last);
        SWEEP(store)(at, state->last);
        state->greatest = SWEEP(max)(state->greatest, state->last);
        open ^= UINT64_C(1) << bit;
    }
}

INSIDE void SWEEP(backward)(const cn_sweep_line *line)
{
    SWEEP(backward_state)
    state = {SWEEP(load)(line->steps->never), SWEEP(load)(line->greatest)};
    for (size_t word = line->words; word-- > 0;)
        SWEEP(backward_word)(line, line->steps, word, &state);
    SWEEP(store)(line->greatest, state.greatest);
}

static KERNEL void SWEEP(sweep)(const cn_sweep_line *line)
{
    SWEEP(forward)(line);
    SWEEP(backward)(line);
}

/* --------------------------------------------- where costs of steps differ from cell to cell -- */

/* The cost of a step by lane; "never" for rows that skip this pass. */
INSIDE SWEEP(chunk) SWEEP(step)(const cn_cost_pair *pair, SWEEP(chunk) skips)
{
    for (unsigned i = 0; i < SWEEP(parts); i++)
        skips.part[i] = V(either)(skips.part[i], V(pairs)((const ENTRY *)pair, i * LANES));
    return skips;
}

INSIDE SWEEP(chunk)
    SWEEP(reached)(const uint8_t *cost, const cn_cost_pair *pair, SWEEP(chunk) skips)
{
    return SWEEP(add)(SWEEP(load)(cost), SWEEP(step)(pair, skips));
}

/* Steps inside one factor, as they are where all steps cost the same. */
typedef struct SWEEP(scaled) {
    uint32_t factor;
    cn_sweep_steps steps;
} SWEEP(scaled);

INSIDE SWEEP(chunk) SWEEP(scaled_step)(const cn_sweep_line *line, bool slants, uint32_t factor)
{
    const ENTRY cost = (ENTRY)cn_even_step_cost(line->layout, slants, factor);
    const cn_cost_pair narrow = {.narrow = {(uint16_t)cost, (uint16_t)cost}};
    const cn_cost_pair wide = {.wide = {cost, cost}};
    return SWEEP(step)(BITS == 16 ? &narrow : &wide, SWEEP(load)(line->steps->skips));
}

INSIDE void SWEEP(scale)(const cn_sweep_line *line, uint32_t factor, SWEEP(scaled) * scaled)
{
    if (scaled->factor == factor)
        return;
    const SWEEP(chunk) straight = SWEEP(scaled_step)(line, false, factor);
    scaled->factor = factor;
    SWEEP(store)(scaled->steps.straight, straight);
    SWEEP(store)(scaled->steps.along[1], straight);
    SWEEP(store)(scaled->steps.diagonal, SWEEP(scaled_step)(line, true, factor));
}

INSIDE SWEEP(chunk) SWEEP(forward_mixed)(const cn_sweep_line *line, size_t word, SWEEP(chunk) last)
{
    const unsigned wanted = 1 << CN_STEP_STRAIGHT | 1 << CN_STEP_WEST | 1 << CN_STEP_EAST |
                            1 << CN_STEP_BEFORE;
    const cn_sweep_steps *steps = line->steps;
    const SWEEP(chunk) skips = SWEEP(load)(steps->skips), never = SWEEP(load)(steps->never);
    const size_t size = line->cell_size;
    const uint64_t joined = cn_bits_before(line->open + word);
    const cn_step_bits from = cn_steps_from(line->rule, line->y, line->open + word,
                                            line->open_from + word);
    cn_step_costs costs;

    cn_step_costs_fill(line->layout, (cn_cost_place){line->y, line->from_y, word}, wanted, &costs);
    for (uint64_t open = line->open[word]; open; open &= open - 1) {
        unsigned bit = cn_lowest_bit(open);
        size_t at = (word * 64 + bit) * size;
        const uint8_t *other = line->from + at, *no = steps->never;
        const uint8_t *n = from.straight >> bit & 1 ? other : no;
        const uint8_t *w = from.west >> bit & 1 ? other - size : no;
        const uint8_t *e = from.east >> bit & 1 ? other + size : no;
        SWEEP(chunk) cost = SWEEP(load)(line->cells + at);
        cost = SWEEP(min)(cost, SWEEP(reached)(n, &costs.of[CN_STEP_STRAIGHT][bit], skips));
        cost = SWEEP(min)(cost, SWEEP(reached)(w, &costs.of[CN_STEP_WEST][bit], skips));
        cost = SWEEP(min)(cost, SWEEP(reached)(e, &costs.of[CN_STEP_EAST][bit], skips));
        last = SWEEP(add)(joined >> bit & 1 ? last : never,
                          SWEEP(step)(&costs.of[CN_STEP_BEFORE][bit], skips));
        last = SWEEP(min)(cost, last);
        SWEEP(store)(line->cells + at, last);
    }
    return last;
}

INSIDE void SWEEP(forward_uneven)(const cn_sweep_line *line, SWEEP(scaled) * scaled)
{
    SWEEP(chunk) last = SWEEP(load)(line->steps->never);
    for (size_t word = 0; word < line->words; word++) {
        if (!line->open[word])
            continue;
        uint32_t factor = cn_factor_at(line->layout, (cn_cost_place){line->y, line->from_y, word});
        if (factor == CN_FACTORS_DIFFER) {
            last = SWEEP(forward_mixed)(line, word, last);
        } else {
            SWEEP(scale)(line, factor, scaled);
            last = SWEEP(forward_word)(line, &scaled->steps, word, last);
        }
    }
}

INSIDE void SWEEP(backward_mixed)(const cn_sweep_line *line, size_t word,
                                  SWEEP(backward_state) * state)
{
    const SWEEP(chunk) skips = SWEEP(load)(line->steps->skips);
    const SWEEP(chunk) never = SWEEP(load)(line->steps->never);
    uint64_t open = line->open[word], joined = cn_bits_behind(line->open + word);
    cn_step_costs costs;

    cn_step_costs_fill(line->layout, (cn_cost_place){line->y, line->from_y, word},
                       1 << CN_STEP_BEHIND, &costs);
    while (open) {
        unsigned bit = cn_highest_bit(open);
        uint8_t *at = line->cells + (word * 64 + bit) * line->cell_size;
        SWEEP(chunk)
        last = SWEEP(add)(joined >> bit & 1 ? state->last : never,
                          SWEEP(step)(&costs.of[CN_STEP_BEHIND][bit], skips));
        state->last = SWEEP(min)(SWEEP(load)(at), last);
        SWEEP(store)(at, state->last);
        state->greatest = SWEEP(max)(state->greatest, state->last);
        open ^= UINT64_C(1) << bit;
    }
}

INSIDE void SWEEP(backward_uneven)(const cn_sweep_line *line, SWEEP(scaled) * scaled)
{
    SWEEP(backward_state)
    state = {SWEEP(load)(line->steps->never), SWEEP(load)(line->greatest)};
    for (size_t word = line->words; word-- > 0;) {
        if (!line->open[word])
            continue;
        uint32_t factor = cn_factor_at(line->layout, (cn_cost_place){line->y, line->y, word});
        if (factor == CN_FACTORS_DIFFER) {
            SWEEP(backward_mixed)(line, word, &state);
        } else {
            SWEEP(scale)(line, factor, scaled);
            SWEEP(backward_word)(line, &scaled->steps, word, &state);
        }
    }
    SWEEP(store)(line->greatest, state.greatest);
}

static KERNEL void SWEEP(sweep_uneven)(const cn_sweep_line *line)
{
    SWEEP(scaled) scaled = {.factor = CN_FACTORS_DIFFER};
    SWEEP(store)(scaled.steps.never, SWEEP(load)(line->steps->never));
    SWEEP(store)(scaled.steps.along[0], SWEEP(load)(line->steps->never));
    SWEEP(forward_uneven)(line, &scaled);
    SWEEP(backward_uneven)(line, &scaled);
}

#undef SWEEP
#undef CHUNK
#include "simd/template_end.h"
