#include "codec/exact_cells.h"

#include <string.h>

enum { TILE = 64, GROUP = 8 };

/* A tile, by its column and its row. Neighbours may lie outside the map. */
typedef struct tile_at {
    uint32_t x;
    uint32_t y;
} tile_at;

/* --------------------------------------------------------------------------------- set-up -- */

static uint64_t exact_records(uint32_t height, uint64_t words)
{
    return (words + 2) * ((uint64_t)height + 2);
}

static uint64_t exact_tiles(uint32_t height, uint64_t words)
{
    return (words + 2) * ((height + UINT64_C(63)) / TILE + 2);
}

uint64_t cn_exact_cells_memory(uint32_t height, uint64_t words, unsigned states)
{
    const uint64_t records = exact_records(height, words), tiles = exact_tiles(height, words);
    return records * sizeof(uint64_t) * (CN_ORIGINS + states * CN_EXACT_WORDS) +
           tiles * (sizeof(cn_exact_border) + states * sizeof(cn_exact_tile));
}

cairn_status cn_exact_cells_init(cn_exact_cells *self, const cn_codec_layout *layout)
{
    const uint32_t height = layout->map->grid.height;

    self->layout = layout;
    self->height = height;
    self->words = (uint32_t)cn_row_words(layout);
    self->tile_rows = (height + TILE - 1) / TILE;
    self->group_columns = (self->words + GROUP - 1) / GROUP;
    self->group_count = self->group_columns * ((self->tile_rows + GROUP - 1) / GROUP);
    self->record_count = (size_t)exact_records(height, self->words);
    self->tile_count = (size_t)exact_tiles(height, self->words);
    self->tight.column = height + (size_t)2;
    self->use = cn_grid_use(&layout->map->grid);
    self->tight.records = cn_zeroed_for(&layout->mem, self->use, self->record_count * CN_ORIGINS,
                                        sizeof(uint64_t));
    self->borders = cn_zeroed(&layout->mem, self->tile_count, sizeof *self->borders);
    return self->tight.records && self->borders ? CAIRN_OK : CAIRN_E_MEMORY;
}

void cn_exact_cells_free(cn_exact_cells *self)
{
    if (!self->layout)
        return;
    cn_release(&self->layout->mem, self->tight.records);
    cn_release(&self->layout->mem, self->borders);
}

cairn_status cn_exact_state_init(const cn_exact_cells *self, cn_exact_state *state)
{
    const cn_mem *mem = &self->layout->mem;

    state->records = cn_zeroed_for(mem, self->use, self->record_count * CN_EXACT_WORDS,
                                   sizeof(uint64_t));
    state->tiles = cn_zeroed(mem, self->tile_count, sizeof *state->tiles);
    state->groups = cn_zeroed(mem, self->group_count, sizeof *state->groups);
    return state->records && state->tiles && state->groups ? CAIRN_OK : CAIRN_E_MEMORY;
}

void cn_exact_state_free(const cn_exact_cells *self, cn_exact_state *state)
{
    if (!self->layout)
        return;
    cn_release(&self->layout->mem, state->records);
    cn_release(&self->layout->mem, state->tiles);
    cn_release(&self->layout->mem, state->groups);
}

bool cn_exact_examine(cn_exact_cells *self, const cn_plane *costs, cn_way way)
{
    self->row_number++;
    return cn_tight_find(self->layout, costs, way, &self->tight);
}

bool cn_exact_is_all(const cn_exact_cells *self, const cn_exact_state *state, unsigned passes)
{
    return state->counts[passes - 1] == self->tight.reached;
}

/* ---------------------------------------------------------------- tiles and their groups -- */

static size_t tile_index(const cn_exact_cells *self, tile_at at)
{
    return (size_t)(at.y + 1) * (self->words + (size_t)2) + (at.x + 1);
}

CN_ALWAYS_INLINE bool is_in_map(const cn_exact_cells *self, tile_at at)
{
    return at.x < self->words && at.y < self->tile_rows;
}

/* The group of a tile, and its bit there. */
CN_ALWAYS_INLINE cn_exact_group *group_of(const cn_exact_cells *self, const cn_exact_state *state,
                                          tile_at at, uint64_t *bit)
{
    *bit = UINT64_C(1) << (at.y % GROUP * GROUP + at.x % GROUP);
    return &state->groups[at.y / GROUP * self->group_columns + at.x / GROUP];
}

