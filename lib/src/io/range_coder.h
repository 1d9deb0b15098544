/* An adaptive binary range coder. Martin, "Range encoding: an algorithm for removing redundancy
 * from a digitised message", 1979; carries as in Schindler's and Pavlov's coders. */
#ifndef CN_IO_RANGE_CODER_H
#define CN_IO_RANGE_CODER_H

#include "base/bits.h"
#include "io/buffer.h"

/* The probability of a zero, learnt from the bits coded before: fast at first, then more slowly. */
typedef struct cn_chance {
    uint16_t zero;  /* in units of 2^-16 */
    uint16_t count; /* determines how fast it still learns */
} cn_chance;

enum {
    CN_CHANCE_BITS = 12,   /* bits of it that are used */
    CN_CHANCE_SLOWEST = 5, /* the shift of the slowest learning */
    CN_RANGE_LEAST = 1 << 24
};

CN_ALWAYS_INLINE void cn_chances_init(cn_chance *chances, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chances[i] = (cn_chance){1u << 15, 1};
}

/* The probability as it is used: neither 0 nor 1. */
CN_ALWAYS_INLINE uint32_t cn_chance_used(const cn_chance *chance)
{
    return (uint32_t)(chance->zero >> (16 - CN_CHANCE_BITS)) | 1;
}

CN_ALWAYS_INLINE void cn_chance_learn(cn_chance *chance, unsigned bit)
{
    if (bit)
        chance->zero = (uint16_t)(chance->zero - (chance->zero >> chance->count));
    else
        chance->zero = (uint16_t)(chance->zero + ((0xffffu - chance->zero) >> chance->count));
    if (chance->count < CN_CHANCE_SLOWEST)
        chance->count++;
}

/* ------------------------------------------------------------------------------- encoder -- */

typedef struct cn_range_encoder {
    cn_buffer *out;
    size_t start; /* where the coded bytes begin in `out` */
    uint64_t low;
    uint32_t range;
    uint32_t held;      /* a byte that a carry may still change */
    uint64_t held_ones; /* how many bytes of 0xff follow it */
    bool has_held;
} cn_range_encoder;

void cn_range_begin(cn_range_encoder *coder, cn_buffer *out);
void cn_range_put(cn_range_encoder *coder, cn_chance *chance, unsigned bit);

/* The lowest `count` bits of a number (at most 32) as direct bits: zero and one are equally
 * likely. */
void cn_range_put_direct(cn_range_encoder *coder, uint32_t number, unsigned count);

/* A number above 0 in Elias gamma form: its length in bits with learnt probabilities, then the bits
 * below the highest as direct bits. `chances` has CN_GAMMA_CHANCES elements. */
enum { CN_GAMMA_CHANCES = 32 };
void cn_range_put_gamma(cn_range_encoder *coder, cn_chance *chances, uint32_t number);

/* Ends the coded bytes as early as possible, given that the decoder reads zeros after the end. */
void cn_range_end(cn_range_encoder *coder);

/* ------------------------------------------------------------------------------- decoder -- */

typedef struct cn_range_decoder {
    const uint8_t *at;
    const uint8_t *end; /* zeros are read after the end */
    uint32_t code;
    uint32_t range;
    bool is_shortest; /* the bytes do not end in zeros, which the encoder never writes */
} cn_range_decoder;

CN_ALWAYS_INLINE uint32_t cn_range_next_byte(cn_range_decoder *coder)
{
    return coder->at < coder->end ? *coder->at++ : 0;
}

CN_ALWAYS_INLINE cn_range_decoder cn_range_open(const uint8_t *bytes, size_t size)
{
    cn_range_decoder coder = {bytes, bytes + size, 0, UINT32_MAX, !size || bytes[size - 1]};
    for (unsigned i = 0; i < 4; i++)
        coder.code = coder.code << 8 | cn_range_next_byte(&coder);
    return coder;
}

CN_ALWAYS_INLINE void cn_range_refill(cn_range_decoder *coder)
{
    while (coder->range < CN_RANGE_LEAST) {
        coder->range <<= 8;
        coder->code = coder->code << 8 | cn_range_next_byte(coder);
    }
}

CN_ALWAYS_INLINE unsigned cn_range_get(cn_range_decoder *coder, cn_chance *chance)
{
    uint32_t bound = (coder->range >> CN_CHANCE_BITS) * cn_chance_used(chance);
    unsigned bit = coder->code >= bound;

    if (bit) {
        coder->code -= bound;
        coder->range -= bound;
    } else {
        coder->range = bound;
    }
    cn_chance_learn(chance, bit);
    cn_range_refill(coder);
    return bit;
}

CN_ALWAYS_INLINE uint32_t cn_range_get_direct(cn_range_decoder *coder, unsigned count)
{
    uint32_t number = 0;

    while (count > 0) {
        unsigned step = count < 8 ? count : 8;
        count -= step;
        coder->range >>= step;
        uint32_t part = coder->code / coder->range;
        if (part >> step)
            part = (1u << step) - 1;
        coder->code -= part * coder->range;
        number = number << step | part;
        cn_range_refill(coder);
    }
    return number;
}

CN_ALWAYS_INLINE uint32_t cn_range_get_gamma(cn_range_decoder *coder, cn_chance *chances)
{
    unsigned length = 0;

    while (length < 31 && cn_range_get(coder, &chances[length]))
        length++;
    return 1u << length | cn_range_get_direct(coder, length);
}

/* Whether all bytes were read and there are no trailing bytes that the encoder would not have
 * written. */
CN_ALWAYS_INLINE bool cn_range_is_spent(const cn_range_decoder *coder)
{
    return coder->at == coder->end && coder->is_shortest;
}

#endif
