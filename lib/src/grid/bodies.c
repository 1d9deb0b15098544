/*
 * Units of several cells. The letter of an anchor follows from the cells that the unit covers: it
 * is blocked if any of them is, has the largest of their factors, and may be left where all of them
 * may be. Mostly the letter of the anchor's own cell is right. Only where one-way cells lie below
 * one unit, combinations of factor and directions occur that no letter of the map has; these get
 * letters that it does not use.
 */
#include "grid/bodies.h"

#include <string.h>

/* What decides the steps of a cell. */
typedef struct footing {
    uint16_t factor;
    uint8_t exits;
} footing;

static footing footing_of(const cn_rules *rules, unsigned letter)
{
    return (footing){rules->factor[letter], rules->exits[letter]};
}

static footing both(footing one, footing other)
{
    const uint16_t factor = one.factor > other.factor ? one.factor : other.factor;
    return (footing){factor, one.exits & other.exits};
}

static bool has_footing(const cn_rules *rules, unsigned letter, footing wanted)
{
    return cn_rules_open(rules, letter) && rules->factor[letter] == wanted.factor &&
           rules->exits[letter] == wanted.exits;
}

/* The first letter with a footing; 256: there is none. */
static unsigned letter_with(const cn_rules *rules, footing wanted)
{
    unsigned letter = 0;
    while (letter < 256 && !has_footing(rules, letter, wanted))
        letter++;
    return letter;
}

/* A letter that means nothing yet, not of ASCII if there is one; 256: there is none. */
static unsigned unused_letter(const cn_rules *rules)
{
    for (unsigned i = 0; i < 256; i++) {
        const unsigned letter = (i + 0x80) & 0xff;
        if (rules->factor[letter] == 0)
            return letter;
    }
    return 256;
}

/* One that a text may have, if there is any. */
static unsigned unused_sign(const cn_rules *rules)
{
    unsigned letter = '!';
    while (letter <= '~' && rules->factor[letter])
        letter++;
    return letter <= '~' ? letter : unused_letter(rules);
}

/* Makes sure that two footings together have a letter. */
static bool add_both(cn_rules *rules, unsigned one, unsigned other)
{
    const footing wanted = both(footing_of(rules, one), footing_of(rules, other));
    if (letter_with(rules, wanted) < 256)
        return true;
    const unsigned letter = unused_letter(rules);
    if (letter == 256)
        return false;
    rules->factor[letter] = wanted.factor;
    rules->exits[letter] = wanted.exits;
    return true;
}

/* Adds letters until any two have a letter for both of them. */
static bool close_letters(cn_rules *rules)
{
    uint8_t open[256];
    unsigned count = 0;
    for (unsigned letter = 0; letter < 256; letter++) {
        if (cn_rules_open(rules, letter))
            open[count++] = (uint8_t)letter;
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const unsigned added = unused_letter(rules);
            if (!add_both(rules, open[i], open[j]))
                return false;
            if (added < 256 && rules->factor[added])
                open[count++] = (uint8_t)added;
        }
    }
    return true;
}

/* The letter of an anchor whose own cell is open, but not the whole unit. */
static bool choose_blocked_letter(cn_bodies *bodies)
{
    cn_rules *rules = &bodies->rules;
    unsigned letter = rules->factor['@'] == CAIRN_TERRAIN_BLOCKED ? '@' : 0;
    while (letter < 256 && rules->factor[letter] != CAIRN_TERRAIN_BLOCKED)
        letter++;
    if (letter == 256)
        letter = rules->factor['@'] ? unused_sign(rules) : '@';
    if (letter == 256)
        return false;
    rules->factor[letter] = CAIRN_TERRAIN_BLOCKED;
    bodies->blocked_letter = (uint8_t)letter;
    return true;
}

void cn_bodies_of(cn_bodies *bodies, const cn_grid *grid, uint32_t size, cairn_anchor anchor)
{
    *bodies = (cn_bodies){.size = size,
                          .before = anchor == CAIRN_ANCHOR_MIDDLE ? (size - 1) / 2 : 0,
                          .is_hex = grid->rules.rule == CAIRN_RULE_HEX,
                          .rules = grid->rules};
}

cairn_status cn_bodies_init(cn_bodies *bodies, const cn_grid *grid, uint32_t size,
                            cairn_anchor anchor)
{
    uint32_t least, most;
    cn_bodies_of(bodies, grid, size, anchor);
    cn_rules_range(&grid->rules, &least, &most);
    bodies->has_equal_cells = least == most && !grid->has_one_way;
    return choose_blocked_letter(bodies) && close_letters(&bodies->rules) ? CAIRN_OK
                                                                          : CAIRN_E_LIMIT;
}

