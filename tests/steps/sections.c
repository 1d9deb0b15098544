#include "sections.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/check.h"

void sections_put(sections *to, const void *bytes, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->bytes = realloc(to->bytes, to->capacity);
        assert_non_null(to->bytes);
    }
    if (size)
        memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

void sections_put_number(sections *to, uint64_t number, unsigned byte_count)
{
    for (unsigned i = 0; i < byte_count; i++) {
        uint8_t byte = (uint8_t)(number >> 8 * i);
        sections_put(to, &byte, 1);
    }
}

void sections_put_varint(sections *to, uint64_t number)
{
    for (; number > 0x7f; number >>= 7)
        sections_put_number(to, (number & 0x7f) | 0x80, 1);
    sections_put_number(to, number, 1);
}

uint32_t sections_crc(const sections *of)
{
    return (uint32_t)crc32(0, of->bytes, (uInt)of->size);
}

sections sections_new(void)
{
    sections made = {0};
    sections_put(&made,
                 "\x89"
                 "CARN\r\n\x1a",
                 8);
    sections_put_number(&made, 1, 4);
    sections_put_number(&made, sections_crc(&made), 4);
    return made;
}

void sections_add(sections *to, const char *type, unsigned flags, const sections *payload)
{
    enum { SELF_CHECKED = 2 };
    sections head = {0};
    sections_put(&head, type, 4);
    sections_put_number(&head, payload->size, 7);
    sections_put_number(&head, flags, 1);
    uLong crc = crc32(0, head.bytes, (uInt)head.size);
    if (!(flags & SELF_CHECKED) && payload->size)
        crc = crc32(crc, payload->bytes, (uInt)payload->size);
    sections_put(to, type, 4);
    sections_put_number(to, crc, 4);
    sections_put(to, head.bytes + 4, 8);
    sections_put(to, payload->bytes, payload->size);
    free(head.bytes);
}

void sections_put_deflated(sections *to, const sections *plain)
{
    enum { BEST = 9, RAW = -15, MEMORY = 9 };
    z_stream stream = {.next_in = plain->bytes, .avail_in = (uInt)plain->size};
    int result = deflateInit2(&stream, BEST, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY);
    assert_int_equal(result, Z_OK);
    uLong room = deflateBound(&stream, (uLong)plain->size);
    uint8_t *packed = malloc(room);
    assert_non_null(packed);
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    sections_put_varint(to, plain->size);
    sections_put(to, packed, stream.total_out);
    deflateEnd(&stream);
    free(packed);
}
