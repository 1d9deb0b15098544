#include "search/grid_searchers.h"
#include "bound/bound_kernels.h"

#if CN_CPU_X86

#  define VEC v512
#  define BITS 16
#  include "search/row_searches.h"

#  define VEC v512
#  define BITS 32
#  include "search/row_searches.h"

const cn_searchers cn_searchers_avx512 = {
    .rows_16 = CN_LIST_SEARCHES(v512_16, corners_v512_16),
    .rows_32 = CN_LIST_SEARCHES(v512_32, corners_v512_32),
};

#endif
