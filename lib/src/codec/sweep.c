#include "codec/sweep.h"

#include <string.h>

#include "base/tasks.h"

/* Where costs differ, a step that costs too much becomes one that costs "never". */
bool cn_sweep_is_possible(const cn_codec_layout *layout)
{
    if (!cn_map_is_even(layout->map))
        return !layout->map->graph;
    return cn_map_dearest(layout->map) <= cn_entry_step_most(layout->bits);
}

static const cn_sweep_engine *engine_for(const cn_codec_layout *layout)
{
#if CN_CPU_X86
    if (layout->cpu >= CN_CPU_AVX512)
        return &cn_sweep_avx512;
    if (layout->cpu >= CN_CPU_AVX2)
        return &cn_sweep_avx2;
#endif
    (void)layout;
    return &cn_sweep_portable;
}

/* Rows of the table that are swept together, and how many of their seeds have been placed. */
typedef struct chunk {
    const cn_codec_layout *layout;
    cairn_table *table;
    const cn_sweep_row *rows; /* of the chunk */
    uint32_t first_lane;
    uint32_t lane_count;
    uint32_t row_count; /* lanes with rows; the others are spare */
    cn_sweep_function *sweep;
    cn_sweep_steps steps;
    uint8_t start[CN_CHUNK_MAX];    /* costs before the first pass, by lane */
    uint8_t greatest[CN_CHUNK_MAX]; /* largest costs of a line, by lane */
    size_t next[CN_CHUNK_MAX / 2];  /* next seed of each row, from the front or from the
                                     * back */
    unsigned worker;
    unsigned pass_count;
    uint32_t swept_count; /* rows that take part in any pass */
    uint64_t lines_swept; /* in all passes */
    uint64_t told;        /* entries that have been reported to the watch */
} chunk;

static uint8_t *first_cell_of_row(const chunk *self, uint32_t y)
{
    return cn_table_entries_at(self->table, y * self->table->width, self->first_lane);
}

/* ----------------------------------------------------------------------------- the lanes -- */

/* The passes of a row alternate, beginning with its own direction; those of the chunk begin with
 * down. Rows that begin with up skip the first pass. */
static bool takes_part(cn_sweep_plan plan, unsigned pass)
{
    unsigned first = plan.up_first ? 1 : 0;
    return pass >= first && pass - first < plan.passes;
}

static bool any_takes_part(const chunk *self, unsigned pass)
{
    for (uint32_t lane = 0; lane < self->row_count; lane++) {
        if (takes_part(self->rows[lane].plan, pass))
            return true;
    }
    return false;
}

static void set_lane(const chunk *self, uint8_t *lanes, uint32_t lane, uint32_t value)
{
    cn_entry_put(lanes, lane, self->layout->bits, value);
}

static void set_constants(chunk *self)
{
    uint32_t never = cn_entry_never(self->layout->bits);

    for (uint32_t lane = 0; lane < self->lane_count; lane++) {
        set_lane(self, self->steps.never, lane, never);
        set_lane(self, self->steps.along[0], lane, never);
        set_lane(self, self->start, lane, lane < self->row_count ? never : 0);
    }
}

static void set_steps(chunk *self, unsigned pass)
{
    const cairn_cost *step = self->layout->map->step;
    uint32_t never = cn_entry_never(self->layout->bits);

    for (uint32_t lane = 0; lane < self->lane_count; lane++) {
        bool moves = lane < self->row_count && takes_part(self->rows[lane].plan, pass);
        set_lane(self, self->steps.straight, lane, moves ? step[0] : never);
        set_lane(self, self->steps.along[1], lane, moves ? step[0] : never);
        set_lane(self, self->steps.diagonal, lane, moves ? step[1] : never);
        set_lane(self, self->steps.skips, lane, moves ? 0 : never);
    }
}

/* ------------------------------------------------------------------------------- the rows -- */

CN_ALWAYS_INLINE void start_cells(const chunk *self, uint32_t y, size_t size)
{
    const uint64_t *open = self->layout->open + y * self->layout->open_stride;
    size_t cell_size = self->table->lane_count * (self->layout->bits / 8);
    uint8_t *first = first_cell_of_row(self, y);

    for (size_t word = 0; word < cn_row_words(self->layout); word++) {
        for (uint64_t left = open[word]; left; left &= left - 1)
            memcpy(first + (word * 64 + cn_lowest_bit(left)) * cell_size, self->start, size);
    }
}