bool cn_body_at(const cn_bodies *bodies, const cn_grid *grid, cairn_node anchor, cairn_node *first)
{
    const int64_t size = bodies->size, before = bodies->before;
    uint32_t anchor_x, anchor_y;
    cn_grid_xy(grid, anchor, &anchor_x, &anchor_y);
    const int64_t y = anchor_y - before, end_y = y + size;
    if (y < 0 || end_y > grid->height)
        return false;
    /* By how much the first and the last row are shifted against the row of the anchor. */
    const int64_t above = bodies->is_hex ? anchor_y / 2 - y / 2 : 0;
    const int64_t below = bodies->is_hex ? (end_y - 1) / 2 - anchor_y / 2 : 0;
    const int64_t x = anchor_x - before - above;
    if (x < 0 || anchor_x - before + below + size > grid->width)
        return false;
    *first = (cairn_node)(y * grid->width + x);
    return true;
}

/* ------------------------------------------------------------------ letters of some anchors -- */

/* What columns of cells have together, those of blocked cells CAIRN_TERRAIN_BLOCKED, the largest
 * factor. */
typedef struct footings {
    uint16_t factor[CN_BODIES_AT_ONCE + CAIRN_UNIT_SIZE_MAX];
    uint8_t exits[CN_BODIES_AT_ONCE + CAIRN_UNIT_SIZE_MAX];
} footings;

static void block_columns(footings *self, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        self->factor[i] = CAIRN_TERRAIN_BLOCKED;
}

/* Joins columns with the cells of a row that begin at `x`, which may lie beyond the grid. */
static void join_row(footings *self, const cn_grid *grid, int64_t x, uint32_t y, uint32_t count)
{
    const int64_t width = grid->width;
    const uint32_t first = x >= 0 ? 0 : -x < count ? (uint32_t)-x : count;
    const uint32_t end = x + count <= width ? count : x < width ? (uint32_t)(width - x) : 0;
    const uint8_t *letters = grid->letters + (int64_t)y * width + x;

    block_columns(self, 0, first);
    for (uint32_t i = first; i < end; i++) {
        const uint16_t factor = grid->rules.factor[letters[i]];
        self->factor[i] = factor > self->factor[i] ? factor : self->factor[i];
        self->exits[i] &= grid->rules.exits[letters[i]];
    }
    block_columns(self, end > first ? end : first, count);
}

/* Joins each column with those behind it, as many as a unit has. */
static void join_columns(footings *self, uint32_t size, uint32_t count)
{
    for (uint32_t reach = 1, more; reach < size; reach += more) {
        more = 2 * reach <= size ? reach : size - reach;
        for (uint32_t i = 0; i + more < count; i++) {
            const uint16_t factor = self->factor[i + more];
            self->factor[i] = factor > self->factor[i] ? factor : self->factor[i];
            self->exits[i] &= self->exits[i + more];
        }
    }
}

/* The footings of units whose anchors lie in a row, from `x` on. */
static void join_units(footings *self, const cn_bodies *bodies, const cn_grid *grid, uint32_t x,
                       uint32_t y, uint32_t count)
{
    const uint32_t columns = count + bodies->size - 1;
    memset(self->factor, 0, columns * sizeof *self->factor);
    memset(self->exits, 0xff, columns);
    if (y < bodies->before || y - bodies->before + bodies->size > grid->height) {
        block_columns(self, 0, count);
        return;
    }
    const uint32_t top = y - bodies->before;
    for (uint32_t row = top; row < top + bodies->size; row++) {
        const int64_t shift = bodies->is_hex ? (int64_t)(row / 2) - y / 2 : 0;
        join_row(self, grid, (int64_t)x - bodies->before + shift, row, columns);
    }
    join_columns(self, bodies->size, columns);
}

static uint8_t letter_of(const cn_bodies *bodies, const cn_grid *grid, uint8_t own,
                         footing together)
{
    if (!grid->open_letter[own])
        return own;
    if (together.factor == CAIRN_TERRAIN_BLOCKED)
        return bodies->blocked_letter;
    if (bodies->has_equal_cells || has_footing(&bodies->rules, own, together))
        return own;
    return (uint8_t)letter_with(&bodies->rules, together);
}

void cn_body_letters_from(const cn_bodies *bodies, const cn_grid *grid, uint32_t x, uint32_t y,
                          uint32_t count, uint8_t *letters)
{
    const uint8_t *own = grid->letters + (size_t)y * grid->width + x;
    footings units;

    CN_ASSERT(count <= CN_BODIES_AT_ONCE);
    join_units(&units, bodies, grid, x, y, count);
    for (uint32_t i = 0; i < count; i++)
        letters[i] = letter_of(bodies, grid, own[i], (footing){units.factor[i], units.exits[i]});
}

/* ------------------------------------------------------------------------------- all letters -- */

/* A unit covers two smaller ones that may overlap, so that squares of any size come from few passes
 * over the map. `of` has the letter of two together. */
