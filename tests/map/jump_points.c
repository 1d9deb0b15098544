/* Jump planes under every rule and on every terrain: after edits they are those of a map that was
 * made so, and they say what walks along runs find. */
#include "map/jump_points.h"
#include "map/map.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { MAPS = 6 * MAP_KINDS, EDITS = 8 };

/* Of eight maps one is high and narrow, so that slanting lines share words, and one is low. */
static twin map_drawn(uint64_t seed)
{
    picture sizes = any_map(seed);
    const uint32_t few = 1 + (uint32_t)(seed * 5 % 11), many = 150 + (uint32_t)(seed * 37 % 200);
    const bool is_high = seed % 8 == 3, is_low = seed % 8 == 6;
    twin made = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                           (terrain_kind)(seed / 2 % TERRAIN_KINDS), (cairn_metric){2378, 3363},
                           is_high  ? few
                           : is_low ? many
                                    : sizes.width,
                           is_high  ? many
                           : is_low ? few
                                    : sizes.height);
    picture_free(&sizes);
    return made;
}

static void assert_equal_planes(const cn_jump *a, const cn_jump *b)
{
    const cn_grid *grid = &b->map->grid;
    const size_t cells = (size_t)grid->width * grid->height;
    assert_int_equal(a->shape, b->shape);
    assert_int_equal(a->word_count, b->word_count);
    assert_memory_equal(a->stops, b->stops, a->word_count * sizeof *a->stops);
    assert_memory_equal(a->clear, b->clear, a->word_count * sizeof *a->clear);
    assert_memory_equal(a->hits, b->hits, cells);
    assert_int_equal(a->borders != NULL, b->borders != NULL);
    if (a->borders)
        assert_memory_equal(a->borders, b->borders, cn_border_words(grid) * sizeof *a->borders);
    assert_int_equal(a->border_steps != NULL, b->border_steps != NULL);
    if (a->border_steps)
        assert_memory_equal(a->border_steps, b->border_steps, cells * CN_DIRECTIONS);
}

static void assert_same_planes(const cairn_map *edited, const cairn_map *made)
{
    const cn_jump *a, *b;
    assert_int_equal(cn_map_jump(edited, &a), CAIRN_OK);
    assert_int_equal(cn_map_jump(made, &b), CAIRN_OK);
    assert_equal_planes(a, b);
}

static cairn_edit random_edit(const twin *both, dice *luck)
{
    static const char letters[] = ".@.@SGK^v<>";
    const picture *drawn = &both->drawn;
    unsigned choice = both->kind == TERRAIN_UNIFORM ? 4 : both->kind == TERRAIN_ONE_WAY ? 11 : 7;
    uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    uint32_t width = dice_below(luck, 3) ? 1 : 1 + dice_below(luck, drawn->width - x);
    uint32_t height = dice_below(luck, 3) ? 1 : 1 + dice_below(luck, drawn->height - y);
    return cairn_rectangle(x, y, width, height, letters[dice_below(luck, choice)]);
}

static void follow_letters(twin *both)
{
    for (cairn_node node = 0; node < picture_size(&both->drawn); node++)
        both->drawn.letters[node] = cairn_map_letter(both->map, node);
}

static void check_edits(twin *both, dice *luck)
{
    const cn_jump *jump;
    assert_int_equal(cn_map_jump(both->map, &jump), CAIRN_OK);
    for (int i = 0; i < EDITS; i++) {
        cairn_edit edits[2] = {random_edit(both, luck), random_edit(both, luck)};
        assert_int_equal(cairn_map_edit(both->map, edits, 1 + dice_below(luck, 2)), CAIRN_OK);
        follow_letters(both);
        cairn_map *made = twin_rebuilt(both);
        assert_same_planes(both->map, made);
        cairn_map_free(made);
    }
}

static void planes_after_edits_equal_those_of_a_new_map(void **state)
{
    (void)state;
    dice luck = {42};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed);
        check_edits(&both, &luck);
        twin_free(&both);
    }
}

