#ifndef _XOPEN_SOURCE
#  define _XOPEN_SOURCE 700 /* realpath */
#endif

#include "system/replacement.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/files.h"

/* Names in a folder have at most so many bytes on most systems. */
enum { ATTEMPTS = 1000, LARGEST_WRITE = 1 << 30, NAME_MOST = 255 };

static bool take_path(cn_replacement *self, const char *path)
{
    size_t size = strlen(path) + 1;
    *self = (cn_replacement){.file = -1};
    if (size > sizeof self->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(self->path, path, size);
    return true;
}

/* How much of the path begins a name that ends in so many bytes more: all of it, unless that would
 * make the last part of a path that can be had one that cannot. Characters stay whole. */
static size_t kept_of(const char *path, size_t added)
{
    const size_t size = strlen(path);
    size_t name = size, kept = size;
    while (name > 0 && !strchr(cn_folder_ends, path[name - 1]))
        name--;
    if (size - name > NAME_MOST || size - name + added <= NAME_MOST)
        return size;
    for (kept = name + NAME_MOST - added; kept > name && ((uint8_t)path[kept] & 0xc0) == 0x80;)
        kept--;
    return kept;
}

static void name_attempt(cn_replacement *self, unsigned long process, unsigned attempt)
{
    char end[48];
    const int added = snprintf(end, sizeof end, ".%lx-%x.tmp", process, attempt);
    snprintf(self->name, sizeof self->name, "%.*s%s", (int)kept_of(self->path, (size_t)added),
             self->path, end);
}

#ifdef _WIN32

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

#  include "system/windows_names.h"

/* The reason why a call of Windows failed, in errno; false. */
static bool fail(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_NAME: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA: errno = EPIPE; break;
    default: errno = EIO; break;
    }
    return false;
}

static HANDLE handle_of(const cn_replacement *self)
{
    return (HANDLE)self->file;
}

/* Where links lead to. */
static bool follow_links(cn_replacement *self, HANDLE file)
{
    cn_wide_name name;
    const DWORD size = GetFinalPathNameByHandleW(file, name.text, CN_WIDE_MOST,
                                                 FILE_NAME_NORMALIZED);

    if (size == 0 || size >= CN_WIDE_MOST)
        return fail();
    return WideCharToMultiByte(CP_UTF8, 0, name.text, -1, self->path, sizeof self->path, NULL,
                               NULL) > 0 ||
           fail();
}

/* What is there is opened to be asked, which neither empties it nor writes to it. */
bool cn_replacement_find(cn_replacement *self, const char *path)
{
    cn_wide_name name;
    if (!take_path(self, path) || !cn_wide_name_of(path, &name))
        return false;
    HANDLE file = CreateFileW(name.text, GENERIC_WRITE,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_FILE_NOT_FOUND || fail();
    self->exists = true;
    self->is_direct = GetFileType(file) != FILE_TYPE_DISK;
    if (self->is_direct) {
        self->file = (intptr_t)file;
        return true;
    }
    const DWORD kind = GetFileAttributesW(name.text);
    bool found = !(kind & FILE_ATTRIBUTE_REPARSE_POINT) || follow_links(self, file);
    CloseHandle(file);
    return found;
}

bool cn_replacement_open(cn_replacement *self)
{
    HANDLE file = INVALID_HANDLE_VALUE;
    cn_wide_name name;

    if (self->is_direct)
        return true;
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        name_attempt(self, GetCurrentProcessId(), attempt);
        if (!cn_wide_name_of(self->name, &name))
            return false;
        file = CreateFileW(name.text, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                           NULL);
        if (file != INVALID_HANDLE_VALUE || GetLastError() != ERROR_FILE_EXISTS)
            break;
    }
    self->file = (intptr_t)file;
    return file != INVALID_HANDLE_VALUE || fail();
}

bool cn_replacement_write(cn_replacement *self, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        DWORD written = 0, part = size < LARGEST_WRITE ? (DWORD)size : LARGEST_WRITE;
        if (!WriteFile(handle_of(self), from, part, &written, NULL))
            return fail();
        from += written;
        size -= written;
    }
    return true;
}

