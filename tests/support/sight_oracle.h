/* Lines between cells, clipped by every cell that could touch them, in fractions. Shares no code
 * with the library. */
#ifndef SUPPORT_SIGHT_ORACLE_H
#define SUPPORT_SIGHT_ORACLE_H

#include "arcs_oracle.h"

/* What a test says of the cells of a map. */
typedef struct oracle_cells {
    uint32_t width;
    uint32_t height;
    const bool *is_free; /* by cell */
} oracle_cells;

/* Whether the line between the centres of two cells is free under a rule. */
bool oracle_sight(const oracle_cells *cells, oracle_rule rule, uint32_t from, uint32_t to);

/* The distance between the centres of two cells; neighbours along a row are 1 apart. */
double oracle_distance(const oracle_cells *cells, oracle_rule rule, uint32_t from, uint32_t to);

#endif
