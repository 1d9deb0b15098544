/* Table files put together by hand from sections, as docs/FORMAT.md describes them: for files that
 * no writer makes. */
#ifndef STEPS_SECTIONS_H
#define STEPS_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sections {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
} sections;

/* A file with its header; for free(from.bytes). */
sections sections_new(void);

/* Appends a section, with its checksum. */
void sections_add(sections *to, const char *type, unsigned flags, const sections *payload);

/* Payloads are made in the same way, without a header. */
void sections_put(sections *to, const void *bytes, size_t size);
void sections_put_number(sections *to, uint64_t number, unsigned byte_count);
void sections_put_varint(sections *to, uint64_t number);

/* The size of `plain` as a varint, and it deflated. */
void sections_put_deflated(sections *to, const sections *plain);

/* The checksum of the format. */
uint32_t sections_crc(const sections *of);

#endif
