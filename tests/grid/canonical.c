/* Canonical tables of every rule: each entry against an enumeration of the ways around a cell, and
 * what they leave of small grids, all of 4 x 4 among them, against Dijkstra's algorithm and against
 * the least path in the order that they stand for. Steps are the tests' own. */
#include <string.h>

#include "grid/canonical.h"
#include "grid/grid.h"
#include "support/arcs_oracle.h"
#include "support/check.h"
#include "support/random_maps.h"

enum { SIDE_MAX = 12, CELLS_MAX = SIDE_MAX * SIDE_MAX, RANDOM_GRIDS = 4000, STEPS_MAX = 60 };

static const cairn_rule rules[ORACLE_RULES] = {CAIRN_RULE_8, CAIRN_RULE_4, CAIRN_RULE_8_ONE_SIDE,
                                               CAIRN_RULE_8_ANY, CAIRN_RULE_HEX};
static const oracle_steps metrics[] = {{2378, 3363}, {1, 1}, {1, 2}, {5, 7}};

/* A small grid of one rule; its cells are seen through a frame of blocked ones. */
typedef struct field {
    oracle_rule rule;
    int width, height;
    bool open[CELLS_MAX];
} field;

static void tables_of(oracle_rule rule, cn_grid *grid)
{
    const cn_mem mem = cn_mem_from(NULL);
    cn_rules wanted;
    uint8_t *letters = cn_array(&mem, 1, 1);
    cn_rules_default(&wanted);
    wanted.rule = rules[rule];
    letters[0] = '.';
    assert_int_equal(cn_grid_init_ruled(grid, &mem, 1, 1, letters, &wanted), CAIRN_OK);
}

static void free_tables(cn_grid *grid)
{
    const cn_mem mem = cn_mem_from(NULL);
    cn_grid_free(grid, &mem);
}

/* ------------------------------------------------------------------------------- one step -- */

static bool is_open(const field *self, int x, int y)
{
    return x >= 0 && y >= 0 && x < self->width && y < self->height &&
           self->open[y * self->width + x];
}

static bool knows(oracle_rule rule, unsigned direction)
{
    return rule == ORACLE_4     ? direction < 4
           : rule == ORACLE_HEX ? direction != CN_S && direction != CN_N
                                : true;
}

/* Where a direction leads, legal or not. */
static void go(const field *self, int *x, int *y, unsigned direction)
{
    static const int across[] = {1, -1, 0, 0, 1, -1, 1, -1}, down[] = {0, 0, 1, -1, 1, 1, -1, -1};
    int step = across[direction];
    if (self->rule == ORACLE_HEX && down[direction])
        step = *y & 1 ? step > 0 : -(step < 0);
    *x += step;
    *y += down[direction];
}

static bool is_diagonal(oracle_rule rule, unsigned direction)
{
    return rule != ORACLE_HEX && direction >= 4;
}

/* Diagonals; north and south of four neighbours; three ways of hexagons. */
static bool is_major(oracle_rule rule, unsigned direction)
{
    if (rule == ORACLE_4)
        return direction == CN_N || direction == CN_S;
    if (rule == ORACLE_HEX)
        return direction == CN_E || direction == CN_NW || direction == CN_SW;
    return direction >= 4;
}

static bool is_legal(const field *self, int x, int y, unsigned direction)
{
    int to_x = x, to_y = y;
    go(self, &to_x, &to_y, direction);
    if (!knows(self->rule, direction) || !is_open(self, x, y) || !is_open(self, to_x, to_y))
        return false;
    int beside = is_open(self, x, to_y) + is_open(self, to_x, y);
    int wanted = self->rule == ORACLE_8 ? 2 : self->rule == ORACLE_8_ONE_SIDE;
    return !is_diagonal(self->rule, direction) || beside >= wanted;
}

