/* Bytes that come in order, from memory or from a file. */
#ifndef CN_IO_BYTE_SOURCE_H
#define CN_IO_BYTE_SOURCE_H

#include "base/mem.h"
#include "base/watch.h"

#define CN_SIZE_UNKNOWN UINT64_MAX

typedef struct cn_source {
    const cn_mem *mem;
    const uint8_t *bytes;  /* all of them, when they are in memory */
    void *file;            /* else where they come from */
    cairn_stream stream;   /* or from there, where it can be read */
    uint64_t size;         /* CN_SIZE_UNKNOWN for a pipe */
    uint64_t offset;       /* of the next byte */
    cn_watch *watch;       /* NULL, or what is told of long stretches, a stage for each */
} cn_source;

/* A stretch of the source. Those of a source in memory point into it. */
typedef struct cn_chunk {
    const uint8_t *bytes;
    void *owned;
} cn_chunk;

cn_source cn_source_of_bytes(const uint8_t *bytes, size_t size, const cn_mem *mem);

cn_source cn_source_of_stream(const cairn_stream *stream, const cn_mem *mem);

/* CAIRN_E_IO leaves the reason in errno. */
cairn_status cn_source_open(const char *path, const cn_mem *mem, cn_source *source);
void cn_source_close(cn_source *source);

/* The next `size` bytes; none of them are a place as well. CAIRN_E_FORMAT where fewer are left: the
 * size is not trusted, memory is taken only as far as bytes are there. */
cairn_status cn_source_take(cn_source *source, uint64_t size, cn_chunk *chunk);
void cn_chunk_free(const cn_source *source, cn_chunk *chunk);

/* The same into memory that is there. */
cairn_status cn_source_read(cn_source *source, void *to, size_t size);

/* Passes over `size` bytes. */
cairn_status cn_source_skip(cn_source *source, uint64_t size);

/* Whether no byte is left. */
cairn_status cn_source_is_at_end(cn_source *source, bool *end);

#endif
