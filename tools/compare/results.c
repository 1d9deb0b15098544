#include "compare/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/csv.h"
#include "kit/args.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"

/* A real value above 0, and the number of a query, are empty where no query had them. */
typedef enum kind { TEXT, COUNT, HASH, REAL, MEASURED, QUERY } kind;

typedef struct column {
    const char *name;
    kind kind;
    size_t offset;
} column;

#define COLUMN(name, kind)              \
  {                                     \
#    name, kind, offsetof(result, name) \
  }

static const column columns[] = {
    COLUMN(table, TEXT),
    COLUMN(scenario, TEXT),
    COLUMN(input, HASH),
    COLUMN(settings, TEXT),
    COLUMN(map_hash, HASH),
    COLUMN(nodes, COUNT),
    COLUMN(rows, COUNT),
    COLUMN(table_bytes, COUNT),
    COLUMN(queries, COUNT),
    COLUMN(wrong_lengths, COUNT),
    COLUMN(wrong_costs, COUNT),
    COLUMN(searches, COUNT),
    COLUMN(search, TEXT),
    COLUMN(paths, COUNT),
    COLUMN(expanded, COUNT),
    COLUMN(generated, COUNT),
    COLUMN(open_peak, COUNT),
    COLUMN(time_us, REAL),
    COLUMN(expansion_ratio, MEASURED),
    COLUMN(speed_up, MEASURED),
    COLUMN(least_ratio, MEASURED),
    COLUMN(least_query, QUERY),
    COLUMN(slowest_us, MEASURED),
    COLUMN(slowest_query, QUERY),
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* -------------------------------------------------------------------------------- list -- */

bool results_add(results *list, const result *line)
{
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        result *grown = realloc(list->lines, room * sizeof *grown);
        if (!grown)
            return false;
        list->lines = grown;
        list->room = room;
    }
    list->lines[list->count++] = *line;
    return true;
}

static void free_line(result *line)
{
    free(line->table);
    free(line->scenario);
    free(line->settings);
    free(line->search);
}

void results_cut(results *list, size_t count)
{
    while (list->count > count)
        free_line(&list->lines[--list->count]);
}

void results_free(results *list)
{
    results_cut(list, 0);
    free(list->lines);
    *list = (results){0};
}

bool results_are_alike(const result *one, const result *other)
{
    return strcmp(one->table, other->table) == 0 && strcmp(one->scenario, other->scenario) == 0 &&
           strcmp(one->settings, other->settings) == 0;
}

const result *results_find(const results *list, const result *like)
{
    for (size_t i = 0; i < list->count; i += list->lines[i].searches)
        if (list->lines[i].input == like->input && results_are_alike(&list->lines[i], like))
            return &list->lines[i];
    return NULL;
}

/* ----------------------------------------------------------------------------- writing -- */

/* Whether a value may be left out: no path was found, from which it would follow. */
static bool may_be_empty(const column *of, const result *line)
{
    return line->paths == 0 && (of->kind == MEASURED || of->kind == QUERY);
}

static bool is_zero(const column *of, const void *value)
{
    return of->kind == QUERY ? *(const uint64_t *)value == 0 : *(const double *)value == 0;
}

static void put_value(FILE *file, const column *of, const result *line)
{
    const void *value = (const char *)line + of->offset;
    if (may_be_empty(of, line) && is_zero(of, value))
        return;
    switch (of->kind) {
    case TEXT: csv_put_text(file, *(char *const *)value); break;
    case QUERY:
    case COUNT: fprintf(file, "%" PRIu64, *(const uint64_t *)value); break;
    case HASH: fputs(kit_hash(*(const uint64_t *)value).text, file); break;
    case MEASURED:
    case REAL: fprintf(file, "%.9g", *(const double *)value); break;
    }
}

static void put_line(FILE *file, const result *line)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        if (i)
            fputc(',', file);
        put_value(file, &columns[i], line);
    }
    fputc('\n', file);
}

static void put_head(FILE *file)
{
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(file, "%s%s", i ? "," : "", columns[i].name);
    fputc('\n', file);
}

void results_put(FILE *file, const results *list, size_t first, bool with_head)
{
    if (with_head)
        put_head(file);
    for (size_t i = first; i < list->count; i++)
        put_line(file, &list->lines[i]);
}

int results_write(const char *path, const results *list)
{
    kit_output output;
    if (!kit_output_open(&output, path))
        return KIT_EXIT_IO;
    results_put(output.file, list, 0, true);
    return kit_output_commit(&output) ? KIT_EXIT_OK : KIT_EXIT_IO;
}

/* ----------------------------------------------------------------------------- reading -- */

static bool take_hash(const char *text, uint64_t *value)
{
    char *end;
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *value = strtoull(text, &end, 16);
    return *end == '\0';
}

