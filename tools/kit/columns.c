#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

static const char rule_mark[] = "\x01";

void kit_columns_start(kit_columns *columns, size_t column_count)
{
    *columns = (kit_columns){.column_count = column_count};
}

static bool make_room(kit_columns *columns)
{
    if (columns->cell_count < columns->capacity)
        return true;
    size_t capacity = columns->capacity ? 2 * columns->capacity : 64;
    void *cells = realloc(columns->cells, capacity * sizeof *columns->cells);
    if (!cells)
        return false;
    columns->cells = cells;
    columns->capacity = capacity;
    return true;
}

void kit_columns_add(kit_columns *columns, const char *text)
{
    if (columns->failed || !make_room(columns)) {
        columns->failed = true;
        return;
    }
    char *cell = strdup(text);
    columns->failed = !cell;
    if (cell)
        columns->cells[columns->cell_count++] = cell;
}

void kit_columns_add_interval(kit_columns *columns, kit_interval of)
{
    kit_columns_add(columns, kit_ratio(of.estimate, 1).text);
    kit_columns_add(columns, kit_interval_range(of).text);
}

void kit_columns_rule(kit_columns *columns)
{
    for (size_t column = 0; column < columns->column_count; column++)
        kit_columns_add(columns, rule_mark);
}

void kit_columns_heads(kit_columns *columns, const char *const *heads, size_t column_count)
{
    kit_columns_start(columns, column_count);
    for (size_t column = 0; column < column_count; column++)
        kit_columns_add(columns, heads[column]);
    kit_columns_rule(columns);
}

static void measure(const kit_columns *columns, size_t widths[KIT_COLUMNS_MAX])
{
    for (size_t cell = 0; cell < columns->cell_count; cell++) {
        size_t column = cell % columns->column_count;
        size_t width = strlen(columns->cells[cell]);
        if (width > widths[column])
            widths[column] = width;
    }
}

static void print_line(FILE *file, size_t width)
{
    while (width-- > 0)
        fputc('-', file);
}

bool kit_columns_print(kit_columns *columns, FILE *file)
{
    bool whole = !columns->failed;
    size_t widths[KIT_COLUMNS_MAX] = {0};
    measure(columns, widths);

    for (size_t cell = 0; whole && cell < columns->cell_count; cell++) {
        size_t column = cell % columns->column_count;
        const char *text = columns->cells[cell];
        if (column > 0)
            fputs("  ", file);
        if (strcmp(text, rule_mark) == 0)
            print_line(file, widths[column]);
        else
            fprintf(file, column == 0 ? "%-*s" : "%*s", (int)widths[column], text);
        if (column + 1 == columns->column_count)
            fputc('\n', file);
    }
    for (size_t cell = 0; cell < columns->cell_count; cell++)
        free(columns->cells[cell]);
    free(columns->cells);
    *columns = (kit_columns){0};
    return whole;
}
