#include "codec.h"

#include <string.h>
#include <zlib.h>

#include "codec_bits.h"
#include "codec_parts.h"
#include "codec_seeds.h"
#include "deflate.h"
#include "tasks.h"

enum { FRONT = 64 };  /* bytes before and after a plane */

/* ------------------------------------------------------------------------------- frames -- */

cairn_status cn_codec_frame_init(cn_codec_frame *frame, const cairn_map *map, cairn_metric metric,
                                 unsigned bits, const cn_mem *mem)
{
    const cn_grid *grid = &map->grid;
    size_t lanes = 512 / bits;
    uint32_t least, most;

    cn_rules_range(&grid->rules, &least, &most);
    *frame = (cn_codec_frame){
        .mem = *mem,
        .map = map,
        .metric = metric,
        .bits = bits,
        .straight_most = metric.straight * map->unit * most,
        .cpu = cn_cpu_level(),
        .stride = (grid->width + lanes - 1) / lanes * lanes,
        .open = grid->open,
        .open_stride = grid->open_stride,
    };
    return map->roads ? cn_predictor_graph_order(frame) : CAIRN_OK;
}

void cn_codec_frame_free(cn_codec_frame *frame)
{
    cn_release(&frame->mem, frame->order);
    cn_release(&frame->mem, frame->position);
    frame->order = NULL;
    frame->position = NULL;
}

/* The rows beside the map are read, though what is read never counts: it had better be there. */
void *cn_codec_plane_new(const cn_codec_frame *frame)
{
    size_t row = frame->stride * (frame->bits / 8), height = frame->map->grid.height;
    uint8_t *block = cn_array(&frame->mem, (height + 2) * row + 2 * FRONT, 1);
    if (!block)
        return NULL;
    memset(block, 0xff, FRONT + row);
    memset(block + FRONT + (height + 1) * row, 0xff, row + FRONT);
    return block + FRONT + row;
}

void cn_codec_plane_free(const cn_codec_frame *frame, void *plane)
{
    if (plane)
        cn_release(&frame->mem, (uint8_t *)plane - FRONT - frame->stride * (frame->bits / 8));
}

/* ------------------------------------------------------------------------------- packing -- */

typedef struct row_task {
    const cn_codec_frame *frame;
    const void *plane;
    cn_row_landmarks landmarks;
    cn_way way;
    unsigned plans;
} row_task;

static cairn_status pack_seeds(const row_task *row, cn_packed *packed)
{
    cairn_status status = cn_seeds_pack(row->frame, row->plane, row->landmarks, row->plans, packed);
    if (status == CAIRN_E_INEXACT)
        status = cn_predictor_pack(row->frame, row->plane, row->way, packed);
    return status;
}

/* Seeds are smaller than residuals wherever there are any; entries that do not shrink stay raw. */
static cairn_status pack_best(const row_task *row, cn_packed *packed)
{
    size_t raw_size = (size_t)row->frame->map->grid.open_count * (row->frame->bits / 8);
    cairn_status status = pack_seeds(row, packed);
    if (status != CAIRN_OK || packed->size < raw_size)
        return status;
    cn_release(&row->frame->mem, packed->bytes);
    return cn_raw_pack(row->frame, row->plane, packed);
}