/* Edits of a map fill its planes where they cover much of it, so others are updated here. */
static void planes_updated_area_by_area_equal_filled_ones(void **state)
{
    (void)state;
    dice luck = {43};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed + 300);
        cn_jump *jump;
        assert_int_equal(cn_jump_new(both.map, &both.map->mem, &jump), CAIRN_OK);
        for (int i = 0; i < EDITS; i++) {
            const cairn_edit edit = random_edit(&both, &luck);
            const cn_area area = {edit.x, edit.y, edit.x + edit.width - 1,
                                  edit.y + edit.height - 1};
            cn_jump *made;
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            cn_jump_update(jump, &both.map->grid, area);
            assert_int_equal(cn_jump_new(both.map, &both.map->mem, &made), CAIRN_OK);
            assert_equal_planes(jump, made);
            cn_jump_free(made, &both.map->mem);
        }
        cn_jump_free(jump, &both.map->mem);
        twin_free(&both);
    }
}

/* Borders around avoided cells, in planes of a search. */
static void avoided_cells_filled_at_once_equal_those_set_one_by_one(void **state)
{
    (void)state;
    dice luck = {47};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed + 500);
        const cn_mem *mem = &both.map->mem;
        const cn_grid *grid = &both.map->grid;
        const uint32_t cells = cairn_map_node_count(both.map);
        uint64_t *bits = test_calloc(cells / 64 + 1, sizeof *bits);
        const cn_jump *planes;
        cn_jump *set, *filled;

        assert_int_equal(cn_map_jump(both.map, &planes), CAIRN_OK);
        assert_int_equal(cn_jump_copy(planes, mem, &set), CAIRN_OK);
        assert_int_equal(cn_jump_copy(planes, mem, &filled), CAIRN_OK);
        set->avoided = filled->avoided = bits;
        for (uint32_t left = 1 + cells / (2 + dice_below(&luck, 60)); left; left--) {
            const cairn_node node = dice_below(&luck, cells);
            const uint32_t x = node % grid->width, y = node / grid->width;
            cn_put_bit(bits, node, dice_below(&luck, 4) > 0);
            cn_jump_update(set, grid, (cn_area){x, y, x, y});
        }
        cn_jump_update(filled, grid, (cn_area){0, 0, grid->width - 1, grid->height - 1});
        assert_equal_planes(set, filled);
        cn_jump_free(set, mem);
        cn_jump_free(filled, mem);
        test_free(bits);
        twin_free(&both);
    }
}

/* Runs that pass through many words without a stop. */
static void planes_of_wide_rows_equal_updated_ones(void **state)
{
    enum { WIDE = 700, HIGH = 3, CELLS = WIDE * HIGH };
    (void)state;
    dice luck = {46};
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        static char letters[CELLS];
        const cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
        cairn_map *map;
        cn_jump *jump, *made;
        memset(letters, '.', sizeof letters);
        assert_int_equal(cairn_map_from_letters(WIDE, HIGH, letters, &options, &map, NULL),
                         CAIRN_OK);
        assert_int_equal(cn_jump_new(map, &map->mem, &jump), CAIRN_OK);
        for (int i = 0; i < 40; i++) {
            const uint32_t x = dice_below(&luck, WIDE), y = dice_below(&luck, HIGH);
            const cairn_edit edit = i % 4 < 3 ? cairn_block(x, y)
                                              : cairn_rectangle(x, 0, WIDE - x, HIGH, '.');
            assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
            cn_jump_update(
                jump, &map->grid,
                (cn_area){edit.x, edit.y, edit.x + edit.width - 1, edit.y + edit.height - 1});
            assert_int_equal(cn_jump_new(map, &map->mem, &made), CAIRN_OK);
            assert_equal_planes(jump, made);
            cn_jump_free(made, &map->mem);
        }
        cn_jump_free(jump, &map->mem);
        cairn_map_free(map);
    }
}

static cairn_edit small_patch(const twin *both, dice *luck)
{
    cairn_edit edit = random_edit(both, luck);
    edit.width = edit.width < 4 ? edit.width : 4;
    edit.height = edit.height < 4 ? edit.height : 4;
    return edit;
}

