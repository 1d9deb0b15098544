#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "kit/output.h"

bool build_read_part(const kit_option *option, const char *text, void *to)
{
    const char *slash = strchr(text, '/');
    build_part *part = to;
    char first[8];
    uint64_t number, count;
    (void)option;

    if (!slash || (size_t)(slash - text) >= sizeof first)
        return false;
    memcpy(first, text, (size_t)(slash - text));
    first[slash - text] = '\0';
    if (!kit_number(first, CAIRN_ROWS_MAX, &number) ||
        !kit_number(slash + 1, CAIRN_ROWS_MAX, &count) || number == 0 || number > count)
        return false;
    *part = (build_part){(uint32_t)number, (uint32_t)count};
    return true;
}

char *build_default_path(const build_settings *set, const char *map_path)
{
    char suffix[40] = ".cairn";
    if (set->part.count)
        snprintf(suffix, sizeof suffix, ".%u-of-%u.part", set->part.number, set->part.count);
    return kit_with_suffix(map_path, ".map", suffix);
}
