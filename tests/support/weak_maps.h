/* Maps on which base heuristics say little: terrain whose factors differ widely, costs that depend
 * on the direction, storeys at the same coordinates. */
#ifndef SUPPORT_WEAK_MAPS_H
#define SUPPORT_WEAK_MAPS_H

#include "cairn/cairn.h"

typedef cairn_map *(*weak_map_maker)(uint64_t seed);

enum { WEAK_KINDS = 5 };
extern const weak_map_maker WEAK_MAPS[WEAK_KINDS];

#endif
