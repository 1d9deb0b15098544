/* Arcs of corners, against runs that are walked cell by cell: on maps as they are, and those that
 * are said to hold after edits. */
#include "map/corner_arcs.h"
#include "map/corner_ends.h"
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { MAPS = 12 * MAP_KINDS, LARGE_MAPS = 2 * MAP_KINDS, ENDS_MOST = 4096, EDITS = 4 };

static const unsigned ACROSS[2] = {CN_E, CN_W}, DOWN[2] = {CN_S, CN_N};

static bool step_is_legal(const picture *drawn, int64_t x, int64_t y, int across, int down)
{
    return picture_is_open(drawn, x + across, y) && picture_is_open(drawn, x, y + down) &&
           picture_is_open(drawn, x + across, y + down);
}

/* Whether a straight run turns to a side at a cell: the cell beside the last one is blocked, and
 * that beside this one is open. */
static bool turns_aside(const picture *drawn, int64_t x, int64_t y, unsigned direction, int side)
{
    const int across = cn_step_x[direction], down = cn_step_y[direction];
    return picture_is_open(drawn, x - across, y - down) &&
           picture_is_open(drawn, x + side * down, y + side * across) &&
           !picture_is_open(drawn, x - across + side * down, y - down + side * across);
}

static bool turns(const picture *drawn, int64_t x, int64_t y, unsigned direction)
{
    return turns_aside(drawn, x, y, direction, 1) || turns_aside(drawn, x, y, direction, -1);
}

typedef struct ends {
    cn_corner_arc list[ENDS_MOST]; /* with the direction of arrival alone as label */
    size_t count;
} ends;

static void walk_straight(const picture *drawn, int64_t x, int64_t y, unsigned direction, ends *out)
{
    do {
        x += cn_step_x[direction];
        y += cn_step_y[direction];
        if (!picture_is_open(drawn, x, y))
            return;
    } while (!turns(drawn, x, y, direction));
    assert_true(out->count < ENDS_MOST);
    out->list[out->count++] = (cn_corner_arc){direction, CN_XY_OF((uint32_t)x, (uint32_t)y)};
}

static void walk_diagonal(const picture *drawn, int64_t x, int64_t y, unsigned direction, ends *out)
{
    const int across = cn_step_x[direction], down = cn_step_y[direction];
    while (step_is_legal(drawn, x, y, across, down)) {
        x += across;
        y += down;
        walk_straight(drawn, x, y, ACROSS[across < 0], out);
        walk_straight(drawn, x, y, DOWN[down < 0], out);
    }
}

/* The directions that a path may take after a straight run which turns at the cell. */
static unsigned needed_from(const picture *drawn, int64_t x, int64_t y)
{
    unsigned needed = 0;
    for (unsigned arrival = 0; arrival < CN_STRAIGHT; arrival++) {
        for (int side = -1; side <= 1; side += 2) {
            if (!turns_aside(drawn, x, y, arrival, side))
                continue;
            const int across = cn_step_x[arrival] + side * cn_step_y[arrival];
            const int down = cn_step_y[arrival] + side * cn_step_x[arrival];
            const unsigned beside = cn_step_x[arrival] ? DOWN[down < 0] : ACROSS[across < 0];
            const unsigned slanting = CN_STRAIGHT + (down < 0 ? 2u : 0u) + (across < 0);
            needed |= 1u << beside | 1u << slanting;
            if (picture_is_open(drawn, x + cn_step_x[arrival], y + cn_step_y[arrival]))
                needed |= 1u << arrival;
        }
    }
    for (unsigned d = CN_STRAIGHT; d < CN_DIRECTIONS; d++) {
        if (needed >> d & 1 && !step_is_legal(drawn, x, y, cn_step_x[d], cn_step_y[d]))
            needed &= ~(1u << d);
    }
    return needed;
}

