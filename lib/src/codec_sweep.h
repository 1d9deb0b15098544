/* Level 5: sweeps, the heart of the seeds codec: costs carried over the map row by row. */
#ifndef CN_CODEC_SWEEP_H
#define CN_CODEC_SWEEP_H

#include "codec_parts.h"

/* A cell whose cost is given. */
typedef struct cn_seed {
    uint32_t x;
    uint32_t y;
    uint32_t cost;
} cn_seed;

typedef struct cn_sweep_plan {
    unsigned passes;
    bool up_first;    /* passes alternate between down and up */
} cn_sweep_plan;

enum { CN_PASSES_MAX = 8 };

/* Sweeps of 32-bit costs cannot saturate, so nothing may come near the end of the range. */
#define CN_SWEEP_NEVER ((uint32_t)0x7fffffff)
#define CN_SWEEP_STEP_MAX ((uint32_t)1 << 24)

/* Whether the metric lets these entries be swept. */
bool cn_sweep_is_possible(const cn_codec_frame *frame);

/* Fills a plane from seeds, which are in the order of their nodes. All open cells receive a
 * cost that some path from a seed has, or remain unreachable. */
void cn_sweep(const cn_codec_frame *frame, cn_sweep_plan plan, const cn_seed *seeds, size_t count,
              void *plane);

/* The directions that a cost can come from. */
enum cn_origin {
    CN_FROM_N, CN_FROM_NW, CN_FROM_NE, CN_FROM_S, CN_FROM_SW, CN_FROM_SE, CN_FROM_W, CN_FROM_E,
    CN_ORIGINS
};

/* Finds, for every cell of a row, from which neighbours its cost comes: bit x of tight[origin] is
 * set when the neighbour's cost and the step make the cost of the cell. Each has as many words as
 * the row has. */
void cn_sweep_find_tight(const cn_codec_frame *frame, const void *plane, uint32_t y,
                         uint64_t *const tight[CN_ORIGINS]);

/* One row of a pass, and the tight steps of a row, by entry width and instructions. */
typedef struct cn_sweep_row {
    const cn_codec_frame *frame;
    void *costs;           /* of the row */
    const void *from;      /* of the row that costs come from */
    const uint64_t *open;
    const uint64_t *open_from;
} cn_sweep_row;

typedef void cn_sweep_row_function(const cn_sweep_row *row);
typedef void cn_tight_row_function(const cn_sweep_row *row, uint64_t *straight, uint64_t *west,
                                   uint64_t *east);
typedef void cn_level_row_function(const cn_sweep_row *row, uint64_t *west, uint64_t *east);

typedef struct cn_sweep_engine {
    cn_sweep_row_function *sweep;
    cn_tight_row_function *tight;   /* from the other row: from its N, NW and NE, if it is above */
    cn_level_row_function *level;   /* along the row: from W and E */
} cn_sweep_engine;

extern const cn_sweep_engine cn_sweep_portable_16, cn_sweep_portable_32;
#if CN_CPU_X86
extern const cn_sweep_engine cn_sweep_avx2_16, cn_sweep_avx2_32;
extern const cn_sweep_engine cn_sweep_avx512_16, cn_sweep_avx512_32;
#endif

/* For 64 cells of a row: where steps from the other row lead. */
typedef struct cn_step_bits {
    uint64_t straight;  /* from the cell at the same column */
    uint64_t west;      /* from the column before */
    uint64_t east;      /* from the column behind */
} cn_step_bits;

CN_ALWAYS_INLINE uint64_t cn_bits_before(const uint64_t *words)
{
    return words[0] << 1 | words[-1] >> 63;
}

CN_ALWAYS_INLINE uint64_t cn_bits_behind(const uint64_t *words)
{
    return words[0] >> 1 | words[1] << 63;
}

/* A diagonal step needs both cells beside it open. */
CN_ALWAYS_INLINE cn_step_bits cn_steps_from(const uint64_t *open, const uint64_t *open_from)
{
    uint64_t straight = open[0] & open_from[0];
    return (cn_step_bits){
        .straight = straight,
        .west = straight & cn_bits_before(open) & cn_bits_before(open_from),
        .east = straight & cn_bits_behind(open) & cn_bits_behind(open_from),
    };
}

CN_ALWAYS_INLINE size_t cn_row_words(const cn_codec_frame *frame)
{
    return frame->open_stride - 2;
}

#endif
