/*
 * The kind v128 of simd/template.h: vectors of 128 bits by instructions that every x86-64, every
 * arm64 and WebAssembly with vectors have, also for compilers that know nothing beyond C11. On
 * other processors, or with CAIRN_NO_X86, such a vector has a single lane.
 */
#ifndef CN_SIMD_VEC128_H
#define CN_SIMD_VEC128_H

#include <string.h>

#include "simd/vec128_neon.h"
#include "simd/vec128_one.h"
#include "simd/vec128_sse2.h"
#include "simd/vec128_wasm.h"

#define v128_target

typedef uint16_t v128_entry_16;
typedef uint32_t v128_entry_32;

CN_ALWAYS_INLINE v128_vector_16 v128_load_any_16(const void *from)
{
    v128_vector_16 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE v128_vector_32 v128_load_any_32(const void *from)
{
    v128_vector_32 value;
    memcpy(&value, from, sizeof value);
    return value;
}

CN_ALWAYS_INLINE void v128_store_any_16(void *to, v128_vector_16 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE void v128_store_any_32(void *to, v128_vector_32 value)
{
    memcpy(to, &value, sizeof value);
}

CN_ALWAYS_INLINE v128_vector_16 v128_min_where_16(v128_vector_16 a, uint32_t lanes,
                                                  v128_vector_16 b)
{
    return v128_min_16(a, v128_either_16(b, v128_ones_16(~lanes)));
}

CN_ALWAYS_INLINE v128_vector_32 v128_min_where_32(v128_vector_32 a, uint32_t lanes,
                                                  v128_vector_32 b)
{
    return v128_min_32(a, v128_either_32(b, v128_ones_32(~lanes)));
}

CN_ALWAYS_INLINE void v128_bytes_16(uint8_t to[64], uint64_t bits)
{
    for (unsigned i = 0; i < 64; i++)
        to[i] = (uint8_t)(0 - (bits >> i & 1));
}

CN_ALWAYS_INLINE void v128_bytes_32(uint8_t to[64], uint64_t bits)
{
    v128_bytes_16(to, bits);
}

#endif
