#include "codec/tight.h"

#include <string.h>

#include "codec/step_costs.h"

#define TEMPLATE "codec/tight_kernel.h"
#include "simd/instances.h"

static cn_tight_function *function_for(const cn_codec_layout *layout)
{
    static cn_tight_function *const even[CN_CPU_LEVELS][2] = CN_INSTANCES(find);
    static cn_tight_function *const uneven[CN_CPU_LEVELS][2] = CN_INSTANCES(find_uneven);
    return (cn_map_is_even(layout->map) ? even : uneven)[layout->cpu][layout->bits == 32];
}

/* -------------------------------------------------------------------------------- blocks -- */

/* Costs come in tiles, or in whole rows. 64 columns of a band of rows are copied into the
 * cache first, and examined there. */
enum {
    BAND = 32,
    LINE_SIZE = 64 + 64 * sizeof(uint32_t) + 64 /* room for one entry more on either side */
};

typedef struct block {
    _Alignas(64) uint8_t lines[(BAND + 1) * LINE_SIZE];
} block;

typedef struct band {
    const cn_codec_layout *layout;
    const cn_plane *costs;
    cn_way way;
    uint32_t first; /* row */
    uint32_t row_count;
} band;

static uint8_t *entry_in(block *some, unsigned line, int column, size_t entry_size)
{
    return some->lines + line * LINE_SIZE + 64 + column * (ptrdiff_t)entry_size;
}

/* Whether any cell is open in a word of the band's rows, or of the row above them. */
static bool is_open(const band *self, size_t word)
{
    const uint64_t *open = cn_grid_open_row(&self->layout->map->grid, self->first) + word -
                           self->layout->open_stride;
    uint64_t any = 0;
    if (word >= cn_row_words(self->layout))
        return false;
    for (uint32_t row = 0; row <= self->row_count; row++)
        any |= open[row * self->layout->open_stride];
    return any;
}

/* Unreachable cells next to each other must have the same cost, in live tiles and in others;
 * otherwise a step between them would seem to improve one. */
static void load(const band *self, size_t word, block *to)
{
    const uint32_t width = self->layout->map->grid.width, x = (uint32_t)word * 64;
    cn_plane_run run = {
        .x = x, .count = width - x < 64 ? width - x : 64, .never = CN_PLANE_INFINITE};

    run.y = self->first - 1;
    run.entries = entry_in(to, 0, 0, self->layout->bits / 8);
    if (self->first > 0)
        cn_plane_copy(self->costs, &run);
    run.y = self->first;
    run.entries = entry_in(to, 1, 0, self->layout->bits / 8);
    cn_plane_copy_rows(self->costs, &run, self->row_count, LINE_SIZE);
}

/* Each block needs the neighbouring column of the other. */
static void join(const band *self, block *left, block *right)
{
    const size_t size = self->layout->bits / 8;
    for (unsigned line = 0; line <= self->row_count; line++) {
        memcpy(entry_in(left, line, 64, size), entry_in(right, line, 0, size), size);
        memcpy(entry_in(right, line, -1, size), entry_in(left, line, 63, size), size);
    }
}

static bool examine_word(const band *self, size_t word, const block *some, cn_tight_function *find,
                         cn_tight_bits *bits)
{
    const cn_codec_layout *layout = self->layout;
    const size_t record = cn_tight_record(bits, (uint32_t)word, self->first);
    const cn_tight_block found = {
        .layout = layout,
        .way = self->way,
        .lines = some->lines + 64,
        .line_entries = LINE_SIZE / (layout->bits / 8),
        .row_count = self->row_count,
        .open = layout->open + self->first * layout->open_stride + word,
        .open_stride = layout->open_stride,
        .records = bits->records + record * CN_ORIGINS,
        .reached = &bits->reached,
        .rule = cn_rule_of(layout),
        .y = self->first,
        .word = word,
        .step = layout->map->step,
    };
    return find(&found);
}

static bool examine_band(const band *self, block blocks[2], cn_tight_function *find,
                         cn_tight_bits *bits)
{
    bool sound = true, next_is_open = is_open(self, 0);

    if (next_is_open)
        load(self, 0, &blocks[0]);
    for (size_t word = 0; word < cn_row_words(self->layout); word++) {
        block *here = &blocks[word & 1], *next = &blocks[~word & 1];
        bool here_is_open = next_is_open;
        next_is_open = is_open(self, word + 1);
        if (next_is_open)
            load(self, word + 1, next);
        if (here_is_open && next_is_open)
            join(self, here, next);
        if (here_is_open)
            sound &= examine_word(self, word, here, find, bits);
    }
    return sound;
}

bool cn_tight_find(const cn_codec_layout *layout, const cn_plane *costs, cn_way way,
                   cn_tight_bits *bits)
{
    const uint32_t height = layout->map->grid.height;
    cn_tight_function *find = function_for(layout);
    block blocks[2];
    bool sound = true;

    bits->reached = 0;
    memset(blocks, 0xff, sizeof blocks);
    for (uint32_t y = 0; y < height; y += BAND) {
        band self = {layout, costs, way, y, height - y < BAND ? height - y : BAND};
        sound &= examine_band(&self, blocks, find, bits);
    }
    return sound;
}
