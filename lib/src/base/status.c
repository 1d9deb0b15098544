#include "base/base.h"

#include <string.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

const char *cairn_version(void)
{
    return TEXT(CAIRN_VERSION_MAJOR) "." TEXT(CAIRN_VERSION_MINOR) "." TEXT(CAIRN_VERSION_PATCH);
}

const char *cairn_status_text(cairn_status status)
{
    switch (status) {
    case CAIRN_OK: return "no error";
    case CAIRN_E_ARGUMENT: return "invalid argument";
    case CAIRN_E_MEMORY: return "out of memory";
    case CAIRN_E_IO: return "input or output failed";
    case CAIRN_E_FORMAT: return "malformed input";
    case CAIRN_E_VERSION: return "a format or part that this build does not know";
    case CAIRN_E_LIMIT: return "larger than the limits";
    case CAIRN_E_MISMATCH: return "the table belongs to another map";
    case CAIRN_E_INEXACT: return "an entry is not the exact cost";
    case CAIRN_E_CANCELLED: return "cancelled";
    case CAIRN_MORE: return "work is left";
    case CAIRN_BUSY: return "readers hold what would be written";
    case CAIRN_E_CHANGED: return "the map or the table changed between two calls";
    case CAIRN_E_STALE: return "the table is behind its map: refresh it first";
    case CAIRN_E_RESIDENT: return "rows at corners do not serve for this";
    }
    return "unknown status";
}

bool cn_options_copy(void *to, size_t to_size, const void *from)
{
    memset(to, 0, to_size);
    if (!from)
        return true;

    size_t from_size;
    memcpy(&from_size, from, sizeof from_size);
    if (from_size < sizeof from_size || from_size > 4096)
        return false;
    memcpy(to, from, from_size < to_size ? from_size : to_size);
    return true;
}

/* Copies text, with bytes that cannot be printed as \xff. Stops where the next one does not fit
 * completely. */
static void copy_printable(char to[64], const char *found, size_t found_size)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;

    for (size_t i = 0; i < found_size; i++) {
        unsigned byte = (uint8_t)found[i];
        char letter = found[i] == '\t' ? ' ' : found[i];
        bool prints = letter >= ' ' && letter <= '~';
        const char word[4] = {prints ? letter : '\\', 'x', digits[byte / 16], digits[byte % 16]};
        size_t length = prints ? 1 : sizeof word;
        if (used + length >= 64)
            break;
        memcpy(to + used, word, length);
        used += length;
    }
    to[used] = '\0';
}

static cairn_status fill(cairn_error *error, cairn_error value, const char *found,
                         size_t found_size)
{
    if (!error)
        return value.status;
    *error = value;
    if (found)
        copy_printable(error->found, found, found_size);
    return value.status;
}

cairn_status cn_error_at_line(cairn_error *error, cairn_status status, uint64_t line,
                              const char *expected, const char *found, size_t found_size)
{
    cairn_error value = {.status = status, .line = line, .expected = expected};
    return fill(error, value, found, found_size);
}

cairn_status cn_error_at_byte(cairn_error *error, cairn_status status, uint64_t offset,
                              const char *expected, const char *found, size_t found_size)
{
    cairn_error value = {.status = status, .offset = offset, .expected = expected};
    return fill(error, value, found, found_size);
}

cairn_status cn_error_general(cairn_error *error, cairn_status status, const char *expected)
{
    cairn_error value = {.status = status, .expected = expected};
    return fill(error, value, NULL, 0);
}
