/* A file replaced as a whole, or not at all. */
#ifndef CN_IO_ATOMIC_FILE_H
#define CN_IO_ATOMIC_FILE_H

#include "base/mem.h"

/* A piece of what is written. */
typedef struct cn_piece {
    const void *bytes;
    size_t size;
} cn_piece;

/* Writes the pieces to a new file in the directory of `path`, flushes it to the disk and renames
 * it. Whatever happens, `path` is the old file or the new one, whole; after a failure, the new file
 * is gone. Devices and pipes are written in place. CAIRN_E_IO leaves the reason in errno.
 *
 * `progress`, which may be NULL, is told the stage "write" before there is a new file and as that
 * grows, but nothing of what is written in place; CAIRN_E_CANCELLED when it says so. */
cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cairn_progress *progress, const cn_mem *mem);

#endif
