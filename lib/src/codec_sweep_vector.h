/* Level 5: sweeps in vectors, a template: the including file defines
 *
 *     ENTRY, LANES, VECTOR        type and number of entries in a vector, and its type
 *     TARGET                      attribute of the instruction set
 *     NAME(x)                     x with the suffix of the version
 *     LOAD, LOAD_ANY, STORE       from and to memory, aligned or not
 *     SPLAT(x)                    x in every lane
 *     ADD(a, b)                   saturating where entries have 16 bits
 *     MIN_WHERE(bits, v, w)       the lesser of v and w in the lanes of `bits`, v in the others
 *     LESS(a, b), EQUAL(a, b)     bits of the lanes for which that holds
 *     BEFORE(v, previous)         lane i of v in lane i + 1; lane 0 from the last of `previous`
 *     UP(v, n), DOWN(v, n)        lane i of v in lane i + n, in lane i - n; the others anything
 *     FIRST(v)                    lane 0 as a number
 *     NEVER                       an unreachable entry
 */

#define LANE_BITS (LANES == 32 ? 0xffffffffu : (1u << (LANES & 31)) - 1)

/* The steps of a scan: twice as far each time, over open cells only. */
typedef struct NAME(steps) {
    VECTOR straight;
    VECTOR diagonal;
    VECTOR scan[5];
} NAME(steps);

TARGET static inline NAME(steps) NAME(steps_of)(cairn_metric metric)
{
    NAME(steps) steps = {.straight = SPLAT((ENTRY)metric.straight),
                         .diagonal = SPLAT((ENTRY)metric.diagonal)};
    for (unsigned i = 0; i < 5; i++)
        steps.scan[i] = i ? ADD(steps.scan[i - 1], steps.scan[i - 1]) : steps.straight;
    return steps;
}

/* Costs carried from lower lanes to higher ones; `joined`: lanes whose cell and the one before are
 * open. */
TARGET static inline VECTOR NAME(scan_up)(VECTOR v, unsigned joined, const NAME(steps) *steps)
{
    joined &= ~1u;
    v = MIN_WHERE(joined, v, ADD(UP(v, 1), steps->scan[0]));
    joined &= joined << 1;
    v = MIN_WHERE(joined, v, ADD(UP(v, 2), steps->scan[1]));
    joined &= joined << 2;
    v = MIN_WHERE(joined, v, ADD(UP(v, 4), steps->scan[2]));
#if LANES > 8
    joined &= joined << 4;
    v = MIN_WHERE(joined, v, ADD(UP(v, 8), steps->scan[3]));
#endif
#if LANES > 16
    joined &= joined << 8;
    v = MIN_WHERE(joined, v, ADD(UP(v, 16), steps->scan[4]));
#endif
    return v;
}

TARGET static inline VECTOR NAME(scan_down)(VECTOR v, unsigned joined, const NAME(steps) *steps)
{
    unsigned next = (joined & ~1u) >> 1;
    v = MIN_WHERE(next, v, ADD(DOWN(v, 1), steps->scan[0]));
    next &= next >> 1;
    v = MIN_WHERE(next, v, ADD(DOWN(v, 2), steps->scan[1]));
    next &= next >> 2;
    v = MIN_WHERE(next, v, ADD(DOWN(v, 4), steps->scan[2]));
#if LANES > 8
    next &= next >> 4;
    v = MIN_WHERE(next, v, ADD(DOWN(v, 8), steps->scan[3]));
#endif
#if LANES > 16
    next &= next >> 8;
    v = MIN_WHERE(next, v, ADD(DOWN(v, 16), steps->scan[4]));
#endif
    return v;
}

TARGET static inline unsigned NAME(joined_at)(const uint64_t *open, size_t vector)
{
    const uint64_t *word = open + vector * LANES / 64;
    return (unsigned)((*word & cn_bits_before(word)) >> vector * LANES % 64) & LANE_BITS;
}

/* Costs carried from right to left, from vector `at` on as far as they improve anything, and from
 * the vectors noted in `waiting`. */
TARGET static void NAME(carry_left)(const cn_sweep_row *row, const uint16_t *waiting, size_t count,
                                    const NAME(steps) *steps)
{
    ENTRY *costs = row->costs;
    ENTRY step = (ENTRY)row->frame->metric.straight;

    while (count > 0) {
        size_t at = waiting[--count];
        for (;;) {
            unsigned joined = NAME(joined_at)(row->open, at);
            VECTOR v = NAME(scan_down)(LOAD(costs + at * LANES), joined, steps);
            STORE(costs + at * LANES, v);
            if (!(joined & 1) || FIRST(v) >= costs[at * LANES - 1] ||
                (ENTRY)(costs[at * LANES - 1] - FIRST(v)) <= step)
                break;
            costs[at * LANES - 1] = (ENTRY)(FIRST(v) + step);
            at--;
            if (count > 0 && waiting[count - 1] == at)
                count--;
        }
    }
}

