/* Rows into bytes: by seeds wherever there are any, else by the predictor or as they are. */
#include <string.h>

#include "codec.h"
#include "codec_parts.h"
#include "codec_seeds.h"

struct cn_packer {
    const cn_codec_frame *frame;
    cn_seed_work *seeds;
    void *plane;           /* of the codec; NULL until one is needed */
    void *list;            /* cn_seed */
    size_t list_capacity;
};

cairn_status cn_packer_new(const cn_codec_frame *frame, cn_packer **packer)
{
    cn_packer *made = cn_zeroed(&frame->mem, 1, sizeof *made);
    cairn_status status = made ? CAIRN_OK : CAIRN_E_MEMORY;

    if (made)
        made->frame = frame;
    if (made && CN_HAS_SEEDS && cn_sweep_is_possible(frame))
        status = cn_seed_work_new(frame, &made->seeds);
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
    const cn_mem mem = packer->frame->mem;
    cn_seed_work_free(packer->seeds);
    cn_codec_plane_free(packer->frame, packer->plane);
    cn_release(&mem, packer->list);
    cn_release(&mem, packer);
}

/* --------------------------------------------------------------------------------- planes -- */

static bool need_plane(cn_packer *packer)
{
    if (!packer->plane)
        packer->plane = cn_codec_plane_new(packer->frame);
    return packer->plane;
}

/* The row as the codecs without seeds want it. */
static cairn_status fill_plane(cn_packer *packer, const cn_plane *costs)
{
    const cn_grid *grid = &packer->frame->map->grid;
    const size_t line = packer->frame->stride * (packer->frame->bits / 8);

    if (!need_plane(packer))
        return CAIRN_E_MEMORY;
    if (costs->costs == packer->plane)
        return CAIRN_OK;
    for (uint32_t y = 0; y < grid->height; y++) {
        cn_plane_run run = {.y = y, .count = grid->width, .never = cn_entry_never(32),
                            .entries = (uint8_t *)packer->plane + y * line};
        cn_plane_get(costs, &run);
    }
    return CAIRN_OK;
}

