#include "grid/grid.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/oracle.h"
#include "support/random_maps.h"

static const cn_mem heap = {{0}};

static cairn_status init_from(cn_grid *grid, const cn_mem *mem, const picture *map)
{
    uint8_t *letters = cn_array(mem, picture_size(map), 1);
    if (!letters)
        return CAIRN_E_MEMORY;
    memcpy(letters, map->letters, picture_size(map));
    return cn_grid_init(grid, mem, map->width, map->height, letters);
}

static cn_grid grid_of(const picture *map)
{
    cn_grid grid;
    assert_int_equal(init_from(&grid, &heap, map), CAIRN_OK);
    return grid;
}

static void every_letter_is_open_blocked_or_unknown(void **state)
{
    (void)state;
    cn_grid grid = grid_of(&(picture){1, 1, (char[]){'.'}});
    for (unsigned letter = 0; letter < 256; letter++) {
        bool open = letter && strchr(".GS", (int)letter);
        bool blocked = letter && strchr("@OTW", (int)letter);
        assert_int_equal(cn_letter_is_known((uint8_t)letter), open || blocked);
        assert_int_equal(grid.open_letter[letter], open);
    }
    cn_grid_free(&grid, &heap);
}

static void opposite_directions_undo_each_other(void **state)
{
    (void)state;
    for (int direction = 0; direction < CN_DIRECTIONS; direction++) {
        int opposite = direction < CN_STRAIGHT ? direction ^ 1 : 11 - direction;
        assert_int_equal(cn_step_x[direction] + cn_step_x[opposite], 0);
        assert_int_equal(cn_step_y[direction] + cn_step_y[opposite], 0);
        bool straight = cn_step_x[direction] == 0 || cn_step_y[direction] == 0;
        assert_int_equal(straight, direction < CN_STRAIGHT);
    }
}

/* Draws the 3 x 3 cells that a byte of openness stands for. */
static picture surroundings(unsigned around)
{
    picture map = picture_filled(3, 3, '@');
    map.letters[4] = '.';
    for (int direction = 0; direction < CN_DIRECTIONS; direction++) {
        if (around >> direction & 1)
            map.letters[4 + cn_step_y[direction] * 3 + cn_step_x[direction]] = '.';
    }
    return map;
}

static void moves_never_cut_a_corner(void **state)
{
    (void)state;
    cn_grid grid = grid_of(&(picture){1, 1, (char[]){'.'}});
    for (unsigned around = 0; around < 256; around++) {
        picture map = surroundings(around);
        for (int direction = 0; direction < CN_DIRECTIONS; direction++) {
            int to = 4 + cn_step_y[direction] * 3 + cn_step_x[direction];
            assert_int_equal(grid.moves[around] >> direction & 1,
                             oracle_step_is_legal(&map, 4, (uint32_t)to));
        }
        picture_free(&map);
    }
    cn_grid_free(&grid, &heap);
}

static void canonical_steps_are_legal_ones_and_all_of_them_at_a_start(void **state)
{
    (void)state;
    cn_grid grid = grid_of(&(picture){1, 1, (char[]){'.'}});
    for (unsigned around = 0; around < 256; around++) {
        assert_int_equal(grid.canonical[CN_NOWHERE][around], grid.moves[around]);
        for (int arrival = 0; arrival < CN_DIRECTIONS; arrival++)
            assert_int_equal(grid.canonical[arrival][around] & ~grid.moves[around], 0);
    }
    cn_grid_free(&grid, &heap);
}

static void in_the_open_a_straight_arrival_goes_on_and_a_diagonal_one_fans_out(void **state)
{
    (void)state;
    cn_grid grid = grid_of(&(picture){1, 1, (char[]){'.'}});
    assert_int_equal(grid.canonical[CN_E][255], 1 << CN_E);
    assert_int_equal(grid.canonical[CN_N][255], 1 << CN_N);
    assert_int_equal(grid.canonical[CN_SE][255], 1 << CN_SE | 1 << CN_S | 1 << CN_E);
    assert_int_equal(grid.canonical[CN_NW][255], 1 << CN_NW | 1 << CN_N | 1 << CN_W);
    cn_grid_free(&grid, &heap);
}

/* One row of the bits beyond every edge, too, where nothing is open. */
static void assert_open_bits(const cn_grid *grid, const picture *map)
{
    int64_t wide = (int64_t)cn_grid_row_words(grid) * 64;
    for (int64_t y = -1; y <= grid->height; y++) {
        const uint64_t *row = grid->open + y * (int64_t)grid->open_stride;
        assert_true(row[-1] == 0);
        assert_true(row[wide / 64] == 0);
        for (int64_t x = 0; x < wide; x++)
            assert_int_equal(row[x / 64] >> x % 64 & 1, picture_is_open(map, x, y));
    }
}

