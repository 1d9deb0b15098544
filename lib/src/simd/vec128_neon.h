/* Vectors of 128 bits by NEON, which every arm64 has: a part of simd/vec128.h. */
#ifndef CN_SIMD_VEC128_NEON_H
#define CN_SIMD_VEC128_NEON_H

#include <string.h>

#include "base/cpu.h"

#if CN_CPU_NEON

#  include <arm_neon.h>

enum { v128_lanes_16 = 8, v128_lanes_32 = 4 };

typedef uint16x8_t v128_vector_16;
typedef uint32x4_t v128_vector_32;

CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return vld1q_u16(from);
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return vld1q_u32(from);
}

CN_ALWAYS_INLINE void v128_store_16(uint16_t *to, v128_vector_16 value)
{
    vst1q_u16(to, value);
}

CN_ALWAYS_INLINE void v128_store_32(uint32_t *to, v128_vector_32 value)
{
    vst1q_u32(to, value);
}

CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    vst1_u16(to, vmovn_u32(value));
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return vdupq_n_u16(value);
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return vdupq_n_u32(value);
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    uint32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return vreinterpretq_u16_u32(vdupq_n_u32(pair));
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    uint64_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return vreinterpretq_u32_u64(vdupq_n_u64(pair));
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return vorrq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return vorrq_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return vqaddq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_add_32(v128_vector_32 a, v128_vector_32 b)
{
    return vaddq_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_minus_16(v128_vector_16 a, v128_vector_16 b)
{
    return vsubq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_minus_32(v128_vector_32 a, v128_vector_32 b)
{
    return vsubq_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return vqsubq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return vqsubq_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return vminq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return vminq_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return vmaxq_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return vmaxq_u32(a, b);
}

/* The bit of each lane. */
CN_ALWAYS_INLINE v128_vector_16 v128_bits_16(void)
{
    static const uint16_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    return vld1q_u16(bits);
}

CN_ALWAYS_INLINE v128_vector_32 v128_bits_32(void)
{
    static const uint32_t bits[4] = {1, 2, 4, 8};
    return vld1q_u32(bits);
}

/* A mask of the lanes that are all ones; the others are zero. */
CN_ALWAYS_INLINE uint32_t v128_lanes_of_16(v128_vector_16 a)
{
    return vaddvq_u16(vandq_u16(a, v128_bits_16()));
}

CN_ALWAYS_INLINE uint32_t v128_lanes_of_32(v128_vector_32 a)
{
    return vaddvq_u32(vandq_u32(a, v128_bits_32()));
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16(vcltq_u16(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32(vcltq_u32(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return v128_lanes_of_16(vceqq_u16(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return v128_lanes_of_32(vceqq_u32(a, b));
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    return vtstq_u16(vdupq_n_u16((uint16_t)lanes), v128_bits_16());
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    return vtstq_u32(vdupq_n_u32(lanes), v128_bits_32());
}

CN_ALWAYS_INLINE v128_vector_16 v128_ascend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return vextq_u16(a, a, 7);
    case 2: return vextq_u16(a, a, 6);
    default: return vextq_u16(a, a, 4);
    }
}

CN_ALWAYS_INLINE v128_vector_32 v128_ascend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? vextq_u32(a, a, 3) : vextq_u32(a, a, 2);
}

CN_ALWAYS_INLINE v128_vector_16 v128_descend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return vextq_u16(a, a, 1);
    case 2: return vextq_u16(a, a, 2);
    default: return vextq_u16(a, a, 4);
    }
}

CN_ALWAYS_INLINE v128_vector_32 v128_descend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? vextq_u32(a, a, 1) : vextq_u32(a, a, 2);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    return vmaxvq_u16(a);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    return vmaxvq_u32(a);
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_low_16(v128_vector_16 a, v128_vector_16 b)
{
    return vzip1q_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_low_32(v128_vector_32 a, v128_vector_32 b)
{
    return vzip1q_u32(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_high_16(v128_vector_16 a, v128_vector_16 b)
{
    return vzip2q_u16(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_high_32(v128_vector_32 a, v128_vector_32 b)
{
    return vzip2q_u32(a, b);
}

#endif
#endif
