/* Seeds are chosen by operations on bits, for 64 cells at a time. A step is tight if the cost of a
 * cell is that of its neighbour plus the step between them; tight steps are found once. Then a cell
 * becomes exact in a pass if it was exact before, or if a tight step that the pass takes leads to
 * it from an exact cell. Cells that stay inexact next to exact ones are roots: all other inexact
 * cells are so because of them. The cheapest cell of each cluster of roots becomes a seed, until
 * every cell is exact. */
#include <string.h>

#include "codec/seeds.h"
#include "codec/tight.h"

enum { PASSES_TRIED_MAX = 4, ROUNDS_MAX = 1024 };

const cn_seed_style cn_seed_styles[CN_STYLES] = {
    [CN_STYLE_THREE_DOWN] = {{3, false}, false}, [CN_STYLE_THREE_UP] = {{3, true}, false},
    [CN_STYLE_TWO_DOWN] = {{2, false}, false},   [CN_STYLE_TWO_UP] = {{2, true}, false},
    [CN_STYLE_FOUR] = {{4, false}, true},
};

/* The passes of a reader go down and up alternately, beginning with down. */
static unsigned first_pass(const cn_seed_style *style)
{
    return style->plan.up_first && !style->either_way ? 1 : 0;
}

static unsigned passes_end(const cn_seed_style *style)
{
    return style->plan.passes + (style->either_way ? 1 : first_pass(style));
}

unsigned cn_seed_passes_together(unsigned style, unsigned other)
{
    const cn_seed_style *one = &cn_seed_styles[style], *two = &cn_seed_styles[other];
    unsigned first = first_pass(one), end = passes_end(one);

    first = first_pass(two) < first ? first_pass(two) : first;
    end = passes_end(two) > end ? passes_end(two) : end;
    return end - first;
}

/* A bit for every cell, in the layout of frame->open. */
typedef uint64_t *bitmap;

/* A plan, and the state of the choice of seeds for it. A bit of the masks stands for a part of a
 * row. */
typedef struct attempt {
    cn_sweep_plan plan;
    bitmap given;                            /* landmarks, unreachable cells, seeds */
    bitmap chosen;                           /* seeds */
    bitmap exact[PASSES_TRIED_MAX];          /* after each pass */
    uint64_t *changed[PASSES_TRIED_MAX + 1]; /* [row]: changed parts of `given`, and of `exact`
                                              * after each pass */
    uint64_t *rooted;                        /* [row]: parts that still have roots */
    size_t seed_count;
    size_t row_count; /* number of rows swept so far */
} attempt;

typedef struct cn_seed_work {
    const cn_codec_frame *frame;
    const cn_plane *costs;
    uint32_t height;
    size_t words;  /* of a row */
    size_t stride; /* words between two rows */
    size_t bitmap_size;
    uint64_t *memory;
    cn_tight_bits tight;
    bitmap first_given; /* landmarks and unreachable cells */
    bitmap roots;
    unsigned part_words;  /* words of a row for each bit of a mask */
    uint64_t *open_parts; /* [row]: parts with open cells */
    uint64_t *masks;
    attempt now;
    attempt aside; /* a second attempt, which may turn out better */
    void *stack;
    size_t stack_capacity;
} scene;

/* --------------------------------------------------------------------------------- set-up -- */

/* `each` is part_words: the constant 1 in the sweeps of all but the widest maps. */
CN_ALWAYS_INLINE uint64_t part_of(size_t word, unsigned each)
{
    return UINT64_C(1) << word / each;
}

CN_ALWAYS_INLINE size_t part_start(unsigned part, unsigned each)
{
    return (size_t)part * each;
}

CN_ALWAYS_INLINE size_t part_end(const scene *self, unsigned part, unsigned each)
{
    size_t end = part_start(part + 1, each);
    return each == 1 || end < self->words ? end : self->words;
}

static void find_open_parts(scene *self)
{
    for (uint32_t y = 0; y < self->height; y++) {
        const uint64_t *open = self->frame->open + y * self->frame->open_stride;
        for (size_t word = 0; word < self->words; word++)
            self->open_parts[y] |= open[word] ? part_of(word, self->part_words) : 0;
    }
}

static bitmap next_bitmap(scene *self, bitmap *free)
{
    bitmap taken = *free;
    *free += self->bitmap_size;
    return taken;
}

static uint64_t *next_mask(scene *self, uint64_t **free)
{
    uint64_t *taken = *free;
    *free += self->height + 2u;
    return taken;
}

