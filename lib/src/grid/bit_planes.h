/* Transposes of bits: columns of 64 rows, and bytes of 8 planes. */
#ifndef CN_GRID_BIT_PLANES_H
#define CN_GRID_BIT_PLANES_H

#include "base/base.h"
#include "base/bytes.h"

/* Exchanges the upper of two halves in one word with the lower ones in another. */
CN_ALWAYS_INLINE void cn_swap_halves(uint64_t *upper, uint64_t *lower, unsigned shift,
                                     uint64_t mask)
{
    const uint64_t differing = (*upper >> shift ^ *lower) & mask;
    *lower ^= differing;
    *upper ^= differing << shift;
}

/* Transposes the blocks of so many words and bits, in squares of two by two. */
CN_ALWAYS_INLINE void cn_transpose_squares(uint64_t words[64], unsigned side, uint64_t mask)
{
    for (unsigned first = 0; first < 64; first += 2 * side) {
        for (unsigned i = first; i < first + side; i++)
            cn_swap_halves(&words[i], &words[i + side], side, mask);
    }
}

/* Bit i of word k becomes bit k of word i. */
CN_ALWAYS_INLINE void cn_transpose_bits(uint64_t words[64])
{
    cn_transpose_squares(words, 32, 0x00000000ffffffffu);
    cn_transpose_squares(words, 16, 0x0000ffff0000ffffu);
    cn_transpose_squares(words, 8, 0x00ff00ff00ff00ffu);
    cn_transpose_squares(words, 4, 0x0f0f0f0f0f0f0f0fu);
    cn_transpose_squares(words, 2, 0x3333333333333333u);
    cn_transpose_squares(words, 1, 0x5555555555555555u);
}

/* Transposes 8 words of 8 bytes. */
CN_ALWAYS_INLINE void cn_transpose_bytes(uint64_t words[8])
{
    for (unsigned i = 0; i < 4; i++)
        cn_swap_halves(&words[i], &words[i + 4], 32, 0x00000000ffffffffu);
    for (unsigned i = 0; i < 8; i += i & 1 ? 3 : 1)
        cn_swap_halves(&words[i], &words[i + 2], 16, 0x0000ffff0000ffffu);
    for (unsigned i = 0; i < 8; i += 2)
        cn_swap_halves(&words[i], &words[i + 1], 8, 0x00ff00ff00ff00ffu);
}

/* Transposes the 8 x 8 bits of a word. */
CN_ALWAYS_INLINE uint64_t cn_transpose_byte(uint64_t bits)
{
    uint64_t differing = (bits >> 7 ^ bits) & 0x00aa00aa00aa00aau;
    bits ^= differing ^ differing << 7;
    differing = (bits >> 14 ^ bits) & 0x0000cccc0000ccccu;
    bits ^= differing ^ differing << 14;
    differing = (bits >> 28 ^ bits) & 0x00000000f0f0f0f0u;
    return bits ^ differing ^ differing << 28;
}

/* Bit k of byte i: bit i of plane k. The planes are used up. */
CN_ALWAYS_INLINE void cn_bytes_of_planes(uint64_t planes[8], uint8_t bytes[64])
{
    cn_transpose_bytes(planes);
    for (unsigned i = 0; i < 8; i++)
        planes[i] = cn_transpose_byte(planes[i]);
    for (unsigned i = 0; i < 8; i++)
        cn_put_u64(bytes + 8 * i, planes[i]);
}

#endif
