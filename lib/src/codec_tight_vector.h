/* Level 5: tight steps in vectors, a template. The including file defines ENTRY and LANES, the type
 * and number of entries in a vector; VECTOR, its type; LOAD(p) and LOAD_ANY(p) for aligned and any
 * addresses; SPLAT(x), x in every lane; ADD(a, b), saturating where entries have 16 bits;
 * LESS(a, b) and EQUAL(a, b), the bits of the lanes for which that holds; TARGET, the attribute of
 * the instruction set; and NAME(x), x with the suffix of the version. */

TARGET static bool NAME(across)(const cn_tight_row *row, uint64_t *straight, uint64_t *west,
                                uint64_t *east)
{
    const VECTOR step = SPLAT((ENTRY)row->metric.straight);
    const VECTOR slant = SPLAT((ENTRY)row->metric.diagonal);
    uint64_t less = 0;

    for (size_t word = 0; word < row->words; word++) {
        cn_step_bits from = cn_steps_from(row->open + word, row->open_from + word);
        cn_step_bits found = {0, 0, 0};
        for (unsigned part = 0; part < 64 && from.straight >> part; part += LANES) {
            const ENTRY *here = (const ENTRY *)row->costs + word * 64 + part;
            const ENTRY *other = (const ENTRY *)row->from + word * 64 + part;
            VECTOR cost = LOAD(here);
            VECTOR n = ADD(LOAD(other), step);
            VECTOR w = ADD(LOAD_ANY(other - 1), slant);
            VECTOR e = ADD(LOAD_ANY(other + 1), slant);
            found.straight |= (uint64_t)EQUAL(n, cost) << part;
            found.west |= (uint64_t)EQUAL(w, cost) << part;
            found.east |= (uint64_t)EQUAL(e, cost) << part;
            less |= (uint64_t)LESS(n, cost) << part & from.straight;
            less |= (uint64_t)LESS(w, cost) << part & from.west;
            less |= (uint64_t)LESS(e, cost) << part & from.east;
        }
        straight[word] = found.straight & from.straight;
        west[word] = found.west & from.west;
        east[word] = found.east & from.east;
    }
    return !less;
}

TARGET static bool NAME(along)(const cn_tight_row *row, uint64_t *straight, uint64_t *west,
                               uint64_t *east)
{
    const VECTOR step = SPLAT((ENTRY)row->metric.straight);
    uint64_t less = 0;
    (void)straight;

    for (size_t word = 0; word < row->words; word++) {
        uint64_t open = row->open[word], from_west = 0, from_east = 0;
        uint64_t before = open & cn_bits_before(row->open + word);
        uint64_t behind = open & cn_bits_behind(row->open + word);
        for (unsigned part = 0; part < 64 && open >> part; part += LANES) {
            const ENTRY *here = (const ENTRY *)row->costs + word * 64 + part;
            VECTOR cost = LOAD(here);
            VECTOR w = ADD(LOAD_ANY(here - 1), step);
            VECTOR e = ADD(LOAD_ANY(here + 1), step);
            from_west |= (uint64_t)EQUAL(w, cost) << part;
            from_east |= (uint64_t)EQUAL(e, cost) << part;
            less |= (uint64_t)LESS(w, cost) << part & before;
            less |= (uint64_t)LESS(e, cost) << part & behind;
        }
        west[word] = from_west & before;
        east[word] = from_east & behind;
    }
    return !less;
}

#undef ENTRY
#undef LANES
#undef VECTOR
#undef LOAD
#undef LOAD_ANY
#undef SPLAT
#undef ADD
#undef LESS
#undef EQUAL
#undef TARGET
#undef NAME
