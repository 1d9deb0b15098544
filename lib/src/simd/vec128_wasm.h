/* Vectors of 128 bits by the instructions of WebAssembly: a part of simd/vec128.h. */
#ifndef CN_SIMD_VEC128_WASM_H
#define CN_SIMD_VEC128_WASM_H

#include <string.h>

#include "base/cpu.h"

#if CN_CPU_WASM

#  include <wasm_simd128.h>

enum { v128_lanes_16 = 8, v128_lanes_32 = 4 };

typedef v128_t v128_vector_16;
typedef v128_t v128_vector_32;

CN_ALWAYS_INLINE v128_vector_16 v128_load_16(const uint16_t *from)
{
    return wasm_v128_load(from);
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_32(const uint32_t *from)
{
    return wasm_v128_load(from);
}

CN_ALWAYS_INLINE void v128_store_16(uint16_t *to, v128_vector_16 value)
{
    wasm_v128_store(to, value);
}

CN_ALWAYS_INLINE void v128_store_32(uint32_t *to, v128_vector_32 value)
{
    wasm_v128_store(to, value);
}

CN_ALWAYS_INLINE void v128_store_low_32(uint16_t *to, v128_vector_32 value)
{
    wasm_v128_store64_lane(to, wasm_i16x8_shuffle(value, value, 0, 2, 4, 6, 0, 2, 4, 6), 0);
}

CN_ALWAYS_INLINE v128_vector_16 v128_all_16(uint16_t value)
{
    return wasm_i16x8_splat((int16_t)value);
}

CN_ALWAYS_INLINE v128_vector_32 v128_all_32(uint32_t value)
{
    return wasm_i32x4_splat((int32_t)value);
}

CN_ALWAYS_INLINE v128_vector_16 v128_pairs_16(const uint16_t *from, unsigned lane)
{
    int32_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return wasm_i32x4_splat(pair);
}

CN_ALWAYS_INLINE v128_vector_32 v128_pairs_32(const uint32_t *from, unsigned lane)
{
    int64_t pair;
    (void)lane;
    memcpy(&pair, from, sizeof pair);
    return wasm_i64x2_splat(pair);
}

CN_ALWAYS_INLINE v128_vector_16 v128_either_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_v128_or(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_either_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_v128_or(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_add_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_u16x8_add_sat(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_add_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_i32x4_add(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_minus_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_i16x8_sub(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_minus_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_i32x4_sub(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_u16x8_min(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_u32x4_min(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_max_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_u16x8_max(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_max_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_u32x4_max(a, b);
}

CN_ALWAYS_INLINE v128_vector_16 v128_above_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_u16x8_sub_sat(a, b);
}

CN_ALWAYS_INLINE v128_vector_32 v128_above_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_i32x4_sub(wasm_u32x4_max(a, b), b);
}

CN_ALWAYS_INLINE uint32_t v128_less_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint32_t)wasm_i16x8_bitmask(wasm_u16x8_lt(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_less_32(v128_vector_32 a, v128_vector_32 b)
{
    return (uint32_t)wasm_i32x4_bitmask(wasm_u32x4_lt(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_16(v128_vector_16 a, v128_vector_16 b)
{
    return (uint32_t)wasm_i16x8_bitmask(wasm_i16x8_eq(a, b));
}

CN_ALWAYS_INLINE uint32_t v128_equal_32(v128_vector_32 a, v128_vector_32 b)
{
    return (uint32_t)wasm_i32x4_bitmask(wasm_i32x4_eq(a, b));
}

CN_ALWAYS_INLINE v128_vector_16 v128_ones_16(uint32_t lanes)
{
    const v128_t bits = wasm_i16x8_const(1, 2, 4, 8, 16, 32, 64, 128);
    return wasm_i16x8_eq(wasm_v128_and(wasm_i16x8_splat((int16_t)lanes), bits), bits);
}

CN_ALWAYS_INLINE v128_vector_32 v128_ones_32(uint32_t lanes)
{
    const v128_t bits = wasm_i32x4_const(1, 2, 4, 8);
    return wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int32_t)lanes), bits), bits);
}

CN_ALWAYS_INLINE v128_vector_16 v128_ascend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return wasm_i16x8_shuffle(a, a, 0, 0, 1, 2, 3, 4, 5, 6);
    case 2: return wasm_i16x8_shuffle(a, a, 0, 1, 0, 1, 2, 3, 4, 5);
    default: return wasm_i16x8_shuffle(a, a, 0, 1, 2, 3, 0, 1, 2, 3);
    }
}

CN_ALWAYS_INLINE v128_vector_32 v128_ascend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? wasm_i32x4_shuffle(a, a, 0, 0, 1, 2) : wasm_i32x4_shuffle(a, a, 0, 1, 0, 1);
}

CN_ALWAYS_INLINE v128_vector_16 v128_descend_16(v128_vector_16 a, unsigned lanes)
{
    switch (lanes) {
    case 1: return wasm_i16x8_shuffle(a, a, 1, 2, 3, 4, 5, 6, 7, 7);
    case 2: return wasm_i16x8_shuffle(a, a, 2, 3, 4, 5, 6, 7, 6, 7);
    default: return wasm_i16x8_shuffle(a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    }
}

CN_ALWAYS_INLINE v128_vector_32 v128_descend_32(v128_vector_32 a, unsigned lanes)
{
    return lanes == 1 ? wasm_i32x4_shuffle(a, a, 1, 2, 3, 3) : wasm_i32x4_shuffle(a, a, 2, 3, 2, 3);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_16(v128_vector_16 a)
{
    a = v128_max_16(a, v128_descend_16(a, 4));
    a = v128_max_16(a, v128_descend_16(a, 2));
    a = v128_max_16(a, v128_descend_16(a, 1));
    return wasm_u16x8_extract_lane(a, 0);
}

CN_ALWAYS_INLINE uint32_t v128_greatest_32(v128_vector_32 a)
{
    a = v128_max_32(a, v128_descend_32(a, 2));
    a = v128_max_32(a, v128_descend_32(a, 1));
    return (uint32_t)wasm_i32x4_extract_lane(a, 0);
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_low_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_low_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
}

CN_ALWAYS_INLINE v128_vector_16 v128_zip_high_16(v128_vector_16 a, v128_vector_16 b)
{
    return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

CN_ALWAYS_INLINE v128_vector_32 v128_zip_high_32(v128_vector_32 a, v128_vector_32 b)
{
    return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
}

#endif
#endif
