#include "search/grid_searchers.h"

#define ANY_TARGET
CN_DEFINE_ROW_SEARCHES(ANY_TARGET, portable)
