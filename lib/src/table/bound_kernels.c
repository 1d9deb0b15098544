#include "table/bound_kernels.h"

/* Each kernel as a function that can be chosen at run time: for one node, and for many, in a loop
 * that is compiled once more for the most frequent number of lanes. */
#define DEFINE_KERNEL(target, bits, cpu)                                                         \
    target static cairn_cost rows_##bits##_##cpu(const void *entries, const void *above,         \
                                                 const void *below, uint32_t lane_count)         \
    {                                                                                            \
        return cn_rows_##bits##_##cpu(entries, above, below, lane_count);                        \
    }                                                                                            \
    target CN_ALWAYS_INLINE void loop_##bits##_##cpu(const cn_rows_view *view,                   \
                                                     const cairn_node *nodes, size_t count,      \
                                                     cairn_cost *most, uint32_t lane_count)      \
    {                                                                                            \
        const size_t size = lane_count * (bits / 8);                                             \
        for (size_t i = 0; i < count; i++) {                                                     \
            size_t later = i + CN_ROWS_AHEAD < count ? i + CN_ROWS_AHEAD : count - 1;            \
            cn_rows_fetch(view, nodes[later], size);                                             \
            most[i] = cn_rows_##bits##_##cpu(view->entries + nodes[i] * size, view->above,       \
                                             view->below, lane_count);                           \
        }                                                                                        \
    }                                                                                            \
    target static void many_##bits##_##cpu(const cn_rows_view *view, const cairn_node *nodes,    \
                                           size_t count, cairn_cost *most)                       \
    {                                                                                            \
        if (view->lane_count == USUAL_LANES)                                                     \
            loop_##bits##_##cpu(view, nodes, count, most, USUAL_LANES);                          \
        else                                                                                     \
            loop_##bits##_##cpu(view, nodes, count, most, view->lane_count);                     \
    }

#define ANY_TARGET
enum { USUAL_LANES = 16 };
DEFINE_KERNEL(ANY_TARGET, 16, portable)
DEFINE_KERNEL(ANY_TARGET, 32, portable)
#if CN_CPU_X86
DEFINE_KERNEL(CN_TARGET_AVX2, 16, avx2)
DEFINE_KERNEL(CN_TARGET_AVX2, 32, avx2)
DEFINE_KERNEL(CN_TARGET_AVX512, 16, avx512)
DEFINE_KERNEL(CN_TARGET_AVX512, 32, avx512)
#endif

typedef struct kernels {
    cn_rows_kernel one;
    cn_rows_kernel_of_many many;
} kernels;

static kernels kernels_for(unsigned entry_bits, cn_cpu cpu)
{
    bool narrow = entry_bits == 16;
#if CN_CPU_X86
    if (cpu == CN_CPU_AVX512)
        return narrow ? (kernels){rows_16_avx512, many_16_avx512}
                      : (kernels){rows_32_avx512, many_32_avx512};
    if (cpu == CN_CPU_AVX2)
        return narrow ? (kernels){rows_16_avx2, many_16_avx2}
                      : (kernels){rows_32_avx2, many_32_avx2};
#endif
    (void)cpu;
    return narrow ? (kernels){rows_16_portable, many_16_portable}
                  : (kernels){rows_32_portable, many_32_portable};
}

cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu)
{
    return kernels_for(entry_bits, cpu).one;
}

cn_rows_kernel_of_many cn_rows_kernel_of_many_for(unsigned entry_bits, cn_cpu cpu)
{
    return kernels_for(entry_bits, cpu).many;
}
