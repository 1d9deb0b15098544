/* Corners of a map, and the corners that see a cell, against definitions that walk cell by cell. */
#include "grid/corners.h"
#include "map/map.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"

enum { MAPS = 12 * MAP_KINDS, LARGE_MAPS = 2 * MAP_KINDS };

static bool is_corner(const picture *drawn, int64_t x, int64_t y)
{
    if (!picture_is_open(drawn, x, y))
        return false;
    for (int down = -1; down <= 1; down += 2) {
        for (int across = -1; across <= 1; across += 2) {
            if (picture_is_open(drawn, x + across, y) && picture_is_open(drawn, x, y + down) &&
                !picture_is_open(drawn, x + across, y + down))
                return true;
        }
    }
    return false;
}

/* Numbers go through strips of 64 columns, in each row by row. */
static void assert_corners_of(const cn_corners *corners, const picture *drawn)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < picture_size(drawn); i++) {
        const uint32_t before = i / (64 * drawn->height) * 64, left = drawn->width - before;
        const uint32_t across = left < 64 ? left : 64, rest = i - before * drawn->height;
        const uint32_t x = before + rest % across, y = rest / across;
        const uint32_t expected = is_corner(drawn, x, y) ? count : CN_NO_CORNER;
        assert_int_equal(cn_corners_find(corners, x, y), expected);
        if (expected == CN_NO_CORNER)
            continue;
        assert_int_equal(corners->nodes[count], y * drawn->width + x);
        count++;
    }
    assert_int_equal(corners->count, count);
}

static void assert_corners_of_map(const cn_corners *corners, const cairn_map *map,
                                  const picture *drawn)
{
    assert_corners_of(corners, drawn);
    assert_int_equal(cn_corners_count(&map->grid), corners->count);
}

static void corners_are_found_and_counted(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cn_corners *corners, *again;
        cn_corners *copy;
        assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
        assert_corners_of_map(corners, map, &drawn);
        assert_int_equal(cn_corners_clone(corners, &map->mem, &copy), CAIRN_OK);
        assert_corners_of(copy, &drawn);
        cn_corners_free(copy, &map->mem);
        assert_int_equal(cn_map_corners(map, &again), CAIRN_OK);
        assert_ptr_equal(again, corners);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Changes some cells one after another; often an edit changes nothing. */
static void edit_cells(cairn_map *map, picture *drawn, dice *luck, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        edit_any(map, drawn, luck);
}

/* After a few edits corners follow from those of a former state, after many they are found
 * again. */
static void corners_follow_edits(void **state)
{
    (void)state;
    dice luck = {7};
    unsigned followed = 0, many = 0;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        for (int i = 0; i < 6; i++) {
            const uint32_t edits = i < 4 ? 1 + (uint32_t)i : 4 * drawn.height;
            const cairn_node *cells;
            const cn_corners *corners;
            size_t count;
            assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
            edit_cells(map, &drawn, &luck, edits);
            if (map->former_corners && cn_map_changes(map, map->former_hash, map->fixed_hash,
                                                      &cells, &count) == CN_CHANGES_KNOWN) {
                followed += count <= drawn.height;
                many += count > drawn.height;
            }
            assert_int_equal(cn_map_corners(map, &corners), CAIRN_OK);
            assert_corners_of_map(corners, map, &drawn);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(followed && many);
}

/* ------------------------------------------------------------------------------ in sight -- */

/* Costs of the sightings, by corner; none: CAIRN_UNREACHABLE. */
typedef struct sightings {
    cairn_cost *costs;
} sightings;

static void note(void *context, const cn_seen_corner *seen, size_t count)
{
    sightings *self = context;
    for (size_t i = 0; i < count; i++)
        self->costs[seen[i].corner] = seen[i].cost;
}

static bool diagonal_is_legal(const picture *drawn, int64_t x, int64_t y, int across, int down)
{
    return picture_is_open(drawn, x + across, y) && picture_is_open(drawn, x, y + down) &&
           picture_is_open(drawn, x + across, y + down);
}

static uint32_t member_at(const cn_corners *corners, int64_t x, int64_t y)
{
    return cn_corners_find(corners, (uint32_t)x, (uint32_t)y);
}

/* The run from one cell to another, diagonal first, is legal, and no member but its first cell
 * lies on it. The last cell is no member. */
static bool run_is_clear(const cn_corners *corners, const picture *drawn, int64_t x, int64_t y,
                         int64_t to_x, int64_t to_y)
{
    bool first = true;
    while (x != to_x || y != to_y) {
        if (!first && member_at(corners, x, y) != CN_NO_CORNER)
            return false;
        first = false;
        int across = (to_x > x) - (to_x < x), down = (to_y > y) - (to_y < y);
        if (across && down && !diagonal_is_legal(drawn, x, y, across, down))
            return false;
        x += across;
        y += down;
        if (!picture_is_open(drawn, x, y))
            return false;
    }
    return true;
}

static void assert_sight(const cn_corners *corners, const cairn_map *map, const picture *drawn,
                         uint32_t node)
{
    int64_t x = node % drawn->width, y = node / drawn->width;
    sightings all = {malloc((corners->count + 1u) * sizeof(cairn_cost))};
    uint32_t own = member_at(corners, x, y);

    for (uint32_t i = 0; i < corners->count; i++)
        all.costs[i] = CAIRN_UNREACHABLE;
    cn_corners_seeing(corners, &map->grid, map->metric, node, note, &all);
    for (uint32_t i = 0; i < corners->count; i++) {
        int64_t from_x = corners->nodes[i] % drawn->width;
        int64_t from_y = corners->nodes[i] / drawn->width;
        bool sees = own != CN_NO_CORNER ? i == own
                                        : run_is_clear(corners, drawn, from_x, from_y, x, y);
        cairn_cost cost = cn_octile(map->metric, (uint32_t)from_x, (uint32_t)from_y, (uint32_t)x,
                                    (uint32_t)y);
        assert_int_equal(all.costs[i], sees ? cost : CAIRN_UNREACHABLE);
    }
    free(all.costs);
}

/* A set with some more members than corners, as landmarks are. */
static void assert_sight_everywhere(const picture *drawn, uint64_t seed, uint32_t stride)
{
    cairn_map *map = map_of(drawn, fixture_metrics[seed % FIXTURE_METRICS]);
    dice luck = {seed};
    cairn_node more[3];
    size_t more_count = map->grid.open_count ? seed % 4 : 0;
    cn_corners *corners;

    for (size_t i = 0; i < more_count; i++)
        more[i] = dice_open_cell(&luck, drawn);
    assert_int_equal(cn_corners_new(&map->grid, &map->mem, more, more_count, &corners), CAIRN_OK);
    for (size_t i = 0; i < more_count; i++)
        assert_true(member_at(corners, more[i] % drawn->width, more[i] / drawn->width) !=
                    CN_NO_CORNER);
    for (uint32_t node = (uint32_t)(seed % stride); node < picture_size(drawn); node += stride) {
        if (cairn_map_is_open(map, node))
            assert_sight(corners, map, drawn, node);
    }
    cn_corners_free(corners, &map->mem);
    cairn_map_free(map);
}

static void a_cell_is_seen_along_canonical_runs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        assert_sight_everywhere(&drawn, seed, 7);
        picture_free(&drawn);
    }
}