/* Where one call has many small edits, planes are filled once; they are those of a new map. */
static void many_edits_of_one_call_give_the_planes_of_a_new_map(void **state)
{
    enum { SIDE = 130, PATCHES = 200 };
    (void)state;
    dice luck = {44};
    for (uint64_t seed = 0; seed < seeds_to(ORACLE_RULES * TERRAIN_KINDS);
         seed = seed_after(seed)) {
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               (terrain_kind)(seed / ORACLE_RULES), (cairn_metric){2378, 3363},
                               SIDE - (uint32_t)seed % 5, SIDE - 2 - (uint32_t)seed % 3);
        const cn_jump *jump;
        cairn_edit edits[PATCHES];
        assert_int_equal(cn_map_jump(both.map, &jump), CAIRN_OK);
        for (int i = 0; i < PATCHES; i++)
            edits[i] = small_patch(&both, &luck);
        assert_int_equal(cairn_map_edit(both.map, edits, PATCHES), CAIRN_OK);
        follow_letters(&both);
        cairn_map *made = twin_rebuilt(&both);
        assert_same_planes(both.map, made);
        cairn_map_free(made);
        twin_free(&both);
    }
}

static void assert_planes_of_a_new_map(const cairn_map *map)
{
    const cn_jump *jump;
    cn_jump *made;
    assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
    assert_int_equal(cn_jump_new(map, &map->mem, &made), CAIRN_OK);
    assert_equal_planes(jump, made);
    cn_jump_free(made, &map->mem);
}

/* A call after which the map is what it was before: cells that close and open again. */
static void assert_undone_calls_leave_planes(cairn_map *map, const cairn_map *units, dice *luck)
{
    enum { CELLS = 20 }; /* few enough that planes are not filled from the first edit on */
    const uint32_t width = cairn_map_width(map);
    const uint64_t hash = cairn_map_hash(map);
    cairn_edit edits[2 * CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        const cairn_node at = dice_below(luck, cairn_map_node_count(map));
        const bool is_open = cairn_map_is_open(map, at);
        edits[i] = cairn_terrain(at % width, at / width, is_open ? '@' : '.');
        edits[2 * CELLS - 1 - i] = cairn_terrain(at % width, at / width, is_open ? '.' : '@');
    }
    assert_int_equal(cairn_map_edit(map, edits, 2 * CELLS), CAIRN_OK);
    assert_true(cairn_map_hash(map) == hash);
    assert_planes_of_a_new_map(map);
    assert_planes_of_a_new_map(units);
}

static cairn_map *open_map(uint32_t width, uint32_t height, cairn_rule rule)
{
    const cairn_map_options options = {.size = sizeof options, .rule = rule};
    const size_t cells = (size_t)width * height;
    char *letters = malloc(cells);
    cairn_map *map;
    assert_non_null(letters);
    memset(letters, '.', cells);
    assert_int_equal(cairn_map_from_letters(width, height, letters, &options, &map, NULL),
                     CAIRN_OK);
    free(letters);
    return map;
}

/* The steps along runs that updates of planes have taken so far. */
static uint64_t steps_walked(const cairn_map *map)
{
    const cn_jump *jump;
    assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
    assert_true(cn_map_is_even(map));
    return jump->walked;
}

/* Along long runs updates stop in the middle of a call, and planes are filled once for all that
 * follows, also those of a map for units. With four neighbours only runs along rows are walked. */
static void edits_that_walk_far_give_the_planes_of_a_new_map(void **state)
{
    enum { NARROW = 32, LONG = 2000, CALLS = 6, LEAST = 40, MOST = 60 };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(2 * ORACLE_RULES); seed = seed_after(seed)) {
        const bool is_wide = seed / ORACLE_RULES % 2 == 0;
        const uint32_t width = is_wide ? LONG : NARROW, height = is_wide ? NARROW : LONG;
        dice luck = {seed + 1};
        cairn_edit edits[MOST];
        cairn_map *map = open_map(width, height, (cairn_rule)(seed % ORACLE_RULES)), *units;
        assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
        assert_planes_of_a_new_map(map);
        assert_planes_of_a_new_map(units);
        for (unsigned call = 0; call < CALLS; call++) {
            const size_t count = LEAST + dice_below(&luck, MOST - LEAST);
            for (size_t i = 0; i < count; i++)
                edits[i] = cairn_terrain(dice_below(&luck, 2) * (width / 2),
                                         dice_below(&luck, 2) * (height / 2),
                                         "@."[dice_below(&luck, 2)]);
            assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
            assert_planes_of_a_new_map(map);
            assert_planes_of_a_new_map(units);
        }
        assert_undone_calls_leave_planes(map, units, &luck);
        cairn_map_free(units);
        cairn_map_free(map);
    }
}

