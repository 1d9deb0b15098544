#include "system/windows_names.h"

#ifdef _WIN32

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

#  include <errno.h>

bool cn_wide_name_of(const char *path, cn_wide_name *name)
{
    if (!MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, name->text, CN_WIDE_MOST)) {
        errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
        return false;
    }
    const DWORD kind = GetFileAttributesW(name->text);
    if (kind == INVALID_FILE_ATTRIBUTES || !(kind & FILE_ATTRIBUTE_DIRECTORY))
        return true;
    errno = EISDIR;
    return false;
}

#endif