static void place_attempt(scene *self, attempt *one, bitmap *bits, uint64_t **masks)
{
    one->given = next_bitmap(self, bits);
    one->chosen = next_bitmap(self, bits);
    for (unsigned pass = 0; pass < PASSES_TRIED_MAX; pass++)
        one->exact[pass] = next_bitmap(self, bits);
    for (unsigned pass = 0; pass < PASSES_TRIED_MAX + 1; pass++)
        one->changed[pass] = next_mask(self, masks);
    one->rooted = next_mask(self, masks);
}

enum {
    BITMAPS = CN_ORIGINS + 3 + 2 * (PASSES_TRIED_MAX + 2),
    MASKS = 1 + 2 * (PASSES_TRIED_MAX + 2)
};

static void place_all(scene *self)
{
    bitmap bits = self->memory + self->stride + 1;
    uint64_t *masks = self->masks + 1;

    for (unsigned i = 0; i < CN_ORIGINS; i++)
        self->tight.from[i] = next_bitmap(self, &bits);
    self->tight.unreached = next_bitmap(self, &bits);
    self->first_given = next_bitmap(self, &bits);
    self->roots = next_bitmap(self, &bits);
    self->open_parts = next_mask(self, &masks);
    place_attempt(self, &self->now, &bits, &masks);
    place_attempt(self, &self->aside, &bits, &masks);
}

cairn_status cn_seed_work_new(const cn_codec_frame *frame, cn_seed_work **work)
{
    const uint32_t height = frame->map->grid.height;
    const size_t rows = height + 2u;
    scene *self = cn_zeroed(&frame->mem, 1, sizeof *self);

    *work = NULL;
    if (!self)
        return CAIRN_E_MEMORY;
    self->frame = frame;
    self->height = height;
    self->words = cn_row_words(frame);
    self->stride = frame->open_stride;
    self->bitmap_size = rows * self->stride;
    self->part_words = (unsigned)((self->words + 63) / 64);
    self->memory = cn_zeroed_for(&frame->mem, CN_USED_ALL_OVER, BITMAPS * self->bitmap_size,
                                 sizeof(uint64_t));
    self->masks = cn_zeroed(&frame->mem, MASKS * rows, sizeof(uint64_t));
    if (!self->memory || !self->masks) {
        cn_seed_work_free(self);
        return CAIRN_E_MEMORY;
    }
    place_all(self);
    find_open_parts(self);
    *work = self;
    return CAIRN_OK;
}

void cn_seed_work_free(cn_seed_work *self)
{
    if (!self)
        return;
    const cn_mem mem = self->frame->mem;
    cn_release(&mem, self->memory);
    cn_release(&mem, self->masks);
    cn_release(&mem, self->stack);
    cn_release(&mem, self);
}

static void copy_bits(const scene *self, bitmap to, const uint64_t *from)
{
    memcpy(to, from, self->height * self->stride * sizeof *to);
}

static void clear_bits(const scene *self, bitmap bits)
{
    memset(bits, 0, self->height * self->stride * sizeof *bits);
}

cairn_status cn_seeds_examine(cn_seed_work *self, const cn_unpacked_row *row)
{
    const cn_grid *grid = &self->frame->map->grid;
    const cn_row_landmarks landmarks = row->landmarks;

    self->costs = row->costs;
    bool sound = cn_tight_find(self->frame, row->costs, row->way, &self->tight);
    copy_bits(self, self->first_given, self->tight.unreached);
    for (size_t i = 0; i < landmarks.count; i++) {
        uint32_t x, y;
        cn_grid_xy(grid, landmarks.nodes[i], &x, &y);
        self->first_given[y * self->stride + x / 64] |= UINT64_C(1) << x % 64;
        sound &= cn_plane_at(row->costs, x, y) == 0;
    }
    return sound ? CAIRN_OK : CAIRN_E_INEXACT;
}

static void begin_plan(scene *self, cn_sweep_plan plan)
{
    self->now.plan = plan;
    self->now.seed_count = 0;
    self->now.row_count = 0;
    copy_bits(self, self->now.given, self->first_given);
    clear_bits(self, self->now.chosen);
    for (unsigned pass = 0; pass < plan.passes; pass++)
        clear_bits(self, self->now.exact[pass]);
    memcpy(self->now.changed[0], self->open_parts, self->height * sizeof(uint64_t));
    memset(self->now.rooted, 0, self->height * sizeof(uint64_t));
}

