#include "fingerprint.h"

#include <errno.h>
#include <string.h>

#include "system.h"

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

static bool add_content(FILE *file, uint64_t *sum)
{
    uint8_t block[1 << 15];
    size_t count;
    do {
        count = fread(block, 1, sizeof block, file);
        *sum = kit_fingerprint_bytes(*sum, block, count);
    } while (count == sizeof block);
    return !ferror(file);
}

bool kit_fingerprint_file(const char *path, uint64_t *sum)
{
    kit_file_facts facts;
    if (!kit_file_look(path, &facts) || !facts.is_regular)
        return false;
    FILE *file = kit_file_open(path, "rb");
    if (!file)
        return false;
    bool is_read = add_content(file, sum);
    int reason = errno;
    fclose(file);
    errno = reason;
    return is_read;
}