static unsigned openness(const field *self, int x, int y)
{
    unsigned around = 0;
    for (unsigned direction = 0; direction < 8; direction++) {
        int near_x = x, near_y = y;
        if (self->rule == ORACLE_HEX && !knows(self->rule, direction))
            continue;
        go(self, &near_x, &near_y, direction);
        around |= (unsigned)is_open(self, near_x, near_y) << direction;
    }
    return around;
}

/* ------------------------------------------------------------------------ neighbourhoods -- */

/* A way of at most two steps. */
typedef struct short_way {
    unsigned count, direction[2];
} short_way;

/* Whether the first never costs more than the other, whatever diagonals cost, and comes first. */
static bool comes_before(oracle_rule rule, short_way a, short_way b)
{
    unsigned slanting[2] = {0, 0}, majors[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        slanting[0] += i < a.count && is_diagonal(rule, a.direction[i]);
        slanting[1] += i < b.count && is_diagonal(rule, b.direction[i]);
        majors[0] = 2 * majors[0] + (i < a.count && !is_major(rule, a.direction[i]));
        majors[1] = 2 * majors[1] + (i < b.count && !is_major(rule, b.direction[i]));
    }
    if (a.count + slanting[0] > b.count + slanting[1] || a.count > b.count)
        return false;
    if (a.count < b.count || slanting[0] < slanting[1])
        return true;
    return slanting[0] == slanting[1] && majors[0] < majors[1];
}

/* Whether some way around the middle comes before the two steps from (x, y) over it. */
static bool is_beaten(const field *self, int x, int y, short_way over)
{
    int middle_x = x, middle_y = y;
    go(self, &middle_x, &middle_y, over.direction[0]);
    int to_x = middle_x, to_y = middle_y;
    go(self, &to_x, &to_y, over.direction[1]);
    if (to_x == x && to_y == y)
        return true;
    for (unsigned first = 0; first < 8; first++) {
        int at_x = x, at_y = y;
        if (!is_legal(self, x, y, first) || first == over.direction[0])
            continue;
        go(self, &at_x, &at_y, first);
        if (at_x == to_x && at_y == to_y)
            return true;
        for (unsigned second = 0; second < 8; second++) {
            int end_x = at_x, end_y = at_y;
            go(self, &end_x, &end_y, second);
            short_way around = {2, {first, second}};
            if (is_legal(self, at_x, at_y, second) && end_x == to_x && end_y == to_y &&
                comes_before(self->rule, around, over))
                return true;
        }
    }
    return false;
}

/* The cell (2, y) in the middle of blocked ones, with some of its neighbours open. */
static field surrounded(oracle_rule rule, unsigned around, int y)
{
    field made = {.rule = rule, .width = 5, .height = 5};
    made.open[5 * y + 2] = true;
    for (unsigned direction = 0; direction < 8; direction++) {
        int near_x = 2, near_y = y;
        if (rule == ORACLE_HEX && !knows(rule, direction))
            continue;
        go(&made, &near_x, &near_y, direction);
        made.open[5 * near_y + near_x] = around >> direction & 1;
    }
    return made;
}

static void check_arrival(const cn_grid *grid, const field *self, int y, unsigned arrival)
{
    unsigned around = openness(self, 2, y);
    unsigned expected = 0;
    int from_x = 2, from_y = y;

    go(self, &from_x, &from_y, cn_opposite(arrival));
    if (!is_legal(self, from_x, from_y, arrival))
        return;
    for (unsigned direction = 0; direction < 8; direction++) {
        short_way over = {2, {arrival, direction}};
        if (is_legal(self, 2, y, direction) && !is_beaten(self, from_x, from_y, over))
            expected |= 1u << direction;
    }
    assert_int_equal(grid->canonical[arrival][around], expected);
}

static void entries_are_what_an_enumeration_leaves(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        cn_grid grid;
        tables_of(rule, &grid);
        for (unsigned around = 0; around < 256; around++) {
            for (int y = 1; y <= 2; y++) {
                field self = surrounded(rule, around, y);
                for (unsigned arrival = 0; arrival < 8; arrival++) {
                    if (knows(rule, arrival))
                        check_arrival(&grid, &self, y, arrival);
                }
            }
        }
        free_tables(&grid);
    }
}