/* A tile of a group, by its bit there. */
CN_ALWAYS_INLINE tile_at tile_of(const cn_exact_cells *self, uint32_t group, unsigned bit)
{
    return (tile_at){group % self->group_columns * GROUP + bit % GROUP,
                     group / self->group_columns * GROUP + bit / GROUP};
}

static void enqueue(cn_exact_state *state, cn_exact_group *group)
{
    const uint32_t index = (uint32_t)(group - state->groups);

    group->waits = true;
    group->next = UINT32_MAX;
    if (state->first == UINT32_MAX)
        state->first = index;
    else
        state->groups[state->last].next = index;
    state->last = index;
}

static void clear_tile(const cn_exact_cells *self, cn_exact_state *state, tile_at at)
{
    const uint32_t left = self->height - at.y * TILE, rows = left < TILE ? left : TILE;
    uint64_t *first = cn_exact_record(self, state, at.x, at.y * TILE);

    memset(first, 0, rows * CN_EXACT_WORDS * sizeof *first);
    state->tiles[tile_index(self, at)] = (cn_exact_tile){.marks = {0}};
}

/* What lies in blocked regions stays as it was allocated: such pages take no memory. */
static void clear_touched_tiles(const cn_exact_cells *self, cn_exact_state *state)
{
    for (uint32_t index = 0; index < self->group_count; index++) {
        for (uint64_t left = state->groups[index].touched; left; left &= left - 1)
            clear_tile(self, state, tile_of(self, index, cn_lowest_bit(left)));
    }
}

void cn_exact_begin(const cn_exact_cells *self, cn_exact_state *state, cn_sweep_plan plan)
{
    clear_touched_tiles(self, state);
    state->plan = plan;
    state->work = 0;
    state->first = state->last = UINT32_MAX;
    memset(state->counts, 0, sizeof state->counts);
    memset(state->groups, 0, self->group_count * sizeof *state->groups);
}

/* Notes that rows of a tile have to be swept in a pass. */
static void wake(const cn_exact_cells *self, cn_exact_state *state, tile_at at, unsigned pass,
                 uint64_t rows)
{
    uint64_t bit;
    if (!rows || !is_in_map(self, at))
        return;
    cn_exact_group *group = group_of(self, state, at, &bit);
    group->touched |= bit;
    state->tiles[tile_index(self, at)].woken[pass] |= rows;
    group->woken[pass] |= bit;
    if (!group->waits)
        enqueue(state, group);
}

static void set_mark(const cn_exact_cells *self, cn_exact_state *state, tile_at at,
                     cn_exact_mark mark, uint64_t rows)
{
    uint64_t bit;
    if (!rows || !is_in_map(self, at))
        return;
    cn_exact_group *group = group_of(self, state, at, &bit);
    group->touched |= bit;
    group->marks[mark] |= bit; /* after group_of: an order that one expression would not promise */
    state->tiles[tile_index(self, at)].marks[mark] |= rows;
}

void cn_exact_give(const cn_exact_cells *self, cn_exact_state *state, uint32_t x, uint32_t y)
{
    const tile_at at = {x / TILE, y / TILE};

    cn_exact_record(self, state, x / TILE, y)[CN_GIVEN] |= UINT64_C(1) << x % TILE;
    set_mark(self, state, at, CN_HAVE_GIVEN, UINT64_C(1) << y % TILE);
    wake(self, state, at, 0, UINT64_C(1) << y % TILE);
}

/* The tight steps over the border of a tile. */
static const uint64_t *border_of(cn_exact_cells *self, tile_at at)
{
    cn_exact_border *border = &self->borders[tile_index(self, at)];
    if (border->row_number == self->row_number || !is_in_map(self, at))
        return border->steps; /* of those outside the map, none */

    const uint32_t first = at.y * TILE, left = self->height - first;
    const uint64_t *record = self->tight.records +
                             cn_tight_record(&self->tight, at.x, first) * CN_ORIGINS;
    memset(border->steps, 0, sizeof border->steps);
    for (uint32_t row = 0; row < TILE && row < left; row++, record += CN_ORIGINS) {
        for (unsigned origin = 0; origin < CN_ORIGINS; origin++) {
            const bool is_behind = origin == CN_FROM_E || origin == CN_FROM_NE ||
                                   origin == CN_FROM_SE;
            border->steps[origin] |= (record[origin] >> (is_behind ? 63 : 0) & 1) << row;
        }
    }
    border->row_number = self->row_number;
    return border->steps;
}