static void openness_and_counts_match_the_picture(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture map = any_map(seed);
        cn_grid grid = grid_of(&map);
        assert_int_equal(grid.open_count, picture_open_count(&map));
        assert_open_bits(&grid, &map);
        for (uint32_t node = 0; node < picture_size(&map); node++) {
            int64_t x = node % map.width, y = node / map.width;
            bool open = picture_is_open(&map, x, y);
            assert_int_equal(cn_grid_is_open(&grid, node), open);
            for (int d = 0; d < CN_DIRECTIONS; d++)
                assert_int_equal(grid.around[node] >> d & 1,
                                 open && picture_is_open(&map, x + cn_step_x[d], y + cn_step_y[d]));
        }
        cn_grid_free(&grid, &heap);
        picture_free(&map);
    }
}

static void assert_xy(const cn_grid *grid, uint32_t node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    assert_int_equal(x, node % grid->width);
    assert_int_equal(y, node / grid->width);
}

static void the_cell_of_a_node_equals_the_division(void **state)
{
    (void)state;
    static const uint32_t widths[] = {1,   2,    3,    5,    7,     10,    255,   256,
                                      257, 1000, 4095, 4097, 16384, 32767, 65534, 65535};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        cn_grid grid = {.width = widths[i], .per_row = (UINT64_C(1) << 32) / widths[i]};
        for (uint32_t node = 0; node < CAIRN_NODES_MAX - 40000; node += 39989)
            assert_xy(&grid, node);
        for (uint32_t row = 1; row <= CAIRN_NODES_MAX / widths[i]; row = row * 2 + 1) {
            assert_xy(&grid, row * widths[i] - 1);
            if (row < CAIRN_NODES_MAX / widths[i])
                assert_xy(&grid, row * widths[i]);
        }
        assert_xy(&grid, CAIRN_NODES_MAX - 1);
    }
}

static void octile_distance_is_the_cost_on_an_open_map(void **state)
{
    (void)state;
    picture map = random_map(MAP_ALL_OPEN, 9, 7, 0);
    cairn_metric metric = {5, 7};
    for (uint32_t from = 0; from < picture_size(&map); from++) {
        uint64_t *costs = oracle_costs(&map, (oracle_steps){5, 7}, &from, 1);
        for (uint32_t to = 0; to < picture_size(&map); to++)
            assert_int_equal(cn_octile(metric, from % 9, from / 9, to % 9, to / 9), costs[to]);
        free(costs);
    }
    picture_free(&map);
}

static void components_are_those_of_the_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4 * MAP_KINDS; seed++) {
        picture map = any_map(seed);
        cn_grid grid = grid_of(&map);
        uint32_t expected_count, count, *sizes;
        uint32_t *expected = oracle_components(&map, &expected_count);
        uint32_t *label = malloc(picture_size(&map) * sizeof *label);

        assert_non_null(label);
        assert_int_equal(cn_grid_components(&grid, &heap, label, &sizes, &count), CAIRN_OK);
        assert_int_equal(count, expected_count);
        for (uint32_t node = 0; node < picture_size(&map); node++) {
            assert_int_equal(label[node], expected[node]);
            if (label[node] != CN_NO_COMPONENT)
                sizes[label[node]]--;
        }
        for (uint32_t name = 0; name < count; name++)
            assert_int_equal(sizes[name], 0);
        cn_release(&heap, sizes);
        free(label);
        free(expected);
        cn_grid_free(&grid, &heap);
        picture_free(&map);
    }
}

static void without_memory_there_is_no_grid_and_no_leak(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    picture map = PICTURE(".@.", "...");

    for (size_t n = 1;; n++) {
        cn_grid grid;
        failing_allocator_arm(&failing, n);
        cairn_status status = init_from(&grid, &mem, &map);
        bool struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        if (!struck) {
            assert_true(n > 2);
            cn_grid_free(&grid, &mem);
            break;
        }
        assert_int_equal(atomic_load(&failing.outstanding), 0);
    }
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    picture_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_letter_is_open_blocked_or_unknown),
        cmocka_unit_test(opposite_directions_undo_each_other),
        cmocka_unit_test(moves_never_cut_a_corner),
        cmocka_unit_test(canonical_steps_are_legal_ones_and_all_of_them_at_a_start),
        cmocka_unit_test(in_the_open_a_straight_arrival_goes_on_and_a_diagonal_one_fans_out),
        cmocka_unit_test(openness_and_counts_match_the_picture),
        cmocka_unit_test(the_cell_of_a_node_equals_the_division),
        cmocka_unit_test(octile_distance_is_the_cost_on_an_open_map),
        cmocka_unit_test(components_are_those_of_the_oracle),
        cmocka_unit_test(without_memory_there_is_no_grid_and_no_leak),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
