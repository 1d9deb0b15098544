/* Level 5: which cells of a row become seeds. */
#ifndef CN_CODEC_SEEDS_H
#define CN_CODEC_SEEDS_H

#include "codec_sweep.h"

typedef struct cn_seed_choice {
    cn_sweep_plan plan;
    size_t count;
    const uint64_t *chosen;    /* bits of the cells, laid out as frame->open is */
    uint64_t *chosen_memory;   /* the caller's */
} cn_seed_choice;

/* Finds a plan, and cells with which its sweeps give the row. Landmarks are not among them.
 * CAIRN_E_INEXACT when there are none: then the row is not made of exact costs. */
cairn_status cn_seeds_choose(const cn_codec_frame *frame, const void *plane,
                             cn_row_landmarks landmarks, cn_seed_choice *choice);

#endif
