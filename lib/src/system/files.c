#ifndef _POSIX_C_SOURCE
#  define _POSIX_C_SOURCE 200809L /* fseeko */
#endif
#ifndef _FILE_OFFSET_BITS
#  define _FILE_OFFSET_BITS 64
#endif

#include "system/files.h"

#ifdef _WIN32
#  include "system/windows_names.h"
#  define SEEK(file, offset, whence) _fseeki64(file, offset, whence)
#  define TELL(file) _ftelli64(file)

const char cn_folder_ends[] = "/\\:";

FILE *cn_file_open(const char *path)
{
    cn_wide_name name;
    return cn_wide_name_of(path, &name) ? _wfopen(name.text, L"rb") : NULL;
}

#else
#  define SEEK(file, offset, whence) fseeko(file, offset, whence)
#  define TELL(file) ftello(file)

const char cn_folder_ends[] = "/";

FILE *cn_file_open(const char *path)
{
    return fopen(path, "rb");
}

#endif

/* The end of a folder is the largest number there is, in programs of 32 bits the largest of 32
 * bits. Its size counts as unknown, and reading from its beginning then fails with the reason that
 * it is a folder. A file of that very size is read as one of unknown size. */
uint64_t cn_file_size(FILE *file)
{
    if (SEEK(file, 0, SEEK_END) != 0)
        return CN_SIZE_UNKNOWN;
    int64_t end = TELL(file);
    if (SEEK(file, 0, SEEK_SET) != 0 || end < 0 || end == INT32_MAX || end == INT64_MAX)
        return CN_SIZE_UNKNOWN;
    return (uint64_t)end;
}

bool cn_file_pass(FILE *file, uint64_t size)
{
    return SEEK(file, (int32_t)size, SEEK_CUR) == 0;
}
