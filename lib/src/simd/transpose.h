/* Transposes of square blocks of 16-bit or 32-bit numbers. */
#ifndef CN_SIMD_TRANSPOSE_H
#define CN_SIMD_TRANSPOSE_H

#include "simd/vec128.h"

/* The side of a block: as many numbers as 16 bytes hold. */
#define CN_TRANSPOSE_SIDE(bits) (128 / (bits))

#if CN_HAS_VECTORS

/* Interleaving each row with the one half a block below, once for each bit of the side, transposes
 * the block. */
CN_ALWAYS_INLINE void cn_transpose_four(const uint32_t *from, size_t from_stride, uint32_t *to,
                                        size_t to_stride)
{
    v128_vector_32 row[4], mixed[4];
    for (size_t i = 0; i < 4; i++)
        memcpy(&row[i], from + i * from_stride, sizeof row[i]);
    for (size_t i = 0; i < 2; i++) {
        mixed[2 * i] = v128_zip_low_32(row[i], row[i + 2]);
        mixed[2 * i + 1] = v128_zip_high_32(row[i], row[i + 2]);
    }
    for (size_t i = 0; i < 2; i++) {
        row[2 * i] = v128_zip_low_32(mixed[i], mixed[i + 2]);
        row[2 * i + 1] = v128_zip_high_32(mixed[i], mixed[i + 2]);
    }
    for (size_t i = 0; i < 4; i++)
        memcpy(to + i * to_stride, &row[i], sizeof row[i]);
}

CN_ALWAYS_INLINE void cn_interleave_eight(const v128_vector_16 from[8], v128_vector_16 to[8])
{
    for (size_t i = 0; i < 4; i++) {
        to[2 * i] = v128_zip_low_16(from[i], from[i + 4]);
        to[2 * i + 1] = v128_zip_high_16(from[i], from[i + 4]);
    }
}

CN_ALWAYS_INLINE void cn_transpose_eight(const uint16_t *from, size_t from_stride, uint16_t *to,
                                         size_t to_stride)
{
    v128_vector_16 row[8], mixed[8];
    for (size_t i = 0; i < 8; i++)
        memcpy(&row[i], from + i * from_stride, sizeof row[i]);
    cn_interleave_eight(row, mixed);
    cn_interleave_eight(mixed, row);
    cn_interleave_eight(row, mixed);
    for (size_t i = 0; i < 8; i++)
        memcpy(to + i * to_stride, &mixed[i], sizeof mixed[i]);
}

#endif

/* Strides are from row to row, in numbers of `bits` bits. */
CN_ALWAYS_INLINE void cn_transpose_square(const void *from, size_t from_stride, void *to,
                                          size_t to_stride, unsigned bits)
{
#if CN_HAS_VECTORS
    if (bits == 16)
        cn_transpose_eight(from, from_stride, to, to_stride);
    else
        cn_transpose_four(from, from_stride, to, to_stride);
#else
    const size_t side = CN_TRANSPOSE_SIDE(bits), size = bits / 8;
    for (size_t row = 0; row < side; row++) {
        for (size_t column = 0; column < side; column++)
            memcpy((uint8_t *)to + (column * to_stride + row) * size,
                   (const uint8_t *)from + (row * from_stride + column) * size, size);
    }
#endif
}

#endif
