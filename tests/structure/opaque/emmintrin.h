/* The part of SSE2 that the library uses, with vectors whose inside cannot be seen, as those of
 * Microsoft's compiler. In place of the compiler's header, what uses C's operators on vectors,
 * casts them or takes their elements does not compile. */
#ifndef OPAQUE_EMMINTRIN_H
#define OPAQUE_EMMINTRIN_H

typedef struct __m128 {
    long long inside[2];
} __m128;

typedef struct __m128i {
    long long inside[2];
} __m128i;

#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))

__m128i _mm_load_si128(const __m128i *from);
void _mm_store_si128(__m128i *to, __m128i value);
void _mm_storel_epi64(__m128i *to, __m128i value);

__m128i _mm_setzero_si128(void);
__m128i _mm_set1_epi16(short value);
__m128i _mm_set1_epi32(int value);
__m128i _mm_set1_epi64x(long long value);
__m128i _mm_setr_epi16(short a, short b, short c, short d, short e, short f, short g, short h);
__m128i _mm_setr_epi32(int a, int b, int c, int d);
int _mm_cvtsi128_si32(__m128i a);

__m128i _mm_and_si128(__m128i a, __m128i b);
__m128i _mm_andnot_si128(__m128i a, __m128i b);
__m128i _mm_or_si128(__m128i a, __m128i b);
__m128i _mm_xor_si128(__m128i a, __m128i b);
__m128i _mm_add_epi16(__m128i a, __m128i b);
__m128i _mm_add_epi32(__m128i a, __m128i b);
__m128i _mm_adds_epu16(__m128i a, __m128i b);
__m128i _mm_sub_epi16(__m128i a, __m128i b);
__m128i _mm_sub_epi32(__m128i a, __m128i b);
__m128i _mm_subs_epu16(__m128i a, __m128i b);
__m128i _mm_cmpeq_epi16(__m128i a, __m128i b);
__m128i _mm_cmpeq_epi32(__m128i a, __m128i b);
__m128i _mm_cmpgt_epi32(__m128i a, __m128i b);

__m128i _mm_slli_si128(__m128i a, int bytes);
__m128i _mm_srli_si128(__m128i a, int bytes);
__m128i _mm_shuffle_epi32(__m128i a, int order);
__m128i _mm_shufflelo_epi16(__m128i a, int order);
__m128i _mm_shufflehi_epi16(__m128i a, int order);
__m128i _mm_unpacklo_epi16(__m128i a, __m128i b);
__m128i _mm_unpackhi_epi16(__m128i a, __m128i b);
__m128i _mm_unpacklo_epi32(__m128i a, __m128i b);
__m128i _mm_unpackhi_epi32(__m128i a, __m128i b);
__m128i _mm_packs_epi16(__m128i a, __m128i b);

__m128 _mm_castsi128_ps(__m128i a);
int _mm_movemask_epi8(__m128i a);
int _mm_movemask_ps(__m128 a);

#endif
