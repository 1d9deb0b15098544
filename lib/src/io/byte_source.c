#include "io/byte_source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

cn_source cn_source_of_bytes(const uint8_t *bytes, size_t size, const cn_mem *mem)
{
    return (cn_source){.mem = mem, .bytes = bytes, .size = size};
}

cn_source cn_source_of_stream(const cairn_stream *stream, const cn_mem *mem)
{
    return (cn_source){
        .mem = mem, .stream = *stream, .size = stream->size ? stream->size : CN_SIZE_UNKNOWN};
}

cairn_status cn_source_open(const char *path, const cn_mem *mem, cn_source *source)
{
    *source = (cn_source){.mem = mem};
    FILE *file = cn_file_open(path);
    if (!file)
        return CAIRN_E_IO;
    source->file = file;
    source->size = cn_file_size(file);
    return CAIRN_OK;
}

void cn_source_close(cn_source *source)
{
    if (!source->file)
        return;
    int reason = errno;
    fclose(source->file);
    source->file = NULL;
    errno = reason;
}

static cairn_status read_file(FILE *file, void *to, size_t size, size_t *done)
{
    errno = 0;
    *done = fread(to, 1, size, file);
    return *done < size && ferror(file) ? CAIRN_E_IO : CAIRN_OK;
}

/* A stream may give less than it was asked for only at its end; one that gives more lies. */
static cairn_status read_stream(const cairn_stream *stream, void *to, size_t size, size_t *done)
{
    errno = 0; /* a failure has the reason that the stream leaves, if any */
    *done = stream->read(stream->context, to, size);
    if (*done <= size)
        return CAIRN_OK;
    *done = 0;
    return CAIRN_E_IO;
}

/* Reads as many bytes as there are, at most `size`. */
static cairn_status read_some(cn_source *source, void *to, size_t size, size_t *done)
{
    if (source->stream.read)
        return read_stream(&source->stream, to, size, done);
    return read_file(source->file, to, size, done);
}

cairn_status cn_source_read(cn_source *source, void *to, size_t size)
{
    size_t done = size;
    cairn_status status = CAIRN_OK;

    if (source->size != CN_SIZE_UNKNOWN && size > source->size - source->offset)
        return CAIRN_E_FORMAT;
    if (size == 0)
        return CAIRN_OK;
    if (source->bytes)
        memcpy(to, source->bytes + source->offset, size);
    else
        status = read_some(source, to, size, &done);
    if (status != CAIRN_OK)
        return status;
    source->offset += done;
    return done == size ? CAIRN_OK : CAIRN_E_FORMAT;
}

/* A long stretch is read in parts, so that it can be cancelled between them. */
enum { PART = 1 << 22 };

static bool begin_stage(cn_source *source, uint64_t size)
{
    return size <= PART || !source->watch || cn_watch_stage(source->watch, "read", size);
}

static cairn_status read_in_parts(cn_source *source, uint8_t *to, size_t size)
{
    cairn_status status = CAIRN_OK;

    for (size_t done = 0; done < size && status == CAIRN_OK; done += PART) {
        size_t part = size - done < PART ? size - done : PART;
        status = cn_source_read(source, to + done, part);
        if (status == CAIRN_OK && size > PART && !cn_watch_advance(source->watch, 0, part))
            status = CAIRN_E_CANCELLED;
    }
    return status;
}

/* Memory grows with what has come, never with what was announced. */
static cairn_status take_announced(cn_source *source, uint64_t size, cn_chunk *chunk)
{
    enum { FIRST = 1 << 20 };
    size_t capacity = 0, used = 0, step = FIRST;
    cairn_status status = CAIRN_OK;

    while (used < size && status == CAIRN_OK) {
        if (step > size - used)
            step = (size_t)(size - used);
        if (!CN_GROW(source->mem, chunk->owned, &capacity, used, used + step))
            return CAIRN_E_MEMORY;
        status = read_in_parts(source, chunk->owned + used, step);
        used += step;
        step = used;
    }
    if (chunk->owned)
        chunk->bytes = chunk->owned;
    return status;
}

cairn_status cn_source_take(cn_source *source, uint64_t size, cn_chunk *chunk)
{
    static const uint8_t nothing;

    *chunk = (cn_chunk){.bytes = &nothing};
    if (size > SIZE_MAX / 2)
        return CAIRN_E_FORMAT;
    if (!source->bytes && !begin_stage(source, size))
        return CAIRN_E_CANCELLED;
    if (source->size != CN_SIZE_UNKNOWN && size > source->size - source->offset)
        return CAIRN_E_FORMAT;
    if (!cn_source_size_is_sure(source))
        return take_announced(source, size, chunk);

    if (source->bytes) {
        chunk->bytes = source->bytes + source->offset;
        source->offset += size;
        return CAIRN_OK;
    }
    chunk->owned = cn_array(source->mem, (size_t)size, 1);
    chunk->bytes = chunk->owned;
    return chunk->owned ? read_in_parts(source, chunk->owned, (size_t)size) : CAIRN_E_MEMORY;
}

void cn_chunk_free(const cn_source *source, cn_chunk *chunk)
{
    cn_release(source->mem, chunk->owned);
    *chunk = (cn_chunk){0};
}

cairn_status cn_source_skip(cn_source *source, uint64_t size)
{
    enum { PASSED = 1 << 30 }; /* at once */
    uint8_t away[4096];
    cairn_status status = CAIRN_OK;

    if (source->size != CN_SIZE_UNKNOWN && size > source->size - source->offset)
        return CAIRN_E_FORMAT;
    if (source->bytes) {
        source->offset += size;
        return CAIRN_OK;
    }
    while (source->file && source->size != CN_SIZE_UNKNOWN && size > sizeof away) {
        const uint64_t step = size < PASSED ? size : PASSED;
        if (!cn_file_pass(source->file, step))
            break;
        source->offset += step;
        size -= step;
    }
    while (size > 0 && status == CAIRN_OK) {
        size_t step = size < sizeof away ? (size_t)size : sizeof away;
        status = cn_source_read(source, away, step);
        size -= step;
    }
    return status;
}

cairn_status cn_source_is_at_end(cn_source *source, bool *end)
{
    if (source->bytes || source->size != CN_SIZE_UNKNOWN) {
        *end = source->offset == source->size;
        return CAIRN_OK;
    }
    uint8_t beyond;
    size_t done = 0;
    cairn_status status = read_some(source, &beyond, 1, &done);
    *end = done == 0;
    return status;
}
