#include "say.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exits.h"
#include "progress.h"

/* The first complaint, where none is printed before the end. */
static struct {
    bool is_used;
    char line[2 * FILENAME_MAX];
} later;

static _Thread_local char *kept;
static _Thread_local size_t kept_size;

void kit_complaints_kept(char *text, size_t size)
{
    kept = text;
    kept_size = size;
    if (text)
        text[0] = '\0';
}

void kit_complain_later(void)
{
    later.is_used = true;
}

/* One line, whatever is quoted in it. */
static void put_line(const char *program, const char *line)
{
    kit_progress_hold();
    fputs(program, stderr);
    for (const char *at = line; *at; at++) {
        if (iscntrl((unsigned char)*at))
            fprintf(stderr, "\\x%02x", (unsigned)(unsigned char)*at);
        else
            fputc(*at, stderr);
    }
    fputc('\n', stderr);
    kit_progress_release();
}

void kit_complain(const char *format, ...)
{
    char line[2 * FILENAME_MAX];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);

    if (kept && !kept[0])
        snprintf(kept, kept_size, "%s", line);
    if (!later.is_used)
        put_line("cairn: ", line);
    else if (!later.line[0])
        snprintf(later.line, sizeof later.line, "%s", line);
}

void kit_complain_now(const char *program)
{
    if (later.line[0])
        put_line(program, later.line);
    kit_complain_forget();
}

void kit_complain_forget(void)
{
    later.line[0] = '\0';
}

/* Why a file could not be opened, in the words of the library where it has its own. */
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
    default: return strerror(code);
    }
}

int kit_refuse_advising(const char *path, const cairn_error *error, const char *advice)
{
    if (error->status == CAIRN_E_IO && error->expected) {
        kit_complain("%s: %s: %s", path, error->expected,
                     error->found[0] ? error->found : reason_of(errno));
        return KIT_EXIT_IO;
    }
    if (error->status == CAIRN_E_IO || error->status == CAIRN_E_MEMORY || !error->expected)
        return kit_fail(path, error->status);

    char line[FILENAME_MAX + 400];
    cairn_error_text(error, path, line, sizeof line);
    kit_complain("%s%s", line, advice);
    return KIT_EXIT_IO;
}

int kit_refuse(const char *path, const cairn_error *error)
{
    return kit_refuse_advising(path, error, "");
}

int kit_refuse_corners(const char *path)
{
    kit_complain("%s: --resident corners is for grids with 8 neighbours, uniform costs and no "
                 "cutting of corners, and for rows that do not count steps",
                 path);
    return KIT_EXIT_USAGE;
}

int kit_fail(const char *subject, cairn_status status)
{
    if (status == CAIRN_E_IO && strcmp(subject, "-") == 0) {
        kit_complain("-: expected the name of a file: standard input is not read here");
        return KIT_EXIT_USAGE;
    }
    kit_complain("%s: %s", subject,
                 status == CAIRN_E_IO && errno != 0 ? reason_of(errno) : cairn_status_text(status));
    return KIT_EXIT_IO;
}

kit_text kit_count(uint64_t count)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, count);
    kit_text grouped = {""};
    char *to = grouped.text;
    for (int index = 0; index < size; index++) {
        if (index > 0 && (size - index) % 3 == 0)
            *to++ = ',';
        *to++ = digits[index];
    }
    return grouped;
}

kit_text kit_decimal(double value)
{
    kit_text text;
    if (value >= 99.95 && value < 1e18)
        return kit_count((uint64_t)(value + 0.5));
    if (value >= 1e18) {
        snprintf(text.text, sizeof text.text, "%.3g", value);
        return text;
    }
    snprintf(text.text, sizeof text.text, "%.*f", value >= 9.995 ? 1 : 2, value);
    return text;
}

/* A value in the largest unit that leaves something before the point. */
static kit_text with_unit(double value, double step, const char *const *units)
{
    while (value >= step && units[1]) {
        value /= step;
        units++;
    }
    kit_text text;
    snprintf(text.text, sizeof text.text, "%.20s %.4s", kit_decimal(value).text, *units);
    return text;
}

kit_text kit_bytes(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", NULL};
    kit_text text;
    if (bytes >= 1024)
        return with_unit((double)bytes / 1024, 1024, units);
    snprintf(text.text, sizeof text.text, "%" PRIu64 " byte%s", bytes, kit_plural(bytes));
    return text;
}

kit_text kit_seconds(double seconds)
{
    static const char *const units[] = {"us", "ms", "s", NULL};
    return with_unit(seconds * 1e6, 1000, units);
}

kit_text kit_ratio(double over, double under)
{
    kit_text text = {"-"};
    if (under > 0 && !isnan(over))
        snprintf(text.text, sizeof text.text, "%.24s x", kit_decimal(over / under).text);
    return text;
}

kit_text kit_hash(uint64_t hash)
{
    kit_text text;
    snprintf(text.text, sizeof text.text, "%016" PRIx64, hash);
    return text;
}

const char *kit_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}
