#include "search/grid_searchers.h"
#include "table/bound_kernels.h"

#define ANY_TARGET
CN_DEFINE_ROW_SEARCHES(ANY_TARGET, portable)
