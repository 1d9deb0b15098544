/* Files that are replaced completely or not at all. */
#ifndef CN_IO_ATOMIC_FILE_H
#define CN_IO_ATOMIC_FILE_H

#include "base/base.h"

/* A piece of the content of a file. */
typedef struct cn_piece {
    const void *bytes;
    size_t size;
} cn_piece;

/* Writes the pieces to a new file in the directory of `path`, flushes it to the disk and renames
 * it. At any time `path` is the old file or the new one, complete; after a failure the new file is
 * deleted, unless only its folder could not be flushed: then `path` is the new one. Devices and
 * pipes are written to directly. After CAIRN_E_IO errno has the reason.
 *
 * `progress`, which may be NULL, is called with the stage "write" before the new file is made and
 * while it is written, but not for devices and pipes. CAIRN_E_CANCELLED when it says so. */
cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cairn_progress *progress);

#endif
