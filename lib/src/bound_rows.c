#include "bound_rows.h"

/* Each kernel once as a function of its own, for callers that choose at run time. */
#define DEFINE_KERNEL(target, bits, cpu)                                                         \
    target static cairn_cost rows_##bits##_##cpu(const void *entries, const void *above,         \
                                                 const void *below, uint32_t lane_count)         \
    {                                                                                            \
        return cn_rows_##bits##_##cpu(entries, above, below, lane_count);                        \
    }

#define ANY_TARGET
DEFINE_KERNEL(ANY_TARGET, 16, portable)
DEFINE_KERNEL(ANY_TARGET, 32, portable)
#if CN_CPU_X86
DEFINE_KERNEL(CN_TARGET_AVX2, 16, avx2)
DEFINE_KERNEL(CN_TARGET_AVX2, 32, avx2)
DEFINE_KERNEL(CN_TARGET_AVX512, 16, avx512)
DEFINE_KERNEL(CN_TARGET_AVX512, 32, avx512)
#endif

cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu)
{
    bool narrow = entry_bits == 16;
#if CN_CPU_X86
    if (cpu == CN_CPU_AVX512)
        return narrow ? rows_16_avx512 : rows_32_avx512;
    if (cpu == CN_CPU_AVX2)
        return narrow ? rows_16_avx2 : rows_32_avx2;
#endif
    (void)cpu;
    return narrow ? rows_16_portable : rows_32_portable;
}