static void gather_row(const cn_codec_frame *frame, const cairn_table *table, uint32_t row,
                       void *plane)
{
    const uint32_t never = cn_entry_never(32);
    cairn_node node = 0;

    for (uint32_t y = 0; y < table->height; y++) {
        size_t to = y * frame->stride;
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

/* A row of a table as one that is to be packed; the plane is the packer's. */
static cairn_status row_of_table(cn_packer *packer, const cairn_table *table, uint32_t row,
                                 cn_plane *costs, cn_plain_row *plain)
{
    if (!need_plane(packer))
        return CAIRN_E_MEMORY;
    gather_row(packer->frame, table, row, packer->plane);
    *costs = (cn_plane){.costs = packer->plane, .bits = table->entry_bits, .lane_shift = 31,
                        .band = packer->frame->stride, .columns = 1};
    *plain = (cn_plain_row){.costs = costs, .way = cn_table_way(table, row)};
    plain->landmarks.count = cairn_table_landmarks(table, row, &plain->landmarks.nodes);
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- codecs -- */

static cairn_status pack_raw(cn_packer *packer, const cn_plain_row *row, cn_packed *packed)
{
    cairn_status status = fill_plane(packer, row->costs);
    return status == CAIRN_OK ? cn_raw_pack(packer->frame, packer->plane, packed) : status;
}

static cairn_status pack_predictor(cn_packer *packer, const cn_plain_row *row, cn_packed *packed)
{
    if (!CN_HAS_PREDICTOR)
        return pack_raw(packer, row, packed);
    cairn_status status = fill_plane(packer, row->costs);
    return status == CAIRN_OK ? cn_predictor_pack(packer->frame, packer->plane, row->way, packed)
                              : status;
}

/* Entries that do not shrink stay raw, where that may be. */
static cairn_status keep_smaller(cn_packer *packer, const cn_plain_row *row, cairn_codec codec,
                                 cn_packed *packed)
{
    const cn_codec_frame *frame = packer->frame;
    size_t raw_size = (size_t)frame->map->grid.open_count * (frame->bits / 8);

    if (codec != CAIRN_CODEC_BEST || packed->size < raw_size)
        return CAIRN_OK;
    cn_release(&frame->mem, packed->bytes);
    return pack_raw(packer, row, packed);
}

/* With seeds, at most so many; the row was looked at. *count is how many. */
static cairn_status pack_style(cn_packer *packer, unsigned style, size_t most, size_t *count,
                               cn_packed *packed)
{
    const cn_codec_frame *frame = packer->frame;
    cn_sweep_plan plan;
    cairn_status status = cn_seeds_choose(packer->seeds, style, most, &plan, count);

    if (status != CAIRN_OK)
        return status;
    if (!cn_grow(&frame->mem, &packer->list, &packer->list_capacity, 0, *count, sizeof(cn_seed)))
        return CAIRN_E_MEMORY;
    cn_seeds_list(packer->seeds, packer->list);
    return cn_seeds_write(frame, plan, packer->list, *count, packed);
}

static cairn_status look(cn_packer *packer, const cn_plain_row *row)
{
    return packer->seeds ? cn_seeds_look(packer->seeds, row->costs, row->landmarks)
                         : CAIRN_E_INEXACT;
}

static cairn_status pack_seeds(cn_packer *packer, const cn_plain_row *row, unsigned style,
                               cn_packed *packed)
{
    size_t count;
    cairn_status status = look(packer, row);
    if (status == CAIRN_OK)
        status = pack_style(packer, style, packer->frame->map->grid.open_count, &count, packed);
    if (status == CAIRN_E_INEXACT || status == CAIRN_E_LIMIT)
        status = pack_predictor(packer, row, packed);
    return status;
}

cairn_status cn_pack_row(cn_packer *packer, const cn_plain_row *row, cn_pack_way way,
                         cn_packed *packed)
{
    *packed = (cn_packed){0};
    if (way.codec == CAIRN_CODEC_RAW)
        return pack_raw(packer, row, packed);
    if (way.codec == CAIRN_CODEC_PREDICTOR)
        return pack_predictor(packer, row, packed);
    cairn_status status = pack_seeds(packer, row, way.style, packed);
    return status == CAIRN_OK ? keep_smaller(packer, row, way.codec, packed) : status;
}

cairn_status cn_pack_table_row(cn_packer *packer, const cairn_table *table, uint32_t row,
                               cn_pack_way way, cn_packed *packed)
{
    cn_plane costs;
    cn_plain_row plain;
    cairn_status status = row_of_table(packer, table, row, &costs, &plain);
    return status == CAIRN_OK ? cn_pack_row(packer, &plain, way, packed) : status;
}

/* ---------------------------------------------------------------------------- the survey -- */

enum {
    SEED_BITS = 28,            /* about what a seed takes */
    CELLS_FOR_A_PASS_BIT = 64  /* a pass has to save one bit for so many cells */
};

void cn_survey_init(cn_survey *survey, const cn_codec_frame *frame, cairn_codec codec,
                    uint32_t row_count)
{
    bool seeds = codec == CAIRN_CODEC_BEST || codec == CAIRN_CODEC_SEEDS;
    memset(survey, 0, sizeof *survey);
    survey->codec = codec;
    if (seeds && CN_HAS_SEEDS && cn_sweep_is_possible(frame))
        survey->row_count = row_count < CN_SURVEYED_ROWS ? row_count : CN_SURVEYED_ROWS;
}

void cn_survey_free(cn_survey *survey, const cn_mem *mem)
{
    for (uint32_t row = 0; row < CN_SURVEYED_ROWS; row++) {
        for (unsigned style = 0; style < CN_STYLES; style++) {
            cn_release(mem, survey->rows[row].packed[style].bytes);
            survey->rows[row].packed[style] = (cn_packed){0};
        }
    }
}

/* In bits: what a pass costs the reader counts as well. */
static uint64_t price_of(const cn_codec_frame *frame, unsigned style, size_t seed_count)
{
    return (uint64_t)seed_count * SEED_BITS +
           (uint64_t)cn_seed_styles[style].passes * frame->map->grid.open_count /
               CELLS_FOR_A_PASS_BIT;
}

/* How many seeds a style may need before it costs twice as much as the best so far. */
static size_t worth_trying(const cn_codec_frame *frame, unsigned style, uint64_t best)
{
    uint64_t passes = price_of(frame, style, 0), most = 2 * best;
    uint64_t seeds = most > passes ? (most - passes) / SEED_BITS : 0;
    return seeds < frame->map->grid.open_count ? (size_t)seeds : frame->map->grid.open_count;
}

/* More passes first: they need the fewest seeds, and the fewest rounds to find them. */
static cairn_status try_styles(cn_packer *packer, const cn_plain_row *row, cairn_codec codec,
                              struct cn_surveyed *found)
{
    uint64_t best = UINT64_MAX / 2;

    for (unsigned style = CN_STYLES; style-- > 0;) {
        size_t most = worth_trying(packer->frame, style, best);
        cairn_status status = pack_style(packer, style, most, &found->counts[style],
                                        &found->packed[style]);
        if (status == CAIRN_OK)
            status = keep_smaller(packer, row, codec, &found->packed[style]);
        else if (status == CAIRN_E_LIMIT)
            found->counts[style] = most + 1;
        if (status != CAIRN_OK && status != CAIRN_E_LIMIT)
            return status;
        uint64_t price = price_of(packer->frame, style, found->counts[style]);
        best = status == CAIRN_OK && price < best ? price : best;
    }
    return best < UINT64_MAX / 2 ? CAIRN_OK : CAIRN_E_INEXACT;
}

cairn_status cn_survey_row(cn_survey *survey, cn_packer *packer, const cn_plain_row *row,
                           uint32_t index)
{
    struct cn_surveyed *found = &survey->rows[index];
    cairn_status status = look(packer, row);

    if (status == CAIRN_OK)
        status = try_styles(packer, row, survey->codec, found);
    if (status != CAIRN_E_INEXACT)
        return status;
    /* Whatever the style. */
    memset(found->counts, 0, sizeof found->counts);
    status = pack_predictor(packer, row, &found->packed[0]);
    return status == CAIRN_OK ? keep_smaller(packer, row, survey->codec, &found->packed[0])
                              : status;
}

cairn_status cn_survey_table_row(cn_survey *survey, cn_packer *packer, const cairn_table *table,
                                 uint32_t row)
{
    cn_plane costs;
    cn_plain_row plain;
    cairn_status status = row_of_table(packer, table, row, &costs, &plain);
    return status == CAIRN_OK ? cn_survey_row(survey, packer, &plain, row) : status;
}

/* The best for some of the surveyed rows. */
static cn_pack_way best_way(const cn_survey *survey, const cn_codec_frame *frame, uint32_t first,
                            uint32_t end)
{
    uint64_t least = UINT64_MAX;
    cn_pack_way way = {survey->codec, 0};

    for (unsigned style = 0; style < CN_STYLES && first < end; style++) {
        uint64_t price = 0;
        for (uint32_t row = first; row < end; row++)
            price += price_of(frame, style, survey->rows[row].counts[style]);
        if (price < least)
            way.style = style;
        least = price < least ? price : least;
    }
    return way;
}

cn_pack_way cn_survey_guess(const cn_survey *survey, const cn_codec_frame *frame, uint32_t index)
{
    return best_way(survey, frame, index, index + 1);
}

cn_pack_way cn_survey_decide(const cn_survey *survey, const cn_codec_frame *frame)
{
    return best_way(survey, frame, 0, survey->row_count);
}

cn_packed cn_survey_take(cn_survey *survey, uint32_t index, cn_pack_way way)
{
    struct cn_surveyed *found = &survey->rows[index];
    unsigned best = way.style;

    for (unsigned style = 0; style < CN_STYLES && !found->packed[way.style].bytes; style++) {
        const cn_packed *packed = &found->packed[style], *least = &found->packed[best];
        if (packed->bytes && (!least->bytes || packed->size < least->size))
            best = style;
    }
    cn_packed taken = found->packed[best];
    found->packed[best] = (cn_packed){0};
    return taken;
}
