/* Numbers for every cell of a map, worth a picture. */
#ifndef RENDER_FIELDS_H
#define RENDER_FIELDS_H

#include "cairn/cairn.h"

/* In straight steps, of a graph in its costs; NAN where there is none. */
typedef struct field {
    double *values; /* by node */
    double full;    /* what ends the scale: no value is above it. At first the same for all
                       pictures of a map */
} field;

void field_free(field *of);

/* Ends the scale at the largest value. */
void field_fit(field *of, const cairn_map *map);

/* How many steps lie between two contours. */
double field_band(const field *of);

/* The costs of a row, on a scale for all rows of the table. */
cairn_status field_of_row(const cairn_map *map, const cairn_table *table, uint32_t row, field *to);

/* By how much a landmark raises the bound of each cell towards one goal. The scale ends where the
 * base heuristic is farthest below the cost: no bound can gain more. */
cairn_status field_of_gain(const cairn_map *map, cairn_node landmark, cairn_node goal, field *to);

/* For each cell as the site of a landmark: by how much it raises the bound beyond the base
 * heuristic, in the mean over `pair_count` random starts and goals. The scale ends at what the base
 * heuristic lacks in that mean. */
cairn_status field_of_sites(const cairn_map *map, uint32_t pair_count, uint64_t seed, field *to);

/* How much the bound falls short of the cost of each cell to the goal, on the scale of the gain:
 * tables of one map are comparable, and all is dark where they know no more than the base
 * heuristic. */
cairn_status field_of_error(const cairn_map *map, const cairn_table *table, cairn_node goal,
                            field *to);

/* The size of the largest unit that can stand with its top left cell at each cell. */
cairn_status field_of_clearance(const cairn_map *map, field *to);

#endif
