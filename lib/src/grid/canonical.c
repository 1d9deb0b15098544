#include "grid/canonical.h"

#include <string.h>

#include "base/bits.h"

/* The position of a cell relative to another. On hexagons: along a row, and along the lines to the
 * south-east. */
typedef struct place {
    int x, y;
} place;

/* A set of neighbourhoods: bit o stands for the one with openness o. */
enum { WORDS = 256 / 64 };
typedef struct hoods {
    uint64_t words[WORDS];
} hoods;

static bool is_diagonal(cairn_rule rule, unsigned direction)
{
    return rule != CAIRN_RULE_HEX && direction >= CN_STRAIGHT;
}

static place step_of(cairn_rule rule, unsigned direction)
{
    int x = cn_step_x[direction], y = cn_step_y[direction];
    bool is_slanting = rule == CAIRN_RULE_HEX && direction >= CN_STRAIGHT;
    return is_slanting ? (place){x > 0 ? (y < 0) : -(y > 0), y} : (place){x, y};
}

static place sum(place a, place b)
{
    return (place){a.x + b.x, a.y + b.y};
}

static place difference(place a, place b)
{
    return (place){a.x - b.x, a.y - b.y};
}

/* The direction of the single step that leads there; CN_NOWHERE if there is none among `among`. */
static unsigned direction_to(cairn_rule rule, place to, unsigned among)
{
    for (; among; among &= among - 1) {
        unsigned direction = cn_lowest_bit(among);
        place step = step_of(rule, direction);
        if (step.x == to.x && step.y == to.y)
            return direction;
    }
    return CN_NOWHERE;
}

static hoods all_hoods(uint64_t word)
{
    return (hoods){{word, word, word, word}};
}

static hoods either(hoods a, hoods b)
{
    for (unsigned i = 0; i < WORDS; i++)
        a.words[i] |= b.words[i];
    return a;
}

static hoods both(hoods a, hoods b)
{
    for (unsigned i = 0; i < WORDS; i++)
        a.words[i] &= b.words[i];
    return a;
}

/* The neighbourhoods in which the neighbour in a direction is open. */
static hoods with_open(unsigned direction)
{
    hoods set = all_hoods(0);
    for (unsigned around = 0; around < 256; around++)
        set.words[around / 64] |= (uint64_t)(around >> direction & 1) << around % 64;
    return set;
}

/* What is known when steps at a cell, x, are pruned; all positions are relative to it. */
typedef struct pruning {
    cairn_rule rule;
    unsigned directions;
    place from; /* p, which is open as x is */
    hoods open[CN_DIRECTIONS];
} pruning;

/* The neighbourhoods of x in which a cell is open; none for cells outside the neighbourhood. The
 * cells of the square around x are known under every rule except that of hexagons. */
static hoods where_open(const pruning *self, place cell)
{
    bool is_sure = (cell.x == 0 && cell.y == 0) ||
                   (cell.x == self->from.x && cell.y == self->from.y);
    unsigned known = self->rule == CAIRN_RULE_HEX ? self->directions : CN_BIT(CN_DIRECTIONS) - 1;
    unsigned direction = direction_to(self->rule, cell, known);

    if (is_sure)
        return all_hoods(UINT64_MAX);
    return direction == CN_NOWHERE ? all_hoods(0) : self->open[direction];
}

/* The neighbourhoods in which a step between two cells is legal. */
static hoods where_legal(const pruning *self, place from, unsigned direction)
{
    place to = sum(from, step_of(self->rule, direction));
    hoods ends = both(where_open(self, from), where_open(self, to));

    if (!is_diagonal(self->rule, direction) || self->rule == CAIRN_RULE_8_ANY)
        return ends;
    hoods beside = where_open(self, (place){from.x, to.y});
    hoods other = where_open(self, (place){to.x, from.y});
    return both(ends, self->rule == CAIRN_RULE_8 ? both(beside, other) : either(beside, other));
}

/* Whether the two steps (a, b) come before (d, e), which lead to the same cell. */
static bool comes_before(cairn_rule rule, unsigned a, unsigned b, unsigned d, unsigned e)
{
    int fewer = is_diagonal(rule, d) + is_diagonal(rule, e) - is_diagonal(rule, a) -
                is_diagonal(rule, b);
    if (fewer)
        return fewer > 0;
    return cn_rule_is_major(rule, a) && !cn_rule_is_major(rule, d);
}