/* A move that replaces is one step of the file system, and is on the disk when it returns. */
static bool move_into_place(const cn_replacement *self)
{
    cn_wide_name name, path;
    if (!cn_wide_name_of(self->name, &name) || !cn_wide_name_of(self->path, &path))
        return false;
    return MoveFileExW(name.text, path.text, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
           fail();
}

bool cn_replacement_commit(cn_replacement *self)
{
    bool whole = self->is_direct || FlushFileBuffers(handle_of(self)) || fail();
    CloseHandle(handle_of(self));
    self->file = -1;
    if (self->is_direct || (whole && move_into_place(self)))
        return true;
    cn_replacement_discard(self);
    return false;
}

void cn_replacement_discard(cn_replacement *self)
{
    cn_wide_name name;
    int reason = errno;
    if (self->file != -1)
        CloseHandle(handle_of(self));
    if (!self->is_direct && cn_wide_name_of(self->name, &name))
        DeleteFileW(name.text);
    errno = reason;
}

#else

#  include <fcntl.h>
#  include <limits.h>
#  include <sys/stat.h>
#  include <unistd.h>

static int descriptor(const cn_replacement *self)
{
    return (int)self->file;
}

/* The file that a link leads to is replaced, not the link. */
static bool follow_links(cn_replacement *self)
{
    char target[PATH_MAX];
    struct stat status;
    if (lstat(self->path, &status) != 0 || !S_ISLNK(status.st_mode))
        return true;
    return realpath(self->path, target) && take_path(self, target);
}

/* The descriptor that a path like /dev/stdout or /dev/fd/3 names, if it is open for writing; else
 * -1. Where a file is behind it, opening the path would not write where the descriptor stands. As
 * in tools/kit/system_posix.c (tests/structure compares the two). */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int number = strcmp(path, "/dev/stdout") == 0 ? 1 : strcmp(path, "/dev/stderr") == 0 ? 2 : -1;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t size = strlen(folders[i]);
        if (strncmp(path, folders[i], size) != 0)
            continue;
        const size_t digits = strspn(path + size, "0123456789");
        if (digits && digits < 8 && !path[size + digits])
            number = atoi(path + size);
    }
    const int flags = number < 0 ? -1 : fcntl(number, F_GETFL);
    return flags != -1 && (flags & O_ACCMODE) != O_RDONLY ? number : -1;
}

bool cn_replacement_find(cn_replacement *self, const char *path)
{
    struct stat old;
    if (!take_path(self, path))
        return false;
    const int named = named_descriptor(path);
    if (named >= 0) {
        self->is_direct = true;
        self->file = fcntl(named, F_DUPFD_CLOEXEC, 0);
        return self->file >= 0;
    }
    bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        self->is_direct = true;
        self->file = open(path, O_WRONLY | O_CLOEXEC);
        return self->file >= 0;
    }
    if (!follow_links(self))
        return false;
    self->exists = exists;
    self->permissions = exists ? old.st_mode & 0777 : 0;
    return true;
}

/* A file that did not exist, with the permissions of the one it will replace, else of an ordinary
 * new file. */
bool cn_replacement_open(cn_replacement *self)
{
    if (self->is_direct)
        return true;
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        name_attempt(self, (unsigned long)getpid(), attempt);
        self->file = open(self->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (self->file >= 0 || errno != EEXIST)
            break;
    }
    /* Some file systems have no permissions to give. */
    if (self->file >= 0 && self->exists && fchmod(descriptor(self), (mode_t)self->permissions) != 0)
        errno = 0;
    return self->file >= 0;
}

bool cn_replacement_write(cn_replacement *self, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        size_t part = size < LARGEST_WRITE ? size : LARGEST_WRITE;
        ssize_t written = write(descriptor(self), from, part);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (written == 0)
                errno = ENOSPC;
            return false;
        }
        from += written;
        size -= (size_t)written;
    }
    return true;
}

/* Pipes, terminals and the like cannot be flushed, which is no failure. */
static bool flush_to_disk(int file)
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
    return close_after(file, flush_to_disk(file));
}

bool cn_replacement_commit(cn_replacement *self)
{
    bool whole = close_after(descriptor(self), flush_to_disk(descriptor(self)));
    self->file = -1;
    if (self->is_direct)
        return whole;
    if (whole && rename(self->name, self->path) == 0)
        return flush_directory(self->name);
    cn_replacement_discard(self);
    return false;
}

void cn_replacement_discard(cn_replacement *self)
{
    int reason = errno;
    if (self->file >= 0)
        close(descriptor(self));
    if (!self->is_direct)
        unlink(self->name);
    errno = reason;
}

#endif
