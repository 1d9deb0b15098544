/* Sweeps in plain C: what the vector versions must agree with. */
#include "codec_sweep.h"

CN_ALWAYS_INLINE uint32_t never(unsigned bits)
{
    return bits == 16 ? UINT16_MAX : CN_SWEEP_NEVER;
}

/* 16-bit costs stop at all ones. */
CN_ALWAYS_INLINE uint32_t cost_after(const void *costs, size_t x, uint32_t step, unsigned bits)
{
    uint32_t cost = cn_entry_get(costs, x, bits) + step;
    return bits == 16 && cost > UINT16_MAX ? UINT16_MAX : cost;
}

CN_ALWAYS_INLINE uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

CN_ALWAYS_INLINE bool is_set(const uint64_t *words, size_t x)
{
    return words[x / 64] >> x % 64 & 1;
}

CN_ALWAYS_INLINE void take_from_other_row(const cn_sweep_row *row, unsigned bits)
{
    const cairn_metric metric = row->frame->metric;
    const void *from = row->from;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        cn_step_bits steps = cn_steps_from(row->open + word, row->open_from + word);
        uint64_t left = steps.straight;
        for (; left; left &= left - 1) {
            unsigned bit = cn_lowest_bit(left);
            size_t x = word * 64 + bit;
            uint32_t cost = cn_entry_get(row->costs, x, bits);
            cost = lesser(cost, cost_after(from, x, metric.straight, bits));
            if (steps.west >> bit & 1)
                cost = lesser(cost, cost_after(from, x - 1, metric.diagonal, bits));
            if (steps.east >> bit & 1)
                cost = lesser(cost, cost_after(from, x + 1, metric.diagonal, bits));
            cn_entry_put(row->costs, x, bits, cost);
        }
    }
}

CN_ALWAYS_INLINE void spread_along(const cn_sweep_row *row, unsigned bits)
{
    uint32_t step = row->frame->metric.straight, cost = never(bits);
    uint32_t width = row->frame->map->grid.width;

    for (uint32_t x = 0; x < width; x++) {
        if (!is_set(row->open, x)) {
            cost = never(bits);
            continue;
        }
        cost = lesser(cost + step, cn_entry_get(row->costs, x, bits));
        cn_entry_put(row->costs, x, bits, cost);
    }
    cost = never(bits);
    for (uint32_t x = width; x-- > 0;) {
        if (!is_set(row->open, x)) {
            cost = never(bits);
            continue;
        }
        cost = lesser(cost + step, cn_entry_get(row->costs, x, bits));
        cn_entry_put(row->costs, x, bits, cost);
    }
}

CN_ALWAYS_INLINE void sweep(const cn_sweep_row *row, unsigned bits)
{
    take_from_other_row(row, bits);
    spread_along(row, bits);
}

CN_ALWAYS_INLINE void tight(const cn_sweep_row *row, uint64_t *straight, uint64_t *west,
                            uint64_t *east, unsigned bits)
{
    const cairn_metric metric = row->frame->metric;
    const void *from = row->from;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        cn_step_bits steps = cn_steps_from(row->open + word, row->open_from + word);
        uint64_t left = steps.straight;
        cn_step_bits found = {0, 0, 0};
        for (; left; left &= left - 1) {
            unsigned bit = cn_lowest_bit(left);
            size_t x = word * 64 + bit;
            uint32_t cost = cn_entry_get(row->costs, x, bits);
            uint64_t n = cost_after(from, x, metric.straight, bits) == cost;
            uint64_t w = cost_after(from, x - 1, metric.diagonal, bits) == cost;
            uint64_t e = cost_after(from, x + 1, metric.diagonal, bits) == cost;
            found.straight |= n << bit;
            found.west |= w << bit;
            found.east |= e << bit;
        }
        straight[word] = found.straight;
        west[word] = found.west & steps.west;
        east[word] = found.east & steps.east;
    }
}

CN_ALWAYS_INLINE void level(const cn_sweep_row *row, uint64_t *west, uint64_t *east, unsigned bits)
{
    uint32_t step = row->frame->metric.straight;

    for (size_t word = 0; word < cn_row_words(row->frame); word++) {
        uint64_t left = row->open[word], from_west = 0, from_east = 0;
        for (; left; left &= left - 1) {
            unsigned bit = cn_lowest_bit(left);
            size_t x = word * 64 + bit;
            uint32_t cost = cn_entry_get(row->costs, x, bits);
            uint64_t w = cost_after(row->costs, x - 1, step, bits) == cost;
            uint64_t e = cost_after(row->costs, x + 1, step, bits) == cost;
            from_west |= w << bit;
            from_east |= e << bit;
        }
        west[word] = from_west & cn_bits_before(row->open + word);
        east[word] = from_east & cn_bits_behind(row->open + word);
    }
}

static void sweep_16(const cn_sweep_row *row)
{
    sweep(row, 16);
}

static void sweep_32(const cn_sweep_row *row)
{
    sweep(row, 32);
}

static void tight_16(const cn_sweep_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    tight(row, straight, west, east, 16);
}

static void tight_32(const cn_sweep_row *row, uint64_t *straight, uint64_t *west, uint64_t *east)
{
    tight(row, straight, west, east, 32);
}

static void level_16(const cn_sweep_row *row, uint64_t *west, uint64_t *east)
{
    level(row, west, east, 16);
}

static void level_32(const cn_sweep_row *row, uint64_t *west, uint64_t *east)
{
    level(row, west, east, 32);
}

const cn_sweep_engine cn_sweep_portable_16 = {sweep_16, tight_16, level_16};
const cn_sweep_engine cn_sweep_portable_32 = {sweep_32, tight_32, level_32};