static void assert_runs(const cn_corners *corners, const cn_corner_arcs *arcs, uint32_t number,
                        const picture *drawn)
{
    const cn_corner_runs *runs = &arcs->runs[number];
    const int64_t x = corners->nodes[number] % (uint32_t)drawn->width;
    const int64_t y = corners->nodes[number] / (uint32_t)drawn->width;
    static ends expected;

    assert_int_equal(needed_from(drawn, x, y) & ~(unsigned)runs->known, 0);
    assert_true(!runs->known || runs->xy == CN_XY_OF((uint32_t)x, (uint32_t)y));
    expected.count = 0;
    for (unsigned d = 0; d < CN_DIRECTIONS; d++) {
        const size_t before = expected.count;
        if (!(runs->known >> d & 1))
            continue;
        if (d < CN_STRAIGHT) {
            walk_straight(drawn, x, y, d, &expected);
            assert_int_equal(runs->straight >> d & 1, expected.count - before);
        } else {
            walk_diagonal(drawn, x, y, d, &expected);
            assert_int_equal(runs->ends[d - CN_STRAIGHT + 1] - runs->ends[d - CN_STRAIGHT],
                             expected.count - before);
        }
    }
    for (size_t i = 0; i < expected.count; i++) {
        const cn_corner_arc arc = *cn_corner_arc_at(arcs, runs, i), *right = &expected.list[i];
        const uint32_t to = cn_corners_find(corners, CN_X_OF(right->xy), CN_Y_OF(right->xy));
        assert_int_equal(arc.xy, right->xy);
        assert_int_equal(arc.label, right->label << CN_ARRIVAL_SHIFT | to);
    }
}

/* The ends of runs from a cell in some directions, which are found without those of corners. */
static void assert_ends(const cn_run_field *field, const picture *drawn, cn_xy xy,
                        unsigned directions)
{
    static ends expected;
    static cn_arc items[ENDS_MOST];
    cn_arc_list arcs = {.items = items, .capacity = ENDS_MOST};
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];
    const int64_t x = CN_X_OF(xy), y = CN_Y_OF(xy);

    expected.count = 0;
    assert_true(cn_corner_ends(field, xy, directions, NULL, &arcs, reach));
    for (unsigned d = 0; d < CN_DIRECTIONS; d++) {
        uint32_t length = 0;
        if (!(directions >> d & 1))
            continue;
        if (d < CN_STRAIGHT) {
            walk_straight(drawn, x, y, d, &expected);
            continue;
        }
        walk_diagonal(drawn, x, y, d, &expected);
        while (step_is_legal(drawn, x + length * (int64_t)cn_step_x[d],
                             y + length * (int64_t)cn_step_y[d], cn_step_x[d], cn_step_y[d]))
            length++;
        assert_int_equal(reach[d - CN_STRAIGHT], length);
    }
    assert_int_equal(arcs.count, expected.count);
    for (size_t i = 0; i < arcs.count; i++) {
        const cn_xy to = expected.list[i].xy;
        const uint32_t number = cn_corners_find(field->corners, CN_X_OF(to), CN_Y_OF(to));
        assert_int_equal(items[i].arrival, to);
        assert_int_equal(items[i].to, expected.list[i].label << CN_ARRIVAL_SHIFT | number);
        assert_int_equal(items[i].cost, cn_octile(field->metric, CN_X_OF(xy), CN_Y_OF(xy),
                                                  CN_X_OF(to), CN_Y_OF(to)));
    }
}

static cairn_cost found_limit(const void *context)
{
    return *(const cairn_cost *)context;
}

static size_t ends_left_out;

/* Below a limit ends may be left out, in their order, but none by way of which a path to the target
 * may cost no more. */
static void assert_limited_ends(const cn_run_field *field, cn_xy xy, cn_xy target, cairn_cost most,
                                cairn_cost found)
{
    static cn_arc items[ENDS_MOST], limited[ENDS_MOST];
    cn_arc_list all = {.items = items, .capacity = ENDS_MOST};
    cn_arc_list some = {.items = limited, .capacity = ENDS_MOST};
    cn_end_limit limit = {.target = target,
                          .most = most,
                          .find = found == CAIRN_UNREACHABLE ? NULL : found_limit,
                          .context = &found};
    const unsigned every = (1u << CN_DIRECTIONS) - 1;
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];
    size_t kept = 0;

    assert_true(cn_corner_ends(field, xy, every, NULL, &all, reach));
    assert_true(cn_corner_ends(field, xy, every, &limit, &some, reach));
    assert_true(limit.most == most || limit.most == found);
    for (size_t i = 0; i < all.count; i++) {
        const cn_xy to = all.items[i].arrival;
        const uint64_t least = (uint64_t)all.items[i].cost + cn_octile(field->metric, CN_X_OF(to),
                                                                       CN_Y_OF(to), CN_X_OF(target),
                                                                       CN_Y_OF(target));
        const bool is_kept = kept < some.count && some.items[kept].to == all.items[i].to &&
                             some.items[kept].cost == all.items[i].cost;
        assert_true(is_kept || least > limit.most);
        kept += is_kept;
    }
    assert_int_equal(kept, some.count);
    ends_left_out += all.count - kept;
}

