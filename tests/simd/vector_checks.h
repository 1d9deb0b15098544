/*
 * Holds each function of the vocabulary of simd/template.h to a loop over entries: itself such a
 * template. The including file also defines HAS_ALL, 0 for x128, which has only some functions.
 */
#include "simd/template.h"

static KERNEL void NAME(check_entries)(const ENTRY *a, const ENTRY *b)
{
    const VECTOR v = V(load_any)(a), w = V(load_any)(b);
    const uint64_t most = BITS == 16 ? UINT16_MAX : UINT32_MAX;
    ENTRY sum[LANES], above[LANES], least[LANES], greater[LANES], either[LANES], top = 0;

    V(store_any)(sum, V(add)(v, w));
    V(store_any)(above, V(above)(v, w));
    V(store_any)(least, V(min)(v, w));
    V(store_any)(greater, V(max)(v, w));
    V(store_any)(either, V(either)(v, w));
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t exact = (uint64_t)a[i] + b[i];
        uint64_t saturated = exact > most ? most : exact;
        assert_int_equal(sum[i], BITS == 16 ? saturated : (uint32_t)exact);
        assert_int_equal(above[i], a[i] > b[i] ? a[i] - b[i] : 0);
        assert_int_equal(least[i], a[i] < b[i] ? a[i] : b[i]);
        assert_int_equal(greater[i], a[i] > b[i] ? a[i] : b[i]);
        assert_int_equal(either[i], a[i] | b[i]);
        top = a[i] > top ? a[i] : top;
    }
    assert_int_equal(V(greatest)(v), top);
}

#if HAS_ALL

static KERNEL void NAME(check_masks)(const ENTRY *a, const ENTRY *b)
{
    const VECTOR v = V(load_any)(a), w = V(load_any)(b);
    uint32_t less = 0, equal = 0;

    for (unsigned i = 0; i < LANES; i++) {
        less |= (uint32_t)(a[i] < b[i]) << i;
        equal |= (uint32_t)(a[i] == b[i]) << i;
    }
    assert_int_equal(V(less)(v, w), less);
    assert_int_equal(V(equal)(v, w), equal);
    assert_int_equal(V(less)(v, v), 0);
}

static KERNEL void NAME(check_minus)(const ENTRY *a, const ENTRY *b)
{
    ENTRY minus[LANES];
    V(store_any)(minus, V(minus)(V(load_any)(a), V(load_any)(b)));
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(minus[i], (ENTRY)(a[i] - b[i]));
}

#  if BITS == 32
static KERNEL void NAME(check_low)(const ENTRY *a)
{
    uint16_t low[LANES + 1] = {0};
    V(store_low)(low, V(load_any)(a));
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(low[i], (uint16_t)a[i]);
    assert_int_equal(low[LANES], 0);
}
#  endif

static KERNEL void NAME(check_bytes)(dice *luck)
{
    const uint64_t bits = (uint64_t)any_number(luck, 32) << 32 | any_number(luck, 32);
    uint8_t bytes[64];
    V(bytes)(bytes, bits);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(bytes[i], bits >> i & 1 ? 0xff : 0);
}

#endif

static KERNEL void NAME(check_all)(dice *luck)
{
    _Alignas(64) ENTRY a[LANES], b[LANES];
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < LANES; i++) {
            a[i] = (ENTRY)any_number(luck, BITS);
            b[i] = dice_below(luck, 4) == 0 ? a[i] : (ENTRY)any_number(luck, BITS);
        }
        NAME(check_entries)(a, b);
#if HAS_ALL
        NAME(check_masks)(a, b);
        NAME(check_minus)(a, b);
#  if BITS == 32
        NAME(check_low)(a);
#  endif
        NAME(check_bytes)(luck);
#endif
    }
}

#undef HAS_ALL
#include "simd/template_end.h"
