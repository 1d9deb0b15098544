/* Jump planes after edits are those of a map that was made so. */
#include "map/jump_points.h"
#include "map/map.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { MAPS = 6 * MAP_KINDS, EDITS = 12 };

static void assert_same_planes(const cairn_map *edited, const cairn_map *made)
{
    const cn_jump *a, *b;
    assert_int_equal(cn_map_jump(edited, &a), CAIRN_OK);
    assert_int_equal(cn_map_jump(made, &b), CAIRN_OK);
    size_t in_rows = a->row_words * made->grid.height;
    size_t in_columns = a->column_words * made->grid.width;
    assert_memory_equal(a->rows, b->rows, in_rows * sizeof *a->rows);
    assert_memory_equal(a->columns, b->columns, in_columns * sizeof *a->columns);
    assert_memory_equal(a->open_rows, b->open_rows, in_rows * sizeof *a->open_rows);
    assert_memory_equal(a->open_columns, b->open_columns, in_columns * sizeof *a->open_columns);
    assert_memory_equal(a->hits, b->hits, cn_map_node_count(made));
}

static cairn_edit random_edit(const picture *drawn, dice *luck)
{
    uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    uint32_t width = dice_below(luck, 3) ? 1 : 1 + dice_below(luck, drawn->width - x);
    uint32_t height = dice_below(luck, 3) ? 1 : 1 + dice_below(luck, drawn->height - y);
    return cairn_rectangle(x, y, width, height, dice_below(luck, 2) ? '.' : '@');
}

static void planes_after_edits_equal_those_of_a_new_map(void **state)
{
    (void)state;
    dice luck = {42};
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cn_jump *jump;
        assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
        for (int i = 0; i < EDITS; i++) {
            cairn_edit edits[2] = {random_edit(&drawn, &luck), random_edit(&drawn, &luck)};
            assert_int_equal(cairn_map_edit(map, edits, 1 + dice_below(&luck, 2)), CAIRN_OK);
            for (cairn_node node = 0; node < picture_size(&drawn); node++)
                drawn.letters[node] = cairn_map_letter(map, node);
            cairn_map *made = map_of(&drawn, CAIRN_METRIC_OCTILE);
            assert_same_planes(map, made);
            cairn_map_free(made);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* What the planes stand for, cell by cell: the run is walked. */
static bool run_hits(const picture *drawn, int64_t x, int64_t y, int dx, int dy)
{
    for (;;) {
        x += dx;
        y += dy;
        if (!picture_is_open(drawn, x, y))
            return false;
        for (int side = -1; side <= 1; side += 2) {
            int64_t beside_x = x + dy * side, beside_y = y + dx * side;
            if (picture_is_open(drawn, beside_x, beside_y) &&
                !picture_is_open(drawn, beside_x - dx, beside_y - dy))
                return true;
        }
    }
}

static void a_hit_is_a_run_that_ends_at_a_turn(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        const cn_jump *jump;
        assert_int_equal(cn_map_jump(map, &jump), CAIRN_OK);
        for (cairn_node node = 0; node < picture_size(&drawn); node++) {
            uint32_t x = node % drawn.width, y = node / drawn.width;
            if (!picture_is_open(&drawn, x, y)) {
                assert_int_equal(jump->hits[node], 0);
                continue;
            }
            for (unsigned d = 0; d < CN_STRAIGHT; d++)
                assert_int_equal(jump->hits[node] >> d & 1,
                                 run_hits(&drawn, x, y, cn_step_x[d], cn_step_y[d]));
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_after_edits_equal_those_of_a_new_map),
        cmocka_unit_test(a_hit_is_a_run_that_ends_at_a_turn),
    };
    return cmocka_run_group_tests_name("jump", tests, NULL, NULL);
}
