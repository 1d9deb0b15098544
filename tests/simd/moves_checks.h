/* What only fast vectors have: aligned memory, moves of lanes, masks as entries. A template as
 * vector_checks.h is. */
#include "simd/template.h"

static KERNEL void NAME(check_masked)(const ENTRY *a, const ENTRY *b, uint32_t lanes)
{
    const VECTOR v = V(load)(a), w = V(load)(b);
    _Alignas(64) ENTRY ones[LANES], least[LANES];

    V(store)(ones, V(ones)(lanes));
    V(store)(least, V(min_where)(v, lanes, w));
    for (unsigned i = 0; i < LANES; i++) {
        const bool is_in = lanes >> i & 1;
        assert_int_equal(ones[i], is_in ? (ENTRY)-1 : 0);
        assert_int_equal(least[i], is_in && b[i] < a[i] ? b[i] : a[i]);
    }
}

INSIDE void NAME(check_move)(const ENTRY *a, unsigned n)
{
    _Alignas(64) ENTRY up[LANES], down[LANES];
    V(store)(up, V(ascend)(V(load)(a), n));
    V(store)(down, V(descend)(V(load)(a), n));
    for (unsigned i = 0; i + n < LANES; i++) {
        assert_int_equal(up[i + n], a[i]);
        assert_int_equal(down[i], a[i + n]);
    }
}

static KERNEL void NAME(check_moves)(dice *luck)
{
    _Alignas(64) ENTRY a[LANES], b[LANES];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < LANES; i++) {
            a[i] = (ENTRY)any_number(luck, BITS);
            b[i] = (ENTRY)any_number(luck, BITS);
        }
        NAME(check_masked)(a, b, dice_below(luck, UINT32_MAX));
        NAME(check_move)(a, 1);
        NAME(check_move)(a, 2);
        if (LANES > 4)
            NAME(check_move)(a, 4);
        if (LANES > 8)
            NAME(check_move)(a, 8);
        if (LANES > 16)
            NAME(check_move)(a, 16);
    }
}

#include "simd/template_end.h"
