#include "bound/bound_kernels.h"
#include "bound/gate_rows.h"

enum { USUAL_LANES = 16 };

#define TEMPLATE "bound/bound_functions.h"
#include "simd/instances.h"

cn_rows_kernel cn_rows_kernel_for(unsigned entry_bits, cn_cpu cpu)
{
    static const cn_rows_kernel rows[CN_CPU_LEVELS][2] = CN_INSTANCES(rows);
    return rows[cpu][entry_bits == 32];
}

cn_rows_kernel_of_many cn_rows_kernel_of_many_for(unsigned entry_bits, cn_cpu cpu)
{
    static const cn_rows_kernel_of_many many[CN_CPU_LEVELS][2] = CN_INSTANCES(many);
    return many[cpu][entry_bits == 32];
}

cn_gate_kernels cn_gate_kernels_for(unsigned entry_bits, cn_cpu cpu)
{
    static cn_gate_outside *const outside[CN_CPU_LEVELS][2] = CN_INSTANCES(outside);
    static cn_gate_by_ports *const by_ports[CN_CPU_LEVELS][2] = CN_INSTANCES(by_ports);
    static cn_gate_by_parts *const by_parts[CN_CPU_LEVELS][2] = CN_INSTANCES(by_parts);
    const bool is_wide = entry_bits == 32;
    return (cn_gate_kernels){outside[cpu][is_wide], by_ports[cpu][is_wide], by_parts[cpu][is_wide]};
}
