#ifndef _XOPEN_SOURCE
#  define _XOPEN_SOURCE 700 /* realpath */
#endif

#include "io/atomic_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32

/* No durable rename in C alone: written beside, then put in place. */
static bool write_pieces(FILE *file, const cn_piece *pieces, size_t piece_count)
{
    for (size_t i = 0; i < piece_count; i++) {
        if (fwrite(pieces[i].bytes, 1, pieces[i].size, file) != pieces[i].size)
            return false;
    }
    return fflush(file) == 0;
}

cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cairn_progress *progress, const cn_mem *mem)
{
    size_t length = strlen(path);
    char *beside = cn_array(mem, length + 5, 1);
    if (!beside)
        return CAIRN_E_MEMORY;

    memcpy(beside, path, length);
    memcpy(beside + length, ".new", 5);
    (void)progress;
    FILE *file = fopen(beside, "wb");
    bool written = file && write_pieces(file, pieces, piece_count);
    if (file && fclose(file) != 0)
        written = false;
    if (written) {
        remove(path);
        written = rename(beside, path) == 0;
    }
    if (!written)
        remove(beside);
    cn_release(mem, beside);
    return written ? CAIRN_OK : CAIRN_E_IO;
}

#else

#  include <fcntl.h>
#  include <limits.h>
#  include <stdlib.h>
#  include <sys/stat.h>
#  include <unistd.h>

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    enum { LARGEST = 1 << 30 };

    while (size > 0) {
        ssize_t written = write(file, bytes, size < LARGEST ? size : LARGEST);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (written == 0)
                errno = ENOSPC;
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

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
    const cairn_progress *progress = all->progress;
    return !progress || !progress->report ||
           progress->report(progress->context, "write", all->written, all->total);
}

/* Some at a time, so that it can be told and stopped. */
static cairn_status write_piece(int file, const cn_piece *piece, content *all)
{
    enum { PORTION = 1 << 22 };
    const uint8_t *bytes = piece->bytes;

    for (size_t at = 0; at < piece->size;) {
        size_t size = piece->size - at < PORTION ? piece->size - at : PORTION;
        if (!write_all(file, bytes + at, size))
            return CAIRN_E_IO;
        at += size;
        all->written += size;
        if (!goes_on(all))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}

static cairn_status write_pieces(int file, content *all)
{
    cairn_status status = CAIRN_OK;
    for (size_t i = 0; i < all->piece_count && status == CAIRN_OK; i++)
        status = write_piece(file, &all->pieces[i], all);
    return status;
}

/* Pipes, terminals and the like cannot be flushed, which is no failure. */
static bool flush(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

static bool close_after(int file, bool ok)
{
    int reason = errno;
    if (close(file) != 0 && ok)
        return false;
    errno = reason;
    return ok;
}

/* The new name must be on the disk too. The directory is what `path` says before its last `/`. */
static bool flush_directory(char *path)
{
    char *slash = strrchr(path, '/');
    const char *directory = slash ? path : ".";

    if (slash)
        slash[slash == path ? 1 : 0] = '\0';
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return errno == EACCES; /* a directory that may be written but not read */
    return close_after(file, flush(file));
}

/* A file that did not exist, with the permissions of the one it will replace, else of an ordinary
 * new file. */
static int create_beside(const char *path, const struct stat *old, char *name, size_t name_size)
{
    enum { ATTEMPTS = 1000 };
    int file = -1;

    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, name_size, "%s.%lx-%x.tmp", path, (unsigned long)getpid(), attempt);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            break;
    }
    /* Some file systems have no permissions to give. */
    if (file >= 0 && old && fchmod(file, old->st_mode & 0777) != 0)
        errno = 0;
    return file;
}

static cairn_status write_and_close(int file, content *all)
{
    cairn_status status = write_pieces(file, all);
    if (status == CAIRN_OK && !flush(file))
        status = CAIRN_E_IO;
    return close_after(file, status == CAIRN_OK) || status != CAIRN_OK ? status : CAIRN_E_IO;
}

static cairn_status replace(const char *path, const struct stat *old, char *name, size_t name_size,
                            content *all)
{
    if (!goes_on(all))
        return CAIRN_E_CANCELLED;
    int file = create_beside(path, old, name, name_size);
    if (file < 0)
        return CAIRN_E_IO;

    cairn_status status = write_and_close(file, all);
    if (status == CAIRN_OK && rename(name, path) == 0)
        return flush_directory(name) ? CAIRN_OK : CAIRN_E_IO;
    int reason = errno;
    unlink(name);
    errno = reason;
    return status == CAIRN_OK ? CAIRN_E_IO : status;
}

static cairn_status write_in_place(const char *path, content *all)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    all->progress = NULL;
    return file < 0 ? CAIRN_E_IO : write_and_close(file, all);
}

cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cairn_progress *progress, const cn_mem *mem)
{
    enum { SUFFIX = 64 };
    content all = {pieces, piece_count, progress, 0, total_size(pieces, piece_count)};
    struct stat old, self;
    char target[PATH_MAX];
    bool exists = stat(path, &old) == 0;

    if (exists && !S_ISREG(old.st_mode))
        return write_in_place(path, &all);
    /* The file that a link leads to is replaced, not the link. */
    if (lstat(path, &self) == 0 && S_ISLNK(self.st_mode)) {
        if (!realpath(path, target))
            return CAIRN_E_IO;
        path = target;
    }

    size_t name_size = strlen(path) + SUFFIX;
    char *name = cn_array(mem, name_size, 1);
    if (!name)
        return CAIRN_E_MEMORY;
    cairn_status status = replace(path, exists ? &old : NULL, name, name_size, &all);
    int reason = errno;
    cn_release(mem, name);
    errno = reason;
    return status;
}

#endif
