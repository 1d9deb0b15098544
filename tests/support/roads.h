/* Graphs whose coordinates tell much of what arcs cost, as those of roads do. */
#ifndef SUPPORT_ROADS_H
#define SUPPORT_ROADS_H

#include "twin.h"

/* An arc costs as much as its ends are apart, or up to half as much again. Of symmetric ones every
 * other arc is the reverse of the last. */
twin twin_roads(uint64_t seed, uint32_t nodes, uint32_t arcs, bool symmetric);

#endif
