/* Vectors of 512 bits, for kernels whose text is included once for every vector width. Numbers are
 * unsigned; 16-bit additions saturate; loads and stores need no alignment; a mask has a bit for
 * each lane. Only where CN_CPU_X86 is set. */
#ifndef CN_SIMD_VEC512_H
#define CN_SIMD_VEC512_H

#include <immintrin.h>

#include "base/cpu.h"

#define KERNEL CN_TARGET_AVX512
#define FUNCTION static inline __attribute__((always_inline, unused)) KERNEL

typedef __m512i vector_16;
typedef __m512i vector_32;

FUNCTION __m512i load_16(const uint16_t *from)
{
    return _mm512_loadu_si512(from);
}

FUNCTION __m512i load_32(const uint32_t *from)
{
    return _mm512_loadu_si512(from);
}

FUNCTION void store_16(uint16_t *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

FUNCTION void store_32(uint32_t *to, __m512i value)
{
    _mm512_storeu_si512(to, value);
}

FUNCTION __m512i all_16(uint16_t value)
{
    return _mm512_set1_epi16((short)value);
}

FUNCTION __m512i all_32(uint32_t value)
{
    return _mm512_set1_epi32((int)value);
}

FUNCTION __m512i add_16(__m512i a, __m512i b)
{
    return _mm512_adds_epu16(a, b);
}

FUNCTION __m512i add_32(__m512i a, __m512i b)
{
    return _mm512_add_epi32(a, b);
}

FUNCTION __m512i min_16(__m512i a, __m512i b)
{
    return _mm512_min_epu16(a, b);
}

FUNCTION __m512i min_32(__m512i a, __m512i b)
{
    return _mm512_min_epu32(a, b);
}

FUNCTION __m512i min_where_16(__m512i a, uint32_t lanes, __m512i b)
{
    return _mm512_mask_min_epu16(a, lanes, a, b);
}

FUNCTION __m512i min_where_32(__m512i a, uint32_t lanes, __m512i b)
{
    return _mm512_mask_min_epu32(a, (__mmask16)lanes, a, b);
}

FUNCTION uint32_t less_16(__m512i a, __m512i b)
{
    return _mm512_cmplt_epu16_mask(a, b);
}

FUNCTION uint32_t less_32(__m512i a, __m512i b)
{
    return _mm512_cmplt_epu32_mask(a, b);
}

FUNCTION uint32_t equal_16(__m512i a, __m512i b)
{
    return _mm512_cmpeq_epi16_mask(a, b);
}

FUNCTION uint32_t equal_32(__m512i a, __m512i b)
{
    return _mm512_cmpeq_epi32_mask(a, b);
}

/* Lanes with all bits set where the mask has a bit, and zero elsewhere. */
FUNCTION __m512i ones_16(uint32_t lanes)
{
    return _mm512_movm_epi16(lanes);
}

FUNCTION __m512i ones_32(uint32_t lanes)
{
    return _mm512_movm_epi32((__mmask16)lanes);
}

FUNCTION __m512i either(__m512i a, __m512i b)
{
    return _mm512_or_si512(a, b);
}

#endif
