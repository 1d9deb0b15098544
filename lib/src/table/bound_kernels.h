/* The kernels of bound_rows.h, to be inlined into loops that are compiled for one instruction
 * set. */
#ifndef CN_TABLE_BOUND_KERNELS_H
#define CN_TABLE_BOUND_KERNELS_H

#include <string.h>

#include "table/bound_rows.h"

#if CN_CPU_X86
#  include <immintrin.h>
#endif

#if defined(__GNUC__)

typedef uint16_t cn_lanes_16 __attribute__((vector_size(16)));
typedef uint32_t cn_lanes_32 __attribute__((vector_size(16)));

/* Reduces a vector of differences to the largest: a macro, since only the element type differs. */
#define CN_ROWS_PORTABLE(lanes, element)                                                         \
    lanes most = {0};                                                                            \
    for (uint32_t lane = 0; lane < lane_count; lane += 16 / sizeof(element)) {                   \
        lanes a, high, low;                                                                      \
        memcpy(&a, (const element *)entries + lane, sizeof a);                                   \
        memcpy(&high, (const element *)above + lane, sizeof high);                               \
        memcpy(&low, (const element *)below + lane, sizeof low);                                 \
        lanes over = (a - high) & (lanes)(a > high);                                             \
        lanes under = (low - a) & (lanes)(low > a);                                              \
        lanes larger = over | under;                                                             \
        lanes is_more = (lanes)(larger > most);                                                  \
        most = (larger & is_more) | (most & ~is_more);                                           \
    }                                                                                            \
    element result = most[0];                                                                    \
    for (unsigned lane = 1; lane < 16 / sizeof(element); lane++)                                 \
        result = most[lane] > result ? most[lane] : result;                                      \
    return result

#else

#define CN_ROWS_PORTABLE(lanes, element)                                                         \
    element result = 0;                                                                          \
    for (uint32_t lane = 0; lane < lane_count; lane++) {                                         \
        element a = ((const element *)entries)[lane];                                            \
        element high = ((const element *)above)[lane], low = ((const element *)below)[lane];     \
        element over = (element)(a > high ? a - high : 0);                                       \
        element under = (element)(low > a ? low - a : 0);                                        \
        result = over > result ? over : result;                                                  \
        result = under > result ? under : result;                                                \
    }                                                                                            \
    return result

#endif

CN_ALWAYS_INLINE cairn_cost cn_rows_16_portable(const void *entries, const void *above,
                                                const void *below, uint32_t lane_count)
{
    CN_ROWS_PORTABLE(cn_lanes_16, uint16_t);
}

CN_ALWAYS_INLINE cairn_cost cn_rows_32_portable(const void *entries, const void *above,
                                                const void *below, uint32_t lane_count)
{
    CN_ROWS_PORTABLE(cn_lanes_32, uint32_t);
}

#if CN_CPU_X86

/* The largest of eight numbers, by the only horizontal instruction, which finds the smallest. */
CN_TARGET_AVX2 CN_ALWAYS_INLINE cairn_cost cn_rows_fold_16(__m128i most)
{
    __m128i least = _mm_minpos_epu16(_mm_xor_si128(most, _mm_set1_epi16(-1)));
    return 0xffff ^ (uint32_t)(uint16_t)_mm_extract_epi16(least, 0);
}

CN_TARGET_AVX2 CN_ALWAYS_INLINE cairn_cost cn_rows_fold_32(__m128i most)
{
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0x4e));
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(most);
}

CN_TARGET_AVX2 CN_ALWAYS_INLINE __m256i cn_rows_32_of_8(const uint32_t *entries,
                                                        const uint32_t *above,
                                                        const uint32_t *below)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)entries);
    __m256i high = _mm256_loadu_si256((const __m256i *)above);
    __m256i low = _mm256_loadu_si256((const __m256i *)below);
    return _mm256_max_epu32(_mm256_sub_epi32(_mm256_max_epu32(a, high), high),
                            _mm256_sub_epi32(low, _mm256_min_epu32(a, low)));
}

CN_TARGET_AVX2 CN_ALWAYS_INLINE __m256i cn_rows_16_of_16(const uint16_t *entries,
                                                         const uint16_t *above,
                                                         const uint16_t *below)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)entries);
    __m256i high = _mm256_loadu_si256((const __m256i *)above);
    __m256i low = _mm256_loadu_si256((const __m256i *)below);
    return _mm256_or_si256(_mm256_subs_epu16(a, high), _mm256_subs_epu16(low, a));
}

