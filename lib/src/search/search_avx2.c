#include "search/corner_space.h"
#include "bound/bound_kernels.h"

#if CN_CPU_X86

#  define VEC v256
#  define BITS 16
#  include "search/row_searches.h"

#  define VEC v256
#  define BITS 32
#  include "search/row_searches.h"

CN_DEFINE_CORNER_SEARCH(v256_target, corners_base_v256, cn_bound_of_corner_base, NULL)

const cn_searchers cn_searchers_avx2 = {
    .rows_16 = CN_LIST_SEARCHES(v256_16, corners_v256_16),
    .rows_32 = CN_LIST_SEARCHES(v256_32, corners_v256_32),
    .gates_16 = CN_LIST_SEARCHES(gates_v256_16, corners_gates_v256_16),
    .gates_32 = CN_LIST_SEARCHES(gates_v256_32, corners_gates_v256_32),
    .corners_base = corners_base_v256,
};

#endif
