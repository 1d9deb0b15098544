/* The choice of seeds works on bits alone, 64 cells at a time. Which steps are tight (the cost of
 * a cell is that of its neighbour and the step between them) is found once; then a cell comes out
 * exact in a pass when it was exact before, or when a tight step that the pass takes leads to it
 * from an exact cell. Cells that stay inexact next to exact ones are the roots of all that is
 * wrong: the lowest of each cluster of roots becomes a seed, until nothing is wrong. */
#include <string.h>

#include "codec_seeds.h"
#include "codec_tight.h"

enum {
    PASSES_TRIED_MAX = 4,
    ROUNDS_MAX = 1024
};

const cn_sweep_plan cn_seed_plans[CN_PLANS] = {
    {2, false}, {2, true}, {3, false}, {4, false},
};

/* A bit for every cell, laid out as frame->open is. */
typedef uint64_t *bitmap;

typedef struct scene {
    const cn_codec_frame *frame;
    const void *plane;
    cn_row_landmarks landmarks;
    uint32_t height;
    size_t words;    /* of a row */
    size_t stride;   /* words from row to row */
    size_t bitmap_size;
    uint64_t *memory;
    bitmap tight[CN_ORIGINS];
    bitmap given;                      /* landmarks, unreachable cells, and seeds */
    bitmap exact[PASSES_TRIED_MAX];    /* after each pass */
    bitmap roots;
    unsigned part_words;               /* words of a row that one bit of these masks stands for */
    uint64_t *open_parts;              /* [row]: parts with open cells */
    uint64_t *changed[PASSES_TRIED_MAX + 1];  /* [row]: parts of `given`, and of exact */
    uint64_t *rooted;                  /* [row]: parts with roots left over */
    uint64_t *masks;
    cn_sweep_plan plan;
    void *stack;
    size_t stack_capacity;
    size_t row_count;                  /* rows swept so far */
} scene;

/* --------------------------------------------------------------------------------- set-up -- */

static uint64_t part_of(const scene *self, size_t word)
{
    return UINT64_C(1) << word / self->part_words;
}

static size_t part_start(const scene *self, unsigned part)
{
    return (size_t)part * self->part_words;
}

static size_t part_end(const scene *self, unsigned part)
{
    size_t end = part_start(self, part + 1);
    return end < self->words ? end : self->words;
}

static void find_open_parts(scene *self)
{
    for (uint32_t y = 0; y < self->height; y++) {
        const uint64_t *open = self->frame->open + y * self->frame->open_stride;
        for (size_t word = 0; word < self->words; word++)
            self->open_parts[y] |= open[word] ? part_of(self, word) : 0;
    }
}

static cairn_status scene_init(scene *self, const cn_codec_frame *frame, const void *plane,
                               cn_row_landmarks landmarks)
{
    enum { BITMAPS = CN_ORIGINS + PASSES_TRIED_MAX + 2 };
    uint32_t height = frame->map->grid.height;
    size_t rows = height + 2u;

    memset(self, 0, sizeof *self);
    self->frame = frame;
    self->plane = plane;
    self->landmarks = landmarks;
    self->height = height;
    self->words = cn_row_words(frame);
    self->stride = frame->open_stride;
    self->bitmap_size = rows * self->stride;
    self->part_words = (unsigned)((self->words + 63) / 64);
    self->memory = cn_zeroed(&frame->mem, BITMAPS * self->bitmap_size, sizeof(uint64_t));
    self->masks = cn_zeroed(&frame->mem, (PASSES_TRIED_MAX + 3) * rows, sizeof(uint64_t));
    if (!self->memory || !self->masks)
        return CAIRN_E_MEMORY;

    bitmap all[BITMAPS];
    for (unsigned i = 0; i < BITMAPS; i++)
        all[i] = self->memory + i * self->bitmap_size + self->stride + 1;
    memcpy(self->tight, all, sizeof self->tight);
    memcpy(self->exact, all + CN_ORIGINS, sizeof self->exact);
    self->given = all[BITMAPS - 2];
    self->roots = all[BITMAPS - 1];
    for (unsigned i = 0; i < PASSES_TRIED_MAX + 1; i++)
        self->changed[i] = self->masks + i * rows + 1;
    self->rooted = self->masks + (PASSES_TRIED_MAX + 1) * rows + 1;
    self->open_parts = self->masks + (PASSES_TRIED_MAX + 2) * rows + 1;
    find_open_parts(self);
    return CAIRN_OK;
}

