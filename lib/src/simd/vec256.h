/* Vectors of 256 bits, for kernels whose text is included once for every vector width. Numbers are
 * unsigned, but `less` needs 32-bit numbers below 2^31; 16-bit additions saturate; loads and stores
 * need no alignment; a mask has a bit for each lane. Only where CN_CPU_X86 is set. */
#ifndef CN_SIMD_VEC256_H
#define CN_SIMD_VEC256_H

#include <immintrin.h>

#include "base/cpu.h"

#define KERNEL CN_TARGET_AVX2
#define FUNCTION static inline __attribute__((always_inline, unused)) KERNEL

typedef __m256i vector_16;
typedef __m256i vector_32;

FUNCTION __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

FUNCTION void store(void *to, __m256i value)
{
    _mm256_storeu_si256(to, value);
}

#define load_16 load
#define load_32 load
#define store_16 store
#define store_32 store

FUNCTION __m256i either(__m256i a, __m256i b)
{
    return _mm256_or_si256(a, b);
}

FUNCTION __m256i all_16(uint16_t value)
{
    return _mm256_set1_epi16((short)value);
}

FUNCTION __m256i all_32(uint32_t value)
{
    return _mm256_set1_epi32((int)value);
}

FUNCTION __m256i add_16(__m256i a, __m256i b)
{
    return _mm256_adds_epu16(a, b);
}

FUNCTION __m256i add_32(__m256i a, __m256i b)
{
    return _mm256_add_epi32(a, b);
}

FUNCTION __m256i min_16(__m256i a, __m256i b)
{
    return _mm256_min_epu16(a, b);
}

FUNCTION __m256i min_32(__m256i a, __m256i b)
{
    return _mm256_min_epu32(a, b);
}

/* A mask with a bit for each lane: set where all bits of the lane are ones, clear where they are
 * zeros. */
FUNCTION uint32_t lanes_of_16(__m256i a)
{
    __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    return (uint32_t)_mm_movemask_epi8(bytes);
}

FUNCTION uint32_t lanes_of_32(__m256i a)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a));
}

FUNCTION uint32_t equal_16(__m256i a, __m256i b)
{
    return lanes_of_16(_mm256_cmpeq_epi16(a, b));
}

FUNCTION uint32_t equal_32(__m256i a, __m256i b)
{
    return lanes_of_32(_mm256_cmpeq_epi32(a, b));
}

FUNCTION uint32_t less_16(__m256i a, __m256i b)
{
    return lanes_of_16(_mm256_cmpeq_epi16(_mm256_min_epu16(a, b), b)) ^ 0xffff;
}

FUNCTION uint32_t less_32(__m256i a, __m256i b)
{
    return lanes_of_32(_mm256_cmpgt_epi32(b, a));
}

/* Lanes with all bits set where the mask has a bit, and zero elsewhere. */
FUNCTION __m256i ones_16(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
                                           4096, 8192, 16384, (short)32768);
    return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)lanes), bits), bits);
}

FUNCTION __m256i ones_32(uint32_t lanes)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), bits), bits);
}

FUNCTION __m256i min_where_16(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu16(a, either(b, ones_16(~lanes)));
}

FUNCTION __m256i min_where_32(__m256i a, uint32_t lanes, __m256i b)
{
    return _mm256_min_epu32(a, either(b, ones_32(~lanes)));
}

#endif
