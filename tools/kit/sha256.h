/* SHA-256 of a file, as sha256sum prints it (FIPS 180-4). */
#ifndef KIT_SHA256_H
#define KIT_SHA256_H

#include <stdbool.h>

typedef struct kit_sha256 {
    char text[65];
} kit_sha256;

/* False when the file cannot be read. */
bool kit_sha256_file(const char *path, kit_sha256 *sum);

#endif