/* A cell in the middle of a map closes and opens, so many times in one call. Returns how many steps
 * that walked. */
static uint64_t walked_by_turns(cairn_map *map, size_t count)
{
    enum { MOST = 40 };
    const uint64_t before = steps_walked(map);
    cairn_edit edits[MOST];
    assert_true(count <= MOST);
    for (size_t i = 0; i < count; i++)
        edits[i] = cairn_terrain(cairn_map_width(map) / 2, cairn_map_height(map) / 2, "@."[i % 2]);
    assert_int_equal(cairn_map_edit(map, edits, count), CAIRN_OK);
    assert_planes_of_a_new_map(map);
    return steps_walked(map) - before;
}

static void many_edits_that_walk_far_stop_walking(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
        cairn_map *map = open_map(2000, 32, (cairn_rule)rule);
        assert_planes_of_a_new_map(map);
        const uint64_t two = walked_by_turns(map, 2), most = 10 * two;
        assert_true(two > 2000);
        assert_true(rule == CAIRN_RULE_HEX || walked_by_turns(map, 40) < most);
        cairn_map_free(map);
    }
}

/* Two cells on the longest of runs are updated one after the other all the same: to fill the planes
 * of a map with few columns, or few rows, takes longer. (With four neighbours a step along a row
 * takes longer too.) */
static void two_edits_of_a_call_walk_as_far_as_in_two_calls(void **state)
{
    enum { FEW = 3, LONG = 20000 };
    (void)state;
    for (unsigned i = 0; i < 2 * ORACLE_RULES; i++) {
        const uint32_t width = i % 2 ? LONG : FEW, height = i % 2 ? FEW : LONG;
        if (i == 2 * CAIRN_RULE_4 + 1)
            continue;
        const cairn_edit edits[2] = {cairn_block(width / 2, height / 2),
                                     cairn_block(width / 3, height / 3)};
        cairn_map *together = open_map(width, height, (cairn_rule)(i / 2));
        cairn_map *apart = open_map(width, height, (cairn_rule)(i / 2));
        assert_planes_of_a_new_map(together);
        assert_planes_of_a_new_map(apart);
        assert_int_equal(cairn_map_edit(together, edits, 2), CAIRN_OK);
        assert_int_equal(cairn_map_edit(apart, &edits[0], 1), CAIRN_OK);
        assert_int_equal(cairn_map_edit(apart, &edits[1], 1), CAIRN_OK);
        assert_true(steps_walked(together) == steps_walked(apart));
        assert_planes_of_a_new_map(together);
        cairn_map_free(together);
        cairn_map_free(apart);
    }
}

static void planes_follow_the_metric(void **state)
{
    static const cairn_metric metrics[] = {{1, 2}, {1, 1}, {10, 14}};
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed + 900);
        const cn_jump *jump;
        assert_int_equal(cn_map_jump(both.map, &jump), CAIRN_OK);
        assert_int_equal(cairn_map_set_metric(both.map, metrics[seed % 3]), CAIRN_OK);
        cairn_map *made = twin_rebuilt(&both);
        assert_same_planes(both.map, made);
        cairn_map_free(made);
        twin_free(&both);
    }
}

/* The cell that a step leads to; CAIRN_NO_NODE where the step is not legal. */
static cairn_node next_of(const cn_grid *grid, cairn_node node, unsigned direction)
{
    bool is_legal = cn_grid_steps(grid, node) >> direction & 1;
    return is_legal ? node + (cairn_node)cn_grid_offsets(grid, node)[direction] : CAIRN_NO_NODE;
}

/* Whether the letters or heights of two cells make steps cost differently, or one-way. */
static bool differ(const cn_grid *grid, cairn_node a, cairn_node b)
{
    const uint16_t *factor = grid->rules.factor, *heights = grid->heights.cells;
    return factor[grid->letters[a]] != factor[grid->letters[b]] ||
           strchr("^v<>", grid->letters[a]) || strchr("^v<>", grid->letters[b]) ||
           (heights && heights[a] != heights[b]);
}

static bool is_border(const cn_grid *grid, cairn_node node)
{
    cairn_node near[CN_DIRECTIONS];
    unsigned count = cn_grid_neighbours(grid, node, near);
    bool found = differ(grid, node, node);
    for (unsigned i = 0; i < count; i++)
        found = found || (cn_grid_is_open(grid, near[i]) && differ(grid, node, near[i]));
    return found;
}

