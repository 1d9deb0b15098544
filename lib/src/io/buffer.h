/* Bytes that grow, and bytes that are read from front to back. */
#ifndef CN_IO_BUFFER_H
#define CN_IO_BUFFER_H

#include "base/bytes.h"
#include "base/mem.h"

/* The first failure stays in `status`, and appending then does nothing: check once, at the end. */
typedef struct cn_buffer {
    const cn_mem *mem;
    void *bytes;
    size_t size;
    size_t capacity;
    cairn_status status;
} cn_buffer;

/* Room for `size` more bytes at the end; NULL when there is no memory. */
uint8_t *cn_buffer_extend(cn_buffer *buffer, size_t size);
void cn_buffer_append(cn_buffer *buffer, const void *bytes, size_t size);
void cn_buffer_varint(cn_buffer *buffer, uint64_t value);
void cn_buffer_free(cn_buffer *buffer);

typedef struct cn_cursor {
    const uint8_t *at;
    const uint8_t *end;
} cn_cursor;

/* False, with nothing taken, where the bytes end, or are no shortest varint of 64 bits. */
bool cn_cursor_varint(cn_cursor *cursor, uint64_t *value);

/* The next `size` bytes; NULL where fewer are left. */
const uint8_t *cn_cursor_take(cn_cursor *cursor, size_t size);

#endif