/* Takes what comes from the other row and from the left; notes the vectors in which costs must
 * still be carried to the left. Along a row, costs that do not differ by more than a step need
 * no carrying at all, which is nearly always so. */
TARGET static void NAME(sweep)(const cn_sweep_row *row)
{
    enum { VECTORS_MAX = (CAIRN_SIDE_MAX + LANES) / LANES };
    const NAME(steps) steps = NAME(steps_of)(row->frame->metric);
    const VECTOR never = SPLAT(NEVER);
    const ENTRY *other_row = row->from;
    uint16_t waiting[VECTORS_MAX];
    size_t waiting_count = 0;
    ENTRY *costs = row->costs;
    VECTOR previous = never;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        uint64_t open = row->open[word];
        if (!open) {
            previous = never;
            continue;
        }
        cn_step_bits from = cn_steps_from(row->open + word, row->open_from + word);
        uint64_t joined_all = open & cn_bits_before(row->open + word);
        for (unsigned part = 0; part < 64; part += LANES) {
            if (!((unsigned)(open >> part) & LANE_BITS)) {
                previous = never;
                continue;
            }
            size_t x = word * 64 + part;
            const ENTRY *other = other_row + x;
            unsigned straight = (unsigned)(from.straight >> part) & LANE_BITS;
            unsigned west = (unsigned)(from.west >> part) & LANE_BITS;
            unsigned east = (unsigned)(from.east >> part) & LANE_BITS;
            unsigned joined = (unsigned)(joined_all >> part) & LANE_BITS;

            VECTOR v = LOAD(costs + x);
            v = MIN_WHERE(straight, v, ADD(LOAD(other), steps.straight));
            v = MIN_WHERE(west, v, ADD(LOAD_ANY(other - 1), steps.diagonal));
            v = MIN_WHERE(east, v, ADD(LOAD_ANY(other + 1), steps.diagonal));

            VECTOR before = BEFORE(v, previous);
            VECTOR from_before = ADD(before, steps.straight);
            if (LESS(from_before, v) & joined) {
                v = MIN_WHERE(joined & 1, v, from_before);
                v = NAME(scan_up)(v, joined, &steps);
                before = BEFORE(v, previous);
            }
            if (LESS(ADD(v, steps.straight), before) & joined)
                waiting[waiting_count++] = (uint16_t)(x / LANES);
            STORE(costs + x, v);
            previous = v;
        }
    }
    NAME(carry_left)(row, waiting, waiting_count, &steps);
}

TARGET static void NAME(tight)(const cn_sweep_row *row, uint64_t *straight, uint64_t *west,
                               uint64_t *east)
{
    const NAME(steps) steps = NAME(steps_of)(row->frame->metric);
    const ENTRY *costs = row->costs, *other_row = row->from;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        cn_step_bits from = cn_steps_from(row->open + word, row->open_from + word);
        cn_step_bits found = {0, 0, 0};
        for (unsigned part = 0; part < 64 && from.straight >> part; part += LANES) {
            size_t x = word * 64 + part;
            const ENTRY *other = other_row + x;
            VECTOR v = LOAD(costs + x);
            uint64_t n = EQUAL(v, ADD(LOAD(other), steps.straight));
            uint64_t w = EQUAL(v, ADD(LOAD_ANY(other - 1), steps.diagonal));
            uint64_t e = EQUAL(v, ADD(LOAD_ANY(other + 1), steps.diagonal));
            found.straight |= n << part;
            found.west |= w << part;
            found.east |= e << part;
        }
        straight[word] = found.straight & from.straight;
        west[word] = found.west & from.west;
        east[word] = found.east & from.east;
    }
}

TARGET static void NAME(level)(const cn_sweep_row *row, uint64_t *west, uint64_t *east)
{
    const NAME(steps) steps = NAME(steps_of)(row->frame->metric);
    const ENTRY *costs = row->costs;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        uint64_t open = row->open[word], from_west = 0, from_east = 0;
        for (unsigned part = 0; part < 64 && open >> part; part += LANES) {
            size_t x = word * 64 + part;
            VECTOR v = LOAD(costs + x);
            uint64_t w = EQUAL(v, ADD(LOAD_ANY(costs + x - 1), steps.straight));
            uint64_t e = EQUAL(v, ADD(LOAD_ANY(costs + x + 1), steps.straight));
            from_west |= w << part;
            from_east |= e << part;
        }
        west[word] = from_west & open & cn_bits_before(row->open + word);
        east[word] = from_east & open & cn_bits_behind(row->open + word);
    }
}

const cn_sweep_engine NAME(cn_sweep) = {NAME(sweep), NAME(tight), NAME(level)};

#undef LANE_BITS
#undef ENTRY
#undef LANES
#undef VECTOR
#undef TARGET
#undef NAME
#undef LOAD
#undef LOAD_ANY
#undef STORE
#undef SPLAT
#undef ADD
#undef MIN_WHERE
#undef LESS
#undef EQUAL
#undef BEFORE
#undef UP
#undef DOWN
#undef FIRST
#undef NEVER