typedef struct joined_letters {
    const cn_bodies *bodies;
    const cn_grid *grid;
    uint8_t *letters;
    uint8_t of[256][256];
} joined_letters;

static void fill_joined(joined_letters *self)
{
    const cn_rules *rules = &self->bodies->rules;
    memset(self->of, self->bodies->blocked_letter, sizeof self->of);
    for (unsigned one = 0; one < 256; one++) {
        for (unsigned other = 0; cn_rules_open(rules, one) && other < 256; other++) {
            if (cn_rules_open(rules, other))
                self->of[one][other] = (uint8_t)letter_with(
                    rules, both(footing_of(rules, one), footing_of(rules, other)));
        }
    }
}

/* Joins each cell with the one that lies so many columns and rows further. */
static void join_further(joined_letters *self, uint32_t columns, uint32_t rows)
{
    const cn_grid *grid = self->grid;
    for (uint32_t y = 0; y < grid->height; y++) {
        const uint32_t shift = columns + (self->bodies->is_hex ? (y + rows) / 2 - y / 2 : 0);
        uint8_t *to = self->letters + (size_t)y * grid->width;
        const bool is_inside = y + rows < grid->height && shift < grid->width;
        const uint8_t *from = is_inside ? to + (size_t)rows * grid->width + shift : to;
        const uint32_t count = is_inside ? grid->width - shift : 0;
        for (uint32_t x = 0; x < count; x++)
            to[x] = self->of[to[x]][from[x]];
        memset(to + count, self->bodies->blocked_letter, grid->width - count);
    }
}

static void join_squares(joined_letters *self)
{
    const uint32_t size = self->bodies->size;
    for (unsigned is_down = 0; is_down < 2; is_down++) {
        for (uint32_t reach = 1; reach < size;) {
            const uint32_t more_cells = 2 * reach <= size ? reach : size - reach;
            join_further(self, is_down ? 0 : more_cells, is_down ? more_cells : 0);
            reach += more_cells;
        }
    }
}

/* The letter of an anchor, given that of its square. */
static uint8_t settle_letter(const joined_letters *self, cairn_node anchor)
{
    const cn_bodies *bodies = self->bodies;
    const uint8_t own = self->grid->letters[anchor];
    cairn_node first;

    if (!self->grid->open_letter[own])
        return own;
    if (!cn_body_at(bodies, self->grid, anchor, &first))
        return bodies->blocked_letter;
    const uint8_t square = self->letters[first];
    const bool is_same = cn_rules_open(&bodies->rules, square) &&
                         has_footing(&bodies->rules, own, footing_of(&bodies->rules, square));
    return is_same ? own : square;
}

bool cn_body_letters(const cn_bodies *bodies, const cn_grid *grid, const cn_mem *mem,
                     uint8_t *letters)
{
    const cairn_node count = grid->width * grid->height;
    joined_letters *self = cn_array(mem, 1, sizeof *self);
    if (!self)
        return false;
    self->bodies = bodies;
    self->grid = grid;
    self->letters = letters;
    fill_joined(self);
    memcpy(letters, grid->letters, count);
    join_squares(self);
    /* The first cell of a unit is never behind its anchor. */
    for (cairn_node anchor = count; anchor-- > 0;)
        letters[anchor] = settle_letter(self, anchor);
    cn_release(mem, self);
    return true;
}

uint16_t cn_body_height(const cn_bodies *bodies, const cn_grid *grid, cairn_node anchor)
{
    const uint16_t *heights = grid->heights.cells;
    uint16_t most = heights[anchor];
    cairn_node first;

    if (!cn_body_at(bodies, grid, anchor, &first))
        return most;
    for (uint32_t row = 0; row < bodies->size; row++) {
        for (uint32_t column = 0; column < bodies->size; column++) {
            if (heights[first + column] > most)
                most = heights[first + column];
        }
        first = cn_body_next_row(bodies, grid, first);
    }
    return most;
}

static uint32_t less(uint32_t from, uint32_t by)
{
    return from > by ? from - by : 0;
}

static uint32_t more(uint32_t from, uint32_t by, uint32_t most)
{
    return most - from > by ? from + by : most;
}

/* On hexagons rows are shifted by at most half as many columns as there are rows between them. */
cn_area cn_bodies_around(const cn_bodies *bodies, const cn_grid *grid, const cn_area *area)
{
    const uint32_t above = bodies->size - 1 - bodies->before, below = bodies->before;
    const uint32_t left = bodies->is_hex ? above + above / 2 + 1 : above;
    const uint32_t right = bodies->is_hex ? below + below / 2 + 1 : below;
    return (cn_area){less(area->left, left), less(area->top, above),
                     more(area->right, right, grid->width - 1),
                     more(area->bottom, below, grid->height - 1)};
}
