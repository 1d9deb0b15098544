#define _XOPEN_SOURCE 700  /* realpath */

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
                             const cn_mem *mem)
{
    size_t length = strlen(path);
    char *beside = cn_array(mem, length + 5, 1);
    if (!beside)
        return CAIRN_E_MEMORY;

    memcpy(beside, path, length);
    memcpy(beside + length, ".new", 5);
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

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool write_pieces(int file, const cn_piece *pieces, size_t piece_count)
{
    for (size_t i = 0; i < piece_count; i++) {
        if (!write_all(file, pieces[i].bytes, pieces[i].size))
            return false;
    }
    return true;
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
        return errno == EACCES;  /* a directory that may be written but not read */
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

static bool replace(const char *path, const struct stat *old, char *name, size_t name_size,
                    const cn_piece *pieces, size_t piece_count)
{
    int file = create_beside(path, old, name, name_size);
    if (file < 0)
        return false;

    bool ok = write_pieces(file, pieces, piece_count) && flush(file);
    ok = close_after(file, ok);
    if (ok && rename(name, path) == 0)
        return flush_directory(name);
    int reason = errno;
    unlink(name);
    errno = reason;
    return false;
}

static bool write_in_place(const char *path, const cn_piece *pieces, size_t piece_count)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    return file >= 0 && close_after(file, write_pieces(file, pieces, piece_count) && flush(file));
}

cairn_status cn_file_replace(const char *path, const cn_piece *pieces, size_t piece_count,
                             const cn_mem *mem)
{
    enum { SUFFIX = 64 };
    struct stat old, self;
    char target[PATH_MAX];
    bool exists = stat(path, &old) == 0;

    if (exists && !S_ISREG(old.st_mode))
        return write_in_place(path, pieces, piece_count) ? CAIRN_OK : CAIRN_E_IO;
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
    bool ok = replace(path, exists ? &old : NULL, name, name_size, pieces, piece_count);
    int reason = errno;
    cn_release(mem, name);
    errno = reason;
    return ok ? CAIRN_OK : CAIRN_E_IO;
}

#endif
