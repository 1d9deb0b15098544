/* Packs rows: by seeds if possible, else by the predictor or raw. */
#include <string.h>

#include "codec/codec.h"
#include "codec/codec_parts.h"
#include "codec/seeds.h"

struct cn_packer {
    const cn_codec_layout *layout;
    uint32_t rows_together; /* that a reader sweeps together */
    cn_seed_work *seeds;
    void *plane; /* for the codecs without seeds; NULL until it is needed */
    cn_seed *list;
    size_t list_capacity;
};

cairn_status cn_packer_new(const cn_codec_layout *layout, uint32_t row_count, cn_packer **packer)
{
    const uint32_t lanes = CN_CHUNK_MAX * 8 / layout->bits;
    cn_packer *made = cn_zeroed(&layout->mem, 1, sizeof *made);
    cairn_status status = made ? CAIRN_OK : CAIRN_E_MEMORY;

    if (made) {
        made->layout = layout;
        made->rows_together = row_count < lanes ? row_count : lanes;
    }
    if (made && CN_HAS_SEEDS && cn_sweep_is_possible(layout))
        status = cn_seed_work_new(layout, &made->seeds);
    if (status != CAIRN_OK) {
        cn_packer_free(made);
        made = NULL;
    }
    *packer = made;
    return status;
}

void cn_packer_free(cn_packer *packer)
{
    if (!packer)
        return;
    const cn_mem mem = packer->layout->mem;
    cn_seed_work_free(packer->seeds);
    cn_codec_plane_free(packer->layout, packer->plane);
    cn_release(&mem, packer->list);
    cn_release(&mem, packer);
}

/* --------------------------------------------------------------------------------- planes -- */

static bool need_plane(cn_packer *packer)
{
    if (!packer->plane)
        packer->plane = cn_codec_plane_new(packer->layout);
    return packer->plane;
}

/* Copies the row into a plane for the codecs without seeds. */
static cairn_status fill_plane(cn_packer *packer, const cn_plane *costs)
{
    const cn_grid *grid = &packer->layout->map->grid;
    const size_t line = packer->layout->stride * (packer->layout->bits / 8);

    if (!need_plane(packer))
        return CAIRN_E_MEMORY;
    if (costs->costs == packer->plane)
        return CAIRN_OK;
    for (uint32_t y = 0; y < grid->height; y++) {
        cn_plane_run run = {.y = y,
                            .count = grid->width,
                            .never = cn_entry_never(32),
                            .entries = (uint8_t *)packer->plane + y * line};
        cn_plane_get(costs, &run);
    }
    return CAIRN_OK;
}

static void gather_row(const cn_codec_layout *layout, const cairn_table *table, uint32_t row,
                       void *plane)
{
    const uint32_t never = cn_entry_never(32);
    cairn_node node = 0;

    for (uint32_t y = 0; y < table->height; y++) {
        size_t to = y * layout->stride;
        for (uint32_t x = 0; x < table->width; x++, node++, to++) {
            size_t from = cn_table_index(table, node, row);
            if (table->entry_bits == 16) {
                ((uint16_t *)plane)[to] = ((const uint16_t *)table->entries)[from];
            } else {
                uint32_t entry = ((const uint32_t *)table->entries)[from];
                ((uint32_t *)plane)[to] = entry < never ? entry : never;
            }
        }
    }
}