/* --------------------------------------------------------------------------------- sweeps -- */

/* What the tiles on both sides contribute to each row of a tile: whether the cells next to it are
 * exact, in the same row, the one above and the one below. */
typedef struct sides {
    uint64_t before, before_above, before_below;
    uint64_t behind, behind_above, behind_below;
} sides;

/* Fills in one side from the column `edge` of the tile `beside`, of the tile above that, and of the
 * one below it. */
static void find_side(const cn_exact_tile *beside, size_t across, unsigned edge, unsigned pass,
                      uint64_t found[3])
{
    const uint64_t *above = (beside - across)->edge[edge], *below = (beside + across)->edge[edge];
    const uint64_t rows = beside->edge[edge][pass];

    found[0] = rows;
    found[1] = rows << 1 | above[pass] >> 63;
    found[2] = rows >> 1 | below[pass] << 63;
}

static sides sides_of(const cn_exact_cells *self, const cn_exact_tile *tile, unsigned pass)
{
    const size_t across = self->words + (size_t)2;
    uint64_t before[3], behind[3];

    find_side(tile - 1, across, 1, pass, before);
    find_side(tile + 1, across, 0, pass, behind);
    return (sides){before[0], before[1], before[2], behind[0], behind[1], behind[2]};
}

/* The cells that tight steps reach from exact cells of the next row; `first` is the straight
 * origin, which the slanting ones follow. */
CN_ALWAYS_INLINE uint64_t reached_by(const uint64_t *tight, unsigned first, uint64_t from,
                                     uint64_t before, uint64_t behind)
{
    return (tight[first] & from) | (tight[first + 1] & (from << 1 | before)) |
           (tight[first + 2] & (from >> 1 | behind << 63));
}

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

/* Spreads exactness along the row. */
CN_ALWAYS_INLINE uint64_t spread_along(const uint64_t *tight, uint64_t exact, uint64_t before,
                                       uint64_t behind)
{
    const uint64_t up = tight[CN_FROM_W] & (exact << 1 | before) & ~exact;
    if (up)
        exact = fill_up(exact, up, tight[CN_FROM_W]);
    const uint64_t down = tight[CN_FROM_E] & (exact >> 1 | behind << 63) & ~exact;
    return down ? fill_down(exact | down, tight[CN_FROM_E]) : exact;
}

/* What became exact in a tile in one pass: rows, and rows of the first and of the last column. */
typedef struct gains {
    uint64_t rows;
    uint64_t edge[2];
    uint64_t count; /* of cells */
} gains;

/* The woken rows of a tile in one pass, and those that change because of them. */
CN_ALWAYS_INLINE gains sweep_rows(const cn_exact_cells *self, cn_exact_state *state, tile_at at,
                                  unsigned pass, bool down)
{
    cn_exact_tile *tile = &state->tiles[tile_index(self, at)];
    const sides side = sides_of(self, tile, pass);
    const uint64_t slant_before = down ? side.before_above : side.before_below;
    const uint64_t slant_behind = down ? side.behind_above : side.behind_below;
    const size_t start = cn_tight_record(&self->tight, at.x, at.y * TILE);
    const uint64_t *first_tight = self->tight.records + start * CN_ORIGINS;
    uint64_t *first = state->records + start * CN_EXACT_WORDS + CN_EXACT + pass;
    gains found = {0, {0, 0}, 0};

    for (uint64_t left = tile->woken[pass]; left; state->work++) {
        const unsigned y = down ? cn_lowest_bit(left) : cn_highest_bit(left);
        const uint64_t bit = UINT64_C(1) << y, *tight = first_tight + y * CN_ORIGINS;
        uint64_t *own = first + y * CN_EXACT_WORDS;
        const uint64_t from = down ? own[-CN_EXACT_WORDS] : own[CN_EXACT_WORDS];
        uint64_t exact = own[0] | own[-1] |
                         reached_by(tight, down ? CN_FROM_N : CN_FROM_S, from,
                                    slant_before >> y & 1, slant_behind >> y & 1);
        exact = spread_along(tight, exact, side.before >> y & 1, side.behind >> y & 1);
        const uint64_t fresh = exact & ~own[0];
        left ^= bit;
        if (!fresh)
            continue;
        own[0] = exact;
        left |= down ? bit << 1 : bit >> 1;
        found.rows |= bit;
        found.edge[0] |= (fresh & 1) << y;
        found.edge[1] |= fresh >> 63 << y;
        found.count += cn_count_bits(fresh);
    }
    tile->woken[pass] = 0;
    return found;
}

