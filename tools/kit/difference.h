/* Why a table is not of a map that was read as text. */
#ifndef KIT_DIFFERENCE_H
#define KIT_DIFFERENCE_H

#include "cairn/cairn.h"

/* Some words about "its map", that of the table, and "that one", which was read. */
typedef struct kit_difference {
    char text[240];
} kit_difference;

kit_difference kit_map_difference(const cairn_map *own, const cairn_map *read);

/* The same words where the table was written without its map, from its outline. */
kit_difference kit_outline_difference(const cairn_outline *outline, const cairn_map *read);

#endif
