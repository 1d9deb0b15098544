/* The choice of seeds in a row, and seeds as bytes. */
#ifndef CN_CODEC_SEEDS_H
#define CN_CODEC_SEEDS_H

#include "codec/sweep.h"

/* What a writer can choose: a plan, or the better of its two directions. */
typedef struct cn_seed_style {
    cn_sweep_plan plan;
    bool either_way;
} cn_seed_style;
extern const cn_seed_style cn_seed_styles[CN_STYLES];

/* How many passes a reader needs to sweep rows of both styles, which may be the same, together. */
unsigned cn_seed_passes_together(cn_style style, cn_style other);

/* Memory for choosing seeds, for rows of one layout, by one thread. */
typedef struct cn_seed_work cn_seed_work;
cairn_status cn_seed_work_new(const cn_codec_layout *layout, cn_seed_work **work);
void cn_seed_work_free(cn_seed_work *work);

/* The bytes of that for a map. */
uint64_t cn_seed_work_memory(const cairn_map *map);

/* Examines a row; the plane must not change while seeds are chosen for it. CAIRN_E_INEXACT: it is
 * not made of exact costs. */
cairn_status cn_seeds_examine(cn_seed_work *work, const cn_unpacked_row *row);

/* Chooses a plan of that style, and the seeds: cells from whose costs its sweeps compute the whole
 * row. Passes at the end that change nothing are left out. Landmarks are not among the seeds.
 * *count becomes their number. CAIRN_E_LIMIT when they are more than `most`; CAIRN_E_INEXACT when
 * no seeds give the row, because it is not made of exact costs. */
cairn_status cn_seeds_choose(cn_seed_work *work, cn_style style, size_t most, cn_sweep_plan *plan,
                             size_t *count);

/* Writes the *count seeds of the last choice. */
void cn_seeds_list(const cn_seed_work *work, cn_seed *seeds);

/* A seed takes about 28 bits. No writer produces bytes with more than this many seeds in a byte. */
enum { CN_SEEDS_IN_A_BYTE = 64 };

/* Codes seeds as bytes. CAIRN_E_INEXACT where they are more than that. */
cairn_status cn_seeds_write(const cn_codec_layout *layout, cn_sweep_plan plan, const cn_seed *seeds,
                            size_t count, cn_packed *packed);

/* Seeds that have been read, with the landmarks; from the allocator of the layout. */
typedef struct cn_seed_list {
    cn_sweep_plan plan;
    cn_seed *seeds;
    size_t count;
} cn_seed_list;

/* Reads the seeds of a row from untrusted bytes. The caller frees the list, also after a
 * failure. */
cairn_status cn_seeds_read(const cn_codec_layout *layout, const cn_coded_row *row,
                           cn_seed_list *list);

#endif
