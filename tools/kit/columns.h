/* A text table whose columns are as wide as their widest cell. */
#ifndef KIT_COLUMNS_H
#define KIT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "stats.h"

enum { KIT_COLUMNS_MAX = 32 };

typedef struct kit_columns {
    size_t column_count;
    size_t cell_count; /* all rows, one after the other */
    size_t capacity;
    char **cells;
    bool failed; /* there was no memory; nothing will be printed */
} kit_columns;

/* Starts a table of at most KIT_COLUMNS_MAX columns. */
void kit_columns_start(kit_columns *columns, size_t column_count);

/* Starts a table that begins with such heads and a rule. */
void kit_columns_heads(kit_columns *columns, const char *const *heads, size_t column_count);

/* Fills the next cell, left to right, row by row. */
void kit_columns_add(kit_columns *columns, const char *text);

/* Fills the next two cells with a ratio and the range in which it lies. */
void kit_columns_add_interval(kit_columns *columns, kit_interval of);

/* A row of cells that are lines, as between a head and its body. */
void kit_columns_rule(kit_columns *columns);

/* Prints the table, the first column to the left and the others to the right, two spaces apart;
 * then frees it. False when there was no memory for it. */
bool kit_columns_print(kit_columns *columns, FILE *file);

#endif