/* Runs longer than a word of bits, in both directions. */
static void a_cell_is_seen_from_far_away(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(LARGE_MAPS); seed = seed_after(seed)) {
        bool is_wide = seed / MAP_KINDS;
        picture drawn = random_map((map_kind)(seed % MAP_KINDS), is_wide ? 200 : 75,
                                   is_wide ? 75 : 200, seed);
        assert_sight_everywhere(&drawn, seed, 331);
        picture_free(&drawn);
    }
}

/* Asks for the corners of a map until an allocation that was to fail is not asked for. */
static const cn_corners *corners_despite_failures(cairn_map *map, failing_allocator *failing)
{
    const cn_corners *corners;
    size_t n = 0;
    do {
        failing_allocator_arm(failing, ++n);
        cairn_status status = cn_map_corners(map, &corners);
        assert_int_equal(status, failing_allocator_struck(failing) ? CAIRN_E_MEMORY : CAIRN_OK);
        assert_int_equal(cairn_map_memory(map), failing->held);
    } while (failing_allocator_struck(failing));
    failing_allocator_arm(failing, 0);
    assert_true(n > 4);
    return corners;
}

/* Those that follow from a former state as well. */
static void without_memory_there_are_no_corners(void **state)
{
    (void)state;
    dice luck = {3};
    failing_allocator failing;
    picture drawn = random_map(MAP_CAVE, 40, 30, 5);
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    for (int edits = 0; edits < 3; edits++) {
        assert_corners_of(corners_despite_failures(map, &failing), &drawn);
        edit_cells(map, &drawn, &luck, 8);
        assert_int_equal(cairn_map_memory(map), failing.held);
        assert_non_null(map->former_corners);
        assert_null(map->corners);
    }
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_found_and_counted),
        cmocka_unit_test(corners_follow_edits),
        cmocka_unit_test(a_cell_is_seen_along_canonical_runs),
        cmocka_unit_test(a_cell_is_seen_from_far_away),
        cmocka_unit_test(without_memory_there_are_no_corners),
    };
    return cmocka_run_group_tests_name("corners", tests, NULL, NULL);
}