static void scene_free(scene *self)
{
    const cn_mem *mem = &self->frame->mem;
    cn_release(mem, self->memory);
    cn_release(mem, self->masks);
    cn_release(mem, self->stack);
}

static bool find_all_tight(scene *self)
{
    bool sound = true;

    for (uint32_t y = 0; y < self->height; y++) {
        uint64_t *rows[CN_ORIGINS];
        for (unsigned origin = 0; origin < CN_ORIGINS; origin++)
            rows[origin] = self->tight[origin] + y * self->stride;
        sound &= cn_tight_find(self->frame, self->plane, y, rows);
    }
    return sound;
}

/* Where to look for the unreachable. No tight step leads to them, unless sums stop at all ones, as
 * those of 16 bits do: then only whole words are told apart. */
static uint64_t suspects_among(const scene *self, size_t word, size_t at, uint64_t open)
{
    const uint16_t *costs = (const uint16_t *)self->plane + at;
    uint32_t most = 0;

    for (unsigned origin = 0; origin < CN_ORIGINS && self->frame->bits == 32; origin++)
        open &= ~self->tight[origin][word];
    if (self->frame->bits == 32 || open != UINT64_MAX)
        return open;
    for (unsigned i = 0; i < 64; i++)
        most = costs[i] > most ? costs[i] : most;
    return most == UINT16_MAX ? open : 0;
}

static uint64_t unreachable_among(const scene *self, size_t at, uint64_t open)
{
    uint32_t never = cn_entry_never(self->frame->bits);
    uint64_t found = 0;

    for (; open; open &= open - 1) {
        unsigned bit = cn_lowest_bit(open);
        uint64_t is_never = cn_entry_get(self->plane, at + bit, self->frame->bits) == never;
        found |= is_never << bit;
    }
    return found;
}

/* What is exact before any seed is there. False for a landmark whose cost is not zero. */
static bool give_landmarks(scene *self)
{
    const cn_codec_frame *frame = self->frame;
    bool sound = true;

    for (uint32_t y = 0; y < self->height; y++) {
        for (size_t word = 0; word < self->words; word++) {
            size_t i = y * self->stride + word;
            size_t at = y * frame->stride + word * 64;
            self->given[i] =
                unreachable_among(self, at, suspects_among(self, i, at, frame->open[i]));
        }
    }
    for (size_t i = 0; i < self->landmarks.count; i++) {
        uint32_t x, y;
        cn_grid_xy(&frame->map->grid, self->landmarks.nodes[i], &x, &y);
        self->given[y * self->stride + x / 64] |= UINT64_C(1) << x % 64;
        sound &= cn_entry_get(self->plane, y * frame->stride + x, frame->bits) == 0;
    }
    return sound;
}

static void begin_plan(scene *self, cn_sweep_plan plan, const uint64_t *given)
{
    self->plan = plan;
    memcpy(self->given - self->stride - 1, given, self->bitmap_size * sizeof(uint64_t));
    for (unsigned pass = 0; pass < plan.passes; pass++)
        memset(self->exact[pass] - self->stride - 1, 0, self->bitmap_size * sizeof(uint64_t));
    memcpy(self->changed[0], self->open_parts, self->height * sizeof(uint64_t));
    memset(self->rooted, 0, self->height * sizeof(uint64_t));
    self->row_count = 0;
}

/* --------------------------------------------------------------------------------- sweeps -- */

/* Bits spread to the next higher ones through bits of `way`: a sum carries through each run. */
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

/* Spreads what is exact in the changed parts of a row, first to higher columns, then to lower ones.
 * Returns the parts that changed. */
