#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "output.h"
#include "progress.h"
#include "say.h"
#include "system.h"
#include "team.h"

/* A regular file as standard input also has the name of a device. */
bool kit_has_no_folder(const char *command, const char *path)
{
    if (!kit_is_stdin(path) && !kit_is_pipe(path) && strncmp(path, "/dev/", 5) != 0)
        return false;
    kit_complain("%s: -o FILE is needed for what comes from standard input, a pipe or a device",
                 command);
    return true;
}

bool kit_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *kit_source_label(const char *path)
{
    return kit_is_stdin(path) ? "standard input" : path;
}

bool kit_is_table(const char *path)
{
    kit_file_facts facts;
    if (kit_is_stdin(path) || !kit_file_look(path, &facts) || !facts.is_regular)
        return false;
    FILE *file = kit_file_open(path, "rb");
    const int first = file ? fgetc(file) : EOF;
    if (file)
        fclose(file);
    return first == KIT_TABLE_START;
}

/* No table or map of this size comes through a pipe. */
static const size_t PIPE_MOST = (size_t)1 << 31;

/* Neither texts nor tables begin with such a byte, so that the rest need not be read: a device may
 * have no end. */
static bool begins_as_nothing(const kit_source *source)
{
    return iscntrl(source->bytes[0]) && !isspace(source->bytes[0]);
}

/* Room for one byte more, so that the bytes are never NULL. */
static cairn_status read_whole(kit_source *source, FILE *file)
{
    size_t capacity = 0;

    errno = 0;
    do {
        capacity = 2 * capacity + (1 << 16);
        if (capacity > PIPE_MOST)
            return CAIRN_E_LIMIT;
        uint8_t *grown = realloc(source->bytes, capacity);
        if (!grown)
            return CAIRN_E_MEMORY;
        source->bytes = grown;
        source->size += fread(grown + source->size, 1, capacity - 1 - source->size, file);
    } while (source->size == capacity - 1 && !begins_as_nothing(source));
    return ferror(file) ? CAIRN_E_IO : CAIRN_OK;
}

static cairn_status read_pipe(kit_source *source)
{
    FILE *file = kit_file_open(source->path, "rb");
    if (!file)
        return CAIRN_E_IO;
    cairn_status status = read_whole(source, file);
    int reason = errno;
    fclose(file);
    errno = reason;
    return status;
}

/* Whether it has been read already; complains. */
static bool is_read_again(void)
{
    static bool was_read;
    if (was_read)
        kit_complain(
            "standard input: expected one file there, and another was read from it before");
    const bool again = was_read;
    was_read = true;
    return again;
}

/* In a team the first process reads standard input, and gives it to all. */
static cairn_status read_standard_input(kit_source *source)
{
    cairn_status status = kit_team_is_first() ? read_whole(source, stdin) : CAIRN_OK;
    return status == CAIRN_OK ? kit_team_hear_bytes(&source->bytes, &source->size) : status;
}

cairn_status kit_source_hold(kit_source *source)
{
    return source->bytes ? CAIRN_OK : read_pipe(source);
}

int kit_source_open(kit_source *source, const char *path)
{
    cairn_status status = CAIRN_OK;

    *source = (kit_source){.path = path, .name = kit_source_label(path)};
    kit_progress_begin("reading %s", kit_file_name(path));
    if (kit_is_stdin(path)) {
        if (is_read_again())
            return KIT_EXIT_USAGE;
        status = read_standard_input(source);
    } else if (kit_is_pipe(path)) {
        status = read_pipe(source);
    }
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_fail(source->name, status);
}

int kit_source_open_text(kit_source *source, const char *path)
{
    const int code = kit_source_open(source, path);
    if (code != KIT_EXIT_OK)
        return code;
    const cairn_status status = kit_source_hold(source);
    if (status != CAIRN_OK)
        return kit_fail(source->name, status);
    source->bytes[source->size] = '\0';
    const size_t length = strlen((const char *)source->bytes);
    if (length == source->size)
        return KIT_EXIT_OK;
    kit_complain("%s: byte %zu: expected text, found a byte 0", source->name, length);
    return KIT_EXIT_IO;
}

char *kit_source_text(const kit_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    char *text = (char *)source->bytes;
    return strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : text;
}

/* The first bytes of every table, and the error where they are not there. */
static bool is_no_table(const cairn_error *error)
{
    return error->status == CAIRN_E_FORMAT && error->offset == 0;
}

