#include "bodies.h"

#include "check.h"

static bool is_on(const picture *drawn, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < drawn->width && y < drawn->height;
}

/* Walks from the anchor to the first cell and then over all, step by step. Hexagons: a step up to
 * the left and one down to the right changes the column in every second row. */
body body_at(const twin *both, uint32_t anchor, uint32_t size, cairn_anchor of)
{
    const picture *drawn = &both->drawn;
    const bool is_hex = both->rule == ORACLE_HEX;
    int64_t x = anchor % drawn->width, y = anchor / drawn->width;
    body made = {.count = 0};

    for (uint32_t i = 0; of == CAIRN_ANCHOR_MIDDLE && i < (size - 1) / 2; i++) {
        x -= is_hex ? 1 + (y % 2 == 0) : 1;
        y--;
    }
    for (uint32_t row = 0; row < size; row++) {
        for (uint32_t column = 0; column < size; column++) {
            if (!is_on(drawn, x + column, y))
                return (body){.count = 0};
            made.cells[made.count++] = (uint32_t)((y * drawn->width) + x + column);
        }
        x += is_hex ? y % 2 : 0;
        y++;
    }
    return made;
}

static uint32_t factor_of(char letter)
{
    switch (letter) {
    case '@': return 0;
    case 'G': return 2;
    case 'S': return 3;
    case 'K': return 255;
    default: return 1;
    }
}

char body_letter(const twin *both, const body *unit)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < unit->count; i++) {
        uint32_t factor = factor_of(both->drawn.letters[unit->cells[i]]);
        if (both->kind == TERRAIN_UNIFORM && factor)
            factor = 1;
        if (factor == 0)
            return '@';
        most = factor > most ? factor : most;
    }
    return most == 0 ? '@' : most == 1 ? '.' : most == 2 ? 'G' : most == 3 ? 'S' : 'K';
}

static uint16_t height_of(const twin *both, const body *unit, uint32_t anchor)
{
    uint16_t most = both->heights[anchor];
    for (uint32_t i = 0; i < unit->count; i++) {
        uint16_t height = both->heights[unit->cells[i]];
        most = height > most ? height : most;
    }
    return most;
}

/* The pairs of cells that a step joins. */
static bool *steps_table(const twin *both)
{
    bool *joined = calloc((size_t)both->arcs.node_count * both->arcs.node_count, sizeof *joined);
    for (size_t i = 0; i < both->arcs.count; i++)
        joined[(size_t)both->arcs.list[i].from * both->arcs.node_count + both->arcs.list[i].to] =
            true;
    return joined;
}

/* Keeps the steps of units that each of their cells may do. */
static void keep_legal(const twin *both, twin *units, uint32_t size, cairn_anchor of)
{
    const uint32_t nodes = both->arcs.node_count;
    bool *joined = steps_table(both);
    size_t kept = 0;
    for (size_t i = 0; i < units->arcs.count; i++) {
        const oracle_arc *arc = &units->arcs.list[i];
        const body from = body_at(both, arc->from, size, of), to = body_at(both, arc->to, size, of);
        bool is_legal = true;
        for (uint32_t cell = 0; cell < from.count; cell++)
            is_legal &= joined[(size_t)from.cells[cell] * nodes + to.cells[cell]];
        assert_true(is_legal || both->kind == TERRAIN_ONE_WAY);
        if (is_legal)
            units->arcs.list[kept++] = *arc;
    }
    units->arcs.count = kept;
    free(joined);
}

twin bodies_twin(const twin *both, cairn_map *map, uint32_t size, cairn_anchor of)
{
    twin units = *both;
    units.map = map;
    units.arcs = (oracle_arcs){0};
    units.drawn = picture_filled(both->drawn.width, both->drawn.height, '@');
    if (both->heights)
        units.heights = calloc(picture_size(&both->drawn), sizeof *units.heights);
    for (uint32_t node = 0; node < picture_size(&both->drawn); node++) {
        const body unit = body_at(both, node, size, of);
        units.drawn.letters[node] = body_letter(both, &unit);
        if (both->heights)
            units.heights[node] = height_of(both, &unit, node);
    }
    twin_list_steps(&units);
    keep_legal(both, &units, size, of);
    return units;
}

void bodies_free(twin *units)
{
    oracle_arcs_free(&units->arcs);
    picture_free(&units->drawn);
    free(units->heights);
}
