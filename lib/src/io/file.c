#include "io/file.h"

#include <errno.h>
#include <stdio.h>

#include "system/files.h"

static const uint64_t SIZE_LIMIT = UINT64_C(2) << 30;

/* A first guess that makes ordinary files one read; anything else grows as it comes. */
static uint64_t expected_size(FILE *file)
{
    enum { UNKNOWN = 1 << 16 };
    uint64_t size = cn_file_size(file);
    return size == 0 || size == CN_SIZE_UNKNOWN ? UNKNOWN : size;
}

static cairn_status read_all(FILE *file, const cn_mem *mem, uint8_t **bytes, size_t *size)
{
    size_t capacity = 0, used = 0;
    cairn_status status = CAIRN_OK;

    uint64_t expected = expected_size(file);
    if (expected > SIZE_LIMIT)
        return CAIRN_E_LIMIT;
    uint8_t *buffer = NULL;
    if (!CN_GROW(mem, buffer, &capacity, 0, (size_t)expected + 1))
        return CAIRN_E_MEMORY;
    for (;;) {
        used += fread(buffer + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        if (used >= SIZE_LIMIT) {
            status = CAIRN_E_LIMIT;
            break;
        }
        if (!CN_GROW(mem, buffer, &capacity, used, used + 1)) {
            status = CAIRN_E_MEMORY;
            break;
        }
    }
    if (status == CAIRN_OK && ferror(file))
        status = CAIRN_E_IO;
    if (status == CAIRN_OK && used > SIZE_LIMIT)
        status = CAIRN_E_LIMIT;
    if (status != CAIRN_OK) {
        cn_release(mem, buffer);
        return status;
    }
    *bytes = buffer;
    *size = used;
    return CAIRN_OK;
}

cairn_status cn_file_read(const char *path, const cn_mem *mem, uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    FILE *file = cn_file_open(path);
    if (!file)
        return CAIRN_E_IO;

    errno = 0;
    cairn_status status = read_all(file, mem, bytes, size);
    int reason = errno;
    fclose(file);
    errno = reason;
    return status;
}
