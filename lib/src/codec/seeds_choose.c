/* Seeds are chosen by operations on bits, for 64 cells at a time. Cells that stay inexact next to
 * exact ones are roots: all other inexact cells are so because of them. The cheapest cell of each
 * cluster of roots becomes a seed, until every cell is exact (exact_cells.h). */
#include "codec/exact_cells.h"
#include "codec/seeds.h"

enum { ROUNDS_MAX = 1024 };

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

unsigned cn_seed_passes_together(cn_style style, cn_style other)
{
    const cn_seed_style *one = &cn_seed_styles[style], *two = &cn_seed_styles[other];
    unsigned first = first_pass(one), end = passes_end(one);

    first = first_pass(two) < first ? first_pass(two) : first;
    end = passes_end(two) > end ? passes_end(two) : end;
    return end - first;
}

typedef struct cell {
    uint32_t x;
    uint32_t y;
} cell;

/* The choice of seeds for a plan. */
typedef struct attempt {
    cn_exact_state exact;
    size_t seed_count;
} attempt;

typedef struct cn_seed_work {
    const cn_codec_layout *layout;
    cn_unpacked_row row; /* the plane and the landmarks of the caller's */
    cn_exact_cells cells;
    attempt now;
    attempt aside;     /* a second attempt, which may turn out better */
    uint32_t *columns; /* by word: for cn_exact_each */
    cell *stack;
    size_t stack_capacity;
} scene;

/* --------------------------------------------------------------------------------- set-up -- */

cairn_status cn_seed_work_new(const cn_codec_layout *layout, cn_seed_work **work)
{
    scene *self = cn_zeroed(&layout->mem, 1, sizeof *self);

    *work = NULL;
    if (!self)
        return CAIRN_E_MEMORY;
    self->layout = layout;
    cairn_status status = cn_exact_cells_init(&self->cells, layout);
    if (status == CAIRN_OK)
        status = cn_exact_state_init(&self->cells, &self->now.exact);
    if (status == CAIRN_OK)
        status = cn_exact_state_init(&self->cells, &self->aside.exact);
    self->columns = cn_array(&layout->mem, cn_row_words(layout), sizeof *self->columns);
    if (status != CAIRN_OK || !self->columns) {
        cn_seed_work_free(self);
        return CAIRN_E_MEMORY;
    }
    *work = self;
    return CAIRN_OK;
}

void cn_seed_work_free(cn_seed_work *self)
{
    if (!self)
        return;
    const cn_mem mem = self->layout->mem;
    cn_exact_state_free(&self->cells, &self->now.exact);
    cn_exact_state_free(&self->cells, &self->aside.exact);
    cn_exact_cells_free(&self->cells);
    cn_release(&mem, self->columns);
    cn_release(&mem, self->stack);
    cn_release(&mem, self);
}

uint64_t cn_seed_work_memory(const cairn_map *map)
{
    return cn_exact_cells_memory(map->grid.height, map->grid.open_stride - 2, 2);
}

static cell landmark_at(const scene *self, size_t index)
{
    cell at;
    cn_grid_xy(&self->layout->map->grid, self->row.landmarks.nodes[index], &at.x, &at.y);
    return at;
}

static cairn_cost cost_at(const scene *self, cell at)
{
    return cn_plane_at(self->row.costs, at.x, at.y);
}

cairn_status cn_seeds_examine(cn_seed_work *self, const cn_unpacked_row *row)
{
    bool sound = cn_exact_examine(&self->cells, row->costs, row->way);

    self->row = *row;
    for (size_t i = 0; i < row->landmarks.count; i++)
        sound &= cost_at(self, landmark_at(self, i)) == 0;
    return sound ? CAIRN_OK : CAIRN_E_INEXACT;
}

static void begin_plan(scene *self, cn_sweep_plan plan)
{
    self->now.seed_count = 0;
    cn_exact_begin(&self->cells, &self->now.exact, plan);
    for (size_t i = 0; i < self->row.landmarks.count; i++) {
        const cell at = landmark_at(self, i);
        cn_exact_give(&self->cells, &self->now.exact, at.x, at.y);
    }
}

/* ------------------------------------------------------------------------------- clusters -- */

