#include "sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "system.h"

typedef struct digest {
    uint32_t state[8];
    uint64_t size;
} digest;

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turn(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void spread_block(const uint8_t *block, uint32_t words[64])
{
    for (unsigned i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
                   block[3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t near = words[i - 15], far = words[i - 2];
        words[i] = words[i - 16] + (turn(near, 7) ^ turn(near, 18) ^ near >> 3) + words[i - 7] +
                   (turn(far, 17) ^ turn(far, 19) ^ far >> 10);
    }
}

static void take_block(digest *to, const uint8_t *block)
{
    uint32_t words[64], s[8];
    spread_block(block, words);
    memcpy(s, to->state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + words[i];
        uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (unsigned i = 0; i < 8; i++)
        to->state[i] += s[i];
}

/* The last bytes, a one, zeros, and the size in bits. */
static void finish(digest *to, const uint8_t *rest, size_t rest_size)
{
    uint8_t blocks[128] = {0};
    size_t size = rest_size < 56 ? 64 : 128;
    memcpy(blocks, rest, rest_size);
    blocks[rest_size] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        blocks[size - 1 - i] = (uint8_t)(to->size * 8 >> 8 * i);
    for (size_t at = 0; at < size; at += 64)
        take_block(to, blocks + at);
}

bool kit_sha256_file(const char *path, kit_sha256 *sum)
{
    digest to = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                  0x1f83d9ab, 0x5be0cd19},
                 0};
    uint8_t block[64];
    size_t taken;

    FILE *file = kit_file_open(path, "rb");
    if (!file)
        return false;
    while ((taken = fread(block, 1, sizeof block, file)) == sizeof block) {
        take_block(&to, block);
        to.size += sizeof block;
    }
    bool whole = !ferror(file);
    fclose(file);
    to.size += taken;
    finish(&to, block, taken);
    for (unsigned i = 0; i < 8; i++)
        snprintf(sum->text + (size_t)8 * i, 9, "%08x", to.state[i]);
    return whole;
}
