/* What building a file takes, told from map and options before the work. */
#ifndef CN_FILE_BUILD_MEMORY_H
#define CN_FILE_BUILD_MEMORY_H

#include "build/build_rows.h"

/* Bytes; at most so many, but for rows in bytes that are kept until the file is written: of those
 * in seeds a bit is counted for each entry, several times what maps of games take. */
typedef struct cn_build_needs {
    uint64_t shared;   /* the map, placement, floods, packed rows */
    uint64_t each_row; /* for each row in flight, which a thread computes and packs */
} cn_build_needs;

/* CAIRN_E_MEMORY. */
cairn_status cn_build_needs_of(const cairn_map *map, const cairn_build_options *build,
                               const cairn_save_options *save, cn_build_needs *needs);

#endif