/* Describes a row of a table as one that is to be packed; the plane belongs to the packer. */
static cairn_status row_of_table(cn_packer *packer, const cairn_table *table, uint32_t row,
                                 cn_plane *costs, cn_unpacked_row *unpacked)
{
    if (!need_plane(packer))
        return CAIRN_E_MEMORY;
    gather_row(packer->layout, table, row, packer->plane);
    *costs = cn_plane_of_rows(packer->plane, table->entry_bits, packer->layout->stride);
    *unpacked = (cn_unpacked_row){.costs = costs, .way = cn_table_way(table, row)};
    unpacked->landmarks.count = cairn_table_landmarks(table, row, &unpacked->landmarks.nodes);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- codecs -- */

static cairn_status pack_raw(cn_packer *packer, const cn_unpacked_row *row, cn_packed *packed)
{
    cairn_status status = fill_plane(packer, row->costs);
    return status == CAIRN_OK ? cn_raw_pack(packer->layout, packer->plane, packed) : status;
}

static cairn_status pack_predictor(cn_packer *packer, const cn_unpacked_row *row, cn_packed *packed)
{
    if (!CN_HAS_PREDICTOR)
        return pack_raw(packer, row, packed);
    cairn_status status = fill_plane(packer, row->costs);
    return status == CAIRN_OK ? cn_predictor_pack(packer->layout, packer->plane, row->way, packed)
                              : status;
}

/* Keeps entries that do not get smaller raw, if that is allowed. */
static cairn_status keep_smaller(cn_packer *packer, const cn_unpacked_row *row, cairn_codec codec,
                                 cn_packed *packed)
{
    const cn_codec_layout *layout = packer->layout;
    const size_t raw_size = cn_entries_size(layout);

    if (codec != CAIRN_CODEC_BEST || packed->size < raw_size)
        return CAIRN_OK;
    cn_release(&layout->mem, packed->bytes);
    *packed = (cn_packed){0};
    return pack_raw(packer, row, packed);
}

static cairn_status examine(cn_packer *packer, const cn_unpacked_row *row)
{
    return packer->seeds ? cn_seeds_examine(packer->seeds, row) : CAIRN_E_INEXACT;
}

/* Packs the row that was examined last with at most `most` seeds. *count becomes their number. */
static cairn_status pack_style(cn_packer *packer, cn_style style, size_t most, size_t *count,
                               cn_packed *packed)
{
    const cn_codec_layout *layout = packer->layout;
    cn_sweep_plan plan;
    cairn_status status = cn_seeds_choose(packer->seeds, style, most, &plan, count);

    if (status != CAIRN_OK)
        return status;
    if (!CN_GROW(&layout->mem, packer->list, &packer->list_capacity, 0, *count))
        return CAIRN_E_MEMORY;
    cn_seeds_list(packer->seeds, packer->list);
    return cn_seeds_write(layout, plan, packer->list, *count, packed);
}

/* --------------------------------------------------------------------------------- styles -- */

enum {
    SEED_BITS = 28,               /* approximate size of a seed */
    CELLS_FOR_A_PASS_BIT = 64,    /* a further pass has to save one bit for so many cells; */
    CELLS_WHERE_COSTS_DIFFER = 32 /* there a pass takes twice as long */
};

/* For which rows the passes of a row are counted: rows that are swept together all wait for the one
 * with most passes; a surveyed row stands for all others, and counts by itself. */
typedef struct pass_bill {
    cn_style style; /* of the rows that are swept together with it */
    uint32_t rows;  /* how many these are; 0: a surveyed row, which is charged for itself */
} pass_bill;

/* The price of a style in bits: those of its seeds, and some for the time that its passes take. */
static uint64_t price_of(const cn_codec_layout *layout, pass_bill bill, cn_style style,
                         size_t seeds)
{
    uint64_t passes = bill.rows ? (uint64_t)bill.rows * cn_seed_passes_together(style, bill.style)
                                : cn_seed_passes_together(style, style);
    const uint64_t cells = cn_map_is_even(layout->map) ? CELLS_FOR_A_PASS_BIT
                                                       : CELLS_WHERE_COSTS_DIFFER;
    return (uint64_t)seeds * SEED_BITS + passes * layout->map->grid.open_count / cells;
}

/* How many seeds a price allows after the passes. */
static size_t seeds_for(const cn_codec_layout *layout, pass_bill bill, cn_style style,
                        uint64_t price)
{
    uint64_t passes = price_of(layout, bill, style, 0);
    uint64_t seeds = price > passes ? (price - passes) / SEED_BITS : 0;
    return seeds < layout->map->grid.open_count ? (size_t)seeds : layout->map->grid.open_count;
}

/* A lower estimate of the seeds that a style needs, from those that were tried: with fewer passes
 * half as many again (on all maps that were measured, at least 1.7 times as many). */
static size_t least_seeds(const cn_surveyed *found, cn_style style)
{
    size_t least = 0;
    for (cn_style tried = 0; tried < CN_STYLES; tried++) {
        size_t seeds = found->counts[tried] + found->counts[tried] / 2;
        if (found->packed[tried].bytes && seeds > least &&
            cn_seed_styles[tried].plan.passes > cn_seed_styles[style].plan.passes)
            least = seeds;
    }
    return least;
}

/* The styles that are tried for a row, and the best so far. Those with most passes are tried first:
 * they need the fewest seeds, and the fewest rounds to find them. */
typedef struct style_trial {
    cn_packer *packer;
    const cn_unpacked_row *row;
    cairn_codec codec;
    pass_bill bill;
    cn_surveyed *found;
    uint64_t least; /* price of the best */
    cn_style best;  /* CN_STYLES: none yet */
} style_trial;

static style_trial trial_of(cn_packer *packer, const cn_unpacked_row *row, cairn_codec codec,
                            cn_surveyed *found)
{
    return (style_trial){.packer = packer,
                         .row = row,
                         .codec = codec,
                         .found = found,
                         .least = UINT64_MAX / 2,
                         .best = CN_STYLES};
}

/* Records an abandoned style as twice as expensive as the best. */
static void rule_out(style_trial *self, cn_style style)
{
    self->found->counts[style] =
        seeds_for(self->packer->layout, self->bill, style, 2 * self->least) + 1;
}

/* Tries a style unless it was tried before; abandons it when it costs more than `most`. */
static cairn_status try_style(style_trial *self, cn_style style, uint64_t most)
{
    const cn_codec_layout *layout = self->packer->layout;
    const size_t least_count = least_seeds(self->found, style);
    size_t *count = &self->found->counts[style];
    cn_packed *packed = &self->found->packed[style];
    cairn_status status = CAIRN_E_LIMIT;

    if (packed->bytes)
        return CAIRN_OK;
    if (price_of(layout, self->bill, style, least_count) < self->least)
        status = pack_style(self->packer, style, seeds_for(layout, self->bill, style, most), count,
                            packed);
    if (status == CAIRN_E_LIMIT)
        rule_out(self, style);
    if (status != CAIRN_OK)
        return status == CAIRN_E_LIMIT ? CAIRN_OK : status;
    uint64_t price = price_of(layout, self->bill, style, *count);
    if (price < self->least) {
        self->least = price;
        self->best = style;
    }
    return keep_smaller(self->packer, self->row, self->codec, packed);
}

/* The last two of three passes are like the two that begin in the other direction. The direction
 * whose two passes are better is tried first; if it is not good enough, the other is not either. */
static cairn_status try_three_passes(style_trial *self)
{
    const size_t *counts = self->found->counts;
    bool down_first = counts[CN_STYLE_TWO_UP] <= counts[CN_STYLE_TWO_DOWN];
    cn_style better = down_first ? CN_STYLE_THREE_DOWN : CN_STYLE_THREE_UP;
    cn_style worse = down_first ? CN_STYLE_THREE_UP : CN_STYLE_THREE_DOWN;

    cairn_status status = try_style(self, better, self->least);
    if (status == CAIRN_OK && self->best == better)
        return try_style(self, worse, self->least);
    rule_out(self, worse);
    return status;
}

/* Other styles may cost up to twice as much as the best: with one more surveyed row they may still
 * become the best. */
static cairn_status try_all_styles(style_trial *self)
{
    static const cn_style styles[] = {CN_STYLE_FOUR, CN_STYLE_TWO_UP, CN_STYLE_TWO_DOWN};
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < sizeof styles / sizeof *styles && status == CAIRN_OK; i++)
        status = try_style(self, styles[i], 2 * self->least);
    return status == CAIRN_OK ? try_three_passes(self) : status;
}