/* --------------------------------------------------------------------------------- sweeps -- */

/* Spreads bits to higher positions along runs of bits in `way`: the carry of an addition passes
 * through each run. */
CN_ALWAYS_INLINE uint64_t fill_up(uint64_t bits, uint64_t reached, uint64_t way)
{
    return bits | reached | (way & ~(way + reached));
}

CN_ALWAYS_INLINE uint64_t fill_down(uint64_t bits, uint64_t way)
{
    for (unsigned shift = 1; shift < 64; shift *= 2) {
        bits |= way & bits >> shift;
        way &= way >> shift;
    }
    return bits;
}

/* Spreads exactness in the changed parts of a row, first to higher columns, then to lower ones.
 * Returns the parts that changed. */
CN_ALWAYS_INLINE uint64_t spread_up(const scene *self, uint64_t *row, size_t at, uint64_t changed,
                                    unsigned each)
{
    const uint64_t *west = self->tight.from[CN_FROM_W] + at;

    for (uint64_t left = changed; left; left &= left - 1) {
        unsigned part = cn_lowest_bit(left);
        size_t end = part_end(self, part, each);
        for (size_t word = part_start(part, each); word < end; word++) {
            uint64_t reached = west[word] & cn_bits_before(row + word) & ~row[word];
            if (reached)
                row[word] = fill_up(row[word], reached, west[word]);
        }
        if (row[end - 1] >> 63 & west[end] & ~row[end])
            left |= part_of(end, each);
        changed |= left;
    }
    return changed;
}

CN_ALWAYS_INLINE uint64_t spread_down(const scene *self, uint64_t *row, size_t at, uint64_t changed,
                                      unsigned each)
{
    const uint64_t *east = self->tight.from[CN_FROM_E] + at;

    for (uint64_t left = changed; left;) {
        unsigned part = cn_highest_bit(left);
        size_t start = part_start(part, each);
        for (size_t word = part_end(self, part, each); word-- > start;) {
            uint64_t reached = east[word] & cn_bits_behind(row + word) & ~row[word];
            if (reached)
                row[word] = fill_down(row[word] | reached, east[word]);
        }
        const uint64_t *own = row + start, *step = east + start;
        if ((own[0] & step[-1] >> 63 & ~own[-1] >> 63) & 1)
            left |= part_of(start - 1, each);
        changed |= left;
        left ^= UINT64_C(1) << part;
    }
    return changed;
}

/* The tight steps into one row from another. */
typedef struct way_in {
    const uint64_t *straight, *west, *east;
} way_in;

/* `first` is the straight origin; the diagonal ones follow it. */
static way_in way_from(const scene *self, unsigned first, size_t at)
{
    uint64_t *const *from = self->tight.from + first;
    return (way_in){from[0] + at, from[1] + at, from[2] + at};
}

/* The cells that these steps reach from exact cells of the other row. */
CN_ALWAYS_INLINE uint64_t reached_by(const way_in *way, size_t word, const uint64_t *other)
{
    return (way->straight[word] & other[0]) | (way->west[word] & cn_bits_before(other)) |
           (way->east[word] & cn_bits_behind(other));
}

/* A cell may be reached from a cell in the next part. */
static uint64_t with_neighbours(uint64_t parts)
{
    return parts | parts << 1 | parts >> 1;
}

/* Some parts of one row in one pass: exact cells of the pass before, and those reached from the row
 * swept before, spread along the row. Returns the parts that changed. */
CN_ALWAYS_INLINE uint64_t sweep_row(scene *self, unsigned pass, uint32_t y, bool down,
                                    uint64_t parts, unsigned each)
{
    const size_t at = y * self->stride;
    const way_in way = way_from(self, down ? CN_FROM_N : CN_FROM_S, at);
    const uint64_t *before = (pass ? self->now.exact[pass - 1] : self->now.given) + at;
    uint64_t *row = self->now.exact[pass] + at, changed = 0;
    const uint64_t *other = down ? row - self->stride : row + self->stride;

    for (; parts; parts &= parts - 1) {
        unsigned part = cn_lowest_bit(parts);
        for (size_t word = part_start(part, each); word < part_end(self, part, each); word++) {
            uint64_t exact = row[word] | before[word] | reached_by(&way, word, other + word);
            changed |= exact != row[word] ? part_of(word, each) : 0;
            row[word] = exact;
        }
    }
    self->now.row_count++;
    return changed ? spread_down(self, row, at, spread_up(self, row, at, changed, each), each) : 0;
}

