/* Files that are read. */
#ifndef CN_SYSTEM_FILES_H
#define CN_SYSTEM_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CN_SIZE_UNKNOWN UINT64_MAX

/* Opens a file; NULL with the reason in errno. Names are UTF-8 on Windows, elsewhere any bytes. */
FILE *cn_file_open(const char *path);

/* The characters that end the name of a folder in a path. */
extern const char cn_folder_ends[];

/* How many bytes a file has that was just opened; CN_SIZE_UNKNOWN for pipes and folders. What is
 * read next is the first byte. */
uint64_t cn_file_size(FILE *file);

/* Skips the next `size` bytes, at most 2^30; false for files in which one cannot go forward, such
 * as pipes. */
bool cn_file_pass(FILE *file, uint64_t size);

#endif
