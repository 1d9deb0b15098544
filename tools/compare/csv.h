/* Fields of lines, between commas; in quotes where they hold any. */
#ifndef COMPARE_CSV_H
#define COMPARE_CSV_H

#include <stddef.h>
#include <stdio.h>

void csv_put_text(FILE *file, const char *text);

/* Cuts a line into at most `most` fields, within the line, and returns how many; 0 where quotes are
 * not closed. */
size_t csv_split(char *line, char **fields, size_t most);

#endif