/* Only parts of rows in which something may have changed. */
CN_ALWAYS_INLINE void sweep_pass(scene *self, unsigned pass, unsigned each)
{
    bool down = self->now.plan.up_first == (pass & 1);
    const uint64_t *before = self->now.changed[pass];
    uint64_t *changed = self->now.changed[pass + 1], carried = 0;

    for (uint32_t i = 0; i < self->height; i++) {
        uint32_t y = down ? i : self->height - 1 - i;
        uint64_t parts = (before[y] | with_neighbours(carried)) & self->open_parts[y];
        carried = parts ? sweep_row(self, pass, y, down, parts, each) : 0;
        changed[y] = carried;
    }
}

/* ---------------------------------------------------------------------------------- roots -- */

/* Returns the parts that have roots. */
CN_ALWAYS_INLINE uint64_t find_roots_of_row(scene *self, uint32_t y, uint64_t parts, unsigned each)
{
    const size_t at = y * self->stride;
    const uint64_t *exact = self->now.exact[self->now.plan.passes - 1] + at;
    const way_in down = way_from(self, CN_FROM_N, at), up = way_from(self, CN_FROM_S, at);
    const uint64_t *west = self->tight.from[CN_FROM_W] + at;
    const uint64_t *east = self->tight.from[CN_FROM_E] + at;
    uint64_t *roots = self->roots + at, found = 0;

    for (; parts; parts &= parts - 1) {
        unsigned part = cn_lowest_bit(parts);
        for (size_t word = part_start(part, each); word < part_end(self, part, each); word++) {
            const uint64_t *here = exact + word;
            uint64_t reached = reached_by(&down, word, here - self->stride) |
                               reached_by(&up, word, here + self->stride) |
                               (west[word] & cn_bits_before(here)) |
                               (east[word] & cn_bits_behind(here));
            roots[word] = reached & ~*here;
            found |= roots[word] ? part_of(word, each) : 0;
        }
    }
    return found;
}

/* Only parts near which something changed, and parts that had more roots than became seeds. */
CN_ALWAYS_INLINE bool find_roots(scene *self, unsigned each)
{
    uint64_t any = 0;

    for (uint32_t y = 0; y < self->height; y++) {
        const uint64_t *changed = self->now.changed[self->now.plan.passes] + y;
        uint64_t near = with_neighbours(changed[-1] | changed[0] | changed[1]);
        uint64_t parts = (near | self->now.rooted[y]) & self->open_parts[y];
        self->now.rooted[y] = find_roots_of_row(self, y, parts, each);
        any |= self->now.rooted[y];
    }
    return any;
}

typedef struct cell {
    uint32_t x;
    uint32_t y;
} cell;

static cairn_cost cost_at(const scene *self, cell at)
{
    return cn_plane_at(self->costs, at.x, at.y);
}

static bool push(scene *self, size_t *count, cell at)
{
    if (!cn_grow(&self->frame->mem, &self->stack, &self->stack_capacity, *count, *count + 1,
                 sizeof at))
        return false;
    ((cell *)self->stack)[(*count)++] = at;
    return true;
}

/* Removes the roots next to a cell from the map and pushes them onto the stack. */
static bool take_roots_around(scene *self, size_t *count, cell at)
{
    for (uint32_t y = at.y - 1; y != at.y + 2; y++) {
        for (uint32_t x = at.x - 1; x != at.x + 2; x++) {
            if (y >= self->height || x >= self->words * 64)
                continue;
            uint64_t *word = self->roots + y * self->stride + x / 64;
            uint64_t bit = UINT64_C(1) << x % 64;
            if (!(*word & bit))
                continue;
            *word &= ~bit;
            if (!push(self, count, (cell){x, y}))
                return false;
        }
    }
    return true;
}

/* Finds the cheapest cell of the cluster of roots that contains `start`, and removes the
 * cluster. */
static bool take_cluster(scene *self, cell start, cell *cheapest)
{
    size_t count = 0;

    *cheapest = start;
    if (!take_roots_around(self, &count, start))
        return false;
    while (count > 0) {
        cell at = ((cell *)self->stack)[--count];
        if (cost_at(self, at) < cost_at(self, *cheapest))
            *cheapest = at;
        if (!take_roots_around(self, &count, at))
            return false;
    }
    return true;
}

