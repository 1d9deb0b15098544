/* The terrain letters of a map as bytes, and back. docs/FORMAT.md says how. */
#ifndef CN_CODEC_MAP_LETTERS_H
#define CN_CODEC_MAP_LETTERS_H

#include "io/buffer.h"
#include "base/watch.h"

/* Appends width * height letters, coded; failures stay in the buffer. */
void cn_letters_pack(const uint8_t *letters, uint32_t width, uint32_t height, cn_buffer *out);

/* Unpacks width * height letters, and tells the watch, which may be NULL, of each; CAIRN_E_FORMAT
 * for bytes that are none. */
cairn_status cn_letters_unpack(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                               const cn_mem *mem, cn_watch *watch, uint8_t *letters);

/* The letters that coded ones can be made of, each once; returns how many. Of bytes that were
 * unpacked. */
size_t cn_letters_palette(const uint8_t *bytes, const uint8_t **letters);

#endif