/* 0, or a number that an axis of a chart can begin or end at. */
static bool take_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end > text && *end == '\0' && (*value == 0 || (*value >= 1e-30 && *value <= 1e30));
}

static bool take_value(const column *of, const char *text, result *line)
{
    void *value = (char *)line + of->offset;
    if (!*text && may_be_empty(of, line))
        return true;
    switch (of->kind) {
    case TEXT: return (*(char **)value = strdup(text)) != NULL;
    case QUERY:
    case COUNT: return kit_number(text, UINT64_MAX, value);
    case HASH: return take_hash(text, value);
    case MEASURED:
    case REAL: return take_real(text, value);
    }
    return false;
}

static bool is_head(char *const *fields, size_t count)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (count != COLUMNS || strcmp(fields[i], columns[i].name) != 0)
            return false;
    return true;
}

/* Whether a text is the beginning of the head, as a program that was ended may have left it. */
static bool begins_head(const char *text)
{
    for (size_t i = 0; i < COLUMNS && *text; i++) {
        const size_t left = strlen(text), name = strlen(columns[i].name);
        const size_t size = left < name ? left : name;
        if (memcmp(text, columns[i].name, size) != 0)
            return false;
        text += size;
        if (*text == ',' && i + 1 < COLUMNS)
            text++;
        else if (*text)
            return false;
    }
    return *text == '\0';
}

/* A file that is read, line by line. */
typedef struct reading {
    const char *path;
    results *list;
    uint64_t line_number;
    size_t unit; /* its first line in the list */
} reading;

static int refuse(const reading *in, const char *expected)
{
    kit_complain("%s:%" PRIu64 ": expected %s", in->path, in->line_number, expected);
    return KIT_EXIT_IO;
}

static bool is_of_unit(const result *first, const result *line)
{
    return first->input == line->input && first->searches == line->searches &&
           results_are_alike(first, line);
}

/* Adds the counts of a line to those of all; false where they do not fit. */
static bool take_counts(uint64_t *total, const result *line)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const void *value = (const char *)line + columns[i].offset;
        const bool is_count = columns[i].kind == COUNT || columns[i].kind == QUERY;
        const uint64_t number = is_count ? *(const uint64_t *)value : 0;
        if (number > UINT64_MAX - *total)
            return false;
        *total += number;
    }
    return true;
}

static int take_line(reading *in, char *const *fields, size_t count)
{
    enum { MOST = 64 };
    result line = {.file = in->path, .line_number = in->line_number};
    bool is_good = count == COLUMNS;
    for (size_t i = 0; i < COLUMNS && is_good; i++)
        is_good = take_value(&columns[i], fields[i], &line);
    is_good = is_good && line.searches > 0 && line.searches <= MOST &&
              (in->unit == in->list->count || is_of_unit(&in->list->lines[in->unit], &line)) &&
              take_counts(&in->list->total, &line);
    if (!is_good || !results_add(in->list, &line)) {
        free_line(&line);
        return refuse(in, is_good ? "more memory" : "a line as cairn compare --results writes it");
    }
    if (in->list->count - in->unit == line.searches)
        in->unit = in->list->count;
    return KIT_EXIT_OK;
}

static const char bad_head[] = "the head of results of cairn compare --results";

/* What follows the last end of a line is dropped, but only where it may be what is left of results:
 * their file will be made as short as *whole. */
static int read_lines(reading *in, char *text, uint64_t *whole)
{
    char *fields[COLUMNS + 1], *end, *line;
    for (line = text; (end = strchr(line, '\n')); line = end + 1) {
        end[end > line && end[-1] == '\r' ? -1 : 0] = '\0';
        in->line_number++;
        size_t count = csv_split(line, fields, COLUMNS + 1);
        if (in->line_number == 1 && !is_head(fields, count))
            return refuse(in, bad_head);
        int code = in->line_number == 1 ? KIT_EXIT_OK : take_line(in, fields, count);
        if (code != KIT_EXIT_OK)
            return code;
        if (in->unit == in->list->count)
            *whole = (uint64_t)(end + 1 - text);
    }
    if (in->line_number > 0 || begins_head(line))
        return KIT_EXIT_OK;
    in->line_number = 1;
    return refuse(in, bad_head);
}

int results_read(const char *path, results *list, uint64_t *whole)
{
    reading in = {.path = path, .list = list, .unit = list->count};
    kit_source source;

    *whole = 0;
    int code = kit_source_open_text(&source, path);
    if (code == KIT_EXIT_OK) {
        in.path = source.name;
        code = read_lines(&in, (char *)source.bytes, whole);
        results_cut(list, in.unit);
    }
    kit_source_close(&source);
    return code;
}
