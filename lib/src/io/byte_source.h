/* Bytes that are read in order from memory, a file or a stream. */
#ifndef CN_IO_BYTE_SOURCE_H
#define CN_IO_BYTE_SOURCE_H

#include "base/mem.h"
#include "base/watch.h"
#include "system/files.h"

typedef struct cn_source {
    const cn_mem *mem;
    const uint8_t *bytes; /* all of them, if they are in memory */
    void *file;           /* else the file */
    cairn_stream stream;  /* or the stream, if it has a `read` */
    uint64_t size;        /* CN_SIZE_UNKNOWN for a pipe; of a stream, what was announced */
    uint64_t offset;      /* of the next byte */
    cn_watch *watch;      /* NULL, or what is told of the progress of large reads, each of which is
                           * a stage */
} cn_source;

/* A range of bytes from the source. If the source is in memory, it points into it. */
typedef struct cn_chunk {
    const uint8_t *bytes;
    uint8_t *owned;
} cn_chunk;

cn_source cn_source_of_bytes(const uint8_t *bytes, size_t size, const cn_mem *mem);

cn_source cn_source_of_stream(const cairn_stream *stream, const cn_mem *mem);

/* After CAIRN_E_IO errno has the reason. */
cairn_status cn_source_open(const char *path, const cn_mem *mem, cn_source *source);
void cn_source_close(cn_source *source);

/* Whether as many bytes as `size` says are there: what a stream announces may not come. */
CN_ALWAYS_INLINE bool cn_source_size_is_sure(const cn_source *source)
{
    return source->size != CN_SIZE_UNKNOWN && !source->stream.read;
}

/* Takes the next `size` bytes. `chunk->bytes` is not NULL even if size is 0. CAIRN_E_FORMAT where
 * fewer are left: since the size is not trusted, memory is allocated only as bytes arrive. */
cairn_status cn_source_take(cn_source *source, uint64_t size, cn_chunk *chunk);
void cn_chunk_free(const cn_source *source, cn_chunk *chunk);

/* Like cn_source_take, into memory of the caller. */
cairn_status cn_source_read(cn_source *source, void *to, size_t size);

/* Skips `size` bytes. */
cairn_status cn_source_skip(cn_source *source, uint64_t size);

/* Sets *end to whether no byte is left. */
cairn_status cn_source_is_at_end(cn_source *source, bool *end);

#endif
