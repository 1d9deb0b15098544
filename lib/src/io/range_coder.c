#include "io/range_coder.h"

void cn_range_begin(cn_range_encoder *coder, cn_buffer *out)
{
    *coder = (cn_range_encoder){.out = out, .start = out->size, .range = UINT32_MAX};
}

static void put_byte(cn_range_encoder *coder, uint32_t byte)
{
    uint8_t *room = cn_buffer_extend(coder->out, 1);
    if (room)
        *room = (uint8_t)byte;
}

/* The top byte of `low` is settled once no carry can reach it. */
static void shift_low(cn_range_encoder *coder)
{
    uint32_t carry = (uint32_t)(coder->low >> 32);
    uint32_t top = (uint32_t)(coder->low >> 24) & 0xff;

    if (carry || top != 0xff) {
        if (coder->has_held)
            put_byte(coder, coder->held + carry);
        for (; coder->held_ones; coder->held_ones--)
            put_byte(coder, 0xff + carry);
        coder->held = top;
        coder->has_held = true;
    } else {
        coder->held_ones++;
    }
    coder->low = coder->low << 8 & 0xffffffff;
}

static void refill(cn_range_encoder *coder)
{
    while (coder->range < CN_RANGE_LEAST) {
        coder->range <<= 8;
        shift_low(coder);
    }
}

void cn_range_put(cn_range_encoder *coder, cn_chance *chance, unsigned bit)
{
    uint32_t bound = (coder->range >> CN_CHANCE_BITS) * cn_chance_used(chance);

    if (bit) {
        coder->low += bound;
        coder->range -= bound;
    } else {
        coder->range = bound;
    }
    cn_chance_learn(chance, bit);
    refill(coder);
}

void cn_range_put_direct(cn_range_encoder *coder, uint32_t number, unsigned count)
{
    while (count > 0) {
        unsigned step = count < 8 ? count : 8;
        count -= step;
        coder->range >>= step;
        coder->low += (uint64_t)coder->range * (number >> count & ((1u << step) - 1));
        refill(coder);
    }
}

void cn_range_put_gamma(cn_range_encoder *coder, cn_chance *chances, uint32_t number)
{
    unsigned length = cn_highest_bit(number);

    for (unsigned i = 0; i < length; i++)
        cn_range_put(coder, &chances[i], 1);
    if (length < 31)
        cn_range_put(coder, &chances[length], 0);
    cn_range_put_direct(coder, number, length);
}

void cn_range_end(cn_range_encoder *coder)
{
    /* Any number of [low, low + range) will do: the one with most zeros at its end. */
    for (unsigned zeros = 32; zeros-- > 0;) {
        uint64_t mask = (UINT64_C(1) << zeros) - 1;
        uint64_t number = (coder->low + mask) & ~mask;
        if (number < coder->low + coder->range) {
            coder->low = number;
            break;
        }
    }
    for (unsigned i = 0; i < 5; i++)
        shift_low(coder);
    if (coder->out->status != CAIRN_OK)
        return;
    const uint8_t *bytes = coder->out->bytes;
    while (coder->out->size > coder->start && bytes[coder->out->size - 1] == 0)
        coder->out->size--;
}
