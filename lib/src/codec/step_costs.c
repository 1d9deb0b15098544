#include "codec/step_costs.h"

#include <string.h>

#include "codec/codec_parts.h"

/* The cells of a word and the one on either side. */
typedef struct cells {
    uint32_t factor[66];
    uint32_t exits[66]; /* none beyond the map */
    uint32_t least;     /* factor of an open cell, and the largest */
    uint32_t most;
} cells;

static void load_cells(const cairn_map *map, uint32_t y, size_t word, cells *to)
{
    const cn_grid *grid = &map->grid;
    const uint32_t before = word > 0, first = (uint32_t)word * 64 - before;

    memset(to, 0, sizeof *to);
    to->least = CAIRN_TERRAIN_BLOCKED;
    if (y >= grid->height)
        return;
    const uint8_t *letters = grid->letters + (size_t)y * grid->width + first;
    const uint32_t left = grid->width - first, count = left < 65 + before ? left : 65 + before;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t factor = grid->rules.factor[letters[i]];
        to->factor[i + 1 - before] = factor;
        to->exits[i + 1 - before] = grid->exits[letters[i]];
        to->least = factor < to->least ? factor : to->least;
        to->most = factor != CAIRN_TERRAIN_BLOCKED && factor > to->most ? factor : to->most;
    }
}

/* What a step is: from the cells `shift` columns further, in a direction, at a base cost. */
typedef struct step_kind {
    int shift;
    unsigned direction;
    cairn_cost base;
    bool average;
} step_kind;

/* The cost of a step, which is "never" where the cell it leaves has no such exit. */
CN_ALWAYS_INLINE uint32_t price(const step_kind *step, uint32_t left, uint32_t entered,
                                uint32_t has_exit, uint32_t never)
{
    uint32_t cost = step->base * (step->average ? left + entered : entered);
    return (cost < never ? cost : never) | ((has_exit - 1) & never);
}

/* `bits` is a constant. A blocked cell has a factor too, and its steps any cost. */
CN_ALWAYS_INLINE void price_all(const cells *from, const cells *into, const step_kind *step,
                                unsigned bits, cn_cost_pair *to)
{
    const uint32_t *factors = from->factor + 1 + step->shift,
                   *exits = from->exits + 1 + step->shift;
    const unsigned direction = step->direction, back = cn_opposite(direction);
    const uint32_t never = cn_entry_never(bits);

    for (unsigned i = 0; i < 64; i++) {
        const uint32_t here = into->factor[i + 1];
        const uint32_t forward = price(step, factors[i], here, exits[i] >> direction & 1, never);
        const uint32_t reverse = price(step, here, factors[i], into->exits[i + 1] >> back & 1,
                                       never);
        if (bits == 16) {
            to[i].narrow[CN_FORWARD] = (uint16_t)forward;
            to[i].narrow[CN_REVERSE] = (uint16_t)reverse;
        } else {
            to[i].wide[CN_FORWARD] = forward;
            to[i].wide[CN_REVERSE] = reverse;
        }
    }
}

/* The direction of a step into row y. On hexagons the cell in the same column of a row that is not
 * shifted lies to the left of that in one that is. */
static unsigned direction_of(const cairn_map *map, cn_cost_place place, enum cn_step_from step)
{
    const bool down = place.from + 1 == place.y;
    const bool is_hex = map->grid.rules.rule == CAIRN_RULE_HEX;

    switch (step) {
    case CN_STEP_BEFORE: return CN_E;
    case CN_STEP_BEHIND: return CN_W;
    case CN_STEP_WEST: return down ? CN_SE : CN_NE;
    case CN_STEP_EAST: return down ? CN_SW : CN_NW;
    default: break;
    }
    if (!is_hex)
        return down ? CN_S : CN_N;
    if (place.y & 1)
        return down ? CN_SE : CN_NE;
    return down ? CN_SW : CN_NW;
}

static void add(const cn_codec_frame *frame, cn_cost_pair *pair, cn_way way, uint32_t cost)
{
    const uint32_t never = cn_entry_never(frame->bits);
    const uint32_t sum = cost + (frame->bits == 16 ? pair->narrow[way] : pair->wide[way]);

    if (frame->bits == 16)
        pair->narrow[way] = (uint16_t)(sum < never ? sum : never);
    else
        pair->wide[way] = sum < never ? sum : never;
}

