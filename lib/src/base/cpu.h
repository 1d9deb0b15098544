/* Which vector instructions this run may use. */
#ifndef CN_BASE_CPU_H
#define CN_BASE_CPU_H

#include "base/base.h"

/* Functions for one instruction set have a target attribute. So no file needs compiler flags of its
 * own, and the rest of the library runs on any processor. CAIRN_NO_X86 leaves these functions out,
 * and SSE2, so that the code for other processors can be tested on x86. */
#if CN_COMPILER_HAS_TARGETS && defined(__x86_64__) && !defined(CAIRN_NO_X86)
#  define CN_CPU_X86 1
#  define CN_TARGET_AVX2 CN_TARGET("avx2,bmi,bmi2")
#  define CN_TARGET_AVX512 CN_TARGET("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl")
#else
#  define CN_CPU_X86 0
#endif

/* Vectors of 128 bits, which every processor has that the code is compiled for. */
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(CAIRN_NO_X86)
#  define CN_CPU_SSE2 1
#else
#  define CN_CPU_SSE2 0
#endif
#if (defined(__AARCH64EL__) && defined(__ARM_NEON)) || defined(_M_ARM64)
#  define CN_CPU_NEON 1
#else
#  define CN_CPU_NEON 0
#endif
#if defined(__wasm_simd128__) && !CN_CPU_SSE2 /* Emscripten can have SSE2 of it */
#  define CN_CPU_WASM 1
#else
#  define CN_CPU_WASM 0
#endif
#define CN_HAS_VECTORS (CN_CPU_SSE2 || CN_CPU_NEON || CN_CPU_WASM)

/* In ascending order: a processor with one of these has all before it, too. */
typedef enum cn_cpu { CN_CPU_PORTABLE = 0, CN_CPU_AVX2, CN_CPU_AVX512 } cn_cpu;
enum { CN_CPU_LEVELS = CN_CPU_AVX512 + 1 };

/* The instances of a function of a template (simd/instances.h): by cn_cpu, for entries of 16 and of
 * 32 bits. It begins an array of [CN_CPU_LEVELS][2]. */
/* clang-format off */
#define CN_TWO_WIDTHS(name) {name##_16, name##_32}
#if CN_CPU_X86
#  define CN_INSTANCES(name) \
       {CN_TWO_WIDTHS(name##_v128), CN_TWO_WIDTHS(name##_v256), CN_TWO_WIDTHS(name##_v512)}
#else
#  define CN_INSTANCES(name) {CN_TWO_WIDTHS(name##_v128)}
#endif
/* clang-format on */

/* What the processor has, or less if CAIRN_SIMD=off|avx2|avx512 in the environment says so. Fast
 * enough to call once per object, but not once per iteration of a loop. */
cn_cpu cn_cpu_level(void);

#endif
