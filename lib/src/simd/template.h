/*
 * The beginning of every template of vector code: a header without include guard, whose text is
 * included once for each kind of vector and width of entries. The including file defines
 *    VEC     the kind of vector: v128 (vec128.h), v256, x128 (vec256.h) or v512 (vec512.h)
 *    BITS    the width of an entry: 16 or 32
 * and the template ends with simd/template_end.h, which undefines them again. In between it may use
 *    ENTRY, VECTOR, LANES   an entry, a vector of entries, and how many entries that is
 *    V(name)                a function of the vocabulary below, for these vectors
 *    NAME(name)             a name of the template's own, in this instance
 *    KERNEL                 the attributes of a function that uses the instructions
 *    INSIDE                 the same for a function that is inlined into such functions
 *
 * The vocabulary. Entries are unsigned; a mask has a bit for each lane, and none above those.
 *    load, store            from and to addresses that are aligned like the vectors
 *    load_any, store_any    from and to any address
 *    store_low              the lower 16 bits of each entry, to any address; with BITS 32
 *    all                    the same number in all lanes
 *    pairs(from, n)         two entries from an address, alternating as in the lanes from lane n on
 *    either                 bitwise or
 *    add                    sums; those of 16 bits saturate, those of 32 bits wrap around
 *    above                  a - b, or 0 where that is negative
 *    minus                  a - b, wrapping around
 *    min, max               the smaller, the larger
 *    min_where(a, m, b)     the smaller in the lanes of a mask, elsewhere a
 *    less, equal            the mask of lanes where a < b, a == b
 *    ones(m)                all bits set in the lanes of a mask, elsewhere 0
 *    bytes(to, m)           for each bit of 64 a byte, all bits set or 0
 *    ascend(a, n)           every entry n lanes up, a power of 2 below LANES; the lowest n lanes,
 *    descend(a, n)          or for descend the highest, are undefined; n is a constant
 *    greatest               the largest entry, as a number
 *    zip_low, zip_high      the lower halves of a and b, or the higher, alternating; of v128
 * x128 has what searches and sweeps use; see docs/decisions/vectors.md.
 */
#define CN_JOIN(a, b, c) a##_##b##_##c
#define CN_JOINED(a, b, c) CN_JOIN(a, b, c)
#define CN_JOIN_TWO(a, b) a##_##b
#define CN_JOINED_TWO(a, b) CN_JOIN_TWO(a, b)

#define V(name) CN_JOINED(VEC, name, BITS)
#define NAME(name) CN_JOINED(name, VEC, BITS)
#define ENTRY V(entry)
#define VECTOR V(vector)
#define LANES V(lanes)
#define KERNEL CN_JOINED_TWO(VEC, target)
#define INSIDE KERNEL CN_ALWAYS_INLINE
