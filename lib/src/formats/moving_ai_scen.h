/* The Moving AI .scen format, version 1. */
#ifndef CN_FORMATS_MOVING_AI_SCEN_H
#define CN_FORMATS_MOVING_AI_SCEN_H

#include "map/map.h"

/* Reads the text of a .scen file for a grid. The queries are allocated by the map's allocator; NULL
 * after a failure. */
cairn_status cn_moving_ai_parse_queries(const cairn_map *map, const char *text, size_t size,
                                        cairn_query **queries, size_t *count, cairn_error *error);

#endif
