#include "io/deflate.h"

#include <limits.h>
#include <zlib.h>

#ifdef CAIRN_WITH_LIBDEFLATE
#  include <libdeflate.h>
#endif

enum { LEVEL = 6, RAW_WINDOW = -15, MEMORY_LEVEL = 9 };

static void *take(void *mem, uInt count, uInt size)
{
    return cn_array(mem, count, size);
}

static void give(void *mem, void *block)
{
    cn_release(mem, block);
}

static z_stream stream_over(cn_mem *mem, const uint8_t *from, size_t from_size, uint8_t *to,
                            size_t to_size)
{
    z_stream stream = {
        .next_in = (Bytef *)(uintptr_t)from,
        .avail_in = (uInt)from_size,
        .next_out = to,
        .avail_out = (uInt)to_size,
        .zalloc = take,
        .zfree = give,
        .opaque = mem,
    };
    return stream;
}

cairn_status cn_deflate_alike(const cn_mem *mem, const uint8_t *bytes, size_t size,
                              uint8_t **packed, size_t *packed_size)
{
    cn_mem own = *mem;

    *packed = NULL;
    *packed_size = 0;
    if (size > UINT_MAX / 2)
        return CAIRN_E_LIMIT;
    z_stream stream = stream_over(&own, bytes, size, NULL, 0);
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY))
        return CAIRN_E_MEMORY;

    size_t bound = deflateBound(&stream, (uLong)size);
    uint8_t *to = cn_array(mem, bound, 1);
    if (!to) {
        deflateEnd(&stream);
        return CAIRN_E_MEMORY;
    }
    stream.next_out = to;
    stream.avail_out = (uInt)bound;
    int result = deflate(&stream, Z_FINISH);
    CN_ASSERT(result == Z_STREAM_END);
    (void)result;
    *packed = to;
    *packed_size = stream.total_out;
    deflateEnd(&stream);
    return CAIRN_OK;
}

static cairn_status inflate_by_zlib(const cn_mem *mem, const uint8_t *packed, size_t packed_size,
                                    uint8_t *bytes, size_t size)
{
    cn_mem own = *mem;
    uint8_t nothing;
    z_stream stream = stream_over(&own, packed, packed_size, size ? bytes : &nothing, size);

    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        return CAIRN_E_MEMORY;

    int result = inflate(&stream, Z_FINISH);
    bool exact = result == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    if (result == Z_MEM_ERROR)
        return CAIRN_E_MEMORY;
    return exact ? CAIRN_OK : CAIRN_E_FORMAT;
}

#ifdef CAIRN_WITH_LIBDEFLATE

/* Below this, packing takes next to no time by either, and zlib's streams are shorter. */
enum { WORTH_LIBDEFLATE = 1 << 14 };

/* libdeflate takes its working memory from malloc: a caller with memory of its own gets zlib. */
static bool may_use_libdeflate(const cn_mem *mem)
{
    return !mem->allocator.allocate;
}

static cairn_status deflate_by_libdeflate(const cn_mem *mem, const uint8_t *bytes, size_t size,
                                          uint8_t **packed, size_t *packed_size)
{
    struct libdeflate_compressor *engine = libdeflate_alloc_compressor(LEVEL);
    if (!engine)
        return CAIRN_E_MEMORY;

    size_t bound = libdeflate_deflate_compress_bound(engine, size);
    uint8_t *to = cn_array(mem, bound, 1);
    if (to)
        *packed_size = libdeflate_deflate_compress(engine, bytes, size, to, bound);
    CN_ASSERT(!to || *packed_size > 0);
    *packed = to;
    libdeflate_free_compressor(engine);
    return to ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status inflate_by_libdeflate(const uint8_t *packed, size_t packed_size, uint8_t *bytes,
                                          size_t size)
{
    struct libdeflate_decompressor *engine = libdeflate_alloc_decompressor();
    size_t taken = 0;
    if (!engine)
        return CAIRN_E_MEMORY;

    enum libdeflate_result result = libdeflate_deflate_decompress_ex(engine, packed, packed_size,
                                                                     bytes, size, &taken, NULL);
    libdeflate_free_decompressor(engine);
    return result == LIBDEFLATE_SUCCESS && taken == packed_size ? CAIRN_OK : CAIRN_E_FORMAT;
}

#endif

cairn_status cn_deflate(const cn_mem *mem, const uint8_t *bytes, size_t size, uint8_t **packed,
                        size_t *packed_size)
{
    *packed = NULL;
    *packed_size = 0;
#ifdef CAIRN_WITH_LIBDEFLATE
    if (may_use_libdeflate(mem) && size >= WORTH_LIBDEFLATE && size <= UINT_MAX / 2)
        return deflate_by_libdeflate(mem, bytes, size, packed, packed_size);
#endif
    return cn_deflate_alike(mem, bytes, size, packed, packed_size);
}

void cn_buffer_deflated(cn_buffer *buffer, const cn_buffer *unpacked, cn_deflater *deflate_by)
{
    uint8_t *packed = NULL;
    size_t packed_size = 0;

    if (unpacked->status != CAIRN_OK) {
        buffer->status = unpacked->status;
        return;
    }
    cn_buffer_varint(buffer, unpacked->size);
    cairn_status status = deflate_by(buffer->mem, unpacked->bytes, unpacked->size, &packed,
                                     &packed_size);
    if (status != CAIRN_OK)
        buffer->status = status;
    cn_buffer_append(buffer, packed, packed_size);
    cn_release(buffer->mem, packed);
}

cairn_status cn_inflate(const cn_mem *mem, const uint8_t *packed, size_t packed_size,
                        uint8_t *bytes, size_t size)
{
    if (packed_size > UINT_MAX || size > UINT_MAX || size > cn_inflate_bound(packed_size))
        return CAIRN_E_FORMAT;
#ifdef CAIRN_WITH_LIBDEFLATE
    if (may_use_libdeflate(mem))
        return inflate_by_libdeflate(packed, packed_size, bytes, size);
#endif
    return inflate_by_zlib(mem, packed, packed_size, bytes, size);
}

/* Fills the room of the stream. */
static cairn_status inflate_whole(z_stream *stream, uint8_t *to, size_t size)
{
    stream->next_out = to;
    stream->avail_out = (uInt)size;
    const int result = inflate(stream, Z_SYNC_FLUSH);
    if (result == Z_MEM_ERROR)
        return CAIRN_E_MEMORY;
    const bool goes_on = result == Z_OK || result == Z_STREAM_END;
    return goes_on && stream->avail_out == 0 ? CAIRN_OK : CAIRN_E_FORMAT;
}

cairn_status cn_inflate_part(const cn_mem *mem, const uint8_t *packed, size_t packed_size,
                             uint64_t skip, uint8_t *bytes, size_t size)
{
    cn_mem own = *mem;
    uint8_t passed[1 << 14];
    z_stream stream = stream_over(&own, packed, packed_size, passed, sizeof passed);
    cairn_status status = CAIRN_OK;

    if (packed_size > UINT_MAX || size > UINT_MAX)
        return CAIRN_E_FORMAT;
    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        return CAIRN_E_MEMORY;
    while (status == CAIRN_OK && skip > 0) {
        size_t part = skip < sizeof passed ? (size_t)skip : sizeof passed;
        status = inflate_whole(&stream, passed, part);
        skip -= part;
    }
    if (status == CAIRN_OK)
        status = inflate_whole(&stream, bytes, size);
    inflateEnd(&stream);
    return status;
}