static bool turns(const cn_grid *grid, const cn_jump *jump, cairn_node node, unsigned direction)
{
    if (jump->borders && cn_jump_is_border(jump, node))
        return true;
    const uint8_t *steps = grid->canonical[direction];
    return steps[grid->around[node]] & ~steps[255];
}

static bool run_hits(const cn_grid *grid, const cn_jump *jump, cairn_node node, unsigned direction)
{
    do {
        node = next_of(grid, node, direction);
    } while (node != CAIRN_NO_NODE && !turns(grid, jump, node, direction));
    return node != CAIRN_NO_NODE;
}

static bool is_major(const cn_grid *grid, unsigned direction)
{
    return cn_rule_is_major(grid->rules.rule, direction);
}

/* Whether a run in a direction stops at a cell. */
static bool stops(const cn_grid *grid, const cn_jump *jump, cairn_node node, unsigned direction)
{
    bool found = turns(grid, jump, node, direction);
    for (unsigned minor = 0; is_major(grid, direction) && minor < CN_DIRECTIONS; minor++) {
        bool is_beside = grid->canonical[direction][255] >> minor & 1 && minor != direction;
        found = found || (is_beside && run_hits(grid, jump, node, minor));
    }
    return found;
}

/* The stop that the planes give is the first cell where a walk stops, or one where it must end. */
static void check_line(const cn_grid *grid, const cn_jump *jump, cairn_node node,
                       unsigned direction)
{
    unsigned axis = cn_jump_axis(jump->shape, direction);
    uint32_t x = node % grid->width, y = node / grid->width, at = axis ? y : x;
    const cn_axis *lines = &jump->axes[axis];
    const size_t number = cn_jump_line(jump->shape, axis, grid->height, x, y);
    const cn_stops *line = lines->stops + cn_jump_words(lines, jump->shape, number);
    uint32_t stop = cn_jump_is_forward(direction) ? cn_jump_forward(line, at)
                                                  : cn_jump_backward(line, at);
    uint32_t length = cn_jump_is_forward(direction) ? stop - at : at - stop;
    for (uint32_t i = 1; i <= length; i++) {
        cairn_node next = next_of(grid, node, direction);
        uint32_t at_x = cn_jump_x(jump->shape, x, y, direction, i);
        uint32_t at_y = cn_jump_y(y, direction, i);
        if (next == CAIRN_NO_NODE) {
            assert_int_equal(i, length);
            return;
        }
        assert_int_equal(next, at_y * grid->width + at_x);
        assert_true(i == length || !stops(grid, jump, next, direction));
        node = next;
    }
    assert_true(stops(grid, jump, node, direction) || node / grid->width == 0);
}

static void check_cell(const cn_grid *grid, const cn_jump *jump, cairn_node node)
{
    unsigned known = cn_rule_directions(grid->rules.rule);
    bool is_square = jump->shape == CN_JUMP_CLASSIC || jump->shape == CN_JUMP_CUT;
    for (unsigned d = 0; d < CN_DIRECTIONS; d++) {
        bool is_known = known >> d & 1;
        bool expected = is_known && (is_major(grid, d) ? next_of(grid, node, d) != CAIRN_NO_NODE
                                                       : run_hits(grid, jump, node, d));
        assert_int_equal(jump->hits[node] >> d & 1, expected);
        if (expected && !(is_square && is_major(grid, d)))
            check_line(grid, jump, node, d);
    }
}

static void planes_say_what_walks_find(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed + 500);
        const cn_grid *grid = &both.map->grid;
        const cn_jump *jump;
        assert_int_equal(cn_map_jump(both.map, &jump), CAIRN_OK);
        for (cairn_node node = 0; node < picture_size(&both.drawn); node++) {
            if (jump->borders)
                assert_int_equal(cn_jump_is_border(jump, node),
                                 cn_grid_is_open(grid, node) && is_border(grid, node));
            if (cn_grid_is_open(grid, node))
                check_cell(grid, jump, node);
            else
                assert_int_equal(jump->hits[node], 0);
        }
        twin_free(&both);
    }
}

static unsigned slants(const cn_grid *grid, unsigned direction)
{
    return grid->rules.rule != CAIRN_RULE_HEX && direction >= CN_STRAIGHT;
}

