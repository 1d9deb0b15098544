#include "codec/codec.h"

#include <string.h>
#include <zlib.h>

#include "codec/codec_parts.h"
#include "codec/seeds.h"
#include "codec/step_costs.h"
#include "io/deflate.h"
#include "base/tasks.h"

/* ------------------------------------------------------------------------------- layouts -- */

cairn_status cn_codec_layout_init(cn_codec_layout *layout, const cairn_map *map,
                                  cairn_metric metric, unsigned bits, const cn_mem *mem)
{
    const cn_grid *grid = &map->grid;
    size_t lanes = 512 / bits;
    uint32_t least, most;

    cn_rules_range(&grid->rules, &least, &most);
    *layout = (cn_codec_layout){
        .mem = *mem,
        .map = map,
        .bits = bits,
        .straight_most = metric.straight * map->unit * most,
        .cpu = cn_cpu_level(),
        .stride = (grid->width + lanes - 1) / lanes * lanes,
        .open = grid->open,
        .open_stride = grid->open_stride,
    };
    return map->graph ? cn_graph_order_new(layout) : cn_word_factors_new(layout);
}

void cn_codec_layout_free(cn_codec_layout *layout)
{
    cn_graph_order_free(layout);
    cn_word_factors_free(layout);
}

void *cn_codec_plane_new(const cn_codec_layout *layout)
{
    return cn_array(&layout->mem, layout->map->grid.height * layout->stride, layout->bits / 8);
}

void cn_codec_plane_free(const cn_codec_layout *layout, void *plane)
{
    cn_release(&layout->mem, plane);
}

/* ------------------------------------------------------------------------------ unpacking -- */

bool cn_codec_is_plausible(const cn_codec_layout *layout, uint32_t codec_id, uint64_t size)
{
    uint64_t entries = (uint64_t)layout->map->grid.open_count * (layout->bits / 8);
    switch (codec_id) {
    case CN_CODEC_RAW: return size == entries;
    case CN_CODEC_PREDICTOR: return entries <= cn_inflate_bound(size);
    default: return true;
    }
}

const char *cn_codec_name(uint32_t codec_id)
{
    static const char *const names[CN_CODEC_COUNT] = {"raw", "predictor", "seeds", "seeds"};
    return codec_id < CN_CODEC_COUNT ? names[codec_id] : NULL;
}

static bool is_seeds(uint32_t codec_id)
{
    return codec_id == CN_CODEC_SEEDS || codec_id == CN_CODEC_RULED_SEEDS;
}

static bool is_built_in(uint32_t codec_id)
{
    return codec_id == CN_CODEC_RAW || (codec_id == CN_CODEC_PREDICTOR && CN_HAS_PREDICTOR) ||
           (is_seeds(codec_id) && CN_HAS_SEEDS);
}

typedef struct unpacking {
    const cn_codec_layout *layout;
    cairn_table *table;
    cn_coded_row *rows;
    cn_seed_list *lists;
    void **planes; /* one for each worker */
} unpacking;

static cairn_status read_row(void *context, size_t task, unsigned worker)
{
    unpacking *self = context;
    cn_coded_row *row = &self->rows[task];
    (void)worker;

    if (!is_built_in(row->codec_id))
        row->status = CAIRN_E_VERSION;
    else if ((uint32_t)crc32_z(0, row->bytes, row->size) != row->crc)
        row->status = CAIRN_E_FORMAT;
    else if (CN_HAS_SEEDS && is_seeds(row->codec_id))
        row->status = cn_seeds_read(self->layout, row, &self->lists[task]);
    return row->status;
}

/* Copies the entries of open cells; those of the others stay zero. */
static void scatter_row(const cn_codec_layout *layout, const void *plane, cairn_table *table,
                        uint32_t row)
{
    for (uint32_t y = 0; y < table->height; y++) {
        for (size_t word = 0; word < cn_row_words(layout); word++) {
            uint64_t left = layout->open[y * layout->open_stride + word];
            for (; left; left &= left - 1) {
                uint32_t x = (uint32_t)(word * 64 + cn_lowest_bit(left));
                uint32_t entry = cn_entry_get(plane, y * layout->stride + x, layout->bits);
                size_t to = cn_table_index(table, y * table->width + x, row);
                cn_entry_put(table->entries, to, layout->bits, entry);
            }
        }
    }
}

/* Unpacks rows whose codec treats each row separately. */
static cairn_status unpack_alone(void *context, size_t task, unsigned worker)
{
    unpacking *self = context;
    cn_coded_row *row = &self->rows[task];
    void **plane = &self->planes[worker];

    if (is_seeds(row->codec_id))
        return CAIRN_OK;
    if (!*plane)
        *plane = cn_codec_plane_new(self->layout);
    if (!*plane)
        row->status = CAIRN_E_MEMORY;
    else if (row->codec_id == CN_CODEC_RAW)
        row->status = cn_raw_unpack(self->layout, row->bytes, row->size, worker, *plane);
    else if (CN_HAS_PREDICTOR)
        row->status = cn_predictor_unpack(self->layout, row->bytes, row->size,
                                          cn_table_way(self->table, (uint32_t)task), worker,
                                          *plane);
    if (row->status == CAIRN_OK)
        scatter_row(self->layout, *plane, self->table, (uint32_t)task);
    return row->status;
}

static cairn_status sweep_rows(unpacking *self, cn_crew crew)
{
    uint32_t row_count = self->table->row_count;
    cn_sweep_row *rows = cn_array(&self->layout->mem, row_count, sizeof *rows);

    if (!rows)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < row_count; row++) {
        const cn_seed_list *list = &self->lists[row];
        rows[row] = (cn_sweep_row){list->plan, list->seeds, list->count};
    }
    cairn_status status = cn_sweep_table(self->layout, self->table, rows, crew);
    cn_release(&self->layout->mem, rows);
    return status;
}

cairn_status cn_codec_unpack_rows(const cn_codec_layout *layout, cairn_table *table,
                                  cn_coded_row *rows, cn_crew crew)
{
    const cn_mem *mem = &layout->mem;
    uint32_t row_count = table->row_count;
    unpacking self = {.layout = layout, .table = table, .rows = rows};
    cairn_status status = CAIRN_E_MEMORY;

    self.lists = cn_zeroed(mem, row_count, sizeof *self.lists);
    self.planes = cn_zeroed(mem, crew.count, sizeof *self.planes);
    if (self.lists && self.planes)
        status = cn_tasks_run(crew, row_count, read_row, &self);
    if (status == CAIRN_OK && CN_HAS_SEEDS)
        status = sweep_rows(&self, crew);
    if (status == CAIRN_OK)
        status = cn_tasks_run(crew, row_count, unpack_alone, &self);
    for (uint32_t row = 0; self.lists && row < row_count; row++)
        cn_release(mem, self.lists[row].seeds);
    for (unsigned worker = 0; self.planes && worker < crew.count; worker++)
        cn_codec_plane_free(layout, self.planes[worker]);
    cn_release(mem, self.lists);
    cn_release(mem, self.planes);
    return status;
}
