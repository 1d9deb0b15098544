#include "codec_tight.h"

/* 16-bit costs stop at all ones. */
CN_ALWAYS_INLINE uint32_t cost_after(const void *costs, size_t x, uint32_t step, unsigned bits)
{
    uint32_t cost = cn_entry_get(costs, x, bits) + step;
    return bits == 16 && cost > UINT16_MAX ? UINT16_MAX : cost;
}

/* Sets `bit` of *tight if the step from x is tight; adds to *less if it makes less. */
CN_ALWAYS_INLINE void look(const void *costs, size_t x, uint32_t step, uint32_t cost,
                           unsigned bits, unsigned bit, uint64_t *tight, uint64_t *less)
{
    uint32_t after = cost_after(costs, x, step, bits);
    *tight |= (uint64_t)(after == cost) << bit;
    *less |= (uint64_t)(after < cost);
}

CN_ALWAYS_INLINE bool across(const cn_tight_row *row, uint64_t *straight, uint64_t *west,
                             uint64_t *east, unsigned bits)
{
    const cairn_metric metric = row->metric;
    uint64_t less = 0;

    for (size_t word = 0; word < row->words; word++) {
        cn_step_bits from = cn_steps_from(row->open + word, row->open_from + word);
        cn_step_bits found = {0, 0, 0};
        for (uint64_t left = from.straight; left; left &= left - 1) {
            unsigned bit = cn_lowest_bit(left);
            size_t x = word * 64 + bit;
            uint32_t cost = cn_entry_get(row->costs, x, bits);
            look(row->from, x, metric.straight, cost, bits, bit, &found.straight, &less);
            if (from.west >> bit & 1)
                look(row->from, x - 1, metric.diagonal, cost, bits, bit, &found.west, &less);
            if (from.east >> bit & 1)
                look(row->from, x + 1, metric.diagonal, cost, bits, bit, &found.east, &less);
        }
        straight[word] = found.straight;
        west[word] = found.west;
        east[word] = found.east;
    }
    return !less;
}

CN_ALWAYS_INLINE bool along(const cn_tight_row *row, uint64_t *west, uint64_t *east, unsigned bits)
{
    uint32_t step = row->metric.straight;
    uint64_t less = 0;

    for (size_t word = 0; word < row->words; word++) {
        uint64_t open = row->open[word], from_west = 0, from_east = 0;
        uint64_t before = cn_bits_before(row->open + word);
        uint64_t behind = cn_bits_behind(row->open + word);
        for (uint64_t left = open; left; left &= left - 1) {
            unsigned bit = cn_lowest_bit(left);
            size_t x = word * 64 + bit;
            uint32_t cost = cn_entry_get(row->costs, x, bits);
            if (before >> bit & 1)
                look(row->costs, x - 1, step, cost, bits, bit, &from_west, &less);
            if (behind >> bit & 1)
                look(row->costs, x + 1, step, cost, bits, bit, &from_east, &less);
        }
        west[word] = from_west;
        east[word] = from_east;
    }
    return !less;
}

static bool across_16(const cn_tight_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    return across(row, straight, west, east, 16);
}

static bool across_32(const cn_tight_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    return across(row, straight, west, east, 32);
}

static bool along_16(const cn_tight_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    (void)straight;
    return along(row, west, east, 16);
}

static bool along_32(const cn_tight_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    (void)straight;
    return along(row, west, east, 32);
}

static const cn_tight_engine portable = {{across_16, across_32}, {along_16, along_32}};

static const cn_tight_engine *engine_for(const cn_codec_frame *frame)
{
#if CN_CPU_X86
    if (frame->cpu >= CN_CPU_AVX512)
        return &cn_tight_avx512;
    if (frame->cpu >= CN_CPU_AVX2)
        return &cn_tight_avx2;
#endif
    (void)frame;
    return &portable;
}

/* The row itself, and the one that steps come from, so many rows below. */
static cn_tight_row row_at(const cn_codec_frame *frame, const void *plane, uint32_t y, int below)
{
    size_t row_size = frame->stride * (frame->bits / 8);
    const uint8_t *costs = (const uint8_t *)plane + y * row_size;
    const uint64_t *open = frame->open + y * frame->open_stride;
    return (cn_tight_row){
        .costs = costs,
        .from = below < 0 ? costs - row_size : costs + row_size,
        .open = open,
        .open_from = below < 0 ? open - frame->open_stride : open + frame->open_stride,
        .words = cn_row_words(frame),
        .metric = frame->metric,
    };
}

bool cn_tight_find(const cn_codec_frame *frame, const void *plane, uint32_t y,
                   uint64_t *const tight[CN_ORIGINS])
{
    const cn_tight_engine *engine = engine_for(frame);
    cn_tight_row above = row_at(frame, plane, y, -1), below = row_at(frame, plane, y, 1);
    unsigned width = frame->bits == 32;

    bool sound = engine->across[width](&above, tight[CN_FROM_N], tight[CN_FROM_NW],
                                       tight[CN_FROM_NE]);
    sound &= engine->across[width](&below, tight[CN_FROM_S], tight[CN_FROM_SW],
                                   tight[CN_FROM_SE]);
    sound &= engine->along[width](&above, NULL, tight[CN_FROM_W], tight[CN_FROM_E]);
    return sound;
}
