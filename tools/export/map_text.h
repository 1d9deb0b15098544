/* The map of a table as text: edited maps have no other file. */
#ifndef EXPORT_MAP_TEXT_H
#define EXPORT_MAP_TEXT_H

#include <stdbool.h>

#include "cairn/cairn.h"

/* Writes the map of the table `name`; returns the exit code. */
int map_text_export(const cairn_map *map, const char *name, const char *path, bool json);

#endif