static void what_may_follow_a_step_on_open_ground(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        cn_grid grid;
        tables_of(rule, &grid);
        for (unsigned arrival = 0; arrival < 8; arrival++) {
            unsigned steps = grid.canonical[arrival][255], minor = 0;
            if (!knows(rule, arrival))
                continue;
            for (unsigned direction = 0; direction < 8; direction++)
                minor += (steps >> direction & 1) && !is_major(rule, direction);
            assert_int_equal(cn_rule_is_major(rules[rule], arrival), is_major(rule, arrival));
            assert_true(steps >> arrival & 1);
            assert_int_equal(cn_count_bits(steps), is_major(rule, arrival) ? 3 : 1);
            assert_int_equal(minor, is_major(rule, arrival) ? 2 : 1);
        }
        free_tables(&grid);
    }
}

/* ---------------------------------------------------------------------------------- grids -- */

/* A path as the canonical order sees it; of two with the same cost, the lesser comes first. */
typedef struct label {
    uint64_t cost;
    uint32_t steps, diagonals;
    uint64_t minors; /* bit by bit, the last step lowest: it was a minor one */
} label;

static int compare(const label *a, const label *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->steps != b->steps)
        return a->steps < b->steps ? -1 : 1;
    if (a->diagonals != b->diagonals)
        return a->diagonals < b->diagonals ? -1 : 1;
    return a->minors < b->minors ? -1 : a->minors > b->minors;
}

static label longer(const field *self, oracle_steps metric, const label *by, unsigned direction)
{
    bool slants = is_diagonal(self->rule, direction);
    return (label){by->cost + (slants ? metric.diagonal : metric.straight), by->steps + 1,
                   by->diagonals + slants, by->minors << 1 | !is_major(self->rule, direction)};
}

/* What the search from one cell found; `order`: cells as they are settled. */
typedef struct settled {
    label least[CELLS_MAX];
    int order[CELLS_MAX];
    int count;
} settled;

static void take_steps(const field *self, oracle_steps metric, settled *found, int cell)
{
    int x = cell % self->width, y = cell / self->width;
    for (unsigned direction = 0; direction < 8; direction++) {
        int to_x = x, to_y = y;
        if (!is_legal(self, x, y, direction))
            continue;
        go(self, &to_x, &to_y, direction);
        label way = longer(self, metric, &found->least[cell], direction);
        label *known = &found->least[to_y * self->width + to_x];
        if (compare(&way, known) < 0)
            *known = way;
    }
}

static void settle(const field *self, oracle_steps metric, int start, settled *found)
{
    bool done[CELLS_MAX] = {false};
    int cells = self->width * self->height;

    for (int cell = 0; cell < cells; cell++)
        found->least[cell].cost = ORACLE_NEVER;
    found->least[start] = (label){0};
    for (found->count = 0; found->count < cells; found->count++) {
        int next = -1;
        for (int cell = 0; cell < cells; cell++) {
            if (!done[cell] && found->least[cell].cost != ORACLE_NEVER &&
                (next < 0 || found->least[cell].cost < found->least[next].cost))
                next = cell;
        }
        if (next < 0)
            return;
        done[next] = true;
        found->order[found->count] = next;
        take_steps(self, metric, found, next);
    }
}

/* Directions by which canonical steps reach a cell at its least cost, and those by which the least
 * path does; bit 8: the start. */
typedef struct arrivals {
    unsigned cheap[CELLS_MAX], least[CELLS_MAX];
} arrivals;

static unsigned allowed(const cn_grid *grid, unsigned by, unsigned around)
{
    unsigned steps = 0;
    for (; by; by &= by - 1)
        steps |= grid->canonical[cn_lowest_bit(by)][around];
    return steps;
}