/* A random limit for a random target, or for one on a line or a diagonal with the cell; too low for
 * any path at times. */
static void assert_ends_below_limits(const cn_run_field *field, dice *luck, cn_xy xy)
{
    const uint32_t width = field->grid->width, height = field->grid->height;
    const uint32_t x = CN_X_OF(xy), y = CN_Y_OF(xy);
    const uint32_t to_x = dice_below(luck, 4) ? dice_below(luck, width) : x;
    const uint32_t to_y = dice_below(luck, 4) ? dice_below(luck, height) : y;
    const cairn_cost base = cn_octile(field->metric, x, y, to_x, to_y);
    const cairn_cost above = dice_below(luck, 40 * field->metric.straight);
    const cairn_cost most = dice_below(luck, 8) ? base + above : base / 2;
    const cairn_cost found = dice_below(luck, 2) ? CAIRN_UNREACHABLE : base + above / 2;

    assert_limited_ends(field, xy, CN_XY_OF(to_x, to_y), most, found);
    assert_limited_ends(field, xy, CN_XY_OF(to_x, to_y), CAIRN_UNREACHABLE, found);
}

/* Whether a diagonal run and then a straight one lead from a cell to another, step by step. */
static bool walks_to(const picture *drawn, int64_t x, int64_t y, int64_t to_x, int64_t to_y)
{
    while (x != to_x && y != to_y) {
        const int across = to_x > x ? 1 : -1, down = to_y > y ? 1 : -1;
        if (!step_is_legal(drawn, x, y, across, down))
            return false;
        x += across;
        y += down;
    }
    while (x != to_x || y != to_y) {
        x += (to_x > x) - (to_x < x);
        y += (to_y > y) - (to_y < y);
        if (!picture_is_open(drawn, x, y))
            return false;
    }
    return true;
}

/* Returns whether the cell sees a random open one. */
static bool assert_sight(const cn_run_field *field, const picture *drawn, dice *luck, cn_xy xy)
{
    static cn_arc items[ENDS_MOST];
    cn_arc_list arcs = {.items = items, .capacity = ENDS_MOST};
    uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT];
    const uint32_t cell = dice_open_cell(luck, drawn);
    const uint32_t x = cell % (uint32_t)drawn->width, y = cell / (uint32_t)drawn->width;
    const cn_run_target target = cn_run_target_of(field, CN_XY_OF(x, y));

    assert_true(cn_corner_ends(field, xy, (1u << CN_DIRECTIONS) - 1, NULL, &arcs, reach));
    const bool sees = cn_cell_sees(xy, &target, reach);
    assert_int_equal(sees, walks_to(drawn, CN_X_OF(xy), CN_Y_OF(xy), x, y));
    assert_int_equal(target.number, cn_corners_find(field->corners, x, y));
    return sees;
}

/* Also over several words of a line. */
static void a_cell_sees_what_a_diagonal_and_a_straight_run_lead_to(void **state)
{
    static const map_kind kinds[] = {MAP_ALL_OPEN, MAP_SPARSE, MAP_ROOMS, MAP_MAZE, MAP_ONE_ROW};
    dice luck = {5};
    size_t seen = 0, hidden = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        picture drawn = random_map(kinds[i], 190, 131, i + 1);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cn_corners *corners;
        cn_run_field field = {.grid = &map->grid, .metric = map->metric};
        assert_int_equal(cn_corners_new(&map->grid, &map->mem, NULL, 0, &corners), CAIRN_OK);
        assert_int_equal(cn_map_jump(map, &field.jump), CAIRN_OK);
        field.corners = corners;
        for (unsigned k = 0; k < 20000; k++) {
            const uint32_t cell = dice_open_cell(&luck, &drawn), width = (uint32_t)drawn.width;
            const bool sees = assert_sight(&field, &drawn, &luck,
                                           CN_XY_OF(cell % width, cell / width));
            seen += sees;
            hidden += !sees;
        }
        cn_corners_free(corners, &map->mem);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(seen > 1000 && hidden > 1000);
}

