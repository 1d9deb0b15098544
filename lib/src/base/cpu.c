#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static cn_cpu processor(void)
{
#if CN_CPU_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
        return CN_CPU_PORTABLE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return CN_CPU_AVX512;
    return CN_CPU_AVX2;
#else
    return CN_CPU_PORTABLE;
#endif
}

static cn_cpu allowed(void)
{
    const char *wish = getenv("CAIRN_SIMD");
    if (!wish)
        return CN_CPU_AVX512;
    if (strcmp(wish, "off") == 0)
        return CN_CPU_PORTABLE;
    return strcmp(wish, "avx2") == 0 ? CN_CPU_AVX2 : CN_CPU_AVX512;
}

cn_cpu cn_cpu_level(void)
{
    cn_cpu has = processor();
    cn_cpu may = allowed();
    return has < may ? has : may;
}
