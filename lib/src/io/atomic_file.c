#include "io/atomic_file.h"

#include "base/watch.h"
#include "system/replacement.h"

/* What is to be written, and how far that is. */
typedef struct content {
    const cn_piece *pieces;
    size_t piece_count;
    const cairn_progress *progress; /* NULL: nobody asks */
    uint64_t written;
    uint64_t total;
} content;

static uint64_t total_size(const cn_piece *pieces, size_t piece_count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < piece_count; i++)
        total += pieces[i].size;
    return total;
}

static bool goes_on(const content *all)
{
    return cn_progress_goes_on(all->progress, "write", all->written, all->total);
}

/* Writes a portion at a time, so that progress can be reported and the work be stopped. */
static cairn_status write_piece(cn_replacement *file, const cn_piece *piece, content *all)
{
    enum { PORTION = 1 << 22 };
    const uint8_t *bytes = piece->bytes;

    for (size_t at = 0; at < piece->size;) {
        size_t size = piece->size - at < PORTION ? piece->size - at : PORTION;
        if (!cn_replacement_write(file, bytes + at, size))
            return CAIRN_E_IO;
        at += size;
        all->written += size;
        if (!goes_on(all))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}

static cairn_status write_pieces(cn_replacement *file, content *all)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < all->piece_count && status == CAIRN_OK; i++)
        status = write_piece(file, &all->pieces[i], all);
    return status;
}

cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cairn_progress *progress)
{
    content all = {pieces, piece_count, progress, 0, total_size(pieces, piece_count)};
    cn_replacement file;

    if (!cn_replacement_find(&file, path))
        return CAIRN_E_IO;
    if (file.is_direct)
        all.progress = NULL;
    if (!goes_on(&all))
        return CAIRN_E_CANCELLED;
    if (!cn_replacement_open(&file))
        return CAIRN_E_IO;
    cairn_status status = write_pieces(&file, &all);
    if (status == CAIRN_OK)
        return cn_replacement_commit(&file) ? CAIRN_OK : CAIRN_E_IO;
    cn_replacement_discard(&file);
    return status;
}
