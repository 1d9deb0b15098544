/* Costs from a set of nodes to every node. One interface, several engines behind it,
 * all with the same result. */
#ifndef CN_FLOOD_FLOOD_H
#define CN_FLOOD_FLOOD_H

#include "flood/plane.h"

typedef struct cn_flooder cn_flooder;

/* Scratch memory for floods of one map, by one thread at a time. `bits`: width of the entries. When
 * the map changes, the flooder is updated or freed before its next run. */
cairn_status cn_flooder_new(const cairn_map *map, unsigned bits, cn_flooder **flooder);
void cn_flooder_free(cn_flooder *flooder);

/* Goes on with the same map after edits, or with another of the same size and rules: `cells` are
 * all that differ. False when that is not possible: the flooder can then only be freed. */
bool cn_flooder_update(cn_flooder *flooder, const cairn_map *map, const cairn_node *cells,
                       size_t cell_count);

/* Costs from the nearest source, all open nodes of the map. CAIRN_E_LIMIT when a cost exceeds
 * CAIRN_COST_MAX or does not fit the entries. */
cairn_status cn_flooder_run(cn_flooder *flooder, const cairn_node *sources, size_t source_count,
                            cn_plane *plane);

/* The same from every node to the nearest target. */
cairn_status cn_flooder_run_back(cn_flooder *flooder, const cairn_node *targets,
                                 size_t target_count, cn_plane *plane);

/* Keeps the plane of the last run as it is: its memory is the caller's from now on, and the flooder
 * goes on in what `memory` held: that of a plane of the same flooder, or all zeros, for which it
 * takes new memory. CAIRN_E_MEMORY: nothing has changed. */
cairn_status cn_flooder_trade(cn_flooder *flooder, cn_plane_memory *memory);

#endif