/* ---------------------------------------------------------------------------------- a row -- */

static void drop_packed(cn_surveyed *found, const cn_mem *mem)
{
    for (cn_style style = 0; style < CN_STYLES; style++) {
        cn_release(mem, found->packed[style].bytes);
        found->packed[style] = (cn_packed){0};
    }
}

static cairn_status pack_seeds(cn_packer *packer, const cn_unpacked_row *row, cn_packing packing,
                               cn_packed *packed)
{
    cn_surveyed found = {.counts = {0}};
    style_trial trial = trial_of(packer, row, packing.codec, &found);
    cairn_status status = examine(packer, row);

    trial.bill = (pass_bill){packing.style, packer->rows_together};
    if (status == CAIRN_OK)
        status = try_style(&trial, packing.style, trial.least);
    if (status == CAIRN_OK && packer->rows_together > 0)
        status = try_all_styles(&trial);
    if (status == CAIRN_OK && trial.best == CN_STYLES)
        status = CAIRN_E_INEXACT;
    if (status == CAIRN_OK) {
        *packed = found.packed[trial.best];
        found.packed[trial.best] = (cn_packed){0};
    }
    drop_packed(&found, &packer->layout->mem);
    return status;
}

/* Independent of style. */
static cairn_status pack_without_seeds(cn_packer *packer, const cn_unpacked_row *row,
                                       cairn_codec codec, cn_packed *packed)
{
    cairn_status status = pack_predictor(packer, row, packed);
    return status == CAIRN_OK ? keep_smaller(packer, row, codec, packed) : status;
}