/* Wakes the rows of a tile that tight steps lead to from cells which became exact beside it, in
 * column `edge` of its neighbour. */
static void wake_beside(cn_exact_cells *self, cn_exact_state *state, tile_at at, unsigned pass,
                        bool down, unsigned edge, uint64_t rows)
{
    const tile_at next = {at.x, down ? at.y + 1 : at.y - 1};
    const unsigned slant = (down ? CN_FROM_NW : CN_FROM_SW) + (edge ? 0u : 1u);
    const uint64_t *steps;
    if (!rows || !is_in_map(self, at))
        return;
    steps = border_of(self, at);
    const uint64_t reached = (rows & steps[edge ? CN_FROM_W : CN_FROM_E]) |
                             ((down ? rows << 1 : rows >> 1) & steps[slant]);
    wake(self, state, at, pass, reached & ~state->tiles[tile_index(self, at)].edge[!edge][pass]);
    const uint64_t over = down ? rows >> 63 : rows << 63;
    if (over)
        wake(self, state, next, pass, over & border_of(self, next)[slant]);
}

/* Roots may have come or gone in these rows of a tile, and next to them. */
static void mark_around(const cn_exact_cells *self, cn_exact_state *state, tile_at at,
                        uint64_t rows)
{
    set_mark(self, state, at, CN_MAY_HAVE_ROOTS, rows | rows << 1 | rows >> 1);
    set_mark(self, state, (tile_at){at.x, at.y - 1}, CN_MAY_HAVE_ROOTS, rows << 63);
    set_mark(self, state, (tile_at){at.x, at.y + 1}, CN_MAY_HAVE_ROOTS, rows >> 63);
}

static void sweep_tile(cn_exact_cells *self, cn_exact_state *state, tile_at at, unsigned pass)
{
    const bool down = state->plan.up_first == (pass & 1);
    const gains found = down ? sweep_rows(self, state, at, pass, true)
                             : sweep_rows(self, state, at, pass, false);
    cn_exact_tile *tile = &state->tiles[tile_index(self, at)];

    if (!found.rows)
        return;
    state->counts[pass] += found.count;
    tile->edge[0][pass] |= found.edge[0];
    tile->edge[1][pass] |= found.edge[1];
    wake_beside(self, state, (tile_at){at.x - 1, at.y}, pass, down, 0, found.edge[0]);
    wake_beside(self, state, (tile_at){at.x + 1, at.y}, pass, down, 1, found.edge[1]);
    if (down)
        wake(self, state, (tile_at){at.x, at.y + 1}, pass, found.rows >> 63);
    else
        wake(self, state, (tile_at){at.x, at.y - 1}, pass, found.rows << 63);
    if (pass + 1 < state->plan.passes) {
        wake(self, state, at, pass + 1, found.rows);
        return;
    }
    mark_around(self, state, at, found.rows);
    mark_around(self, state, (tile_at){at.x - 1, at.y}, found.edge[0]);
    mark_around(self, state, (tile_at){at.x + 1, at.y}, found.edge[1]);
}

/* All passes, in the order of the cells as far as it goes: downwards the first tile, upwards the
 * last. */
static void sweep_group(cn_exact_cells *self, cn_exact_state *state, uint32_t index)
{
    cn_exact_group *group = &state->groups[index];

    for (unsigned pass = 0; pass < state->plan.passes; pass++) {
        const bool down = state->plan.up_first == (pass & 1);
        while (group->woken[pass]) {
            const uint64_t woken = group->woken[pass];
            const unsigned tile = down ? cn_lowest_bit(woken) : cn_highest_bit(woken);
            group->woken[pass] ^= UINT64_C(1) << tile;
            sweep_tile(self, state, tile_of(self, index, tile), pass);
        }
    }
    group->waits = false;
}

/* ---------------------------------------------------------------------------------- roots -- */

