/* Numbers that tell files and texts apart, the same on every machine: much faster than SHA-256, and
 * no protection against anyone who wants two files to look alike. */
#ifndef KIT_FINGERPRINT_H
#define KIT_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each returns the number of what came before, which is `before`, and of what is added. */
uint64_t kit_fingerprint_bytes(uint64_t before, const void *bytes, size_t size);
uint64_t kit_fingerprint_text(uint64_t before, const char *text);

/* The fingerprint of the content of a regular file, in *sum; false for any other file, and where it
 * cannot be read (errno tells why). */
bool kit_fingerprint_file(const char *path, uint64_t *sum);

#endif
