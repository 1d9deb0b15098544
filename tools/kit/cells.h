/* Lists of cells, and the names of placements. */
#ifndef KIT_CELLS_H
#define KIT_CELLS_H

#include "cairn/cairn.h"

/* Names by cairn_placement, CAIRN_PLACE_LIST left out; ends with NULL. */
extern const char *const kit_placements[];

/* The name of a placement on a map, where auto is one of the others. */
const char *kit_placement_on(const cairn_map *map, cairn_placement placement);

typedef struct kit_cells {
    cairn_node *nodes;
    size_t count;
} kit_cells;

/* Reads "X,Y;X,Y;..." (of a graph, "N;N;...") or the file of that name, in which semicolons may be
 * line ends. The cells must be open. An exit code; *cells is the caller's to free. */
int kit_cells_read(kit_cells *cells, const char *text, const cairn_map *map);
void kit_cells_free(kit_cells *cells);

#endif
