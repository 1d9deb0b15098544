/* Slow, obvious answers to check the library against. Shares no code with it: its own maps, its
 * own steps, its own Dijkstra in 64-bit costs. */
#ifndef SUPPORT_ORACLE_H
#define SUPPORT_ORACLE_H

#include "picture.h"

#define ORACLE_NEVER UINT64_MAX

typedef struct oracle_steps {
    uint64_t straight;
    uint64_t diagonal;
} oracle_steps;

/* Whether one step leads from one cell to another: neighbours, both open, and for a diagonal step
 * both cells beside it open. */
bool oracle_step_is_legal(const picture *map, uint32_t from, uint32_t to);

/* Costs from the nearest source to every cell, ORACLE_NEVER where there is no way; for free. */
uint64_t *oracle_costs(const picture *map, oracle_steps steps, const uint32_t *sources,
                       size_t source_count);

/* The cost of one path; ORACLE_NEVER when a step of it is not legal. */
uint64_t oracle_path_cost(const picture *map, oracle_steps steps, const uint32_t *nodes,
                          size_t node_count);

/* The same in steps of 1 and sqrt(2); negative when a step is not legal. */
double oracle_path_length(const picture *map, const uint32_t *nodes, size_t node_count);

/* The component of every cell, counted from 0 in the order of their first cells; UINT32_MAX for
 * blocked cells; for free. */
uint32_t *oracle_components(const picture *map, uint32_t *count);

#endif