static void runs_from_every_cell_end_where_they_turn(void **state)
{
    (void)state;
    dice luck = {3};
    for (uint64_t seed = 0; seed < seeds_to(4 * MAP_KINDS); seed = seed_after(seed)) {
        static const cairn_metric metrics[] = {{2378, 3363}, {5, 7}, {1, 1}, {1, 2}};
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, metrics[dice_below(&luck, 4)]);
        cn_corners *corners;
        cn_run_field field = {.grid = &map->grid, .metric = map->metric};
        assert_int_equal(cn_corners_new(&map->grid, &map->mem, NULL, 0, &corners), CAIRN_OK);
        assert_int_equal(cn_map_jump(map, &field.jump), CAIRN_OK);
        field.corners = corners;
        for (uint32_t node = 0; node < cairn_map_node_count(map); node++) {
            const cn_xy xy = CN_XY_OF(node % (uint32_t)drawn.width, node / (uint32_t)drawn.width);
            if (!cairn_map_is_open(map, node))
                continue;
            field.cpu = node % 2 ? CN_CPU_PORTABLE : cn_cpu_level();
            assert_ends(&field, &drawn, xy, (1u << CN_DIRECTIONS) - 1);
            assert_ends(&field, &drawn, xy, dice_below(&luck, 1u << CN_DIRECTIONS));
            assert_ends_below_limits(&field, &luck, xy);
        }
        cn_corners_free(corners, &map->mem);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(ends_left_out > 0);
}

/* All of them: copies of those that are known, and others that are found. */
static cn_corner_arcs *arcs_on(const cn_corners *corners, const cairn_map *map,
                               const cn_corners *known)
{
    const cn_jump *jump;
    cn_corner_arcs *arcs = cn_corner_arcs_new(corners, map->hash, &map->mem);
    assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
    assert_non_null(arcs);
    assert_int_equal(arcs->count, corners->count);
    cn_corner_copy copy = {0};
    while (known && copy.next < corners->count) { /* in parts */
        const uint32_t left = corners->count - copy.next, part = 1 + corners->count / 3;
        cn_corner_arcs_copy(arcs, corners, known, known->former_arcs, known->expired, &copy,
                            part < left ? part : left);
    }
    for (uint32_t i = 0; i < arcs->count; i++) {
        const unsigned copied = cn_corner_known(&arcs->runs[i]);
        const unsigned found = cn_corner_arcs_find(arcs, corners, &map->grid, jump, i);
        assert_int_equal(found, cn_corner_known(&arcs->runs[i]));
        assert_true(!copied || copied == found);
    }
    return arcs;
}

/* A set of the corners and an open cell, as landmarks are. */
static cn_corners *set_on(const cairn_map *map, const picture *drawn, dice *luck)
{
    cn_corners *corners;
    cairn_node more[1];
    size_t more_count = map->grid.open_count > 0;
    if (more_count)
        more[0] = dice_open_cell(luck, drawn);
    assert_int_equal(cn_corners_new(&map->grid, &map->mem, more, more_count, &corners), CAIRN_OK);
    corners->arcs = arcs_on(corners, map, NULL);
    return corners;
}

/* Opens and closes some cells, near to one another so that runs change more than once. */
static size_t edit(cairn_map *map, picture *drawn, dice *luck, cairn_node changed[EDITS])
{
    const uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    const size_t count = 1 + dice_below(luck, EDITS);
    for (size_t i = 0; i < count; i++) {
        const uint32_t at_x = (x + dice_below(luck, 4)) % drawn->width;
        const uint32_t at_y = (y + dice_below(luck, 4)) % drawn->height;
        changed[i] = at_y * drawn->width + at_x;
        edit_letter(map, drawn, changed[i], dice_below(luck, 2) ? '.' : '@');
    }
    return count;
}

