#include "codec_sweep.h"

#include <string.h>

bool cn_sweep_is_possible(const cn_codec_frame *frame)
{
    return frame->metric.diagonal <= (frame->bits == 16 ? UINT16_MAX : CN_SWEEP_STEP_MAX);
}

static const cn_sweep_engine *engine_for(const cn_codec_frame *frame)
{
    bool wide = frame->bits == 32;
#if CN_CPU_X86
    if (frame->cpu >= CN_CPU_AVX512)
        return wide ? &cn_sweep_avx512_32 : &cn_sweep_avx512_16;
    if (frame->cpu >= CN_CPU_AVX2)
        return wide ? &cn_sweep_avx2_32 : &cn_sweep_avx2_16;
#endif
    return wide ? &cn_sweep_portable_32 : &cn_sweep_portable_16;
}

static cn_sweep_row row_at(const cn_codec_frame *frame, const void *plane, uint32_t y, int step)
{
    size_t row_size = frame->stride * (frame->bits / 8);
    uint8_t *costs = (uint8_t *)(uintptr_t)plane + y * row_size;
    const uint64_t *open = frame->open + y * frame->open_stride;
    return (cn_sweep_row){
        .frame = frame,
        .costs = costs,
        .from = step < 0 ? costs - row_size : costs + row_size,
        .open = open,
        .open_from = step < 0 ? open - frame->open_stride : open + frame->open_stride,
    };
}

static void clear_row(const cn_sweep_row *row)
{
    size_t count = row->frame->stride;
    if (row->frame->bits == 16) {
        memset(row->costs, 0xff, count * sizeof(uint16_t));
        return;
    }
    uint32_t *costs = row->costs;
    for (size_t i = 0; i < count; i++)
        costs[i] = CN_SWEEP_NEVER;
}

/* Places the seeds of row y; `next` is the first that has not been placed, from either end. */
static size_t place_down(const cn_sweep_row *row, uint32_t y, const cn_seed *seeds, size_t next,
                         size_t count)
{
    for (; next < count && seeds[next].y == y; next++)
        cn_entry_put(row->costs, seeds[next].x, row->frame->bits, seeds[next].cost);
    return next;
}

static size_t place_up(const cn_sweep_row *row, uint32_t y, const cn_seed *seeds, size_t left)
{
    for (; left > 0 && seeds[left - 1].y == y; left--)
        cn_entry_put(row->costs, seeds[left - 1].x, row->frame->bits, seeds[left - 1].cost);
    return left;
}

/* The first pass finds the plane as the last row left it, and clears each row when it is about to
 * be swept, while it is in the cache. The row it comes from is clear from before. */
static void sweep_down(const cn_sweep_engine *engine, const cn_codec_frame *frame, bool first,
                       const cn_seed *seeds, size_t count, void *plane)
{
    size_t next = 0;
    for (uint32_t y = 0; y < frame->map->grid.height; y++) {
        cn_sweep_row row = row_at(frame, plane, y, -1);
        if (first) {
            clear_row(&row);
            next = place_down(&row, y, seeds, next, count);
        }
        engine->sweep(&row);
    }
}

static void sweep_up(const cn_sweep_engine *engine, const cn_codec_frame *frame, bool first,
                     const cn_seed *seeds, size_t count, void *plane)
{
    size_t left = count;
    for (uint32_t y = frame->map->grid.height; y-- > 0;) {
        cn_sweep_row row = row_at(frame, plane, y, 1);
        if (first) {
            clear_row(&row);
            left = place_up(&row, y, seeds, left);
        }
        engine->sweep(&row);
    }
}

void cn_sweep(const cn_codec_frame *frame, cn_sweep_plan plan, const cn_seed *seeds, size_t count,
              void *plane)
{
    const cn_sweep_engine *engine = engine_for(frame);

    for (unsigned pass = 0; pass < plan.passes; pass++) {
        if (plan.up_first == !(pass & 1))
            sweep_up(engine, frame, pass == 0, seeds, count, plane);
        else
            sweep_down(engine, frame, pass == 0, seeds, count, plane);
    }
}

void cn_sweep_find_tight(const cn_codec_frame *frame, const void *plane, uint32_t y,
                         uint64_t *const tight[CN_ORIGINS])
{
    const cn_sweep_engine *engine = engine_for(frame);
    cn_sweep_row above = row_at(frame, plane, y, -1), below = row_at(frame, plane, y, 1);

    engine->tight(&above, tight[CN_FROM_N], tight[CN_FROM_NW], tight[CN_FROM_NE]);
    engine->tight(&below, tight[CN_FROM_S], tight[CN_FROM_SW], tight[CN_FROM_SE]);
    engine->level(&above, tight[CN_FROM_W], tight[CN_FROM_E]);
}