static const char *advice_on_table(const cairn_error *error)
{
    if (is_no_table(error))
        return "; cairn build makes a table of a map";
    if (error->status == CAIRN_E_FORMAT)
        return "; the file is damaged: build it again";
    if (error->status == CAIRN_E_VERSION)
        return "; a later version wrote it, or a build with more codecs";
    if (error->status == CAIRN_E_LIMIT && error->expected &&
        strstr(error->expected, "limit of memory"))
        return " (--memory-limit SIZE allows more)";
    return error->status == CAIRN_E_MISMATCH ? "; cairn convert --map MAP puts it in" : "";
}

/* The operand behind the first that is a table; NULL: none is. */
static const char *later_table(void)
{
    size_t place = 1;
    while (kit_command_operand(place) && !kit_is_table(kit_command_operand(place)))
        place++;
    return kit_command_operand(place);
}

int kit_refuse_table(const char *path, const cairn_error *error)
{
    const char *table = is_no_table(error) ? later_table() : NULL;
    char order[FILENAME_MAX + 40];
    if (error->status == CAIRN_E_RESIDENT)
        return kit_refuse_corners(path);
    if (!table)
        return kit_refuse_advising(path, error, advice_on_table(error));
    snprintf(order, sizeof order, "; %s is a table, which comes first", table);
    return kit_refuse_advising(path, error, order);
}

int kit_source_outline(const kit_source *source, cairn_outline *outline)
{
    cairn_error error;
    cairn_status status = source->bytes ? cairn_outline_load_bytes(source->bytes, source->size,
                                                                   outline, &error)
                                        : cairn_outline_load(source->path, outline, &error);
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_refuse_table(source->name, &error);
}

static uint64_t limit;

void kit_source_limit(uint64_t memory_limit)
{
    limit = memory_limit;
}

const char *const kit_resident_words[] = {
    [CAIRN_RESIDENT_CELLS] = "cells",
    [CAIRN_RESIDENT_CORNERS] = "corners",
    NULL,
};

static cairn_resident where;

void kit_source_resident(int resident)
{
    where = (cairn_resident)resident;
}

const char *kit_source_option(void)
{
    return limit ? "memory-limit" : where == CAIRN_RESIDENT_CORNERS ? "resident" : NULL;
}

static cairn_status load(const kit_source *source, const cairn_load_options *options,
                         cairn_map **map, cairn_table **table, cairn_error *error)
{
    kit_progress_begin("loading %s", kit_file_name(source->name));
    return source->bytes ? cairn_load_bytes(source->bytes, source->size, options, map, table, error)
                         : cairn_load(source->path, options, map, table, error);
}

/* A limit makes the library load what fits. A command that shows or writes a table wants all. */
static bool has_rows(const kit_source *source, uint32_t wanted, const cairn_table *table)
{
    static cairn_outline outline;
    cairn_status status = source->bytes ? cairn_outline_load_bytes(source->bytes, source->size,
                                                                   &outline, NULL)
                                        : cairn_outline_load(source->path, &outline, NULL);
    uint32_t count = wanted && wanted < outline.row_count ? wanted : outline.row_count;
    return status == CAIRN_OK && cairn_table_row_count(table) >= count;
}

cairn_status kit_source_try(const kit_source *source, const cairn_load_options *options,
                            cairn_map **map, cairn_table **table, cairn_error *error)
{
    cairn_load_options watched = options ? *options : (cairn_load_options){.size = sizeof watched};
    watched.progress = &kit_progress_hook;
    watched.memory_limit = limit;
    if (where == CAIRN_RESIDENT_CORNERS)
        watched.resident = where;
    cairn_status status = load(source, &watched, map, table, error);
    if (status != CAIRN_OK || !limit || !table || has_rows(source, watched.row_count, *table))
        return status;

    *error = (cairn_error){.status = CAIRN_E_LIMIT,
                           .expected = "all rows within the limit of memory"};
    snprintf(error->found, sizeof error->found, "room for %" PRIu32 " rows",
             cairn_table_row_count(*table));
    cairn_table_free(*table);
    *table = NULL;
    if (map)
        cairn_map_free(*map);
    if (map)
        *map = NULL;
    return CAIRN_E_LIMIT;
}

int kit_source_load(const kit_source *source, const cairn_load_options *options, cairn_map **map,
                    cairn_table **table)
{
    cairn_error error;
    cairn_status status = kit_source_try(source, options, map, table, &error);
    return status == CAIRN_OK || status == CAIRN_E_INEXACT ? KIT_EXIT_OK
                                                           : kit_refuse_table(source->name, &error);
}

uint64_t kit_source_size(const kit_source *source)
{
    return source->bytes ? source->size : kit_file_size(source->path);
}

void kit_source_close(kit_source *source)
{
    free(source->bytes);
    *source = (kit_source){0};
}