/* The set extended by the corners that are new; arcs are kept as by the former extension, if there
 * is one. */
static cn_corners *extended(const cn_corners *corners, const cn_corners *former,
                            const cairn_map *map, const cairn_node *changed, size_t changed_count)
{
    const cn_corners *all;
    cn_corners *extension;
    assert_int_equal(cn_map_corners(map, &all), CAIRN_OK);
    cairn_node *late = malloc((all->count + 1u) * sizeof *late);
    size_t late_count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t x = all->nodes[i] % all->width, y = all->nodes[i] / all->width;
        if (cn_corners_find(corners, x, y) == CN_NO_CORNER)
            late[late_count++] = all->nodes[i];
    }
    assert_int_equal(
        cn_corners_extend(corners, &map->grid, &map->mem, late, late_count, &extension), CAIRN_OK);
    free(late);
    assert_int_equal(cn_corners_keep_arcs(extension, corners, former, &map->grid, &map->mem,
                                          changed, changed_count),
                     CAIRN_OK);
    return extension;
}

/* Returns how many do. */
static uint32_t assert_former_hold(const cn_corners *extension, const picture *drawn)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < extension->late_from; i++) {
        if (extension->expired[i / 64] >> i % 64 & 1 || !extension->former_arcs->runs[i].known)
            continue;
        assert_runs(extension, extension->former_arcs, i, drawn);
        kept++;
    }
    return kept;
}

static uint32_t assert_edits(picture *drawn, uint64_t seed, unsigned rounds)
{
    cairn_map *map = map_of(drawn, CAIRN_METRIC_OCTILE);
    dice luck = {seed};
    cn_corners *corners = set_on(map, drawn, &luck);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < corners->count; i++)
        assert_runs(corners, corners->arcs, i, drawn);
    for (unsigned round = 0; round < rounds; round++) {
        cairn_node changed[EDITS];
        cn_corners *next;
        const size_t count = edit(map, drawn, &luck, changed);
        cn_corners *extension = extended(corners, NULL, map, changed, count);
        kept += assert_former_hold(extension, drawn);
        assert_int_equal(cn_corners_new(&map->grid, &map->mem, NULL, 0, &next), CAIRN_OK);
        next->arcs = arcs_on(next, map, extension);
        for (uint32_t i = 0; i < next->count; i++)
            assert_runs(next, next->arcs, i, drawn);
        cn_corners_free(extension, &map->mem);
        cn_corners_free(corners, &map->mem);
        corners = next;
    }
    cn_corners_free(corners, &map->mem);
    cairn_map_free(map);
    return kept;
}

/* One extension after another tells which arcs of the set hold, by what changed since the one
 * before. Returns how many do. */
static uint32_t assert_extensions(picture *drawn, uint64_t seed, unsigned rounds)
{
    cairn_map *map = map_of(drawn, CAIRN_METRIC_OCTILE);
    dice luck = {seed};
    cn_corners *corners = set_on(map, drawn, &luck), *former = NULL;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < corners->count; i++)
        assert_runs(corners, corners->arcs, i, drawn);
    for (unsigned round = 0; round < rounds; round++) {
        cairn_node changed[EDITS];
        const size_t count = edit(map, drawn, &luck, changed);
        cn_corners *extension = extended(corners, former, map, changed, count);
        kept += assert_former_hold(extension, drawn);
        if (former)
            cn_corners_free(former, &map->mem);
        former = extension;
    }
    cn_corners_free(former, &map->mem);
    cn_corners_free(corners, &map->mem);
    cairn_map_free(map);
    return kept;
}

/* How many arcs are kept on maps of every kind. */
static uint32_t kept_on_maps(uint32_t (*assert_kept)(picture *drawn, uint64_t seed,
                                                     unsigned rounds))
{
    uint32_t kept = 0;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        kept += assert_kept(&drawn, seed, 4);
        picture_free(&drawn);
    }
    return kept;
}

static void arcs_that_one_extension_after_another_keeps_lead_where_runs_end(void **state)
{
    (void)state;
    assert_true(kept_on_maps(assert_extensions) > 0);
}