/* Costs before the first pass: unreachable except for the seeds. Copies of constant size are
 * compiled to stores. */
static void start_line(chunk *self, uint32_t y)
{
    switch (self->lane_count * self->layout->bits / 8) {
    case 16: start_cells(self, y, 16); break;
    case 32: start_cells(self, y, 32); break;
    default: start_cells(self, y, 64); break;
    }
}

static void place_seed(const chunk *self, uint32_t lane, const cn_seed *seed)
{
    size_t entry = cn_table_index(self->table, seed->node, self->first_lane + lane);
    cn_entry_put(self->table->entries, entry, self->layout->bits, seed->cost);
}

/* Places the seeds of line `y`. They are next from the front when the first pass goes down, and
 * from the back when it goes up. */
static void place_seeds(chunk *self, uint32_t y, bool down)
{
    cairn_node first = y * self->table->width, end = first + self->table->width;

    for (uint32_t lane = 0; lane < self->row_count; lane++) {
        const cn_sweep_row *row = &self->rows[lane];
        size_t *next = &self->next[lane];
        if (down) {
            for (; *next < row->count && row->seeds[*next].node < end; ++*next)
                place_seed(self, lane, &row->seeds[*next]);
        } else {
            for (; *next > 0 && row->seeds[*next - 1].node >= first; --*next)
                place_seed(self, lane, &row->seeds[*next - 1]);
        }
    }
}

/* Sets all bits of entries without a cost, which have the highest bit set. */
CN_ALWAYS_INLINE void finish_cells(const chunk *self, uint32_t y, unsigned lane_count)
{
    const uint32_t to_highest_bit = 0x7fffffff - CAIRN_COST_MAX;
    const uint64_t *open = self->layout->open + y * self->layout->open_stride;
    size_t cell_size = self->table->lane_count * sizeof(uint32_t);
    uint8_t *first = first_cell_of_row(self, y);

    for (size_t word = 0; word < cn_row_words(self->layout); word++) {
        for (uint64_t left = open[word]; left; left &= left - 1) {
            size_t at = (word * 64 + cn_lowest_bit(left)) * cell_size;
            uint32_t *costs = (uint32_t *)(void *)(first + at);
            for (unsigned lane = 0; lane < lane_count; lane++)
                costs[lane] |= 0u - ((costs[lane] + to_highest_bit) >> 31);
        }
    }
}

static void finish_line(const chunk *self, uint32_t y)
{
    switch (self->lane_count) {
    case 4: finish_cells(self, y, 4); break;
    case 8: finish_cells(self, y, 8); break;
    default: finish_cells(self, y, 16); break;
    }
}

static bool line_has_unreachable(const chunk *self)
{
    for (uint32_t lane = 0; lane < self->lane_count && self->layout->bits == 32; lane++) {
        if (cn_entry_get(self->greatest, lane, 32) > CAIRN_COST_MAX)
            return true;
    }
    return false;
}

static void sweep_line(chunk *self, uint32_t y, bool down)
{
    const cn_codec_layout *layout = self->layout;
    const uint64_t *open = layout->open + y * layout->open_stride;
    size_t cell_size = self->table->lane_count * (layout->bits / 8);
    size_t line_size = self->table->width * cell_size;
    uint8_t *cells = first_cell_of_row(self, y);
    cn_sweep_line line = {
        .layout = layout,
        .cells = cells,
        .from = down ? cells - line_size : cells + line_size,
        .cell_size = cell_size,
        .words = cn_row_words(layout),
        .open = open,
        .open_from = down ? open - layout->open_stride : open + layout->open_stride,
        .rule = cn_rule_of(layout),
        .y = y,
        .from_y = down ? y - 1 : y + 1,
        .steps = &self->steps,
        .greatest = self->greatest,
    };
    self->sweep(&line);
}

