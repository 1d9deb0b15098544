/* Which cells of a row become seeds, and seeds as bytes. */
#ifndef CN_CODEC_SEEDS_H
#define CN_CODEC_SEEDS_H

#include "codec/sweep.h"

/* What a writer chooses from: one plan, or the better of its two directions. */
typedef struct cn_seed_style {
    cn_sweep_plan plan;
    bool either_way;
} cn_seed_style;
extern const cn_seed_style cn_seed_styles[CN_STYLES];

/* How often a reader sweeps rows of both styles, which may be the same, together. */
unsigned cn_seed_passes_together(unsigned style, unsigned other);

/* Memory for the choice of seeds, for rows of one frame, by one thread at a time. */
typedef struct cn_seed_work cn_seed_work;
cairn_status cn_seed_work_new(const cn_codec_frame *frame, cn_seed_work **work);
void cn_seed_work_free(cn_seed_work *work);

/* Takes up a row; the plane must stay as it is while seeds are chosen for it. CAIRN_E_INEXACT: it
 * is not made of exact costs. */
cairn_status cn_seeds_examine(cn_seed_work *work, const cn_plane *costs,
                              cn_row_landmarks landmarks);

/* Chooses a plan of that style, and cells whose costs make its sweeps give the whole row. Passes at
 * the end that change nothing are left out; landmarks are not among the cells. *count is how many.
 * CAIRN_E_LIMIT when they are more than `most`; CAIRN_E_INEXACT when there are none: then the row
 * is not made of exact costs. */
cairn_status cn_seeds_choose(cn_seed_work *work, unsigned style, size_t most,
                             cn_sweep_plan *plan, size_t *count);

/* The seeds of the last choice, as many as *count was. */
void cn_seeds_list(const cn_seed_work *work, cn_seed *seeds);

/* A seed takes some 28 bits. A byte that means more than so many of them is of no writer. */
enum { CN_SEEDS_IN_A_BYTE = 64 };

/* Seeds as bytes. CAIRN_E_INEXACT where they are more than that. */
cairn_status cn_seeds_write(const cn_codec_frame *frame, cn_sweep_plan plan, const cn_seed *seeds,
                            size_t count, cn_packed *packed);

/* Seeds that were read, landmarks among them; from the memory of the frame. */
typedef struct cn_seed_list {
    cn_sweep_plan plan;
    cn_seed *seeds;
    size_t count;
} cn_seed_list;

/* Reads seeds from bytes that are not trusted. The list is the caller's also after a failure. */
cairn_status cn_seeds_read(const cn_codec_frame *frame, const uint8_t *bytes, size_t size,
                           cn_row_landmarks landmarks, cn_seed_list *list);

#endif
