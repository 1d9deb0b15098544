/* A sweep over one row of cells, a template. The including file defines CELL, the type
 * of a chunk in registers; LOAD(p), STORE(p, v), ADD(a, b), MIN(a, b) and MAX(a, b) of chunks
 * (the sums saturate where entries have 16 bits); TARGET, the attribute of the instruction set;
 * and NAME, of the function. */

/* Where a step is not legal, it comes from "never", and where cells are not joined, the step
 * between them is never: no branch in the loop, and two operations from one cell to the next. */
TARGET static void NAME(const cn_sweep_line *line)
{
    const cn_sweep_steps *steps = line->steps;
    const CELL straight = LOAD(steps->straight), diagonal = LOAD(steps->diagonal);
    const size_t size = line->cell_size;
    CELL last = LOAD(steps->never);

    for (size_t word = 0; word < line->words; word++) {
        uint64_t open = line->open[word];
        cn_step_bits from = cn_steps_from(line->open + word, line->open_from + word);
        uint64_t joined = cn_bits_before(line->open + word);
        for (; open; open &= open - 1) {
            unsigned bit = cn_lowest_bit(open);
            size_t at = (word * 64 + bit) * size;
            const uint8_t *other = line->from + at;
            CELL cost = LOAD(line->cells + at);
            CELL n = LOAD(from.straight >> bit & 1 ? other : steps->never);
            CELL w = LOAD(from.west >> bit & 1 ? other - size : steps->never);
            CELL e = LOAD(from.east >> bit & 1 ? other + size : steps->never);
            cost = MIN(cost, MIN(ADD(n, straight), ADD(MIN(w, e), diagonal)));
            last = MIN(cost, ADD(last, LOAD(steps->along[joined >> bit & 1])));
            STORE(line->cells + at, last);
        }
    }

    CELL greatest = LOAD(line->greatest);
    last = LOAD(steps->never);
    for (size_t word = line->words; word-- > 0;) {
        uint64_t open = line->open[word], joined = cn_bits_behind(line->open + word);
        while (open) {
            unsigned bit = cn_highest_bit(open);
            uint8_t *at = line->cells + (word * 64 + bit) * size;
            last = MIN(LOAD(at), ADD(last, LOAD(steps->along[joined >> bit & 1])));
            STORE(at, last);
            greatest = MAX(greatest, last);
            open ^= UINT64_C(1) << bit;
        }
    }
    STORE(line->greatest, greatest);
}

#undef CELL
#undef LOAD
#undef STORE
#undef ADD
#undef MIN
#undef MAX
#undef TARGET
#undef NAME