/* What the step in a direction costs; CAIRN_UNREACHABLE where it is not legal. */
static cairn_cost price_of(const cairn_map *map, cairn_node node, unsigned direction)
{
    cairn_arc steps[CAIRN_STEPS_MAX];
    cairn_node next = next_of(&map->grid, node, direction);
    uint32_t count = cairn_steps(map, node, steps, CAIRN_STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].to == next)
            return steps[i].cost;
    }
    return CAIRN_UNREACHABLE;
}

/* Two steps to a cell, or one: where it leads, what it costs, and its place in the canonical
 * order. */
typedef struct way {
    cairn_node end;
    uint64_t cost;
    unsigned order;
} way;

/* `second` is CN_NOWHERE for a single step. */
static way way_of(const cairn_map *map, cairn_node from, unsigned first, unsigned second)
{
    const cn_grid *grid = &map->grid;
    const cairn_node middle = next_of(grid, from, first);
    const bool is_single = second == CN_NOWHERE;
    way made = {middle, price_of(map, from, first), 0};
    if (middle == CAIRN_NO_NODE || is_single)
        return made;
    made.end = next_of(grid, middle, second);
    made.cost += price_of(map, middle, second);
    made.order = 2 + 2 * (slants(grid, first) + slants(grid, second)) + !is_major(grid, first);
    return made;
}

static bool is_beside(const cn_grid *grid, cairn_node node, cairn_node other)
{
    cairn_node near[CN_DIRECTIONS];
    unsigned count = cn_grid_neighbours(grid, node, near), i = 0;
    while (i < count && near[i] != other)
        i++;
    return i < count;
}

/* Whether a way around a border comes before the two steps through it. */
static bool is_passed_by(const cairn_map *map, cairn_node border, unsigned arrival, unsigned e)
{
    const cn_grid *grid = &map->grid;
    const cairn_node last = border +
                            (cairn_node)cn_grid_offsets(grid, border)[cn_opposite(arrival)];
    const way through = way_of(map, last, arrival, e);
    bool found = false;

    for (unsigned first = 0; first < CN_DIRECTIONS; first++) {
        const cairn_node middle = next_of(grid, last, first);
        if (middle == CAIRN_NO_NODE || !is_beside(grid, border, middle))
            continue;
        for (unsigned second = 0; second <= CN_NOWHERE; second++) {
            way around = way_of(map, last, first, second);
            found = found || (around.end == through.end &&
                              (around.cost < through.cost ||
                               (around.cost == through.cost && around.order < through.order)));
        }
    }
    return found;
}

static void check_border(const cairn_map *map, const cn_jump *jump, cairn_node border)
{
    const cn_grid *grid = &map->grid;
    for (unsigned arrival = 0; arrival < CN_DIRECTIONS; arrival++) {
        const unsigned back = cn_opposite(arrival);
        const uint8_t kept = jump->border_steps[(size_t)border * CN_DIRECTIONS + arrival];
        const cairn_node last = border + (cairn_node)cn_grid_offsets(grid, border)[back];
        if (!(grid->around[border] >> back & 1) || next_of(grid, last, arrival) != border)
            continue;
        for (unsigned e = 0; e < CN_DIRECTIONS; e++) {
            bool is_legal = e != back && next_of(grid, border, e) != CAIRN_NO_NODE;
            assert_int_equal(kept >> e & 1, is_legal && !is_passed_by(map, border, arrival, e));
        }
    }
}

static void borders_keep_the_steps_that_no_way_around_comes_before(void **state)
{
    unsigned borders = 0;
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        twin both = map_drawn(seed + 700);
        const cn_jump *jump;
        assert_int_equal(cn_map_jump(both.map, &jump), CAIRN_OK);
        for (cairn_node node = 0; jump->borders && node < picture_size(&both.drawn); node++) {
            if (!cn_jump_is_border(jump, node))
                continue;
            check_border(both.map, jump, node);
            borders++;
        }
        twin_free(&both);
    }
    assert_true(borders > 100);
}

