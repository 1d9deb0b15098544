#include "codec/step_costs.h"

#include <string.h>

#include "base/cpu.h"
#include "codec/codec_parts.h"

/* The cells of a word and the one on either side. */
typedef struct cells {
    uint32_t factor[66]; /* 0 beyond the map */
    uint32_t exits[66];  /* none beyond the map; only where there are one-way cells */
} cells;

static void load_cells(const cairn_map *map, uint32_t y, size_t word, bool has_one_way, cells *to)
{
    const cn_grid *grid = &map->grid;
    const uint32_t before = word > 0, first = (uint32_t)word * 64 - before;

    memset(to, 0, sizeof *to);
    if (y >= grid->height)
        return;
    const uint8_t *letters = grid->letters + (size_t)y * grid->width + first;
    const uint32_t left = grid->width - first, count = left < 65 + before ? left : 65 + before;
    for (uint32_t i = 0; i < count; i++)
        to->factor[i + 1 - before] = grid->rules.factor[letters[i]];
    for (uint32_t i = 0; i < count && has_one_way; i++)
        to->exits[i + 1 - before] = grid->exits[letters[i]];
}

/* What a step is: from the cells `shift` columns further, in a direction, at a base cost. */
typedef struct step_kind {
    int shift;
    unsigned direction;
    cairn_cost base;
    uint32_t average; /* all bits, or none */
} step_kind;

CN_ALWAYS_INLINE uint32_t price(const step_kind *step, uint32_t left, uint32_t entered,
                                uint32_t never)
{
    uint32_t cost = step->base * (entered + (left & step->average));
    return cost < never ? cost : never;
}

/* `bits` is a constant. A blocked cell has a factor too, and its steps any cost. */
CN_ALWAYS_INLINE void price_all(const cells *from, const cells *into, const step_kind *step,
                                unsigned bits, cn_cost_pair *to)
{
    const uint32_t *factors = from->factor + 1 + step->shift;
    const uint32_t never = cn_entry_never(bits);

    for (unsigned i = 0; i < 64; i++) {
        const uint32_t here = into->factor[i + 1];
        const uint32_t forward = price(step, factors[i], here, never);
        const uint32_t reverse = price(step, here, factors[i], never);
        if (bits == 16) {
            to[i].narrow[CN_FORWARD] = (uint16_t)forward;
            to[i].narrow[CN_REVERSE] = (uint16_t)reverse;
        } else {
            to[i].wide[CN_FORWARD] = forward;
            to[i].wide[CN_REVERSE] = reverse;
        }
    }
}

CN_ALWAYS_INLINE void price_word(const cells *from, const cells *into, const step_kind *step,
                                 unsigned bits, cn_cost_pair *to)
{
    if (bits == 16)
        price_all(from, into, step, 16, to);
    else
        price_all(from, into, step, 32, to);
}

/* price_word once for each instruction set, so that the compiler makes vectors of it. */
#if CN_CPU_X86
static CN_TARGET_AVX512 CN_NOINLINE void price_avx512(const cells *from, const cells *into,
                                                      const step_kind *step, unsigned bits,
                                                      cn_cost_pair *to)
{
    price_word(from, into, step, bits, to);
}

static CN_TARGET_AVX2 CN_NOINLINE void price_avx2(const cells *from, const cells *into,
                                                  const step_kind *step, unsigned bits,
                                                  cn_cost_pair *to)
{
    price_word(from, into, step, bits, to);
}
#endif

static void price_steps(const cn_codec_layout *layout, const cells *from, const cells *into,
                        const step_kind *step, cn_cost_pair *to)
{
#if CN_CPU_X86
    if (layout->cpu >= CN_CPU_AVX512) {
        price_avx512(from, into, step, layout->bits, to);
        return;
    }
    if (layout->cpu >= CN_CPU_AVX2) {
        price_avx2(from, into, step, layout->bits, to);
        return;
    }
#endif
    price_word(from, into, step, layout->bits, to);
}

