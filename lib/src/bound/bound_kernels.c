#include "bound/bound_kernels.h"
#include "bound/gate_rows.h"

enum { USUAL_LANES = 16 };

#define TEMPLATE "bound/bound_functions.h"
#include "simd/instances.h"

typedef struct kernels {
    cn_rows_kernel one;
    cn_rows_kernel_of_many many;
    cn_gate_kernels gates;
} kernels;

static kernels kernels_for(unsigned entry_bits, cn_cpu cpu)
{
    bool narrow = entry_bits == 16;
#if CN_CPU_X86
    if (cpu == CN_CPU_AVX512)
        return narrow ? (kernels){rows_v512_16,
                                  many_v512_16,
                                  {outside_v512_16, by_ports_v512_16, by_parts_v512_16}}
                      : (kernels){rows_v512_32,
                                  many_v512_32,
                                  {outside_v512_32, by_ports_v512_32, by_parts_v512_32}};
    if (cpu == CN_CPU_AVX2)
        return narrow ? (kernels){rows_v256_16,
                                  many_v256_16,
                                  {outside_v256_16, by_ports_v256_16, by_parts_v256_16}}
                      : (kernels){rows_v256_32,
                                  many_v256_32,
                                  {outside_v256_32, by_ports_v256_32, by_parts_v256_32}};
#endif
    (void)cpu;
    return narrow ? (kernels){rows_v128_16,
                              many_v128_16,
                              {outside_v128_16, by_ports_v128_16, by_parts_v128_16}}
                  : (kernels){rows_v128_32,
                              many_v128_32,
                              {outside_v128_32, by_ports_v128_32, by_parts_v128_32}};
}

cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu)
{
    return kernels_for(entry_bits, cpu).one;
}

cn_rows_kernel_of_many cn_rows_kernel_of_many_for(unsigned entry_bits, cn_cpu cpu)
{
    return kernels_for(entry_bits, cpu).many;
}

cn_gate_kernels cn_gate_kernels_for(unsigned entry_bits, cn_cpu cpu)
{
    return kernels_for(entry_bits, cpu).gates;
}
