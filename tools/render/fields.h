/* Numbers for every cell of a map, worth a picture. */
#ifndef RENDER_FIELDS_H
#define RENDER_FIELDS_H

#include "cairn/cairn.h"
#include "kit/progress.h"

/* In straight steps; NAN where there is none. */
typedef struct field {
    double *values;   /* by node */
    double highest;
} field;

void field_free(field *of);

/* The costs of a row. */
cairn_status field_of_row(const cairn_map *map, const cairn_table *table, uint32_t row, field *to);

/* By how much a landmark raises the bound of each cell towards one goal. */
cairn_status field_of_gain(const cairn_map *map, cairn_node landmark, cairn_node goal, field *to);

/* For each cell as the site of a landmark: by how much it raises the bound beyond plain distance,
 * in the mean over `pair_count` random starts and goals. */
cairn_status field_of_sites(const cairn_map *map, uint32_t pair_count, uint64_t seed,
                            kit_progress *progress, field *to);

/* How much the bound falls short of the cost of each cell to the goal. */
cairn_status field_of_error(const cairn_map *map, const cairn_table *table, cairn_node goal,
                            field *to);

#endif