/* Steps for which the cell that they leave has no exit cost "never". */
static void close_exits(const cells *from, const cells *into, const step_kind *step, unsigned bits,
                        cn_cost_pair *to)
{
    const uint32_t *exits = from->exits + 1 + step->shift, never = cn_entry_never(bits);
    const unsigned direction = step->direction, back = cn_opposite(direction);

    for (unsigned i = 0; i < 64; i++) {
        const uint32_t forward = ((exits[i] >> direction & 1) - 1) & never;
        const uint32_t reverse = ((into->exits[i + 1] >> back & 1) - 1) & never;
        if (bits == 16) {
            to[i].narrow[CN_FORWARD] |= (uint16_t)forward;
            to[i].narrow[CN_REVERSE] |= (uint16_t)reverse;
        } else {
            to[i].wide[CN_FORWARD] |= forward;
            to[i].wide[CN_REVERSE] |= reverse;
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

static void add(const cn_codec_layout *layout, cn_cost_pair *pair, cn_way way, uint32_t cost)
{
    const uint32_t never = cn_entry_never(layout->bits);
    const uint32_t sum = cost + (layout->bits == 16 ? pair->narrow[way] : pair->wide[way]);

    if (layout->bits == 16)
        pair->narrow[way] = (uint16_t)(sum < never ? sum : never);
    else
        pair->wide[way] = sum < never ? sum : never;
}

/* Adds what steps between open cells cost for their heights. */
static void add_slopes(const cn_codec_layout *layout, cn_cost_place place, int shift,
                       cn_cost_pair *to)
{
    const cn_grid *grid = &layout->map->grid;

    if (place.y >= grid->height || place.from >= grid->height)
        return;
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t x = (uint32_t)place.word * 64 + i, column = x + (uint32_t)shift;
        if (x >= grid->width || column >= grid->width)
            continue;
        cairn_node here = place.y * grid->width + x, from = place.from * grid->width + column;
        if (!cn_grid_is_open(grid, here) || !cn_grid_is_open(grid, from))
            continue;
        add(layout, &to[i], CN_FORWARD, cn_slope_cost(layout->map, from, here));
        add(layout, &to[i], CN_REVERSE, cn_slope_cost(layout->map, here, from));
    }
}

void cn_end_costs_fill(const cn_codec_layout *layout, uint32_t y, size_t word, cn_end_costs *costs)
{
    const uint32_t most = layout->bits == 16 ? UINT16_MAX : CAIRN_COST_MAX;
    cells row;

    load_cells(layout->map, y, word, false, &row);
    for (unsigned slants = 0; slants < 2; slants++) {
        const cairn_cost base = layout->map->step[slants];
        for (unsigned i = 0; i < 66; i++) {
            uint32_t cost = base * row.factor[i];
            cost = cost < most ? cost : most;
            if (layout->bits == 16)
                costs->of[slants].narrow[i] = (uint16_t)cost;
            else
                costs->of[slants].wide[i] = cost;
        }
    }
}

static void fill_step(const cn_codec_layout *layout, cn_cost_place place, const cells rows[2],
                      bool has_one_way, enum cn_step_from from, cn_cost_pair *to)
{
    static const int shifts[CN_STEPS_FROM] = {0, -1, 1, -1, 1};
    const cairn_map *map = layout->map;
    const bool slants = from == CN_STEP_WEST || from == CN_STEP_EAST;
    const bool average = map->grid.rules.charge == CAIRN_CHARGE_AVERAGE;
    const step_kind step = {shifts[from], direction_of(map, place, from), map->step[slants],
                            average ? UINT32_MAX : 0};
    const bool is_along = from >= CN_STEP_BEFORE;

    price_steps(layout, &rows[!is_along], &rows[0], &step, to);
    if (has_one_way)
        close_exits(&rows[!is_along], &rows[0], &step, layout->bits, to);
    if (is_along)
        place.from = place.y;
    if (map->grid.heights.cells)
        add_slopes(layout, place, step.shift, to);
}

void cn_step_costs_fill(const cn_codec_layout *layout, cn_cost_place place, unsigned wanted,
                        cn_step_costs *costs)
{
    const bool has_one_way = !cn_map_leads_back(layout->map);
    cells rows[2]; /* that of the cells, and the one from which steps come */

    load_cells(layout->map, place.y, place.word, has_one_way, &rows[0]);
    if (wanted & ((1 << CN_STEP_BEFORE) - 1))
        load_cells(layout->map, place.from, place.word, has_one_way, &rows[1]);
    for (unsigned from = 0; from < CN_STEPS_FROM; from++) {
        if (wanted >> from & 1)
            fill_step(layout, place, rows, has_one_way, (enum cn_step_from)from, costs->of[from]);
    }
}

/* -------------------------------------------------------------------- the factors of words -- */

static uint32_t word_factor(const cn_grid *grid, uint32_t y, size_t word)
{
    const uint64_t *open = cn_grid_open_row(grid, y) + word;
    const uint8_t *letters = grid->letters + (size_t)y * grid->width + word * 64;
    uint32_t known = CN_NO_OPEN_CELLS;

    if (cn_bits_before(open) & 1)
        known = grid->rules.factor[letters[-1]];
    for (uint64_t left = *open; left; left &= left - 1) {
        const uint32_t factor = grid->rules.factor[letters[cn_lowest_bit(left)]];
        if (known != factor && known != CN_NO_OPEN_CELLS)
            return CN_FACTORS_DIFFER;
        known = factor;
    }
    if (cn_bits_behind(open) >> 63) {
        const uint32_t factor = grid->rules.factor[letters[64]];
        known = known == factor || known == CN_NO_OPEN_CELLS ? factor : CN_FACTORS_DIFFER;
    }
    return known;
}

cairn_status cn_word_factors_new(cn_codec_layout *layout)
{
    const cn_grid *grid = &layout->map->grid;
    const size_t words = layout->open_stride - 2, rows = grid->height + (size_t)2;

    if (cn_map_is_even(layout->map) || !cn_map_ends_tell_costs(layout->map))
        return CAIRN_OK;
    layout->factors = cn_array(&layout->mem, rows * words, sizeof *layout->factors);
    if (!layout->factors)
        return CAIRN_E_MEMORY;
    memset(layout->factors, 0xff, rows * words * sizeof *layout->factors);
    for (uint32_t y = 0; y < grid->height; y++) {
        for (size_t word = 0; word < words; word++)
            layout->factors[(y + (size_t)1) * words + word] = (uint16_t)word_factor(grid, y, word);
    }
    return CAIRN_OK;
}

void cn_word_factors_free(cn_codec_layout *layout)
{
    cn_release(&layout->mem, layout->factors);
}

uint32_t cn_even_step_cost(const cn_codec_layout *layout, bool slants, uint32_t factor)
{
    const uint32_t never = cn_entry_never(layout->bits);
    const bool average = layout->map->grid.rules.charge == CAIRN_CHARGE_AVERAGE;
    const uint32_t cost = layout->map->step[slants] * (average ? 2 * factor : factor);
    return cost < never ? cost : never;
}
