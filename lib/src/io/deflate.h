/* Raw deflate streams (RFC 1951) of known size, by zlib, or by libdeflate where the build has it
 * and memory comes from malloc. Each reads what the other has written. */
#ifndef CN_IO_DEFLATE_H
#define CN_IO_DEFLATE_H

#include "io/buffer.h"

/* The largest size that `size` bytes can decompress to. A file that claims more is refused. */
CN_ALWAYS_INLINE uint64_t cn_inflate_bound(uint64_t size)
{
    return size > UINT64_MAX / 1032 ? UINT64_MAX : size * 1032;
}

/* Compresses at level 6; CAIRN_E_LIMIT from 2 GiB on. *packed comes from `mem`, and the caller
 * frees it. */
cairn_status cn_deflate(const cn_mem *mem, const uint8_t *bytes, size_t size, uint8_t **packed,
                        size_t *packed_size);

/* The same by zlib, whatever memory comes from: to the same bytes in each program of a build. */
cairn_status cn_deflate_alike(const cn_mem *mem, const uint8_t *bytes, size_t size,
                              uint8_t **packed, size_t *packed_size);

/* Appends the size of what another buffer holds, and that compressed by one of these. A failure of
 * either buffer is kept. */
typedef cairn_status cn_deflater(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                 uint8_t **packed, size_t *packed_size);
void cn_buffer_deflated(cn_buffer *buffer, const cn_buffer *unpacked, cn_deflater *deflate_by);

/* Decompresses exactly `size` bytes from exactly `packed_size`; CAIRN_E_FORMAT for any other
 * stream. */
cairn_status cn_inflate(const cn_mem *mem, const uint8_t *packed, size_t packed_size,
                        uint8_t *bytes, size_t size);

/* Decompresses the `size` bytes that follow the first `skip`, which are not kept; what comes after
 * them is ignored. CAIRN_E_FORMAT where there are fewer. */
cairn_status cn_inflate_part(const cn_mem *mem, const uint8_t *packed, size_t packed_size,
                             uint64_t skip, uint8_t *bytes, size_t size);

#endif
