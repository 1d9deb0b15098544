/* Level 5: which cells of a row become seeds, and seeds as bytes. */
#ifndef CN_CODEC_SEEDS_H
#define CN_CODEC_SEEDS_H

#include "codec_sweep.h"

/* The plans that a writer chooses from; sets of them are bits. */
enum { CN_PLANS = 4 };
extern const cn_sweep_plan cn_seed_plans[CN_PLANS];

typedef struct cn_seed_choice {
    cn_sweep_plan plan;
    const uint64_t *chosen;  /* bits of the cells, laid out as frame->open is */
    uint64_t *memory;        /* the caller's */
} cn_seed_choice;

/* Finds the plan of the set that needs the fewest seeds, and those: cells whose costs make the
 * sweeps give the whole row. Landmarks are not among them. CAIRN_E_INEXACT when there are none:
 * then the row is not made of exact costs. */
cairn_status cn_seeds_choose(const cn_codec_frame *frame, const void *plane,
                             cn_row_landmarks landmarks, unsigned plans, cn_seed_choice *choice);

/* How many seeds each plan needs. */
cairn_status cn_seeds_survey(const cn_codec_frame *frame, const void *plane,
                             cn_row_landmarks landmarks, size_t counts[CN_PLANS]);

/* Seeds that were read, landmarks among them; from the memory of the frame. */
typedef struct cn_seed_list {
    cn_sweep_plan plan;
    void *seeds;  /* cn_seed */
    size_t count;
    size_t capacity;
} cn_seed_list;

/* Reads seeds from bytes that are not trusted. The list is the caller's also after a failure. */
cairn_status cn_seeds_read(const cn_codec_frame *frame, const uint8_t *bytes, size_t size,
                           cn_row_landmarks landmarks, cn_seed_list *list);

#endif
