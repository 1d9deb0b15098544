#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static cn_cpu processor(void)
{
#if CN_CPU_X86
    if (!CN_PROCESSOR_HAS("avx2") || !CN_PROCESSOR_HAS("bmi2"))
        return CN_CPU_PORTABLE;
    if (CN_PROCESSOR_HAS("avx512f") && CN_PROCESSOR_HAS("avx512bw") &&
        CN_PROCESSOR_HAS("avx512dq") && CN_PROCESSOR_HAS("avx512vl"))
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
