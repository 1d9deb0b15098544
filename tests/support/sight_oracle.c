#include "sight_oracle.h"

#include <math.h>

/* Squares have sides of 2, and the centres of cells are at odd numbers. Hexagons are 4 wide and 8
 * high with centres 6 apart from row to row: the true ones, stretched. */
typedef struct point {
    int64_t x, y;
} point;

/* The part of a line, from least to most, for which something holds; both are fractions with
 * denominators above 0. */
typedef struct part {
    int64_t least, least_of;
    int64_t most, most_of;
    bool is_empty;
} part;

static point centre(const oracle_cells *cells, oracle_rule rule, int64_t x, int64_t y)
{
    (void)cells;
    if (rule == ORACLE_HEX)
        return (point){4 * x + (y % 2 ? 2 : 0), 6 * y};
    return (point){2 * x + 1, 2 * y + 1};
}

/* Cuts off what has normal * p > reach, with p along a to b. */
static void clip(part *left, point a, point b, point normal, int64_t reach)
{
    int64_t at_a = normal.x * a.x + normal.y * a.y - reach;
    int64_t at_b = normal.x * b.x + normal.y * b.y - reach;
    if (at_a > 0 && at_b > 0)
        left->is_empty = true;
    if ((at_a > 0) == (at_b > 0))
        return;
    /* at_a + t * (at_b - at_a) = 0 */
    int64_t top = at_b > at_a ? -at_a : at_a, bottom = at_b > at_a ? at_b - at_a : at_a - at_b;
    if (at_a > 0 && top * left->least_of > left->least * bottom) {
        left->least = top;
        left->least_of = bottom;
    }
    if (at_b > 0 && top * left->most_of < left->most * bottom) {
        left->most = top;
        left->most_of = bottom;
    }
}

/* The part of the line that lies in a cell, its border included. */
static part inside(oracle_rule rule, point a, point b, point cell)
{
    static const point square[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static const point hexagon[] = {{1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const point *normal = rule == ORACLE_HEX ? hexagon : square;
    part left = {0, 1, 1, 1, false};

    for (unsigned i = 0; i < (rule == ORACLE_HEX ? 6 : 4); i++) {
        int64_t reach = rule != ORACLE_HEX ? 1 : normal[i].y ? 4 : 2;
        clip(&left, a, b, normal[i], normal[i].x * cell.x + normal[i].y * cell.y + reach);
    }
    if (left.least * left.most_of > left.most * left.least_of)
        left.is_empty = true;
    return left;
}

static bool is_point(const part *it)
{
    return it->least * it->most_of == it->most * it->least_of;
}

static bool is_free(const oracle_cells *cells, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < cells->width && y < cells->height &&
           cells->is_free[(size_t)y * cells->width + (size_t)x];
}

/* A blocked square that the line meets in one point, a corner: the cell on the other side of the
 * line meets it in the same point. */
static bool corner_is_free(const oracle_cells *cells, oracle_rule rule, point a, point b, int64_t x,
                           int64_t y)
{
    part here = inside(rule, a, b, centre(cells, rule, x, y));
    if (rule == ORACLE_8_ANY)
        return true;
    if (rule != ORACLE_8_ONE_SIDE)
        return false;
    for (int64_t near_y = y - 1; near_y <= y + 1; near_y += 2) {
        for (int64_t near_x = x - 1; near_x <= x + 1; near_x += 2) {
            part there = inside(rule, a, b, centre(cells, rule, near_x, near_y));
            if (!there.is_empty && is_point(&there) &&
                here.least * there.least_of == there.least * here.least_of)
                return is_free(cells, near_x, near_y);
        }
    }
    return false;
}

static bool cell_is_free(const oracle_cells *cells, oracle_rule rule, point a, point b, int64_t x,
                         int64_t y)
{
    part here = inside(rule, a, b, centre(cells, rule, x, y));
    if (here.is_empty || is_free(cells, x, y))
        return true;
    return rule != ORACLE_HEX && is_point(&here) && corner_is_free(cells, rule, a, b, x, y);
}

bool oracle_sight(const oracle_cells *cells, oracle_rule rule, uint32_t from, uint32_t to)
{
    int64_t ax = from % cells->width, ay = from / cells->width;
    int64_t bx = to % cells->width, by = to / cells->width;
    point a = centre(cells, rule, ax, ay), b = centre(cells, rule, bx, by);

    if (from == to)
        return is_free(cells, ax, ay);
    for (int64_t y = (ay < by ? ay : by) - 1; y <= (ay < by ? by : ay) + 1; y++) {
        for (int64_t x = (ax < bx ? ax : bx) - 1; x <= (ax < bx ? bx : ax) + 1; x++) {
            if (!cell_is_free(cells, rule, a, b, x, y))
                return false;
        }
    }
    return true;
}

double oracle_distance(const oracle_cells *cells, oracle_rule rule, uint32_t from, uint32_t to)
{
    double across = (double)(to % cells->width) - from % cells->width;
    uint32_t row = from / cells->width, to_row = to / cells->width;
    double down = (double)to_row - row;
    if (rule == ORACLE_HEX) {
        across += (to_row % 2 ? 0.5 : 0) - (row % 2 ? 0.5 : 0);
        down *= sqrt(0.75);
    }
    return sqrt(across * across + down * down);
}