static uint64_t *record_at(const scene *self, cell at)
{
    return cn_exact_record(&self->cells, &self->now.exact, at.x / 64, at.y);
}

static bool push(scene *self, size_t *count, cell at)
{
    if (!CN_GROW(&self->layout->mem, self->stack, &self->stack_capacity, *count, *count + 1))
        return false;
    self->stack[(*count)++] = at;
    return true;
}

/* Removes the roots next to a cell from the map and pushes them onto the stack. */
static bool take_roots_around(scene *self, size_t *count, cell at)
{
    for (uint32_t y = at.y - 1; y != at.y + 2; y++) {
        for (uint32_t x = at.x - 1; x != at.x + 2; x++) {
            if (y >= self->cells.height || x / 64 >= self->cells.words)
                continue;
            uint64_t *word = record_at(self, (cell){x, y}) + CN_ROOTS;
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
        cell at = self->stack[--count];
        if (cost_at(self, at) < cost_at(self, *cheapest))
            *cheapest = at;
        if (!take_roots_around(self, &count, at))
            return false;
    }
    return true;
}

/* All clusters with a root in a word. */
static bool turn_word_into_seeds(void *context, uint32_t word, uint32_t y)
{
    scene *self = context;
    const uint64_t *roots = record_at(self, (cell){word * 64, y}) + CN_ROOTS;

    while (*roots) {
        cell seed, start = {word * 64 + cn_lowest_bit(*roots), y};
        if (!take_cluster(self, start, &seed))
            return false;
        cn_exact_give(&self->cells, &self->now.exact, seed.x, seed.y);
        self->now.seed_count++;
    }
    return true;
}

/* ----------------------------------------------------------------------------------- plans -- */

/* Sweeps, and makes seeds of roots. */
static cairn_status run_round(scene *self, bool *done)
{
    *done = !cn_exact_sweep(&self->cells, &self->now.exact);
    return *done || cn_exact_each(&self->cells, &self->now.exact, CN_HAVE_ROOTS, self->columns,
                                  turn_word_into_seeds, self)
               ? CAIRN_OK
               : CAIRN_E_MEMORY;
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

static bool has_taken_long(const scene *self)
{
    return self->now.exact.work / ROUNDS_MAX >
           (uint64_t)self->now.exact.plan.passes * self->cells.height * self->cells.words;
}

cairn_status cn_seeds_choose(cn_seed_work *self, cn_style style, size_t most, cn_sweep_plan *plan,
                             size_t *count)
{
    const cn_seed_style *wanted = &cn_seed_styles[style];
    bool done;
    cairn_status status = (wanted->either_way ? begin_better : begin)(self, wanted->plan, &done);

    while (status == CAIRN_OK && !done) {
        if (self->now.seed_count > most || has_taken_long(self))
            return CAIRN_E_LIMIT;
        status = run_round(self, &done);
    }
    *plan = self->now.exact.plan;
    *count = self->now.seed_count;
    if (status != CAIRN_OK)
        return status;
    if (!cn_exact_is_all(&self->cells, &self->now.exact, plan->passes))
        return CAIRN_E_INEXACT;
    while (plan->passes > 1 && cn_exact_is_all(&self->cells, &self->now.exact, plan->passes - 1))
        plan->passes--;
    return CAIRN_OK;
}

/* Where the list of seeds goes. */
typedef struct seeds_listed {
    const scene *work;
    cn_seed *next;
} seeds_listed;

/* A tight step leads to each seed, so it costs more than the landmarks do. */
static bool list_word(void *context, uint32_t word, uint32_t y)
{
    seeds_listed *list = context;
    const scene *self = list->work;
    const uint32_t width = self->layout->map->grid.width;

    for (uint64_t left = *record_at(self, (cell){word * 64, y}); left; left &= left - 1) {
        const cell at = {word * 64 + cn_lowest_bit(left), y};
        const cairn_cost cost = cost_at(self, at);
        if (cost > 0)
            *list->next++ = (cn_seed){y * width + at.x, cost};
    }
    return true;
}

void cn_seeds_list(const cn_seed_work *self, cn_seed *seeds)
{
    seeds_listed list = {self, seeds};
    cn_exact_each(&self->cells, &self->now.exact, CN_HAVE_GIVEN, self->columns, list_word, &list);
}
