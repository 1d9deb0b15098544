#include "search/corner_space.h"
#include "bound/bound_kernels.h"

#define VEC v128
#define BITS 16
#include "search/row_searches.h"

#define VEC v128
#define BITS 32
#include "search/row_searches.h"

CN_DEFINE_CORNER_SEARCH(v128_target, corners_base_v128, cn_bound_of_corner_base, NULL)

const cn_searchers cn_searchers_portable = {
    .rows_16 = CN_LIST_SEARCHES(v128_16, corners_v128_16),
    .rows_32 = CN_LIST_SEARCHES(v128_32, corners_v128_32),
    .gates_16 = CN_LIST_SEARCHES(gates_v128_16, corners_gates_v128_16),
    .gates_32 = CN_LIST_SEARCHES(gates_v128_32, corners_gates_v128_32),
    .corners_base = corners_base_v128,
};
