/* Reads a cairn file section by section, and reports errors. */
#ifndef CN_FILE_FILE_SECTIONS_H
#define CN_FILE_FILE_SECTIONS_H

#include "io/buffer.h"
#include "io/byte_source.h"
#include "file/file_format.h"

typedef struct cn_section {
    uint64_t start; /* offset of its payload in the file */
    uint64_t size;
    uint8_t flags;
    cn_chunk payload; /* empty for a section with checksums of its own */
} cn_section;

typedef struct cn_sections {
    cn_source source;
    cairn_error *error; /* may be NULL */
    bool has_head;      /* the head of the next known section has been read already */
    uint8_t head[CN_SECTION_HEAD_SIZE];
    uint64_t head_start;
} cn_sections;

/* These fill the error and return its status. */
cairn_status cn_sections_wrong(cn_sections *in, uint64_t offset, const char *expected);
cairn_status cn_sections_wrong_number(cn_sections *in, uint64_t offset, const char *expected,
                                      uint64_t found);
cairn_status cn_sections_failed(cn_sections *in, cairn_status status);

/* CAIRN_E_VERSION: a number that has no meaning in this version. */
cairn_status cn_sections_unknown(cn_sections *in, uint64_t offset, const char *expected,
                                 uint64_t found);

/* After a failure of the source: the error tells where the bytes ended, or that they could not be
 * read. */
cairn_status cn_sections_source_failed(cn_sections *in, cairn_status status, uint64_t offset,
                                       const char *expected);

cairn_status cn_sections_header(cn_sections *in);

/* The type of the next known section; unknown sections before it are skipped. */
cairn_status cn_sections_next(cn_sections *in, const char *expected, uint32_t *type);

/* Opens the next known section, which must be of that type, a known one. Its flags, size and
 * checksum are right, and its payload has been read unless it has checksums of its own. To be
 * closed by cn_sections_close. */
cairn_status cn_sections_open(cn_sections *in, uint32_t type, cn_section *section);

/* The same of an optional section, if it is the next one; else section->payload has no bytes. */
cairn_status cn_sections_open_if_next(cn_sections *in, uint32_t type, cn_section *section);
void cn_sections_close(const cn_sections *in, cn_section *section);

#endif