static uint64_t spread_up(const scene *self, uint64_t *row, size_t at, uint64_t changed)
{
    const uint64_t *west = self->tight[CN_FROM_W] + at;

    for (uint64_t left = changed; left; left &= left - 1) {
        unsigned part = cn_lowest_bit(left);
        size_t end = part_end(self, part);
        for (size_t word = part_start(self, part); word < end; word++) {
            uint64_t reached = west[word] & cn_bits_before(row + word) & ~row[word];
            if (reached)
                row[word] = fill_up(row[word], reached, west[word]);
        }
        if (row[end - 1] >> 63 & west[end] & ~row[end])
            left |= part_of(self, end);
        changed |= left;
    }
    return changed;
}

static uint64_t spread_down(const scene *self, uint64_t *row, size_t at, uint64_t changed)
{
    const uint64_t *east = self->tight[CN_FROM_E] + at;

    for (uint64_t left = changed; left;) {
        unsigned part = cn_highest_bit(left);
        size_t start = part_start(self, part);
        for (size_t word = part_end(self, part); word-- > start;) {
            uint64_t reached = east[word] & cn_bits_behind(row + word) & ~row[word];
            if (reached)
                row[word] = fill_down(row[word] | reached, east[word]);
        }
        if ((row[start] & east[start - 1] >> 63 & ~row[start - 1] >> 63) & 1)
            left |= part_of(self, start - 1);
        changed |= left;
        left ^= UINT64_C(1) << part;
    }
    return changed;
}

/* Where tight steps from the exact cells of another row lead. `first` is the straight origin; the
 * diagonal ones follow it. */
CN_ALWAYS_INLINE uint64_t reached_from(const scene *self, unsigned first, size_t at,
                                       const uint64_t *other)
{
    return (self->tight[first][at] & other[0]) |
           (self->tight[first + 1][at] & cn_bits_before(other)) |
           (self->tight[first + 2][at] & cn_bits_behind(other));
}

/* What is reached in the next part may begin in this one. */
static uint64_t with_neighbours(uint64_t parts)
{
    return parts | parts << 1 | parts >> 1;
}

/* Some parts of one row in one pass: what they take over from the pass before and from the row
 * that was swept before, and where that leads along the row. Returns the parts that changed. */
static uint64_t sweep_row(scene *self, unsigned pass, uint32_t y, bool down, uint64_t parts)
{
    const size_t at = y * self->stride;
    const unsigned first = down ? CN_FROM_N : CN_FROM_S;
    const uint64_t *before = (pass ? self->exact[pass - 1] : self->given) + at;
    uint64_t *row = self->exact[pass] + at, changed = 0;
    const uint64_t *other = down ? row - self->stride : row + self->stride;

    for (; parts; parts &= parts - 1) {
        unsigned part = cn_lowest_bit(parts);
        for (size_t word = part_start(self, part); word < part_end(self, part); word++) {
            uint64_t exact = row[word] | before[word] |
                             reached_from(self, first, at + word, other + word);
            changed |= exact != row[word] ? part_of(self, word) : 0;
            row[word] = exact;
        }
    }
    self->row_count++;
    return changed ? spread_down(self, row, at, spread_up(self, row, at, changed)) : 0;
}

/* Only parts of rows in which something may be new. */
static void sweep_pass(scene *self, unsigned pass)
{
    bool down = self->plan.up_first == (pass & 1);
    const uint64_t *before = self->changed[pass];
    uint64_t *changed = self->changed[pass + 1], carried = 0;

    for (uint32_t i = 0; i < self->height; i++) {
        uint32_t y = down ? i : self->height - 1 - i;
        uint64_t parts = (before[y] | with_neighbours(carried)) & self->open_parts[y];
        carried = parts ? sweep_row(self, pass, y, down, parts) : 0;
        changed[y] = carried;
    }
}

/* ---------------------------------------------------------------------------------- roots -- */

