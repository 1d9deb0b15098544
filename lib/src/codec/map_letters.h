/* The terrain letters of a map as bytes, and back. docs/FORMAT.md defines the bytes. */
#ifndef CN_CODEC_MAP_LETTERS_H
#define CN_CODEC_MAP_LETTERS_H

#include "io/buffer.h"
#include "base/watch.h"

/* Codes width * height letters and appends them; a failure is kept in the buffer. */
void cn_letters_pack(const uint8_t *letters, uint32_t width, uint32_t height, cn_buffer *out);

/* Limits for unpacking. */
typedef struct cn_letters_bounds {
    uint64_t decisions_most; /* approximate; CAIRN_E_LIMIT for bytes that need more */
    cn_watch *watch;         /* counts letters; may be NULL */
} cn_letters_bounds;

/* Decodes width * height letters; CAIRN_E_FORMAT for invalid bytes. Zeros are read after the last
 * byte, so a few bytes may lead to a decision for every letter. */
cairn_status cn_letters_unpack(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                               const cn_mem *mem, const cn_letters_bounds *bounds,
                               uint8_t *letters);

/* The letters that can occur, each once, for bytes that have been decoded successfully. Returns how
 * many. */
size_t cn_letters_palette(const uint8_t *bytes, const uint8_t **letters);

#endif
