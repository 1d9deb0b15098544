/* The version, texts of statuses, copies of options, and errors that say where a text or file was
 * refused. */
#include "base/base.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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

/* Copies text. A byte that cannot be printed becomes \x and its two digits, but a tab among others
 * a blank. Stops where the next one does not fit completely. */
static void copy_printable(char to[64], const char *found, size_t found_size)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;

    for (size_t i = 0; i < found_size; i++) {
        unsigned byte = (uint8_t)found[i];
        const bool is_blank = found[i] == '\t' && found_size > 1;
        char letter = is_blank ? ' ' : found[i];
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

/* Why a file could not be read, in words that depend on no language and no thread; NULL for what
 * says no more than the status. */
static const char *reason_of(int code)
{
    switch (code) {
    case ENOENT: return "no such file or folder";
    case ENOTDIR: return "part of its name is no folder";
    case EISDIR: return "it is a folder";
    case EACCES:
    case EPERM: return "permission denied";
    case ENAMETOOLONG: return "its name is too long";
    case EMFILE:
    case ENFILE: return "too many open files";
    default: return NULL;
    }
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
    const char *reason = status == CAIRN_E_IO ? reason_of(errno) : NULL;
    return fill(error, value, reason, reason ? strlen(reason) : 0);
}

cairn_status cn_error_of_named(cairn_error *error, cairn_status status, const char *expected,
                               const char *name, size_t name_size)
{
    char text[sizeof error->found];
    const char *reason = status == CAIRN_E_IO ? reason_of(errno) : NULL;
    if (!reason)
        reason = cairn_status_text(status);
    const size_t room = sizeof text - strlen(reason) - sizeof ": ";
    const int shown = (int)(name_size < room ? name_size : room);
    const int size = snprintf(text, sizeof text, "%.*s: %s", shown, name, reason);
    return fill(error, (cairn_error){.status = status, .expected = expected}, text, (size_t)size);
}

/* ---------------------------------------------------------------------------- as a line -- */

/* A line that is written piece by piece, as far as there is room. */
typedef struct error_line {
    char *text;
    size_t size;
    size_t used; /* of the whole line */
} error_line;

static void put(error_line *line, const char *piece)
{
    for (; *piece; piece++, line->used++) {
        if (line->used + 1 < line->size)
            line->text[line->used] = *piece;
    }
}

/* Where it is: a line of the text, or a byte of the file. */
static void put_place(error_line *line, const cairn_error *error, const char *name)
{
    const bool is_byte = error->status == CAIRN_E_FORMAT || error->status == CAIRN_E_VERSION;
    char number[40] = "";

    put(line, name ? name : "");
    if (error->line > 0)
        snprintf(number, sizeof number, "%s%" PRIu64, name ? ":" : "line ", error->line);
    else if (is_byte)
        snprintf(number, sizeof number, "%sbyte %" PRIu64, name ? ": " : "", error->offset);
    put(line, number);
    put(line, name || *number ? ": " : "");
}

/* What the system said: of the file itself, or of the one that was expected. */
static void put_failure(error_line *line, const cairn_error *error, const char *name)
{
    const bool has_reason = error->status == CAIRN_E_IO && error->found[0] != '\0';

    put(line, name ? name : "");
    put(line, name ? ": " : "");
    if (error->status == CAIRN_E_IO && error->expected) {
        put(line, error->expected);
        put(line, ": ");
    }
    put(line, has_reason ? error->found : cairn_status_text(error->status));
}

static void put_reason(error_line *line, const cairn_error *error)
{
    put(line, "expected ");
    put(line, error->expected);
    if (error->found[0] == '\0')
        return;
    put(line, ", found \"");
    put(line, error->found);
    put(line, "\"");
}

size_t cairn_error_text(const cairn_error *error, const char *name, char *text, size_t size)
{
    const bool is_outside = error->status == CAIRN_E_IO || error->status == CAIRN_E_MEMORY;
    error_line line = {text, size, 0};

    if (error->expected && !is_outside) {
        put_place(&line, error, name);
        put_reason(&line, error);
    } else {
        put_failure(&line, error, name);
    }
    if (size > 0)
        text[line.used < size ? line.used : size - 1] = '\0';
    return line.used;
}
