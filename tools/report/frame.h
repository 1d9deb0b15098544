/* What all pages have: the head with its style, and rows that say how a page was made. */
#ifndef REPORT_FRAME_H
#define REPORT_FRAME_H

#include <stdio.h>

/* The page up to its heading, "HEADING: NAME". */
void frame_open(FILE *file, const char *heading, const char *name);
void frame_close(FILE *file);

/* A row of a table with a name and a text. */
void frame_row(FILE *file, const char *name, const char *value);

/* The row with the command, whose words end with NULL. */
void frame_command(FILE *file, const char *command, char *const *words);

/* The numbers of a chart as a table, shown where they are asked for; `heads` ends with NULL. */
void frame_open_numbers(FILE *file, const char *const *heads);
void frame_close_numbers(FILE *file);

#endif