/* Returns the parts that have roots. */
static uint64_t find_roots_of_row(scene *self, uint32_t y, uint64_t parts)
{
    size_t at = y * self->stride;
    const uint64_t *exact = self->exact[self->plan.passes - 1] + at;
    uint64_t found = 0;

    for (; parts; parts &= parts - 1) {
        unsigned part = cn_lowest_bit(parts);
        for (size_t word = part_start(self, part); word < part_end(self, part); word++) {
            const uint64_t *here = exact + word;
            uint64_t reached = reached_from(self, CN_FROM_N, at + word, here - self->stride) |
                               reached_from(self, CN_FROM_S, at + word, here + self->stride) |
                               (self->tight[CN_FROM_W][at + word] & cn_bits_before(here)) |
                               (self->tight[CN_FROM_E][at + word] & cn_bits_behind(here));
            self->roots[at + word] = reached & ~*here;
            found |= self->roots[at + word] ? part_of(self, word) : 0;
        }
    }
    return found;
}

/* Only parts near which something changed, or that had more roots than became seeds. */
static bool find_roots(scene *self)
{
    bool any = false;

    for (uint32_t y = 0; y < self->height; y++) {
        const uint64_t *changed = self->changed[self->plan.passes] + y;
        uint64_t near = with_neighbours(changed[-1] | changed[0] | changed[1]);
        self->rooted[y] = find_roots_of_row(self, y, (near | self->rooted[y]) & self->open_parts[y]);
        any = any || self->rooted[y];
    }
    return any;
}

typedef struct cell {
    uint32_t x;
    uint32_t y;
} cell;

static uint32_t cost_at(const scene *self, cell at)
{
    return cn_entry_get(self->plane, at.y * self->frame->stride + at.x, self->frame->bits);
}

static bool push(scene *self, size_t *count, cell at)
{
    if (!cn_grow(&self->frame->mem, &self->stack, &self->stack_capacity, *count, *count + 1,
                 sizeof at))
        return false;
    ((cell *)self->stack)[(*count)++] = at;
    return true;
}

/* Takes the roots beside a cell off the map and onto the stack. */
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

/* The cheapest cell of the cluster of roots that `start` belongs to; takes the cluster away. */
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
static bool turn_word_into_seeds(scene *self, uint32_t y, size_t word, uint64_t *chosen,
                                 size_t *seed_count)
{
    const uint64_t *roots = self->roots + y * self->stride + word;

    while (*roots) {
        cell seed, start = {(uint32_t)(word * 64 + cn_lowest_bit(*roots)), y};
        if (!take_cluster(self, start, &seed))
            return false;
        size_t at = seed.y * self->stride + seed.x / 64;
        self->given[at] |= UINT64_C(1) << seed.x % 64;
        chosen[at] |= UINT64_C(1) << seed.x % 64;
        self->changed[0][seed.y] |= part_of(self, seed.x / 64);
        ++*seed_count;
    }
    return true;
}

