/* Files that take the place of others, completely or not at all. */
#ifndef CN_SYSTEM_REPLACEMENT_H
#define CN_SYSTEM_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest name of a file, in bytes with its last 0; longer ones are refused. */
enum { CN_PATH_MOST = 4096 };

/* A file that is being written. Every call that returns false has the reason in errno. */
typedef struct cn_replacement {
    char path[CN_PATH_MOST];      /* what it will replace: where links lead to */
    char name[CN_PATH_MOST + 64]; /* beside it; its own name until it is complete */
    intptr_t file;
    uint32_t permissions; /* of the file that it replaces */
    bool exists;          /* there is one */
    bool is_direct;       /* a device, a pipe or an open file, which is written to directly */
} cn_replacement;

/* Finds out what `path` is. Nothing is written yet; if it is a device or a pipe, it is open. */
bool cn_replacement_find(cn_replacement *self, const char *path);

/* Makes the new file. */
bool cn_replacement_open(cn_replacement *self);

bool cn_replacement_write(cn_replacement *self, const void *bytes, size_t size);

/* Flushes it to the disk, gives it its name, and flushes its folder. Where that fails nothing is
 * left of it; if only the last part does, it is there, complete. */
bool cn_replacement_commit(cn_replacement *self);

/* Removes it; errno stays. */
void cn_replacement_discard(cn_replacement *self);

#endif