/* Heights that differ by more than 2^15, and by 2^16 less other differences. */
static void borders_of_cliffs_keep_the_right_steps(void **state)
{
    enum { WIDE = 6000, HIGH = 2, CELLS = WIDE * HIGH };
    static const uint16_t levels[] = {0, 100, 25536, 25636, 40000};
    (void)state;
    dice luck = {45};
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        static char letters[CELLS];
        static uint16_t cells[CELLS];
        const cairn_heights heights = {WIDE, HIGH, cells, 1, 2};
        const cairn_map_options options = {.size = sizeof options,
                                           .rule = (cairn_rule)rule,
                                           .metric = {1000, 1414},
                                           .heights = &heights};
        const cn_jump *jump;
        cairn_map *map;
        for (unsigned i = 0; i < CELLS; i++) {
            letters[i] = dice_below(&luck, 20) ? '.' : '@';
            cells[i] = levels[dice_below(&luck, COUNT_OF(levels))];
        }
        assert_int_equal(cairn_map_from_letters(WIDE, HIGH, letters, &options, &map, NULL),
                         CAIRN_OK);
        assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
        for (cairn_node node = 0; node < CELLS; node++) {
            if (cn_jump_is_border(jump, node) && !is_left_out(node))
                check_border(map, jump, node);
        }
        cairn_map_free(map);
    }
}

/* The planes of a map take memory in proportion to its cells, whatever its shape. */
static void planes_of_any_shape_are_small(void **state)
{
    enum { CELLS = 1 << 17, BYTES_FOR_A_CELL = 12 };
    (void)state;
    static char letters[CELLS];
    memset(letters, '.', CELLS);
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        for (uint32_t width = 16; width <= CELLS / 16; width *= 2) {
            const cairn_map_options options = {.size = sizeof options, .rule = (cairn_rule)rule};
            const cn_jump *jump;
            cairn_map *map;
            assert_int_equal(
                cairn_map_from_letters(width, CELLS / width, letters, &options, &map, NULL),
                CAIRN_OK);
            assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
            assert_in_range(cn_jump_memory(jump, &map->grid), CELLS, CELLS * BYTES_FOR_A_CELL);
            cairn_map_free(map);
        }
    }
}

/* A leg leads from one cell to the other, and is as long as the least there is. */
static void legs_join_any_two_cells(void **state)
{
    (void)state;
    dice luck = {7};
    for (unsigned i = 0; i < 4000; i++) {
        cn_jump_shape shape = (cn_jump_shape)(i % CN_JUMP_SHAPES);
        uint32_t from_x = dice_below(&luck, 40), from_y = dice_below(&luck, 40);
        uint32_t to_x = dice_below(&luck, 40), to_y = dice_below(&luck, 40);
        cn_leg leg = cn_jump_leg(shape, from_x, from_y, to_x, to_y);
        uint32_t x = cn_jump_x(shape, from_x, from_y, leg.major, leg.majors);
        uint32_t y = cn_jump_y(from_y, leg.major, leg.majors);
        assert_int_equal(cn_jump_x(shape, x, y, leg.minor, leg.minors), to_x);
        assert_int_equal(cn_jump_y(y, leg.minor, leg.minors), to_y);
        if (shape == CN_JUMP_HEX)
            assert_int_equal(leg.majors + leg.minors, cn_hex_steps(from_x, from_y, to_x, to_y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_after_edits_equal_those_of_a_new_map),
        cmocka_unit_test(planes_updated_area_by_area_equal_filled_ones),
        cmocka_unit_test(avoided_cells_filled_at_once_equal_those_set_one_by_one),
        cmocka_unit_test(planes_of_wide_rows_equal_updated_ones),
        cmocka_unit_test(many_edits_of_one_call_give_the_planes_of_a_new_map),
        cmocka_unit_test(edits_that_walk_far_give_the_planes_of_a_new_map),
        cmocka_unit_test(many_edits_that_walk_far_stop_walking),
        cmocka_unit_test(two_edits_of_a_call_walk_as_far_as_in_two_calls),
        cmocka_unit_test(planes_follow_the_metric),
        cmocka_unit_test(planes_say_what_walks_find),
        cmocka_unit_test(borders_keep_the_steps_that_no_way_around_comes_before),
        cmocka_unit_test(borders_of_cliffs_keep_the_right_steps),
        cmocka_unit_test(planes_of_any_shape_are_small),
        cmocka_unit_test(legs_join_any_two_cells),
    };
    return cmocka_run_group_tests_name("jump", tests, NULL, NULL);
}