static cairn_status turn_roots_into_seeds(scene *self, uint64_t *chosen, size_t *seed_count)
{
    for (uint32_t y = 0; y < self->height; y++) {
        for (uint64_t left = self->rooted[y]; left; left &= left - 1) {
            unsigned part = cn_lowest_bit(left);
            for (size_t word = part_start(self, part); word < part_end(self, part); word++) {
                if (!turn_word_into_seeds(self, y, word, chosen, seed_count))
                    return CAIRN_E_MEMORY;
            }
        }
    }
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------- plans -- */

static bool all_is_exact(const scene *self)
{
    const uint64_t *exact = self->exact[self->plan.passes - 1];

    for (uint32_t y = 0; y < self->height; y++) {
        for (size_t word = 0; word < self->words; word++) {
            size_t i = y * self->stride + word;
            if (self->frame->open[i] & ~exact[i])
                return false;
        }
    }
    return true;
}

/* Finds the seeds of the plan of the scene. Gives up with CAIRN_E_LIMIT once there are as many as
 * `most`. */
static cairn_status choose_for_plan(scene *self, size_t most, uint64_t *chosen, size_t *seed_count)
{
    cairn_status status = CAIRN_OK;

    *seed_count = 0;
    while (status == CAIRN_OK) {
        for (unsigned pass = 0; pass < self->plan.passes; pass++)
            sweep_pass(self, pass);
        memset(self->changed[0], 0, self->height * sizeof(uint64_t));
        if (!find_roots(self))
            break;
        status = turn_roots_into_seeds(self, chosen, seed_count);
        if (status == CAIRN_OK &&
            (*seed_count >= most ||
             self->row_count > (size_t)ROUNDS_MAX * self->plan.passes * self->height))
            status = CAIRN_E_LIMIT;
    }
    if (status == CAIRN_OK && !all_is_exact(self))
        status = CAIRN_E_INEXACT;
    return status;
}

/* The bitmaps that plans share. */
typedef struct trial {
    bitmap memory;
    bitmap chosen;   /* of the best plan so far */
    bitmap tried;
    bitmap given;    /* what every plan begins with */
} trial;

static cairn_status begin(scene *self, const cn_codec_frame *frame, const void *plane,
                          cn_row_landmarks landmarks, trial *bits)
{
    bits->memory = NULL;
    cairn_status status = scene_init(self, frame, plane, landmarks);
    if (status != CAIRN_OK)
        return status;
    bits->memory = cn_array(&frame->mem, 3 * self->bitmap_size, sizeof(uint64_t));
    if (!bits->memory)
        return CAIRN_E_MEMORY;
    bits->chosen = bits->memory;
    bits->tried = bits->memory + self->bitmap_size;
    bits->given = bits->memory + 2 * self->bitmap_size;
    if (!find_all_tight(self) || !give_landmarks(self))
        return CAIRN_E_INEXACT;
    memcpy(bits->given, self->given - self->stride - 1, self->bitmap_size * sizeof(uint64_t));
    return CAIRN_OK;
}

static cairn_status try_plan(scene *self, cn_sweep_plan plan, size_t most, trial *bits,
                             size_t *seed_count)
{
    begin_plan(self, plan, bits->given);
    memset(bits->tried, 0, self->bitmap_size * sizeof(uint64_t));
    return choose_for_plan(self, most, bits->tried + self->stride + 1, seed_count);
}

static cairn_status choose_best(scene *self, unsigned plans, trial *bits, cn_seed_choice *choice)
{
    size_t best = self->frame->map->grid.open_count + (size_t)1;
    bool any = false;

    for (unsigned i = 0; i < CN_PLANS; i++) {
        size_t seed_count;
        if (!(plans >> i & 1))
            continue;
        cairn_status status = try_plan(self, cn_seed_plans[i], best, bits, &seed_count);
        if (status == CAIRN_E_LIMIT)
            continue;
        if (status != CAIRN_OK)
            return status;
        bitmap worse = bits->chosen;
        bits->chosen = bits->tried;
        bits->tried = worse;
        best = seed_count;
        choice->plan = cn_seed_plans[i];
        any = true;
    }
    return any ? CAIRN_OK : CAIRN_E_INEXACT;
}

cairn_status cn_seeds_choose(const cn_codec_frame *frame, const void *plane,
                             cn_row_landmarks landmarks, unsigned plans, cn_seed_choice *choice)
{
    scene self;
    trial bits;

    *choice = (cn_seed_choice){.chosen = NULL};
    cairn_status status = begin(&self, frame, plane, landmarks, &bits);
    if (status == CAIRN_OK)
        status = choose_best(&self, plans, &bits, choice);
    scene_free(&self);
    if (status != CAIRN_OK) {
        cn_release(&frame->mem, bits.memory);
        return status;
    }
    choice->chosen = bits.chosen + frame->open_stride + 1;
    choice->memory = bits.memory;
    return CAIRN_OK;
}

cairn_status cn_seeds_survey(const cn_codec_frame *frame, const void *plane,
                             cn_row_landmarks landmarks, size_t counts[CN_PLANS])
{
    size_t most = frame->map->grid.open_count;
    scene self;
    trial bits;

    cairn_status status = begin(&self, frame, plane, landmarks, &bits);
    for (unsigned i = 0; i < CN_PLANS && status == CAIRN_OK; i++) {
        status = try_plan(&self, cn_seed_plans[i], most, &bits, &counts[i]);
        if (status == CAIRN_E_LIMIT) {
            counts[i] = most;
            status = CAIRN_OK;
        }
    }
    scene_free(&self);
    cn_release(&frame->mem, bits.memory);
    return status;
}
