/* Maps and tables from the command line, with complaints about those that are refused. */
#ifndef KIT_LOAD_H
#define KIT_LOAD_H

#include "cairn/cairn.h"

/* Each gives an exit code: KIT_EXIT_OK, or what to leave with. Outputs are NULL after a failure;
 * what is there is the caller's. */
int kit_load_table(const char *path, cairn_map **map, cairn_table **table);
int kit_load_map(const char *path, cairn_metric metric, cairn_map **map);

/* A table, or a map as text: *table is then NULL. */
int kit_load_either(const char *path, cairn_map **map, cairn_table **table);

#endif
