/* Edits of a map by the name of a file. */
#ifndef KIT_EDITS_H
#define KIT_EDITS_H

#include "cairn/cairn.h"

/* Applies the edits of a file, or all patches of a scenario of version 2, to a map, and counts
 * them. Gives an exit code: KIT_EXIT_OK, or, after a complaint, what to leave with; the map can
 * then only be freed. */
int kit_apply_edits(const char *path, cairn_map *map, size_t *count);

/* The line for a scenario of version 2 that was refused, or for its patch file by the name of that;
 * gives the exit code. */
int kit_refuse_dynamic(const char *path, const cairn_error *error);

/* Whether `path` is a scenario that names a file of patches, and the path of that. */
bool kit_edits_patches(const char *path, char *patches, size_t size);

#endif
