/* The terrain letters of a map as bytes, and back. docs/FORMAT.md says how. */
#ifndef CN_CODEC_MAP_LETTERS_H
#define CN_CODEC_MAP_LETTERS_H

#include "io/buffer.h"
#include "base/watch.h"

/* Appends width * height letters, coded; failures stay in the buffer. */
void cn_letters_pack(const uint8_t *letters, uint32_t width, uint32_t height, cn_buffer *out);

/* What unpacking may do. */
typedef struct cn_letters_bounds {
    uint64_t decisions_most;  /* about; CAIRN_E_LIMIT for bytes that mean more */
    cn_watch *watch;          /* is told of each letter; may be NULL */
} cn_letters_bounds;

/* Unpacks width * height letters; CAIRN_E_FORMAT for bytes that are none. Zeros follow behind the
 * last byte, so that a few bytes may mean a decision for each letter. */
cairn_status cn_letters_unpack(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                               const cn_mem *mem, const cn_letters_bounds *bounds,
                               uint8_t *letters);

/* The letters that coded ones can be made of, each once; returns how many. Of bytes that were
 * unpacked. */
size_t cn_letters_palette(const uint8_t *bytes, const uint8_t **letters);

#endif
