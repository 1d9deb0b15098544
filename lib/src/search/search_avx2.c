#include "search/grid_searchers.h"
#include "table/bound_kernels.h"

#if CN_CPU_X86
CN_DEFINE_ROW_SEARCHES(CN_TARGET_AVX2, avx2)
#endif
