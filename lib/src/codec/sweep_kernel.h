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
INSIDE void SWEEP(forward)(const cn_sweep_line *line)
{
    const cn_sweep_steps *steps = line->steps;
    const SWEEP(chunk) straight = SWEEP(load)(steps->straight);
    const SWEEP(chunk) diagonal = SWEEP(load)(steps->diagonal);
    const size_t size = line->cell_size;
    SWEEP(chunk) last = SWEEP(load)(steps->never);

    for (size_t word = 0; word < line->words; word++) {
        uint64_t open = line->open[word];
        cn_step_bits from = cn_steps_from(line->rule, line->y, line->open + word,
                                          line->open_from + word);
        uint64_t joined = cn_bits_before(line->open + word);
        for (; open; open &= open - 1) {
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
    }
}

INSIDE void SWEEP(backward)(const cn_sweep_line *line)
{
    const cn_sweep_steps *steps = line->steps;
    SWEEP(chunk) greatest = SWEEP(load)(line->greatest), last = SWEEP(load)(steps->never);

    for (size_t word = line->words; word-- > 0;) {
        uint64_t open = line->open[word], joined = cn_bits_behind(line->open + word);
        while (open) {
            unsigned bit = cn_highest_bit(open);
            uint8_t *at = line->cells + (word * 64 + bit) * line->cell_size;
            last = SWEEP(add)(last, SWEEP(load)(steps->along[joined >> bit & 1]));
            last = SWEEP(min)(SWEEP(load)(at), last);
            SWEEP(store)(at, last);
            greatest = SWEEP(max)(greatest, last);
            open ^= UINT64_C(1) << bit;
        }
    }
    SWEEP(store)(line->greatest, greatest);
}

static KERNEL void SWEEP(sweep)(const cn_sweep_line *line)
{
    SWEEP(forward)(line);
    SWEEP(backward)(line);
}

#undef SWEEP
#undef CHUNK
#include "simd/template_end.h"
