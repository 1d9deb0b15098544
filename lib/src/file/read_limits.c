/* Limits on the memory and work that a file may require. */
#include <inttypes.h>
#include <stdio.h>

#include "file/file_read.h"

/* Without a limit of the caller: MEMORY_BASE, and MEMORY_FACTOR for each byte of the file. There is
 * no bound on how well an open map compresses: 4096 x 4096 open cells with 16 rows, which take 1
 * GiB, are a file of 354 bytes; to load it the caller has to set a limit. Of 29 maps of games and
 * benchmarks, the one that compresses best takes 21,800 times the size of its file with 16 rows (17
 * MB), and 35,700 times with 256 rows (269 MB). */
enum { MEMORY_BASE = 96 << 20, MEMORY_FACTOR = 24 << 10 };

static uint64_t limit_of_file(const cn_reader *in)
{
    const cn_source *source = &in->sections.source;
    uint64_t size = cn_source_size_is_sure(source) ? source->size : source->offset;

    return size > (UINT64_MAX - MEMORY_BASE) / MEMORY_FACTOR ? UINT64_MAX
                                                             : MEMORY_BASE + size * MEMORY_FACTOR;
}

uint64_t cn_reader_memory_limit(const cn_reader *in)
{
    return in->options.memory_limit ? in->options.memory_limit : limit_of_file(in);
}

uint64_t cn_reader_work_limit(const cn_reader *in)
{
    uint64_t own = limit_of_file(in), asked = in->options.memory_limit;
    return asked > own ? asked : own;
}

static cairn_status beyond_limit(cn_reader *in, uint64_t offset, const char *expected,
                                 uint64_t needed, const char *unit)
{
    char text[40];
    int size = snprintf(text, sizeof text, "%" PRIu64 " %s", needed, unit);
    return cn_error_at_byte(in->sections.error, CAIRN_E_LIMIT, offset, expected, text,
                            (size_t)size);
}

cairn_status cn_reader_too_large(cn_reader *in, uint64_t offset, const char *expected,
                                 uint64_t bytes)
{
    return beyond_limit(in, offset, expected, bytes, "bytes");
}

cairn_status cn_reader_too_much(cn_reader *in, uint64_t offset, const char *expected,
                                uint64_t steps)
{
    return beyond_limit(in, offset, expected, steps, "steps");
}
