/* A buffer of bytes that grows, and a cursor that reads bytes from front to back. */
#ifndef CN_IO_BUFFER_H
#define CN_IO_BUFFER_H

#include "base/bytes.h"
#include "base/mem.h"

/* After a failure `status` keeps it and appending does nothing: it is enough to check it once, at
 * the end. */
typedef struct cn_buffer {
    const cn_mem *mem;
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    cairn_status status;
} cn_buffer;

/* Adds `size` bytes at the end, to be filled in by the caller; NULL when there is no memory. */
uint8_t *cn_buffer_extend(cn_buffer *buffer, size_t size);
void cn_buffer_append(cn_buffer *buffer, const void *bytes, size_t size);
void cn_buffer_varint(cn_buffer *buffer, uint64_t value);
void cn_buffer_free(cn_buffer *buffer);

typedef struct cn_cursor {
    const uint8_t *at;
    const uint8_t *end;
} cn_cursor;

/* False, and the cursor does not move, where the bytes end, or are not the shortest varint of a
 * 64-bit number. */
bool cn_cursor_varint(cn_cursor *cursor, uint64_t *value);

/* The next `size` bytes; NULL where fewer are left. */
const uint8_t *cn_cursor_take(cn_cursor *cursor, size_t size);

#endif
