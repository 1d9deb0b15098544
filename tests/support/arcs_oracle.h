/* Any map as a plain list of arcs, and its costs by a slow, obvious method. Knows nothing of the
 * library: rules are numbers of the tests' own. */
#ifndef SUPPORT_ARCS_ORACLE_H
#define SUPPORT_ARCS_ORACLE_H

#include "oracle.h"

typedef enum oracle_rule {
    ORACLE_8,
    ORACLE_4,
    ORACLE_8_ONE_SIDE,
    ORACLE_8_ANY,
    ORACLE_HEX,
    ORACLE_RULES
} oracle_rule;

typedef struct oracle_arc {
    uint32_t from;
    uint32_t to;
    uint64_t cost;
} oracle_arc;

typedef struct oracle_arcs {
    uint32_t node_count;
    oracle_arc *list;
    size_t count;
} oracle_arcs;

/* What letters cost: 0 is blocked. The letters ^ v < > are one-way. */
typedef struct oracle_terrain {
    uint32_t factor[256];
    bool average;            /* the mean of both cells instead of the entered one */
    const uint16_t *heights; /* by cell; NULL: level */
    uint64_t up;             /* more for each unit of height */
    uint64_t down;
} oracle_terrain;

/* Every step of a map, costs times `unit`. */
oracle_arcs oracle_arcs_of(const picture *map, oracle_rule rule, oracle_steps steps, uint64_t unit,
                           const oracle_terrain *terrain);
oracle_arcs oracle_arcs_copy(const oracle_arcs *arcs);
void oracle_arcs_free(oracle_arcs *arcs);

/* Whether both have the same arcs at the same costs; of parallel ones the cheapest count. */
bool oracle_arcs_are_same(const oracle_arcs *one, const oracle_arcs *other);

/* Whether each arc leads back at the same cost. */
bool oracle_arcs_are_symmetric(const oracle_arcs *arcs);

/* Costs from the nearest of the nodes, or to it; for free. */
typedef enum oracle_way { ORACLE_FROM, ORACLE_TO } oracle_way;
uint64_t *oracle_arc_costs(const oracle_arcs *arcs, oracle_way way, const uint32_t *nodes,
                           size_t node_count);

/* The cheapest arc between two nodes; ORACLE_NEVER without one. */
uint64_t oracle_arc_between(const oracle_arcs *arcs, uint32_t from, uint32_t to);

/* The cost of a path; ORACLE_NEVER where an arc is missing. */
uint64_t oracle_arc_path(const oracle_arcs *arcs, const uint32_t *nodes, size_t node_count);

#endif