/* Reports one more line of a pass as its share of the entries of the chunk's rows. */
static bool tell_watch(chunk *self)
{
    const cn_grid *grid = &self->layout->map->grid;
    uint64_t entries = (uint64_t)cn_grid_cell_count(grid) * self->swept_count;
    uint64_t lines = (uint64_t)grid->height * self->pass_count;
    uint64_t done = entries * ++self->lines_swept / lines;
    uint64_t more = done - self->told;

    self->told = done;
    return cn_watch_advance(self->layout->watch, self->worker, more);
}

/* In the last pass a line is finished as soon as the line after it has been swept from it. False
 * when the work was cancelled. */
static bool sweep_pass(chunk *self, bool down, bool first, bool last)
{
    uint32_t height = self->layout->map->grid.height;
    bool unfinished = false;

    for (uint32_t i = 0; i < height; i++) {
        uint32_t y = down ? i : height - 1 - i;
        if (first) {
            start_line(self, y);
            place_seeds(self, y, down);
        }
        memset(self->greatest, 0, sizeof self->greatest);
        sweep_line(self, y, down);
        if (unfinished)
            finish_line(self, down ? y - 1 : y + 1);
        unfinished = last && line_has_unreachable(self);
        if (!tell_watch(self))
            return false;
    }
    if (unfinished)
        finish_line(self, down ? height - 1 : 0);
    return true;
}

static bool sweep_chunk(chunk *self)
{
    unsigned first = any_takes_part(self, 0) ? 0 : 1, end = CN_PASSES_MAX + 1;

    set_constants(self);
    while (end > first && !any_takes_part(self, end - 1))
        end--;
    for (uint32_t lane = 0; lane < self->row_count; lane++)
        self->next[lane] = first == 0 ? 0 : self->rows[lane].count;
    self->pass_count = end - first;
    for (uint32_t lane = 0; lane < self->row_count; lane++)
        self->swept_count += self->rows[lane].plan.passes > 0;
    for (unsigned pass = first; pass < end; pass++) {
        set_steps(self, pass);
        if (!sweep_pass(self, !(pass & 1), pass == first, pass + 1 == end))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------ the table -- */

typedef struct sweep_job {
    const cn_codec_layout *layout;
    cairn_table *table;
    const cn_sweep_row *rows;
    const cn_sweep_engine *engine;
    size_t chunk_size; /* bytes, but for the last */
} sweep_job;

static cn_sweep_function *function_for(const sweep_job *job, size_t chunk_size)
{
    const unsigned wide = job->layout->bits == 32;
    const unsigned size = chunk_size == 16 ? 0 : chunk_size == 32 ? 1 : 2;
    return cn_map_is_even(job->layout->map) ? job->engine->even[wide][size]
                                            : job->engine->uneven[wide][size];
}

static cairn_status sweep_task(void *context, size_t task, unsigned worker)
{
    const sweep_job *job = context;
    unsigned entry = job->layout->bits / 8;
    size_t cell_size = job->table->lane_count * entry, from = task * job->chunk_size;
    size_t size = cell_size - from < job->chunk_size ? cell_size - from : job->chunk_size;
    uint32_t first = (uint32_t)(from / entry), row_count = job->table->row_count;
    chunk self = {
        .layout = job->layout,
        .table = job->table,
        .rows = job->rows + first,
        .first_lane = first,
        .lane_count = (uint32_t)(size / entry),
        .sweep = function_for(job, size),
        .worker = worker,
    };

    if (first < row_count) {
        self.row_count = row_count - first < self.lane_count ? row_count - first : self.lane_count;
        if (!sweep_chunk(&self))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}

/* Chunks are as wide as registers and cache lines, but narrow enough that each thread gets one. */
cairn_status cn_sweep_table(const cn_codec_layout *layout, cairn_table *table,
                            const cn_sweep_row *rows, cn_crew crew)
{
    size_t cell_size = table->lane_count * (layout->bits / 8);
    sweep_job job = {
        .layout = layout,
        .table = table,
        .rows = rows,
        .engine = engine_for(layout),
        .chunk_size = CN_CHUNK_MAX,
    };

    while (job.chunk_size > 16 &&
           (job.chunk_size > cell_size || cell_size / job.chunk_size < crew.count))
        job.chunk_size /= 2;
    size_t chunk_count = (cell_size + job.chunk_size - 1) / job.chunk_size;
    return cn_tasks_run(crew, chunk_count, sweep_task, &job);
}
