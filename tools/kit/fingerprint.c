#include "fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The finalizer of SplitMix64: different words stay different. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

/* The length goes first: no text is the beginning of another. */
uint64_t kit_fingerprint_bytes(uint64_t before, const void *bytes_, size_t size)
{
    const uint8_t *bytes = bytes_;
    uint8_t last[8] = {0};
    uint64_t sum = mix(before + 0x9e3779b97f4a7c15u + size);
    size_t whole = size / 8 * 8;

    for (size_t at = 0; at < whole; at += 8)
        sum = mix(sum ^ word_at(bytes + at));
    if (size > whole)
        memcpy(last, bytes + whole, size - whole);
    return mix(sum ^ word_at(last));
}

uint64_t kit_fingerprint_text(uint64_t before, const char *text)
{
    return kit_fingerprint_bytes(before, text, strlen(text));
}

/* Fills the block, but for the last of the file. */
static ssize_t read_block(int file, uint8_t *block, size_t size)
{
    size_t used = 0;
    while (used < size) {
        ssize_t count = read(file, block + used, size - used);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        used += (size_t)count;
    }
    return (ssize_t)used;
}

static bool add_content(int file, uint64_t *sum)
{
    uint8_t block[1 << 15];
    ssize_t count;
    do {
        count = read_block(file, block, sizeof block);
        if (count >= 0)
            *sum = kit_fingerprint_bytes(*sum, block, (size_t)count);
    } while (count == (ssize_t)sizeof block);
    return count >= 0;
}

bool kit_fingerprint_file(const char *path, uint64_t *sum)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0)
        return false;
    bool is_read = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && add_content(file, sum);
    int reason = errno;
    close(file);
    errno = reason;
    return is_read;
}