/* Examines rows of a tile, and returns those that have roots. */
static uint64_t find_roots_of_tile(const cn_exact_cells *self, cn_exact_state *state, tile_at at,
                                   uint64_t rows)
{
    const unsigned last = state->plan.passes - 1;
    const sides side = sides_of(self, &state->tiles[tile_index(self, at)], last);
    uint64_t found = 0;

    for (; rows; rows &= rows - 1) {
        const unsigned y = cn_lowest_bit(rows);
        const size_t record = cn_tight_record(&self->tight, at.x, at.y * TILE + y);
        const uint64_t *tight = self->tight.records + record * CN_ORIGINS;
        uint64_t *own = state->records + record * CN_EXACT_WORDS, *here = own + CN_EXACT + last;
        const uint64_t reached =
            reached_by(tight, CN_FROM_N, here[-CN_EXACT_WORDS], side.before_above >> y & 1,
                       side.behind_above >> y & 1) |
            reached_by(tight, CN_FROM_S, here[CN_EXACT_WORDS], side.before_below >> y & 1,
                       side.behind_below >> y & 1) |
            (tight[CN_FROM_W] & (*here << 1 | (side.before >> y & 1))) |
            (tight[CN_FROM_E] & (*here >> 1 | side.behind >> y << 63));
        own[CN_ROOTS] = reached & ~*here;
        found |= (uint64_t)(own[CN_ROOTS] != 0) << y;
    }
    return found;
}

/* Rows near which something changed, and rows that had more roots than became seeds. */
static bool find_roots_of_group(const cn_exact_cells *self, cn_exact_state *state, uint32_t index)
{
    cn_exact_group *group = &state->groups[index];
    uint64_t left = group->marks[CN_MAY_HAVE_ROOTS] | group->marks[CN_HAVE_ROOTS];

    group->marks[CN_MAY_HAVE_ROOTS] = group->marks[CN_HAVE_ROOTS] = 0;
    for (; left; left &= left - 1) {
        const unsigned bit = cn_lowest_bit(left);
        const tile_at at = tile_of(self, index, bit);
        uint64_t *marks = state->tiles[tile_index(self, at)].marks;
        const uint32_t height = self->height - at.y * TILE;
        const uint64_t own = height < TILE ? (UINT64_C(1) << height) - 1 : UINT64_MAX;
        const uint64_t rows = (marks[CN_MAY_HAVE_ROOTS] | marks[CN_HAVE_ROOTS]) & own;
        marks[CN_MAY_HAVE_ROOTS] = 0;
        marks[CN_HAVE_ROOTS] = find_roots_of_tile(self, state, at, rows);
        if (marks[CN_HAVE_ROOTS])
            group->marks[CN_HAVE_ROOTS] |= UINT64_C(1) << bit;
    }
    return group->marks[CN_HAVE_ROOTS];
}

bool cn_exact_sweep(cn_exact_cells *self, cn_exact_state *state)
{
    bool any = false;

    while (state->first != UINT32_MAX) {
        const uint32_t index = state->first;
        state->first = state->groups[index].next;
        sweep_group(self, state, index);
    }
    for (uint32_t index = 0; index < self->group_count; index++)
        any |= find_roots_of_group(self, state, index);
    return any;
}

/* ----------------------------------------------------------------------------- in order -- */

/* The tiles of a row of tiles that have a mark; *rows becomes the rows that any of them has. */
static uint32_t marked_columns(const cn_exact_cells *self, const cn_exact_state *state,
                               uint32_t tile_row, cn_exact_mark mark, uint32_t *columns,
                               uint64_t *rows)
{
    const cn_exact_group *groups = state->groups + tile_row / GROUP * self->group_columns;
    uint32_t count = 0;

    *rows = 0;
    for (uint32_t i = 0; i < self->group_columns; i++) {
        uint64_t left = groups[i].marks[mark] >> tile_row % GROUP * GROUP & 0xff;
        for (; left; left &= left - 1) {
            const tile_at at = {i * GROUP + cn_lowest_bit(left), tile_row};
            *rows |= state->tiles[tile_index(self, at)].marks[mark];
            columns[count++] = at.x;
        }
    }
    return count;
}

bool cn_exact_each(const cn_exact_cells *self, const cn_exact_state *state, cn_exact_mark mark,
                   uint32_t *columns, cn_exact_function *act, void *context)
{
    for (uint32_t tile_row = 0; tile_row < self->tile_rows; tile_row++) {
        uint64_t rows;
        const uint32_t count = marked_columns(self, state, tile_row, mark, columns, &rows);
        for (; rows; rows &= rows - 1) {
            const unsigned y = cn_lowest_bit(rows);
            for (uint32_t i = 0; i < count; i++) {
                const tile_at at = {columns[i], tile_row};
                if (state->tiles[tile_index(self, at)].marks[mark] >> y & 1 &&
                    !act(context, at.x, tile_row * TILE + y))
                    return false;
            }
        }
    }
    return true;
}
