/* Names of files on Windows, which are UTF-8 outside and UTF-16 inside. */
#ifndef CN_SYSTEM_WINDOWS_NAMES_H
#define CN_SYSTEM_WINDOWS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { CN_WIDE_MOST = 4096 };

typedef struct cn_wide_name {
    wchar_t text[CN_WIDE_MOST];
} cn_wide_name;

/* False, with the reason in errno, for what is too long or not UTF-8; and for a folder, which
 * Windows takes for a file without permission. */
bool cn_wide_name_of(const char *path, cn_wide_name *name);

#endif
