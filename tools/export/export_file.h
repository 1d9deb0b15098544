/* Files that a command exports. */
#ifndef EXPORT_EXPORT_FILE_H
#define EXPORT_EXPORT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Formats of exported files, in the order of their names. */
enum { PNG_FORMAT, RAW_FORMAT, CSV_FORMAT, FORMATS, FORMAT_BY_NAME = FORMATS };

/* Writes the bytes of a file; false without memory. */
typedef bool export_writer(const void *what, FILE *file);

/* Writes a file as a whole or not at all; returns the exit code, after a complaint where that is
 * not 0. *size becomes that of the file; a pipe has none, and gets no report. */
int export_file(const char *path, export_writer *write, const void *what, uint64_t *size);

#endif
