/* Tight steps in vectors, a template. The including file defines ENTRY and LANES, the type
 * and number of entries in a vector; MOST, the largest cost of a reached cell; VECTOR, its type;
 * LOAD(p) and LOAD_ANY(p) for aligned and any addresses; SPLAT(x), x in every lane; ADD(a, b),
 * saturating where entries have 16 bits; LESS(a, b) and EQUAL(a, b), the bits of the lanes for
 * which that holds; TARGET, the attribute of the instruction set; and NAME, that of the function.
 */

TARGET static bool NAME(const cn_tight_block *block)
{
    const VECTOR step = SPLAT((ENTRY)block->metric.straight);
    const VECTOR slant = SPLAT((ENTRY)block->metric.diagonal);
    const VECTOR most = SPLAT(MOST);
    uint64_t less = 0;

    for (unsigned row = 0; row < block->row_count; row++) {
        const ptrdiff_t at = (ptrdiff_t)(row * block->open_stride);
        const uint64_t *open = block->open + at;
        if (!*open)
            continue;
        const ENTRY *above = (const ENTRY *)block->lines + row * block->line_entries;
        const ENTRY *here = above + block->line_entries;
        const cn_step_bits from = cn_steps_from(open, open - block->open_stride);
        const uint64_t before = *open & cn_bits_before(open);
        const uint64_t behind = *open & cn_bits_behind(open);
        uint64_t found[CN_ORIGINS] = {0}, unreached = 0;

        for (unsigned part = 0; part < 64 && *open >> part; part += LANES) {
            if (!(*open >> part << (64 - LANES)))
                continue;
            const VECTOR cost = LOAD(here + part), north = LOAD(above + part);
            const VECTOR w = LOAD_ANY(here + part - 1), e = LOAD_ANY(here + part + 1);
            const VECTOR steps[CN_ORIGINS] = {
                [CN_FROM_N] = ADD(north, step),
                [CN_FROM_NW] = ADD(LOAD_ANY(above + part - 1), slant),
                [CN_FROM_NE] = ADD(LOAD_ANY(above + part + 1), slant),
                [CN_FROM_S] = ADD(cost, step),
                [CN_FROM_SW] = ADD(w, slant),
                [CN_FROM_SE] = ADD(e, slant),
                [CN_FROM_W] = ADD(w, step),
                [CN_FROM_E] = ADD(e, step),
            };
            const VECTOR to[2] = {cost, north};
            const uint64_t legal[CN_ORIGINS] = {from.straight, from.west, from.east, from.straight,
                                                from.west,     from.east, before,    behind};
#define LOOK(origin, row)                                             \
    found[origin] |= (uint64_t)EQUAL(steps[origin], to[row]) << part; \
    less |= (uint64_t)LESS(steps[origin], to[row]) << part & legal[origin]
            LOOK(CN_FROM_N, 0);
            LOOK(CN_FROM_NW, 0);
            LOOK(CN_FROM_NE, 0);
            LOOK(CN_FROM_S, 1);
            LOOK(CN_FROM_SW, 1);
            LOOK(CN_FROM_SE, 1);
            LOOK(CN_FROM_W, 0);
            LOOK(CN_FROM_E, 0);
#undef LOOK
            unreached |= (uint64_t)LESS(most, cost) << part;
        }
        const cn_tight_bits *bits = &block->bits;
        const ptrdiff_t at_north = at - (ptrdiff_t)block->open_stride;
        bits->from[CN_FROM_N][at] = found[CN_FROM_N] & from.straight;
        bits->from[CN_FROM_NW][at] = found[CN_FROM_NW] & from.west;
        bits->from[CN_FROM_NE][at] = found[CN_FROM_NE] & from.east;
        bits->from[CN_FROM_S][at_north] = found[CN_FROM_S] & from.straight;
        bits->from[CN_FROM_SW][at_north] = found[CN_FROM_SW] & from.west;
        bits->from[CN_FROM_SE][at_north] = found[CN_FROM_SE] & from.east;
        bits->from[CN_FROM_W][at] = found[CN_FROM_W] & before;
        bits->from[CN_FROM_E][at] = found[CN_FROM_E] & behind;
        bits->unreached[at] = unreached & *open;
    }
    return !less;
}

#undef ENTRY
#undef LANES
#undef MOST
#undef VECTOR
#undef LOAD
#undef LOAD_ANY
#undef SPLAT
#undef ADD
#undef LESS
#undef EQUAL
#undef TARGET
#undef NAME