/* All clusters with a root in a word. */
static bool turn_word_into_seeds(scene *self, uint32_t y, size_t word)
{
    const uint64_t *roots = self->roots + y * self->stride + word;

    while (*roots) {
        cell seed, start = {(uint32_t)(word * 64 + cn_lowest_bit(*roots)), y};
        if (!take_cluster(self, start, &seed))
            return false;
        size_t at = seed.y * self->stride + seed.x / 64;
        self->now.given[at] |= UINT64_C(1) << seed.x % 64;
        self->now.chosen[at] |= UINT64_C(1) << seed.x % 64;
        self->now.changed[0][seed.y] |= part_of(seed.x / 64, self->part_words);
        self->now.seed_count++;
    }
    return true;
}

static bool turn_roots_into_seeds(scene *self)
{
    const unsigned each = self->part_words;
    for (uint32_t y = 0; y < self->height; y++) {
        for (uint64_t left = self->now.rooted[y]; left; left &= left - 1) {
            unsigned part = cn_lowest_bit(left);
            for (size_t word = part_start(part, each); word < part_end(self, part, each); word++) {
                if (!turn_word_into_seeds(self, y, word))
                    return false;
            }
        }
    }
    return true;
}

/* ----------------------------------------------------------------------------------- plans -- */

static bool all_is_exact_after(const scene *self, unsigned pass)
{
    const uint64_t *exact = self->now.exact[pass - 1];

    for (uint32_t y = 0; y < self->height; y++) {
        for (size_t word = 0; word < self->words; word++) {
            size_t i = y * self->stride + word;
            if (self->frame->open[i] & ~exact[i])
                return false;
        }
    }
    return true;
}

/* Whether some cell is still inexact afterwards. */
CN_ALWAYS_INLINE bool sweep(scene *self, unsigned each)
{
    for (unsigned pass = 0; pass < self->now.plan.passes; pass++)
        sweep_pass(self, pass, each);
    memset(self->now.changed[0], 0, self->height * sizeof(uint64_t));
    return find_roots(self, each);
}

/* Sweeps, and makes seeds of roots. */
static cairn_status run_round(scene *self, bool *done)
{
    *done = !(self->part_words == 1 ? sweep(self, 1) : sweep(self, self->part_words));
    return *done || turn_roots_into_seeds(self) ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status begin(scene *self, cn_sweep_plan plan, bool *done)
{
    begin_plan(self, plan);
    return run_round(self, done);
}

static void change_attempt(scene *self)
{
    attempt one = self->now;
    self->now = self->aside;
    self->aside = one;
}

/* The direction that needs fewer seeds after one round nearly always does so in the end. */
static cairn_status begin_better(scene *self, cn_sweep_plan down, bool *done)
{
    cairn_status status = begin(self, (cn_sweep_plan){down.passes, !down.up_first}, done);

    if (status != CAIRN_OK || *done)
        return status;
    change_attempt(self);
    status = begin(self, down, done);
    if (status == CAIRN_OK && !*done && self->aside.seed_count < self->now.seed_count)
        change_attempt(self);
    return status;
}

cairn_status cn_seeds_choose(cn_seed_work *self, unsigned style, size_t most, cn_sweep_plan *plan,
                             size_t *count)
{
    const cn_seed_style *wanted = &cn_seed_styles[style];
    bool done;
    cairn_status status = (wanted->either_way ? begin_better : begin)(self, wanted->plan, &done);

    while (status == CAIRN_OK && !done) {
        if (self->now.seed_count > most ||
            self->now.row_count > (size_t)ROUNDS_MAX * self->now.plan.passes * self->height)
            return CAIRN_E_LIMIT;
        status = run_round(self, &done);
    }
    *plan = self->now.plan;
    *count = self->now.seed_count;
    if (status != CAIRN_OK)
        return status;
    if (!all_is_exact_after(self, plan->passes))
        return CAIRN_E_INEXACT;
    while (plan->passes > 1 && all_is_exact_after(self, plan->passes - 1))
        plan->passes--;
    return CAIRN_OK;
}

void cn_seeds_list(const cn_seed_work *self, cn_seed *seeds)
{
    const uint32_t width = self->frame->map->grid.width;

    for (uint32_t y = 0; y < self->height; y++) {
        for (size_t word = 0; word < self->words; word++) {
            uint64_t left = self->now.chosen[y * self->stride + word];
            for (; left; left &= left - 1) {
                cell at = {(uint32_t)(word * 64 + cn_lowest_bit(left)), y};
                *seeds++ = (cn_seed){y * width + at.x, cost_at(self, at)};
            }
        }
    }
}
