/* Numbers in bytes: little-endian ones, whatever the byte order of the machine, and its own. */
#ifndef CN_BASE_BYTES_H
#define CN_BASE_BYTES_H

#include <string.h>

#include "base/base.h"

CN_ALWAYS_INLINE void cn_put_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

CN_ALWAYS_INLINE void cn_put_u32(uint8_t *to, uint32_t value)
{
    cn_put_u16(to, (uint16_t)value);
    cn_put_u16(to + 2, (uint16_t)(value >> 16));
}

CN_ALWAYS_INLINE void cn_put_u64(uint8_t *to, uint64_t value)
{
    cn_put_u32(to, (uint32_t)value);
    cn_put_u32(to + 4, (uint32_t)(value >> 32));
}

CN_ALWAYS_INLINE uint16_t cn_get_u16(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

CN_ALWAYS_INLINE uint32_t cn_get_u32(const uint8_t *from)
{
    return cn_get_u16(from) | (uint32_t)cn_get_u16(from + 2) << 16;
}

CN_ALWAYS_INLINE uint64_t cn_get_u64(const uint8_t *from)
{
    return cn_get_u32(from) | (uint64_t)cn_get_u32(from + 4) << 32;
}

/* Eight bytes, in the byte order of the machine. */
CN_ALWAYS_INLINE uint64_t cn_eight_at(const uint8_t *from)
{
    uint64_t eight;
    memcpy(&eight, from, sizeof eight);
    return eight;
}

#endif