/* Whether every one of the arrivals allows a step. */
static bool all_allow(const cn_grid *grid, unsigned by, unsigned around, unsigned direction)
{
    for (; by; by &= by - 1) {
        if (!(grid->canonical[cn_lowest_bit(by)][around] >> direction & 1))
            return false;
    }
    return true;
}

static void spread(const cn_grid *grid, const field *self, oracle_steps metric,
                   const settled *found, arrivals *by, int cell)
{
    int x = cell % self->width, y = cell / self->width;
    unsigned around = openness(self, x, y), steps = allowed(grid, by->cheap[cell], around);

    for (unsigned direction = 0; direction < 8; direction++) {
        int to_x = x, to_y = y;
        if (!is_legal(self, x, y, direction))
            continue;
        go(self, &to_x, &to_y, direction);
        int to = to_y * self->width + to_x;
        label way = longer(self, metric, &found->least[cell], direction);
        if (steps >> direction & 1 && way.cost == found->least[to].cost)
            by->cheap[to] |= 1u << direction;
        if (way.steps <= STEPS_MAX && compare(&way, &found->least[to]) == 0) {
            by->least[to] |= 1u << direction;
            assert_true(all_allow(grid, by->least[cell], around, direction));
        }
    }
}

static void check_field(const cn_grid *grid, const field *self, oracle_steps metric, int start)
{
    static settled found;
    arrivals by = {{0}, {0}};

    settle(self, metric, start, &found);
    by.cheap[start] = by.least[start] = 1u << CN_NOWHERE;
    for (int i = 0; i < found.count; i++) {
        assert_true(by.cheap[found.order[i]] != 0);
        spread(grid, self, metric, &found, &by, found.order[i]);
    }
}

static int open_cell(const field *self, uint32_t wanted)
{
    int cells = self->width * self->height;
    for (int i = 0; i < cells; i++) {
        int cell = (int)((wanted + (uint32_t)i) % (uint32_t)cells);
        if (self->open[cell])
            return cell;
    }
    return -1;
}

static void all_small_grids_keep_their_costs(void **state)
{
    (void)state;
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        cn_grid grid;
        tables_of(rule, &grid);
        for (uint32_t bits = 1; bits < 1u << 16; bits++) {
            field self = {.rule = rule, .width = 4, .height = 4};
            for (unsigned cell = 0; cell < 16; cell++)
                self.open[cell] = bits >> cell & 1;
            int start = open_cell(&self, bits * 2654435761u >> 28);
            check_field(&grid, &self, metrics[bits / 3 % COUNT_OF(metrics)], start);
        }
        free_tables(&grid);
    }
}

static void random_grids_keep_their_costs(void **state)
{
    (void)state;
    dice luck = {1968};
    for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
        cn_grid grid;
        tables_of(rule, &grid);
        for (unsigned i = 0; i < RANDOM_GRIDS / ORACLE_RULES; i++) {
            field self = {.rule = rule,
                          .width = 3 + (int)dice_below(&luck, SIDE_MAX - 2),
                          .height = 3 + (int)dice_below(&luck, SIDE_MAX - 2)};
            uint32_t blocked = dice_below(&luck, 60);
            for (int cell = 0; cell < self.width * self.height; cell++)
                self.open[cell] = dice_below(&luck, 100) >= blocked;
            int start = open_cell(&self, dice_below(&luck, CELLS_MAX));
            if (start >= 0)
                check_field(&grid, &self, metrics[i % COUNT_OF(metrics)], start);
        }
        free_tables(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_what_an_enumeration_leaves),
        cmocka_unit_test(what_may_follow_a_step_on_open_ground),
        cmocka_unit_test(all_small_grids_keep_their_costs),
        cmocka_unit_test(random_grids_keep_their_costs),
    };
    return cmocka_run_group_tests_name("canonical", tests, NULL, NULL);
}