CN_TARGET_AVX2 CN_ALWAYS_INLINE cairn_cost cn_rows_16_avx2(const void *entries, const void *above,
                                                           const void *below, uint32_t lane_count)
{
    if (lane_count == 8) {
        __m128i a = _mm_loadu_si128(entries);
        return cn_rows_fold_16(_mm_or_si128(_mm_subs_epu16(a, _mm_loadu_si128(above)),
                                            _mm_subs_epu16(_mm_loadu_si128(below), a)));
    }
    __m256i most = cn_rows_16_of_16(entries, above, below);
    for (uint32_t lane = 16; lane < lane_count; lane += 16) {
        __m256i next = cn_rows_16_of_16((const uint16_t *)entries + lane,
                                        (const uint16_t *)above + lane,
                                        (const uint16_t *)below + lane);
        most = _mm256_max_epu16(most, next);
    }
    return cn_rows_fold_16(_mm_max_epu16(_mm256_castsi256_si128(most),
                                         _mm256_extracti128_si256(most, 1)));
}

CN_TARGET_AVX2 CN_ALWAYS_INLINE cairn_cost cn_rows_32_avx2(const void *entries, const void *above,
                                                           const void *below, uint32_t lane_count)
{
    if (lane_count == 4) {
        __m128i a = _mm_loadu_si128(entries);
        __m128i high = _mm_loadu_si128(above), low = _mm_loadu_si128(below);
        return cn_rows_fold_32(_mm_max_epu32(_mm_sub_epi32(_mm_max_epu32(a, high), high),
                                             _mm_sub_epi32(low, _mm_min_epu32(a, low))));
    }
    __m256i most = cn_rows_32_of_8(entries, above, below);
    for (uint32_t lane = 8; lane < lane_count; lane += 8) {
        __m256i next = cn_rows_32_of_8((const uint32_t *)entries + lane,
                                       (const uint32_t *)above + lane,
                                       (const uint32_t *)below + lane);
        most = _mm256_max_epu32(most, next);
    }
    return cn_rows_fold_32(_mm_max_epu32(_mm256_castsi256_si128(most),
                                         _mm256_extracti128_si256(most, 1)));
}

/* Wider vectors gain time from 64 bytes on; the rest is loaded under a mask. */
CN_TARGET_AVX512 CN_ALWAYS_INLINE cairn_cost cn_rows_16_avx512(const void *entries,
                                                               const void *above,
                                                               const void *below,
                                                               uint32_t lane_count)
{
    __m512i most = _mm512_setzero_si512();

    if (lane_count <= 16)
        return cn_rows_16_avx2(entries, above, below, lane_count);
    for (uint32_t lane = 0; lane < lane_count; lane += 32) {
        __mmask32 mask = lane_count - lane >= 32 ? 0xffffffff : 0xffff;
        __m512i a = _mm512_maskz_loadu_epi16(mask, (const uint16_t *)entries + lane);
        __m512i high = _mm512_maskz_loadu_epi16(mask, (const uint16_t *)above + lane);
        __m512i low = _mm512_maskz_loadu_epi16(mask, (const uint16_t *)below + lane);
        most = _mm512_max_epu16(most, _mm512_or_si512(_mm512_subs_epu16(a, high),
                                                      _mm512_subs_epu16(low, a)));
    }
    __m256i half = _mm256_max_epu16(_mm512_castsi512_si256(most),
                                    _mm512_extracti64x4_epi64(most, 1));
    return cn_rows_fold_16(_mm_max_epu16(_mm256_castsi256_si128(half),
                                         _mm256_extracti128_si256(half, 1)));
}

CN_TARGET_AVX512 CN_ALWAYS_INLINE cairn_cost cn_rows_32_avx512(const void *entries,
                                                               const void *above,
                                                               const void *below,
                                                               uint32_t lane_count)
{
    __m512i most = _mm512_setzero_si512();

    if (lane_count <= 8)
        return cn_rows_32_avx2(entries, above, below, lane_count);
    for (uint32_t lane = 0; lane < lane_count; lane += 16) {
        __mmask16 mask = lane_count - lane >= 16 ? 0xffff : 0xff;
        __m512i a = _mm512_maskz_loadu_epi32(mask, (const uint32_t *)entries + lane);
        __m512i high = _mm512_maskz_loadu_epi32(mask, (const uint32_t *)above + lane);
        __m512i low = _mm512_maskz_loadu_epi32(mask, (const uint32_t *)below + lane);
        __m512i over = _mm512_sub_epi32(_mm512_max_epu32(a, high), high);
        __m512i under = _mm512_sub_epi32(low, _mm512_min_epu32(a, low));
        most = _mm512_max_epu32(most, _mm512_max_epu32(over, under));
    }
    __m256i half = _mm256_max_epu32(_mm512_castsi512_si256(most),
                                    _mm512_extracti64x4_epi64(most, 1));
    return cn_rows_fold_32(_mm_max_epu32(_mm256_castsi256_si128(half),
                                         _mm256_extracti128_si256(half, 1)));
}

#endif

enum { CN_ROWS_AHEAD = 24, CN_LINE_SIZE = 64 };

/* Prefetches the `size` bytes of a node's entries. */
CN_ALWAYS_INLINE void cn_rows_fetch(const cn_rows_view *view, cairn_node node, size_t size)
{
    const uint8_t *entries = view->entries + node * size;
    for (size_t at = 0; at < size; at += CN_LINE_SIZE)
        CN_PREFETCH(entries + at);
}

#endif