/* The neighbourhoods in which p -> x in direction d and x -> n in direction e belong to no
 * canonical path. */
static hoods where_pruned(const pruning *self, unsigned d, unsigned e)
{
    place to = step_of(self->rule, e), whole = difference(to, self->from);
    unsigned shortcut = direction_to(self->rule, whole, self->directions);
    hoods pruned = all_hoods(whole.x == 0 && whole.y == 0 ? UINT64_MAX : 0);

    if (shortcut != CN_NOWHERE)
        pruned = either(pruned, where_legal(self, self->from, shortcut));
    for (unsigned left = self->directions & ~CN_BIT(d); left; left &= left - 1) {
        unsigned a = cn_lowest_bit(left);
        place middle = sum(self->from, step_of(self->rule, a));
        unsigned b = direction_to(self->rule, difference(to, middle), self->directions);
        if (b != CN_NOWHERE && comes_before(self->rule, a, b, d, e))
            pruned = either(pruned,
                            both(where_legal(self, self->from, a), where_legal(self, middle, b)));
    }
    return pruned;
}

static void prune(uint8_t steps[256], hoods where, unsigned direction)
{
    for (unsigned around = 0; around < 256; around++) {
        unsigned out = (unsigned)(cn_has_bit(where.words, around)) << direction;
        steps[around] &= (uint8_t)~out;
    }
}

void cn_canonical_fill(cairn_rule rule, const uint8_t moves[256], uint8_t steps[][256])
{
    pruning self = {.rule = rule, .directions = cn_rule_directions(rule)};

    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        self.open[direction] = with_open(direction);
    for (unsigned arrival = 0; arrival <= CN_NOWHERE; arrival++)
        memcpy(steps[arrival], moves, 256);
    for (unsigned left = self.directions; left; left &= left - 1) {
        unsigned arrival = cn_lowest_bit(left);
        self.from = difference((place){0, 0}, step_of(rule, arrival));
        for (unsigned e = 0; e < CN_DIRECTIONS; e++) {
            if (self.directions >> e & 1)
                prune(steps[arrival], where_pruned(&self, arrival, e), e);
        }
    }
}

static place place_in_hood(cairn_rule rule, unsigned cell)
{
    return cell == CN_NOWHERE ? (place){0, 0} : step_of(rule, cell);
}

/* Lists the steps from a cell of the neighbourhood to the others, which are `cells`. */
static void list_steps(cairn_rule rule, unsigned cells, unsigned cell, cn_hood *hood)
{
    for (unsigned left = cn_rule_directions(rule); left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        place to = sum(place_in_hood(rule, cell), step_of(rule, direction));
        unsigned end = direction_to(rule, to, cells);
        bool is_inside = end != CN_NOWHERE || (to.x == 0 && to.y == 0);
        hood->steps[cell] |= (uint8_t)(is_inside << direction);
        hood->to[cell][direction] = (uint8_t)end;
    }
}

static void fill_ties(cairn_rule rule, unsigned d, cn_hood *hood)
{
    const unsigned last = cn_opposite(d);
    for (unsigned left = hood->steps[last] & ~CN_BIT(d); left; left &= left - 1) {
        unsigned a = cn_lowest_bit(left), middle = hood->to[last][a];
        hood->middles[d] |= (uint8_t)CN_BIT(middle);
        hood->ties[d][middle][middle] = 1;
        for (unsigned steps = hood->steps[middle]; steps; steps &= steps - 1) {
            unsigned b = cn_lowest_bit(steps), e = hood->to[middle][b];
            if (e != CN_NOWHERE)
                hood->ties[d][middle][e] = comes_before(rule, a, b, d, e);
        }
    }
}

void cn_canonical_hood(cairn_rule rule, cn_hood *hood)
{
    const unsigned known = cn_rule_directions(rule);
    const unsigned cells = rule == CAIRN_RULE_HEX ? known : CN_BIT(CN_DIRECTIONS) - 1;

    memset(hood, 0, sizeof *hood);
    for (unsigned left = cells | CN_BIT(CN_NOWHERE); left; left &= left - 1)
        list_steps(rule, cells, cn_lowest_bit(left), hood);
    for (unsigned left = known; left; left &= left - 1)
        fill_ties(rule, cn_lowest_bit(left), hood);
}
