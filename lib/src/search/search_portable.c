#include "search/grid_searchers.h"
#include "bound/bound_kernels.h"

#define VEC v128
#define BITS 16
#include "search/row_searches.h"

#define VEC v128
#define BITS 32
#include "search/row_searches.h"

const cn_searchers cn_searchers_portable = {
    .rows_16 = CN_LIST_SEARCHES(v128_16, corners_v128_16),
    .rows_32 = CN_LIST_SEARCHES(v128_32, corners_v128_32),
};