static cairn_status pack(const row_task *row, cairn_codec codec, cn_packed *packed)
{
    *packed = (cn_packed){0};
    switch (codec) {
    case CAIRN_CODEC_BEST: return pack_best(row, packed);
    case CAIRN_CODEC_RAW: return cn_raw_pack(row->frame, row->plane, packed);
    case CAIRN_CODEC_PREDICTOR:
        return cn_predictor_pack(row->frame, row->plane, row->way, packed);
    case CAIRN_CODEC_SEEDS: return pack_seeds(row, packed);
    }
    return CAIRN_E_ARGUMENT;
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

/* 64 cells of each of some rows, where any of them is open. */
static void take_column(const cn_codec_frame *frame, const cn_plane *costs, uint32_t x,
                        uint32_t first, uint32_t end, uint8_t *plane)
{
    const uint32_t width = frame->map->grid.width;
    const size_t entry_size = frame->bits / 8;
    cn_plane_run run = {.x = x, .count = width - x < 64 ? width - x : 64,
                        .never = cn_entry_never(32)};

    for (run.y = first; run.y < end; run.y++) {
        if (!frame->open[run.y * frame->open_stride + x / 64])
            continue;
        run.entries = plane + (run.y * frame->stride + x) * entry_size;
        cn_plane_get(costs, &run);
    }
}

/* A few rows at a time, since floods keep those of a tile together. */
void cn_codec_plane_take(const cn_codec_frame *frame, const cn_plane *costs, void *plane)
{
    enum { ROWS = 32 };
    const cn_grid *grid = &frame->map->grid;

    for (uint32_t y = 0; y < grid->height; y += ROWS) {
        uint32_t end = grid->height - y < ROWS ? grid->height : y + ROWS;
        for (uint32_t x = 0; x < grid->width; x += 64)
            take_column(frame, costs, x, y, end, plane);
    }
}

static cn_row_landmarks landmarks_of(const cairn_table *table, uint32_t row)
{
    cn_row_landmarks landmarks;
    landmarks.count = cairn_table_landmarks(table, row, &landmarks.nodes);
    return landmarks;
}

cairn_status cn_codec_pack_row(const cn_codec_frame *frame, const cairn_table *table, uint32_t row,
                               cn_pack_way way, void *plane, cn_packed *packed)
{
    gather_row(frame, table, row, plane);
    return cn_codec_pack(frame, plane, landmarks_of(table, row), cn_table_way(table, row), way,
                         packed);
}

cairn_status cn_codec_pack(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, cn_way row_way, cn_pack_way way,
                           cn_packed *packed)
{
    row_task task = {frame, plane, landmarks, row_way, way.plans};
    return pack(&task, way.codec, packed);
}

/* ---------------------------------------------------------------------------- the survey -- */

_Static_assert((int)CN_SURVEYED_PLANS == (int)CN_PLANS, "a survey counts the seeds of every plan");

enum {
    SEED_BITS = 28,            /* about what a seed takes */
    CELLS_FOR_A_PASS_BIT = 64  /* a pass has to save one bit for so many cells */
};

uint32_t cn_survey_rows(const cn_codec_frame *frame, cairn_codec codec, uint32_t row_count)
{
    if (codec == CAIRN_CODEC_RAW || codec == CAIRN_CODEC_PREDICTOR || !cn_sweep_is_possible(frame))
        return 0;
    return row_count < CN_SURVEYED_ROWS ? row_count : CN_SURVEYED_ROWS;
}

cairn_status cn_survey_row(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, uint32_t row, cn_survey *survey)
{
    cairn_status status = cn_seeds_survey(frame, plane, landmarks, survey->counts[row]);
    survey->exact[row] = status == CAIRN_OK;
    return status == CAIRN_E_INEXACT ? CAIRN_OK : status;
}

/* What the surveyed rows cost, in bits, when each takes its best plan of the set and all are swept
 * by the passes of the longest. */
static uint64_t price_of(const cn_codec_frame *frame, const cn_survey *survey, unsigned plans,
                         unsigned passes)
{
    uint64_t seeds = 0;

    for (uint32_t row = 0; row < survey->row_count; row++) {
        size_t fewest = SIZE_MAX;
        for (unsigned plan = 0; plan < CN_PLANS && survey->exact[row]; plan++) {
            if (plans >> plan & 1 && survey->counts[row][plan] < fewest)
                fewest = survey->counts[row][plan];
        }
        seeds += survey->exact[row] ? fewest : 0;
    }
    return seeds * SEED_BITS + (uint64_t)passes * survey->row_count *
                                   frame->map->grid.open_count / CELLS_FOR_A_PASS_BIT;
}

/* Down and up; up and down; those and down, up, down; all. */
cn_pack_way cn_survey_decide(const cn_codec_frame *frame, const cn_survey *survey,
                             cairn_codec codec)
{
    static const struct {
        unsigned plans;
        unsigned passes;
    } sets[] = {{1, 2}, {2, 2}, {7, 3}, {15, 4}};
    size_t best = 0;

    for (size_t i = 1; i < sizeof sets / sizeof sets[0] && survey->row_count; i++) {
        if (price_of(frame, survey, sets[i].plans, sets[i].passes) <
            price_of(frame, survey, sets[best].plans, sets[best].passes))
            best = i;
    }
    return (cn_pack_way){codec, sets[best].plans};
}

typedef struct table_survey {
    const cn_codec_frame *frame;
    const cairn_table *table;
    cn_survey found;
} table_survey;

static cairn_status survey_row(void *context, size_t row, unsigned worker)
{
    table_survey *self = context;
    void *plane = cn_codec_plane_new(self->frame);
    (void)worker;

    if (!plane)
        return CAIRN_E_MEMORY;
    gather_row(self->frame, self->table, (uint32_t)row, plane);
    cairn_status status = cn_survey_row(self->frame, plane,
                                        landmarks_of(self->table, (uint32_t)row), (uint32_t)row,
                                        &self->found);
    cn_codec_plane_free(self->frame, plane);
    return status;
}

cairn_status cn_codec_choose_way(const cn_codec_frame *frame, const cairn_table *table,
                                 uint32_t row_count, cairn_codec codec, unsigned thread_count,
                                 cn_pack_way *way)
{
    table_survey self = {.frame = frame, .table = table};
    self.found.row_count = cn_survey_rows(frame, codec, row_count);
    cairn_status status = cn_tasks_run(thread_count, self.found.row_count, survey_row, &self);
    *way = cn_survey_decide(frame, &self.found, codec);
    return status;
}

/* ------------------------------------------------------------------------------ unpacking -- */

bool cn_codec_is_plausible(const cn_codec_frame *frame, uint32_t codec, uint64_t size)
{
    uint64_t entries = (uint64_t)frame->map->grid.open_count * (frame->bits / 8);
    switch (codec) {
    case CN_CODEC_RAW: return size == entries;
    case CN_CODEC_PREDICTOR: return entries <= cn_inflate_bound(size);
    default: return true;
    }
}

typedef struct unpacking {
    const cn_codec_frame *frame;
    cairn_table *table;
    cn_coded_row *rows;
    cn_seed_list *lists;
    void **planes;        /* one for each thread */
} unpacking;

static cairn_status read_row(void *context, size_t task, unsigned worker)
{
    unpacking *self = context;
    cn_coded_row *row = &self->rows[task];
    (void)worker;

    if (row->codec >= CN_CODEC_COUNT)
        row->status = CAIRN_E_VERSION;
    else if ((uint32_t)crc32_z(0, row->bytes, row->size) != row->crc)
        row->status = CAIRN_E_FORMAT;
    else if (row->codec == CN_CODEC_SEEDS)
        row->status = cn_seeds_read(self->frame, row->bytes, row->size, row->landmarks,
                                    &self->lists[task]);
    return row->status;
}

/* Open cells only: the entries of the others stay zero. */
static void scatter_row(const cn_codec_frame *frame, const void *plane, cairn_table *table,
                        uint32_t row)
{
    for (uint32_t y = 0; y < table->height; y++) {
        for (size_t word = 0; word < cn_row_words(frame); word++) {
            uint64_t left = frame->open[y * frame->open_stride + word];
            for (; left; left &= left - 1) {
                uint32_t x = (uint32_t)(word * 64 + cn_lowest_bit(left));
                uint32_t entry = cn_entry_get(plane, y * frame->stride + x, frame->bits);
                size_t to = cn_table_index(table, y * table->width + x, row);
                cn_entry_put(table->entries, to, frame->bits, entry);
            }
        }
    }
}

/* Rows of the codecs that know no other rows. */
static cairn_status unpack_alone(void *context, size_t task, unsigned worker)
{
    unpacking *self = context;
    cn_coded_row *row = &self->rows[task];
    void **plane = &self->planes[worker];

    if (row->codec == CN_CODEC_SEEDS)
        return CAIRN_OK;
    if (!*plane)
        *plane = cn_codec_plane_new(self->frame);
    if (!*plane)
        row->status = CAIRN_E_MEMORY;
    else if (row->codec == CN_CODEC_RAW)
        row->status = cn_raw_unpack(self->frame, row->bytes, row->size, *plane);
    else
        row->status = cn_predictor_unpack(self->frame, row->bytes, row->size,
                                          cn_table_way(self->table, (uint32_t)task), *plane);
    if (row->status == CAIRN_OK)
        scatter_row(self->frame, *plane, self->table, (uint32_t)task);
    return row->status;
}

static cairn_status sweep_rows(unpacking *self, unsigned thread_count)
{
    uint32_t row_count = self->table->row_count;
    cn_sweep_row *rows = cn_array(&self->frame->mem, row_count, sizeof *rows);

    if (!rows)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < row_count; row++) {
        const cn_seed_list *list = &self->lists[row];
        rows[row] = (cn_sweep_row){list->plan, list->seeds, list->count};
    }
    cn_sweep_table(self->frame, self->table, rows, thread_count);
    cn_release(&self->frame->mem, rows);
    return CAIRN_OK;
}

cairn_status cn_codec_unpack_rows(const cn_codec_frame *frame, cairn_table *table,
                                  cn_coded_row *rows, unsigned thread_count)
{
    const cn_mem *mem = &frame->mem;
    uint32_t row_count = table->row_count;
    unpacking self = {.frame = frame, .table = table, .rows = rows};
    cairn_status status = CAIRN_E_MEMORY;

    self.lists = cn_zeroed(mem, row_count, sizeof *self.lists);
    self.planes = cn_zeroed(mem, thread_count, sizeof *self.planes);
    if (self.lists && self.planes)
        status = cn_tasks_run(thread_count, row_count, read_row, &self);
    if (status == CAIRN_OK)
        status = sweep_rows(&self, thread_count);
    if (status == CAIRN_OK)
        status = cn_tasks_run(thread_count, row_count, unpack_alone, &self);
    for (uint32_t row = 0; self.lists && row < row_count; row++)
        cn_release(mem, self.lists[row].seeds);
    for (unsigned worker = 0; self.planes && worker < thread_count; worker++)
        cn_codec_plane_free(frame, self.planes[worker]);
    cn_release(mem, self.lists);
    cn_release(mem, self.planes);
    return status;
}
