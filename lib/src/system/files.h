/* Files that are read. */
#ifndef CN_SYSTEM_FILES_H
#define CN_SYSTEM_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CN_SIZE_UNKNOWN UINT64_MAX

/* Opens a file; NULL with the reason in errno. Names are UTF-8 on Windows, elsewhere any bytes. */
FILE *cn_file_open(const char *path);

/* The letters that end the name of a folder. */
extern const char cn_folder_ends[];

/* How many bytes a file has that was just opened; CN_SIZE_UNKNOWN for pipes and folders. What is
 * read next is the first byte. */
uint64_t cn_file_size(FILE *file);

/* Leaves out so many of the bytes that are read next, at most 2^30; false where that cannot be
 * done. */
bool cn_file_pass(FILE *file, uint64_t size);

#endif
