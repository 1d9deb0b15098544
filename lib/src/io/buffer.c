#include "io/buffer.h"

#include <string.h>

uint8_t *cn_buffer_extend(cn_buffer *buffer, size_t size)
{
    if (buffer->status != CAIRN_OK)
        return NULL;
    if (size > SIZE_MAX / 2 - buffer->size ||
        !CN_GROW(buffer->mem, buffer->bytes, &buffer->capacity, buffer->size,
                 buffer->size + size)) {
        buffer->status = CAIRN_E_MEMORY;
        return NULL;
    }
    uint8_t *room = buffer->bytes + buffer->size;
    buffer->size += size;
    return room;
}

void cn_buffer_append(cn_buffer *buffer, const void *bytes, size_t size)
{
    uint8_t *room = size ? cn_buffer_extend(buffer, size) : NULL;
    if (room)
        memcpy(room, bytes, size);
}

void cn_buffer_varint(cn_buffer *buffer, uint64_t value)
{
    uint8_t bytes[10];
    size_t size = 0;

    while (value >= 0x80) {
        bytes[size++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    bytes[size++] = (uint8_t)value;
    cn_buffer_append(buffer, bytes, size);
}

void cn_buffer_free(cn_buffer *buffer)
{
    cn_release(buffer->mem, buffer->bytes);
    *buffer = (cn_buffer){.mem = buffer->mem};
}

bool cn_cursor_varint(cn_cursor *cursor, uint64_t *value)
{
    uint64_t sum = 0;
    const uint8_t *at = cursor->at;

    for (unsigned shift = 0; at < cursor->end && shift < 64; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            return false;
        sum |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        if (byte == 0 && shift > 0)
            return false;
        cursor->at = at;
        *value = sum;
        return true;
    }
    return false;
}

const uint8_t *cn_cursor_take(cn_cursor *cursor, size_t size)
{
    if ((size_t)(cursor->end - cursor->at) < size)
        return NULL;
    const uint8_t *bytes = cursor->at;
    cursor->at += size;
    return bytes;
}
