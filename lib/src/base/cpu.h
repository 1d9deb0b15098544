/* Which vector instructions this run may use. */
#ifndef CN_BASE_CPU_H
#define CN_BASE_CPU_H

#include "base/base.h"

/* CAIRN_NO_X86 has x86 take what other processors do, so that it can be tested there.
 *
 * Functions for one instruction set carry a target attribute, so that no file needs flags of its
 * own and the rest of the library runs on any machine. */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(CAIRN_NO_X86)
#  define CN_CPU_X86 1
#  define CN_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#  define CN_TARGET_AVX512 \
    __attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl")))
#else
#  define CN_CPU_X86 0
#endif

/* Ascending: a machine that has one has all before it. */
typedef enum cn_cpu {
    CN_CPU_PORTABLE = 0,
    CN_CPU_AVX2,
    CN_CPU_AVX512
} cn_cpu;

/* What the processor has, lowered by CAIRN_SIMD=off|avx2|avx512 in the environment (which never
 * raises it). Cheap enough to ask once per object, not once per call in a loop. */
cn_cpu cn_cpu_level(void);

#endif