cairn_status cn_pack_row(cn_packer *packer, const cn_unpacked_row *row, cn_packing packing,
                         cn_packed *packed)
{
    *packed = (cn_packed){0};
    if (packing.codec == CAIRN_CODEC_RAW)
        return pack_raw(packer, row, packed);
    if (packing.codec == CAIRN_CODEC_PREDICTOR)
        return pack_predictor(packer, row, packed);
    cairn_status status = pack_seeds(packer, row, packing, packed);
    return status == CAIRN_E_INEXACT ? pack_without_seeds(packer, row, packing.codec, packed)
                                     : status;
}

cairn_status cn_pack_table_row(cn_packer *packer, const cairn_table *table, uint32_t row,
                               cn_packing packing, cn_packed *packed)
{
    cn_plane costs;
    cn_unpacked_row unpacked;
    cairn_status status = row_of_table(packer, table, row, &costs, &unpacked);
    return status == CAIRN_OK ? cn_pack_row(packer, &unpacked, packing, packed) : status;
}

/* ---------------------------------------------------------------------------- the survey -- */

void cn_survey_init(cn_survey *survey, const cn_codec_layout *layout, cairn_codec codec,
                    uint32_t row_count)
{
    bool seeds = codec == CAIRN_CODEC_BEST || codec == CAIRN_CODEC_SEEDS;
    memset(survey, 0, sizeof *survey);
    survey->codec = codec;
    if (seeds && CN_HAS_SEEDS && cn_sweep_is_possible(layout))
        survey->row_count = row_count < CN_SURVEYED_ROWS ? row_count : CN_SURVEYED_ROWS;
}

void cn_survey_free(cn_survey *survey, const cn_mem *mem)
{
    for (uint32_t row = 0; row < CN_SURVEYED_ROWS; row++)
        drop_packed(&survey->rows[row], mem);
}

cairn_status cn_survey_row(cn_survey *survey, cn_packer *packer, const cn_unpacked_row *row,
                           uint32_t index)
{
    cn_surveyed *found = &survey->rows[index];
    style_trial trial = trial_of(packer, row, survey->codec, found);
    cairn_status status = examine(packer, row);

    if (status == CAIRN_OK)
        status = try_all_styles(&trial);
    if (status == CAIRN_OK && trial.best == CN_STYLES)
        status = CAIRN_E_INEXACT;
    if (status != CAIRN_E_INEXACT)
        return status;
    drop_packed(found, &packer->layout->mem);
    memset(found->counts, 0, sizeof found->counts);
    return pack_without_seeds(packer, row, survey->codec, &found->packed[0]);
}
cairn_status cn_survey_table_row(cn_survey *survey, cn_packer *packer, const cairn_table *table,
                                 uint32_t row)
{
    cn_plane costs;
    cn_unpacked_row unpacked;
    cairn_status status = row_of_table(packer, table, row, &costs, &unpacked);
    return status == CAIRN_OK ? cn_survey_row(survey, packer, &unpacked, row) : status;
}

/* The best style for some of the surveyed rows together. */
static cn_packing best_packing(const cn_survey *survey, const cn_codec_layout *layout,
                               uint32_t first, uint32_t end)
{
    uint64_t least = UINT64_MAX;
    cn_packing packing = {survey->codec, 0};

    for (cn_style style = 0; style < CN_STYLES && first < end; style++) {
        uint64_t price = 0;
        for (uint32_t row = first; row < end; row++)
            price += price_of(layout, (pass_bill){0}, style, survey->rows[row].counts[style]);
        if (price < least)
            packing.style = style;
        least = price < least ? price : least;
    }
    return packing;
}

cn_packing cn_survey_guess(const cn_survey *survey, const cn_codec_layout *layout, uint32_t index)
{
    return best_packing(survey, layout, index, index + 1);
}

cn_packing cn_survey_decide(const cn_survey *survey, const cn_codec_layout *layout)
{
    return best_packing(survey, layout, 0, survey->row_count);
}

cn_packed cn_survey_take(cn_survey *survey, uint32_t index, cn_packing packing)
{
    cn_surveyed *found = &survey->rows[index];
    cn_style best = packing.style;

    for (cn_style style = 0; style < CN_STYLES && !found->packed[packing.style].bytes; style++) {
        const cn_packed *packed = &found->packed[style], *least = &found->packed[best];
        if (packed->bytes && (!least->bytes || packed->size < least->size))
            best = style;
    }
    cn_packed taken = found->packed[best];
    found->packed[best] = (cn_packed){0};
    return taken;
}