static void arcs_lead_where_runs_end_and_those_that_are_kept_still_do(void **state)
{
    (void)state;
    assert_true(kept_on_maps(assert_edits) > MAPS);
}

static void arcs_of_large_maps_are_kept_too(void **state)
{
    (void)state;
    uint32_t kept = 0;
    for (uint64_t seed = 0; seed < seeds_to(LARGE_MAPS); seed = seed_after(seed)) {
        bool is_wide = seed / MAP_KINDS;
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), is_wide ? 150 : 75,
                                   is_wide ? 75 : 150, seed);
        kept += assert_edits(&drawn, seed, 2);
        picture_free(&drawn);
    }
    assert_true(kept > 100 * LARGE_MAPS);
}

/* A diagonal with more runs than a corner can count: they are not kept, but found. */
static void a_corner_with_very_many_arcs_keeps_none(void **state)
{
    enum { SIDE = 700 };
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, SIDE, SIDE, 1);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool is_far = x > y + 20 && x < y + 40 && y % 2;
            drawn.letters[y * SIDE + x] = is_far || (x == 0 && y == 1) ? '@' : '.';
        }
    }
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cn_corners *corners;
    assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
    cn_corner_arcs *arcs = arcs_on(corners, map, NULL);
    uint32_t without = 0;
    for (uint32_t i = 0; i < corners->count; i++)
        without += !arcs->runs[i].known;
    assert_true(without > 0 && without < corners->count);
    cn_run_field field = {
        .corners = corners, .grid = &map->grid, .metric = map->metric, .cpu = cn_cpu_level()};
    assert_int_equal(cn_map_jump(map, &field.jump), CAIRN_OK);
    assert_ends(&field, &drawn, CN_XY_OF(0u, 0u), (1u << CN_DIRECTIONS) - 1);
    assert_ends(&field, &drawn, CN_XY_OF(SIDE - 1u, SIDE - 1u), (1u << CN_DIRECTIONS) - 1);
    dice luck = {8};
    for (int i = 0; i < 200; i++) {
        const cairn_node node = dice_open_cell(&luck, &drawn);
        assert_ends_below_limits(&field, &luck, CN_XY_OF(node % SIDE, node / SIDE));
    }
    cn_corner_arcs_free(arcs);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Arcs that no chunk could be allocated for are not kept; a search walks where they would be. */
static void without_memory_some_arcs_are_not_kept(void **state)
{
    (void)state;
    failing_allocator failing;
    picture drawn = random_map(MAP_CAVE, 150, 130, 5);
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    const cn_corners *corners;
    const cn_jump *jump;
    uint32_t known = 0;
    size_t n = 0;
    assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
    assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
    do {
        failing_allocator_arm(&failing, ++n);
        cn_corner_arcs *arcs = cn_corner_arcs_new(corners, map->hash, &map->mem);
        assert_int_equal(arcs == NULL, n <= 2);
        known = 0;
        for (uint32_t i = 0; arcs && i < corners->count; i++) {
            known += cn_corner_arcs_find(arcs, corners, &map->grid, jump, i) != 0;
            if (arcs->runs[i].known)
                assert_runs(corners, arcs, i, &drawn);
        }
        assert_true(known == corners->count || failing_allocator_struck(&failing));
        cn_corner_arcs_free(arcs);
    } while (failing_allocator_struck(&failing));
    assert_true(n > 4);
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arcs_lead_where_runs_end_and_those_that_are_kept_still_do),
        cmocka_unit_test(arcs_that_one_extension_after_another_keeps_lead_where_runs_end),
        cmocka_unit_test(arcs_of_large_maps_are_kept_too),
        cmocka_unit_test(a_corner_with_very_many_arcs_keeps_none),
        cmocka_unit_test(runs_from_every_cell_end_where_they_turn),
        cmocka_unit_test(a_cell_sees_what_a_diagonal_and_a_straight_run_lead_to),
        cmocka_unit_test(without_memory_some_arcs_are_not_kept),
    };
    return cmocka_run_group_tests_name("corner_arcs", tests, NULL, NULL);
}
