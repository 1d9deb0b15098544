/* An A* of the storm's own by a bound of the library, in slices. */
#ifndef FUZZ_STORM_WALK_H
#define FUZZ_STORM_WALK_H

#include "support/twin.h"

typedef struct storm_walk {
    bool is_on;
    cairn_view view; /* of a world, held as long as it is on */
    cairn_bound bound;
    cairn_node start;
    cairn_node goal;
    oracle_arcs arcs;    /* of the map when it began */
    uint64_t writes;     /* by then */
    uint64_t *costs;     /* by node, from the start */
    cairn_cost *to_goal; /* by node, as the bound had it at first */
    bool *is_closed;
} storm_walk;

#endif