/* Adds what steps between open cells cost for their heights. */
static void add_slopes(const cn_codec_frame *frame, cn_cost_place place, int shift,
                       cn_cost_pair *to)
{
    const cn_grid *grid = &frame->map->grid;

    if (place.y >= grid->height || place.from >= grid->height)
        return;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t x = (uint32_t)place.word * 64 + i, column = x + (uint32_t)shift;
        if (x >= grid->width || column >= grid->width)
            continue;
        cairn_node here = place.y * grid->width + x, from = place.from * grid->width + column;
        if (!cn_grid_is_open(grid, here) || !cn_grid_is_open(grid, from))
            continue;
        add(frame, &to[i], CN_FORWARD, cn_slope_cost(frame->map, from, here));
        add(frame, &to[i], CN_REVERSE, cn_slope_cost(frame->map, here, from));
    }
}

bool cn_ends_tell_costs(const cn_codec_frame *frame)
{
    return !frame->map->grid.heights.cells && cn_map_leads_back(frame->map);
}

void cn_end_costs_fill(const cn_codec_frame *frame, uint32_t y, size_t word, cn_end_costs *costs)
{
    const uint32_t most = frame->bits == 16 ? UINT16_MAX : CAIRN_COST_MAX;
    cells row;

    load_cells(frame->map, y, word, &row);
    for (unsigned slants = 0; slants < 2; slants++) {
        const cairn_cost base = frame->map->step[slants];
        for (unsigned i = 0; i < 66; i++) {
            uint32_t cost = base * row.factor[i];
            cost = cost < most ? cost : most;
            if (frame->bits == 16)
                costs->of[slants].narrow[i] = (uint16_t)cost;
            else
                costs->of[slants].wide[i] = cost;
        }
    }
}

/* The same cost everywhere, where the factors of all cells are one. */
static void fill_even(const cn_codec_frame *frame, uint32_t cost, cn_cost_pair *to)
{
    const uint32_t never = cn_entry_never(frame->bits);
    cn_cost_pair both = {.wide = {cost < never ? cost : never, cost < never ? cost : never}};

    if (frame->bits == 16)
        both.narrow[0] = both.narrow[1] = (uint16_t)both.wide[0];
    for (unsigned i = 0; i < 64; i++)
        to[i] = both;
}

static void fill_step(const cn_codec_frame *frame, cn_cost_place place, const cells rows[2],
                      enum cn_step_from from, cn_cost_pair *to)
{
    static const int shifts[CN_STEPS_FROM] = {0, -1, 1, -1, 1};
    const cairn_map *map = frame->map;
    const bool slants = from == CN_STEP_WEST || from == CN_STEP_EAST;
    const step_kind step = {shifts[from], direction_of(map, place, from), map->step[slants],
                            map->grid.rules.charge == CAIRN_CHARGE_AVERAGE};
    const bool is_along = from >= CN_STEP_BEFORE;

    if (frame->bits == 16)
        price_all(&rows[!is_along], &rows[0], &step, 16, to);
    else
        price_all(&rows[!is_along], &rows[0], &step, 32, to);
    if (is_along)
        place.from = place.y;
    if (map->grid.heights.cells)
        add_slopes(frame, place, step.shift, to);
}

void cn_step_costs_fill(const cn_codec_frame *frame, cn_cost_place place, unsigned wanted,
                        cn_step_costs *costs)
{
    const cairn_map *map = frame->map;
    const bool average = map->grid.rules.charge == CAIRN_CHARGE_AVERAGE;
    cells rows[2]; /* that of the cells, and the one from which steps come */

    load_cells(map, place.y, place.word, &rows[0]);
    rows[1] = rows[0];
    if (wanted & ((1 << CN_STEP_BEFORE) - 1))
        load_cells(map, place.from, place.word, &rows[1]);
    const uint32_t least = rows[0].least < rows[1].least ? rows[0].least : rows[1].least;
    const uint32_t most = rows[0].most > rows[1].most ? rows[0].most : rows[1].most;
    const bool is_even = cn_ends_tell_costs(frame) && least >= most;
    for (unsigned from = 0; from < CN_STEPS_FROM; from++) {
        const bool slants = from == CN_STEP_WEST || from == CN_STEP_EAST;
        if (!(wanted >> from & 1))
            continue;
        if (is_even)
            fill_even(frame, map->step[slants] * (average ? 2 * least : least), costs->of[from]);
        else
            fill_step(frame, place, rows, (enum cn_step_from)from, costs->of[from]);
    }
}
